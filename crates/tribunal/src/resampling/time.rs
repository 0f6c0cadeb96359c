//! `time`: learn from the past, test on what came after, as a model in use must (Tashman 2000).

use std::fmt;

use tribunal_learn::label_number;

use super::assignment::{Assigned, Assignment, Scheme};
use super::design::{Design, DesignForm, named};
use super::error::{ResamplingError, ResamplingErrorKind};
use super::label_column::LabelColumn;
use super::rows::Rows;
use super::split::Part;
use super::warning::missing_classes;

/// A split at a point in time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Time {
    /// The column of the times.
    pub column: String,
    /// The last time that is learned from.
    pub cut: String,
}

pub(super) const FORM: DesignForm = DesignForm {
    name: "time",
    form: "time:COLUMN:CUT",
    definition: "rows with COLUMN up to CUT to learn from, later ones to test; numbers by value, dates as 2024-01-31",
    reference: "Tashman 2000",
    examples: &["time:month:9", "time:reported:2024-01-31"],
    parse,
};

fn parse(text: &str) -> Result<Design, ResamplingError> {
    let (column, cut) = text.split_once(':').unwrap_or((text, ""));
    let (column, cut) = (named(column, "times", FORM.form)?, named(cut, "cut", FORM.form)?);
    Ok(Design::Time(Time { column, cut }))
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "time:{}:{}", self.column, self.cut)
    }
}

impl Scheme for Time {
    fn assign(&self, rows: &Rows<'_>, _seed: u64) -> Result<Assigned, ResamplingError> {
        let times = rows.column(&self.column)?;
        let parts = self.parts(times)?;
        let parts: Vec<Part> = times.codes().iter().map(|&code| parts[code as usize]).collect();
        for (part, words) in [(Part::Train, "not after"), (Part::Test, "after")] {
            if !parts.contains(&part) {
                return Err(ResamplingError::new(
                    ResamplingErrorKind::EmptyPart,
                    format!(
                        "column \"{}\" has no value {words} {}, so the {} part would hold no row; choose another cut \
                         between \"{}\" and \"{}\"",
                        self.column,
                        self.cut,
                        part.name(),
                        times.labels().first().map_or("", String::as_str),
                        times.labels().last().map_or("", String::as_str)
                    ),
                ));
            }
        }
        let assignment = Assignment::Parts { repetitions: vec![parts] };
        let warnings = missing_classes(&assignment, rows.classes());
        Ok(Assigned { assignment, warnings })
    }
}

impl Time {
    /// The part of each distinct time. A number is compared by value, and then every time must be one.
    fn parts(&self, times: &LabelColumn) -> Result<Vec<Part>, ResamplingError> {
        let part = |is_past: bool| if is_past { Part::Train } else { Part::Test };
        let Some(cut) = label_number(&self.cut) else {
            return Ok(times.labels().iter().map(|time| part(*time <= self.cut)).collect());
        };
        let compared = |time: &String| {
            label_number(time).map(|time| part(time <= cut)).ok_or_else(|| {
                ResamplingError::new(
                    ResamplingErrorKind::BadColumn,
                    format!(
                        "column \"{}\": \"{time}\" is no number, but the cut {} is; write the cut like the values of the \
                         column",
                        self.column, self.cut
                    ),
                )
            })
        };
        times.labels().iter().map(compared).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Plan;
    use super::*;

    fn plan(times: &[&str], cut: &str) -> Result<Plan, ResamplingError> {
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
    }

    #[test]
    fn cuts_outside_the_data_or_of_another_kind_are_refused() {
        let check = |cut: &str, kind, words: &str| {
            let error = plan(&["2", "5", "9"], cut).expect_err(words);
            assert_eq!(error.kind(), kind);
            assert!(error.to_string().contains(words), "{error}");
        };
        check("1", ResamplingErrorKind::EmptyPart, "the train part would hold no row");
        check("9", ResamplingErrorKind::EmptyPart, "between \"2\" and \"9\"");
        let error = plan(&["2024-01-31", "2024-02-01"], "2024").expect_err("a number for dates");
        assert_eq!(error.kind(), ResamplingErrorKind::BadColumn);
    }
}
