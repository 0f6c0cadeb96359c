//! The cost matrix: what it costs to predict a class where another is true, and which prediction costs least.
//!
//! **Definition** `C[i][j]` is the cost of predicting class i where j is true; benefits are negative costs. The expected cost of
//! predicting i is `R(i) = sum_j p(j|x) C[i][j]`, and the class with the least is predicted. Of two classes the positive one is
//! predicted from the probability p* = (C[1][0] - C[0][0]) / (C[1][0] - C[0][0] + C[0][1] - C[1][1]) on, ties included.
//!
//! **Undefined when** an error costs no more than being right does, or less than nothing: one class would never be predicted.
//!
//! **Reference** Elkan 2001.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::ClassWeights;
use crate::error::{Error, ErrorKind};
use crate::text_form::written_as_text;

/// Expected costs that differ by less than so much of their size are the same.
const TOLERANCE: f64 = 1e-12;

/// What predictions cost, written as the costs of a false positive and of a false negative (`1:5`), or as the whole matrix: a
/// row for each predicted class, rows apart by slashes (`0:5/1:0`).
///
/// ```
/// use tribunal_learn::CostMatrix;
///
/// let costs: CostMatrix = "1:5".parse()?;
/// assert_eq!((costs.cost(1, 0), costs.cost(0, 1)), (1.0, 5.0));
/// assert!((costs.threshold().expect("two classes") - 1.0 / 6.0).abs() < 1e-12);
/// assert_eq!(costs.decide(&[0.8, 0.2]), 1);
/// assert_eq!("0:5/1:0".parse::<CostMatrix>()?, costs);
/// assert!("2:5/1:0".parse::<CostMatrix>().is_err());
/// # Ok::<(), tribunal_learn::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct CostMatrix {
    n_classes: usize,
    /// Predicted class by predicted class.
    cells: Vec<f64>,
}

impl CostMatrix {
    /// Of two classes: what acting on a negative costs and what missing a positive costs, which may be infinite.
    ///
    /// # Errors
    /// A cost is missing, zero or below, or that of a false positive is infinite.
    pub fn of_errors(false_positive: f64, false_negative: f64) -> Result<CostMatrix, Error> {
        CostMatrix::new(vec![vec![0.0, false_negative], vec![false_positive, 0.0]])
    }

    /// A row for each predicted class, which has the cost of each true class.
    ///
    /// # Errors
    /// The matrix is not square or has fewer than two classes; a cell is not a number, or infinite unless it is the cost of a
    /// missed positive; an error costs less than nothing or less than being right, of two classes also as much.
    pub fn new(rows: Vec<Vec<f64>>) -> Result<CostMatrix, Error> {
        let n_classes = rows.len();
        if n_classes < 2 || rows.iter().any(|row| row.len() != n_classes) {
            return Err(bad(
                "a cost matrix has a row for each class it may predict, and in each a cost for each true class",
            ));
        }
        let costs = CostMatrix { n_classes, cells: rows.concat() };
        costs.checked()
    }

    fn checked(self) -> Result<CostMatrix, Error> {
        let n = self.n_classes;
        let errors = (0..n).flat_map(|i| (0..n).map(move |j| (i, j))).filter(|(i, j)| i != j);
        for (i, j) in errors {
            let (cost, right) = (self.cost(i, j), self.cost(j, j));
            let may_be_infinite = n == 2 && (i, j) == (0, 1);
            let is_number =
                (cost.is_finite() || (may_be_infinite && cost == f64::INFINITY)) && right.is_finite();
            if !is_number {
                return Err(bad(
                    "costs are numbers; of two classes that of a missed positive may be infinite",
                ));
            }
            if cost < 0.0 || cost < right || (n == 2 && cost == right) {
                let problem = format!(
                    "the costs {self} are degenerate: predicting class {i} where {j} is true costs {cost}, and being right \
                     {right}, so that one prediction would never be worth while"
                );
                let advice = "an error costs more than nothing and more than being right";
                return Err(Error::new(ErrorKind::DegenerateCosts, problem).advise(advice));
            }
        }
        match self.class_weights().as_slice().iter().all(|&weight| weight == 0.0) {
            true => Err(Error::new(ErrorKind::ZeroWeight, format!("the costs {self} weigh no class"))
                .advise("at least one error has to cost more than being right")),
            false => Ok(self),
        }
    }

