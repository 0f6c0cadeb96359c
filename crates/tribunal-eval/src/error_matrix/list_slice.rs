//! Neighbouring blocks of a ranking and what a cut-off makes of them.

use std::ops::Range;

use crate::confusion::Confusion;
use crate::intervals::{Interval, Level, Proportion, wilson};
use crate::ranking::{Ranking, Split};

/// Rows of neighbouring scores, their four outcomes and the sum of their squared weights.
pub(super) struct ListSlice {
    pub(super) rows: f64,
    pub(super) cells: Confusion,
    pub(super) squared_weight: f64,
}

impl ListSlice {
    /// The blocks of a range, counted from the top, where the first `flagged` of the list are predicted positive.
    pub(super) fn of(ranking: &Ranking, flagged: Split, blocks: Range<usize>) -> Self {
        let (above, through) = (ranking.through(blocks.start), ranking.through(blocks.end));
        // What is flagged is the top of the list, so each class is flagged up to its own mark.
        let parts = |above: f64, through: f64, mark: f64| {
            let mark = mark.clamp(above, through);
            (mark - above, through - mark)
        };
        let (tp, fn_) = parts(above.positive, through.positive, flagged.positive);
        let (fp, tn) = parts(above.negative, through.negative, flagged.negative);
        Self {
            rows: ranking.rows_through(blocks.end) - ranking.rows_through(blocks.start),
            cells: Confusion { tp, fp, fn_, tn },
            squared_weight: squared_weight(ranking, blocks),
        }
    }
}

/// What a confusion matrix predicts positive.
pub(super) fn flagged(cells: &Confusion) -> Split {
    Split { positive: cells.tp, negative: cells.fp }
}

fn squared_weight(ranking: &Ranking, blocks: Range<usize>) -> f64 {
    let unit = ranking.totals().total() / ranking.n_rows();
    let [positives, negatives] = ranking.powers_between(blocks.start, blocks.end);
    (positives[1] + negatives[1]) * unit * unit
}

/// Wilson's interval of a share of some cases, of weighted ones at Kish's effective number; `None` of no cases.
pub(super) fn share_interval(part: f64, total: f64, squared_weight: f64, level: Level) -> Option<Interval> {
    Proportion::weighted(part.min(total), total, squared_weight).ok().map(|share| wilson(share, level))
}
