//! Lists of columns whose names may have commas in them, as those of learners do.

use tribunal_io::{ReadOptions, Source, TableReader};

use crate::error::Error;

/// The score columns that lists such as `nb:5,c45:unpruned,min=2` name: of the parts between commas, as many as make the
/// name of a column of the table go together.
///
/// # Errors
/// The table cannot be read.
pub fn score_columns(lists: &[String], source: &Source) -> Result<Vec<String>, Error> {
    if !lists.iter().any(|list| list.contains(',')) {
        return Ok(lists.to_vec());
    }
    let table = TableReader::open(source, &ReadOptions::default())?;
    let known: Vec<&str> = table.columns().iter().map(|column| column.name.as_str()).collect();
    Ok(lists.iter().flat_map(|list| names(list, &known)).collect())
}

/// The names in a list, the longest that is known first.
fn names(list: &str, known: &[&str]) -> Vec<String> {
    let parts: Vec<&str> = list.split(',').collect();
    let (mut names, mut start) = (Vec::new(), 0);
    while start < parts.len() {
        let longest =
            (start + 2..=parts.len()).rev().find(|&end| known.contains(&&*parts[start..end].join(",")));
        let end = longest.unwrap_or(start + 1);
        names.push(parts[start..end].join(","));
        start = end;
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_that_make_a_known_name_go_together() {
        let known = ["nb:5", "c45:unpruned,min=2", "a", "a,b", "b,c"];
        let check = |list: &str, expected: &[&str]| assert_eq!(names(list, &known), expected, "{list}");
        check("nb:5", &["nb:5"]);
        check("nb:5,a", &["nb:5", "a"]);
        check("nb:5,c45:unpruned,min=2,a", &["nb:5", "c45:unpruned,min=2", "a"]);
        check("c45:unpruned,min=2", &["c45:unpruned,min=2"]);
        check("a,b,c", &["a,b", "c"]);
        check("x,y", &["x", "y"]);
        check("a,", &["a", ""]);
    }
}
