//! Every quantity beside numpy and scikit-learn.

use serde_json::Value as Json;
use tribunal_eval::metrics::Measure;
use tribunal_eval::unlabelled::{
    CalibratedPerformance, ClassProbabilities, Committee, Confidence, Consensus, ConsensusScores,
    LabelFreeCriterion, LabelShift, NoTargetPriors, Predictions, RiskBound, WeightedLosses, atc,
    disagreeing_rows, doc, ensemble_agreement,
};

use super::{Case, close, numbers, reference};

fn all_close(name: &str, found: impl IntoIterator<Item = f64>, expected: &Json) {
    let (found, expected): (Vec<f64>, _) = (found.into_iter().collect(), numbers(expected));
    assert_eq!(found.len(), expected.len(), "{name}");
    found.iter().zip(expected).for_each(|(&found, expected)| close(name, found, expected));
}

fn check_scores(name: &str, found: &ConsensusScores, expected: &Json) {
    let value = |value: &Result<f64, _>| *value.as_ref().expect("defined");
    let candidates = || found.candidates.iter();
    all_close(&format!("{name}: CV"), candidates().map(|one| value(&one.cross_validated)), &expected["cv"]);
    let unlabelled = candidates().map(|one| value(&one.consensus_unlabelled));
    all_close(&format!("{name}: EnsCal(T)"), unlabelled, &expected["ens_t"]);
    let held_out = candidates().map(|one| value(&one.consensus_held_out));
    all_close(&format!("{name}: EnsCal(D)"), held_out, &expected["ens_d"]);
    all_close(&format!("{name}: score"), candidates().map(|one| value(&one.score)), &expected["score"]);
    let estimates = candidates().map(|one| one.expected().expect("defined").estimate());
    all_close(&format!("{name}: expected"), estimates, &expected["expected"]);
    assert_eq!(found.recommended().map(|best| best as u64), expected["best"].as_u64(), "{name}");
}

#[test]
fn consensus_committee_and_expected_performance() {
    for (case, expected) in Case::all() {
        let (name, validated) = (&case.name, case.validated());
        let candidates = validated.candidates(&case);
        let consensus = Consensus::of(&candidates).expect("the same rows");
        let scalings = consensus.scalings().iter();
        all_close(name, scalings.clone().map(|one| one.temperature), &expected["temperatures"]);
        all_close(name, scalings.map(|one| one.log_loss), &expected["losses"]);
        for (a, row) in expected["distance"].as_array().expect("rows").iter().enumerate() {
            all_close(name, (0..candidates.len()).map(|b| consensus.clones().distance(a, b)), row);
        }
        all_close(name, consensus.clones().weights().iter().copied(), &expected["weights"]);
        close(name, consensus.clones().n_distinct(), expected["distinct"].as_f64().expect("a number"));
        all_close(name, consensus.unlabelled().values().iter().copied(), &expected["consensus_t"]);
        all_close(name, consensus.held_out().values().iter().copied(), &expected["consensus_d"]);
        let judge = |criterion: &LabelFreeCriterion<'_>| consensus.judge(criterion).expect("usable");
        let scores = judge(&LabelFreeCriterion::Accuracy);
        check_scores(name, &scores, &expected["accuracy"]);
        let committee = Committee::of(&consensus, &scores, &LabelFreeCriterion::Accuracy).expect("scores");
        all_close(name, committee.members.iter().map(|member| member.weight), &expected["committee"]);
        let unlabelled: Vec<&ClassProbabilities> = validated.unlabelled.iter().collect();
        let combined = committee.combine(&unlabelled).expect("the same rows");
        all_close(name, combined.values().iter().copied(), &expected["committee_t"]);
        if case.n_classes == 2 {
            let auroc = LabelFreeCriterion::Measure(Measure::AUROC);
            check_scores(&format!("{name}, AUROC"), &judge(&auroc), &expected["auroc"]);
            check_scores(&format!("{name}, benefit"), &judge(&case.benefit()), &expected["benefit"]);
            // Accuracy as a metric of two classes is accuracy.
            assert_eq!(judge(&LabelFreeCriterion::Measure(Measure::PCC)).order, scores.order, "{name}");
        }
    }
}

