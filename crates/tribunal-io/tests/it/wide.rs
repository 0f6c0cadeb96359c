//! Tables of very many columns: read in a time that grows with their cells, and refused where a header has no end.

use std::time::Instant;

use tribunal_io::{ErrorKind, ReadOptions, Want};

use crate::folder::Folder;

/// Reads a table of so many columns, all of them, and tells how long that took.
fn seconds(name: &str, text: &str, n_columns: usize) -> f64 {
    let folder = Folder::new();
    folder.write(name, text);
    let start = Instant::now();
    let columns = folder.open(&[name], &ReadOptions::default()).expect("a table").columns().to_vec();
    assert_eq!(columns.len(), n_columns);
    let wanted: Vec<Want> = columns.iter().map(|column| Want::label(&column.name)).collect();
    assert_eq!(folder.read(&[name], &wanted).expect("a table").summary.rows, 2);
    start.elapsed().as_secs_f64()
}

fn names(n_columns: usize) -> impl Iterator<Item = String> {
    (0..n_columns).map(|column| format!("c{column}"))
}

fn csv(n_columns: usize) -> String {
    let row = vec!["7"; n_columns].join(",");
    format!("{}\n{row}\n{row}\n", names(n_columns).collect::<Vec<_>>().join(","))
}

fn json_lines(n_columns: usize) -> String {
    let row = format!(
        "{{{}}}\n",
        names(n_columns).map(|name| format!("\"{name}\":7")).collect::<Vec<_>>().join(",")
    );
    row.repeat(2)
}

fn arff(n_columns: usize) -> String {
    let attributes: String = names(n_columns).map(|name| format!("@attribute {name} numeric\n")).collect();
    let row = vec!["7"; n_columns].join(",");
    format!("@relation wide\n{attributes}@data\n{row}\n{row}\n")
}

/// Looking for each column among all of them would take many minutes.
#[test]
fn a_table_of_many_columns_is_read_in_seconds() {
    const N_COLUMNS: usize = 300_000;
    let files = [("a.csv", csv(N_COLUMNS)), ("a.jsonl", json_lines(N_COLUMNS)), ("a.arff", arff(N_COLUMNS))];
    for (name, text) in files {
        let seconds = seconds(name, &text, N_COLUMNS);
        assert!(seconds < 120.0, "{name}: {seconds} s");
    }
}

#[test]
fn a_header_without_end_is_refused() {
    let folder = Folder::new();
    let header = "a column of some name,".repeat((70 << 20) / 22);
    folder.write("a.csv", format!("{header}last\n1,2\n"));
    let error = folder.open(&["a.csv"], &ReadOptions::default()).err().expect("too long");
    assert_eq!(error.kind(), ErrorKind::Malformed);
    assert!(error.to_string().contains("the header goes on for more than 64 MiB"), "{error}");
}
