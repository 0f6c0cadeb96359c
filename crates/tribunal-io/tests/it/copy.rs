//! Tables copied: byte for byte where the format stays, typed where it changes, and never another row than the reader's.

use std::fs::File;
use std::sync::Arc;

use arrow_array::types::Int8Type;
use arrow_array::{
    ArrayRef, Date32Array, Decimal128Array, DictionaryArray, Int64Array, ListArray, RecordBatch, StringArray,
};
use arrow_ipc::reader::FileReader;
use arrow_schema::{DataType, Schema, SchemaRef};
use arrow_select::concat::concat_batches;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use proptest::prelude::*;
use tribunal_io::{
    AddedColumn, AddedValues, CopySummary, Error, ErrorKind, Labels, Quote, ReadOptions, RowCopy,
    TableFormat, TableWriter, Want, copy_table, write_whole,
};

use crate::folder::Folder;
use crate::formats::{Row, check_table, claims, gzip, rows, wanted, write_all};
use crate::write::FORMATS;

/// Copies files of a folder to another file of it.
fn copy(
    folder: &Folder,
    names: &[&str],
    to: (&str, TableFormat),
    copying: &RowCopy<'_>,
    options: &ReadOptions,
) -> Result<CopySummary, Error> {
    let source = folder.source(names)?;
    write_whole(&folder.path(to.0), |file| Ok(copy_table(&source, options, copying, to.1, file, &|_| ())?))
}

fn text(folder: &Folder, name: &str) -> String {
    std::fs::read_to_string(folder.path(name)).expect("a text")
}

const OUT: (&str, TableFormat) = ("out.csv", TableFormat::Csv);

/// A copy of a CSV text with the number of each row and a label added, the rows at `dropped` left out.
fn check_csv(input: impl AsRef<[u8]>, dropped: &[usize], n_rows: usize, expected: &str) {
    let folder = Folder::new();
    folder.write("in.csv", input);
    let keep: Vec<bool> = (0..n_rows).map(|row| !dropped.contains(&row)).collect();
    let numbers: Vec<u32> = (0..n_rows as u32).collect();
    let codes: Vec<u32> =
        (0..n_rows as u32).map(|row| if row == 1 { Labels::MISSING } else { row % 2 }).collect();
    let texts = ["plain".to_string(), "a, b".to_string()];
    let added = [
        AddedColumn { name: "row", values: AddedValues::Whole(&numbers) },
        AddedColumn { name: "la;bel", values: AddedValues::Labels { codes: &codes, texts: &texts } },
    ];
    let copying = RowCopy { columns: None, keep: Some(&keep), added: &added };
    let summary = copy(&folder, &["in.csv"], OUT, &copying, &ReadOptions::default()).expect("a copy");
    assert_eq!(summary, CopySummary { rows: n_rows as u64, kept: (n_rows - dropped.len()) as u64 });
    assert_eq!(text(&folder, "out.csv"), expected);
}

#[test]
fn csv_rows_stay_byte_for_byte() {
    check_csv("a,b\n1,2\n3,4\n", &[], 2, "a,b,row,\"la;bel\"\n1,2,0,plain\n3,4,1,\n");
    check_csv("a,b\n1,2\n3,4\n", &[0], 2, "a,b,row,\"la;bel\"\n3,4,1,\n");
    check_csv("a,b\n1,2\n3,4\n", &[0, 1], 2, "a,b,row,\"la;bel\"\n");
    check_csv(
        "a;b\n 0,75 ; \"x;\"\"y\"\n\n;\n1;\"two\r\nlines\"\n3;4\n",
        &[],
        4,
        "a;b;row;\"la;bel\"\n 0,75 ; \"x;\"\"y\";0;plain\n;;1;\n1;\"two\r\nlines\";2;plain\n3;4;3;a, b\n",
    );
    check_csv("a\tb\n1\t2", &[], 1, "a\tb\trow\t\"la;bel\"\n1\t2\t0\tplain\n");
    check_csv("only\n\"\"\n x \n", &[], 2, "only,row,\"la;bel\"\n\"\",0,plain\n x ,1,\n");
}

