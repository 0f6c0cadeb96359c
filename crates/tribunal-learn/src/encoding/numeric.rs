//! Columns as numbers, for learners that compute: levels as indicators, bins and ranks as their position, what is
//! missing filled in, everything on a common scale.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::column::{Column, MISSING, Values};
use crate::dataset::Dataset;
use crate::encoding::{Bins, Matrix, Scale, Shown, stand_in};
use crate::error::{Error, ErrorKind};
use crate::kind::Kind;
use crate::model::Input;
use crate::names::FeatureName;

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
    /// They stay NaN, for learners that know what to do with them.
    Keep,
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
/// training rows show, but the first; of more than 256 levels the rarest share one indicator. A category that training rows
/// do not show is treated as missing. Means, deviations and what is commonest are those of weighted rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NumericEncoder {
    columns: Vec<ColumnEncoder>,
    n_imputed: usize,
    missing: Missing,
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
    Code { seen: Vec<Seen>, stand_in: Option<u32> },
}

/// What the training rows show of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Seen {
    Never,
    /// It shares an indicator with all others that are rare.
    Rarely,
    Often,
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

/// The values of some rows, none missing unless they are kept; codes and bins as numbers.
struct Filled {
    values: Vec<f64>,
    was_missing: Vec<bool>,
}

/// No dense matrix of learners is wider.
const MOST_FEATURES: usize = 20_000;

/// Below this a column is encoded sooner than a thread is woken.
const MANY_ROWS: usize = 16_384;

/// So many levels of a category have indicators of their own.
pub(super) const MOST_LEVELS: usize = 256;

impl NumericEncoder {
    /// Learns from the training rows of a data set.
    ///
    /// # Errors
    /// Missing values where they are refused, negative lags, more levels than a matrix can have columns.
    pub fn fit(dataset: &Dataset, rows: &[u32], options: &NumericOptions) -> Result<Self, Error> {
        let columns: Vec<&Column> = dataset.columns().iter().collect();
        let fitted =
            side_by_side(columns, rows.len(), |column| ColumnEncoder::fit(column, dataset, rows, options))?;
        let (columns, n_imputed): (Vec<ColumnEncoder>, Vec<usize>) = fitted.into_iter().unzip();
        let encoder =
            NumericEncoder { columns, n_imputed: n_imputed.into_iter().sum(), missing: options.missing };
        match encoder.n_features() {
            n if n > MOST_FEATURES => Err(too_wide(n)),
            _ => Ok(encoder),
        }
    }

    /// Rows of a data set as numbers, in the order of [`feature_names`](Self::feature_names). Codes must mean the levels that
    /// they meant in training: an encoder remembers how many there were, [`Dataset::check_aligned`] compares their names.
    ///
    /// # Errors
    /// A column is not there or of another kind; a missing value where they are refused.
    pub fn encode(&self, dataset: &Dataset, rows: &[u32]) -> Result<Matrix, Error> {
        require_matrix(rows.len(), self.n_features())?;
        let mut values = vec![0.0; rows.len() * self.n_features()];
        let show = |(encoder, to): (&ColumnEncoder, &mut [f64])| {
            let filled = encoder.filler.fill(encoder.column(dataset)?, rows, self.missing)?;
            let places = to.chunks_exact_mut(rows.len().max(1));
            encoder.features.iter().zip(places).for_each(|(feature, to)| feature.show(&filled, to));
            Ok(())
        };
        side_by_side(self.places(&mut values, rows.len()), rows.len(), show)?;
        Ok(Matrix::new(rows.len(), self.n_features(), values))
    }

