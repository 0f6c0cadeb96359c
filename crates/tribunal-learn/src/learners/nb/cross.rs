//! Naive Bayes on all folds at once: the counts of all rows less those of a fold, and the moments of all other folds.

use rayon::prelude::*;

use super::NaiveBayes;
use super::column::{Moments, class_counts, is_constant, moments, normals_of, unit_of};
use super::model::{add_densities, log_shares};
use crate::column::MISSING;
use crate::cross::Folds;
use crate::encoding::NominalColumn;
use crate::learners::log_scores::{LogScores, normalise, shares};
use crate::learners::smoothing::Smoothing;
use crate::posteriors::Posteriors;
use crate::training::Training;

/// What is known of all rows.
struct Totals {
    class_weights: Vec<f64>,
    columns: Vec<Total>,
}

enum Total {
    /// The counts of all rows.
    Counts(Vec<f64>),
    /// The moments of each class in all folds but one, for each fold. Counts can be subtracted, sums of squares cannot: see
    /// [`Moments`].
    Moments { unit: f64, without_fold: Vec<Vec<Moments>> },
}

/// What is known of the training rows of a fold.
enum Counted<'a> {
    Counts(Vec<f64>),
    Moments { unit: f64, of_class: &'a [Moments] },
}

/// The posteriors of every row for each of the settings.
pub(crate) fn cross(settings: &[&NaiveBayes], training: &Training<'_>, folds: &Folds<'_>) -> Vec<Posteriors> {
    let smoothings: Vec<Smoothing> = settings.iter().map(|settings| settings.smoothing).collect();
    if folds.leave_one_out() && training.weights.is_none() {
        return smoothings.iter().map(|&smoothing| leave_one_out(smoothing, training)).collect();
    }
    let totals = Totals::of(training, folds);
    let of_fold = |fold: usize| {
        let tested = training.take(folds.tested(fold));
        totals.posteriors(&smoothings, fold, &tested)
    };
    let of_folds: Vec<Vec<Posteriors>> = (0..folds.n_folds()).into_par_iter().map(of_fold).collect();
    folds.of_members(settings.len(), &of_folds)
}

impl Totals {
    fn of(training: &Training<'_>, folds: &Folds<'_>) -> Self {
        let mut fold_of_row = vec![0; training.n_rows()];
        for fold in 0..folds.n_folds() {
            folds.tested(fold).iter().for_each(|&position| fold_of_row[position as usize] = fold);
        }
        let total = |column: &NominalColumn| match column {
            NominalColumn::Codes { codes, n_codes } => Total::Counts(class_counts(codes, *n_codes, training)),
            NominalColumn::Numbers(numbers) => {
                let (unit, n_classes) = (unit_of(numbers), training.n_classes);
                let group = |row: usize| fold_of_row[row] * n_classes + training.classes[row] as usize;
                let of_folds = moments(numbers, unit, training, folds.n_folds() * n_classes, group);
                Total::Moments { unit, without_fold: without_each(&of_folds, n_classes) }
            }
        };
        Totals {
            class_weights: training.class_weights(),
            columns: training.columns().par_iter().map(total).collect(),
        }
    }

