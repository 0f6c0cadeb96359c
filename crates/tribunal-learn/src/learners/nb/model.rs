//! Fitted naive Bayes: counts and densities, and the logs made of them.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

use super::column::{NbColumn, Normal, class_totals, is_constant};
use crate::column::MISSING;
use crate::encoding::{Encoded, NominalColumn};
use crate::explanation::{Explanation, Reasons};
use crate::learners::log_scores::{LogScores, shares};
use crate::learners::smoothing::Smoothing;
use crate::model::{Case, Scorer};
use crate::model_shape::{ModelShape, are_weights};
use crate::names::{ColumnNames, MOST_LINES, Names, lines_left};
use crate::posteriors::Posteriors;
use crate::training::Training;

/// What naive Bayes learned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Counted", into = "Counted")]
pub(crate) struct NbModel {
    counted: Counted,
    /// For each column the log of the factor of each code and class; empty where it holds numbers or is constant.
    logs: Vec<Vec<f64>>,
}

/// What is stored: whole counts, from which everything else follows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Counted {
    smoothing: Smoothing,
    class_weights: Vec<f64>,
    columns: Vec<NbColumn>,
}

impl NbModel {
    pub(crate) fn fit(smoothing: Smoothing, training: &Training<'_>) -> Self {
        let columns = training.columns().iter().map(|column| NbColumn::fit(column, training)).collect();
        Counted { smoothing, class_weights: training.class_weights(), columns }.prepared()
    }

    pub(crate) fn n_classes(&self) -> usize {
        self.counted.class_weights.len()
    }

    /// The log of the factor of each class for a row of a column; `None` where there is no evidence.
    fn factors(&self, idx: usize, column: &NominalColumn, row: usize) -> Option<Vec<f64>> {
        match (column, &self.counted.columns[idx]) {
            (NominalColumn::Codes { codes, .. }, NbColumn::Counts(_)) if codes[row] != MISSING => {
                let logs = self.logs[idx].get(codes[row] as usize * self.n_classes()..)?;
                logs.get(..self.n_classes()).map(<[f64]>::to_vec)
            }
            (NominalColumn::Numbers(numbers), NbColumn::Normal(normals)) if !numbers[row].is_nan() => {
                Some(normals.iter().map(|normal| normal.log_density(numbers[row])).collect())
            }
            _ => None,
        }
    }
}

impl Counted {
    fn prepared(self) -> NbModel {
        let n_classes = self.class_weights.len();
        let logs = |column: &NbColumn| match column {
            NbColumn::Counts(counts) => log_shares(self.smoothing, counts, n_classes, 0.0),
            NbColumn::Normal(_) | NbColumn::Constant => Vec::new(),
        };
        NbModel { logs: self.columns.iter().map(logs).collect(), counted: self }
    }

    fn is_sound(&self) -> bool {
        let n_classes = self.class_weights.len();
        n_classes > 0
            && self.smoothing.is_sound()
            && are_weights(&self.class_weights)
            && self.columns.iter().all(|column| column.is_sound(n_classes))
    }
}

/// The log of the smoothed share of each code within its class, code by code, with so many rows of each cell left out; none
/// where only one code occurs. A share of such a column would tell how many rows a class has, and no more.
pub(super) fn log_shares(
    smoothing: Smoothing,
    counts: &[f64],
    n_classes: usize,
    n_left_out: f64,
) -> Vec<f64> {
    if is_constant(counts, n_classes) {
        return Vec::new();
    }
    let n_codes = counts.len() / n_classes;
    let totals = class_totals(counts, n_classes);
    let log = |(cell, &count): (usize, &f64)| {
        // Naive Bayes draws shares towards equal ones; there is no marginal share to look at.
        let marginal = 1.0 / n_codes as f64;
        smoothing.share(count - n_left_out, totals[cell % n_classes] - n_left_out, n_codes, marginal).ln()
    };
    counts.iter().enumerate().map(log).collect()
}

impl TryFrom<Counted> for NbModel {
    type Error = &'static str;

    fn try_from(counted: Counted) -> Result<Self, Self::Error> {
        if counted.is_sound() { Ok(counted.prepared()) } else { Err("counts that do not fit the classes") }
    }
}

impl From<NbModel> for Counted {
    fn from(model: NbModel) -> Counted {
        model.counted
    }
}

