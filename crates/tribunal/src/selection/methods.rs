//! The methods by which a learner may be chosen without labels of the population, each with what it goes by.
//!
//! Add one: a function from [`Evidence`] to a score a learner, and a line in [`METHODS`].

use tribunal_eval::unlabelled::{
    CalibratedPerformance, ClassProbabilities, Confidence, LabelShift, Predictions, RiskBound,
    WeightedLosses, atc, doc, ensemble_agreement,
};
use tribunal_learn::{Calibrator, CalibratorKind, Posteriors, Scored};

use super::criterion::SelectionMetric;
use super::evidence::Evidence;
use super::voices::Voice;

/// A way of choosing.
pub struct Method {
    /// How it is written.
    pub id: &'static str,
    /// What it is called.
    pub name: &'static str,
    /// Who described it.
    pub reference: &'static str,
    /// Whether larger scores are better.
    pub is_higher_better: bool,
    /// Whether its scores are estimates of the metric on the population.
    pub is_estimate: bool,
    scores: fn(&Evidence<'_>) -> Scores,
}

/// A score a voice, nothing where there is none; or why the method does not apply.
type Scores = Result<Vec<Option<f64>>, String>;

/// Scores that differ by less are equal: sums of the same rows in another order.
const EQUAL_SCORES: f64 = 1e-12;
/// The method that recommends.
pub(super) const CONSENSUS: &str = "consensus";
/// The method that most people use.
pub(super) const CROSS_VALIDATION: &str = "cross_validation";
/// The method of the tournament.
pub(super) const REVERSE_TESTING: &str = "reverse_testing";

/// Every method, in the order in which tables show them.
pub static METHODS: &[Method] = &[
    Method {
        id: CONSENSUS,
        name: "consensus selection",
        reference: "calibrated ensemble after Hu et al. 2024, shrunk to cross-validation",
        is_higher_better: true,
        is_estimate: false,
        scores: consensus,
    },
    Method {
        id: CROSS_VALIDATION,
        name: "cross-validation",
        reference: "Stone 1974",
        is_higher_better: true,
        is_estimate: true,
        scores: |evidence| Ok(evidence.extras.cross_validated.clone()),
    },
    Method {
        id: "leave_one_out",
        name: "leave-one-out",
        reference: "Lachenbruch and Mickey 1968",
        is_higher_better: true,
        is_estimate: true,
        scores: leave_one_out,
    },
    Method {
        id: REVERSE_TESTING,
        name: "ReverseTesting (Copeland score)",
        reference: "Fan and Davidson 2006",
        is_higher_better: true,
        is_estimate: false,
        scores: reverse_testing,
    },
    Method {
        id: "circular",
        name: "circular validation",
        reference: "Bruzzone and Marconcini 2010",
        is_higher_better: true,
        is_estimate: false,
        scores: circular,
    },
    Method {
        id: "reverse_validation",
        name: "reverse validation",
        reference: "Zhong et al. 2010",
        is_higher_better: true,
        is_estimate: false,
        scores: reverse_validation,
    },
    Method {
        id: "iwcv",
        name: "importance-weighted cross-validation (logistic density ratio)",
        reference: "Sugiyama, Krauledat and Müller 2007",
        is_higher_better: false,
        is_estimate: false,
        scores: |evidence| weighted_mean(evidence, &evidence.extras.logistic_ratios, Mean::Plain),
    },
    Method {
        id: "iwcv_self_normalised",
        name: "self-normalised importance-weighted cross-validation (logistic density ratio)",
        reference: "Sugiyama, Krauledat and Müller 2007",
        is_higher_better: false,
        is_estimate: false,
        scores: |evidence| weighted_mean(evidence, &evidence.extras.logistic_ratios, Mean::SelfNormalised),
    },
    Method {
        id: "iwcv_kmm",
        name: "importance-weighted cross-validation (kernel mean matching)",
        reference: "Huang et al. 2007",
        is_higher_better: false,
        is_estimate: false,
        scores: |evidence| weighted_mean(evidence, &evidence.extras.kernel_ratios, Mean::Plain),
    },
    Method {
        id: "dev",
        name: "deep embedded validation (control variate)",
        reference: "You et al. 2019",
        is_higher_better: false,
        is_estimate: false,
        scores: |evidence| weighted_mean(evidence, &evidence.extras.logistic_ratios, Mean::ControlVariate),
    },
    Method {
        id: "atc",
        name: "average thresholded confidence (largest probability)",
        reference: "Garg et al. 2022",
        is_higher_better: true,
        is_estimate: true,
        scores: |evidence| thresholded(evidence, Confidence::MaxProbability),
    },
    Method {
        id: "atc_entropy",
        name: "average thresholded confidence (negative entropy)",
        reference: "Garg et al. 2022",
        is_higher_better: true,
        is_estimate: true,
        scores: |evidence| thresholded(evidence, Confidence::NegativeEntropy),
    },
    Method {
        id: "cbpe",
        name: "confidence-based performance estimation",
        reference: "NannyML 2022",
        is_higher_better: true,
        is_estimate: true,
        scores: cbpe,
    },
    Method {
        id: "doc",
        name: "difference of confidences",
        reference: "Guillory et al. 2021",
        is_higher_better: true,
        is_estimate: true,
        scores: difference_of_confidences,
    },
    Method {
        id: "bbse",
        name: "cross-validation at the class priors of the population (black-box shift estimation)",
        reference: "Lipton, Wang and Smola 2018",
        is_higher_better: true,
        is_estimate: true,
        scores: label_shift,
    },
    Method {
        id: "structural_risk",
        name: "structural risk bound",
        reference: "Vapnik 1995",
        is_higher_better: false,
        is_estimate: false,
        scores: structural_risk,
    },
    Method {
        id: "ensemble_agreement",
        name: "agreement with the ensemble (evidence only)",
        reference: "Hu et al. 2024",
        is_higher_better: true,
        is_estimate: false,
        scores: agreement,
    },
];

/// The scores of a method for some learners, or why there are none.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MethodScores {
    /// The place of the method in the registry.
    pub(super) method: usize,
    /// One a voice.
    pub(super) outcome: Scores,
    /// The places of the voices, the best first, where the method orders them by more than the score.
    pub(super) order: Option<Vec<usize>>,
}

