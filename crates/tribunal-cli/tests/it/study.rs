//! `tribunal study` as users run it: the report, runs that are interrupted at any moment, and input that cannot be right.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::processes::{is_ignored, send, wait_until};
use serde_json::Value;

/// A folder in which commands run, with a table of claims.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        let folder = Folder(tempfile::tempdir().expect("a folder"));
        let made = folder.run("generate claims --rows 300 --seed 5 -o claims.csv -q");
        assert!(made.status.success());
        folder
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn command(&self, args: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tribunal"));
        command.args(args.split(' ')).current_dir(self.path());
        command
    }

    fn run(&self, args: &str) -> Output {
        self.command(args).output().expect("the command runs")
    }

    /// The same of a command that might wait for ever.
    #[cfg(unix)]
    fn run_within_a_minute(&self, args: &str) -> Output {
        let mut child = self.command(args).stderr(Stdio::piped()).spawn().expect("the command runs");
        let started = Instant::now();
        while child.try_wait().expect("a process").is_none() {
            if started.elapsed() > Duration::from_secs(60) {
                child.kill().expect("it is killed");
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        child.wait_with_output().expect("ended")
    }

    /// What a command prints that does its work.
    fn stdout(&self, args: &str) -> String {
        let output = self.run(args);
        assert!(output.status.success(), "{args}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text")
    }

    /// The exit code and message of a command that fails.
    fn failure(&self, args: &str) -> (Option<i32>, String) {
        let output = self.run(args);
        assert!(!output.status.success(), "{args} should fail");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path().join(name), text).expect("a file");
    }
}

/// Two targets and two sets of predictors, learners of every kind of shared work, one that is tuned.
const STUDY: &str = "study claims.csv --schema claims --target 1+,4+ --predictors indicator,extended --design cv:4 \
                     --learners majority;nb;nb:5;tan;tan:5;logit;c45;c45:curtailed;knn:10;mlp:1;lssvm:linear,gamma={0.1,1}";

#[test]
fn a_study_says_whom_to_deploy_and_writes_every_form() {
    let folder = Folder::new();
    let text = folder.stdout(&format!("{STUDY} --run run --fit-best model.json"));
    for words in ["deploy", "4+ extended", "Recommended", "AUROC"] {
        assert!(text.contains(words), "{words} is missing in\n{text}");
    }
    let results: Value = serde_json::from_str(&folder.read("run/results.json")).expect("JSON");
    assert_eq!(results["schema"], "tribunal.study/6");
    assert_eq!(results["scenarios"].as_array().map(Vec::len), Some(4));
    assert_eq!(results["learners"].as_array().map(Vec::len), Some(11));
    assert_eq!(results["curves"].as_array().map(Vec::len), Some(4));
    assert_eq!(results["additions"].as_array().map(Vec::len), Some(4));
    for (name, words) in [
        ("report.md", "| "),
        ("report.tex", "\\begin{tabular}"),
        ("figures.csv", "scenario,"),
        ("times.json", "tribunal.study-times/1"),
    ] {
        assert!(folder.read(&format!("run/{name}")).contains(words), "{name} has no {words}");
    }
    let scored = folder.stdout("score model.json claims.csv -q");
    assert_eq!(scored.lines().count(), 301);
    // The figures of a study are those of its learners tried alone.
    folder
        .stdout("cross claims.csv --schema claims --target 4+ --design cv:4 --learner tan:5 -q -o held.csv");
    let judged = folder
        .stdout("evaluate held.csv --truth 4+ --positive >=4 --score tan:5 --fold fold --metrics auroc --format json -q");
    let judged: Value = serde_json::from_str(&judged).expect("JSON");
    let mean = |rows: &Value, is_it: &dyn Fn(&Value) -> bool| -> f64 {
        let row = rows.as_array().expect("rows").iter().find(|row| is_it(row)).expect("a row");
        row["estimate"].as_f64().expect("a figure")
    };
    let crossed = mean(&judged["metrics"], &|row| row["scope"] == "mean" && row["metric"] == "auroc");
    let studied = mean(&results["figures"], &|row| {
        row["scenario"] == "4+ extended"
            && row["model"] == "tan:5"
            && row["metric"] == "auroc"
            && row["scope"] == "all"
    });
    assert_eq!(crossed, studied);
}

