//! Choosing a learner for a population from end to end: what does not matter changes nothing, shared work equals plain work, runs that
//! are interrupted go on, and tables that cannot be compared say so.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use tribunal::selection::{SelectRequest, Selection, SelectionMetric, TargetCheck, select};
use tribunal::{CaseRule, Error, Source, TargetRequest};
use tribunal_random::Random;

const QUICK: &str = "logit; nb:5; c45; knn:5";

/// Rows of two numbers, a category and a class that depends on them; `shift` moves the first column.
struct Rows(Vec<(f64, f64, &'static str, &'static str)>);

impl Rows {
    fn new(n: usize, seed: u64, shift: f64) -> Self {
        let mut random = Random::new(seed);
        let row = |_| {
            let (x, z) = (shift + random.normal(), random.normal());
            let make = ["Fiat", "Opel", "Saab"][random.below(3) as usize];
            let margin = 1.5 * x - z * z + if make == "Saab" { 1.5 } else { 0.0 } + random.normal();
            // Three digits, so that there are ties.
            ((1e2 * x).round() / 1e2, (1e2 * z).round() / 1e2, make, if margin > 0.0 { "yes" } else { "no" })
        };
        Rows((0..n).map(row).collect())
    }

    fn shuffled(mut self, seed: u64) -> Self {
        Random::new(seed).shuffle(&mut self.0);
        self
    }

    fn write(&self, path: &Path, with_target: bool) -> Source {
        let mut text = String::from(if with_target { "x,z,make,fraud\n" } else { "x,z,make\n" });
        for (x, z, make, class) in &self.0 {
            let class = if with_target { format!(",{class}") } else { String::new() };
            writeln!(text, "{x},{z},{make}{class}").expect("text");
        }
        std::fs::write(path, text).expect("written");
        Source::open(&[path.to_string_lossy()]).expect("a file")
    }
}

fn request(learners: &str) -> SelectRequest {
    let learners = learners.split(';').map(|text| text.trim().parse().expect(text)).collect();
    let mut request = SelectRequest::new(learners);
    let positive = Some("yes".parse().expect("a rule"));
    request.data.targets.push(TargetRequest { name: "fraud".into(), positive });
    request.design = "cv:5".parse().expect("a design");
    request
}

/// Two tables in a folder of their own.
struct Tables {
    folder: tempfile::TempDir,
    train: Source,
    deploy: Source,
}

impl Tables {
    fn new(train: &Rows, deploy: &Rows, deploy_has_target: bool) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let train = train.write(&folder.path().join("train.csv"), true);
        let deploy = deploy.write(&folder.path().join("deploy.csv"), deploy_has_target);
        Tables { folder, train, deploy }
    }

    fn shifted() -> Self {
        Self::new(&Rows::new(240, 1, 0.0), &Rows::new(200, 2, 0.7), false)
    }

    fn select(&self, request: &SelectRequest) -> Result<Selection, Error> {
        self.select_in(request, None)
    }

    fn select_in(&self, request: &SelectRequest, run: Option<&Path>) -> Result<Selection, Error> {
        select((&self.train, &self.deploy), request, run, &|_| {})
    }

    fn run(&self) -> PathBuf {
        self.folder.path().join("a.run")
    }
}

fn recommended(selection: &Selection) -> &str {
    &selection.recommended.as_ref().expect("a recommendation").learner
}

fn score(selection: &Selection, method: &str, learner: &str) -> Option<f64> {
    selection.orders.iter().find(|row| row.method == method && row.learner == learner).map(|row| row.score)
}

fn learners(text: &str) -> impl Iterator<Item = &str> {
    text.split(';').map(str::trim)
}

/// That both say the same of every learner of the first, but for rounding.
fn check_same_scores(one: &Selection, other: &Selection) {
    for row in &one.orders {
        let there = score(other, &row.method, &row.learner).expect("a score");
        assert!((row.score - there).abs() < 1e-9, "{} {} {there}", row.method, row.score);
    }
    for row in &one.expected {
        let is_same = |other: &&tribunal::selection::ExpectedRow| {
            (&other.learner, &other.metric) == (&row.learner, &row.metric)
        };
        let there = other.expected.iter().find(is_same).expect("a row").estimate;
        assert_eq!(row.estimate.is_some(), there.is_some(), "{row:?}");
        assert!((row.estimate.unwrap_or(0.0) - there.unwrap_or(0.0)).abs() < 1e-9, "{row:?} {there:?}");
    }
}

