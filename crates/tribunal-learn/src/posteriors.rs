//! What a model says of rows: a probability for each class.

use crate::error::{Error, ErrorKind};

/// The probability of each class, row by row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Posteriors {
    n_classes: usize,
    values: Vec<f64>,
}

impl Posteriors {
    /// As many values a row as there are classes.
    pub(crate) fn new(n_classes: usize, values: Vec<f64>) -> Self {
        debug_assert_eq!(values.len() % n_classes.max(1), 0);
        Posteriors { n_classes, values }
    }

    /// The probabilities of each class, row after row, that something else than a [`Model`](crate::Model) found.
    ///
    /// ```
    /// use tribunal_learn::Posteriors;
    ///
    /// let found = Posteriors::from_values(2, vec![0.75, 0.25, 0.5, 0.5])?;
    /// assert_eq!(found.scores(), [0.25, 0.5]);
    /// assert!(Posteriors::from_values(2, vec![1.0, 0.0, 0.5]).is_err());
    /// # Ok::<(), tribunal_learn::Error>(())
    /// ```
    ///
    /// # Errors
    /// There is no class, or another number of values than rows of so many classes have.
    pub fn from_values(n_classes: usize, values: Vec<f64>) -> Result<Self, Error> {
        if n_classes == 0 || !values.len().is_multiple_of(n_classes) {
            let problem = format!("{} values are no rows of {n_classes} classes", values.len());
            return Err(Error::new(ErrorKind::Inconsistent, problem));
        }
        Ok(Posteriors::new(n_classes, values))
    }

    /// One slice a row.
    pub(crate) fn from_rows<'a>(n_classes: usize, rows: impl Iterator<Item = &'a [f64]>) -> Self {
        Posteriors::new(n_classes, rows.flatten().copied().collect())
    }

    /// How many classes there are.
    pub fn n_classes(&self) -> usize {
        self.n_classes
    }

    /// How many rows there are.
    pub fn n_rows(&self) -> usize {
        self.values.len() / self.n_classes.max(1)
    }

    /// The probabilities of a row.
    ///
    /// # Panics
    /// There is no such row.
    pub fn row(&self, row: usize) -> &[f64] {
        &self.values[row * self.n_classes..][..self.n_classes]
    }

    /// The probability of a class in every row.
    pub fn of_class(&self, class: usize) -> impl Iterator<Item = f64> + '_ {
        self.values.iter().skip(class).step_by(self.n_classes.max(1)).copied()
    }

    /// The score of every row: the probability of the second class, which is the positive one of two.
    pub fn scores(&self) -> Vec<f64> {
        self.of_class(1).collect()
    }

    /// The class of every row. Of two classes the positive one where it is at least as probable, of more the first of the
    /// most probable.
    pub fn predicted(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.n_rows()).map(|row| predicted_class(self.row(row)))
    }

    /// These rows, then others.
    pub(crate) fn append(&mut self, mut others: Posteriors) {
        self.n_classes = others.n_classes;
        self.values.append(&mut others.values);
    }
}

/// The class that probabilities speak for.
pub(crate) fn predicted_class(posteriors: &[f64]) -> usize {
    if let [_, positive] = *posteriors {
        return usize::from(positive >= 0.5);
    }
    let better = |best: usize, class: usize| if posteriors[class] > posteriors[best] { class } else { best };
    (0..posteriors.len()).fold(0, better)
}