impl MethodScores {
    pub(super) fn method(&self) -> &'static Method {
        &METHODS[self.method]
    }

    /// How good a score is.
    fn gain(&self, score: f64) -> f64 {
        if self.method().is_higher_better { score } else { -score }
    }

    /// The voices that have a score, the best first; of equals the first named.
    pub(super) fn order(&self) -> Vec<usize> {
        if let Some(order) = &self.order {
            return order.clone();
        }
        let Ok(scores) = &self.outcome else { return Vec::new() };
        let gain = |voice: usize| scores[voice].map_or(f64::NEG_INFINITY, |score| self.gain(score));
        let mut order: Vec<usize> = (0..scores.len()).filter(|&voice| scores[voice].is_some()).collect();
        order.sort_by(|&a, &b| gain(b).total_cmp(&gain(a)));
        // Rounding orders nobody.
        for equals in order.chunk_by_mut(|&a, &b| are_equal(gain(a), gain(b))) {
            equals.sort_unstable();
        }
        order
    }

    /// The voice that it would take.
    pub(super) fn choice(&self) -> Option<usize> {
        self.order().first().copied()
    }

    /// Whether no other voice does better; a method that orders equals has one such voice.
    pub(super) fn takes(&self, voice: usize) -> bool {
        let Ok(scores) = &self.outcome else { return false };
        let best = self.choice().and_then(|best| scores[best]);
        match &self.order {
            Some(order) => order.first() == Some(&voice),
            None => best.zip(scores[voice]).is_some_and(|(best, score)| are_equal(best, score)),
        }
    }

    /// The voice that it would take, this one if it is among equals.
    pub(super) fn choice_near(&self, voice: Option<usize>) -> Option<usize> {
        voice.filter(|&voice| self.takes(voice)).or_else(|| self.choice())
    }

    /// The place of each voice in its order, the best having place 1; equals share the better place, unless the method orders them.
    pub(super) fn ranks(&self) -> Vec<(usize, u64, f64)> {
        let order = self.order();
        let Ok(scores) = &self.outcome else { return Vec::new() };
        let mut ranks: Vec<(usize, u64, f64)> = Vec::with_capacity(order.len());
        for (place, &voice) in order.iter().enumerate() {
            let score = scores[voice].unwrap_or(f64::NAN);
            let shared = ranks.last().filter(|(_, _, last)| self.order.is_none() && are_equal(*last, score));
            ranks.push((voice, shared.map_or(place as u64 + 1, |(_, rank, _)| *rank), score));
        }
        ranks
    }
}

