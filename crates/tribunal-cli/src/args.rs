//! What can be said on the command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use tribunal::bias::{KINDS, Side, USUAL_FRACTION};
use tribunal::claims::ClaimsRequest;
use tribunal::resampling::Design;
use tribunal::{At, ColumnSchema, Compare, TargetRule};
use tribunal_eval::CutoffRule;
use tribunal_eval::intervals::Level;
use tribunal_io::TableFormat;
use tribunal_report::Format;

/// Which model, where to cut, what will it yield, how far may I believe it?
///
/// Tribunal judges classifiers that rank cases - claims to investigate, returns to audit, households to mail -
/// from the scores that any tool produced.
#[derive(Debug, Parser)]
#[command(name = "tribunal", version, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Judge scores from any tool
    #[command(after_help = EVALUATE_EXAMPLES)]
    Evaluate(Box<EvaluateArgs>),
    /// Judge the built-in synthetic claims: no input needed
    #[command(after_help = DEMO_EXAMPLES)]
    Demo(DemoArgs),
    /// Say what a table holds, and what each column alone tells about a target
    #[command(after_help = DESCRIBE_EXAMPLES)]
    Describe(DescribeArgs),
    /// Make synthetic data
    #[command(after_help = GENERATE_EXAMPLES)]
    Generate(GenerateArgs),
    /// Divide the rows of a table: folds, holdouts, bootstrap replicates
    #[command(after_help = SPLIT_EXAMPLES)]
    Split(SplitArgs),
    /// Make a biased sample of a table on purpose
    #[command(after_help = BIAS_EXAMPLES)]
    Bias(BiasArgs),
    /// List every metric with definition, range, direction and reference
    Metrics(MetricsArgs),
    /// Print a completion script for a shell
    #[command(after_help = "Example:\n  tribunal completions bash > /etc/bash_completion.d/tribunal")]
    Completions(CompletionsArgs),
    /// Print the manual page
    #[command(after_help = "Example:\n  tribunal man > tribunal.1 && man ./tribunal.1")]
    Man(ManArgs),
}

const EVALUATE_EXAMPLES: &str = "\
Examples:
  One column of scores, the label `yes` is positive:
    tribunal evaluate scores.csv --truth fraud --positive yes --score model_a

  Three models side by side, figures at the top 1 %, 5 % and 500 cases, as JSON:
    tribunal evaluate scores.parquet --truth y --positive 1 --score a,b,c --at 1%,5%,500 --format json

  Long form from standard input, one row per case and model:
    cat scores.csv | tribunal evaluate - --truth y --positive 1 --score p --model model --id case

  Is any model better than `a` by more than one point of AUROC? Finer intervals from 2,000 draws:
    tribunal evaluate scores.csv --truth y --positive 1 --score a,b,c --compare a --margin 0.01 --bootstrap 2000

  How deep to act when a hit brings its amount and each case costs 90:
    tribunal evaluate scores.csv --truth fraud --positive 1 --score p --amount paid --benefit-tp amount --cost-action 90";

const DEMO_EXAMPLES: &str = "\
Examples:
  tribunal demo
  tribunal demo --keep claims.csv && tribunal evaluate claims.csv --truth fraud --positive yes --score logit";

const DESCRIBE_EXAMPLES: &str = "\
Examples:
  tribunal describe claims.csv
  tribunal describe claims.csv --target fraud --positive yes
  tribunal describe claims.csv --target score --positive '>=4' --kind year=categorical --format json

  The built-in schema of the claims study, with its bins and its five targets:
    tribunal generate claims -o claims.csv && tribunal describe claims.csv --schema claims --target 4+

Kinds of columns: flag, numeric, categorical, categorical:a|b|c, ordered:low<mid<high, bins:20,40,60,
bins:width:10, bins:frequency:10, bins:mdl. Roles: id, amount, weight, target, ignore.";

/// `tribunal describe`
#[derive(Args, Debug)]
pub(crate) struct DescribeArgs {
    #[command(flatten)]
    pub(crate) data: DataArgs,

    /// Seed of the sample of very large tables, and of the folds that categories are judged on
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// A table, what is declared about it, and what is to be predicted.
#[derive(Args, Debug)]
pub(crate) struct DataArgs {
    /// Files that make one table: CSV, TSV, Parquet, Arrow, JSON lines or ARFF; globs; `-` for standard input
    #[arg(required = true, value_name = "DATA")]
    pub(crate) inputs: Vec<String>,

    /// Column to predict, or a target that the schema declares
    #[arg(long, value_name = "COL", help_heading = "Data")]
    pub(crate) target: Option<String>,

    /// What is positive: a class (fraud), a rule on a number ('>=4'), or a set of codes ('{3,4,5}')
    #[arg(long, value_name = "RULE", requires = "target", help_heading = "Data")]
    pub(crate) positive: Option<TargetRule>,

