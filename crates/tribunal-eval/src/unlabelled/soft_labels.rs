//! Soft labels: a row that is positive with probability `c` stands twice, as a positive of weight `c` and as a negative of weight
//! `1 - c`. So every metric of a confusion matrix or a ranking has an estimate without labels, by the code that it
//! has with labels; labels are soft labels of 0 and 1.

use super::class_probabilities::ClassProbabilities;
use super::predictions::Predictions;
use crate::checks::within;
use crate::confusion::Confusion;
use crate::error::Error;
use crate::ranking::Ranking;
use crate::scored_set::ScoredSet;

/// Weights below this cannot be squared, and count nothing.
const LEAST_WEIGHT: f64 = 1e-100;

/// The expected cells of the confusion matrix of decisions on two classes.
///
/// **Definition** · With `w` the weight of a row and `c` its probability of being positive: TP = sum of `w c` over rows decided to
/// be positive, FP = sum of `w (1 - c)` over the same; FN and TN likewise over the others.
///
/// **Undefined when** there are not two classes; soft labels of other rows are refused.
///
/// **Example**
/// ```
/// use tribunal_eval::unlabelled::{ClassProbabilities, Predictions, soft_confusion};
///
/// let scores = ClassProbabilities::binary(&[0.75, 0.25])?;
/// let cells = soft_confusion(&Predictions::new(&scores), &scores)?;
/// assert_eq!((cells.tp, cells.fp, cells.fn_, cells.tn), (0.75, 0.25, 0.25, 0.75));
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** · NannyML (2022), confidence-based performance estimation
pub fn soft_confusion(
    predictions: &Predictions<'_>,
    labels: &ClassProbabilities,
) -> Result<Confusion, Error> {
    check_two_classes(predictions, labels)?;
    let sum = |decision: usize, class: usize| {
        let is_decided = |row: usize| f64::from(predictions.decisions().of_row(row) == decision);
        predictions.sum(|row| is_decided(row) * labels.row(row)[class])
    };
    Ok(Confusion { tp: sum(1, 1), fp: sum(1, 0), fn_: sum(0, 1), tn: sum(0, 0) })
}

/// The ranking of rows by their probability of being positive, against soft labels. Ties are exact; it costs one sort.
///
/// **Definition** · The [`Ranking`] in which every row stands as a positive of weight `w c` and as a negative of weight
/// `w (1 - c)`, both with the score of the row. Its AUROC is `P(s+ > s-) + P(s+ = s-) / 2` for a positive and a negative drawn by
/// these weights.
///
/// **Undefined when** there are not two classes; soft labels of other rows are refused.
///
/// **Example**
/// ```
/// use tribunal_eval::metrics::auroc;
/// use tribunal_eval::unlabelled::{ClassProbabilities, Predictions, soft_ranking};
///
/// let (scores, labels) = (ClassProbabilities::binary(&[0.8, 0.1])?, ClassProbabilities::binary(&[1.0, 0.5])?);
/// let ranking = soft_ranking(&Predictions::new(&scores), &labels)?;
/// assert!((auroc(&ranking)? - (2.0 / 3.0 + 1.0 / 6.0)).abs() < 1e-15);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** · Mann and Whitney (1947), with weights
pub fn soft_ranking(predictions: &Predictions<'_>, labels: &ClassProbabilities) -> Result<Ranking, Error> {
    check_two_classes(predictions, labels)?;
    soft_ranking_of_class(1, predictions, labels)
}

/// The same ranking with one of several classes against all others.
pub(super) fn soft_ranking_of_class(
    positive: usize,
    predictions: &Predictions<'_>,
    labels: &ClassProbabilities,
) -> Result<Ranking, Error> {
    let n_rows = predictions.n_rows();
    let (mut truth, mut score) = (Vec::with_capacity(2 * n_rows), Vec::with_capacity(2 * n_rows));
    let mut weight = Vec::with_capacity(2 * n_rows);
    for row in 0..n_rows {
        let share = labels.row(row)[positive];
        for (is_positive, share) in [(false, 1.0 - share), (true, share)] {
            let mass = predictions.weight_of(row) * share;
            if mass >= LEAST_WEIGHT {
                truth.push(is_positive);
                score.push(predictions.probabilities().row(row)[positive]);
                weight.push(mass);
            }
        }
    }
    Ranking::of(&ScoredSet::new(&truth, &score)?.with_weight(&weight)?)
}

/// Fails unless both are about the same rows of two classes.
pub(super) fn check_two_classes(
    predictions: &Predictions<'_>,
    labels: &ClassProbabilities,
) -> Result<(), Error> {
    check_labels(predictions, labels)?;
    let n_classes = predictions.n_classes();
    let expected = "2, since this figure looks at a positive class";
    within("the number of classes", n_classes as f64, n_classes == 2, expected).map(|_| ())
}

/// Fails unless both are about the same rows and classes.
pub(super) fn check_labels(predictions: &Predictions<'_>, labels: &ClassProbabilities) -> Result<(), Error> {
    let (found, expected) = (labels.n_classes(), predictions.n_classes());
    if found != expected {
        return Err(Error::ClassCount { what: "the soft labels", found, expected });
    }
    let (found, expected) = (labels.n_rows(), predictions.n_rows());
    if found != expected {
        return Err(Error::LengthMismatch { what: "the soft labels".to_owned(), found, expected });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::auroc;
    use crate::unlabelled::ClassLabels;

    #[test]
    fn certain_labels_are_labels() {
        let truth = [true, false, true, false, true];
        let score = [0.9, 0.5, 0.5, 0.2, 0.1];
        let scores = ClassProbabilities::binary(&score).expect("probabilities");
        let labels = ClassProbabilities::certain(&ClassLabels::binary(&truth));
        let soft = soft_ranking(&Predictions::new(&scores), &labels).expect("a ranking");
        let hard = Ranking::from_scores(&truth, &score).expect("a ranking");
        assert_eq!(auroc(&soft), auroc(&hard));
        let cells = soft_confusion(&Predictions::new(&scores), &labels).expect("cells");
        assert_eq!(cells, Confusion::at_score(&hard, 0.5));
    }

    #[test]
    fn tiny_probabilities_are_no_rows() {
        let scores = ClassProbabilities::binary(&[0.9, 1e-200]).expect("probabilities");
        let ranking = soft_ranking(&Predictions::new(&scores), &scores).expect("a ranking");
        assert_eq!(ranking.n_rows(), 3.0);
    }

    #[test]
    fn more_classes_have_no_positive_one() {
        let scores = ClassProbabilities::new(3, vec![0.5, 0.25, 0.25]).expect("probabilities");
        let error = soft_ranking(&Predictions::new(&scores), &scores).expect_err("three classes");
        assert_eq!(
            error.to_string(),
            "the number of classes is 3; expected 2, since this figure looks at a positive class"
        );
    }
}
