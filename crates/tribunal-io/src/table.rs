//! The table: files opened and agreed on their columns, ready to be read in batches.

use arrow_array::{RecordBatch, RecordBatchReader};

use crate::batch::{Batch, Labels};
use crate::chunk::Chunk;
use crate::columnar::guarded;
use crate::condition::{Condition, Predicate};
use crate::delivery::Delivery;
use crate::dictionary::Dictionary;
use crate::draft::{Draft, Visit};
use crate::error::{Error, ErrorKind, quoted};
use crate::file_table::{FileTable, Job};
use crate::format::{Format, sniff};
use crate::pipeline::in_order;
use crate::record_batches::BatchTable;
use crate::source::{Input, Source};
use crate::{arff, csv, ipc, json_lines};

/// How to read text files. By default everything is told from the file.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadOptions {
    /// The byte between the fields of a CSV file; `None` chooses among comma, semicolon, tab and bar.
    pub delimiter: Option<u8>,
    /// The quotes around the fields of a CSV file.
    pub quote: Quote,
}

/// The quotes around the fields of a CSV file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Quote {
    /// Double quotes, unless the file plainly uses single ones.
    #[default]
    Sniff,
    /// This byte.
    Byte(u8),
    /// None: a quote is a letter like any other.
    None,
}

/// A column a table has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnInfo {
    /// Its name.
    pub name: String,
    /// What it seems to hold. Text files are judged by their first rows.
    pub holds: Holds,
}

/// What a column seems to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// Numbers.
    Numbers,
    /// True and false.
    Booleans,
    /// Texts.
    Texts,
    /// Dates or times, which can be read as labels only.
    Dates,
    /// Lists, structs, maps or raw bytes, which cannot be read.
    Nested,
    /// Nothing that tells: every value seen is missing.
    Nothing,
}

/// A column to read, and what to read it as.
#[derive(Clone, Debug)]
pub struct Want {
    /// The name of the column.
    pub column: String,
    /// What to read it as.
    pub kind: WantKind,
    /// On which rows; a label is always wanted on all.
    pub(crate) condition: Option<Condition>,
    /// How many labels the dictionary may grow to.
    pub(crate) most_labels: usize,
}

/// What to read a column as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WantKind {
    /// Numbers: 64-bit floats; true and false are one and zero.
    Number,
    /// Cells: numbers like those above, and where a text stands instead it is kept as a [`Stray`](crate::Stray).
    Cell,
    /// Labels: texts from a dictionary; whole numbers are written without a point.
    Label,
}

impl Want {
    /// Wants a column as numbers.
    pub fn number(column: impl Into<String>) -> Want {
        Want::of(column, WantKind::Number)
    }

    /// Wants a column as numbers in which texts may stand: they are missing numbers, and listed apart.
    ///
    /// ```
    /// # use tribunal_io::{Error, ReadOptions, Source, TableReader, Want};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("claims.csv").to_string_lossy().into_owned();
    /// # std::fs::write(&path, "age,label\n41,fraud\nforty,legit\n")?;
    /// # let table = TableReader::open(&Source::open(&[path])?, &ReadOptions::default())?;
    /// // age,label
    /// // 41,fraud
    /// // forty,legit
    /// table.read::<Error>(&[Want::cell("age")], &|_progress| (), &mut |batch| {
    ///     let ages = batch.numbers(0).expect("wanted");
    ///     assert_eq!((ages.get(0), ages.get(1)), (Some(41.0), None));
    ///     assert_eq!((ages.strays[0].row, &*ages.strays[0].text), (1, "forty"));
    ///     Ok(())
    /// })?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn cell(column: impl Into<String>) -> Want {
        Want::of(column, WantKind::Cell)
    }

    fn of(column: impl Into<String>, kind: WantKind) -> Want {
        Want { column: column.into(), kind, condition: None, most_labels: Labels::BEYOND as usize }
    }

    /// Wants a column as numbers, but only on the rows whose label in another column satisfies a predicate.
    ///
    /// On all other rows, and where that label is missing, the number is 0, is not missing, and what stands there
    /// is not looked at: it need not even be a number. The other column need not be wanted as well; when it is
    /// wanted as a label, it is read once for both. The predicate is asked once for each distinct label of a batch.
    ///
    /// ```
    /// # use tribunal_io::{Error, ReadOptions, Source, TableReader, Want};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("claims.csv").to_string_lossy().into_owned();
    /// # std::fs::write(&path, "amount,label\n120.5,fraud\nunknown,legit\n")?;
    /// # let table = TableReader::open(&Source::open(&[path])?, &ReadOptions::default())?;
    /// // amount,label
    /// // 120.5,fraud
    /// // unknown,legit
    /// let wanted = [Want::number_where("amount", "label", |label| label == "fraud")];
    /// table.read::<Error>(&wanted, &|_progress| (), &mut |batch| {
    ///     assert_eq!(batch.numbers(0).map(|amounts| amounts.values.to_vec()), Some(vec![120.5, 0.0]));
    ///     Ok(())
    /// })?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn number_where(
        column: impl Into<String>,
        label_column: impl Into<String>,
        predicate: impl Fn(&str) -> bool + Send + Sync + 'static,
    ) -> Want {
        let condition = Condition { column: label_column.into(), predicate: Predicate::new(predicate) };
        Want { condition: Some(condition), ..Want::number(column) }
    }

    /// Wants a column as labels.
    pub fn label(column: impl Into<String>) -> Want {
        Want::of(column, WantKind::Label)
    }

    /// Wants a column as labels of which at most so many are told apart, so that a column of a thousand million ids
    /// takes no more memory than the first of them. All others have the code [`Labels::BEYOND`].
    pub fn labels_up_to(column: impl Into<String>, most_labels: usize) -> Want {
        Want { most_labels: most_labels.min(Labels::BEYOND as usize), ..Want::label(column) }
    }
}

