//! A column: its name, its kind and its values.

use crate::error::{Error, ErrorKind};
use crate::kind::Kind;

/// The code of a value that is missing.
pub const MISSING: u32 = u32::MAX;

/// The values of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Positions of levels; [`MISSING`] where there is none.
    Codes(Vec<u32>),
    /// Numbers; NaN where there is none.
    Numbers(Vec<f64>),
}

impl Values {
    /// How many rows there are.
    pub fn len(&self) -> usize {
        match self {
            Values::Codes(codes) => codes.len(),
            Values::Numbers(numbers) => numbers.len(),
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many values are missing.
    pub fn n_missing(&self) -> usize {
        match self {
            Values::Codes(codes) => codes.iter().filter(|&&code| code == MISSING).count(),
            Values::Numbers(numbers) => numbers.iter().filter(|value| value.is_nan()).count(),
        }
    }

    /// The values of some rows.
    pub(crate) fn take(&self, rows: &[u32]) -> Values {
        match self {
            Values::Codes(codes) => Values::Codes(rows.iter().map(|&row| codes[row as usize]).collect()),
            Values::Numbers(numbers) => {
                Values::Numbers(rows.iter().map(|&row| numbers[row as usize]).collect())
            }
        }
    }
}

/// A column of a [`Dataset`](crate::Dataset).
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    name: String,
    kind: Kind,
    values: Values,
}

impl Column {
    /// A column whose values fit its kind: codes within its levels, finite numbers.
    ///
    /// # Errors
    /// Codes where the kind has numbers or the other way round, a code beyond the levels, an infinite number.
    pub fn new(name: impl Into<String>, kind: Kind, values: Values) -> Result<Column, Error> {
        let name = name.into();
        let wrong = |what: String| {
            Err(Error::new(ErrorKind::Inconsistent, format!("column {name:?}, {}: {what}", kind.name())))
        };
        match &values {
            Values::Codes(_) if !kind.is_coded() => return wrong("codes are given, not numbers".into()),
            Values::Numbers(_) if kind.is_coded() => return wrong("numbers are given, not codes".into()),
            Values::Codes(codes) => {
                let is_beyond = |&&code: &&u32| code != MISSING && code as usize >= kind.n_codes();
                if let Some(code) = codes.iter().find(is_beyond) {
                    return wrong(format!("the code {code} is beyond its {} levels", kind.n_codes()));
                }
            }
            Values::Numbers(numbers) => {
                if let Some(row) = numbers.iter().position(|value| value.is_infinite()) {
                    return wrong(format!("row {} is infinite", row + 1));
                }
            }
        }
        Ok(Column { name, kind, values })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it holds.
    pub fn kind(&self) -> &Kind {
        &self.kind
    }

    /// Its values.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// How many codes its values may have; none where they are numbers.
    pub fn n_codes(&self) -> usize {
        self.kind.n_codes()
    }

    /// The error for a column that is not what it was when something was learned from it.
    pub(crate) fn changed_kind(&self) -> Error {
        let problem = format!("it is {} here, with {} levels", self.kind.name(), self.n_codes());
        Error::new(ErrorKind::Unaligned, problem)
            .in_column(&self.name)
            .advise("give it the kind and the levels that it had in training")
    }

    /// The same values under a kind whose codes mean the same.
    pub(crate) fn with_kind(self, kind: &Kind) -> Column {
        Column { kind: kind.clone(), ..self }
    }

    pub(crate) fn take(&self, rows: &[u32]) -> Column {
        Column { name: self.name.clone(), kind: self.kind.clone(), values: self.values.take(rows) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::Levels;

    fn check_refused(kind: Kind, values: Values, expected: &str) {
        let error = Column::new("x", kind, values).expect_err(expected);
        assert!(error.to_string().contains(expected), "{error}");
    }

    #[test]
    fn values_must_fit_the_kind() {
        check_refused(Kind::Flag, Values::Codes(vec![0, 2]), "the code 2 is beyond its 2 levels");
        check_refused(Kind::Categorical(Levels::met(["a"])), Values::Codes(vec![1]), "beyond its 1 levels");
        check_refused(Kind::Numeric, Values::Codes(vec![0]), "codes are given");
        check_refused(Kind::Flag, Values::Numbers(vec![0.0]), "numbers are given");
        check_refused(Kind::Numeric, Values::Numbers(vec![0.0, f64::INFINITY]), "row 2 is infinite");
    }

    #[test]
    fn missing_values_are_kept_and_counted() {
        let flag = Column::new("x", Kind::Flag, Values::Codes(vec![0, MISSING, 1])).expect("a flag");
        assert_eq!(flag.values().n_missing(), 1);
        let number = Column::new("x", Kind::Numeric, Values::Numbers(vec![f64::NAN, 1.0])).expect("numbers");
        assert_eq!(number.take(&[0, 0, 1]).values().n_missing(), 2);
    }
}
