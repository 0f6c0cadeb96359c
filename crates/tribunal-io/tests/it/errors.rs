//! Every error says where, what and what next.

use std::fs::File;
use std::io::Write;
use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, Date32Array, Float64Array, ListArray, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use tribunal_io::ErrorKind::{self, *};
use tribunal_io::{Error, ReadOptions, Want};

use crate::folder::Folder;

fn wanted() -> [Want; 2] {
    [Want::number("score"), Want::label("label")]
}

/// Reads one file with these bytes and compares the message.
fn check(name: &str, bytes: impl AsRef<[u8]>, kind: ErrorKind, message: &str) {
    let folder = Folder::new();
    folder.write(name, bytes);
    check_in(&folder, &[name], kind, message);
}

fn check_in(folder: &Folder, names: &[&str], kind: ErrorKind, message: &str) {
    let (error, found) = folder.error(names, &wanted());
    assert_eq!(error.kind(), kind, "{found}");
    assert!(found.contains(message), "{found:?} does not say {message:?}");
}

#[test]
fn files_that_hold_no_table() {
    check("a.csv", "", EmptyFile, "a.csv: the file is empty");
    check("a.csv", " \n\n", EmptyFile, "a.csv: the file is empty");
    check("a.csv", "score,label\n", NoRows, "a.csv: there is a header but not one row");
    check(
        "a.xlsx",
        "PK\x03\x04rest",
        UnknownFormat,
        "a.xlsx: this is a zip archive or an Excel workbook; unzip it, or save the sheet as CSV",
    );
    check("a.bin", b"ab\0cd", UnknownFormat, "neither a text nor a table");
    check(
        "a.json",
        "[{\"score\": 1}]",
        UnknownFormat,
        "one JSON array; write one object a line: jq -c '.[]'",
    );
    check("a.csv", "score,label\r1,2\r", Malformed, "carriage returns alone");
}

#[test]
fn columns_that_are_not_there() {
    check(
        "a.csv",
        "scores,label\n1,2\n",
        UnknownColumn,
        "a.csv: there is no column \"score\"; did you mean \"scores\"?; the columns are: scores, label",
    );
    check("a.csv", "0.5,1\n0.7,0\n", UnknownColumn, "does the first line hold names? it says: 0.5, 1");
    check(
        "a.csv",
        "score,x,score,label\n1,2,3,4\n",
        DuplicateColumn,
        "a.csv: columns 1 and 3 are both named \"score\"; rename one of them",
    );
    check("a.jsonl", "{\"label\": 1}\n{\"label\": 2}\n", UnknownColumn, "there is no column \"score\"");
}

#[test]
fn columns_of_conditions_that_are_not_there() {
    let folder = Folder::new();
    folder.write("a.csv", "score,label\n1,2\n");
    folder.write("a.jsonl", "{\"score\": 1, \"label\": 2}\n");
    for name in ["a.csv", "a.jsonl"] {
        for want in [
            Want::number_where("score", "labels", |_: &str| true),
            Want::number_where("labels", "label", |_: &str| false),
        ] {
            let (error, message) = folder.error(&[name], &[want]);
            assert_eq!(error.kind(), UnknownColumn, "{message}");
            assert!(message.contains("no column \"labels\"; did you mean \"label\"?"), "{message}");
        }
    }
}

#[test]
fn numbers_that_count_and_are_none() {
    let folder = Folder::new();
    folder.write("a.csv", "score,label,late\nx,0,0\ny,1,1\n");
    folder.write(
        "a.jsonl",
        "{\"score\": \"x\", \"label\": 0, \"late\": 0}\n\n{\"score\":\"y\",\"label\":1,\"late\":1}\n",
    );
    for (name, line) in [("a.csv", 3), ("a.jsonl", 3)] {
        let want = Want::number_where("score", "late", |late: &str| late == "1");
        let (error, message) = folder.error(&[name], &[want]);
        assert_eq!(error.kind(), NotANumber, "{message}");
        let expected = format!("{name}, line {line}, column \"score\": \"y\" is not a number");
        assert!(message.contains(&expected), "{message}");
    }
}

