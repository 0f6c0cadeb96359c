//! The class of each row, as an index: what was true, or what was decided.

use crate::error::Error;

/// One class a row, of so many.
///
/// ```
/// use tribunal_eval::unlabelled::ClassLabels;
///
/// let truth = ClassLabels::new(3, vec![0, 2, 1])?;
/// assert_eq!((truth.n_rows(), truth.of_row(1)), (3, 2));
/// let beyond = ClassLabels::new(3, vec![0, 3]).unwrap_err();
/// assert_eq!(beyond.to_string(), "class of row 1 is 3; there are 3 classes, counted from 0");
/// # Ok::<(), tribunal_eval::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassLabels {
    n_classes: usize,
    classes: Vec<u32>,
}

impl ClassLabels {
    /// The classes of rows by their index.
    ///
    /// # Errors
    /// There are fewer than two classes, or an index is beyond them.
    pub fn new(n_classes: usize, classes: Vec<u32>) -> Result<Self, Error> {
        crate::checks::at_least("classes", n_classes, 2)?;
        match classes.iter().position(|&class| class as usize >= n_classes) {
            Some(row) => Err(Error::UnknownClass { row, class: classes[row] as usize, n_classes }),
            None => Ok(Self { n_classes, classes }),
        }
    }

    /// Classes that are known to be there.
    pub(super) fn of_known(n_classes: usize, classes: Vec<u32>) -> Self {
        debug_assert!(classes.iter().all(|&class| (class as usize) < n_classes));
        Self { n_classes, classes }
    }

    /// Two classes, the second of which is the positive one.
    pub fn binary(is_positive: &[bool]) -> Self {
        Self { n_classes: 2, classes: is_positive.iter().map(|&positive| u32::from(positive)).collect() }
    }

    /// How many classes there are, whether or not rows have them.
    pub fn n_classes(&self) -> usize {
        self.n_classes
    }

    /// How many rows there are.
    pub fn n_rows(&self) -> usize {
        self.classes.len()
    }

    /// The class of a row.
    ///
    /// # Panics
    /// There is no such row.
    pub fn of_row(&self, row: usize) -> usize {
        self.classes[row] as usize
    }

    /// The classes of all rows.
    pub fn classes(&self) -> &[u32] {
        &self.classes
    }
}
