//! Models of several samples of the training rows, whose scores are averaged.
//!
//! **Definition** The value of a class is the mean over the models. Where some give margins, the shares of a model whose sample
//! had one class only count as margins from -1 to 1.

use serde::{Deserialize, Serialize};

use crate::encoding::Encoded;
use crate::error::Error;
use crate::explanation::{Contribution, Explanation, Reasons, contest};
use crate::model::{Case, Fitted, Scorer};
use crate::model_shape::ModelShape;
use crate::names::{FeatureName, Names};
use crate::posteriors::{Output, Posteriors};

/// Models that are averaged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "StoredModels")]
pub(crate) struct SampleModels {
    models: Vec<Fitted>,
}

#[derive(Deserialize)]
struct StoredModels {
    models: Vec<Fitted>,
}

impl TryFrom<StoredModels> for SampleModels {
    type Error = &'static str;

    fn try_from(StoredModels { models }: StoredModels) -> Result<Self, Self::Error> {
        if models.is_empty() || models.iter().any(|model| matches!(model, Fitted::SampleModels(_))) {
            return Err("a mean of no models, or of means");
        }
        Ok(SampleModels { models })
    }
}

impl SampleModels {
    /// So many models, by their number.
    ///
    /// # Errors
    /// One of them cannot be fitted.
    pub(super) fn fit(n_models: usize, fit: impl Fn(u64) -> Result<Fitted, Error>) -> Result<Self, Error> {
        (0..n_models as u64).map(fit).collect::<Result<_, Error>>().map(|models| SampleModels { models })
    }

    fn of_each(&self, rows: &Encoded<'_>) -> Vec<Posteriors> {
        let of_each: Vec<Posteriors> =
            self.models.iter().map(|model| model.scorer().posteriors(rows)).collect();
        match of_each.iter().any(|found| found.output() == Output::Margins) {
            true => of_each.into_iter().map(Posteriors::into_margins).collect(),
            false => of_each,
        }
    }
}

impl Scorer for SampleModels {
    fn fits(&self, shape: &ModelShape) -> bool {
        self.models.iter().all(|model| model.scorer().fits(shape))
    }

    fn warnings(&self, features: &[FeatureName]) -> Vec<String> {
        let mut warnings: Vec<String> = Vec::new();
        for warning in self.models.iter().flat_map(|model| model.scorer().warnings(features)) {
            if !warnings.contains(&warning) {
                warnings.push(warning);
            }
        }
        warnings
    }

    fn posteriors(&self, rows: &Encoded<'_>) -> Posteriors {
        Posteriors::mean(&self.of_each(rows))
    }

    fn text(&self, names: &Names) -> String {
        let n_models = self.models.len();
        let one = |(idx, model): (usize, &Fitted)| {
            format!("model {} of {n_models}\n{}\n", idx + 1, model.scorer().text(names))
        };
        self.models.iter().enumerate().map(one).collect()
    }

    /// What each model gives to the mean.
    fn explain(&self, case: &Case<'_>, names: &Names) -> Explanation {
        let of_each = self.of_each(case.rows);
        let posteriors = Posteriors::mean(&of_each).row(case.row).to_vec();
        let class = contest(&posteriors).0;
        let n_models = of_each.len() as f64;
        let item = |(idx, found): (usize, &Posteriors)| Contribution {
            what: format!("model {} of {n_models}", idx + 1),
            change: found.row(case.row)[class] / n_models,
        };
        let mut items: Vec<Contribution> = of_each.iter().enumerate().map(item).collect();
        items.sort_by(|a, b| b.change.abs().total_cmp(&a.change.abs()));
        let for_class = names.classes.get(class).cloned().unwrap_or_default();
        Explanation { posteriors, reasons: Reasons::Contributions { for_class, start: 0.0, items } }
    }
}
