//! Questions of those who act on a list, from rows to the first sentence of the answer.

use tribunal::{
    BaselinePolicy, CaseRule, DecideBy, Decision, EvaluateRequest, Evaluation, Outcomes, Policy, ScoredRows,
    evaluate_rows,
};

fn judged(rows: &ScoredRows, ask: impl Fn(&mut EvaluateRequest)) -> Result<Evaluation, String> {
    let mut request = rows.request();
    request.curves = false;
    ask(&mut request);
    evaluate_rows(rows, &request, &|_| ()).map_err(|error| error.to_string())
}

fn decided(rows: &ScoredRows, ask: impl Fn(&mut EvaluateRequest)) -> Decision {
    judged(rows, ask).expect("figures").decision.expect("a decision")
}

fn outcomes(hit: &str, false_positive: &str, false_negative: &str, correct_rejection: &str) -> Outcomes {
    let [hit, false_positive, false_negative, correct_rejection] =
        [hit, false_positive, false_negative, correct_rejection].map(|text| text.parse().expect(text));
    Outcomes { hit, false_positive, false_negative, correct_rejection }
}

fn profit(decision: &Decision, policy: BaselinePolicy) -> f64 {
    let baseline = decision.baselines.iter().find(|baseline| baseline.policy == policy).expect("a policy");
    baseline.profit.as_ref().expect("a profit").value
}

#[track_caller]
fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9 * expected.abs().max(1.0), "{found}, expected {expected}");
}

/// Two models on claims of two regions: `sharp` ranks better than `dull`.
fn claims(n: usize) -> ScoredRows {
    let bits = |row: usize, place: u32| {
        let mixed = (row as u64 + 7).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29 + 7 * place);
        (mixed.wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 40) as f64 / (1u64 << 24) as f64
    };
    let truth: Vec<bool> = (0..n).map(|row| bits(row, 0) < 0.2).collect();
    let score = |lift: f64, place: u32| -> Vec<f64> {
        (0..n).map(|row| (bits(row, place) + if truth[row] { lift } else { 0.0 }) / 2.0).collect()
    };
    ScoredRows::new("fraud", &truth)
        .score("dull", score(0.2, 1))
        .score("sharp", score(0.7, 2))
        .amount("paid", (0..n).map(|row| (bits(row, 3) * 1e5).round() / 100.0).collect::<Vec<f64>>())
        .column("fee", (0..n).map(|row| (bits(row, 4) * 100.0).round()).collect::<Vec<f64>>())
}

/// The worked example of donations: solicit where p times the expected gift exceeds 0.68.
#[test]
fn golden_donations() {
    let rows = ScoredRows::new("gave", [true, false, true, false, false])
        .score("model", [0.05, 0.08, 0.03, 0.10, 0.02])
        .amount("gift", [20.0, 0.0, 30.0, 0.0, 0.0])
        .predicted_amount("expected", [15.0, 8.0, 25.0, 6.0, 40.0]);
    let decision = decided(&rows, |request| request.decision.rule = Some(CaseRule::Donation { cost: 0.68 }));
    assert_eq!((decision.policy, decision.by), (Policy::CaseByCase, DecideBy::Profit));
    let model = &decision.models[0];
    assert_eq!((model.acted, model.hits.value), (3.0, 2.0));
    near(model.profit.as_ref().expect("a profit").value, 47.96);
    near(profit(&decision, BaselinePolicy::Everybody), 46.60);
    near(profit(&decision, BaselinePolicy::Nobody), 0.0);
    near(profit(&decision, BaselinePolicy::Ceiling), 48.64);
}

/// The worked example of card fraud: the amount is known, and the fourth case is expected to bring in just what it costs.
#[test]
fn golden_card_fraud() {
    let rows = ScoredRows::new("fraud", [true, false, true, false, true])
        .score("model", [0.30, 0.05, 0.90, 0.50, 0.02])
        .amount("amount", [400.0, 2500.0, 80.0, 180.0, 6000.0]);
    let decision = decided(&rows, |request| request.decision.rule = Some(CaseRule::Fraud { cost: 90.0 }));
    near(decision.models[0].profit.as_ref().expect("a profit").value, 6130.0);
    near(profit(&decision, BaselinePolicy::Everybody), 6030.0);
    near(profit(&decision, BaselinePolicy::Ceiling), 6220.0);
    // The largest amounts first: cases 5, 2 and 1, as many as the model acts on.
    near(profit(&decision, BaselinePolicy::LargestAmounts), 6130.0);
}

