//! Tests of the differences between models on the same rows, and who stands where after them.
//!
//! The AUROC is compared by DeLong's test, right and wrong predictions by McNemar's, every other figure by the paired
//! bootstrap: the same draws for both models. Within a metric the p values are adjusted by Holm over all pairs.

use tribunal_eval::Cutoff;
use tribunal_eval::intervals::{
    AurocCovariance, Level, Replicates, ScoredModels, bootstrap_normal, bootstrap_p, delong_pair_sampled,
    normal_sf,
};
use tribunal_eval::metrics::{Better, Spread as SpreadKind};
use tribunal_eval::significance::{Disagreement, Effect, delong_test, holm, mcnemar};

use super::kept::Aligned;
use super::questions::{Found, Question, Questions};
use super::spread::Spread;
use crate::results::{Comparison, Standing};
use crate::test_name::Test;

/// One model's part in the comparison.
pub(super) struct Contestant<'a> {
    pub(super) name: &'a str,
    pub(super) questions: &'a Questions,
    pub(super) cutoffs: &'a [Found],
    /// The answers to the questions.
    pub(super) estimates: Vec<Option<f64>>,
    pub(super) spread: Option<&'a Spread>,
}

/// What is compared, and how.
pub(super) struct Contest<'a> {
    pub(super) table: &'a Aligned,
    pub(super) contestants: Vec<Contestant<'a>>,
    /// The pairs, by place.
    pub(super) pairs: &'a [(usize, usize)],
    pub(super) weighted: bool,
    pub(super) level: Level,
    /// Differences up to this do not count.
    pub(super) margin: f64,
}

/// A difference with its test.
pub(super) struct Tested {
    pub(super) effect: Effect,
    p: f64,
    pub(super) test: Test,
}

/// The test of a pair of models by one question, all of them by their places.
pub(super) struct RowTest {
    pub(super) question: usize,
    pub(super) pair: (usize, usize),
    pub(super) tested: Tested,
    /// Adjusted by Holm over the pairs.
    pub(super) p_adjusted: f64,
}

impl RowTest {
    /// Whether it compares these two, in whatever order.
    pub(super) fn is_between(&self, one: usize, other: usize) -> bool {
        self.pair == (one, other) || self.pair == (other, one)
    }

    /// The difference and the ends of its interval, seen from one of the two.
    pub(super) fn seen_from(&self, model: usize) -> (f64, f64, f64) {
        let Effect { difference, interval } = self.tested.effect;
        match self.pair.0 == model {
            true => (difference, interval.lower, interval.upper),
            false => (-difference, -interval.upper, -interval.lower),
        }
    }
}

