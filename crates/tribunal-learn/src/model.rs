//! A fitted model: what was learned, with everything that is needed to apply it to other rows.

use rayon::prelude::*;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use crate::coefficients::CoefficientTable;
use crate::dataset::Dataset;
use crate::encoding::{Encoded, Encoder};
use crate::error::Error;
use crate::explanation::Explanation;
use crate::kind::Kind;
use crate::learners::Learner;
use crate::learners::bnb::BinnedBayesModel;
use crate::learners::boost::BoostModel;
use crate::learners::c45::TreeModel;
use crate::learners::calibrated::CalibratedModel;
use crate::learners::cost_sensitive::sample_models::SampleModels;
use crate::learners::forest::Forest;
use crate::learners::knn::KnnModel;
use crate::learners::logit::LogitModel;
use crate::learners::lssvm::LsSvmModel;
use crate::learners::majority::Shares;
use crate::learners::mlp::MlpModel;
use crate::learners::nb::NbModel;
use crate::learners::svm::SvmModel;
use crate::learners::tan::TanModel;
use crate::model_shape::ModelShape;
use crate::names::{FeatureName, Names};
use crate::posteriors::{Output, Posteriors};
use crate::training::{Training, needed_target};

/// Rows that are encoded and scored at a time, by one thread.
const BLOCK: usize = 8192;

/// A model: immutable, and the same after it was written and read back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "StoredModel")]
pub struct Model {
    learner: Learner,
    target: String,
    classes: Vec<String>,
    inputs: Vec<Input>,
    n_rows: usize,
    warnings: Vec<String>,
    learned: Learned,
}

/// What was learned, of columns and from them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Learned {
    encoder: Encoder,
    fitted: Fitted,
}

/// A model as it was written.
#[derive(Deserialize)]
struct StoredModel {
    learner: Learner,
    target: String,
    classes: Vec<String>,
    inputs: Vec<Input>,
    n_rows: usize,
    warnings: Vec<String>,
    learned: Learned,
}

impl TryFrom<StoredModel> for Model {
    type Error = &'static str;

    fn try_from(stored: StoredModel) -> Result<Self, Self::Error> {
        let StoredModel { learner, target, classes, inputs, n_rows, warnings, learned } = stored;
        if classes.is_empty() || !are_distinct(&classes) {
            return Err("a model without classes, or with one of them twice");
        }
        check_inputs(&inputs)?;
        if !learner.is_settled_for(classes.len()) {
            return Err("a model of a learner whose costs are missing, or those of other classes");
        }
        let encoded = learned.encoder.shape(&inputs).filter(|_| learned.encoder.gives(&learner.view()));
        let encoded = encoded.ok_or("an encoding of other columns than those of the model")?;
        if !learned.fitted.scorer().fits(&ModelShape { n_classes: classes.len(), encoded }) {
            return Err("a model of other columns or classes than it is given");
        }
        Ok(Model { learner, target, classes, inputs, n_rows, warnings, learned })
    }
}

/// Fails if the columns of a stored model cannot be told apart, or the levels of one.
pub(crate) fn check_inputs(inputs: &[Input]) -> Result<(), &'static str> {
    if !are_distinct(inputs.iter().map(|input| &input.name)) {
        return Err("a model with two columns of one name");
    }
    match inputs.iter().all(|input| are_distinct(input.kind.levels())) {
        true => Ok(()),
        false => Err("a model with a column of which a level is there twice"),
    }
}

fn are_distinct<'a>(names: impl IntoIterator<Item = &'a String>) -> bool {
    let mut met = FxHashSet::default();
    names.into_iter().all(|name| met.insert(name))
}

/// A column that a model was trained with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Input {
    /// Its name.
    pub name: String,
    /// What it holds, with the levels that were known.
    #[serde(with = "crate::kind::with_levels")]
    pub kind: Kind,
}

