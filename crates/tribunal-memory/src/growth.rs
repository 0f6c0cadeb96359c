//! Work that takes more memory with every step: whether it will fit is told long before it ends.

use crate::{Shortage, require};

/// The first look is after this share of the work, when everything that work needs at any rate has been taken.
const WARM_UP: u64 = 16;

/// Extrapolates the memory of this process while work goes on, such as reading a table that is kept.
///
/// Memory is looked at after a sixteenth of the work and each time twice as much is done. What was taken since the last look
/// is extrapolated to the rest of the work, so that a table that cannot be kept is refused after an eighth of it, not
/// when the process is killed. Where the system does not tell what the process uses, nothing is refused.
///
/// ```
/// use tribunal_memory::Growth;
///
/// let mut growth = Growth::default();
/// let n_rows = 1_000;
/// let mut kept: Vec<u64> = Vec::new();
/// for row in 0..n_rows {
///     kept.push(row);
///     growth.check(row + 1, n_rows)?;
/// }
/// # Ok::<(), tribunal_memory::Shortage>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Growth {
    last: Option<Look>,
}

/// What was done, and what the process used then.
#[derive(Clone, Copy, Debug)]
struct Look {
    done: u64,
    used: u64,
}

impl Growth {
    /// Whether the rest of the work will fit, with `done` of `total` done.
    ///
    /// # Errors
    /// If it takes memory as it did so far, it will not.
    pub fn check(&mut self, done: u64, total: u64) -> Result<(), Shortage> {
        let next = self.last.map_or(total.div_ceil(WARM_UP), |look| 2 * look.done);
        if done == 0 || done < next {
            return Ok(());
        }
        require(self.look(Look { done, used: used_memory() }, total))
    }

    /// The bytes that the rest of the work is going to take.
    fn look(&mut self, now: Look, total: u64) -> u64 {
        let Some(before) = self.last.replace(now) else { return 0 };
        let taken = now.used.saturating_sub(before.used) as f64;
        let rest = total.saturating_sub(now.done) as f64 / (now.done - before.done) as f64;
        (taken * rest) as u64
    }
}

/// The memory of this process that is in use (resident); nothing where the system does not tell.
fn used_memory() -> u64 {
    #[cfg(target_os = "linux")]
    let used = crate::linux::used(std::path::Path::new("/"));
    #[cfg(not(target_os = "linux"))]
    let used = 0;
    used
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_takes_what_the_last_stretch_took() {
        let mut growth = Growth::default();
        let mut look = |done, used| growth.look(Look { done, used }, 1600);
        // Before the first look nothing is known: what was taken until then is not in proportion.
        assert_eq!(look(100, 5000), 0);
        assert_eq!(look(200, 6000), 14_000);
        // A process that gives memory back needs none.
        assert_eq!(look(400, 5500), 0);
        assert_eq!(look(1600, 9000), 0);
    }

    #[test]
    fn looks_are_few() {
        let mut growth = Growth::default();
        let mut n_looks = 0;
        for done in 0..=100_000 {
            let before = growth.last.map(|look| look.done);
            growth.check(done, 100_000).expect("there is memory for nothing");
            n_looks += u32::from(growth.last.map(|look| look.done) != before);
        }
        assert_eq!(n_looks, 5);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn what_this_process_uses_is_known() {
        let before = used_memory();
        let pages = vec![1_u8; 64 << 20];
        let taken = used_memory().saturating_sub(before);
        assert!(before > 1 << 20 && taken > 48 << 20, "{before} {taken} {}", pages.len());
    }
}
