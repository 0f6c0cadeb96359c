//! A data set regressed on its amounts: encoded, weighted and reduced block by block, then put back into the units of the
//! columns.

use rayon::prelude::*;
use tribunal_algebra::Triangle;

use super::Amounts;
use super::coefficient::{Estimate, FTest, Quality};
use super::least_squares::LeastSquares;
use super::model::Term;
use super::spread::Spread;
use crate::dataset::Dataset;
use crate::encoding::NumericEncoder;
use crate::error::{Error, ErrorKind};

/// Rows that are encoded and reduced at a time, by one thread.
const BLOCK: usize = 4096;

/// No more coefficients are looked for: the work grows with their cube.
const MOST_COEFFICIENTS: usize = 5_000;

/// Rows to learn from, with the encoding of their columns.
pub(super) struct Regression<'a> {
    dataset: &'a Dataset,
    amounts: &'a [f64],
    rows: &'a [u32],
    encoder: &'a NumericEncoder,
    /// The names of the features.
    names: Vec<&'a str>,
    /// The sum of the weights, and the largest.
    weight: f64,
    heaviest: f64,
    features: Vec<Spread>,
    response: Spread,
}

/// What a regression finds, in the units of the columns and of the amounts.
pub(super) struct Findings {
    /// The amount of the mean row.
    pub(super) base: f64,
    pub(super) intercept: Estimate,
    pub(super) terms: Vec<Term>,
    pub(super) quality: Quality,
    /// Features that are the same in all rows.
    pub(super) constant: Vec<String>,
    /// Features that say nothing beyond those before them.
    pub(super) aliased: Vec<String>,
}

impl<'a> Regression<'a> {
    /// Looks through the rows for where their values lie.
    pub(super) fn new(
        dataset: &'a Dataset,
        amounts: &'a Amounts,
        rows: &'a [u32],
        encoder: &'a NumericEncoder,
    ) -> Result<Self, Error> {
        let names: Vec<&str> = encoder.feature_names().collect();
        if names.len() > MOST_COEFFICIENTS {
            return Err(too_many(names.len()));
        }
        let weight_of = |&row: &u32| dataset.weights().map_or(1.0, |weights| weights[row as usize]);
        let weight: f64 = rows.iter().map(weight_of).sum();
        if !weight.is_finite() {
            let problem = "the weights add up to more than a number can hold";
            return Err(Error::new(ErrorKind::Inconsistent, problem).advise("divide them by the largest"));
        }
        let mut regression = Regression {
            dataset,
            amounts: amounts.values(),
            rows,
            encoder,
            names,
            weight,
            heaviest: rows.iter().map(weight_of).fold(0.0, f64::max),
            features: Vec::new(),
            response: Spread::NONE,
        };
        regression.survey()?;
        Ok(regression)
    }

    /// Finds out where the values of each feature and of the amounts lie.
    fn survey(&mut self) -> Result<(), Error> {
        let block = |rows: &[u32]| {
            let matrix = self.encoder.encode(self.dataset, rows)?;
            let shares: Vec<f64> = rows.iter().map(|&row| self.weight_of(row) / self.weight).collect();
            let of_feature = |idx: usize| Spread::NONE.absorb(matrix.column(idx), &shares);
            let mut spreads: Vec<Spread> = (0..matrix.n_columns()).map(of_feature).collect();
            spreads.push(Spread::NONE.absorb(&self.amounts_of(rows), &shares));
            Ok(spreads)
        };
        let blocks = self.rows.par_chunks(self.block()).map(block).collect::<Result<Vec<_>, Error>>()?;
        let mut spreads = vec![Spread::NONE; self.names.len() + 1];
        for block in &blocks {
            spreads.iter_mut().zip(block).for_each(|(spread, more)| *spread = spread.merge(more));
        }
        self.response = spreads.pop().unwrap_or(Spread::NONE);
        self.features = spreads;
        let beyond = self.features.iter().position(|spread| !spread.is_finite());
        beyond.map_or(Ok(()), |idx| Err(beyond_numbers(self.names[idx], &self.features[idx])))
    }

    fn block(&self) -> usize {
        BLOCK.max(4 * (self.names.len() + 2))
    }

    fn weight_of(&self, row: u32) -> f64 {
        self.dataset.weights().map_or(1.0, |weights| weights[row as usize])
    }

    fn amounts_of(&self, rows: &[u32]) -> Vec<f64> {
        rows.iter().map(|&row| self.amounts[row as usize]).collect()
    }

    /// Solves the regression.
    pub(super) fn solve(&self) -> Result<Findings, Error> {
        let n_columns = self.names.len() + 2;
        let triangles = self.rows.par_chunks(self.block()).map(|rows| self.triangle(rows));
        let triangle = Triangle::merge(triangles.collect::<Result<_, Error>>()?, n_columns);
        Solved { regression: self, found: LeastSquares::solve(&triangle, n_columns) }.findings()
    }

    /// The triangle of a block: a one, the features, the amount; scaled, and by the root of the weight.
    fn triangle(&self, rows: &[u32]) -> Result<Triangle, Error> {
        let matrix = self.encoder.encode(self.dataset, rows)?;
        let roots: Vec<f64> = rows.iter().map(|&row| (self.weight_of(row) / self.heaviest).sqrt()).collect();
        let weighted = |spread: &Spread, values: &[f64]| -> Vec<f64> {
            values.iter().zip(&roots).map(|(&value, root)| root * spread.apply(value)).collect()
        };
        let feature = |(idx, spread): (usize, &Spread)| match spread.is_constant() {
            true => vec![0.0; rows.len()],
            false => weighted(spread, matrix.column(idx)),
        };
        let mut columns = vec![roots.clone()];
        columns.extend(self.features.iter().enumerate().map(feature));
        columns.push(weighted(&self.response, &self.amounts_of(rows)));
        Ok(Triangle::of(&columns))
    }
}

