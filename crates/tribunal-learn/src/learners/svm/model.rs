//! Fitted support vector machines: one for each pair of classes that training rows have.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use tribunal_algebra::add_scaled;
use tribunal_memory::available_memory;

use super::kernel::{Kernel, Points};
use super::machine::{Contest, Machine, Rule};
use super::{Svm, explain, show};
use crate::encoding::Encoded;
use crate::explanation::Explanation;
use crate::model::{Case, Scorer};
use crate::model_shape::ModelShape;
use crate::names::{FeatureName, Names};
use crate::posteriors::Posteriors;
use crate::training::Training;

/// A kernel cache takes no more bytes: larger ones were no faster, at twenty thousand rows.
const USUAL_ROOM: usize = 256 << 20;

/// So many bytes are there.
const SMALL_ROOM: usize = 16 << 20;

/// The machines, and the training rows that they need.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Stored")]
pub(crate) struct SvmModel {
    n_classes: usize,
    n_features: usize,
    tolerance: f64,
    pub(super) kernel: Kernel,
    pub(super) machines: Vec<Machine>,
    pub(super) vectors: Vec<Vector>,
}

/// A training row that a machine needs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Vector {
    /// Its number in the training data, from zero.
    pub(super) row: u32,
    pub(super) class: usize,
    pub(super) values: Vec<f64>,
}

#[derive(Deserialize)]
struct Stored {
    n_classes: usize,
    n_features: usize,
    tolerance: f64,
    kernel: Kernel,
    machines: Vec<Machine>,
    vectors: Vec<Vector>,
}

impl TryFrom<Stored> for SvmModel {
    type Error = &'static str;

    fn try_from(stored: Stored) -> Result<Self, Self::Error> {
        let Stored { n_classes, n_features, tolerance, kernel, machines, vectors } = stored;
        let is_vector = |vector: &Vector| {
            vector.class < n_classes
                && vector.values.len() == n_features
                && vector.values.iter().all(|value| value.is_finite())
        };
        let is_machine = |machine: &Machine| {
            machine.is_sound(n_classes, n_features, vectors.len())
                && matches!(machine.rule, Rule::Weights(_)) == (kernel == Kernel::Linear)
        };
        match () {
            () if !kernel.is_sound() => Err("a kernel without any width"),
            () if machines.is_empty() => Err("support vector machines without any machine"),
            () if !vectors.iter().all(is_vector) => Err("support vectors of other columns or classes"),
            () if !machines.iter().all(is_machine) => {
                Err("support vector machines of other columns or classes")
            }
            () => Ok(SvmModel { n_classes, n_features, tolerance, kernel, machines, vectors }),
        }
    }
}

impl SvmModel {
    pub(super) fn fit(settings: &Svm, training: &Training<'_>) -> Self {
        let (kernel, room) = (settings.kernel(training), cache_room(training.n_rows()));
        let decide = |classes: [usize; 2]| {
            Contest::of(training, classes, kernel, settings.c).decide(settings.tolerance, room)
        };
        let mut machines: Vec<Machine> = pairs(training).into_par_iter().map(decide).collect();
        let vectors = gathered(&mut machines, training);
        SvmModel {
            n_classes: training.n_classes,
            n_features: training.matrix().n_columns(),
            tolerance: settings.tolerance,
            kernel,
            machines,
            vectors,
        }
    }

    /// The score of every row by every machine.
    pub(super) fn distances(&self, points: &Points<'_>) -> Vec<Vec<f64>> {
        let mut distances: Vec<Vec<f64>> =
            self.machines.iter().map(|machine| machine.start(points)).collect();
        for (idx, coefficients) in self.users().into_iter().enumerate() {
            let alike = self.kernel.row(points, &self.vectors[idx].values);
            for (machine, coefficient) in coefficients {
                add_scaled(&mut distances[machine], coefficient, &alike);
            }
        }
        distances
    }

    /// The machines that need each vector, with its coefficient there.
    fn users(&self) -> Vec<Vec<(usize, f64)>> {
        let mut users = vec![Vec::new(); self.vectors.len()];
        for (number, machine) in self.machines.iter().enumerate() {
            if let Rule::Vectors(vectors) = &machine.rule {
                vectors.iter().for_each(|&(idx, coefficient)| users[idx].push((number, coefficient)));
            }
        }
        users
    }

