//! Results go to standard output or, whole or not at all, to a file.

use std::io::{BufWriter, ErrorKind, Write};
use std::path::Path;

use tribunal::{Storable, stored_model};
use tribunal_io::TableFormat;
use tribunal_report::{Format, RenderError};

use crate::Failure;
use crate::args::{OutputArgs, TableArgs};
use crate::messages::say;

/// Writes results where they were asked for.
pub(crate) fn write(args: &OutputArgs, results: &str) -> Result<(), Failure> {
    write_to(args.file(), results)
}

/// Writes results to a file or to standard output.
pub(crate) fn write_to(path: Option<&Path>, results: &str) -> Result<(), Failure> {
    write_bytes(path, results.as_bytes())
}

/// Writes a model to a file or to standard output, and says how many bytes it has.
pub(crate) fn write_model<M: Storable>(path: Option<&Path>, model: &M) -> Result<u64, Failure> {
    let bytes = stored_model(model)?;
    write_bytes(path, &bytes)?;
    Ok(bytes.len() as u64)
}

fn write_bytes(path: Option<&Path>, bytes: &[u8]) -> Result<(), Failure> {
    match path {
        Some(path) => tribunal_io::write_whole(path, |writer| writer.write_all(bytes))
            .map_err(|error| tribunal::Error::from(error).into()),
        None => print_bytes(bytes),
    }
}

/// Writes to standard output.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    print_bytes(text.as_bytes())
}

fn print_bytes(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    printed(out.write_all(bytes).and_then(|()| out.flush()))
}

/// A reader that has seen enough (`| head`) is no failure.
pub(crate) fn printed(written: std::io::Result<()>) -> Result<(), Failure> {
    match written {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(Failure::run(format!("cannot write to standard output: {error}"))),
        Ok(()) => Ok(()),
    }
}

/// The format in which a table is written: that of the file's ending, CSV on standard output.
pub(crate) fn table_format(args: &TableArgs) -> Result<TableFormat, Failure> {
    match args.file() {
        Some(path) => TableFormat::from_extension(path).map_err(|error| Failure::usage(error.to_string())),
        None => Ok(TableFormat::Csv),
    }
}

/// Writes a table to its file or to standard output, unless its summary goes there.
pub(crate) fn write_table(
    args: &TableArgs,
    write: impl FnOnce(&mut (dyn Write + Send)) -> Result<(), tribunal_io::Error>,
) -> Result<(), Failure> {
    match args.file() {
        Some(path) => {
            let written = tribunal_io::write_whole(path, |file| Ok(write(file)?));
            Ok(written.map_err(tribunal::Error::from)?)
        }
        None if args.format != Format::Text => Ok(()),
        None => {
            let mut out = BufWriter::new(std::io::stdout());
            match write(&mut out) {
                Err(error) => unprinted(error),
                Ok(()) => printed(out.flush()),
            }
        }
    }
}

/// Why a table was not printed: standard output takes no more, or a file that is being copied has a flaw.
pub(crate) fn unprinted(error: tribunal_io::Error) -> Result<(), Failure> {
    let cause = std::error::Error::source(&error).and_then(|cause| cause.downcast_ref::<std::io::Error>());
    match cause {
        Some(cause) if cause.kind() == ErrorKind::BrokenPipe => Ok(()),
        Some(_) if error.location().is_none() => Err(Failure::run(format!("standard output {error}"))),
        _ => Err(tribunal::Error::from(error).into()),
    }
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
    say(text.trim_end_matches('\n'));
    Ok(())
}
