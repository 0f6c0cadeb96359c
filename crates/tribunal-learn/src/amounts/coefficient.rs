//! What a regression says of its coefficients and of itself: standard errors, tests, intervals.

use serde::{Deserialize, Serialize};
use tribunal_tails::{f_sf, t_quantile, t_two_sided};

/// What the constant term is called.
pub const INTERCEPT: &str = "(intercept)";

/// The part of samples whose intervals miss the coefficient.
const ERROR_RATE: f64 = 0.05;

/// A number with its standard error, if one can be told.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Estimate {
    pub(super) value: f64,
    pub(super) standard_error: Option<f64>,
}

/// A coefficient, in units of the amount for each unit of its column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AmountCoefficient {
    /// The column, or the level of one.
    pub name: String,
    /// The coefficient; `None` where the column was left out.
    pub estimate: Option<f64>,
    /// Its standard error; `None` where the rows are too few to tell, or nothing remains to be explained.
    pub standard_error: Option<f64>,
    /// The estimate in standard errors.
    pub t: Option<f64>,
    /// How probable a larger t is, were there no effect.
    pub p: Option<f64>,
    /// The lower end of the 95 % interval.
    pub lower: Option<f64>,
    /// The upper end of the 95 % interval.
    pub upper: Option<f64>,
}

/// How well a regression fits.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Quality {
    /// The sum of the weights of the rows, or how many there are.
    pub n: f64,
    /// What is left of them after the coefficients; zero or less where there is nothing left.
    pub residual_df: f64,
    /// The standard deviation of what is not explained; `None` where the rows are too few to tell.
    pub residual_sd: Option<f64>,
    /// The part of the variance of the amounts that is explained; `None` where they do not vary.
    pub r_squared: Option<f64>,
    /// Whether all coefficients together explain more than chance would.
    pub f_test: Option<FTest>,
}

/// An F test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FTest {
    /// The statistic.
    pub f: f64,
    /// How many coefficients there are beside the intercept.
    pub df: f64,
    /// How probable a larger statistic is, were there no effect.
    pub p: f64,
}

impl AmountCoefficient {
    pub(super) fn left_out(name: &str) -> Self {
        let name = name.to_owned();
        AmountCoefficient {
            name,
            estimate: None,
            standard_error: None,
            t: None,
            p: None,
            lower: None,
            upper: None,
        }
    }

    /// A coefficient with its test on so many degrees of freedom.
    pub(super) fn new(name: &str, estimate: Estimate, df: f64) -> Self {
        let finite = |value: f64| value.is_finite().then_some(value);
        let Estimate { value, standard_error } = estimate;
        let t = standard_error.and_then(|error| finite(value / error));
        let margin = standard_error.map(|error| error * t_quantile(ERROR_RATE / 2.0, df));
        AmountCoefficient {
            estimate: Some(value),
            standard_error,
            t,
            p: t.map(|t| t_two_sided(t, df)),
            lower: margin.and_then(|margin| finite(value - margin)),
            upper: margin.and_then(|margin| finite(value + margin)),
            ..AmountCoefficient::left_out(name)
        }
    }
}

impl Quality {
    /// R squared, less what as many columns of noise would explain.
    pub fn adjusted_r_squared(&self) -> Option<f64> {
        let r_squared = self.r_squared.filter(|_| self.residual_df > 0.0)?;
        Some(1.0 - (1.0 - r_squared) * (self.n - 1.0) / self.residual_df)
    }
}

impl FTest {
    /// The test of what coefficients explain, each on average, against what remains for each degree of freedom.
    pub(super) fn new(explained: f64, df: f64, residual: f64, residual_df: f64) -> Option<FTest> {
        let f = (explained / df) / (residual / residual_df);
        (f.is_finite() && df > 0.0).then(|| FTest { f, df, p: f_sf(f, df, residual_df) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_error_has_no_test() {
        let exact = AmountCoefficient::new("x", Estimate { value: 2.0, standard_error: None }, 0.0);
        assert_eq!(exact, AmountCoefficient { estimate: Some(2.0), ..AmountCoefficient::left_out("x") });
    }

    #[test]
    fn tests_and_intervals_are_those_of_student() {
        let found = AmountCoefficient::new("x", Estimate { value: 2.5, standard_error: Some(1.0) }, 9.0);
        assert!((found.p.expect("p") - 0.03386182768298574).abs() < 1e-15);
        // The quantile of t with 9 degrees of freedom is 2.262157162798...
        assert!((found.lower.expect("lower") - 0.237842837201).abs() < 1e-11);
        assert!((found.upper.expect("upper") - 4.762157162798).abs() < 1e-11);
        assert_eq!(FTest::new(0.0, 0.0, 1.0, 5.0), None);
    }
}
