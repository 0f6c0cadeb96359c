//! The equations of a machine: a kernel matrix with something added to its diagonal, and sums that the bias makes zero.

use tribunal_algebra::{Cholesky, Rectangle};

use super::kernel::Kernel;
use super::points::Points;
use crate::error::{Error, ErrorKind};
use crate::training::Training;

/// A matrix that is not positive definite by rounding errors is tried with ten times the addition, so many times.
const MOST_RETRIES: i32 = 6;

/// What is added to the diagonal is at most this: a row of next to no weight is as good as absent.
const LARGEST_RIDGE: f64 = 1e200;

/// What each training row weighs in a machine, and where the machine starts.
#[derive(Clone, Debug)]
pub(super) struct Solution {
    /// A column for each output.
    pub(super) coefficients: Rectangle,
    pub(super) biases: Vec<f64>,
}

impl Solution {
    /// The solution of `(K + ridges) a + b = t`, `sum a = 0`, for every column of targets.
    pub(super) fn of(factor: &Cholesky, targets: &Rectangle) -> Solution {
        let n_rows = targets.n_rows();
        let ones = std::iter::repeat_n(1.0, n_rows);
        let columns = ones.chain(targets.values().iter().copied()).collect();
        let mut solved = Rectangle::of(n_rows, targets.n_columns() + 1, columns);
        factor.solve_all(&mut solved);
        let of_ones = solved.column(0).to_vec();
        let mut solution = Solution {
            coefficients: Rectangle::of(n_rows, targets.n_columns(), solved.values()[n_rows..].to_vec()),
            biases: Vec::new(),
        };
        for idx in 0..targets.n_columns() {
            let column = solution.coefficients.column_mut(idx);
            solution.biases.push(balance(column, &of_ones));
        }
        solution
    }

    /// The solution of a kernel matrix of points, and the gamma that it is of.
    ///
    /// # Errors
    /// There is none.
    pub(super) fn of_points(
        points: &Points,
        (kernel, gamma): (Kernel, f64),
        training: &Training<'_>,
    ) -> Result<(Solution, f64), Error> {
        let targets = targets(&training.classes, training.n_classes);
        with_lowered(gamma, |gamma| {
            let mut matrix = kernel.applied(kernel.base().of(points));
            matrix.add_diagonal(&ridges(training, gamma));
            Some(Solution::of(&Cholesky::of_large(matrix)?, &targets))
        })
    }
}

/// Takes a multiple of the solution for ones off that for targets, so that the sum is zero; the multiple is the bias.
pub(super) fn balance(coefficients: &mut [f64], of_ones: &[f64]) -> f64 {
    let bias = coefficients.iter().sum::<f64>() / of_ones.iter().sum::<f64>();
    coefficients.iter_mut().zip(of_ones).for_each(|(coefficient, one)| *coefficient -= bias * one);
    bias
}

/// What a machine is to say of training rows: 1 or -1. Of two classes the second is told from the first; of more each from
/// all others.
pub(super) fn targets(classes: &[u32], n_classes: usize) -> Rectangle {
    let told = outputs(n_classes);
    let target = |told: usize| classes.iter().map(move |&class| sign(class as usize == told));
    Rectangle::of(classes.len(), told.len(), told.flat_map(target).collect())
}

/// The classes that have an output.
pub(super) fn outputs(n_classes: usize) -> std::ops::Range<usize> {
    if n_classes == 2 { 1..2 } else { 0..n_classes }
}

fn sign(is_so: bool) -> f64 {
    if is_so { 1.0 } else { -1.0 }
}

/// What is added to the diagonal of each row.
pub(super) fn ridges(training: &Training<'_>, gamma: f64) -> Vec<f64> {
    (0..training.n_rows()).map(|row| ridge(gamma, training.weight(row))).collect()
}

pub(super) fn ridge(gamma: f64, weight: f64) -> f64 {
    (1.0 / (gamma * weight)).min(LARGEST_RIDGE)
}

/// The first attempt that succeeds, with its gamma: that asked for, or a tenth of the one before.
///
/// # Errors
/// None does.
pub(super) fn with_lowered<T>(gamma: f64, attempt: impl Fn(f64) -> Option<T>) -> Result<(T, f64), Error> {
    let mut gammas = (0..=MOST_RETRIES).map(|n_retried| gamma / 10_f64.powi(n_retried));
    gammas.find_map(|gamma| Some((attempt(gamma)?, gamma))).ok_or_else(|| {
        let problem =
            format!("the kernel matrix cannot be solved, not even with gamma={gamma} divided by a million");
        Error::new(ErrorKind::Unsolvable, problem).advise(
            "give a smaller gamma or a lower degree, and look for columns with values that are far out",
        )
    })
}
