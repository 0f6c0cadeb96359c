//! Whether limits hold: the broken ones first.

use tribunal::monitoring::{LimitRow, Monitoring};

use crate::document::{Align, Cell, Mark, Part, Table, columns};
use crate::number::{figure, interval_of};

pub(super) fn parts(found: &Monitoring) -> Vec<Part> {
    if found.limits.is_empty() {
        return Vec::new();
    }
    let row = |limit: &LimitRow| {
        let ends = limit.estimate.and_then(|value| interval_of(value, limit.lower, limit.upper));
        let value = limit
            .estimate
            .map_or_else(|| format!("n/a: {}", limit.undefined.clone().unwrap_or_default()), figure);
        let mark = if limit.holds { Mark::None } else { Mark::Best };
        vec![
            Cell { text: limit.limit.clone(), mark },
            limit.period.clone().into(),
            value.into(),
            ends.unwrap_or_default().into(),
            (if limit.holds { "holds" } else { "broken" }).into(),
        ]
    };
    let broken = found.limits.iter().filter(|limit| !limit.holds);
    let kept = found.limits.iter().filter(|limit| limit.holds);
    vec![Part::Table(Table {
        title: "Limits (broken: bold, or *); the estimate is held against them, and a figure without a value keeps none".to_owned(),
        columns: columns([
            ("limit", Align::Left),
            ("period", Align::Left),
            ("estimate", Align::Right),
            ("interval", Align::Right),
            ("", Align::Left),
        ]),
        rows: broken.chain(kept).map(row).collect(),
    })]
}
