//! Labels of a few rows: which rows of the population to ask for, what their labels are likely to buy, and what they say.
//!
//! Only rows on which learners disagree can tell learners apart. Rows are drawn among them at random, so that whoever labels them from
//! the top and stops anywhere has a random sample.

use rayon::prelude::*;
use tribunal_eval::unlabelled::{FewLabels, LabelledRow, Predictions, disagreeing_rows, draw_rows};
use tribunal_random::Random;

use super::evidence::Evidence;
use super::request::SelectRequest;
use super::results::{
    AskedLabels, LabelledDifference, LabelledLearner, LabelsFound, LearnerLabels, LikelyGain,
};
use super::row_order::RowOrder;
use crate::error::Error;

/// Numbers of labels whose worth is told.
const LABELS: [usize; 4] = [0, 10, 25, 50];
/// Draws of labels from the consensus.
const DRAWS: usize = 400;
/// Seeds of these draws.
const LIKELY: u64 = 0xA5C;

/// Who asks, and whom.
pub(super) struct Asking<'a> {
    pub(super) request: &'a SelectRequest,
    pub(super) evidence: &'a Evidence<'a>,
    pub(super) classes: &'a [String],
    /// Which row of its file stands where in the population.
    pub(super) order: &'a RowOrder,
}

/// The labels that were given, as far as they say something.
struct GivenLabels {
    /// Those of rows on which learners disagree.
    labelled: Vec<LabelledRow>,
    /// How many rows have a label on which all learners agree.
    n_agreed: usize,
    /// Rows on which learners disagree.
    disagreeing: Vec<u32>,
}

