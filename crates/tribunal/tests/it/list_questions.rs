//! Questions about a weighted list with ties, by segment, at another base rate and over folds, against numpy and scipy.
//!
//! `reference/make_list_questions_reference.py` wrote `reference/list_questions.json`, with versions.

use serde_json::Value;
use tribunal::{
    AskedCutoff, CaseRule, Decision, EvaluateRequest, Evaluation, Outcomes, ScoredRows, evaluate_rows,
};
use tribunal_eval::intervals::NoInterval;

fn reference() -> Value {
    serde_json::from_str(include_str!("../reference/list_questions.json")).expect("JSON")
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("a list").iter().map(|value| value.as_f64().expect("a number")).collect()
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().expect("a list").iter().map(|value| value.as_str().expect("a text").to_owned()).collect()
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

#[track_caller]
fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-7 * expected.abs().max(1.0), "{found}, expected {expected}");
}

/// The rows of model `a`.
fn rows(reference: &Value) -> ScoredRows {
    let truth: Vec<bool> = numbers(&reference["truth"]).iter().map(|&y| y == 1.0).collect();
    ScoredRows::new("y", truth)
        .score("a", numbers(&reference["a"]))
        .amount("paid", numbers(&reference["amount"]))
}

fn weighted(reference: &Value) -> ScoredRows {
    rows(reference).weight("w", numbers(&reference["weight"]))
}

/// A hit brings in its amount less three, a false alarm costs three and a miss two.
fn outcomes() -> Outcomes {
    let [hit, false_positive, false_negative, correct_rejection] =
        ["paid - 3", "-3", "-2", "0"].map(|text| text.parse().expect(text));
    Outcomes { hit, false_positive, false_negative, correct_rejection }
}

fn judged(rows: &ScoredRows, ask: impl Fn(&mut EvaluateRequest)) -> Evaluation {
    let mut request = rows.request();
    request.curves = false;
    request.decision.outcomes = Some(outcomes());
    ask(&mut request);
    evaluate_rows(rows, &request, &|_| ()).expect("figures")
}

fn at_capacity(request: &mut EvaluateRequest) {
    request.decision.capacity = Some("200".parse().expect("a capacity"));
}

fn decided(rows: &ScoredRows, ask: impl Fn(&mut EvaluateRequest)) -> Decision {
    judged(rows, ask).decision.expect("a decision")
}

#[test]
fn segments_of_a_list_agree_with_numpy_and_scipy() {
    let reference = reference();
    let rows = weighted(&reference).by("segment", texts(&reference["segment"]));
    let evaluation = judged(&rows, at_capacity);
    let whole = &evaluation.decision.as_ref().expect("a decision").models[0];
    let segments = evaluation.segments.as_ref().expect("segments");
    let names: Vec<&str> = segments.segments.iter().map(|segment| segment.labels[0].as_str()).collect();
    assert_eq!(names, texts(&reference["segments"]));
    let found = segments.decisions.as_ref().expect("decisions");
    let mut sums = [0.0; 3];
    for (figure, expected) in found.figures.iter().zip(reference["by_segment"].as_array().expect("a list")) {
        let value = |figure: &Option<tribunal_eval::decisions::IntervalEstimate>| {
            let figure = figure.as_ref().expect("a figure");
            assert!(figure.interval.is_some_and(|ends| ends.contains(figure.value)));
            figure.value
        };
        let values = [figure.hits.value, value(&figure.amount), value(&figure.profit)];
        let all = [figure.cases, figure.acted].into_iter().chain(values);
        all.zip(numbers(expected)).for_each(|(found, expected)| close(found, expected));
        close(figure.share.value, figure.acted / figure.cases);
        assert!(figure.share.interval.is_some_and(|ends| ends.contains(figure.share.value)));
        sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
    }
    let of_whole =
        [&whole.hits, whole.amount.as_ref().expect("amounts"), whole.profit.as_ref().expect("profit")];
    sums.into_iter().zip(of_whole).for_each(|(sum, whole)| close(sum, whole.value));
    for test in &found.tests {
        close(test.test.as_ref().expect("three segments").p, number(&reference["tests"][&test.metric]));
        assert_eq!((test.p_adjusted, test.n_segments), (test.test.as_ref().map(|test| test.p), 3));
    }
    let metrics: Vec<&str> = found.tests.iter().map(|test| test.metric.as_str()).collect();
    assert_eq!(metrics, ["hits", "amount", "profit"]);
    assert!(!found.against_rest.is_empty() && found.against_rest.iter().all(|rest| rest.metric == "profit"));
    assert!(
        found.against_rest.iter().all(|rest| rest.estimate < rest.elsewhere && rest.p_adjusted >= rest.p)
    );
}

