//! What a correction found, as plain data that other programs rely on.

use serde::{Deserialize, Serialize};
use tribunal_eval::kmeans::ClusterChoice;

use super::request::CorrectRequest;
use crate::form::{Form, SchemaOf};
use crate::message::Message;
use crate::provenance::Provenance;
use crate::results::MetricRow;

impl Form for Correction {
    const SCHEMA: &'static str = "tribunal.correction/1";
}

/// Everything that was found.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Correction {
    /// Name and version of this form.
    pub schema: SchemaOf<Self>,
    /// Which Tribunal made it, and by which command.
    pub provenance: Provenance,
    /// What was asked.
    pub request: CorrectRequest,
    /// The answer in plain words.
    pub verdict: String,
    /// The two tables.
    pub data: CorrectionData,
    /// How strata were made.
    pub stratification: Stratification,
    /// The method that `strata`, `after` and the effective rows are of.
    pub method: String,
    /// The strata by that method.
    pub strata: Vec<StratumRow>,
    /// By how many rows the sample grows, before rounding, in over-resampling; nothing where that was not asked for.
    pub beta: Option<f64>,
    /// The actioned cases as they stand.
    pub before: CorrectedSide,
    /// The corrected sample.
    pub after: CorrectedSide,
    /// As many rows of equal weight as would vary like those of the corrected sample (Kish).
    pub effective_rows: f64,
    /// Every method that was asked for.
    pub methods: Vec<MethodCorrection>,
    /// The part of the population that no actioned case speaks for, and what it may hide; nothing where there is none.
    pub unreached: Option<Unreached>,
    /// The cut-off of the predictions, where there are scores.
    pub cutoff: Option<f64>,
    /// What a careful reader should know.
    pub warnings: Vec<CorrectionWarning>,
}

/// The two tables.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct CorrectionData {
    /// The files of the population, in order.
    pub prevalence_files: Vec<String>,
    /// Rows of the population.
    pub prevalence_rows: u64,
    /// What the shares of the strata are of: the rows of the population, or the total that was given.
    pub total_prevalence: f64,
    /// The files of the actioned cases, in order.
    pub incidence_files: Vec<String>,
    /// Actioned cases.
    pub incidence_rows: u64,
    /// Actioned cases whose stratum the population does not have; no figure looks at them.
    pub incidence_without_stratum: u64,
    /// Positives among the actioned cases.
    pub positives: Option<u64>,
}

/// How strata were made.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Stratification {
    /// The columns.
    pub columns: Vec<String>,
    /// Those that were cut into bands.
    pub bands: Vec<BandedColumn>,
    /// Their clusters, where they were clustered.
    pub clusters: Option<ClusteredStrata>,
    /// Strata before any was merged or left out.
    pub n_found: u64,
    /// Strata that were merged with others.
    pub merged: Vec<MergedStratum>,
    /// Strata without actioned cases that were left out.
    pub left_out: Vec<MergedStratum>,
}

/// A column that was cut into bands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct BandedColumn {
    /// The column.
    pub column: String,
    /// Where bands begin, but for the lowest.
    pub edges: Vec<f64>,
    /// How many bands were asked for; more than there are where numbers are tied.
    pub asked: u64,
    /// Whether the edges were given, and are no quantiles of the population.
    pub are_given: bool,
}

/// Strata by k-means.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ClusteredStrata {
    /// How many clusters.
    pub n_clusters: u64,
    /// How that number was chosen; nothing where it was given.
    pub choice: Option<ClusterChoice>,
    /// The sum of the squared distances of standardised rows to their centres.
    pub inertia: f64,
    /// The centres in the units of the columns.
    pub centres: Vec<ClusterCentre>,
    /// Missing numbers of the population, for which the mean stands.
    pub n_missing: u64,
}

/// The centre of a cluster.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClusterCentre {
    /// One value a column.
    pub values: Vec<f64>,
}

/// Why a stratum did not stay by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ThinReason {
    /// Nobody in it was acted on.
    Empty,
    /// One case in it was acted on, which shows nothing of how others vary.
    SingleCase,
}

/// A stratum that was merged or left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct MergedStratum {
    /// The stratum.
    pub stratum: String,
    /// What it became a part of; nothing where it was left out.
    pub into: Option<String>,
    /// Why.
    pub why: ThinReason,
    /// Its rows of the population.
    pub prevalence: u64,
    /// Its share of the population.
    pub prevalence_share: f64,
}

