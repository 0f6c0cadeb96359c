//! The gain and loss panel: what right predictions bring in and wrong ones cost along the scores, and the net benefit from the top.
//!
//! The influence of a case on the sums depends on its own amounts, so rows are needed, as for the gain in the top of a list
//! ([`TopGain`](crate::intervals::TopGain)), whose method the intervals follow.

use serde::{Deserialize, Serialize};

use super::rank_bins::RowBins;
use crate::checks::check_length;
use crate::decisions::CellValue;
use crate::error::Error;
use crate::figure::Figure;
use crate::influence::{BaseRate, Moments, Variance};
use crate::intervals::{Interval, Level, NoInterval};
use crate::ranking::Split;
use crate::scored_set::ScoredSet;
use crate::sum::Sum;

/// Half as many rows as the neighbourhood of a cut has at the least, over which the value of the marginal case is averaged.
const FEWEST_NEIGHBOURS: usize = 5;
/// A list of fewer rows shows nothing of how others would do.
const FEWEST_LISTED: usize = 4;

/// The amounts of the four cells: gains where the prediction is right, losses where it is wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellAmounts<'a> {
    /// Gained by a positive that is predicted positive: its value.
    pub tp: CellValue<'a>,
    /// Lost by a negative that is predicted positive: what acting costs.
    pub fp: CellValue<'a>,
    /// Lost by a positive that is predicted negative: the value missed.
    pub fn_: CellValue<'a>,
    /// Gained by a negative that is predicted negative: the cost avoided.
    pub tn: CellValue<'a>,
}

impl<'a> CellAmounts<'a> {
    /// The absolute value of one amount a row in every cell: what is meant where nothing else is said.
    pub fn magnitudes(amounts: &'a [f64]) -> Self {
        let each = CellValue::Magnitude(amounts);
        Self { tp: each, fp: each, fn_: each, tn: each }
    }

    /// What a row adds to the gains and to the losses.
    fn of(&self, row: usize, predicted: bool, positive: bool) -> Contribution {
        match (predicted, positive) {
            (true, true) => Contribution { gain: self.tp.of(row), loss: 0.0 },
            (true, false) => Contribution { gain: 0.0, loss: self.fp.of(row) },
            (false, true) => Contribution { gain: 0.0, loss: self.fn_.of(row) },
            (false, false) => Contribution { gain: self.tn.of(row), loss: 0.0 },
        }
    }

