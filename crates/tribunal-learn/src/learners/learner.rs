//! A learner: the hyper-parameters, as text and as values.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::bagging::Bagging;
use super::bnb::BinnedBayes;
use super::boost::Boost;
use super::c45::{self, C45};
use super::calibrated::CalibratedModel;
use super::character::Character;
use super::cost_sensitive::{CostMethod, CostSensitive};
use super::grid::{Grid, GridEdge};
use super::knn::Knn;
use super::logit::Logit;
use super::lssvm::LsSvm;
use super::majority::Majority;
use super::majority::Shares;
use super::mlp::{self, Mlp};
use super::nb::NaiveBayes;
use super::rdt::RandomTrees;
use super::svm::Svm;
use super::tan::Tan;
use super::{Arguments, COST_METHODS, Family, LEARNERS, LearnerForm, Minds};
use crate::amounts::AMOUNT_LEARNERS;
use crate::calibration::CalibratorKind;
use crate::costs::{CostMatrix, CostsWithin};
use crate::dataset::Dataset;
use crate::encoding::{Encoder, View};
use crate::error::{Error, ErrorKind};
use crate::model::{Fitted, Model, lone_class};
use crate::names::FeatureName;
use crate::posteriors::Output;
use crate::text_form::written_as_text;
use crate::training::{Training, counting_rows};

/// A learner with its settings, written as `tan:25` or `c45:unpruned`; `tan:25+platt` is calibrated on held-out folds,
/// `tan:25+weights=1:5` minds what errors cost ([`COST_METHODS`](super::COST_METHODS)), and `tan:{5,25}` is one of two, still to
/// be chosen.
///
/// ```
/// use tribunal_learn::Learner;
///
/// let learner: Learner = "majority".parse()?;
/// assert_eq!(learner.to_string(), "majority");
/// let error = "majorty".parse::<Learner>().unwrap_err();
/// assert!(error.to_string().contains("did you mean majority?"), "{error}");
/// # Ok::<(), tribunal_learn::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Learner {
    pub(crate) method: Method,
    pub(crate) calibrator: Option<CalibratorKind>,
    costs: Option<CostSensitive>,
}

/// What a model is fitted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// To be kept and looked at.
    Keeping,
    /// To score a few rows and be gone.
    Scoring,
}

/// The settings of each learner.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Method {
    Majority(Majority),
    Logit(Logit),
    NaiveBayes(NaiveBayes),
    BinnedBayes(BinnedBayes),
    Tan(Tan),
    C45(C45),
    Bagging(Bagging),
    RandomTrees(RandomTrees),
    Grid(Grid),
    Boost(Boost),
    Knn(Knn),
    Mlp(Mlp),
    LsSvm(LsSvm),
    Svm(Svm),
}

/// What the settings of a learner can do.
pub(crate) trait Fit: fmt::Display {
    /// Its entry in the registry.
    fn form(&self) -> &'static LearnerForm;

    /// How it wants to see columns.
    fn view(&self) -> View {
        View::Codes(None)
    }

    /// Whether a change of the data that should not matter does matter to it, by design.
    fn minds(&self, change: Minds) -> bool {
        self.form().minds.contains(&change)
    }

    /// What to choose from where something is to be tuned on so many rows; nothing where all is settled.
    fn candidates(&self, _n_rows: usize) -> Vec<Method> {
        Vec::new()
    }

    /// What to choose from next, after so many refinements: a finer grid around the best of the candidates tried last;
    /// nothing where the choice is made.
    fn refine(&self, _n_refined: usize, _tried: &[Method], _best: &Method) -> Vec<Method> {
        Vec::new()
    }