#[test]
fn the_order_of_learners_and_of_the_population_does_not_matter() {
    let all = format!("{QUICK}; bag:10");
    let (train, deploy) = (Rows::new(240, 1, 0.0), Rows::new(200, 2, 0.7));
    let first = Tables::new(&train, &deploy, false).select(&request(&all)).expect("a selection");
    let turned: Vec<&str> = learners(&all).collect::<Vec<_>>().into_iter().rev().collect();
    let other = Tables::new(&train, &deploy, false).select(&request(&turned.join(";"))).expect("a selection");
    assert_eq!(recommended(&first), recommended(&other));
    check_same_scores(&first, &other);
    for pair in &first.pairs {
        let is_same = |other: &&tribunal::selection::Pair| (&other.a, &other.b) == (&pair.b, &pair.a);
        assert_eq!(other.pairs.iter().find(is_same).expect("a duel").winner, pair.winner);
    }
    // Learners that draw no random numbers: their reverse models do not depend on the order of the population either.
    let first = Tables::new(&train, &deploy, false).select(&request(QUICK)).expect("a selection");
    let other = Tables::new(&train, &deploy.shuffled(9), false).select(&request(QUICK)).expect("a selection");
    assert_eq!((recommended(&first), &first.pairs), (recommended(&other), &other.pairs));
    for method in ["consensus", "cross_validation", "reverse_testing", "atc", "cbpe", "doc"] {
        for learner in learners(QUICK) {
            let (a, b) = (score(&first, method, learner), score(&other, method, learner));
            assert!(
                (a.expect("a score") - b.expect("a score")).abs() < 1e-9,
                "{method} {learner} {a:?} {b:?}"
            );
        }
    }
}

/// A result without what names the files and the numbers of rows in them.
fn without_names(selection: &Selection) -> serde_json::Value {
    let mut found = serde_json::to_value(selection).expect("JSON");
    for (part, fields) in [("training", &["files", "sha256"][..]), ("population", &["files", "sha256"])] {
        fields.iter().for_each(|field| found[part][field] = serde_json::Value::Null);
    }
    if found["ask"].is_object() {
        found["ask"]["rows"] = serde_json::Value::Null;
    }
    found
}

/// Folds, bootstrap samples, draws and sums are those of an order that follows from what rows hold: to the last bit, learners that draw
/// and the audit included.
#[test]
fn the_order_of_rows_changes_no_figure() {
    let (train, deploy) = (|| Rows::new(160, 1, 0.0), || Rows::new(150, 2, 0.7));
    let request = SelectRequest {
        audit: 2,
        ask: 12,
        check_with_target: true,
        ..request("logit; nb:5; c45; knn:5; bag:10; boost:trees=10")
    };
    let first = Tables::new(&train(), &deploy(), true).select(&request).expect("a selection");
    let held = |rows: &Rows, selection: &Selection| {
        let asked = &selection.ask.as_ref().expect("rows").rows;
        asked
            .iter()
            .map(|&number| rows.0[number as usize - 1])
            .map(|(x, z, make, _)| (x, z, make))
            .collect::<Vec<_>>()
    };
    for seed in 0..3 {
        let (train, population) = (train().shuffled(seed), deploy().shuffled(100 + seed));
        let other = Tables::new(&train, &population, true).select(&request).expect("a selection");
        assert_ne!(first.training.sha256, other.training.sha256);
        assert_eq!(held(&deploy(), &first), held(&population, &other));
        assert_eq!(without_names(&first), without_names(&other));
    }
}

