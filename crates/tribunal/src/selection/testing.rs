//! Two small tables for tests: labelled rows, and a population that has more of the high values.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use tribunal_io::Source;
use tribunal_random::Random;

use super::request::SelectRequest;
use crate::data::TargetRequest;

/// Tables in a folder of their own.
pub(super) struct TwoTables {
    folder: TempDir,
    /// The true class of every row of the population.
    pub(super) truth: Vec<&'static str>,
}

impl TwoTables {
    pub(super) fn new(n_train: usize, n_deploy: usize, seed: u64) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let mut random = Random::new(seed);
        let mut table = |n_rows: usize, shift: f64, with_class: bool| {
            let mut text = format!("claim,lag,amount,region{}\n", if with_class { ",fraud" } else { "" });
            let mut classes = Vec::new();
            for row in 0..n_rows {
                let (lag, amount) = (10.0 * random.uniform() + shift, 50.0 * random.uniform());
                let region = ["north", "south", "\"a, b\""][random.below(3) as usize];
                let risk =
                    0.6 * (lag - 6.0) + 0.04 * (amount - 25.0) + if region == "south" { 1.0 } else { 0.0 };
                let class = if random.uniform() < 1.0 / (1.0 + (-risk).exp()) { "yes" } else { "no" };
                write!(text, "C{row},{lag:.3},{amount:.2},{region}").expect("text");
                if with_class {
                    write!(text, ",{class}").expect("text");
                }
                text.push('\n');
                classes.push(class);
            }
            (text, classes)
        };
        let (train, _) = table(n_train, 0.0, true);
        let (deploy, truth) = table(n_deploy, 2.0, false);
        std::fs::write(folder.path().join("train.csv"), train).expect("a table");
        std::fs::write(folder.path().join("deploy.csv"), deploy).expect("a table");
        TwoTables { folder, truth }
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(super) fn train(&self) -> Source {
        source(&self.path("train.csv"))
    }

    pub(super) fn deploy(&self) -> Source {
        source(&self.path("deploy.csv"))
    }
}

pub(super) fn source(path: &Path) -> Source {
    Source::open(&[path.to_string_lossy()]).expect("a table")
}

/// A quick comparison of learners, which are set apart by semicolons.
pub(super) fn request(learners: &str) -> SelectRequest {
    let entrants = learners.split(';').map(|text| text.trim().parse().expect(text)).collect();
    let mut request = SelectRequest::new(entrants);
    request
        .data
        .targets
        .push(TargetRequest { name: "fraud".into(), positive: Some("yes".parse().expect("a rule")) });
    request.design = "cv:5".parse().expect("a design");
    (request.with_reverse_testing, request.with_reverse_validation) = (false, false);
    request
}
