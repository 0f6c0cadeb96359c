//! A table of scored cases read into periods, in one pass.

use rustc_hash::FxHashMap;
use tribunal_io::{Batch, Labels, ReadOptions, Source, TableReader, Want, nearest};

use super::cases::{Cases, Fate};
use super::periods::{MOST_PERIODS, NamedCases, too_many};
use super::request::{MonitorColumns, PeriodRule, Span};
use crate::classes::{Classes, ask_for_positive, names_same};
use crate::error::Error;
use crate::message::{Message, Setting};
use crate::progress::{OnProgress, Progress};
use crate::room_for_rows::RoomForRows;

/// Texts that say yes, and those that say no; in small letters.
const FLAG_WORDS: [&[&str]; 2] = tribunal_learn::FLAG_WORDS;
/// Distinct dates, before they become periods; one for every day of centuries.
const MOST_VALUES: usize = 200_000;
/// So many labels of an outcome are counted for advice.
const MOST_LABELS: usize = 10_000;

/// What a table holds.
pub(super) struct ReadTable {
    /// The rows of each value of the column of periods, in the order of their first rows; one without a name where there is none.
    pub(super) values: Vec<NamedCases>,
    /// Whether it has the column of the outcome.
    pub(super) has_truth: bool,
    /// The labels of the outcome with their rows.
    pub(super) labels: Vec<(String, u64)>,
}

/// Which columns are read, and where they stand in a batch.
struct Places {
    score: usize,
    truth: Option<usize>,
    actioned: Option<usize>,
    amount: Option<usize>,
    period: Option<usize>,
}

/// Reads a table. `classes` remembers the negative label across tables; a table may lack the outcome where `may_lack_truth`.
pub(super) fn read_table(
    source: &Source,
    columns: &MonitorColumns,
    periods: Option<&PeriodRule>,
    classes: &mut Classes,
    may_lack_truth: bool,
    on_progress: OnProgress<'_>,
) -> Result<ReadTable, Error> {
    let table = TableReader::open(source, &ReadOptions::default())?;
    let has_truth = has_truth(&table, columns, may_lack_truth)?;
    if has_truth && columns.positive.is_none() {
        return Err(ask_for_positive(&columns.truth, &labels_of(&table, &columns.truth, on_progress)?));
    }
    check_periods(&table, periods)?;
    let (wants, places) = wanted(columns, has_truth, periods);
    let mut reading = Reading {
        columns,
        places,
        classes,
        values: Vec::new(),
        value_of: FxHashMap::default(),
        labels: Vec::new(),
        periods,
    };
    let room = RoomForRows::default();
    let on_read = |read| {
        room.note(read);
        on_progress(Progress::Reading(read));
    };
    let summary = table.read::<Error>(&wants, &on_read, &mut |batch| {
        reading.take(&batch)?;
        room.check()
    })?;
    if summary.rows == 0 {
        let names: Vec<&str> = table.names().collect();
        return Err(Error::data(format!(
            "{}: the table has no row, so there is nothing to monitor",
            names.join(", ")
        )));
    }
    Ok(ReadTable { values: reading.values, has_truth, labels: reading.labels })
}

/// Months of no column of dates are a word that was meant otherwise.
fn check_periods(table: &TableReader, periods: Option<&PeriodRule>) -> Result<(), Error> {
    let Some(PeriodRule { column, span: None }) = periods else { return Ok(()) };
    let is_there = table.columns().iter().any(|known| known.name == *column);
    if is_there || Span::named(column).is_none() {
        return Ok(());
    }
    let message = Message::from(format!("{column}s of which dates? Name their column with "));
    Err(Error::usage(message.set(Setting::Date, "COLUMN")))
}

/// Whether the outcome has its column. One with another spelling is an error, not an outcome that nobody knows yet.
fn has_truth(table: &TableReader, columns: &MonitorColumns, may_lack_truth: bool) -> Result<bool, Error> {
    let names = || table.columns().iter().map(|column| column.name.as_str());
    if !may_lack_truth || names().any(|name| name == columns.truth) {
        // A column that must be there and is not is refused, with the nearest, where the table is read.
        return Ok(true);
    }
    match nearest(&columns.truth, names().filter(|name| *name != columns.score)) {
        None => Ok(false),
        Some(near) => Err(Error::usage(format!(
            "{}: there is no column \"{}\"; did you mean \"{near}\"? Tables have the same columns, and only one whose outcomes are not \
             known yet may go without theirs",
            table.names().collect::<Vec<_>>().join(", "),
            columns.truth
        ))),
    }
}

