//! What an evaluation found in each segment of the cases, as plain data.
//!
//! Segments are named by their place in [`SegmentResults::segments`]; which is where their labels, rows and base rates stand.

use serde::{Deserialize, Serialize};
use tribunal_eval::decisions::IntervalEstimate;
use tribunal_eval::intervals::{Interval, IntervalMethod, NoInterval};
use tribunal_eval::significance::{Untestable, Welch};
use tribunal_eval::{Confusion, CutoffRule};

use crate::results::MetricRow;

/// Every figure in each segment, whether segments differ, and where a model is worst.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct SegmentResults {
    /// The columns whose labels make the segments.
    pub columns: Vec<String>,
    /// The segments, in the order of their labels: numbers by size, before texts.
    pub segments: Vec<Segment>,
    /// One entry per model, segment, metric and cut-off.
    pub figures: Vec<SegmentFigure>,
    /// What a cut-off of the whole list does in each segment.
    pub cutoffs: Vec<SegmentCutoff>,
    /// Whether the figures of the segments differ by more than chance, one entry per model, metric and cut-off for which that
    /// can be tested.
    pub tests: Vec<SegmentTest>,
    /// Segments against all other cases by the deciding metric, those whose figure falls short of the whole; of many the twenty
    /// that fall short most.
    pub against_rest: Vec<SegmentAgainstRest>,
    /// What acting on the lists does in each segment, where somebody asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decisions: Option<SegmentDecisions>,
}

/// What the policy that was asked for does in each segment: the same for all of them, as it is what is deployed. The figures of the
/// segments add up to those of the whole list; of a best cut to those at the cuts that decide, before anything is taken off for the
/// choice.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct SegmentDecisions {
    /// One entry per model and segment.
    pub figures: Vec<SegmentDecision>,
    /// Whether segments differ, for hits and amount by what a case acted on brings in, for profit, which leaving cases alone adds to, by
    /// what a case of the segment does.
    pub tests: Vec<SegmentTest>,
    /// Segments against all other cases by what decides, as in the tests.
    pub against_rest: Vec<SegmentAgainstRest>,
}

/// What acting by a model's list does in a segment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct SegmentDecision {
    /// Whose.
    pub model: String,
    /// In which segment.
    pub segment: usize,
    /// Cases of the segment in lists of the size that is spoken of.
    pub cases: f64,
    /// Those that are acted on.
    pub acted: f64,
    /// Their share of the cases of the segment.
    pub share: IntervalEstimate,
    /// Positives among them.
    pub hits: IntervalEstimate,
    /// The amount of these positives, where there are amounts.
    pub amount: Option<IntervalEstimate>,
    /// What acting brings in, where that is known.
    pub profit: Option<IntervalEstimate>,
}

/// The cases with the same labels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Segment {
    /// The label of each column.
    pub labels: Vec<String>,
    /// Rows with a weight above zero, per model.
    pub rows: u64,
    /// Positives among them.
    pub positives: u64,
    /// Share of positives, by weight where there are weights.
    pub base_rate: Option<f64>,
}

/// A figure of a model in a segment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct SegmentFigure {
    /// Whose.
    pub model: String,
    /// In which segment.
    pub segment: usize,
    /// Which metric, its parameter included: a number of cases is one of the whole list, of which the segment takes its share.
    pub metric: String,
    /// The rule by which the cut-off was found on the whole list, for metrics that look at predictions.
    pub cutoff: Option<CutoffRule>,
    /// The figure, or nothing where it is undefined.
    pub estimate: Option<f64>,
    /// Lower end of its interval.
    pub lower: Option<f64>,
    /// Upper end of its interval.
    pub upper: Option<f64>,
    /// Level of the interval.
    pub level: Option<f64>,
    /// How the interval was made.
    pub method: Option<IntervalMethod>,
    /// Rows behind the figure.
    pub n: u64,
    /// Why there is no figure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undefined: Option<String>,
    /// Why there is no interval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_interval: Option<NoInterval>,
}

impl SegmentFigure {
    /// A figure of the rows of a segment.
    pub(crate) fn of(segment: usize, row: MetricRow) -> Self {
        let MetricRow { model, metric, cutoff, estimate, lower, upper, level, method, n, .. } = row;
        let (undefined, no_interval) = (row.undefined, row.no_interval);
        Self {
            model,
            segment,
            metric,
            cutoff,
            estimate,
            lower,
            upper,
            level,
            method,
            n,
            undefined,
            no_interval,
        }
    }
}

/// What a cut-off that was found on the whole list does in a segment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct SegmentCutoff {
    /// Whose.
    pub model: String,
    /// The rule that was asked for.
    pub asked: CutoffRule,
    /// The lowest score that is acted on, the same in all segments; nothing where none is.
    pub score: Option<f64>,
    /// In which segment.
    pub segment: usize,
    /// What becomes of its cases. Over all segments this adds up to what becomes of the whole list.
    pub confusion: Confusion,
    /// Share of its cases that are acted on.
    pub share: SegmentShare,
    /// Share of positives among those.
    pub precision: SegmentShare,
    /// Share of its positives that are acted on.
    pub recall: SegmentShare,
}

/// A share of the cases of a segment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct SegmentShare {
    /// The share, or nothing where it is one of no cases.
    pub estimate: Option<f64>,
    /// Lower end of its interval.
    pub lower: Option<f64>,
    /// Upper end of its interval.
    pub upper: Option<f64>,
}

impl SegmentShare {
    /// A share with its interval, if it has one.
    pub(crate) fn new(estimate: Option<f64>, interval: Option<Interval>) -> Self {
        let interval = interval.filter(|_| estimate.is_some());
        Self {
            estimate,
            lower: interval.map(|interval| interval.lower),
            upper: interval.map(|interval| interval.upper),
        }
    }
}

/// A test whether a figure is the same in all segments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct SegmentTest {
    /// Whose figure.
    pub model: String,
    /// Which metric.
    pub metric: String,
    /// The rule of the cut-off, for metrics that look at predictions.
    pub cutoff: Option<CutoffRule>,
    /// Welch's test on a scale without ends, of shares at a cut-off Pearson's chi-square; nothing where fewer than two segments
    /// can be tested.
    pub test: Option<Welch>,
    /// Its p value adjusted by Holm over the models, as differences of models are adjusted over their pairs; figures are
    /// adjusted one by one, since they say the same in different words.
    pub p_adjusted: Option<f64>,
    /// How many segments were tested.
    pub n_segments: usize,
    /// The others.
    pub left_out: Vec<UntestedSegment>,
}

/// A segment whose figure cannot be tested against those of others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct UntestedSegment {
    /// Which segment.
    pub segment: usize,
    /// Why.
    pub because: Untestable,
}

/// A segment against all other cases.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct SegmentAgainstRest {
    /// Whose figure.
    pub model: String,
    /// The deciding metric.
    pub metric: String,
    /// The rule of the cut-off, where the metric looks at predictions.
    pub cutoff: Option<CutoffRule>,
    /// Which segment.
    pub segment: usize,
    /// The figure there.
    pub estimate: f64,
    /// The figure of all other cases.
    pub elsewhere: f64,
    /// The chance of so large a difference, either way, if there is none.
    pub p: f64,
    /// The same adjusted by Holm over the segments that can be tested; those that are no worse than the whole count as p = 1.
    pub p_adjusted: f64,
    /// Whether the segment is shown to be worse than the other cases.
    pub is_worse: bool,
}
