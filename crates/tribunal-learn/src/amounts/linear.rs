//! Multiple linear regression: ordinary least squares with an intercept.
//!
//! Large gifts are rare and pull the line up for everybody, which is why Fan and Davidson (2006) leave amounts above 50
//! out of the donation data; what is large elsewhere the user knows, so there is no cap unless one is set.

use std::fmt;

use super::AmountForm;
use crate::encoding::Missing;
use crate::error::Error;
use crate::learners::{Arguments, written};

pub(super) const FORM: AmountForm = AmountForm {
    name: "linear",
    form: "linear[:cap=C][,floor=F][,missing=impute|mark|refuse]",
    definition: "ordinary least squares with an intercept on the rows of the positive class with 0 < amount <= cap; \
                 columns that say nothing beyond those before them are left out; predictions may be negative unless \
                 there is a floor",
    reference: "Fan & Davidson 2006",
    examples: &[
        ("linear", "every amount above zero counts"),
        ("linear:cap=50", "amounts above 50 are left out, as in the donation data"),
        ("linear:floor=0", "no prediction is below 0"),
        ("linear:missing=mark", "a column beside each that has gaps says where they are"),
    ],
};

/// What goes into the regression, and what may come out.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Linear {
    /// Larger amounts are left out.
    pub(super) cap: Option<f64>,
    /// Smaller predictions are raised to it.
    pub(super) floor: Option<f64>,
    pub(super) missing: Missing,
}

const MISSING: [(&str, Missing); 3] =
    [("impute", Missing::Impute), ("mark", Missing::ImputeAndMark), ("refuse", Missing::Refuse)];

impl Linear {
    pub(super) fn parse(arguments: &mut Arguments<'_>) -> Result<Linear, Error> {
        let number = |text: &str| text.parse::<f64>().ok().filter(|number| number.is_finite());
        let way = |text: &str| MISSING.iter().find(|(name, _)| *name == text).map(|(_, way)| *way);
        Ok(Linear {
            cap: arguments
                .keyed("cap", "a number above zero", |text| number(text).filter(|cap| *cap > 0.0))?,
            floor: arguments.keyed("floor", "a number", number)?,
            missing: arguments.keyed("missing", "impute, mark or refuse", way)?.unwrap_or_default(),
        })
    }
}

impl fmt::Display for Linear {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bound =
            |name: &str, value: Option<f64>| value.map_or_else(String::new, |v| format!("{name}={v}"));
        let way = MISSING.iter().find(|(_, way)| *way == self.missing && *way != Missing::default());
        let missing = way.map_or_else(String::new, |(name, _)| format!("missing={name}"));
        f.write_str(&written(FORM.name, [bound("cap", self.cap), bound("floor", self.floor), missing]))
    }
}
