//! Which candidate is chosen, and what is doubtful about that.

use tribunal_learn::{GridEdge, Learner};

use super::curve::{TunedCandidate, TuningCurve};
use super::options::{TuneOptions, TuneRule};
use crate::error::Error;

/// The choice among candidates, by their number.
pub(super) struct Choice {
    pub(super) chosen: usize,
    best: usize,
    /// Those within one standard error of the best, itself included, in their order.
    level: Vec<usize>,
}

/// Why nothing can be chosen: what is wrong with the first candidate.
pub(super) struct NoChoice(String);

impl Choice {
    /// Chooses among candidates that have a value on as many folds as any: a metric such as precision, which has none where
    /// nothing is predicted positive, would otherwise favour those that hardly ever dare.
    pub(super) fn of(results: &[TunedCandidate], options: &TuneOptions) -> Result<Self, NoChoice> {
        let most_folds = results.iter().map(|result| result.folds).max().unwrap_or(0);
        let gain = |result: &TunedCandidate| {
            let mean = result.mean.filter(|_| result.folds == most_folds);
            mean.map(|mean| options.metric.metric.better.gain(mean))
        };
        let gains: Vec<(usize, f64)> =
            results.iter().enumerate().filter_map(|(idx, result)| Some((idx, gain(result)?))).collect();
        let first_of_equals =
            |best: (usize, f64), other: &(usize, f64)| if other.1 > best.1 { *other } else { best };
        let Some((best, highest)) = gains.first().map(|first| gains.iter().fold(*first, first_of_equals))
        else {
            let reason =
                |result: &TunedCandidate| Some(format!("{}: {}", result.learner, result.undefined.as_ref()?));
            return Err(NoChoice(results.iter().find_map(reason).unwrap_or_default()));
        };
        let least = highest - results[best].standard_error.unwrap_or(0.0);
        let level: Vec<usize> =
            gains.iter().filter(|(_, gain)| *gain >= least).map(|(idx, _)| *idx).collect();
        let chosen = match options.rule {
            TuneRule::Best => best,
            TuneRule::OneSe => level.first().copied().unwrap_or(best),
        };
        Ok(Choice { chosen, best, level })
    }

    /// What a reader should know before relying on the choice.
    pub(super) fn warnings(
        &self,
        candidates: &[Learner],
        edges: impl Fn(&Learner) -> Vec<GridEdge>,
    ) -> Vec<String> {
        let mut warnings: Vec<String> = edges(&candidates[self.best]).iter().map(on_the_edge).collect();
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
        options: &TuneOptions,
        n_folds: usize,
        mut candidates: Vec<TunedCandidate>,
        warnings: Vec<String>,
    ) -> TuningCurve {
        candidates[self.chosen].chosen = true;
        self.level.iter().for_each(|&idx| candidates[idx].within_one_se = true);
        TuningCurve {
            learner: learner.to_string(),
            metric: options.metric.to_string(),
            better: options.metric.metric.better,
            rule: options.rule,
            folds: n_folds as u64,
            seed: options.seed,
            candidates,
            warnings,
        }
    }
}

fn on_the_edge(edge: &GridEdge) -> String {
    let of_key = edge.key.as_ref().map_or_else(String::new, |key| format!(" of {key}"));
    let which = if edge.is_largest { "largest" } else { "smallest" };
    format!("the best value{of_key}, {}, is the {which} tried: widen the grid", edge.value)
}

impl NoChoice {
    pub(super) fn error(self, learner: &Learner, options: &TuneOptions) -> Error {
        let NoChoice(reason) = self;
        Error::Data(format!(
            "no candidate of {learner} has a value of {} on any inner fold ({reason}); tune by another metric, on fewer \
             folds, or give the settings",
            options.metric
        ))
    }
}
