//! The same table reads the same in every format.

use std::fs::File;
use std::io::Write;
use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use parquet::arrow::ArrowWriter;
use parquet::file::properties::WriterProperties;
use proptest::prelude::*;
use tribunal_io::{Holds, ReadOptions, Want};

use crate::folder::{Folder, Table};

/// A row: a score that may be missing, a class, a whole number, a flag.
pub(crate) type Row = (Option<f64>, String, i64, bool);

pub(crate) fn wanted() -> [Want; 5] {
    [Want::number("score"), Want::label("class"), Want::number("n"), Want::label("n"), Want::label("flag")]
}

/// Numbers read on the rows of one class, of the flag or of a whole number; the flag stands after them.
fn wanted_where() -> [Want; 4] {
    [
        Want::label("class"),
        Want::number_where("score", "class", |class| class.len() == 1 || class == "fraud"),
        Want::number_where("score", "flag", |flag| flag == "true"),
        Want::number_where("n", "n", |n| n.starts_with('-')),
    ]
}

pub(crate) fn record_batch(rows: &[Row]) -> RecordBatch {
    let scores: ArrayRef = Arc::new(Float64Array::from_iter(rows.iter().map(|row| row.0)));
    let classes: ArrayRef = Arc::new(StringArray::from_iter_values(rows.iter().map(|row| &row.1)));
    let numbers: ArrayRef = Arc::new(Int64Array::from_iter_values(rows.iter().map(|row| row.2)));
    let flags: ArrayRef = Arc::new(BooleanArray::from_iter(rows.iter().map(|row| Some(row.3))));
    let columns =
        [("score", scores, true), ("class", classes, true), ("n", numbers, true), ("flag", flags, true)];
    RecordBatch::try_from_iter_with_nullable(columns).expect("a record batch")
}

fn csv(rows: &[Row], delimiter: &str, line_end: &str) -> String {
    let mut text = ["score", "class", "n", "flag"].join(delimiter) + line_end;
    for (score, class, n, flag) in rows {
        let score = score.map(|score| score.to_string()).unwrap_or_default();
        let class = format!("\"{}\"", class.replace('"', "\"\""));
        text += &([score, class, n.to_string(), flag.to_string()].join(delimiter) + line_end);
    }
    text
}

/// A missing score is null in the first object, which lists the columns, and absent from the others.
fn json(rows: &[Row]) -> String {
    let object = |(row_idx, (score, class, n, flag)): (usize, &Row)| match (score, row_idx) {
        (Some(score), _) => {
            format!("{{\"score\":{score:?},\"class\":{class:?},\"n\":{n},\"flag\":{flag}}}\n")
        }
        (None, 0) => format!("{{\"score\":null,\"class\":{class:?},\"n\":{n},\"flag\":{flag}}}\n"),
        (None, _) => format!("{{\"flag\": {flag}, \"n\": {n}, \"class\": {class:?}}}\n"),
    };
    rows.iter().enumerate().map(object).collect()
}

fn arff_header() -> &'static str {
    "% claims\n@relation claims\n@attribute score numeric\n@attribute class string\n@attribute n integer\n\
     @attribute flag {true,false}\n\n@data\n"
}

