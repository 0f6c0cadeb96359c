//! Columns as numbers, for learners that compute: levels as indicators, bins and ranks as their position, what is
//! missing filled in, everything on a common scale.

use serde::{Deserialize, Serialize};

use crate::column::{Column, MISSING, Values};
use crate::dataset::Dataset;
use crate::encoding::{Bins, Matrix, Scale, stand_in};
use crate::error::{Error, ErrorKind};
use crate::kind::Kind;

/// How columns become numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NumericOptions {
    /// What to do about missing values.
    pub missing: Missing,
    /// Which rows set the scale.
    pub scaling: Scaling,
}

/// What to do about missing values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Missing {
    /// The mean of numbers, the commonest of levels and bins, both of the training rows.
    #[default]
    Impute,
    /// The same, and a column beside it that says where.
    ImputeAndMark,
    /// They are an error.
    Refuse,
}

/// Which rows set the scale.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scaling {
    /// The training rows.
    #[default]
    Strict,
    /// All rows, as Viaene et al. (2002) did: test rows have a small say in what is learned.
    Paper,
    /// None: numbers stay as they are.
    Off,
}

/// Columns as numbers, as learned on training rows.
///
/// A flag is 0 or 1, an ordered level and a bin its position from 1, a category one indicator for each level that the
/// training rows show, but the first. A level that they do not show is treated as missing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NumericEncoder {
    columns: Vec<ColumnEncoder>,
    n_imputed: usize,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct ColumnEncoder {
    name: String,
    filler: Filler,
    features: Vec<Feature>,
}

/// What a value counts as, and what stands in for a missing one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Filler {
    Number { stand_in: Option<f64> },
    Bin { bins: Bins, stand_in: Option<u32> },
    Code { is_seen: Vec<bool>, stand_in: Option<u32> },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Feature {
    name: String,
    view: View,
    scale: Scale,
}

/// What of a filled value is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum View {
    Value,
    Position,
    IsLevel(u32),
    IsMissing,
}

/// The values of some rows, none missing any more; codes and bins as numbers.
struct Filled {
    values: Vec<f64>,
    was_missing: Vec<bool>,
}

/// No dense matrix of learners is wider.
const MOST_FEATURES: usize = 20_000;

impl NumericEncoder {
    /// Learns from the training rows of a data set.
    ///
    /// # Errors
    /// Missing values where they are refused, negative lags, more levels than a matrix can have columns.
    pub fn fit(dataset: &Dataset, rows: &[u32], options: &NumericOptions) -> Result<Self, Error> {
        let mut encoder = NumericEncoder { columns: Vec::new(), n_imputed: 0 };
        for column in dataset.columns() {
            let filler = Filler::fit(column, rows, dataset, options.missing)?;
            let filled = filler.fill(column, rows)?;
            encoder.n_imputed += filled.n_missing();
            let mut features = features_of(column, &filler);
            if options.missing == Missing::ImputeAndMark && filled.n_missing() > 0 {
                let name = format!("{} is missing", column.name());
                features.push(Feature { name, view: View::IsMissing, scale: Scale::UNIT });
            }
            scale_features(&mut features, column, &filler, filled, options.scaling)?;
            encoder.columns.push(ColumnEncoder { name: column.name().into(), filler, features });
        }
        match encoder.n_features() {
            n if n > MOST_FEATURES => Err(too_wide(&encoder)),
            _ => Ok(encoder),
        }
    }

    /// Rows of a data set as numbers, in the order of [`feature_names`](Self::feature_names).
    ///
    /// # Errors
    /// A column is not there or of another kind; a missing value where they are refused.
    pub fn encode(&self, dataset: &Dataset, rows: &[u32]) -> Result<Matrix, Error> {
        let mut columns = Vec::with_capacity(self.n_features());
        for encoder in &self.columns {
            let column = dataset.column(&encoder.name).ok_or_else(|| {
                Error::new(ErrorKind::UnknownColumn, format!("there is no column {:?}", encoder.name))
                    .advise("the model was trained with it; supply it, empty if it is not known")
            })?;
            let filled = encoder.filler.fill(column, rows)?;
            columns.extend(encoder.features.iter().map(|feature| feature.show(&filled)));
        }
        Ok(Matrix::from_columns(rows.len(), columns))
    }

