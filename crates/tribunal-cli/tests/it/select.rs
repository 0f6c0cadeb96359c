//! `tribunal select` as users meet it: a labelled table that lacks the old drivers, a population that has them, and whatever may be
//! wrong with either.

use std::fs;

use serde_json::Value;

use crate::folder::Folder;

/// Learners of five families that are quick on a few hundred rows.
const SELECT: &str = "select old.csv --target fraud --positive yes --deploy new.csv --design cv:3 \
                      --learners logit;nb:5;c45;knn:10;rdt --no-reverse-validation -q";

/// Two numbers that look random, the same for ever.
fn drawn(row: u32) -> (u32, u32) {
    let mixed = row.wrapping_mul(2_654_435_761) ^ (row.wrapping_mul(40_503) << 7);
    (mixed >> 8 & 0xffff, mixed.wrapping_mul(2_246_822_519) >> 12 & 0xffff)
}

/// Claims of drivers up to an age; fraud depends on the age, the lag and chance.
fn claims(rows: std::ops::Range<u32>, oldest: u32, labelled: bool) -> String {
    let mut text = String::from(if labelled { "age,lag,region,fraud\n" } else { "age,lag,region\n" });
    for row in rows {
        let (a, b) = drawn(row);
        let (age, lag, region) = (20 + a % 60, b % 30, ["north", "south", "west"][(a / 60 % 3) as usize]);
        if age > oldest {
            continue;
        }
        let fraud = (age < 35) ^ (lag > 20 && region != "west") ^ (b / 30 % 8 == 0);
        text += &format!("{age},{lag},{region}");
        text += match (labelled, fraud) {
            (false, _) => "\n",
            (true, true) => ",yes\n",
            (true, false) => ",no\n",
        };
    }
    text
}

fn folder() -> Folder {
    Folder::with(&[("old.csv", &claims(0..420, 60, true)), ("new.csv", &claims(1000..1300, 80, false))])
}

fn text(folder: &Folder, args: &str) -> String {
    String::from_utf8(folder.stdout(args)).expect("text")
}

fn json(folder: &Folder, args: &str) -> Value {
    serde_json::from_str(&text(folder, &format!("{args} --format json"))).expect("JSON")
}

fn recommended(selection: &Value) -> &str {
    selection["recommended"]["learner"].as_str().expect("a learner")
}

/// A command that is refused, and what it says.
#[track_caller]
fn refused(folder: &Folder, args: &str, code: i32, words: &[&str]) {
    let output = folder.run(args);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{args}: {message}");
    words.iter().for_each(|words| assert!(message.contains(words), "{args}: {words:?} is not in {message}"));
}

#[test]
fn the_answer_comes_first_in_every_form_and_a_stored_one_is_shown_alike() {
    let folder = folder();
    let args = format!("{SELECT} --audit 5 --ask 12");
    fs::write(folder.path().join("found.json"), text(&folder, &format!("{args} --format json")))
        .expect("written");
    for (format, words) in [
        ("text", ["For this population take", "domain classifier", "ReverseTesting", "??"]),
        (
            "markdown",
            ["## Answer", "**Pairs: the better learner, or ??", "What each method goes by", "Reverse models"],
        ),
        (
            "latex",
            ["\\subsection*{Answer}", "\\toprule", "Kinds of sample-selection bias", "\\end{document}"],
        ),
        (
            "csv",
            ["part,method,learner", "recommended,consensus,", "audit,consensus", "pair,reverse_testing,"],
        ),
        ("json", ["tribunal.selection/1", "\"recommended\"", "\"domain_auroc\"", "\"models_trained\""]),
    ] {
        let shown = text(&folder, &format!("report found.json --format {format}"));
        words
            .iter()
            .for_each(|words| assert!(shown.contains(words), "{format}: {words:?} is not in {shown}"));
        if format != "json" {
            assert_eq!(text(&folder, &format!("{args} --format {format}")), shown, "{format}");
        }
    }
}

