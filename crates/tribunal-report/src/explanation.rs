//! A model and its reasons, as people read them.
//!
//! A form of reasons has an arm in [`reasons`] and one in [`reason_rows`]; nothing else knows the forms. What members of a committee
//! say is in [`committee`].

mod committee;

use tribunal::message::Phrasing;
use tribunal::{
    ContributionItem, EvidenceItem, ExplainedRow, Explanation, Influence, ModelSummary, Neighbour, Output,
    Path, PathStep, RowReasons, printable,
};

use crate::description::{Place, counted, shortened};
use crate::document::{Align, Cell, Document, Part, Table, plain_row};
use crate::number::{count, figure};

/// How much of the evidence is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shown {
    /// The strongest twelve columns, the others together.
    #[default]
    Strongest,
    /// Every column.
    All,
}

/// So many columns are shown unless all are.
pub(crate) const STRONGEST: usize = 12;
/// What is known before any column.
const BEFORE: &str = "before a row is known";
/// The longest bar.
const BAR: f64 = 10.0;

pub(crate) fn document(
    explanation: &Explanation,
    shown: Shown,
    place: Place,
    phrasing: &dyn Phrasing,
) -> Document {
    let model = &explanation.model;
    let mut parts = vec![Part::Paragraph(about(model))];
    let warnings = model.warnings.iter().map(|warning| format!("warning: {warning}"));
    let notices = explanation.notices.iter().map(|notice| notice.said_by(phrasing));
    let remarks: Vec<String> = warnings.chain(notices).collect();
    if !remarks.is_empty() {
        parts.push(Part::List(remarks));
    }
    parts.extend(committee::summary(model));
    parts.extend(explanation.text.clone().map(Part::Verbatim));
    parts.extend(committee::texts(explanation));
    for row in &explanation.rows {
        parts.push(Part::Paragraph(verdict(row, model)));
        parts.extend(reasons(row, shown, place));
    }
    Document { title: format!("{} for {}", model.learner, model.target), parts }
}

fn about(model: &ModelSummary) -> String {
    let (rows, columns) = (counted(model.rows, "row"), counted(model.inputs.len() as u64, "column"));
    let classes = match &model.classes[..] {
        [negative, positive] => format!("It tells {positive} from {negative}."),
        classes => format!("It tells apart {}.", classes.join(", ")),
    };
    format!("Trained on {rows} and {columns}. {classes}")
}

/// What is said of a row, with its names.
fn verdict(row: &ExplainedRow, model: &ModelSummary) -> String {
    let ids: String = row.ids.iter().map(|id| format!(", {} {}", id.column, id.value)).collect();
    let shown = match &row.scores[..] {
        [_, positive] => std::slice::from_ref(positive),
        all => all,
    };
    let score = |one: &tribunal::ClassScore| format!("{} {}", one.class, figure(one.score));
    let scores: Vec<String> = shown.iter().map(score).collect();
    let output = match row.output {
        Output::Probabilities => "Probability",
        Output::Margins => "Margin",
    };
    format!(
        "Row {}{ids}: {} is taken for {}. {output} of {}.",
        row.row,
        model.target,
        row.predicted,
        scores.join(", of ")
    )
}

fn reasons(row: &ExplainedRow, shown: Shown, place: Place) -> Vec<Part> {
    match &row.reasons {
        RowReasons::Evidence { for_class, against_class, items } => {
            let contest = Contest { for_class, against_class, decimals: 2 };
            vec![Part::Table(evidence(contest, items, shown, place))]
        }
        RowReasons::Contributions { for_class, start, items } => {
            let title = match row.output {
                Output::Probabilities => format!("How the probability of {for_class} comes about"),
                Output::Margins => format!("How the margin of {for_class} comes about"),
            };
            vec![Part::Table(Table { title, ..contributions(for_class, *start, items, shown, place) })]
        }
        RowReasons::Paths { paths } => {
            let class = shown_class(row);
            vec![Part::Verbatim(paths.iter().map(|path| path_lines(path, class, row)).collect())]
        }
        RowReasons::Neighbours { k, items, left } => vec![Part::Table(neighbours(*k, items, *left, shown))],
        RowReasons::Influences { for_class, start, items, others, left } => {
            let rest = Rest { change: *others, count: *left };
            vec![Part::Table(influences(for_class, *start, items, rest, shown))]
        }
        RowReasons::Members { members } => committee::reasons(row, members, shown, place),
    }
}

