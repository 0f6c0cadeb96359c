//! The target of a data set, made from a column and a rule, or found by its name in a schema.

use tribunal_io::{Dictionary, TableReader, nearest};
use tribunal_learn::{Schema, Target, TargetRule, TargetSchema, flag_value, label_number, natural_order};

use super::raw::{RawColumn, RawValues};
use crate::classes::no_such_label;
use crate::error::Error;
use crate::message::{Message, Setting};
use crate::resampling::LabelColumn;

/// What is to be predicted.
#[derive(Clone, Debug, PartialEq)]
pub struct TargetRequest {
    /// A column, or the name of a target that the schema declares.
    pub name: String,
    /// What is positive; without it the classes are the values of the column.
    pub positive: Option<TargetRule>,
}

/// A target found in a table: the column, and the rule if there is one.
#[derive(Clone, Debug)]
pub(crate) struct FoundTarget {
    pub(crate) name: String,
    pub(crate) column: String,
    pub(super) rule: Option<TargetSchema>,
}

/// The class of each row that is kept.
#[derive(Clone, Debug)]
pub(crate) struct ClassColumn {
    pub(crate) classes: Vec<String>,
    /// The class of each row; `None` where the target is missing.
    pub(crate) codes: Vec<Option<u32>>,
    /// How many rows of the files each class has.
    pub(crate) counts: Vec<u64>,
    /// Rows of the files without a class.
    pub(crate) n_missing: u64,
    /// Whether the positive class, the last of two, was named or only guessed.
    pub(crate) is_guessed: bool,
}

/// More classes than this are no classes.
const MOST_CLASSES: usize = 100;

impl TargetRequest {
    /// Finds the target among the columns and the targets of the schema.
    pub(crate) fn find(&self, schema: &Schema, columns: &[&str]) -> Result<FoundTarget, Error> {
        let found = |column: &str, rule: Option<TargetSchema>| FoundTarget {
            name: self.name.clone(),
            column: column.to_owned(),
            rule,
        };
        if let Some(declared) = schema.targets.get(&self.name) {
            if self.positive.is_some() {
                let (name, column, rule) = (&self.name, &declared.column, &declared.positive);
                let message =
                    Message::from(format!("the target \"{name}\" is declared as {column} {rule}; leave "));
                return Err(Error::usage(message.setting(Setting::Positive).text(" out")));
            }
            return Ok(found(&declared.column, Some(declared.clone())));
        }
        if !columns.contains(&self.name.as_str()) {
            return Err(self.unknown(schema, columns));
        }
        let rule = self.positive.clone();
        let rule = rule.map(|positive| TargetSchema { column: self.name.clone(), positive, whole: None });
        Ok(found(&self.name, rule))
    }

    /// Finds the target in a table.
    pub(crate) fn find_in(&self, table: &TableReader, schema: &Schema) -> Result<FoundTarget, Error> {
        let names: Vec<&str> = table.columns().iter().map(|column| column.name.as_str()).collect();
        self.find(schema, &names)
    }

    fn unknown(&self, schema: &Schema, columns: &[&str]) -> Error {
        let known = || columns.iter().copied().chain(schema.targets.keys().map(String::as_str));
        let near = tribunal_io::nearest(&self.name, known());
        let near = near.map_or_else(String::new, |near| format!("; did you mean \"{near}\"?"));
        const SHOWN: usize = 12;
        let listed: Vec<&str> = known().take(SHOWN).collect();
        let more = known().count().saturating_sub(SHOWN);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        Error::usage(format!(
            "there is no target column \"{}\"{near} (there are: {}{more})",
            self.name,
            listed.join(", ")
        ))
    }
}

