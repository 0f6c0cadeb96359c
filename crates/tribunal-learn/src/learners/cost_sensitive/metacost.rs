//! MetaCost: rows are relabelled by what costs least, and the learner learns the new labels.
//!
//! **Definition** m models are fitted to samples of n rows each, drawn with replacement. The probability of a class in a
//! training row is the mean over these models, or with `oob` over those whose sample lacks the row (all where there is none);
//! with `votes` a model gives 1 to the class it predicts. The row gets the class that costs least, of two that cost the same
//! the positive one. The learner is then fitted to all rows with these labels, and its own cut decides.
//!
//! **Undefined when** the learner gives margins and votes are not asked for. Where one class is left, the model is constant.
//!
//! **Reference** Domingos 1999. That paper averages over all models or over those that were not trained on the row; all is the
//! default, as in WEKA.

use rayon::prelude::*;
use tribunal_random::{Random, derive_seed};

use super::super::Learner;
use super::super::arguments::{Arguments, count};
use super::sampling::{MOST_ROWS, n_models};
use crate::costs::CostMatrix;
use crate::cross::fits_side_by_side;
use crate::dataset::Dataset;
use crate::error::Error;
use crate::posteriors::Posteriors;
use crate::target::Target;
use crate::training::needed_target;

/// Models whose probabilities are held at a time.
const MODELS_AT_ONCE: usize = 8;

/// Tags of the seeds of the samples and of the models.
const SAMPLES_SEED: u64 = 0xC057;
const MODELS_SEED: u64 = 0xC058;

const USUAL_MODELS: usize = 50;

/// The settings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct MetaCost {
    n_models: usize,
    /// As many as there are if nobody says.
    n_rows: Option<usize>,
    /// Whether predicted classes are counted instead of probabilities averaged.
    pub(super) votes: bool,
    /// Whether a row is judged by models only that did not draw it.
    out_of_bag: bool,
}

impl MetaCost {
    pub(super) fn parse(arguments: &mut Arguments<'_>) -> Result<MetaCost, Error> {
        let mut has = |word: &str| arguments.word(|found| (found == word).then_some(())).is_some();
        let n_rows = |text: &str| count(text).filter(|&n_rows| n_rows <= MOST_ROWS);
        let (votes, out_of_bag) = (has("votes"), has("oob"));
        let n_models =
            arguments.keyed("m", "a whole number from 1 to 10000", n_models)?.unwrap_or(USUAL_MODELS);
        let n_rows = arguments.keyed("n", "a whole number from 1 to 100000000", n_rows)?;
        Ok(MetaCost { n_models, n_rows, votes, out_of_bag })
    }

    pub(super) fn settings(&self) -> Vec<String> {
        let n_models = (self.n_models != USUAL_MODELS).then(|| format!("m={}", self.n_models));
        let n_rows = self.n_rows.map(|n_rows| format!("n={n_rows}"));
        let votes = self.votes.then(|| "votes".to_owned());
        let out_of_bag = self.out_of_bag.then(|| "oob".to_owned());
        [n_models, n_rows, votes, out_of_bag].into_iter().flatten().collect()
    }

    /// The data set with the labels of some rows changed to what costs least.
    ///
    /// # Errors
    /// As [`Learner::fit`].
    pub(super) fn relabelled(
        &self,
        learner: &Learner,
        (dataset, rows): (&Dataset, &[u32]),
        costs: &CostMatrix,
        seed: u64,
    ) -> Result<Dataset, Error> {
        let means = self.means(learner, (dataset, rows), seed)?;
        let target = needed_target(dataset)?;
        let mut codes = target.codes().to_vec();
        for (&row, probabilities) in rows.iter().zip(means.chunks(costs.n_classes())) {
            codes[row as usize] = costs.decide(probabilities) as u32;
        }
        let target = Target::new(target.name(), target.classes().iter().cloned(), codes)?;
        dataset.clone().with_target(target)
    }