    fn check(&self, set: &ScoredSet<'_>, predicted: &[bool]) -> Result<(), Error> {
        let counts = |is_predicted: bool, is_positive: bool| {
            move |row: usize| {
                let is_there = set.weight.is_none_or(|weight| weight[row] > 0.0);
                is_there && predicted[row] == is_predicted && set.truth[row] == is_positive
            }
        };
        let n_rows = set.n_rows();
        self.tp.check("amount of true positives", n_rows, counts(true, true))?;
        self.fp.check("amount of false positives", n_rows, counts(true, false))?;
        self.fn_.check("amount of false negatives", n_rows, counts(false, true))?;
        self.tn.check("amount of true negatives", n_rows, counts(false, false))
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Contribution {
    gain: f64,
    loss: f64,
}

/// Gains and losses of a bin of scores.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct GainLossBin {
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
    /// What its right predictions bring in.
    pub gain: f64,
    /// What its wrong predictions cost.
    pub loss: f64,
    /// The share of the weight of all cases that lies in it or above.
    pub top_share: f64,
    /// Gains less losses from the highest score down to its lowest: the net benefit of the top share.
    pub net_from_top: Figure,
}

impl GainLossBin {
    /// Gain less loss of the bin.
    pub fn net(&self) -> f64 {
        self.gain - self.loss
    }
}

/// The gain and loss panel of an error-matrix chart.
///
/// **Definition** · Right predictions add the amount of their cell to the gains, wrong ones to the losses, each times the weight
/// of its row. Both are summed over the bins of the [proportion score function](super::Psf); the net is summed from the highest score
/// down. The interval of a net is that of a mean per case, times the weight of all cases: variance by the influence function, in which
/// the end of the list is a sample quantile, Student's t with the degrees of freedom that the kurtosis leaves, corrected for
/// skewness after Hall.
///
/// **Undefined when** there are no rows, no bins or more bins than rows, or an amount of a case is no finite number. There is no
/// interval with fewer than two cases of a class or four cases in the list, or where no value differs from the others.
///
/// **Example**
/// ```
/// use tribunal_eval::{ScoredSet, error_matrix::{CellAmounts, GainLossPanel}, intervals::Level};
///
/// let set = ScoredSet::new(&[true, false, true, false], &[0.9, 0.8, 0.3, 0.1])?;
/// let amounts = CellAmounts::magnitudes(&[100.0, 20.0, 30.0, -5.0]);
/// let panel = GainLossPanel::of(&set, &[true, true, false, false], &amounts, 2, Level::P95)?;
/// let bars: Vec<_> = panel.bins.iter().map(|bin| (bin.gain, bin.loss)).collect();
/// assert_eq!(bars, [(5.0, 30.0), (100.0, 20.0)]);
/// assert_eq!((panel.gain, panel.loss, panel.net.value), (105.0, 50.0, Some(55.0)));
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** · Koesmarno, the gain and loss chart; Hall 1992 for the interval
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct GainLossPanel {
    /// How many bins were asked for.
    pub n_bins: usize,
    /// Those that hold rows, from the lowest scores up.
    pub bins: Vec<GainLossBin>,
    /// What all right predictions bring in.
    pub gain: f64,
    /// What all wrong predictions cost.
    pub loss: f64,
    /// Gain less loss of all cases.
    pub net: Figure,
}

impl GainLossPanel {
    /// Of classes that were predicted by whatever rule.
    ///
    /// # Errors
    /// There is not one prediction for every row, an amount of a case is no finite number, or there are no rows, no bins, or more
    /// bins than rows.
    pub fn of(
        set: &ScoredSet<'_>,
        predicted: &[bool],
        amounts: &CellAmounts<'_>,
        n_bins: usize,
        level: Level,
    ) -> Result<Self, Error> {
        check_length("predicted class", predicted.len(), set.n_rows())?;
        amounts.check(set, predicted)?;
        let RowBins { order, bins: ranges } = RowBins::of(set, n_bins)?;
        let rows = SortedRows::of(set, predicted, amounts, &order);
        let mut bins = Vec::with_capacity(ranges.len());
        let (mut gain, mut loss, mut above) = (Sum::default(), Sum::default(), 0.0);
        for (bin, range) in ranges.into_iter().rev() {
            let sum =
                |of: fn(&SortedRow) -> f64| rows.rows[range.clone()].iter().map(of).collect::<Sum>().value();
            let own = Contribution {
                gain: sum(|row| row.weight * row.own.gain),
                loss: sum(|row| row.weight * row.own.loss),
            };
            gain.add(own.gain);
            loss.add(own.loss);
            let lambda = (rows.total - above) / rows.total;
            above += sum(|row| row.weight);
            bins.push(GainLossBin {
                bin,
                from: set.score[order[range.start]],
                to: set.score[order[range.end - 1]],
                rows: range.len() as f64,
                lambda,
                gain: own.gain,
                loss: own.loss,
                top_share: (above / rows.total).min(1.0),
                net_from_top: rows.net_from(range.start, gain.value() - loss.value(), level),
            });
        }
        bins.reverse();
        let (gain, loss) = (gain.value(), loss.value());
        Ok(Self { n_bins, bins, gain, loss, net: rows.net_from(0, gain - loss, level) })
    }
}

struct SortedRow {
    weight: f64,
    own: Contribution,
}

impl SortedRow {
    fn net(&self) -> f64 {
        self.own.gain - self.own.loss
    }
}

/// The rows from the lowest score up.
struct SortedRows {
    rows: Vec<SortedRow>,
    truth: Vec<bool>,
    weights: Vec<f64>,
    total: f64,
    /// The largest net of a row, so that fourth powers stay finite.
    largest: f64,
    has_loss: bool,
}

impl SortedRows {
    fn of(set: &ScoredSet<'_>, predicted: &[bool], amounts: &CellAmounts<'_>, order: &[usize]) -> Self {
        let row = |&row: &usize| SortedRow {
            weight: set.weight.map_or(1.0, |weight| weight[row]),
            own: amounts.of(row, predicted[row], set.truth[row]),
        };
        let rows: Vec<SortedRow> = order.iter().map(row).collect();
        let largest = rows.iter().map(|row| row.net().abs()).fold(0.0, f64::max);
        Self {
            truth: order.iter().map(|row| set.truth[*row]).collect(),
            weights: rows.iter().map(|row| row.weight).collect(),
            total: rows.iter().map(|row| row.weight).collect::<Sum>().value(),
            largest: if largest > 0.0 { largest } else { 1.0 },
            has_loss: rows.iter().any(|row| row.own.loss != 0.0),
            rows,
        }
    }