impl Contest<'_> {
    /// Every comparison, metric by metric.
    pub(super) fn compare(&self) -> Vec<RowTest> {
        let aurocs = if self.weighted { None } else { self.aurocs() };
        let n_questions = self.contestants.first().map_or(0, |first| first.questions.all.len());
        (0..n_questions).flat_map(|index| self.compare_metric(index, aurocs.as_ref())).collect()
    }

    /// The covariances of all AUROCs.
    fn aurocs(&self) -> Option<AurocCovariance> {
        let scores = self.table.scores.iter().map(Vec::as_slice).collect();
        delong_pair_sampled(&ScoredModels { positive: &self.table.truth, scores }, self.table.taken).ok()
    }

    /// The tests as results.
    pub(super) fn comparisons(&self, tests: &[RowTest]) -> Vec<Comparison> {
        let comparison = |test: &RowTest| {
            let (a, b) = test.pair;
            let question = self.contestants[0].questions.all[test.question];
            let Tested { effect, p, test: name } = &test.tested;
            Comparison::new(self.contestants[a].name, self.contestants[b].name, effect, *name)
                .of(question.measure.to_string(), question.rule)
                .with_p(*p, Some(test.p_adjusted))
        };
        tests.iter().map(comparison).collect()
    }

    fn compare_metric(&self, index: usize, aurocs: Option<&AurocCovariance>) -> Vec<RowTest> {
        let question = self.contestants[0].questions.all[index];
        if question.measure.metric.better == Better::Neither {
            return Vec::new();
        }
        let tested = self.pairs.iter().filter_map(|&pair| Some((pair, self.test(index, pair, aurocs)?)));
        let tested: Vec<((usize, usize), Tested)> = tested.collect();
        let p_values: Vec<f64> = tested.iter().map(|(_, tested)| tested.p).collect();
        let adjusted = holm(&p_values).unwrap_or_default();
        let row = |((pair, tested), p_adjusted): (((usize, usize), Tested), f64)| RowTest {
            question: index,
            pair,
            tested,
            p_adjusted,
        };
        tested.into_iter().zip(adjusted).map(row).collect()
    }

    fn test(&self, index: usize, (a, b): (usize, usize), aurocs: Option<&AurocCovariance>) -> Option<Tested> {
        let (first, second) = (&self.contestants[a], &self.contestants[b]);
        let (estimate_a, estimate_b) = (first.estimates[index]?, second.estimates[index]?);
        let question = first.questions.all[index];
        let by_formula = match (question.measure.metric.spread, aurocs) {
            (SpreadKind::Auroc { factor, .. }, Some(aurocs)) => {
                self.delong(aurocs, (a, b), (estimate_a - estimate_b) / factor).map(|test| test.times(factor))
            }
            (SpreadKind::Proportion(_), Some(_)) => match question.measure.metric.id {
                "error_rate" => self.mcnemar(index, (a, b)),
                "pcc" => self.mcnemar(index, (a, b)).map(|test| test.times(-1.0)),
                _ => None,
            },
            _ => None,
        };
        let tested = by_formula.or_else(|| self.bootstrap(index, (a, b), estimate_a - estimate_b))?;
        Some(if self.margin > 0.0 { self.beyond_margin(tested) } else { tested })
    }

    fn delong(&self, aurocs: &AurocCovariance, (a, b): (usize, usize), difference: f64) -> Option<Tested> {
        // The areas are those of all rows, though the covariances may come from a sample.
        let mut aurocs = aurocs.clone();
        aurocs.aurocs[a] = aurocs.aurocs[b] + difference;
        let test = delong_test(&aurocs, a, b, self.level).ok()?;
        Some(Tested { effect: test.effect, p: test.p, test: Test::Delong })
    }

    /// McNemar's test of the predictions; nothing where rows were left out or a cut falls inside tied scores.
    fn mcnemar(&self, index: usize, (a, b): (usize, usize)) -> Option<Tested> {
        if !self.table.is_whole() {
            return None;
        }
        let right = |model: usize| {
            let contestant = &self.contestants[model];
            let question: &Question = &contestant.questions.all[index];
            let cutoff = contestant.questions.cutoff(question, contestant.cutoffs)?.as_ref().ok()?;
            predictions(cutoff, &self.table.scores[model], &self.table.truth)
        };
        let (first, second) = (right(a)?, right(b)?);
        let test = mcnemar(Disagreement::count(first.into_iter().zip(second)).ok()?, self.level);
        Some(Tested { effect: test.effect, p: test.p, test: Test::Mcnemar })
    }

    fn bootstrap(&self, index: usize, (a, b): (usize, usize), difference: f64) -> Option<Tested> {
        let replicates = |model: usize| Some(&self.contestants[model].spread?.replicates[index]);
        let (first, second) = (replicates(a)?, replicates(b)?);
        let differences = first.iter().zip(second).map(|(a, b)| a - b).filter(|value| value.is_finite());
        let drawn = Replicates::new(differences.collect()).ok()?;
        if drawn.values().len() * 10 < first.len() * 9 {
            return None;
        }
        let interval = bootstrap_normal(&drawn, difference, self.level).ok()?;
        let p = bootstrap_p(&drawn, difference).ok()?;
        Some(Tested { effect: Effect { difference, interval }, p, test: Test::Bootstrap })
    }

    /// The test whether a difference exceeds the margin, from its standard error.
    fn beyond_margin(&self, tested: Tested) -> Tested {
        let interval = tested.effect.interval;
        let error = (interval.upper - interval.lower) / (2.0 * self.level.z());
        let beyond = tested.effect.difference.abs() - self.margin;
        let p =
            if error > 0.0 { (2.0 * normal_sf(beyond / error)).min(1.0) } else { f64::from(beyond <= 0.0) };
        // Beyond a margin nothing is left of McNemar's test but the interval of the difference.
        let test = match tested.test {
            Test::Mcnemar => Test::PairedProportions,
            other => other,
        };
        Tested { p, test, ..tested }
    }

    /// Who is best in each metric, and who cannot be told apart from it.
    pub(super) fn standings(&self, tests: &[RowTest]) -> Vec<Vec<Option<Standing>>> {
        let n_questions = self.contestants.first().map_or(0, |first| first.questions.all.len());
        let by_question: Vec<_> = (0..n_questions).map(|index| self.stand(index, tests)).collect();
        let standing = |model: usize, stood: &Vec<(usize, Standing)>| {
            stood.iter().find(|(other, _)| *other == model).map(|(_, standing)| *standing)
        };
        let of_model = |model| by_question.iter().map(|stood| standing(model, stood)).collect();
        (0..self.contestants.len()).map(of_model).collect()
    }

    fn stand(&self, index: usize, tests: &[RowTest]) -> Vec<(usize, Standing)> {
        let question = self.contestants[0].questions.all[index];
        let gain = |model: usize| -> Option<f64> {
            let estimate = self.contestants[model].estimates[index]?;
            let better = question.measure.metric.better;
            matches!(better, Better::Higher | Better::Lower).then(|| better.gain(estimate))
        };
        let ranked = (0..self.contestants.len()).filter_map(|model| Some((model, gain(model)?)));
        let Some((best, most)) = ranked.reduce(|a, b| if b.1 > a.1 { b } else { a }) else {
            return Vec::new();
        };
        let is_level = |model: &usize| {
            let is_of = |test: &&RowTest| test.question == index && test.is_between(best, *model);
            let test = tests.iter().find(is_of);
            gain(*model) == Some(most) || test.is_some_and(|test| test.p_adjusted >= self.level.alpha())
        };
        let level = (0..self.contestants.len()).filter(|&model| model != best).filter(is_level);
        std::iter::once((best, Standing::Best)).chain(level.map(|model| (model, Standing::Level))).collect()
    }
}

