//! What a candidate is worth on each inner fold.

use tribunal_eval::metrics::{Kind, Measure};
use tribunal_eval::{Confusion, ListPart, Ranking, ScoredSet, Undefined, Value};
use tribunal_learn::{Dataset, Output, Posteriors, Target};

use crate::resampling::InnerPlan;

/// A metric with the truth of the inner rows.
pub(super) struct Judge {
    measure: Measure,
    n_classes: usize,
    /// The class of each row of the plan.
    truth: Vec<u32>,
    weights: Option<Vec<f64>>,
    /// The weight of all rows of the data set: the list of which a count of cases is one.
    whole: f64,
    /// The rows of each fold, by their position in the plan.
    folds: Vec<Vec<u32>>,
}

impl Judge {
    pub(super) fn new(measure: Measure, dataset: &Dataset, target: &Target, plan: &InnerPlan) -> Self {
        let weights =
            |weights: &[f64]| plan.rows().iter().map(|&row| weights[row as usize]).collect::<Vec<f64>>();
        Judge {
            measure,
            n_classes: target.classes().len(),
            truth: plan.rows().iter().map(|&row| target.codes()[row as usize]).collect(),
            weights: dataset.weights().map(weights),
            whole: dataset.weights().map_or(dataset.n_rows() as f64, |weights| weights.iter().sum()),
            folds: plan.plan().splits().map(|split| split.test).collect(),
        }
    }

    /// How many probabilities a candidate gives.
    pub(super) fn n_probabilities(&self) -> usize {
        self.truth.len() * self.n_classes
    }

    /// The value of the metric on every fold.
    pub(super) fn values(&self, posteriors: &Posteriors) -> Vec<Value> {
        if self.n_classes > 2 && matches!(self.measure.metric.stem(), "pcc" | "error_rate") {
            let predicted: Vec<usize> = posteriors.predicted().collect();
            return self.folds.iter().map(|fold| self.of_predictions(&predicted, fold)).collect();
        }
        let classes = if self.n_classes == 2 { 1..2 } else { 0..self.n_classes };
        let value = |fold: &Vec<u32>| {
            mean_of_defined(classes.clone().map(|class| self.of_class(posteriors, class, fold)))
        };
        self.folds.iter().map(value).collect()
    }

    /// The metric of one class against all others.
    fn of_class(&self, posteriors: &Posteriors, class: usize, fold: &[u32]) -> Value {
        let scores: Vec<f64> = fold.iter().map(|&at| posteriors.row(at as usize)[class]).collect();
        let truth: Vec<bool> = fold.iter().map(|&at| self.truth[at as usize] as usize == class).collect();
        let weights: Option<Vec<f64>> =
            self.weights.as_ref().map(|weights| fold.iter().map(|&at| weights[at as usize]).collect());
        let set = ScoredSet::new(&truth, &scores).and_then(|set| match &weights {
            Some(weights) => set.with_weight(weights),
            None => Ok(set),
        });
        // Posteriors are finite and weights were checked when the data set was made.
        let ranking = set.ok().and_then(|set| Ranking::of(&set).ok()).ok_or(Undefined::NoRows)?;
        let value = match self.measure.metric.kind {
            Kind::Probability if posteriors.output() == Output::Margins => Some(Err(Undefined::Margins)),
            Kind::Cutoff => self.measure.of_confusion(&Confusion::at_score(&ranking, posteriors.cut())),
            _ => {
                let part = ListPart::new(ranking.totals().total(), self.whole);
                self.measure.inside(part).of_ranking(&ranking)
            }
        };
        value.unwrap_or(Err(Undefined::NoRows))
    }

    /// A metric that only asks whether predictions are right.
    fn of_predictions(&self, predicted: &[usize], fold: &[u32]) -> Value {
        let mut confusion = Confusion::default();
        for at in fold.iter().map(|&at| at as usize) {
            let weight = self.weights.as_ref().map_or(1.0, |weights| weights[at]);
            let is_right = predicted[at] == self.truth[at] as usize;
            *(if is_right { &mut confusion.tp } else { &mut confusion.fp }) += weight;
        }
        self.measure.of_confusion(&confusion).unwrap_or(Err(Undefined::NoRows))
    }
}

/// The mean of what has a value; the first reason where nothing has.
fn mean_of_defined(values: impl Iterator<Item = Value>) -> Value {
    let (mut sum, mut n_values, mut reason) = (0.0, 0, None);
    for value in values {
        match value {
            Ok(value) => (sum, n_values) = (sum + value, n_values + 1),
            Err(why) => reason = reason.or(Some(why)),
        }
    }
    if n_values > 0 { Ok(sum / f64::from(n_values)) } else { Err(reason.unwrap_or(Undefined::NoRows)) }
}
