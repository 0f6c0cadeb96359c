//! The proportion score function: the share of right predictions in bins of scores.

use serde::{Deserialize, Serialize};

use super::list_slice::{ListSlice, flagged, share_interval};
use super::rank_bins::{RowBins, block_bins};
use crate::checks::check_length;
use crate::confusion::Confusion;
use crate::cutoff::Cutoff;
use crate::error::Error;
use crate::intervals::{Interval, Level, Sampled};
use crate::scored_set::ScoredSet;
use crate::sum::Sum;

/// A bin of scores.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct PsfBin {
    /// Which of the bins asked for, from 0 for the lowest scores.
    pub bin: usize,
    /// The lowest score in it.
    pub from: f64,
    /// The highest score in it.
    pub to: f64,
    /// Its rows.
    pub rows: f64,
    /// Its upper end: the share of the weight of all cases that lies in it or below.
    pub lambda: f64,
    /// The four outcomes of its cases, by weight.
    pub cells: Confusion,
    /// The share of its weight whose predicted class is the true one.
    pub psf: f64,
    /// Wilson's interval of that share, with weights at Kish's effective number of rows.
    pub interval: Option<Interval>,
}

impl PsfBin {
    fn new(bin: usize, (from, to): (f64, f64), lambda: f64, slice: &ListSlice, level: Level) -> Self {
        let ListSlice { rows, cells, squared_weight } = *slice;
        let (correct, total) = (cells.tp + cells.tn, cells.total());
        let interval = share_interval(correct, total, squared_weight, level);
        Self { bin, from, to, rows, lambda, cells, psf: correct / total, interval }
    }

    /// The share of wrong predictions: what the published equations of the regions are written for.
    pub fn psf_incorrect(&self) -> f64 {
        (self.cells.fp + self.cells.fn_) / self.cells.total()
    }
}

/// The proportion score function.
///
/// **Definition** · Rows get ranks from the lowest score up, equal scores their mean rank; row `i` of `n` falls into bin
/// `floor(rank k / (n + 1))` of `k`. The function is the share of the weight of each bin whose predicted class is the true one,
/// over the share `lambda` of all weight up to the end of the bin. Bins without rows are left out.
///
/// **Undefined when** there are no rows, no bins, or more bins than rows.
///
/// **Example**
/// ```
/// use tribunal_eval::{CutoffRule, Ranking, error_matrix::Psf, intervals::Sampled};
///
/// let ranking = Ranking::from_scores(&[true, true, false, true, false, false], &[0.9, 0.8, 0.7, 0.4, 0.3, 0.1])?;
/// let cutoff = CutoffRule::Score(0.5).find(&ranking)?;
/// let psf = Psf::at_cutoff(&Sampled::new(&ranking), &cutoff, 3)?;
/// let points: Vec<_> = psf.bins.iter().map(|bin| (bin.rows, bin.psf)).collect();
/// assert_eq!(points, [(2.0, 1.0), (2.0, 0.0), (2.0, 1.0)]);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** · Koesmarno, algorithm 1; SAS Institute, the RANK procedure, option GROUPS.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Psf {
    /// How many bins were asked for.
    pub n_bins: usize,
    /// Those that hold rows, from the lowest scores up.
    pub bins: Vec<PsfBin>,
}

impl Psf {
    /// Of predictions by a cut-off of the same scores. A cut inside a block of tied scores takes the expected share of it. The
    /// intervals take the cut-off as given.
    ///
    /// # Errors
    /// There are no rows, no bins, or more bins than rows.
    pub fn at_cutoff(sampled: &Sampled<'_>, cutoff: &Cutoff, n_bins: usize) -> Result<Self, Error> {
        let Sampled { ranking, level, .. } = *sampled;
        let total = ranking.totals().total();
        let bins = block_bins(ranking, n_bins)?.into_iter().map(|found| {
            let blocks = found.blocks;
            let scores = (ranking.score(blocks.end - 1), ranking.score(blocks.start));
            let lambda = (total - ranking.through(blocks.start).total()) / total;
            let slice = ListSlice::of(ranking, flagged(&cutoff.confusion), blocks);
            PsfBin::new(found.bin, scores, lambda, &slice, level)
        });
        Ok(Self { n_bins, bins: bins.collect() })
    }

