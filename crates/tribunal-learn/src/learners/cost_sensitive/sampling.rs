//! Training rows drawn by the cost of misclassifying them.
//!
//! | scheme | definition |
//! | --- | --- |
//! | `ratio` | the number of negatives is multiplied by the ratio of the class costs, which makes the cut 0.5 behave like p*: fewer are drawn without replacement, more are repeated (Elkan 2001) |
//! | `duplicate` | with costs scaled to a least of 1, a row is there floor(w) times, and once more with the probability of the fraction |
//! | `rejection` | a row is kept with probability w / max w; ten models are averaged (Zadrozny, Langford and Abe 2003) |
//! | `roulette` | as many rows as there are, with replacement, by cost |
//!
//! `ratio` is the default: costs of classes need no chance but the choice of negatives, and it is defined by the decision it
//! makes. The rows that judge a model are never drawn anew.

use tribunal_random::Random;

use super::super::arguments::{Arguments, count};
use crate::error::{Error, ErrorKind};

/// More rows than this are not drawn: costs that differ by millions would fill the memory with copies.
pub(super) const MOST_ROWS: usize = 100_000_000;

/// So often rows are repeated on average: a table of some hundred rows would take gigabytes to say no more than their weights do.
const MOST_COPIES: f64 = 100.0;

/// Of fewer rows as many are made as of so many.
const FEW_ROWS: f64 = 1000.0;
/// More models than this are not made.
pub(super) const MOST_MODELS: usize = 10_000;

/// Models of `rejection`.
const USUAL_MODELS: usize = 10;

/// How rows are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sampling {
    scheme: Scheme,
    n_models: usize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Scheme {
    Ratio,
    Duplicate,
    Rejection,
    Roulette,
}

const SCHEMES: [(&str, Scheme); 4] = [
    ("ratio", Scheme::Ratio),
    ("duplicate", Scheme::Duplicate),
    ("rejection", Scheme::Rejection),
    ("roulette", Scheme::Roulette),
];

impl Sampling {
    pub(super) fn parse(arguments: &mut Arguments<'_>) -> Result<Sampling, Error> {
        let known = |word: &str| SCHEMES.iter().find(|(name, _)| *name == word).map(|(_, scheme)| *scheme);
        let scheme = arguments.word(known).unwrap_or(Scheme::Ratio);
        let usual = if scheme == Scheme::Rejection { USUAL_MODELS } else { 1 };
        let n_models = match scheme {
            Scheme::Rejection => arguments.keyed("models", "a whole number from 1 to 10000", n_models)?,
            _ => None,
        };
        Ok(Sampling { scheme, n_models: n_models.unwrap_or(usual) })
    }

    pub(super) fn settings(&self) -> Vec<String> {
        let scheme = SCHEMES
            .iter()
            .find(|(_, scheme)| *scheme == self.scheme)
            .filter(|_| self.scheme != Scheme::Ratio);
        let models = (self.scheme == Scheme::Rejection && self.n_models != USUAL_MODELS)
            .then(|| format!("models={}", self.n_models));
        scheme.map(|(name, _)| (*name).to_owned()).into_iter().chain(models).collect()
    }

    /// How many models are averaged.
    pub(super) fn n_models(&self) -> usize {
        self.n_models
    }

    pub(super) fn is_of_two_classes(&self) -> bool {
        self.scheme == Scheme::Ratio
    }

    /// Positions of rows with these classes and costs, repeated as they are drawn, in their order.
    ///
    /// # Errors
    /// There would be too many.
    pub(super) fn draw(
        &self,
        classes: &[u32],
        costs: &[f64],
        random: &mut Random,
    ) -> Result<Vec<u32>, Error> {
        self.check_size(classes, costs)?;
        Ok(match self.scheme {
            Scheme::Ratio => ratio(classes, costs, random),
            Scheme::Duplicate => duplicated(costs, random),
            Scheme::Rejection => kept(&keep_probabilities(costs), random),
            Scheme::Roulette => by_roulette(costs, random),
        })
    }

