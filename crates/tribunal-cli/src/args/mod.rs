//! What can be said on the command line.

mod apply;
mod bias;
mod correct;
mod cross;
mod data;
mod decisions;
mod describe;
mod evaluate;
mod explain;
mod file_names;
mod fit;
mod generate;
mod init;
mod monitor;
mod report;
mod score;
mod select;
mod split;
mod study;

use std::num::NonZeroUsize;
use std::path::Path;

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
use tribunal_report::Format;

pub(crate) use apply::{MatchArgs, ModelArgs};
pub(crate) use bias::BiasArgs;
pub(crate) use correct::CorrectArgs;
pub(crate) use cross::CrossArgs;
pub(crate) use data::{DataArgs, DeclaredArgs, RoleArgs, TargetArgs};
pub(crate) use describe::DescribeArgs;
pub(crate) use evaluate::{AmountOf, EvaluateArgs};
pub(crate) use explain::{ExplainArgs, ExplainFormat};
pub(crate) use file_names::{InputName, OutputFolder, OutputPath, SchemaName, texts};
pub(crate) use fit::{AnyLearner, FitArgs};
pub(crate) use generate::{GenerateArgs, Generator};
pub(crate) use init::InitArgs;
pub(crate) use monitor::MonitorArgs;
pub(crate) use report::ReportArgs;
pub(crate) use score::ScoreArgs;
pub(crate) use select::SelectArgs;
pub(crate) use split::SplitArgs;
pub(crate) use study::StudyArgs;

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
    #[command(after_help = evaluate::EXAMPLES)]
    Evaluate(Box<EvaluateArgs>),
    /// Try a line-up of learners on the same splits, judge it, test the differences, recommend one
    #[command(after_help = study::EXAMPLES)]
    Study(Box<StudyArgs>),
    /// Choose a learner for a population without labels, where the labelled rows may be a biased sample of it
    #[command(after_help = select::EXAMPLES)]
    Select(Box<SelectArgs>),
    /// Say whether a model got worse, or the selection or the population changed
    #[command(after_help = monitor::EXAMPLES)]
    Monitor(Box<MonitorArgs>),
    /// Make the cases that were acted on speak for the population that they were chosen from
    #[command(after_help = correct::EXAMPLES)]
    Correct(Box<CorrectArgs>),
    /// Run the built-in claims study: no input needed
    #[command(after_help = DEMO_EXAMPLES)]
    Demo(DemoArgs),
    /// Show stored results again, in any form
    #[command(after_help = report::EXAMPLES)]
    Report(ReportArgs),
    /// Say what a table holds, and what each column alone tells about a target
    #[command(after_help = describe::EXAMPLES)]
    Describe(DescribeArgs),
    /// Write a commented study file for a table: target, columns and learners as they seem fit
    #[command(after_help = init::EXAMPLES)]
    Init(InitArgs),
    /// Have learners score rows that they were not trained on
    #[command(after_help = cross::EXAMPLES)]
    Cross(Box<CrossArgs>),
    /// Train a learner on all rows of a table, and keep the model
    #[command(after_help = fit::EXAMPLES)]
    Fit(Box<FitArgs>),
    /// Score the rows of a table by a model
    #[command(after_help = score::EXAMPLES)]
    Score(ScoreArgs),
    /// Show a model, or say why rows get the scores they get
    #[command(after_help = explain::EXAMPLES)]
    Explain(ExplainArgs),
    /// Make synthetic data
    #[command(after_help = generate::EXAMPLES)]
    Generate(GenerateArgs),
    /// Divide the rows of a table: folds, holdouts, bootstrap replicates
    #[command(after_help = split::EXAMPLES)]
    Split(SplitArgs),
    /// Make a biased sample of a table on purpose
    #[command(after_help = bias::EXAMPLES)]
    Bias(BiasArgs),
    /// List every metric with definition, range, direction and reference
    Metrics(MetricsArgs),
    /// List every learner: how it is written, what it does, who described it
    #[command(after_help = "Example:\n  tribunal learners --format markdown")]
    Learners(LearnersArgs),
    /// Print a completion script for a shell
    #[command(after_help = "Example:\n  tribunal completions bash > /etc/bash_completion.d/tribunal")]
    Completions(CompletionsArgs),
    /// Print the manual page
    #[command(after_help = "Example:\n  tribunal man > tribunal.1 && man ./tribunal.1")]
    Man(ManArgs),
}

