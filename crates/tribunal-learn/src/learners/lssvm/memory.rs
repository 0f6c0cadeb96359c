//! Whether there is memory for the kernel of all rows, asked before any of it is taken.

use sysinfo::{ProcessRefreshKind, ProcessesToUpdate, System, get_current_pid};

use crate::error::{Error, ErrorKind};

/// So many kernel matrices a fit takes, with all that it needs besides.
const PER_FIT: f64 = 1.5;

/// Nobody is asked for less than this.
const ALWAYS_THERE: f64 = (64 << 20) as f64;

/// The memory that may be used.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Memory {
    /// A limit in bytes; `None` for what the machine has left.
    pub(super) limit: Option<u64>,
}

impl Memory {
    /// Refuses a fit for which the memory does not suffice.
    ///
    /// # Errors
    /// There are more rows than fit.
    pub(super) fn check(self, n_rows: usize) -> Result<(), Error> {
        if self.holds(n_rows, PER_FIT) {
            return Ok(());
        }
        let free = self.free().unwrap_or(f64::INFINITY);
        let most = (free / (PER_FIT * size_of::<f64>() as f64)).sqrt();
        let gigabytes = bytes(n_rows, PER_FIT) / 1e9;
        let problem = format!(
            "the kernel of {n_rows} rows takes {gigabytes:.1} GB, and {:.1} GB are free: {} rows fit",
            free / 1e9,
            most as u64
        );
        Err(Error::new(ErrorKind::TooLarge, problem)
            .advise("train on a sample, or take lssvm:linear, which needs no kernel of rows"))
    }

    /// Whether so many matrices of the kernel of rows fit.
    pub(super) fn holds(self, n_rows: usize, n_matrices: f64) -> bool {
        let need = bytes(n_rows, n_matrices);
        (self.limit.is_none() && need <= ALWAYS_THERE) || self.free().is_none_or(|free| need <= free)
    }

    fn free(self) -> Option<f64> {
        self.limit.or_else(free_memory).map(|bytes| bytes as f64)
    }
}

fn bytes(n_rows: usize, n_matrices: f64) -> f64 {
    n_matrices * (n_rows as f64).powi(2) * size_of::<f64>() as f64
}

/// What the machine has left, and the control group of this process; `None` where nobody tells.
fn free_memory() -> Option<u64> {
    let mut system = System::new().ok()?;
    system.refresh_memory();
    let pid = get_current_pid().ok()?;
    let this = ProcessesToUpdate::Some(&[pid]);
    system.refresh_processes_specifics(this, false, ProcessRefreshKind::nothing());
    let limits = system.process(pid).and_then(|process| process.cgroup_limits()).or(system.cgroup_limits());
    // What the group keeps of files gives way.
    let of_group = limits.map(|limits| limits.total_memory.saturating_sub(limits.rss));
    let of_machine = Some(system.available_memory()).filter(|&bytes| bytes > 0);
    of_group.into_iter().chain(of_machine).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_says_how_many_rows_fit() {
        let memory = Memory { limit: Some(1_200_000_000) };
        assert!(memory.check(10_000).is_ok());
        let error = memory.check(20_000).expect_err("too many rows");
        assert_eq!(error.kind(), ErrorKind::TooLarge);
        let expected =
            "the kernel of 20000 rows takes 4.8 GB, and 1.2 GB are free: 10000 rows fit; train on a sample";
        assert!(error.to_string().starts_with(expected), "{error}");
    }

    #[test]
    fn the_memory_of_this_machine_is_known_and_has_an_end() {
        let memory = Memory::default();
        assert!(memory.check(1_000).is_ok());
        if cfg!(target_os = "linux") {
            assert!(free_memory().is_some_and(|bytes| bytes > 1 << 20));
            assert!(memory.check(100_000_000).is_err());
        }
    }
}
