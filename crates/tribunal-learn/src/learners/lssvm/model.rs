//! A fitted machine: a weighted sum of columns, or of likenesses to training rows.

use serde::{Deserialize, Serialize};
use tribunal_algebra::{add_scaled, dot};

use super::explain;
use super::kernel::Kernel;
use super::memory::Memory;
use super::points::{Points, n_telling};
use super::primal::{Primal, Sums, clamped};
use super::settings::LsSvm;
use super::show;
use super::system::{Solution, outputs, ridge, targets};
use crate::encoding::{Encoded, Matrix};
use crate::error::Error;
use crate::explanation::Explanation;
use crate::model::{Case, Scorer};
use crate::model_shape::ModelShape;
use crate::names::{FeatureName, Names};
use crate::posteriors::Posteriors;
use crate::training::Training;

/// So many training rows are remembered for each output as those that weigh most.
const MOST_STRONGEST: usize = 10;

/// A machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Stored")]
pub(crate) struct LsSvmModel {
    pub(super) n_classes: usize,
    pub(super) n_features: usize,
    pub(super) n_rows: usize,
    /// What was asked for.
    pub(super) gamma: f64,
    /// What could be solved.
    pub(super) used_gamma: f64,
    /// Where each output starts.
    pub(super) biases: Vec<f64>,
    pub(super) function: Function,
    /// The training rows with the largest coefficients, for each output.
    pub(super) strongest: Vec<Vec<Strong>>,
}

/// What is added to the bias.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Function {
    /// The weight of each column of the matrix, for each output.
    Linear(Vec<Vec<f64>>),
    Kernel(KernelSum),
}

/// A sum over training rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct KernelSum {
    pub(super) kernel: Kernel,
    pub(super) points: Points,
    /// The class of each training row.
    pub(super) classes: Vec<u32>,
    /// The numbers of the training rows in their data set, from zero.
    pub(super) rows: Vec<u32>,
    /// The coefficient of each training row, for each output.
    pub(super) coefficients: Vec<Vec<f64>>,
}

/// A training row with what it weighs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Strong {
    pub(super) row: u32,
    pub(super) class: u32,
    pub(super) coefficient: f64,
}

#[derive(Deserialize)]
struct Stored {
    n_classes: usize,
    n_features: usize,
    n_rows: usize,
    gamma: f64,
    used_gamma: f64,
    biases: Vec<f64>,
    function: Function,
    strongest: Vec<Vec<Strong>>,
}

impl TryFrom<Stored> for LsSvmModel {
    type Error = &'static str;

    fn try_from(stored: Stored) -> Result<Self, Self::Error> {
        let Stored { n_classes, n_features, n_rows, gamma, used_gamma, biases, function, strongest } = stored;
        let n_outputs = outputs(n_classes).len();
        let is_class = |class: u32| (class as usize) < n_classes;
        if n_classes < 2 || biases.len() != n_outputs || !biases.iter().all(|bias| bias.is_finite()) {
            return Err("a machine of other classes than it has");
        }
        if !function.fits(n_features, n_outputs, is_class) {
            return Err("a machine of other columns or rows than it has");
        }
        let are_classes = strongest.iter().flatten().all(|strong| is_class(strong.class));
        if strongest.len() != n_outputs || !are_classes {
            return Err("training rows of classes that are not there");
        }
        Ok(LsSvmModel { n_classes, n_features, n_rows, gamma, used_gamma, biases, function, strongest })
    }
}

impl Function {
    /// Whether it is one of so many columns and outputs.
    fn fits(&self, n_features: usize, n_outputs: usize, is_class: impl Fn(u32) -> bool) -> bool {
        let are = |lists: &Vec<Vec<f64>>, length: usize| {
            let fits = |list: &Vec<f64>| list.len() == length && list.iter().all(|value| value.is_finite());
            lists.len() == n_outputs && lists.iter().all(fits)
        };
        match self {
            Function::Linear(weights) => are(weights, n_features),
            Function::Kernel(sum) => {
                let n_rows = sum.points.n_rows();
                are(&sum.coefficients, n_rows)
                    && sum.points.n_columns() == n_features
                    && sum.rows.len() == n_rows
                    && sum.classes.len() == n_rows
                    && sum.classes.iter().all(|&class| is_class(class))
            }
        }
    }
}

impl LsSvmModel {
    /// Learns from rows.
    ///
    /// # Errors
    /// A setting is to be tuned, there are more rows than memory, or the equations have no solution.
    pub(super) fn fit(settings: &LsSvm, training: &Training<'_>, memory: Memory) -> Result<Self, Error> {
        let matrix = training.matrix();
        let (kernel, gamma) = settings.settled(n_telling(matrix))?;
        if kernel == Kernel::Linear && matrix.n_columns() < training.n_rows() {
            let (primal, used_gamma) = Sums::of(training).solved(gamma)?;
            return Ok(LsSvmModel::of_primal(primal, (gamma, used_gamma), training));
        }
        memory.check(training.n_rows())?;
        let points = Points::of(matrix);
        let (solution, used_gamma) = Solution::of_points(&points, (kernel, gamma), training)?;
        Ok(LsSvmModel::of_dual(solution, (gamma, used_gamma), points, kernel, training))
    }