/// The two classes that evidence speaks for or against.
#[derive(Clone, Copy)]
struct Contest<'a> {
    for_class: &'a str,
    against_class: &'a str,
    decimals: usize,
}

fn evidence(contest: Contest<'_>, items: &[EvidenceItem], shown: Shown, place: Place) -> Table {
    let n_shown = match shown {
        // The first item is what is known before any column.
        Shown::Strongest if items.len() > STRONGEST + 2 => STRONGEST + 1,
        _ => items.len(),
    };
    let (single, rest) = items.split_at(n_shown);
    let most =
        single.iter().filter_map(|item| item.log_odds).fold(0.0, |most: f64, odds| most.max(odds.abs()));
    let width = if place == Place::Terminal { 46 } else { 120 };
    let line = |item: &EvidenceItem| {
        let mut cells = vec![shortened(what(item), width), contest.weight(item)];
        cells.extend((place == Place::Terminal).then(|| contest.bar(item, most)));
        cells.push(item.total.map_or_else(|| "-".to_owned(), |total| contest.signed(total)));
        plain_row(cells)
    };
    let mut rows: Vec<_> = single.iter().map(line).collect();
    rows.extend(contest.together(rest).as_ref().map(line));
    let mut columns = vec![("what".to_owned(), Align::Left), ("evidence".to_owned(), Align::Right)];
    columns.extend((place == Place::Terminal).then(|| (String::new(), Align::Left)));
    columns.push(("total".to_owned(), Align::Right));
    let Contest { for_class, against_class, .. } = contest;
    let title = format!("Evidence for {for_class} (+) or {against_class} (-), in log-odds");
    Table { title, columns, rows }
}

fn what(item: &EvidenceItem) -> &str {
    item.what.as_deref().unwrap_or(BEFORE)
}

impl Contest<'_> {
    fn is_for(self, item: &EvidenceItem) -> bool {
        item.favours.as_deref() == Some(self.for_class)
    }

    fn signed(self, value: f64) -> String {
        format!("{value:+.*}", self.decimals)
    }

    /// Evidence in figures, or in words where it is certain.
    fn weight(self, item: &EvidenceItem) -> String {
        match item.log_odds {
            Some(log_odds) => self.signed(log_odds),
            None if !item.certain => "no class has it".to_owned(),
            None if self.is_for(item) => format!("rules out {}", self.against_class),
            None => format!("rules out {}", self.for_class),
        }
    }

    /// A bar as long as the evidence is strong, full where it speaks for the class and light where against.
    fn bar(self, item: &EvidenceItem, most: f64) -> String {
        let length = match item.log_odds {
            Some(log_odds) if most > 0.0 => ((log_odds.abs() / most).min(1.0) * BAR).round() as usize,
            None if item.certain => BAR as usize,
            _ => 0,
        };
        if self.is_for(item) { "█".repeat(length) } else { "░".repeat(length) }
    }

    /// Columns that are not shown one by one.
    fn together(self, items: &[EvidenceItem]) -> Option<EvidenceItem> {
        let log_odds: f64 = items.iter().filter_map(|item| item.log_odds).sum();
        let favoured = if log_odds > 0.0 { self.for_class } else { self.against_class };
        Some(EvidenceItem {
            what: Some(format!("{} other columns", items.len())),
            log_odds: Some(log_odds),
            certain: false,
            favours: Some(favoured.to_owned()),
            total: items.last()?.total,
        })
    }
}

fn contributions(
    for_class: &str,
    start: f64,
    items: &[ContributionItem],
    shown: Shown,
    place: Place,
) -> Table {
    let contest = Contest { for_class, against_class: "", decimals: 3 };
    let item = |what: Option<&str>, change: f64, total: f64| EvidenceItem {
        what: what.map(str::to_owned),
        log_odds: Some(change),
        certain: false,
        favours: (change > 0.0).then(|| for_class.to_owned()),
        total: Some(total),
    };
    let changes = items.iter().map(|one| item(Some(&one.what), one.change, one.total));
    let all: Vec<EvidenceItem> = std::iter::once(item(None, start, start)).chain(changes).collect();
    let mut table = evidence(contest, &all, shown, place);
    table.columns[1].0 = "change".to_owned();
    table
}

/// Of two classes the second, of more the predicted one.
fn shown_class(row: &ExplainedRow) -> usize {
    let predicted = || row.scores.iter().position(|one| one.class == row.predicted);
    if row.scores.len() == 2 { 1 } else { predicted().unwrap_or(0) }
}

