//! Schemas from files: TOML, or the built-in one of the claims study by its name.

use tribunal_learn::{Schema, claims_schema};

use crate::error::Error;
use crate::toml_file::TomlFile;

/// The schema that a name stands for: `claims` for the one that is built in, anything else is a TOML file.
///
/// ```
/// use tribunal::read_schema;
///
/// assert_eq!(read_schema("claims")?.targets.len(), 5);
/// assert!(read_schema("no-such.toml").unwrap_err().to_string().contains("no-such.toml"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The file cannot be read or is no schema; the message names line and column.
pub fn read_schema(name: &str) -> Result<Schema, Error> {
    read_ordered_schema(name).map(|(schema, _)| schema)
}

/// Whether a name stands for a schema that is built in, and for no file.
pub fn is_built_in_schema(name: &str) -> bool {
    name == "claims"
}

/// The same with the names of the targets in the order in which they are written.
pub(crate) fn read_ordered_schema(name: &str) -> Result<(Schema, Vec<String>), Error> {
    if is_built_in_schema(name) {
        let schema = claims_schema();
        let targets = schema.targets.keys().cloned().collect();
        return Ok((schema, targets));
    }
    let file = TomlFile::read(name, "schema", "give a TOML file, or `claims` for the built-in one")?;
    Ok((file.parse()?, file.targets_as_written()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Schema, String> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("schema.toml");
        std::fs::write(&path, text).expect("written");
        read_schema(&path.to_string_lossy()).map_err(|error| error.to_string())
    }

    #[test]
    fn a_schema_is_read_from_toml() {
        let text = "missing = [\"-\"]\n[columns]\nAGE = \"bins:whole:20,40\"\nPAID = \"amount\"\n\
                    [targets]\n\"4+\" = { column = \"score\", positive = \">=4\" }\n";
        let schema = read(text).expect("a schema");
        assert_eq!((schema.columns.len(), schema.targets.len(), schema.missing.len()), (2, 1, 1));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let error = read("[columns]\nAGE = \"nominal\"\n").expect_err("no kind");
        assert!(
            error.contains("schema.toml, line 2, column 7:") && error.contains("is not a kind of column"),
            "{error}"
        );
        let error = read("colums = 1\n").expect_err("no key");
        assert!(error.contains("line 1, column 1: unknown field `colums`"), "{error}");
        assert!(error.ends_with("did you mean `columns`?"), "{error}");
    }
}
