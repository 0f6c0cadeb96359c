//! Risk on unlabelled rows from losses on held-out rows, weighted by density ratios.

use serde::{Deserialize, Serialize};

use crate::checks::{all_finite, at_least, within};
use crate::error::Error;
use crate::sum::Sum;
use crate::undefined::{Undefined, Value};

/// With an effective sample size below this share of the rows, a few rows decide.
const LEAST_EFFECTIVE_SHARE: f64 = 0.1;

/// Losses of held-out rows, each with the ratio `q(x) / p(x)` of the densities of unlabelled and labelled rows.
///
/// **Definition**
/// - [`mean`](Self::mean): `mean(w l)`, importance-weighted cross-validation (IWCV).
/// - [`self_normalised`](Self::self_normalised): `sum(w l) / sum(w)`.
/// - [`effective_sample_size`](Self::effective_sample_size): `(sum w)^2 / sum w^2`.
/// - [`control_variate`](Self::control_variate): deep embedded validation (DEV), `mean(w l) + eta mean(w) - eta` with
///   `eta = -cov(w l, w) / var(w)`, both with divisor `n - 1`.
///
/// Lower is better.
///
/// **Undefined when** there are no rows; a self-normalised risk and an effective sample size when all ratios are zero; DEV of a single
/// row. Ratios that are negative or not finite are refused.
///
/// **Example**
/// ```
/// use tribunal_eval::unlabelled::WeightedLosses;
///
/// let loss = [0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0];
/// let ratio = [0.5, 2.0, 0.8, 0.4, 1.6, 0.2, 1.2, 1.4, 1.8, 0.7];
/// let losses = WeightedLosses::new(&loss, &ratio)?;
/// assert!((losses.mean() - 0.56).abs() < 1e-12);
/// assert!((losses.self_normalised()? - 0.528301887).abs() < 1e-9);
/// assert!((losses.control_variate()?.risk - 0.493905192).abs() < 1e-9);
/// assert!(!losses.is_effective_sample_small());
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** · Sugiyama, Krauledat and Müller (2007), "Covariate shift adaptation by importance weighted cross validation"; You,
/// Wang, Long and Jordan (2019), "Towards accurate model selection in deep unsupervised domain adaptation"; Kish (1965)
#[derive(Clone, Copy, Debug)]
pub struct WeightedLosses<'a> {
    losses: &'a [f64],
    ratios: &'a [f64],
}

/// Deep embedded validation: the risk, and what it is made of.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ControlVariateRisk {
    /// The covariance of weighted losses and ratios.
    pub covariance: f64,
    /// The variance of the ratios.
    pub variance: f64,
    /// The coefficient of the control variate; zero where all ratios are equal.
    pub eta: f64,
    /// The risk.
    pub risk: f64,
}

impl<'a> WeightedLosses<'a> {
    /// Losses and density ratios of the same rows.
    ///
    /// # Errors
    /// There are no rows, or not one ratio for each; a number is not finite, or a ratio is negative.
    pub fn new(losses: &'a [f64], ratios: &'a [f64]) -> Result<Self, Error> {
        at_least("losses", losses.len(), 1)?;
        if ratios.len() != losses.len() {
            let (found, expected) = (ratios.len(), losses.len());
            return Err(Error::LengthMismatch { what: "the density ratio".into(), found, expected });
        }
        all_finite("loss", losses)?;
        all_finite("density ratio", ratios)?;
        let least = ratios.iter().copied().fold(0.0, f64::min);
        within("a density ratio", least, least >= 0.0, "a number of 0 or more")?;
        Ok(Self { losses, ratios })
    }

    fn n(&self) -> f64 {
        self.losses.len() as f64
    }

    fn products(&self) -> impl Iterator<Item = f64> + '_ {
        self.losses.iter().zip(self.ratios).map(|(loss, ratio)| loss * ratio)
    }

    fn total_ratio(&self) -> f64 {
        sum(self.ratios.iter().copied())
    }

    /// The mean of the weighted losses.
    pub fn mean(&self) -> f64 {
        sum(self.products()) / self.n()
    }

    /// The mean of the losses by their ratios: less variable than the plain mean, and slightly biased.
    ///
    /// # Errors
    /// All ratios are zero.
    pub fn self_normalised(&self) -> Value {
        Ok(sum(self.products()) / self.positive_total()?)
    }

    /// As many rows of equal ratio as would vary like these.
    ///
    /// # Errors
    /// All ratios are zero.
    pub fn effective_sample_size(&self) -> Value {
        // In units of the largest, no square leaves the range of numbers.
        self.positive_total()?;
        let largest = self.ratios.iter().copied().fold(0.0, f64::max);
        let ratios = || self.ratios.iter().map(|ratio| ratio / largest);
        Ok(sum(ratios()).powi(2) / sum(ratios().map(|ratio| ratio * ratio)))
    }

    /// Whether the effective sample size is below a tenth of the rows: a few rows decide, and the risk is not to be relied on.
    pub fn is_effective_sample_small(&self) -> bool {
        self.effective_sample_size().map_or(true, |effective| effective < LEAST_EFFECTIVE_SHARE * self.n())
    }

    /// Deep embedded validation.
    ///
    /// # Errors
    /// There are fewer than two rows.
    pub fn control_variate(&self) -> Result<ControlVariateRisk, Error> {
        at_least("losses", self.losses.len(), 2)?;
        let (mean, mean_ratio) = (self.mean(), self.total_ratio() / self.n());
        let divisor = self.n() - 1.0;
        let deviation = |ratio: f64| ratio - mean_ratio;
        let pairs = self.products().zip(self.ratios);
        let covariance = sum(pairs.map(|(product, &ratio)| (product - mean) * deviation(ratio))) / divisor;
        let variance = sum(self.ratios.iter().map(|&ratio| deviation(ratio).powi(2))) / divisor;
        // Equal ratios may deviate from their mean by rounding.
        let is_constant = self.ratios.iter().all(|ratio| *ratio == self.ratios[0]);
        let eta = if is_constant || variance <= 0.0 { 0.0 } else { -covariance / variance };
        Ok(ControlVariateRisk { covariance, variance, eta, risk: mean + eta * mean_ratio - eta })
    }

    fn positive_total(&self) -> Value {
        let total = self.total_ratio();
        if total > 0.0 {
            Ok(total)
        } else {
            Err(Undefined::Zero { quantity: "sum of the density ratios".into() })
        }
    }
}

