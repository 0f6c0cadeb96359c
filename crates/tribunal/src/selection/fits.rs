//! The models of a selection, each made once: what learners say of held-out labelled rows and of the population.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use tribunal_learn::{Output, Posteriors};
use tribunal_random::derive_seed;

use super::reverse::Populations;
use crate::any_model::AnyModel;
use crate::error::Error;
use crate::line_up::{Entrant, LineUpScores, attempt, cross_validate};
use crate::progress::OnProgress;
use crate::resampling::{Design, LabelColumn, Plan, Rows};
use crate::run_folder::{read_numbers, write_numbers};
use crate::tuning::{TuneOptions, tune};

/// Seeds of models that reverse validation makes of the rows of a fold.
const REVERSE_VALIDATION: u64 = 2;

/// Posteriors in the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct KeptPosteriors {
    n_classes: usize,
    is_margin: bool,
    #[serde(serialize_with = "write_numbers", deserialize_with = "read_numbers")]
    values: Vec<f64>,
}

impl From<&Posteriors> for KeptPosteriors {
    fn from(posteriors: &Posteriors) -> Self {
        KeptPosteriors {
            n_classes: posteriors.n_classes(),
            is_margin: posteriors.output() == Output::Margins,
            values: posteriors.values().to_vec(),
        }
    }
}

impl KeptPosteriors {
    /// What was kept.
    ///
    /// # Errors
    /// The numbers are not those of whole rows.
    pub(super) fn posteriors(&self) -> Result<Posteriors, Error> {
        let values = self.values.clone();
        Ok(match self.is_margin {
            true => Posteriors::from_margins(self.n_classes, values)?,
            false => Posteriors::from_values(self.n_classes, values)?,
        })
    }
}

/// What the model of all labelled rows says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ForwardFit {
    /// Of the population.
    pub(super) deployed: KeptPosteriors,
    /// The share of the labelled rows that it was trained on and gets wrong.
    pub(super) training_error: f64,
    /// The VC dimension of its classifiers, where it is known.
    pub(super) vc_dimension: Option<f64>,
}

