//! How many cases somebody can act on, of a list of how many.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// How many cases can be acted on: 200 of this list, 200 of every 5,000, or a tenth of any list.
///
/// ```
/// use tribunal::Capacity;
///
/// assert_eq!("200/5000".parse(), Ok(Capacity::OfLists { cases: 200.0, list: 5000.0 }));
/// assert_eq!("10%".parse(), Ok(Capacity::Share(0.1)));
/// let error = "6000/5000".parse::<Capacity>().unwrap_err();
/// assert!(error.starts_with("nobody can act on 6000 of 5000 cases"), "{error}");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Capacity {
    /// So many cases of the list at hand.
    Cases(f64),
    /// So many of each list of a given length that comes from where this one came from: a week's claims.
    OfLists {
        /// Cases that can be acted on.
        cases: f64,
        /// Cases of such a list.
        list: f64,
    },
    /// This share of any list.
    Share(f64),
}

impl Capacity {
    /// How many cases of a list of this weight it stands for.
    pub fn of(self, total: f64) -> f64 {
        match self {
            Self::Cases(cases) => cases,
            Self::OfLists { cases, list } => cases / list * total,
            Self::Share(share) => share * total,
        }
    }
}

impl FromStr for Capacity {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "`{text}` is no capacity: write a number of cases of this list (200), of each list of a given length (200/5000) \
                 or a share (10%)"
            )
        };
        let number = |text: &str| text.trim().parse::<f64>().map_err(|_| wrong());
        let cases = |value: f64| match value {
            value if value > 0.0 && value.is_finite() && value.fract() == 0.0 => Ok(value),
            0.0 => Err("a capacity of no cases finds nothing: write 1 or more".to_owned()),
            _ => Err(wrong()),
        };
        if let Some(percent) = text.trim().strip_suffix('%') {
            let percent = number(percent)?;
            return if percent > 0.0 && percent <= 100.0 {
                Ok(Self::Share(percent / 100.0))
            } else {
                Err(wrong())
            };
        }
        let Some((part, whole)) = text.split_once('/') else { return Ok(Self::Cases(cases(number(text)?)?)) };
        let (part, whole) = (cases(number(part)?)?, cases(number(whole)?)?);
        match part <= whole {
            true => Ok(Self::OfLists { cases: part, list: whole }),
            false => Err(format!(
                "nobody can act on {part} of {whole} cases; write the capacity first, as in 200/5000"
            )),
        }
    }
}

impl fmt::Display for Capacity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cases(cases) => write!(f, "{cases}"),
            Self::OfLists { cases, list } => write!(f, "{cases}/{list}"),
            // A share of 0.07 is written 7 %, not 7.000000000000001 %.
            Self::Share(share) => write!(f, "{}%", (share * 1e12).round() / 1e10),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capacities_come_back_and_nonsense_is_refused() {
        for text in ["200", "200/5000", "7%", "0.5%", "5000/5000"] {
            let capacity: Capacity = text.parse().expect(text);
            assert_eq!(capacity.to_string(), text);
        }
        for wrong in ["0", "-3", "2.5", "0%", "101%", "many", "200/", "/5000", "200/0", "nan", "inf", "1e400"]
        {
            assert!(wrong.parse::<Capacity>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_capacity_of_other_lists_is_a_share_of_this_one() {
        let of = |text: &str| text.parse::<Capacity>().expect(text).of(1000.0);
        assert_eq!((of("200"), of("200/5000"), of("10%")), (200.0, 40.0, 100.0));
    }
}
