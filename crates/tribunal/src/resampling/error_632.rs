//! What the error on bootstrap replicates says about the error on new cases: .632, its simple form, and .632+.
//!
//! Rows left out of a replicate are judged too harshly, because the model learned from 63.2 % of the distinct rows;
//! training rows too kindly. The .632 estimates weigh both (Efron 1983). A model that memorises makes the plain weights
//! absurd: on random labels of two classes it errs half the time, and they say 0.316. The .632+ estimate measures how far
//! a model overfits and moves its weight to the left-out rows (Efron and Tibshirani 1997).

use rayon::prelude::*;

use super::label_column::LabelColumn;
use super::plan::Plan;
use super::split::Split;
use crate::error::{Error, ErrorKind};

/// The weight of the left-out rows: about 1 - 1/e, to three digits as in the literature.
const WEIGHT: f64 = 0.632;

/// The errors of one model on its replicate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReplicateErrors {
    /// On the rows that were left out.
    pub left_out: f64,
    /// On the rows it learned from, as often as they were drawn.
    pub train: f64,
}

/// The simple .632 estimate, which takes the training error of each replicate's own model (Witten and Frank 2005); `None`
/// without replicates.
///
/// ```
/// use tribunal::resampling::error_632::{ReplicateErrors, simple_632};
///
/// let memoriser = ReplicateErrors { left_out: 0.5, train: 0.0 };
/// assert_eq!(simple_632(&[memoriser]), Some(0.316));
/// ```
pub fn simple_632(replicates: &[ReplicateErrors]) -> Option<f64> {
    let n = replicates.len() as f64;
    let mean = |error: fn(&ReplicateErrors) -> f64| replicates.iter().map(error).sum::<f64>() / n;
    let estimate = || WEIGHT * mean(|errors| errors.left_out) + (1.0 - WEIGHT) * mean(|errors| errors.train);
    (!replicates.is_empty()).then(estimate)
}

/// The leave-one-out bootstrap: the mean over rows of the mean loss of the models that did not learn from the row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LeftOutError {
    /// For each row the sum of its losses, and how many there were.
    rows: Vec<(f64, u64)>,
}

impl LeftOutError {
    /// No loss yet.
    pub fn new(n_rows: usize) -> Self {
        Self { rows: vec![(0.0, 0); n_rows] }
    }

    /// Adds the loss on a row of a model that did not learn from it.
    ///
    /// # Panics
    /// There is no such row.
    pub fn add(&mut self, row: u32, loss: f64) {
        let (sum, n) = &mut self.rows[row as usize];
        *sum += loss;
        *n += 1;
    }

    /// The estimate E0; `None` where no row was ever left out.
    pub fn e0(&self) -> Option<f64> {
        let means: Vec<f64> =
            self.rows.iter().filter(|(_, n)| *n > 0).map(|(sum, n)| sum / *n as f64).collect();
        (!means.is_empty()).then(|| means.iter().sum::<f64>() / means.len() as f64)
    }

    /// How many rows were never left out, and are skipped.
    pub fn n_never_left_out(&self) -> usize {
        self.rows.iter().filter(|(_, n)| *n == 0).count()
    }
}

/// The errors that the .632 and .632+ estimates weigh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Errors632 {
    /// On all rows, by the model that learned from all rows.
    pub train: f64,
    /// The leave-one-out bootstrap, [`LeftOutError::e0`].
    pub e0: f64,
    /// The error if predictions had nothing to do with the classes, [`no_information_rate`].
    pub no_information: f64,
}

/// The .632+ estimate with what it was made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plus632 {
    /// How far the model overfits, from 0 to 1.
    pub overfitting: f64,
    /// The weight of the left-out rows.
    pub weight: f64,
    /// The estimate.
    pub estimate: f64,
}

impl Errors632 {
    /// The .632 estimate.
    pub fn efron(&self) -> f64 {
        (1.0 - WEIGHT) * self.train + WEIGHT * self.e0
    }

    /// The .632+ estimate.
    pub fn plus(&self) -> Plus632 {
        let Self { train, no_information, .. } = *self;
        let e0 = self.e0.min(no_information);
        let overfits = e0 > train && no_information > train;
        let overfitting = if overfits { (e0 - train) / (no_information - train) } else { 0.0 };
        let weight = WEIGHT / (1.0 - (1.0 - WEIGHT) * overfitting);
        Plus632 { overfitting, weight, estimate: (1.0 - weight) * train + weight * e0 }
    }
}

/// True and predicted classes as shares of the rows, class by class.
#[derive(Clone, Copy, Debug)]
pub struct ClassShares<'a> {
    /// The share of each true class.
    pub truth: &'a [f64],
    /// The share of each predicted class.
    pub predicted: &'a [f64],
}