/// What each learner learns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Fitted {
    Majority(Shares),
    Logit(LogitModel),
    NaiveBayes(NbModel),
    BinnedBayes(BinnedBayesModel),
    Tan(TanModel),
    C45(TreeModel),
    Forest(Forest),
    Boost(BoostModel),
    Knn(KnnModel),
    Mlp(MlpModel),
    LsSvm(LsSvmModel),
    Svm(SvmModel),
    Calibrated(CalibratedModel),
    SampleModels(SampleModels),
}

/// What a fitted learner can do.
pub(crate) trait Scorer {
    /// Whether it is one of so many classes and of these columns, for a model that was read.
    fn fits(&self, shape: &ModelShape) -> bool;

    /// What a user should know of it.
    fn warnings(&self, _features: &[FeatureName]) -> Vec<String> {
        Vec::new()
    }

    /// The probability or margin of each class for encoded rows.
    fn posteriors(&self, rows: &Encoded<'_>) -> Posteriors;

    /// The model as text.
    fn text(&self, names: &Names) -> String;

    /// The model as a graph in the DOT language of Graphviz, if it is one.
    fn graph(&self, _names: &Names) -> Option<String> {
        None
    }

    /// Its coefficients, if it has any.
    fn coefficients(&self, _names: &Names) -> Option<CoefficientTable> {
        None
    }

    /// Why it says of an encoded row what it says.
    fn explain(&self, case: &Case<'_>, names: &Names) -> Explanation;
}

/// A row that is to be explained.
pub(crate) struct Case<'a> {
    pub(crate) rows: &'a Encoded<'a>,
    pub(crate) row: usize,
    /// What each column says of it, `lag = 7 to 15`.
    pub(crate) readings: &'a [String],
}

impl Fitted {
    pub(crate) fn scorer(&self) -> &dyn Scorer {
        match self {
            Fitted::Majority(scorer) => scorer,
            Fitted::Logit(scorer) => scorer,
            Fitted::NaiveBayes(scorer) => scorer,
            Fitted::BinnedBayes(scorer) => scorer,
            Fitted::Tan(scorer) => scorer,
            Fitted::C45(scorer) => scorer,
            Fitted::Forest(scorer) => scorer,
            Fitted::Boost(scorer) => scorer,
            Fitted::Knn(scorer) => scorer,
            Fitted::Mlp(scorer) => scorer,
            Fitted::LsSvm(scorer) => scorer,
            Fitted::Svm(scorer) => scorer,
            Fitted::Calibrated(scorer) => scorer,
            Fitted::SampleModels(scorer) => scorer,
        }
    }
}

impl Model {
    /// What `fit` learned from encoded rows; of a single class there is nothing to learn but that.
    pub(crate) fn fit(
        learner: &Learner,
        dataset: &Dataset,
        encoder: Encoder,
        training: &Training<'_>,
        fit: impl FnOnce() -> Result<Fitted, Error>,
    ) -> Result<Model, Error> {
        let target = needed_target(dataset)?;
        let mut warnings: Vec<String> = light_rows(training).into_iter().collect();
        let fitted = match lone_class(training) {
            None => {
                let fitted = fit()?;
                warnings.extend(fitted.scorer().warnings(&encoder.features()));
                fitted
            }
            Some(class) => {
                warnings.push(format!(
                    "all training rows are of the class {:?}, so every row gets the same score",
                    target.classes()[class]
                ));
                Fitted::Majority(Shares::of(training))
            }
        };
        Ok(Model {
            learner: learner.clone(),
            target: target.name().to_owned(),
            classes: target.classes().to_vec(),
            inputs: dataset.inputs(),
            n_rows: training.n_rows(),
            warnings,
            learned: Learned { encoder, fitted },
        })
    }

    /// The same as the model of another learner, which had this one fitted.
    pub(crate) fn of_learner(self, learner: &Learner) -> Model {
        Model { learner: learner.clone(), ..self }
    }

    /// The same with a warning more.
    pub(crate) fn warned(mut self, warning: Option<String>) -> Model {
        self.warnings.extend(warning);
        self
    }