/// In one region the scores say nothing: that is where a case acted on finds least.
#[test]
fn the_segment_in_which_a_list_finds_least_is_named() {
    let n = 1200;
    let truth: Vec<bool> = (0..n).map(|row| row % 4 == 0).collect();
    let region: Vec<&str> = (0..n).map(|row| ["north", "south", "west"][row % 3]).collect();
    let noise = |row: usize| (row * 7919 % 1000) as f64 / 1000.0;
    let sees = |row: usize| if region[row] == "south" { 0.0 } else { f64::from(truth[row]) };
    let score: Vec<f64> = (0..n).map(|row| noise(row) + sees(row)).collect();
    let rows = ScoredRows::new("y", &truth).score("m", score).by("region", &region);
    let mut request = rows.request();
    request.decision.capacity = Some("400".parse().expect("a capacity"));
    let evaluation = evaluate_rows(&rows, &request, &|_| ()).expect("figures");
    let found = evaluation.segments.expect("segments").decisions.expect("decisions");
    let worst: Vec<usize> =
        found.against_rest.iter().filter(|rest| rest.is_worse).map(|rest| rest.segment).collect();
    assert_eq!(worst, [1], "{:?}", found.against_rest);
    let (test, rest) = (&found.tests[0], &found.against_rest[0]);
    assert!(test.metric == "hits" && test.p_adjusted.is_some_and(|p| p < 1e-6), "{test:?}");
    assert!(rest.estimate < 0.45 && rest.elsewhere > 0.6, "{rest:?}");
}

#[test]
fn questions_at_another_base_rate_agree_with_numpy() {
    let reference = reference();
    let (rows, expected) = (weighted(&reference), &reference["at_base_rate"]);
    let there = |request: &mut EvaluateRequest| request.charts.base_rate = Some(0.05);
    let list = decided(&rows, |request| {
        at_capacity(request);
        there(request);
    });
    let model = &list.models[0];
    assert_eq!(list.base_rate, Some(0.05));
    close(model.acted, 200.0);
    close(model.hits.value, number(&expected["hits"]));
    close(model.amount.as_ref().expect("amounts").value, number(&expected["amount"]));
    close(model.profit.as_ref().expect("profit").value, number(&expected["profit"]));
    let precision = &model.at_capacity.as_ref().expect("a capacity").hits.precision;
    close(precision.value, number(&expected["hits"]) / 200.0);
    assert!(precision.interval.is_some_and(|ends| ends.contains(precision.value)));
    let best = decided(&rows, there);
    let cut = &best.models[0].best_cut.as_ref().expect("a cut").list;
    close(cut.score.expect("some acted on"), number(&expected["best_score"]));
    close(cut.profit, number(&expected["best_profit"]));
    let rule = decided(&rows, |request| {
        request.decision.rule = Some(CaseRule::Expected);
        there(request);
    });
    close(rule.models[0].acted, number(&expected["rule_acted"]));
    close(rule.models[0].profit.as_ref().expect("profit").value, number(&expected["rule_profit"]));
}

#[test]
fn the_first_sentence_names_the_base_rate() {
    let reference = reference();
    let rows = weighted(&reference);
    let sentence = |ask: &dyn Fn(&mut EvaluateRequest)| {
        let evaluation = judged(&rows, |request| {
            request.charts.base_rate = Some(0.05);
            ask(request);
        });
        evaluation.verdict.sentence
    };
    let list = sentence(&|request| {
        at_capacity(request);
        request.decision.decide_by = "hits".parse().ok();
    });
    assert!(
        list.starts_with("At a base rate of 5 %, act on 200 of 931 cases: a finds 28.5 cases with y = true"),
        "{list}"
    );
    let nobody = sentence(&at_capacity);
    assert!(nobody.starts_with("At a base rate of 5 %, act on nobody: "), "{nobody}");
    let metric = sentence(&|request| request.decision.decide_by = "auroc".parse().ok());
    assert!(metric.contains("a metric of all rows is not re-read at 5 %"), "{metric}");
}

/// As many positives as there are change nothing but what is taken as known.
#[test]
fn the_own_base_rate_changes_no_figure() {
    let reference = reference();
    let rows = weighted(&reference);
    let own = judged(&rows, at_capacity);
    let base_rate = own.data.base_rate;
    let again = decided(&rows, |request| {
        at_capacity(request);
        request.charts.base_rate = base_rate;
    });
    let (one, other) = (&own.decision.expect("a decision").models[0], &again.models[0]);
    close(other.hits.value, one.hits.value);
    close(other.profit.as_ref().expect("profit").value, one.profit.as_ref().expect("profit").value);
}

