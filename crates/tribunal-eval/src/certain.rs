//! Probabilities of exactly 0 or 1: statements of certainty, and how often they prove wrong.
//!
//! Each that proves wrong has a log loss of 34.5 and a log-odds of that size, so a handful of them decides figures that are made
//! of log-odds, and a sample without any shows nothing of how frequent they are.

use crate::ranking::Ranking;
use crate::reliability::CLIP;

/// From so many certain rows on, how often they prove wrong is a rate of its own.
const MANY: f64 = 10.0;
/// With fewer wrong ones than this a figure that hangs on them is not known.
const FEW_WRONG: f64 = 10.0;

/// The rows of a ranking whose probability is 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CertainRows {
    /// How many there are.
    pub rows: f64,
    /// How many of them turned out otherwise; of weighted rows in units of the mean weight.
    pub wrong: f64,
}

/// Whether a probability states that a case is of the other class for certain.
pub(crate) fn is_certain_and_wrong(p: f64, positive: bool) -> bool {
    if positive { p <= CLIP } else { p >= 1.0 - CLIP }
}

impl CertainRows {
    /// Counts them.
    ///
    /// ```
    /// use tribunal_eval::{CertainRows, Ranking};
    ///
    /// let ranking = Ranking::from_scores(&[true, false, true, false], &[1.0, 1.0, 0.7, 0.0])?;
    /// assert_eq!(CertainRows::of(&ranking), CertainRows { rows: 3.0, wrong: 1.0 });
    /// # Ok::<(), tribunal_eval::Error>(())
    /// ```
    pub fn of(ranking: &Ranking) -> Self {
        let (n_rows, n_blocks) = (ranking.n_rows(), ranking.n_blocks());
        let of_one = ranking.blocks_from(1.0 - CLIP);
        let above_zero = ranking.blocks_from(CLIP.next_up());
        let wrong = ranking.through(of_one).negative + ranking.through(n_blocks).positive
            - ranking.through(above_zero).positive;
        Self {
            rows: ranking.rows_through(of_one) + n_rows - ranking.rows_through(above_zero),
            wrong: if wrong > 0.0 { wrong * n_rows / ranking.totals().total() } else { 0.0 },
        }
    }

    /// Whether they are so many that how often they prove wrong is a rate of its own.
    pub fn are_many(&self) -> bool {
        self.rows >= MANY
    }

    /// Whether they are many and so few of them were wrong that figures made of log-odds are not known.
    pub(crate) fn hide_mistakes(&self) -> bool {
        self.are_many() && self.wrong < FEW_WRONG
    }
}
