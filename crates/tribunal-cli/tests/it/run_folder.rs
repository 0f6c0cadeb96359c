//! The folder of a run: the library fills it as the command does, and whatever is asked of held-out scores is answered from
//! its journal.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};

use tribunal::message::{Phrasing, Setting, Verb};
use tribunal::{
    ErrorCosts, FinishedStudy, Preference, Progress, RUN_FILES, Source, Study, StudyFile, StudyRequest,
    read_study, run_study,
};
use tribunal_eval::intervals::Level;
use tribunal_report::{study_files, write_study};

/// Learners of several kinds, one that is tuned, and a second design.
const STUDY: &str = r#"
data = "claims.csv"
schema = "claims"
target = ["1+", "4+"]
predictors = ["indicator", "extended"]
learners = ["majority", "nb", "logit", "lssvm:linear,gamma={0.1,1}"]
designs = ["cv:3", "holdout:0.3"]
"#;

/// What changes in a study, and how.
type Change = (&'static str, fn(&mut StudyRequest));

/// A folder with claims and a study of them.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        let folder = Folder(tempfile::tempdir().expect("a folder"));
        folder.command(&["generate", "claims", "--rows", "200", "--seed", "5", "-o", "claims.csv", "-q"]);
        fs::write(folder.path("study.toml"), STUDY).expect("a study");
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, args: &[&str]) {
        let output =
            Command::new(env!("CARGO_BIN_EXE_tribunal")).args(args).current_dir(self.0.path()).output();
        let output = output.expect("the command runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    fn study(&self) -> StudyFile {
        read_study(&self.path("study.toml")).expect("a study")
    }

    /// Every file of a folder below this one.
    fn files(&self, name: &str) -> BTreeMap<String, Vec<u8>> {
        let entries = fs::read_dir(self.path(name)).expect("a folder").map(|entry| entry.expect("a file"));
        let file = |entry: fs::DirEntry| {
            (entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path()).expect("bytes"))
        };
        entries.map(file).collect()
    }
}

/// The words of the command.
struct Flags;

impl Phrasing for Flags {
    fn setting(&self, setting: Setting, value: Option<&str>) -> String {
        let flag = format!("--{}", setting.name());
        value.map_or(flag.clone(), |value| format!("{flag} {value}"))
    }

    fn verb(&self, verb: Verb) -> String {
        format!("tribunal {}", verb.name())
    }
}

/// Runs a study as a program does that has the libraries only; also tells how often somebody was at work.
fn run(file: &StudyFile, request: &StudyRequest, folder: &Path) -> Result<(FinishedStudy, u64), String> {
    let source = Source::open(&file.sources).expect("the claims");
    let n_told = AtomicU64::new(0);
    let on_progress = |progress: Progress| {
        if matches!(progress, Progress::Studying { .. }) {
            n_told.fetch_add(1, Ordering::Relaxed);
        }
    };
    let finished =
        run_study(&source, request, Some(folder), &on_progress).map_err(|error| error.to_string())?;
    write_study(folder, &finished, &Flags).expect("written");
    Ok((finished, n_told.into_inner()))
}

/// What depends on no clock.
fn without_times(mut files: BTreeMap<String, Vec<u8>>) -> BTreeMap<String, Vec<u8>> {
    files.retain(|name, _| name != "journal" && !name.starts_with("times."));
    files
}

/// Only a command has a command line, which stands in its results.
fn without_command_line(mut files: BTreeMap<String, Vec<u8>>) -> BTreeMap<String, Vec<u8>> {
    let text = files.get_mut("results.json").expect("results");
    let mut results: Study = serde_json::from_slice(text).expect("a study");
    results.provenance.command = None;
    *text = serde_json::to_vec(&results).expect("JSON");
    files
}

