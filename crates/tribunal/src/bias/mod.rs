//! Samples that are biased on purpose, to see how far a learner or a way of choosing one can be trusted under bias.
//!
//! Rows are left out by what stands in a column (feature bias), by their class (class bias), by both, or at random, which
//! shows what the smaller sample alone does. The simulators follow Fan and Davidson (2006) and return the rows that are
//! kept, ascending. Bias belongs into training rows only; rows that judge stay as they are.
//!
//! ```
//! use tribunal::bias::{Bias, BiasRows, Side, Values};
//!
//! let age = Values::of_numbers("age", [44.0, 19.0, 31.0, 60.0]);
//! let bias = Bias::Feature { fraction: 0.25, side: Side::Low };
//! assert_eq!(bias.kept(&BiasRows::new(4).with_values(&age), 1)?, [0, 2, 3]);
//! # Ok::<(), tribunal::Error>(())
//! ```

mod bias_rows;
mod class;
mod complete;
mod feature;
mod feature_soft;
mod none;
mod refusals;
mod values;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

pub use bias_rows::BiasRows;
pub use values::Values;

use crate::error::Error;

/// The share of rows that is left out unless another is named.
pub const USUAL_FRACTION: f64 = 0.25;

/// Which end of a column is left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// The lowest values.
    #[default]
    Low,
    /// The highest values.
    High,
}

impl FromStr for Side {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "low" => Ok(Self::Low),
            "high" => Ok(Self::High),
            _ => Err(format!("`{text}` is no side of a column; choose low or high")),
        }
    }
}

/// A way to leave rows out.
#[derive(Clone, Debug, PartialEq)]
pub enum Bias {
    /// The lowest or highest values of a column.
    Feature {
        /// The share of rows that is left out.
        fraction: f64,
        /// The end that is left out.
        side: Side,
    },
    /// Rows stay the more likely the larger their value.
    FeatureSoft {
        /// How steeply the chance to stay rises with the standardised value.
        beta: f64,
    },
    /// Rows of a class.
    Class {
        /// The class.
        class: String,
        /// The share of its rows that is left out.
        fraction: f64,
    },
    /// The lowest values of a class and the highest of all others.
    Complete {
        /// The class.
        class: String,
        /// The share of the rows of each side that is left out.
        fraction: f64,
    },
    /// Any rows, as a control for the size of the sample.
    None {
        /// The share of rows that is left out.
        fraction: f64,
    },
}

/// The kind of a bias, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum BiasName {
    /// See [`Bias::Feature`].
    Feature,
    /// See [`Bias::FeatureSoft`].
    FeatureSoft,
    /// See [`Bias::Class`].
    Class,
    /// See [`Bias::Complete`].
    Complete,
    /// See [`Bias::None`].
    None,
}

impl fmt::Display for BiasName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Feature => feature::KIND.name,
            Self::FeatureSoft => feature_soft::KIND.name,
            Self::Class => class::KIND.name,
            Self::Complete => complete::KIND.name,
            Self::None => none::KIND.name,
        })
    }
}

/// A kind of bias: its name and what it does.
#[derive(Debug, PartialEq, Eq)]
pub struct BiasKind {
    /// Its name, as `--kind` takes it.
    pub name: &'static str,
    /// What it leaves out.
    pub definition: &'static str,
}

/// Every kind of bias, in the order of the help.
pub const KINDS: &[&BiasKind] =
    &[&feature::KIND, &feature_soft::KIND, &class::KIND, &complete::KIND, &none::KIND];