fn arff_text(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

fn arff(rows: &[Row]) -> String {
    let line = |(score, class, n, flag): &Row| {
        let score = score.map_or("?".to_string(), |score| score.to_string());
        format!("{score},{},{n}, {flag}\n", arff_text(class))
    };
    arff_header().to_string() + &rows.iter().map(line).collect::<String>()
}

fn sparse_arff(rows: &[Row]) -> String {
    let line = |(score, class, n, flag): &Row| {
        let mut cells = match score {
            None => vec!["0 ?".to_string()],
            Some(0.0) => vec![],
            Some(score) => vec![format!("0 {score}")],
        };
        cells.push(format!("1 {}", arff_text(class)));
        cells.extend((*n != 0).then(|| format!("2 {n}")));
        cells.extend((!flag).then(|| "3 false".to_string()));
        format!("{{{}}}\n", cells.join(", "))
    };
    arff_header().to_string() + &rows.iter().map(line).collect::<String>()
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("compressed");
    encoder.finish().expect("compressed")
}

/// Two members, as `cat a.gz b.gz` makes them.
fn two_members(text: &str) -> Vec<u8> {
    let (first, second) = text.as_bytes().split_at(text.len() / 2);
    [gzip(first), gzip(second)].concat()
}

fn parquet(rows: &[Row], folder: &Folder, name: &str, rows_a_group: usize) {
    let properties = WriterProperties::builder().set_max_row_group_row_count(Some(rows_a_group)).build();
    let batch = record_batch(rows);
    let file = File::create(folder.path(name)).expect("a file");
    let mut writer = ArrowWriter::try_new(file, batch.schema(), Some(properties)).expect("a writer");
    writer.write(&batch).expect("written");
    writer.close().expect("closed");
}

fn arrow(rows: &[Row], folder: &Folder) {
    let batch = record_batch(rows);
    let half = rows.len() / 2;
    let parts = [batch.slice(0, half), batch.slice(half, rows.len() - half)];
    for (name, compression) in [
        ("plain.arrow", None),
        ("lz4.arrow", Some(arrow_ipc::CompressionType::LZ4_FRAME)),
        ("zstd.arrow", Some(arrow_ipc::CompressionType::ZSTD)),
    ] {
        let options = IpcWriteOptions::default().try_with_compression(compression).expect("options");
        let file = File::create(folder.path(name)).expect("a file");
        let mut writer = FileWriter::try_new_with_options(file, &batch.schema(), options).expect("a writer");
        parts.iter().for_each(|part| writer.write(part).expect("written"));
        writer.finish().expect("finished");
    }
    let file = File::create(folder.path("stream.arrow")).expect("a file");
    let mut writer = StreamWriter::try_new(file, &batch.schema()).expect("a writer");
    parts.iter().for_each(|part| writer.write(part).expect("written"));
    writer.finish().expect("finished");
}

pub(crate) fn write_all(rows: &[Row], folder: &Folder) -> Vec<&'static str> {
    let comma = csv(rows, ",", "\n");
    folder.write("comma.csv", &comma);
    folder.write("marked.csv", format!("\u{feff}{}", csv(rows, ";", "\r\n")));
    folder.write("tab.tsv", csv(rows, "\t", "\n").trim_end_matches('\n'));
    folder.write("bar.txt", csv(rows, "|", "\n\n"));
    folder.write("one.csv.gz", gzip(comma.as_bytes()));
    folder.write("two.csv.gz", two_members(&comma));
    folder.write("lines.jsonl", json(rows));
    folder.write("lines.json.gz", gzip(json(rows).as_bytes()));
    folder.write("dense.arff", arff(rows));
    folder.write("sparse.arff", sparse_arff(rows));
    parquet(rows, folder, "one.parquet", 1 << 20);
    parquet(rows, folder, "many.parquet", 2);
    arrow(rows, folder);
    vec![
        "comma.csv",
        "marked.csv",
        "tab.tsv",
        "bar.txt",
        "one.csv.gz",
        "two.csv.gz",
        "lines.jsonl",
        "lines.json.gz",
        "dense.arff",
        "sparse.arff",
        "one.parquet",
        "many.parquet",
        "plain.arrow",
        "lz4.arrow",
        "zstd.arrow",
        "stream.arrow",
    ]
}

fn check(rows: &[Row]) {
    let folder = Folder::new();
    for name in write_all(rows, &folder) {
        check_table(rows, &folder.read(&[name], &wanted()).expect(name), name);
        check_conditions(rows, &folder.read(&[name], &wanted_where()).expect(name), name);
    }
}

