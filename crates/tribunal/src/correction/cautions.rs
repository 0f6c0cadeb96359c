//! What is doubtful about a correction: strata that hardly anybody was acted on in, weights of a few rows, methods that disagree.

use tribunal_eval::correction::NO_STRATUM;
use tribunal_eval::intervals::{Interval, Proportion, wilson};

use super::columns::Tables;
use super::request::CorrectRequest;
use super::results::{
    CorrectionData, CorrectionFinding, CorrectionWarning, MethodCorrection, ThinReason, Unreached,
};
use super::run::DOUBLY_ROBUST;
use super::stratify::Stratified;
use crate::evaluate::named;
use crate::message::{Message, Setting};
use crate::results::MetricRow;

/// Strata smaller than this share of the population hide little.
const LEAST_SHARE: f64 = 0.01;
/// Fewer actioned cases than this say hardly anything of a stratum...
const FEW_CASES: u64 = 5;
/// ... and so does less than this part of those that it would have if everywhere as many were acted on.
const FEW_OF_EXPECTED: f64 = 0.1;
/// With fewer effective rows than this part of the rows, a few of them decide.
const UNEVEN: f64 = 0.2;
/// So many strata are named.
const SHOWN: usize = 5;

/// What is looked at.
pub(super) struct Evidence<'a> {
    pub(super) request: &'a CorrectRequest,
    pub(super) data: &'a CorrectionData,
    pub(super) stratified: &'a Stratified,
    pub(super) tables: &'a Tables,
    pub(super) methods: &'a [MethodCorrection],
}

pub(super) fn warnings(
    evidence: &Evidence<'_>,
    unreached: Option<&Unreached>,
    cutoff: Option<f64>,
) -> Vec<CorrectionWarning> {
    let findings = unreached
        .map(|unreached| not_repairable(evidence, unreached))
        .into_iter()
        .chain(undersampled(evidence))
        .chain(of_data(evidence, cutoff))
        .chain(of_methods(evidence));
    findings.map(CorrectionWarning::of).collect()
}

fn not_repairable(evidence: &Evidence<'_>, unreached: &Unreached) -> CorrectionFinding {
    let empty = evidence
        .stratified
        .found
        .iter()
        .filter(|found| found.why == Some(ThinReason::Empty) && found.prevalence > 0);
    CorrectionFinding::NotRepairable {
        share: unreached.share,
        strata: empty.take(SHOWN).map(|found| found.name.clone()).collect(),
        lower: unreached.strike_rate_lower,
        upper: unreached.strike_rate_upper,
    }
}

/// Strata of a noticeable share of the population for which a few cases speak.
fn undersampled(evidence: &Evidence<'_>) -> Vec<CorrectionFinding> {
    let found = &evidence.stratified.found;
    let total: u64 = found.iter().map(|stratum| stratum.prevalence).sum();
    let rows: u64 = found.iter().map(|stratum| stratum.incidence).sum();
    let mut findings = Vec::new();
    for (number, stratum) in (0u32..).zip(&evidence.stratified.strata) {
        let share = stratum.prevalence as f64 / total as f64;
        let expected = share * rows as f64;
        let is_few = stratum.incidence < FEW_CASES && expected >= 2.0 * FEW_CASES as f64
            || (stratum.incidence as f64) < FEW_OF_EXPECTED * expected;
        if share >= LEAST_SHARE && is_few {
            let rate = own_strike_rate(evidence, number);
            findings.push(CorrectionFinding::SeverelyUndersampled {
                stratum: stratum.name.clone(),
                prevalence_share: share,
                incidence: stratum.incidence,
                expected,
                lower: rate.map(|interval| interval.lower),
                upper: rate.map(|interval| interval.upper),
            });
        }
    }
    findings
}

/// The interval of the strike rate of a stratum.
fn own_strike_rate(evidence: &Evidence<'_>, stratum: u32) -> Option<Interval> {
    let truth = evidence.tables.truth.as_ref()?;
    let rows = || evidence.stratified.of_row.iter().zip(truth).filter(move |(of_row, _)| **of_row == stratum);
    let hits = rows().filter(|(_, positive)| **positive).count();
    let share = Proportion::new(hits as f64, rows().count() as f64).ok()?;
    Some(wilson(share, evidence.request.level))
}

