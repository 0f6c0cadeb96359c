//! Record batches as CSV (RFC 4180): quotes only where they are needed, lines ended by a line feed.

use arrow_array::RecordBatch;
use arrow_schema::Schema;

use crate::csv::dialect::DELIMITERS;
use crate::error::Error;
use crate::write::cells::{Cell, Cells};

/// How fields are set down.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    pub(crate) delimiter: u8,
    pub(crate) quote: u8,
}

impl Layout {
    /// The names of the columns.
    pub(crate) fn header(self, schema: &Schema) -> Vec<u8> {
        let mut out = Vec::new();
        for (idx, field) in schema.fields().iter().enumerate() {
            self.separate(idx, &mut out);
            self.push_name(field.name(), schema.fields().len() == 1, &mut out);
        }
        out.push(b'\n');
        out
    }

    /// A name is quoted for any delimiter, so that the reader cannot take one for another.
    pub(crate) fn push_name(self, name: &str, is_only: bool, out: &mut Vec<u8>) {
        match name.bytes().any(|byte| DELIMITERS.contains(&byte)) {
            true => self.push_quoted(name, out),
            false => self.push_text(name, is_only, out),
        }
    }

    /// The rows of a batch.
    pub(crate) fn rows(self, batch: &RecordBatch) -> Result<Vec<u8>, Error> {
        let columns = Cells::of_batch(batch)?;
        let mut out = Vec::with_capacity(batch.num_rows() * columns.len() * 8);
        for row in 0..batch.num_rows() {
            for (idx, column) in columns.iter().enumerate() {
                self.separate(idx, &mut out);
                match column.cell(row) {
                    Cell::Missing => self.push_text("", columns.len() == 1, &mut out),
                    Cell::Text(text) => self.push_text(text, columns.len() == 1, &mut out),
                    Cell::Plain | Cell::NotFinite => column.push_plain(row, &mut out),
                }
            }
            out.push(b'\n');
        }
        Ok(out)
    }

    fn separate(self, idx: usize, out: &mut Vec<u8>) {
        if idx > 0 {
            out.push(self.delimiter);
        }
    }

    /// Appends a text. The only field of a row is quoted if it is empty: a blank line is no row.
    #[inline]
    pub(crate) fn push_text(self, text: &str, is_only: bool, out: &mut Vec<u8>) {
        match self.needs_quotes(text) || (is_only && text.is_empty()) {
            true => self.push_quoted(text, out),
            false => out.extend_from_slice(text.as_bytes()),
        }
    }

    /// Whether a text would be read as something else if it stood bare: readers trim what is not quoted, and a single
    /// quote that leads may be taken for the quote of the file.
    fn needs_quotes(self, text: &str) -> bool {
        let is_mark =
            |&byte: &u8| byte == self.delimiter || byte == self.quote || byte == b'\n' || byte == b'\r';
        let bytes = text.as_bytes();
        let is_space = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_whitespace);
        is_space(bytes.first())
            || is_space(bytes.last())
            || bytes.first() == Some(&b'\'')
            || bytes.iter().any(is_mark)
    }

    fn push_quoted(self, text: &str, out: &mut Vec<u8>) {
        out.push(self.quote);
        for &byte in text.as_bytes() {
            if byte == self.quote {
                out.push(byte);
            }
            out.push(byte);
        }
        out.push(self.quote);
    }
}
