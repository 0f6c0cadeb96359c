//! Five ways to call a claim suspicious, and how many claims of a file each of them holds for.
//!
//! The shares are those of the 1399 claims of Viaene, Derrig, Baesens and Dedene (2002), table 3. Scores and codes are
//! given out by rank, so that every file has the same shares, up to rounding.

/// As many claims as the published study had.
pub const STUDIED: u64 = 1399;

/// What a target looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    Score,
    Code,
}

/// A way to call a claim suspicious.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// Its name in the published tables.
    pub name: &'static str,
    mark: Mark,
    at_least: u8,
    /// How many of the studied claims were suspicious.
    studied: u64,
}

/// The five targets of the published tables.
pub const TARGETS: [Target; 5] = [
    Target { name: "1+", mark: Mark::Score, at_least: 1, studied: 601 },
    Target { name: "4+", mark: Mark::Score, at_least: 4, studied: 396 },
    Target { name: "7+", mark: Mark::Score, at_least: 7, studied: 123 },
    Target { name: "vnl", mark: Mark::Code, at_least: 2, studied: 504 },
    Target { name: "vop", mark: Mark::Code, at_least: 3, studied: 228 },
];

impl Target {
    /// Whether a claim with this score and code is suspicious.
    pub fn holds(&self, score: u8, code: u8) -> bool {
        self.at_least
            <= match self.mark {
                Mark::Score => score,
                Mark::Code => code,
            }
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

    fn check(name: &str, marks: &[u8], expected: &str) {
        let target = TARGETS.iter().find(|target| target.name == name).expect("a target");
        let held: String =
            marks.iter().map(|&mark| if target.holds(mark, mark) { '1' } else { '0' }).collect();
        assert_eq!(held, expected, "{name}");
    }

    #[test]
    fn targets_cut_scores_and_codes() {
        let scores = [0, 1, 3, 4, 6, 7, 10];
        check("1+", &scores, "0111111");
        check("4+", &scores, "0001111");
        check("7+", &scores, "0000011");
        check("vnl", &[1, 2, 3, 4, 5], "01111");
        check("vop", &[1, 2, 3, 4, 5], "00111");
    }

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
