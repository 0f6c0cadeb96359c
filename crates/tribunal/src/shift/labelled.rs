//! What a labelled sample of the population shows: whether classes have other shares, whether rows that look alike have other odds
//! of a class, and whether rows of a class look different.
//!
//! The kinds of bias differ in what they leave as it is: feature bias the classes of rows with equal features, class bias the
//! features of rows of a class. Features are compared by what a learner of the training table makes of them. Each row is scored by a
//! model of the folds that it is not in - rows of the sample are dealt to folds too - so that the scores of both tables come from the
//! same models. Feature bias then implies that in a logistic regression of the class on the log-odds of the score and the table the
//! table is of no use, as far as the score says all that the features say; class bias that scores have the same distribution within
//! each class. P values are adjusted by Holm over all of these tests.
//!
//! References: Zadrozny (2004), "Learning and evaluating classifiers under sample selection bias"; Fan and Davidson (2006); Lipton,
//! Wang and Smola (2018) for label shift.

use rayon::prelude::*;
use tribunal_eval::intervals::{Level, Proportion, newcombe};
use tribunal_eval::significance::{
    TwoCounts, TwoSamples, chi_square_homogeneity, holm, ks_two_sample, pooled_cells,
};
use tribunal_learn::{AlignOptions, Column, Dataset, Kind, Learner, Target, Unmatched, Values};
use tribunal_random::{Random, derive_seed};

use super::results::{BiasFinding, ClassShareShift, Sides};
use crate::error::Error;

/// Rows of a labelled sample that tests need, and rows of a class.
const FEWEST_ROWS: usize = 20;
const FEWEST_OF_CLASS: usize = 5;
const FOLDS: u64 = 5;
/// Log-odds of probabilities closer to zero or one than this are not told apart.
const LEAST_PROBABILITY: f64 = 1e-6;

/// What the labelled sample shows.
#[derive(Debug, Default)]
pub(super) struct LabelledEvidence {
    pub(super) findings: Vec<BiasFinding>,
    pub(super) classes: Vec<ClassShareShift>,
    pub(super) shares_differ: bool,
    pub(super) class_given_score_differs: bool,
    pub(super) scores_within_class_differ: bool,
}

/// Scores with the class of each row, in both tables.
struct ScoredTables {
    classes: Vec<String>,
    codes: Sides<Vec<u32>>,
    /// For each class the log-odds of its score.
    log_odds: Vec<Sides<Vec<f64>>>,
}

/// A test with what is to be said if it rejects.
struct OpenTest {
    about: About,
    p: f64,
}

#[derive(Clone)]
enum About {
    Shares,
    ClassGivenScore { class: String, log_odds: f64 },
    WithinClass { class: String },
}

/// The evidence of a labelled sample of the population, whose columns are those of the training table.
pub(super) fn labelled_evidence(
    training: &Dataset,
    sample: &Dataset,
    learner: &Learner,
    alpha: f64,
    seed: u64,
) -> Result<LabelledEvidence, Error> {
    let (Some(target), Some(labels)) = (training.target(), sample.target()) else {
        return Err(Error::usage("both the training table and the labelled sample need the target"));
    };
    let codes = matched_codes(target, labels)?;
    let counts = Sides { training: counted(target.codes(), target), population: counted(&codes, target) };
    let mut evidence = LabelledEvidence { classes: share_shifts(target, &counts), ..Default::default() };
    if sample.n_rows() < FEWEST_ROWS {
        evidence.findings.push(BiasFinding::LabelledSampleTooSmall { rows: sample.n_rows() as u64 });
        return Ok(evidence);
    }
    let options = AlignOptions { missing_columns: Unmatched::Missing, ..AlignOptions::default() };
    let aligned = sample.aligned_to(&training.inputs(), &options)?.dataset;
    let scored = scored_tables(training, target, &aligned, codes, learner, seed)?;
    let mut tests: Vec<OpenTest> = share_test(&counts).into_iter().collect();
    tests.extend(given_score_tests(&scored, seed)?);
    tests.extend(within_class_tests(&scored));
    let p_values: Vec<f64> = tests.iter().map(|test| test.p).collect();
    let adjusted = holm(&p_values).map_err(|error| Error::data(error.to_string()))?;
    let tests: Vec<(About, f64)> = tests.into_iter().map(|test| test.about).zip(adjusted).collect();
    evidence.conclude(tests, alpha);
    Ok(evidence)
}

