//! Tables some or all of whose rows have no label: populations to be scored, or to be labelled next.

use tribunal_io::{Labels, ReadOptions, Source, TableReader};
use tribunal_learn::{Amounts, Dataset, Target};

use super::raw::{RawColumn, RawTable, RawValues};
use super::read::{ReadPlan, read_table};
use super::target::{FoundTarget, TargetRequest};
use super::{DataRequest, Loading, TableOrigin, amount, classes_of, find_targets};
use crate::error::Error;
use crate::progress::OnProgress;

/// What becomes of rows without a label: those whose target is missing, for one of the targets at least.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unlabelled {
    /// They are kept beside the others.
    #[default]
    Keep,
    /// They are left out; there must be others.
    Drop,
    /// Only they are kept.
    Only,
}

/// Rows of a table of which some or all have no label.
#[derive(Clone, Debug)]
pub struct Population {
    /// The predictors of all rows that are kept. It has no target, for a target gives every row a class.
    pub dataset: Dataset,
    /// The rows of `dataset` that have a label.
    pub labelled: Vec<u32>,
    /// Every target that was asked for, on the labelled rows; none where there are no such rows.
    pub targets: Vec<Target>,
    /// How many rows of the table have no label, whether they are kept or not.
    pub n_unlabelled: usize,
    /// The amounts of the rows of `dataset`, if they were asked for.
    pub amounts: Option<Amounts>,
    /// The rows of the table that `dataset` holds.
    pub rows: Vec<u32>,
    /// What a user should know: columns and rows that were left out, and why.
    pub notices: Vec<String>,
    /// What it takes to read another table in the same way.
    pub origin: TableOrigin,
}

impl Population {
    /// The rows that have a label, with the first target: what can be learned from.
    ///
    /// # Errors
    /// There is no such row, or no target was asked for.
    pub fn labelled_data(&self) -> Result<Dataset, Error> {
        let target = self.targets.first().ok_or_else(|| Error::data("no row has a label"))?;
        Ok(self.dataset.take(&self.labelled).with_target(target.clone())?)
    }

    /// The rows that have no label.
    pub fn unlabelled_data(&self) -> Dataset {
        let mut is_labelled = vec![false; self.dataset.n_rows()];
        self.labelled.iter().for_each(|&row| is_labelled[row as usize] = true);
        let rows: Vec<u32> =
            (0..).zip(is_labelled).filter(|(_, is_labelled)| !is_labelled).map(|(row, _)| row).collect();
        self.dataset.take(&rows)
    }
}

