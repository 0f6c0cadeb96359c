//! Intervals and tests against values of scipy, statsmodels, R and pROC.
//!
//! The values and the versions that gave them are in `reference/`, next to the scripts that wrote them.

use serde_json::Value;
use tribunal_eval::intervals::{Level, Proportion, ScoredModels, clopper_pearson, delong_pair, wald, wilson};
use tribunal_eval::significance::{
    Aim, Differences, Disagreement, FoldTable, GroupEstimate, McnemarVariant, anova, cases_for_proportions,
    delong_test, duncan_quantiles, friedman, holm, mcnemar_with, paired_t, studentized_range_cdf,
    studentized_range_quantile, studentized_range_sf, tukey, welch,
};

fn python() -> Value {
    serde_json::from_str(include_str!("../reference/comparison.json")).expect("comparison.json is JSON")
}

fn r() -> Value {
    serde_json::from_str(include_str!("../reference/comparison_r.json")).expect("comparison_r.json is JSON")
}

fn rows(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

fn numbers(value: &Value) -> Vec<f64> {
    rows(value).iter().map(number).collect()
}

/// Degrees of freedom; infinity is written as null.
fn df(value: &Value) -> f64 {
    value.as_f64().unwrap_or(f64::INFINITY)
}

fn count(value: &Value) -> usize {
    number(value) as usize
}

fn table(rows: &[Vec<f64>]) -> FoldTable {
    let names = |n: usize| (0..n).map(|i| i.to_string()).collect();
    let cells = rows.iter().map(|row| row.iter().copied().map(Some).collect()).collect();
    FoldTable::new(names(rows.len()), names(rows[0].len()), cells).expect("a complete table")
}

fn worked() -> FoldTable {
    table(&rows(&python()["worked"]).iter().map(numbers).collect::<Vec<_>>())
}

fn close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found:e}, expected {expected:e}");
}

fn close_relative(found: f64, expected: f64, tolerance: f64) {
    close(found, expected, tolerance * expected.abs());
}

#[test]
fn studentized_range_tails_agree_with_scipy() {
    for row in rows(&python()["studentized_range"]["grid"]) {
        let cdf = studentized_range_cdf(number(&row["q"]), count(&row["n_means"]), df(&row["df"]));
        // scipy's own quadrature stops at 1e-11.
        close(cdf.expect("a range"), number(&row["cdf"]), 2e-11);
    }
}

#[test]
fn studentized_range_quantiles_agree_with_scipy() {
    for row in rows(&python()["studentized_range"]["quantiles"]) {
        let q = studentized_range_quantile(number(&row["p"]), count(&row["n_means"]), df(&row["df"]));
        close_relative(q.expect("a probability"), number(&row["q"]), 1e-8);
    }
}

#[test]
fn studentized_range_tails_agree_with_r() {
    let r = r();
    for (i, sf) in numbers(&r["range_sf"]).into_iter().enumerate() {
        let found = studentized_range_sf(
            number(&r["range_q"][i]),
            count(&r["range_means"][i]),
            df(&r["range_df"][i]),
        );
        // R's ptukey is good to about seven decimals.
        close(found.expect("a range"), sf, 1e-7);
    }
}

#[test]
fn duncan_quantiles_agree_with_r_where_it_has_them() {
    let found = duncan_quantiles(27, 225.0, Level::P95).expect("means");
    let known: Vec<Option<f64>> = rows(&r()["duncan_q_225"]).iter().map(Value::as_f64).collect();
    assert!(known.iter().flatten().count() >= 20);
    for (found, expected) in found.into_iter().zip(known) {
        // R's qtukey stops its search at 1e-4.
        close(found, expected.unwrap_or(found), 2e-4);
    }
}

#[test]
fn analysis_of_variance_agrees_with_r() {
    let (found, r) = (anova(&worked()), r());
    let sums = [found.algorithm.sum_of_squares, found.fold.sum_of_squares, found.error];
    let expected = [("anova_sums", sums.to_vec()), ("anova_f", vec![found.algorithm.f, found.fold.f])];
    for (name, found) in expected.into_iter().chain([("anova_p", vec![found.algorithm.p, found.fold.p])]) {
        for (found, expected) in found.into_iter().zip(numbers(&r[name])) {
            close_relative(found, expected, 1e-11);
        }
    }
}

