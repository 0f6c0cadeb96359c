//! The answer in a sentence: what the population looks like, and how much that rests on.

use super::results::{CorrectedSide, Correction};
use crate::results::MetricRow;

fn strike_rate(side: &CorrectedSide) -> Option<&MetricRow> {
    side.metrics.iter().find(|row| row.metric == "strike_rate")
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

fn with_interval(row: &MetricRow) -> Option<String> {
    let interval = match (row.lower, row.upper, row.level) {
        (Some(lower), Some(upper), Some(level)) => {
            format!(" ({:.0} % interval {} to {})", 100.0 * level, percent(lower), percent(upper))
        }
        _ => String::new(),
    };
    Some(format!("{}{interval}", percent(row.estimate?)))
}

pub(super) fn verdict(correction: &Correction) -> String {
    let rests = format!(
        "{} actioned cases in {} strata count like {:.0} (design effect {:.2})",
        correction.after.distinct_rows,
        correction.strata.len(),
        correction.effective_rows,
        correction.after.design_effect
    );
    let rates = strike_rate(&correction.before).zip(strike_rate(&correction.after));
    let found = rates
        .and_then(|(before, after)| Some((before, with_interval(before)?, after, with_interval(after)?)));
    match found {
        Some((before, said_before, after, said_after)) => {
            let differs = match (after.lower, after.upper, before.estimate) {
                (Some(lower), Some(upper), Some(rate)) => rate < lower || rate > upper,
                _ => false,
            };
            let beside = if differs { "not" } else { "beside" };
            format!(
                "The strike rate of the population is {said_after} by {}, {beside} the {said_before} of the cases that were acted on; \
                 {rests}.",
                in_words(&correction.method)
            )
        }
        None => {
            let grown = match correction.beta.filter(|_| correction.method == "over") {
                Some(beta) => format!(" with beta = {beta}"),
                None => String::new(),
            };
            format!(
                "By {}{grown} the {} actioned cases become {:.0} with the shares of the population; {rests}.",
                in_words(&correction.method),
                correction.data.incidence_rows,
                correction.after.rows
            )
        }
    }
}

/// A method as the field calls it.
pub(super) fn in_words(method: &str) -> &str {
    match method {
        "mixed" => "mixed resampling",
        "over" => "over-resampling",
        "substitution" => "substitution sampling",
        "poststratify" => "post-stratification",
        "ipw" => "inverse-probability weights",
        other => other,
    }
}