    /// By which metric candidates are compared unless somebody wants another.
    fn tuned_by(&self) -> &'static str {
        "auroc"
    }

    /// The settings of a candidate that lie at an end of what is tried by itself on so many rows, or beyond, though there are
    /// learners further out.
    fn edges(&self, _candidate: &Method, _n_rows: usize) -> Vec<GridEdge> {
        Vec::new()
    }

    /// The same on the scale of all rows, if candidates are to be compared on the scale of the whole training part so that
    /// its inner folds can share their work.
    fn scaled_once(&self) -> Option<Method> {
        None
    }

    /// The same on the scale of all rows of the data, test rows included; nothing where no scale matters.
    fn on_scale_of_all(&self) -> Option<Method> {
        None
    }

    /// What sort of model it makes, and what that takes.
    fn character(&self) -> Character;

    /// What it says of rows.
    fn output(&self) -> Output {
        Output::Probabilities
    }

    /// Bytes that a fit to so many rows takes at least, where they grow faster than the rows do.
    fn memory(&self, _n_rows: usize) -> u64 {
        0
    }

    /// Refuses a fit to so many rows that there is no memory for.
    fn check_memory(&self, _n_rows: usize) -> Result<(), Error> {
        Ok(())
    }

    /// Learns from rows of at least two classes.
    fn fit(&self, training: &Training<'_>, seed: u64) -> Result<Fitted, Error>;

    /// Adds what people want to know of a model that is kept and nobody needs of one that only scores.
    fn inspect(&self, fitted: Fitted, _training: &Training<'_>, _features: &[FeatureName]) -> Fitted {
        fitted
    }
}

impl Method {
    pub(crate) fn settings(&self) -> &dyn Fit {
        match self {
            Method::Majority(settings) => settings,
            Method::Logit(settings) => settings,
            Method::NaiveBayes(settings) => settings,
            Method::BinnedBayes(settings) => settings,
            Method::Tan(settings) => settings,
            Method::C45(settings) => settings,
            Method::Bagging(settings) => settings,
            Method::RandomTrees(settings) => settings,
            Method::Grid(settings) => settings,
            Method::Boost(settings) => settings,
            Method::Knn(settings) => settings,
            Method::Mlp(settings) => settings,
            Method::LsSvm(settings) => settings,
            Method::Svm(settings) => settings,
        }
    }
}

