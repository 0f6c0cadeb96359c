//! Density ratios `w(x) = q(x) / p(x)` of two samples: rows with labels, drawn from `p`, and rows without, drawn from `q`.
//!
//! Both estimators look at the same [`SamplePair`], a design matrix of either sample: [`LogisticRatio`] tells the samples apart by
//! logistic regression, [`KernelMeanMatching`] reweights the labelled rows until their kernel means agree. What is made of the ratios
//! is nothing that this crate knows of.
//!
//! ```
//! use tribunal_learn::density_ratio::{KernelMeanMatching, LogisticRatio, MatchingOptions, SamplePair};
//! use tribunal_learn::{Column, Dataset, Kind, Values};
//!
//! let ages = |ages: &[f64]| Column::new("age", Kind::Numeric, Values::Numbers(ages.to_vec()));
//! let labelled = Dataset::new(vec![ages(&[20.0, 30.0, 40.0, 50.0, 60.0])?])?;
//! let unlabelled = Dataset::new(vec![ages(&[45.0, 50.0, 55.0, 60.0])?])?;
//! let samples = SamplePair::of_datasets(&labelled, &unlabelled)?;
//! let by_regression = LogisticRatio::fit(&samples)?.weights;
//! let by_matching = KernelMeanMatching::fit(&samples, &MatchingOptions::default())?.weights;
//! for found in [by_regression, by_matching] {
//!     assert!(found.ratios[0] < 0.1 && found.ratios[4] > 1.0, "{found:?}");
//!     assert!(!found.is_effective_sample_small());
//! }
//! # Ok::<(), tribunal_learn::Error>(())
//! ```

mod bandwidth;
mod interior_point;
mod kernel_mean_matching;
mod logistic;
mod sample_pair;

pub use kernel_mean_matching::{KernelMeanMatching, MatchingOptions};
pub use logistic::LogisticRatio;
pub use sample_pair::SamplePair;

/// With an effective sample size below this share of the rows, a few rows decide.
const LEAST_EFFECTIVE_SHARE: f64 = 0.1;

/// The density ratio of each labelled row, and how many rows are left by them.
///
/// **Definition** · The effective sample size is `(sum w)^2 / sum w^2` over rows, where `w` is the ratio times the weight that the row
/// has in its sample.
///
/// **Undefined when** all ratios are zero: the effective sample size is zero then.
///
/// **Example** · see [the module](self).
///
/// **Reference** · Kish (1965)
#[derive(Clone, Debug, PartialEq)]
pub struct DensityRatios {
    /// `q(x) / p(x)` of each labelled row.
    pub ratios: Vec<f64>,
    /// As many rows of equal weight as would vary like these.
    pub effective_sample_size: f64,
    /// How many labelled rows carry weight.
    pub n_rows: usize,
}

impl DensityRatios {
    fn new(ratios: Vec<f64>, row_weights: &[f64]) -> Self {
        let products = || ratios.iter().zip(row_weights).map(|(ratio, weight)| ratio * weight);
        let (sum, squares) = products().fold((0.0, 0.0), |(sum, squares), w| (sum + w, squares + w * w));
        let effective_sample_size = if squares > 0.0 { sum * sum / squares } else { 0.0 };
        let n_rows = row_weights.iter().filter(|&&weight| weight > 0.0).count();
        Self { ratios, effective_sample_size, n_rows }
    }

    /// Whether the effective sample size is below a tenth of the rows: whatever is weighted by these ratios depends on a few rows.
    pub fn is_effective_sample_small(&self) -> bool {
        self.effective_sample_size < LEAST_EFFECTIVE_SHARE * self.n_rows as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_effective_sample_is_small_where_a_row_decides() {
        let even = DensityRatios::new(vec![2.0; 30], &[1.0; 30]);
        assert!((even.effective_sample_size - 30.0).abs() < 1e-9 && !even.is_effective_sample_small());
        let mut ratios = vec![0.01; 30];
        ratios[7] = 50.0;
        assert!(DensityRatios::new(ratios, &[1.0; 30]).is_effective_sample_small());
        let nothing = DensityRatios::new(vec![0.0; 3], &[1.0; 3]);
        assert_eq!(nothing.effective_sample_size, 0.0);
    }
}
