//! The results of a study in the folder of its run, in every form.

use std::path::Path;

use tribunal::message::Phrasing;
use tribunal::{Error, FinishedStudy, write_run_file};

use crate::format::{Format, RenderError, Style, render_study, render_study_times};

/// Everything but the clock.
const REPORTS: [(&str, Format); 5] = [
    ("results.json", Format::Json),
    ("report.md", Format::Markdown),
    ("report.tex", Format::Latex),
    ("report.txt", Format::Text),
    ("figures.csv", Format::Csv),
];

/// How long learners took.
const TIMES: [(&str, Format); 2] = [("times.json", Format::Json), ("times.csv", Format::Csv)];

/// The files that [`write_study`] writes. Those of the run itself, [`tribunal::RUN_FILES`], stand beside them.
pub fn study_files() -> impl Iterator<Item = &'static str> {
    REPORTS.into_iter().chain(TIMES).map(|(name, _)| name)
}

/// Writes the results of a study into the folder that it ran in, each file whole or not at all. Nothing is written unless
/// all of them can be rendered. Advice in them is worded by the phrasing of the front end.
///
/// # Errors
/// A result cannot be rendered, or a file cannot be written.
pub fn write_study(folder: &Path, finished: &FinishedStudy, phrasing: &dyn Phrasing) -> Result<(), Error> {
    let FinishedStudy { study, times } = finished;
    let named = |name, text: Result<String, RenderError>| match text {
        Ok(text) => Ok((name, text)),
        Err(error) => Err(Error::data(error.to_string())),
    };
    let reports = REPORTS
        .into_iter()
        .map(|(name, format)| named(name, render_study(study, None, Style { format, phrasing })));
    let times = TIMES.into_iter().map(|(name, format)| named(name, render_study_times(times, format)));
    let files = reports.chain(times).collect::<Result<Vec<_>, Error>>()?;
    files.iter().try_for_each(|(name, text)| write_run_file(folder, name, text))
}