#[test]
fn a_program_gets_the_folder_of_the_command_byte_for_byte() {
    let folder = Folder::new();
    // The same names of files are in the results of both.
    folder.command(&["study", &folder.path("study.toml").to_string_lossy(), "--run", "by_command", "-q"]);
    let by_command = folder.files("by_command");
    let names: Vec<&str> = by_command.keys().map(String::as_str).collect();
    let mut expected: Vec<&str> = RUN_FILES.into_iter().chain(study_files()).collect();
    expected.sort_unstable();
    assert_eq!(names, expected);

    let file = folder.study();
    let (_, n_told) = run(&file, &file.request, &folder.path("by_program")).expect("a study");
    assert!(n_told > 0);
    let by_command = without_command_line(by_command);
    let by_program = without_command_line(folder.files("by_program"));
    assert_eq!(without_times(by_program), without_times(by_command.clone()));

    // With the journal of the command the seconds are its own too.
    fs::create_dir(folder.path("gone_on")).expect("a folder");
    for name in RUN_FILES {
        fs::write(folder.path("gone_on").join(name), &by_command[name]).expect("copied");
    }
    run(&file, &file.request, &folder.path("gone_on")).expect("a study");
    assert_eq!(without_command_line(folder.files("gone_on")), by_command);
}

#[test]
fn what_is_asked_of_held_out_scores_is_answered_from_the_journal() {
    let folder = Folder::new();
    let (file, path) = (folder.study(), folder.path("run"));
    run(&file, &file.request, &path).expect("a study");
    let before = folder.files("run");
    let changes: [Change; 8] = [
        ("metrics", |request| request.metrics.push("brier".parse().expect("a metric"))),
        ("decide_by", |request| request.decision.decide_by = "log_loss".parse().ok()),
        ("capacity", |request| request.decision.capacity = "20".parse().ok()),
        ("costs", |request| {
            request.decision.outcomes = "1:5".parse::<ErrorCosts>().ok().map(|costs| costs.outcomes())
        }),
        ("prefer", |request| request.prefer = vec![Preference::Best]),
        ("level", |request| request.level = Level::new(0.9).expect("a level")),
        ("title", |request| request.title = "another".into()),
        ("metrics", |request| request.metrics.truncate(1)),
    ];
    let mut request = file.request.clone();
    for (what, change) in changes {
        change(&mut request);
        let (_, n_told) = run(&file, &request, &path).unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!(n_told, 0, "{what}: somebody was fitted");
        assert_eq!(folder.files("run")["journal"], before["journal"], "{what}");
        assert_ne!(folder.files("run")["run.json"], before["run.json"], "{what} is not noted");
    }
    run(&file, &request, &folder.path("fresh")).expect("a study");
    assert_eq!(without_times(folder.files("run")), without_times(folder.files("fresh")));
    assert_ne!(folder.files("run")["results.json"], before["results.json"]);
}

#[test]
fn what_changes_scores_is_refused() {
    let folder = Folder::new();
    let (file, path) = (folder.study(), folder.path("run"));
    run(&file, &file.request, &path).expect("a study");
    let before = folder.files("run");
    let changes: [Change; 8] = [
        ("the seed", |request| request.seed += 1),
        ("the targets", |request| request.data.targets.truncate(1)),
        ("the predictors", |request| request.predictors.truncate(1)),
        ("the learners", |request| request.entrants.truncate(3)),
        ("the learners", |request| {
            request.decision.outcomes = "1:5".parse::<ErrorCosts>().ok().map(|costs| costs.outcomes());
            request.cost_methods = tribunal::cost_methods_of("threshold").expect("a method");
        }),
        ("the protocol", |request| request.protocol = tribunal::Protocol::Paper),
        ("the design", |request| request.design = "cv:4".parse().expect("a design")),
        ("the other designs", |request| request.others.clear()),
    ];
    for (what, change) in changes {
        let mut request = file.request.clone();
        change(&mut request);
        let error = run(&file, &request, &path).expect_err(what);
        assert!(error.contains(&format!("cannot go on: {what} w")), "{error}");
        assert_eq!(folder.files("run"), before, "{what}");
    }
}

#[test]
fn a_run_of_an_older_form_is_refused_as_it_is() {
    let folder = Folder::new();
    let (file, path) = (folder.study(), folder.path("run"));
    run(&file, &file.request, &path).expect("a study");
    let run_file = path.join("run.json");
    let text = fs::read_to_string(&run_file).expect("run.json").replace("tribunal.run/3", "tribunal.run/2");
    fs::write(&run_file, &text).expect("older");
    let before = folder.files("run");
    let error = run(&file, &file.request, &path).expect_err("an older form");
    assert!(error.contains("in the form tribunal.run/2"), "{error}");
    assert_eq!(folder.files("run"), before);
}
