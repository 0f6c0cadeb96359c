//! The probability of each class, row by row, validated once.

use super::class_labels::ClassLabels;
use crate::checks::{at_least, within};
use crate::error::Error;

/// Rows whose probabilities add up to one but for so much are taken as they are: scores are written with few digits.
const SUM_TOLERANCE: f64 = 1e-4;

/// The probability of the positive class from which on a row of two classes is decided to be positive.
pub(super) const CUT: f64 = 0.5;

/// The probability of each class in several rows.
///
/// ```
/// use tribunal_eval::unlabelled::ClassProbabilities;
///
/// let scores = ClassProbabilities::new(3, vec![0.5, 0.25, 0.25, 0.1, 0.1, 0.8])?;
/// assert_eq!((scores.n_rows(), scores.row(1)), (2, &[0.1, 0.1, 0.8][..]));
/// assert_eq!(scores.decisions().classes(), [0, 2]);
///
/// let margins = ClassProbabilities::new(2, vec![-1.5, 1.5]).unwrap_err();
/// assert_eq!(margins.to_string(), "probability of row 0 is -1.5; it must lie between 0 and 1: calibrate the scores first");
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ClassProbabilities {
    n_classes: usize,
    values: Vec<f64>,
}

impl ClassProbabilities {
    /// The probabilities of all classes of the first row, then those of the next.
    ///
    /// # Errors
    /// There are fewer than two classes, a row is not whole, a value is no probability, or those of a row do not add up to one.
    pub fn new(n_classes: usize, values: Vec<f64>) -> Result<Self, Error> {
        at_least("classes", n_classes, 2)?;
        let (found, is_whole) = (values.len(), values.len().is_multiple_of(n_classes));
        within("the number of probabilities", found as f64, is_whole, "as many a row as there are classes")?;
        for (row, probabilities) in values.chunks_exact(n_classes).enumerate() {
            if let Some(&value) = probabilities.iter().find(|value| !(0.0..=1.0).contains(*value)) {
                return Err(Error::NotProbability { row, value });
            }
            let sum: f64 = probabilities.iter().sum();
            if (sum - 1.0).abs() > SUM_TOLERANCE {
                return Err(Error::ProbabilitySum { row, sum });
            }
        }
        Ok(Self { n_classes, values })
    }

    /// Two classes, by the probability of the second, the positive one.
    ///
    /// # Errors
    /// A value is no probability.
    pub fn binary(of_positive: &[f64]) -> Result<Self, Error> {
        Self::new(2, of_positive.iter().flat_map(|&p| [1.0 - p, p]).collect())
    }

    /// Labels as certainties.
    pub fn certain(labels: &ClassLabels) -> Self {
        let n_classes = labels.n_classes();
        let mut values = vec![0.0; n_classes * labels.n_rows()];
        let rows = values.chunks_exact_mut(n_classes).zip(labels.classes());
        rows.for_each(|(row, &class)| row[class as usize] = 1.0);
        Self { n_classes, values }
    }

    /// What a function makes of the probabilities of each row, which it changes in place.
    pub(super) fn map_rows(&self, change: impl Fn(&mut [f64])) -> Self {
        let mut values = self.values.clone();
        values.chunks_exact_mut(self.n_classes).for_each(change);
        Self { n_classes: self.n_classes, values }
    }

    /// The mean of members of the same rows and classes, of which there is at least one, by weights that add up to one.
    pub(super) fn weighted_mean<'a>(
        n_values: (usize, usize),
        members: impl Iterator<Item = (&'a Self, f64)>,
    ) -> Self {
        let (n_rows, n_classes) = n_values;
        let mut values = vec![0.0; n_rows * n_classes];
        for (member, weight) in members {
            values.iter_mut().zip(&member.values).for_each(|(mean, value)| *mean += weight * value);
        }
        Self { n_classes, values }
    }

    /// How many classes there are.
    pub fn n_classes(&self) -> usize {
        self.n_classes
    }

    /// How many rows there are.
    pub fn n_rows(&self) -> usize {
        self.values.len() / self.n_classes
    }

    /// The probabilities of a row.
    ///
    /// # Panics
    /// There is no such row.
    pub fn row(&self, row: usize) -> &[f64] {
        &self.values[row * self.n_classes..][..self.n_classes]
    }

    /// The probabilities of all rows, one after another.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The probability of a class in every row.
    pub fn of_class(&self, class: usize) -> impl Iterator<Item = f64> + '_ {
        self.values.iter().skip(class).step_by(self.n_classes).copied()
    }

    /// The largest probability of a row.
    pub(super) fn largest(&self, row: usize) -> f64 {
        self.row(row).iter().copied().fold(0.0, f64::max)
    }

    /// The class of every row: of two the positive one from a probability of .5 on, of more the first of the most probable.
    pub fn decisions(&self) -> ClassLabels {
        let decide = |row: &[f64]| match *row {
            [_, positive] => u32::from(positive >= CUT),
            _ => {
                (1..row.len()).fold(0, |best, class| if row[class] > row[best] { class } else { best }) as u32
            }
        };
        ClassLabels::of_known(self.n_classes, self.values.chunks_exact(self.n_classes).map(decide).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_refused(n_classes: usize, values: &[f64], expected: &str) {
        let error = ClassProbabilities::new(n_classes, values.to_vec()).expect_err(expected);
        assert_eq!(error.to_string(), expected);
    }

    #[test]
    fn what_are_no_probabilities_is_refused_with_its_row() {
        check_refused(1, &[1.0], "1 classes; at least 2 needed");
        check_refused(
            3,
            &[0.5, 0.5],
            "the number of probabilities is 2; expected as many a row as there are classes",
        );
        check_refused(
            2,
            &[0.5, 0.5, 0.25, 0.25],
            "the probabilities of row 1 add up to 0.5; those of all classes must add up to 1",
        );
        for value in [f64::NAN, f64::INFINITY, -0.1, 1.1] {
            let error = ClassProbabilities::new(2, vec![0.5, 0.5, value, 0.0]).expect_err("no probability");
            assert_eq!(error.row(), Some(1), "{value}");
        }
    }

    #[test]
    fn ties_go_to_the_positive_of_two_classes_and_to_the_first_of_more() {
        let two = ClassProbabilities::binary(&[0.5, 0.49, 1.0]).expect("probabilities");
        assert_eq!(two.decisions().classes(), [1, 0, 1]);
        let three = ClassProbabilities::new(3, vec![0.4, 0.2, 0.4, 0.2, 0.4, 0.4]).expect("probabilities");
        assert_eq!(three.decisions().classes(), [0, 1]);
    }

    #[test]
    fn labels_are_certain_of_themselves() {
        let labels = ClassLabels::new(3, vec![2, 0]).expect("labels");
        let certain = ClassProbabilities::certain(&labels);
        assert_eq!((certain.values(), certain.decisions()), (&[0.0, 0.0, 1.0, 1.0, 0.0, 0.0][..], labels));
    }
}
