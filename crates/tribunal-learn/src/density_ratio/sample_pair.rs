//! Two samples as rows of numbers on a common scale.

use crate::column::{Column, Values};
use crate::dataset::Dataset;
use crate::encoding::{Matrix, Missing, NumericEncoder, NumericOptions, Scaling};
use crate::error::{Error, ErrorKind};

/// A labelled and an unlabelled sample with the same columns, as numbers, and what their rows weigh.
#[derive(Clone, Debug)]
pub struct SamplePair {
    pub(super) labelled: Matrix,
    pub(super) unlabelled: Matrix,
    pub(super) labelled_weights: Vec<f64>,
    pub(super) unlabelled_weights: Vec<f64>,
}

impl SamplePair {
    /// Two design matrices, used as they are.
    ///
    /// ```
    /// use tribunal_learn::density_ratio::{LogisticRatio, SamplePair};
    /// use tribunal_learn::encoding::Matrix;
    ///
    /// let labelled = Matrix::from_values(4, 1, vec![0.0, 1.0, 2.0, 3.0])?;
    /// let unlabelled = Matrix::from_values(3, 1, vec![1.0, 2.0, 3.0])?;
    /// let found = LogisticRatio::fit(&SamplePair::of_matrices(labelled, unlabelled)?)?;
    /// assert!(found.slopes[0] > 0.0);
    /// # Ok::<(), tribunal_learn::Error>(())
    /// ```
    ///
    /// # Errors
    /// They have different columns, or one has no rows.
    pub fn of_matrices(labelled: Matrix, unlabelled: Matrix) -> Result<Self, Error> {
        let (n_columns, others) = (labelled.n_columns(), unlabelled.n_columns());
        if n_columns != others {
            let problem = format!(
                "the labelled rows have {n_columns} columns of numbers, the unlabelled ones {others}"
            );
            return Err(Error::new(ErrorKind::Inconsistent, problem).advise("encode both samples alike"));
        }
        let (labelled_weights, unlabelled_weights) =
            (vec![1.0; labelled.n_rows()], vec![1.0; unlabelled.n_rows()]);
        let pair = Self { labelled, unlabelled, labelled_weights, unlabelled_weights };
        pair.checked()
    }

    /// The same with a weight for each row: 2 counts as the row twice, 0 as its absence.
    ///
    /// # Errors
    /// There is not one weight for each row, one is negative or not finite, or no row of a sample carries weight.
    pub fn with_weights(self, labelled: Vec<f64>, unlabelled: Vec<f64>) -> Result<Self, Error> {
        let pair = Self { labelled_weights: labelled, unlabelled_weights: unlabelled, ..self };
        pair.checked()
    }

    /// Two data sets as numbers, by encodings that are learned on both together: levels as indicators, means and commonest levels
    /// for what is missing with an indicator of that, everything on a common scale. Targets are not looked at.
    ///
    /// # Errors
    /// Columns or their levels differ - align one data set to the other first -, a sample has no rows, or there is no memory for the
    /// matrices.
    pub fn of_datasets(labelled: &Dataset, unlabelled: &Dataset) -> Result<Self, Error> {
        unlabelled.check_aligned(&labelled.inputs())?;
        let both = stacked(labelled, unlabelled)?;
        let options = NumericOptions { missing: Missing::ImputeAndMark, scaling: Scaling::Strict };
        let rows: Vec<u32> = (0..both.n_rows() as u32).collect();
        let encoder = NumericEncoder::fit(&both, &rows, &options)?;
        let (first, second) = rows.split_at(labelled.n_rows());
        let pair = Self::of_matrices(encoder.encode(&both, first)?, encoder.encode(&both, second)?)?;
        match (labelled.weights(), unlabelled.weights()) {
            (None, None) => Ok(pair),
            _ => pair.with_weights(weights_of(labelled), weights_of(unlabelled)),
        }
    }

    /// How many columns of numbers they have.
    pub fn n_columns(&self) -> usize {
        self.labelled.n_columns()
    }

