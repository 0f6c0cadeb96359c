//! Whether the default 95 % interval of every figure holds what it promises, on populations whose every true figure is known.
//!
//! [`design`] lists the populations and sample sizes, [`figures`] the figures with the least coverage that each must reach and
//! the known limits. Samples are random samples of cases, so the base rate varies as the intervals take it to. True values are
//! integrals over the population; those at a cut-off that was chosen on the sample are what new cases give at that very cut-off.
//!
//! This takes minutes and is no part of `cargo test`; `make coverage` runs it and writes `docs/coverage.md`.
//!
//! References: Morris, White & Crowther (2019), "Using simulation studies to evaluate statistical methods"; Brown, Cai & DasGupta
//! (2001), "Interval estimation for a binomial proportion", for how far coverage may swing with discrete data.

mod design;
mod figures;
mod report;
mod sample;
mod summary;
mod tally;

use std::fs;
use std::path::Path;

use tribunal_eval::metrics::METRICS;

use design::designs;
use figures::FIGURES;
use summary::Summary;
use tally::Tally;

/// Set to 1 to write the report.
const WRITE: &str = "TRIBUNAL_WRITE_COVERAGE";

#[test]
fn every_interval_holds() {
    let tallies: Vec<Vec<Tally>> = designs().iter().map(Tally::of_design).collect();
    let summaries = Summary::all(&tallies);
    println!("{}\n{}", report::overview(&summaries), report::limits(&summaries));
    if std::env::var(WRITE).is_ok_and(|value| value == "1") {
        write(&report::report(&summaries));
    }
    let failures: Vec<String> = summaries.iter().flat_map(Summary::failures).collect();
    assert!(failures.is_empty(), "coverage is off:\n{}", failures.join("\n"));
}

fn write(report: &str) {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    fs::create_dir_all(&docs).expect("the workspace can be written to");
    fs::write(docs.join("coverage.md"), report).expect("the report can be written");
}

/// A metric of the registry is simulated or has no formula: then results show bootstrap intervals or none.
#[test]
fn every_metric_with_a_formula_is_simulated() {
    let is_simulated =
        |stem: &str| FIGURES.iter().any(|figure| figure.metric.split('@').next() == Some(stem));
    for metric in METRICS.iter().filter(|metric| !metric.spread.is_drawn()) {
        assert!(is_simulated(metric.stem()), "no design shows the coverage of {}", metric.id);
    }
}

#[test]
fn designs_have_ten_cases_of_each_class_and_differ() {
    let designs = designs();
    let name =
        |design: &design::Design| format!("{} {} {}", design.n_rows, design.base_rate, design.scores_name());
    for (index, design) in designs.iter().enumerate() {
        assert!(design.expected_cases() >= 10.0 - 1e-9, "{}", name(design));
        assert!(!designs[..index].iter().any(|other| name(other) == name(design)), "{}", name(design));
    }
}
