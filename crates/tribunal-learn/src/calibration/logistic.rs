//! Logistic regression on a handful of terms, by Newton's method with backtracking (Lin, Lin and Weng 2007).
//!
//! **Definition** The parameters of least cross-entropy. Starting from given ones, a Newton step, with 1e-12 added to the
//! diagonal of the Hessian, is halved until the cross-entropy falls by at least a ten-thousandth of what the slope promises.
//! It ends where every component of the gradient is small, after 100 steps, or where no step helps.
//!
//! **Undefined when** a perfect separation drives the parameters to infinity; the steps end long before.

const MOST_STEPS: usize = 100;
const LEAST_STEP: f64 = 1e-10;
const RIDGE: f64 = 1e-12;
const PROMISED_SHARE: f64 = 1e-4;

/// The terms of like rows with their weight and the probability that they should have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Case<const N: usize> {
    pub(crate) terms: [f64; N],
    pub(crate) weight: f64,
    pub(crate) target: f64,
}

/// Where the steps ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Optimum<const N: usize> {
    pub(crate) parameters: [f64; N],
    pub(crate) loss: f64,
}

/// The parameters of least cross-entropy; a component of the gradient below `tolerance` is small.
pub(crate) fn minimise<const N: usize>(cases: &[Case<N>], start: [f64; N], tolerance: f64) -> Optimum<N> {
    let mut best = Optimum { parameters: start, loss: loss(cases, &start) };
    for _ in 0..MOST_STEPS {
        let (gradient, hessian) = derivatives(cases, &best.parameters);
        if gradient.iter().all(|slope| slope.abs() < tolerance) {
            break;
        }
        let step = solved(hessian, gradient.map(|slope| -slope));
        let promised = dot(&gradient, &step);
        let Some(better) = backtracked(cases, &best, &step, promised) else { break };
        best = better;
    }
    best
}

/// The first of ever shorter steps that keeps enough of its promise.
fn backtracked<const N: usize>(
    cases: &[Case<N>],
    from: &Optimum<N>,
    step: &[f64; N],
    promised: f64,
) -> Option<Optimum<N>> {
    let lengths = std::iter::successors(Some(1.0), |length| Some(length / 2.0));
    let try_length = |length: f64| {
        let parameters = std::array::from_fn(|idx| from.parameters[idx] + length * step[idx]);
        let loss = loss(cases, &parameters);
        (loss < from.loss + PROMISED_SHARE * length * promised).then_some(Optimum { parameters, loss })
    };
    lengths.take_while(|&length| length >= LEAST_STEP).find_map(try_length)
}

fn loss<const N: usize>(cases: &[Case<N>], parameters: &[f64; N]) -> f64 {
    let of_case = |case: &Case<N>| {
        let log_odds = dot(&case.terms, parameters);
        // The log of 1 + exp(log_odds), whatever its sign.
        let softplus = log_odds.max(0.0) + (-log_odds.abs()).exp().ln_1p();
        case.weight * (softplus - case.target * log_odds)
    };
    cases.iter().map(of_case).sum()
}

fn derivatives<const N: usize>(cases: &[Case<N>], parameters: &[f64; N]) -> ([f64; N], [[f64; N]; N]) {
    let (mut gradient, mut hessian) = ([0.0; N], [[0.0; N]; N]);
    for case in cases {
        let found = sigmoid(dot(&case.terms, parameters));
        let curvature = case.weight * found * (1.0 - found);
        for (row, term) in case.terms.iter().enumerate() {
            gradient[row] += case.weight * (found - case.target) * term;
            (0..N).for_each(|column| hessian[row][column] += curvature * term * case.terms[column]);
        }
    }
    (0..N).for_each(|idx| hessian[idx][idx] += RIDGE);
    (gradient, hessian)
}

/// The solution of a small system of equations whose matrix is positive definite, by elimination.
fn solved<const N: usize>(mut matrix: [[f64; N]; N], mut right: [f64; N]) -> [f64; N] {
    for pivot in 0..N {
        for row in pivot + 1..N {
            let factor = matrix[row][pivot] / matrix[pivot][pivot];
            (pivot..N).for_each(|column| matrix[row][column] -= factor * matrix[pivot][column]);
            right[row] -= factor * right[pivot];
        }
    }
    for row in (0..N).rev() {
        let known: f64 = (row + 1..N).map(|column| matrix[row][column] * right[column]).sum();
        right[row] = (right[row] - known) / matrix[row][row];
    }
    right
}

fn dot<const N: usize>(left: &[f64; N], right: &[f64; N]) -> f64 {
    left.iter().zip(right).map(|(a, b)| a * b).sum()
}

/// The logistic of log-odds, without overflow: what steps are made of, not what scores are.
fn sigmoid(log_odds: f64) -> f64 {
    let small = (-log_odds.abs()).exp();
    if log_odds >= 0.0 { 1.0 / (1.0 + small) } else { small / (1.0 + small) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constant_alone_finds_the_share() {
        let case = |weight: f64, target: f64| Case { terms: [1.0], weight, target };
        let found = minimise(&[case(3.0, 1.0), case(5.0, 0.0)], [0.0], 1e-10);
        assert!((found.parameters[0] - (3.0_f64 / 5.0).ln()).abs() < 1e-10);
    }

    #[test]
    fn a_term_beyond_reckoning_gets_no_part() {
        let case = |term: f64, target: f64| Case { terms: [term, 1.0], weight: 1.0, target };
        let found = minimise(&[case(1e300, 1.0), case(-1e300, 0.0)], [0.0, 0.5], 1e-5);
        assert!(found.parameters[0] == 0.0 && found.parameters[1].abs() < 1e-9, "{found:?}");
    }

    #[test]
    fn equations_are_solved() {
        let found = solved([[4.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 2.0]], [6.0, 10.0, 8.0]);
        for (found, expected) in found.into_iter().zip([1.0, 2.0, 3.0]) {
            assert!((found - expected).abs() < 1e-12, "{found}");
        }
    }

    #[test]
    fn probabilities_do_not_overflow() {
        assert_eq!([-1e308, 0.0, 1e308].map(sigmoid), [0.0, 0.5, 1.0]);
        assert_eq!([f64::NEG_INFINITY, f64::INFINITY].map(sigmoid), [0.0, 1.0]);
    }
}
