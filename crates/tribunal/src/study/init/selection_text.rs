//! The text of a first selection file: a labelled table, a population without labels, and every option with its default as a
//! comment.

use super::columns::{Unusable, columns_text};
use super::text::{About, DATA_OPTIONS, SETS, data_text, few_folds, joined, targets_text};
use crate::message::{Message, Setting, Verb};
use crate::selection::USUAL_SELECTION;

/// What a selection file is written about.
pub(super) struct AboutSelection<'a> {
    pub(super) table: About<'a>,
    /// The files of the population.
    pub(super) population: &'a [String],
    /// Columns of the labelled table that say nothing about the population.
    pub(super) unusable: &'a Unusable,
}

/// The selection of a learner for a population.
pub(super) fn selection_text(about: &AboutSelection<'_>) -> Message {
    let AboutSelection { table, population, unusable } = about;
    let (by_name, targets) = targets_text(table.target);
    let head = Message::from(
        "# A selection: which learner to take for a population without labels, where the labelled rows may be a biased sample.\n\
         # It runs as it is: ",
    )
    .verb(Verb::Select)
    .text(format!(
        " FILE. Whatever stands behind a # is a remark, or an option at its default.\n\n\
         # Files and globs, as seen from the folder of this file: the labelled rows, and the population.\n\
         data = {}\ndeploy = {}\n",
        data_text(table.files),
        data_text(population)
    ));
    joined([
        head,
        DATA_OPTIONS.into(),
        "# target = \"NAME\"         # default: the one of [targets] below\n".into(),
        by_name.into(),
        "# predictors = \"all\"      # \"all\", \"flags\", or a set of [sets] below\n\n".into(),
        learners(),
        design(table.target.n_rarer).into(),
        OPTIONS.into(),
        columns_text(table.description, unusable).into(),
        SETS.into(),
        targets.into(),
    ])
}

fn learners() -> Message {
    let listed: String =
        USUAL_SELECTION.split(';').map(|learner| format!("    \"{}\",\n", learner.trim())).collect();
    Message::from("# `")
        .verb(Verb::Learners)
        .text(
            "` lists them all; grids such as knn:{1,10,100} are tuned on the labelled rows; fan-davidson and\n\
             # fan-davidson-cost are sets of a paper. A consensus needs three that differ, better five families.\n\
             # A command of your own is a learner too, outside:COMMAND; it is then run with ",
        )
        .setting(Setting::RunCommand)
        .text(format!(".\nlearners = [\n{listed}]\n"))
}

/// Ten folds, or as many as the rarer class has rows.
fn design(n_rarer: u64) -> String {
    let usual = || {
        "# design = \"cv:10\"        # the cross-validation that methods share; cv:10x3 repeats it\n"
            .to_owned()
    };
    few_folds(n_rarer).unwrap_or_else(usual)
}

const OPTIONS: &str = "\
# metric = \"pcc\"          # what learners are compared by: \"pcc\" (accuracy), \"auroc\" or \"benefit\"
# rule = \"donation:0.68\"  # what acting on a case is worth: donation:COST or fraud:COST; the metric is then benefit
# amount = \"COLUMN\"       # what a positive case is worth
# reverse_labels = \"hard\" # \"soft\": both labels, weighted by their probabilities
# reverse_testing = true  # false: neither ReverseTesting nor circular validation
# reverse_validation = true
# leave_one_out = false   # true: a model for each labelled row
audit = 10                # simulations of bias on the labelled rows, which give the interval; 0: none
# ask = 25                # how many rows of the population to name whose labels would help most
# check_with_target = false  # true: compare everything with the target of the population in the end
# weight = \"COLUMN\"       # how much each row counts
# id = [\"COLUMN\"]         # columns that name the row
# level = 0.95            # of intervals but that of the audit
# seed = 1

";
