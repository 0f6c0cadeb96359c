//! The density ratio by logistic regression of one sample against the other.

use rayon::prelude::*;
use tribunal_algebra::{Cholesky, Symmetric, add_scaled, dot};

use super::DensityRatios;
use super::sample_pair::SamplePair;
use crate::encoding::Matrix;
use crate::error::{Error, ErrorKind};

/// The penalty of slopes is half of this times their squares; the intercept is free.
const RIDGE: f64 = 1e-3;
/// Ratios above this are cut to it.
const LARGEST_RATIO: f64 = 50.0;

const MOST_STEPS: usize = 200;
/// A step that promises less than this, relative to the objective, is the last.
const LAST_PROMISE: f64 = 1e-16;
/// Steps that promise less are not judged by the objective, which has no digits left for them.
const TRUSTED_PROMISE: f64 = 1e-10;
/// A step has to bring in this part of what its slope promises.
const LEAST_GAIN: f64 = 1e-4;
const SHORTEST_STEP: f64 = 1e-12;
/// Made this part heavier, a diagonal can be factored in spite of rounding.
const JITTER: f64 = 1e-10;
/// Rows whose products are summed in one piece, whatever the number of threads.
const CHUNK: usize = 4096;

/// The density ratio by logistic regression.
///
/// **Definition** · The unlabelled rows (1) are told from the labelled ones (0) by logistic regression with the penalty
/// `0.001 / 2 b^2` on slopes; with `n` labelled and `m` unlabelled rows the ratio is `(n / m) p / (1 - p)`, cut to 0 to 50.
///
/// **Undefined when** a sample has no rows; where samples can be told apart with certainty, ratios are 0 and 50.
///
/// **Example**
/// ```
/// use tribunal_learn::density_ratio::{LogisticRatio, SamplePair};
/// use tribunal_learn::encoding::Matrix;
///
/// let labelled = Matrix::from_values(8, 1, (0..8).map(|idx| f64::from(idx) / 2.0).collect())?;
/// let unlabelled = Matrix::from_values(6, 1, (3..9).map(|idx| f64::from(idx) / 2.0).collect())?;
/// let found = LogisticRatio::fit(&SamplePair::of_matrices(labelled, unlabelled)?)?;
/// assert!((found.slopes[0] - 0.914389912).abs() < 1e-8);
/// assert!((found.weights.ratios[7] - 3.062546221).abs() < 1e-8);
/// # Ok::<(), tribunal_learn::Error>(())
/// ```
///
/// **Reference** · Bickel, Brückner and Scheffer (2009), "Discriminative learning under covariate shift"
#[derive(Clone, Debug, PartialEq)]
pub struct LogisticRatio {
    /// The intercept.
    pub intercept: f64,
    /// The slope of each column of the design matrix.
    pub slopes: Vec<f64>,
    /// The ratios of the labelled rows.
    pub weights: DensityRatios,
}

impl LogisticRatio {
    /// Tells two samples apart.
    ///
    /// # Errors
    /// There is no memory for the products of all columns, or rounding errors leave no step to take.
    pub fn fit(samples: &SamplePair) -> Result<Self, Error> {
        let width = samples.labelled.n_columns() + 1;
        require_products(width)?;
        let coefficients = minimise(samples, width)?;
        let totals =
            [&samples.labelled_weights, &samples.unlabelled_weights].map(|one| one.iter().sum::<f64>());
        let ratio = |log_odds: &f64| (totals[0] / totals[1] * log_odds.exp()).min(LARGEST_RATIO);
        let ratios = predictors(&samples.labelled, &coefficients).iter().map(ratio).collect();
        Ok(Self {
            intercept: coefficients[0],
            slopes: coefficients[1..].to_vec(),
            weights: DensityRatios::new(ratios, &samples.labelled_weights),
        })
    }
}

/// Refuses products that there is no memory for: the matrix, its factor and one a thread.
fn require_products(width: usize) -> Result<(), Error> {
    let n_matrices = 2 + rayon::current_num_threads() as u64;
    let bytes = (width as u64).saturating_mul(width as u64).saturating_mul(8 * n_matrices);
    tribunal_memory::require(bytes).map_err(|shortage| {
        let problem = format!("a logistic regression with {width} coefficients: {shortage}");
        Error::new(ErrorKind::TooLarge, problem).advise("leave columns of many levels out")
    })
}

