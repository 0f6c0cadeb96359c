//! Studies that are asked what acting on the list brings in: the figures are those of an evaluation of the same held-out scores,
//! and the verdict goes by them.

use std::fmt::Write;

use tribunal::{
    CaseRule, ColumnSchema, CrossRequest, DecideBy, DecisionRequest, Entrant, EvaluateRequest, Keep,
    Outcomes, Policy, Role, ScoreColumns, Source, Study, StudyRequest, TargetRequest, cross_table, evaluate,
    run_study,
};
use tribunal_io::TableFormat;
use tribunal_random::Random;

/// A table in a folder of its own.
struct Claims {
    folder: tempfile::TempDir,
}

impl Claims {
    /// Every fourth case or so is a fraud; `x` and `size` tell some of them, frauds pay more where `size` is large.
    fn new(n: usize) -> Self {
        let mut random = Random::new(11);
        let mut text = "x,size,noise,paid,fee,y\n".to_owned();
        for _ in 0..n {
            let is_fraud = random.below(4) == 0;
            let x = random.uniform() + if is_fraud { 0.5 } else { 0.0 };
            let size = random.uniform() + if is_fraud { 0.2 } else { 0.0 };
            let paid = if is_fraud { 40.0 + 300.0 * size + 20.0 * random.uniform() } else { 10.0 };
            let (noise, fee) = (random.uniform(), 20 + random.below(30));
            let y = if is_fraud { "yes" } else { "no" };
            writeln!(text, "{x:.4},{size:.4},{noise:.4},{paid:.2},{fee},{y}").expect("written");
        }
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("claims.csv"), text).expect("a file");
        Self { folder }
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_string_lossy().into_owned()
    }

    fn source(&self) -> Source {
        Source::open(&[self.path("claims.csv")]).expect("a source")
    }

    fn request(&self, learners: &[&str]) -> StudyRequest {
        let entrants = learners.iter().map(|text| text.parse::<Entrant>().expect(text)).collect();
        let mut request = StudyRequest::new("claims", entrants);
        let positive = Some("yes".parse().expect("a rule"));
        request.data.targets.push(TargetRequest { name: "y".into(), positive });
        for name in ["paid", "fee"] {
            request.data.schema.columns.insert(name.into(), ColumnSchema::Role(Role::Ignore));
        }
        request.design = "cv:5".parse().expect("a design");
        request
    }

    fn study(&self, request: &StudyRequest) -> Result<Study, String> {
        let found = run_study(&self.source(), request, None, &|_| ());
        found.map(|finished| finished.study).map_err(|error| error.to_string())
    }

    /// What an evaluation says of the same held-out scores, written by a cross-validation with the folds and seed of the study.
    fn evaluated(&self, request: &StudyRequest) -> tribunal::Evaluation {
        let mut data = request.data.clone();
        data.targets.truncate(1);
        let crossed = CrossRequest {
            data,
            entrants: request.entrants.clone(),
            design: request.design.clone(),
            group: None,
            keep: Keep::All,
            seed: request.seed,
        };
        let crossed = cross_table(&self.source(), &crossed, &|_| ()).expect("scores");
        let mut bytes = Vec::new();
        crossed.write(TableFormat::Csv, &mut bytes).expect("written");
        std::fs::write(self.path("scores.csv"), bytes).expect("a file");
        let learners = request.entrants.iter().map(ToString::to_string);
        let mut columns = ScoreColumns::new("y", learners);
        columns.positive = Some("yes".into());
        columns.fold = Some("fold".into());
        columns.amount = request.amount.clone();
        let mut asked = EvaluateRequest::new(columns);
        asked.decision = request.decision.clone();
        asked.metrics = vec!["auroc".parse().expect("a metric")];
        evaluate(&[self.path("scores.csv")], &asked, &|_| ()).expect("figures")
    }
}

fn outcomes(cells: [&str; 4]) -> Option<Outcomes> {
    let [hit, false_positive, false_negative, correct_rejection] =
        cells.map(|text| text.parse().expect(text));
    Some(Outcomes { hit, false_positive, false_negative, correct_rejection })
}

#[track_caller]
fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-9 * expected.abs().max(1.0), "{found}, expected {expected}");
}

