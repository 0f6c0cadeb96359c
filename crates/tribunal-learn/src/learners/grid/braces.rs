//! Braces in a text: alternatives, and the texts that come of choosing one from each.

use super::range::{self, MOST_VALUES};
use crate::error::{Error, ErrorKind};

/// A text with alternatives: what stands around the braces, and what stands in them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Braces {
    /// One more than there are braces.
    around: Vec<String>,
    pub(super) choices: Vec<Vec<String>>,
}

impl Braces {
    /// Reads a text such as `tan:{5,25}+{platt,isotonic}`.
    ///
    /// # Errors
    /// A brace is empty, never closed, never opened or within another; a range is none; there are too many texts.
    pub(super) fn parse(text: &str) -> Result<Braces, Error> {
        let (mut around, mut choices, mut rest) = (Vec::new(), Vec::new(), text);
        while let Some((before, after)) = rest.split_once('{') {
            let Some((inside, behind)) = after.split_once('}') else {
                return Err(wrong(text, "a brace is never closed; write {5,25}"));
            };
            if inside.contains('{') {
                return Err(wrong(text, "a brace stands within another; write all alternatives in one"));
            }
            around.push(before.to_owned());
            choices.push(alternatives(inside).map_err(|problem| wrong(text, &problem))?);
            rest = behind;
        }
        around.push(rest.to_owned());
        if around.iter().any(|plain| plain.contains('}')) {
            return Err(wrong(text, "a brace is closed that was never opened; write {5,25}"));
        }
        let braces = Braces { around, choices };
        match braces.n_texts() {
            Some(n_texts) if n_texts <= MOST_VALUES => Ok(braces),
            _ => Err(wrong(text, &format!("there are more than {MOST_VALUES} candidates; try fewer values"))),
        }
    }

    fn n_texts(&self) -> Option<usize> {
        self.choices.iter().try_fold(1, |n_texts: usize, choice| n_texts.checked_mul(choice.len()))
    }

    /// Every way to choose, by the number of the alternative in each brace; the last brace changes first.
    pub(super) fn places(&self) -> impl Iterator<Item = Vec<usize>> {
        let place = |mut idx: usize| {
            let mut place = vec![0; self.choices.len()];
            for (at, choice) in self.choices.iter().enumerate().rev() {
                place[at] = idx % choice.len();
                idx /= choice.len();
            }
            place
        };
        (0..self.n_texts().unwrap_or(0)).map(place)
    }

    /// The text of a choice.
    pub(super) fn text(&self, place: &[usize]) -> String {
        self.joined(|axis| &self.choices[axis][place[axis]])
    }

    /// The text of a choice with another value in one of the braces.
    pub(super) fn text_with(&self, place: &[usize], axis: usize, value: &str) -> String {
        self.joined(|at| if at == axis { value } else { &self.choices[at][place[at]] })
    }

    fn joined<'a>(&'a self, chosen: impl Fn(usize) -> &'a str) -> String {
        let mut text = self.around[0].clone();
        for (axis, behind) in self.around[1..].iter().enumerate() {
            text += chosen(axis);
            text += behind;
        }
        text
    }

    /// What a brace sets, if it is the value of a key, as in `min={2,5}`.
    pub(super) fn key(&self, axis: usize) -> Option<&str> {
        let before = self.around[axis].trim_end().strip_suffix('=')?;
        before.rsplit([',', ':']).next().map(str::trim).filter(|key| !key.is_empty())
    }
}

/// What may stand in place of a brace. One that is left empty stands for nothing, as in `nb:5{,+platt}`.
fn alternatives(inside: &str) -> Result<Vec<String>, String> {
    if inside.trim().is_empty() {
        return Err("a brace is empty; write the values to try, as in {5,25}".to_owned());
    }
    let mut found = Vec::new();
    for part in inside.split(',').map(str::trim) {
        match range::values(part) {
            Some(values) => found.extend(values?),
            None => found.push(part.to_owned()),
        }
    }
    Ok(found)
}

pub(super) fn wrong(text: &str, problem: &str) -> Error {
    Error::new(ErrorKind::BadText, format!("grid {text:?}: {problem}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        let braces = Braces::parse(text).expect(text);
        braces.places().map(|place| braces.text(&place)).collect()
    }

    #[test]
    fn every_choice_is_written_out_the_last_brace_first() {
        let check = |text: &str, expected: &[&str]| assert_eq!(texts(text), expected, "{text}");
        check("nb", &["nb"]);
        check("nb:{0,5}", &["nb:0", "nb:5"]);
        check("a:{1,2},b={x,y}", &["a:1,b=x", "a:1,b=y", "a:2,b=x", "a:2,b=y"]);
        check("tan:{5}+{platt, beta }", &["tan:5+platt", "tan:5+beta"]);
        check("nb:{0,1..4*2,2..4+1}", &["nb:0", "nb:1", "nb:2", "nb:4", "nb:2", "nb:3", "nb:4"]);
        check("nb:5{,+platt}", &["nb:5", "nb:5+platt"]);
        check("{nb:5,tan:25}", &["nb:5", "tan:25"]);
    }

    #[test]
    fn braces_that_do_not_fit_are_refused() {
        let check = |text: &str, says: &str| {
            let error = Braces::parse(text).expect_err(text).to_string();
            assert!(error.starts_with(&format!("grid {text:?}: ")) && error.contains(says), "{error}");
        };
        check("nb:{}", "a brace is empty");
        check("nb:{ }", "a brace is empty");
        check("nb:{5", "never closed");
        check("nb:5}", "never opened");
        check("nb:5},{6}", "never opened");
        check("nb:{5,{6,7}}", "within another");
        check("nb:{1..5}", "no range");
        check("nb:{1..10000+1}{1,2}", "more than 10000 candidates");
        check(&"{1,2}".repeat(80), "more than 10000 candidates");
    }

    #[test]
    fn a_key_is_what_stands_before_the_brace() {
        let braces = Braces::parse("c45:min={2,5},cf = {0.1,0.2},{a,b}").expect("braces");
        assert_eq!([0, 1, 2].map(|axis| braces.key(axis)), [Some("min"), Some("cf"), None]);
        assert_eq!(Braces::parse("nb:{5,25}").expect("braces").key(0), None);
    }
}
