//! A text cut into blocks of whole rows, so that the blocks can be parsed at the same time.

use std::sync::{Arc, Mutex};

use crate::chunk::Chunk;
use crate::error::{Error, ErrorKind};
use crate::file_table::{Job, Jobs};
use crate::place::{Location, Unit};
use crate::source::Input;
use crate::text::{TextReader, count_lines};

/// How many bytes a block has at most, unless a row is longer.
const BLOCK: usize = 4 << 20;

/// How many bytes a block of a small file has at least.
const SMALL_BLOCK: usize = 256 << 10;

/// A row longer than this is taken for a quote that was never closed.
const LONGEST_ROW: usize = 64 << 20;

/// Where the whole rows of a buffer end.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Cut {
    /// Just after the last line end that is also the end of a row; zero if there is none.
    pub(crate) end: usize,
    /// The opening quote of a field that goes on beyond the buffer.
    pub(crate) open_quote: Option<usize>,
}

/// The cut of a text in which every line end is the end of a row.
pub(crate) fn cut_at_lines(bytes: &[u8]) -> Cut {
    Cut { end: memchr::memrchr(b'\n', bytes).map_or(0, |last| last + 1), open_quote: None }
}

/// Whole rows, each ended by a line feed.
pub(crate) struct Block {
    pub(crate) bytes: Vec<u8>,
    /// How many bytes of the file were read to make it.
    pub(crate) consumed: u64,
}

/// The size of the blocks of a file: a small one is cut in several too, so that all cores have a share of it.
fn block_size(file_bytes: u64) -> usize {
    usize::try_from(file_bytes / 8).unwrap_or(BLOCK).clamp(SMALL_BLOCK, BLOCK)
}

/// A row of a block that is taken as it stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RowSpan {
    pub(crate) start: usize,
    /// Where the row can be added to: before its line end, or before the brace that ends an object.
    pub(crate) end: usize,
    /// Where the next line begins.
    pub(crate) next: usize,
}

/// The blocks of a text, in order.
struct Blocks<C> {
    reader: TextReader,
    cut: C,
    size: usize,
    /// What ends the last line if nothing does.
    line_end: &'static [u8],
    /// The beginning of a row whose end is in the next block.
    rest: Vec<u8>,
    spares: Spares,
    finished: bool,
}

impl<C: Fn(&[u8]) -> Cut> Blocks<C> {
    fn open(input: &Input, skip: u64, cut: C) -> Result<Self, Error> {
        let mut reader = TextReader::open(input)?;
        reader.skip(skip)?;
        Ok(Blocks::new(reader, block_size(input.bytes()), cut))
    }

    fn new(reader: TextReader, size: usize, cut: C) -> Self {
        let (rest, spares) = (Vec::new(), Spares::default());
        Blocks { reader, cut, size, line_end: b"\n", rest, spares, finished: false }
    }

    fn read_block(&mut self) -> Result<Option<Block>, Error> {
        let mut bytes = self.spares.take();
        bytes.append(&mut self.rest);
        let mut wanted = self.size;
        loop {
            let missing = wanted.saturating_sub(bytes.len()).max(1);
            if self.reader.fill(&mut bytes, missing)? < missing {
                return self.last_block(bytes);
            }
            let cut = (self.cut)(&bytes);
            if cut.end > 0 {
                self.rest.extend_from_slice(&bytes[cut.end..]);
                bytes.truncate(cut.end);
                return Ok(Some(self.block(bytes)));
            }
            if bytes.len() >= LONGEST_ROW {
                return Err(self.endless_row(&bytes, cut));
            }
            wanted = 2 * bytes.len();
        }
    }

    fn last_block(&mut self, mut bytes: Vec<u8>) -> Result<Option<Block>, Error> {
        self.finished = true;
        if let Some(quote) = (self.cut)(&bytes).open_quote {
            return Err(self.unclosed(&bytes, quote, "by the end of the file"));
        }
        match bytes.last() {
            None | Some(b'\n') => {}
            Some(b'\r') => bytes.push(b'\n'),
            Some(_) => bytes.extend_from_slice(self.line_end),
        }
        Ok((!bytes.is_empty()).then(|| self.block(bytes)))
    }

    fn block(&self, bytes: Vec<u8>) -> Block {
        Block { bytes, consumed: self.reader.take_consumed() }
    }

    fn endless_row(&self, bytes: &[u8], cut: Cut) -> Error {
        match cut.open_quote {
            Some(quote) => self.unclosed(bytes, quote, "within 64 MiB"),
            None => Error::new(ErrorKind::Malformed, "a line goes on for more than 64 MiB")
                .at(Location::new(&self.reader.name, Unit::Line, 1))
                .advise("is this a table, with one row a line?"),
        }
    }

