//! A convex quadratic program with a box and a bounded sum, by a primal-dual interior-point method (Mehrotra 1992).
//!
//! `minimise 1/2 x'Kx - k'x` with `0 <= x <= u` and `low <= sum x <= high`, for a positive semi-definite K. The start is strictly
//! feasible and stays so. Each step factors `K + D + c 11'` with a positive diagonal D, so K may be singular, as it is with rows that
//! stand twice. Steps end when the KKT conditions hold: the largest dual residual, relative to k, and the duality gap, relative to
//! the objective, are both below [`TOLERANCE`], or no step makes them smaller any more and they are below [`ACCEPTABLE`].

use tribunal_algebra::{Cholesky, Rectangle, Symmetric};

/// The KKT residual at which steps end.
const TOLERANCE: f64 = 1e-12;
/// The KKT residual that is small enough where rounding errors allow no better one.
const ACCEPTABLE: f64 = 1e-8;
const MOST_STEPS: usize = 100;
/// Steps go so much of the way to where a variable would leave its bounds.
const TO_THE_BORDER: f64 = 0.995;
/// A shorter step leads nowhere.
const SHORTEST_STEP: f64 = 1e-10;

/// What is minimised.
#[derive(Clone, Debug)]
pub(super) struct QuadraticProgram {
    pub(super) quadratic: Symmetric,
    pub(super) linear: Vec<f64>,
    pub(super) upper: Vec<f64>,
    pub(super) sum: (f64, f64),
}

/// Where the steps ended.
#[derive(Clone, Debug)]
pub(super) struct Solution {
    pub(super) x: Vec<f64>,
    pub(super) objective: f64,
    /// The KKT residual.
    pub(super) residual: f64,
}

/// Multipliers of the bounds: 0 <= x, x <= u, then those of the sum.
#[derive(Clone, Debug)]
struct Multipliers {
    lower: Vec<f64>,
    upper: Vec<f64>,
    sum: [f64; 2],
}

/// How far a point is from its bounds.
struct Slacks {
    lower: Vec<f64>,
    upper: Vec<f64>,
    sum: [f64; 2],
}

struct Direction {
    x: Vec<f64>,
    total: f64,
    multipliers: Multipliers,
}

impl QuadraticProgram {
    /// The minimum, from a start strictly within all bounds; nothing where rounding errors leave no acceptable one.
    pub(super) fn solve(&self, start: Vec<f64>) -> Option<Solution> {
        let mut x = start;
        let slacks = self.slacks(&x);
        let gradient = self.gradient(&x);
        let size = gradient.iter().fold(1.0, |size: f64, slope| size.max(slope.abs()));
        let mut z = Multipliers::centred(&slacks, size);
        let mut best: Option<Solution> = None;
        for _ in 0..MOST_STEPS {
            let (slacks, gradient) = (self.slacks(&x), self.gradient(&x));
            let dual = z.dual_residuals(&gradient);
            let now = self.judged(&x, &gradient, &dual, z.gap(&slacks));
            let is_done = now.residual <= TOLERANCE;
            if best.as_ref().is_none_or(|best| now.residual < best.residual) {
                best = Some(now);
            }
            if is_done {
                break;
            }
            let Some((direction, length)) = self.step(&slacks, &z, &dual) else { break };
            if length < SHORTEST_STEP {
                break;
            }
            x.iter_mut().zip(&direction.x).for_each(|(x, step)| *x += length * step);
            z.move_by(&direction.multipliers, length);
        }
        best.filter(|best| best.residual <= ACCEPTABLE)
    }

    fn gradient(&self, x: &[f64]) -> Vec<f64> {
        let product = self.quadratic.times(&Rectangle::of(x.len(), 1, x.to_vec()));
        product.values().iter().zip(&self.linear).map(|(product, linear)| product - linear).collect()
    }

    fn slacks(&self, x: &[f64]) -> Slacks {
        let total: f64 = x.iter().sum();
        Slacks {
            lower: x.to_vec(),
            upper: self.upper.iter().zip(x).map(|(upper, x)| upper - x).collect(),
            sum: [total - self.sum.0, self.sum.1 - total],
        }
    }

    fn judged(&self, x: &[f64], gradient: &[f64], dual: &[f64], gap: f64) -> Solution {
        let largest = |values: &[f64]| values.iter().fold(0.0, |size: f64, value| size.max(value.abs()));
        // 1/2 x'Kx - k'x = 1/2 x'(Kx - k) - 1/2 k'x
        let halves =
            gradient.iter().zip(&self.linear).zip(x).map(|((slope, linear), x)| (slope - linear) * x);
        let objective = 0.5 * halves.sum::<f64>();
        let residual = (largest(dual) / (1.0 + largest(&self.linear))).max(gap / (1.0 + objective.abs()));
        Solution { x: x.to_vec(), objective, residual }
    }

