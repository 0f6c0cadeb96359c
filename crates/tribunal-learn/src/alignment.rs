//! Data sets aligned to the columns of a model or of another data set: columns and levels are matched by name, never by
//! position. A code means a level of its own data set only.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use crate::column::{Column, MISSING, Values};
use crate::dataset::Dataset;
use crate::error::{Error, ErrorKind};
use crate::kind::Kind;
use crate::model::Input;
use crate::sniff::flag_value;

/// So many levels are named in a message.
const SHOWN: usize = 8;

/// How a data set is aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlignOptions {
    /// What becomes of a level that is not known.
    pub unknown_levels: Unmatched,
    /// What becomes of a column that is not there.
    pub missing_columns: Unmatched,
}

/// What becomes of something that has no counterpart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unmatched {
    /// It counts as missing.
    Missing,
    /// It is an error.
    Refuse,
}

impl Default for AlignOptions {
    /// One new level must not stop a night's file, but a column that was renamed would otherwise go unnoticed.
    fn default() -> Self {
        AlignOptions { unknown_levels: Unmatched::Missing, missing_columns: Unmatched::Refuse }
    }
}

/// A data set that was aligned, and what had no counterpart.
#[derive(Clone, Debug, PartialEq)]
pub struct Aligned {
    /// The same rows with the columns that were asked for, in their order; target and weights are kept.
    pub dataset: Dataset,
    /// The columns with levels that are not known, which count as missing.
    pub unknown_levels: Vec<UnknownLevels>,
    /// The columns that are not there, and count as missing in every row.
    pub missing_columns: Vec<String>,
}

/// Levels of a column that are not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownLevels {
    /// The column.
    pub column: String,
    /// How many rows have such a level.
    pub n_rows: usize,
    /// The first of these rows.
    pub first_row: usize,
    /// Its level.
    pub first_level: String,
}

/// The codes of the levels of a column, found by the text of a value.
#[derive(Clone, Debug)]
pub struct LevelCodes<'a>(Option<FxHashMap<&'a str, u32>>);

impl<'a> LevelCodes<'a> {
    /// The codes of a kind of column; a column of numbers has none.
    pub fn of(kind: &'a Kind) -> Self {
        let places = || kind.levels().iter().map(String::as_str).zip(0..).collect();
        LevelCodes((*kind != Kind::Flag).then(places))
    }

    /// The code of a value, if it is known.
    pub fn code(&self, label: &str) -> Option<u32> {
        self.0.as_ref().map_or_else(|| flag_value(label), |places| places.get(label).copied())
    }
}

impl Dataset {
    /// The columns with their kinds, which another data set can be aligned to.
    pub fn inputs(&self) -> Vec<Input> {
        let input = |column: &Column| Input { name: column.name().to_owned(), kind: column.kind().clone() };
        self.columns().iter().map(input).collect()
    }

    /// The same rows with the columns of a model or of another data set. Columns and levels are matched by name; columns
    /// that are not asked for are left out.
    ///
    /// ```
    /// use tribunal_learn::{AlignOptions, Column, Dataset, Kind, Levels, MISSING, Values};
    ///
    /// let colour = |levels, codes| Column::new("colour", Kind::Categorical(Levels::met(levels)), Values::Codes(codes));
    /// let trained = Dataset::new(vec![colour(["blue", "red"], vec![0, 1])?])?;
    /// let tonight = Dataset::new(vec![colour(["red", "teal"], vec![0, 1])?])?;
    ///
    /// let aligned = tonight.aligned_to(&trained.inputs(), &AlignOptions::default())?;
    /// assert_eq!(aligned.dataset.columns()[0].values(), &Values::Codes(vec![1, MISSING]));
    /// assert_eq!(aligned.unknown_levels[0].first_level, "teal");
    /// # Ok::<(), tribunal_learn::Error>(())
    /// ```
    ///
    /// # Errors
    /// A column holds numbers on one side and levels on the other; whatever the options refuse.
    pub fn aligned_to(&self, inputs: &[Input], options: &AlignOptions) -> Result<Aligned, Error> {
        let found = |name: &str| self.column(name).map(Cow::Borrowed);
        let (columns, unmatched) = aligned_columns(self.n_rows(), inputs, options, found)?;
        Ok(unmatched.beside(self.with_columns(columns)?))
    }

