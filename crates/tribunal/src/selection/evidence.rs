//! Everything that methods of selection may look at: what learners say of both tables, the consensus, reverse models, density ratios.

use tribunal_eval::decisions::{CaseBenefits, CellValue};
use tribunal_eval::metrics::Measure;
use tribunal_eval::unlabelled::{
    Candidate, ClassLabels, Consensus, ConsensusScores, FewLabels, LabelFreeCriterion,
};
use tribunal_learn::Posteriors;

use super::criterion::SelectionMetric;
use super::reverse::Populations;
use super::tournament::{ReverseEvidence, Tournament};
use super::voices::Voice;
use crate::error::Error;

/// What was found for each learner, as far as it was asked for; one entry a voice.
#[derive(Clone, Debug, Default)]
pub(super) struct Extras {
    /// The figure of cross-validation, the mean over repetitions where there are several.
    pub(super) cross_validated: Vec<Option<f64>>,
    /// What is said of labelled rows that are left out one by one.
    pub(super) leave_one_out: Option<Vec<Result<Posteriors, String>>>,
    /// What reverse validation says of the labelled rows.
    pub(super) reverse_validation: Option<Vec<Result<Posteriors, String>>>,
    /// How each reverse model does.
    pub(super) reverse: Option<ReverseEvidence>,
    /// The share of training rows that the model of all of them gets wrong, and its VC dimension.
    pub(super) structural: Vec<(f64, Option<f64>)>,
    /// Density ratios of the labelled rows, or why there are none.
    pub(super) logistic_ratios: Option<Result<Vec<f64>, String>>,
    /// The same by kernel mean matching.
    pub(super) kernel_ratios: Option<Result<Vec<f64>, String>>,
}

/// What acting on rows brings in, as expected benefits under soft labels need it.
#[derive(Clone, Debug, Default)]
pub(super) struct BenefitCells {
    held_out_hit: Vec<f64>,
    deployed_hit: Vec<f64>,
    cost: f64,
}

impl BenefitCells {
    /// Of a labelled positive row the actual amount, of any other row what it is believed to be worth.
    pub(super) fn of(populations: &Populations<'_>) -> Option<Self> {
        let (train, deploy) = (populations.train_benefits?, populations.deploy_benefits?);
        let codes = populations.target.codes();
        let hit = |row: usize| {
            let amount = if codes[row] == 1 { train.actual[row] } else { train.believed[row] };
            amount - train.cost
        };
        Some(Self {
            held_out_hit: (0..codes.len()).map(hit).collect(),
            deployed_hit: deploy.believed.iter().map(|amount| amount - deploy.cost).collect(),
            cost: deploy.cost,
        })
    }

    fn criterion(&self) -> LabelFreeCriterion<'_> {
        let cells = |hit| CaseBenefits {
            hit: CellValue::Column(hit),
            false_positive: CellValue::Constant(-self.cost),
            false_negative: CellValue::Constant(0.0),
            correct_rejection: CellValue::Constant(0.0),
        };
        LabelFreeCriterion::Benefit {
            held_out: cells(&self.held_out_hit),
            unlabelled: cells(&self.deployed_hit),
        }
    }
}

/// What methods look at.
pub(super) struct Evidence<'a> {
    pub(super) populations: Populations<'a>,
    pub(super) metric: SelectionMetric,
    pub(super) voices: &'a [Voice],
    pub(super) candidates: &'a [Candidate<'a>],
    pub(super) truth: &'a ClassLabels,
    pub(super) criterion: LabelFreeCriterion<'a>,
    pub(super) consensus: Consensus<'a>,
    /// Why the criterion cannot be had without labels, where it cannot.
    pub(super) scores: Result<ConsensusScores, String>,
    pub(super) tournament: Option<Tournament>,
    pub(super) extras: &'a Extras,
}

/// The criterion that a metric is under soft labels.
pub(super) fn criterion_of(metric: SelectionMetric, cells: Option<&BenefitCells>) -> LabelFreeCriterion<'_> {
    match (metric, cells) {
        (SelectionMetric::Auroc, _) => LabelFreeCriterion::Measure(Measure::AUROC),
        (SelectionMetric::Benefit, Some(cells)) => cells.criterion(),
        _ => LabelFreeCriterion::Accuracy,
    }
}

impl<'a> Evidence<'a> {
    /// Lets the labels of a few rows of the population have their say in the scores of the consensus, and so in all that follows
    /// from them.
    pub(super) fn sharpen(&mut self, few: &FewLabels) {
        let Ok(scores) = &mut self.scores else { return };
        for (one, candidate) in scores.candidates.iter_mut().zip(self.candidates) {
            one.score = one.score.clone().map(|score| few.update(&candidate.unlabelled, score));
        }
        let gain =
            |place: usize| scores.candidates[place].score.as_ref().map_or(f64::NEG_INFINITY, |score| *score);
        let mut order = scores.order.clone();
        order.sort_by(|&a, &b| gain(b).total_cmp(&gain(a)));
        scores.order = order;
    }

    /// # Errors
    /// There is no voice, or voices are of other rows.
    pub(super) fn new(
        populations: Populations<'a>,
        metric: SelectionMetric,
        (voices, candidates, truth): (&'a [Voice], &'a [Candidate<'a>], &'a ClassLabels),
        cells: Option<&'a BenefitCells>,
        extras: &'a Extras,
    ) -> Result<Self, Error> {
        let criterion = criterion_of(metric, cells);
        let consensus = Consensus::of(candidates)?;
        // Amounts multiply probabilities: a mean three times too high would value every case three times too high.
        let consensus = match metric {
            SelectionMetric::Benefit => consensus.calibrated_in_the_mean()?,
            SelectionMetric::Pcc | SelectionMetric::Auroc => consensus,
        };
        let scores = consensus.judge(&criterion).map_err(|error| error.to_string());
        let tournament = extras.reverse.as_ref().map(Tournament::of);
        Ok(Self {
            populations,
            metric,
            voices,
            candidates,
            truth,
            criterion,
            consensus,
            scores,
            tournament,
            extras,
        })
    }
}