    /// The names of the columns of the matrix.
    pub fn feature_names(&self) -> impl Iterator<Item = &str> {
        self.features().map(|feature| feature.name.as_str())
    }

    /// The features that are the same in all rows that set the scale; they are zero.
    pub fn constant_features(&self) -> impl Iterator<Item = &str> {
        self.features().filter(|feature| feature.scale.is_constant()).map(|feature| feature.name.as_str())
    }

    /// How many cells of the training rows were missing and filled in.
    pub fn imputed_cells(&self) -> usize {
        self.n_imputed
    }

    fn features(&self) -> impl Iterator<Item = &Feature> {
        self.columns.iter().flat_map(|column| &column.features)
    }

    fn n_features(&self) -> usize {
        self.columns.iter().map(|column| column.features.len()).sum()
    }
}

fn features_of(column: &Column, filler: &Filler) -> Vec<Feature> {
    let feature = |name: String, view: View| Feature { name, view, scale: Scale::UNIT };
    match (column.kind(), filler) {
        (Kind::Categorical(levels), Filler::Code { is_seen, .. }) => {
            let seen = levels.names.iter().zip(0..).zip(is_seen).filter(|(_, is_seen)| **is_seen).skip(1);
            let indicator = |((level, code), _): ((&String, u32), &bool)| {
                feature(format!("{} = {level}", column.name()), View::IsLevel(code))
            };
            seen.map(indicator).collect()
        }
        (Kind::Flag | Kind::Numeric, _) => vec![feature(column.name().into(), View::Value)],
        (Kind::Ordered(_) | Kind::Binned(_) | Kind::Categorical(_), _) => {
            vec![feature(column.name().into(), View::Position)]
        }
    }
}

fn scale_features(
    features: &mut [Feature],
    column: &Column,
    filler: &Filler,
    training: Filled,
    scaling: Scaling,
) -> Result<(), Error> {
    let filled = match scaling {
        Scaling::Off => return Ok(()),
        Scaling::Strict => training,
        Scaling::Paper => {
            let all: Vec<u32> = (0..column.values().len() as u32).collect();
            filler.fill(column, &all)?
        }
    };
    for feature in features {
        // What is shown before there is a scale is what the scale is made of.
        feature.scale = Scale::fit(feature.show(&filled).iter().copied());
    }
    Ok(())
}

impl Filler {
    fn fit(column: &Column, rows: &[u32], dataset: &Dataset, missing: Missing) -> Result<Self, Error> {
        let imputes = missing != Missing::Refuse;
        match (column.values(), column.kind()) {
            (Values::Codes(codes), _) => {
                let taken = || rows.iter().map(|&row| codes[row as usize]);
                let mut is_seen = vec![false; column.n_codes()];
                taken().filter(|&code| code != MISSING).for_each(|code| is_seen[code as usize] = true);
                let stand_in = imputes.then(|| stand_in::mode(taken(), column.n_codes()));
                Ok(Filler::Code { is_seen, stand_in })
            }
            (Values::Numbers(numbers), Kind::Binned(rule)) => {
                let taken = rows.iter().map(|&row| numbers[row as usize]);
                let bins = Bins::fit_rows(rule, numbers, rows, dataset)?;
                let binned = bins.bin_all(taken, column.name())?;
                let stand_in = imputes.then(|| stand_in::mode(binned.into_iter(), bins.n_bins()));
                Ok(Filler::Bin { bins, stand_in })
            }
            (Values::Numbers(numbers), _) => {
                let mean = || stand_in::mean(rows.iter().map(|&row| numbers[row as usize]));
                Ok(Filler::Number { stand_in: imputes.then(mean) })
            }
        }
    }

