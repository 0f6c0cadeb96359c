//! How each method makes a model with a plain learner.

use tribunal_random::{Random, derive_seed};

use super::sample_models::SampleModels;
use super::sampling::Sampling;
use super::weighting::weighted;
use super::{CostSensitive, Means};
use crate::costs::CostMatrix;
use crate::dataset::Dataset;
use crate::encoding::Encoder;
use crate::error::Error;
use crate::learners::Learner;
use crate::learners::learner::Use;
use crate::model::{Fitted, Model};
use crate::training::{Training, counting_rows, needed_target};

/// Tags of the seeds of samples and of their models.
const SAMPLES_SEED: u64 = 0xC059;
const MODELS_SEED: u64 = 0xC05A;

impl CostSensitive {
    /// A model of some rows by a plain learner, with costs.
    ///
    /// # Errors
    /// The costs are missing or do not fit the target, the learner gives margins where probabilities are needed, or as
    /// [`Learner::fit`].
    pub(in crate::learners) fn fit(
        &self,
        plain: &Learner,
        use_: Use,
        (dataset, rows): (&Dataset, &[u32]),
        seed: u64,
    ) -> Result<Model, Error> {
        let target = needed_target(dataset)?;
        let costs = self.needed_costs(target.classes().len())?;
        self.check_output(plain.output())?;
        let rows = &counting_rows(dataset, rows)?[..];
        let class = |row: &u32| target.codes()[*row as usize];
        if rows.iter().all(|row| class(row) == class(&rows[0])) {
            return plain.fit_for(use_, dataset, rows, seed);
        }
        match &self.method {
            Means::Threshold => plain.fit_for(use_, dataset, rows, seed),
            Means::Weights => {
                let model = plain.fit_for(use_, &weighted(dataset, rows, costs)?, rows, seed)?;
                Ok(model.warned(without_cost(costs, dataset, rows)))
            }
            Means::Resample(sampling) => {
                let model = resampled(plain, use_, *sampling, costs, (dataset, rows), seed)?;
                Ok(model.warned(without_cost(costs, dataset, rows)))
            }
            Means::MetaCost(metacost) => {
                let relabelled = metacost.relabelled(plain, (dataset, rows), costs, seed)?;
                let codes = needed_target(&relabelled)?.codes();
                let is_constant = rows.iter().all(|&row| codes[row as usize] == codes[rows[0] as usize]);
                let constant = "MetaCost gave all training rows the same label: under these costs one prediction is always \
                                the cheapest";
                let model = plain.fit_for(use_, &relabelled, rows, seed)?;
                Ok(model.warned(is_constant.then(|| constant.to_owned())))
            }
        }
    }
}

/// A warning about rows that count for nothing.
fn without_cost(costs: &CostMatrix, dataset: &Dataset, rows: &[u32]) -> Option<String> {
    let target = dataset.target()?;
    let weights = costs.class_weights();
    let is_left_out = |row: &&u32| weights.as_slice()[target.codes()[**row as usize] as usize] == 0.0;
    let n_left_out = rows.iter().filter(is_left_out).count();
    (n_left_out > 0).then(|| {
        format!(
            "{n_left_out} of {} training rows are left out: under these costs errors on them cost nothing",
            rows.len()
        )
    })
}

/// A model of rows drawn by cost, or the mean of several.
fn resampled(
    plain: &Learner,
    use_: Use,
    sampling: Sampling,
    costs: &CostMatrix,
    (dataset, rows): (&Dataset, &[u32]),
    seed: u64,
) -> Result<Model, Error> {
    let target = needed_target(dataset)?;
    let weights = costs.class_weights();
    let costly = |row: &u32| weights.as_slice()[target.codes()[*row as usize] as usize] > 0.0;
    let rows: Vec<u32> = rows.iter().copied().filter(costly).collect();
    let classes: Vec<u32> = rows.iter().map(|&row| target.codes()[row as usize]).collect();
    let costs = weights.of_rows(&classes);
    let sample =
        |model: u64| sampling.draw(&classes, &costs, &mut Random::derived(seed, &[SAMPLES_SEED, model]));
    if sampling.n_models() == 1 {
        let drawn: Vec<u32> = sample(0)?.into_iter().map(|position| rows[position as usize]).collect();
        return plain.fit_for(use_, dataset, &drawn, seed);
    }
    // The models share columns as they are encoded for all rows.
    let encoder = Encoder::fit(&plain.view(), dataset, &rows)?;
    let training = Training::encode(dataset, &rows, &encoder)?;
    Model::fit(plain, dataset, encoder, &training, || {
        let fit = |model: u64| {
            plain.fit_sample(dataset, &training, &sample(model)?, derive_seed(seed, &[MODELS_SEED, model]))
        };
        Ok(Fitted::SampleModels(SampleModels::fit(sampling.n_models(), fit)?))
    })
}
