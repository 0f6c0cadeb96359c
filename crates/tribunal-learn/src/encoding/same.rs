//! Which rows can be left out of training without any change in what columns become.

use super::numeric::MOST_LEVELS;
use super::{NominalEncoder, NumericOptions, Scaling};
use crate::column::{Column, MISSING, Values};
use crate::dataset::Dataset;
use crate::kind::Kind;

/// For each set of positions within `rows`: whether an encoder of the other rows makes the same numbers of any row of the
/// data set. It does where the scale is that of all rows, bins are given, nothing is missing, and every category that occurs
/// is among the other rows.
pub(crate) fn same_without(
    dataset: &Dataset,
    options: &NumericOptions,
    rows: &[u32],
    left_out: &[&[u32]],
) -> Vec<bool> {
    let is_given = options.scaling != Scaling::Strict
        && NominalEncoder::is_given(dataset, None)
        && dataset.columns().iter().all(is_complete);
    let mut is_same = vec![is_given; left_out.len()];
    for column in dataset.columns() {
        if let (true, Values::Codes(codes), Kind::Categorical(_)) = (is_given, column.values(), column.kind())
        {
            let shown = Levels::new(column, codes, rows, dataset);
            let keeps =
                |positions: &&[u32]| shown.as_ref().is_some_and(|shown| shown.remain_without(positions));
            is_same.iter_mut().zip(left_out).for_each(|(is_same, positions)| *is_same &= keeps(positions));
        }
    }
    is_same
}

fn is_complete(column: &Column) -> bool {
    match column.values() {
        Values::Codes(codes) => !codes.contains(&MISSING),
        Values::Numbers(numbers) => numbers.iter().all(|number| !number.is_nan()),
    }
}

/// The level of each row and how often each level occurs; rows without weight show nothing.
struct Levels {
    of_rows: Vec<Option<u32>>,
    counts: Vec<usize>,
}

impl Levels {
    /// `None` if there are levels that no such row shows, or so many that the rarest share a place.
    fn new(column: &Column, codes: &[u32], rows: &[u32], dataset: &Dataset) -> Option<Levels> {
        let counts_at = |row: u32| dataset.weights().is_none_or(|weights| weights[row as usize] > 0.0);
        let of_rows: Vec<Option<u32>> =
            rows.iter().map(|&row| counts_at(row).then_some(codes[row as usize])).collect();
        let mut counts = vec![0; column.n_codes()];
        of_rows.iter().flatten().for_each(|&code| counts[code as usize] += 1);
        let n_shown = counts.iter().filter(|&&count| count > 0).count();
        let are_shown = codes.iter().all(|&code| counts[code as usize] > 0);
        (are_shown && n_shown <= MOST_LEVELS).then_some(Levels { of_rows, counts })
    }

    /// Whether every level still occurs when these are left out.
    fn remain_without(&self, positions: &[u32]) -> bool {
        let mut gone: Vec<u32> =
            positions.iter().filter_map(|&position| self.of_rows[position as usize]).collect();
        gone.sort_unstable();
        gone.chunk_by(|a, b| a == b).all(|level| level.len() < self.counts[level[0] as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::{BinRule, Levels as Names};

    const PAPER: NumericOptions =
        NumericOptions { scaling: Scaling::Paper, missing: crate::encoding::Missing::Impute };

    fn dataset(codes: [u32; 4], numbers: [f64; 4], rule: BinRule) -> Dataset {
        let colour = Kind::Categorical(Names::met(["blue", "green", "red"]));
        Dataset::new(vec![
            Column::new("colour", colour, Values::Codes(codes.to_vec())).expect("codes"),
            Column::new("lag", Kind::Binned(rule), Values::Numbers(numbers.to_vec())).expect("numbers"),
        ])
        .expect("columns")
    }

    fn given() -> BinRule {
        BinRule::WholeUnits(vec![7.0])
    }

    fn check(dataset: &Dataset, options: NumericOptions, expected: [bool; 3]) {
        let left_out: [&[u32]; 3] = [&[0], &[1], &[2, 3]];
        assert_eq!(same_without(dataset, &options, &[0, 1, 2, 3], &left_out), expected);
    }

    #[test]
    fn folds_that_take_a_level_away_are_not_the_same() {
        let numbers = [1.0, 8.0, 9.0, 2.0];
        check(&dataset([0, 0, 2, 2], numbers, given()), PAPER, [true, true, false]);
        check(&dataset([0, 2, 2, 0], numbers, given()), PAPER, [true; 3]);
        let weighted = dataset([0, 0, 2, 0], numbers, given()).with_weights(vec![0.0, 1.0, 1.0, 1.0]);
        check(&weighted.expect("weights"), PAPER, [true, true, false]);
    }

    #[test]
    fn what_depends_on_rows_is_never_the_same() {
        let numbers = [1.0, 8.0, 9.0, 2.0];
        check(&dataset([0, 2, 2, 0], numbers, given()), NumericOptions::default(), [false; 3]);
        check(&dataset([0, 2, 2, 0], numbers, BinRule::EqualFrequency(2)), PAPER, [false; 3]);
        check(&dataset([0, 2, 2, MISSING], numbers, given()), PAPER, [false; 3]);
        check(&dataset([0, 2, 2, 0], [1.0, f64::NAN, 9.0, 2.0], given()), PAPER, [false; 3]);
        // A level that only a row without weight, or outside of the folds, shows.
        let weighted = dataset([0, 2, 0, 0], numbers, given()).with_weights(vec![1.0, 0.0, 1.0, 1.0]);
        check(&weighted.expect("weights"), PAPER, [false; 3]);
    }
}
