//! Tests that a node may choose from, and the choice: the best gain ratio among tests of at least average gain
//! (Quinlan 1993).

/// What is next to nothing.
pub(crate) const EPSILON: f64 = 1e-3;
/// Gains, gain ratios and weights that differ by no more are equal, as in J48: whether the rounding of fractional weights
/// goes up or down must not choose a test.
pub(crate) const TIE: f64 = 1e-6;

/// What a test on a column would tell, in bits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Candidate {
    pub(crate) gain: f64,
    /// What it takes to describe the parts.
    pub(crate) info: f64,
    /// The ranks of the numbers that a threshold divides.
    pub(crate) between: Option<[usize; 2]>,
}

/// Whether a column can be tested at a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Verdict {
    Usable(Candidate),
    Unusable,
    /// Neither here nor further down.
    NeverBelow,
}

impl Verdict {
    /// What the test would tell, if there is one.
    pub(crate) fn candidate(&self) -> Option<&Candidate> {
        match self {
            Verdict::Usable(candidate) if candidate.gain > -EPSILON => Some(candidate),
            _ => None,
        }
    }
}

/// The mean gain of the columns whose gain counts.
pub(crate) fn average_gain<'a>(counting: impl Iterator<Item = &'a Verdict>) -> Option<f64> {
    let (mut n, mut sum) = (0, 0.0);
    for candidate in counting.filter_map(Verdict::candidate) {
        n += 1;
        sum += candidate.gain;
    }
    (n > 0).then(|| sum / f64::from(n))
}

/// The gain ratio, for a gain that is not below the average.
pub(crate) fn worth(candidate: &Candidate, average: f64) -> Option<f64> {
    let is_worthy = candidate.gain >= average - EPSILON && candidate.info > EPSILON;
    is_worthy.then(|| candidate.gain / candidate.info).filter(|&worth| worth > -EPSILON)
}
