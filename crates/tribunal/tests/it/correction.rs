//! Corrected sampling of the white wines, as published: seven clusters, of which 200 wines are the incidence.

use std::fs;
use std::path::Path;

use tribunal::correction::{ClustersRequest, CorrectRequest, Correction, correct};
use tribunal::{Random, Source};

use crate::shared_data::shared_table;

/// 200 rows drawn at random as the incidence, the others as the prevalence, in seven clusters of all columns but the last.
fn corrected(table: &str) -> Correction {
    let folder = tempfile::tempdir().expect("a folder");
    let (header, rows) = table.split_once('\n').expect("a header");
    let names: Vec<&str> = header.trim().split(',').collect();
    let mut rows: Vec<&str> = rows.lines().filter(|line| !line.is_empty()).collect();
    Random::new(4).shuffle(&mut rows);
    let (incidence, prevalence) = rows.split_at(200);
    let source = |name: &str, rows: &[&str]| {
        let path = folder.path().join(name);
        fs::write(&path, format!("{}\n{}\n", header.trim(), rows.join("\n"))).expect("a file");
        Source::open(&[path.to_string_lossy()]).expect("a source")
    };
    let mut request = CorrectRequest::new(names[..names.len() - 1].iter().copied());
    request.clusters = Some(ClustersRequest { from: 7, to: 7 });
    let sources = (source("all.csv", prevalence), source("some.csv", incidence));
    correct((&sources.0, &sources.1), &request, &|_| ()).expect("a correction").correction().clone()
}

/// A random sample needs little correction: strata have about the shares that they have in the population, and get them exactly.
fn check(found: &Correction) {
    let population = found.data.prevalence_rows as f64;
    assert_eq!((found.stratification.n_found, found.data.incidence_rows), (7, 200));
    assert_eq!(found.strata.iter().map(|row| row.incidence).sum::<u64>(), 200);
    for row in &found.strata {
        assert!((row.incidence as f64 / 200.0 - row.prevalence_share).abs() < 0.12, "{row:?}");
        assert!((row.share - row.prevalence as f64 / population).abs() < 1e-9, "{row:?}");
    }
    assert!(found.beta.is_some_and(|beta| (0.0..400.0).contains(&beta)));
    let over = found.methods.iter().find(|method| method.method == "over").expect("a method");
    assert!(over.strata.iter().all(|row| row.delta_rounded.is_some_and(|delta| delta >= 0)));
    assert!((over.side.rows - 200.0 - found.beta.unwrap_or(f64::NAN)).abs() <= 7.0);
}

#[test]
fn white_wines_in_seven_clusters() {
    let Some(path) = shared_table("winequality_white.csv") else { return };
    check(&corrected(&fs::read_to_string(path).expect("a table")));
}

#[test]
fn wines_that_come_along_in_seven_clusters() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/iris.csv");
    let iris = fs::read_to_string(path).expect("a table");
    // The 150 flowers six times, each a little different.
    let (header, rows) = iris.split_once('\n').expect("a header");
    let mut random = Random::new(1);
    let mut table = header.to_owned() + "\n";
    for row in rows.lines().cycle().take(900) {
        let cells = row.split(',').map(|cell| match cell.parse::<f64>() {
            Ok(number) => (number + 0.02 * random.normal()).to_string(),
            Err(_) => cell.to_owned(),
        });
        table += &(cells.collect::<Vec<String>>().join(",") + "\n");
    }
    check(&corrected(&table));
}