impl Learner {
    /// Its entry in the registry.
    pub fn form(&self) -> &'static LearnerForm {
        self.method.settings().form()
    }

    /// Its relatives.
    pub fn family(&self) -> Family {
        self.form().family
    }

    /// How its probabilities are calibrated, if they are.
    ///
    /// ```
    /// use tribunal_learn::{CalibratorKind, Learner};
    ///
    /// assert_eq!("nb:5+platt".parse::<Learner>()?.calibrator(), Some(CalibratorKind::Platt));
    /// assert_eq!("nb:1e+3".parse::<Learner>()?.calibrator(), None);
    /// # Ok::<(), tribunal_learn::Error>(())
    /// ```
    pub fn calibrator(&self) -> Option<CalibratorKind> {
        self.calibrator
    }

    /// Whether a change of the data that should not matter does matter to it, by design.
    pub fn minds(&self, change: Minds) -> bool {
        let through_folds = match change {
            // Rows are dealt into folds by their number, class after class.
            Minds::RowOrder | Minds::Repetition | Minds::ClassOrder => true,
            // Of equal tests a tree takes the first column, and among the trees of many folds some have equal tests.
            Minds::ColumnOrder => self.family() == Family::C45,
            Minds::Direction | Minds::Rounding | Minds::SmallUnit | Minds::ClonedColumns => false,
        };
        self.method.settings().minds(change)
            || (self.calibrator.is_some() && through_folds)
            || self.costs.as_ref().is_some_and(|costs| costs.minds(change))
    }

    /// Learns from rows of a data set; a row may occur more than once. Weights of rows count.
    ///
    /// # Errors
    /// There is no target, no row, or a column that cannot be encoded.
    pub fn fit(&self, dataset: &Dataset, rows: &[u32], seed: u64) -> Result<Model, Error> {
        self.fit_for(Use::Keeping, dataset, rows, seed)
    }

    /// The same for a model that scores rows and is gone: the same scores, without what only readers of the model look at, such as the
    /// tests of its coefficients.
    ///
    /// # Errors
    /// As [`fit`](Self::fit).
    pub fn fit_to_score(&self, dataset: &Dataset, rows: &[u32], seed: u64) -> Result<Model, Error> {
        self.fit_for(Use::Scoring, dataset, rows, seed)
    }

    pub(super) fn fit_for(
        &self,
        use_: Use,
        dataset: &Dataset,
        rows: &[u32],
        seed: u64,
    ) -> Result<Model, Error> {
        let rows = counting_rows(dataset, rows)?;
        if let Some(costs) = &self.costs {
            let plain = self.without_costs();
            return Ok(costs.fit(&plain, use_, (dataset, &rows), seed)?.of_learner(self));
        }
        let encoder = Encoder::fit(&self.method.settings().view(), dataset, &rows)?;
        let training = Training::encode(dataset, &rows, &encoder)?;
        let features = encoder.features();
        Model::fit(self, dataset, encoder, &training, || {
            let inspect = |fitted: Fitted| match use_ {
                Use::Keeping => self.method.settings().inspect(fitted, &training, &features),
                Use::Scoring => fitted,
            };
            self.fit_encoded((dataset, &rows), &training, inspect, seed)
        })
    }

    /// What it learns from encoded rows of at least two classes, calibrated if it is to be.
    fn fit_encoded(
        &self,
        (dataset, rows): (&Dataset, &[u32]),
        training: &Training<'_>,
        inspect: impl FnOnce(Fitted) -> Fitted,
        seed: u64,
    ) -> Result<Fitted, Error> {
        let fitted = inspect(self.method.settings().fit(training, seed)?);
        let Some(kind) = self.calibrator else { return Ok(fitted) };
        let plain = Learner { calibrator: None, ..self.clone() };
        let model = CalibratedModel::fit(kind, (&plain, fitted), (dataset, rows), training, seed)?;
        Ok(Fitted::Calibrated(model))
    }

    /// What it learns from some of encoded rows, by their position; of one class its share.
    pub(super) fn fit_sample(
        &self,
        dataset: &Dataset,
        training: &Training<'_>,
        positions: &[u32],
        seed: u64,
    ) -> Result<Fitted, Error> {
        let sample = training.take(positions);
        match lone_class(&sample) {
            Some(_) => Ok(Fitted::Majority(Shares::of(&sample))),
            None => self.fit_encoded((dataset, &sample.rows), &sample, |fitted| fitted, seed),
        }
    }

    /// How it minds what errors cost, if it does.
    ///
    /// ```
    /// use tribunal_learn::{CostMethod, Learner};
    ///
    /// assert_eq!("c45+metacost=1:5,m=10".parse::<Learner>()?.cost_method(), Some(CostMethod::MetaCost));
    /// assert_eq!("c45".parse::<Learner>()?.cost_method(), None);
    /// # Ok::<(), tribunal_learn::Error>(())
    /// ```
    pub fn cost_method(&self) -> Option<CostMethod> {
        match &self.method {
            Method::Grid(grid) => grid.first().cost_method(),
            _ => self.costs.as_ref().map(CostSensitive::method),
        }
    }

    /// What errors cost it.
    pub fn costs(&self) -> Option<&CostMatrix> {
        match &self.method {
            Method::Grid(grid) => grid.first().costs(),
            _ => self.costs.as_ref()?.costs.as_ref(),
        }
    }

    /// Whether it is to mind costs that nobody named yet; of a grid, whether one of its learners is.
    pub fn needs_costs(&self) -> bool {
        match &self.method {
            Method::Grid(grid) => grid.needs_costs(),
            _ => self.costs.as_ref().is_some_and(|costs| costs.costs.is_none()),
        }
    }

    /// The same with these costs, if it is to mind costs and has none.
    ///
    /// ```
    /// use tribunal_learn::Learner;
    ///
    /// let costs = "1:5".parse()?;
    /// let with = |text: &str| text.parse::<Learner>().map(|learner| learner.with_costs(&costs).to_string());
    /// assert_eq!(with("c45+weights")?, "c45+weights=1:5");
    /// assert_eq!(with("nb:{5,25}+metacost,m=10")?, "nb:{5,25}+metacost=1:5,m=10");
    /// assert_eq!(with("c45+weights=1:2")?, "c45+weights=1:2");
    /// assert_eq!(with("c45")?, "c45");
    /// # Ok::<(), tribunal_learn::Error>(())
    /// ```
    #[must_use]
    pub fn with_costs(&self, costs: &CostMatrix) -> Learner {
        let method = match &self.method {
            Method::Grid(grid) => Method::Grid(grid.with_costs(costs)),
            method => method.clone(),
        };
        Learner {
            method,
            calibrator: self.calibrator,
            costs: self.costs.as_ref().map(|own| own.with_costs(costs)),
        }
    }

    /// The same by a method of cost-sensitive learning. Margins are calibrated by Platt's sigmoid first where the method needs
    /// probabilities.
    ///
    /// ```
    /// use tribunal_learn::{CostMethod, Learner};
    ///
    /// let (costs, svm) = ("1:5".parse()?, "svm".parse::<Learner>()?);
    /// let by = |method: CostMethod| svm.by_cost_method(method, &costs).map(|learner| learner.to_string());
    /// assert_eq!(by(CostMethod::Weights)?, "svm+weights=1:5");
    /// assert_eq!(by(CostMethod::MetaCost)?, "svm+platt+metacost=1:5");
    /// assert_eq!(by(CostMethod::Threshold)?, "svm+threshold=1:5");
    /// # Ok::<(), tribunal_learn::Error>(())
    /// ```
    ///
    /// # Errors
    /// It has a method already.
    pub fn by_cost_method(&self, method: CostMethod, costs: &CostMatrix) -> Result<Learner, Error> {
        let calibrated = if self.gives_margins() && method == CostMethod::MetaCost { "+platt" } else { "" };
        format!("{self}{calibrated}+{method}={costs}").parse()
    }

    /// The same, calibrated by Platt's sigmoid if it gives margins and no probabilities.
    ///
    /// ```
    /// use tribunal_learn::Learner;
    ///
    /// let with = |text: &str| text.parse::<Learner>().and_then(|learner| learner.giving_probabilities());
    /// assert_eq!(with("svm")?.to_string(), "svm+platt");
    /// assert_eq!(with("svm+isotonic")?.to_string(), "svm+isotonic");
    /// assert_eq!(with("logit")?.to_string(), "logit");
    /// # Ok::<(), tribunal_learn::Error>(())
    /// ```
    ///
    /// # Errors
    /// It gives margins and a method of cost-sensitive learning stands behind it, where no calibrator can.
    pub fn giving_probabilities(&self) -> Result<Learner, Error> {
        if self.gives_margins() { format!("{self}+platt").parse() } else { Ok(self.clone()) }
    }

    /// Whether it says margins of rows; of a grid, whether its first learner does.
    fn gives_margins(&self) -> bool {
        match &self.method {
            Method::Grid(grid) => grid.first().output() == Output::Margins,
            _ => self.output() == Output::Margins,
        }
    }

    /// Where the costs of errors are in what its models say.
    pub fn costs_within(&self) -> CostsWithin {
        match &self.method {
            Method::Grid(grid) => grid.first().costs_within(),
            _ => self.costs.as_ref().map_or(CostsWithin::Nowhere, CostSensitive::within),
        }
    }

    /// The learner that is made to mind costs.
    #[must_use]
    pub fn without_costs(&self) -> Learner {
        Learner { costs: None, ..self.clone() }
    }

    /// Whether a model of so many classes can come from it: its costs are known, and those of as many classes.
    pub(crate) fn is_settled_for(&self, n_classes: usize) -> bool {
        self.costs.as_ref().is_none_or(|costs| costs.needed_costs(n_classes).is_ok())
    }

    /// What costs have to do with what a model of these classes says, in a sentence.
    pub(crate) fn about_costs(&self, classes: &[String]) -> Option<String> {
        let named = |weights: &[f64]| {
            let one = |(class, weight): (&String, &f64)| format!("{class} {weight}");
            classes.iter().zip(weights).map(one).collect::<Vec<_>>().join(", ")
        };
        match self.costs_within() {
            CostsWithin::Nowhere => None,
            CostsWithin::Decision(weights) => Some(format!(
                "costs are in the decision: classes weigh {}, so that of two the second is predicted from {:.6} on",
                named(weights.as_slice()),
                weights.cut()
            )),
            CostsWithin::Probabilities(weights) => Some(format!(
                "costs are in the probabilities: rows weigh by class ({}), and the likelier class is predicted",
                named(weights.as_slice())
            )),
            CostsWithin::Training => Some(
                "costs are in what was learned: the likelier class is predicted, and its probability is none of the rows \
                 themselves"
                    .to_owned(),
            ),
        }
    }

    /// Its settings, if nothing is done to what they learn.
    pub(crate) fn plain_method(&self) -> Option<&Method> {
        (self.calibrator.is_none() && self.costs.is_none()).then_some(&self.method)
    }

    /// The same with other settings.
    fn with_method(&self, method: Method) -> Learner {
        Learner { method, ..self.clone() }
    }

    /// What to choose from where something is to be tuned on so many training rows; `None` where all is settled.
    ///
    /// ```
    /// use tribunal_learn::Learner;
    ///
    /// let curtailed: Learner = "c45:curtailed".parse()?;
    /// let candidates = curtailed.candidates(1_000).expect("k is to be tuned");
    /// assert_eq!((candidates.len(), candidates[0].to_string()), (20, "c45:curtailed,k=5".to_owned()));
    /// assert_eq!("nb:{1..64*2}".parse::<Learner>()?.candidates(1_000).map(|all| all.len()), Some(7));
    /// assert_eq!("c45".parse::<Learner>()?.candidates(1_000), None);
    /// # Ok::<(), tribunal_learn::Error>(())
    /// ```
    pub fn candidates(&self, n_rows: usize) -> Option<Vec<Learner>> {
        if let Method::Grid(grid) = &self.method {
            return Some(grid.learners(n_rows));
        }
        let candidates = self.method.settings().candidates(n_rows);
        (!candidates.is_empty())
            .then(|| candidates.into_iter().map(|method| self.with_method(method)).collect())
    }

    /// What to choose from next, after so many refinements, given the candidates tried last and the best of them; nothing
    /// where the choice is made.
    pub fn refine(&self, n_refined: usize, tried: &[Learner], best: &Learner) -> Vec<Learner> {
        let methods: Vec<Method> = tried.iter().map(|learner| learner.method.clone()).collect();
        let refined = self.method.settings().refine(n_refined, &methods, &best.method);
        refined.into_iter().map(|method| self.with_method(method)).collect()
    }

    /// By which metric candidates are compared unless somebody wants another.
    pub fn tuned_by(&self) -> &'static str {
        self.method.settings().tuned_by()
    }

    /// How it sees columns.
    pub(crate) fn view(&self) -> View {
        self.method.settings().view()
    }

    /// What it says of rows.
    pub fn output(&self) -> Output {
        if self.calibrator.is_some() { Output::Probabilities } else { self.method.settings().output() }
    }

    /// The same without a calibrator, if what is calibrated are margins. Their order and mostly their sign stay, so
    /// candidates can be compared before they are calibrated, and before the threshold is moved. Whatever else costs do, they
    /// do to the calibrated learner.
    pub fn uncalibrated(&self) -> Option<Learner> {
        let is_margin = self.method.settings().output() == Output::Margins;
        let is_last = self.cost_method().is_none_or(|method| method == CostMethod::Threshold);
        (self.calibrator.is_some() && is_margin && is_last).then(|| Learner {
            calibrator: None,
            costs: None,
            ..self.clone()
        })
    }

    /// The same on the scale of all rows of a data set, if candidates of its kind are compared on the scale of the whole
    /// training part, so that inner folds share their work; the chosen one is then fitted on its own scale.
    pub fn scaled_once(&self) -> Option<Learner> {
        let method = self.method.settings().scaled_once()?;
        Some(self.with_method(method))
    }

    /// The same on the scale of all rows of the data, test rows included, as in Viaene et al. (2002); as it is where no scale
    /// matters.
    ///
    /// ```
    /// use tribunal_learn::Learner;
    ///
    /// let paper = |text: &str| text.parse::<Learner>().map(|learner| learner.on_scale_of_all().to_string());
    /// assert_eq!(paper("knn:10")?, "knn:10,paper");
    /// assert_eq!(paper("tan:5")?, "tan:5");
    /// # Ok::<(), tribunal_learn::Error>(())
    /// ```
    pub fn on_scale_of_all(&self) -> Learner {
        let method = self.method.settings().on_scale_of_all().unwrap_or_else(|| self.method.clone());
        self.with_method(method)
    }

    /// Bytes that a fit to so many rows takes at least, where they grow faster than the rows do; of a grid the most of any
    /// candidate.
    pub fn memory(&self, n_rows: usize) -> u64 {
        match &self.method {
            Method::Grid(grid) => {
                grid.learners(n_rows).iter().map(|one| one.memory(n_rows)).max().unwrap_or(0)
            }
            method => method.settings().memory(n_rows),
        }
    }

    /// Refuses a fit to so many rows that there is no memory for, before anything else is done. Whoever goes through smaller
    /// fits first, as tuning does, asks for the largest before.
    ///
    /// # Errors
    /// There is too little memory; the error says how many rows fit, and what to do instead.
    pub fn check_memory(&self, n_rows: usize) -> Result<(), Error> {
        self.method.settings().check_memory(n_rows)
    }

    /// What sort of model it makes, and what that takes.
    pub fn character(&self) -> Character {
        let plain = self.method.settings().character();
        self.costs.as_ref().map_or(plain, |costs| costs.character(plain))
    }

    /// Where a candidate has the smallest or the largest value of its grid, though there are learners beyond.
    ///
    /// ```
    /// use tribunal_learn::Learner;
    ///
    /// let grid: Learner = "nb:{0,5,25}".parse()?;
    /// let edges = grid.grid_edges(&"nb:25".parse()?, 1_000);
    /// assert_eq!((edges[0].value.as_str(), edges[0].is_largest), ("25", true));
    /// // There is nothing below zero.
    /// assert_eq!(grid.grid_edges(&"nb:0".parse()?, 1_000), []);
    /// # Ok::<(), tribunal_learn::Error>(())
    /// ```
    pub fn grid_edges(&self, candidate: &Learner, n_rows: usize) -> Vec<GridEdge> {
        match &self.method {
            Method::Grid(grid) => grid.edges(candidate, n_rows),
            method => method.settings().edges(&candidate.method, n_rows),
        }
    }

    /// Whether it does some of its work once for several targets of the same rows, as
    /// [`cross_posteriors_of`](crate::cross_posteriors_of) asks it to; for a grid, whether one of its learners does.
    pub fn shares_targets(&self) -> bool {
        match &self.method {
            Method::Grid(grid) => grid.shares_targets(),
            Method::Knn(Knn { numbers, .. }) | Method::LsSvm(LsSvm { numbers, .. }) => {
                numbers.paper && self.plain_method().is_some()
            }
            _ => false,
        }
    }

    /// Its settings, if all it does is grow a tree.
    fn as_tree(&self) -> Option<&C45> {
        match self.plain_method() {
            Some(Method::C45(tree)) => Some(tree),
            _ => None,
        }
    }

    /// Its settings, if all it does is train a network.
    fn as_network(&self) -> Option<&Mlp> {
        match self.plain_method() {
            Some(Method::Mlp(network)) => Some(network),
            _ => None,
        }
    }
}

