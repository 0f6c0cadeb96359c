//! Corrections from files: the base-rate example, bad input, strata that are empty or strange, and a world whose truth is known.

use tribunal_io::{Source, TableFormat};
use tribunal_random::Random;

use super::*;
use crate::error::Error;

/// Two tables in a folder.
struct Files {
    _folder: tempfile::TempDir,
    prevalence: Source,
    incidence: Source,
}

impl Files {
    fn new(prevalence: &str, incidence: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let source = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).expect("a file");
            Source::open(&[path.to_string_lossy()]).expect("a source")
        };
        let (prevalence, incidence) = (source("all.csv", prevalence), source("actioned.csv", incidence));
        Self { _folder: folder, prevalence, incidence }
    }

    fn correct(&self, request: &CorrectRequest) -> Result<CorrectedTable, Error> {
        correct((&self.prevalence, &self.incidence), request, &|_| ())
    }

    fn found(&self, request: &CorrectRequest) -> Correction {
        self.correct(request).expect("a correction").correction().clone()
    }

    /// The corrected sample as CSV.
    fn sample(&self, request: &CorrectRequest) -> String {
        let mut bytes = Vec::new();
        let table = self.correct(request).expect("a correction");
        table.write(&self.incidence, TableFormat::Csv, &mut bytes, &|_| ()).expect("a sample");
        String::from_utf8(bytes).expect("text")
    }
}

fn request(strata: &str, method: CorrectionMethod) -> CorrectRequest {
    CorrectRequest { method, ..CorrectRequest::new(strata.split(',')) }
}

fn with_outcome(mut request: CorrectRequest, score: Option<&str>) -> CorrectRequest {
    request.outcome =
        Some(OutcomeColumns { truth: "hit".into(), positive: "yes".into(), score: score.map(str::to_owned) });
    request
}

fn metric(side: &CorrectedSide, name: &str) -> f64 {
    let row = side.metrics.iter().find(|row| row.metric == name).expect(name);
    row.estimate.unwrap_or_else(|| panic!("{name}: {:?}", row.undefined))
}

fn rows(header: &str, rows: &[(&str, usize)]) -> String {
    rows.iter().fold(format!("{header}\n"), |text, (row, n)| text + &format!("{row}\n").repeat(*n))
}

/// 41 true negatives, 5 false and 5 true positives, 3 false negatives; only five of the true negatives were kept. Kind a are the cases
/// that were predicted and found negative.
fn base_rate_example() -> Files {
    let all = rows("kind", &[("a", 41), ("b", 13)]);
    let kept = [("a,0.1,no", 5), ("b,0.9,no", 5), ("b,0.2,yes", 3), ("b,0.8,yes", 5)];
    Files::new(&all, &rows("kind,score,hit", &kept))
}

#[test]
fn the_error_rate_of_the_example_is_8_of_54_and_not_8_of_18() {
    let files = base_rate_example();
    let request = with_outcome(request("kind", CorrectionMethod::All), Some("score"));
    let found = files.found(&request);
    assert!((1.0 - metric(&found.before, "pcc") - 8.0 / 18.0).abs() < 1e-12);
    assert!((1.0 - metric(&found.after, "pcc") - 8.0 / 54.0).abs() < 1e-12);
    assert!((metric(&found.after, "strike_rate") - 8.0 / 54.0).abs() < 1e-12);
    // Weights of an indicator of the kind are those of its strata, but for the ridge of the logistic regression.
    let ipw = found.methods.iter().find(|method| method.method == "ipw").expect("a method");
    assert!((metric(&ipw.side, "strike_rate") - 8.0 / 54.0).abs() < 1e-3);
    // Over-resampling gives kind a 41 of 54 too, as far as whole rows go.
    let over = found.methods.iter().find(|method| method.method == "over").expect("a method");
    assert!(over.beta.is_some_and(|beta| beta > 30.0));
    assert!((over.strata[0].share - 41.0 / 54.0).abs() < 0.01);
    assert_eq!(found.stratification.n_found, 2);
}

