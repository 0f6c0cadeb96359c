//! The arguments of `tribunal study`.

use std::num::NonZeroUsize;

use clap::Args;
use tribunal::{AmountLearner, Preference, Protocol};

use super::decisions::DecisionArgs;
use super::{DeclaredArgs, InputName, OutputArgs, OutputFolder, OutputPath, RoleArgs};

pub(super) const EXAMPLES: &str = "\
Every learner meets the same splits, for every target and every set of predictors. The
report begins with the verdict: whom to deploy, what to expect, what to be careful about;
then the tables of means with the best in bold (or *) and those that Duncan's test cannot
tell from it underlined (or ~). Nobody is recommended who is not shown to beat the base
rate, or whom a test shows to be worse than the best. Everything is written to the folder of the run as well:
report.md, report.tex, results.json, figures.csv, times.json.

Every finished result is kept in that folder at once. If the run is interrupted - killed,
out of disk, out of power - the same command goes on from there, to the same result.

Learners are those of `tribunal learners`, and the words `all` for the 27 of the claims
study and all-tan, all-nb, all-knn, all-mlp, all-lssvm, all-c45 for those of one family;
apart by semicolons, or one --learners each.

A study can be written down: `tribunal init DATA` writes a study.toml with comments.
Options given beside a study file take the place of what it says.

Examples:
  tribunal init claims.csv && tribunal study study.toml
  tribunal study claims.csv --target fraud --positive yes --learners 'logit; nb:5; c45; tan:25'
  tribunal study claims.csv --target fraud --positive yes --learners logit --design all
  tribunal study study.toml --fit-best model.json && tribunal score model.json new.csv

  200 cases a week can be investigated, at 90 each, and a fraud that is found saves its amount:
    tribunal study claims.csv --target fraud --positive yes --amount paid \\
      --capacity 200 --benefit-tp amount --cost-action 90

  A missed fraud costs five times a false alarm; which way of minding that is cheapest?
    tribunal study claims.csv --target fraud --positive yes --learners 'nb:5; c45' \
      --cost-fp 1 --cost-fn 5 --cost-methods all

  The claims study of Viaene et al. (2002), two scenarios:
    tribunal generate claims -o claims.csv
    tribunal study claims.csv --schema claims --target 4+ --predictors indicator,extended \\
      --learners all --protocol paper";

/// `tribunal study`
#[derive(Args, Debug)]
pub(crate) struct StudyArgs {
    /// A study file (.toml), or the files that make one table
    #[arg(required = true, value_name = "STUDY|DATA")]
    pub(crate) inputs: Vec<InputName>,

    /// Files of the table, in place of those that the study file names
    #[arg(long, value_name = "DATA", help_heading = "Data")]
    pub(crate) data: Vec<InputName>,

    #[command(flatten)]
    pub(crate) declared: DeclaredArgs,

    /// Sets of predictors: all, flags, or sets that the schema names [default: all]
    #[arg(long, value_name = "SET[,SET]", value_delimiter = ',', help_heading = "Data")]
    pub(crate) predictors: Vec<String>,

    #[command(flatten)]
    pub(crate) roles: RoleArgs,

    /// Who takes part [default: a quick line-up]
    #[arg(long, alias = "learner", value_name = "LEARNER[;LEARNER]", value_delimiter = ';')]
    pub(crate) learners: Vec<String>,

    /// Run the commands that the study file names as learners (outside:COMMAND): a file from anywhere may name any command
    #[arg(long)]
    pub(crate) run_command: bool,

    /// On which scale learners of numbers see them: strict (learned inside training parts) or paper (of all rows)
    #[arg(long, value_name = "WORD")]
    pub(crate) protocol: Option<Protocol>,

    /// How rows are divided [default: cv:10]; more designs stand beside the first, and `all` means holdout, repeated
    /// holdout, repeated ten-fold, leave-one-out and bootstrap (.632, .632+)
    #[arg(long, value_name = "DESIGN")]
    pub(crate) design: Vec<String>,

    /// Column of groups that no split may tear apart
    #[arg(long, value_name = "COL")]
    pub(crate) group: Option<String>,

    /// What is tabulated [default: pcc,auroc]
    #[arg(long, value_name = "METRIC[,METRIC]", value_delimiter = ',')]
    pub(crate) metrics: Vec<String>,

    #[command(flatten)]
    pub(crate) decision: DecisionArgs,

    /// Beside each learner the same made to mind the costs: weights, resample, threshold, metacost or all; the verdict then goes
    /// by the mean cost of what learners predict, unless --capacity or --rule asks what acting brings in
    #[arg(long, value_name = "WORD[,WORD]", value_delimiter = ',', help_heading = "Decisions")]
    pub(crate) cost_methods: Vec<String>,

    /// Column of what a positive case is worth; not learned from unless its kind is declared, nor are columns of formulas
    #[arg(long, value_name = "COL", help_heading = "Decisions")]
    pub(crate) amount: Option<String>,

    /// Who predicts amounts for donation:COST, on the training rows of each split [default: linear]
    #[arg(long, value_name = "LEARNER", help_heading = "Decisions")]
    pub(crate) amount_learner: Option<AmountLearner>,

    /// What decides among learners that cannot be told apart [default: simple,fast,explained,best]
    #[arg(long, value_name = "WORD[,WORD]", value_delimiter = ',')]
    pub(crate) prefer: Vec<Preference>,

    /// Level of tests and intervals [default: 0.95]
    #[arg(long, value_parser = super::decimal, value_name = "LEVEL")]
    pub(crate) level: Option<f64>,

    /// Seed of the splits and of whatever the learners draw: the same seed gives the same bytes [default: 1]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    /// Folder of the run [default: the name of the study or of the data, with .run]
    #[arg(long, value_name = "DIR")]
    pub(crate) run: Option<OutputFolder>,

    /// Cores to use [default: all]
    #[arg(long, value_name = "N", value_parser = super::jobs)]
    pub(crate) jobs: Option<NonZeroUsize>,

    /// Fit whom the verdict recommends on all rows, and keep the model in this file (`-` is standard output); where nobody
    /// is recommended nothing is written, and the exit code is 1
    #[arg(long, value_name = "PATH", help_heading = "Output")]
    pub(crate) fit_best: Option<OutputPath>,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}
