//! Results go to standard output or, whole or not at all, to a file. Where standard output is a terminal, what hides in
//! tables and models is written out there; pipes and files get every byte.

use std::io::{self, BufWriter, ErrorKind, IsTerminal, Write};
use std::path::Path;

use tribunal::{Storable, stored_model};
use tribunal_io::{TableFormat, printable_lines};
use tribunal_report::{Format, RenderError};

use crate::Failure;
use crate::args::{OutputArgs, OutputPath, TableArgs};
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
    let mut out = standard_output();
    printed(out.write_all(bytes).and_then(|()| out.flush()))
}

/// Standard output; a terminal is shown hidden characters instead of obeying them.
fn standard_output() -> Box<dyn Write + Send> {
    let out = io::stdout();
    let is_terminal = out.is_terminal();
    let buffered = BufWriter::new(out);
    if is_terminal { Box::new(VisibleWriter::new(buffered)) } else { Box::new(buffered) }
}

/// Writes hidden characters out. Lines are passed on once they are whole, so that no character is torn between two writes.
struct VisibleWriter<W> {
    inner: W,
    /// The beginning of a line whose end is not written yet.
    begun: Vec<u8>,
}

impl<W: Write> VisibleWriter<W> {
    fn new(inner: W) -> Self {
        VisibleWriter { inner, begun: Vec::new() }
    }

    fn pass_on(&mut self, n_bytes: usize) -> io::Result<()> {
        let bytes: Vec<u8> = self.begun.drain(..n_bytes).collect();
        self.inner.write_all(visible(&bytes).as_bytes())
    }
}

impl<W: Write> Write for VisibleWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n_before = self.begun.len();
        self.begun.extend_from_slice(bytes);
        if let Some(end) = bytes.iter().rposition(|&byte| byte == b'\n') {
            self.pass_on(n_before + end + 1)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.pass_on(self.begun.len())?;
        self.inner.flush()
    }
}

/// Bytes as a terminal may have them: hidden characters, and bytes that are no text, are written out. Line ends stay.
fn visible(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text += &printable_lines(&chunk.valid().replace("\r\n", "\n"));
        text.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
    }
    text
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

/// The format of a table by the ending of its file's name, CSV on standard output.
pub(crate) fn format_of(path: &OutputPath) -> Result<TableFormat, Failure> {
    match path.file() {
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
        None if args.format != Format::Text => Ok(()),
        file => write_table_to(file, write),
    }
}

/// Writes a table to a file or to standard output.
pub(crate) fn write_table_to(
    file: Option<&Path>,
    write: impl FnOnce(&mut (dyn Write + Send)) -> Result<(), tribunal_io::Error>,
) -> Result<(), Failure> {
    match file {
        Some(path) => {
            let written = tribunal_io::write_whole(path, |file| Ok(write(file)?));
            Ok(written.map_err(tribunal::Error::from)?)
        }
        None => {
            let mut out = standard_output();
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever pieces a text is written in, a terminal is shown the same.
    fn check(bytes: &[u8], expected: &str) {
        for length in 1..=bytes.len() {
            let mut writer = VisibleWriter::new(Vec::new());
            bytes.chunks(length).for_each(|piece| writer.write_all(piece).expect("written"));
            writer.flush().expect("written");
            let shown = String::from_utf8(writer.inner).expect("text");
            assert_eq!(shown, expected, "in pieces of {length} bytes");
        }
    }

    #[test]
    fn a_terminal_is_shown_what_would_command_it() {
        check(
            "a\u{1b}[2J,\u{7}\u{202e}b\n1,\u{9b}31m\n".as_bytes(),
            "a\\u{1b}[2J,\\u{7}\\u{202e}b\n1,\\u{9b}31m\n",
        );
        check(b"safe\roverwritten\n\x9b31m\xff\xc3", "safe\\roverwritten\n\\x9b31m\\xff\\xc3");
    }

    #[test]
    fn a_terminal_is_shown_texts_and_lines_as_they_are() {
        for text in ["größe,数,😀\n1,2,3\n", "a\tb\nno end", "❤\u{fe0f}\nमें क्\u{200d}ष\n"]
        {
            check(text.as_bytes(), text);
        }
        check(b"a,b\r\n1,2\r\n", "a,b\n1,2\n");
    }

    #[test]
    fn whole_lines_do_not_wait() {
        let mut writer = VisibleWriter::new(Vec::new());
        writer.write_all("one\ntw\u{e9}".as_bytes()).expect("written");
        assert_eq!(writer.inner, b"one\n");
    }
}
