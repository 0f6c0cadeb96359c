//! What the four outcomes of a case bring in.

use serde::{Deserialize, Serialize};
use tribunal_eval::decisions::BenefitMatrix;

use super::expression::{Expression, ExpressionError};

/// The benefit of each outcome of a case, a cost being a negative one: numbers, columns or formulas over columns. The name
/// `amount` stands for the column of amounts where there is one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Outcomes {
    /// Acting on a positive.
    pub hit: Expression,
    /// Acting on a negative.
    pub false_positive: Expression,
    /// Leaving a positive alone.
    pub false_negative: Expression,
    /// Leaving a negative alone.
    pub correct_rejection: Expression,
}

/// Costs and benefits as people state them; what is not named is zero.
#[derive(Clone, Copy, Debug, Default)]
pub struct Costs<'a> {
    /// What acting on a positive brings in.
    pub hit: Option<&'a Expression>,
    /// What leaving a negative alone brings in.
    pub correct_rejection: Option<&'a Expression>,
    /// What acting on a negative costs.
    pub false_positive: Option<&'a Expression>,
    /// What leaving a positive alone costs.
    pub false_negative: Option<&'a Expression>,
    /// What acting on any case costs, beside all that.
    pub action: Option<&'a Expression>,
}

impl Costs<'_> {
    /// Whether any is stated.
    pub fn is_stated(&self) -> bool {
        let stated =
            [self.hit, self.correct_rejection, self.false_positive, self.false_negative, self.action];
        stated.iter().any(Option::is_some)
    }
}

impl Outcomes {
    /// From costs and benefits as people state them.
    ///
    /// # Errors
    /// Formulas are too long when they are put together.
    pub fn of_costs(costs: &Costs<'_>) -> Result<Self, ExpressionError> {
        let zero = Expression::of_number(0.0);
        let less = |benefit: Option<&Expression>, costs: &[Option<&Expression>]| {
            let benefit = benefit.unwrap_or(&zero).clone();
            costs.iter().flatten().try_fold(benefit, |left, cost| left.less(cost))
        };
        Ok(Self {
            hit: less(costs.hit, &[costs.action])?,
            false_positive: less(None, &[costs.false_positive, costs.action])?,
            false_negative: less(None, &[costs.false_negative])?,
            correct_rejection: less(costs.correct_rejection, &[])?,
        })
    }

    /// Outcomes of which the last two bring in nothing.
    pub fn of_acting(hit: Expression, false_positive: Expression) -> Self {
        let nothing = || Expression::of_number(0.0);
        Self { hit, false_positive, false_negative: nothing(), correct_rejection: nothing() }
    }

    /// The four, in the order of the fields.
    pub(crate) fn cells(&self) -> [&Expression; 4] {
        [&self.hit, &self.false_positive, &self.false_negative, &self.correct_rejection]
    }

    /// The columns that they look at, each once.
    pub fn columns(&self) -> Vec<&str> {
        let mut columns: Vec<&str> = Vec::new();
        for column in self.cells().into_iter().flat_map(Expression::columns) {
            if !columns.contains(&column.as_str()) {
                columns.push(column);
            }
        }
        columns
    }

    /// The benefits where none looks at a column.
    pub fn matrix(&self) -> Option<BenefitMatrix> {
        let [hit, false_positive, false_negative, correct_rejection] = self.cells().map(Expression::constant);
        Some(BenefitMatrix {
            hit: hit?,
            false_positive: false_positive?,
            false_negative: false_negative?,
            correct_rejection: correct_rejection?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_negative_benefits_and_acting_costs_on_both_classes() {
        let formula = |text: &str| text.parse::<Expression>().expect(text);
        let (gain, false_alarm, letter) = (formula("amount"), formula("2"), formula("0.5"));
        let costs = Costs {
            hit: Some(&gain),
            false_positive: Some(&false_alarm),
            action: Some(&letter),
            ..Costs::default()
        };
        let outcomes = Outcomes::of_costs(&costs).expect("short formulas");
        assert_eq!((outcomes.hit.to_string(), outcomes.hit.value(&[20.0])), ("amount - 0.5".into(), 19.5));
        assert_eq!(outcomes.cells().map(Expression::constant), [None, Some(-2.5), Some(0.0), Some(0.0)]);
        assert_eq!((outcomes.columns(), outcomes.matrix()), (vec!["amount"], None));
    }
}
