//! The rows of both tables that the domain classifier sees, and their folds.
//!
//! Large tables are sampled, and of a table many times the size of the other a sample is taken too: more of its rows tell next to
//! nothing. Equal rows share a fold while they are few, or the classifier would learn of a held-out row that its twin stands in the
//! other table. A value that many rows share tells of their distribution, and its rows are dealt out. Keys are hashes of what a row
//! holds, so that the order of rows and columns decides nothing.

use rustc_hash::FxHashMap;
use tribunal_learn::{Column, Dataset, Kind, Levels, MISSING, Target, Values};
use tribunal_random::derive_seed;

use super::column_shift::{LEAST_LEVEL_SHARE, level_counts, mean_share};
use super::paired_columns::{PairedColumn, PairedValues};
use super::results::Sides;
use crate::error::Error;
use crate::resampling::{LabelColumn, Plan, Rows};

/// Rows of either table at most.
const MOST_ROWS: usize = 10_000;
/// A table has at most so many times the rows of the other, unless it has few.
const MOST_TIMES: usize = 10;
const FEW_ROWS: usize = 1_000;
/// Rows that each table needs.
pub(super) const FEWEST_ROWS: usize = 20;
/// How many folds.
pub(super) const FOLDS: u32 = 5;

/// The rows that the domain classifier sees: those of the training table, then those of the population.
pub(super) struct DomainRows {
    /// The rows of either table, in their order.
    pub(super) sampled: Sides<Vec<u32>>,
    /// The columns that were looked at, with the table for a target.
    pub(super) dataset: Dataset,
    /// The fold of each row.
    pub(super) folds: Vec<u32>,
    /// The frozen plan of the folds.
    pub(super) plan: Plan,
    /// Rows with an equal row in the other table.
    pub(super) twins: Sides<u64>,
}

impl DomainRows {
    pub(super) fn new(columns: &[PairedColumn<'_>], rows: Sides<usize>, seed: u64) -> Result<Self, Error> {
        let mut hashes = Sides { training: vec![0; rows.training], population: vec![0; rows.population] };
        columns.iter().for_each(|column| column.values.add_hashes(column.name, &mut hashes));
        let most = |own: usize, other: usize| own.min(MOST_ROWS).min((other * MOST_TIMES).max(FEW_ROWS));
        let sampled = Sides {
            training: sample(&hashes.training, most(rows.training, rows.population), seed),
            population: sample(&hashes.population, most(rows.population, rows.training), seed),
        };
        let of_table = |hashes: &[u64], rows: &[u32], table: u32| -> Vec<(u64, u32)> {
            rows.iter().map(|&row| (hashes[row as usize], table)).collect()
        };
        let mut keyed = of_table(&hashes.training, &sampled.training, 0);
        keyed.extend(of_table(&hashes.population, &sampled.population, 1));
        let dealt = deal(&keyed, seed);
        let labels = LabelColumn::of("fold", dealt.folds.iter().map(u32::to_string));
        let plan = Plan::new(&"folds:fold".parse()?, &Rows::new(keyed.len()).with_column(&labels), seed)?;
        let columns: Vec<Column> =
            columns.iter().map(|column| column.pooled(&sampled)).collect::<Result<_, Error>>()?;
        let tables = keyed.iter().map(|(_, table)| *table).collect();
        let target = Target::new("table", ["training", "population"], tables)?;
        let dataset = Dataset::of_rows(keyed.len(), columns)?.with_target(target)?;
        Ok(DomainRows { sampled, dataset, folds: dealt.folds, plan, twins: dealt.twins })
    }

    /// Whether a row is one of the population.
    pub(super) fn is_of_population(&self, row: u32) -> bool {
        row as usize >= self.sampled.training.len()
    }

    /// The rows for whose fold something holds.
    pub(super) fn rows_of(&self, is_wanted: impl Fn(u32) -> bool) -> Vec<u32> {
        (0..).zip(&self.folds).filter(|(_, fold)| is_wanted(**fold)).map(|(row, _)| row).collect()
    }
}

/// So many rows, chosen by hashes of what they hold and how many equal rows stood before.
fn sample(hashes: &[u64], most: usize, seed: u64) -> Vec<u32> {
    if hashes.len() <= most {
        return (0..hashes.len() as u32).collect();
    }
    let mut n_met: FxHashMap<u64, u64> = FxHashMap::default();
    let key = |hash: &u64| {
        let n_met = n_met.entry(*hash).or_default();
        *n_met += 1;
        derive_seed(seed, &[*hash, *n_met])
    };
    let mut keyed: Vec<(u64, u32)> = hashes.iter().map(key).zip(0..).collect();
    keyed.select_nth_unstable(most);
    keyed.truncate(most);
    let mut rows: Vec<u32> = keyed.into_iter().map(|(_, row)| row).collect();
    rows.sort_unstable();
    rows
}

struct Dealt {
    folds: Vec<u32>,
    twins: Sides<u64>,
}

/// Deals rows, each with its hash and its table, to folds that are alike in the shares of the tables.
fn deal(keyed: &[(u64, u32)], seed: u64) -> Dealt {
    let mut order: Vec<(u64, u32)> =
        (0..).zip(keyed).map(|(row, (hash, _))| (derive_seed(seed, &[*hash]), row)).collect();
    order.sort_unstable();
    let (mut folds, mut twins) = (vec![0; keyed.len()], Sides::default());
    let mut next_of: FxHashMap<[u64; 2], u32> = FxHashMap::default();
    let mut next_fold = |composition: [u64; 2]| {
        let next = next_of.entry(composition).or_default();
        let fold = *next % FOLDS;
        *next += 1;
        fold
    };
    for group in order.chunk_by(|a, b| a.0 == b.0) {
        let table = |row: u32| keyed[row as usize].1;
        let of_population = group.iter().filter(|(_, row)| table(*row) == 1).count() as u64;
        let of_training = group.len() as u64 - of_population;
        if of_training > 0 && of_population > 0 {
            twins.training += of_training;
            twins.population += of_population;
        }
        if group.len() <= FOLDS as usize {
            let fold = next_fold([of_training, of_population]);
            group.iter().for_each(|&(_, row)| folds[row as usize] = fold);
        } else {
            for &(_, row) in group {
                let composition = if table(row) == 1 { [0, 1] } else { [1, 0] };
                folds[row as usize] = next_fold(composition);
            }
        }
    }
    Dealt { folds, twins }
}

impl PairedColumn<'_> {
    /// The values of rows of both tables as one column, rare levels as one.
    fn pooled(&self, rows: &Sides<Vec<u32>>) -> Result<Column, Error> {
        match &self.values {
            PairedValues::Numbers(numbers) => {
                let taken = |numbers: &[f64], rows: &[u32]| -> Vec<f64> {
                    rows.iter().map(|&row| numbers[row as usize]).collect()
                };
                let mut values = taken(&numbers.training, &rows.training);
                values.extend(taken(&numbers.population, &rows.population));
                Ok(Column::new(self.name, Kind::Numeric, Values::Numbers(values))?)
            }
            PairedValues::Codes { codes, levels } => {
                let taken = |codes: &[u32], rows: &[u32]| -> Vec<u32> {
                    rows.iter().map(|&row| codes[row as usize]).collect()
                };
                let taken = Sides {
                    training: taken(&codes.training, &rows.training),
                    population: taken(&codes.population, &rows.population),
                };
                let of_rows = |codes: &Vec<u32>| codes.len() as f64;
                let n_rows = taken.as_ref().map(of_rows);
                let counts = level_counts(taken.as_ref().map(|codes| &codes[..]), levels.len());
                let mut all = taken.training;
                all.extend(taken.population);
                let Kind::Categorical(_) = &self.kind else {
                    return Ok(Column::new(self.name, self.kind.clone(), Values::Codes(all))?);
                };
                let is_rare = |code: usize| mean_share(&counts[code], n_rows) < LEAST_LEVEL_SHARE;
                let mut names: Vec<String> = Vec::new();
                let mut place = vec![MISSING; levels.len()];
                for code in (0..levels.len()).filter(|code| !is_rare(*code)) {
                    place[code] = names.len() as u32;
                    names.push(levels[code].clone());
                }
                let rest = names.len() as u32;
                place.iter_mut().filter(|place| **place == MISSING).for_each(|place| *place = rest);
                names.push(rest_name(&names));
                let all = all.into_iter().map(|code| place.get(code as usize).copied().unwrap_or(MISSING));
                let values = Values::Codes(all.collect());
                Ok(Column::new(self.name, Kind::Categorical(Levels::met(names)), values)?)
            }
        }
    }
}

