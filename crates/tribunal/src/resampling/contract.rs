//! What must hold of every design of the registry, and of folds in particular.

use proptest::prelude::*;

use super::testing::{Fixture, all_designs};
use super::*;
use crate::error::ErrorKind;

fn labels(n_rows: usize, n_classes: u64, seed: u64) -> Vec<String> {
    let mut random = tribunal_random::Random::new(seed);
    (0..n_rows).map(|_| random.below(n_classes).to_string()).collect()
}

/// Parts are disjoint and ascend, train and test have rows, and every row stands somewhere.
fn check_split(split: &Split, plan: &Plan) {
    let with_replacement = matches!(plan.design(), Design::Bootstrap(_));
    let mut times = vec![0; plan.n_rows()];
    let distinct = |rows: &[u32]| {
        let mut rows = rows.to_vec();
        rows.sort_unstable();
        rows.dedup();
        rows
    };
    for part in Part::ALL {
        let rows = split.part(part);
        assert!(with_replacement || rows == distinct(rows), "{}: {part:?} does not ascend", plan.design());
        distinct(rows).into_iter().for_each(|row| times[row as usize] += 1);
    }
    assert!(times.iter().all(|&times| times == 1), "{}: parts overlap or lack a row", plan.design());
    assert!(!split.train.is_empty() && !split.test.is_empty(), "{}", plan.design());
    if with_replacement {
        assert_eq!(split.train.len(), plan.n_rows());
    }
}

#[test]
fn every_design_divides_the_rows() {
    for design in all_designs() {
        let fixture = Fixture::new(&design, &labels(60, 3, 2));
        let plan = fixture.plan(&design, 9);
        assert!(plan.n_splits() > 0);
        plan.splits().for_each(|split| check_split(&split, &plan));
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes_whatever_the_number_of_threads() {
    let bytes = |design: &Design, n_threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().expect("threads");
        let fixture = Fixture::new(design, &labels(60, 3, 2));
        pool.install(|| serde_json::to_string(&fixture.plan(design, 9)).expect("JSON"))
    };
    for design in all_designs() {
        assert_eq!(bytes(&design, 1), bytes(&design, 7), "{design}");
    }
}

#[test]
fn seeds_matter_where_something_is_random() {
    for design in all_designs() {
        let fixture = Fixture::new(&design, &labels(60, 3, 2));
        let is_random =
            matches!(design, Design::Cv(_) | Design::Holdout(_) | Design::ThreeWay(_) | Design::Bootstrap(_));
        assert_eq!(fixture.plan(&design, 1).hash() != fixture.plan(&design, 2).hash(), is_random, "{design}");
    }
}

#[test]
fn plans_are_stored_and_read_back() {
    for design in all_designs() {
        let plan = Fixture::new(&design, &labels(60, 3, 2)).plan(&design, 9);
        let json = serde_json::to_string(&plan).expect("JSON");
        assert!(json.starts_with("{\"schema\":\"tribunal.plan/1\""), "{json}");
        let back: Plan = serde_json::from_str(&json).expect("a plan");
        assert_eq!((&back, back.hash()), (&plan, plan.hash()));
    }
}

#[test]
fn stored_plans_that_contradict_themselves_are_refused() {
    let good = r#"{"schema":"tribunal.plan/1","design":"cv:2","seed":1,"n_rows":4,"assignment":{"folds":{"n_folds":2,"repetitions":[[0,1,1,0]]}}}"#;
    assert!(serde_json::from_str::<Plan>(good).is_ok());
    let check = |from: &str, to: &str, words: &str| {
        let error = serde_json::from_str::<Plan>(&good.replace(from, to)).expect_err(words).to_string();
        assert!(error.contains(words), "{error}");
    };
    check("plan/1", "plan/2", "its schema is");
    check("cv:2", "cw:2", "is no design");
    check("[0,1,1,0]", "[0,1,1]", "3 rows of 4");
    check("[0,1,1,0]", "[0,1,2,0]", "fold 2 of 2");
    check("[0,1,1,0]", "[0,0,0,0]", "fold 1 has no row");
    check("\"n_folds\":2", "\"n_folds\":1", "two or more");
    check("\"n_rows\":4", "\"n_rows\":1", "only one row");
}

#[test]
fn too_few_rows_are_refused_by_every_design() {
    for design in all_designs() {
        for n_rows in [0, 1] {
            let fixture = Fixture::new(&design, &labels(n_rows, 3, 2));
            let error = Plan::new(&design, &fixture.rows(), 1).expect_err("too few rows");
            assert_eq!(error.kind(), ErrorKind::TooFewRows, "{design}");
        }
    }
}

#[test]
fn columns_of_other_lengths_and_missing_columns_are_refused() {
    let short = LabelColumn::of("f", ["a", "b"]);
    let kind = |rows: &Rows<'_>| {
        Plan::new(&"folds:f".parse().expect("a design"), rows, 1).expect_err("no plan").kind()
    };
    assert_eq!(kind(&Rows::new(3).with_column(&short)), ErrorKind::BadLength);
    assert_eq!(kind(&Rows::new(2)), ErrorKind::NoColumn);
}

