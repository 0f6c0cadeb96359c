//! Columns that seem to be known only after the outcome (target leakage).
//!
//! Three signs, the surest first: the column alone ranks the classes nearly perfectly; whether it is missing does; or a
//! part of its values - its missing cells, its commonest number, everything but that number, a level - occurs in one class
//! only, in more rows than chance allows, and makes up much of that class ([`one_sided`]). `describe`, `init`, `fit` and
//! studies all ask here. What is found is told and nothing is dropped: whether a column is known in time is not in the table.

mod alone;
mod one_sided;

use std::fmt;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use tribunal_learn::{Column, Dataset, Target};

pub(crate) use self::alone::{alone, alone_by_presence};
use self::one_sided::one_sided;
use crate::describe::Alone;

/// A column that ranks this well by itself is suspected to be known only after the outcome. A lower bar would accuse honest
/// predictors.
const NEARLY_PERFECT: f64 = 0.995;

/// Fewer rows than this are told apart by chance.
const FEWEST_ROWS: u64 = 10;

/// Fewer rows of the rarer class than this stand at one end of a column by chance: of 45 rows five do in one of 600,000
/// columns, one in one of 22.
const FEWEST_RARER: u64 = 5;

/// More rows than this are looked at by a sample: signs as strong as these show in any.
const MOST_ROWS: usize = 100_000;

/// The seed of the folds on which levels are scored.
const SEED: u64 = 1;

/// A column that seems to be known only after the outcome.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Leak {
    /// The column.
    pub column: String,
    /// The target that it gives away.
    pub target: String,
    /// Why it is suspected.
    pub evidence: LeakEvidence,
}

/// Why a column is suspected.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "sign", rename_all = "kebab-case")]
pub enum LeakEvidence {
    /// Its values rank every class nearly perfectly.
    Ranks {
        /// The AUROC of the column alone; of several classes the lowest.
        auroc: f64,
    },
    /// Whether it is missing ranks every class nearly perfectly.
    Presence {
        /// The AUROC of its being there; of several classes the lowest.
        auroc: f64,
    },
    /// A part of its values occurs in one class only.
    OneSided {
        /// Which part.
        #[serde(flatten)]
        part: ValuePart,
        /// How many rows have it.
        rows: u64,
        /// The class that all of them have.
        class: String,
        /// The share of that class that they make up.
        covered: f64,
    },
}

/// A part of the values of a column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "part", content = "value", rename_all = "kebab-case")]
pub enum ValuePart {
    /// The missing ones.
    Missing,
    /// All that are there.
    Present,
    /// One value or level.
    Value(String),
    /// All that are there but one, the commonest.
    AnyBut(String),
}

impl fmt::Display for Leak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.column;
        match &self.evidence {
            LeakEvidence::Ranks { auroc } => {
                write!(f, "\"{name}\" alone reaches an AUROC of {auroc:.3}: is it known before the outcome?")
            }
            LeakEvidence::Presence { .. } => {
                write!(
                    f,
                    "whether \"{name}\" is missing gives the class away: is it filled in after the outcome?"
                )
            }
            LeakEvidence::OneSided { part, rows, class, covered } => {
                let part = match part {
                    ValuePart::Missing => "is missing".to_owned(),
                    ValuePart::Present => "is filled in".to_owned(),
                    ValuePart::Value(value) => format!("is {value}"),
                    ValuePart::AnyBut(value) => format!("is other than {value}"),
                };
                // A share that rounds to all of the class while some rows are missing would say too much.
                let percent = (100.0 * covered).floor();
                write!(
                    f,
                    "suspicious: \"{name}\" {part} in {rows} rows, all of them {class} ({percent} % of that class) and none of \
                     another class: known only after the outcome?"
                )
            }
        }
    }
}

/// A target with the rows of its classes.
pub(crate) struct TargetRows {
    pub(crate) target: String,
    /// The names of the classes; of two the second is the positive one.
    pub(crate) classes: Vec<String>,
    /// The positive class against the other, or each of several against the rest.
    pub(crate) truths: Vec<ClassTruth>,
}

/// A class told from the others: its name where there are more than two, and whether each row has it; `None` where the
/// class of the row is not known.
pub(crate) struct ClassTruth {
    pub(crate) class: Option<String>,
    pub(crate) truth: Vec<Option<bool>>,
}

