//! `holdout`: a share of the rows to learn from, the rest to test, once or several times over.
//!
//! The test parts of repeated holdouts overlap, so the plain paired t test is too bold on them (Nadeau and Bengio 2003).

use std::fmt;

use tribunal_random::Random;

use super::assignment::{Assigned, Assignment, Scheme};
use super::deal::{deal, deal_by_class};
use super::design::{Design, DesignForm, repetitions_after, split_plain};
use super::rows::Rows;
use super::share::{Share, largest_remainder};
use super::split::Part;
use super::warning::{Warning, missing_classes};
use crate::error::{Error, ErrorKind};

/// A holdout.
#[derive(Clone, Debug, PartialEq)]
pub struct Holdout {
    /// The share to learn from.
    pub train: Share,
    /// How many times over; repetition r of a repeated design has the seed derived for r.
    pub n_repetitions: Option<u32>,
    /// Without regard to classes.
    pub plain: bool,
}

pub(super) const FORM: DesignForm = DesignForm {
    name: "holdout",
    form: "holdout[:SHARE[xR]][:plain]",
    definition: "SHARE of the rows (2/3) to learn from, the rest to test, R times over; classes shared alike unless plain",
    reference: "Kohavi 1995",
    examples: &["holdout", "holdout:0.7", "holdout:2/3x20", "holdout:0.5:plain"],
    parse,
};

const USUAL_SHARE: Share = Share::constant(2, 3);

fn parse(text: &str) -> Result<Design, Error> {
    let (text, plain) = split_plain(text);
    let (share, n_repetitions) = repetitions_after(text)?;
    let train = if share.is_empty() { USUAL_SHARE } else { share.parse()? };
    Ok(Design::Holdout(Holdout { train, n_repetitions, plain }))
}

impl fmt::Display for Holdout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "holdout:{}", self.train)?;
        self.n_repetitions.map_or(Ok(()), |n| write!(f, "x{n}"))?;
        f.write_str(if self.plain { ":plain" } else { "" })
    }
}

impl Scheme for Holdout {
    fn assign(&self, rows: &Rows<'_>, seed: u64) -> Result<Assigned, Error> {
        let n_rows = rows.n_rows();
        let n_train = self.train.of_rows(n_rows);
        check_parts(n_rows, &[(Part::Train, n_train), (Part::Test, n_rows - n_train.min(n_rows))])?;
        let strata = rows.classes().filter(|_| !self.plain);
        let given = strata.map(|classes| largest_remainder(self.train.get(), n_train, &classes.counts()));
        let part = |is_train: bool| if is_train { Part::Train } else { Part::Test };
        let assign = |seed| {
            let random = &mut Random::new(seed);
            match strata.zip(given.as_ref()) {
                None => deal(random, n_rows, |place| part(place < n_train)),
                Some((classes, given)) => {
                    deal_by_class(random, classes, |class, place| part(place < given[class]))
                }
            }
        };
        let assignment = Assignment::parts(self.n_repetitions, seed, assign);
        let warnings = part_warnings(&assignment, rows, self.plain);
        Ok(Assigned { assignment, warnings })
    }
}

/// Every part needs a row.
pub(super) fn check_parts(n_rows: usize, parts: &[(Part, usize)]) -> Result<(), Error> {
    match parts.iter().find(|(_, n)| *n == 0) {
        None => Ok(()),
        Some((part, _)) => Err(Error::new(
            ErrorKind::EmptyPart,
            format!(
                "the {} part of {n_rows} rows would hold none; choose other shares or bring more rows",
                part.name()
            ),
        )),
    }
}

/// Parts that lack a class, and whether classes were wanted but not given.
pub(super) fn part_warnings(assignment: &Assignment, rows: &Rows<'_>, plain: bool) -> Vec<Warning> {
    match rows.classes() {
        None if !plain => vec![Warning::NotStratified],
        classes => missing_classes(assignment, classes),
    }
}

#[cfg(test)]
mod tests {
    use super::super::label_column::LabelColumn;
    use super::super::{Plan, testing::Y};
    use super::*;
    use tribunal_random::derive_seed;

    fn plan(design: &str, rows: &Rows<'_>, seed: u64) -> Result<Plan, Error> {
        Plan::new(&design.parse().expect("a design"), rows, seed)
    }

    #[test]
    fn golden_holdouts() {
        let split = plan("holdout", &Rows::new(12), 42).expect("a plan").split(0);
        assert_eq!((split.train, split.test), (vec![0, 2, 3, 5, 7, 9, 10, 11], vec![1, 4, 6, 8]));
        let y = LabelColumn::of("y", Y);
        let split = plan("holdout", &Rows::of_classes(&y), 42).expect("a plan").split(0);
        assert_eq!((split.train, split.test), (vec![1, 2, 4, 5, 7, 8, 10, 11], vec![0, 3, 6, 9]));
    }

    #[test]
    fn a_repetition_is_the_single_holdout_of_its_derived_seed() {
        let y = LabelColumn::of("y", Y);
        let rows = Rows::of_classes(&y);
        let repeated = plan("holdout:0.6x3", &rows, 9).expect("a plan");
        assert_eq!(repeated.n_splits(), 3);
        for r in 0..3 {
            let single = plan("holdout:0.6", &rows, derive_seed(9, &[r as u64])).expect("a plan");
            assert_eq!(repeated.split(r), single.split(0));
        }
    }

    #[test]
    fn a_part_without_rows_is_refused_and_one_without_a_class_is_named() {
        for design in ["holdout:0.01", "holdout:0.99"] {
            let error = plan(design, &Rows::new(12), 1).expect_err("an empty part");
            assert_eq!(error.kind(), ErrorKind::EmptyPart);
        }
        let y = LabelColumn::of("y", ["a", "a", "a", "a", "a", "b"]);
        let warnings = plan("holdout:1/2", &Rows::of_classes(&y), 1).expect("a plan").warnings().to_vec();
        assert_eq!(warnings.len(), 1);
        assert!(
            warnings[0].to_string().contains("no row of class \"b\" in 1 of 1 splits"),
            "{}",
            warnings[0]
        );
    }
}
