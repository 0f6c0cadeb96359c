//! `tribunal cross` as users run it, and what follows: held-out scores that `tribunal evaluate` reads; learners from outside
//! trained, kept and applied.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::processes::wait_until;
use serde_json::Value;

/// What scores by the share of positives among the training rows.
const SHARE: &str = r#"case "$1" in
fit) awk -F, 'NR > 1 && $NF == "yes" { n++ } END { print n / (NR - 1) }' "$2" > "$3";;
score) { echo score; awk -v p="$(cat "$2")" 'NR > 1 { print p }' "$3"; } > "$4";;
explain) echo "the share is $(cat "$2")";;
*) exit 64;;
esac"#;

/// A folder in which commands run.
struct Folder(tempfile::TempDir);

impl Folder {
    /// A folder with the tables `claims.csv` and `three.csv` and the learner `share.sh`.
    fn new() -> Self {
        let folder = Folder(tempfile::tempdir().expect("a folder"));
        let mut claims = String::from("claim,lag,make,day,fraud\n");
        let mut three = String::from("lag,grade\n");
        for row in 0..60 {
            let class = match row {
                7 => "",
                _ if row % 3 == 0 => "yes",
                _ => "no",
            };
            let (lag, make, grade) = (row * 7 % 31, ["Fiat", "Opel", ""][row % 3], ["a", "b", "c"][row % 3]);
            writeln!(claims, "C-{row:03},{lag},{make},{},{class}", row / 6).expect("a row");
            writeln!(three, "{lag},{grade}").expect("a row");
        }
        folder.write("claims.csv", claims);
        folder.write("three.csv", three);
        folder.write("share.sh", SHARE);
        folder
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path().join(name), content).expect("a file");
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).expect("a text")
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tribunal"));
        command.args(args).current_dir(self.path());
        command
    }

    /// Runs a command with this code and returns its standard output and standard error.
    #[track_caller]
    fn run(&self, args: &[&str], code: i32) -> (String, String) {
        let Output { status, stdout, stderr } = self.command(args).output().expect("the command runs");
        let (out, err) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
        assert_eq!(status.code(), Some(code), "{args:?}: {err}");
        (out.into_owned(), err.into_owned())
    }

    /// `tribunal cross claims.csv` for the target with more words behind.
    #[track_caller]
    fn cross(&self, more: &[&str], code: i32) -> (String, String) {
        let words = ["cross", "claims.csv", "--target", "fraud", "--positive", "yes"];
        self.run(&[&words[..], more].concat(), code)
    }
}

fn lines(text: &str) -> Vec<Vec<&str>> {
    text.lines().map(|line| line.split(',').collect()).collect()
}

#[test]
fn held_out_scores_are_what_evaluate_reads() {
    let folder = Folder::new();
    let tree = "c45:unpruned,min=3";
    let learners = ["--learner", "nb:5", "--learner", tree, "--learner", "outside:sh share.sh"];
    let (out, err) =
        folder.cross(&[&learners[..], &["--design", "cv:5", "-o", "held-out.parquet"]].concat(), 0);
    assert_eq!(out, "");
    for said in ["Learners of fraud", "59 rows", "5 of 5", "repeatable", "1 row is left out"] {
        assert!(err.contains(said), "{err}");
    }
    let score = format!("nb:5,{tree},outside:sh share.sh");
    let judge = ["evaluate", "held-out.parquet", "--truth", "fraud", "--positive", "yes", "--score", &score];
    let (json, _) =
        folder.run(&[&judge[..], &["--fold", "fold", "--id", "claim", "--format", "json"]].concat(), 0);
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["data"]["models"], serde_json::json!(["nb:5", tree, "outside:sh share.sh"]));
    assert_eq!((&json["data"]["rows"], &json["data"]["positives"]), (&59.into(), &20.into()));
    assert_eq!(json["data"]["folds"].as_array().map(Vec::len), Some(5));
}

