//! Which of three numbers is the day, told from all dates of a column together.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::civil::Day;
use super::error::DateError;
use super::text::{Shape, WrittenDate, century};

/// The order of day, month and year in dates that are written with numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum DateOrder {
    /// Day, month, year: 31.01.2024.
    Dmy,
    /// Month, day, year: 01/31/2024.
    Mdy,
    /// Year, month, day: 2024-01-31.
    Ymd,
}

impl DateOrder {
    const ALL: [Self; 3] = [Self::Dmy, Self::Mdy, Self::Ymd];

    fn name(self) -> &'static str {
        match self {
            Self::Dmy => "dmy",
            Self::Mdy => "mdy",
            Self::Ymd => "ymd",
        }
    }

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Dmy => "day, month, year",
            Self::Mdy => "month, day, year",
            Self::Ymd => "year, month, day",
        }
    }

    /// The day that some fields of a text mean.
    pub(super) fn day(self, written: &WrittenDate) -> Day {
        let [first, second, third] = written.fields;
        let day = |year: u32, month, day| Day { year: i64::from(year), month, day };
        let Shape::YearLast(_, is_short) = written.shape else { return day(first, second, third) };
        let year = |year: u32| if is_short { century(year) } else { year };
        match self {
            Self::Dmy => day(year(third), second, first),
            Self::Mdy => day(year(third), first, second),
            Self::Ymd => day(year(first), second, third),
        }
    }

    /// Whether the fields can be a day and a month in this order.
    fn fits(self, written: &WrittenDate) -> bool {
        let Day { month, day, .. } = self.day(written);
        (1..=12).contains(&month) && (1..=31).contains(&day)
    }
}

impl fmt::Display for DateOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for DateOrder {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|order| order.name() == text).ok_or(())
    }
}

/// Why dates are read in the order in which they are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum DateEvidence {
    /// The year comes first, or the month has a name: nothing had to be told.
    Form,
    /// A date of the column has no other reading.
    Value {
        /// That date.
        example: String,
    },
    /// Days come first where points separate the fields; no date of the column says otherwise.
    Convention,
    /// The user said so.
    Declared,
}

/// The order of the dates of a column, which all have the same shape.
pub(super) fn order_of<S: AsRef<str>>(
    dates: &[WrittenDate],
    texts: &[S],
    declared: Option<DateOrder>,
) -> Result<(DateOrder, DateEvidence), DateError> {
    let Some(Shape::YearLast(separator, is_short)) = dates.first().map(|date| date.shape) else {
        return Ok((DateOrder::Ymd, DateEvidence::Form));
    };
    // A year of four digits says itself that it is the last.
    if let Some(order) = declared.filter(|order| is_short || *order != DateOrder::Ymd) {
        return Ok((order, DateEvidence::Declared));
    }
    // A year of two digits comes first between hyphens only.
    let possible = if is_short && separator == '-' { &DateOrder::ALL[..] } else { &DateOrder::ALL[..2] };
    let mut left = possible.to_vec();
    let mut decisive = None;
    for (at, date) in dates.iter().enumerate() {
        let fitting: Vec<DateOrder> = left.iter().copied().filter(|order| order.fits(date)).collect();
        match (fitting.is_empty(), decisive) {
            (true, Some(other)) if possible.iter().any(|order| order.fits(date)) => {
                return Err(DateError::Contradiction { at, other });
            }
            (true, _) => return Err(DateError::NotInCalendar { at }),
            (false, _) if fitting.len() < left.len() => decisive = Some(at),
            (false, _) => {}
        }
        left = fitting;
    }
    match (left.as_slice(), decisive, separator) {
        (&[order], Some(at), _) => {
            Ok((order, DateEvidence::Value { example: texts[at].as_ref().trim().to_owned() }))
        }
        (_, _, '.') if left.contains(&DateOrder::Dmy) => Ok((DateOrder::Dmy, DateEvidence::Convention)),
        _ => Err(DateError::Ambiguous { at: 0, with_year: left.contains(&DateOrder::Ymd) }),
    }
}
