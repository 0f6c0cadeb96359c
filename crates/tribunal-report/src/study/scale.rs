//! The scale on which a metric is tabulated: shares as percentages with two decimals, as Viaene et al. (2002) print them.

use tribunal_eval::metrics::{Better, Measure};

use crate::number;

/// How the figures of a metric are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scale {
    Percent,
    Plain,
}

impl Scale {
    /// Percent for merits between 0 and 1; losses and what has no such ends stay as they are.
    pub(super) fn of(metric: &str) -> Self {
        let is_merit =
            |measure: &Measure| measure.metric.range == (0.0, 1.0) && measure.metric.better == Better::Higher;
        match metric.parse::<Measure>() {
            Ok(measure) if is_merit(&measure) => Self::Percent,
            _ => Self::Plain,
        }
    }

    /// A figure, or a difference of two.
    pub(super) fn figure(self, value: f64) -> String {
        match self {
            Self::Percent => decimals(100.0 * value, 2),
            Self::Plain => number::figure(value),
        }
    }

    /// A figure, or `n/a`.
    pub(super) fn optional(self, value: Option<f64>) -> String {
        value.map_or_else(|| "n/a".to_owned(), |value| self.figure(value))
    }

    /// An interval, its ends with a digit less than figures have; nothing where there is none.
    pub(super) fn interval(self, lower: Option<f64>, upper: Option<f64>) -> Option<String> {
        match self {
            Self::Percent => {
                Some(format!("[{}, {}]", decimals(100.0 * lower?, 1), decimals(100.0 * upper?, 1)))
            }
            Self::Plain => number::interval(lower, upper),
        }
    }

    /// The metric with the unit of its figures.
    pub(super) fn label(self, metric: &str) -> String {
        match self {
            Self::Percent => format!("{metric} in %"),
            Self::Plain => metric.to_owned(),
        }
    }
}

/// So many decimals, and no sign where all are zero.
fn decimals(value: f64, n: usize) -> String {
    let text = format!("{value:.n$}");
    let is_zero = text.chars().all(|c| matches!(c, '-' | '0' | '.'));
    if is_zero { text.trim_start_matches('-').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(metric: &str, value: f64, expected: [&str; 3]) {
        let scale = Scale::of(metric);
        let interval = scale.interval(Some(value), Some(value)).expect("two ends");
        assert_eq!([scale.figure(value), interval, scale.label(metric)], expected, "{metric}");
    }

    #[test]
    fn merits_are_percentages() {
        check("pcc", 0.83127, ["83.13", "[83.1, 83.1]", "pcc in %"]);
        check("auroc", -0.000_004, ["0.00", "[0.0, 0.0]", "auroc in %"]);
        check("cph@0.1", -0.0123, ["-1.23", "[-1.2, -1.2]", "cph@0.1 in %"]);
    }

    #[test]
    fn losses_and_unknown_metrics_are_not() {
        check("brier", 0.1234, ["0.1234", "[0.123, 0.123]", "brier"]);
        check("log_loss", 0.5, ["0.5000", "[0.500, 0.500]", "log_loss"]);
        check("no_such", 2.0, ["2.0000", "[2.000, 2.000]", "no_such"]);
        assert_eq!(
            (Scale::Plain.optional(None), Scale::Percent.interval(None, Some(1.0))),
            ("n/a".into(), None)
        );
    }
}
