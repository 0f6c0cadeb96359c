//! The studies in `examples/` are studies: each is read, and where its data are at hand they are what it says.
//!
//! The tables are not part of this repository. Where a folder of them lies beside it (`shared_data`), the columns and targets
//! that a study declares must be those of its table. The claims study, which is made, is always tested so.

use std::path::{Path, PathBuf};

use crate::shared_data::shared_table;
use tribunal::{LoadedData, Source, StudyFile, load_data, read_study};

/// A study, its targets, how many learners it has, and of its data: rows, positives and predictors.
type Case = (&'static str, &'static [&'static str], usize, [usize; 3]);

const CASES: &[Case] = &[
    ("audit", &["productive"], 19, [2000, 463, 9]),
    ("bank", &["subscribed"], 8, [45_211, 5289, 15]),
    ("caravan", &["caravan"], 8, [9822, 586, 85]),
    ("carclaims", &["fraud"], 9, [15_420, 923, 28]),
    ("german", &["bad"], 20, [1000, 300, 20]),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn study(name: &str) -> StudyFile {
    read_study(&root().join("examples").join(name).join("study.toml")).expect("a study")
}

/// The table of a study, if it is at hand.
fn data_of(study: &StudyFile) -> Option<LoadedData> {
    let file = Path::new(&study.sources[0]).file_name().expect("a file");
    Some(load(study, &shared_table(&file.to_string_lossy())?))
}

fn load(study: &StudyFile, path: &Path) -> LoadedData {
    let source = Source::open(&[path.to_string_lossy()]).expect("the table");
    load_data(&source, &study.request.data, &|_| ()).expect("as declared")
}

/// The predictors of every declared set are columns of the data.
fn check_sets(name: &str, study: &StudyFile, loaded: &LoadedData) {
    let columns: Vec<&str> = loaded.dataset.columns().iter().map(|column| column.name()).collect();
    for (set, members) in &study.request.data.schema.sets {
        let stranger = members.iter().find(|member| !columns.contains(&member.as_str()));
        assert_eq!(stranger, None, "{name}, set {set}");
    }
}

#[test]
fn every_study_is_listed_here() {
    let folders = std::fs::read_dir(root().join("examples")).expect("examples");
    let folders =
        folders.map(|entry| entry.expect("an entry").path()).filter(|path| path.join("study.toml").is_file());
    let mut names: Vec<String> =
        folders.map(|path| path.file_name().expect("a name").to_string_lossy().into_owned()).collect();
    names.sort();
    assert_eq!(names, CASES.iter().map(|case| case.0).collect::<Vec<_>>());
}

#[test]
fn every_study_is_one() {
    for (name, targets, n_learners, _) in CASES {
        let study = study(name);
        let found: Vec<&str> = study.request.data.targets.iter().map(|target| target.name.as_str()).collect();
        assert_eq!((&found[..], study.request.entrants.len()), (*targets, *n_learners), "{name}");
        let data = Path::new(&study.sources[0]).strip_prefix(root().join("examples").join(name));
        assert!(data.is_ok_and(|data| data.components().count() == 1), "{name} names data elsewhere");
    }
}

#[test]
fn what_a_study_declares_is_in_its_data() {
    for (name, _, _, expected) in CASES {
        let study = study(name);
        let Some(loaded) = data_of(&study) else { continue };
        let (dataset, positives) = (&loaded.dataset, loaded.targets[0].counts()[1]);
        assert_eq!([dataset.n_rows(), positives, dataset.columns().len()], *expected, "{name}");
        check_sets(name, &study, &loaded);
    }
}

#[test]
fn what_the_claims_study_declares_is_in_its_data() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = tribunal::write_claims_study(folder.path(), 7, true).expect("claims");
    let study = read_study(&file).expect("a study");
    let loaded = load(&study, &folder.path().join("claims.csv"));
    assert_eq!((loaded.dataset.n_rows(), loaded.targets.len()), (1399, 5));
    assert!(loaded.targets.iter().all(|target| target.counts()[1] > 0));
    assert!(!study.request.data.schema.sets.is_empty());
    check_sets("claims", &study, &loaded);
}
