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

/// The policy by its name.
fn policy(decision: &Decision, policy: BaselinePolicy) -> &tribunal::BaselineDecision {
    decision.baselines.iter().find(|baseline| baseline.policy == policy).expect("a policy")
}

/// Where hits decide, the margin is one of hits: a difference within it is not shown, and metrics are tested as without it.
#[test]
fn a_margin_is_one_of_what_decides() {
    let rows = claims(1500);
    let with = |margin: f64, by: Option<&str>| {
        let evaluation = judged(&rows, |request| {
            request.metrics = vec!["auroc".parse().expect("a metric")];
            request.decision.capacity = "150".parse().ok();
            request.decision.decide_by = by.and_then(|by| by.parse().ok());
            request.margin = margin;
        });
        evaluation.expect("figures")
    };
    let p = |evaluation: &Evaluation| {
        let of_hits = evaluation.decision.as_ref().expect("a decision").comparisons[0].p.expect("a test");
        (of_hits, evaluation.comparisons[0].p.expect("a test"))
    };
    let (plain, within, beyond) = (with(0.0, None), with(1000.0, None), with(5.0, None));
    let lower = plain.decision.as_ref().expect("a decision").comparisons[0].upper.expect("an end").abs();
    assert!(lower > 5.0, "the first of the two finds fewer: {lower}");
    assert!(p(&within).0 > 0.99 && p(&beyond).0 < 0.05 && p(&beyond).0 > p(&plain).0, "{:?}", p(&beyond));
    assert_eq!((p(&plain).1, p(&beyond).1), (p(&within).1, p(&plain).1));
    let sentence = &within.verdict.sentence;
    assert!(sentence.contains("cannot be shown to be worse than sharp by more than 1000"), "{sentence}");
    assert!(sentence.contains("dull is worse ("), "the AUROC knows no margin of hits: {sentence}");
    assert!(beyond.verdict.sentence.contains("is shown to be more than 5 ("), "{}", beyond.verdict.sentence);
    assert_eq!((within.verdict.margin, &within.verdict.worse), (1000.0, &Vec::new()));
    // Where a metric decides, the margin is one of metrics.
    let by_metric = with(0.9, Some("auroc"));
    assert_eq!((p(&by_metric).0, p(&by_metric).1 > 0.99), (p(&plain).0, true));
}

/// What the base rate alone is worth varies with the cases that judge the model, so the two are compared case by case.
#[test]
fn the_base_rate_for_everybody_is_compared_on_the_same_cases() {
    let n = 3000;
    let truth: Vec<bool> = (0..n).map(|row| row % 27 == 0).collect();
    let score = |row: usize| if row.is_multiple_of(9) { 0.111 } else { 0.001 };
    let rows = ScoredRows::new("y", &truth).score("m", (0..n).map(score).collect::<Vec<f64>>());
    for metric in ["brier", "log_loss"] {
        let evaluation = judged(&rows, |request| {
            request.metrics = vec!["auroc".parse().expect("a metric"), metric.parse().expect("a metric")];
            request.decision.decide_by = metric.parse().ok();
        });
        let evaluation = evaluation.expect("figures");
        let baseline = &evaluation.verdict.baselines[0];
        let row = evaluation.metrics.iter().find(|row| row.metric == metric).expect("a figure");
        // The interval of the figure alone cannot tell.
        let holds = row.lower < Some(baseline.baseline) && Some(baseline.baseline) < row.upper;
        assert!(holds || metric == "log_loss", "{row:?}");
        assert!(baseline.p_adjusted < 0.001, "{metric}: {baseline:?}");
    }
}

/// A handful of flagged cases that all prove right does not beat the base rate because influence values do not vary among them.
#[test]
fn a_few_right_predictions_are_few() {
    let truth: Vec<bool> = (0..1000).map(|row| row % 4 == 0).collect();
    let scores = (0..1000).map(|row| if row < 5 && row % 4 == 0 { 0.9 } else { 0.2 }).collect::<Vec<f64>>();
    let rows = ScoredRows::new("y", &truth).score("m", scores);
    for metric in ["precision", "pcc"] {
        let evaluation = judged(&rows, |request| {
            request.metrics = vec![metric.parse().expect("a metric")];
            request.decision.decide_by = metric.parse().ok();
            request.cutoffs = vec!["0.5".parse().expect("a cut-off")];
        });
        let baselines = evaluation.expect("figures").verdict.baselines;
        assert!(baselines.iter().all(|one| one.p_adjusted > 0.01), "{metric}: {baselines:?}");
    }
}

