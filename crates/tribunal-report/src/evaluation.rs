//! An evaluation as a document: what was judged in plain words, then the tables.

use tribunal::message::{Message, Phrasing, Setting};
use tribunal::{CapacityShare, CutoffResult, Evaluation, MetricRow, Standing};
use tribunal_eval::CutoffRule;
use tribunal_eval::influence::BaseRate;
use tribunal_eval::metrics::{Kind, Measure};

use crate::charts;
use crate::comparisons;
use crate::conditions;
use crate::decision;
use crate::document::{Align, Cell, Document, Mark, Part, Table, plain_row};
use crate::number::{count, figure, interval, interval_of, percent};
use crate::segments;
use crate::stress_selection;

/// Beside each other on a terminal; more models stand below each other.
pub(crate) const MOST_COLUMNS: usize = 4;

/// So many models leave room for intervals beside the figures.
const MOST_WITH_INTERVALS: usize = 2;

/// What stands in the table of many models.
pub(crate) const KEY_METRICS: [&str; 6] = ["auroc", "ks", "average_precision", "lift@0.1", "pcc", "brier"];

pub(crate) fn document(results: &Evaluation, phrasing: &dyn Phrasing) -> Document {
    let mut parts = vec![Part::Paragraph(results.verdict.sentence.clone()), Part::Paragraph(judged(results))];
    let capacities = capacities_in_words(&results.capacities, "fold");
    let warnings = results.warnings.iter().map(|warning| warning.message().said_by(phrasing));
    let notes: Vec<String> = warnings.chain(capacities).map(|note| format!("Note: {note}")).collect();
    if !notes.is_empty() {
        parts.push(Part::List(notes));
    }
    parts.extend(decision::parts(results));
    parts.extend(comparisons::planning(results).map(Part::Paragraph));
    parts.extend(legend(results).map(Part::Paragraph));
    parts.extend(about_intervals(results).map(Part::Paragraph));
    if results.data.models.len() > MOST_COLUMNS {
        parts.push(Part::Table(many_models(results, phrasing)));
    } else {
        parts.extend(metric_tables(results).map(Part::Table));
    }
    if results.data.models.len() > MOST_WITH_INTERVALS {
        parts.extend(interval_table(results, phrasing).map(Part::Table));
    }
    parts.extend(comparisons::differences(results).map(Part::Table));
    parts.extend(fold_table(results).map(Part::Table));
    parts.extend(comparisons::fold_tests(results).map(Part::Table));
    parts.extend(gains_table(results).map(Part::Table));
    parts.extend(charts::risk(results).map(Part::Table));
    parts.extend(charts::error_matrices(results));
    parts.extend(charts::at_base_rate(results));
    parts.extend(conditions::parts(results));
    let is_shown = |row: &&MetricRow| row.scope.is_all() || is_mean_shown(row);
    let reasons = undefined(results.metrics.iter().filter(is_shown));
    if !reasons.is_empty() {
        parts.push(Part::List(reasons));
    }
    parts.extend(stress_selection::parts(results, phrasing));
    parts.extend(segments::parts(results, phrasing));
    Document { title: "Evaluation".into(), parts }
}

/// What numbers of cases mean inside a part of the list, one sentence a number.
pub(crate) fn capacities_in_words(capacities: &[CapacityShare], part: &str) -> Vec<String> {
    let mut told: Vec<(f64, Vec<&str>, f64)> = Vec::new();
    for CapacityShare { asked, cases, share, .. } in capacities {
        match told.iter_mut().find(|(known, ..)| known == cases) {
            Some((_, names, _)) => names.push(asked),
            None => told.push((*cases, vec![asked], *share)),
        }
    }
    let sentence = |(cases, names, share): (f64, Vec<&str>, f64)| {
        let mean = if names.len() == 1 { "means" } else { "mean" };
        format!(
            "{} {mean} {} cases of the whole list, {} of it: each {part} takes the same share of its own rows",
            names.join(", "),
            count(cases),
            percent(share)
        )
    };
    told.into_iter().map(sentence).collect()
}

