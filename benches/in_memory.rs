//! Scores in memory to AUROC and the points of the ROC, precision-recall and CPH curves.
//!
//! Reads `score.f64` and `truth.u8` from the folder given by `--data`, as `peers/in_memory.py` does, and prints
//! one JSON line: seconds of wall and CPU time, the best of several runs.

use std::path::PathBuf;
use std::time::Instant;

use cpu_time::ProcessTime;
use tribunal_eval::curves::{Curve, CurveKind};
use tribunal_eval::{Ranking, ScoredSet, metrics};

/// The allocator of the command.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() {
    let mut args = std::env::args().skip_while(|arg| arg != "--data").skip(1);
    let Some(folder) = args.next().map(PathBuf::from) else {
        return println!("give the folder of the raw scores: --data DIR");
    };
    let bytes =
        |name: &str| std::fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let truth: Vec<bool> = bytes("truth.u8").iter().map(|&y| y == 1).collect();
    let score: Vec<f64> = bytes("score.f64")
        .chunks_exact(8)
        .map(|raw| f64::from_le_bytes(raw.try_into().expect("eight bytes")))
        .collect();
    let (mut wall, mut cpu, mut auroc) = (f64::INFINITY, f64::INFINITY, 0.0);
    for _ in 0..5 {
        let (started, cpu_started) = (Instant::now(), ProcessTime::now());
        let set = ScoredSet::new(&truth, &score).expect("finite scores");
        let ranking = Ranking::of(&set).expect("a ranking");
        auroc = metrics::auroc(&ranking).expect("both classes");
        let curve = |kind| Curve::of(kind, &ranking).expect("both classes");
        let ((roc, pr), cph) = rayon::join(
            || rayon::join(|| curve(CurveKind::Roc), || curve(CurveKind::PrecisionRecall)),
            || curve(CurveKind::Cph),
        );
        (wall, cpu) =
            (wall.min(started.elapsed().as_secs_f64()), cpu.min(cpu_started.elapsed().as_secs_f64()));
        assert_eq!((roc.points.len(), cph.points.len()), (pr.points.len() + 1, pr.points.len() + 1));
    }
    println!(r#"{{"peer": "tribunal", "wall": {wall}, "cpu": {cpu}, "auroc": {auroc}}}"#);
}
