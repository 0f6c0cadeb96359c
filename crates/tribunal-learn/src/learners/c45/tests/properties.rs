//! What must hold of trees whatever the data.

use proptest::prelude::*;

use super::*;

/// What was learned, as it is written to a file.
fn learned(learner: &str, dataset: &Dataset, rows: &[u32]) -> serde_json::Value {
    let learner: Learner = learner.parse().expect(learner);
    let model = learner.fit(dataset, rows, 1).expect("a model");
    serde_json::to_value(&model).expect("JSON")["learned"]["fitted"].take()
}

fn without_weights(dataset: &Dataset) -> Dataset {
    let target = dataset.target().cloned().expect("a target");
    Dataset::new(dataset.columns().to_vec())
        .and_then(|data| data.with_target(target))
        .expect("the same columns")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn a_row_of_weight_two_is_the_row_twice(seed in 0_u64..1_000_000, n_rows in 5_usize..200, missing in 0.0..0.3) {
        let dataset = noisy(n_rows, seed, missing);
        let weights = dataset.weights().expect("weights").to_vec();
        let repeated: Vec<u32> =
            (0..n_rows as u32).flat_map(|row| std::iter::repeat_n(row, weights[row as usize] as usize)).collect();
        for learner in ["c45", "c45:unpruned"] {
            let once = learned(learner, &dataset, &all_rows(&dataset));
            prop_assert_eq!(once, learned(learner, &without_weights(&dataset), &repeated));
        }
    }

    #[test]
    fn the_order_of_rows_does_not_matter(seed in 0_u64..1_000_000, n_rows in 5_usize..200, missing in 0.0..0.3) {
        let dataset = noisy(n_rows, seed, missing);
        let mut rows = all_rows(&dataset);
        let in_order = learned("c45", &dataset, &rows);
        tribunal_random::Random::new(seed).shuffle(&mut rows);
        prop_assert_eq!(in_order, learned("c45", &dataset, &rows));
    }

    #[test]
    fn a_row_of_no_weight_is_not_there(seed in 0_u64..1_000_000, n_rows in 10_usize..200) {
        let dataset = noisy(n_rows, seed, 0.1);
        let weights: Vec<f64> = (0..n_rows).map(|row| f64::from(row % 3 != 0)).collect();
        let kept: Vec<u32> = all_rows(&dataset).into_iter().filter(|row| row % 3 != 0).collect();
        let dataset = without_weights(&dataset);
        let weighted = dataset.clone().with_weights(weights).expect("weights");
        for learner in ["c45", "bag:3"] {
            prop_assert_eq!(learned(learner, &weighted, &all_rows(&weighted)), learned(learner, &dataset, &kept));
        }
    }

    #[test]
    fn probabilities_are_probabilities(seed in 0_u64..1_000_000, n_rows in 5_usize..150) {
        let (dataset, others) = (noisy(n_rows, seed, 0.1), noisy(50, seed + 1, 0.3));
        for learner in ["c45", "c45:unpruned,estimate=raw", "c45:curtailed,k=10,estimate=laplace", "bag:5"] {
            let model = fit(learner, &dataset);
            let posteriors = model.posteriors(&others, &all_rows(&others)).expect("posteriors");
            for row in 0..50 {
                let row = posteriors.row(row);
                prop_assert!(row.iter().all(|p| (0.0..=1.0 + 1e-12).contains(p)), "{:?}", row);
                prop_assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{:?}", row);
            }
        }
    }
}

