//! A table copied row by row: some rows, or all, with columns added.
//!
//! A sample that is drawn, a fold that is assigned, a score that is given belong beside the columns a user already has,
//! and those should come back as they were. So a file is copied as it stands wherever the format stays the same: text
//! byte for byte, columns with their types. Which rows there are, and in which order, is for the reader of this crate to
//! say; a copy counts them in the same way.

mod added;
mod batches;
mod open_file;
mod scan;
mod tally;
mod verbatim;

use std::io::Write;

use arrow_schema::{FieldRef, Schema};

use self::added::{AddedText, csv_names};
use self::batches::{BatchCopy, schema_of};
use self::open_file::OpenFile;
use self::scan::{add_kinds, add_kinds_of_text};
use self::verbatim::{JsonRows, copy_rows};
use crate::columnar::guarded;
use crate::csv::CsvTable;
use crate::error::Error;
use crate::file_table::{FileTable, taken, unknown_column};
use crate::json_lines::JsonTable;
use crate::kind::NamedKinds;
use crate::source::{Input, Source};
use crate::table::{Progress, ReadOptions, agreed_columns};
use crate::write::{TableFormat, unwritten};

pub use self::added::{AddedColumn, AddedValues};
pub(crate) use self::tally::{Passed, Tally};

/// Which rows of a table are copied, and what is added to them.
///
/// Everything here speaks of all rows of the source, in file order, those that are not kept included.
#[derive(Clone, Copy, Debug, Default)]
pub struct RowCopy<'a> {
    /// Whether each row is kept; `None` keeps all.
    pub keep: Option<&'a [bool]>,
    /// The columns that are copied, in this order; `None` copies all.
    pub columns: Option<&'a [&'a str]>,
    /// The columns that are added, after those that are copied.
    pub added: &'a [AddedColumn<'a>],
}

/// What a copy came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CopySummary {
    /// How many rows the source has.
    pub rows: u64,
    /// How many of them were copied.
    pub kept: u64,
}

/// Copies the rows of a table that are kept, with columns added, in the format that is asked for.
///
/// - *CSV to CSV*: each row byte for byte, with the added fields after it, set apart by the delimiter of the file.
///   Blank lines are no rows and are not copied. A last line that nothing ends is ended.
/// - *JSON lines to JSON lines*: each line as it stands, with the added keys at the end of its object.
/// - *Parquet or Arrow to either*: types, missing values and metadata stay as they are.
/// - *All else* goes by way of typed columns. Parquet and Arrow keep their types as far as the format has them; to text,
///   dates go in the words of ISO 8601. A text file is read twice, the first time to find the type of each column: an
///   Int64 if all its values are written as whole numbers, a Float64 if they are numbers, a text otherwise. Numbers with
///   zeros in front (`007`) stay texts. What is missing is null, an empty text included. CSV files that do not agree in
///   their delimiter or in the order of their columns go this way too, and so does every copy of some columns.
///
/// Memory is bounded by the number of threads; the bytes do not depend on it.
///
/// ```
/// use tribunal_io::{AddedColumn, AddedValues, ReadOptions, RowCopy, Source, TableFormat, copy_table, write_whole};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("claims.csv").to_string_lossy().into_owned();
/// # let sample = folder.path().join("sample.csv");
/// # std::fs::write(&path, "claim;amount\nC-1;120,50\nC-2;80\nC-3;\"7\"\n")?;
/// // claim;amount
/// // C-1;120,50
/// // C-2;80
/// // C-3;"7"
/// let source = Source::open(&[path])?;
/// let fold = AddedColumn { name: "fold", values: AddedValues::Whole(&[1, 2, 1]) };
/// let copying = RowCopy { keep: Some(&[true, false, true]), added: &[fold], ..RowCopy::default() };
/// let summary = write_whole(&sample, |file| {
///     let options = ReadOptions::default();
///     Ok(copy_table(&source, &options, &copying, TableFormat::Csv, file, &|_progress| ())?)
/// })?;
///
/// assert_eq!((summary.rows, summary.kept), (3, 2));
/// assert_eq!(std::fs::read_to_string(&sample)?, "claim;amount;fold\nC-1;120,50;1\nC-3;\"7\";1\n");
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// The source cannot be read, or has no row; `keep` or an added column has not one value a row
/// ([`InvalidInput`](crate::ErrorKind::InvalidInput)); an added name is there already
/// ([`DuplicateColumn`](crate::ErrorKind::DuplicateColumn)), or one to be copied is not
/// ([`UnknownColumn`](crate::ErrorKind::UnknownColumn)); the format has no place for a column; or the copy cannot be
/// written.
pub fn copy_table(
    source: &Source,
    options: &ReadOptions,
    copying: &RowCopy<'_>,
    format: TableFormat,
    out: &mut (dyn Write + Send),
    on_progress: &dyn Fn(Progress),
) -> Result<CopySummary, Error> {
    let open = |input: &Input| guarded(input.name(), || OpenFile::open(input, options));
    let files: Vec<OpenFile> = source.inputs().iter().map(open).collect::<Result<_, Error>>()?;
    let columns = agreed_columns(files.iter().map(OpenFile::table))?;
    check_names(copying, columns.iter().map(|column| column.name.as_str()))?;
    let mut tally = Tally::new(copying, source.bytes(), on_progress)?;
    copy_files(&files, &mut tally, format, out)?;
    tally.finish(files.iter().map(|file| &**file.table().name()))
}

