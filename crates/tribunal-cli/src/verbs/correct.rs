//! `tribunal correct`: make an actioned sample speak for the population.

use tribunal::Source;
use tribunal::correction::{CorrectRequest, CorrectedTable, OutcomeColumns, correct};
use tribunal_eval::correction::Rounding;
use tribunal_eval::intervals::Level;
use tribunal_report::render_correction;

use crate::args::{CorrectArgs, OutputPath};
use crate::flags::style;
use crate::messages::{say, shown};
use crate::progress::WorkBar;
use crate::{Failure, command_line, output};

pub(crate) fn run(args: &CorrectArgs) -> Result<(), Failure> {
    let request = request(args)?;
    if let Some(path) = &args.sample {
        output::format_of(path)?;
    }
    let prevalence = Source::open(&args.prevalence).map_err(tribunal::Error::from)?;
    let incidence = Source::open(&args.incidence).map_err(tribunal::Error::from)?;
    let bar = WorkBar::new(args.output.quiet);
    let found = correct((&prevalence, &incidence), &request, &|progress| bar.show(progress))?;
    let found = found.with_command(command_line::kept());
    if args.sample.is_some() {
        found.check_names(&incidence)?;
    }
    drop(bar);
    let text = render_correction(found.correction(), style(args.output.format));
    output::write(&args.output, &text.map_err(|error| Failure::run(error.to_string()))?)?;
    args.sample.as_ref().map_or(Ok(()), |path| write_sample(path, &found, &incidence, args.output.quiet))
}

fn write_sample(
    path: &OutputPath,
    found: &CorrectedTable,
    incidence: &Source,
    quiet: bool,
) -> Result<(), Failure> {
    let format = output::format_of(path)?;
    let bar = WorkBar::new(quiet);
    output::write_table_to(path.file(), |out| {
        found.write(incidence, format, out, &|progress| bar.show(progress))
    })?;
    drop(bar);
    if let Some(file) = path.file().filter(|_| !quiet) {
        let columns = found.sample_columns();
        say(&format!("\n{}: the corrected sample, with {}.", shown(file), columns.join(", ")));
    }
    Ok(())
}

fn request(args: &CorrectArgs) -> Result<CorrectRequest, Failure> {
    let mut request = CorrectRequest::new(args.strata.iter().cloned());
    request.bands = args.bands.clone();
    request.clusters = args.clusters;
    request.choose = args.choose;
    request.method = args.method;
    request.beta = args.beta;
    request.rounding = if args.exact_total { Rounding::ExactTotal } else { Rounding::Nearest };
    request.draw = args.draw;
    request.size = args.size;
    request.empty = args.empty_strata;
    request.total_prevalence = args.total_prevalence;
    request.outcome = args.truth.clone().zip(args.positive.clone()).map(|(truth, positive)| OutcomeColumns {
        truth,
        positive,
        score: args.score.clone(),
    });
    request.cutoff = args.threshold;
    request.level = Level::new(args.level).map_err(|error| Failure::usage(error.to_string()))?;
    request.seed = args.seed;
    Ok(request)
}
