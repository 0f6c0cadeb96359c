//! What must not change when the data say the same in other words: numbers negated, shifted or in another unit, columns that
//! are constant or there twice, classes under other names. Checked over the registry; what a learner minds by design stands
//! in its `minds`, with the reason.

use super::claims::{Claims, all_rows, check_close};
use super::contract::{learners, learners_but, learners_for, scores};
use tribunal_learn::{
    Column, Dataset, Family, Folds, Kind, Learner, Levels, Minds, Output, Target, Values, cross_posteriors,
};

/// The same data with other numbers in the columns that are no more than numbers; bins have edges of their own.
fn with_numbers(dataset: &Dataset, change: impl Fn(f64) -> f64) -> Dataset {
    let changed = |column: &Column| match (column.kind(), column.values()) {
        (Kind::Numeric, Values::Numbers(numbers)) => {
            let numbers = numbers.iter().map(|&number| change(number)).collect();
            Column::new(column.name(), Kind::Numeric, Values::Numbers(numbers)).expect("numbers")
        }
        _ => column.clone(),
    };
    with_columns(dataset, dataset.columns().iter().map(changed).collect())
}

/// The same target with other columns.
fn with_columns(dataset: &Dataset, columns: Vec<Column>) -> Dataset {
    let target = dataset.target().expect("a target").clone();
    Dataset::new(columns).and_then(|data| data.with_target(target)).expect("a data set")
}

/// How far steps that end at a tolerance may end from each other.
fn tolerance(learner: &Learner) -> f64 {
    match learner.family() {
        Family::Mlp | Family::Svm | Family::LsSvm => 1e-5,
        _ => 1e-8,
    }
}

fn check_same(changed: &Dataset, learners: Vec<Learner>) {
    let dataset = Claims::new(300).dataset();
    for learner in learners {
        let found = scores(&learner, changed, changed);
        check_close(&found, &scores(&learner, &dataset, &dataset), tolerance(&learner), &learner);
    }
}

#[test]
fn a_negated_column_says_the_same() {
    check_same(&with_numbers(&Claims::new(300).dataset(), |number| -number), learners_but(Minds::Direction));
}

#[test]
fn a_shifted_column_says_the_same() {
    check_same(
        &with_numbers(&Claims::new(300).dataset(), |number| number + 64.0),
        learners_but(Minds::Rounding),
    );
}

#[test]
fn a_column_in_another_unit_says_the_same() {
    let in_unit = |unit: f64| with_numbers(&Claims::new(300).dataset(), |number| number * unit);
    check_same(&in_unit(2_f64.powi(10)), learners());
    check_same(&in_unit(2_f64.powi(-40)), learners_but(Minds::SmallUnit));
    // This unit costs the last bit.
    let learners =
        learners_but(Minds::SmallUnit).into_iter().filter(|learner| !learner.minds(Minds::Rounding));
    check_same(&in_unit(1e-12), learners.collect());
}

/// Columns that are the same in all training rows: a level, an ordered level, a flag, a bin and a number, of which other
/// values may occur; and one of which nothing is known.
fn constants(n_rows: usize, is_other: bool) -> Vec<Column> {
    let other = u32::from(is_other);
    let codes =
        |name: &str, kind: Kind| Column::new(name, kind, Values::Codes(vec![other; n_rows])).expect("codes");
    let numbers = |name: &str, kind: Kind, number: f64| {
        Column::new(name, kind, Values::Numbers(vec![number; n_rows])).expect("numbers")
    };
    let far = if is_other { -7e5 } else { 2.5 };
    vec![
        codes("constant level", Kind::Categorical(Levels::declared(["a", "b", "c"]))),
        codes("constant rank", Kind::Ordered(Levels::declared(["low", "middle", "high"]))),
        codes("constant flag", Kind::Flag),
        numbers("constant bin", Kind::Binned(tribunal_learn::BinRule::WholeUnits(vec![7.0, 15.0])), {
            if is_other { 9.0 } else { 3.0 }
        }),
        numbers("constant number", Kind::Numeric, far),
        numbers("unknown number", Kind::Numeric, if is_other { 4.0 } else { f64::NAN }),
    ]
}

