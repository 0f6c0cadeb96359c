//! The values of a column in short: quartiles and a histogram of numbers, the commonest levels of the others.

use tribunal_learn::{Column, Kind, Timestamp, Values, has_date_form, read_dates};

use super::results::{DateRange, LevelCount, NumberSummary};
use crate::data::{Figures, TypedColumn};

const BINS: usize = 10;
const SHOWN_LEVELS: usize = 20;

/// Numbers in short; `None` for a column without any.
pub(super) fn numbers(column: &TypedColumn) -> Option<NumberSummary> {
    let (Values::Numbers(values), Figures::Numbers(moments)) = (column.column.values(), &column.figures)
    else {
        return None;
    };
    let mut sorted: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
    if sorted.is_empty() {
        return None;
    }
    sorted.sort_by(f64::total_cmp);
    let finite = |value: f64| value.is_finite().then_some(value);
    Some(NumberSummary {
        min: moments.min,
        lower_quartile: quantile(&sorted, 0.25),
        median: quantile(&sorted, 0.5),
        upper_quartile: quantile(&sorted, 0.75),
        max: moments.max,
        mean: finite(moments.mean),
        sd: moments.sd().and_then(finite),
        histogram: histogram(&sorted),
    })
}

/// The quantile between its two neighbours (definition 7 of Hyndman and Fan 1996, the default of R and numpy).
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    below + (above - below) * place.fract()
}

/// A bar for each of a few numbers, or bins of equal width.
fn histogram(sorted: &[f64]) -> Vec<u64> {
    let runs: Vec<u64> = sorted.chunk_by(|a, b| a == b).take(BINS + 1).map(|run| run.len() as u64).collect();
    if runs.len() <= BINS {
        return runs;
    }
    let (low, high) = (quantile(sorted, 0.01), quantile(sorted, 0.99));
    let mut counts = vec![0; BINS];
    for value in sorted {
        let place = (value - low) / (high - low) * BINS as f64;
        let bin = if place.is_nan() { 0.0 } else { place.clamp(0.0, (BINS - 1) as f64) };
        counts[bin as usize] += 1;
    }
    counts
}

/// How many different values there are, and whether there are more than could be told apart.
pub(super) fn distinct(column: &TypedColumn) -> (u64, bool) {
    match (&column.figures, column.column.values()) {
        (Figures::Levels { counts, is_more }, _) => {
            (counts.iter().filter(|&&rows| rows > 0).count() as u64, *is_more)
        }
        (Figures::Numbers(_), Values::Numbers(values)) => {
            let mut sorted: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
            sorted.sort_by(f64::total_cmp);
            sorted.dedup();
            (sorted.len() as u64, false)
        }
        (Figures::Numbers(_), Values::Codes(_)) => (0, false),
    }
}

/// From when to when the dates of a column reach, or why they cannot be read; `None` for a column that holds none.
pub(super) fn dates(column: &TypedColumn) -> Option<Result<DateRange, String>> {
    const FEWEST: usize = 3;
    let Figures::Levels { counts, is_more: false } = &column.figures else { return None };
    let levels = column.column.kind().levels().iter().zip(counts);
    let levels: Vec<&str> = levels.filter(|(_, rows)| **rows > 0).map(|(level, _)| level.as_str()).collect();
    if levels.len() < FEWEST || !levels.iter().all(|level| has_date_form(level)) {
        return None;
    }
    Some(match read_dates(&levels, None) {
        Ok(dates) => {
            let show =
                |time: Option<&Timestamp>| time.map(|&time| dates.reading().show(time)).unwrap_or_default();
            Ok(DateRange {
                first: show(dates.times().iter().min()),
                last: show(dates.times().iter().max()),
                reading: dates.reading().clone(),
            })
        }
        Err(error) => Err(error.explain(&levels)),
    })
}

/// The commonest levels, in the order of the levels where they have one.
pub(super) fn levels(column: &TypedColumn) -> Vec<LevelCount> {
    let Figures::Levels { counts, .. } = &column.figures else { return Vec::new() };
    let named = |code: usize| level_name(&column.column, code);
    let mut order: Vec<usize> = (0..counts.len()).filter(|&code| counts[code] > 0).collect();
    if !matches!(column.column.kind(), Kind::Ordered(_) | Kind::Flag) || order.len() > SHOWN_LEVELS {
        order.sort_by_key(|&code| std::cmp::Reverse(counts[code]));
        order.truncate(SHOWN_LEVELS);
    }
    order.into_iter().map(|code| LevelCount { level: named(code), rows: counts[code] }).collect()
}

fn level_name(column: &Column, code: usize) -> String {
    column.kind().levels().get(code).cloned().unwrap_or_else(|| code.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_lie_between_their_neighbours() {
        let sorted = [1.0, 2.0, 3.0, 4.0];
        assert_eq!([0.0, 0.25, 0.5, 1.0].map(|share| quantile(&sorted, share)), [1.0, 1.75, 2.5, 4.0]);
        assert_eq!(quantile(&[7.0], 0.5), 7.0);
    }

    #[test]
    fn histograms_hold_every_number() {
        let sorted: Vec<f64> = (0..1000).map(f64::from).chain([1e9]).collect();
        let counts = histogram(&sorted);
        assert_eq!(counts.iter().sum::<u64>(), 1001);
        assert!(counts[5] > 90, "{counts:?}");
        assert_eq!(histogram(&[3.0, 3.0, 900.0]), [2, 1]);
    }
}
