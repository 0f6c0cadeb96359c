//! All keys of a JSON lines file and what kind of values they have, found by reading it once.

use serde_json::Value;

use super::{JsonTable, OrderedObject, malformed};
use crate::copy::kind::{Kind, NamedKinds};
use crate::error::Error;
use crate::file_table::FileTable;
use crate::pipeline::in_order;
use crate::place::{Location, Unit};
use crate::text::{count_lines, decode};

impl JsonTable {
    /// Adds the keys of every object, in order of appearance.
    pub(crate) fn add_kinds(&self, kinds: &mut NamedKinds) -> Result<(), Error> {
        let mut passed = 0;
        let scan = |block: Result<Vec<u8>, Error>| {
            let block = block?;
            Ok((self.kinds_of(&block)?, count_lines(&block)))
        };
        let blocks = self.blocks().map(|block| block.map(|block| block.bytes));
        in_order(blocks, scan, |found: Result<(NamedKinds, u64), Error>| {
            let (found, n_lines) = found.map_err(|error| error.shift(passed))?;
            passed += n_lines;
            kinds.merge(found);
            Ok(())
        })
    }

    fn kinds_of(&self, block: &[u8]) -> Result<NamedKinds, Error> {
        let mut kinds = NamedKinds::default();
        for (line_idx, line) in decode(block, self.name())?.lines().enumerate() {
            if line.trim_ascii().is_empty() {
                continue;
            }
            let at = |error| malformed(error).at(Location::new(self.name(), Unit::Line, line_idx as u64 + 1));
            for (name, value) in serde_json::from_str::<OrderedObject>(line).map_err(at)?.0 {
                kinds.add(&name, kind_of(&value));
            }
        }
        Ok(kinds)
    }
}

/// What kind of value it is. One that is nested is left to the reader, which says where it stands.
fn kind_of(value: &Value) -> Kind {
    match value {
        Value::Null => Kind::Nothing,
        Value::Bool(_) => Kind::Boolean,
        Value::Number(number) if number.is_i64() => Kind::Whole,
        Value::Number(_) => Kind::Real,
        Value::String(_) | Value::Array(_) | Value::Object(_) => Kind::Text,
    }
}
