//! What must not bring the command down: a standard error that takes nothing, files that are damaged or edited, devices in
//! the place of files, names that are empty, and systems that give no memory, no threads, no room and no temporary files.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use sha2::{Digest, Sha256};

/// Runs `tribunal` in a folder.
fn tribunal(folder: &Path, args: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tribunal"));
    command.args(args.split_whitespace()).current_dir(folder);
    command
}

fn run(folder: &Path, args: &str) -> Output {
    tribunal(folder, args).output().expect("the command runs")
}

/// A folder with a table to learn from.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let row = |row: u32| {
        let class = if (row * 7 + row / 3) % 5 < 2 { "yes" } else { "no" };
        format!("{},{},{},{class}\n", row * 13 % 47, ["a", "b", "c"][row as usize % 3], row * 5 % 11)
    };
    let rows: String = (0..90).map(row).collect();
    fs::write(folder.path().join("train.csv"), format!("lag,make,age,fraud\n{rows}")).expect("a table");
    folder
}

/// On Linux, a device on which every write fails.
#[cfg(target_os = "linux")]
fn full() -> Stdio {
    fs::OpenOptions::new().write(true).open("/dev/full").expect("a full device").into()
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_standard_error_changes_nothing_else() {
    let folder = folder();
    let code = |args: &str| {
        let status = tribunal(folder.path(), args).stdout(Stdio::null()).stderr(full()).status();
        status.expect("the command runs").code()
    };
    assert_eq!(code("fit train.csv --target fraud --positive yes --learner nb -o model.json"), Some(0));
    assert!(folder.path().join("model.json").exists());
    assert_eq!(code("score model.json train.csv -o scores.csv"), Some(0));
    assert_eq!(code("init train.csv --target fraud -o study.toml"), Some(0));
    assert_eq!(code("generate claims --rows 50 --seed 1 -o claims.csv"), Some(0));
    assert_eq!(code("evaluate no-such.csv --truth y --score s"), Some(2));
    assert_eq!(code("evaluate --no-such-option"), Some(2));
    assert_eq!(code("describe train.csv --target lags"), Some(2));
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_standard_output_is_a_failure_that_is_told() {
    let folder = folder();
    let output =
        tribunal(folder.path(), "describe train.csv").stdout(full()).output().expect("the command runs");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains("cannot write to standard output"), "{message}");
}

#[test]
#[cfg(unix)]
fn a_closed_standard_error_changes_nothing_else() {
    let folder = folder();
    let command = format!(
        "{} fit train.csv --target fraud --positive yes --learner nb -o model.json 2>&-",
        env!("CARGO_BIN_EXE_tribunal")
    );
    let status = Command::new("sh").args(["-c", &command]).current_dir(folder.path()).status();
    assert_eq!(status.expect("a shell").code(), Some(0));
}

/// The decoder panics at this file; users are told that it is damaged, and no more.
#[test]
fn a_panic_of_a_decoder_is_an_error_like_any_other() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("s.arrow"), include_bytes!("../fixtures/int63.arrow")).expect("a file");
    let output = run(folder.path(), "evaluate s.arrow --truth y --positive 1 --score s");
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8_lossy(&output.stderr);
    let expected =
        "error: s.arrow: the file is damaged, and its decoder gave up; fetch or write the file again\n";
    assert_eq!(message, expected);
}

/// Changes a model file and makes its checksum right again.
fn edit(path: &Path, change: impl FnOnce(&mut Value)) {
    let text = fs::read_to_string(path).expect("a model");
    let (header, body) = text.split_once('\n').expect("two lines");
    let (mut header, mut body): (Value, Value) =
        (serde_json::from_str(header).expect("JSON"), serde_json::from_str(body).expect("JSON"));
    change(&mut body["model"]);
    let body = body.to_string();
    header["bytes"] = body.len().into();
    header["sha256"] =
        Sha256::digest(&body).iter().map(|byte| format!("{byte:02x}")).collect::<String>().into();
    fs::write(path, format!("{header}\n{body}\n")).expect("written");
}