#[test]
fn names_that_programs_rely_on_are_there() {
    let folder = folder();
    let found = json(&folder, &format!("{SELECT} --audit 5 --ask 12"));
    assert_eq!(found["schema"], "tribunal.selection/1");
    for (part, fields) in [
        ("orders", &["method", "learner", "rank", "score"][..]),
        ("pairs", &["a", "b", "winner"]),
        ("expected", &["learner", "metric", "estimate", "lower", "upper", "level", "method"]),
        ("audit", &["method", "kind", "regret", "se", "n"]),
    ] {
        let row = &found[part][0];
        fields.iter().for_each(|field| assert!(row.get(field).is_some(), "{part} has no {field}: {row}"));
    }
    assert_eq!(found["pairs"].as_array().expect("pairs").len(), 10);
    assert!(found["shift"]["domain_auroc"]["lower"].as_f64().expect("an end") > 0.5);
    assert!(found["shift"]["columns"].as_array().expect("columns").len() == 3);
    let reasons = found["recommended"]["reasons"].as_array().expect("reasons");
    assert!(!reasons.is_empty() && found["recommended"]["method"] == "consensus");
    let weights = found["committee"]["weights"].as_array().expect("weights").iter();
    assert!((weights.map(|weight| weight.as_f64().expect("a weight")).sum::<f64>() - 1.0).abs() < 1e-9);
    assert_eq!(found["models_trained"]["forward"], 5);
    assert_eq!(found["models_trained"]["repeated_cross_validation"], 5000);
    assert_eq!(found["ask"]["rows"].as_array().expect("rows").len(), 12);
    assert!(found["warnings"].is_array());
}

#[test]
fn neither_the_order_of_rows_nor_that_of_learners_changes_the_recommendation() {
    let folder = folder();
    for name in ["old", "new"] {
        let table = fs::read_to_string(folder.path().join(format!("{name}.csv"))).expect("a table");
        let (head, rows) = table.split_once('\n').expect("a header");
        let turned: Vec<&str> = rows.lines().rev().collect();
        fs::write(
            folder.path().join(format!("{name}-turned.csv")),
            format!("{head}\n{}\n", turned.join("\n")),
        )
        .expect("written");
    }
    let found = json(&folder, SELECT);
    assert_eq!(json(&folder, SELECT), found, "the same seed, other bytes");
    let turned = json(&folder, &SELECT.replace("logit;nb:5;c45;knn:10;rdt", "rdt;knn:10;c45;nb:5;logit"));
    assert_eq!(recommended(&turned), recommended(&found));
    let turned = SELECT.replace("old.csv", "old-turned.csv").replace("new.csv", "new-turned.csv");
    assert_eq!(recommended(&json(&folder, &turned)), recommended(&found));
}

#[test]
fn an_interrupted_run_goes_on_to_the_same_bytes() {
    let folder = folder();
    let run = |name: &str| format!("{SELECT} --audit 5 --run {name}");
    folder.stdout(&run("whole"));
    let read = |name: &str| fs::read(folder.path().join(name)).expect("a file");
    let journal = read("whole/journal");
    fs::create_dir(folder.path().join("cut")).expect("a folder");
    for part in [0, journal.len() / 3, journal.len() - 7] {
        for name in ["run.json", "lock"] {
            fs::copy(folder.path().join("whole").join(name), folder.path().join("cut").join(name))
                .expect("copied");
        }
        fs::write(folder.path().join("cut/journal"), &journal[..part]).expect("cut");
        folder.stdout(&run("cut"));
        for result in ["results.json", "report.md", "report.tex", "report.txt", "figures.csv"] {
            assert!(
                read(&format!("cut/{result}")) == read(&format!("whole/{result}")),
                "{result}, cut at {part}"
            );
        }
    }
    refused(
        &folder,
        &format!("{} --seed 9", run("whole")),
        2,
        &["the seed was \"1\", and is \"9\"", "--run"],
    );
}

