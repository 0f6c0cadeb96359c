//! Tests of the differences between models on the same rows, and who stands where after them.
//!
//! Figures that have an influence function are compared by it, row by row (for the AUROC that is DeLong's variance), shares of
//! right and wrong predictions by the interval of two paired proportions, the others by the paired bootstrap: the same draws
//! for both models. Every p value is below the level if and only if the interval excludes zero. Within a metric the p values
//! are adjusted by Holm over all pairs.

use rayon::prelude::*;
use tribunal_eval::influence::{BaseRate, Moments, RankedRows, Variance};
use tribunal_eval::intervals::{IntervalMethod, Level, Replicates};
use tribunal_eval::metrics::Better;
use tribunal_eval::significance::{DifferenceTest, Disagreement, Effect, InfluenceDifference, holm};
use tribunal_eval::{AmountsOf, Cutoff, Ranking, ScoredSet, Split};

use super::kept::Aligned;
use super::questions::{Found, Question, Questions};
use super::spread::Spread;
use crate::results::{Comparison, Standing};
use crate::test_name::Test;

/// A standard deviation of influence values up to this part of a figure's range is what rounding and numeric derivatives leave
/// of none.
const ROUNDING: f64 = 1e-8;

/// One model's part in the comparison.
pub(super) struct Contestant<'a> {
    pub(super) name: &'a str,
    pub(super) questions: &'a Questions,
    pub(super) cutoffs: &'a [Found],
    /// The answers to the questions, as new cases can be expected to give them.
    pub(super) estimates: Vec<Option<f64>>,
    /// Which of the answers have no interval, because these cases cannot tell how they vary.
    pub(super) is_withheld: Vec<bool>,
    /// Which of them, calibration errors, chance alone explains: two such cannot be told apart, and their difference has no
    /// variance that could be trusted.
    pub(super) is_chance_alone: Vec<bool>,
    pub(super) spread: Option<&'a Spread>,
}

/// What is compared, and how.
pub(super) struct Contest<'a> {
    pub(super) table: &'a Aligned,
    pub(super) contestants: Vec<Contestant<'a>>,
    /// The pairs, by place.
    pub(super) pairs: &'a [(usize, usize)],
    pub(super) weighted: bool,
    /// Whose amounts count.
    pub(super) amounts_of: AmountsOf,
    pub(super) level: Level,
    pub(super) base_rate: BaseRate,
    /// Differences up to this do not count.
    pub(super) margin: f64,
}

/// A difference with its test.
pub(super) struct Tested {
    pub(super) difference: DifferenceTest,
    /// The p value: of a difference beyond the margin, where there is one.
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
        let Effect { difference, interval } = self.tested.difference.effect;
        match self.pair.0 == model {
            true => (difference, interval.lower, interval.upper),
            false => (-difference, -interval.upper, -interval.lower),
        }
    }
}

