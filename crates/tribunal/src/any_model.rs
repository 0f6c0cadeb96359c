//! A model of whatever origin: learned here, or by a command from outside.

use tribunal_learn::{Dataset, Input, Model, Posteriors};

use crate::error::Error;
use crate::line_up::Entrant;
use crate::outside::OutsideModel;

/// A model that scores rows.
#[derive(Clone, Debug, PartialEq)]
pub enum AnyModel {
    /// A learner of this project made it.
    Learned(Box<Model>),
    /// A command made it.
    Outside(OutsideModel),
}

impl AnyModel {
    /// The learner that it comes from.
    pub fn learner(&self) -> Entrant {
        match self {
            Self::Learned(model) => Entrant::BuiltIn(model.learner().clone()),
            Self::Outside(model) => Entrant::Outside(model.learner().clone()),
        }
    }

    /// The name of the target.
    pub fn target(&self) -> &str {
        match self {
            Self::Learned(model) => model.target(),
            Self::Outside(model) => model.target(),
        }
    }

    /// The names of the classes; of two the second is the positive one.
    pub fn classes(&self) -> &[String] {
        match self {
            Self::Learned(model) => model.classes(),
            Self::Outside(model) => model.classes(),
        }
    }

    /// The columns that it was trained with.
    pub fn inputs(&self) -> &[Input] {
        match self {
            Self::Learned(model) => model.inputs(),
            Self::Outside(model) => model.inputs(),
        }
    }

    /// How many rows it was trained on.
    pub fn n_rows(&self) -> usize {
        match self {
            Self::Learned(model) => model.n_rows(),
            Self::Outside(model) => model.n_rows(),
        }
    }

    /// What a user should know.
    pub fn warnings(&self) -> &[String] {
        match self {
            Self::Learned(model) => model.warnings(),
            Self::Outside(_) => &[],
        }
    }

    /// How many bytes it takes in a model file.
    ///
    /// # Errors
    /// It cannot be stored.
    pub(crate) fn bytes(&self) -> Result<u64, Error> {
        let stored = match self {
            Self::Learned(model) => serde_json::to_vec(model),
            Self::Outside(model) => serde_json::to_vec(model),
        };
        let stored = stored.map_err(|error| Error::data(format!("the model cannot be stored: {error}")))?;
        Ok(stored.len() as u64)
    }

    /// The probability of each class for rows of a data set. Columns are matched by name; others may be there.
    ///
    /// # Errors
    /// A column is not there, of another kind or with other levels; a command fails.
    pub fn posteriors(&self, dataset: &Dataset, rows: &[u32]) -> Result<Posteriors, Error> {
        match self {
            Self::Learned(model) => Ok(model.posteriors(dataset, rows)?),
            Self::Outside(model) => model.posteriors(dataset, rows),
        }
    }
}
