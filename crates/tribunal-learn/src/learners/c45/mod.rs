//! C4.5 decision trees, release 8: pruned, unpruned, or curtailed at small nodes (Quinlan 1993, 1996; Zadrozny and Elkan
//! 2001).
//!
//! A nominal column gives a branch for every value it may have, a numeric one a threshold. The test with the best gain
//! ratio is taken, among those of at least average gain. Rows that lack a tested value go down every branch in part. A
//! tree is grown once for all members of the family that differ only in what happens afterwards: see [`fit_all`].

use std::fmt;

use self::settings::Neighbours;
use super::character::{Character, Shape, Work};
use super::form::{Family, LearnerForm, Minds};
use super::grid::GridEdge;
use super::learner::{Fit, Method};
use crate::error::{Error, ErrorKind};
use crate::model::Fitted;
use crate::training::Training;

mod add_errs;
mod candidate;
mod cases;
mod classify;
mod classify_all;
mod entropy;
mod estimate;
mod explain;
mod fit;
mod flags;
mod grow;
mod model;
mod nominal;
mod numeric;
mod prune;
mod rows;
mod settings;
mod show;
mod stored;
mod tally;
mod tree;
mod weights;

#[cfg(test)]
mod tests;

pub(crate) use cases::Cases;
pub(crate) use estimate::{Estimate, Smoothing};
pub(crate) use fit::{Nursery, fit_all};
pub(crate) use model::TreeModel;
pub(crate) use settings::{C45, Ending};
pub(crate) use tree::{Test, Tree};
pub(crate) use weights::Sample;

pub(crate) const FORM: LearnerForm = LearnerForm {
    name: "c45",
    family: Family::C45,
    form: "c45[:unpruned|curtailed[,k=50|auto]][,cf=0.25][,adderrs=j48][,raising=off][,min=2][,estimate=m|raw|laplace][,bm=5]",
    definition: "a decision tree of tests with the best gain ratio, pruned where that promises no more errors; \
                 unpruned; or curtailed, so that nodes of fewer than k rows are not asked (k is tuned unless given)",
    reference: "Quinlan 1993, 1996; Zadrozny and Elkan 2001",
    examples: &[
        ("c45", "pruned, with smoothed probabilities"),
        ("c45:unpruned", "not pruned"),
        ("c45:curtailed", "not pruned, but no node of fewer than k rows has a say; k is tuned"),
        ("c45:curtailed,k=50", "not pruned, but no node of fewer than 50 rows has a say"),
        ("c45:unpruned,estimate=raw", "the bare shares of the leaves of the unpruned tree"),
        (
            "c45:adderrs=j48",
            "pruned by the estimates of WEKA's J48, whose quantile is exact where that of release 8 is a table",
        ),
        ("c45:cf=0.1,min=5", "pruned harder, with at least five rows in two branches of every test"),
    ],
    // Of thresholds with equal gain the lowest is taken, of equal classes the first; a clone counts twice in the average gain;
    // the m-estimate draws towards the share of positives.
    minds: &[Minds::Direction, Minds::SmallUnit, Minds::ClonedColumns, Minds::ClassOrder],
    parse: |arguments| C45::parse(arguments, &C45::default()).map(Method::C45),
};

impl Fit for C45 {
    fn form(&self) -> &'static LearnerForm {
        &FORM
    }

    fn character(&self) -> Character {
        let character = Character::new(Shape::Tree, Work::Solving);
        if self.candidates(usize::MAX).is_empty() { character } else { character.searching() }
    }

    fn candidates(&self, n_rows: usize) -> Vec<Method> {
        self.curtailments(n_rows).into_iter().map(Method::C45).collect()
    }

    fn edges(&self, candidate: &Method, n_rows: usize) -> Vec<GridEdge> {
        let k = |method: &Method| match method {
            Method::C45(C45 { ending: Ending::Curtailed(Neighbours::Given(k)), .. }) => Some(*k as f64),
            _ => None,
        };
        let tried: Vec<f64> = self.candidates(n_rows).iter().filter_map(k).collect();
        let edge = k(candidate).and_then(|k| GridEdge::built_in("k", k, &tried));
        // No node has more rows than there are.
        edge.into_iter().filter(|edge| !edge.is_largest || k(candidate) < Some(n_rows as f64)).collect()
    }

    fn fit(&self, training: &Training<'_>, _seed: u64) -> Result<Fitted, Error> {
        let sample = Sample::of(training);
        let cases = Cases::new(training, &sample.rows)?;
        Nursery::new(training, &cases, &sample).fit(self).map(Fitted::C45)
    }
}

impl fmt::Display for C45 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(FORM.name)?;
        let options = self.options(&C45::default());
        if options.is_empty() { Ok(()) } else { write!(f, ":{}", options.join(",")) }
    }
}

fn untuned() -> Error {
    Error::new(ErrorKind::Untuned, "k of c45:curtailed is to be tuned on the training rows")
        .advise("give it, as in c45:curtailed,k=50")
}