#[test]
fn a_selection_file_says_it_all_and_options_take_its_place() {
    let folder = folder();
    let output = folder.run("init old.csv --target fraud --positive yes --deploy new.csv");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && said.contains("tribunal select select.toml"), "{said}");
    let file = fs::read_to_string(folder.path().join("select.toml")).expect("a selection file");
    assert!(file.contains("deploy = \"new.csv\"") && file.contains("audit = 10"), "{file}");
    let options = "--learners logit;nb:5;c45 --design cv:3 --audit 0 --no-reverse-validation -q";
    let by_file = json(&folder, &format!("select select.toml {options}"));
    assert!(folder.path().join("select.run/report.md").is_file());
    let by_options =
        json(&folder, &format!("select old.csv --target fraud --positive yes --deploy new.csv {options}"));
    assert_eq!(by_file["orders"], by_options["orders"]);
    assert_eq!(by_file["expected"], by_options["expected"]);
    refused(&folder, "select select.toml --metric benefit -q", 2, &["--rule donation:0.68"]);
    fs::write(folder.path().join("bad.toml"), file.replace("deploy =", "depoly =")).expect("written");
    refused(&folder, "select bad.toml", 2, &["bad.toml, line", "did you mean `deploy`?"]);
    let commands = file.replace("\"logit\"", "\"outside:sh none.sh\"");
    fs::write(folder.path().join("commands.toml"), commands).expect("written");
    refused(&folder, "select commands.toml", 2, &["the selection file names a command", "--run-command"]);
}

#[test]
fn a_first_file_leaves_out_what_the_population_lacks() {
    let folder = folder();
    fs::write(
        folder.path().join("new.csv"),
        claims(1000..1100, 80, false).replace("age,lag,region", "age,lag,place"),
    )
    .expect("written");
    let file = text(&folder, "init old.csv --target fraud --positive yes --deploy new.csv --stdout");
    let (before, _) = file.split_once("region = \"ignore\"").expect("it is ignored");
    assert!(before.trim_end().ends_with("so no model of it could be used there."), "{file}");
    let file = text(&folder, "init old.csv --target region --deploy new.csv --stdout");
    assert!(
        file.contains("# 3 classes are told apart: \"north\"") && file.contains("target = \"region\"\n"),
        "{file}"
    );
}

#[test]
fn what_cannot_be_right_is_told_with_the_next_step() {
    let folder = folder();
    let plain = "select old.csv --target fraud --positive yes";
    refused(&folder, plain, 2, &["--deploy"]);
    refused(&folder, "select old.csv --deploy new.csv", 2, &["--target"]);
    refused(&folder, "select old.csv --target frad --deploy new.csv", 2, &["did you mean \"fraud\"?"]);
    refused(&folder, &format!("{plain} --deploy none.csv"), 2, &["none.csv: no such file"]);
    refused(&folder, &SELECT.replace("logit;", "logti;"), 2, &["did you mean logit?"]);
    refused(&folder, &format!("{SELECT} --metric acuracy"), 2, &["pcc (accuracy), auroc or benefit"]);
    refused(&folder, &format!("{SELECT} --rule fraud:90"), 2, &["--amount"]);
    refused(&folder, &SELECT.replace("cv:3", "holdout"), 2, &["cross-validation, as cv:10"]);
    refused(&folder, "select --audit old.csv", 2, &["is no number of simulations"]);
    refused(&folder, &format!("{SELECT} --level 95"), 2, &["such as 0.95"]);
    refused(&folder, &format!("{SELECT} --check-with-target"), 1, &["fraud"]);
    fs::write(folder.path().join("empty.csv"), "").expect("written");
    fs::write(folder.path().join("header.csv"), "age,lag,region\n").expect("written");
    refused(&folder, &SELECT.replace("new.csv", "empty.csv"), 1, &["empty.csv"]);
    refused(&folder, &SELECT.replace("new.csv", "header.csv"), 1, &["header.csv", "not one row"]);
    let other = claims(1000..1100, 80, false).replace("age,lag,region", "agee,lag,place");
    fs::write(folder.path().join("other.csv"), other).expect("written");
    refused(
        &folder,
        &SELECT.replace("new.csv", "other.csv"),
        2,
        &[
            "no column \"age\", nor \"region\"",
            "which the labelled table has",
            "did you mean \"agee\"?",
            "--kind age=ignore",
        ],
    );
}

