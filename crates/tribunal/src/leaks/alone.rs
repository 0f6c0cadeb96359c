//! What a column alone tells about a target: its AUROC when it serves as the score.
//!
//! Numbers and ordered levels are scores as they stand, in either direction, with DeLong's interval. Categories are
//! scored by the share of positives that each level has in *other* rows: the rows are dealt into stratified folds, each
//! fold is scored by the shares of the others, and the AUROCs of the folds are averaged, with the variance of the
//! average from the folds' own (LeDell, Petersen and van der Laan 2015). Scored by its own shares a column of names
//! would seem perfect.

use tribunal_eval::intervals::{AurocEstimate, Level, delong_of_ranking};
use tribunal_eval::{Ranking, ScoredSet};
use tribunal_learn::{Column, Kind, MISSING, Values};
use tribunal_random::Random;

use crate::describe::{Alone, AloneMethod, Direction};

const LEVEL: f64 = 0.95;
const FOLDS: usize = 10;

/// The classes of rows: whether each is positive; `None` where that is not known.
pub(crate) type Truth<'a> = &'a [Option<bool>];

/// What a column alone tells; `None` if one class has no row with a value.
pub(crate) fn alone(column: &Column, truth: Truth<'_>, seed: u64) -> Option<Alone> {
    let rows = || (0..truth.len()).filter_map(|row| Some((row, truth[row]?)));
    match (column.values(), column.kind()) {
        (Values::Numbers(numbers), _) => {
            let scored = rows().filter(|&(row, _)| !numbers[row].is_nan());
            as_score(scored.map(|(row, class)| (numbers[row], class)))
        }
        (Values::Codes(codes), Kind::Flag | Kind::Ordered(_)) => {
            let scored = rows().filter(|&(row, _)| codes[row] != MISSING);
            as_score(scored.map(|(row, class)| (f64::from(codes[row]), class)))
        }
        (Values::Codes(codes), _) => {
            let scored = rows().filter(|&(row, _)| codes[row] != MISSING);
            by_level(
                &scored.map(|(row, class)| (codes[row], class)).collect::<Vec<_>>(),
                column.n_codes(),
                seed,
            )
        }
    }
}

/// The AUROC of whether a value is there at all; `None` if it always is, or never.
pub(crate) fn alone_by_presence(column: &Column, truth: Truth<'_>) -> Option<Alone> {
    let is_there = |row: usize| match column.values() {
        Values::Numbers(numbers) => !numbers[row].is_nan(),
        Values::Codes(codes) => codes[row] != MISSING,
    };
    let scored = (0..truth.len()).filter_map(|row| Some((f64::from(u8::from(is_there(row))), truth[row]?)));
    as_score(scored)
}

fn as_score(rows: impl Iterator<Item = (f64, bool)>) -> Option<Alone> {
    let (scores, truth): (Vec<f64>, Vec<bool>) = rows.unzip();
    let estimate = estimate(&truth, &scores)?;
    let n_positive = truth.iter().filter(|class| **class).count();
    let counts = ClassRows { n_positive, n_rows: truth.len() };
    Some(directed(estimate.auroc, estimate.variance, counts, None))
}

fn estimate(truth: &[bool], scores: &[f64]) -> Option<AurocEstimate> {
    let ranking = Ranking::of(&ScoredSet::new(truth, scores).ok()?).ok()?;
    delong_of_ranking(&ranking).ok()
}

/// Rows that an AUROC was computed from.
struct ClassRows {
    n_positive: usize,
    n_rows: usize,
}

/// An AUROC turned so that it is at least one half, unless it stands for levels.
fn directed(auroc: f64, variance: f64, counts: ClassRows, direction: Option<Direction>) -> Alone {
    let turns = direction.is_none() && auroc < 0.5;
    let auroc = if turns { 1.0 - auroc } else { auroc };
    let half = Level::new(LEVEL).map_or(0.0, Level::z) * variance.sqrt();
    Alone {
        auroc,
        lower: (auroc - half).max(0.0),
        upper: (auroc + half).min(1.0),
        level: LEVEL,
        method: match direction {
            None => AloneMethod::Delong,
            Some(_) => AloneMethod::CrossValidatedDelong,
        },
        n: counts.n_rows as u64,
        n_rarer: counts.n_positive.min(counts.n_rows - counts.n_positive) as u64,
        direction: direction.unwrap_or(if turns { Direction::Low } else { Direction::High }),
        class: None,
    }
}

