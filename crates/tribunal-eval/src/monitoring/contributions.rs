//! What population, selection and model each add to the difference of two strike rates.
//!
//! Which factor is exchanged first matters to what it adds, so the mean over all orders is taken: the Shapley value, which adds up
//! and favours no order. With two factors it is Kitagawa's decomposition.

use super::factors::{StrikeRateFactors, strike_rate};
use crate::error::Error;
use crate::undefined::{Undefined, Value};

/// What each of three factors adds to the strike rate of the current period less that of the reference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contributions {
    /// The population: which scores there are.
    pub drift: f64,
    /// The selection: which of them were acted on.
    pub selection: f64,
    /// The rates within bands: below zero where the model got worse.
    pub decay: f64,
}

impl Contributions {
    /// The difference of the strike rates.
    pub fn total(&self) -> f64 {
        self.drift + self.selection + self.decay
    }
}

/// What each of two factors adds where population and selection cannot be told apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MixContributions {
    /// Which scores were acted on.
    pub mix: f64,
    /// The rates within bands.
    pub decay: f64,
}

/// The three-factor Shapley decomposition of a difference of strike rates.
///
/// **Definition** with `v(F)` the strike rate `sum pi s r / sum pi s` where the factors `F` are those of the current period and the
/// others those of the reference, a factor adds the mean over the six orders of factors of `v` with it less `v` without it.
///
/// **Undefined when** a mixture of the factors selects nothing, or the periods have different bands.
///
/// **Reference** Kitagawa (1955); Shorrocks (2013).
pub fn strike_rate_contributions(
    reference: &StrikeRateFactors,
    current: &StrikeRateFactors,
) -> Result<Contributions, Error> {
    same_bands(reference, current)?;
    let periods = [reference, current];
    let value = |population: usize, selection: usize, rates: usize| -> Value {
        strike_rate(&periods[population].population, &periods[selection].selection, &periods[rates].rates)
    };
    let none = value(0, 0, 0)?;
    let (drift, selection, decay) = (value(1, 0, 0)?, value(0, 1, 0)?, value(0, 0, 1)?);
    let (no_decay, no_selection, no_drift) = (value(1, 1, 0)?, value(1, 0, 1)?, value(0, 1, 1)?);
    let all = value(1, 1, 1)?;
    // The factor first, second after either other one, and last; half of the orders have it in the middle with each.
    let shapley = |alone: f64, others: [(f64, f64); 2], without: f64| {
        let middle = (others[0].1 - others[0].0) + (others[1].1 - others[1].0);
        (2.0 * (alone - none) + middle + 2.0 * (all - without)) / 6.0
    };
    Ok(Contributions {
        drift: shapley(drift, [(selection, no_decay), (decay, no_selection)], no_drift),
        selection: shapley(selection, [(drift, no_decay), (decay, no_drift)], no_selection),
        decay: shapley(decay, [(drift, no_selection), (selection, no_drift)], no_decay),
    })
}

/// The decomposition into the mix of actioned scores and the rates within bands.
///
/// **Definition** as [`strike_rate_contributions`], with population and selection exchanged together.
///
/// **Undefined when** nothing was acted on in a period, or the periods have different bands.
///
/// **Reference** Kitagawa (1955).
pub fn mix_contributions(
    reference: &StrikeRateFactors,
    current: &StrikeRateFactors,
) -> Result<MixContributions, Error> {
    same_bands(reference, current)?;
    let (none, all) = (reference.strike_rate()?, current.strike_rate()?);
    let (mix, decay) = (reference.rate_on_mix_of(current)?, current.rate_on_mix_of(reference)?);
    Ok(MixContributions {
        mix: ((mix - none) + (all - decay)) / 2.0,
        decay: ((decay - none) + (all - mix)) / 2.0,
    })
}

fn same_bands(reference: &StrikeRateFactors, current: &StrikeRateFactors) -> Result<(), Error> {
    let (expected, found) = (reference.rates.len(), current.rates.len());
    match expected {
        0 => Err(Undefined::NoRows.into()),
        _ if expected == found => Ok(()),
        _ => Err(Error::LengthMismatch { what: "the bands of the current period".into(), found, expected }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::monitoring::BandCounts;
    use proptest::prelude::*;

    type Cells = [(u64, u64, u64); 3];
    const REFERENCE: Cells = [(200, 180, 108), (300, 150, 45), (500, 50, 5)];
    const CURRENT: Cells = [(150, 140, 70), (350, 280, 70), (700, 210, 16)];

    fn factors(cells: &[(u64, u64, u64)]) -> StrikeRateFactors {
        let bands: Vec<BandCounts> = cells
            .iter()
            .map(|&(rows, actioned, positives)| BandCounts::new(rows, actioned, positives))
            .collect();
        StrikeRateFactors::of(&bands).expect("actioned in every band")
    }

    #[test]
    fn golden_contributions() {
        let found = strike_rate_contributions(&factors(&REFERENCE), &factors(&CURRENT)).expect("bands");
        let expected = [-0.042022596, -0.064889645, -0.061258185, -0.168170426];
        for (found, expected) in
            [found.drift, found.selection, found.decay, found.total()].iter().zip(expected)
        {
            assert!((found - expected).abs() < 5e-10, "{found} {expected}");
        }
    }

    #[test]
    fn other_bands_are_refused() {
        assert!(strike_rate_contributions(&factors(&REFERENCE), &factors(&CURRENT[..2])).is_err());
        assert!(mix_contributions(&factors(&REFERENCE[1..]), &factors(&CURRENT)).is_err());
    }

    fn cells() -> impl Strategy<Value = Vec<(u64, u64, u64)>> {
        let cell = (1u64..200, 0.0f64..1.0, 0.0f64..1.0).prop_map(|(rows, selected, hits)| {
            let actioned = 1 + ((rows - 1) as f64 * selected) as u64;
            (rows, actioned, (actioned as f64 * hits) as u64)
        });
        prop::collection::vec(cell, 4)
    }

    proptest! {
        #[test]
        fn contributions_add_up_and_only_what_changed_contributes(one in cells(), other in cells()) {
            let (a, b) = (factors(&one), factors(&other));
            let all = strike_rate_contributions(&a, &b).expect("bands");
            let change = b.strike_rate().expect("acted") - a.strike_rate().expect("acted");
            prop_assert!((all.total() - change).abs() < 1e-12);
            let back = strike_rate_contributions(&b, &a).expect("bands");
            prop_assert!((back.drift + all.drift).abs() < 1e-12 && (back.decay + all.decay).abs() < 1e-12);
            let only_rates = StrikeRateFactors { rates: b.rates.clone(), ..a.clone() };
            let found = strike_rate_contributions(&a, &only_rates).expect("bands");
            prop_assert!(found.drift.abs() < 1e-12 && found.selection.abs() < 1e-12);
            let only_selection = StrikeRateFactors { selection: b.selection.clone(), ..a.clone() };
            let found = strike_rate_contributions(&a, &only_selection).expect("bands");
            prop_assert!(found.drift.abs() < 1e-12 && found.decay.abs() < 1e-12);
            let mix = mix_contributions(&a, &b).expect("bands");
            prop_assert!((mix.mix + mix.decay - change).abs() < 1e-12);
        }
    }
}