impl LabelledEvidence {
    fn conclude(&mut self, tests: Vec<(About, f64)>, alpha: f64) {
        let smallest = |is_wanted: fn(&About) -> bool| {
            tests.iter().filter(|(about, _)| is_wanted(about)).map(|(_, p)| *p).reduce(f64::min)
        };
        let given_score = smallest(|about| matches!(about, About::ClassGivenScore { .. }));
        let within_class = smallest(|about| matches!(about, About::WithinClass { .. }));
        let differs = |p: Option<f64>| p.is_some_and(|p| p < alpha);
        self.class_given_score_differs = differs(given_score);
        self.scores_within_class_differ = differs(within_class);
        for (about, p_adjusted) in tests.clone() {
            let finding = match about {
                About::Shares if p_adjusted < alpha => {
                    self.shares_differ = true;
                    BiasFinding::ClassSharesDiffer { p_adjusted }
                }
                About::Shares => BiasFinding::ClassSharesNotShownToDiffer { p_adjusted },
                About::ClassGivenScore { class, log_odds } if p_adjusted < alpha => {
                    BiasFinding::ClassGivenScoreDiffers { class, log_odds, p_adjusted }
                }
                About::WithinClass { class } if p_adjusted < alpha => {
                    BiasFinding::ScoresWithinClassDiffer { class, p_adjusted }
                }
                _ => continue,
            };
            self.findings.push(finding);
        }
        if let Some(p_adjusted) = given_score.filter(|_| !self.class_given_score_differs) {
            self.findings.push(BiasFinding::ClassGivenScoreNotShownToDiffer { p_adjusted });
        }
        if let Some(p_adjusted) = within_class.filter(|_| !self.scores_within_class_differ) {
            self.findings.push(BiasFinding::ScoresWithinClassesNotShownToDiffer { p_adjusted });
        }
    }
}

/// The classes of a sample as codes of the training table.
fn matched_codes(target: &Target, labels: &Target) -> Result<Vec<u32>, Error> {
    let place =
        |class: &String| target.classes().iter().position(|known| crate::classes::names_same(known, class));
    let places: Vec<Option<usize>> = labels.classes().iter().map(place).collect();
    let code = |&code: &u32| {
        let unknown = || {
            let (class, known) = (&labels.classes()[code as usize], target.classes().join(", "));
            Error::data(format!(
                "the labelled sample has a class \"{class}\" that the training table does not have ({known}); correct it or leave \
                 its rows out"
            ))
        };
        places[code as usize].map(|place| place as u32).ok_or_else(unknown)
    };
    labels.codes().iter().map(code).collect()
}

fn counted(codes: &[u32], target: &Target) -> Vec<u64> {
    let mut counts = vec![0; target.classes().len()];
    codes.iter().for_each(|&code| counts[code as usize] += 1);
    counts
}

fn share_shifts(target: &Target, counts: &Sides<Vec<u64>>) -> Vec<ClassShareShift> {
    let total = counts.as_ref().map(|counts| counts.iter().sum::<u64>() as f64);
    let shift = |(class, name): (usize, &String)| {
        let own = counts.as_ref().map(|counts| counts[class] as f64);
        let share = Sides {
            training: own.training / total.training.max(1.0),
            population: own.population / total.population.max(1.0),
        };
        let of = |successes: f64, n: f64| Proportion::new(successes, n).ok();
        let interval = of(own.population, total.population)
            .zip(of(own.training, total.training))
            .map(|(population, training)| newcombe(population, training, Level::P95));
        let (lower, upper) = (interval.map(|i| i.lower), interval.map(|i| i.upper));
        ClassShareShift { class: name.clone(), share, lower, upper }
    };
    target.classes().iter().enumerate().map(shift).collect()
}

fn share_test(counts: &Sides<Vec<u64>>) -> Option<OpenTest> {
    let pairs = counts.training.iter().zip(&counts.population);
    let cells: Vec<TwoCounts> = pairs.map(|(&first, &second)| TwoCounts { first, second }).collect();
    let test = chi_square_homogeneity(&pooled_cells(&cells)).ok()?;
    Some(OpenTest { about: About::Shares, p: test.p })
}

/// Scores of both tables by the same models: those of the folds that a row is not in.
fn scored_tables(
    training: &Dataset,
    target: &Target,
    sample: &Dataset,
    codes: Vec<u32>,
    learner: &Learner,
    seed: u64,
) -> Result<ScoredTables, Error> {
    let folds = Sides {
        training: dealt(target.codes(), derive_seed(seed, &[0])),
        population: dealt(&codes, derive_seed(seed, &[1])),
    };
    let n_classes = target.classes().len();
    let fit = |fold: u64| {
        let rows = |folds: &[u64], is_tested: bool| -> Vec<u32> {
            (0..).zip(folds).filter(|(_, own)| (**own == fold) == is_tested).map(|(row, _)| row).collect()
        };
        let model = learner.fit(training, &rows(&folds.training, false), derive_seed(seed, &[2, fold]))?;
        let tested =
            Sides { training: rows(&folds.training, true), population: rows(&folds.population, true) };
        let posteriors = Sides {
            training: model.posteriors(training, &tested.training)?,
            population: model.posteriors(sample, &tested.population)?,
        };
        Ok((tested, posteriors))
    };
    let fitted = (0..FOLDS).into_par_iter().map(fit).collect::<Result<Vec<_>, Error>>()?;
    let empty = || Sides { training: vec![0.0; training.n_rows()], population: vec![0.0; sample.n_rows()] };
    let mut log_odds: Vec<Sides<Vec<f64>>> = (0..n_classes).map(|_| empty()).collect();
    for (tested, posteriors) in &fitted {
        for (class, log_odds) in log_odds.iter_mut().enumerate() {
            let fill = |to: &mut [f64], rows: &[u32], values: &mut dyn Iterator<Item = f64>| {
                rows.iter().zip(values).for_each(|(&row, p)| to[row as usize] = log_odds_of(p));
            };
            fill(&mut log_odds.training, &tested.training, &mut posteriors.training.of_class(class));
            fill(&mut log_odds.population, &tested.population, &mut posteriors.population.of_class(class));
        }
    }
    let codes = Sides { training: target.codes().to_vec(), population: codes };
    Ok(ScoredTables { classes: target.classes().to_vec(), codes, log_odds })
}

