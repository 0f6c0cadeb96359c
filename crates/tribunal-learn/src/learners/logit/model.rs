//! A fitted logistic regression: coefficients, and what it scores, shows and explains by them.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use tribunal_algebra::add_scaled;

use super::Logit;
use super::design::{CHUNK, Design};
use super::inference::Inference;
use super::likelihood::Likelihood;
use super::newton::{Optimum, Stop, maximise};
use crate::coefficients::{CoefficientTable, Coefficients};
use crate::encoding::{Encoded, Matrix};
use crate::explanation::{Explanation, Reasons};
use crate::learners::log_scores::normalise;
use crate::model::{Case, Scorer};
use crate::model_shape::ModelShape;
use crate::names::{FeatureName, Names};
use crate::posteriors::Posteriors;
use crate::training::Training;

/// A linear predictor that is further out than this hardly comes from anything but separated classes.
const SEPARATED: f64 = 30.0;

/// What lies further out is taken for this: products with it stay numbers.
const FURTHEST: f64 = 1e150;

/// The coefficients of every class but the first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Stored")]
pub(crate) struct LogitModel {
    n_classes: usize,
    n_features: usize,
    /// The classes that training rows have; the first is what others are compared with.
    present: Vec<usize>,
    /// For every other class present the intercept and a slope for each column of the matrix.
    coefficients: Vec<Vec<f64>>,
    /// The columns that are combinations of earlier ones.
    aliased: Vec<usize>,
    n_steps: usize,
    is_separated: bool,
    log_likelihood: f64,
    null_log_likelihood: f64,
    inference: Option<Inference>,
}

#[derive(Deserialize)]
struct Stored {
    n_classes: usize,
    n_features: usize,
    present: Vec<usize>,
    coefficients: Vec<Vec<f64>>,
    aliased: Vec<usize>,
    n_steps: usize,
    is_separated: bool,
    log_likelihood: f64,
    null_log_likelihood: f64,
    inference: Option<Inference>,
}

impl TryFrom<Stored> for LogitModel {
    type Error = &'static str;

    fn try_from(stored: Stored) -> Result<Self, Self::Error> {
        let Stored { n_classes, n_features, present, coefficients, aliased, .. } = &stored;
        let is_rising = present.windows(2).all(|pair| pair[0] < pair[1]);
        let fits = |values: &Vec<f64>| {
            values.len().checked_sub(1) == Some(*n_features) && values.iter().all(|value| value.is_finite())
        };
        if !is_rising || present.last().is_none_or(|last| last >= n_classes) {
            return Err("classes that are not there");
        }
        if coefficients.len() + 1 != present.len() || !coefficients.iter().all(fits) {
            return Err("coefficients that do not fit classes and columns");
        }
        let inference_fits = |inference: &Inference| inference.fits(coefficients.len(), *n_features);
        let are_distinct = aliased.windows(2).all(|pair| pair[0] < pair[1]);
        if !are_distinct
            || aliased.last().is_some_and(|column| column >= n_features)
            || !stored.inference.as_ref().is_none_or(inference_fits)
        {
            return Err("columns that are not there");
        }
        let Stored { n_classes, n_features, present, coefficients, aliased, .. } = stored;
        let Stored { n_steps, is_separated, log_likelihood, null_log_likelihood, inference, .. } = stored;
        Ok(LogitModel {
            n_classes,
            n_features,
            present,
            coefficients,
            aliased,
            n_steps,
            is_separated,
            log_likelihood,
            null_log_likelihood,
            inference,
        })
    }
}

/// The rows of a fit: classes by their place among those present, and a weight for each row.
pub(super) struct Rows<'a> {
    pub(super) present: Vec<usize>,
    pub(super) outcomes: Vec<u32>,
    pub(super) weights: Cow<'a, [f64]>,
}

impl<'a> Rows<'a> {
    pub(super) fn of(training: &'a Training<'_>) -> Self {
        let totals = training.class_weights();
        let present: Vec<usize> = (0..totals.len()).filter(|&class| totals[class] > 0.0).collect();
        let mut place_of = vec![0; totals.len()];
        present.iter().zip(0..).for_each(|(&class, place)| place_of[class] = place);
        let outcomes = training.classes.iter().map(|&class| place_of[class as usize]).collect();
        let weights = match &training.weights {
            Some(weights) => Cow::Borrowed(&weights[..]),
            None => Cow::Owned(vec![1.0; training.n_rows()]),
        };
        Rows { present, outcomes, weights }
    }