#[test]
fn tukey_agrees_with_scipy_and_r() {
    let (outcome, python, r) = (tukey(&worked(), Level::P95).expect("a table"), python(), r());
    close_relative(outcome.honest_difference, number(&python["tukey"]["half_width"]), 1e-9);
    for (i, pair) in outcome.pairs.iter().enumerate() {
        close(pair.p, number(&python["tukey"]["p"][i]), 1e-11);
        close(pair.p, number(&r["tukey_p"][i]), 1e-9);
        close(pair.effect.difference, number(&r["tukey_difference"][i]), 1e-12);
        // R's qtukey stops its search at 1e-4.
        close(pair.effect.interval.lower, number(&r["tukey_lower"][i]), 1e-4);
        close(pair.effect.interval.upper, number(&r["tukey_upper"][i]), 1e-4);
    }
}

#[test]
fn paired_t_agrees_with_scipy() {
    for row in rows(&python()["paired_t"]) {
        let differences = Differences::between(&worked(), count(&row["first"]), count(&row["second"]));
        let test = paired_t(&differences.expect("two algorithms"), Level::P95);
        close_relative(test.t, number(&row["t"]), 1e-12);
        close_relative(test.p, number(&row["p"]), 1e-11);
        close_relative(test.effect.interval.lower, number(&row["lower"]), 1e-11);
        close_relative(test.effect.interval.upper, number(&row["upper"]), 1e-11);
    }
}

#[test]
fn friedman_agrees_with_scipy_and_r() {
    for row in rows(&python()["friedman"]) {
        let test = friedman(&table(&rows(&row["table"]).iter().map(numbers).collect::<Vec<_>>()));
        close_relative(test.chi_square, number(&row["chi_square"]), 1e-12);
        close_relative(test.p, number(&row["p"]), 1e-12);
    }
    let (test, r) = (friedman(&worked()), r());
    close_relative(test.chi_square, number(&r["friedman"][0]), 1e-12);
    close_relative(test.p, number(&r["friedman"][1]), 1e-12);
}

#[test]
fn mcnemar_agrees_with_statsmodels() {
    for row in rows(&python()["mcnemar"]) {
        let counts = Disagreement::new(count(&row["n01"]) as u64, count(&row["n10"]) as u64, 5000);
        let test = |variant| mcnemar_with(variant, counts.clone().expect("enough rows"), Level::P95);
        close_relative(test(McnemarVariant::Exact).p, number(&row["exact"]), 1e-11);
        close_relative(test(McnemarVariant::MidP).p, number(&row["mid_p"]), 1e-11);
        close_relative(test(McnemarVariant::Uncorrected).p, number(&row["p"]), 1e-12);
        let chi_square = |variant| test(variant).chi_square.expect("a chi-square");
        close_relative(chi_square(McnemarVariant::Uncorrected), number(&row["chi_square"]), 1e-14);
        // statsmodels lets the correction overshoot when the split is even; the definition stops it at zero.
        if row["n01"] != row["n10"] {
            close_relative(chi_square(McnemarVariant::Corrected), number(&row["corrected"]), 1e-14);
            close_relative(test(McnemarVariant::Corrected).p, number(&row["p_corrected"]), 1e-12);
        }
    }
}

#[test]
fn welch_agrees_with_scipy() {
    for row in rows(&python()["welch"]) {
        let group = |group: &Value| {
            let [estimate, variance, df] = [0, 1, 2].map(|at| number(&group[at]));
            GroupEstimate { estimate, variance, df }
        };
        let groups: Vec<GroupEstimate> = rows(&row["groups"]).iter().map(group).collect();
        let test = welch(&groups).expect("groups");
        close_relative(test.f, number(&row["f"]), 1e-12);
        close_relative(test.p, number(&row["p"]), 1e-11);
    }
}