#[test]
fn line_ends_marks_and_gzip_are_seen_to() {
    let crlf = "a,b,row,\"la;bel\"\r\n1,2,0,plain\r\n3,4,1,\r\n";
    check_csv("a,b\r\n1,2\r\n\r\n3,4\r\n", &[], 2, crlf);
    check_csv("a,b\r\n1,2\r\n3,4", &[], 2, crlf);
    check_csv("a,b\r\n1,2\r\n3,4\r", &[], 2, crlf);
    check_csv("\u{feff}a,b\r\n1,2\r\n3,4\r\n", &[], 2, &format!("\u{feff}{crlf}"));
    check_csv(gzip(b"\n\na,b\r\n1,2\r\n3,4\r\n"), &[], 2, crlf);
    check_csv("a,b\n1,2\r\n3,4\n", &[], 2, "a,b,row,\"la;bel\"\n1,2,0,plain\r\n3,4,1,\n");
}

#[test]
fn single_quotes_quote_what_is_added() {
    check_csv("a,b\n'x,y',2\n'z',3\nc,4\nd,5\n", &[0, 1, 2], 4, "a,b,row,'la;bel'\nd,5,3,'a, b'\n");
}

#[test]
fn several_files_have_one_header() {
    let folder = Folder::new();
    folder.write("1.csv", "a,b\n1,\"2\"\n3,4");
    folder.write("2.csv", "\u{feff}a,b\r\n5,6\r\n");
    folder.write("3.csv", "b;a\n8;7\n");
    let numbers = [9, 8, 7, 6];
    let added = |n_rows| [AddedColumn { name: "n", values: AddedValues::Whole(&numbers[..n_rows]) }];
    let options = ReadOptions::default();
    let copying = RowCopy { columns: None, keep: None, added: &added(3) };
    copy(&folder, &["1.csv", "2.csv"], OUT, &copying, &options).expect("a copy");
    assert_eq!(text(&folder, "out.csv"), "a,b,n\n1,\"2\",9\n3,4,8\n5,6,7\r\n");
    let copying = RowCopy { columns: None, keep: Some(&[false, true, true, true]), added: &added(4) };
    copy(&folder, &["?.csv"], OUT, &copying, &options).expect("a copy");
    assert_eq!(text(&folder, "out.csv"), "a,b,n\n3,4,8\n5,6,7\n7,8,6\n");
}

#[test]
fn json_lines_stay_as_they_are() {
    let folder = Folder::new();
    folder.write("in.jsonl", "\u{feff}{\"a\": 1.50, \"b\": {\"c\": []}}\n\n{}\r\n { } \n{\"a\":\"}\"}");
    let texts = ["x\"y".to_string()];
    let codes = [0, Labels::MISSING, 0, 0];
    let added = [
        AddedColumn { name: "n", values: AddedValues::Whole(&[1, 2, 3, 4]) },
        AddedColumn { name: "t", values: AddedValues::Labels { codes: &codes, texts: &texts } },
    ];
    let to = ("out.jsonl", TableFormat::JsonLines);
    let keep = [true, true, true, false];
    for (keep, last) in [(None, "{\"a\":\"}\",\"n\":4,\"t\":\"x\\\"y\"}\n"), (Some(&keep[..]), "")] {
        let copying = RowCopy { columns: None, keep, added: &added };
        copy(&folder, &["in.jsonl"], to, &copying, &ReadOptions::default()).expect("a copy");
        let expected = "{\"a\": 1.50, \"b\": {\"c\": []},\"n\":1,\"t\":\"x\\\"y\"}\n{\"n\":2,\"t\":null}\r\n \
                        { \"n\":3,\"t\":\"x\\\"y\"} \n";
        assert_eq!(text(&folder, "out.jsonl"), format!("{expected}{last}"));
    }
}

/// Every file of [`write_all`] copied to every format, some rows left out and their numbers added.
fn check_all(rows: &[Row]) {
    let folder = Folder::new();
    let numbers: Vec<u32> = (0..rows.len() as u32).collect();
    let keep: Vec<bool> = (0..rows.len()).map(|row| row % 3 != 1).collect();
    let kept: Vec<Row> =
        rows.iter().zip(&keep).filter(|(_, keep)| **keep).map(|(row, _)| row.clone()).collect();
    let kept_numbers: Vec<Option<f64>> =
        numbers.iter().zip(&keep).filter(|(_, keep)| **keep).map(|(n, _)| Some(f64::from(*n))).collect();
    let added = [AddedColumn { name: "row", values: AddedValues::Whole(&numbers) }];
    let copying = RowCopy { columns: None, keep: Some(&keep), added: &added };
    for name in write_all(rows, &folder) {
        for to in FORMATS {
            let what = format!("{name} to {}", to.0);
            copy(&folder, &[name], to, &copying, &ReadOptions::default()).expect(&what);
            check_table(&kept, &folder.read(&[to.0], &wanted()).expect(&what), &what);
            let numbers = folder.read(&[to.0], &[Want::number("row")]).expect(&what);
            assert_eq!(numbers.numbers(0), kept_numbers, "{what}");
        }
    }
}