/// The linear predictor of every row.
fn predictors(matrix: &Matrix, coefficients: &[f64]) -> Vec<f64> {
    let mut predictors = vec![coefficients[0]; matrix.n_rows()];
    for (column, slope) in coefficients[1..].iter().enumerate() {
        add_scaled(&mut predictors, *slope, matrix.column(column));
    }
    predictors
}

/// The penalised negative log-likelihood at some coefficients, with its derivatives.
struct Point {
    objective: f64,
    gradient: Vec<f64>,
    hessian: Symmetric,
}

/// Newton's method with steps that are halved until they are worth taking.
fn minimise(samples: &SamplePair, width: usize) -> Result<Vec<f64>, Error> {
    let mut coefficients = vec![0.0; width];
    let mut point = Point::at(samples, &coefficients);
    for _ in 0..MOST_STEPS {
        let step = newton_step(&point).ok_or_else(unsolvable)?;
        let promise = -dot(&point.gradient, &step);
        let relative = promise / (1.0 + point.objective.abs());
        let mut length = 1.0;
        loop {
            let moved: Vec<f64> = coefficients
                .iter()
                .zip(&step)
                .map(|(coefficient, step)| coefficient + length * step)
                .collect();
            let is_better = |objective: f64| objective <= point.objective - LEAST_GAIN * length * promise;
            if relative < TRUSTED_PROMISE || is_better(objective(samples, &moved)) {
                coefficients = moved;
                break;
            }
            length /= 2.0;
            if length < SHORTEST_STEP {
                return Err(unsolvable());
            }
        }
        if relative < LAST_PROMISE {
            return Ok(coefficients);
        }
        point = Point::at(samples, &coefficients);
    }
    Err(unsolvable())
}

fn unsolvable() -> Error {
    Error::new(
        ErrorKind::Unsolvable,
        "the logistic regression of one sample against the other does not converge",
    )
    .advise("scale the columns, or leave those out that tell the samples apart by themselves")
}

fn newton_step(point: &Point) -> Option<Vec<f64>> {
    let downhill: Vec<f64> = point.gradient.iter().map(|slope| -slope).collect();
    let factor = Cholesky::of(point.hessian.clone()).or_else(|| {
        let mut heavier = point.hessian.clone();
        let largest = (0..heavier.n()).map(|idx| heavier.at(idx, idx)).fold(f64::MIN_POSITIVE, f64::max);
        heavier.add_diagonal(&vec![JITTER * largest; heavier.n()]);
        Cholesky::of(heavier)
    })?;
    let step = factor.solution(&downhill);
    step.iter().all(|value| value.is_finite()).then_some(step)
}

/// The samples with their class and the weights of their rows.
fn parts(samples: &SamplePair) -> [(&Matrix, f64, &[f64]); 2] {
    [
        (&samples.labelled, 0.0, &samples.labelled_weights),
        (&samples.unlabelled, 1.0, &samples.unlabelled_weights),
    ]
}

fn objective(samples: &SamplePair, coefficients: &[f64]) -> f64 {
    let slopes = &coefficients[1..];
    let loss = |(matrix, class, weights): (&Matrix, f64, &[f64])| -> f64 {
        let losses = predictors(matrix, coefficients).into_iter().map(|eta| loss(eta, class));
        losses.zip(weights).map(|(loss, weight)| weight * loss).sum()
    };
    parts(samples).map(loss).iter().sum::<f64>() + 0.5 * RIDGE * dot(slopes, slopes)
}

/// Minus the logarithm of the probability of the class.
fn loss(log_odds: f64, class: f64) -> f64 {
    log_odds.max(0.0) + (-log_odds.abs()).exp().ln_1p() - class * log_odds
}

fn logistic(log_odds: f64) -> f64 {
    let power = (-log_odds.abs()).exp();
    if log_odds < 0.0 { power / (1.0 + power) } else { 1.0 / (1.0 + power) }
}

