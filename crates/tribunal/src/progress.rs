//! How far the work has come, for whoever waits.

/// A step of the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Progress {
    /// Rows are being read.
    Reading(tribunal_io::Progress),
    /// Cases are being drawn again.
    Drawing {
        /// Replicates done.
        done: u64,
        /// Replicates in all.
        total: u64,
    },
    /// A learner has begun to learn; how long that takes nobody knows.
    Fitting {
        /// Rows that it learns from.
        rows: u64,
    },
    /// Entrants of a line-up are being tried on the splits of a plan.
    Crossing {
        /// Which of them it is, from one.
        entrant: u64,
        /// How many there are.
        entrants: u64,
        /// Splits done by it.
        done: u64,
        /// Splits in all.
        total: u64,
    },
    /// A study is at work. What is done and what is to be done are weighed by how long learners take.
    Studying {
        /// The learner that is at work, by its place.
        learner: u64,
        /// Work done.
        done: u64,
        /// Work in all.
        total: u64,
    },
    /// Claims are being made.
    Generating {
        /// Claims done; each is drawn, and then handed out.
        done: u64,
        /// Twice the claims in all.
        total: u64,
    },
}

/// Whom to tell.
pub type OnProgress<'a> = &'a (dyn Fn(Progress) + Sync);
