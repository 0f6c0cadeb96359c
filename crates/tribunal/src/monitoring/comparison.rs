//! A period beside the reference: what each change adds, its test, and whether it is beyond chance.

use tribunal_eval::intervals::Level;
use tribunal_eval::significance::{
    Aim, ChiSquare, CommonEffect, SampleMoments, StratifiedTest, Stratum, TwoCounts, TwoSamples, breslow_day,
    chi_square_homogeneity, cochran_mantel_haenszel, common_mean_difference, common_odds_ratio,
    detectable_difference, holm, ks_two_sample, pooled_cells, population_stability_index,
};

use super::effects::{Drawn, Effect, Effects};
use super::finer::finer_test;
use super::knowledge::Knowledge;
use super::period::{Drawing, Period, Rows};
use super::results::{
    Change, ChangeKind, ChangeTest, ChangeTestName, Contribution, MonitorRow, RankingChange,
};
use crate::error::Error;

/// Detectable changes show in so many of such samples.
const POWER: f64 = 0.8;
/// The order of cases is said to have changed at this part of the level, so that next to nothing is added to the false alarms of the
/// tests that Holm adjusts.
const STRICTER: f64 = 0.02;
/// With fewer cases a band chi-square is no guide to differences between bands.
const CASES_A_STRATUM: u64 = 10;

/// What was found about a period.
pub(super) struct Comparison {
    pub(super) knowledge: Knowledge,
    pub(super) changes: Vec<Change>,
    /// Changes whose test has too few cases for chi-square.
    pub(super) rough: Vec<ChangeKind>,
    pub(super) rows: Vec<MonitorRow>,
    pub(super) effects: Effects,
}

/// Compares a period with the reference.
pub(super) fn compare(
    (reference, current): (&Period, &Period),
    model: &str,
    reference_auroc: Option<f64>,
    drawing: Drawing,
) -> Result<Comparison, Error> {
    let knowledge = Knowledge::of(reference, current);
    let effects = Effects::of((reference, current), knowledge, drawing)?;
    let looked_at: Vec<Tested> = knowledge
        .changes()
        .iter()
        .map(|kind| Tested::of(*kind, (reference, current), drawing.level))
        .collect();
    let p_values: Vec<f64> =
        looked_at.iter().filter_map(|tested| Some(tested.test.as_ref().ok()?.p)).collect();
    let mut adjusted = holm(&p_values)?.into_iter();
    let aim = Aim::new(corrected(drawing.level, looked_at.len()), POWER)?;
    let rough = looked_at.iter().filter(|tested| tested.is_rough).map(|tested| tested.kind).collect();
    let mut changes = Vec::new();
    for tested in looked_at {
        let p_adjusted = tested.test.as_ref().ok().and_then(|_| adjusted.next());
        changes.push(tested.change(p_adjusted, &effects, aim, drawing.level));
    }
    let rows = Rows { model, facts: &current.facts, level: drawing.level };
    let rows = figures(&rows, (reference, current), &changes, &effects, reference_auroc);
    Ok(Comparison { knowledge, changes, rough, rows, effects })
}

/// The level at which one of several tests is held against what it could have shown: Bonferroni's, the strictest step of Holm's.
fn corrected(level: Level, n_tests: usize) -> Level {
    Level::new(1.0 - level.alpha() / n_tests.max(1) as f64).unwrap_or(level)
}

/// A change with its test, before p values are adjusted.
struct Tested {
    kind: ChangeKind,
    test: Result<ChangeTest, String>,
    is_rough: bool,
    odds_ratio: Option<CommonEffect>,
    mean_difference: Option<CommonEffect>,
    heterogeneity: Option<ChiSquare>,
    ranking: Option<RankingChange>,
}

impl Tested {
    fn of(kind: ChangeKind, periods: (&Period, &Period), level: Level) -> Self {
        match kind {
            ChangeKind::Drift => Self::of_shares(kind, periods, |period, band| period.counts[band].rows),
            ChangeKind::Mix => Self::of_shares(kind, periods, |period, band| {
                // Of a period of which nothing says what was acted on all rows stand for those that will be.
                let counts = period.counts[band];
                if period.facts.actioned > 0 { counts.actioned } else { counts.rows }
            }),
            ChangeKind::Selection => Self::of_strata(kind, periods, level, |period, band| {
                let counts = period.counts[band];
                SampleMoments::counts(counts.rows, counts.actioned)
            }),
            ChangeKind::Decay => {
                Self::of_strata(kind, periods, level, |period, band| period.counts[band].outcomes)
            }
        }
    }

