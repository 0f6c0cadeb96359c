//! What the learners say of the labelled rows out of fold and of the population: probabilities that can be compared, and decisions.

use serde::{Deserialize, Serialize};
use tribunal_eval::unlabelled::{
    Candidate, ClassLabels, ClassProbabilities, HeldOutPredictions, Predictions,
};
use tribunal_learn::{Calibrator, CalibratorKind, Output, Posteriors, Scored};

use super::criterion::{ActingBenefits, SelectionMetric};
use super::reverse::Populations;
use crate::error::Error;

/// How margins become probabilities: Platt's sigmoid for the second of two classes, otherwise for each class against all others.
/// Probabilities stay as they are.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct MarginCalibration {
    calibrators: Vec<Calibrator>,
}

impl MarginCalibration {
    /// Learned from what was said of labelled rows out of fold.
    fn fit(held_out: &Posteriors, populations: &Populations<'_>) -> Self {
        if held_out.output() == Output::Probabilities {
            return Self::default();
        }
        let n_classes = held_out.n_classes();
        let classes = if n_classes == 2 { 1..2 } else { 0..n_classes };
        let (codes, weights) = (populations.target.codes(), populations.train.weights());
        let scored = |class: usize| {
            let row = |(row, score): (usize, f64)| Scored {
                score,
                weight: weights.map_or(1.0, |weights| weights[row]),
                is_positive: codes[row] as usize == class,
            };
            held_out.of_class(class).enumerate().map(row).collect()
        };
        Self {
            calibrators: classes.map(|class| Calibrator::fit(CalibratorKind::Platt, scored(class))).collect(),
        }
    }

    /// Whether it is what scores of so many classes need.
    pub(crate) fn fits(&self, output: Output, n_classes: usize) -> bool {
        let needed = match (output, n_classes) {
            (Output::Probabilities, _) => 0,
            (Output::Margins, 2) => 1,
            (Output::Margins, n_classes) => n_classes,
        };
        self.calibrators.len() == needed
    }

    /// The probabilities of every row.
    ///
    /// # Errors
    /// What was said are margins and nothing was learned of them, or numbers that are no probabilities.
    pub(crate) fn probabilities(&self, said: &Posteriors) -> Result<ClassProbabilities, Error> {
        let n_classes = said.n_classes();
        let values = match (said.output(), &self.calibrators[..]) {
            (Output::Probabilities, _) => (0..said.n_rows()).flat_map(|row| said.row(row)).copied().collect(),
            (Output::Margins, [positive]) => {
                said.of_class(1).map(|margin| positive.value(margin)).flat_map(|p| [1.0 - p, p]).collect()
            }
            (Output::Margins, []) => return Err(Error::data("margins are no probabilities")),
            (Output::Margins, calibrators) => {
                let of_row = |row: usize| {
                    let values: Vec<f64> = calibrators
                        .iter()
                        .zip(said.row(row))
                        .map(|(one, &margin)| one.value(margin))
                        .collect();
                    let total: f64 = values.iter().sum();
                    let n = n_classes as f64;
                    values.into_iter().map(move |p| if total > 0.0 { p / total } else { 1.0 / n })
                };
                (0..said.n_rows()).flat_map(of_row).collect()
            }
        };
        Ok(ClassProbabilities::new(n_classes, normalised(n_classes, values))?)
    }

    /// What was said as a metric judges it: benefits go by probabilities, other metrics by the margins themselves.
    ///
    /// # Errors
    /// As [`probabilities`](Self::probabilities).
    pub(super) fn judged(&self, said: Posteriors, metric: SelectionMetric) -> Result<Posteriors, Error> {
        match (metric, said.output()) {
            (SelectionMetric::Benefit, Output::Margins) => {
                let probabilities = self.probabilities(&said)?;
                Ok(Posteriors::from_values(said.n_classes(), probabilities.values().to_vec())?)
            }
            _ => Ok(said),
        }
    }
}

/// Of two classes the positive one keeps its probability to the last bit, so that figures are those of the scores that a plain fit
/// gives: near one and zero learners keep the order of log-odds, and the two need not add up to one there.
const NEARLY_ONE: f64 = 1e-6;

/// Rows that add up to one but for rounding, made to.
fn normalised(n_classes: usize, mut values: Vec<f64>) -> Vec<f64> {
    for row in values.chunks_mut(n_classes) {
        let total: f64 = row.iter().sum();
        match row {
            [negative, positive] if (total - 1.0).abs() < NEARLY_ONE => *negative = 1.0 - *positive,
            row if total > 0.0 && total.is_finite() => row.iter_mut().for_each(|p| *p /= total),
            _ => {}
        }
    }
    values
}

