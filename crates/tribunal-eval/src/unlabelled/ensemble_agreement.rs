//! Agreement with the unweighted ensemble (EnsV): evidence to show, not a rule to choose by.

use super::class_probabilities::ClassProbabilities;
use super::predictions::Predictions;
use crate::checks::at_least;
use crate::error::Error;

/// How often each candidate decides as the plain mean of all candidates does.
///
/// **Definition** · The share of unlabelled rows, by weight, on which the decision of a candidate is that of the unweighted mean of
/// the unscaled probabilities of all candidates.
///
/// **Undefined when** there is no candidate, or no row carries weight. It favours whoever has clones among the candidates, so it
/// must not choose.
///
/// **Example**
/// ```
/// use tribunal_eval::unlabelled::{ClassProbabilities, Predictions, ensemble_agreement};
///
/// let scores = [ClassProbabilities::binary(&[0.9, 0.6])?, ClassProbabilities::binary(&[0.7, 0.2])?];
/// let agreement = ensemble_agreement(&[&Predictions::new(&scores[0]), &Predictions::new(&scores[1])])?;
/// assert_eq!(agreement, [0.5, 1.0]);
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
///
/// **Reference** · Hu, Luo, Liang and Foo (2024), "Towards reliable model selection for unsupervised domain adaptation"
pub fn ensemble_agreement(candidates: &[&Predictions<'_>]) -> Result<Vec<f64>, Error> {
    at_least("candidates", candidates.len(), 1)?;
    let first = candidates[0];
    for other in candidates {
        other.check_same_rows("a candidate's unlabelled scores", first)?;
    }
    let share = 1.0 / candidates.len() as f64;
    let members = candidates.iter().map(|one| (one.probabilities(), share));
    let mean = ClassProbabilities::weighted_mean((first.n_rows(), first.n_classes()), members);
    let ensemble = mean.decisions();
    let agreement = |one: &&Predictions<'_>| {
        one.mean(|row| f64::from(one.decisions().of_row(row) == ensemble.of_row(row)))
    };
    Ok(candidates.iter().map(agreement).collect::<Result<Vec<f64>, _>>()?)
}
