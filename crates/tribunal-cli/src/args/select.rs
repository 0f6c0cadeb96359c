//! The arguments of `tribunal select`.

use std::num::NonZeroUsize;

use clap::Args;
use tribunal::CaseRule;
use tribunal::resampling::Design;
use tribunal::selection::{ReverseLabels, SelectionMetric};

use super::{DeclaredArgs, InputName, OutputArgs, OutputFolder, OutputPath, RoleArgs};

pub(super) const EXAMPLES: &str = "\
TRAIN has labels and may be a biased sample; the table of --deploy is the population that a
model is wanted for, and its labels are not needed. Every learner is trained once for all
methods: consensus selection, which recommends, beside cross-validation, ReverseTesting (Fan
and Davidson 2006), importance weighting and others, which are shown as evidence. The report
begins with the answer: which learner to take, what to expect of it there, whether the two
tables differ and how.

The audit biases the labelled rows on purpose, asks every method and compares with the truth
held back: it gives the interval of what to expect, and warns. It never changes the method.

Learners are those of `tribunal learners`, grids such as knn:{1,10,100} (tuned on TRAIN),
the words of `tribunal study` (all, all-tan, ...), and two sets of Fan and Davidson:
fan-davidson and fan-davidson-cost; apart by semicolons, or one --learners each. At least
three that differ are needed for a consensus, better five families.

A selection can be written down: `tribunal init TRAIN --deploy DATA` writes a select.toml
with comments. Options given beside it take the place of what it says.

Examples:
  tribunal select claims.csv --target fraud --positive yes --deploy new-claims.csv
  tribunal select claims.csv --target fraud --positive yes --deploy new.csv --audit --metric auroc
  tribunal select old.csv --target fraud --positive yes --deploy new.csv --check-with-target \\
    --learners fan-davidson --no-reverse-validation
  tribunal init claims.csv --deploy new-claims.csv && tribunal select select.toml

  A few labels of rows on which learners disagree sharpen the choice: ask for them, fill in the
  last column of the table from the top, and give it back with the same options:
    tribunal select claims.csv --target fraud --positive yes --deploy new.csv --ask 25
    tribunal select claims.csv --target fraud --positive yes --deploy new.csv --labels new.ask.csv

  The model to score the population with, the best learner or all of them by weight:
    tribunal select claims.csv --target fraud --positive yes --deploy new.csv --fit-committee m.json
    tribunal score m.json new.csv

  Where cases are worth different amounts (0.68 a letter):
    tribunal select donors.csv --target donated --positive yes --deploy list.csv \\
      --metric benefit --rule donation:0.68 --amount gift --learners fan-davidson-cost";

/// `tribunal select`
#[derive(Args, Debug)]
pub(crate) struct SelectArgs {
    /// A selection file (.toml), or the files that make the labelled table
    #[arg(required = true, value_name = "SELECTION|TRAIN")]
    pub(crate) inputs: Vec<InputName>,

    /// Files of the population that a learner is chosen for; a target in it is not looked at
    #[arg(long, value_name = "DATA", num_args = 1.., help_heading = "Data")]
    pub(crate) deploy: Vec<InputName>,

    #[command(flatten)]
    pub(crate) declared: DeclaredArgs,

    /// Columns to learn from: all, flags, or a set that the schema names
    #[arg(long, value_name = "SET", help_heading = "Data")]
    pub(crate) predictors: Option<String>,

    #[command(flatten)]
    pub(crate) roles: RoleArgs,

    /// Who takes part [default: a varied line-up that is quick]
    #[arg(long, alias = "learner", value_name = "LEARNER[;LEARNER]", value_delimiter = ';')]
    pub(crate) learners: Vec<String>,

    /// Run the commands that the selection file names as learners (outside:COMMAND): a file from anywhere may name any
    /// command
    #[arg(long)]
    pub(crate) run_command: bool,

    /// What learners are compared by: pcc (accuracy), auroc or benefit [default: pcc, or benefit where there is a rule]
    #[arg(long, value_name = "METRIC")]
    pub(crate) metric: Option<SelectionMetric>,

