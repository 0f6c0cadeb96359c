//! Learners on the synthetic claims of seed 32, from end to end: ten folds that share classes alike, the mean over folds of
//! AUROC and share of correct decisions, against an independent implementation in numpy.

use tribunal::claims::{ClaimsRequest, TARGETS, generate};
use tribunal::resampling::{LabelColumn, Plan, Rows};
use tribunal_eval::metrics::{auroc, auroc_100, pcc};
use tribunal_eval::{Confusion, Ranking, ScoredSet};
use tribunal_learn::{Dataset, Folds, Learner, PredictorSet, cross_posteriors};

/// The claims with the 25 red flags alone, or with all predictors.
fn claims(predictors: &str) -> Dataset {
    let dataset =
        generate(&ClaimsRequest::default()).expect("claims").dataset(&TARGETS[1]).expect("a data set");
    let names = dataset.columns().iter().map(|column| column.name().to_owned());
    match predictors {
        "indicator" => dataset.select(&PredictorSet::Named(names.take(25).collect())).expect("flags"),
        _ => dataset,
    }
}

/// The mean over folds of the exact AUROC, that of 100 points and the share of correct decisions, in per cent.
fn figures(learners: &[&str], dataset: &Dataset) -> Vec<[f64; 3]> {
    let learners: Vec<Learner> = learners.iter().map(|text| text.parse().expect(text)).collect();
    let target = dataset.target().expect("a target");
    let classes = LabelColumn::of_target(target);
    let plan =
        Plan::new(&"cv:10".parse().expect("a design"), &Rows::of_classes(&classes), 7).expect("a plan");
    let rows: Vec<u32> = (0..dataset.n_rows() as u32).collect();
    let fold_of_row = plan.fold_of_row(0).expect("folds");
    let folds = Folds::new(&rows, &fold_of_row).expect("folds");
    let found = cross_posteriors(&learners, dataset, &folds, 1).expect("posteriors");
    let of_learner = |scores: Vec<f64>, cut: f64| {
        let mut sums = [0.0; 3];
        for split in plan.splits() {
            let truth: Vec<bool> = split.test.iter().map(|&row| target.codes()[row as usize] == 1).collect();
            let scores: Vec<f64> = split.test.iter().map(|&row| scores[row as usize]).collect();
            let ranking = Ranking::of(&ScoredSet::new(&truth, &scores).expect("a set")).expect("a ranking");
            let decided = Confusion::at_score(&ranking, cut);
            let values = [auroc(&ranking), auroc_100(&ranking), pcc(&decided)]
                .map(|value| value.expect("both classes"));
            sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += 100.0 * value / 10.0);
        }
        sums
    };
    found.into_iter().map(|posteriors| of_learner(posteriors.scores(), posteriors.output().cut())).collect()
}

fn check(predictors: &str, expected: &[(&str, [f64; 3], f64)]) {
    let learners: Vec<&str> = expected.iter().map(|(learner, ..)| *learner).collect();
    for (found, (learner, expected, tolerance)) in
        figures(&learners, &claims(predictors)).iter().zip(expected)
    {
        for (found, expected) in found.iter().zip(expected) {
            assert!(
                (found - expected).abs() <= *tolerance,
                "{predictors}, {learner}: {found} is not {expected}"
            );
        }
    }
}

#[test]
fn flags_alone() {
    check(
        "indicator",
        &[
            ("logit:paper", [76.8527, 77.0618, 75.4142], 1e-3),
            // Shares by one division. Divided before it is multiplied, numpy has 66.3167, 66.3610 and 75.2026, 75.3939: shares
            // that are equal as fractions then differ in their last bit, and the ranking tells them apart.
            ("knn:10,paper", [66.3192, 66.3627, 73.5534], 1e-3),
            ("knn:100,paper", [75.2039, 75.3944, 71.6942], 1e-3),
            ("nb", [77.2458, 77.4563, 76.9866], 1e-3),
            ("nb:5", [77.3136, 77.5238, 76.9152], 1e-3),
            ("nb:25", [77.4466, 77.6574, 76.4132], 1e-3),
            ("tan", [75.7825, 76.0066, 76.1989], 1e-3),
            ("tan:25", [77.0179, 77.2325, 76.6290], 1e-3),
            ("c45", [64.4213, 64.4701, 70.6223], 1e-3),
            ("c45:unpruned", [68.2258, 68.2797, 71.6942], 1e-3),
            ("c45:curtailed,k=50", [67.1118, 67.1346, 71.9085], 1e-3),
            ("lssvm:linear,gamma=1,paper", [76.8223, 77.0299, 75.4137], 1e-3),
        ],
    );
}

#[test]
fn all_predictors() {
    check(
        "extended",
        &[
            ("logit:paper", [86.7516, 87.0279, 81.0601], 1e-3),
            ("knn:10,paper", [75.7877, 75.7917, 73.8376], 1e-3),
            ("knn:100,paper", [83.5325, 83.6165, 71.7657], 1e-3),
            ("nb", [85.0733, 85.3354, 79.1316], 1e-3),
            ("nb:5", [85.5540, 85.8136, 79.3453], 1e-3),
            ("nb:25", [85.6204, 85.8876, 80.2754], 1e-3),
            ("tan", [72.6831, 72.8897, 75.2698], 1e-3),
            ("tan:25", [81.7979, 82.0269, 74.2677], 1e-3),
            ("c45", [74.9795, 75.0439, 73.2672], 1e-3),
            ("c45:unpruned", [72.9091, 72.9366, 73.5540], 1e-3),
            ("c45:curtailed,k=50", [73.9324, 73.9712, 71.4085], 1e-3),
            ("lssvm:linear,gamma=1,paper", [86.5117, 86.7836, 80.6316], 1e-3),
        ],
    );
}
