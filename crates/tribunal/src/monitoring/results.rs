//! What was found about two or more periods, as plain data that other programs rely on.

use serde::{Deserialize, Serialize};
use tribunal_eval::significance::{ChiSquare, CommonEffect};

use super::limits::Side;
use super::warning::MonitorWarning;
use crate::form::{Form, SchemaOf};
use crate::provenance::Provenance;

impl Form for Monitoring {
    const SCHEMA: &'static str = "tribunal.monitoring/1";
}

/// Everything that was found.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Monitoring {
    /// Name and version of this form.
    pub schema: SchemaOf<Self>,
    /// Which Tribunal made it, and by which command.
    pub provenance: Provenance,
    /// The answer in plain words.
    pub verdict: String,
    /// The columns that rows are known by.
    pub columns: MonitoredColumns,
    /// The period that the others are compared with.
    pub reference: PeriodFacts,
    /// The other periods, in order.
    pub periods: Vec<PeriodFindings>,
    /// The bands of the score, from the lowest up.
    pub bands: Vec<Band>,
    /// How many bands were asked for; more than there are where many rows have one score.
    pub bands_asked: u64,
    /// What each period has in each band.
    pub band_figures: Vec<BandFigures>,
    /// The figures, one row a period and figure.
    pub metrics: Vec<MonitorRow>,
    /// Whether the limits hold, one row a limit and period.
    pub limits: Vec<LimitRow>,
    /// Figures over the periods, to be drawn.
    pub chart: Vec<ChartSeries>,
    /// The level of intervals; changes are beyond chance where an adjusted p value is below one less it.
    pub level: f64,
    /// How many bootstrap replicates were drawn for each period.
    pub replicates: u64,
    /// The seed of the draws.
    pub seed: u64,
    /// What a careful statistician would say.
    pub warnings: Vec<MonitorWarning>,
    /// What was noticed about the tables.
    pub notices: Vec<String>,
}

/// The columns that rows are known by.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct MonitoredColumns {
    /// The score.
    pub score: String,
    /// The outcome.
    pub truth: String,
    /// Its positive label.
    pub positive: String,
    /// Whether a case was acted on; none where cases with an outcome are the actioned.
    pub actioned: Option<String>,
    /// What a positive case is worth; then rates are mean amounts.
    pub amount: Option<String>,
    /// What makes periods.
    pub period: Option<String>,
}

/// The rows of a period.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct PeriodFacts {
    /// What it is called: its value, or its file.
    pub period: String,
    /// The files, in order.
    pub files: Vec<String>,
    /// SHA-256 of their bytes, in order.
    pub sha256: String,
    /// All rows.
    pub rows: u64,
    /// Rows that were acted on.
    pub actioned: u64,
    /// Those of them whose outcome is known.
    pub outcomes: u64,
    /// The positives among those.
    pub positives: u64,
}

/// A band of the score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Band {
    /// What it is called.
    pub band: String,
    /// The lowest score that belongs to it; none in the lowest band.
    pub from: Option<f64>,
    /// The score at which the next one begins; none in the highest band.
    pub to: Option<f64>,
}

/// What a period has in a band.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct BandFigures {
    /// The period.
    pub period: String,
    /// The band.
    pub band: String,
    /// All rows.
    pub rows: u64,
    /// Their share of the period.
    pub share: f64,
    /// Rows that were acted on.
    pub actioned: u64,
    /// Their share of the band; none without rows.
    pub action_rate: Option<f64>,
    /// Those whose outcome is known.
    pub outcomes: u64,
    /// The positives among those.
    pub positives: u64,
    /// Their share; none where no outcome is known.
    pub strike_rate: Option<f64>,
    /// Lower end of Wilson's interval.
    pub lower: Option<f64>,
    /// Upper end.
    pub upper: Option<f64>,
    /// The mean score of those whose outcome is known: what a calibrated probability promises.
    pub mean_score: Option<f64>,
    /// Their mean amount, where there are amounts; negatives count zero.
    pub mean_amount: Option<f64>,
}

/// A figure of a period.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct MonitorRow {
    /// The column of the score.
    pub model: String,
    /// The period.
    pub period: String,
    /// The figure.
    pub metric: String,
    /// Its value, or nothing where it is undefined.
    pub estimate: Option<f64>,
    /// Lower end of its interval.
    pub lower: Option<f64>,
    /// Upper end.
    pub upper: Option<f64>,
    /// Level of the interval.
    pub level: Option<f64>,
    /// How the interval was made.
    pub method: Option<String>,
    /// Rows behind it.
    pub n: u64,
    /// Why it has no value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undefined: Option<String>,
}

/// What was found about a period beside the reference.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct PeriodFindings {
    /// Its rows.
    #[serde(flatten)]
    pub facts: PeriodFacts,
    /// The answer for this period in plain words.
    pub verdict: String,
    /// What changed beyond chance; nothing where all may be chance.
    pub named: Vec<ChangeKind>,
    /// Every change that could be looked at.
    pub changes: Vec<Change>,
    /// Bands that were taken together for the contributions.
    pub joined_bands: Vec<String>,
}