#[test]
fn bands_over_folds_and_lines_of_equal_cost_agree_with_numpy_and_scipy() {
    let reference = reference();
    let rows =
        weighted(&reference).score("b", numbers(&reference["b"])).fold("f", texts_of_folds(&reference));
    let mut request = rows.request();
    let [hit, false_positive, false_negative, correct_rejection] =
        ["0", "-1", "-5", "0"].map(|text| text.parse().expect(text));
    request.decision.outcomes = Some(Outcomes { hit, false_positive, false_negative, correct_rejection });
    request.charts.base_rate = Some(0.05);
    request.replicates = Some(50);
    let evaluation = evaluate_rows(&rows, &request, &|_| ()).expect("figures");
    let fifth =
        evaluation.charts[0].risk.iter().find(|at| (at.point.share - 0.2).abs() < 1e-12).expect("a fifth");
    let recall = fifth.over_folds.as_ref().expect("folds").recall.expect("positives in each");
    let ends = recall.interval.expect("folds differ");
    let found = [recall.mean, ends.lower, ends.upper];
    found.into_iter().zip(numbers(&reference["recall_over_folds"])).for_each(|(a, b)| close(a, b));
    assert!(recall.lowest < recall.mean && recall.mean < recall.highest && recall.n_folds == 5);
    assert_eq!(ends.method.name(), "fold_t");
    let lines = evaluation.conditions.expect("two models").iso_performance;
    assert_eq!(lines.len(), 2);
    for (line, expected) in lines.iter().zip(reference["lines"].as_array().expect("a list")) {
        let found = [line.condition.base_rate, line.slope, line.intercept];
        found.into_iter().zip(numbers(expected)).for_each(|(a, b)| close(a, b));
        close(line.vertex.tpr, line.intercept + line.slope * line.vertex.fpr);
    }
}

fn texts_of_folds(reference: &Value) -> Vec<String> {
    numbers(&reference["fold"]).iter().map(ToString::to_string).collect()
}

/// Replicates of other random numbers: quantiles agree as far as their number allows.
#[test]
fn the_depth_of_the_best_cut_has_the_quantiles_of_plain_replicates() {
    let reference = reference();
    // A hit is worth 7 whatever its amount.
    let decision = decided(&rows(&reference), |request| {
        let hit = "7".parse().expect("a number");
        request.decision.outcomes = Some(Outcomes { hit, ..outcomes() });
        request.replicates = Some(4000);
    });
    let depth = &decision.models[0].best_cut.as_ref().expect("a cut").depth;
    let ends = depth.interval.expect("replicates");
    let n = decision.list_size;
    for (found, expected) in [ends.lower, ends.upper].into_iter().zip(numbers(&reference["depth"])) {
        assert!((found / n - expected).abs() < 0.03, "{found} of {n}, expected {expected}");
    }
    assert_eq!(ends.method.name(), "bootstrap_percentile");
    // A few amounts decide where the best cut lies.
    let of_amounts = decided(&rows(&reference), |_| ());
    let depth = &of_amounts.models[0].best_cut.as_ref().expect("a cut").depth;
    assert_eq!((depth.interval, &depth.no_interval), (None, &Some(NoInterval::AmountsDecide)));
    let folds = rows(&reference).fold("f", texts_of_folds(&reference));
    let judged_by_folds = decided(&folds, |_| ());
    let depth = &judged_by_folds.models[0].best_cut.as_ref().expect("a cut").depth;
    assert!(depth.interval.is_none() && depth.no_interval.is_some());
}

#[test]
fn a_cut_off_without_numbers_cuts_where_the_question_does() {
    let reference = reference();
    let rows = weighted(&reference);
    let [letter, sale] = ["1", "4"].map(|text| text.parse().expect(text));
    let costs = tribunal::Costs { hit: Some(&sale), action: Some(&letter), ..tribunal::Costs::default() };
    let outcomes = Outcomes::of_costs(&costs).expect("numbers");
    let evaluation = judged(&rows, |request| {
        request.decision.outcomes = Some(outcomes.clone());
        let asked: AskedCutoff = "max-profit".parse().expect("a rule");
        request.cutoffs = vec![asked.settled(&request.decision).expect("numbers")];
    });
    let score =
        evaluation.decision.expect("a decision").models[0].best_cut.as_ref().expect("a cut").list.score;
    assert_eq!(evaluation.cutoffs[0].asked.to_string(), "max-profit:4:1");
    assert_eq!(evaluation.cutoffs[0].cutoff.as_ref().and_then(|found| found.score), score);
}