#[test]
fn samples_hold_rows_as_they_stand_with_what_each_counts() {
    let files = base_rate_example();
    let sample = files.sample(&request("kind", CorrectionMethod::PostStratify));
    let mut lines = sample.lines();
    assert_eq!(lines.next(), Some("kind,score,hit,correction_stratum,correction_poststratify"));
    let first: Vec<&str> = lines.next().expect("a row").split(',').collect();
    assert_eq!(first[..4], ["a", "0.1", "no", "a"]);
    let weight: f64 = first[4].parse().expect("a weight");
    assert!((weight - 41.0 / 54.0 * 18.0 / 5.0).abs() < 1e-12);

    let mixed = files.sample(&request("kind", CorrectionMethod::Mixed));
    let times = |kind: &str| -> u32 {
        let of_kind = mixed.lines().filter(|line| line.starts_with(kind));
        of_kind.map(|line| line.rsplit(',').next().and_then(|times| times.parse().ok()).unwrap_or(0)).sum()
    };
    assert_eq!((times("a,"), times("b,")), (14, 4));
    assert!(!mixed.lines().any(|line| line.ends_with(",0")), "rows that do not count are left out");
    let all = files.sample(&request("kind", CorrectionMethod::All));
    assert_eq!(
        all.lines().next(),
        Some(
            "kind,score,hit,correction_stratum,correction_mixed,correction_over,correction_substitution,correction_poststratify,\
             correction_ipw"
        )
    );
}

#[test]
fn samples_that_were_corrected_are_not_written_over() {
    let files = Files::new("kind\na\nb\n", "kind,correction_stratum\na,1\nb,2\n");
    let table = files.correct(&request("kind", CorrectionMethod::Mixed)).expect("a correction");
    let error = table.check_names(&files.incidence).expect_err("a column of that name");
    assert!(error.to_string().contains("\"correction_stratum\" already"), "{error}");
}

#[test]
fn what_cannot_be_is_told_with_what_to_do() {
    let check = |files: &Files, request: &CorrectRequest, expected: &[&str]| {
        let error = files.correct(request).expect_err("impossible").to_string();
        expected.iter().for_each(|part| assert!(error.contains(part), "{error}"));
    };
    let files = base_rate_example();
    check(&files, &request("knd", CorrectionMethod::All), &["prevalence", "did you mean \"kind\"?"]);
    check(&files, &request("score", CorrectionMethod::All), &["prevalence", "no such column"]);
    let mut other = with_outcome(request("kind", CorrectionMethod::All), Some("scores"));
    check(&files, &other, &["incidence", "did you mean \"score\"?"]);
    other = with_outcome(request("kind", CorrectionMethod::All), None);
    other.outcome.as_mut().expect("an outcome").positive = "maybe".into();
    check(&files, &other, &["no row of column \"hit\" is \"maybe\""]);
    let mut clustered = request("kind", CorrectionMethod::All);
    clustered.clusters = Some(ClustersRequest { from: 2, to: 2 });
    check(&files, &clustered, &["holds labels"]);

    let strangers = Files::new("kind\na\nb\n", "kind\nc\nd\n");
    check(&strangers, &request("kind", CorrectionMethod::All), &["no actioned case lies in a stratum"]);
    let numbers = Files::new("x\n1\n2\n2\n1\n", "x\n1\n2\n");
    clustered = request("x", CorrectionMethod::All);
    clustered.clusters = Some(ClustersRequest { from: 3, to: 3 });
    check(&numbers, &clustered, &["only 2 different rows", "`clusters = 2`"]);
    let gap = Files::new("kind\na\nb\n", "kind,hit\na,yes\na,\nb,no\n");
    check(
        &gap,
        &with_outcome(request("kind", CorrectionMethod::All), None),
        &["row 2", "whose outcome is known"],
    );
    let empty = Files::new("kind\na\n", "kind\n");
    assert!(empty.correct(&request("kind", CorrectionMethod::All)).is_err());
}

fn code_of(warning: &CorrectionWarning) -> String {
    let json = serde_json::to_value(warning).expect("JSON");
    json["code"].as_str().unwrap_or_default().to_owned()
}

fn codes(found: &Correction) -> Vec<String> {
    found.warnings.iter().map(code_of).collect()
}

