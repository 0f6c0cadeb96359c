//! A function of the score that is constant between edges: what bins and isotonic regression come to.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::pool::Pool;

/// Values with the edges between them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Steps {
    /// Where one step ends and the next begins; a score on the edge belongs to the upper one.
    edges: Vec<f64>,
    values: Vec<f64>,
}

impl Steps {
    /// A step for each pool, as high as its share of positives; edges lie halfway between the scores of neighbours.
    pub(crate) fn of(pools: &[Pool]) -> Self {
        Steps {
            edges: pools.windows(2).map(|pair| pair[0].most.midpoint(pair[1].least)).collect(),
            values: pools.iter().map(Pool::share).collect(),
        }
    }

    /// What a score is worth; what it says itself where there are no steps.
    pub(crate) fn value(&self, score: f64) -> f64 {
        let step = self.edges.partition_point(|&edge| edge <= score);
        self.values.get(step).copied().unwrap_or(score)
    }

    /// The lower edge of each step, the first open, with its value.
    fn steps(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        std::iter::once(f64::NEG_INFINITY).chain(self.edges.iter().copied()).zip(self.values.iter().copied())
    }

    /// Whether these can be steps: probabilities with sorted edges between them.
    pub(crate) fn is_sound(&self) -> bool {
        self.edges.len() + 1 == self.values.len()
            && self.edges.is_sorted()
            && self.edges.iter().all(|edge| edge.is_finite())
            && self.values.iter().all(|value| (0.0..=1.0).contains(value))
    }

    /// Whether no step leads down.
    pub(crate) fn never_falls(&self) -> bool {
        self.values.is_sorted()
    }

    #[cfg(test)]
    pub(crate) fn edges(&self) -> &[f64] {
        &self.edges
    }

    #[cfg(test)]
    pub(crate) fn values(&self) -> &[f64] {
        &self.values
    }
}

impl fmt::Display for Steps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (edge, value) in self.steps() {
            let from = if edge.is_finite() { format!("from {edge:.6}") } else { "below".to_owned() };
            writeln!(f, "  {from:<28}{value:>14.6}")?;
        }
        Ok(())
    }
}