#[test]
fn duplicates_that_are_not_wanted_do_no_harm() {
    let folder = Folder::new();
    folder.write("a.csv", "score,x,x,label\n1,2,3,4\n");
    assert!(folder.read(&["a.csv"], &wanted()).is_ok());
}

#[test]
fn values_that_are_no_numbers() {
    check(
        "a.csv",
        "score,label\n0.5,1\n\n\"0,75\",0\n",
        NotANumber,
        "a.csv, line 4, column \"score\": \"0,75\" is not a number; a decimal comma? write 0.75",
    );
    check(
        "a.csv",
        "score,label\n80%,1\n",
        NotANumber,
        "line 2, column \"score\": \"80%\" is not a number; a percentage?",
    );
    check(
        "a.jsonl",
        "{\"score\": 1}\n\n{\"score\": \"high\"}\n",
        NotANumber,
        "a.jsonl, line 3, column \"score\": \"high\" is not a number",
    );
    check(
        "a.arff",
        "@relation a\n@attribute score numeric\n@attribute label string\n@data\n% note\n1,a\nx,b\n",
        NotANumber,
        "a.arff, line 7, column \"score\": \"x\" is not a number",
    );
}

#[test]
fn rows_of_the_wrong_length() {
    check(
        "a.csv",
        "score,label\n0.5,1\n0.5,1,2\n",
        RaggedRow,
        "a.csv, line 3: the row has 3 fields, the header has 2; is a field with a delimiter",
    );
    check(
        "a.csv",
        "score,label\n0.5\n",
        RaggedRow,
        "a.csv, line 2: the row has 1 field, the header has 2; is the row cut short",
    );
    check(
        "a.csv",
        "score,x,label\n\"a,b\",\"c\nd\",1\nx,1\n",
        NotANumber,
        "a.csv, line 2, column \"score\": \"a,b\" is not a number",
    );
    // What explains the fault is told rather than the fault.
    check("a.csv", "label,score,x\na,b,c,d\n", RaggedRow, "a.csv, line 2: the row has 4 fields");
    check(
        "a.arff",
        "@relation a\n@attribute score numeric\n@attribute label string\n@data\n1,a,b\n",
        RaggedRow,
        "a.arff, line 5: the row has 3 values, the header has 2 attributes",
    );
}

#[test]
fn texts_in_other_encodings() {
    check(
        "a.csv",
        b"score,label\n1,a\n2,caf\xE9\n",
        Encoding,
        "a.csv, line 3: the byte 0xE9 is not UTF-8; if the file is Latin-1, convert it first: iconv",
    );
    check(
        "a.csv",
        b"\xFF\xFEs\0c\0",
        Encoding,
        "a.csv: the text is UTF-16, not UTF-8; convert it first: iconv -f UTF-16",
    );
}

#[test]
fn quotes_that_are_not_closed() {
    check(
        "a.csv",
        "score,label\n1,a\n2,\"b\n3,c\n",
        UnclosedQuote,
        "a.csv, line 3: the quote opened on this line is not closed by the end of the file",
    );
    check(
        "a.arff",
        "@relation a\n@attribute score numeric\n@attribute label string\n@data\n1,'a\n",
        UnclosedQuote,
        "a.arff, line 5: a quote is not closed",
    );
}

