//! No command writes over what it reads: every output option of every verb beside every kind of input.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::folder::{Folder, table};

const STUDY: &str = "data = 'data/d.csv'\nschema = 'data/declared.toml'\nlearners = ['nb']\ndesign = 'cv:2'\n\
                     [targets]\ny = { column = 'y', positive = '1' }\n";

/// A folder with a table `x.csv`, a model `m.json` of it, a schema `s.toml`, results `r.json`, times `t.json`, and a study
/// file `study.toml` that reads `data/d.csv` by `data/declared.toml`.
fn folder() -> Folder {
    let (table, schema) = (table(40), "[columns]\nid = 'ignore'\n");
    let folder = Folder::with(&[
        ("x.csv", &table),
        ("d.csv", &table),
        ("data/d.csv", &table),
        ("s.toml", schema),
        ("data/declared.toml", schema),
        ("study.toml", STUDY),
        ("t.json", "{}"),
    ]);
    folder.stdout("fit x.csv --schema s.toml --target y --positive 1 --learner nb -o m.json -q");
    folder.stdout("describe x.csv --format json -o r.json");
    folder
}

/// Every file of a folder with its bytes.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        match entry.path() {
            path if path.is_dir() => found.extend(contents(&path)),
            path => found.push((path.to_string_lossy().into_owned(), fs::read(&path).expect("bytes"))),
        }
    }
    found.sort();
    found
}

/// A command that must be refused with exit code 2 before it changes anything.
#[track_caller]
fn check_refused(folder: &Folder, mut command: Command, words: &[&str]) {
    let before = contents(folder.path());
    let output = command.output().expect("the command runs");
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{command:?}: {message}");
    words.iter().for_each(|words| assert!(message.contains(words), "{command:?}: {words} not in {message}"));
    assert_eq!(contents(folder.path()), before, "{command:?} changed something");
}

/// A verb with its inputs, an option for output, and the files that it reads.
struct Case {
    command: &'static str,
    option: &'static str,
    inputs: &'static [&'static str],
}

const fn case(command: &'static str, option: &'static str, inputs: &'static [&'static str]) -> Case {
    Case { command, option, inputs }
}

const CASES: [Case; 22] = [
    case("evaluate x.csv --truth y --positive 1 --score a", "--output", &["x.csv"]),
    case("report r.json --times t.json", "--output", &["r.json", "t.json"]),
    case("describe x.csv --schema s.toml", "--output", &["x.csv", "s.toml"]),
    case("init x.csv --force", "--output", &["x.csv"]),
    case("cross x.csv --schema s.toml --target y --learner nb", "--output", &["x.csv", "s.toml"]),
    case("fit x.csv --schema s.toml --target y --learner nb", "--output", &["x.csv", "s.toml"]),
    case("score m.json x.csv", "--output", &["m.json", "x.csv"]),
    case("explain m.json x.csv", "--output", &["m.json", "x.csv"]),
    case("split x.csv --schema s.toml", "--output", &["x.csv", "s.toml"]),
    case("bias x.csv --kind none --schema s.toml", "--output", &["x.csv", "s.toml"]),
    case("study x.csv --schema s.toml --target y --learners nb", "--output", &["x.csv", "s.toml"]),
    case("study x.csv --schema s.toml --target y --learners nb", "--fit-best", &["x.csv", "s.toml"]),
    case("monitor --reference x.csv --current d.csv --score p --truth y", "--output", &["x.csv", "d.csv"]),
    case("select x.csv --schema s.toml --target y --deploy d.csv", "--output", &["x.csv", "d.csv", "s.toml"]),
    case("select x.csv --target y --deploy d.csv", "--fit-best", &["x.csv", "d.csv"]),
    case("correct --prevalence x.csv --incidence d.csv --strata a", "--output", &["x.csv", "d.csv"]),
    case("correct --prevalence x.csv --incidence d.csv --strata a", "--sample", &["x.csv", "d.csv"]),
    case("select x.csv --target y --deploy d.csv", "--fit-committee", &["x.csv", "d.csv"]),
    case("select x.csv --target y --deploy d.csv --ask 5", "--ask-table", &["x.csv", "d.csv"]),
    case("study study.toml", "--output", &["study.toml", "data/d.csv", "data/declared.toml"]),
    case("study study.toml", "--fit-best", &["study.toml", "data/d.csv", "data/declared.toml"]),
    case("study study.toml --data x.csv", "--output", &["study.toml", "x.csv", "data/declared.toml"]),
];