impl FromStr for Learner {
    type Err = Error;

    fn from_str(text: &str) -> Result<Learner, Error> {
        if Grid::is_meant(text) {
            return Grid::parse(text).map(|grid| Learner {
                method: Method::Grid(grid),
                calibrator: None,
                costs: None,
            });
        }
        let (text, suffixes) = split_suffixes(text);
        let (calibrator, costs) = read_suffixes(&suffixes)?;
        let name = text.split_once(':').map_or(text, |(name, _)| name).trim().to_lowercase();
        let form = LEARNERS.iter().find(|form| form.name == name).ok_or_else(|| unknown(&name))?;
        let mut arguments = Arguments::new(text);
        let method = (form.parse)(&mut arguments)?;
        arguments.finish(form.form)?;
        Ok(Learner { method, calibrator, costs })
    }
}

/// A learner and the suffixes behind it. A plus before a digit belongs to a number, as in `nb:1e+3`.
pub(super) fn split_suffixes(text: &str) -> (&str, Vec<&str>) {
    let is_number = |rest: &str| rest.starts_with(|start: char| start.is_ascii_digit() || start == '.');
    let pluses = text.match_indices('+').map(|(at, _)| at).filter(|at| !is_number(&text[at + 1..]));
    let ends: Vec<usize> = pluses.chain([text.len()]).collect();
    (&text[..ends[0]], ends.windows(2).map(|pair| &text[pair[0] + 1..pair[1]]).collect())
}

