//! What a command learned: the file that it wrote, with everything that is needed to have it score other rows.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tribunal_learn::{Dataset, Input, Posteriors, Target};

use super::base64_text;
use super::command::{Failure, Step};
use super::job::{Job, free_name};
use super::job_folder::JobFolder;
use super::learner::OutsideLearner;
use super::scores::read_scores;
use super::table::{OutColumn, predictors, write_rows};
use crate::error::Error;

/// A larger model is refused: it is kept in memory and in the model's file.
const MOST_BYTES: u64 = 256 << 20;
/// Of what a command explains, so much is shown.
const MOST_TEXT: u64 = 1 << 20;

/// A model that a command wrote. It is immutable, and scores by having the command run again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OutsideModel {
    learner: OutsideLearner,
    seed: u64,
    target: String,
    classes: Vec<String>,
    inputs: Vec<Input>,
    n_rows: usize,
    /// What the command wrote.
    #[serde(with = "base64_text")]
    bytes: Vec<u8>,
}

/// Many tools take seeds of 31 bits only.
fn small(seed: u64) -> u32 {
    (seed & 0x7fff_ffff) as u32
}

impl OutsideModel {
    pub(super) fn fit(
        learner: &OutsideLearner,
        dataset: &Dataset,
        rows: &[u32],
        seed: u64,
    ) -> Result<Self, Error> {
        let (Some(target), false) = (dataset.target(), rows.is_empty()) else {
            return Err(Error::data(format!("{learner}, fit: there is no target or no row to learn from")));
        };
        let mut model = OutsideModel {
            learner: learner.clone(),
            seed,
            target: target.name().to_owned(),
            classes: target.classes().to_vec(),
            inputs: dataset.inputs(),
            n_rows: rows.len(),
            bytes: Vec::new(),
        };
        model.bytes = model.learn(dataset, target, rows)?;
        Ok(model)
    }

    /// Has the command learn, and takes what it wrote.
    fn learn(&self, dataset: &Dataset, target: &Target, rows: &[u32]) -> Result<Vec<u8>, Error> {
        let folder = JobFolder::new()?;
        let exchange = self.learner.exchange();
        let (train, file) = (folder.file(&format!("train.{}", exchange.name())), folder.file("model"));
        let class_column = free_name(&self.target, &self.inputs, &[]);
        let weight_column = free_name("weight", &self.inputs, &[&class_column]);
        let mut columns = predictors(dataset, &self.inputs)?;
        columns.push(OutColumn::Classes {
            name: &class_column,
            codes: target.codes(),
            classes: target.classes(),
        });
        columns.extend(dataset.weights().map(|weights| OutColumn::Weights { name: &weight_column, weights }));
        write_rows(&train, &columns, rows, exchange.table_format())?;
        let mut job = self.job("fit", &file);
        job.target = &class_column;
        job.weight = dataset.weights().map(|_| weight_column.as_str());
        job.n_rows = rows.len();
        job.train = Some(&train);
        self.run(&folder, &job, &[&train, &file], |step| taken(&file).map_err(|what| step.wrong(&what)))
    }

    /// The probability of each class for rows of a data set. Columns are matched by name.
    ///
    /// # Errors
    /// A column is not there, of another kind or with other levels; the command cannot be started, fails, takes too long, or does not write one probability
    /// a row.
    pub fn posteriors(&self, dataset: &Dataset, rows: &[u32]) -> Result<Posteriors, Error> {
        dataset.check_aligned(&self.inputs)?;
        let folder = JobFolder::new()?;
        let exchange = self.learner.exchange();
        let file = self.unpacked(&folder)?;
        let (asked, scores) = (folder.file(&format!("rows.{}", exchange.name())), folder.file("scores.csv"));
        write_rows(&asked, &predictors(dataset, &self.inputs)?, rows, exchange.table_format())?;
        let mut job = self.job("score", &file);
        job.n_rows = rows.len();
        job.rows = Some(&asked);
        job.scores = Some(&scores);
        self.run(&folder, &job, &[&file, &asked, &scores], |step| {
            read_scores(&scores, &self.classes, rows.len()).map_err(|what| step.wrong(&what))
        })
    }

