//! Where results go: standard output by the name `-`, streams that are full or closed, devices, pipes, terminals, private
//! files; and what a signal or a limit leaves behind.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::folder::{Folder, table};
#[cfg(target_os = "linux")]
use crate::processes::{is_ignored, send};

/// A folder with a table, a model of it and a study file.
fn folder() -> Folder {
    let study = "data = 'x.csv'\nlearners = ['majority', 'nb']\ndesign = 'cv:2'\n\
                 [targets]\ny = { column = 'y', positive = '1' }\n";
    let folder = Folder::with(&[("x.csv", &table(60)), ("study.toml", study)]);
    folder.stdout("fit x.csv --target y --positive 1 --learner nb -o m.json -q");
    folder
}

/// Every verb that prints results unless it is told otherwise. Studies that are over are only told again.
const PRINTING: [&str; 13] = [
    "evaluate x.csv --truth y --positive 1 --score a",
    "describe x.csv",
    "cross x.csv --target y --positive 1 --learner nb --design cv:2",
    "score m.json x.csv",
    "explain m.json",
    "explain m.json x.csv",
    "split x.csv --target y",
    "bias x.csv --kind none",
    "study study.toml",
    "generate claims --rows 3000",
    "demo --scores",
    "metrics",
    "learners",
];

/// Verbs whose output has another name.
const OTHERS: [&str; 5] = [
    "init x.csv --target y -o -",
    "fit x.csv --target y --learner nb -o -",
    "man",
    "completions bash",
    "--help",
];

#[test]
fn a_dash_is_standard_output() {
    let folder = folder();
    for args in PRINTING {
        let printed = folder.stdout(args);
        // How long a study took differs each time.
        if !args.starts_with("study") {
            assert_eq!(folder.stdout(&format!("{args} -o -")), printed, "{args}");
            assert_eq!(folder.stdout(&format!("{args} --output=/dev/stdout")), printed, "{args}");
        }
        assert!(!printed.is_empty(), "{args}");
    }
    folder.stdout("study study.toml -o -");
    let model = folder.stdout("fit x.csv --target y --positive 1 --learner nb -o - -q");
    assert_eq!(model, fs::read(folder.path().join("m.json")).expect("a model"));
    let model = folder.stdout("study study.toml -o report.txt --fit-best - -q");
    assert!(model.starts_with(b"{\"schema\":\"tribunal.model/"), "{}", String::from_utf8_lossy(&model));
    let claims = folder.stdout("demo --scores -o report.txt --keep - -q");
    assert!(claims.starts_with(b"claim,fraud,"));
    assert!(folder.stdout("init x.csv --stdout").starts_with(b"# A study"));
    assert_eq!(folder.names(), ["m.json", "report.txt", "study.run", "study.toml", "x.csv"]);
}

#[test]
fn a_full_standard_output_is_told() {
    if !Path::new("/dev/full").exists() {
        return;
    }
    let folder = folder();
    for args in PRINTING.iter().chain(&OTHERS) {
        let full = File::options().write(true).open("/dev/full").expect("the full device");
        let output = folder.command(args).stdout(full).stderr(Stdio::piped()).spawn().expect("it runs");
        let output = output.wait_with_output().expect("ended");
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{args}: {message}");
        assert!(message.contains("standard output"), "{args}: {message}");
        assert!(message.contains("No space left") && !message.contains("panicked"), "{args}: {message}");
    }
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let folder = folder();
    for args in PRINTING.iter().chain(&OTHERS) {
        let mut command = folder.command(args);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("ended");
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() && !message.contains("panicked"), "{args}: {message}");
    }
}

