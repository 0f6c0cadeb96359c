//! What stands behind the colon of a learner: `25,smoothing=marginal`.

use std::str::FromStr;

use crate::error::{Error, ErrorKind};

/// The settings of a learner, taken one by one; what nobody took is an error.
#[derive(Debug)]
pub(crate) struct Arguments<'a> {
    text: &'a str,
    words: Vec<&'a str>,
    keyed: Vec<(&'a str, &'a str)>,
    asked: Vec<&'static str>,
}

impl<'a> Arguments<'a> {
    /// The settings of a text such as `tan:25,smoothing=marginal`.
    pub(crate) fn new(text: &'a str) -> Self {
        Arguments::of_list(text, text.split_once(':').map_or("", |(_, list)| list))
    }

    /// A list of settings in a text.
    pub(crate) fn of_list(text: &'a str, list: &'a str) -> Self {
        let parts = list.split(',').map(str::trim).filter(|part| !part.is_empty());
        let (keyed, words): (Vec<&str>, Vec<&str>) = parts.partition(|part| part.contains('='));
        let pair = |part: &'a str| part.split_once('=').map(|(key, value)| (key.trim(), value.trim()));
        Arguments { text, words, keyed: keyed.into_iter().filter_map(pair).collect(), asked: Vec::new() }
    }

    /// The next setting without a key, if `is_meant` takes it for one.
    pub(crate) fn word<T>(&mut self, is_meant: impl Fn(&str) -> Option<T>) -> Option<T> {
        let idx = self.words.iter().position(|word| is_meant(word).is_some())?;
        is_meant(self.words.remove(idx))
    }

    /// The setting of a key.
    ///
    /// # Errors
    /// Its value is not what `expected` says.
    pub(crate) fn keyed<T>(
        &mut self,
        key: &'static str,
        expected: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, Error> {
        self.asked.push(key);
        let Some(idx) = self.keyed.iter().position(|(known, _)| *known == key) else { return Ok(None) };
        let (_, value) = self.keyed.remove(idx);
        let wrong = || bad(self.text, &format!("{key}={value} is not {expected}"));
        read(value).map(Some).ok_or_else(wrong)
    }

    /// Checks that every setting was taken.
    ///
    /// # Errors
    /// One was not.
    pub(crate) fn finish(&self, form: &str) -> Result<(), Error> {
        let left = self.words.first().copied().or(self.keyed.first().map(|(key, _)| *key));
        let Some(left) = left else { return Ok(()) };
        // One letter is near to any other.
        let is_near =
            |known: &&&str| strsim::damerau_levenshtein(known, left) <= 2.min(left.len().saturating_sub(1));
        let advice = match self.asked.iter().find(is_near) {
            Some(near) => format!("did you mean {near}=...? It is written {form}"),
            None => format!("it is written {form}"),
        };
        Err(bad(self.text, &format!("{left:?} is no setting of it; {advice}")))
    }
}

/// The name of a learner with those of its settings that are not as usual.
pub(crate) fn written(name: &str, settings: impl IntoIterator<Item = String>) -> String {
    let settings: Vec<String> = settings.into_iter().filter(|setting| !setting.is_empty()).collect();
    if settings.is_empty() { name.to_owned() } else { format!("{name}:{}", settings.join(",")) }
}

/// A number above zero, or zero.
pub(crate) fn amount(text: &str) -> Option<f64> {
    f64::from_str(text).ok().filter(|number| number.is_finite() && *number >= 0.0)
}

/// A whole number from one.
pub(crate) fn count(text: &str) -> Option<usize> {
    text.parse().ok().filter(|&number| number >= 1)
}

fn bad(text: &str, problem: &str) -> Error {
    Error::new(ErrorKind::BadText, format!("learner {text:?}: {problem}"))
}