    /// The learner that it comes from.
    pub fn learner(&self) -> &Learner {
        &self.learner
    }

    /// The name of the target.
    pub fn target(&self) -> &str {
        &self.target
    }

    /// The names of the classes; of two the second is the positive one.
    pub fn classes(&self) -> &[String] {
        &self.classes
    }

    /// The columns that it was trained with.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// How many rows it was trained on.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// What a user should know.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The probability of each class for rows of a data set, or its margin where the learner knows no probabilities. Columns are matched by name; others may be there.
    ///
    /// # Errors
    /// A column is not there, of another kind or with other levels: see [`Dataset::aligned_to`].
    pub fn posteriors(&self, dataset: &Dataset, rows: &[u32]) -> Result<Posteriors, Error> {
        dataset.check_aligned(&self.inputs)?;
        let block = |rows: &[u32]| {
            Ok(self.learned.fitted.scorer().posteriors(&self.learned.encoder.encode(dataset, rows)?))
        };
        let blocks = rows.par_chunks(BLOCK).map(block).collect::<Result<Vec<Posteriors>, Error>>()?;
        let mut posteriors = Posteriors::new(self.classes.len(), Vec::new());
        blocks.into_iter().for_each(|block| posteriors.append(block));
        // Where all training rows are of one class, shares stand for whatever the learner would have learned.
        let posteriors =
            if self.learner.output() == Output::Margins { posteriors.into_margins() } else { posteriors };
        Ok(posteriors.with_costs_within(self.learner.costs_within()))
    }

    /// Why it says of a row what it says.
    ///
    /// # Errors
    /// As [`posteriors`](Model::posteriors).
    pub fn explain(&self, dataset: &Dataset, row: u32) -> Result<Explanation, Error> {
        dataset.check_aligned(&self.inputs)?;
        let (rows, names) = (self.learned.encoder.encode(dataset, &[row])?, self.names());
        let shown = self.learned.encoder.shown(dataset, row)?;
        let readings: Vec<String> =
            names.columns.iter().zip(&shown).map(|(column, shown)| column.reading(shown)).collect();
        let case = Case { rows: &rows, row: 0, readings: &readings };
        Ok(self.learned.fitted.scorer().explain(&case, &names))
    }

    /// The model as text.
    pub fn text(&self) -> String {
        let costs = self.learner.about_costs(&self.classes).map_or_else(String::new, |about| about + "\n\n");
        costs + &self.learned.fitted.scorer().text(&self.names().in_lines())
    }

    /// The coefficients of a regression, in the units of the data.
    pub fn coefficients(&self) -> Option<CoefficientTable> {
        self.learned.fitted.scorer().coefficients(&self.names())
    }

    /// The model as a graph in the DOT language of Graphviz, if it is a tree or a network.
    pub fn graph(&self) -> Option<String> {
        self.learned.fitted.scorer().graph(&self.names().in_lines())
    }

    fn names(&self) -> Names {
        Names::new(&self.inputs, &self.learned.encoder, &self.classes)
    }
}

/// A warning where weights are shares rather than counts.
fn light_rows(training: &Training<'_>) -> Option<String> {
    let (total, n_rows) = (training.class_weights().iter().sum::<f64>(), training.n_rows());
    let mean = total / n_rows as f64;
    (mean < 0.5).then(|| {
        format!(
            "the weights of {n_rows} rows add up to {total:.4} only; learners take a weight of 2 for the row twice, so \
             scale weights to a mean of 1 unless they are meant to count for that little"
        )
    })
}

/// The class of all rows that have any weight, if there is no other.
pub(crate) fn lone_class(training: &Training<'_>) -> Option<usize> {
    let weights = training.class_weights();
    let present: Vec<usize> = (0..weights.len()).filter(|&class| weights[class] > 0.0).collect();
    match present[..] {
        [] => training.classes.first().map(|&class| class as usize),
        [class] => Some(class),
        _ => None,
    }
}
