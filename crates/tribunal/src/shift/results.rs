//! What is found about the shift from a training table to a population: plain data that reports and programs read.

use serde::{Deserialize, Serialize};
use tribunal_eval::significance::{ChiSquare, TwoSampleKs};

use crate::describe::{Alone, ColumnKind, LevelCount};

/// A figure of the training table and that of the population.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Sides<T> {
    /// Of the labelled training table.
    pub training: T,
    /// Of the population, the table without labels.
    pub population: T,
}

impl<T> Sides<T> {
    pub(super) fn map<U>(self, of: impl Fn(T) -> U) -> Sides<U> {
        Sides { training: of(self.training), population: of(self.population) }
    }

    pub(super) fn as_ref(&self) -> Sides<&T> {
        Sides { training: &self.training, population: &self.population }
    }
}

/// Whether a training table and a population differ, in what, and which kinds of sample-selection bias that leaves possible.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ShiftDiagnosis {
    /// Rows of either table.
    pub rows: Sides<u64>,
    /// The seed of folds, samples and permutations.
    pub seed: u64,
    /// The level of the tests: a shift is called shown where an adjusted p value is below it.
    pub alpha: f64,
    /// How well rows of the two tables can be told apart.
    pub domain: DomainOutcome,
    /// The shift of each column, in the order of the training table.
    pub columns: Vec<ColumnShift>,
    /// Columns that were not looked at, and why.
    pub left_out: Vec<ColumnLeftOut>,
    /// What each column adds to telling the tables apart, the most telling first.
    pub contributions: Vec<ColumnContribution>,
    /// The parts of the population that the training table does not cover.
    pub coverage: Coverage,
    /// Which kinds of sample-selection bias the evidence can and cannot tell apart.
    pub bias: BiasEvidence,
}

/// A column that was not looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ColumnLeftOut {
    /// The column.
    pub column: String,
    /// Why.
    pub why: LeftOutReason,
}

/// Why a column was not looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "reason", rename_all = "snake_case")]
#[non_exhaustive]
pub enum LeftOutReason {
    /// The population does not have it.
    OnlyInTraining,
    /// The training table does not have it.
    OnlyInPopulation,
    /// It holds levels in one table and numbers in the other.
    OtherKind {
        /// What it holds in either.
        kinds: Sides<ColumnKind>,
    },
    /// It names rows.
    Identifier,
    /// Every row of both tables has the same value.
    Constant,
    /// No row of either table has a value.
    Empty,
}

/// How well rows of the two tables can be told apart, or why that was not judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "outcome", rename_all = "snake_case")]
#[non_exhaustive]
pub enum DomainOutcome {
    /// It was judged.
    Judged(DomainClassifier),
    /// A table has fewer rows than cross-validation needs.
    TooFewRows {
        /// Rows that each table needs.
        needed: u64,
    },
    /// Every column was left out.
    NoColumns,
}

impl DomainOutcome {
    /// The domain classifier, where there is one.
    pub fn judged(&self) -> Option<&DomainClassifier> {
        match self {
            Self::Judged(domain) => Some(domain),
            _ => None,
        }
    }
}

/// The domain classifier: a row of the population is positive, one of the training table negative.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct DomainClassifier {
    /// Rows that it was trained and judged on: a random sample where the tables are large or of very different size.
    pub rows: Sides<u64>,
    /// Rows with an equal row in the other table, as far as the columns go that were looked at.
    pub twins: Sides<u64>,
    /// How many folds.
    pub n_folds: u32,
    /// The hash of the plan of the folds.
    pub plan: String,
    /// The learners: a linear one, then a nonlinear one.
    pub learners: Vec<DomainLearner>,
    /// The place of the learner with the larger AUROC, which contributions and density ratios come from.
    pub best: usize,
    /// The p value of the test that no learner ranks better than chance: the smallest of the learners' times their number.
    pub p: f64,
}