#[test]
fn a_copy_reads_like_its_source_from_every_format_to_every_format() {
    check_all(&claims());
    check_all(&claims()[..1]);
}

fn stored() -> RecordBatch {
    let money = Decimal128Array::from(vec![Some(-1250), None, Some(5)]).with_precision_and_scale(9, 2);
    let coded: DictionaryArray<Int8Type> = [Some("north"), None, Some("south")].into_iter().collect();
    let lists = ListArray::from_iter_primitive::<arrow_array::types::Int64Type, _, _>([
        Some(vec![Some(1)]),
        None,
        Some(vec![]),
    ]);
    let columns: Vec<(&str, ArrayRef, bool)> = vec![
        ("id", Arc::new(Int64Array::from(vec![1, i64::MAX, -1])), false),
        ("money", Arc::new(money.expect("decimals")), true),
        ("day", Arc::new(Date32Array::from(vec![Some(19_000), Some(0), None])), true),
        ("class", Arc::new(coded), true),
        ("list", Arc::new(lists), true),
    ];
    let batch = RecordBatch::try_from_iter_with_nullable(columns).expect("a batch");
    let metadata = [("made by".to_string(), "hand".to_string())].into();
    let schema = Schema::new_with_metadata(batch.schema().fields().clone(), metadata);
    batch.with_schema(Arc::new(schema)).expect("the same columns")
}

fn write_stored(folder: &Folder, to: (&str, TableFormat), batch: &RecordBatch) {
    write_whole(&folder.path(to.0), |file| {
        let mut writer = TableWriter::create(file, to.1, batch.schema(), &[])?;
        writer.write(batch)?;
        Ok(writer.finish()?)
    })
    .expect("written");
}

fn read_stored(folder: &Folder, (name, format): (&str, TableFormat)) -> RecordBatch {
    let file = File::open(folder.path(name)).expect("a file");
    let (schema, batches): (SchemaRef, Vec<_>) = match format {
        TableFormat::Parquet => {
            let reader = ParquetRecordBatchReaderBuilder::try_new(file).expect("a reader");
            (reader.schema().clone(), reader.build().expect("rows").collect())
        }
        _ => {
            let reader = FileReader::try_new(file, None).expect("a reader");
            (reader.schema(), reader.collect())
        }
    };
    let batches: Vec<RecordBatch> = batches.into_iter().map(|batch| batch.expect("a batch")).collect();
    let columns = concat_batches(&batches[0].schema(), &batches).expect("one batch");
    columns.with_schema(schema).expect("the same columns")
}

#[test]
fn columnar_files_keep_types_missing_values_and_metadata() {
    let folder = Folder::new();
    let files = [("in.parquet", TableFormat::Parquet), ("in.arrow", TableFormat::ArrowIpc)];
    let batch = stored();
    let added = [AddedColumn { name: "fold", values: AddedValues::Whole(&[4, 5, 6]) }];
    let copying = RowCopy { columns: None, keep: Some(&[true, false, true]), added: &added };
    for from in files {
        write_stored(&folder, from, &batch);
        for to in [("out.parquet", TableFormat::Parquet), ("out.arrow", TableFormat::ArrowIpc)] {
            copy(&folder, &[from.0], to, &copying, &ReadOptions::default()).expect("a copy");
            let found = read_stored(&folder, to);
            let kept = concat_batches(&batch.schema(), [&batch.slice(0, 1), &batch.slice(2, 1)]);
            let kept = kept.expect("two rows");
            for (idx, field) in batch.schema().fields().iter().enumerate() {
                assert_eq!(found.schema().field(idx).data_type(), field.data_type(), "{from:?} to {to:?}");
                assert_eq!(
                    found.schema().field(idx).is_nullable(),
                    field.is_nullable(),
                    "{from:?} to {to:?}"
                );
                assert_eq!(found.column(idx), kept.column(idx), "{from:?} to {to:?}");
            }
            assert_eq!(found.column(5).as_ref(), &Int64Array::from(vec![4, 6]) as &dyn arrow_array::Array);
            assert_eq!(found.schema().metadata().get("made by").map(String::as_str), Some("hand"));
        }
    }
}

