//! What must not matter: the order of rows, the names of classes, rows that stand twice, clones of a candidate.

use tribunal_eval::Error;
use tribunal_eval::metrics::Measure;
use tribunal_eval::unlabelled::{
    Candidate, Confidence, Consensus, LabelFreeCriterion, LabelShift, atc, doc, ensemble_agreement,
};

use super::{Case, close};

/// Everything that is said of each candidate, as numbers; nothing where a value is undefined.
fn figures(case: &Case) -> Vec<Vec<Option<f64>>> {
    let validated = case.validated();
    let candidates = validated.candidates(case);
    let consensus = Consensus::of(&candidates).expect("the same rows");
    let mut criteria = vec![LabelFreeCriterion::Accuracy];
    if case.n_classes == 2 {
        criteria.extend([LabelFreeCriterion::Measure(Measure::AUROC), case.benefit()]);
    }
    let agreement: Vec<_> = candidates.iter().map(|one| &one.unlabelled).collect();
    let agreement = ensemble_agreement(&agreement).expect("the same rows");
    let mut figures: Vec<Vec<Option<f64>>> = candidates.iter().zip(agreement).map(own_figures).collect();
    for criterion in &criteria {
        let scores = consensus.judge(criterion).expect("usable").candidates;
        for (figures, one) in figures.iter_mut().zip(scores) {
            let estimate = one.expected().map(|expected| expected.estimate());
            figures.extend([one.score.ok(), one.cross_validated.ok(), estimate.ok()]);
        }
    }
    figures
}

fn own_figures((one, agreement): (&Candidate<'_>, f64)) -> Vec<Option<f64>> {
    let thresholded =
        |confidence| -> Result<f64, Error> { Ok(atc(confidence, &one.held_out, &one.unlabelled)?.estimate) };
    vec![
        Some(agreement),
        thresholded(Confidence::MaxProbability).ok(),
        thresholded(Confidence::NegativeEntropy).ok(),
        doc(&one.held_out, &one.unlabelled).ok().map(|found| found.estimate()),
    ]
}

fn check_same(case: &Case, other: &Case, what: &str) {
    let (found, expected) = (figures(other), figures(case));
    for (candidate, (found, expected)) in found.iter().zip(&expected).enumerate() {
        for (figure, (found, expected)) in found.iter().zip(expected).enumerate() {
            let name = format!("{}, {what}: figure {figure} of candidate {candidate}", case.name);
            assert_eq!(found.is_some(), expected.is_some(), "{name}");
            if let (Some(found), Some(expected)) = (found, expected) {
                close(&name, *found, *expected);
            }
        }
    }
}

fn all_rows(case: &Case) -> (Vec<usize>, Vec<usize>) {
    ((0..case.truth.len()).collect(), (0..case.weight_unlabelled.len()).collect())
}

#[test]
fn the_order_of_rows_does_not_matter() {
    for (case, _) in Case::all() {
        let (mut held_out, mut unlabelled) = all_rows(&case);
        held_out.reverse();
        held_out.rotate_left(7);
        unlabelled.reverse();
        unlabelled.rotate_left(5);
        check_same(&case, &case.with_rows(&held_out, &unlabelled), "other order");
    }
}

#[test]
fn a_weight_of_two_is_the_row_twice_and_zero_its_absence() {
    for (case, _) in Case::all() {
        let repeat = |weights: &[f64]| -> Vec<usize> {
            weights.iter().enumerate().flat_map(|(row, &weight)| vec![row; weight as usize]).collect()
        };
        let mut rows = case.with_rows(&repeat(&case.weight_held_out), &repeat(&case.weight_unlabelled));
        rows.weight_held_out.fill(1.0);
        rows.weight_unlabelled.fill(1.0);
        check_same(&case, &rows, "repeated rows");
    }
}

#[test]
fn repeating_all_unlabelled_rows_changes_nothing() {
    for (case, _) in Case::all() {
        let (held_out, unlabelled) = all_rows(&case);
        check_same(&case, &case.with_rows(&held_out, &[&unlabelled[..], &unlabelled].concat()), "rows twice");
    }
}

#[test]
fn tiny_weights_are_as_good_as_large_ones() {
    for (case, _) in Case::all() {
        let scaled = |weights: &[f64]| weights.iter().map(|weight| weight * 0.1).collect();
        let (weight_held_out, weight_unlabelled) =
            (scaled(&case.weight_held_out), scaled(&case.weight_unlabelled));
        check_same(
            &case,
            &Case { weight_held_out, weight_unlabelled, ..case.clone() },
            "a tenth of the weight",
        );
    }
}

/// Of more than two classes, where ties between classes go to the first of them and there are none here.
#[test]
fn the_names_of_classes_do_not_matter() {
    for (case, _) in Case::all().into_iter().filter(|(case, _)| case.n_classes > 2) {
        let k = case.n_classes;
        let moved = |class: usize| (class + 1) % k;
        let move_row = |row: &[f64]| {
            let mut other = vec![0.0; k];
            row.iter().enumerate().for_each(|(class, &p)| other[moved(class)] = p);
            other
        };
        let move_all = |values: &[Vec<f64>]| -> Vec<Vec<f64>> {
            values.iter().map(|values| values.chunks(k).flat_map(move_row).collect()).collect()
        };
        let other = Case {
            truth: case.truth.iter().map(|&class| moved(class as usize) as u32).collect(),
            held_out: move_all(&case.held_out),
            unlabelled: move_all(&case.unlabelled),
            ..case.clone()
        };
        check_same(&case, &other, "other names");
        let (first, second) = (case.validated(), other.validated());
        for (one, other) in first.candidates(&case).iter().zip(second.candidates(&other)) {
            let shift = LabelShift::estimate(&one.held_out, &one.unlabelled);
            let moved_shift = LabelShift::estimate(&other.held_out, &other.unlabelled);
            assert_eq!(shift.is_ok(), moved_shift.is_ok());
            if let (Ok(shift), Ok(other)) = (shift, moved_shift) {
                (0..k).for_each(|class| close(&case.name, other.priors[moved(class)], shift.priors[class]));
            }
        }
    }
}

#[test]
fn a_clone_of_a_candidate_changes_nothing_for_the_others() {
    for (case, _) in Case::all() {
        for copied in 0..case.held_out.len() {
            let mut other = case.clone();
            other.held_out.push(case.held_out[copied].clone());
            other.unlabelled.push(case.unlabelled[copied].clone());
            let (found, expected) = (figures(&other), figures(&case));
            for (candidate, (found, expected)) in found.iter().zip(&expected).enumerate() {
                // The unweighted ensemble, the first figure, is not to be chosen by: it does follow the clones.
                for (figure, (found, expected)) in found.iter().zip(expected).enumerate().skip(1) {
                    let name = format!("{}, {copied} twice: figure {figure} of {candidate}", case.name);
                    match (found, expected) {
                        // Being a clone is not transitive there: one more of a candidate moves weight among those that are
                        // within a hundredth of it, which say nearly the same.
                        (Some(found), Some(expected)) if case.name == "clones" => {
                            assert!(
                                (found - expected).abs() < 1e-3 * expected.abs().max(1.0),
                                "{name}: {found}, expected {expected}"
                            );
                        }
                        (Some(found), Some(expected)) => close(&name, *found, *expected),
                        (found, expected) => assert_eq!(found, expected, "{name}"),
                    }
                }
            }
        }
    }
}
