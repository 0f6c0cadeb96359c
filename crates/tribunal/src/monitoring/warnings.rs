//! What is doubtful about periods, from their counts and findings.

use tribunal_eval::ScoreBands;
use tribunal_eval::intervals::Level;

use super::comparison::Comparison;
use super::knowledge::Knowledge;
use super::period::Period;
use super::results::Change;
use super::warning::MonitorWarning;

/// With fewer known outcomes only large changes can show.
const FEW_OUTCOMES: u64 = 30;
/// Odds ratios are called different below this.
const ALPHA: f64 = 0.01;

/// What is doubtful about a period by itself.
pub(super) fn about_period(period: &Period) -> Vec<MonitorWarning> {
    let facts = &period.facts;
    let name = || facts.period.clone();
    let mut warnings = Vec::new();
    if (1..FEW_OUTCOMES).contains(&facts.outcomes) {
        warnings.push(MonitorWarning::FewOutcomes { period: name(), outcomes: facts.outcomes });
    }
    if facts.outcomes > 0 && facts.outcomes < facts.actioned {
        let pending = facts.actioned - facts.outcomes;
        warnings.push(MonitorWarning::PendingOutcomes { period: name(), pending, actioned: facts.actioned });
    }
    if period.cases.unused_outcomes > 0 {
        warnings
            .push(MonitorWarning::UnusedOutcomes { period: name(), outcomes: period.cases.unused_outcomes });
    }
    if facts.outcomes > 0 && (facts.positives == 0 || facts.positives == facts.outcomes) {
        warnings.push(MonitorWarning::OneClass { period: name(), is_positive: facts.positives > 0 });
    }
    warnings
}

/// What is doubtful about a comparison.
pub(super) fn about_comparison(
    (reference, current): (&Period, &Period),
    found: &Comparison,
    bands: &ScoreBands,
    joined: &[String],
    level: Level,
) -> Vec<MonitorWarning> {
    let name = || current.facts.period.clone();
    let mut warnings = Vec::new();
    match found.knowledge {
        Knowledge::MixAndOutcomes | Knowledge::MixOnly => {
            let without =
                if current.facts.actioned > 0 && !current.has_population() { current } else { reference };
            warnings.push(MonitorWarning::NoPopulation { period: without.facts.period.clone() });
        }
        Knowledge::ScoresOnly => warnings.push(MonitorWarning::NothingActioned { period: name() }),
        Knowledge::Everything | Knowledge::NoOutcomes => {}
    }
    if !found.knowledge.has_outcomes() {
        warnings.push(MonitorWarning::NoOutcomes { period: name() });
    }
    if !joined.is_empty() {
        warnings.push(MonitorWarning::JoinedBands { period: name(), bands: joined.to_vec() });
    }
    warnings.extend(
        found.rough.iter().map(|change| MonitorWarning::RoughTest { period: name(), change: *change }),
    );
    warnings.extend(found.changes.iter().filter_map(|change| moved_inside(change, name(), bands, level)));
    let unequal = |change: &Change| {
        let p =
            change.heterogeneity.map(|found| found.p).filter(|p| *p < ALPHA && change.is_shown_by_test)?;
        Some(MonitorWarning::UnequalOddsRatios { period: name(), change: change.kind, p })
    };
    warnings.extend(found.changes.iter().filter_map(unequal));
    warnings
}

fn moved_inside(change: &Change, period: String, bands: &ScoreBands, level: Level) -> Option<MonitorWarning> {
    let test = change.test?;
    let finer = test.finer?;
    let is_contradicted = test.p_adjusted < level.alpha() && finer.p >= level.alpha();
    is_contradicted.then(|| MonitorWarning::MovedInsideBands {
        period,
        change: change.kind,
        finer_bands: finer.bands,
        bands: bands.n_bands() as u64,
    })
}
