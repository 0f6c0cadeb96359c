//! What a strike rate is made of: the population, the selection and the rates of bands; and what remains of it without the selection.

use super::band_counts::BandCounts;
use crate::checks::at_least;
use crate::error::Error;
use crate::undefined::{Undefined, Value};

/// The share of the population in each band, the share of it that was acted on, and the share of those that were positive (with
/// amounts, their mean).
#[derive(Clone, Debug, PartialEq)]
pub struct StrikeRateFactors {
    /// `N(b) / N`.
    pub population: Vec<f64>,
    /// `S(b) / N(b)`.
    pub selection: Vec<f64>,
    /// The mean outcome of the actioned.
    pub rates: Vec<f64>,
}

impl StrikeRateFactors {
    /// The factors of a period.
    ///
    /// **Undefined when** there are no rows, or a band has no row that was acted on and whose outcome is known; join it with a
    /// neighbour first ([`join_bands_without`](super::join_bands_without)).
    pub fn of(bands: &[BandCounts]) -> Result<Self, Error> {
        let known = |band: &BandCounts| band.outcomes.rows as usize;
        at_least(
            "actioned cases with a known outcome in a band",
            bands.iter().map(known).min().unwrap_or(0),
            1,
        )?;
        Ok(Self::filled(bands, &vec![0.0; bands.len()]))
    }

    /// The same where bands may have no known outcome: they have the rate of the nearest band towards the middle that has one, and
    /// where there is none that of another period. Draws with replacement leave small bands empty now and then.
    pub fn filled(bands: &[BandCounts], otherwise: &[f64]) -> Self {
        let total: u64 = bands.iter().map(|band| band.rows).sum();
        let share = |part: u64, of: u64| if of > 0 { part as f64 / of as f64 } else { 0.0 };
        let own: Vec<Option<f64>> = bands.iter().map(|band| band.outcomes.mean()).collect();
        let middle = bands.len() / 2;
        let towards_middle = |band: usize| {
            let path: Box<dyn Iterator<Item = usize>> =
                if band < middle { Box::new(band..bands.len()) } else { Box::new((0..=band).rev()) };
            path.into_iter().find_map(|band| own[band])
        };
        let rate = |band: usize| {
            let found = towards_middle(band).or_else(|| own.iter().flatten().next().copied());
            found.unwrap_or_else(|| otherwise.get(band).copied().unwrap_or(0.0))
        };
        Self {
            population: bands.iter().map(|band| share(band.rows, total)).collect(),
            selection: bands.iter().map(|band| share(band.actioned, band.rows)).collect(),
            rates: (0..bands.len()).map(rate).collect(),
        }
    }

    /// The strike rate that everybody quotes, `sum pi s r / sum pi s`.
    ///
    /// **Undefined when** nothing was acted on.
    pub fn strike_rate(&self) -> Value {
        strike_rate(&self.population, &self.selection, &self.rates)
    }

    /// What the strike rate would be if the whole population had been acted on: the rates of the bands by the population's shares
    /// (post-stratification).
    pub fn post_stratified(&self) -> f64 {
        self.population.iter().zip(&self.rates).map(|(share, rate)| share * rate).sum()
    }

    /// The strike rate of these rates on the actioned cases of another period (direct standardisation).
    ///
    /// **Undefined when** nothing was acted on there.
    pub fn rate_on_mix_of(&self, other: &Self) -> Value {
        strike_rate(&other.population, &other.selection, &self.rates)
    }
}

/// `sum pi s r / sum pi s`.
pub(super) fn strike_rate(population: &[f64], selection: &[f64], rates: &[f64]) -> Value {
    let mix = population.iter().zip(selection).map(|(share, selected)| share * selected);
    let (acted, hits) = mix.zip(rates).fold((0.0, 0.0), |sum, (mix, rate)| (sum.0 + mix, sum.1 + mix * rate));
    if acted > 0.0 {
        Ok(hits / acted)
    } else {
        Err(Undefined::Zero { quantity: "share that was acted on".into() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bands(cells: &[(u64, u64, u64)]) -> Vec<BandCounts> {
        cells.iter().map(|&(rows, actioned, positives)| BandCounts::new(rows, actioned, positives)).collect()
    }

    #[test]
    fn golden_rates() {
        let reference = bands(&[(200, 180, 108), (300, 150, 45), (500, 50, 5)]);
        let current = bands(&[(150, 140, 70), (350, 280, 70), (700, 210, 16)]);
        let of = |bands: &[BandCounts]| StrikeRateFactors::of(bands).expect("actioned in every band");
        let (a, b) = (of(&reference), of(&current));
        let close =
            |found: f64, expected: f64| assert!((found - expected).abs() < 5e-10, "{found} {expected}");
        close(a.strike_rate().expect("acted"), 0.415789474);
        close(b.strike_rate().expect("acted"), 0.247619048);
        close(b.rate_on_mix_of(&a).expect("acted"), 0.345551378);
        close(a.post_stratified(), 0.26);
        close(b.post_stratified(), 0.179861111);
    }

    #[test]
    fn bands_without_outcomes_are_refused_or_filled_from_the_middle() {
        let sparse = bands(&[(10, 0, 0), (10, 5, 1), (10, 5, 2), (10, 0, 0), (10, 0, 0)]);
        assert!(StrikeRateFactors::of(&sparse).is_err() && StrikeRateFactors::of(&[]).is_err());
        assert_eq!(StrikeRateFactors::filled(&sparse, &[]).rates, [0.2, 0.2, 0.4, 0.4, 0.4]);
        let none = StrikeRateFactors::filled(&bands(&[(3, 0, 0), (0, 0, 0)]), &[0.5, 0.25]);
        assert_eq!((none.rates.clone(), none.strike_rate().is_err()), (vec![0.5, 0.25], true));
    }
}
