//! Sums over columns, compiled for the vector units that the machine turns out to have.

use pulp::{Arch, Simd, WithSimd};

/// What a loop comes to that is compiled for the vector units of the machine. The loop is a closure that is marked
/// `#[inline(always)]`, and so is whatever it calls: what is not inlined knows nothing of vector units.
///
/// ```
/// let mut squares = [1.0, 2.0, 3.0];
/// tribunal_algebra::vectorised(
///     #[inline(always)]
///     || squares.iter_mut().for_each(|number| *number *= *number),
/// );
/// assert_eq!(squares, [1.0, 4.0, 9.0]);
/// ```
#[inline(always)]
pub fn vectorised<R>(work: impl FnMut() -> R) -> R {
    Arch::new().dispatch(Work(work))
}

/// A loop. Called as `FnOnce`, as pulp calls closures, it would stand behind a function that is too large to be inlined.
struct Work<F>(F);

impl<R, F: FnMut() -> R> WithSimd for Work<F> {
    type Output = R;

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, _: S) -> R {
        (self.0)()
    }
}

/// Sums that a dot product keeps side by side.
const LANES: usize = 16;

/// The sum of products, as far as both go.
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    let n = a.len().min(b.len());
    let (a, b) = (&a[..n], &b[..n]);
    vectorised(
        #[inline(always)]
        || {
            let mut sums = [0.0; LANES];
            let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
            for (a, b) in a.iter().zip(b) {
                for lane in 0..LANES {
                    sums[lane] += a[lane] * b[lane];
                }
            }
            let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
            sums.iter().sum::<f64>() + rest
        },
    )
}

/// Adds a multiple of numbers to others, as far as both go.
pub fn add_scaled(to: &mut [f64], factor: f64, numbers: &[f64]) {
    vectorised(
        #[inline(always)]
        || to.iter_mut().zip(numbers).for_each(|(to, number)| *to += factor * number),
    );
}

/// Below this the exponential is as good as zero, and has fewer digits.
const LEAST_EXPONENT: f64 = -708.0;

/// The factorials' inverses up to that of 13, from the last: a polynomial of the exponential.
const EXPONENTIAL: [f64; 14] = [
    1.0 / 6_227_020_800.0,
    1.0 / 479_001_600.0,
    1.0 / 39_916_800.0,
    1.0 / 3_628_800.0,
    1.0 / 362_880.0,
    1.0 / 40_320.0,
    1.0 / 5_040.0,
    1.0 / 720.0,
    1.0 / 120.0,
    1.0 / 24.0,
    1.0 / 6.0,
    0.5,
    1.0,
    1.0,
];

/// Replaces numbers, none of them above zero, by their exponentials, to within two units of the last place. What has no more
/// than 1e-307 left is zero.
pub fn exponentials(numbers: &mut [f64]) {
    vectorised(
        #[inline(always)]
        || numbers.iter_mut().for_each(|number| *number = exponential(*number)),
    );
}

/// `2^k exp(rest)`, where the rest is at most half the logarithm of two.
#[inline(always)]
fn exponential(number: f64) -> f64 {
    // Added to a number, this leaves its whole part in the last bits.
    const WHOLE: f64 = 6_755_399_441_055_744.0;
    // The logarithm of two: digits that any k leaves whole, and the others.
    const LN_2: f64 = 0.693_147_180_369_123_8;
    const LN_2_REST: f64 = 1.908_214_929_270_587_7e-10;
    let within = number.max(LEAST_EXPONENT);
    let shifted = within.mul_add(std::f64::consts::LOG2_E, WHOLE);
    let k = shifted - WHOLE;
    let rest = k.mul_add(-LN_2_REST, k.mul_add(-LN_2, within));
    let mut series = EXPONENTIAL[0];
    for coefficient in &EXPONENTIAL[1..] {
        series = series.mul_add(rest, *coefficient);
    }
    let power = f64::from_bits(shifted.to_bits().wrapping_add(1023) << 52);
    if number < LEAST_EXPONENT { 0.0 } else { series * power }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponentials_have_all_but_the_last_digits() {
        let numbers: Vec<f64> = (0..200_000).map(|idx| -f64::from(idx) * 0.003_54).collect();
        for numbers in [numbers.as_slice(), &[-1e-300, -1e-9, -0.3, -0.5, -707.9, -708.0]] {
            let mut found = numbers.to_vec();
            exponentials(&mut found);
            for (found, number) in found.iter().zip(numbers) {
                let expected = number.exp();
                assert!((found - expected).abs() <= 2.0 * f64::EPSILON * expected, "exp({number}): {found}");
            }
        }
        let mut ends = [0.0, -0.0, -709.0, -1e300, f64::NEG_INFINITY];
        exponentials(&mut ends);
        assert_eq!(ends, [1.0, 1.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn products_are_those_of_plain_sums() {
        let numbers: Vec<f64> = (0..100).map(|idx| f64::from(idx) / 7.0).collect();
        let plain: f64 = numbers.iter().map(|number| number * number).sum();
        assert!((dot(&numbers, &numbers) / plain - 1.0).abs() < 1e-14);
        assert_eq!(dot(&numbers[..3], &numbers), numbers[1] * numbers[1] + numbers[2] * numbers[2]);
        let mut doubled = numbers.clone();
        add_scaled(&mut doubled, 1.0, &numbers);
        assert_eq!(doubled[99], 2.0 * numbers[99]);
    }
}
