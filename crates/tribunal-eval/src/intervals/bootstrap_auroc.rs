//! The AUROC of resampled cases, exactly and without sorting again.
//!
//! A case that was drawn c times counts c. For each positive it was settled once how many negatives stand above it and
//! how many at or above it; a replicate needs only the running total of the negatives' counts at these places. Reference:
//! Efron (1979), "Bootstrap methods: another look at the jackknife".

use rayon::prelude::*;

use super::delong::{ClassScores, validated};
use crate::checks::at_least;
use crate::error::Error;
use tribunal_random::Random;

/// The AUROC on stratified bootstrap samples: each class drawn with replacement, as many cases as it has.
///
/// **Definition** replicate `b` draws with `derive(seed, b)` the positives, then the negatives, each from its scores in
/// ascending order; its AUROC counts ties one half. The result does not depend on the number of cores.
///
/// **Undefined when** a class has no case, a score is NaN, the scores are not in ascending order, or there is no
/// replicate.
///
/// **Example**
/// ```
/// use tribunal_eval::intervals::{ClassScores, Level, Replicates, bootstrap_aurocs, bootstrap_percentile};
/// let positives = [0.3, 0.6, 0.7, 0.8, 0.9];
/// let negatives = [0.1, 0.4, 0.6, 0.6, 0.8];
/// let scores = ClassScores { positives: &positives, negatives: &negatives };
/// let interval = bootstrap_percentile(&Replicates::new(bootstrap_aurocs(scores, 2000, 1)?)?, Level::P95);
/// assert!(interval.lower < 0.7 && 0.7 < interval.upper);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** Efron (1979).
pub fn bootstrap_aurocs(scores: ClassScores<'_>, n_replicates: usize, seed: u64) -> Result<Vec<f64>, Error> {
    let scores = validated(scores)?;
    at_least("replicates", n_replicates, 1)?;
    let places = places(scores);
    let draws = (0..n_replicates as u64).into_par_iter();
    Ok(draws
        .map_init(|| Counts::of(scores), |counts, b| counts.auroc(&places, Random::derived(seed, &[b])))
        .collect())
}

/// For each positive, how many negatives stand below it and how many at or below.
fn places(scores: ClassScores<'_>) -> Vec<(u32, u32)> {
    let (mut below, mut up_to) = (0, 0);
    let place = |score: &f64| {
        below += scores.negatives[below..].iter().take_while(|other| *other < score).count();
        up_to += scores.negatives[up_to..].iter().take_while(|other| *other <= score).count();
        (below as u32, up_to as u32)
    };
    scores.positives.iter().map(place).collect()
}

/// How often each case was drawn; the memory serves one replicate after the other.
struct Counts {
    positives: Vec<u32>,
    negatives: Vec<u32>,
}

impl Counts {
    fn of(scores: ClassScores<'_>) -> Self {
        // One place more, so that the running totals can start with nothing.
        Self { positives: vec![0; scores.positives.len()], negatives: vec![0; scores.negatives.len() + 1] }
    }

    fn auroc(&mut self, places: &[(u32, u32)], mut random: Random) -> f64 {
        draw(&mut self.positives, &mut random);
        let (p, m) = (self.positives.len() as f64, self.negatives.len() as f64 - 1.0);
        let drawn = self.negatives.len() - 1;
        draw(&mut self.negatives[..drawn], &mut random);
        let mut total = 0;
        for count in &mut self.negatives {
            total += std::mem::replace(count, total);
        }
        let placed = |(&count, &(below, up_to)): (&u32, &(u32, u32))| {
            u64::from(count) * u64::from(self.negatives[below as usize] + self.negatives[up_to as usize])
        };
        let halves: u64 = self.positives.iter().zip(places).map(placed).sum();
        halves as f64 / (2.0 * p * m)
    }
}

/// Counts as many draws as there are cases.
fn draw(counts: &mut [u32], random: &mut Random) {
    counts.fill(0);
    let n = counts.len() as u64;
    for _ in 0..n {
        counts[random.below(n) as usize] += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intervals::delong;

    /// Every replicate against counting all pairs of drawn cases.
    #[test]
    fn replicates_are_those_of_the_drawn_cases() {
        let positives = [0.3, 0.6, 0.6, 0.8, 0.9];
        let negatives = [0.1, 0.4, 0.6, 0.6, 0.8, 0.8, 1.0];
        let areas = bootstrap_aurocs(ClassScores { positives: &positives, negatives: &negatives }, 50, 3);
        for (b, area) in areas.expect("both classes").into_iter().enumerate() {
            let mut random = Random::derived(3, &[b as u64]);
            let mut drawn = |scores: &[f64]| {
                let n = scores.len() as u64;
                (0..n).map(|_| scores[random.below(n) as usize]).collect::<Vec<f64>>()
            };
            let (p, n) = (drawn(&positives), drawn(&negatives));
            let wins = |a: &f64| {
                n.iter()
                    .map(|b| {
                        if a > b {
                            1.0
                        } else if a == b {
                            0.5
                        } else {
                            0.0
                        }
                    })
                    .sum::<f64>()
            };
            let expected = p.iter().map(wins).sum::<f64>() / (p.len() * n.len()) as f64;
            assert!((area - expected).abs() < 1e-15, "{area} {expected}");
        }
    }

    /// With many cases the replicates vary as much as DeLong's variance says.
    #[test]
    fn agrees_with_delong() {
        let mut random = Random::new(2);
        let mut class = |n: usize, mean: f64| {
            let mut scores: Vec<f64> = (0..n).map(|_| (4.0 * (random.normal() + mean)).round()).collect();
            scores.sort_by(f64::total_cmp);
            scores
        };
        let (positives, negatives) = (class(300, 1.0), class(900, 0.0));
        let scores = ClassScores { positives: &positives, negatives: &negatives };
        let areas = bootstrap_aurocs(scores, 4000, 1).expect("both classes");
        let mean = areas.iter().sum::<f64>() / 4000.0;
        let variance = areas.iter().map(|area| (area - mean).powi(2)).sum::<f64>() / 3999.0;
        let estimate = delong(scores).expect("both classes");
        assert!((variance / estimate.variance - 1.0).abs() < 0.08, "{variance} {}", estimate.variance);
        assert!((mean - estimate.auroc).abs() < 0.001);
    }
}
