//! The settings of C4.5, as values and as text.

use super::add_errs::Bound;
use super::estimate::Estimate;
use super::prune::Pruning;
use super::untuned;
use crate::error::Error;
use crate::learners::Arguments;
use crate::learners::arguments::{amount, count};

/// The settings of a tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct C45 {
    pub(crate) ending: Ending,
    /// Two branches of every test have at least so many rows.
    pub(crate) min: usize,
    pub(crate) estimate: Estimate,
}

/// What happens to a tree that was grown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Ending {
    Pruned(Pruning),
    Unpruned,
    Curtailed(Neighbours),
}

/// How many rows a node must have to be asked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Neighbours {
    Given(usize),
    /// Chosen by inner cross-validation.
    Tuned,
    /// 200 where there are 10,000 rows or more, else tuned.
    Auto,
}

/// Pruning as Quinlan left it.
const PRUNED: Ending = Ending::Pruned(Pruning { level: 0.25, bound: Bound::Release8, is_raising: true });

impl Default for C45 {
    fn default() -> Self {
        C45 { ending: PRUNED, min: 2, estimate: Estimate::M(5.0) }
    }
}

impl C45 {
    /// Reads settings, those that are not there as in `defaults`.
    pub(crate) fn parse(arguments: &mut Arguments<'_>, defaults: &C45) -> Result<C45, Error> {
        let word = arguments.word(|word| match word {
            "pruned" => Some(PRUNED),
            "unpruned" => Some(Ending::Unpruned),
            "curtailed" => Some(Ending::Curtailed(Neighbours::Tuned)),
            _ => None,
        });
        let ending = parse_ending(arguments, word.unwrap_or(defaults.ending))?;
        let min = arguments.keyed("min", "a whole number from one", count)?.unwrap_or(defaults.min);
        let estimate = parse_estimate(arguments, defaults.estimate)?;
        Ok(C45 { ending, min, estimate })
    }

    /// The settings that differ from `defaults`, as text.
    pub(crate) fn options(&self, defaults: &C45) -> Vec<String> {
        let mut options = ending_options(&self.ending, &defaults.ending);
        if self.min != defaults.min {
            options.push(format!("min={}", self.min));
        }
        match (self.estimate, defaults.estimate) {
            (Estimate::M(product), Estimate::M(known)) if product == known => {}
            (Estimate::M(product), known) => {
                let is_other = !matches!(known, Estimate::M(_));
                options.extend(is_other.then(|| "estimate=m".to_owned()));
                options.extend((!is_other || product != 5.0).then(|| format!("bm={product}")));
            }
            (estimate, known) if estimate == known => {}
            (Estimate::Raw, _) => options.push("estimate=raw".to_owned()),
            (Estimate::Laplace, _) => options.push("estimate=laplace".to_owned()),
        }
        options
    }

    /// The members to choose from where k is to be tuned on so many rows.
    pub(crate) fn curtailments(&self, n_rows: usize) -> Vec<C45> {
        let given = |k: usize| C45 { ending: Ending::Curtailed(Neighbours::Given(k)), ..*self };
        match self.ending {
            Ending::Curtailed(Neighbours::Auto) if n_rows >= 10_000 => vec![given(200)],
            Ending::Curtailed(Neighbours::Auto | Neighbours::Tuned) => {
                (1..=20).map(|k| given(5 * k)).collect()
            }
            Ending::Pruned(_) | Ending::Unpruned | Ending::Curtailed(Neighbours::Given(_)) => Vec::new(),
        }
    }

    /// The weight that a node must have to be asked; zero for any.
    pub(crate) fn least(&self) -> Result<f64, Error> {
        match self.ending {
            Ending::Pruned(_) | Ending::Unpruned => Ok(0.0),
            Ending::Curtailed(Neighbours::Given(k)) => Ok(k as f64),
            Ending::Curtailed(Neighbours::Tuned | Neighbours::Auto) => Err(untuned()),
        }
    }
}

fn parse_ending(arguments: &mut Arguments<'_>, ending: Ending) -> Result<Ending, Error> {
    match ending {
        Ending::Unpruned => Ok(ending),
        Ending::Curtailed(default) => {
            let read = |text: &str| match text {
                "auto" => Some(Neighbours::Auto),
                text => count(text).map(Neighbours::Given),
            };
            let neighbours = arguments.keyed("k", "a whole number from one, or auto", read)?;
            Ok(Ending::Curtailed(neighbours.unwrap_or(default)))
        }
        Ending::Pruned(Pruning { level, bound, is_raising }) => {
            let read_level = |text: &str| amount(text).filter(|level| (1e-6..=1.0).contains(level));
            let read_raising = |text: &str| match text {
                "on" => Some(true),
                "off" => Some(false),
                _ => None,
            };
            let read_bound = |text: &str| match text {
                "r8" => Some(Bound::Release8),
                "j48" => Some(Bound::J48),
                _ => None,
            };
            let level = arguments.keyed("cf", "a share above 0, at most 1", read_level)?.unwrap_or(level);
            let bound = arguments.keyed("adderrs", "r8 or j48", read_bound)?.unwrap_or(bound);
            let is_raising = arguments.keyed("raising", "on or off", read_raising)?.unwrap_or(is_raising);
            Ok(Ending::Pruned(Pruning { level, bound, is_raising }))
        }
    }
}

fn parse_estimate(arguments: &mut Arguments<'_>, default: Estimate) -> Result<Estimate, Error> {
    let read = |text: &str| match text {
        "m" => Some(Estimate::M(5.0)),
        "raw" => Some(Estimate::Raw),
        "laplace" => Some(Estimate::Laplace),
        _ => None,
    };
    match arguments.keyed("estimate", "m, raw or laplace", read)?.unwrap_or(default) {
        Estimate::M(product) => {
            let given = arguments.keyed("bm", "a number from 0", amount)?;
            Ok(Estimate::M(given.unwrap_or(product)))
        }
        estimate => Ok(estimate),
    }
}

fn ending_options(ending: &Ending, default: &Ending) -> Vec<String> {
    let is_like = std::mem::discriminant(ending) == std::mem::discriminant(default);
    let mut options = Vec::new();
    match *ending {
        Ending::Pruned(Pruning { level, bound, is_raising }) => {
            options.extend((!is_like).then(|| "pruned".to_owned()));
            options.extend((level != 0.25).then(|| format!("cf={level}")));
            options.extend((bound == Bound::J48).then(|| "adderrs=j48".to_owned()));
            options.extend((!is_raising).then(|| "raising=off".to_owned()));
        }
        Ending::Unpruned => options.extend((!is_like).then(|| "unpruned".to_owned())),
        Ending::Curtailed(neighbours) => {
            options.push("curtailed".to_owned());
            match neighbours {
                Neighbours::Given(k) => options.push(format!("k={k}")),
                Neighbours::Auto => options.push("k=auto".to_owned()),
                Neighbours::Tuned => {}
            }
        }
    }
    options
}