#[test]
fn the_target_of_the_population_is_looked_at_when_asked_for_only() {
    let folder = folder();
    let blind = json(&folder, SELECT);
    assert!(blind["check"].is_null());
    fs::write(folder.path().join("new.csv"), claims(1000..1300, 80, true)).expect("written");
    let ignored = json(&folder, SELECT);
    let checked = json(&folder, &format!("{SELECT} --check-with-target"));
    for part in ["orders", "expected", "pairs", "committee"] {
        assert_eq!(ignored[part], blind[part], "{part}");
        assert_eq!(checked[part], blind[part], "{part}");
    }
    assert!(ignored["check"].is_null());
    assert_eq!(checked["check"]["rows"], 300);
    assert_eq!(checked["check"]["learners"].as_array().expect("learners").len(), 5);
}

#[test]
fn what_is_doubtful_is_said() {
    let folder = folder();
    let warns = |args: &str, words: &str| {
        let found = json(&folder, args);
        let warnings = found["warnings"].to_string();
        assert!(warnings.contains(words), "{args}: {warnings}");
        found
    };
    warns(&SELECT.replace("new.csv", "old.csv"), "both tables are the same file");
    let two = warns(
        &SELECT.replace("logit;nb:5;c45;knn:10;rdt", "logit;nb:5"),
        "the learners come from 2 families",
    );
    assert!(two["recommended"]["reasons"][0].as_str().expect("a reason").contains("cross-validation alone"));
    let constant =
        warns(&SELECT.replace("rdt", "majority"), "the same class for every row of the population: majority");
    let majority = constant["learners"].as_array().expect("learners").last().expect("it takes part").clone();
    assert!(majority["predicts_one_class"].as_bool().expect("known"));
    // Nobody of the population is of an age that the labelled table has.
    let old = claims(1000..2500, 80, false);
    let rows: Vec<&str> = old.lines().filter(|line| line.starts_with("age") || line >= &"65").collect();
    fs::write(folder.path().join("far.csv"), rows.join("\n") + "\n").expect("written");
    let far = warns(&SELECT.replace("new.csv", "far.csv"), "hardly overlap");
    let rows = far["expected"].as_array().expect("rows");
    assert!(rows.iter().all(|row| row["estimate"].is_null() && row["undefined"].is_string()), "{rows:?}");
}

#[test]
fn tiny_tables_are_judged_or_refused_and_nothing_breaks() {
    for n_rows in [2, 4, 9, 25] {
        let folder = Folder::with(&[
            ("old.csv", &claims(0..n_rows, 80, true)),
            ("new.csv", &claims(1000..1002, 80, false)),
        ]);
        let output = folder.run(&format!("{SELECT} --audit 5 --ask"));
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!message.contains("panicked"), "{n_rows} rows: {message}");
        assert!(output.status.success() || message.contains("fraud"), "{n_rows} rows: {message}");
        let said = String::from_utf8_lossy(&output.stdout).replace("\n  ", " ");
        assert!(
            !output.status.success() || said.contains("differences of learners are mostly chance"),
            "{said}"
        );
    }
}

#[test]
fn benefits_go_by_amounts_and_papers_have_names() {
    let folder = folder();
    for name in ["old", "new"] {
        let table = fs::read_to_string(folder.path().join(format!("{name}.csv"))).expect("a table");
        let with_amount = |(row, line): (usize, &str)| match row {
            0 => format!("paid,{line}\n"),
            row => format!("{},{line}\n", 10 + row * 37 % 200),
        };
        let table: String = table.lines().enumerate().map(with_amount).collect();
        fs::write(folder.path().join(format!("{name}.csv")), table).expect("written");
    }
    let args = "select old.csv --target fraud --positive yes --deploy new.csv --design cv:3 -q --rule fraud:40 --amount paid \
                --learners fan-davidson-cost";
    let found = json(&folder, args);
    assert_eq!((&found["metric"], &found["reverse_labels"]), (&Value::from("benefit"), &Value::from("hard")));
    assert_eq!(found["learners"].as_array().expect("learners").len(), 4);
    // The amount is known beforehand, so learners look at it, and some reverse model acts.
    assert_eq!(found["training"]["columns"], 4);
    let evidence = found["reverse_testing"]["evidence"].as_array().expect("evidence");
    assert!(
        evidence.iter().any(|row| row["value"].as_f64().is_some_and(|value| value != 0.0)),
        "{evidence:?}"
    );
    assert_eq!(found["expected"][0]["metric"], "benefit");
    let soft = json(&folder, &format!("{args} --reverse-labels soft"));
    assert_eq!(soft["reverse_labels"], "soft");
}

