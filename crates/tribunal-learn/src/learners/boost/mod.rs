//! Gradient boosted trees: every tree mends what those before it got wrong.
//!
//! **Definition** The log-odds of a class begin at those of its share among the training rows. Tree after tree is grown on
//! the gradients of the log-loss, and the values of its leaves, G / (H + l2) times the rate with the sums of gradients and
//! second derivatives in them, are added. Of two classes the second is learned; of more each against all others, and the
//! probabilities are made to add up to one. Numbers are cut at up to 256 weighted quantiles. Missing values go to the side
//! of a split where they fit best.
//!
//! **Undefined when** the weights of rows are too large for single precision: that is an error.
//!
//! **Reference** Friedman 2001; Chen and Guestrin 2016.

mod bins;
mod derivatives;
mod draws;
mod fit;
mod grow;
mod histogram;
mod model;
mod parting;
mod settings;
mod shapley;
mod split;
mod tree;

#[cfg(test)]
mod peer_tests;
#[cfg(test)]
mod tests;

use super::character::{Character, Shape, Work};
use super::form::{Family, LearnerForm, Minds};
use super::learner::{Fit, Method};
use crate::encoding::{Missing, NumericOptions, Scaling, View};
use crate::error::Error;
use crate::model::Fitted;
use crate::training::Training;

pub(crate) use model::BoostModel;
pub(crate) use settings::Boost;

pub(crate) const FORM: LearnerForm = LearnerForm {
    name: "boost",
    family: Family::Ensemble,
    form: "boost[:trees=200][,rate=0.1][,depth=4][,leaves=N][,l2=1][,min_hessian=5][,gain=0][,sample=1][,columns=1]",
    definition: "adds trees that each mend what those before got wrong, to log-odds; a leaf has a sum of p (1 - p) of \
                 min_hessian at least, which is no number of rows (min_child_weight in xgboost, min_sum_hessian_in_leaf in \
                 LightGBM); of more than two classes each is learned against all others, and the probabilities are made \
                 to add up to one",
    reference: "Friedman 2001; Chen and Guestrin 2016",
    examples: &[
        ("boost", "200 trees of depth 4"),
        ("boost:trees=50,rate=0.3,leaves=8", "few trees of eight leaves each, grown where the loss is"),
        ("boost:trees=100,sample=0.5,columns=0.5", "each tree on half of the rows and half of the columns"),
    ],
    // Of splits that gain the same the first column is taken, and among many trees some have equal splits.
    // The lowest of equal thresholds is taken likewise.
    minds: &[Minds::ColumnOrder, Minds::Direction],
    parse: |arguments| Boost::parse(arguments).map(Method::Boost),
};

impl Fit for Boost {
    fn form(&self) -> &'static LearnerForm {
        &FORM
    }

    fn character(&self) -> Character {
        Character::new(Shape::Opaque, Work::Iterating)
    }

    fn view(&self) -> View {
        View::Numbers(NumericOptions { missing: Missing::Keep, scaling: Scaling::Off })
    }

    fn minds(&self, change: Minds) -> bool {
        // Which rows a tree is grown on is drawn row by row.
        FORM.minds.contains(&change) || self.sample < 1.0
    }

    fn fit(&self, training: &Training<'_>, seed: u64) -> Result<Fitted, Error> {
        BoostModel::fit(self, training, seed).map(Fitted::Boost)
    }
}
