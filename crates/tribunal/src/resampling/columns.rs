//! Plans as columns of a table, and back: `fold`, `part` or `draws`, numbered where there are several.

use super::assignment::{Assignment, FoldNumbers};
use super::design::Design;
use super::folds::check_labels;
use super::label_column::LabelColumn;
use super::plan::Plan;
use super::split::Part;
use crate::error::{Error, ErrorKind};

/// A column that says where each row stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanColumn {
    /// Its name.
    pub name: String,
    /// One value a row.
    pub values: PlanValues,
}

/// The values of a [`PlanColumn`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanValues {
    /// Folds from zero, or how often a row was drawn.
    Numbers(Vec<u32>),
    /// Parts.
    Parts(Vec<Part>),
}

/// What the columns of a design hold.
enum Holds {
    Folds,
    Parts,
    Draws,
}

impl Design {
    fn holds(&self) -> Holds {
        match self {
            Self::Cv(_) | Self::Loo(_) | Self::Folds(_) | Self::Group(_) => Holds::Folds,
            Self::Holdout(_) | Self::ThreeWay(_) | Self::Time(_) => Holds::Parts,
            Self::Bootstrap(_) => Holds::Draws,
        }
    }

    /// How many columns a plan of several repetitions or replicates has; one that is not repeated has a single column
    /// without a number.
    fn n_numbered(&self) -> Option<u32> {
        match self {
            Self::Cv(cv) => cv.n_repetitions,
            Self::Holdout(holdout) => holdout.n_repetitions,
            Self::Bootstrap(bootstrap) => Some(bootstrap.n_replicates),
            _ => None,
        }
    }

    /// The names of the columns of its plans: `fold`, `part` or `draws` unless another name is given, numbered from one
    /// where there are several.
    pub fn column_names(&self, name: Option<&str>) -> Vec<String> {
        let usual = match self.holds() {
            Holds::Folds => "fold",
            Holds::Parts => "part",
            Holds::Draws => "draws",
        };
        let name = name.unwrap_or(usual);
        match self.n_numbered() {
            None => vec![name.to_owned()],
            Some(n) => (1..=n).map(|number| format!("{name}_{number}")).collect(),
        }
    }
}

impl Plan {
    /// The plan as columns, one for each of [`Design::column_names`].
    pub fn columns(&self, name: Option<&str>) -> Vec<PlanColumn> {
        let names = self.design().column_names(name);
        let column = |(place, name)| PlanColumn { name, values: self.values(place) };
        names.into_iter().enumerate().map(column).collect()
    }

    fn values(&self, place: usize) -> PlanValues {
        match self.assignment() {
            Assignment::Folds { repetitions, .. } => PlanValues::Numbers(repetitions[place].iter().collect()),
            Assignment::Parts { repetitions } => PlanValues::Parts(repetitions[place].clone()),
            Assignment::LeaveOneOut => PlanValues::Numbers((0..self.n_rows() as u32).collect()),
            Assignment::Draws { replicates } => PlanValues::Numbers(replicates[place].clone()),
            Assignment::Replicates { .. } => {
                let mut times = vec![0; self.n_rows()];
                self.split(place).train.iter().for_each(|&row| times[row as usize] += 1);
                PlanValues::Numbers(times)
            }
        }
    }

    /// The plan that some columns describe, in the order of [`Design::column_names`].
    ///
    /// Draws lose their order in a column: the replicates hold the same rows as often, ascending.
    ///
    /// # Errors
    /// The columns are not those of such a design; the message names the column and the label.
    pub fn from_columns(design: &Design, seed: u64, columns: &[LabelColumn]) -> Result<Self, Error> {
        let n_wanted = design.n_numbered().unwrap_or(1) as usize;
        let (Some(first), true) = (columns.first(), columns.len() == n_wanted) else {
            let words = format!("a plan of {design} has {n_wanted} columns, not {}", columns.len());
            return Err(bad_column(words));
        };
        let n_rows = first.codes().len();
        let assignment = match (design, design.holds()) {
            (Design::Loo(_), _) => own_folds(first)?,
            (_, Holds::Folds) => folds(design, columns)?,
            (_, Holds::Parts) => {
                Assignment::Parts { repetitions: columns.iter().map(parts).collect::<Result<_, _>>()? }
            }
            (_, Holds::Draws) => {
                Assignment::Draws { replicates: columns.iter().map(whole_numbers).collect::<Result<_, _>>()? }
            }
        };
        Self::given(design.clone(), seed, n_rows, assignment)
    }
}

