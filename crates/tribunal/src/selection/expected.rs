//! What to expect on the population: cross-validation, moved by what the consensus says of the change (CV+dCal).

use tribunal_eval::metrics::Measure;
use tribunal_eval::unlabelled::{
    ClassLabels, ClassProbabilities, LabelFreeCriterion, Population, Predictions,
};

use super::criterion::SelectionMetric;
use super::evidence::Evidence;

/// How estimates are made.
pub(super) const METHOD: &str = "cv_plus_consensus_change";

/// The id of the mean benefit a row.
pub(super) const BENEFIT: &str = "benefit";

/// The share of the list at which precision and lift are expected.
const DEPTH: f64 = 0.1;

/// A figure that somebody may expect of a learner.
#[derive(Clone, Copy)]
pub(super) struct ExpectedMetric<'a> {
    /// Its id.
    pub(super) id: &'static str,
    measure: Option<Measure>,
    criterion: LabelFreeCriterion<'a>,
}

/// What is expected of a learner, with what cross-validation says.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Expected {
    /// The estimate, which may leave the range of the metric.
    pub(super) estimate: f64,
    /// What people are shown of it.
    pub(super) within_range: f64,
    pub(super) cross_validated: f64,
}

/// The figures that are expected: those that need two classes only of two classes. The metric that decides comes first.
pub(super) fn metrics<'a>(evidence: &Evidence<'a>) -> Vec<ExpectedMetric<'a>> {
    let measure = |id: &'static str, text: &str| {
        let measure: Measure = text.parse().ok()?;
        Some(ExpectedMetric { id, measure: Some(measure), criterion: LabelFreeCriterion::Measure(measure) })
    };
    let of_two = evidence.truth.n_classes() == 2;
    let deploy = evidence.populations.deploy;
    let total = deploy.weights().map_or(deploy.n_rows() as f64, |weights| weights.iter().sum());
    let n_top = (DEPTH * total).round().max(1.0);
    let benefit = (evidence.metric == SelectionMetric::Benefit).then_some(ExpectedMetric {
        id: BENEFIT,
        measure: None,
        criterion: evidence.criterion,
    });
    let pcc = ExpectedMetric { id: "pcc", measure: None, criterion: LabelFreeCriterion::Accuracy };
    // Decisions to act are no predictions of the class.
    let pcc = (evidence.metric != SelectionMetric::Benefit).then_some(pcc);
    let of_lists = of_two.then(|| {
        [measure("lift@0.1", "lift@0.1"), measure("precision_top@10%", &format!("precision_top@{n_top}"))]
    });
    let auroc = measure("auroc", "auroc");
    let mut metrics: Vec<ExpectedMetric<'a>> =
        benefit.into_iter().chain(pcc).chain(auroc).chain(of_lists.into_iter().flatten().flatten()).collect();
    if evidence.metric == SelectionMetric::Auroc && metrics.len() > 1 {
        metrics.swap(0, 1);
    }
    metrics
}

impl ExpectedMetric<'_> {
    /// What is expected of each voice, or why nothing is.
    pub(super) fn of_voices(&self, evidence: &Evidence<'_>) -> Vec<Result<Expected, String>> {
        let n = evidence.voices.len();
        match evidence.consensus.judge(&self.criterion) {
            Err(why) => vec![Err(why.to_string()); n],
            Ok(scores) => scores
                .candidates
                .iter()
                .map(|one| {
                    let expected = one.expected().map_err(|why| why.to_string())?;
                    Ok(Expected {
                        estimate: expected.estimate(),
                        within_range: expected.within_range(&self.criterion),
                        cross_validated: expected.cross_validated,
                    })
                })
                .collect(),
        }
    }

    /// The figure of predictions for rows whose classes are known after all.
    pub(super) fn truth(&self, said: &Predictions<'_>, truth: &ClassLabels) -> Option<f64> {
        let labels = ClassProbabilities::certain(truth);
        self.criterion.value(Population::Unlabelled, said, &labels).ok()?.ok()
    }

    /// The least and the largest value that there can be.
    pub(super) fn range(&self) -> (f64, f64) {
        self.measure.map_or_else(|| self.criterion.range(), |measure| measure.metric.range)
    }
}
