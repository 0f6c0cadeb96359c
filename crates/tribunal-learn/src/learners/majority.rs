//! The share of each class, whatever the row: what every other learner has to beat.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::character::{Character, Shape, Work};
use super::form::{Family, LearnerForm};
use super::learner::{Fit, Method};
use super::log_scores::shares;
use crate::encoding::Encoded;
use crate::error::Error;
use crate::explanation::{Explanation, Reasons};
use crate::model::{Case, Fitted, Scorer};
use crate::model_shape::{ModelShape, are_weights};
use crate::names::Names;
use crate::posteriors::Posteriors;
use crate::training::Training;

/// The learner has no settings.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Majority;

pub(crate) const FORM: LearnerForm = LearnerForm {
    name: "majority",
    family: Family::Baseline,
    form: "majority",
    definition: "gives every row the share of each class among the training rows",
    reference: "Holte 1993",
    examples: &[("majority", "the baseline of every comparison")],
    minds: &[],
    parse: |_| Ok(Method::Majority(Majority)),
};

impl Fit for Majority {
    fn form(&self) -> &'static LearnerForm {
        &FORM
    }

    fn character(&self) -> Character {
        Character::new(Shape::Shares, Work::Counting)
    }

    fn fit(&self, training: &Training<'_>, _seed: u64) -> Result<Fitted, Error> {
        Ok(Fitted::Majority(Shares::of(training)))
    }
}

impl fmt::Display for Majority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(FORM.name)
    }
}

/// The weight of each class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Shares {
    class_weights: Vec<f64>,
}

impl Shares {
    /// The classes of training rows. Rows without any weight have equal shares.
    pub(crate) fn of(training: &Training<'_>) -> Self {
        Shares { class_weights: training.class_weights() }
    }

    fn shares(&self) -> Vec<f64> {
        shares(&self.class_weights)
    }
}

impl Scorer for Shares {
    fn fits(&self, shape: &ModelShape) -> bool {
        self.class_weights.len() == shape.n_classes && are_weights(&self.class_weights)
    }

    fn posteriors(&self, rows: &Encoded<'_>) -> Posteriors {
        let n_rows = rows.n_rows();
        let shares = self.shares();
        Posteriors::from_rows(shares.len(), std::iter::repeat_n(&shares[..], n_rows))
    }

    fn text(&self, names: &Names) -> String {
        let line = |(class, share): (&String, f64)| format!("{class}: {:.4}\n", share);
        names.classes.iter().zip(self.shares()).map(line).collect()
    }

    fn explain(&self, _case: &Case<'_>, names: &Names) -> Explanation {
        let shares = self.shares();
        let reasons = Reasons::evidence(names, &shares, &shares, Vec::new());
        Explanation { posteriors: shares, reasons }
    }
}
