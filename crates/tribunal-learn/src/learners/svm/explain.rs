//! Why a machine says what it says: what each column adds to the score, or each training row where there are bells.
//!
//! Of more than two classes the machine of the winner and the runner-up is asked.

use super::kernel::{Kernel, Points};
use super::machine::{Machine, Rule};
use super::model::SvmModel;
use crate::explanation::{Contribution, Explanation, Influence, Reasons, contest};
use crate::model::Case;
use crate::names::Names;

/// So many training rows are named.
const MOST_ROWS: usize = 25;

pub(super) fn explain(model: &SvmModel, case: &Case<'_>, names: &Names) -> Explanation {
    let matrix = case.rows.matrix().take(&[case.row as u32]);
    let points = Points::of(&matrix);
    let posteriors = model.margins(&points).row(0).to_vec();
    let (for_class, against_class) = contest(&posteriors);
    let reasons = match asked(model, [for_class, against_class]) {
        Some((machine, sign)) => {
            let for_class = match posteriors.len() {
                2 => names.classes[for_class].clone(),
                _ => format!("{} against {}", names.classes[for_class], names.classes[against_class]),
            };
            let words = Words { for_class, sign, case, names };
            match &machine.rule {
                Rule::Weights(weights) => words.of_columns(machine, weights, &points),
                Rule::Vectors(vectors) => words.of_rows(machine, model, vectors, &points),
            }
        }
        None => Reasons::Contributions {
            for_class: names.classes[for_class].clone(),
            start: posteriors[for_class],
            items: Vec::new(),
        },
    };
    Explanation { posteriors, reasons }
}

/// The machine of two classes, and 1 where its positive scores speak for the first of them, otherwise -1.
fn asked(model: &SvmModel, classes: [usize; 2]) -> Option<(&Machine, f64)> {
    let [for_class, against_class] = classes;
    let find = |pair: [usize; 2]| model.machines.iter().find(|machine| machine.classes == pair);
    let turned = || find([for_class, against_class]).map(|machine| (machine, -1.0));
    find([against_class, for_class]).map(|machine| (machine, 1.0)).or_else(turned)
}

/// What is to be explained, and in which words.
struct Words<'a> {
    for_class: String,
    sign: f64,
    case: &'a Case<'a>,
    names: &'a Names,
}

impl Words<'_> {
    fn of_columns(self, machine: &Machine, weights: &[f64], points: &Points<'_>) -> Reasons {
        let mut changes = vec![0.0; self.names.columns.len()];
        for ((feature, weight), value) in self.names.features.iter().zip(weights).zip(points.row(0)) {
            changes[feature.column] += self.sign * weight * value;
        }
        let item = |(what, change): (&String, f64)| Contribution { what: what.clone(), change };
        let mut items: Vec<Contribution> = self.case.readings.iter().zip(changes).map(item).collect();
        items.sort_by(|a, b| b.change.abs().total_cmp(&a.change.abs()));
        Reasons::Contributions { for_class: self.for_class, start: self.sign * machine.intercept, items }
    }

    fn of_rows(
        self,
        machine: &Machine,
        model: &SvmModel,
        vectors: &[(usize, f64)],
        points: &Points<'_>,
    ) -> Reasons {
        let influence = |&(idx, coefficient): &(usize, f64)| {
            let vector = &model.vectors[idx];
            let alike = Kernel::row(model.kernel, points, &vector.values)[0];
            Influence {
                row: u64::from(vector.row) + 1,
                class: self.names.classes[vector.class].clone(),
                likeness: alike,
                change: self.sign * coefficient * alike,
            }
        };
        let mut items: Vec<Influence> = vectors.iter().map(influence).collect();
        items.sort_by(|a, b| b.change.abs().total_cmp(&a.change.abs()));
        let others = items.split_off(items.len().min(MOST_ROWS));
        Reasons::Influences {
            for_class: self.for_class,
            start: self.sign * machine.intercept,
            items,
            others: others.iter().map(|item| item.change).sum(),
            left: others.len(),
        }
    }
}
