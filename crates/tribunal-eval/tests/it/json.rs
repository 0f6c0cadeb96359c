//! Results are plain data: written as JSON and read back, they are the same.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;
use tribunal_eval::curves::{
    AveragedRoc, Benefit, Campaign, Curve, CurveKind, Hull, LiftScenario, Payoff, RiskChart, best_profit,
    gains_table, sample_roc,
};
use tribunal_eval::intervals::{
    IntervalMethod, Level, NoInterval, Sampled, ScoredModels, delong_of_ranking, delong_pair, risk_bands,
};
use tribunal_eval::significance::*;
use tribunal_eval::{
    Condition, Cutoff, CutoffRule, Ranking, ReliabilityTable, ScoredSet, Undefined, metrics,
};

fn check<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T) {
    let text = serde_json::to_string(&value).expect("a result serialises");
    let read: T = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(read, value, "{text}");
}

fn ranking() -> Ranking {
    let (truth, scores) = ([true, true, false, true, false, false], [0.9, 0.8, 0.7, 0.4, 0.4, 0.1]);
    let set = ScoredSet::new(&truth, &scores).expect("valid").with_amount(&[3.0; 6]).expect("valid");
    Ranking::of(&set).expect("few rows")
}

fn table(rows: [[f64; 3]; 3]) -> FoldTable {
    let cell = |a: usize, f: usize| (["a", "b", "c"][a], ["1", "2", "3"][f], rows[a][f]);
    FoldTable::from_cells((0..9).map(|i| cell(i / 3, i % 3))).expect("complete")
}

#[test]
fn rankings_results_come_back() {
    let ranking = ranking();
    check(ranking.totals());
    check(ranking.positives());
    check(ranking.blocks().next().expect("a block"));
    for rule in ["0.5", "10%", "top:3", "max-f@2", "precision>=0.5", "cost:1:5"] {
        let cutoff: Cutoff = rule.parse::<CutoffRule>().expect("a rule").find(&ranking).expect("found");
        check(cutoff);
    }
    for kind in CurveKind::OF_RANKINGS {
        check(Curve::with_thresholds(kind, &ranking).expect("both classes"));
    }
    let hull = Hull::of_ranking(&ranking).expect("both classes");
    check(hull.ranges());
    check(hull.at_fpr(0.2));
    check(hull);
    check(gains_table(&ranking, 3).expect("rows"));
    check(ReliabilityTable::of(&ranking).expect("probabilities"));
    check(AveragedRoc::of(&[sample_roc(&ranking).expect("both classes")], Level::P95).expect("a curve"));
    let payoff = Payoff { benefit: Benefit::Amount, cost: 1.0 };
    check(best_profit(&ranking, &payoff).expect("rows"));
    check(payoff);
    let campaign = Campaign { cost_per_contact: 1.0, value_per_response: 5.0, model_cost: 0.5 };
    check(campaign.plan(&ranking).expect("rows"));
    check(campaign);
    check(LiftScenario::in_share(&ranking, 0.5).expect("a share"));
    let chart = RiskChart::of(&ranking).expect("both classes");
    check(chart.capture(0.5).expect("a share"));
    check(chart.slices(3).expect("three"));
    check(chart);
    check(risk_bands(&Sampled::new(&ranking), &[0.5, 1.0]));
    check(Condition { base_rate: 0.1, false_positive: 1.0, false_negative: 2.0 });
    let estimate = delong_of_ranking(&ranking).expect("both classes");
    check(estimate.interval(Level::P95));
    check(estimate);
    check((metrics::Kind::Cutoff, metrics::Better::Near(1.0), IntervalMethod::BonettPrice));
}

#[test]
fn undefined_figures_keep_their_reason() {
    check(Undefined::NoPositives);
    check(Undefined::Zero { quantity: "spread".into() });
    check(Undefined::TooFewRows { asked: 5.0, available: 2.0 });
    check(Undefined::OutOfReach { requirement: "recall>=0.9".into() });
    check(NoInterval::Undefined(Undefined::TooFewRows { asked: 5.0, available: 2.0 }));
    check(NoInterval::ShortList);
    let text = serde_json::to_string(&Undefined::NotProbabilities { score: 1.5 }).expect("serialises");
    assert_eq!(text, r#"{"reason":"not_probabilities","score":1.5}"#);
}

#[test]
fn tests_come_back_infinite_statistics_included() {
    for rows in [
        [[0.8, 0.7, 0.9], [0.75, 0.72, 0.8], [0.6, 0.5, 0.55]],
        [[0.1, 0.1, 0.1], [0.2, 0.2, 0.2], [0.3, 0.3, 0.3]],
    ] {
        let table = table(rows);
        check(anova(&table));
        check(duncan(&table, Level::P95, Gate::Algorithm).expect("a table"));
        check(duncan_pairwise_p(&table).expect("a table"));
        check(tukey(&table, Level::P95).expect("a table"));
        let ranks = friedman(&table);
        check(nemenyi(&ranks, Level::P95).expect("ranks"));
        check(ranks);
        for (first, second) in [(0, 1), (1, 0)] {
            check(paired_t(&Differences::between(&table, first, second).expect("two"), Level::P95));
        }
    }
    for difference in [0.1, -0.1] {
        let runs = FiveByTwo::new([[difference; 2]; 5]).expect("finite");
        check(five_by_two_t(&runs, Level::P95));
        check(five_by_two_f(&runs));
    }
    let positive = [true, true, false, false];
    let scores: Vec<&[f64]> = vec![&[0.1, 0.2, 0.8, 0.9], &[0.9, 0.8, 0.2, 0.1]];
    let both = delong_pair(&ScoredModels { positive: &positive, scores }).expect("two classes");
    check(delong_test(&both, 0, 1, Level::P95).expect("two models"));
    check(both);
    check(mcnemar(Disagreement::new(30, 5, 100).expect("rows"), Level::P95));
}

#[test]
fn what_cannot_be_a_result_is_refused() {
    assert!(serde_json::from_str::<Level>("95").is_err());
    assert!(serde_json::from_str::<CutoffRule>(r#""sometimes""#).is_err());
    assert!(serde_json::from_str::<Hull>(r#"{"vertices":[]}"#).is_err());
    let beyond = r#"{"order":[0,1],"spans":[{"first":0,"last":2}]}"#;
    assert!(serde_json::from_str::<Subsets>(beyond).is_err());
    assert!(serde_json::from_str::<Subsets>(r#"{"order":[0,7],"spans":[]}"#).is_err());
}

#[cfg(feature = "schema")]
#[test]
fn schemas_are_those_of_the_json() {
    let schema = |schema: schemars::Schema| serde_json::to_string(&schema).expect("a schema");
    let cutoff = schema(schemars::schema_for!(Cutoff));
    assert!(cutoff.contains(r#""fn":"#) && cutoff.contains(r##""rule":{"##), "{cutoff}");
    assert!(schema(schemars::schema_for!(Level)).contains(r#""number""#));
    assert!(schema(schemars::schema_for!(Undefined)).contains("not_probabilities"));
    assert!(schema(schemars::schema_for!(Hull)).contains("vertices"));
    assert!(schema(schemars::schema_for!(Tukey)).contains("honest_difference"));
}
