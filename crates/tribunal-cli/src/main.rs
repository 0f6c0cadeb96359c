//! The `tribunal` command: arguments in, results out. What it does is in the libraries.
//!
//! Arguments travel typed → validated → run. Results go to standard output or to `-o`, messages to standard
//! error. The exit code is 0 when done, 1 when the run failed, 2 for bad usage.

mod args;
mod command_line;
mod files;
mod flags;
mod interrupt;
mod long_work;
mod messages;
mod output;
mod progress;
mod threads;
mod verbs;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};
#[cfg(unix)]
use tikv_jemallocator::Jemalloc;
#[cfg(unix)]
use tribunal_allocator::ExitWhenExhausted;
use tribunal_io::Files;

use crate::args::{Cli, Verb};

/// Rankings are a few very large arrays. This allocator asks the system for huge pages (as configured in
/// `.cargo/config.toml`), which saves a third of the time at 10⁷ rows. Where memory is exhausted the command fails with a
/// message.
#[cfg(unix)]
#[global_allocator]
static ALLOCATOR: ExitWhenExhausted<Jemalloc> = ExitWhenExhausted(Jemalloc);

fn main() -> ExitCode {
    tribunal_io::hush_caught_panics();
    interrupt::let_oversized_writes_fail();
    let mut command = Cli::command();
    let parsed = command.try_get_matches_from_mut(std::env::args_os()).and_then(|matches| {
        let cli = Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))?;
        Ok((cli, matches))
    });
    let (cli, matches) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => return ExitCode::from(messages::refuse(&error)),
    };
    match files::of(&command, &matches).and_then(|files| run(cli, files)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            messages::complain(&failure.message);
            ExitCode::from(failure.code)
        }
    }
}

/// Does what was asked, with files that do not stand in each other's way.
fn run(cli: Cli, files: Files) -> Result<(), Failure> {
    // Some make a folder, of which more is to be said.
    if !matches!(cli.verb, Verb::Study(_) | Verb::Select(_) | Verb::Demo(_)) {
        files.check_directories().map_err(tribunal::Error::from)?;
    }
    threads::make_for(&cli.verb)?;
    match cli.verb {
        Verb::Evaluate(args) => verbs::evaluate::run(&args),
        Verb::Study(args) => verbs::study::run(&args, files),
        Verb::Select(args) => verbs::select::run(&args, files),
        Verb::Monitor(args) => verbs::monitor::run(&args),
        Verb::Correct(args) => verbs::correct::run(&args),
        Verb::Demo(args) => verbs::demo::run(&args, files),
        Verb::Report(args) => verbs::report::run(&args),
        Verb::Describe(args) => verbs::describe::run(&args),
        Verb::Init(args) => verbs::init::run(&args),
        Verb::Cross(args) => verbs::cross::run(&args),
        Verb::Fit(args) => verbs::fit::run(&args),
        Verb::Score(args) => verbs::score::run(&args),
        Verb::Explain(args) => verbs::explain::run(&args),
        Verb::Generate(args) => verbs::generate::run(&args),
        Verb::Split(args) => verbs::split::run(&args),
        Verb::Bias(args) => verbs::bias::run(&args),
        Verb::Metrics(args) => verbs::metrics::run(&args),
        Verb::Learners(args) => verbs::learners::run(&args),
        Verb::Completions(args) => verbs::completions::run(&args),
        Verb::Man(args) => verbs::man::run(&args),
    }
}

/// Why a verb did not do its work.
pub(crate) struct Failure {
    message: String,
    code: u8,
}

impl Failure {
    /// The command line cannot be right.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self { message: message.into(), code: 2 }
    }

    /// The run failed.
    pub(crate) fn run(message: impl Into<String>) -> Self {
        Self { message: message.into(), code: 1 }
    }
}

impl From<tribunal::Error> for Failure {
    fn from(error: tribunal::Error) -> Self {
        let message = flags::said(&error.message());
        if error.kind().is_usage() { Self::usage(message) } else { Self::run(message) }
    }
}