#[test]
fn columnar_files_of_other_types_and_orders_are_brought_into_line() {
    let folder = Folder::new();
    let column = |array: ArrayRef| array;
    let first = [
        ("a", column(Arc::new(Int64Array::from(vec![1]))), true),
        ("b", Arc::new(StringArray::from(vec!["x"])), true),
    ];
    let second = [
        ("b", column(Arc::new(StringArray::from(vec!["y"]))), true),
        ("a", Arc::new(arrow_array::Int8Array::from(vec![2])), true),
    ];
    for (name, columns) in [("1.parquet", first), ("2.parquet", second)] {
        let batch = RecordBatch::try_from_iter_with_nullable(columns).expect("a batch");
        write_stored(&folder, (name, TableFormat::Parquet), &batch);
    }
    copy(&folder, &["?.parquet"], OUT, &RowCopy::default(), &ReadOptions::default()).expect("a copy");
    assert_eq!(text(&folder, "out.csv"), "a,b\n1,x\n2,y\n");
}

#[test]
fn dates_and_decimals_become_plain_text() {
    let folder = Folder::new();
    let batch = stored().project(&[0, 1, 2, 3]).expect("four columns");
    write_stored(&folder, ("in.parquet", TableFormat::Parquet), &batch);
    copy(&folder, &["in.parquet"], OUT, &RowCopy::default(), &ReadOptions::default()).expect("a copy");
    let expected =
        "id,money,day,class\n1,-12.50,2022-01-08,north\n9223372036854775807,,1970-01-01,\n-1,0.05,,south\n";
    assert_eq!(text(&folder, "out.csv"), expected);
}

#[test]
fn columns_of_text_get_the_type_of_all_their_values() {
    let folder = Folder::new();
    let rows = "1,1,007,1,\n9007199254740993,2.5,1,NA,\n,NA,2,high,\n";
    folder.write("in.csv", format!("whole,real,id,text,nothing\n{rows}"));
    let to = ("out.parquet", TableFormat::Parquet);
    copy(&folder, &["in.csv"], to, &RowCopy::default(), &ReadOptions::default()).expect("a copy");
    let batch = read_stored(&folder, to);
    let types: Vec<DataType> =
        batch.schema().fields().iter().map(|field| field.data_type().clone()).collect();
    use DataType::{Float64, Int64, Utf8};
    assert_eq!(types, [Int64, Float64, Utf8, Utf8, Utf8]);
    assert_eq!(
        batch.column(0).as_ref(),
        &Int64Array::from(vec![Some(1), Some(9007199254740993), None]) as &dyn arrow_array::Array
    );
    assert_eq!(
        batch.column(3).as_ref(),
        &StringArray::from(vec!["1", "NA", "high"]) as &dyn arrow_array::Array
    );
}

#[test]
fn keys_that_appear_late_are_copied_too() {
    let folder = Folder::new();
    folder.write("in.jsonl", "{\"a\": \"1\"}\n".repeat(2000) + "{\"a\": \"2\", \"b\": 3, \"c\": true}\n");
    let keep: Vec<bool> = (0..2001).map(|row| row >= 1999).collect();
    let copying = RowCopy { columns: None, keep: Some(&keep), added: &[] };
    copy(&folder, &["in.jsonl"], OUT, &copying, &ReadOptions::default()).expect("a copy");
    assert_eq!(text(&folder, "out.csv"), "a,b,c\n1,,\n2,3,true\n");
}

fn check_error(input: (&str, &str), copying: &RowCopy<'_>, to: TableFormat, kind: ErrorKind, parts: &[&str]) {
    let folder = Folder::new();
    folder.write(input.0, input.1);
    let failed = copy(&folder, &[input.0], ("out", to), copying, &ReadOptions::default());
    let error = failed.expect_err("an error");
    assert_eq!(error.kind(), kind, "{error}");
    let message = error.to_string();
    assert!(parts.iter().all(|part| message.contains(part)), "{message}");
    assert!(!folder.path("out").exists());
}