#[test]
fn confidences_and_agreement() {
    for (case, expected) in Case::all() {
        let (name, validated) = (&case.name, case.validated());
        let candidates = validated.candidates(&case);
        let unlabelled: Vec<&Predictions<'_>> = candidates.iter().map(|one| &one.unlabelled).collect();
        let rows = disagreeing_rows(&unlabelled).expect("the same rows");
        assert_eq!(
            rows.iter().map(|&row| f64::from(row)).collect::<Vec<_>>(),
            numbers(&expected["disagreeing"])
        );
        all_close(name, ensemble_agreement(&unlabelled).expect("the same rows"), &expected["ensemble"]);
        let estimates =
            candidates.iter().map(|one| doc(&one.held_out, &one.unlabelled).expect("rows").estimate());
        all_close(name, estimates, &expected["doc"]);
        let kinds = [(Confidence::MaxProbability, "atc_max"), (Confidence::NegativeEntropy, "atc_entropy")];
        for (confidence, key) in kinds {
            for (idx, one) in candidates.iter().enumerate() {
                let (name, expected) = (format!("{name}, {key} of {idx}"), &expected[key][idx]);
                let found = atc(confidence, &one.held_out, &one.unlabelled).expect("rows");
                assert_eq!(found.threshold.is_some(), expected["threshold"].is_number(), "{name}");
                if let Some(threshold) = found.threshold {
                    close(&name, threshold, expected["threshold"].as_f64().expect("a number"));
                    close(&name, found.share_at_threshold, expected["share"].as_f64().expect("a number"));
                }
                close(&name, found.estimate, expected["estimate"].as_f64().expect("a number"));
                // The held-out accuracy comes back, as the reference says too.
                let again = atc(confidence, &one.held_out, one.held_out.predictions()).expect("rows");
                close(&name, again.estimate, found.held_out_accuracy);
                close(&name, again.estimate, expected["source"].as_f64().expect("a number"));
            }
        }
    }
}

#[test]
fn calibrated_performance_and_label_shift() {
    for (case, expected) in Case::all() {
        let validated = case.validated();
        for (idx, one) in validated.candidates(&case).iter().enumerate() {
            let name = format!("{} of {idx}", case.name);
            if case.n_classes == 2 {
                let (found, expected) = (CalibratedPerformance::of(&one.unlabelled), &expected["cbpe"][idx]);
                let cells = found.cells().expect("two classes");
                all_close(&name, [cells.tp, cells.fp, cells.fn_, cells.tn], &expected["cells"]);
                let metrics = [
                    ("pcc", "accuracy"),
                    ("precision", "precision"),
                    ("sensitivity", "recall"),
                    ("f1", "f1"),
                    ("auroc", "auroc"),
                    ("lift@0.25", "lift_quarter"),
                    ("precision_top@5", "precision_top_5"),
                ];
                for (metric, key) in metrics {
                    let measure: Measure = metric.parse().expect("a metric");
                    let value = found.value(&LabelFreeCriterion::Measure(measure)).expect("usable");
                    match expected[key].as_f64() {
                        Some(expected) => {
                            close(&format!("{name}, {metric}"), value.expect("defined"), expected)
                        }
                        None => assert!(
                            metric != "auroc" && (value.is_err() || value == Ok(0.0)),
                            "{name}, {metric}"
                        ),
                    }
                }
            }
            let (found, expected) =
                (LabelShift::estimate(&one.held_out, &one.unlabelled), &expected["bbse"][idx]);
            match found {
                Ok(shift) => {
                    all_close(&name, shift.ratios, &expected["ratio"]);
                    all_close(&name, shift.priors, &expected["priors"]);
                    close(&name, shift.condition, expected["condition"].as_f64().expect("a number"));
                    close(&name, shift.clipped, expected["clipped"].as_f64().expect("a number"));
                }
                Err(_) => assert!(expected.is_null(), "{name}: {expected}"),
            }
        }
    }
}

#[test]
fn a_class_that_is_never_predicted_is_named() {
    let (case, _) = Case::all().into_iter().find(|(case, _)| case.name == "never_predicted").expect("a case");
    let validated = case.validated();
    let candidates = validated.candidates(&case);
    let reason =
        LabelShift::estimate(&candidates[0].held_out, &candidates[0].unlabelled).expect_err("no priors");
    assert_eq!(reason, NoTargetPriors::PredictedOnUnlabelledOnly { class: 2 });
}

#[test]
fn importance_weighted_risks() {
    for json in reference()["importance"].as_array().expect("cases") {
        let (name, loss, ratio) =
            (json["name"].as_str().expect("a name"), numbers(&json["loss"]), numbers(&json["weight"]));
        let losses = WeightedLosses::new(&loss, &ratio).expect("usable");
        let expected = |key: &str| json[key].as_f64().expect("a number");
        close(name, losses.mean(), expected("mean"));
        close(name, losses.self_normalised().expect("a sum"), expected("self_normalised"));
        close(name, losses.effective_sample_size().expect("a sum"), expected("ess"));
        let dev = losses.control_variate().expect("rows");
        close(name, dev.eta, expected("eta"));
        close(name, dev.risk, expected("dev"));
    }
}

#[test]
fn risk_bounds() {
    for row in reference()["bounds"].as_array().expect("rows") {
        let [error, vc, n, delta, expected] = numbers(row)[..] else { panic!("five numbers") };
        let bound = RiskBound::new(error, vc, n as u64, delta).expect("usable");
        close("bound", bound.value(), expected);
    }
}
