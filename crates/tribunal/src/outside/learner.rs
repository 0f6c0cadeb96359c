//! A learner from outside: a command with settings, as text and as values.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tribunal_io::TableFormat;
use tribunal_learn::Dataset;

use super::model::OutsideModel;
use crate::error::Error;

/// How such learners are written.
pub(crate) const FORM: &str = "outside[timeout=SECONDS,format=csv|arrow]:COMMAND";

/// The word that their text begins with.
pub(crate) const NAME: &str = "outside";

/// So long may a step take if nobody says otherwise.
const USUAL_TIMEOUT: u32 = 3600;

/// No command is longer; it stands in names of columns and in the first line of a model's file.
const LONGEST_COMMAND: usize = 1000;

/// A command that fits and scores, written `outside:COMMAND`.
///
/// ```
/// use tribunal::OutsideLearner;
///
/// let learner: OutsideLearner = "outside[timeout=600]:python3 'my learner.py' --depth 3".parse()?;
/// assert_eq!(learner.words(), ["python3", "my learner.py", "--depth", "3"]);
/// assert_eq!(learner.to_string(), "outside[timeout=600]:python3 'my learner.py' --depth 3");
/// # Ok::<(), tribunal::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct OutsideLearner {
    /// The command as it was written, and the words that it means.
    command: String,
    words: Vec<String>,
    /// In seconds.
    timeout: u32,
    exchange: Exchange,
}

/// The format of the tables that a command is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Exchange {
    /// CSV.
    #[default]
    Csv,
    /// Arrow IPC files.
    Arrow,
}

impl Exchange {
    const ALL: [Self; 2] = [Self::Csv, Self::Arrow];

    /// Its word in settings, and the ending of files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Arrow => "arrow",
        }
    }

    pub(super) fn table_format(self) -> TableFormat {
        match self {
            Self::Csv => TableFormat::Csv,
            Self::Arrow => TableFormat::ArrowIpc,
        }
    }
}

impl OutsideLearner {
    /// The command as it was written.
    pub fn command(&self) -> &str {
        &self.command
    }

    /// The program and its arguments.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// How long a step may take.
    pub fn timeout(&self) -> Duration {
        Duration::from_secs(u64::from(self.timeout))
    }

    /// The format of the tables that it is given.
    pub fn exchange(&self) -> Exchange {
        self.exchange
    }

    /// Lets the command learn from rows of a data set; a row may occur more than once.
    ///
    /// # Errors
    /// There is no target or no row; the command cannot be started, fails, takes too long or writes no model.
    pub fn fit(&self, dataset: &Dataset, rows: &[u32], seed: u64) -> Result<OutsideModel, Error> {
        OutsideModel::fit(self, dataset, rows, seed)
    }

    fn set(&mut self, setting: &str) -> Result<(), Error> {
        let (name, value) = setting.split_once('=').unwrap_or((setting, ""));
        match name.trim() {
            "timeout" => {
                let seconds = value.trim().parse().ok().filter(|&seconds: &u32| seconds > 0);
                self.timeout = seconds.ok_or_else(|| {
                    wrong(&format!("`{value}` is no time limit: write whole seconds, such as timeout=600"))
                })?;
            }
            "format" => {
                let known = Exchange::ALL.into_iter().find(|known| known.name() == value.trim());
                self.exchange =
                    known.ok_or_else(|| wrong(&format!("`{value}` is no format: write csv or arrow")))?;
            }
            other => return Err(wrong(&format!("there is no setting `{other}`"))),
        }
        Ok(())
    }

    /// The settings that are not the usual ones.
    fn settings(&self) -> Vec<String> {
        let mut settings = Vec::new();
        settings.extend((self.timeout != USUAL_TIMEOUT).then(|| format!("timeout={}", self.timeout)));
        settings.extend(
            (self.exchange != Exchange::default()).then(|| format!("format={}", self.exchange.name())),
        );
        settings
    }
}