/// The ten cases of a list that is longer than anybody can act on.
#[test]
fn golden_profit_by_rank_at_block_ends() {
    let labels = [1, 1, 0, 1, 1, 1, 1, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 0, 1].map(|label| label == 1);
    let scores = [
        0.95, 0.93, 0.93, 0.88, 0.86, 0.85, 0.82, 0.80, 0.80, 0.79, 0.77, 0.76, 0.73, 0.65, 0.63, 0.58, 0.56,
        0.49, 0.48,
    ];
    let rows = ScoredRows::new("yes", labels).score("model", scores);
    let decision =
        decided(&rows, |request| request.decision.outcomes = Some(outcomes("10 - 6", "-6", "0", "0")));
    assert_eq!(decision.policy, Policy::BestCut);
    let best = decision.models[0].best_cut.as_ref().expect("a cut");
    assert_eq!((best.list.profit, best.list.cases, best.list.score), (22.0, 13.0, Some(0.73)));
    let by_rank = best.list.by_rank.as_ref().expect("ties are cut through");
    assert_eq!((by_rank.cases, by_rank.profit), (8.0, 22.0));
}

#[test]
fn hits_at_a_capacity_are_the_precision_of_the_top_of_the_list() {
    let rows = claims(1500);
    let evaluation = judged(&rows, |request| {
        request.decision.capacity = Some("150".parse().expect("a capacity"));
        request.metrics = vec!["precision_top@150".parse().expect("a metric")];
    });
    let evaluation = evaluation.expect("figures");
    let decision = evaluation.decision.as_ref().expect("a decision");
    assert_eq!(
        (decision.policy, decision.by, decision.list_size),
        (Policy::TopOfList, DecideBy::Hits, 1500.0)
    );
    for model in &decision.models {
        let row = evaluation.metrics.iter().find(|row| row.model == model.model).expect("a figure");
        near(model.hits.value, 150.0 * row.estimate.expect("a value"));
        let ends = model.hits.interval.expect("an interval");
        near(ends.lower, 150.0 * row.lower.expect("an end"));
        near(ends.upper, 150.0 * row.upper.expect("an end"));
    }
    let sentence = &evaluation.verdict.sentence;
    assert!(sentence.starts_with("Act on 150 of 1,500 cases: sharp finds "), "{sentence}");
    assert!(sentence.contains("dull finds ") && sentence.contains("the difference is real"), "{sentence}");
    assert_eq!(
        (evaluation.verdict.metric.as_str(), &evaluation.verdict.worse),
        ("hits", &vec!["dull".to_owned()])
    );
}

#[test]
fn capacities_of_other_lists_are_scaled() {
    let rows = claims(1500);
    let of = |capacity: &str| decided(&rows, |request| request.decision.capacity = capacity.parse().ok());
    let (own, other) = (of("150"), of("200/2000"));
    assert_eq!(other.list_size, 2000.0);
    for (own, other) in own.models.iter().zip(&other.models) {
        near(other.hits.value, own.hits.value / 150.0 * 200.0);
        assert_eq!(own.score, other.score);
    }
    near(other.comparisons[0].difference, own.comparisons[0].difference / 150.0 * 200.0);
    assert_eq!(own.comparisons[0].p, other.comparisons[0].p);
}

#[test]
fn too_large_a_capacity_is_refused() {
    let error = judged(&claims(100), |request| request.decision.capacity = "200".parse().ok())
        .expect_err("100 cases");
    assert!(error.contains("100") && error.contains("200"), "{error}");
    assert!(judged(&claims(100), |request| request.decision.capacity = "200/5000".parse().ok()).is_ok());
}

/// Formulas over columns come to what the amounts come to that they stand for.
#[test]
fn formulas_are_computed_case_by_case() {
    let rows = claims(800);
    let with = |hit: &str| {
        decided(&rows, |request| request.decision.outcomes = Some(outcomes(hit, "-fee - 20", "0", "0")))
    };
    let (one, other) = (with("amount - fee - 20"), with("max(0, amount) - min(fee, 1000) - 4 * 5"));
    let profit = |decision: &Decision| decision.models[1].profit.as_ref().expect("a profit").value;
    assert_eq!(profit(&one), profit(&other));
    near(profit_of_everybody(&one), direct_profit_of_everybody());
}

fn profit_of_everybody(decision: &Decision) -> f64 {
    profit(decision, BaselinePolicy::Everybody)
}

/// The same from the columns themselves.
fn direct_profit_of_everybody() -> f64 {
    let batch = claims(800).batch().expect("columns");
    let numbers = |name: &str| {
        let column = batch.column_by_name(name).expect("a column");
        column
            .as_any()
            .downcast_ref::<tribunal_io::arrow_array::Float64Array>()
            .expect("numbers")
            .values()
            .to_vec()
    };
    let truth = batch.column_by_name("fraud").expect("a column");
    let truth = truth.as_any().downcast_ref::<tribunal_io::arrow_array::BooleanArray>().expect("booleans");
    let (paid, fee) = (numbers("paid"), numbers("fee"));
    (0..800).map(|row| if truth.value(row) { paid[row] } else { 0.0 } - fee[row] - 20.0).sum()
}

