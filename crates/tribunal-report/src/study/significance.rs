//! Tests over the splits of each scenario: top groups side by side, and on paper all that stands behind them.

use tribunal::{LeftOut, ScenarioTests, Study, Test, TopGroup};
use tribunal_eval::significance::{CriticalRange, Source};

use super::gathered;
use super::scale::Scale;
use crate::comparisons::letters_table;
use crate::description::Place;
use crate::document::{Align, Part, Table, columns, plain_row};
use crate::evaluation::shortened;
use crate::number::{figure, p_in_words, p_value, percent, statistic};

const CAUTION: &str = "Splits of one design share training rows: their figures are not independent, and p values are \
    approximate. Duncan's test is liberal; the others are stricter and mostly leave more learners in the top group. Who \
    cannot be told apart from the best by Duncan's test, and who is added (+) or missing (-) by the others:";

pub(super) fn parts(study: &Study, place: Place) -> Vec<Part> {
    if study.tests.is_empty() {
        return Vec::new();
    }
    let mut parts =
        vec![Part::Paragraph(CAUTION.to_owned()), Part::List(study.tests.iter().map(top_groups).collect())];
    parts.extend(left_out(study).map(Part::Paragraph));
    if place == Place::Paper {
        parts.extend(study.tests.iter().flat_map(in_full));
    }
    parts
}

fn about(tests: &ScenarioTests) -> String {
    format!("{} in {}", tests.tests.metric, tests.scenario)
}

/// The top group of each test in a line, and where they disagree with Duncan's.
fn top_groups(tests: &ScenarioTests) -> String {
    let first = tests.top.first().map_or(&[][..], |group| &group.learners);
    let others = tests.top.iter().skip(1).map(|group| compared(group, first));
    let groups: Vec<String> = tests.top.first().map(named).into_iter().chain(others).collect();
    format!("{}: {}", about(tests), groups.join("; "))
}

fn named(group: &TopGroup) -> String {
    format!("{} {} ({})", test_name(group.test), group.learners.len(), shortened(&group.learners))
}

/// A group by who is in it that is not in the first, and who is not that is.
fn compared(group: &TopGroup, first: &[String]) -> String {
    let more = group.learners.iter().filter(|learner| !first.contains(learner));
    let fewer = first.iter().filter(|learner| !group.learners.contains(learner));
    let changes: Vec<String> = more
        .map(|learner| format!("+ {learner}"))
        .chain(fewer.map(|learner| format!("- {learner}")))
        .collect();
    let changes = if changes.is_empty() { "the same".to_owned() } else { shortened(&changes) };
    format!("{} {} ({changes})", test_name(group.test), group.learners.len())
}

fn test_name(test: Test) -> &'static str {
    match test {
        Test::Duncan => "Duncan",
        Test::Tukey => "Tukey",
        Test::CorrectedT => "corrected t",
        Test::Nemenyi => "Nemenyi",
        other => other.name(),
    }
}

/// Who is left out of tests, and why; what holds for all tests is told once.
fn left_out(study: &Study) -> Option<String> {
    let of_tests = |tests: &ScenarioTests| {
        let place = about(tests);
        let one = |left: &LeftOut| ((left.learner.clone(), left.reason.clone()), place.clone());
        tests.left_out.iter().map(one).collect::<Vec<_>>()
    };
    let line = |((learner, reason), places): ((String, String), Vec<String>)| match places.len() {
        n if n == study.tests.len() => format!("{learner} ({reason})"),
        _ => format!("{learner} by {} ({reason})", shortened(&places)),
    };
    let told: Vec<String> = gathered(study.tests.iter().flat_map(of_tests)).into_iter().map(line).collect();
    (!told.is_empty()).then(|| format!("Left out of tests: {}.", told.join("; ")))
}

/// Analysis of variance, letters, and what it takes to differ.
fn in_full(tests: &ScenarioTests) -> [Part; 3] {
    [Part::Table(anova(tests)), Part::Table(letters(tests)), Part::Paragraph(thresholds(tests))]
}

