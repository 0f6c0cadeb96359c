//! A column as points in time: numbers by value, texts as dates, and what is neither is refused.
//!
//! Texts are never compared by their letters: 01.12.2021 would come before 15.03.2020, and rows of the future would be
//! learned from.

use std::cmp::Ordering;

use tribunal_learn::{
    DateError, DateEvidence, DateOrder, DateReading, Dates, Timestamp, are_dotted_months, label_number,
    read_dates,
};

use super::label_column::LabelColumn;
use super::time::Time;
use crate::error::{Error, ErrorKind};

/// The points in time of a column, one for each of its labels, and where they are cut.
#[derive(Debug)]
pub(super) enum Times {
    Numbers { values: Vec<f64>, cut: f64 },
    Dates { times: Vec<Timestamp>, reading: DateReading, end: Timestamp },
}

impl Times {
    /// Reads a column as a design wants it.
    ///
    /// # Errors
    /// A label is neither a number nor a date like the others, or the cut is none of theirs.
    pub(super) fn of(column: &LabelColumn, design: &Time) -> Result<Self, Error> {
        let numbers: Option<Vec<f64>> = column.labels().iter().map(|label| label_number(label)).collect();
        match (numbers, label_number(&design.cut)) {
            (Some(values), Some(cut)) if !are_dotted_months(column.labels()) => {
                Ok(Self::Numbers { values, cut })
            }
            (Some(_), None) if read_dates(column.labels(), None).is_err() => {
                Err(wrong(column, format_args!("holds numbers, so the cut \"{}\" must be one", design.cut)))
            }
            _ => Self::of_dates(column, design),
        }
    }

    fn of_dates(column: &LabelColumn, design: &Time) -> Result<Self, Error> {
        let dates = Labelled::of(column).read(design)?;
        let end = cut_end(column, design, dates.reading())?;
        Ok(Self::Dates { times: dates.times().to_vec(), reading: dates.reading().clone(), end })
    }

    /// Whether a label is not after the cut.
    pub(super) fn is_past(&self, code: u32) -> bool {
        match self {
            Self::Numbers { values, cut } => values[code as usize] <= *cut,
            Self::Dates { times, end, .. } => times[code as usize] < *end,
        }
    }

    /// How dates were read; nothing for numbers.
    pub(super) fn reading(&self) -> Option<&DateReading> {
        match self {
            Self::Numbers { .. } => None,
            Self::Dates { reading, .. } => Some(reading),
        }
    }

    /// The first and the last of some labels.
    pub(super) fn span(
        &self,
        codes: impl Iterator<Item = u32> + Clone,
        column: &LabelColumn,
    ) -> Option<[String; 2]> {
        let compare = |a: &u32, b: &u32| self.compare(*a, *b);
        let (first, last) = (codes.clone().min_by(compare)?, codes.max_by(compare)?);
        Some([first, last].map(|code| self.show(code, column)))
    }

    fn compare(&self, a: u32, b: u32) -> Ordering {
        match self {
            Self::Numbers { values, .. } => values[a as usize].total_cmp(&values[b as usize]),
            Self::Dates { times, .. } => times[a as usize].cmp(&times[b as usize]),
        }
    }

    /// Dates are shown as they were understood, numbers as they were written.
    fn show(&self, code: u32, column: &LabelColumn) -> String {
        match self {
            Self::Numbers { .. } => column.labels()[code as usize].clone(),
            Self::Dates { times, reading, .. } => reading.show(times[code as usize]),
        }
    }
}

/// The labels of a column in the order of their first rows, so that the first flaw of the table is told.
struct Labelled<'a> {
    column: &'a LabelColumn,
    codes: Vec<u32>,
    texts: Vec<&'a str>,
}

impl<'a> Labelled<'a> {
    fn of(column: &'a LabelColumn) -> Self {
        let mut is_known = vec![false; column.n_labels()];
        let is_new = |code: &u32| !std::mem::replace(&mut is_known[*code as usize], true);
        let all = 0..column.n_labels() as u32;
        let codes: Vec<u32> = column.codes().iter().copied().chain(all).filter(is_new).collect();
        let texts = codes.iter().map(|&code| column.labels()[code as usize].as_str()).collect();
        Self { column, codes, texts }
    }

    /// The dates in the order of the labels. What the cut alone says of day and month counts where the column says nothing.
    fn read(&self, design: &Time) -> Result<Dates, Error> {
        let read = match read_dates(&self.texts, design.order) {
            Err(DateError::Ambiguous { .. }) if order_of_cut(&design.cut).is_some() => {
                read_dates(&self.texts, order_of_cut(&design.cut))
            }
            read => read,
        };
        let dates = read.map_err(|error| self.refusal(error, design))?;
        let mut place = vec![0; self.codes.len()];
        self.codes.iter().zip(0..).for_each(|(&code, at): (_, usize)| place[code as usize] = at);
        Ok(dates.select(&place))
    }

    fn refusal(&self, error: DateError, design: &Time) -> Error {
        let code = self.codes[error.at()];
        let row = self.column.codes().iter().position(|&found| found == code);
        let row = row.map_or_else(String::new, |row| format!("row {}, ", row + 1));
        let advice = match error {
            DateError::Ambiguous { .. } => {
                let Time { column, cut, .. } = design;
                format!(", or say the order: time:{column}:{cut}:dmy, or :mdy")
            }
            _ => String::new(),
        };
        let words = format!("{row}column \"{}\": {}{advice}", self.column.name(), error.explain(&self.texts));
        Error::new(ErrorKind::BadColumn, words)
    }
}

/// The order of day and month that the cut alone leaves no doubt of.
fn order_of_cut(cut: &str) -> Option<DateOrder> {
    let dates = read_dates(&[cut], None).ok()?;
    matches!(dates.reading().evidence, DateEvidence::Value { .. }).then_some(dates.reading().order)
}

/// The first point in time after the cut. A cut without an offset among times with one is meant in UTC.
fn cut_end(column: &LabelColumn, design: &Time, reading: &DateReading) -> Result<Timestamp, Error> {
    let refused = || {
        let example = column.labels().first().map_or("", String::as_str);
        let cut = &design.cut;
        wrong(
            column,
            format_args!(
                "holds dates, such as \"{example}\", so the cut \"{cut}\" must be one: write it as 2024-01-31"
            ),
        )
    };
    let order = Some(reading.order).filter(|_| reading.evidence != DateEvidence::Form).or(design.order);
    let cut = read_dates(&[&design.cut], order).map_err(|_| refused())?;
    if cut.reading().is_utc && !reading.is_utc {
        let words =
            format_args!("names no distance to UTC, but the cut \"{}\" does; leave it out", design.cut);
        return Err(wrong(column, words));
    }
    cut.end(0).ok_or_else(refused)
}

fn wrong(column: &LabelColumn, words: std::fmt::Arguments<'_>) -> Error {
    Error::new(ErrorKind::BadColumn, format!("column \"{}\" {words}", column.name()))
}
