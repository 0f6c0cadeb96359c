//! Rows of the population that are asked for, as a table to fill in, and the table that comes back.
//!
//! A row of the table has its number in the population, the population it is of, its columns, how each learner labels it, and a last
//! column with the name of the target that is left to be filled in. Rows stand in the order in which they were drawn, so that the
//! labels of the first of them are those of a random sample too. Labels that are known already stand in their place.

use std::collections::BTreeMap;
use std::path::Path;

use tribunal_io::{
    ReadOptions, RowCopy, Source, TableFormat, TableReader, Want, copy_table, nearest, write_whole,
};
use tribunal_learn::{ColumnSchema, Role};

use super::known_labels::{KnownLabels, is_alike};
use super::request::SelectRequest;
use super::results::{AskedLabels, Selection};
use super::tables::training_data;
use crate::data::load_data;
use crate::error::Error;
use crate::progress::{OnProgress, Progress};

/// The column of row numbers, or the first of these that the population has not.
const ROW_NAMES: [&str; 3] = ["row", "population_row", "row_of_the_population"];
/// The column that says which population rows are of, or the first of these that the population has not.
const POPULATION_NAMES: [&str; 3] = ["population", "population_file", "file_of_the_population"];
/// What a hash of a population begins with.
const HASH: &str = "sha256:";
/// So many digits tell files apart.
const DIGITS: usize = 12;

/// Labels that came back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReturnedLabels {
    /// The class of each labelled row, by its number in the population, from one.
    pub labels: BTreeMap<u64, String>,
    /// Rows of the table without a label.
    pub n_blank: u64,
    /// What a user should know: that the population has changed since rows were asked for.
    pub notices: Vec<String>,
}

/// Writes the rows that a selection asks for as a table to fill in.
///
/// # Errors
/// Nothing is asked for, learners agree on every row, a file is there already, or a table cannot be read or written.
pub fn write_label_table(
    path: &Path,
    deploy: &Source,
    request: &SelectRequest,
    selection: &Selection,
) -> Result<(), Error> {
    let asked = selection.ask.as_ref().filter(|asked| !asked.rows.is_empty());
    let asked = asked.ok_or_else(|| {
        Error::data("every row of the population on which learners differ has its label, so no other could tell which is better")
    })?;
    if path.exists() {
        return Err(Error::usage(format!(
            "{}: the file is there already, perhaps with labels; name another, or move it away",
            path.display()
        )));
    }
    let rows = TextRows::of(deploy, &asked.rows, selection.population.rows)?;
    let target = target_names(request);
    let shown = shown_columns(&rows.columns, request, &target);
    let records = records(&rows, &shown, (asked, request), &population_name(deploy)?)?;
    write_whole(path, |file| {
        let mut table = csv::Writer::from_writer(file);
        records.iter().try_for_each(|record| table.write_record(record))?;
        table.flush()
    })?;
    Ok(())
}

/// The table, header first.
fn records(
    rows: &TextRows,
    shown: &[usize],
    (asked, request): (&AskedLabels, &SelectRequest),
    population: &str,
) -> Result<Vec<Vec<String>>, Error> {
    let mut taken = taken_names(&rows.columns, request);
    let mut header = vec![free_name(&ROW_NAMES, &taken), free_name(&POPULATION_NAMES, &taken)];
    header.extend(shown.iter().map(|&column| rows.columns[column].clone()));
    taken.extend(header[..2].to_vec());
    for of in &asked.labels {
        let name = free_label_name(&of.learner, &taken);
        taken.push(name.clone());
        header.push(name);
    }
    header.extend(target_names(request).into_iter().take(1));
    let mut records = vec![header];
    for (place, number) in asked.rows.iter().enumerate() {
        let cells = rows.cells.get(number);
        let cells = cells.ok_or_else(|| Error::data(format!("the population has no row {number}")))?;
        let mut record = vec![number.to_string(), population.to_owned()];
        record.extend(shown.iter().map(|&column| cells[column].clone().unwrap_or_default()));
        record.extend(asked.labels.iter().map(|of| of.labels.get(place).cloned().unwrap_or_default()));
        record.push(request.labels.get(number).cloned().unwrap_or_default());
        records.push(record);
    }
    Ok(records)
}

