//! Files that claim more than they hold, and pages that are not what was written: errors, never an allocation of what is
//! claimed, never other numbers.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, NullArray, RecordBatch, StringArray};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use tribunal_io::{ErrorKind, Want};

use crate::folder::Folder;

const N_ROWS: usize = 1234;

fn batch() -> RecordBatch {
    let scores: ArrayRef = Arc::new(Float64Array::from(vec![0.5; N_ROWS]));
    let labels: ArrayRef = Arc::new(StringArray::from(vec!["fraud"; N_ROWS]));
    let nothing: ArrayRef = Arc::new(NullArray::new(N_ROWS));
    let columns = [("score", scores), ("label", labels), ("nothing", nothing)];
    RecordBatch::try_from_iter_with_nullable(columns.map(|(name, array)| (name, array, true)))
        .expect("a batch")
}

fn options(compression: Option<CompressionType>) -> IpcWriteOptions {
    IpcWriteOptions::default().try_with_compression(compression).expect("options")
}

fn arrow_file(compression: Option<CompressionType>) -> Vec<u8> {
    let batch = batch();
    let mut writer = FileWriter::try_new_with_options(Vec::new(), &batch.schema(), options(compression))
        .expect("a writer");
    writer.write(&batch).expect("written");
    writer.into_inner().expect("finished")
}

fn arrow_stream(compression: Option<CompressionType>) -> Vec<u8> {
    let batch = batch();
    let mut writer = StreamWriter::try_new_with_options(Vec::new(), &batch.schema(), options(compression))
        .expect("a writer");
    writer.write(&batch).expect("written");
    writer.into_inner().expect("finished")
}

/// The file with a number of eight bytes replaced wherever it stands.
fn claiming(bytes: &[u8], found: i64, claimed: i64) -> Vec<u8> {
    let (found, claimed) = (found.to_le_bytes(), claimed.to_le_bytes());
    let mut bytes = bytes.to_vec();
    let places: Vec<usize> = (0..bytes.len() - 8).filter(|&at| bytes[at..at + 8] == found).collect();
    assert!(!places.is_empty(), "no such number");
    places.into_iter().for_each(|at| bytes[at..at + 8].copy_from_slice(&claimed));
    bytes
}

/// Reads every column of a file, as numbers or labels, and expects an error.
fn check(bytes: &[u8], what: &str) {
    let folder = Folder::new();
    folder.write("a", bytes);
    for wanted in
        [vec![Want::number("score")], vec![Want::label("label")], vec![Want::label("nothing")], vec![]]
    {
        if let Err(error) = folder.read(&["a"], &wanted) {
            let kinds = [ErrorKind::Corrupt, ErrorKind::TooLarge];
            assert!(kinds.contains(&error.kind()), "{what}: {error}");
            return;
        }
    }
    panic!("{what}: was read");
}

#[test]
fn decompressed_sizes_of_arrow_are_held_against_the_compressed_ones() {
    let bytes_of_scores = 8 * N_ROWS as i64;
    for compression in [CompressionType::LZ4_FRAME, CompressionType::ZSTD] {
        for file in [arrow_file(Some(compression)), arrow_stream(Some(compression))] {
            for claimed in [1_200_000_000_000_000_000, 12_900_000_000, i64::MAX, -7] {
                check(
                    &claiming(&file, bytes_of_scores, claimed),
                    &format!("{compression:?} claims {claimed}"),
                );
            }
        }
    }
}

#[test]
fn the_body_of_a_message_lies_within_the_file() {
    let stream = arrow_stream(None);
    let metadata = stream.windows(4).rposition(|bytes| bytes == [0xFF; 4]).expect("the end of the stream");
    // Numbers stand at multiples of their size, and no other is as large as the length of the body.
    let numbers = stream[..metadata].as_chunks().0.iter().map(|&bytes| i64::from_le_bytes(bytes));
    let length = numbers.filter(|&number| number > 8 * N_ROWS as i64 && number < stream.len() as i64).max();
    let length = length.expect("the length of the body");
    for claimed in [12_900_000_000, i64::MAX, -8] {
        check(&claiming(&stream, length, claimed), &format!("a body of {claimed}"));
    }
}