    /// Whether bands have the same shares of both periods.
    fn of_shares(
        kind: ChangeKind,
        (reference, current): (&Period, &Period),
        count: impl Fn(&Period, usize) -> u64,
    ) -> Self {
        let cell = |band: usize| TwoCounts { first: count(reference, band), second: count(current, band) };
        let cells: Vec<TwoCounts> = (0..reference.counts.len()).map(cell).collect();
        let test = chi_square_homogeneity(&pooled_cells(&cells)).map(|found| ChangeTest {
            test: ChangeTestName::ChiSquare,
            statistic: found.statistic,
            df: found.df as u64,
            p: found.p,
            p_adjusted: found.p,
            finer: None,
        });
        let test = test.map_err(|_| "fewer than two bands have cases enough for chi-square".to_owned());
        Tested {
            kind,
            test,
            is_rough: false,
            odds_ratio: None,
            mean_difference: None,
            heterogeneity: None,
            ranking: None,
        }
    }

    /// Whether outcomes are the same within bands.
    fn of_strata(
        kind: ChangeKind,
        (reference, current): (&Period, &Period),
        level: Level,
        of: impl Fn(&Period, usize) -> SampleMoments,
    ) -> Self {
        let stratum = |band: usize| Stratum { first: of(reference, band), second: of(current, band) };
        let strata: Vec<Stratum> = (0..reference.counts.len()).map(stratum).collect();
        let is_binary = kind == ChangeKind::Selection || !reference.has_amounts();
        let name = if is_binary { ChangeTestName::CochranMantelHaenszel } else { ChangeTestName::MeanScore };
        let found = cochran_mantel_haenszel(&strata);
        let least = StratifiedTest::LEAST_MANTEL_FLEISS;
        let is_rough =
            found.as_ref().is_ok_and(|found| found.mantel_fleiss.is_some_and(|value| value < least));
        let test = found.map(|found| ChangeTest {
            test: name,
            statistic: found.statistic,
            df: 1,
            p: found.p,
            p_adjusted: found.p,
            finer: finer_test(kind, (reference, current)),
        });
        let test = test.map_err(|_| "no band has cases of both periods that differ".to_owned());
        let heterogeneity = breslow_day(&strata).ok().filter(|_| is_binary);
        let is_other_order = kind == ChangeKind::Decay
            && heterogeneity.is_some_and(|found| found.p < STRICTER * level.alpha())
            && are_enough(&strata);
        Tested {
            kind,
            ranking: is_other_order.then(|| ranking_change(&strata)),
            test,
            is_rough,
            odds_ratio: common_odds_ratio(&strata, level).ok().filter(|_| is_binary),
            mean_difference: common_mean_difference(&strata, level).ok().filter(|_| !is_binary),
            heterogeneity,
        }
    }

    fn change(self, p_adjusted: Option<f64>, effects: &Effects, aim: Aim, level: Level) -> Change {
        let test = self.test.as_ref().ok().zip(p_adjusted);
        let test = test.map(|(test, p_adjusted)| ChangeTest { p_adjusted, ..*test });
        let is_below = |p: f64| p < level.alpha();
        let is_shown_by_test = test.is_some_and(|test| {
            is_below(test.p_adjusted) && test.finer.is_none_or(|finer| is_below(finer.p))
        });
        let drawn = effects.get(effect_of(self.kind));
        let reach = |standard_error: f64| detectable_difference(standard_error, aim).ok();
        let contribution = drawn.map(|found: Drawn| Contribution {
            estimate: found.estimate,
            lower: found.lower,
            upper: found.upper,
            level: level.get(),
        });
        let why = "the strike rate of a period is not known, or nothing was acted on";
        Change {
            kind: self.kind,
            no_contribution: contribution.is_none().then(|| why.to_owned()),
            contribution,
            test,
            no_test: self.test.err(),
            detectable: drawn.and_then(|found| reach(found.standard_error)),
            detectable_odds_ratio: self.odds_ratio.and_then(|ratio| Some(reach(ratio.standard_error)?.exp())),
            odds_ratio: self.odds_ratio,
            mean_difference: self.mean_difference,
            heterogeneity: self.heterogeneity,
            ranking: self.ranking,
            is_shown_by_test,
            is_shown: is_shown_by_test || self.ranking.is_some(),
        }
    }
}

/// Whether strata have cases enough for the chi-square of Breslow and Day.
fn are_enough(strata: &[Stratum]) -> bool {
    let informative =
        strata.iter().filter(|stratum| stratum.first.rows > 0 && stratum.second.rows > 0).count();
    let rows = |of: fn(&Stratum) -> u64| strata.iter().map(of).sum::<u64>();
    let fewest = rows(|stratum| stratum.first.rows).min(rows(|stratum| stratum.second.rows));
    fewest >= CASES_A_STRATUM * informative as u64
}

