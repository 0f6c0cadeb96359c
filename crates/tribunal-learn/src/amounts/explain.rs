//! Why a row gets the amount it gets: what each column adds to the amount of the mean row.

use std::ops::Range;

use super::AmountModel;
use crate::column::{Column, MISSING, Values};
use crate::dataset::Dataset;
use crate::error::Error;
use crate::explanation::Contribution;
use crate::kind::Kind;
use crate::model::Input;

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
        let matrix = self.encoder.encode(dataset, &[row])?;
        let mut items = Vec::new();
        for (input, features) in self.inputs.iter().zip(self.features_of_inputs()) {
            let used = features.filter(|&idx| self.terms[idx].estimate.is_some());
            let changes: Vec<f64> = used.map(|idx| self.terms[idx].change(matrix.column(idx)[0])).collect();
            if !changes.is_empty() {
                let what =
                    dataset.column(&input.name).map_or_else(String::new, |column| reading(column, row));
                items.push(Contribution { what, change: changes.iter().sum() });
            }
        }
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

    /// The features that each column became. They stand in the order of the columns and bear their names.
    fn features_of_inputs(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let mut start = 0;
        self.inputs.iter().map(move |input| {
            let is_of_input = |name: &str| is_feature_of(name, input);
            let n_features = self.terms[start..].iter().take_while(|term| is_of_input(&term.name)).count();
            let features = start..start + n_features;
            start = features.end;
            features
        })
    }
}

/// Whether a feature is one that a column becomes: its value, a level of it, or where it is missing.
fn is_feature_of(feature: &str, input: &Input) -> bool {
    let Some(rest) = feature.strip_prefix(&input.name) else { return false };
    let is_level = |level: &str| input.kind.levels().iter().any(|known| known == level);
    rest.is_empty() || rest == " is missing" || rest.strip_prefix(" = ").is_some_and(is_level)
}

/// A column and its value in a row: `lag = 7`, `make = Fiat`, or `lag missing`.
fn reading(column: &Column, row: u32) -> String {
    let name = column.name();
    match (column.values(), column.kind()) {
        (Values::Numbers(numbers), _) if !numbers[row as usize].is_nan() => {
            format!("{name} = {}", numbers[row as usize])
        }
        (Values::Codes(codes), Kind::Flag) if codes[row as usize] != MISSING => {
            format!("{name} = {}", codes[row as usize])
        }
        (Values::Codes(codes), kind) => match kind.levels().get(codes[row as usize] as usize) {
            Some(level) => format!("{name} = {level}"),
            None => format!("{name} missing"),
        },
        (Values::Numbers(_), _) => format!("{name} missing"),
    }
}
