//! What a model says of rows: a probability for each class, or how far a row lies on the side of each.

use serde::{Deserialize, Serialize};

use crate::costs::{CostMatrix, CostsWithin};
use crate::error::{Error, ErrorKind};

/// The probability of each class, row by row; of kernel machines, which know none, margins in their place.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Posteriors {
    output: Output,
    n_classes: usize,
    values: Vec<f64>,
    costs: CostsWithin,
}

/// What the values of classes are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Output {
    /// Probabilities, which add up to one.
    #[default]
    Probabilities,
    /// Numbers on no common scale: the larger, the more a row looks like the class. Of two classes the margins are each
    /// other's negative, and the sign decides.
    Margins,
}

impl Output {
    /// From which value on a row is taken for the positive of two classes.
    pub fn cut(self) -> f64 {
        match self {
            Output::Probabilities => 0.5,
            Output::Margins => 0.0,
        }
    }
}

impl Posteriors {
    /// As many values a row as there are classes.
    pub(crate) fn new(n_classes: usize, values: Vec<f64>) -> Self {
        debug_assert_eq!(values.len() % n_classes.max(1), 0);
        Posteriors { output: Output::Probabilities, n_classes, values, costs: CostsWithin::Nowhere }
    }

    /// The margins of rows by how far each lies on the side of the second of two classes.
    pub(crate) fn of_distances(distances: impl IntoIterator<Item = f64>) -> Self {
        Posteriors::margins(2, distances.into_iter().flat_map(|distance| [-distance, distance]).collect())
    }

    /// As many margins a row as there are classes.
    pub(crate) fn margins(n_classes: usize, values: Vec<f64>) -> Self {
        Posteriors { output: Output::Margins, ..Posteriors::new(n_classes, values) }
    }

    /// Probabilities as margins from -1 to 1; margins as they are.
    pub(crate) fn into_margins(self) -> Self {
        match self.output {
            Output::Probabilities => {
                let margins = self.values.into_iter().map(|p| 2.0 * p - 1.0).collect();
                Posteriors { costs: self.costs, ..Posteriors::margins(self.n_classes, margins) }
            }
            Output::Margins => self,
        }
    }

    /// Some of the rows, by their position.
    ///
    /// # Panics
    /// There is no such row.
    pub fn take(&self, positions: &[u32]) -> Self {
        let values = positions.iter().flat_map(|&position| self.row(position as usize)).copied().collect();
        Posteriors { values, costs: self.costs.clone(), ..*self }
    }

    /// The mean of what several models say of the same rows, in numbers of the same sort.
    pub(crate) fn mean(of_models: &[Posteriors]) -> Self {
        let n_models = of_models.len() as f64;
        let mut mean = of_models.first().cloned().unwrap_or_default();
        for others in of_models.iter().skip(1) {
            mean.values.iter_mut().zip(&others.values).for_each(|(sum, value)| *sum += value);
        }
        mean.values.iter_mut().for_each(|value| *value /= n_models);
        mean
    }

    /// The same, of a model that has costs in it.
    pub(crate) fn with_costs_within(self, costs: CostsWithin) -> Self {
        Posteriors { costs, ..self }
    }

    /// Where the costs of errors are in them.
    pub fn costs_within(&self) -> &CostsWithin {
        &self.costs
    }

    /// From which value on a row is taken for the positive of two classes.
    pub fn cut(&self) -> f64 {
        match &self.costs {
            CostsWithin::Decision(weights) if self.output == Output::Probabilities => weights.cut(),
            _ => self.output.cut(),
        }
    }

