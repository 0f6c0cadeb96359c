//! `cv`: every fold is tested once by what was learned from the others, once or several times over.
//!
//! Stratified folds deal the rows of one class after the other without starting again at the first fold, so that the
//! sizes of folds and the numbers of each class in them differ by one at most (Stone 1974; Kohavi 1995).

use std::fmt;

use tribunal_random::Random;

use super::assignment::{Assigned, Assignment, FoldNumbers, Scheme};
use super::deal::{deal, deal_by_class};
use super::design::{Design, DesignForm, counted, repetitions_after, split_plain};
use super::label_column::LabelColumn;
use super::rows::Rows;
use super::warning::{Warning, missing_classes, small_classes};
use crate::error::{Error, ErrorKind};

/// Cross-validation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cv {
    /// How many folds.
    pub n_folds: u32,
    /// How many times over; repetition r of a repeated design has the seed derived for r.
    pub n_repetitions: Option<u32>,
    /// Without regard to classes.
    pub plain: bool,
}

pub(super) const FORM: DesignForm = DesignForm {
    name: "cv",
    form: "cv:K[xR][:plain]",
    definition: "K folds, each tested once, R times over; classes shared alike unless plain",
    reference: "Stone 1974; Kohavi 1995",
    examples: &["cv:10", "cv:10:plain", "cv:10x5", "cv:2x3:plain"],
    parse,
};

const USUAL_FOLDS: u32 = 10;

fn parse(text: &str) -> Result<Design, Error> {
    let (text, plain) = split_plain(text);
    let (folds, n_repetitions) = repetitions_after(text)?;
    let n_folds = if folds.is_empty() { USUAL_FOLDS } else { counted(folds, "folds")? };
    check_folds(n_folds, usize::MAX)?;
    Ok(Design::Cv(Cv { n_folds, n_repetitions, plain }))
}

/// Two folds at least, and no more than rows.
pub(super) fn check_folds(n_folds: u32, n_rows: usize) -> Result<(), Error> {
    let wrong = |words| Err(Error::new(ErrorKind::BadFoldCount, words));
    match n_folds as usize {
        k @ (0 | 1) => {
            wrong(format!("{k} is no number of folds: one fold is tested by the others, so take two or more"))
        }
        k if k > n_rows => wrong(format!(
            "{k} folds are more than the {n_rows} rows, and a fold without rows tests nothing; take at most {n_rows} folds"
        )),
        _ => Ok(()),
    }
}

impl fmt::Display for Cv {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cv:{}", self.n_folds)?;
        self.n_repetitions.map_or(Ok(()), |n| write!(f, "x{n}"))?;
        f.write_str(if self.plain { ":plain" } else { "" })
    }
}

impl Scheme for Cv {
    fn assign(&self, rows: &Rows<'_>, seed: u64) -> Result<Assigned, Error> {
        check_folds(self.n_folds, rows.n_rows())?;
        let n_folds = self.n_folds;
        let strata = rows.classes().filter(|_| !self.plain);
        let assign = |seed| fold_numbers(n_folds, rows.n_rows(), strata, seed);
        let assignment = Assignment::folds(n_folds, self.n_repetitions, seed, assign);
        let warnings = match strata {
            Some(classes) => small_classes(classes, n_folds),
            None if self.plain => missing_classes(&assignment, rows.classes()),
            None => vec![Warning::NotStratified],
        };
        Ok(Assigned { assignment, warnings })
    }
}

/// The fold of each row.
fn fold_numbers(n_folds: u32, n_rows: usize, strata: Option<&LabelColumn>, seed: u64) -> FoldNumbers {
    if n_folds <= FoldNumbers::MOST_NARROW {
        FoldNumbers::Narrow(dealt(n_rows, strata, seed, |place| (place % n_folds) as u8))
    } else {
        FoldNumbers::Wide(dealt(n_rows, strata, seed, |place| place % n_folds))
    }
}

/// What `fold` makes of the place of each row in the deal.
fn dealt<T: Copy>(n_rows: usize, strata: Option<&LabelColumn>, seed: u64, fold: impl Fn(u32) -> T) -> Vec<T> {
    let mut random = Random::new(seed);
    let Some(classes) = strata else { return deal(&mut random, n_rows, |place| fold(place as u32)) };
    let before = |dealt: &mut usize, n: usize| Some(std::mem::replace(dealt, *dealt + n));
    let starts: Vec<usize> = classes.counts().into_iter().scan(0, before).collect();
    deal_by_class(&mut random, classes, |class, place| fold((starts[class] + place) as u32))
}

#[cfg(test)]
mod tests {
    use super::super::{Plan, testing::Y};
    use super::*;
    use tribunal_random::derive_seed;

