//! The settings of boosted trees, as text and as values.

use std::fmt;
use std::str::FromStr;

use crate::error::Error;
use crate::learners::arguments::{self, Arguments, written};

/// More than anybody needs.
const MOST_TREES: usize = 10_000;
const MOST_DEPTH: usize = 64;
const MOST_LEAVES: usize = 65_536;

/// Below this the rounding errors of sums could pass for rows, and a leaf without rows for a leaf.
const LEAST_HESSIAN: f32 = 1e-3;

/// The settings of boosted trees. Those that are numbers are of the precision that trees are grown in.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Boost {
    pub(super) trees: usize,
    /// The share of its best step that a tree takes.
    pub(super) rate: f32,
    /// `None` where only the number of leaves limits a tree.
    pub(super) depth: Option<usize>,
    /// `None` where only the depth limits a tree; otherwise leaves are split where the loss is largest.
    pub(super) leaves: Option<usize>,
    pub(super) l2: f32,
    /// The least Hessian of the log-loss, the weighted sum of p (1 - p), over the rows of a leaf. It is no number of rows: of
    /// rows that are sure, more are needed. xgboost calls it min_child_weight, LightGBM min_sum_hessian_in_leaf.
    pub(super) min_hessian: f32,
    /// What a split has to gain.
    pub(super) gain: f32,
    /// The share of rows that each tree sees.
    pub(super) sample: f32,
    /// The share of columns that each tree sees.
    pub(super) columns: f64,
}

/// What is used unless told otherwise. Shallow trees do best on a few thousand rows and lose little on many.
pub(super) const USUAL: Boost = Boost {
    trees: 200,
    rate: 0.1,
    depth: Some(4),
    leaves: None,
    l2: 1.0,
    min_hessian: 5.0,
    gain: 0.0,
    sample: 1.0,
    columns: 1.0,
};

impl Boost {
    /// Takes the settings from the text of a learner.
    ///
    /// # Errors
    /// A value is out of range.
    pub(super) fn parse(arguments: &mut Arguments<'_>) -> Result<Boost, Error> {
        let up_to = |most: usize| move |text: &str| arguments::count(text).filter(|&count| count <= most);
        let trees = arguments.keyed("trees", "a whole number from 1 to 10000", up_to(MOST_TREES))?;
        let depth = arguments.keyed("depth", "a whole number from 1 to 64", up_to(MOST_DEPTH))?;
        let at_least_two = |text: &str| up_to(MOST_LEAVES)(text).filter(|&leaves| leaves >= 2);
        let leaves = arguments.keyed("leaves", "a whole number from 2 to 65536", at_least_two)?;
        let least = |text: &str| amount(text).filter(|&hessian| hessian >= LEAST_HESSIAN);
        let renamed =
            "a setting: it never counted rows, and the least sum of p (1 - p) in a leaf is min_hessian=5";
        arguments.keyed("min", renamed, |_| None::<f32>)?;
        Ok(Boost {
            trees: trees.unwrap_or(USUAL.trees),
            rate: arguments.keyed("rate", "above 0 and at most 1", share)?.unwrap_or(USUAL.rate),
            depth: depth.or(if leaves.is_none() { USUAL.depth } else { None }),
            leaves,
            l2: arguments.keyed("l2", "a number from 0", amount)?.unwrap_or(USUAL.l2),
            min_hessian: arguments
                .keyed("min_hessian", "a number from 0.001", least)?
                .unwrap_or(USUAL.min_hessian),
            gain: arguments.keyed("gain", "a number from 0", amount)?.unwrap_or(USUAL.gain),
            sample: arguments.keyed("sample", "above 0 and at most 1", share)?.unwrap_or(USUAL.sample),
            columns: arguments.keyed("columns", "above 0 and at most 1", share)?.unwrap_or(USUAL.columns),
        })
    }

    /// The settings that are not as usual.
    fn texts(&self) -> Vec<String> {
        let usual_depth = if self.leaves.is_none() { USUAL.depth } else { None };
        vec![
            unusual("trees", &self.trees, &USUAL.trees),
            unusual("rate", &self.rate, &USUAL.rate),
            self.depth.map_or(String::new(), |depth| unusual("depth", &depth, &usual_depth.unwrap_or(0))),
            self.leaves.map_or(String::new(), |leaves| format!("leaves={leaves}")),
            unusual("l2", &self.l2, &USUAL.l2),
            unusual("min_hessian", &self.min_hessian, &USUAL.min_hessian),
            unusual("gain", &self.gain, &USUAL.gain),
            unusual("sample", &self.sample, &USUAL.sample),
            unusual("columns", &self.columns, &USUAL.columns),
        ]
    }
}

/// A setting as text; nothing where it is as usual.
fn unusual<T: PartialEq + fmt::Display>(key: &str, value: &T, usual: &T) -> String {
    if value == usual { String::new() } else { format!("{key}={value}") }
}

/// A number above zero, or zero, that single precision can hold.
fn amount(text: &str) -> Option<f32> {
    f32::from_str(text).ok().filter(|number| number.is_finite() && *number >= 0.0)
}

/// A share above zero.
fn share<T: FromStr + PartialOrd + From<u8>>(text: &str) -> Option<T> {
    text.parse().ok().filter(|share| *share > T::from(0) && *share <= T::from(1))
}

impl fmt::Display for Boost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&written(super::FORM.name, self.texts()))
    }
}

#[cfg(test)]
mod tests {
    use crate::learners::Learner;

    fn check(text: &str, expected: &str) {
        assert_eq!(text.parse::<Learner>().expect(text).to_string(), expected);
    }

    #[test]
    fn what_is_as_usual_is_not_written() {
        check("boost", "boost");
        check("boost:trees=200,rate=0.1,depth=4,l2=1.0,min_hessian=5,gain=0,sample=1,columns=1", "boost");
        check("boost:leaves=31", "boost:leaves=31");
        check("boost:leaves=31,depth=4", "boost:depth=4,leaves=31");
        check("boost:depth=6,trees=50", "boost:trees=50,depth=6");
        check(
            "boost:columns=0.30,sample=0.7,l2=0,min_hessian=1e-3",
            "boost:l2=0,min_hessian=0.001,sample=0.7,columns=0.3",
        );
    }

    #[test]
    fn settings_out_of_range_are_refused() {
        let wrong = [
            "trees=0",
            "trees=10001",
            "rate=0",
            "rate=1.5",
            "rate=nan",
            "depth=0",
            "depth=65",
            "leaves=1",
            "l2=-1",
            "l2=1e39",
            "l2=inf",
            "min=5",
            "min_hessian=0",
            "gain=-1",
            "sample=0",
            "sample=1.1",
            "columns=0",
            "columns=-0.5",
            "200",
        ];
        for wrong in wrong {
            assert!(format!("boost:{wrong}").parse::<Learner>().is_err(), "{wrong}");
        }
        let error = |text: &str| text.parse::<Learner>().expect_err(text).to_string();
        let found = error("boost:min_hessian=0");
        assert!(found.contains("min_hessian=0 is not a number from 0.001"), "{found}");
        let found = error("boost:min=20");
        assert!(found.contains("min=20 is not a setting: it never counted rows"), "{found}");
        assert!(found.contains("min_hessian=5"), "{found}");
    }
}
