//! The rows of a question as they are where positives are rarer or more frequent.
//!
//! Within each class the scores stay as they are, and every positive and every negative counts more or less, so that the weight of all
//! cases stays the same (Elkan 2001). A rule that decides case by case goes by probabilities, whose odds shift likewise (Saerens, Latinne
//! and Decaestecker 2002).

use tribunal_eval::Error as Refused;
use tribunal_eval::base_rate::OddsShift;

use super::table::ModelRows;

/// Weights and scores of the rows of each model at another base rate.
pub(super) struct AtBaseRate {
    /// Nothing where the rows are those of the first model.
    weights: Vec<Vec<f64>>,
    /// Nothing where scores stay as they are.
    scores: Vec<Vec<f64>>,
}

impl AtBaseRate {
    /// # Errors
    /// A class is absent, or the base rate is not between 0 and 1.
    pub(super) fn of(
        rows: &[ModelRows<'_>],
        base_rate: f64,
        goes_by_probabilities: bool,
    ) -> Result<Self, Refused> {
        let (mut weights, mut scores) = (Vec::new(), Vec::new());
        for (model, own) in rows.iter().enumerate() {
            let (weight, shift) = shifted_weights(own, base_rate)?;
            let is_shared = model > 0 && std::ptr::eq(own.cases, rows[0].cases);
            weights.push(if is_shared { Vec::new() } else { weight });
            // What is no probability is left as it is, to be refused with its own value.
            let shifted = |p: &f64| if (0.0..=1.0).contains(p) { shift.of(*p) } else { *p };
            scores.push(if goes_by_probabilities {
                own.score.iter().map(shifted).collect()
            } else {
                Vec::new()
            });
        }
        Ok(Self { weights, scores })
    }

    /// The rows at this base rate.
    pub(super) fn rows<'a>(&'a self, rows: Vec<ModelRows<'a>>) -> Vec<ModelRows<'a>> {
        let at = |(model, rows): (usize, ModelRows<'a>)| {
            let own = &self.weights[model];
            let weight = if own.is_empty() { &self.weights[0] } else { own };
            let score = if self.scores[model].is_empty() { rows.score } else { &self.scores[model] };
            rows.reweighted(weight, score)
        };
        rows.into_iter().enumerate().map(at).collect()
    }
}

/// The weights of the rows where positives are so frequent, and what happens to odds.
fn shifted_weights(rows: &ModelRows<'_>, base_rate: f64) -> Result<(Vec<f64>, OddsShift), Refused> {
    let truth = &rows.cases.truth;
    let weight = |row: usize| rows.weight().map_or(1.0, |weight| weight[row]);
    let (mut positive, mut total) = (0.0, 0.0);
    for (row, &is_positive) in truth.iter().enumerate() {
        total += weight(row);
        positive += if is_positive { weight(row) } else { 0.0 };
    }
    let own = positive / total;
    let shift = OddsShift::between(own, base_rate)?;
    let factors = [(1.0 - base_rate) / (1.0 - own), base_rate / own];
    let shifted = |(row, &is_positive): (usize, &bool)| factors[usize::from(is_positive)] * weight(row);
    Ok((truth.iter().enumerate().map(shifted).collect(), shift))
}