/// The name of the target, and the column that it is made of.
fn target_names(request: &SelectRequest) -> Vec<String> {
    let names = request.data.targets.iter().flat_map(|target| {
        let declared = request.data.schema.targets.get(&target.name);
        [Some(target.name.clone()), declared.map(|declared| declared.column.clone())]
    });
    names.flatten().collect()
}

/// The columns that are shown, those that name rows first. A target that the population has is not: the labels are asked for.
fn shown_columns(columns: &[String], request: &SelectRequest, target: &[String]) -> Vec<usize> {
    let is_id = |column: &usize| {
        let declared = request.data.schema.columns.get(&columns[*column]);
        matches!(declared, Some(ColumnSchema::Role(Role::Identifier)))
    };
    let shown = (0..columns.len()).filter(|&column| !target.contains(&columns[column]));
    let (mut ids, others): (Vec<usize>, Vec<usize>) = shown.partition(is_id);
    ids.extend(others);
    ids
}

/// The names that columns beside those of the population cannot have: a table with two columns of a name cannot be read.
fn taken_names(columns: &[String], request: &SelectRequest) -> Vec<String> {
    columns.iter().cloned().chain(target_names(request)).collect()
}

/// The name of the column of what a learner says.
fn free_label_name(learner: &str, taken: &[String]) -> String {
    let mut name = format!("label of {learner}");
    while taken.contains(&name) {
        name.insert_str(0, "the ");
    }
    name
}

fn free_name(names: &[&str], taken: &[String]) -> String {
    let is_free = |name: &&&str| !taken.iter().any(|taken| taken == **name);
    names.iter().find(is_free).map_or_else(|| format!("{}_", names.concat()), |name| (*name).to_owned())
}

/// A population in a word.
fn population_name(deploy: &Source) -> Result<String, Error> {
    let hash = deploy.sha256()?;
    Ok(format!("{HASH}{}", hash.get(..DIGITS).unwrap_or(&hash)))
}

/// Some rows of a table as texts, by their numbers from one.
struct TextRows {
    columns: Vec<String>,
    cells: BTreeMap<u64, Vec<Option<String>>>,
}

impl TextRows {
    fn of(source: &Source, numbers: &[u64], n_rows: u64) -> Result<Self, Error> {
        let mut keep = vec![false; n_rows as usize];
        for &number in numbers {
            let place = number.checked_sub(1).and_then(|place| keep.get_mut(place as usize));
            *place.ok_or_else(|| Error::data(format!("the population has no row {number}")))? = true;
        }
        let mut copied = Vec::new();
        let copying = RowCopy { keep: Some(&keep), ..RowCopy::default() };
        copy_table(source, &ReadOptions::default(), &copying, TableFormat::Csv, &mut copied, &|_| ())?;
        let name = source.names().next().unwrap_or_default();
        let table = TextTable::read(&Source::spool(name, &copied[..])?)?;
        let numbers = (1..).zip(keep).filter(|(_, keep)| *keep).map(|(number, _)| number);
        Ok(TextRows { columns: table.columns, cells: numbers.zip(table.cells).collect() })
    }
}

/// A small table as texts.
struct TextTable {
    columns: Vec<String>,
    cells: Vec<Vec<Option<String>>>,
    /// Where each row stands.
    places: Vec<String>,
}

impl TextTable {
    fn read(source: &Source) -> Result<Self, Error> {
        let table = TableReader::open(source, &ReadOptions::default())?;
        let columns: Vec<String> = table.columns().iter().map(|column| column.name.clone()).collect();
        let wants: Vec<Want> = columns.iter().map(Want::label).collect();
        let (mut cells, mut places) = (Vec::new(), Vec::new());
        table.read::<Error>(&wants, &|_| (), &mut |batch| {
            for row in 0..batch.rows {
                let cell = |column: usize| Some(batch.labels(column)?.get(row)?.trim().to_owned());
                cells.push((0..wants.len()).map(cell).collect());
                places.push(batch.place.locate(row).to_string());
            }
            Ok(())
        })?;
        Ok(TextTable { columns, cells, places })
    }

    fn place_of(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column == name)
    }

    fn needed(&self, name: &str, file: &str) -> Result<usize, Error> {
        self.place_of(name).ok_or_else(|| {
            let near = nearest(name, self.columns.iter().map(String::as_str));
            let near = near.map_or_else(String::new, |near| format!("; did you mean \"{near}\"?"));
            Error::data(format!(
                "{file}: there is no column \"{name}\"{near}; a table of labels has the number of each row and its label"
            ))
        })
    }
}

