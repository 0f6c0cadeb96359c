//! Calibration of the probabilities of several classes: each against all others, made to add up to one (Zadrozny and
//! Elkan 2002). Of two classes one tells about the other.

use std::ops::Range;

use super::Scored;
use crate::explanation::{Contribution, Evidence, Reasons};
use crate::learners::log_scores::normalise;
use crate::names::Names;
use crate::posteriors::Posteriors;
use crate::training::Training;

/// The classes that have a calibrator: the second of two, otherwise each.
pub(crate) fn calibrated_classes(n_classes: usize) -> Range<usize> {
    if n_classes == 2 { 1..2 } else { 0..n_classes }
}

/// What was said of a class in each training row, with whether it was that class.
pub(crate) fn scored_rows(training: &Training<'_>, posteriors: &Posteriors, class: usize) -> Vec<Scored> {
    let row = |(row, score): (usize, f64)| Scored {
        score,
        weight: training.weight(row),
        is_positive: training.classes[row] as usize == class,
    };
    posteriors.of_class(class).enumerate().map(row).collect()
}

/// The probabilities of a row, calibrated by `value`, which is told the number of the calibrator. If no class is worth
/// anything, they stay as they are.
pub(crate) fn calibrated(posteriors: &[f64], value: impl Fn(usize, f64) -> f64) -> Vec<f64> {
    if let [_, positive] = *posteriors {
        let value = value(0, positive);
        return vec![1.0 - value, value];
    }
    let classes = posteriors.iter().enumerate();
    let mut logs: Vec<f64> = classes.map(|(class, &score)| value(class, score).ln()).collect();
    normalise(&mut logs, posteriors);
    logs
}

/// Adds to the reasons for `raw` probabilities what calibration changed; the ways down a tree and training rows stay what they are.
pub(crate) fn add_calibration(
    reasons: &mut Reasons,
    names: &Names,
    raw: &[f64],
    calibrated: &[f64],
    what: &str,
) {
    let place = |name: &String| names.classes.iter().position(|class| class == name);
    let class = |name: &String| place(name).unwrap_or_default();
    let what = what.to_owned();
    match reasons {
        Reasons::Evidence { for_class, against_class, items, .. } => {
            let (for_class, against_class) = (class(for_class), class(against_class));
            let log_odds = |posteriors: &[f64]| posteriors[for_class].ln() - posteriors[against_class].ln();
            let change = log_odds(calibrated) - log_odds(raw);
            items.push(Evidence { what, log_odds: if change.is_nan() { 0.0 } else { change } });
        }
        Reasons::Contributions { for_class, items, .. } => {
            // A score of one class against another is not what was calibrated.
            if let Some(class) = place(for_class) {
                items.push(Contribution { what, change: calibrated[class] - raw[class] });
            }
        }
        Reasons::Paths { .. } | Reasons::Neighbours { .. } | Reasons::Influences { .. } => {}
    }
}