    fn of_primal(primal: Primal, gammas: (f64, f64), training: &Training<'_>) -> Self {
        let Primal { weights, biases } = primal;
        let targets = targets(&training.classes, training.n_classes);
        let coefficients = |(idx, (weights, bias)): (usize, (&Vec<f64>, &f64))| {
            let said = linear_sum(weights, *bias, training.matrix());
            let errors = said.iter().zip(targets.column(idx)).map(|(said, target)| target - said);
            errors.enumerate().map(|(row, error)| error / ridge(gammas.1, training.weight(row))).collect()
        };
        let coefficients: Vec<Vec<f64>> = weights.iter().zip(&biases).enumerate().map(coefficients).collect();
        LsSvmModel::of(Function::Linear(weights), biases, &coefficients, gammas, training)
    }

    fn of_dual(
        Solution { coefficients, biases }: Solution,
        gammas: (f64, f64),
        points: Points,
        kernel: Kernel,
        training: &Training<'_>,
    ) -> Self {
        let n_outputs = coefficients.n_columns();
        let coefficients: Vec<Vec<f64>> =
            (0..n_outputs).map(|idx| coefficients.column(idx).to_vec()).collect();
        let function = match kernel {
            Kernel::Linear => Function::Linear(coefficients.iter().map(|list| points.sum(list)).collect()),
            kernel => Function::Kernel(KernelSum {
                kernel,
                points,
                classes: training.classes.to_vec(),
                rows: training.rows.to_vec(),
                coefficients: coefficients.clone(),
            }),
        };
        LsSvmModel::of(function, biases, &coefficients, gammas, training)
    }

    fn of(
        function: Function,
        biases: Vec<f64>,
        coefficients: &[Vec<f64>],
        (gamma, used_gamma): (f64, f64),
        training: &Training<'_>,
    ) -> Self {
        LsSvmModel {
            n_classes: training.n_classes,
            n_features: training.matrix().n_columns(),
            n_rows: training.n_rows(),
            gamma,
            used_gamma,
            biases,
            function,
            strongest: coefficients.iter().map(|list| strongest(list, training)).collect(),
        }
    }

    /// What every output is for rows of a matrix.
    fn values(&self, matrix: &Matrix) -> Vec<Vec<f64>> {
        match &self.function {
            Function::Linear(weights) => {
                let outputs = weights.iter().zip(&self.biases);
                outputs.map(|(weights, bias)| linear_sum(weights, *bias, matrix)).collect()
            }
            Function::Kernel(sum) => sum.values(matrix, &self.biases),
        }
    }
}

/// The rows with the largest coefficients, the first of equals first.
fn strongest(coefficients: &[f64], training: &Training<'_>) -> Vec<Strong> {
    let mut order: Vec<usize> = (0..coefficients.len()).collect();
    order.sort_by(|&a, &b| coefficients[b].abs().total_cmp(&coefficients[a].abs()).then(a.cmp(&b)));
    let strong = |row: usize| Strong {
        row: training.rows[row],
        class: training.classes[row],
        coefficient: coefficients[row],
    };
    order.into_iter().take(MOST_STRONGEST).map(strong).collect()
}

/// A bias and a weighted sum of columns, for every row.
pub(super) fn linear_sum(weights: &[f64], bias: f64, matrix: &Matrix) -> Vec<f64> {
    let mut sums = vec![bias; matrix.n_rows()];
    for (idx, &weight) in weights.iter().enumerate() {
        add_scaled(&mut sums, weight, &clamped(matrix, idx));
    }
    sums
}

impl KernelSum {
    /// What every output is for rows of a matrix.
    fn values(&self, matrix: &Matrix, biases: &[f64]) -> Vec<Vec<f64>> {
        let mut values: Vec<Vec<f64>> = vec![Vec::with_capacity(matrix.n_rows()); biases.len()];
        for (n_rows, likeness) in self.kernel.blocks(&self.points, matrix) {
            for ((values, coefficients), bias) in values.iter_mut().zip(&self.coefficients).zip(biases) {
                values.extend((0..n_rows).map(|idx| bias + dot(coefficients, likeness.column(idx))));
            }
        }
        values
    }
}

/// Margins from the values of outputs.
pub(super) fn margins(values: &[Vec<f64>], n_classes: usize) -> Posteriors {
    match values {
        [distances] => Posteriors::of_distances(distances.iter().copied()),
        _ => {
            let n_rows = values.first().map_or(0, Vec::len);
            let row = |row: usize| values.iter().map(move |values| values[row]);
            Posteriors::margins(n_classes, (0..n_rows).flat_map(row).collect())
        }
    }
}

impl Scorer for LsSvmModel {
    fn fits(&self, shape: &ModelShape) -> bool {
        self.n_classes == shape.n_classes && shape.has_features(self.n_features)
    }

    fn warnings(&self, _features: &[FeatureName]) -> Vec<String> {
        let warning = || {
            format!(
                "the kernel matrix was not positive definite with gamma={}, so gamma={} was taken",
                self.gamma, self.used_gamma
            )
        };
        (self.used_gamma != self.gamma).then(warning).into_iter().collect()
    }

    fn posteriors(&self, rows: &Encoded<'_>) -> Posteriors {
        margins(&self.values(rows.matrix()), self.n_classes)
    }

    fn text(&self, names: &Names) -> String {
        show::text(self, names)
    }

    fn explain(&self, case: &Case<'_>, names: &Names) -> Explanation {
        explain::explain(self, case, names)
    }
}