fn sum(values: impl Iterator<Item = f64>) -> f64 {
    values.collect::<Sum>().value()
}

#[cfg(test)]
mod tests {
    use tribunal_random::Random;

    use super::*;
    use crate::unlabelled::worked_example::close;

    const LOSS: [f64; 10] = [0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0];
    const RATIO: [f64; 10] = [0.5, 2.0, 0.8, 0.4, 1.6, 0.2, 1.2, 1.4, 1.8, 0.7];

    #[test]
    fn golden_iwcv_and_dev() {
        let losses = WeightedLosses::new(&LOSS, &RATIO).expect("usable");
        close(losses.mean(), 0.56);
        close(losses.self_normalised().expect("a sum"), 0.528301887);
        close(losses.effective_sample_size().expect("a sum"), 7.602165088);
        let dev = losses.control_variate().expect("ten rows");
        close(dev.covariance, 0.433777778);
        close(dev.variance, 0.393777778);
        close(dev.eta, -1.101580135);
        close(dev.risk, 0.493905192);
    }

    /// Labelled rows are uniform, unlabelled ones have the density 2x, and a loss of one comes with the chance x.
    #[test]
    fn weighted_risks_are_those_of_the_unlabelled_rows() {
        const SAMPLES: usize = 2000;
        let mut random = Random::new(41);
        let (mut plain, mut weighted, mut with_variate) = (0.0, 0.0, 0.0);
        for _ in 0..SAMPLES {
            let drawn: Vec<f64> = (0..50).map(|_| random.uniform()).collect();
            let losses: Vec<f64> = drawn.iter().map(|x| f64::from(u8::from(random.uniform() < *x))).collect();
            let ratios: Vec<f64> = drawn.iter().map(|x| 2.0 * x).collect();
            let found = WeightedLosses::new(&losses, &ratios).expect("usable");
            plain += losses.iter().sum::<f64>() / (50 * SAMPLES) as f64;
            weighted += found.mean() / SAMPLES as f64;
            with_variate += found.control_variate().expect("fifty rows").risk / SAMPLES as f64;
        }
        // Four standard errors of the mean of as many samples.
        assert!((plain - 0.5).abs() < 4.0 * (0.25 / 50.0 / SAMPLES as f64).sqrt(), "{plain}");
        let error = 4.0 * ((1.0 - 4.0 / 9.0) / 50.0 / SAMPLES as f64).sqrt();
        assert!((weighted - 2.0 / 3.0).abs() < error, "{weighted}");
        assert!((with_variate - 2.0 / 3.0).abs() < 2.0 * error, "{with_variate}");
    }

    #[test]
    fn equal_ratios_leave_the_mean() {
        let losses = WeightedLosses::new(&LOSS, &[0.1; 10]).expect("usable");
        let dev = losses.control_variate().expect("ten rows");
        assert_eq!((dev.eta, dev.risk), (0.0, losses.mean()));
        close(losses.effective_sample_size().expect("a sum"), 10.0);
    }

    #[test]
    fn a_single_heavy_row_is_warned_of() {
        let mut ratio = [1e-140; 30];
        ratio[3] = 1e140;
        let losses = WeightedLosses::new(&[1.0; 30], &ratio).expect("usable");
        close(losses.effective_sample_size().expect("a sum"), 1.0);
        assert!(losses.is_effective_sample_small());
        let nothing = WeightedLosses::new(&LOSS, &[0.0; 10]).expect("usable");
        assert!(nothing.self_normalised().is_err() && nothing.is_effective_sample_small());
    }

    #[test]
    fn negative_ratios_are_refused() {
        let error = WeightedLosses::new(&[1.0, 0.0], &[1.0, -0.5]).expect_err("negative");
        assert_eq!(error.to_string(), "a density ratio is -0.5; expected a number of 0 or more");
        assert!(WeightedLosses::new(&[1.0], &[f64::NAN]).is_err());
        assert!(WeightedLosses::new(&[1.0], &[1.0]).expect("usable").control_variate().is_err());
    }
}