/// What one learner says of some rows.
#[derive(Clone, Debug)]
pub(super) struct Said {
    /// Probabilities or margins, as the metric judges them.
    pub(super) posteriors: Posteriors,
    /// The same as probabilities.
    pub(super) probabilities: ClassProbabilities,
    /// The class that it decides for.
    pub(super) decisions: ClassLabels,
}

/// What one learner says of all rows.
#[derive(Clone, Debug)]
pub(super) struct Voice {
    /// Its place among the learners.
    pub(super) learner: usize,
    /// Of the labelled rows, each by a model that had not seen it.
    pub(super) held_out: Said,
    /// Of the population, by the model of all labelled rows.
    pub(super) deployed: Said,
    /// How its margins become probabilities.
    pub(super) calibration: MarginCalibration,
}

impl Voice {
    /// # Errors
    /// What was said are no probabilities.
    pub(super) fn new(
        learner: usize,
        (held_out, deployed): (Posteriors, Posteriors),
        populations: &Populations<'_>,
        metric: SelectionMetric,
    ) -> Result<Self, Error> {
        let calibration = MarginCalibration::fit(&held_out, populations);
        let said = |posteriors: Posteriors, benefits: Option<&ActingBenefits>| {
            let probabilities = calibration.probabilities(&posteriors)?;
            let codes: Vec<u32> = match (metric, benefits) {
                (SelectionMetric::Benefit, Some(benefits)) => {
                    let acts = |(row, p): (usize, f64)| u32::from(benefits.acts(row, p));
                    probabilities.of_class(1).enumerate().map(acts).collect()
                }
                _ => posteriors.predicted().map(|class| class as u32).collect(),
            };
            let decisions = ClassLabels::new(probabilities.n_classes(), codes)?;
            let posteriors = calibration.judged(posteriors, metric)?;
            Ok::<Said, Error>(Said { posteriors, probabilities, decisions })
        };
        Ok(Self {
            learner,
            held_out: said(held_out, populations.train_benefits)?,
            deployed: said(deployed, populations.deploy_benefits)?,
            calibration,
        })
    }

    /// Its predictions for the population.
    ///
    /// # Errors
    /// The weights are those of other rows.
    pub(super) fn on_deployed<'a>(&'a self, weights: Option<&'a [f64]>) -> Result<Predictions<'a>, Error> {
        let said = Predictions::new(&self.deployed.probabilities).with_decisions(&self.deployed.decisions)?;
        Ok(match weights {
            Some(weights) => said.with_weight(weights)?,
            None => said,
        })
    }

    /// Its predictions for the labelled rows, beside the truth.
    ///
    /// # Errors
    /// The truth is one of other rows.
    pub(super) fn on_held_out<'a>(
        &'a self,
        truth: &'a ClassLabels,
        weights: Option<&'a [f64]>,
    ) -> Result<HeldOutPredictions<'a>, Error> {
        let said = Predictions::new(&self.held_out.probabilities).with_decisions(&self.held_out.decisions)?;
        let said = match weights {
            Some(weights) => said.with_weight(weights)?,
            None => said,
        };
        Ok(HeldOutPredictions::new(said, truth)?)
    }

    /// As the rules of consensus see it.
    ///
    /// # Errors
    /// The truth is one of other rows.
    pub(super) fn candidate<'a>(
        &'a self,
        truth: &'a ClassLabels,
        [labelled, deployed]: [Option<&'a [f64]>; 2],
    ) -> Result<Candidate<'a>, Error> {
        Ok(Candidate {
            held_out: self.on_held_out(truth, labelled)?,
            unlabelled: self.on_deployed(deployed)?,
        })
    }

    /// Whether it decides for the same class in every row of the population.
    pub(super) fn decides_for_one_class(&self) -> bool {
        self.deployed.decisions.classes().windows(2).all(|pair| pair[0] == pair[1])
    }
}

#[cfg(test)]
mod tests {
    use tribunal_learn::{Column, Dataset, Kind, Target, Values};

    use super::*;

    fn tables(codes: &[u32], n_classes: usize) -> [Dataset; 2] {
        let table = |n: usize| {
            let column =
                Column::new("x", Kind::Numeric, Values::Numbers((0..n).map(|row| row as f64).collect()));
            Dataset::new(vec![column.expect("a column")]).expect("a table")
        };
        let classes: Vec<String> = (0..n_classes).map(|class| format!("c{class}")).collect();
        let target = Target::new("y", classes, codes.to_vec()).expect("a target");
        [table(codes.len()).with_target(target).expect("rows"), table(2)]
    }