/// What was judged, in plain words.
fn judged(results: &Evaluation) -> String {
    let data = &results.data;
    let rate = data.base_rate.map_or_else(|| "unknown".into(), percent);
    let models = data.models.len();
    let folds = match data.folds.len() {
        0 => String::new(),
        n => format!(" in {n} folds"),
    };
    format!(
        "{} case{}{folds} from {}; {} positive (\"{}\" is {}), a base rate of {rate}{}. Judged: {} model{} ({}).",
        count(data.rows as f64),
        plural(data.rows as usize),
        data.files.join(", "),
        count(data.positives as f64),
        data.truth,
        data.positive,
        if data.weighted { " by weight" } else { "" },
        models,
        plural(models),
        shortened(&data.models),
    )
}

fn plural(n: usize) -> &'static str {
    if n == 1 { "" } else { "s" }
}

/// Names; of many only the first.
pub(crate) fn shortened(names: &[String]) -> String {
    match names.get(..8) {
        Some(first) if names.len() > 8 => format!("{} and {} more", first.join(", "), names.len() - 8),
        _ => names.join(", "),
    }
}

fn kind_of(row: &MetricRow) -> Option<Kind> {
    row.metric.parse::<Measure>().ok().map(|measure| measure.metric.kind)
}

/// What the marks mean, where there are any.
fn legend(results: &Evaluation) -> Option<String> {
    let marked = results.metrics.iter().any(|row| row.standing.is_some());
    let level = results.metrics.iter().find_map(|row| row.level)?;
    let alpha = percent(1.0 - level);
    // Where what acting brings in decides, the margin is not one of metrics.
    let by_acting = results.decision.iter().any(|decision| decision.by.to_string() == results.verdict.metric);
    let others = match results.verdict.margin {
        margin if margin > 0.0 && !by_acting => {
            format!("cannot be shown to be worse than the best by more than {margin}")
        }
        _ => "cannot be told apart from the best".to_owned(),
    };
    marked.then(|| {
        format!(
            "Best figures are starred or bold; those with a tilde, or underlined, {others} at {alpha} (p adjusted over all \
             pairs)."
        )
    })
}

/// Which samples the intervals speak of, where there are any.
fn about_intervals(results: &Evaluation) -> Option<String> {
    let level = results.metrics.iter().find_map(|row| row.level)?;
    let samples = match results.request.base_rate {
        BaseRate::Random => "other samples of cases, in which the base rate varies too",
        BaseRate::Fixed => "other samples with as many positives and as many negatives",
    };
    let chosen = match results.metrics.iter().any(|row| row.corrected.is_some()) {
        true => {
            " Where the cut-off was chosen on these cases, the figure after \"new\" and its interval are what other cases can be \
             expected to give at that cut-off."
        }
        false => "",
    };
    let known = match (&results.decision, results.request.charts.base_rate) {
        (Some(_), Some(rate)) => {
            format!("; what is said of acting takes the base rate of {} as known", percent(rate))
        }
        _ => String::new(),
    };
    Some(format!("Intervals are at {} and speak of {samples}{known}.{chosen}", percent(level)))
}

/// A figure, marked by how it stands; beside it the corrected one, where the cut-off was chosen on the data.
fn cell(row: Option<&MetricRow>) -> Cell {
    let estimate = row.and_then(|row| row.estimate).map_or_else(|| "n/a".into(), figure);
    let text = match row.and_then(|row| row.corrected) {
        Some(corrected) => format!("{estimate}, new {}", figure(corrected)),
        None => estimate,
    };
    Cell { text, mark: mark(row.and_then(|row| row.standing)) }
}

/// How a figure is marked.
pub(crate) fn mark(standing: Option<Standing>) -> Mark {
    match standing {
        Some(Standing::Best) => Mark::Best,
        Some(Standing::Level) => Mark::Level,
        None => Mark::None,
    }
}

/// The same with its interval.
fn cell_with_interval(row: Option<&MetricRow>) -> Cell {
    let plain = cell(row);
    let interval = |row: &MetricRow| interval_of(row.corrected.or(row.estimate)?, row.lower, row.upper);
    match row.and_then(interval) {
        Some(interval) => Cell { text: format!("{} {interval}", plain.text), ..plain },
        None => plain,
    }
}

