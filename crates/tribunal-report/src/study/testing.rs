//! A small study with something of everything: two scenarios, two families beside the majority class, a gap, an undefined
//! figure, two designs. Its numbers are made up.

use tribunal::{
    Addition, BaselineKind, BaselineStanding, BaselineTest, CapacityShare, DesignFigure, FailedSplits,
    FamilyGain, FamilyHull, FamilyRatio, FoldTests, FoldedRoc, Gap, Groups, HullResult, Leak, LeakEvidence,
    LearnerGain, LearnerRatio, LearnerTimes, LeftOut, MetricRow, MetricSummary, ModelNote, Protocol,
    STUDY_SCHEMA, STUDY_TIMES_SCHEMA, ScenarioCurves, ScenarioRatios, ScenarioTests, ScenarioVerdict,
    Standing, Stretch, Study, StudyData, StudyFigure, StudyLearner, StudyScenario, StudyTimes, StudyVerdict,
    StudyWarning, TopGroup, ValuePart, VerdictOutcome, Warning,
};
use tribunal_eval::curves::AveragedRoc;
use tribunal_eval::significance::{Anova, CriticalRange, Friedman, Ratio, Source};

pub(super) const FLAGS: &str = "fraud, flags";
pub(super) const ALL: &str = "fraud, all";

/// Learners, family by family: `c45` fails with all predictors.
pub(super) fn study() -> Study {
    Study {
        schema: STUDY_SCHEMA,
        title: "Claims".into(),
        data: StudyData { files: vec!["claims.csv".into()], sha256: "00".into(), rows: 1399 },
        protocol: Protocol::Paper,
        design: "cv:10".into(),
        seed: 7,
        level: 0.95,
        metrics: vec!["pcc".into(), "brier".into()],
        learners: learners(),
        scenarios: vec![scenario(FLAGS, "flags", 25), scenario(ALL, "all", 46)],
        verdict: verdict(),
        warnings: vec![StudyWarning { scenario: None, warning: Warning::FewPositives { positives: 9 } }],
        gaps: vec![gap(ALL, "cv:10"), gap(ALL, "boot:50")],
        figures: figures(),
        summaries: vec![summary()],
        tests: vec![tests(FLAGS)],
        curves: vec![curves(FLAGS), curves(ALL)],
        additions: vec![addition()],
        models: vec![note(FLAGS, "nb"), note(ALL, "nb"), tuned_note(ALL, "nb:{5,25}")],
        designs: designs(),
        baselines: baselines(),
        capacities: vec![CapacityShare {
            asked: "precision_top@200".into(),
            cases: 200.0,
            share: 200.0 / 1399.0,
        }],
        leaks: vec![leak()],
        notices: vec!["column id was left out".into()],
    }
}

pub(super) fn times() -> StudyTimes {
    let one = |learner: &str, tuning| LearnerTimes {
        scenario: ALL.into(),
        learner: learner.into(),
        tuning,
        training: 0.25,
        scoring: 0.002,
        rows: 2000,
    };
    let learners = vec![one("nb", None), one("nb:{5,25}", Some(90.0))];
    StudyTimes { schema: STUDY_TIMES_SCHEMA, threads: 2, learners }
}

fn learners() -> Vec<StudyLearner> {
    let one = |learner: &str, family: &str, trivial| StudyLearner {
        learner: learner.into(),
        run_as: learner.into(),
        family: family.into(),
        trivial,
    };
    vec![
        one("majority", "majority", true),
        one("nb", "naive Bayes", false),
        one("c45", "C4.5", false),
        one("nb:{5,25}", "naive Bayes", false),
    ]
}

pub(super) fn scenario(name: &str, predictors: &str, columns: u64) -> StudyScenario {
    StudyScenario {
        name: name.into(),
        target: "fraud".into(),
        positive: ">= 4".into(),
        predictors: predictors.into(),
        columns,
        rows: 1399,
        positives: 396,
        majority: 0.717,
        splits: 10,
        plan: "abc".into(),
    }
}

fn verdict() -> StudyVerdict {
    let one = |scenario: &str, group: &[&str], estimate: f64| ScenarioVerdict {
        scenario: scenario.into(),
        sentence: format!("Deploy nb for {scenario}."),
        outcome: VerdictOutcome::Recommended,
        baseline: Some(0.717),
        best: Some(group[0].into()),
        group: group.iter().map(|&learner| learner.into()).collect(),
        recommended: Some("nb".into()),
        why: "it is the simplest".into(),
        estimate: Some(estimate),
        lower: Some(estimate - 0.02),
        upper: Some(estimate + 0.02),
        method: Some("corrected_t".into()),
    };
    StudyVerdict {
        sentence: "Deploy nb: nobody is better by more than chance.".into(),
        metric: "pcc".into(),
        prefer: vec!["simple".into()],
        deploy: Vec::new(),
        scenarios: vec![one(FLAGS, &["c45", "nb"], 0.83), one(ALL, &["nb"], 0.85)],
    }
}

