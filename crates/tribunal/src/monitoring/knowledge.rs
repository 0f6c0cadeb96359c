//! What two periods allow to be said: it depends on whether the population is known, which rows were acted on, and how that ended.

use super::period::Period;
use super::results::ChangeKind;

/// What can be stated of a period beside the reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Knowledge {
    /// Population, selection and outcomes of both.
    Everything,
    /// Of the current period no outcomes.
    NoOutcomes,
    /// Of the current period the scores alone.
    ScoresOnly,
    /// In one of them every row was acted on, so that drift and selection are one.
    MixAndOutcomes,
    /// The same without outcomes of the current period.
    MixOnly,
}

impl Knowledge {
    pub(super) fn of(reference: &Period, current: &Period) -> Self {
        let (is_acted, has_outcomes) = (current.facts.actioned > 0, current.facts.outcomes > 0);
        match (reference.has_population(), current.has_population(), has_outcomes) {
            (true, true, true) => Self::Everything,
            (true, true, false) if is_acted => Self::NoOutcomes,
            (true, _, false) if !is_acted => Self::ScoresOnly,
            (_, _, true) => Self::MixAndOutcomes,
            (_, _, false) => Self::MixOnly,
        }
    }

    /// The changes that can be looked at.
    pub(super) fn changes(self) -> &'static [ChangeKind] {
        use ChangeKind::{Decay, Drift, Mix, Selection};
        match self {
            Self::Everything => &[Drift, Selection, Decay],
            Self::NoOutcomes => &[Drift, Selection],
            Self::ScoresOnly => &[Drift],
            Self::MixAndOutcomes => &[Mix, Decay],
            Self::MixOnly => &[Mix],
        }
    }

    /// Whether outcomes of both are known.
    pub(super) fn has_outcomes(self) -> bool {
        matches!(self, Self::Everything | Self::MixAndOutcomes)
    }
}
