//! An interrupted run leaves no command from outside running, and none of its files behind.
//!
//! Commands lead process groups of their own so that they can be ended with all that they started; the price is that the
//! terminal does not interrupt them. So Tribunal does.

use std::path::Path;

use crate::Failure;
use crate::messages::{say, shown};

/// What a shell expects of a command that was interrupted.
const INTERRUPTED: i32 = 130;

/// From now on an interruption ends what runs outside, and then Tribunal.
pub(crate) fn watch() -> Result<(), Failure> {
    ctrlc::set_handler(|| {
        tribunal::end_outside_commands();
        std::process::exit(INTERRUPTED);
    })
    .map_err(unwatched)
}

/// The same for a study, which says how to go on.
pub(crate) fn watch_run(folder: &Path, quiet: bool) -> Result<(), Failure> {
    let folder = shown(folder);
    ctrlc::set_handler(move || {
        tribunal::end_outside_commands();
        if !quiet {
            say(&format!(
                "\ninterrupted; what is finished is kept in {folder}, and the same command goes on from there"
            ));
        }
        std::process::exit(INTERRUPTED);
    })
    .map_err(unwatched)
}

fn unwatched(error: ctrlc::Error) -> Failure {
    Failure::run(format!("interruptions cannot be watched for: {error}"))
}
