//! Dates as text, read for their order in time.
//!
//! Texts are sorted by letters, and 01.12.2021 then comes before 15.03.2020. [`read_dates`] reads a whole column at once: the
//! order of day and month is told from all its values together, because 03/04/2024 alone has two readings.
//!
//! Known are ISO 8601 (`2024-01-31`, `2024-01-31T10:30:00.25+02:00`, also with `/` or `.`, a space for the `T`, and without a
//! day), dates that end with the year (`31.01.2024`, `1/31/2024`, `31-01-24`), months with English names (`31 Jan 2024`,
//! `31-JAN-24`, `January 31, 2024`, `Jan 2024`) and `20240131`. Times may say AM or PM.
//!
//! ```
//! use tribunal_learn::{DateOrder, read_dates};
//!
//! let dates = read_dates(&["1/12/2021", "3/15/2020"], None).expect("dates");
//! assert_eq!(dates.reading().order, DateOrder::Mdy);
//! assert!(dates.times()[0] > dates.times()[1]);
//! // Nothing says which number is the day.
//! assert!(read_dates(&["1/12/2021", "3/4/2020"], None).is_err());
//! assert!(read_dates(&["1/12/2021", "3/4/2020"], Some(DateOrder::Dmy)).is_ok());
//! ```
//!
//! # What was rejected
//!
//! - *A calendar crate* (jiff, chrono): what decides is the column and not the text, which no parser does; left are two
//!   functions of the calendar (`civil.rs`).
//! - *Guessing between slashes.* Both orders are common; a wrong guess moves rows of the future into the training part. Between
//!   points the day comes first wherever points are used, so that is assumed, and said.

mod civil;
mod error;
mod order;
#[cfg(test)]
mod tests;
mod text;

pub use civil::Timestamp;
pub use error::DateError;
pub use order::{DateEvidence, DateOrder};

use serde::{Deserialize, Serialize};

use civil::Day;
use text::{Shape, WrittenDate, written};

/// The dates of a column.
#[derive(Clone, Debug, PartialEq)]
pub struct Dates {
    times: Vec<Timestamp>,
    reading: DateReading,
}

/// How the dates of a column were read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DateReading {
    /// The order of day, month and year.
    pub order: DateOrder,
    /// Why this order.
    #[serde(flatten)]
    pub evidence: DateEvidence,
    /// Whether years have two digits: 69 to 99 are then of the twentieth century.
    pub two_digit_years: bool,
    /// How finely time is told.
    pub resolution: Resolution,
    /// Whether the texts name their distance to UTC; times are then those of UTC.
    pub is_utc: bool,
}

/// How finely dates tell time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Resolution {
    /// Months.
    Month,
    /// Days.
    Day,
    /// Times of day.
    Time,
}

impl Dates {
    /// The points in time, one for each text.
    pub fn times(&self) -> &[Timestamp] {
        &self.times
    }

    /// Some of the dates, in this order.
    pub fn select(&self, places: &[usize]) -> Self {
        let times = places.iter().map(|&at| self.times[at]).collect();
        Self { times, reading: self.reading.clone() }
    }

    /// How they were read.
    pub fn reading(&self) -> &DateReading {
        &self.reading
    }

    /// The first point in time that comes after a text: a month or a day includes all of its times.
    pub fn end(&self, at: usize) -> Option<Timestamp> {
        let start = *self.times.get(at)?;
        Some(match self.reading.resolution {
            Resolution::Time => start.next(),
            Resolution::Day => start.plus_days(1),
            Resolution::Month => start.plus_days(start.days_in_month()),
        })
    }
}

impl DateReading {
    /// How the dates of a column were read, where that had to be told.
    pub fn explain(&self, column: &str) -> Option<String> {
        let order = self.order.words();
        let mut said = Vec::new();
        said.extend(match &self.evidence {
            DateEvidence::Form => None,
            DateEvidence::Declared => Some(format!("as {order}, as declared")),
            DateEvidence::Value { example } => {
                Some(format!("as {order}, because \"{example}\" has no other reading"))
            }
            DateEvidence::Convention => Some(format!(
                "as {order}, which no date contradicts; if that is wrong, write them as 2024-01-31"
            )),
        });
        said.extend(self.two_digit_years.then(|| "with years of two digits from 1969 to 2068".to_owned()));
        said.extend(self.is_utc.then(|| "in UTC".to_owned()));
        (!said.is_empty()).then(|| format!("dates of \"{column}\" are read {}", said.join(", ")))
    }

