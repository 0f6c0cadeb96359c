//! Any learner with a calibrator behind it: `nb:5+platt`.
//!
//! **Definition** The training rows are divided into ten folds, stratified by class; fewer where a class has fewer rows, but
//! at least two. The calibrator is fitted to what the learner says of each row when its fold is left out, and is applied to
//! what the learner says when it is fitted to all training rows. Copies of a row stay in one fold: otherwise a bootstrap
//! sample would judge rows by models that know them. With more than two classes each is calibrated against all others and
//! the values are made to add up to one.
//!
//! Platt's sigmoid is a line in the log-odds of a probability, not in the probability itself: otherwise what a model is sure
//! of would be rounded to one value, and a model that needs no calibration would be changed. Beta calibration takes the
//! logistic of a margin for a probability.
//!
//! **Undefined when** the calibrators of all classes say zero: the plain learner stands.
//!
//! **Reference** Platt 2000; Zadrozny and Elkan 2002; Niculescu-Mizil and Caruana 2005.

use std::fmt::Write;

use serde::{Deserialize, Serialize};
use tribunal_random::{Random, derive_seed};

use super::Learner;
use crate::calibration::by_class::{add_calibration, calibrated, calibrated_classes, scored_rows};
use crate::calibration::{Calibrator, CalibratorKind, Scored};
use crate::coefficients::CoefficientTable;
use crate::cross::{Folds, cross_posteriors};
use crate::dataset::Dataset;
use crate::encoding::Encoded;
use crate::error::Error;
use crate::explanation::Explanation;
use crate::model::{Case, Fitted, Scorer};
use crate::model_shape::ModelShape;
use crate::names::{FeatureName, Names};
use crate::posteriors::{Output, Posteriors};
use crate::probability::{probability, tempered_log_odds};
use crate::training::{Training, needed_target};

const MOST_FOLDS: usize = 10;

/// Tags of the seeds of the folds and of the models that leave one out.
const FOLDS_SEED: [u64; 2] = [0xCA1, 0];
const MODELS_SEED: [u64; 2] = [0xCA1, 1];

/// A model with what its probabilities are worth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Stored")]
pub(crate) struct CalibratedModel {
    model: Box<Fitted>,
    /// What calibrators are given of what the model says.
    input: CalibratorInput,
    /// One for the second of two classes, otherwise one for each class.
    calibrators: Vec<Calibrator>,
}

#[derive(Deserialize)]
struct Stored {
    model: Box<Fitted>,
    input: CalibratorInput,
    calibrators: Vec<Calibrator>,
}

/// What calibrators are given of what a model says.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum CalibratorInput {
    /// The score itself, a probability or a margin.
    Score,
    /// The log-odds of a probability.
    LogOdds,
    /// The logistic of a margin.
    Logistic,
}

impl CalibratorInput {
    fn of(kind: CalibratorKind, output: Output) -> Self {
        match (kind, output) {
            (CalibratorKind::Platt, Output::Probabilities) => CalibratorInput::LogOdds,
            (CalibratorKind::Beta, Output::Margins) => CalibratorInput::Logistic,
            _ => CalibratorInput::Score,
        }
    }

    fn value(self, score: f64) -> f64 {
        match self {
            CalibratorInput::Score => score,
            CalibratorInput::LogOdds => tempered_log_odds(score),
            CalibratorInput::Logistic => probability(score),
        }
    }

    /// What `s` stands for in the words of a calibrator.
    fn name(self) -> &'static str {
        match self {
            CalibratorInput::Score => "score",
            CalibratorInput::LogOdds => "log-odds",
            CalibratorInput::Logistic => "logistic of the margin",
        }
    }
}

impl TryFrom<Stored> for CalibratedModel {
    type Error = &'static str;

