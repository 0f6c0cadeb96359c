//! Tables turned into data sets: read whole, given kinds, split into predictors and target.

mod amount;
mod origin;
mod population;
mod raw;
mod read;
mod sample;
mod schema_file;
mod target;
mod typed;
mod weight;

use rayon::prelude::*;
use rustc_hash::FxHashSet;
use tribunal_io::{ReadOptions, RepeatedFile, Source, TableReader};
use tribunal_learn::{Amounts, Column, Dataset, Kind, PredictorSet, Role, Schema, Target, Values};

pub use origin::TableOrigin;
pub use population::{Population, Unlabelled, load_population};
pub use schema_file::{is_built_in_schema, read_schema};
pub use target::TargetRequest;

pub(crate) use raw::{RawColumn, RawTable};
pub(crate) use read::{ReadPlan, missing_texts, read_table};
pub(crate) use schema_file::read_ordered_schema;
pub(crate) use target::{ClassColumn, FoundTarget};
pub(crate) use typed::{Figures, TypedColumn};

use self::typed::typed;
use crate::error::Error;
use crate::progress::OnProgress;

/// What to make of a table.
#[derive(Clone, Debug, Default)]
pub struct DataRequest {
    /// What is declared about its columns.
    pub schema: Schema,
    /// What is to be predicted; several encodings may stand side by side.
    pub targets: Vec<TargetRequest>,
    /// The predictors: `all`, `flags`, or a set that the schema names.
    pub predictors: Option<String>,
    /// The column of amounts, which the schema must declare as such.
    pub amount: Option<String>,
}

/// A data set with what was noticed while it was made.
#[derive(Clone, Debug)]
pub struct LoadedData {
    /// The predictors, with the first target if one was asked for.
    pub dataset: Dataset,
    /// Every target that was asked for, on the same rows.
    pub targets: Vec<Target>,
    /// The amounts of its rows, if they were asked for.
    pub amounts: Option<Amounts>,
    /// The rows of the table that it holds: those whose targets are known.
    pub rows: Vec<u32>,
    /// What a user should know: columns and rows that were left out, and why.
    pub notices: Vec<String>,
    /// What it takes to read another table in the same way.
    pub origin: TableOrigin,
}

/// Reads files as one table and makes a data set of it.
///
/// ```
/// use tribunal::{DataRequest, Source, TargetRequest, load_data};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("claims.csv").to_string_lossy().into_owned();
/// # std::fs::write(&path, "claim,lag,night,fraud\nC1,3,yes,no\nC2,14,no,yes\nC3,,no,no\n")?;
/// // claim,lag,night,fraud
/// // C1,3,yes,no
/// // C2,14,no,yes
/// // C3,,no,no
/// let mut request = DataRequest::default();
/// request.schema.columns.insert("claim".into(), "id".parse()?);
/// request.targets.push(TargetRequest { name: "fraud".into(), positive: Some("yes".parse()?) });
/// let loaded = load_data(&Source::open(&[path])?, &request, &|_progress| ())?;
/// assert_eq!(loaded.dataset.columns().len(), 2);
/// assert_eq!(loaded.dataset.target().map(|target| target.counts()), Some(vec![2, 1]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Rows whose target is missing are left out; [`load_population`] keeps them.
///
/// # Errors
/// Files that cannot be read, a target that is not there or tells nothing apart, values that the schema does not
/// allow, a column of numbers in which a few cells hold something else.
pub fn load_data(
    source: &Source,
    request: &DataRequest,
    on_progress: OnProgress,
) -> Result<LoadedData, Error> {
    let targets = find_targets(source, request)?;
    amount::check(request.amount.as_deref(), &targets)?;
    let plan = ReadPlan { schema: &request.schema, targets: &targets, sample_seed: None };
    let raw = read_table(source, &plan, on_progress)?;
    let classes = classes_of(&targets, &raw)?;
    Loading::of_columns(source, request, raw, &targets)?.finish(&targets, &classes)
}

/// The columns of a table that are no targets, each with its name and its kind; `None` for one that cannot be read.
pub(crate) fn typed_columns(
    raw: RawTable,
    targets: &[FoundTarget],
    schema: &Schema,
) -> Vec<(String, Result<Option<TypedColumn>, Error>)> {
    let is_target = |name: &str| targets.iter().any(|target| target.column == name);
    let columns: Vec<RawColumn> = raw.columns.into_iter().filter(|column| !is_target(&column.name)).collect();
    let give_kind = |column: RawColumn| {
        let name = column.name.clone();
        let declared = schema.columns.get(&name);
        (name, typed(column, declared))
    };
    columns.into_par_iter().map(give_kind).collect()
}