    fn fill(&self, column: &Column, rows: &[u32]) -> Result<Filled, Error> {
        let (raw, stand_in): (Vec<f64>, Option<f64>) = match (self, column.values()) {
            (Filler::Number { stand_in }, Values::Numbers(numbers)) => {
                (rows.iter().map(|&row| numbers[row as usize]).collect(), *stand_in)
            }
            (Filler::Bin { bins, stand_in }, Values::Numbers(numbers)) => {
                let taken = rows.iter().map(|&row| numbers[row as usize]);
                (as_numbers(bins.bin_all(taken, column.name())?), stand_in.map(f64::from))
            }
            (Filler::Code { is_seen, stand_in }, Values::Codes(codes))
                if is_seen.len() == column.n_codes() =>
            {
                let known =
                    |code: u32| if is_seen.get(code as usize) == Some(&true) { code } else { MISSING };
                let taken = rows.iter().map(|&row| known(codes[row as usize]));
                (as_numbers(taken.collect()), stand_in.map(f64::from))
            }
            _ => return Err(column.changed_kind()),
        };
        Filled::new(raw, stand_in, column, rows)
    }
}

fn as_numbers(codes: Vec<u32>) -> Vec<f64> {
    codes.into_iter().map(|code| if code == MISSING { f64::NAN } else { f64::from(code) }).collect()
}

impl Filled {
    fn new(
        mut values: Vec<f64>,
        stand_in: Option<f64>,
        column: &Column,
        rows: &[u32],
    ) -> Result<Self, Error> {
        let was_missing: Vec<bool> = values.iter().map(|value| value.is_nan()).collect();
        if let Some(idx) = was_missing.iter().position(|&missing| missing) {
            let stand_in = stand_in.ok_or_else(|| {
                let problem = format!("column {:?}: row {} is missing", column.name(), rows[idx] + 1);
                Error::new(ErrorKind::Missing, problem)
                    .advise("allow the mean or the commonest value to stand in")
            })?;
            values.iter_mut().filter(|value| value.is_nan()).for_each(|value| *value = stand_in);
        }
        Ok(Filled { values, was_missing })
    }

    fn n_missing(&self) -> usize {
        self.was_missing.iter().filter(|&&missing| missing).count()
    }
}

impl Feature {
    fn show(&self, filled: &Filled) -> Vec<f64> {
        let scaled = |value: f64| self.scale.apply(value);
        let indicator = |is_so: bool| scaled(f64::from(u8::from(is_so)));
        match self.view {
            View::Value => filled.values.iter().map(|&value| scaled(value)).collect(),
            View::Position => filled.values.iter().map(|&value| scaled(value + 1.0)).collect(),
            View::IsLevel(code) => {
                filled.values.iter().map(|&value| indicator(value == f64::from(code))).collect()
            }
            View::IsMissing => filled.was_missing.iter().map(|&missing| indicator(missing)).collect(),
        }
    }
}