#[cfg(unix)]
#[test]
fn devices_and_pipes_are_written_to() {
    let folder = folder();
    folder.stdout("describe x.csv -o /dev/null");
    assert!(!fs::metadata("/dev/null").expect("there").is_file());
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs").success());
    let reader = std::thread::spawn(move || fs::read(pipe).expect("the pipe is read"));
    folder.stdout("describe x.csv -o pipe");
    assert_eq!(reader.join().expect("no panic"), folder.stdout("describe x.csv"));
    let output = folder.run("describe x.csv -o /dev/full");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("/dev/full: cannot be written"));
    // What was in a file that standard error is redirected to stays there.
    let log = folder.path().join("log");
    fs::write(&log, "before\n").expect("a log");
    let file = File::options().append(true).open(&log).expect("a log");
    assert!(
        folder.command("describe x.csv -o /dev/stderr").stderr(file).status().expect("it runs").success()
    );
    let log = fs::read_to_string(&log).expect("a log");
    assert!(log.starts_with("before\n") && log.len() > 100, "{log}");
}

#[cfg(unix)]
#[test]
fn tables_that_come_through_pipes_are_read_whole() {
    let folder = folder();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs").success());
    let table = fs::read(folder.path().join("x.csv")).expect("a table");
    let expected = folder.stdout("describe x.csv --format csv");
    let writer = std::thread::spawn(move || fs::write(pipe, table).expect("the pipe is written"));
    assert_eq!(folder.stdout("describe pipe --format csv"), expected);
    writer.join().expect("no panic");
    let script = "cat x.csv | \"$0\" evaluate /dev/stdin --truth y --positive 1 --score a --format csv";
    let piped = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_tribunal")])
        .current_dir(folder.path())
        .output()
        .expect("the command runs");
    assert!(piped.status.success(), "{}", String::from_utf8_lossy(&piped.stderr));
    assert_eq!(piped.stdout, folder.stdout("evaluate x.csv --truth y --positive 1 --score a --format csv"));
}

#[test]
fn what_cannot_be_written_is_told_before_any_work() {
    let folder = folder();
    fs::create_dir(folder.path().join("deep")).expect("a folder");
    for args in PRINTING {
        for (place, code, words) in
            [("deep", 2, "this is a directory"), ("missing/r.csv", 1, "there is no directory \"missing\"")]
        {
            let output = folder.run(&format!("{args} -o {place}"));
            let message = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(code), "{args}: {message}");
            assert!(message.contains(words), "{args}: {message}");
        }
    }
    assert_eq!(folder.names(), ["deep", "m.json", "study.toml", "x.csv"]);
}

#[cfg(unix)]
#[test]
fn private_files_stay_private_and_links_stay_links() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
    let folder = folder();
    symlink("secret.csv", folder.path().join("link.csv")).expect("linked");
    for name in ["secret.csv", "link.csv"] {
        let secret = folder.path().join("secret.csv");
        fs::write(&secret, "old").expect("a file");
        fs::set_permissions(&secret, fs::Permissions::from_mode(0o600)).expect("private");
        folder.stdout(&format!("score m.json x.csv -o {name} -q"));
        assert!(fs::read_to_string(&secret).expect("scores").starts_with("id,y,score"));
        assert_eq!(fs::metadata(&secret).expect("there").mode() & 0o777, 0o600);
    }
    assert!(folder.path().join("link.csv").is_symlink());
}

/// A signal in the midst of the work leaves nothing but what was there before.
#[cfg(target_os = "linux")]
#[test]
fn signals_leave_nothing_behind() {
    let folder = folder();
    let spools = folder.path().join("spools");
    fs::create_dir(&spools).expect("a folder");
    fs::write(folder.path().join("claims.csv"), "old").expect("a file");
    let before = folder.names();
    for signal in ["TERM", "INT", "HUP", "KILL"] {
        // By whoever started these tests with `nohup`.
        if is_ignored(signal) {
            continue;
        }
        // One writes a large file, the other waits for more of its standard input.
        for args in ["generate claims --rows 50000000 -o claims.csv -q", "describe -"] {
            let mut command = folder.command(args);
            let mut child = command
                .env("TMPDIR", &spools)
                .stdin(Stdio::piped())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .expect("it runs");
            let mut input = child.stdin.take().expect("its input");
            let _ = input.write_all(b"id,a,y\n1,2,3\n");
            std::thread::sleep(Duration::from_millis(300));
            assert!(child.try_wait().expect("a process").is_none(), "{args} is done already");
            send(signal, &child);
            assert!(!child.wait().expect("ended").success());
        }
        assert_eq!(folder.names(), before, "{signal}");
        assert_eq!(fs::read_dir(&spools).expect("a folder").count(), 0, "{signal}");
        let mut kept = String::new();
        File::open(folder.path().join("claims.csv")).expect("there").read_to_string(&mut kept).expect("read");
        assert_eq!(kept, "old", "{signal}");
    }
}

