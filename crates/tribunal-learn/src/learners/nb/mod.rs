//! Naive Bayes: every column speaks for itself, given the class.
//!
//! **Definition** p(t | x) is proportional to p(t) times the product of p(x | t) over the columns. A level or bin has
//! p(x | t) = (n + N0/v) / (c + N0), where n of the c training rows of class t have it, v values may occur and N0 rows are
//! imagined; a number has a normal density with the mean and deviation of its class. What is missing adds
//! nothing, nor does a column of which the training rows show one value only.
//!
//! **Undefined when** every class is impossible (N0 = 0 and values that no class combines): the prior stands.
//!
//! **Reference** Duda and Hart 1973; smoothing as in Viaene et al. (2002).

mod column;
mod cross;
mod model;

use std::fmt;

use super::arguments::written;
use super::character::{Character, Shape, Work};
use super::form::{Family, LearnerForm, Minds};
use super::learner::{Fit, Method};
use super::smoothing::Smoothing;
use crate::error::Error;
use crate::model::Fitted;
use crate::training::Training;

pub(crate) use column::{class_counts, class_totals, is_constant};
pub(crate) use cross::cross;
pub(crate) use model::NbModel;

/// The settings of naive Bayes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NaiveBayes {
    pub(crate) smoothing: Smoothing,
}

pub(crate) const FORM: LearnerForm = LearnerForm {
    name: "nb",
    family: Family::NaiveBayes,
    form: "nb[:N0] or nb:laplace or nb:alpha=A",
    definition: "multiplies the evidence of all columns as if each spoke for itself, given the class; \
                 N0 imagined rows smooth the counts, numbers have a normal density",
    reference: "Duda and Hart 1973; Viaene et al. 2002",
    examples: &[
        ("nb", "raw frequencies"),
        ("nb:5", "five imagined rows"),
        ("nb:25", "25 imagined rows"),
        ("nb:50", "50 imagined rows"),
        ("nb:laplace", "one imagined row for each value"),
    ],
    // A column that is there twice is evidence twice.
    minds: &[Minds::ClonedColumns],
    parse: |arguments| {
        let smoothing = Smoothing::parse(arguments, Smoothing::rows(0.0))?;
        Ok(Method::NaiveBayes(NaiveBayes { smoothing }))
    },
};

impl Fit for NaiveBayes {
    fn form(&self) -> &'static LearnerForm {
        &FORM
    }

    fn character(&self) -> Character {
        Character::new(Shape::Weights, Work::Counting)
    }

    fn fit(&self, training: &Training<'_>, _seed: u64) -> Result<Fitted, Error> {
        Ok(Fitted::NaiveBayes(NbModel::fit(self.smoothing, training)))
    }
}

impl fmt::Display for NaiveBayes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&written(FORM.name, [self.smoothing.text(Smoothing::rows(0.0))]))
    }
}

#[cfg(test)]
mod tests {
    use crate::column::{Column, Values};
    use crate::dataset::Dataset;
    use crate::kind::Kind;
    use crate::learners::Learner;
    use crate::learners::golden::{check_close, toy_scores};
    use crate::target::Target;

    #[test]
    fn golden_posteriors() {
        let check = |learner: &str, expected: [f64; 4]| {
            check_close(&toy_scores(learner), &expected, 1e-10, learner);
        };
        check("nb", [0.5423728814, 0.2285714286, 0.3478260870, 0.6808510638]);
        check("nb:5", [0.5032023277, 0.3227937475, 0.3955819397, 0.5838609326]);
        check("nb:25", [0.4583933415, 0.3904250774, 0.4194548596, 0.4888640542]);
        check("nb:50", [0.4455231722, 0.4071841602, 0.4238369560, 0.4626650487]);
    }

    #[test]
    fn golden_densities() {
        let column = |name: &str, numbers: [f64; 7]| {
            Column::new(name, Kind::Numeric, Values::Numbers(numbers.to_vec())).expect("numbers")
        };
        let target = Target::new("t", ["0", "1"], vec![0, 0, 0, 1, 1, 1, 0]).expect("classes");
        let dataset = Dataset::new(vec![
            column("a", [1.0, 1.5, 2.0, 3.0, 3.5, 2.8, 2.2]),
            column("b", [2.1, 1.8, 3.5, 3.0, 4.2, 3.9, 3.0]),
        ]);
        let dataset = dataset.expect("columns").with_target(target).expect("fits");
        let learner: Learner = "nb".parse().expect("a learner");
        let model = learner.fit(&dataset, &[0, 1, 2, 3, 4, 5], 1).expect("a model");
        let scores = model.posteriors(&dataset, &[6]).expect("a score").scores();
        check_close(&scores, &[0.131212574], 1e-9, "Gaussian");
    }

    fn numbers(name: &str, numbers: &[f64]) -> Column {
        Column::new(name, Kind::Numeric, Values::Numbers(numbers.to_vec())).expect("numbers")
    }

    /// The score of the last row by a model of the others, which are of both classes in turn.
    fn last_score(columns: Vec<Column>) -> f64 {
        let n_rows = columns[0].values().len() as u32;
        let target = Target::new("t", ["0", "1"], (0..n_rows).map(|row| row % 2).collect()).expect("classes");
        let dataset = Dataset::new(columns).and_then(|data| data.with_target(target)).expect("columns");
        let rows: Vec<u32> = (0..n_rows - 1).collect();
        let learner: Learner = "nb".parse().expect("a learner");
        let model = learner.fit(&dataset, &rows, 1).expect("a model");
        model.posteriors(&dataset, &[n_rows - 1]).expect("a score").scores()[0]
    }

    #[test]
    fn a_constant_column_does_not_silence_the_others() {
        let telling = || numbers("telling", &[1.0, 3.0, 1.5, 3.5, 0.5, 4.0, 3.8]);
        let alone = last_score(vec![telling()]);
        assert!(alone > 0.99, "{alone}");
        for constant in [0.0, 0.1, 1e9, -1e-300] {
            let mut same = [constant; 7];
            same[6] = constant + 1e6;
            assert_eq!(last_score(vec![telling(), numbers("constant", &same)]), alone, "{constant}");
        }
    }

    #[test]
    fn neither_huge_nor_tiny_nor_distant_numbers_silence_the_others() {
        let telling = || numbers("telling", &[1.0, 3.0, 1.5, 3.5, 0.5, 4.0, 3.8]);
        let noise = [1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 2.0];
        let expected = last_score(vec![telling(), numbers("noise", &noise)]);
        for unit in [1e-300, 1e-12, 1e12, 1e300] {
            let scaled = noise.map(|number| number * unit);
            let found = last_score(vec![telling(), numbers("noise", &scaled)]);
            assert!((found - expected).abs() < 1e-9, "{unit}: {found}");
        }
        // So far away from both classes, alike, that its square is no number.
        let mut distant = noise;
        distant[6] = 1e200;
        let found = last_score(vec![telling(), numbers("noise", &distant)]);
        assert!((found - last_score(vec![telling()])).abs() < 1e-9, "{found}");
    }
}
