//! Tree-augmented naive Bayes: every column may lean on one other, besides the class.
//!
//! **Definition** The columns form a tree, the maximum spanning tree of their mutual information given the class, with the
//! first column as its root, or the first of its strongest pair; columns of which the training rows show one value only are
//! passed over. p(t | x) is proportional to p(t) times the product of p(x | t, value of the parent). Shares
//! are smoothed like those of naive Bayes. A missing value adds nothing, and where the parent's value is missing a column
//! speaks as in naive Bayes. Numbers are cut into bins that tell about the class (Fayyad and Irani 1993).
//!
//! **Undefined when** every class is impossible: the prior stands.
//!
//! **Reference** Friedman, Geiger and Goldszmidt 1997; Viaene et al. 2002.

mod cross;
mod leave_one_out;
mod model;
mod pair_table;
mod promising;
mod structure;

use std::fmt;

use super::arguments::written;
use super::character::{Character, Shape, Work};
use super::form::{Family, LearnerForm, Minds};
use super::learner::{Fit, Method};
use super::smoothing::{Smoothing, Towards};
use crate::encoding::View;
use crate::error::{Error, ErrorKind};
use crate::kind::BinRule;
use crate::model::Fitted;
use crate::training::Training;

pub(crate) use cross::cross;
pub(crate) use model::TanModel;
use structure::Root;

/// How numbers are cut.
pub(crate) const NUMERIC_RULE: BinRule = BinRule::Mdl;

/// So many columns are compared with each other: 50 million pairs, a gigabyte and a half.
const MOST_COLUMNS: usize = 10_000;

fn too_many_pairs(n_columns: usize) -> Error {
    let n_pairs = n_columns * (n_columns - 1) / 2;
    let problem =
        format!("tan compares each of {n_columns} columns with every other, which is {n_pairs} pairs");
    Error::new(ErrorKind::TooWide, problem)
        .advise(format!("give it {MOST_COLUMNS} columns at most, or use nb, which looks at each by itself"))
}

/// The settings of TAN.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tan {
    pub(crate) smoothing: Smoothing,
    root: Root,
}

pub(crate) const FORM: LearnerForm = LearnerForm {
    name: "tan",
    family: Family::Tan,
    form: "tan[:N0][,smoothing=marginal][,root=strongest] or tan:laplace or tan:alpha=A",
    definition: "naive Bayes in which every column leans on one other, chosen by mutual information given the class; \
                 N0 imagined rows smooth the counts, towards equal shares or (marginal) those over all classes; the \
                 first column leans on none, or (strongest) one of the pair that tells most about each other",
    reference: "Friedman, Geiger and Goldszmidt 1997; Viaene et al. 2002",
    examples: &[
        ("tan", "raw frequencies"),
        ("tan:5", "five imagined rows"),
        ("tan:25", "25 imagined rows"),
        ("tan:50", "50 imagined rows"),
        ("tan:5,smoothing=marginal", "smoothed as Friedman et al. did"),
        ("tan:alpha=0.5,root=strongest", "half a row for each value, as in WEKA"),
    ],
    // The root is the first column, and smoothing makes the direction of an edge matter a little.
    // A column leans on its clone, and whoever leaned on the first may lean on either.
    minds: &[Minds::ColumnOrder, Minds::ClonedColumns],
    parse: |arguments| {
        let smoothing = Smoothing::parse(arguments, Smoothing::rows(0.0))?;
        let read = |text: &str| match text {
            "uniform" => Some(Towards::Uniform),
            "marginal" => Some(Towards::Marginal),
            _ => None,
        };
        let towards = arguments.keyed("smoothing", "uniform or marginal", read)?.unwrap_or_default();
        let read = |text: &str| match text {
            "first" => Some(Root::First),
            "strongest" => Some(Root::Strongest),
            _ => None,
        };
        let root = arguments.keyed("root", "first or strongest", read)?.unwrap_or_default();
        Ok(Method::Tan(Tan { smoothing: Smoothing { towards, ..smoothing }, root }))
    },
};

impl Fit for Tan {
    fn form(&self) -> &'static LearnerForm {
        &FORM
    }

    fn character(&self) -> Character {
        Character::new(Shape::Pairs, Work::Counting)
    }

    fn view(&self) -> View {
        View::Codes(Some(NUMERIC_RULE))
    }

    fn fit(&self, training: &Training<'_>, _seed: u64) -> Result<Fitted, Error> {
        match training.columns().len() {
            n if n > MOST_COLUMNS => Err(too_many_pairs(n)),
            _ => Ok(Fitted::Tan(TanModel::fit(self, training))),
        }
    }
}

impl fmt::Display for Tan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let root = if self.root == Root::Strongest { "root=strongest" } else { "" };
        f.write_str(&written(FORM.name, [self.smoothing.text(Smoothing::rows(0.0)), root.to_owned()]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::Encoder;
    use crate::learners::golden::{check_close, toy, toy_scores};
    use pair_table::PairTable;
    use structure::{Information, information, nats};

    #[test]
    fn golden_posteriors() {
        let check = |learner: &str, expected: [f64; 4]| {
            check_close(&toy_scores(learner), &expected, 1e-10, learner);
        };
        check("tan", [0.4285714286, 0.4285714286, 0.4285714286, 1.0]);
        check("tan:5", [0.4457662701, 0.4219474498, 0.4724875494, 0.6261999830]);
        check("tan:25", [0.4356389625, 0.4117015974, 0.4494545753, 0.4815362392]);
        check("tan:50", [0.4326829699, 0.4175457009, 0.4408346320, 0.4563922556]);
        let marginal = [0.4281873179, 0.4275388507, 0.4708026494, 0.6127271927];
        check("tan:5,smoothing=marginal", marginal);
    }

    #[test]
    fn golden_structure() {
        let rows: Vec<u32> = (0..14).collect();
        let encoder = Encoder::fit(&View::Codes(None), &toy(), &rows).expect("an encoder");
        let training = Training::encode(&toy(), &rows, &encoder).expect("rows");
        let found = [(0, 1), (0, 2), (1, 2)].map(|(a, b): (usize, usize)| {
            let table = PairTable::count(&training.columns()[a], &training.columns()[b], &training);
            nats(information(&table), 14.0)
        });
        check_close(&found, &[0.21736895, 0.55675129, 0.37803614], 1e-8, "information");
        assert_eq!(Information::of(&training).tree(Root::First, &[0, 1, 2]), [None, Some(2), Some(0)]);
    }
}
