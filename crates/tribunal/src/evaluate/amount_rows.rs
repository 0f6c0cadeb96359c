//! The figures of predicted amounts, with their intervals.

use tribunal_eval::AmountPairs;
use tribunal_eval::intervals::Level;
use tribunal_eval::metrics::Measure;

use super::gather::Amounts;
use crate::results::MetricRow;

/// One row per metric; with intervals of this level, if there is one.
pub(super) fn amount_rows(
    model: &str,
    amounts: &Amounts,
    metrics: &[Measure],
    level: Option<Level>,
) -> Vec<(Measure, MetricRow)> {
    let pairs = AmountPairs::new(&amounts.actual, &amounts.predicted)
        .and_then(|pairs| pairs.with_weight(&amounts.weight));
    let Ok(pairs) = pairs else { return Vec::new() };
    let row = |measure: &Measure| {
        let value = measure.of_amounts(&pairs)?;
        let row = MetricRow::new(model, measure.to_string(), amounts.actual.len() as u64, &value);
        let interval =
            level.filter(|_| value.is_ok()).map(|level| measure.interval_of_amounts(&pairs, level));
        let no_interval = interval.as_ref().and_then(|interval| interval.clone().err());
        let row = MetricRow { no_interval, ..row };
        Some((*measure, row.with_interval(interval.and_then(Result::ok))))
    };
    metrics.iter().filter_map(row).collect()
}

#[cfg(test)]
mod tests {
    use tribunal_random::Random;

    use super::*;

    /// The mean absolute error of n cases varies like a mean: by its standard deviation over the root of n.
    #[test]
    fn the_interval_is_that_of_a_mean() {
        let mut random = Random::new(4);
        let n = 2000;
        let predicted: Vec<f64> = (0..n).map(|_| random.normal()).collect();
        let amounts = Amounts { actual: vec![0.0; n], predicted, weight: vec![1.0; n], ..Amounts::default() };
        let metrics = ["mae".parse().expect("a metric")];
        let rows = amount_rows("m", &amounts, &metrics, Some(Level::P95));
        let (_, mae) = rows.iter().find(|(_, row)| row.metric == "mae").expect("a row");
        let (lower, upper) = (mae.lower.expect("an end"), mae.upper.expect("an end"));
        // |Z| has standard deviation sqrt(1 - 2/pi) = 0.6028.
        let expected = 2.0 * 1.96 * 0.6028 / (n as f64).sqrt();
        assert!(((upper - lower) / expected - 1.0).abs() < 0.05, "{lower} {upper}");
        assert!(lower < mae.estimate.expect("a figure") && mae.estimate.expect("a figure") < upper);
        assert!(amount_rows("m", &amounts, &metrics, None).iter().all(|(_, row)| row.lower.is_none()));
    }
}