    fn checked(self) -> Result<Self, Error> {
        let samples = [
            ("labelled", &self.labelled, &self.labelled_weights),
            ("unlabelled", &self.unlabelled, &self.unlabelled_weights),
        ];
        for (sample, matrix, weights) in samples {
            let n_rows = matrix.n_rows();
            if weights.len() != n_rows {
                let problem = format!("there are {} weights for {n_rows} {sample} rows", weights.len());
                return Err(Error::new(ErrorKind::Inconsistent, problem));
            }
            if let Some(row) = weights.iter().position(|weight| !(weight.is_finite() && *weight >= 0.0)) {
                let problem = format!("the weight of {sample} row {} is {}", row + 1, weights[row]);
                let error = Error::new(ErrorKind::Inconsistent, problem);
                return Err(error.advise("weights are finite, zero or more"));
            }
            if weights.iter().sum::<f64>() <= 0.0 {
                let problem = format!("there is no {sample} row that carries weight");
                return Err(
                    Error::new(ErrorKind::NoRows, problem).advise("a density ratio needs both samples")
                );
            }
        }
        Ok(self)
    }
}

fn weights_of(dataset: &Dataset) -> Vec<f64> {
    dataset.weights().map_or_else(|| vec![1.0; dataset.n_rows()], <[f64]>::to_vec)
}

/// The rows of one data set, then those of the other, whose columns are the same.
fn stacked(first: &Dataset, second: &Dataset) -> Result<Dataset, Error> {
    let stack = |column: &Column| {
        let name = column.name();
        let below = second.column(name).map(Column::values);
        let values = match (column.values(), below) {
            (Values::Numbers(above), Some(Values::Numbers(below))) => {
                Values::Numbers([&above[..], below].concat())
            }
            (Values::Codes(above), Some(Values::Codes(below))) => Values::Codes([&above[..], below].concat()),
            _ => return Err(column.changed_kind()),
        };
        Column::new(name, column.kind().clone(), values)
    };
    let columns = first.columns().iter().map(stack).collect::<Result<Vec<_>, _>>()?;
    let both = Dataset::of_rows(first.n_rows() + second.n_rows(), columns)?;
    match (first.weights(), second.weights()) {
        (None, None) => Ok(both),
        _ => both.with_weights([weights_of(first), weights_of(second)].concat()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::column::MISSING;
    use crate::kind::{Kind, Levels};

    fn matrix(values: &[f64]) -> Matrix {
        Matrix::from_columns(values.len(), vec![values.to_vec()])
    }

    #[test]
    fn samples_that_cannot_be_compared_are_refused() {
        let message = |pair: Result<SamplePair, Error>| pair.expect_err("refused").to_string();
        let wide = Matrix::from_columns(1, vec![vec![1.0], vec![2.0]]);
        assert!(message(SamplePair::of_matrices(matrix(&[1.0]), wide)).contains("1 columns of numbers"));
        let empty = message(SamplePair::of_matrices(matrix(&[1.0]), matrix(&[])));
        assert_eq!(
            empty,
            "there is no unlabelled row that carries weight; a density ratio needs both samples"
        );
        let pair = || SamplePair::of_matrices(matrix(&[1.0, 2.0]), matrix(&[1.0])).expect("a pair");
        assert!(message(pair().with_weights(vec![1.0], vec![1.0])).contains("1 weights for 2 labelled rows"));
        assert!(message(pair().with_weights(vec![1.0, -1.0], vec![1.0])).contains("labelled row 2 is -1"));
        assert!(message(pair().with_weights(vec![1.0, 1.0], vec![0.0])).contains("no unlabelled row"));
    }

    #[test]
    fn data_sets_are_encoded_together() {
        let dataset = |numbers: &[f64], codes: &[u32]| {
            let colour = Kind::Categorical(Levels::met(["blue", "green", "red"]));
            let columns = vec![
                Column::new("age", Kind::Numeric, Values::Numbers(numbers.to_vec())).expect("numbers"),
                Column::new("colour", colour, Values::Codes(codes.to_vec())).expect("codes"),
            ];
            Dataset::new(columns).expect("columns")
        };
        let (labelled, unlabelled) =
            (dataset(&[1.0, 2.0, 3.0], &[0, 0, 1]), dataset(&[f64::NAN, 6.0], &[2, MISSING]));
        let pair = SamplePair::of_datasets(&labelled, &unlabelled).expect("the same columns");
        // The age, an indicator that it is missing, those of two colours, and that of a missing colour.
        assert_eq!((pair.labelled.n_columns(), pair.unlabelled.n_rows()), (5, 2));
        let both: f64 = pair.labelled.column(0).iter().chain(pair.unlabelled.column(0)).sum();
        assert!(both.abs() < 1e-12, "the scale is not that of both");
        let others = dataset(&[1.0], &[0]).select(&crate::dataset::PredictorSet::Named(vec!["age".into()]));
        assert!(SamplePair::of_datasets(&labelled, &others.expect("a column")).is_err());
    }
}