    /// What is declared about the columns: a TOML file, or `claims` for the built-in claims study
    #[arg(long, value_name = "FILE", help_heading = "Data")]
    pub(crate) schema: Option<String>,

    /// Kind or role of a column, where it is not what it seems
    #[arg(long, value_name = "COL=KIND", value_parser = declared_column, help_heading = "Data")]
    pub(crate) kind: Vec<(String, ColumnSchema)>,

    /// Text that means a missing value, beyond an empty field, ?, NA, N/A, NaN and NULL
    #[arg(long, value_name = "TEXT", help_heading = "Data")]
    pub(crate) missing: Vec<String>,
}

fn declared_column(text: &str) -> Result<(String, ColumnSchema), String> {
    let (name, declared) = text.split_once('=').ok_or("write COLUMN=KIND, for example year=categorical")?;
    Ok((name.to_owned(), declared.parse().map_err(|error: tribunal_learn::Error| error.to_string())?))
}
const GENERATE_EXAMPLES: &str = "\
Examples:
  As many claims as the published study had, as CSV on standard output:
    tribunal generate claims | head

  Ten million claims of another seed in a Parquet file:
    tribunal generate claims --rows 10000000 --seed 7 -o claims.parquet

The columns are raw: 25 flags, 12 other predictors, PAID, and the experts' score (0 to 10) and code (1 to 5).";
const SPLIT_EXAMPLES: &str = "\
Designs:
  cv:K[xR][:plain]                      K folds, R times over
  holdout[:SHARE[xR]][:plain]           SHARE (2/3) to learn from, the rest to test
  three-way[:TRAIN,VALIDATION][:plain]  shares (1/2, 1/4) to learn from and to tune on, the rest to test
  loo                                   every row is a fold of its own
  bootstrap[:B]                         B (200) draws with replacement
  folds:COLUMN                          folds that a column names
  group:K:COLUMN                        K folds that keep groups together
  time:COLUMN:CUT                       the past up to CUT to learn from, what follows to test
  Classes of --target are shared alike by all parts unless `plain`.

Examples:
  Ten folds that share the classes of `fraud` alike, as a column `fold`:
    tribunal split claims.csv --design cv:10 --target fraud -o folded.csv

  No garage in two folds:
    tribunal split claims.csv --design cv:5 --group garage -o folded.csv

  What would the folds look like? No table is written:
    tribunal split claims.parquet --design cv:10x5 --target fraud --format json";

const BIAS_EXAMPLES: &str = "\
Kinds:
  feature       leaves out the rows with the lowest (or highest) values of a column
  feature-soft  keeps a row with probability 1 / (1 + exp(-beta z)), z the standardised value of a column
  class         leaves out a share of the rows of --class at random
  complete      leaves out the lowest values of a column within --class and the highest within all others
  none          leaves out rows at random, as a control for the size of the sample

Numbers are sorted by value, all else by its letters. A missing value is neither low nor high: its row goes last.

Examples:
  tribunal bias train.csv --kind feature --column age --target fraud -o biased.csv
  tribunal bias train.csv --kind class --class yes --target fraud --fraction 0.5 > biased.csv";

/// `tribunal evaluate`
#[derive(Args, Debug)]
pub(crate) struct EvaluateArgs {
    /// Files with scores: CSV, TSV, Parquet, Arrow, JSON lines or ARFF; globs; `-` for standard input
    #[arg(required = true, value_name = "SCORES")]
    pub(crate) inputs: Vec<String>,

    /// Column that says what each case was
    #[arg(long, value_name = "COL", help_heading = "Columns")]
    pub(crate) truth: String,

    /// Label that counts as positive
    #[arg(long, value_name = "VALUE", help_heading = "Columns")]
    pub(crate) positive: Option<String>,

    /// Count every label but the positive one as negative, however many there are
    #[arg(long, help_heading = "Columns")]
    pub(crate) rest_is_negative: bool,

    /// Columns with scores, one per model; larger means more likely positive
    #[arg(long, value_name = "COL[,COL]", value_delimiter = ',', required = true, help_heading = "Columns")]
    pub(crate) score: Vec<String>,

    /// Column that names the model of each row (long form)
    #[arg(long, value_name = "COL", help_heading = "Columns")]
    pub(crate) model: Option<String>,

    /// Column with row weights
    #[arg(long, value_name = "COL", help_heading = "Columns")]
    pub(crate) weight: Option<String>,

    /// Column with what a positive case is worth
    #[arg(long, value_name = "COL", help_heading = "Columns")]
    pub(crate) amount: Option<String>,

