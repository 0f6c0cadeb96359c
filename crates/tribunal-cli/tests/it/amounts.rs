//! Amounts as users learn them: trained on positive cases, predicted for any table, explained.

use std::fs;
use std::process::{Command, Output};

use serde_json::Value;

/// A folder in which commands run.
struct Folder(tempfile::TempDir);

impl Folder {
    /// A folder with the claims of the study.
    fn with_claims() -> Self {
        let folder = Folder(tempfile::tempdir().expect("a folder"));
        folder.stdout("generate claims --quiet -o claims.csv");
        folder
    }

    fn write(&self, name: &str, content: &str) {
        fs::write(self.0.path().join(name), content).expect("a file");
    }

    fn run(&self, args: &str) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tribunal"));
        command.args(args.split_whitespace()).current_dir(self.0.path()).output().expect("the command runs")
    }

    #[track_caller]
    fn stdout(&self, args: &str) -> String {
        let output = self.run(args);
        assert!(output.status.success(), "{args}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text")
    }

    #[track_caller]
    fn json(&self, args: &str) -> Value {
        serde_json::from_str(&self.stdout(&format!("{args} --format json"))).expect("JSON")
    }

    /// The command must fail with this code and say all of this.
    #[track_caller]
    fn fails(&self, args: &str, code: i32, says: &[&str]) {
        let output = self.run(args);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{args}: {message}");
        says.iter().for_each(|words| assert!(message.contains(words), "{message:?} does not say {words:?}"));
    }
}

const FIT: &str = "fit claims.csv --schema claims --target 4+ --amount PAID -o amounts.json --learner";

fn numbers(csv: &str, column: &str) -> Vec<f64> {
    let place = csv.lines().next().and_then(|header| header.split(',').position(|name| name == column));
    let place = place.unwrap_or_else(|| panic!("no {column} in {csv}"));
    let number =
        |line: &str| line.split(',').nth(place).and_then(|cell| cell.parse().ok()).expect("a number");
    csv.lines().skip(1).map(number).collect()
}

#[test]
fn amounts_of_claims_are_fitted_scored_and_explained() {
    let folder = Folder::with_claims();
    let fitted = folder.json(&format!("{FIT} linear"));
    let rows = &fitted["rows"];
    assert_eq!(
        (&fitted["target"], &fitted["class"], &fitted["amount"]),
        (&"4+".into(), &">=4".into(), &"PAID".into())
    );
    assert_eq!(rows["other_class"], 1399 - 396);
    assert_eq!(rows["learned"].as_u64().zip(rows["without_amount"].as_u64()).map(|(a, b)| a + b), Some(396));
    assert_eq!(fitted["columns"], 37, "PAID is no predictor: {fitted}");
    let csv = folder.stdout("score amounts.json claims.csv -q");
    assert!(csv.starts_with("PAID,amount\n"), "{}", &csv[..40]);
    let amounts = numbers(&csv, "amount");
    assert_eq!(amounts.len(), 1399);
    let explained = folder.json("explain amounts.json claims.csv --rows 1-3");
    for (row, amount) in explained["rows"].as_array().expect("rows").iter().zip(&amounts) {
        assert!((row["amount"].as_f64().expect("an amount") - amount).abs() < 1e-9 * amount.abs().max(1.0));
        let total =
            row["items"].as_array().and_then(|items| items.last()?["total"].as_f64()).expect("a total");
        assert!((total - amount).abs() < 1e-9 * amount.abs().max(1.0), "{row}");
    }
    let shown = folder.stdout("explain amounts.json");
    assert!(shown.starts_with("linear for PAID\n") && shown.contains("where 4+ is >=4"), "{shown}");
    assert!(shown.contains("(intercept)") && shown.contains("R squared: "), "{shown}");
    let csv = folder.stdout("explain amounts.json --format csv");
    assert!(csv.starts_with("column,estimate,standard_error,t,p,lower,upper\n(intercept),"), "{csv}");
    assert!(!csv.contains("\nPAID,"), "{csv}");
}

