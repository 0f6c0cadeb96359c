//! What the text formats share: opening (gzip undone), decoding, numbers, and blocks of whole lines.

pub(crate) mod blocks;
pub(crate) mod decimal;
pub(crate) mod lines;
pub(crate) mod number;

use std::borrow::Cow;
use std::cell::Cell;
use std::fs::File;
use std::io::{self, Read};
use std::rc::Rc;
use std::sync::Arc;

use flate2::read::MultiGzDecoder;

use crate::error::{Error, ErrorKind};
use crate::place::{Location, Unit};
use crate::source::Input;

/// The byte order mark some programs write before UTF-8.
pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

const GZIP: &[u8] = b"\x1F\x8B";

/// The text of an input, decompressed if need be.
pub(crate) struct TextReader {
    input: Box<dyn Read>,
    consumed: Rc<Cell<u64>>,
    name: Arc<str>,
}

impl TextReader {
    pub(crate) fn open(input: &Input) -> Result<Self, Error> {
        let mut file = input.file()?;
        let is_gzip = head(&mut file, GZIP.len()).map_err(|e| input.unreadable(e))? == GZIP;
        let consumed = Rc::new(Cell::new(0));
        let counted = Counted { file: input.file()?, consumed: consumed.clone() };
        let reader: Box<dyn Read> = match is_gzip {
            true => Box::new(MultiGzDecoder::new(io::BufReader::with_capacity(1 << 17, counted))),
            false => Box::new(counted),
        };
        Ok(TextReader { input: reader, consumed, name: input.name().clone() })
    }

    /// Appends up to `wanted` bytes; fewer only at the end of the text.
    pub(crate) fn fill(&mut self, buffer: &mut Vec<u8>, wanted: usize) -> Result<usize, Error> {
        buffer.reserve(wanted);
        let read = self.input.by_ref().take(wanted as u64).read_to_end(buffer);
        read.map_err(|error| self.unreadable(error))
    }

    /// Passes over this many bytes.
    pub(crate) fn skip(&mut self, bytes: u64) -> Result<(), Error> {
        let passed = io::copy(&mut self.input.by_ref().take(bytes), &mut io::sink());
        passed.map(drop).map_err(|error| self.unreadable(error))
    }

    /// How many bytes of the file, compressed or not, have been read since this was last asked.
    fn take_consumed(&self) -> u64 {
        self.consumed.take()
    }

    fn unreadable(&self, error: io::Error) -> Error {
        let problem = match error.kind() {
            io::ErrorKind::UnexpectedEof => "the gzip stream ends too early",
            io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => "the gzip stream is damaged",
            _ => return Error::io("cannot be read", error).in_file(&self.name),
        };
        Error::new(ErrorKind::Corrupt, problem)
            .in_file(&self.name)
            .advise("fetch or write the file again (gzip -t tells whether it is whole)")
            .because(error)
    }
}

struct Counted {
    file: File,
    consumed: Rc<Cell<u64>>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.consumed.set(self.consumed.get() + read as u64);
        Ok(read)
    }
}

/// The first bytes of a file, fewer if it is shorter.
pub(crate) fn head(file: &mut File, bytes: usize) -> io::Result<Vec<u8>> {
    let mut head = Vec::with_capacity(bytes);
    file.take(bytes as u64).read_to_end(&mut head)?;
    Ok(head)
}

/// A sample of a text, made longer until it is complete or is the whole text.
pub(crate) fn extend<'a>(
    input: &Input,
    sample: &'a [u8],
    is_complete: impl Fn(&[u8]) -> bool,
) -> Result<Cow<'a, [u8]>, Error> {
    const LONGEST: usize = 64 << 20;
    if is_complete(sample) {
        return Ok(Cow::Borrowed(sample));
    }
    let mut reader = TextReader::open(input)?;
    let (mut longer, mut wanted) = (Vec::new(), 1 << 20);
    while reader.fill(&mut longer, wanted)? == wanted && !is_complete(&longer) {
        if longer.len() >= LONGEST {
            return Err(Error::new(ErrorKind::Malformed, "the header goes on for more than 64 MiB")
                .in_file(input.name())
                .advise(
                    "is this a table, with one row a line? one of that many columns is better turned round",
                ));
        }
        wanted = longer.len();
    }
    Ok(Cow::Owned(longer))
}

/// A sample without its last line, which may be cut anywhere, unless it has only that one.
pub(crate) fn whole_lines(sample: &[u8]) -> &[u8] {
    match blocks::cut_at_lines(sample).end {
        0 => sample,
        end => &sample[..end],
    }
}

/// Bytes as text; the error names the line of `file` on which the first byte that is not UTF-8 stands.
pub(crate) fn decode<'a>(bytes: &'a [u8], file: &Arc<str>) -> Result<&'a str, Error> {
    std::str::from_utf8(bytes).map_err(|error| {
        let good = &bytes[..error.valid_up_to()];
        let bad = bytes[error.valid_up_to()];
        let line = count_lines(good) + 1;
        Error::new(ErrorKind::Encoding, format!("the byte 0x{bad:02X} is not UTF-8"))
            .at(Location::new(file, Unit::Line, line))
            .advise("if the file is Latin-1, convert it first: iconv -f LATIN1 -t UTF-8 old > new")
    })
}

/// How many line ends there are.
pub(crate) fn count_lines(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_a_byte_that_is_not_utf8_is_named() {
        let file = Arc::from("old.csv");
        let error = decode(b"a,b\n1,2\ncaf\xE9,3\n", &file).expect_err("Latin-1");
        assert_eq!(error.kind(), ErrorKind::Encoding);
        let message = error.to_string();
        assert!(message.starts_with("old.csv, line 3: the byte 0xE9 is not UTF-8"), "{message}");
        assert!(message.contains("iconv -f LATIN1"), "{message}");
    }
}
