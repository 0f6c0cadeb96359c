//! Logistic regression: the log-odds of a class are a weighted sum of the columns.
//!
//! **Definition** The coefficients of the greatest likelihood, by Fisher scoring with relative ridging, to machine precision;
//! the protocol `paper` stops where SAS did for Viaene et al. (2002). Columns that are combinations of earlier ones are left
//! out. Three or more classes are compared with the first, all at once. `l2` takes `l2 / 2` times the squared slopes of the
//! standardised columns off the likelihood.
//!
//! **Undefined when** columns separate the classes: the likelihood has no maximum. The steps end after 25, the coefficients
//! are finite, and the model says so.
//!
//! **Reference** Cox 1958; McCullagh and Nelder 1989; Albert and Anderson 1984 (separation); le Cessie and van Houwelingen
//! 1992 (penalty).

mod bundles;
mod cross;
mod design;
mod inference;
mod likelihood;
mod model;
mod newton;

#[cfg(test)]
mod tests;

use std::fmt;

use super::arguments::{amount, written};
use super::character::{Character, Shape, Work};
use super::form::{Family, LearnerForm};
use super::learner::{Fit, Method};
use super::numbers::Numbers;
use crate::encoding::View;
use crate::error::{Error, ErrorKind};
use crate::model::Fitted;
use crate::names::FeatureName;
use crate::training::Training;

pub(crate) use cross::cross;
pub(crate) use model::LogitModel;

/// The settings of logistic regression.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Logit {
    pub(crate) l2: f64,
    pub(crate) numbers: Numbers,
}

pub(crate) const FORM: LearnerForm = LearnerForm {
    name: "logit",
    family: Family::Logit,
    form: "logit[:l2=L][,paper][,mark]",
    definition: "gives the log-odds of a class as a weighted sum of the columns, with the weights of the greatest \
                 likelihood; L penalises large weights, paper scales over all rows and stops as SAS does, mark adds a \
                 column where values are missing",
    reference: "Cox 1958; Viaene et al. 2002",
    examples: &[
        ("logit", "the coefficients of the greatest likelihood"),
        ("logit:l2=1", "coefficients drawn towards zero"),
        ("logit:paper", "as in the study of 2002"),
    ],
    minds: &[],
    parse: |arguments| {
        let l2 = arguments.keyed("l2", "zero or a number above", amount)?.unwrap_or(0.0);
        Ok(Method::Logit(Logit { l2, numbers: Numbers::parse(arguments) }))
    },
};

impl Logit {
    /// Whether what it says of a row is the same on any scale of the columns.
    pub(crate) fn is_free_of_scale(&self) -> bool {
        self.l2 == 0.0 && !self.numbers.paper
    }
}

/// The information of more columns would neither fit in memory nor be factored in any patience.
const MOST_COEFFICIENTS: usize = 5_000;

/// How many slopes there may be.
fn n_coefficients(training: &Training<'_>) -> usize {
    training.matrix().n_columns() * (training.n_classes - 1)
}

impl Fit for Logit {
    fn form(&self) -> &'static LearnerForm {
        &FORM
    }

    fn character(&self) -> Character {
        Character::new(Shape::Weights, Work::Solving)
    }

    fn on_scale_of_all(&self) -> Option<Method> {
        Some(Method::Logit(Self { numbers: self.numbers.on_scale_of_all(), ..self.clone() }))
    }

    fn view(&self) -> View {
        self.numbers.view()
    }

    fn fit(&self, training: &Training<'_>, _seed: u64) -> Result<Fitted, Error> {
        let n_coefficients = n_coefficients(training);
        if n_coefficients > MOST_COEFFICIENTS {
            let problem = format!("{n_coefficients} coefficients are more than {MOST_COEFFICIENTS}");
            return Err(Error::new(ErrorKind::TooWide, problem)
                .advise("leave columns out, or choose a learner that counts levels (nb, tan, c45)"));
        }
        Ok(Fitted::Logit(LogitModel::fit(self, training)))
    }

    fn inspect(&self, fitted: Fitted, training: &Training<'_>, features: &[FeatureName]) -> Fitted {
        match fitted {
            Fitted::Logit(model) => Fitted::Logit(model.inspected(self, training, features)),
            other => other,
        }
    }
}

impl fmt::Display for Logit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let l2 = if self.l2 == 0.0 { String::new() } else { format!("l2={}", self.l2) };
        f.write_str(&written(FORM.name, std::iter::once(l2).chain(self.numbers.words())))
    }
}
