//! The amounts of rows: a number each, or none.

use crate::error::{Error, ErrorKind};

/// A column of amounts; NaN where there is none.
#[derive(Clone, Debug, PartialEq)]
pub struct Amounts {
    name: String,
    values: Vec<f64>,
}

impl Amounts {
    /// The amounts of rows, NaN where there is none.
    ///
    /// # Errors
    /// An amount is infinite.
    pub fn new(name: impl Into<String>, values: Vec<f64>) -> Result<Amounts, Error> {
        let name = name.into();
        match values.iter().position(|value| value.is_infinite()) {
            None => Ok(Amounts { name, values }),
            Some(row) => {
                let problem =
                    format!("column {name:?}, row {}: the amount {} is not finite", row + 1, values[row]);
                Err(Error::new(ErrorKind::Inconsistent, problem).advise("correct it, or leave it empty"))
            }
        }
    }

    /// The name of the column.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The amount of each row, NaN where there is none.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The amounts of some rows, in that order.
    pub fn take(&self, rows: &[u32]) -> Amounts {
        Amounts {
            name: self.name.clone(),
            values: rows.iter().map(|&row| self.values[row as usize]).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_finite_or_missing() {
        let amounts = Amounts::new("paid", vec![5.0, f64::NAN, -1.0]).expect("amounts");
        assert_eq!(amounts.take(&[2, 0, 2]).values(), [-1.0, 5.0, -1.0]);
        let error = Amounts::new("paid", vec![5.0, f64::NEG_INFINITY]).expect_err("infinite").to_string();
        assert!(
            error.contains("column \"paid\", row 2: the amount -inf is not finite; correct it"),
            "{error}"
        );
    }
}