/// Labels are told by the numbers of rows in the file, whatever order they are worked on in.
#[test]
fn labels_find_their_rows_in_any_order_of_the_file() {
    let train = Rows::new(200, 1, 0.0);
    let with_labels = |population: &Rows| {
        let tables = Tables::new(&train, population, false);
        let asked = tables.select(&SelectRequest { ask: 10, ..request(QUICK) }).expect("a selection");
        let label = |number: &u64| (*number, population.0[*number as usize - 1].3.to_owned());
        let labels = asked.ask.expect("rows").rows.iter().map(label).collect();
        tables.select(&SelectRequest { labels, ..request(QUICK) }).expect("a selection")
    };
    let (first, other) =
        (with_labels(&Rows::new(150, 2, 0.7)), with_labels(&Rows::new(150, 2, 0.7).shuffled(4)));
    assert!(first.labels.as_ref().expect("labels").are_as_drawn);
    assert_eq!(without_names(&first), without_names(&other));
    // What decided comes first.
    let reasons = &first.recommended.as_ref().expect("a recommendation").reasons;
    let score = score(&first, "consensus", recommended(&first)).expect("a score");
    let says = [
        format!(
            "labels of the population: with them {} has the score {score:.3} against ",
            recommended(&first)
        ),
        "of the 10 labelled rows on which learners differ".to_owned(),
        "the labels count 40 % of the score".to_owned(),
    ];
    says.iter().for_each(|words| assert!(reasons[0].contains(words), "{words} is not in {}", reasons[0]));
    assert!(reasons[1].starts_with("before the labels, by consensus selection"), "{}", reasons[1]);
}

#[test]
fn a_clone_changes_no_recommendation() {
    let tables = Tables::shifted();
    let plain = tables.select(&request(QUICK)).expect("a selection");
    for clone in ["nb:5,binning=width", "knn:5,scale=zscore", "c45:cf=0.2500001"] {
        let Ok(_) = clone.parse::<tribunal::Entrant>() else { continue };
        let with_clone = tables.select(&request(&format!("{QUICK}; {clone}"))).expect("a selection");
        let is_clone = with_clone.learners.iter().any(|learner| !learner.clones.is_empty());
        if is_clone {
            let others = |selection: &Selection| score(selection, "consensus", "logit").expect("a score");
            assert!((others(&plain) - others(&with_clone)).abs() < 1e-6, "{clone}");
            assert_eq!(recommended(&plain), recommended(&with_clone), "{clone}");
            return;
        }
    }
    panic!("no learner was a clone of another");
}

#[test]
fn models_are_trained_once_and_counted() {
    let selection = Tables::shifted().select(&request(QUICK)).expect("a selection");
    let trained = &selection.models_trained;
    assert_eq!((trained.forward, trained.cross_validation), (4, 4 * 5));
    assert_eq!((trained.reverse, trained.reverse_validation), (4 * 4, 2 * 4 * 5));
    assert_eq!(trained.repeated_cross_validation, 4000);
    assert_eq!(selection.pairs.len(), 6);
    let evidence = &selection.reverse_testing.as_ref().expect("reverse models").evidence;
    assert_eq!(evidence.len(), 16);
    // Every duel follows from the evidence of its two learners.
    let value = |learner: &str, labeller: &str| {
        let row = evidence.iter().find(|row| (&*row.learner, &*row.labeller) == (learner, labeller));
        row.and_then(|row| row.value).expect("a value")
    };
    for pair in &selection.pairs {
        let (a, b) = (&*pair.a, &*pair.b);
        let prefers_b = [a, b].map(|learner| value(learner, b) > value(learner, a));
        let prefers_a = [a, b].map(|learner| value(learner, a) > value(learner, b));
        let winner = match (prefers_a, prefers_b) {
            ([true, true], _) => Some(a),
            (_, [true, true]) => Some(b),
            _ => None,
        };
        assert_eq!(pair.winner.as_deref(), winner, "{a} {b}");
    }
}

/// What a selection says of each learner is what an evaluation of its held-out scores and a model of all rows say.
#[test]
fn shared_fits_equal_plain_fits() {
    let tables = Tables::shifted();
    let together = tables.select(&request(QUICK)).expect("a selection");
    for learner in learners(QUICK) {
        let by_itself = tables.select(&request(learner)).expect("a selection");
        for method in
            ["cross_validation", "atc", "doc", "cbpe", "iwcv", "dev", "circular", "reverse_validation"]
        {
            let (a, b) = (score(&together, method, learner), score(&by_itself, method, learner));
            let (a, b) = (a.expect("a score"), b.expect("a score"));
            assert!((a - b).abs() < 1e-12, "{method} {learner} {a} {b}");
        }
    }
}

