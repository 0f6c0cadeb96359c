//! Bagged C4.5: trees of bootstrap samples, whose probabilities are averaged (Breiman 1996).
//!
//! Provost and Domingos (2003) found that unpruned trees with Laplace's estimate, bagged, rank rows best among trees.

use std::fmt;

use rayon::prelude::*;
use tribunal_random::Random;

use super::c45::{C45, Cases, Ending, Estimate, Nursery, Sample, TreeModel};
use super::character::{Character, Shape, Work};
use super::forest::Forest;
use super::form::{Family, LearnerForm, Minds};
use super::learner::{Fit, Method};
use super::{Arguments, arguments};
use crate::error::Error;
use crate::model::Fitted;
use crate::training::Training;

/// More trees than anybody needs.
const MOST_TREES: usize = 10_000;

/// How many trees, and what kind.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bagging {
    n_trees: usize,
    base: C45,
}

/// The trees of a bag unless told otherwise.
const BASE: C45 = C45 { ending: Ending::Unpruned, min: 2, estimate: Estimate::Laplace };

pub(crate) const FORM: LearnerForm = LearnerForm {
    name: "bag",
    family: Family::Ensemble,
    form: "bag:TREES[,pruned|unpruned|curtailed,k=50][,cf=0.25][,raising=off][,min=2][,estimate=laplace|m|raw][,bm=5]",
    definition: "averages the probabilities of C4.5 trees, each of as many rows as there are, drawn with replacement",
    reference: "Breiman 1996; Provost and Domingos 2003",
    examples: &[
        ("bag:50", "fifty unpruned trees with Laplace's estimate"),
        ("bag:10,pruned,estimate=raw", "ten pruned trees with the bare shares of their leaves"),
    ],
    // Of equal tests the first column is taken, and among many trees some have equal tests.
    // Rows are drawn by their number; the trees are those of C4.5.
    minds: &[
        Minds::RowOrder,
        Minds::ColumnOrder,
        Minds::Repetition,
        Minds::Direction,
        Minds::SmallUnit,
        Minds::ClonedColumns,
        Minds::ClassOrder,
    ],
    parse: |arguments| parse(arguments).map(Method::Bagging),
};

fn parse(arguments: &mut Arguments<'_>) -> Result<Bagging, Error> {
    let count = |word: &str| arguments::count(word).filter(|&n_trees| n_trees <= MOST_TREES);
    let n_trees = arguments.word(count).unwrap_or(50);
    Ok(Bagging { n_trees, base: C45::parse(arguments, &BASE)? })
}

impl Fit for Bagging {
    fn form(&self) -> &'static LearnerForm {
        &FORM
    }

    fn character(&self) -> Character {
        Character::new(Shape::Opaque, Work::Iterating)
    }

    fn fit(&self, training: &Training<'_>, seed: u64) -> Result<Fitted, Error> {
        let all = Sample::of(training);
        let cases = Cases::new(training, &all.rows)?;
        let tree = |tree: usize| {
            let mut random = Random::derived(seed, &[tree as u64]);
            let sample = Sample::repeated(draw(training, &all.rows, &mut random));
            Nursery::new(training, &cases, &sample).fit(&self.base)
        };
        let trees = (0..self.n_trees).into_par_iter().map(tree).collect::<Result<Vec<TreeModel>, Error>>()?;
        Ok(Fitted::Forest(Forest { trees }))
    }
}

/// How often each row is drawn, of as many draws as there are rows. Rows are drawn by their weight.
fn draw(training: &Training<'_>, rows: &[u32], random: &mut Random) -> Vec<u32> {
    let mut times = vec![0; training.n_rows()];
    let n_rows = rows.len();
    let weight = |row: u32| training.weight(row as usize);
    if rows.windows(2).all(|pair| weight(pair[0]) == weight(pair[1])) {
        (0..n_rows).for_each(|_| times[rows[random.below(n_rows as u64) as usize] as usize] += 1);
        return times;
    }
    let mut total = 0.0;
    let up_to = |&row: &u32| {
        total += weight(row);
        total
    };
    let ends: Vec<f64> = rows.iter().map(up_to).collect();
    for _ in 0..n_rows {
        let point = random.uniform() * total;
        let at = ends.partition_point(|&end| end <= point).min(n_rows - 1);
        times[rows[at] as usize] += 1;
    }
    times
}

