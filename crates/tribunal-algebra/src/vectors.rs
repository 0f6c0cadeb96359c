//! Sums over columns, compiled for the vector units that the machine turns out to have.

use pulp::Arch;

/// Sums that a dot product keeps side by side.
const LANES: usize = 16;

/// The sum of products, as far as both go.
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    let n = a.len().min(b.len());
    let (a, b) = (&a[..n], &b[..n]);
    Arch::new().dispatch(
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
    Arch::new().dispatch(
        #[inline(always)]
        || to.iter_mut().zip(numbers).for_each(|(to, number)| *to += factor * number),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

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
