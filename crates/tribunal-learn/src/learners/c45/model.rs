//! A fitted tree.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::classify::{Classifier, End};
use super::estimate::Smoothing;
use super::explain::Walk;
use super::tree::Tree;
use super::{show, stored};
use crate::encoding::{Encoded, NominalColumn};
use crate::error::{Error, ErrorKind};
use crate::explanation::{Explanation, Reasons};
use crate::learners::forest::Account;
use crate::model::{Case, Scorer};
use crate::model_shape::ModelShape;
use crate::names::Names;
use crate::posteriors::Posteriors;

/// A tree that may be shared with relatives, and how probabilities are made of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "StoredModel")]
pub(crate) struct TreeModel {
    #[serde(with = "stored")]
    pub(crate) tree: Arc<Tree>,
    pub(crate) smoothing: Smoothing,
    /// The way down ends before a node of less weight; zero for never.
    pub(crate) least: f64,
}

#[derive(Deserialize)]
struct StoredModel {
    #[serde(with = "stored")]
    tree: Arc<Tree>,
    smoothing: Smoothing,
    least: f64,
}

impl TryFrom<StoredModel> for TreeModel {
    type Error = Error;

    fn try_from(StoredModel { tree, smoothing, least }: StoredModel) -> Result<Self, Error> {
        let is_sound = smoothing.n_classes() == tree.n_classes && smoothing.is_sound() && least >= 0.0;
        if is_sound {
            return Ok(TreeModel { tree, smoothing, least });
        }
        Err(Error::new(ErrorKind::Inconsistent, "the tree is damaged: its estimates do not fit its classes"))
    }
}

impl TreeModel {
    pub(crate) fn n_classes(&self) -> usize {
        self.tree.n_classes
    }

    /// Adds the probability of each class to `sums`, row by row.
    pub(crate) fn add_posteriors(&self, columns: &[NominalColumn], sums: &mut [f64]) {
        self.classifier().add_all(columns, sums);
    }

    /// Enters what every test on the way of a row changes.
    pub(crate) fn follow(&self, columns: &[NominalColumn], row: usize, account: &mut Account) {
        let classifier = self.classifier();
        account.enter_tree(classifier.probability(End::Node(0), account.class()));
        classifier.follow(columns, row, account);
    }

    fn classifier(&self) -> Classifier<'_> {
        Classifier { tree: &self.tree, smoothing: &self.smoothing, least: self.least }
    }
}

impl Scorer for TreeModel {
    fn fits(&self, shape: &ModelShape) -> bool {
        self.tree.n_classes == shape.n_classes
            && shape.columns().is_some_and(|columns| self.tree.fits(columns))
    }

    fn posteriors(&self, rows: &Encoded<'_>) -> Posteriors {
        let (columns, n_rows) = (rows.columns(), rows.n_rows());
        let n_classes = self.tree.n_classes;
        let mut values = vec![0.0; n_rows * n_classes];
        self.add_posteriors(columns, &mut values);
        Posteriors::new(n_classes, values)
    }

    fn text(&self, names: &Names) -> String {
        show::text(&self.tree, names)
    }

    fn graph(&self, names: &Names) -> Option<String> {
        Some(show::graph(&self.tree, names))
    }

    fn explain(&self, case: &Case<'_>, names: &Names) -> Explanation {
        let (columns, row) = (case.rows.columns(), case.row);
        let mut posteriors = vec![0.0; self.tree.n_classes];
        self.classifier().add(columns, row, 1.0, &mut posteriors);
        let walk = Walk { classifier: self.classifier(), columns, row, names };
        Explanation { posteriors, reasons: Reasons::Paths { paths: walk.paths() } }
    }
}
