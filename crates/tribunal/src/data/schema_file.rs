//! Schemas from files: TOML, or the built-in one of the claims study by its name.

use std::path::Path;

use tribunal_learn::{Schema, claims_schema};

use crate::error::Error;

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
/// The file cannot be read or is no schema; the message names the line.
pub fn read_schema(name: &str) -> Result<Schema, Error> {
    if name == "claims" {
        return Ok(claims_schema());
    }
    let text = std::fs::read_to_string(Path::new(name)).map_err(|error| {
        Error::Usage(format!(
            "the schema {name} cannot be read: {error}; give a TOML file, or `claims` for the built-in one"
        ))
    })?;
    toml::from_str(&text).map_err(|error| {
        let line =
            error.span().map_or(1, |span| text[..span.start.min(text.len())].matches('\n').count() + 1);
        Error::Usage(format!("{name}, line {line}: {}", error.message()))
    })
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
            error.contains("schema.toml, line 2:") && error.contains("is not a kind of column"),
            "{error}"
        );
        let error = read("colums = 1\n").expect_err("no key");
        assert!(error.contains("unknown field `colums`"), "{error}");
    }
}
