//! What kinds of values the columns of a block of CSV have.

use super::CsvTable;
use super::fields::{field_end, field_text};
use crate::error::Error;
use crate::kind::{Kind, NamedKinds};
use crate::text::decode;

impl CsvTable {
    /// The kind of each column in a block of whole rows.
    pub(crate) fn kinds_of(&self, block: &[u8]) -> Result<NamedKinds, Error> {
        let text = decode(block, self.input.name())?;
        let mut kinds = vec![Kind::Nothing; self.columns.len()];
        for span in self.spans(block)? {
            let mut start = span.start;
            for kind in &mut kinds {
                let end = field_end(block, start, self.dialect);
                // A text stays one, whatever follows.
                if *kind != Kind::Text {
                    *kind = kind.merge(Kind::of_text(&field_text(&text[start..end], self.dialect)));
                }
                start = end + 1;
            }
        }
        let mut named = NamedKinds::default();
        self.columns.iter().zip(kinds).for_each(|(column, kind)| named.add(&column.name, kind));
        Ok(named)
    }
}