/// Every duel by itself, with a model for each step and nothing shared: fit, label the population, fit on that, score the labelled rows.
#[test]
fn the_tournament_is_that_of_single_fits() {
    const LEARNERS: [&str; 4] = ["logit", "nb:5", "c45", "knn:10"];
    let folder = folder();
    let args = SELECT.replace("logit;nb:5;c45;knn:10;rdt", &LEARNERS.join(";"));
    let found = json(&folder, &args);
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect("a table");
    let predicted = |model: &str, table: &str| -> Vec<String> {
        text(&folder, &format!("score {model} {table} -o said.csv -q"));
        let said = read("said.csv");
        said.lines().skip(1).map(|line| line.rsplit(',').next().expect("a class").to_owned()).collect()
    };
    let fit = |learner: &str, table: &str, model: &str| {
        text(
            &folder,
            &format!("fit {table} --target fraud --positive yes --learner {learner} -o {model} -q"),
        );
    };
    let truth: Vec<String> = read("old.csv")
        .lines()
        .skip(1)
        .map(|line| line.rsplit(',').next().expect("a class").to_owned())
        .collect();
    let correct = |learner: &str, labeller: &str| {
        fit(labeller, "old.csv", "forward.json");
        let labels = predicted("forward.json", "new.csv");
        let table = read("new.csv");
        let words = std::iter::once("fraud").chain(labels.iter().map(String::as_str));
        let rows = table.lines().zip(words).map(|(row, word)| format!("{row},{word}\n"));
        fs::write(folder.path().join("labelled.csv"), rows.collect::<String>()).expect("written");
        fit(learner, "labelled.csv", "reverse.json");
        predicted("reverse.json", "old.csv")
            .iter()
            .zip(&truth)
            .filter(|(found, truth)| found == truth)
            .count()
    };
    for (place, a) in LEARNERS.iter().enumerate() {
        for b in &LEARNERS[place + 1..] {
            let (own, other) = (correct(a, a).cmp(&correct(a, b)), correct(b, a).cmp(&correct(b, b)));
            let winner = match (own.is_gt() && other.is_gt(), own.is_lt() && other.is_lt()) {
                (true, _) => Value::from(*a),
                (_, true) => Value::from(*b),
                _ => Value::Null,
            };
            let pairs = found["pairs"].as_array().expect("pairs");
            let pair = pairs.iter().find(|pair| pair["a"] == *a && pair["b"] == *b).expect("a pair");
            assert_eq!(pair["winner"], winner, "{a} {b}");
        }
    }
}

/// The table to fill in, with the labels of the rule that made the population.
fn filled(folder: &Folder, table: &str) -> String {
    let text = fs::read_to_string(folder.path().join(table)).expect("a table");
    let mut lines = text.lines();
    let head = lines.next().expect("a header").to_owned();
    let truth = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |cell: usize| cells[cell].parse::<u32>().expect("a number");
        let (age, lag) = (number(2), number(3));
        if (age < 35) ^ (lag > 20 && cells[4] != "west") { "yes" } else { "no" }
    };
    let rows = lines.map(|line| format!("{line}{}", truth(line)));
    [head].into_iter().chain(rows).collect::<Vec<String>>().join("\n") + "\n"
}