    /// Each column with the place of its features in a matrix of so many rows.
    fn places<'a>(&self, values: &'a mut [f64], n_rows: usize) -> Vec<(&ColumnEncoder, &'a mut [f64])> {
        let mut left = values;
        let mut place = |encoder: &ColumnEncoder| {
            let (own, others) = std::mem::take(&mut left).split_at_mut(n_rows * encoder.features.len());
            left = others;
            own
        };
        self.columns.iter().map(|encoder| (encoder, place(encoder))).collect()
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

    /// How many columns the matrix has; `None` if these are the encodings of other columns than those of a model, or none
    /// that were learned.
    pub(crate) fn checked_width(&self, inputs: &[Input]) -> Option<usize> {
        let is_sound = self.columns.len() == inputs.len()
            && self.columns.iter().zip(inputs).all(|(encoder, input)| encoder.fits(input))
            && self.n_features() <= MOST_FEATURES;
        is_sound.then(|| self.n_features())
    }

    /// Whether this is what it does about missing values.
    pub(crate) fn treats_missing_as(&self, missing: Missing) -> bool {
        self.missing == missing
    }

    /// The columns of a row as people read them.
    pub(crate) fn shown(&self, dataset: &Dataset, row: u32) -> Result<Vec<Shown>, Error> {
        let shown = |encoder: &ColumnEncoder| match (&encoder.filler, encoder.column(dataset)?.values()) {
            (Filler::Bin { bins, .. }, Values::Numbers(numbers)) => {
                Ok(Shown::code(bins.bin(numbers[row as usize])?))
            }
            (_, Values::Numbers(numbers)) => Ok(Shown::number(numbers[row as usize])),
            (_, Values::Codes(codes)) => Ok(Shown::code(codes[row as usize])),
        };
        self.columns.iter().map(shown).collect()
    }

    /// The names of the bins of each column, where it has bins.
    pub(crate) fn bin_names(&self) -> impl Iterator<Item = Option<Vec<String>>> + '_ {
        self.columns.iter().map(|column| match &column.filler {
            Filler::Bin { bins, .. } => Some(bins.names()),
            Filler::Number { .. } | Filler::Code { .. } => None,
        })
    }

    /// The columns of the matrix with the columns of the data that they come from.
    pub(crate) fn named_features(&self) -> Vec<FeatureName> {
        let of_column = |(column, encoder): (usize, &ColumnEncoder)| {
            let named =
                |feature: &Feature| FeatureName { name: feature.name.clone(), column, scale: feature.scale };
            encoder.features.iter().map(named).collect::<Vec<_>>()
        };
        self.columns.iter().enumerate().flat_map(of_column).collect()
    }

    fn features(&self) -> impl Iterator<Item = &Feature> {
        self.columns.iter().flat_map(|column| &column.features)
    }

    fn n_features(&self) -> usize {
        self.columns.iter().map(|column| column.features.len()).sum()
    }
}

/// Refuses a matrix that there is no memory for.
fn require_matrix(n_rows: usize, n_features: usize) -> Result<(), Error> {
    let bytes_of_row = (n_features * size_of::<f64>()) as u64;
    tribunal_memory::require(bytes_of_row.saturating_mul(n_rows as u64)).map_err(|shortage| {
        let most = shortage.available.bytes / bytes_of_row.max(1);
        let problem = format!("a matrix of {n_rows} rows and {n_features} columns: {shortage}; {most} rows fit");
        Error::new(ErrorKind::TooLarge, problem).advise(
            "train on a sample of the rows, leave columns of many levels out, or take a learner that counts levels (nb, tan, \
             c45)",
        )
    })
}

/// Does something for every column, on all cores where there are many rows. Of several errors the first is told.
fn side_by_side<T: Send, U: Send>(
    columns: Vec<T>,
    n_rows: usize,
    make: impl Fn(T) -> Result<U, Error> + Send + Sync,
) -> Result<Vec<U>, Error> {
    match n_rows < MANY_ROWS {
        true => columns.into_iter().map(make).collect(),
        false => columns.into_par_iter().map(make).collect::<Vec<_>>().into_iter().collect(),
    }
}

