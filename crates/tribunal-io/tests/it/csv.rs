//! CSV in all its variety, and across the borders of blocks.

use proptest::prelude::*;
use tribunal_io::{Quote, ReadOptions, Want};

use crate::folder::{Folder, Table};

fn read(text: &str, wanted: &[Want]) -> Table {
    let folder = Folder::new();
    folder.write("scores.csv", text);
    folder.read(&["scores.csv"], wanted).expect("a table")
}

fn check(text: &str, scores: &[Option<f64>], labels: &[Option<&str>], lines: &[u64]) {
    let table = read(text, &[Want::number("score"), Want::label("label")]);
    assert_eq!(table.numbers(0), scores, "{text:?}");
    assert_eq!(table.labels(1), labels, "{text:?}");
    let places: Vec<String> = lines.iter().map(|line| format!("scores.csv, line {line}")).collect();
    assert_eq!(table.places, places, "{text:?}");
}

#[test]
fn fields_blank_lines_and_line_ends() {
    check("score,label\n0.5,1\n0.25,0\n", &[Some(0.5), Some(0.25)], &[Some("1"), Some("0")], &[2, 3]);
    check(
        "label,x,score\r\n1,?,0.5\r\n\r\n0,?,0.25",
        &[Some(0.5), Some(0.25)],
        &[Some("1"), Some("0")],
        &[2, 4],
    );
    check("\n\nscore,label\n\n 0.5 , a b \nNA,\n", &[Some(0.5), None], &[Some("a b"), None], &[5, 6]);
    check("score\tlabel\n\t\n1\t \n", &[None, Some(1.0)], &[None, None], &[2, 3]);
}

#[test]
fn quoted_fields_may_hold_anything() {
    check(
        "\"score\",\"label\"\n\"0.5\",\"a, \"\"b\"\"\"\n1,\"two\nlines\"\n2, \" c \" \n",
        &[Some(0.5), Some(1.0), Some(2.0)],
        &[Some("a, \"b\""), Some("two\nlines"), Some(" c ")],
        &[2, 3, 5],
    );
}

#[test]
fn words_for_infinity_and_not_a_number_are_values() {
    let table = read("score\ninf\n-inf\nNaN\n", &[Want::number("score")]);
    assert_eq!(table.numbers(0)[..2], [Some(f64::INFINITY), Some(f64::NEG_INFINITY)]);
    assert!(table.numbers(0)[2].is_some_and(f64::is_nan));
}

#[test]
fn options_overrule_the_sniffer() {
    let folder = Folder::new();
    folder.write("odd.csv", "a,b:c\n\"x:1\n");
    let options = ReadOptions { delimiter: Some(b':'), quote: Quote::None };
    let table =
        folder.read_with(&["odd.csv"], &[Want::label("a,b"), Want::number("c")], &options).expect("a table");
    assert_eq!(table.labels(0), [Some("\"x")]);
    assert_eq!(table.numbers(1), [Some(1.0)]);
}

#[test]
fn files_with_columns_in_another_order_are_one_table() {
    let folder = Folder::new();
    folder.write("a.csv", "score,label\n1,a\n");
    folder.write("b.csv", "label,score\nb,2\n");
    let table =
        folder.read(&["a.csv", "b.csv"], &[Want::number("score"), Want::label("label")]).expect("a table");
    assert_eq!(table.numbers(0), [Some(1.0), Some(2.0)]);
    assert_eq!(table.labels(1), [Some("a"), Some("b")]);
}

/// More than two blocks of rows, of which every thousandth is quoted over three lines.
fn long(n_rows: usize) -> String {
    let mut text = String::from("id,score,label\n");
    for row in 0..n_rows {
        let label = if row % 1000 == 999 { "\"spread\n\nout\"" } else { ["yes", "no"][row % 2] };
        text += &format!("claim-{row:08},{},{label}\n", row as f64 / 8.0);
    }
    text
}

#[test]
fn blocks_join_without_a_seam() {
    const ROWS: usize = 400_000;
    let table = read(&long(ROWS), &[Want::number("score"), Want::label("label"), Want::label("id")]);
    assert_eq!(table.summary.rows, ROWS as u64);
    assert!(table.numbers(0).iter().enumerate().all(|(row, &score)| score == Some(row as f64 / 8.0)));
    assert_eq!(table.labels(1)[999], Some("spread\n\nout"));
    assert_eq!(table.summary.dictionaries[1].len(), 3);
    assert_eq!(table.labels(2)[ROWS - 1], Some("claim-00399999"));
    // Two more lines for each quoted row before it, and the header.
    assert_eq!(table.places[ROWS - 2], format!("scores.csv, line {}", ROWS + 2 * (ROWS / 1000 - 1)));
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let folder = Folder::new();
    folder.write("scores.csv", long(300_000));
    let wanted = [Want::label("label"), Want::label("id")];
    let with_threads = |n_threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().expect("a pool");
        pool.install(|| folder.read(&["scores.csv"], &wanted).expect("a table"))
    };
    let (one, four) = (with_threads(1), with_threads(4));
    assert_eq!(one.columns, four.columns);
    assert!(one.summary.dictionaries[1].iter().eq(four.summary.dictionaries[1].iter()));
}

