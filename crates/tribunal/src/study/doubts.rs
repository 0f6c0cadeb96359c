//! Why the figures of a scenario should not be believed yet: predictors that give the answer away, rows that repeat others.

use super::analysis::Findings;
use crate::evaluate::named;
use crate::leaks::Leak;

/// Why figures should not be believed yet; nothing where nothing speaks against them.
pub(super) fn doubts(findings: &Findings<'_>, scenario: usize) -> Option<String> {
    let doubts = [leaks_in_words(findings, scenario), repeated_in_words(findings)];
    let doubts: Vec<String> = doubts.into_iter().flatten().collect();
    (!doubts.is_empty()).then(|| doubts.join(" "))
}

/// Predictors that seem to give the answer away, and what to do about them.
fn leaks_in_words(findings: &Findings<'_>, place: usize) -> Option<String> {
    let leaks: Vec<&Leak> = findings.ground.leaks_of(findings.places[place]).collect();
    let names = named(leaks.iter().map(|leak| leak.column.as_str()))?;
    let (look, it, them) = match leaks.len() {
        1 => ("looks as if it were", "it is", "it"),
        _ => ("look as if they were", "they are", "them"),
    };
    Some(format!(
        "{names} {look} known only after the outcome. Unless {it} known before, leave {them} out (kind ignore)."
    ))
}

/// Rows that repeat others, and what to do about them.
fn repeated_in_words(findings: &Findings<'_>) -> Option<String> {
    let repeated = findings.ground.repeated_rows.as_ref()?;
    Some(format!(
        "{repeated}, so training and test parts share cases. Remove the copies, or keep those of a case together (design \
         group)."
    ))
}
