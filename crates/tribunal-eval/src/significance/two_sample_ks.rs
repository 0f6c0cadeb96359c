//! The Kolmogorov-Smirnov test of two samples: whether numbers come from the same distribution.
//!
//! Of small samples the p value is exact given the tied values, by counting lattice paths; of large ones it is that of the largest
//! deviation of a Brownian bridge *at the ends of the ties*. A column of which nine tenths are zero has its jump there and nothing
//! in between, so that the usual limit, the largest deviation anywhere, would make the test reject far too seldom.
//!
//! References: Smirnov (1939); Hodges (1958) for the lattice paths; Schröer and Trenkler (1995), "Exact and randomization
//! distributions of Kolmogorov-Smirnov tests two or three samples", for ties.

use std::f64::consts::PI;

use serde::{Deserialize, Serialize};

use crate::checks::{at_least, within};
use crate::error::Error;

/// Up to so many pairs of values the p value is exact.
const MOST_PAIRS: u64 = 1 << 22;
/// A value with at least this share of all rows is a jump of the Brownian bridge; less frequent values pass for a continuum.
const LEAST_ATOM: f64 = 0.005;
/// Nodes of Simpson's rule between the two bounds; an odd number.
const NODES: usize = 129;
/// One minus the probability of staying between the bounds keeps its digits down to here.
const LEAST_DIFFERENCE: f64 = 1e-6;

/// Two samples, each in ascending order.
#[derive(Debug, Clone, Copy)]
pub struct TwoSamples<'a> {
    /// The first.
    pub first: &'a [f64],
    /// The second.
    pub second: &'a [f64],
}

/// How the p value was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum KsMethod {
    /// Exactly, given the tied values.
    Exact,
    /// By the limit for large samples, at the ends of the ties.
    Asymptotic,
}

/// The outcome of the two-sample Kolmogorov-Smirnov test.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TwoSampleKs {
    /// The largest difference of the empirical distribution functions, from 0 to 1.
    pub statistic: f64,
    /// The value at which they differ most, the lowest of several.
    pub at: f64,
    /// Whether the first sample has the larger share of values up to there, which makes it the lower one.
    pub is_first_lower: bool,
    /// The chance of so large a difference if both samples come from one distribution.
    pub p: f64,
    /// How `p` was found.
    pub method: KsMethod,
}

/// The two-sample Kolmogorov-Smirnov test.
///
/// **Definition** `D = max |F(x) - G(x)|` over the values of both samples of `n` and `m`. Up to 2²² pairs of values `p` is the share
/// of all ways to deal the pooled values into samples of these sizes that give at least `D`; beyond that
/// `P(max |B(t)| >= D sqrt(n m / (n + m)))` of a Brownian bridge `B` at the shares `t` of pooled values up to each distinct value.
///
/// **Undefined when** a sample is empty, holds NaN or is not in ascending order.
///
/// **Example**
/// ```
/// use tribunal_eval::significance::{TwoSamples, ks_two_sample};
/// let samples = TwoSamples { first: &[1.0, 2.0, 2.0, 3.0], second: &[2.0, 4.0, 5.0, 6.0] };
/// let test = ks_two_sample(samples)?;
/// assert_eq!((test.statistic, test.at, test.is_first_lower), (0.75, 3.0, true));
/// assert!((test.p - 10.0 / 70.0).abs() < 1e-12);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** Smirnov (1939); Schröer & Trenkler (1995).
pub fn ks_two_sample(samples: TwoSamples<'_>) -> Result<TwoSampleKs, Error> {
    let TwoSamples { first, second } = samples;
    for sample in [first, second] {
        at_least("values in a sample", sample.len(), 1)?;
        let is_sorted = sample.is_sorted() && !sample[0].is_nan();
        within("a sample", sample[0], is_sorted, "in ascending order without NaN")?;
    }
    let steps = steps(samples);
    let (n, m) = (first.len() as i64, second.len() as i64);
    let deviation = |&(_, a, b): &(f64, u32, u32)| i64::from(a) * m - i64::from(b) * n;
    let mut largest = (0_i64, first[0].min(second[0]));
    for step in &steps {
        let found = deviation(step);
        if found.abs() > largest.0.abs() {
            largest = (found, step.0);
        }
    }
    let statistic = largest.0.unsigned_abs() as f64 / (n as f64 * m as f64);
    let (p, method) = match (n as u64).saturating_mul(m as u64) <= MOST_PAIRS {
        true => (exact_p(&steps, largest.0.unsigned_abs()), KsMethod::Exact),
        false => {
            let total = (n + m) as f64;
            let lambda = statistic * (n as f64 * m as f64 / total).sqrt();
            let shares: Vec<f64> = steps.iter().map(|&(_, a, b)| f64::from(a + b) / total).collect();
            (asymptotic_p(&shares, lambda), KsMethod::Asymptotic)
        }
    };
    Ok(TwoSampleKs { statistic, at: largest.1, is_first_lower: largest.0 > 0, p, method })
}