#[test]
fn rows_are_asked_for_filled_in_and_given_back() {
    let folder = folder();
    folder.stdout(&format!("{SELECT} --ask 15"));
    let table = fs::read_to_string(folder.path().join("new.ask.csv")).expect("beside the population");
    assert!(table.starts_with("row,population,age,lag,region,label of logit,"), "{table}");
    assert_eq!(table.lines().count(), 16);
    fs::write(folder.path().join("back.csv"), filled(&folder, "new.ask.csv")).expect("written");

    let found = json(&folder, &format!("{SELECT} --labels back.csv"));
    assert_eq!((&found["labels"]["labels"], &found["labels"]["are_as_drawn"]), (&15.into(), &true.into()));
    assert_eq!(found["labels"]["differences"].as_array().expect("pairs").len(), 10);
    let shown = text(&folder, &format!("{SELECT} --labels back.csv")).replace('\n', " ");
    assert!(shown.contains("more accurate on the whole population, from these labels alone"), "{shown}");

    // The default is not written over, and a file that is named must not be there.
    folder.stdout(&format!("{SELECT} --ask 5"));
    assert_eq!(fs::read_to_string(folder.path().join("new.ask.csv")).expect("a table"), table);
    refused(&folder, &format!("{SELECT} --ask 5 --ask-table new.ask.csv"), 2, &["there already", "--labels"]);
    folder.stdout(&format!("{SELECT} --ask 5 --ask-table other.csv --labels back.csv"));
    let known = fs::read_to_string(folder.path().join("other.csv")).expect("a table");
    let n_blank = known.lines().filter(|line| line.ends_with(',')).count();
    assert_eq!((known.lines().count(), n_blank), (21, 5), "{known}");

    let back = fs::read_to_string(folder.path().join("back.csv")).expect("a table");
    let wrong = back
        .lines()
        .map(|line| line.strip_suffix(",no").map_or(line.to_owned(), |row| format!("{row},nein")));
    fs::write(folder.path().join("wrong.csv"), wrong.collect::<Vec<String>>().join("\n")).expect("written");
    refused(
        &folder,
        &format!("{SELECT} --labels wrong.csv"),
        1,
        &["wrong.csv, line ", "\"nein\"", "none of the classes"],
    );
    refused(&folder, &format!("{SELECT} --metric auroc --ask 5"), 2, &["sharpen accuracies"]);
}

#[test]
fn the_best_learner_and_the_committee_are_models_that_score_and_explain() {
    let folder = folder();
    let selected = json(&folder, &format!("{SELECT} --fit-best best.json --fit-committee all.json"));
    let scores = |model: &str, learner: &str| {
        text(&folder, &format!("score {model} new.csv -o scores.csv -q"));
        let table = fs::read_to_string(folder.path().join("scores.csv")).expect("scores");
        assert!(table.starts_with("score,predicted\n"), "{table}");
        let model = fs::read_to_string(folder.path().join(model)).expect("a model");
        let head = model.lines().next().expect("a header");
        assert!(head.contains(&format!("\"learner\":\"{learner}")), "{head}");
        table.lines().count() - 1
    };
    let n_rows = selected["population"]["rows"].as_u64().expect("rows") as usize;
    assert_eq!(scores("best.json", recommended(&selected)), n_rows);
    assert_eq!(scores("all.json", "committee(logit; "), n_rows);

    let whole = text(&folder, "explain all.json -q");
    for words in ["Members of the committee", "logit, weight ", "c45, weight ", "temperature"] {
        assert!(whole.contains(words), "{words:?} is not in {whole}");
    }
    let row = text(&folder, "explain all.json new.csv --rows 3 --all -q");
    for words in [
        "Row 3: fraud is taken for",
        "How the probability of yes comes about",
        "enters with",
        "knn:10, weight",
    ] {
        assert!(row.contains(words), "{words:?} is not in {row}");
    }
    let row: Value =
        serde_json::from_str(&text(&folder, "explain all.json new.csv --rows 3 --format json -q"))
            .expect("JSON");
    let row = &row["rows"][0];
    let members = row["reasons"]["members"].as_array().expect("members").iter();
    let sum: f64 = members
        .map(|member| {
            member["weight"].as_f64().expect("a weight")
                * member["enters_with"][1]["score"].as_f64().expect("a probability")
        })
        .sum();
    assert!((sum - row["scores"][1]["score"].as_f64().expect("a probability")).abs() < 1e-12, "{row}");
    refused(&folder, "explain all.json --format dot", 2, &["has no graph"]);
}

