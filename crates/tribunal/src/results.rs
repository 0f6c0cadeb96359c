//! What an evaluation found, as plain data that other programs rely on.
//!
//! The names and shapes here are the public JSON form; a change that breaks a reader changes [`SCHEMA`].

use serde::Serialize;
use tribunal_eval::curves::{BestProfit, GainsRow, Payoff, Point};
use tribunal_eval::{Cutoff, ReliabilityBin, Undefined};

/// Name and version of the JSON form.
pub const SCHEMA: &str = "tribunal.evaluation/1";

/// Everything that was found about some scores.
#[derive(Clone, Debug, Serialize)]
pub struct Evaluation {
    /// Name and version of this form.
    pub schema: &'static str,
    /// What was judged.
    pub data: Data,
    /// One row per model, metric, fold and cut-off.
    pub metrics: Vec<MetricRow>,
    /// The cut-offs at which predictions were judged.
    pub cutoffs: Vec<CutoffResult>,
    /// The curves of each model, and the joint ROC hull.
    pub curves: Vec<CurveResult>,
    /// The ROC convex hull of all models.
    pub hull: Option<HullResult>,
    /// Fold curves averaged vertically.
    pub averaged_roc: Vec<FoldedRoc>,
    /// The list cut in tenths.
    pub gains: Vec<GainsResult>,
    /// Stated probabilities against observed rates.
    pub reliability: Vec<ReliabilityResult>,
    /// What acting on the top of the list earns.
    pub profit: Vec<ProfitResult>,
    /// Tests of the differences between models.
    pub comparisons: Vec<Comparison>,
    /// The answer in a sentence, with its parts.
    pub verdict: Verdict,
    /// What a careful reader should know.
    pub warnings: Vec<String>,
}

/// What was judged.
#[derive(Clone, Debug, Serialize)]
pub struct Data {
    /// The files, in order.
    pub files: Vec<String>,
    /// SHA-256 of their bytes, in order; left out where nobody will see it.
    pub sha256: Option<String>,
    /// Rows per model.
    pub rows: u64,
    /// Positive rows per model.
    pub positives: u64,
    /// Share of positives, by weight where there are weights.
    pub base_rate: Option<f64>,
    /// The truth column.
    pub truth: String,
    /// The label that counts as positive.
    pub positive: String,
    /// Whether rows are weighted.
    pub weighted: bool,
    /// The models, in the order in which they were found.
    pub models: Vec<String>,
    /// The folds, in the order in which they were found.
    pub folds: Vec<String>,
}

/// One figure.
#[derive(Clone, Debug, Serialize)]
pub struct MetricRow {
    /// Whose.
    pub model: String,
    /// Which metric, its parameter included.
    pub metric: String,
    /// The fold; `mean` over folds; nothing for all rows together.
    pub fold: Option<String>,
    /// The rule of the cut-off, for metrics that look at predictions.
    pub cutoff: Option<String>,
    /// The figure, or nothing where it is undefined.
    pub estimate: Option<f64>,
    /// Lower end of its interval.
    pub lower: Option<f64>,
    /// Upper end of its interval.
    pub upper: Option<f64>,
    /// Level of the interval.
    pub level: Option<f64>,
    /// How the interval was made.
    pub method: Option<String>,
    /// Rows, or folds for a mean over folds, behind the figure.
    pub n: u64,
    /// Why there is no figure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undefined: Option<String>,
}

impl MetricRow {
    /// A figure without an interval.
    pub(crate) fn new(model: &str, metric: String, n: u64, value: Result<f64, Undefined>) -> Self {
        let (estimate, undefined) = match value {
            Ok(estimate) => (Some(estimate), None),
            Err(reason) => (None, Some(reason.to_string())),
        };
        Self {
            model: model.to_owned(),
            metric,
            fold: None,
            cutoff: None,
            estimate,
            lower: None,
            upper: None,
            level: None,
            method: None,
            n,
            undefined,
        }
    }
}