#[test]
fn the_columns_of_amounts_have_names_of_their_own() {
    let folder = Folder::with_claims();
    folder.stdout(&format!("{FIT} linear:floor=0 -q"));
    let all = folder.stdout("score amounts.json claims.csv -q --keep all --score-name expected");
    assert!(all.lines().next().is_some_and(|header| header.ends_with(",PAID,score,code,expected")), "{all}");
    assert!(numbers(&all, "expected").iter().all(|&amount| amount >= 0.0));
    folder.fails("score amounts.json claims.csv --score-name PAID", 2, &["\"PAID\"", "--score-name"]);
    folder.fails("explain amounts.json --format dot", 2, &["a model of linear:floor=0 has no graph"]);
    let learners = folder.json("learners");
    assert_eq!(learners["amount_learners"][0]["name"], "linear");
    assert!(folder.stdout("learners").contains("\nlinear\n  written:    linear[:cap=C]"));
}

#[test]
fn a_target_is_not_needed_and_a_cap_leaves_amounts_out() {
    let folder = Folder(tempfile::tempdir().expect("a folder"));
    folder.write("gifts.csv", "id,age,gift\na,20,5\nb,40,10\nc,60,15\nd,50,0\ne,30,\nf,70,500\n");
    let fitted = folder.json("fit gifts.csv --id id --amount gift --learner linear:cap=50 -o amounts.json");
    assert_eq!(fitted["target"], Value::Null);
    let rows = &fitted["rows"];
    assert_eq!(
        (&rows["learned"], &rows["without_amount"], &rows["above_cap"]),
        (&3.into(), &2.into(), &1.into())
    );
    let csv = folder.stdout("score amounts.json gifts.csv -q");
    assert!(csv.starts_with("id,gift,amount\na,5,"), "{csv}");
    assert!((numbers(&csv, "amount")[5] - 17.5).abs() < 1e-9, "{csv}");
    folder.write("new.csv", "id,age\nz,70\n");
    assert!(folder.stdout("score amounts.json new.csv -q").starts_with("id,amount\nz,17.5"));
    let said = folder.stdout("explain amounts.json new.csv");
    assert!(said.contains("Row 1, id z: gift is 17.50.") && said.contains("age = 70"), "{said}");
    // The amount of a table may have the name that the prediction would get.
    folder.write("taken.csv", "age,amount\n20,5\n40,10\n60,16\n");
    folder.stdout("fit taken.csv --amount amount --learner linear -o taken.json -q");
    folder.fails("score taken.json taken.csv", 2, &["\"amount\"", "--score-name"]);
}

#[test]
fn what_does_not_go_together_is_refused_with_advice() {
    let folder = Folder(tempfile::tempdir().expect("a folder"));
    folder.write("gifts.csv", "age,kind,gift,odd\n20,a,5,1\n40,b,10,x1\n60,c,16,3\n50,a,0,4\n");
    let fit = "fit gifts.csv -o m.json";
    folder.fails(&format!("{fit} --learner linear"), 2, &["linear learns amounts", "--amount"]);
    folder.fails(
        &format!("{fit} --target kind --amount gift --learner nb"),
        2,
        &["nb learns classes and no amounts", "--learner linear", "--kind gift=amount"],
    );
    folder.fails(
        &format!("{fit} --amount gfit --learner linear"),
        2,
        &["\"gfit\"", "did you mean \"gift\"?"],
    );
    folder.fails(&format!("{fit} --amount gift --learner linaer"), 2, &["did you mean linear?"]);
    folder.fails(
        &format!("{fit} --amount gift --learner linear:cap=-1"),
        2,
        &["cap=-1 is not a number above zero"],
    );
    folder.fails(
        &format!("{fit} --amount gift --target gift --positive >0 --learner linear"),
        2,
        &["\"gift\", the column of the amounts", "leave --target out"],
    );
    folder.fails(
        &format!("{fit} --amount gift --target kind --learner linear"),
        2,
        &["has 3 classes", "--positive"],
    );
    folder.fails(
        &format!("{fit} --amount odd --learner linear"),
        1,
        &["line 3, column \"odd\": the amount \"x1\" is not a finite number", "--missing 'x1'"],
    );
    folder.fails(
        &format!("{fit} --amount gift --learner linear:cap=1"),
        1,
        &["no row has an amount above zero up to 1"],
    );
}