    /// A column without the rows of a fold.
    fn counted<'a>(
        &'a self,
        idx: usize,
        fold: usize,
        column: &NominalColumn,
        tested: &Training<'_>,
    ) -> Counted<'a> {
        match (&self.columns[idx], column) {
            (Total::Moments { unit, without_fold }, _) => {
                Counted::Moments { unit: *unit, of_class: &without_fold[fold] }
            }
            (Total::Counts(all), NominalColumn::Codes { codes, n_codes }) => {
                Counted::Counts(differences(all, &class_counts(codes, *n_codes, tested)))
            }
            (Total::Counts(all), NominalColumn::Numbers(_)) => Counted::Counts(all.clone()),
        }
    }

    /// What models with these smoothings say of the rows of a fold, all of them in one pass.
    fn posteriors(&self, smoothings: &[Smoothing], fold: usize, tested: &Training<'_>) -> Vec<Posteriors> {
        let class_weights = differences(&self.class_weights, &tested.class_weights());
        let (n_classes, priors) = (class_weights.len(), shares(&class_weights));
        let width = smoothings.len() * n_classes;
        let mut scores = LogScores::of_priors(&priors.repeat(smoothings.len()), tested.n_rows());
        for (idx, column) in tested.columns().iter().enumerate() {
            match (self.counted(idx, fold, column, tested), column) {
                (Counted::Counts(counts), NominalColumn::Codes { codes, .. }) => {
                    let logs = side_by_side(smoothings, &counts, n_classes);
                    scores.add(codes.iter().map(|&code| logs.get(code as usize * width..)?.get(..width)));
                }
                (Counted::Moments { unit, of_class }, NominalColumn::Numbers(numbers)) => {
                    let Some(normals) = normals_of(of_class, unit) else { continue };
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
}

/// For each group of classes the moments of all other groups.
fn without_each(of_groups: &[Moments], n_classes: usize) -> Vec<Vec<Moments>> {
    let groups = || of_groups.chunks_exact(n_classes);
    let merged = |all: &[Moments], group: &[Moments]| -> Vec<Moments> {
        all.iter().zip(group).map(|(all, group)| all.merged(group)).collect()
    };
    let mut before = vec![vec![Moments::default(); n_classes]];
    for group in groups() {
        before.push(merged(&before[before.len() - 1], group));
    }
    before.pop();
    let mut after = vec![Moments::default(); n_classes];
    for (before, group) in before.iter_mut().zip(groups()).rev() {
        *before = merged(before, &after);
        after = merged(group, &after);
    }
    before
}

/// Every row judged by all others. Of its own class every count is one less, of the others none.
fn leave_one_out(smoothing: Smoothing, training: &Training<'_>) -> Posteriors {
    let (n_classes, class_weights) = (training.n_classes, training.class_weights());
    let priors: Vec<Vec<f64>> = (0..n_classes).map(|own| shares(&one_less(&class_weights, own))).collect();
    let own = |row: usize| training.classes[row] as usize;
    let mut values: Vec<f64> =
        (0..training.n_rows()).flat_map(|row| priors[own(row)].iter().map(|prior| prior.ln())).collect();
    let each_row = |values: &mut [f64], add: &(dyn Fn(usize, &mut [f64]) + Sync)| {
        let rows = values.par_chunks_mut(n_classes).with_min_len(256).enumerate();
        rows.for_each(|(row, scores)| add(row, scores));
    };
    for column in training.columns() {
        match column {
            NominalColumn::Codes { codes, n_codes } => {
                let less = OneLess::of(class_counts(codes, *n_codes, training), smoothing, n_classes);
                each_row(&mut values, &|row, scores| less.add(codes[row], own(row), scores));
            }
            NominalColumn::Numbers(numbers) => {
                let densities = OneNumberLess::of(numbers, training);
                each_row(&mut values, &|row, scores| densities.add(row, own(row), scores));
            }
        }
    }
    each_row(&mut values, &|row, scores| normalise(scores, &priors[own(row)]));
    Posteriors::new(n_classes, values)
}

/// The logs of a column's shares with each smoothing: code by code, smoothing by smoothing, class by class; none where the
/// column is constant.
fn side_by_side(smoothings: &[Smoothing], counts: &[f64], n_classes: usize) -> Vec<f64> {
    if is_constant(counts, n_classes) {
        return Vec::new();
    }
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

/// The factors of a column of codes with all rows and with one row less.
struct OneLess {
    all: Vec<f64>,
    less: Vec<f64>,
    /// The code of the only row without which the column is constant.
    lone: Option<u32>,
}

impl OneLess {
    fn of(counts: Vec<f64>, smoothing: Smoothing, n_classes: usize) -> Self {
        let of_code = counts.chunks_exact(n_classes).map(|of_code| of_code.iter().sum::<f64>());
        let occurring: Vec<(u32, f64)> = (0..).zip(of_code).filter(|(_, count)| *count > 0.0).collect();
        let lone = match occurring[..] {
            // Of two rows with a code each, either.
            [(_, 1.0), (_, 1.0)] => return OneLess { all: Vec::new(), less: Vec::new(), lone: None },
            [(code, 1.0), _] | [_, (code, 1.0)] => Some(code),
            _ => None,
        };
        let [all, less] = [0.0, 1.0].map(|n_gone| log_shares(smoothing, &counts, n_classes, n_gone));
        OneLess { all, less, lone }
    }

    #[inline]
    fn add(&self, code: u32, own: usize, scores: &mut [f64]) {
        if code == MISSING || self.all.is_empty() || self.lone == Some(code) {
            return;
        }
        let cell = code as usize * scores.len();
        for (class, score) in scores.iter_mut().enumerate() {
            *score += if class == own { self.less[cell + class] } else { self.all[cell + class] };
        }
    }
}

/// The moments of a column of numbers with all rows, and those of a row's class without the row.
struct OneNumberLess<'a> {
    numbers: &'a [f64],
    unit: f64,
    of_class: Vec<Moments>,
    without_row: Vec<Moments>,
}

impl<'a> OneNumberLess<'a> {
    fn of(numbers: &'a [f64], training: &Training<'_>) -> Self {
        let (unit, class) = (unit_of(numbers), |row: usize| training.classes[row] as usize);
        let of_class = moments(numbers, unit, training, training.n_classes, class);
        let of_row = |row: usize| match numbers[row] {
            number if number.is_nan() => Moments::default(),
            number => Moments::of(number / unit, 1.0),
        };
        let mut before = vec![Moments::default(); training.n_classes];
        let step = |row: usize| {
            let merged = before[class(row)].merged(&of_row(row));
            std::mem::replace(&mut before[class(row)], merged)
        };
        let mut without_row: Vec<Moments> = (0..numbers.len()).map(step).collect();
        let mut after = vec![Moments::default(); training.n_classes];
        for (row, without) in without_row.iter_mut().enumerate().rev() {
            *without = without.merged(&after[class(row)]);
            after[class(row)] = of_row(row).merged(&after[class(row)]);
        }
        OneNumberLess { numbers, unit, of_class, without_row }
    }

    fn add(&self, row: usize, own: usize, scores: &mut [f64]) {
        let mut of_class = self.of_class.clone();
        of_class[own] = self.without_row[row];
        if let Some(normals) = normals_of(&of_class, self.unit) {
            add_densities(self.numbers[row], &normals, scores);
        }
    }
}
