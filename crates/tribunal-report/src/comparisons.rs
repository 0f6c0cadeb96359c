//! The tests between models as tables, and what it would take to see more.

use tribunal::{Comparison, Evaluation, FoldTests, Groups};

use crate::document::{Align, Cell, Mark, Table, plain_row};
use crate::number::{count, figure, interval, p_in_words, p_value, percent, statistic};

/// With more pairs than this only those with the best model are shown.
const MOST_PAIRS: usize = 10;

/// What these cases could show, and how many it would take, for the best model and the runner-up.
pub(crate) fn planning(results: &Evaluation) -> Option<String> {
    let (best, second) = (results.verdict.ranking.first()?, results.verdict.ranking.get(1)?);
    let plan = results.planning.iter().find(|plan| {
        plan.metric == results.verdict.metric
            && ((&plan.a == best && &plan.b == second) || (&plan.a == second && &plan.b == best))
    })?;
    let smallest = format!(
        "How many cases would it take? With these {} a difference in {} between {best} and {second} shows from {} on \
         (power {})",
        count(results.data.rows as f64),
        plan.metric,
        figure(plan.detectable),
        percent(plan.power)
    );
    Some(match plan.cases {
        Some(cases) => format!(
            "{smallest}; to show one of {} it would take about {} labelled cases.",
            figure(plan.difference),
            count(two_digits(cases as f64))
        ),
        None => format!("{smallest}."),
    })
}

/// A plan is no more exact than this.
fn two_digits(value: f64) -> f64 {
    let unit = 10f64.powf((value.log10().floor() - 1.0).max(0.0));
    (value / unit).round() * unit
}

/// Differences on the same rows for the deciding metric and for correct predictions.
pub(crate) fn differences(results: &Evaluation) -> Option<Table> {
    let decided = results.verdict.metric.as_str();
    let best = results.verdict.ranking.first()?;
    let shown = [decided, "auroc", "pcc", "brier"];
    let is_decided_by_metric =
        results.decision.as_ref().is_none_or(|decision| decision.by.to_string() != decided);
    let shown = if is_decided_by_metric { [decided, decided, "pcc", "brier"] } else { shown };
    let on_rows = |row: &&Comparison| row.is_on_rows() && shown.contains(&row.metric.as_str());
    let of_decision = results.decision.iter().flat_map(|decision| &decision.comparisons);
    let mut rows: Vec<&Comparison> = of_decision.chain(&results.comparisons).filter(on_rows).collect();
    let mut pairs: Vec<(&str, &str)> = Vec::new();
    for pair in rows.iter().filter(|row| row.metric == decided).map(|row| (row.a.as_str(), row.b.as_str())) {
        if !pairs.contains(&pair) {
            pairs.push(pair);
        }
    }
    let n_pairs = pairs.len();
    if n_pairs > MOST_PAIRS {
        rows.retain(|row| row.metric == decided && (&row.a == best || &row.b == best));
    }
    // With one cut-off nobody has to be told which.
    let mut cutoffs: Vec<String> =
        rows.iter().filter_map(|row| row.cutoff.as_ref()).map(ToString::to_string).collect();
    cutoffs.dedup();
    let has_cutoffs = cutoffs.len() > 1;
    let (level, margin) = (rows.iter().find_map(|row| row.level)?, results.request.margin);
    let line = |row: &&Comparison| {
        let ends = interval(row.lower, row.upper).unwrap_or_else(|| "n/a".into());
        let p = row.p_adjusted.map_or_else(|| "n/a".into(), p_value);
        plain_row([
            format!("{} - {}", row.a, row.b),
            match (&row.cutoff, has_cutoffs) {
                (Some(rule), true) => format!("{} at {rule}", row.metric),
                _ => row.metric.clone(),
            },
            figure(row.difference),
            ends,
            p,
            row.test.to_string(),
        ])
    };
    let names = ["models", "metric", "difference", "interval", "p", "test"];
    let align =
        |name: &str| if ["models", "metric", "test"].contains(&name) { Align::Left } else { Align::Right };
    Some(Table {
        title: format!(
            "Differences on the same cases ({} intervals{}; p{} adjusted by Holm over {n_pairs} pair{})",
            percent(level),
            if n_pairs > 1 { ", not adjusted" } else { "" },
            beyond(results, margin),
            if n_pairs == 1 { "" } else { "s" }
        ),
        columns: names.iter().map(|name| ((*name).to_owned(), align(name))).collect(),
        rows: rows.iter().map(line).collect(),
    })
}

