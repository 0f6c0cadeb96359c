//! Trees fitted to training rows; relatives share the tree that was grown.

use std::sync::Arc;

use super::cases::Cases;
use super::estimate::Smoothing;
use super::grow::grow;
use super::model::TreeModel;
use super::prune::{Pruning, prune};
use super::settings::{C45, Ending};
use super::tree::Tree;
use super::weights::Sample;
use crate::error::Error;
use crate::model::Fitted;
use crate::training::Training;

/// Fits several members of the family: trees of the same least size are grown once, and pruned once for each way of
/// pruning.
pub(crate) fn fit_all(settings: &[&C45], training: &Training<'_>) -> Result<Vec<Fitted>, Error> {
    settings.iter().try_for_each(|settings| settings.least().map(|_| ()))?;
    if settings.is_empty() {
        return Ok(Vec::new());
    }
    let sample = Sample::of(training);
    let cases = Cases::new(training, &sample.rows)?;
    let mut nursery = Nursery::new(training, &cases, &sample);
    settings.iter().map(|settings| nursery.fit(settings).map(Fitted::C45)).collect()
}

/// The trees that were made so far of the same rows.
pub(crate) struct Nursery<'a> {
    cases: &'a Cases<'a>,
    sample: &'a Sample,
    class_weights: Vec<f64>,
    grown: Vec<(usize, Arc<Tree>)>,
    pruned: Vec<(usize, Ending, Arc<Tree>)>,
}

impl<'a> Nursery<'a> {
    pub(crate) fn new(training: &Training<'_>, cases: &'a Cases<'a>, sample: &'a Sample) -> Self {
        let class_weights = sample.class_weights(training);
        Nursery { cases, sample, class_weights, grown: Vec::new(), pruned: Vec::new() }
    }

    pub(crate) fn fit(&mut self, settings: &C45) -> Result<TreeModel, Error> {
        let least = settings.least()?;
        let tree = match settings.ending {
            Ending::Pruned(pruning) => self.pruned(settings, pruning)?,
            Ending::Unpruned | Ending::Curtailed(_) => self.grown(settings.min),
        };
        Ok(TreeModel { tree, smoothing: Smoothing::new(settings.estimate, &self.class_weights), least })
    }

    fn grown(&mut self, min: usize) -> Arc<Tree> {
        if let Some((_, tree)) = self.grown.iter().find(|(known, _)| *known == min) {
            return Arc::clone(tree);
        }
        let tree = Arc::new(grow(self.cases, self.sample, min as f64));
        self.grown.push((min, Arc::clone(&tree)));
        tree
    }

    fn pruned(&mut self, settings: &C45, pruning: Pruning) -> Result<Arc<Tree>, Error> {
        let key = (settings.min, settings.ending);
        if let Some((.., tree)) = self.pruned.iter().find(|(min, ending, _)| (*min, *ending) == key) {
            return Ok(Arc::clone(tree));
        }
        let grown = self.grown(settings.min);
        let tree = Arc::new(prune(&grown, self.cases, self.sample, pruning)?.0);
        self.pruned.push((settings.min, settings.ending, Arc::clone(&tree)));
        Ok(tree)
    }
}