/// Adding a constant to a column of the costs, or scaling all of them, changes no decision (Elkan 2001).
#[test]
fn decisions_depend_on_differences_within_a_column_only() {
    let rows = claims(800);
    let with =
        |outcomes: Outcomes| decided(&rows, |request| request.decision.outcomes = Some(outcomes.clone()));
    let plain = with(outcomes("0", "-1", "-5", "0"));
    let shifted = with(outcomes("7", "-4", "2", "-3"));
    let scaled = with(outcomes("0", "-3", "-15", "0"));
    for (plain, (shifted, scaled)) in plain.models.iter().zip(shifted.models.iter().zip(&scaled.models)) {
        assert_eq!((plain.score, plain.acted), (shifted.score, shifted.acted));
        assert_eq!((plain.score, plain.acted), (scaled.score, scaled.acted));
    }
    near(scaled.comparisons[0].difference, 3.0 * plain.comparisons[0].difference);
    near(shifted.comparisons[0].difference, plain.comparisons[0].difference);
}

#[test]
fn no_policy_earns_more_than_the_ceiling_and_best_cuts_flatter() {
    let rows = claims(800);
    let decision = decided(&rows, |request| {
        request.decision.outcomes = Some(outcomes("amount - 200", "-200", "0", "0"));
    });
    let ceiling = profit(&decision, BaselinePolicy::Ceiling);
    for model in &decision.models {
        let best = model.best_cut.as_ref().expect("a cut");
        let on_new_cases = model.profit.as_ref().expect("a profit").value;
        assert!(best.list.profit <= ceiling && on_new_cases <= best.list.profit, "{}", model.model);
    }
    assert!(decision.baselines.iter().all(|one| one.profit.as_ref().is_none_or(|one| one.value <= ceiling)));
}

#[test]
fn a_metric_decides_where_it_is_asked_to() {
    let evaluation = judged(&claims(600), |request| {
        request.metrics = vec!["auroc".parse().expect("a metric")];
        request.decision.capacity = "60".parse().ok();
        request.decision.decide_by = "lift@0.2".parse().ok();
    });
    let verdict = evaluation.expect("figures").verdict;
    assert_eq!(verdict.metric, "lift@0.2");
    assert!(verdict.sentence.starts_with("sharp is best of 2 models (lift@0.2"), "{}", verdict.sentence);
}

#[test]
fn impossible_questions_are_refused_with_advice() {
    let check = |ask: &dyn Fn(&mut EvaluateRequest), expected: &str| {
        let error = judged(&claims(200), ask).expect_err(expected);
        assert!(error.contains(expected), "{error}");
    };
    check(&|request| request.decision.outcomes = Some(outcomes("10", "0", "0", "0")), "`cost_fp = VALUE`");
    check(
        &|request| request.decision.outcomes = Some(outcomes("-1", "-1", "0", "0")),
        "`benefit_tp = VALUE`",
    );
    check(
        &|request| request.decision.outcomes = Some(outcomes("price", "-1", "0", "0")),
        "no column \"price\"",
    );
    check(
        &|request| request.decision.outcomes = Some(outcomes("1 / (fee - fee)", "-1", "0", "0")),
        "by 1 / (fee - fee) a hit brings in inf",
    );
    check(
        &|request| request.decision.rule = Some(CaseRule::Donation { cost: 1.0 }),
        "`predicted_amount = COLUMN`",
    );
    check(&|request| request.decision.rule = Some(CaseRule::Expected), "`benefit_tp = VALUE`");
    check(&|request| request.decision.decide_by = Some(DecideBy::Profit), "what acting brings in");
    check(&|request| request.decision.decide_by = Some(DecideBy::Hits), "`capacity = 200`");
    let margins =
        ScoredRows::new("y", [true, false, true]).score("m", [2.0, -1.0, 0.5]).amount("a", [5.0, 5.0, 5.0]);
    let error = judged(&margins, |request| request.decision.rule = Some(CaseRule::Fraud { cost: 1.0 }));
    assert!(error.as_ref().is_err_and(|error| error.contains("calibrate")), "{error:?}");
}

/// Where no list pays, that is the answer.
#[test]
fn acting_on_nobody_can_be_best() {
    let evaluation = judged(&claims(400), |request| {
        request.decision.outcomes = Some(outcomes("1", "-1000", "0", "0"));
    });
    let sentence = evaluation.expect("figures").verdict.sentence;
    assert!(sentence.starts_with("Act on nobody: that earns nothing"), "{sentence}");
}
