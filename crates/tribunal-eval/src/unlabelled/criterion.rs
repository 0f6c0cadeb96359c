//! By what candidates are compared on rows without labels: accuracy, a metric of two classes, or benefit.

use super::class_probabilities::ClassProbabilities;
use super::predictions::Predictions;
use super::soft_labels::{
    check_labels, check_two_classes, soft_confusion, soft_ranking, soft_ranking_of_class,
};
use crate::checks::within;
use crate::decisions::CaseBenefits;
use crate::error::Error;
use crate::list_part::ListPart;
use crate::metrics::{Compute, Measure, auroc};
use crate::undefined::{Undefined, Value};

/// Which rows a value is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Population {
    /// Those with labels, scored by models that have not seen them.
    HeldOut,
    /// Those without labels.
    Unlabelled,
}

/// By what candidates are compared. Every criterion is a function of predictions and soft labels, so that a value under
/// cross-validation (soft labels of 0 and 1) and one without labels (soft labels from a consensus, or calibrated probabilities)
/// come from the same code.
///
/// **Definition**
/// - *Accuracy*: the mean of the soft label of the class that was decided on; any number of classes.
/// - *Measure*: a metric of decisions on the [`soft_confusion`], or of the unscaled scores on the [`soft_ranking`]; two classes.
///   A number of cases in its name is one of the unlabelled rows; on held-out rows it means the same share. Of more classes the
///   AUROC is the mean over them, each against all others.
/// - *Benefit*: the mean over rows of the expected benefit of the decision, `c B[decision][positive] + (1 - c) B[decision][negative]`,
///   with the cells of each row; two classes.
///
/// **Undefined when** no row carries weight, or the metric is undefined.
///
/// **Example**
/// ```
/// use tribunal_eval::decisions::{CaseBenefits, CellValue};
/// use tribunal_eval::unlabelled::{ClassProbabilities, LabelFreeCriterion, Population, Predictions};
///
/// let (amounts, nothing) = ([100.0, 40.0], CellValue::Constant(0.0));
/// let cells = CaseBenefits {
///     hit: CellValue::Column(&amounts),
///     false_positive: CellValue::Constant(-20.0),
///     false_negative: nothing,
///     correct_rejection: nothing,
/// };
/// let benefit = LabelFreeCriterion::Benefit { held_out: cells, unlabelled: cells };
/// let (scores, consensus) = (ClassProbabilities::binary(&[0.9, 0.4])?, ClassProbabilities::binary(&[0.75, 0.5])?);
/// let predictions = Predictions::new(&scores);
/// // Acting on the first case alone: 0.75 * 100 - 0.25 * 20, and nothing from the other.
/// assert_eq!(benefit.value(Population::Unlabelled, &predictions, &consensus)?, Ok(35.0));
/// assert_eq!(LabelFreeCriterion::Accuracy.value(Population::Unlabelled, &predictions, &consensus)?, Ok(0.625));
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** · Elkan (2001) for expected benefits
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LabelFreeCriterion<'a> {
    /// The share of right decisions.
    Accuracy,
    /// A metric of two classes.
    Measure(Measure),
    /// The mean benefit of a decision. Every cell is looked at, whatever the truth of a held-out row: an amount that is only known of
    /// positives needs an estimate for the others.
    Benefit {
        /// The cells of the held-out rows.
        held_out: CaseBenefits<'a>,
        /// The cells of the unlabelled rows.
        unlabelled: CaseBenefits<'a>,
    },
}

impl LabelFreeCriterion<'_> {
    /// The value of predictions under soft labels.
    ///
    /// # Errors
    /// The soft labels are of other rows or classes, the criterion looks at two classes and there are more, the metric looks at
    /// amounts, or a cell of the benefits is unusable.
    pub fn value(
        &self,
        population: Population,
        predictions: &Predictions<'_>,
        labels: &ClassProbabilities,
    ) -> Result<Value, Error> {
        match self {
            Self::Accuracy => {
                check_labels(predictions, labels)?;
                Ok(predictions.mean(|row| labels.row(row)[predictions.decisions().of_row(row)]))
            }
            Self::Measure(measure) => measure_of(*measure, predictions, labels),
            Self::Benefit { held_out, unlabelled } => {
                check_two_classes(predictions, labels)?;
                let cells = if population == Population::HeldOut { held_out } else { unlabelled };
                cells.check_all(predictions.n_rows())?;
                Ok(mean_benefit(cells, predictions, labels))
            }
        }
    }

    /// The same criterion for so many held-out rows, by weight, where it counts cases of the unlabelled ones.
    pub(super) fn on_part(self, held_out: f64, unlabelled: f64) -> Self {
        match self {
            Self::Measure(measure) => Self::Measure(measure.inside(ListPart::new(held_out, unlabelled))),
            other => other,
        }
    }

    /// A number that is larger the better a value is.
    pub fn gain(&self, value: f64) -> f64 {
        match self {
            Self::Measure(measure) => measure.metric.better.gain(value),
            Self::Accuracy | Self::Benefit { .. } => value,
        }
    }

    /// The least and the largest value that there can be.
    pub fn range(&self) -> (f64, f64) {
        match self {
            Self::Accuracy => (0.0, 1.0),
            Self::Measure(measure) => measure.metric.range,
            Self::Benefit { .. } => (f64::NEG_INFINITY, f64::INFINITY),
        }
    }
}

