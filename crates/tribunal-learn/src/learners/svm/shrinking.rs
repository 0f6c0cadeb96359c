//! Shrinking: rows whose coefficients are at a bound and seem to stay there are put aside, so that steps are taken among
//! those that matter (Joachims 1999).
//!
//! A coefficient that may only fall stays where its error is above all that may rise, and one that may only rise where its
//! error is below all that may fall. That may turn out wrong, so the errors of all rows are computed in the end, and steps
//! go on if the optimum is violated among them.

use super::smo::{Extremes, Smo, Whole};

/// Rows are put aside once that share of them can be: to copy the others takes a while.
const LEAST_SHARE: f64 = 0.2;

impl Smo<'_> {
    /// Puts rows aside that seem to stay at their bounds, if they are many.
    pub(super) fn shrink(&mut self, extremes: Extremes) {
        let n_active = self.active.len() as u32;
        let places: Vec<u32> = (0..n_active).filter(|&place| !self.stays(place as usize, extremes)).collect();
        if f64::from(n_active) - places.len() as f64 > LEAST_SHARE * f64::from(n_active) {
            self.put_aside();
            self.keep(&places);
        }
    }

    /// Makes all rows active again; their errors follow from the coefficients that have moved since they were last computed.
    pub(super) fn activate_all(&mut self) {
        self.put_aside();
        let Whole { coefficients, errors, of_errors } = &mut self.whole;
        let moves: Vec<f64> = coefficients.iter().zip(&*of_errors).map(|(now, then)| now - then).collect();
        let products = self.problem.products(&moves);
        errors.iter_mut().zip(products).for_each(|(error, product)| *error -= product);
        of_errors.clone_from(coefficients);
        if self.active.len() == errors.len() {
            self.errors.clone_from(errors);
        } else {
            let (whole, n_steps) = (std::mem::take(&mut self.whole), self.n_steps);
            *self = Smo::new(self.problem, whole, self.rows.room());
            self.n_steps = n_steps;
        }
    }

    /// Whether a coefficient is at a bound that it is not about to leave.
    fn stays(&self, place: usize, extremes: Extremes) -> bool {
        let error = self.errors[place];
        (self.rising[place] < 0.0 && error > extremes.rising)
            || (self.falling[place] > 0.0 && error < extremes.falling)
    }

    /// Notes where the coefficients of active rows are.
    fn put_aside(&mut self) {
        for (&row, &coefficient) in self.active.iter().zip(&self.coefficients) {
            self.whole.coefficients[row as usize] = coefficient;
        }
    }
}
