//! Cross-validation of many learners on the same folds, with the work that they can share done once.
//!
//! Counts of all rows less those of a fold are the counts of its training rows; learners that only count therefore need
//! one pass over the rows for any number of folds, leave-one-out included. Relatives that grow the same tree grow it once,
//! and neighbours share distances and kernel machines inverses, between targets too where several are asked for at once
//! ([`cross_posteriors_of`]).
//! Whatever has no such path is fitted anew for every fold, and that is also what the shared paths are tested against.

use std::borrow::Cow;

use rayon::prelude::*;
use tribunal_random::derive_seed;

use crate::dataset::Dataset;
use crate::encoding::{Encoder, NominalEncoder, NumericOptions, Scaling, View, same_without};
use crate::error::{Error, ErrorKind};
use crate::kind::BinRule;
use crate::learners::knn::Knn;
use crate::learners::lssvm::LsSvm;
use crate::learners::nb::NaiveBayes;
use crate::learners::tan::Tan;
use crate::learners::{Learner, Method, fit_all, knn, logit, lssvm, nb, tan};
use crate::posteriors::{Output, Posteriors};
use crate::target::Target;
use crate::training::{Training, counting_rows, needed_target};

/// Rows with the fold of each: every row is judged once, by a model of the rows of all other folds.
#[derive(Clone, Debug)]
pub struct Folds<'a> {
    pub(crate) rows: &'a [u32],
    /// Positions within `rows`, fold by fold.
    order: Vec<u32>,
    starts: Vec<usize>,
}

impl<'a> Folds<'a> {
    /// The fold of each row, counted from zero.
    ///
    /// # Errors
    /// Another number of folds than rows, or all rows in one fold.
    pub fn new(rows: &'a [u32], fold_of_row: &[u32]) -> Result<Self, Error> {
        let wrong = |problem: &str| Err(Error::new(ErrorKind::Inconsistent, problem));
        if rows.len() != fold_of_row.len() {
            return wrong("every row needs one fold");
        }
        let n_folds = fold_of_row.iter().max().map_or(0, |&last| last as usize + 1);
        let mut starts = vec![0; n_folds + 1];
        fold_of_row.iter().for_each(|&fold| starts[fold as usize + 1] += 1);
        if starts.contains(&rows.len()) {
            return wrong("all rows are in one fold, and none are left to learn from");
        }
        (0..n_folds).for_each(|fold| starts[fold + 1] += starts[fold]);
        let (mut next, mut order) = (starts.clone(), vec![0; rows.len()]);
        for (position, &fold) in fold_of_row.iter().enumerate() {
            order[next[fold as usize]] = position as u32;
            next[fold as usize] += 1;
        }
        Ok(Folds { rows, order, starts })
    }

    /// How many folds there are.
    pub fn n_folds(&self) -> usize {
        self.starts.len() - 1
    }

    pub(crate) fn n_rows(&self) -> usize {
        self.rows.len()
    }

    /// The positions of a fold's rows.
    pub(crate) fn tested(&self, fold: usize) -> &[u32] {
        &self.order[self.starts[fold]..self.starts[fold + 1]]
    }

    /// The positions of all other rows, in their order.
    pub(crate) fn trained(&self, fold: usize) -> Vec<u32> {
        let mut is_tested = vec![false; self.n_rows()];
        self.tested(fold).iter().for_each(|&position| is_tested[position as usize] = true);
        (0..self.n_rows() as u32).filter(|&position| !is_tested[position as usize]).collect()
    }

    /// Whether each fold is a single row.
    pub(crate) fn leave_one_out(&self) -> bool {
        self.starts.windows(2).all(|pair| pair[1] - pair[0] <= 1)
    }

    /// The row numbers of positions.
    pub(crate) fn numbered(&self, positions: &[u32]) -> Vec<u32> {
        positions.iter().map(|&position| self.rows[position as usize]).collect()
    }

    /// What several learners found fold by fold, put in the order of the rows.
    pub(crate) fn of_members(&self, n_members: usize, of_folds: &[Vec<Posteriors>]) -> Vec<Posteriors> {
        (0..n_members).map(|idx| self.joined(of_folds.iter().map(|members| &members[idx]))).collect()
    }

