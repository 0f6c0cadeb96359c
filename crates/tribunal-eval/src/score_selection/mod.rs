//! What every figure would have said if only the cases above a score had been acted on.
//!
//! Whoever investigates the top of a list learns the outcome of these cases and of no others. Figures of the investigated cases
//! differ from those of all cases though the model is the same: restriction of range (Pearson 1903; Thorndike 1949), and in
//! diagnostics verification bias (Begg & Greenes 1983). The strike rate rises with the score at which the list was cut; PCC, error
//! rate, AUROC, Brier score and log-loss move with it; so does the raw area under a risk chart, whose limits follow from the strike rate
//! (Koesmarno 2019). What depends on the score alone survives: strike rates, calibration and pairs of cases within bands of the
//! score ([`band_tallies`]), and sums of these at the mix of bands that was acted on (direct standardisation).
//!
//! [`ScoreSelection`] asks every [`SelectionFigure`] of a list and of its upper parts; [`ScoreSelection::tests`] tells, from bootstrap
//! replicates of the cases, whether each differs by more than chance. The parts hold cases of the list, so differences are drawn
//! together.
//!
//! ```
//! use tribunal_eval::score_selection::{ScoreSelection, SelectionCut, SelectionFigure, bands_with_cuts};
//! use tribunal_eval::{CutoffRule, Ranking};
//!
//! // 41 true negatives, 5 false positives, 3 false negatives and 5 true positives at a cut-off of 0.5; the 36 lowest cases are
//! // negatives, and nobody looks at them.
//! let cases = [(0.9, 5, 5), (0.4, 3, 5), (0.1, 0, 36)];
//! let rows = |positive: bool| {
//!     cases.into_iter().flat_map(move |(score, p, n)| vec![(positive, score); if positive { p } else { n }])
//! };
//! let (truth, scores): (Vec<bool>, Vec<f64>) = rows(true).chain(rows(false)).unzip();
//! let ranking = Ranking::from_scores(&truth, &scores)?;
//! let cuts = [SelectionCut::at(&ranking, 18.0 / 54.0)?];
//! let selection = ScoreSelection {
//!     bands: bands_with_cuts(&ranking, &cuts, 10)?,
//!     cutoff: CutoffRule::Score(0.5).find(&ranking),
//!     cuts: cuts.to_vec(),
//!     whole: &ranking,
//! };
//! let found = selection.read(&ranking);
//! let error_rate = found.actioned[0].contrast(SelectionFigure::ErrorRate);
//! assert_eq!((error_rate.reference.clone(), error_rate.value.clone()), (Ok(8.0 / 54.0), Ok(8.0 / 18.0)));
//! assert_eq!(found.actioned[0].contrast(SelectionFigure::StrikeRateInBands).difference(), Some(0.0));
//! # Ok::<(), tribunal_eval::Error>(())
//! ```

mod band_tally;
mod contrast;
mod cut;
mod figure;
mod reading;
mod tests_of_differences;

pub use band_tally::{BandTally, auroc_within_bands, band_tallies};
pub use contrast::Contrast;
pub use cut::{SelectionCut, bands_with_cuts};
pub use figure::SelectionFigure;
pub use reading::{ActionedReading, ScoreSelection, SelectionReading};
