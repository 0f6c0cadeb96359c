//! The commands that are running and the folders they use, so that nothing of them is left when Tribunal is interrupted.
//!
//! A signal belongs to the process and not to a call, so this list does too.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::process_group;

static RUNNING: Mutex<Running> = Mutex::new(Running { leaders: Vec::new(), folders: Vec::new() });

struct Running {
    /// Each leads the group of its own number.
    leaders: Vec<u32>,
    folders: Vec<PathBuf>,
}

fn running() -> MutexGuard<'static, Running> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a command; at no moment is it running and not listed.
pub(super) fn start(command: &mut Command) -> io::Result<Child> {
    let mut running = running();
    let child = command.spawn()?;
    running.leaders.push(child.id());
    Ok(child)
}

/// A command is about to be reaped, and its number will be given to others.
pub(super) fn forget(child: &Child) {
    running().leaders.retain(|&leader| leader != child.id());
}

pub(super) fn keep_folder(folder: &Path) {
    running().folders.push(folder.to_owned());
}

pub(super) fn forget_folder(folder: &Path) {
    running().folders.retain(|kept| kept != folder);
}

/// Ends every command from outside with all that it started and removes what it was working on, for a program that is
/// about to exit. No command is started or waited for any more: whoever tries does not return.
pub fn end_outside_commands() {
    let running = running();
    running.leaders.iter().for_each(|&leader| process_group::end_group(leader));
    running.folders.iter().for_each(|folder| drop(std::fs::remove_dir_all(folder)));
    // Who waits for a command must not take its end for a failure and go on.
    std::mem::forget(running);
}
