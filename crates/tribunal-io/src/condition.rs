//! A condition on rows: the label they have in another column. Numbers that only matter on some rows are read
//! on those alone.

use std::fmt;
use std::sync::Arc;

use crate::batch::Labels;
use crate::chunk::LocalLabels;
use crate::dictionary::Dictionary;

/// The rows whose label in a column satisfies a predicate. A missing label does not.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    pub(crate) column: String,
    pub(crate) predicate: Predicate,
}

/// A question about a label.
#[derive(Clone)]
pub(crate) struct Predicate(Arc<dyn Fn(&str) -> bool + Send + Sync>);

impl Predicate {
    pub(crate) fn new(holds: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self {
        Predicate(Arc::new(holds))
    }

    /// Whether the label of each row satisfies.
    pub(crate) fn rows(&self, labels: &LocalLabels) -> Vec<bool> {
        let of_code: Vec<bool> = labels.dictionary.iter().map(|text| (self.0)(text)).collect();
        labels.codes.iter().map(|&code| of_code.get(code as usize).copied().unwrap_or(false)).collect()
    }
}

impl fmt::Debug for Predicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Predicate")
    }
}

/// What a predicate says of the labels of a dictionary that grows; each label is asked about once.
#[derive(Debug)]
pub(crate) struct Verdicts {
    predicate: Predicate,
    of_code: Vec<bool>,
}

impl Verdicts {
    pub(crate) fn new(predicate: &Predicate) -> Self {
        Verdicts { predicate: predicate.clone(), of_code: Vec::new() }
    }

    /// Whether the label with this code satisfies.
    #[inline]
    pub(crate) fn of(&mut self, code: u32, dictionary: &Dictionary) -> bool {
        match self.of_code.get(code as usize) {
            Some(&verdict) => verdict,
            None => code != Labels::MISSING && self.ask(code, dictionary),
        }
    }

    #[cold]
    fn ask(&mut self, code: u32, dictionary: &Dictionary) -> bool {
        let new = self.of_code.len() as u32..dictionary.len() as u32;
        let texts = new.filter_map(|code| dictionary.text(code));
        self.of_code.extend(texts.map(|text| (self.predicate.0)(text)));
        self.of_code.get(code as usize).copied().unwrap_or(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn each_label_is_asked_about_once_and_a_missing_one_never() {
        let n_asked = Arc::new(AtomicUsize::new(0));
        let counter = n_asked.clone();
        let predicate = Predicate::new(move |label| {
            counter.fetch_add(1, Ordering::Relaxed);
            label == "yes"
        });
        let mut dictionary = Dictionary::default();
        let mut verdicts = Verdicts::new(&predicate);
        for label in ["no", "yes", "no", "maybe", "yes"] {
            let code = dictionary.code_of(label);
            assert_eq!(verdicts.of(code, &dictionary), label == "yes");
            assert!(!verdicts.of(Labels::MISSING, &dictionary));
        }
        assert_eq!(n_asked.load(Ordering::Relaxed), 3);
        let labels = LocalLabels { codes: vec![1, 0, Labels::MISSING, 1], dictionary };
        assert_eq!(predicate.rows(&labels), [true, false, false, true]);
    }
}
