//! The zero of a function inside a bracket.
//!
//! Inverse quadratic steps where they are safe, bisection where they are not: as quick as Brent's method on smooth
//! functions and never slower than bisection. Reference: Chandrupatla (1997), "A new hybrid quadratic/bisection
//! algorithm for finding the zero of a nonlinear function without using derivatives".

/// Enough for bisection over the whole range of a double.
const MOST_STEPS: usize = 1100;

/// The zero of `f` between the two ends, to the last digits.
///
/// `f` must have opposite signs at the ends; if it has not, the end with the smaller absolute value is returned.
pub fn root(mut f: impl FnMut(f64) -> f64, bracket: (f64, f64)) -> f64 {
    let (mut b, mut a) = bracket;
    let (mut fb, mut fa) = (f(b), f(a));
    if fa * fb > 0.0 {
        return if fa.abs() < fb.abs() { a } else { b };
    }
    let mut share = 0.5;
    for _ in 0..MOST_STEPS {
        let x = a + share * (b - a);
        let fx = f(x);
        let (c, fc);
        if (fx > 0.0) == (fa > 0.0) {
            (c, fc) = (a, fa);
        } else {
            (c, fc) = (b, fb);
            (b, fb) = (a, fa);
        }
        (a, fa) = (x, fx);
        let (best, f_best) = if fa.abs() < fb.abs() { (a, fa) } else { (b, fb) };
        let tolerance = 2.0 * f64::EPSILON * best.abs() + f64::MIN_POSITIVE;
        let limit = tolerance / (b - a).abs();
        if limit > 0.5 || f_best == 0.0 {
            return best;
        }
        share = next_share((a, fa), (b, fb), (c, fc)).clamp(limit, 1.0 - limit);
    }
    a
}

/// Where to look next between `a` and `b`: by inverse quadratic interpolation if it is safe, else in the middle.
fn next_share((a, fa): (f64, f64), (b, fb): (f64, f64), (c, fc): (f64, f64)) -> f64 {
    let xi = (a - b) / (c - b);
    let phi = (fa - fb) / (fc - fb);
    if phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi {
        fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
    } else {
        0.5
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_are_found_to_the_last_digits() {
        let cube = root(|x| x * x * x - 2.0, (0.0, 8.0));
        assert!((cube - 2f64.cbrt()).abs() < 1e-15);
        let flat = root(|x| libm::exp(x) - 1e-5, (-40.0, 5.0));
        assert!((flat - 1e-5f64.ln()).abs() < 1e-14);
    }

    #[test]
    fn smooth_functions_take_few_steps() {
        let mut calls = 0;
        root(
            |x| {
                calls += 1;
                libm::cos(x) - x
            },
            (0.0, 2.0),
        );
        assert!(calls < 14, "{calls} calls");
    }

    #[test]
    fn a_bracket_without_a_change_of_sign_gives_its_better_end() {
        assert_eq!(root(|x| x + 1.0, (0.0, 5.0)), 0.0);
    }
}