#[test]
fn other_lengths_are_refused() {
    let text = ("in.csv", "a\n1\n2\n3\n");
    for format in [TableFormat::Csv, TableFormat::Parquet] {
        let check = |copying: &RowCopy<'_>, part| {
            check_error(text, copying, format, ErrorKind::InvalidInput, &[part])
        };
        check(
            &RowCopy { columns: None, keep: Some(&[true; 2]), added: &[] },
            "values are given for 2 rows, the table has more",
        );
        check(
            &RowCopy { columns: None, keep: Some(&[true; 4]), added: &[] },
            "values are given for 4 rows, the table has 3",
        );
        let added = [AddedColumn { name: "b", values: AddedValues::Whole(&[1, 2]) }];
        check(&RowCopy { columns: None, keep: None, added: &added }, "values are given for 2 rows");
        let part = "the choice of rows has values for 3 rows, the added column \"b\" for 2";
        check(&RowCopy { columns: None, keep: Some(&[true; 3]), added: &added }, part);
        let texts = ["x".to_string()];
        let values = AddedValues::Labels { codes: &[0, 1, 0], texts: &texts };
        let part = "column \"b\": the code 1 stands for none of the 1 labels";
        check(&RowCopy { columns: None, keep: None, added: &[AddedColumn { name: "b", values }] }, part);
    }
}

#[test]
fn names_that_are_taken_are_refused() {
    let taken = |name| [AddedColumn { name, values: AddedValues::Whole(&[1, 2]) }];
    let added = taken("b");
    let copying = RowCopy { columns: None, keep: None, added: &added };
    let part = "there is a column \"b\" already";
    for format in [TableFormat::Csv, TableFormat::Parquet] {
        check_error(("in.csv", "a,b\n1,2\n3,4\n"), &copying, format, ErrorKind::DuplicateColumn, &[part]);
    }
    let twice = [added[0], added[0]];
    let copying_twice = RowCopy { columns: None, keep: None, added: &twice };
    check_error(
        ("in.csv", "a\n1\n2\n"),
        &copying_twice,
        TableFormat::Csv,
        ErrorKind::DuplicateColumn,
        &[part],
    );
    let late = format!("{}{}", "{\"a\":1}\n".repeat(1500), "{\"a\":1,\"b\":2}\n");
    let numbers = vec![0; 1501];
    let added = [AddedColumn { name: "b", values: AddedValues::Whole(&numbers) }];
    let copying = RowCopy { columns: None, keep: None, added: &added };
    let parts = ["in.jsonl, line 1501: ", part];
    check_error(("in.jsonl", &late), &copying, TableFormat::JsonLines, ErrorKind::DuplicateColumn, &parts);
    check_error(("in.jsonl", &late), &copying, TableFormat::Csv, ErrorKind::DuplicateColumn, &parts[1..]);
}

#[test]
fn what_the_reader_refuses_is_not_copied() {
    let copying = RowCopy::default();
    for format in [TableFormat::Csv, TableFormat::JsonLines] {
        let ragged = ("in.csv", "a,b\n1,2\n\n\"3\n\",4\n5\n");
        check_error(ragged, &copying, format, ErrorKind::RaggedRow, &["in.csv, line 6: the row has 1 field"]);
        check_error(("in.csv", "a,b\n"), &copying, format, ErrorKind::NoRows, &["not one row"]);
    }
    let broken = ("in.jsonl", "{\"a\":1}\n\n{\"a\":\n");
    for format in [TableFormat::JsonLines, TableFormat::Parquet, TableFormat::Csv] {
        check_error(broken, &copying, format, ErrorKind::Malformed, &["in.jsonl, line 3: "]);
    }
    let nested = ("in.jsonl", "{\"a\":1}\n{\"a\":[]}\n");
    check_error(
        nested,
        &copying,
        TableFormat::Csv,
        ErrorKind::ColumnType,
        &["line 2, column \"a\": the value is a list"],
    );
}