/// A model that is no better than the base rate by its probabilities may rank well: the note on chance goes by the AUROC.
#[test]
fn chance_is_told_by_the_auroc_whatever_decides() {
    let rows = claims(1500);
    let evaluation = judged(&rows, |request| {
        request.metrics = vec!["auroc".parse().expect("a metric"), "pcc".parse().expect("a metric")];
        request.decision.decide_by = "pcc".parse().ok();
        request.cutoffs = vec!["0.99".parse().expect("a cut-off")];
    });
    let evaluation = evaluation.expect("figures");
    assert_eq!(evaluation.verdict.metric, "pcc");
    assert!(
        evaluation.verdict.baselines.iter().any(|one| one.standing != tribunal::BaselineStanding::Better),
        "{:?}",
        evaluation.verdict.baselines
    );
    let notes: Vec<String> =
        evaluation.warnings.iter().map(|warning| warning.message().to_string()).collect();
    assert!(!notes.iter().any(|note| note.contains("chance") || note.contains("wrong way")), "{notes:?}");
}

/// With a base rate that is known, what follows from the number of positives is known too.
#[test]
fn what_a_known_base_rate_says_exactly_has_no_interval() {
    let rows = claims(1500);
    let of = |ask: &dyn Fn(&mut EvaluateRequest)| {
        decided(&rows, |request| {
            request.decision.capacity = "150".parse().ok();
            ask(request);
        })
    };
    let free = of(&|_| ());
    assert!(policy(&free, BaselinePolicy::AtRandom).hits.interval.is_some());
    let fixed = of(&|request| request.base_rate = tribunal_eval::influence::BaseRate::Fixed);
    let stated = of(&|request| request.charts.base_rate = Some(0.01));
    for (decision, positives) in [(&fixed, f64::NAN), (&stated, 15.0)] {
        for known in [BaselinePolicy::AtRandom, BaselinePolicy::Ceiling] {
            let hits = &policy(decision, known).hits;
            assert_eq!((hits.interval, &hits.no_interval), (None, &None), "{known:?}: {hits:?}");
        }
        if positives.is_finite() {
            near(policy(decision, BaselinePolicy::AtRandom).hits.value, 1.5);
            near(policy(decision, BaselinePolicy::Ceiling).hits.value, positives);
        }
        assert!(decision.models[0].hits.interval.is_some());
    }
    let everybody = |ask: &dyn Fn(&mut EvaluateRequest)| {
        decided(&rows, |request| {
            request.decision.outcomes = Some(outcomes("10", "-1", "0", "0"));
            ask(request);
        })
    };
    let stated = everybody(&|request| request.charts.base_rate = Some(0.1));
    let all = policy(&stated, BaselinePolicy::Everybody);
    assert!(all.hits.interval.is_none() && all.profit.as_ref().is_some_and(|one| one.interval.is_none()));
    near(all.profit.as_ref().expect("a profit").value, 1500.0 - 1350.0);
    let whole = stated.models[0].depths.last().expect("the whole list");
    assert!(whole.hits.hits.interval.is_none() && whole.hits.precision.interval.is_none(), "{whole:?}");
    assert!(everybody(&|_| ()).models[0].depths.last().expect("all").hits.hits.interval.is_some());
}

/// What a list of a few cases will hold is a whole number, and all that is not rare is named, wherever it is told.
#[test]
fn the_next_list_holds_whole_cases() {
    let rows = claims(1500);
    for capacity in ["1/1", "1/20", "2/100", "3/40", "150"] {
        let evaluation = judged(&rows, |request| request.decision.capacity = capacity.parse().ok());
        let evaluation = evaluation.expect("figures");
        let best = &evaluation.verdict.ranking[0];
        let models = &evaluation.decision.as_ref().expect("a decision").models;
        let at =
            models.iter().find(|model| model.model == *best).and_then(|model| model.at_capacity.as_ref());
        let hits = &at.expect("a capacity").hits;
        let ends = hits.hits_in_next_list.interval.expect("an interval");
        assert!(
            ends.lower.fract() == 0.0 && ends.upper.fract() == 0.0 && ends.lower < ends.upper,
            "{ends:?}"
        );
        let said = format!("{} to {} in any one such list", ends.lower, ends.upper);
        assert!(evaluation.verdict.sentence.contains(&said), "{said}: {}", evaluation.verdict.sentence);
    }
}

