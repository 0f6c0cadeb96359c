//! The split of a node that lowers the loss most.
//!
//! Rows with gradients G and Hessians H gain G^2 / (H + l2) in a leaf of their own. Missing values go to the side where they
//! gain more. Of equal splits the first column and the lowest cut is taken. All is computed in single precision, as sums are
//! kept.
//!
//! **Reference** Chen and Guestrin 2016.

use super::derivatives::Derivatives;
use super::histogram::TiledColumn;
use super::settings::Boost;

/// The most that a tree adds to the log-odds of a row: where p (1 - p) is nothing for all rows, a step knows no end.
const LONGEST_STEP: f32 = 1000.0;

/// Sums in single precision may be too large by this share.
pub(super) const ROUNDING: f64 = 1e-3;

/// What a split has to be worth.
#[derive(Clone, Copy)]
pub(super) struct SplitRule {
    l2: f32,
    gain: f32,
    min_hessian: f32,
}

/// The rows of a node or of one side of a split.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    pub(super) sums: Derivatives<f32>,
    /// What a leaf would add to the log-odds at a rate of one.
    pub(super) step: f32,
    /// What a leaf would take from the loss, twice.
    pub(super) gain: f32,
}

/// Rows of bins below one go left.
#[derive(Clone, Copy, Debug)]
pub(super) struct BestSplit {
    /// The place of the column among all.
    pub(super) column: usize,
    pub(super) bin: u16,
    pub(super) missing_is_left: bool,
    /// By how much both sides together gain more than the node.
    pub(super) gain: f32,
    pub(super) left: Side,
    pub(super) right: Side,
}

impl SplitRule {
    pub(super) fn new(settings: &Boost) -> SplitRule {
        // The least number makes nothing of 0 / 0, where a sample holds no row, and changes no other sum.
        let l2 = settings.l2.max(f32::MIN_POSITIVE);
        SplitRule { l2, gain: settings.gain, min_hessian: settings.min_hessian }
    }

    /// All rows.
    pub(super) fn root(&self, sums: Derivatives<f32>) -> Side {
        Side { sums, step: self.step(sums), gain: sums.gradient * sums.gradient / (sums.hessian + self.l2) }
    }

    /// The value of a leaf at a rate of one.
    fn step(&self, sums: Derivatives<f32>) -> f32 {
        let step = -(sums.gradient / (sums.hessian + self.l2));
        if step.abs() > LONGEST_STEP { LONGEST_STEP.copysign(step) } else { step }
    }

    fn side(&self, sums: Derivatives<f32>) -> Side {
        let step = self.step(sums);
        let gain = -(2.0 * sums.gradient * step + (sums.hessian + self.l2) * (step * step));
        Side { sums, step, gain }
    }

    fn is_too_light(&self, side: Derivatives<f32>) -> bool {
        side.hessian < self.min_hessian
    }

    /// Whether a node is too light for two leaves, rounding errors aside.
    pub(super) fn is_leaf(&self, node: Derivatives<f32>) -> bool {
        f64::from(node.hessian) < 2.0 * f64::from(self.min_hessian) * (1.0 - ROUNDING)
    }

    /// The best split of a node with this histogram, if any gains enough; none without a histogram.
    pub(super) fn best_split(
        &self,
        node: &Side,
        histogram: &[Derivatives<f32>],
        columns: &[TiledColumn],
    ) -> Option<BestSplit> {
        if histogram.is_empty() {
            return None;
        }
        let mut best = None;
        let mut most = 0.0;
        for column in columns {
            self.search(node, &histogram[column.slots.clone()], |bin, missing_is_left, left, right| {
                let gain = left.gain + right.gain - node.gain;
                if gain - self.gain > most {
                    most = gain - self.gain;
                    let column = column.column;
                    best = Some(BestSplit { column, bin, missing_is_left, gain, left, right });
                }
            });
        }
        best
    }

    /// Offers the splits of a column that leave enough on both sides.
    fn search(
        &self,
        node: &Side,
        histogram: &[Derivatives<f32>],
        mut offer: impl FnMut(u16, bool, Side, Side),
    ) {
        let [missing, bins @ ..] = histogram else { return };
        let mut below = Derivatives::default();
        for (bin, of_bin) in (1..).zip(bins) {
            let (left, right) = (below, node.sums - below - *missing);
            below += *of_bin;
            if !missing.is_zero() {
                self.place_missing(bin, *missing, left, right, &mut offer);
            } else if !self.is_too_light(left) && !self.is_too_light(right) {
                offer(bin, false, self.side(left), self.side(right));
            }
        }
    }

    /// Offers a split with its missing values on the better side.
    #[inline(never)]
    fn place_missing(
        &self,
        bin: u16,
        missing: Derivatives<f32>,
        left: Derivatives<f32>,
        right: Derivatives<f32>,
        offer: &mut impl FnMut(u16, bool, Side, Side),
    ) {
        let (with_left, with_right) = (self.side(left + missing), self.side(right + missing));
        let (left, right) = (self.side(left), self.side(right));
        let is_left = with_right.gain - right.gain < with_left.gain - left.gain;
        let (left, right) = if is_left { (with_left, right) } else { (left, with_right) };
        if !self.is_too_light(left.sums) && !self.is_too_light(right.sums) {
            offer(bin, is_left, left, right);
        }
    }
}