#[test]
fn lines_that_are_malformed() {
    check(
        "a.jsonl",
        "{\"score\": 1, \"label\": 2}\n{\"score\": 1,\n",
        Malformed,
        "a.jsonl, line 2: this is not a JSON object (",
    );
    check(
        "a.jsonl",
        "{\"score\": 1}\n[1]\n",
        Malformed,
        "a.jsonl, line 2: this is not a JSON object (invalid type: sequence, expected an object",
    );
    check(
        "a.jsonl",
        "{\"score\": 1, \"score\": 2}\n",
        Malformed,
        "line 1: this is not a JSON object (the key \"score\" appears twice",
    );
    check(
        "a.jsonl",
        "{\"score\": [1]}\n",
        ColumnType,
        "a.jsonl, line 1, column \"score\": the value is a list",
    );
    let arff = "@relation a\n@attribute score numeric\n@attribute label {yes,no}\n@data\n";
    check(
        "a.arff",
        format!("{arff}1,yse\n"),
        Malformed,
        "a.arff, line 5, column \"label\": \"yse\" is not one of the declared values; did you mean \"yes\"?",
    );
    check(
        "a.arff",
        format!("{arff}1,yes,{{2}}\n"),
        Malformed,
        "a.arff, line 5: the row has a weight in braces",
    );
    check(
        "a.arff",
        format!("{arff}{{0 1}}, {{2}}\n"),
        Malformed,
        "a.arff, line 5: the row has a weight in braces",
    );
    check(
        "a.arff",
        format!("{arff}{{7 1}}\n"),
        Malformed,
        "a.arff, line 5: \"7\" is not the number of an attribute; a sparse row is {number value, ...} with numbers from 0 to 1",
    );
    check("a.arff", format!("{arff}{{0 1\n"), Malformed, "a.arff, line 5: the row is not closed with }");
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text.as_bytes()).expect("compressed");
    encoder.finish().expect("compressed")
}

#[test]
fn gzip_that_is_cut_short() {
    let text: String = (0..50_000).map(|row| format!("0.{row},{row}\n")).collect();
    let whole = gzip(&format!("score,label\n{text}"));
    check(
        "a.csv.gz",
        &whole[..whole.len() - 9],
        Corrupt,
        "a.csv.gz: the gzip stream ends too early; fetch or write the file again",
    );
    check("a.csv.gz", &whole[..20], Corrupt, "a.csv.gz: the gzip stream ends too early");
}

fn parquet(folder: &Folder, name: &str, columns: Vec<(&str, ArrayRef)>) {
    let batch = RecordBatch::try_from_iter(columns).expect("a record batch");
    let file = File::create(folder.path(name)).expect("a file");
    let mut writer = ArrowWriter::try_new(file, batch.schema(), None).expect("a writer");
    writer.write(&batch).expect("written");
    writer.close().expect("closed");
}

fn arrow(batch: &RecordBatch) -> Vec<u8> {
    let mut writer = arrow_ipc::writer::FileWriter::try_new(Vec::new(), &batch.schema()).expect("a writer");
    writer.write(batch).expect("written");
    writer.into_inner().expect("finished")
}

fn labels() -> ArrayRef {
    Arc::new(StringArray::from(vec!["a", "b"]))
}

#[test]
fn columnar_columns_that_cannot_be_read() {
    let folder = Folder::new();
    let lists = ListArray::from_iter_primitive::<Int32Type, _, _>([Some([Some(1)]), None]);
    parquet(&folder, "a.parquet", vec![("score", Arc::new(lists)), ("label", labels())]);
    check_in(
        &folder,
        &["a.parquet"],
        ColumnType,
        "a.parquet, column \"score\": the column holds lists, structs or bytes; give a column of numbers or texts",
    );
    parquet(
        &folder,
        "b.parquet",
        vec![("score", Arc::new(Date32Array::from(vec![1, 2]))), ("label", labels())],
    );
    check_in(
        &folder,
        &["b.parquet"],
        ColumnType,
        "b.parquet, column \"score\": the column holds dates or times, not numbers",
    );
    parquet(
        &folder,
        "c.parquet",
        vec![("score", Arc::new(StringArray::from(vec!["1", "1.234,5"]))), ("label", labels())],
    );
    check_in(
        &folder,
        &["c.parquet"],
        NotANumber,
        "c.parquet, row 2, column \"score\": \"1.234,5\" is not a number",
    );
}