    /// A point in time, as finely as the dates tell it.
    pub fn show(&self, time: Timestamp) -> String {
        match self.resolution {
            Resolution::Month => {
                time.date().trim_end_matches(|c: char| c != '-').trim_end_matches('-').to_owned()
            }
            Resolution::Day => time.date(),
            Resolution::Time => time.to_string(),
        }
    }
}

/// Whether a text has the form of a date with a day, also of one that the calendar does not have.
pub fn has_date_form(text: &str) -> bool {
    written(text).is_some_and(|date| {
        matches!(
            date.shape,
            Shape::YearFirst(_) | Shape::YearLast(..) | Shape::DayAndName(_) | Shape::NameAndDay
        )
    })
}

/// Whether numbers are months such as 01.2024, which as numbers would be sorted by month before year.
pub fn are_dotted_months<S: AsRef<str>>(texts: &[S]) -> bool {
    let is_month = |text: &S| {
        written(text.as_ref()).is_some_and(|date| {
            let [year, month, _] = date.fields;
            date.shape == Shape::MonthAndYear('.')
                && (1900..2100).contains(&year)
                && (1..=12).contains(&month)
        })
    };
    texts.iter().all(is_month)
}

/// Reads the dates of a column. Where the order of day and month is not declared it is told from all texts together.
///
/// # Errors
/// A text is no date, or the texts are not written alike, or nothing tells the day from the month.
pub fn read_dates<S: AsRef<str>>(texts: &[S], declared: Option<DateOrder>) -> Result<Dates, DateError> {
    let dates: Vec<WrittenDate> = texts
        .iter()
        .enumerate()
        .map(|(at, text)| written(text.as_ref()).ok_or(DateError::NotADate { at }))
        .collect::<Result<_, _>>()?;
    check_alike(&dates)?;
    let (order, evidence) = order::order_of(&dates, texts, declared)?;
    let time =
        |(at, date): (usize, &WrittenDate)| timestamp(date, order).ok_or(DateError::NotInCalendar { at });
    let times = dates.iter().enumerate().map(time).collect::<Result<_, _>>()?;
    let reading = DateReading {
        order,
        evidence,
        two_digit_years: dates
            .iter()
            .any(|date| matches!(date.shape, Shape::YearLast(_, true) | Shape::DayAndName(true))),
        resolution: resolution(&dates),
        is_utc: dates.iter().any(|date| date.time.is_some_and(|time| time.offset.is_some())),
    };
    Ok(Dates { times, reading })
}

fn check_alike(dates: &[WrittenDate]) -> Result<(), DateError> {
    let Some(first) = dates.first() else { return Ok(()) };
    if let Some(at) = dates.iter().position(|date| date.shape != first.shape) {
        return Err(DateError::MixedForms { at });
    }
    let has_offset = |date: &WrittenDate| date.time.is_some_and(|time| time.offset.is_some());
    match dates.iter().position(|date| has_offset(date) != has_offset(first)) {
        Some(at) => Err(DateError::MixedOffsets { at }),
        None => Ok(()),
    }
}

fn resolution(dates: &[WrittenDate]) -> Resolution {
    let is_month = |date: &WrittenDate| {
        matches!(date.shape, Shape::YearAndMonth(_) | Shape::MonthAndYear(_) | Shape::NameAndYear)
    };
    if dates.iter().any(|date| date.time.is_some()) {
        Resolution::Time
    } else if dates.iter().any(is_month) {
        Resolution::Month
    } else {
        Resolution::Day
    }
}

/// The point in time; a date without a time is its midnight.
fn timestamp(date: &WrittenDate, order: DateOrder) -> Option<Timestamp> {
    let day: Day = order.day(date);
    let is_there = day.days_in_month().is_some_and(|days| (1..=days).contains(&day.day)) && day.year > 0;
    let (seconds, nanos) = date
        .time
        .map_or((0, 0), |time| (i64::from(time.seconds) - i64::from(time.offset.unwrap_or(0)), time.nanos));
    is_there.then(|| Timestamp::new(day, seconds, nanos))
}
