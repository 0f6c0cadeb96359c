//! What a test with a branch for each value would tell.

use super::candidate::{Candidate, TIE, Verdict};
use super::entropy::Bits;
use super::tally::Tally;
use super::weights::Sum;

/// The gain of a nominal test. Values that are missing make it worth less, and are a part of their own when the test is
/// described.
pub(crate) fn evaluate<S: Sum>(tally: &Tally<S>, min: f64, bits: &Bits) -> Verdict {
    let (mut within, mut described, mut n_large) = (0.0, 0.0, 0);
    for (_, weights) in tally.values() {
        let weight: f64 = weights.iter().sum();
        let whole = bits.of(weight);
        within += whole - weights.iter().map(|&weight| bits.of(weight)).sum::<f64>();
        described += whole;
        n_large += usize::from(weight >= min - TIE);
    }
    // Rows only get fewer further down: what has no two large values here has none there.
    if n_large < 2 {
        return Verdict::NeverBelow;
    }
    let (known, unknown) = (tally.classes().iter().sum::<f64>(), tally.unknown());
    let total = known + unknown;
    let gain = (1.0 - unknown / total) * (bits.of_classes(tally.classes()) / known - within / known);
    let info = (bits.of(total) - bits.of(unknown) - described) / total;
    Verdict::Usable(Candidate { gain, info, between: None })
}
