//! # tribunal-eval: the judge
//!
//! Takes what was true and what a model said, and tells how good that was. It never meets a model: scores
//! from any tool are judged alike.
//!
//! Everything hangs on two types. A [`ScoredSet`] pairs truth with scores and is validated once. A
//! [`Ranking`] is that set sorted from the highest score to the lowest and grouped by ties; **every ranking
//! metric and every curve is a function of a `Ranking`**, so the sort is paid for once.
//!
//! ```
//! use tribunal_eval::{Error, Ranking, curves, intervals, metrics, significance};
//!
//! let y_true = [true, true, false, true, false, false];
//! let y_score = [0.9, 0.8, 0.7, 0.4, 0.4, 0.1];
//! let other = [0.6, 0.1, 0.5, 0.7, 0.3, 0.2];
//!
//! let ranking = Ranking::from_scores(&y_true, &y_score)?;
//! let auroc = metrics::auroc(&ranking)?;
//! let interval = intervals::delong_of_ranking(&ranking)?.interval(Default::default());
//! let test = significance::compare_aurocs(&y_true, [&y_score, &other], Default::default())?;
//! let roc = curves::roc_curve(&ranking)?;
//!
//! // Of the nine pairs of a positive and a negative seven are in order, and one is tied.
//! assert!((auroc - 7.5 / 9.0).abs() < 1e-15);
//! assert!(interval.contains(auroc) && (test.effect.difference - 1.5 / 9.0).abs() < 1e-15);
//! assert_eq!(roc.thresholds, [f64::INFINITY, 0.9, 0.8, 0.7, 0.4, 0.1]);
//! # Ok::<(), Error>(())
//! ```
//!
//! Truth may also be 0 and 1 or labels of which one is positive: see [`Truth`]. Weights and amounts join in a
//! [`ScoredSet`]; rows that come in batches, or counts by score, make a ranking too ([`RankingBuilder`],
//! [`Ranking::from_counts`]). A figure that does not exist says why, and becomes an [`Error`] with `?`:
//!
//! ```
//! use tribunal_eval::{CutoffRule, Ranking, Undefined, metrics};
//!
//! let one_class = Ranking::from_scores(&[true, true], &[0.5, 0.2])?;
//! assert_eq!(metrics::auroc(&one_class), Err(Undefined::NoNegatives));
//!
//! let ranking = Ranking::from_scores(&[true, true, false, true, false, false], &[0.9, 0.8, 0.7, 0.4, 0.4, 0.1])?;
//! assert_eq!(metrics::lift(&ranking, 1.0 / 3.0)?, 2.0);
//! assert_eq!(CutoffRule::Youden.find(&ranking)?.score, Some(0.8));
//! # Ok::<(), tribunal_eval::Error>(())
//! ```
//!
//! ## What was rejected
//!
//! - **An index sort** (`argsort`): reading an array back in random order costs more than the sort.
//!   The classes are sorted apart and merged, so that bare keys suffice.
//! - **NaN for undefined**: it spreads silently into means and tables. [`Undefined`] carries a reason.
//! - **Generic float types**: `f32` scores are exact in `f64`, and one type keeps signatures readable.

/// Its example is compiled with the others.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub mod base_rate;
pub mod conditions;
pub mod correction;
pub mod curves;
pub mod decisions;
pub mod error_matrix;
pub mod influence;
pub mod intervals;
pub mod kmeans;
pub mod metrics;
pub mod monitoring;
pub mod score_selection;
pub mod significance;
pub mod unlabelled;

mod amounts;
mod certain;
mod checks;
mod confusion;
mod constant;
mod cut_table;
mod cutoff;
mod draw_tree;
mod error;
mod figure;
#[cfg(test)]
mod golden;
mod infinite;
mod list_part;
mod operating;
mod quantile_edges;
mod ranking;
mod recalibration;
mod reliability;
mod resampler;
mod score_bands;
mod scored_set;
mod sum;
mod threshold;
mod truth;
mod undefined;

pub use amounts::AmountPairs;
pub use certain::CertainRows;
pub use confusion::Confusion;
pub use cut_table::{CutAmountOrder, CutTable, CutWeights};
pub use cutoff::{Cutoff, CutoffRule};
pub use error::{Error, ErrorKind};
pub use figure::Figure;
pub use list_part::ListPart;
pub use operating::Condition;
pub use ranking::{
    AmountSums, Block, CodedScores, Mass, Ranking, RankingBuilder, ScoreCounts, ScoredChunks, Split,
};
pub use reliability::{ReliabilityBin, ReliabilityTable};
pub use resampler::{ResampledRows, Resampler};
pub use score_bands::ScoreBands;
pub use scored_set::{AmountsOf, ScoredSet};
pub use truth::Truth;
pub use undefined::{Undefined, Value};
