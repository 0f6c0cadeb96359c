//! Random numbers that are the same everywhere: xoshiro256** filled by SplitMix64 (Blackman and Vigna 2021).
//!
//! The generator is `rand_xoshiro`'s; the draws are defined here, because the ones of a general crate may
//! change between its versions, and a seed must mean the same numbers for years.

/// Its example is compiled with the others.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod binomial;
mod places;

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::{SplitMix64, Xoshiro256StarStar};

pub use places::Places;

/// A stream of random numbers.
///
/// ```
/// use tribunal_random::Random;
///
/// let mut random = Random::new(42);
/// assert_eq!(random.next_u64(), 1_546_998_764_402_558_742);
/// ```
#[derive(Clone, Debug)]
pub struct Random(Xoshiro256StarStar);

impl Random {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256StarStar::seed_from_u64(seed))
    }

    /// The stream of a step inside a larger one: the same tags give the same stream, whatever runs beside it.
    ///
    /// ```
    /// use tribunal_random::Random;
    ///
    /// let mut replicate = Random::derived(42, &[7]);
    /// assert_eq!(replicate.below(10), Random::derived(42, &[7]).below(10));
    /// ```
    pub fn derived(seed: u64, tags: &[u64]) -> Self {
        Self::new(derive_seed(seed, tags))
    }

    /// 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number in [0, 1) with 53 random bits.
    #[inline]
    pub fn uniform(&mut self) -> f64 {
        uniform_of(self.next_u64())
    }

    /// A whole number below `n`; one draw, nothing rejected, so it favours some numbers by less than `n / 2^64`.
    #[inline]
    pub fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.next_u64()) * u128::from(n)) >> 64) as u64
    }

    /// Puts values in random order (Fisher and Yates 1938, from the end).
    pub fn shuffle<T>(&mut self, values: &mut [T]) {
        for last in (1..values.len()).rev() {
            values.swap(last, self.below(last as u64 + 1) as usize);
        }
    }

    /// A standard normal number (Box and Muller 1958), two draws each, nothing kept.
    #[inline]
    pub fn normal(&mut self) -> f64 {
        normal_of([self.next_u64(), self.next_u64()])
    }
}

/// The number in [0, 1) that 64 random bits stand for.
#[inline]
pub fn uniform_of(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1u64 << 53) as f64
}

/// The standard normal number that two draws stand for.
#[inline]
pub fn normal_of([radius, angle]: [u64; 2]) -> f64 {
    (-2.0 * (1.0 - uniform_of(radius)).ln()).sqrt() * (std::f64::consts::TAU * uniform_of(angle)).cos()
}

/// The seed of a step inside a larger one.
///
/// ```
/// use tribunal_random::derive_seed;
///
/// assert_eq!(derive_seed(42, &[0]), 13_679_457_532_755_275_413);
/// assert_ne!(derive_seed(42, &[1, 2]), derive_seed(42, &[2, 1]));
/// ```
pub fn derive_seed(seed: u64, tags: &[u64]) -> u64 {
    const GOLDEN_GAMMA: u64 = 0x9E37_79B9_7F4A_7C15;
    let next =
        |seed: u64, tag: &u64| SplitMix64::seed_from_u64(seed ^ tag.wrapping_mul(GOLDEN_GAMMA)).next_u64();
    tags.iter().fold(seed, next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn golden_draws() {
        let mut random = Random::new(42);
        let drawn: Vec<u64> = (0..12).map(|_| random.below(10)).collect();
        assert_eq!(drawn, [0, 3, 6, 9, 9, 7, 7, 8, 7, 5, 6, 2]);
        let mut order: Vec<u8> = (0..10).collect();
        Random::new(42).shuffle(&mut order);
        assert_eq!(order, [9, 1, 4, 2, 8, 7, 6, 5, 3, 0]);
        let derived = [&[0][..], &[1], &[2], &[1, 2], &[2, 1]].map(|tags| derive_seed(42, tags));
        let expected = [
            13679457532755275413,
            2949826092126892291,
            6904877152625194467,
            4218524931126233700,
            11610633142291055988,
        ];
        assert_eq!(derived, expected);
    }

    #[test]
    fn golden_streams() {
        let mut random = Random::new(42);
        let first: Vec<u64> = (0..5).map(|_| random.next_u64()).collect();
        let expected = [
            1546998764402558742,
            6990951692964543102,
            12544586762248559009,
            17057574109182124193,
            18295552978065317476,
        ];
        assert_eq!(first, expected);
        let mut random = Random::new(42);
        let uniform: Vec<f64> = (0..3).map(|_| random.uniform()).collect();
        assert_eq!(uniform, [0.08386297105988216, 0.3789802506626686, 0.6800434110281394]);
        let mut random = Random::new(42);
        for expected in [-0.303263064678738, 1.3438117634372806, 0.3834617912676943, 0.9369624250258953] {
            assert!((random.normal() - expected).abs() < 1e-15);
        }
    }
}
