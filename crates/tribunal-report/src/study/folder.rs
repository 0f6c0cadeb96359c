//! The results of a study in the folder of its run, in every form.

use std::path::Path;

use tribunal::message::Phrasing;
use tribunal::{Error, FinishedStudy};

use crate::format::{Format, Style, render_study, render_study_times};
use crate::run_reports::{REPORTS, write_all};

/// How long learners took; the reports hold everything but the clock.
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
    let report = |(name, format)| (name, render_study(study, None, Style { format, phrasing }));
    let time = |(name, format)| (name, render_study_times(times, format));
    write_all(folder, REPORTS.into_iter().map(report).chain(TIMES.into_iter().map(time)))
}