/// What the alternative brings in more is a lead with a minus, with its own ends.
#[test]
fn a_lead_that_is_none_has_its_sign() {
    let truth: Vec<bool> = (0..400).map(|row| row % 4 == 0 && !(88..100).contains(&row)).collect();
    let rows =
        ScoredRows::new("y", &truth).score("m", (0..400).map(|row| -f64::from(row)).collect::<Vec<f64>>());
    let evaluation = judged(&rows, |request| request.decision.capacity = "100".parse().ok());
    let evaluation = evaluation.expect("figures");
    let decision = evaluation.decision.as_ref().expect("a decision");
    let lead = policy(decision, BaselinePolicy::AtRandom).beaten_by.expect("a test");
    near(lead.difference, 22.0 - 24.25);
    let sentence = &evaluation.verdict.sentence;
    let told = sentence.split("that m brings in more is not shown (").nth(1).expect("a sentence");
    assert!(told.starts_with("-2.2, -") || told.starts_with("-2.3, -"), "{sentence}");
}

/// The same decision in two wordings: what acting brings in, or what not acting costs. Both are tested against acting on nobody.
#[test]
fn acting_on_nobody_is_tested_however_costs_are_worded() {
    let rows = claims(800);
    let of = |cells: [&str; 4]| {
        let [hit, fp, miss, tn] = cells;
        judged(&rows, |request| request.decision.outcomes = Some(outcomes(hit, fp, miss, tn)))
            .expect("figures")
    };
    let (brings, costs) = (of(["10", "-1", "0", "0"]), of(["0", "-1", "-10", "0"]));
    let lead = |evaluation: &Evaluation| {
        let decision = evaluation.decision.as_ref().expect("a decision");
        policy(decision, BaselinePolicy::Nobody).beaten_by.expect("a test")
    };
    near(lead(&brings).difference, lead(&costs).difference);
    near(lead(&brings).p_adjusted, lead(&costs).p_adjusted);
    let poor = of(["4", "-1", "0", "0"]).verdict.sentence;
    let is_told = poor.contains("p = ") || poor.contains("p < ");
    assert!(is_told && (poor.contains("Acting on nobody") || poor.contains("Acting on everybody")), "{poor}");
}

/// The amount of a fraud is known, so its rule goes by it, whatever somebody predicts.
#[test]
fn frauds_go_by_the_amount_itself() {
    let n = 400;
    let truth: Vec<bool> = (0..n).map(|row| row % 5 == 0).collect();
    let amount = (0..n).map(|row| ((row * 37) % 401) as f64).collect::<Vec<f64>>();
    let score = (0..n).map(|row| if row % 5 == 0 { 0.4 } else { 0.15 }).collect::<Vec<f64>>();
    let rows = || ScoredRows::new("y", &truth).score("m", score.clone()).amount("paid", amount.clone());
    let ask = |rows: &ScoredRows, rule: CaseRule| decided(rows, |request| request.decision.rule = Some(rule));
    let with = rows().predicted_amount("guess", vec![1e4; n]);
    let rule = CaseRule::Fraud { cost: 30.0 };
    assert_eq!(ask(&rows(), rule).models[0].acted, ask(&with, rule).models[0].acted);
    assert_eq!(ask(&with, CaseRule::Donation { cost: 30.0 }).models[0].acted, n as f64);
}

/// Amounts that only positives have are no knowledge of whoever decides.
#[test]
fn amounts_that_only_positives_have_are_suspicious() {
    let n = 200;
    let truth: Vec<bool> = (0..n).map(|row| row % 5 == 0).collect();
    let score = (0..n).map(|row| (row % 10) as f64 / 10.0).collect::<Vec<f64>>();
    let of = |of_negatives: f64, rule: CaseRule| {
        let amount = |row: usize| if row.is_multiple_of(5) { 100.0 + row as f64 } else { of_negatives };
        let rows = ScoredRows::new("y", &truth)
            .score("m", score.clone())
            .amount("paid", (0..n).map(amount).collect::<Vec<f64>>())
            .predicted_amount("guess", vec![80.0; n]);
        let evaluation = judged(&rows, |request| request.decision.rule = Some(rule)).expect("figures");
        let notes: Vec<String> =
            evaluation.warnings.iter().map(|warning| warning.message().to_string()).collect();
        notes.iter().any(|note| note.starts_with("suspicious: \"paid\" is other than 0 in 40 rows"))
    };
    assert!(of(0.0, CaseRule::Fraud { cost: 30.0 }));
    assert!(!of(50.0, CaseRule::Fraud { cost: 30.0 }));
    assert!(!of(0.0, CaseRule::Donation { cost: 30.0 }), "amounts are predicted there");
}

