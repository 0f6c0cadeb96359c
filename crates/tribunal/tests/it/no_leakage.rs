//! Nothing is learned outside of training rows: whatever is done to the rows of an outer test part, what is learned from
//! the others - bins, scales, stand-ins, the folds inside - is the same to the last bit.

use tribunal::claims::{ClaimsRequest, TARGETS, generate};
use tribunal::resampling::{InnerPlan, LabelColumn, Plan, Rows};
use tribunal_learn::encoding::{NominalEncoder, NumericEncoder, NumericOptions, Scaling};
use tribunal_learn::{BinRule, Column, Dataset, Kind, Target, Values};

/// Claims whose lags and amounts are numbers to be binned by what the training rows say.
fn claims() -> Dataset {
    let claims = generate(&ClaimsRequest { rows: 400, seed: 5 }).expect("claims");
    let dataset = claims.dataset(&TARGETS[1]).expect("a data set");
    let unbinned = |column: &Column| {
        let kind = if column.kind().is_coded() { Kind::Flag } else { Kind::Binned(BinRule::Mdl) };
        Column::new(column.name(), kind, column.values().clone()).expect("a column")
    };
    let target = dataset.target().cloned().expect("a target");
    let columns = dataset.columns().iter().map(unbinned).collect();
    Dataset::new(columns).and_then(|dataset| dataset.with_target(target)).expect("a data set")
}

/// The same with the classes of some rows exchanged and their values spoilt.
fn poisoned(dataset: &Dataset, rows: &[u32]) -> Dataset {
    let is_poisoned = |row: usize| rows.contains(&(row as u32));
    let columns = dataset.columns().iter().map(|column| {
        let values = match column.values() {
            Values::Codes(codes) => Values::Codes(
                codes
                    .iter()
                    .enumerate()
                    .map(|(row, &code)| if is_poisoned(row) { 1 - code } else { code })
                    .collect(),
            ),
            Values::Numbers(numbers) => Values::Numbers(
                numbers
                    .iter()
                    .enumerate()
                    .map(|(row, &value)| if is_poisoned(row) { 1e6 } else { value })
                    .collect(),
            ),
        };
        Column::new(column.name(), column.kind().clone(), values).expect("a column")
    });
    let target = dataset.target().expect("a target");
    let exchanged = target.codes().iter().enumerate();
    let exchanged = exchanged.map(|(row, &class)| if is_poisoned(row) { 1 - class } else { class }).collect();
    let target = Target::new(target.name(), target.classes().to_vec(), exchanged).expect("a target");
    Dataset::new(columns.collect()).and_then(|dataset| dataset.with_target(target)).expect("a data set")
}

/// Everything that is learned in a split: on its training rows and in the folds inside.
fn learned(
    dataset: &Dataset,
    plan: &Plan,
    split: usize,
) -> (Vec<NumericEncoder>, Vec<NominalEncoder>, InnerPlan) {
    let classes = LabelColumn::of_target(dataset.target().expect("a target"));
    let inner = plan.inner(split, Some(&classes)).expect("an inner plan");
    let parts = (0..inner.n_splits()).map(|idx| inner.split(idx).train).chain([plan.split(split).train]);
    let parts: Vec<Vec<u32>> = parts.collect();
    let options = NumericOptions::default();
    let numeric =
        parts.iter().map(|rows| NumericEncoder::fit(dataset, rows, &options).expect("fitted")).collect();
    let nominal =
        parts.iter().map(|rows| NominalEncoder::fit(dataset, rows, None).expect("fitted")).collect();
    (numeric, nominal, inner)
}

fn plan(dataset: &Dataset) -> Plan {
    let classes = LabelColumn::of_target(dataset.target().expect("a target"));
    Plan::new(&"cv:5".parse().expect("a design"), &Rows::of_classes(&classes), 7).expect("a plan")
}

#[test]
fn the_rows_of_a_test_part_have_no_say_in_what_is_learned() {
    let dataset = claims();
    let plan = plan(&dataset);
    for split in 0..plan.n_splits() {
        let test = plan.split(split).test;
        let (before, after) =
            (learned(&dataset, &plan, split), learned(&poisoned(&dataset, &test), &plan, split));
        assert_eq!(before, after, "split {split}");
        let inner = before.2;
        let leaks = |idx: usize| {
            let part = inner.split(idx);
            part.train.iter().chain(&part.test).any(|row| test.contains(row))
        };
        assert!(!(0..inner.n_splits()).any(leaks), "an inner part of split {split} holds an outer test row");
    }
}

#[test]
fn the_scale_of_the_paper_does_leak_and_says_so_by_its_name() {
    let dataset = claims();
    let split = plan(&dataset).split(0);
    let options = NumericOptions { scaling: Scaling::Paper, ..NumericOptions::default() };
    let fit = |dataset: &Dataset| NumericEncoder::fit(dataset, &split.train, &options).expect("fitted");
    assert_ne!(fit(&dataset), fit(&poisoned(&dataset, &split.test)));
}