#[test]
fn rows_stand_in_their_order_with_their_fold() {
    let folder = Folder::new();
    let (out, _) = folder.cross(&["--learner", "nb:5", "--design", "cv:4", "--seed", "3"], 0);
    let rows = lines(&out);
    assert_eq!(rows[0], ["claim", "fraud", "fold", "nb:5"]);
    assert_eq!(rows.len(), 60);
    let ids: Vec<String> = (0..60).filter(|row| *row != 7).map(|row| format!("C-{row:03}")).collect();
    assert!(
        rows[1..]
            .iter()
            .zip(&ids)
            .all(|(row, id)| row[0] == id && row[2].parse::<u32>().is_ok_and(|fold| fold < 4))
    );
    let (again, _) =
        folder.cross(&["--learner", "majority", "--learner", "nb:5", "--design", "cv:4", "--seed", "3"], 0);
    let of_nb = |rows: &[Vec<&str>], at: usize| rows.iter().map(|row| row[at].to_owned()).collect::<Vec<_>>();
    assert_eq!(of_nb(&rows, 3), of_nb(&lines(&again), 4), "the company of a learner changes nothing");
}

#[test]
fn repetitions_draws_columns_and_classes_have_their_places() {
    let folder = Folder::new();
    let check = |more: &[&str], header: &str, n_rows: usize, has: &str| {
        let (out, _) = folder.cross(&[&["--learner", "nb:5"], more].concat(), 0);
        assert_eq!(out.lines().next(), Some(header), "{more:?}");
        assert_eq!(out.lines().count(), n_rows + 1, "{more:?}");
        assert!(out.contains(has), "{more:?}: {out}");
    };
    let repeated = "claim,fraud,fold,repetition,nb:5";
    check(&["--design", "cv:4x3"], repeated, 177, ",r3-f0,3,");
    check(&["--design", "holdout:1/2x2"], repeated, 58, ",r2,2,");
    check(&["--design", "folds:day"], "claim,fraud,fold,nb:5", 59, ",9,");
    check(
        &["--design", "time:day:7", "--keep", "day,make"],
        "claim,day,make,fraud,fold,nb:5",
        12,
        "C-048,8,Fiat,yes,0,",
    );
    check(&["--design", "cv:3", "--group", "day"], "claim,fraud,fold,nb:5", 59, "C-000,yes,");
    let (out, _) =
        folder.run(&["cross", "three.csv", "--target", "grade", "--learner", "nb:5", "--design", "cv:3"], 0);
    assert_eq!(out.lines().next(), Some("row,grade,fold,nb:5_a,nb:5_b,nb:5_c"));
    assert!(out.lines().nth(60).is_some_and(|line| line.starts_with("60,c,")), "{out}");
    let rule = [
        "cross",
        "three.csv",
        "--target",
        "lag",
        "--positive",
        ">=16",
        "--learner",
        "nb:5",
        "--design",
        "cv:3",
    ];
    let (out, _) = folder.run(&rule, 0);
    assert!(out.starts_with("row,lag,fold,nb:5\n1,not >=16,"), "{out}");
}

#[test]
fn learners_that_fail_leave_gaps_and_their_reasons() {
    let folder = Folder::new();
    folder.write(
        "second.sh",
        format!("if [ $1 = fit ]; then echo >> n; [ $(wc -l < n) = 2 ] && exit 7; fi\n{SHARE}"),
    );
    let learners = ["--learner", "outside:sh second.sh", "--learner", "outside:nowhere", "--learner", "nb:5"];
    let more = [&learners[..], &["--design", "cv:4", "-o", "held-out.csv"]].concat();
    let (_, err) = folder.cross(&more, 0);
    for said in ["outside:sh second.sh failed on fold 1: fit: it ended with exit code 7", "3 of 4", "0 of 4"]
    {
        assert!(err.contains(said), "{err}");
    }
    let table = folder.read("held-out.csv");
    let rows = lines(&table);
    assert!(
        rows[1..]
            .iter()
            .all(|row| (row[2] == "1") == row[3].is_empty() && row[4].is_empty() && !row[5].is_empty())
    );
    let judge = ["evaluate", "held-out.csv", "--truth", "fraud", "--positive", "yes", "--score"];
    folder.run(&[&judge[..], &["nb:5", "--fold", "fold"]].concat(), 0);
    let (_, err) = folder.run(&[&judge[..], &["nb:5,outside:sh second.sh"]].concat(), 1);
    assert!(
        err.contains("column \"outside:sh second.sh\": the value is missing")
            && err.contains("or the column"),
        "{err}"
    );
    let (json, _) = folder.cross(&[&more[..], &["--format", "json"]].concat(), 0);
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!((&json["schema"], &json["splits"]), (&"tribunal.cross/1".into(), &4.into()));
    assert_eq!(json["learners"][1]["scored"], 0);
    assert_eq!(json["learners"][1]["failed"][0]["folds"], serde_json::json!(["0", "1", "2"]));
}

