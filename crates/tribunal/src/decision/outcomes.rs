//! What the four outcomes of a case bring in.

use serde::{Deserialize, Serialize};

use super::expression::Expression;

/// The benefit of each outcome of a case, a cost being a negative one: constants, columns or formulas over columns. The name
/// `amount` stands for the column of amounts where there is one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Outcomes {
    /// A positive is acted on.
    pub hit: Expression,
    /// A negative is acted on.
    pub false_alarm: Expression,
    /// A positive is left.
    pub miss: Expression,
    /// A negative is left.
    pub correct_rejection: Expression,
}

impl Outcomes {
    /// The four, in that order.
    pub(crate) fn all(&self) -> [&Expression; 4] {
        [&self.hit, &self.false_alarm, &self.miss, &self.correct_rejection]
    }

    /// The columns that they look at, each once.
    pub fn columns(&self) -> Vec<&str> {
        let mut columns: Vec<&str> = Vec::new();
        for column in self.all().into_iter().flat_map(Expression::columns) {
            if !columns.contains(&column.as_str()) {
                columns.push(column);
            }
        }
        columns
    }

    /// The benefits where none looks at a column, in the order of the fields.
    pub fn constants(&self) -> Option<[f64; 4]> {
        let [hit, false_alarm, miss, correct_rejection] = self.all().map(Expression::constant);
        Some([hit?, false_alarm?, miss?, correct_rejection?])
    }
}
