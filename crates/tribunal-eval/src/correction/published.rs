//! The published tables of corrected sampling, to the printed digit: clusters of the white wines, 200 of which were sampled.
//!
//! They need X = 4698, one more than the listed cells add up to: the cluster of one row that was removed was left in the total.

use super::{BetaVariant, Resampling, Rounding, StratumCounts, mixed, over, search_beta, smallest_beta};

const X: [u64; 6] = [675, 1227, 101, 1309, 948, 437];
const Y: [u64; 6] = [26, 56, 5, 66, 35, 12];

fn counts() -> StratumCounts {
    StratumCounts::new(X.to_vec(), Y.to_vec()).expect("counts")
}

fn of_paper() -> StratumCounts {
    counts().with_total(4698.0).expect("a total")
}

fn deltas(plan: &Resampling) -> Vec<f64> {
    plan.strata.iter().map(|stratum| stratum.delta).collect()
}

fn rounded(plan: &Resampling) -> Vec<i64> {
    plan.strata.iter().map(|stratum| stratum.delta_rounded).collect()
}

/// `(y + Delta) / y`, the ratio that the paper prints.
fn ratios(plan: &Resampling) -> Vec<f64> {
    plan.strata.iter().zip(Y).map(|(stratum, y)| (y as f64 + stratum.delta) / y as f64).collect()
}

#[track_caller]
fn prints(found: Vec<f64>, expected: [f64; 6], decimals: i32) {
    for (found, expected) in found.into_iter().zip(expected) {
        let unit = 10f64.powi(-decimals);
        assert!((found - expected).abs() <= 0.5 * unit + 1e-12, "{found} is not {expected}");
    }
}

#[test]
fn table_1_mixed_resampling() {
    let plan = mixed(&of_paper(), Rounding::Nearest).expect("a plan");
    prints(
        X.map(|x| 100.0 * x as f64 / 4698.0).to_vec(),
        [14.3678, 26.1175, 2.1499, 27.8629, 20.1788, 9.3018],
        4,
    );
    prints(deltas(&plan), [2.7356, -3.7650, -0.7003, -10.2742, 5.3576, 6.6037], 4);
    assert_eq!(rounded(&plan), [3, -4, -1, -10, 5, 7]);
    prints(ratios(&plan), [1.10522, 0.93277, 0.85994, 0.84433, 1.15307, 1.55031], 5);
    assert!((deltas(&plan).iter().sum::<f64>() + 0.0426).abs() < 5e-5);
    let of_cells = mixed(&counts(), Rounding::Nearest).expect("a plan");
    prints(deltas(&of_cells), [2.7418, -3.7539, -0.6994, -10.2623, 5.3662, 6.6076], 4);
    assert!(deltas(&of_cells).iter().sum::<f64>().abs() < 1e-12);
}

#[test]
fn table_2_over_resampling() {
    let plan = over(&of_paper(), BetaVariant::Rounded).expect("a plan");
    assert_eq!(plan.beta, Some(36.0));
    prints(deltas(&plan), [7.9080, 5.6373, 0.0736, -0.2435, 12.6220, 9.9523], 4);
    assert_eq!(rounded(&plan), [8, 6, 0, 0, 13, 10]);
    prints(ratios(&plan), [1.30416, 1.10067, 1.01473, 0.99631, 1.36063, 1.82936], 5);
    assert_eq!(plan.sizes(), [34, 62, 5, 66, 48, 22]);
    let shares = |total: f64| plan.sizes().iter().map(|&size| 100.0 * size as f64 / total).collect();
    prints(shares(200.0), [17.0, 31.0, 2.5, 33.0, 24.0, 11.0], 1);
    assert_eq!(plan.total(), 237);
    prints(shares(237.0), [14.3460, 26.1603, 2.1097, 27.8481, 20.2532, 9.2827], 4);
}

#[test]
fn beta_by_all_three_variants() {
    let near = |found: f64, expected: f64| assert!((found - expected).abs() < 5e-7, "{found}");
    near(smallest_beta(&of_paper(), BetaVariant::Exact), 36.873950);
    near(smallest_beta(&counts(), BetaVariant::Exact), 36.823529);
    assert_eq!(smallest_beta(&of_paper(), BetaVariant::Strict), 37.0);
    assert_eq!(smallest_beta(&of_paper(), BetaVariant::Rounded), 36.0);
    near(4698.0 * 65.5 / 1309.0 - 200.0, 35.079450);
    for variant in [BetaVariant::Exact, BetaVariant::Strict, BetaVariant::Rounded] {
        near(search_beta(&of_paper(), variant) - smallest_beta(&of_paper(), variant), 0.0);
    }
}

#[test]
fn neighbours_of_the_published_beta() {
    let strict = over(&of_paper(), BetaVariant::Strict).expect("a plan");
    prints(deltas(&strict), [8.0517, 5.8985, 0.0951, 0.0351, 12.8238, 10.0453], 4);
    assert_eq!(rounded(&strict), [8, 6, 0, 0, 13, 10]);
    let below: Vec<f64> = of_paper().deltas(235.0).collect();
    assert!((below[3] + 0.5221).abs() < 5e-5 && below[3].round() == -1.0);
}
