//! The support vector machine: the hyperplane with the widest margin between two classes that a few rows may trespass on.
//!
//! **Definition** The least of `|w|^2 / 2 + C sum of w_i max(0, 1 - y_i f(x_i))` with `f(x) = w . x + b` and y of -1 or 1, on
//! columns of a common scale; with the kernel `exp(-d^2 / sigma^2)` the same in the space that it stands for. The dual is
//! solved by sequential minimal optimisation until the conditions of Karush, Kuhn and Tucker are violated by less than a
//! tolerance, and where it can be had to rounding errors. The score is f, not a probability; rows from 0 on are positive.
//! Of more than two classes each pair has a machine, a row is what most machines say, and of equals the first.
//! `spread` is sigma over the root of the number of columns that vary.
//!
//! **Undefined when** steps do not come to the tolerance, as with a huge C and classes that overlap: the model says so.
//!
//! **Reference** Cortes and Vapnik 1995; Fan, Chen and Lin 2005 (working sets); Fan and Davidson 2006.

mod cache;
mod explain;
mod kernel;
mod machine;
mod model;
mod polish;
mod show;
mod shrinking;
mod smo;
mod solve;

#[cfg(test)]
mod tests;

use std::fmt;

use super::arguments::{Arguments, written};
use super::character::{Character, Shape, Work};
use super::form::{Family, LearnerForm, Minds};
use super::learner::{Fit, Method};
use super::numbers::Numbers;
use super::width::Width;
use crate::encoding::View;
use crate::error::Error;
use crate::model::Fitted;
use crate::posteriors::Output;
use crate::training::Training;

pub(crate) use model::SvmModel;

/// The settings of a support vector machine.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Svm {
    pub(super) c: f64,
    pub(super) bell: Option<Width>,
    pub(super) tolerance: f64,
    pub(crate) numbers: Numbers,
}

const USUAL_C: f64 = 1.0;
const USUAL_WIDTH: Width = Width::Spread(1.0);
const USUAL_TOLERANCE: f64 = 1e-6;

/// With a larger C no row trespasses that can be kept from it, and coefficients would lose their digits.
const LARGEST_C: f64 = 1e12;

pub(crate) const FORM: LearnerForm = LearnerForm {
    name: "svm",
    family: Family::Svm,
    form: "svm[:rbf[,sigma=S|spread=S]][,c=C][,tolerance=T][,paper][,mark]",
    definition: "draws the widest margin between two classes, rows beyond it at a price of C each, linear or with bells of \
                 width sigma around rows (spread: sigma over the root of the number of columns); scores are real numbers; \
                 more classes vote in pairs; T is what the optimum may be violated by, paper scales over all rows, mark \
                 adds columns that say what was missing",
    reference: "Cortes and Vapnik 1995; Fan and Davidson 2006",
    examples: &[
        ("svm", "a linear margin, C = 1"),
        ("svm:c=10", "one that trespassing costs more"),
        ("svm:rbf", "bells, as wide as rows are apart"),
        ("svm:rbf,c=10,sigma=5", "bells of a given width"),
        ("svm:paper", "a linear margin on the scale of all rows"),
    ],
    // A column that is there twice is penalised half as much.
    minds: &[Minds::ClonedColumns],
    parse: |arguments| Svm::parse(arguments).map(Method::Svm),
};

impl Svm {
    fn parse(arguments: &mut Arguments<'_>) -> Result<Svm, Error> {
        let within = |least: f64, most: f64| {
            move |text: &str| text.parse().ok().filter(|number: &f64| (least..=most).contains(number))
        };
        let c = arguments.keyed("c", "a number from 1e-12 to 1e12", within(1e-12, LARGEST_C))?;
        let tolerance = arguments.keyed("tolerance", "a number from 1e-12 to 0.1", within(1e-12, 0.1))?;
        let bell = match kernel_word(arguments) {
            Some("rbf") => Some(Width::parse(arguments)?.unwrap_or(USUAL_WIDTH)),
            _ => None,
        };
        Ok(Svm {
            c: c.unwrap_or(USUAL_C),
            bell,
            tolerance: tolerance.unwrap_or(USUAL_TOLERANCE),
            numbers: Numbers::parse(arguments),
        })
    }

    /// The settings as text, those as usual empty.
    fn texts(&self) -> [String; 4] {
        let unusual = |key: &str, value: f64, usual: f64| match value == usual {
            true => String::new(),
            false => format!("{key}={value}"),
        };
        let width = match self.bell {
            None | Some(USUAL_WIDTH) => String::new(),
            Some(width) => width.to_string(),
        };
        [
            self.bell.map_or(String::new(), |_| "rbf".to_owned()),
            unusual("c", self.c, USUAL_C),
            width,
            unusual("tolerance", self.tolerance, USUAL_TOLERANCE),
        ]
    }
}

fn kernel_word(arguments: &mut Arguments<'_>) -> Option<&'static str> {
    arguments.word(|word| ["linear", "rbf"].into_iter().find(|known| *known == word))
}

impl Fit for Svm {
    fn form(&self) -> &'static LearnerForm {
        &FORM
    }

    fn character(&self) -> Character {
        Character::new(if self.bell.is_some() { Shape::Opaque } else { Shape::Weights }, Work::Iterating)
    }

    fn on_scale_of_all(&self) -> Option<Method> {
        Some(Method::Svm(Self { numbers: self.numbers.on_scale_of_all(), ..self.clone() }))
    }

    fn view(&self) -> View {
        self.numbers.view()
    }

    fn output(&self) -> Output {
        Output::Margins
    }

    fn fit(&self, training: &Training<'_>, _seed: u64) -> Result<Fitted, Error> {
        Ok(Fitted::Svm(SvmModel::fit(self, training)))
    }
}

impl fmt::Display for Svm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&written(FORM.name, self.texts().into_iter().chain(self.numbers.words())))
    }
}
