//! Probabilities from counts, drawn towards something when counts are few.

use serde::{Deserialize, Serialize};

use super::Arguments;
use super::arguments::amount;
use crate::error::Error;

/// How a share of counted rows is smoothed: by `weight` imagined rows, spread over the values of the column.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Smoothing {
    pub(crate) weight: Weight,
    pub(crate) towards: Towards,
}

/// How many rows are imagined.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Weight {
    /// So many for a column, whatever its number of values.
    Rows(f64),
    /// So many for each value: one is Laplace's rule.
    EachValue(f64),
}

/// How they are spread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Towards {
    /// Alike over all values that there may be.
    #[default]
    Uniform,
    /// As the values are spread over all classes (Friedman, Geiger and Goldszmidt 1997).
    Marginal,
}

impl Smoothing {
    /// So many rows, spread alike.
    pub(crate) fn rows(n_rows: f64) -> Self {
        Smoothing { weight: Weight::Rows(n_rows), towards: Towards::Uniform }
    }

    /// One row for each value.
    pub(crate) const LAPLACE: Smoothing =
        Smoothing { weight: Weight::EachValue(1.0), towards: Towards::Uniform };

    /// Reads `25`, `laplace`, `alpha=0.5`.
    pub(crate) fn parse(arguments: &mut Arguments<'_>, default: Smoothing) -> Result<Smoothing, Error> {
        let word = |text: &str| match text {
            "laplace" => Some(Smoothing::LAPLACE),
            text => amount(text).map(Smoothing::rows),
        };
        let given = arguments.word(word).unwrap_or(default);
        let alpha = arguments.keyed("alpha", "a number from zero", amount)?;
        Ok(alpha.map_or(given, |alpha| Smoothing { weight: Weight::EachValue(alpha), ..given }))
    }

    /// The probability of a value that `count` of `total` rows have, in a column of `n_values`.
    ///
    /// `marginal` is the share of the value over all classes. Without rows, counted or imagined, it is zero.
    pub(crate) fn share(&self, count: f64, total: f64, n_values: usize, marginal: f64) -> f64 {
        let n_values = n_values as f64;
        let imagined = match self.weight {
            Weight::Rows(n_rows) => n_rows,
            Weight::EachValue(alpha) => alpha * n_values,
        };
        let base = match self.towards {
            Towards::Uniform => 1.0 / n_values,
            Towards::Marginal => marginal,
        };
        let all = total + imagined;
        if all > 0.0 { (count + imagined * base) / all } else { 0.0 }
    }
}

impl Smoothing {
    /// Whether shares can be smoothed by it, for a model that was read.
    pub(crate) fn is_sound(&self) -> bool {
        let (Weight::Rows(weight) | Weight::EachValue(weight)) = self.weight;
        weight.is_finite() && weight >= 0.0
    }

    /// The settings of a learner that are not as usual, `25,smoothing=marginal`; a weight of zero is written
    /// where zero is not usual.
    pub(crate) fn text(&self, usual: Smoothing) -> String {
        let weight = match self.weight {
            weight if weight == usual.weight => None,
            Weight::Rows(n_rows) => Some(n_rows.to_string()),
            Weight::EachValue(1.0) => Some("laplace".to_owned()),
            Weight::EachValue(alpha) => Some(format!("alpha={alpha}")),
        };
        let towards = (self.towards == Towards::Marginal).then(|| "smoothing=marginal".to_owned());
        weight.into_iter().chain(towards).collect::<Vec<_>>().join(",")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imagined_rows_draw_a_share_towards_what_they_say() {
        assert_eq!(Smoothing::rows(0.0).share(3.0, 4.0, 2, 0.9), 0.75);
        assert_eq!(Smoothing::rows(0.0).share(0.0, 0.0, 2, 0.9), 0.0);
        assert_eq!(Smoothing::rows(4.0).share(3.0, 4.0, 2, 0.9), 5.0 / 8.0);
        assert_eq!(Smoothing::LAPLACE.share(0.0, 0.0, 5, 0.9), 0.2);
        let marginal = Smoothing { towards: Towards::Marginal, ..Smoothing::rows(4.0) };
        assert!((marginal.share(3.0, 4.0, 2, 0.9) - 6.6 / 8.0).abs() < 1e-15);
    }
}