    /// The net of the rows from a place up.
    fn net_from(&self, start: usize, net: f64, level: Level) -> Figure {
        Figure::new(Ok(net), |_| self.interval(start, net, level))
    }

    fn interval(&self, start: usize, net: f64, level: Level) -> Result<Interval, NoInterval> {
        if self.rows.len() - start < FEWEST_LISTED {
            return Err(NoInterval::ShortList);
        }
        let unit = self.total * self.largest;
        let mean = net / unit;
        let values = self.influence(start, mean);
        let each = Split { positive: 1.0, negative: 1.0 };
        let moments = Moments::of_values(&self.truth, &values, Some(&self.weights), each);
        let is_sampled = (0..2).all(|class| moments.rows[class] >= 2.0 && moments.effective[class] > 1.0);
        if !is_sampled {
            return Err(NoInterval::FewCases);
        }
        let variance = Variance::of(&moments, BaseRate::Random);
        if variance.vanishes(1.0) {
            return Err(if self.has_loss { NoInterval::NoHit } else { NoInterval::NoLoss });
        }
        let asymmetry = variance.skewness / (self.rows.len() as f64).sqrt();
        let quantile = level.t(variance.kurtosis_df);
        let interval = level.on_skewed(mean, variance.standard_error(), asymmetry, quantile);
        Ok(interval.holding(mean).mapped(|mean| mean * unit))
    }

    /// The influence of each row on the net of the rows from a place up, per case and in units of the largest amount. The place is a
    /// sample quantile: a case more above it puts one out that is worth as much as its neighbours.
    fn influence(&self, start: usize, mean: f64) -> Vec<f64> {
        let above: Sum = self.rows[start..].iter().map(|row| row.weight).collect();
        let marginal = if start == 0 { 0.0 } else { self.marginal(start) };
        let centre = mean - marginal * above.value() / self.total;
        let value = |(place, row): (usize, &SortedRow)| {
            let inside = if place >= start { row.net() / self.largest - marginal } else { 0.0 };
            inside - centre
        };
        self.rows.iter().enumerate().map(value).collect()
    }