#[test]
fn runs_that_are_interrupted_go_on_to_the_same_result() {
    let tables = Tables::shifted();
    let request = SelectRequest { audit: 2, ask: 5, ..request("logit; nb:5; c45") };
    let plain = tables.select(&request).expect("a selection");
    let text = |selection: &Selection| serde_json::to_string(selection).expect("JSON");
    let run = tables.run();
    let kept = tables.select_in(&request, Some(&run)).expect("a selection");
    assert_eq!(text(&plain), text(&kept));
    let journal = std::fs::read_dir(&run).expect("a folder").filter_map(Result::ok).map(|entry| entry.path());
    let journal = journal.max_by_key(|path| path.metadata().map_or(0, |data| data.len())).expect("a journal");
    let whole = std::fs::read(&journal).expect("a journal");
    let lines: Vec<&[u8]> = whole.split_inclusive(|byte| *byte == b'\n').collect();
    assert!(lines.len() > 8, "{} lines", lines.len());
    for n_lines in [2, lines.len() / 2, lines.len() - 1] {
        // A line that was being written when the machine stopped.
        let mut cut = lines[..n_lines].concat();
        cut.extend(&lines[n_lines][..lines[n_lines].len() / 2]);
        std::fs::write(&journal, cut).expect("written");
        let again = tables.select_in(&request, Some(&run)).expect("a selection");
        assert_eq!(text(&plain), text(&again), "after {n_lines} lines");
    }
    let other = SelectRequest { seed: 2, ..request };
    assert!(tables.select_in(&other, Some(&run)).expect_err("another run").to_string().contains("seed"));
}

#[test]
fn the_audit_measures_every_method_and_gives_intervals() {
    let tables = Tables::shifted();
    let selection = tables.select(&SelectRequest { audit: 5, ..request(QUICK) }).expect("a selection");
    let overall: Vec<&str> =
        selection.audit.iter().filter(|row| row.kind.is_none()).map(|row| &*row.method).collect();
    for method in
        ["consensus", "committee", "cross_validation", "reverse_testing", "iwcv", "dev", "atc", "cbpe"]
    {
        assert!(overall.contains(&method), "{method}");
    }
    for row in selection.audit.iter().filter(|row| row.method != "committee") {
        assert!((0.0..=1.0).contains(&row.regret), "{row:?}");
    }
    for row in &selection.expected {
        let (estimate, lower, upper) = (row.estimate, row.lower, row.upper);
        let is_inside = lower <= estimate && estimate <= upper;
        assert!(estimate.is_some() && is_inside && row.level == Some(0.9), "{row:?}");
    }
    assert!(selection.models_trained.audit > 0);
}

/// A class that two numbers make together, which neither shows alone: neighbours see it, and everybody else agrees on nonsense.
#[test]
fn the_audit_finds_the_methods_that_choose_well() {
    let mut random = Random::new(8);
    let mut draw = || {
        let (x, z) = (random.uniform() - 0.5, random.uniform() - 0.5);
        (x, z, "Fiat", if (x > 0.0) == (z > 0.0) { "yes" } else { "no" })
    };
    let mut rows = |n: usize| Rows((0..n).map(|_| draw()).collect());
    let tables = Tables::new(&rows(300), &rows(200), false);
    let learners = "logit; lssvm:linear; nb; majority; knn:5";
    let selection = tables.select(&SelectRequest { audit: 5, ..request(learners) }).expect("a selection");
    let regret = |method: &str| {
        let row = selection.audit.iter().find(|row| row.method == method && row.kind.is_none());
        row.expect("a row").regret
    };
    // Where a class is thinned out, four learners that know nothing may outvote the one that knows.
    assert!(regret("cross_validation") < 0.02, "{:?}", selection.audit);
    assert!(regret("ensemble_agreement") > 0.1, "{:?}", selection.audit);
    assert!(regret("consensus") < regret("ensemble_agreement"), "{:?}", selection.audit);
    assert_eq!(recommended(&selection), "knn:5");
}

fn checked(train: &Rows, deploy: &Rows, learners: &str) -> (Selection, TargetCheck) {
    let request = SelectRequest { check_with_target: true, ..request(learners) };
    let selection = Tables::new(train, deploy, true).select(&request).expect("a selection");
    let check = selection.check.clone().expect("a check");
    (selection, check)
}

