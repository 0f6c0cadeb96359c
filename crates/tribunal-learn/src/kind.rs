//! What a column holds, and how that is written: `flag`, `categorical`, `ordered:low<mid<high`, `bins:mdl`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::error::{Error, ErrorKind};
use crate::text_form::written_as_text;

/// What a column holds; it decides what each learner makes of it.
///
/// | kind | learners that count | learners that compute |
/// | --- | --- | --- |
/// | flag | two values, 0 then 1 | the number 0 or 1 |
/// | categorical | its levels | an indicator for each level but the first |
/// | ordered | its levels | the position of the level, from 1 |
/// | numeric | thresholds or a density | the number |
/// | binned | its bins | the number of the bin, from 1 |
///
/// ```
/// use tribunal_learn::Kind;
///
/// let kind: Kind = "ordered:low<mid<high".parse()?;
/// assert_eq!(kind.levels().len(), 3);
/// assert_eq!(kind.to_string(), "ordered:low<mid<high");
/// assert_eq!("bins:20,40,60,80".parse::<Kind>()?.name(), "binned");
/// # Ok::<(), tribunal_learn::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Kind {
    /// Yes or no, one or zero.
    Flag,
    /// Levels without an order.
    Categorical(Levels),
    /// Levels from low to high.
    Ordered(Levels),
    /// Numbers.
    Numeric,
    /// Numbers of which only the bin counts.
    Binned(BinRule),
}

/// The levels of a column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Levels {
    /// Their names; the code of a level is its position.
    pub names: Vec<String>,
    /// Whether somebody declared them, so that any other value is an error, or they are those of the data.
    pub is_declared: bool,
}

/// A kind with all its levels, also those that nobody declared: what a model has to remember.
pub(crate) mod with_levels {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::{Kind, Levels};

    #[derive(Serialize, Deserialize)]
    struct Stored {
        kind: Kind,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        levels: Vec<String>,
        #[serde(default)]
        is_declared: bool,
    }

    pub(crate) fn serialize<S: Serializer>(kind: &Kind, serializer: S) -> Result<S::Ok, S::Error> {
        let (bare, is_declared) = match kind {
            Kind::Categorical(levels) => (Kind::Categorical(Levels::default()), levels.is_declared),
            Kind::Ordered(levels) => (Kind::Ordered(Levels::default()), levels.is_declared),
            kind => (kind.clone(), false),
        };
        Stored { kind: bare, levels: kind.levels().to_vec(), is_declared }.serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Kind, D::Error> {
        let Stored { kind, levels, is_declared } = Stored::deserialize(deserializer)?;
        let levels = Levels { names: levels, is_declared };
        Ok(match kind {
            Kind::Categorical(_) => Kind::Categorical(levels),
            Kind::Ordered(_) => Kind::Ordered(levels),
            kind => kind,
        })
    }
}

/// Where the edges of bins come from.
#[derive(Clone, Debug, PartialEq)]
pub enum BinRule {
    /// Given: inclusive upper bounds of whole units, the last bin open. Numbers are rounded half up first.
    WholeUnits(Vec<f64>),
    /// Given: inclusive upper bounds, the last bin open.
    Edges(Vec<f64>),
    /// So many bins of equal width between the least and the greatest number.
    EqualWidth(usize),
    /// So many bins with equally many rows, as far as ties allow.
    EqualFrequency(usize),
    /// As many as tell about the class (Fayyad and Irani 1993).
    Mdl,
}

impl Kind {
    /// The kind in one word.
    pub fn name(&self) -> &'static str {
        match self {
            Kind::Flag => "flag",
            Kind::Categorical(_) => "categorical",
            Kind::Ordered(_) => "ordered",
            Kind::Numeric => "numeric",
            Kind::Binned(_) => "binned",
        }
    }

    /// Whether the values are codes of levels, and not numbers.
    pub fn is_coded(&self) -> bool {
        matches!(self, Kind::Flag | Kind::Categorical(_) | Kind::Ordered(_))
    }

    /// The names of the levels, where there are any.
    pub fn levels(&self) -> &[String] {
        match self {
            Kind::Categorical(levels) | Kind::Ordered(levels) => &levels.names,
            Kind::Flag | Kind::Numeric | Kind::Binned(_) => &[],
        }
    }

    /// How many codes there may be.
    pub(crate) fn n_codes(&self) -> usize {
        if matches!(self, Kind::Flag) { 2 } else { self.levels().len() }
    }
}

impl Levels {
    /// Levels that somebody declared.
    pub fn declared<T: Into<String>>(names: impl IntoIterator<Item = T>) -> Self {
        Levels { names: names.into_iter().map(Into::into).collect(), is_declared: true }
    }

