//! Built-in scores, so that everybody can see the judge at work: synthetic claims scored by three models.
//!
//! Nothing here is real. A latent suspicion drives the truth; each model sees it through its own noise, and
//! they differ as models do: one is calibrated, one is sharp but too sure of itself, one knows few grades.

use std::fmt::Write as _;
use std::path::Path;

use tribunal_random::Random;

use crate::error::Error;
use crate::evaluate::{EvaluateRequest, ScoreColumns};

/// As many claims as Viaene, Derrig, Baesens and Dedene (2002) studied.
const N_CLAIMS: usize = 1399;
const N_FOLDS: usize = 10;

/// The score columns of the built-in claims.
pub const DEMO_COLUMNS: [&str; 3] = ["logit", "forest", "scorecard"];

/// The built-in claims as CSV: `claim, fraud, fold, paid` and one score column per model.
pub fn demo_claims(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut csv = String::from("claim,fraud,fold,paid,logit,forest,scorecard\n");
    let mut in_class = [0usize; 2];
    for claim in 1..=N_CLAIMS {
        let suspicion = random.normal();
        let fraud = random.uniform() < logistic(-1.35 + 1.9 * suspicion);
        let seen = |noise: f64, draw: f64| suspicion + noise * draw;
        let logit = logistic(-1.2 + 1.45 * seen(0.45, random.normal()));
        let forest = logistic(-1.6 + 2.6 * seen(0.35, random.normal()));
        let scorecard = (20.0 * logistic(-1.1 + 1.2 * seen(0.7, random.normal()))).round() / 20.0;
        let paid = (6.6 + 0.9 * random.normal() + 0.2 * suspicion).exp();
        let fold = in_class[usize::from(fraud)] % N_FOLDS;
        in_class[usize::from(fraud)] += 1;
        let truth = if fraud { "yes" } else { "no" };
        // Writing to a string cannot fail.
        let _ = writeln!(csv, "{claim},{truth},{fold},{paid:.2},{logit:.6},{forest:.6},{scorecard:.2}");
    }
    csv
}

/// Writes the built-in claims to a file, whole or not at all.
pub fn write_demo_claims(path: &Path, seed: u64) -> Result<(), Error> {
    let csv = demo_claims(seed);
    Ok(tribunal_io::write_whole(path, |writer| writer.write_all(csv.as_bytes()))?)
}

impl EvaluateRequest {
    /// The questions that the demonstration asks of the built-in claims.
    pub fn demo() -> Self {
        let mut columns = ScoreColumns::new("fraud", DEMO_COLUMNS);
        columns.positive = Some("yes".into());
        columns.amount = Some("paid".into());
        columns.fold = Some("fold".into());
        columns.id = Some("claim".into());
        Self::new(columns)
    }
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_makes_the_same_claims() {
        let csv = demo_claims(7);
        assert_eq!(csv, demo_claims(7));
        assert_ne!(csv, demo_claims(8));
        assert_eq!(csv.lines().count(), N_CLAIMS + 1);
        let frauds = csv.lines().filter(|line| line.contains(",yes,")).count() as f64;
        assert!((0.2..0.35).contains(&(frauds / N_CLAIMS as f64)));
    }
}
