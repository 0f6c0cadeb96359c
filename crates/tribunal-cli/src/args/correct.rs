//! The arguments of `tribunal correct`.

use clap::Args;
use tribunal::correction::{BandsRequest, ClustersRequest, CorrectionMethod, EmptyStrata};
use tribunal_eval::correction::{BetaVariant, SubstitutionDraw};
use tribunal_eval::kmeans::ChooseClusters;

use super::{InputName, OutputArgs, OutputPath};

pub(super) const EXAMPLES: &str = "\
The cases whose outcome is known are those that somebody chose to act on. --prevalence is the
population, acted on or not; --incidence are the cases that were acted on. Both are divided into
the same strata, and the incidence gets the shares that they have in the population. The report
begins with the strike rate of the population and has every figure before and after.

Methods:
  mixed         strata that have too few rows gain some, others lose some (Koesmarno, eq. 11-16)
  over          no stratum loses rows (eq. 17-21, with the smallest beta)
  substitution  a sample of the population whose rows are replaced by actioned ones
  poststratify  post-stratification weights
  ipw           inverse-probability weights from a logit of having been actioned, and doubly
                robust estimates beside them
  all           all of them in one table; the sample and the answer are those of poststratify

Strata are labels, bands of a number (--bands: how many, by the quantiles of the population, or
edges), combinations of several such columns, or clusters of numbers (--clusters).

Examples:
  What would have been found, had everybody been investigated? Ten bands of the score:
    tribunal correct --prevalence claims.parquet --incidence investigated.csv --strata score \\
      --bands 10 --truth fraud --positive yes --score score

  By region and product, over-resampled, with the sample in the format of its ending:
    tribunal correct --prevalence all.csv --incidence audited.csv --strata region,product \\
      --method over --sample corrected.csv

  Clusters, as many as the mean silhouette says:
    tribunal correct --prevalence wines.csv --incidence tasted.csv --strata alcohol,ph,sugar \\
      --clusters 2-9";

/// `tribunal correct`
#[derive(Args, Debug)]
pub(crate) struct CorrectArgs {
    /// Files of the population: all cases, acted on or not
    #[arg(long, required = true, value_name = "DATA", num_args = 1.., help_heading = "Data")]
    pub(crate) prevalence: Vec<InputName>,

    /// Files of the cases that were acted on
    #[arg(long, required = true, value_name = "DATA", num_args = 1.., help_heading = "Data")]
    pub(crate) incidence: Vec<InputName>,

    /// Columns of both tables that make the strata
    #[arg(long, required = true, value_name = "COL[,COL]", value_delimiter = ',', help_heading = "Strata")]
    pub(crate) strata: Vec<String>,

    /// Bands of the numbers among them: how many, or their edges (0.2,0.5) [default: labels where there are few different numbers,
    /// else 10]
    #[arg(long, value_name = "N|EDGES", allow_hyphen_values = true, help_heading = "Strata")]
    pub(crate) bands: Option<BandsRequest>,

    /// Clusters of the standardised numbers by k-means: how many, a range to choose from, or auto
    #[arg(long, value_name = "K|FROM-TO", conflicts_with = "bands", help_heading = "Strata")]
    pub(crate) clusters: Option<ClustersRequest>,

    /// What a number of clusters is chosen by: silhouette or gap
    #[arg(long, value_name = "RULE", default_value = "silhouette", value_parser = choose, help_heading = "Strata")]
    pub(crate) choose: ChooseClusters,

    /// Strata without actioned cases: merge (with the nearest, single cases too), drop or error
    #[arg(long, value_name = "WORD", default_value = "merge", help_heading = "Strata")]
    pub(crate) empty_strata: EmptyStrata,

    /// Rows of the whole population, where the prevalence is a part of it [default: the rows of the strata]
    #[arg(long, value_parser = super::decimal, value_name = "X", help_heading = "Strata")]
    pub(crate) total_prevalence: Option<f64>,

    /// How the sample is corrected: mixed, over, substitution, poststratify, ipw or all
    #[arg(long, value_name = "METHOD", default_value = "all", help_heading = "Correction")]
    pub(crate) method: CorrectionMethod,

    /// Which beta is the smallest: rounded (as published), strict or exact
    #[arg(long, value_name = "WORD", default_value = "rounded", value_parser = beta, help_heading = "Correction")]
    pub(crate) beta: BetaVariant,

    /// Mixed resampling keeps the number of rows exactly, by largest remainders
    #[arg(long, help_heading = "Correction")]
    pub(crate) exact_total: bool,

    /// Draws of substitution: jackknife (every row once before any is repeated) or bootstrap
    #[arg(long, value_name = "WORD", default_value = "jackknife", value_parser = draw, help_heading = "Correction")]
    pub(crate) draw: SubstitutionDraw,

    /// Rows of the population that are substituted [default: as many as there are actioned cases]
    #[arg(long, value_name = "N", help_heading = "Correction")]
    pub(crate) size: Option<u64>,

    /// Column of the incidence that says what each case was
    #[arg(long, value_name = "COL", requires = "positive", help_heading = "Outcome")]
    pub(crate) truth: Option<String>,

    /// Label that counts as positive; every other is negative
    #[arg(long, value_name = "VALUE", requires = "truth", help_heading = "Outcome")]
    pub(crate) positive: Option<String>,

    /// Column of the scores of a model; in both tables, precision and recall are doubly robust too
    #[arg(long, value_name = "COL", requires = "truth", help_heading = "Outcome")]
    pub(crate) score: Option<String>,

    /// Cases that score at least this are predicted positive [default: 0.5 of probabilities, 0 of scores on both
    /// sides of it]
    #[arg(
        long,
        value_parser = super::decimal,
        value_name = "SCORE",
        requires = "score",
        allow_negative_numbers = true,
        help_heading = "Outcome"
    )]
    pub(crate) threshold: Option<f64>,

    /// Level of the intervals
    #[arg(long, value_parser = super::decimal, value_name = "LEVEL", default_value_t = 0.95)]
    pub(crate) level: f64,

    /// Seed of the draws and clusters: the same seed gives the same bytes
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,

    /// File for the corrected sample, whose ending says its form: the actioned rows with their stratum and with a column
    /// for each method, of whole numbers where rows are repeated and of weights where they are weighted
    #[arg(long, value_name = "PATH", help_heading = "Output")]
    pub(crate) sample: Option<OutputPath>,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

fn one_of<T: Copy>(text: &str, names: &[(&str, T)]) -> Result<T, String> {
    let all: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
    let found = names.iter().find(|(name, _)| *name == text).map(|(_, value)| *value);
    found.ok_or_else(|| format!("`{text}` is none of {}", all.join(", ")))
}

fn choose(text: &str) -> Result<ChooseClusters, String> {
    one_of(text, &[("silhouette", ChooseClusters::Silhouette), ("gap", ChooseClusters::Gap)])
}

fn beta(text: &str) -> Result<BetaVariant, String> {
    let variants = [BetaVariant::Rounded, BetaVariant::Strict, BetaVariant::Exact];
    one_of(text, &variants.map(|variant| (variant.name(), variant)))
}

fn draw(text: &str) -> Result<SubstitutionDraw, String> {
    one_of(text, &[("jackknife", SubstitutionDraw::Jackknife), ("bootstrap", SubstitutionDraw::Bootstrap)])
}