/// Whether a learner draws something for every column, so that one more, whatever it holds, leaves other draws to the rest:
/// the first weights of networks, and the columns that boosted trees are grown on.
fn draws_by_column(learner: &Learner) -> bool {
    learner.family() == Family::Mlp || learner.to_string().contains("columns=")
}

/// Constant columns before and behind those of some claims.
fn with_constants(claims: &Dataset, is_other: bool) -> Dataset {
    let mut constants = constants(claims.n_rows(), is_other);
    let behind = constants.split_off(3);
    let columns = constants.into_iter().chain(claims.columns().iter().cloned()).chain(behind);
    with_columns(claims, columns.collect())
}

#[test]
fn a_column_that_was_constant_in_training_says_nothing_whatever_a_row_brings() {
    for claims in [Claims::new(200), Claims::new(200).with_classes(3)] {
        let dataset = claims.dataset();
        for learner in learners_for(&dataset) {
            let trained = with_constants(&dataset, false);
            let [same, other] =
                [false, true].map(|is_other| scores(&learner, &trained, &with_constants(&dataset, is_other)));
            check_close(&other, &same, 1e-9, &learner);
            if !draws_by_column(&learner) {
                check_close(&same, &scores(&learner, &dataset, &dataset), tolerance(&learner), &learner);
            }
        }
    }
}

/// The same for what learners share between folds: a column that only the rows of one fold have something to say about.
#[test]
fn a_column_that_varies_in_one_fold_only_says_nothing_of_it() {
    let dataset = Claims::new(60).complete().dataset();
    let rows = all_rows(&dataset);
    let number = |row: usize| if row == 7 { 1e9 } else { 0.1 };
    let odd = [
        Column::new("odd flag", Kind::Flag, Values::Codes((0..60).map(|row| u32::from(row == 7)).collect())),
        Column::new("odd number", Kind::Numeric, Values::Numbers((0..60).map(number).collect())),
    ];
    let wider = odd.map(|column| column.expect("a column")).into_iter().chain(dataset.columns().to_vec());
    let wider = with_columns(&dataset, wider.collect());
    for n_folds in [5, 60] {
        let fold_of_row: Vec<u32> = rows.iter().map(|row| row % n_folds).collect();
        let folds = Folds::new(&rows, &fold_of_row).expect("folds");
        let learners: Vec<Learner> =
            ["nb", "nb:5", "nb:laplace", "bnb", "tan", "tan:5", "rdt", "c45", "logit"]
                .map(|text| text.parse().expect(text))
                .to_vec();
        let found = cross_posteriors(&learners, &wider, &folds, 42).expect("posteriors");
        let expected = cross_posteriors(&learners, &dataset, &folds, 42).expect("posteriors");
        for ((learner, found), expected) in learners.iter().zip(found).zip(expected) {
            let (found, expected) = (found.scores()[7], expected.scores()[7]);
            assert!((found - expected).abs() < 1e-8, "{learner}, {n_folds} folds: {found} is not {expected}");
        }
    }
}