#[test]
fn relatives_that_share_a_tree_are_as_if_fitted_alone() {
    let dataset = noisy(300, 7, 0.1);
    let rows = all_rows(&dataset);
    let mut texts =
        vec!["c45", "majority", "c45:unpruned", "c45:cf=0.1", "c45:raising=off", "c45:min=5", "bag:2"];
    let curtailed: Vec<String> = (1..=20).map(|k| format!("c45:curtailed,k={}", 5 * k)).collect();
    texts.extend(curtailed.iter().map(String::as_str));
    let learners: Vec<Learner> = texts.iter().map(|text| text.parse().expect("a learner")).collect();
    let together = fit_all(&learners, &dataset, &rows, 3).expect("models");
    for (learner, model) in learners.iter().zip(&together) {
        assert_eq!(*model, learner.fit(&dataset, &rows, 3).expect("a model"), "{learner}");
    }
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let dataset = noisy(6000, 11, 0.05);
    let with = |n_threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().expect("threads");
        pool.install(|| ["c45", "bag:4"].map(|learner| fit(learner, &dataset)))
    };
    assert_eq!(with(1), with(3));
}

#[test]
fn many_levels_cost_little() {
    let (n_levels, n_rows) = (100_000_u32, 3000_u32);
    let levels = Levels::declared((0..n_levels).map(|level| level.to_string()));
    let codes = (0..n_rows).map(|row| row * 7919 % n_levels).collect();
    let wide = Column::new("wide", Kind::Categorical(levels), Values::Codes(codes)).expect("codes");
    let flag = Column::new("flag", Kind::Flag, Values::Codes((0..n_rows).map(|row| row % 2).collect()))
        .expect("a flag");
    let classes = (0..n_rows).map(|row| u32::from(row % 2 == 0 || row % 5 == 0)).collect();
    let target = Target::new("y", ["no", "yes"], classes).expect("a target");
    let dataset = Dataset::new(vec![wide, flag]).and_then(|data| data.with_target(target)).expect("columns");
    let model = fit("c45", &dataset);
    assert!(model.text().starts_with("flag = 0: yes (1500)\n"), "{}", model.text());

    // The same column where its values repeat and tell everything.
    let codes: Vec<u32> = (0..n_rows).map(|row| row / 3 * 50).collect();
    let levels = Levels::declared((0..n_levels).map(|level| level.to_string()));
    let wide = Column::new("wide", Kind::Categorical(levels), Values::Codes(codes)).expect("codes");
    let target =
        Target::new("y", ["no", "yes"], (0..n_rows).map(|row| row / 3 % 2).collect()).expect("a target");
    let dataset = Dataset::new(vec![wide]).and_then(|data| data.with_target(target)).expect("a column");
    let model = fit("c45:unpruned", &dataset);
    let text = model.text();
    assert!(text.ends_with("Number of leaves: 100000\nNumber of nodes: 100001\n"), "{text}");
    assert!(text.contains("wide = any of 99000 others: no (0)"));
    assert!(serde_json::to_string(&model).expect("JSON").len() < 2_000_000);
}

#[test]
fn three_classes_are_told_apart() {
    let numbers = (0..90).map(f64::from).collect();
    let column = Column::new("x", Kind::Numeric, Values::Numbers(numbers)).expect("numbers");
    let target = Target::new("y", ["a", "b", "c"], (0..90).map(|row| row / 30).collect()).expect("a target");
    let dataset = Dataset::new(vec![column]).and_then(|data| data.with_target(target)).expect("a column");
    let model = fit("c45:estimate=raw", &dataset);
    let predicted: Vec<usize> =
        model.posteriors(&dataset, &[0, 29, 30, 59, 60, 89]).expect("rows").predicted().collect();
    assert_eq!(predicted, [0, 0, 1, 1, 2, 2]);
}