#[test]
fn the_target_of_the_population_is_looked_at_only_when_asked() {
    let (train, deploy) = (Rows::new(240, 1, 0.0), Rows::new(200, 2, 0.7));
    let blind = Tables::new(&train, &deploy, false).select(&request(QUICK)).expect("a selection");
    let ignored = Tables::new(&train, &deploy, true).select(&request(QUICK)).expect("a selection");
    assert!(ignored.check.is_none());
    check_same_scores(&blind, &ignored);
    let (seen, check) = checked(&train, &deploy, QUICK);
    check_same_scores(&blind, &seen);
    assert_eq!((check.rows, check.learners.len(), check.pairs), (200, 4, 6));
    for regret in check.regrets.iter().filter(|regret| regret.method != "committee") {
        assert!(regret.regret >= 0.0, "{regret:?}");
    }
}

#[test]
fn what_is_expected_is_near_the_truth_where_only_features_are_selected() {
    let (train, deploy) = (Rows::new(900, 5, 0.0), Rows::new(900, 6, 0.8));
    let (selection, check) = checked(&train, &deploy, QUICK);
    let truth =
        check.learners.iter().find(|learner| learner.learner == recommended(&selection)).expect("a figure");
    let is_pcc =
        |row: &&tribunal::selection::ExpectedRow| row.metric == "pcc" && row.learner == truth.learner;
    let row = selection.expected.iter().find(is_pcc).expect("a row");
    assert!((row.estimate.expect("an estimate") - truth.value).abs() < 0.05, "{row:?} {truth:?}");
    let domain = selection.shift.domain_auroc.expect("a domain classifier");
    assert!(domain.lower > 0.5, "{domain:?}");
}

/// Labels are the same numbers or words however another program wrote them, and whatever is not positive is negative.
#[test]
fn classes_of_the_population_are_read_by_the_rule() {
    let (train, deploy) = (Rows::new(200, 1, 0.0), Rows::new(150, 2, 0.3));
    let folder = tempfile::tempdir().expect("a folder");
    let with = |name: &str, rows: &Rows, word: &dyn Fn(usize, &str) -> String| {
        let mut text = String::from("x,z,make,fraud\n");
        for (row, (x, z, make, class)) in rows.0.iter().enumerate() {
            writeln!(text, "{x},{z},{make},{}", word(row, class)).expect("text");
        }
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        Source::open(&[path.to_string_lossy()]).expect("a file")
    };
    let whole = |_: usize, class: &str| if class == "yes" { "1".to_owned() } else { "0".to_owned() };
    let float = |_: usize, class: &str| if class == "yes" { "1.0".to_owned() } else { "0.0".to_owned() };
    let third = |row: usize, class: &str| match (class, row % 2) {
        ("yes", _) => "1".to_owned(),
        (_, odd) => (2 * odd).to_string(),
    };
    let train = with("train.csv", &train, &whole);
    let mut request = SelectRequest { check_with_target: true, ..request("logit; nb:5; c45") };
    request.data.targets[0].positive = Some("1".parse().expect("a rule"));
    let checked = |deploy: Source| {
        let selection = select((&train, &deploy), &request, None, &|_| {}).expect("a selection");
        selection.check.expect("a check")
    };
    let expected = checked(with("whole.csv", &deploy, &whole));
    assert_eq!(expected.rows, 150);
    assert_eq!(checked(with("float.csv", &deploy, &float)), expected);
    assert_eq!(checked(with("third.csv", &deploy, &third)), expected);
    let one = checked(with("one.csv", &deploy, &|_, _| "0".to_owned()));
    assert_eq!(one.rows, 150);
    assert!(one.learners.iter().all(|learner| (0.0..=1.0).contains(&learner.value)), "{one:?}");
}

