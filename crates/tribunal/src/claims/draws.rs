//! The random numbers of one claim: always 94 draws, so that every claim has a place of its own in the stream.
//!
//! Draws are taken all at once and turned into numbers where these are needed; most of the normal ones of the flags
//! never are (see `near`).

use tribunal_random::{Random, normal_of, uniform_of};

use super::schema::{N_FLAGS, N_GROUPS};

/// Draws of a claim; a normal number takes two.
pub(super) const PER_CLAIM: usize = PAID + 2;

// Where the draws of each step begin, in the order of the stream.
pub(super) const GLOBAL: usize = 0;
pub(super) const GROUPS: usize = GLOBAL + 2;
pub(super) const FIRINGS: usize = GROUPS + 2 * N_GROUPS;
pub(super) const AGE: usize = FIRINGS + 2 * N_FLAGS;
pub(super) const POLICY_LAG: usize = AGE + 2;
pub(super) const REPORT_LAG: usize = POLICY_LAG + 2;
pub(super) const REPRESENTED: usize = REPORT_LAG + 2;
pub(super) const TREATMENT_1: usize = REPRESENTED + 1;
pub(super) const TREATMENT_2: usize = TREATMENT_1 + 3;
pub(super) const AMBULANCE: usize = TREATMENT_2 + 3;
pub(super) const PART_DISABLED: usize = AMBULANCE + 3;
pub(super) const TOTALLY_DISABLED: usize = PART_DISABLED + 1;
pub(super) const NOISE: usize = TOTALLY_DISABLED + 1;
pub(super) const PAID: usize = NOISE + 2 * 6;

/// The draws of one claim.
pub(super) struct Draws([u64; PER_CLAIM]);

impl Draws {
    /// The next claim of a stream.
    #[inline]
    pub(super) fn next(random: &mut Random) -> Self {
        let mut draws = [0; PER_CLAIM];
        draws.fill_with(|| random.next_u64());
        Self(draws)
    }

    /// The uniform number drawn at a place.
    #[inline]
    pub(super) fn uniform(&self, at: usize) -> f64 {
        uniform_of(self.0[at])
    }

    /// The normal number drawn at a place.
    #[inline]
    pub(super) fn normal(&self, at: usize) -> f64 {
        normal_of(self.pair(at))
    }

    /// The bits of a normal number.
    #[inline]
    pub(super) fn pair(&self, at: usize) -> [u64; 2] {
        [self.0[at], self.0[at + 1]]
    }
}