impl fmt::Display for Bagging {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", FORM.name, self.n_trees)?;
        self.base.options(&BASE).iter().try_for_each(|option| write!(f, ",{option}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::column::{Column, Values};
    use crate::dataset::Dataset;
    use crate::encoding::{Encoder, View};
    use crate::explanation::Reasons;
    use crate::kind::Kind;
    use crate::learners::Learner;
    use crate::target::Target;

    /// Three flags, of which the first tells most, and a number with gaps.
    fn dataset(n_rows: u32) -> Dataset {
        let mut random = Random::new(3);
        let mut flag = |name: &str| {
            let codes = (0..n_rows).map(|_| random.below(2) as u32).collect();
            Column::new(name, Kind::Flag, Values::Codes(codes)).expect("a flag")
        };
        let mut columns = vec![flag("first"), flag("second"), flag("third")];
        let numbers =
            (0..n_rows).map(|row| if row % 9 == 0 { f64::NAN } else { f64::from(row * 37 % 50) }).collect();
        columns.push(Column::new("number", Kind::Numeric, Values::Numbers(numbers)).expect("numbers"));
        let Values::Codes(first) = columns[0].values() else { panic!("codes") };
        let classes =
            first.iter().enumerate().map(|(row, &code)| if row % 4 == 0 { 1 - code } else { code }).collect();
        let target = Target::new("y", ["no", "yes"], classes).expect("a target");
        Dataset::new(columns).and_then(|data| data.with_target(target)).expect("columns")
    }

    fn model(learner: &str, seed: u64) -> crate::model::Model {
        let dataset = dataset(200);
        let learner: Learner = learner.parse().expect("a learner");
        learner.fit(&dataset, &(0..200).collect::<Vec<u32>>(), seed).expect("a model")
    }

    #[test]
    fn the_seed_decides() {
        assert_eq!(model("bag:5", 1), model("bag:5", 1));
        assert_ne!(model("bag:5", 1), model("bag:5", 2));
    }

    #[test]
    fn contributions_lead_from_the_start_to_the_score() {
        for learner in ["bag:7", "bag:7,pruned", "bag:3,curtailed,k=30,estimate=m"] {
            let model = model(learner, 1);
            for row in 0..40 {
                let explanation = model.explain(&dataset(200), row).expect("reasons");
                let Reasons::Contributions { for_class, start, items } = explanation.reasons else {
                    panic!("another form")
                };
                let sum = start + items.iter().map(|item| item.change).sum::<f64>();
                assert!((sum - explanation.posteriors[1]).abs() < 1e-12, "{learner}, row {row}");
                assert_eq!(for_class, "yes");
                assert!(items.iter().any(|item| item.what.starts_with("first = ")), "{items:?}");
                assert!(items.windows(2).all(|pair| pair[0].change.abs() >= pair[1].change.abs()));
            }
        }
    }

    #[test]
    fn the_text_tells_what_is_tested() {
        let text = model("bag:7", 1).text();
        assert!(text.starts_with("7 trees of "), "{text}");
        assert!(text.contains("first: tested") && text.contains("7 times at the root"), "{text}");
    }

    #[test]
    fn rows_are_drawn_by_their_weight() {
        let dataset = dataset(100);
        let weights = (0..100).map(|row| f64::from(row % 4)).collect();
        let dataset = dataset.with_weights(weights).expect("weights");
        let rows: Vec<u32> = (0..100).collect();
        let encoder = Encoder::fit(&View::Codes(None), &dataset, &rows).expect("an encoder");
        let training = Training::encode(&dataset, &rows, &encoder).expect("rows");
        let mut sums = [0; 4];
        for tree in 0..200 {
            let times = draw(&training, &Sample::of(&training).rows, &mut Random::derived(1, &[tree]));
            assert_eq!(times.iter().sum::<u32>(), 75);
            times.iter().enumerate().for_each(|(row, times)| sums[row % 4] += times);
        }
        assert_eq!(sums[0], 0);
        for (weight, sum) in [(1.0, sums[1]), (2.0, sums[2]), (3.0, sums[3])] {
            assert!((f64::from(sum) / 15_000.0 - weight / 6.0).abs() < 0.02, "{sums:?}");
        }
    }
}