impl TargetRows {
    /// From the place of each row's class among all.
    pub(crate) fn new(target: &str, classes: &[String], codes: &[Option<u32>]) -> Self {
        let of = |class: u32, name: Option<&String>| ClassTruth {
            class: name.cloned(),
            truth: codes.iter().map(|code| code.map(|code| code == class)).collect(),
        };
        let truths = match classes {
            [_, _] => vec![of(1, None)],
            several => several.iter().zip(0..).map(|(name, class)| of(class, Some(name))).collect(),
        };
        TargetRows { target: target.to_owned(), classes: classes.to_vec(), truths }
    }

    /// For each class what is told of it.
    pub(crate) fn told(&self, tells: impl Fn(&[Option<bool>]) -> Option<Alone>) -> Vec<Option<Alone>> {
        let of_class =
            |truth: &ClassTruth| Some(Alone { class: truth.class.clone(), ..tells(&truth.truth)? });
        self.truths.iter().map(of_class).collect()
    }

    /// Why one of `n_columns` columns is suspected, which tells so much by its values and by being there.
    ///
    /// It must give away every class: that one of several is told perfectly happens to honest predictors.
    pub(crate) fn leak(
        &self,
        column: &Column,
        told: &[Option<Alone>],
        by_presence: &[Option<Alone>],
        n_columns: usize,
    ) -> Option<Leak> {
        let ranks = lowest(told).map(|auroc| LeakEvidence::Ranks { auroc });
        let presence = || lowest(by_presence).map(|auroc| LeakEvidence::Presence { auroc });
        let in_part = || match (&self.truths[..], &self.classes[..]) {
            ([truth], [negative, positive]) => {
                let found = one_sided(column, &truth.truth, n_columns)?;
                let class = if found.class { positive } else { negative }.clone();
                let (part, rows, covered) = (found.part, found.rows, found.covered);
                Some(LeakEvidence::OneSided { part, rows, class, covered })
            }
            _ => None,
        };
        let evidence = ranks.or_else(presence).or_else(in_part)?;
        Some(Leak { column: column.name().to_owned(), target: self.target.clone(), evidence })
    }
}

/// The lowest AUROC of all classes, where it is nearly perfect.
fn lowest(told: &[Option<Alone>]) -> Option<f64> {
    let auroc = |alone: &Option<Alone>| {
        let is_enough = |alone: &&Alone| alone.n >= FEWEST_ROWS && alone.n_rarer >= FEWEST_RARER;
        alone.as_ref().filter(is_enough).map(|alone| alone.auroc)
    };
    let aurocs: Option<Vec<f64>> = told.iter().map(auroc).collect();
    aurocs?.into_iter().min_by(f64::total_cmp).filter(|auroc| *auroc >= NEARLY_PERFECT)
}

/// The predictors of a data set that seem to be known only after the outcome of some targets.
pub(crate) fn leaks_of(dataset: &Dataset, targets: &[Target]) -> Vec<Leak> {
    let n_rows = dataset.n_rows();
    let step = n_rows.div_ceil(MOST_ROWS).max(1);
    let rows: Vec<u32> = (0..n_rows as u32).step_by(step).collect();
    let sampled = (step > 1).then(|| dataset.take(&rows));
    let columns = sampled.as_ref().unwrap_or(dataset).columns();
    let of_target = |target: &Target| {
        let codes: Vec<Option<u32>> = rows.iter().map(|&row| Some(target.codes()[row as usize])).collect();
        TargetRows::new(target.name(), target.classes(), &codes)
    };
    let targets: Vec<TargetRows> = targets.iter().map(of_target).collect();
    let of_column = |column: &Column| -> Vec<Leak> {
        let leak = |target: &TargetRows| {
            let told = target.told(|truth| alone(column, truth, SEED));
            let by_presence = match column.values().n_missing() {
                0 => Vec::new(),
                _ => target.told(|truth| alone_by_presence(column, truth)),
            };
            target.leak(column, &told, &by_presence, columns.len())
        };
        targets.iter().filter_map(leak).collect()
    };
    columns.par_iter().flat_map_iter(of_column).collect()
}