#[test]
fn without_any_score_nothing_is_written_and_the_run_has_failed() {
    let folder = Folder::new();
    let (out, err) = folder.cross(&["--learner", "outside:nowhere", "-o", "held-out.csv"], 1);
    assert!(
        out.is_empty()
            && err.contains("there is no command \"nowhere\"")
            && err.contains("no learner has a score"),
        "{err}"
    );
    assert!(!folder.path().join("held-out.csv").exists());
}

#[test]
fn bad_usage_is_told_apart() {
    let folder = Folder::new();
    let check = |more: &[&str], says: &str| {
        let (_, err) = folder.cross(more, 2);
        assert!(err.contains(says), "{err}");
    };
    check(&["--learner", "nb:5", "--learner", "nb:5"], "nb:5 is named twice");
    check(&["--learner", "naive"], "and commands as outside[");
    check(&["--learner", "outside[time=3]:x"], "there is no setting `time`");
    check(&["--learner", "nb:5", "--design", "folds:dya"], "dya");
    let (_, err) = folder.run(&["cross", "claims.csv", "--learner", "nb:5"], 2);
    assert!(err.contains("--target"), "{err}");
    let (_, err) = folder.run(&["cross", "claims.csv", "--target", "fraud"], 2);
    assert!(err.contains("--learner"), "{err}");
}

#[test]
fn a_model_from_outside_is_kept_and_runs_only_if_that_is_allowed() {
    let folder = Folder::new();
    let fit = ["fit", "claims.csv", "--target", "fraud", "--positive", "yes", "-o", "model.json"];
    let (_, err) = folder.run(&[&fit[..], &["--learner", "outside:sh share.sh"]].concat(), 0);
    assert!(err.contains("outside:sh share.sh for fraud") && err.contains("DATA --run-command"), "{err}");
    let model = folder.read("model.json");
    assert!(model.starts_with("{\"schema\":\"tribunal.model/1\"") && model.lines().count() == 2, "{model}");
    for words in [&["score", "model.json", "claims.csv"][..], &["explain", "model.json"]] {
        let (out, err) = folder.run(words, 2);
        assert!(out.is_empty() && err.contains("sh share.sh") && err.contains("--run-command"), "{err}");
    }
    let (out, _) = folder.run(&["score", "model.json", "claims.csv", "--run-command"], 0);
    assert!(out.starts_with("claim,fraud,score,predicted\nC-000,yes,0.338983,no\n"), "{out}");
    assert_eq!(out.lines().count(), 61);
    let (out, _) = folder.run(&["explain", "model.json", "--run-command"], 0);
    assert!(out.contains("the share is 0.338983") && out.contains("59 rows"), "{out}");
    let (_, err) = folder.run(&["explain", "model.json", "claims.csv", "--run-command"], 2);
    assert!(err.contains("single rows"), "{err}");
    let (_, err) = folder.run(&["explain", "model.json", "--run-command", "--format", "dot"], 2);
    assert!(err.contains("has no graph"), "{err}");
    folder.write("share.sh", "exit 5");
    let (_, err) = folder.run(&["score", "model.json", "claims.csv", "--run-command"], 1);
    assert!(err.contains("outside:sh share.sh, score: it ended with exit code 5"), "{err}");
}

#[cfg(unix)]
#[test]
fn an_interruption_leaves_nothing_running_and_no_files() {
    let folder = Folder::new();
    folder.write("slow.sh", "echo $$ > pid.part; dirname $TRIBUNAL_JOB > job; mv pid.part pid; sleep 300");
    let words = ["cross", "claims.csv", "--target", "fraud", "--positive", "yes", "-o", "held-out.csv"];
    let mut command = folder.command(&[&words[..], &["--learner", "outside:sh slow.sh"]].concat());
    let mut tribunal = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    wait_until("the command runs", || folder.path().join("pid").exists());
    let kill = |signal: &str, pid: &str| {
        Command::new("kill").args([signal, pid]).output().expect("kill").status.success()
    };
    assert!(kill("-TERM", &tribunal.id().to_string()));
    assert_eq!(tribunal.wait().expect("it ends").code(), Some(143));
    wait_until("the command is gone", || !kill("-0", folder.read("pid").trim()));
    assert!(!Path::new(folder.read("job").trim()).exists());
    assert!(!folder.path().join("held-out.csv").exists());
}