/// Rows that all weigh the same say what unweighted rows say, and weights of the population count.
#[test]
fn weights_count_in_both_tables() {
    let folder = tempfile::tempdir().expect("a folder");
    let with = |name: &str, rows: &Rows, weight: &dyn Fn(&str) -> f64| {
        let mut text = String::from("x,z,make,fraud,w\n");
        for (x, z, make, class) in &rows.0 {
            writeln!(text, "{x},{z},{make},{class},{}", weight(make)).expect("text");
        }
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        Source::open(&[path.to_string_lossy()]).expect("a file")
    };
    let (train, deploy) = (Rows::new(200, 1, 0.0), Rows::new(150, 2, 0.5));
    let weight = tribunal_learn::ColumnSchema::Role(tribunal_learn::Role::Weight);
    let mut request = SelectRequest { check_with_target: true, ..request("logit; nb:5; knn:5") };
    request.data.schema.columns.insert("w".into(), weight);
    let judged = |train: &Source, deploy: &Source| {
        select((train, deploy), &request, None, &|_| {}).expect("a selection")
    };
    let one = |_: &str| 1.0;
    let plain = judged(&with("a.csv", &train, &one), &with("b.csv", &deploy, &one));
    let heavy = judged(&with("c.csv", &train, &|_| 6.0), &with("d.csv", &deploy, &|_| 6.0));
    // Pseudo-counts count less beside heavier rows, so scores differ a little; ratios and rates do not.
    for method in ["cross_validation", "iwcv", "iwcv_self_normalised", "dev", "atc", "doc"] {
        let (a, b) = (score(&plain, method, "nb:5"), score(&heavy, method, "nb:5"));
        assert!((a.expect("a score") - b.expect("a score")).abs() < 0.05, "{method}: {a:?} {b:?}");
    }
    let of_saabs = |make: &str| if make == "Saab" { 20.0 } else { 1.0 };
    let other = judged(&with("e.csv", &train, &one), &with("f.csv", &deploy, &of_saabs));
    let value = |selection: &Selection| selection.check.as_ref().expect("a check").learners[0].value;
    let expected = |selection: &Selection| selection.expected[0].estimate.expect("an estimate");
    assert!(
        (value(&plain) - value(&other)).abs() > 1e-6 && (expected(&plain) - expected(&other)).abs() > 1e-6
    );
    let lacking = judged(&with("g.csv", &train, &one), &deploy.write(&folder.path().join("h.csv"), true));
    assert!(
        lacking.notices.iter().any(|notice| notice.contains("no column of weights")),
        "{:?}",
        lacking.notices
    );
}

/// Labels of the population change the order, the committee and the regret alike.
#[test]
fn labels_have_their_say_in_everything() {
    let (train, deploy) = (Rows::new(240, 1, 0.0), Rows::new(200, 2, 0.7));
    let tables = Tables::new(&train, &deploy, true);
    let plain = SelectRequest { check_with_target: true, ..request(QUICK) };
    let labels = (1..).zip(&deploy.0).map(|(row, (.., class))| (row, (*class).to_owned())).collect();
    let labelled = tables.select(&SelectRequest { labels, ..plain.clone() }).expect("a selection");
    let check = labelled.check.as_ref().expect("a check");
    // All labels of the population are known, so the best learner is found.
    let regret = check.regrets.iter().find(|row| row.method == "consensus").expect("a regret").regret;
    assert!(regret < 0.01, "{check:?}");
    let first = labelled.orders.iter().find(|row| row.method == "consensus" && row.rank == 1).expect("a row");
    assert_eq!(first.learner, recommended(&labelled));
    let plain = tables.select(&plain).expect("a selection");
    let weights = |selection: &Selection| selection.committee.clone().expect("a committee").weights;
    assert_ne!(weights(&plain), weights(&labelled));
}

#[test]
fn methods_that_cannot_choose_do_not_contradict() {
    // Nobody can predict noise: the majority and its clones are level.
    let mut random = Random::new(3);
    let mut rows = |n: usize| {
        Rows(
            (0..n)
                .map(|row| {
                    (random.uniform(), random.uniform(), "Fiat", if row % 10 == 0 { "yes" } else { "no" })
                })
                .collect(),
        )
    };
    let tables = Tables::new(&rows(300), &rows(200), false);
    let forward = tables.select(&request("majority; c45; knn:100; logit")).expect("a selection");
    let backward = tables.select(&request("knn:100; c45; majority; logit")).expect("a selection");
    for selection in [&forward, &backward] {
        let found = selection.recommended.as_ref().expect("a recommendation");
        assert_eq!(
            found.by_cross_validation.as_deref(),
            Some(found.learner.as_str()),
            "{}",
            selection.verdict
        );
        assert!(selection.verdict.contains("the same class"), "{}", selection.verdict);
    }
}