/// Reads a table of labels back.
///
/// # Errors
/// A table cannot be read; a column is missing; a row is not in the population, there twice, or another than it was; a label is none
/// of the classes. Messages name the line and the value.
pub fn read_label_table(
    labels: &Source,
    (train, deploy): (&Source, &Source),
    request: &SelectRequest,
    on_progress: OnProgress<'_>,
) -> Result<ReturnedLabels, Error> {
    let data = training_data(request);
    let loaded = load_data(train, &data, on_progress)?;
    let trained = loaded.targets.first().ok_or_else(crate::line_up::no_target)?;
    let known = KnownLabels::of(train, trained, &loaded.origin, &data.schema)?;
    let target = request.data.targets.first().map_or("", |target| target.name.as_str());
    let population = TableReader::open(deploy, &ReadOptions::default())?;
    let columns: Vec<String> = population.columns().iter().map(|column| column.name.clone()).collect();
    let n_rows = count_rows(&population, &columns, on_progress)?;
    let (table, file) = (TextTable::read(labels)?, labels.names().next().unwrap_or_default().to_owned());
    let number_column = table.needed(&free_name(&ROW_NAMES, &taken_names(&columns, request)), &file)?;
    let label_column = table.needed(known.column_in(&table.columns, target), &file)?;
    let mut returned = ReturnedLabels::default();
    let mut met: BTreeMap<u64, usize> = BTreeMap::new();
    for (row, cells) in table.cells.iter().enumerate() {
        let Some(label) = cells[label_column].as_deref().filter(|label| !known.is_missing(label)) else {
            returned.n_blank += 1;
            continue;
        };
        let place = &table.places[row];
        let number = row_number(cells[number_column].as_deref(), n_rows)
            .map_err(|what| Error::data(format!("{place}: {what}")))?;
        if let Some(first) = met.insert(number, row) {
            let first = &table.places[first];
            return Err(Error::data(format!(
                "{place}: row {number} has a label already ({first}); keep one of them"
            )));
        }
        let class = known.class_of(label).map_err(|what| Error::data(format!("{place}: {what}")))?;
        returned.labels.insert(number, class);
    }
    let changed = Comparison { table: &table, met: &met, deploy, n_rows, known: &known, request };
    returned.notices = changed.notices(&columns)?;
    if returned.labels.is_empty() {
        returned.notices.push(format!("{file} has no label yet: fill in \"{target}\""));
    }
    Ok(returned)
}

fn count_rows(
    population: &TableReader,
    columns: &[String],
    on_progress: OnProgress<'_>,
) -> Result<u64, Error> {
    let first = columns.first().ok_or_else(|| Error::data("the population has no column"))?;
    let wants = [Want::labels_up_to(first, 1)];
    let on_read = |read| on_progress(Progress::Reading(read));
    Ok(population.read::<Error>(&wants, &on_read, &mut |_| Ok(()))?.rows)
}

fn row_number(text: Option<&str>, n_rows: u64) -> Result<u64, String> {
    let text =
        text.ok_or("there is a label and no number of a row; give the number of the row in the population")?;
    // Spreadsheets write whole numbers as 17.0.
    let number = text.parse::<f64>().ok().filter(|number| number.fract() == 0.0 && *number >= 0.0);
    let number = number.ok_or_else(|| format!("\"{text}\" is no number of a row"))? as u64;
    match (1..=n_rows).contains(&number) {
        true => Ok(number),
        false => Err(format!("row {text} is not in the population, which has the rows 1 to {n_rows}")),
    }
}

/// The rows of a table of labels beside those of the population.
struct Comparison<'a> {
    table: &'a TextTable,
    /// The labelled rows by their numbers in the population, with their places in the table.
    met: &'a BTreeMap<u64, usize>,
    deploy: &'a Source,
    n_rows: u64,
    known: &'a KnownLabels,
    request: &'a SelectRequest,
}