/// Files that may not grow are an error of whoever writes them, and none of them is left behind.
#[cfg(target_os = "linux")]
#[test]
fn a_limit_on_the_size_of_files_is_told() {
    let folder = folder();
    let check = |args: &str, words: &str| {
        let script = format!("ulimit -f 1; {{ \"$0\" {args}; }} 2>&1 | cat; exit ${{PIPESTATUS[0]}}");
        let mut command = Command::new("bash");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_tribunal")]).current_dir(folder.path());
        let output = command.stdin(Stdio::null()).output().expect("a shell");
        let message = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(1), "{args}: {message}");
        assert!(message.contains(words) && message.contains("File too large"), "{args}: {message}");
    };
    fs::write(folder.path().join("old"), "old").expect("a file");
    let rows: String = (0..600).map(|row| format!("{row},{},{}\n", row % 7, row % 2)).collect();
    fs::write(folder.path().join("long.csv"), format!("id,a,y\n{rows}")).expect("a table");
    let before = folder.names();
    check("generate claims --rows 100 -o claims.csv", "claims.csv: cannot be written");
    check("generate claims --rows 100 --to csv -o old", "old: cannot be written");
    check("describe x.csv --format json -o report.json", "report.json: cannot be written");
    check("fit long.csv --target y --learner knn:5 -o model.json", "model.json: cannot be written");
    check("split long.csv --target y -o parts.csv", "parts.csv: cannot be written");
    check("describe - < long.csv", "standard input cannot be kept");
    assert_eq!(folder.names(), before);
    assert_eq!(fs::read_to_string(folder.path().join("old")).expect("the file"), "old");
    check("split long.csv --target y -q > parts.csv", "standard output");
    check("study study.toml", "cannot be written");
    // The run goes on where there is room again.
    folder.stdout("study study.toml -q");
}

/// What commands a terminal stays in the table: a terminal sees it written out, a pipe every byte.
#[cfg(target_os = "linux")]
#[test]
fn tables_command_no_terminal() {
    let folder = folder();
    let rows: String = (0..20).map(|row| format!("{row},a\u{1b}[2J\u{7}\u{202e}é,{}\n", row % 2)).collect();
    let table = format!("id,a,y\n{rows}");
    fs::write(folder.path().join("h.csv"), &table).expect("a table");
    folder.stdout("fit h.csv --target y --learner majority -o h.json -q");
    for args in [
        "bias h.csv --kind none --fraction 0.5 -q",
        "split h.csv --target y -q",
        "cross h.csv --target y --learner majority --design cv:2 --keep all -q",
        "score h.json h.csv --keep all -q",
    ] {
        let piped = String::from_utf8(folder.stdout(args)).expect("text");
        assert!(piped.contains("a\u{1b}[2J\u{7}\u{202e}é"), "{args}: {piped}");
        let line = format!("{} {args}", env!("CARGO_BIN_EXE_tribunal"));
        let mut terminal = Command::new("script");
        terminal.args(["-qec", &line, "/dev/null"]).current_dir(folder.path()).stdin(Stdio::null());
        // Not every system has a terminal to lend.
        let Ok(output) = terminal.output() else { return };
        let shown = String::from_utf8(output.stdout).expect("text").replace("\r\n", "\n");
        let expected =
            piped.replace('\u{1b}', "\\u{1b}").replace('\u{7}', "\\u{7}").replace('\u{202e}', "\\u{202e}");
        assert_eq!(shown, expected, "{args}");
    }
}
