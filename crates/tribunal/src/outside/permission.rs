//! A command that stands in a file is run only when the user says so: a file from anywhere may name any command.

use super::learner::OutsideLearner;
use crate::error::Error;
use crate::message::{Message, Setting};

/// Fails if a file names commands and the user did not allow them to be run.
pub(crate) fn permit<'a>(
    file: &str,
    commands: impl IntoIterator<Item = &'a OutsideLearner>,
    may_run_command: bool,
) -> Result<(), Error> {
    let commands: Vec<&str> = commands.into_iter().map(OutsideLearner::command).collect();
    let (what, them) = match commands.len() {
        0 => return Ok(()),
        _ if may_run_command => return Ok(()),
        1 => ("a command", "it"),
        _ => ("commands", "them"),
    };
    let commands = commands.join("; ");
    let message = format!("{file} names {what} that would be run: {commands}; if you trust {them}, add ");
    Err(Error::usage(Message::from(message).setting(Setting::RunCommand)))
}
