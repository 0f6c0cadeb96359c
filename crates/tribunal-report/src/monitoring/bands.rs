//! The bands of the score: population, selection and strike rates of a period beside those of the reference.

use tribunal::monitoring::{BandFigures, Monitoring};

use crate::description::Place;
use crate::document::{Align, Part, Table, columns, plain_row};
use crate::number::{figure, interval_of};

pub(super) fn parts(found: &Monitoring, place: Place) -> Vec<Part> {
    let periods = found.periods.iter().filter(|_| found.periods.len() == 1 || place == Place::Paper);
    periods.map(|period| Part::Table(table(found, &period.facts.period, place))).collect()
}

fn table(found: &Monitoring, period: &str, place: Place) -> Table {
    let of = |period: &str, band: &str| {
        found.band_figures.iter().find(|figures| figures.period == period && figures.band == band)
    };
    let share =
        |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{:.1} %", 100.0 * value));
    let rate = |figures: Option<&BandFigures>, with_ends: bool| {
        let Some((figures, value)) = figures.and_then(|figures| Some((figures, figures.strike_rate?))) else {
            return "-".to_owned();
        };
        let ends = interval_of(value, figures.lower, figures.upper).filter(|_| with_ends);
        [Some(figure(value)), ends].into_iter().flatten().collect::<Vec<_>>().join(" ")
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
            // A terminal has no room for both intervals.
            rate(before, place == Place::Paper),
            rate(now, true),
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
        ("share ref.", Align::Right),
        ("now", Align::Right),
        ("actioned ref.", Align::Right),
        ("now", Align::Right),
        ("rate ref.", Align::Right),
        ("now", Align::Right),
        ("mean score", Align::Right),
    ]);
    if has_amounts {
        heads.extend(columns([("amount ref.", Align::Right), ("now", Align::Right)]));
    }
    Table {
        title: format!(
            "{period} by band of the score, highest first: shares of the population, of it acted on, and strike rates in the reference (ref.) and now; the mean score is what a calibrated probability promises of the rate"
        ),
        columns: heads,
        rows: found.bands.iter().rev().map(row).collect(),
    }
}