    /// The mean net of the rows around a place, half as many on each side as lie above it.
    fn marginal(&self, start: usize) -> f64 {
        let n_above = self.rows.len() - start;
        let half = (n_above / 2).max(FEWEST_NEIGHBOURS).min(n_above);
        let near = &self.rows[start.saturating_sub(half)..start + half];
        let net: Sum = near.iter().map(|row| row.weight * row.net()).collect();
        let weight: Sum = near.iter().map(|row| row.weight).collect();
        net.value() / weight.value() / self.largest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn constants_a_cell_count_the_cells() {
        let (truth, score) = ([true, false, true, false, true], [0.9, 0.7, 0.6, 0.3, 0.1]);
        let set = ScoredSet::new(&truth, &score).expect("valid");
        let constant = CellValue::Constant;
        let amounts =
            CellAmounts { tp: constant(50.0), fp: constant(6.0), fn_: constant(40.0), tn: constant(6.0) };
        let panel = GainLossPanel::of(&set, &[true, true, true, false, false], &amounts, 5, Level::P95)
            .expect("bins");
        let column = |of: fn(&GainLossBin) -> f64| panel.bins.iter().map(of).collect::<Vec<_>>();
        assert_eq!(column(|bin| bin.gain), [0.0, 6.0, 50.0, 0.0, 50.0]);
        assert_eq!(column(|bin| bin.loss), [40.0, 0.0, 0.0, 6.0, 0.0]);
        assert_eq!(column(GainLossBin::net), [-40.0, 6.0, 50.0, -6.0, 50.0]);
        let from_top = panel.bins.iter().map(|bin| bin.net_from_top.value.expect("defined"));
        assert_eq!(from_top.collect::<Vec<_>>(), [60.0, 100.0, 94.0, 44.0, 50.0]);
        assert_eq!((panel.gain, panel.loss, panel.net.value), (106.0, 46.0, Some(60.0)));
        assert_eq!(column(|bin| bin.top_share)[0], 1.0);
        assert_eq!(panel.bins[2].net_from_top.no_interval, Some(NoInterval::ShortList));
        assert!(panel.bins[0].net_from_top.interval.is_some());
    }

    #[test]
    fn amounts_of_other_cells_are_not_looked_at() {
        let set = ScoredSet::new(&[true, false], &[0.9, 0.7]).expect("valid");
        let per_row = [10.0, f64::NAN];
        let zero = CellValue::Constant(0.0);
        let of = |tp, fp| {
            let amounts = CellAmounts { tp, fp, fn_: zero, tn: zero };
            GainLossPanel::of(&set, &[true, true], &amounts, 1, Level::P95)
        };
        assert_eq!(of(CellValue::Column(&per_row), zero).expect("fine").gain, 10.0);
        let error = of(zero, CellValue::Column(&per_row)).expect_err("NaN");
        assert_eq!(
            error.to_string(),
            "amount of false positives of row 1 is NaN; it must be a finite number"
        );
        assert!(of(CellValue::Constant(f64::INFINITY), zero).is_err());
    }

    #[test]
    fn nothing_that_varies_has_no_interval() {
        let set = ScoredSet::new(&[true, false, true, false], &[0.9, 0.7, 0.4, 0.2]).expect("valid");
        let panel = |predicted: [bool; 4], each: f64| {
            let amounts = CellAmounts::magnitudes(&[1.0; 4]);
            let none = [CellValue::Constant(each); 4];
            let [tp, fp, fn_, tn] = none;
            let amounts = if each < 0.0 { amounts } else { CellAmounts { tp, fp, fn_, tn } };
            GainLossPanel::of(&set, &predicted, &amounts, 2, Level::P95).expect("bins").net
        };
        let right = [true, false, true, false];
        assert_eq!(panel(right, -1.0).no_interval, Some(NoInterval::NoLoss));
        assert_eq!(panel(right.map(|class| !class), -1.0).no_interval, Some(NoInterval::NoHit));
        assert!(panel([true; 4], -1.0).interval.is_some_and(|interval| interval.contains(0.0)));
    }

    proptest! {
        #[test]
        fn sums_are_those_of_a_direct_count(
            rows in prop::collection::vec((any::<bool>(), any::<bool>(), -3i32..9, -50i32..200, 0u8..4), 4..90),
            n_bins in 1usize..8,
        ) {
            let truth: Vec<bool> = rows.iter().map(|row| row.0).collect();
            let predicted: Vec<bool> = rows.iter().map(|row| row.1).collect();
            let score: Vec<f64> = rows.iter().map(|row| f64::from(row.2)).collect();
            let amount: Vec<f64> = rows.iter().map(|row| f64::from(row.3)).collect();
            let weight: Vec<f64> = rows.iter().map(|row| f64::from(row.4) * 0.5).collect();
            prop_assume!(weight.iter().filter(|weight| **weight > 0.0).count() >= n_bins);
            let set = ScoredSet::new(&truth, &score).and_then(|set| set.with_weight(&weight)).expect("valid");
            let amounts = CellAmounts { tn: CellValue::Constant(2.5), ..CellAmounts::magnitudes(&amount) };
            let panel = GainLossPanel::of(&set, &predicted, &amounts, n_bins, Level::P95).expect("bins");
            let of_rows = |counts: &dyn Fn(usize) -> bool, sign: f64| -> f64 {
                (0..rows.len()).filter(|row| counts(*row)).map(|row| {
                    let value = if !truth[row] && !predicted[row] { 2.5 } else { amount[row].abs() };
                    let is_gain = truth[row] == predicted[row];
                    if is_gain == (sign > 0.0) { weight[row] * value } else { 0.0 }
                }).sum()
            };
            prop_assert!((panel.gain - of_rows(&|_| true, 1.0)).abs() < 1e-9);
            prop_assert!((panel.loss - of_rows(&|_| true, -1.0)).abs() < 1e-9);
            for bin in &panel.bins {
                let inside = |row: usize| bin.from <= score[row] && score[row] <= bin.to;
                prop_assert!((bin.gain - of_rows(&inside, 1.0)).abs() < 1e-9);
                prop_assert!((bin.loss - of_rows(&inside, -1.0)).abs() < 1e-9);
                let above = |row: usize| bin.from <= score[row];
                let net = of_rows(&above, 1.0) - of_rows(&above, -1.0);
                prop_assert!((bin.net_from_top.value.expect("defined") - net).abs() < 1e-9);
            }
            prop_assert_eq!(panel.bins[0].net_from_top.value, panel.net.value);
        }
    }
}
