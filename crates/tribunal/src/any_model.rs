//! A model of whatever origin: learned here, by a command from outside, or a committee of such models.

use tribunal_learn::{Dataset, Input, Model, Output, Posteriors};

use crate::committee_model::CommitteeModel;
use crate::error::Error;
use crate::outside::{self, OutsideLearner, OutsideModel};

/// A model that scores rows.
#[derive(Clone, Debug, PartialEq)]
pub enum AnyModel {
    /// A learner of this project made it.
    Learned(Box<Model>),
    /// A command made it.
    Outside(OutsideModel),
    /// Several models that speak together.
    Committee(Box<CommitteeModel>),
}

impl AnyModel {
    /// The learner that it comes from, as it is written; of a committee all of them.
    pub fn learner(&self) -> String {
        match self {
            Self::Learned(model) => model.learner().to_string(),
            Self::Outside(model) => model.learner().to_string(),
            Self::Committee(committee) => committee.to_string(),
        }
    }

    /// The family of the learner in a word.
    pub fn family_name(&self) -> &'static str {
        match self {
            Self::Learned(model) => model.learner().family().name(),
            Self::Outside(_) => outside::NAME,
            Self::Committee(_) => "committee",
        }
    }

    /// The name of the target.
    pub fn target(&self) -> &str {
        match self {
            Self::Learned(model) => model.target(),
            Self::Outside(model) => model.target(),
            Self::Committee(committee) => committee.first().target(),
        }
    }

    /// The names of the classes; of two the second is the positive one.
    pub fn classes(&self) -> &[String] {
        match self {
            Self::Learned(model) => model.classes(),
            Self::Outside(model) => model.classes(),
            Self::Committee(committee) => committee.first().classes(),
        }
    }

    /// The columns that it was trained with.
    pub fn inputs(&self) -> &[Input] {
        match self {
            Self::Learned(model) => model.inputs(),
            Self::Outside(model) => model.inputs(),
            Self::Committee(committee) => committee.first().inputs(),
        }
    }

    /// How many rows it was trained on.
    pub fn n_rows(&self) -> usize {
        match self {
            Self::Learned(model) => model.n_rows(),
            Self::Outside(model) => model.n_rows(),
            Self::Committee(committee) => committee.first().n_rows(),
        }
    }

    /// What a user should know.
    pub fn warnings(&self) -> Vec<String> {
        match self {
            Self::Learned(model) => model.warnings().to_vec(),
            Self::Outside(_) => Vec::new(),
            Self::Committee(committee) => committee.warnings(),
        }
    }

    /// What its scores are.
    pub fn output(&self) -> Output {
        match self {
            Self::Learned(model) => model.learner().output(),
            Self::Outside(_) | Self::Committee(_) => Output::Probabilities,
        }
    }

    /// The commands that it runs.
    pub fn commands(&self) -> Vec<&OutsideLearner> {
        match self {
            Self::Learned(_) => Vec::new(),
            Self::Outside(model) => vec![model.learner()],
            Self::Committee(committee) => committee.commands().collect(),
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
            Self::Committee(committee) => serde_json::to_vec(committee),
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
            Self::Committee(committee) => committee.posteriors(dataset, rows),
        }
    }
}