    fn folds(plan: &Plan) -> Vec<u32> {
        let mut folds = vec![0; plan.n_rows()];
        (0..plan.n_splits()).for_each(|fold| {
            plan.split(fold).test.iter().for_each(|&row| folds[row as usize] = fold as u32);
        });
        folds
    }

    fn plan(design: &str, rows: &Rows<'_>, seed: u64) -> Plan {
        Plan::new(&design.parse().expect("a design"), rows, seed).expect("a plan")
    }

    #[test]
    fn golden_folds() {
        assert_eq!(folds(&plan("cv:5", &Rows::new(12), 42)), [0, 1, 1, 3, 0, 1, 4, 2, 3, 4, 0, 2]);
        let y = LabelColumn::of("y", Y);
        let stratified = plan("cv:4", &Rows::of_classes(&y), 42);
        assert_eq!(folds(&stratified), [3, 0, 1, 2, 1, 3, 1, 2, 0, 3, 2, 0]);
        assert_eq!(
            folds(&plan("cv:5:plain", &Rows::of_classes(&y), 42)),
            folds(&plan("cv:5", &Rows::new(12), 42))
        );
    }

    /// Positives in each of ten folds of 1399 claims, the targets of Viaene, Derrig, Baesens and Dedene (2002).
    #[test]
    fn golden_fold_sizes_do_not_depend_on_the_seed() {
        let check = |positives: usize, expected: [usize; 10]| {
            let y = LabelColumn::of("y", (0..1399).map(|row| if row < positives { "1" } else { "0" }));
            for seed in [1, 42] {
                let plan = plan("cv:10", &Rows::of_classes(&y), seed);
                let tests = || (0..10).map(|fold| plan.split(fold).test);
                let sizes: Vec<usize> = tests().map(|test| test.len()).collect();
                assert_eq!(sizes, [140, 140, 140, 140, 140, 140, 140, 140, 140, 139]);
                let found =
                    tests().map(|test| test.iter().filter(|&&row| (row as usize) < positives).count());
                assert_eq!(found.collect::<Vec<_>>(), expected, "{positives} positives");
            }
        };
        check(601, [60, 60, 60, 60, 60, 60, 60, 60, 61, 60]);
        check(396, [39, 39, 39, 40, 40, 40, 40, 40, 40, 39]);
        check(123, [12, 12, 12, 12, 12, 12, 13, 13, 13, 12]);
        check(504, [50, 50, 50, 50, 50, 51, 51, 51, 51, 50]);
        check(228, [22, 23, 23, 23, 23, 23, 23, 23, 23, 22]);
    }

    #[test]
    fn a_repetition_is_the_single_plan_of_its_derived_seed() {
        let y = LabelColumn::of("y", Y);
        let rows = Rows::of_classes(&y);
        let repeated = plan("cv:3x4", &rows, 7);
        for r in 0..4 {
            let single = plan("cv:3", &rows, derive_seed(7, &[r as u64]));
            (0..3).for_each(|fold| assert_eq!(repeated.split(3 * r + fold), single.split(fold)));
        }
    }

    #[test]
    fn a_single_class_is_dealt_like_no_class() {
        let one = LabelColumn::of("y", ["x"; 30]);
        assert_eq!(folds(&plan("cv:4", &Rows::of_classes(&one), 5)), folds(&plan("cv:4", &Rows::new(30), 5)));
    }

    #[test]
    fn as_many_folds_as_rows_is_leave_one_out_in_random_order() {
        let all = plan("cv:300", &Rows::new(300), 5);
        let mut tested: Vec<u32> = (0..300).flat_map(|fold| all.split(fold).test).collect();
        assert!(!tested.is_sorted());
        tested.sort_unstable();
        assert!(tested.into_iter().eq(0..300));
    }

    #[test]
    fn impossible_folds_and_small_classes_are_named() {
        let error = Plan::new(&"cv:13".parse().expect("a design"), &Rows::new(12), 1).expect_err("too many");
        assert_eq!(error.kind(), ErrorKind::BadFoldCount);
        assert!(error.to_string().contains("at most 12 folds"), "{error}");
        let y = LabelColumn::of("y", Y);
        let warnings = plan("cv:6", &Rows::of_classes(&y), 1).warnings().to_vec();
        assert_eq!(warnings, [Warning::ClassSmallerThanFolds { class: "1".into(), n_rows: 4, n_folds: 6 }]);
        assert!(warnings[0].to_string().contains("2 of them test without it"), "{}", warnings[0]);
        assert_eq!(plan("cv:3", &Rows::new(12), 1).warnings(), [Warning::NotStratified]);
    }
}