impl Populations<'_> {
    /// A learner with its settings, chosen on the labelled rows where some are open.
    ///
    /// # Errors
    /// Nothing can be chosen.
    pub(super) fn settled(&self, entrant: &Entrant, seed: u64) -> Result<Entrant, Error> {
        let Entrant::BuiltIn(learner) = entrant else { return Ok(entrant.clone()) };
        let options = TuneOptions { seed, ..TuneOptions::default() };
        Ok(Entrant::BuiltIn(tune(learner, self.train, &self.train_rows(), &options)?.learner))
    }

    /// What a model of all labelled rows says.
    ///
    /// # Errors
    /// The learner fails.
    pub(super) fn forward(&self, entrant: &Entrant, seed: u64) -> Result<ForwardFit, Error> {
        let model = self.forward_model(entrant, seed)?;
        let deployed = model.posteriors(self.deploy, &self.deploy_rows())?;
        let trained = model.posteriors(self.train, &self.train_rows())?;
        let rows = self.labelled();
        let training_error = 1.0 - rows.correct(trained.predicted()) / rows.total_weight();
        let training_error = training_error.clamp(0.0, 1.0);
        Ok(ForwardFit { deployed: (&deployed).into(), training_error, vc_dimension: vc_dimension(&model) })
    }

    /// How the labelled rows are divided.
    ///
    /// # Errors
    /// A class has too few rows.
    pub(super) fn plan(&self, design: &Design, seed: u64) -> Result<Plan, Error> {
        Plan::new(design, &Rows::of_classes(&LabelColumn::of_target(self.target)), seed)
    }

    /// What learners say of every labelled row by models that have not seen it, repetition by repetition; why it failed for one that
    /// did.
    ///
    /// # Errors
    /// The plan is one of other rows.
    pub(super) fn held_out(
        &self,
        entrants: &[Entrant],
        plan: &Plan,
        seed: u64,
        on_progress: OnProgress<'_>,
    ) -> Result<Vec<Result<Vec<Posteriors>, String>>, Error> {
        let scores = cross_validate(entrants, self.train, plan, seed, on_progress)?;
        Ok((0..entrants.len()).map(|entrant| self.repetitions(&scores, entrant)).collect())
    }

    fn repetitions(&self, scores: &LineUpScores, entrant: usize) -> Result<Vec<Posteriors>, String> {
        let outcomes = &scores.entrants[entrant].outcomes;
        let mut parts: Vec<Vec<(&[u32], &Posteriors)>> = Vec::new();
        for (tested, outcome) in scores.splits.iter().zip(outcomes) {
            let found = outcome.as_ref().map_err(Clone::clone)?;
            let repetition = tested.place.repetition;
            parts.resize_with(parts.len().max(repetition + 1), Vec::new);
            parts[repetition].push((&tested.rows, &found.posteriors));
        }
        let joined = parts.iter().map(|parts| Posteriors::of_parts(self.train.n_rows(), parts));
        joined.collect::<Result<_, _>>().map_err(|error| error.to_string())
    }

    /// What reverse validation says of a learner: of the labelled rows of each fold, by a model of the population as a model of the
    /// other folds labels it.
    ///
    /// # Errors
    /// A model cannot be made.
    pub(super) fn reverse_validation(
        &self,
        entrant: &Entrant,
        plan: &Plan,
        seed: u64,
    ) -> Result<Posteriors, Error> {
        let deploy_rows = self.deploy_rows();
        let of_fold = |fold: usize| {
            let split = plan.split(fold);
            let seeds = |step: u64| derive_seed(seed, &[REVERSE_VALIDATION, fold as u64, step]);
            let forward = entrant.fit_to_score(self.train, &split.train, seeds(0))?;
            let labels = forward
                .posteriors(self.deploy, &deploy_rows)?
                .predicted()
                .map(|class| class as u32)
                .collect();
            let classes = self.target.classes().iter().map(String::as_str);
            let target = tribunal_learn::Target::new(self.target.name(), classes, labels)?;
            let labelled = self.deploy.clone().with_target(target)?;
            let reverse = entrant.fit_to_score(&labelled, &deploy_rows, seeds(1))?;
            Ok((reverse.posteriors(self.train, &split.test)?, split.test))
        };
        let folds = (0..plan.n_splits()).into_par_iter().map(of_fold).collect::<Vec<Result<_, Error>>>();
        let folds = folds.into_iter().collect::<Result<Vec<(Posteriors, Vec<u32>)>, Error>>()?;
        let parts: Vec<(&[u32], &Posteriors)> =
            folds.iter().map(|(found, rows)| (&rows[..], found)).collect();
        Ok(Posteriors::of_parts(self.train.n_rows(), &parts)?)
    }

    /// What a learner says of every labelled row when that row alone is left out.
    ///
    /// # Errors
    /// The learner fails on a row.
    pub(super) fn leave_one_out(
        &self,
        entrant: &Entrant,
        seed: u64,
        on_progress: OnProgress<'_>,
    ) -> Result<Posteriors, Error> {
        let plan = self.plan(&"loo".parse()?, seed)?;
        let found = self.held_out(std::slice::from_ref(entrant), &plan, seed, on_progress)?;
        let repetitions = found.into_iter().next().unwrap_or(Ok(Vec::new())).map_err(Error::data)?;
        repetitions.into_iter().next().ok_or_else(|| Error::data("there are no rows to leave out"))
    }
}

/// The VC dimension of linear classifiers: one more than the columns of their design matrix.
fn vc_dimension(model: &AnyModel) -> Option<f64> {
    let AnyModel::Learned(model) = model else { return None };
    let is_linear = model.classes().len() == 2 && model.learner().family().name() == "logit";
    is_linear.then(|| model.coefficients()).flatten().map(|table| table.degrees_of_freedom as f64 + 1.0)
}

/// Work that may fail for one learner without ending the run.
pub(super) fn tried<T>(work: impl FnOnce() -> Result<T, Error>) -> Result<T, String> {
    attempt(work)
}