    /// A predictor, then the step that it corrects, with the length that may be taken.
    fn step(&self, slacks: &Slacks, z: &Multipliers, dual: &[f64]) -> Option<(Direction, f64)> {
        let n = self.linear.len();
        let mut matrix = self.quadratic.clone();
        let diagonal: Vec<f64> =
            (0..n).map(|idx| z.lower[idx] / slacks.lower[idx] + z.upper[idx] / slacks.upper[idx]).collect();
        matrix.add_diagonal(&diagonal);
        let common = z.sum[0] / slacks.sum[0] + z.sum[1] / slacks.sum[1];
        (0..n).for_each(|column| matrix.below_mut(column).iter_mut().for_each(|value| *value += common));
        let factor = Cholesky::of(matrix)?;

        let mean_gap = z.gap(slacks) / (2 * n + 2) as f64;
        let predictor = direction(&factor, slacks, z, dual, &Targets::affine(slacks, z));
        let reach = predictor.longest(slacks, z).min(1.0);
        let left = z.moved(&predictor.multipliers, reach).gap(&predictor.slacks_after(slacks, reach));
        let centring = (left / (2 * n + 2) as f64 / mean_gap).powi(3);
        let targets = Targets::corrected(slacks, z, &predictor, centring * mean_gap);
        let corrected = direction(&factor, slacks, z, dual, &targets);
        let length = (TO_THE_BORDER * corrected.longest(slacks, z)).min(1.0);
        let is_finite = corrected.x.iter().all(|value| value.is_finite());
        is_finite.then_some((corrected, length))
    }
}

/// By how much the product of each slack and its multiplier should change.
struct Targets {
    lower: Vec<f64>,
    upper: Vec<f64>,
    sum: [f64; 2],
}

impl Targets {
    /// All products to zero.
    fn affine(slacks: &Slacks, z: &Multipliers) -> Self {
        let minus = |s: &[f64], z: &[f64]| s.iter().zip(z).map(|(s, z)| -s * z).collect();
        let sum = [0, 1].map(|idx| -slacks.sum[idx] * z.sum[idx]);
        Self { lower: minus(&slacks.lower, &z.lower), upper: minus(&slacks.upper, &z.upper), sum }
    }

    /// All products to the same value, less what the predictor would miss it by.
    fn corrected(slacks: &Slacks, z: &Multipliers, predictor: &Direction, value: f64) -> Self {
        let mut targets = Self::affine(slacks, z);
        let Direction { x, total, multipliers } = predictor;
        for (idx, step) in x.iter().enumerate() {
            targets.lower[idx] += value - step * multipliers.lower[idx];
            targets.upper[idx] += value + step * multipliers.upper[idx];
        }
        targets.sum[0] += value - total * multipliers.sum[0];
        targets.sum[1] += value + total * multipliers.sum[1];
        targets
    }
}

/// The direction that reaches the targets and makes the dual residuals vanish.
fn direction(
    factor: &Cholesky,
    slacks: &Slacks,
    z: &Multipliers,
    dual: &[f64],
    targets: &Targets,
) -> Direction {
    let of_sum = targets.sum[0] / slacks.sum[0] - targets.sum[1] / slacks.sum[1];
    let mut x: Vec<f64> = (0..dual.len())
        .map(|idx| {
            -dual[idx] + targets.lower[idx] / slacks.lower[idx] - targets.upper[idx] / slacks.upper[idx]
                + of_sum
        })
        .collect();
    factor.solve(&mut x);
    let total: f64 = x.iter().sum();
    let lower = (0..x.len()).map(|idx| (targets.lower[idx] - z.lower[idx] * x[idx]) / slacks.lower[idx]);
    let upper = (0..x.len()).map(|idx| (targets.upper[idx] + z.upper[idx] * x[idx]) / slacks.upper[idx]);
    let multipliers = Multipliers {
        lower: lower.collect(),
        upper: upper.collect(),
        sum: [
            (targets.sum[0] - z.sum[0] * total) / slacks.sum[0],
            (targets.sum[1] + z.sum[1] * total) / slacks.sum[1],
        ],
    };
    Direction { x, total, multipliers }
}

impl Direction {
    /// The longest step after which no slack and no multiplier is negative.
    fn longest(&self, slacks: &Slacks, z: &Multipliers) -> f64 {
        let until = |(value, step): (f64, f64)| if step < 0.0 { -value / step } else { f64::INFINITY };
        let pairs = |values: &[f64], steps: &[f64], sign: f64| {
            values
                .iter()
                .zip(steps)
                .map(|(&value, &step)| until((value, sign * step)))
                .fold(f64::INFINITY, f64::min)
        };
        let of_sum = [(slacks.sum[0], self.total), (slacks.sum[1], -self.total)].map(until);
        let ends = [
            pairs(&slacks.lower, &self.x, 1.0),
            pairs(&slacks.upper, &self.x, -1.0),
            pairs(&z.lower, &self.multipliers.lower, 1.0),
            pairs(&z.upper, &self.multipliers.upper, 1.0),
            pairs(&z.sum, &self.multipliers.sum, 1.0),
        ];
        ends.into_iter().chain(of_sum).fold(f64::INFINITY, f64::min)
    }