fn measure_of(
    measure: Measure,
    predictions: &Predictions<'_>,
    labels: &ClassProbabilities,
) -> Result<Value, Error> {
    if measure == Measure::AUROC && predictions.n_classes() > 2 {
        return mean_auroc(predictions, labels);
    }
    match measure.metric.compute {
        Compute::Confusion(_) | Compute::ConfusionWith(..) => {
            let cells = soft_confusion(predictions, labels)?;
            Ok(measure.of_confusion(&cells).unwrap_or(Err(Undefined::NoRows)))
        }
        Compute::Ranking(_) | Compute::RankingWith(..) => {
            let ranking = soft_ranking(predictions, labels)?;
            Ok(measure.of_ranking(&ranking).unwrap_or(Err(Undefined::NoRows)))
        }
        Compute::Amounts(_) => within(
            "the number of predicted amounts",
            0.0,
            false,
            "a metric of decisions or of scores: predicted amounts have no soft labels",
        )
        .map(Ok),
    }
}

/// The mean over the classes that soft labels speak of, each against all others.
fn mean_auroc(predictions: &Predictions<'_>, labels: &ClassProbabilities) -> Result<Value, Error> {
    check_labels(predictions, labels)?;
    let mut areas = Vec::new();
    for class in 0..predictions.n_classes() {
        areas.push(auroc(&soft_ranking_of_class(class, predictions, labels)?));
    }
    let found: Vec<f64> = areas.iter().flatten().copied().collect();
    let reason = areas.into_iter().find_map(Result::err).unwrap_or(Undefined::NoRows);
    Ok(if found.is_empty() { Err(reason) } else { Ok(found.iter().sum::<f64>() / found.len() as f64) })
}

fn mean_benefit(
    cells: &CaseBenefits<'_>,
    predictions: &Predictions<'_>,
    labels: &ClassProbabilities,
) -> Value {
    predictions.mean(|row| {
        let acts = predictions.decisions().of_row(row) == 1;
        let benefit = |class: usize| labels.row(row)[class] * cells.benefit(row, acts, class == 1);
        benefit(0) + benefit(1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unlabelled::worked_example::probabilities;

    #[test]
    fn metrics_without_soft_labels_are_refused() {
        let scores = probabilities(&[0.9, 0.2]);
        let predictions = Predictions::new(&scores);
        let rmse = LabelFreeCriterion::Measure("mae".parse().expect("a metric"));
        let error = rmse.value(Population::Unlabelled, &predictions, &scores).expect_err("amounts");
        assert!(error.to_string().contains("predicted amounts have no soft labels"), "{error}");
    }

    #[test]
    fn what_is_undefined_says_why() {
        let (scores, labels) = (probabilities(&[0.9, 0.2]), probabilities(&[1.0, 1.0]));
        let auroc = LabelFreeCriterion::Measure(Measure::AUROC);
        let value = auroc.value(Population::Unlabelled, &Predictions::new(&scores), &labels).expect("rows");
        assert_eq!(value, Err(Undefined::NoNegatives));
    }

    #[test]
    fn a_number_of_cases_means_the_same_share_of_other_rows() {
        let top = LabelFreeCriterion::Measure("precision_top@200".parse().expect("a metric"));
        let inside = top.on_part(100.0, 1000.0);
        assert_eq!(inside, LabelFreeCriterion::Measure("precision_top@20".parse().expect("a metric")));
        assert_eq!(LabelFreeCriterion::Accuracy.on_part(1.0, 2.0), LabelFreeCriterion::Accuracy);
    }
}
