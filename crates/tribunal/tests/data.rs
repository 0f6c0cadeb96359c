//! Tables become data sets: kinds told or declared, missing values kept, targets of two or more classes, and clear words
//! where that cannot be.

use tribunal::{DataRequest, LoadedData, Schema, Source, TargetRequest, load_data};
use tribunal_learn::{MISSING, Values};

fn load(table: &str, request: &DataRequest) -> Result<LoadedData, String> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("claims.csv");
    std::fs::write(&path, table).expect("written");
    let source = Source::open(&[path.to_string_lossy()]).expect("a source");
    load_data(&source, request, &|_progress| ()).map_err(|error| error.to_string())
}

fn request(target: Option<&str>, positive: Option<&str>, columns: &[(&str, &str)]) -> DataRequest {
    let positive = positive.map(|rule| rule.parse().expect("a rule"));
    let declared = columns.iter().map(|(name, kind)| (name.to_string(), kind.parse().expect("a kind")));
    DataRequest {
        schema: Schema { columns: declared.collect(), ..Schema::default() },
        targets: target.map(|name| TargetRequest { name: name.into(), positive }).into_iter().collect(),
        ..DataRequest::default()
    }
}

const CLAIMS: &str = "claim,age,night,make,price,score\n\
    C1,30,1,Opel,less than 100,0\n\
    C2,?,0,Fiat,100 to 500,4\n\
    C3,41,,Opel,more than 500,7\n\
    C4,28,1,NA,100 to 500,\n\
    C5,59,0,Volvo,100 to 500,2\n";

#[test]
fn missing_values_stay_missing_and_levels_have_their_order() {
    let loaded = load(CLAIMS, &request(Some("score"), Some(">=4"), &[("claim", "id")])).expect("loaded");
    let names: Vec<&str> = loaded.dataset.columns().iter().map(|column| column.name()).collect();
    assert_eq!(names, ["age", "night", "make", "price"]);
    let values = |name: &str| loaded.dataset.column(name).expect(name).values().clone();
    let Values::Numbers(ages) = values("age") else { panic!("numbers") };
    assert!(ages[1].is_nan());
    assert_eq!(values("night"), Values::Codes(vec![1, 0, MISSING, 0]));
    assert_eq!(values("make"), Values::Codes(vec![1, 0, 1, 2]));
    assert_eq!(values("price"), Values::Codes(vec![0, 1, 2, 1]));
    let target = loaded.dataset.target().expect("a target");
    assert_eq!((target.codes(), target.counts()), (&[0, 1, 1, 0][..], vec![2, 2]));
    assert_eq!(loaded.notices, ["1 row is left out: the target is missing"]);
}

#[test]
fn declared_kinds_come_first() {
    let columns = [("age", "categorical"), ("night", "numeric"), ("make", "ordered:Fiat<Opel<Volvo<Saab")];
    let loaded = load(CLAIMS, &request(None, None, &columns)).expect("loaded");
    let kind = |name: &str| loaded.dataset.column(name).map(|column| column.kind().to_string());
    assert_eq!(kind("night").as_deref(), Some("numeric"));
    assert_eq!(kind("make").as_deref(), Some("ordered:Fiat<Opel<Volvo<Saab"));
    assert_eq!(loaded.dataset.column("age").map(|age| age.kind().levels().len()), Some(4));
}

#[test]
fn three_classes_are_a_target_too() {
    let loaded = load(CLAIMS, &request(Some("make"), None, &[])).expect("loaded");
    let target = loaded.dataset.target().expect("a target");
    assert_eq!(target.classes(), ["Fiat", "Opel", "Volvo"]);
    assert_eq!(target.counts(), [1, 2, 1]);
}

#[test]
fn predictor_sets_have_names() {
    let mut asked = request(None, None, &[]);
    asked.predictors = Some("flags".into());
    assert_eq!(load(CLAIMS, &asked).expect("loaded").dataset.columns().len(), 1);
    asked.schema.sets.insert("two".into(), vec!["price".into(), "age".into()]);
    asked.predictors = Some("two".into());
    assert_eq!(load(CLAIMS, &asked).expect("loaded").dataset.columns()[0].name(), "price");
    asked.predictors = Some("tow".into());
    assert!(load(CLAIMS, &asked).expect_err("no set").contains("did you mean \"two\"?"));
    asked.schema.sets.insert("ages".into(), vec!["ages".into()]);
    asked.predictors = Some("ages".into());
    assert!(
        load(CLAIMS, &asked).expect_err("no column").contains("no predictor \"ages\"; did you mean \"age\"?")
    );
}

