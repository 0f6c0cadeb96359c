//! Whether the default 95 % interval of every figure holds what it promises, on populations whose every true figure is known.
//!
//! [`design`] lists the populations ([`binormal`] and [`recorded`]) and sample sizes, [`figures`] the figures with the least coverage that each must reach and
//! the known limits. Samples are random samples of cases, so the base rate varies as the intervals take it to. True values are
//! integrals over the population; those at a cut-off that was chosen on the sample are what new cases give at that very cut-off.
//!
//! This takes minutes and is no part of `cargo test`; `make coverage` runs it and writes `docs/coverage.md`.
//!
//! References: Morris, White & Crowther (2019), "Using simulation studies to evaluate statistical methods"; Brown, Cai & DasGupta
//! (2001), "Interval estimation for a binomial proportion", for how far coverage may swing with discrete data.

mod amount_order;
mod amounts;
mod binormal;
mod decisions;
mod design;
mod figures;
mod folds;
mod groups;
mod peers;
mod recorded;
mod report;
mod sample;
mod summary;
mod tally;

use std::fs;
use std::path::Path;

use tribunal_eval::metrics::{Kind, METRICS};

use design::designs;
use figures::FIGURES;
use summary::Summary;
use tally::Tally;

/// A folder to write samples into, instead of judging them.
const WRITE_SAMPLES: &str = "TRIBUNAL_WRITE_SAMPLES";
/// Set to 1 to write the report.
const WRITE: &str = "TRIBUNAL_WRITE_COVERAGE";

#[test]
fn every_interval_holds() {
    if let Ok(folder) = std::env::var(WRITE_SAMPLES) {
        return peers::write_samples(Path::new(&folder)).expect("the samples can be written");
    }
    let of_design = |design: &design::Design| {
        eprintln!("{}", design.name());
        Tally::of_design(design)
    };
    let tallies: Vec<Vec<Tally>> = designs().iter().map(of_design).collect();
    let summaries = Summary::all(&tallies);
    let (fold_means, of_fold_means) = folds::simulate();
    let (amounts, of_amounts) = amounts::simulate();
    let (amount_order, of_amount_order) = amount_order::simulate();
    let (decisions, of_decisions) = decisions::simulate();
    let (segments, of_segments) = groups::simulate();
    println!(
        "{}\n{}\n{fold_means}\n{amounts}\n{amount_order}\n{decisions}\n{segments}",
        report::overview(&summaries),
        report::limits(&summaries)
    );
    if std::env::var(WRITE).is_ok_and(|value| value == "1") {
        write(&report::report(&summaries, &[fold_means, amounts, amount_order, decisions, segments]));
    }
    let of_parts = [of_fold_means, of_amounts, of_amount_order, of_decisions, of_segments];
    let mut failures: Vec<String> = summaries.iter().flat_map(Summary::failures).collect();
    failures.extend(of_parts.into_iter().flatten());
    assert!(failures.is_empty(), "coverage is off:\n{}", failures.join("\n"));
}

fn write(report: &str) {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    fs::create_dir_all(&docs).expect("the workspace can be written to");
    fs::write(docs.join("coverage.md"), report).expect("the report can be written");
}

/// Every metric of the registry is simulated; those of amounts are all of them in [`amounts`] and [`amount_order`].
#[test]
fn every_metric_is_simulated() {
    let is_simulated = |stem: &str| {
        stem == amount_order::METRIC
            || FIGURES.iter().any(|figure| figure.metric.split('@').next() == Some(stem))
    };
    for metric in METRICS.iter().filter(|metric| metric.kind != Kind::Amount) {
        assert!(is_simulated(metric.stem()), "no design shows the coverage of {}", metric.id);
    }
}

#[test]
#[ignore = "a part of every_interval_holds, for whoever changes intervals of amounts"]
fn intervals_of_shares_of_amounts_hold() {
    let (table, failures) = amount_order::simulate();
    println!("{table}");
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn designs_have_ten_cases_of_each_class_and_differ() {
    let designs = designs();
    let name = design::Design::name;
    for (index, design) in designs.iter().enumerate() {
        assert!(design.expected_cases() >= 10.0 - 1e-9, "{}", name(design));
        assert!(!designs[..index].iter().any(|other| name(other) == name(design)), "{}", name(design));
    }
}
