//! The answer in plain words: what changed beyond chance, or that nothing did and what would have shown.

use super::results::{Change, ChangeKind, LimitRow, MonitorRow, Monitoring, PeriodFindings, RankingChange};
use crate::words::p_in_words;

/// How rates are written: shares in percent and points, or amounts.
#[derive(Clone, Copy)]
pub(super) struct RateWords {
    pub(super) has_amounts: bool,
}

impl RateWords {
    fn name(self) -> &'static str {
        if self.has_amounts { "mean amount" } else { "strike rate" }
    }

    fn rate(self, value: f64) -> String {
        if self.has_amounts { crate::words::money(value) } else { format!("{:.1} %", 100.0 * value) }
    }

    /// A difference, with its sign.
    fn difference(self, value: f64) -> String {
        let text = match self.has_amounts {
            true => crate::words::money(value),
            false => format!("{:.1}", 100.0 * value),
        };
        let is_zero = text.chars().all(|sign| matches!(sign, '0' | '.' | '-'));
        match is_zero {
            true => text.trim_start_matches('-').to_owned(),
            false if value > 0.0 => format!("+{text}"),
            false => text,
        }
    }

    fn unit(self) -> &'static str {
        if self.has_amounts { "" } else { " points" }
    }
}

/// What happened, as a clause.
fn clause(change: &Change) -> &'static str {
    match change.kind {
        ChangeKind::Drift => "the population drifted",
        ChangeKind::Selection => "the selection changed",
        ChangeKind::Mix => {
            "other scores were acted on (drift or selection, which these tables cannot tell apart)"
        }
        ChangeKind::Decay if !change.is_shown_by_test => match change.ranking {
            Some(RankingChange::Better) => {
                "the model got better (it orders cases better: rates of high bands rose beside those of low ones)"
            }
            _ => {
                "the model got worse (it orders cases less well: rates of high bands fell beside those of low ones)"
            }
        },
        ChangeKind::Decay if is_improvement(change) => "the model got better",
        ChangeKind::Decay => "the model got worse",
    }
}

fn is_improvement(change: &Change) -> bool {
    let ratio = change.odds_ratio.map(|ratio| ratio.estimate > 1.0);
    let difference = change.mean_difference.map(|difference| difference.estimate > 0.0);
    let contribution = change.contribution.map(|contribution| contribution.estimate > 0.0);
    ratio.or(difference).or(contribution).unwrap_or(false)
}

/// A noun for what did not happen.
fn noun(kind: ChangeKind) -> &'static str {
    match kind {
        ChangeKind::Drift => "population drift",
        ChangeKind::Selection => "a change of the selection",
        ChangeKind::Mix => "other scores that were acted on",
        ChangeKind::Decay => "a model that got worse or better",
    }
}

/// A list in words: a, b and c.
fn listed(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// The answer for a period.
pub(super) fn verdict_of(period: &str, changes: &[Change], rows: &[MonitorRow], words: RateWords) -> String {
    let shown: Vec<&Change> = changes.iter().filter(|change| change.is_shown).collect();
    let clauses: Vec<String> = shown.iter().map(|change| clause(change).to_owned()).collect();
    let what = match clauses.is_empty() {
        true if changes.iter().all(|change| change.test.is_none()) => "Nothing could be tested".to_owned(),
        true => "Nothing changed beyond chance".to_owned(),
        false => capitalised(&listed(&clauses)),
    };
    let mut sentences = vec![format!("{what}{}.", rate_change(period, rows, words))];
    sentences.extend((!shown.is_empty()).then(|| contributions(&shown, words)).flatten());
    sentences.extend(unseen(changes, words));
    sentences.join(" ")
}

fn capitalised(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    first + characters.as_str()
}

/// `: the strike rate of new.csv is 24.8 %, in the reference it was 41.6 % (-16.8 points, 95 % interval -20.1 to -13.4)`.
fn rate_change(period: &str, rows: &[MonitorRow], words: RateWords) -> String {
    let row = |id: &str| rows.iter().find(|row| row.metric == id);
    let rate =
        row(if words.has_amounts { "mean_amount" } else { "strike_rate" }).and_then(|row| row.estimate);
    let (Some(rate), Some(change)) = (rate, row("change")) else {
        let expected = row("expected_rate").and_then(|row| row.estimate);
        return match expected {
            Some(expected) => format!(
                " in {period} that can be seen without its outcomes: a {} of {} is expected if the model is as good as it was",
                words.name(),
                words.rate(expected)
            ),
            None => format!(" in {period}"),
        };
    };
    let (Some(difference), Some(lower), Some(upper)) = (change.estimate, change.lower, change.upper) else {
        return format!(": the {} of {period} is {}", words.name(), words.rate(rate));
    };
    format!(
        ": the {} of {period} is {}, {}{} beside the reference ({:.0} % interval {} to {})",
        words.name(),
        words.rate(rate),
        words.difference(difference),
        words.unit(),
        100.0 * change.level.unwrap_or(0.95),
        words.difference(lower),
        words.difference(upper)
    )
}

/// What each change that is shown adds.
fn contributions(shown: &[&Change], words: RateWords) -> Option<String> {
    let one = |change: &&Change| {
        let contribution = change.contribution?;
        let p = match (change.is_shown_by_test, change.heterogeneity) {
            (false, Some(unequal)) => Some(format!("{} that bands changed alike", p_in_words(unequal.p))),
            _ => change.test.map(|test| p_in_words(test.p_adjusted)),
        };
        let p = p.map_or_else(String::new, |p| format!("; {p}"));
        Some(format!(
            "{} {}{} ({} to {}{p})",
            change_name(change.kind),
            words.difference(contribution.estimate),
            words.unit(),
            words.difference(contribution.lower),
            words.difference(contribution.upper)
        ))
    };
    let items: Vec<String> = shown.iter().filter_map(one).collect();
    (!items.is_empty()).then(|| format!("Of that difference, {}.", listed(&items)))
}

fn change_name(kind: ChangeKind) -> &'static str {
    match kind {
        ChangeKind::Drift => "drift makes",
        ChangeKind::Selection => "the selection makes",
        ChangeKind::Mix => "the scores that were acted on make",
        ChangeKind::Decay => "the model makes",
    }
}