    /// What the command has to say about the model; `None` if it has nothing to say, or does not know that step.
    ///
    /// # Errors
    /// The command cannot be started or takes too long.
    pub fn explain(&self) -> Result<Option<String>, Error> {
        let folder = JobFolder::new()?;
        let file = self.unpacked(&folder)?;
        let job = self.job("explain", &file);
        let (path, files) = (self.described(&folder, &job)?, [file.as_path()]);
        let step = self.step(&folder, &job, &path, &files);
        match step.run().and_then(|()| step.printed(MOST_TEXT)) {
            Ok(text) => Ok(Some(text).filter(|text| !text.trim().is_empty())),
            Err(Failure::Ended(..)) => Ok(None),
            Err(failure) => Err(step.error(&failure)),
        }
    }

    /// Runs a step and takes what came of it.
    fn run<T>(
        &self,
        folder: &JobFolder,
        job: &Job<'_>,
        files: &[&Path],
        take: impl FnOnce(&Step<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let path = self.described(folder, job)?;
        let step = self.step(folder, job, &path, files);
        step.run().map_err(|failure| step.error(&failure))?;
        take(&step)
    }

    fn job<'a>(&'a self, step: &'static str, model: &'a Path) -> Job<'a> {
        let mut job = Job::new(step, &self.inputs, &self.classes, model);
        (job.seed, job.target, job.format) = (small(self.seed), &self.target, self.learner.exchange().name());
        job
    }

    fn step<'a>(
        &'a self,
        folder: &'a JobFolder,
        job: &Job<'_>,
        path: &'a Path,
        files: &'a [&'a Path],
    ) -> Step<'a> {
        Step { learner: &self.learner, name: job.step, files, folder, job: path, seed: job.seed }
    }

    /// Writes the description of a job.
    fn described(&self, folder: &JobFolder, job: &Job<'_>) -> Result<PathBuf, Error> {
        let path = folder.file("job.json");
        let text = serde_json::to_vec_pretty(job).map_err(|error| self.unwritten(&path, &error))?;
        fs::write(&path, text).map_err(|error| self.unwritten(&path, &error))?;
        Ok(path)
    }

    /// The file of the model, as the command wrote it.
    fn unpacked(&self, folder: &JobFolder) -> Result<PathBuf, Error> {
        let path = folder.file("model");
        fs::write(&path, &self.bytes).map_err(|error| self.unwritten(&path, &error))?;
        Ok(path)
    }

    fn unwritten(&self, path: &Path, error: &dyn std::fmt::Display) -> Error {
        Error::data(format!("{}: {} cannot be written: {error}", self.learner, path.display()))
    }

    /// The learner that it comes from.
    pub fn learner(&self) -> &OutsideLearner {
        &self.learner
    }

    /// The name of the target.
    pub fn target(&self) -> &str {
        &self.target
    }

    /// The names of the classes; of two the second is the positive one.
    pub fn classes(&self) -> &[String] {
        &self.classes
    }

    /// The columns that it was trained with.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// How many rows it was trained on.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }
}

/// What a command wrote as its model.
fn taken(file: &Path) -> Result<Vec<u8>, String> {
    let Ok(found) = fs::metadata(file) else {
        return Err(
            "it ended without an error, but wrote no model; it belongs into the file named last".into()
        );
    };
    if !found.is_file() {
        return Err("it wrote no file as its model; pack folders into one file".into());
    }
    if found.len() > MOST_BYTES {
        let (found, most) = (found.len() >> 20, MOST_BYTES >> 20);
        return Err(format!(
            "its model has {found} MB, more than the {most} MB that are kept; write a smaller one"
        ));
    }
    fs::read(file).map_err(|error| format!("its model cannot be read: {error}"))
}

#[cfg(test)]
mod tests {
    use tribunal_learn::Column;

    use super::super::testing::{SHARE, Script, claims};
    use super::*;

    const ROWS: [u32; 5] = [0, 1, 2, 3, 3];

    #[test]
    fn a_command_learns_scores_and_explains() {
        let (script, claims) = (Script::new(SHARE), claims(12));
        for settings in ["", "[timeout=60]"] {
            let model = script.learner_with(settings).fit(&claims, &ROWS, 7).expect("a model");
            let found = model.posteriors(&claims, &[4, 5, 6]).expect("scores");
            assert_eq!(found.scores(), [0.6; 3]);
            assert_eq!(model.explain().expect("an explanation").as_deref(), Some("the share is 0.6\n"));
            let stored = serde_json::to_string(&model).expect("stored");
            assert_eq!(serde_json::from_str::<OutsideModel>(&stored).expect("read"), model);
        }
    }

