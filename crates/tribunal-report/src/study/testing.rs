//! A small study with something of everything: two scenarios, two families beside the majority class, a gap, an undefined
//! figure, two designs. Its numbers are made up.

use serde_json::json;
use tribunal::{
    Addition, BaselineKind, BaselineStanding, BaselineTest, CapacityShare, DesignFigure, FailedSplits,
    FamilyGain, FamilyRatio, FoldTests, FoldedRoc, Form, Gap, Groups, Leak, LeakEvidence, LearnerGain,
    LearnerRatio, LearnerTimes, MetricSummary, ModelNote, Protocol, ScenarioCurves, ScenarioRatios,
    ScenarioTests, ScenarioVerdict, Scope, Standing, Stretch, Study, StudyData, StudyFigure, StudyLearner,
    StudyScenario, StudyTimes, StudyVerdict, ValuePart, VerdictOutcome,
};
use tribunal_eval::significance::{Anova, CriticalRange, Friedman, Ratio, Source};

use crate::made_up::made;

pub(super) const FLAGS: &str = "fraud, flags";
pub(super) const ALL: &str = "fraud, all";

/// Learners, family by family: `c45` fails with all predictors.
pub(super) fn study() -> Study {
    made::<Study>(json!({
        "schema": Study::SCHEMA,
        "provenance": tribunal::Provenance::default(),
        "group": null,
        "measures": [],
        "title": "Claims",
        "data": made::<StudyData>(json!({ "files": ["claims.csv"], "sha256": "00", "rows": 1399 })),
        "protocol": Protocol::Paper,
        "design": "cv:10",
        "seed": 7,
        "level": 0.95,
        "metrics": ["pcc", "brier"],
        "learners": learners(),
        "scenarios": [scenario(FLAGS, "flags", 25), scenario(ALL, "all", 46)],
        "verdict": verdict(),
        "warnings": [{ "scenario": null, "code": "few_positives", "positives": 9 }],
        "gaps": [gap(ALL, "cv:10"), gap(ALL, "boot:50")],
        "figures": figures(),
        "summaries": [summary()],
        "tests": [tests(FLAGS)],
        "curves": [curves(FLAGS), curves(ALL)],
        "held_out": [],
        "additions": [addition()],
        "models": [note(FLAGS, "nb"), note(ALL, "nb"), tuned_note(ALL, "nb:{5,25}")],
        "designs": designs(),
        "baselines": baselines(),
        "capacities": [made::<CapacityShare>(json!({
            "asked": "precision_top@200",
            "cases": 200.0,
            "share": 200.0 / 1399.0,
        }))],
        "leaks": [leak()],
        "notices": ["column id was left out"],
    }))
}

pub(super) fn times() -> StudyTimes {
    let one = |learner: &str, tuning: Option<f64>| {
        made::<LearnerTimes>(json!({
            "scenario": ALL,
            "learner": learner,
            "tuning": tuning,
            "training": 0.25,
            "scoring": 0.002,
            "rows": 2000,
        }))
    };
    let learners = vec![one("nb", None), one("nb:{5,25}", Some(90.0))];
    made::<StudyTimes>(json!({ "schema": StudyTimes::SCHEMA, "threads": 2, "learners": learners }))
}

fn learners() -> Vec<StudyLearner> {
    let one = |learner: &str, family: &str, trivial: bool| {
        made::<StudyLearner>(json!({
            "learner": learner,
            "run_as": learner,
            "family": family,
            "trivial": trivial,
        }))
    };
    vec![
        one("majority", "majority", true),
        one("nb", "naive Bayes", false),
        one("c45", "C4.5", false),
        one("nb:{5,25}", "naive Bayes", false),
    ]
}

pub(super) fn scenario(name: &str, predictors: &str, columns: u64) -> StudyScenario {
    made::<StudyScenario>(json!({
        "name": name,
        "target": "fraud",
        "positive": ">= 4",
        "predictors": predictors,
        "columns": columns,
        "rows": 1399,
        "positives": 396,
        "majority": 0.717,
        "splits": 10,
        "plan": "abc",
    }))
}