/// Every number of a decision, with the names between which it stands.
fn numbers(value: &serde_json::Value, out: &mut Vec<(String, f64)>, path: &str) {
    match value {
        serde_json::Value::Number(number) => out.push((path.to_owned(), number.as_f64().unwrap_or_default())),
        serde_json::Value::Array(items) => {
            items.iter().enumerate().for_each(|(place, item)| numbers(item, out, &format!("{path}/{place}")));
        }
        serde_json::Value::Object(fields) => {
            fields.iter().for_each(|(name, item)| numbers(item, out, &format!("{path}/{name}")));
        }
        _ => {}
    }
}

#[test]
fn a_study_finds_what_an_evaluation_of_its_held_out_scores_finds() {
    let claims = Claims::new(400);
    let capacity = "40".parse().ok();
    let earns = || outcomes(["amount - fee", "-fee", "0", "0"]);
    let asked = [
        DecisionRequest { capacity, ..DecisionRequest::default() },
        DecisionRequest { capacity, decide_by: Some(DecideBy::Amount), ..DecisionRequest::default() },
        DecisionRequest { capacity, outcomes: earns(), ..DecisionRequest::default() },
        DecisionRequest { outcomes: earns(), ..DecisionRequest::default() },
        DecisionRequest { rule: Some(CaseRule::Fraud { cost: 50.0 }), ..DecisionRequest::default() },
        DecisionRequest { rule: Some(CaseRule::Expected), outcomes: earns(), ..DecisionRequest::default() },
    ];
    for decision in asked {
        let mut request = claims.request(&["nb:5", "logit"]);
        (request.decision, request.amount) = (decision.clone(), Some("paid".into()));
        let study = claims.study(&request).expect("a study");
        let evaluation = claims.evaluated(&request);
        let as_numbers = |decision: &tribunal::Decision| {
            let mut found = Vec::new();
            numbers(&serde_json::to_value(decision).expect("JSON"), &mut found, "");
            found
        };
        let expected = as_numbers(evaluation.decision.as_ref().expect("a decision"));
        let found = as_numbers(&study.decisions[0].decision);
        assert!(found.len() > 50 && found.len() == expected.len(), "{decision:?}");
        for ((path, found), (expected_path, expected)) in found.iter().zip(&expected) {
            assert_eq!(path, expected_path);
            assert!(
                (found - expected).abs() <= 1e-9 * expected.abs().max(1.0),
                "{path}: {found}, {expected}"
            );
        }
        assert_eq!(study.verdict.metric, evaluation.verdict.metric);
        assert_eq!(study.decisions[0].ranking, evaluation.verdict.ranking);
        assert!(
            study.verdict.sentence.starts_with(&evaluation.verdict.sentence),
            "{}",
            study.verdict.sentence
        );
    }
}

#[test]
fn the_verdict_is_in_the_terms_of_the_question() {
    let claims = Claims::new(400);
    let mut request = claims.request(&["majority", "nb:5", "logit"]);
    request.amount = Some("paid".into());
    request.decision.capacity = "40".parse().ok();
    let by = |request: &StudyRequest| {
        let study = claims.study(request).expect("a study");
        let scenario = study.verdict.scenarios[0].clone();
        (study.verdict.metric.clone(), study.verdict.sentence.clone(), scenario, study)
    };
    let (metric, sentence, scenario, study) = by(&request);
    assert_eq!(metric, "hits");
    assert!(sentence.starts_with("Act on 40 of 400 cases: "), "{sentence}");
    for words in [" cases with y = yes (", ", worth ", "As many cases at random hold ", "Deploy ", "auroc"] {
        assert!(sentence.to_lowercase().contains(&words.to_lowercase()), "{words}: {sentence}");
    }
    let of_best = study.decisions[0]
        .decision
        .models
        .iter()
        .find(|model| Some(&model.model) == scenario.recommended.as_ref());
    near(scenario.estimate.expect("a figure"), of_best.expect("a learner").hits.value);
    assert!(study.decisions[0].decision.models.iter().all(|model| model.model != "majority"));
    assert_eq!(study.metrics[..2], ["auroc", "precision_top@40"]);

    request.decision.outcomes = outcomes(["amount - 50", "-50", "0", "0"]);
    let (metric, sentence, _, study) = by(&request);
    assert_eq!((metric.as_str(), study.decisions[0].decision.policy), ("profit", Policy::TopOfList));
    assert!(sentence.contains(" earns "), "{sentence}");

    request.decision.decide_by = Some(DecideBy::Metric("auroc".parse().expect("a metric")));
    let (metric, sentence, ..) = by(&request);
    assert_eq!(metric, "auroc");
    assert!(sentence.starts_with("For y deploy "), "{sentence}");
}

