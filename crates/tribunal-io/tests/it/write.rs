//! Tables written through the public interface, and what other readers find in them.

use std::fs::File;
use std::io::{self, Write};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int8Type, Int32Type};
use arrow_array::{ArrayRef, DictionaryArray, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_ipc::reader::FileReader;
use arrow_schema::{DataType, Schema};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::Compression as Codec;
use tribunal_io::{Compression, Error, ErrorKind, TableFormat, TableWriter, write_whole};

use crate::folder::Folder;
use crate::formats::{check_table, claims, record_batch, wanted};

pub(crate) const FORMATS: [(&str, TableFormat); 5] = [
    ("out.csv", TableFormat::Csv),
    ("out.tsv", TableFormat::Tsv),
    ("out.parquet", TableFormat::Parquet),
    ("out.arrow", TableFormat::ArrowIpc),
    ("out.jsonl", TableFormat::JsonLines),
];

fn write_to(out: &mut (dyn Write + Send), format: TableFormat, batches: &[RecordBatch]) -> Result<(), Error> {
    let mut writer = TableWriter::create(out, format, batches[0].schema(), &[("seed", "7")])?;
    batches.iter().try_for_each(|batch| writer.write(batch))?;
    writer.finish()
}

fn written(format: TableFormat, batches: &[RecordBatch]) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_to(&mut bytes, format, batches).expect("written");
    bytes
}

#[test]
fn what_is_written_reads_the_same_in_every_format() {
    let folder = Folder::new();
    let rows = claims();
    let batch = record_batch(&rows);
    for (name, format) in FORMATS {
        write_whole(&folder.path(name), |file| {
            Ok(write_to(file, format, &[batch.slice(0, 2), batch.slice(2, 3)])?)
        })
        .expect("written");
        check_table(&rows, &folder.read(&[name], &wanted()).expect(name), name);
    }
}

/// Enough rows for several slices, with what makes pages and dictionaries differ.
fn large(n_rows: i64) -> RecordBatch {
    let texts =
        StringArray::from_iter((0..n_rows).map(|n| (n % 7 != 0).then(|| format!("claim {}", n % 5_000))));
    let scores = Float64Array::from_iter((0..n_rows).map(|n| (n % 11 != 0).then_some((n as f64).sqrt())));
    let columns: [(&str, ArrayRef, bool); 3] = [
        ("n", Arc::new(Int64Array::from_iter_values(0..n_rows)), false),
        ("text", Arc::new(texts), true),
        ("score", Arc::new(scores), true),
    ];
    RecordBatch::try_from_iter_with_nullable(columns).expect("a batch")
}

#[test]
fn bytes_do_not_depend_on_the_number_of_threads() {
    let batch = large(50_000);
    for (name, format) in FORMATS {
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
            pool.install(|| written(format, std::slice::from_ref(&batch)))
        };
        let one = with(1);
        assert!([2, 5].into_iter().all(|threads| with(threads) == one), "{name}");
    }
}

/// A disk with so much room.
pub(crate) struct Disk {
    pub(crate) room: usize,
}

impl Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.room < bytes.len() {
            return Err(io::Error::new(io::ErrorKind::StorageFull, "no space left on device"));
        }
        self.room -= bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_is_an_error_that_says_so() {
    let batch = large(20_000);
    for (name, format) in FORMATS {
        let size = written(format, std::slice::from_ref(&batch)).len();
        for room in [0, 3, size / 2, size - 1] {
            let error = write_to(&mut Disk { room }, format, std::slice::from_ref(&batch)).expect_err(name);
            assert_eq!(error.kind(), ErrorKind::Io, "{name} with room for {room}: {error}");
            assert!(error.to_string().contains("no space left on device"), "{name}: {error}");
        }
        write_to(&mut Disk { room: size }, format, std::slice::from_ref(&batch)).expect("enough room");
    }
}

#[test]
fn write_whole_names_the_file_that_is_full_and_leaves_nothing() {
    let folder = Folder::new();
    let path = folder.path("out.parquet");
    let failed: Result<(), Error> =
        write_whole(&path, |_| Ok(write_to(&mut Disk { room: 10 }, TableFormat::Parquet, &[large(10)])?));
    let error = failed.expect_err("a full disk");
    assert!(
        error.to_string().contains("out.parquet: cannot be written: no space left on device; check"),
        "{error}"
    );
    assert!(!path.exists());
}

fn parquet_of(bytes: Vec<u8>) -> ParquetRecordBatchReaderBuilder<File> {
    let mut file = tempfile::tempfile().expect("a file");
    file.write_all(&bytes).expect("written");
    ParquetRecordBatchReaderBuilder::try_new(file).expect("a Parquet file")
}

