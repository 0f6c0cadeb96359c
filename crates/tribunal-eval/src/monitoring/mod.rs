//! Why the strike rate of two periods differs: the population drifted, the selection changed, or the model decayed.
//!
//! The share of positives among the cases that were acted on mixes three things: which scores there were, which of them were acted
//! on, and how many of those were positive. Counted in bands of the score ([`BandCounts`]) they come apart as [`StrikeRateFactors`];
//! [`strike_rate_contributions`] says what each adds to the difference, [`PeriodSample`] draws the rows of a period again for
//! intervals, and the tests are those of strata ([`cochran_mantel_haenszel`](crate::significance::cochran_mantel_haenszel)).
//!
//! All of it assumes that within a band being acted on says nothing about the outcome beyond the band.
//!
//! ```
//! use tribunal_eval::monitoring::{BandCounts, StrikeRateFactors, strike_rate_contributions};
//!
//! let bands = |cells: [(u64, u64, u64); 3]| cells.map(|(rows, actioned, positives)| BandCounts::new(rows, actioned, positives));
//! let reference = bands([(200, 180, 108), (300, 150, 45), (500, 50, 5)]);
//! let current = bands([(150, 140, 70), (350, 280, 70), (700, 210, 16)]);
//! let (reference, current) = (StrikeRateFactors::of(&reference)?, StrikeRateFactors::of(&current)?);
//! let found = strike_rate_contributions(&reference, &current)?;
//! assert!((found.drift + 0.042022596).abs() < 1e-9 && (found.decay + 0.061258185).abs() < 1e-9);
//! assert!((found.total() - (current.strike_rate()? - reference.strike_rate()?)).abs() < 1e-15);
//! # Ok::<(), tribunal_eval::Error>(())
//! ```
//!
//! References: Kitagawa (1955), "Components of a difference between two rates"; Shapley (1953) and Shorrocks (2013), "Decomposition
//! procedures for distributional analysis", for the mean over all orders; Little (1993), "Post-stratification".

mod auroc_within;
mod band_counts;
mod contributions;
mod expected;
mod factors;
mod resampled;

pub use auroc_within::auroc_within_bands;
pub use band_counts::{BandCounts, JoinedBands, join_bands_without};
pub use contributions::{Contributions, MixContributions, mix_contributions, strike_rate_contributions};
pub use expected::expected_auroc;
pub use factors::StrikeRateFactors;
pub use resampled::PeriodSample;