/// A constant on both cells of a class, or another unit of money, changes neither the cases that are acted on nor the ranking.
#[test]
fn rankings_depend_on_differences_within_a_class_only() {
    let claims = Claims::new(300);
    let with = |cells: [&str; 4]| {
        let mut request = claims.request(&["nb:5", "logit", "knn:10"]);
        request.decision.outcomes = outcomes(cells);
        claims.study(&request).expect("a study").decisions.remove(0)
    };
    let plain = with(["0", "-fee", "-200", "0"]);
    let shifted = with(["fee", "30 - fee", "fee - 200", "30"]);
    let scaled = with(["0", "-4 * fee", "-800", "0"]);
    for other in [&shifted, &scaled] {
        assert_eq!(plain.ranking, other.ranking);
        assert_eq!((&plain.level_with_best, &plain.worse), (&other.level_with_best, &other.worse));
        for (one, other) in plain.decision.models.iter().zip(&other.decision.models) {
            assert_eq!((one.score, one.acted), (other.score, other.acted));
        }
    }
    near(scaled.decision.comparisons[0].difference, 4.0 * plain.decision.comparisons[0].difference);
    near(shifted.decision.comparisons[0].difference, plain.decision.comparisons[0].difference);
}

#[test]
fn margins_are_calibrated_inside_folds_where_a_rule_needs_probabilities() {
    let claims = Claims::new(200);
    let mut request = claims.request(&["svm", "logit"]);
    request.amount = Some("paid".into());
    request.decision.rule = Some(CaseRule::Fraud { cost: 50.0 });
    let study = claims.study(&request).expect("a study");
    let names: Vec<&str> =
        study.decisions[0].decision.models.iter().map(|model| model.model.as_str()).collect();
    assert_eq!(names, ["svm+platt", "logit"]);
}

/// What somebody would give is predicted by a model of the training rows, so it may differ from split to split but never sees the
/// row itself.
#[test]
fn donations_are_predicted_on_training_rows() {
    let claims = Claims::new(400);
    let mut request = claims.request(&["nb:5", "logit"]);
    request.amount = Some("paid".into());
    request.decision.rule = Some(CaseRule::Donation { cost: 60.0 });
    let study = claims.study(&request).expect("a study");
    let decision = &study.decisions[0].decision;
    assert_eq!((decision.policy, decision.by), (Policy::CaseByCase, DecideBy::Profit));
    let profit = decision.models[1].profit.as_ref().expect("a profit").value;
    assert!(profit > 0.0 && decision.models[1].acted < 400.0, "{profit}");
    request.decision.rule = Some(CaseRule::Fraud { cost: 60.0 });
    let known = claims.study(&request).expect("a study");
    assert_ne!(known.decisions[0].decision.models[1].acted, decision.models[1].acted);
}

/// Where acting on nobody is the answer, the study does not say that nobody is to be deployed.
#[test]
fn a_study_whose_answer_takes_no_model_says_so() {
    let claims = Claims::new(200);
    for (cells, who) in
        [(["1", "-1000", "0", "0"], "Act on nobody: "), (["1000", "-1", "0", "0"], "Act on everybody: ")]
    {
        let mut request = claims.request(&["nb:5", "logit"]);
        request.decision.outcomes = outcomes(cells);
        let sentence = claims.study(&request).expect("a study").verdict.sentence;
        assert!(sentence.starts_with(who), "{sentence}");
        assert!(sentence.contains("No model is needed for that: no learner is shown"), "{sentence}");
        assert!(!sentence.contains("Deploy nobody"), "{sentence}");
    }
}

