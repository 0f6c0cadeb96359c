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

    /// A figure, or a difference of two; `n/a` for what could not be computed.
    pub(super) fn figure(self, value: f64) -> String {
        match self {
            _ if !value.is_finite() => "n/a".to_owned(),
            Self::Percent => two_decimals(100.0 * value),
            Self::Plain => number::figure(value),
        }
    }

    /// A figure, or `n/a`.
    pub(super) fn optional(self, value: Option<f64>) -> String {
        self.figure(value.unwrap_or(f64::NAN))
    }

    /// An interval, or `n/a`.
    pub(super) fn interval(self, lower: Option<f64>, upper: Option<f64>) -> String {
        let is_finite = |end: &f64| end.is_finite();
        let (lower, upper) = (lower.filter(is_finite), upper.filter(is_finite));
        let ends = match self {
            Self::Percent => lower.zip(upper).map(|(lower, upper)| {
                format!("[{}, {}]", two_decimals(100.0 * lower), two_decimals(100.0 * upper))
            }),
            Self::Plain => number::interval(lower, upper),
        };
        ends.unwrap_or_else(|| "n/a".to_owned())
    }

    /// The metric with the unit of its figures.
    pub(super) fn label(self, metric: &str) -> String {
        match self {
            Self::Percent => format!("{metric} in %"),
            Self::Plain => metric.to_owned(),
        }
    }
}

/// Two decimals, and no sign where nothing is left of the value.
fn two_decimals(value: f64) -> String {
    let text = format!("{value:.2}");
    if text == "-0.00" { "0.00".to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(metric: &str, value: f64, expected: [&str; 3]) {
        let scale = Scale::of(metric);
        let interval = scale.interval(Some(value), Some(value));
        assert_eq!([scale.figure(value), interval, scale.label(metric)], expected, "{metric}");
    }

    #[test]
    fn merits_are_percentages() {
        check("pcc", 0.83127, ["83.13", "[83.13, 83.13]", "pcc in %"]);
        check("auroc", -0.000_004, ["0.00", "[0.00, 0.00]", "auroc in %"]);
        check("cph@0.1", -0.0123, ["-1.23", "[-1.23, -1.23]", "cph@0.1 in %"]);
    }

    #[test]
    fn losses_and_unknown_metrics_are_not() {
        check("brier", 0.1234, ["0.1234", "[0.123, 0.123]", "brier"]);
        check("log_loss", 0.5, ["0.5000", "[0.500, 0.500]", "log_loss"]);
        check("no_such", 2.0, ["2.0000", "[2.000, 2.000]", "no_such"]);
    }

    #[test]
    fn what_is_missing_is_not_available() {
        for scale in [Scale::Plain, Scale::Percent] {
            assert_eq!([scale.optional(None), scale.figure(f64::NAN)], ["n/a", "n/a"]);
            assert_eq!(scale.interval(None, Some(1.0)), "n/a");
            assert_eq!(scale.interval(Some(f64::NEG_INFINITY), Some(1.0)), "n/a");
        }
    }
}