    /// The same of a data set that is needed no more: columns that fit as they are move, without a copy.
    ///
    /// # Errors
    /// As [`aligned_to`](Dataset::aligned_to).
    pub fn into_aligned(mut self, inputs: &[Input], options: &AlignOptions) -> Result<Aligned, Error> {
        let columns = self.take_columns().into_iter();
        let mut left: FxHashMap<String, Column> =
            columns.map(|column| (column.name().to_owned(), column)).collect();
        let found = |name: &str| left.remove(name).map(Cow::Owned);
        let (columns, unmatched) = aligned_columns(self.n_rows(), inputs, options, found)?;
        Ok(unmatched.beside(self.with_columns(columns)?))
    }

    /// Fails unless every column of a model is there and its codes mean what they meant in training. Models ask before they
    /// score.
    ///
    /// # Errors
    /// A column that is not there, that holds levels where there were numbers, or whose levels are others or in another
    /// order.
    pub fn check_aligned(&self, inputs: &[Input]) -> Result<(), Error> {
        let check = |input: &Input| {
            let column = self.column(&input.name).ok_or_else(|| absent(&input.name))?;
            if codes_mean_the_same(column.kind(), &input.kind) {
                Ok(())
            } else {
                Err(unaligned(column, input))
            }
        };
        inputs.iter().try_for_each(check)
    }
}

/// Whether both hold numbers, or codes of the same levels.
fn codes_mean_the_same(one: &Kind, other: &Kind) -> bool {
    let is_flag = |kind: &Kind| *kind == Kind::Flag;
    one.is_coded() == other.is_coded() && is_flag(one) == is_flag(other) && one.levels() == other.levels()
}

/// What had no counterpart.
#[derive(Default)]
struct WithoutCounterpart {
    unknown_levels: Vec<UnknownLevels>,
    missing_columns: Vec<String>,
}

impl WithoutCounterpart {
    fn beside(self, dataset: Dataset) -> Aligned {
        Aligned { dataset, unknown_levels: self.unknown_levels, missing_columns: self.missing_columns }
    }
}

fn aligned_columns<'a>(
    n_rows: usize,
    inputs: &[Input],
    options: &AlignOptions,
    mut found: impl FnMut(&str) -> Option<Cow<'a, Column>>,
) -> Result<(Vec<Column>, WithoutCounterpart), Error> {
    let mut without = WithoutCounterpart::default();
    let mut align = |input: &Input| match (found(&input.name), options.missing_columns) {
        (Some(column), _) => {
            let (column, unknown) = aligned_column(column, input, options.unknown_levels)?;
            without.unknown_levels.extend(unknown);
            Ok(column)
        }
        (None, Unmatched::Refuse) => Err(absent(&input.name)),
        (None, Unmatched::Missing) => {
            without.missing_columns.push(input.name.clone());
            blank_column(input, n_rows)
        }
    };
    let columns = inputs.iter().map(&mut align).collect::<Result<_, Error>>()?;
    Ok((columns, without))
}

fn aligned_column(
    column: Cow<'_, Column>,
    input: &Input,
    unknown_levels: Unmatched,
) -> Result<(Column, Option<UnknownLevels>), Error> {
    if codes_mean_the_same(column.kind(), &input.kind) {
        return Ok((column.into_owned().with_kind(&input.kind), None));
    }
    let column = &*column;
    let Values::Codes(codes) = column.values() else { return Err(unaligned(column, input)) };
    let recoding = recoding(column, input)?;
    let mut unknown: Option<UnknownLevels> = None;
    let mut recoded = Vec::with_capacity(codes.len());
    for (row, &code) in codes.iter().enumerate() {
        let known = if code == MISSING { Some(MISSING) } else { recoding[code as usize] };
        if known.is_none() {
            let level = level_name(column.kind(), code);
            if unknown_levels == Unmatched::Refuse {
                return Err(unknown_level(input, row, level));
            }
            let first = || UnknownLevels {
                column: column.name().to_owned(),
                n_rows: 0,
                first_row: row,
                first_level: level.to_owned(),
            };
            unknown.get_or_insert_with(first).n_rows += 1;
        }
        recoded.push(known.unwrap_or(MISSING));
    }
    Ok((Column::new(column.name(), input.kind.clone(), Values::Codes(recoded))?, unknown))
}