/// A solution in scaled units.
struct Solved<'a> {
    regression: &'a Regression<'a>,
    found: LeastSquares,
}

impl Solved<'_> {
    fn findings(&self) -> Result<Findings, Error> {
        let Regression { names, features, .. } = self.regression;
        let mut places = vec![None; names.len()];
        // The first of the kept columns is the intercept: its square is never zero.
        self.found
            .kept
            .iter()
            .enumerate()
            .skip(1)
            .for_each(|(place, &column)| places[column - 1] = Some(place));
        let term = |(idx, place): (usize, &Option<usize>)| {
            let estimate = place.map(|place| self.slope(idx, place)).transpose()?;
            Ok(Term { name: names[idx].to_owned(), centre: features[idx].centre(), estimate })
        };
        let terms: Vec<Term> = places.iter().enumerate().map(term).collect::<Result<_, Error>>()?;
        let left_out = |is_constant: bool| {
            let is_meant =
                |idx: &usize| places[*idx].is_none() && features[*idx].is_constant() == is_constant;
            (0..names.len()).filter(is_meant).map(|idx| names[idx].to_owned()).collect()
        };
        let base = self.base();
        Ok(Findings {
            base,
            intercept: self.intercept(base, &terms)?,
            constant: left_out(true),
            aliased: left_out(false),
            terms,
            quality: self.quality(),
        })
    }

    /// The amount of the row whose features are at their means.
    fn base(&self) -> f64 {
        let response = &self.regression.response;
        response.centre() + self.found.coefficients.first().map_or(0.0, |first| first * response.scale())
    }

    fn slope(&self, feature: usize, place: usize) -> Result<Estimate, Error> {
        let spread = &self.regression.features[feature];
        let mut along = vec![0.0; place + 1];
        along[place] = 1.0;
        let in_units = |value: f64| value * self.regression.response.scale() / spread.scale();
        let value = in_units(self.found.coefficients[place]);
        if !value.is_finite() {
            return Err(beyond_numbers(self.regression.names[feature], spread));
        }
        Ok(Estimate {
            value,
            standard_error: self.error(&along).map(in_units).filter(|error| error.is_finite()),
        })
    }

    /// The amount of a row whose features are all zero.
    fn intercept(&self, base: f64, terms: &[Term]) -> Result<Estimate, Error> {
        let Regression { features, response, names, .. } = self.regression;
        let shifts = terms.iter().filter_map(|term| Some(term.estimate?.value * term.centre));
        let value = base - shifts.sum::<f64>();
        if !value.is_finite() {
            let widest =
                (0..names.len()).max_by(|&a, &b| features[a].magnitude().total_cmp(&features[b].magnitude()));
            return Err(widest.map_or_else(|| too_many(0), |idx| beyond_numbers(names[idx], &features[idx])));
        }
        let of_kept = self.found.kept.iter().skip(1).map(|&column| &features[column - 1]);
        let along: Vec<f64> =
            std::iter::once(1.0).chain(of_kept.map(|spread| -spread.centre() / spread.scale())).collect();
        let error = self.error(&along).map(|error| error * response.scale());
        Ok(Estimate { value, standard_error: error.filter(|error| error.is_finite()) })
    }

    /// The standard error of a combination of coefficients; `None` where nothing can be said of it.
    fn error(&self, along: &[f64]) -> Option<f64> {
        let residual_df = self.residual_df();
        let is_told = residual_df > 0.0 && !self.is_exact();
        is_told.then(|| (self.found.residual / residual_df * self.found.variance(along)).sqrt())
    }

    fn residual_df(&self) -> f64 {
        self.regression.weight - self.found.kept.len() as f64
    }

    /// Whether what remains is nothing but rounding of the amounts.
    fn is_exact(&self) -> bool {
        let Regression { response, weight, heaviest, .. } = self.regression;
        let rounding = 16.0 * f64::EPSILON * response.magnitude() / response.scale();
        self.found.residual <= rounding * rounding * (weight / heaviest)
    }

    fn quality(&self) -> Quality {
        let Regression { response, weight, heaviest, .. } = self.regression;
        let LeastSquares { kept, explained, residual, .. } = &self.found;
        let (residual_df, total) = (self.residual_df(), explained + residual);
        let is_exact = self.is_exact();
        let spread =
            || if is_exact { 0.0 } else { (residual * heaviest / residual_df).sqrt() * response.scale() };
        let is_told = residual_df > 0.0 && !is_exact;
        Quality {
            n: *weight,
            residual_df,
            residual_sd: (residual_df > 0.0).then(spread),
            r_squared: (!response.is_constant() && total > 0.0).then(|| explained / total),
            f_test: FTest::new(*explained, kept.len() as f64 - 1.0, *residual, residual_df)
                .filter(|_| is_told),
        }
    }
}

fn beyond_numbers(name: &str, spread: &Spread) -> Error {
    let (min, max) = spread.ends();
    let problem = format!("column {name:?} runs from {min:e} to {max:e}, which cannot be computed with");
    Error::new(ErrorKind::Inconsistent, problem).advise("write it in other units, or leave it out")
}

fn too_many(n_features: usize) -> Error {
    let problem = format!("the columns would take {n_features} coefficients, more than {MOST_COEFFICIENTS}");
    Error::new(ErrorKind::TooWide, problem)
        .advise("group the levels of the widest columns, or leave them out")
}
