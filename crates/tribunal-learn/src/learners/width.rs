//! How far the likeness of rows reaches in kernel machines, as part of their text.

use std::fmt;

use super::arguments::Arguments;
use crate::error::{Error, ErrorKind};

/// The width of the kernel `exp(-|x - z|^2 / sigma^2)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Width {
    Sigma(f64),
    /// Sigma over the root of the number of columns that are not constant.
    Spread(f64),
}

impl Width {
    /// Takes a width from the text of a learner, if there is one.
    ///
    /// # Errors
    /// There are two, or one whose square or inverse is no number.
    pub(crate) fn parse(arguments: &mut Arguments<'_>) -> Result<Option<Width>, Error> {
        let number = |text: &str| text.parse().ok().filter(|number: &f64| (1e-100..=1e100).contains(number));
        let mut keyed = |key: &'static str| arguments.keyed(key, "a number from 1e-100 to 1e100", number);
        match (keyed("sigma")?, keyed("spread")?) {
            (Some(_), Some(_)) => {
                Err(Error::new(ErrorKind::BadText, "both sigma and spread say how wide a kernel is")
                    .advise("give one of them"))
            }
            (sigma, spread) => Ok(sigma.map(Width::Sigma).or(spread.map(Width::Spread))),
        }
    }

    /// The sigma for rows of so many columns.
    pub(crate) fn sigma(self, n_columns: usize) -> f64 {
        match self {
            Width::Sigma(sigma) => sigma,
            Width::Spread(spread) => spread * (n_columns.max(1) as f64).sqrt(),
        }
    }
}

impl fmt::Display for Width {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Width::Sigma(sigma) => write!(f, "sigma={sigma}"),
            Width::Spread(spread) => write!(f, "spread={spread}"),
        }
    }
}