    /// How many classes there are.
    pub fn n_classes(&self) -> usize {
        self.n_classes
    }

    /// What it costs to predict a class where another is true.
    ///
    /// # Panics
    /// There is no such class.
    pub fn cost(&self, predicted: usize, actual: usize) -> f64 {
        self.cells[predicted * self.n_classes + actual]
    }

    /// The expected cost of predicting a class, given the probability of each. What costs infinitely much is never risked.
    pub fn expected(&self, predicted: usize, probabilities: &[f64]) -> f64 {
        let term = |(actual, p): (usize, &f64)| match self.cost(predicted, actual) {
            f64::INFINITY => f64::INFINITY,
            cost => p * cost,
        };
        probabilities.iter().enumerate().map(term).sum()
    }

    /// The class that costs least, given the probability of each: of two that cost the same the positive one, of more the
    /// first.
    pub fn decide(&self, probabilities: &[f64]) -> usize {
        let risks: Vec<f64> = (0..self.n_classes).map(|class| self.expected(class, probabilities)).collect();
        if let [negative, positive] = risks[..] {
            return usize::from(positive <= negative + TOLERANCE * negative.abs().max(1.0));
        }
        let better = |best: usize, class: usize| if risks[class] < risks[best] { class } else { best };
        (0..risks.len()).fold(0, better)
    }

    /// Of two classes, the probability from which on the positive one is predicted.
    pub fn threshold(&self) -> Option<f64> {
        (self.n_classes == 2).then(|| self.class_weights().cut())
    }

    /// What a row of each class weighs: the cost of misclassifying it beyond that of being right, of more than two classes
    /// summed over the wrong predictions. Where one is infinite, the others weigh nothing.
    ///
    /// ```
    /// use tribunal_learn::CostMatrix;
    ///
    /// let costs = CostMatrix::new(vec![vec![0.0, 10.0], vec![1.0, -2.0]])?;
    /// assert_eq!(costs.class_weights().as_slice(), [1.0, 12.0]);
    /// # Ok::<(), tribunal_learn::Error>(())
    /// ```
    pub fn class_weights(&self) -> ClassWeights {
        let classes = 0..self.n_classes;
        let weight = |actual: usize| -> f64 {
            let wrong = classes.clone().filter(|&predicted| predicted != actual);
            wrong.map(|predicted| self.cost(predicted, actual) - self.cost(actual, actual)).sum()
        };
        let weights: Vec<f64> = classes.clone().map(weight).collect();
        match weights.contains(&f64::INFINITY) {
            true => ClassWeights::new(
                weights.iter().map(|&weight| f64::from(u8::from(weight.is_infinite()))).collect(),
            ),
            false => ClassWeights::new(weights),
        }
    }

    fn is_of_errors_only(&self) -> bool {
        self.n_classes == 2 && self.cost(0, 0) == 0.0 && self.cost(1, 1) == 0.0
    }
}

fn bad(problem: &str) -> Error {
    Error::new(ErrorKind::BadText, problem)
        .advise("costs are written FP:FN, as in 1:5, or as a matrix by predicted class, as in 0:5/1:0")
}

impl FromStr for CostMatrix {
    type Err = Error;

    fn from_str(text: &str) -> Result<CostMatrix, Error> {
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| !number.is_nan());
        let row = |row: &str| row.split(':').map(number).collect::<Option<Vec<f64>>>();
        let rows = text.split('/').map(row).collect::<Option<Vec<Vec<f64>>>>();
        match rows.ok_or_else(|| bad(&format!("{text:?} are no costs")))? {
            rows if rows.len() == 1 => match rows[0][..] {
                [false_positive, false_negative] => CostMatrix::of_errors(false_positive, false_negative),
                _ => Err(bad(&format!("{text:?} are no costs"))),
            },
            rows => CostMatrix::new(rows),
        }
    }
}

impl fmt::Display for CostMatrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_of_errors_only() {
            return write!(f, "{}:{}", self.cost(1, 0), self.cost(0, 1));
        }
        let row = |row: &[f64]| row.iter().map(f64::to_string).collect::<Vec<_>>().join(":");
        let rows: Vec<String> = self.cells.chunks(self.n_classes).map(row).collect();
        f.write_str(&rows.join("/"))
    }
}