    /// What a learner found fold by fold, put in the order of the rows.
    pub(crate) fn joined<'b>(&self, of_folds: impl Iterator<Item = &'b Posteriors>) -> Posteriors {
        let of_folds: Vec<&Posteriors> = of_folds.collect();
        let n_classes = of_folds.first().map_or(0, |found| found.n_classes());
        let mut values = vec![0.0; self.n_rows() * n_classes];
        for (fold, found) in of_folds.iter().enumerate() {
            for (row, &position) in self.tested(fold).iter().enumerate() {
                values[position as usize * n_classes..][..n_classes].copy_from_slice(found.row(row));
            }
        }
        let joined = match of_folds.first().map(|found| found.output()) {
            Some(Output::Margins) => Posteriors::margins(n_classes, values),
            _ => Posteriors::new(n_classes, values),
        };
        let costs = of_folds.first().map(|found| found.costs_within().clone());
        joined.with_costs_within(costs.unwrap_or_default())
    }
}

/// The seed of the models of a fold.
fn fold_seed(seed: u64, fold: usize) -> u64 {
    derive_seed(seed, &[fold as u64])
}

/// The posteriors of every row by models that did not see its fold, for each learner.
///
/// ```
/// use tribunal_learn::{Column, Dataset, Folds, Kind, Learner, Target, Values, cross_posteriors};
///
/// let night = Column::new("night", Kind::Flag, Values::Codes(vec![1, 0, 1, 0]))?;
/// let fraud = Target::new("fraud", ["no", "yes"], vec![1, 0, 1, 0])?;
/// let claims = Dataset::new(vec![night])?.with_target(fraud)?;
/// let learners: Vec<Learner> = vec!["nb".parse()?, "majority".parse()?];
/// let found = cross_posteriors(&learners, &claims, &Folds::new(&[0, 1, 2, 3], &[0, 0, 1, 1])?, 42)?;
/// assert_eq!(found[0].scores(), [1.0, 0.0, 1.0, 0.0]);
/// assert_eq!(found[1].scores(), [0.5; 4]);
/// # Ok::<(), tribunal_learn::Error>(())
/// ```
///
/// # Errors
/// As [`Learner::fit`].
pub fn cross_posteriors(
    learners: &[Learner],
    dataset: &Dataset,
    folds: &Folds<'_>,
    seed: u64,
) -> Result<Vec<Posteriors>, Error> {
    let shared = match learners.iter().any(is_shared) {
        true => by_scenarios(
            dataset,
            &[Scenario { target: needed_target(dataset)?, folds, seed, learners }],
            Asked::Scores,
        )?
        .remove(0),
        false => vec![None; learners.len()],
    };
    with_others(shared, learners, dataset, folds, seed)
}

/// A target that rows are to be judged by, on folds of its own, and the learners that are to do it.
#[derive(Clone, Copy, Debug)]
pub struct Scenario<'a> {
    /// The classes of the rows.
    pub target: &'a Target,
    /// The folds.
    pub folds: &'a Folds<'a>,
    /// The seed of what learners draw.
    pub seed: u64,
    /// Who is asked.
    pub learners: &'a [Learner],
}

impl Scenario<'_> {
    /// A data set with this target.
    pub(crate) fn dataset<'b>(&self, dataset: &'b Dataset) -> Result<Cow<'b, Dataset>, Error> {
        match dataset.target() {
            Some(target) if target == self.target => Ok(Cow::Borrowed(dataset)),
            _ => dataset.clone().with_target(self.target.clone()).map(Cow::Owned),
        }
    }
}

