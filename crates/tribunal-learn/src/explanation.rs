//! Why a model says of a row what it says.

use serde::{Deserialize, Serialize};

use crate::names::Names;
use crate::posteriors::first_of_the_largest;

/// What a model says of a row, and why.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explanation {
    /// The value of each class, as [`Model::posteriors`](crate::Model::posteriors) gives it.
    pub posteriors: Vec<f64>,
    /// The reasons.
    pub reasons: Reasons,
}

/// The reasons of a model, in the form that suits it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "form")]
pub enum Reasons {
    /// What speaks for a class and against another; everything adds up to the log-odds of the two.
    Evidence {
        /// What positive evidence speaks for.
        for_class: String,
        /// What negative evidence speaks for.
        against_class: String,
        /// The log-odds before anything is known of the row.
        prior: f64,
        /// What each column adds, the strongest first.
        items: Vec<Evidence>,
    },
    /// How columns change the probability of a class, from what it is before anything is known of the row. The changes
    /// add up to the probability.
    Contributions {
        /// The class whose probability it is.
        for_class: String,
        /// Its probability at the start.
        start: f64,
        /// What each column changes, the most first.
        items: Vec<Contribution>,
    },
    /// The ways down a tree; several where a value that is tested is missing.
    Paths {
        /// Each way with its share of the row.
        paths: Vec<Path>,
    },
    /// The training rows that vote.
    Neighbours {
        /// How many votes there are.
        k: f64,
        /// Who has them, the nearest first.
        items: Vec<Neighbour>,
        /// How many more have a share of the votes.
        left: usize,
    },
    /// How training rows pull the margin of a class up or down, from where it starts; with all others they add up to it.
    Influences {
        /// The class whose margin it is.
        for_class: String,
        /// Where it starts.
        start: f64,
        /// The rows that pull most, the strongest first.
        items: Vec<Influence>,
        /// What all other rows add together.
        others: f64,
        /// How many they are.
        left: usize,
    },
}

/// What a column adds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Evidence {
    /// The column and its value, `AGE = 21 to 40`.
    pub what: String,
    /// Its log-odds; infinite where one of the classes never has this value.
    pub log_odds: f64,
}

/// What a column changes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Contribution {
    /// The column and its value, `AGE = 21 to 40`.
    pub what: String,
    /// By how much the probability rises, or the amount.
    pub change: f64,
}

/// A way from the root of a tree to a leaf.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Path {
    /// The share of the row that takes it.
    pub share: f64,
    /// The nodes, from the root.
    pub steps: Vec<PathStep>,
}

/// A node on a way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PathStep {
    /// What leads to it, `humidity <= 75`; empty at the root.
    pub condition: String,
    /// The weight of the training rows in it.
    pub rows: f64,
    /// The probability of each class, were this the leaf.
    pub posteriors: Vec<f64>,
}

/// A training row that votes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Neighbour {
    /// The number of the row in the training data, from one.
    pub row: u64,
    /// How far away it is: the root of the squared differences, on the common scale.
    pub distance: f64,
    /// Its class.
    pub class: String,
    /// Its share of all votes.
    pub vote: f64,
}

/// A training row that pulls.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Influence {
    /// The number of the row in the training data, from one.
    pub row: u64,
    /// Its class.
    pub class: String,
    /// How alike it is: its kernel with the row that is explained.
    pub likeness: f64,
    /// By how much the margin rises.
    pub change: f64,
}

impl Reasons {
    /// Evidence from the log of the factor of each class for every column. Of two classes the second is spoken for, of
    /// more the predicted one against the runner-up. What neither class ever has speaks for neither.
    pub(crate) fn evidence(
        names: &Names,
        priors: &[f64],
        posteriors: &[f64],
        log_factors: Vec<(String, Vec<f64>)>,
    ) -> Reasons {
        let logs: Vec<f64> = priors.iter().map(|prior| prior.ln()).collect();
        Reasons::evidence_from(names, &logs, posteriors, log_factors)
    }

    /// The same from the log of what each class starts with.
    pub(crate) fn evidence_from(
        names: &Names,
        starts: &[f64],
        posteriors: &[f64],
        log_factors: Vec<(String, Vec<f64>)>,
    ) -> Reasons {
        let (for_class, against_class) = contest(posteriors);
        let log_odds = |logs: &[f64]| match logs[for_class] - logs[against_class] {
            neither if neither.is_nan() => 0.0,
            log_odds => log_odds,
        };
        let item = |(what, logs): (String, Vec<f64>)| Evidence { what, log_odds: log_odds(&logs) };
        let mut items: Vec<Evidence> = log_factors.into_iter().map(item).collect();
        items.sort_by(|a, b| b.log_odds.abs().total_cmp(&a.log_odds.abs()));
        Reasons::Evidence {
            for_class: names.classes[for_class].clone(),
            against_class: names.classes[against_class].clone(),
            prior: log_odds(starts),
            items,
        }
    }
}

impl Reasons {
    /// Evidence of a model that learns the second of two classes, or each of more against all others: `of_class` tells what
    /// the log-odds of a class start with and what each item adds. Log-odds between two of many classes are not the
    /// difference of theirs: what is left has an item of its own.
    pub(crate) fn learned_apart(
        names: &Names,
        posteriors: &[f64],
        whats: Vec<String>,
        of_class: impl Fn(usize) -> (f64, Vec<f64>),
    ) -> Reasons {
        let (for_class, against_class) = contest(posteriors);
        let ((start, added), (other_start, other_added)) = (of_class(for_class), of_class(against_class));
        let changes = added.iter().zip(&other_added).map(|(added, other)| added - other);
        let mut items: Vec<Evidence> =
            whats.into_iter().zip(changes).map(|(what, log_odds)| Evidence { what, log_odds }).collect();
        let prior = start - other_start;
        if posteriors.len() > 2 {
            let sum = prior + items.iter().map(|item| item.log_odds).sum::<f64>();
            let left = posteriors[for_class].ln() - posteriors[against_class].ln() - sum;
            items.push(Evidence { what: "probabilities made to add up to one".to_owned(), log_odds: left });
        }
        items.retain(|item| item.log_odds != 0.0 && !item.log_odds.is_nan());
        items.sort_by(|a, b| b.log_odds.abs().total_cmp(&a.log_odds.abs()));
        let class = |idx: usize| names.classes.get(idx).cloned().unwrap_or_default();
        let (for_class, against_class) = (class(for_class), class(against_class));
        Reasons::Evidence { for_class, against_class, prior, items }
    }
}

/// The class that is spoken for and the one against.
pub(crate) fn contest(posteriors: &[f64]) -> (usize, usize) {
    if posteriors.len() == 2 {
        return (1, 0);
    }
    let best = first_of_the_largest(posteriors);
    let others = (0..posteriors.len()).filter(|&class| class != best);
    let second = others.fold(None, |second: Option<usize>, class| match second {
        Some(known) if posteriors[known] >= posteriors[class] => Some(known),
        _ => Some(class),
    });
    (best, second.unwrap_or(best))
}
