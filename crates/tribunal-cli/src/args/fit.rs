//! The arguments of `tribunal fit`.

use std::str::FromStr;

use clap::Args;
use tribunal::{AMOUNT_LEARNERS, AmountLearner, Entrant, LEARNERS, TuneRule};
use tribunal_report::Format;

use super::{DataArgs, OutputPath, RoleArgs};

pub(super) const EXAMPLES: &str = "\
The model is trained on every row whose target is known, and written to one file that
holds all that it takes to score other rows: `tribunal score MODEL DATA`. `tribunal
learners` lists what can be trained. Columns that name rows are left out and remembered as
ids.

Alternatives in braces are tuned: every candidate is judged by cross-validation inside the
training rows, the best is trained on all of them, and the summary shows what each came to.
Several braces stand for all combinations; ranges go by a factor, {1..64*2}, or by a step,
{2..10+2}. Quote them, for shells know braces too.

Examples:
  tribunal fit claims.csv --target fraud --positive yes --learner tan:25 -o model.json
  tribunal fit claims.csv --target fraud --learner 'nb:{0,5,25}' --tune-by log_loss -o model.json
  tribunal fit claims.csv --target fraud --learner 'c45:min={2,5,10},cf={0.1,0.25}' -o model.json

  A model of the claims study:
    tribunal generate claims -o claims.csv
    tribunal fit claims.csv --schema claims --target 4+ --learner tan:25 -o model.json

  Amounts of the positive class, for rules that weigh who against how much:
    tribunal fit claims.csv --schema claims --target 4+ --amount PAID --learner linear -o amounts.json
    tribunal score amounts.json new.csv -o amounts.csv";

/// `tribunal fit`
#[derive(Args, Debug)]
pub(crate) struct FitArgs {
    #[command(flatten)]
    pub(crate) data: DataArgs,

    /// What is trained, with its settings; `tribunal learners` lists all. Braces hold settings to choose from: 'nb:{0,5,25}';
    /// outside:COMMAND is a learner of your own (see `tribunal cross --help`)
    #[arg(long, value_name = "LEARNER")]
    pub(crate) learner: AnyLearner,

    /// Column of the amounts that a learner of amounts learns from rows of the positive class
    #[arg(long, value_name = "COL", help_heading = "Data")]
    pub(crate) amount: Option<String>,

    /// Columns to learn from: all, flags, or a set that the schema names
    #[arg(long, value_name = "SET", help_heading = "Data")]
    pub(crate) predictors: Option<String>,

    #[command(flatten)]
    pub(crate) roles: RoleArgs,

    /// Seed of whatever the learner draws: the same seed gives the same bytes
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,

    /// Metric by which candidates are judged; unless given, what suits the learner, which is auroc for most. A number of
    /// cases, as in precision_top@200, is one of all rows, and each inner fold takes the same share
    #[arg(long, value_name = "METRIC", help_heading = "Tuning")]
    pub(crate) tune_by: Option<String>,

    /// Candidate that is chosen: best, or one-se for the first within one standard error of the best
    #[arg(long, value_name = "RULE", default_value_t = TuneRule::Best, help_heading = "Tuning")]
    pub(crate) tune_rule: TuneRule,

    /// Inner folds; fewer where the smallest class has fewer rows
    #[arg(long, value_name = "N", default_value_t = 10, help_heading = "Tuning")]
    pub(crate) tune_folds: u32,

    /// File for the model; it appears whole or not at all, and `-` is standard output
    #[arg(short, long, value_name = "PATH", help_heading = "Output")]
    pub(crate) output: OutputPath,

    /// Form of the summary: text on standard error; json, csv, markdown or latex on standard output
    #[arg(long, value_name = "FORM", default_value_t = Format::Text, help_heading = "Output")]
    pub(crate) format: Format,

    /// No summary, no progress and no messages but errors
    #[arg(short, long, help_heading = "Output")]
    pub(crate) quiet: bool,
}

/// A learner of classes or of amounts.
#[derive(Clone, Debug)]
pub(crate) enum AnyLearner {
    /// It learns classes.
    Classes(Entrant),
    /// It learns amounts.
    Amounts(AmountLearner),
}

impl FromStr for AnyLearner {
    type Err = tribunal::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match AmountLearner::is_named(text) {
            true => Ok(AnyLearner::Amounts(text.parse()?)),
            false => text.parse().map(AnyLearner::Classes).map_err(|error| match meant(text) {
                Some(name) => {
                    tribunal::Error::usage(format!("there is no learner {text:?}; did you mean {name}?"))
                }
                None => error,
            }),
        }
    }
}

/// The learner of amounts that a text comes nearest to, if it comes nearer to none of classes.
fn meant(text: &str) -> Option<&'static str> {
    let name = text.split(':').next().unwrap_or_default();
    let of_amounts = || AMOUNT_LEARNERS.iter().map(|form| form.name);
    let known = LEARNERS.iter().map(|form| form.name).chain(of_amounts());
    tribunal_io::nearest(name, known).filter(|near| of_amounts().any(|known| known == *near))
}
