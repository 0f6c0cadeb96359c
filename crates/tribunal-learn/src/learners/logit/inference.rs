//! How sure the coefficients of a logistic regression are: standard errors and tests.
//!
//! **Definition** Standard errors are the roots of the diagonal of the inverse information. The Wald test of a coefficient
//! compares it with its standard error; the likelihood-ratio test of a column compares twice the log-likelihood that is lost
//! without the column with chi-square, on as many degrees of freedom as coefficients are lost.
//!
//! **Reference** Wald 1943; Wilks 1938.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use tribunal_algebra::{Cholesky, Symmetric};
use tribunal_tails::{chi_square_sf, normal_quantile_upper, normal_two_sided};

use super::likelihood::Likelihood;
use super::newton::{Stop, maximise_from};
use crate::coefficients::{Coefficient, ColumnTest, Uncertainty};
use crate::model_shape::are_weights;
use crate::names::{FeatureName, Names};

/// Refits without each column take about this many products of numbers per row and column; beyond, there are no such tests.
const MOST_WORK: f64 = 1e10;

/// Standard errors and tests.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Inference {
    /// For each output the standard errors of the intercept, in the units of the data, and of the standardised slopes.
    errors: Vec<Vec<f64>>,
    /// For each column of the data twice the log-likelihood that is lost without it, and on how many coefficients.
    lost: Vec<Option<(f64, usize)>>,
}

impl Inference {
    /// `None` where the information cannot be inverted.
    pub(super) fn of(
        likelihood: &Likelihood<'_>,
        coefficients: &[f64],
        features: &[FeatureName],
    ) -> Option<Self> {
        let point = likelihood.at(coefficients);
        let covariance = Cholesky::of(point.information)?.inverse();
        let n_columns = features.last().map_or(0, |feature| feature.column + 1);
        let width = likelihood.design.width() as f64;
        let work = likelihood.design.n_rows() as f64
            * width
            * width
            * n_columns as f64
            * likelihood.n_outputs as f64;
        let lost =
            |column: usize| lost_without(likelihood, coefficients, point.log_likelihood, column, features);
        let errors: Vec<Vec<f64>> = (0..likelihood.n_outputs)
            .map(|output| standard_errors(likelihood, &covariance, output, features))
            .collect();
        errors.iter().flatten().all(|error| error.is_finite()).then(|| Inference {
            errors,
            lost: match work <= MOST_WORK {
                true => (0..n_columns).into_par_iter().map(lost).collect(),
                false => Vec::new(),
            },
        })
    }

    /// The standard errors of an output.
    pub(super) fn errors(&self, output: usize) -> &[f64] {
        &self.errors[output]
    }

    /// Whether it is that of a model with so many outputs and columns.
    pub(super) fn fits(&self, n_outputs: usize, n_features: usize) -> bool {
        let are_errors = |errors: &Vec<f64>| errors.len() == n_features + 1 && are_weights(errors);
        let is_test = |&(statistic, df): &(f64, usize)| statistic.is_finite() && df <= n_outputs * n_features;
        self.errors.len() == n_outputs
            && self.errors.iter().all(are_errors)
            && self.lost.iter().flatten().all(is_test)
    }

    /// The tests of the columns.
    pub(super) fn column_tests(&self, names: &Names) -> Vec<ColumnTest> {
        let test = |(column, lost): (&crate::names::ColumnNames, &Option<(f64, usize)>)| {
            let (statistic, degrees_of_freedom) = (*lost)?;
            let p = chi_square_sf(statistic, degrees_of_freedom);
            Some(ColumnTest { column: column.name.clone(), statistic, degrees_of_freedom, p })
        };
        names.columns.iter().zip(&self.lost).filter_map(test).collect()
    }
}

