//! The figures of predicted amounts, with bootstrap intervals.

use rayon::prelude::*;
use tribunal_eval::AmountPairs;
use tribunal_eval::intervals::{Interval, Level, Replicates, bootstrap_percentile};
use tribunal_eval::metrics::{Kind, METRICS, Measure};
use tribunal_random::Random;

use super::gather::Amounts;
use super::kept::USUAL_ROWS;
use super::spread::Draws;
use crate::results::MetricRow;

/// One row per metric of amounts.
pub(super) fn amount_rows(
    model: &str,
    amounts: &Amounts,
    draws: Draws,
    level: Level,
) -> Vec<(Measure, MetricRow)> {
    let metrics = METRICS.iter().filter(|metric| metric.kind == Kind::Amount);
    let measures: Vec<Measure> = metrics.filter_map(|metric| Measure::new(metric, None).ok()).collect();
    let Some(estimates) = figures(amounts, &measures) else { return Vec::new() };
    let drawn = (0..draws.n_replicates as u64).into_par_iter();
    let drawn: Vec<Vec<f64>> =
        drawn.filter_map(|index| replicate(amounts, &measures, draws, index)).collect();
    let row = |(index, (measure, value)): (usize, (&Measure, &_))| {
        let row = MetricRow::new(model, measure.to_string(), amounts.actual.len() as u64, value);
        let interval = row.estimate.and_then(|estimate| {
            let replicates = drawn.iter().map(|figures| figures[index]).collect();
            interval(replicates, estimate, amounts.actual.len(), measure, level)
        });
        (*measure, row.with_interval(interval))
    };
    measures.iter().zip(&estimates).enumerate().map(row).collect()
}

fn figures(amounts: &Amounts, measures: &[Measure]) -> Option<Vec<tribunal_eval::Value>> {
    let pairs = AmountPairs::new(&amounts.actual, &amounts.predicted)
        .and_then(|pairs| pairs.with_weight(&amounts.weight))
        .ok()?;
    measures.iter().map(|measure| measure.of_amounts(&pairs)).collect()
}

/// Cases that a replicate draws: all, or a part of very many.
fn n_drawn(n_rows: usize) -> usize {
    n_rows.min(2 * USUAL_ROWS)
}

/// The figures of cases drawn with replacement; NaN where one has none.
fn replicate(amounts: &Amounts, measures: &[Measure], draws: Draws, index: u64) -> Option<Vec<f64>> {
    let mut random = Random::derived(draws.seed, &[index]);
    let n_rows = amounts.actual.len();
    let mut drawn = Amounts::default();
    for _ in 0..n_drawn(n_rows) {
        let row = random.below(n_rows as u64) as usize;
        drawn.actual.push(amounts.actual[row]);
        drawn.predicted.push(amounts.predicted[row]);
        drawn.weight.push(amounts.weight[row]);
    }
    let figures = figures(&drawn, measures)?;
    Some(figures.into_iter().map(|figure| figure.unwrap_or(f64::NAN)).collect())
}

/// The percentile interval; replicates of fewer cases than there are vary too much, by the root of the ratio.
fn interval(
    replicates: Vec<f64>,
    estimate: f64,
    n_rows: usize,
    measure: &Measure,
    level: Level,
) -> Option<Interval> {
    let shrinkage = (n_drawn(n_rows) as f64 / n_rows as f64).sqrt();
    let (low, high) = measure.metric.range;
    let scaled = |value: f64| (estimate + shrinkage * (value - estimate)).clamp(low, high);
    let defined: Vec<f64> =
        replicates.iter().filter(|value| value.is_finite()).map(|&value| scaled(value)).collect();
    if defined.len() * 10 < replicates.len() * 9 {
        return None;
    }
    Some(bootstrap_percentile(&Replicates::new(defined).ok()?, level))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::{EvaluateRequest, ScoreColumns};

    /// The mean absolute error of n cases varies like a mean: by its standard deviation over the root of n.
    #[test]
    fn the_interval_is_that_of_a_mean() {
        let mut random = Random::new(4);
        let n = 2000;
        let predicted: Vec<f64> = (0..n).map(|_| random.normal()).collect();
        let amounts = Amounts { actual: vec![0.0; n], predicted, weight: vec![1.0; n] };
        let mut request = EvaluateRequest::new(ScoreColumns::new("y", ["m"]));
        request.replicates = Some(400);
        let draws = Draws::of(&request);
        let rows = amount_rows("m", &amounts, draws, Level::P95);
        let (_, mae) = rows.iter().find(|(_, row)| row.metric == "mae").expect("a row");
        let (lower, upper) = (mae.lower.expect("an end"), mae.upper.expect("an end"));
        // |Z| has standard deviation sqrt(1 - 2/pi) = 0.6028.
        let expected = 2.0 * 1.96 * 0.6028 / (n as f64).sqrt();
        assert!(((upper - lower) / expected - 1.0).abs() < 0.15, "{lower} {upper}");
        assert!(lower < mae.estimate.expect("a figure") && mae.estimate.expect("a figure") < upper);
    }
}
