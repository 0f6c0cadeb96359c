//! Any learner made to mind what errors cost, by a suffix: `c45+weights=1:5`, `nb:5+metacost`.
//!
//! **Definition** Costs are written behind the method, FP:FN or as a matrix ([`CostMatrix`]); without any those of the request
//! are taken. The methods:
//!
//! | suffix | what is done |
//! | --- | --- |
//! | `+weights` | training rows count by the cost of misclassifying them, rescaled to a mean of 1 |
//! | `+resample` | training rows are drawn by that cost: `ratio` (the default), `duplicate`, `rejection`, `roulette` |
//! | `+threshold` | the plain learner, calibrated on held-out folds, and the class that costs least is predicted |
//! | `+metacost` | training rows get the label that costs least, by the mean of models of bootstrap samples |
//!
//! The suffix stands behind a calibrator and applies to the calibrated learner: `nb:5+platt+weights` calibrates on weighted
//! rows, `nb:5+isotonic+threshold` moves the threshold of isotonic probabilities. `+threshold` without a calibrator takes
//! Platt's. There is one method only, so that costs enter once.
//!
//! **Undefined when** nobody names the costs, or costs are those of another number of classes than the target has.
//!
//! **Reference** Elkan 2001; Ting 2002 (weights); Zadrozny, Langford and Abe 2003 (rejection); Domingos 1999 (MetaCost).

mod fit;
mod metacost;
pub(crate) mod sample_models;
mod sampling;
mod weighting;

use std::fmt;

use self::metacost::MetaCost;
use self::sampling::Sampling;
use super::arguments::Arguments;
use super::character::{Character, Shape, Work};
use super::form::Minds;
use crate::costs::{CostMatrix, CostsWithin};
use crate::error::{Error, ErrorKind};
use crate::posteriors::Output;

/// A way to make a learner mind costs, and the costs if they are known.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CostSensitive {
    pub(crate) method: Means,
    pub(crate) costs: Option<CostMatrix>,
}

/// A method with its settings.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Means {
    Weights,
    Resample(Sampling),
    Threshold,
    MetaCost(MetaCost),
}

/// A method of cost-sensitive learning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CostMethod {
    /// Rows count by the cost of misclassifying them.
    Weights,
    /// Rows are drawn by that cost.
    Resample,
    /// The threshold of calibrated probabilities is moved.
    Threshold,
    /// Rows are relabelled by what costs least.
    MetaCost,
}

/// What a method of cost-sensitive learning is, in words and by example.
#[derive(Debug)]
pub struct CostMethodForm {
    /// Which it is.
    pub method: CostMethod,
    /// The word behind the plus.
    pub name: &'static str,
    /// How it is written.
    pub form: &'static str,
    /// What it does.
    pub definition: &'static str,
    /// Who described it.
    pub reference: &'static str,
}

/// Every method of cost-sensitive learning.
pub const COST_METHODS: [CostMethodForm; 4] = [
    CostMethodForm {
        method: CostMethod::Weights,
        name: "weights",
        form: "LEARNER+weights[=FP:FN]",
        definition: "training rows count by the cost of misclassifying them, rescaled to a mean of 1; scores are probabilities from \
                     which the costs are taken out again, cut at FP / (FP + FN) for that, margins at 0",
        reference: "Elkan 2001; Ting 2002",
    },
    CostMethodForm {
        method: CostMethod::Resample,
        name: "resample",
        form: "LEARNER+resample[=FP:FN][,ratio|duplicate|rejection|roulette][,models=10]",
        definition: "training rows are drawn by the cost of misclassifying them: negatives by the ratio of the costs (ratio), \
                     rows repeated (duplicate), kept with a probability and ten models averaged (rejection), or drawn with \
                     replacement (roulette); scores and cut as for weights",
        reference: "Elkan 2001; Zadrozny, Langford and Abe 2003",
    },
    CostMethodForm {
        method: CostMethod::Threshold,
        name: "threshold",
        form: "LEARNER[+CALIBRATOR]+threshold[=FP:FN]",
        definition: "the plain learner, calibrated on held-out folds (by Platt's sigmoid unless another calibrator is named), \
                     and the class that costs least is predicted",
        reference: "Elkan 2001; Zadrozny and Elkan 2001",
    },
    CostMethodForm {
        method: CostMethod::MetaCost,
        name: "metacost",
        form: "LEARNER+metacost[=FP:FN][,m=50][,n=N][,votes][,oob]",
        definition: "training rows get the label that costs least, by the mean probabilities of m models of n rows drawn with \
                     replacement - their votes, or only models that did not draw the row - and the learner learns these; cut \
                     at 0.5",
        reference: "Domingos 1999",
    },
];

impl CostMethod {
    /// Its entry.
    pub fn form(self) -> &'static CostMethodForm {
        match self {
            CostMethod::Weights => &COST_METHODS[0],
            CostMethod::Resample => &COST_METHODS[1],
            CostMethod::Threshold => &COST_METHODS[2],
            CostMethod::MetaCost => &COST_METHODS[3],
        }
    }

    /// The method in a word.
    pub fn name(self) -> &'static str {
        self.form().name
    }

    /// The method of a name.
    pub fn named(name: &str) -> Option<CostMethod> {
        COST_METHODS.iter().find(|form| form.name == name).map(|form| form.method)
    }
}

impl fmt::Display for CostMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl CostSensitive {
    /// Whether a suffix begins with the name of a method.
    pub(super) fn is_meant(suffix: &str) -> bool {
        CostMethod::named(&name_of(suffix)).is_some()
    }

