//! F: precision and recall in one figure.

use super::{Better, Compute, Parameter, Spread, metric, precision, sensitivity};
use crate::confusion::Confusion;
use crate::intervals::{CellSample, Interval, NoInterval};
use crate::undefined::Value;

/// Recall counts so many times as much as precision at the most; the square of a number much larger is none.
const LARGEST_BETA: f64 = 1e6;

metric! {
    METRIC = "f@BETA", "F-beta", Cutoff;
    definition: "(1 + b^2) P R / (b^2 P + R) of precision P and recall R; 0 if both are 0";
    undefined when: "precision or recall is undefined";
    range: 0.0, 1.0; better: Better::Higher;
    reference: "van Rijsbergen 1979";
    compute: Compute::ConfusionWith(Parameter::up_to("BETA", LARGEST_BETA), f_beta);
    interval: Spread::Cells(interval);
}

metric! {
    F1 = "f1", "F1", Cutoff;
    definition: "2 P R / (P + R) of precision P and recall R; 0 if both are 0";
    undefined when: "precision or recall is undefined";
    range: 0.0, 1.0; better: Better::Higher;
    reference: "van Rijsbergen 1979";
    compute: Compute::Confusion(f1);
    interval: Spread::Cells(|sample, _| interval(sample, 1.0));
}

/// F1; see [`F1`].
///
/// ```
/// use tribunal_eval::{Confusion, metrics::f1};
///
/// let matrix = Confusion { tp: 9.0, fp: 3.0, fn_: 4.0, tn: 3.0 };
/// assert!((f1(&matrix)? - 0.72).abs() < 1e-12);
/// # Ok::<(), tribunal_eval::Undefined>(())
/// ```
pub fn f1(confusion: &Confusion) -> Value {
    f_beta(confusion, 1.0)
}

/// F with any beta: recall counts beta times as much as precision; see [`METRIC`].
///
/// ```
/// use tribunal_eval::{Confusion, metrics::f_beta};
///
/// let matrix = Confusion { tp: 9.0, fp: 3.0, fn_: 4.0, tn: 3.0 };
/// assert!((f_beta(&matrix, 2.0)? - 0.703125).abs() < 1e-12);
/// # Ok::<(), tribunal_eval::Undefined>(())
/// ```
pub fn f_beta(confusion: &Confusion, beta: f64) -> Value {
    let (p, r) = (precision(confusion)?, sensitivity(confusion)?);
    let b = beta * beta;
    Ok(if p + r > 0.0 { (1.0 + b) * p * r / (b * p + r) } else { 0.0 })
}

/// Wilson's interval on as many cases as vary alike, of the cases that F looks at.
fn interval(sample: &CellSample<'_>, beta: f64) -> Result<Interval, NoInterval> {
    let (b, c) = (beta * beta, &sample.cells);
    let weight = c.tp + (b * c.fn_ + c.fp) / (1.0 + b);
    sample.rate(&|cells| (1.0 + b) * cells.tp / ((1.0 + b) * cells.tp + b * cells.fn_ + cells.fp), weight)
}