#[test]
fn what_asks_for_too_much_is_refused_before_any_work() {
    let folder = folder();
    refused(&folder, &format!("{SELECT} --audit 9223372036854775807"), 2, &["write at most --audit 10000"]);
    let file = "data = 'old.csv'\ndeploy = 'new.csv'\naudit = 9223372036854775807\n\
                [targets]\nfraud = { column = 'fraud', positive = 'yes' }\n";
    fs::write(folder.path().join("many.toml"), file).expect("written");
    refused(&folder, "select many.toml -q", 2, &["write at most --audit 10000"]);
    let many = ["has 10000000 splits", "cv:10x10000"];
    refused(&folder, &SELECT.replace("cv:3", "cv:10x1000000"), 2, &many);
    refused(
        &folder,
        "study old.csv --target fraud --positive yes --learners nb --design cv:10x1000000 -q",
        2,
        &many,
    );
    refused(
        &folder,
        "cross old.csv --target fraud --positive yes --learner nb --design cv:10x1000000 -q",
        2,
        &many,
    );
    // What the folder of a run would hold for ever is checked before it is begun.
    let run = |design: &str| SELECT.replace("cv:3", design) + " --run r";
    refused(&folder, &run("cv:100000"), 2, &["100000 folds are more than the"]);
    assert!(!folder.path().join("r").exists());
    folder.stdout(&run("cv:3"));
    refused(
        &folder,
        "study old.csv --target fraud --positive yes --learners nb;logit --run r -q",
        2,
        &["it is one of `tribunal select`, and this is `tribunal study`"],
    );
}

#[test]
fn folders_of_others_are_no_runs() {
    let folder = folder();
    for name in ["mine/lock", "mine/results.json"] {
        fs::create_dir_all(folder.path().join("mine")).expect("a folder");
        fs::write(folder.path().join(name), "mine").expect("written");
    }
    refused(&folder, &format!("{SELECT} --run mine"), 2, &["it holds other files and no run"]);
    assert_eq!(fs::read_to_string(folder.path().join("mine/results.json")).expect("there"), "mine");
}

#[test]
fn one_class_with_all_the_weight_is_one_class() {
    let folder = folder();
    let table = claims(0..420, 60, true);
    let weighed =
        table.replacen("fraud\n", "fraud,w\n", 1).replace(",yes\n", ",yes,1\n").replace(",no\n", ",no,0\n");
    fs::write(folder.path().join("old.csv"), weighed).expect("written");
    let says = ["every row that counts is \"yes\""];
    refused(&folder, &format!("{SELECT} --weight w"), 1, &says);
    let of = "old.csv --target fraud --positive yes --weight w -q";
    refused(&folder, &format!("fit {of} --learner logit -o m.json"), 1, &says);
    refused(&folder, &format!("study {of} --learners logit;nb --design cv:3"), 1, &says);
    refused(&folder, &format!("cross {of} --learner logit --design cv:3"), 1, &says);
    let vast = fs::read_to_string(folder.path().join("old.csv")).expect("a table").replacen(
        ",yes,1",
        ",yes,1e200",
        1,
    );
    let row = vast.lines().position(|line| line.ends_with("1e200")).expect("a row");
    fs::write(folder.path().join("old.csv"), vast.replace(",no,0", ",no,1")).expect("written");
    refused(
        &folder,
        &format!("{SELECT} --weight w"),
        1,
        &[&format!("column \"w\", row {row}: the weight is 1e200")],
    );
    let twice = ["the target is made of \"fraud\", so it cannot weigh rows too"];
    refused(&folder, &format!("{SELECT} --weight fraud"), 2, &twice);
    let of = of.replace("--weight w", "--weight fraud");
    refused(&folder, &format!("fit {of} --learner logit -o m.json"), 2, &twice);
    refused(&folder, &format!("study {of} --learners logit;nb --design cv:3"), 2, &twice);
}

