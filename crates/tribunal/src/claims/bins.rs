//! Bins of ages, lags and charges, as Viaene, Derrig, Baesens and Dedene (2002) cut them.
//!
//! Their bounds are whole numbers and say nothing of 100.40 dollars; values are rounded to the nearest whole number
//! first, halves upwards.

use crate::error::Error;

/// Every last bin begins below this.
const TABLE: usize = 512;

/// Inclusive upper bounds of all bins but the last, which is open, and every whole number's bin.
#[derive(Debug)]
pub struct Bins {
    bounds: &'static [u16],
    table: [u8; TABLE],
}

/// Age at the accident, in years.
pub static AGE: Bins = Bins::new(&[20, 40, 60, 80]);
/// Days from the start of a policy of one year to the accident.
pub static POLICY_LAG: Bins = Bins::new(&[7, 15, 30, 45, 60, 90, 180, 270]);
/// Days from the accident to its report, or to a treatment.
pub static LAG: Bins = Bins::new(&[7, 15, 30, 45, 60, 90, 180, 270, 360]);
/// Charges of an ambulance, in dollars.
pub static CHARGE: Bins = Bins::new(&[100, 200, 300, 400, 500]);

impl Bins {
    const fn new(bounds: &'static [u16]) -> Self {
        let mut table = [0; TABLE];
        let (mut whole, mut bin) = (0, 0);
        while whole < TABLE {
            if bin < bounds.len() && whole > bounds[bin] as usize {
                bin += 1;
            }
            table[whole] = bin as u8 + 1;
            whole += 1;
        }
        Self { bounds, table }
    }

    /// How many bins there are.
    pub fn count(&self) -> usize {
        self.bounds.len() + 1
    }

    /// The bin of a value, from 1; a value that is not known (NaN) has none.
    ///
    /// ```
    /// use tribunal::claims::bins;
    ///
    /// assert_eq!(bins::AGE.of(20.4)?, Some(1));
    /// assert_eq!(bins::AGE.of(20.5)?, Some(2));
    /// # Ok::<(), tribunal::Error>(())
    /// ```
    ///
    /// # Errors
    /// The value is negative.
    pub fn of(&self, value: f64) -> Result<Option<u8>, Error> {
        if value < 0.0 {
            let problem = format!("{value} cannot be binned: ages, lags and charges are not negative");
            return Err(Error::Data(format!("{problem}; correct the value or leave it empty")));
        }
        let bin = |value: f64| self.of_whole((value + 0.5).floor() as u32);
        Ok((!value.is_nan()).then(|| bin(value)))
    }

    /// The bin of a whole number.
    pub(super) fn of_whole(&self, whole: u32) -> u8 {
        self.table[(whole as usize).min(TABLE - 1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bins: &Bins, values: &[f64], expected: &[u8]) {
        let found: Vec<u8> =
            values.iter().map(|&value| bins.of(value).expect("no negative value").expect("a bin")).collect();
        assert_eq!(found, expected, "{values:?}");
    }

    #[test]
    fn values_are_rounded_and_bounds_belong_to_the_lower_bin() {
        check(&AGE, &[0.0, 20.0, 20.4, 20.5, 21.0, 80.0, 81.0, 95.0], &[1, 1, 1, 2, 2, 4, 5, 5]);
        check(&POLICY_LAG, &[0.0, 7.0, 8.0, 270.0, 271.0, 364.0], &[1, 1, 2, 8, 9, 9]);
        check(&LAG, &[360.0, 361.0, 500.0], &[9, 10, 10]);
        check(&LAG, &[0.0, 3.0, 7.0, 8.0], &[1, 1, 1, 2]);
        check(&CHARGE, &[0.0, 100.0, 100.49, 100.5, 500.4, 501.0, 1e300], &[1, 1, 1, 2, 5, 6, 6]);
    }

    #[test]
    fn there_are_as_many_bins_as_published() {
        assert_eq!([&AGE, &POLICY_LAG, &LAG, &CHARGE].map(Bins::count), [5, 9, 10, 6]);
    }

    #[test]
    fn unknown_values_have_no_bin_and_negative_ones_are_refused() {
        assert_eq!(AGE.of(f64::NAN).expect("no error"), None);
        let refused = LAG.of(-1.0).expect_err("a negative lag").to_string();
        assert!(refused.starts_with("-1 cannot be binned"), "{refused}");
    }
}