impl Asking<'_> {
    fn n_rows(&self) -> usize {
        self.evidence.populations.deploy.n_rows()
    }

    fn name(&self, voice: usize) -> String {
        self.request.entrants[self.evidence.voices[voice].learner].to_string()
    }

    fn predictions(&self) -> Vec<&Predictions<'_>> {
        self.evidence.candidates.iter().map(|candidate| &candidate.unlabelled).collect()
    }

    fn disagreeing(&self) -> Result<Vec<u32>, Error> {
        Ok(disagreeing_rows(&self.predictions())?)
    }

    fn given(&self) -> Result<GivenLabels, Error> {
        let disagreeing = self.disagreeing()?;
        let mut labelled = Vec::new();
        for (&row, label) in &self.request.labels {
            let found = LabelledRow { row: self.place_of(row)?, class: self.class_of(row, label)? };
            // Learners agree on other rows, so their labels say nothing about which learner is better.
            if disagreeing.binary_search(&found.row).is_ok() {
                labelled.push(found);
            }
        }
        labelled.sort_unstable_by_key(|one| one.row);
        let n_agreed = self.request.labels.len() - labelled.len();
        Ok(GivenLabels { labelled, n_agreed, disagreeing })
    }

    fn place_of(&self, row: u64) -> Result<u32, Error> {
        self.order.place_of(row).ok_or_else(|| {
            Error::data(format!(
                "a label is given for row {row}, and the population has {} rows",
                self.n_rows()
            ))
        })
    }

    fn class_of(&self, row: u64, label: &str) -> Result<u32, Error> {
        let class = self.classes.iter().position(|class| class == label).ok_or_else(|| {
            let near = tribunal_io::nearest(label, self.classes.iter().map(String::as_str));
            let near = near.map_or_else(String::new, |near| format!("; did you mean \"{near}\"?"));
            let classes = self.classes.join(", ");
            Error::data(format!(
                "row {row} is labelled \"{label}\", which is none of the classes {classes}{near}"
            ))
        })?;
        Ok(class as u32)
    }

    /// The labels that were given; nothing without any.
    pub(super) fn few_labels(&self) -> Result<Option<FewLabels>, Error> {
        if self.request.labels.is_empty() {
            return Ok(None);
        }
        Ok(Some(FewLabels::of(&self.predictions(), &self.given()?.labelled)?))
    }

    /// Rows to ask for, drawn at random: those whose labels are known first, then as many others as are asked for. Nothing where every
    /// row has its label already.
    fn draw(&self, disagreeing: &[u32]) -> Vec<u32> {
        let is_known = |row: &u32| self.request.labels.contains_key(&self.order.number_of(*row));
        let drawn = draw_rows(disagreeing, disagreeing.len(), self.request.seed);
        let (known, mut new): (Vec<u32>, Vec<u32>) = drawn.into_iter().partition(is_known);
        new.truncate(self.request.ask);
        if new.is_empty() { Vec::new() } else { [known, new].concat() }
    }

    /// Rows whose labels would help most, and what they are likely to buy.
    pub(super) fn ask(&self, scores: &[Option<f64>]) -> Result<Option<AskedLabels>, Error> {
        if self.request.ask == 0 {
            return Ok(None);
        }
        let disagreeing = self.disagreeing()?;
        let drawn = self.draw(&disagreeing);
        let said = |(voice, said): (usize, &&Predictions<'_>)| LearnerLabels {
            learner: self.name(voice),
            labels: drawn
                .iter()
                .map(|&row| self.classes[said.decisions().of_row(row as usize)].clone())
                .collect(),
        };
        let numbers = LABELS.into_iter().chain([self.request.ask]);
        let mut numbers: Vec<usize> = numbers.map(|labels| labels.min(disagreeing.len())).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let likely = numbers.into_iter().map(|labels| LikelyGain {
            labels: labels as u64,
            regret: self.likely_regret(labels, &disagreeing, scores),
        });
        Ok(Some(AskedLabels {
            disagreeing: disagreeing.len() as u64,
            likely: likely.collect(),
            labels: self.predictions().iter().enumerate().map(said).collect(),
            rows: drawn.iter().map(|&row| self.order.number_of(row)).collect(),
        }))
    }

    /// The mean loss of accuracy of the choice after so many labels, were the consensus the truth: the classes of disagreeing rows are
    /// drawn from it again and again.
    fn likely_regret(&self, n_labels: usize, disagreeing: &[u32], scores: &[Option<f64>]) -> f64 {
        let regret = |draw: usize| {
            let mut random = Random::derived(self.request.seed, &[LIKELY, n_labels as u64, draw as u64]);
            let truth = self.drawn_truth(disagreeing, &mut random);
            let predictions = self.predictions();
            let is_right = |voice: usize, row: u32, class: u32| {
                predictions[voice].decisions().of_row(row as usize) == class as usize
            };
            let right = |voice: usize| {
                disagreeing.iter().zip(&truth).filter(|&(&row, &class)| is_right(voice, row, class)).count()
            };
            let rights: Vec<usize> = (0..predictions.len()).map(right).collect();
            let mut order: Vec<usize> = (0..disagreeing.len()).collect();
            random.shuffle(&mut order);
            let labelled: Vec<LabelledRow> = order[..n_labels.min(order.len())]
                .iter()
                .map(|&place| LabelledRow { row: disagreeing[place], class: truth[place] })
                .collect();
            let few = FewLabels::of(&predictions, &labelled).ok()?;
            let updated = |voice: usize| scores[voice].map(|score| few.update(predictions[voice], score));
            let better = |best: usize, next: usize| if updated(next) > updated(best) { next } else { best };
            let choice = (0..predictions.len()).reduce(better)?;
            let best = rights.iter().max()?;
            Some((best - rights[choice]) as f64 / self.n_rows() as f64)
        };
        let regrets: Vec<f64> = (0..DRAWS).into_par_iter().filter_map(regret).collect();
        regrets.iter().sum::<f64>() / regrets.len().max(1) as f64
    }

    /// A class for each of some rows, drawn from the consensus.
    fn drawn_truth(&self, rows: &[u32], random: &mut Random) -> Vec<u32> {
        let consensus = self.evidence.consensus.unlabelled();
        let mut class_of = |&row: &u32| {
            let (mut left, shares) = (random.uniform(), consensus.row(row as usize));
            let drawn = shares.iter().position(|share| {
                left -= share;
                left < 0.0
            });
            drawn.unwrap_or(consensus.n_classes() - 1) as u32
        };
        rows.iter().map(&mut class_of).collect()
    }

    /// What the labels that were given say.
    pub(super) fn labels_found(&self, scores: &[Option<f64>]) -> Result<Option<LabelsFound>, Error> {
        let Some(few) = self.few_labels()? else { return Ok(None) };
        let GivenLabels { labelled, n_agreed, disagreeing } = self.given()?;
        let (predictions, level) = (self.predictions(), self.request.level);
        let learner = |voice: usize| {
            let accuracy = few.accuracy(predictions[voice])?;
            let (lower, upper) = few.accuracy_interval(predictions[voice], level)?;
            Some(LabelledLearner { learner: self.name(voice), score: scores[voice]?, accuracy, lower, upper })
        };
        let difference = |(a, b): (usize, usize)| {
            let found = few.difference(predictions[a], predictions[b], level)?;
            let (a, b) = (self.name(a), self.name(b));
            Some(LabelledDifference {
                a,
                b,
                difference: found.estimate,
                lower: found.lower,
                upper: found.upper,
            })
        };
        let n = predictions.len();
        let pairs = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b)));
        let mut drawn = draw_rows(&disagreeing, labelled.len(), self.request.seed);
        drawn.sort_unstable();
        Ok(Some(LabelsFound {
            labels: labelled.len() as u64,
            of_agreed_rows: n_agreed as u64,
            disagreeing: disagreeing.len() as u64,
            are_as_drawn: labelled.iter().map(|one| one.row).eq(drawn),
            learners: (0..n).filter_map(learner).collect(),
            differences: pairs.filter_map(difference).collect(),
        }))
    }
}