#[test]
fn predictors_and_populations_that_cannot_be_right_are_told() {
    let folder = folder();
    let empty = ["the set of predictors \"flags\" is empty"];
    refused(&folder, &format!("{SELECT} --predictors flags"), 2, &empty);
    refused(
        &folder,
        "fit old.csv --target fraud --positive yes --predictors flags --learner nb -o m.json",
        2,
        &empty,
    );
    let found = json(&folder, &SELECT.replace("--deploy new.csv", "--deploy new.csv new.csv"));
    let notices = found["notices"].to_string();
    assert!(notices.contains("population: new.csv is given twice"), "{notices}");
    refused(&folder, &format!("{SELECT} --level x"), 2, &["such as 0.95"]);
    let amounts = format!("{SELECT} --amount lag --rule fraud:3");
    let without = claims(1000..1300, 80, false).replacen("lag", "delay", 1);
    fs::write(folder.path().join("new.csv"), without).expect("written");
    refused(&folder, &amounts, 2, &["new.csv: there is no column \"lag\""]);
}

#[test]
fn the_table_to_fill_in_is_named_by_a_file_and_is_one() {
    let folder = folder();
    fs::create_dir(folder.path().join("g")).expect("a folder");
    fs::copy(folder.path().join("new.csv"), folder.path().join("g/new-1.csv")).expect("copied");
    let args = SELECT.replace("--deploy new.csv", "--deploy g/new-?.csv") + " --ask 4";
    folder.stdout(&args);
    let header = fs::read_to_string(folder.path().join("g/new-1.ask.csv")).expect("a table");
    assert!(header.starts_with("row,population,"), "{header}");
    // What the glob would find the next time stands elsewhere.
    fs::create_dir(folder.path().join("h")).expect("a folder");
    fs::copy(folder.path().join("new.csv"), folder.path().join("h/new-1.csv")).expect("copied");
    folder.stdout(&args.replace("g/new-?", "h/new-*"));
    assert!(folder.path().join("population.ask.csv").is_file());
    assert!(!folder.path().join("h/new-1.ask.csv").exists());
    refused(
        &folder,
        &format!("{SELECT} --ask 4 --ask-table - -o report.txt"),
        2,
        &["--ask-table -: this is no regular file"],
    );
    #[cfg(unix)]
    refused(
        &folder,
        &format!("{SELECT} --ask 4 --ask-table /dev/null"),
        2,
        &["/dev/null: this is no regular file"],
    );
}

#[test]
fn as_many_new_rows_are_asked_for_as_are_wanted() {
    let folder = folder();
    folder.stdout(&format!("{SELECT} --ask 4"));
    fs::write(folder.path().join("known.csv"), filled(&folder, "new.ask.csv")).expect("written");
    folder.stdout(&format!("{SELECT} --labels known.csv --ask 3 --ask-table more.csv"));
    let more = fs::read_to_string(folder.path().join("more.csv")).expect("a table");
    let (known, new): (Vec<&str>, Vec<&str>) = more.lines().skip(1).partition(|line| !line.ends_with(','));
    assert_eq!((known.len(), new.len()), (4, 3), "{more}");
    assert!(more.lines().skip(1).take(4).eq(known), "{more}");
}

/// Time and memory of a linear learner go by the square of the columns.
#[test]
fn tables_of_thousands_of_columns_are_told_apart_by_the_nonlinear_learner_alone() {
    let table = |rows: std::ops::Range<u32>, labelled: bool| {
        let columns = 2_100;
        let mut text: String = (0..columns).map(|column| format!("x{column},")).collect();
        text += if labelled { "y\n" } else { "z\n" };
        for row in rows {
            (0..columns).for_each(|column| text += &format!("{},", drawn(row * 3_001 + column).0 % 7));
            text += if drawn(row).0.is_multiple_of(2) { "yes\n" } else { "no\n" };
        }
        text
    };
    let folder = Folder::with(&[("old.csv", &table(0..24, true)), ("new.csv", &table(50..74, false))]);
    let found = json(
        &folder,
        "select old.csv --target y --positive yes --deploy new.csv --learners majority;nb;knn:3 --design cv:2 \
         --no-reverse-testing --no-reverse-validation -q",
    );
    fs::write(folder.path().join("found.json"), found.to_string()).expect("written");
    let learners = found["shift"]["domain"].to_string();
    let shown = text(&folder, "report found.json");
    assert!(!shown.contains("both learners together"), "{shown}");
    assert!(learners.contains("boost:") && !learners.contains("logit:"), "{learners}");
    assert!(
        found.to_string().contains("2100 encoded columns are too many for a logistic regression"),
        "no reason is given"
    );
}