impl Comparison<'_> {
    /// What is to say if rows were asked for of another file than this: they are compared with what they are now.
    ///
    /// # Errors
    /// A row is another one now, or rows are of another file and nothing is there to compare them by.
    fn notices(&self, columns: &[String]) -> Result<Vec<String>, Error> {
        let name = population_name(self.deploy)?;
        let stated = self.table.place_of(&free_name(&POPULATION_NAMES, &taken_names(columns, self.request)));
        let stated = |row: &usize| self.table.cells[*row][stated?].as_deref();
        let is_same = |row: &usize| stated(row) == Some(name.as_str());
        if self.met.is_empty() || self.met.values().all(is_same) {
            return Ok(Vec::new());
        }
        let mut notices = Vec::new();
        let is_other = |stated: &str| stated.starts_with(HASH) && stated != name;
        if let Some(&row) = self.met.values().find(|row| stated(row).is_some_and(is_other)) {
            if self.shared_columns(columns).is_empty() {
                return Err(Error::data(format!(
                    "{}: rows were asked for of another population ({}, and this is {name}), and the table has no column of it by which \
                     they could be compared: ask for labels of this one",
                    self.table.places[row],
                    stated(&row).unwrap_or_default()
                )));
            }
            notices.push("the file of the population is not the one of which rows were asked for".to_owned());
        }
        notices.extend(self.compare_rows(columns)?);
        Ok(notices)
    }

    /// The columns that labels come from.
    fn target_columns(&self) -> Vec<String> {
        [target_names(self.request), self.known.column.iter().cloned().collect()].concat()
    }

    /// Columns of the population, by their places there and in the table of labels.
    fn shared_columns(&self, columns: &[String]) -> Vec<(usize, usize)> {
        let target = self.target_columns();
        (0..columns.len())
            .filter(|&column| !target.contains(&columns[column]))
            .filter_map(|column| Some((column, self.table.place_of(&columns[column])?)))
            .collect()
    }

    fn compare_rows(&self, columns: &[String]) -> Result<Option<String>, Error> {
        let numbers: Vec<u64> = self.met.keys().copied().collect();
        let rows = TextRows::of(self.deploy, &numbers, self.n_rows)?;
        let shared = self.shared_columns(&rows.columns);
        for (number, &row) in self.met {
            let (given, now) = (&self.table.cells[row], &rows.cells[number]);
            let differs = |(a, b): &&(usize, usize)| !is_same_cell(now[*a].as_deref(), given[*b].as_deref());
            if let Some((column, other)) = shared.iter().find(differs) {
                let said = |cell: &Option<String>| cell.clone().unwrap_or_else(|| "missing".to_owned());
                return Err(Error::data(format!(
                    "{}: row {number} of the population is another one now: \"{}\" is {} there and {} here; ask for labels again",
                    self.table.places[row],
                    rows.columns[*column],
                    said(&now[*column]),
                    said(&given[*other])
                )));
            }
        }
        let target = self.target_columns();
        let n_columns = columns.iter().filter(|column| !target.contains(column)).count();
        Ok((shared.len() < n_columns).then(|| {
            format!(
                "the table of labels has {} of the {n_columns} columns of the population: rows were compared by these",
                shared.len()
            )
        }))
    }
}

fn is_same_cell(now: Option<&str>, given: Option<&str>) -> bool {
    match (now.unwrap_or_default(), given.unwrap_or_default()) {
        ("", "") => true,
        (now, given) => now == given || is_alike(now, given),
    }
}

#[cfg(test)]
mod tests {
    use super::super::run::select;
    use super::super::testing::{TwoTables, request, source};
    use super::*;

    struct Asked {
        tables: TwoTables,
        request: SelectRequest,
        selection: Selection,
        table: String,
    }

    impl Asked {
        fn new(n_asked: usize) -> Self {
            let tables = TwoTables::new(150, 90, 11);
            let mut request = request("logit; c45; nb:5; knn:5");
            request.ask = n_asked;
            let selection =
                select((&tables.train(), &tables.deploy()), &request, None, &|_| ()).expect("a selection");
            let path = tables.path("ask.csv");
            write_label_table(&path, &tables.deploy(), &request, &selection).expect("a table");
            let table = std::fs::read_to_string(&path).expect("text");
            Asked { tables, request, selection, table }
        }

        fn numbers(&self) -> Vec<u64> {
            self.selection.ask.as_ref().expect("rows").rows.clone()
        }

