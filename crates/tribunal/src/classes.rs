//! Which labels are positive.

use crate::error::Error;
use crate::message::{Message, Setting};
use crate::warning::Warning;

/// The words, in small letters, that say no and those that say yes: `tribunal_learn::FLAG_WORDS`, for builds without learners
/// too.
const FLAG_WORDS: [&[&str]; 2] = [
    &["0", "0.0", "no", "n", "false", "f", "nein", "non", "nee", "não"],
    &["1", "1.0", "yes", "y", "true", "t", "ja", "oui", "si", "sí", "sim"],
];

/// The two classes of a truth column. The positive one is always named by the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Classes {
    column: String,
    positive: String,
    rest_is_negative: bool,
    /// The labels that count as negative, in the order in which they were met.
    negatives: Vec<String>,
    met_third: bool,
}

impl Classes {
    /// Two classes, one of them called `positive`; with `rest_is_negative` every other label is negative.
    pub fn new(column: &str, positive: &str, rest_is_negative: bool) -> Self {
        Self {
            column: column.to_owned(),
            positive: positive.to_owned(),
            rest_is_negative,
            negatives: Vec::new(),
            met_third: false,
        }
    }

    /// Whether a label is the positive one; a third label is an error at the given place.
    pub(crate) fn is_positive(&mut self, label: &str, place: impl Fn() -> String) -> Result<bool, Error> {
        if names_same(label, &self.positive) {
            return Ok(true);
        }
        match self.negatives.first() {
            Some(known) if names_same(known, label) => {}
            Some(known) if !self.rest_is_negative => {
                self.met_third = true;
                let message = Message::from(format!(
                    "{}, column \"{}\": \"{label}\" is a third class beside \"{}\" (positive) and \"{known}\"; \
                     keep two classes, or add ",
                    place(),
                    self.column,
                    self.positive
                ));
                let message = message.setting(Setting::RestIsNegative);
                return Err(Error::data(message.text(" to count every other label as negative")));
            }
            _ => self.negatives.push(label.to_owned()),
        }
        Ok(false)
    }

    /// Which labels count as negative, where they are several; nobody may have meant all of them.
    pub(crate) fn several_negatives(&self) -> Option<Warning> {
        if self.negatives.len() < 2 {
            return None;
        }
        let says = |label: &str| {
            let word = label.trim().to_lowercase();
            FLAG_WORDS.iter().position(|words| words.contains(&word.as_str()))
        };
        let positive = says(&self.positive);
        let says_the_same = |label: &&String| positive.is_some() && says(label) == positive;
        Some(Warning::SeveralNegatives {
            positive: self.positive.clone(),
            negatives: self.negatives.clone(),
            alike: self.negatives.iter().find(says_the_same).cloned(),
        })
    }

    /// The labels that count as negative, the first hundred of them.
    pub(crate) fn negatives(&self) -> Vec<String> {
        self.negatives.iter().take(100).cloned().collect()
    }

    /// Whether a third class was refused.
    pub(crate) fn met_third(&self) -> bool {
        self.met_third
    }
}

/// Whether two labels name the same class: equal as text, as numbers (1 and 1.0) or but for
/// case (True and true).
pub(crate) fn names_same(a: &str, b: &str) -> bool {
    let number = |text: &str| text.trim().parse::<f64>().ok();
    a == b || a.eq_ignore_ascii_case(b) || number(a).zip(number(b)).is_some_and(|(a, b)| a == b)
}

/// Says which classes there are and how to choose.
pub(crate) fn ask_for_positive(column: &str, counts: &[(String, u64)]) -> Error {
    const SHOWN: usize = 6;
    let shown: Vec<String> = counts.iter().take(SHOWN).map(with_rows).collect();
    let rarest = counts.iter().min_by_key(|(_, rows)| *rows).map_or("", |(label, _)| label.as_str());
    if let [_] = counts {
        return Error::data(format!(
            "column \"{column}\" has one class only: {}; with one class no model can be judged, so give cases of both",
            shown.concat()
        ));
    }
    Error::usage(match counts.len() {
        0 => Message::from(format!(
            "column \"{column}\" holds no label at all; name the column of the truth with "
        ))
        .setting(Setting::Truth),
        2 => Message::from(format!("column \"{column}\" has 2 classes: {}; ", shown.join(" and ")))
            .text("say which one is positive, for example ")
            .set(Setting::Positive, rarest),
        n => Message::from(format!("column \"{column}\" has {n} classes: {}; ", listed(counts)))
            .text("is it the truth? If so, ")
            .set(Setting::Positive, rarest)
            .text(" ")
            .setting(Setting::RestIsNegative)
            .text(" counts every other label as negative"),
    })
}

/// Says that no row has the label that was named, and which labels there are, the nearest first.
pub(crate) fn no_such_label(column: &str, label: &str, counts: &[(String, u64)]) -> Error {
    let near = tribunal_io::nearest(label, counts.iter().map(|(known, _)| known.as_str()));
    let is_near = |known: &str| Some(known) == near;
    let mut sorted = counts.to_vec();
    sorted.sort_by_key(|(known, rows)| (!is_near(known), std::cmp::Reverse(*rows)));
    let hint = near.map_or_else(String::new, |near| format!(" (did you mean \"{near}\"?)"));
    Error::data(match counts {
        [] => format!("column \"{column}\" holds no label at all, so there is nothing to judge"),
        [(only, _)] => format!(
            "no row of column \"{column}\" is \"{label}\"{hint}: every row is \"{only}\", and with one class only there \
             is nothing to tell apart"
        ),
        _ => {
            format!("no row of column \"{column}\" is \"{label}\"{hint}; it holds {}", listed(&sorted))
        }
    })
}

/// The first few labels with their rows.
pub(crate) fn listed(counts: &[(String, u64)]) -> String {
    const SHOWN: usize = 6;
    let shown: Vec<String> = counts.iter().take(SHOWN).map(with_rows).collect();
    match counts.len().saturating_sub(SHOWN) {
        0 => shown.join(", "),
        n => format!("{} and {n} more", shown.join(", ")),
    }
}

fn with_rows((label, rows): &(String, u64)) -> String {
    format!("\"{label}\" ({rows} row{})", if *rows == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_match_as_text_as_numbers_and_but_for_case() {
        let mut classes = Classes::new("y", "1", false);
        let place = || "a.csv, line 2".to_owned();
        assert!(classes.is_positive("1.0", place).expect("a class"));
        assert!(!classes.is_positive("0", place).expect("a class"));
        assert!(!classes.is_positive("0.0", place).expect("a class"));
        assert!(Classes::new("y", "True", false).is_positive("true", place).expect("a class"));
        let error = classes.is_positive("2", place).expect_err("a third class").to_string();
        assert!(error.starts_with("a.csv, line 2, column \"y\": \"2\" is a third class"), "{error}");
    }

    #[cfg(feature = "learners")]
    #[test]
    fn words_for_yes_and_no_are_those_of_the_learners() {
        assert_eq!(FLAG_WORDS, tribunal_learn::FLAG_WORDS);
    }

    #[test]
    fn the_question_lists_both_classes() {
        let error = ask_for_positive("y", &[("no".into(), 9), ("it's".into(), 3)]).to_string();
        assert_eq!(
            error,
            "column \"y\" has 2 classes: \"no\" (9 rows) and \"it's\" (3 rows); say which one is positive, \
             for example `positive = it's`"
        );
    }
}