/// A name for all rare levels that none of the others has.
fn rest_name(names: &[String]) -> String {
    let mut name = "another level".to_owned();
    while names.contains(&name) {
        name.push('\'');
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;
    use tribunal_random::Random;

    #[test]
    fn folds_are_alike_in_the_shares_of_the_tables() {
        let mut random = Random::new(4);
        let keyed: Vec<(u64, u32)> =
            (0..1000).map(|row| (random.next_u64(), u32::from(row >= 900))).collect();
        let dealt = deal(&keyed, 7);
        for table in 0..2 {
            let count = |fold: u32| {
                keyed.iter().zip(&dealt.folds).filter(|((_, t), f)| *t == table && **f == fold).count()
            };
            let counts: Vec<usize> = (0..FOLDS).map(count).collect();
            assert_eq!(counts, vec![if table == 0 { 180 } else { 20 }; 5]);
        }
        assert_eq!(dealt.twins, Sides::default());
    }

    #[test]
    fn twins_share_a_fold_and_values_of_many_rows_are_dealt_out() {
        // Fifty rows that stand in both tables, and a value that a hundred rows of each share.
        let mut keyed: Vec<(u64, u32)> = (0..100).map(|row| (row / 2 + 10, row as u32 % 2)).collect();
        keyed.extend((0..200).map(|row| (1, row % 2)));
        let dealt = deal(&keyed, 7);
        assert!((0..50).all(|pair| dealt.folds[2 * pair] == dealt.folds[2 * pair + 1]));
        let n_in = |fold: u32| dealt.folds[100..].iter().filter(|found| **found == fold).count();
        assert_eq!((0..FOLDS).map(n_in).collect::<Vec<_>>(), [40; 5]);
        assert_eq!(dealt.twins, Sides { training: 150, population: 150 });
    }

    #[test]
    fn samples_depend_on_what_rows_hold_and_never_on_their_order() {
        let hashes: Vec<u64> = (0..500).map(|row| row / 4).collect();
        let mut turned = hashes.clone();
        turned.reverse();
        let held = |hashes: &[u64]| {
            let mut held: Vec<u64> = sample(hashes, 100, 3).iter().map(|&row| hashes[row as usize]).collect();
            held.sort_unstable();
            held
        };
        assert_eq!(held(&hashes), held(&turned));
        assert_eq!(sample(&hashes, 500, 3).len(), 500);
    }
}