/// Trains a model, edits it, and expects that whoever reads it says so.
fn check_edited(learner: &str, change: impl FnOnce(&mut Value)) {
    let folder = folder();
    let fit = format!("fit train.csv --target fraud --positive yes -q -o model.json --learner {learner}");
    assert_eq!(run(folder.path(), &fit).status.code(), Some(0), "{learner}");
    edit(&folder.path().join("model.json"), change);
    for args in ["explain model.json", "explain model.json train.csv --rows 1", "score model.json train.csv"]
    {
        let output = run(folder.path(), args);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{learner}: {args}: {message}");
        assert!(message.contains("model.json: the model does not fit this version of Tribunal"), "{message}");
    }
}

#[test]
fn edited_models_are_refused_when_they_are_read() {
    let counts = |model: &mut Value| {
        let counts = model["learned"]["fitted"]["naive_bayes"]["columns"][1]["counts"].as_array_mut();
        counts.expect("counts").truncate(2);
    };
    check_edited("nb", counts);
    let lone_class = |model: &mut Value| model["classes"] = serde_json::json!(["no"]);
    check_edited("lssvm:linear,gamma=1", lone_class);
    check_edited("svm", lone_class);
    check_edited("logit", lone_class);
    check_edited("c45", |model| model["inputs"][0]["name"] = "make".into());
}

/// Runs `tribunal` with a limit on its address space, in kilobytes.
#[cfg(target_os = "linux")]
fn run_within(folder: &Path, kilobytes: u32, args: &str) -> (Option<i32>, String) {
    let script = format!("ulimit -v {kilobytes}; exec \"$0\" {args}");
    let mut command = Command::new("sh");
    // Each thread takes a share of the address space.
    command
        .args(["-c", &script, env!("CARGO_BIN_EXE_tribunal")])
        .current_dir(folder)
        .env("RAYON_NUM_THREADS", "2");
    let output = command.output().expect("the command runs");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
#[cfg(target_os = "linux")]
fn a_table_that_does_not_fit_is_refused_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let names: Vec<String> = (0..400_000).map(|column| format!("c{column}")).collect();
    let wide = format!("{},y\n{}1\n{}0\n", names.join(","), "1,".repeat(400_000), "0,".repeat(400_000));
    fs::write(folder.path().join("wide.csv"), wide).expect("a table");
    let (code, message) = run_within(folder.path(), 1_200_000, "describe wide.csv --target y");
    assert_eq!(code, Some(1), "{message}");
    assert!(message.starts_with("error: a table of 400001 columns cannot be kept: 1.4 GB"), "{message}");
    assert!(message.contains("are left by ulimit -v; take fewer columns"), "{message}");
}

#[test]
#[cfg(target_os = "linux")]
fn memory_that_runs_out_is_an_error_and_leaves_nothing_behind() {
    let folder = tempfile::tempdir().expect("a folder");
    let (code, message) = run_within(folder.path(), 400_000, "generate claims --rows 20000000 -o claims.csv");
    assert_eq!(code, Some(1), "{message}");
    assert!(message.contains("error: memory is exhausted"), "{message}");
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0, "something was left behind");
}

#[test]
#[cfg(target_os = "linux")]
fn threads_that_cannot_be_made_are_an_error() {
    let folder = folder();
    let check = |mut command: Command, advice: &str| {
        let output = command.current_dir(folder.path()).output().expect("the command runs");
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{message}");
        assert!(message.starts_with("error: ") && message.contains("os error 11"), "{message}");
        assert!(message.contains("ulimit -u") && message.contains(advice), "{message}");
    };
    // Stacks of so many threads do not fit.
    let limited = |args: &str, n_threads: &str| {
        let mut command = Command::new("sh");
        let script = format!("ulimit -v 1200000; exec \"$0\" {args}");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_tribunal")]).env("RAYON_NUM_THREADS", n_threads);
        command
    };
    check(limited("describe train.csv", "1000"), "RAYON_NUM_THREADS");
    let study = "study train.csv --target fraud --positive yes --learners nb --jobs 1000";
    check(limited(study, "1"), "--jobs 1000");
    assert!(limited("metrics", "1000").output().expect("it runs").status.success(), "nothing needs threads");
    let refused = limited("describe train.csv", "1000000").current_dir(folder.path()).output();
    let refused = refused.expect("the command runs");
    let message = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{message}");
    assert!(message.contains("RAYON_NUM_THREADS is 1000000; write at most 1024"), "{message}");
}

