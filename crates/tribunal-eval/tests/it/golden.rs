//! Worked examples from the literature: the ranked customers of Witten and Frank (chapter 5) and the lift
//! examples of the mailing campaign.

use tribunal_eval::metrics::{cph, lift, lift_top, precision_top};
use tribunal_eval::{Ranking, ScoredSet};

const LABELS: &str = "++-+++++-+-++-+-+-+";

/// The customers in printed order, without ties, followed by others of whom `more` responded.
fn printed_order(others: usize, more: usize) -> Ranking {
    let listed = LABELS.chars().map(|label| label == '+');
    let truth: Vec<bool> = listed.chain((0..others).map(|other| other < more)).collect();
    let score: Vec<f64> = (0..truth.len()).map(|rank| -(rank as f64)).collect();
    Ranking::of(&ScoredSet::new(&truth, &score).expect("valid")).expect("few rows")
}

#[track_caller]
fn close(found: Result<f64, tribunal_eval::Undefined>, expected: f64) {
    let found = found.expect("defined");
    assert!((found - expected).abs() < 1e-6, "found {found}, expected {expected}");
}

#[test]
fn the_table_of_ranked_customers() {
    // Rank, success proportion, lift and CPH among 150 customers with 50 responses, and among the 19.
    let table = [
        (1.0, 1.000000, 3.000000, 0.02, 1.461538, 0.076923),
        (2.0, 1.000000, 3.000000, 0.04, 1.461538, 0.153846),
        (3.0, 0.666667, 2.000000, 0.04, 0.974359, 0.153846),
        (4.0, 0.750000, 2.250000, 0.06, 1.096154, 0.230769),
        (5.0, 0.800000, 2.400000, 0.08, 1.169231, 0.307692),
        (6.0, 0.833333, 2.500000, 0.10, 1.217949, 0.384615),
        (7.0, 0.857143, 2.571429, 0.12, 1.252747, 0.461538),
        (8.0, 0.875000, 2.625000, 0.14, 1.278846, 0.538462),
        (9.0, 0.777778, 2.333333, 0.14, 1.136752, 0.538462),
        (10.0, 0.800000, 2.400000, 0.16, 1.169231, 0.615385),
        (11.0, 0.727273, 2.181818, 0.16, 1.062937, 0.615385),
        (12.0, 0.750000, 2.250000, 0.18, 1.096154, 0.692308),
        (13.0, 0.769231, 2.307692, 0.20, 1.124260, 0.769231),
        (14.0, 0.714286, 2.142857, 0.20, 1.043956, 0.769231),
        (15.0, 0.733333, 2.200000, 0.22, 1.071795, 0.846154),
        (16.0, 0.687500, 2.062500, 0.22, 1.004808, 0.846154),
        (17.0, 0.705882, 2.117647, 0.24, 1.031674, 0.923077),
        (18.0, 0.666667, 2.000000, 0.24, 0.974359, 0.923077),
        (19.0, 0.684211, 2.052632, 0.26, 1.000000, 1.000000),
    ];
    let (all, listed) = (printed_order(131, 37), printed_order(0, 0));
    for (rank, success, lift_of_all, cph_of_all, lift_of_listed, cph_of_listed) in table {
        close(precision_top(&all, rank), success);
        close(lift_top(&all, rank), lift_of_all);
        close(cph(&all, rank / 150.0), cph_of_all);
        close(lift_top(&listed, rank), lift_of_listed);
        close(cph(&listed, rank / 19.0), cph_of_listed);
    }
}

/// A list of groups given as (positives, negatives), the first group on top.
fn groups(groups: &[(f64, f64)]) -> Ranking {
    let rows = groups.iter().enumerate().flat_map(|(rank, &(positives, negatives))| {
        [(true, -(rank as f64), positives), (false, -(rank as f64), negatives)]
    });
    let (mut truth, mut score, mut weight) = (Vec::new(), Vec::new(), Vec::new());
    for (positive, at, count) in rows {
        truth.push(positive);
        score.push(at);
        weight.push(count);
    }
    let set = ScoredSet::new(&truth, &score).expect("valid").with_weight(&weight).expect("valid");
    Ranking::of(&set).expect("few rows")
}

#[test]
fn the_mailing_examples() {
    // A million households of whom 1000 respond: 400 among the best 100,000, 800 among the best 400,000.
    let campaign = groups(&[(400.0, 99_600.0), (400.0, 299_600.0), (200.0, 599_800.0)]);
    close(lift_top(&campaign, 100_000.0), 4.0);
    close(lift_top(&campaign, 400_000.0), 2.0);
    close(lift(&campaign, 0.1), 4.0);
    close(lift(&groups(&[(21.0, 29.0), (79.0, 871.0)]), 0.05), 4.2);
    let targets = groups(&[(3.0, 47.0), (12.0, 938.0)]);
    close(cph(&targets, 0.05), 0.2);
    close(lift(&targets, 0.05), 4.0);
}