/// How well a learner tells rows of the two tables apart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct DomainLearner {
    /// The learner.
    pub learner: String,
    /// The mean out-of-fold AUROC over the folds.
    pub auroc: f64,
    /// Lower end of its interval, from DeLong's variances of the folds and what their training rows share; it and that of the other
    /// learner hold together at the level.
    pub lower: f64,
    /// Upper end.
    pub upper: f64,
    /// Level of the interval.
    pub level: f64,
    /// The statistic of the test against one half: over the folds but the first, each scored by a model of the folds before it,
    /// the sum of AUROC - 1/2 over the root of the sum of the Mann-Whitney variances.
    pub z: f64,
    /// The upper tail of `z` under the standard normal distribution.
    pub p: f64,
}

/// How a column shifts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ColumnShift {
    /// The column.
    pub column: String,
    /// What it holds in the training table.
    pub kind: ColumnKind,
    /// The share of rows without a value.
    pub missing: Sides<f64>,
    /// The population stability index.
    pub psi: f64,
    /// What the index exceeds in one sample of twenty by chance alone, where nothing shifts.
    pub psi_by_chance: f64,
    /// In how many cells it was computed.
    pub n_cells: u64,
    /// The index in words.
    pub size: ShiftSize,
    /// The test of equal distributions: of numbers of those that are there, of levels with missing as a level.
    pub test: ShiftTest,
    /// The test of equal shares of missing values, for numbers of which some are missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing_test: Option<ShiftTest>,
    /// Whether a test shows a shift, adjusted for all tests of all columns.
    pub is_shown: bool,
    /// How the numbers moved, if it holds any.
    pub numbers: Option<NumberShift>,
    /// How the levels moved, if it has levels.
    pub levels: Option<LevelShift>,
}

/// The size of a shift by the usual thresholds of the population stability index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ShiftSize {
    /// Below 0.1.
    Small,
    /// From 0.1 to 0.25.
    Moderate,
    /// Above 0.25.
    Large,
}

impl ShiftSize {
    /// From here on a shift is moderate.
    pub const MODERATE: f64 = 0.1;
    /// Above this a shift is large.
    pub const LARGE: f64 = 0.25;

    /// The size that an index stands for.
    pub fn of(psi: f64) -> Self {
        match psi {
            psi if psi > Self::LARGE => Self::Large,
            psi if psi >= Self::MODERATE => Self::Moderate,
            _ => Self::Small,
        }
    }

    /// The size in a word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Small => "small",
            Self::Moderate => "moderate",
            Self::Large => "large",
        }
    }
}

/// A test of whether a column has the same distribution in both tables.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "test", rename_all = "snake_case")]
#[non_exhaustive]
pub enum ShiftTest {
    /// The two-sample Kolmogorov-Smirnov test.
    KolmogorovSmirnov {
        /// Its outcome.
        #[serde(flatten)]
        outcome: TwoSampleKs,
        /// Its p value adjusted by Holm over all tests of all columns.
        p_adjusted: f64,
    },
    /// The chi-square test of homogeneity; levels in which fewer than five cases are to be expected are pooled.
    ChiSquare {
        /// Its outcome.
        #[serde(flatten)]
        outcome: ChiSquare,
        /// Its p value adjusted by Holm over all tests of all columns.
        p_adjusted: f64,
    },
    /// There is nothing to test: no values in one of the tables, or too few cases for a second cell.
    TooFewCases,
}

impl ShiftTest {
    /// The p value before it is adjusted.
    pub fn p(&self) -> Option<f64> {
        match self {
            Self::KolmogorovSmirnov { outcome, .. } => Some(outcome.p),
            Self::ChiSquare { outcome, .. } => Some(outcome.p),
            Self::TooFewCases => None,
        }
    }

    /// The adjusted p value.
    pub fn p_adjusted(&self) -> Option<f64> {
        match self {
            Self::KolmogorovSmirnov { p_adjusted, .. } | Self::ChiSquare { p_adjusted, .. } => {
                Some(*p_adjusted)
            }
            Self::TooFewCases => None,
        }
    }

    pub(super) fn adjust(&mut self, p: f64) {
        match self {
            Self::KolmogorovSmirnov { p_adjusted, .. } | Self::ChiSquare { p_adjusted, .. } => {
                *p_adjusted = p
            }
            Self::TooFewCases => {}
        }
    }
}

