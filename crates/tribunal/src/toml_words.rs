//! Words of TOML files with their places, so that whatever is wrong with one is said where it stands; and what such files declare
//! about columns.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use toml::Spanned;
use tribunal_learn::{ColumnSchema, Role, Schema, TargetSchema};

use crate::data::{is_built_in_schema, read_ordered_schema};
use crate::error::Error;
use crate::toml_file::TomlFile;

/// A text with its place.
pub(crate) type Word = Spanned<String>;

/// One text or several, each with its place, and the place of all.
pub(crate) struct Words(pub(crate) Spanned<Vec<Word>>);

impl TomlFile {
    /// What a word means, or its place with what is wrong.
    pub(crate) fn meaning<T>(
        &self,
        word: &Word,
        means: impl Fn(&str) -> Result<T, Error>,
    ) -> Result<T, Error> {
        means(word.get_ref()).map_err(|error| self.wrong(word.span(), error.message()))
    }

    /// What a word means, if it is there.
    pub(crate) fn optional_meaning<T>(
        &self,
        word: &Option<Word>,
        means: impl Fn(&str) -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        word.as_ref().map(|word| self.meaning(word, means)).transpose()
    }
}

/// What a file declares about columns, beside the schema that it names.
pub(crate) struct DeclaredColumns<'a> {
    pub(crate) schema: &'a Option<Word>,
    pub(crate) missing: &'a [String],
    pub(crate) min_firings: Option<usize>,
    pub(crate) weight: Option<&'a str>,
    pub(crate) id: &'a Option<Words>,
    pub(crate) columns: &'a BTreeMap<String, ColumnSchema>,
    pub(crate) sets: &'a BTreeMap<String, Vec<String>>,
    pub(crate) targets: &'a BTreeMap<String, TargetSchema>,
}

impl DeclaredColumns<'_> {
    /// The schema file that is named, from where the program runs; nothing where none is, or one that is built in.
    pub(crate) fn schema_file(&self, folder: &Path) -> Option<String> {
        let name = self.schema.as_ref()?.get_ref();
        (!is_built_in_schema(name)).then(|| beside(folder, name))
    }

    /// The schema that is named with what the file itself declares put over it, and the targets of the former in order.
    pub(crate) fn schema(&self, file: &TomlFile, folder: &Path) -> Result<(Schema, Vec<String>), Error> {
        let (mut schema, declared) = match self.schema {
            None => (Schema::default(), Vec::new()),
            Some(name) => {
                let path = self.schema_file(folder).unwrap_or_else(|| name.get_ref().clone());
                read_ordered_schema(&path).map_err(|error| file.wrong(name.span(), error.message()))?
            }
        };
        schema.missing.extend(self.missing.iter().cloned());
        schema.min_firings = self.min_firings.unwrap_or(schema.min_firings);
        schema.columns.extend(self.columns.clone());
        let weight = self.weight.map(|name| (name, Role::Weight));
        let ids = texts(self.id).map(|name| (name, Role::Identifier));
        let roles = weight.into_iter().chain(ids);
        schema.columns.extend(roles.map(|(name, role)| (name.to_owned(), ColumnSchema::Role(role))));
        schema.sets.extend(self.sets.clone());
        schema.targets.extend(self.targets.clone());
        Ok((schema, declared))
    }
}

/// A path of a file, as seen from where the program runs.
pub(crate) fn beside(folder: &Path, path: &str) -> String {
    folder.join(path).to_string_lossy().into_owned()
}

/// The files and globs that a file names; standard input keeps its name.
pub(crate) fn files_beside(folder: &Path, names: &Option<Words>) -> Vec<String> {
    texts(names).map(|name| if name == "-" { name.to_owned() } else { beside(folder, name) }).collect()
}

/// The bare texts, none where the key is left out.
pub(crate) fn texts(words: &Option<Words>) -> impl Iterator<Item = &str> {
    words.iter().flat_map(|Words(words)| words.get_ref()).map(|word| word.get_ref().as_str())
}

impl<'de> Deserialize<'de> for Words {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let found = Spanned::<OneOrSeveral>::deserialize(deserializer)?;
        let place = found.span();
        let words = match found.into_inner() {
            OneOrSeveral::One(text) => vec![Spanned::new(place.clone(), text)],
            OneOrSeveral::Several(words) => words,
        };
        Ok(Self(Spanned::new(place, words)))
    }
}

/// An untagged enum would forget the places.
enum OneOrSeveral {
    One(String),
    Several(Vec<Word>),
}

impl<'de> Deserialize<'de> for OneOrSeveral {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Either)
    }
}

struct Either;

impl<'de> Visitor<'de> for Either {
    type Value = OneOrSeveral;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text or a list of texts")
    }

    fn visit_str<E>(self, text: &str) -> Result<OneOrSeveral, E> {
        Ok(OneOrSeveral::One(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<OneOrSeveral, A::Error> {
        let mut words = Vec::new();
        while let Some(word) = list.next_element()? {
            words.push(word);
        }
        Ok(OneOrSeveral::Several(words))
    }
}