    /// The likelihood of coefficients for these rows.
    pub(super) fn likelihood<'b>(&'b self, design: Design<'b>, penalty: f64) -> Likelihood<'b> {
        let n_outputs = self.present.len() - 1;
        let (outcomes, weights) = (&self.outcomes[..], &self.weights[..]);
        Likelihood { design, outcomes, weights, n_outputs, penalty, looked_at: CHUNK }
    }
}

impl LogitModel {
    pub(super) fn fit(settings: &Logit, training: &Training<'_>) -> Self {
        let rows = Rows::of(training);
        let design = Design::of(training.matrix(), &rows.weights);
        let likelihood = rows.likelihood(design, settings.l2);
        let stop = if settings.numbers.paper { Stop::Sas } else { Stop::Precise };
        let optimum = maximise(&likelihood, stop);
        LogitModel::of(&likelihood, &optimum, &rows.present, training)
    }

    fn of(
        likelihood: &Likelihood<'_>,
        optimum: &Optimum,
        present: &[usize],
        training: &Training<'_>,
    ) -> Self {
        let (design, n_features) = (&likelihood.design, training.matrix().n_columns());
        let spread = |kept: &[f64]| {
            let mut all = vec![0.0; n_features + 1];
            all[0] = kept[0];
            design.kept().iter().zip(&kept[1..]).for_each(|(&column, &slope)| all[column + 1] = slope);
            all
        };
        LogitModel {
            n_classes: training.n_classes,
            n_features,
            present: present.to_vec(),
            coefficients: optimum.coefficients.chunks_exact(design.width()).map(spread).collect(),
            aliased: (0..n_features).filter(|column| !design.kept().contains(column)).collect(),
            n_steps: optimum.n_steps,
            is_separated: !optimum.has_converged || likelihood.furthest(&optimum.coefficients) > SEPARATED,
            log_likelihood: optimum.point.log_likelihood,
            null_log_likelihood: likelihood.null(),
            inference: None,
        }
    }

    /// The same with standard errors and tests, which only people look at.
    pub(super) fn inspected(
        self,
        settings: &Logit,
        training: &Training<'_>,
        features: &[FeatureName],
    ) -> Self {
        if settings.l2 > 0.0 {
            return self;
        }
        let rows = Rows::of(training);
        let design = Design::of(training.matrix(), &rows.weights);
        let kept = |all: &Vec<f64>| {
            std::iter::once(all[0])
                .chain(design.kept().iter().map(|column| all[column + 1]))
                .collect::<Vec<f64>>()
        };
        let coefficients: Vec<f64> = self.coefficients.iter().flat_map(kept).collect();
        let likelihood = rows.likelihood(design.clone(), 0.0);
        let inference = Inference::of(&likelihood, &coefficients, features);
        LogitModel { inference, ..self }
    }

    /// The probability of each class for rows of a matrix.
    fn probabilities(&self, matrix: &Matrix) -> Posteriors {
        let logs: Vec<Vec<f64>> =
            self.coefficients.iter().map(|coefficients| predictors(coefficients, matrix)).collect();
        posteriors_of(&self.present, self.n_classes, matrix.n_rows(), |output, row| logs[output][row])
    }

    /// What the columns of the data add to the log-odds of each class against the first, for a row of a matrix.
    fn factors(&self, matrix: &Matrix, row: usize, names: &Names) -> Vec<Vec<f64>> {
        let mut factors = vec![vec![0.0; self.n_classes]; names.columns.len()];
        for (coefficients, &class) in self.coefficients.iter().zip(&self.present[1..]) {
            for (idx, feature) in names.features.iter().enumerate() {
                let value = matrix.column(idx)[row].clamp(-FURTHEST, FURTHEST);
                factors[feature.column][class] += coefficients[idx + 1] * value;
            }
        }
        factors
    }

