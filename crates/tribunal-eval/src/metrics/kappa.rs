//! Agreement of prediction and truth beyond chance.

use super::{Better, Compute, Spread, metric, pcc};
use crate::confusion::Confusion;
use crate::undefined::Value;

metric! {
    METRIC = "kappa", "Cohen's kappa", Cutoff;
    definition: "(PCC - pe) / (1 - pe) with pe = [(TP+FP)(TP+FN) + (FN+TN)(FP+TN)] / N^2, 0 if pe = 1";
    undefined when: "there are no rows";
    range: -1.0, 1.0; better: Better::Higher;
    reference: "Cohen 1960";
    compute: Compute::Confusion(kappa);
    interval: Spread::Cells(|sample, _| sample.correlation(&|cells| kappa(cells).unwrap_or(0.0)));
}

/// Cohen's kappa; see [`METRIC`].
///
/// ```
/// use tribunal_eval::{Confusion, metrics::kappa};
///
/// let matrix = Confusion { tp: 9.0, fp: 3.0, fn_: 4.0, tn: 3.0 };
/// assert!((kappa(&matrix)? - 0.184049080).abs() < 1e-9);
/// # Ok::<(), tribunal_eval::Undefined>(())
/// ```
pub fn kappa(confusion: &Confusion) -> Value {
    let total = confusion.total();
    let observed = pcc(confusion)?;
    let flagged = confusion.flagged() / total * (confusion.positives() / total);
    let passed = confusion.passed() / total * (confusion.negatives() / total);
    let chance = flagged + passed;
    Ok(if chance < 1.0 { (observed - chance) / (1.0 - chance) } else { 0.0 })
}