/// [`cross_posteriors`] for several targets of the same rows, whatever the target of the data set: for each scenario the
/// posteriors of each of its learners. Neighbours that are `paper` look for their neighbours once, and kernel machines that are
/// invert their kernel once.
///
/// ```
/// use tribunal_learn::{
///     Column, Dataset, Folds, Kind, Learner, Scenario, Target, Values, cross_posteriors_of,
/// };
///
/// let lag = Column::new("lag", Kind::Numeric, Values::Numbers(vec![1.0, 2.0, 8.0, 9.0]))?;
/// let claims = Dataset::new(vec![lag])?;
/// let [late, mad] = [vec![0, 0, 1, 1], vec![0, 1, 0, 1]];
/// let (late, mad) = (Target::new("late", ["no", "yes"], late)?, Target::new("mad", ["no", "yes"], mad)?);
/// let folds = Folds::new(&[0, 1, 2, 3], &[0, 1, 2, 3])?;
/// let learners: [Learner; 1] = ["knn:1,paper".parse()?];
/// let scenario = |target| Scenario { target, folds: &folds, seed: 42, learners: &learners };
/// let found = cross_posteriors_of(&claims, &[scenario(&late), scenario(&mad)])?;
/// assert_eq!(found[0][0].scores(), [0.0, 0.0, 1.0, 1.0]);
/// assert_eq!(found[1][0].scores(), [1.0, 0.0, 1.0, 0.0]);
/// # Ok::<(), tribunal_learn::Error>(())
/// ```
///
/// # Errors
/// As [`Learner::fit`]; a target with another number of rows.
pub fn cross_posteriors_of(
    dataset: &Dataset,
    scenarios: &[Scenario<'_>],
) -> Result<Vec<Vec<Posteriors>>, Error> {
    cross_of(dataset, scenarios, Asked::Scores)
}

/// [`cross_posteriors_of`] for those who only ask what is decided: the class of each row, and on which side of the cutoff of its
/// [`Output`] each of its scores lies, are the same. Scores themselves may be others, and their order is not to be relied
/// on. Kernel machines decide long before they have solved their equations.
///
/// # Errors
/// As [`cross_posteriors_of`].
pub fn cross_decisions_of(
    dataset: &Dataset,
    scenarios: &[Scenario<'_>],
) -> Result<Vec<Vec<Posteriors>>, Error> {
    cross_of(dataset, scenarios, Asked::Decisions)
}

/// What is asked of learners: all that they say, or what they decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    Scores,
    Decisions,
}

fn cross_of(
    dataset: &Dataset,
    scenarios: &[Scenario<'_>],
    asked: Asked,
) -> Result<Vec<Vec<Posteriors>>, Error> {
    let of_scenario = |(scenario, found): (&Scenario<'_>, Vec<Option<Posteriors>>)| {
        if found.iter().all(Option::is_some) {
            return Ok(found.into_iter().flatten().collect());
        }
        let (dataset, learners) = (scenario.dataset(dataset)?, scenario.learners);
        with_others(found, learners, dataset.as_ref(), scenario.folds, scenario.seed)
    };
    scenarios.iter().zip(by_scenarios(dataset, scenarios, asked)?).map(of_scenario).collect()
}

/// What was found already, and all other learners.
fn with_others(
    mut found: Vec<Option<Posteriors>>,
    learners: &[Learner],
    dataset: &Dataset,
    folds: &Folds<'_>,
    seed: u64,
) -> Result<Vec<Posteriors>, Error> {
    for (found, counted) in found.iter_mut().zip(by_subtraction(learners, dataset, folds)?) {
        *found = found.take().or(counted);
    }
    by_refinement(learners, dataset, folds, seed, &mut found)?;
    let rest: Vec<usize> = (0..learners.len()).filter(|&idx| found[idx].is_none()).collect();
    let others: Vec<Learner> = rest.iter().map(|&idx| learners[idx].clone()).collect();
    for (idx, posteriors) in rest.into_iter().zip(refitted(&others, dataset, folds, seed)?) {
        found[idx] = Some(posteriors);
    }
    Ok(found.into_iter().flatten().collect())
}

fn as_neighbours(learner: &Learner) -> Option<&Knn> {
    match learner.plain_method() {
        Some(Method::Knn(settings)) => Some(settings),
        _ => None,
    }
}

fn as_machine(learner: &Learner) -> Option<&LsSvm> {
    match learner.plain_method() {
        Some(Method::LsSvm(settings)) => Some(settings),
        _ => None,
    }
}

/// Whether a learner shares work between scenarios.
fn is_shared(learner: &Learner) -> bool {
    as_neighbours(learner).is_some() || as_machine(learner).is_some()
}

/// What learners say in each scenario that share work between scenarios; `None` for all others.
fn by_scenarios(
    dataset: &Dataset,
    scenarios: &[Scenario<'_>],
    asked: Asked,
) -> Result<Vec<Vec<Option<Posteriors>>>, Error> {
    let neighbours = Members::of(scenarios, as_neighbours);
    let machines = Members::of(scenarios, as_machine);
    let of_neighbours = knn::cross(&neighbours, dataset, scenarios)?;
    let of_machines = lssvm::cross(&machines, dataset, scenarios, asked)?;
    let mut found: Vec<Vec<Option<Posteriors>>> =
        scenarios.iter().map(|scenario| vec![None; scenario.learners.len()]).collect();
    for (members, of_members) in [(&neighbours.places, of_neighbours), (&machines.places, of_machines)] {
        for ((found, places), mut of_members) in found.iter_mut().zip(members).zip(of_members) {
            for (at, member) in places.iter().enumerate() {
                let Some(idx) = *member else { continue };
                let is_last = !places[at + 1..].contains(member);
                let of_member = &mut of_members[idx];
                found[at] = Some(if is_last { std::mem::take(of_member) } else { of_member.clone() });
            }
        }
    }
    Ok(found)
}

/// The learners of a kind that are asked in any scenario, each once.
pub(crate) struct Members<'a, S> {
    pub(crate) settings: Vec<&'a S>,
    /// For each scenario which of these each of its learners is.
    places: Vec<Vec<Option<usize>>>,
}

impl<'a, S: PartialEq> Members<'a, S> {
    fn of(scenarios: &[Scenario<'a>], of_kind: impl Fn(&'a Learner) -> Option<&'a S>) -> Self {
        let mut settings: Vec<&S> = Vec::new();
        let mut place = |learner| {
            let wanted = of_kind(learner)?;
            let known = settings.iter().position(|known| *known == wanted);
            Some(known.unwrap_or_else(|| {
                settings.push(wanted);
                settings.len() - 1
            }))
        };
        let places = scenarios.iter().map(|scenario| scenario.learners.iter().map(&mut place).collect());
        let places = places.collect();
        Members { settings, places }
    }

    /// Whether a member is asked in a scenario.
    pub(crate) fn is_asked(&self, scenario: usize, member: usize) -> bool {
        self.places[scenario].contains(&Some(member))
    }
}

/// What learners that count can say without being fitted for every fold; `None` for all others.
fn by_subtraction(
    learners: &[Learner],
    dataset: &Dataset,
    folds: &Folds<'_>,
) -> Result<Vec<Option<Posteriors>>, Error> {
    let mut found = vec![None; learners.len()];
    let (mut bayes, mut tans) = (Vec::new(), Vec::new());
    for (idx, learner) in learners.iter().enumerate() {
        match learner.plain_method() {
            Some(Method::NaiveBayes(settings)) => bayes.push((idx, settings)),
            Some(Method::Tan(settings)) => tans.push((idx, settings)),
            _ => {}
        }
    }
    if !bayes.is_empty()
        && let Some(training) = countable(dataset, folds, None)?
    {
        let settings: Vec<&NaiveBayes> = bayes.iter().map(|(_, settings)| *settings).collect();
        for ((idx, _), posteriors) in bayes.iter().zip(nb::cross(&settings, &training, folds)) {
            found[*idx] = Some(posteriors);
        }
    }
    if !tans.is_empty()
        && let Some(training) = countable(dataset, folds, Some(&tan::NUMERIC_RULE))?
    {
        let settings: Vec<&Tan> = tans.iter().map(|(_, settings)| *settings).collect();
        for ((idx, _), posteriors) in tans.iter().zip(tan::cross(&settings, &training, folds)) {
            found[*idx] = posteriors;
        }
    }
    Ok(found)
}

/// What logistic regression can say from a fit of all rows, for learners whose scores do not depend on a fold's scale.
fn by_refinement(
    learners: &[Learner],
    dataset: &Dataset,
    folds: &Folds<'_>,
    seed: u64,
    found: &mut [Option<Posteriors>],
) -> Result<(), Error> {
    let is_shared = |learner: &Learner| match learner.plain_method() {
        Some(Method::Logit(settings)) => settings.is_free_of_scale(),
        _ => false,
    };
    let shared: Vec<usize> = (0..learners.len()).filter(|&idx| is_shared(&learners[idx])).collect();
    let Some(&first) = shared.first() else { return Ok(()) };
    // But for the scale, which does not matter here.
    let all_scaled = NumericOptions { scaling: Scaling::Paper, ..NumericOptions::default() };
    let left_out: Vec<&[u32]> = (0..folds.n_folds()).map(|fold| folds.tested(fold)).collect();
    let is_same = same_without(dataset, &all_scaled, folds.rows, &left_out);
    if !is_same.contains(&true) {
        return Ok(());
    }
    let rows = counting_rows(dataset, folds.rows)?;
    let encoder = Encoder::fit(&View::Numbers(NumericOptions::default()), dataset, &rows)?;
    let refined = logit::cross(&Training::encode(dataset, folds.rows, &encoder)?, folds, &is_same);
    let of_fold = |(fold, refined): (usize, Option<Posteriors>)| match refined {
        Some(posteriors) => Ok(vec![posteriors]),
        None => posteriors_of_fold(&learners[first..=first], dataset, folds, fold, seed),
    };
    let of_folds = refined.into_par_iter().enumerate().map(of_fold).collect::<Result<Vec<_>, Error>>()?;
    let posteriors = folds.of_members(1, &of_folds).pop();
    shared.into_iter().for_each(|idx| found[idx].clone_from(&posteriors));
    Ok(())
}

/// All rows encoded, if that is the same for every fold and counts of them can be subtracted without a rounding error.
fn countable<'a>(
    dataset: &Dataset,
    folds: &Folds<'_>,
    numeric_rule: Option<&BinRule>,
) -> Result<Option<Training<'a>>, Error> {
    if !NominalEncoder::is_given(dataset, numeric_rule) {
        return Ok(None);
    }
    let encoder = Encoder::Nominal(NominalEncoder::fit(dataset, folds.rows, numeric_rule)?);
    let training = Training::encode(dataset, folds.rows, &encoder)?;
    Ok((training.has_whole_weights() && weight_remains(dataset, folds)).then_some(training))
}