    /// Probabilities of rows as they are: where training rows counted by their cost, that is taken out of the probabilities and
    /// left in the decision, so that the same classes are predicted. Margins, and what was learned from changed labels, stay as
    /// they are.
    ///
    /// ```
    /// use tribunal_learn::{Column, CostsWithin, Dataset, Kind, Learner, Target, Values};
    ///
    /// let rows: Vec<u32> = (0..10).collect();
    /// let flag = Column::new("x", Kind::Flag, Values::Codes(vec![0; 10]))?;
    /// let target = Target::new("y", ["no", "yes"], rows.iter().map(|row| u32::from(*row < 3)).collect())?;
    /// let data = Dataset::new(vec![flag])?.with_target(target)?;
    /// let model = "nb+weights=1:5".parse::<Learner>()?.fit(&data, &rows, 1)?;
    /// let weighted = model.posteriors(&data, &[0])?;
    /// assert!((weighted.scores()[0] - 15.0 / 22.0).abs() < 1e-9 && weighted.cut() == 0.5);
    /// let plain = weighted.without_costs();
    /// assert!((plain.scores()[0] - 0.3).abs() < 1e-9 && (plain.cut() - 1.0 / 6.0).abs() < 1e-9);
    /// assert!(matches!(plain.costs_within(), CostsWithin::Decision(_)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn without_costs(self) -> Self {
        match (self.output, self.costs) {
            (Output::Probabilities, CostsWithin::Probabilities(weights)) => {
                let values =
                    self.values.chunks(self.n_classes.max(1)).flat_map(|row| weights.unweighted(row));
                Posteriors { values: values.collect(), costs: CostsWithin::Decision(weights), ..self }
            }
            (_, costs) => Posteriors { costs, ..self },
        }
    }

    /// The class of every row that costs least. Costs that are in the probabilities are taken out first, and those of a moved
    /// threshold are replaced, so that none counts twice.
    ///
    /// # Errors
    /// The values are margins, costs are in what was learned and cannot be taken out, or there are other classes.
    pub fn decide(&self, costs: &CostMatrix) -> Result<Vec<usize>, Error> {
        let refuse =
            |problem: &str, advice: &str| Err(Error::new(ErrorKind::CostsTwice, problem).advise(advice));
        if self.output == Output::Margins {
            return refuse(
                "costs need probabilities, and these are margins",
                "calibrate the learner, as in svm+platt",
            );
        }
        if self.costs == CostsWithin::Training {
            let advice = "take the classes it predicts, or a model without costs in it";
            return refuse("costs are in what this model learned, and would count twice", advice);
        }
        if costs.n_classes() != self.n_classes {
            let problem = format!("the costs {costs} are not those of {} classes", self.n_classes);
            return Err(Error::new(ErrorKind::WrongCosts, problem));
        }
        let plain = self.clone().without_costs();
        Ok((0..plain.n_rows()).map(|row| costs.decide(plain.row(row))).collect())
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

    /// The margins of each class, row after row, that something else than a [`Model`](crate::Model) found.
    ///
    /// # Errors
    /// As [`from_values`](Posteriors::from_values).
    pub fn from_margins(n_classes: usize, values: Vec<f64>) -> Result<Self, Error> {
        Ok(Posteriors { output: Output::Margins, ..Posteriors::from_values(n_classes, values)? })
    }

    /// What was found of parts of some rows, put in the order of the rows; every row has to be in one part.
    ///
    /// ```
    /// use tribunal_learn::Posteriors;
    ///
    /// let parts = [Posteriors::from_values(2, vec![0.75, 0.25])?, Posteriors::from_values(2, vec![0.5, 0.5])?];
    /// let joined = Posteriors::of_parts(2, &[(&[1][..], &parts[0]), (&[0][..], &parts[1])])?;
    /// assert_eq!(joined.scores(), [0.5, 0.25]);
    /// assert!(Posteriors::of_parts(3, &[(&[1][..], &parts[0])]).is_err());
    /// # Ok::<(), tribunal_learn::Error>(())
    /// ```
    ///
    /// # Errors
    /// A row is in no part, or beyond the rows; parts are of other classes, or of probabilities and margins.
    pub fn of_parts(n_rows: usize, parts: &[(&[u32], &Posteriors)]) -> Result<Self, Error> {
        let wrong = |problem: &str| Err(Error::new(ErrorKind::Inconsistent, problem));
        let Some((_, first)) = parts.first() else { return wrong("there are no parts to be joined") };
        let n_classes = first.n_classes;
        if parts.iter().any(|(_, part)| part.n_classes != n_classes || part.output != first.output) {
            return wrong("parts of other classes, or of probabilities and margins, cannot be joined");
        }
        let (mut values, mut is_there) = (vec![0.0; n_rows * n_classes], vec![false; n_rows]);
        for (rows, part) in parts {
            if part.n_rows() != rows.len() || rows.iter().any(|&row| row as usize >= n_rows) {
                return wrong("a part has other rows than it says");
            }
            for (position, &row) in rows.iter().enumerate() {
                values[row as usize * n_classes..][..n_classes].copy_from_slice(part.row(position));
                is_there[row as usize] = true;
            }
        }
        match is_there.iter().all(|there| *there) {
            true => Ok(Posteriors { values, ..(*first).clone() }),
            false => wrong("a row is in no part"),
        }
    }

    /// The values of all rows, one after another.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// One slice a row.
    pub(crate) fn from_rows<'a>(n_classes: usize, rows: impl Iterator<Item = &'a [f64]>) -> Self {
        Posteriors::new(n_classes, rows.flatten().copied().collect())
    }

    /// What the values are.
    pub fn output(&self) -> Output {
        self.output
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

    /// The score of every row: the value of the second class, which is the positive one of two.
    pub fn scores(&self) -> Vec<f64> {
        self.of_class(1).collect()
    }

    /// The class of every row. Of two classes the positive one where it is at least as probable, of more the first of the
    /// most probable.
    pub fn predicted(&self) -> impl Iterator<Item = usize> + '_ {
        let weights = match (&self.costs, self.output) {
            (CostsWithin::Decision(weights), Output::Probabilities) => Some(weights),
            _ => None,
        };
        let of_row = move |values: &[f64]| match weights {
            Some(weights) => weights.decide(values),
            None => predicted_class(self.output, values),
        };
        (0..self.n_rows()).map(move |row| of_row(self.row(row)))
    }

    /// These rows, then others.
    pub(crate) fn append(&mut self, mut others: Posteriors) {
        (self.output, self.n_classes) = (others.output, others.n_classes);
        self.costs = others.costs;
        self.values.append(&mut others.values);
    }
}