    /// Refuses costs that repeat rows too often.
    fn check_size(&self, classes: &[u32], costs: &[f64]) -> Result<(), Error> {
        let of_class = |class: u32| classes.iter().zip(costs).find(|(own, _)| (**own == 0) == (class == 0));
        let n_rows = match (self.scheme, of_class(0), of_class(1)) {
            (Scheme::Duplicate, ..) => {
                let least = costs.iter().copied().fold(f64::INFINITY, f64::min);
                costs.iter().map(|cost| cost / least).sum()
            }
            (Scheme::Ratio, Some((_, negative)), Some((_, positive))) => {
                ratio_factor(*negative, *positive) * classes.len() as f64
            }
            _ => classes.len() as f64,
        };
        let n_given = classes.len() as f64;
        if n_rows <= f64::min(MOST_ROWS as f64, MOST_COPIES * n_given.max(FEW_ROWS)) {
            return Ok(());
        }
        let problem = format!("costs that differ so much would make {n_rows:.1e} rows of {n_given}");
        Err(Error::new(ErrorKind::TooLarge, problem).advise("let rows count by their cost, with +weights"))
    }
}

/// A number of models.
pub(super) fn n_models(text: &str) -> Option<usize> {
    count(text).filter(|&n_models| n_models <= MOST_MODELS)
}

/// How many negatives there are for each, so that the cut 0.5 decides as p* = w0 / (w0 + w1) would:
/// `p* / (1 - p*) (1 - 0.5) / 0.5`.
fn ratio_factor(negative: f64, positive: f64) -> f64 {
    negative / positive
}

fn ratio(classes: &[u32], costs: &[f64], random: &mut Random) -> Vec<u32> {
    let (mut negatives, positives): (Vec<u32>, Vec<u32>) =
        (0..classes.len() as u32).partition(|&position| classes[position as usize] == 0);
    let (Some(&negative), Some(&positive)) = (negatives.first(), positives.first()) else {
        return (0..classes.len() as u32).collect();
    };
    let factor = ratio_factor(costs[negative as usize], costs[positive as usize]);
    let n_wanted = (factor * negatives.len() as f64 + 0.5).floor() as usize;
    random.shuffle(&mut negatives);
    let repeated = negatives.iter().copied().cycle().take(n_wanted);
    let mut drawn: Vec<u32> = repeated.chain(positives).collect();
    drawn.sort_unstable();
    drawn
}

fn duplicated(costs: &[f64], random: &mut Random) -> Vec<u32> {
    let least = costs.iter().copied().fold(f64::INFINITY, f64::min);
    let times = |(position, cost): (u32, &f64)| {
        let weight = cost / least;
        let once_more = random.uniform() < weight.fract();
        std::iter::repeat_n(position, weight.floor() as usize + usize::from(once_more))
    };
    (0..).zip(costs).flat_map(times).collect()
}

/// With what probability each row is kept: its share of the largest cost.
fn keep_probabilities(costs: &[f64]) -> Vec<f64> {
    let most = costs.iter().copied().fold(0.0, f64::max);
    costs.iter().map(|cost| cost / most).collect()
}

fn kept(probabilities: &[f64], random: &mut Random) -> Vec<u32> {
    let is_kept = |&(_, &probability): &(u32, &f64)| random.uniform() < probability;
    (0..).zip(probabilities).filter(is_kept).map(|(position, _)| position).collect()
}

