//! A command with all that it starts, as one group of processes that is ended together.
//!
//! The end of a command is noticed before its number is given back to the system, so that the number still belongs to the
//! group when the group is ended. Where the system knows no such groups, the command alone is ended.

#[cfg(unix)]
mod of_system {
    use std::io;
    use std::os::unix::process::{CommandExt, ExitStatusExt};
    use std::process::{Child, Command, ExitStatus};

    use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

    /// Has the command lead a group of its own.
    pub(in super::super) fn lead(command: &mut Command) {
        command.process_group(0);
    }

    /// Whether a command has ended; it is not reaped.
    pub(in super::super) fn has_ended(child: &mut Child) -> io::Result<bool> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        Ok(waitid(WaitId::Pid(Pid::from_child(child)), options)?.is_some())
    }

    /// Ends whatever is left of a command that has not been reaped.
    pub(in super::super) fn end(child: &mut Child) {
        end_group(child.id());
    }

    /// Ends the group that a command leads. One that is gone needs no ending.
    pub(in super::super) fn end_group(leader: u32) {
        if let Some(leader) = i32::try_from(leader).ok().and_then(Pid::from_raw) {
            let _ = kill_process_group(leader, Signal::KILL);
        }
    }

    /// The signal that ended a command.
    pub(in super::super) fn signal(status: ExitStatus) -> Option<i32> {
        status.signal()
    }
}

#[cfg(not(unix))]
mod of_system {
    use std::io;
    use std::process::{Child, Command, ExitStatus};

    pub(in super::super) fn lead(_: &mut Command) {}

    pub(in super::super) fn has_ended(child: &mut Child) -> io::Result<bool> {
        Ok(child.try_wait()?.is_some())
    }

    pub(in super::super) fn end(child: &mut Child) {
        let _ = child.kill();
    }

    pub(in super::super) fn end_group(_: u32) {}

    pub(in super::super) fn signal(_: ExitStatus) -> Option<i32> {
        None
    }
}

pub(super) use of_system::{end, end_group, has_ended, lead, signal};