    /// The coefficients in the units of the data.
    pub(crate) fn coefficients(&self, names: &Names) -> CoefficientTable {
        let output = |(idx, slopes): (usize, &Vec<f64>)| {
            let errors = self.inference.as_ref().map(|inference| inference.errors(idx));
            Coefficients {
                for_class: names.classes[self.present[idx + 1]].clone(),
                against_class: names.classes[self.present[0]].clone(),
                rows: super::inference::in_units(slopes, errors, &self.aliased, &names.features),
            }
        };
        CoefficientTable {
            outputs: self.coefficients.iter().enumerate().map(output).collect(),
            log_likelihood: self.log_likelihood,
            null_log_likelihood: self.null_log_likelihood,
            degrees_of_freedom: self.coefficients.len() * (self.n_features - self.aliased.len()),
            n_steps: self.n_steps,
            column_tests: self
                .inference
                .as_ref()
                .map_or_else(Vec::new, |inference| inference.column_tests(names)),
        }
    }
}

/// The linear predictor of every row.
pub(super) fn predictors(coefficients: &[f64], matrix: &Matrix) -> Vec<f64> {
    let mut predictors = vec![coefficients[0]; matrix.n_rows()];
    for (idx, &slope) in coefficients[1..].iter().enumerate().filter(|(_, slope)| **slope != 0.0) {
        let column = matrix.column(idx);
        if column.iter().all(|value| value.abs() <= FURTHEST) {
            add_scaled(&mut predictors, slope, column);
        } else {
            let clamped: Vec<f64> = column.iter().map(|value| value.clamp(-FURTHEST, FURTHEST)).collect();
            add_scaled(&mut predictors, slope, &clamped);
        }
    }
    predictors
}

/// The posteriors of rows from the log-odds of each class that is present against the first of them.
pub(super) fn posteriors_of(
    present: &[usize],
    n_classes: usize,
    n_rows: usize,
    log_odds: impl Fn(usize, usize) -> f64,
) -> Posteriors {
    let even = vec![1.0 / present.len() as f64; present.len()];
    let mut own = vec![0.0; present.len()];
    let mut values = vec![0.0; n_rows * n_classes];
    for (row, values) in values.chunks_exact_mut(n_classes).enumerate() {
        own[0] = 0.0;
        own[1..].iter_mut().enumerate().for_each(|(output, own)| *own = log_odds(output, row));
        normalise(&mut own, &even);
        present.iter().zip(&own).for_each(|(&class, &own)| values[class] = own);
    }
    Posteriors::new(n_classes, values)
}

impl Scorer for LogitModel {
    fn fits(&self, shape: &ModelShape) -> bool {
        self.n_classes == shape.n_classes && shape.has_features(self.n_features)
    }

    fn warnings(&self, features: &[FeatureName]) -> Vec<String> {
        let mut warnings = Vec::new();
        if self.is_separated {
            warnings.push(
                "columns separate the classes, wholly or in part: some coefficients have no finite best value, their size \
                 and standard errors mean little, and probabilities are near 0 or 1; a penalty (logit:l2=1) gives finite ones"
                    .to_owned(),
            );
        }
        if !self.aliased.is_empty() {
            let names: Vec<&str> = self
                .aliased
                .iter()
                .filter_map(|&idx| Some(features.get(idx)?.name.as_str()))
                .take(5)
                .collect();
            let more = if self.aliased.len() > 5 { ", ..." } else { "" };
            warnings.push(format!(
                "left out because constant or a combination of earlier columns: {}{more}",
                names.join(", ")
            ));
        }
        warnings
    }

    fn posteriors(&self, rows: &Encoded<'_>) -> Posteriors {
        self.probabilities(rows.matrix())
    }

    fn text(&self, names: &Names) -> String {
        self.coefficients(names).to_string()
    }

    fn coefficients(&self, names: &Names) -> Option<CoefficientTable> {
        Some(self.coefficients(names))
    }

    fn explain(&self, case: &Case<'_>, names: &Names) -> Explanation {
        let posteriors = self.probabilities(case.rows.matrix()).row(case.row).to_vec();
        let mut start = vec![f64::NEG_INFINITY; self.n_classes];
        let intercepts =
            std::iter::once(0.0).chain(self.coefficients.iter().map(|coefficients| coefficients[0]));
        self.present.iter().zip(intercepts).for_each(|(&class, intercept)| start[class] = intercept);
        let factors = self.factors(case.rows.matrix(), case.row, names);
        let items = case.readings.iter().cloned().zip(factors).collect();
        Explanation { reasons: Reasons::evidence_from(names, &start, &posteriors, items), posteriors }
    }
}
