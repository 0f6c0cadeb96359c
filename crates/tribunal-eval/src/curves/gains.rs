//! The gains table: the list cut into equal parts, from the top.

use serde::{Deserialize, Serialize};

use crate::ranking::{Ranking, Split};
use crate::undefined::Undefined;

/// One part of the list - a decile, say - with the totals from the top down to its end. Ties at a border
/// are divided as if their order were random.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct GainsRow {
    /// Share of the list down to the end of this part.
    pub share: f64,
    /// Weight of the cases in this part.
    pub cases: f64,
    /// Weight of the positives in this part.
    pub positives: f64,
    /// Share of positives in this part.
    pub precision: f64,
    /// CPH: share of all positives found down to the end of this part.
    pub cph: f64,
    /// Lift down to the end of this part: CPH / share.
    pub lift: f64,
    /// Share of the positives' amount found down to the end of this part, where there are amounts.
    pub amount: Option<f64>,
}

/// Cuts the list into `n_parts` parts of equal weight.
///
/// ```
/// use tribunal_eval::{Ranking, ScoredSet, curves::gains_table};
///
/// let ranking = Ranking::of(&ScoredSet::new(&[true, true, false, false], &[0.9, 0.7, 0.6, 0.1])?)?;
/// let halves = gains_table(&ranking, 2)?;
/// assert_eq!((halves[0].cph, halves[0].lift, halves[1].precision), (1.0, 2.0, 0.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn gains_table(ranking: &Ranking, n_parts: usize) -> Result<Vec<GainsRow>, Undefined> {
    let totals = ranking.totals();
    if totals.total() <= 0.0 {
        return Err(Undefined::NoRows);
    }
    if totals.positive <= 0.0 {
        return Err(Undefined::NoPositives);
    }
    let worth = ranking.positives().amount;
    let mut above = Split::default();
    let mut rows = Vec::with_capacity(n_parts);
    for part in 1..=n_parts {
        let share = part as f64 / n_parts as f64;
        let through = ranking.top(share * totals.total());
        let (cases, positives) = (through.total() - above.total(), through.positive - above.positive);
        let cph = through.positive / totals.positive;
        let amount = (ranking.has_amounts() && worth != 0.0)
            .then(|| ranking.top_amount(share * totals.total()) / worth);
        rows.push(GainsRow {
            share,
            cases,
            positives,
            precision: positives / cases,
            cph,
            lift: cph / share,
            amount,
        });
        above = through;
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::tied;

    #[test]
    fn parts_add_up_and_ties_are_divided() {
        let rows = gains_table(&tied(), 10).expect("positives");
        assert!((rows.iter().map(|row| row.positives).sum::<f64>() - 5.0).abs() < 1e-12);
        // The block of three at 0.6 holds one positive: a third of it belongs to the fifth decile.
        assert!((rows[4].positives - 1.0 / 3.0).abs() < 1e-12 && (rows[4].cph - 0.666666667).abs() < 1e-9);
        assert_eq!((rows[9].cph, rows[9].lift, rows[9].amount), (1.0, 1.0, None));
    }
}
