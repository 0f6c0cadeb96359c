//! What is asked of the charts: bins, bands of scores, another base rate.

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::message::{Message, Setting};

/// Bins of the proportion score function where nobody says how many.
const USUAL_BINS: usize = 10;

/// What is asked of the charts. Nothing of it is asked where every field is empty.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct ChartRequest {
    /// Bins of the proportion score function; nothing means ten, or as many as there are rows.
    pub bins: Option<usize>,
    /// Rising edges of bands of scores: two make low, medium and high.
    pub bands: Vec<f64>,
    /// Another base rate at which figures are read.
    pub base_rate: Option<f64>,
}

impl ChartRequest {
    /// Whether an error-matrix chart was asked for, and not only offered to programs.
    pub fn wants_error_matrix(&self) -> bool {
        self.bins.is_some() || !self.bands.is_empty()
    }

    /// How many bins a list of so many rows is cut into.
    ///
    /// # Errors
    /// More were asked for than there are rows.
    pub(crate) fn n_bins(&self, n_rows: f64) -> Result<usize, Error> {
        match self.bins {
            Some(bins) if bins as f64 > n_rows => {
                let message =
                    Message::from(format!("{n_rows} rows cannot be cut into {bins} bins; ask for fewer: "));
                Err(Error::data(message.set(Setting::Bins, n_rows.to_string())))
            }
            Some(bins) => Ok(bins),
            None => Ok(USUAL_BINS.min(n_rows as usize)),
        }
    }

    /// Refuses what cannot be right whatever the data are.
    pub(crate) fn check(&self) -> Result<(), Error> {
        if self.bins == Some(0) {
            return Err(Error::usage(Message::from("no bins show nothing: write ").set(Setting::Bins, "10")));
        }
        if let Some(edge) = self.bands.iter().find(|edge| !edge.is_finite()) {
            return Err(Error::usage(format!(
                "{edge} is no edge of a band of scores; write a finite number"
            )));
        }
        if let Some(pair) = self.bands.windows(2).find(|pair| pair[0] >= pair[1]) {
            return Err(Error::usage(format!(
                "the edges of the bands must rise, but {} follows {}; a comma divides two edges, decimals are written with a point",
                pair[1], pair[0]
            )));
        }
        match self.base_rate {
            Some(rate) if !(rate > 0.0 && rate < 1.0) => Err(Error::usage(
                Message::from(format!(
                    "a base rate of {rate} leaves one class without cases; it must lie between 0 and 1, such as "
                ))
                .set(Setting::BaseRate, "1%"),
            )),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_right_is_refused() {
        let check = |request: ChartRequest, expected: &str| {
            let error = request.check().expect_err("impossible").to_string();
            assert!(error.contains(expected), "{error}");
        };
        let none = ChartRequest::default;
        check(ChartRequest { bins: Some(0), ..none() }, "`bins = 10`");
        check(ChartRequest { bands: vec![0.2, 0.2], ..none() }, "must rise, but 0.2 follows 0.2");
        check(ChartRequest { bands: vec![f64::NAN], ..none() }, "no edge");
        for rate in [0.0, 1.0, 1.01, -0.1, f64::NAN] {
            check(ChartRequest { base_rate: Some(rate), ..none() }, "`base_rate = 1%`");
        }
        assert!(ChartRequest { bins: Some(1), bands: vec![0.2, 0.5], base_rate: Some(0.01) }.check().is_ok());
    }

    #[test]
    fn ten_bins_are_usual_and_never_more_than_rows() {
        let asked = ChartRequest { bins: Some(5), ..ChartRequest::default() };
        assert_eq!((asked.n_bins(19.0).ok(), ChartRequest::default().n_bins(4.0).ok()), (Some(5), Some(4)));
        assert!(asked.n_bins(4.0).expect_err("too many").to_string().contains("`bins = 4`"));
    }
}
