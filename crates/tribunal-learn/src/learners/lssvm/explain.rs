//! Why a machine says what it says: what each column adds, or the training rows that pull most.

use super::model::{Function, KernelSum, LsSvmModel};
use super::points::FARTHEST;
use super::system::outputs;
use crate::explanation::{Contribution, Explanation, Influence, Reasons, contest};
use crate::model::{Case, Scorer};
use crate::names::Names;

/// So many training rows are named.
const MOST_ROWS: usize = 25;

pub(super) fn explain(model: &LsSvmModel, case: &Case<'_>, names: &Names) -> Explanation {
    let posteriors = model.posteriors(case.rows).row(case.row).to_vec();
    let (class, _) = contest(&posteriors);
    let output = class - outputs(model.n_classes).start;
    let (for_class, start) = (names.classes[class].clone(), model.biases[output]);
    let reasons = match &model.function {
        Function::Linear(weights) => {
            let items = contributions(&weights[output], case, names);
            Reasons::Contributions { for_class, start, items }
        }
        Function::Kernel(sum) => {
            let mut items = influences(sum, output, case, names);
            let left = items.split_off(items.len().min(MOST_ROWS));
            let others = left.iter().map(|item| item.change).sum();
            Reasons::Influences { for_class, start, items, others, left: left.len() }
        }
    };
    Explanation { posteriors, reasons }
}

/// What each column of the data adds, the most first.
fn contributions(weights: &[f64], case: &Case<'_>, names: &Names) -> Vec<Contribution> {
    let mut changes = vec![0.0; names.columns.len()];
    for ((idx, feature), weight) in names.features.iter().enumerate().zip(weights) {
        let value = case.rows.matrix().column(idx)[case.row].clamp(-FARTHEST, FARTHEST);
        changes[feature.column] += weight * value;
    }
    let item = |(what, change): (&String, f64)| Contribution { what: what.clone(), change };
    let mut items: Vec<Contribution> = case.readings.iter().zip(changes).map(item).collect();
    items.sort_by(|a, b| b.change.abs().total_cmp(&a.change.abs()));
    items
}

/// What each training row adds, the most first.
fn influences(sum: &KernelSum, output: usize, case: &Case<'_>, names: &Names) -> Vec<Influence> {
    let likeness = sum.likeness(case.rows.matrix(), case.row..case.row + 1);
    let item = |(row, &likeness): (usize, &f64)| Influence {
        row: u64::from(sum.rows[row]) + 1,
        class: names.classes[sum.classes[row] as usize].clone(),
        likeness,
        change: sum.coefficients[output][row] * likeness,
    };
    let mut items: Vec<Influence> = likeness.column(0).iter().enumerate().map(item).collect();
    items.sort_by(|a, b| b.change.abs().total_cmp(&a.change.abs()).then(a.row.cmp(&b.row)));
    items
}