/// Options of verbs that read no file, or whose files are compared elsewhere in this test.
const OTHERS: [(&str, &str); 8] = [
    ("generate", "--output"),
    ("metrics", "--output"),
    ("learners", "--output"),
    ("study", "--run"),
    ("select", "--run"),
    ("demo", "--folder"),
    ("demo", "--output"),
    ("demo", "--keep"),
];

#[test]
fn an_output_that_is_an_input_is_refused_by_whatever_path() {
    let folder = folder();
    for Case { command, option, inputs } in CASES {
        for input in inputs {
            let absolute = folder.path().join(input).to_string_lossy().into_owned();
            for output in [(*input).to_owned(), format!("./{input}"), format!("data/../{input}"), absolute] {
                let mut refused = folder.command(command);
                refused.args([option, &output]);
                check_refused(&folder, refused, &[&output, input, "would take the place of the input"]);
            }
        }
    }
}

#[cfg(unix)]
#[test]
fn an_output_that_is_a_link_to_an_input_is_refused() {
    let folder = folder();
    for Case { command, option, inputs } in CASES {
        for input in inputs {
            let links = [folder.path().join("soft.csv"), folder.path().join("hard.csv")];
            std::os::unix::fs::symlink(input, &links[0]).expect("linked");
            fs::hard_link(folder.path().join(input), &links[1]).expect("linked");
            for output in ["soft.csv", "hard.csv"] {
                let mut refused = folder.command(command);
                refused.args([option, output]);
                check_refused(&folder, refused, &[output, input, "would take the place of the input"]);
            }
            links.iter().for_each(|link| fs::remove_file(link).expect("removed"));
        }
    }
}

#[test]
fn an_output_that_an_input_glob_would_find_is_refused() {
    let folder = folder();
    for Case { command, option, inputs } in CASES {
        if inputs.contains(&"x.csv") {
            for output in ["x-new.csv", "./x-new.csv", "x.csv"] {
                let mut refused = folder.command(&command.replace("x.csv", "x*.csv"));
                refused.args([option, output]);
                check_refused(&folder, refused, &[output, "x*.csv", "input"]);
            }
        }
    }
    let toml = folder.path().join("globs.toml");
    fs::write(&toml, STUDY.replace("data/d.csv", "data/*.csv")).expect("a study");
    for args in ["study globs.toml -o data/new.csv", "study globs.toml --fit-best data/new.csv"] {
        check_refused(&folder, folder.command(args), &["data/new.csv", "data/*.csv"]);
    }
    check_refused(&folder, folder.command("study globs.toml --run data"), &["data", "holds the input"]);
    fs::write(&toml, STUDY.replace("data/d.csv", "*/*.csv")).expect("a study");
    check_refused(&folder, folder.command("study globs.toml"), &["globs.run/figures.csv", "*/*.csv"]);
}

#[test]
fn redirected_streams_are_inputs_and_outputs_too() {
    let folder = folder();
    let path = folder.path().join("x.csv");
    let judge = "--truth y --positive 1 --score a";
    let mut read = folder.command(&format!("evaluate - {judge} -o x.csv"));
    read.stdin(File::open(&path).expect("a file"));
    let printed = folder.command(&format!("evaluate x.csv {judge}"));
    let named = folder.command(&format!("evaluate x.csv {judge} -o -"));
    let device = folder.command(&format!("evaluate x.csv {judge} -o /dev/stdout"));
    let beside = folder.command("fit x.csv --target y --positive 1 --learner nb -o m.json --format json");
    if cfg!(unix) {
        check_refused(&folder, read, &["x.csv", "standard input"]);
        for mut printed in [printed, named, device, beside] {
            printed.stdout(File::options().append(true).open(&path).expect("a file"));
            // Taken by hand: `output` would replace the redirection.
            let before = contents(folder.path());
            let child = printed.stderr(Stdio::piped()).spawn().expect("the command runs");
            let output = child.wait_with_output().expect("ended");
            assert_eq!(output.status.code(), Some(2), "{printed:?}");
            assert!(String::from_utf8_lossy(&output.stderr).contains("x.csv"), "{printed:?}");
            assert_eq!(contents(folder.path()), before);
        }
    }
}

