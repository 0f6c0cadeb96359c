//! The box that rows lie in, and how far apart two of them are at least.

/// The least and the largest number of every column.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Box {
    low: Vec<f64>,
    high: Vec<f64>,
}

/// A sum of squares less all that rounding may have added to it, with as many columns as a matrix can have.
pub(super) fn slack_below(sum: f64) -> f64 {
    sum * (1.0 - 1e-10)
}

impl Box {
    pub(super) fn around<'a>(n_columns: usize, rows: impl Iterator<Item = &'a [f64]>) -> Box {
        let mut found = Box { low: vec![f64::INFINITY; n_columns], high: vec![f64::NEG_INFINITY; n_columns] };
        for row in rows {
            for ((low, high), value) in found.low.iter_mut().zip(&mut found.high).zip(row) {
                (*low, *high) = (low.min(*value), high.max(*value));
            }
        }
        found
    }

    /// The column that the box is widest in, with its middle; `None` if all rows are the same.
    pub(super) fn widest(&self) -> Option<(usize, f64)> {
        let width = |idx: usize| self.high[idx] - self.low[idx];
        let widest = (0..self.low.len()).reduce(|a, b| if width(b) > width(a) { b } else { a })?;
        (width(widest) > 0.0).then(|| (widest, self.low[widest] + width(widest) / 2.0))
    }

    /// The squared distance between the nearest points of two boxes.
    pub(super) fn apart(&self, other: &Box) -> f64 {
        let ends = self.low.iter().zip(&self.high).zip(other.low.iter().zip(&other.high));
        ends.map(|((low, high), (other_low, other_high))| square_of_gap(other_low - high, low - other_high))
            .sum()
    }

    /// The squared distance between a point and the nearest point of the box.
    pub(super) fn apart_from(&self, point: &[f64]) -> f64 {
        let ends = self.low.iter().zip(&self.high).zip(point);
        ends.map(|((low, high), value)| square_of_gap(low - value, value - high)).sum()
    }
}

#[inline(always)]
fn square_of_gap(below: f64, above: f64) -> f64 {
    let gap = below.max(above).max(0.0);
    gap * gap
}