/// The settings and the command of a text.
fn divided(text: &str) -> Option<(&str, &str)> {
    let rest = text.trim().strip_prefix(NAME)?;
    let (settings, command) = match rest.strip_prefix('[') {
        Some(inside) => inside.split_once(']')?,
        None => ("", rest),
    };
    Some((settings, command.strip_prefix(':')?.trim()))
}

impl FromStr for OutsideLearner {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let (settings, command) =
            divided(text).ok_or_else(|| wrong(&format!("`{text}` is no learner from outside")))?;
        let words = shlex::split(command).ok_or_else(|| wrong("a quote in the command is not closed"))?;
        if words.first().is_none_or(String::is_empty) {
            return Err(wrong("the command is empty"));
        }
        if command.len() > LONGEST_COMMAND || command.contains(char::is_control) {
            let words = format!("a command is one line of {LONGEST_COMMAND} bytes at most");
            return Err(wrong(&format!("{words}; put the rest into a script")));
        }
        let (command, exchange) = (command.to_owned(), Exchange::default());
        let mut learner = OutsideLearner { command, words, timeout: USUAL_TIMEOUT, exchange };
        let settings = settings.split(',').filter(|setting| !setting.trim().is_empty());
        settings.into_iter().try_for_each(|setting| learner.set(setting))?;
        Ok(learner)
    }
}

fn wrong(what: &str) -> Error {
    Error::usage(format!("{what}; a learner from outside is written {FORM}"))
}

impl fmt::Display for OutsideLearner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(NAME)?;
        let settings = self.settings();
        if !settings.is_empty() {
            write!(f, "[{}]", settings.join(","))?;
        }
        write!(f, ":{}", self.command)
    }
}

impl TryFrom<String> for OutsideLearner {
    type Error = Error;

    fn try_from(text: String) -> Result<Self, Error> {
        text.parse()
    }
}

impl From<OutsideLearner> for String {
    fn from(learner: OutsideLearner) -> String {
        learner.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_back_as_they_are_meant() {
        let check = |text: &str, shown: &str, words: &[&str]| {
            let learner: OutsideLearner = text.parse().expect(text);
            assert_eq!(learner.to_string(), shown);
            assert_eq!(learner.words(), words);
            assert_eq!(shown.parse::<OutsideLearner>().expect(shown), learner);
        };
        check("outside:sh a.sh", "outside:sh a.sh", &["sh", "a.sh"]);
        check("outside: sh  a.sh ", "outside:sh  a.sh", &["sh", "a.sh"]);
        check("outside[]:sh", "outside:sh", &["sh"]);
        check("outside[timeout=3600,format=csv]:x", "outside:x", &["x"]);
        check("outside[format=arrow, timeout=5]:x", "outside[timeout=5,format=arrow]:x", &["x"]);
        check("outside:R -e 'f(\"a,b\")'", "outside:R -e 'f(\"a,b\")'", &["R", "-e", "f(\"a,b\")"]);
        check("outside:x a:b[c]=d $HOME|y", "outside:x a:b[c]=d $HOME|y", &["x", "a:b[c]=d", "$HOME|y"]);
    }

    #[test]
    fn texts_that_mean_nothing_say_what_would() {
        let check = |text: &str, says: &str| {
            let error = text.parse::<OutsideLearner>().expect_err(text).to_string();
            assert!(error.contains(says) && error.contains("is written outside["), "{error}");
        };
        check("outside", "no learner from outside");
        check("outside:", "the command is empty");
        check("outside:''", "the command is empty");
        check("outside[timeout=1 x", "no learner from outside");
        check("outside[timeout=1]x", "no learner from outside");
        check("outside[timeout=0]:x", "`0` is no time limit");
        check("outside[timeout=soon]:x", "`soon` is no time limit");
        check("outside[format=xml]:x", "`xml` is no format");
        check("outside[depth=3]:x", "there is no setting `depth`");
        check("outside:x 'y", "a quote in the command is not closed");
        check("outside:x 'a\nb'", "one line");
        check(&format!("outside:{}", "x".repeat(1001)), "1000 bytes at most");
    }
}