#[test]
#[cfg(target_os = "linux")]
fn devices_without_an_end_are_not_read_for_ever() {
    let folder = folder();
    std::os::unix::fs::symlink("/dev/zero", folder.path().join("zero.toml")).expect("linked");
    for (args, code, words) in [
        ("describe train.csv --schema /dev/zero", 2, "the schema /dev/zero is longer than 16 MiB"),
        ("study zero.toml", 2, "the study zero.toml is longer than 16 MiB"),
        ("score /dev/zero train.csv", 2, "/dev/zero: this is a device, and a model is read from a file"),
        ("explain /dev/zero", 2, "/dev/zero: this is a device"),
    ] {
        let (found, message) = run_within(folder.path(), 2_000_000, args);
        assert_eq!(found, Some(code), "{args}: {message}");
        assert!(message.contains(words), "{args}: {message}");
    }
}

#[test]
#[cfg(unix)]
fn schemas_and_models_may_come_through_pipes() {
    let folder = folder();
    let fit = "fit train.csv --target fraud --positive yes -q -o model.json --learner nb";
    assert_eq!(run(folder.path(), fit).status.code(), Some(0));
    fs::write(folder.path().join("schema.toml"), "[columns]\nlag = \"amount\"\n").expect("a schema");
    for (file, args) in [
        ("schema.toml", "describe train.csv --schema /dev/stdin"),
        ("model.json", "score /dev/stdin train.csv"),
    ] {
        let script = format!("cat {file} | \"$0\" {args}");
        let mut command = Command::new("sh");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_tribunal")]).current_dir(folder.path());
        let output = command.output().expect("the command runs");
        assert!(output.status.success(), "{args}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn a_folder_for_temporary_files_that_is_none_is_named() {
    let folder = folder();
    for (name, why) in [("missing", "No such file"), ("train.csv", "Not a directory")] {
        let place = folder.path().join(name);
        let table = fs::File::open(folder.path().join("train.csv")).expect("a table");
        let mut command = tribunal(folder.path(), "describe -");
        let output = command.env("TMPDIR", &place).stdin(table).output().expect("the command runs");
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{message}");
        assert!(message.contains("standard input") && message.contains("TMPDIR"), "{message}");
        assert!(message.contains(&*place.to_string_lossy()), "{message}");
        assert!(cfg!(not(target_os = "linux")) || message.contains(why), "{message}");
    }
}

#[test]
fn empty_names_are_told() {
    let folder = folder();
    for (args, name) in [
        (&["describe", ""][..], "DATA"),
        (&["describe", "train.csv", ""], "DATA"),
        (&["describe", "train.csv", "--schema", ""], "--schema"),
        (&["describe", "train.csv", "-o", ""], "-o"),
        (&["init", "train.csv", "-o", ""], "-o"),
        (&["score", "", "train.csv"], "MODEL"),
        (&["fit", "train.csv", "--target", "fraud", "--learner", "nb", "-o", ""], "-o"),
        (&["study", ""], "STUDY|DATA"),
        (&["study", "train.csv", "--target", "fraud", "--run", ""], "--run"),
        (&["demo", "--folder", ""], "--folder"),
    ] {
        let output = tribunal(folder.path(), "").args(args).output().expect("the command runs");
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
        assert!(message.starts_with(&format!("error: the name for {name} is empty")), "{args:?}: {message}");
    }
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1, "something was written");
}
