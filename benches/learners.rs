//! Claims as codes to fitted and cross-validated models.
//!
//! Writes what its peers read - `codes-N.csv` and `levels-N.json` in the folder `--data`, or with `--numbers` the
//! standardised matrix `numeric-N.f64` with `numeric-N.json`, `classes-N.u8` and `folds-N.u8` - unless it is there, and
//! prints one JSON line a job: seconds of wall and CPU time, the best of several runs, and a figure to compare. A job that
//! names a family takes all its members together when it is cross-validated: four naive Bayes, four TAN, three C4.5, four
//! nearest neighbours (`knn` scaled over all rows, `knnstrict` inside the folds), three networks, two support vector machines
//! (`svm` to the usual tolerance, `svmloose` to that of libsvm; `svmlinear` and `svmrbf` one of them); otherwise the first of
//! them. `lssvm-grid` judges 99 machines on ten inner folds of each of ten training parts; `dense-N` multiplies and factors
//! matrices of N rows. `resting` is the memory before the first run, `maxrss` the peak of
//! all runs, `encoded` the bytes that the codes take.

use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

use cpu_time::ProcessTime;
use tribunal::claims::{ClaimsRequest, TARGETS, generate};
use tribunal::resampling::{LabelColumn, Plan, Rows};
use tribunal_algebra::{Cholesky, Rectangle, Symmetric};
use tribunal_eval::metrics::auroc;
use tribunal_eval::{Ranking, ScoredSet};
use tribunal_learn::encoding::{NominalColumn, NominalEncoder, NumericEncoder, NumericOptions};
use tribunal_learn::{
    Column, Dataset, Folds, Kind, Learner, Levels, Posteriors, Scenario, Values, cross_posteriors,
    cross_posteriors_of, fit_all,
};

mod peak_memory;

/// The allocator of the command.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

const BAYES: [&str; 4] = ["nb", "nb:5", "nb:25", "nb:50"];
const TANS: [&str; 4] = ["tan", "tan:5", "tan:25", "tan:50"];
const NEIGHBOURS: [&str; 4] = ["knn:10,paper", "knn:1,paper", "knn:100,paper", "knn:500,paper"];
const STRICT_NEIGHBOURS: [&str; 4] = ["knn:10", "knn:1", "knn:100", "knn:500"];
const MACHINES: [&str; 2] = ["svm", "svm:rbf"];
const LOOSE_MACHINES: [&str; 2] = ["svm:tolerance=0.001", "svm:rbf,tolerance=0.001"];
const LEAST_SQUARES: [&str; 1] = ["lssvm:rbf,gamma=10,spread=5,paper"];
const STRICT_LEAST_SQUARES: [&str; 1] = ["lssvm:rbf,spread=5"];
const TREES: [&str; 3] = ["c45", "c45:unpruned", "c45:curtailed,k=50"];
const NETWORKS: [&str; 3] = ["mlp:3", "mlp:2", "mlp:1"];

/// The seed of the folds.
const SEED: u64 = 7;

fn main() {
    let argument = |name: &str| std::env::args().skip_while(|arg| arg != name).nth(1);
    let Some(rows) = argument("--rows").and_then(|rows| rows.parse().ok()) else {
        return println!("give the number of claims: --rows N --data DIR [--jobs nb-cv,...] [--repeat 5]");
    };
    let bench = Bench::new(rows, argument("--repeat").and_then(|text| text.parse().ok()).unwrap_or(5));
    if let Some(folder) = argument("--data") {
        match std::env::args().any(|arg| arg == "--numbers") {
            true => bench.write_numbers(Path::new(&folder)),
            false => bench.write(Path::new(&folder)),
        }
    }
    let jobs = argument("--jobs")
        .unwrap_or_else(|| "c45-cv,nb-cv,tan-cv,c45-fit,nb-fit,tan-fit,nb-loo,tan-loo".into());
    jobs.split(',').for_each(|job| bench.run(job));
}