#[test]
fn columnar_files_that_are_damaged_are_errors_wherever_they_are_cut() {
    let folder = Folder::new();
    let scores: ArrayRef = Arc::new(Float64Array::from(vec![0.5, 0.25]));
    parquet(&folder, "a.parquet", vec![("score", scores.clone()), ("label", labels())]);
    let whole = std::fs::read(folder.path("a.parquet")).expect("the file");
    for length in (4..whole.len()).step_by(7) {
        check(
            "a.parquet",
            &whole[..length],
            Corrupt,
            "a.parquet: the Parquet file is truncated or damaged (",
        );
    }
    let batch = RecordBatch::try_from_iter([("score", scores), ("label", labels())]).expect("a record batch");
    let bytes = arrow(&batch);
    for length in (6..bytes.len()).step_by(7) {
        check("a.arrow", &bytes[..length], Corrupt, "a.arrow: the Arrow file is truncated or damaged (");
    }
}

#[test]
fn columnar_files_with_any_byte_changed_never_panic() {
    let scores: ArrayRef = Arc::new(Float64Array::from(vec![0.5, 0.25]));
    let folder = Folder::new();
    parquet(&folder, "a.parquet", vec![("score", scores.clone()), ("label", labels())]);
    let mut whole = std::fs::read(folder.path("a.parquet")).expect("the file");
    let batch = RecordBatch::try_from_iter([("score", scores), ("label", labels())]).expect("a record batch");
    for (name, bytes) in [("a.parquet", std::mem::take(&mut whole)), ("a.arrow", arrow(&batch))] {
        for idx in 8..bytes.len() {
            for flip in [0xFF, 0x80, 0x01] {
                let mut bytes = bytes.clone();
                bytes[idx] ^= flip;
                folder.write(name, bytes);
                let _ = folder.read(&[name], &wanted());
            }
        }
    }
}

#[test]
fn files_with_different_columns() {
    let folder = Folder::new();
    folder.write("a.csv", "score,label\n1,a\n");
    folder.write("b.csv", "score,class\n1,a\n");
    folder.write("c.csv", "score,label,x\n1,a,2\n");
    check_in(
        &folder,
        &["a.csv", "b.csv"],
        DifferentColumns,
        "b.csv: there is no column \"label\", which a.csv has; files read as one table need the same columns",
    );
    check_in(
        &folder,
        &["a.csv", "c.csv"],
        DifferentColumns,
        "a.csv: there is no column \"x\", which c.csv has",
    );
}

#[test]
fn the_first_error_in_file_order_is_told_whatever_the_threads_do() {
    let folder = Folder::new();
    let good: String = (0..200_000).map(|row| format!("0.{row},label-{row}\n")).collect();
    let blocks = ["x,1\n", "y,1\n", "z,1\n"].map(|bad| good.clone() + bad);
    folder.write("a.csv", format!("score,label\n{}", blocks.concat()));
    for _ in 0..5 {
        check_in(
            &folder,
            &["a.csv"],
            NotANumber,
            "a.csv, line 200002, column \"score\": \"x\" is not a number",
        );
    }
}

#[test]
fn an_error_of_the_visitor_stops_the_reading() {
    #[derive(Debug)]
    enum Stop {
        Enough,
        Io,
    }
    impl From<Error> for Stop {
        fn from(_: Error) -> Self {
            Stop::Io
        }
    }
    let folder = Folder::new();
    folder.write("a.csv", "score,label\n1,a\n");
    let table = folder.open(&["a.csv"], &ReadOptions::default()).expect("a table");
    let stopped = table.read(&wanted(), &|_| (), &mut |_| Err(Stop::Enough));
    assert!(matches!(stopped, Err(Stop::Enough)));
    let unknown = table.read(&[Want::label("x")], &|_| (), &mut |_| Err(Stop::Enough));
    assert!(matches!(unknown, Err(Stop::Io)));
}