#[test]
fn rules_are_named_in_words() {
    let rows = claims(800);
    let evaluation = judged(&rows, |request| {
        request.decision.outcomes = Some(outcomes("30", "-10", "0", "0"));
        request.decision.rule = Some(CaseRule::Expected);
    });
    let evaluation = evaluation.expect("figures");
    let sentence = &evaluation.verdict.sentence;
    assert!(!sentence.contains("expected chooses"), "{sentence}");
    let evaluation = judged(&rows, |request| {
        request.decision.outcomes = Some(outcomes("0", "-1", "-20", "0"));
    });
    let evaluation = evaluation.expect("figures");
    let notes: Vec<String> =
        evaluation.warnings.iter().map(|warning| warning.message().to_string()).collect();
    assert!(notes.iter().any(|note| note.contains("brings in most by the stated costs")), "{notes:?}");
    assert!(!notes.iter().any(|note| note.contains("max-benefit")), "{notes:?}");
    let sentence = &evaluation.verdict.sentence;
    assert!(
        !sentence.contains(" on new cases") || sentence.contains("and, on the cases at hand, finds"),
        "{sentence}"
    );
}

/// Who loses more than without a model costs more, not less.
#[test]
fn what_costs_more_is_not_called_less() {
    let evaluation = judged(&claims(400), |request| {
        request.decision.outcomes = Some(outcomes("0", "-1", "-1000", "0"));
    });
    let sentence = evaluation.expect("figures").verdict.sentence;
    assert!(sentence.starts_with("Act on everybody: that costs "), "{sentence}");
    assert!(sentence.contains(" more (") && !sentence.contains(" less ("), "{sentence}");
}

/// At a base rate of 20 % instead of 10 % positives count twice and negatives 8/9, so that 180 cases are the 50 positives and 90
/// negatives of the top. Hits of 30 among 60 and of 20 among 80 rows differ as they do in the table: chi-square 28/3.
#[test]
fn segments_at_another_base_rate_are_tested_on_the_rows_that_were_seen() {
    let blocks: [(&str, bool, f64, usize); 8] = [
        ("a", true, 0.9, 30),
        ("a", false, 0.9, 30),
        ("b", true, 0.9, 20),
        ("b", false, 0.9, 60),
        ("a", true, 0.1, 20),
        ("a", false, 0.1, 400),
        ("b", true, 0.1, 30),
        ("b", false, 0.1, 410),
    ];
    let each = || blocks.iter().flat_map(|block| std::iter::repeat_n(block, block.3));
    let truth: Vec<bool> = each().map(|block| block.1).collect();
    let rows = ScoredRows::new("y", &truth)
        .score("model", each().map(|block| block.2).collect::<Vec<f64>>())
        .column("segment", each().map(|block| f64::from(u8::from(block.0 == "b"))).collect::<Vec<f64>>());
    let found = judged(&rows, |request| {
        request.columns.by = vec!["segment".into()];
        request.charts.base_rate = Some(0.2);
        request.decision.capacity = "180".parse().ok();
    });
    let decisions = found.expect("figures").segments.expect("segments").decisions.expect("decisions");
    let test = decisions.tests.iter().find(|test| test.metric == "hits").expect("a test of hits");
    near(test.test.expect("two segments").f, 28.0 / 3.0);
    // What is told of them is read at the base rate.
    near(decisions.against_rest[0].estimate, 40.0 / (40.0 + 60.0 * 8.0 / 9.0));
}

/// A model that acts on the cases of another brings in the same, without a test and without an interval.
#[test]
fn models_that_act_on_the_same_cases_are_not_compared() {
    let truth: Vec<bool> = (0..200).map(|row| row % 5 == 0 || row < 20).collect();
    let score =
        |factor: f64| (0..200).map(|row| factor * (1.0 - f64::from(row) / 200.0)).collect::<Vec<f64>>();
    let rows = ScoredRows::new("y", &truth).score("one", score(1.0)).score("other", score(0.5));
    let found = judged(&rows, |request| request.decision.capacity = "30".parse().ok()).expect("figures");
    let decision = found.decision.expect("a decision");
    let [same] = &decision.comparisons[..] else { panic!("one pair") };
    assert_eq!((same.difference, same.lower, same.p), (0.0, None, None));
    assert!(
        found.verdict.sentence.contains("other acts on the same cases as one."),
        "{}",
        found.verdict.sentence
    );
}
