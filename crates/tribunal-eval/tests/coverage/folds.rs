//! Means over the folds of a cross-validation, whose models are really trained.
//!
//! Cases have normal features; positives are shifted in the first. The learner is the nearest centroid: it scores by the
//! difference of the class means of its training rows, so that the true figures of every trained model are known. The interval
//! should hold their mean over the folds.

use rayon::prelude::*;
use tribunal_eval::intervals::{Level, TestRows, fold_mean, normal_quantile, normal_sf};
use tribunal_eval::metrics::Measure;
use tribunal_eval::significance::{Differences, TestToTrain, corrected_t, paired_t};
use tribunal_eval::{CutoffRule, Ranking};
use tribunal_random::Random;

use crate::report::{OtherTable, share};

const N_SAMPLES: u64 = 2000;
/// The least and the largest coverage that the default must have in every design.
const LEAST: f64 = 0.92;

struct FoldDesign {
    n_rows: usize,
    base_rate: f64,
    auroc: f64,
    n_features: usize,
    n_folds: usize,
}

const fn design(n_rows: usize, base_rate: f64, auroc: f64, n_features: usize, n_folds: usize) -> FoldDesign {
    FoldDesign { n_rows, base_rate, auroc, n_features, n_folds }
}

const DESIGNS: &[FoldDesign] = &[
    design(200, 0.3, 0.8, 5, 10),
    design(200, 0.3, 0.8, 40, 10),
    design(500, 0.1, 0.8, 10, 10),
    design(500, 0.1, 0.95, 10, 10),
    design(500, 0.5, 0.95, 10, 5),
    design(2000, 0.02, 0.95, 10, 10),
    design(2000, 0.1, 0.65, 20, 10),
];

/// Figures of one fold: what was measured, and what the trained model is worth in the population.
struct FoldFigures {
    measured: [f64; 2],
    true_values: [f64; 2],
}

impl FoldDesign {
    fn shift(&self) -> f64 {
        normal_quantile(self.auroc).expect("a probability") * 2f64.sqrt()
    }

    /// The AUROC and the share of right predictions of every fold.
    fn sample(&self, index: u64) -> Vec<FoldFigures> {
        let mut random = Random::derived(71, &[self.n_rows as u64, self.n_features as u64, index]);
        let truth: Vec<bool> = loop {
            let truth: Vec<bool> = (0..self.n_rows).map(|_| random.uniform() < self.base_rate).collect();
            if truth.iter().filter(|&&positive| positive).count() >= 2 * self.n_folds {
                break truth;
            }
        };
        let features: Vec<Vec<f64>> = truth
            .iter()
            .map(|&positive| {
                let mut row: Vec<f64> = (0..self.n_features).map(|_| random.normal()).collect();
                row[0] += if positive { self.shift() } else { 0.0 };
                row
            })
            .collect();
        // Rows come in no order, so dealing each class in turn is a stratified random division.
        let mut dealt = [0, 0];
        let folds: Vec<usize> = truth
            .iter()
            .map(|&positive| {
                let next = &mut dealt[usize::from(positive)];
                *next += 1;
                (*next - 1) % self.n_folds
            })
            .collect();
        (0..self.n_folds).map(|fold| self.fold(&truth, &features, &folds, fold)).collect()
    }

