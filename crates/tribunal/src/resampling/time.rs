//! `time`: learn from the past, test on what came after, as a model in use must (Tashman 2000).

use std::fmt;

use tribunal_learn::DateOrder;

use super::assignment::{Assigned, Assignment, Scheme};
use super::design::{Design, DesignForm, named};
use super::label_column::LabelColumn;
use super::rows::Rows;
use super::split::Part;
use super::times::Times;
use super::warning::missing_classes;
use crate::error::{Error, ErrorKind};

/// A split at a point in time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Time {
    /// The column of the times.
    pub column: String,
    /// The last time that is learned from.
    pub cut: String,
    /// The order of day, month and year, where the dates do not tell it themselves.
    pub order: Option<DateOrder>,
}

pub(super) const FORM: DesignForm = DesignForm {
    name: "time",
    form: "time:COLUMN:CUT[:dmy|:mdy|:ymd]",
    definition: "rows with COLUMN up to CUT to learn from, later ones to test; numbers by value, texts as dates \
                 (2024-01-31, 31.01.2024, 1/31/2024, 31 Jan 2024, with or without a time); a day includes all its times",
    reference: "Tashman 2000",
    examples: &["time:month:9", "time:reported:2024-01-31", "time:reported:31/01/2024:dmy"],
    parse,
};

fn parse(text: &str) -> Result<Design, Error> {
    let (column, cut) = text.split_once(':').unwrap_or((text, ""));
    let declared = cut.rsplit_once(':').and_then(|(cut, order)| Some((cut, Some(order.parse().ok()?))));
    let (cut, order) = declared.unwrap_or((cut, None));
    let (column, cut) = (named(column, "column of times", FORM.form)?, named(cut, "cut", FORM.form)?);
    Ok(Design::Time(Time { column, cut, order }))
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "time:{}:{}", self.column, self.cut)?;
        self.order.map_or(Ok(()), |order| write!(f, ":{order}"))
    }
}

impl Scheme for Time {
    fn assign(&self, rows: &Rows<'_>, _seed: u64) -> Result<Assigned, Error> {
        let column = rows.column(&self.column)?;
        let times = Times::of(column, self)?;
        let part = |&code: &u32| if times.is_past(code) { Part::Train } else { Part::Test };
        let parts: Vec<Part> = column.codes().iter().map(part).collect();
        for (part, words) in [(Part::Train, "not after"), (Part::Test, "after")] {
            if !parts.contains(&part) {
                return Err(self.empty_part(part, words, column, &times));
            }
        }
        let assignment = Assignment::Parts { repetitions: vec![parts] };
        let warnings = missing_classes(&assignment, rows.classes());
        Ok(Assigned { assignment, warnings })
    }
}

impl Time {
    /// Checks that every label of a column is a point in time.
    ///
    /// # Errors
    /// One is not; the message names its row.
    pub(crate) fn check(&self, column: &LabelColumn) -> Result<(), Error> {
        Times::of(column, self).map(drop)
    }

