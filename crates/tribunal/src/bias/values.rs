//! A column as a bias sees it: numbers, or labels by their place in an order; some may be missing.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use tribunal_learn::natural_order;

/// A column that rows can be sorted by.
#[derive(Clone, Debug, PartialEq)]
pub struct Values {
    name: String,
    values: Vec<Option<f64>>,
}

impl Values {
    /// A column of numbers.
    pub fn of_numbers(name: &str, numbers: impl IntoIterator<Item = f64>) -> Self {
        Self::of_optional_numbers(name, numbers.into_iter().map(Some))
    }

    /// A column of numbers, some missing; what is not a number is missing too.
    pub fn of_optional_numbers(name: &str, numbers: impl IntoIterator<Item = Option<f64>>) -> Self {
        let number = |value: Option<f64>| value.filter(|number| !number.is_nan());
        Self { name: name.to_owned(), values: numbers.into_iter().map(number).collect() }
    }

    /// A column of labels: each stands for its place among the declared levels or, without any, in the order that
    /// [levels](tribunal_learn::natural_order) have. A label that is not among the declared ones counts as missing.
    pub fn of_labels<S: AsRef<str>>(
        name: &str,
        labels: impl IntoIterator<Item = Option<S>>,
        declared: &[String],
    ) -> Self {
        let labels: Vec<Option<S>> = labels.into_iter().collect();
        let order = if declared.is_empty() {
            let met: BTreeSet<&str> = labels.iter().flatten().map(AsRef::as_ref).collect();
            natural_order(met.into_iter().map(str::to_owned).collect())
        } else {
            declared.to_vec()
        };
        let places: FxHashMap<&str, f64> =
            order.iter().enumerate().map(|(place, label)| (label.as_str(), place as f64)).collect();
        let place = |label: &Option<S>| label.as_ref().and_then(|label| places.get(label.as_ref()).copied());
        Self { name: name.to_owned(), values: labels.iter().map(place).collect() }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many rows it has.
    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    /// How many values are missing.
    pub fn n_missing(&self) -> usize {
        self.values.iter().filter(|value| value.is_none()).count()
    }

    /// The value of a row.
    pub(super) fn get(&self, row: u32) -> Option<f64> {
        self.values[row as usize]
    }

    /// Some rows that have a value, from the lowest to the highest; rows of equal value in the order of the table.
    pub(super) fn ascending(&self, rows: impl Iterator<Item = u32>) -> Vec<u32> {
        let known = |row: u32| self.get(row).map(|value| (value + 0.0, row));
        let mut known: Vec<(f64, u32)> = rows.filter_map(known).collect();
        known.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        known.into_iter().map(|(_, row)| row).collect()
    }

    /// Some rows without a value.
    pub(super) fn missing(&self, rows: impl Iterator<Item = u32>) -> Vec<u32> {
        rows.filter(|&row| self.get(row).is_none()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_sorted_by_value_and_missing_ones_stand_apart() {
        let check = |values: Values, ascending: &[u32], missing: &[u32]| {
            assert_eq!(values.ascending(0..values.len() as u32), ascending);
            assert_eq!(values.missing(0..values.len() as u32), missing);
        };
        let numbers = [Some(2.0), None, Some(-0.0), Some(0.0), Some(f64::NAN), Some(f64::NEG_INFINITY)];
        check(Values::of_optional_numbers("x", numbers), &[5, 2, 3, 0], &[1, 4]);
        let labels = [Some("b"), Some("10"), None, Some("9"), Some("b")];
        check(Values::of_labels("x", labels, &[]), &[3, 1, 0, 4], &[2]);
        let declared = ["b", "10"].map(String::from);
        check(Values::of_labels("x", labels, &declared), &[0, 4, 1], &[2, 3]);
        let sizes = [Some("more than 4"), Some("none"), Some("2 to 4")];
        check(Values::of_labels("x", sizes, &[]), &[1, 2, 0], &[]);
    }
}
