//! Learners from outside: any command that can fit and score takes part like a learner that is built in.
//!
//! An [`OutsideLearner`] is written `outside:COMMAND`, for example `outside:python3 my_learner.py --depth 3`, with settings
//! in brackets where they are not the usual ones: `outside[timeout=600,format=arrow]:COMMAND`. The command is split into
//! words like a shell splits them and started as it is; no shell sees it, so there are no pipes and no variables in it.
//!
//! # The protocol
//!
//! The command is started in the current folder with one of these behind its own words:
//!
//! | call | what it does |
//! | --- | --- |
//! | `COMMAND fit TRAIN MODEL` | learns from the table TRAIN and writes whatever it needs to the file MODEL |
//! | `COMMAND score MODEL ROWS SCORES` | scores the table ROWS with that file and writes the table SCORES |
//! | `COMMAND explain MODEL` | optional: what it prints is shown by `tribunal explain` |
//!
//! - **TRAIN** is a CSV file in UTF-8 with a header (`format=arrow`: an Arrow IPC file, as Feather is). The predictors come
//!   first, under their names: levels as text, numbers as numbers, flags as 0 and 1, nothing where a value is missing. Then
//!   the class, as text, under the name of the target; then, where rows have weights, a column `weight`. Where a predictor
//!   has one of these names already, an underscore is added; the job says how the columns are called.
//! - **ROWS** has the predictors only.
//! - **SCORES** is a CSV file with a header and one line for every row, in the same order: a column `score` with the
//!   probability of the positive class, or one column for every class under its name, which add up to 1 (to 1e-4). Other
//!   columns are passed over. Of more than two classes there must be one column each.
//! - **The job** is a JSON file whose path is in the environment variable `TRIBUNAL_JOB`: `schema` (`tribunal.outside/1`),
//!   `step`, `seed`, `target`, `classes` (the positive one of two last), `weight` (null if there is none), `columns`
//!   (each with `name`, `kind` - `numeric`, `flag`, `categorical` or `ordered` - and `levels`), `n_rows`, `format` and the
//!   paths `train`, `model`, `rows`, `scores` of the step.
//! - **The seed** is a whole number from 0 to 2³¹ - 1, also in `TRIBUNAL_SEED`. A command that draws random numbers should
//!   draw them from it: the same seed should give the same scores, and a cross-validation warns where it does not.
//!
//! Exit code 0 means that a step succeeded; of any other the last lines of the standard error are shown. Standard output is
//! read by `explain` only, standard input is empty. A step that takes longer than `timeout` seconds (3600) is stopped.
//! Whatever the command leaves running when it ends is stopped too, and all files but the model are removed.

mod base64_text;
mod command;
mod job;
mod job_folder;
mod learner;
mod model;
mod permission;
mod process_group;
mod running;
mod scores;
mod table;

pub use learner::{Exchange, OutsideLearner};
pub(crate) use learner::{FORM, NAME};
pub use model::OutsideModel;
pub(crate) use permission::permit;
pub use running::end_outside_commands;

#[cfg(test)]
pub(crate) mod testing;