/// A calibrator and a method of cost-sensitive learning, in this order. What moves the threshold needs a calibrator, Platt's if
/// none is named.
fn read_suffixes(suffixes: &[&str]) -> Result<(Option<CalibratorKind>, Option<CostSensitive>), Error> {
    let (costs, calibrators) = match suffixes.split_last() {
        Some((last, others)) if CostSensitive::is_meant(last) => (Some(CostSensitive::parse(last)?), others),
        _ => (None, suffixes),
    };
    let calibrator = match calibrators {
        [] => None,
        [calibrator] if CostSensitive::is_meant(calibrator) => return Err(misplaced(calibrator)),
        [calibrator] => Some(calibrator.parse().map_err(|error| nearer_method(calibrator, error))?),
        [.., last] => return Err(misplaced(last)),
    };
    let moves_threshold = costs.as_ref().is_some_and(|costs| costs.method() == CostMethod::Threshold);
    Ok((calibrator.or(moves_threshold.then_some(CalibratorKind::Platt)), costs))
}

fn misplaced(suffix: &str) -> Error {
    Error::new(
        ErrorKind::BadText,
        format!("the suffix \"+{suffix}\" is one too many or stands in the wrong place"),
    )
    .advise("a learner has one calibrator, then one method that minds costs, as in nb:5+platt+weights=1:5")
}

