//! A line-up: learners that meet the same rows, and that survives those that fail.
//!
//! An [`Entrant`] is a learner that is built in or a command from outside. [`cross_validate`] has each of them score the
//! test rows of every split of a plan; whoever fails on a split - by an error, a crash, a panic - has the reason recorded
//! for it, and the others go on. [`cross_validate_trials`] does so for several targets of the same rows. [`cross_table`] does so for the rows of a table and writes the held-out scores in the form
//! that `tribunal evaluate` reads.

mod attempt;
mod cross;
mod entrant;
mod groups;
mod held_out;
mod scores;
mod summary;
mod table;
mod trial;
mod trials;

pub use cross::cross_validate;
pub use entrant::Entrant;
pub use scores::{EntrantScores, LineUpScores, Outcome, SplitScores, TestedRows};
pub use summary::{CROSS_SCHEMA, CrossSummary, EntrantSummary, FailedSplits};
pub use table::{CrossRequest, CrossTable, cross_table};
pub use trial::Trial;
pub use trials::{Found, cross_validate_trials};