#[test]
fn rows_that_take_no_bytes_are_not_believed_either() {
    for file in [arrow_file(None), arrow_stream(None)] {
        for claimed in [1 << 60, 1 << 40, -1] {
            check(&claiming(&file, N_ROWS as i64, claimed), &format!("{claimed} rows"));
        }
    }
}

fn parquet(properties: WriterProperties) -> Vec<u8> {
    let batch = batch();
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), Some(properties)).expect("a writer");
    writer.write(&batch).expect("written");
    writer.close().expect("closed");
    bytes
}

/// A whole number as the compact protocol of Thrift writes it.
fn varint(number: i64) -> Vec<u8> {
    let mut zigzag = ((number << 1) ^ (number >> 63)) as u64;
    let mut bytes = Vec::new();
    while zigzag >= 0x80 {
        bytes.push(zigzag as u8 | 0x80);
        zigzag >>= 7;
    }
    bytes.push(zigzag as u8);
    bytes
}

#[test]
fn a_page_of_parquet_is_not_larger_than_its_bytes_can_become() {
    let properties =
        WriterProperties::builder().set_dictionary_enabled(false).set_compression(Compression::SNAPPY);
    let bytes = parquet(properties.build());
    // The scores behind four bytes of length and the levels, which are one run; both sizes take as many bytes.
    let sizes = (8 * N_ROWS as i64..8 * N_ROWS as i64 + 64).find_map(|size| {
        let field = [&[0x15][..], &varint(size)].concat();
        bytes.windows(field.len()).position(|window| window == field).map(|at| (at + 1, varint(size).len()))
    });
    let (at, length) = sizes.expect("the size of a page");
    let mut claiming = bytes.clone();
    claiming.splice(at..at + length, varint((1 << 20) - 1));
    assert_eq!(claiming.len(), bytes.len(), "the file has to keep its places");
    check(&claiming, "a page of a megabyte in a few bytes");
}

#[test]
fn row_groups_have_as_many_values_as_rows() {
    let bytes = parquet(WriterProperties::builder().build());
    let footer = u32::from_le_bytes(bytes[bytes.len() - 8..][..4].try_into().expect("four bytes")) as usize;
    let (pages, tail) = bytes.split_at(bytes.len() - 8 - footer);
    let (rows, other) = (varint(N_ROWS as i64), varint(N_ROWS as i64 - 100));
    let places: Vec<usize> =
        (0..tail.len() - rows.len()).filter(|&at| tail[at..].starts_with(&rows)).collect();
    assert!(places.len() >= 3, "rows are counted for the file, its group and each column");
    for at in places {
        let mut tail = tail.to_vec();
        tail[at..at + other.len()].copy_from_slice(&other);
        let folder = Folder::new();
        folder.write("a.parquet", [pages, &tail].concat());
        let read = folder.read(&["a.parquet"], &[Want::number("score"), Want::label("label")]);
        let n_rows = read.map(|table| table.summary.rows);
        assert!(
            n_rows.as_ref().map_or(true, |&n_rows| n_rows == N_ROWS as u64),
            "{n_rows:?} rows, edited at {at}"
        );
    }
}

#[test]
fn pages_that_are_not_what_was_written_are_errors_where_there_are_checksums() {
    let whole = include_bytes!("../fixtures/checksums.parquet");
    let folder = Folder::new();
    folder.write("a.parquet", whole);
    let wanted = [Want::number("score"), Want::label("label")];
    let table = folder.read(&["a.parquet"], &wanted).expect("a table");
    assert_eq!((table.summary.rows, table.numbers(0)[33]), (40, Some(33.0 / 64.0)));

    let score = (33.0_f64 / 64.0).to_le_bytes();
    let at = whole.windows(8).position(|bytes| bytes == score).expect("the score");
    let mut damaged = whole.to_vec();
    damaged[at + 6] ^= 0x10;
    folder.write("a.parquet", &damaged);
    for wanted in [&wanted[..1], &wanted[..]] {
        let (error, message) = folder.error(&["a.parquet"], wanted);
        assert_eq!(error.kind(), ErrorKind::Corrupt, "{message}");
        assert!(message.contains("checksum"), "{message}");
    }
    // The page of labels, which is sound, is read all the same.
    assert!(folder.read(&["a.parquet"], &wanted[1..]).is_ok());
}
