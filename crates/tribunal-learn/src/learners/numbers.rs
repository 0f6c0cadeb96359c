//! What learners that compute have in common: how columns become numbers, as part of their text.

use super::arguments::Arguments;
use crate::encoding::{Missing, NumericOptions, Scaling, View};
use crate::error::Error;
use crate::posteriors::Posteriors;

/// What members of a family say in each scenario, those together that see the same numbers: `cross` is given their places
/// among the members and gives for each scenario what each of them says.
///
/// # Errors
/// As `cross`.
pub(crate) fn by_numbers(
    members: &[Numbers],
    n_scenarios: usize,
    cross: impl Fn(Numbers, &[usize]) -> Result<Vec<Vec<Posteriors>>, Error>,
) -> Result<Vec<Vec<Posteriors>>, Error> {
    let mut found = vec![vec![Posteriors::default(); members.len()]; n_scenarios];
    for (first, &numbers) in members.iter().enumerate() {
        if members[..first].contains(&numbers) {
            continue;
        }
        let relatives: Vec<usize> = (first..members.len()).filter(|&idx| members[idx] == numbers).collect();
        for (found, of_relatives) in found.iter_mut().zip(cross(numbers, &relatives)?) {
            relatives.iter().zip(of_relatives).for_each(|(&idx, posteriors)| found[idx] = posteriors);
        }
    }
    Ok(found)
}

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

    /// The same on the scale of all rows.
    pub(crate) fn on_scale_of_all(self) -> Numbers {
        Numbers { paper: true, ..self }
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