    fn unclosed(&self, bytes: &[u8], quote: usize, limit: &str) -> Error {
        let line = count_lines(&bytes[..quote]) + 1;
        let problem = format!("the quote opened on this line is not closed {limit}");
        Error::new(ErrorKind::UnclosedQuote, problem)
            .at(Location::new(&self.reader.name, Unit::Line, line))
            .advise("close it, double it if it is part of the text, or read the file without quotes")
    }
}

impl<C: Fn(&[u8]) -> Cut> Iterator for Blocks<C> {
    type Item = Result<Block, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.finished {
            return None;
        }
        let block = self.read_block().transpose();
        self.finished |= matches!(block, Some(Err(_)));
        block
    }
}

/// Blocks in order, up to the first that cannot be read.
pub(crate) type BlockIter<'a> = Box<dyn Iterator<Item = Result<Block, Error>> + 'a>;

/// The blocks of a text after its first `skip` bytes; a last line that nothing ends is ended with `line_end`.
pub(crate) fn blocks_of<'a>(
    input: &Input,
    skip: u64,
    line_end: &'static [u8],
    cut: impl Fn(&[u8]) -> Cut + 'a,
) -> BlockIter<'a> {
    match Blocks::open(input, skip, cut) {
        Ok(blocks) => Box::new(Blocks { line_end, ..blocks }),
        Err(error) => Box::new(std::iter::once(Err(error))),
    }
}

/// The jobs that parse a text block by block, after passing over its first `skip` bytes.
pub(crate) fn jobs_of<'a, C, P>(input: &Input, skip: u64, cut: C, parse: P) -> Jobs<'a>
where
    C: Fn(&[u8]) -> Cut + 'a,
    P: Fn(&[u8]) -> Result<Chunk, Error> + Clone + Send + 'a,
{
    let blocks = match Blocks::open(input, skip, cut) {
        Ok(blocks) => blocks,
        Err(error) => return Box::new(std::iter::once(Err(error))),
    };
    let spares = blocks.spares.clone();
    Box::new(blocks.map(move |block| block.map(|block| job_of(block, parse.clone(), spares.clone()))))
}

fn job_of<'a, P>(block: Block, parse: P, spares: Spares) -> Job<'a>
where
    P: Fn(&[u8]) -> Result<Chunk, Error> + Send + 'a,
{
    Box::new(move |take| {
        let mut chunk = parse(&block.bytes)?;
        chunk.bytes = block.consumed;
        spares.put(block.bytes);
        take(chunk);
        Ok(())
    })
}

/// Buffers whose block has been parsed. Filling one again saves the system from clearing new memory.
#[derive(Clone, Default)]
struct Spares(Arc<Mutex<Vec<Vec<u8>>>>);

impl Spares {
    fn take(&self) -> Vec<u8> {
        self.0.lock().ok().and_then(|mut spares| spares.pop()).unwrap_or_default()
    }

    fn put(&self, mut buffer: Vec<u8>) {
        buffer.clear();
        if let Ok(mut spares) = self.0.lock() {
            spares.push(buffer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::csv::fields::{Dialect, cut};
    use crate::source::Source;

    const COMMA: Dialect = Dialect { delimiter: b',', quote: Some(b'"') };

    fn blocks(text: &str, size: usize) -> Vec<Result<String, String>> {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), text).expect("written");
        let source = Source::open(&[file.path().to_string_lossy()]).expect("a source");
        let reader = TextReader::open(&source.inputs()[0]).expect("a reader");
        let blocks = Blocks::new(reader, size, |bytes| cut(bytes, COMMA));
        let text = |block: Block| String::from_utf8(block.bytes).expect("text");
        blocks.map(|block| block.map(text).map_err(|error| error.to_string())).collect()
    }

    fn check(text: &str, size: usize, expected: &[&str]) {
        let found: Vec<String> =
            blocks(text, size).into_iter().map(|block| block.expect("a block")).collect();
        assert_eq!(found, expected, "{text:?} in blocks of {size}");
    }

    #[test]
    fn blocks_end_with_rows() {
        check("a\nb\nc\n", 4, &["a\nb\n", "c\n"]);
        check("a\nb\nc", 4, &["a\nb\n", "c\n"]);
        check("a\nb\nc", 100, &["a\nb\nc\n"]);
        check("", 4, &[]);
    }

    #[test]
    fn rows_longer_than_a_block_are_kept_whole() {
        check("a longer row\nb\nc\nd\n", 2, &["a longer row\nb\n", "c\n", "d\n"]);
        check("\"a\n\n\nb\",c\nd\ne\n", 3, &["\"a\n\n\nb\",c\nd\n", "e\n"]);
    }

    #[test]
    fn an_open_quote_is_an_error_after_the_blocks_before_it() {
        let mut blocks = blocks("a\nb\n\"c\nd\n", 4);
        let error = blocks.pop().expect("an end").expect_err("an open quote");
        assert_eq!(blocks, [Ok("a\nb\n".to_string())]);
        assert!(error.contains("line 1: the quote opened on this line is not closed"), "{error}");
    }
}