#[test]
fn few_simulations_give_no_interval() {
    let tables = Tables::shifted();
    let selection =
        tables.select(&SelectRequest { audit: 2, ..request("logit; nb:5; c45") }).expect("a selection");
    assert!(!selection.audit.is_empty() && selection.expected.iter().all(|row| row.lower.is_none()));
    assert!(selection.verdict.contains("an audit of 5 simulations or more"), "{}", selection.verdict);
}

#[test]
fn the_auroc_of_three_classes_is_expected_and_new_levels_are_counted() {
    let train = Rows::new(240, 1, 0.0);
    let mut deploy = Rows::new(200, 2, 0.2);
    deploy.0.iter_mut().take(30).for_each(|row| row.2 = "Lada");
    let tables = Tables::new(&train, &deploy, false);
    let binary = tables.select(&request("logit; nb:5; c45")).expect("a selection");
    assert_eq!(binary.shift.diagnosis.coverage.rows_with_new_levels, 30);
    let mut of_makes = SelectRequest { metric: SelectionMetric::Auroc, ..request("logit; nb:5; c45") };
    of_makes.data.targets[0] = TargetRequest { name: "make".into(), positive: None };
    let fraud = tribunal_learn::ColumnSchema::Role(tribunal_learn::Role::Ignore);
    of_makes.data.schema.columns.insert("fraud".into(), fraud);
    let several = tables.select(&of_makes).expect("a selection");
    assert_eq!(several.expected[0].metric, "auroc");
    assert!(
        several.expected[0].estimate.is_some_and(|auroc| (0.3..0.9).contains(&auroc)),
        "{:?}",
        several.expected[0]
    );
    assert!(several.verdict.contains("AUROC"), "{}", several.verdict);
}

#[test]
fn tables_without_overlap_have_no_estimates() {
    let tables = Tables::new(&Rows::new(200, 1, 0.0), &Rows::new(200, 2, 60.0), false);
    let selection = tables.select(&request(QUICK)).expect("a selection");
    assert!(selection.shift.is_without_overlap());
    for row in &selection.expected {
        assert!(row.estimate.is_none() && row.undefined.is_some(), "{row:?}");
    }
    assert!(
        selection.warnings.iter().any(|warning| warning.to_string().contains("hardly overlap")),
        "{:?}",
        selection.warnings
    );
    // The column to leave out, as it can be written.
    let advice = &selection.warnings[1].to_string();
    assert!(advice.ends_with("`kind = x=ignore`"), "{advice}");
}

#[test]
fn other_metrics_choose_too() {
    let tables = Tables::shifted();
    let selection = tables
        .select(&SelectRequest { metric: SelectionMetric::Auroc, ..request(QUICK) })
        .expect("a selection");
    assert_eq!(selection.expected[0].metric, "auroc");
    let not_applicable = |id: &str| {
        let method = selection.methods.iter().find(|method| method.method == id).expect(id);
        method.not_applicable.clone().expect("a reason")
    };
    assert!(not_applicable("atc").contains("accuracy only"));
    assert!(not_applicable("iwcv").contains("no mean of losses"));
    assert!(not_applicable("leave_one_out").contains("not asked for"));
}

/// People of whom some give: those with a high `a`, as far as there is a signal. Of those who do not give one in six is there, with the
/// weight six.
fn donors(n: usize, seed: u64, signal: f64, is_labelled: bool) -> String {
    let mut random = Random::new(seed);
    let mut text = format!("a,b,w{}\n", if is_labelled { ",gift,gave" } else { "" });
    for _ in 0..n {
        let gives = random.below(3) == 0;
        let (a, b) = (random.normal() + if gives { signal } else { 0.0 }, random.normal());
        write!(text, "{a:.3},{b:.3},{}", if gives { 1 } else { 6 }).expect("text");
        let gift = 4.0 + 12.0 * random.uniform();
        match (is_labelled, gives) {
            (true, true) => write!(text, ",{gift:.2},yes").expect("text"),
            (true, false) => text.push_str(",,no"),
            (false, _) => {}
        }
        text.push('\n');
    }
    text
}

