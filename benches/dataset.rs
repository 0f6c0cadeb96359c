//! A CSV file of claims read and encoded: every column given its kind, every level its code.
//!
//! Reads the file given by `--data`, which `peers/dataset.py` writes if it is not there. Prints one JSON line: seconds of
//! wall and CPU time, the best of several runs, and the number of rows and levels, which lets peers be checked.

use std::time::Instant;

use cpu_time::ProcessTime;
use tribunal::{DataRequest, Source, load_data};

/// The allocator of the command.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

const REPEAT: usize = 30;

fn main() {
    let mut args = std::env::args().skip_while(|arg| arg != "--data").skip(1);
    let Some(path) = args.next() else { return println!("give the file: --data FILE") };
    let (mut wall, mut cpu, mut value) = (f64::INFINITY, f64::INFINITY, (0, 0));
    for _ in 0..REPEAT {
        let (started, cpu_started) = (Instant::now(), ProcessTime::now());
        let source = Source::open(&[&path]).unwrap_or_else(|error| panic!("{error}"));
        let loaded = load_data(&source, &DataRequest::default(), &|_progress| ());
        let dataset = loaded.unwrap_or_else(|error| panic!("{error}")).dataset;
        wall = wall.min(started.elapsed().as_secs_f64());
        cpu = cpu.min(cpu_started.elapsed().as_secs_f64());
        value = (dataset.n_rows(), dataset.columns().iter().map(|column| column.kind().levels().len()).sum());
    }
    let (rows, levels): (usize, usize) = value;
    println!(r#"{{"peer": "tribunal", "wall": {wall}, "cpu": {cpu}, "rows": {rows}, "levels": {levels}}}"#);
}
