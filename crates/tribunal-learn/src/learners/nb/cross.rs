//! Naive Bayes on all folds at once: the counts of all rows less those of a fold.

use rayon::prelude::*;

use super::NaiveBayes;
use super::column::{Moments, centre, class_counts, moments, normals_of};
use super::model::{add_densities, log_shares};
use crate::column::MISSING;
use crate::cross::Folds;
use crate::encoding::NominalColumn;
use crate::learners::log_scores::{LogScores, normalise, shares};
use crate::learners::smoothing::Smoothing;
use crate::posteriors::Posteriors;
use crate::training::Training;

/// What is counted of all rows.
struct Totals {
    class_weights: Vec<f64>,
    columns: Vec<Total>,
}

#[derive(Clone)]
enum Total {
    Counts(Vec<f64>),
    Moments { around: f64, of_class: Vec<Moments> },
}

/// The posteriors of every row for each of the settings.
pub(crate) fn cross(settings: &[&NaiveBayes], training: &Training<'_>, folds: &Folds<'_>) -> Vec<Posteriors> {
    let totals = Totals::of(training);
    let smoothings: Vec<Smoothing> = settings.iter().map(|settings| settings.smoothing).collect();
    if folds.leave_one_out() && training.weights.is_none() {
        return smoothings.iter().map(|&smoothing| totals.leave_one_out(smoothing, training)).collect();
    }
    let of_fold = |fold: usize| {
        let tested = training.take(folds.tested(fold));
        totals.less(&tested).posteriors(&smoothings, &tested)
    };
    let of_folds: Vec<Vec<Posteriors>> = (0..folds.n_folds()).into_par_iter().map(of_fold).collect();
    folds.of_members(settings.len(), &of_folds)
}

impl Totals {
    fn of(training: &Training<'_>) -> Self {
        let total = |column: &NominalColumn| match column {
            NominalColumn::Codes { codes, n_codes } => Total::Counts(class_counts(codes, *n_codes, training)),
            NominalColumn::Numbers(numbers) => {
                let around = centre(numbers);
                Total::Moments { around, of_class: moments(numbers, around, training) }
            }
        };
        Totals {
            class_weights: training.class_weights(),
            columns: training.columns().iter().map(total).collect(),
        }
    }

    /// All rows but these.
    fn less(&self, tested: &Training<'_>) -> Totals {
        let less = |(total, column): (&Total, &NominalColumn)| match (total, column) {
            (Total::Moments { around, of_class }, NominalColumn::Numbers(numbers)) => {
                let gone = moments(numbers, *around, tested);
                let of_class = of_class.iter().zip(&gone).map(|(all, gone)| all.less(gone)).collect();
                Total::Moments { around: *around, of_class }
            }
            (Total::Counts(all), NominalColumn::Codes { codes, n_codes }) => {
                Total::Counts(differences(all, &class_counts(codes, *n_codes, tested)))
            }
            (total, _) => total.clone(),
        };
        Totals {
            class_weights: differences(&self.class_weights, &tested.class_weights()),
            columns: self.columns.iter().zip(tested.columns().iter()).map(less).collect(),
        }
    }

    /// What models with these smoothings say of rows, all of them in one pass.
    fn posteriors(&self, smoothings: &[Smoothing], tested: &Training<'_>) -> Vec<Posteriors> {
        let (n_classes, priors) = (self.class_weights.len(), shares(&self.class_weights));
        let width = smoothings.len() * n_classes;
        let mut scores = LogScores::of_priors(&priors.repeat(smoothings.len()), tested.n_rows());
        for (total, column) in self.columns.iter().zip(tested.columns().iter()) {
            match (total, column) {
                (Total::Counts(counts), NominalColumn::Codes { codes, .. }) => {
                    let logs = side_by_side(smoothings, counts, n_classes);
                    scores.add(codes.iter().map(|&code| logs.get(code as usize * width..)?.get(..width)));
                }
                (Total::Moments { around, of_class }, NominalColumn::Numbers(numbers)) => {
                    let normals = normals_of(of_class, *around);
                    scores.add_each(|row, scores| {
                        let members = scores.chunks_exact_mut(n_classes);
                        members.for_each(|scores| add_densities(numbers[row], &normals, scores));
                    });
                }
                _ => {}
            }
        }
        scores.into_members(&priors)
    }

