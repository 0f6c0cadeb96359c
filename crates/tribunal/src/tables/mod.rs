//! Tables divided or biased: read what decides, then copy the rows as they stand.

mod bias_table;
mod plan_table;

use crate::error::Error;
use crate::message::{Message, Setting};
use crate::resampling::LabelColumn;

pub use bias_table::{BiasRequest, BiasSummary, BiasedTable, ClassShift, bias_table};
pub use plan_table::{PlannedTable, SplitRequest, plan_table};

/// More classes than this are taken for a mistake: an amount or an id in the place of the target.
const MOST_CLASSES: usize = 1000;

/// A target has few classes.
fn check_classes(classes: &LabelColumn) -> Result<(), Error> {
    match classes.n_labels() {
        n if n > MOST_CLASSES => Err(Error::usage(
            Message::from(format!(
                "column \"{}\" has {n} classes; is it the column of the classes? ",
                classes.name()
            ))
            .text("Leave ")
            .setting(Setting::Target)
            .text(" out to do without them"),
        )),
        _ => Ok(()),
    }
}
