//! Why a row gets the amount it gets: what each column adds to the amount of the mean row.

use super::AmountModel;
use crate::dataset::Dataset;
use crate::encoding::Shown;
use crate::error::Error;
use crate::explanation::Contribution;
use crate::names::{ColumnNames, column_names};

/// The amount of a row, and how it comes about; start and changes add up to it.
#[derive(Clone, Debug, PartialEq)]
pub struct AmountExplanation {
    /// The amount.
    pub amount: f64,
    /// The amount of a row that is the mean of those that were learned from.
    pub start: f64,
    /// What each column changes, the most first. Last comes the floor, where the amount is raised to it.
    pub items: Vec<Contribution>,
}

impl AmountModel {
    /// Why a row gets the amount it gets.
    ///
    /// # Errors
    /// As [`predict`](AmountModel::predict).
    pub fn explain(&self, dataset: &Dataset, row: u32) -> Result<AmountExplanation, Error> {
        dataset.check_aligned(&self.inputs)?;
        let matrix = self.encoder.encode(dataset, &[row])?;
        let names = column_names(&self.inputs, self.encoder.bin_names());
        let mut changes: Vec<Option<f64>> = vec![None; names.len()];
        for (idx, feature) in self.encoder.named_features().iter().enumerate() {
            if self.terms[idx].estimate.is_some() {
                *changes[feature.column].get_or_insert(0.0) += self.terms[idx].change(matrix.column(idx)[0]);
            }
        }
        let shown = self.encoder.shown(dataset, row)?;
        let item = |((name, shown), change): ((&ColumnNames, &Shown), Option<f64>)| {
            Some(Contribution { what: name.reading(shown), change: change? })
        };
        let mut items: Vec<Contribution> = names.iter().zip(&shown).zip(changes).filter_map(item).collect();
        items.sort_by(|a, b| b.change.abs().total_cmp(&a.change.abs()));
        let plain = self.base + items.iter().map(|item| item.change).sum::<f64>();
        let amount = self.raised(plain);
        if !amount.is_finite() {
            return Err(self.beyond(&matrix, 0, row));
        }
        if amount != plain {
            items.push(Contribution { what: format!("the floor of {amount}"), change: amount - plain });
        }
        Ok(AmountExplanation { amount, start: self.base, items })
    }
}
