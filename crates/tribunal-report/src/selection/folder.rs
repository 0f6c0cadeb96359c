//! The results of a selection in the folder of its run, in every form.

use std::path::Path;

use tribunal::Error;
use tribunal::message::Phrasing;
use tribunal::selection::Selection;

use crate::format::{Style, render_selection};
use crate::run_reports::{REPORTS, write_all};

/// The files that [`write_selection`] writes. Those of the run itself, [`tribunal::RUN_FILES`], stand beside them.
pub fn selection_files() -> impl Iterator<Item = &'static str> {
    REPORTS.into_iter().map(|(name, _)| name)
}

/// Writes the results of a selection into the folder that it ran in, each file whole or not at all. Nothing is written unless all
/// of them can be rendered.
///
/// # Errors
/// A result cannot be rendered, or a file cannot be written.
pub fn write_selection(folder: &Path, selection: &Selection, phrasing: &dyn Phrasing) -> Result<(), Error> {
    let render = |(name, format)| (name, render_selection(selection, Style { format, phrasing }));
    write_all(folder, REPORTS.into_iter().map(render))
}
