//! The target: the classes of the rows, and rules that make two classes of a column.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::error::{Error, ErrorKind};
use crate::text_form::written_as_text;

/// The class of each row. With two classes the second is the positive one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    name: String,
    classes: Vec<String>,
    codes: Vec<u32>,
}

impl Target {
    /// A target of named classes.
    ///
    /// # Errors
    /// A code beyond the classes.
    pub fn new<T: Into<String>>(
        name: impl Into<String>,
        classes: impl IntoIterator<Item = T>,
        codes: Vec<u32>,
    ) -> Result<Target, Error> {
        let (name, classes) = (name.into(), classes.into_iter().map(Into::into).collect::<Vec<String>>());
        match codes.iter().find(|&&code| code as usize >= classes.len()) {
            None => Ok(Target { name, classes, codes }),
            Some(code) => {
                let problem =
                    format!("target {name:?}: the code {code} is beyond its {} classes", classes.len());
                Err(Error::new(ErrorKind::Inconsistent, problem))
            }
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The names of the classes.
    pub fn classes(&self) -> &[String] {
        &self.classes
    }

    /// The class of each row.
    pub fn codes(&self) -> &[u32] {
        &self.codes
    }

    /// How many rows each class has.
    pub fn counts(&self) -> Vec<usize> {
        let mut counts = vec![0; self.classes.len()];
        self.codes.iter().for_each(|&code| counts[code as usize] += 1);
        counts
    }

    /// The target if at least two of its classes have rows.
    ///
    /// # Errors
    /// All rows are of one class.
    pub fn with_both_classes(self) -> Result<Target, Error> {
        let counts = self.counts();
        let present: Vec<usize> = (0..counts.len()).filter(|&class| counts[class] > 0).collect();
        match present[..] {
            [] | [_] => {
                let only = present.first().map_or("nothing", |&class| &self.classes[class]);
                let problem = format!(
                    "target {:?}: all {} rows are of the class {only:?}",
                    self.name,
                    self.codes.len()
                );
                Err(Error::new(ErrorKind::SingleClass, problem).advise("there is nothing to tell apart"))
            }
            _ => Ok(self),
        }
    }

    /// The classes of some rows, in that order; a row may occur more than once.
    pub fn take(&self, rows: &[u32]) -> Target {
        let codes = rows.iter().map(|&row| self.codes[row as usize]).collect();
        Target { name: self.name.clone(), classes: self.classes.clone(), codes }
    }
}

/// Which values of a column are positive: a class, a rule on its number, or a set of codes.
///
/// ```
/// use tribunal_learn::TargetRule;
///
/// let suspicious: TargetRule = ">=4".parse()?;
/// assert!(suspicious.is_positive("7") && !suspicious.is_positive("3.5"));
/// let opportunistic: TargetRule = "{3,4,5}".parse()?;
/// assert!(opportunistic.is_positive("4.0") && !opportunistic.is_positive("2"));
/// assert!("fraud".parse::<TargetRule>()?.is_positive("fraud"));
/// # Ok::<(), tribunal_learn::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum TargetRule {
    /// Any of these values, compared as numbers where both are.
    OneOf(Vec<String>),
    /// A number that compares so with a bound.
    Number(Comparison, f64),
}

/// How a number compares with a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `>=`
    AtLeast,
    /// `>`
    Above,
    /// `<=`
    AtMost,
    /// `<`
    Below,
}

/// Longer signs first: `>=4` also begins with `>`.
const SIGNS: [(&str, Comparison); 6] = [
    (">=", Comparison::AtLeast),
    ("<=", Comparison::AtMost),
    ("≥", Comparison::AtLeast),
    ("≤", Comparison::AtMost),
    (">", Comparison::Above),
    ("<", Comparison::Below),
];

impl TargetRule {
    /// Whether a value is positive.
    pub fn is_positive(&self, value: &str) -> bool {
        match self {
            TargetRule::OneOf(values) => values.iter().any(|known| is_same(known, value)),
            TargetRule::Number(comparison, bound) => {
                value.trim().parse().is_ok_and(|number: f64| comparison.holds(number, *bound))
            }
        }
    }