#[test]
fn settings_are_shown_as_they_are_written() {
    let texts = [
        "c45",
        "c45:unpruned",
        "c45:curtailed",
        "c45:curtailed,k=auto",
        "c45:curtailed,k=50,min=3,estimate=raw",
        "c45:cf=0.1,raising=off,min=5,estimate=laplace",
        "c45:adderrs=j48",
        "c45:cf=0.1,adderrs=j48,raising=off",
        "c45:bm=10",
        "bag:50",
        "bag:10,pruned,cf=0.1,estimate=raw",
        "bag:10,curtailed,k=20,estimate=m,bm=2",
    ];
    for text in texts {
        assert_eq!(text.parse::<Learner>().expect(text).to_string(), text);
    }
    let same = [
        ("c45:pruned,cf=0.25,adderrs=r8,min=2,estimate=m,bm=5,raising=on", "c45"),
        ("bag", "bag:50"),
        ("bag:3,unpruned,estimate=laplace", "bag:3"),
    ];
    for (text, shortest) in same {
        assert_eq!(text.parse::<Learner>().expect(text).to_string(), shortest);
    }
    for text in [
        "c45:cf=0",
        "c45:unpruned,cf=0.1",
        "c45:unpruned,adderrs=j48",
        "c45:adderrs=r9",
        "c45:k=50",
        "c45:min=0",
        "c45:estimate=n",
        "c45:prned",
        "bag:0",
        "c45:estimate=raw,bm=3",
    ] {
        assert!(text.parse::<Learner>().is_err(), "{text}");
    }
}

#[test]
fn what_is_to_be_tuned_says_so() {
    let dataset = golf();
    let learner: Learner = "c45:curtailed".parse().expect("a learner");
    let error = learner.fit(&dataset, &all_rows(&dataset), 1).expect_err("k is not known");
    assert_eq!(error.kind(), crate::error::ErrorKind::Untuned);
    assert!(error.to_string().contains("k=50"), "{error}");
    let auto: Learner = "c45:curtailed,k=auto,estimate=raw".parse().expect("a learner");
    let shown = |n_rows: usize| {
        auto.candidates(n_rows).expect("candidates").iter().map(Learner::to_string).collect::<Vec<_>>()
    };
    assert_eq!(shown(10_000), ["c45:curtailed,k=200,estimate=raw"]);
    assert_eq!((shown(9_999).len(), shown(9_999)[19].as_str()), (20, "c45:curtailed,k=100,estimate=raw"));
}

#[test]
fn models_are_read_back_and_damaged_ones_refused() {
    let dataset = noisy(200, 5, 0.1);
    for learner in ["c45", "c45:unpruned", "bag:3"] {
        let model = fit(learner, &dataset);
        let json = serde_json::to_string(&model).expect("JSON");
        assert_eq!(serde_json::from_str::<Model>(&json).expect("the model"), model);
    }
    let json = serde_json::to_value(fit("c45:unpruned", &dataset)).expect("JSON");
    let refused = |pointer: &str, value: serde_json::Value| {
        let mut json = json.clone();
        *json
            .pointer_mut(&format!("/learned/fitted/c45{pointer}"))
            .unwrap_or_else(|| panic!("no {pointer}")) = value;
        let error = serde_json::from_value::<Model>(json).expect_err(pointer);
        assert!(error.to_string().contains("damaged"), "{pointer}: {error}");
    };
    refused("/tree/nodes/0/class", 2.into());
    refused("/tree/nodes", serde_json::json!([]));
    refused("/tree/weights/0", (-1.0).into());
    refused("/tree/n_classes", 3.into());
    refused("/tree/nodes/0/test", serde_json::json!({"numeric": {"column": 0, "cut": 1.0, "first": 0}}));
    refused(
        "/tree/nodes/0/test",
        serde_json::json!({"numeric": {"column": 0, "cut": 1.0, "first": 4_000_000_000_u32}}),
    );
    refused("/tree/nodes/0/test", "leaf".into());
    refused("/tree/nodes/0/test/nominal/codes", 4_000_000_000_u32.into());
    refused("/tree/nodes/0/test/nominal/empty", 9.into());
    refused("/smoothing/added", serde_json::json!([1.0]));
    refused("/least", (-1.0).into());
}

