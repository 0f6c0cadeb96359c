//! Reading a table whole: every column as numbers or labels, as it seems fit, and again where that turns out wrong.

use tribunal_io::{ColumnInfo, Dictionary, Holds, Labels, ReadOptions, Source, TableReader, Want};
use tribunal_learn::{ColumnSchema, Kind, Role, Schema, label_number};

use super::raw::{Moments, RawColumn, RawTable, RawValues, Strays};
use super::sample::RowSample;
use super::target::FoundTarget;
use crate::error::Error;
use crate::progress::{OnProgress, Progress};
use crate::room_for_rows::RoomForRows;

/// Texts that mean a missing value, unless a schema lists more.
const MISSING_TEXTS: [&str; 9] = ["?", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "NULL", "null"];

/// More labels than this are not told apart: such a column names its rows.
const MOST_LABELS: usize = 1 << 20;

/// How a column is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    Numbers,
    Labels,
    Not,
}

/// How many cells are kept of a table that need not be kept whole.
const MOST_CELLS: usize = 1 << 26;

/// What is known of a column takes about so much memory, however few rows there are: names, moments, levels.
const BYTES_OF_COLUMN: u64 = 3_500;

/// What a read needs to know.
pub(crate) struct ReadPlan<'a> {
    pub(crate) schema: &'a Schema,
    /// The targets, whose columns are read as their rules need them.
    pub(crate) targets: &'a [FoundTarget],
    /// The seed of a sample, where a sample will do.
    pub(crate) sample_seed: Option<u64>,
}

/// Reads the files as one table.
pub(crate) fn read_table(
    source: &Source,
    plan: &ReadPlan<'_>,
    on_progress: OnProgress,
) -> Result<RawTable, Error> {
    let table = TableReader::open(source, &ReadOptions::default())?;
    let infos = table.columns().to_vec();
    tribunal_memory::require(BYTES_OF_COLUMN * infos.len() as u64)
        .map_err(|shortage| Error::table_too_large(&format!("of {} columns", infos.len()), &shortage))?;
    let mut readings: Vec<Reading> = infos.iter().map(|info| plan.reading(info)).collect();
    let missing = missing_texts(plan.schema);
    let mut raw = read_as(&table, &infos, &readings, plan, &missing, on_progress)?;
    // A column judged by its first rows may be something else further down; then it is read again, alone.
    let again: Vec<usize> =
        (0..raw.columns.len()).filter(|&idx| plan.is_misread(&raw.columns[idx], &missing)).collect();
    if !again.is_empty() {
        for &idx in &again {
            readings[idx] =
                if readings[idx] == Reading::Numbers { Reading::Labels } else { Reading::Numbers };
        }
        let pick = |idx: &usize| (infos[*idx].clone(), readings[*idx]);
        let (infos, readings): (Vec<_>, Vec<_>) = again.iter().map(pick).unzip();
        let reread = read_as(&table, &infos, &readings, plan, &missing, on_progress)?;
        for (idx, column) in again.into_iter().zip(reread.columns) {
            raw.columns[idx] = column;
        }
    }
    raw.columns.iter_mut().for_each(|column| column.forget(&missing));
    Ok(raw)
}

fn read_as(
    table: &TableReader,
    infos: &[ColumnInfo],
    readings: &[Reading],
    plan: &ReadPlan<'_>,
    missing: &[String],
    on_progress: OnProgress,
) -> Result<RawTable, Error> {
    let most_rows = (MOST_CELLS / infos.len().max(1)).max(10_000);
    let sample = plan.sample_seed.map(|seed| RowSample::new(most_rows, seed));
    let columns = infos.iter().zip(readings).map(|(info, reading)| empty_column(info, *reading)).collect();
    let mut raw = RawTable { n_rows: 0, sample, columns };
    let wanted = infos.iter().zip(readings).filter_map(|(info, reading)| match reading {
        Reading::Numbers => Some(Want::cell(&info.name)),
        Reading::Labels => Some(Want::labels_up_to(&info.name, MOST_LABELS)),
        Reading::Not => None,
    });
    let wanted: Vec<Want> = wanted.collect();
    let room = RoomForRows::default();
    let report = |progress| {
        room.note(progress);
        on_progress(Progress::Reading(progress));
    };
    let is_kept_whole = raw.sample.is_none();
    let summary = table.read::<Error>(&wanted, &report, &mut |batch| {
        raw.absorb(&batch, missing);
        if is_kept_whole { room.check() } else { Ok(()) }
    })?;
    let readable = raw.columns.iter_mut().filter(|column| !matches!(column.values, RawValues::Unreadable));
    for (column, read) in readable.zip(summary.dictionaries) {
        if let RawValues::Labels { dictionary, .. } = &mut column.values {
            *dictionary = read;
        }
    }
    Ok(raw)
}

