//! The text of a first study file: what is set, and every other option with its default as a comment.

use tribunal_io::{is_hidden, printable};

use super::columns::{Unusable, columns_text};
use super::guess::ChosenTarget;
use super::line_up::learners_text;
use crate::describe::Description;
use crate::message::{Message, Setting, Verb};

/// Comments are no wider than this.
const WIDTH: usize = 100;

/// As many folds as are usual.
const FOLDS: u64 = 10;

/// What a study file is written about.
pub(super) struct About<'a> {
    pub(super) files: &'a [String],
    pub(super) description: &'a Description,
    pub(super) target: &'a ChosenTarget,
}

/// The study of a table.
pub(super) fn study_text(about: &About<'_>) -> Message {
    let target = about.target;
    let (by_name, targets) = targets_text(target);
    joined([
        head(about.files),
        DATA_OPTIONS.into(),
        "# target = [\"NAME\"]       # default: all of [targets] below, in their order\n".into(),
        by_name.into(),
        "# predictors = [\"all\"]    # \"all\", \"flags\", or sets of [sets] below: each is a scenario of its own\n\n".into(),
        learners(about.description.rows),
        design(target.n_rarer).into(),
        OPTIONS.into(),
        columns_text(about.description, &Unusable::default()).into(),
        SETS.into(),
        targets.into(),
    ])
}

/// The line that names a target which no rule declares, and the table of targets.
pub(super) fn targets_text(target: &ChosenTarget) -> (String, String) {
    let column = string(&target.column);
    let said: String = target.said.iter().map(|sentence| comment(sentence)).collect();
    // A class that no rule can name is found as the table is read, in the same way in which it was found here.
    let (by_name, declared) = match &target.rule {
        Some(rule) => {
            let name = key(&target.column);
            (String::new(), format!("{name} = {{ column = {column}, positive = {} }}\n", string(rule)))
        }
        None => (format!("target = {column}\n"), String::new()),
    };
    (by_name, format!("[targets]\n{said}{TARGET_FORMS}{declared}"))
}

pub(super) fn joined<const N: usize>(pieces: [Message; N]) -> Message {
    pieces.into_iter().fold(Message::default(), Message::then)
}

/// The study of Viaene et al. (2002) on a table of claims.
pub(super) fn claims_text(files: &[String], n_rows: u64) -> Message {
    joined([
        head(files),
        comment(
            "The table has the columns of the claims of Viaene et al. (2002); the built-in schema declares their kinds, the \
             sets \"indicator\" and \"extended\", and five targets.",
        )
        .into(),
        "schema = \"claims\"\n".into(),
        "target = [\"1+\", \"4+\", \"7+\", \"vnl\", \"vop\"]\n".into(),
        "predictors = [\"indicator\", \"extended\"]\n# min_firings = 10        # flags that are 1 in fewer rows are left out\n\n"
            .into(),
        comment("All learners of that study: learners = [\"all\"]").into(),
        learners(n_rows),
        design(FOLDS).into(),
        OPTIONS.into(),
    ])
}

fn head(files: &[String]) -> Message {
    let stem =
        files.first().filter(|file| *file != "-").and_then(|file| std::path::Path::new(file).file_stem());
    let title = stem.map_or_else(|| "Study".into(), |stem| stem.to_string_lossy());
    let title = if title.contains(['*', '?', '[']) { "Study".into() } else { title };
    let data = data_text(files);
    let remark = "# A study: every learner on the same rows, for every target and set of predictors, with a verdict.\n\
                  # It runs as it is: ";
    Message::from(remark).verb(Verb::Study).text(format!(
        " FILE. Whatever stands behind a # is a remark, or an option at its default.\n\n\
         title = {}\n# Files and globs, as seen from the folder of this file.\ndata = {data}\n",
        string(&title)
    ))
}

/// The names of files as a value.
pub(super) fn data_text(files: &[String]) -> String {
    match files {
        [one] => string(one),
        several => format!("[{}]", several.iter().map(|file| string(file)).collect::<Vec<_>>().join(", ")),
    }
}

fn learners(n_rows: u64) -> Message {
    Message::from("# `")
        .verb(Verb::Learners)
        .text(
            "` lists them all; all-c45, all-knn, all-mlp, all-lssvm, all-nb and all-tan stand for families.\n\
             # A command of your own is a learner too, outside:COMMAND; the study then runs it with ",
        )
        .setting(Setting::RunCommand)
        .text(format!(".\n{}\n", learners_text(n_rows)))
}

