//! Who takes part in a first study: everybody whose work the table is not too large for.

use std::fmt::Write;

/// A learner, what it is, and up to how many rows it is quick enough to be tried without being asked for.
struct Candidate {
    learner: &'static str,
    says: &'static str,
    most_rows: u64,
}

const ANY: u64 = u64::MAX;

const CANDIDATES: [Candidate; 12] = [
    Candidate {
        learner: "majority",
        says: "the same for everybody: what the others must beat",
        most_rows: ANY,
    },
    Candidate { learner: "logit", says: "logistic regression", most_rows: ANY },
    Candidate { learner: "c45", says: "a pruned decision tree", most_rows: ANY },
    Candidate {
        learner: "c45:curtailed",
        says: "an unpruned tree that small leaves have no say in; tuned",
        most_rows: 100_000,
    },
    Candidate { learner: "nb:5", says: "naive Bayes", most_rows: ANY },
    Candidate { learner: "tan:5", says: "tree-augmented naive Bayes", most_rows: ANY },
    Candidate { learner: "rdt", says: "ten random trees", most_rows: ANY },
    Candidate { learner: "boost", says: "gradient boosted trees", most_rows: ANY },
    Candidate { learner: "knn:10", says: "ten nearest neighbours: pairs of rows", most_rows: 50_000 },
    Candidate { learner: "mlp:2", says: "a neural network of two hidden units", most_rows: 50_000 },
    Candidate { learner: "lssvm:linear", says: "least-squares support vectors; tuned", most_rows: 5_000 },
    Candidate { learner: "lssvm:rbf", says: "the same with radial basis functions; tuned", most_rows: 1_000 },
];

/// The list of learners for a table of so many rows. Slow ones are there as comments.
pub(super) fn learners_text(n_rows: u64) -> String {
    let mut text = String::from("learners = [\n");
    for Candidate { learner, says, most_rows } in CANDIDATES {
        let (sign, why) = match n_rows > most_rows {
            true => ("# ", format!("; slow beyond {most_rows} rows")),
            false => ("", String::new()),
        };
        let entry = format!("{sign}\"{learner}\",");
        let _ = writeln!(text, "    {entry:<20}# {says}{why}");
    }
    text.push_str("]\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::learners_of;

    fn check(n_rows: u64, without: &[&str]) {
        let text = learners_text(n_rows);
        let left_out = text.lines().filter_map(|line| line.trim().strip_prefix("# \"")?.split('"').next());
        assert_eq!(left_out.collect::<Vec<_>>(), without, "{text}");
    }

    #[test]
    fn slow_learners_are_left_out_of_large_tables() {
        check(1_000, &[]);
        check(1399, &["lssvm:rbf"]);
        check(15_420, &["lssvm:linear", "lssvm:rbf"]);
        check(60_000, &["knn:10", "mlp:2", "lssvm:linear", "lssvm:rbf"]);
        check(1_000_000, &["c45:curtailed", "knn:10", "mlp:2", "lssvm:linear", "lssvm:rbf"]);
    }

    #[test]
    fn every_candidate_is_a_learner() {
        for Candidate { learner, .. } in CANDIDATES {
            assert_eq!(learners_of(learner).expect(learner)[0].to_string(), learner);
        }
    }
}
