//! Classes in memory to ten folds that share them alike.
//!
//! Reads `truth.u8` from the folder given by `--data`, as `peers/splits.py` does, and prints one JSON line: seconds of wall
//! and CPU time, the best of several runs.

use std::path::Path;
use std::time::Instant;

use cpu_time::ProcessTime;
use tribunal::resampling::{Design, LabelColumn, Plan, Rows};

/// The allocator of the command.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() {
    let mut args = std::env::args().skip_while(|arg| arg != "--data").skip(1);
    let Some(folder) = args.next() else {
        return println!("give the folder of the raw classes: --data DIR");
    };
    let raw = std::fs::read(Path::new(&folder).join("truth.u8")).expect("truth.u8");
    let codes = raw.iter().map(|&class| u32::from(class)).collect();
    let classes = LabelColumn::new("truth", codes, vec!["0".into(), "1".into()]).expect("two classes");
    let design: Design = "cv:10".parse().expect("a design");
    let (mut wall, mut cpu, mut n_tested) = (f64::INFINITY, f64::INFINITY, 0);
    for _ in 0..5 {
        let (started, cpu_started) = (Instant::now(), ProcessTime::now());
        let plan = Plan::new(&design, &Rows::of_classes(&classes), 1).expect("a plan");
        (wall, cpu) =
            (wall.min(started.elapsed().as_secs_f64()), cpu.min(cpu_started.elapsed().as_secs_f64()));
        n_tested = plan.split(0).test.len();
    }
    println!(r#"{{"peer": "tribunal", "job": "folds", "wall": {wall}, "cpu": {cpu}, "value": {n_tested}}}"#);
}