fn by_level(rows: &[(u32, bool)], n_levels: usize, seed: u64) -> Option<Alone> {
    let n_positive = rows.iter().filter(|(_, class)| *class).count();
    let n_folds = FOLDS.min(n_positive).min(rows.len() - n_positive);
    if n_folds < 2 {
        return None;
    }
    let folds = deal(rows, n_folds, seed);
    let mut levels = LevelCounts::new(n_levels);
    rows.iter().for_each(|&(code, class)| levels.add(code, class, 1.0));
    let (mut sum, mut variance) = (0.0, 0.0);
    for fold in 0..n_folds {
        let tested = || rows.iter().zip(&folds).filter(|(_, found)| **found == fold).map(|(row, _)| *row);
        tested().for_each(|(code, class)| levels.add(code, class, -1.0));
        let (scores, truth): (Vec<f64>, Vec<bool>) =
            tested().map(|(code, class)| (levels.share(code), class)).unzip();
        tested().for_each(|(code, class)| levels.add(code, class, 1.0));
        let estimate = estimate(&truth, &scores)?;
        sum += estimate.auroc;
        variance += estimate.variance;
    }
    let n = n_folds as f64;
    // Levels that differ by chance alone are put in the wrong order by the other folds; they tell nothing, not less.
    let auroc = (sum / n).max(0.5);
    let counts = ClassRows { n_positive, n_rows: rows.len() };
    Some(directed(auroc, variance / (n * n), counts, Some(Direction::Levels)))
}

/// A fold for each row; both classes are dealt out in turn.
fn deal(rows: &[(u32, bool)], n_folds: usize, seed: u64) -> Vec<usize> {
    let mut random = Random::new(seed);
    let mut folds = vec![0; rows.len()];
    for wanted in [false, true] {
        let mut members: Vec<usize> = (0..rows.len()).filter(|&row| rows[row].1 == wanted).collect();
        random.shuffle(&mut members);
        members.iter().enumerate().for_each(|(place, &row)| folds[row] = place % n_folds);
    }
    folds
}

/// Rows and positives of each level, and of all.
struct LevelCounts {
    rows: Vec<f64>,
    positives: Vec<f64>,
    all_rows: f64,
    all_positives: f64,
}

impl LevelCounts {
    fn new(n_levels: usize) -> Self {
        LevelCounts {
            rows: vec![0.0; n_levels],
            positives: vec![0.0; n_levels],
            all_rows: 0.0,
            all_positives: 0.0,
        }
    }

    fn add(&mut self, code: u32, class: bool, weight: f64) {
        let positive = if class { weight } else { 0.0 };
        self.rows[code as usize] += weight;
        self.positives[code as usize] += positive;
        self.all_rows += weight;
        self.all_positives += positive;
    }

    /// The share of positives of a level, drawn to the overall share as by one more row.
    fn share(&self, code: u32) -> f64 {
        let overall = self.all_positives / self.all_rows;
        (self.positives[code as usize] + overall) / (self.rows[code as usize] + 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tribunal_learn::Levels;

    fn truth(classes: &[u8]) -> Vec<Option<bool>> {
        classes.iter().map(|&class| Some(class == 1)).collect()
    }

    #[test]
    fn numbers_point_either_way() {
        let column = Column::new("x", Kind::Numeric, Values::Numbers(vec![4.0, 3.0, f64::NAN, 2.0, 1.0]));
        let column = column.expect("numbers");
        let found = alone(&column, &truth(&[0, 0, 1, 1, 1]), 1).expect("both classes");
        assert_eq!((found.auroc, found.direction, found.n), (1.0, Direction::Low, 4));
        assert!(alone(&column, &truth(&[0, 0, 1, 0, 0]), 1).is_none());
    }

    #[test]
    fn levels_that_tell_are_seen_and_names_are_not() {
        let n = 400;
        let classes: Vec<u8> = (0..n).map(|row| u8::from(row % 4 == 0)).collect();
        let categorical = |codes: Vec<u32>, n_levels: u32| {
            let kind = Kind::Categorical(Levels::met((0..n_levels).map(|level| level.to_string())));
            Column::new("x", kind, Values::Codes(codes)).expect("codes")
        };
        let telling = categorical((0..n).map(|row| u32::from(row % 4 == 0)).collect(), 2);
        assert_eq!(alone(&telling, &truth(&classes), 1).map(|found| found.auroc), Some(1.0));
        let names = categorical((0..n).collect(), n);
        assert_eq!(alone(&names, &truth(&classes), 1).map(|found| found.auroc), Some(0.5));
        let noise = categorical((0..n).map(|row| row / 4 % 20).collect(), 20);
        let found = alone(&noise, &truth(&classes), 1).expect("both classes");
        assert!(found.lower < 0.5 && 0.5 < found.upper, "{found:?}");
    }

    #[test]
    fn what_is_there_only_for_one_class_tells_by_being_there() {
        let column = Column::new("paid", Kind::Numeric, Values::Numbers(vec![1.0, f64::NAN, 2.0, f64::NAN]));
        let found = alone_by_presence(&column.expect("numbers"), &truth(&[1, 0, 1, 0])).expect("both");
        assert_eq!((found.auroc, found.direction), (1.0, Direction::High));
    }
}
