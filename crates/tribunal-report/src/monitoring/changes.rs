//! What each change adds, whether it is beyond chance, and what would have shown.

use tribunal::monitoring::{Change, ChangeKind, Monitoring, PeriodFindings};

use crate::description::Place;
use crate::document::{Align, Cell, Mark, Part, Table, columns};
use crate::number::{figure, interval_of, p_value, percent};

pub(super) fn parts(found: &Monitoring, place: Place) -> Vec<Part> {
    let shown = found.periods.iter().filter(|period| {
        found.periods.len() == 1
            || place == Place::Paper
            || !period.named.is_empty() && found.periods.len() <= 4
    });
    let tables = shown.flat_map(|period| [contributions(found, period), tests(found, period)]);
    let mut parts: Vec<Part> = tables.map(Part::Table).collect();
    if !parts.is_empty() {
        parts.push(Part::Paragraph(legend(found)));
    }
    parts
}

/// What is in a table: the strike rate, or the mean amount.
fn rate_name(found: &Monitoring) -> &'static str {
    if found.columns.amount.is_some() { "mean amount" } else { "strike rate" }
}

fn contributions(found: &Monitoring, period: &PeriodFindings) -> Table {
    let level = percent(found.level);
    let row = |change: &Change| {
        let value = change.contribution;
        let mark = if change.is_shown { Mark::Best } else { Mark::None };
        let ends = value.and_then(|value| interval_of(value.estimate, Some(value.lower), Some(value.upper)));
        vec![
            Cell { text: change.kind.name().to_owned(), mark },
            value.map_or_else(|| "n/a".to_owned(), |value| figure(value.estimate)).into(),
            ends.unwrap_or_default().into(),
            change.test.map_or_else(|| "n/a".to_owned(), |test| p_value(test.p_adjusted)).into(),
            change.detectable.map_or_else(|| "n/a".to_owned(), figure).into(),
        ]
    };
    Table {
        title: format!(
            "{}: contributions to the change of the {} (beyond chance: bold, or *)",
            period.facts.period,
            rate_name(found)
        ),
        columns: columns([
            ("change", Align::Left),
            ("contribution", Align::Right),
            (&format!("{level} interval"), Align::Right),
            ("p (Holm)", Align::Right),
            ("would have shown", Align::Right),
        ]),
        rows: period.changes.iter().map(row).collect(),
    }
}

fn tests(found: &Monitoring, period: &PeriodFindings) -> Table {
    let row = |change: &Change| {
        let test = change.test;
        let n_a = || "n/a".to_owned();
        vec![
            Cell::from(short_name(change.kind)),
            Cell::from(test.map_or_else(
                || change.no_test.clone().unwrap_or_else(n_a),
                |test| test.test.name().to_owned(),
            )),
            Cell::from(test.map_or_else(n_a, |test| format!("{} ({})", figure(test.statistic), test.df))),
            Cell::from(test.map_or_else(n_a, |test| p_value(test.p))),
            Cell::from(
                test.and_then(|test| test.finer)
                    .map_or_else(n_a, |finer| format!("{} ({})", p_value(finer.p), finer.bands)),
            ),
            Cell::from(effect(change)),
            Cell::from(change.heterogeneity.map_or_else(n_a, |found| p_value(found.p))),
        ]
    };
    Table {
        title: format!("{}: tests", period.facts.period),
        columns: columns([
            ("change", Align::Left),
            ("test", Align::Left),
            ("chi-square (df)", Align::Right),
            ("p", Align::Right),
            ("p in narrow bands", Align::Right),
            (
                if found.columns.amount.is_some() { "odds ratio or difference" } else { "odds ratio" },
                Align::Right,
            ),
            ("p equal in bands", Align::Right),
        ]),
        rows: period.changes.iter().map(row).collect(),
    }
}

fn short_name(kind: ChangeKind) -> &'static str {
    match kind {
        ChangeKind::Drift => "drift",
        ChangeKind::Selection => "selection",
        ChangeKind::Mix => "drift or selection",
        _ => "model",
    }
}

/// The effect that bands have in common.
fn effect(change: &Change) -> String {
    let Some(effect) = change.odds_ratio.or(change.mean_difference) else { return "n/a".to_owned() };
    let ends = interval_of(effect.estimate, Some(effect.lower), Some(effect.upper)).unwrap_or_default();
    format!("{} {ends}", figure(effect.estimate))
}

fn legend(found: &Monitoring) -> String {
    format!(
        "A change is beyond chance where its p value, adjusted by Holm over the changes of a period, is below {:.2}, and that of the \
         same test in narrow bands of about twenty cases is too: what shows in bands alone are scores that moved inside of them. A \
         model is also named where odds ratios differ between bands at a fiftieth of that level: it orders cases in another way. The odds \
         ratio (current to reference, Mantel-Haenszel) is of being acted on for the selection, and of being positive for the model. \
         \"Would have shown\" is the contribution that tests at the strictest step of Holm find in four of five such samples. Intervals of \
         contributions stand by themselves: one may leave out zero where the adjusted test of any change shows nothing.",
        1.0 - found.level
    )
}