/// One table per kind of metric, one column per model; predictions once per cut-off.
fn metric_tables(results: &Evaluation) -> impl Iterator<Item = Table> {
    let kinds = [
        (Kind::Ranking, "Over the ranking"),
        (Kind::Cutoff, "At a cut-off"),
        (Kind::Probability, "As probabilities"),
        (Kind::Amount, "Of amounts"),
    ];
    kinds.into_iter().flat_map(|(kind, title)| {
        let rows: Vec<&MetricRow> =
            results.metrics.iter().filter(|row| row.scope.is_all() && kind_of(row) == Some(kind)).collect();
        let mut cutoffs: Vec<Option<CutoffRule>> = Vec::new();
        for row in &rows {
            if !cutoffs.contains(&row.cutoff) {
                cutoffs.push(row.cutoff);
            }
        }
        cutoffs.into_iter().map(|cutoff| one_table(results, &rows, title, cutoff)).collect::<Vec<_>>()
    })
}

fn one_table(results: &Evaluation, rows: &[&MetricRow], title: &str, cutoff: Option<CutoffRule>) -> Table {
    let rows: Vec<&&MetricRow> = rows.iter().filter(|row| row.cutoff == cutoff).collect();
    let mut metrics: Vec<&str> = Vec::new();
    for row in &rows {
        if !metrics.contains(&row.metric.as_str()) {
            metrics.push(&row.metric);
        }
    }
    let shown = if results.data.models.len() > MOST_WITH_INTERVALS { cell } else { cell_with_interval };
    let figures = |metric: &str| {
        let of = |model: &String| {
            shown(rows.iter().find(|row| row.metric == metric && &row.model == model).map(|row| **row))
        };
        std::iter::once(Cell::from(metric)).chain(results.data.models.iter().map(of)).collect()
    };
    let mut table_rows: Vec<Vec<Cell>> = metrics.iter().map(|metric| figures(metric)).collect();
    if let Some(rule) = cutoff {
        table_rows.splice(0..0, cutoff_rows(results, rule));
    }
    let title =
        cutoff.map_or_else(|| title.to_owned(), |rule| format!("{title}: {}", rule_of(results, rule)));
    Table { title, columns: figure_columns("metric", &results.data.models), rows: table_rows }
}

fn figure_columns(first: &str, names: &[String]) -> Vec<(String, Align)> {
    let names = names.iter().map(|name| (name.clone(), Align::Right));
    std::iter::once((first.to_owned(), Align::Left)).chain(names).collect()
}

/// The rule of a cut-off; where a decision is read at another base rate, at which one the cut-off was chosen.
pub(crate) fn rule_of(results: &Evaluation, rule: CutoffRule) -> String {
    let words = rule_in_words(rule);
    let is_of_money = matches!(rule, CutoffRule::MaxBenefit(_) | CutoffRule::MaxProfit(_));
    match results.decision.as_ref().and_then(|decision| decision.base_rate) {
        Some(_) if is_of_money => format!("{words}, chosen at the base rate of the file"),
        _ => words,
    }
}

pub(crate) fn rule_in_words(rule: CutoffRule) -> String {
    match rule {
        CutoffRule::MaxPcc => "the one with the highest PCC".into(),
        CutoffRule::MaxF(1.0) => "the one with the highest F1".into(),
        CutoffRule::MaxF(beta) => format!("the one with the highest F, beta {beta}"),
        CutoffRule::Youden => "the one with the highest Youden index".into(),
        CutoffRule::Share(share) => format!("the top {} of the list", percent(share)),
        CutoffRule::Count(cases) => format!("the top {cases} cases"),
        CutoffRule::Score(score) => format!("a score of {score} or more"),
        CutoffRule::MaxBenefit(_) | CutoffRule::MaxProfit(_) => format!("the one that earns most ({rule})"),
        CutoffRule::Cost { .. } => format!("least expected cost ({rule})"),
        rule => rule.to_string(),
    }
}

/// The cut-off's score and the confusion matrix, one line each.
fn cutoff_rows(results: &Evaluation, rule: CutoffRule) -> Vec<Vec<Cell>> {
    type Show = fn(&tribunal_eval::Cutoff) -> String;
    let lines: [(&str, Show); 6] = [
        ("cut-off (score)", |cutoff| {
            cutoff.threshold.map_or_else(|| "above all".into(), |score| score.to_string())
        }),
        ("share flagged", |cutoff| figure(cutoff.share)),
        ("true positives", |cutoff| count(cutoff.confusion.tp)),
        ("false positives", |cutoff| count(cutoff.confusion.fp)),
        ("false negatives", |cutoff| count(cutoff.confusion.fn_)),
        ("true negatives", |cutoff| count(cutoff.confusion.tn)),
    ];
    let of = |model: &String| -> Option<&CutoffResult> {
        results.cutoffs.iter().find(|cutoff| &cutoff.model == model && cutoff.asked == rule)
    };
    let line = |(name, show): &(&str, Show)| {
        let shown = |model: &String| {
            of(model).and_then(|found| found.cutoff.as_ref()).map_or_else(|| "n/a".into(), show)
        };
        plain_row(std::iter::once((*name).to_owned()).chain(results.data.models.iter().map(shown)))
    };
    lines.iter().map(line).collect()
}