/// Each distinct value with how many of either sample are at most as large.
fn steps(TwoSamples { first, second }: TwoSamples<'_>) -> Vec<(f64, u32, u32)> {
    let (mut a, mut b) = (0, 0);
    let mut steps = Vec::with_capacity(first.len() + second.len());
    while a < first.len() || b < second.len() {
        let value = match (first.get(a), second.get(b)) {
            (Some(x), Some(y)) => x.min(*y),
            (Some(x), None) => *x,
            (None, y) => y.copied().unwrap_or(f64::INFINITY),
        };
        while first.get(a).is_some_and(|x| *x <= value) {
            a += 1;
        }
        while second.get(b).is_some_and(|y| *y <= value) {
            b += 1;
        }
        steps.push((value, a as u32, b as u32));
    }
    steps
}

/// The share of lattice paths that deviate so far at the end of a tie: the chance of having done so on the way to a point is
/// that of the two points before it, weighted by how many of the values there are of either sample.
fn exact_p(steps: &[(f64, u32, u32)], deviation: u64) -> f64 {
    let Some(&(_, n, m)) = steps.last() else { return 1.0 };
    let (n, m) = (n as usize, m as usize);
    let mut is_end_of_tie = vec![false; n + m + 1];
    steps.iter().for_each(|&(_, a, b)| is_end_of_tie[(a + b) as usize] = true);
    let inverse: Vec<f64> = (0..=n + m).map(|length| 1.0 / length.max(1) as f64).collect();
    let is_beyond = |i: usize, j: usize| {
        is_end_of_tie[i + j] && (i as i64 * m as i64 - j as i64 * n as i64).unsigned_abs() >= deviation
    };
    let mut reached = vec![0.0_f64; m + 1];
    for i in 0..=n {
        let mut before = 0.0;
        for (j, cell) in reached.iter_mut().enumerate() {
            before = match is_beyond(i, j) {
                true => 1.0,
                false => (i as f64 * *cell + j as f64 * before) * inverse[i + j],
            };
            *cell = before;
        }
    }
    reached[m].clamp(0.0, 1.0)
}

/// The limit for large samples with the given shares of rows up to each distinct value.
fn asymptotic_p(shares: &[f64], lambda: f64) -> f64 {
    let continuous = kolmogorov_sf(lambda);
    let stretches = stretches(shares);
    let has_atoms = stretches.iter().any(|stretch| stretch.is_atom);
    if !has_atoms || continuous < LEAST_DIFFERENCE || lambda <= 0.0 {
        return continuous;
    }
    (1.0 - chance_to_stay(&stretches, lambda)).clamp(0.0, continuous)
}

/// `P(sup |B(t)| >= lambda)` of a Brownian bridge (Kolmogorov 1933).
fn kolmogorov_sf(lambda: f64) -> f64 {
    if lambda < 0.3 {
        // The distribution function is below 1e-5 here, and the series alternates without end.
        return 1.0;
    }
    let term = |k: i32| libm::exp(-2.0 * f64::from(k * k) * lambda * lambda);
    (1..=20).map(|k| if k % 2 == 1 { 2.0 * term(k) } else { -2.0 * term(k) }).sum::<f64>().clamp(0.0, 1.0)
}