pub(crate) fn check_table(rows: &[Row], table: &Table, name: &str) {
    let scores: Vec<_> = rows.iter().map(|row| row.0).collect();
    let classes: Vec<_> =
        rows.iter().map(|row| Some(row.1.as_str()).filter(|class| !class.is_empty())).collect();
    let numbers: Vec<_> = rows.iter().map(|row| Some(row.2 as f64)).collect();
    let texts: Vec<_> = rows.iter().map(|row| row.2.to_string()).collect();
    let flags: Vec<_> = rows.iter().map(|row| Some(if row.3 { "true" } else { "false" })).collect();
    assert_eq!(table.numbers(0), scores, "{name}");
    assert_eq!(table.labels(1), classes, "{name}");
    assert_eq!(table.numbers(2), numbers, "{name}");
    assert_eq!(table.labels(3), texts.iter().map(|text| Some(text.as_str())).collect::<Vec<_>>(), "{name}");
    assert_eq!(table.labels(4), flags, "{name}");
    assert_eq!(table.summary.rows, rows.len() as u64, "{name}");
}

fn check_conditions(rows: &[Row], table: &Table, name: &str) {
    let scores = |counts: &dyn Fn(&Row) -> bool| -> Vec<Option<f64>> {
        rows.iter().map(|row| if counts(row) { row.0 } else { Some(0.0) }).collect()
    };
    let numbers: Vec<_> = rows.iter().map(|row| Some(row.2.min(0) as f64)).collect();
    assert_eq!(table.columns.len(), 4, "{name}");
    assert_eq!(table.summary.dictionaries.len(), 4, "{name}");
    assert_eq!(table.numbers(1), scores(&|row| row.1.len() == 1 || row.1 == "fraud"), "{name}");
    assert_eq!(table.numbers(2), scores(&|row| row.3), "{name}");
    assert_eq!(table.numbers(3), numbers, "{name}");
}

fn row(score: impl Into<Option<f64>>, class: &str, n: i64, flag: bool) -> Row {
    (score.into(), class.to_string(), n, flag)
}

pub(crate) fn claims() -> Vec<Row> {
    vec![
        row(0.25, "fraud", 1, true),
        row(None, "legit, so far", 0, false),
        row(1e-300, "it's \"odd\" \\ here", -7, true),
        row(0.1 + 0.2, "", 9_007_199_254_740_993, false),
        row(0.0, "caf\u{e9}", 0, true),
    ]
}

#[test]
fn a_table_reads_the_same_in_every_format() {
    check(&claims());
}

#[test]
fn one_row_is_a_table() {
    check(&claims()[..1]);
}

#[test]
fn formats_are_told_by_content_and_files_of_several_formats_are_one_table() {
    let folder = Folder::new();
    let rows = claims();
    parquet(&rows[..2], &folder, "misnamed.csv", 10);
    folder.write("misnamed.parquet", csv(&rows[2..], ",", "\n"));
    let table = folder.read(&["misnamed.csv", "misnamed.parquet"], &wanted()).expect("a table");
    check_table(&rows, &table, "both");
    let places = ["misnamed.csv, row 1", "misnamed.csv, row 2", "misnamed.parquet, line 2"];
    assert_eq!(table.places[..3], places);
}

#[test]
fn dictionaries_follow_first_appearance_across_files() {
    let folder = Folder::new();
    folder.write("a.csv", "class\nb\na\nb\n");
    folder.write("b.csv", "class\nc\na\n");
    let table = folder.read(&["*.csv"], &[Want::label("class")]).expect("a table");
    assert_eq!(table.summary.dictionaries[0].iter().collect::<Vec<_>>(), ["b", "a", "c"]);
}

#[test]
fn columns_are_described() {
    let folder = Folder::new();
    for name in write_all(&claims(), &folder) {
        let table = folder.open(&[name], &ReadOptions::default()).expect(name);
        let names: Vec<_> = table.columns().iter().map(|column| column.name.as_str()).collect();
        assert_eq!(names, ["score", "class", "n", "flag"], "{name}");
        assert_eq!(table.columns()[0].holds, Holds::Numbers, "{name}");
        assert_eq!(table.columns()[1].holds, Holds::Texts, "{name}");
    }
}