fn of_data(evidence: &Evidence<'_>, cutoff: Option<f64>) -> Vec<CorrectionFinding> {
    let Evidence { data, stratified, .. } = evidence;
    let mut findings = Vec::new();
    let single = |is_merged: bool| -> Vec<String> {
        let is_single = |name: &&String| {
            let merged = stratified.summary.merged.iter().find(|moved| moved.stratum == **name);
            merged.is_some_and(|moved| moved.why == ThinReason::SingleCase) == is_merged
        };
        let found = stratified
            .found
            .iter()
            .filter(|found| found.why == Some(ThinReason::SingleCase) && found.prevalence > 0);
        found.map(|found| &found.name).filter(is_single).take(SHOWN).cloned().collect()
    };
    for are_merged in [true, false] {
        let strata = single(are_merged);
        if !strata.is_empty() {
            findings.push(CorrectionFinding::SingleCases { strata, are_merged });
        }
    }
    let strange = stratified.of_row.iter().filter(|stratum| **stratum == NO_STRATUM).count() as u64;
    if strange > 0 && !stratified.only_in_incidence.is_empty() {
        let strata = stratified.only_in_incidence.clone();
        findings.push(CorrectionFinding::OnlyInIncidence { rows: strange, strata });
    }
    if data.prevalence_rows < data.incidence_rows {
        let (prevalence, incidence) = (data.prevalence_rows, data.incidence_rows);
        findings.push(CorrectionFinding::SmallPopulation { prevalence, incidence });
    }
    for bands in &stratified.summary.bands {
        let found = bands.edges.len() as u64 + 1;
        if found < bands.asked {
            findings.push(CorrectionFinding::FewerBands {
                column: bands.column.clone(),
                asked: bands.asked,
                found,
            });
        }
    }
    if cutoff.is_none() && evidence.tables.scores.incidence.is_some() {
        findings.push(CorrectionFinding::NoCutoff);
    }
    findings
}

fn strike_rate(method: &MethodCorrection) -> Option<&MetricRow> {
    method.side.metrics.iter().find(|row| row.metric == "strike_rate")
}

fn of_methods(evidence: &Evidence<'_>) -> Vec<CorrectionFinding> {
    let mut findings = Vec::new();
    for method in evidence.methods {
        if let Some(why) = &method.failed {
            findings
                .push(CorrectionFinding::MethodFailed { method: method.method.clone(), why: why.clone() });
        } else if method.side.effective_rows < UNEVEN * method.side.distinct_rows as f64
            && method.method != DOUBLY_ROBUST
        {
            findings.push(CorrectionFinding::UnevenWeights {
                method: method.method.clone(),
                rows: method.side.distinct_rows,
                effective: method.side.effective_rows,
            });
        }
    }
    let of = |name: &str| evidence.methods.iter().find(|method| method.method == name).and_then(strike_rate);
    for (a, b) in [("poststratify", "ipw"), ("poststratify", DOUBLY_ROBUST)] {
        if let (Some(one), Some(other)) = (of(a), of(b))
            && let (Some(rate_a), Some(rate_b)) = (one.estimate, other.estimate)
            && !(holds(one, rate_b) && holds(other, rate_a))
        {
            findings.push(CorrectionFinding::MethodsDisagree { a: a.into(), rate_a, b: b.into(), rate_b });
        }
    }
    findings
}

/// Whether the interval of a figure holds a value.
fn holds(row: &MetricRow, value: f64) -> bool {
    row.lower.is_none_or(|lower| lower <= value) && row.upper.is_none_or(|upper| value <= upper)
}

impl CorrectionWarning {
    fn of(finding: CorrectionFinding) -> Self {
        let sentence = finding.sentence();
        Self { finding, sentence }
    }
}

/// A share in percent.
fn percent(share: f64) -> String {
    let value = 100.0 * share;
    if value >= 0.05 || value == 0.0 { format!("{value:.1} %") } else { format!("{value:.1e} %") }
}