/// The classes that targets make of their columns.
pub(crate) fn classes_of(targets: &[FoundTarget], raw: &RawTable) -> Result<Vec<ClassColumn>, Error> {
    let classes = |target: &FoundTarget| {
        let column = raw.columns.iter().find(|column| column.name == target.column);
        let unread = || Error::data(format!("the target \"{}\" cannot be read", target.column));
        target.classes(column.ok_or_else(unread)?)
    };
    targets.iter().map(classes).collect()
}

/// Finds the targets that are asked for, and checks that declared columns are there.
pub(crate) fn find_targets(source: &Source, request: &DataRequest) -> Result<Vec<FoundTarget>, Error> {
    let table = TableReader::open(source, &ReadOptions::default())?;
    let names: Vec<&str> = table.columns().iter().map(|column| column.name.as_str()).collect();
    let known: FxHashSet<&str> = names.iter().copied().collect();
    if let Some(name) = request.schema.columns.keys().find(|name| !known.contains(name.as_str())) {
        let near = tribunal_io::nearest(name, names.iter().copied());
        let near = near.map_or_else(String::new, |near| format!("; did you mean \"{near}\"?"));
        return Err(Error::usage(format!(
            "the schema declares a column \"{name}\" that the table does not have{near}"
        )));
    }
    let targets: Vec<FoundTarget> = request
        .targets
        .iter()
        .map(|target| target.find(&request.schema, &names))
        .collect::<Result<_, _>>()?;
    weight::check(&request.schema, &targets)?;
    Ok(targets)
}

/// A data set on its way.
struct Loading<'a> {
    request: &'a DataRequest,
    notices: Vec<String>,
    columns: Vec<Column>,
    /// Columns that nobody asked to leave out, and that are.
    left_out: Vec<String>,
    ids: Vec<String>,
    /// The column of weights, with its name.
    weights: Option<(String, Vec<f64>)>,
    amounts: Option<Amounts>,
}

impl<'a> Loading<'a> {
    fn new(request: &'a DataRequest) -> Self {
        Loading {
            request,
            notices: Vec::new(),
            columns: Vec::new(),
            left_out: Vec::new(),
            ids: Vec::new(),
            weights: None,
            amounts: None,
        }
    }

    /// Takes the columns of a table that are no targets.
    fn of_columns(
        source: &Source,
        request: &'a DataRequest,
        raw: RawTable,
        targets: &[FoundTarget],
    ) -> Result<Self, Error> {
        let mut loading = Loading::new(request);
        loading.notices.extend(source.repeated()?.iter().map(RepeatedFile::to_string));
        for (name, column) in typed_columns(raw, targets, &request.schema) {
            loading.take(&name, column?)?;
        }
        Ok(loading)
    }

    fn take(&mut self, name: &str, column: Option<TypedColumn>) -> Result<(), Error> {
        let declared = self.request.schema.columns.get(name);
        let Some(column) = column else {
            self.leave_out(name, "it holds lists, structs or bytes");
            return Ok(());
        };
        if column.role != Role::Predictor {
            if declared.is_none() {
                self.leave_out(name, &column.remarks_text());
            }
            match column.role {
                Role::Identifier => self.ids.push(name.to_owned()),
                Role::Weight => self.weigh(&column)?,
                Role::Amount if self.request.amount.as_deref() == Some(name) => {
                    self.amounts = Some(amount::amounts(&column)?);
                }
                _ => {}
            }
            return Ok(());
        }
        if column.n_strays > 0 {
            return Err(typed::nearly_numeric(&column));
        }
        if let Some(error) = declared.is_none().then(|| typed::in_other_notation(&column)).flatten() {
            return Err(error);
        }
        check_bins(&column.column)?;
        if !self.is_too_rare(&column) {
            self.columns.push(column.column);
        }
        Ok(())
    }

    fn leave_out(&mut self, name: &str, reason: &str) {
        self.notices.push(format!("\"{name}\" is left out: {reason}"));
        self.left_out.push(name.to_owned());
    }

    /// Takes a column for the weights of the rows.
    fn weigh(&mut self, column: &TypedColumn) -> Result<(), Error> {
        let name = column.column.name();
        if let Some((other, _)) = &self.weights {
            return Err(Error::usage(format!(
                "both \"{other}\" and \"{name}\" are weights; choose one of them"
            )));
        }
        self.weights = Some((name.to_owned(), weight::weights(column)?));
        Ok(())
    }

    /// Whether a flag is one in too few rows to be of use.
    fn is_too_rare(&mut self, column: &TypedColumn) -> bool {
        let (Kind::Flag, Figures::Levels { counts, .. }) = (column.column.kind(), &column.figures) else {
            return false;
        };
        let (firings, least) = (counts[1], self.request.schema.min_firings);
        let is_rare = firings < least as u64;
        if is_rare {
            let reason = format!("it is 1 in {firings} rows, fewer than {least}");
            self.leave_out(column.column.name(), &reason);
        }
        is_rare
    }

