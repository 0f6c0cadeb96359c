//! Results go to standard output or, whole or not at all, to a file.

use std::io::{BufWriter, ErrorKind, Write};
use std::path::Path;

use tribunal_io::TableFormat;
use tribunal_report::{Format, RenderError};

use crate::Failure;
use crate::args::{OutputArgs, TableArgs};

/// Writes results where they were asked for.
pub(crate) fn write(args: &OutputArgs, results: &str) -> Result<(), Failure> {
    write_to(args.output.as_deref(), results)
}

/// Writes results to a file or to standard output.
pub(crate) fn write_to(path: Option<&Path>, results: &str) -> Result<(), Failure> {
    match path {
        Some(path) => tribunal_io::write_whole(path, |writer| writer.write_all(results.as_bytes()))
            .map_err(|error| Failure::run(error.to_string())),
        None => print(results),
    }
}

/// Writes to standard output.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    printed(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

/// A reader that has seen enough (`| head`) is no failure.
fn printed(written: std::io::Result<()>) -> Result<(), Failure> {
    match written {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(Failure::run(format!("cannot write to standard output: {error}"))),
        Ok(()) => Ok(()),
    }
}

/// The format in which a table is written: that of the file's ending, CSV on standard output.
pub(crate) fn table_format(args: &TableArgs) -> Result<TableFormat, Failure> {
    match &args.output {
        Some(path) => TableFormat::from_extension(path).map_err(|error| Failure::usage(error.to_string())),
        None => Ok(TableFormat::Csv),
    }
}

/// Writes a table to its file or to standard output, unless its summary goes there.
pub(crate) fn write_table(
    args: &TableArgs,
    write: impl FnOnce(&mut (dyn Write + Send)) -> Result<(), tribunal_io::Error>,
) -> Result<(), Failure> {
    match &args.output {
        Some(path) => {
            let written = tribunal_io::write_whole(path, |file| Ok(write(file)?));
            Ok(written.map_err(tribunal::Error::from)?)
        }
        None if args.format != Format::Text => Ok(()),
        None => {
            let mut out = BufWriter::new(std::io::stdout());
            match write(&mut out) {
                Err(error) if is_broken_pipe(&error) => Ok(()),
                Err(error) => Err(tribunal::Error::from(error).into()),
                Ok(()) => printed(out.flush()),
            }
        }
    }
}

/// Whether a reader of standard output has seen enough.
pub(crate) fn is_broken_pipe(error: &tribunal_io::Error) -> bool {
    let cause = std::error::Error::source(error).and_then(|cause| cause.downcast_ref::<std::io::Error>());
    cause.is_some_and(|cause| cause.kind() == ErrorKind::BrokenPipe)
}

/// Sums up what was made: text on standard error, other forms on standard output.
pub(crate) fn sum_up(
    format: Format,
    quiet: bool,
    render: impl FnOnce() -> Result<String, RenderError>,
) -> Result<(), Failure> {
    if quiet && format == Format::Text {
        return Ok(());
    }
    let text = render().map_err(|error| Failure::run(error.to_string()))?;
    if format != Format::Text {
        return print(&text);
    }
    eprint!("{text}");
    Ok(())
}
