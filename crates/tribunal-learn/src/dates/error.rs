//! Why texts are not read as dates. Places are those of the texts; the words name values, and whoever knows the rows adds them.

/// Why texts are not read as dates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DateError {
    /// A text is no date in any form that is known.
    NotADate {
        /// Its place.
        at: usize,
    },
    /// A text has the form of a date, but the calendar has no such day.
    NotInCalendar {
        /// Its place.
        at: usize,
    },
    /// A text is written in another form than the first one.
    MixedForms {
        /// Its place.
        at: usize,
    },
    /// Some texts name their distance to UTC, others do not.
    MixedOffsets {
        /// The place of one that differs from the first.
        at: usize,
    },
    /// Two texts cannot have the same order of day and month.
    Contradiction {
        /// The place of the one.
        at: usize,
        /// The place of the other.
        other: usize,
    },
    /// No text says which number is the day.
    Ambiguous {
        /// The place of one of them.
        at: usize,
        /// Whether the first number may also be the year.
        with_year: bool,
    },
}

impl DateError {
    /// The place of the text that is at fault.
    pub fn at(&self) -> usize {
        match *self {
            Self::NotADate { at }
            | Self::NotInCalendar { at }
            | Self::MixedForms { at }
            | Self::MixedOffsets { at }
            | Self::Contradiction { at, .. }
            | Self::Ambiguous { at, .. } => at,
        }
    }

    /// What is wrong, and what to do; `texts` are those that were read.
    pub fn explain<S: AsRef<str>>(&self, texts: &[S]) -> String {
        let text = |at: usize| texts.get(at).map_or("", |text| text.as_ref());
        let found = text(self.at());
        match *self {
            Self::NotADate { .. } => format!(
                "\"{found}\" is no date; write dates as 2024-01-31 or 31.01.2024, with or without a time, or numbers that \
                 ascend with time"
            ),
            Self::NotInCalendar { .. } => {
                format!("\"{found}\" is no day of the calendar; correct it or leave the row out")
            }
            Self::MixedForms { .. } => format!(
                "\"{found}\" is written in another form than \"{}\"; write all dates alike, best as 2024-01-31",
                text(0)
            ),
            Self::MixedOffsets { .. } => format!(
                "of \"{found}\" and \"{}\" one names its distance to UTC and the other does not, so it is not known which \
                 comes first; write it for all or for none",
                text(0)
            ),
            Self::Contradiction { other, .. } => format!(
                "\"{found}\" and \"{}\" cannot have the same order of day and month; write all dates alike, best as \
                 2024-01-31",
                text(other)
            ),
            Self::Ambiguous { with_year, .. } => format!(
                "is the {} of \"{found}\" the day{}? No date of the column tells; write dates as 2024-01-31",
                if with_year { "first, second or last number" } else { "first or the second number" },
                if with_year { "" } else { " or the month" },
            ),
        }
    }
}