impl FoundTarget {
    /// A column of labels as the classes that the rule makes of it, the positive one last; as it is without a rule.
    pub(crate) fn relabelled(&self, labels: &LabelColumn) -> Result<LabelColumn, Error> {
        let Some(rule) = &self.rule else { return Ok(labels.clone()) };
        let class_of: Vec<u32> = labels
            .labels()
            .iter()
            .map(|label| rule.class_of(label).map(u32::from))
            .collect::<Result<_, _>>()?;
        let codes: Vec<u32> = labels.codes().iter().map(|&code| class_of[code as usize]).collect();
        let rows = labels.counts().into_iter().map(|rows| rows as u64);
        check_values(
            &self.column,
            &rule.positive,
            &labels.labels().iter().cloned().zip(rows).collect::<Vec<_>>(),
        )?;
        if let Some(class) = [0, 1].into_iter().find(|class| !codes.contains(class)) {
            let which = if class == 1 { "no" } else { "every" };
            return Err(Error::data(format!(
                "{which} row of \"{}\" is {}: there is nothing to tell apart",
                self.column, rule.positive
            )));
        }
        Ok(LabelColumn::of_target(&Target::new(&self.name, rule.class_names(), codes)?))
    }

    /// Whether the column must be read as labels: unless a rule asks for numbers.
    pub(crate) fn needs_labels(&self) -> bool {
        !self.rule.as_ref().is_some_and(|rule| rule.positive.needs_number())
    }

    /// The classes of a column of the table.
    pub(crate) fn classes(&self, raw: &RawColumn) -> Result<ClassColumn, Error> {
        let classes = match (&raw.values, &self.rule) {
            (RawValues::Numbers { values, moments }, Some(rule)) => {
                if let Some(stray) = raw.strays.first.first() {
                    return Err(Error::data(format!(
                        "{}, target \"{}\": \"{}\" is not a number, so {} cannot be asked; correct it or name the positive class",
                        stray.place, self.column, stray.text, rule.positive
                    )));
                }
                let class = |&value: &f64| match value.is_nan() {
                    true => Ok(None),
                    false => rule.class_of(&value.to_string()).map(|positive| Some(u32::from(positive))),
                };
                let codes: Vec<Option<u32>> = values.iter().map(class).collect::<Result<_, _>>()?;
                self.two_classes(rule, codes, None, (moments.min, moments.max))?
            }
            (RawValues::Labels { codes, dictionary, counts, n_missing, .. }, rule) => {
                let labels = LabelCounts { dictionary, counts, n_missing: *n_missing };
                match rule {
                    Some(rule) => self.classes_by_rule(rule, codes, &labels)?,
                    None => self.classes_of_labels(codes, &labels)?,
                }
            }
            _ => return Err(Error::data(format!("the target \"{}\" cannot be read", self.column))),
        };
        Ok(classes)
    }

    fn classes_by_rule(
        &self,
        rule: &TargetSchema,
        codes: &[u32],
        labels: &LabelCounts<'_>,
    ) -> Result<ClassColumn, Error> {
        let used = |(label, rows): (&str, &u64)| match rows {
            0 => Ok(None),
            _ => rule.class_of(label).map(|positive| Some(u32::from(positive))),
        };
        let class_of: Vec<Option<u32>> =
            labels.dictionary.iter().zip(labels.counts).map(used).collect::<Result<_, _>>()?;
        let used: Vec<(String, u64)> = labels.used().map(|(label, rows)| (label.to_owned(), rows)).collect();
        check_values(&self.column, &rule.positive, &used)?;
        let class = |&code: &u32| class_of.get(code as usize).copied().flatten();
        let mut counts = [0, 0];
        for (class, rows) in class_of.iter().zip(labels.counts) {
            class.iter().for_each(|&class| counts[class as usize] += rows);
        }
        let classes =
            self.two_classes(rule, codes.iter().map(class).collect(), Some(counts), (f64::NAN, f64::NAN));
        let mut classes = classes.map_err(|error| labels.with_examples(error))?;
        let negatives: Vec<&str> = labels.of_class(&class_of, 0);
        if let [only] = negatives[..] {
            classes.classes[0] = only.to_owned();
        }
        classes.n_missing = labels.n_missing;
        Ok(classes)
    }

