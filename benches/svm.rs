//! One support vector machine fitted to all rows, linear and RBF, where libsvm is slow or quick for different reasons.
//!
//! Kinds of rows: `separable` (twenty normal columns, nobody near the border), `overlapping` (a noisy border, so that most
//! support vectors are at their bound), `curved` (a border that a linear machine cannot draw), `claims` (synthetic claims as
//! numbers). Writes what its peer reads in the folder `--data` - `svm-KIND-N.f64`, standardised and row by row, with
//! `svm-KIND-N.json` and `svm-KIND-N.u8` - and prints one JSON line a job: seconds of wall and CPU time, the best of several
//! runs; `value` is the objective of the dual. Threads: `RAYON_NUM_THREADS`.

use std::path::Path;
use std::time::Instant;

use cpu_time::ProcessTime;
use tribunal::claims::{ClaimsRequest, TARGETS, generate};
use tribunal_learn::encoding::{NumericEncoder, NumericOptions};
use tribunal_learn::{Column, Dataset, Kind, Learner, Target, Values, fit_all};
use tribunal_random::Random;

mod peak_memory;

/// The allocator of the command.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

const N_COLUMNS: usize = 20;

fn main() {
    let argument = |name: &str| std::env::args().skip_while(|arg| arg != name).nth(1);
    let (Some(rows), Some(kind), Some(folder)) =
        (argument("--rows").and_then(|rows| rows.parse().ok()), argument("--kind"), argument("--data"))
    else {
        return println!("give --rows N --kind separable|overlapping|curved|claims --data DIR [--repeat 1]");
    };
    let repeat = argument("--repeat").and_then(|text| text.parse().ok()).unwrap_or(1);
    let dataset = dataset(&kind, rows);
    write(&dataset, Path::new(&folder), &format!("svm-{kind}-{rows}"));
    for (job, learner) in [("linear", "svm"), ("rbf", "svm:rbf")] {
        run(&format!("svm-{job}-{kind}"), learner, &dataset, repeat);
    }
}

fn dataset(kind: &str, n_rows: usize) -> Dataset {
    if kind == "claims" {
        let claims = generate(&ClaimsRequest { rows: n_rows as u64, seed: 32 }).expect("claims");
        return claims.dataset(&TARGETS[1]).expect("a data set");
    }
    let mut random = Random::new(1);
    let direction: Vec<f64> = (0..N_COLUMNS).map(|_| random.normal()).collect();
    let length = direction.iter().map(|number| number * number).sum::<f64>().sqrt();
    let mut rows: Vec<Vec<f64>> = Vec::with_capacity(n_rows);
    let mut codes = Vec::with_capacity(n_rows);
    while rows.len() < n_rows {
        let row: Vec<f64> = (0..N_COLUMNS).map(|_| random.normal()).collect();
        let along = row.iter().zip(&direction).map(|(a, b)| a * b).sum::<f64>() / length;
        let signal = match kind {
            "separable" if along.abs() < 0.3 => continue,
            "separable" => along,
            "overlapping" => along + 1.2 * random.normal() - 0.3,
            "curved" => row[0] * row[1] + row[2] * row[2] - 1.0 + 0.3 * row[3] + 0.3 * random.normal(),
            other => panic!("there is no kind {other}"),
        };
        codes.push(u32::from(signal > 0.0));
        rows.push(row);
    }
    let column = |idx: usize| {
        let numbers = rows.iter().map(|row| row[idx]).collect();
        Column::new(format!("x{idx}"), Kind::Numeric, Values::Numbers(numbers)).expect("numbers")
    };
    let target = Target::new("y", ["no", "yes"], codes).expect("classes");
    Dataset::new((0..N_COLUMNS).map(column).collect())
        .and_then(|data| data.with_target(target))
        .expect("a table")
}

/// Writes the standardised matrix for programs in other languages.
fn write(dataset: &Dataset, folder: &Path, name: &str) {
    let rows: Vec<u32> = (0..dataset.n_rows() as u32).collect();
    let encoder = NumericEncoder::fit(dataset, &rows, &NumericOptions::default()).expect("an encoder");
    let matrix = encoder.encode(dataset, &rows).expect("numbers");
    let row = |row: usize| (0..matrix.n_columns()).map(move |column| (row, column));
    let cells = (0..rows.len()).flat_map(row).map(|(row, column)| matrix.column(column)[row]);
    std::fs::create_dir_all(folder).expect("a folder");
    std::fs::write(folder.join(format!("{name}.f64")), cells.flat_map(f64::to_le_bytes).collect::<Vec<u8>>())
        .expect("a file");
    let shape = format!(r#"{{"rows": {}, "columns": {}}}"#, rows.len(), matrix.n_columns());
    std::fs::write(folder.join(format!("{name}.json")), shape).expect("a file");
    let classes = dataset.target().expect("a target").codes();
    std::fs::write(
        folder.join(format!("{name}.u8")),
        classes.iter().map(|&code| code as u8).collect::<Vec<u8>>(),
    )
    .expect("a file");
}

fn run(job: &str, learner: &str, dataset: &Dataset, repeat: usize) {
    let learners: [Learner; 1] = [learner.parse().expect(learner)];
    let rows: Vec<u32> = (0..dataset.n_rows() as u32).collect();
    let (mut wall, mut cpu, mut value) = (f64::INFINITY, f64::INFINITY, String::new());
    let resting = peak_memory::begin();
    for _ in 0..repeat {
        let (started, cpu_started) = (Instant::now(), ProcessTime::now());
        let models = fit_all(&learners, dataset, &rows, 1).expect("a model");
        wall = wall.min(started.elapsed().as_secs_f64());
        cpu = cpu.min(cpu_started.elapsed().as_secs_f64());
        let text = models[0].text();
        let objective = text.split("objective ").nth(1).and_then(|rest| rest.split(',').next());
        value = objective.unwrap_or("null").to_owned();
    }
    println!(
        r#"{{"peer": "tribunal", "job": "{job}", "rows": {}, "wall": {wall}, "cpu": {cpu}, "value": {value}, "resting": {resting}, "maxrss": {}}}"#,
        rows.len(),
        peak_memory::of_this_process(),
    );
}
