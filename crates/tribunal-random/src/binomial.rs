//! Binomial numbers: how many of n independent trials succeed.
//!
//! Where few successes are expected, the gaps between them are drawn, which are geometric. Otherwise a number is proposed
//! and accepted or not by transformed rejection with squeeze, whose cost does not grow with n. Either way the distribution is
//! the binomial one, not an approximation to it. Reference: Hörmann (1993), "The generation of binomial random variates",
//! algorithm BTRS.

use crate::Random;

/// So many successes have to be expected for a proposal to pay; the constants of the algorithm hold from there on.
const FEW: f64 = 10.0;

/// The differences between the logs of small factorials and Stirling's formula.
const STIRLING_TAILS: [f64; 10] = [
    0.081_061_466_795_327_2,
    0.041_340_695_955_409_2,
    0.027_677_925_684_998_3,
    0.020_790_672_103_765_1,
    0.016_644_691_189_821_1,
    0.013_876_128_823_070_7,
    0.011_896_709_945_891_7,
    0.010_411_265_261_972_0,
    0.009_255_462_182_712_73,
    0.008_330_563_433_362_87,
];

impl Random {
    /// How many of `n` trials succeed, each with this probability.
    ///
    /// ```
    /// use tribunal_random::Random;
    ///
    /// let mut random = Random::new(42);
    /// assert_eq!((random.binomial(10, 0.0), random.binomial(10, 1.0)), (0, 10));
    /// assert!((4_800..5_200).contains(&random.binomial(10_000, 0.5)));
    /// ```
    pub fn binomial(&mut self, n: u64, probability: f64) -> u64 {
        if probability > 0.5 {
            return n - self.at_most_half(n, 1.0 - probability);
        }
        self.at_most_half(n, probability)
    }

    fn at_most_half(&mut self, n: u64, probability: f64) -> u64 {
        if n == 0 || probability <= 0.0 {
            return 0;
        }
        if n as f64 * probability < FEW {
            return self.few_successes(n, probability);
        }
        let trials = Trials::new(n as f64, probability);
        loop {
            // One of these is zero once in 2^53 times; neither may be.
            let (u, v) = (self.uniform() - 0.5, 1.0 - self.uniform());
            if let Some(successes) = trials.accept(u, v) {
                return successes;
            }
        }
    }

    /// Counts successes by the trials that lie between them.
    fn few_successes(&mut self, n: u64, probability: f64) -> u64 {
        let log_of_failure = (-probability).ln_1p();
        let (mut at, mut successes) = (0.0, 0);
        loop {
            at += ((1.0 - self.uniform()).ln() / log_of_failure).floor() + 1.0;
            if at > n as f64 {
                return successes;
            }
            successes += 1;
        }
    }
}

/// What a proposal is held against.
struct Trials {
    n: f64,
    mode: f64,
    odds: f64,
    a: f64,
    b: f64,
    centre: f64,
    squeeze: f64,
    alpha: f64,
}

impl Trials {
    fn new(n: f64, probability: f64) -> Self {
        let deviation = (n * probability * (1.0 - probability)).sqrt();
        let b = 1.15 + 2.53 * deviation;
        Trials {
            n,
            mode: ((n + 1.0) * probability).floor(),
            odds: probability / (1.0 - probability),
            a: -0.0873 + 0.0248 * b + 0.01 * probability,
            b,
            centre: n * probability + 0.5,
            squeeze: 0.92 - 4.2 / b,
            alpha: (2.83 + 5.1 / b) * deviation,
        }
    }

    /// The number that two uniform ones propose, if it is accepted.
    fn accept(&self, u: f64, v: f64) -> Option<u64> {
        let room = 0.5 - u.abs();
        let k = ((2.0 * self.a / room + self.b) * u + self.centre).floor();
        if room >= 0.07 && v <= self.squeeze {
            return Some(k as u64);
        }
        if !(0.0..=self.n).contains(&k) {
            return None;
        }
        let height = (v * self.alpha / (self.a / (room * room) + self.b)).ln();
        (height <= self.log_ratio(k)).then_some(k as u64)
    }

