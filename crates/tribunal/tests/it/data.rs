//! Tables become data sets: kinds told or declared, missing values kept, targets of two or more classes, and clear words
//! where that cannot be.

use tribunal::{
    DataRequest, LoadedData, Population, Schema, Source, TargetRequest, Unlabelled, load_data,
    load_population,
};
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

fn population(table: &str, request: &DataRequest, unlabelled: Unlabelled) -> Result<Population, String> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("claims.csv");
    std::fs::write(&path, table).expect("written");
    let source = Source::open(&[path.to_string_lossy()]).expect("a source");
    load_population(&source, request, unlabelled, &|_progress| ()).map_err(|error| error.to_string())
}

const PART_LABELLED: &str = "age,night,fraud\n30,1,no\n41,0,\n28,1,yes\n59,0,NA\n33,1,no\n";

#[test]
fn rows_without_a_label_are_kept_dropped_or_all_there_is() {
    let request = request(Some("fraud"), Some("yes"), &[]);
    let load = |unlabelled| population(PART_LABELLED, &request, unlabelled).expect("a population");
    for (unlabelled, rows, labelled) in [
        (Unlabelled::Keep, &[0, 1, 2, 3, 4][..], &[0, 2, 4][..]),
        (Unlabelled::Drop, &[0, 2, 4], &[0, 1, 2]),
        (Unlabelled::Only, &[1, 3], &[]),
    ] {
        let found = load(unlabelled);
        assert_eq!((&found.rows[..], &found.labelled[..], found.n_unlabelled), (rows, labelled, 2));
        assert_eq!((found.dataset.n_rows(), found.dataset.target()), (rows.len(), None));
        assert_eq!(found.dataset.columns().len(), 2, "the target is no predictor");
        assert_eq!(found.unlabelled_data().n_rows(), rows.len() - labelled.len());
        let codes = found.targets.first().map(|target| target.codes().to_vec());
        assert_eq!(codes, (!labelled.is_empty()).then(|| vec![0, 1, 0]), "{unlabelled:?}");
    }
    let known = load(Unlabelled::Keep).labelled_data().expect("labelled rows");
    let plain = self::load(PART_LABELLED, &request).expect("the labelled rows");
    assert_eq!(known, plain.dataset);
    assert_eq!(load(Unlabelled::Drop).labelled_data().expect("labelled rows"), plain.dataset);
}

#[test]
fn a_target_that_is_empty_or_absent_leaves_every_row_without_a_label() {
    let labelled_by = |target| request(Some(target), None, &[]);
    let empty = "age,night,fraud\n30,1,\n41,0,NA\n28,1,\n";
    for unlabelled in [Unlabelled::Keep, Unlabelled::Only] {
        for (target, columns) in [("fraud", 2), ("verdict", 2)] {
            let table = if target == "fraud" { empty } else { "age,night\n30,1\n41,0\n28,1\n" };
            let found = population(table, &labelled_by(target), unlabelled).expect("a population");
            assert_eq!((found.dataset.n_rows(), found.n_unlabelled), (3, 3), "{target}");
            assert_eq!(found.dataset.columns().len(), columns);
            assert!(found.targets.is_empty() && found.labelled.is_empty() && found.labelled_data().is_err());
            assert_eq!(
                found.notices.iter().any(|notice| notice.contains("is not there")),
                target == "verdict"
            );
        }
    }
    let found = population(PART_LABELLED, &DataRequest::default(), Unlabelled::Keep).expect("no target");
    assert_eq!((found.dataset.n_rows(), found.n_unlabelled, found.dataset.columns().len()), (5, 5, 3));
    let error = population(empty, &labelled_by("fraud"), Unlabelled::Drop).expect_err("nothing is left");
    assert!(error.contains("missing in every row"), "{error}");
    let error = population(empty, &labelled_by("verdict"), Unlabelled::Drop).expect_err("no column");
    assert!(error.contains("there is no target column \"verdict\""), "{error}");
}

#[test]
fn a_row_is_labelled_if_every_target_is_known() {
    let mut request = request(Some("fraud"), Some("yes"), &[]);
    request
        .targets
        .push(TargetRequest { name: "score".into(), positive: Some(">=4".parse().expect("a rule")) });
    let table = "age,fraud,score\n1,no,5\n2,yes,\n3,,1\n4,yes,2\n5,no,1\n";
    let found = population(table, &request, Unlabelled::Keep).expect("a population");
    assert_eq!((&found.labelled[..], found.n_unlabelled), (&[0, 3, 4][..], 2));
    let codes: Vec<&[u32]> = found.targets.iter().map(|target| target.codes()).collect();
    assert_eq!(codes, [&[0, 1, 0][..], &[1, 0, 0]]);
    let error = population("age,score\n1,5\n2,many\n3,\n", &request, Unlabelled::Only);
    assert_eq!(error.map(|found| found.n_unlabelled), Ok(3), "fraud is not there, so no row has every label");
    request.targets.remove(0);
    let error = population("age,score\n1,5\n2,many\n3,\n", &request, Unlabelled::Only).expect_err("a text");
    assert!(error.contains("\"many\" is not a number"), "{error}");
}