/// Reads files as one table in which labels may be missing. A target whose column is empty or not there leaves every row
/// without a label; without any target no column is kept from the predictors.
///
/// ```
/// use tribunal::{DataRequest, Source, TargetRequest, Unlabelled, load_population};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("claims.csv").to_string_lossy().into_owned();
/// # std::fs::write(&path, "lag,night,fraud\n3,yes,no\n14,no,yes\n2,no,\n9,yes,\n5,no,no\n")?;
/// // lag,night,fraud
/// // 3,yes,no
/// // 14,no,yes
/// // 2,no,
/// // 9,yes,
/// // 5,no,no
/// let mut request = DataRequest::default();
/// request.targets.push(TargetRequest { name: "fraud".into(), positive: Some("yes".parse()?) });
/// let source = Source::open(&[path])?;
/// let population = load_population(&source, &request, Unlabelled::Keep, &|_progress| ())?;
/// assert_eq!((population.dataset.n_rows(), population.n_unlabelled), (5, 2));
///
/// // Learned from the labelled rows, applied to the others.
/// let known = population.labelled_data()?;
/// let model = tribunal::Learner::fit(&"nb".parse()?, &known, &[0, 1, 2], 1)?;
/// assert_eq!(model.posteriors(&population.unlabelled_data(), &[0, 1])?.n_rows(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`load_data`](super::load_data), except for labels that are missing. Where labelled rows are kept they must be of at
/// least two classes.
pub fn load_population(
    source: &Source,
    request: &DataRequest,
    unlabelled: Unlabelled,
    on_progress: OnProgress<'_>,
) -> Result<Population, Error> {
    let absent = match unlabelled {
        Unlabelled::Drop => Vec::new(),
        Unlabelled::Keep | Unlabelled::Only => absent_targets(source, request)?,
    };
    let is_there = |target: &&TargetRequest| !absent.contains(target);
    let targets = request.targets.iter().filter(is_there).cloned().collect();
    let present = DataRequest { targets, ..request.clone() };
    let targets = find_targets(source, &present)?;
    amount::check(request.amount.as_deref(), &targets)?;
    let plan = ReadPlan { schema: &request.schema, targets: &targets, sample_seed: None };
    let raw = read_table(source, &plan, on_progress)?;
    let has_no_label = match absent.is_empty() && !targets.is_empty() {
        true => missing_labels(&targets, &raw)?,
        false => vec![true; raw.n_rows as usize],
    };
    let needs_classes =
        unlabelled == Unlabelled::Drop || (unlabelled == Unlabelled::Keep && has_no_label.contains(&false));
    let classes = if needs_classes { classes_of(&targets, &raw)? } else { Vec::new() };
    let mut loading = Loading::of_columns(source, &present, raw, &targets)?;
    let not_there = |target: &&TargetRequest| format!("\"{}\" is not there: no row has a label", target.name);
    loading.notices.extend(absent.iter().map(not_there));

    let is_labelled = |row: &u32| !has_no_label[*row as usize];
    let is_kept = |row: &u32| match unlabelled {
        Unlabelled::Keep => true,
        Unlabelled::Drop => is_labelled(row),
        Unlabelled::Only => !is_labelled(row),
    };
    let rows: Vec<u32> = (0..has_no_label.len() as u32).filter(is_kept).collect();
    let labelled: Vec<u32> =
        (0..).zip(&rows).filter(|(_, row)| is_labelled(row)).map(|(place, _)| place).collect();
    let in_table: Vec<u32> = labelled.iter().map(|&place| rows[place as usize]).collect();
    let named = targets.iter().zip(&classes);
    let found =
        named.map(|(found, classes)| classes.target(&found.name, &in_table)).collect::<Result<_, Error>>()?;
    let dataset = loading.dataset()?.take(&rows).select(&loading.predictors()?)?;
    Ok(Population {
        dataset,
        labelled,
        targets: found,
        n_unlabelled: has_no_label.iter().filter(|has_none| **has_none).count(),
        amounts: loading.amounts.take().map(|amounts| amounts.take(&rows)),
        rows,
        origin: TableOrigin::new(targets.first(), &request.schema, loading.ids),
        notices: loading.notices,
    })
}

/// The targets whose column the table does not have.
fn absent_targets<'a>(source: &Source, request: &'a DataRequest) -> Result<Vec<&'a TargetRequest>, Error> {
    let table = TableReader::open(source, &ReadOptions::default())?;
    let is_absent = |target: &&TargetRequest| {
        let declared = request.schema.targets.get(&target.name);
        let name = declared.map_or(&target.name, |declared| &declared.column);
        table.columns().iter().all(|column| column.name != *name)
    };
    Ok(request.targets.iter().filter(is_absent).collect())
}

/// Whether each row lacks the label of one target or another.
fn missing_labels(targets: &[FoundTarget], raw: &RawTable) -> Result<Vec<bool>, Error> {
    let mut has_no_label = vec![false; raw.n_rows as usize];
    for column in
        targets.iter().filter_map(|target| raw.columns.iter().find(|column| column.name == target.column))
    {
        match &column.values {
            RawValues::Numbers { values, .. } => {
                refuse_strays(column)?;
                has_no_label.iter_mut().zip(values).for_each(|(lacks, value)| *lacks |= value.is_nan());
            }
            RawValues::Labels { codes, .. } => {
                has_no_label
                    .iter_mut()
                    .zip(codes)
                    .for_each(|(lacks, code)| *lacks |= *code == Labels::MISSING);
            }
            RawValues::Unreadable => {
                return Err(Error::data(format!("the target \"{}\" cannot be read", column.name)));
            }
        }
    }
    Ok(has_no_label)
}

/// A text among numbers is a label that cannot be read, not one that is missing.
fn refuse_strays(column: &RawColumn) -> Result<(), Error> {
    column.strays.first.first().map_or(Ok(()), |stray| {
        Err(Error::data(format!(
            "{}, target \"{}\": \"{}\" is not a number; correct it, or declare that it means missing",
            stray.place, column.name, stray.text
        )))
    })
}
