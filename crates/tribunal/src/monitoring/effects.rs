//! What changes add to the strike rate, and what is to be expected, from the counts of two periods; with bootstrap intervals.

use rayon::prelude::*;
use tribunal_eval::intervals::{Replicates, bootstrap_percentile};
use tribunal_eval::monitoring::{
    BandCounts, JoinedBands, StrikeRateFactors, expected_auroc, join_bands_without, mix_contributions,
    strike_rate_contributions,
};
use tribunal_random::Random;

use super::knowledge::Knowledge;
use super::period::{Drawing, Period};
use crate::error::Error;

/// Figures that follow from the counts of two periods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    Change,
    Drift,
    Selection,
    Mix,
    Decay,
    RateOnReferenceMix,
    ExpectedRate,
    ExpectedPostStratified,
    /// The AUROC of the bands with the rates of the reference on the current population.
    ExpectedBandAuroc,
}

const N_EFFECTS: usize = 9;
type Values = [Option<f64>; N_EFFECTS];

/// The effects with the draws of each.
pub(super) struct Effects {
    pub(super) joined: JoinedBands,
    /// The AUROC of the bands on the population of the reference.
    pub(super) reference_band_auroc: Option<f64>,
    observed: Values,
    drawn: Vec<Values>,
    drawing: Drawing,
}

/// An estimate, its interval and its standard error.
#[derive(Clone, Copy, Debug)]
pub(super) struct Drawn {
    pub(super) estimate: f64,
    pub(super) lower: f64,
    pub(super) upper: f64,
    pub(super) standard_error: f64,
}

impl Effects {
    /// Of two periods in the same bands.
    pub(super) fn of(
        (reference, current): (&Period, &Period),
        knowledge: Knowledge,
        drawing: Drawing,
    ) -> Result<Self, Error> {
        let has_outcome = |period: &Period, run: std::ops::Range<usize>| {
            period.counts[run].iter().any(|band| band.outcomes.rows > 0)
        };
        let joined = join_bands_without(reference.counts.len(), |run| {
            has_outcome(reference, run.clone()) && (!knowledge.has_outcomes() || has_outcome(current, run))
        });
        let (a, b) = (joined.counts(&reference.counts), joined.counts(&current.counts));
        let is_binary = !reference.has_amounts();
        let observed = values((&a, &b), knowledge, is_binary);
        let reference_band_auroc =
            StrikeRateFactors::of(&a).ok().and_then(|factors| factors.auroc_of_bands().ok());
        let samples = (reference.sample(&joined)?, current.sample(&joined)?);
        let draw = |replicate: usize| {
            let mut random = Random::derived(drawing.seed, &[replicate as u64]);
            let (a, b) = (samples.0.draw(&mut random), samples.1.draw(&mut random));
            values((&a, &b), knowledge, is_binary)
        };
        let drawn = (0..drawing.replicates).into_par_iter().map(draw).collect();
        Ok(Effects { joined, reference_band_auroc, observed, drawn, drawing })
    }

    /// An effect with its interval; nothing where it has no value.
    pub(super) fn get(&self, effect: Effect) -> Option<Drawn> {
        let estimate = self.observed[effect as usize]?;
        let drawn = self.drawn.iter().filter_map(|values| values[effect as usize]).collect();
        let replicates = Replicates::new(drawn).ok()?;
        let interval = bootstrap_percentile(&replicates, self.drawing.level);
        Some(Drawn {
            estimate,
            lower: interval.lower,
            upper: interval.upper,
            standard_error: replicates.standard_deviation().ok()?,
        })
    }
}

fn values((a, b): (&[BandCounts], &[BandCounts]), knowledge: Knowledge, is_binary: bool) -> Values {
    let has_outcome = |bands: &[BandCounts]| bands.iter().any(|band| band.outcomes.rows > 0);
    if !has_outcome(a) || knowledge.has_outcomes() && !has_outcome(b) {
        return [None; N_EFFECTS];
    }
    let a = StrikeRateFactors::filled(a, &[]);
    let b = StrikeRateFactors::filled(b, &a.rates);
    let unchanged = current_as_expected(&a, &b, knowledge);
    // What was not observed has not changed.
    let known = if knowledge.has_outcomes() { &b } else { &unchanged };
    let mut values = [None; N_EFFECTS];
    let mut set = |effect: Effect, value: Option<f64>| values[effect as usize] = value;
    if let Knowledge::MixAndOutcomes | Knowledge::MixOnly = knowledge {
        let found = mix_contributions(&a, known).ok();
        set(Effect::Mix, found.map(|found| found.mix));
        set(Effect::Decay, found.map(|found| found.decay).filter(|_| knowledge.has_outcomes()));
    } else {
        let found = strike_rate_contributions(&a, known).ok();
        set(Effect::Drift, found.map(|found| found.drift));
        set(
            Effect::Selection,
            found.map(|found| found.selection).filter(|_| knowledge != Knowledge::ScoresOnly),
        );
        set(Effect::Decay, found.map(|found| found.decay).filter(|_| knowledge.has_outcomes()));
    }
    if knowledge.has_outcomes() {
        set(Effect::Change, difference(b.strike_rate().ok(), a.strike_rate().ok()));
        set(Effect::RateOnReferenceMix, b.rate_on_mix_of(&a).ok());
    }
    set(Effect::ExpectedRate, unchanged.strike_rate().ok());
    set(Effect::ExpectedPostStratified, Some(unchanged.post_stratified()));
    let expected = expected_auroc(&b.population, &a.rates).ok();
    set(Effect::ExpectedBandAuroc, expected.filter(|_| is_binary));
    values
}

fn difference(current: Option<f64>, reference: Option<f64>) -> Option<f64> {
    Some(current? - reference?)
}

/// The current period with the rates of the reference; where nothing says what was acted on, with its selection too.
fn current_as_expected(
    a: &StrikeRateFactors,
    b: &StrikeRateFactors,
    knowledge: Knowledge,
) -> StrikeRateFactors {
    let is_acted = b.selection.iter().any(|selected| *selected > 0.0);
    let selection = match knowledge {
        _ if is_acted => b.selection.clone(),
        Knowledge::MixOnly => vec![1.0; b.selection.len()],
        _ => a.selection.clone(),
    };
    StrikeRateFactors { population: b.population.clone(), selection, rates: a.rates.clone() }
}
