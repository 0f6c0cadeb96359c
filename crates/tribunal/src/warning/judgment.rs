//! What evaluations and studies doubt alike.

use tribunal_eval::metrics::Measure;

use super::{Miscalibrated, Warning};

/// With fewer cases of a class intervals hold less often than they say: at worst in 88 of 100 samples at 95 %, and at cut-offs
/// that were chosen on the data in 62.
pub(crate) const FEW_FOR_INTERVALS: u64 = 10;
/// With fewer rows of the rarer class in a fold its figure is mostly chance.
const FEW_IN_FOLD: u64 = 10;
/// A standard deviation over folds from which on they are unstable.
const UNSTABLE: f64 = 0.05;
/// What a figure may lose from training rows to others before it is called overfitting.
#[cfg(feature = "learners")]
const OPTIMISTIC: f64 = 0.1;
/// Slopes of calibration outside of these are poor if chance does not explain them.
const SOUND_SLOPES: (f64, f64) = (0.8, 1.25);

/// Whether a calibration slope is far from 1 and its interval without 1. A negative one is that of scores that rank the
/// wrong way round, which is another matter.
pub(crate) fn miscalibrated(model: &str, slope: f64, (lower, upper): (f64, f64)) -> Option<Miscalibrated> {
    let is_extreme = slope > 0.0 && slope < SOUND_SLOPES.0 && upper < 1.0;
    let is_timid = slope > SOUND_SLOPES.1 && lower > 1.0;
    (is_extreme || is_timid).then(|| Miscalibrated { model: model.to_owned(), slope, lower, upper })
}

/// A learner with Platt's calibrator, which stands before a method that minds costs.
pub(crate) fn calibrated_name(learner: &str) -> String {
    let method = ["+weights", "+resample", "+metacost"].iter().find_map(|method| learner.rfind(method));
    let (plain, costs) = learner.split_at(method.unwrap_or(learner.len()));
    format!("{plain}+platt{costs}")
}

/// Whether a fold has few of the `rarer` rows of the rarer class.
pub(crate) fn few_in_fold(rarer: u64, in_folds: impl Iterator<Item = u64>) -> Option<Warning> {
    let fewest = in_folds.min()?;
    (fewest < FEW_IN_FOLD).then_some(Warning::FewInFold { rarer, fewest })
}

/// Whether it is known what is much of a metric: it is a share.
fn is_share(measure: &Measure) -> bool {
    measure.metric.range == (0.0, 1.0)
}

/// Whether the figures of folds with such a standard deviation lie far apart.
pub(crate) fn unstable_folds(
    model: &str,
    measure: &Measure,
    values: impl Iterator<Item = f64>,
    sd: Option<f64>,
) -> Option<Warning> {
    let sd = sd.filter(|sd| is_share(measure) && *sd > UNSTABLE)?;
    let (lowest, highest) = values
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
    Some(Warning::UnstableFolds { model: model.to_owned(), metric: measure.to_string(), lowest, highest, sd })
}

/// Whether a figure is much better on training rows than on others.
#[cfg(feature = "learners")]
pub(crate) fn overfitting(learner: &str, measure: &Measure, apparent: f64, expected: f64) -> Option<Warning> {
    let better = measure.metric.better;
    let lost = better.gain(apparent) - better.gain(expected);
    (is_share(measure) && lost > OPTIMISTIC).then(|| Warning::Overfitting {
        learner: learner.to_owned(),
        metric: measure.to_string(),
        apparent,
        expected,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(slope: f64, ends: (f64, f64), is_poor: bool) {
        assert_eq!(miscalibrated("m", slope, ends).is_some(), is_poor, "{slope}");
    }

    #[test]
    fn calibration_is_poor_where_the_slope_is_far_from_one_beyond_chance() {
        check(0.62, (0.5, 0.74), true);
        check(1.6, (1.3, 1.9), true);
        check(0.62, (0.2, 1.04), false);
        check(0.9, (0.85, 0.95), false);
        check(1.6, (0.8, 2.4), false);
        check(-0.5, (-0.7, -0.3), false);
    }

    #[test]
    fn a_handful_in_a_fold_is_few() {
        let few = few_in_fold(40, [12, 9, 19].into_iter());
        assert_eq!(few, Some(Warning::FewInFold { rarer: 40, fewest: 9 }));
        assert_eq!(few_in_fold(40, [10, 30].into_iter()), None);
        assert_eq!(few_in_fold(40, std::iter::empty()), None);
    }

    #[test]
    fn only_shares_are_known_to_vary_much() {
        let values = || [0.5, 0.9, 0.7].into_iter();
        assert!(unstable_folds("m", &Measure::AUROC, values(), Some(0.2)).is_some());
        assert!(unstable_folds("m", &Measure::AUROC, values(), Some(0.05)).is_none());
        let log_loss: Measure = "log_loss".parse().expect("a metric");
        assert!(unstable_folds("m", &log_loss, values(), Some(0.2)).is_none());
    }
}
