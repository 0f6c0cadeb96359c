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
//! use tribunal_eval::{CutoffRule, Ranking, ScoredSet, metrics};
//!
//! let y_true = [true, true, false, true, false, false];
//! let y_score = [0.9, 0.8, 0.7, 0.4, 0.4, 0.1];
//! let ranking = Ranking::of(&ScoredSet::new(&y_true, &y_score)?)?;
//!
//! assert!((metrics::auroc(&ranking)? - 5.0 / 6.0 - 0.5 / 9.0 + 1.0 / 9.0).abs() < 0.1);
//! assert_eq!(metrics::lift(&ranking, 1.0 / 3.0)?, 2.0);
//! let cutoff = CutoffRule::Youden.find(&ranking)?;
//! assert_eq!(cutoff.score, Some(0.8));
//!
//! // A figure that does not exist says why.
//! let one_class = Ranking::of(&ScoredSet::new(&[true], &[0.5])?)?;
//! assert_eq!(metrics::auroc(&one_class).unwrap_err().to_string(), "there are no negatives");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ## What was rejected
//!
//! - **An index sort** (`argsort`): reading an array back in random order costs more than the sort.
//!   The classes are sorted apart and merged, so that bare keys suffice.
//! - **NaN for undefined**: it spreads silently into means and tables. [`Undefined`] carries a reason.
//! - **Generic float types**: `f32` scores are exact in `f64`, and one type keeps signatures readable.

pub mod curves;
pub mod intervals;
pub mod metrics;
pub mod significance;

mod amounts;
mod confusion;
mod constant;
mod cutoff;
mod draw_tree;
#[cfg(test)]
mod golden;
mod infinite;
mod list_part;
mod operating;
mod ranking;
mod recalibration;
mod reliability;
mod resampler;
mod scored_set;
mod sum;
mod undefined;

pub use amounts::AmountPairs;
pub use confusion::Confusion;
pub use cutoff::{Cutoff, CutoffRule, UnknownCutoff};
pub use list_part::ListPart;
pub use operating::Condition;
pub use ranking::{Block, CannotRank, CodedScores, Mass, Ranking, RankingBuilder, ScoredChunks, Split};
pub use reliability::{ReliabilityBin, ReliabilityTable};
pub use resampler::{ResampledRows, Resampler};
pub use scored_set::{InvalidSet, ScoredSet};
pub use undefined::{Undefined, Value};
