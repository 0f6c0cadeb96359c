//! The header of an ARFF file: `@relation`, `@attribute name type` and `@data`.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::arff::token::token;
use crate::error::{Error, ErrorKind, quoted};
use crate::place::{Location, Unit};

/// A declared column.
#[derive(Debug)]
pub(crate) struct Attribute {
    pub(crate) name: String,
    pub(crate) kind: AttributeKind,
}

/// What values an attribute may have.
#[derive(Debug)]
pub(crate) enum AttributeKind {
    Numeric,
    /// One of a list. A sparse row that leaves it out has the first.
    Nominal {
        first: String,
        values: FxHashSet<String>,
    },
    Text,
    Date,
}

/// The attributes, and how many bytes and lines the header takes up.
#[derive(Debug)]
pub(crate) struct Header {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) bytes: usize,
    pub(crate) lines: u64,
}

/// Whether a text holds the whole header.
pub(crate) fn is_complete(bytes: &[u8]) -> bool {
    let mut lines = bytes.split_inclusive(|&byte| byte == b'\n').filter(|line| line.ends_with(b"\n"));
    lines.any(|line| line.trim_ascii().eq_ignore_ascii_case(b"@data"))
}

/// Reads the header of a text.
pub(crate) fn parse(text: &str, file: &Arc<str>) -> Result<Header, Error> {
    let mut header = Header { attributes: Vec::new(), bytes: 0, lines: 0 };
    for line in text.split_inclusive('\n') {
        header.bytes += line.len();
        header.lines += 1;
        let at = Location::new(file, Unit::Line, header.lines);
        match declaration(line.trim_ascii()) {
            Declaration::Nothing => {}
            Declaration::Data => return Ok(header),
            Declaration::Attribute(rest) => {
                header.attributes.push(attribute(rest).map_err(|error| error.at(at))?)
            }
            Declaration::Unknown => {
                let problem = format!("{} is neither @attribute nor @data", quoted(line.trim_ascii()));
                return Err(malformed(problem).at(at));
            }
        }
    }
    Err(malformed("there is no @data line").in_file(file))
}

enum Declaration<'a> {
    Nothing,
    Attribute(&'a str),
    Data,
    Unknown,
}

fn declaration(line: &str) -> Declaration<'_> {
    let (word, rest) = line.split_at(line.find([' ', '\t']).unwrap_or(line.len()));
    match word.to_ascii_lowercase().as_str() {
        "@relation" => Declaration::Nothing,
        "@attribute" => Declaration::Attribute(rest),
        "@data" => Declaration::Data,
        word if word.is_empty() || word.starts_with('%') => Declaration::Nothing,
        _ => Declaration::Unknown,
    }
}

fn attribute(line: &str) -> Result<Attribute, Error> {
    let unclosed = |_| {
        Error::new(ErrorKind::UnclosedQuote, "a quote is not closed on this line")
            .advise("close it, or escape it with a backslash")
    };
    let (name, rest) = token(line, &[' ', '\t', '{']).map_err(unclosed)?;
    let rest = rest.trim_ascii();
    if let Some(values) = rest.strip_prefix('{') {
        let values =
            values.strip_suffix('}').ok_or_else(|| malformed("the list of values is not closed with }"))?;
        return Ok(Attribute { name: name.text.into(), kind: nominal(values).map_err(unclosed)? });
    }
    let word = rest.split([' ', '\t']).next().unwrap_or_default().to_ascii_lowercase();
    let kind = match word.as_str() {
        "numeric" | "real" | "integer" => AttributeKind::Numeric,
        "string" => AttributeKind::Text,
        "date" => AttributeKind::Date,
        _ => {
            return Err(malformed(format!("attribute {} has the type {}", quoted(&name.text), quoted(rest)))
                .advise("write numeric, string, date or a list of values in braces"));
        }
    };
    Ok(Attribute { name: name.text.into(), kind })
}

fn nominal(mut rest: &str) -> Result<AttributeKind, crate::arff::token::Unclosed> {
    let mut values = Vec::new();
    while !rest.trim_ascii().is_empty() {
        let (value, after) = token(rest, &[','])?;
        values.push(value.text.into_owned());
        rest = after.trim_ascii_start().strip_prefix(',').unwrap_or_default();
    }
    let first = values.first().cloned().unwrap_or_default();
    Ok(AttributeKind::Nominal { first, values: values.into_iter().collect() })
}

pub(crate) fn malformed(problem: impl Into<String>) -> Error {
    Error::new(ErrorKind::Malformed, problem)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let file = Arc::from("claims.arff");
        match parse(text, &file) {
            Ok(header) => {
                assert_eq!(format!("{:?} {} {}", names(&header), header.bytes, header.lines), expected)
            }
            Err(error) => assert!(error.to_string().contains(expected), "{error}"),
        }
    }

    fn names(header: &Header) -> Vec<&str> {
        header.attributes.iter().map(|attribute| attribute.name.as_str()).collect()
    }

    #[test]
    fn names_types_and_errors() {
        check(
            "% note\n@RELATION x\n@Attribute 'a b' REAL\n@attribute c{x, 'y z'}\n@data\n1,x\n",
            "[\"a b\", \"c\"] 70 5",
        );
        check("@relation x\n@attribute a date 'yyyy-MM-dd'\n@data", "[\"a\"] 48 3");
        check("@relation x\n@attribute a numeric\n", "claims.arff: there is no @data line");
        check(
            "@relation x\n@attribute a colour\n@data\n",
            "line 2: attribute \"a\" has the type \"colour\"; write numeric",
        );
        check("@relation x\n@attribute 'a numeric\n@data\n", "line 2: a quote is not closed");
        check("@relation x\nhello\n@data\n", "line 2: \"hello\" is neither @attribute nor @data");
        check("@relation x\n@attribute a {x,y\n@data\n", "line 2: the list of values is not closed");
    }
}