        /// The table with labels.
        fn filled(&self, label: impl Fn(usize, u64) -> String) -> String {
            let mut lines = self.table.lines();
            let header = lines.next().expect("a header").to_owned();
            let rows = lines.zip(self.numbers()).enumerate();
            let rows = rows.map(|(place, (line, number))| format!("{line}{}", label(place, number)));
            [header].into_iter().chain(rows).collect::<Vec<String>>().join("\n") + "\n"
        }

        fn read(&self, table: &str) -> Result<ReturnedLabels, Error> {
            let path = self.tables.path("filled.csv");
            std::fs::write(&path, table).expect("a table");
            let tables = (&self.tables.train(), &self.tables.deploy());
            read_label_table(&source(&path), tables, &self.request, &|_| ())
        }

        fn check_refused(&self, table: &str, says: &str) {
            let error = self.read(table).expect_err(says).to_string();
            assert!(error.contains("filled.csv") && error.contains(says), "{error}");
        }
    }

    #[test]
    fn rows_are_asked_for_and_their_labels_come_back() {
        let asked = Asked::new(8);
        let header = asked.table.lines().next().expect("a header");
        assert_eq!(
            header,
            "row,population,claim,lag,amount,region,label of logit,label of c45,label of nb:5,label of knn:5,fraud"
        );
        let first = asked.table.lines().nth(1).expect("a row");
        let number = asked.numbers()[0];
        assert!(first.starts_with(&format!("{number},sha256:")), "{first}");
        assert!(first.contains(&format!(",C{},", number - 1)) && first.ends_with(','), "{first}");

        let truth = |number: u64| asked.tables.truth[number as usize - 1].to_owned();
        let returned = asked.read(&asked.filled(|_, number| truth(number))).expect("labels");
        let expected: BTreeMap<u64, String> =
            asked.numbers().iter().map(|&number| (number, truth(number))).collect();
        assert_eq!((returned.labels.clone(), returned.n_blank, returned.notices.len()), (expected, 0, 0));

        let mut request = asked.request.clone();
        request.labels = returned.labels;
        let tables = (&asked.tables.train(), &asked.tables.deploy());
        let selection = select(tables, &request, None, &|_| ()).expect("a selection");
        let found = selection.labels.as_ref().expect("labels");
        assert_eq!((found.labels, found.of_agreed_rows, found.are_as_drawn), (8, 0, true));
        assert_eq!((found.learners.len(), found.differences.len()), (4, 6));
        let of =
            |name: &str| found.learners.iter().find(|one| one.learner == name).expect("a learner").accuracy;
        let scale = found.disagreeing as f64 / 90.0;
        for pair in &found.differences {
            assert!((pair.difference - scale * (of(&pair.a) - of(&pair.b))).abs() < 1e-12);
            assert!((pair.lower..=pair.upper).contains(&pair.difference));
        }
        // Whoever goes on finds the labels that are known in their place.
        request.ask = 2;
        let selection = select(tables, &request, None, &|_| ()).expect("a selection");
        let rows = &selection.ask.as_ref().expect("rows").rows;
        assert_eq!((rows.len(), &rows[..8]), (10, &asked.numbers()[..]));
        let path = asked.tables.path("more.csv");
        write_label_table(&path, &asked.tables.deploy(), &request, &selection).expect("a table");
        let more = asked.read(&std::fs::read_to_string(&path).expect("text")).expect("labels");
        assert_eq!((&more.labels, more.n_blank), (&request.labels, 2));
        let error =
            write_label_table(&path, &asked.tables.deploy(), &request, &selection).expect_err("there");
        assert!(error.to_string().contains("the file is there already"), "{error}");
    }

    #[test]
    fn labels_may_be_missing_or_written_as_spreadsheets_do() {
        let asked = Asked::new(6);
        let words = ["YES", "", "no", "No", "", "yes"];
        let returned = asked.read(&asked.filled(|place, _| words[place].to_owned())).expect("labels");
        let found: Vec<&str> = asked
            .numbers()
            .iter()
            .map(|number| returned.labels.get(number).map_or("", String::as_str))
            .collect();
        assert_eq!((found, returned.n_blank), (vec!["yes", "", "no", "no", "", "yes"], 2));
    }