impl Scorer for NbModel {
    fn fits(&self, shape: &ModelShape) -> bool {
        let has_column = |(known, codes): (&NbColumn, &Option<usize>)| match (known, codes) {
            (NbColumn::Counts(counts), Some(n_codes)) => counts.len() == n_codes * shape.n_classes,
            (NbColumn::Normal(_) | NbColumn::Constant, None) => true,
            _ => false,
        };
        let known = &self.counted.columns;
        let has_columns = |columns: &[Option<usize>]| {
            columns.len() == known.len() && known.iter().zip(columns).all(has_column)
        };
        self.n_classes() == shape.n_classes && shape.columns().is_some_and(has_columns)
    }

    fn posteriors(&self, rows: &Encoded<'_>) -> Posteriors {
        let (columns, n_rows) = (rows.columns(), rows.n_rows());
        let priors = shares(&self.counted.class_weights);
        let n_classes = self.n_classes();
        let mut scores = LogScores::of_priors(&priors, n_rows);
        for ((column, known), logs) in columns.iter().zip(&self.counted.columns).zip(&self.logs) {
            match (column, known) {
                (NominalColumn::Codes { codes, .. }, NbColumn::Counts(_)) => {
                    let factors =
                        codes.iter().map(|&code| logs.get(code as usize * n_classes..)?.get(..n_classes));
                    scores.add(factors);
                }
                (NominalColumn::Numbers(numbers), NbColumn::Normal(normals)) => {
                    scores.add_each(|row, scores| add_densities(numbers[row], normals, scores));
                }
                _ => {}
            }
        }
        scores.into_posteriors(&priors)
    }

    fn text(&self, names: &Names) -> String {
        let mut text = String::new();
        let priors = shares(&self.counted.class_weights);
        let line = |values: &[f64]| values.iter().map(|value| format!("{value:>14.6}")).collect::<String>();
        let heads: String = names.classes.iter().map(|class| format!("{class:>14}")).collect();
        let _ = writeln!(text, "{:<30}{heads}", "given the class");
        let _ = writeln!(text, "{:<30}{}", "prior", line(&priors));
        for ((column, known), logs) in names.columns.iter().zip(&self.counted.columns).zip(&self.logs) {
            let _ = writeln!(text, "{}", column.name);
            let lines = table_lines(column, known, logs, self.n_classes());
            for (label, values) in lines.iter().take(MOST_LINES) {
                let _ = writeln!(text, "  {label:<28}{}", line(values));
            }
            text.extend(lines_left(lines.len()));
        }
        text
    }

    fn explain(&self, case: &Case<'_>, names: &Names) -> Explanation {
        let (columns, row) = (case.rows.columns(), case.row);
        let priors = shares(&self.counted.class_weights);
        let posteriors = self.posteriors(case.rows).row(row).to_vec();
        let factor = |(idx, column): (usize, &NominalColumn)| {
            Some((case.readings[idx].clone(), self.factors(idx, column, row)?))
        };
        let factors = columns.iter().enumerate().filter_map(factor).collect();
        Explanation { reasons: Reasons::evidence(names, &priors, &posteriors, factors), posteriors }
    }
}

/// Adds the log-density of a number to the score of each class, less the highest of them: a number that is far away from all
/// classes alike must not leave the other columns without digits.
pub(super) fn add_densities(number: f64, normals: &[Normal], scores: &mut [f64]) {
    if number.is_nan() {
        return;
    }
    if let ([first, second], [to_first, to_second]) = (normals, &mut *scores) {
        let [first, second] = [first, second].map(|normal| normal.log_density(number));
        let highest = first.max(second);
        *to_first += first - highest;
        *to_second += second - highest;
        return;
    }
    let logs: Vec<f64> = normals.iter().map(|normal| normal.log_density(number)).collect();
    let highest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    scores.iter_mut().zip(logs).for_each(|(score, log)| *score += log - highest);
}

/// The lines of a column: each value, or the mean and the deviation, with a figure for each class.
fn table_lines(
    names: &ColumnNames,
    known: &NbColumn,
    logs: &[f64],
    n_classes: usize,
) -> Vec<(String, Vec<f64>)> {
    match known {
        NbColumn::Counts(_) if !logs.is_empty() => {
            let shares = logs.chunks_exact(n_classes).map(|logs| logs.iter().map(|log| log.exp()).collect());
            (0..).map(|code| names.value(code).to_owned()).zip(shares).collect()
        }
        NbColumn::Normal(normals) => {
            let of = |field: fn(&Normal) -> f64| normals.iter().map(field).collect();
            vec![
                ("mean".to_owned(), of(|normal| normal.mean)),
                ("standard deviation".to_owned(), of(|normal| normal.deviation)),
            ]
        }
        NbColumn::Counts(_) | NbColumn::Constant => vec![("constant: says nothing".to_owned(), Vec::new())],
    }
}
