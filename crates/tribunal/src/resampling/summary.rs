//! A plan in figures: sizes and classes of its folds or parts, its hash, its warnings.

use serde::{Deserialize, Serialize};

use super::assignment::{Assignment, FoldNumbers};
use super::label_column::LabelColumn;
use super::plan::Plan;
use super::split::Part;
use super::time_summary::TimeSummary;
use super::warning::{Warning, count};
use crate::form::{Form, SchemaOf};

impl Form for PlanSummary {
    const SCHEMA: &'static str = "tribunal.split/1";
}

/// A plan in figures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct PlanSummary {
    /// The version of this form.
    pub schema: SchemaOf<Self>,
    /// The design.
    pub design: String,
    /// The seed.
    pub seed: u64,
    /// How many rows are divided.
    pub n_rows: usize,
    /// How many splits there are.
    pub n_splits: usize,
    /// The hash of the splits.
    pub hash: String,
    /// How many bootstrap replicates were drawn again.
    pub n_redrawn: u64,
    /// The column of the classes.
    pub target: Option<String>,
    /// Rows by class over all.
    pub classes: Vec<ClassCount>,
    /// The folds or parts; those of leave-one-out are not listed.
    pub parts: Vec<PartSummary>,
    /// From when to when the parts reach, if rows are divided by time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<TimeSummary>,
    /// What a careful person would say.
    pub warnings: Vec<Warning>,
}

/// A fold, a part, or the rows that a replicate leaves out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct PartSummary {
    /// The repetition or replicate, from zero.
    pub repetition: usize,
    /// The number of the fold, or the name of the part.
    pub name: String,
    /// How many rows it holds.
    pub n_rows: usize,
    /// Its rows by class.
    pub classes: Vec<ClassCount>,
}

/// How many rows a class has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ClassCount {
    /// The class.
    pub class: String,
    /// How many rows.
    pub n_rows: usize,
}

impl PlanSummary {
    /// The figures of a plan; without classes only sizes.
    pub fn of(plan: &Plan, classes: Option<&LabelColumn>) -> Self {
        // Rows that are all alike, which is not shown, stand for the lack of classes.
        let alike = LabelColumn::alike(if classes.is_none() { plan.n_rows() } else { 0 });
        let by_class = classes.unwrap_or(&alike);
        let counted = Counted { classes: by_class, shown: classes.is_some() };
        Self {
            schema: SchemaOf::default(),
            design: plan.design().to_string(),
            seed: plan.seed(),
            n_rows: plan.n_rows(),
            n_splits: plan.n_splits(),
            hash: plan.hash(),
            n_redrawn: plan.n_redrawn(),
            target: classes.map(|classes| classes.name().to_owned()),
            classes: counted.class_counts(&by_class.counts()),
            parts: counted.parts(plan),
            time: None,
            warnings: plan.warnings().to_vec(),
        }
    }
}

/// Counts rows of parts by class.
struct Counted<'a> {
    classes: &'a LabelColumn,
    shown: bool,
}

impl Counted<'_> {
    fn parts(&self, plan: &Plan) -> Vec<PartSummary> {
        let numbered = |repetition: usize, table: Vec<Vec<usize>>| {
            let part =
                move |(fold, counts): (usize, Vec<usize>)| self.part(repetition, fold.to_string(), &counts);
            table.into_iter().enumerate().map(part).collect::<Vec<_>>()
        };
        match plan.assignment() {
            Assignment::LeaveOneOut => Vec::new(),
            Assignment::Folds { n_folds, repetitions } => {
                let table = |numbers: &FoldNumbers| count(self.classes, *n_folds as usize, numbers.iter());
                let repetitions = repetitions.iter().enumerate();
                repetitions.flat_map(|(r, numbers)| numbered(r, table(numbers))).collect()
            }
            Assignment::Parts { repetitions } => {
                let named = |(r, parts): (usize, &Vec<Part>)| {
                    let table = count(self.classes, Part::ALL.len(), parts.iter().map(|&part| part as u32));
                    Part::ALL
                        .into_iter()
                        .zip(table)
                        .map(move |(part, counts)| self.part(r, part.name().into(), &counts))
                };
                repetitions.iter().enumerate().flat_map(named).filter(|part| part.n_rows > 0).collect()
            }
            Assignment::Replicates { .. } | Assignment::Draws { .. } => {
                let left_out = |r: usize| self.classes.select(&plan.split(r).test).counts();
                (0..plan.n_splits()).map(|r| self.part(r, "left out".into(), &left_out(r))).collect()
            }
        }
    }

    fn part(&self, repetition: usize, name: String, counts: &[usize]) -> PartSummary {
        PartSummary { repetition, name, n_rows: counts.iter().sum(), classes: self.class_counts(counts) }
    }

    fn class_counts(&self, counts: &[usize]) -> Vec<ClassCount> {
        let labels = self.classes.labels().iter().filter(|_| self.shown);
        labels.zip(counts).map(|(class, &n_rows)| ClassCount { class: class.clone(), n_rows }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::Y;
    use super::super::{Plan, Rows};
    use super::*;

    fn summary(design: &str) -> PlanSummary {
        let y = LabelColumn::of("y", Y);
        let plan = Plan::new(&design.parse().expect("a design"), &Rows::of_classes(&y), 42).expect("a plan");
        PlanSummary::of(&plan, Some(&y))
    }

    #[test]
    fn sizes_and_classes_of_folds_and_parts() {
        let check = |design: &str, expected: &[(&str, usize, [usize; 2])]| {
            let found = summary(design).parts;
            let found: Vec<_> = found
                .iter()
                .map(|p| (p.name.as_str(), p.n_rows, [p.classes[0].n_rows, p.classes[1].n_rows]))
                .collect();
            assert_eq!(found, expected, "{design}");
        };
        check("cv:4", &[("0", 3, [2, 1]), ("1", 3, [2, 1]), ("2", 3, [2, 1]), ("3", 3, [2, 1])]);
        check("holdout", &[("train", 8, [5, 3]), ("test", 4, [3, 1])]);
        check("three-way", &[("train", 6, [4, 2]), ("validation", 3, [2, 1]), ("test", 3, [2, 1])]);
        check("loo", &[]);
    }

    #[test]
    fn replicates_show_what_they_leave_out() {
        let found = summary("bootstrap:50");
        assert_eq!(found.parts.len(), 50);
        assert!(found.parts.iter().all(|part| part.name == "left out" && part.n_rows > 0));
        assert_eq!(found.classes.iter().map(|class| class.n_rows).collect::<Vec<_>>(), [8, 4]);
    }

    #[test]
    fn without_classes_only_sizes_are_shown() {
        let plan = Plan::new(&"cv:3".parse().expect("a design"), &Rows::new(7), 1).expect("a plan");
        let found = PlanSummary::of(&plan, None);
        assert_eq!((found.target, found.classes), (None, Vec::new()));
        assert_eq!(found.parts.iter().map(|part| part.n_rows).collect::<Vec<_>>(), [3, 2, 2]);
    }
}