    /// Columns with predicted amounts, judged against --amount: one, or one per score
    #[arg(long, value_name = "COL[,COL]", value_delimiter = ',', help_heading = "Columns")]
    pub(crate) predicted_amount: Vec<String>,

    /// Column with the fold of each row
    #[arg(long, value_name = "COL", help_heading = "Columns")]
    pub(crate) fold: Option<String>,

    /// Column that identifies a case
    #[arg(long, value_name = "COL", help_heading = "Columns")]
    pub(crate) id: Option<String>,

    /// Cut-offs: a score (0.5), a share (10%), a count (top:500), max-pcc, max-f1, max-f@2, youden,
    /// precision>=0.8, recall>=0.9, cost:FP:FN [default: 0.5 for probabilities, 0 for margins]
    #[arg(
        long,
        value_name = "RULE[,RULE]",
        value_delimiter = ',',
        allow_hyphen_values = true,
        help_heading = "Questions"
    )]
    pub(crate) threshold: Vec<CutoffRule>,

    /// Depths of the list for CPH and lift: shares (10% or 0.1) or numbers of cases (500)
    #[arg(
        long,
        value_name = "DEPTH[,DEPTH]",
        value_delimiter = ',',
        default_value = "1%,5%,10%",
        help_heading = "Questions"
    )]
    pub(crate) at: Vec<At>,

    /// Metrics to compute, such as auroc,lift@0.1,f@2 [default: all]
    #[arg(long, value_name = "ID[,ID]", value_delimiter = ',', help_heading = "Questions")]
    pub(crate) metrics: Vec<String>,

    /// What acting on a positive case brings in: a number, or `amount` for the case's own
    #[arg(long, value_name = "VALUE", help_heading = "Questions")]
    pub(crate) benefit_tp: Option<String>,

    /// What acting on any case costs
    #[arg(
        long,
        value_name = "VALUE",
        requires = "benefit_tp",
        default_value_t = 0.0,
        help_heading = "Questions"
    )]
    pub(crate) cost_action: f64,

    /// Level of intervals and tests
    #[arg(long, value_name = "LEVEL", default_value = "0.95", value_parser = level, help_heading = "Certainty")]
    pub(crate) level: Level,

    /// How often cases are drawn again for intervals without a formula; 0 for never, 1000 or more for ends corrected for
    /// bias and acceleration [default: 200, of large files on a sample]
    #[arg(
        long,
        value_name = "N",
        value_parser = replicates,
        allow_negative_numbers = true,
        help_heading = "Certainty"
    )]
    pub(crate) bootstrap: Option<usize>,

    /// Models to compare: `all` pairs, or one model with each other
    #[arg(long, value_name = "all|NAME", default_value = "all", help_heading = "Certainty")]
    pub(crate) compare: Compare,

    /// Differences up to this do not matter, in units of the metric: ask for a practical difference instead of any
    #[arg(
        long,
        value_name = "X",
        default_value_t = 0.0,
        allow_hyphen_values = true,
        help_heading = "Certainty"
    )]
    pub(crate) margin: f64,

    /// Seed of the draws: the same seed gives the same figures
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Certainty")]
    pub(crate) seed: u64,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

fn level(text: &str) -> Result<Level, String> {
    let number = text.parse().map_err(|_| format!("`{text}` is no level: write a number such as 0.95"))?;
    Level::new(number).map_err(|error| error.to_string())
}

fn replicates(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| format!("`{text}` is no number of draws: write 1000, or 0 for none"))
}

/// Where and how results are written.
#[derive(Args, Clone, Debug)]
pub(crate) struct OutputArgs {
    /// Form of the results: text, json, csv, markdown or latex
    #[arg(long, value_name = "FORM", default_value_t = Format::Text, help_heading = "Output")]
    pub(crate) format: Format,

    /// File for the results; it appears whole or not at all [default: standard output]
    #[arg(short, long, value_name = "PATH", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    /// No progress and no messages but errors
    #[arg(short, long, help_heading = "Output")]
    pub(crate) quiet: bool,
}

/// `tribunal split`
#[derive(Args, Debug)]
pub(crate) struct SplitArgs {
    /// The table: CSV, TSV, Parquet, Arrow, JSON lines or ARFF; globs; `-` for standard input
    #[arg(required = true, value_name = "DATA")]
    pub(crate) inputs: Vec<String>,

    /// How rows are divided; see below
    #[arg(long, value_name = "DESIGN", default_value = "cv:10")]
    pub(crate) design: Design,

    /// Column of the classes, which all parts share alike
    #[arg(long, value_name = "COL")]
    pub(crate) target: Option<String>,

    /// Column of groups that no split may tear apart
    #[arg(long, value_name = "COL")]
    pub(crate) group: Option<String>,

    /// Name of the columns that are added [default: fold, part or draws]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,