/// A cut-off of a model.
#[derive(Clone, Debug, Serialize)]
pub struct CutoffResult {
    /// Whose.
    pub model: String,
    /// The cut-off, or nothing where the rule finds none.
    #[serde(flatten)]
    pub cutoff: Option<Cutoff>,
    /// The rule that was asked for.
    pub asked: String,
    /// Why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undefined: Option<String>,
}

/// A curve of a model.
#[derive(Clone, Debug, Serialize)]
pub struct CurveResult {
    /// Whose.
    pub model: String,
    /// Which curve.
    pub curve: tribunal_eval::curves::CurveKind,
    /// What the abscissa shows.
    pub x: &'static str,
    /// What the ordinate shows.
    pub y: &'static str,
    /// Whether every point of the curve is there; long curves are thinned.
    pub complete: bool,
    /// The points as `[x, y]`.
    #[serde(serialize_with = "pairs")]
    pub points: Vec<Point>,
}

fn pairs<S: serde::Serializer>(points: &[Point], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(points.iter().map(|point| [point.x, point.y]))
}

/// The ROC convex hull over all models.
#[derive(Clone, Debug, Serialize)]
pub struct HullResult {
    /// Area under it.
    pub area: f64,
    /// Its corners from (0, 0) to (1, 1).
    pub vertices: Vec<HullVertex>,
}

/// A corner of the hull: whose it is, and when it is the best choice.
#[derive(Clone, Debug, Serialize)]
pub struct HullVertex {
    /// Whose; nothing for flagging nobody or everybody.
    pub model: Option<String>,
    /// False-positive rate.
    pub fpr: f64,
    /// True-positive rate.
    pub tpr: f64,
    /// Best while the iso-performance slope is at least this...
    pub slope_low: Option<f64>,
    /// ...and at most this; nothing means without bound.
    pub slope_high: Option<f64>,
}

/// Fold curves of a model averaged vertically.
#[derive(Clone, Debug, Serialize)]
pub struct FoldedRoc {
    /// Whose.
    pub model: String,
    /// Area under the mean curve.
    pub area: f64,
    /// Mean, dispersion and band at 100 false-positive rates.
    #[serde(flatten)]
    pub roc: tribunal_eval::curves::AveragedRoc,
}

/// One tenth of a model's list.
#[derive(Clone, Debug, Serialize)]
pub struct GainsResult {
    /// Whose.
    pub model: String,
    /// The row.
    #[serde(flatten)]
    pub row: GainsRow,
}

/// One bin of a model's reliability table.
#[derive(Clone, Debug, Serialize)]
pub struct ReliabilityResult {
    /// Whose.
    pub model: String,
    /// The bin.
    #[serde(flatten)]
    pub bin: ReliabilityBin,
}

/// The most profitable cut of a model.
#[derive(Clone, Debug, Serialize)]
pub struct ProfitResult {
    /// Whose.
    pub model: String,
    /// What was assumed.
    pub payoff: Payoff,
    /// The cut.
    #[serde(flatten)]
    pub best: BestProfit,
}

/// The answer.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Verdict {
    /// In plain words.
    pub sentence: String,
    /// The metric by which models were ranked.
    pub metric: &'static str,
    /// The models from best to worst by that metric, without those for which it is undefined.
    pub ranking: Vec<String>,
}

/// A test of the difference between two models.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// The first model.
    pub a: String,
    /// The second model.
    pub b: String,
    /// What was compared.
    pub metric: String,
    /// Figure of the first less that of the second.
    pub difference: f64,
    /// Lower end of its interval.
    pub lower: Option<f64>,
    /// Upper end of its interval.
    pub upper: Option<f64>,
    /// Chance of so large a difference if there is none.
    pub p: Option<f64>,
    /// The same, adjusted for the number of comparisons.
    pub p_adjusted: Option<f64>,
    /// Which test.
    pub test: &'static str,
}