/// An unknown suffix that is nearer to a method of cost-sensitive learning than to a calibrator.
fn nearer_method(suffix: &str, error: Error) -> Error {
    let name = suffix.split(['=', ',']).next().unwrap_or_default().trim().to_lowercase();
    let distance = |known: &str| strsim::damerau_levenshtein(known, &name);
    let of_calibrators = CalibratorKind::ALL.iter().map(|kind| distance(kind.name())).min();
    let nearest = COST_METHODS.iter().map(|form| form.name).min_by_key(|known| distance(known));
    match nearest.filter(|nearest| of_calibrators.is_some_and(|others| distance(nearest) < others)) {
        Some(nearest) => Error::new(ErrorKind::BadText, format!("there is no suffix {name:?}"))
            .advise(format!("did you mean {nearest}?")),
        None => error,
    }
}

fn unknown(name: &str) -> Error {
    if AMOUNT_LEARNERS.iter().any(|form| form.name == name) {
        return Error::new(
            ErrorKind::BadText,
            format!("{name:?} learns amounts, and classes are to be learned"),
        )
        .advise("choose a learner of classes");
    }
    let of_amounts = AMOUNT_LEARNERS.iter().map(|form| form.name);
    let names: Vec<&str> = LEARNERS.iter().map(|form| form.name).chain(of_amounts).collect();
    let nearest = names.iter().min_by_key(|known| strsim::damerau_levenshtein(known, name)).copied();
    Error::new(ErrorKind::BadText, format!("there is no learner {name:?}")).advise(format!(
        "did you mean {}? (there are: {})",
        nearest.unwrap_or_default(),
        names.join(", ")
    ))
}