    /// Levels met in the data.
    pub fn met<T: Into<String>>(names: impl IntoIterator<Item = T>) -> Self {
        Levels { is_declared: false, ..Levels::declared(names) }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if let Kind::Binned(_) = self { "bins" } else { self.name() })?;
        match self {
            Kind::Flag | Kind::Numeric => Ok(()),
            Kind::Categorical(levels) if levels.is_declared => write!(f, ":{}", levels.names.join("|")),
            Kind::Ordered(levels) if levels.is_declared => write!(f, ":{}", levels.names.join("<")),
            Kind::Categorical(_) | Kind::Ordered(_) => Ok(()),
            Kind::Binned(BinRule::WholeUnits(bounds)) => write!(f, ":whole:{}", numbers(bounds)),
            Kind::Binned(BinRule::Edges(bounds)) => write!(f, ":{}", numbers(bounds)),
            Kind::Binned(BinRule::EqualWidth(n_bins)) => write!(f, ":width:{n_bins}"),
            Kind::Binned(BinRule::EqualFrequency(n_bins)) => write!(f, ":frequency:{n_bins}"),
            Kind::Binned(BinRule::Mdl) => f.write_str(":mdl"),
        }
    }
}

fn numbers(values: &[f64]) -> String {
    values.iter().map(f64::to_string).collect::<Vec<_>>().join(",")
}

impl FromStr for Kind {
    type Err = Error;

    fn from_str(text: &str) -> Result<Kind, Error> {
        let (word, rest) = text.split_once(':').map_or((text, None), |(word, rest)| (word, Some(rest)));
        match (word.trim(), rest) {
            ("flag", None) => Ok(Kind::Flag),
            ("numeric" | "number", None) => Ok(Kind::Numeric),
            ("categorical", None) => Ok(Kind::Categorical(Levels::default())),
            ("ordered", None) => Ok(Kind::Ordered(Levels::default())),
            ("categorical", Some(levels)) => declared(levels, '|', text).map(Kind::Categorical),
            ("ordered", Some(levels)) => declared(levels, '<', text).map(Kind::Ordered),
            ("bins", Some(rule)) => bin_rule(rule, text).map(Kind::Binned),
            _ => Err(unknown(text)),
        }
    }
}

written_as_text!(Kind);

fn declared(levels: &str, separator: char, text: &str) -> Result<Levels, Error> {
    let levels = Levels::declared(levels.split(separator).map(str::trim));
    let mut sorted = levels.names.clone();
    sorted.sort_unstable();
    let is_usable = !sorted.iter().any(String::is_empty) && sorted.windows(2).all(|pair| pair[0] != pair[1]);
    if is_usable { Ok(levels) } else { Err(unknown(text)) }
}

fn bin_rule(rule: &str, text: &str) -> Result<BinRule, Error> {
    match rule.split_once(':') {
        Some(("width", n_bins)) => bin_count(n_bins, text).map(BinRule::EqualWidth),
        Some(("frequency", n_bins)) => bin_count(n_bins, text).map(BinRule::EqualFrequency),
        Some(("whole", edges)) => bounds(edges, text).map(BinRule::WholeUnits),
        None if rule == "mdl" => Ok(BinRule::Mdl),
        None => bounds(rule, text).map(BinRule::Edges),
        Some(_) => Err(unknown(text)),
    }
}

fn bin_count(n_bins: &str, text: &str) -> Result<usize, Error> {
    let n_bins = n_bins.trim().parse().ok();
    n_bins.filter(|n_bins| (2..=65_536).contains(n_bins)).ok_or_else(|| {
        Error::new(ErrorKind::BadText, format!("{text:?} does not name a usable number of bins"))
            .advise("give at least 2 and at most 65,536")
    })
}

fn bounds(edges: &str, text: &str) -> Result<Vec<f64>, Error> {
    let bounds: Option<Vec<f64>> = edges.split(',').map(|edge| edge.trim().parse().ok()).collect();
    let is_rising =
        |bounds: &Vec<f64>| bounds.iter().all(|b| b.is_finite()) && bounds.windows(2).all(|p| p[0] < p[1]);
    bounds.filter(is_rising).ok_or_else(|| {
        Error::new(ErrorKind::BadText, format!("{text:?} does not list rising bounds"))
            .advise("write the inclusive upper bound of each bin but the last, as in bins:20,40,60,80")
    })
}

fn unknown(text: &str) -> Error {
    Error::new(ErrorKind::BadText, format!("{text:?} is not a kind of column")).advise(
        "the kinds are flag, numeric, categorical, categorical:a|b|c, ordered:low<mid<high, bins:20,40,60, \
         bins:width:10, bins:frequency:10 and bins:mdl",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_shown_as_they_are_written() {
        let texts = [
            "flag",
            "numeric",
            "categorical",
            "categorical:a|b b|c",
            "ordered:none<1<2 to 4",
            "bins:0.5,1.5",
            "bins:whole:20,40",
            "bins:width:10",
            "bins:frequency:4",
            "bins:mdl",
        ];
        for text in texts {
            assert_eq!(text.parse::<Kind>().expect(text).to_string(), text);
        }
    }

    #[test]
    fn what_is_no_kind_is_refused_with_the_forms() {
        for text in
            ["", "nominal", "bins", "bins:", "bins:3,2", "bins:width:1", "bins:depth:3", "ordered:a<a"]
        {
            let error = text.parse::<Kind>().expect_err(text);
            assert_eq!(error.kind(), ErrorKind::BadText, "{text}");
            assert!(error.to_string().contains("; "), "{error}");
        }
    }
}
