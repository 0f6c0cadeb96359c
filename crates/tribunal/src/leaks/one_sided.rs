//! A part of a column's values that occurs in one class only.
//!
//! An outcome leaves its mark where a column has two regimes: it is empty, or zero, until the outcome is known. So the parts
//! are those that a jump bounds: missing and present cells, the commonest number and everything but it, single levels. The
//! ends of a continuous column are no such part: those of honest strong predictors are pure by nature.
//!
//! A part is suspicious if all its rows have one class, which under the hypergeometric distribution - so many rows drawn
//! without regard to the classes - has a probability that survives Bonferroni's adjustment over all parts and columns, and if
//! it makes up much of that class: as large a share of it as the class is of all rows, at least a tenth and at most half,
//! since certainty about what is rare is rarer. Without that bar every word that only one of two groups uses would be
//! accused: those of 20 Newsgroups make up as much as 40 % of their half of the rows.

use rustc_hash::FxHashMap;
use tribunal_learn::{Column, Kind, MISSING, Values};

use super::{FEWEST_ROWS, ValuePart};

/// Chance of accusing a table of columns that have nothing to do with the target.
const ALPHA: f64 = 0.01;

/// The share of a class that a part must make up.
const MUCH_OF_A_CLASS: f64 = 0.5;
const LEAST_OF_A_RARE_CLASS: f64 = 0.1;

/// A part that occurs in one class only.
pub(super) struct OneSidedPart {
    pub(super) part: ValuePart,
    pub(super) rows: u64,
    /// Whether that class is the positive one.
    pub(super) class: bool,
    /// The share of the class that the part makes up.
    pub(super) covered: f64,
}

/// Rows of both classes.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    negative: u64,
    positive: u64,
}

impl Counts {
    fn add(&mut self, class: bool) {
        *(if class { &mut self.positive } else { &mut self.negative }) += 1;
    }

    fn less(self, other: Counts) -> Counts {
        Counts { negative: self.negative - other.negative, positive: self.positive - other.positive }
    }

    fn total(self) -> u64 {
        self.negative + self.positive
    }

    fn of(self, class: bool) -> u64 {
        if class { self.positive } else { self.negative }
    }

    /// The only class of the rows.
    fn only_class(self) -> Option<bool> {
        match (self.negative, self.positive) {
            (0, 1..) => Some(true),
            (1.., 0) => Some(false),
            _ => None,
        }
    }
}

/// The part of one of `n_columns` columns that is suspicious, the largest if there are several.
pub(super) fn one_sided(column: &Column, truth: &[Option<bool>], n_columns: usize) -> Option<OneSidedPart> {
    let (parts, all) = parts(column, truth);
    let n_tests = (parts.len() * n_columns.max(1)) as f64;
    let judged = parts.into_iter().filter_map(|(part, counts)| {
        let class = counts.only_class()?;
        let (rows, of_class) = (counts.total(), all.of(class));
        let covered = rows as f64 / of_class as f64;
        let share = of_class as f64 / all.total() as f64;
        let much = share.clamp(LEAST_OF_A_RARE_CLASS, MUCH_OF_A_CLASS);
        let is_suspicious = rows >= FEWEST_ROWS
            && covered >= much
            && log_chance(all, class, rows) + n_tests.ln() < ALPHA.ln();
        is_suspicious.then_some(OneSidedPart { part, rows, class, covered })
    });
    judged.reduce(|best, next| if next.covered > best.covered { next } else { best })
}

/// The logarithm of the chance that so many rows, drawn without regard to the classes, all have one class.
fn log_chance(all: Counts, class: bool, rows: u64) -> f64 {
    let (of_class, total) = (all.of(class), all.total());
    (0..rows).map(|drawn| ((of_class - drawn) as f64 / (total - drawn) as f64).ln()).sum()
}

/// The parts of a column with their rows, and the rows of all.
fn parts(column: &Column, truth: &[Option<bool>]) -> (Vec<(ValuePart, Counts)>, Counts) {
    let (mut all, mut missing) = (Counts::default(), Counts::default());
    let mut by_value: FxHashMap<u64, Counts> = FxHashMap::default();
    for (row, class) in truth.iter().enumerate() {
        let Some(class) = *class else { continue };
        all.add(class);
        match key(column, row) {
            Some(key) => by_value.entry(key).or_default().add(class),
            None => missing.add(class),
        }
    }
    let present = all.less(missing);
    let mut parts = Vec::new();
    if missing.total() > 0 && present.total() > 0 {
        parts.extend([(ValuePart::Missing, missing), (ValuePart::Present, present)]);
    }
    // Equal counts: the smaller key, so that the order of the map decides nothing.
    let commonest = by_value.iter().max_by_key(|(key, counts)| (counts.total(), std::cmp::Reverse(**key)));
    match (column.kind(), commonest) {
        (_, None) => {}
        (Kind::Numeric | Kind::Binned(_) | Kind::Ordered(_), Some((&key, &counts))) => {
            let value = value_name(column, key);
            parts.push((ValuePart::AnyBut(value.clone()), present.less(counts)));
            parts.push((ValuePart::Value(value), counts));
        }
        _ => {
            let mut levels: Vec<(u64, Counts)> = by_value.into_iter().collect();
            levels.sort_unstable_by_key(|(key, _)| *key);
            parts.extend(
                levels
                    .into_iter()
                    .filter(|(_, counts)| counts.total() >= FEWEST_ROWS)
                    .map(|(key, counts)| (ValuePart::Value(value_name(column, key)), counts)),
            );
        }
    }
    (parts, all)
}

