//! The coefficients of a regression as people read them.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What a logistic regression has learned, in the units of the data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CoefficientTable {
    /// One set of coefficients for each class but the first.
    pub outputs: Vec<Coefficients>,
    /// The log-likelihood of the training rows.
    pub log_likelihood: f64,
    /// That of a model without columns.
    pub null_log_likelihood: f64,
    /// How many coefficients there are besides the intercepts.
    pub degrees_of_freedom: usize,
    /// How many steps it took to find them.
    pub n_steps: usize,
    /// What is lost without each column: likelihood-ratio tests.
    pub column_tests: Vec<ColumnTest>,
}

/// The log-odds of a class against another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Coefficients {
    /// The class whose odds they are.
    pub for_class: String,
    /// The class that it is compared with.
    pub against_class: String,
    /// The intercept and the slopes.
    pub rows: Vec<Coefficient>,
}

/// What one unit of a column adds to the log-odds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Coefficient {
    /// The column, or the level that is indicated.
    pub name: String,
    /// What a unit adds.
    pub estimate: f64,
    /// What a unit multiplies the odds by.
    #[serde(with = "crate::infinite")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub odds_ratio: f64,
    /// What a standard deviation multiplies the odds by; it allows columns to be compared.
    #[serde(with = "crate::infinite")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub odds_ratio_per_sd: f64,
    /// How sure that is; nothing where coefficients are penalised.
    #[serde(flatten)]
    pub uncertainty: Option<Uncertainty>,
}

/// How sure a coefficient is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Uncertainty {
    /// Its standard error.
    #[serde(with = "crate::infinite")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub std_error: f64,
    /// The estimate over its standard error (Wald).
    #[serde(with = "crate::infinite")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub z: f64,
    /// The two-sided p value of z.
    pub p: f64,
    /// Where the 95 % interval of the odds ratio begins.
    #[serde(with = "crate::infinite")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub lower: f64,
    /// Where it ends.
    #[serde(with = "crate::infinite")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub upper: f64,
}

/// What is lost without a column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ColumnTest {
    /// The column of the data.
    pub column: String,
    /// Twice the log-likelihood that is lost.
    #[serde(with = "crate::infinite")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub statistic: f64,
    /// The coefficients that are lost.
    pub degrees_of_freedom: usize,
    /// The p value of the likelihood-ratio test.
    pub p: f64,
}

impl CoefficientTable {
    /// The likelihood-ratio statistic of all columns together.
    pub fn likelihood_ratio(&self) -> f64 {
        (2.0 * (self.log_likelihood - self.null_log_likelihood)).max(0.0)
    }
}

impl fmt::Display for CoefficientTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for output in &self.outputs {
            write!(f, "{output}")?;
        }
        let (ratio, degrees) = (self.likelihood_ratio(), self.degrees_of_freedom);
        writeln!(
            f,
            "log-likelihood {:.6} after {} steps, {:.6} without columns",
            self.log_likelihood, self.n_steps, self.null_log_likelihood
        )?;
        let p = tribunal_tails::chi_square_sf(ratio, degrees);
        writeln!(
            f,
            "all columns together: chi-square {ratio:.3} on {degrees} degrees of freedom, p {}",
            p_text(p)
        )?;
        if self.column_tests.is_empty() {
            return Ok(());
        }
        writeln!(f, "\nwhat is lost without a column (likelihood-ratio tests)")?;
        let width =
            self.column_tests.iter().map(|test| test.column.chars().count()).max().unwrap_or_default();
        writeln!(f, "{:width$}  {:>10} {:>4} {:>9}", "", "chi-square", "df", "p")?;
        for ColumnTest { column, statistic, degrees_of_freedom, p } in &self.column_tests {
            writeln!(f, "{column:width$}  {statistic:>10.3} {degrees_of_freedom:>4} {:>9}", p_text(*p))?;
        }
        Ok(())
    }
}

impl fmt::Display for Coefficients {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "log-odds of {} against {}", self.for_class, self.against_class)?;
        let width = self.rows.iter().map(|row| row.name.chars().count()).max().unwrap_or_default();
        let is_sure = self.rows.iter().any(|row| row.uncertainty.is_some());
        write!(f, "{:width$}  {:>10} {:>10} {:>10}", "", "estimate", "odds ratio", "per sd")?;
        let more = if is_sure {
            format!(" {:>10} {:>8} {:>9}  {}", "std. error", "z", "p", "95 % of the odds ratio")
        } else {
            String::new()
        };
        writeln!(f, "{more}")?;
        for row in &self.rows {
            let numbers = [row.estimate, row.odds_ratio, row.odds_ratio_per_sd].map(number);
            write!(f, "{:width$}  {:>10} {:>10} {:>10}", row.name, numbers[0], numbers[1], numbers[2])?;
            if let Some(Uncertainty { std_error, z, p, lower, upper }) = &row.uncertainty {
                let interval = format!("{} to {}", number(*lower), number(*upper));
                write!(f, " {:>10} {z:>8.3} {:>9}  {interval}", number(*std_error), p_text(*p))?;
            }
            writeln!(f)?;
        }
        writeln!(f)
    }
}

/// A number in few digits, whatever its size.
pub(crate) fn number(value: f64) -> String {
    match value.abs() {
        size if size != 0.0 && !(1e-3..1e5).contains(&size) => format!("{value:.3e}"),
        _ => format!("{value:.4}"),
    }
}

/// A p value in few digits.
fn p_text(p: f64) -> String {
    if p < 1e-4 { format!("{p:.1e}") } else { format!("{p:.4}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_digits_whatever_their_size() {
        let found = [0.0, 1.5, -0.0001234, 123456.0].map(number);
        assert_eq!(found, ["0.0000", "1.5000", "-1.234e-4", "1.235e5"]);
        assert_eq!([0.04, 1e-20].map(p_text), ["0.0400", "1.0e-20"]);
    }
}