    #[test]
    fn levels_of_another_file_are_refused_until_they_are_aligned() {
        let (script, claims) = (Script::new(SHARE), claims(12));
        let model = script.learner().fit(&claims, &ROWS, 7).expect("a model");
        let levels = tribunal_learn::Levels::met(["a,b", "Fiat", "NA"]);
        let make = tribunal_learn::Kind::Categorical(levels);
        let make = Column::new("make", make, tribunal_learn::Values::Codes(vec![1; 12])).expect("codes");
        let columns = claims.columns().iter().filter(|column| column.name() != "make").cloned();
        let other = Dataset::new(columns.chain([make]).collect()).expect("columns");
        let error = model.posteriors(&other, &[4, 5]).expect_err("other levels").to_string();
        assert!(error.contains("column \"make\": it is categorical with the levels"), "{error}");
        let aligned = other.into_aligned(model.inputs(), &Default::default()).expect("aligned").dataset;
        assert_eq!(model.posteriors(&aligned, &[4, 5]).expect("scores").scores(), [0.6; 2]);
    }

    #[test]
    fn what_a_command_is_given_is_what_the_protocol_says() {
        let script = Script::new(
            r#"here=$(dirname "$0"); cp "$TRIBUNAL_JOB" "$here/$1.json"; echo "$TRIBUNAL_SEED $#" > "$here/$1.env"
               if [ "$1" = fit ]; then cp "$2" "$here/train"; : > "$3"; fi
               if [ "$1" = score ]; then cp "$3" "$here/rows"; printf 'score\n0.5\n0.25\n' > "$4"; fi"#,
        );
        let claims = claims(12).with_weights(vec![0.5; 12]).expect("weights");
        let model = script.learner().fit(&claims, &[0, 6, 9, 9], (1 << 40) + 5).expect("a model");
        model.posteriors(&claims, &[2, 10]).expect("scores");
        let read = |name: &str| std::fs::read_to_string(script.folder().join(name)).expect(name);
        let train =
            "lag,make,night,fraud,weight\n0,Fiat,0,yes,0.5\n,Fiat,0,yes,0.5\n3,,,yes,0.5\n3,,,yes,0.5\n";
        assert_eq!(read("train"), train);
        assert_eq!(read("rows"), "lag,make,night\n5,NA,0\n5.5,\"a,b\",0\n");
        assert_eq!((read("fit.env"), read("score.env")), ("5 3\n".into(), "5 4\n".into()));
        let job: serde_json::Value = serde_json::from_str(&read("fit.json")).expect("JSON");
        let column =
            serde_json::json!({"name": "make", "kind": "categorical", "levels": ["Fiat", "a,b", "NA"]});
        assert_eq!((&job["schema"], &job["step"]), (&"tribunal.outside/1".into(), &"fit".into()));
        assert_eq!((&job["seed"], &job["n_rows"], &job["columns"][1]), (&5.into(), &4.into(), &column));
        assert_eq!((&job["target"], &job["weight"]), (&"fraud".into(), &"weight".into()));
        assert_eq!(job["classes"], serde_json::json!(["no", "yes"]));
        let job: serde_json::Value = serde_json::from_str(&read("score.json")).expect("JSON");
        assert!(job["rows"].is_string() && job["scores"].is_string() && job["train"].is_null());
    }

