//! Models of amounts, as people read them: how they were made, what they predict, and why.

use tribunal::message::Phrasing;
use tribunal::{
    AmountCoefficient, AmountExplanation, AmountFitSummary, AmountModelSummary, AmountRows, AmountSummary,
    ContributionItem, ExplainedAmount, Quality,
};

use crate::description::{Place, counted, shortened};
use crate::document::{Align, Document, Part, Table, plain_row};
use crate::explanation::{STRONGEST, Shown};
use crate::number::{count, figure};

pub(crate) fn fit_document(summary: &AmountFitSummary) -> Document {
    let of_class = class_text(summary.target.as_deref(), summary.class.as_deref());
    let about = format!(
        "Trained on {}{of_class} and {}.{}",
        counted(summary.rows.learned, "row"),
        counted(summary.columns, "column"),
        left_out(&summary.rows)
    );
    let mut parts = vec![Part::Paragraph(about), Part::Table(fit_table(summary))];
    parts.extend(remarks(&summary.warnings, &summary.notices));
    Document { title: format!("{} for {}", summary.learner, summary.amount), parts }
}

pub(crate) fn fit_table(summary: &AmountFitSummary) -> Table {
    let Quality { n, residual_df, residual_sd, r_squared, f_test } = &summary.quality;
    let or_dash = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), figure);
    let rows = [
        ("weight of the rows", count(*n)),
        ("degrees of freedom", count(*residual_df)),
        ("standard deviation of residuals", or_dash(*residual_sd)),
        ("R squared", or_dash(*r_squared)),
        ("F", or_dash(f_test.map(|test| test.f))),
        ("p of F", or_dash(f_test.map(|test| test.p))),
    ];
    Table {
        title: "How well it fits".to_owned(),
        columns: vec![("what".to_owned(), Align::Left), ("value".to_owned(), Align::Right)],
        rows: rows.into_iter().map(|(what, value)| plain_row([what.to_owned(), value])).collect(),
    }
}

pub(crate) fn scores_document(summary: &AmountSummary) -> Document {
    let title =
        format!("{} of {} predicted by {}", counted(summary.rows, "amount"), summary.amount, summary.learner);
    let added = format!("Column added: {}.", summary.added);
    let mut parts = vec![Part::Paragraph(added), Part::Table(scores_table(summary))];
    parts.extend(remarks(&[], &summary.notices));
    Document { title, parts }
}

pub(crate) fn scores_table(summary: &AmountSummary) -> Table {
    let names = ["smallest", "mean", "largest", "below zero"];
    let or_dash = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), figure);
    let figures = [summary.smallest, summary.mean, summary.largest].map(or_dash);
    let cells = figures.into_iter().chain([count(summary.negative as f64)]);
    Table {
        title: "What the model predicts".to_owned(),
        columns: names.map(|name| (name.to_owned(), Align::Right)).to_vec(),
        rows: vec![plain_row(cells)],
    }
}

pub(crate) fn document(
    explanation: &AmountExplanation,
    shown: Shown,
    place: Place,
    phrasing: &dyn Phrasing,
) -> Document {
    let AmountModelSummary { learner, amount, target, class, rows, columns, warnings, .. } =
        &explanation.model;
    let of_class = class_text(target.as_deref(), class.as_deref());
    let (learned, columns) = (counted(rows.learned, "row"), counted(*columns, "column"));
    let about = format!("Trained on {learned}{of_class} and {columns}.{}", left_out(rows));
    let mut parts = vec![Part::Paragraph(about)];
    let notices: Vec<String> = explanation.notices.iter().map(|notice| notice.said_by(phrasing)).collect();
    parts.extend(remarks(warnings, &notices));
    parts.extend(explanation.text.clone().map(Part::Verbatim));
    for row in &explanation.rows {
        let ids: String = row.ids.iter().map(|id| format!(", {} {}", id.column, id.value)).collect();
        parts.push(Part::Paragraph(format!("Row {}{ids}: {amount} is {}.", row.row, size(row.amount))));
        parts.push(Part::Table(changes(row, amount, shown, place)));
    }
    Document { title: format!("{learner} for {amount}"), parts }
}

/// How an amount comes about, from that of the mean row.
fn changes(row: &ExplainedAmount, amount: &str, shown: Shown, place: Place) -> Table {
    let n_shown = match shown {
        Shown::Strongest if row.items.len() > STRONGEST + 1 => STRONGEST,
        _ => row.items.len(),
    };
    let (single, rest) = row.items.split_at(n_shown);
    let width = if place == Place::Terminal { 46 } else { 120 };
    let line = |item: &ContributionItem| {
        plain_row([shortened(&item.what, width), signed(item.change), size(item.total)])
    };
    let mut rows = vec![plain_row(["the mean row".to_owned(), String::new(), size(row.start)])];
    rows.extend(single.iter().map(line));
    rows.extend(rest.last().map(|last| {
        let change = rest.iter().map(|item| item.change).sum();
        line(&ContributionItem { what: format!("{} other columns", rest.len()), change, total: last.total })
    }));
    let columns = [("what", Align::Left), ("change", Align::Right), ("total", Align::Right)];
    Table {
        title: format!("How {amount} comes about"),
        columns: columns.map(|(name, align)| (name.to_owned(), align)).to_vec(),
        rows,
    }
}

