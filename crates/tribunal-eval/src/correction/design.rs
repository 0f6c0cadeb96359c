//! How a corrected sample came about, and what that means for the variance of its figures.
//!
//! A row that stands in a sample twice is no new evidence. So the variance of a figure is that of its influence values under the
//! design of the sample: rows of a stratum are independent draws from it, the shares of the strata are known but for the
//! population being a sample itself, and weights of a selection model are estimates (Binder 1983; Sarndal, Swensson and Wretman
//! 1992, chapter 7).

use super::selection_model::SelectionModel;
use crate::sum::Sum;

/// The stratum of a row that has none: its weight is zero.
pub const NO_STRATUM: u32 = u32::MAX;

/// The strata of the actioned rows.
#[derive(Clone, Copy, Debug)]
pub struct Strata<'a> {
    /// The stratum of each row, counted from 0, or [`NO_STRATUM`].
    pub of_row: &'a [u32],
    /// How many strata there are.
    pub n_strata: usize,
    /// Rows of the population, which the shares of the strata come from.
    pub population: f64,
    /// How many of them were drawn, where the shares are those of a sample of the population.
    pub drawn: Option<f64>,
}

/// How the weights of a sample came about.
#[derive(Clone, Copy, Debug)]
pub enum SamplingDesign<'a> {
    /// Rows that were drawn independently.
    Independent,
    /// Rows that were given the shares of the strata in the population.
    Stratified(Strata<'a>),
    /// Rows with the weights of a selection model.
    Modelled(&'a SelectionModel),
}

/// As many rows of equal weight as would vary like rows of these weights: `(sum w)^2 / sum w^2`.
///
/// ```
/// use tribunal_eval::correction::effective_rows;
///
/// assert_eq!(effective_rows(&[2.0, 2.0, 0.0]), 2.0);
/// assert_eq!(effective_rows(&[]), 0.0);
/// ```
///
/// **Reference** · Kish (1965), "Survey sampling"
pub fn effective_rows(weights: &[f64]) -> f64 {
    let (sum, squares) = weights.iter().fold((0.0, 0.0), |(sum, squares), w| (sum + w, squares + w * w));
    if squares > 0.0 { sum * sum / squares } else { 0.0 }
}

/// The influence value of each row as it is, and as it would be were the row of the other class.
pub(super) struct ClassInfluence {
    pub(super) positive: Vec<f64>,
    pub(super) negative: Vec<f64>,
}

impl ClassInfluence {
    /// The value of a row.
    fn of(&self, row: usize, truth: &[bool]) -> f64 {
        if truth[row] { self.positive[row] } else { self.negative[row] }
    }

    /// The values of all rows.
    pub(super) fn values(&self, truth: &[bool]) -> Vec<f64> {
        (0..truth.len()).map(|row| self.of(row, truth)).collect()
    }
}

impl SamplingDesign<'_> {
    /// The variance of a figure with these influence values over other samples of the same design.
    pub(super) fn variance(&self, weights: &[f64], influence: &ClassInfluence, truth: &[bool]) -> f64 {
        match self {
            Self::Independent => {
                let effective = effective_rows(weights);
                let total: f64 = weights.iter().sum();
                let squares: Sum = weights
                    .iter()
                    .enumerate()
                    .map(|(row, w)| (w * influence.of(row, truth)).powi(2))
                    .collect();
                squares.value() / (total * total) * effective / (effective - 1.0).max(1.0)
            }
            Self::Stratified(strata) => strata.variance(weights, influence, truth),
            Self::Modelled(model) => model.variance(&influence.values(truth)),
        }
    }
}

/// Rows that are counted in every stratum beside its own.
const ADDED_ROWS: f64 = 0.25;

/// Sums over the rows of a stratum.
#[derive(Clone, Copy, Debug, Default)]
struct StratumSums {
    n: f64,
    weight: f64,
    squared_weight: f64,
    value: f64,
    squared_value: f64,
    /// What the values would be if every row were positive, and if every row were negative.
    positive: f64,
    negative: f64,
}

impl StratumSums {
    /// The variance of a value within the stratum. A quarter of a row more is counted, positive as often as the whole sample is, so that a
    /// stratum whose few rows agree is not taken to be sure; in simulations intervals then hold the truth as often as they say.
    fn variance(&self, base_rate: f64) -> f64 {
        let (positive, negative) = (self.positive / self.n, self.negative / self.n);
        let n = self.n + ADDED_ROWS;
        let added = base_rate * positive + (1.0 - base_rate) * negative;
        let added_square = base_rate * positive * positive + (1.0 - base_rate) * negative * negative;
        let mean = (self.value + ADDED_ROWS * added) / n;
        let squares = self.squared_value + ADDED_ROWS * added_square;
        ((squares - n * mean * mean) / (n - 1.0)).max(0.0)
    }
}

impl Strata<'_> {
    fn variance(&self, weights: &[f64], influence: &ClassInfluence, truth: &[bool]) -> f64 {
        let mut sums = vec![StratumSums::default(); self.n_strata];
        for (row, &stratum) in self.of_row.iter().enumerate() {
            let Some(sums) = sums.get_mut(stratum as usize) else { continue };
            let (weight, value) = (weights[row], influence.of(row, truth));
            sums.n += 1.0;
            sums.weight += weight;
            sums.squared_weight += weight * weight;
            sums.value += value;
            sums.squared_value += value * value;
            sums.positive += influence.positive[row];
            sums.negative += influence.negative[row];
        }
        let total: f64 = sums.iter().map(|stratum| stratum.weight).sum();
        let filled = || sums.iter().filter(|stratum| stratum.n > 0.0);
        let positives =
            weights.iter().zip(truth).filter(|(_, positive)| **positive).map(|(weight, _)| weight);
        let base_rate = positives.sum::<f64>() / weights.iter().sum::<f64>();
        let within: f64 = filled().map(|stratum| stratum.variance(base_rate) * stratum.squared_weight).sum();
        let between: f64 = filled().map(|s| s.weight / total * (s.value / s.n).powi(2)).sum();
        within / (total * total) + between * self.share_variance()
    }

    /// The variance of an indicator's share among the rows that the shares of the strata come from, for a variance of one.
    fn share_variance(&self) -> f64 {
        let of_sample = self.drawn.map_or(0.0, |drawn| (1.0 / drawn - 1.0 / self.population).max(0.0));
        1.0 / self.population + of_sample
    }
}