impl fmt::Display for Learner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.method.settings().fmt(f)?;
        let moves_threshold =
            self.costs.as_ref().is_some_and(|costs| costs.method() == CostMethod::Threshold);
        // A moved threshold means Platt's calibrator where none is written.
        let is_meant = |kind: &CalibratorKind| moves_threshold && *kind == CalibratorKind::Platt;
        let calibrator = self.calibrator.filter(|kind| !is_meant(kind));
        calibrator.map_or(Ok(()), |kind| write!(f, "+{kind}"))?;
        self.costs.as_ref().map_or(Ok(()), |costs| write!(f, "+{costs}"))
    }
}

written_as_text!(Learner);

/// Learns with several learners from the same rows; relatives share what they can. The models are for scoring: what only
/// people look at, such as standard errors, is left out.
///
/// # Errors
/// As [`Learner::fit`].
pub fn fit_all(
    learners: &[Learner],
    dataset: &Dataset,
    rows: &[u32],
    seed: u64,
) -> Result<Vec<Model>, Error> {
    let networks = fit_networks(learners, dataset, rows, seed)?;
    let is_left = |(learner, network): (&Learner, &Option<Model>)| network.is_none().then(|| learner.clone());
    let others: Vec<Learner> = learners.iter().zip(&networks).filter_map(is_left).collect();
    let mut others = fit_others(&others, dataset, rows, seed)?.into_iter();
    Ok(networks.into_iter().filter_map(|network| network.or_else(|| others.next())).collect())
}

