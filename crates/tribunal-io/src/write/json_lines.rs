//! Record batches as JSON lines. A cell that is missing is null, and so is a number that JSON cannot say.

use arrow_array::RecordBatch;

use crate::error::Error;
use crate::write::cells::{Cell, Cells};

/// The rows of a batch, one object a line.
pub(crate) fn rows(batch: &RecordBatch) -> Result<Vec<u8>, Error> {
    let keys = batch.schema_ref().fields().iter().map(|field| key(field.name()));
    let columns: Vec<(Vec<u8>, Cells)> = keys.zip(Cells::of_batch(batch)?).collect();
    let mut out = Vec::with_capacity(batch.num_rows() * columns.len() * 16);
    for row in 0..batch.num_rows() {
        out.push(b'{');
        for (idx, (key, cells)) in columns.iter().enumerate() {
            if idx > 0 {
                out.push(b',');
            }
            out.extend_from_slice(key);
            match cells.cell(row) {
                Cell::Missing | Cell::NotFinite => out.extend_from_slice(b"null"),
                Cell::Text(text) => push_string(text, &mut out),
                Cell::Plain => cells.push_plain(row, &mut out),
            }
        }
        out.extend_from_slice(b"}\n");
    }
    Ok(out)
}

/// A name with its colon.
pub(crate) fn key(name: &str) -> Vec<u8> {
    let mut key = Vec::new();
    push_string(name, &mut key);
    key.push(b':');
    key
}

/// Appends a text in quotes, with what must be escaped escaped.
pub(crate) fn push_string(text: &str, out: &mut Vec<u8>) {
    // Writing a text to memory does not fail.
    let _ = serde_json::to_writer(out, text);
}