fn by_roulette(costs: &[f64], random: &mut Random) -> Vec<u32> {
    let mut total = 0.0;
    let up_to = |cost: &f64| {
        total += cost;
        total
    };
    let ends: Vec<f64> = costs.iter().map(up_to).collect();
    let last = ends.len().saturating_sub(1);
    let one = |_| {
        let point = random.uniform() * total;
        ends.partition_point(|&end| end <= point).min(last) as u32
    };
    let mut drawn: Vec<u32> = (0..costs.len()).map(one).collect();
    drawn.sort_unstable();
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every tenth row is positive and costs five times as much.
    fn rows(n: usize) -> (Vec<u32>, Vec<f64>) {
        let classes: Vec<u32> = (0..n).map(|row| u32::from(row % 10 == 0)).collect();
        let costs = classes.iter().map(|&class| if class == 1 { 5.0 } else { 1.0 }).collect();
        (classes, costs)
    }

    fn n_of_class(classes: &[u32], drawn: &[u32], class: u32) -> usize {
        drawn.iter().filter(|&&position| classes[position as usize] == class).count()
    }

    #[test]
    fn golden_factors() {
        assert!((ratio_factor(1.0, 5.0) - 0.2).abs() < 1e-9);
        assert!((ratio_factor(1.0, 9.0) - 0.111111111).abs() < 1e-9);
    }

    #[test]
    fn golden_undersampling() {
        let classes: Vec<u32> = (0..1103).map(|row| u32::from(row >= 1003)).collect();
        let costs: Vec<f64> = classes.iter().map(|&class| if class == 1 { 5.0 } else { 1.0 }).collect();
        let mut drawn = ratio(&classes, &costs, &mut Random::new(1));
        assert_eq!((n_of_class(&classes, &drawn, 0), n_of_class(&classes, &drawn, 1)), (201, 100));
        drawn.dedup();
        assert_eq!(drawn.len(), 301);
    }

    #[test]
    fn negatives_that_cost_more_are_repeated_evenly() {
        let classes = [0, 0, 0, 1, 1];
        let costs = [2.5, 2.5, 2.5, 1.0, 1.0];
        let drawn = ratio(&classes, &costs, &mut Random::new(1));
        assert_eq!(drawn.len(), 8 + 2);
        let times = |row: u32| drawn.iter().filter(|&&drawn| drawn == row).count();
        assert!((0..3).all(|row| (2..=3).contains(&times(row))) && times(3) == 1 && times(4) == 1);
    }

    #[test]
    fn golden_rejection() {
        let found = keep_probabilities(&[5.0, 1.0, 1.0, 5.0, 2.0, 1.0]);
        assert_eq!(found, [1.0, 0.2, 0.2, 1.0, 0.4, 0.2]);
        let (classes, costs) = rows(20_000);
        let drawn = kept(&keep_probabilities(&costs), &mut Random::new(3));
        assert_eq!(n_of_class(&classes, &drawn, 1), 2_000);
        let share = n_of_class(&classes, &drawn, 0) as f64 / 18_000.0;
        assert!((share - 0.2).abs() < 0.01, "{share}");
    }

    #[test]
    fn rows_are_repeated_by_their_cost() {
        let costs = [1.0, 2.0, 2.5, 1.0];
        let mut sums = [0; 4];
        for seed in 0..2_000 {
            let drawn = duplicated(&costs, &mut Random::new(seed));
            assert!(drawn.is_sorted());
            drawn.iter().for_each(|&position| sums[position as usize] += 1);
        }
        assert_eq!((sums[0], sums[1], sums[3]), (2_000, 4_000, 2_000));
        assert!((f64::from(sums[2]) / 2_000.0 - 2.5).abs() < 0.05, "{sums:?}");
    }

    #[test]
    fn costs_that_would_fill_the_memory_with_copies_are_refused() {
        let classes = [0, 0, 1];
        let refused = |scheme: Scheme, costs: &[f64]| {
            let sampling = Sampling { scheme, n_models: 1 };
            let drawn = sampling.draw(&classes, costs, &mut Random::new(1));
            drawn.err().map(|error| error.kind())
        };
        assert_eq!(refused(Scheme::Duplicate, &[1.0, 1.0, 1e12]), Some(ErrorKind::TooLarge));
        assert_eq!(refused(Scheme::Duplicate, &[1.0, 1.0, 1e6]), Some(ErrorKind::TooLarge));
        assert_eq!(refused(Scheme::Duplicate, &[1.0, 1.0, 5e4]), None);
        assert_eq!(refused(Scheme::Ratio, &[1e12, 1e12, 1.0]), Some(ErrorKind::TooLarge));
        assert_eq!(refused(Scheme::Ratio, &[1.0, 1.0, 1e12]), None);
        assert_eq!(refused(Scheme::Rejection, &[1.0, 1.0, 1e12]), None);
    }

    #[test]
    fn the_roulette_draws_as_many_rows_by_cost() {
        let (classes, costs) = rows(20_000);
        let drawn = by_roulette(&costs, &mut Random::new(5));
        assert_eq!(drawn.len(), 20_000);
        let share = n_of_class(&classes, &drawn, 1) as f64 / 20_000.0;
        // 5 * 0.1 / (5 * 0.1 + 0.9)
        assert!((share - 0.357).abs() < 0.015, "{share}");
    }
}