    fn try_from(Stored { model, input, calibrators }: Stored) -> Result<Self, Self::Error> {
        match (&*model, calibrators.len()) {
            (Fitted::Calibrated(_), _) => Err("a model that is calibrated twice"),
            (_, 0 | 2) => Err("calibrators that fit no number of classes"),
            _ => Ok(CalibratedModel { model, input, calibrators }),
        }
    }
}

impl CalibratedModel {
    /// Calibrates what a learner learned from rows by what it says of those it has not seen.
    ///
    /// # Errors
    /// As [`Learner::fit`].
    pub(super) fn fit(
        kind: CalibratorKind,
        (plain, fitted): (&Learner, Fitted),
        (dataset, rows): (&Dataset, &[u32]),
        training: &Training<'_>,
        seed: u64,
    ) -> Result<Self, Error> {
        let fold_of_row = stratified(needed_target(dataset)?.codes(), rows, derive_seed(seed, &FOLDS_SEED));
        let folds = Folds::new(rows, &fold_of_row)?;
        let learners = std::slice::from_ref(plain);
        let unseen = cross_posteriors(learners, dataset, &folds, derive_seed(seed, &MODELS_SEED))?;
        let input = CalibratorInput::of(kind, plain.output());
        let calibrator = |class: usize| {
            let rows = unseen.iter().flat_map(|unseen| scored_rows(training, unseen, class));
            let given = |row: Scored| Scored { score: input.value(row.score), ..row };
            Calibrator::fit(kind, rows.map(given).collect())
        };
        let calibrators = calibrated_classes(training.n_classes).map(calibrator).collect();
        Ok(CalibratedModel { model: Box::new(fitted), input, calibrators })
    }

    fn calibrate(&self, posteriors: &[f64]) -> Vec<f64> {
        let value = |idx: usize, score: f64| match self.calibrators.get(idx) {
            Some(calibrator) if !calibrator.is_identity() => calibrator.value(self.input.value(score)),
            _ => score.clamp(0.0, 1.0),
        };
        calibrated(posteriors, value)
    }
}

/// The fold of each row: the rows of each class, in random order, are dealt in turn.
fn stratified(codes: &[u32], rows: &[u32], seed: u64) -> Vec<u32> {
    let mut distinct = rows.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    Random::new(seed).shuffle(&mut distinct);
    let class = |row: &u32| codes[*row as usize];
    distinct.sort_by_key(class);
    let fewest = distinct.chunk_by(|a, b| class(a) == class(b)).map(<[u32]>::len).min();
    let n_folds = fewest.unwrap_or_default().clamp(2, MOST_FOLDS);
    let mut folds = vec![0; codes.len()];
    distinct.iter().enumerate().for_each(|(idx, &row)| folds[row as usize] = (idx % n_folds) as u32);
    rows.iter().map(|&row| folds[row as usize]).collect()
}

impl Scorer for CalibratedModel {
    fn fits(&self, shape: &ModelShape) -> bool {
        self.calibrators.len() == shape.n_functions() && self.model.scorer().fits(shape)
    }

    fn warnings(&self, features: &[FeatureName]) -> Vec<String> {
        self.model.scorer().warnings(features)
    }

    fn coefficients(&self, names: &Names) -> Option<CoefficientTable> {
        self.model.scorer().coefficients(names)
    }

    fn posteriors(&self, rows: &Encoded<'_>) -> Posteriors {
        let raw = self.model.scorer().posteriors(rows);
        let values = (0..rows.n_rows()).flat_map(|row| self.calibrate(raw.row(row))).collect();
        Posteriors::new(raw.n_classes(), values)
    }

    fn text(&self, names: &Names) -> String {
        let mut text = self.model.scorer().text(names);
        let classes = calibrated_classes(names.classes.len());
        for (class, calibrator) in names.classes[classes].iter().zip(&self.calibrators) {
            let name = self.input.name();
            let _ = write!(
                text,
                "the {name} of {class} so far (s), and the probability that it is worth\n{calibrator}"
            );
        }
        text
    }

