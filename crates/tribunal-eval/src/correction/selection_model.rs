//! Weights from a selection model: the logit of having been actioned.
//!
//! The actioned rows are stacked on rows of the population and told apart by logistic regression. The odds `o(x)` of a row are
//! proportional to the chance of being actioned given x, and `1 / o(x)` weights the actioned rows to the population (Elliott and
//! Valliant 2017; Bickel, Bruckner and Scheffer 2009). The coefficients are estimates too: the variance is that of the stacked
//! estimating equations (Stefanski and Boos 2002; Lunceford and Davidian 2004).

use super::design::effective_rows;
use crate::checks::all_finite;
use crate::error::Error;
use crate::unlabelled::Square;

/// Rows of numbers of one sample, column by column and without the intercept.
#[derive(Clone, Debug)]
pub struct ModelRows<'a> {
    /// The columns.
    pub columns: Vec<&'a [f64]>,
    /// How many rows there are.
    pub n_rows: usize,
}

impl ModelRows<'_> {
    /// The rows one after the other, each with a one in front.
    fn with_intercept(&self) -> Result<Design, Error> {
        let width = self.columns.len() + 1;
        let mut values = vec![1.0; width * self.n_rows];
        for (place, column) in self.columns.iter().enumerate() {
            if column.len() != self.n_rows {
                let what = format!("column {place} of the selection model");
                return Err(Error::LengthMismatch { what, found: column.len(), expected: self.n_rows });
            }
            all_finite("a number of the selection model", column)?;
            values.chunks_exact_mut(width).zip(*column).for_each(|(row, value)| row[place + 1] = *value);
        }
        Ok(Design { width, values })
    }
}

/// Rows with an intercept.
#[derive(Clone, Debug)]
pub(super) struct Design {
    width: usize,
    values: Vec<f64>,
}

impl Design {
    pub(super) fn rows(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        self.values.chunks_exact(self.width)
    }

    pub(super) fn n_rows(&self) -> usize {
        self.values.len() / self.width
    }

    /// The chances that coefficients give the rows.
    pub(super) fn chances(&self, coefficients: &[f64]) -> Vec<f64> {
        self.rows().map(|row| 1.0 / (1.0 + (-inner(row, coefficients)).exp())).collect()
    }

    /// `sum f x` over the rows.
    pub(super) fn sum_of(&self, factors: impl Iterator<Item = f64>) -> Vec<f64> {
        let mut sum = vec![0.0; self.width];
        for (row, factor) in self.rows().zip(factors) {
            sum.iter_mut().zip(row).for_each(|(sum, value)| *sum += factor * value);
        }
        sum
    }

    /// Adds `sum f x x'` over the rows.
    pub(super) fn add_products(&self, factors: impl Iterator<Item = f64>, to: &mut Square) {
        for (row, factor) in self.rows().zip(factors) {
            for (place, value) in row.iter().enumerate() {
                let scaled = factor * value;
                row.iter().enumerate().for_each(|(other, value)| *to.at_mut(place, other) += scaled * value);
            }
        }
    }

    pub(super) fn width(&self) -> usize {
        self.width
    }
}

/// The sum of the products.
pub(super) fn inner(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// A logistic regression of being actioned, as weights of the actioned rows and what their estimation adds to variances.
///
/// ```
/// use tribunal_eval::correction::{ModelRows, SelectionModel};
///
/// // Cases with x = 1 were actioned three times as often: the log-odds of their share are ln 3.
/// let actioned = [1.0, 1.0, 1.0, 0.0];
/// let population = [1.0, 0.0, 1.0, 0.0];
/// let rows = |column| ModelRows { columns: vec![column], n_rows: 4 };
/// let model = SelectionModel::new(&rows(&actioned), &rows(&population), &[0.5f64.ln(), 3.0f64.ln()])?;
/// assert!(model.weights().iter().zip([2.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0, 2.0]).all(|(a, b)| (a - b).abs() < 1e-12));
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct SelectionModel {
    pub(super) actioned: Design,
    pub(super) population: Design,
    /// The fitted chances of being a row of the actioned in the stack.
    pub(super) actioned_chances: Vec<f64>,
    pub(super) population_chances: Vec<f64>,
    pub(super) inverse_information: Square,
    weights: Vec<f64>,
}

impl SelectionModel {
    /// A model with these coefficients, the intercept first, which were fitted on the actioned rows (1) and on those of the
    /// population (0).
    ///
    /// # Errors
    /// Columns differ in length or number, a number is not finite, or columns are linearly dependent.
    pub fn new(
        actioned: &ModelRows<'_>,
        population: &ModelRows<'_>,
        coefficients: &[f64],
    ) -> Result<Self, Error> {
        let (actioned, population) = (actioned.with_intercept()?, population.with_intercept()?);
        all_finite("a coefficient of the selection model", coefficients)?;
        for design in [&actioned, &population] {
            if design.width != coefficients.len() {
                let what = "the coefficients of the selection model".to_owned();
                return Err(Error::LengthMismatch {
                    what,
                    found: coefficients.len(),
                    expected: design.width,
                });
            }
            crate::checks::at_least("rows of the selection model", design.n_rows(), 1)?;
        }
        let (actioned_chances, population_chances) =
            (actioned.chances(coefficients), population.chances(coefficients));
        let mut information = Square::zeros(coefficients.len());
        let spread = |chance: &f64| chance * (1.0 - chance);
        actioned.add_products(actioned_chances.iter().map(spread), &mut information);
        population.add_products(population_chances.iter().map(spread), &mut information);
        let inverse_information = information.inverse().ok_or(DEPENDENT)?;
        let odds_against = |row: &[f64]| (-inner(row, coefficients)).exp();
        let mut weights: Vec<f64> = actioned.rows().map(odds_against).collect();
        let factor = weights.len() as f64 / weights.iter().sum::<f64>();
        weights.iter_mut().for_each(|weight| *weight *= factor);
        all_finite("an inverse-probability weight", &weights)?;
        Ok(Self { actioned, population, actioned_chances, population_chances, inverse_information, weights })
    }

    /// The weight of each actioned row; they add up to the number of rows.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// As many rows of equal weight as would vary like these.
    pub fn effective_rows(&self) -> f64 {
        effective_rows(&self.weights)
    }

    /// The variance of a weighted figure with these influence values, the coefficients being estimates.
    pub(super) fn variance(&self, values: &[f64]) -> f64 {
        let total: f64 = self.weights.iter().sum();
        let weighted = || self.weights.iter().zip(values).map(|(weight, value)| weight * value);
        let direction = self.inverse_information.times(&self.actioned.sum_of(weighted()));
        let of_actioned = self.actioned.rows().zip(&self.actioned_chances).zip(weighted());
        let actioned: f64 = of_actioned
            .map(|((row, chance), value)| (value - (1.0 - chance) * inner(row, &direction)).powi(2))
            .sum();
        let of_population = self.population.rows().zip(&self.population_chances);
        let population: f64 =
            of_population.map(|(row, chance)| (chance * inner(row, &direction)).powi(2)).sum();
        (actioned + population) / (total * total)
    }
}

/// Rows of which some columns say the same as others.
pub(super) const DEPENDENT: Error = Error::UndefinedFigure {
    figure: "the selection model",
    reason: "its columns are linearly dependent; leave one of them out",
};