/// Whether scores differ by no more than rounding.
fn are_equal(a: f64, b: f64) -> bool {
    (a - b).abs() <= EQUAL_SCORES * a.abs().max(1.0)
}

/// What every method says.
pub(super) fn scores_of_methods(evidence: &Evidence<'_>) -> Vec<MethodScores> {
    let of = |(place, method): (usize, &Method)| MethodScores {
        method: place,
        outcome: (method.scores)(evidence),
        order: match method.id {
            REVERSE_TESTING => evidence
                .tournament
                .as_ref()
                .map(|tournament| tournament.order.iter().map(|ranked| ranked.learner).collect()),
            CONSENSUS => evidence.scores.as_ref().ok().map(|scores| scores.order.clone()),
            _ => None,
        },
    };
    METHODS.iter().enumerate().map(of).collect()
}

/// That a method is one of accuracy alone.
fn of_accuracy(evidence: &Evidence<'_>) -> Result<(), String> {
    match evidence.metric {
        SelectionMetric::Pcc => Ok(()),
        _ => Err("it estimates accuracy only".to_owned()),
    }
}

/// One score a voice.
fn each(evidence: &Evidence<'_>, score: impl Fn(usize, &Voice) -> Option<f64>) -> Scores {
    Ok(evidence.voices.iter().enumerate().map(|(place, voice)| score(place, voice)).collect())
}

fn consensus(evidence: &Evidence<'_>) -> Scores {
    let scores = evidence.scores.as_ref().map_err(Clone::clone)?;
    Ok(scores.candidates.iter().map(|one| one.score.clone().ok()).collect())
}

fn performance(evidence: &Evidence<'_>, said: &Posteriors) -> Option<f64> {
    evidence.populations.labelled().performance(evidence.metric, said)
}

/// The figures of what was said of labelled rows, as far as it was said.
fn performances(
    evidence: &Evidence<'_>,
    said: &Option<Vec<Result<Posteriors, String>>>,
    why: &str,
) -> Scores {
    let said = said.as_ref().ok_or_else(|| why.to_owned())?;
    Ok(said.iter().map(|said| performance(evidence, said.as_ref().ok()?)).collect())
}

fn leave_one_out(evidence: &Evidence<'_>) -> Scores {
    performances(
        evidence,
        &evidence.extras.leave_one_out,
        "it was not asked for: one model for each labelled row",
    )
}

fn reverse_validation(evidence: &Evidence<'_>) -> Scores {
    if evidence.metric == SelectionMetric::Benefit {
        return Err("its reverse models say nothing of what a case is worth".to_owned());
    }
    performances(
        evidence,
        &evidence.extras.reverse_validation,
        "it was not asked for: twice the models of the cross-validation",
    )
}

fn reverse_testing(evidence: &Evidence<'_>) -> Scores {
    let tournament = evidence.tournament.as_ref().ok_or("no reverse models were trained")?;
    Ok(tournament.copeland.iter().copied().map(Some).collect())
}

fn circular(evidence: &Evidence<'_>) -> Scores {
    let reverse = evidence.extras.reverse.as_ref().ok_or("no reverse models were trained")?;
    let total = match evidence.metric {
        SelectionMetric::Auroc => 1.0,
        SelectionMetric::Pcc | SelectionMetric::Benefit => evidence.populations.labelled().total_weight(),
    };
    each(evidence, |place, _| Some(reverse.value(place, place)? / total))
}

