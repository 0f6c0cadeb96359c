//! The machine of two classes: what tells them apart, and what people want to know of it.

use serde::{Deserialize, Serialize};

use super::LARGEST_C;
use super::kernel::{Kernel, Points};
use super::solve::{Problem, Solution};
use crate::training::Training;

/// So many of the rows that weigh most are named.
const MOST_NAMED: usize = 10;

/// Less cannot be told from nothing.
const SMALLEST_CAP: f64 = 1e-200;

/// What tells two classes apart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Machine {
    /// The classes of negative and of positive scores.
    pub(super) classes: [usize; 2],
    pub(super) intercept: f64,
    pub(super) rule: Rule,
    pub(super) objective: f64,
    pub(super) violation: f64,
    pub(super) n_steps: usize,
    /// Of each of the two classes.
    pub(super) support: [Support; 2],
    /// The rows with the largest alpha, the largest first.
    pub(super) heaviest: Vec<Heavy>,
}

/// What the score is made of besides the intercept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Rule {
    /// A weight for each column of the matrix.
    Weights(Vec<f64>),
    /// The numbers of vectors, each with its alpha y.
    Vectors(Vec<(usize, f64)>),
}

/// How many rows of a class hold the margin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Support {
    pub(super) n_vectors: usize,
    /// How many of them give all they have.
    pub(super) n_bound: usize,
}

/// A row that weighs much.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Heavy {
    /// Its number in the training data, from zero.
    pub(super) row: u32,
    pub(super) class: usize,
    pub(super) alpha: f64,
}

/// The rows of two classes, and which they are.
pub(super) struct Contest<'a> {
    training: &'a Training<'a>,
    classes: [usize; 2],
    /// The positions of the rows among all training rows.
    positions: Vec<u32>,
    problem: Problem<'a>,
}

impl<'a> Contest<'a> {
    pub(super) fn of(training: &'a Training<'a>, classes: [usize; 2], kernel: Kernel, c: f64) -> Self {
        let is_of = |position: &u32| classes.contains(&(training.classes[*position as usize] as usize));
        let positions: Vec<u32> = (0..training.n_rows() as u32).filter(is_of).collect();
        let target = |&position: &u32| match training.classes[position as usize] as usize == classes[1] {
            true => 1.0,
            false => -1.0,
        };
        let cap = |&position: &u32| (c * training.weight(position as usize)).clamp(SMALLEST_CAP, LARGEST_C);
        let problem = Problem {
            kernel,
            points: Points::some(training.matrix(), &positions),
            targets: positions.iter().map(target).collect(),
            caps: positions.iter().map(cap).collect(),
        };
        Contest { training, classes, positions, problem }
    }

    /// The machine, its vectors numbered by their position among the training rows.
    pub(super) fn decide(&self, tolerance: f64, room: usize) -> Machine {
        let solution = self.problem.solve(tolerance, room);
        Machine {
            classes: self.classes,
            intercept: solution.intercept,
            rule: self.rule(&solution),
            objective: solution.objective,
            violation: solution.violation,
            n_steps: solution.n_steps,
            support: [-1.0, 1.0].map(|target| self.support(&solution, target)),
            heaviest: self.heaviest(&solution),
        }
    }

    fn rule(&self, Solution { coefficients, .. }: &Solution) -> Rule {
        match self.problem.kernel {
            Kernel::Linear => Rule::Weights(self.problem.points.combined(coefficients)),
            Kernel::Rbf { .. } => {
                let all = self.positions.iter().map(|&position| position as usize);
                Rule::Vectors(all.zip(coefficients.iter().copied()).filter(|(_, c)| *c != 0.0).collect())
            }
        }
    }

    fn support(&self, Solution { coefficients, .. }: &Solution, target: f64) -> Support {
        let rows = || (0..coefficients.len()).filter(|&row| self.problem.targets[row] == target);
        Support {
            n_vectors: rows().filter(|&row| coefficients[row] != 0.0).count(),
            n_bound: rows().filter(|&row| coefficients[row].abs() == self.problem.caps[row]).count(),
        }
    }

    fn heaviest(&self, Solution { coefficients, .. }: &Solution) -> Vec<Heavy> {
        let mut rows: Vec<usize> = (0..coefficients.len()).filter(|&row| coefficients[row] != 0.0).collect();
        rows.sort_by(|&a, &b| coefficients[b].abs().total_cmp(&coefficients[a].abs()));
        rows.truncate(MOST_NAMED);
        let heavy = |row: usize| {
            let position = self.positions[row] as usize;
            Heavy {
                row: self.training.rows[position],
                class: self.training.classes[position] as usize,
                alpha: coefficients[row].abs(),
            }
        };
        rows.into_iter().map(heavy).collect()
    }
}

impl Machine {
    /// Whether it fits so many classes, columns and vectors.
    pub(super) fn is_sound(&self, n_classes: usize, n_features: usize, n_vectors: usize) -> bool {
        let [negative, positive] = self.classes;
        let rule = match &self.rule {
            Rule::Weights(weights) => {
                n_vectors == 0
                    && weights.len() == n_features
                    && weights.iter().all(|weight| weight.is_finite())
            }
            Rule::Vectors(vectors) => vectors.iter().all(|(idx, c)| *idx < n_vectors && c.is_finite()),
        };
        let is_named = |heavy: &Heavy| heavy.class < n_classes;
        let is_finite =
            [self.intercept, self.objective, self.violation].iter().all(|value| value.is_finite());
        negative < positive && positive < n_classes && rule && is_finite && self.heaviest.iter().all(is_named)
    }
}
