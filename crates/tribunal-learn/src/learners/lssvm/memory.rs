//! Whether there is memory for the kernel of all rows, asked before any of it is taken.

use tribunal_memory::{Available, Shortage, Size, available_memory};

use crate::error::{Error, ErrorKind};

/// So many kernel matrices a fit takes, with all that it needs besides.
const PER_FIT: f64 = 1.5;

/// Nobody is asked for less than this.
const ALWAYS_THERE: f64 = (64 << 20) as f64;

/// The memory that may be used.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Memory {
    /// A limit; `None` for what this process may still take.
    pub(super) limit: Option<Available>,
}

impl Memory {
    /// Refuses a fit for which the memory does not suffice.
    ///
    /// # Errors
    /// There are more rows than fit.
    pub(super) fn check(self, n_rows: usize) -> Result<(), Error> {
        if self.limit.is_none() && bytes(n_rows, PER_FIT) <= ALWAYS_THERE {
            return Ok(());
        }
        self.available().require(fit_bytes(n_rows)).map_err(|shortage| too_many(n_rows, &shortage))
    }

    /// Whether so many matrices of the kernel of rows fit, beside those of other threads that do the same.
    pub(super) fn holds(self, n_rows: usize, n_matrices: f64) -> bool {
        let n_beside = if rayon::current_thread_index().is_some() { rayon::current_num_threads() } else { 1 };
        let need = bytes(n_rows, n_matrices) * n_beside as f64;
        (self.limit.is_none() && need <= ALWAYS_THERE) || need <= self.available().bytes as f64
    }

    fn available(self) -> Available {
        self.limit.unwrap_or_else(available_memory)
    }
}

/// What a fit of so many rows takes.
pub(super) fn fit_bytes(n_rows: usize) -> u64 {
    bytes(n_rows, PER_FIT) as u64
}

fn bytes(n_rows: usize, n_matrices: f64) -> f64 {
    n_matrices * (n_rows as f64).powi(2) * size_of::<f64>() as f64
}

fn too_many(n_rows: usize, &Shortage { needed, available }: &Shortage) -> Error {
    let most = (available.bytes as f64 / (PER_FIT * size_of::<f64>() as f64)).sqrt();
    let problem = format!(
        "the kernel of {n_rows} rows takes {}, and {available}: {} rows fit",
        Size(needed),
        most as u64
    );
    Error::new(ErrorKind::TooLarge, problem).advise(
        "train on a sample of the rows, or take svm:rbf or lssvm:linear, which need no kernel of all rows at once",
    )
}

#[cfg(test)]
mod tests {
    use tribunal_memory::Bound;

    use super::*;

    #[test]
    fn a_refusal_says_how_many_rows_fit() {
        let limit = Available { bytes: 1_200_000_000, bound: Bound::AddressSpace };
        let memory = Memory { limit: Some(limit) };
        assert!(memory.check(10_000).is_ok());
        let error = memory.check(20_000).expect_err("too many rows");
        assert_eq!(error.kind(), ErrorKind::TooLarge);
        let expected = "the kernel of 20000 rows takes 4.8 GB, and 1.2 GB are left by ulimit -v: 10000 rows fit; train on";
        assert!(error.to_string().starts_with(expected), "{error}");
    }

    #[test]
    fn the_memory_of_this_machine_is_known_and_has_an_end() {
        let memory = Memory::default();
        assert!(memory.check(1_000).is_ok());
        if cfg!(target_os = "linux") {
            assert!(memory.check(100_000_000).is_err());
        }
    }
}