#[test]
fn holm_agrees_with_statsmodels_and_r() {
    let (python, r) = (python(), r());
    let adjusted = holm(&numbers(&python["holm"]["p"])).expect("p values");
    assert_eq!(adjusted.len(), 12);
    for (found, expected) in adjusted.into_iter().zip(numbers(&python["holm"]["adjusted"])) {
        close_relative(found, expected, 1e-14);
    }
    let adjusted = holm(&[0.01, 0.04, 0.03, 0.005, 0.2]).expect("p values");
    for (found, expected) in adjusted.into_iter().zip(numbers(&r["holm"])) {
        close_relative(found, expected, 1e-14);
    }
}

#[test]
fn intervals_of_proportions_agree_with_statsmodels_and_r() {
    for row in rows(&python()["proportions"]) {
        let share = Proportion::new(number(&row["successes"]), number(&row["n"])).expect("a proportion");
        let level = Level::new(number(&row["level"])).expect("a level");
        for (name, interval) in [
            ("wilson", wilson(share, level)),
            ("wald", wald(share, level)),
            ("clopper_pearson", clopper_pearson(share, level)),
        ] {
            close(interval.lower, number(&row[name][0]), 1e-12);
            close(interval.upper, number(&row[name][1]), 1e-12);
        }
    }
    let expected = numbers(&r()["clopper_pearson"]);
    let of = |s, n, level| {
        let level = Level::new(level).expect("a level");
        let interval = clopper_pearson(Proportion::new(s, n).expect("a proportion"), level);
        [interval.lower, interval.upper]
    };
    for (found, expected) in [of(3.0, 7.0, 0.95), of(75.0, 100.0, 0.8)].concat().into_iter().zip(expected) {
        close(found, expected, 1e-12);
    }
}

#[test]
fn delong_agrees_with_proc() {
    let csv = include_str!("../reference/delong_scores.csv");
    let parse = |line: &str| line.split(',').map(|v| v.parse::<f64>().expect("a number")).collect::<Vec<_>>();
    let lines: Vec<Vec<f64>> = csv.lines().skip(1).map(parse).collect();
    let column = |c: usize| lines.iter().map(|line| line[c]).collect::<Vec<f64>>();
    let positive: Vec<bool> = column(0).iter().map(|v| *v == 1.0).collect();
    let (a, b, c) = (column(1), column(2), column(3));
    let models =
        delong_pair(&ScoredModels { positive: &positive, scores: vec![&a, &b, &c] }).expect("two classes");
    let r = r();
    for (found, expected) in models.aurocs.iter().zip(numbers(&r["delong_auroc"])) {
        close_relative(*found, expected, 1e-13);
    }
    for (found, expected) in models.covariance.concat().iter().zip(numbers(&r["delong_covariance"])) {
        close(*found, expected, 1e-15);
    }
    for model in 0..3 {
        let interval = models.estimate(model).expect("a model").interval(Level::P95);
        close(interval.lower, number(&r["delong_lower"][model]), 1e-12);
        close(interval.upper, number(&r["delong_upper"][model]), 1e-12);
    }
    for (i, (first, second)) in [(0, 1), (0, 2), (1, 2)].into_iter().enumerate() {
        let test = delong_test(&models, first, second, Level::P95).expect("two models");
        close_relative(test.z, number(&r["delong_z"][i]), 1e-10);
        close_relative(test.p, number(&r["delong_p"][i]), 1e-9);
    }
}

#[test]
fn cases_for_proportions_agree_with_r() {
    let needed = |p, q, level, power| {
        let aim = Aim::new(Level::new(level).expect("a level"), power).expect("a power");
        cases_for_proportions(p, q, aim).expect("a difference").unrounded
    };
    let found = [needed(0.5, 0.6, 0.95, 0.8), needed(0.02, 0.035, 0.99, 0.9)];
    for (found, expected) in found.into_iter().zip(numbers(&r()["prop_cases"])) {
        // power.prop.test stops its search at about five digits.
        close_relative(found, expected, 1e-5);
    }
}
