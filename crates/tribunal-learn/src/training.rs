//! Training rows as learners see them: encoded columns, classes, weights.

use std::borrow::Cow;

use crate::dataset::Dataset;
use crate::encoding::{Encoded, Encoder, Matrix, NominalColumn};
use crate::error::{Error, ErrorKind};
use crate::target::Target;

/// Encoded columns with the class and the weight of each row.
#[derive(Clone, Debug)]
pub(crate) struct Training<'a> {
    pub(crate) inputs: Encoded<'a>,
    pub(crate) classes: Cow<'a, [u32]>,
    pub(crate) n_classes: usize,
    /// The number of each row in its data set.
    pub(crate) rows: Cow<'a, [u32]>,
    /// `None` where every row counts once.
    pub(crate) weights: Option<Cow<'a, [f64]>>,
}

impl<'a> Training<'a> {
    /// Rows of a data set with its target and weights.
    ///
    /// # Errors
    /// There is no target, or a column cannot be encoded.
    pub(crate) fn encode(dataset: &Dataset, rows: &[u32], encoder: &Encoder) -> Result<Training<'a>, Error> {
        let target = needed_target(dataset)?;
        let taken = |weights: &[f64]| rows.iter().map(|&row| weights[row as usize]).collect::<Vec<f64>>();
        let classes = rows.iter().map(|&row| target.codes()[row as usize]).collect();
        Ok(Training {
            inputs: encoder.encode(dataset, rows)?,
            classes: Cow::Owned(classes),
            n_classes: target.classes().len(),
            rows: Cow::Owned(rows.to_vec()),
            weights: dataset
                .weights()
                .map(taken)
                .filter(|weights| weights.iter().any(|&w| w != 1.0))
                .map(Cow::Owned),
        })
    }

    /// Codes and numbers, for learners that count.
    pub(crate) fn columns(&self) -> &[NominalColumn] {
        self.inputs.columns()
    }

    /// The matrix, for learners that compute.
    pub(crate) fn matrix(&self) -> &Matrix {
        self.inputs.matrix()
    }

    pub(crate) fn n_rows(&self) -> usize {
        self.classes.len()
    }

    /// The weight of a row.
    pub(crate) fn weight(&self, row: usize) -> f64 {
        self.weights.as_ref().map_or(1.0, |weights| weights[row])
    }

    /// Whether sums of weights are exact, so that some can be taken away again.
    pub(crate) fn has_whole_weights(&self) -> bool {
        self.weights.as_ref().is_none_or(|weights| weights.iter().all(is_whole))
    }

    /// Some of the rows, by their position.
    pub(crate) fn take(&self, positions: &[u32]) -> Training<'static> {
        Training {
            inputs: self.inputs.take(positions),
            classes: positions.iter().map(|&position| self.classes[position as usize]).collect(),
            n_classes: self.n_classes,
            rows: positions.iter().map(|&position| self.rows[position as usize]).collect(),
            weights: self
                .weights
                .as_ref()
                .map(|weights| positions.iter().map(|&position| weights[position as usize]).collect()),
        }
    }

    /// The weight of each class.
    pub(crate) fn class_weights(&self) -> Vec<f64> {
        let mut weights = vec![0.0; self.n_classes];
        for (row, &class) in self.classes.iter().enumerate() {
            weights[class as usize] += self.weight(row);
        }
        weights
    }
}

/// Whether sums of weights like this one are exact.
pub(crate) fn is_whole(weight: &f64) -> bool {
    weight.fract() == 0.0 && *weight < 2_f64.powi(20)
}

/// The target of a data set that is to be learned from.
pub(crate) fn needed_target(dataset: &Dataset) -> Result<&Target, Error> {
    dataset.target().ok_or_else(|| {
        Error::new(ErrorKind::NoTarget, "there is no target to learn")
            .advise("name the column that holds the classes")
    })
}

/// The rows that there is something to learn from: all but those without weight.
///
/// # Errors
/// There is no target, or no such row.
pub(crate) fn counting_rows<'a>(dataset: &Dataset, rows: &'a [u32]) -> Result<Cow<'a, [u32]>, Error> {
    needed_target(dataset)?;
    let counting = match dataset.weights() {
        None => Cow::Borrowed(rows),
        Some(weights) => rows.iter().copied().filter(|&row| weights[row as usize] > 0.0).collect(),
    };
    if counting.is_empty() {
        return Err(Error::new(ErrorKind::NoRows, "there is no row to learn from"));
    }
    Ok(counting)
}
