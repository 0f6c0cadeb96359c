//! The columns of two tables side by side: matched by name, with the levels of both.
//!
//! Levels are matched by name, never by code. A flag beside numbers counts as the numbers 0 and 1: a table of few rows may show
//! nothing else of a column.

use std::borrow::Cow;
use std::hash::{BuildHasher, Hasher};

use rustc_hash::{FxBuildHasher, FxHashMap, FxHasher};
use tribunal_learn::{
    Column, Dataset, Kind, Levels, MISSING, Role, Values, natural_order, sniff_labels, sniff_numbers,
};

use super::results::{ColumnLeftOut, LeftOutReason, Sides};

/// A column of both tables.
pub(super) struct PairedColumn<'a> {
    pub(super) name: &'a str,
    /// What it holds in the training table; with the levels of both tables.
    pub(super) kind: Kind,
    pub(super) values: PairedValues<'a>,
}

/// The values of a column in both tables.
pub(super) enum PairedValues<'a> {
    /// NaN where there is none.
    Numbers(Sides<Cow<'a, [f64]>>),
    /// Codes of the levels of both tables.
    Codes { codes: Sides<Cow<'a, [u32]>>, levels: Vec<String> },
}

impl PairedValues<'_> {
    /// The share of values that are missing.
    pub(super) fn missing(&self) -> Sides<f64> {
        let share = |n_missing: usize, n: usize| if n == 0 { 0.0 } else { n_missing as f64 / n as f64 };
        match self {
            Self::Numbers(numbers) => numbers
                .as_ref()
                .map(|numbers| share(numbers.iter().filter(|x| x.is_nan()).count(), numbers.len())),
            Self::Codes { codes, .. } => codes
                .as_ref()
                .map(|codes| share(codes.iter().filter(|code| **code == MISSING).count(), codes.len())),
        }
    }

    /// A part of a hash of each row, the same in both tables for equal values.
    pub(super) fn add_hashes(&self, name: &str, hashes: &mut Sides<Vec<u64>>) {
        let of_column = |value: u64| {
            let mut hasher = FxHasher::default();
            hasher.write(name.as_bytes());
            hasher.write_u64(value);
            // A second round: sums of what multiplication alone mixes would collide.
            tribunal_random::derive_seed(hasher.finish(), &[])
        };
        let add = |hashes: &mut [u64], values: &mut dyn Iterator<Item = u64>| {
            hashes.iter_mut().zip(values).for_each(|(hash, value)| *hash = hash.wrapping_add(value));
        };
        match self {
            Self::Numbers(numbers) => {
                let of = |x: &f64| of_column(if x.is_nan() { u64::MAX } else { (x + 0.0).to_bits() });
                add(&mut hashes.training, &mut numbers.training.iter().map(of));
                add(&mut hashes.population, &mut numbers.population.iter().map(of));
            }
            Self::Codes { codes, levels } => {
                let of_level: Vec<u64> =
                    levels.iter().map(|level| of_column(FxBuildHasher.hash_one(level))).collect();
                let missing = of_column(u64::MAX);
                let of = |code: &u32| of_level.get(*code as usize).copied().unwrap_or(missing);
                add(&mut hashes.training, &mut codes.training.iter().map(of));
                add(&mut hashes.population, &mut codes.population.iter().map(of));
            }
        }
    }
}

/// The columns of both tables, in the order of the training table, and those that were left out.
pub(super) fn paired_columns<'a>(
    training: &'a Dataset,
    population: &'a Dataset,
) -> (Vec<PairedColumn<'a>>, Vec<ColumnLeftOut>) {
    let (mut columns, mut left_out) = (Vec::new(), Vec::new());
    for column in training.columns() {
        let paired = match population.column(column.name()) {
            Some(other) => paired(column, other),
            None => Err(LeftOutReason::OnlyInTraining),
        };
        match paired {
            Ok(paired) => columns.push(paired),
            Err(why) => left_out.push(ColumnLeftOut { column: column.name().to_owned(), why }),
        }
    }
    let is_new = |column: &&Column| training.column(column.name()).is_none();
    let only_in_population = |column: &Column| ColumnLeftOut {
        column: column.name().to_owned(),
        why: LeftOutReason::OnlyInPopulation,
    };
    left_out.extend(population.columns().iter().filter(is_new).map(only_in_population));
    (columns, left_out)
}

fn paired<'a>(training: &'a Column, population: &'a Column) -> Result<PairedColumn<'a>, LeftOutReason> {
    let kinds = Sides { training: training.kind().into(), population: population.kind().into() };
    let mismatch = LeftOutReason::OtherKind { kinds };
    let (kind, values) = match (training.values(), population.values()) {
        (Values::Codes(a), Values::Codes(b)) => {
            if (*training.kind() == Kind::Flag) != (*population.kind() == Kind::Flag) {
                return Err(mismatch);
            }
            coded((training.kind(), a), (population.kind(), b))
        }
        _ => {
            let numbers = Sides {
                training: as_numbers(training).ok_or(mismatch)?,
                population: as_numbers(population).ok_or(mismatch)?,
            };
            (Kind::Numeric, PairedValues::Numbers(numbers))
        }
    };
    let paired = PairedColumn { name: training.name(), kind, values };
    match paired.says_nothing() {
        Some(why) => Err(why),
        None => Ok(paired),
    }
}