#[test]
fn strata_without_cases_are_merged_left_out_or_refused() {
    // Bands 0 to 9 of ten rows each; nobody was acted on in the lowest two, and once in the third.
    let all: String = (0..100).map(|row| format!("{}\n", f64::from(row) / 100.0)).collect();
    let actioned: String = (0..60)
        .map(|row| format!("{},{}\n", 0.3 + f64::from(row) / 100.0, ["no", "yes"][row as usize % 2]))
        .collect();
    let files = Files::new(&format!("score\n{all}"), &format!("score,hit\n0.25,no\n{actioned}"));
    let mut asked = with_outcome(request("score", CorrectionMethod::PostStratify), None);
    let found = files.found(&asked);
    assert_eq!(found.stratification.n_found, 10);
    let merged = &found.stratification.merged;
    let reasons: Vec<ThinReason> = merged.iter().map(|moved| moved.why).collect();
    // Nobody was acted on above 0.9 either.
    assert_eq!(reasons, [ThinReason::Empty, ThinReason::Empty, ThinReason::SingleCase, ThinReason::Empty]);
    let unreached = found.unreached.as_ref().expect("a part of the population");
    assert!((unreached.share - 0.3).abs() < 1e-12);
    let (lower, upper) =
        (unreached.strike_rate_lower.expect("bounds"), unreached.strike_rate_upper.expect("bounds"));
    assert!((upper - lower - 0.3).abs() < 1e-12);
    assert!(codes(&found).contains(&"not_repairable".to_owned()), "{:?}", codes(&found));
    assert!(codes(&found).contains(&"single_cases".to_owned()));
    let total: f64 = found.strata.iter().map(|row| row.share).sum();
    assert!((total - 1.0).abs() < 1e-12);
    let prevalence: u64 = found.strata.iter().map(|row| row.prevalence).sum();
    assert_eq!(prevalence, 100);

    asked.empty = EmptyStrata::Drop;
    let found = files.found(&asked);
    assert_eq!(found.stratification.left_out.len(), 3);
    assert_eq!(found.strata.iter().map(|row| row.prevalence).sum::<u64>(), 70);
    asked.empty = EmptyStrata::Error;
    let error = files.correct(&asked).expect_err("empty strata").to_string();
    assert!(error.contains("nobody was acted on in") && error.contains("`empty_strata = merge`"), "{error}");
}

#[test]
fn labels_of_one_file_only_are_told() {
    let files = Files::new(
        &rows("kind", &[("a", 50), ("b", 50)]),
        &rows("kind,hit", &[("a,yes", 9), ("b,no", 9), ("c,yes", 4)]),
    );
    let found = files.found(&with_outcome(request("kind", CorrectionMethod::All), None));
    assert_eq!(found.data.incidence_without_stratum, 4);
    assert!(codes(&found).contains(&"only_in_incidence".to_owned()));
    assert!((metric(&found.after, "strike_rate") - 0.5).abs() < 1e-12);
}

#[test]
fn severe_under_sampling_is_told_with_what_it_hides() {
    let all = rows("kind", &[("a", 900), ("b", 100)]);
    let actioned = rows("kind,hit", &[("a,no", 3), ("b,yes", 60), ("b,no", 40)]);
    let found =
        Files::new(&all, &actioned).found(&with_outcome(request("kind", CorrectionMethod::All), None));
    let hidden =
        found.warnings.iter().find(|warning| code_of(warning) == "severely_undersampled").expect("a warning");
    let sentence = hidden.sentence.to_string();
    assert!(
        sentence.contains("not repairable by weights") && sentence.contains("3 cases stand for \"a\""),
        "{sentence}"
    );
    let small = Files::new("kind\na\nb\n", &rows("kind,hit", &[("a,no", 3), ("b,yes", 60)]));
    let found = small.found(&with_outcome(request("kind", CorrectionMethod::PostStratify), None));
    assert!(codes(&found).contains(&"small_population".to_owned()));
}

/// Cases with a score, acted on the likelier the higher it is, and hits with a chance that the score is.
fn world(n: usize, seed: u64) -> Files {
    let mut random = Random::new(seed);
    let (mut all, mut actioned) = ("score,region\n".to_owned(), "score,region,hit\n".to_owned());
    for _ in 0..n {
        let score = random.uniform();
        let region = ["north", "south"][random.below(2) as usize];
        all += &format!("{score},{region}\n");
        if random.uniform() < 0.02 + 0.4 * score * score {
            let hit = if random.uniform() < 0.05 + 0.5 * score * score { "yes" } else { "no" };
            actioned += &format!("{score},{region},{hit}\n");
        }
    }
    Files::new(&all, &actioned)
}

