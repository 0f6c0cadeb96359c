//! `bootstrap`: as many rows as there are, drawn with replacement, to learn from; those never drawn to test (Efron 1983).

use std::fmt;

use rustc_hash::FxHashSet;
use tribunal_random::{Random, derive_seed};

use super::assignment::{Assigned, Assignment, Scheme};
use super::design::{Design, DesignForm, counted};
use super::label_column::LabelColumn;
use super::rows::Rows;
use crate::error::{Error, ErrorKind};

/// Bootstrap replicates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bootstrap {
    /// How many replicates.
    pub n_replicates: u32,
}

pub(super) const FORM: DesignForm = DesignForm {
    name: "bootstrap",
    form: "bootstrap[:B]",
    definition: "B times (200) as many rows as there are, drawn with replacement; rows never drawn are tested",
    reference: "Efron 1983; Efron and Tibshirani 1997",
    examples: &["bootstrap", "bootstrap:50"],
    parse,
};

const USUAL_REPLICATES: u32 = 200;
const FEWEST_REPLICATES: u32 = 50;

fn parse(text: &str) -> Result<Design, Error> {
    let n_replicates = if text.is_empty() { USUAL_REPLICATES } else { counted(text, "replicates")? };
    check_replicates(n_replicates)?;
    Ok(Design::Bootstrap(Bootstrap { n_replicates }))
}

fn check_replicates(n: u32) -> Result<(), Error> {
    if n >= FEWEST_REPLICATES {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::BadReplicateCount,
        format!(
            "{n} replicates are too few for an estimate to settle; take {FEWEST_REPLICATES} at least, {USUAL_REPLICATES} as a rule"
        ),
    ))
}

impl fmt::Display for Bootstrap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bootstrap:{}", self.n_replicates)
    }
}

impl Scheme for Bootstrap {
    /// Replicates take child seeds in order; one that leaves nothing to test or draws a single class is passed over.
    fn assign(&self, rows: &Rows<'_>, seed: u64) -> Result<Assigned, Error> {
        check_replicates(self.n_replicates)?;
        let n_rows = rows.n_rows();
        // Where there is one class only, no draw can hold two.
        let classes =
            rows.classes().filter(|classes| classes.counts().iter().filter(|&&n| n > 0).count() > 1);
        if n_rows == 2 && classes.is_some() {
            return Err(Error::new(
                ErrorKind::TooFewRows,
                "two rows of two classes have no usable replicate: one that draws both classes leaves no row to test; \
                 bring more rows",
            ));
        }
        let (mut seeds, mut n_redrawn) = (Vec::new(), 0);
        for child in (0..).map(|tag| derive_seed(seed, &[tag])) {
            if seeds.len() == self.n_replicates as usize {
                break;
            }
            if is_usable(n_rows, child, classes) { seeds.push(child) } else { n_redrawn += 1 }
        }
        Ok(Assigned { assignment: Assignment::Replicates { seeds, n_redrawn }, warnings: Vec::new() })
    }
}

/// The rows of a replicate in the order of the draws.
pub(super) fn draw(n_rows: usize, seed: u64) -> Vec<u32> {
    draws(n_rows, seed).collect()
}

fn draws(n_rows: usize, seed: u64) -> impl Iterator<Item = u32> {
    let mut random = Random::new(seed);
    (0..n_rows).map(move |_| random.below(n_rows as u64) as u32)
}

/// Whether a replicate leaves a row out and draws two classes. Some row is left out as soon as another comes twice, so
/// a few draws tell.
fn is_usable(n_rows: usize, seed: u64, classes: Option<&LabelColumn>) -> bool {
    let mut drawn = FxHashSet::default();
    let mut first_class = None;
    let (mut leaves_out, mut has_two) = (false, classes.is_none());
    for row in draws(n_rows, seed) {
        leaves_out = leaves_out || !drawn.insert(row);
        has_two = has_two
            || classes.is_some_and(|classes| {
                let class = classes.codes()[row as usize];
                *first_class.get_or_insert(class) != class
            });
        if leaves_out && has_two {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::super::Plan;
    use super::*;

    #[test]
    fn golden_draw() {
        assert_eq!(draw(12, 42), [1, 4, 8, 11, 11, 9, 8, 10, 9, 7, 8, 3]);
        let plan = Plan::new(&"bootstrap:50".parse().expect("a design"), &Rows::new(12), 42).expect("a plan");
        for replicate in 0..50 {
            let split = plan.split(replicate);
            assert_eq!(split.train, draw(12, derive_seed(42, &[replicate as u64])));
            assert!(split.test.iter().all(|row| !split.train.contains(row)));
        }
    }

    #[test]
    fn unusable_replicates_are_drawn_again_and_counted() {
        let y = LabelColumn::of("y", ["a", "a", "b"]);
        let plan = Plan::new(&Design::Bootstrap(Bootstrap { n_replicates: 200 }), &Rows::of_classes(&y), 1);
        let plan = plan.expect("a plan");
        let usable = |tag: &u64| {
            let rows = draw(3, derive_seed(1, &[*tag]));
            rows.contains(&2) && rows.iter().any(|&row| row != 2) && !(0..3).all(|row| rows.contains(&row))
        };
        let tags: Vec<u64> = (0..).filter(usable).take(200).collect();
        assert_eq!(plan.n_redrawn(), tags[199] + 1 - 200);
        assert!(plan.n_redrawn() > 0);
        for (replicate, tag) in tags.iter().enumerate() {
            assert_eq!(plan.split(replicate).train, draw(3, derive_seed(1, &[*tag])));
        }
    }

    #[test]
    fn replicates_hold_the_expected_share_of_distinct_rows() {
        for (n, expected) in [(10, 0.348678440), (100, 0.366032341), (1000, 0.367695425)] {
            assert!(((1.0 - 1.0 / f64::from(n)).powi(n) - expected).abs() < 5e-10);
        }
        let plan = Plan::new(&"bootstrap".parse().expect("a design"), &Rows::new(1000), 3).expect("a plan");
        let left_out: usize = (0..200).map(|replicate| plan.split(replicate).test.len()).sum();
        assert!((left_out as f64 / 200_000.0 - 0.3677).abs() < 0.003);
    }

    #[test]
    fn what_cannot_be_drawn_is_refused() {
        let y = LabelColumn::of("y", ["a", "b"]);
        let design = Design::Bootstrap(Bootstrap { n_replicates: 50 });
        let error = Plan::new(&design, &Rows::of_classes(&y), 1).expect_err("no replicate");
        assert_eq!(error.kind(), ErrorKind::TooFewRows);
        let one_class = LabelColumn::of("y", ["a", "a"]);
        assert!(Plan::new(&design, &Rows::of_classes(&one_class), 1).is_ok());
    }
}
