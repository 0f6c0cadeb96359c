//! The kinds of calibrators, by name.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::error::{Error, ErrorKind};
use crate::text_form::written_as_text;

/// A way to make probabilities of scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum CalibratorKind {
    /// A sigmoid of the score (Platt 2000; Lin, Lin and Weng 2007): for scores of any size, and for few rows.
    Platt,
    /// The nearest function that never falls (Zadrozny and Elkan 2002): for many rows.
    Isotonic,
    /// A sigmoid of the logs of a probability and its complement (Kull, Silva Filho and Flach 2017): for probabilities.
    Beta,
    /// The share of positives in ten bins of equal weight (Zadrozny and Elkan 2001).
    Bins,
}

impl CalibratorKind {
    /// Every kind there is.
    pub const ALL: [CalibratorKind; 4] =
        [CalibratorKind::Platt, CalibratorKind::Isotonic, CalibratorKind::Beta, CalibratorKind::Bins];

    /// The kind in a word.
    pub fn name(self) -> &'static str {
        match self {
            CalibratorKind::Platt => "platt",
            CalibratorKind::Isotonic => "isotonic",
            CalibratorKind::Beta => "beta",
            CalibratorKind::Bins => "bins",
        }
    }
}

impl fmt::Display for CalibratorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for CalibratorKind {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let name = text.trim().to_lowercase();
        let known = CalibratorKind::ALL.into_iter().find(|kind| kind.name() == name);
        known.ok_or_else(|| unknown(&name))
    }
}

fn unknown(name: &str) -> Error {
    let names = CalibratorKind::ALL.map(CalibratorKind::name);
    let nearest = names.iter().min_by_key(|known| strsim::damerau_levenshtein(known, name)).copied();
    Error::new(ErrorKind::BadText, format!("there is no calibrator {name:?}")).advise(format!(
        "did you mean {}? (there are: {})",
        nearest.unwrap_or_default(),
        names.join(", ")
    ))
}

written_as_text!(CalibratorKind);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for kind in CalibratorKind::ALL {
            assert_eq!(kind.to_string().parse::<CalibratorKind>().expect("as written"), kind);
        }
        let error = "izotonic".parse::<CalibratorKind>().expect_err("a slip").to_string();
        assert!(error.contains("did you mean isotonic?"), "{error}");
    }
}