    #[test]
    fn names_of_columns_are_free_ones() {
        let mut asked = Asked::new(4);
        let rename = |name: &str, names: [&str; 2]| {
            let path = asked.tables.path(name);
            let text = std::fs::read_to_string(&path).expect("text");
            let renamed = text.replacen("lag", names[0], 1).replacen("fraud", names[1], 1);
            std::fs::write(path, renamed).expect("a table");
        };
        rename("train.csv", ["label of logit", "row"]);
        rename("deploy.csv", ["label of logit", "row"]);
        asked.request.data.targets[0].name = "row".to_owned();
        let tables = (&asked.tables.train(), &asked.tables.deploy());
        let selection = select(tables, &asked.request, None, &|_| ()).expect("a selection");
        let path = asked.tables.path("free.csv");
        write_label_table(&path, &asked.tables.deploy(), &asked.request, &selection).expect("a table");
        let table = std::fs::read_to_string(&path).expect("text");
        let header = table.lines().next().expect("a header");
        assert!(header.starts_with("population_row,population,claim,label of logit,"), "{header}");
        assert!(header.contains(",the label of logit,") && header.ends_with(",row"), "{header}");
        let filled =
            table.replacen(",row\n", ",ROW\n", 1).replace(",\n", ",yes\n").replacen(",ROW\n", ",row\n", 1);
        assert_eq!(asked.read(&filled).expect("labels").labels.len(), 4);
    }

    #[test]
    fn labels_that_cannot_be_right_are_refused_with_their_line() {
        let asked = Asked::new(4);
        let yes = asked.filled(|_, _| "yes".to_owned());
        asked.check_refused(
            &asked.filled(|place, _| ["yes", "yse", "no", "no"][place].to_owned()),
            "line 3: the label \"yse\" is none of the classes no, yes; did you mean \"yes\"?",
        );
        let first = yes.lines().nth(1).expect("a row");
        let number = asked.numbers()[0];
        asked.check_refused(&format!("{yes}{first}\n"), &format!("line 6: row {number} has a label already"));
        let other = first.replacen(&format!("{number},"), "91,", 1);
        asked.check_refused(
            &yes.replacen(first, &other, 1),
            "line 2: row 91 is not in the population, which has the rows 1 to 90",
        );
        let other = first.replacen(&format!("{number},"), "99999999999999999999,", 1);
        asked.check_refused(
            &yes.replacen(first, &other, 1),
            "row 99999999999999999999 is not in the population",
        );
        let other = first.replacen(&format!("{number},"), "first,", 1);
        asked.check_refused(&yes.replacen(first, &other, 1), "line 2: \"first\" is no number of a row");
        asked.check_refused(
            &yes.replacen(",fraud\n", ",fruad\n", 1),
            "there is no column \"fraud\"; did you mean \"fruad\"?",
        );
        asked.check_refused(&yes.replacen("row,", "line,", 1), "there is no column \"row\"");
    }

    #[test]
    fn a_population_that_changed_is_noticed() {
        let asked = Asked::new(5);
        let yes = asked.filled(|_, _| "yes".to_owned());
        let path = asked.tables.path("deploy.csv");
        let before = std::fs::read_to_string(&path).expect("text");
        std::fs::write(&path, format!("{before}C90,1.5,20.25,north\n")).expect("a row more");
        let returned = asked.read(&yes).expect("the same rows");
        assert_eq!(
            returned.notices,
            ["the file of the population is not the one of which rows were asked for"]
        );
        let (header, rows) = before.split_once('\n').expect("a header");
        std::fs::write(&path, format!("{header}\nC90,1.5,20.25,north\n{rows}")).expect("a row before");
        asked.check_refused(&yes, "of the population is another one now: \"claim\" is");

        // Nothing tells whether the rows are those that were asked for.
        let number = asked.numbers()[0];
        let bare = |hash: &str| format!("row,population,fraud\n{number},{hash},yes\n");
        asked.check_refused(
            &bare("sha256:0123456789ab"),
            "rows were asked for of another population (sha256:0123456789ab, and",
        );
        assert_eq!(asked.read(&bare("list")).expect("somebody's own column").labels.len(), 1);

        // Somebody's own table needs no more than numbers and labels.
        std::fs::write(&path, before).expect("as it was");
        let returned = asked.read("row,fraud\n3,yes\n7,no\n").expect("labels");
        assert_eq!(
            returned.labels.into_iter().collect::<Vec<_>>(),
            [(3, "yes".to_owned()), (7, "no".to_owned())]
        );
        assert!(returned.notices[0].contains("0 of the 4 columns"), "{:?}", returned.notices);
    }
}
