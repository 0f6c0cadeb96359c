//! The files that a run - a study, a selection - leaves in its folder for people and programs: every form of its results.

use std::path::Path;

use tribunal::{Error, write_run_file};

use crate::format::{Format, RenderError};

/// The results in every form, by their file names.
pub(crate) const REPORTS: [(&str, Format); 5] = [
    ("results.json", Format::Json),
    ("report.md", Format::Markdown),
    ("report.tex", Format::Latex),
    ("report.txt", Format::Text),
    ("figures.csv", Format::Csv),
];

/// Writes rendered results into a folder by their names, each file whole or not at all; nothing unless all could be rendered.
///
/// # Errors
/// A result cannot be rendered, or a file cannot be written.
pub(crate) fn write_all(
    folder: &Path,
    rendered: impl Iterator<Item = (&'static str, Result<String, RenderError>)>,
) -> Result<(), Error> {
    let named = |(name, text): (_, Result<String, RenderError>)| match text {
        Ok(text) => Ok((name, text)),
        Err(error) => Err(Error::data(error.to_string())),
    };
    let files = rendered.map(named).collect::<Result<Vec<_>, Error>>()?;
    files.iter().try_for_each(|(name, text)| write_run_file(folder, name, text))
}