/// The changes as tidy rows; of a model by itself its coefficients.
pub(crate) fn table(explanation: &AmountExplanation) -> Table {
    let columns = |names: &[&str]| names.iter().map(|name| (name.to_string(), Align::Left)).collect();
    let number = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    if explanation.text.is_some() {
        let cells = |one: &AmountCoefficient| {
            let figures = [one.estimate, one.standard_error, one.t, one.p, one.lower, one.upper].map(number);
            plain_row(std::iter::once(one.name.clone()).chain(figures))
        };
        return Table {
            title: String::new(),
            columns: columns(&["column", "estimate", "standard_error", "t", "p", "lower", "upper"]),
            rows: explanation.model.coefficients.iter().map(cells).collect(),
        };
    }
    let lines = |row: &ExplainedAmount| {
        let line = |what: &str, change: Option<f64>, total: f64| {
            plain_row([row.row.to_string(), what.to_owned(), number(change), total.to_string()])
        };
        let items = row.items.iter().map(|item| line(&item.what, Some(item.change), item.total));
        std::iter::once(line("the mean row", None, row.start)).chain(items).collect::<Vec<_>>()
    };
    Table {
        title: String::new(),
        columns: columns(&["row", "what", "change", "total"]),
        rows: explanation.rows.iter().flat_map(lines).collect(),
    }
}

fn class_text(target: Option<&str>, class: Option<&str>) -> String {
    target.zip(class).map_or_else(String::new, |(target, class)| format!(" where {target} is {class}"))
}

/// The rows that were not learned from, in a sentence.
fn left_out(rows: &AmountRows) -> String {
    let reasons = [
        (rows.other_class, "of the other class"),
        (rows.without_amount, "without an amount above zero"),
        (rows.above_cap, "above the cap"),
        (rows.without_weight, "without weight"),
    ];
    let reasons = reasons.iter().filter(|(n, _)| *n > 0);
    let reasons: Vec<String> = reasons.map(|(n, why)| format!("{} {why}", count(*n as f64))).collect();
    if reasons.is_empty() { String::new() } else { format!(" Left out: {}.", reasons.join(", ")) }
}

fn remarks(warnings: &[String], notices: &[String]) -> Option<Part> {
    let warnings = warnings.iter().map(|warning| format!("warning: {warning}"));
    let remarks: Vec<String> = warnings.chain(notices.iter().cloned()).collect();
    (!remarks.is_empty()).then_some(Part::List(remarks))
}

/// An amount as people read it; a power of ten where it is beyond what they write out.
fn size(amount: f64) -> String {
    if amount.abs() < 1e15 { figure(amount) } else { format!("{amount:.4e}") }
}

fn signed(change: f64) -> String {
    if change < 0.0 { size(change) } else { format!("+{}", size(change)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{Format, render_amount_explanation};
    use crate::made_up::made;
    use serde_json::json;
    use tribunal::Form;

    fn explanation() -> AmountExplanation {
        let quality =
            Quality { n: 9.0, residual_df: 7.0, residual_sd: Some(2.5), r_squared: None, f_test: None };
        let rows = AmountRows { learned: 9, other_class: 1200, above_cap: 2, ..AmountRows::default() };
        let item = |what: &str, change, total| ContributionItem { what: what.into(), change, total };
        let model = made::<AmountModelSummary>(json!({
            "learner": "linear:cap=50",
            "amount": "paid",
            "target": "fraud",
            "class": "yes",
            "rows": rows,
            "columns": 2,
            "quality": quality,
            "coefficients": [],
            "warnings": ["take care"],
        }));
        let row = made::<ExplainedAmount>(json!({
            "row": 7,
            "ids": [{ "column": "claim", "value": "C-7" }],
            "amount": 13.25,
            "start": 20.0,
            "items": [item("lag = 3", -8.75, 11.25), item("make = Fiat", 2.0, 13.25)],
        }));
        made::<AmountExplanation>(json!({
            "schema": AmountExplanation::SCHEMA,
            "model": model,
            "text": null,
            "rows": [row],
            "notices": [],
        }))
    }

    #[test]
    fn amounts_come_about_step_by_step() {
        let said = render_amount_explanation(&explanation(), Shown::Strongest, Format::Text).expect("text");
        let expected = "\
linear:cap=50 for paid
======================

Trained on 9 rows where fraud is yes and 2 columns. Left out: 1,200 of the other
class, 2 above the cap.

- warning: take care

Row 7, claim C-7: paid is 13.25.

How paid comes about
  what           change  total
  ------------  -------  -----
  the mean row              20
  lag = 3       -8.7500  11.25
  make = Fiat   +2.0000  13.25
";
        assert_eq!(said, expected);
        let csv = render_amount_explanation(&explanation(), Shown::Strongest, Format::Csv).expect("CSV");
        assert_eq!(
            csv,
            "row,what,change,total\n7,the mean row,,20\n7,lag = 3,-8.75,11.25\n7,make = Fiat,2,13.25\n"
        );
    }

    #[test]
    fn many_columns_are_summed_up() {
        let mut explanation = explanation();
        let item =
            |n: u32| ContributionItem { what: format!("c{n}"), change: 1.0, total: 20.0 + f64::from(n) };
        explanation.rows[0].items = (1..=20).map(item).collect();
        let said = |shown| render_amount_explanation(&explanation, shown, Format::Text).expect("text");
        let strongest = said(Shown::Strongest);
        assert!(strongest.contains("8 other columns  +8.0000     40"), "{strongest}");
        assert!(strongest.contains("c12") && !strongest.contains("c13"), "{strongest}");
        assert!(said(Shown::All).contains("c20"));
    }

    #[test]
    fn huge_amounts_stay_short() {
        assert_eq!([size(1e300), signed(-2e20), signed(0.5)], ["1.0000e300", "-2.0000e20", "+0.5000"]);
    }
}