    /// How many machines speak for each class in a row.
    fn votes(&self, distances: &[Vec<f64>], row: usize) -> Vec<f64> {
        let mut votes = vec![0.0; self.n_classes];
        for (machine, distances) in self.machines.iter().zip(distances) {
            votes[machine.classes[usize::from(distances[row] >= 0.0)]] += 1.0;
        }
        votes
    }

    pub(super) fn margins(&self, points: &Points<'_>) -> Posteriors {
        let mut distances = self.distances(points);
        if self.n_classes == 2 {
            return Posteriors::of_distances(distances.swap_remove(0));
        }
        let votes = (0..points.n_rows()).flat_map(|row| self.votes(&distances, row)).collect();
        Posteriors::margins(self.n_classes, votes)
    }
}

/// Bytes for a kernel cache: all rows, if they take no more than a usual cache and a share of the memory there is. Less only
/// takes longer.
fn cache_room(n_rows: usize) -> usize {
    let room = (n_rows.saturating_mul(n_rows) * size_of::<f64>()).min(USUAL_ROOM);
    let n_beside = rayon::current_num_threads() as u64;
    let share = |available: u64| usize::try_from(available / (4 * n_beside)).unwrap_or(usize::MAX);
    if room <= SMALL_ROOM { room } else { room.min(share(available_memory().bytes)) }
}

impl Svm {
    fn kernel(&self, training: &Training<'_>) -> Kernel {
        match self.bell {
            None => Kernel::Linear,
            Some(width) => Kernel::Rbf { sigma: width.sigma(Points::of(training.matrix()).n_varying()) },
        }
    }
}

/// Every pair of classes that training rows have, the first before the second.
fn pairs(training: &Training<'_>) -> Vec<[usize; 2]> {
    let weights = training.class_weights();
    let present: Vec<usize> = (0..weights.len()).filter(|&class| weights[class] > 0.0).collect();
    let later = |(idx, &class): (usize, &usize)| {
        present[idx + 1..].iter().map(|&other| [class, other]).collect::<Vec<_>>()
    };
    present.iter().enumerate().flat_map(later).collect()
}

/// The training rows that machines need; their rules then go by the numbers of these.
fn gathered(machines: &mut [Machine], training: &Training<'_>) -> Vec<Vector> {
    let rules = || machines.iter().map(|machine| &machine.rule);
    let positions = rules().flat_map(|rule| match rule {
        Rule::Vectors(vectors) => vectors.iter().map(|(position, _)| *position).collect(),
        Rule::Weights(_) => Vec::new(),
    });
    let mut number_of: BTreeMap<usize, usize> = positions.map(|position| (position, 0)).collect();
    number_of.values_mut().zip(0..).for_each(|(number, idx)| *number = idx);
    for machine in machines {
        if let Rule::Vectors(vectors) = &mut machine.rule {
            vectors.iter_mut().for_each(|(position, _)| *position = number_of[position]);
        }
    }
    let points = Points::of(training.matrix());
    let vector = |&position: &usize| Vector {
        row: training.rows[position],
        class: training.classes[position] as usize,
        values: points.row(position),
    };
    number_of.keys().map(vector).collect()
}

impl Machine {
    /// The score of every row without vectors.
    fn start(&self, points: &Points<'_>) -> Vec<f64> {
        match &self.rule {
            Rule::Vectors(_) => vec![self.intercept; points.n_rows()],
            Rule::Weights(weights) => {
                points.weighed(weights).into_iter().map(|sum| sum + self.intercept).collect()
            }
        }
    }
}

impl Scorer for SvmModel {
    fn fits(&self, shape: &ModelShape) -> bool {
        self.n_classes == shape.n_classes && shape.has_features(self.n_features)
    }

    fn warnings(&self, _features: &[FeatureName]) -> Vec<String> {
        let worst = self.machines.iter().max_by(|a, b| a.violation.total_cmp(&b.violation));
        let Some(worst) = worst.filter(|worst| worst.violation >= self.tolerance) else { return Vec::new() };
        vec![format!(
            "steps ended after {} with the optimum violated by {:.1e}, which is not less than {:e}: scores are near the \
             best ones, not at them; a smaller c or a larger tolerance helps",
            worst.n_steps, worst.violation, self.tolerance
        )]
    }

    fn posteriors(&self, rows: &Encoded<'_>) -> Posteriors {
        self.margins(&Points::of(rows.matrix()))
    }

    fn text(&self, names: &Names) -> String {
        show::text(self, names)
    }

    fn explain(&self, case: &Case<'_>, names: &Names) -> Explanation {
        explain::explain(self, case, names)
    }
}