/// Of which differences p values are the chances: the margin is one of what decides.
fn beyond(results: &Evaluation, margin: f64) -> String {
    let decided_by_acting = results.decision.as_ref().map(|decision| decision.by.to_string());
    match (margin > 0.0, decided_by_acting) {
        (false, _) => String::new(),
        (true, Some(by)) if by == results.verdict.metric => {
            format!(" of a difference in {by} of more than {margin}, of any difference in metrics,")
        }
        (true, Some(by)) => {
            format!(" of a difference in metrics of more than {margin}, of any difference in {by},")
        }
        (true, None) => format!(" of more than {margin},"),
    }
}

/// One table for the deciding metric and one for correct predictions: the means over folds with the letters of each
/// test.
pub(crate) fn fold_tests(results: &Evaluation) -> impl Iterator<Item = Table> {
    let shown = |tests: &&FoldTests| tests.metric == results.verdict.metric || tests.metric == "pcc";
    results.fold_tests.iter().filter(shown).map(|tests| fold_table(results, tests))
}

fn fold_table(results: &Evaluation, tests: &FoldTests) -> Table {
    let anova = &tests.anova.algorithm;
    let cutoff = tests.cutoff.as_ref().map_or_else(String::new, |rule| format!(" at {rule}"));
    let title = format!(
        "Mean {}{cutoff} over {} folds; models that share a letter cannot be told apart at {} (ANOVA: F = {}, {}; \
         tests on the folds of one cross-validation are approximate)",
        tests.metric,
        results.data.folds.len(),
        percent(1.0 - tests.level),
        statistic(anova.f),
        p_in_words(anova.p),
    );
    letters_table(title, tests, 0..tests.models.len(), figure)
}

/// Means with the letters of each test, for the models at some places, in their order.
pub(crate) fn letters_table(
    title: String,
    tests: &FoldTests,
    places: impl IntoIterator<Item = usize>,
    shown: impl Fn(f64) -> String,
) -> Table {
    let best = tests.duncan.subsets.first().map_or(&[][..], Vec::as_slice);
    let line = |model: usize| {
        let name = tests.models.get(model).map_or("", String::as_str);
        let letters = |groups: &Groups| groups.letters.get(model).cloned().unwrap_or_default();
        let mean_rank = tests.friedman.mean_ranks.get(model);
        let mark = match best.iter().position(|other| other.as_str() == name) {
            Some(0) => Mark::Best,
            Some(_) => Mark::Level,
            None => Mark::None,
        };
        let mut cells = vec![
            Cell::from(name),
            Cell { text: tests.means.get(model).map_or_else(|| "n/a".into(), |mean| shown(*mean)), mark },
        ];
        cells.extend(plain_row([
            letters(&tests.duncan),
            letters(&tests.tukey),
            letters(&tests.nemenyi),
            mean_rank.map_or_else(|| "n/a".into(), |rank| format!("{rank:.2}")),
        ]));
        cells
    };
    let names = ["model", "mean", "Duncan", "Tukey", "Nemenyi", "mean rank"];
    let align = |name: &str| if ["mean", "mean rank"].contains(&name) { Align::Right } else { Align::Left };
    Table {
        title,
        columns: names.iter().map(|name| ((*name).to_owned(), align(name))).collect(),
        rows: places.into_iter().map(line).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_are_rounded_to_two_digits() {
        assert_eq!([7.0, 84.0, 1234.0, 98_765.0].map(two_digits), [7.0, 84.0, 1200.0, 99_000.0]);
    }
}
