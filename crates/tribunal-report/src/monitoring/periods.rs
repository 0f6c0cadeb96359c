//! Many periods at a glance: a row for each with a small chart of a figure and its limits.

use tribunal::monitoring::{ChangeKind, ChartSeries, Monitoring, PeriodFindings, RankingChange};

use crate::document::{Align, Cell, Mark, Part, Table, columns};
use crate::number::{count, figure, interval_of};

/// How many characters a chart is wide.
const WIDTH: usize = 25;

pub(super) fn parts(found: &Monitoring) -> Vec<Part> {
    if found.periods.len() < 2 {
        return Vec::new();
    }
    let usual = if found.columns.amount.is_some() { "mean_amount" } else { "strike_rate" };
    let mut parts = vec![Part::Table(table(found, usual))];
    parts.extend(found.chart.iter().filter_map(chart));
    parts
}

fn table(found: &Monitoring, rate: &str) -> Table {
    let value = |period: &str, id: &str| {
        let estimate = found.row(period, id).and_then(|row| row.estimate);
        estimate.map_or_else(|| "n/a".to_owned(), figure)
    };
    let with_ends = |period: &str, id: &str| {
        let row = found.row(period, id);
        let ends = row.and_then(|row| interval_of(row.estimate?, row.lower, row.upper)).unwrap_or_default();
        format!("{} {ends}", value(period, id))
    };
    let row = |period: &str, (rows, actioned): (u64, u64), named: String, is_named: bool| {
        vec![
            Cell { text: period.to_owned(), mark: if is_named { Mark::Best } else { Mark::None } },
            count(rows as f64).into(),
            count(actioned as f64).into(),
            with_ends(period, rate).into(),
            value(period, "post_stratified_strike_rate").into(),
            value(period, "auroc").into(),
            value(period, "psi").into(),
            named.into(),
        ]
    };
    let facts = &found.reference;
    let first = row(&facts.period, (facts.rows, facts.actioned), "reference".to_owned(), false);
    let others = found.periods.iter().map(|period| {
        let facts = &period.facts;
        row(&facts.period, (facts.rows, facts.actioned), named(period), !period.named.is_empty())
    });
    let head = rate.replace('_', " ");
    Table {
        title: "Periods (changed beyond chance: bold, or *)".to_owned(),
        columns: columns([
            ("period", Align::Left),
            ("rows", Align::Right),
            ("actioned", Align::Right),
            (head.as_str(), Align::Right),
            ("post-stratified", Align::Right),
            ("AUROC", Align::Right),
            ("PSI", Align::Right),
            ("changed", Align::Left),
        ]),
        rows: [first].into_iter().chain(others).collect(),
    }
}

/// What changed, in a few words.
fn named(period: &PeriodFindings) -> String {
    let name = |kind: &ChangeKind| {
        let change = period.changes.iter().find(|change| change.kind == *kind);
        let is_better =
            change.is_some_and(|change| match change.ranking.filter(|_| !change.is_shown_by_test) {
                Some(ranking) => ranking == RankingChange::Better,
                None => change.contribution.is_some_and(|value| value.estimate > 0.0),
            });
        match kind {
            ChangeKind::Drift => "population",
            ChangeKind::Selection => "selection",
            ChangeKind::Mix => "population or selection",
            _ if is_better => "model better",
            _ => "model worse",
        }
    };
    if period.named.is_empty() {
        "-".to_owned()
    } else {
        period.named.iter().map(name).collect::<Vec<_>>().join(", ")
    }
}

/// A figure over the periods, drawn with characters: `o` the estimate, `-` its interval, `|` a limit.
fn chart(series: &ChartSeries) -> Option<Part> {
    let limits = series.limits.iter().map(|limit| limit.bound);
    let values = series.points.iter().flat_map(|point| [point.estimate, point.lower, point.upper]).flatten();
    let (low, high) = values
        .chain(limits)
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
    if series.points.iter().filter(|point| point.estimate.is_some()).count() < 2 || high <= low {
        return None;
    }
    let place = |value: f64| ((value - low) / (high - low) * (WIDTH - 1) as f64).round() as usize;
    let bounds: Vec<String> =
        series.limits.iter().map(|limit| format!("{} {}", limit.side.sign(), figure(limit.bound))).collect();
    let row = |point: &tribunal::monitoring::ChartPoint| {
        let mut drawn = ['.'; WIDTH];
        if let (Some(lower), Some(upper)) = (point.lower, point.upper) {
            drawn[place(lower)..=place(upper)].fill('-');
        }
        series.limits.iter().for_each(|limit| drawn[place(limit.bound)] = '|');
        if let Some(estimate) = point.estimate {
            drawn[place(estimate)] = 'o';
        }
        let is_broken =
            |estimate: f64| series.limits.iter().any(|limit| !limit.side.holds(estimate, limit.bound));
        let mark = if point.estimate.is_some_and(is_broken) { Mark::Best } else { Mark::None };
        vec![
            Cell { text: point.period.clone(), mark },
            point.estimate.map_or_else(|| "n/a".to_owned(), figure).into(),
            drawn.iter().collect::<String>().into(),
        ]
    };
    let limits = if bounds.is_empty() {
        String::new()
    } else {
        format!("; limit | {} (broken: bold, or *)", bounds.join(", "))
    };
    Some(Part::Table(Table {
        title: format!(
            "{} from {} to {}: o estimate, - interval{limits}",
            series.metric,
            figure(low),
            figure(high)
        ),
        columns: columns([
            ("period", Align::Left),
            (series.metric.as_str(), Align::Right),
            ("chart", Align::Left),
        ]),
        rows: series.points.iter().map(row).collect(),
    }))
}
