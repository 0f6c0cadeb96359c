//! A plan as people read it: sizes and classes of folds or parts.

use tribunal::resampling::{PartSummary, PlanSummary, TimeSummary};

use crate::document::{Align, Document, Part, Table, plain_row};
use crate::number::count;

/// More lines than this are told by their extremes.
const MOST_LINES: usize = 25;
/// More classes than this are left to JSON.
const MOST_CLASSES: usize = 8;

pub(crate) fn document(plan: &PlanSummary) -> Document {
    let title = format!("{} over {} rows", plan.design, count(plan.n_rows as f64));
    let mut parts = vec![Part::Paragraph(about(plan))];
    if !plan.parts.is_empty() && plan.parts.len() <= MOST_LINES {
        parts.push(Part::Table(table(plan)));
    } else if !plan.parts.is_empty() {
        parts.push(Part::Paragraph(extremes(plan)));
    }
    if let Some(reading) = plan.time.as_ref().and_then(TimeSummary::reading) {
        parts.push(Part::List(vec![reading]));
    }
    if !plan.warnings.is_empty() {
        let warnings = plan.warnings.iter().map(|warning| format!("warning: {warning}"));
        parts.push(Part::List(warnings.collect()));
    }
    Document { title, parts }
}

fn about(plan: &PlanSummary) -> String {
    let classes = match &plan.target {
        Some(target) => format!("classes of \"{target}\""),
        None => "no classes".to_owned(),
    };
    let redrawn = match plan.n_redrawn {
        0 => String::new(),
        1 => "; 1 replicate was drawn again".to_owned(),
        n => format!("; {n} replicates were drawn again"),
    };
    let splits = if plan.n_splits == 1 { "split" } else { "splits" };
    format!(
        "{} {splits} with seed {}, {classes}{redrawn}. Hash {}.",
        count(plan.n_splits as f64),
        plan.seed,
        plan.hash
    )
}

/// Every fold or part on a line, whatever their number.
pub(crate) fn table(plan: &PlanSummary) -> Table {
    let is_repeated = plan.parts.iter().any(|part| part.repetition > 0);
    let mut columns: Vec<(String, Align)> = Vec::new();
    columns.extend(is_repeated.then(|| ("repetition".to_owned(), Align::Right)));
    let is_folds = plan.parts.iter().all(|part| part.name.parse::<u32>().is_ok());
    columns.push((if is_folds { "fold" } else { "part" }.to_owned(), Align::Left));
    columns.push(("rows".to_owned(), Align::Right));
    if plan.time.is_some() {
        columns.extend(["from", "to"].map(|name| (name.to_owned(), Align::Left)));
    }
    let shown = plan.classes.iter().take(MOST_CLASSES);
    columns.extend(shown.map(|class| (class.class.clone(), Align::Right)));
    let row = |part: &PartSummary| {
        let mut cells = Vec::new();
        cells.extend(is_repeated.then(|| part.repetition.saturating_add(1).to_string()));
        cells.extend([part.name.clone(), part.n_rows.to_string()]);
        cells.extend(plan.time.iter().flat_map(|time| span(time, part)));
        cells.extend(part.classes.iter().take(MOST_CLASSES).map(|class| class.n_rows.to_string()));
        plain_row(cells)
    };
    let title = match plan.classes.len() {
        n if n > MOST_CLASSES => format!("Rows by class, the first {MOST_CLASSES} of {n} classes"),
        _ => "Rows by class".to_owned(),
    };
    Table { title, columns, rows: plan.parts.iter().map(row).collect() }
}

/// From when to when a part reaches.
fn span(time: &TimeSummary, part: &PartSummary) -> [String; 2] {
    let span = time.parts.iter().find(|span| span.part.name() == part.name);
    span.map_or_else(Default::default, |span| [span.from.clone(), span.to.clone()])
}

/// The smallest and the largest figure of many lines.
fn extremes(plan: &PlanSummary) -> String {
    let range = |figures: Vec<usize>| {
        let (least, most) = (figures.iter().min().unwrap_or(&0), figures.iter().max().unwrap_or(&0));
        if least == most { least.to_string() } else { format!("{least} to {most}") }
    };
    let mut names: Vec<&str> = Vec::new();
    plan.parts.iter().for_each(|part| {
        let name = if part.name.parse::<u32>().is_ok() { "fold" } else { &part.name };
        if !names.contains(&name) {
            names.push(name);
        }
    });
    let line = |name: &&str| {
        let is_one = |part: &&PartSummary| part.name == **name || *name == "fold";
        let of = || plan.parts.iter().filter(is_one);
        let classes = plan.classes.iter().take(MOST_CLASSES).enumerate().map(|(at, class)| {
            let sizes = of().filter_map(|part| part.classes.get(at)).map(|class| class.n_rows);
            format!(", {} of \"{}\"", range(sizes.collect()), class.class)
        });
        let rows = range(of().map(|part| part.n_rows).collect());
        format!("{name}: {rows} rows{}", classes.collect::<String>())
    };
    names.iter().map(line).collect::<Vec<_>>().join("; ")
}