    /// Two classes, of which both must be there.
    fn two_classes(
        &self,
        rule: &TargetSchema,
        codes: Vec<Option<u32>>,
        counts: Option<[u64; 2]>,
        range: (f64, f64),
    ) -> Result<ClassColumn, Error> {
        let counted = |class: u32| codes.iter().filter(|&&code| code == Some(class)).count() as u64;
        let counts = counts.unwrap_or_else(|| [counted(0), counted(1)]);
        let n_missing = codes.iter().filter(|code| code.is_none()).count() as u64;
        if counts.contains(&0) {
            let which = if counts[1] == 0 { "no" } else { "every" };
            let range = if range.0.is_nan() {
                String::new()
            } else {
                format!("; it runs from {} to {}", range.0, range.1)
            };
            return Err(Error::data(format!(
                "{which} row of \"{}\" is {}{range}: there is nothing to tell apart",
                self.column, rule.positive
            )));
        }
        let classes = rule.class_names().to_vec();
        Ok(ClassColumn { classes, codes, counts: counts.to_vec(), n_missing, is_guessed: false })
    }

    fn classes_of_labels(&self, codes: &[u32], labels: &LabelCounts<'_>) -> Result<ClassColumn, Error> {
        let used: Vec<String> = labels.used().map(|(label, _)| label.to_owned()).collect();
        match used.len() {
            0 => return Err(Error::data(format!("the target \"{}\" is missing in every row", self.column))),
            1 => {
                return Err(Error::data(format!(
                    "the target \"{}\" is \"{}\" in every row: there is nothing to tell apart",
                    self.column, used[0]
                )));
            }
            n if n > MOST_CLASSES => {
                let message = Message::from(format!(
                    "the target \"{}\" has {n} different values, such as {}; say what is positive, for example ",
                    self.column,
                    used.iter().take(3).map(|label| format!("\"{label}\"")).collect::<Vec<_>>().join(", "),
                ));
                let message = message.set(Setting::Positive, ">=4").text(" or ");
                return Err(Error::usage(message.set(Setting::Positive, &used[0])));
            }
            _ => {}
        }
        let mut classes = natural_order(used);
        let rows = |class: &String| labels.rows(class);
        let two_flags = classes.len() == 2 && classes.iter().all(|class| flag_value(class).is_some());
        if two_flags {
            classes.sort_by_key(|class| flag_value(class));
        } else if classes.len() == 2 && rows(&classes[0]) < rows(&classes[1]) {
            classes.swap(0, 1);
        }
        let counts = classes.iter().map(rows).collect();
        let place = |label: &str| classes.iter().position(|class| class == label).map(|class| class as u32);
        let class_of: Vec<Option<u32>> = labels.dictionary.iter().map(place).collect();
        let codes = codes.iter().map(|&code| class_of.get(code as usize).copied().flatten()).collect();
        let n_missing = labels.n_missing;
        let is_guessed = classes.len() == 2;
        Ok(ClassColumn { classes, codes, counts, n_missing, is_guessed })
    }
}

/// Refuses a rule none of whose values is there, and one that is mistyped beside others that are. That a code of a set does
/// not occur in a table is nothing remarkable.
fn check_values(column: &str, rule: &TargetRule, counts: &[(String, u64)]) -> Result<(), Error> {
    let TargetRule::OneOf(values) = rule else { return Ok(()) };
    let is_there = |value: &String| {
        let alone = TargetRule::OneOf(vec![value.clone()]);
        counts.iter().any(|(label, _)| alone.is_positive(label))
    };
    let is_mistyped = |value: &&String| {
        let others = counts.iter().map(|(label, _)| label.as_str()).filter(|label| !rule.is_positive(label));
        label_number(value).is_none() && !is_there(value) && nearest(value, others).is_some()
    };
    let wrong = match values.iter().any(is_there) {
        true => values.iter().find(is_mistyped),
        false => values.first(),
    };
    wrong.map_or(Ok(()), |value| Err(no_such_label(column, value, counts)))
}

/// The labels of a target with their rows.
struct LabelCounts<'a> {
    dictionary: &'a Dictionary,
    counts: &'a [u64],
    n_missing: u64,
}

impl LabelCounts<'_> {
    fn used(&self) -> impl Iterator<Item = (&str, u64)> {
        self.dictionary.iter().zip(self.counts.iter().copied()).filter(|(_, rows)| *rows > 0)
    }

    fn rows(&self, label: &str) -> u64 {
        self.dictionary.get(label).map_or(0, |code| self.counts[code as usize])
    }

    fn of_class(&self, class_of: &[Option<u32>], class: u32) -> Vec<&str> {
        let members = self.dictionary.iter().zip(class_of).filter(|(_, found)| **found == Some(class));
        members.map(|(label, _)| label).collect()
    }

    fn with_examples(&self, error: Error) -> Error {
        let shown: Vec<String> =
            self.used().take(5).map(|(label, rows)| format!("\"{label}\" ({rows} rows)")).collect();
        Error::data(error.message().text(format!(" (it holds {})", shown.join(", "))))
    }
}