impl Bias {
    /// Its kind.
    pub fn kind(&self) -> &'static BiasKind {
        match self {
            Self::Feature { .. } => &feature::KIND,
            Self::FeatureSoft { .. } => &feature_soft::KIND,
            Self::Class { .. } => &class::KIND,
            Self::Complete { .. } => &complete::KIND,
            Self::None { .. } => &none::KIND,
        }
    }

    /// Its kind by name.
    pub fn name(&self) -> BiasName {
        match self {
            Self::Feature { .. } => BiasName::Feature,
            Self::FeatureSoft { .. } => BiasName::FeatureSoft,
            Self::Class { .. } => BiasName::Class,
            Self::Complete { .. } => BiasName::Complete,
            Self::None { .. } => BiasName::None,
        }
    }

    /// Whether it looks at a column.
    pub fn needs_column(&self) -> bool {
        matches!(self, Self::Feature { .. } | Self::FeatureSoft { .. } | Self::Complete { .. })
    }

    /// Whether it looks at classes.
    pub fn needs_classes(&self) -> bool {
        matches!(self, Self::Class { .. } | Self::Complete { .. })
    }

    /// The rows that are kept, ascending.
    ///
    /// # Errors
    /// A number makes no sense, what the bias looks at is missing, or no row is left.
    pub fn kept(&self, rows: &BiasRows<'_>, seed: u64) -> Result<Vec<u32>, Error> {
        self.check(rows)?;
        let dropped = match self {
            Self::Feature { fraction, side } => feature::dropped(rows.values()?, *fraction, *side),
            Self::FeatureSoft { beta } => feature_soft::dropped(rows.values()?, *beta, seed),
            Self::Class { class, fraction } => class::dropped(rows.class(class)?, *fraction, seed),
            Self::Complete { class, fraction } => {
                complete::dropped(rows.class(class)?, rows.values()?, *fraction)
            }
            Self::None { fraction } => none::dropped(rows.n_rows(), *fraction, seed),
        };
        let mut is_kept = vec![true; rows.n_rows()];
        dropped.into_iter().for_each(|row| is_kept[row as usize] = false);
        let kept: Vec<u32> = (0..).zip(is_kept).filter(|(_, is_kept)| *is_kept).map(|(row, _)| row).collect();
        if kept.is_empty() { Err(Error::nothing_left(rows.n_rows())) } else { Ok(kept) }
    }

    fn check(&self, rows: &BiasRows<'_>) -> Result<(), Error> {
        rows.check()?;
        match *self {
            Self::FeatureSoft { beta } if !beta.is_finite() => Err(Error::bad_beta(beta)),
            Self::FeatureSoft { .. } => Ok(()),
            Self::Feature { fraction, .. }
            | Self::Class { fraction, .. }
            | Self::Complete { fraction, .. }
            | Self::None { fraction } => {
                if (0.0..=1.0).contains(&fraction) {
                    Ok(())
                } else {
                    Err(Error::bad_fraction(fraction))
                }
            }
        }
    }
}

impl fmt::Display for Bias {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind().name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use crate::resampling::LabelColumn;
    use proptest::prelude::*;

    fn all(fraction: f64) -> [Bias; 5] {
        [
            Bias::Feature { fraction, side: Side::High },
            Bias::FeatureSoft { beta: 1.0 },
            Bias::Class { class: "a".into(), fraction },
            Bias::Complete { class: "a".into(), fraction },
            Bias::None { fraction },
        ]
    }

    #[test]
    fn every_kind_is_listed_once() {
        let names: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
        assert_eq!(names, all(0.1).map(|bias| bias.kind().name));
    }

    #[test]
    fn what_cannot_be_done_is_named() {
        let values = Values::of_numbers("x", [1.0, 2.0]);
        let classes = LabelColumn::of("y", ["a", "a"]);
        let whole = BiasRows::new(2).with_values(&values).with_classes(&classes);
        let check = |bias: &Bias, rows: &BiasRows<'_>, kind: ErrorKind| {
            assert_eq!(bias.kept(rows, 1).expect_err("impossible").kind(), kind, "{bias:?}");
        };
        check(&Bias::None { fraction: 1.5 }, &whole, ErrorKind::BadShare);
        check(&Bias::None { fraction: f64::NAN }, &whole, ErrorKind::BadShare);
        check(&Bias::FeatureSoft { beta: f64::INFINITY }, &whole, ErrorKind::BadBeta);
        check(&Bias::None { fraction: 1.0 }, &whole, ErrorKind::NothingLeft);
        check(&all(0.1)[0], &BiasRows::new(2), ErrorKind::NoColumn);
        check(&all(0.1)[2], &BiasRows::new(2), ErrorKind::NoClasses);
        check(&Bias::Class { class: "c".into(), fraction: 0.1 }, &whole, ErrorKind::UnknownClass);
        check(&all(0.1)[4], &BiasRows::new(0), ErrorKind::TooFewRows);
        check(&all(0.1)[4], &BiasRows::new(3).with_values(&values), ErrorKind::BadLength);
    }

    proptest! {
        #[test]
        fn kept_rows_ascend_and_are_the_same_for_a_seed(
            numbers in prop::collection::vec(prop::option::of(-9i8..9), 2..60), seed: u64, fraction in 0.0f64..0.9
        ) {
            let values = Values::of_optional_numbers("x", numbers.iter().map(|number| number.map(f64::from)));
            let classes = LabelColumn::of("y", (0..numbers.len()).map(|row| ["a", "b"][row % 2]));
            let rows = BiasRows::new(numbers.len()).with_values(&values).with_classes(&classes);
            for bias in all(fraction) {
                let kept = bias.kept(&rows, seed);
                prop_assert_eq!(&kept, &bias.kept(&rows, seed));
                let Ok(kept) = kept else { continue };
                prop_assert!(kept.windows(2).all(|pair| pair[0] < pair[1]));
                if !matches!(bias, Bias::FeatureSoft { .. } | Bias::Class { .. } | Bias::Complete { .. }) {
                    prop_assert_eq!(kept.len(), numbers.len() - (fraction * numbers.len() as f64 + 1e-12) as usize);
                }
            }
        }
    }
}
