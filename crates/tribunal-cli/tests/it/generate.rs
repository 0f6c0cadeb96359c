//! `tribunal generate` as users run it: every format holds the same claims, whatever the number of threads.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use tribunal_io::{Error, ReadOptions, Source, TableReader, Want};

fn generate(folder: &Path, args: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tribunal"));
    command.arg("generate").args(args.split_whitespace()).current_dir(folder);
    command
}

#[track_caller]
fn done(mut command: Command) -> Output {
    let output = command.output().expect("the command runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

#[track_caller]
fn check_refused(args: &str, words: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let output = generate(folder.path(), args).output().expect("the command runs");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{args}: {message}");
    assert!(message.contains(words), "{args}: {message}");
    assert_eq!(std::fs::read_dir(folder.path()).expect("the folder").count(), 0);
}

/// Every column of a file as numbers, with its name.
fn numbers(path: &Path) -> Vec<(String, Vec<f64>)> {
    let source = Source::open(&[path.to_string_lossy()]).expect("a file");
    let table = TableReader::open(&source, &ReadOptions::default()).expect("a table");
    let names: Vec<String> = table.columns().iter().map(|column| column.name.clone()).collect();
    let wanted: Vec<Want> = names.iter().map(Want::number).collect();
    let mut read: Vec<(String, Vec<f64>)> = names.into_iter().map(|name| (name, Vec::new())).collect();
    let taken = table.read::<Error>(&wanted, &|_| (), &mut |batch| {
        for (idx, (_, values)) in read.iter_mut().enumerate() {
            values.extend_from_slice(batch.numbers(idx).map_or(&[][..], |numbers| &numbers.values));
        }
        Ok(())
    });
    taken.expect("numbers");
    read
}

#[test]
fn formats_and_threads_make_no_difference() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    for rows in [1, 10, 1399, 100_000] {
        for format in ["csv", "parquet"] {
            for threads in ["1", "2"] {
                let args = format!("claims --rows {rows} --seed 7 --quiet -o {threads}.{format}");
                let mut command = generate(folder.path(), &args);
                command.env("RAYON_NUM_THREADS", threads);
                assert!(done(command).stderr.is_empty());
            }
            let [one, two] =
                ["1", "2"].map(|threads| std::fs::read(at(&format!("{threads}.{format}"))).expect("a file"));
            assert!(one == two, "{rows} rows as {format}");
        }
        let (csv, parquet) = (numbers(&at("1.csv")), numbers(&at("1.parquet")));
        assert_eq!((csv.len(), csv[0].0.as_str(), csv[39].0.as_str()), (40, "ACC01", "code"));
        assert!(csv.iter().all(|(_, values)| values.len() == rows));
        assert!(csv == parquet, "{rows} rows");
    }
}

#[test]
fn the_default_is_the_studied_number_on_standard_output() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = done(generate(folder.path(), "claims"));
    let csv = String::from_utf8(output.stdout).expect("text");
    assert_eq!(csv.lines().count(), 1400);
    let second =
        "1,0,0,0,0,0,0,1,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,0,0,33,184,5,20,1,0,0,0.00,0,0,0,1,892.51,4,2";
    assert_eq!(csv.lines().nth(2), Some(second));
    let said = String::from_utf8(output.stderr).expect("text");
    assert_eq!(said.lines().count(), 1, "{said}");
    for words in ["synthetic claims, not real ones", "seed 32", "4+ 28.31 %", "vop 16.30 %"] {
        assert!(said.contains(words), "{said}");
    }
}

#[test]
fn parquet_carries_the_statement() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = done(generate(folder.path(), "claims --rows 500 --to parquet"));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.starts_with("PAR1") && text.contains("synthetic claims, not real ones: 500 rows, seed 32"));
}

#[test]
fn few_claims_come_with_a_warning() {
    let folder = tempfile::tempdir().expect("a folder");
    let check = |rows: u64, words: &str| {
        let output = done(generate(folder.path(), &format!("claims --rows {rows}")));
        let said = String::from_utf8(output.stderr).expect("text");
        assert!(said.contains(words), "{rows} rows: {said}");
    };
    check(5, "5 rows are too few for both classes of 7+");
    check(14, "no claim has score");
    check(14, "no claim has code 5");
}

#[test]
fn what_cannot_be_made_is_refused() {
    check_refused("claims --rows 0 -o c.csv", "at least 1 row");
    check_refused("claims --rows 100000001 -o c.csv", "12 bytes of memory");
    check_refused("clams", "'claims'");
    check_refused("claims -o claims", "--to");
    check_refused("claims -o claims.xlsx", ".parquet");
    check_refused("claims --to xlsx", "`xlsx` is no format");
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = generate(folder.path(), "claims --rows 50000");
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the command runs");
    drop(child.stdout.take());
    assert!(child.wait().expect("an end").success());
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let output =
        generate(folder.path(), "claims --rows 50000 --to csv -o /dev/full").output().expect("it runs");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains("/dev/full") && message.contains("has room"), "{message}");
}
