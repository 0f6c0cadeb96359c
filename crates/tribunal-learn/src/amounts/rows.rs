//! The rows that amounts are learned from, and those that are not, with the reason.

use serde::{Deserialize, Serialize};

use super::Amounts;
use super::linear::Linear;
use crate::dataset::Dataset;
use crate::error::{Error, ErrorKind};
use crate::target::Target;

/// How many rows were learned from, and how many were not, and why.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AmountRows {
    /// Rows that were learned from.
    pub learned: u64,
    /// Rows of the other class.
    pub other_class: u64,
    /// Rows of the positive class whose amount is missing, zero or negative.
    pub without_amount: u64,
    /// Rows of the positive class whose amount is above the cap.
    pub above_cap: u64,
    /// Rows that would count, were their weight not zero.
    pub without_weight: u64,
}

/// Sorts rows into those that are learned from and those that are not.
///
/// # Errors
/// There is no row to learn from, or nobody said which class is positive.
pub(super) fn choose(
    linear: &Linear,
    dataset: &Dataset,
    amounts: &Amounts,
    rows: &[u32],
) -> Result<(Vec<u32>, AmountRows), Error> {
    check_length(dataset, amounts)?;
    let classes = dataset.target().map(positive_codes).transpose()?;
    let mut counts = AmountRows::default();
    let mut chosen = Vec::new();
    for &row in rows {
        let idx = row as usize;
        let amount = amounts.values()[idx];
        let reason = match () {
            () if classes.is_some_and(|codes| codes[idx] != 1) => &mut counts.other_class,
            () if amount.is_nan() || amount <= 0.0 => &mut counts.without_amount,
            () if linear.cap.is_some_and(|cap| amount > cap) => &mut counts.above_cap,
            () if dataset.weights().is_some_and(|weights| weights[idx] == 0.0) => &mut counts.without_weight,
            () => {
                chosen.push(row);
                &mut counts.learned
            }
        };
        *reason += 1;
    }
    if chosen.is_empty() {
        Err(nothing_to_learn(linear, dataset.target(), amounts, counts))
    } else {
        Ok((chosen, counts))
    }
}

fn check_length(dataset: &Dataset, amounts: &Amounts) -> Result<(), Error> {
    let (found, expected) = (amounts.values().len(), dataset.n_rows());
    if found == expected {
        return Ok(());
    }
    let problem = format!("{:?} has {found} amounts, the data set {expected} rows", amounts.name());
    Err(Error::new(ErrorKind::Inconsistent, problem)
        .advise("give every row an amount, NaN where it has none"))
}

/// The classes of the rows, of which 1 is the positive one.
fn positive_codes(target: &Target) -> Result<&[u32], Error> {
    if let [_, _] = target.classes() {
        return Ok(target.codes());
    }
    let (name, n_classes) = (target.name(), target.classes().len());
    let problem =
        format!("amounts are learned from the positive class, and {name:?} has {n_classes} classes");
    Err(Error::new(ErrorKind::SingleClass, problem).advise("say which of them are positive"))
}

fn nothing_to_learn(
    linear: &Linear,
    target: Option<&Target>,
    amounts: &Amounts,
    counts: AmountRows,
) -> Error {
    let class = target.map_or_else(String::new, |target| format!(" of the class {:?}", target.classes()[1]));
    let cap = linear.cap.map_or_else(String::new, |cap| format!(" up to {cap}"));
    let AmountRows { other_class, without_amount, above_cap, without_weight, .. } = counts;
    let reasons = [
        (other_class, "of the other class"),
        (without_amount, "without an amount above zero"),
        (above_cap, "above the cap"),
        (without_weight, "without weight"),
    ];
    let reasons = reasons.iter().filter(|(n, _)| *n > 0).map(|(n, why)| format!("{n} {why}"));
    let reasons = match reasons.collect::<Vec<_>>() {
        none if none.is_empty() => "there are no rows".to_owned(),
        some => some.join(", "),
    };
    let problem = format!("no row{class} has an amount above zero{cap} in {:?} ({reasons})", amounts.name());
    Error::new(ErrorKind::NoRows, problem).advise("name the column of the amounts, or raise the cap")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::column::{Column, Values};
    use crate::kind::Kind;

    fn data(codes: Option<Vec<u32>>, classes: &[&str]) -> Dataset {
        let x = Column::new("x", Kind::Numeric, Values::Numbers((0..6).map(f64::from).collect()));
        let dataset = Dataset::new(vec![x.expect("numbers")]).expect("a data set");
        let dataset = dataset.with_weights(vec![1.0, 1.0, 1.0, 1.0, 0.0, 2.0]).expect("weights");
        match codes {
            None => dataset,
            Some(codes) => {
                let target = Target::new("fraud", classes.iter().copied(), codes).expect("a target");
                dataset.with_target(target).expect("fits")
            }
        }
    }

    fn paid() -> Amounts {
        Amounts::new("paid", vec![10.0, 0.0, f64::NAN, 51.0, 5.0, 50.0]).expect("amounts")
    }

    #[test]
    fn every_row_is_learned_from_or_counted() {
        let linear = Linear { cap: Some(50.0), ..Linear::default() };
        let rows = [0, 1, 2, 3, 4, 5, 5];
        let (chosen, counts) = choose(&linear, &data(None, &[]), &paid(), &rows).expect("rows");
        assert_eq!(chosen, [0, 5, 5]);
        let expected =
            AmountRows { learned: 3, other_class: 0, without_amount: 2, above_cap: 1, without_weight: 1 };
        assert_eq!(counts, expected);
        let dataset = data(Some(vec![0, 1, 1, 1, 1, 1]), &["no", "yes"]);
        let (chosen, counts) = choose(&linear, &dataset, &paid(), &rows).expect("rows");
        assert_eq!((chosen, counts.other_class), (vec![5, 5], 1));
    }

    #[test]
    fn nothing_to_learn_from_is_an_error_that_says_why() {
        let check = |dataset: &Dataset, rows: &[u32], expected: &str| {
            let error = choose(&Linear::default(), dataset, &paid(), rows).expect_err(expected).to_string();
            assert!(error.contains(expected), "{error}");
        };
        check(&data(None, &[]), &[], "no row has an amount above zero in \"paid\" (there are no rows)");
        let dataset = data(Some(vec![0, 1, 1, 1, 1, 1]), &["no", "yes"]);
        let expected = "no row of the class \"yes\" has an amount above zero in \"paid\" (1 of the other class, 2 \
                        without an amount above zero, 1 without weight)";
        check(&dataset, &[0, 1, 2, 4], expected);
        check(&data(Some(vec![0, 1, 2, 1, 1, 1]), &["a", "b", "c"]), &[0], "\"fraud\" has 3 classes");
        let short = Amounts::new("paid", vec![1.0]).expect("amounts");
        let error = choose(&Linear::default(), &data(None, &[]), &short, &[0]).expect_err("short");
        assert_eq!(error.kind(), ErrorKind::Inconsistent);
    }
}
