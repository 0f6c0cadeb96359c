//! What errors cost, a case on average.

use super::{Better, Compute, Parameter, Spread, metric};
use crate::confusion::Confusion;
use crate::intervals::{CellSample, Interval, NoInterval};
use crate::undefined::{Undefined, Value};

metric! {
    METRIC = "cost@FP:FN", "mean cost a case", Cutoff;
    definition: "(FP c(FP) + FN c(FN)) / N, with the costs of a false positive and of a false negative as in cost@1:5; cost@5 means 1:5";
    undefined when: "there are no rows";
    range: 0.0, f64::INFINITY; better: Better::Lower;
    reference: "Elkan 2001";
    compute: Compute::ConfusionWith(Parameter::costs("FP:FN"), cost);
    interval: Spread::Cells(interval);
}

/// mean cost a case in units of the cost of a false positive, where a false negative costs `ratio` of them; see [`METRIC`].
///
/// ```
/// use tribunal_eval::{Confusion, metrics::{Measure, cost}};
///
/// let matrix = Confusion { tp: 9.0, fp: 3.0, fn_: 4.0, tn: 3.0 };
/// assert!((cost(&matrix, 5.0)? - 23.0 / 19.0).abs() < 1e-12);
/// let in_euros: Measure = "cost@20:100".parse()?;
/// assert!((in_euros.of_confusion(&matrix).expect("at a cut-off")? - 460.0 / 19.0).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn cost(confusion: &Confusion, ratio: f64) -> Value {
    let total = confusion.total();
    match total > 0.0 {
        true => Ok((confusion.fp + ratio * confusion.fn_) / total),
        false => Err(Undefined::NoRows),
    }
}

/// The arms of both shares of errors added as squares, so that an error of which there was none yet has its upper limit.
fn interval(sample: &CellSample<'_>, ratio: f64) -> Result<Interval, NoInterval> {
    sample.sum_of_shares([(1.0, |c| (c.fp, c.total())), (ratio, |c| (c.fn_, c.total()))])
}

#[cfg(test)]
mod tests {
    use crate::cutoff::CutoffRule;
    use crate::intervals::Sampled;
    use crate::metrics::Measure;
    use crate::ranking::{Ranking, Split};

    fn measure(text: &str) -> Measure {
        text.parse().expect(text)
    }

    #[test]
    fn costs_are_read_as_they_are_written() {
        for text in ["cost@1:5", "cost@0.5:2", "cost@3:10"] {
            assert_eq!(measure(text).to_string(), text);
        }
        assert_eq!(measure("cost@5"), measure("cost@1:5"));
        assert_ne!(measure("cost@2:10"), measure("cost@1:5"));
        for text in ["cost@0:5", "cost@1:0", "cost@1:-5", "cost@1:inf", "cost@1:5:2", "cost@a:b", "f@1:5"] {
            let error = text.parse::<Measure>().expect_err(text).to_string();
            assert!(
                error.starts_with(&format!("`{}` is no ", &text[text.find('@').map_or(0, |at| at + 1)..])),
                "{error}"
            );
        }
    }

    #[test]
    fn the_baseline_is_the_cheaper_of_acting_on_none_and_on_all() {
        let totals = Split { positive: 30.0, negative: 70.0 };
        let value = |text: &str| measure(text).of_constant(totals).expect("rows");
        assert!((value("cost@1:5") - 0.7).abs() < 1e-12 && (value("cost@1:2") - 0.6).abs() < 1e-12);
    }

    /// An error that did not occur may yet occur: the upper end knows that, the lower does not fall below zero.
    #[test]
    fn errors_that_did_not_occur_widen_the_interval() {
        let truth: Vec<bool> = (0..100).map(|row| row < 10).collect();
        let scores: Vec<f64> = (0..100).map(|row| if row < 15 { 0.9 } else { 0.1 }).collect();
        let ranking = Ranking::from_scores(&truth, &scores).expect("finite");
        let cutoff = CutoffRule::Score(0.5).find(&ranking).expect("rows");
        let interval = |text: &str| {
            measure(text).interval(&Sampled::new(&ranking), Some(&cutoff)).expect("both classes")
        };
        let (plain, dear) = (interval("cost@1:1"), interval("cost@1:50"));
        assert!(dear.upper > 50.0 * 0.036 && dear.lower > 0.0 && dear.lower < 0.05, "{dear:?}");
        assert!(plain.contains(0.05));
        let other_unit = interval("cost@2:100");
        assert!((other_unit.upper - 2.0 * dear.upper).abs() < 1e-12);
    }
}