/// How weighted losses are averaged.
#[derive(Clone, Copy)]
enum Mean {
    Plain,
    SelfNormalised,
    ControlVariate,
}

fn weighted_mean(evidence: &Evidence<'_>, ratios: &Option<Result<Vec<f64>, String>>, mean: Mean) -> Scores {
    let ratios = ratios.as_ref().ok_or("no density ratio was estimated")?.as_ref().map_err(Clone::clone)?;
    if evidence.metric == SelectionMetric::Auroc {
        return Err("the AUROC is no mean of losses of single rows".to_owned());
    }
    each(evidence, |_, voice| {
        let losses = losses(evidence, voice);
        // Weights of rows multiply the ratio, by their mean: ratios are of mean one.
        let weights = evidence.populations.train.weights();
        let mean_weight = evidence.populations.labelled().total_weight() / losses.len() as f64;
        let weight = |row: usize| weights.map_or(1.0, |weights| weights[row] / mean_weight);
        let ratios: Vec<f64> = ratios.iter().enumerate().map(|(row, ratio)| ratio * weight(row)).collect();
        let losses = WeightedLosses::new(&losses, &ratios).ok()?;
        match mean {
            Mean::Plain => Some(losses.mean()),
            Mean::SelfNormalised => losses.self_normalised().ok(),
            Mean::ControlVariate => losses.control_variate().ok().map(|risk| risk.risk),
        }
    })
}

/// The loss of each labelled row out of fold: one for a wrong class, or the benefit with its sign turned.
fn losses(evidence: &Evidence<'_>, voice: &Voice) -> Vec<f64> {
    let decided = voice.held_out.decisions.classes();
    let truth = evidence.populations.target.codes();
    match evidence.populations.train_benefits.filter(|_| evidence.metric == SelectionMetric::Benefit) {
        Some(benefits) => {
            let loss = |(row, &acts): (usize, &u32)| f64::from(acts) * (benefits.cost - benefits.actual[row]);
            decided.iter().enumerate().map(loss).collect()
        }
        None => {
            decided.iter().zip(truth).map(|(decided, truth)| f64::from(u8::from(decided != truth))).collect()
        }
    }
}

fn thresholded(evidence: &Evidence<'_>, confidence: Confidence) -> Scores {
    of_accuracy(evidence)?;
    each(evidence, |place, _| {
        let candidate = &evidence.candidates[place];
        Some(atc(confidence, &candidate.held_out, &candidate.unlabelled).ok()?.estimate)
    })
}

fn difference_of_confidences(evidence: &Evidence<'_>) -> Scores {
    of_accuracy(evidence)?;
    each(evidence, |place, _| {
        let candidate = &evidence.candidates[place];
        Some(doc(&candidate.held_out, &candidate.unlabelled).ok()?.estimate())
    })
}

fn cbpe(evidence: &Evidence<'_>) -> Scores {
    each(evidence, |_, voice| {
        let calibrated = isotonic(evidence, voice)?;
        let said = Predictions::new(&calibrated).with_decisions(&voice.deployed.decisions).ok()?;
        let said = match evidence.populations.deploy.weights() {
            Some(weights) => said.with_weight(weights).ok()?,
            None => said,
        };
        CalibratedPerformance::of(&said).value(&evidence.criterion).ok()?.ok()
    })
}