    /// Every row judged by all others. Of its own class every count is one less, of the others none.
    fn leave_one_out(&self, smoothing: Smoothing, training: &Training<'_>) -> Posteriors {
        let n_classes = training.n_classes;
        let columns: Vec<OneLess<'_>> =
            self.columns.iter().map(|total| OneLess::of(total, smoothing, n_classes)).collect();
        let priors: Vec<Vec<f64>> =
            (0..n_classes).map(|own| shares(&one_less(&self.class_weights, own))).collect();
        let mut values = vec![0.0; training.n_rows() * n_classes];
        values.par_chunks_mut(n_classes).with_min_len(256).enumerate().for_each(|(row, scores)| {
            let own = training.classes[row] as usize;
            scores.iter_mut().zip(&priors[own]).for_each(|(score, prior)| *score = prior.ln());
            for (column, less) in training.columns().iter().zip(&columns) {
                less.add(column, row, own, scores);
            }
            normalise(scores, &priors[own]);
        });
        Posteriors::new(n_classes, values)
    }
}

/// The logs of a column's shares with each smoothing: code by code, smoothing by smoothing, class by class.
fn side_by_side(smoothings: &[Smoothing], counts: &[f64], n_classes: usize) -> Vec<f64> {
    let logs: Vec<Vec<f64>> =
        smoothings.iter().map(|&smoothing| log_shares(smoothing, counts, n_classes, 0.0)).collect();
    let cells = (0..counts.len()).step_by(n_classes);
    cells.flat_map(|cell| logs.iter().flat_map(move |logs| &logs[cell..][..n_classes])).copied().collect()
}

fn differences(all: &[f64], gone: &[f64]) -> Vec<f64> {
    all.iter().zip(gone).map(|(all, gone)| all - gone).collect()
}

fn one_less(class_weights: &[f64], own: usize) -> Vec<f64> {
    let less = |(class, weight): (usize, &f64)| weight - f64::from(u8::from(class == own));
    class_weights.iter().enumerate().map(less).collect()
}

/// The factors of a column with all rows and with one row less.
enum OneLess<'a> {
    Logs { all: Vec<f64>, less: Vec<f64> },
    Moments { around: f64, of_class: &'a [Moments] },
}

impl<'a> OneLess<'a> {
    fn of(total: &'a Total, smoothing: Smoothing, n_classes: usize) -> Self {
        match total {
            Total::Counts(counts) => OneLess::Logs {
                all: log_shares(smoothing, counts, n_classes, 0.0),
                less: log_shares(smoothing, counts, n_classes, 1.0),
            },
            Total::Moments { around, of_class } => OneLess::Moments { around: *around, of_class },
        }
    }

    #[inline]
    fn add(&self, column: &NominalColumn, row: usize, own: usize, scores: &mut [f64]) {
        match (self, column) {
            (OneLess::Logs { all, less }, NominalColumn::Codes { codes, .. }) if codes[row] != MISSING => {
                let cell = codes[row] as usize * scores.len();
                for (class, score) in scores.iter_mut().enumerate() {
                    *score += if class == own { less[cell + class] } else { all[cell + class] };
                }
            }
            (OneLess::Moments { around, of_class }, NominalColumn::Numbers(numbers)) => {
                let mut gone = Moments::default();
                if !numbers[row].is_nan() {
                    gone.add(numbers[row] - around, 1.0);
                }
                let mut less = of_class.to_vec();
                less[own] = less[own].less(&gone);
                add_densities(numbers[row], &normals_of(&less, *around), scores);
            }
            _ => {}
        }
    }
}
