//! k nearest neighbours: a row is what the training rows around it are.
//!
//! **Definition** Columns become numbers on a common scale; rows are as far apart as the sum of the squares of the differences
//! says, d. The k nearest training rows vote, each for its class. Let d(k) be the distance of the k-th: all rows as far as
//! that share the votes that those strictly nearer leave over, so the order of rows decides nothing. With N rows nearer, N_c
//! of them of class c, and n and n_c rows as far, p(c) = (N_c + (k - N) n_c / n) / k. Two distances are the same if they
//! differ by at most 10^-9 max(1, d(k)). A row of weight 2 votes twice.
//!
//! **Undefined when** there are fewer than k training rows: all of them vote, and the model has a warning.
//!
//! **Reference** Fix and Hodges 1951; Cover and Hart 1967; ties as in Viaene et al. (2002).

mod blocks;
mod cross;
mod divided;
mod electorate;
mod explain;
mod field;
mod model;
mod near;
mod points;
mod search;
mod stretched;
mod voters;

use std::fmt;

use super::arguments::{count, written};
use super::character::{Character, Shape, Work};
use super::form::{Family, LearnerForm, Minds};
use super::learner::{Fit, Method};
use super::numbers::Numbers;
use crate::encoding::View;
use crate::error::Error;
use crate::model::Fitted;
use crate::training::Training;

pub(crate) use cross::cross;
pub(crate) use model::KnnModel;

/// The settings of nearest neighbours.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Knn {
    pub(crate) k: usize,
    pub(crate) numbers: Numbers,
}

/// How many neighbours vote if nothing is said.
const USUAL_K: usize = 10;

pub(crate) const FORM: LearnerForm = LearnerForm {
    name: "knn",
    family: Family::Neighbours,
    form: "knn[:K[,paper][,mark]]",
    definition: "asks the K training rows that are nearest, all columns on a common scale; rows that are equally near \
                 share their votes; paper scales over all rows, mark adds columns that say what was missing",
    reference: "Fix and Hodges 1951; Viaene et al. 2002",
    examples: &[
        ("knn:1", "the nearest row"),
        ("knn:10", "the ten nearest rows"),
        ("knn:100", "the hundred nearest rows"),
        ("knn:500", "the five hundred nearest rows"),
        ("knn:10,paper", "the ten nearest rows on the scale of all rows"),
    ],
    // A column that is there twice is part of the distance twice.
    minds: &[Minds::ClonedColumns],
    parse: |arguments| {
        let k = arguments.word(count).unwrap_or(USUAL_K);
        Ok(Method::Knn(Knn { k, numbers: Numbers::parse(arguments) }))
    },
};

impl Fit for Knn {
    fn form(&self) -> &'static LearnerForm {
        &FORM
    }

    fn character(&self) -> Character {
        Character::new(Shape::Cases, Work::Counting)
    }

    fn on_scale_of_all(&self) -> Option<Method> {
        Some(Method::Knn(Self { numbers: self.numbers.on_scale_of_all(), ..self.clone() }))
    }

    fn view(&self) -> View {
        self.numbers.view()
    }

    fn fit(&self, training: &Training<'_>, _seed: u64) -> Result<Fitted, Error> {
        Ok(Fitted::Knn(KnnModel::fit(self.k, training)))
    }
}

impl fmt::Display for Knn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&written(FORM.name, [self.k.to_string()].into_iter().chain(self.numbers.words())))
    }
}

#[cfg(test)]
mod tests;