/// A number that is the same in all rows of one class does not silence the other columns.
#[test]
fn a_column_that_is_constant_within_a_class_leaves_the_others_a_say() {
    let dataset = Claims::new(300).dataset();
    let classes = dataset.target().expect("a target").codes().to_vec();
    let number = |row: usize| if classes[row] == 0 { 0.0 } else { (row % 7) as f64 };
    let column = Column::new("half", Kind::Numeric, Values::Numbers((0..300).map(number).collect()));
    let wider = dataset.columns().iter().cloned().chain([column.expect("numbers")]).collect();
    let wider = with_columns(&dataset, wider);
    for learner in learners() {
        let found = scores(&learner, &wider, &wider);
        assert!(found.iter().all(|score| score.is_finite()), "{learner}");
        // Rows that are zero in it are told apart by the other columns.
        let mut zeros: Vec<f64> = (0..300).filter(|&row| number(row) == 0.0).map(|row| found[row]).collect();
        zeros.sort_by(f64::total_cmp);
        zeros.dedup();
        let weighs_all = match learner.family() {
            Family::NaiveBayes => learner.form().name == "nb",
            Family::Tan | Family::Logit | Family::Mlp | Family::Svm | Family::LsSvm => true,
            // Trees may test it alone, neighbours vote, and the majority looks at nothing.
            Family::Baseline | Family::C45 | Family::Neighbours | Family::Ensemble => false,
        };
        assert!(zeros.len() > 20 || !weighs_all || learner.calibrator().is_some(), "{learner}: {zeros:?}");
    }
}

#[test]
fn a_column_that_is_there_twice_says_the_same_to_those_who_drop_or_choose_columns() {
    let dataset = Claims::new(300).dataset();
    let cloned = dataset.column("age").expect("a column");
    let Values::Numbers(numbers) = cloned.values() else { panic!("numbers") };
    let cloned = Column::new("age again", Kind::Numeric, Values::Numbers(numbers.clone())).expect("numbers");
    let wider = with_columns(&dataset, dataset.columns().iter().cloned().chain([cloned]).collect());
    for learner in learners_but(Minds::ClonedColumns) {
        let found = scores(&learner, &wider, &wider);
        check_close(&found, &scores(&learner, &dataset, &dataset), tolerance(&learner), &learner);
    }
}

/// By definition naive Bayes takes a column that is there twice for two witnesses: its evidence counts twice.
#[test]
fn naive_bayes_counts_a_cloned_column_twice() {
    let number = |row: usize| (row % 10) as f64 + if row.is_multiple_of(3) { 2.0 } else { 0.0 };
    let column = |name: &str| {
        Column::new(name, Kind::Numeric, Values::Numbers((0..90).map(number).collect())).expect("numbers")
    };
    let target = Target::new("y", ["no", "yes"], (0..90).map(|row| u32::from(row % 3 == 0)).collect());
    let target = target.expect("classes");
    let dataset =
        |columns: Vec<Column>| Dataset::new(columns).and_then(|data| data.with_target(target.clone()));
    let (once, twice) = (dataset(vec![column("a")]), dataset(vec![column("a"), column("b")]));
    let (once, twice) = (once.expect("a column"), twice.expect("columns"));
    let learner: Learner = "nb".parse().expect("a learner");
    let log_odds = |score: &f64| (score / (1.0 - score)).ln();
    let prior = (30.0_f64 / 60.0).ln();
    let expected: Vec<f64> =
        scores(&learner, &once, &once).iter().map(|score| 2.0 * (log_odds(score) - prior) + prior).collect();
    let found: Vec<f64> = scores(&learner, &twice, &twice).iter().map(log_odds).collect();
    check_close(&found, &expected, 1e-9, &learner);
}

#[test]
fn classes_that_change_their_places_change_their_scores() {
    let dataset = Claims::new(300).dataset();
    let target = dataset.target().expect("a target");
    let swapped = Target::new("fraud", ["yes", "no"], target.codes().iter().map(|code| 1 - code).collect());
    let swapped = dataset.clone().with_target(swapped.expect("classes")).expect("fits");
    for learner in learners_but(Minds::ClassOrder) {
        let other = |score: f64| if learner.output() == Output::Margins { -score } else { 1.0 - score };
        let found: Vec<f64> = scores(&learner, &swapped, &dataset).into_iter().map(other).collect();
        check_close(&found, &scores(&learner, &dataset, &dataset), tolerance(&learner), &learner);
    }
}
