//! Methods that mind costs: each against its definition, and the figures of WEKA where definitions agree.

use serde_json::Value;

use super::claims::{Claims, all_rows, check_close};
use super::parity::{numbers, read, tree_figures};
use super::tables::{Copied, Recipe};
use tribunal_learn::{
    COST_METHODS, Column, CostMatrix, CostMethod, CostsWithin, Dataset, ErrorKind, Folds, Kind, Learner,
    Model, Output, Posteriors, Target, Values, cross_posteriors,
};

fn learner(text: &str) -> Learner {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn costs(text: &str) -> CostMatrix {
    text.parse().expect(text)
}

fn fit(text: &str, dataset: &Dataset) -> Model {
    learner(text).fit(dataset, &all_rows(dataset), 42).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn said(text: &str, dataset: &Dataset) -> Posteriors {
    fit(text, dataset).posteriors(dataset, &all_rows(dataset)).expect("scores")
}

/// One flag, and classes by how many rows of each flag are positive.
fn flagged(cells: [(u32, u32); 2]) -> Dataset {
    let rows = cells.iter().enumerate().flat_map(|(flag, &(positive, negative))| {
        let of_class = |class: u32, n: u32| std::iter::repeat_n((flag as u32, class), n as usize);
        of_class(1, positive).chain(of_class(0, negative)).collect::<Vec<_>>()
    });
    let (flags, classes): (Vec<u32>, Vec<u32>) = rows.unzip();
    let flag = Column::new("flag", Kind::Flag, Values::Codes(flags)).expect("a flag");
    let target = Target::new("y", ["no", "yes"], classes).expect("classes");
    Dataset::new(vec![flag]).and_then(|data| data.with_target(target)).expect("a data set")
}

#[test]
fn golden_leaf_of_weighted_rows_and_its_undoing() {
    // With one flag naive Bayes gives the shares of its rows.
    let dataset = flagged([(3, 7), (9, 1)]);
    let weighted = said("nb+weights=1:5", &dataset);
    assert!((weighted.scores()[0] - 0.681818182).abs() < 1e-9, "{}", weighted.scores()[0]);
    let plain = weighted.clone().without_costs();
    assert!((plain.scores()[0] - 0.3).abs() < 1e-12);
    assert_eq!(weighted.cut(), 0.5);
    assert!((plain.cut() - 1.0 / 6.0).abs() < 1e-12);
    assert!(weighted.predicted().eq(plain.predicted()));
}

/// Where a model is perfectly calibrated, a moved threshold decides as weights do.
#[test]
fn a_moved_threshold_decides_as_weights_do() {
    for (positive, negative) in [(1, 9), (2, 8), (1, 4), (3, 7)] {
        let dataset = flagged([(positive, negative), (8, 2)]);
        for cost in [1.5, 3.0, 5.5, 9.5] {
            let matrix = CostMatrix::of_errors(1.0, cost).expect("costs");
            let plain = said("nb", &dataset);
            let weighted = said(&format!("nb+weights=1:{cost}"), &dataset);
            let decided = plain.decide(&matrix).expect("probabilities");
            assert_eq!(decided, weighted.predicted().collect::<Vec<_>>(), "{positive}:{negative}, {cost}");
        }
    }
}

/// Whole weights are rows that are there so many times.
#[test]
fn weighted_fits_are_fits_of_repeated_rows() {
    let dataset = Claims::new(200).complete().dataset();
    let classes = dataset.target().expect("a target").codes().to_vec();
    let times = |row: u32| if classes[row as usize] == 1 { 3 } else { 1 };
    let rows: Vec<u32> =
        all_rows(&dataset).into_iter().flat_map(|row| std::iter::repeat_n(row, times(row))).collect();
    let weights: Vec<f64> = all_rows(&dataset).into_iter().map(|row| times(row) as f64).collect();
    let weighted = dataset.clone().with_weights(weights).expect("weights");
    for text in ["logit", "nb", "nb:5", "tan:5", "c45", "c45:unpruned", "knn:5", "majority"] {
        let asked = all_rows(&dataset);
        let of = |trained: &Dataset, rows: &[u32]| {
            let model = learner(text).fit(trained, rows, 42).expect("a model");
            model.posteriors(&dataset, &asked).expect("scores").scores()
        };
        check_close(&of(&weighted, &asked), &of(&dataset, &rows), 1e-9, &learner(text));
    }
    // Where no setting counts rows, the mean of 1 changes nothing.
    for text in ["logit", "majority"] {
        let model = learner(text).fit(&dataset, &rows, 42).expect("a model");
        let repeated = model.posteriors(&dataset, &all_rows(&dataset)).expect("scores").scores();
        let found = said(&format!("{text}+weights=1:3"), &dataset).scores();
        check_close(&found, &repeated, 1e-7, &learner(text));
    }
}

#[test]
fn a_cheaper_class_is_undersampled_to_the_ratio() {
    let dataset = flagged([(40, 1003), (60, 0)]);
    let model = fit("majority+resample=1:5", &dataset);
    let score = model.posteriors(&dataset, &[0]).expect("scores").scores()[0];
    assert_eq!(model.n_rows(), 301);
    assert!((score - 100.0 / 301.0).abs() < 1e-12);
    let repeated = fit("majority+resample=3:1", &dataset);
    assert_eq!(repeated.n_rows(), 3 * 1003 + 100);
    assert_eq!(fit("majority+resample=1:5,roulette", &dataset).n_rows(), 1103);
    assert_eq!(fit("majority+resample=1:5,duplicate", &dataset).n_rows(), 1003 + 500);
}

#[test]
fn rejection_averages_models_of_rows_kept_by_their_cost() {
    let dataset = Claims::new(300).dataset();
    let ten = said("nb:5+resample=1:5,rejection", &dataset).scores();
    let one = said("nb:5+resample=1:5,rejection,models=1", &dataset).scores();
    let weighted = said("nb:5+weights=1:5", &dataset).scores();
    let distance = |found: &[f64]| found.iter().zip(&weighted).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
    assert!(distance(&ten) < distance(&one), "{} is not below {}", distance(&ten), distance(&one));
    assert!(fit("nb:5+resample=1:5,rejection", &dataset).text().contains("model 10 of 10"));
}

/// The steps of the definition, one by one.
#[test]
fn metacost_relabels_by_what_costs_least() {
    // Of flag 0 one in ten is positive, of flag 1 four in ten, of which a missed one costs five.
    let dataset = flagged([(10, 90), (40, 60)]);
    let metacost = said("nb+metacost=1:5", &dataset);
    let scores = metacost.scores();
    // 0.1 < 1/6 < 0.4: the rows of a flag get one label.
    assert_eq!((scores[0], scores[199]), (0.0, 1.0));
    assert_eq!(*metacost.costs_within(), CostsWithin::Training);
    let votes = said("nb+metacost=1:5,votes", &dataset).scores();
    // No model votes for the positive class.
    assert_eq!((votes[0], votes[199]), (0.0, 0.0));
    assert!(
        fit("nb+metacost=1:5,votes", &dataset).warnings().last().expect("a warning").contains("same label")
    );
}

#[test]
fn a_prediction_that_is_always_cheapest_gives_a_constant_model_with_a_warning() {
    let dataset = flagged([(40, 60), (60, 40)]);
    let model = fit("nb+metacost=1:100", &dataset);
    assert!(model.warnings().iter().any(|warning| warning.contains("same label")), "{:?}", model.warnings());
    assert!(
        model.posteriors(&dataset, &all_rows(&dataset)).expect("scores").scores().iter().all(|&p| p == 1.0)
    );
    // A missed positive that costs infinitely much: the positive class is predicted whatever the row.
    for method in COST_METHODS {
        let text = format!("nb+{}=1:inf", method.name);
        let found = said(&text, &dataset);
        assert!(found.predicted().all(|class| class == 1), "{text}");
        assert!(found.without_costs().predicted().all(|class| class == 1), "{text}");
    }
    assert!(
        fit("nb+weights=1:inf", &dataset).warnings().iter().any(|warning| warning.contains("100 of 200"))
    );
}

#[test]
fn costs_never_count_twice() {
    let dataset = Claims::new(200).dataset();
    let matrix = costs("1:5");
    let decided = |text: &str| said(text, &dataset).decide(&matrix);
    let predicted = |text: &str| said(text, &dataset).predicted().collect::<Vec<_>>();
    // What is in the probabilities is taken out first; what is in the decision is replaced.
    assert_eq!(decided("nb:5+weights=1:5").expect("undone"), predicted("nb:5+weights=1:5"));
    let other = said("nb:5+threshold=1:2", &dataset).decide(&matrix).expect("probabilities");
    assert_eq!(other, predicted("nb:5+threshold=1:5"));
    assert_ne!(other, predicted("nb:5+threshold=1:2"));
    for text in ["nb:5+metacost=1:5,m=3", "svm", "svm+weights=1:5"] {
        assert_eq!(decided(text).expect_err(text).kind(), ErrorKind::CostsTwice, "{text}");
    }
    let error = said("nb:5", &dataset).decide(&costs("0:1:5/2:0:1/3:4:0")).expect_err("three classes");
    assert_eq!(error.kind(), ErrorKind::WrongCosts);
}

#[test]
fn folds_keep_where_costs_are() {
    let dataset = Claims::new(120).dataset();
    let rows = all_rows(&dataset);
    let fold_of_row: Vec<u32> = rows.iter().map(|row| row % 4).collect();
    let folds = Folds::new(&rows, &fold_of_row).expect("folds");
    let learners = ["nb:5+threshold=1:5", "nb:5+weights=1:5", "nb:5+metacost=1:5,m=2", "nb:5"].map(learner);
    let found = cross_posteriors(&learners, &dataset, &folds, 42).expect("posteriors");
    for (learner, found) in learners.iter().zip(&found) {
        assert_eq!(*found.costs_within(), learner.costs_within(), "{learner}");
    }
    assert!((found[0].cut() - 1.0 / 6.0).abs() < 1e-12);
    assert_eq!(found[0].take(&[0, 1]).cut(), found[0].cut());
}

#[test]
fn suffixes_combine_and_say_what_they_are() {
    let check = |text: &str, written: &str, method: CostMethod, output: Output| {
        let learner = learner(text);
        assert_eq!(learner.to_string(), written);
        assert_eq!((learner.cost_method(), learner.output()), (Some(method), output), "{text}");
        assert_eq!(learner.to_string().parse::<Learner>().expect(written), learner);
    };
    check("nb:5+platt+threshold=1:5", "nb:5+threshold=1:5", CostMethod::Threshold, Output::Probabilities);
    check("svm+threshold=1:5", "svm+threshold=1:5", CostMethod::Threshold, Output::Probabilities);
    check("nb:5+beta+threshold", "nb:5+beta+threshold", CostMethod::Threshold, Output::Probabilities);
    check("svm+weights=1:5", "svm+weights=1:5", CostMethod::Weights, Output::Margins);
    check("c45+resample=1:5,ratio", "c45+resample=1:5", CostMethod::Resample, Output::Probabilities);
    check(
        "c45+metacost,oob,m=50,votes",
        "c45+metacost,votes,oob",
        CostMethod::MetaCost,
        Output::Probabilities,
    );
    check("nb:1e+3+weights=1e+0:5", "nb:1000+weights=1:5", CostMethod::Weights, Output::Probabilities);
    let grid = learner("nb:{5,25}+weights=1:{2,5}");
    assert_eq!(grid.candidates(100).expect("a grid").len(), 4);
    assert_eq!(
        learner("c45:curtailed+weights=1:5").candidates(1_000).expect("k")[0].to_string(),
        "c45:curtailed,k=5+weights=1:5"
    );
    assert_eq!(learner("svm+threshold=1:5").uncalibrated(), Some(learner("svm")));
    assert_eq!(learner("svm+platt+weights=1:5").uncalibrated(), None);
}

#[test]
fn slips_get_the_nearest_word() {
    let message = |text: &str| text.parse::<Learner>().expect_err(text).to_string();
    assert!(message("nb+weight").contains("did you mean weights?"), "{}", message("nb+weight"));
    assert!(message("nb+plat").contains("did you mean platt?"));
    assert!(message("nb+metacost,k=5").contains("is no setting of it"));
    assert!(message("nb+weights=1:5+platt").contains("one calibrator, then one method"));
    assert!(message("nb+weights+metacost").contains("one calibrator, then one method"));
    assert!(message("nb+weights=5:0").contains("degenerate"));
}

#[test]
fn what_a_method_cannot_do_is_refused_with_advice() {
    let two = Claims::new(60).dataset();
    let three = Claims::new(60).with_classes(3).dataset();
    let check = |text: &str, dataset: &Dataset, kind: ErrorKind, says: &str| {
        let error = learner(text).fit(dataset, &all_rows(dataset), 1).expect_err(text);
        assert_eq!(error.kind(), kind, "{text}");
        assert!(error.to_string().contains(says), "{error}");
    };
    check("nb+weights", &two, ErrorKind::NeedsCosts, "as in +weights=1:5");
    check("nb+weights=1:5", &three, ErrorKind::WrongCosts, "of 2 classes, and the target has 3");
    let general = "0:1:5/2:0:1/3:4:0";
    check(&format!("nb+threshold={general}"), &three, ErrorKind::WrongCosts, "weights or metacost");
    check(
        &format!("nb+resample={general}"),
        &three,
        ErrorKind::WrongCosts,
        "duplicate, rejection or roulette",
    );
    check("svm+metacost=1:5", &two, ErrorKind::CostsTwice, "svm+platt+metacost");
}

/// A class that costs nothing to be wrong about is left out, and a warning says so.
#[test]
fn classes_without_cost_are_left_out() {
    let dataset = Claims::new(120).with_classes(3).dataset();
    for method in ["weights", "resample"] {
        let settings = if method == "resample" { ",roulette" } else { "" };
        let model = fit(&format!("nb:5+{method}=0:1:0/2:0:0/3:4:0{settings}"), &dataset);
        assert!(model.warnings().iter().any(|warning| warning.contains("are left out")), "{method}");
        let found = model.posteriors(&dataset, &all_rows(&dataset)).expect("scores");
        assert!(found.of_class(2).all(|p| p < 0.5));
        assert_eq!(*found.costs_within(), CostsWithin::Training);
    }
}

/// A model file of a learner whose costs somebody took away is none.
#[test]
fn models_are_read_with_their_costs_only() {
    let model = serde_json::to_value(fit("nb+weights=1:5", &Claims::new(60).dataset())).expect("as JSON");
    for text in ["nb+weights", "nb+weights=0:1:5/2:0:1/3:4:0"] {
        let mut changed = model.clone();
        changed["learner"] = text.into();
        let error = serde_json::from_value::<Model>(changed).expect_err(text).to_string();
        assert!(error.contains("costs are missing, or those of other classes"), "{error}");
    }
}

/// Tables with what WEKA says of them; `reference/make_costs_reference.py` says how.
fn of_weka() -> Vec<(String, Value, Dataset)> {
    let reference = read(include_str!("../../reference/costs.json"));
    let tables = reference["tables"].as_object().expect("tables").clone();
    let made = |(name, table): (String, Value)| {
        let dataset = Recipe::read(&table).dataset(Copied::Plain);
        (name, table, dataset)
    };
    tables.into_iter().map(made).collect()
}

fn n_positive(classes: &[usize]) -> u64 {
    classes.iter().filter(|&&class| class == 1).count() as u64
}

#[test]
fn weighted_trees_are_those_that_weka_grows_on_reweighted_rows() {
    for (name, table, dataset) in of_weka() {
        let found = tree_figures("c45:adderrs=j48,estimate=raw+weights=1:5", &dataset);
        let expected = ["leaves", "size", "errors"]
            .map(|figure| table["reweighted"][figure].as_u64().expect("a figure") as usize);
        assert_eq!(found, expected, "{name}");
    }
}

#[test]
fn what_costs_least_by_plain_trees_is_what_weka_predicts() {
    for (name, table, dataset) in of_weka() {
        let plain = said("c45:adderrs=j48,estimate=raw", &dataset);
        let decided = plain.decide(&costs("1:5")).expect("probabilities");
        assert_eq!(Some(n_positive(&decided)), table["least cost"].as_u64(), "{name}");
    }
}

#[test]
fn naive_bayes_with_costs_is_that_of_weka() {
    let (_, table, dataset) = of_weka().into_iter().find(|(name, ..)| name == "codes").expect("a table");
    let weighted = said("nb+weights=1:5", &dataset);
    let rows = table["bayes"]["posteriors"].as_array().expect("rows");
    for (row, expected) in rows.iter().enumerate() {
        let expected = numbers(expected);
        assert!((weighted.row(row)[1] - expected[1]).abs() < 1e-9, "row {row}: {:?}", weighted.row(row));
    }
    let decided = said("nb", &dataset).decide(&costs("1:5")).expect("probabilities");
    let expected = numbers(&table["bayes"]["least cost"]);
    assert!(expected.iter().zip(&decided).all(|(expected, &found)| *expected == found as f64));
}

/// Bags are drawn by another generator, so that rows near the threshold may get another label.
#[test]
fn metacost_acts_on_about_as_many_rows_as_that_of_weka() {
    for (name, table, dataset) in of_weka() {
        let found =
            said("c45:adderrs=j48,estimate=raw+metacost=1:5", &dataset).predicted().collect::<Vec<_>>();
        let expected = table["metacost"].as_u64().expect("a count");
        let difference = n_positive(&found).abs_diff(expected) as f64 / dataset.n_rows() as f64;
        assert!(difference < 0.1, "{name}: {} is not about {expected}", n_positive(&found));
    }
}
