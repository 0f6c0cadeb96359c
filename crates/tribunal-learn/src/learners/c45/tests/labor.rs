//! Forty agreements of Canadian labour negotiations: what the original program prints of them.
//!
//! The rows are the first forty of `labor.arff` as Debian's package `weka` 3.6.14 carries it, in `labor.txt`; they are the
//! training rows that come with C4.5.

use super::*;

/// Columns with their levels; those without any hold numbers. The class comes last.
const COLUMNS: [(&str, &[&str]); 16] = [
    ("duration", &[]),
    ("wage increase first year", &[]),
    ("wage increase second year", &[]),
    ("wage increase third year", &[]),
    ("cost of living adjustment", &["none", "tcf", "tc"]),
    ("working hours", &[]),
    ("pension", &["none", "ret_allw", "empl_contr"]),
    ("standby pay", &[]),
    ("shift differential", &[]),
    ("education allowance", &["yes", "no"]),
    ("statutory holidays", &[]),
    ("vacation", &["below_average", "average", "generous"]),
    ("longterm disability assistance", &["yes", "no"]),
    ("contribution to dental plan", &["none", "half", "full"]),
    ("bereavement assistance", &["yes", "no"]),
    ("contribution to health plan", &["none", "half", "full"]),
];

fn labor() -> Dataset {
    let rows: Vec<Vec<&str>> =
        include_str!("labor.txt").lines().map(|row| row.split(' ').collect()).collect();
    let values = |place: usize| rows.iter().map(|row| row[place]).collect::<Vec<&str>>();
    let column = |(place, (name, levels)): (usize, &(&str, &[&str]))| match levels.is_empty() {
        true => numeric_column(name, &values(place)),
        false => nominal_column(name, levels, &values(place)),
    };
    let classes = values(16).iter().map(|&class| u32::from(class == "bad")).collect();
    let target = Target::new("agreement", ["good", "bad"], classes).expect("classes");
    let columns = COLUMNS.iter().enumerate().map(column).collect();
    Dataset::new(columns).and_then(|data| data.with_target(target)).expect("forty rows")
}

/// How many training rows a tree puts into another class.
fn n_errors(learner: &str, dataset: &Dataset) -> usize {
    let posteriors = fit(learner, dataset).posteriors(dataset, &all_rows(dataset)).expect("posteriors");
    let classes = dataset.target().expect("classes").codes();
    posteriors.predicted().zip(classes).filter(|(predicted, class)| *predicted != **class as usize).count()
}

#[test]
fn labor_is_grown_and_pruned_as_by_the_original() {
    let dataset = labor();
    assert_eq!((grown(&dataset).n_nodes(), n_errors("c45:unpruned,estimate=raw", &dataset)), (11, 1));
    let (tree, errors) = pruned(&dataset);
    assert_eq!((tree.n_nodes(), n_errors("c45:estimate=raw", &dataset)), (7, 1));
    assert!((100.0 * errors / 40.0 - 17.4).abs() < 0.05, "{errors}");
}