#[test]
fn parquet_has_row_groups_metadata_and_the_compression_that_was_asked_for() {
    let batch = large((1 << 20) + 10);
    let described = Schema::new_with_metadata(
        batch.schema().fields().clone(),
        [("made by".to_string(), "hand".to_string())].into(),
    );
    let batch = batch.with_schema(Arc::new(described)).expect("the same columns");
    for (compression, codec) in [
        (Compression::None, Codec::UNCOMPRESSED),
        (Compression::Snappy, Codec::SNAPPY),
        (Compression::Lz4, Codec::LZ4_RAW),
    ] {
        let mut bytes = Vec::new();
        let metadata = [("seed", "7")];
        let mut writer = TableWriter::create_compressed(
            &mut bytes,
            TableFormat::Parquet,
            batch.schema(),
            &metadata,
            compression,
        )
        .expect("created");
        writer.write(&batch).expect("written");
        writer.finish().expect("finished");
        let file = parquet_of(bytes);
        let groups = file.metadata().row_groups();
        assert_eq!(groups.iter().map(|group| group.num_rows()).collect::<Vec<_>>(), [1 << 20, 10]);
        assert_eq!(groups[0].column(1).compression(), codec);
        assert!(groups[0].column(1).dictionary_page_offset().is_some());
        let metadata = file.schema().metadata();
        assert_eq!(metadata.get("seed").map(String::as_str), Some("7"));
        assert_eq!(metadata.get("made by").map(String::as_str), Some("hand"));
        let read = file.with_batch_size(1 << 21).build().expect("a reader").next().expect("rows");
        assert_eq!(read.expect("a batch").columns(), batch.columns());
    }
}

fn coded<K: arrow_array::types::ArrowDictionaryKeyType>(texts: &[Option<&str>]) -> RecordBatch {
    let array: DictionaryArray<K> = texts.iter().copied().collect();
    RecordBatch::try_from_iter_with_nullable([("class", Arc::new(array) as ArrayRef, true)]).expect("a batch")
}

#[test]
fn batches_with_dictionaries_of_their_own_share_one_in_arrow() {
    let batches = [
        coded::<Int8Type>(&[Some("b"), Some("a"), None]),
        coded::<Int8Type>(&[Some("c"), Some("a"), Some("c")]),
        coded::<Int8Type>(&[Some("a")]),
    ];
    let bytes = written(TableFormat::ArrowIpc, &batches);
    let reader = FileReader::try_new(io::Cursor::new(bytes), None).expect("an Arrow file");
    assert_eq!(reader.schema().field(0).data_type(), batches[0].schema().field(0).data_type());
    assert_eq!(reader.schema().metadata().get("seed").map(String::as_str), Some("7"));
    let mut texts = Vec::new();
    for batch in reader {
        let batch = batch.expect("a batch");
        let array = arrow_cast::cast(batch.column(0), &DataType::Utf8).expect("texts");
        texts.extend(array.as_string::<i32>().iter().map(|text| text.map(str::to_string)));
    }
    let found: Vec<Option<&str>> = texts.iter().map(Option::as_deref).collect();
    assert_eq!(found, [Some("b"), Some("a"), None, Some("c"), Some("a"), Some("c"), Some("a")]);
}

#[test]
fn more_labels_than_the_codes_can_count_are_refused() {
    let texts: Vec<String> = (0..200).map(|n| n.to_string()).collect();
    let texts: Vec<Option<&str>> = texts.iter().map(|text| Some(text.as_str())).collect();
    let batches = [coded::<Int8Type>(&texts[..100]), coded::<Int8Type>(&texts[100..])];
    let failed = write_to(&mut Vec::new(), TableFormat::ArrowIpc, &batches);
    assert_eq!(failed.expect_err("too many").kind(), ErrorKind::ColumnType);
    let batches = [coded::<Int32Type>(&texts[..100]), coded::<Int32Type>(&texts[100..])];
    write_to(&mut Vec::new(), TableFormat::ArrowIpc, &batches).expect("room enough");
}

#[test]
fn a_table_without_rows_is_a_table() {
    let batch = large(0);
    assert_eq!(written(TableFormat::Csv, std::slice::from_ref(&batch)), b"n,text,score\n");
    assert_eq!(written(TableFormat::JsonLines, std::slice::from_ref(&batch)), b"");
    let file = parquet_of(written(TableFormat::Parquet, std::slice::from_ref(&batch)));
    assert_eq!((file.schema().fields().len(), file.metadata().file_metadata().num_rows()), (3, 0));
    let bytes = written(TableFormat::ArrowIpc, &[batch]);
    assert_eq!(FileReader::try_new(io::Cursor::new(bytes), None).expect("an Arrow file").num_batches(), 0);
}
