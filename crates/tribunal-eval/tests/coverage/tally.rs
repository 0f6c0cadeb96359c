//! How often the intervals of a design hold.

use rayon::prelude::*;

use crate::design::Design;
use crate::figures::{FIGURES, Figure, Limit};
use crate::sample::{Judged, Population};

/// Two numbers that differ by less are equal but for rounding.
const ROUNDING: f64 = 1e-9;

/// What became of the intervals of one figure in one design.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tally {
    pub(crate) figure: &'static Figure,
    pub(crate) design: Design,
    /// The limit of the figure that concerns the design.
    pub(crate) limit: Option<Limit>,
    n_samples: u64,
    n_without: u64,
    n_below: u64,
    n_above: u64,
    widths: f64,
}

impl Tally {
    /// Draws the samples of a design. They are added up in their order, whatever the number of threads.
    pub(crate) fn of_design(design: &Design) -> Vec<Self> {
        let population = Population::of(design, FIGURES);
        let judge = |sample: u64| population.judge(&design.draw(sample), FIGURES);
        let judged: Vec<Vec<Option<Judged>>> = (0..design.n_samples()).into_par_iter().map(judge).collect();
        let mut tallies: Vec<Self> =
            FIGURES.iter().map(|figure| Self::empty(figure, design, &population)).collect();
        for sample in &judged {
            tallies.iter_mut().zip(sample).for_each(|(tally, judged)| tally.add(judged.as_ref()));
        }
        tallies
    }

    fn empty(figure: &'static Figure, design: &Design, population: &Population) -> Self {
        let limit = figure.limit_in(design, population);
        let (n_samples, n_without, n_below, n_above) = (0, 0, 0, 0);
        Self { figure, design: *design, limit, n_samples, n_without, n_below, n_above, widths: 0.0 }
    }

    fn add(&mut self, judged: Option<&Judged>) {
        self.n_samples += 1;
        let Some(Judged { interval, truth }) = judged else {
            self.n_without += 1;
            return;
        };
        self.n_below += u64::from(*truth < interval.lower - ROUNDING);
        self.n_above += u64::from(*truth > interval.upper + ROUNDING);
        self.widths += interval.upper - interval.lower;
    }

    /// Per sample with an interval; one where there is none.
    fn share(&self, count: f64) -> f64 {
        count / (self.n_samples - self.n_without).max(1) as f64
    }

    /// The share of the intervals that hold the truth.
    pub(crate) fn coverage(&self) -> f64 {
        1.0 - self.lower_tail() - self.upper_tail()
    }

    /// The share of the samples in which the truth lies below the lower end.
    pub(crate) fn lower_tail(&self) -> f64 {
        self.share(self.n_below as f64)
    }

    /// The share of the samples in which the truth lies above the upper end.
    pub(crate) fn upper_tail(&self) -> f64 {
        self.share(self.n_above as f64)
    }

    pub(crate) fn mean_width(&self) -> f64 {
        self.share(self.widths)
    }

    /// The share of the samples without a value, without an interval, or whose cut-off has no value in the population.
    pub(crate) fn without(&self) -> f64 {
        self.n_without as f64 / self.n_samples as f64
    }

    /// The least coverage that the design asks for.
    pub(crate) fn floor(&self) -> f64 {
        self.limit.map_or(self.figure.floor, |limit| limit.floor)
    }
}
