//! What the orders by amount reach: the limits of a share of the amount.

use serde::{Deserialize, Serialize};

use super::RiskArea;
use crate::curves::Point;
use crate::cut_table::CutAmountOrder;

/// What the orders by amount reach.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct AmountLimits {
    /// The area under the curve and those of its limits.
    pub area: RiskArea,
    /// The share of the amount over the caseload in the best order, from the origin on. The worst order is the best one from its
    /// end: what it reaches at a caseload is 1 less what the best one reaches at the rest.
    pub best: Vec<Point>,
}

impl AmountLimits {
    pub(super) fn of(order: &CutAmountOrder, total: f64, area: f64) -> Self {
        let weights = order.weight.last().copied().unwrap_or(1.0);
        let points = order.weight.iter().zip(&order.amount);
        let points = points.map(|(weight, amount)| Point { x: weight / weights, y: amount / total });
        let best: Vec<Point> = std::iter::once(Point::default()).chain(points).collect();
        let highest: f64 =
            best.windows(2).map(|pair| (pair[1].x - pair[0].x) * (pair[0].y + pair[1].y) / 2.0).sum();
        let lowest = 1.0 - highest;
        let width = highest - lowest;
        let standardised = if width > 0.0 { ((area - lowest) / width).clamp(0.0, 1.0) } else { 0.5 };
        Self { area: RiskArea { area, lowest, highest, standardised }, best }
    }

    /// The share of the amount that the best order holds at a caseload.
    pub fn best(&self, share: f64) -> f64 {
        let after = self.best.partition_point(|point| point.x < share);
        match (after.checked_sub(1).map(|left| self.best[left]), self.best.get(after)) {
            (Some(left), Some(right)) => left.y + (right.y - left.y) * (share - left.x) / (right.x - left.x),
            (None, Some(first)) => first.y,
            (_, None) => 1.0,
        }
    }

    /// The share of the amount that the worst order holds at a caseload.
    pub fn worst(&self, share: f64) -> f64 {
        1.0 - self.best(1.0 - share)
    }
}