fn select_donors(signal: f64, cost: f64) -> Selection {
    let folder = tempfile::tempdir().expect("a folder");
    let open = |name: &str, text: String| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("a table");
        Source::open(&[path.to_string_lossy()]).expect("a table")
    };
    let (train, deploy) =
        (open("a.csv", donors(400, 1, signal, true)), open("b.csv", donors(300, 2, signal, true)));
    let mut asked = request("logit; rdt; knn:15; c45");
    asked.data.targets[0].name = "gave".into();
    asked.data.amount = Some("gift".into());
    let weight = tribunal_learn::ColumnSchema::Role(tribunal_learn::Role::Weight);
    asked.data.schema.columns.insert("w".into(), weight);
    (asked.metric, asked.rule) = (SelectionMetric::Benefit, Some(CaseRule::Donation { cost }));
    (asked.audit, asked.with_reverse_testing, asked.check_with_target) = (5, false, true);
    select((&train, &deploy), &asked, None, &|_| {}).expect("a selection")
}

/// A letter costs .68: nobody loses more, and writing to nobody or to everybody needs no learner.
#[test]
fn benefits_stand_beside_those_of_nobody_and_of_everybody() {
    let found = select_donors(2.5, 0.68);
    let floors = found.floors.expect("benefits");
    let text = donors(400, 1, 2.5, true);
    let (mut total, mut weight) = (0.0, 0.0);
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let w: f64 = cells[2].parse().expect("a weight");
        total += w * (cells[3].parse::<f64>().unwrap_or(0.0) - 0.68);
        weight += w;
    }
    assert_eq!(floors.nobody, 0.0);
    assert!((floors.everybody - total / weight).abs() < 1e-9, "{floors:?} {}", total / weight);
    assert!(found.verdict.contains("Acting on nobody brings in 0, acting on everybody"), "{}", found.verdict);
    assert!(found.learners.iter().all(|learner| learner.log_odds_shift.is_some()));
    let benefits = found.expected.iter().filter(|row| row.metric == "benefit");
    for row in benefits.clone() {
        let (lower, upper) = row.lower.zip(row.upper).expect("an interval");
        assert!(lower >= -0.68 && lower <= upper, "{row:?}");
        assert!((lower..=upper).contains(&row.estimate.expect("an estimate")), "{row:?}");
    }
    assert_eq!(benefits.clone().count(), 4);
    // Amounts and classes of the population belong together in the end.
    let check = found.check.as_ref().expect("the target");
    let truth = |name: &str| check.learners.iter().find(|one| one.learner == name).expect("a figure").value;
    for row in benefits {
        let (truth, estimate) = (truth(&row.learner), row.estimate.expect("an estimate"));
        assert!((truth - estimate).abs() < 0.4 * floors.everybody.abs().max(estimate), "{row:?} {truth}");
    }
    let below = |found: &Selection| {
        found.warnings.iter().any(|warning| warning.to_string().contains("is not expected to bring in more"))
    };
    assert!(!below(&found), "{:?}", found.warnings);
    // With nothing to go by, and letters that cost more than they bring in, nobody beats staying at home.
    let hopeless = select_donors(0.0, 3.0);
    assert!(below(&hopeless), "{} {:?}", hopeless.verdict, hopeless.warnings);
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let train = Rows::new(60, 1, 0.0).write(&folder.path().join("train.csv"), true);
    let check = |deploy: &str, change: fn(&mut SelectRequest), says: &str| {
        let path = folder.path().join("deploy.csv");
        std::fs::write(&path, deploy).expect("written");
        let deploy = Source::open(&[path.to_string_lossy()]).expect("a file");
        let mut request = request(QUICK);
        change(&mut request);
        let error = select((&train, &deploy), &request, None, &|_| {}).expect_err(says).to_string();
        assert!(error.contains(says), "{error}");
    };
    check(
        "x,z,makes\n1,2,Fiat\n",
        |_| {},
        "no column \"make\", which the labelled table has; did you mean \"makes\"?",
    );
    check("x,z,make\n", |_| {}, "not one row");
    check("x,z,make\none,2,Fiat\n", |_| {}, "one");
    check("x,z,make\n1,2,Fiat\n", |request| request.check_with_target = true, "no column of the target");
    let label = |request: &mut SelectRequest| drop(request.labels.insert(7, "yes".into()));
    check("x,z,make\n1,2,Fiat\n", label, "row 7");
    let label = |request: &mut SelectRequest| drop(request.labels.insert(1, "yess".into()));
    check("x,z,make\n1,2,Fiat\n", label, "yess");
}