/// How numbers moved.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct NumberShift {
    /// Which way: where the numbers of the population lie beside those of the training table.
    pub direction: ShiftDirection,
    /// The means; nothing where there is no number or they are too large to be added up.
    pub mean: Sides<Option<f64>>,
    /// The medians.
    pub median: Sides<Option<f64>>,
    /// The least number of the training table.
    pub least: Option<f64>,
    /// Its greatest.
    pub greatest: Option<f64>,
    /// Rows of the population below the least.
    pub rows_below: u64,
    /// Rows of the population above the greatest.
    pub rows_above: u64,
}

/// Where the numbers of the population lie beside those of the training table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ShiftDirection {
    /// Higher: a random number of the population is more often the larger one.
    Higher,
    /// Lower.
    Lower,
    /// Neither.
    Neither,
}

/// How levels moved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct LevelShift {
    /// Levels that no row of the population has.
    pub only_in_training: UnsharedLevels,
    /// Levels that no row of the training table has.
    pub only_in_population: UnsharedLevels,
    /// The levels whose shares moved most, the one that moved most first.
    pub moved: Vec<MovedLevel>,
}

/// Levels that one table has alone.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct UnsharedLevels {
    /// How many levels.
    pub n_levels: u64,
    /// How many rows have them.
    pub rows: u64,
    /// The most frequent of them.
    pub most_frequent: Vec<LevelCount>,
}

/// A level whose share moved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct MovedLevel {
    /// The level.
    pub level: String,
    /// Its share of all rows.
    pub share: Sides<f64>,
}

/// What a column adds to telling the tables apart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ColumnContribution {
    /// The column.
    pub column: String,
    /// How well its values by themselves tell rows of the population from those of the training table.
    pub alone: Option<Alone>,
    /// How well whether it has a value does.
    pub alone_by_presence: Option<Alone>,
    /// By how much the out-of-fold AUROC of the domain classifier falls where the column is permuted among the held-out rows, the
    /// mean over folds.
    pub drop: Option<f64>,
    /// The standard deviation of the drop over the folds.
    pub drop_sd: Option<f64>,
}

/// What the training table covers of the population.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Coverage {
    /// Rows of the population with a level that the training table does not have.
    pub rows_with_new_levels: u64,
    /// Rows of the population with a number beyond those of the training table.
    pub rows_beyond_range: u64,
    /// What density ratios say; nothing where no domain classifier was judged.
    pub density: Option<DensityCoverage>,
}

/// The rows of the population where the training table is thin, by the density ratios of the domain classifier.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct DensityCoverage {
    /// A row is uncovered where the out-of-fold density ratio of the population to the training table exceeds this.
    pub cut: f64,
    /// The share of rows beyond the cut.
    pub uncovered: Sides<f64>,
    /// Lower end of the Wilson interval of the population's share.
    pub lower: f64,
    /// Upper end.
    pub upper: f64,
    /// Level of the interval.
    pub level: f64,
    /// Readable parts of the population that are uncovered, the largest first; found on half of the rows, their shares are those
    /// of the other half.
    pub regions: Vec<Region>,
}

/// A part of the population, as a rule on a few columns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Region {
    /// What holds for its rows, all of it.
    pub conditions: Vec<Condition>,
    /// The share of each table that lies inside.
    pub share: Sides<f64>,
    /// Rows behind these shares.
    pub rows: Sides<u64>,
}

/// What holds for a row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "condition", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Condition {
    /// The number is above a bound.
    Above {
        /// The column.
        column: String,
        /// The bound.
        value: f64,
    },
    /// The number is at most a bound.
    AtMost {
        /// The column.
        column: String,
        /// The bound.
        value: f64,
    },
    /// The level is one of these.
    OneOf {
        /// The column.
        column: String,
        /// The levels.
        levels: Vec<String>,
    },
    /// There is no value.
    Missing {
        /// The column.
        column: String,
    },
}

/// A kind of sample-selection bias: on what it depends whether a row of the population comes into the training table (Zadrozny
/// 2004; Fan and Davidson 2006).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SelectionBias {
    /// On nothing: the training table is a random sample.
    CompleteIndependent,
    /// On the features alone; the classes of rows with equal features keep their shares.
    Feature,
    /// On the class alone; the features of rows of a class keep their distribution.
    Class,
    /// On both.
    CompleteDependent,
}