/// Numbers that are none, on rows where they do not count; the label may stand on either side and be missing.
#[test]
fn what_stands_on_rows_that_do_not_count_is_not_looked_at() {
    let folder = Folder::new();
    folder.write("a.csv", "label,amount,late\n1,2.5,1\n0,x,0\n,1e,\n1,,1\n");
    folder.write("b.csv", "label,amount,late\n\"1\",2.5,\"1\"\n0,\"x,\ny\",0\n\"\",\"1e\",\"\"\n1,\"\",1\n");
    folder.write(
        "c.jsonl",
        "{\"label\":1,\"amount\":2.5,\"late\":1}\n{\"label\":0,\"amount\":[1,{}],\"late\":0}\n\
         {\"amount\":{\"a\":[]},\"late\":null}\n{\"label\":1,\"late\":1}\n",
    );
    folder.write(
        "d.arff",
        "@relation a\n@attribute label {0,1}\n@attribute amount string\n@attribute late {0,1}\n@data\n\
         1,2.5,1\n0,x,0\n?,1e,?\n{0 1,2 1}\n",
    );
    let column = |texts: [Option<&str>; 4]| Arc::new(StringArray::from(texts.to_vec())) as ArrayRef;
    let labels = column([Some("1"), Some("0"), None, Some("1")]);
    let amounts = column([Some("2.5"), Some("x"), Some("1e"), None]);
    let columns = [("label", labels.clone(), true), ("amount", amounts, true), ("late", labels, true)];
    let batch = RecordBatch::try_from_iter_with_nullable(columns).expect("a record batch");
    let file = File::create(folder.path("e.parquet")).expect("a file");
    let mut writer = ArrowWriter::try_new(file, batch.schema(), None).expect("a writer");
    writer.write(&batch).expect("written");
    writer.close().expect("closed");
    let wanted =
        ["label", "late"].map(|label| Want::number_where("amount", label, |label: &str| label == "1"));
    for name in ["a.csv", "b.csv", "c.jsonl", "d.arff", "e.parquet"] {
        let table = folder.read(&[name], &wanted).expect(name);
        assert_eq!(table.columns.len(), 2, "{name}");
        for idx in 0..2 {
            assert_eq!(table.numbers(idx), [Some(2.5), Some(0.0), Some(0.0), None], "{name}");
        }
    }
}

#[test]
fn keys_that_appear_late_are_columns_too() {
    let folder = Folder::new();
    let early = "{\"a\": 1}\n".repeat(100_000);
    folder.write("late.jsonl", early + "{\"a\": 2, \"b\": 3}\n");
    let table = folder.read(&["late.jsonl"], &[Want::number("b")]).expect("a table");
    assert_eq!(table.numbers(0)[99_999..], [None, Some(3.0)]);
}

#[test]
fn large_row_groups_are_decoded_in_pieces_in_order() {
    let folder = Folder::new();
    let rows: Vec<Row> =
        (0..600_000).map(|n| row(n as f64, if n % 3 == 0 { "a" } else { "b" }, n, n % 2 == 0)).collect();
    parquet(&rows, &folder, "large.parquet", 1 << 20);
    let table = folder.read(&["large.parquet"], &wanted()).expect("a table");
    check_table(&rows, &table, "large.parquet");
    let table_where = folder.read(&["large.parquet"], &wanted_where()).expect("a table");
    check_conditions(&rows, &table_where, "large.parquet");
    assert_eq!(table.places[599_999], "large.parquet, row 600000");
}

pub(crate) fn rows() -> impl Strategy<Value = Vec<Row>> {
    let score =
        proptest::option::of(prop_oneof![any::<f64>().prop_filter("finite", |x| x.is_finite()), -1.0..1.0]);
    let class = prop_oneof!["[ab]", "[a-z ,;|'\"\\\\{}%?\u{e9}]{0,12}"];
    proptest::collection::vec((score, class, any::<i64>(), any::<bool>()), 1..20)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn any_table_reads_the_same_in_every_format(rows in rows()) {
        check(&rows);
    }
}
