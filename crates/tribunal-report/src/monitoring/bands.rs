//! The bands of the score: population, selection and strike rates of a period beside those of the reference.

use tribunal::monitoring::{BandFigures, Monitoring};

use crate::description::Place;
use crate::document::{Align, Part, Table, columns, plain_row};
use crate::number::{figure, interval_of};

pub(super) fn parts(found: &Monitoring, place: Place) -> Vec<Part> {
    let periods = found.periods.iter().filter(|_| found.periods.len() == 1 || place == Place::Paper);
    periods.map(|period| Part::Table(table(found, &period.facts.period))).collect()
}

fn table(found: &Monitoring, period: &str) -> Table {
    let of = |period: &str, band: &str| {
        found.band_figures.iter().find(|figures| figures.period == period && figures.band == band)
    };
    let share =
        |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{:.1} %", 100.0 * value));
    let rate = |figures: Option<&BandFigures>| {
        let Some((figures, value)) = figures.and_then(|figures| Some((figures, figures.strike_rate?))) else {
            return "-".to_owned();
        };
        let ends = interval_of(value, figures.lower, figures.upper).unwrap_or_default();
        format!("{} {ends}", figure(value))
    };
    let optional = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), figure);
    let has_amounts = found.columns.amount.is_some();
    let row = |band: &tribunal::monitoring::Band| {
        let (before, now) = (of(&found.reference.period, &band.band), of(period, &band.band));
        let mut cells = vec![
            band.band.clone(),
            share(before.map(|figures| figures.share)),
            share(now.map(|figures| figures.share)),
            share(before.and_then(|figures| figures.action_rate)),
            share(now.and_then(|figures| figures.action_rate)),
            rate(before),
            rate(now),
            optional(now.and_then(|figures| figures.mean_score)),
        ];
        if has_amounts {
            cells.push(optional(before.and_then(|figures| figures.mean_amount)));
            cells.push(optional(now.and_then(|figures| figures.mean_amount)));
        }
        plain_row(cells)
    };
    let mut heads = columns([
        ("score", Align::Left),
        ("share, reference", Align::Right),
        ("current", Align::Right),
        ("actioned, reference", Align::Right),
        ("current", Align::Right),
        ("strike rate, reference", Align::Right),
        ("current", Align::Right),
        ("mean score, current", Align::Right),
    ]);
    if has_amounts {
        heads.extend(columns([("mean amount, reference", Align::Right), ("current", Align::Right)]));
    }
    Table {
        title: format!(
            "{period} by band of the score, highest first; the mean score is what a calibrated probability promises of the rate"
        ),
        columns: heads,
        rows: found.bands.iter().rev().map(row).collect(),
    }
}