fn folds(design: &Design, columns: &[LabelColumn]) -> Result<Assignment, Error> {
    let n_folds = match design {
        Design::Cv(cv) => cv.n_folds,
        Design::Group(group) => group.n_folds,
        _ => columns.first().map_or(0, LabelColumn::n_labels) as u32,
    };
    let numbers = |column: &LabelColumn| {
        check_labels(column)?;
        if column.n_labels() != n_folds as usize {
            let (name, n) = (column.name(), column.n_labels());
            return Err(bad_column(format!("column \"{name}\" names {n} folds, but {design} has {n_folds}")));
        }
        Ok(FoldNumbers::new(n_folds, column.codes().iter().copied()))
    };
    let repetitions = columns.iter().map(numbers).collect::<Result<_, _>>()?;
    Ok(Assignment::Folds { n_folds, repetitions })
}

/// Leave-one-out: every row in the fold of its own number.
fn own_folds(column: &LabelColumn) -> Result<Assignment, Error> {
    let numbers = whole_numbers(column)?;
    match (0..).zip(&numbers).find(|(row, number)| row != *number) {
        None => Ok(Assignment::LeaveOneOut),
        Some((row, number)) => Err(bad_column(format!(
            "row {}, column \"{}\": fold {number} is not the row's own, as it is in leave-one-out",
            row + 1,
            column.name()
        ))),
    }
}

fn parts(column: &LabelColumn) -> Result<Vec<Part>, Error> {
    let part = |label: &String| Part::ALL.into_iter().find(|part| part.name() == label);
    by_label(column, part, "is no part of the rows; the parts are train, validation and test")
}

fn whole_numbers(column: &LabelColumn) -> Result<Vec<u32>, Error> {
    by_label(column, |label| label.parse().ok(), "is no whole number")
}

/// What each row's label means.
fn by_label<T: Copy>(
    column: &LabelColumn,
    meaning: impl Fn(&String) -> Option<T>,
    problem: &str,
) -> Result<Vec<T>, Error> {
    let of_label = |label: &String| {
        meaning(label)
            .ok_or_else(|| bad_column(format!("column \"{}\": \"{label}\" {problem}", column.name())))
    };
    let meanings: Vec<T> = column.labels().iter().map(of_label).collect::<Result<_, _>>()?;
    Ok(column.codes().iter().map(|&code| meanings[code as usize]).collect())
}

fn bad_column(words: String) -> Error {
    Error::new(ErrorKind::BadColumn, words)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Fixture, all_designs, texts};
    use super::*;

    #[test]
    fn names_follow_the_design() {
        let check = |design: &str, name: Option<&str>, expected: &[&str]| {
            assert_eq!(design.parse::<Design>().expect(design).column_names(name), expected, "{design}");
        };
        check("cv:4", None, &["fold"]);
        check("cv:4", Some("k"), &["k"]);
        check("cv:4x2", None, &["fold_1", "fold_2"]);
        check("holdout", None, &["part"]);
        check("holdout:0.5x2", None, &["part_1", "part_2"]);
        check("loo", None, &["fold"]);
        assert_eq!("bootstrap:50".parse::<Design>().expect("a design").column_names(None)[49], "draws_50");
    }

    #[test]
    fn plans_come_back_from_their_columns() {
        let classes: Vec<String> = (0..60).map(|row| (row % 3).to_string()).collect();
        for design in all_designs() {
            let plan = Fixture::new(&design, &classes).plan(&design, 3);
            let columns: Vec<LabelColumn> = plan.columns(None).iter().map(texts).collect();
            let back =
                Plan::from_columns(&design, 3, &columns).unwrap_or_else(|error| panic!("{design}: {error}"));
            assert_eq!(back.n_splits(), plan.n_splits(), "{design}");
            for (mut split, found) in plan.splits().zip(back.splits()) {
                split.train.sort_unstable();
                assert_eq!(split, found, "{design}");
            }
            assert_eq!(back.hash() == plan.hash(), !matches!(design, Design::Bootstrap(_)), "{design}");
        }
    }

    #[test]
    fn columns_of_another_design_are_refused() {
        let check = |design: &str, labels: &[&str], words: &str| {
            let column = LabelColumn::of("c", labels.iter().copied());
            let error = Plan::from_columns(&design.parse().expect(design), 1, &[column]).expect_err(words);
            assert!(error.to_string().contains(words), "{error}");
        };
        check("cv:3", &["0", "1", "0"], "names 2 folds, but cv:3 has 3");
        check("cv:3x2", &["0", "1", "2"], "has 2 columns, not 1");
        check("holdout", &["train", "dev"], "\"dev\" is no part of the rows");
        check("holdout", &["train", "train"], "a test part has no row");
        check("loo", &["0", "2", "1"], "row 2, column \"c\": fold 2 is not the row's own");
        check("cv:2", &["0", "0"], "one fold only");
    }
}