fn anova(tests: &ScenarioTests) -> Table {
    let anova = &tests.tests.anova;
    let source = |name: &str, source: &Source| {
        let mean = source.sum_of_squares / source.df as f64;
        plain_row([
            name.to_owned(),
            squares(source.sum_of_squares),
            source.df.to_string(),
            squares(mean),
            statistic(source.f),
            p_value(source.p),
        ])
    };
    let rest = |name: &str, sum: f64, df: usize, mean: String| {
        plain_row([name.to_owned(), squares(sum), df.to_string(), mean, String::new(), String::new()])
    };
    let df_total = anova.algorithm.df.saturating_add(anova.fold.df).saturating_add(anova.df_error);
    Table {
        title: format!("Analysis of variance of {}", about(tests)),
        columns: columns([
            ("source", Align::Left),
            ("SS", Align::Right),
            ("df", Align::Right),
            ("MS", Align::Right),
            ("F", Align::Right),
            ("p", Align::Right),
        ]),
        rows: vec![
            source("learners", &anova.algorithm),
            source("splits", &anova.fold),
            rest("error", anova.error, anova.df_error, squares(anova.mse)),
            rest("total", anova.total, df_total, String::new()),
        ],
    }
}

/// Four digits, as sums of squares of shares are small.
fn squares(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return statistic(value);
    }
    match 3 - value.abs().log10().floor() as i32 {
        digits @ 0..=9 => format!("{value:.*}", digits as usize),
        _ => format!("{value:.3e}"),
    }
}

/// The homogeneous subsets, the best learner first.
fn letters(tests: &ScenarioTests) -> Table {
    let inner = &tests.tests;
    let scale = Scale::of(&inner.metric);
    let title = format!(
        "{} in {}: learners that share a letter cannot be told apart at {}",
        scale.label(&inner.metric),
        tests.scenario,
        percent(1.0 - inner.level)
    );
    letters_table(title, inner, best_first(tests), |mean| scale.figure(mean))
}

/// Subsets are neighbours in the order of means, so they hold the order of all.
fn best_first(tests: &ScenarioTests) -> Vec<usize> {
    let ordered = gathered(tests.tests.duncan.subsets.iter().flatten().map(|name| (name, ())));
    let place = |(name, _): &(&String, Vec<()>)| tests.tests.models.iter().position(|model| model == *name);
    ordered.iter().filter_map(place).collect()
}

/// From which differences on the tests tell learners apart.
fn thresholds(tests: &ScenarioTests) -> String {
    let inner = &tests.tests;
    let (scale, friedman) = (Scale::of(&inner.metric), &inner.friedman);
    let range = |range: &CriticalRange| format!("{}: {}", range.n_means, scale.figure(range.range));
    let ranges: Vec<String> = inner.critical_ranges.iter().map(range).collect();
    format!(
        "Means of {} differ by Duncan's test from these critical ranges on (means spanned: {}): {}; by Tukey's from {} on. \
         Friedman's test of the ranks: chi-square = {} with {} degrees of freedom, {}; Iman and Davenport's F = {} with {} \
         and {}, {}. Mean ranks differ by Nemenyi's test from CD = {} on.",
        about(tests),
        scale.label("difference"),
        ranges.join(", "),
        scale.figure(inner.honest_difference),
        figure(friedman.chi_square),
        friedman.df,
        p_in_words(friedman.p),
        statistic(friedman.f),
        friedman.df_f.0,
        friedman.df_f.1,
        p_in_words(friedman.p_f),
        figure(inner.critical_difference),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::made_up::made;
    use serde_json::json;

    #[test]
    fn sums_of_squares_keep_four_digits() {
        let shown = [0.0, 0.000_287_67, 0.012_345, 1.5, 12_345.6, 1e-12].map(squares);
        assert_eq!(shown, ["0", "0.0002877", "0.01235", "1.500", "1.235e4", "1.000e-12"]);
    }

    #[test]
    fn groups_are_told_by_how_they_differ_from_the_first() {
        let check = |learners: &[&str], expected: &str| {
            let first = ["a", "b"].map(str::to_owned);
            assert_eq!(
                compared(&made(json!({ "test": Test::CorrectedT, "learners": learners })), &first),
                expected
            );
        };
        check(&["b", "a"], "corrected t 2 (the same)");
        check(&["a", "b", "c"], "corrected t 3 (+ c)");
        check(&["a", "c"], "corrected t 2 (+ c, - b)");
    }
}
