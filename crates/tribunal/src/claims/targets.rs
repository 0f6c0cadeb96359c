//! Five ways to call a claim suspicious, and how many claims of a file each of them holds for.
//!
//! The shares are those of the 1399 claims of Viaene, Derrig, Baesens and Dedene (2002), table 3. Scores and codes are
//! given out by rank, so that every file has the same shares, up to rounding.

use tribunal_learn::ClaimTarget;

/// As many claims as the published study had.
pub const STUDIED: u64 = 1399;

/// A way to call a claim suspicious.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// Its name in the published tables.
    pub name: &'static str,
    /// What it asks.
    pub rule: ClaimTarget,
    /// How many of the studied claims were suspicious.
    studied: u64,
}

/// The five targets of the published tables.
pub const TARGETS: [Target; 5] =
    [Target::new(0, 601), Target::new(1, 396), Target::new(2, 123), Target::new(3, 504), Target::new(4, 228)];

impl Target {
    const fn new(place: usize, studied: u64) -> Self {
        let (name, rule) = ClaimTarget::ALL[place];
        Self { name, rule, studied }
    }

    /// How many of so many claims are suspicious.
    pub fn positives(&self, rows: u64) -> u64 {
        share(self.studied, rows)
    }
}

/// As many of `rows` as `studied` is of the studied claims, rounded half up.
pub(super) fn share(studied: u64, rows: u64) -> u64 {
    (2 * studied * rows + STUDIED) / (2 * STUDIED)
}

/// A sentence on claims that must not be taken for real ones.
pub fn statement(rows: u64, seed: u64) -> String {
    let rate = |target: &Target| {
        let positives = target.positives(rows);
        format!("{} {:.2} %", target.name, 100.0 * positives as f64 / rows as f64)
    };
    let rates: Vec<String> = TARGETS.iter().map(rate).collect();
    format!("synthetic claims, not real ones: {rows} rows, seed {seed}; suspicious: {}", rates.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_those_of_the_study_and_round_half_up() {
        assert_eq!(TARGETS.map(|target| target.positives(1399)), [601, 396, 123, 504, 228]);
        for rows in [1, 2, 10, 88, 1_000_000, 100_000_000] {
            for target in TARGETS {
                let exact = (target.studied as f64 * rows as f64 / 1399.0 + 0.5).floor();
                assert_eq!(target.positives(rows) as f64, exact);
            }
        }
    }

    #[test]
    fn the_statement_names_seed_and_base_rates() {
        let expected = "synthetic claims, not real ones: 1399 rows, seed 32; suspicious: 1+ 42.96 %, 4+ 28.31 %, \
                        7+ 8.79 %, vnl 36.03 %, vop 16.30 %";
        assert_eq!(statement(1399, 32), expected);
    }
}