    /// Whether the rule asks for a number, so that a text is neither positive nor negative.
    pub fn needs_number(&self) -> bool {
        matches!(self, TargetRule::Number(..))
    }
}

impl Comparison {
    fn holds(self, number: f64, bound: f64) -> bool {
        match self {
            Comparison::AtLeast => number >= bound,
            Comparison::Above => number > bound,
            Comparison::AtMost => number <= bound,
            Comparison::Below => number < bound,
        }
    }

    fn sign(self) -> &'static str {
        match self {
            Comparison::AtLeast => ">=",
            Comparison::Above => ">",
            Comparison::AtMost => "<=",
            Comparison::Below => "<",
        }
    }
}

/// Whether two values are the same text, or the same number.
fn is_same(known: &str, value: &str) -> bool {
    let number = |text: &str| text.trim().parse::<f64>().ok();
    known == value || number(known).is_some_and(|known| number(value) == Some(known))
}

impl FromStr for TargetRule {
    type Err = Error;

    fn from_str(text: &str) -> Result<TargetRule, Error> {
        let trimmed = text.trim();
        for (sign, comparison) in SIGNS {
            if let Some(bound) = trimmed.strip_prefix(sign) {
                let bound = bound.trim().parse().ok().filter(|bound: &f64| bound.is_finite());
                return bound
                    .map(|bound| TargetRule::Number(comparison, bound))
                    .ok_or_else(|| bad_rule(text));
            }
        }
        let set = trimmed.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
        let values: Vec<String> = match set {
            Some(list) => list.split(',').map(|value| value.trim().to_owned()).collect(),
            None => vec![trimmed.to_owned()],
        };
        if values.iter().any(String::is_empty) { Err(bad_rule(text)) } else { Ok(TargetRule::OneOf(values)) }
    }
}

impl fmt::Display for TargetRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TargetRule::OneOf(values) if values.len() == 1 => f.write_str(&values[0]),
            TargetRule::OneOf(values) => write!(f, "{{{}}}", values.join(",")),
            TargetRule::Number(comparison, bound) => write!(f, "{}{bound}", comparison.sign()),
        }
    }
}

written_as_text!(TargetRule);

fn bad_rule(text: &str) -> Error {
    Error::new(ErrorKind::BadText, format!("{text:?} does not say what is positive"))
        .advise("give a class (fraud), a rule on a number (>=4), or a set of codes ({3,4,5})")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(rule: &str, positives: &[&str], negatives: &[&str]) {
        let rule: TargetRule = rule.parse().expect(rule);
        assert!(positives.iter().all(|value| rule.is_positive(value)), "{rule}");
        assert!(!negatives.iter().any(|value| rule.is_positive(value)), "{rule}");
        assert_eq!(rule.to_string().parse::<TargetRule>().expect("as shown"), rule);
    }

    #[test]
    fn rules_mean_what_they_say() {
        check(">=4", &["4", "4.0", "10", " 5"], &["3.999", "", "many"]);
        check("<0", &["-1"], &["0", "-0"]);
        check("≥ 1", &["1"], &["0"]);
        check("{3,4,5}", &["3", "5.0"], &["2", "35"]);
        check("fraud", &["fraud"], &["Fraud", "no"]);
        check("1", &["1", "1.0", "01"], &["0", "10"]);
    }

    #[test]
    fn what_says_nothing_is_refused() {
        for rule in ["", ">=", ">=four", "{}", "{1,}", "<inf"] {
            assert_eq!(rule.parse::<TargetRule>().expect_err(rule).kind(), ErrorKind::BadText, "{rule}");
        }
    }

    #[test]
    fn one_class_is_an_error_where_two_are_needed() {
        let target = Target::new("y", ["no", "yes"], vec![1, 1]).expect("a target");
        assert_eq!(target.counts(), [0, 2]);
        let error = target.with_both_classes().expect_err("one class");
        assert_eq!(error.kind(), ErrorKind::SingleClass);
        assert!(error.to_string().contains("all 2 rows are of the class \"yes\""), "{error}");
    }
}