    #[test]
    fn names_that_are_taken_are_changed_and_arrow_is_an_arrow_file() {
        let script = Script::new(r#"cp "$TRIBUNAL_JOB" "$(dirname "$0")/job"; head -c 6 "$2" > "$3""#);
        let column = |name: &str| {
            Column::new(name, tribunal_learn::Kind::Flag, tribunal_learn::Values::Codes(vec![0, 1]))
        };
        let columns = ["y", "weight", "weight_"].map(column).into_iter().collect::<Result<_, _>>();
        let target = Target::new("y", ["a", "b"], vec![0, 1]).expect("a target");
        let data = Dataset::new(columns.expect("columns")).and_then(|data| data.with_target(target));
        let data = data.and_then(|data| data.with_weights(vec![1.0, 2.0])).expect("data");
        let model = script.learner_with("[format=arrow]").fit(&data, &[0, 1], 1).expect("a model");
        assert_eq!(model.bytes, b"ARROW1");
        let job = std::fs::read(script.folder().join("job")).expect("a job");
        let job: serde_json::Value = serde_json::from_slice(&job).expect("JSON");
        assert_eq!((&job["target"], &job["weight"]), (&"y_".into(), &"weight__".into()));
        assert_eq!(job["format"], "arrow");
    }

    /// A script must fail at a step and say so.
    fn check(script: &str, step: &str, expected: &str) {
        check_learner(&Script::new(script).learner_with("[timeout=1]"), step, expected);
    }

    fn check_learner(learner: &OutsideLearner, step: &str, expected: &str) {
        let claims = claims(12);
        let done = learner.fit(&claims, &ROWS, 1).and_then(|model| model.posteriors(&claims, &[4, 5]));
        let error = done.expect_err(expected).to_string();
        assert!(error.starts_with(&format!("{learner}, {step}: ")) && error.contains(expected), "{error}");
    }

    #[test]
    fn every_way_to_fail_has_its_words() {
        let scoring = |rest: &str| format!("if [ $1 = fit ]; then echo m > $3; exit; fi\n{rest}");
        check("echo one >&2; echo two >&2; echo; exit 3", "fit", "it ended with exit code 3: one | two");
        check("echo only here; exit 1", "fit", "it ended with exit code 1: only here");
        check("exit 2", "fit", "exit code 2 and said nothing");
        check("kill -9 $$", "fit", "it was killed by signal 9");
        check("sleep 60", "fit", "it took longer than 1 seconds and was stopped");
        check("true", "fit", "wrote no model");
        check("mkdir $3", "fit", "it wrote no file as its model");
        check(&scoring("exit 9"), "score", "exit code 9");
        check(&scoring("true"), "score", "wrote no scores");
        check(&scoring("printf 'score\\n0.5\\n' > $4"), "score", "too few scores: 1 for 2 rows");
        check(&scoring("printf 'score\\n0.5\\nNaN\\n' > $4"), "score", "row 2: NaN is not a finite number");
        check(&scoring("printf 'score\\n0.5\\n7\\n' > $4"), "score", "row 2: 7 is no probability");
        check_learner(
            &"outside:no-such-command-here x".parse().expect("text"),
            "fit",
            "there is no command \"no-such",
        );
        check_learner(&"outside:/".parse().expect("text"), "fit", "it cannot be run");
    }

    #[test]
    fn much_output_and_what_is_left_running_hold_nothing_up() {
        let script = Script::new(
            r#"head -c 300000 /dev/zero | tr '\0' 'x'; head -c 300000 /dev/zero | tr '\0' 'y' >&2
               sleep 300 & echo $! > "$(dirname "$0")/pid"
               if [ "$1" = fit ]; then : > "$3"; else printf 'score\n0.5\n' > "$4"; fi"#,
        );
        let claims = claims(12);
        let started = std::time::Instant::now();
        let model = script.learner().fit(&claims, &ROWS, 1).expect("a model");
        assert_eq!(model.posteriors(&claims, &[4]).expect("scores").scores(), [0.5]);
        assert!(started.elapsed().as_secs() < 60);
        assert_gone(&script);
    }

    #[test]
    fn a_timeout_ends_what_the_command_started_and_leaves_no_folder() {
        let script = Script::new(
            r#"sleep 300 & echo $! > "$(dirname "$0")/pid"; dirname "$TRIBUNAL_JOB" > "$(dirname "$0")/job"; sleep 300"#,
        );
        script.learner_with("[timeout=1]").fit(&claims(12), &ROWS, 1).expect_err("too long");
        assert_gone(&script);
        let job = std::fs::read_to_string(script.folder().join("job")).expect("a folder");
        assert!(job.contains("tribunal-outside-") && !Path::new(job.trim()).exists(), "{job}");
    }

    /// The process that a script started and noted is no more.
    fn assert_gone(script: &Script) {
        let pid = std::fs::read_to_string(script.folder().join("pid")).expect("a number");
        let is_alive = || {
            let state = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim()));
            state.is_ok_and(|state| !state.contains(") Z "))
        };
        let is_gone = (0..100).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(20));
            !is_alive()
        });
        assert!(is_gone, "process {pid} is still running");
    }

    #[test]
    fn a_command_need_not_explain() {
        let script = Script::new(r#"if [ "$1" = fit ]; then : > "$3"; else echo usage; exit 2; fi"#);
        let model = script.learner().fit(&claims(12), &ROWS, 1).expect("a model");
        assert_eq!(model.explain().expect("no error"), None);
    }
}