/// What may have changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ChangeKind {
    /// Which scores the population has.
    Drift,
    /// Which scores were acted on.
    Selection,
    /// Both of them, where they cannot be told apart.
    Mix,
    /// How often cases of a score are positive: the model got worse or better.
    Decay,
}

impl ChangeKind {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Drift => "population drift",
            Self::Selection => "selection change",
            Self::Mix => "other scores acted on (drift or selection)",
            Self::Decay => "model decay or improvement",
        }
    }
}

/// A change, what it adds to the change of the strike rate, and whether it is beyond chance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Change {
    /// Which.
    pub kind: ChangeKind,
    /// What it adds to the strike rate (with amounts, to the mean amount), current less reference: its Shapley value.
    pub contribution: Option<Contribution>,
    /// Why there is no contribution.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_contribution: Option<String>,
    /// The test of no change.
    pub test: Option<ChangeTest>,
    /// Why there is no test.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_test: Option<String>,
    /// The odds ratio that bands have in common, current to reference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub odds_ratio: Option<CommonEffect>,
    /// The difference of mean amounts that bands have in common.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean_difference: Option<CommonEffect>,
    /// Whether the odds ratio is the same in all bands: Breslow and Day's test with Tarone's correction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heterogeneity: Option<ChiSquare>,
    /// How the order of cases changed, where odds ratios differ between bands beyond chance (at a fiftieth of the level): rates that rose
    /// in some bands and fell in others cancel in a test across bands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ranking: Option<RankingChange>,
    /// Whether its test shows it, among cases of nearly the same score too.
    pub is_shown_by_test: bool,
    /// Whether it is beyond chance, by its test or by the order of cases.
    pub is_shown: bool,
    /// The contribution that would have shown in four of five such samples.
    pub detectable: Option<f64>,
    /// The odds ratio above one that would have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detectable_odds_ratio: Option<f64>,
}

/// How the order of cases changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RankingChange {
    /// High bands lost beside low ones.
    Worse,
    /// High bands gained.
    Better,
}

/// What a change adds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Contribution {
    /// The estimate.
    pub estimate: f64,
    /// Lower end of its bootstrap percentile interval.
    pub lower: f64,
    /// Upper end.
    pub upper: f64,
    /// Level of the interval.
    pub level: f64,
}

/// A test of no change.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ChangeTest {
    /// Which.
    pub test: ChangeTestName,
    /// The statistic.
    pub statistic: f64,
    /// Its degrees of freedom.
    pub df: u64,
    /// The chance of so large a statistic if nothing changed.
    pub p: f64,
    /// The same adjusted by Holm over the changes of the period.
    pub p_adjusted: f64,
    /// The same test in many narrow bands; where it shows nothing, cases moved inside of bands.
    pub finer: Option<FinerTest>,
}

/// Which test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ChangeTestName {
    /// Chi-square of homogeneity over bands.
    ChiSquare,
    /// Cochran-Mantel-Haenszel, stratified by band.
    CochranMantelHaenszel,
    /// The same with amounts as scores.
    MeanScore,
}

impl ChangeTestName {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Self::ChiSquare => "chi-square of homogeneity",
            Self::CochranMantelHaenszel => "Cochran-Mantel-Haenszel",
            Self::MeanScore => "Cochran-Mantel-Haenszel, mean score",
        }
    }
}

/// A test in narrow bands.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct FinerTest {
    /// How many bands.
    pub bands: u64,
    /// Its p value.
    pub p: f64,
}

/// Whether a limit holds in a period.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct LimitRow {
    /// The limit as it was written.
    pub limit: String,
    /// The period.
    pub period: String,
    /// The figure.
    pub metric: String,
    /// Which side is right.
    pub side: Side,
    /// The bound.
    pub bound: f64,
    /// The figure in this period.
    pub estimate: Option<f64>,
    /// Lower end of its interval.
    pub lower: Option<f64>,
    /// Upper end.
    pub upper: Option<f64>,
    /// Whether the estimate keeps the limit; a figure without a value does not.
    pub holds: bool,
    /// Why the figure has no value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undefined: Option<String>,
}

/// A figure over the periods.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ChartSeries {
    /// The figure.
    pub metric: String,
    /// The reference and then every period, in order.
    pub points: Vec<ChartPoint>,
    /// The limits of the figure.
    pub limits: Vec<ChartLimit>,
}

/// A point of a chart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ChartPoint {
    /// The period.
    pub period: String,
    /// The figure; nothing where it is undefined.
    pub estimate: Option<f64>,
    /// Lower end of its interval.
    pub lower: Option<f64>,
    /// Upper end.
    pub upper: Option<f64>,
}

/// A limit of a chart.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ChartLimit {
    /// Which side is right.
    pub side: Side,
    /// The bound.
    pub bound: f64,
}

impl Monitoring {
    /// A figure of a period.
    pub fn row(&self, period: &str, metric: &str) -> Option<&MonitorRow> {
        self.metrics.iter().find(|row| row.period == period && row.metric == metric)
    }

    /// The limits that do not hold.
    pub fn broken_limits(&self) -> impl Iterator<Item = &LimitRow> {
        self.limits.iter().filter(|limit| !limit.holds)
    }
}
