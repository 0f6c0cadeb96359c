//! Profit over the length of the list: what acting on the top of it earns.

use serde::{Deserialize, Serialize};

use super::{Curve, CurveKind, Point};
use crate::ranking::{Ranking, Split};
use crate::undefined::Undefined;

/// What acting on a positive brings in.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Benefit {
    /// The same for each.
    Fixed(f64),
    /// The case's own amount.
    Amount,
}

/// The economics of acting on a case.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Payoff {
    /// Gained when the case is positive.
    pub benefit: Benefit,
    /// Spent on every case acted on.
    pub cost: f64,
}

impl Payoff {
    /// Profit of acting on cases of these weights whose positives are worth this amount.
    fn of(&self, acted_on: Split, amount: f64) -> f64 {
        let gained = match self.benefit {
            Benefit::Fixed(value) => value * acted_on.positive,
            Benefit::Amount => amount,
        };
        gained - self.cost * acted_on.total()
    }

    /// Profit of acting on the first `n_blocks` blocks of tied scores.
    fn after(&self, ranking: &Ranking, n_blocks: usize) -> f64 {
        self.of(ranking.through(n_blocks), ranking.amount_through(n_blocks))
    }

    fn usable(&self, ranking: &Ranking) -> Result<f64, Undefined> {
        let total = ranking.totals().total();
        if total <= 0.0 {
            Err(Undefined::NoRows)
        } else if self.benefit == Benefit::Amount && !ranking.has_amounts() {
            Err(Undefined::NoAmounts)
        } else {
            Ok(total)
        }
    }
}

/// The length of list that earns most.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct BestProfit {
    /// The profit there.
    pub profit: f64,
    /// Share of the list to act on.
    pub share: f64,
    /// Weight of the cases to act on.
    pub cases: f64,
    /// The lowest score to act on; `None` where acting on nobody is best.
    pub score: Option<f64>,
    /// Profit of acting on everybody.
    pub everybody: f64,
}

/// Profit after some blocks of tied scores, behind that of acting on nobody, which is zero.
/// [`Ranking::landmarks`] picks few blocks that show the curve well.
///
/// ```
/// use tribunal_eval::{Ranking, ScoredSet, curves::{Benefit, Payoff, profit_curve}};
///
/// let ranking = Ranking::of(&ScoredSet::new(&[true, false], &[0.9, 0.1])?)?;
/// let payoff = Payoff { benefit: Benefit::Fixed(10.0), cost: 6.0 };
/// let curve = profit_curve(&ranking, &payoff, &[0, 1])?;
/// assert_eq!(curve.points.iter().map(|p| p.y).collect::<Vec<_>>(), [0.0, 4.0, -2.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn profit_curve(ranking: &Ranking, payoff: &Payoff, blocks: &[usize]) -> Result<Curve, Undefined> {
    let total = payoff.usable(ranking)?;
    let point = |n: usize| Point { x: ranking.through(n).total() / total, y: payoff.after(ranking, n) };
    let ends = std::iter::once(0).chain(blocks.iter().map(|block| block + 1));
    Ok(Curve { kind: CurveKind::Profit, points: ends.map(point).collect() })
}

/// The most profitable cut; of equals the shortest list.
pub fn best_profit(ranking: &Ranking, payoff: &Payoff) -> Result<BestProfit, Undefined> {
    let total = payoff.usable(ranking)?;
    let (n, profit) = ranking.best_cut(|acted_on, amount| payoff.of(acted_on, amount));
    let cases = ranking.through(n).total();
    Ok(BestProfit {
        profit,
        share: cases / total,
        cases,
        score: n.checked_sub(1).map(|last| ranking.block(last).score),
        everybody: payoff.after(ranking, ranking.n_blocks()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::{ranked, table_5_6};
    use crate::scored_set::ScoredSet;

    #[test]
    fn golden_profit_at_block_ends() {
        let payoff = Payoff { benefit: Benefit::Fixed(10.0), cost: 6.0 };
        let blocks: Vec<usize> = (0..17).collect();
        let curve = profit_curve(&table_5_6(), &payoff, &blocks).expect("rows");
        let expected = [0, 4, 2, 6, 10, 14, 18, 16, 20, 14, 18, 22, 16, 20, 14, 18, 12, 16];
        assert!(curve.points.iter().map(|point| point.y).eq(expected.map(f64::from)));
        let best = best_profit(&table_5_6(), &payoff).expect("rows");
        assert_eq!((best.profit, best.cases, best.score, best.everybody), (22.0, 13.0, Some(0.73), 16.0));
    }

    #[test]
    fn amounts_pay_for_positives_only() {
        let truth = [true, false, true];
        let set = ScoredSet::new(&truth, &[0.9, 0.8, 0.1])
            .expect("valid")
            .with_amount(&[100.0, 500.0, 20.0])
            .expect("valid");
        let ranking = Ranking::of(&set).expect("few rows");
        let best = best_profit(&ranking, &Payoff { benefit: Benefit::Amount, cost: 30.0 }).expect("amounts");
        assert_eq!((best.profit, best.cases, best.everybody), (70.0, 1.0, 30.0));
    }

    #[test]
    fn without_amounts_there_is_no_answer() {
        let payoff = Payoff { benefit: Benefit::Amount, cost: 1.0 };
        assert_eq!(best_profit(&ranked("+", &[0.5]), &payoff), Err(Undefined::NoAmounts));
    }
}