/// What each code of a column is in another column of the same name; `None` for a level that is not known there.
fn recoding(column: &Column, input: &Input) -> Result<Vec<Option<u32>>, Error> {
    if !input.kind.is_coded() {
        return Err(unaligned(column, input));
    }
    if *column.kind() == Kind::Flag {
        // A flag has lost the texts that it was read from; levels that say yes or no tell which they were.
        let says = |value: u32| {
            (0..).zip(input.kind.levels()).filter(move |(_, level)| flag_value(level) == Some(value))
        };
        let only = |value: u32| says(value).next().filter(|_| says(value).count() == 1).map(|(code, _)| code);
        return match [only(0), only(1)] {
            [None, None] => Err(unaligned(column, input)),
            found => Ok(found.to_vec()),
        };
    }
    let codes = LevelCodes::of(&input.kind);
    Ok(column.kind().levels().iter().map(|level| codes.code(level)).collect())
}

fn level_name(kind: &Kind, code: u32) -> &str {
    let flags = ["0", "1"];
    let named = kind.levels().get(code as usize).map(String::as_str);
    named.or_else(|| flags.get(code as usize).copied()).unwrap_or_default()
}

/// A column that counts as missing in every row.
fn blank_column(input: &Input, n_rows: usize) -> Result<Column, Error> {
    let values = match input.kind.is_coded() {
        true => Values::Codes(vec![MISSING; n_rows]),
        false => Values::Numbers(vec![f64::NAN; n_rows]),
    };
    Column::new(&input.name, input.kind.clone(), values)
}

fn absent(name: &str) -> Error {
    Error::new(ErrorKind::UnknownColumn, format!("there is no column {name:?}"))
        .advise("the model was trained with it; supply it, empty if it is not known")
}

fn unaligned(column: &Column, input: &Input) -> Error {
    let problem =
        format!("it is {} here, and {} in training", described(column.kind()), described(&input.kind));
    let advice = match column.kind().is_coded() == input.kind.is_coded() {
        true => "align the data set to the columns of the model, so that levels are matched by name",
        false => "declare the kind that it has in training",
    };
    Error::new(ErrorKind::Unaligned, problem).in_column(column.name()).advise(advice)
}

fn unknown_level(input: &Input, row: usize, level: &str) -> Error {
    let problem = format!("row {}: {level:?} is a level that the model never met", row + 1);
    Error::new(ErrorKind::UnknownValue, problem)
        .in_column(&input.name)
        .advise(format!("it is {} in training", described(&input.kind)))
}