/// A part of the way from 0 to 1: a jump, of which only the end counts, or a continuum.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    length: f64,
    is_atom: bool,
}

fn stretches(shares: &[f64]) -> Vec<Stretch> {
    let mut found: Vec<Stretch> = Vec::new();
    let (mut from, mut at) = (0.0, 0.0);
    for &share in shares {
        if share - at >= LEAST_ATOM {
            // A continuum too short for the grid is passed within the jump.
            let start = if at - from >= LEAST_ATOM { at } else { from };
            if start > from {
                found.push(Stretch { length: start - from, is_atom: false });
            }
            found.push(Stretch { length: share - start, is_atom: true });
            from = share;
        }
        at = share;
    }
    if at - from >= LEAST_ATOM || (found.is_empty() && at > from) {
        found.push(Stretch { length: at - from, is_atom: false });
    } else if let Some(last) = found.last_mut() {
        last.length += at - from;
    }
    found
}

/// The chance that a Brownian bridge stays within `bound` at the end of each jump and throughout each continuum: a Brownian
/// motion is carried from stretch to stretch on a grid and must end where it began.
fn chance_to_stay(stretches: &[Stretch], bound: f64) -> f64 {
    let spacing = 2.0 * bound / (NODES - 1) as f64;
    let place = |node: usize| -bound + spacing * node as f64;
    let weight = |node: usize| match node {
        0 => spacing / 3.0,
        node if node == NODES - 1 => spacing / 3.0,
        node => spacing * if node % 2 == 1 { 4.0 } else { 2.0 } / 3.0,
    };
    let Some((last, others)) = stretches.split_last() else { return 1.0 };
    let mut density: Option<Vec<f64>> = None;
    for stretch in others {
        let next = |node: usize| match &density {
            None => transition(stretch, 0.0, place(node), bound),
            Some(density) => (0..NODES)
                .map(|from| {
                    weight(from) * density[from] * transition(stretch, place(from), place(node), bound)
                })
                .sum(),
        };
        density = Some((0..NODES).map(next).collect());
    }
    let end = match &density {
        None => transition(last, 0.0, 0.0, bound),
        Some(density) => (0..NODES)
            .map(|from| weight(from) * density[from] * transition(last, place(from), 0.0, bound))
            .sum(),
    };
    end * (2.0 * PI).sqrt()
}