fn wanted(columns: &MonitorColumns, has_truth: bool, periods: Option<&PeriodRule>) -> (Vec<Want>, Places) {
    let mut wants = vec![Want::number(&columns.score)];
    let mut add = |want: Want| {
        wants.push(want);
        wants.len() - 1
    };
    let places = Places {
        score: 0,
        truth: has_truth.then(|| add(Want::label(&columns.truth))),
        actioned: columns.actioned.as_ref().map(|column| add(Want::label(column))),
        amount: columns.amount.as_ref().filter(|_| has_truth).map(|amount| {
            let positive = columns.positive.clone().unwrap_or_default();
            add(Want::number_where(amount, &columns.truth, move |label| names_same(label, &positive)))
        }),
        period: periods.map(|rule| add(Want::labels_up_to(&rule.column, MOST_VALUES))),
    };
    (wants, places)
}

/// The labels of a column with their rows, the most frequent first.
fn labels_of(
    table: &TableReader,
    column: &str,
    on_progress: OnProgress<'_>,
) -> Result<Vec<(String, u64)>, Error> {
    if table.is_read_once() {
        let message = Message::from("which label of the outcome is positive? Add ");
        return Err(Error::usage(message.set(Setting::Positive, "VALUE")));
    }
    let mut counts: Vec<u64> = Vec::new();
    let on_read = |read| on_progress(Progress::Reading(read));
    let summary =
        table.read::<Error>(&[Want::labels_up_to(column, MOST_LABELS)], &on_read, &mut |batch| {
            for code in batch.labels(0).into_iter().flat_map(|labels| &labels.codes) {
                count(&mut counts, *code);
            }
            Ok(())
        })?;
    let dictionary = summary.dictionaries.first();
    let labels = dictionary.into_iter().flat_map(|dictionary| dictionary.iter().map(str::to_owned));
    Ok(labels.zip(counts).collect())
}

fn count(counts: &mut Vec<u64>, code: u32) {
    if code < Labels::BEYOND {
        let at = code as usize;
        if at >= counts.len() {
            counts.resize(at + 1, 0);
        }
        counts[at] += 1;
    }
}

/// A table that is being read.
struct Reading<'a> {
    columns: &'a MonitorColumns,
    places: Places,
    classes: &'a mut Classes,
    values: Vec<NamedCases>,
    /// The place of the value with a code; dictionaries are those of the whole read.
    value_of: FxHashMap<u32, usize>,
    labels: Vec<(String, u64)>,
    periods: Option<&'a PeriodRule>,
}