fn verdict() -> StudyVerdict {
    let one = |scenario: &str, group: &[&str], estimate: f64| {
        made::<ScenarioVerdict>(json!({
            "scenario": scenario,
            "sentence": format!("Deploy nb for {scenario}."),
            "outcome": VerdictOutcome::Recommended,
            "baseline": 0.717,
            "best": group[0],
            "group": group,
            "recommended": "nb",
            "why": "it is the simplest",
            "estimate": estimate,
            "lower": estimate - 0.02,
            "upper": estimate + 0.02,
            "method": "corrected_t",
        }))
    };
    made::<StudyVerdict>(json!({
        "sentence": "Deploy nb: nobody is better by more than chance.",
        "metric": "pcc",
        "prefer": ["simple"],
        "deploy": [],
        "scenarios": [one(FLAGS, &["c45", "nb"], 0.83), one(ALL, &["nb"], 0.85)],
    }))
}

fn baselines() -> Vec<BaselineTest> {
    let one = |learner: &str, estimate: f64, p: f64, standing: BaselineStanding| {
        made::<BaselineTest>(json!({
            "scenario": FLAGS,
            "learner": learner,
            "metric": "pcc",
            "estimate": estimate,
            "kind": BaselineKind::OnePrediction,
            "baseline": 0.717,
            "gain": estimate - 0.717,
            "p": p,
            "p_adjusted": (2.0 * p).min(1.0),
            "standing": standing,
        }))
    };
    vec![one("nb", 0.83, 0.00001, BaselineStanding::Better), one("c45", 0.72, 0.31, BaselineStanding::Level)]
}

fn leak() -> Leak {
    let part = ValuePart::AnyBut("0".into());
    let evidence = LeakEvidence::OneSided { part, rows: 350, class: ">= 4".into(), covered: 0.884 };
    made::<Leak>(json!({ "column": "PAID_AFTER", "target": "fraud", "evidence": evidence }))
}

fn gap(scenario: &str, design: &str) -> Gap {
    let failed = made::<FailedSplits>(json!({ "folds": ["3"], "reason": "no row is left" }));
    made::<Gap>(json!({
        "scenario": scenario,
        "design": design,
        "learner": "c45",
        "failed": [failed],
    }))
}

fn figure(scenario: &str, model: &str, metric: &str, estimate: Option<f64>) -> StudyFigure {
    made(json!({
        "scenario": scenario,
        "model": model,
        "metric": metric,
        "scope": "all",
        "cutoff": null,
        "estimate": estimate,
        "lower": estimate.map(|value| value - 0.02),
        "upper": estimate.map(|value| value + 0.02),
        "level": 0.95,
        "method": "corrected_t",
        "n": 10,
        "sd": estimate.map(|_| 0.01),
    }))
}

fn standing(mut figure: StudyFigure, standing: Standing) -> StudyFigure {
    figure.row.standing = Some(standing);
    figure
}

fn undefined(mut figure: StudyFigure, reason: &str) -> StudyFigure {
    figure.row.undefined = Some(reason.into());
    figure
}

fn figures() -> Vec<StudyFigure> {
    let mut fold = figure(FLAGS, "nb", "pcc", Some(0.5));
    fold.row.scope = Scope::Fold { fold: "1".into() };
    vec![
        figure(FLAGS, "majority", "pcc", Some(0.717)),
        standing(figure(FLAGS, "nb", "pcc", Some(0.83)), Standing::Level),
        standing(figure(FLAGS, "c45", "pcc", Some(0.84)), Standing::Best),
        figure(FLAGS, "nb:{5,25}", "pcc", Some(0.81)),
        figure(ALL, "majority", "pcc", Some(0.717)),
        standing(figure(ALL, "nb", "pcc", Some(0.85)), Standing::Best),
        undefined(figure(ALL, "c45", "pcc", None), "it failed"),
        figure(ALL, "nb:{5,25}", "pcc", Some(0.82)),
        fold,
        figure(FLAGS, "nb", "brier", Some(0.125)),
        undefined(figure(FLAGS, "c45", "brier", None), "scores are no probabilities, \"margins\""),
    ]
}