/// How far a read has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Rows delivered so far.
    pub rows: u64,
    /// Bytes of the files they take up, compressed as they are.
    pub bytes: u64,
    /// Bytes of all files.
    pub total_bytes: u64,
}

/// What a read came to.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// How many rows there were.
    pub rows: u64,
    /// The complete dictionary of each wanted column; that of a number is empty.
    pub dictionaries: Vec<Dictionary>,
}

/// A table opened for reading: its format is known and all its files have the same columns.
pub struct TableReader {
    files: Vec<Box<dyn FileTable>>,
    columns: Vec<ColumnInfo>,
    total_bytes: u64,
}

impl TableReader {
    /// Opens the files of a source, reading no more than their headers.
    ///
    /// # Errors
    /// A file is empty, damaged, of no known format, or has other columns than the first.
    pub fn open(source: &Source, options: &ReadOptions) -> Result<TableReader, Error> {
        let open = |input: &Input| open_file(input, options);
        let files: Vec<_> = source.inputs().iter().map(open).collect::<Result<_, Error>>()?;
        let columns = agreed_columns(files.iter().map(Box::as_ref))?;
        Ok(TableReader { files, columns, total_bytes: source.bytes() })
    }

    /// Record batches in memory as a table; errors speak of it by the name.
    ///
    /// # Errors
    /// There is no batch, or one has other columns than the first.
    pub fn of_batches(name: &str, batches: Vec<RecordBatch>) -> Result<TableReader, Error> {
        BatchTable::held(name, batches).map(TableReader::of_table)
    }

    /// Record batches that come one after the other as a table; it can be read once.
    pub fn of_stream(name: &str, batches: impl RecordBatchReader + Send + 'static) -> TableReader {
        TableReader::of_table(BatchTable::incoming(name, batches))
    }

    fn of_table(table: BatchTable) -> TableReader {
        let (columns, total_bytes) = (table.columns().to_vec(), table.bytes());
        TableReader { files: vec![Box::new(table)], columns, total_bytes }
    }