    /// Of classes that were predicted elsewhere: the predicted class need not follow from the score.
    ///
    /// ```
    /// use tribunal_eval::{ScoredSet, error_matrix::Psf, intervals::Level};
    ///
    /// let set = ScoredSet::new(&[true, false, true, false], &[0.9, 0.7, 0.6, 0.2])?;
    /// let psf = Psf::of_predictions(&set, &[true, false, false, false], 2, Level::P95)?;
    /// assert_eq!(psf.bins.iter().map(|bin| bin.psf).collect::<Vec<_>>(), [0.5, 1.0]);
    /// # Ok::<(), tribunal_eval::Error>(())
    /// ```
    ///
    /// # Errors
    /// There is not one prediction for every row, or there are no rows, no bins, or more bins than rows.
    pub fn of_predictions(
        set: &ScoredSet<'_>,
        predicted: &[bool],
        n_bins: usize,
        level: Level,
    ) -> Result<Self, Error> {
        check_length("predicted class", predicted.len(), set.n_rows())?;
        let RowBins { order, bins } = RowBins::of(set, n_bins)?;
        let slices: Vec<ListSlice> =
            bins.iter().map(|(_, rows)| slice_of_rows(set, predicted, &order[rows.clone()])).collect();
        let total = slices.iter().map(|slice| slice.cells.total()).collect::<Sum>().value();
        let mut reached = Sum::default();
        let bin = |((bin, rows), slice): (&(usize, std::ops::Range<usize>), &ListSlice)| {
            reached.add(slice.cells.total());
            let scores = (set.score[order[rows.start]], set.score[order[rows.end - 1]]);
            PsfBin::new(*bin, scores, reached.value() / total, slice, level)
        };
        Ok(Self { n_bins, bins: bins.iter().zip(&slices).map(bin).collect() })
    }

    /// The four outcomes of all cases.
    pub fn cells(&self) -> Confusion {
        let sum = |cell: fn(&Confusion) -> f64| {
            self.bins.iter().map(|bin| cell(&bin.cells)).collect::<Sum>().value()
        };
        Confusion { tp: sum(|c| c.tp), fp: sum(|c| c.fp), fn_: sum(|c| c.fn_), tn: sum(|c| c.tn) }
    }
}

fn slice_of_rows(set: &ScoredSet<'_>, predicted: &[bool], rows: &[usize]) -> ListSlice {
    let weight = |row: usize| set.weight.map_or(1.0, |weight| weight[row]);
    let sum = |is_predicted: bool, is_positive: bool| {
        let rows =
            rows.iter().filter(|row| predicted[**row] == is_predicted && set.truth[**row] == is_positive);
        rows.map(|row| weight(*row)).collect::<Sum>().value()
    };
    ListSlice {
        rows: rows.len() as f64,
        cells: Confusion {
            tp: sum(true, true),
            fp: sum(true, false),
            fn_: sum(false, true),
            tn: sum(false, false),
        },
        squared_weight: rows.iter().map(|row| weight(*row).powi(2)).collect::<Sum>().value(),
    }
}