impl ColumnEncoder {
    /// Learns from the training rows of a column; also tells how many cells were missing.
    fn fit(
        column: &Column,
        dataset: &Dataset,
        rows: &[u32],
        options: &NumericOptions,
    ) -> Result<(Self, usize), Error> {
        let filler = Filler::fit(column, rows, dataset, options.missing)?;
        let filled = filler.fill(column, rows, options.missing)?;
        let mut features = features_of(column, &filler);
        if options.missing == Missing::ImputeAndMark && filled.n_missing() > 0 {
            let name = format!("{} is missing", column.name());
            features.push(Feature { name, view: View::IsMissing, scale: Scale::UNIT });
        }
        match options.scaling {
            Scaling::Off => {}
            Scaling::Strict => scale_features(&mut features, &filled, dataset, rows),
            Scaling::Paper => {
                let all: Vec<u32> = (0..dataset.n_rows() as u32).collect();
                let filled = filler.fill(column, &all, options.missing)?;
                scale_features(&mut features, &filled, dataset, &all);
            }
        }
        Ok((ColumnEncoder { name: column.name().into(), filler, features }, filled.n_missing()))
    }

    /// Whether it can be the encoding of a column of a model.
    fn fits(&self, input: &Input) -> bool {
        let n_values = match (&self.filler, &input.kind) {
            (Filler::Number { stand_in }, Kind::Numeric) if stand_in.is_none_or(f64::is_finite) => 0,
            (Filler::Bin { bins, stand_in }, Kind::Binned(_))
                if bins.is_sound() && stand_in.is_none_or(|bin| (bin as usize) < bins.n_bins()) =>
            {
                bins.n_bins()
            }
            // Levels that are rare share a code behind all others.
            (Filler::Code { seen, stand_in }, kind)
                if kind.is_coded()
                    && seen.len() == kind.n_codes()
                    && stand_in.is_none_or(|code| code as usize <= seen.len()) =>
            {
                seen.len()
            }
            _ => return false,
        };
        let is_feature = |feature: &Feature| {
            let is_shown = match feature.view {
                View::IsLevel(code) => code as usize <= n_values,
                View::Value | View::Position | View::IsMissing => true,
            };
            is_shown && feature.scale.is_sound()
        };
        self.name == input.name && self.features.iter().all(is_feature)
    }

    /// The column of a data set that this one is about.
    fn column<'a>(&self, dataset: &'a Dataset) -> Result<&'a Column, Error> {
        dataset.column(&self.name).ok_or_else(|| {
            Error::new(ErrorKind::UnknownColumn, format!("there is no column {:?}", self.name))
                .advise("the model was trained with it; supply it, empty if it is not known")
        })
    }
}

fn features_of(column: &Column, filler: &Filler) -> Vec<Feature> {
    let feature = |name: String, view: View| Feature { name, view, scale: Scale::UNIT };
    match (column.kind(), filler) {
        (Kind::Categorical(levels), Filler::Code { seen, .. }) => {
            let often = (0..).zip(&levels.names).filter(|(code, _)| seen[*code as usize] == Seen::Often);
            let rare = seen.contains(&Seen::Rarely).then_some((seen.len() as u32, "another level"));
            let levels = often.map(|(code, level)| (code, level.as_str())).chain(rare).skip(1);
            let indicator = |(code, level): (u32, &str)| {
                feature(format!("{} = {level}", column.name()), View::IsLevel(code))
            };
            levels.map(indicator).collect()
        }
        (Kind::Flag | Kind::Numeric, _) => vec![feature(column.name().into(), View::Value)],
        (Kind::Ordered(_) | Kind::Binned(_) | Kind::Categorical(_), _) => {
            vec![feature(column.name().into(), View::Position)]
        }
    }
}

/// Gives features the scale of what they show of some rows.
fn scale_features(features: &mut [Feature], filled: &Filled, dataset: &Dataset, rows: &[u32]) {
    let weight = |&row: &u32| dataset.weights().map_or(1.0, |weights| weights[row as usize]);
    for feature in features {
        // What is shown before there is a scale is what the scale is made of.
        let mut shown = vec![0.0; rows.len()];
        feature.show(filled, &mut shown);
        feature.scale = Scale::fit_weighted(shown.iter().copied().zip(rows.iter().map(weight)));
    }
}

