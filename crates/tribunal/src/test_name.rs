//! The tests between models, by name.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A test of the difference between two models, or of all models together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Test {
    /// DeLong, DeLong and Clarke-Pearson's test of two AUROCs on the same rows.
    Delong,
    /// McNemar's test of the predictions on the same rows.
    Mcnemar,
    /// The interval of the difference of two proportions on the same rows.
    PairedProportions,
    /// The difference of two figures on the same rows, by their influence functions.
    Influence,
    /// The paired bootstrap: both models on the same draws.
    Bootstrap,
    /// Student's t test over folds.
    PairedT,
    /// The same with the variance corrected for training sets that overlap (Nadeau and Bengio 2003).
    CorrectedT,
    /// Dietterich's 5 x 2 cross-validated t test.
    FiveByTwoT,
    /// Alpaydin's 5 x 2 cross-validated F test.
    FiveByTwoF,
    /// Duncan's multiple range test over folds.
    Duncan,
    /// Tukey's honestly significant difference over folds.
    Tukey,
    /// Nemenyi's test on the mean ranks over folds.
    Nemenyi,
}

impl Test {
    /// The name in JSON and CSV.
    pub fn name(self) -> &'static str {
        match self {
            Self::Delong => "delong",
            Self::Mcnemar => "mcnemar",
            Self::PairedProportions => "paired_proportions",
            Self::Influence => "influence",
            Self::Bootstrap => "bootstrap",
            Self::PairedT => "paired_t",
            Self::CorrectedT => "corrected_t",
            Self::FiveByTwoT => "five_by_two_t",
            Self::FiveByTwoF => "five_by_two_f",
            Self::Duncan => "duncan",
            Self::Tukey => "tukey",
            Self::Nemenyi => "nemenyi",
        }
    }

    /// Whether it looks at rows rather than at folds.
    pub fn is_on_rows(self) -> bool {
        matches!(
            self,
            Self::Delong | Self::Mcnemar | Self::PairedProportions | Self::Influence | Self::Bootstrap
        )
    }

    /// In a sentence.
    pub(crate) fn in_words(self) -> &'static str {
        match self {
            Self::Delong => "DeLong's test",
            Self::Mcnemar => "McNemar's test",
            Self::PairedProportions => "interval of the difference",
            Self::Influence => "influence functions",
            Self::Bootstrap => "paired bootstrap",
            Self::PairedT => "the paired t test",
            Self::CorrectedT => "the corrected t test",
            Self::FiveByTwoT => "the 5 x 2 t test",
            Self::FiveByTwoF => "the 5 x 2 F test",
            Self::Duncan => "Duncan's",
            Self::Tukey => "Tukey's",
            Self::Nemenyi => "Nemenyi's",
        }
    }
}

impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_json_form() {
        use Test::*;
        let all = [
            Delong,
            Mcnemar,
            PairedProportions,
            Influence,
            Bootstrap,
            PairedT,
            CorrectedT,
            FiveByTwoT,
            FiveByTwoF,
            Duncan,
            Tukey,
            Nemenyi,
        ];
        for test in all {
            assert_eq!(serde_json::to_value(test).expect("JSON"), test.name());
        }
    }
}
