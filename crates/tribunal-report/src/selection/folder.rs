//! The results of a selection in the folder of its run, in every form.

use std::path::Path;

use tribunal::message::Phrasing;
use tribunal::selection::Selection;
use tribunal::{Error, write_run_file};

use crate::format::{Format, Style, render_selection};

const REPORTS: [(&str, Format); 5] = [
    ("results.json", Format::Json),
    ("report.md", Format::Markdown),
    ("report.tex", Format::Latex),
    ("report.txt", Format::Text),
    ("figures.csv", Format::Csv),
];

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
    let file = |(name, format)| match render_selection(selection, Style { format, phrasing }) {
        Ok(text) => Ok((name, text)),
        Err(error) => Err(Error::data(error.to_string())),
    };
    let files = REPORTS.into_iter().map(file).collect::<Result<Vec<_>, Error>>()?;
    files.iter().try_for_each(|(name, text)| write_run_file(folder, name, text))
}
