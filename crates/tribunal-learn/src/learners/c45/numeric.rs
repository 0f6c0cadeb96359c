//! What the best threshold of a column of numbers would tell.
//!
//! Release 8 chooses the threshold by its gain and charges the choice among so many (Quinlan 1996).

use super::candidate::{Candidate, TIE, Verdict};
use super::entropy::Bits;
use super::tally::Tally;
use super::weights::Sum;

/// Numbers that differ by no more are not told apart.
const APART: f64 = 1e-5;

/// The gain of the best threshold between distinct numbers, less what the choice costs.
pub(crate) fn evaluate<S: Sum>(tally: &Tally<S>, distinct: &[f64], min: f64, bits: &Bits) -> Verdict {
    let classes = tally.classes();
    let known: f64 = classes.iter().sum();
    if known < 2.0 * (min - TIE) {
        return Verdict::NeverBelow;
    }
    let (least, before) = (least(known, classes.len(), min), bits.of_classes(classes) / known);
    Scan { classes, known, unknown: tally.unknown(), least, before, bits }.best(tally, distinct)
}

/// The least weight on either side.
fn least(known: f64, n_classes: usize, min: f64) -> f64 {
    let tenth = 0.1 * known / n_classes as f64;
    if tenth <= min { min } else { tenth.min(25.0) }
}

struct Scan<'a> {
    classes: &'a [f64],
    known: f64,
    unknown: f64,
    /// The least weight on either side.
    least: f64,
    /// The entropy of the classes where nothing is tested.
    before: f64,
    bits: &'a Bits,
}

impl Scan<'_> {
    fn best<S: Sum>(&self, tally: &Tally<S>, distinct: &[f64]) -> Verdict {
        let mut low = vec![0.0; self.classes.len()];
        let (mut n_values, mut n_tries) = (0, 0);
        let mut best: Option<Candidate> = None;
        let mut last = None;
        let occurring = tally.values().filter(|(_, weights)| weights.iter().any(|&weight| weight > 0.0));
        for (code, weights) in occurring {
            n_values += 1;
            // Written as in J48: numbers of five digits behind the point are APART from their neighbours but for rounding.
            if let Some(last) = last.filter(|&last: &usize| distinct[last] + APART < distinct[code]) {
                let weight: f64 = low.iter().sum();
                if weight > self.known - self.least + TIE {
                    break;
                }
                if weight >= self.least - TIE {
                    n_tries += 1;
                    let gain = self.gain(&low);
                    if best.as_ref().is_none_or(|best| gain > best.gain + TIE) {
                        best = Some(Candidate { gain, info: self.info(weight), between: Some([last, code]) });
                    }
                }
            }
            low.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight);
            last = Some(code);
        }
        // Whoever has two values here may be divided further down, where the one that dominates is gone.
        if n_values < 2 { Verdict::NeverBelow } else { self.charged(best, n_tries) }
    }

    fn charged(&self, best: Option<Candidate>, n_tries: usize) -> Verdict {
        let cost = (n_tries.max(1) as f64).log2() / (self.known + self.unknown);
        let charged = best.map(|best| Candidate { gain: best.gain - cost, ..best });
        charged.filter(|best| best.gain > TIE).map_or(Verdict::Unusable, Verdict::Usable)
    }

    fn gain(&self, low: &[f64]) -> f64 {
        let (mut of_low, mut of_high, mut parts) = (0.0, 0.0, [0.0, 0.0]);
        for (&low, &total) in low.iter().zip(self.classes) {
            let high = (total - low).max(0.0);
            of_low += low;
            of_high += high;
            parts[0] += self.bits.of(low);
            parts[1] += self.bits.of(high);
        }
        let within = (self.bits.of(of_low) - parts[0]) + (self.bits.of(of_high) - parts[1]);
        let share = 1.0 - self.unknown / (self.known + self.unknown);
        share * (self.before - within / self.known)
    }

    fn info(&self, low: f64) -> f64 {
        let total = self.known + self.unknown;
        let parts = self.bits.of(self.unknown) + self.bits.of(low) + self.bits.of(self.known - low);
        (self.bits.of(total) - parts) / total
    }
}