/// A holdout judges a part of the rows: the capacity is one of all of them. Of repeated folds every row counts once.
#[test]
fn parts_of_the_table_and_repetitions_speak_of_lists_as_long_as_it() {
    let claims = Claims::new(300);
    let mut request = claims.request(&["logit"]);
    request.decision.capacity = "30".parse().ok();
    request.design = "holdout:0.5".parse().expect("a design");
    let found = claims.study(&request).expect("a study").decisions.remove(0);
    assert_eq!((found.rows, found.decision.list_size), (150, 300.0));
    near(found.decision.models[0].acted, 30.0);
    request.design = "cv:5x2".parse().expect("a design");
    let twice = claims.study(&request).expect("a study").decisions.remove(0);
    assert_eq!((twice.rows, twice.decision.list_size), (300, 300.0));
}

#[test]
fn questions_that_do_not_fit_are_refused_with_advice() {
    let claims = Claims::new(60);
    let check = |ask: &dyn Fn(&mut StudyRequest), expected: &str| {
        let mut request = claims.request(&["logit"]);
        ask(&mut request);
        let error = claims.study(&request).expect_err(expected);
        assert!(error.contains(expected), "{error}");
    };
    check(&|request| request.decision.capacity = "61".parse().ok(), "holds 60 cases");
    check(&|request| request.decision.capacity = "9000".parse().ok(), "as in 9000/90000");
    check(&|request| request.decision.outcomes = outcomes(["price", "-1", "0", "0"]), "price");
    check(
        &|request| request.decision.outcomes = outcomes(["x / (fee - fee)", "-1", "0", "0"]),
        "brings in inf",
    );
    check(&|request| request.decision.rule = Some(CaseRule::Donation { cost: 1.0 }), "`amount = COLUMN`");
    check(&|request| request.decision.decide_by = Some(DecideBy::Hits), "`capacity = 200`");
    let text = std::fs::read_to_string(claims.path("claims.csv")).expect("a file");
    let (head, last) = text.trim_end().rsplit_once('\n').expect("rows");
    let cells: Vec<&str> = last.split(',').collect();
    let gap = format!("{head}\n{},{},{},{},,{}\n", cells[0], cells[1], cells[2], cells[3], cells[5]);
    std::fs::write(claims.path("claims.csv"), gap).expect("a file");
    check(
        &|request| request.decision.outcomes = outcomes(["100 - fee", "-fee", "0", "0"]),
        "row 60, column \"fee\": the value is missing",
    );
}

/// Repetitions of a cross-validation test every row as often: lists are those of mean scores. Other repetitions test some rows only,
/// and the sentence says which are judged.
#[test]
fn repeated_splits_say_which_rows_and_scores_are_judged() {
    let claims = Claims::new(200);
    let found = |design: &str| {
        let mut request = claims.request(&["nb:5"]);
        request.design = design.parse().expect("a design");
        request.decision.capacity = "40".parse().ok();
        claims.study(&request).expect("a study").decisions.remove(0)
    };
    let hits = |decision: &tribunal::ScenarioDecision| decision.decision.models[0].hits.value;
    let repeated = found("cv:5x4");
    assert_eq!(repeated.rows, 200);
    assert!(
        repeated.sentence.starts_with("By scores that are means over 4 repetitions, act on 40 of 200 cases"),
        "{}",
        repeated.sentence
    );
    // The other repetitions do count.
    let single = [found("cv:5x4"), found("cv:5x2")];
    assert_eq!(hits(&single[0]), hits(&repeated));
    let last = |decision: &tribunal::ScenarioDecision| {
        decision.decision.models[0].at_capacity.as_ref().expect("a capacity").hits.last_score
    };
    assert!((last(&single[0]) - last(&single[1])).abs() > 1e-12);
    let drawn = found("holdout:2/3x10");
    assert!(drawn.rows < 200);
    let said = format!("Judged by the {} cases that the first of 10 splits tests, act on ", drawn.rows);
    assert!(drawn.sentence.starts_with(&said), "{}", drawn.sentence);
    assert!(found("cv:5").sentence.starts_with("Act on "));
}