#[test]
fn a_model_that_names_columns_which_are_not_there_is_refused() {
    let dataset = noisy(200, 5, 0.1);
    let mut json = serde_json::to_value(fit("c45:unpruned", &dataset)).expect("JSON");
    for column in json["learned"]["fitted"]["c45"]["tree"]["nodes"].as_array_mut().into_iter().flatten() {
        for kind in ["nominal", "numeric"] {
            if let Some(column) = column.pointer_mut(&format!("/test/{kind}/column")) {
                *column = 4_000_000_000_u32.into();
            }
        }
    }
    let error = serde_json::from_value::<Model>(json).expect_err("columns that are not there").to_string();
    assert!(error.contains("a model of other columns or classes"), "{error}");
}

/// 160 rows (0, 0, no), 32 rows (1, 0, no), 8 rows (1, 1, yes), each number by `change`: z is nearly always zero where the
/// tree begins, and tells everything where it goes on.
fn zero_inflated(change: fn(f64) -> f64) -> Dataset {
    let number = |is_one: fn(u32) -> bool| {
        let numbers = (0..200).map(|row| change(f64::from(u8::from(is_one(row)))));
        Values::Numbers(numbers.collect())
    };
    let columns = [("a", number(|row| row >= 160)), ("z", number(|row| row >= 192))];
    let columns = columns.map(|(name, values)| Column::new(name, Kind::Numeric, values).expect("numbers"));
    let classes = (0..200).map(|row| u32::from(row >= 192)).collect();
    let target = Target::new("y", ["no", "yes"], classes).expect("a target");
    Dataset::new(columns.to_vec()).and_then(|data| data.with_target(target)).expect("columns")
}

#[test]
fn a_column_whose_lowest_or_highest_value_dominates_is_tested_further_down() {
    let changes: [fn(f64) -> f64; 4] = [|x| x, |x| -x, |x| x + 100.0, |x| 1e-3 - x];
    for change in changes {
        for learner in ["c45:estimate=raw", "c45:unpruned,estimate=raw"] {
            let text = fit(learner, &zero_inflated(change)).text();
            assert!(text.ends_with("Number of leaves: 3\nNumber of nodes: 5\n"), "{text}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// What a node cannot use and says it never can is of no use to any part of its rows.
    #[test]
    fn never_below_means_never(seed in 0_u64..1_000_000, n_rows in 4_usize..60, zeros in 0.5..0.99) {
        use crate::learners::c45::candidate::Verdict;
        use crate::learners::c45::{entropy::Bits, numeric, rows::Rows, tally::Tally, weights::Once};
        let mut random = tribunal_random::Random::new(seed);
        let numbers = (0..n_rows).map(|_| match random.uniform() {
            u if u < zeros => 0.0,
            u if u < zeros + 0.1 => f64::NAN,
            _ => random.below(3) as f64 * 6e-6,
        });
        let column = Column::new("x", Kind::Numeric, Values::Numbers(numbers.collect())).expect("numbers");
        let classes = (0..n_rows).map(|_| random.below(2) as u32).collect();
        let target = Target::new("y", ["no", "yes"], classes).expect("a target");
        let dataset = Dataset::new(vec![column]).and_then(|data| data.with_target(target)).expect("a column");
        let training = training(&dataset);
        let cases = Cases::new(&training, &all_rows(&dataset)).expect("cases");
        let distinct = cases.columns[0].distinct.clone().expect("numbers");
        let bits = Bits::new(n_rows);
        let verdict = |rows: &[u32]| {
            let mut tally = Tally::new(2);
            tally.sum(&cases.columns[0], rows, &Rows::all(rows.len()), &Once);
            numeric::evaluate(&tally, &distinct, 2.0, &bits)
        };
        if verdict(&all_rows(&dataset)) == Verdict::NeverBelow {
            for _ in 0..50 {
                let part: Vec<u32> = all_rows(&dataset).into_iter().filter(|_| random.below(2) == 0).collect();
                prop_assert!(part.is_empty() || verdict(&part).candidate().is_none());
            }
        }
    }
}