impl Reading<'_> {
    fn take(&mut self, batch: &Batch<'_>) -> Result<(), Error> {
        for row in 0..batch.rows {
            let score = self.score(batch, row)?;
            let outcome = self.outcome(batch, row)?;
            let is_actioned = self.is_actioned(batch, row, outcome)?;
            let fate = match (is_actioned, outcome) {
                (false, _) => Fate::Idle,
                (true, None) => Fate::Pending,
                (true, Some(false)) => Fate::Negative,
                (true, Some(true)) => Fate::Positive,
            };
            let amount = match self.places.amount.filter(|_| fate == Fate::Positive) {
                Some(at) => Some(self.amount(batch, at, row)?),
                None => None,
            };
            let value = self.value(batch, row)?;
            let cases = &mut self.values[value].cases;
            cases.unused_outcomes += u64::from(!is_actioned && outcome.is_some());
            cases.push(score, fate, amount);
        }
        Ok(())
    }

    fn score(&self, batch: &Batch<'_>, row: usize) -> Result<f64, Error> {
        let score = batch.number(self.places.score, row);
        score.filter(|score| score.is_finite()).ok_or_else(|| {
            let what =
                score.map_or("the score is missing".to_owned(), |score| format!("the score is {score}"));
            let column = &self.columns.score;
            Error::data(format!(
                "{}, column \"{column}\": {what}; score the row, or leave it out of both periods",
                batch.place.locate(row)
            ))
        })
    }

    /// Whether a row is positive; nothing where its outcome is not known.
    fn outcome(&mut self, batch: &Batch<'_>, row: usize) -> Result<Option<bool>, Error> {
        let Some(labels) = self.places.truth.and_then(|at| batch.labels(at)) else { return Ok(None) };
        let Some(label) = labels.get(row).filter(|label| !label.trim().is_empty()) else { return Ok(None) };
        let code = labels.codes[row] as usize;
        while self.labels.len() <= code {
            let text = labels.dictionary.text(self.labels.len() as u32).unwrap_or_default();
            self.labels.push((text.to_owned(), 0));
        }
        self.labels[code].1 += 1;
        let place = || batch.place.locate(row).to_string();
        self.classes.is_positive(label, place).map(Some)
    }

    fn is_actioned(&self, batch: &Batch<'_>, row: usize, outcome: Option<bool>) -> Result<bool, Error> {
        let Some(at) = self.places.actioned else { return Ok(outcome.is_some()) };
        let label = batch.labels(at).and_then(|labels| labels.get(row)).map(str::trim).unwrap_or_default();
        if let Some(value) = &self.columns.actioned_value {
            return Ok(names_same(label, value));
        }
        let word = label.to_lowercase();
        match FLAG_WORDS.iter().position(|words| words.contains(&word.as_str())) {
            Some(yes) => Ok(yes == 1),
            None if word.is_empty() => Ok(false),
            None => {
                let column = self.columns.actioned.as_deref().unwrap_or_default();
                let message = Message::from(format!(
                    "{}, column \"{column}\": \"{label}\" says neither yes nor no; name the label of cases that were acted on: ",
                    batch.place.locate(row)
                ));
                Err(Error::data(message.set(Setting::ActionedValue, label)))
            }
        }
    }

    fn amount(&self, batch: &Batch<'_>, at: usize, row: usize) -> Result<f64, Error> {
        const LARGEST: f64 = 1e100;
        let amount = batch.number(at, row);
        amount.filter(|amount| amount.abs() <= LARGEST).ok_or_else(|| {
            let what = amount.map_or("the amount of a positive case is missing".to_owned(), |amount| {
                format!("the amount {amount} cannot be added up")
            });
            let column = self.columns.amount.as_deref().unwrap_or_default();
            Error::data(format!(
                "{}, column \"{column}\": {what}; fill it in, or judge without amounts",
                batch.place.locate(row)
            ))
        })
    }

    /// The place of the value of the column of periods.
    fn value(&mut self, batch: &Batch<'_>, row: usize) -> Result<usize, Error> {
        let (Some(at), Some(rule)) = (self.places.period, self.periods) else {
            if self.values.is_empty() {
                self.values.push(NamedCases { name: String::new(), cases: self.no_cases() });
            }
            return Ok(0);
        };
        let labels = batch.labels(at);
        let found = labels.and_then(|labels| Some((*labels.codes.get(row)?, labels.get(row)?)));
        if labels.is_some_and(|labels| labels.codes.get(row) == Some(&Labels::BEYOND)) {
            return Err(too_many(MOST_VALUES, &rule.column));
        }
        let Some((code, name)) = found else {
            return Err(Error::data(format!(
                "{}, column \"{}\": the value is missing, so the row belongs to no period; fill it in, or leave the row out",
                batch.place.locate(row),
                rule.column
            )));
        };
        if let Some(known) = self.value_of.get(&code) {
            return Ok(*known);
        }
        if rule.span.is_none() && self.values.len() >= MOST_PERIODS {
            return Err(too_many(MOST_PERIODS, &rule.column));
        }
        self.value_of.insert(code, self.values.len());
        self.values.push(NamedCases { name: name.to_owned(), cases: self.no_cases() });
        Ok(self.values.len() - 1)
    }

    fn no_cases(&self) -> Cases {
        Cases::new(self.columns.amount.is_some())
    }
}
