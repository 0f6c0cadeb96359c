//! A design applied to rows: frozen, so that every learner meets the same ones.
//!
//! That is what *blocked* means in the analysis of variance over folds (Viaene et al. 2002), and two learners were blocked
//! if and only if their plans have the same hash.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::assignment::{Assigned, Assignment};
use super::design::Design;
use super::rows::Rows;
use super::split::{Part, Split};
use super::warning::Warning;
use crate::error::{Error, ErrorKind};

/// The version of the stored form of plans.
pub const PLAN_SCHEMA: &str = "tribunal.plan/1";

/// Splits of some rows, the same for every learner.
///
/// ```
/// use tribunal::resampling::{LabelColumn, Plan, Rows};
///
/// let fraud = LabelColumn::of("fraud", ["no", "yes", "no", "no", "yes", "no"]);
/// let plan = Plan::new(&"cv:2".parse()?, &Rows::of_classes(&fraud), 42)?;
/// assert_eq!(plan.n_splits(), 2);
/// assert_eq!(plan.split(0).test.len() + plan.split(0).train.len(), 6);
/// # Ok::<(), tribunal::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "Stored", try_from = "Stored")]
pub struct Plan {
    design: Design,
    seed: u64,
    n_rows: usize,
    assignment: Assignment,
    warnings: Vec<Warning>,
}

/// Which repetition a split belongs to, and which of its folds is tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SplitPlace {
    /// The repetition or replicate, from zero.
    pub repetition: usize,
    /// The fold within it, from zero.
    pub fold: usize,
}

impl Plan {
    /// Divides rows.
    ///
    /// # Errors
    /// The rows cannot be divided so; the kind says why.
    pub fn new(design: &Design, rows: &Rows<'_>, seed: u64) -> Result<Self, Error> {
        let Assigned { assignment, warnings } = design.assign(rows, seed)?;
        Ok(Self { design: design.clone(), seed, n_rows: rows.n_rows(), assignment, warnings })
    }

    /// A plan whose assignment comes from elsewhere.
    pub(super) fn given(
        design: Design,
        seed: u64,
        n_rows: usize,
        assignment: Assignment,
    ) -> Result<Self, Error> {
        Rows::new(n_rows).check()?;
        check_assignment(&assignment, n_rows)?;
        Ok(Self { design, seed, n_rows, assignment, warnings: Vec::new() })
    }

    /// The design.
    pub fn design(&self) -> &Design {
        &self.design
    }

    /// The seed, from which inner plans and learners derive theirs.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// How many rows are divided.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// How many splits there are.
    pub fn n_splits(&self) -> usize {
        self.assignment.n_splits(self.n_rows)
    }

    /// The rows of a split, gathered when asked for.
    ///
    /// # Panics
    /// There is no such split.
    pub fn split(&self, split_idx: usize) -> Split {
        let n_splits = self.n_splits();
        assert!(split_idx < n_splits, "split {split_idx} of {n_splits}");
        self.assignment.split(self.n_rows, split_idx)
    }

    /// Every split in order.
    pub fn splits(&self) -> impl Iterator<Item = Split> {
        (0..self.n_splits()).map(|split_idx| self.split(split_idx))
    }

    /// Which repetition and fold a split is.
    pub fn place(&self, split_idx: usize) -> SplitPlace {
        match &self.assignment {
            Assignment::Folds { n_folds, .. } => {
                let n_folds = *n_folds as usize;
                SplitPlace { repetition: split_idx / n_folds, fold: split_idx % n_folds }
            }
            Assignment::LeaveOneOut => SplitPlace { repetition: 0, fold: split_idx },
            _ => SplitPlace { repetition: split_idx, fold: 0 },
        }
    }

    /// The fold in which each row is tested, where a repetition tests every row once: cross-validation and leave-one-out.
    pub fn fold_of_row(&self, repetition: usize) -> Option<Vec<u32>> {
        match &self.assignment {
            Assignment::Folds { repetitions, .. } => Some(repetitions.get(repetition)?.iter().collect()),
            Assignment::LeaveOneOut if repetition == 0 => Some((0..self.n_rows as u32).collect()),
            _ => None,
        }
    }

    /// What a careful person would say about it.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// How many bootstrap replicates were drawn again, because they left no row out or held one class only.
    pub fn n_redrawn(&self) -> u64 {
        match self.assignment {
            Assignment::Replicates { n_redrawn, .. } => n_redrawn,
            _ => 0,
        }
    }

