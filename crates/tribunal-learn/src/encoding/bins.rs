//! Bins: inclusive upper bounds, the last bin open.

use serde::{Deserialize, Serialize};

use crate::column::MISSING;
use crate::dataset::Dataset;
use crate::encoding::mdl::Classed;
use crate::encoding::{equal_bins, mdl};
use crate::error::{Error, ErrorKind};
use crate::kind::BinRule;

/// The most bounds that are counted one by one rather than halved.
const FEW_BOUNDS: usize = 16;

/// The bins of a column of numbers.
///
/// ```
/// use tribunal_learn::BinRule;
/// use tribunal_learn::encoding::Bins;
///
/// let bins = Bins::fit(&BinRule::EqualWidth(4), &[0.0, 3.0, 8.0], None)?;
/// assert_eq!(bins.bounds(), [2.0, 4.0, 6.0]);
/// assert_eq!(bins.bin(2.0), Ok(0));
/// assert_eq!(bins.bin(99.0), Ok(3));
/// # Ok::<(), tribunal_learn::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bins {
    bounds: Vec<f64>,
    /// Whether numbers are rounded half up first, and negative ones are errors.
    whole_units: bool,
}

impl Bins {
    /// The bins that a rule makes of the numbers of training rows; missing ones (NaN) are passed over.
    ///
    /// `classes` holds the class of each number; only [`BinRule::Mdl`] looks at it.
    ///
    /// # Errors
    /// [`BinRule::Mdl`] without classes.
    pub fn fit(rule: &BinRule, values: &[f64], classes: Option<&[u32]>) -> Result<Bins, Error> {
        Bins::fit_weighted(rule, values, classes, None)
    }

    /// The same of rows that count differently.
    fn fit_weighted(
        rule: &BinRule,
        values: &[f64],
        classes: Option<&[u32]>,
        weights: Option<&[f64]>,
    ) -> Result<Bins, Error> {
        let weight = |row: usize| weights.map_or(1.0, |weights| weights[row]);
        let bounds = match rule {
            BinRule::WholeUnits(bounds) | BinRule::Edges(bounds) => bounds.clone(),
            BinRule::EqualWidth(n_bins) => equal_bins::equal_width(values, *n_bins),
            BinRule::EqualFrequency(n_bins) => {
                let rows = values.iter().enumerate().map(|(row, &value)| (value, weight(row)));
                equal_bins::equal_frequency(rows.collect(), *n_bins)
            }
            BinRule::Mdl => {
                let classes = classes.ok_or_else(|| {
                    Error::new(
                        ErrorKind::Inconsistent,
                        "bins:mdl looks at the classes, and there is no target",
                    )
                    .advise("name a target, or use bins:frequency:10")
                })?;
                let row = |(row, (&value, &class))| Classed { value, class, weight: weight(row) };
                let rows = values.iter().zip(classes).enumerate().map(row);
                mdl::cut_points(rows.filter(|row| !row.value.is_nan()).collect())
            }
        };
        Ok(Bins { bounds, whole_units: matches!(rule, BinRule::WholeUnits(_)) })
    }

    /// The same from some rows of a column of a data set, with its classes and weights.
    pub(crate) fn fit_rows(
        rule: &BinRule,
        numbers: &[f64],
        rows: &[u32],
        dataset: &Dataset,
    ) -> Result<Bins, Error> {
        let taken: Vec<f64> = rows.iter().map(|&row| numbers[row as usize]).collect();
        let classes =
            dataset.target().map(|target| rows.iter().map(|&row| target.codes()[row as usize]).collect());
        let weights =
            dataset.weights().map(|weights| rows.iter().map(|&row| weights[row as usize]).collect());
        let (classes, weights): (Option<Vec<u32>>, Option<Vec<f64>>) = (classes, weights);
        Bins::fit_weighted(rule, &taken, classes.as_deref(), weights.as_deref())
    }

