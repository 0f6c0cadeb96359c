//! Small commands for tests, and rows for them to learn from.

use std::path::Path;

use tempfile::TempDir;
use tribunal_learn::{Column, Dataset, Kind, Levels, MISSING, Target, Values};

use super::OutsideLearner;

/// What scores every row by the share of positives among the training rows; its last column is the class.
pub(crate) const SHARE: &str = r#"case "$1" in
fit) awk -F, 'NR > 1 && $NF == "yes" { n++ } END { print n / (NR - 1) }' "$2" > "$3";;
score) { echo score; awk -v p="$(cat "$2")" 'NR > 1 { print p }' "$3"; } > "$4";;
explain) echo "the share is $(cat "$2")";;
*) exit 64;;
esac"#;

/// A shell script that learns.
pub(crate) struct Script(TempDir);

impl Script {
    pub(crate) fn new(text: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("learner.sh"), text).expect("a script");
        Script(folder)
    }

    pub(crate) fn folder(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn learner(&self) -> OutsideLearner {
        self.learner_with("")
    }

    /// The learner with settings, which stand in brackets.
    pub(crate) fn learner_with(&self, settings: &str) -> OutsideLearner {
        let path = self.folder().join("learner.sh");
        format!("outside{settings}:sh {}", path.display()).parse().expect("a learner")
    }
}

/// Rows with a number, a level and a flag, all of which may be missing; every third is positive.
pub(crate) fn claims(n_rows: u32) -> Dataset {
    let missing = |row: u32, code: u32| if row % 10 == 9 { MISSING } else { code };
    let numbers = (0..n_rows).map(|row| if row % 7 == 6 { f64::NAN } else { f64::from(row * 5 % 13) / 2.0 });
    let make = (0..n_rows).map(|row| missing(row, row * 7 % 3));
    let columns = vec![
        Column::new("lag", Kind::Numeric, Values::Numbers(numbers.collect())),
        Column::new(
            "make",
            Kind::Categorical(Levels::met(["Fiat", "a,b", "NA"])),
            Values::Codes(make.collect()),
        ),
        Column::new(
            "night",
            Kind::Flag,
            Values::Codes((0..n_rows).map(|row| missing(row, row % 2)).collect()),
        ),
    ];
    let columns = columns.into_iter().collect::<Result<_, _>>().expect("columns");
    let target =
        Target::new("fraud", ["no", "yes"], (0..n_rows).map(|row| u32::from(row % 3 == 0)).collect());
    Dataset::new(columns).and_then(|data| data.with_target(target?)).expect("a data set")
}