#[test]
fn labels_that_the_quotes_of_a_file_cannot_hold_are_refused() {
    let folder = Folder::new();
    folder.write("in.csv", "a\n1\n");
    let options = ReadOptions { delimiter: None, quote: Quote::None };
    for (label, is_fine) in [("b, c", false), ("plain", true)] {
        let texts = [label.to_string()];
        let added = [AddedColumn { name: "b", values: AddedValues::Labels { codes: &[0], texts: &texts } }];
        let copied =
            copy(&folder, &["in.csv"], OUT, &RowCopy { columns: None, keep: None, added: &added }, &options);
        assert_eq!(copied.is_ok(), is_fine, "{label}");
    }
}

#[test]
fn a_full_disk_stops_a_copy_and_nothing_is_written_to_it_twice() {
    let folder = Folder::new();
    folder.write("in.csv", "a,b\n1,2\n3,4\n".replace("3,4\n", &"3,4\n".repeat(2_000_000)));
    let source = folder.source(&["in.csv"]).expect("a source");
    for (name, format) in FORMATS {
        let mut disk = crate::write::Disk { room: 2000 };
        let options = ReadOptions::default();
        let failed = copy_table(&source, &options, &RowCopy::default(), format, &mut disk, &|_| ());
        assert_eq!(failed.expect_err(name).kind(), ErrorKind::Io, "{name}");
    }
}

/// Rows that span blocks: the copy is the file, and the bytes are the same with any number of threads.
#[test]
fn large_files_are_copied_whole_and_in_order() {
    let folder = Folder::new();
    let mut input = String::from("n,text\n");
    (0..600_000).for_each(|n| input.push_str(&format!("{n},\"a \"\"b\"\"\n{}\"\n", n % 7)));
    folder.write("in.csv", &input);
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        let copied =
            pool.install(|| copy(&folder, &["in.csv"], OUT, &RowCopy::default(), &ReadOptions::default()));
        assert_eq!(copied.expect("a copy").rows, 600_000);
        assert!(text(&folder, "out.csv") == input, "{threads} threads");
    }
}

#[test]
fn progress_counts_rows_and_bytes() {
    let folder = Folder::new();
    folder.write("in.csv", "a\n1\n2\n");
    let last = std::cell::Cell::new(None);
    let source = folder.source(&["in.csv"]).expect("a source");
    let on_progress = |progress| last.set(Some(progress));
    copy_table(
        &source,
        &ReadOptions::default(),
        &RowCopy::default(),
        TableFormat::Csv,
        &mut Vec::new(),
        &on_progress,
    )
    .expect("a copy");
    let last = last.get().expect("progress");
    assert_eq!((last.rows, last.total_bytes), (2, 6));
}

