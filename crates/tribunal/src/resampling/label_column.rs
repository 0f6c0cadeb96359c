//! A column of labels as a design sees it: classes, groups, folds or points in time.

use rustc_hash::FxHashMap;
use tribunal_learn::{Target, compare_labels};

use crate::error::{Error, ErrorKind};

/// A column of labels, none missing: one code a row, codes numbered in the natural order of the labels.
///
/// ```
/// use tribunal::resampling::LabelColumn;
///
/// let fraud = LabelColumn::of("fraud", ["yes", "no", "no"]);
/// assert_eq!((fraud.codes(), fraud.labels()), (&[1, 0, 0][..], &["no".to_owned(), "yes".to_owned()][..]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelColumn {
    name: String,
    codes: Vec<u32>,
    labels: Vec<String>,
}

impl LabelColumn {
    /// A column from its labels, row by row.
    pub fn of<S: Into<String>>(name: &str, rows: impl IntoIterator<Item = S>) -> Self {
        let mut known: FxHashMap<String, u32> = FxHashMap::default();
        let mut labels = Vec::new();
        let code_of = |label: S| {
            let label = label.into();
            *known.entry(label).or_insert_with_key(|label| {
                labels.push(label.clone());
                labels.len() as u32 - 1
            })
        };
        let codes = rows.into_iter().map(code_of).collect();
        Self::in_order(name, codes, labels)
    }

    /// A column from codes into a list of distinct labels, in any order.
    ///
    /// # Errors
    /// A code lies outside the list ([`ErrorKind::BadColumn`]).
    pub fn new(name: &str, codes: Vec<u32>, labels: Vec<String>) -> Result<Self, Error> {
        match codes.iter().position(|&code| code as usize >= labels.len()) {
            Some(row) => Err(Error::new(
                ErrorKind::BadColumn,
                format!(
                    "row {}, column \"{name}\": the label is missing; fill it in or leave the row out",
                    row + 1
                ),
            )),
            None => Ok(Self::in_order(name, codes, labels)),
        }
    }

    /// The classes of a target, in its own order.
    pub fn of_target(target: &Target) -> Self {
        Self {
            name: target.name().to_owned(),
            codes: target.codes().to_vec(),
            labels: target.classes().to_vec(),
        }
    }

    /// Rows that all carry the same empty label.
    pub(super) fn alike(n_rows: usize) -> Self {
        Self { name: String::new(), codes: vec![0; n_rows], labels: vec![String::new()] }
    }

    /// Renumbers codes so that labels ascend.
    fn in_order(name: &str, mut codes: Vec<u32>, labels: Vec<String>) -> Self {
        let mut order: Vec<u32> = (0..labels.len() as u32).collect();
        order.sort_by(|&a, &b| compare_labels(&labels[a as usize], &labels[b as usize]));
        if !order.is_sorted() {
            let mut place = vec![0; order.len()];
            order.iter().zip(0..).for_each(|(&code, new)| place[code as usize] = new);
            codes.iter_mut().for_each(|code| *code = place[*code as usize]);
        }
        let labels = order.iter().map(|&code| labels[code as usize].clone()).collect();
        Self { name: name.to_owned(), codes, labels }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// One code a row.
    pub fn codes(&self) -> &[u32] {
        &self.codes
    }

    /// The labels, ascending.
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// How many labels there are.
    pub fn n_labels(&self) -> usize {
        self.labels.len()
    }

    /// The label of a row.
    pub fn label(&self, row: usize) -> &str {
        &self.labels[self.codes[row] as usize]
    }

    /// How many rows carry each label.
    pub fn counts(&self) -> Vec<usize> {
        let mut counts = vec![0; self.n_labels()];
        self.codes.iter().for_each(|&code| counts[code as usize] += 1);
        counts
    }

    /// The column of some of the rows; labels keep their codes, whether or not they occur.
    pub fn select(&self, rows: &[u32]) -> Self {
        let codes = rows.iter().map(|&row| self.codes[row as usize]).collect();
        Self { name: self.name.clone(), codes, labels: self.labels.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_follow_the_natural_order_of_the_labels() {
        let column = LabelColumn::of("fold", ["10", "9", "10", "x"]);
        assert_eq!((column.codes(), column.counts()), (&[1, 0, 1, 2][..], vec![1, 2, 1]));
        assert_eq!(column.label(3), "x");
        assert_eq!(column.select(&[3, 0]).codes(), [2, 1]);
    }

    #[test]
    fn a_missing_label_is_named_by_its_row() {
        let error = LabelColumn::new("fold", vec![0, u32::MAX], vec!["a".into()]).expect_err("a gap");
        assert_eq!(error.kind(), ErrorKind::BadColumn);
        assert_eq!(
            error.to_string(),
            "row 2, column \"fold\": the label is missing; fill it in or leave the row out"
        );
    }
}