struct Bench {
    dataset: Dataset,
    rows: Vec<u32>,
    fold_of_row: Vec<u32>,
    repeat: usize,
}

impl Bench {
    fn new(rows: u64, repeat: usize) -> Self {
        let claims = generate(&ClaimsRequest { rows, seed: 32 }).expect("claims");
        let dataset = coded(&claims.dataset(&TARGETS[1]).expect("a data set"));
        let classes = LabelColumn::of_target(dataset.target().expect("a target"));
        let plan = Plan::new(&"cv:10".parse().expect("a design"), &Rows::of_classes(&classes), SEED)
            .expect("a plan");
        let fold_of_row = plan.fold_of_row(0).expect("folds");
        Bench { rows: (0..rows as u32).collect(), dataset, fold_of_row, repeat }
    }

    /// Writes the codes for programs in other languages.
    fn write(&self, folder: &Path) {
        let n = self.rows.len();
        let file = folder.join(format!("codes-{n}.csv"));
        if file.exists() {
            return;
        }
        let columns: Vec<&[u32]> = self.dataset.columns().iter().map(codes).collect();
        let classes = self.dataset.target().expect("a target").codes();
        let mut text: String = (0..columns.len()).map(|idx| format!("x{idx},")).collect();
        text.push_str("class,fold\n");
        for row in 0..n {
            columns.iter().for_each(|codes| write!(text, "{},", codes[row]).expect("text"));
            writeln!(text, "{},{}", classes[row], self.fold_of_row[row]).expect("text");
        }
        std::fs::create_dir_all(folder).expect("a folder");
        std::fs::write(file, text).expect("a file");
        let levels: Vec<String> =
            self.dataset.columns().iter().map(|column| column.n_codes().to_string()).collect();
        std::fs::write(folder.join(format!("levels-{n}.json")), format!("[{}]", levels.join(",")))
            .expect("a file");
    }

