//! A date as text, cut into its fields: which of them is the day is not decided here.

/// How a date is written. Dates of a column are read together only if all have the same shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// `2024-01-31`, whatever separates the fields.
    YearFirst(char),
    /// `31.01.2024` or `01/31/24`: the separator, and whether the year has two digits.
    YearLast(char, bool),
    /// `31 Jan 2024` or `31-Jan-24`: whether the year has two digits.
    DayAndName(bool),
    /// `Jan 31, 2024`.
    NameAndDay,
    /// `2024-01`.
    YearAndMonth(char),
    /// `01/2024`.
    MonthAndYear(char),
    /// `Jan 2024`.
    NameAndYear,
    /// `20240131`.
    Compact,
}

/// A date as it is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct WrittenDate {
    pub(super) shape: Shape,
    /// The fields in the order of the text; where the month has a name, and in the shapes without a day, as year, month, day.
    pub(super) fields: [u32; 3],
    pub(super) time: Option<TimeOfDay>,
}

/// A time of day, perhaps with its distance to UTC.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TimeOfDay {
    pub(super) seconds: u32,
    pub(super) nanos: u32,
    /// Seconds east of Greenwich.
    pub(super) offset: Option<i32>,
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// Cuts a text into the fields of a date; `None` if it is none.
pub(super) fn written(text: &str) -> Option<WrittenDate> {
    let (date, time) = divided(text.trim())?;
    let (shape, fields) =
        if date.contains(|c: char| c.is_alphabetic()) { named(date) } else { numbered(date) }?;
    Some(WrittenDate { shape, fields, time })
}

/// The date and the time of a text; a time begins with the digits before the first colon.
fn divided(text: &str) -> Option<(&str, Option<TimeOfDay>)> {
    let Some(colon) = text.find(':') else { return Some((text, None)) };
    let before = text[..colon].trim_end_matches(|c: char| c.is_ascii_digit());
    let date = before.strip_suffix(['T', 't', ' '])?;
    Some((date.trim_end_matches([' ', ',']), Some(time_of_day(&text[before.len()..])?)))
}

/// `10:30`, `10:30:05.25`, each perhaps with `PM`, then perhaps with `Z`, `UTC` or `+02:00`.
fn time_of_day(text: &str) -> Option<TimeOfDay> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != ':' && c != '.').unwrap_or(text.len());
    let (clock, rest) = text.split_at(end);
    let (seconds, nanos) = clock_time(clock)?;
    let rest = rest.trim_start();
    let (seconds, rest) = match rest.get(..2).map(str::to_ascii_lowercase).as_deref() {
        Some(half @ ("am" | "pm")) => (half_day(seconds, half == "pm")?, rest[2..].trim_start()),
        _ => (seconds, rest),
    };
    Some(TimeOfDay { seconds, nanos, offset: offset(rest)? })
}

fn clock_time(text: &str) -> Option<(u32, u32)> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let mut fields = whole.split(':');
    let hours = digits(fields.next()?, 1..=2).filter(|&hours| hours < 24)?;
    let minutes = digits(fields.next()?, 2..=2).filter(|&minutes| minutes < 60)?;
    // A leap second is the first of the next minute.
    let seconds =
        fields.next().map_or(Some(0), |text| digits(text, 2..=2)).filter(|&seconds| seconds <= 60)?;
    let is_over = fields.next().is_some() || fraction.contains(':');
    let is_fraction = fraction.bytes().all(|b| b.is_ascii_digit());
    let nanos = fraction.bytes().map(|b| u32::from(b.wrapping_sub(b'0'))).chain(std::iter::repeat(0));
    let nanos = nanos.take(9).fold(0, |nanos, digit| nanos * 10 + digit % 10);
    (!is_over && is_fraction).then_some((hours * 3600 + minutes * 60 + seconds, nanos))
}

/// Twelve o'clock comes before one.
fn half_day(seconds: u32, is_pm: bool) -> Option<u32> {
    const NOON: u32 = 12 * 3600;
    let is_clock = (3600..NOON + 3600).contains(&seconds);
    is_clock.then_some(seconds % NOON + if is_pm { NOON } else { 0 })
}