fn too_wide(encoder: &NumericEncoder) -> Error {
    let widest = encoder.columns.iter().max_by_key(|column| column.features.len());
    let (name, n) = widest.map_or(("", 0), |column| (column.name.as_str(), column.features.len()));
    let problem = format!("column {name:?} alone would take {n} indicators");
    Error::new(ErrorKind::TooWide, problem)
        .advise("group its levels, leave it out, or choose a learner that counts levels (nb, tan, c4.5)")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::{BinRule, Levels};

    fn column(name: &str, kind: Kind, values: Values) -> Column {
        Column::new(name, kind, values).expect("a column")
    }

    fn all_kinds() -> Dataset {
        let colour = Kind::Categorical(Levels::met(["blue", "green", "red"]));
        let size = Kind::Ordered(Levels::met(["s", "m", "l"]));
        let lag = Kind::Binned(BinRule::WholeUnits(vec![7.0, 15.0]));
        Dataset::new(vec![
            column("flag", Kind::Flag, Values::Codes(vec![0, 1, 1, 0])),
            column("colour", colour, Values::Codes(vec![0, 2, MISSING, 1])),
            column("size", size, Values::Codes(vec![2, 0, 0, 1])),
            column("lag", lag, Values::Numbers(vec![7.4, 8.0, f64::NAN, 99.0])),
            column("x", Kind::Numeric, Values::Numbers(vec![1.0, f64::NAN, 3.0, 5.0])),
        ])
        .expect("a data set")
    }

    fn encoded(options: NumericOptions, training: &[u32], rows: &[u32]) -> (Vec<String>, Vec<Vec<f64>>) {
        let encoder = NumericEncoder::fit(&all_kinds(), training, &options).expect("fitted");
        let matrix = encoder.encode(&all_kinds(), rows).expect("encoded");
        let names = encoder.feature_names().map(str::to_owned).collect();
        (names, (0..matrix.n_columns()).map(|idx| matrix.column(idx).to_vec()).collect())
    }

    #[test]
    fn each_kind_becomes_its_numbers() {
        let options = NumericOptions { scaling: Scaling::Off, ..NumericOptions::default() };
        let (names, columns) = encoded(options, &[0, 1, 2, 3], &[0, 1, 2, 3]);
        assert_eq!(names, ["flag", "colour = green", "colour = red", "size", "lag", "x"]);
        assert_eq!(columns[0], [0.0, 1.0, 1.0, 0.0]);
        assert_eq!(columns[1], [0.0, 0.0, 0.0, 1.0]);
        assert_eq!(columns[2], [0.0, 1.0, 0.0, 0.0]);
        assert_eq!(columns[3], [3.0, 1.0, 1.0, 2.0]);
        assert_eq!(columns[4], [1.0, 2.0, 1.0, 3.0]);
        assert_eq!(columns[5], [1.0, 3.0, 3.0, 5.0]);
    }

    #[test]
    fn what_training_rows_do_not_show_is_missing() {
        let options = NumericOptions { scaling: Scaling::Off, missing: Missing::ImputeAndMark };
        let (names, columns) = encoded(options, &[0, 1, 2], &[3]);
        assert_eq!(
            names,
            [
                "flag",
                "colour = red",
                "colour is missing",
                "size",
                "lag",
                "lag is missing",
                "x",
                "x is missing"
            ]
        );
        // Green was never seen, so it counts as blue, the lowest of the commonest, and as missing.
        assert_eq!((columns[1][0], columns[2][0]), (0.0, 1.0));
    }

    #[test]
    fn only_training_rows_set_the_scale_unless_the_paper_is_followed() {
        let x =
            |scaling| encoded(NumericOptions { scaling, ..NumericOptions::default() }, &[0, 2], &[3]).1[3][0];
        assert!((x(Scaling::Strict) - 3.0 / 2_f64.sqrt()).abs() < 1e-12);
        let paper = Scale::fit([1.0, 2.0, 3.0, 5.0]).apply(5.0);
        assert!((x(Scaling::Paper) - paper).abs() < 1e-12);
    }

    #[test]
    fn missing_values_can_be_refused() {
        let options = NumericOptions { missing: Missing::Refuse, ..NumericOptions::default() };
        let error = NumericEncoder::fit(&all_kinds(), &[0, 1, 2], &options).expect_err("missing");
        assert_eq!(error.kind(), ErrorKind::Missing);
        assert!(error.to_string().contains("column \"colour\": row 3 is missing"), "{error}");
    }

    #[test]
    fn too_many_levels_are_refused() {
        let n = MOST_FEATURES as u32 + 2;
        let levels = Kind::Categorical(Levels::met((0..n).map(|level| level.to_string())));
        let dataset =
            Dataset::new(vec![column("id", levels, Values::Codes((0..n).collect()))]).expect("wide");
        let rows: Vec<u32> = (0..n).collect();
        let error = NumericEncoder::fit(&dataset, &rows, &NumericOptions::default()).expect_err("too wide");
        assert!(error.to_string().contains("\"id\" alone would take 20001 indicators"), "{error}");
    }

    #[test]
    fn negative_lags_name_their_column() {
        let lag = Kind::Binned(BinRule::WholeUnits(vec![7.0]));
        let dataset = Dataset::new(vec![column("lag", lag, Values::Numbers(vec![-2.0]))]).expect("a column");
        let error = NumericEncoder::fit(&dataset, &[0], &NumericOptions::default()).expect_err("negative");
        assert!(error.to_string().contains("column \"lag\": -2 is negative"), "{error}");
    }

    #[test]
    fn constant_features_are_zero_and_named() {
        let dataset = Dataset::new(vec![column("x", Kind::Numeric, Values::Numbers(vec![2.0, 2.0, 9.0]))]);
        let dataset = dataset.expect("a column");
        let encoder = NumericEncoder::fit(&dataset, &[0, 1], &NumericOptions::default()).expect("fitted");
        assert_eq!(encoder.constant_features().collect::<Vec<_>>(), ["x"]);
        assert_eq!(encoder.encode(&dataset, &[2]).expect("encoded").column(0), [0.0]);
    }
}
