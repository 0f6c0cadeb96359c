//! The distinct texts of a label column, numbered in order of first appearance.
//!
//! All texts stand in one string and the hash table holds only codes, so that a column of a million
//! distinct ids costs two allocations that grow and not a million small ones.

use std::hash::Hasher;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::FxHasher;

/// The distinct labels of a column: `code` to text and text to `code`.
///
/// ```
/// let mut classes = tribunal_io::Dictionary::default();
/// assert_eq!(classes.code_of("legit"), 0);
/// assert_eq!(classes.code_of("fraud"), 1);
/// assert_eq!(classes.code_of("legit"), 0);
/// assert_eq!(classes.text(1), Some("fraud"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Dictionary {
    texts: String,
    ends: Vec<usize>,
    codes: HashTable<u32>,
}

impl Dictionary {
    /// How many distinct labels there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no label yet.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The label with this code.
    pub fn text(&self, code: u32) -> Option<&str> {
        ((code as usize) < self.len()).then(|| text_of(&self.texts, &self.ends, code))
    }

    /// The labels in order of their codes.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.len()).map(|code| text_of(&self.texts, &self.ends, code as u32))
    }

    /// The code of a label that is already there.
    pub fn get(&self, text: &str) -> Option<u32> {
        let is_same = |&code: &u32| text_of(&self.texts, &self.ends, code) == text;
        self.codes.find(hash_of(text), is_same).copied()
    }

    /// The code of a label, which is added if it is new.
    pub fn code_of(&mut self, text: &str) -> u32 {
        let Dictionary { texts, ends, codes } = self;
        let is_same = |&code: &u32| text_of(texts, ends, code) == text;
        let rehash = |&code: &u32| hash_of(text_of(texts, ends, code));
        match codes.entry(hash_of(text), is_same, rehash) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                let code = ends.len() as u32;
                entry.insert(code);
                texts.push_str(text);
                ends.push(texts.len());
                code
            }
        }
    }
}

fn text_of<'a>(texts: &'a str, ends: &[usize], code: u32) -> &'a str {
    let code = code as usize;
    let start = if code == 0 { 0 } else { ends[code - 1] };
    &texts[start..ends[code]]
}

fn hash_of(text: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(text.as_bytes());
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_follow_first_appearance_and_survive_growth() {
        let mut dictionary = Dictionary::default();
        for round in 0..2 {
            for code in 0..1000 {
                assert_eq!(dictionary.code_of(&format!("id-{code}")), code, "round {round}");
            }
        }
        assert_eq!(dictionary.len(), 1000);
        assert_eq!(dictionary.get("id-7"), Some(7));
        assert_eq!(dictionary.get("id-1000"), None);
        assert_eq!(dictionary.text(1000), None);
        assert_eq!(dictionary.iter().nth(999), Some("id-999"));
    }

    #[test]
    fn texts_that_share_letters_stay_apart() {
        let mut dictionary = Dictionary::default();
        assert_eq!(["ab", "c", "a", "bc", ""].map(|text| dictionary.code_of(text)), [0, 1, 2, 3, 4]);
    }
}