impl Contest<'_> {
    /// Every comparison, metric by metric.
    pub(super) fn compare(&self) -> Vec<RowTest> {
        // One case of a class shows nothing of how the class varies.
        if self.rarer_cases() < 2.0 {
            return Vec::new();
        }
        let n_questions = self.contestants.first().map_or(0, |first| first.questions.all.len());
        let rankings: Vec<Option<Ranking>> =
            (0..self.contestants.len()).into_par_iter().map(|model| self.ranking(model)).collect();
        let rows = rankings
            .par_iter()
            .zip(&self.table.scores)
            .map(|(ranking, scores)| RankedRows::of_set(ranking.as_ref()?, &self.set(scores)?).ok());
        let rows: Vec<Option<RankedRows<'_>>> = rows.collect();
        let of_question = |index: usize| self.compare_metric(index, &rankings, &rows);
        (0..n_questions).into_par_iter().flat_map_iter(of_question).collect()
    }

    /// Cases of the rarer class that weigh something.
    fn rarer_cases(&self) -> f64 {
        let Split { positive, negative } = self.table.taken;
        let rows = || self.table.truth.iter().zip(&self.table.weight).filter(|(_, weight)| **weight > 0.0);
        let of_class = |class: bool| rows().filter(|(truth, _)| **truth == class).count() as f64;
        f64::min(of_class(true) / positive, of_class(false) / negative)
    }

    /// The variance of a difference of two models that agree on these rows but need not on others: that of one case of the rarer
    /// class more or less. Nothing where both have the same scores, which cannot differ.
    fn one_case(&self, index: usize, (a, b): (usize, usize)) -> Option<f64> {
        if self.table.scores[a] == self.table.scores[b] {
            return None;
        }
        Some((self.span(index) / self.rarer_cases()).powi(2))
    }

    /// How far two figures can lie apart; one where nothing is known.
    fn span(&self, index: usize) -> f64 {
        let (low, high) = self.contestants[0].questions.all[index].measure.metric.range;
        if (high - low).is_finite() { high - low } else { 1.0 }
    }

    /// The kept rows with some scores, and with their amounts where there are any.
    fn set<'s>(&'s self, scores: &'s [f64]) -> Option<ScoredSet<'s>> {
        let set = ScoredSet::new(&self.table.truth, scores).ok()?;
        match self.amounts_of {
            AmountsOf::Nobody => Some(set),
            AmountsOf::Positives => set.with_amount(&self.table.amount).ok(),
            AmountsOf::Everybody => set.with_amount_of_everybody(&self.table.amount).ok(),
        }
    }

    /// The ranking of the kept rows, in which each class has the weight that it has in all rows.
    fn ranking(&self, model: usize) -> Option<Ranking> {
        let set = self.set(&self.table.scores[model])?;
        if !self.weighted && self.table.is_whole() {
            return Ranking::of(&set).ok();
        }
        let Split { positive, negative } = self.table.taken;
        let share = |truth: bool| if truth { positive } else { negative };
        let rows = self.table.weight.iter().zip(&self.table.truth);
        let weights: Vec<f64> = rows.map(|(weight, &truth)| weight / share(truth)).collect();
        Ranking::of(&set.with_weight(&weights).ok()?).ok()
    }

    /// The tests as results.
    pub(super) fn comparisons(&self, tests: &[RowTest]) -> Vec<Comparison> {
        let comparison = |test: &RowTest| {
            let (a, b) = test.pair;
            let question = self.contestants[0].questions.all[test.question];
            let Tested { difference, p, test: name } = &test.tested;
            Comparison::new(self.contestants[a].name, self.contestants[b].name, &difference.effect, *name)
                .of(question.measure.to_string(), question.rule)
                .with_p(*p, Some(test.p_adjusted))
        };
        tests.iter().map(comparison).collect()
    }

    fn compare_metric(
        &self,
        index: usize,
        rankings: &[Option<Ranking>],
        rows: &[Option<RankedRows<'_>>],
    ) -> Vec<RowTest> {
        let question = self.contestants[0].questions.all[index];
        if question.measure.metric.better == Better::Neither {
            return Vec::new();
        }
        let value = |(model, ranking): (usize, &Option<Ranking>)| {
            self.influence_values(index, model, ranking.as_ref()?, rows[model].as_ref()?)
        };
        let values: Vec<Option<InfluenceValues>> = rankings.iter().enumerate().map(value).collect();
        let tested = self.pairs.iter().filter_map(|&pair| Some((pair, self.test(index, pair, &values)?)));
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

    /// The influence of every kept row on a figure of a model.
    fn influence_values(
        &self,
        index: usize,
        model: usize,
        ranking: &Ranking,
        rows: &RankedRows<'_>,
    ) -> Option<InfluenceValues> {
        let contestant = &self.contestants[model];
        let question = &contestant.questions.all[index];
        let cutoff = match contestant.questions.cutoff(question, contestant.cutoffs) {
            Some(found) => Some(found.as_ref().ok()?),
            None => None,
        };
        let measure = question.measure.inside(contestant.questions.part);
        let influence = measure.influence(ranking, cutoff).ok()?;
        Some(InfluenceValues {
            values: influence.of_rows(rows).ok()?,
            one_case: measure.one_case(ranking, cutoff),
        })
    }

    fn test(
        &self,
        index: usize,
        (a, b): (usize, usize),
        values: &[Option<InfluenceValues>],
    ) -> Option<Tested> {
        let (first, second) = (&self.contestants[a], &self.contestants[b]);
        let is_chance = first.is_chance_alone[index] && second.is_chance_alone[index];
        if first.is_withheld[index] || second.is_withheld[index] || is_chance {
            return None;
        }
        let difference = first.estimates[index]? - second.estimates[index]?;
        let question = first.questions.all[index];
        let by_predictions = match question.measure.metric.id {
            "error_rate" => self.paired_proportions(index, (a, b), 1.0),
            "pcc" => self.paired_proportions(index, (a, b), -1.0),
            _ => None,
        };
        let by_influence = || {
            let (one, other) = (values[a].as_ref()?, values[b].as_ref()?);
            let test = match question.measure.metric.id {
                "auroc" | "gini" => Test::Delong,
                _ => Test::Influence,
            };
            Some((self.by_influence(index, difference, (one, other), self.one_case(index, (a, b))), test))
        };
        let (mut difference, test) = by_predictions
            .map(|tested| (tested, Test::PairedProportions))
            .or_else(by_influence)
            .or_else(|| Some((self.bootstrap(index, (a, b), difference)?, Test::Bootstrap)))?;
        let (low, high) = question.measure.metric.range;
        let interval = &mut difference.effect.interval;
        *interval = interval.clipped(low - high, high - low);
        let p = if self.margin > 0.0 { difference.beyond(self.margin) } else { difference.p };
        Some(Tested { difference, p, test })
    }

    fn by_influence(
        &self,
        index: usize,
        difference: f64,
        (one, other): (&InfluenceValues, &InfluenceValues),
        least_variance: Option<f64>,
    ) -> DifferenceTest {
        let values: Vec<f64> = one.values.iter().zip(&other.values).map(|(a, b)| a - b).collect();
        let weights = self.weighted.then_some(self.table.weight.as_slice());
        let moments = Moments::of_values(&self.table.truth, &values, weights, self.table.taken);
        let variance = Variance::of(&moments, self.base_rate);
        let is_unanimous = variance.total * variance.n_rows <= (ROUNDING * self.span(index)).powi(2);
        let of_either = [one.one_case, other.one_case].into_iter().flatten().reduce(f64::max);
        let one_case = match least_variance {
            // Both models have the same scores: no case can be more or less.
            None => None,
            Some(least) if is_unanimous => of_either.or(Some(least)),
            Some(_) => of_either,
        };
        InfluenceDifference { difference, moments, base_rate: self.base_rate, one_case }.test(self.level)
    }

    /// The interval of two paired shares of right predictions, by their error rates times `sign`; nothing where rows were left
    /// out, weighted, a cut falls inside tied scores or was chosen on the data.
    fn paired_proportions(&self, index: usize, (a, b): (usize, usize), sign: f64) -> Option<DifferenceTest> {
        if !self.table.is_whole() || self.weighted {
            return None;
        }
        let right = |model: usize| {
            let contestant = &self.contestants[model];
            let question: &Question = &contestant.questions.all[index];
            let cutoff = contestant.questions.cutoff(question, contestant.cutoffs)?.as_ref().ok()?;
            // Corrected figures are no counts of predictions.
            if cutoff.rule.is_chosen_on_the_data() {
                return None;
            }
            predictions(cutoff, &self.table.scores[model], &self.table.truth)
        };
        let (first, second) = (right(a)?, right(b)?);
        let rows = first.into_iter().zip(second);
        Some(Disagreement::count(rows).ok()?.paired_proportions(self.level).times(sign))
    }

    fn bootstrap(&self, index: usize, (a, b): (usize, usize), difference: f64) -> Option<DifferenceTest> {
        let replicates = |model: usize| Some(&self.contestants[model].spread?.replicates[index]);
        let (first, second) = (replicates(a)?, replicates(b)?);
        let differences = first.iter().zip(second).map(|(a, b)| a - b).filter(|value| value.is_finite());
        let drawn = Replicates::new(differences.collect()).ok()?;
        if drawn.values().len() * 10 < first.len() * 9 {
            return None;
        }
        let least = self.one_case(index, (a, b)).unwrap_or(0.0).sqrt();
        let error = drawn.standard_deviation().ok()?;
        let error = if error <= ROUNDING * self.span(index) { least } else { error };
        let method = IntervalMethod::BootstrapNormal;
        Some(DifferenceTest::new(difference, error, f64::INFINITY, self.level, method))
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
            // Without a test nothing tells the two apart.
            let is_told_apart = test.is_some_and(|test| test.p_adjusted < self.level.alpha());
            gain(*model).is_some_and(|gain| gain == most || !is_told_apart)
        };
        let level = (0..self.contestants.len()).filter(|&model| model != best).filter(is_level);
        std::iter::once((best, Standing::Best)).chain(level.map(|model| (model, Standing::Level))).collect()
    }
}

/// The influence of every kept row on a figure.
struct InfluenceValues {
    values: Vec<f64>,
    /// The variance of one case more or less, where single cases decide.
    one_case: Option<f64>,
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
