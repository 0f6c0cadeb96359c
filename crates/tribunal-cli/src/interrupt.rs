//! An interrupted run leaves no command from outside running, and none of its files behind.
//!
//! Commands lead process groups of their own so that they can be ended with all that they started; the price is that the
//! terminal does not interrupt them. So Tribunal does.

use crate::Failure;

/// What a shell expects of a command that was interrupted.
const INTERRUPTED: i32 = 130;

/// From now on an interruption ends what runs outside, and then Tribunal.
pub(crate) fn watch() -> Result<(), Failure> {
    ctrlc::set_handler(|| {
        tribunal::end_outside_commands();
        std::process::exit(INTERRUPTED);
    })
    .map_err(|error| Failure::run(format!("interruptions cannot be watched for: {error}")))
}
