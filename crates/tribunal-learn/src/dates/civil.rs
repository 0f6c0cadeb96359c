//! Points in time: the proleptic Gregorian calendar, counted in days and seconds since 1970-01-01.
//!
//! Days are counted by the algorithms of Hinnant (2013), exact for every year. A calendar crate would bring no more than these
//! two functions to what is needed here: to order dates and to write them down.

use std::fmt;

const SECONDS_A_DAY: i64 = 86_400;

/// A point in time, to the nanosecond: UTC where the text named an offset, and else local time as it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp {
    seconds: i64,
    nanos: u32,
}

/// A day of the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Day {
    pub(super) year: i64,
    pub(super) month: u32,
    pub(super) day: u32,
}

impl Day {
    /// How many days its month has; `None` if there is no such month.
    pub(super) fn days_in_month(self) -> Option<u32> {
        let is_leap = self.year % 4 == 0 && (self.year % 100 != 0 || self.year % 400 == 0);
        match self.month {
            2 => Some(if is_leap { 29 } else { 28 }),
            4 | 6 | 9 | 11 => Some(30),
            1..=12 => Some(31),
            _ => None,
        }
    }

    /// Days since 1970-01-01.
    fn number(self) -> i64 {
        let (month, day) = (i64::from(self.month), i64::from(self.day));
        // Years begin in March, so that the leap day is their last.
        let year = self.year - i64::from(month <= 2);
        let era = year.div_euclid(400);
        let year_of_era = year.rem_euclid(400);
        let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
        let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
        era * 146_097 + day_of_era - 719_468
    }

    /// The day with so many days between 1970-01-01 and itself.
    fn of_number(number: i64) -> Self {
        let number = number + 719_468;
        let era = number.div_euclid(146_097);
        let day_of_era = number.rem_euclid(146_097);
        let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted = (5 * day_of_year + 2) / 153;
        let day = (day_of_year - (153 * shifted + 2) / 5 + 1) as u32;
        let month = (if shifted < 10 { shifted + 3 } else { shifted - 9 }) as u32;
        Self { year: year_of_era + era * 400 + i64::from(month <= 2), month, day }
    }
}

impl Timestamp {
    /// A time of a day, given in seconds from its midnight.
    pub(super) fn new(day: Day, seconds: i64, nanos: u32) -> Self {
        Self { seconds: day.number() * SECONDS_A_DAY + seconds, nanos }
    }

    /// So many days later.
    pub(super) fn plus_days(self, days: u32) -> Self {
        Self { seconds: self.seconds + i64::from(days) * SECONDS_A_DAY, ..self }
    }

    /// The next point in time.
    pub(super) fn next(self) -> Self {
        match self.nanos {
            999_999_999 => Self { seconds: self.seconds + 1, nanos: 0 },
            nanos => Self { nanos: nanos + 1, ..self },
        }
    }

    fn day(self) -> Day {
        Day::of_number(self.seconds.div_euclid(SECONDS_A_DAY))
    }

    /// How many days its month has.
    pub(super) fn days_in_month(self) -> u32 {
        self.day().days_in_month().unwrap_or(0)
    }

    /// Its day, as 2024-01-31.
    pub fn date(self) -> String {
        let Day { year, month, day } = self.day();
        format!("{year:04}-{month:02}-{day:02}")
    }
}

/// As 2024-01-31 10:00:00, with a fraction of the second if there is one.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let second = self.seconds.rem_euclid(SECONDS_A_DAY);
        write!(f, "{} {:02}:{:02}:{:02}", self.date(), second / 3600, second / 60 % 60, second % 60)?;
        if self.nanos > 0 {
            write!(f, ".{}", format!("{:09}", self.nanos).trim_end_matches('0'))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By `datetime.date(y, m, d).toordinal() - 719163` of Python 3.11.7.
    #[test]
    fn days_are_counted_from_1970() {
        let check = |(year, month, day), number| {
            let date = Day { year, month, day };
            assert_eq!((date.number(), Day::of_number(number)), (number, date));
        };
        check((1, 1, 1), -719_162);
        check((1600, 2, 29), -135_081);
        check((1900, 2, 28), -25_509);
        check((1900, 3, 1), -25_508);
        check((1970, 1, 1), 0);
        check((2000, 2, 29), 11_016);
        check((2024, 12, 31), 20_088);
        check((9999, 12, 31), 2_932_896);
    }

    #[test]
    fn every_day_follows_the_one_before() {
        let mut date = Day { year: 1895, month: 12, day: 31 };
        for number in date.number() + 1..date.number() + 80_000 {
            let next = Day::of_number(number);
            let is_new_month = date.days_in_month() == Some(date.day);
            assert_eq!(next.day, if is_new_month { 1 } else { date.day + 1 });
            assert_eq!(next.number(), number);
            date = next;
        }
    }

    #[test]
    fn times_are_written_as_iso_8601() {
        let day = Day { year: 1969, month: 12, day: 31 };
        assert_eq!(Timestamp::new(day, 36_061, 250_000_000).to_string(), "1969-12-31 10:01:01.25");
        assert_eq!(Timestamp::new(day, 0, 0).plus_days(1).to_string(), "1970-01-01 00:00:00");
    }
}