/// The nodes of a way, one a line, each further in than the one before.
fn path_lines(path: &Path, class: usize, row: &ExplainedRow) -> String {
    let name = printable(row.scores.get(class).map_or("", |one| one.class.as_str()));
    let head = match path.share {
        share if share < 1.0 => format!("{} of the row goes this way:\n", figure(share)),
        _ => String::new(),
    };
    let line = |(depth, step): (usize, &PathStep)| {
        let condition = printable(if step.condition.is_empty() { "all" } else { &step.condition });
        let probability = step.posteriors.get(class).map_or_else(String::new, |&p| figure(p));
        let indent = "  ".repeat(depth);
        format!("{indent}{condition}: {} rows, {name} {probability}\n", count(step.rows))
    };
    head + &path.steps.iter().enumerate().map(line).collect::<String>()
}

/// Who votes, and with how many of all votes.
fn neighbours(k: f64, items: &[Neighbour], left: usize, shown: Shown) -> Table {
    let n_shown = match shown {
        Shown::Strongest if items.len() > STRONGEST + 1 => STRONGEST,
        _ => items.len(),
    };
    let (single, rest) = items.split_at(n_shown);
    let line = |item: &Neighbour| {
        plain_row([item.row.to_string(), figure(item.distance), item.class.clone(), figure(item.vote)])
    };
    let mut rows: Vec<_> = single.iter().map(line).collect();
    let n_others = rest.len().saturating_add(left);
    if n_others > 0 {
        let votes = 1.0 - single.iter().map(|item| item.vote).sum::<f64>();
        let others = format!("{} others", count(n_others as f64));
        rows.push(plain_row([others, String::new(), String::new(), figure(votes)]));
    }
    let columns = [
        ("training row", Align::Left),
        ("distance", Align::Right),
        ("class", Align::Left),
        ("share of the votes", Align::Right),
    ];
    Table {
        title: format!("The nearest training rows, which have {} votes", count(k)),
        columns: columns.map(|(name, align)| (name.to_owned(), align)).to_vec(),
        rows,
    }
}

/// Training rows that are not named.
#[derive(Clone, Copy)]
struct Rest {
    change: f64,
    count: usize,
}

/// How training rows pull, with the margin after each.
fn influences(for_class: &str, start: f64, items: &[Influence], rest: Rest, shown: Shown) -> Table {
    let n_shown = match shown {
        Shown::Strongest if items.len() > STRONGEST + 1 => STRONGEST,
        _ => items.len(),
    };
    let (single, hidden) = items.split_at(n_shown);
    let mut total = start;
    let mut line = |what: String, class: &str, likeness: String, change: f64| {
        total += change;
        plain_row([what, class.to_owned(), likeness, format!("{change:+.4}"), format!("{total:+.4}")])
    };
    let mut rows = vec![plain_row([
        BEFORE.to_owned(),
        String::new(),
        String::new(),
        String::new(),
        format!("{start:+.4}"),
    ])];
    rows.extend(
        single.iter().map(|item| line(item.row.to_string(), &item.class, figure(item.likeness), item.change)),
    );
    let n_others = hidden.len().saturating_add(rest.count);
    if n_others > 0 {
        let change = rest.change + hidden.iter().map(|item| item.change).sum::<f64>();
        rows.push(line(format!("{} others", count(n_others as f64)), "", String::new(), change));
    }
    let columns = [
        ("training row", Align::Left),
        ("class", Align::Left),
        ("likeness", Align::Right),
        ("change", Align::Right),
        ("total", Align::Right),
    ];
    Table {
        title: format!("How training rows pull towards {for_class} (+) or away from it (-)"),
        columns: columns.map(|(name, align)| (name.to_owned(), align)).to_vec(),
        rows,
    }
}

const HEADER: [&str; 12] = [
    "row",
    "predicted",
    "member",
    "form",
    "path",
    "what",
    "log_odds",
    "change",
    "certain",
    "favours",
    "total",
    "probability",
];

/// The place of the column of members.
const MEMBER: usize = 2;

/// A reason as a tidy row; what its form does not have is empty.
#[derive(Default)]
struct ReasonRow {
    /// Who says it, in a committee.
    member: String,
    form: &'static str,
    path: String,
    what: String,
    log_odds: Option<f64>,
    change: Option<f64>,
    certain: String,
    favours: String,
    total: Option<f64>,
    probability: Option<f64>,
}