    /// The probability of each class in every row, averaged over the models that judge it.
    fn means(&self, learner: &Learner, of: (&Dataset, &[u32]), seed: u64) -> Result<Vec<f64>, Error> {
        let (dataset, rows) = of;
        let n_classes = needed_target(dataset)?.classes().len();
        let mut all = Sums::new(rows.len(), n_classes);
        let mut without = Sums::new(if self.out_of_bag { rows.len() } else { 0 }, n_classes);
        let models: Vec<usize> = (0..self.n_models).collect();
        let is_parallel = fits_side_by_side(std::slice::from_ref(learner), rows.len());
        for some in models.chunks(MODELS_AT_ONCE) {
            let of_model = |&model: &usize| self.of_model(learner, of, seed, model);
            let found: Result<Vec<_>, Error> = match is_parallel {
                true => some.par_iter().map(of_model).collect(),
                false => some.iter().map(of_model).collect(),
            };
            for (posteriors, is_drawn) in found? {
                all.add(&posteriors, self.votes, |_| true);
                if self.out_of_bag {
                    without.add(&posteriors, self.votes, |at| !is_drawn[rows[at] as usize]);
                }
            }
        }
        Ok(without.or(all).means())
    }

    /// What a model of a sample says of all rows, and which rows of the data set it drew.
    fn of_model(
        &self,
        learner: &Learner,
        (dataset, rows): (&Dataset, &[u32]),
        seed: u64,
        model: usize,
    ) -> Result<(Posteriors, Vec<bool>), Error> {
        let mut random = Random::derived(seed, &[SAMPLES_SEED, model as u64]);
        let n_drawn = self.n_rows.unwrap_or(rows.len());
        let sample: Vec<u32> = (0..n_drawn).map(|_| rows[random.below(rows.len() as u64) as usize]).collect();
        let mut is_drawn = vec![false; if self.out_of_bag { dataset.n_rows() } else { 0 }];
        if self.out_of_bag {
            sample.iter().for_each(|&row| is_drawn[row as usize] = true);
        }
        let seed = derive_seed(seed, &[MODELS_SEED, model as u64]);
        let model = learner.fit_to_score(dataset, &sample, seed)?;
        Ok((model.posteriors(dataset, rows)?, is_drawn))
    }
}

/// Probabilities of rows, summed over models.
struct Sums {
    n_classes: usize,
    values: Vec<f64>,
    n_models: Vec<u32>,
}

impl Sums {
    fn new(n_rows: usize, n_classes: usize) -> Self {
        Sums { n_classes, values: vec![0.0; n_rows * n_classes], n_models: vec![0; n_rows] }
    }

    fn add(&mut self, posteriors: &Posteriors, votes: bool, judges: impl Fn(usize) -> bool) {
        let mut predicted = posteriors.predicted();
        for (row, sums) in self.values.chunks_mut(self.n_classes).enumerate() {
            let class = predicted.next().unwrap_or_default();
            if !judges(row) {
                continue;
            }
            self.n_models[row] += 1;
            match votes {
                true => sums[class] += 1.0,
                false => sums.iter_mut().zip(posteriors.row(row)).for_each(|(sum, p)| *sum += p),
            }
        }
    }

    /// These, and others where no model judged.
    fn or(mut self, others: Sums) -> Sums {
        if self.n_models.is_empty() {
            return others;
        }
        let n = self.n_classes;
        for row in (0..self.n_models.len()).filter(|&row| others.n_models[row] > 0) {
            if self.n_models[row] == 0 {
                self.n_models[row] = others.n_models[row];
                self.values[row * n..][..n].copy_from_slice(&others.values[row * n..][..n]);
            }
        }
        self
    }

    fn means(self) -> Vec<f64> {
        let n_models =
            self.n_models.iter().flat_map(|&n| std::iter::repeat_n(f64::from(n.max(1)), self.n_classes));
        self.values.iter().zip(n_models).map(|(sum, n)| sum / n).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_every_model_drew_are_judged_by_all() {
        let posteriors = Posteriors::new(2, vec![0.8, 0.2, 0.4, 0.6]);
        let (mut all, mut without) = (Sums::new(2, 2), Sums::new(2, 2));
        for _ in 0..3 {
            all.add(&posteriors, false, |_| true);
        }
        without.add(&Posteriors::new(2, vec![0.5, 0.5, 0.0, 1.0]), false, |row| row == 0);
        let means = without.or(all).means();
        let expected = [0.5, 0.5, 0.4, 0.6];
        assert!(
            means.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-12),
            "{means:?}"
        );
    }

    #[test]
    fn a_vote_is_for_the_predicted_class() {
        let mut sums = Sums::new(2, 2);
        sums.add(&Posteriors::new(2, vec![0.8, 0.2, 0.4, 0.6]), true, |_| true);
        sums.add(&Posteriors::new(2, vec![0.4, 0.6, 0.3, 0.7]), true, |_| true);
        assert_eq!(sums.means(), [0.5, 0.5, 0.0, 1.0]);
    }
}