proptest! {
    #[test]
    fn folds_partition_the_rows_and_share_classes_alike(
        n_rows in 2usize..200, fold in 0u32..200, n_classes in 1u64..=4, plain: bool, seed: u64
    ) {
        let n_folds = 2 + fold % (n_rows as u32 - 1);
        let design = Design::Cv(Cv { n_folds, n_repetitions: None, plain });
        let fixture = Fixture::new(&design, &labels(n_rows, n_classes, seed));
        let plan = fixture.plan(&design, seed);
        let tests: Vec<Vec<u32>> = plan.splits().map(|split| split.test).collect();
        plan.splits().for_each(|split| check_split(&split, &plan));
        let spread = |counts: Vec<usize>| counts.iter().max().unwrap_or(&0) - counts.iter().min().unwrap_or(&0);
        prop_assert_eq!(tests.iter().map(Vec::len).sum::<usize>(), n_rows);
        prop_assert!(spread(tests.iter().map(Vec::len).collect()) <= 1);
        let by_class: Vec<Vec<usize>> = tests.iter().map(|test| fixture.classes.select(test).counts()).collect();
        for class in 0..fixture.classes.n_labels() {
            prop_assert!(plain || spread(by_class.iter().map(|counts| counts[class]).collect()) <= 1);
        }
    }

    #[test]
    fn holdouts_and_three_parts_have_the_sizes_asked_for(
        n_rows in 8usize..200, n_classes in 1u64..=4, train in 0.2f64..0.6, plain: bool, seed: u64
    ) {
        let share = |value: f64| Share::decimal(value).expect("a share");
        let (train, validation) = (share(train), share(0.25));
        let holdout = Design::Holdout(Holdout { train, n_repetitions: None, plain });
        let three = Design::ThreeWay(ThreeWay { train, validation, plain });
        let half_up = |share: Share| (share.get() * n_rows as f64 + 0.5).floor() as usize;
        for design in [holdout, three] {
            let fixture = Fixture::new(&design, &labels(n_rows, n_classes, seed));
            let plan = fixture.plan(&design, seed);
            let split = plan.split(0);
            check_split(&split, &plan);
            prop_assert_eq!(split.train.len(), half_up(train));
            let n_validation = if matches!(design, Design::ThreeWay(_)) { half_up(validation) } else { 0 };
            prop_assert_eq!(split.validation.len(), n_validation);
        }
    }

    #[test]
    fn groups_stay_together(n_rows in 4usize..150, n_groups in 2usize..20, fold in 0u32..20) {
        let groups = LabelColumn::of("g", (0..n_rows).map(|row| (row * row % n_groups).to_string()));
        let n_folds = 2 + fold % (groups.n_labels().max(2) as u32 - 1);
        prop_assume!(groups.n_labels() >= n_folds as usize);
        let design = Design::Group(Group { n_folds, column: "g".into() });
        let plan = Plan::new(&design, &Rows::new(n_rows).with_groups(&groups), 1).expect("a plan");
        for split in plan.splits() {
            check_split(&split, &plan);
            let inside = groups.select(&split.test).counts();
            let outside = groups.select(&split.train).counts();
            prop_assert!(inside.iter().zip(outside).all(|(&inside, outside)| inside == 0 || outside == 0));
        }
    }
}
