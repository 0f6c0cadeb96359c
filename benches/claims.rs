//! Synthetic claims from the seed to the file, as `tribunal generate claims` makes them.
//!
//! Writes `--rows N` claims to `--file FILE`, whose name says the format, as `peers/claims.py` does, and prints one
//! JSON line: seconds of wall and CPU time, and the peak of memory.

use std::path::PathBuf;
use std::time::Instant;

use cpu_time::ProcessTime;
use tribunal::claims::{ClaimsRequest, write_file};
use tribunal_io::TableFormat;

mod peak_memory;

/// The allocator of the command.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() {
    let argument = |name: &str| std::env::args().skip_while(|arg| arg != name).nth(1);
    let (Some(rows), Some(file)) = (argument("--rows"), argument("--file").map(PathBuf::from)) else {
        return println!("give the number of claims and the file: --rows N --file FILE");
    };
    let request = ClaimsRequest { rows: rows.parse().expect("a number of rows"), seed: 32 };
    let format = TableFormat::from_extension(&file).expect("a name that says the format");
    let (started, cpu_started) = (Instant::now(), ProcessTime::now());
    write_file(&request, &file, format, &|_| ()).expect("a file that can be written");
    let (wall, cpu) = (started.elapsed().as_secs_f64(), cpu_started.elapsed().as_secs_f64());
    println!(
        r#"{{"peer": "tribunal", "wall": {wall}, "cpu": {cpu}, "maxrss": {}}}"#,
        peak_memory::of_this_process()
    );
}