/// The density of a Brownian motion that goes from one place to another, killed at the bounds on a continuum.
fn transition(stretch: &Stretch, from: f64, to: f64, bound: f64) -> f64 {
    let normal = |distance: f64| {
        libm::exp(-distance * distance / (2.0 * stretch.length)) / (2.0 * PI * stretch.length).sqrt()
    };
    if stretch.is_atom {
        return normal(to - from);
    }
    let images = |k: i32| {
        let shift = 4.0 * f64::from(k) * bound;
        normal(to - from + shift) - normal(to + from + 2.0 * bound + shift)
    };
    (-4..=4).map(images).sum::<f64>().max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use tribunal_random::Random;

    fn sorted(mut values: Vec<f64>) -> Vec<f64> {
        values.sort_by(f64::total_cmp);
        values
    }

    fn test(first: &[f64], second: &[f64]) -> TwoSampleKs {
        ks_two_sample(TwoSamples { first: &sorted(first.to_vec()), second: &sorted(second.to_vec()) })
            .expect("two samples")
    }

    /// Zero-inflated, discrete and continuous samples.
    fn draws(random: &mut Random, shape: usize, n: usize) -> Vec<f64> {
        let draw = |_| match shape {
            0 => random.normal(),
            1 => random.below(3) as f64,
            2 => {
                if random.uniform() < 0.9 {
                    0.0
                } else {
                    random.normal().abs()
                }
            }
            _ => random.below(40) as f64,
        };
        (0..n).map(draw).collect()
    }

    #[test]
    fn samples_must_be_sorted_numbers() {
        for first in [&[][..], &[2.0, 1.0], &[f64::NAN]] {
            assert!(ks_two_sample(TwoSamples { first, second: &[1.0] }).is_err(), "{first:?}");
        }
    }

    #[test]
    fn one_row_and_constant_columns_have_values() {
        assert_eq!((test(&[1.0], &[1.0]).statistic, test(&[1.0], &[1.0]).p), (0.0, 1.0));
        let single = test(&[0.0], &(0..19).map(f64::from).map(|x| x + 1.0).collect::<Vec<_>>());
        assert!((single.p - 0.1).abs() < 1e-12, "{single:?}");
        let constant = test(&[3.0; 5000], &[3.0; 5000]);
        assert_eq!((constant.statistic, constant.p), (0.0, 1.0));
        assert!(test(&vec![0.0; 4000], &vec![1.0; 4000]).p < 1e-300);
    }

    /// The exact p value against all ways to deal the values.
    #[test]
    fn exact_p_is_the_share_of_all_dealings() {
        let pooled = [0.0, 0.0, 0.0, 1.0, 1.0, 2.0, 3.0, 3.0, 4.0];
        let dealt = |mask: u32| {
            let is_first = |place: &usize| mask >> place & 1 == 1;
            let (first, second): (Vec<usize>, Vec<usize>) = (0..9).partition(is_first);
            test(
                &first.iter().map(|&i| pooled[i]).collect::<Vec<_>>(),
                &second.iter().map(|&i| pooled[i]).collect::<Vec<_>>(),
            )
        };
        let all: Vec<TwoSampleKs> = (0..512_u32).filter(|mask| mask.count_ones() == 4).map(dealt).collect();
        for found in &all {
            let as_large = all.iter().filter(|other| other.statistic >= found.statistic - 1e-12).count();
            assert!((found.p - as_large as f64 / all.len() as f64).abs() < 1e-12, "{found:?}");
        }
    }

    /// The limit at the ends of ties against the exact p value of samples that allow both.
    #[test]
    fn the_limit_comes_near_the_exact_p() {
        let mut random = Random::new(11);
        for shape in 0..4 {
            for _ in 0..5 {
                let (first, second) = (draws(&mut random, shape, 2000), draws(&mut random, shape, 2000));
                let found = test(&first, &second);
                let steps = steps(TwoSamples { first: &sorted(first), second: &sorted(second) });
                let shares: Vec<f64> = steps.iter().map(|&(_, a, b)| f64::from(a + b) / 4000.0).collect();
                let limit = asymptotic_p(&shares, found.statistic * 1000.0_f64.sqrt());
                assert_eq!(found.method, KsMethod::Exact);
                assert!((limit - found.p).abs() < 0.03, "shape {shape}: {limit} for {}", found.p);
            }
        }
    }

    #[test]
    fn the_p_value_of_large_tied_samples_is_uniform_enough() {
        let mut random = Random::new(5);
        for shape in 0..4 {
            let below = (0..400).filter(|_| {
                test(&draws(&mut random, shape, 3000), &draws(&mut random, shape, 1500)).p < 0.05
            });
            let share = below.count() as f64 / 400.0;
            assert!((0.02..0.085).contains(&share), "shape {shape}: {share}");
        }
    }

    proptest! {
        #[test]
        fn swapping_mirrors_and_monotone_transforms_change_nothing(
            first in prop::collection::vec(-5i32..5, 1..40),
            second in prop::collection::vec(-5i32..5, 1..40),
        ) {
            let numbers = |sample: &[i32]| sample.iter().copied().map(f64::from).collect::<Vec<_>>();
            let (first, second) = (numbers(&first), numbers(&second));
            let (found, swapped) = (test(&first, &second), test(&second, &first));
            prop_assert_eq!(found.statistic, swapped.statistic);
            prop_assert!((found.p - swapped.p).abs() < 1e-9);
            prop_assert!(found.statistic == 0.0 || found.is_first_lower != swapped.is_first_lower);
            let cubed = |sample: &[f64]| sample.iter().map(|x| x.powi(3) + x).collect::<Vec<_>>();
            let transformed = test(&cubed(&first), &cubed(&second));
            prop_assert_eq!((found.statistic, found.p), (transformed.statistic, transformed.p));
        }
    }
}
