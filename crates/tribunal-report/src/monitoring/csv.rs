//! Monitoring as tidy rows: figures, bands, changes and limits, each with the period that it belongs to.

use tribunal::monitoring::Monitoring;

use crate::csv_rows::{number, written};

const HEADER: [&str; 11] =
    ["part", "model", "period", "band", "metric", "estimate", "lower", "upper", "level", "n", "remark"];

/// A row; what it says nothing of stays empty.
#[derive(Default)]
struct Row<'a> {
    part: &'a str,
    period: &'a str,
    band: &'a str,
    metric: &'a str,
    estimate: Option<f64>,
    ends: [Option<f64>; 3],
    n: Option<u64>,
    remark: String,
}

/// Every figure of monitoring, a row each.
pub(crate) fn csv(found: &Monitoring) -> Result<String, ::csv::Error> {
    let rows = figures(found).chain(bands(found)).chain(changes(found)).chain(limits(found));
    let cells = |row: Row<'_>| {
        [
            row.part.to_owned(),
            found.columns.score.clone(),
            row.period.to_owned(),
            row.band.to_owned(),
            row.metric.to_owned(),
            number(row.estimate),
            number(row.ends[0]),
            number(row.ends[1]),
            number(row.ends[2]),
            row.n.map_or_else(String::new, |n| n.to_string()),
            row.remark,
        ]
    };
    written(HEADER, rows.map(cells))
}

fn figures(found: &Monitoring) -> impl Iterator<Item = Row<'_>> {
    found.metrics.iter().map(|row| Row {
        part: "figure",
        period: &row.period,
        metric: &row.metric,
        estimate: row.estimate,
        ends: [row.lower, row.upper, row.level],
        n: Some(row.n),
        remark: row.undefined.clone().or_else(|| row.method.clone()).unwrap_or_default(),
        ..Row::default()
    })
}

fn bands(found: &Monitoring) -> impl Iterator<Item = Row<'_>> {
    found.band_figures.iter().flat_map(|figures| {
        let row = |metric, estimate, n| Row {
            part: "band",
            period: &figures.period,
            band: &figures.band,
            metric,
            estimate,
            n: Some(n),
            ..Row::default()
        };
        let strike_rate = Row {
            ends: [figures.lower, figures.upper, figures.lower.map(|_| found.level)],
            ..row("strike_rate", figures.strike_rate, figures.outcomes)
        };
        let mean_amount = figures.mean_amount.map(|mean| row("mean_amount", Some(mean), figures.outcomes));
        [
            row("share", Some(figures.share), figures.rows),
            row("action_rate", figures.action_rate, figures.rows),
            strike_rate,
            row("mean_score", figures.mean_score, figures.outcomes),
        ]
        .into_iter()
        .chain(mean_amount)
    })
}

fn changes(found: &Monitoring) -> impl Iterator<Item = Row<'_>> {
    found.periods.iter().flat_map(|period| {
        period.changes.iter().map(|change| {
            let test = change.test.map_or_else(
                || change.no_test.clone().unwrap_or_default(),
                |test| {
                    format!(
                        "{}: chi-square {}, df {}, p {}, adjusted {}",
                        test.test.name(),
                        test.statistic,
                        test.df,
                        test.p,
                        test.p_adjusted
                    )
                },
            );
            let shown = if change.is_shown { "beyond chance" } else { "not shown" };
            let value = change.contribution;
            Row {
                part: "change",
                period: &period.facts.period,
                metric: change.kind.name(),
                estimate: value.map(|value| value.estimate),
                ends: [
                    value.map(|value| value.lower),
                    value.map(|value| value.upper),
                    value.map(|value| value.level),
                ],
                remark: format!("{shown}; {test}"),
                ..Row::default()
            }
        })
    })
}

fn limits(found: &Monitoring) -> impl Iterator<Item = Row<'_>> {
    found.limits.iter().map(|limit| {
        let holds = if limit.holds { "holds" } else { "broken" };
        Row {
            part: "limit",
            period: &limit.period,
            metric: &limit.limit,
            estimate: limit.estimate,
            ends: [limit.lower, limit.upper, None],
            remark: limit
                .undefined
                .as_ref()
                .map_or_else(|| holds.to_owned(), |why| format!("{holds}: {why}")),
            ..Row::default()
        }
    })
}