/// What rows show of levels with these weights. Only the commonest have a place of their own; the first of equals.
fn seen_levels(weights: &[f64]) -> Vec<Seen> {
    let mut shown: Vec<usize> = (0..weights.len()).filter(|&code| weights[code] > 0.0).collect();
    shown.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]));
    let mut seen = vec![Seen::Never; weights.len()];
    for (rank, code) in shown.into_iter().enumerate() {
        seen[code] = if rank < MOST_LEVELS { Seen::Often } else { Seen::Rarely };
    }
    seen
}

impl Filler {
    fn fit(column: &Column, rows: &[u32], dataset: &Dataset, missing: Missing) -> Result<Self, Error> {
        let imputes = matches!(missing, Missing::Impute | Missing::ImputeAndMark);
        let weight = |row: u32| dataset.weights().map_or(1.0, |weights| weights[row as usize]);
        match (column.values(), column.kind()) {
            (Values::Codes(codes), kind) => {
                let taken = rows.iter().map(|&row| (codes[row as usize], weight(row)));
                let weights = stand_in::weigh(taken, column.n_codes());
                // An ordered level has its place whether it was met or not; an indicator has no coefficient.
                let seen = match kind {
                    Kind::Categorical(_) => seen_levels(&weights),
                    _ => vec![Seen::Often; weights.len()],
                };
                Ok(Filler::Code { seen, stand_in: imputes.then(|| stand_in::mode(&weights)) })
            }
            (Values::Numbers(numbers), Kind::Binned(rule)) => {
                let bins = Bins::fit_rows(rule, numbers, rows, dataset)?;
                let binned = bins.bin_all(rows.iter().map(|&row| numbers[row as usize]), column.name())?;
                let weights = binned.into_iter().zip(rows.iter().map(|&row| weight(row)));
                let mode = || stand_in::mode(&stand_in::weigh(weights, bins.n_bins()));
                let stand_in = imputes.then(mode);
                Ok(Filler::Bin { bins, stand_in })
            }
            (Values::Numbers(numbers), _) => {
                let mean = || stand_in::mean(rows.iter().map(|&row| (numbers[row as usize], weight(row))));
                Ok(Filler::Number { stand_in: imputes.then(mean) })
            }
        }
    }