/// Many models: one line each, with the key figures.
fn many_models(results: &Evaluation, phrasing: &dyn Phrasing) -> Table {
    let pooled = |model: &str, metric: &str| {
        results.metrics.iter().find(|row| row.scope.is_all() && row.model == model && row.metric == metric)
    };
    let present: Vec<&str> = KEY_METRICS
        .into_iter()
        .filter(|metric| results.metrics.iter().any(|row| row.metric == *metric))
        .collect();
    let columns = present.iter().map(|metric| (heading(results, metric), Align::Right));
    let line = |model: &String| {
        let figures = present.iter().map(|metric| cell(pooled(model, metric)));
        std::iter::once(Cell::from(model)).chain(figures).collect()
    };
    Table {
        title: in_other_formats(&format!("{} models (all figures", results.data.models.len()), phrasing),
        columns: std::iter::once(("model".to_owned(), Align::Left)).chain(columns).collect(),
        rows: results.data.models.iter().map(line).collect(),
    }
}

/// A title that ends with where the rest is.
pub(crate) fn in_other_formats(title: &str, phrasing: &dyn Phrasing) -> String {
    let message = Message::from(format!("{title}: ")).set(Setting::Format, "csv");
    message.text(" or json)").said_by(phrasing)
}

/// A metric as the head of a column that shows it at the first cut-off: which one, where there are several or it was chosen on the
/// data.
fn heading(results: &Evaluation, metric: &str) -> String {
    let row = results.metrics.iter().find(|row| row.scope.is_all() && row.metric == metric);
    match row.and_then(|row| row.cutoff) {
        Some(rule) if rule.is_chosen_on_the_data() || results.request.cutoffs.len() > 1 => {
            format!("{metric} at {rule}")
        }
        _ => metric.to_owned(),
    }
}

/// A metric by its name, and its cut-off where there are several.
fn at_cutoff(row: &MetricRow, has_several: bool) -> String {
    match row.cutoff {
        Some(rule) if has_several => format!("{} at {rule}", row.metric),
        _ => row.metric.clone(),
    }
}

/// What stands in the table of means over folds.
const MEAN_METRICS: [&str; 7] = ["auroc", "auroc_100", "ks", "average_precision", "pcc", "brier", "log_loss"];

fn is_mean_shown(row: &MetricRow) -> bool {
    row.scope.is_mean() && MEAN_METRICS.contains(&row.metric.as_str())
}

/// The intervals of the key figures, where there is no room for them beside the figures: one line a model.
fn interval_table(results: &Evaluation, phrasing: &dyn Phrasing) -> Option<Table> {
    let level = results.metrics.iter().find_map(|row| row.level)?;
    let keys = ["auroc", "average_precision", "lift@0.1", "pcc", "brier"];
    let pooled = |model: &str, metric: &str| {
        results.metrics.iter().find(|row| row.scope.is_all() && row.model == model && row.metric == metric)
    };
    let has_interval =
        |metric: &&str| results.metrics.iter().any(|row| row.metric == *metric && row.lower.is_some());
    let present: Vec<&str> = keys.into_iter().filter(has_interval).take(4).collect();
    let line = |model: &String| {
        let of = |metric: &&str| {
            pooled(model, metric)
                .and_then(|row| interval(row.lower, row.upper))
                .unwrap_or_else(|| "n/a".into())
        };
        plain_row(std::iter::once(model.clone()).chain(present.iter().map(of)))
    };
    let columns = present.iter().map(|metric| (heading(results, metric), Align::Right));
    Some(Table {
        title: in_other_formats(&format!("Intervals ({} level; all of them", percent(level)), phrasing),
        columns: std::iter::once(("model".to_owned(), Align::Left)).chain(columns).collect(),
        rows: results.data.models.iter().map(line).collect(),
    })
}