/// What was looked for and not found, and what would have shown.
fn unseen(changes: &[Change], words: RateWords) -> Option<String> {
    let one = |change: &Change| {
        let detectable = change.detectable.filter(|_| !change.is_shown && change.test.is_some())?;
        Some(format!(
            "{} of {}{}",
            noun(change.kind),
            words.difference(detectable).trim_start_matches('+'),
            words.unit()
        ))
    };
    let items: Vec<String> = changes.iter().filter_map(one).collect();
    (!items.is_empty()).then(|| {
        format!(
            "Not shown, though it would have been in four of five such samples: {}.",
            listed(&items).replace(" and ", " or ")
        )
    })
}

/// The answer for all periods.
pub(super) fn verdict(found: &Monitoring) -> String {
    let limits = broken(&found.limits);
    let answer = match &found.periods[..] {
        [only] => only.verdict.clone(),
        periods => of_periods(&found.reference.period, periods),
    };
    match limits {
        Some(limits) => format!("{answer} {limits}"),
        None => answer,
    }
}

fn of_periods(reference: &str, periods: &[PeriodFindings]) -> String {
    const SHOWN: usize = 8;
    let changed: Vec<&PeriodFindings> = periods.iter().filter(|period| !period.named.is_empty()).collect();
    if changed.is_empty() {
        return format!(
            "Nothing changed beyond chance in any of {} periods beside {reference}.",
            periods.len()
        );
    }
    let one = |period: &&PeriodFindings| {
        let clauses: Vec<String> = period
            .changes
            .iter()
            .filter(|change| change.is_shown)
            .map(|change| clause(change).to_owned())
            .collect();
        format!("in {} {}", period.facts.period, listed(&clauses))
    };
    let shown: Vec<String> = changed.iter().take(SHOWN).map(one).collect();
    let rest = match changed.len().saturating_sub(SHOWN) {
        0 => String::new(),
        n => format!("; and {n} more"),
    };
    format!(
        "{} of {} periods differ from {reference} beyond chance: {}{rest}.",
        changed.len(),
        periods.len(),
        shown.join("; ")
    )
}

fn broken(limits: &[LimitRow]) -> Option<String> {
    let broken: Vec<&LimitRow> = limits.iter().filter(|limit| !limit.holds).collect();
    match (limits.len(), &broken[..]) {
        (0, _) => None,
        (1, []) => Some("The limit holds.".to_owned()),
        (n, []) => Some(format!("All {n} limits hold.")),
        (n, [first, rest @ ..]) => {
            let value =
                first.estimate.map_or_else(|| "has no value".to_owned(), |value| format!("is {value:.3}"));
            let rest = if rest.is_empty() { String::new() } else { format!(", and {} more", rest.len()) };
            Some(format!(
                "{} of {n} limits {} broken: {} in {} ({} {value}){rest}.",
                broken.len(),
                if broken.len() == 1 { "is" } else { "are" },
                first.limit,
                first.period,
                first.metric
            ))
        }
    }
}
