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
use super::form::{Family, LearnerForm};
use super::learner::{Fit, Method};
use super::nb::NbModel;
use super::smoothing::Smoothing;
use crate::calibration::binning::binned;
use crate::calibration::pool::Pool;
use crate::calibration::steps::Steps;
use crate::calibration::{Scored, USUAL_BINS};
use crate::encoding::NominalColumn;
use crate::error::Error;
use crate::explanation::{Evidence, Explanation, Reasons};
use crate::model::{Fitted, Scorer};
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
    minds: &[],
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

    fn fit(&self, training: &Training<'_>, _seed: u64) -> Result<Fitted, Error> {
        let bayes = NbModel::fit(self.smoothing, training);
        let posteriors = bayes.posteriors(&training.columns, training.n_rows());
        let bins = |class: usize| {
            let row = |(row, score): (usize, f64)| Scored {
                score,
                weight: training.weight(row),
                is_positive: training.classes[row] as usize == class,
            };
            let rows = posteriors.of_class(class).enumerate().map(row).collect();
            binned(&Pool::of_equal_scores(rows), self.n_bins)
        };
        // Of two classes one tells about the other.
        let classes = if training.n_classes == 2 { 1..2 } else { 0..training.n_classes };
        Ok(Fitted::BinnedBayes(BinnedBayesModel { bayes, bins: classes.map(bins).collect() }))
    }
}

impl fmt::Display for BinnedBayes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let smoothing =
            if self.smoothing == Smoothing::LAPLACE { String::new() } else { self.smoothing.text() };
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
        let n_expected = if bayes.n_classes() == 2 { 1 } else { bayes.n_classes() };
        let is_sound = bins.len() == n_expected && bins.iter().all(Steps::is_sound);
        if is_sound { Ok(BinnedBayesModel { bayes, bins }) } else { Err("bins that do not fit the classes") }
    }
}

impl BinnedBayesModel {
    /// What naive Bayes says of a row, calibrated.
    fn calibrate(&self, posteriors: &[f64]) -> Vec<f64> {
        if let ([bins], [_, positive]) = (&self.bins[..], posteriors) {
            let value = bins.value(*positive);
            return vec![1.0 - value, value];
        }
        let values: Vec<f64> =
            self.bins.iter().zip(posteriors).map(|(bins, &score)| bins.value(score)).collect();
        let total: f64 = values.iter().sum();
        if total > 0.0 { values.iter().map(|value| value / total).collect() } else { posteriors.to_vec() }
    }
}

impl Scorer for BinnedBayesModel {
    fn posteriors(&self, columns: &[NominalColumn], n_rows: usize) -> Posteriors {
        let raw = self.bayes.posteriors(columns, n_rows);
        let values = (0..n_rows).flat_map(|row| self.calibrate(raw.row(row))).collect();
        Posteriors::new(raw.n_classes(), values)
    }

    fn text(&self, names: &Names) -> String {
        let mut text = self.bayes.text(names);
        let first = if self.bins.len() == 1 { 1 } else { 0 };
        for (class, bins) in names.classes.iter().skip(first).zip(&self.bins) {
            let _ = writeln!(text, "the probability of {class} that naive Bayes gives, and what it is worth");
            for (edge, value) in bins.steps() {
                let from = if edge.is_finite() { format!("from {edge:.6}") } else { "below".to_owned() };
                let _ = writeln!(text, "  {from:<28}{value:>14.6}");
            }
        }
        text
    }

    fn explain(&self, columns: &[NominalColumn], row: usize, names: &Names) -> Explanation {
        let Explanation { posteriors: raw, mut reasons } = self.bayes.explain(columns, row, names);
        let posteriors = self.calibrate(&raw);
        if let Reasons::Evidence { for_class, against_class, items, .. } = &mut reasons {
            let class =
                |name: &String| names.classes.iter().position(|class| class == name).unwrap_or_default();
            let (for_class, against_class) = (class(for_class), class(against_class));
            let log_odds = |posteriors: &[f64]| posteriors[for_class].ln() - posteriors[against_class].ln();
            let change = log_odds(&posteriors) - log_odds(&raw);
            let what = "calibration by bins".to_owned();
            items.push(Evidence { what, log_odds: if change.is_nan() { 0.0 } else { change } });
        }
        Explanation { posteriors, reasons }
    }
}
