//! How much memory this process may still take: asked before something large is allocated, so that what cannot be done is
//! refused at once instead of being killed halfway.
//!
//! [`available_memory`] is the least of what the machine has available, what `ulimit -v` and `ulimit -d` leave, and what
//! the control groups of the process leave, ancestors included. [`require`] compares a need with it, and [`Growth`]
//! extrapolates the need of work that has begun.
//!
//! ```
//! use tribunal_memory::require;
//!
//! assert!(require(1 << 20).is_ok());
//! let shortage = require(u64::MAX).expect_err("nobody has that");
//! assert!(shortage.to_string().starts_with("18446744.1 TB are needed"), "{shortage}");
//! ```
//!
//! # What was rejected
//! - *Allocating and seeing whether it fails.* Linux promises more memory than there is, and kills whoever uses it.
//! - *Keeping account of what was promised to whom.* That is state of the whole process; whoever runs things side by side
//!   asks for all of them together.
//! - *`sysinfo` on Linux.* It knows neither `ulimit` nor the groups above that of the process, and files are few to read.

/// Its example is compiled with the others.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(target_os = "linux")]
mod control_groups;
mod growth;
#[cfg(target_os = "linux")]
mod linux;

use std::error::Error;
use std::fmt;

pub use growth::Growth;

/// Nobody is asked for less than this, in bytes: it is there, or nothing would run, and to find out takes a while.
const ALWAYS_THERE: u64 = 32 << 20;

/// Memory that may still be taken, and what sets its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Available {
    /// So many bytes; the most there can be if nobody tells.
    pub bytes: u64,
    /// What there would have to be more of.
    pub bound: Bound,
}

/// What sets the end of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// What the machine has available; pages of files that give way are counted.
    Machine,
    /// The address space of a process, `ulimit -v`.
    AddressSpace,
    /// The data of a process, `ulimit -d`.
    DataSize,
    /// A control group, that of the process or one above it.
    ControlGroup,
    /// The system does not tell.
    Unknown,
}

/// More is needed than there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shortage {
    /// Bytes.
    pub needed: u64,
    /// What there is of them.
    pub available: Available,
}

/// The memory that this process may still take. To find out takes a tenth of a millisecond.
pub fn available_memory() -> Available {
    bounds().into_iter().min_by_key(|available| available.bytes).unwrap_or(Available::UNKNOWN)
}

/// Whether so many bytes may still be taken.
///
/// # Errors
/// They may not: there is less memory, or a limit is set.
pub fn require(bytes: u64) -> Result<(), Shortage> {
    if bytes <= ALWAYS_THERE {
        return Ok(());
    }
    available_memory().require(bytes)
}

impl Available {
    /// No limit is known.
    pub const UNKNOWN: Available = Available { bytes: u64::MAX, bound: Bound::Unknown };

    /// Whether this holds so many bytes.
    ///
    /// # Errors
    /// It does not.
    pub fn require(self, bytes: u64) -> Result<(), Shortage> {
        if bytes <= self.bytes { Ok(()) } else { Err(Shortage { needed: bytes, available: self }) }
    }
}

#[cfg(target_os = "linux")]
fn bounds() -> Vec<Available> {
    linux::bounds(std::path::Path::new("/"))
}

#[cfg(not(target_os = "linux"))]
fn bounds() -> Vec<Available> {
    let Ok(mut system) = sysinfo::System::new() else { return Vec::new() };
    system.refresh_memory();
    let bytes = system.available_memory();
    if bytes > 0 { vec![Available { bytes, bound: Bound::Machine }] } else { Vec::new() }
}

impl fmt::Display for Available {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Size(self.bytes))?;
        f.write_str(match self.bound {
            Bound::Machine | Bound::Unknown => " are available",
            Bound::AddressSpace => " are left by ulimit -v",
            Bound::DataSize => " are left by ulimit -d",
            Bound::ControlGroup => " are left by the limit of the control group (container)",
        })
    }
}

impl fmt::Display for Shortage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} are needed, and {}", Size(self.needed), self.available)
    }
}

impl Error for Shortage {}

/// A number of bytes as people read it: `1.2 GB`, in powers of ten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(pub u64);

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.0 as f64;
        match bytes {
            _ if bytes >= 1e12 => write!(f, "{:.1} TB", bytes / 1e12),
            _ if bytes >= 1e9 => write!(f, "{:.1} GB", bytes / 1e9),
            _ => write!(f, "{:.1} MB", bytes / 1e6),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_of_this_machine_is_known_and_has_an_end() {
        assert!(require(1 << 20).is_ok());
        if cfg!(target_os = "linux") {
            let available = available_memory();
            assert!(available.bytes > 1 << 20 && available.bound != Bound::Unknown, "{available:?}");
            assert!(require(1 << 60).is_err());
        }
    }

    #[test]
    fn a_shortage_says_what_there_is_and_what_sets_its_end() {
        let check = |bound: Bound, expected: &str| {
            let shortage =
                Available { bytes: 1_200_000_000, bound }.require(4_800_000_000).expect_err("too much");
            assert_eq!(shortage.to_string(), format!("4.8 GB are needed, and 1.2 GB {expected}"));
        };
        check(Bound::Machine, "are available");
        check(Bound::AddressSpace, "are left by ulimit -v");
        check(Bound::DataSize, "are left by ulimit -d");
        check(Bound::ControlGroup, "are left by the limit of the control group (container)");
        assert!(Available { bytes: 5, bound: Bound::Machine }.require(5).is_ok());
        assert!(Available::UNKNOWN.require(u64::MAX).is_ok());
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(Size(64 << 20).to_string(), "67.1 MB");
        assert_eq!(Size(2_500_000_000_000).to_string(), "2.5 TB");
    }
}