/// A stratum before and after, in the form of the published tables.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct StratumRow {
    /// The stratum.
    pub stratum: String,
    /// Its rows of the population, x.
    pub prevalence: u64,
    /// Its actioned rows, y.
    pub incidence: u64,
    /// Its share of the population.
    pub prevalence_share: f64,
    /// What it lacks to have that share, Delta; below zero what it has too many.
    pub delta: f64,
    /// The same in whole rows; nothing where rows are weighted.
    pub delta_rounded: Option<i64>,
    /// `(y + Delta) / y`: how often each of its rows counts, on average.
    pub ratio: Option<f64>,
    /// Rows in the corrected sample, by weight where rows are weighted.
    pub size: f64,
    /// Its share of the corrected sample.
    pub share: f64,
    /// `size` over all actioned rows, as the published table has it; these do not add up to one where the sample grows.
    pub share_of_incidence: f64,
}

/// The actioned cases as they stand, or the corrected sample.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct CorrectedSide {
    /// Rows, repeated ones as often as they are repeated; by weight where rows are weighted.
    pub rows: f64,
    /// Different actioned cases among them.
    pub distinct_rows: u64,
    /// As many rows of equal weight as would vary like these (Kish).
    pub effective_rows: f64,
    /// By how much uneven weights multiply variances: different rows over effective rows.
    pub design_effect: f64,
    /// The figures; none where the outcome was not named.
    pub metrics: Vec<MetricRow>,
}

/// What a method makes of the sample.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct MethodCorrection {
    /// The method; `doubly_robust` stands beside `ipw`.
    pub method: String,
    /// By how many rows the sample grows, in over-resampling.
    pub beta: Option<f64>,
    /// The strata; none for estimates that weight no rows.
    pub strata: Vec<StratumRow>,
    /// The sample and its figures.
    #[serde(flatten)]
    pub side: CorrectedSide,
    /// Why there is nothing, where the method could not be applied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
}

/// The part of the population that no actioned case speaks for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Unreached {
    /// Its share of the population: strata without a single actioned case, merged or left out.
    pub share: f64,
    /// The strike rate of the whole population if all of it were negative.
    pub strike_rate_lower: Option<f64>,
    /// The same if all of it were positive.
    pub strike_rate_upper: Option<f64>,
}

/// What is doubtful, with its sentence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CorrectionWarning {
    /// What it is, with its parameters.
    #[serde(flatten)]
    pub finding: CorrectionFinding,
    /// The same for people.
    pub sentence: Message,
}

/// Why figures should not be taken as they stand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "code", rename_all = "snake_case")]
#[non_exhaustive]
pub enum CorrectionFinding {
    /// Nobody was acted on in a part of the population: no weights repair that.
    NotRepairable {
        /// Its share of the population.
        share: f64,
        /// The strata.
        strata: Vec<String>,
        /// The strike rate of the population if all of it were negative.
        lower: Option<f64>,
        /// The same if all of it were positive.
        upper: Option<f64>,
    },
    /// A few cases speak for a large part of the population.
    SeverelyUndersampled {
        /// The stratum.
        stratum: String,
        /// Its share of the population.
        prevalence_share: f64,
        /// Its actioned cases.
        incidence: u64,
        /// How many it would have if as many were acted on as everywhere.
        expected: f64,
        /// The lower end of the interval of its own strike rate.
        lower: Option<f64>,
        /// The upper end.
        upper: Option<f64>,
    },
    /// Strata with a single actioned case were merged, or stay by themselves.
    SingleCases {
        /// The strata.
        strata: Vec<String>,
        /// Whether they were merged.
        are_merged: bool,
    },
    /// Actioned cases have labels or combinations that the population does not have.
    OnlyInIncidence {
        /// How many cases.
        rows: u64,
        /// Some of their strata.
        strata: Vec<String>,
    },
    /// There are fewer rows of the population than actioned ones.
    SmallPopulation {
        /// Rows of the population.
        prevalence: u64,
        /// Actioned cases.
        incidence: u64,
    },
    /// A few rows have most of the weight.
    UnevenWeights {
        /// The method.
        method: String,
        /// Rows that have weight.
        rows: u64,
        /// As many of equal weight as would vary like them.
        effective: f64,
    },
    /// Methods give different strike rates.
    MethodsDisagree {
        /// One of them.
        a: String,
        /// Its strike rate.
        rate_a: f64,
        /// The other.
        b: String,
        /// Its strike rate.
        rate_b: f64,
    },
    /// A method could not be applied.
    MethodFailed {
        /// Which.
        method: String,
        /// Why.
        why: String,
    },
    /// Numbers are tied, so that there are fewer bands than were asked for.
    FewerBands {
        /// The column.
        column: String,
        /// How many were asked for.
        asked: u64,
        /// How many there are.
        found: u64,
    },
    /// Scores are no probabilities, and no cut-off was named.
    NoCutoff,
}