fn ratio(numerator: usize, denominator: usize) -> Ratio {
    Ratio { numerator, denominator }
}

fn summary() -> MetricSummary {
    let r = |learner: &str, n: usize| {
        made::<LearnerRatio>(json!({
            "learner": learner,
            "ratio": ratio(n, 2),
        }))
    };
    let family = |family: &str, n: usize| {
        made::<FamilyRatio>(json!({
            "family": family,
            "ratio": ratio(n, 2),
        }))
    };
    let c = |scenario: &str, n: usize| {
        made::<ScenarioRatios>(json!({
            "scenario": scenario,
            "learners": ratio(n, 3),
            "families": ratio(n, 2),
        }))
    };
    made::<MetricSummary>(json!({
        "metric": "pcc",
        "r": [r("nb", 2), r("c45", 1), r("nb:{5,25}", 0)],
        "r_family": [family("naive Bayes", 2), family("C4.5", 1)],
        "c": [c(FLAGS, 2), c(ALL, 1)],
    }))
}

fn names<const N: usize>(names: [&str; N]) -> Vec<String> {
    names.map(str::to_owned).to_vec()
}

/// Duncan tells the last from the first two, Tukey nobody from anybody; the corrected t test sees one at the top.
fn tests(scenario: &str) -> ScenarioTests {
    let top = |test: &str, learners: Vec<String>| json!({ "test": test, "learners": learners });
    let mut tests = json!(fold_tests());
    tests["scenario"] = json!(scenario);
    tests["top"] = json!([
        top("duncan", names(["c45", "nb"])),
        top("tukey", names(["c45", "nb", "nb:{5,25}"])),
        top("corrected_t", names(["c45"])),
        top("nemenyi", names(["c45", "nb"])),
    ]);
    tests["left_out"] = json!([{ "learner": "majority", "reason": "for comparison only" }]);
    tests["disagreement"] = json!("Tukey also keeps nb:{5,25}.");
    made(tests)
}

fn fold_tests() -> FoldTests {
    let groups = |letters: Vec<String>, subsets: Vec<Vec<String>>| {
        made::<Groups>(json!({ "letters": letters, "subsets": subsets }))
    };
    let everybody = names(["c45", "nb", "nb:{5,25}"]);
    let top = vec![names(["c45", "nb"]), names(["nb:{5,25}"])];
    made::<FoldTests>(json!({
        "metric": "pcc",
        "cutoff": null,
        "models": names(["nb", "c45", "nb:{5,25}"]),
        "means": [0.83, 0.84, 0.81],
        "level": 0.95,
        "anova": anova(),
        "critical_ranges": [
            CriticalRange { n_means: 2, q: 2.971, range: 0.0112 },
            CriticalRange { n_means: 3, q: 3.118, range: 0.0121 },
        ],
        "duncan": groups(names(["a", "a", "b"]), top.clone()),
        "tukey": groups(names(["a", "a", "a"]), vec![everybody]),
        "honest_difference": 0.035,
        "friedman": Friedman {
            mean_ranks: vec![1.9, 1.2, 2.9],
            n_blocks: 10,
            chi_square: 14.6,
            df: 2,
            p: 0.0007,
            f: f64::INFINITY,
            df_f: (2, 18),
            p_f: 0.0,
        },
        "nemenyi": groups(names(["a", "a", "b"]), top),
        "critical_difference": 1.0481,
    }))
}

fn anova() -> Anova {
    let source = |sum_of_squares, df, f, p| Source { sum_of_squares, df, f, p };
    Anova {
        grand_mean: 0.826_667,
        means: vec![0.83, 0.84, 0.81],
        total: 0.012_345,
        algorithm: source(0.004_667, 2, 8.12, 0.003),
        fold: source(0.002_5, 9, 0.97, 0.4951),
        model: source(0.007_167, 11, 2.27, 0.0604),
        error: 0.005_178,
        df_error: 18,
        mse: 0.000_287_67,
        n_folds: 10,
    }
}