#[test]
fn every_method_finds_the_strike_rate_that_the_actioned_cases_hide() {
    let files = world(12_000, 5);
    let found = files.found(&with_outcome(request("score", CorrectionMethod::All), Some("score")));
    let truth = 0.05 + 0.5 / 3.0;
    assert!(metric(&found.before, "strike_rate") > truth + 0.08);
    assert_eq!(found.methods.len(), 6);
    for method in &found.methods {
        assert_eq!(method.failed, None, "{}", method.method);
        let row = method.side.metrics.iter().find(|row| row.metric == "strike_rate").expect("a rate");
        let (lower, upper) = (row.lower.expect("an interval"), row.upper.expect("an interval"));
        let slack = 0.5 * (upper - lower);
        assert!(lower - slack < truth && truth < upper + slack, "{}: {lower} to {upper}", method.method);
        assert!((row.estimate.expect("a rate") - truth).abs() < 0.05, "{}", method.method);
    }
    let robust = found.methods.iter().find(|method| method.method == "doubly_robust").expect("a method");
    let names: Vec<&str> = robust.side.metrics.iter().map(|row| row.metric.as_str()).collect();
    assert_eq!(names, ["strike_rate", "precision", "sensitivity"]);
    assert!(found.effective_rows < found.data.incidence_rows as f64 && found.after.design_effect > 1.0);
}

#[test]
fn before_is_what_an_evaluation_of_the_incidence_says() {
    let files = world(3000, 9);
    let found = files.found(&with_outcome(request("score", CorrectionMethod::PostStratify), Some("score")));
    let mut columns = crate::ScoreColumns::new("hit", ["score"]);
    columns.positive = Some("yes".into());
    let mut asked = crate::EvaluateRequest::new(columns);
    asked.cutoffs = vec![tribunal_eval::CutoffRule::Score(0.5)];
    let evaluation = crate::evaluate_source(&files.incidence, &asked, &|_| ()).expect("an evaluation");
    for name in ["precision", "sensitivity", "specificity", "pcc", "auroc"] {
        let row = evaluation.metrics.iter().find(|row| row.metric == name).expect(name);
        let own = found.before.metrics.iter().find(|row| row.metric == name).expect(name);
        assert!((row.estimate.expect("a figure") - own.estimate.expect("a figure")).abs() < 1e-12, "{name}");
        let width =
            |row: &crate::MetricRow| row.upper.expect("an interval") - row.lower.expect("an interval");
        assert!((width(row) / width(own) - 1.0).abs() < 0.02, "{name}: {} {}", width(row), width(own));
    }
}

#[test]
fn strata_are_made_of_labels_and_bands_together_and_of_clusters() {
    let files = world(3000, 2);
    let mut asked = with_outcome(request("region,score", CorrectionMethod::PostStratify), None);
    asked.bands = Some(BandsRequest::Edges(vec![0.3, 0.6]));
    let found = files.found(&asked);
    assert_eq!(found.strata.len(), 6);
    assert_eq!(found.strata[0].stratum, "region north, score below 0.3");
    let mut asked = with_outcome(request("score", CorrectionMethod::All), None);
    asked.clusters = Some(ClustersRequest { from: 2, to: 5 });
    let found = files.found(&asked);
    let clusters = found.stratification.clusters.as_ref().expect("clusters");
    assert_eq!(clusters.choice.as_ref().map(|choice| choice.tried.len()), Some(4));
    assert_eq!(found.strata.len() as u64, clusters.n_clusters);
    assert_eq!(found.strata.iter().map(|row| row.prevalence).sum::<u64>(), 3000);
}

#[test]
fn the_same_seed_gives_the_same_bytes_on_any_number_of_threads() {
    let files = world(2000, 3);
    let asked = with_outcome(request("score", CorrectionMethod::All), Some("score"));
    let json = || serde_json::to_string(&files.found(&asked)).expect("JSON") + &files.sample(&asked);
    let on = |n_threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().expect("threads");
        pool.install(json)
    };
    assert_eq!(on(1), on(3));
    let other = CorrectRequest { seed: 2, ..asked.clone() };
    assert_ne!(files.sample(&asked), files.sample(&other));
}

#[test]
fn results_are_read_back() {
    let found =
        base_rate_example().found(&with_outcome(request("kind", CorrectionMethod::All), Some("score")));
    let json = serde_json::to_string(&found).expect("JSON");
    let again: Correction = serde_json::from_str(&json).expect("a correction");
    assert_eq!(serde_json::to_string(&again).expect("JSON"), json);
}