impl Tested {
    /// The same test of a multiple of the difference.
    fn times(self, factor: f64) -> Self {
        let Effect { difference, mut interval } = self.effect;
        let ends = (factor * interval.lower, factor * interval.upper);
        (interval.lower, interval.upper) = (ends.0.min(ends.1), ends.0.max(ends.1));
        Self { effect: Effect { difference: factor * difference, interval }, ..self }
    }
}

/// Which rows a cut-off gets right; nothing if it flags a part of tied rows.
fn predictions(cutoff: &Cutoff, scores: &[f64], truth: &[bool]) -> Option<Vec<bool>> {
    let threshold = cutoff.score.unwrap_or(f64::INFINITY);
    let flagged = scores.iter().filter(|score| **score >= threshold).count() as f64;
    (flagged == cutoff.confusion.flagged())
        .then(|| scores.iter().zip(truth).map(|(score, truth)| (*score >= threshold) == *truth).collect())
}

/// The pairs that are compared: all, or everybody with one model.
pub(super) fn pairs(n_models: usize, with: Option<usize>) -> Vec<(usize, usize)> {
    let all = (0..n_models).flat_map(|a| (a + 1..n_models).map(move |b| (a, b)));
    match with {
        None => all.collect(),
        Some(one) => (0..n_models).filter(|&other| other != one).map(|other| (one, other)).collect(),
    }
}