fn log_odds_of(p: f64) -> f64 {
    let p = p.clamp(LEAST_PROBABILITY, 1.0 - LEAST_PROBABILITY);
    (p / (1.0 - p)).ln()
}

/// The fold of each row, alike in the shares of the classes.
fn dealt(codes: &[u32], seed: u64) -> Vec<u64> {
    let mut order: Vec<usize> = (0..codes.len()).collect();
    Random::new(seed).shuffle(&mut order);
    order.sort_by_key(|&row| codes[row]);
    let mut folds = vec![0; codes.len()];
    order.into_iter().zip(0_u64..).for_each(|(row, place)| folds[row] = place % FOLDS);
    folds
}

/// For each class - of two for the positive one - the likelihood-ratio test of the table in a logistic regression of the class.
fn given_score_tests(scored: &ScoredTables, seed: u64) -> Result<Vec<OpenTest>, Error> {
    let classes = if scored.classes.len() == 2 { 1..2 } else { 0..scored.classes.len() };
    let mut tests = Vec::new();
    for class in classes {
        let joined = |sides: &Sides<Vec<f64>>| [&sides.training[..], &sides.population].concat();
        let is_class = |codes: &Vec<u32>| {
            codes.iter().map(|&code| u32::from(code as usize == class)).collect::<Vec<u32>>()
        };
        let truth = scored.codes.as_ref().map(is_class);
        let n_of = |truth: &Vec<u32>| truth.iter().filter(|code| **code == 1).count();
        let is_enough =
            |truth: &Vec<u32>| n_of(truth) >= FEWEST_OF_CLASS && truth.len() - n_of(truth) >= FEWEST_OF_CLASS;
        if !is_enough(&truth.training) || !is_enough(&truth.population) {
            continue;
        }
        let n_training = truth.training.len();
        let codes = [truth.training, truth.population].concat();
        let table = (0..codes.len()).map(|row| u32::from(row >= n_training)).collect();
        let columns = vec![
            Column::new("score", Kind::Numeric, Values::Numbers(joined(&scored.log_odds[class])))?,
            Column::new(TABLE, Kind::Flag, Values::Codes(table))?,
        ];
        let rows: Vec<u32> = (0..codes.len() as u32).collect();
        let dataset = Dataset::new(columns)?.with_target(Target::new("class", ["other", "class"], codes)?)?;
        let model = "logit".parse::<Learner>()?.fit(&dataset, &rows, seed)?;
        tests.extend(table_test(&model, &scored.classes[class]));
    }
    Ok(tests)
}

const TABLE: &str = "population";

fn table_test(model: &tribunal_learn::Model, class: &str) -> Option<OpenTest> {
    let table = model.coefficients()?;
    let test = table.column_tests.iter().find(|test| test.column == TABLE)?;
    let slope = table.outputs.first()?.rows.iter().find(|row| row.name == TABLE)?;
    let about = About::ClassGivenScore { class: class.to_owned(), log_odds: slope.estimate };
    test.p.is_finite().then_some(OpenTest { about, p: test.p })
}

/// For each class whether its rows have other scores of that class in the population.
fn within_class_tests(scored: &ScoredTables) -> Vec<OpenTest> {
    let test = |class: usize| {
        let of_class = |log_odds: &[f64], codes: &[u32]| -> Vec<f64> {
            let own = log_odds.iter().zip(codes).filter(|(_, code)| **code as usize == class);
            let mut own: Vec<f64> = own.map(|(value, _)| *value).collect();
            own.sort_unstable_by(f64::total_cmp);
            own
        };
        let scores = &scored.log_odds[class];
        let training = of_class(&scores.training, &scored.codes.training);
        let population = of_class(&scores.population, &scored.codes.population);
        if training.len().min(population.len()) < FEWEST_OF_CLASS {
            return None;
        }
        let found = ks_two_sample(TwoSamples { first: &training, second: &population }).ok()?;
        Some(OpenTest { about: About::WithinClass { class: scored.classes[class].clone() }, p: found.p })
    };
    (0..scored.classes.len()).filter_map(test).collect()
}
