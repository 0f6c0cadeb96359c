//! The threads that share the work are made before it begins, so that a system that gives none is told of by an error.
//! Made at their first use, they would end the command in a panic.

use std::num::NonZeroUsize;

use crate::Failure;
use crate::args::{MOST_JOBS, Verb};

/// Where Rayon looks for a number of threads that no option says.
const THREADS_VARIABLE: &str = "RAYON_NUM_THREADS";

/// Makes the threads of a verb: as many as `--jobs` says, else as `RAYON_NUM_THREADS` says, else one for each core.
pub(crate) fn make_for(verb: &Verb) -> Result<(), Failure> {
    match verb {
        Verb::Report(_) | Verb::Metrics(_) | Verb::Learners(_) | Verb::Completions(_) | Verb::Man(_) => {
            Ok(())
        }
        Verb::Study(args) => make(args.jobs),
        Verb::Select(args) => make(args.jobs),
        Verb::Demo(args) => make(args.jobs),
        _ => make(None),
    }
}

fn make(jobs: Option<NonZeroUsize>) -> Result<(), Failure> {
    let n_threads = jobs.map_or(0, NonZeroUsize::get);
    // A system may give a million threads, and do nothing else from then on.
    let by_variable = std::env::var(THREADS_VARIABLE).ok().and_then(|text| text.parse().ok()).unwrap_or(0);
    if jobs.is_none() && by_variable > MOST_JOBS {
        return Err(Failure::usage(format!(
            "{THREADS_VARIABLE} is {by_variable}; write at most {MOST_JOBS}"
        )));
    }
    let made = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build_global();
    made.map_err(|error| {
        let (what, fewer) = match jobs {
            Some(jobs) => (format!("--jobs {jobs} cannot be kept"), "with a smaller number"),
            None => ("no threads can be made".to_owned(), "with RAYON_NUM_THREADS=1"),
        };
        Failure::run(format!(
            "{what}: {error}; allow more processes (ulimit -u, the pids of a container) or more memory (ulimit -v), or use \
             fewer cores {fewer}"
        ))
    })
}
