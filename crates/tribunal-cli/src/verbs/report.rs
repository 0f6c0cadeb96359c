//! `tribunal report`: show stored results again.

use tribunal::{StoredResult, Study, read_results};
use tribunal_report::{RenderError, Shown, render_stored, render_study};

use crate::args::{InputName, ReportArgs};
use crate::flags::style;
use crate::{Failure, output};

pub(crate) fn run(args: &ReportArgs) -> Result<(), Failure> {
    let result = read_results(args.results.as_ref())?;
    let shown = if args.all { Shown::All } else { Shown::Strongest };
    let text = match (&result, &args.times) {
        (StoredResult::Study(study), Some(times)) => with_times(args, study, times)?,
        (_, Some(_)) => return Err(Failure::usage("--times belongs to the results of a study")),
        (result, None) => rendered(render_stored(result, shown, style(args.output.format)))?,
    };
    output::write(&args.output, &text)
}

fn with_times(args: &ReportArgs, study: &Study, times: &InputName) -> Result<String, Failure> {
    let name: &str = times.as_ref();
    match read_results(name)? {
        StoredResult::StudyTimes(times) => {
            rendered(render_study(study, Some(&times), style(args.output.format)))
        }
        _ => {
            Err(Failure::usage(format!("{name}: these are no times; name times.json of the study's folder")))
        }
    }
}

fn rendered(text: Result<String, RenderError>) -> Result<String, Failure> {
    text.map_err(|error| Failure::run(error.to_string()))
}
