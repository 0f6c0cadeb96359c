//! What an outcome brings in, written as a formula over columns: `amount - 90`, `0.4 * max(fare, 20)`.
//!
//! Numbers, names of columns, `+ - * /`, parentheses, `min(…)` and `max(…)`. A name with other signs than letters, digits, `_` and
//! `.` in it stands between backticks or double quotes. What is wrong with a formula is said with its position.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Formulas may be nested so deep: whoever writes one by hand stays far below.
const DEEPEST: usize = 64;
/// A longer text is no formula.
const LONGEST: usize = 1000;

/// A formula over the columns of a table.
///
/// ```
/// use tribunal::Expression;
///
/// let benefit: Expression = "0.4 * max(paid, 20) - 90".parse()?;
/// assert_eq!(benefit.columns(), ["paid"]);
/// assert_eq!(benefit.value(&[500.0]), 110.0);
///
/// let error = "paid - ".parse::<Expression>().unwrap_err();
/// assert_eq!(error.to_string(), "`paid - ` ends where a number, a column or ( is expected, at position 8");
/// # Ok::<(), tribunal::ExpressionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Expression {
    text: String,
    node: Node,
    columns: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
enum Node {
    Number(f64),
    /// A column by its place in `columns`.
    Column(usize),
    Negative(Box<Node>),
    Binary(Operator, Box<Node>, Box<Node>),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Operator {
    Plus,
    Minus,
    Times,
    Over,
    Min,
    Max,
}

/// What is wrong with a formula, and where: positions count characters from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpressionError {
    text: String,
    position: usize,
    problem: String,
}

impl ExpressionError {
    /// The character at which the formula goes wrong, counted from 1.
    pub fn position(&self) -> usize {
        self.position
    }
}