fn empty_column(info: &ColumnInfo, reading: Reading) -> RawColumn {
    let values = match reading {
        Reading::Numbers => RawValues::Numbers { values: Vec::new(), moments: Moments::default() },
        Reading::Labels => RawValues::Labels {
            codes: Vec::new(),
            dictionary: Dictionary::default(),
            counts: Vec::new(),
            n_beyond: 0,
            n_missing: 0,
        },
        Reading::Not => RawValues::Unreadable,
    };
    RawColumn { name: info.name.clone(), values, strays: Strays::default() }
}

/// All texts that mean a missing value.
pub(crate) fn missing_texts(schema: &Schema) -> Vec<String> {
    MISSING_TEXTS.iter().map(|text| text.to_string()).chain(schema.missing.iter().cloned()).collect()
}

impl ReadPlan<'_> {
    fn reading(&self, info: &ColumnInfo) -> Reading {
        match (self.declared(&info.name), info.holds) {
            (_, Holds::Nested) => Reading::Not,
            (Some(reading), _) => reading,
            (None, Holds::Texts | Holds::Dates) => Reading::Labels,
            (None, Holds::Numbers | Holds::Booleans | Holds::Nothing) => Reading::Numbers,
        }
    }

    /// How a column must be read, if somebody said so.
    fn declared(&self, name: &str) -> Option<Reading> {
        let mut targets = self.targets.iter().filter(|target| target.column == name).peekable();
        if targets.peek().is_some() {
            // Labels are counted over all rows, also those of which no sample is kept.
            let needs_labels = self.sample_seed.is_some() || targets.any(FoundTarget::needs_labels);
            return Some(if needs_labels { Reading::Labels } else { Reading::Numbers });
        }
        match self.schema.columns.get(name)? {
            ColumnSchema::Kind(Kind::Categorical(_) | Kind::Ordered(_) | Kind::Flag) => Some(Reading::Labels),
            ColumnSchema::Kind(Kind::Numeric | Kind::Binned(_)) => Some(Reading::Numbers),
            ColumnSchema::Role(Role::Weight | Role::Amount) => Some(Reading::Numbers),
            ColumnSchema::Role(_) => None,
        }
    }

    /// Whether numbers turn out to be mostly texts, or labels to be nearly all numbers.
    fn is_misread(&self, column: &RawColumn, missing: &[String]) -> bool {
        if self.declared(&column.name).is_some() {
            let targets = || self.targets.iter().filter(|target| target.column == column.name);
            let asks_for_numbers = targets().count() > 0 && !targets().any(FoundTarget::needs_labels);
            let is_beyond = matches!(column.values, RawValues::Labels { n_beyond, .. } if n_beyond > 0);
            return is_beyond && asks_for_numbers;
        }
        match &column.values {
            RawValues::Numbers { moments, .. } => !is_nearly_all(moments.n, column.strays.n_texts),
            RawValues::Labels { dictionary, counts, .. } => {
                let counted =
                    dictionary.iter().zip(counts).filter(|(text, _)| !missing.iter().any(|m| m == text));
                let (mut n_numbers, mut n_texts, mut n_distinct) = (0, 0, 0);
                for (text, rows) in counted {
                    let is_number = label_number(text).is_some();
                    *(if is_number { &mut n_numbers } else { &mut n_texts }) += rows;
                    n_distinct += usize::from(is_number);
                }
                n_distinct > 2 && is_nearly_all(n_numbers, n_texts)
            }
            RawValues::Unreadable => false,
        }
    }
}

impl RawColumn {
    /// Takes labels that mean missing for missing.
    fn forget(&mut self, missing: &[String]) {
        let RawValues::Labels { codes, dictionary, counts, n_missing, .. } = &mut self.values else { return };
        for code in missing.iter().filter_map(|text| dictionary.get(text)) {
            *n_missing += std::mem::take(&mut counts[code as usize]);
            codes.iter_mut().filter(|found| **found == code).for_each(|found| *found = Labels::MISSING);
        }
    }
}

/// Whether 19 of 20 are of the first sort, or there is nothing at all.
fn is_nearly_all(n_first: u64, n_other: u64) -> bool {
    n_other == 0 || (n_first > 0 && n_other * 20 <= n_first + n_other)
}
