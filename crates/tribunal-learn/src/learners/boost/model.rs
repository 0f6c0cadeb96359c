//! Boosted trees as they are kept, applied and shown.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

use super::shapley::Worth;
use super::tree::Tree;
use crate::encoding::{Encoded, Matrix};
use crate::explanation::{Explanation, Reasons};
use crate::learners::log_scores::{against_others, normalise, shares};
use crate::model::{Case, Scorer};
use crate::model_shape::ModelShape;
use crate::names::{MOST_LINES, Names, lines_left};
use crate::posteriors::Posteriors;

/// Trees for the second of two classes, or for each of more.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Stored")]
pub(crate) struct BoostModel {
    n_features: usize,
    /// `None` for a class without training rows.
    ensembles: Vec<Option<Ensemble>>,
}

/// What is added up to the log-odds of a class against all others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Ensemble {
    /// The log-odds of its share among the training rows.
    pub(super) start: f64,
    pub(super) trees: Vec<Tree>,
    /// By how much the splits on each feature lower the loss.
    pub(super) gains: Vec<f64>,
}

#[derive(Deserialize)]
struct Stored {
    n_features: usize,
    ensembles: Vec<Option<Ensemble>>,
}

impl TryFrom<Stored> for BoostModel {
    type Error = &'static str;

    fn try_from(Stored { n_features, ensembles }: Stored) -> Result<Self, Self::Error> {
        let is_sound = |ensemble: &Ensemble| {
            ensemble.start.is_finite()
                && ensemble.gains.len() == n_features
                && ensemble.trees.iter().all(|tree| tree.fits(n_features))
        };
        match ensembles.len() {
            0 | 2 => Err("boosted trees that fit no number of classes"),
            _ if !ensembles.iter().flatten().all(is_sound) => Err("boosted trees of other columns"),
            _ if ensembles.iter().flatten().next().is_none() => Err("boosted trees of no class"),
            _ => Ok(BoostModel { n_features, ensembles }),
        }
    }
}

impl Ensemble {
    /// The log-odds of every row of a matrix.
    fn log_odds(&self, matrix: &Matrix) -> Vec<f64> {
        let mut sums = vec![self.start; matrix.n_rows()];
        self.trees.iter().for_each(|tree| tree.add_to(matrix, &mut sums));
        sums
    }

    /// What the log-odds of a row are made of.
    fn worth(&self, matrix: &Matrix, row: usize) -> Worth {
        let mut worth = Worth::new(self.start, matrix.n_columns());
        self.trees.iter().for_each(|tree| worth.add(tree, |feature| matrix.column(feature)[row]));
        worth
    }
}

impl BoostModel {
    /// The ensembles of classes that see so many features.
    pub(super) fn new(n_features: usize, ensembles: Vec<Option<Ensemble>>) -> Self {
        BoostModel { n_features, ensembles }
    }

    fn n_classes(&self) -> usize {
        self.ensembles.len().max(2)
    }

    /// The class of an ensemble.
    fn class(&self, idx: usize) -> usize {
        if self.ensembles.len() == 1 { 1 } else { idx }
    }

    /// The log of what each class has before all are made to add up to one.
    fn logs(&self, matrix: &Matrix) -> Vec<f64> {
        let log_odds =
            |ensemble: &Option<Ensemble>| ensemble.as_ref().map(|ensemble| ensemble.log_odds(matrix));
        against_others(matrix.n_rows(), self.ensembles.iter().map(log_odds))
    }

    /// The features with what splits on them gained, as shares, the most important first.
    fn importance(&self) -> Vec<(usize, f64)> {
        let mut gains = vec![0.0; self.n_features];
        for ensemble in self.ensembles.iter().flatten() {
            gains.iter_mut().zip(&ensemble.gains).for_each(|(sum, gain)| *sum += gain);
        }
        let shares = shares(&gains);
        let mut used: Vec<(usize, f64)> =
            shares.into_iter().enumerate().filter(|&(idx, _)| gains[idx] > 0.0).collect();
        used.sort_by(|a, b| b.1.total_cmp(&a.1));
        used
    }

    /// What each column adds to the log-odds of a class, and what there is before; the class itself where it was learned.
    fn of_columns(&self, class: usize, case: &Case<'_>, names: &Names) -> (f64, Vec<f64>) {
        let mut columns = vec![0.0; case.readings.len()];
        let place = if self.ensembles.len() == 1 { class.checked_sub(1) } else { Some(class) };
        let Some(place) = place else { return (0.0, columns) };
        let Some(Some(ensemble)) = self.ensembles.get(place) else { return (f64::NEG_INFINITY, columns) };
        let worth = ensemble.worth(case.rows.matrix(), case.row);
        for (feature, log_odds) in names.features.iter().zip(&worth.features) {
            if let Some(sum) = columns.get_mut(feature.column) {
                *sum += log_odds;
            }
        }
        (worth.start, columns)
    }
}

impl Scorer for BoostModel {
    fn fits(&self, shape: &ModelShape) -> bool {
        self.ensembles.len() == shape.n_functions() && shape.has_features(self.n_features)
    }

    fn posteriors(&self, rows: &Encoded<'_>) -> Posteriors {
        let n_classes = self.n_classes();
        let mut logs = self.logs(rows.matrix());
        let even = vec![1.0 / n_classes as f64; n_classes];
        logs.chunks_exact_mut(n_classes).for_each(|row| normalise(row, &even));
        Posteriors::new(n_classes, logs)
    }

    fn text(&self, names: &Names) -> String {
        let mut text = String::new();
        for (idx, ensemble) in self.ensembles.iter().enumerate() {
            let class = names.classes.get(self.class(idx)).map_or("?", String::as_str);
            let _ = match ensemble {
                None => writeln!(text, "{class}: no training rows"),
                Some(ensemble) => {
                    let n_leaves: usize = ensemble.trees.iter().map(|tree| tree.leaves().count()).sum();
                    let (n_trees, start) = (ensemble.trees.len(), ensemble.start);
                    let mean = n_leaves as f64 / n_trees.max(1) as f64;
                    let head = format!("{n_trees} trees of {mean:.1} leaves on average");
                    writeln!(text, "{class}: log-odds of {start:.4}, and {head}")
                }
            };
        }
        let importance = self.importance();
        text.push_str("\nshare of what all splits gained\n");
        for (feature, share) in importance.iter().take(MOST_LINES) {
            let name = names.features.get(*feature).map_or("?", |feature| feature.name.as_str());
            let _ = writeln!(text, "  {name}: {share:.4}");
        }
        text.extend(lines_left(importance.len()));
        text
    }

    /// Shapley values of columns.
    fn explain(&self, case: &Case<'_>, names: &Names) -> Explanation {
        let posteriors = self.posteriors(case.rows).row(case.row).to_vec();
        let of_class = |class: usize| self.of_columns(class, case, names);
        let reasons = Reasons::learned_apart(names, &posteriors, case.readings.to_vec(), of_class);
        Explanation { posteriors, reasons }
    }
}
