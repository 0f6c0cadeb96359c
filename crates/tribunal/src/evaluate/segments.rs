//! Segments: the combinations of labels of some columns, numbered as they are met.

use rustc_hash::FxHashMap;
use tribunal_eval::Ranking;
use tribunal_io::Dictionary;

use super::gather::Model;
use crate::error::Error;

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

/// Whether every model has the same cases in each segment.
///
/// # Errors
/// A case has other labels in the rows of another model.
pub(super) fn same_segments(
    columns: &[String],
    labels: &[Vec<String>],
    models: &[Model],
) -> Result<(), Error> {
    let Some((first, others)) = models.split_first() else { return Ok(()) };
    let cases = |ranking: &Ranking| (ranking.n_rows(), ranking.positives().rows);
    for other in others {
        let differs = |place: &usize| cases(&other.segments[*place]) != cases(&first.segments[*place]);
        if let Some(place) = (0..labels.len()).find(differs) {
            let ((rows, positives), (own_rows, own_positives)) =
                (cases(&first.segments[place]), cases(&other.segments[place]));
            return Err(Error::data(format!(
                "where {} the model \"{}\" has {rows} rows and {positives} positives, \"{}\" has {own_rows} and \
                 {own_positives}; a case must have the same labels for every model",
                segment_in_words(columns, &labels[place]),
                first.name,
                other.name
            )));
        }
    }
    Ok(())
}

/// The labels of a segment with their columns.
fn segment_in_words(columns: &[String], labels: &[String]) -> String {
    let each = columns.iter().zip(labels).map(|(column, label)| format!("\"{column}\" is \"{label}\""));
    each.collect::<Vec<_>>().join(" and ")
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
