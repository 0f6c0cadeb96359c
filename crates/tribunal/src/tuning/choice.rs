//! Which candidate is chosen, and what is doubtful about that.

use tribunal_eval::metrics::{Better, Measure};
use tribunal_learn::{GridEdge, Learner};

use super::curve::{TunedCandidate, TuningCurve};
use super::options::{TuneOptions, TuneRule};
use crate::error::Error;

/// The choice among candidates, by their number.
pub(super) struct Choice {
    pub(super) chosen: usize,
    best: usize,
    /// Whether another is as good as the best.
    is_tied: bool,
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
        let equals = within(0.0, first);
        let Some(&best) = equals.first() else { return Err(NoChoice::of(results)) };
        let slack = results[best].standard_error.unwrap_or(0.0);
        let (level, near) = (within(slack, first), within(slack, 0));
        let chosen = match rule {
            TuneRule::Best => best,
            TuneRule::OneSe => level.first().copied().unwrap_or(best),
        };
        Ok(Choice { chosen, best, is_tied: equals.len() > 1, level, near })
    }

    /// What a reader should know before relying on the choice.
    pub(super) fn warnings(
        &self,
        candidates: &[Learner],
        edges: impl Fn(&Learner) -> Vec<GridEdge>,
    ) -> Vec<String> {
        // Where equals lie inside of the grid, there is nothing to be seen beyond its edge.
        let edges = if self.is_tied { Vec::new() } else { edges(&candidates[self.best]) };
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
        mut candidates: Vec<TunedCandidate>,
        warnings: Vec<String>,
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
            warnings,
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
    let which = if edge.is_largest { "largest" } else { "smallest" };
    format!("the best value{of_key}, {}, is the {which} tried: widen the grid", edge.value)
}

impl NoChoice {
    fn of(results: &[TunedCandidate]) -> Self {
        let reason =
            |result: &TunedCandidate| Some(format!("{}: {}", result.learner, result.undefined.as_ref()?));
        NoChoice(results.iter().find_map(reason).unwrap_or_default())
    }

    pub(super) fn error(self, learner: &Learner, measure: Measure) -> Error {
        let NoChoice(reason) = self;
        Error::Data(format!(
            "no candidate of {learner} has a value of {measure} on any inner fold ({reason}); tune by another metric, on \
             fewer folds, or give the settings"
        ))
    }
}