/// The predictions of a cut-off that divides no block, row by row.
#[cfg(test)]
pub(super) fn predictions(score: &[f64], cut: f64) -> Vec<bool> {
    score.iter().map(|score| *score >= cut).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cutoff::CutoffRule;
    use crate::golden::{table_5_6, tied};
    use crate::ranking::Ranking;
    use crate::undefined::Undefined;
    use proptest::prelude::*;

    const SCORES: [f64; 19] = [
        0.95, 0.93, 0.93, 0.88, 0.86, 0.85, 0.82, 0.80, 0.80, 0.79, 0.77, 0.76, 0.73, 0.65, 0.63, 0.58, 0.56,
        0.49, 0.48,
    ];

    fn truth() -> Vec<bool> {
        "++-+++++-+-++-+-+-+".chars().map(|label| label == '+').collect()
    }

    #[track_caller]
    fn check_golden(psf: &Psf) {
        let column = |of: fn(&PsfBin) -> f64| psf.bins.iter().map(of).collect::<Vec<f64>>();
        assert_eq!(column(|bin| bin.rows), [4.0, 5.0, 5.0, 5.0]);
        assert_eq!(column(|bin| bin.cells.tp + bin.cells.tn), [2.0, 2.0, 4.0, 4.0]);
        assert_eq!(column(|bin| bin.psf), [0.5, 0.4, 0.8, 0.8]);
        assert_eq!(column(|bin| bin.lambda), [4.0, 9.0, 14.0, 19.0].map(|rows: f64| rows / 19.0));
    }

    #[test]
    fn golden_bins_by_a_cutoff_and_by_predicted_classes() {
        let ranking = table_5_6();
        let cutoff = CutoffRule::Score(0.75).find(&ranking).expect("rows");
        check_golden(&Psf::at_cutoff(&Sampled::new(&ranking), &cutoff, 4).expect("four bins"));
        let truth = truth();
        let set = ScoredSet::new(&truth, &SCORES).expect("valid");
        let predicted = predictions(&SCORES, 0.75);
        check_golden(&Psf::of_predictions(&set, &predicted, 4, Level::P95).expect("four bins"));
    }

    #[test]
    fn predicted_classes_need_not_follow_from_the_score() {
        let truth = truth();
        let set = ScoredSet::new(&truth, &SCORES).expect("valid");
        let psf = Psf::of_predictions(&set, &truth, 19, Level::P95).expect("bins");
        assert!(psf.bins.iter().all(|bin| bin.psf == 1.0 && bin.psf_incorrect() == 0.0));
        // The two ties leave the bins beside their middle empty.
        assert_eq!((psf.bins.len(), psf.n_bins), (17, 19));
        let error = Psf::of_predictions(&set, &[true], 4, Level::P95).expect_err("one prediction");
        assert_eq!(error.to_string(), "predicted class has 1 values, but truth has 19");
    }

    #[test]
    fn a_cut_inside_a_tie_divides_it_by_expectation() {
        let ranking = tied();
        let cutoff = CutoffRule::Count(2.0).find(&ranking).expect("ten rows");
        let psf = Psf::at_cutoff(&Sampled::new(&ranking), &cutoff, 1).expect("a bin");
        assert_eq!(psf.bins[0].cells, cutoff.confusion);
        assert_eq!(psf.bins[0].psf, 0.6);
    }

    #[test]
    fn without_rows_there_are_no_bins() {
        let set = ScoredSet::new(&[true], &[0.5]).and_then(|set| set.with_weight(&[0.0])).expect("valid");
        let error = Psf::of_predictions(&set, &[true], 1, Level::P95).expect_err("no weight");
        assert_eq!(error, Undefined::NoRows.into());
    }

    proptest! {
        #[test]
        fn the_two_ways_agree_and_hold_every_case(
            rows in prop::collection::vec((any::<bool>(), -3i32..9, 0u8..4), 2..80),
            cut in -3i32..10,
            n_bins in 1usize..20,
        ) {
            let truth: Vec<bool> = rows.iter().map(|row| row.0).collect();
            let score: Vec<f64> = rows.iter().map(|row| f64::from(row.1)).collect();
            let weight: Vec<f64> = rows.iter().map(|row| f64::from(row.2) * 0.7).collect();
            let set = ScoredSet::new(&truth, &score).and_then(|set| set.with_weight(&weight)).expect("valid");
            let ranking = Ranking::of(&set).expect("few rows");
            prop_assume!(ranking.n_rows() >= n_bins as f64);
            let cutoff = CutoffRule::Score(f64::from(cut)).find(&ranking).expect("rows");
            let one = Psf::at_cutoff(&Sampled::new(&ranking), &cutoff, n_bins).expect("bins");
            let predicted = predictions(&score, f64::from(cut));
            let other = Psf::of_predictions(&set, &predicted, n_bins, Level::P95).expect("bins");
            prop_assert_eq!(one.bins.len(), other.bins.len());
            for (a, b) in one.bins.iter().zip(&other.bins) {
                prop_assert_eq!((a.bin, a.from, a.to, a.rows), (b.bin, b.from, b.to, b.rows));
                prop_assert!((a.psf - b.psf).abs() < 1e-12 && (a.lambda - b.lambda).abs() < 1e-12);
                let (a, b) = (a.interval.expect("cases"), b.interval.expect("cases"));
                prop_assert!((a.lower - b.lower).abs() < 1e-9 && (a.upper - b.upper).abs() < 1e-9);
            }
            let (cells, all) = (one.cells(), cutoff.confusion);
            for (found, expected) in [(cells.tp, all.tp), (cells.fp, all.fp), (cells.fn_, all.fn_), (cells.tn, all.tn)] {
                prop_assert!((found - expected).abs() < 1e-9);
            }
        }
    }
}
