//! JSON lines: one object a line.
//!
//! A key that is absent from an object is missing there. The columns listed are the keys of the first objects; a
//! key that first appears further down can be wanted all the same. Values that are not wanted are passed over
//! without being built.

mod kinds;
mod spans;

use std::fmt;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde::de::{DeserializeSeed, Deserializer as _, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use crate::chunk::ColumnBuilder;
use crate::error::{Error, ErrorKind, quoted};
use crate::file_table::{FileTable, Jobs, Slot};
use crate::place::{Location, Unit};
use crate::source::Input;
use crate::table::{ColumnInfo, Holds};
use crate::text::blocks::{cut_at_lines, jobs_of};
use crate::text::lines::{Line, parse_lines};
use crate::text::{BYTE_ORDER_MARK, decode, extend, number, whole_lines};

/// How many lines are looked at to list the columns.
const SAMPLE_LINES: usize = 1000;

/// A JSON lines file whose first objects have been read.
pub(crate) struct JsonTable {
    input: Input,
    columns: Vec<ColumnInfo>,
    mark_bytes: u64,
}

impl JsonTable {
    pub(crate) fn open(input: &Input, sample: &[u8]) -> Result<Self, Error> {
        let sample = extend(input, sample, |bytes| bytes.contains(&b'\n'))?;
        let mark = if sample.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        let text = decode(whole_lines(&sample[mark..]), input.name())?;
        let columns = describe(text, input.name())?;
        Ok(JsonTable { input: input.clone(), columns, mark_bytes: mark as u64 })
    }
}

impl FileTable for JsonTable {
    fn name(&self) -> &Arc<str> {
        self.input.name()
    }

    fn columns(&self) -> &[ColumnInfo] {
        &self.columns
    }

    fn unit(&self) -> Unit {
        Unit::Line
    }

    fn is_open_ended(&self) -> bool {
        true
    }

    fn jobs<'a>(&'a self, slots: &'a [Slot]) -> Jobs<'a> {
        let mut keys: Keys<'a> = FxHashMap::default();
        for (idx, slot) in slots.iter().enumerate() {
            keys.entry(&*slot.name).or_default().push(idx);
        }
        let keys = Arc::new(keys);
        let parse = move |block: &[u8]| {
            parse_lines(block, slots, self.name(), |line, columns| parse_line(line, &keys, columns))
        };
        jobs_of(&self.input, self.mark_bytes, cut_at_lines, parse)
    }
}

/// The keys of the first objects, in order of appearance, and what their values are.
fn describe(text: &str, file: &Arc<str>) -> Result<Vec<ColumnInfo>, Error> {
    let mut columns: Vec<ColumnInfo> = Vec::new();
    let mut places: FxHashMap<String, usize> = FxHashMap::default();
    for (line_idx, line) in text.lines().enumerate().take(SAMPLE_LINES) {
        if line.trim_ascii().is_empty() {
            continue;
        }
        let at = |error| malformed(error).at(Location::new(file, Unit::Line, line_idx as u64 + 1));
        for (name, value) in serde_json::from_str::<OrderedObject>(line).map_err(at)?.0 {
            let found = holds(&value);
            match places.get(&name) {
                Some(&place) => columns[place].holds = merge(columns[place].holds, found),
                None => {
                    places.insert(name.clone(), columns.len());
                    columns.push(ColumnInfo { name, holds: found });
                }
            }
        }
    }
    Ok(columns)
}

fn holds(value: &Value) -> Holds {
    match value {
        Value::Null => Holds::Nothing,
        Value::Bool(_) => Holds::Booleans,
        Value::Number(_) => Holds::Numbers,
        Value::String(_) => Holds::Texts,
        Value::Array(_) | Value::Object(_) => Holds::Nested,
    }
}

fn merge(known: Holds, found: Holds) -> Holds {
    match (known, found) {
        (Holds::Nothing, found) => found,
        (known, Holds::Nothing) => known,
        (known, found) if known == found => known,
        (Holds::Nested, _) | (_, Holds::Nested) => Holds::Nested,
        _ => Holds::Texts,
    }
}

/// An object whose keys stay in order.
struct OrderedObject(Vec<(String, Value)>);

impl<'de> serde::Deserialize<'de> for OrderedObject {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(OrderedVisitor)
    }
}

struct OrderedVisitor;

impl<'de> Visitor<'de> for OrderedVisitor {
    type Value = OrderedObject;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<OrderedObject, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(OrderedObject(entries))
    }
}

/// The places of a batch that each key goes to.
type Keys<'a> = FxHashMap<&'a str, Vec<usize>>;

fn parse_line(line: &str, keys: &Keys<'_>, columns: &mut [ColumnBuilder]) -> Result<Line, Error> {
    if line.trim_ascii().is_empty() {
        return Ok(Line::Nothing);
    }
    let mut fault = None;
    let mut deserializer = serde_json::Deserializer::from_str(line);
    let row = ObjectVisitor { keys, columns, fault: &mut fault };
    let outcome = deserializer.deserialize_map(row).and_then(|()| deserializer.end());
    outcome.map_err(|error| fault.unwrap_or_else(|| malformed(error))).map(|()| Line::Row)
}