written_as_text!(CostMatrix);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn costs(text: &str) -> CostMatrix {
        text.parse().expect(text)
    }

    #[test]
    fn golden_thresholds() {
        let check = |text: &str, expected: f64| {
            let found = costs(text).threshold().expect("two classes");
            assert!((found - expected).abs() < 1e-9, "{text}: {found}");
        };
        check("1:5", 0.166666667);
        check("1:1", 0.5);
        check("0:10/1:-2", 0.076923077);
        check("1:inf", 0.0);
    }

    #[test]
    fn golden_metacost_labels() {
        let costs = costs("1:5");
        let means = [0.2, 0.15, 0.6, 1.0 / 6.0].map(|p: f64| [1.0 - p, p]);
        assert_eq!(means.map(|p| costs.decide(&p)), [1, 0, 1, 1]);
        let risks = [[1.0, 0.8], [0.75, 0.85], [3.0, 0.4], [0.833333, 0.833333]];
        for (p, expected) in means.iter().zip(risks) {
            for (class, expected) in expected.into_iter().enumerate() {
                assert!((costs.expected(class, p) - expected).abs() < 1e-6);
            }
        }
    }

    #[test]
    fn texts_come_back() {
        for text in ["1:5", "0.5:2", "1:inf", "0:10/1:-2", "0:1:5/2:0:1/3:4:0"] {
            assert_eq!(costs(text).to_string(), text);
        }
        assert_eq!(costs("0:5/1:0").to_string(), "1:5");
    }

    #[test]
    fn what_cannot_decide_is_refused() {
        let kind = |text: &str| text.parse::<CostMatrix>().expect_err(text).kind();
        for text in ["1,5:3", "1", "1:2:3", "0:1/2", "nan:1", "", "1:5/", "inf:1", "inf:inf", "0:1/1:inf"] {
            assert_eq!(kind(text), ErrorKind::BadText, "{text}");
        }
        // Predicting the positive class would always be cheaper, never, or pay for being wrong.
        for text in ["2:5/1:0", "0:5", "5:0", "-1:5", "0:1/1:2", "-3:1/-2:0"] {
            assert_eq!(kind(text), ErrorKind::DegenerateCosts, "{text}");
        }
        assert_eq!(kind("0:0:0/0:0:0/0:0:0"), ErrorKind::ZeroWeight);
    }

    #[test]
    fn a_missed_positive_without_price_is_never_risked() {
        let costs = costs("1:inf");
        assert_eq!([0.0, 1e-300, 1.0].map(|p| costs.decide(&[1.0 - p, p])), [1, 1, 1]);
        assert_eq!(costs.class_weights().as_slice(), [0.0, 1.0]);
    }

    proptest! {
        /// A constant added to a column, and another unit of money, change no decision.
        #[test]
        fn decisions_depend_on_differences_alone(
            errors in prop::array::uniform6(0.01_f64..20.0),
            added in prop::array::uniform3(0.0_f64..5.0),
            scale in 0.01_f64..100.0,
            shares in prop::array::uniform3(0.01_f64..1.0),
        ) {
            let [a, b, c, d, e, f] = errors;
            let rows = [[0.0, a, b], [c, 0.0, d], [e, f, 0.0]];
            let changed = rows.map(|row| [0, 1, 2].map(|j| scale * (row[j] + added[j])).to_vec());
            let plain = CostMatrix::new(rows.map(|row| row.to_vec()).to_vec()).expect("costs");
            let changed = CostMatrix::new(changed.to_vec()).expect("costs");
            let sum: f64 = shares.iter().sum();
            let p = shares.map(|share| share / sum);
            let mut risks: Vec<f64> = (0..3).map(|class| plain.expected(class, &p)).collect();
            risks.sort_by(f64::total_cmp);
            prop_assume!(risks[1] - risks[0] > 1e-9);
            prop_assert_eq!(plain.decide(&p), changed.decide(&p));
        }

        #[test]
        fn the_threshold_decides_as_the_expected_costs_do(fp in 0.01_f64..50.0, fn_ in 0.01_f64..50.0, p in 0.0_f64..1.0) {
            let costs = CostMatrix::of_errors(fp, fn_).expect("costs");
            let threshold = costs.threshold().expect("two classes");
            prop_assume!((p - threshold).abs() > 1e-9);
            prop_assert_eq!(costs.decide(&[1.0 - p, p]) == 1, p >= threshold);
        }
    }
}