    /// Seed of the shuffles: the same seed gives the same bytes
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,

    #[command(flatten)]
    pub(crate) output: TableArgs,
}

/// `tribunal bias`
#[derive(Args, Debug)]
pub(crate) struct BiasArgs {
    /// The table: CSV, TSV, Parquet, Arrow, JSON lines or ARFF; globs; `-` for standard input
    #[arg(required = true, value_name = "DATA")]
    pub(crate) inputs: Vec<String>,

    /// Which rows are left out; see below
    #[arg(long, value_name = "KIND", value_parser = bias_kind)]
    pub(crate) kind: &'static str,

    /// Column that decides [default: the first that is not the target]
    #[arg(long, value_name = "COL")]
    pub(crate) column: Option<String>,

    /// Share of rows that is left out
    #[arg(long, value_name = "SHARE", default_value_t = USUAL_FRACTION, allow_negative_numbers = true)]
    pub(crate) fraction: f64,

    /// End of the column that is left out: low or high
    #[arg(long, value_name = "SIDE", default_value = "low")]
    pub(crate) side: Side,

    /// How steeply the chance to stay rises with the column, for feature-soft
    #[arg(long, value_name = "B", default_value_t = 1.0, allow_negative_numbers = true)]
    pub(crate) beta: f64,

    /// Class that loses rows, for class and complete
    #[arg(long, value_name = "VALUE")]
    pub(crate) class: Option<String>,

    /// Column of the classes
    #[arg(long, value_name = "COL")]
    pub(crate) target: Option<String>,

    /// Seed of the draws: the same seed gives the same bytes
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,

    #[command(flatten)]
    pub(crate) output: TableArgs,
}

fn bias_kind(text: &str) -> Result<&'static str, String> {
    let names = || KINDS.iter().map(|kind| kind.name);
    names().find(|name| *name == text).ok_or_else(|| {
        let near = tribunal_io::nearest(text, names())
            .map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        format!("`{text}` is no kind of bias{near} (choose {})", names().collect::<Vec<_>>().join(", "))
    })
}

/// Where a table is written, and how it is summed up.
#[derive(Args, Clone, Debug)]
pub(crate) struct TableArgs {
    /// File for the table, whose ending says its form; it appears whole or not at all [default: CSV on standard output]
    #[arg(short, long, value_name = "PATH", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    /// Form of the summary: text on standard error; json, csv, markdown or latex on standard output, where the table
    /// then is not written
    #[arg(long, value_name = "FORM", default_value_t = Format::Text, help_heading = "Output")]
    pub(crate) format: Format,

    /// No summary, no progress and no messages but errors
    #[arg(short, long, help_heading = "Output")]
    pub(crate) quiet: bool,
}

/// `tribunal demo`
#[derive(Args, Debug)]
pub(crate) struct DemoArgs {
    /// Seed of the synthetic claims
    #[arg(long, value_name = "N", default_value_t = 7)]
    pub(crate) seed: u64,

    /// Also keep the claims in this CSV file
    #[arg(long, value_name = "PATH")]
    pub(crate) keep: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// `tribunal generate`
#[derive(Args, Debug)]
pub(crate) struct GenerateArgs {
    /// What to make
    pub(crate) what: Generator,

    /// Number of claims
    #[arg(long, value_name = "N", default_value_t = ClaimsRequest::default().rows)]
    pub(crate) rows: u64,

    /// The same seed makes the same claims
    #[arg(long, value_name = "N", default_value_t = ClaimsRequest::default().seed)]
    pub(crate) seed: u64,

    /// File for the claims; it appears whole or not at all, and its name says the format [default: standard output]
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    /// Format, whatever the file is called: csv, tsv, parquet, arrow or jsonl [default for standard output: csv]
    #[arg(long, value_name = "FORMAT", value_parser = table_format, help_heading = "Output")]
    pub(crate) to: Option<TableFormat>,

    /// No progress and no messages but errors
    #[arg(short, long, help_heading = "Output")]
    pub(crate) quiet: bool,
}

/// What can be made.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Generator {
    /// Personal-injury claims as experts on fraud see them
    Claims,
}

fn table_format(text: &str) -> Result<TableFormat, String> {
    let named = format!("table.{text}");
    TableFormat::from_extension(named.as_ref())
        .map_err(|_| format!("`{text}` is no format: write csv, tsv, parquet, arrow or jsonl"))
}

/// `tribunal metrics`
#[derive(Args, Debug)]
pub(crate) struct MetricsArgs {
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// `tribunal completions`
#[derive(Args, Debug)]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: Shell,
}

/// `tribunal man`
#[derive(Args, Debug)]
pub(crate) struct ManArgs {
    /// The verb to describe [default: the command itself]
    pub(crate) verb: Option<String>,
}
