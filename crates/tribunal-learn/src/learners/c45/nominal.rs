//! What a test with a branch for each value would tell.

use super::candidate::{Candidate, Verdict};
use super::entropy::Bits;
use super::tally::Tally;
use super::weights::Sum;

/// The gain of a nominal test. Values that are missing make it worth less, and are a part of their own when the test is
/// described.
pub(crate) fn evaluate<S: Sum>(tally: &Tally<S>, n_classes: usize, min: f64, bits: &Bits) -> Verdict {
    let mut classes = vec![0.0; n_classes];
    let (mut known, mut within, mut described, mut n_large) = (0.0, 0.0, 0.0, 0);
    for (_, weights) in tally.values() {
        let weight: f64 = weights.iter().sum();
        if weight > 0.0 {
            let whole = bits.of(weight);
            within += whole - weights.iter().map(|&weight| bits.of(weight)).sum::<f64>();
            described += whole;
            known += weight;
            n_large += usize::from(weight >= min);
            classes.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight);
        }
    }
    // Rows only get fewer further down: what has no two large values here has none there.
    if n_large < 2 {
        return Verdict::NeverBelow;
    }
    let unknown = tally.unknown();
    let total = known + unknown;
    let gain = (1.0 - unknown / total) * (bits.of_classes(&classes) / known - within / known);
    let info = (bits.of(total) - bits.of(unknown) - described) / total;
    Verdict::Usable(Candidate { gain, info, between: None })
}