/// The class that values speak for.
pub(crate) fn predicted_class(output: Output, posteriors: &[f64]) -> usize {
    if let [_, positive] = *posteriors {
        return usize::from(positive >= output.cut());
    }
    first_of_the_largest(posteriors)
}

/// The class with the largest value, the first of equals.
pub(crate) fn first_of_the_largest(posteriors: &[f64]) -> usize {
    let better = |best: usize, class: usize| if posteriors[class] > posteriors[best] { class } else { best };
    (0..posteriors.len()).fold(0, better)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn margins_decide_by_their_sign() {
        let margins = Posteriors::of_distances([-0.25, 0.0, 3.0]);
        assert_eq!(margins.scores(), [-0.25, 0.0, 3.0]);
        assert_eq!(margins.predicted().collect::<Vec<_>>(), [0, 1, 1]);
        assert_eq!(margins.take(&[2, 0]).row(0), [-3.0, 3.0]);
        assert_eq!(margins.clone().into_margins(), margins);
    }

    #[test]
    fn probabilities_become_margins_that_decide_alike() {
        let shares = Posteriors::new(2, vec![1.0, 0.0, 0.5, 0.5, 0.25, 0.75]);
        let margins = shares.clone().into_margins();
        assert_eq!((margins.output(), margins.scores()), (Output::Margins, vec![-1.0, 0.0, 0.5]));
        assert!(margins.predicted().eq(shares.predicted()));
    }
}