/// Whether rates of high bands fell beside those of low ones.
fn ranking_change(strata: &[Stratum]) -> RankingChange {
    let (mut sums, mut total) = ([0.0; 3], 0.0);
    for (band, stratum) in strata.iter().enumerate() {
        let (Some(first), Some(second)) = (stratum.first.mean(), stratum.second.mean()) else { continue };
        let (n1, n2) = (stratum.first.rows as f64, stratum.second.rows as f64);
        let (weight, difference) = (n1 * n2 / (n1 + n2), second - first);
        total += weight;
        sums[0] += weight * band as f64;
        sums[1] += weight * difference;
        sums[2] += weight * band as f64 * difference;
    }
    if sums[2] * total < sums[0] * sums[1] { RankingChange::Worse } else { RankingChange::Better }
}

fn effect_of(kind: ChangeKind) -> Effect {
    match kind {
        ChangeKind::Drift => Effect::Drift,
        ChangeKind::Selection => Effect::Selection,
        ChangeKind::Mix => Effect::Mix,
        ChangeKind::Decay => Effect::Decay,
    }
}

/// Everything that compares, as rows.
fn figures(
    rows: &Rows<'_>,
    (reference, current): (&Period, &Period),
    changes: &[Change],
    effects: &Effects,
    reference_auroc: Option<f64>,
) -> Vec<MonitorRow> {
    let n = current.facts.rows;
    let mut found = distribution(rows, (reference, current));
    let drawn = |id: &str, effect: Effect, offset: Option<f64>, n: u64| {
        let value = offset.and_then(|offset| Some((effects.get(effect)?, offset)));
        match value {
            Some((value, offset)) => {
                let row = rows.plain(id, n, Ok(value.estimate + offset));
                rows.with(row, value.lower + offset, value.upper + offset, "bootstrap_percentile")
            }
            None => rows.plain(id, n, Err("what it is made of is not known of this period")),
        }
    };
    let zero = Some(0.0);
    let known = current.facts.outcomes;
    found.push(drawn("change", Effect::Change, zero, known));
    for (kind, id, p_id, ratio_id) in [
        (ChangeKind::Drift, "drift", "p_drift", None),
        (ChangeKind::Selection, "selection", "p_selection", Some("odds_ratio_selection")),
        (ChangeKind::Mix, "mix", "p_mix", None),
        (ChangeKind::Decay, "decay", "p_decay", Some("odds_ratio_decay")),
    ] {
        let change = changes.iter().find(|change| change.kind == kind);
        found.push(drawn(id, effect_of(kind), zero, n));
        let test = change.and_then(|change| change.test);
        found.push(rows.plain(
            p_id,
            n,
            test.map(|test| test.p_adjusted).ok_or("there is no test of it here"),
        ));
        let Some(ratio_id) = ratio_id else { continue };
        found.push(match change.and_then(|change| change.odds_ratio) {
            Some(ratio) => {
                let row = rows.plain(ratio_id, n, Ok(ratio.estimate));
                rows.with(row, ratio.lower, ratio.upper, "robins_breslow_greenland")
            }
            None => rows.plain(ratio_id, n, Err("there is no common odds ratio here")),
        });
    }
    found.push(drawn("rate_on_reference_mix", Effect::RateOnReferenceMix, zero, known));
    found.push(drawn("expected_rate", Effect::ExpectedRate, zero, n));
    found.push(drawn("expected_post_stratified", Effect::ExpectedPostStratified, zero, n));
    // The reference's AUROC, moved by what its bands lose or gain on the other population; an AUROC has its ends, whatever was drawn.
    let offset = reference_auroc.zip(effects.reference_band_auroc).map(|(auroc, of_bands)| auroc - of_bands);
    let expected = drawn("expected_auroc", Effect::ExpectedBandAuroc, offset, n);
    let within = |value: Option<f64>| value.map(|value| value.clamp(0.0, 1.0));
    found.push(MonitorRow {
        estimate: within(expected.estimate),
        lower: within(expected.lower),
        upper: within(expected.upper),
        ..expected
    });
    found
}

/// How far the scores of all rows moved.
fn distribution(rows: &Rows<'_>, (reference, current): (&Period, &Period)) -> Vec<MonitorRow> {
    let n = current.facts.rows;
    let cells: Vec<TwoCounts> = reference
        .counts
        .iter()
        .zip(&current.counts)
        .map(|(first, second)| TwoCounts { first: first.rows, second: second.rows })
        .collect();
    let psi = match cells.len() {
        0 | 1 => Err("all scores lie in one band, which shows no shift".to_owned()),
        _ => population_stability_index(&cells).map(|index| index.psi).map_err(|error| error.to_string()),
    };
    let sorted = |period: &Period| {
        let mut scores = period.cases.scores.clone();
        scores.sort_unstable_by(f64::total_cmp);
        scores
    };
    let (first, second) = (sorted(reference), sorted(current));
    let ks = ks_two_sample(TwoSamples { first: &first, second: &second }).map(|found| found.statistic);
    [("psi", psi), ("ks", ks.map_err(|error| error.to_string()))]
        .into_iter()
        .map(|(id, value)| rows.plain(id, n, value.as_ref().copied().map_err(String::as_str)))
        .collect()
}
