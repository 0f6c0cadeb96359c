//! How candidates are judged and chosen.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tribunal_eval::metrics::{Better, Kind, Measure};
use tribunal_learn::Learner;

use crate::error::Error;

/// By what candidates are judged, on how many inner folds, and how one is chosen.
#[derive(Clone, Copy, Debug)]
pub struct TuneOptions {
    /// The metric: any that held-out scores have, those of a cut-off where predictions change; `None` for what suits the
    /// learner, which is the AUROC for most.
    pub metric: Option<Measure>,
    /// At most so many inner folds; fewer where the smallest class has fewer rows.
    pub folds: u32,
    /// Which candidate is chosen.
    pub rule: TuneRule,
    /// The seed of the inner folds and of what candidates draw.
    pub seed: u64,
}

/// Which candidate is chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum TuneRule {
    /// The best, and the first of equals.
    #[default]
    Best,
    /// The first in the order of the grid within one standard error of the best: write the simplest first.
    OneSe,
}

impl Default for TuneOptions {
    /// The best by the metric that suits the learner on ten folds, with seed one.
    fn default() -> Self {
        TuneOptions { metric: None, folds: 10, rule: TuneRule::Best, seed: 1 }
    }
}

impl TuneOptions {
    /// The usual options, but another metric.
    ///
    /// # Errors
    /// There is no such metric.
    pub fn by(metric: &str) -> Result<Self, Error> {
        let metric = metric.parse().map_err(|error| Error::unknown_metric(&error))?;
        Ok(TuneOptions { metric: Some(metric), ..Self::default() })
    }

    /// Checks that scores of held-out rows are all that it takes.
    ///
    /// # Errors
    /// The metric judges something else, or there are fewer than two folds.
    pub fn check(&self) -> Result<(), Error> {
        let measure = self.metric.unwrap_or(Measure::AUROC);
        let refuse = |why: &str| {
            Err(Error::usage(format!(
                "candidates cannot be tuned by {measure}: {why}; choose another metric, as auroc, log_loss or pcc"
            )))
        };
        match (measure.metric.kind, measure.metric.better) {
            (Kind::Amount, _) => refuse("it compares predicted amounts, and candidates predict classes"),
            (_, Better::Neither) => {
                refuse("it describes the data, and no value of it is better than another")
            }
            _ if self.folds < 2 => Err(Error::usage(format!(
                "{} inner folds leave no rows to judge by; take 2 or more",
                self.folds
            ))),
            _ => Ok(()),
        }
    }

    /// The metric that candidates of a learner are judged by.
    pub(super) fn measure(&self, learner: &Learner) -> Measure {
        self.metric.unwrap_or_else(|| learner.tuned_by().parse().unwrap_or(Measure::AUROC))
    }
}

impl fmt::Display for TuneRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Best => "best",
            Self::OneSe => "one-se",
        })
    }
}

impl FromStr for TuneRule {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = [Self::Best, Self::OneSe].into_iter().find(|rule| rule.to_string() == text);
        known.ok_or_else(|| format!("`{text}` is no rule; choose best or one-se"))
    }
}
