//! Which column is to be predicted, and what in it is positive, as far as a table tells.

use tribunal_learn::{Role, TargetRule};

use crate::data::TargetRequest;
use crate::describe::{ClassCount, ColumnDescription, Description};
use crate::error::Error;
use crate::message::{Message, Setting};

/// Words that outcomes are called by, the surest first.
const OUTCOMES: [&str; 27] = [
    "target",
    "fraud",
    "fraudulent",
    "label",
    "class",
    "outcome",
    "truth",
    "y",
    "response",
    "churn",
    "bad",
    "default",
    "positive",
    "event",
    "donate",
    "donated",
    "responded",
    "subscribed",
    "purchased",
    "bought",
    "converted",
    "clicked",
    "cancelled",
    "approved",
    "adjusted",
    "survived",
    "died",
];

/// How many other columns are named.
const SHOWN: usize = 6;

/// A target, and how it was come by.
#[derive(Debug)]
pub(super) struct Chosen {
    pub(super) request: TargetRequest,
    how: How,
}

#[derive(Debug)]
enum How {
    Given,
    /// Its name sounds like an outcome, or it is only the last of two values; the others that could be meant.
    Guessed {
        by_name: bool,
        others: Vec<String>,
    },
}

/// A target as it is written.
#[derive(Debug)]
pub(super) struct ChosenTarget {
    pub(super) column: String,
    /// What is positive, as a rule; nothing if no rule can say it.
    pub(super) rule: Option<String>,
    /// How it was come by, and what is positive, in sentences.
    pub(super) said: Vec<String>,
    /// Rows of the rarer class.
    pub(super) n_rarer: u64,
}

impl Chosen {
    pub(super) fn given(request: &TargetRequest) -> Self {
        Self { request: request.clone(), how: How::Given }
    }

    /// The column of two values that sounds most like an outcome, or else the last one.
    ///
    /// Outcomes are columns that a population lacks, where there are any such.
    pub(super) fn guessed(description: &Description, lacking: &[String]) -> Result<Self, Error> {
        let mut binary: Vec<&ColumnDescription> =
            description.columns.iter().filter(|c| is_binary(c)).collect();
        let is_lacking = |column: &&ColumnDescription| lacking.contains(&column.name);
        if binary.iter().any(is_lacking) {
            binary.retain(is_lacking);
        }
        // The last of equals: outcomes tend to stand at the end.
        let place = |&idx: &usize| likeness(&binary[idx].name).unwrap_or(usize::MAX);
        let best = (0..binary.len()).rev().min_by_key(place);
        let Some(best) = best else {
            let message = Message::from(
                "no column has two values, so that there is nothing to guess: name what is to be predicted and what of it \
                 is positive, for example ",
            );
            let message = message.set(Setting::Target, "score").text(" ");
            return Err(Error::usage(message.set(Setting::Positive, ">=4")));
        };
        let best = binary.remove(best);
        let by_name = likeness(&best.name).is_some();
        let others = binary.iter().map(|column| column.name.clone()).collect();
        let request = TargetRequest { name: best.name.clone(), positive: None };
        Ok(Self { request, how: How::Guessed { by_name, others } })
    }

    /// The target with its positive class, once the table was described with it.
    pub(super) fn target(&self, description: &Description) -> Result<ChosenTarget, Error> {
        let column = self.request.name.clone();
        let classes = description.targets.first().map_or(&[][..], |target| &target.classes);
        let [negative, positive] = classes else {
            let example = classes.first().map_or("yes", |class| &class.class);
            let message =
                format!("\"{column}\" has {} classes; say which is positive, for example ", classes.len());
            return Err(Error::usage(Message::from(message).set(Setting::Positive, example)));
        };
        let rule = match &self.request.positive {
            Some(rule) => Some(rule.to_string()),
            None => rule_for(&positive.class),
        };
        let mut said: Vec<String> = self.how_chosen().into_iter().collect();
        said.push(self.what_is_positive(negative, positive));
        Ok(ChosenTarget { column, rule, said, n_rarer: negative.rows.min(positive.rows) })
    }