    /// Writes the standardised matrix for programs in other languages.
    fn write_numbers(&self, folder: &Path) {
        let n = self.rows.len();
        let file = folder.join(format!("numeric-{n}.f64"));
        if file.exists() {
            return;
        }
        let encoder =
            NumericEncoder::fit(&self.dataset, &self.rows, &NumericOptions::default()).expect("an encoder");
        let matrix = encoder.encode(&self.dataset, &self.rows).expect("numbers");
        let row = |row: usize| (0..matrix.n_columns()).map(move |column| (row, column));
        let bytes = (0..n).flat_map(row).flat_map(|(row, column)| matrix.column(column)[row].to_le_bytes());
        std::fs::create_dir_all(folder).expect("a folder");
        std::fs::write(file, bytes.collect::<Vec<u8>>()).expect("a file");
        let shape = format!(r#"{{"rows": {n}, "columns": {}}}"#, matrix.n_columns());
        std::fs::write(folder.join(format!("numeric-{n}.json")), shape).expect("a file");
        let narrow = |codes: &[u32]| codes.iter().map(|&code| code as u8).collect::<Vec<u8>>();
        let classes = self.dataset.target().expect("a target").codes();
        std::fs::write(folder.join(format!("classes-{n}.u8")), narrow(classes)).expect("a file");
        std::fs::write(folder.join(format!("folds-{n}.u8")), narrow(&self.fold_of_row)).expect("a file");
    }

    fn run(&self, job: &str) {
        let (family, kind) = job.split_once('-').expect("a family and what to do with it, such as nb-cv");
        let members: Vec<Learner> = match family {
            "nb" => parsed(&BAYES),
            "tan" => parsed(&TANS),
            "c45" => parsed(&TREES),
            "knn" => parsed(&NEIGHBOURS),
            "knnstrict" => parsed(&STRICT_NEIGHBOURS),
            "mlp" => parsed(&NETWORKS),
            "lssvm" => parsed(&LEAST_SQUARES),
            "lssvmstrict" => parsed(&STRICT_LEAST_SQUARES)[0].candidates(self.rows.len()).expect("gammas"),
            "dense" => return dense(kind.parse().expect("a number of rows"), self.repeat),
            "svm" => parsed(&MACHINES),
            "svmloose" => parsed(&LOOSE_MACHINES),
            "svmlinear" => parsed(&MACHINES[..1]),
            "svmrbf" => parsed(&MACHINES[1..]),
            learner => parsed(&[learner]),
        };
        let one = &members[..1];
        match kind {
            "cv" => self.timed(job, || self.crossed(&members, &self.fold_of_row)),
            "loo" => self.timed(job, || self.crossed(one, &self.rows)),
            "grid" => self.grid(job),
            "fit" => self.timed(job, || {
                fit_all(one, &self.dataset, &self.rows, SEED).expect("models");
                Vec::new()
            }),
            "fitscore" => self.timed(job, || {
                let models = fit_all(one, &self.dataset, &self.rows, SEED).expect("models");
                vec![models[0].posteriors(&self.dataset, &self.rows).expect("scores")]
            }),
            other => println!("{other}: cv, loo, fit or fitscore"),
        }
    }

    fn crossed(&self, learners: &[Learner], fold_of_row: &[u32]) -> Vec<Posteriors> {
        let folds = Folds::new(&self.rows, fold_of_row).expect("folds");
        cross_posteriors(learners, &self.dataset, &folds, SEED).expect("posteriors")
    }

    /// Judges a whole grid on inner folds of every training part. What is told is the mean over the parts of the largest
    /// share of rows that are taken for what they are.
    fn grid(&self, job: &str) {
        let learner: Learner = "lssvm:rbf,paper".parse().expect("a learner");
        let candidates = learner.candidates(self.rows.len()).expect("a grid");
        let target = self.dataset.target().expect("a target");
        let part =
            |fold: u32| self.rows.iter().copied().filter(move |&row| self.fold_of_row[row as usize] != fold);
        let parts: Vec<Vec<u32>> = (0..10).map(|fold| part(fold).collect()).collect();
        let inner = |rows: &Vec<u32>| (0..rows.len() as u32).map(|at| at % 10).collect::<Vec<u32>>();
        let folds: Vec<Folds<'_>> =
            parts.iter().map(|rows| Folds::new(rows, &inner(rows)).expect("folds")).collect();
        let scenarios: Vec<Scenario<'_>> =
            folds.iter().map(|folds| Scenario { target, folds, seed: SEED, learners: &candidates }).collect();
        let started = (Instant::now(), ProcessTime::now());
        let resting = peak_memory::begin();
        let found = cross_posteriors_of(&self.dataset, &scenarios).expect("posteriors");
        let (wall, cpu) = (started.0.elapsed().as_secs_f64(), started.1.elapsed().as_secs_f64());
        let correct = |(rows, found): (&Vec<u32>, &Posteriors)| {
            let right = found
                .predicted()
                .zip(rows)
                .filter(|(class, row)| *class == target.codes()[**row as usize] as usize);
            right.count() as f64 / rows.len() as f64
        };
        let best = |(rows, found): (&Vec<u32>, &Vec<Posteriors>)| {
            found.iter().map(|found| correct((rows, found))).fold(0.0, f64::max)
        };
        let value = parts.iter().zip(&found).map(best).sum::<f64>() / 10.0;
        println!(
            r#"{{"peer": "tribunal", "job": "{job}", "rows": {}, "wall": {wall}, "cpu": {cpu}, "value": {value}, "resting": {resting}, "maxrss": {}}}"#,
            self.rows.len(),
            peak_memory::of_this_process(),
        );
    }

    /// The AUROC over all rows, if there are scores.
    fn auroc(&self, posteriors: Option<&Posteriors>) -> f64 {
        let classes = self.dataset.target().expect("a target").codes();
        let truth: Vec<bool> = classes.iter().map(|&class| class == 1).collect();
        let Some(scores) = posteriors.map(Posteriors::scores) else { return 0.0 };
        let ranking = Ranking::of(&ScoredSet::new(&truth, &scores).expect("a set")).expect("a ranking");
        auroc(&ranking).expect("both classes")
    }

    /// Runs a job several times; judging what it found is not timed.
    fn timed(&self, job: &str, run: impl Fn() -> Vec<Posteriors>) {
        let (mut wall, mut cpu, mut value) = (f64::INFINITY, f64::INFINITY, 0.0);
        let resting = peak_memory::begin();
        for _ in 0..self.repeat {
            let (started, cpu_started) = (Instant::now(), ProcessTime::now());
            let found = run();
            wall = wall.min(started.elapsed().as_secs_f64());
            cpu = cpu.min(cpu_started.elapsed().as_secs_f64());
            value = self.auroc(found.first());
        }
        let (rows, columns) = (self.rows.len(), self.dataset.columns().len());
        println!(
            r#"{{"peer": "tribunal", "job": "{job}", "rows": {rows}, "wall": {wall}, "cpu": {cpu}, "value": {value}, "resting": {resting}, "maxrss": {}, "encoded": {}}}"#,
            peak_memory::of_this_process(),
            rows * columns * size_of::<u32>(),
        );
    }
}

/// Products and factors of matrices, on as many cores as there are threads (`RAYON_NUM_THREADS`).
fn dense(n: usize, repeat: usize) {
    let number = |idx: usize| ((idx * 7919 % 100_003) as f64 / 100_003.0) - 0.5;
    let matrix = Rectangle::of(n, n, (0..n * n).map(number).collect());
    let n_threads = rayon::current_num_threads();
    let mut inner = Symmetric::inner_products(&matrix);
    inner.add_diagonal(&vec![n as f64; n]);
    let timed = |what: &str, run: &dyn Fn() -> f64| {
        let (mut wall, mut value) = (f64::INFINITY, 0.0);
        for _ in 0..repeat {
            let started = Instant::now();
            value = run();
            wall = wall.min(started.elapsed().as_secs_f64());
        }
        println!(
            r#"{{"peer": "tribunal", "job": "dense-{what}", "rows": {n}, "threads": {n_threads}, "wall": {wall}, "value": {value}}}"#
        );
    };
    if n_threads == 1 {
        timed("product", &|| matrix.transposed_times(&matrix).column(0)[0]);
    }
    timed("inner", &|| Symmetric::inner_products(&matrix).at(0, 0));
    timed("cholesky", &|| Cholesky::of_large(inner.clone()).map_or(0.0, |factor| factor.n() as f64));
}

fn parsed(texts: &[&str]) -> Vec<Learner> {
    texts.iter().map(|text| text.parse().expect(text)).collect()
}

fn codes(column: &Column) -> &[u32] {
    match column.values() {
        Values::Codes(codes) => codes,
        Values::Numbers(_) => panic!("{} holds numbers", column.name()),
    }
}

/// The claims with bins as levels, so that all contenders start from codes.
fn coded(dataset: &Dataset) -> Dataset {
    let rows: Vec<u32> = (0..dataset.n_rows() as u32).collect();
    let encoder = NominalEncoder::fit(dataset, &rows, None).expect("an encoder");
    let column = |(column, encoded): (&Column, NominalColumn)| {
        let NominalColumn::Codes { codes, n_codes } = encoded else {
            panic!("{} is not binned", column.name())
        };
        let kind = Kind::Ordered(Levels::declared((0..n_codes).map(|code| code.to_string())));
        Column::new(column.name(), kind, Values::Codes(codes)).expect("codes")
    };
    let columns = dataset.columns().iter().zip(encoder.encode(dataset, &rows).expect("codes")).map(column);
    let target = dataset.target().expect("a target").clone();
    Dataset::new(columns.collect()).and_then(|dataset| dataset.with_target(target)).expect("a data set")
}