fn copy_files(
    files: &[OpenFile],
    tally: &mut Tally<'_>,
    format: TableFormat,
    out: &mut (dyn Write + Send),
) -> Result<(), Error> {
    let is_whole = tally.copying.columns.is_none();
    if let Some(tables) = all(files, OpenFile::csv).filter(|tables| stay_as_they_are(tables, format))
        && is_whole
    {
        return copy_csv(&tables, tally, out);
    }
    if let Some(tables) = all(files, OpenFile::json).filter(|_| format == TableFormat::JsonLines)
        && is_whole
    {
        return copy_json(&tables, tally, out);
    }
    if let Some(tables) = all(files, OpenFile::stored)
        && let Some(first) = tables.first()
    {
        let columns = chosen(first.schema(), tally.copying.columns, files)?;
        return BatchCopy::create(tally, &columns, format, out)?.copy_stored(&tables, &columns);
    }
    let mut kinds = kinds_of(files)?;
    if let Some(columns) = tally.copying.columns {
        kinds = kinds.chosen(columns).map_err(|name| unknown(name, files))?;
    }
    check_names(tally.copying, kinds.columns.iter().map(|(name, _)| name.as_str()))?;
    let tables: Vec<&dyn FileTable> = files.iter().map(OpenFile::table).collect();
    BatchCopy::create(tally, &schema_of(&kinds), format, out)?.copy_typed(&tables, &kinds)
}

/// The columns that are asked for, or all.
fn chosen(schema: &Schema, columns: Option<&[&str]>, files: &[OpenFile]) -> Result<Schema, Error> {
    let Some(columns) = columns else { return Ok(schema.clone()) };
    let field = |name: &&str| {
        let found = schema.fields().find(name).map(|(_, field)| field.clone());
        found.ok_or_else(|| unknown(name, files))
    };
    let fields: Vec<FieldRef> = columns.iter().map(field).collect::<Result<_, Error>>()?;
    Ok(Schema::new(fields))
}

fn unknown(name: &str, files: &[OpenFile]) -> Error {
    unknown_column(name, files.first().map_or(&[], |file| file.table().columns()))
}

/// All files as tables of one kind, if they are.
fn all<'a, T>(files: &'a [OpenFile], as_kind: impl Fn(&'a OpenFile) -> Option<T>) -> Option<Vec<T>> {
    files.iter().map(as_kind).collect()
}

/// Whether rows of these files can stand in one CSV file as they are.
fn stay_as_they_are(tables: &[&CsvTable], format: TableFormat) -> bool {
    let Some(first) = tables.first() else { return false };
    let is_alike = |table: &&CsvTable| table.dialect() == first.dialect() && names(table).eq(names(first));
    match format {
        TableFormat::Csv => tables.iter().all(is_alike),
        TableFormat::Tsv => first.dialect().delimiter == b'\t' && tables.iter().all(is_alike),
        _ => false,
    }
}

fn names(table: &CsvTable) -> impl Iterator<Item = &str> {
    table.columns().iter().map(|column| column.name.as_str())
}

fn copy_csv(tables: &[&CsvTable], tally: &mut Tally<'_>, out: &mut (dyn Write + Send)) -> Result<(), Error> {
    let Some(first) = tables.first() else { return Ok(()) };
    let (names, line_end) = first.header();
    let added = csv_names(tally.copying.added, first.dialect())?;
    out.write_all(&[names, &added, line_end].concat()).map_err(unwritten)?;
    let added = AddedText::csv(tally.copying.added, first.dialect())?;
    copy_rows(tables, &added, tally, out)
}

fn copy_json(
    tables: &[&JsonTable],
    tally: &mut Tally<'_>,
    out: &mut (dyn Write + Send),
) -> Result<(), Error> {
    let names: Vec<&str> = tally.copying.added.iter().map(|column| column.name).collect();
    let files: Vec<JsonRows<'_>> = tables.iter().map(|table| JsonRows { table, added: &names }).collect();
    copy_rows(&files, &AddedText::json(tally.copying.added), tally, out)
}

fn kinds_of(files: &[OpenFile]) -> Result<NamedKinds, Error> {
    let mut kinds = NamedKinds::default();
    for file in files {
        match file {
            OpenFile::Json(table) => {
                add_kinds_of_text(table, table.blocks(), |block| table.kinds_of(block), &mut kinds)?;
            }
            OpenFile::Csv(table) => {
                add_kinds_of_text(table, table.blocks(), |block| table.kinds_of(block), &mut kinds)?;
            }
            file => add_kinds(file.table(), &mut kinds)?,
        }
    }
    Ok(kinds)
}

/// Fails if a name is added that is copied already, or is added twice.
fn check_names<'a>(copying: &RowCopy<'a>, names: impl Iterator<Item = &'a str>) -> Result<(), Error> {
    let mut known: rustc_hash::FxHashSet<&str> = match copying.columns {
        Some(columns) => columns.iter().copied().collect(),
        None => names.collect(),
    };
    let mut check = |column: &AddedColumn<'a>| match known.insert(column.name) {
        true => Ok(()),
        false => Err(taken(column.name)),
    };
    copying.added.iter().try_for_each(&mut check)
}
