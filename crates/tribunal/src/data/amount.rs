//! A column of amounts: a number in every row, or none.

use tribunal_learn::{Amounts, Values};

use super::target::FoundTarget;
use super::typed::TypedColumn;
use crate::error::Error;
use crate::message::{Message, Setting};

/// Refuses amounts that classes are made of: such a column is read as its classes.
pub(super) fn check(amount: Option<&str>, targets: &[FoundTarget]) -> Result<(), Error> {
    match amount.filter(|name| targets.iter().any(|target| target.column == *name)) {
        None => Ok(()),
        Some(name) => Err(Error::usage(
            Message::from(format!("the target is made of \"{name}\", the column of the amounts; leave "))
                .setting(Setting::Target)
                .text(" out: without it every row with an amount above zero counts"),
        )),
    }
}

/// The amount of each row.
pub(super) fn amounts(column: &TypedColumn) -> Result<Amounts, Error> {
    let name = column.column.name();
    if let Some(stray) = column.strays.first() {
        let (place, text) = (&stray.place, &stray.text);
        let message = format!(
            "{place}, column \"{name}\": the amount \"{text}\" is not a finite number; correct it, or count it as missing ("
        );
        return Err(Error::data(Message::from(message).set(Setting::MissingText, text).text(")")));
    }
    match column.column.values() {
        Values::Numbers(amounts) => Ok(Amounts::new(name, amounts.clone())?),
        Values::Codes(_) => {
            Err(Error::data(format!("column \"{name}\" holds no numbers, so it holds no amounts")))
        }
    }
}