#[test]
fn progress_ends_at_the_size_of_the_files() {
    let folder = Folder::new();
    folder.write("scores.csv", long(300_000));
    let table = folder.open(&["scores.csv"], &ReadOptions::default()).expect("a table");
    let last = std::cell::Cell::new(None);
    let wanted = [Want::number("score")];
    table
        .read::<tribunal_io::Error>(&wanted, &|progress| last.set(Some(progress)), &mut |_| Ok(()))
        .expect("read");
    let last = last.get().expect("progress");
    assert_eq!((last.rows, last.bytes), (300_000, last.total_bytes));
}

proptest! {
    /// The `csv` crate is the oracle for what is quoted and what is not.
    #[test]
    fn fields_are_those_of_the_csv_crate(rows in proptest::collection::vec(("[ab,\"\n']{0,6}", "[x\"\n]{1,4}"), 1..8)) {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(["first", "second"]).expect("written");
        rows.iter().for_each(|(first, second)| writer.write_record([first, second]).expect("written"));
        let text = String::from_utf8(writer.into_inner().expect("flushed")).expect("UTF-8");
        let options = ReadOptions { quote: Quote::Byte(b'"'), ..ReadOptions::default() };
        let folder = Folder::new();
        folder.write("scores.csv", text);
        let table = folder.read_with(&["scores.csv"], &[Want::label("first"), Want::label("second")], &options);
        let table = table.expect("a table");
        let column = |idx: usize| rows.iter().map(move |row| Some([row.0.as_str(), row.1.as_str()][idx]));
        prop_assert_eq!(table.labels(0), column(0).map(|text| text.filter(|text| !text.is_empty())).collect::<Vec<_>>());
        prop_assert_eq!(table.labels(1), column(1).collect::<Vec<_>>());
    }
}

#[test]
fn texts_among_cells_are_missing_numbers_and_kept_apart() {
    for text in ["x,y\n1,a\nfew,b\n,c\n2.5,d\n", "x,y\n1,\"a\"\n\"few\",b\n,c\n2.5,d\n"] {
        let folder = Folder::new();
        folder.write("cells.csv", text);
        let reader = folder.open(&["cells.csv"], &ReadOptions::default()).expect("a table");
        let mut strays = Vec::new();
        let mut numbers = Vec::new();
        let visit = &mut |batch: tribunal_io::Batch<'_>| {
            let cells = batch.numbers(0).expect("wanted");
            numbers.extend((0..batch.rows).map(|row| cells.get(row)));
            strays.extend(
                cells
                    .strays
                    .iter()
                    .map(|stray| (batch.place.locate(stray.row).to_string(), stray.text.clone())),
            );
            Ok::<(), tribunal_io::Error>(())
        };
        reader.read(&[Want::cell("x")], &|_| (), visit).expect("read");
        assert_eq!(numbers, [Some(1.0), None, None, Some(2.5)], "{text:?}");
        let [(place, word)] = &strays[..] else { panic!("{strays:?}") };
        assert!(place.ends_with("cells.csv, line 3") && &**word == "few", "{place}: {word}");
    }
}

#[test]
fn a_dictionary_may_be_limited() {
    let rows: String = (0..1000).map(|row| format!("id-{row},x\n")).collect();
    let folder = Folder::new();
    folder.write("ids.csv", format!("id,y\n{rows}id-3,x\n"));
    let reader = folder.open(&["ids.csv"], &ReadOptions::default()).expect("a table");
    let mut codes = Vec::new();
    let visit = &mut |batch: tribunal_io::Batch<'_>| {
        codes.extend_from_slice(&batch.labels(0).expect("wanted").codes);
        Ok::<(), tribunal_io::Error>(())
    };
    let summary = reader.read(&[Want::labels_up_to("id", 10)], &|_| (), visit).expect("read");
    assert_eq!(summary.dictionaries[0].len(), 10);
    assert_eq!((codes[9], codes[10], codes[1000]), (9, tribunal_io::Labels::BEYOND, 3));
}