    /// All rows with their weights; predictors are still to be chosen.
    fn dataset(&mut self) -> Result<Dataset, Error> {
        if self.columns.is_empty() {
            let why = self.notices.iter().map(|notice| format!("; {notice}")).collect::<String>();
            return Err(Error::data(format!(
                "there is no column to learn from{why}; add one, or declare its kind"
            )));
        }
        let dataset = Dataset::new(std::mem::take(&mut self.columns))?;
        Ok(match self.weights.take() {
            Some((_, weights)) => dataset.with_weights(weights)?,
            None => dataset,
        })
    }

    fn finish(mut self, found: &[FoundTarget], classes: &[ClassColumn]) -> Result<LoadedData, Error> {
        let mut dataset = self.dataset()?;
        let has_classes = |row: &u32| classes.iter().all(|column| column.codes[*row as usize].is_some());
        let n_rows = dataset.n_rows();
        let rows: Vec<u32> = (0..n_rows as u32).filter(has_classes).collect();
        if rows.len() < n_rows {
            let n_dropped = n_rows - rows.len();
            let rows_are = if n_dropped == 1 { "row is" } else { "rows are" };
            self.notices.push(format!("{n_dropped} {rows_are} left out: the target is missing"));
            dataset = dataset.take(&rows);
        }
        let target = |(found, classes): (&FoundTarget, &ClassColumn)| classes.target(&found.name, &rows);
        let targets: Vec<Target> = found.iter().zip(classes).map(target).collect::<Result<_, Error>>()?;
        if let Some(weights) = dataset.weights() {
            targets.iter().try_for_each(|target| weight::check_classes(target, weights))?;
        }
        if let Some(first) = targets.first() {
            dataset = dataset.with_target(first.clone())?;
        }
        let dataset = dataset.select(&self.predictors()?)?;
        if dataset.columns().is_empty() {
            return Err(empty_set(self.request.predictors.as_deref().unwrap_or("all")));
        }
        let amounts = self.amounts.take().map(|amounts| amounts.take(&rows));
        let origin = TableOrigin::new(found.first(), &self.request.schema, self.ids);
        Ok(LoadedData { dataset, targets, amounts, rows, notices: self.notices, origin })
    }

    /// The predictors asked for; those of a set that were left out for good reason are not missed.
    fn predictors(&self) -> Result<PredictorSet, Error> {
        let sets = &self.request.schema.sets;
        match self.request.predictors.as_deref() {
            None | Some("all") => Ok(PredictorSet::All),
            Some("flags") => Ok(PredictorSet::Flags),
            Some(name) => {
                let set = sets.get(name).ok_or_else(|| unknown_set(name, &self.request.schema))?;
                let kept = set.iter().filter(|name| !self.left_out.contains(name));
                Ok(PredictorSet::Named(kept.cloned().collect()))
            }
        }
    }
}

/// Whether a set of predictors is built in or declared.
pub(crate) fn has_set(name: &str, schema: &Schema) -> bool {
    sets_of(schema).any(|known| known == name)
}

fn sets_of(schema: &Schema) -> impl Iterator<Item = &str> {
    ["all", "flags"].into_iter().chain(schema.sets.keys().map(String::as_str))
}

/// Lists the sets of predictors.
pub(crate) fn unknown_set(name: &str, schema: &Schema) -> Error {
    let near = tribunal_io::nearest(name, sets_of(schema));
    let near = near.map_or_else(String::new, |near| format!("; did you mean \"{near}\"?"));
    let known = sets_of(schema).collect::<Vec<_>>().join(", ");
    Error::usage(format!("there is no set of predictors \"{name}\"{near} (there are: {known})"))
}

/// There is nothing to learn from in a set of predictors.
fn empty_set(name: &str) -> Error {
    let advice = "declare kinds of columns, or name other predictors";
    Error::usage(format!("the set of predictors \"{name}\" is empty; {advice}"))
}

/// Refuses numbers that the bins of a column have no place for.
fn check_bins(column: &Column) -> Result<(), Error> {
    if let (Kind::Binned(rule), Values::Numbers(numbers)) = (column.kind(), column.values())
        && let Some(bins) = tribunal_learn::encoding::Bins::given(rule)
    {
        let wrong = numbers.iter().enumerate().find_map(|(row, &value)| Some((row, bins.bin(value).err()?)));
        if let Some((row, error)) = wrong {
            return Err(Error::data(format!("column \"{}\", row {}: {error}", column.name(), row + 1)));
        }
    }
    Ok(())
}
