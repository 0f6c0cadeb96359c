//! `three-way`: rows to learn from, rows to choose settings on, rows that are looked at once, at the end.
//!
//! What is reported is the error on the test part before the chosen model is fitted again on all rows (Witten and Frank
//! 2005).

use std::fmt;

use tribunal_random::Random;

use super::assignment::{Assigned, Assignment, Scheme};
use super::deal::{deal, deal_by_class};
use super::design::{Design, DesignForm, split_plain};
use super::holdout::{check_parts, part_warnings};
use super::label_column::LabelColumn;
use super::rows::Rows;
use super::share::{Share, largest_remainder};
use super::split::Part;
use crate::error::{Error, ErrorKind};

/// A split into three parts.
#[derive(Clone, Debug, PartialEq)]
pub struct ThreeWay {
    /// The share to learn from.
    pub train: Share,
    /// The share to choose settings on.
    pub validation: Share,
    /// Without regard to classes.
    pub plain: bool,
}

pub(super) const FORM: DesignForm = DesignForm {
    name: "three-way",
    form: "three-way[:TRAIN,VALIDATION][:plain]",
    definition: "shares to learn from (1/2) and to choose settings on (1/4), the rest to test; classes shared alike unless plain",
    reference: "Witten and Frank 2005",
    examples: &["three-way", "three-way:0.6,0.2", "three-way:1/3,1/3:plain"],
    parse,
};

fn parse(text: &str) -> Result<Design, Error> {
    let (text, plain) = split_plain(text);
    let (train, validation) = match text.split_once(',') {
        None if text.is_empty() => (Share::constant(1, 2), Share::constant(1, 4)),
        None => {
            return Err(Error::new(
                ErrorKind::BadDesign,
                format!(
                    "`{text}` is one share, and a three-way design needs two: three-way:TRAIN,VALIDATION"
                ),
            ));
        }
        Some((train, validation)) => (train.parse()?, validation.parse()?),
    };
    Ok(Design::ThreeWay(ThreeWay { train, validation, plain }))
}

impl fmt::Display for ThreeWay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "three-way:{},{}{}", self.train, self.validation, if self.plain { ":plain" } else { "" })
    }
}

/// How many rows learn and how many validate.
#[derive(Clone, Copy)]
struct Sizes {
    train: usize,
    validation: usize,
}

impl Sizes {
    /// The part of a place in the shuffled rows.
    fn part(self, place: usize) -> Part {
        match place {
            place if place < self.train => Part::Train,
            place if place < self.train + self.validation => Part::Validation,
            _ => Part::Test,
        }
    }
}

impl ThreeWay {
    fn sizes(&self, n_rows: usize) -> Result<Sizes, Error> {
        let (train, validation) = (self.train.of_rows(n_rows), self.validation.of_rows(n_rows));
        let test = n_rows.saturating_sub(train + validation);
        check_parts(n_rows, &[(Part::Train, train), (Part::Validation, validation), (Part::Test, test)])?;
        Ok(Sizes { train, validation })
    }

    /// The sizes within each class: training rows first, then validation rows among the remaining ones.
    fn sizes_by_class(&self, sizes: Sizes, classes: &LabelColumn) -> Vec<Sizes> {
        let counts = classes.counts();
        let train = largest_remainder(self.train.get(), sizes.train, &counts);
        let left: Vec<usize> = counts.iter().zip(&train).map(|(count, train)| count - train).collect();
        let share = sizes.validation as f64 / left.iter().sum::<usize>() as f64;
        let validation = largest_remainder(share, sizes.validation, &left);
        train.into_iter().zip(validation).map(|(train, validation)| Sizes { train, validation }).collect()
    }
}

impl Scheme for ThreeWay {
    fn assign(&self, rows: &Rows<'_>, seed: u64) -> Result<Assigned, Error> {
        let sizes = self.sizes(rows.n_rows())?;
        let strata = rows.classes().filter(|_| !self.plain);
        let assign = |seed| {
            let random = &mut Random::new(seed);
            match strata {
                None => deal(random, rows.n_rows(), |place| sizes.part(place)),
                Some(classes) => {
                    let sizes = self.sizes_by_class(sizes, classes);
                    deal_by_class(random, classes, |class, place| sizes[class].part(place))
                }
            }
        };
        let assignment = Assignment::parts(None, seed, assign);
        let warnings = part_warnings(&assignment, rows, self.plain);
        Ok(Assigned { assignment, warnings })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Plan, testing::Y};
    use super::*;

    #[test]
    fn parts_have_their_sizes_and_share_classes_alike() {
        let y = LabelColumn::of("y", Y);
        let check = |design: &str, sizes: [usize; 3], positives: [usize; 3]| {
            let plan =
                Plan::new(&design.parse().expect("a design"), &Rows::of_classes(&y), 3).expect("a plan");
            let split = plan.split(0);
            assert_eq!(Part::ALL.map(|part| split.part(part).len()), sizes, "{design}");
            let found =
                |part: Part| split.part(part).iter().filter(|&&row| y.codes()[row as usize] == 1).count();
            assert_eq!(Part::ALL.map(found), positives, "{design}");
        };
        check("three-way", [6, 3, 3], [2, 1, 1]);
        check("three-way:0.5,1/3", [6, 4, 2], [2, 1, 1]);
    }

    #[test]
    fn the_plain_design_cuts_one_shuffled_list() {
        let plan =
            Plan::new(&"three-way:1/3,1/3".parse().expect("a design"), &Rows::new(12), 42).expect("a plan");
        let mut order: Vec<u32> = (0..12).collect();
        Random::new(42).shuffle(&mut order);
        let sorted = |rows: &[u32]| {
            let mut rows = rows.to_vec();
            rows.sort_unstable();
            rows
        };
        let split = plan.split(0);
        assert_eq!(
            Part::ALL.map(|part| split.part(part).to_vec()),
            [0, 4, 8].map(|from| sorted(&order[from..from + 4]))
        );
    }

    #[test]
    fn shares_that_leave_no_test_part_are_refused() {
        let error = Plan::new(&"three-way:0.5,0.5".parse().expect("a design"), &Rows::new(12), 1);
        let error = error.expect_err("no test part");
        assert_eq!(error.kind(), ErrorKind::EmptyPart);
        assert!(error.to_string().starts_with("the test part of 12 rows"), "{error}");
    }
}
