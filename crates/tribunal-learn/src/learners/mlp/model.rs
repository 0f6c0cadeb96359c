//! Networks as they are kept and applied: one for the second of two classes, or one for each of more.

use serde::{Deserialize, Serialize};

use super::layout::Layout;
use super::net::{Judgement, Net};
use super::settings::Mlp;
use super::train::Trained;
use crate::encoding::{Encoded, Matrix};
use crate::explanation::Explanation;
use crate::learners::log_scores::{against_others, normalise};
use crate::model::{Case, Scorer};
use crate::model_shape::ModelShape;
use crate::names::{FeatureName, Names};
use crate::posteriors::Posteriors;

/// Networks for the second of two classes, or for each of more.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Stored")]
pub(crate) struct MlpModel {
    n_features: usize,
    n_hidden: usize,
    pub(super) n_cycles: usize,
    n_iterations: usize,
    /// `None` for a class without training rows.
    pub(super) nets: Vec<Option<Net>>,
}

#[derive(Deserialize)]
struct Stored {
    n_features: usize,
    n_hidden: usize,
    n_cycles: usize,
    n_iterations: usize,
    nets: Vec<Option<Net>>,
}

impl TryFrom<Stored> for MlpModel {
    type Error = &'static str;

    fn try_from(stored: Stored) -> Result<Self, Self::Error> {
        let Stored { n_features, n_hidden, n_cycles, n_iterations, nets } = stored;
        let layout = Layout { n_inputs: n_features, n_hidden };
        match nets.len() {
            0 | 2 => Err("networks that fit no number of classes"),
            _ if n_hidden == 0 || n_hidden.max(n_features) > super::MOST_WEIGHTS => {
                Err("networks of a size that is not possible")
            }
            _ if !nets.iter().flatten().all(|net| net.fits(layout)) => Err("networks of another size"),
            _ if nets.iter().flatten().next().is_none() => Err("networks of no class"),
            _ => Ok(MlpModel { n_features, n_hidden, n_cycles, n_iterations, nets }),
        }
    }
}

impl MlpModel {
    /// What was trained of each class; `None` where a covariance is asked for that is not finite.
    pub(super) fn new(settings: &Mlp, layout: Layout, trained: &[Option<Trained>]) -> Option<Self> {
        let net = |trained: &Option<Trained>| match trained {
            Some(trained) => Net::new(trained, settings.smoothed).map(Some),
            None => Some(None),
        };
        Some(MlpModel {
            n_features: layout.n_inputs,
            n_hidden: layout.n_hidden,
            n_cycles: settings.cycles,
            n_iterations: settings.iterations,
            nets: trained.iter().map(net).collect::<Option<Vec<Option<Net>>>>()?,
        })
    }

    pub(super) fn layout(&self) -> Layout {
        Layout { n_inputs: self.n_features, n_hidden: self.n_hidden }
    }

    fn n_classes(&self) -> usize {
        self.nets.len().max(2)
    }

    /// The class of a network.
    pub(super) fn class(&self, idx: usize) -> usize {
        if self.nets.len() == 1 { 1 } else { idx }
    }

    /// The log of what each class has before all are made to add up to one.
    fn logs(&self, matrix: &Matrix) -> Vec<f64> {
        let moderated =
            |net: &Net| net.judge(self.layout(), matrix).into_iter().map(Judgement::moderated).collect();
        against_others(matrix.n_rows(), self.nets.iter().map(|net| net.as_ref().map(moderated)))
    }
}

impl Scorer for MlpModel {
    fn fits(&self, shape: &ModelShape) -> bool {
        self.nets.len() == shape.n_functions() && shape.has_features(self.n_features)
    }

    fn warnings(&self, _features: &[FeatureName]) -> Vec<String> {
        let is_settled = self.nets.iter().flatten().all(|net| net.has_converged);
        let more = self.n_iterations.saturating_mul(5);
        let warning = || {
            format!(
                "the weights had not settled after {} steps of the last of {} cycles; more steps \
                 (iterations={more}) may change scores, relevance and evidence",
                self.n_iterations, self.n_cycles
            )
        };
        (!is_settled).then(warning).into_iter().collect()
    }

    fn posteriors(&self, rows: &Encoded<'_>) -> Posteriors {
        let n_classes = self.n_classes();
        let mut logs = self.logs(rows.matrix());
        let even = vec![1.0 / n_classes as f64; n_classes];
        logs.chunks_exact_mut(n_classes).for_each(|row| normalise(row, &even));
        Posteriors::new(n_classes, logs)
    }

    fn text(&self, names: &Names) -> String {
        super::show::text(self, names)
    }

    fn explain(&self, case: &Case<'_>, names: &Names) -> Explanation {
        let posteriors = self.posteriors(case.rows).row(case.row).to_vec();
        super::explain::explain(self, case, names, posteriors)
    }
}
