//! Rows in an order in which neighbours stand together: halves of halves of the rows (Friedman, Bentley and Finkel 1977).

use std::ops::Range;

use super::boxes::Box;
use crate::learners::knn::points::Points;

/// Rows that are looked at to decide how to divide others.
const SAMPLE: usize = 64;

/// Rows in a new order, and the places of those that belong together, at most `most` of them unless they are all the same.
pub(super) fn arranged(points: &Points, rows: Vec<u32>, most: usize) -> (Vec<u32>, Vec<Range<usize>>) {
    let mut order = rows;
    let all = 0..order.len();
    let (mut open, mut buckets) = (vec![all], Vec::new());
    while let Some(places) = open.pop() {
        let n_first = if places.len() > most { divide(points, &mut order[places.clone()]) } else { None };
        match n_first {
            None => buckets.push(places),
            Some(n_first) => {
                let middle = places.start + n_first;
                open.push(middle..places.end);
                open.push(places.start..middle);
            }
        }
    }
    (order, buckets)
}

/// Puts some rows before all others and says how many; `None` if all are the same.
fn divide(points: &Points, rows: &mut [u32]) -> Option<usize> {
    by_spread(points, rows).or_else(|| by_width(points, rows))
}

/// Divides at the median of the column whose middle half is widest.
fn by_spread(points: &Points, rows: &mut [u32]) -> Option<usize> {
    let step = rows.len().div_ceil(SAMPLE);
    let sample: Vec<&[f64]> = rows.iter().step_by(step).map(|&row| points.row(row as usize)).collect();
    let quartiles = |idx: usize| {
        let mut values: Vec<f64> = sample.iter().map(|row| row[idx]).collect();
        values.sort_unstable_by(f64::total_cmp);
        [1, 2, 3].map(|quarter| values[values.len() * quarter / 4])
    };
    let columns = (0..points.n_columns).map(|idx| (idx, quartiles(idx)));
    let (idx, [_, median, _]) =
        columns.reduce(|a, b| if b.1[2] - b.1[0] > a.1[2] - a.1[0] { b } else { a })?;
    let n_first = partition(points, rows, |row| row[idx] < median);
    if n_first > 0 && n_first < rows.len() {
        return Some(n_first);
    }
    let n_first = partition(points, rows, |row| row[idx] <= median);
    (n_first > 0 && n_first < rows.len()).then_some(n_first)
}

/// Divides in the middle of the widest column.
fn by_width(points: &Points, rows: &mut [u32]) -> Option<usize> {
    let around = Box::around(points.n_columns, rows.iter().map(|&row| points.row(row as usize)));
    let (idx, middle) = around.widest()?;
    let n_first = partition(points, rows, |row| row[idx] <= middle);
    // Between neighbouring numbers there is no middle.
    (n_first > 0 && n_first < rows.len()).then_some(n_first)
}

/// Rows for which something is so stand before all others.
fn partition(points: &Points, rows: &mut [u32], is_first: impl Fn(&[f64]) -> bool) -> usize {
    let mut n_first = 0;
    for place in 0..rows.len() {
        if is_first(points.row(rows[place] as usize)) {
            rows.swap(place, n_first);
            n_first += 1;
        }
    }
    n_first
}
