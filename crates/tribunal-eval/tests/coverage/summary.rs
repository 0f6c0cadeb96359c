//! What the designs show of one figure.

use crate::figures::{FIGURES, Figure};
use crate::tally::Tally;

/// The least mean coverage over the designs.
const LEAST_MEAN: f64 = 0.93;

/// The designs of one figure: those that no limit concerns, and the others.
pub(crate) struct Summary<'a> {
    pub(crate) figure: &'static Figure,
    pub(crate) usual: Vec<&'a Tally>,
    pub(crate) limited: Vec<&'a Tally>,
}

impl<'a> Summary<'a> {
    /// One a figure, from the tallies of each design in the order of the figures.
    pub(crate) fn all(designs: &'a [Vec<Tally>]) -> Vec<Self> {
        let of = |(index, figure): (usize, &'static Figure)| {
            let tallies = designs.iter().map(|design| &design[index]).filter(|tally| tally.is_judged());
            let (limited, usual) = tallies.partition(|tally| tally.limit.is_some());
            Self { figure, usual, limited }
        };
        FIGURES.iter().enumerate().map(of).collect()
    }

    pub(crate) fn mean(&self, of: impl Fn(&Tally) -> f64) -> f64 {
        self.usual.iter().map(|tally| of(tally)).sum::<f64>() / self.usual.len() as f64
    }

    /// The mean over the designs in which some method holds.
    pub(crate) fn relative_width(&self) -> f64 {
        let all: Vec<f64> =
            self.usual.iter().filter_map(|tally| tally.narrowest()).map(|best| best.relative_width).collect();
        all.iter().sum::<f64>() / all.len() as f64
    }

    /// What the figure fails in, a sentence each.
    pub(crate) fn failures(&self) -> Vec<String> {
        let name = self.figure.name();
        let too_low = |tally: &&&Tally| tally.coverage() < tally.floor();
        let low = self.usual.iter().chain(&self.limited).filter(too_low).map(|tally| {
            let (design, coverage) = (tally.design.name(), tally.coverage());
            format!("{name}: {coverage:.4} is below {} at {design}", tally.floor())
        });
        let mean = self.mean(Tally::coverage);
        let off = (!(LEAST_MEAN..=self.figure.most).contains(&mean))
            .then(|| format!("{name}: the mean coverage is {mean:.4}"));
        low.chain(off).collect()
    }
}

/// The design with the least coverage.
pub(crate) fn worst<'a>(tallies: &[&'a Tally]) -> Option<&'a Tally> {
    tallies.iter().copied().min_by(|a, b| a.coverage().total_cmp(&b.coverage()))
}
