//! Figures over the periods as data to be drawn: those of every limit, and those that one looks at first.

use super::limits::Limit;
use super::results::{ChartLimit, ChartPoint, ChartSeries, MonitorRow};

/// What is drawn whether or not it has a limit.
const USUAL: [&str; 5] = ["mean_amount", "strike_rate", "post_stratified_strike_rate", "auroc", "psi"];

/// A series for each figure, over these periods in order.
pub(super) fn chart(periods: &[&str], metrics: &[MonitorRow], limits: &[Limit]) -> Vec<ChartSeries> {
    let mut ids: Vec<&str> = Vec::new();
    for id in limits.iter().map(|limit| limit.metric).chain(USUAL) {
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    let point = |period: &str, id: &str| {
        let row = metrics.iter().find(|row| row.period == period && row.metric == id);
        ChartPoint {
            period: period.to_owned(),
            estimate: row.and_then(|row| row.estimate),
            lower: row.and_then(|row| row.lower),
            upper: row.and_then(|row| row.upper),
        }
    };
    let series = |id: &&str| ChartSeries {
        metric: (*id).to_owned(),
        points: periods.iter().map(|period| point(period, id)).collect(),
        limits: limits
            .iter()
            .filter(|limit| limit.metric == *id)
            .map(|limit| ChartLimit { side: limit.side, bound: limit.bound })
            .collect(),
    };
    // Without amounts there is no series of them.
    let has_value = |series: &ChartSeries| series.points.iter().any(|point| point.estimate.is_some());
    ids.iter().map(series).filter(|series| has_value(series) || !series.limits.is_empty()).collect()
}