    /// The same where more than two classes are told apart, unless one of them is said to be positive.
    pub(super) fn target_of_any_classes(&self, description: &Description) -> Result<ChosenTarget, Error> {
        let classes = description.targets.first().map_or(&[][..], |target| &target.classes);
        if classes.len() <= 2 || self.request.positive.is_some() {
            return self.target(description);
        }
        let named: Vec<String> = classes
            .iter()
            .take(SHOWN)
            .map(|class| format!("\"{}\" ({} rows)", class.class, class.rows))
            .collect();
        let more = classes.len().saturating_sub(SHOWN);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let said = format!("{} classes are told apart: {}{more}.", classes.len(), named.join(", "));
        Ok(ChosenTarget {
            column: self.request.name.clone(),
            rule: None,
            said: self.how_chosen().into_iter().chain([said]).collect(),
            n_rarer: classes.iter().map(|class| class.rows).min().unwrap_or(0),
        })
    }

    fn how_chosen(&self) -> Option<String> {
        let How::Guessed { by_name, others } = &self.how else { return None };
        let why =
            if *by_name { "its name sounds like an outcome" } else { "it is the last column of two values" };
        let guess = format!("\"{}\" is a guess: {why}.", self.request.name);
        if others.is_empty() {
            return Some(format!("{guess} No other column has two values."));
        }
        let listed: Vec<String> = others.iter().take(SHOWN).map(|name| format!("\"{name}\"")).collect();
        let more = others.len().saturating_sub(SHOWN);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        Some(format!("{guess} It could also be {}{more}.", listed.join(", ")))
    }

    fn what_is_positive(&self, negative: &ClassCount, positive: &ClassCount) -> String {
        let n_rows = negative.rows + positive.rows;
        let share = 100.0 * positive.rows as f64 / n_rows as f64;
        let counted = format!("{} of {n_rows} rows ({share:.1} %)", positive.rows);
        match self.request.positive {
            Some(_) => format!("{} is positive: {counted}.", positive.class),
            None => {
                let why =
                    if positive.rows <= negative.rows { "the rarer class" } else { "the yes of the two" };
                let (class, other) = (&positive.class, &negative.class);
                format!(
                    "\"{class}\", {why}, is taken for positive: {counted}; the other class is \"{other}\"."
                )
            }
        }
    }
}

fn is_binary(column: &ColumnDescription) -> bool {
    column.distinct == 2 && !column.more_levels && column.role == Role::Predictor
}

/// How much a name sounds like an outcome: whole names before words in them, then the order of the list. Lower is more.
fn likeness(name: &str) -> Option<usize> {
    let place = |word: &str| OUTCOMES.iter().position(|outcome| *outcome == word);
    let in_words = || words(name).iter().filter_map(|word| place(word)).min();
    place(&name.to_lowercase()).or_else(|| in_words().map(|place| OUTCOMES.len() + place))
}

/// The words of a name, in small letters: `FraudFound_P` is fraud, found, p.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_small = false;
    for letter in name.chars() {
        if !letter.is_alphanumeric() || letter.is_uppercase() && was_small {
            words.push(String::new());
        }
        if let (true, Some(word)) = (letter.is_alphanumeric(), words.last_mut()) {
            word.extend(letter.to_lowercase());
        }
        was_small = letter.is_lowercase();
    }
    words
}

/// A class as a rule. One that looks like another rule, such as `>50K`, is put into braces.
fn rule_for(class: &str) -> Option<String> {
    let says_it = |text: &String| {
        text.parse().is_ok_and(|rule: TargetRule| {
            !rule.needs_number() && rule == TargetRule::OneOf(vec![class.to_owned()])
        })
    };
    [class.to_owned(), format!("{{{class}}}")].into_iter().find(says_it)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, expected: &[&str]) {
        assert_eq!(words(name), expected, "{name}");
    }

    #[test]
    fn names_are_cut_into_words() {
        check("FraudFound_P", &["fraud", "found", "p"]);
        check("isFraud", &["is", "fraud"]);
        check("y", &["y"]);
        check("TARGET", &["target"]);
    }

    #[test]
    fn some_names_sound_more_like_outcomes_than_others() {
        assert!(likeness("fraud") < likeness("y"));
        assert!(likeness("Class") < likeness("FraudFound_P"));
        assert!(likeness("y") < likeness("default"));
        assert_eq!(likeness("happy"), None);
    }

    #[test]
    fn classes_that_look_like_rules_are_put_into_braces() {
        let check =
            |class: &str, expected: Option<&str>| assert_eq!(rule_for(class).as_deref(), expected, "{class}");
        check("yes", Some("yes"));
        check("1", Some("1"));
        check(">50K", Some("{>50K}"));
        check(">=4", Some("{>=4}"));
        check("{a}", Some("{{a}}"));
        check(">a,b", None);
        check(" yes", None);
    }
}