/// Whether rows of some weight are left outside of every fold.
fn weight_remains(dataset: &Dataset, folds: &Folds<'_>) -> bool {
    let Some(weights) = dataset.weights() else { return true };
    let n_counting = |positions: &[u32]| {
        folds.numbered(positions).into_iter().filter(|&row| weights[row as usize] > 0.0).count()
    };
    let of_folds: Vec<usize> = (0..folds.n_folds()).map(|fold| n_counting(folds.tested(fold))).collect();
    let all: usize = of_folds.iter().sum();
    of_folds.iter().all(|&of_fold| of_fold < all)
}

/// The plain way: models of the training rows of every fold.
pub(crate) fn refitted(
    learners: &[Learner],
    dataset: &Dataset,
    folds: &Folds<'_>,
    seed: u64,
) -> Result<Vec<Posteriors>, Error> {
    if learners.is_empty() {
        return Ok(Vec::new());
    }
    let of_fold = |fold: usize| posteriors_of_fold(learners, dataset, folds, fold, seed);
    let of_folds: Result<Vec<Vec<Posteriors>>, Error> = match fits_side_by_side(learners, folds.n_rows()) {
        true => (0..folds.n_folds()).into_par_iter().map(of_fold).collect(),
        false => (0..folds.n_folds()).map(of_fold).collect(),
    };
    let of_folds = of_folds?;
    Ok(folds.of_members(learners.len(), &of_folds))
}

/// Whether there is memory for fits to so many rows on all threads at once.
pub fn fits_side_by_side(learners: &[Learner], n_rows: usize) -> bool {
    let most = learners.iter().map(|learner| learner.memory(n_rows)).max().unwrap_or(0);
    tribunal_memory::require(most.saturating_mul(rayon::current_num_threads() as u64)).is_ok()
}

/// What models of the training rows of a fold say of the others.
fn posteriors_of_fold(
    learners: &[Learner],
    dataset: &Dataset,
    folds: &Folds<'_>,
    fold: usize,
    seed: u64,
) -> Result<Vec<Posteriors>, Error> {
    let trained = folds.numbered(&folds.trained(fold));
    let tested = folds.numbered(folds.tested(fold));
    let models = fit_all(learners, dataset, &trained, fold_seed(seed, fold))?;
    models.iter().map(|model| model.posteriors(dataset, &tested)).collect()
}