/// The standard errors of an output, the intercept in the units of the data; zero for columns that are left out.
fn standard_errors(
    likelihood: &Likelihood<'_>,
    covariance: &Symmetric,
    output: usize,
    features: &[FeatureName],
) -> Vec<f64> {
    let (design, offset) = (&likelihood.design, output * likelihood.design.width());
    let element = |a: usize, b: usize| covariance.at(offset + a, offset + b);
    // The intercept in units is a sum over all coefficients: where every column is zero, not where it is at its mean.
    let shift = |idx: usize| match idx {
        0 => 1.0,
        _ => shift_of(&features[design.kept()[idx - 1]]),
    };
    let variance: f64 = (0..design.width())
        .flat_map(|a| (0..design.width()).map(move |b| (a, b)))
        .map(|(a, b)| shift(a) * shift(b) * element(a, b))
        .sum();
    let mut errors = vec![0.0; features.len() + 1];
    errors[0] = variance.max(0.0).sqrt();
    for (idx, &column) in design.kept().iter().enumerate() {
        errors[column + 1] = element(idx + 1, idx + 1).sqrt();
    }
    errors
}

/// What a slope adds to the intercept in units of the data.
fn shift_of(feature: &FeatureName) -> f64 {
    if feature.scale.is_constant() { 0.0 } else { -feature.scale.mean / feature.scale.sd }
}

/// Twice the log-likelihood that is lost without a column of the data, and the number of its coefficients.
fn lost_without(
    likelihood: &Likelihood<'_>,
    coefficients: &[f64],
    log_likelihood: f64,
    column: usize,
    features: &[FeatureName],
) -> Option<(f64, usize)> {
    let is_of_column = |feature: usize| features[feature].column == column;
    let design = likelihood.design.without(is_of_column);
    let n_lost = (likelihood.design.width() - design.width()) * likelihood.n_outputs;
    if n_lost == 0 {
        return None;
    }
    let stays = |idx: usize| idx == 0 || !is_of_column(likelihood.design.kept()[idx - 1]);
    let rest =
        |all: &[f64]| (0..all.len()).filter(|&idx| stays(idx)).map(|idx| all[idx]).collect::<Vec<f64>>();
    let start = coefficients.chunks_exact(likelihood.design.width()).flat_map(rest).collect();
    let reduced = Likelihood { design, ..likelihood.clone() };
    let optimum = maximise_from(&reduced, start, Stop::Precise);
    Some(((2.0 * (log_likelihood - optimum.point.log_likelihood)).max(0.0), n_lost))
}

/// The coefficients of an output in the units of the data.
pub(super) fn in_units(
    coefficients: &[f64],
    errors: Option<&[f64]>,
    aliased: &[usize],
    features: &[FeatureName],
) -> Vec<Coefficient> {
    let shifted: f64 =
        features.iter().zip(&coefficients[1..]).map(|(feature, slope)| slope * shift_of(feature)).sum();
    let intercept =
        coefficient("(intercept)", coefficients[0] + shifted, errors.map(|errors| errors[0]), 1.0);
    let slope = |(idx, feature): (usize, &FeatureName)| {
        let sd = if feature.scale.is_constant() { 1.0 } else { feature.scale.sd };
        let error = errors.map(|errors| errors[idx + 1] / sd).filter(|_| !aliased.contains(&idx));
        coefficient(&feature.name, coefficients[idx + 1] / sd, error, sd)
    };
    let slopes = features.iter().enumerate().filter(|(idx, _)| !aliased.contains(idx)).map(slope);
    std::iter::once(intercept).chain(slopes).collect()
}

fn coefficient(name: &str, estimate: f64, std_error: Option<f64>, sd: f64) -> Coefficient {
    let uncertainty = |std_error: f64| {
        let z = estimate / std_error;
        let margin = normal_quantile_upper(0.025) * std_error;
        Uncertainty {
            std_error,
            z,
            p: normal_two_sided(z),
            lower: (estimate - margin).exp(),
            upper: (estimate + margin).exp(),
        }
    };
    Coefficient {
        name: name.to_owned(),
        estimate,
        odds_ratio: estimate.exp(),
        odds_ratio_per_sd: (estimate * sd).exp(),
        uncertainty: std_error.map(uncertainty),
    }
}