    /// What acting on a case is worth: donation:COST (the amount is predicted) or fraud:COST (it is known)
    #[arg(long, value_name = "RULE", help_heading = "Benefit")]
    pub(crate) rule: Option<CaseRule>,

    /// Column of amounts: what a positive case is worth
    #[arg(long, value_name = "COL", help_heading = "Benefit")]
    pub(crate) amount: Option<String>,

    /// How decisions to act become labels of reverse models: hard (the decision) or soft (both labels, weighted by their
    /// probabilities) [default: hard]
    #[arg(long, value_name = "WORD", help_heading = "Benefit")]
    pub(crate) reverse_labels: Option<ReverseLabels>,

    /// The cross-validation that methods share: cv:10, cv:10x3 [default: cv:10]
    #[arg(long, value_name = "DESIGN", help_heading = "Methods")]
    pub(crate) design: Option<Design>,

    /// Also leave labelled rows out one by one: a model for each row
    #[arg(long, help_heading = "Methods")]
    pub(crate) leave_one_out: bool,

    /// Train no reverse models: neither ReverseTesting nor circular validation
    #[arg(long, help_heading = "Methods")]
    pub(crate) no_reverse_testing: bool,

    /// Train no reverse models of folds: no reverse validation
    #[arg(long, help_heading = "Methods")]
    pub(crate) no_reverse_validation: bool,

    /// Bias the labelled rows on purpose, so many times, and see how the methods do [default: no audit; 10 without a number]
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "10", value_parser = simulations, help_heading = "Methods")]
    pub(crate) audit: Option<usize>,

    /// Name so many rows of the population whose labels would help most [default: none; 10 without a number]
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "10", value_parser = labels, help_heading = "Labels")]
    pub(crate) ask: Option<usize>,

    /// Table to fill in with the rows that --ask names; a file that is there is not written over [default: the name of the
    /// population with .ask.csv]
    #[arg(long, value_name = "PATH", help_heading = "Labels")]
    pub(crate) ask_table: Option<OutputPath>,

    /// That table with labels, or another with the numbers of rows of the population and their labels
    #[arg(long, value_name = "DATA", help_heading = "Labels")]
    pub(crate) labels: Option<InputName>,

    /// In the end compare everything with the target of the population, which its table then must have
    #[arg(long, help_heading = "Labels")]
    pub(crate) check_with_target: bool,

    /// Level of intervals but that of the audit [default: 0.95]
    #[arg(long, value_name = "LEVEL", value_parser = level)]
    pub(crate) level: Option<f64>,

    /// Seed of the folds and of whatever is drawn: the same seed gives the same bytes [default: 1]
    #[arg(long, value_name = "N", value_parser = seed)]
    pub(crate) seed: Option<u64>,

    /// Folder in which every finished model is kept, so that an interrupted run goes on, and every report at the end
    /// [default: of a selection file its name with .run, else none]
    #[arg(long, value_name = "DIR")]
    pub(crate) run: Option<OutputFolder>,

    /// Keep the recommended learner, trained on all of TRAIN, as a model
    #[arg(long, value_name = "PATH")]
    pub(crate) fit_best: Option<OutputPath>,

    /// Keep the weighted committee as one model, which score and explain know
    #[arg(long, value_name = "PATH")]
    pub(crate) fit_committee: Option<OutputPath>,

    /// Cores to use [default: all]
    #[arg(long, value_name = "N", value_parser = super::jobs)]
    pub(crate) jobs: Option<NonZeroUsize>,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

fn simulations(text: &str) -> Result<usize, String> {
    number(text, "--audit", "simulations")
}

fn level(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| "write a number between 0 and 1, such as 0.95".to_owned())
}

fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "write a whole number, such as 1".to_owned())
}

fn labels(text: &str) -> Result<usize, String> {
    number(text, "--ask", "rows")
}

/// A number that may be left out. What stands in its place instead is often a file.
fn number(text: &str, option: &str, what: &str) -> Result<usize, String> {
    text.parse().map_err(|_| {
        format!("`{text}` is no number of {what}; write {option} behind the files, or with a number")
    })
}