fn malformed(error: serde_json::Error) -> Error {
    let problem = format!("this is not a JSON object ({})", without_line(&error.to_string()));
    Error::new(ErrorKind::Malformed, problem)
        .advise("write one whole object a line: {\"score\": 0.5, \"label\": 1}")
}

/// serde counts lines within what it is given, which is always one line.
fn without_line(message: &str) -> String {
    message.replace(" at line 1 column", " at character")
}

/// Takes in one object. What goes wrong with a value, and not with the JSON, is left in `fault`.
struct ObjectVisitor<'a> {
    keys: &'a Keys<'a>,
    columns: &'a mut [ColumnBuilder],
    fault: &'a mut Option<Error>,
}

impl<'de> Visitor<'de> for ObjectVisitor<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let n_before = self.columns.first().map_or(0, ColumnBuilder::len);
        while let Some(slots) = map.next_key_seed(KeySeed(self.keys))? {
            let Some(Key { name, slots }) = slots else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            if slots.iter().any(|&slot| self.columns[slot].len() > n_before) {
                return Err(A::Error::custom(format!("the key {} appears twice", quoted(name))));
            }
            map.next_value_seed(Cell { name, slots, columns: self.columns, fault: self.fault })?;
        }
        let missing = self.columns.iter_mut().filter(|column| column.len() == n_before);
        missing.for_each(ColumnBuilder::push_missing);
        Ok(())
    }
}

struct Key<'a> {
    name: &'a str,
    slots: &'a [usize],
}

struct KeySeed<'a>(&'a Keys<'a>);

impl<'de, 'a> DeserializeSeed<'de> for KeySeed<'a> {
    type Value = Option<Key<'a>>;

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'a> Visitor<'_> for KeySeed<'a> {
    type Value = Option<Key<'a>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: serde::de::Error>(self, key: &str) -> Result<Self::Value, E> {
        Ok(self.0.get_key_value(key).map(|(name, slots)| Key { name, slots }))
    }
}

/// Takes in the value of one wanted key.
struct Cell<'a> {
    name: &'a str,
    slots: &'a [usize],
    columns: &'a mut [ColumnBuilder],
    fault: &'a mut Option<Error>,
}

impl Cell<'_> {
    fn push<E: serde::de::Error>(self, text: &str) -> Result<(), E> {
        for &slot in self.slots {
            if self.columns[slot].push_text(text).is_err() {
                let error = number::not_a_number(text).in_column(self.name);
                if let Err(error) = self.columns[slot].push_fault(error) {
                    *self.fault = Some(error);
                    return Err(E::custom("not a number"));
                }
            }
        }
        Ok(())
    }

    /// Adds a number, written out only where it is wanted as a label.
    fn push_number(self, value: f64, text: impl Fn() -> String, key: Option<u64>) {
        for &slot in self.slots {
            match &mut self.columns[slot] {
                ColumnBuilder::Number(numbers) => numbers.push(value),
                ColumnBuilder::Conditional(builder) => builder.push(value),
                ColumnBuilder::Label(labels) => match key {
                    Some(key) if labels.push_recent(key) => {}
                    Some(key) => labels.push_keyed(key, &text()),
                    None => labels.push(&text()),
                },
            }
        }
    }

    fn nested<E: serde::de::Error>(self, what: &str) -> Result<(), E> {
        for &slot in self.slots {
            let error = Error::new(ErrorKind::ColumnType, format!("the value is {what}"))
                .in_column(self.name)
                .advise("give a column of numbers or texts");
            if let Err(error) = self.columns[slot].push_fault(error) {
                *self.fault = Some(error);
                return Err(E::custom("nested"));
            }
        }
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Cell<'_> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Cell<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, a text, true, false or null")
    }

    fn visit_f64<E>(self, value: f64) -> Result<(), E> {
        // Adding zero makes a zero of minus zero.
        self.push_number(value, || (value + 0.0).to_string(), None);
        Ok(())
    }

    fn visit_i64<E>(self, value: i64) -> Result<(), E> {
        self.push_number(value as f64, || value.to_string(), Some(value as u64));
        Ok(())
    }

    fn visit_u64<E>(self, value: u64) -> Result<(), E> {
        let key = i64::try_from(value).ok().map(|value| value as u64);
        self.push_number(value as f64, || value.to_string(), key);
        Ok(())
    }

    fn visit_bool<E>(self, value: bool) -> Result<(), E> {
        self.push_number(f64::from(u8::from(value)), || value.to_string(), None);
        Ok(())
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<(), E> {
        self.push(text)
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        self.slots.iter().for_each(|&slot| self.columns[slot].push_missing());
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        self.nested("a list")?;
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        self.nested("an object")?;
        while object.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(())
    }
}