    fn slacks_after(&self, slacks: &Slacks, length: f64) -> Slacks {
        let moved = |values: &[f64], length: f64| {
            values.iter().zip(&self.x).map(|(value, step)| value + length * step).collect()
        };
        Slacks {
            lower: moved(&slacks.lower, length),
            upper: moved(&slacks.upper, -length),
            sum: [slacks.sum[0] + length * self.total, slacks.sum[1] - length * self.total],
        }
    }
}

impl Multipliers {
    /// Those whose products with the slacks are all the same.
    fn centred(slacks: &Slacks, product: f64) -> Self {
        let of = |slacks: &[f64]| slacks.iter().map(|slack| product / slack).collect();
        Self {
            lower: of(&slacks.lower),
            upper: of(&slacks.upper),
            sum: slacks.sum.map(|slack| product / slack),
        }
    }

    /// What is left of the gradient.
    fn dual_residuals(&self, gradient: &[f64]) -> Vec<f64> {
        let of_sum = self.sum[1] - self.sum[0];
        (0..gradient.len()).map(|idx| gradient[idx] - self.lower[idx] + self.upper[idx] + of_sum).collect()
    }

    /// The sum of all products of slacks and multipliers.
    fn gap(&self, slacks: &Slacks) -> f64 {
        let products = |z: &[f64], s: &[f64]| z.iter().zip(s).map(|(z, s)| z * s).sum::<f64>();
        products(&self.lower, &slacks.lower)
            + products(&self.upper, &slacks.upper)
            + products(&self.sum, &slacks.sum)
    }

    fn move_by(&mut self, step: &Multipliers, length: f64) {
        let pairs = [
            (&mut self.lower[..], &step.lower[..]),
            (&mut self.upper, &step.upper),
            (&mut self.sum, &step.sum),
        ];
        for (values, steps) in pairs {
            values.iter_mut().zip(steps).for_each(|(value, step)| *value += length * step);
        }
    }

    fn moved(&self, step: &Multipliers, length: f64) -> Self {
        let mut moved = self.clone();
        moved.move_by(step, length);
        moved
    }
}

#[cfg(test)]
mod tests {
    use tribunal_random::Random;

    use super::*;

    fn identity(n: usize) -> Symmetric {
        let mut matrix = Symmetric::zeros(n);
        matrix.add_diagonal(&vec![1.0; n]);
        matrix
    }

    #[test]
    fn separable_programs_are_solved_by_clipping() {
        let program = QuadraticProgram {
            quadratic: identity(4),
            linear: vec![-1.0, 0.5, 2.0, 0.25],
            upper: vec![1.0; 4],
            sum: (0.0, 10.0),
        };
        let found = program.solve(vec![0.5; 4]).expect("a minimum");
        for (x, expected) in found.x.iter().zip([0.0, 0.5, 1.0, 0.25]) {
            assert!((x - expected).abs() < 1e-9, "{found:?}");
        }
    }

    #[test]
    fn a_bounded_sum_moves_all_alike() {
        let solve = |sum| {
            let program =
                QuadraticProgram { quadratic: identity(2), linear: vec![1.0, 3.0], upper: vec![9.0; 2], sum };
            program.solve(vec![(sum.0 + sum.1) / 4.0; 2]).expect("a minimum").x
        };
        let near = |found: Vec<f64>, expected: [f64; 2]| {
            found.iter().zip(expected).for_each(|(a, b)| assert!((a - b).abs() < 1e-9, "{a} {b}"));
        };
        near(solve((1.0, 3.0)), [0.5, 2.5]);
        near(solve((5.0, 6.0)), [1.5, 3.5]);
    }

    /// The KKT conditions of random singular programs, checked by themselves.
    #[test]
    fn singular_programs_meet_the_kkt_conditions() {
        let mut random = Random::new(5);
        for round in 0..20 {
            let n = 30;
            let columns = Rectangle::of(n, 4, (0..n * 4).map(|_| random.normal()).collect());
            let quadratic = Symmetric::outer_products(&columns);
            let linear: Vec<f64> = (0..n).map(|_| 5.0 * random.normal()).collect();
            let program = QuadraticProgram { quadratic, linear, upper: vec![4.0; n], sum: (10.0, 50.0) };
            let found = program.solve(vec![1.0; n]).expect("a minimum");
            let (gradient, total) = (program.gradient(&found.x), found.x.iter().sum::<f64>());
            // The multiplier of the sum is the slope of any variable off its bounds.
            let inner = (0..n).find(|&idx| (1e-6..4.0 - 1e-6).contains(&found.x[idx])).expect("an inner one");
            let level = gradient[inner];
            for (x, slope) in found.x.iter().zip(&gradient) {
                let is_optimal = match x {
                    x if *x < 1e-6 => *slope > level - 1e-6,
                    x if *x > 4.0 - 1e-6 => *slope < level + 1e-6,
                    _ => (slope - level).abs() < 1e-6,
                };
                assert!(is_optimal, "round {round}: {x} {slope} {level}");
            }
            let at_end =
                (total - 10.0).abs() < 1e-6 && level >= -1e-6 || (total - 50.0).abs() < 1e-6 && level <= 1e-6;
            assert!(at_end || level.abs() < 1e-6, "round {round}: {total} {level}");
        }
    }
}
