//! Results go to standard output or, whole or not at all, to a file.

use std::io::{ErrorKind, Write};

use crate::Failure;
use crate::args::OutputArgs;

/// Writes results where they were asked for.
pub(crate) fn write(args: &OutputArgs, results: &str) -> Result<(), Failure> {
    match &args.output {
        Some(path) => tribunal_io::write_whole(path, |writer| writer.write_all(results.as_bytes()))
            .map_err(|error| Failure::run(error.to_string())),
        None => print(results),
    }
}

/// Writes to standard output; a reader that has seen enough (`| head`) is no failure.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(Failure::run(format!("cannot write to standard output: {error}"))),
        Ok(()) => Ok(()),
    }
}