/// Whether the evidence speaks against a kind of bias. It never proves one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum BiasStanding {
    /// A test rejects what it implies.
    Contradicted,
    /// Nothing speaks against it.
    Possible,
}

/// A kind of bias with what the evidence says of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct BiasKindStanding {
    /// The kind.
    pub kind: SelectionBias,
    /// Whether it is contradicted.
    pub standing: BiasStanding,
}

/// Which kinds of bias the evidence can and cannot tell apart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct BiasEvidence {
    /// All four kinds.
    pub kinds: Vec<BiasKindStanding>,
    /// What was seen, and what cannot be.
    pub findings: Vec<BiasFinding>,
    /// The shares of the classes, where something is known about those of the population.
    pub classes: Vec<ClassShareShift>,
}

impl BiasEvidence {
    /// What the evidence says of a kind.
    pub fn standing(&self, kind: SelectionBias) -> BiasStanding {
        let found = self.kinds.iter().find(|standing| standing.kind == kind);
        found.map_or(BiasStanding::Possible, |standing| standing.standing)
    }
}

/// The share of a class in either table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ClassShareShift {
    /// The class.
    pub class: String,
    /// Its share; that of the population estimated or from a labelled sample.
    pub share: Sides<f64>,
    /// Lower end of the interval of the population's share less that of the training table; nothing where it is not known.
    pub lower: Option<f64>,
    /// Upper end.
    pub upper: Option<f64>,
}

/// What was seen about the kind of bias, and what cannot be seen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "finding", rename_all = "snake_case")]
#[non_exhaustive]
pub enum BiasFinding {
    /// The features have different distributions: the training table is no random sample.
    FeaturesDiffer {
        /// The p value of the domain classifier, doubled for the two kinds of tests.
        p_domain: Option<f64>,
        /// The smallest adjusted p value of a column, doubled likewise.
        p_columns: Option<f64>,
    },
    /// The features were not shown to differ.
    FeaturesNotShownToDiffer,
    /// Nothing about the features could be tested.
    FeaturesNotTested,
    /// Without labels of the population feature and complete dependent bias cannot be told apart.
    NoLabelsOfPopulation,
    /// Shares of classes were estimated under the assumption of label shift, and differ.
    EstimatedSharesDiffer,
    /// Shares of classes were estimated under the assumption of label shift, and were not shown to differ; equal shares do not
    /// prove that only the features decide.
    EstimatedSharesNotShownToDiffer,
    /// Shares of classes were estimated without intervals, which shows nothing.
    EstimatedSharesWithoutIntervals,
    /// The labelled sample has other shares of classes.
    ClassSharesDiffer {
        /// The p value, adjusted by Holm over the tests that need labels.
        p_adjusted: f64,
    },
    /// The labelled sample was not shown to have other shares of classes; equal shares do not prove that only the features decide.
    ClassSharesNotShownToDiffer {
        /// The p value, adjusted.
        p_adjusted: f64,
    },
    /// Rows with equal scores have other odds of a class in the population.
    ClassGivenScoreDiffers {
        /// The class; of two the positive one.
        class: String,
        /// How much higher its log-odds are in the population.
        log_odds: f64,
        /// The p value, adjusted.
        p_adjusted: f64,
    },
    /// Rows with equal scores were not shown to have other odds.
    ClassGivenScoreNotShownToDiffer {
        /// The smallest p value, adjusted.
        p_adjusted: f64,
    },
    /// Rows of a class have other scores in the population.
    ScoresWithinClassDiffer {
        /// The class.
        class: String,
        /// The p value, adjusted.
        p_adjusted: f64,
    },
    /// Rows of no class were shown to have other scores.
    ScoresWithinClassesNotShownToDiffer {
        /// The smallest p value, adjusted.
        p_adjusted: f64,
    },
    /// The labelled sample has too few rows for tests.
    LabelledSampleTooSmall {
        /// Its rows.
        rows: u64,
    },
}