/// Networks that differ only in what they make of their weights are trained once; `None` for all other learners.
fn fit_networks(
    learners: &[Learner],
    dataset: &Dataset,
    rows: &[u32],
    seed: u64,
) -> Result<Vec<Option<Model>>, Error> {
    let mut models = vec![None; learners.len()];
    for (first, learner) in learners.iter().enumerate() {
        let Some(network) = learner.as_network().filter(|_| models[first].is_none()) else { continue };
        let is_twin = |other: &Learner| other.as_network().is_some_and(|other| other.is_twin(network));
        let twins: Vec<usize> = (first..learners.len()).filter(|&idx| is_twin(&learners[idx])).collect();
        if twins.len() < 2 {
            continue;
        }
        let counting = counting_rows(dataset, rows)?;
        let encoder = Encoder::fit(&network.view(), dataset, &counting)?;
        let training = Training::encode(dataset, &counting, &encoder)?;
        let shared = mlp::Shared::default();
        for idx in twins {
            let fit = || learners[idx].as_network().unwrap_or(network).fit_sharing(&shared, &training, seed);
            models[idx] = Some(Model::fit(&learners[idx], dataset, encoder.clone(), &training, fit)?);
        }
    }
    Ok(models)
}

fn fit_others(learners: &[Learner], dataset: &Dataset, rows: &[u32], seed: u64) -> Result<Vec<Model>, Error> {
    let trees: Vec<&C45> = learners.iter().filter_map(Learner::as_tree).collect();
    if trees.len() < 2 {
        return learners.iter().map(|learner| learner.fit_for(Use::Scoring, dataset, rows, seed)).collect();
    }
    let counting = counting_rows(dataset, rows)?;
    let encoder = Encoder::fit(&View::Codes(None), dataset, &counting)?;
    let training = Training::encode(dataset, &counting, &encoder)?;
    let mut fitted = c45::fit_all(&trees, &training)?.into_iter();
    let fit = |learner: &Learner| match learner.as_tree().and_then(|_| fitted.next()) {
        Some(tree) => Model::fit(learner, dataset, encoder.clone(), &training, || Ok(tree)),
        None => learner.fit_for(Use::Scoring, dataset, rows, seed),
    };
    learners.iter().map(fit).collect()
}
