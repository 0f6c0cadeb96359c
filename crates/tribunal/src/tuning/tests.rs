//! The choice against the same computed by hand, and what is said about it.

use tribunal_eval::metrics::{Better, Measure, auroc, log_loss};
use tribunal_eval::{Ranking, ScoredSet};
use tribunal_learn::{Column, Kind, Levels, Values};

use super::*;
use crate::claims::{ClaimsRequest, TARGETS, generate};
use crate::resampling::{InnerPlan, LabelColumn, Split};

fn claims(rows: u64, seed: u64) -> Dataset {
    let claims = generate(&ClaimsRequest { rows, seed }).and_then(|claims| claims.dataset(&TARGETS[1]));
    claims.expect("claims")
}

fn options(metric: &str, seed: u64) -> TuneOptions {
    TuneOptions { seed, ..TuneOptions::by(metric).expect("a metric") }
}

fn learner(text: &str) -> Learner {
    text.parse().expect(text)
}

fn all_rows(dataset: &Dataset) -> Vec<u32> {
    (0..dataset.n_rows() as u32).collect()
}

fn curve(text: &str, dataset: &Dataset, options: &TuneOptions) -> TuningCurve {
    let tuned = tune(&learner(text), dataset, &all_rows(dataset), options).expect(text);
    let curve = tuned.curve.expect("several candidates");
    assert_eq!(
        curve.chosen().map(|chosen| chosen.learner.as_str()),
        Some(tuned.learner.to_string().as_str())
    );
    curve
}