    /// The files in order, as the user named them.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|file| &**file.name())
    }

    /// Whether the rows are gone once they were read.
    pub fn is_read_once(&self) -> bool {
        self.files.iter().any(|file| file.is_read_once())
    }

    /// Bytes of all files, or of the record batches in memory; zero for a stream.
    pub fn bytes(&self) -> u64 {
        self.total_bytes
    }

    /// The columns, in the order of the first file. JSON lines may have more further down.
    pub fn columns(&self) -> &[ColumnInfo] {
        &self.columns
    }

    /// Reads the wanted columns and visits them batch by batch, in file order, on the calling thread.
    ///
    /// # Errors
    /// The first error in file order, of the reading or of `visit`; or that there is not one row.
    pub fn read<E: From<Error>>(
        &self,
        wanted: &[Want],
        on_progress: &dyn Fn(Progress),
        visit: &mut dyn FnMut(Batch<'_>) -> Result<(), E>,
    ) -> Result<Summary, E> {
        self.read_prepared(wanted, on_progress, &|_| (), &mut |batch, ()| visit(batch.decoded()))
    }

    /// The same, with a part of the work done where batches are decoded: on all cores, in any order.
    ///
    /// `prepare` sees each batch first, and the visit gets what it returns beside the batch. Columns whose rows the visit
    /// does not need are [let go](Draft::let_go) by `prepare`.
    ///
    /// # Errors
    /// The first error in file order, of the reading or of `visit`; or that there is not one row.
    pub fn read_prepared<T: Send, E: From<Error>>(
        &self,
        wanted: &[Want],
        on_progress: &dyn Fn(Progress),
        prepare: &(dyn Fn(&mut Draft<'_>) -> T + Sync),
        visit: &mut Visit<'_, T, E>,
    ) -> Result<Summary, E> {
        let plans = self.files.iter().map(|file| file.plan(wanted)).collect::<Result<Vec<_>, _>>()?;
        let mut delivery = Delivery::new(&self.files, self.total_bytes, &plans, wanted);
        let jobs = self
            .files
            .iter()
            .zip(&plans)
            .enumerate()
            .flat_map(|(file_idx, (file, plan))| file.jobs(plan).map(move |job| (file_idx, job)));
        let work = |(file_idx, job): (usize, Result<Job<'_>, Error>)| {
            (file_idx, job.and_then(|job| prepared(job, prepare)))
        };
        in_order(jobs, work, |(file_idx, chunks)| delivery.deliver(file_idx, chunks, on_progress, visit))?;
        Ok(delivery.finish()?)
    }
}

/// Runs a job and prepares its chunks.
fn prepared<T>(job: Job<'_>, prepare: &dyn Fn(&mut Draft<'_>) -> T) -> Result<Vec<(Chunk, T)>, Error> {
    let mut chunks = Vec::new();
    job(&mut |mut chunk| {
        let prepared = prepare(&mut Draft::of(&mut chunk));
        chunks.push((chunk, prepared));
    })?;
    Ok(chunks)
}

fn open_file(input: &Input, options: &ReadOptions) -> Result<Box<dyn FileTable>, Error> {
    let format = sniff(input)?;
    guarded(input.name(), || open_as(format, input, options))
}

fn open_as(format: Format, input: &Input, options: &ReadOptions) -> Result<Box<dyn FileTable>, Error> {
    Ok(match format {
        #[cfg(feature = "parquet")]
        Format::Parquet => Box::new(crate::parquet::ParquetTable::open(input)?),
        Format::ArrowFile => Box::new(ipc::ArrowTable::open_file(input)?),
        Format::ArrowStream => Box::new(ipc::ArrowTable::open_stream(input)?),
        Format::Csv(sample) => Box::new(csv::CsvTable::open(input, &sample, options)?),
        Format::JsonLines(sample) => Box::new(json_lines::JsonTable::open(input, &sample)?),
        Format::Arff(sample) => Box::new(arff::ArffTable::open(input, &sample)?),
    })
}

/// The columns of the first file, if every other file has them too and no more.
pub(crate) fn agreed_columns<'a>(
    mut files: impl Iterator<Item = &'a dyn FileTable>,
) -> Result<Vec<ColumnInfo>, Error> {
    let Some(first) = files.next() else { return Ok(Vec::new()) };
    for file in files.filter(|file| !file.is_open_ended()) {
        lacks(first, file)?;
        lacks(file, first)?;
    }
    Ok(first.columns().to_vec())
}

/// An error if `file` lacks a column that `other` has.
fn lacks(other: &dyn FileTable, file: &dyn FileTable) -> Result<(), Error> {
    if file.is_open_ended() {
        return Ok(());
    }
    let names: rustc_hash::FxHashSet<&str> =
        file.columns().iter().map(|column| column.name.as_str()).collect();
    let lacking = other.columns().iter().find(|column| !names.contains(column.name.as_str()));
    lacking.map_or(Ok(()), |column| {
        let problem = format!("there is no column {}, which {} has", quoted(&column.name), other.name());
        Err(Error::new(ErrorKind::DifferentColumns, problem)
            .in_file(file.name())
            .advise("files read as one table need the same columns"))
    })
}
