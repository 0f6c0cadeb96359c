//! Limits that figures have to keep, for pipelines: `auroc>=0.75`, `psi<=0.2`.
//!
//! The estimate is held against the limit; the interval stands beside it. A figure that has no value keeps no limit: a pipeline must
//! not go on because nothing could be said.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::figures::{FIGURES, MonitoredFigure};

/// Which side of a limit is the right one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Side {
    /// The limit or more.
    #[serde(rename = ">=")]
    AtLeast,
    /// The limit or less.
    #[serde(rename = "<=")]
    AtMost,
}

impl Side {
    /// How it is written.
    pub fn sign(self) -> &'static str {
        match self {
            Self::AtLeast => ">=",
            Self::AtMost => "<=",
        }
    }

    /// Whether a value keeps a bound.
    pub fn holds(self, value: f64, bound: f64) -> bool {
        match self {
            Self::AtLeast => value >= bound,
            Self::AtMost => value <= bound,
        }
    }
}

/// A limit of a figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Limit {
    /// The figure, by its id.
    pub metric: &'static str,
    /// Which side is right.
    pub side: Side,
    /// The bound.
    pub bound: f64,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.metric, self.side.sign(), self.bound)
    }
}

/// Reads `METRIC>=NUMBER` or `METRIC<=NUMBER`.
impl FromStr for Limit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let split = [Side::AtLeast, Side::AtMost].into_iter().find_map(|side| {
            text.split_once(side.sign()).map(|(name, bound)| (name.trim(), side, bound.trim()))
        });
        let Some((name, side, bound)) = split else {
            return Err(format!(
                "`{text}` is no limit; write METRIC>=NUMBER or METRIC<=NUMBER, such as auroc>=0.75"
            ));
        };
        let Some(MonitoredFigure { id, .. }) = FIGURES.iter().find(|figure| figure.id == name) else {
            let known = || FIGURES.iter().map(|figure| figure.id);
            let near = tribunal_io::nearest(name, known())
                .map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            let known: Vec<&str> = known().collect();
            return Err(format!(
                "`{name}` is no figure that is monitored{near} (choose {})",
                known.join(", ")
            ));
        };
        let bound = bound.parse::<f64>().ok().filter(|bound| bound.is_finite()).ok_or_else(|| {
            format!(
                "the limit of {id} is `{bound}`; write a number behind {}, such as {id}{}0.2",
                side.sign(),
                side.sign()
            )
        })?;
        Ok(Limit { metric: id, side, bound })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_and_written() {
        for text in ["auroc>=0.75", "psi<=0.2", "decay>=-0.01"] {
            assert_eq!(text.parse::<Limit>().expect(text).to_string(), text);
        }
        assert_eq!(" psi <= 0.20 ".parse::<Limit>().expect("spaces").to_string(), "psi<=0.2");
    }

    #[test]
    fn what_is_no_limit_says_what_to_write() {
        let refused = |text: &str| text.parse::<Limit>().expect_err(text);
        assert!(refused("auroc=0.75").contains("METRIC>=NUMBER"));
        assert!(refused("aurco>=0.75").contains("did you mean `auroc`?"));
        assert!(refused("kittens>=1").contains("choose strike_rate"));
        assert!(refused("auroc>=high").contains("the limit of auroc is `high`"));
        assert!(refused("auroc>=nan").contains("write a number") && refused("psi<=").contains("``"));
    }

    #[test]
    fn a_limit_is_kept_where_it_is_met() {
        assert!(Side::AtLeast.holds(0.75, 0.75) && !Side::AtLeast.holds(0.74, 0.75));
        assert!(Side::AtMost.holds(0.2, 0.2) && !Side::AtMost.holds(0.21, 0.2));
    }
}
