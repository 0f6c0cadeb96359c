//! `feature`: the lowest or the highest values of a column are left out, as in Fan and Davidson (2006).

use super::values::Values;
use super::{BiasKind, Side};
use crate::resampling::floor_of;

pub(super) const KIND: BiasKind = BiasKind {
    name: "feature",
    definition: "leaves out the rows with the lowest (or highest) values of a column",
};

/// The share of the rows at one end of a column.
pub(super) fn dropped(values: &Values, fraction: f64, side: Side) -> Vec<u32> {
    let rows: Vec<u32> = (0..values.len() as u32).collect();
    at_end(&rows, values, fraction, side)
}

/// The share of some rows at one end of a column. A row without a value is neither low nor high: it goes only when no
/// other is left.
pub(super) fn at_end(rows: &[u32], values: &Values, fraction: f64, side: Side) -> Vec<u32> {
    let mut order = values.ascending(rows.iter().copied());
    if side == Side::High {
        order.reverse();
    }
    order.extend(values.missing(rows.iter().copied()));
    order.truncate(floor_of(fraction * rows.len() as f64));
    order
}

#[cfg(test)]
mod tests {
    use super::super::{Bias, BiasRows};
    use super::*;

    fn check(numbers: &[Option<f64>], fraction: f64, side: Side, kept: &[u32]) {
        let values = Values::of_optional_numbers("x", numbers.iter().copied());
        let found =
            Bias::Feature { fraction, side }.kept(&BiasRows::new(numbers.len()).with_values(&values), 1);
        assert_eq!(found.as_deref(), Ok(kept), "{numbers:?}");
    }

    #[test]
    fn golden_column_loses_its_first_three_rows() {
        let toy = [1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 1, 1, 3].map(|value| Some(f64::from(value)));
        check(&toy, 0.25, Side::Low, &[3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
        check(&toy, 0.25, Side::High, &[0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 12]);
    }

    #[test]
    fn missing_values_are_neither_low_nor_high() {
        let numbers = [None, Some(5.0), Some(1.0), None, Some(3.0)];
        check(&numbers, 0.4, Side::Low, &[0, 1, 3]);
        check(&numbers, 0.4, Side::High, &[0, 2, 3]);
        check(&numbers, 0.8, Side::Low, &[3]);
        check(&numbers, 0.0, Side::Low, &[0, 1, 2, 3, 4]);
    }
}
