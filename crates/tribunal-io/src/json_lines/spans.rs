//! Where the objects of a block of JSON lines begin and end, for those who take them as they stand.

use std::fmt;

use rustc_hash::FxHashMap;
use serde::de::{Deserializer as _, Error as _, IgnoredAny, MapAccess, Visitor};

use super::{JsonTable, KeySeed, Keys, malformed};
use crate::error::Error;
use crate::file_table::{FileTable, taken};
use crate::place::{Location, Unit};
use crate::text::blocks::{BlockIter, RowSpan, blocks_of, cut_at_lines};
use crate::text::decode;

impl JsonTable {
    /// The lines in blocks.
    pub(crate) fn blocks(&self) -> BlockIter<'_> {
        blocks_of(&self.input, self.mark_bytes, b"\n", cut_at_lines)
    }

    /// The objects of a block.
    ///
    /// # Errors
    /// A line is no object, or has one of the keys that are to be added.
    pub(crate) fn spans(&self, block: &[u8], added: &[&str]) -> Result<Vec<RowSpan>, Error> {
        let text = decode(block, self.name())?;
        let keys: Keys<'_> = added.iter().map(|&name| (name, Vec::new())).collect::<FxHashMap<_, _>>();
        let mut spans = Vec::new();
        let mut start = 0;
        for (line_idx, line) in text.split_inclusive('\n').enumerate() {
            let next = start + line.len();
            if !line.trim_ascii().is_empty() {
                let at = |error: Error| error.at(Location::new(self.name(), Unit::Line, line_idx as u64 + 1));
                check_line(line, &keys).map_err(at)?;
                let end = start + line.rfind('}').unwrap_or(line.len());
                spans.push(RowSpan { start, end, next });
            }
            start = next;
        }
        Ok(spans)
    }
}

fn check_line(line: &str, added: &Keys<'_>) -> Result<(), Error> {
    let mut taken = None;
    let mut deserializer = serde_json::Deserializer::from_str(line);
    let outcome = deserializer.deserialize_map(KeyCheck { added, taken: &mut taken });
    let outcome = outcome.and_then(|()| deserializer.end());
    outcome.map_err(|error| taken.unwrap_or_else(|| malformed(error)))
}

/// Passes over an object. A key that is to be added is left in `taken` as an error.
struct KeyCheck<'a> {
    added: &'a Keys<'a>,
    taken: &'a mut Option<Error>,
}

impl<'de> Visitor<'de> for KeyCheck<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(found) = map.next_key_seed(KeySeed(self.added))? {
            if let Some(key) = found {
                *self.taken = Some(taken(key.name));
                return Err(A::Error::custom("taken"));
            }
            map.next_value::<IgnoredAny>()?;
        }
        Ok(())
    }
}
