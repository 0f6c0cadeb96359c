//! The rows of a period drawn again with replacement, by their counts: a draw costs as much as there are bands, not rows.
//!
//! A row is one of four kinds in its band: not acted on, acted on without a known outcome, negative or positive. Drawing rows with
//! replacement is drawing the numbers of these cells from a multinomial distribution, which a chain of binomial draws does. Positives
//! with amounts draw theirs among those of the band. Reference: Efron (1979), "Bootstrap methods".

use tribunal_random::Random;

use super::band_counts::BandCounts;
use crate::error::Error;
use crate::significance::SampleMoments;

/// The rows of a period, to be drawn again.
#[derive(Clone, Debug)]
pub struct PeriodSample {
    bands: Vec<BandCounts>,
    /// The amounts of the positives of each band; none where outcomes are 0 and 1.
    amounts: Option<Vec<Vec<f64>>>,
}

impl PeriodSample {
    /// Rows whose outcomes are 0 and 1.
    pub fn of_counts(bands: &[BandCounts]) -> Self {
        Self { bands: bands.to_vec(), amounts: None }
    }

    /// Rows whose outcomes are amounts: zero, or one of these for the positives of each band.
    ///
    /// # Errors
    /// There are other bands of amounts, or more amounts in a band than known outcomes.
    pub fn of_amounts(bands: &[BandCounts], amounts: Vec<Vec<f64>>) -> Result<Self, Error> {
        if bands.len() != amounts.len() {
            let what = "the amounts of bands".into();
            return Err(Error::LengthMismatch { what, found: amounts.len(), expected: bands.len() });
        }
        if let Some((band, own)) =
            bands.iter().zip(&amounts).find(|(band, own)| own.len() as u64 > band.outcomes.rows)
        {
            let what = "the amounts of a band".into();
            return Err(Error::LengthMismatch {
                what,
                found: own.len(),
                expected: band.outcomes.rows as usize,
            });
        }
        Ok(Self { bands: bands.to_vec(), amounts: Some(amounts) })
    }

    /// As many rows as there are, drawn with replacement.
    pub fn draw(&self, random: &mut Random) -> Vec<BandCounts> {
        let total: u64 = self.bands.iter().map(|band| band.rows).sum();
        let mut chain = MultinomialChain { rows_left: total, trials_left: total };
        self.bands.iter().enumerate().map(|(at, band)| self.draw_band(at, band, &mut chain, random)).collect()
    }

    fn draw_band(
        &self,
        at: usize,
        band: &BandCounts,
        chain: &mut MultinomialChain,
        random: &mut Random,
    ) -> BandCounts {
        let amounts = self.amounts.as_ref().map(|amounts| &amounts[at]);
        let positives = amounts.map_or(band.outcomes.sum.round() as u64, |amounts| amounts.len() as u64);
        let mut next = |cell: u64| chain.next(cell, random);
        let idle = next(band.rows - band.actioned);
        let pending = next(band.actioned - band.outcomes.rows);
        let (negative, positive) = (next(band.outcomes.rows - positives), next(positives));
        let known = negative + positive;
        let outcomes = match amounts {
            None => SampleMoments::counts(known, positive),
            Some(amounts) => {
                let mut outcomes = SampleMoments::default();
                (0..positive).for_each(|_| outcomes.add(amounts[random.below(positives) as usize]));
                SampleMoments { rows: known, ..outcomes }
            }
        };
        BandCounts { rows: idle + pending + known, actioned: pending + known, outcomes }
    }
}

/// The cells of a multinomial draw, one after the other: each takes a binomial share of the trials that are left.
struct MultinomialChain {
    rows_left: u64,
    trials_left: u64,
}

impl MultinomialChain {
    fn next(&mut self, cell: u64, random: &mut Random) -> u64 {
        if cell == 0 {
            return 0;
        }
        let drawn = match cell >= self.rows_left {
            true => self.trials_left,
            false => random.binomial(self.trials_left, cell as f64 / self.rows_left as f64),
        };
        self.rows_left -= cell.min(self.rows_left);
        self.trials_left -= drawn;
        drawn
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_have_the_size_of_the_period_and_the_mean_of_its_cells() {
        let bands =
            [BandCounts::new(200, 180, 108), BandCounts::new(300, 150, 45), BandCounts::new(500, 50, 0)];
        let sample = PeriodSample::of_counts(&bands);
        let mut random = Random::new(1);
        let mut sums = [BandCounts::default(); 3];
        for _ in 0..2000 {
            let drawn = sample.draw(&mut random);
            assert_eq!(drawn.iter().map(|band| band.rows).sum::<u64>(), 1000);
            assert!(
                drawn.iter().all(|band| band.actioned <= band.rows && band.outcomes.rows == band.actioned)
            );
            assert_eq!(drawn[2].outcomes.sum, 0.0);
            sums.iter_mut().zip(&drawn).for_each(|(sum, band)| *sum = sum.plus(*band));
        }
        for (sum, band) in sums.iter().zip(&bands) {
            for (found, expected) in [(sum.rows, band.rows), (sum.actioned, band.actioned)] {
                assert!(
                    (found as f64 / 2000.0 - expected as f64).abs()
                        < 4.0 * (expected as f64 / 2000.0).sqrt() + 1e-9
                );
            }
        }
    }

    #[test]
    fn amounts_are_those_of_the_band() {
        let mut outcomes = SampleMoments { rows: 10, ..SampleMoments::default() };
        (outcomes.sum, outcomes.squares) = (60.0, 1400.0);
        let bands = [BandCounts { rows: 20, actioned: 12, outcomes }];
        let sample = PeriodSample::of_amounts(&bands, vec![vec![10.0, 20.0, 30.0]]).expect("three of ten");
        let mut random = Random::new(1);
        let drawn: Vec<BandCounts> = (0..4000).map(|_| sample.draw(&mut random)[0]).collect();
        let mean = drawn.iter().map(|band| band.outcomes.sum).sum::<f64>() / 4000.0;
        assert!((mean - 60.0).abs() < 2.5, "{mean}");
        assert!(
            drawn.iter().all(|band| band.outcomes.sum % 10.0 == 0.0 && band.actioned >= band.outcomes.rows)
        );
        assert!(PeriodSample::of_amounts(&bands, vec![vec![1.0; 11]]).is_err());
        assert!(PeriodSample::of_amounts(&bands, Vec::new()).is_err());
    }

    #[test]
    fn an_empty_period_stays_empty() {
        let drawn = PeriodSample::of_counts(&[BandCounts::default(); 2]).draw(&mut Random::new(1));
        assert_eq!(drawn, [BandCounts::default(); 2]);
    }
}