impl fmt::Display for ExpressionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` {}, at position {}", self.text, self.problem, self.position)
    }
}

impl std::error::Error for ExpressionError {}

impl Expression {
    /// The formula that is one number.
    pub fn of_number(value: f64) -> Self {
        Self { text: value.to_string(), node: Node::Number(value), columns: Vec::new() }
    }

    /// The columns that it looks at, each once, in the order in which it names them.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Its value where it looks at no column.
    pub fn constant(&self) -> Option<f64> {
        self.columns.is_empty().then(|| self.value(&[]))
    }

    /// Its value for a case, whose values stand in the order of [`columns`](Self::columns). A division by zero is not finite.
    pub fn value(&self, values: &[f64]) -> f64 {
        self.node.value(values)
    }

    /// This formula less another.
    ///
    /// # Errors
    /// Together they are too long.
    pub(super) fn less(&self, other: &Self) -> Result<Self, ExpressionError> {
        if let (Some(one), Some(less)) = (self.constant(), other.constant()) {
            return Ok(Self::of_number(one - less));
        }
        let is_sum = other.text.contains(['+', '-']);
        match is_sum {
            true => format!("{self} - ({other})").parse(),
            false => format!("{self} - {other}").parse(),
        }
    }

    /// Whether it looks at a column.
    pub fn names(&self, column: &str) -> bool {
        self.columns.iter().any(|name| name == column)
    }
}

impl Node {
    fn value(&self, values: &[f64]) -> f64 {
        match self {
            Self::Number(number) => *number,
            Self::Column(place) => values[*place],
            Self::Negative(inner) => -inner.value(values),
            Self::Binary(operator, left, right) => {
                let (left, right) = (left.value(values), right.value(values));
                match operator {
                    Operator::Plus => left + right,
                    Operator::Minus => left - right,
                    Operator::Times => left * right,
                    Operator::Over => left / right,
                    Operator::Min => left.min(right),
                    Operator::Max => left.max(right),
                }
            }
        }
    }
}

impl FromStr for Expression {
    type Err = ExpressionError;

    fn from_str(text: &str) -> Result<Self, ExpressionError> {
        let mut parser = Parser { text, rest: text, columns: Vec::new(), depth: 0 };
        if text.chars().nth(LONGEST).is_some() {
            let text = format!("{}…", text.chars().take(40).collect::<String>());
            let problem = format!("is longer than {LONGEST} characters");
            return Err(ExpressionError { text, position: LONGEST + 1, problem });
        }
        let node = parser.sum()?;
        match parser.next() {
            None => Ok(Self { text: text.trim().to_owned(), node, columns: parser.columns }),
            Some(sign @ (',' | ';')) => {
                Err(parser.error(format!("has a {sign} here; write decimals with a point, as in 0.68")))
            }
            Some(sign) => Err(parser.error(format!(
                "has `{sign}` where it should end or go on with + - * /{}",
                parser.advice(sign)
            ))),
        }
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl From<Expression> for String {
    fn from(expression: Expression) -> Self {
        expression.text
    }
}

impl TryFrom<String> for Expression {
    type Error = ExpressionError;

    fn try_from(text: String) -> Result<Self, ExpressionError> {
        text.parse()
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Expression {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Expression".into()
    }

    fn json_schema(_generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "string",
            "description": "A formula over the columns of a table, such as `amount - 90`.",
        })
    }
}

/// What is left of a formula.
struct Parser<'t> {
    text: &'t str,
    rest: &'t str,
    columns: Vec<String>,
    depth: usize,
}

impl Parser<'_> {
    /// The next sign that is no blank.
    fn next(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start();
        self.rest.chars().next()
    }

    fn skip(&mut self, sign: char) {
        self.rest = &self.rest[sign.len_utf8()..];
    }

    /// Passes a sign, if it is the next one.
    fn takes(&mut self, sign: char) -> bool {
        let is_next = self.next() == Some(sign);
        if is_next {
            self.skip(sign);
        }
        is_next
    }

    fn error(&self, problem: impl Into<String>) -> ExpressionError {
        let read = self.text.len() - self.rest.len();
        ExpressionError {
            text: self.text.to_owned(),
            position: 1 + self.text[..read].chars().count(),
            problem: problem.into(),
        }
    }

    fn sum(&mut self) -> Result<Node, ExpressionError> {
        let mut left = self.product()?;
        loop {
            let operator = match self.next() {
                Some('+') => Operator::Plus,
                Some('-') => Operator::Minus,
                _ => return Ok(left),
            };
            self.rest = &self.rest[1..];
            left = Node::Binary(operator, Box::new(left), Box::new(self.product()?));
        }
    }

    fn product(&mut self) -> Result<Node, ExpressionError> {
        let mut left = self.factor()?;
        loop {
            let operator = match self.next() {
                Some('*') => Operator::Times,
                Some('/') => Operator::Over,
                _ => return Ok(left),
            };
            self.rest = &self.rest[1..];
            left = Node::Binary(operator, Box::new(left), Box::new(self.factor()?));
        }
    }

    fn factor(&mut self) -> Result<Node, ExpressionError> {
        if self.depth == DEEPEST {
            return Err(self.error(format!("is nested more than {DEEPEST} levels deep")));
        }
        self.depth += 1;
        let found = match self.next() {
            Some('-') => {
                self.skip('-');
                self.factor().map(|inner| match inner {
                    Node::Number(number) => Node::Number(-number),
                    inner => Node::Negative(Box::new(inner)),
                })
            }
            Some('(') => {
                self.skip('(');
                let inner = self.sum()?;
                self.closed(inner)
            }
            Some(quote @ ('`' | '"')) => self.quoted(quote),
            Some(sign) if sign.is_ascii_digit() || sign == '.' => self.number(),
            Some(sign) if sign.is_alphabetic() || sign == '_' => self.name(),
            Some(sign) => Err(self.error(format!("has `{sign}` where a number, a column or ( is expected"))),
            None => Err(self.error("ends where a number, a column or ( is expected")),
        };
        self.depth -= 1;
        found
    }

    fn closed(&mut self, inner: Node) -> Result<Node, ExpressionError> {
        if self.takes(')') {
            return Ok(inner);
        }
        let advice = self.next().map_or_else(String::new, |sign| self.advice(sign));
        Err(self.error(format!("lacks a ){advice}")))
    }

    /// What to do where a name stands right behind a name: they may be one, with a blank in it.
    fn advice(&self, sign: char) -> String {
        let is_part = |sign: char| sign.is_alphanumeric() || sign == '_' || sign == '.';
        let read = self.text[..self.text.len() - self.rest.len()].trim_end();
        let start = read.rfind(|sign| !is_part(sign)).map_or(0, |at| at + 1);
        let first = read.get(start..).unwrap_or_default();
        if !is_part(sign) || !first.starts_with(|sign: char| sign.is_alphabetic() || sign == '_') {
            return String::new();
        }
        let end = self.rest.find(|sign| !is_part(sign)).unwrap_or(self.rest.len());
        format!(
            "; a column with a blank in its name stands between quotes, as in \"{first} {}\"",
            &self.rest[..end]
        )
    }

    fn quoted(&mut self, quote: char) -> Result<Node, ExpressionError> {
        match self.rest[1..].find(quote) {
            Some(end) if end > 0 => {
                let name = self.rest[1..=end].to_owned();
                self.rest = &self.rest[end + 2..];
                Ok(self.column(name))
            }
            Some(_) => Err(self.error("has a column without a name")),
            None => Err(self.error(format!("lacks the closing {quote} of a column"))),
        }
    }

    fn number(&mut self) -> Result<Node, ExpressionError> {
        let is_digit = |sign: char| sign.is_ascii_digit() || sign == '.';
        let mut end = self.rest.find(|sign| !is_digit(sign)).unwrap_or(self.rest.len());
        let exponent = self.rest[end..].strip_prefix(['e', 'E']);
        if let Some(power) = exponent.map(|power| power.strip_prefix(['+', '-']).unwrap_or(power)) {
            let digits = power.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(power.len());
            if digits > 0 {
                end = self.rest.len() - power.len() + digits;
            }
        }
        match self.rest[..end].parse::<f64>() {
            Ok(number) if number.is_finite() => {
                self.rest = &self.rest[end..];
                Ok(Node::Number(number))
            }
            _ => Err(self.error(format!("has `{}`, which is no number", &self.rest[..end]))),
        }
    }

    fn name(&mut self) -> Result<Node, ExpressionError> {
        let is_part = |sign: char| sign.is_alphanumeric() || sign == '_' || sign == '.';
        let end = self.rest.find(|sign| !is_part(sign)).unwrap_or(self.rest.len());
        let name = self.rest[..end].to_owned();
        if ["nan", "inf", "infinity"].contains(&name.to_lowercase().as_str()) {
            return Err(self.error(format!("has `{name}`, which is no number")));
        }
        let operator = match name.as_str() {
            "min" => Some(Operator::Min),
            "max" => Some(Operator::Max),
            _ => None,
        };
        let before = self.rest;
        self.rest = &self.rest[end..];
        if self.next() != Some('(') {
            return Ok(self.column(name));
        }
        let Some(operator) = operator else {
            self.rest = before;
            return Err(self.error(format!("has `{name}(`, which is no function; there are min and max")));
        };
        self.skip('(');
        let mut found = self.sum()?;
        if self.next() != Some(',') {
            return Err(
                self.error(format!("gives {name} one value; it takes two or more, with commas between"))
            );
        }
        while self.takes(',') {
            found = Node::Binary(operator, Box::new(found), Box::new(self.sum()?));
        }
        self.closed(found)
    }

    fn column(&mut self, name: String) -> Node {
        let known = self.columns.iter().position(|column| *column == name);
        Node::Column(known.unwrap_or_else(|| {
            self.columns.push(name);
            self.columns.len() - 1
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(text: &str, values: &[f64], expected: f64) {
        let expression: Expression = text.parse().expect(text);
        assert_eq!(expression.value(values), expected, "{text}");
        assert_eq!(expression.to_string().parse::<Expression>().expect("its own text"), expression);
    }

    #[test]
    fn products_bind_closer_than_sums_and_both_to_the_left() {
        check("1 - 2 - 3", &[], -4.0);
        check("2 + 3 * 4", &[], 14.0);
        check("(2 + 3) * 4", &[], 20.0);
        check("8 / 4 / 2", &[], 1.0);
        check("-2 * -a", &[3.0], 6.0);
        check("--1", &[], 1.0);
        check(" 1.5e2 - .5 ", &[], 149.5);
    }

    #[test]
    fn columns_have_names_and_each_counts_once() {
        check("amount - 90", &[400.0], 310.0);
        check("min(a, b, 5) + max(a, 1)", &[7.0, 6.0], 12.0);
        check("`gift amount` * `gift amount`", &[3.0], 9.0);
        check("\"a-b\" + min", &[1.0, 2.0], 3.0);
        let expression: Expression = "b * a + b".parse().expect("a formula");
        assert_eq!(expression.columns(), ["b", "a"]);
        assert_eq!((expression.names("a"), expression.names("c")), (true, false));
        assert_eq!(expression.constant(), None);
        assert_eq!("2 * 3".parse::<Expression>().expect("a formula").constant(), Some(6.0));
    }

    #[test]
    fn errors_say_what_and_where() {
        let check = |text: &str, position: usize, problem: &str| {
            let error = text.parse::<Expression>().expect_err(text);
            assert_eq!(error.position(), position, "{error}");
            assert!(error.to_string().contains(problem), "{error}");
        };
        check("", 1, "ends where a number");
        check("a -", 4, "ends where a number");
        check("a ** 2", 4, "`*` where a number");
        check("0,68", 2, "decimals with a point");
        check("a b", 3, "where it should end");
        check("0.4 * Paid amount - 90", 12, "between quotes, as in \"Paid amount\"");
        check("max(1, (Paid amount))", 14, "lacks a ); a column with a blank in its name");
        check("(a + 1", 7, "lacks a )");
        check("a + 1)", 6, "where it should end");
        check("log(a)", 1, "no function; there are min and max");
        check("min(a)", 6, "two or more");
        check("1.2.3", 1, "no number");
        check("1e999", 1, "no number");
        check("2 * nan", 5, "no number");
        check("`a", 1, "lacks the closing `");
        check("a + ``", 5, "without a name");
        check("ä + €", 5, "`€` where a number");
        check(&"(".repeat(1000), 65, "nested");
        check(&"-".repeat(1000), 65, "nested");
        check(&"1+".repeat(1000), 1001, "longer than 1000");
    }

    #[test]
    fn a_division_by_zero_is_not_finite() {
        let ratio: Expression = "a / b".parse().expect("a formula");
        assert!(!ratio.value(&[1.0, 0.0]).is_finite() && ratio.value(&[1.0, 4.0]) == 0.25);
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "[ab0-9+*/(),.`\" eminax-]{0,30}") {
            if let Ok(expression) = text.parse::<Expression>() {
                expression.value(&vec![1.0; expression.columns().len()]);
            }
        }
    }
}
