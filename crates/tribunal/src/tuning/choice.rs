//! Which candidate is chosen, and what is doubtful about that.

use tribunal_eval::metrics::{Better, Measure};
use tribunal_learn::{GridEdge, Learner};

use super::curve::{TunedCandidate, TuningCurve};
use super::options::{TuneOptions, TuneRule};
use crate::error::Error;

/// Means that differ by less, as a part of what is larger, the best or one, are equal: in which order folds are added up must
/// not decide.
const TIE: f64 = 1e-12;

/// The choice among candidates, by their number.
pub(super) struct Choice {
    pub(super) chosen: usize,
    best: usize,
    /// All that were tried and are as good as the best, itself included.
    equals: Vec<usize>,
    /// Those to choose from within one standard error of the best, itself included, in their order.
    level: Vec<usize>,
    /// The same among all that were tried.
    near: Vec<usize>,
}

/// Why nothing can be chosen: what is wrong with the first candidate.
pub(super) struct NoChoice(String);

impl Choice {
    /// The choice among the candidates from `first` on; earlier ones led to them.
    pub(super) fn of(
        results: &[TunedCandidate],
        first: usize,
        better: Better,
        rule: TuneRule,
    ) -> Result<Self, NoChoice> {
        let gains = gains(results, better);
        let last = gains.iter().filter(|(idx, _)| *idx >= first);
        let greatest = last.map(|(_, gain)| *gain).fold(f64::NEG_INFINITY, f64::max);
        let within = |slack: f64, first: usize| {
            let near = gains.iter().filter(move |(idx, gain)| *idx >= first && *gain >= greatest - slack);
            near.map(|(idx, _)| *idx).collect::<Vec<usize>>()
        };
        let tie = TIE * greatest.abs().max(1.0);
        let Some(&best) = within(tie, first).first() else { return Err(NoChoice::of(results)) };
        let slack = results[best].standard_error.unwrap_or(0.0);
        let (level, near) = (within(slack, first), within(slack, 0));
        let chosen = match rule {
            TuneRule::Best => best,
            TuneRule::OneSe => level.first().copied().unwrap_or(best),
        };
        Ok(Choice { chosen, best, equals: within(tie, 0), level, near })
    }

    /// The edges of the grid that the best lies on, and whoever is as good: where equals lie inside of the grid, there is
    /// nothing to be seen beyond its edge.
    pub(super) fn edges(
        &self,
        candidates: &[Learner],
        edges: impl Fn(&Learner) -> Vec<GridEdge>,
    ) -> Vec<GridEdge> {
        let mut common = edges(&candidates[self.best]);
        for &idx in self.equals.iter().filter(|&&idx| idx != self.best) {
            let others = edges(&candidates[idx]);
            let is_same = |a: &GridEdge, b: &GridEdge| a.key == b.key && a.is_largest == b.is_largest;
            common.retain(|edge| others.iter().any(|other| is_same(edge, other)));
        }
        common
    }

    /// What a reader should know before relying on the choice.
    fn warnings(&self, candidates: &[Learner], edges: &[GridEdge]) -> Vec<String> {
        let mut warnings: Vec<String> = edges.iter().map(on_the_edge).collect();
        if let Some(&simplest) = self.level.first().filter(|&&first| first != self.best) {
            let (best, simplest) = (&candidates[self.best], &candidates[simplest]);
            warnings.push(match self.chosen == self.best {
                true => format!(
                    "{best} is ahead of {simplest} by no more than one standard error: the one-standard-error \
                     rule would choose {simplest}"
                ),
                false => format!("{best} is the best, but ahead of {simplest} by no more than one standard error"),
            });
        }
        warnings
    }

    /// Everything that was tried, with the choice marked.
    pub(super) fn curve(
        &self,
        learner: &Learner,
        (measure, options): (Measure, &TuneOptions),
        n_folds: usize,
        (tried, mut candidates): (Vec<Learner>, Vec<TunedCandidate>),
        edges: &[GridEdge],
    ) -> TuningCurve {
        candidates[self.chosen].chosen = true;
        self.near.iter().for_each(|&idx| candidates[idx].within_one_se = true);
        TuningCurve {
            learner: learner.to_string(),
            metric: measure.to_string(),
            better: measure.metric.better,
            rule: options.rule,
            folds: n_folds as u64,
            seed: options.seed,
            candidates,
            at_edge: !edges.is_empty(),
            warnings: self.warnings(&tried, edges),
        }
    }
}

/// The merit of each candidate that has a value on as many folds as any: a metric such as precision, which has none where
/// nothing is predicted positive, would otherwise favour those that hardly ever dare.
fn gains(results: &[TunedCandidate], better: Better) -> Vec<(usize, f64)> {
    let most_folds = results.iter().map(|result| result.folds).max().unwrap_or(0);
    let eligible = results.iter().enumerate().filter(|(_, result)| result.folds == most_folds);
    eligible.filter_map(|(idx, result)| Some((idx, better.gain(result.mean?)))).collect()
}

fn on_the_edge(edge: &GridEdge) -> String {
    let of_key = edge.key.as_ref().map_or_else(String::new, |key| format!(" of {key}"));
    let (which, end, beyond) = match edge.is_largest {
        true => ("largest", "upper", "larger"),
        false => ("smallest", "lower", "smaller"),
    };
    match edge.is_built_in {
        true => format!(
            "the best value{of_key}, {}, is at the {end} end of those that are tried unless told otherwise: give {beyond} \
             ones in braces",
            edge.value
        ),
        false => format!("the best value{of_key}, {}, is the {which} tried: widen the grid", edge.value),
    }
}

impl NoChoice {
    fn of(results: &[TunedCandidate]) -> Self {
        let reason =
            |result: &TunedCandidate| Some(format!("{}: {}", result.learner, result.undefined.as_ref()?));
        NoChoice(results.iter().find_map(reason).unwrap_or_default())
    }

    pub(super) fn error(self, learner: &Learner, measure: Measure) -> Error {
        let NoChoice(reason) = self;
        Error::data(format!(
            "no candidate of {learner} has a value of {measure} on any inner fold ({reason}); tune by another metric, on \
             fewer folds, or give the settings"
        ))
    }
}
