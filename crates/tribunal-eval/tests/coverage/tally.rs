//! How often the intervals of a design hold.

use rayon::prelude::*;

use crate::design::Design;
use crate::figures::{FIGURES, Figure, Limit};
use crate::sample::{Judged, N_RIVALS, Population, RIVALS};

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
    /// Samples with an interval on which other methods were tried too.
    n_compared: u64,
    rivals: [RivalTally; N_RIVALS],
}

/// What became of the intervals of another method, beside those of the default one on the same samples.
#[derive(Clone, Copy, Debug, Default)]
struct RivalTally {
    n_samples: u64,
    n_missed: u64,
    widths: f64,
    default_widths: f64,
}

/// The narrowest of the methods that hold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Narrowest {
    pub(crate) method: &'static str,
    /// The width of the default interval over that of this one.
    pub(crate) relative_width: f64,
}

/// A figure is not judged in a design where no more than this share of the samples has an interval.
const MOSTLY_WITHOUT: f64 = 0.2;
/// A method counts as tried if it has an interval in this share of the samples that it was tried on.
const TRIED: f64 = 0.95;
/// A method holds if it does so in this share of the samples.
const HOLDS: f64 = 0.93;

impl Tally {
    /// Draws the samples of a design. They are added up in their order, whatever the number of threads.
    pub(crate) fn of_design(design: &Design) -> Vec<Self> {
        let population = Population::of(design);
        let mut tallies: Vec<Self> =
            FIGURES.iter().map(|figure| Self::empty(figure, design, &population)).collect();
        let judge = |sample: u64| {
            // Figures that have had their samples are left out.
            let wanted: Vec<usize> =
                (0..FIGURES.len()).filter(|&place| sample < FIGURES[place].n_samples(design)).collect();
            population.judge(&design.draw(sample), sample, &wanted)
        };
        let judged: Vec<Vec<(usize, Option<Judged>)>> =
            (0..design.n_samples()).into_par_iter().map(judge).collect();
        for (place, judged) in judged.iter().flatten() {
            tallies[*place].add(judged.as_ref());
        }
        tallies
    }

    fn empty(figure: &'static Figure, design: &Design, population: &Population) -> Self {
        let limit = figure.limit_in(design, population);
        let (n_samples, n_without, n_below, n_above) = (0, 0, 0, 0);
        Self {
            figure,
            design: *design,
            limit,
            n_samples,
            n_without,
            n_below,
            n_above,
            widths: 0.0,
            n_compared: 0,
            rivals: Default::default(),
        }
    }

    fn add(&mut self, judged: Option<&Judged>) {
        self.n_samples += 1;
        let Some(Judged { interval, truth, rivals }) = judged else {
            self.n_without += 1;
            return;
        };
        self.n_below += u64::from(*truth < interval.lower - ROUNDING);
        self.n_above += u64::from(*truth > interval.upper + ROUNDING);
        let width = interval.upper - interval.lower;
        self.widths += width;
        self.n_compared += u64::from(rivals.iter().any(Option::is_some));
        for (tally, rival) in self.rivals.iter_mut().zip(rivals) {
            let Some(rival) = rival else { continue };
            let is_missed = *truth < rival.lower - ROUNDING || *truth > rival.upper + ROUNDING;
            tally.n_samples += 1;
            tally.n_missed += u64::from(is_missed);
            tally.widths += rival.upper - rival.lower;
            tally.default_widths += width;
        }
    }

    /// Whether enough samples have an interval to speak of coverage: those few that have one where most have none are a choice.
    pub(crate) fn is_judged(&self) -> bool {
        (self.n_samples - self.n_without) as f64 > MOSTLY_WITHOUT * self.n_samples as f64
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

    /// The narrowest of the methods that hold; nothing where none does.
    pub(crate) fn narrowest(&self) -> Option<Narrowest> {
        let default = Narrowest { method: "default", relative_width: 1.0 };
        let rivals = self.rivals.iter().zip(RIVALS).filter(|(rival, _)| {
            let is_tried = rival.n_samples as f64 > TRIED * self.n_compared as f64;
            is_tried && 1.0 - rival.n_missed as f64 / rival.n_samples as f64 >= HOLDS
        });
        let rivals = rivals
            .map(|(rival, method)| Narrowest { method, relative_width: rival.default_widths / rival.widths });
        let default = (self.coverage() >= HOLDS).then_some(default);
        rivals.chain(default).max_by(|a, b| a.relative_width.total_cmp(&b.relative_width))
    }

    /// The share of the samples without a value, without an interval, or whose cut-off has no value in the population.
    pub(crate) fn without(&self) -> f64 {
        self.n_without as f64 / self.n_samples as f64
    }

    /// The least coverage that the design asks for, less two standard errors of the simulation at 95 %.
    pub(crate) fn floor(&self) -> f64 {
        let floor = self.limit.map_or(self.figure.floor, |limit| limit.floor);
        let error = (0.95 * 0.05 / (self.n_samples - self.n_without).max(1) as f64).sqrt();
        floor - 2.0 * error
    }
}