fn baselines() -> Vec<BaselineTest> {
    let one = |learner: &str, estimate: f64, p: f64, standing| BaselineTest {
        scenario: FLAGS.into(),
        learner: learner.into(),
        metric: "pcc".into(),
        estimate,
        kind: BaselineKind::OnePrediction,
        baseline: 0.717,
        gain: estimate - 0.717,
        p,
        p_adjusted: (2.0 * p).min(1.0),
        standing,
    };
    vec![one("nb", 0.83, 0.00001, BaselineStanding::Better), one("c45", 0.72, 0.31, BaselineStanding::Level)]
}

fn leak() -> Leak {
    let part = ValuePart::AnyBut("0".into());
    let evidence = LeakEvidence::OneSided { part, rows: 350, class: ">= 4".into(), covered: 0.884 };
    Leak { column: "PAID_AFTER".into(), target: "fraud".into(), evidence }
}

fn gap(scenario: &str, design: &str) -> Gap {
    let failed = FailedSplits { folds: vec!["3".into()], reason: "no row is left".into() };
    Gap { scenario: scenario.into(), design: design.into(), learner: "c45".into(), failed: vec![failed] }
}

fn figure(scenario: &str, model: &str, metric: &str, estimate: Option<f64>) -> StudyFigure {
    let row = MetricRow {
        model: model.into(),
        metric: metric.into(),
        fold: None,
        cutoff: None,
        estimate,
        lower: estimate.map(|value| value - 0.02),
        upper: estimate.map(|value| value + 0.02),
        level: Some(0.95),
        method: Some("corrected_t".into()),
        n: 10,
        standing: None,
        undefined: None,
    };
    StudyFigure { scenario: scenario.into(), row, sd: estimate.map(|_| 0.01) }
}

fn standing(figure: StudyFigure, standing: Standing) -> StudyFigure {
    StudyFigure { row: MetricRow { standing: Some(standing), ..figure.row }, ..figure }
}

fn undefined(figure: StudyFigure, reason: &str) -> StudyFigure {
    StudyFigure { row: MetricRow { undefined: Some(reason.into()), ..figure.row }, ..figure }
}

fn figures() -> Vec<StudyFigure> {
    let fold = figure(FLAGS, "nb", "pcc", Some(0.5));
    vec![
        figure(FLAGS, "majority", "pcc", Some(0.717)),
        standing(figure(FLAGS, "nb", "pcc", Some(0.83)), Standing::Level),
        standing(figure(FLAGS, "c45", "pcc", Some(0.84)), Standing::Best),
        figure(FLAGS, "nb:{5,25}", "pcc", Some(0.81)),
        figure(ALL, "majority", "pcc", Some(0.717)),
        standing(figure(ALL, "nb", "pcc", Some(0.85)), Standing::Best),
        undefined(figure(ALL, "c45", "pcc", None), "it failed"),
        figure(ALL, "nb:{5,25}", "pcc", Some(0.82)),
        StudyFigure { row: MetricRow { fold: Some("1".into()), ..fold.row }, ..fold },
        figure(FLAGS, "nb", "brier", Some(0.125)),
        undefined(figure(FLAGS, "c45", "brier", None), "scores are no probabilities, \"margins\""),
    ]
}

fn ratio(numerator: usize, denominator: usize) -> Ratio {
    Ratio { numerator, denominator }
}

fn summary() -> MetricSummary {
    let r = |learner: &str, n| LearnerRatio { learner: learner.into(), ratio: ratio(n, 2) };
    let family = |family: &str, n| FamilyRatio { family: family.into(), ratio: ratio(n, 2) };
    let c = |scenario: &str, n| ScenarioRatios {
        scenario: scenario.into(),
        learners: ratio(n, 3),
        families: ratio(n, 2),
    };
    MetricSummary {
        metric: "pcc".into(),
        r: vec![r("nb", 2), r("c45", 1), r("nb:{5,25}", 0)],
        r_family: vec![family("naive Bayes", 2), family("C4.5", 1)],
        c: vec![c(FLAGS, 2), c(ALL, 1)],
    }
}

fn names<const N: usize>(names: [&str; N]) -> Vec<String> {
    names.map(str::to_owned).to_vec()
}

/// Duncan tells the last from the first two, Tukey nobody from anybody; the corrected t test sees one at the top.
fn tests(scenario: &str) -> ScenarioTests {
    let top = |test, learners| TopGroup { test, learners };
    ScenarioTests {
        scenario: scenario.into(),
        tests: fold_tests(),
        top: vec![
            top("duncan", names(["c45", "nb"])),
            top("tukey", names(["c45", "nb", "nb:{5,25}"])),
            top("corrected_t", names(["c45"])),
            top("nemenyi", names(["c45", "nb"])),
        ],
        left_out: vec![LeftOut { learner: "majority".into(), reason: "for comparison only".into() }],
        disagreement: Some("Tukey also keeps nb:{5,25}.".into()),
    }
}