/// What a copy says of the rows of a CSV text is what the reader says: the same rows, or the same error.
fn check_like_the_reader(body: &str, line_end: &str) -> Result<(), TestCaseError> {
    let folder = Folder::new();
    folder.write("in.csv", format!("a,b{line_end}{body}"));
    let options = ReadOptions { delimiter: Some(b','), quote: Quote::Byte(b'"') };
    let wanted = [Want::label("a"), Want::label("b")];
    let read = folder.read_with(&["in.csv"], &wanted, &options);
    let n_rows = read.as_ref().map_or(0, |table| table.places.len());
    let numbers: Vec<u32> = (0..n_rows as u32).collect();
    let added = [AddedColumn { name: "row", values: AddedValues::Whole(&numbers) }];
    let copying = RowCopy { columns: None, keep: None, added: if read.is_ok() { &added } else { &[] } };
    for to in FORMATS {
        let copied = copy(&folder, &["in.csv"], to, &copying, &options);
        match (&read, copied) {
            (Ok(table), Ok(summary)) => {
                prop_assert_eq!(summary.rows, n_rows as u64);
                let options = if to.1 == TableFormat::Csv { options } else { ReadOptions::default() };
                let found = folder.read_with(&[to.0], &[Want::label("row")], &options).expect("read again");
                let rows: Vec<String> = numbers.iter().map(|n| n.to_string()).collect();
                prop_assert_eq!(
                    found.labels(0),
                    rows.iter().map(|row| Some(row.as_str())).collect::<Vec<_>>()
                );
                if to.1 == TableFormat::Csv {
                    let found = folder.read_with(&[to.0], &wanted, &options).expect("read again");
                    prop_assert_eq!(&found.columns, &table.columns);
                }
            }
            (Err(expected), Err(error)) => prop_assert_eq!(expected.to_string(), error.to_string()),
            (read, copied) => prop_assert!(false, "read: {:?}, copied: {:?}", read.as_ref().err(), copied),
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn any_copy_reads_like_its_source(rows in rows()) {
        check_all(&rows);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn nasty_rows_are_the_rows_of_the_reader(
        rows in proptest::collection::vec("([a1 ']{0,3}|[ ]?\"([,\n\r a]|\"\"){0,4}\"[ b]?),([a1\" ]{0,3}|\"([,\n\r;]|\"\"){0,4}\")[\r]?\n\n?", 0..6),
        crlf in any::<bool>(),
    ) {
        check_like_the_reader(&rows.concat(), if crlf { "\r\n" } else { "\n" })?;
    }

    #[test]
    fn any_text_gives_the_rows_or_the_error_of_the_reader(body in "[a,\"\n\r ]{0,16}") {
        check_like_the_reader(&body, "\n")?;
    }
}

#[test]
fn some_columns_are_copied_in_the_order_asked_for() {
    let added = [AddedColumn { name: "b", values: AddedValues::Numbers(&[0.25, f64::NAN, 1.0]) }];
    let copying = RowCopy { columns: Some(&["c", "a"]), keep: None, added: &added };
    let expected = "c,a,b\nx,007,0.25\n\"y,z\",1,\n,2,1\n";
    let folder = Folder::new();
    folder.write("in.csv", "a,b,c\n007,1.50,x\n1,2,\"y,z\"\n2,3,\n");
    folder.write("in.jsonl", "{\"a\":\"007\",\"b\":1}\n{\"c\":\"y,z\",\"a\":\"1\"}\n{\"a\":\"2\"}\n");
    let options = ReadOptions::default();
    let all = RowCopy::default();
    copy(&folder, &["in.csv"], ("in.parquet", TableFormat::Parquet), &all, &options).expect("a copy");
    for name in ["in.csv", "in.parquet"] {
        copy(&folder, &[name], OUT, &copying, &options).expect("a copy");
        assert_eq!(text(&folder, "out.csv"), expected, "{name}");
    }
    copy(&folder, &["in.jsonl"], OUT, &copying, &options).expect("a copy");
    assert_eq!(text(&folder, "out.csv"), expected.replace("\nx,", "\n,"));
    copy(&folder, &["in.jsonl"], ("out.jsonl", TableFormat::JsonLines), &copying, &options).expect("a copy");
    assert!(text(&folder, "out.jsonl").starts_with("{\"c\":null,\"a\":\"007\",\"b\":0.25}\n"));
    for name in ["in.csv", "in.parquet", "in.jsonl"] {
        let copying = RowCopy { columns: Some(&["a", "cc"]), keep: None, added: &added };
        let error = copy(&folder, &[name], OUT, &copying, &options).expect_err("not there");
        assert_eq!(error.kind(), ErrorKind::UnknownColumn, "{error}");
    }
    let nothing = RowCopy { columns: Some(&[]), keep: None, added: &added };
    for name in ["in.csv", "in.parquet", "in.jsonl"] {
        copy(&folder, &[name], OUT, &nothing, &options).expect("a copy");
        assert_eq!(text(&folder, "out.csv"), "b\n0.25\n\"\"\n1\n", "{name}");
    }
}

#[test]
fn added_numbers_stand_behind_rows_that_stay_as_they_are() {
    let added = [AddedColumn { name: "s", values: AddedValues::Numbers(&[0.1, f64::INFINITY]) }];
    let copying = RowCopy { added: &added, ..RowCopy::default() };
    let folder = Folder::new();
    folder.write("in.csv", "a\n1.50\n2\n");
    folder.write("in.jsonl", "{\"a\": 1.50}\n{}\n");
    copy(&folder, &["in.csv"], OUT, &copying, &ReadOptions::default()).expect("a copy");
    assert_eq!(text(&folder, "out.csv"), "a,s\n1.50,0.1\n2,\n");
    let out = ("out.jsonl", TableFormat::JsonLines);
    copy(&folder, &["in.jsonl"], out, &copying, &ReadOptions::default()).expect("a copy");
    assert_eq!(text(&folder, "out.jsonl"), "{\"a\": 1.50,\"s\":0.1}\n{\"s\":null}\n");
}