    /// Reads a suffix such as `metacost=1:5,m=10`.
    ///
    /// # Errors
    /// A setting or the costs are not understood.
    pub(super) fn parse(suffix: &str) -> Result<CostSensitive, Error> {
        let name = name_of(suffix);
        let method = CostMethod::named(&name).ok_or_else(|| bad(suffix, "there is no such method"))?;
        let (head, settings) = suffix.split_once(',').unwrap_or((suffix, ""));
        let costs = head.split_once('=').map(|(_, costs)| costs.trim().parse()).transpose()?;
        let mut arguments = Arguments::of_list(suffix, settings);
        let means = match method {
            CostMethod::Weights => Means::Weights,
            CostMethod::Resample => Means::Resample(Sampling::parse(&mut arguments)?),
            CostMethod::Threshold => Means::Threshold,
            CostMethod::MetaCost => Means::MetaCost(MetaCost::parse(&mut arguments)?),
        };
        arguments.finish(method.form().form)?;
        Ok(CostSensitive { method: means, costs })
    }

    pub(super) fn method(&self) -> CostMethod {
        match self.method {
            Means::Weights => CostMethod::Weights,
            Means::Resample(_) => CostMethod::Resample,
            Means::Threshold => CostMethod::Threshold,
            Means::MetaCost(_) => CostMethod::MetaCost,
        }
    }

    /// The same with costs, if it has none yet.
    pub(super) fn with_costs(&self, costs: &CostMatrix) -> CostSensitive {
        CostSensitive { costs: self.costs.clone().or(Some(costs.clone())), ..self.clone() }
    }

    /// The costs, for so many classes.
    ///
    /// # Errors
    /// There are none, they are those of another number of classes, or the method knows two classes only.
    pub(super) fn needed_costs(&self, n_classes: usize) -> Result<&CostMatrix, Error> {
        let name = self.method().name();
        let costs = self.costs.as_ref().ok_or_else(|| {
            Error::new(ErrorKind::NeedsCosts, format!("+{name} is to mind costs, and nobody said which")).advise(format!(
                "write +{name}=FP:FN, as in +{name}=1:5 where a missed positive costs five times a false alarm"
            ))
        })?;
        if costs.n_classes() != n_classes {
            let problem = format!(
                "the costs {costs} are those of {} classes, and the target has {n_classes}",
                costs.n_classes()
            );
            return Err(Error::new(ErrorKind::WrongCosts, problem)
                .advise("write a row for each predicted class, as in 0:1:5/2:0:1/3:4:0 for three"));
        }
        let of_two = match &self.method {
            Means::Threshold => Some("weights or metacost"),
            Means::Resample(sampling) if sampling.is_of_two_classes() => {
                Some("resample with duplicate, rejection or roulette")
            }
            _ => None,
        };
        match of_two.filter(|_| n_classes > 2) {
            Some(others) => {
                let problem = format!("+{name} knows two classes only, and the target has {n_classes}");
                Err(Error::new(ErrorKind::WrongCosts, problem).advise(format!("choose {others}")))
            }
            None => Ok(costs),
        }
    }

    /// Where the costs are in what models of this method say.
    pub(super) fn within(&self) -> CostsWithin {
        let Some(costs) = &self.costs else { return CostsWithin::Nowhere };
        match self.method {
            Means::Weights | Means::Resample(_) => CostsWithin::weighted_rows(costs.class_weights()),
            Means::Threshold => CostsWithin::Decision(costs.class_weights()),
            Means::MetaCost(_) => CostsWithin::Training,
        }
    }

    /// Whether a change of the data that should not matter does matter to it, by design.
    pub(super) fn minds(&self, change: Minds) -> bool {
        match change {
            // Costs are those of the positive and the negative class.
            Minds::ClassOrder => true,
            // Rows are drawn by their number.
            Minds::RowOrder | Minds::Repetition | Minds::ColumnOrder => self.draws(),
            Minds::Direction | Minds::Rounding | Minds::SmallUnit | Minds::ClonedColumns => false,
        }
    }

    fn draws(&self) -> bool {
        matches!(self.method, Means::Resample(_) | Means::MetaCost(_))
    }

    /// What sort of model it makes of a learner's.
    pub(super) fn character(&self, plain: Character) -> Character {
        let many = plain.work.max(Work::Iterating);
        match &self.method {
            Means::Weights | Means::Threshold => plain,
            Means::Resample(sampling) if sampling.n_models() > 1 => Character::new(Shape::Opaque, many),
            Means::Resample(_) => plain,
            Means::MetaCost(_) => Character::new(plain.shape, many),
        }
    }

    /// Refuses margins where probabilities are needed.
    ///
    /// # Errors
    /// MetaCost is to average margins.
    pub(super) fn check_output(&self, output: Output) -> Result<(), Error> {
        match &self.method {
            Means::MetaCost(metacost) if output == Output::Margins && !metacost.votes => {
                let problem = "+metacost averages probabilities, and the learner gives margins";
                Err(Error::new(ErrorKind::CostsTwice, problem)
                    .advise("calibrate it, as in svm+platt+metacost, or count votes with +metacost,votes"))
            }
            _ => Ok(()),
        }
    }
}

/// The name that a suffix begins with.
fn name_of(suffix: &str) -> String {
    suffix.split(['=', ',']).next().unwrap_or_default().trim().to_lowercase()
}

fn bad(suffix: &str, problem: &str) -> Error {
    Error::new(ErrorKind::BadText, format!("suffix {suffix:?}: {problem}"))
}

impl fmt::Display for CostSensitive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.method().name())?;
        self.costs.as_ref().map_or(Ok(()), |costs| write!(f, "={costs}"))?;
        let settings = match &self.method {
            Means::Weights | Means::Threshold => Vec::new(),
            Means::Resample(sampling) => sampling.settings(),
            Means::MetaCost(metacost) => metacost.settings(),
        };
        settings.iter().try_for_each(|setting| write!(f, ",{setting}"))
    }
}