impl CorrectionFinding {
    /// The finding for people.
    fn sentence(&self) -> Message {
        match self {
            Self::NotRepairable { share, strata, lower, upper } => {
                let bounds = match lower.zip(*upper) {
                    Some((lower, upper)) => format!(
                        ": whatever is there, the strike rate of the whole population lies between {} (if all of it is negative) and \
                         {} (if all of it is positive)",
                        percent(lower),
                        percent(upper)
                    ),
                    None => String::new(),
                };
                Message::from(format!(
                    "nobody was acted on in {} of the population ({}). No weights repair that; a correction takes these cases to be like \
                     those of the strata that they were merged with, or leaves them out{bounds}. Acting on a few of them at random would \
                     tell",
                    percent(*share),
                    names(strata)
                ))
            }
            Self::SeverelyUndersampled { stratum, prevalence_share, incidence, expected, lower, upper } => {
                let cases = if *incidence == 1 {
                    "1 case stands".to_owned()
                } else {
                    format!("{incidence} cases stand")
                };
                let hidden = match lower.zip(*upper) {
                    Some((lower, upper)) => format!(
                        "; its own strike rate may be anything from {} to {}, which is {} to {} of the population's",
                        percent(lower),
                        percent(upper),
                        points(lower * prevalence_share),
                        points(upper * prevalence_share)
                    ),
                    None => String::new(),
                };
                Message::from(format!(
                    "severely under-sampled and not repairable by weights: {cases} for \"{stratum}\", which is {} of the population and \
                     would have {expected:.0} if as many were acted on as everywhere{hidden}",
                    percent(*prevalence_share)
                ))
            }
            Self::SingleCases { strata, are_merged } => Message::from(match are_merged {
                true => format!(
                    "a single case was acted on in {}, so each was merged with the nearest stratum",
                    names(strata)
                ),
                false => format!(
                    "a single case was acted on in {}, and no other stratum is near: it speaks for all of the stratum, and how others \
                     vary is taken from the whole sample",
                    names(strata)
                ),
            }),
            Self::OnlyInIncidence { rows, strata } => Message::from(format!(
                "{rows} actioned {} of strata that the population does not have ({}), so no figure by strata looks at them; do both files write \
                 these columns alike?",
                if *rows == 1 { "case is" } else { "cases are" },
                names(strata)
            )),
            Self::SmallPopulation { prevalence, incidence } => Message::from(format!(
                "the prevalence has {prevalence} rows and the incidence {incidence}: it should be all cases, acted on or not. If it is a \
                 sample, its shares vary too, and the intervals know that"
            )),
            Self::UnevenWeights { method, rows, effective } => Message::from(format!(
                "{method}: uneven weights leave as much as {effective:.1} effective rows of {rows}; a few cases decide the figures"
            )),
            Self::MethodsDisagree { a, rate_a, b, rate_b } => Message::from(format!(
                "{a} says {} and {b} says {}, more than their intervals allow. Either the selection model is too simple (its log-odds \
                 are linear and square in the columns of the strata), or selection goes on within the strata, which are too coarse; finer \
                 strata tell. Doubly robust estimates are right where one of the two models is",
                percent(*rate_a),
                percent(*rate_b)
            )),
            Self::MethodFailed { method, why } => {
                Message::from(format!("{method} could not be applied: {why}"))
            }
            Self::FewerBands { column, asked, found } => Message::from(format!(
                "numbers of \"{column}\" are tied, so there are {found} bands where {asked} were asked for"
            )),
            Self::NoCutoff => {
                Message::from("scores are neither probabilities nor on both sides of zero, so nothing is predicted; name a cut-off with ")
                    .set(Setting::Cutoff, "SCORE")
            }
        }
    }
}

/// The first few strata.
fn names(strata: &[String]) -> String {
    named(strata.iter().map(String::as_str)).unwrap_or_else(|| "no stratum".to_owned())
}

/// A contribution to a share, in percentage points.
fn points(share: f64) -> String {
    format!("{:.1} points", 100.0 * share)
}