    /// The bin of each number of a column; [`MISSING`] where there is none.
    pub(crate) fn bin_all(&self, values: impl Iterator<Item = f64>, column: &str) -> Result<Vec<u32>, Error> {
        let mut bins = Vec::with_capacity(values.size_hint().0);
        for value in values {
            bins.push(match value {
                _ if value.is_nan() => MISSING,
                _ if self.refuses(value) => self.bin(value).map_err(|error| error.in_column(column))?,
                _ => self.place(value),
            });
        }
        Ok(bins)
    }

    /// The bins of a rule that lists them; `None` if the rule needs data.
    pub fn given(rule: &BinRule) -> Option<Bins> {
        let is_given = matches!(rule, BinRule::WholeUnits(_) | BinRule::Edges(_));
        is_given.then(|| Bins::fit(rule, &[], None).ok()).flatten()
    }

    /// The inclusive upper bounds of all bins but the last.
    pub fn bounds(&self) -> &[f64] {
        &self.bounds
    }

    /// Whether these can be bins, for a model that was read: finite bounds that never fall.
    pub(crate) fn is_sound(&self) -> bool {
        self.bounds.iter().all(|bound| bound.is_finite()) && self.bounds.is_sorted()
    }

    /// How many bins there are.
    pub fn n_bins(&self) -> usize {
        self.bounds.len() + 1
    }

    /// What each bin holds: `<= 7`, `8 to 15`, `> 15` of whole units; otherwise `7 to 15` is above 7 and up to 15.
    pub fn names(&self) -> Vec<String> {
        let (Some(first), Some(last)) = (self.bounds.first(), self.bounds.last()) else {
            return vec!["any".to_owned()];
        };
        let next = if self.whole_units { 1.0 } else { 0.0 };
        let between = self.bounds.windows(2).map(|pair| format!("{} to {}", pair[0] + next, pair[1]));
        std::iter::once(format!("<= {first}")).chain(between).chain([format!("> {last}")]).collect()
    }

    /// The bin of a number, from 0.
    ///
    /// # Errors
    /// A negative number where bins are whole units, which count days or money.
    pub fn bin(&self, value: f64) -> Result<u32, Error> {
        if self.refuses(value) {
            return Err(Error::new(ErrorKind::Negative, format!("{value} is negative"))
                .advise("lags and amounts are zero or more; leave it empty if it is not known"));
        }
        Ok(self.place(value))
    }

    fn refuses(&self, value: f64) -> bool {
        self.whole_units && value < 0.0
    }

    fn place(&self, value: f64) -> u32 {
        let value = if self.whole_units { (value + 0.5).floor() } else { value };
        match self.bounds.len() <= FEW_BOUNDS {
            true => self.bounds.iter().filter(|&&bound| bound < value).count() as u32,
            false => self.bounds.partition_point(|&bound| bound < value) as u32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_inclusive() {
        let bins = Bins::given(&BinRule::Edges(vec![1.5, 3.0])).expect("given");
        let found = [-9.0, 1.5, 1.500001, 3.0, 3.1].map(|value| bins.bin(value));
        assert_eq!(found, [Ok(0), Ok(0), Ok(1), Ok(1), Ok(2)]);
        assert_eq!(bins.n_bins(), 3);
    }

    #[test]
    fn bins_have_names() {
        let names = |rule: BinRule| Bins::given(&rule).expect("given").names();
        assert_eq!(names(BinRule::WholeUnits(vec![7.0, 15.0])), ["<= 7", "8 to 15", "> 15"]);
        assert_eq!(names(BinRule::Edges(vec![7.0, 15.5])), ["<= 7", "7 to 15.5", "> 15.5"]);
        assert_eq!(names(BinRule::Edges(Vec::new())), ["any"]);
    }

    #[test]
    fn negative_lags_are_refused() {
        let bins = Bins::given(&BinRule::WholeUnits(vec![7.0])).expect("given");
        assert_eq!(bins.bin(-1.0).expect_err("negative").kind(), ErrorKind::Negative);
    }

    #[test]
    fn mdl_needs_classes() {
        assert!(Bins::fit(&BinRule::Mdl, &[1.0], None).is_err());
        assert_eq!(Bins::given(&BinRule::Mdl), None);
    }
}
