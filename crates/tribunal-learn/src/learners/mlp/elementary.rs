//! Exponentials, logarithms and hyperbolic tangents without branches, so that loops over them become vector instructions.
//!
//! They are Taylor series after a reduction of the range, to a few units in the last place, with terms added in pairs so that
//! they need not wait for each other. Nothing but additions, multiplications, both in one and divisions is used, which are
//! rounded alike everywhere: every machine finds the same bits.

/// Adding and taking away this number rounds to a whole one, which then stands in the last bits.
const ROUNDING: f64 = 6_755_399_441_055_744.0;

const LN_2_HIGH: f64 = 6.931_471_803_691_238e-1;
const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;

/// One over the factorials of 2 to 13.
const FACTORIALS: [f64; 12] = [
    1.0 / 2.0,
    1.0 / 6.0,
    1.0 / 24.0,
    1.0 / 120.0,
    1.0 / 720.0,
    1.0 / 5_040.0,
    1.0 / 40_320.0,
    1.0 / 362_880.0,
    1.0 / 3_628_800.0,
    1.0 / 39_916_800.0,
    1.0 / 479_001_600.0,
    1.0 / 6_227_020_800.0,
];

/// The factors of the inverse hyperbolic tangent: one over the odd numbers from 1 to 33.
const ODD_SHARES: [f64; 17] = {
    let mut shares = [1.0; 17];
    let mut term = 1;
    while term < 17 {
        shares[term] = 1.0 / (2 * term + 1) as f64;
        term += 1;
    }
    shares
};

/// Two terms of a series.
#[inline(always)]
fn two(factors: &[f64], first: usize, x: f64) -> f64 {
    factors[first + 1].mul_add(x, factors[first])
}

/// Four terms of a series.
#[inline(always)]
fn four(factors: &[f64], first: usize, x: f64, square: f64) -> f64 {
    two(factors, first + 2, x).mul_add(square, two(factors, first, x))
}

/// Eight terms of a series.
#[inline(always)]
fn eight(factors: &[f64], first: usize, x: f64, square: f64) -> f64 {
    let fourth = square * square;
    four(factors, first + 4, x, square).mul_add(fourth, four(factors, first, x, square))
}

/// `2^k` and `exp(r) - 1` for `x = k ln 2 + r`, where x is no further from zero than 708.
#[inline(always)]
fn reduced(x: f64) -> (f64, f64) {
    let shifted = x.mul_add(std::f64::consts::LOG2_E, ROUNDING);
    let whole = shifted - ROUNDING;
    let rest = whole.mul_add(-LN_2_LOW, whole.mul_add(-LN_2_HIGH, x));
    let square = rest * rest;
    let fourth = square * square;
    let latter = four(&FACTORIALS, 8, rest, square);
    let series = latter.mul_add(fourth * fourth, eight(&FACTORIALS, 0, rest, square));
    let power = f64::from_bits(shifted.to_bits().wrapping_add(1023) << 52);
    (power, series.mul_add(square, rest))
}

/// `exp(-size)` for sizes from zero; below the least normal number it stays there.
#[inline(always)]
pub(super) fn decayed(size: f64) -> f64 {
    let (power, rest) = reduced(-size.min(708.0));
    power.mul_add(rest, power)
}

/// The hyperbolic tangent.
#[inline(always)]
pub(super) fn tanh(x: f64) -> f64 {
    let (power, rest) = reduced(-2.0 * x.abs().min(30.0));
    let less_one = power.mul_add(rest, power - 1.0);
    (-less_one / (2.0 + less_one)).copysign(x)
}

/// `ln(1 + x)` for x from 0 to 1.
#[inline(always)]
pub(super) fn log_of_one_and(x: f64) -> f64 {
    let ratio = x / (2.0 + x);
    let square = ratio * ratio;
    let second = square * square;
    let fourth = second * second;
    let eighth = fourth * fourth;
    let former = eight(&ODD_SHARES, 0, square, second);
    let latter = eight(&ODD_SHARES, 8, square, second);
    let series = ODD_SHARES[16].mul_add(eighth, latter).mul_add(eighth, former);
    2.0 * ratio * series
}

/// The logistic function of a number, given what is left of one at its size.
#[inline(always)]
pub(super) fn logistic(x: f64, decayed: f64) -> f64 {
    (if x >= 0.0 { 1.0 } else { decayed }) / (1.0 + decayed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(found: f64, expected: f64, what: &str) -> Result<(), TestCaseError> {
        prop_assert!(
            (found - expected).abs() <= 1e-15 * expected.abs(),
            "{what}: {found:e} is not {expected:e}"
        );
        Ok(())
    }

    proptest! {
        #[test]
        fn values_are_those_of_the_library(x in -25.0_f64..25.0, size in 0.0_f64..700.0, shift in -300..0_i32) {
            for x in [x, x * 2_f64.powi(shift)] {
                check(tanh(x), x.tanh(), "tanh")?;
                check(decayed(x.abs()), (-x.abs()).exp(), "exp")?;
                check(logistic(x, decayed(x.abs())), 1.0 / (1.0 + (-x).exp()), "logistic")?;
            }
            check(decayed(size), (-size).exp(), "exp")?;
            let share = decayed(size);
            check(log_of_one_and(share), share.ln_1p(), "ln")?;
        }
    }

    #[test]
    fn the_ends_are_where_they_should_be() {
        let found = [tanh(f64::INFINITY), tanh(-1e300), tanh(0.0), decayed(0.0), log_of_one_and(0.0)];
        assert_eq!(found, [1.0, -1.0, 0.0, 1.0, 0.0]);
        assert!(decayed(f64::INFINITY) < 1e-300);
        assert!((log_of_one_and(1.0) - std::f64::consts::LN_2).abs() < 2e-16);
        assert_eq!([logistic(f64::INFINITY, 0.0), logistic(f64::NEG_INFINITY, 0.0)], [1.0, 0.0]);
    }
}