/// Ten folds, or as many as the rarer class has rows.
fn design(n_rarer: u64) -> String {
    let usual = || {
        "# design = \"cv:10\"        # cv:10x5, holdout:2/3, loo, bootstrap:200, time:COLUMN:CUT, ...\n"
            .to_owned()
    };
    let design = few_folds(n_rarer).unwrap_or_else(usual);
    format!("{design}# designs = []            # others whose figures stand beside: a list, or \"all\"\n")
}

/// As many folds as the rarer class has rows, where these are too few for ten.
pub(super) fn few_folds(n_rarer: u64) -> Option<String> {
    let few = n_rarer.max(2);
    (n_rarer < FOLDS)
        .then(|| format!("# The rarer class has too few rows for ten folds.\ndesign = \"cv:{few}\"\n"))
}

pub(super) const DATA_OPTIONS: &str = "\
# schema = \"FILE\"         # a TOML file with tables as [columns], [sets] and [targets] below
# missing = []            # texts that mean a missing value, beyond an empty field, ?, NA, N/A, NaN and NULL
# min_firings = 0         # flags that are 1 in fewer rows are left out
";

const OPTIONS: &str = "\
# protocol = \"strict\"     # \"paper\": numbers on the scale of all rows, as in Viaene et al. (2002)
# group = \"COLUMN\"        # groups that no split may tear apart
# weight = \"COLUMN\"       # how much each row counts
# id = [\"COLUMN\"]         # columns that name the row
# metrics = [\"pcc\", \"auroc\"]
# costs = \"FP:FN\"         # what a false positive and a false negative cost, as in 1:5: the verdict is in money
# benefit_tp = \"VALUE\"    # or one by one, numbers or formulas: benefit_tp, benefit_tn, cost_fp, cost_fn, cost_action
# amount = \"COLUMN\"       # what a positive case is worth; formulas call it amount
# cost_methods = []       # how each learner minds costs, beside itself: weights, resample, threshold, metacost or all
# capacity = \"K/N\"        # how many cases can be acted on: 200 of this list, 200/5000 of longer or shorter ones
# rule = \"RULE\"           # decide case by case: expected, fraud:COST or donation:COST
# decide_by = \"auroc\"     # what the verdict goes by: profit, hits, amount or a metric
# prefer = [\"simple\", \"fast\", \"explained\", \"best\"]  # what decides among learners that cannot be told apart
# level = 0.95            # of tests and intervals
# seed = 1

";

pub(super) const SETS: &str = "
[sets]
# few = [\"COLUMN\", \"COLUMN\"]

";

const TARGET_FORMS: &str = "\
# A class, a rule on a number (\">=4\") or a set of codes (\"{3,4,5}\") is positive; several targets are several scenarios.
";

/// A comment, folded into lines.
pub(super) fn comment(text: &str) -> String {
    let mut lines = vec![String::from("#")];
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()) {
        let is_full = |line: &String| line.len() > 1 && line.chars().count() + word.chars().count() >= WIDTH;
        if lines.last().is_some_and(is_full) {
            lines.push(String::from("#"));
        }
        lines.iter_mut().next_back().into_iter().for_each(|line| line.extend([" ", &*printable(word)]));
    }
    lines.join("\n") + "\n"
}

/// A text in quotes. TOML escapes what JSON does, and the delete character; so is here whatever cannot be seen.
pub(super) fn string(text: &str) -> String {
    let escaped = |c: char| match c {
        c if !is_hidden(c) => c.to_string(),
        c if u32::from(c) > 0xffff => format!("\\U{:08X}", u32::from(c)),
        c => format!("\\u{:04X}", u32::from(c)),
    };
    serde_json::Value::from(text).to_string().chars().map(escaped).collect()
}

/// A key, in quotes where it needs them.
pub(super) fn key(name: &str) -> String {
    let is_bare =
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
    if is_bare { name.to_owned() } else { string(name) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn comments_are_folded() {
        let text = comment(&"word ".repeat(50));
        assert!(
            text.lines().count() == 3
                && text.lines().all(|line| line.starts_with("# word") && line.len() <= WIDTH)
        );
        assert_eq!(comment("a\nb"), "# a b\n");
    }

    proptest! {
        #[test]
        fn any_name_comes_back(name in any::<String>()) {
            let text = format!("{}{} = {}\n", comment(&name), key(&name), string(&name));
            let table: toml::Table = toml::from_str(&text).expect("TOML");
            prop_assert!(!text.chars().any(|c| is_hidden(c) && c != '\n'), "{:?}", text);
            prop_assert_eq!(table.get(&name).and_then(|value| value.as_str()), Some(name.as_str()));
        }
    }
}
