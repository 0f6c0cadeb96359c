//! What a format has to offer: the columns of a file, and jobs that read them.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::chunk::Chunk;
use crate::condition::Predicate;
use crate::error::{Error, ErrorKind, quoted};
use crate::nearest::did_you_mean;
use crate::place::Unit;
use crate::table::{ColumnInfo, Want, WantKind};

/// A column of one file, to be read into one place of a batch.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    /// Which column of the file; `None` if JSON lines have not shown it yet.
    pub(crate) column: Option<usize>,
    pub(crate) name: Arc<str>,
    pub(crate) kind: WantKind,
    pub(crate) condition: Option<SlotCondition>,
}

/// On which rows a number is read.
#[derive(Clone, Debug)]
pub(crate) struct SlotCondition {
    /// The slot of the label that decides.
    pub(crate) label: usize,
    pub(crate) predicate: Predicate,
}

/// A piece of work that yields consecutive chunks, each as soon as it is there; lines and rows in its errors count
/// from its start.
pub(crate) type Job<'a> = Box<dyn FnOnce(&mut dyn FnMut(Chunk)) -> Result<(), Error> + Send + 'a>;

/// The jobs of a file in order.
pub(crate) type Jobs<'a> = Box<dyn Iterator<Item = Result<Job<'a>, Error>> + 'a>;

/// One file of a table.
pub(crate) trait FileTable: Sync + Send {
    fn name(&self) -> &Arc<str>;

    fn columns(&self) -> &[ColumnInfo];

    fn unit(&self) -> Unit;

    /// How many lines come before the first row.
    fn lines_before(&self) -> u64 {
        0
    }

    /// Whether rows may have columns that [`columns`](Self::columns) does not list.
    fn is_open_ended(&self) -> bool {
        false
    }

    /// Whether the rows are gone once they were read.
    fn is_read_once(&self) -> bool {
        false
    }

    fn jobs<'a>(&'a self, slots: &'a [Slot]) -> Jobs<'a>;

    /// The wanted columns, found by name; after them the labels that are needed only to decide on rows.
    fn plan(&self, wanted: &[Want]) -> Result<Vec<Slot>, Error> {
        let places = ColumnPlaces::of(self.columns());
        let slot = |name: &str, kind: WantKind| {
            Ok(Slot { column: self.find(&places, name)?, name: name.into(), kind, condition: None })
        };
        let slots = wanted.iter().map(|want| slot(&want.column, want.kind));
        let mut slots: Vec<Slot> = slots.collect::<Result<_, Error>>()?;
        for (idx, want) in wanted.iter().enumerate() {
            let Some(condition) = &want.condition else { continue };
            let is_label = |slot: &Slot| slot.kind == WantKind::Label && *slot.name == *condition.column;
            let label = slots.iter().position(is_label).unwrap_or(slots.len());
            if label == slots.len() {
                slots.push(slot(&condition.column, WantKind::Label)?);
            }
            slots[idx].condition = Some(SlotCondition { label, predicate: condition.predicate.clone() });
        }
        Ok(slots)
    }

    fn find(&self, places: &ColumnPlaces<'_>, name: &str) -> Result<Option<usize>, Error> {
        match places.of_name(name) {
            Some((first, None)) => Ok(Some(first)),
            Some((first, Some(second))) => Err(duplicate(self.name(), name, first, second)),
            None if self.is_open_ended() => Ok(None),
            None => Err(unknown_column(name, self.columns()).in_file(self.name())),
        }
    }
}

/// Where columns are, by their names: a table may have a million.
pub(crate) struct ColumnPlaces<'a>(FxHashMap<&'a str, (usize, Option<usize>)>);

impl<'a> ColumnPlaces<'a> {
    pub(crate) fn of(columns: &'a [ColumnInfo]) -> Self {
        let mut places: FxHashMap<&str, (usize, Option<usize>)> = FxHashMap::default();
        for (idx, column) in columns.iter().enumerate() {
            let place = places.entry(&column.name).or_insert((idx, None));
            if place.0 != idx && place.1.is_none() {
                place.1 = Some(idx);
            }
        }
        ColumnPlaces(places)
    }

    /// The first column of a name, and the second.
    fn of_name(&self, name: &str) -> Option<(usize, Option<usize>)> {
        self.0.get(name).copied()
    }
}

fn duplicate(file: &Arc<str>, name: &str, first: usize, second: usize) -> Error {
    let problem = format!("columns {} and {} are both named {}", first + 1, second + 1, quoted(name));
    Error::new(ErrorKind::DuplicateColumn, problem).in_file(file).advise("rename one of them")
}

/// The error for a column that is to be added and is there already.
pub(crate) fn taken(name: &str) -> Error {
    Error::new(ErrorKind::DuplicateColumn, format!("there is a column {} already", quoted(name)))
        .advise("give the column that is added another name")
}

/// The error for a column that is not there: the nearest name, and the names there are.
pub(crate) fn unknown_column(name: &str, columns: &[ColumnInfo]) -> Error {
    const SHOWN: usize = 20;
    let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    let shown = names[..names.len().min(SHOWN)].join(", ");
    let more = names.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let problem = format!("there is no column {}{}", quoted(name), did_you_mean(name, names.iter().copied()));
    let error = Error::new(ErrorKind::UnknownColumn, problem);
    if !names.is_empty() && names.iter().all(|name| name.parse::<f64>().is_ok()) {
        return error.advise(format!("does the first line hold names? it says: {shown}{more}"));
    }
    error.advise(format!("the columns are: {shown}{more}"))
}