    /// The log of how likely a number is, as a share of how likely the likeliest is.
    fn log_ratio(&self, k: f64) -> f64 {
        let (n, mode) = (self.n, self.mode);
        (mode + 0.5) * ((mode + 1.0) / (self.odds * (n - mode + 1.0))).ln()
            + (n + 1.0) * ((n - mode + 1.0) / (n - k + 1.0)).ln()
            + (k + 0.5) * (self.odds * (n - k + 1.0) / (k + 1.0)).ln()
            + (stirling_tail(mode) + stirling_tail(n - mode) - stirling_tail(k) - stirling_tail(n - k))
    }
}

fn stirling_tail(k: f64) -> f64 {
    if let Some(tail) = STIRLING_TAILS.get(k as usize) {
        return *tail;
    }
    let square = (k + 1.0) * (k + 1.0);
    (1.0 / 12.0 - (1.0 / 360.0 - 1.0 / 1260.0 / square) / square) / (k + 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The probability of each number of successes.
    fn probabilities(n: u64, p: f64) -> Vec<f64> {
        let mut log_of = vec![n as f64 * (-p).ln_1p()];
        for k in 0..n {
            log_of.push(log_of[k as usize] + ((n - k) as f64 / (k + 1) as f64 * p / (1.0 - p)).ln());
        }
        log_of.into_iter().map(f64::exp).collect()
    }

    /// Pearson's chi-square of draws against the distribution, by cells that expect enough.
    fn check(n: u64, p: f64) {
        const DRAWS: usize = 200_000;
        let mut random = Random::derived(7, &[n, p.to_bits()]);
        let mut counts = vec![0.0; n as usize + 1];
        (0..DRAWS).for_each(|_| counts[random.binomial(n, p) as usize] += 1.0);
        let (mut statistic, mut cells) = (0.0, 0.0_f64);
        let (mut found, mut expected) = (0.0, 0.0);
        for (count, probability) in counts.iter().zip(probabilities(n, p)) {
            found += count;
            expected += probability * DRAWS as f64;
            if expected >= 20.0 {
                statistic += (found - expected) * (found - expected) / expected;
                (found, expected, cells) = (0.0, 0.0, cells + 1.0);
            }
        }
        let degrees = (cells - 1.0).max(1.0);
        // Four standard deviations of a chi-square.
        assert!(
            statistic < degrees + 4.0 * (2.0 * degrees).sqrt() + 4.0,
            "{n}, {p}: {statistic} of {degrees}"
        );
    }

    #[test]
    fn draws_have_the_binomial_distribution() {
        for (n, p) in
            [(1, 0.5), (7, 0.3), (40, 0.05), (40, 0.5), (40, 0.9), (300, 0.04), (1000, 0.5), (5000, 0.7)]
        {
            check(n, p);
        }
    }

    #[test]
    fn large_numbers_of_trials_have_their_mean_and_variance() {
        for (n, p) in [(5_000_000_u64, 0.5), (4_000_000_000, 1e-9), (1_000_000_000, 0.999)] {
            let mut random = Random::new(3);
            let draws: Vec<f64> = (0..20_000).map(|_| random.binomial(n, p) as f64).collect();
            let mean = draws.iter().sum::<f64>() / 20_000.0;
            let variance = draws.iter().map(|draw| (draw - mean).powi(2)).sum::<f64>() / 19_999.0;
            let (expected, spread) = (n as f64 * p, n as f64 * p * (1.0 - p));
            assert!((mean - expected).abs() < 5.0 * (spread / 20_000.0).sqrt(), "{n}, {p}: {mean}");
            assert!((variance / spread - 1.0).abs() < 0.06, "{n}, {p}: {variance} {spread}");
        }
    }
}
