//! Segments: the combinations of labels of some columns, numbered as they are met.

use rustc_hash::FxHashMap;
use tribunal_io::Dictionary;

/// The segments of a table.
#[derive(Debug, Default)]
pub(super) struct Segments {
    /// The labels of each column.
    dictionaries: Vec<Dictionary>,
    /// For each segment the code of its label in each column.
    codes: Vec<Vec<u32>>,
    places: FxHashMap<Vec<u32>, u32>,
}

impl Segments {
    /// The number of the segment with these codes.
    pub(super) fn place_of(&mut self, codes: Vec<u32>) -> u32 {
        let next = self.codes.len() as u32;
        *self.places.entry(codes).or_insert_with_key(|codes| {
            self.codes.push(codes.clone());
            next
        })
    }

    /// How many there are so far.
    pub(super) fn len(&self) -> usize {
        self.codes.len()
    }

    /// Says what the codes of each column stand for.
    pub(super) fn name(&mut self, dictionaries: Vec<Dictionary>) {
        self.dictionaries = dictionaries;
    }

    /// The labels of each segment, column by column.
    pub(super) fn labels(&self) -> Vec<Vec<String>> {
        let label =
            |(dictionary, &code): (&Dictionary, &u32)| dictionary.text(code).unwrap_or_default().to_owned();
        self.codes.iter().map(|codes| self.dictionaries.iter().zip(codes).map(label).collect()).collect()
    }

    /// Takes over the segments of another part of the table; their new numbers.
    pub(super) fn merge(&mut self, other: &Self) -> Vec<u32> {
        self.dictionaries
            .resize_with(self.dictionaries.len().max(other.dictionaries.len()), Dictionary::default);
        let own_codes = |labels: Vec<String>| {
            let codes = self.dictionaries.iter_mut().zip(&labels).map(|(own, label)| own.code_of(label));
            codes.collect::<Vec<u32>>()
        };
        let codes: Vec<Vec<u32>> = other.labels().into_iter().map(own_codes).collect();
        codes.into_iter().map(|codes| self.place_of(codes)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segments(columns: [&[&str]; 2], codes: &[[u32; 2]]) -> Segments {
        let dictionary = |labels: &&[&str]| {
            let mut dictionary = Dictionary::default();
            labels.iter().for_each(|label| {
                dictionary.code_of(label);
            });
            dictionary
        };
        let mut segments = Segments::default();
        codes.iter().for_each(|codes| {
            segments.place_of(codes.to_vec());
        });
        segments.name(columns.iter().map(dictionary).collect());
        segments
    }

    #[test]
    fn parts_agree_on_segments_by_their_labels() {
        let mut one = segments([&["north", "south"], &["web"]], &[[0, 0], [1, 0], [0, 0]]);
        let other = segments([&["south", "north"], &["shop", "web"]], &[[0, 1], [1, 0]]);
        assert_eq!((one.len(), one.merge(&other)), (2, vec![1, 2]));
        assert_eq!(one.labels(), [["north", "web"], ["south", "web"], ["north", "shop"]]);
    }
}
