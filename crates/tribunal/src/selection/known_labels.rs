//! What labels of another table may be, and which class each stands for.

use tribunal_io::{ReadOptions, Source, TableReader, Want, nearest};
use tribunal_learn::{Schema, Target, TargetSchema};

use crate::data::{TableOrigin, missing_texts};
use crate::error::Error;

/// What labels may be: the classes, and whatever the column of the target holds in the labelled table.
pub(super) struct KnownLabels {
    pub(super) classes: Vec<String>,
    rule: Option<TargetSchema>,
    /// The column that classes are made of.
    pub(super) column: Option<String>,
    /// Values of the column of the target.
    values: Vec<String>,
    missing: Vec<String>,
}

impl KnownLabels {
    /// Those of a labelled table.
    ///
    /// # Errors
    /// The table cannot be read.
    pub(super) fn of(
        train: &Source,
        target: &Target,
        origin: &TableOrigin,
        schema: &Schema,
    ) -> Result<Self, Error> {
        let classes = Target::classes(target).to_vec();
        let (rule, column) = (origin.rule.clone(), origin.target_column.clone());
        let mut values = Vec::new();
        if let Some(column) = &column {
            let table = TableReader::open(train, &ReadOptions::default())?;
            let summary = table.read::<Error>(&[Want::label(column)], &|_| (), &mut |_| Ok(()))?;
            values.extend(summary.dictionaries.iter().flat_map(|found| found.iter()).map(str::to_owned));
        }
        Ok(KnownLabels { classes, rule, column, values, missing: missing_texts(schema) })
    }

    /// The column of labels in a table: that of the target, or the one that it is made of.
    pub(super) fn column_in<'a>(&'a self, columns: &[String], target: &'a str) -> &'a str {
        let is_there = |name: &str| columns.iter().any(|column| column == name);
        self.column.as_deref().filter(|column| !is_there(target) && is_there(column)).unwrap_or(target)
    }

    pub(super) fn is_missing(&self, label: &str) -> bool {
        let is_named = self.classes.iter().any(|class| class == label);
        label.is_empty() || (!is_named && self.missing.iter().any(|missing| missing == label))
    }

    /// The class of a label of another table: by the rule any value has one, without a rule only those that are known.
    pub(super) fn code_of(&self, label: &str) -> Option<u32> {
        let by_rule = || self.rule.as_ref()?.class_of(label).ok().map(usize::from);
        let named =
            self.class_of(label).ok().and_then(|class| self.classes.iter().position(|known| *known == class));
        named.or_else(by_rule).map(|code| code as u32)
    }

    /// The class that a label stands for.
    pub(super) fn class_of(&self, label: &str) -> Result<String, String> {
        if let Some(class) = self.classes.iter().find(|class| class.as_str() == label) {
            return Ok(class.clone());
        }
        if let Some(rule) = &self.rule {
            let known = self.values.iter().find(|value| value.as_str() == label);
            let known = known.or_else(|| self.values.iter().find(|value| is_alike(value, label)));
            let value = match known {
                Some(value) => Some(value.as_str()),
                None if rule.positive.needs_number() => Some(label),
                None => None,
            };
            if let Some(value) = value {
                let is_positive = rule.class_of(value).map_err(|error| error.to_string())?;
                return Ok(self.classes[usize::from(is_positive).min(self.classes.len() - 1)].clone());
            }
        }
        let alike = self.classes.iter().find(|class| is_alike(class, label)).cloned();
        alike.ok_or_else(|| self.unknown(label))
    }

    fn unknown(&self, label: &str) -> String {
        let values = self.rule.iter().flat_map(|_| &self.values);
        let known = || self.classes.iter().chain(values.clone()).map(String::as_str);
        let near = nearest(label, known());
        let near = near.map_or_else(String::new, |near| format!("; did you mean \"{near}\"?"));
        format!("the label \"{label}\" is none of the classes {}{near}", self.classes.join(", "))
    }
}

/// Whether two texts are the same number, or the same word in other capitals, as spreadsheets write them.
pub(super) fn is_alike(a: &str, b: &str) -> bool {
    let number = |text: &str| text.trim().parse::<f64>().ok();
    match (number(a), number(b)) {
        (Some(a), Some(b)) => a == b,
        _ => a.to_lowercase() == b.to_lowercase(),
    }
}
