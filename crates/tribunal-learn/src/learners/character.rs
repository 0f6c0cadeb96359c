//! What sort of model a learner makes and what making it takes, for whoever has to choose among equals.
//!
//! Grades, not measurements: a choice by them is the same on every machine and on every day.

/// The character of a learner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Character {
    /// What its model is.
    pub shape: Shape,
    /// What it takes to make one.
    pub work: Work,
}

/// What a model is, the simplest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shape {
    /// The shares of the classes.
    Shares,
    /// A weight for each column or value, which add up.
    Weights,
    /// A tree of questions.
    Tree,
    /// Weights for pairs of columns.
    Pairs,
    /// The cases themselves.
    Cases,
    /// Weighted cases, layers of units, or many models that vote.
    Opaque,
}

impl Shape {
    /// Whether a person can follow from the model itself why a case gets its score.
    pub fn is_transparent(self) -> bool {
        self < Shape::Cases
    }
}

/// What it takes to make a model, the least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Work {
    /// Rows are counted or kept.
    Counting,
    /// Questions are sought, or a few systems of equations are solved.
    Solving,
    /// Steps go on until nothing improves, or many models are made.
    Iterating,
    /// Settings are sought among many models.
    Searching,
}

impl Character {
    pub(crate) fn new(shape: Shape, work: Work) -> Self {
        Character { shape, work }
    }

    /// The same where settings are sought too.
    pub(crate) fn searching(self) -> Self {
        Character { work: Work::Searching, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{LEARNERS, Learner};
    use super::*;

    fn learner(text: &str) -> Learner {
        text.parse().expect(text)
    }

    #[test]
    fn the_word_paper_is_put_where_a_scale_matters() {
        let check = |text: &str, expected: &str| {
            assert_eq!(learner(text).on_scale_of_all().to_string(), expected);
        };
        check("logit", "logit:paper");
        check("mlp:2,smoothed", "mlp:2,smoothed,paper");
        check("lssvm:rbf,paper", "lssvm:rbf,paper");
        check("svm+platt", "svm:paper+platt");
        check("knn:{1,5}+platt", "knn:{1,5},paper+platt");
        check("nb:{0,5}", "nb:{0,5}");
        check("c45:curtailed", "c45:curtailed");
    }

    #[test]
    fn examples_whose_settings_are_open_search() {
        for (text, _) in LEARNERS.iter().flat_map(|form| form.examples) {
            let learner = learner(text);
            let searches = learner.character().work == Work::Searching;
            assert_eq!(searches, learner.candidates(1_000).is_some(), "{text}");
        }
        let of = |text: &str| learner(text).character().shape;
        assert!(of("nb") < of("tan") && of("tan") < of("knn:10") && of("knn:10") < of("lssvm:rbf"));
        assert!(of("lssvm:linear").is_transparent() && !of("mlp:1").is_transparent());
    }
}
