//! Far places of a stream without the draws before them.
//!
//! One draw of xoshiro256** moves its 256 bits of state by a linear map over the field of two elements (Blackman and
//! Vigna 2021). The map of many draws is a power of it, found by squaring (Haramoto, Matsumoto, Nishimura, Panneton
//! and L'Ecuyer 2008), so that many threads can each draw their own part of one stream.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::{SplitMix64, Xoshiro256StarStar};

use crate::Random;

const BITS: usize = 256;

type State = [u64; 4];

/// Equally spaced places of the stream of a seed.
///
/// ```
/// use tribunal_random::{Places, Random};
///
/// let mut drawn = Random::new(42);
/// for _ in 0..3 * 94 {
///     drawn.next_u64();
/// }
/// let places = Places::new(42, 94, 1000);
/// assert_eq!(places.at(3).next_u64(), drawn.next_u64());
/// ```
#[derive(Clone, Debug)]
pub struct Places {
    start: State,
    /// The leaps over 1, 2, 4, … times the distance of two places.
    leaps: Vec<Leap>,
}

impl Places {
    /// The places 0, 1, … below `len`, `draws` numbers apart.
    pub fn new(seed: u64, draws: u64, len: u64) -> Self {
        let first = Leap::over(draws);
        let n_leaps = (u64::BITS - len.saturating_sub(1).leading_zeros()) as usize;
        let leaps = std::iter::successors(Some(first), |leap| Some(leap.then(leap))).take(n_leaps).collect();
        Self { start: start(seed), leaps }
    }

    /// The stream as it goes on from a place.
    ///
    /// # Panics
    /// If the place lies beyond the length.
    pub fn at(&self, place: u64) -> Random {
        let len = 1u64.checked_shl(self.leaps.len() as u32);
        assert!(len.is_none_or(|len| place < len), "place {place} lies beyond the stream's places");
        let taken = self.leaps.iter().enumerate().filter(|(power, _)| place >> power & 1 == 1);
        stream(taken.fold(self.start, |state, (_, leap)| leap.apply(state)))
    }
}

/// The state that a seed fills.
fn start(seed: u64) -> State {
    let mut mix = SplitMix64::seed_from_u64(seed);
    [(); 4].map(|()| mix.next_u64())
}

fn stream(state: State) -> Random {
    let mut bytes = [0; 32];
    for (bytes, word) in bytes.chunks_exact_mut(8).zip(state) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    Random(Xoshiro256StarStar::from_seed(bytes))
}

/// The linear map of a number of draws: where it takes each single bit of the state.
#[derive(Clone, Debug)]
struct Leap(Vec<State>);

impl Leap {
    /// The map of one draw.
    fn single() -> Self {
        Self((0..BITS).map(|bit| step(unit(bit))).collect())
    }

    /// The map of no draw.
    fn none() -> Self {
        Self((0..BITS).map(unit).collect())
    }

    /// The map of `draws` draws.
    fn over(draws: u64) -> Self {
        let (mut power, mut leap) = (Self::single(), Self::none());
        for bit in 0..u64::BITS - draws.leading_zeros() {
            if draws >> bit & 1 == 1 {
                leap = leap.then(&power);
            }
            power = power.then(&power);
        }
        leap
    }

    /// This leap and another after it.
    fn then(&self, next: &Self) -> Self {
        Self(self.0.iter().map(|&image| next.apply(image)).collect())
    }

    fn apply(&self, state: State) -> State {
        let mut moved = [0; 4];
        for (word, images) in state.into_iter().zip(self.0.chunks_exact(64)) {
            for (bit, image) in images.iter().enumerate() {
                let mask = (word >> bit & 1).wrapping_neg();
                moved = std::array::from_fn(|i| moved[i] ^ (image[i] & mask));
            }
        }
        moved
    }
}

/// The state with a single bit set.
fn unit(bit: usize) -> State {
    std::array::from_fn(|word| u64::from(word == bit / 64) << (bit % 64))
}

/// What one draw does to the state.
fn step([mut s0, mut s1, mut s2, mut s3]: State) -> State {
    let shifted = s1 << 17;
    s2 ^= s0;
    s3 ^= s1;
    s1 ^= s2;
    s0 ^= s3;
    s2 ^= shifted;
    [s0, s1, s2, s3.rotate_left(45)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(seed: u64, draws: u64, place: u64) {
        let mut drawn = Random::new(seed);
        for _ in 0..draws * place {
            drawn.next_u64();
        }
        let mut leapt = Places::new(seed, draws, place + 1).at(place);
        for _ in 0..5 {
            assert_eq!(leapt.next_u64(), drawn.next_u64(), "seed {seed}, place {place} of {draws} draws");
        }
    }

    #[test]
    fn a_leap_equals_the_draws_it_leaves_out() {
        check(42, 94, 0);
        check(42, 1, 1);
        check(7, 94, 1);
        check(0, 94, 12_345);
        check(u64::MAX, 1_000, 257);
    }

    #[test]
    fn two_leaps_equal_a_longer_one() {
        let far = |draws, place| Places::new(3, draws, place + 1).at(place).next_u64();
        assert_eq!(far(94, 99_999_999), far(94 * 99_999_999, 1));
    }

    #[test]
    #[should_panic = "beyond"]
    fn places_end() {
        Places::new(1, 94, 1024).at(1024);
    }
}
