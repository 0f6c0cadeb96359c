//! A correction by bands of a score beside reading its columns.
//!
//! `--prevalence FILE` has a column `score`, `--incidence FILE` the columns `score` and `hit` (`yes` is positive), as
//! `peers/make_actioned.py` writes them. In turn the columns are read and nothing else, the incidence is post-stratified by ten
//! quantile bands of the prevalence, with and without figures, and corrected by all methods. Prints one JSON line for each, seconds
//! of wall and CPU time of the best run.

use std::time::Instant;

use cpu_time::ProcessTime;
use tribunal::Source;
use tribunal::correction::{CorrectRequest, CorrectionMethod, OutcomeColumns, correct};
use tribunal_io::{Error, ReadOptions, TableReader, Want};

/// The allocator of the command.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

const N_RUNS: usize = 5;

/// What is timed, and its name.
type Job<'a> = (&'a str, Box<dyn Fn() + 'a>);

fn main() {
    let named = |name: &str| std::env::args().skip_while(|arg| arg != name).nth(1);
    let (Some(prevalence), Some(incidence)) = (named("--prevalence"), named("--incidence")) else {
        return println!("give the tables: --prevalence FILE --incidence FILE");
    };
    let sources = (Source::open(&[prevalence]).expect("a file"), Source::open(&[incidence]).expect("a file"));
    let read = |source: &Source, wants: &[Want]| {
        let table = TableReader::open(source, &ReadOptions::default()).expect("a table");
        let mut sum = 0.0;
        let summary = table.read::<Error>(wants, &|_| (), &mut |batch| {
            sum +=
                batch.numbers(0).map_or(0.0, |numbers| numbers.values.first().copied().unwrap_or_default());
            Ok(())
        });
        assert!(summary.expect("columns").rows > 0 && sum.is_finite());
    };
    let request = |method, with_figures: bool| {
        let mut request = CorrectRequest::new(["score"]);
        request.method = method;
        request.outcome = with_figures.then(|| OutcomeColumns {
            truth: "hit".into(),
            positive: "yes".into(),
            score: Some("score".into()),
        });
        request
    };
    let jobs: [Job<'_>; 5] = [
        (
            "reading the strata",
            Box::new(|| {
                read(&sources.0, &[Want::number("score")]);
                read(&sources.1, &[Want::number("score")]);
            }),
        ),
        (
            "reading all columns",
            Box::new(|| {
                read(&sources.0, &[Want::number("score")]);
                read(&sources.1, &[Want::number("score"), Want::label("hit")]);
            }),
        ),
        ("poststratify", Box::new(|| corrected(&sources, &request(CorrectionMethod::PostStratify, false)))),
        ("with figures", Box::new(|| corrected(&sources, &request(CorrectionMethod::PostStratify, true)))),
        ("all methods", Box::new(|| corrected(&sources, &request(CorrectionMethod::All, true)))),
    ];
    let mut best = [(f64::INFINITY, f64::INFINITY); 5];
    for _ in 0..N_RUNS {
        for (best, (_, job)) in best.iter_mut().zip(&jobs) {
            let (started, cpu_started) = (Instant::now(), ProcessTime::now());
            job();
            let (wall, cpu) = (started.elapsed().as_secs_f64(), cpu_started.elapsed().as_secs_f64());
            *best = (best.0.min(wall), best.1.min(cpu));
        }
    }
    for ((wall, cpu), (name, _)) in best.into_iter().zip(&jobs) {
        println!(r#"{{"peer": "{name}", "wall": {wall}, "cpu": {cpu}}}"#);
    }
}

fn corrected((prevalence, incidence): &(Source, Source), request: &CorrectRequest) {
    let found = correct((prevalence, incidence), request, &|_| ()).expect("a correction");
    assert_eq!(found.correction().strata.len(), 10);
}