    /// The SHA-256 of what is divided how, in lower-case hexadecimal digits: equal if and only if all splits are.
    ///
    /// Neither the seed nor the words of the design are part of it, so folds read back from a column have the hash of the
    /// plan that wrote them.
    pub fn hash(&self) -> String {
        let mut hasher = Sha256::new();
        hasher.update(format!("{PLAN_SCHEMA} {}\n", self.n_rows));
        self.assignment.digest(&mut hasher);
        hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    pub(super) fn assignment(&self) -> &Assignment {
        &self.assignment
    }
}

/// The stored form.
#[derive(Serialize, Deserialize)]
struct Stored {
    schema: String,
    design: String,
    seed: u64,
    n_rows: usize,
    assignment: Assignment,
    #[serde(default)]
    warnings: Vec<Warning>,
}

impl From<Plan> for Stored {
    fn from(plan: Plan) -> Self {
        Self {
            schema: PLAN_SCHEMA.into(),
            design: plan.design.to_string(),
            seed: plan.seed,
            n_rows: plan.n_rows,
            assignment: plan.assignment,
            warnings: plan.warnings,
        }
    }
}

impl TryFrom<Stored> for Plan {
    type Error = Error;

    fn try_from(stored: Stored) -> Result<Self, Error> {
        if stored.schema != PLAN_SCHEMA {
            return Err(contradiction(format!(
                "its schema is \"{}\" and not \"{PLAN_SCHEMA}\"",
                stored.schema
            )));
        }
        let design = stored.design.parse()?;
        let plan = Self::given(design, stored.seed, stored.n_rows, stored.assignment)?;
        Ok(Self { warnings: stored.warnings, ..plan })
    }
}

fn contradiction(words: impl std::fmt::Display) -> Error {
    Error::new(
        ErrorKind::BadPlan,
        format!("the plan contradicts itself: {words}; make it again from its design and seed"),
    )
}

/// What must hold of every assignment, whoever made it.
fn check_assignment(assignment: &Assignment, n_rows: usize) -> Result<(), Error> {
    if assignment.n_splits(n_rows) == 0 {
        return Err(contradiction("it has no split"));
    }
    match assignment {
        Assignment::Folds { n_folds, repetitions } => repetitions.iter().try_for_each(|numbers| {
            check_length(numbers.len(), n_rows)?;
            check_numbers(*n_folds, n_rows, &mut *numbers.iter())
        }),
        Assignment::Parts { repetitions } => repetitions.iter().try_for_each(|parts| {
            check_length(parts.len(), n_rows)?;
            let lacking = [Part::Train, Part::Test].into_iter().find(|part| !parts.contains(part));
            lacking.map_or(Ok(()), |part| Err(contradiction(format!("a {} part has no row", part.name()))))
        }),
        Assignment::Draws { replicates } => replicates.iter().try_for_each(|draws| {
            check_length(draws.len(), n_rows)?;
            let n_drawn: u64 = draws.iter().map(|&times| u64::from(times)).sum();
            let is_replicate = n_drawn == n_rows as u64 && draws.contains(&0);
            let words = || {
                contradiction(format!("a replicate of {n_rows} rows draws {n_drawn} and must leave one out"))
            };
            if is_replicate { Ok(()) } else { Err(words()) }
        }),
        Assignment::LeaveOneOut | Assignment::Replicates { .. } => Ok(()),
    }
}

fn check_length(length: usize, n_rows: usize) -> Result<(), Error> {
    if length == n_rows {
        Ok(())
    } else {
        Err(contradiction(format!("{length} rows of {n_rows} are assigned")))
    }
}

/// Every fold below `n_folds` has a row, and no row has another fold.
fn check_numbers(n_folds: u32, n_rows: usize, numbers: &mut dyn Iterator<Item = u32>) -> Result<(), Error> {
    super::cv::check_folds(n_folds, n_rows)?;
    let mut is_used = vec![false; n_folds as usize];
    for fold in numbers {
        let used = is_used.get_mut(fold as usize);
        *used.ok_or_else(|| contradiction(format!("a row stands in fold {fold} of {n_folds}")))? = true;
    }
    let unused = is_used.iter().position(|used| !used);
    unused.map_or(Ok(()), |fold| Err(contradiction(format!("fold {fold} has no row"))))
}