/// A kind with its first levels.
fn described(kind: &Kind) -> String {
    let levels = kind.levels();
    let shown = levels.iter().take(SHOWN).map(|level| format!("{level:?}")).collect::<Vec<_>>().join(", ");
    match levels.len() {
        0 if kind.is_coded() && *kind != Kind::Flag => format!("{} without levels", kind.name()),
        0 => kind.name().to_owned(),
        n if n > SHOWN => format!("{} with the levels {shown} and {} more", kind.name(), n - SHOWN),
        _ => format!("{} with the levels {shown}", kind.name()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::Levels;
    use crate::target::Target;

    const STRICT: AlignOptions =
        AlignOptions { unknown_levels: Unmatched::Refuse, missing_columns: Unmatched::Refuse };
    const LENIENT: AlignOptions =
        AlignOptions { unknown_levels: Unmatched::Missing, missing_columns: Unmatched::Missing };

    fn categorical(levels: &[&str]) -> Kind {
        Kind::Categorical(Levels::met(levels.iter().copied()))
    }

    fn column(name: &str, kind: Kind, values: Values) -> Column {
        Column::new(name, kind, values).expect("a column")
    }

    fn one_column(kind: Kind, values: Values) -> Dataset {
        Dataset::new(vec![column("x", kind, values)]).expect("a data set")
    }

    /// Codes of levels, aligned to other levels.
    fn check(from: Kind, codes: Vec<u32>, to: Kind, expected: &[u32]) {
        let inputs = [Input { name: "x".into(), kind: to.clone() }];
        let dataset = one_column(from, Values::Codes(codes));
        let aligned = dataset.aligned_to(&inputs, &LENIENT).expect("codes on both sides").dataset;
        assert_eq!(aligned.columns()[0], column("x", to, Values::Codes(expected.to_vec())));
        assert_eq!(dataset.into_aligned(&inputs, &LENIENT).expect("codes on both sides").dataset, aligned);
        aligned.check_aligned(&inputs).expect("aligned now");
    }

    #[test]
    fn levels_are_matched_by_name() {
        let abc = || categorical(&["a", "b", "c"]);
        check(abc(), vec![0, 1, 2, MISSING], abc(), &[0, 1, 2, MISSING]);
        check(categorical(&["c", "a", "b"]), vec![0, 1, 2, MISSING], abc(), &[2, 0, 1, MISSING]);
        check(categorical(&["b", "c", "d"]), vec![0, 1, 2], abc(), &[1, 2, MISSING]);
        check(categorical(&["b"]), vec![0, 0], Kind::Ordered(Levels::declared(["b", "a"])), &[0, 0]);
        check(categorical(&["yes", "no", "what"]), vec![0, 1, 2], Kind::Flag, &[1, 0, MISSING]);
        check(Kind::Flag, vec![1, 0], categorical(&["no", "unknown", "yes"]), &[2, 0]);
    }

    #[test]
    fn what_has_no_counterpart_is_told_or_refused() {
        let dataset = one_column(categorical(&["a", "d", "e"]), Values::Codes(vec![0, 2, 1, 2]));
        let inputs = [
            Input { name: "y".into(), kind: Kind::Numeric },
            Input { name: "x".into(), kind: categorical(&["a", "b"]) },
        ];
        let aligned = dataset.aligned_to(&inputs, &LENIENT).expect("aligned");
        let expected = UnknownLevels { column: "x".into(), n_rows: 3, first_row: 1, first_level: "e".into() };
        assert_eq!((aligned.unknown_levels, aligned.missing_columns), (vec![expected], vec!["y".to_owned()]));
        assert_eq!(aligned.dataset.column("y").map(|column| column.values().n_missing()), Some(4));
        let error = dataset.aligned_to(&inputs[1..], &STRICT).expect_err("an unknown level");
        assert_eq!(error.kind(), ErrorKind::UnknownValue);
        assert!(error.to_string().starts_with("column \"x\": row 2: \"e\" is a level that"), "{error}");
        let error = dataset.aligned_to(&inputs, &AlignOptions::default()).expect_err("no column");
        assert_eq!(error.kind(), ErrorKind::UnknownColumn);
    }

    #[test]
    fn a_level_that_no_row_has_is_no_reason_to_refuse() {
        let dataset = one_column(categorical(&["b", "new"]), Values::Codes(vec![0, 0]));
        let inputs = [Input { name: "x".into(), kind: categorical(&["a", "b"]) }];
        let aligned = dataset.aligned_to(&inputs, &STRICT).expect("only known levels");
        assert_eq!(aligned.dataset.columns()[0].values(), &Values::Codes(vec![1, 1]));
    }

    #[test]
    fn other_columns_go_and_classes_and_weights_stay() {
        let columns = vec![
            column("x", Kind::Numeric, Values::Numbers(vec![1.0, 2.0])),
            column("extra", Kind::Flag, Values::Codes(vec![0, 1])),
        ];
        let target = Target::new("fraud", ["no", "yes"], vec![0, 1]).expect("a target");
        let dataset = Dataset::new(columns).and_then(|data| data.with_target(target));
        let dataset = dataset.and_then(|data| data.with_weights(vec![1.0, 2.0])).expect("a data set");
        let aligned = dataset.aligned_to(&dataset.inputs()[..1], &STRICT).expect("aligned").dataset;
        assert_eq!(aligned.columns(), &dataset.columns()[..1]);
        assert_eq!((aligned.target(), aligned.weights()), (dataset.target(), dataset.weights()));
        let moved = dataset.clone().into_aligned(&dataset.inputs()[..1], &STRICT).expect("aligned");
        assert_eq!(moved.dataset, aligned);
        let none = dataset.aligned_to(&[], &STRICT).expect("no column").dataset;
        assert_eq!((none.n_rows(), none.columns().len()), (2, 0));
    }

    #[test]
    fn numbers_are_no_levels() {
        let pairs = [
            (Kind::Numeric, Values::Numbers(vec![1.0]), categorical(&["1"])),
            (categorical(&["1"]), Values::Codes(vec![0]), Kind::Numeric),
            (Kind::Flag, Values::Codes(vec![0]), Kind::Numeric),
            (Kind::Numeric, Values::Numbers(vec![1.0]), Kind::Flag),
        ];
        for (from, values, to) in pairs {
            let dataset = one_column(from, values);
            let inputs = [Input { name: "x".into(), kind: to }];
            for error in [
                dataset.aligned_to(&inputs, &LENIENT).expect_err("another kind"),
                dataset.check_aligned(&inputs).expect_err("another kind"),
            ] {
                assert_eq!(error.kind(), ErrorKind::Unaligned);
                assert!(error.to_string().starts_with("column \"x\": it is "), "{error}");
            }
        }
    }
}