/// Probabilities for the population by isotonic regression of the labelled rows out of fold, class by class.
fn isotonic(evidence: &Evidence<'_>, voice: &Voice) -> Option<ClassProbabilities> {
    let (held_out, deployed) = (&voice.held_out.probabilities, &voice.deployed.probabilities);
    let n_classes = held_out.n_classes();
    let (codes, weights) = (evidence.populations.target.codes(), evidence.populations.train.weights());
    let calibrator = |class: usize| {
        let row = |(row, score): (usize, f64)| Scored {
            score,
            weight: weights.map_or(1.0, |weights| weights[row]),
            is_positive: codes[row] as usize == class,
        };
        Calibrator::fit(CalibratorKind::Isotonic, held_out.of_class(class).enumerate().map(row).collect())
    };
    if n_classes == 2 {
        let positive = calibrator(1);
        let p: Vec<f64> = deployed.of_class(1).map(|p| positive.value(p)).collect();
        return ClassProbabilities::binary(&p).ok();
    }
    let calibrators: Vec<Calibrator> = (0..n_classes).map(calibrator).collect();
    let of_row = |row: usize| {
        let values: Vec<f64> =
            calibrators.iter().zip(deployed.row(row)).map(|(calibrator, &p)| calibrator.value(p)).collect();
        let total: f64 = values.iter().sum();
        let n = n_classes as f64;
        values.into_iter().map(move |p| if total > 0.0 { p / total } else { 1.0 / n })
    };
    ClassProbabilities::new(n_classes, (0..deployed.n_rows()).flat_map(of_row).collect()).ok()
}

fn label_shift(evidence: &Evidence<'_>) -> Scores {
    of_accuracy(evidence)?;
    let found: Vec<Result<f64, String>> = evidence
        .candidates
        .iter()
        .map(|candidate| {
            let shift = LabelShift::estimate(&candidate.held_out, &candidate.unlabelled)
                .map_err(|why| why.to_string())?;
            let truth = evidence.truth.classes();
            let decided = candidate.held_out.predictions().decisions();
            let weights = candidate.held_out.predictions().weight();
            let ratio = |row: usize| {
                let class = truth[row] as usize;
                let prior = shift.held_out_priors[class];
                let ratio = if prior > 0.0 { shift.priors[class] / prior } else { 0.0 };
                ratio * weights.map_or(1.0, |weights| weights[row])
            };
            let total: f64 = (0..truth.len()).map(ratio).sum();
            let right = (0..truth.len())
                .filter(|&row| decided.of_row(row) == truth[row] as usize)
                .map(ratio)
                .sum::<f64>();
            Ok(right / total)
        })
        .collect();
    match found.iter().find_map(|found| found.as_ref().ok()) {
        Some(_) => Ok(found.into_iter().map(Result::ok).collect()),
        None => Err(found.into_iter().find_map(Result::err).unwrap_or_default()),
    }
}

fn structural_risk(evidence: &Evidence<'_>) -> Scores {
    /// The bound fails to hold with this probability.
    const DELTA: f64 = 0.05;
    of_accuracy(evidence)?;
    let n_rows = evidence.populations.train.n_rows() as u64;
    let bounds = each(evidence, |place, _| {
        let (error, dimension) = *evidence.extras.structural.get(place)?;
        Some(RiskBound::new(error, dimension?, n_rows, DELTA).ok()?.value())
    })?;
    match bounds.iter().flatten().count() {
        0 | 1 => Err("the VC dimension is known of fewer than two of the learners".to_owned()),
        _ => Ok(bounds),
    }
}

fn agreement(evidence: &Evidence<'_>) -> Scores {
    of_accuracy(evidence)?;
    let predictions: Vec<&Predictions<'_>> =
        evidence.candidates.iter().map(|candidate| &candidate.unlabelled).collect();
    let shares = ensemble_agreement(&predictions).map_err(|error| error.to_string())?;
    Ok(shares.into_iter().map(Some).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four fifths as a sum of weights and as a quotient.
    #[test]
    fn scores_that_differ_by_rounding_share_a_rank() {
        let scores = vec![Some(0.799_999_999_999_999_9), Some(0.8), Some(0.7), None];
        let method = METHODS.iter().position(|method| method.id == "bbse").expect("a method");
        let ranks = MethodScores { method, outcome: Ok(scores), order: None }.ranks();
        let places: Vec<(usize, u64)> = ranks.into_iter().map(|(voice, rank, _)| (voice, rank)).collect();
        assert_eq!(places, [(0, 1), (1, 1), (2, 3)]);
    }
}