fn as_numbers(column: &Column) -> Option<Cow<'_, [f64]>> {
    match column.values() {
        Values::Numbers(numbers) => Some(Cow::Borrowed(numbers)),
        Values::Codes(codes) if *column.kind() == Kind::Flag => {
            let number = |&code: &u32| if code == MISSING { f64::NAN } else { f64::from(code) };
            Some(codes.iter().map(number).collect())
        }
        Values::Codes(_) => None,
    }
}

/// Codes of the levels of both: those of the training table, then others, in their natural order unless they were declared.
fn coded<'a>(
    (kind, a): (&'a Kind, &'a [u32]),
    (other, b): (&'a Kind, &'a [u32]),
) -> (Kind, PairedValues<'a>) {
    let codes = |b: Cow<'a, [u32]>| Sides { training: Cow::Borrowed(a), population: b };
    if *kind == Kind::Flag {
        let levels = vec!["0".to_owned(), "1".to_owned()];
        return (Kind::Flag, PairedValues::Codes { codes: codes(Cow::Borrowed(b)), levels });
    }
    if kind.levels() == other.levels() {
        let levels = kind.levels().to_vec();
        return (kind.clone(), PairedValues::Codes { codes: codes(Cow::Borrowed(b)), levels });
    }
    let known: FxHashMap<&str, u32> = kind.levels().iter().map(String::as_str).zip(0..).collect();
    let new = other.levels().iter().filter(|level| !known.contains_key(level.as_str()));
    let mut levels: Vec<String> = kind.levels().iter().chain(new).cloned().collect();
    let is_declared = is_declared(kind);
    if !is_declared {
        levels = natural_order(levels);
    }
    let places: FxHashMap<&str, u32> = levels.iter().map(String::as_str).zip(0..).collect();
    let recoded = |own: &[String], codes: &[u32]| -> Cow<'a, [u32]> {
        let place: Vec<u32> = own.iter().map(|level| places[level.as_str()]).collect();
        codes.iter().map(|&code| place.get(code as usize).copied().unwrap_or(MISSING)).collect()
    };
    let codes = Sides { training: recoded(kind.levels(), a), population: recoded(other.levels(), b) };
    let names = Levels { names: levels.clone(), is_declared };
    let kind = if matches!(kind, Kind::Ordered(_)) { Kind::Ordered(names) } else { Kind::Categorical(names) };
    (kind, PairedValues::Codes { codes, levels })
}

fn is_declared(kind: &Kind) -> bool {
    matches!(kind, Kind::Categorical(levels) | Kind::Ordered(levels) if levels.is_declared)
}

impl PairedColumn<'_> {
    /// Why the column is left out: it names rows, or has one value in all of them.
    fn says_nothing(&self) -> Option<LeftOutReason> {
        match &self.values {
            PairedValues::Numbers(numbers) => {
                let mut present = numbers.training.iter().chain(&*numbers.population).filter(|x| !x.is_nan());
                let Some(first) = present.next() else { return Some(LeftOutReason::Empty) };
                let n_rows = numbers.training.len() + numbers.population.len();
                if present.all(|x| x == first) {
                    let missing = numbers.training.iter().chain(&*numbers.population).any(|x| x.is_nan());
                    return (!missing).then_some(LeftOutReason::Constant);
                }
                let mut pooled = Vec::with_capacity(n_rows);
                pooled.extend(numbers.training.iter().chain(&*numbers.population));
                let names_rows = |values: &[f64]| sniff_numbers(self.name, values).role == Role::Identifier;
                (self.kind == Kind::Numeric && (names_rows(&numbers.training) || names_rows(&pooled)))
                    .then_some(LeftOutReason::Identifier)
            }
            PairedValues::Codes { codes, levels } => {
                let mut counts = vec![0_u64; levels.len()];
                let mut n_missing = 0;
                for code in codes.training.iter().chain(&*codes.population) {
                    match counts.get_mut(*code as usize) {
                        Some(count) => *count += 1,
                        None => n_missing += 1,
                    }
                }
                match (counts.iter().filter(|count| **count > 0).count(), n_missing) {
                    (0, _) => Some(LeftOutReason::Empty),
                    (1, 0) => Some(LeftOutReason::Constant),
                    _ => {
                        let counted = levels.iter().map(String::as_str).zip(counts);
                        let names_rows = !is_declared(&self.kind)
                            && sniff_labels(counted, n_missing).role == Role::Identifier;
                        names_rows.then_some(LeftOutReason::Identifier)
                    }
                }
            }
        }
    }
}
