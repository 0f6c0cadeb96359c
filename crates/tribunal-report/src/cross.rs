//! What came of a line-up, as people read it: who has scores, who failed where and why.

use tribunal::{CrossSummary, EntrantSummary, FailedSplits};

use crate::description::counted;
use crate::document::{Align, Document, Part, Table, plain_row};

/// So many folds are named; of more their number is told.
const MOST_FOLDS: usize = 10;

pub(crate) fn document(summary: &CrossSummary) -> Document {
    let about = format!(
        "{} over {} and {}, with seed {}. Held-out scores: {}.",
        summary.design,
        counted(summary.rows, "row"),
        counted(summary.columns, "column"),
        summary.seed,
        counted(summary.tested, "row"),
    );
    let mut parts = vec![Part::Paragraph(about), Part::Table(table(summary))];
    let failures = summary.learners.iter().flat_map(|learner| failures(&learner.learner, &learner.failed));
    let warnings = summary.warnings.iter().map(|warning| format!("warning: {warning}"));
    let remarks: Vec<String> = failures.chain(warnings).chain(summary.notices.iter().cloned()).collect();
    if !remarks.is_empty() {
        parts.push(Part::List(remarks));
    }
    Document { title: format!("Learners of {}", summary.target), parts }
}

pub(crate) fn table(summary: &CrossSummary) -> Table {
    let row = |learner: &EntrantSummary| {
        let failed: usize = learner.failed.iter().map(|failed| failed.folds.len()).sum();
        let scored = format!("{} of {}", learner.scored, summary.splits);
        plain_row([learner.learner.clone(), scored, failed.to_string(), remark(learner)])
    };
    let columns = [
        ("learner", Align::Left),
        ("splits scored", Align::Right),
        ("failed", Align::Right),
        ("remark", Align::Left),
    ];
    Table {
        title: "Who has scores".to_owned(),
        columns: columns.map(|(name, align)| (name.to_owned(), align)).to_vec(),
        rows: summary.learners.iter().map(row).collect(),
    }
}

/// The settings that were chosen most, or whether a command is repeatable.
fn remark(learner: &EntrantSummary) -> String {
    match (&learner.tuned[..], learner.repeatable) {
        ([(settings, n), ..], _) => format!("{settings} on {n}"),
        ([], Some(true)) => "repeatable".to_owned(),
        ([], Some(false)) => "not repeatable".to_owned(),
        ([], None) => String::new(),
    }
}

/// Where and why a learner failed.
pub(crate) fn failures(learner: &str, failed: &[FailedSplits]) -> Vec<String> {
    let failure = |failed: &FailedSplits| {
        let reason = failed.reason.strip_prefix(&format!("{learner}, ")).unwrap_or(&failed.reason);
        format!("{learner} failed on {}: {reason}", folds(&failed.folds))
    };
    failed.iter().map(failure).collect()
}

fn folds(folds: &[String]) -> String {
    match folds {
        [one] => format!("fold {one}"),
        many if many.len() > MOST_FOLDS => format!("{} folds", many.len()),
        some => format!("folds {}", some.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::made_up::made;
    use serde_json::json;

    #[test]
    fn failures_name_the_learner_once_and_few_folds() {
        let failed = |n: usize, reason: &str| {
            made::<FailedSplits>(json!({
                "folds": (0..n).map(|fold| fold.to_string()).collect::<Vec<_>>(),
                "reason": reason,
            }))
        };
        let learner = made::<EntrantSummary>(json!({
            "learner": "outside:x",
            "scored": 3,
            "failed": [failed(1, "outside:x, fit: it ended"), failed(2, "no row"), failed(11, "late")],
            "tuned": [],
            "repeatable": false,
        }));
        let expected = [
            "outside:x failed on fold 0: fit: it ended",
            "outside:x failed on folds 0, 1: no row",
            "outside:x failed on 11 folds: late",
        ];
        assert_eq!(failures(&learner.learner, &learner.failed), expected);
        assert_eq!(remark(&learner), "not repeatable");
    }
}
