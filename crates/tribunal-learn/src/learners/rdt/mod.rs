//! Random decision trees: columns and thresholds are drawn, only the leaves look at the classes.
//!
//! **Definition** A tree has at most half as many tests on a way as there are columns that vary. At every node one of the columns that
//! can still tell rows apart is drawn; a nominal one gives a branch for every value and is used up, a numeric one a branch on
//! each side of a threshold between the least and the greatest number there. A leaf gives the shares of its classes, a branch
//! without rows those of the node above it, and the score is the mean over the trees.
//!
//! **Reference** Fan, Wang, Yu and Ma 2003; Fan and Davidson 2006.

mod grow;

use std::fmt;

use rayon::prelude::*;
use tribunal_random::Random;

use super::arguments::{count, written};
use super::c45::{Estimate, Smoothing, TreeModel};
use super::character::{Character, Shape, Work};
use super::forest::Forest;
use super::form::{Family, LearnerForm, Minds};
use super::learner::{Fit, Method};
use crate::error::Error;
use crate::model::Fitted;
use crate::training::Training;

const USUAL_TREES: usize = 10;
/// More trees than anybody needs.
const MOST_TREES: usize = 10_000;

/// How many trees.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RandomTrees {
    n_trees: usize,
}

pub(crate) const FORM: LearnerForm = LearnerForm {
    name: "rdt",
    family: Family::Ensemble,
    form: "rdt[:TREES]",
    definition: "averages trees whose tests are drawn at random; only the shares of classes in the leaves are learned",
    reference: "Fan, Wang, Yu and Ma 2003; Fan and Davidson 2006",
    examples: &[("rdt", "ten trees"), ("rdt:30", "thirty trees")],
    // Columns are drawn by their number, and thresholds from the lowest number on.
    minds: &[Minds::ColumnOrder, Minds::Direction, Minds::ClonedColumns],
    parse: |arguments| {
        let n_trees = arguments.word(|word| count(word).filter(|&n_trees| n_trees <= MOST_TREES));
        Ok(Method::RandomTrees(RandomTrees { n_trees: n_trees.unwrap_or(USUAL_TREES) }))
    },
};

impl Fit for RandomTrees {
    fn form(&self) -> &'static LearnerForm {
        &FORM
    }

    fn character(&self) -> Character {
        Character::new(Shape::Opaque, Work::Counting)
    }

    fn fit(&self, training: &Training<'_>, seed: u64) -> Result<Fitted, Error> {
        // A column that is constant here would use up a test, and a draw, for nothing.
        let columns = training.columns();
        let varying: Vec<u32> =
            (0..columns.len() as u32).filter(|&column| columns[column as usize].varies()).collect();
        let tree = |tree: usize| TreeModel {
            tree: grow::grow(training, Random::derived(seed, &[tree as u64]), &varying).into(),
            smoothing: Smoothing::new(Estimate::Raw, &training.class_weights()),
            // A branch without rows is not entered, so that the node above it speaks.
            least: f64::MIN_POSITIVE,
        };
        Ok(Fitted::Forest(Forest { trees: (0..self.n_trees).into_par_iter().map(tree).collect() }))
    }
}

impl fmt::Display for RandomTrees {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n_trees = if self.n_trees == USUAL_TREES { String::new() } else { self.n_trees.to_string() };
        f.write_str(&written(FORM.name, [n_trees]))
    }
}

#[cfg(test)]
mod tests {
    use crate::encoding::{Encoder, View};
    use crate::learners::Learner;
    use crate::learners::c45::Test;
    use crate::learners::golden::{check_close, golf, golf_rows};
    use crate::training::Training;
    use tribunal_random::Random;

    fn all_rows() -> Vec<u32> {
        (0..14).collect()
    }

    #[test]
    fn golden_scores() {
        let learner: Learner = "rdt".parse().expect("a learner");
        let model = learner.fit(&golf(), &all_rows(), 42).expect("a model");
        let queries = golf_rows("sunny 70 80 t; rain 75 90 f; overcast 60 60 f");
        let scores = model.posteriors(&queries, &[0, 1, 2]).expect("scores").scores();
        check_close(&scores, &[0.5, 0.2475, 0.016666667], 1e-9, "rdt");
    }

    #[test]
    fn golden_tree() {
        let encoder = Encoder::fit(&View::Codes(None), &golf(), &all_rows()).expect("an encoder");
        let training = Training::encode(&golf(), &all_rows(), &encoder).expect("rows");
        let tree = super::grow::grow(&training, Random::derived(42, &[0]), &[0, 1, 2, 3]);
        assert!(matches!(tree.nodes[0].test, Test::Nominal { column: 0, n_branches: 3, first: 1, .. }));
        assert_eq!(tree.nodes[2].test, Test::Leaf);
        for (node, expected) in [(1, 89.133546), (3, 86.176543)] {
            let Test::Numeric { column: 2, cut, .. } = tree.nodes[node].test else {
                panic!("{:?}", tree.nodes[node])
            };
            assert!((cut - expected).abs() < 1e-6, "{cut}");
        }
    }
}