/// What tells the value of a row from others; `None` where it is missing.
fn key(column: &Column, row: usize) -> Option<u64> {
    match column.values() {
        // Adding zero makes one value of both zeros.
        Values::Numbers(numbers) => Some(numbers[row]).filter(|x| !x.is_nan()).map(|x| (x + 0.0).to_bits()),
        Values::Codes(codes) => Some(codes[row]).filter(|code| *code != MISSING).map(u64::from),
    }
}

fn value_name(column: &Column, key: u64) -> String {
    match column.values() {
        Values::Numbers(_) => f64::from_bits(key).to_string(),
        Values::Codes(_) => {
            let name = usize::try_from(key).ok().and_then(|code| column.kind().levels().get(code));
            name.cloned().unwrap_or_else(|| key.to_string())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tribunal_learn::Levels;
    use tribunal_random::Random;

    fn numbers(values: Vec<f64>) -> Column {
        Column::new("x", Kind::Numeric, Values::Numbers(values)).expect("numbers")
    }

    fn truth(n_rows: usize, n_positive: usize) -> Vec<Option<bool>> {
        (0..n_rows).map(|row| Some(row < n_positive)).collect()
    }

    fn check(column: &Column, truth: &[Option<bool>], expected: Option<(ValuePart, u64, bool)>) {
        let found = one_sided(column, truth, 10).map(|found| (found.part, found.rows, found.class));
        assert_eq!(found, expected);
    }

    #[test]
    fn amounts_that_only_one_class_has_are_seen() {
        // As an adjustment after an audit: some positives have none, nobody else has one.
        let adjustment = |row: usize| if row < 80 { 100.0 + row as f64 } else { 0.0 };
        let found = Some((ValuePart::AnyBut("0".into()), 80, true));
        check(&numbers((0..400).map(adjustment).collect()), &truth(400, 100), found);
        let donation = |row: usize| if row < 80 { 5.0 + (row % 3) as f64 } else { f64::NAN };
        check(
            &numbers((0..400).map(donation).collect()),
            &truth(400, 100),
            Some((ValuePart::Present, 80, true)),
        );
        let settled = |row: usize| if row < 120 { f64::NAN } else { (row % 90) as f64 };
        check(
            &numbers((0..400).map(settled).collect()),
            &truth(400, 150),
            Some((ValuePart::Missing, 120, true)),
        );
    }

    #[test]
    fn a_level_of_one_class_is_seen() {
        let kind = Kind::Categorical(Levels::met(["closed", "open"].map(String::from)));
        let codes = (0..300).map(|row| u32::from(row < 60)).collect();
        let column = Column::new("state", kind, Values::Codes(codes)).expect("codes");
        check(&column, &truth(300, 90), Some((ValuePart::Value("open".into()), 60, true)));
    }

    #[test]
    fn little_of_a_class_is_not_enough_and_one_exception_absolves() {
        let value = |row: usize| if row < 40 { 1.0 + row as f64 } else { 0.0 };
        check(&numbers((0..400).map(value).collect()), &truth(400, 200), None);
        let mut values: Vec<f64> = (0..400).map(|row| if row < 150 { 7.0 } else { 0.0 }).collect();
        values[399] = 9.0;
        check(&numbers(values), &truth(400, 200), None);
    }

    #[test]
    fn a_tenth_of_a_rare_class_is_enough() {
        let value = |row: usize| if row < 25 { 1.0 + row as f64 } else { 0.0 };
        let found = Some((ValuePart::AnyBut("0".into()), 25, true));
        check(&numbers((0..5000).map(value).collect()), &truth(5000, 200), found);
    }

    #[test]
    fn what_chance_does_not_allow_is_enough_however_few_rows_there_are() {
        let value = |row: usize| if row < 18 { 9.0 } else { 0.0 };
        let found = Some((ValuePart::AnyBut("0".into()), 18, true));
        check(&numbers((0..1000).map(value).collect()), &truth(1000, 20), found);
        let value = |row: usize| if row < 79 { 9.0 } else { 0.0 };
        let found = Some((ValuePart::AnyBut("0".into()), 79, true));
        check(&numbers((0..1000).map(value).collect()), &truth(1000, 200), found);
    }

    #[test]
    fn pure_ends_of_a_strong_continuous_predictor_are_honest() {
        let mut random = Random::new(5);
        let values = (0..1000).map(|row| random.normal() + if row < 300 { 4.0 } else { 0.0 }).collect();
        check(&numbers(values), &truth(1000, 300), None);
    }

    #[test]
    fn columns_of_chance_are_hardly_ever_accused() {
        let mut random = Random::new(3);
        let mut n_accused = 0;
        for _ in 0..300 {
            let classes: Vec<Option<bool>> = (0..60).map(|_| Some(random.uniform() < 0.3)).collect();
            let values = (0..60).map(|_| if random.uniform() < 0.6 { 0.0 } else { random.normal() });
            n_accused += usize::from(one_sided(&numbers(values.collect()), &classes, 1).is_some());
        }
        assert_eq!(n_accused, 0);
    }
}
