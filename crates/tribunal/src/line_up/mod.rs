//! A line-up: learners that meet the same rows, and that survives those that fail.
//!
//! An [`Entrant`] is a learner that is built in or a command from outside. [`cross_validate`] has each of them score the
//! test rows of every split of a plan; whoever fails on a split - by an error, a crash, a panic - has the reason recorded
//! for it, and the others go on. [`cross_validate_trials`] does so for several targets of the same rows, [`cross_table`] for the
//! rows of a table, whose held-out scores it writes in the form that `tribunal evaluate` reads.

mod attempt;
mod costs;
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
pub use summary::{CrossSummary, EntrantSummary, FailedSplits};
pub use table::{CrossRequest, CrossTable, cross_table};
pub use trial::Trial;
pub use trials::{Found, cross_validate_trials};

pub(crate) use attempt::attempt;
pub(crate) use costs::about_costs;
pub(crate) use held_out::split_names;
pub(crate) use summary::{counted, failed_splits};
pub(crate) use table::{check_entrants, no_target};
pub(crate) use trial::tested_rows;
