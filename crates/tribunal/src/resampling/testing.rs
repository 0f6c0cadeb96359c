//! What the tests of this module share: the golden classes, and rows that suit any design of the registry.

use super::*;

/// Twelve rows, four of them positive.
pub(super) const Y: [&str; 12] = ["0", "1", "0", "0", "1", "0", "0", "1", "0", "1", "0", "0"];

/// Every example of the registry.
pub(super) fn all_designs() -> Vec<Design> {
    let examples = DESIGNS.iter().flat_map(|form| form.examples);
    examples.map(|text| text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))).collect()
}

/// Rows with every column that a design may ask for.
pub(super) struct Fixture {
    pub(super) classes: LabelColumn,
    column: LabelColumn,
    groups: LabelColumn,
}

impl Fixture {
    pub(super) fn new(design: &Design, classes: &[String]) -> Self {
        let n_rows = classes.len();
        let value = |row: usize| match design {
            Design::Time(time) if row % 3 != 1 => time.cut.clone(),
            Design::Time(time) if time.cut.contains("2024") => time.cut.replace("2024", "2025"),
            Design::Time(time) => format!("{}9", time.cut),
            _ => format!("fold {}", row % 4),
        };
        // Folds from a column keep their groups together, and a group design needs many.
        let group =
            |row: usize| format!("{}", if matches!(design, Design::Folds(_)) { row % 4 } else { row / 2 });
        Self {
            classes: LabelColumn::of("y", classes.iter().cloned()),
            column: LabelColumn::of(design.column().unwrap_or("unused"), (0..n_rows).map(value)),
            groups: LabelColumn::of(design.group_column().unwrap_or("unused"), (0..n_rows).map(group)),
        }
    }

    pub(super) fn rows(&self) -> Rows<'_> {
        Rows::of_classes(&self.classes).with_column(&self.column).with_groups(&self.groups)
    }

    #[track_caller]
    pub(super) fn plan(&self, design: &Design, seed: u64) -> Plan {
        Plan::new(design, &self.rows(), seed).unwrap_or_else(|error| panic!("{design}: {error}"))
    }
}

/// A column as it reads from a file.
pub(super) fn texts(column: &PlanColumn) -> LabelColumn {
    match &column.values {
        PlanValues::Numbers(numbers) => LabelColumn::of(&column.name, numbers.iter().map(u32::to_string)),
        PlanValues::Parts(parts) => LabelColumn::of(&column.name, parts.iter().map(|part| part.name())),
    }
}