const DEMO_EXAMPLES: &str = "\
What is run: 1,399 synthetic claims, suspicious from score 4 on, flags alone and all
predictors, the 27 learners of Viaene et al. (2002), ten folds, protocol `paper`. The
claims, the study file and all results stay in the folder, so that everything can be
looked at and run again.

Examples:
  tribunal demo
  tribunal demo --full --folder full-demo
  tribunal demo --scores --keep claims.csv && \\
    tribunal evaluate claims.csv --truth fraud --positive yes --score logit";

/// Where and how results are written.
#[derive(Args, Clone, Debug)]
pub(crate) struct OutputArgs {
    /// Form of the results: text, json, csv, markdown or latex
    #[arg(long, value_name = "FORM", default_value_t = Format::Text, help_heading = "Output")]
    pub(crate) format: Format,

    /// File for the results; it appears whole or not at all [default: -, standard output]
    #[arg(short, long, value_name = "PATH", help_heading = "Output")]
    pub(crate) output: Option<OutputPath>,

    /// No progress and no messages but errors
    #[arg(short, long, help_heading = "Output")]
    pub(crate) quiet: bool,
}

/// Where a table is written, and how it is summed up.
#[derive(Args, Clone, Debug)]
pub(crate) struct TableArgs {
    /// File for the table, whose ending says its form; it appears whole or not at all [default: -, CSV on standard output]
    #[arg(short, long, value_name = "PATH", help_heading = "Output")]
    pub(crate) output: Option<OutputPath>,

    /// Form of the summary: text on standard error; json, csv, markdown or latex on standard output, where the table
    /// then is not written
    #[arg(long, value_name = "FORM", default_value_t = Format::Text, help_heading = "Output")]
    pub(crate) format: Format,

    /// No summary, no progress and no messages but errors
    #[arg(short, long, help_heading = "Output")]
    pub(crate) quiet: bool,
}

impl OutputArgs {
    /// The file for the results; nothing for standard output.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.output.as_ref().and_then(OutputPath::file)
    }
}

impl TableArgs {
    /// The file for the table; nothing for standard output.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.output.as_ref().and_then(OutputPath::file)
    }
}

/// `tribunal demo`
#[derive(Args, Debug)]
pub(crate) struct DemoArgs {
    /// Seed of the synthetic claims
    #[arg(long, value_name = "N", default_value_t = 7)]
    pub(crate) seed: u64,

    /// All five target encodings: ten scenarios
    #[arg(long, conflicts_with = "scores")]
    pub(crate) full: bool,

    /// Folder for claims, study and results
    #[arg(long, value_name = "DIR", default_value = "tribunal-demo", conflicts_with = "scores")]
    pub(crate) folder: OutputFolder,

    /// Cores to use [default: all]
    #[arg(long, value_name = "N", value_parser = jobs, conflicts_with = "scores")]
    pub(crate) jobs: Option<NonZeroUsize>,

    /// Judge scores that other tools gave to synthetic claims, instead of training learners
    #[arg(long)]
    pub(crate) scores: bool,

    /// Also keep the scored claims in this CSV file
    #[arg(long, value_name = "PATH", requires = "scores")]
    pub(crate) keep: Option<OutputPath>,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// `tribunal metrics`
#[derive(Args, Debug)]
pub(crate) struct MetricsArgs {
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// `tribunal learners`
#[derive(Args, Debug)]
pub(crate) struct LearnersArgs {
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

/// Threads that somebody may ask for; more are started for minutes and help nobody.
pub(crate) const MOST_JOBS: usize = 1024;

/// A number whose decimals are written with a point.
fn decimal(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| match text.replace(',', ".").parse::<f64>() {
        Ok(number) => format!("`{text}` has a comma; write {number}"),
        Err(_) => format!("`{text}` is no number: write one such as 0.5"),
    })
}

fn jobs(text: &str) -> Result<NonZeroUsize, String> {
    let number: NonZeroUsize =
        text.parse().map_err(|_| format!("`{text}` is no number of cores: write 1 or more"))?;
    match number.get() {
        1..=MOST_JOBS => Ok(number),
        _ => Err(format!("write at most {MOST_JOBS}")),
    }
}
