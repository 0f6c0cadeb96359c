//! How many more errors to expect of a leaf than it makes on its training rows: the upper bound of a binomial proportion
//! at a confidence level, as C4.5 works it out (Quinlan 1993), or as its descendant J48 does (WEKA 3.6.14, `weka.classifiers.trees.j48.Stats.addErrs`).

use tribunal_tails::normal_quantile_upper;

/// Confidence levels and the normal deviates that stand for them.
const DEVIATES: [(f64, f64); 9] = [
    (0.0, 4.0),
    (0.001, 3.09),
    (0.005, 2.58),
    (0.01, 2.33),
    (0.05, 1.65),
    (0.10, 1.28),
    (0.20, 0.84),
    (0.40, 0.25),
    (1.0, 0.0),
];

/// Whose bound it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Bound {
    /// The deviate is interpolated in Quinlan's table.
    #[default]
    Release8,
    /// The deviate is the exact quantile; of rows that are nearly all errors, all are expected to be.
    J48,
}

/// The errors that are added at a confidence level.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AddErrs {
    level: f64,
    /// The squared deviate.
    square: f64,
    /// The share of the rows that are no errors that is added where nearly all are.
    share_of_rest: f64,
}

impl AddErrs {
    pub(crate) fn new(level: f64, bound: Bound) -> Self {
        let (deviate, share_of_rest) = match bound {
            Bound::Release8 => (interpolated(level), 0.67),
            // A lower bound than the errors themselves is none.
            Bound::J48 => (normal_quantile_upper(level.min(0.5)), 1.0),
        };
        AddErrs { level, square: deviate * deviate, share_of_rest }
    }

    /// What is added to `errors` among rows of weight `n`.
    pub(crate) fn of(&self, n: f64, errors: f64) -> f64 {
        if errors < 1e-6 {
            self.without_errors(n)
        } else if errors < 0.9999 {
            let none = self.without_errors(n);
            none + errors * (self.of(n, 1.0) - none)
        } else if errors + 0.5 >= n {
            self.share_of_rest * (n - errors)
        } else {
            let (half, square) = (errors + 0.5, self.square);
            let root = (square * (half * (1.0 - half / n) + square / 4.0)).sqrt();
            n * (half + square / 2.0 + root) / (n + square) - errors
        }
    }

    fn without_errors(&self, n: f64) -> f64 {
        n * (1.0 - (self.level.ln() / n).exp())
    }
}

/// The deviate of a confidence level, between those of the table.
fn interpolated(level: f64) -> f64 {
    DEVIATES.windows(2).find(|pair| level <= pair[1].0).map_or(0.0, |pair| {
        let [(low, from), (high, to)] = [pair[0], pair[1]];
        from + (to - from) * (level - low) / (high - low)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn added_errors_are_those_of_release_8() {
        let expected = [
            ((2.0, 0.0), 1.0),
            ((3.0, 0.0), 1.110118),
            ((6.0, 0.0), 1.237797),
            ((14.0, 0.0), 1.319869),
            ((1.0, 0.0), 0.75),
            ((14.0, 5.0), 1.794993),
            ((5.0, 2.0), 1.239583),
            ((6.0, 1.0), 1.326485),
            ((16.0, 1.0), 1.506894),
            ((100.0, 10.0), 2.814705),
            ((10.0, 0.5), 1.367556),
            ((5.0, 4.6), 0.268),
            ((4.0, 4.0), 0.0),
        ];
        let added = AddErrs::new(0.25, Bound::Release8);
        for ((n, errors), expected) in expected {
            assert!((added.of(n, errors) - expected).abs() < 1e-6, "{n} {errors}: {}", added.of(n, errors));
        }
        assert!((added.square.sqrt() - 0.6925).abs() < 1e-12);
    }

    #[test]
    fn added_errors_are_those_of_j48() {
        // `weka.classifiers.trees.j48.Stats.addErrs(n, errors, 0.25f)` of WEKA 3.6.14.
        let expected = [
            ((2.0, 0.0), 1.0),
            ((14.0, 0.0), 1.319868700305306),
            ((1.0, 0.0), 0.75),
            ((14.0, 5.0), 1.7611198072729675),
            ((5.0, 2.0), 1.2219722686202368),
            ((6.0, 1.0), 1.3035065579682552),
            ((16.0, 1.0), 1.4757146318372634),
            ((100.0, 10.0), 2.7496114511898675),
            ((10.0, 0.5), 1.3535279340241242),
            ((5.0, 4.6), 0.4),
            ((4.0, 4.0), 0.0),
        ];
        let added = AddErrs::new(0.25, Bound::J48);
        for ((n, errors), expected) in expected {
            assert!((added.of(n, errors) - expected).abs() < 1e-6, "{n} {errors}: {}", added.of(n, errors));
        }
    }
}