#[test]
fn cores_do_not_change_a_byte() {
    let folder = Folder::new();
    for jobs in [1, 3] {
        folder.stdout(&format!("{STUDY} --run run{jobs} --jobs {jobs} -q"));
    }
    assert_eq!(folder.read("run1/results.json"), folder.read("run3/results.json"));
    assert_eq!(folder.read("run1/report.tex"), folder.read("run3/report.tex"));
}

/// Numbers that differ from run to run, for moments at which to kill.
fn moments() -> impl Iterator<Item = u64> {
    let mut state = u64::from(std::process::id()) | 1;
    std::iter::repeat_with(move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    })
}

/// How often a run is killed; `TRIBUNAL_KILLS=200` for a longer test.
fn n_kills() -> usize {
    std::env::var("TRIBUNAL_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(25)
}

/// Ends a process by a signal, of those that can be caught or by the one that cannot.
fn end(child: &mut Child, moment: u64) {
    let signal = ["KILL", "TERM", "INT", "HUP"][moment as usize % 4];
    match cfg!(unix) && !is_ignored(signal) {
        true => send(signal, child),
        false => child.kill().expect("it is killed"),
    }
    child.wait().expect("ended");
}

/// Has a command run a study whose second learner waits until it is let go.
#[cfg(unix)]
fn waiting_study(folder: &Folder, mut command: Command) -> Command {
    folder.write("slow.sh", "touch started; until [ -e go ]; do sleep 0.05; done; exit 1\n");
    let study = "study claims.csv --schema claims --target 4+ --design cv:2 --run run --learners";
    command.args(study.split(' ')).arg("majority;outside:sh slow.sh").current_dir(folder.path());
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

#[cfg(unix)]
#[test]
fn the_exit_code_tells_the_signal() {
    let folder = Folder::new();
    for (signal, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        if is_ignored(signal) {
            continue;
        }
        let _ = fs::remove_file(folder.path().join("started"));
        let command = Command::new(env!("CARGO_BIN_EXE_tribunal"));
        let mut child = waiting_study(&folder, command).spawn().expect("it runs");
        wait_until("the learner starts", || folder.path().join("started").exists());
        send(signal, &child);
        wait_until("the study ends", || child.try_wait().expect("a process").is_some());
        let output = child.wait_with_output().expect("ended");
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{signal}: {message}");
        assert!(message.contains("interrupted; what is finished is kept in run"), "{signal}: {message}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn signals_that_the_caller_ignores_end_nothing() {
    let folder = Folder::new();
    let mut command = Command::new("sh");
    // As `nohup` does for one of them.
    command.args(["-c", "trap '' HUP INT TERM; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_tribunal")]);
    let mut child = waiting_study(&folder, command).spawn().expect("it runs");
    wait_until("the learner starts", || folder.path().join("started").exists());
    for signal in ["HUP", "INT", "TERM"] {
        send(signal, &child);
        std::thread::sleep(Duration::from_millis(100));
        assert_eq!(child.try_wait().expect("a process"), None, "{signal}");
    }
    folder.write("go", "");
    wait_until("the study ends", || child.try_wait().expect("a process").is_some());
    assert!(child.wait().expect("ended").success());
}

/// What stands in the folder of a run that is finished.
const RUN_FOLDER: [&str; 10] = [
    "figures.csv",
    "journal",
    "lock",
    "report.md",
    "report.tex",
    "report.txt",
    "results.json",
    "run.json",
    "times.csv",
    "times.json",
];

#[test]
fn a_run_that_is_killed_at_any_moment_goes_on_to_the_same_bytes() {
    let folder = Folder::new();
    folder.stdout(&format!("{STUDY} --run whole -q"));
    let (mut n_killed, mut moments) = (0, moments());
    for run in 0.. {
        let name = format!("torn{run}");
        let path = folder.path().join(&name);
        let mut lengths = Vec::new();
        while n_killed < n_kills() {
            let args = format!("{STUDY} --run {name} -q");
            let mut child =
                folder.command(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it runs");
            let moment = moments.next().expect("a moment");
            std::thread::sleep(Duration::from_millis(moment % 400));
            if let Some(status) = child.try_wait().expect("a process") {
                assert!(status.success());
                break;
            }
            end(&mut child, moment / 400);
            n_killed += 1;
            lengths.push(fs::metadata(path.join("journal")).map_or(0, |file| file.len()));
            // The journal knows its study by itself.
            for (idx, lost) in ["run.json", "lock"].iter().enumerate() {
                if moment >> (20 + idx) & 1 == 1 {
                    let _ = fs::remove_file(path.join(lost));
                }
            }
        }
        assert!(lengths.is_sorted(), "the journal lost results: {lengths:?}");
        folder.stdout(&format!("{STUDY} --run {name} -q"));
        for result in ["results.json", "report.md", "report.tex", "report.txt", "figures.csv"] {
            let (torn, whole) =
                (folder.read(&format!("{name}/{result}")), folder.read(&format!("whole/{result}")));
            assert_eq!(torn, whole, "{result} after {} kills", lengths.len());
        }
        let mut names: Vec<String> = fs::read_dir(&path)
            .expect("the folder")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        assert_eq!(names, RUN_FOLDER, "nothing is left behind");
        if n_killed >= n_kills() {
            break;
        }
    }
    println!("{n_killed} kills");
}

#[test]
fn a_journal_that_is_cut_anywhere_gives_the_same_bytes() {
    let folder = Folder::new();
    folder.stdout(&format!("{STUDY} --run whole -q"));
    let journal = fs::read(folder.path().join("whole/journal")).expect("a journal");
    fs::create_dir(folder.path().join("cut")).expect("a folder");
    for moment in moments().take(4) {
        for name in ["run.json", "lock"] {
            fs::copy(folder.path().join("whole").join(name), folder.path().join("cut").join(name))
                .expect("copied");
        }
        let length = moment as usize % journal.len();
        fs::write(folder.path().join("cut/journal"), &journal[..length]).expect("cut");
        folder.stdout(&format!("{STUDY} --run cut -q"));
        assert_eq!(folder.read("cut/results.json"), folder.read("whole/results.json"), "cut at {length}");
    }
}

#[test]
fn another_study_or_other_data_cannot_go_on() {
    let folder = Folder::new();
    let study = "study claims.csv --schema claims --target 4+ --learners nb;logit --design cv:3 --run run -q";
    folder.stdout(study);
    let check = |args: &str, words: &[&str]| {
        let (code, message) = folder.failure(args);
        assert_eq!(code, Some(2), "{message}");
        words.iter().for_each(|words| assert!(message.contains(words), "{message}"));
    };
    check(&study.replace("cv:3", "cv:4"), &["the design was \"cv:3\", and is \"cv:4\"", "--run"]);
    check(&study.replace("nb;logit", "nb"), &["the learners were \"nb; logit\""]);
    check(&study.replace("--run run", "--run ."), &["holds the input"]);
    fs::create_dir(folder.path().join("mine")).expect("a folder");
    folder.write("mine/letter.txt", "dear");
    check(&study.replace("--run run", "--run mine"), &["holds other files"]);
    let mut claims = folder.read("claims.csv");
    claims.truncate(claims.trim_end().rfind('\n').expect("a line") + 1);
    folder.write("claims.csv", &claims);
    check(study, &["the data have changed"]);
}

/// A study of two learners on folds, with the mean AUROC of the second.
fn small_study(data: &str, run: &str) -> String {
    format!("study {data} --schema claims --target 4+ --learners nb;logit --design cv:3 --run {run} -q")
}

#[test]
fn a_journal_is_bound_to_its_study() {
    let folder = Folder::new();
    folder.stdout("generate claims --rows 300 --seed 6 -o others.csv -q");
    let (first, second) = (small_study("claims.csv", "first"), small_study("others.csv", "second"));
    folder.stdout(&first);
    folder.stdout(&second);
    let journal = |run: &str| fs::read(folder.path().join(run).join("journal")).expect("a journal");
    let (of_first, of_second) = (journal("first"), journal("second"));
    assert_ne!(folder.read("first/results.json"), folder.read("second/results.json"));

    // The folder of one study, with files of another or without some of its own, and the other study asked for.
    let copy = |from: &str, name: &str| {
        fs::copy(folder.path().join(from).join(name), folder.path().join("mixed").join(name))
            .expect("copied");
    };
    let mixed = |files: &[(&str, &str)]| {
        let _ = fs::remove_dir_all(folder.path().join("mixed"));
        fs::create_dir(folder.path().join("mixed")).expect("a folder");
        files.iter().for_each(|(from, name)| copy(from, name));
    };
    let other = small_study("others.csv", "mixed");
    let refused = |what: &str, args: &str| {
        let before = journal("mixed");
        let (code, message) = folder.failure(args);
        assert_eq!(code, Some(2), "{what}: {message}");
        assert!(message.contains("cannot go on: the data have changed"), "{what}: {message}");
        assert_eq!(journal("mixed"), before, "{what}: nothing is lost");
        assert!(!folder.path().join("mixed/results.json").exists(), "{what}");
    };
    mixed(&[("first", "journal"), ("first", "lock")]);
    refused("run.json is lost", &other);
    mixed(&[("first", "journal")]);
    refused("run.json and lock are lost", &other);
    refused("another design", &other.replace("cv:3", "cv:2"));
    mixed(&[("first", "journal"), ("second", "run.json")]);
    refused("the journal is from elsewhere", &other);
    mixed(&[("second", "journal"), ("first", "run.json")]);
    refused("run.json is from elsewhere", &other);
    mixed(&[("first", "journal"), ("first", "run.json"), ("first", "lock")]);
    refused("all is from elsewhere", &other);

    // What is of this study is gone on with, wherever it lay.
    mixed(&[("second", "journal")]);
    folder.stdout(&other);
    assert_eq!(folder.read("mixed/results.json"), folder.read("second/results.json"));
    assert_eq!(journal("mixed"), of_second, "nothing was done twice");

    // Lines of another study below the first line of this one are no results of it.
    let lines = |journal: &[u8]| journal.iter().position(|&byte| byte == b'\n').expect("a line") + 1;
    let spliced = [&of_second[..lines(&of_second)], &of_first[lines(&of_first)..]].concat();
    fs::write(folder.path().join("mixed/journal"), spliced).expect("written");
    folder.stdout(&other);
    assert_eq!(folder.read("mixed/results.json"), folder.read("second/results.json"));
}

#[test]
fn a_journal_that_names_no_study_is_left_as_it_is() {
    let folder = Folder::new();
    let study = small_study("claims.csv", "run");
    folder.stdout(&study);
    let path = folder.path().join("run/journal");
    let journal = fs::read(&path).expect("a journal");
    let first = journal.iter().position(|&byte| byte == b'\n').expect("a line") + 1;
    let mut damaged = journal.clone();
    damaged[first / 2] ^= 1;
    for bytes in [&journal[first..], &damaged, b"dear diary\n"] {
        fs::write(&path, bytes).expect("written");
        let (code, message) = folder.failure(&study);
        assert_eq!(code, Some(2));
        assert!(message.contains("does not say what its results are of"), "{message}");
        assert!(message.contains("move it away"), "{message}");
        assert_eq!(fs::read(&path).expect("a journal"), bytes, "nothing is lost");
    }
    fs::remove_file(&path).expect("moved away");
    folder.stdout(&study);
}

#[cfg(unix)]
#[test]
fn links_in_the_folder_of_a_run_are_not_followed() {
    let folder = Folder::new();
    let study = small_study("claims.csv", "run");
    for name in RUN_FOLDER {
        let _ = fs::remove_dir_all(folder.path().join("run"));
        fs::create_dir(folder.path().join("run")).expect("a folder");
        folder.write("letter", "dear");
        std::os::unix::fs::symlink("../letter", folder.path().join("run").join(name)).expect("linked");
        folder.write("run/lock2", "");
        let (code, message) = folder.failure(&study);
        assert_eq!(code, Some(2), "{name}: {message}");
        assert!(message.contains(name) && message.contains("is a link"), "{name}: {message}");
        assert_eq!(folder.read("letter"), "dear", "{name}");
    }
}

/// Puts something in the place of a file.
#[cfg(unix)]
fn make(what: &str, place: &Path) {
    match what {
        "pipe" => assert!(Command::new("mkfifo").arg(place).status().expect("mkfifo runs").success()),
        "socket" => drop(std::os::unix::net::UnixListener::bind(place).expect("a socket")),
        _ => fs::create_dir(place).expect("a folder"),
    }
}

/// A pipe under the name of a file would be waited for without an end.
#[cfg(unix)]
#[test]
fn what_is_no_file_in_the_folder_of_a_run_is_refused() {
    let folder = Folder::new();
    let study = small_study("claims.csv", "run");
    for (name, what) in
        RUN_FOLDER.iter().flat_map(|name| ["pipe", "socket", "folder"].map(|what| (name, what)))
    {
        let _ = fs::remove_dir_all(folder.path().join("run"));
        fs::create_dir(folder.path().join("run")).expect("a folder");
        // It says that a run is there.
        if *name != "lock" {
            folder.write("run/lock", "");
        }
        make(what, &folder.path().join("run").join(name));
        let output = folder.run_within_a_minute(&study);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{what} {name}: {message}");
        assert!(message.contains(&format!("run/{name}: ")), "{what} {name}: {message}");
        assert!(message.contains("no regular file"), "{what} {name}: {message}");
    }
}

/// The same of the folder of a demonstration.
#[cfg(unix)]
#[test]
fn a_demonstration_waits_for_no_pipe() {
    let folder = Folder::new();
    for name in ["claims.csv", "study.toml"] {
        let _ = fs::remove_dir_all(folder.path().join("demo"));
        fs::create_dir(folder.path().join("demo")).expect("a folder");
        make("pipe", &folder.path().join("demo").join(name));
        let output = folder.run_within_a_minute("demo --folder demo -q");
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{name}: {message}");
        assert!(message.contains(name) && message.contains("no regular file"), "{name}: {message}");
    }
}

#[test]
fn a_folder_in_use_is_refused() {
    let folder = Folder::new();
    fs::create_dir(folder.path().join("run")).expect("a folder");
    let lock = fs::File::create(folder.path().join("run/lock")).expect("a lock");
    lock.lock().expect("locked");
    let (code, message) =
        folder.failure("study claims.csv --schema claims --target 4+ --learners nb --run run -q");
    assert_eq!(code, Some(2));
    assert!(message.contains("another process is at work"), "{message}");
}

#[test]
fn a_learner_that_fails_leaves_a_gap_and_a_reason() {
    let folder = Folder::new();
    // It fails on the second fit only, which is that of a fold.
    folder.write(
        "flaky.sh",
        "n=$(dirname \"$0\")/n; if [ \"$1\" = fit ]; then echo >> $n; [ $(wc -l < $n) = 2 ] && exit 7; echo m > \"$3\"; exit; fi\n\
         { echo score; awk 'NR > 1 { print 0.5 }' \"$3\"; } > \"$4\"\n",
    );
    let mut command = folder.command("study claims.csv --schema claims --target 4+ --design cv:3 --run run");
    command.args(["--learners", "nb", "--learners", "logit", "--learners", "outside:sh flaky.sh"]);
    let output = command.output().expect("the command runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.contains("exit code 7"), "{text}");
    let results: Value = serde_json::from_str(&folder.read("run/results.json")).expect("JSON");
    assert_eq!(results["gaps"][0]["failed"][0]["folds"], serde_json::json!(["1"]));
    let left_out = &results["tests"][0]["left_out"];
    assert!(
        left_out[0]["reason"].as_str().is_some_and(|reason| reason.contains("failed on 1 split")),
        "{left_out}"
    );
}

/// A learner that leaves a mark when it is started, and ranks claims by how long they were treated.
const MARKER: &str = "touch started; [ \"$1\" = fit ] && { echo m > \"$3\"; exit; }\n\
    { echo score; awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == \"TRT_LAG1\") c = i; next } { print $c / 1000 }' \
    \"$3\"; } > \"$4\"\n";

#[test]
fn commands_of_a_study_file_are_run_with_the_word_of_the_user_only() {
    let folder = Folder::new();
    folder.write("mark.sh", MARKER);
    folder.write(
        "study.toml",
        "data = 'claims.csv'\nschema = 'claims'\ntarget = '4+'\ndesign = 'cv:3'\n\
         learners = ['outside:sh mark.sh']\n",
    );
    let has_started = || folder.path().join("started").exists();
    for args in ["study study.toml -q", "study study.toml --fit-best best.json -q"] {
        let (code, message) = folder.failure(args);
        assert_eq!(code, Some(2), "{message}");
        assert!(message.contains("sh mark.sh") && message.contains("--run-command"), "{message}");
        assert!(!has_started() && !folder.path().join("study.run").exists(), "{args}");
    }
    // Learners that are typed take the place of the file's, and need no word.
    folder.stdout("study study.toml --learners nb --run own.run -q");
    assert!(!has_started());
    let output = folder.run("study study.toml --run-command --fit-best best.json");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && has_started(), "{said}");
    assert!(said.contains("tribunal score best.json DATA --run-command"), "{said}");
    // A run that goes on reads the same file, and so do models.
    fs::remove_file(folder.path().join("started")).expect("removed");
    for args in ["study study.toml -q", "score best.json claims.csv -q", "explain best.json -q"] {
        let (_, message) = folder.failure(args);
        assert!(message.contains("sh mark.sh") && message.contains("--run-command"), "{args}: {message}");
        assert!(!has_started(), "{args}");
    }
}

#[test]
fn commands_that_are_typed_need_no_word() {
    let folder = Folder::new();
    folder.write("mark.sh", MARKER);
    let mut command =
        folder.command("study claims.csv --schema claims --target 4+ --design cv:3 --run run -q");
    command.args(["--learners", "outside:sh mark.sh"]);
    assert!(command.status().expect("the command runs").success());
    assert!(folder.path().join("started").exists());
}

#[test]
fn input_that_cannot_be_right_is_told() {
    let folder = Folder::new();
    let mut small = String::from("x,y\n");
    (0..40).for_each(|row| {
        writeln!(small, "{},{}", row % 7, if row < 4 { "yes" } else { "no" }).expect("a row")
    });
    folder.write("small.csv", &small);
    folder.write("one.csv", "x,y\n1,a\n2,a\n3,a\n4,a\n");
    folder.write("three.csv", "x,y\n1,a\n2,b\n3,c\n4,a\n5,b\n6,c\n");
    let check = |args: &str, words: &[&str]| {
        let (_, message) = folder.failure(&format!("study {args} --run run -q"));
        words.iter().for_each(|words| assert!(message.contains(words), "{args}: {message}"));
        assert!(!folder.path().join("run").exists(), "{args} left a folder behind");
    };
    check("one.csv --target y --learners nb", &["nothing to tell apart"]);
    check("three.csv --target y --learners nb", &["3 classes (a, b, c)", "--positive"]);
    check(
        "small.csv --target y --positive yes --learners nb",
        &["class \"yes\"", "4 rows for 10 folds", "cv:4 or fewer"],
    );
    check(
        "small.csv --target y --learners nb --predictors flags",
        &["the set of predictors \"flags\" is empty"],
    );
    check("small.csv --target y --learners nb --predictors flgs", &["did you mean \"flags\"?"]);
    check("small.csv --target y --learners lgit", &["did you mean logit?"]);
    check("small.csv --target y --learners nb --metrics aurc", &["auroc"]);
    check(
        "small.csv --target y --learners nb --metrics mae",
        &["a study cannot go by mae", "tribunal metrics"],
    );
    check("small.csv --target y --learners nb --decide-by calibration_slope", &["it decides nothing"]);
    check("small.csv --target y --learners nb;nb", &["nb is named twice"]);
    check("small.csv --target z --learners nb", &["there is no target column \"z\""]);
    check("small.csv --learners nb", &["--target"]);
    check("small.csv --target y --learners nb --design cv:ten", &["`ten` is no number of folds"]);
    check("missing.toml", &["missing.toml"]);
    folder.write("bad.toml", "data = \"small.csv\"\ntarget = \"y\"\nlearners = [\"nb\", \"lgit\"]\n");
    check("bad.toml", &["bad.toml, line 3, column", "logit"]);
}

#[test]
fn all_designs_stand_side_by_side() {
    let folder = Folder::new();
    folder.stdout(
        "study claims.csv --schema claims --target 1+ --learners nb:5;logit --design cv:5 --design all --run run -q",
    );
    let results: Value = serde_json::from_str(&folder.read("run/results.json")).expect("JSON");
    let of_nb: Vec<&Value> = results["designs"]
        .as_array()
        .expect("designs")
        .iter()
        .filter(|row| row["learner"] == "nb:5" && row["metric"] == "auroc")
        .collect();
    let names: Vec<&str> = of_nb.iter().filter_map(|row| row["design"].as_str()).collect();
    for name in ["cv:5", "holdout:2/3", "loo", ".632", ".632+", "bootstrap:200"] {
        assert!(names.contains(&name), "{name} is not in {names:?}");
    }
    for row in of_nb {
        let estimate = row["estimate"].as_f64().expect("a figure");
        assert!((0.6..0.95).contains(&estimate), "{row}");
    }
}

#[test]
fn one_learner_or_one_split_is_told_for_what_it_is() {
    let folder = Folder::new();
    let study = "study claims.csv --schema claims --target 4+ -q";
    let alone = folder.stdout(&format!("{study} --learners logit --design cv:3 --run alone"));
    assert!(alone.contains("the only learner"), "{alone}");
    assert!(!alone.contains("a single figure"), "{alone}");
    let once = folder.stdout(&format!("{study} --learners logit;nb --design holdout:2/3 --run once"));
    assert!(once.contains("a single figure each cannot tell learners"), "{once}");
    assert!(once.contains("repeat it, or take cv:10"), "{once}");
}

#[test]
fn a_study_divided_by_dates_says_from_when_to_when() {
    let folder = Folder::new();
    let mut table = String::from("day,x,y\n");
    for row in 0..240_u32 {
        let (day, month, year) = (row % 28 + 1, row * 5 % 12 + 1, 2021 + row % 3);
        let y = if (row * 7919 % 100) < 30 + row % 20 { "yes" } else { "no" };
        writeln!(table, "{day:02}.{month:02}.{year},{},{y}", row * 31 % 97).expect("a row");
    }
    folder.write("dated.csv", &table);
    let data = "dated.csv --target y --positive yes --design time:day:31.12.2022";
    folder.stdout(&format!("study {data} --learners nb --run run -q"));
    let results: Value = serde_json::from_str(&folder.read("run/results.json")).expect("JSON");
    let notices = results["notices"].to_string();
    let crossed = folder.run(&format!("cross {data} --learner nb -o held-out.csv"));
    let crossed = String::from_utf8_lossy(&crossed.stderr).split_whitespace().collect::<Vec<_>>().join(" ");
    for words in
        ["the train part from 2021-01-", "to 2022-12-", "the test part from 2023-", "day, month, year"]
    {
        assert!(notices.contains(words), "{notices}");
        assert!(crossed.contains(words), "{crossed}");
    }
    folder.write("dated.csv", &table.replace("01.01.2021", "31.02.2021"));
    for verb in ["study --learners nb --run other", "cross --learner nb -o held-out.csv"] {
        let (code, message) = folder.failure(&format!("{verb} {data} -q"));
        assert!(code == Some(1) && message.contains("row 1, column \"day\": \"31.02.2021\""), "{message}");
    }
}