impl ClassColumn {
    /// The target of some rows, all of which have a class.
    pub(crate) fn target(&self, name: &str, rows: &[u32]) -> Result<Target, Error> {
        let codes = rows.iter().filter_map(|&row| self.codes[row as usize]).collect();
        Ok(Target::new(name, self.classes.clone(), codes)?.with_both_classes()?)
    }
}

/// The code of a label that no row has.
#[cfg(test)]
const NOTHING: u32 = tribunal_io::Labels::MISSING;

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(values: &[&str]) -> RawColumn {
        let mut dictionary = Dictionary::default();
        let code = |text: &&str| if text.is_empty() { NOTHING } else { dictionary.code_of(text) };
        let codes: Vec<u32> = values.iter().map(code).collect();
        let mut counts = vec![0; dictionary.len()];
        codes.iter().filter(|&&code| code != NOTHING).for_each(|&code| counts[code as usize] += 1);
        let n_missing = codes.iter().filter(|&&code| code == NOTHING).count() as u64;
        let values = RawValues::Labels { codes, dictionary, counts, n_beyond: 0, n_missing };
        RawColumn { name: "y".into(), values, strays: super::super::raw::Strays::default() }
    }

    fn check(values: &[&str], positive: Option<&str>, expected: Result<(&[&str], &[u64]), &str>) {
        let positive = positive.map(|rule| rule.parse().expect("a rule"));
        let request = TargetRequest { name: "y".into(), positive };
        let found = request.find(&Schema::default(), &["y"]).expect("there");
        match (found.classes(&labels(values)), expected) {
            (Ok(classes), Ok((names, counts))) => {
                assert_eq!(
                    (classes.classes, &classes.counts[..]),
                    (names.iter().map(|n| n.to_string()).collect(), counts)
                );
            }
            (Err(error), Err(expected)) => assert!(error.to_string().contains(expected), "{error}"),
            (found, _) => panic!("{found:?}"),
        }
    }

    #[test]
    fn the_rarer_of_two_classes_or_the_yes_is_positive_unless_named() {
        check(&["a", "b", "b"], None, Ok((&["b", "a"], &[2, 1])));
        check(&["yes", "no", "yes"], None, Ok((&["no", "yes"], &[1, 2])));
        check(&["a", "b", "b"], Some("b"), Ok((&["a", "b"], &[1, 2])));
        check(&["a", "b", "c", ""], Some("{b,c}"), Ok((&["a", "{b,c}"], &[1, 2])));
        check(&["10", "9", "2"], None, Ok((&["2", "9", "10"], &[1, 1, 1])));
    }

    #[test]
    fn a_rule_that_tells_nothing_apart_is_refused() {
        check(
            &["a", "b"],
            Some("c"),
            Err("no row of column \"y\" is \"c\"; it holds \"a\" (1 row), \"b\" (1 row)"),
        );
        check(
            &["no", "yes", "no"],
            Some("yess"),
            Err("is \"yess\" (did you mean \"yes\"?); it holds \"yes\" (1 row), \"no\""),
        );
        check(&["legit", "fraud", "suspect"], Some("{fraud,suspct}"), Err("did you mean \"suspect\"?"));
        check(&["1", "3", "3"], Some("{3,4}"), Ok((&["1", "{3,4}"], &[1, 2])));
        check(&["1", "2"], Some("{1,2}"), Err("every row of \"y\" is {1,2}"));
        check(&["a", "a"], None, Err("\"a\" in every row"));
        check(&["", ""], None, Err("missing in every row"));
    }

    #[test]
    fn a_target_that_is_not_there_names_the_nearest() {
        let request = TargetRequest { name: "frauds".into(), positive: None };
        let error = request.find(&Schema::default(), &["fraud", "age"]).expect_err("not there");
        assert!(error.to_string().contains("did you mean \"fraud\"?"), "{error}");
    }
}