/// Means over the folds of the key figures: a column a model, or a line a model where there are many.
fn fold_table(results: &Evaluation) -> Option<Table> {
    if results.data.folds.is_empty() {
        return None;
    }
    let models = &results.data.models;
    let means = |row: &&MetricRow| is_mean_shown(row);
    let has_several = results.request.cutoffs.len() > 1;
    let of_first = |row: &&MetricRow| Some(&row.model) == models.first();
    let patterns: Vec<&MetricRow> = results.metrics.iter().filter(means).filter(of_first).collect();
    let mean = |model: &String, pattern: &MetricRow| {
        let same = |row: &&MetricRow| {
            &row.model == model && row.metric == pattern.metric && row.cutoff == pattern.cutoff
        };
        results.metrics.iter().filter(means).find(same)
    };
    let title = format!("Mean over {} folds", results.data.folds.len());
    let has_intervals = results.metrics.iter().filter(means).any(|row| row.lower.is_some());
    if models.len() > MOST_COLUMNS {
        let names: Vec<String> = patterns.iter().map(|pattern| at_cutoff(pattern, has_several)).collect();
        let line = |model: &String| {
            let figures = patterns.iter().map(|pattern| cell(mean(model, pattern)));
            std::iter::once(Cell::from(model)).chain(figures).collect()
        };
        return Some(Table {
            title,
            columns: figure_columns("model", &names),
            rows: models.iter().map(line).collect(),
        });
    }
    let shown = if models.len() > MOST_WITH_INTERVALS { cell } else { cell_with_interval };
    let line = |pattern: &&MetricRow| {
        let figures = models.iter().map(|model| shown(mean(model, pattern)));
        std::iter::once(Cell::from(at_cutoff(pattern, has_several))).chain(figures).collect()
    };
    let about = match has_intervals && models.len() <= MOST_WITH_INTERVALS {
        true => " (intervals by Student's t over the folds speak of the models that were trained)",
        false => "",
    };
    Some(Table {
        title: format!("{title}{about}"),
        columns: figure_columns("metric", models),
        rows: patterns.iter().map(line).collect(),
    })
}

/// CPH and lift by tenth of the list, for the best model.
fn gains_table(results: &Evaluation) -> Option<Table> {
    let model = results.verdict.ranking.first()?;
    let with_amounts = results.gains.iter().any(|gain| gain.row.amount.is_some());
    let names = ["top", "cases", "positives", "precision", "CPH", "lift", "CPH of amount"];
    let shown = if with_amounts { 7 } else { 6 };
    let line = |gain: &tribunal::GainsResult| {
        let row = &gain.row;
        let amount = row.amount.map_or_else(|| "n/a".into(), figure);
        let cells = [
            percent(row.share),
            count(row.cases),
            count(row.positives),
            figure(row.precision),
            figure(row.cph),
            figure(row.lift),
            amount,
        ];
        plain_row(cells[..shown].to_vec())
    };
    Some(Table {
        title: format!(
            "Tenths of the list ranked by {model} (cases, positives, precision: of the tenth; CPH, lift: from the top)"
        ),
        columns: names[..shown].iter().map(|name| ((*name).to_owned(), Align::Right)).collect(),
        rows: results.gains.iter().filter(|gain| &gain.model == model).map(line).collect(),
    })
}

/// Why a figure or its interval is missing, once per reason.
pub(crate) fn undefined<'a>(rows: impl Iterator<Item = &'a MetricRow>) -> Vec<String> {
    let rows: Vec<&MetricRow> = rows.collect();
    let mut cutoffs: Vec<CutoffRule> = rows.iter().filter_map(|row| row.cutoff).collect();
    cutoffs.dedup();
    let mut reasons: Vec<(String, Vec<String>)> = Vec::new();
    for row in rows {
        let whose =
            if row.scope.is_mean() { format!("{}, mean over folds", row.model) } else { row.model.clone() };
        let key = match (&row.undefined, &row.no_interval) {
            (Some(reason), _) => format!("n/a, {whose}: {reason}"),
            (None, Some(reason)) => format!("{whose}: {reason}"),
            (None, None) => continue,
        };
        let metric = at_cutoff(row, cutoffs.len() > 1);
        match reasons.iter_mut().find(|(known, _)| *known == key) {
            Some((_, metrics)) if metrics.contains(&metric) => {}
            Some((_, metrics)) => metrics.push(metric),
            None => reasons.push((key, vec![metric])),
        }
    }
    reasons.into_iter().map(|(reason, metrics)| format!("{reason} ({})", metrics.join(", "))).collect()
}
