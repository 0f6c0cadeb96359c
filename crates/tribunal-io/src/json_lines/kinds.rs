//! The keys of a block of JSON lines, and what kinds of values they have.

use serde_json::Value;

use super::{JsonTable, OrderedObject, malformed};
use crate::error::Error;
use crate::file_table::FileTable;
use crate::kind::{Kind, NamedKinds};
use crate::place::{Location, Unit};
use crate::text::decode;

impl JsonTable {
    /// The keys of the objects of a block, in order of appearance.
    pub(crate) fn kinds_of(&self, block: &[u8]) -> Result<NamedKinds, Error> {
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
        Value::Number(number) => number.as_i64().map_or(Kind::Real, Kind::of_whole),
        Value::String(_) | Value::Array(_) | Value::Object(_) => Kind::Text,
    }
}
