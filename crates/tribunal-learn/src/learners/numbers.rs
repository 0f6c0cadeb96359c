//! What learners that compute have in common: how columns become numbers, as part of their text.

use super::arguments::Arguments;
use crate::encoding::{Missing, NumericOptions, Scaling, View};

/// The settings that all learners share which see columns as a matrix.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Numbers {
    /// The protocol of Viaene et al. (2002): columns are scaled over all rows of the data, test rows included.
    pub(crate) paper: bool,
    /// Where a value was missing, a column of its own says so.
    pub(crate) mark: bool,
}

impl Numbers {
    /// How these settings are written, for the forms of learners.
    pub(crate) fn parse(arguments: &mut Arguments<'_>) -> Numbers {
        let mut has = |word: &str| arguments.word(|found| (found == word).then_some(())).is_some();
        Numbers { paper: has("paper"), mark: has("mark") }
    }

    /// How columns are to become numbers.
    pub(crate) fn view(self) -> View {
        View::Numbers(self.options())
    }

    pub(crate) fn options(self) -> NumericOptions {
        NumericOptions {
            missing: if self.mark { Missing::ImputeAndMark } else { Missing::Impute },
            scaling: if self.paper { Scaling::Paper } else { Scaling::Strict },
        }
    }

    /// The words for what is not as usual.
    pub(crate) fn words(self) -> impl Iterator<Item = String> {
        let words = [(self.paper, "paper"), (self.mark, "mark")];
        words.into_iter().filter(|(is_so, _)| *is_so).map(|(_, word)| word.to_owned())
    }
}
