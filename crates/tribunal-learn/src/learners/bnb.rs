//! Naive Bayes whose score is calibrated by bins: naive Bayes ranks well and exaggerates, the bins take that back.
//!
//! **Definition** The training rows are sorted by the probability that naive Bayes gives them and dealt into ten bins of
//! equally many rows; a row gets the share of positives of the bin that its score falls in. With more than two classes each
//! is calibrated against all others and the values are made to add up to one.
//!
//! **Undefined when** the bins of all classes say zero: naive Bayes stands.
//!
//! **Reference** Zadrozny and Elkan 2001, 2002; the bNB of Fan and Davidson (2006).

use std::fmt::{self, Write};

use serde::{Deserialize, Serialize};

use super::arguments::{count, written};
use super::character::{Character, Shape, Work};
use super::form::{Family, LearnerForm, Minds};
use super::learner::{Fit, Method};
use super::nb::NbModel;
use super::smoothing::Smoothing;
use crate::calibration::USUAL_BINS;
use crate::calibration::binning::binned;
use crate::calibration::by_class::{add_calibration, calibrated, calibrated_classes, scored_rows};
use crate::calibration::pool::Pool;
use crate::calibration::steps::Steps;
use crate::encoding::Encoded;
use crate::error::Error;
use crate::explanation::Explanation;
use crate::model::{Case, Fitted, Scorer};
use crate::model_shape::ModelShape;
use crate::names::Names;
use crate::posteriors::Posteriors;
use crate::training::Training;

/// The settings of calibrated naive Bayes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BinnedBayes {
    smoothing: Smoothing,
    n_bins: usize,
}

pub(crate) const FORM: LearnerForm = LearnerForm {
    name: "bnb",
    family: Family::NaiveBayes,
    form: "bnb[:N0][,bins=10]",
    definition: "naive Bayes whose probability is replaced by the share of positives among training rows with such a \
                 probability, in ten bins of equally many rows; one imagined row for each value unless N0 is given",
    reference: "Zadrozny and Elkan 2001; Fan and Davidson 2006",
    examples: &[("bnb", "ten bins"), ("bnb:25,bins=20", "25 imagined rows, 20 bins")],
    // As naive Bayes; bins are filled from the lowest score on.
    minds: &[Minds::ClonedColumns, Minds::ClassOrder],
    parse: |arguments| {
        let smoothing = Smoothing::parse(arguments, Smoothing::LAPLACE)?;
        let n_bins = arguments.keyed("bins", "a whole number from 1", count)?.unwrap_or(USUAL_BINS);
        Ok(Method::BinnedBayes(BinnedBayes { smoothing, n_bins }))
    },
};

impl Fit for BinnedBayes {
    fn form(&self) -> &'static LearnerForm {
        &FORM
    }

    fn character(&self) -> Character {
        Character::new(Shape::Weights, Work::Counting)
    }

    fn fit(&self, training: &Training<'_>, _seed: u64) -> Result<Fitted, Error> {
        let bayes = NbModel::fit(self.smoothing, training);
        let posteriors = bayes.posteriors(&training.inputs);
        let bins = |class: usize| {
            binned(&Pool::of_equal_scores(scored_rows(training, &posteriors, class)), self.n_bins)
        };
        let classes = calibrated_classes(training.n_classes);
        Ok(Fitted::BinnedBayes(BinnedBayesModel { bayes, bins: classes.map(bins).collect() }))
    }
}

impl fmt::Display for BinnedBayes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let smoothing = self.smoothing.text(Smoothing::LAPLACE);
        let bins = if self.n_bins == USUAL_BINS { String::new() } else { format!("bins={}", self.n_bins) };
        f.write_str(&written(FORM.name, [smoothing, bins]))
    }
}

/// Naive Bayes with the bins of its scores.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Stored")]
pub(crate) struct BinnedBayesModel {
    bayes: NbModel,
    /// One for the second of two classes, otherwise one for each class.
    bins: Vec<Steps>,
}

#[derive(Deserialize)]
struct Stored {
    bayes: NbModel,
    bins: Vec<Steps>,
}

impl TryFrom<Stored> for BinnedBayesModel {
    type Error = &'static str;

    fn try_from(Stored { bayes, bins }: Stored) -> Result<Self, Self::Error> {
        let n_expected = calibrated_classes(bayes.n_classes()).len();
        let is_sound = bins.len() == n_expected && bins.iter().all(Steps::is_sound);
        if is_sound { Ok(BinnedBayesModel { bayes, bins }) } else { Err("bins that do not fit the classes") }
    }
}

impl BinnedBayesModel {
    /// What naive Bayes says of a row, calibrated.
    fn calibrate(&self, posteriors: &[f64]) -> Vec<f64> {
        calibrated(posteriors, |idx, score| self.bins[idx].value(score))
    }
}

impl Scorer for BinnedBayesModel {
    fn fits(&self, shape: &ModelShape) -> bool {
        self.bayes.fits(shape)
    }

    fn posteriors(&self, rows: &Encoded<'_>) -> Posteriors {
        let raw = self.bayes.posteriors(rows);
        let values = (0..rows.n_rows()).flat_map(|row| self.calibrate(raw.row(row))).collect();
        Posteriors::new(raw.n_classes(), values)
    }

    fn text(&self, names: &Names) -> String {
        let mut text = self.bayes.text(names);
        let classes = calibrated_classes(names.classes.len());
        for (class, bins) in names.classes[classes].iter().zip(&self.bins) {
            let _ = write!(
                text,
                "the probability of {class} that naive Bayes gives, and what it is worth\n{bins}"
            );
        }
        text
    }

    fn explain(&self, case: &Case<'_>, names: &Names) -> Explanation {
        let Explanation { posteriors: raw, mut reasons } = self.bayes.explain(case, names);
        let posteriors = self.calibrate(&raw);
        add_calibration(&mut reasons, names, &raw, &posteriors, "calibration by bins");
        Explanation { posteriors, reasons }
    }
}