fn fold_tests() -> FoldTests {
    let groups = |letters, subsets| Groups { letters, subsets };
    let everybody = names(["c45", "nb", "nb:{5,25}"]);
    let top = vec![names(["c45", "nb"]), names(["nb:{5,25}"])];
    FoldTests {
        metric: "pcc".into(),
        cutoff: None,
        models: names(["nb", "c45", "nb:{5,25}"]),
        means: vec![0.83, 0.84, 0.81],
        level: 0.95,
        anova: anova(),
        critical_ranges: vec![
            CriticalRange { n_means: 2, q: 2.971, range: 0.0112 },
            CriticalRange { n_means: 3, q: 3.118, range: 0.0121 },
        ],
        duncan: groups(names(["a", "a", "b"]), top.clone()),
        tukey: groups(names(["a", "a", "a"]), vec![everybody]),
        honest_difference: 0.035,
        friedman: Friedman {
            mean_ranks: vec![1.9, 1.2, 2.9],
            n_blocks: 10,
            chi_square: 14.6,
            df: 2,
            p: 0.0007,
            f: f64::INFINITY,
            df_f: (2, 18),
            p_f: 0.0,
        },
        nemenyi: groups(names(["a", "a", "b"]), top),
        critical_difference: 1.0481,
    }
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
    let curve = |model: &str, area| FoldedRoc {
        model: model.into(),
        area,
        roc: AveragedRoc { n_curves: 10, fpr: vec![], tpr: vec![], sd: vec![], lower: vec![], upper: vec![] },
    };
    let hull = |area| HullResult { area, vertices: Vec::new() };
    let stretch = |learner: Option<&str>, family: Option<&str>, fpr: [f64; 2], low, high| Stretch {
        learner: learner.map(str::to_owned),
        family: family.map(str::to_owned),
        fpr_from: fpr[0],
        fpr_to: fpr[1],
        slope_low: low,
        slope_high: high,
    };
    ScenarioCurves {
        scenario: scenario.into(),
        averaged: vec![curve("nb", 0.871), curve("c45", 0.86), curve("nb:{5,25}", 0.88)],
        families: vec![
            FamilyHull { family: "naive Bayes".into(), hull: hull(0.885) },
            FamilyHull { family: "C4.5".into(), hull: hull(0.862) },
        ],
        joint: hull(0.8901),
        stretches: vec![
            stretch(None, None, [0.0, 0.0], 4.0, None),
            stretch(Some("c45"), Some("C4.5"), [0.05, 0.2], 1.5, Some(4.0)),
            stretch(Some("nb:{5,25}"), Some("naive Bayes"), [0.3, 0.9], 0.1, Some(1.5)),
            stretch(None, None, [1.0, 1.0], 0.0, Some(0.1)),
        ],
    }
}

fn addition() -> Addition {
    let learner = |learner: &str, gain| LearnerGain {
        learner: learner.into(),
        gain,
        lower: gain - 0.01,
        upper: gain + 0.01,
        p: 0.02,
    };
    Addition {
        target: "fraud".into(),
        metric: "pcc".into(),
        fewer: "flags".into(),
        more: "all".into(),
        gain: 0.015,
        lower: -0.002,
        upper: 0.032,
        p: 0.06,
        n: 2,
        better: 2,
        learners: vec![learner("nb", 0.02), learner("nb:{5,25}", 0.01)],
        families: vec![FamilyGain { family: "naive Bayes".into(), gain: 0.015 }],
    }
}

fn note(scenario: &str, learner: &str) -> ModelNote {
    ModelNote {
        scenario: scenario.into(),
        learner: learner.into(),
        chosen: None,
        tuned: Vec::new(),
        at_edge: 0,
        bytes: Some(12_345),
        explains: true,
        probabilities: true,
        apparent: Some(0.86),
    }
}

fn tuned_note(scenario: &str, learner: &str) -> ModelNote {
    let tuned = vec![("nb:25".to_owned(), 7), ("nb:5".to_owned(), 3)];
    ModelNote { chosen: Some("nb:25".into()), tuned, at_edge: 7, bytes: None, ..note(scenario, learner) }
}

fn designs() -> Vec<DesignFigure> {
    let one = |learner: &str, design: &str, estimate: Option<f64>| DesignFigure {
        scenario: ALL.into(),
        learner: learner.into(),
        metric: "pcc".into(),
        design: design.into(),
        estimate,
        lower: None,
        upper: None,
        sd: estimate.map(|_| 0.021),
        n: 10,
        undefined: estimate.is_none().then(|| "it failed".into()),
    };
    vec![
        one("nb", "cv:10", Some(0.85)),
        one("c45", "cv:10", None),
        one("nb", "boot:50", Some(0.84)),
        one("c45", "boot:50", None),
        DesignFigure { sd: None, ..one("nb", ".632+", Some(0.845)) },
    ]
}