impl ReasonRow {
    fn cells(self, row: &ExplainedRow) -> Vec<Cell> {
        let number = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
        plain_row([
            row.row.to_string(),
            row.predicted.clone(),
            self.member,
            self.form.to_owned(),
            self.path,
            self.what,
            number(self.log_odds),
            number(self.change),
            self.certain,
            self.favours,
            number(self.total),
            number(self.probability),
        ])
    }
}

/// The reasons as tidy rows; of a model by itself its columns.
pub(crate) fn table(explanation: &Explanation) -> Table {
    let left = |names: &[&str]| names.iter().map(|name| (name.to_string(), Align::Left)).collect();
    if explanation.text.is_some() || !explanation.members.is_empty() {
        let inputs = explanation.model.inputs.iter();
        let rows = inputs.map(|input| plain_row([&input.name, &input.kind, &input.levels.join("|")]));
        return Table {
            title: String::new(),
            columns: left(&["column", "kind", "levels"]),
            rows: rows.collect(),
        };
    }
    let cells = |row| reason_rows(row).into_iter().map(move |reason| reason.cells(row));
    let mut rows: Vec<Vec<Cell>> = explanation.rows.iter().flat_map(cells).collect();
    let mut columns = left(&HEADER);
    // Only in a committee does anybody say something for himself.
    if explanation.model.members.is_empty() {
        columns.remove(MEMBER);
        rows.iter_mut().for_each(|row| drop(row.remove(MEMBER)));
    }
    Table { title: String::new(), columns, rows }
}

fn reason_rows(row: &ExplainedRow) -> Vec<ReasonRow> {
    match &row.reasons {
        RowReasons::Evidence { items, .. } => {
            let line = |item: &EvidenceItem| ReasonRow {
                form: "evidence",
                what: what(item).to_owned(),
                log_odds: item.log_odds,
                certain: item.certain.to_string(),
                favours: item.favours.clone().unwrap_or_default(),
                total: item.total,
                ..ReasonRow::default()
            };
            items.iter().map(line).collect()
        }
        RowReasons::Contributions { start, items, .. } => {
            let line = |what: &str, change: f64, total: f64| ReasonRow {
                form: "contribution",
                what: what.to_owned(),
                change: Some(change),
                probability: Some(total),
                ..ReasonRow::default()
            };
            let first = line(BEFORE, *start, *start);
            let others = items.iter().map(|item| line(&item.what, item.change, item.total));
            std::iter::once(first).chain(others).collect()
        }
        RowReasons::Paths { paths } => {
            let line = |path: usize, step: &PathStep| ReasonRow {
                form: "path",
                path: (path + 1).to_string(),
                what: step.condition.clone(),
                probability: step.posteriors.get(shown_class(row)).copied(),
                ..ReasonRow::default()
            };
            let lines = |(idx, path): (usize, &Path)| -> Vec<ReasonRow> {
                path.steps.iter().map(|step| line(idx, step)).collect()
            };
            paths.iter().enumerate().flat_map(lines).collect()
        }
        RowReasons::Neighbours { items, .. } => {
            let line = |item: &Neighbour| ReasonRow {
                form: "neighbour",
                what: format!("row {} at {}", item.row, item.distance),
                change: Some(item.vote),
                favours: item.class.clone(),
                ..ReasonRow::default()
            };
            items.iter().map(line).collect()
        }
        RowReasons::Influences { start, items, others, left, .. } => {
            influence_rows(*start, items, Rest { change: *others, count: *left })
        }
        RowReasons::Members { members } => committee::reason_rows(row, members),
    }
}

