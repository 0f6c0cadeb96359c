//! Every target for some seconds: each in a process of its own, whose memory is limited, so that an abort or a hang is told
//! together with the input that caused it.
//!
//! `TRIBUNAL_FUZZ_SECONDS=600 TRIBUNAL_FUZZ_SEED=7 cargo test -p tribunal-fuzz --test bounded -- --nocapture` runs longer.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tribunal_fuzz::{Mutator, TARGETS, target};

const USUAL_SECONDS: u64 = 2;

/// The address space of a run, in kilobytes; threads and their stacks take a part of it.
const MEMORY: &str = "3000000";

/// No input takes longer.
const PATIENCE: Duration = Duration::from_secs(30);

/// How a run tells its parent that an input was bad, or took too long.
const BAD: i32 = 87;

fn setting(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Where the input that is being tried is kept.
fn current_input(name: &str) -> PathBuf {
    let folder = std::env::var_os("CARGO_TARGET_TMPDIR").map_or_else(std::env::temp_dir, PathBuf::from);
    folder.join(format!("tribunal-fuzz-{name}"))
}

/// Runs one target in a child and fails with what it leaves behind.
fn check(name: &str) {
    let (status, told) = run_child(name);
    let path = current_input(name);
    assert!(
        status == Some(0) && told.contains("executions"),
        "the target {name} failed with {status:?} on the input in {}:\n{told}",
        path.display()
    );
    println!("{}", told.lines().find(|line| line.contains("executions")).unwrap_or_default());
    let _ = std::fs::remove_file(path);
}

fn run_child(name: &str) -> (Option<i32>, String) {
    let program = std::env::current_exe().expect("this program");
    let arguments = ["--exact", "child", "--nocapture"];
    let mut command = if cfg!(unix) {
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(format!("ulimit -v {MEMORY}; exec \"$0\" \"$@\"")).arg(program);
        shell
    } else {
        Command::new(program)
    };
    let output =
        command.args(arguments).env("TRIBUNAL_FUZZ_TARGET", name).env("RAYON_NUM_THREADS", "2").output();
    let Output { status, stdout, stderr } = output.expect("a child");
    (status.code(), format!("{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr)))
}

/// What runs in the child; by itself it does nothing.
#[test]
fn child() {
    let Ok(name) = std::env::var("TRIBUNAL_FUZZ_TARGET") else { return };
    let target = target(&name).expect("a target");
    tribunal_io::hush_caught_panics();
    let (seconds, seed) = (setting("TRIBUNAL_FUZZ_SECONDS", USUAL_SECONDS), setting("TRIBUNAL_FUZZ_SEED", 1));
    let seeds = (target.seeds)();
    assert!(!seeds.is_empty(), "{name} has no seeds");
    let known = target.corpus().into_iter().chain(seeds.clone());
    let mut mutator = Mutator::new([seeds, target.corpus()].concat(), seed);
    let (start, path) = (Instant::now(), current_input(&name));
    watch(start);
    let mut n_executions = 0_u64;
    for input in known.collect::<Vec<_>>().into_iter().chain(std::iter::from_fn(|| Some(mutator.input()))) {
        if n_executions > 0 && start.elapsed() >= Duration::from_secs(seconds) {
            break;
        }
        std::fs::write(&path, &input).expect("the input");
        BEGUN.store(start.elapsed().as_millis() as u64, Ordering::Relaxed);
        if catch_unwind(AssertUnwindSafe(|| (target.run)(&input))).is_err() {
            std::process::exit(BAD);
        }
        n_executions += 1;
    }
    println!("{name}: {n_executions} executions");
}

/// When the input that is being tried was begun, in milliseconds from the start.
static BEGUN: AtomicU64 = AtomicU64::new(u64::MAX);

/// Ends the process if an input takes too long.
fn watch(start: Instant) {
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(Duration::from_millis(500));
            let begun = Duration::from_millis(BEGUN.load(Ordering::Relaxed));
            if start.elapsed().saturating_sub(begun) > PATIENCE {
                println!("an input took longer than {PATIENCE:?}");
                std::process::exit(BAD);
            }
        }
    });
}

macro_rules! targets {
    ($($name:ident),* $(,)?) => {
        $(
            #[test]
            fn $name() {
                check(stringify!($name));
            }
        )*

        #[test]
        fn every_target_is_run() {
            let run = [$(stringify!($name)),*];
            assert!(TARGETS.iter().map(|target| target.name).eq(run));
        }
    };
}

targets!(
    csv,
    tsv,
    gzip,
    parquet,
    arrow_file,
    arrow_stream,
    json_lines,
    arff,
    model,
    ranking,
    study,
    schema,
    cutoff,
    learner,
    design,
    measure,
);