fn curves(scenario: &str) -> ScenarioCurves {
    let curve = |model: &str, area: f64| {
        made::<FoldedRoc>(json!({
            "model": model,
            "area": area,
            "n_curves": 10,
            "fpr": [],
            "tpr": [],
            "sd": [],
            "lower": [],
            "upper": [],
        }))
    };
    let hull = |area: f64| json!({ "area": area, "vertices": [] });
    let family = |family: &str, area: f64| json!({ "family": family, "area": area, "vertices": [] });
    type Owner<'a> = Option<&'a str>;
    let stretch = |learner: Owner, family: Owner, fpr: [f64; 2], low: f64, high: Option<f64>| {
        made::<Stretch>(json!({
            "learner": learner,
            "family": family,
            "fpr_from": fpr[0],
            "fpr_to": fpr[1],
            "slope_low": low,
            "slope_high": high,
        }))
    };
    made::<ScenarioCurves>(json!({
        "scenario": scenario,
        "averaged": [curve("nb", 0.871), curve("c45", 0.86), curve("nb:{5,25}", 0.88)],
        "families": [
            family("naive Bayes", 0.885),
            family("C4.5", 0.862),
        ],
        "joint": hull(0.8901),
        "stretches": vec![
            stretch(None, None, [0.0, 0.0], 4.0, None),
            stretch(Some("c45"), Some("C4.5"), [0.05, 0.2], 1.5, Some(4.0)),
            stretch(Some("nb:{5,25}"), Some("naive Bayes"), [0.3, 0.9], 0.1, Some(1.5)),
            stretch(None, None, [1.0, 1.0], 0.0, Some(0.1)),
        ],
    }))
}

fn addition() -> Addition {
    let learner = |learner: &str, gain: f64| {
        made::<LearnerGain>(json!({
            "learner": learner,
            "gain": gain,
            "lower": gain - 0.01,
            "upper": gain + 0.01,
            "p": 0.02,
        }))
    };
    made::<Addition>(json!({
        "target": "fraud",
        "metric": "pcc",
        "fewer": "flags",
        "more": "all",
        "gain": 0.015,
        "lower": -0.002,
        "upper": 0.032,
        "p": 0.06,
        "n": 2,
        "better": 2,
        "learners": [learner("nb", 0.02), learner("nb:{5,25}", 0.01)],
        "families": [made::<FamilyGain>(json!({ "family": "naive Bayes", "gain": 0.015 }))],
    }))
}

fn note(scenario: &str, learner: &str) -> ModelNote {
    made::<ModelNote>(json!({
        "scenario": scenario,
        "learner": learner,
        "chosen": null,
        "tuned": [],
        "at_edge": 0,
        "bytes": 12_345,
        "explains": true,
        "probabilities": true,
        "apparent": 0.86,
    }))
}

fn tuned_note(scenario: &str, learner: &str) -> ModelNote {
    let tuned = vec![("nb:25".to_owned(), 7), ("nb:5".to_owned(), 3)];
    let mut note = note(scenario, learner);
    (note.chosen, note.tuned, note.at_edge, note.bytes) = (Some("nb:25".into()), tuned, 7, None);
    note
}

fn designs() -> Vec<DesignFigure> {
    let one = |learner: &str, design: &str, estimate: Option<f64>| {
        made::<DesignFigure>(json!({
            "scenario": ALL,
            "learner": learner,
            "metric": "pcc",
            "design": design,
            "estimate": estimate,
            "lower": null,
            "upper": null,
            "sd": estimate.map(|_| 0.021),
            "n": 10,
            "undefined": estimate.is_none().then_some("it failed"),
        }))
    };
    let mut weighed = one("nb", ".632+", Some(0.845));
    weighed.sd = None;
    vec![
        one("nb", "cv:10", Some(0.85)),
        one("c45", "cv:10", None),
        one("nb", "boot:50", Some(0.84)),
        one("c45", "boot:50", None),
        weighed,
    ]
}