    fn fold(&self, truth: &[bool], features: &[Vec<f64>], folds: &[usize], fold: usize) -> FoldFigures {
        let rows = || 0..truth.len();
        let centroid = |class: bool| -> Vec<f64> {
            let members: Vec<usize> =
                rows().filter(|&row| folds[row] != fold && truth[row] == class).collect();
            let mean =
                |k: usize| members.iter().map(|&row| features[row][k]).sum::<f64>() / members.len() as f64;
            (0..self.n_features).map(mean).collect()
        };
        let (positive, negative) = (centroid(true), centroid(false));
        let direction: Vec<f64> = positive.iter().zip(&negative).map(|(p, n)| p - n).collect();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let middle = (dot(&direction, &positive) + dot(&direction, &negative)) / 2.0;
        let tested: Vec<usize> = rows().filter(|&row| folds[row] == fold).collect();
        let scores: Vec<f64> = tested.iter().map(|&row| dot(&direction, &features[row]) - middle).collect();
        let classes: Vec<bool> = tested.iter().map(|&row| truth[row]).collect();
        let ranking = Ranking::from_scores(&classes, &scores).expect("finite");
        let cut = CutoffRule::Score(0.0).find(&ranking).expect("some rows");
        let measured = [
            Measure::AUROC.of_ranking(&ranking).expect("of rankings").expect("both classes"),
            Measure::PCC.of_confusion(&cut.confusion).expect("of predictions").expect("some rows"),
        ];
        let norm = dot(&direction, &direction).sqrt();
        let gap = direction[0] * self.shift() / norm;
        let right = self.base_rate * normal_sf(middle / norm - gap)
            + (1.0 - self.base_rate) * normal_sf(-middle / norm);
        FoldFigures { measured, true_values: [normal_sf(-gap / 2f64.sqrt()), right] }
    }

    /// For each figure and method - default, Student's t, corrected t - coverage and mean width.
    fn simulate(&self) -> [[(f64, f64); 3]; 2] {
        let ratio = TestToTrain::from_folds(self.n_folds).expect("two folds");
        let judge = |index: u64| {
            let folds = self.sample(index);
            [0, 1].map(|figure: usize| {
                let measured = Differences::new(folds.iter().map(|fold| fold.measured[figure]).collect());
                let measured = measured.expect("finite");
                let truth =
                    folds.iter().map(|fold| fold.true_values[figure]).sum::<f64>() / folds.len() as f64;
                let intervals = [
                    fold_mean(&measured, TestRows::Disjoint, Level::P95).ok(),
                    Some(paired_t(&measured, Level::P95).effect.interval),
                    Some(corrected_t(&measured, ratio, Level::P95).effect.interval),
                ];
                intervals.map(|interval| {
                    interval.map(|interval| (interval.contains(truth), interval.upper - interval.lower))
                })
            })
        };
        let judged: Vec<_> = (0..N_SAMPLES).into_par_iter().map(judge).collect();
        [0, 1].map(|figure: usize| {
            [0, 1, 2].map(|method: usize| {
                let found: Vec<(bool, f64)> =
                    judged.iter().filter_map(|sample| sample[figure][method]).collect();
                let n = found.len() as f64;
                let held = found.iter().filter(|(held, _)| *held).count() as f64;
                (held / n, found.iter().map(|(_, width)| width).sum::<f64>() / n)
            })
        })
    }
}

/// The table, and what is wrong with it.
pub(crate) fn simulate() -> (OtherTable, Vec<String>) {
    let (mut rows, mut failures) = (vec![], vec![]);
    for design in DESIGNS {
        let found = design.simulate();
        for (name, methods) in ["auroc", "pcc"].iter().zip(found) {
            let FoldDesign { n_rows, base_rate, auroc, n_features, n_folds } = design;
            let [default, student, corrected] = methods;
            let numbers =
                [n_rows.to_string(), base_rate.to_string(), auroc.to_string(), n_features.to_string()];
            let mut row = vec![format!("{name}, mean over {n_folds} folds")];
            row.extend(numbers);
            row.extend([default, student, corrected].map(|(coverage, _)| share(coverage)));
            row.push(format!("{:.4}", default.1));
            if default.0 < LEAST {
                failures.push(format!("{}: {:.4} is below {LEAST}", row[..5].join(", "), default.0));
            }
            rows.push(row);
        }
    }
    let table = OtherTable {
        heading: "Means over folds",
        explanation: "A nearest-centroid classifier is trained on each training part of one stratified cross-validation; the truth is the\n\
            mean of what the trained models are worth in the population. `default` is Student's t with a standard error a fifth\n\
            larger; beside it Student's t alone and Nadeau and Bengio's correction, which repeated designs have.",
        header: &[
            "figure",
            "rows",
            "base rate",
            "AUROC",
            "features",
            "default",
            "Student's t",
            "corrected t",
            "width",
        ],
        rows,
    };
    (table, failures)
}