#[test]
fn rare_flags_are_left_out_with_a_word() {
    let mut asked = request(None, None, &[]);
    asked.schema.min_firings = 3;
    let loaded = load(CLAIMS, &asked).expect("loaded");
    assert_eq!(loaded.dataset.column("night"), None);
    assert!(loaded.notices.iter().any(|notice| notice.contains("\"night\" is left out: it is 1 in 2 rows")));
}

#[test]
fn columns_that_name_rows_are_left_out_with_a_word() {
    let rows: String = (0..30).map(|row| format!("C-{row},{}\n", row % 7)).collect();
    let loaded = load(&format!("claim,lag\n{rows}"), &DataRequest::default()).expect("loaded");
    assert_eq!(loaded.dataset.columns().len(), 1);
    assert_eq!(loaded.notices, ["\"claim\" is left out: it names the row"]);
}

#[track_caller]
fn check_refused(table: &str, request: &DataRequest, says: &[&str]) {
    let error = load(table, request).expect_err("refused");
    for words in says {
        assert!(error.contains(words), "{error:?} does not say {words:?}");
    }
}

#[test]
fn what_cannot_be_a_data_set_is_refused_with_its_place() {
    let rows: String =
        (0..100).map(|row| if row == 60 { "many\n".into() } else { format!("{row}\n") }).collect();
    check_refused(
        &format!("lag\n{rows}"),
        &DataRequest::default(),
        &[
            "\"lag\" holds numbers but for 1 cell",
            "\"many\"",
            "line 62",
            "`missing = many`",
            "`kind = lag=categorical`",
        ],
    );
    let mut forgiving = DataRequest::default();
    forgiving.schema.missing.push("many".into());
    assert_eq!(
        load(&format!("lag\n{rows}"), &forgiving).expect("loaded").dataset.columns()[0].values().n_missing(),
        1
    );
    check_refused(
        "lag\n3\n-1\n",
        &request(None, None, &[("lag", "bins:whole:7,15")]),
        &["\"lag\", row 2: -1 is negative"],
    );
    check_refused("y\nno\nyes\n", &request(Some("y"), None, &[]), &["no column to learn from", "add one"]);
    check_refused("f\nyes\nmaybe\n", &request(None, None, &[("f", "flag")]), &["\"maybe\"", "0 and 1"]);
    check_refused("x,y\n1,0\n2,0\n", &request(Some("y"), Some("0"), &[]), &["every row of \"y\" is 0"]);
    check_refused(
        "lag\n1\n",
        &request(None, None, &[("lagg", "flag")]),
        &["declares a column \"lagg\"", "did you mean \"lag\"?"],
    );
}

#[test]
fn the_same_table_is_the_same_data_set_in_any_order_of_rows() {
    let rows = ["a,2", "b,1", "c,3", "a,9"];
    let levels = |rows: &[&str]| {
        let loaded = load(&format!("k,x\n{}\n", rows.join("\n")), &DataRequest::default()).expect("loaded");
        loaded.dataset.columns()[0].kind().levels().to_vec()
    };
    let mut turned = rows;
    turned.reverse();
    assert_eq!(levels(&rows), levels(&turned));
}

#[test]
fn encodings_of_one_target_stand_side_by_side() {
    let mut asked = request(None, None, &[("claim", "id")]);
    let target =
        |name: &str, positive: &str| TargetRequest { name: name.into(), positive: positive.parse().ok() };
    asked.targets = vec![target("score", ">=4"), target("score", "{7,9}"), target("make", "Opel")];
    let loaded = load(CLAIMS, &asked).expect("loaded");
    let counts: Vec<Vec<usize>> = loaded.targets.iter().map(|target| target.counts()).collect();
    // The fourth claim has neither a score nor a make.
    assert_eq!(counts, [[2, 2], [3, 1], [2, 2]]);
    assert_eq!(loaded.dataset.target(), loaded.targets.first());
    assert_eq!(loaded.dataset.columns().len(), 3);
}