    fn fill(&self, column: &Column, rows: &[u32], missing: Missing) -> Result<Filled, Error> {
        let (raw, stand_in): (Vec<f64>, Option<f64>) = match (self, column.values()) {
            (Filler::Number { stand_in }, Values::Numbers(numbers)) => {
                (rows.iter().map(|&row| numbers[row as usize]).collect(), *stand_in)
            }
            (Filler::Bin { bins, stand_in }, Values::Numbers(numbers)) => {
                let taken = rows.iter().map(|&row| numbers[row as usize]);
                (as_numbers(bins.bin_all(taken, column.name())?), stand_in.map(f64::from))
            }
            (Filler::Code { seen, stand_in }, Values::Codes(codes)) if seen.len() == column.n_codes() => {
                let known = |code: u32| match seen.get(code as usize) {
                    Some(Seen::Often) => code,
                    Some(Seen::Rarely) => seen.len() as u32,
                    Some(Seen::Never) | None => MISSING,
                };
                let taken = rows.iter().map(|&row| known(codes[row as usize]));
                (as_numbers(taken.collect()), stand_in.map(f64::from))
            }
            _ => return Err(column.changed_kind()),
        };
        match missing {
            Missing::Keep => Ok(Filled { was_missing: vec![false; raw.len()], values: raw }),
            _ => Filled::new(raw, stand_in, column, rows),
        }
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
    /// Writes what it shows of values.
    fn show(&self, filled: &Filled, to: &mut [f64]) {
        let scaled = |value: f64| self.scale.apply(value);
        let indicator = |is_so: bool| scaled(f64::from(u8::from(is_so)));
        match self.view {
            View::Value => write(to, filled.values.iter().map(|&value| scaled(value))),
            View::Position => write(to, filled.values.iter().map(|&value| scaled(value + 1.0))),
            View::IsLevel(code) => {
                let is_level =
                    |&value: &f64| if value.is_nan() { value } else { indicator(value == f64::from(code)) };
                write(to, filled.values.iter().map(is_level));
            }
            View::IsMissing => write(to, filled.was_missing.iter().map(|&missing| indicator(missing))),
        }
    }
}

fn write(to: &mut [f64], values: impl Iterator<Item = f64>) {
    to.iter_mut().zip(values).for_each(|(to, value)| *to = value);
}

fn too_wide(n_features: usize) -> Error {
    let problem = format!("the columns would take {n_features} numbers a row, more than {MOST_FEATURES}");
    Error::new(ErrorKind::TooWide, problem)
        .advise("leave columns out, or choose a learner that counts levels (nb, c45)")
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
    fn the_rarest_of_many_levels_share_an_indicator() {
        let levels = Kind::Categorical(Levels::met((0..300).map(|level| level.to_string())));
        // The first hundred levels once, all others twice.
        let codes: Vec<u32> = (0..300).chain(100..300).collect();
        let dataset = Dataset::new(vec![column("id", levels, Values::Codes(codes))]).expect("a column");
        let rows: Vec<u32> = (0..500).collect();
        let options = NumericOptions { scaling: Scaling::Off, ..NumericOptions::default() };
        let encoder = NumericEncoder::fit(&dataset, &rows, &options).expect("fitted");
        let names: Vec<&str> = encoder.feature_names().collect();
        assert_eq!(
            (names.len(), names[0], names[254], names[255]),
            (256, "id = 1", "id = 299", "id = another level")
        );
        let matrix = encoder.encode(&dataset, &[0, 55, 56, 99]).expect("encoded");
        assert_eq!(matrix.column(255), [0.0, 0.0, 1.0, 1.0]);
    }

    #[test]
    fn a_matrix_has_bounds() {
        let flag = |idx: usize| column(&idx.to_string(), Kind::Flag, Values::Codes(vec![0, 1]));
        let dataset = Dataset::new((0..=MOST_FEATURES).map(flag).collect()).expect("wide");
        let error = NumericEncoder::fit(&dataset, &[0, 1], &NumericOptions::default()).expect_err("too wide");
        assert!(error.to_string().contains("would take 20001 numbers a row"), "{error}");
    }

    #[test]
    fn weights_count_as_repetitions() {
        let weighted = all_kinds().with_weights(vec![2.0, 0.0, 1.0, 3.0]).expect("weights");
        let repeated = all_kinds().take(&[0, 0, 2, 3, 3, 3]);
        let options = NumericOptions::default();
        let encoded = |dataset: &Dataset, rows: &[u32]| {
            let encoder = NumericEncoder::fit(dataset, rows, &options).expect("fitted");
            encoder.encode(&all_kinds(), &[0, 1, 2, 3]).expect("encoded")
        };
        let (found, expected) = (encoded(&weighted, &[0, 2, 3]), encoded(&repeated, &[0, 1, 2, 3, 4, 5]));
        for (found, expected) in found.values().iter().zip(expected.values()) {
            assert!((found - expected).abs() < 1e-12, "{found} is not {expected}");
        }
    }

    #[test]
    fn what_is_missing_may_stay_so() {
        let options = NumericOptions { missing: Missing::Keep, scaling: Scaling::Off };
        let (names, columns) = encoded(options, &[0, 1, 2, 3], &[1, 2]);
        assert_eq!(names.len(), 6);
        assert!(columns[1][1].is_nan() && columns[2][1].is_nan() && columns[5][0].is_nan());
        assert_eq!((columns[2][0], columns[5][1]), (1.0, 3.0));
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