/// Nothing, `Z`, `UTC`, `GMT`, `+02`, `+0200` or `+02:00`; the outer `None` is what is none of these.
fn offset(text: &str) -> Option<Option<i32>> {
    if text.is_empty() {
        return Some(None);
    }
    if ["z", "utc", "gmt"].contains(&text.to_ascii_lowercase().as_str()) {
        return Some(Some(0));
    }
    let sign = if text.starts_with('-') { -1 } else { 1 };
    let rest = text.strip_prefix(['+', '-'])?;
    let (hours, minutes) = match rest.split_once(':') {
        Some(both) => both,
        None if rest.len() == 4 && rest.is_ascii() => rest.split_at(2),
        None => (rest, "00"),
    };
    let (hours, minutes) = (digits(hours, 2..=2)?, digits(minutes, 2..=2)?);
    (hours <= 23 && minutes <= 59).then_some(Some(sign * (hours * 3600 + minutes * 60) as i32))
}

/// Dates in which the month has a name.
fn named(text: &str) -> Option<(Shape, [u32; 3])> {
    let tokens: Vec<&str> = text.split([' ', '-', '/', ',', '.']).filter(|token| !token.is_empty()).collect();
    match tokens[..] {
        [day, name, year] if day.starts_with(|c: char| c.is_ascii_digit()) => {
            let (day, month) = (digits(day, 1..=2)?, month_of(name)?);
            match digits(year, 4..=4) {
                Some(year) => Some((Shape::DayAndName(false), [year, month, day])),
                None => Some((Shape::DayAndName(true), [century(digits(year, 2..=2)?), month, day])),
            }
        }
        [name, day, year] => {
            Some((Shape::NameAndDay, [digits(year, 4..=4)?, month_of(name)?, digits(day, 1..=2)?]))
        }
        [name, year] => Some((Shape::NameAndYear, [digits(year, 4..=4)?, month_of(name)?, 1])),
        _ => None,
    }
}

/// An English month, whole or by its first three letters.
fn month_of(name: &str) -> Option<u32> {
    let name = name.to_ascii_lowercase();
    let is_it = |month: &str| month == name || month[..3] == name || (name == "sept" && month == "september");
    MONTHS.iter().position(|month| is_it(month)).map(|place| place as u32 + 1)
}

/// Dates of digits.
fn numbered(text: &str) -> Option<(Shape, [u32; 3])> {
    let Some(separator) = text.chars().find(|c| !c.is_ascii_digit()) else {
        let (year, rest) = text.split_at_checked(4)?;
        let (month, day) = rest.split_at_checked(2)?;
        return Some((Shape::Compact, [digits(year, 4..=4)?, digits(month, 2..=2)?, digits(day, 2..=2)?]));
    };
    let fields: Vec<&str> = text.split(separator).collect();
    let lengths: Vec<usize> = fields.iter().map(|field| field.len()).collect();
    let numbers: Vec<u32> = fields.iter().map(|field| digits(field, 1..=4)).collect::<Option<_>>()?;
    match (separator, &lengths[..], &numbers[..]) {
        ('-' | '/' | '.', [4, 1..=2, 1..=2], &[year, month, day]) => {
            Some((Shape::YearFirst(separator), [year, month, day]))
        }
        ('-' | '/' | '.', [1..=2, 1..=2, 2 | 4], &[first, second, year]) => {
            Some((Shape::YearLast(separator, lengths[2] == 2), [first, second, year]))
        }
        ('-' | '/', [4, 1..=2], &[year, month]) => Some((Shape::YearAndMonth(separator), [year, month, 1])),
        ('-' | '/' | '.', [1..=2, 4], &[month, year]) => {
            Some((Shape::MonthAndYear(separator), [year, month, 1]))
        }
        _ => None,
    }
}

/// A number of so many digits.
fn digits(text: &str, lengths: std::ops::RangeInclusive<usize>) -> Option<u32> {
    let are_digits = text.bytes().all(|b| b.is_ascii_digit()) && lengths.contains(&text.len());
    are_digits.then(|| text.parse().ok()).flatten()
}

/// The year that two digits mean by the rule of POSIX: 69 to 99 are of the twentieth century.
pub(super) fn century(year: u32) -> u32 {
    if year >= 69 { 1900 + year } else { 2000 + year }
}