impl Point {
    fn at(samples: &SamplePair, coefficients: &[f64]) -> Self {
        let slopes = &coefficients[1..];
        let mut gradient: Vec<f64> =
            std::iter::once(0.0).chain(slopes.iter().map(|slope| RIDGE * slope)).collect();
        let mut hessian = Symmetric::zeros(coefficients.len());
        (1..coefficients.len()).for_each(|idx| *hessian.at_mut(idx, idx) = RIDGE);
        for (matrix, class, weights) in parts(samples) {
            let chances: Vec<f64> = predictors(matrix, coefficients).into_iter().map(logistic).collect();
            let residuals: Vec<f64> =
                chances.iter().zip(weights).map(|(chance, weight)| weight * (chance - class)).collect();
            gradient[0] += residuals.iter().sum::<f64>();
            for column in 0..matrix.n_columns() {
                gradient[column + 1] += dot(matrix.column(column), &residuals);
            }
            let curvature: Vec<f64> = chances
                .iter()
                .zip(weights)
                .map(|(chance, weight)| weight * chance * (1.0 - chance))
                .collect();
            products(matrix, &curvature).iter().for_each(|chunk| hessian.add(chunk));
        }
        Self { objective: objective(samples, coefficients), gradient, hessian }
    }
}

/// `X' W X` of an intercept and all columns, chunk by chunk of rows, in order.
fn products(matrix: &Matrix, weights: &[f64]) -> Vec<Symmetric> {
    let width = matrix.n_columns() + 1;
    let of_chunk = |(chunk, weights): (usize, &[f64])| {
        let (start, n_rows) = (chunk * CHUNK, weights.len());
        let mut plain = vec![1.0; width * n_rows];
        for column in 1..width {
            let values = &matrix.column(column - 1)[start..start + n_rows];
            plain[column * n_rows..][..n_rows].copy_from_slice(values);
        }
        let weighted: Vec<f64> = plain
            .chunks_exact(n_rows)
            .flat_map(|column| column.iter().zip(weights).map(|(value, weight)| value * weight))
            .collect();
        let mut sum = Symmetric::zeros(width);
        sum.add_product(&plain, &weighted, n_rows);
        sum
    };
    weights.par_chunks(CHUNK).enumerate().map(of_chunk).collect()
}

#[cfg(test)]
mod tests {
    use tribunal_random::Random;

    use super::*;

    fn column(values: &[f64]) -> Matrix {
        Matrix::from_columns(values.len(), vec![values.to_vec()])
    }

    fn fitted(labelled: &[f64], unlabelled: &[f64]) -> LogisticRatio {
        let pair = SamplePair::of_matrices(column(labelled), column(unlabelled)).expect("a pair");
        LogisticRatio::fit(&pair).expect("a fit")
    }

    #[test]
    fn golden_logistic_ratio() {
        let found = fitted(&[0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5], &[1.5, 2.0, 2.5, 3.0, 3.5, 4.0]);
        let expected = [
            -2.368800095,
            0.914389912,
            0.124790615,
            0.197123850,
            0.311384091,
            0.491873773,
            0.776981919,
            1.227349243,
            1.938766047,
            3.062546221,
        ];
        let all = [&[found.intercept], &found.slopes[..], &found.weights.ratios].concat();
        assert_eq!(all.len(), expected.len());
        all.iter().zip(expected).for_each(|(a, b)| assert!((a - b).abs() < 6e-9, "{a} is not {b}"));
    }

    #[test]
    fn samples_that_are_far_apart_have_ratios_of_zero_and_of_the_limit() {
        let found = fitted(&[-1e3, -999.0, 1e3], &[1e3, 1001.0, 1002.0, 1003.0]);
        assert!(found.weights.ratios[0] < 1e-6 && found.weights.ratios[2] > 0.5, "{found:?}");
        let apart = fitted(&[0.0, 1.0], &[10.0, 11.0]);
        assert!(apart.weights.ratios.iter().all(|&ratio| ratio < 0.5), "{apart:?}");
    }

    /// Many chunks give the sums of one pass, and the order of rows does not matter.
    #[test]
    fn large_samples_are_summed_in_chunks() {
        let mut random = Random::new(11);
        let mut draw =
            |n: usize, shift: f64| -> Vec<f64> { (0..n).map(|_| random.normal() + shift).collect() };
        let (labelled, unlabelled) = (draw(3 * CHUNK + 17, 0.0), draw(2 * CHUNK, 0.5));
        let found = fitted(&labelled, &unlabelled);
        // Normal samples with a common variance have log ratios that are linear, with the shift for a slope.
        assert!((found.slopes[0] - 0.5).abs() < 0.06, "{}", found.slopes[0]);
        let reversed: Vec<f64> = labelled.iter().rev().copied().collect();
        let other = fitted(&reversed, &unlabelled);
        assert!((found.intercept - other.intercept).abs() < 1e-10);
    }
}