/// The error rate if every prediction could meet every class: the share of wrong pairs among all pairs of a true class and
/// a prediction.
pub fn no_information_rate(shares: ClassShares<'_>) -> f64 {
    shares.truth.iter().zip(shares.predicted).map(|(truth, predicted)| truth * (1.0 - predicted)).sum()
}

/// What a model learns from.
#[derive(Clone, Copy, Debug)]
pub struct Training<'a> {
    /// The replicate, or `None` for the model of all rows.
    pub replicate: Option<usize>,
    /// The rows in the order of the draws.
    pub rows: &'a [u32],
}

/// Every estimate of the error rate of a learner from one bootstrap plan.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BootstrapErrors {
    /// [`simple_632`].
    pub simple_632: f64,
    /// What .632 and .632+ weigh.
    pub errors: Errors632,
    /// How many rows were never left out.
    pub n_never_left_out: usize,
    /// How many replicates were drawn again.
    pub n_redrawn: u64,
}

/// Fits a model on every replicate and on all rows, and estimates the error rate. `predict` names the class of a row by its
/// code. Replicates run on all cores; the same plan gives the same bytes.
///
/// # Errors
/// The plan is no bootstrap, or the classes are not those of its rows.
pub fn bootstrap_errors<M>(
    plan: &Plan,
    classes: &LabelColumn,
    fit: impl Fn(Training<'_>) -> M + Sync,
    predict: impl Fn(&M, u32) -> u32 + Sync,
) -> Result<BootstrapErrors, Error> {
    check(plan, classes)?;
    let is_wrong = |model: &M, row: u32| predict(model, row) != classes.codes()[row as usize];
    let judge = |replicate: usize| {
        let Split { train, test, .. } = plan.split(replicate);
        let model = fit(Training { replicate: Some(replicate), rows: &train });
        Judged {
            train_error: share(&train, |row| is_wrong(&model, row)),
            left_out: test.iter().map(|&row| (row, is_wrong(&model, row))).collect(),
        }
    };
    let judged: Vec<Judged> = (0..plan.n_splits()).into_par_iter().map(judge).collect();
    let replicates: Vec<ReplicateErrors> = judged.iter().map(Judged::errors).collect();
    let mut left_out = LeftOutError::new(plan.n_rows());
    let losses = judged.iter().flat_map(|judged| &judged.left_out);
    losses.for_each(|&(row, wrong)| left_out.add(row, f64::from(u8::from(wrong))));
    let all: Vec<u32> = (0..plan.n_rows() as u32).collect();
    let model = fit(Training { replicate: None, rows: &all });
    let predicted: Vec<u32> = all.iter().map(|&row| predict(&model, row)).collect();
    // Every replicate leaves a row out, so both estimates are there.
    Ok(BootstrapErrors {
        simple_632: simple_632(&replicates).unwrap_or_default(),
        errors: Errors632 {
            train: share(&all, |row| predicted[row as usize] != classes.codes()[row as usize]),
            e0: left_out.e0().unwrap_or_default(),
            no_information: no_information(classes, &predicted),
        },
        n_never_left_out: left_out.n_never_left_out(),
        n_redrawn: plan.n_redrawn(),
    })
}

/// How the model of a replicate did.
struct Judged {
    train_error: f64,
    /// Each row that was left out, and whether the model got it wrong.
    left_out: Vec<(u32, bool)>,
}

impl Judged {
    fn errors(&self) -> ReplicateErrors {
        let n_wrong = self.left_out.iter().filter(|(_, wrong)| *wrong).count();
        ReplicateErrors { left_out: n_wrong as f64 / self.left_out.len() as f64, train: self.train_error }
    }
}

fn no_information(classes: &LabelColumn, predicted: &[u32]) -> f64 {
    let shares = |codes: &[u32]| -> Vec<f64> {
        (0..classes.n_labels() as u32).map(|class| share(codes, |code| code == class)).collect()
    };
    no_information_rate(ClassShares { truth: &shares(classes.codes()), predicted: &shares(predicted) })
}

fn share(values: &[u32], is_counted: impl Fn(u32) -> bool) -> f64 {
    values.iter().filter(|&&value| is_counted(value)).count() as f64 / values.len() as f64
}

fn check(plan: &Plan, classes: &LabelColumn) -> Result<(), Error> {
    if !matches!(plan.design(), super::Design::Bootstrap(_)) {
        let words = format!("{} draws no replicates; bootstrap:B does", plan.design());
        return Err(Error::new(ErrorKind::BadDesign, words));
    }
    if classes.codes().len() != plan.n_rows() {
        let words = format!("{} classes were given for {} rows", classes.codes().len(), plan.n_rows());
        return Err(Error::new(ErrorKind::BadLength, words));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::Rows;
    use super::*;
    use tribunal_random::Random;

    #[test]
    fn golden_arithmetic() {
        let errors = |train, e0, no_information| Errors632 { train, e0, no_information };
        assert_eq!(simple_632(&[ReplicateErrors { left_out: 0.5, train: 0.0 }]), Some(0.316));
        assert!((errors(0.10, 0.28, 0.42).efron() - 0.21376).abs() < 1e-12);
        let check = |errors: Errors632, expected: [f64; 3]| {
            let Plus632 { overfitting, weight, estimate } = errors.plus();
            for (found, expected) in [overfitting, weight, estimate].into_iter().zip(expected) {
                assert!((found - expected).abs() < 5e-10, "{errors:?}: {found} is not {expected}");
            }
        };
        check(errors(0.0, 0.5, 0.5), [1.0, 1.0, 0.5]);
        check(errors(0.10, 0.28, 0.42), [0.5625, 0.796973518, 0.243455233]);
        check(errors(0.10, 0.08, 0.42), [0.0, 0.632, 0.087360]);
        check(errors(0.20, 0.60, 0.50), [1.0, 1.0, 0.5]);
        check(errors(0.30, 0.30, 0.30), [0.0, 0.632, 0.3]);
        let shares = ClassShares { truth: &[0.7, 0.3], predicted: &[0.8, 0.2] };
        assert!((no_information_rate(shares) - 0.38).abs() < 1e-15);
    }

    #[test]
    fn rows_never_left_out_are_skipped() {
        let mut error = LeftOutError::new(3);
        [(0, 1.0), (0, 0.0), (2, 0.0)].into_iter().for_each(|(row, loss)| error.add(row, loss));
        assert_eq!((error.e0(), error.n_never_left_out()), (Some(0.25), 1));
        assert_eq!(LeftOutError::new(2).e0(), None);
    }

    /// The one nearest training row lends its class: every training row is its own neighbour and is remembered.
    fn nearest<'a>(points: &'a [f64], rows: &[u32]) -> impl Fn(u32) -> u32 + use<'a> {
        let mut known: Vec<u32> = rows.to_vec();
        known.sort_by(|&a, &b| points[a as usize].total_cmp(&points[b as usize]));
        move |row| {
            let x = points[row as usize];
            let after = known.partition_point(|&other| points[other as usize] < x).min(known.len() - 1);
            let distance = |place: usize| (points[known[place] as usize] - x).abs();
            let before = after.saturating_sub(1);
            known[if distance(before) < distance(after) { before } else { after }]
        }
    }

    #[test]
    fn a_memoriser_on_random_labels_fools_the_simple_estimate_but_not_the_corrected_one() {
        let mut random = Random::new(8);
        let n_rows = 2000;
        let points: Vec<f64> = (0..n_rows).map(|_| random.uniform()).collect();
        let mut labels: Vec<&str> = (0..n_rows).map(|row| ["a", "b"][row % 2]).collect();
        random.shuffle(&mut labels);
        let classes = LabelColumn::of("y", labels);
        let plan = Plan::new(&"bootstrap:100".parse().expect("a design"), &Rows::of_classes(&classes), 4);
        let found = bootstrap_errors(
            &plan.expect("a plan"),
            &classes,
            |training| nearest(&points, training.rows),
            |neighbour, row| classes.codes()[neighbour(row) as usize],
        )
        .expect("estimates");
        assert!((found.simple_632 - 0.316).abs() < 0.015, "{found:?}");
        assert!((found.errors.efron() - 0.316).abs() < 0.015, "{found:?}");
        assert!((found.errors.plus().estimate - 0.5).abs() < 0.02, "{found:?}");
        assert_eq!((found.errors.train, found.errors.no_information), (0.0, 0.5));
        // New cases, whose labels are as random: the truth that the estimates are after.
        let fresh: Vec<f64> = points.iter().copied().chain((0..n_rows).map(|_| random.uniform())).collect();
        let all: Vec<u32> = (0..n_rows as u32).collect();
        let neighbour = nearest(&fresh, &all);
        let wrong = (n_rows as u32..2 * n_rows as u32)
            .filter(|&row| u64::from(classes.codes()[neighbour(row) as usize]) != random.below(2));
        assert!((wrong.count() as f64 / n_rows as f64 - 0.5).abs() < 0.04);
    }

    #[test]
    fn other_plans_are_refused() {
        let classes = LabelColumn::of("y", ["a", "b", "a", "b"]);
        let plan =
            Plan::new(&"loo".parse().expect("a design"), &Rows::of_classes(&classes), 4).expect("a plan");
        let error = bootstrap_errors(&plan, &classes, |_| (), |(), _| 0).expect_err("no bootstrap");
        assert_eq!(error.kind(), ErrorKind::BadDesign);
    }
}
