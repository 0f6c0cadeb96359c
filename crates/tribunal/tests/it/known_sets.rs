//! Data sets that everybody knows: iris and wine, which are part of the project, and more where a folder of them lies beside
//! it (`shared_data`).

use std::path::Path;

use serde_json::{Value, json};
use tribunal::{DataRequest, Source, TargetRequest, load_data};
use tribunal_learn::{ColumnSchema, Dataset, Kind, Levels, Role};

/// Some columns of iris or wine as scikit-learn carries them, all numbers; a positive class makes two of the three.
pub(crate) fn bundled(name: &str, columns: &[&str], positive: Option<&str>) -> Dataset {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let columns: Vec<Value> = columns.iter().map(|column| json!({ "name": column })).collect();
    let file = format!("{name}.csv");
    dataset(&folder, &json!({ "file": file, "class": "class", "positive": positive, "columns": columns }))
}

pub(crate) const IRIS: [&str; 4] = ["sepal_length", "sepal_width", "petal_length", "petal_width"];
pub(crate) const WINE: [&str; 13] = [
    "alcohol",
    "malic_acid",
    "ash",
    "alcalinity_of_ash",
    "magnesium",
    "total_phenols",
    "flavanoids",
    "nonflavanoid_phenols",
    "proanthocyanins",
    "color_intensity",
    "hue",
    "od280_od315_of_diluted_wines",
    "proline",
];

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_else(|| panic!("{key} is no text"))
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().map_or_else(Vec::new, |list| list.iter().filter_map(Value::as_str).collect())
}

/// A set with the kinds, the levels and the positive class that the other program was given.
pub(crate) fn dataset(folder: &Path, set: &Value) -> Dataset {
    let path = folder.join(text(set, "file")).to_string_lossy().into_owned();
    let mut request = DataRequest::default();
    let header = std::fs::read_to_string(&path).expect("a file");
    for name in
        header.lines().next().unwrap_or_default().split(',').filter(|name| *name != text(set, "class"))
    {
        request.schema.columns.insert(name.to_owned(), ColumnSchema::Role(Role::Ignore));
    }
    for column in set["columns"].as_array().expect("columns") {
        let levels = texts(&column["levels"]);
        let kind =
            if levels.is_empty() { Kind::Numeric } else { Kind::Categorical(Levels::declared(levels)) };
        request.schema.columns.insert(text(column, "name").to_owned(), ColumnSchema::Kind(kind));
    }
    let positive = set["positive"].as_str().map(|class| class.parse().expect("a rule"));
    request.targets.push(TargetRequest { name: text(set, "class").to_owned(), positive });
    let source = Source::open(&[path]).expect("a file");
    load_data(&source, &request, &|_progress| ()).expect("a data set").dataset
}