fn influence_rows(start: f64, items: &[Influence], rest: Rest) -> Vec<ReasonRow> {
    let mut total = 0.0;
    let mut line = |what: String, class: &str, change: f64| {
        total += change;
        ReasonRow {
            form: "influence",
            what,
            change: Some(change),
            favours: class.to_owned(),
            total: Some(total),
            ..ReasonRow::default()
        }
    };
    let mut rows = vec![line(BEFORE.to_owned(), "", start)];
    rows.extend(items.iter().map(|item| line(format!("row {}", item.row), &item.class, item.change)));
    rows.extend((rest.count > 0).then(|| line(format!("{} others", rest.count), "", rest.change)));
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{Format, render_explanation};
    use crate::made_up::made;
    use serde_json::json;
    use tribunal::ClassScore;
    use tribunal::Form;

    fn item(what: &str, log_odds: f64, total: f64) -> EvidenceItem {
        let favours = if log_odds > 0.0 { "yes" } else { "no" };
        EvidenceItem {
            what: (!what.is_empty()).then(|| what.to_owned()),
            log_odds: log_odds.is_finite().then_some(log_odds),
            certain: log_odds.is_infinite(),
            favours: Some(favours.to_owned()),
            total: total.is_finite().then_some(total),
        }
    }

    fn explanation(reasons: RowReasons) -> Explanation {
        let class = |class: &str, score: f64| made::<ClassScore>(json!({ "class": class, "score": score }));
        let row = made::<ExplainedRow>(json!({
            "row": 7,
            "ids": [{ "column": "claim", "value": "C-7" }],
            "predicted": "yes",
            "output": Output::Probabilities,
            "scores": [class("no", 0.25), class("yes", 0.75)],
            "reasons": reasons,
        }));
        let model = made::<ModelSummary>(json!({
            "learner": "nb",
            "family": "nb",
            "target": "fraud",
            "classes": ["no", "yes"],
            "rows": 1200,
            "inputs": [],
            "warnings": [],
        }));
        made::<Explanation>(json!({
            "schema": Explanation::SCHEMA,
            "model": model,
            "text": null,
            "coefficients": null,
            "rows": [row],
            "notices": [],
        }))
    }

    fn evidence_of(items: Vec<EvidenceItem>) -> Explanation {
        let reasons = RowReasons::Evidence { for_class: "yes".into(), against_class: "no".into(), items };
        explanation(reasons)
    }

    fn text(explanation: &Explanation, shown: Shown) -> String {
        render_explanation(explanation, shown, Format::Text).expect("text")
    }

    #[test]
    fn evidence_is_a_table_with_bars() {
        let items =
            vec![item("", -1.0, -1.0), item("AGE = 21 to 40", 2.0, 1.0), item("night = 0", -0.5, 0.5)];
        let explanation = evidence_of(items);
        let expected = "\
nb for fraud
============

Trained on 1,200 rows and 0 columns. It tells yes from no.

Row 7, claim C-7: fraud is taken for yes. Probability of yes 0.7500.

Evidence for yes (+) or no (-), in log-odds
  what                   evidence              total
  ---------------------  --------  ----------  -----
  before a row is known     -1.00  ░░░░░       -1.00
  AGE = 21 to 40            +2.00  ██████████  +1.00
  night = 0                 -0.50  ░░░         +0.50
";
        assert_eq!(text(&explanation, Shown::Strongest), expected);
        let csv = render_explanation(&explanation, Shown::Strongest, Format::Csv).expect("CSV");
        assert!(csv.contains("\n7,yes,evidence,,AGE = 21 to 40,2,,false,yes,1,\n"), "{csv}");
        let markdown =
            render_explanation(&explanation, Shown::Strongest, Format::Markdown).expect("Markdown");
        assert!(!markdown.contains('█') && markdown.contains("| night = 0 | -0.50 | +0.50 |"), "{markdown}");
    }

    #[test]
    fn what_is_certain_is_said_in_words() {
        let (sure, never) = (f64::INFINITY, f64::NEG_INFINITY);
        let said = text(&evidence_of(vec![item("", 0.5, 0.5), item("a = 1", sure, sure)]), Shown::All);
        assert!(said.contains("rules out no  ██████████"), "{said}");
        let said = text(&evidence_of(vec![item("", 0.5, 0.5), item("a = 1", never, never)]), Shown::All);
        assert!(said.contains("rules out yes  ░░░░░░░░░░"), "{said}");
    }

    #[test]
    fn many_columns_are_summed_up() {
        let columns = (1..=20).map(|n| item(&format!("c{n}"), 0.1, f64::from(n) / 10.0));
        let explanation = evidence_of([item("", -0.0, 0.0)].into_iter().chain(columns).collect());
        let said = text(&explanation, Shown::Strongest);
        assert!(
            said.contains("  8 other columns") && said.contains("+0.80") && said.contains("+2.00"),
            "{said}"
        );
        assert!(said.contains("c12") && !said.contains("c13"), "{said}");
        let said = text(&explanation, Shown::All);
        assert!(said.contains("c20") && !said.contains("other columns"), "{said}");
    }

    #[test]
    fn contributions_add_up_to_the_probability() {
        let changes = [("AGE = 21 to 40".to_owned(), 0.5), ("night = 0".to_owned(), -0.0625)];
        let explanation = explanation(RowReasons::contributions("yes".into(), 0.3125, changes));
        let said = text(&explanation, Shown::Strongest);
        let expected = "\
How the probability of yes comes about
  what                   change               total
  ---------------------  ------  ----------  ------
  before a row is known  +0.312  ██████      +0.312
  AGE = 21 to 40         +0.500  ██████████  +0.812
  night = 0              -0.062  ░           +0.750
";
        assert!(said.ends_with(expected), "{said}");
        let csv = render_explanation(&explanation, Shown::Strongest, Format::Csv).expect("CSV");
        assert!(csv.ends_with("7,yes,contribution,,night = 0,,-0.0625,,,,0.75\n"), "{csv}");
    }

    #[test]
    fn ways_down_a_tree_are_indented() {
        let step = |condition: &str, rows, yes: f64| PathStep {
            condition: condition.into(),
            rows,
            posteriors: vec![1.0 - yes, yes],
        };
        let whole = Path { share: 1.0, steps: vec![step("", 14.0, 0.5), step("humidity <= 75", 5.5, 0.75)] };
        let half = Path { share: 0.25, steps: vec![step("", 14.0, 0.5)] };
        let explanation = explanation(RowReasons::Paths { paths: vec![whole, half] });
        let said = text(&explanation, Shown::Strongest);
        let expected = "  all: 14 rows, yes 0.5000\n    humidity <= 75: 5.5 rows, yes 0.7500\n  \
                        0.2500 of the row goes this way:\n  all: 14 rows, yes 0.5000\n";
        assert!(said.ends_with(expected), "{said}");
        let csv = render_explanation(&explanation, Shown::Strongest, Format::Csv).expect("CSV");
        assert!(csv.contains("7,yes,path,1,humidity <= 75,,,,,,0.75\n"), "{csv}");
    }

    #[test]
    fn influences_are_a_table() {
        let influence = |row: u64, change: f64| Influence {
            row,
            class: if change > 0.0 { "yes" } else { "no" }.into(),
            likeness: 0.5,
            change,
        };
        let items = vec![influence(8, 1.5), influence(3, -0.75)];
        let for_class = "yes".to_owned();
        let explanation =
            explanation(RowReasons::Influences { for_class, start: -0.25, items, others: 0.125, left: 12 });
        let said = text(&explanation, Shown::Strongest);
        let expected = "\
  before a row is known                            -0.2500
  8                      yes      0.5000  +1.5000  +1.2500
  3                      no       0.5000  -0.7500  +0.5000
  12 others                               +0.1250  +0.6250
";
        assert!(said.ends_with(expected), "{said}");
        let csv = render_explanation(&explanation, Shown::Strongest, Format::Csv).expect("CSV");
        assert!(csv.contains("7,yes,influence,,row 3,,-0.75,,no,0.5,\n"), "{csv}");
        assert!(csv.ends_with("7,yes,influence,,12 others,,0.125,,,0.625,\n"), "{csv}");
    }

    #[test]
    fn neighbours_are_a_table() {
        let neighbour = |row: u64, vote: f64| Neighbour {
            row,
            distance: row as f64 / 4.0,
            class: if row == 2 { "no" } else { "yes" }.into(),
            vote,
        };
        let items = vec![neighbour(1, 0.5), neighbour(2, 0.25)];
        let explanation = explanation(RowReasons::Neighbours { k: 4.0, items, left: 3 });
        let expected = "\
The nearest training rows, which have 4 votes
  training row  distance  class  share of the votes
  ------------  --------  -----  ------------------
  1               0.2500  yes                0.5000
  2               0.5000  no                 0.2500
  3 others                                   0.2500
";
        let said = text(&explanation, Shown::Strongest);
        assert!(said.ends_with(expected), "{said}");
        let csv = render_explanation(&explanation, Shown::Strongest, Format::Csv).expect("CSV");
        assert!(csv.ends_with("7,yes,neighbour,,row 2 at 0.5,,0.25,,no,,\n"), "{csv}");
        let markdown = render_explanation(&explanation, Shown::All, Format::Markdown).expect("Markdown");
        assert!(markdown.contains("| 2 | 0.5000 | no | 0.2500 |"), "{markdown}");
    }
}