#[test]
fn outputs_are_files_of_their_own() {
    let folder = folder();
    for (args, words) in [
        ("study study.toml -o a.json --fit-best ./a.json", ["-o a.json", "--fit-best ./a.json"]),
        ("study study.toml --fit-best -", ["-o -", "--fit-best -"]),
        ("study study.toml --run r -o r/report.md", ["-o r/report.md", "--run r/report.md"]),
        ("study study.toml -o study.run/journal", ["-o study.run/journal", "--run"]),
        ("demo --scores --keep a.csv -o a.csv", ["-o a.csv", "--keep a.csv"]),
        ("demo --scores --keep -", ["-o -", "--keep -"]),
        ("demo --folder data -o data/claims.csv", ["-o data/claims.csv", "claims.csv"]),
        ("demo --folder data -o data/study.toml", ["-o data/study.toml", "study.toml"]),
        ("fit x.csv --target y --learner nb -o - --format json", ["-o -", "--format json"]),
    ] {
        if args.contains("r/") {
            let _ = fs::create_dir(folder.path().join("r"));
        }
        if args.contains("study.run") {
            let _ = fs::create_dir(folder.path().join("study.run"));
        }
        check_refused(&folder, folder.command(args), &words);
    }
}

#[test]
fn a_folder_for_results_holds_no_input() {
    let folder = folder();
    let study = "--schema s.toml --target y --learners nb";
    for (args, words) in [
        (format!("study x.csv {study} --run ."), ["--run .", "x.csv"]),
        (format!("study data/d.csv {study} --run data"), ["--run data", "data/d.csv"]),
        (format!("study data/d.csv {study} --run ./x/../data"), ["data", "data/d.csv"]),
        ("study study.toml --run data".to_owned(), ["--run data", "data/d.csv"]),
    ] {
        let _ = fs::create_dir(folder.path().join("x"));
        check_refused(&folder, folder.command(&args), &words);
    }
    // The demonstration writes no claims over others.
    fs::write(folder.path().join("data/claims.csv"), "mine\n").expect("a file");
    check_refused(
        &folder,
        folder.command("demo --folder data"),
        &["claims.csv", "is there already", "--folder"],
    );
}

#[test]
fn files_that_have_nothing_to_do_with_each_other_are_written() {
    let folder = folder();
    for args in [
        "score m.json x.csv -o y.csv -q",
        "score m.json x*.csv -o y.csv -q",
        "study study.toml --fit-best study.run/best.json -o report.txt -q",
        "describe x.csv -o /dev/null",
    ] {
        let output = folder.run(args);
        assert!(output.status.success(), "{args}: {}", String::from_utf8_lossy(&output.stderr));
    }
    assert!(folder.path().join("study.run/best.json").exists());
}

/// The long options of a verb whose values are files or folders to write.
fn output_options(folder: &Folder, verb: &str) -> Vec<String> {
    let help = folder.run(&format!("{verb} --help"));
    let help = String::from_utf8_lossy(&help.stdout).into_owned();
    let options = help.lines().filter(|line| line.trim_start().starts_with('-'));
    let written = options.filter(|line| line.contains(" <PATH>") || line.contains(" <DIR>"));
    written.filter_map(|line| Some(format!("--{}", line.split("--").nth(1)?.split(' ').next()?))).collect()
}

#[test]
fn every_output_option_of_every_verb_is_in_this_test() {
    let folder = folder();
    let help = folder.run("--help");
    let help = String::from_utf8_lossy(&help.stdout).into_owned();
    let (_, verbs) = help.split_once("Commands:\n").expect("the verbs");
    let verbs = verbs.lines().take_while(|line| !line.is_empty()).filter(|line| !line.starts_with("     "));
    let mut known: BTreeSet<(String, String)> = CASES
        .iter()
        .map(|case| (case.command.split(' ').next().expect("a verb").into(), case.option.into()))
        .collect();
    known.extend(OTHERS.map(|(verb, option)| (verb.to_owned(), option.to_owned())));
    let mut found = BTreeSet::new();
    for verb in verbs.filter_map(|line| line.split_whitespace().next()).filter(|verb| *verb != "help") {
        found.extend(output_options(&folder, verb).into_iter().map(|option| (verb.to_owned(), option)));
    }
    assert_eq!(found, known, "an output option is not tested here, or is no more");
}