    fn graph(&self, names: &Names) -> Option<String> {
        self.model.scorer().graph(names)
    }

    fn explain(&self, case: &Case<'_>, names: &Names) -> Explanation {
        let Explanation { posteriors: raw, mut reasons } = self.model.scorer().explain(case, names);
        let posteriors = self.calibrate(&raw);
        add_calibration(&mut reasons, names, &raw, &posteriors, "calibration");
        Explanation { posteriors, reasons }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::column::{Column, Values};
    use crate::kind::{Kind, Levels};
    use crate::model::Model;
    use crate::target::Target;

    /// One flag six times over, right in four rows of five: naive Bayes takes it for six witnesses.
    fn echoes(n_rows: u32, seed: u64) -> Dataset {
        let mut random = Random::new(seed);
        let flags: Vec<u32> = (0..n_rows).map(|_| random.below(2) as u32).collect();
        let classes = flags.iter().map(|&flag| if random.below(5) == 0 { 1 - flag } else { flag }).collect();
        let flag = |idx: usize| {
            Column::new(format!("echo{idx}"), Kind::Flag, Values::Codes(flags.clone())).expect("a flag")
        };
        let target = Target::new("y", ["no", "yes"], classes).expect("a target");
        Dataset::new((0..6).map(flag).collect()).and_then(|data| data.with_target(target)).expect("columns")
    }

    fn fitted(learner: &str, dataset: &Dataset) -> Model {
        let rows: Vec<u32> = (0..dataset.n_rows() as u32).collect();
        learner.parse::<Learner>().and_then(|learner| learner.fit(dataset, &rows, 1)).expect(learner)
    }

    /// The scores that the two values of the flag get, in rows that were not trained on.
    fn check(learner: &str, expected: [f64; 2], tolerance: f64) {
        let (trained, asked) = (echoes(2000, 1), echoes(50, 2));
        let rows: Vec<u32> = (0..50).collect();
        let scores = fitted(learner, &trained).posteriors(&asked, &rows).expect("scores").scores();
        let Values::Codes(flags) = asked.columns()[0].values() else { panic!("codes") };
        for (&flag, score) in flags.iter().zip(scores) {
            let expected = expected[flag as usize];
            assert!((score - expected).abs() < tolerance, "{learner}: {score} is not {expected}");
        }
    }

    #[test]
    fn what_is_said_six_times_over_is_taken_back() {
        check("nb", [0.0, 1.0], 0.001);
        for kind in CalibratorKind::ALL {
            check(&format!("nb+{kind}"), [0.2, 0.8], 0.03);
        }
    }

    /// Margins below zero, and probabilities that differ in the twentieth digit only, keep their order.
    #[test]
    fn calibration_ties_no_scores_that_a_model_tells_apart() {
        let mut random = Random::new(5);
        let numbers: Vec<f64> = (0..400).map(|_| random.normal()).collect();
        let classes = numbers.iter().map(|number| u32::from(number + 0.7 * random.normal() > 1.0)).collect();
        let clone = |idx: usize| {
            Column::new(format!("x{idx}"), Kind::Numeric, Values::Numbers(numbers.clone())).expect("numbers")
        };
        let target = Target::new("y", ["no", "yes"], classes).expect("a target");
        let dataset = Dataset::new((0..40).map(clone).collect()).and_then(|data| data.with_target(target));
        let dataset = dataset.expect("columns");
        let rows: Vec<u32> = (0..400).collect();
        let ranks = |learner: &str| {
            let scores = fitted(learner, &dataset).posteriors(&dataset, &rows).expect("scores").scores();
            let mut order = rows.clone();
            order.sort_by(|&a, &b| scores[a as usize].total_cmp(&scores[b as usize]));
            let n_distinct = order.chunk_by(|&a, &b| scores[a as usize] == scores[b as usize]).count();
            (order, n_distinct)
        };
        for plain in ["nb", "tan", "svm", "lssvm:linear,gamma=1"] {
            let (order, n_distinct) = ranks(plain);
            for kind in ["platt", "beta"] {
                let (calibrated, n_calibrated) = ranks(&format!("{plain}+{kind}"));
                assert!(
                    n_calibrated * 100 >= n_distinct * 99,
                    "{plain}+{kind}: {n_calibrated} of {n_distinct}"
                );
                assert!(n_calibrated < 400 || calibrated == order, "{plain}+{kind}");
            }
        }
    }

    #[test]
    fn folds_are_stratified_and_copies_stay_together() {
        let codes: Vec<u32> = (0..60).map(|row| u32::from(row % 4 == 0)).collect();
        let rows: Vec<u32> = (0..60).chain(0..30).collect();
        let folds = stratified(&codes, &rows, 3);
        assert_eq!(folds[..30], folds[60..]);
        for fold in 0..10 {
            let tested: Vec<usize> = (0..60).filter(|&row| folds[row] == fold).collect();
            let n_positive = tested.iter().filter(|&&row| codes[row] == 1).count();
            assert!(tested.len() == 6 && (1..=2).contains(&n_positive), "{tested:?}");
        }
        assert_ne!(folds, stratified(&codes, &rows, 4));
    }

    #[test]
    fn there_are_as_many_folds_as_rows_of_the_rarest_class_and_at_least_two() {
        let n_folds = |codes: &[u32]| {
            let rows: Vec<u32> = (0..codes.len() as u32).collect();
            stratified(codes, &rows, 3).into_iter().max().map(|last| last + 1)
        };
        assert_eq!(n_folds(&[0, 0, 0, 0, 0, 1, 1, 1]), Some(3));
        assert_eq!(n_folds(&[0, 0, 0, 1]), Some(2));
        assert_eq!(n_folds(&[0, 1]), Some(2));
    }

    #[test]
    fn rows_that_a_model_knows_by_heart_do_not_make_it_sure() {
        // A hundred shops with three rows each, and classes that have nothing to do with them.
        let mut random = Random::new(7);
        let levels = Levels::declared((0..100).map(|shop| shop.to_string()));
        let shops = Values::Codes((0..300).map(|row| row % 100).collect());
        let shop = Column::new("shop", Kind::Categorical(levels), shops).expect("codes");
        let classes = (0..300).map(|_| random.below(2) as u32).collect();
        let target = Target::new("y", ["no", "yes"], classes).expect("a target");
        let dataset = Dataset::new(vec![shop]).and_then(|data| data.with_target(target)).expect("columns");
        let rows: Vec<u32> = (0..300).collect();
        let most = |learner: &str| {
            let scores = fitted(learner, &dataset).posteriors(&dataset, &rows).expect("scores").scores();
            scores.into_iter().fold(0.0, f64::max)
        };
        assert_eq!(most("nb"), 1.0);
        // Not bins: large pools of equal scores leave bins of a few rows, which may all be of one class.
        for kind in [CalibratorKind::Platt, CalibratorKind::Isotonic, CalibratorKind::Beta] {
            let most = most(&format!("nb+{kind}"));
            assert!(most < 0.7, "{kind}: {most}");
        }
    }

    #[test]
    fn a_model_is_calibrated_once_and_for_its_classes() {
        let model = serde_json::to_value(fitted("nb+platt", &echoes(100, 1))).expect("as JSON");
        let check = |change: fn(&mut serde_json::Value), expected: &str| {
            let mut changed = model.clone();
            change(&mut changed["learned"]["fitted"]);
            let error = serde_json::from_value::<Model>(changed).expect_err(expected).to_string();
            assert!(error.contains(expected), "{error}");
        };
        check(
            |fitted| fitted["calibrated"]["calibrators"] = serde_json::json!(["identity", "identity"]),
            "fit no number of classes",
        );
        check(|fitted| fitted["calibrated"]["model"] = fitted.clone(), "calibrated twice");
    }
}