/// What each candidate of a learner has on every inner fold, each fitted by itself.
fn by_hand(
    text: &str,
    dataset: &Dataset,
    rows: &[u32],
    seed: u64,
    metric: impl Fn(&Ranking) -> f64,
) -> Vec<Vec<f64>> {
    let target = dataset.target().expect("a target");
    let inner = InnerPlan::of(rows.to_vec(), Some(&LabelColumn::of_target(target)), seed).expect("a plan");
    let of_candidate = |candidate: &Learner| {
        let of_split = |split: Split| {
            let model = candidate.fit(dataset, &split.train, 0).expect("a model");
            let scores = model.posteriors(dataset, &split.test).expect("scores").scores();
            let of_rows =
                |values: &[f64]| split.test.iter().map(|&row| values[row as usize]).collect::<Vec<f64>>();
            let truth: Vec<bool> = split.test.iter().map(|&row| target.codes()[row as usize] == 1).collect();
            let weights = dataset.weights().map_or_else(|| vec![1.0; truth.len()], of_rows);
            let set = ScoredSet::new(&truth, &scores).and_then(|set| set.with_weight(&weights));
            metric(&Ranking::of(&set.expect("a set")).expect("a ranking"))
        };
        (0..inner.n_splits()).map(|idx| of_split(inner.split(idx))).collect()
    };
    learner(text).candidates(rows.len()).expect("candidates").iter().map(of_candidate).collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[test]
fn the_best_candidate_is_the_one_that_ranks_best_inside() {
    let (claims, rows) = (claims(600, 3), (0..500).collect::<Vec<u32>>());
    let curtailed = learner("c45:curtailed");
    let tuned = tune(&curtailed, &claims, &rows, &options("auroc", 7)).expect("a candidate");
    let found = by_hand("c45:curtailed", &claims, &rows, 7, |ranking| auroc(ranking).expect("both classes"));
    let means: Vec<f64> = found.iter().map(|values| mean(values)).collect();
    let best = means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let expected = means.iter().position(|&mean| mean >= best - 1e-12).expect("a best one");
    assert_eq!(tuned.learner, curtailed.candidates(500).expect("candidates")[expected]);
    // A test that could not tell candidates apart would prove nothing.
    assert!(means.iter().any(|&mean| mean < best - 0.01));
}

#[test]
fn a_loss_is_made_small_and_its_error_is_that_of_the_folds() {
    let weights = |row: u32| f64::from(1 + row % 3);
    let claims = claims(400, 5);
    let claims = claims.with_weights((0..400).map(weights).collect()).expect("weights");
    let rows = all_rows(&claims);
    let grid = "nb:{0,1..64*4}";
    let curve = curve(grid, &claims, &options("log_loss", 11));
    let found = by_hand(grid, &claims, &rows, 11, |ranking| log_loss(ranking).expect("probabilities"));
    let means: Vec<f64> = found.iter().map(|values| mean(values)).collect();
    let best = (0..means.len()).min_by(|&a, &b| means[a].total_cmp(&means[b])).expect("a best one");
    assert_eq!(curve.candidates.iter().position(|candidate| candidate.chosen), Some(best));
    for (candidate, values) in curve.candidates.iter().zip(&found) {
        let squares: f64 = values.iter().map(|value| (value - mean(values)).powi(2)).sum();
        assert!((candidate.mean.expect("a mean") - mean(values)).abs() < 1e-9, "{candidate:?}");
        let error = (squares / 9.0).sqrt() / 10_f64.sqrt();
        assert!((candidate.standard_error.expect("an error") - error).abs() < 1e-9, "{candidate:?}");
        assert_eq!((candidate.folds, &candidate.undefined), (10, &None));
    }
    assert!(means[best] < means[0] - 0.01 && best > 0, "{means:?}");
}

#[test]
fn what_is_settled_stays_and_one_candidate_needs_no_choice() {
    let claims = claims(50, 3);
    let check = |text: &str, n_rows: u32, expected: &str| {
        let rows: Vec<u32> = (0..n_rows).map(|row| row % 50).collect();
        let tuned = tune(&learner(text), &claims, &rows, &TuneOptions::default()).expect("tuned");
        assert_eq!((tuned.learner.to_string().as_str(), tuned.curve), (expected, None));
    };
    check("nb:5", 50, "nb:5");
    check("nb:{5,5.0}", 50, "nb:5");
    check("c45:curtailed,k=auto", 10_000, "c45:curtailed,k=200");
    check("c45:curtailed", 1, "c45:curtailed,k=5");
}

#[test]
fn a_row_without_weight_is_absent() {
    let claims = claims(300, 6);
    let some: Vec<u32> = (0..300).filter(|row| row % 4 != 0).collect();
    let of_some = tune(&learner("nb:{1,50}"), &claims, &some, &TuneOptions::default()).expect("tuned");
    let weights = (0..300).map(|row| f64::from(u8::from(row % 4 != 0))).collect();
    let weighted = claims.with_weights(weights).expect("weights");
    let of_all = tune(&learner("nb:{1,50}"), &weighted, &all_rows(&weighted), &TuneOptions::default());
    assert_eq!(of_all.expect("tuned"), of_some);
}

#[test]
fn a_grid_within_a_grid_is_one_grid_and_folds_are_as_asked() {
    let claims = claims(200, 3);
    let few = TuneOptions { folds: 4, ..TuneOptions::default() };
    let found = curve("c45:{unpruned,curtailed}", &claims, &few);
    assert_eq!((found.folds, found.candidates.len()), (4, 21));
    assert_eq!(found.candidates[20].learner, "c45:curtailed,k=100");
    // The same by itself: what others there are makes no difference.
    let alone = curve("c45:curtailed", &claims, &few);
    for (candidate, same) in found.candidates[1..].iter().zip(&alone.candidates) {
        assert_eq!((&candidate.learner, candidate.mean), (&same.learner, same.mean));
    }
}

/// A flag that tells the class of four rows in five.
fn flagged(n_rows: u32, classes: &[&str]) -> Dataset {
    let n_classes = classes.len() as u32;
    let code = |row: u32| (row / 7 + row) % n_classes;
    let told = |row: u32| if row.is_multiple_of(5) { (code(row) + 1) % n_classes } else { code(row) };
    let levels = Kind::Categorical(Levels::met(classes.iter().copied()));
    let column = Column::new("told", levels, Values::Codes((0..n_rows).map(told).collect())).expect("codes");
    let target = Target::new("y", classes.iter().copied(), (0..n_rows).map(code).collect()).expect("classes");
    Dataset::new(vec![column]).and_then(|data| data.with_target(target)).expect("a data set")
}

#[test]
fn several_classes_are_judged_each_or_by_what_is_predicted() {
    let data = flagged(90, &["a", "b", "c"]);
    let check = |metric: &str, expected: f64| {
        let curve = curve("{majority,nb:1}", &data, &options(metric, 3));
        let found = curve.candidates[1].mean.expect("a mean");
        assert!((found - expected).abs() < 0.02, "{metric}: {found}");
        assert!(curve.candidates[1].chosen, "{metric}");
    };
    check("pcc", 0.8);
    check("error_rate", 0.2);
    // Of a class 80 and 20 % are told the first and the second level that speaks for it, of the others 10 and 40 %:
    // 0.8 (0.9 + 0.05) + 0.2 (0.5 + 0.2).
    check("auroc", 0.9);
    check("sensitivity", 0.8);
}

#[test]
fn equals_are_chosen_in_their_order_and_the_simplest_by_one_standard_error() {
    let data = flagged(100, &["no", "yes"]);
    // Smoothing one flag does not change the order of rows.
    let curve = curve("nb:{10,5,1}", &data, &TuneOptions::default());
    assert!(curve.candidates[0].chosen && curve.candidates.iter().all(|candidate| candidate.within_one_se));
    assert_eq!(curve.warnings, [] as [&str; 0]);
    let claims = claims(300, 2);
    let check = |rule: TuneRule, chosen: &str, says: &str| {
        let options = TuneOptions { rule, ..options("log_loss", 1) };
        let curve = self::curve("nb:{14,12,10}", &claims, &options);
        assert_eq!(curve.chosen().map(|chosen| chosen.learner.as_str()), Some(chosen), "{curve:?}");
        assert!(curve.warnings.iter().any(|warning| warning.contains(says)), "{:?}", curve.warnings);
        assert!(
            curve
                .warnings
                .iter()
                .any(|warning| warning.contains("10, is the smallest tried: widen the grid"))
        );
    };
    check(TuneRule::Best, "nb:10", "the one-standard-error rule would choose nb:14");
    check(TuneRule::OneSe, "nb:14", "nb:10 is the best, but ahead of nb:14 by no more than");
}

#[test]
fn the_order_of_folds_does_not_decide() {
    let of_folds = |shares: [f64; 3]| curve::TunedCandidate::of_folds(&learner("nb"), &shares.map(Ok));
    let results = [of_folds([0.3, 0.2, 0.1]), of_folds([0.1, 0.2, 0.3])];
    assert!(results[0].mean < results[1].mean, "the last bit differs");
    let choice = choice::Choice::of(&results, 0, Better::Higher, TuneRule::Best).ok().expect("a choice");
    assert_eq!(choice.chosen, 0);
}

#[test]
fn a_candidate_that_fails_is_recorded_and_not_chosen() {
    let data = flagged(60, &["no", "yes"]);
    let found = curve("bag:3,{curtailed,unpruned}", &data, &options("pcc", 1));
    assert!(
        found.candidates[0].undefined.as_ref().is_some_and(|why| why.contains("is to be tuned")),
        "{found:?}"
    );
    assert_eq!((found.candidates[0].mean, found.candidates[0].folds), (None, 0));
    assert!(found.candidates[1].chosen);
    let error = tune(&learner("bag:{2,3},curtailed"), &data, &all_rows(&data), &TuneOptions::default());
    let error = error.expect_err("both fail").to_string();
    assert!(
        error.contains("no candidate of bag:{2,3},curtailed") && error.contains("is to be tuned"),
        "{error}"
    );
}

#[test]
fn a_metric_without_a_value_anywhere_is_an_error_and_rare_values_do_not_win() {
    let data = flagged(60, &["no", "yes"]);
    let check = |metric: &str, says: &str| {
        let options = options(metric, 1);
        let error =
            tune(&learner("nb:{1,5}"), &data, &all_rows(&data), &options).expect_err(metric).to_string();
        assert!(error.contains(says), "{error}");
    };
    check("lift_top@500", "no candidate of nb:{1,5} has a value of lift_top@500 on any inner fold");
    check("rmse", "it compares predicted amounts");
    check("brier_uncertainty", "it describes the data");
    let error = TuneOptions::by("aurok").expect_err("a slip").to_string();
    assert!(error.contains("did you mean `auroc`?"), "{error}");
    let one = TuneOptions { folds: 1, metric: Some(Measure::AUROC), ..TuneOptions::default() };
    assert!(tune(&learner("nb:{1,5}"), &data, &all_rows(&data), &one).is_err());
    // The majority never dares to say yes, so it has no precision at all.
    let found = curve("{majority,nb:1}", &flagged(90, &["no", "yes"]), &options("precision", 1));
    assert!(found.candidates[1].chosen, "{found:?}");
}

#[test]
fn every_metric_that_scores_have_tunes() {
    let claims = claims(300, 4);
    for metric in tribunal_eval::metrics::METRICS.iter().filter(|metric| !metric.needs_amounts) {
        let text = match metric.parameter() {
            Some(parameter) => format!("{}@{}", metric.stem(), parameter.at_most.min(5.0)),
            None => metric.id.to_owned(),
        };
        let options = TuneOptions { folds: 3, ..options(&text, 1) };
        let tuned = tune(&learner("tan:{5,25}"), &claims, &all_rows(&claims), &options);
        assert_eq!(tuned.is_ok(), options.check().is_ok(), "{text}: {tuned:?}");
    }
}

#[test]
fn parts_are_tuned_as_if_each_were_alone() {
    let dataset = claims(240, 4);
    let parts: Vec<TrainingPart> = (0..4)
        .map(|fold| TrainingPart {
            rows: (0..240).filter(|row| row % 4 != fold).collect(),
            seed: 7 + u64::from(fold),
            target: None,
        })
        .collect();
    for text in [
        "nb:{0,5,25}",
        "c45:curtailed",
        "knn:{1,10},paper",
        "bag:{2,3}",
        "nb:5",
        "lssvm:linear,paper",
        "lssvm:rbf,spread=5,paper",
    ] {
        let together = tune_each(&learner(text), &dataset, &parts, &TuneOptions::default());
        for (part, found) in parts.iter().zip(together) {
            let options = TuneOptions { seed: part.seed, ..TuneOptions::default() };
            let alone = tune(&learner(text), &dataset, &part.rows, &options).expect(text);
            assert_eq!(found.expect(text), alone, "{text}");
        }
    }
}

#[test]
fn learners_are_tuned_by_metrics_that_there_are() {
    for (text, _) in tribunal_learn::LEARNERS.iter().flat_map(|form| form.examples) {
        assert!(learner(text).tuned_by().parse::<Measure>().is_ok(), "{text}");
    }
}

#[test]
fn grids_are_refined_around_the_best() {
    let dataset = claims(200, 2);
    for text in ["lssvm:linear", "lssvm:rbf,spread=5", "lssvm:linear,paper", "lssvm:linear+platt"] {
        let tuned = tune(&learner(text), &dataset, &all_rows(&dataset), &TuneOptions::default()).expect(text);
        let curve = tuned.curve.expect("candidates");
        // Eleven gammas, then two new ones in each of three finer grids.
        assert_eq!((curve.metric.as_str(), curve.candidates.len()), ("pcc", 17), "{text}");
        let best = curve.chosen().expect("a choice");
        let last = &curve.candidates[14..];
        assert!(last.iter().any(|candidate| candidate.chosen), "{text}");
        assert!(last.iter().all(|candidate| candidate.mean <= best.mean), "{text}");
        assert_eq!(tuned.learner.calibrator(), learner(text).calibrator());
    }
}

#[test]
fn parts_of_other_targets_are_tuned_as_if_each_were_alone() {
    let claims = generate(&ClaimsRequest { rows: 160, seed: 4 }).expect("claims");
    let data = [0, 1, 3].map(|idx| claims.dataset(&TARGETS[idx]).expect("a target"));
    let part = |idx: usize| TrainingPart {
        rows: (0..160).filter(|row| row % 3 != idx as u32 / 3).collect(),
        seed: 7 + idx as u64,
        target: data[idx % 3].target(),
    };
    let parts: Vec<TrainingPart<'_>> = (0..9).map(part).collect();
    for text in
        ["lssvm:linear,paper", "lssvm:rbf,spread=5,paper", "lssvm:linear", "knn:{1,10},paper", "nb:{0,5}"]
    {
        let together = tune_each(&learner(text), &data[2], &parts, &TuneOptions::default());
        for (idx, (part, found)) in parts.iter().zip(together).enumerate() {
            let options = TuneOptions { seed: part.seed, ..TuneOptions::default() };
            let alone = tune(&learner(text), &data[idx % 3], &part.rows, &options).expect(text);
            assert_eq!(found.expect(text), alone, "{text} {idx}");
        }
    }
    let short = data[0].target().expect("a target").take(&[0, 1, 2]);
    let part = TrainingPart { target: Some(&short), ..part(0) };
    let refused = tune_each(&learner("nb:{0,5}"), &data[0], &[part], &TuneOptions::default()).remove(0);
    assert!(refused.expect_err("other rows").to_string().contains("one of 3 rows and the data have 160"));
}

#[test]
fn a_choice_at_the_end_of_a_built_in_grid_is_told() {
    let dataset = claims(200, 2);
    for text in ["c45:curtailed", "lssvm:linear,paper"] {
        let curves: Vec<TuningCurve> = (1..9)
            .map(|seed| curve(text, &dataset, &TuneOptions { seed, ..TuneOptions::default() }))
            .collect();
        for curve in &curves {
            let is_told =
                curve.warnings.iter().any(|warning| warning.contains("tried unless told otherwise"));
            assert_eq!(curve.at_edge, is_told, "{:?}", curve.warnings);
            let grid = learner(text);
            let chosen = curve.chosen().map(|chosen| learner(&chosen.learner)).expect("a choice");
            assert!(!curve.at_edge || !grid.grid_edges(&chosen, 200).is_empty(), "{text}: {chosen}");
        }
        assert!(curves.iter().any(|curve| curve.at_edge != curves[0].at_edge) || text != "c45:curtailed");
    }
}