    /// `svm` gives margins; its decisions stay those of the margins, and its probabilities order rows as the margins do.
    #[test]
    fn margins_become_probabilities_of_the_same_order() {
        let codes = [0, 0, 1, 0, 1, 1, 0, 1];
        let [train, deploy] = tables(&codes, 2);
        let populations = Populations::new(&train, &deploy).expect("a target");
        let rows: Vec<u32> = (0..8).collect();
        let model = "svm:linear,c=1"
            .parse::<tribunal_learn::Learner>()
            .expect("a learner")
            .fit(&train, &rows, 1)
            .expect("a model");
        let held_out = model.posteriors(&train, &rows).expect("margins");
        let deployed = model.posteriors(&deploy, &[0, 1]).expect("margins");
        assert_eq!(held_out.output(), Output::Margins);
        let voice =
            Voice::new(0, (held_out.clone(), deployed), &populations, SelectionMetric::Pcc).expect("a voice");
        let p: Vec<f64> = voice.held_out.probabilities.of_class(1).collect();
        let margins = held_out.scores();
        for a in 0..8 {
            for b in 0..8 {
                assert_eq!(p[a] < p[b], margins[a] < margins[b]);
            }
        }
        let decided: Vec<u32> = held_out.predicted().map(|class| class as u32).collect();
        assert_eq!(voice.held_out.decisions.classes(), decided);
    }

    #[test]
    fn benefits_go_by_probabilities() {
        let [train, deploy] = tables(&[0, 0, 1, 0, 1, 1, 0, 1], 2);
        let of =
            |cost: f64, n: usize| ActingBenefits { cost, believed: vec![10.0; n], actual: vec![10.0; n] };
        let (train_benefits, deploy_benefits) = (of(4.0, 8), of(4.0, 2));
        let populations = Populations {
            train_benefits: Some(&train_benefits),
            deploy_benefits: Some(&deploy_benefits),
            ..Populations::new(&train, &deploy).expect("a target")
        };
        let margins = |values: &[f64]| Posteriors::from_margins(2, values.to_vec()).expect("margins");
        let one = |margin: f64| [-margin, margin];
        let held_out: Vec<f64> =
            [-3.0, -2.0, 0.5, -1.0, 1.0, 2.0, -0.5, 3.0].into_iter().flat_map(one).collect();
        let said = (margins(&held_out), margins(&[one(0.3), one(-9.0)].concat()));
        let voice = Voice::new(0, said, &populations, SelectionMetric::Benefit).expect("a voice");
        assert_eq!(voice.deployed.posteriors.output(), Output::Probabilities);
        // A case pays from a probability of .4 on, whatever its margin.
        assert_eq!(voice.deployed.decisions.classes(), [1, 0]);
        let benefit = |said: &Posteriors| populations.labelled().performance(SelectionMetric::Benefit, said);
        assert!(benefit(&voice.held_out.posteriors).is_some());
        assert_eq!(benefit(&margins(&held_out)), None);
    }

    /// Near one a learner keeps the order of log-odds, and its probabilities add up to a little less than one.
    #[test]
    fn the_probability_of_the_positive_class_is_the_score_to_the_last_bit() {
        let sure = 1.0 - 3.5e-10;
        let said =
            Posteriors::from_values(2, vec![1e-13, sure, sure, 1e-13, 0.25, 0.75]).expect("posteriors");
        let found = MarginCalibration::default().probabilities(&said).expect("probabilities");
        assert_eq!(found.of_class(1).collect::<Vec<f64>>(), said.scores());
        assert_eq!(found.row(0), [1.0 - sure, sure]);
        let counts = Posteriors::from_values(2, vec![3.0, 1.0]).expect("posteriors");
        assert_eq!(MarginCalibration::default().probabilities(&counts).expect("shares").row(0), [0.75, 0.25]);
    }

    #[test]
    fn probabilities_stay_as_they_are() {
        let [train, deploy] = tables(&[0, 1, 2], 3);
        let populations = Populations::new(&train, &deploy).expect("a target");
        let said = Posteriors::from_values(3, vec![0.5, 0.25, 0.25, 0.1, 0.1, 0.8, 0.0, 1.0, 0.0])
            .expect("posteriors");
        let voice = Voice::new(0, (said.clone(), said.take(&[0, 1])), &populations, SelectionMetric::Pcc)
            .expect("a voice");
        assert_eq!(voice.held_out.probabilities.row(1), [0.1, 0.1, 0.8]);
        assert_eq!(voice.deployed.decisions.classes(), [0, 2]);
        assert!(!voice.decides_for_one_class());
    }
}