    fn empty_part(&self, part: Part, words: &str, column: &LabelColumn, times: &Times) -> Error {
        let [first, last] = times.span(column.codes().iter().copied(), column).unwrap_or_default();
        Error::new(
            ErrorKind::EmptyPart,
            format!(
                "column \"{}\" has no value {words} {}, so the {} part would hold no row; choose another cut between \
                 \"{first}\" and \"{last}\"",
                self.column,
                self.cut,
                part.name(),
            ),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::Plan;
    use super::*;

    fn plan(times: &[&str], cut: &str) -> Result<Plan, Error> {
        let times = LabelColumn::of("t", times.iter().copied());
        let design: Design = format!("time:t:{cut}").parse().expect("a design");
        Plan::new(&design, &Rows::new(times.codes().len()).with_column(&times), 1)
    }

    #[test]
    fn the_cut_itself_is_learned_from() {
        let check = |times: &[&str], cut: &str, test: &[u32]| {
            assert_eq!(plan(times, cut).expect("a plan").split(0).test, test, "{times:?} at {cut}");
        };
        check(&["10", "9", "2", "9.5"], "9", &[0, 3]);
        check(&["2024-01-31", "2023-12-01", "2024-02-01"], "2024-01-31", &[2]);
        check(&["2024-01-01T10:00", "2024-01-01T09:00"], "2024-01-01T09:30", &[0]);
        check(&["2024-01-31T10:00", "2024-02-01T00:00"], "2024-01-31", &[1]);
        check(&["1994", "1995", "1996"], "1994.5", &[1, 2]);
        check(&["1706659200", "1706745600"], "1706700000", &[1]);
    }

    #[test]
    fn dates_are_compared_by_the_calendar() {
        let check = |times: &[&str], cut: &str, test: &[u32]| {
            assert_eq!(plan(times, cut).expect("a plan").split(0).test, test, "{times:?} at {cut}");
        };
        let points = ["15.03.2020", "01.12.2021", "02.01.2021", "31.12.2020"];
        ["31.12.2020", "2020-12-31", "31.12.20"].iter().for_each(|cut| check(&points, cut, &[1, 2]));
        check(&["3/15/2020", "12/1/2021", "1/2/2021"], "12/31/2020", &[1, 2]);
        check(&["15/3/2020", "1/12/2021", "2/1/2021"], "31/12/2020", &[1, 2]);
        check(&["15 Mar 2020", "1 Dec 2021"], "2021-01-01", &[1]);
        check(&["12.2019", "01.2020", "03.2019"], "12.2019", &[1]);
        check(&["20200315", "20211201"], "2021-01-01", &[1]);
        check(&["20200315", "20211201"], "20210101", &[1]);
        check(&["2024-01-31T23:30:00-02:00", "2024-01-31T10:00:00Z"], "2024-01-31", &[0]);
    }

    #[test]
    fn what_says_nothing_of_day_and_month_is_declared_or_told_by_the_cut() {
        let slashes = ["03/04/2020", "04/03/2020"];
        let error = plan(&slashes, "2020-03-15").expect_err("two readings").to_string();
        for words in ["row 1, column \"t\"", "\"03/04/2020\"", "time:t:2020-03-15:dmy"] {
            assert!(error.contains(words), "{error}");
        }
        assert_eq!(plan(&slashes, "2020-03-15:dmy").expect("a plan").split(0).test, [0]);
        assert_eq!(plan(&slashes, "2020-03-15:mdy").expect("a plan").split(0).test, [1]);
        assert_eq!(plan(&slashes, "3/15/2020").expect("a plan").split(0).test, [1]);
    }

    #[test]
    fn what_is_no_point_in_time_is_refused_with_its_row() {
        let check = |times: &[&str], cut: &str, words: &[&str]| {
            let error = plan(times, cut).expect_err("no plan");
            assert_eq!(error.kind(), ErrorKind::BadColumn);
            let error = error.to_string();
            words.iter().for_each(|words| assert!(error.contains(words), "{error}"));
        };
        check(&["Jan", "Feb"], "Jan", &["row 1, column \"t\": \"Jan\" is no date", "2024-01-31"]);
        check(&["2020-01-01", "Q1 2020"], "2020-01-01", &["row 2", "\"Q1 2020\" is no date"]);
        check(
            &["01.02.2024", "30.02.2024"],
            "01.02.2024",
            &["row 2", "\"30.02.2024\" is no day of the calendar"],
        );
        check(&["2024-01-01", "2.1.2024"], "2024-01-01", &["row 2", "another form than \"2024-01-01\""]);
        check(&["1/13/2024", "13/1/2024"], "2024-01-01", &["row 2", "same order of day and month"]);
        check(&["2024-01-01", "7"], "2024-01-01", &["row 2", "\"7\" is no date"]);
        check(&["5", "7"], "2024-01-01", &["holds numbers, so the cut \"2024-01-01\" must be one"]);
        check(
            &["2024-01-01", "2024-01-02"],
            "soon",
            &["the cut \"soon\" must be one: write it as 2024-01-31"],
        );
        check(&["2024-01-01T10:00", "2024-01-02T10:00"], "2024-01-01T10:00Z", &["leave it out"]);
    }

    #[test]
    fn cuts_outside_the_data_or_of_another_kind_are_refused() {
        let check = |cut: &str, kind, words: &str| {
            let error = plan(&["2", "5", "9"], cut).expect_err(words);
            assert_eq!(error.kind(), kind);
            assert!(error.to_string().contains(words), "{error}");
        };
        check("1", ErrorKind::EmptyPart, "the train part would hold no row");
        check("9", ErrorKind::EmptyPart, "between \"2\" and \"9\"");
        let error = plan(&["2024-01-31", "2024-02-01"], "2024").expect_err("a number for dates");
        assert_eq!(error.kind(), ErrorKind::BadColumn);
    }
}
