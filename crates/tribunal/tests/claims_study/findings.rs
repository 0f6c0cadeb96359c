//! What Viaene, Derrig, Baesens and Dedene (2002) found, asked of a study of synthetic claims.

use std::path::Path;

use tribunal::{Entrant, FinishedStudy, Protocol, Source, Study, StudyRequest, TargetRequest, learners_of};

/// The target encodings.
pub(crate) const TARGETS: [&str; 5] = ["1+", "4+", "7+", "vnl", "vop"];

/// The ten scenarios of the paper with the learners that some words name.
pub(crate) fn run(words: &[&str]) -> Study {
    let folder = tempfile::tempdir().expect("a folder");
    tribunal::write_claims_study(folder.path(), 7, true).expect("claims");
    let entrants: Vec<Entrant> = words.iter().flat_map(|word| learners_of(word).expect(word)).collect();
    let mut request = StudyRequest::new("claims", entrants);
    request.data.schema = tribunal::claims_schema();
    request.data.targets =
        TARGETS.map(|name| TargetRequest { name: name.to_owned(), positive: None }).to_vec();
    request.predictors = vec!["indicator".into(), "extended".into()];
    request.protocol = Protocol::Paper;
    let path: &Path = &folder.path().join("claims.csv");
    let source = Source::open(&[path.to_string_lossy()]).expect("claims");
    let FinishedStudy { study, .. } =
        tribunal::run_study(&source, &request, None, &|_progress| ()).expect("a study");
    study
}

/// The mean of a learner in a scenario.
pub(crate) fn mean(study: &Study, scenario: &str, learner: &str, metric: &str) -> f64 {
    let is_it = |row: &&tribunal::StudyFigure| {
        row.scenario == scenario
            && row.row.model == learner
            && row.row.metric == metric
            && row.row.scope.is_all()
    };
    let row = study.figures.iter().find(is_it).unwrap_or_else(|| panic!("{learner} in {scenario}"));
    row.row.estimate.unwrap_or_else(|| panic!("{learner} in {scenario} has no {metric}"))
}

/// In how many of the scenarios with all predictors one of some learners is in the top group by AUROC.
pub(crate) fn top_on_all(study: &Study, learners: &[&str]) -> usize {
    let is_top = |target: &&&str| {
        let scenario = format!("{target} extended");
        let tests =
            study.tests.iter().find(|tests| tests.scenario == scenario && tests.tests.metric == "auroc");
        let top = &tests.expect("tests").top[0].learners;
        learners.iter().any(|learner| top.iter().any(|member| member == learner))
    };
    TARGETS.iter().filter(is_top).count()
}

/// Non-flag predictors raise the AUROC of every family, over the five encodings together. Of a single one they do not for
/// TAN with rare positives: 7+ has 123 of them, and tables for pairs of columns with up to nine bins are mostly empty then; for
/// vop the same holds of tables that are not smoothed.
pub(crate) fn more_predictors_help_every_family(study: &Study) {
    let of_auroc: Vec<&tribunal::Addition> =
        study.additions.iter().filter(|addition| addition.metric == "auroc").collect();
    assert_eq!(of_auroc.len(), TARGETS.len());
    for family in &of_auroc[0].families {
        let gains: Vec<f64> = of_auroc
            .iter()
            .flat_map(|addition| addition.families.iter().filter(|of| of.family == family.family))
            .map(|of| of.gain)
            .collect();
        println!("{}: {gains:.4?}", family.family);
        assert!(gains.iter().sum::<f64>() > 0.0, "{} does not gain: {gains:?}", family.family);
    }
    for addition in of_auroc {
        println!(
            "{}: {:.4}, {} of {}, p {}",
            addition.target, addition.gain, addition.better, addition.n, addition.p
        );
        assert!(addition.gain > 0.0, "{addition:?}");
    }
}

/// Smoothing helps TAN.
pub(crate) fn smoothing_helps_tan(study: &Study) {
    for smoothed in ["tan:5", "tan:25", "tan:50"] {
        let gain = |scenario: &tribunal::StudyScenario| {
            mean(study, &scenario.name, smoothed, "auroc") - mean(study, &scenario.name, "tan", "auroc")
        };
        let gains: Vec<f64> = study.scenarios.iter().map(gain).collect();
        println!("{smoothed}: {gains:.4?}");
        let n_better = gains.iter().filter(|gain| **gain > 0.0).count();
        assert!(n_better >= 8, "{smoothed} is better in {n_better} of 10 scenarios: {gains:?}");
    }
}

/// For the rare targets no share of right predictions is shown to be better than that of the larger class; for the others it
/// is, and by more.
pub(crate) fn rare_targets_hardly_beat_the_majority(study: &Study) {
    let gain = |scenario: &tribunal::StudyScenario| {
        let learners = study.learners.iter().filter(|learner| !learner.trivial);
        let all = learners.map(|learner| mean(study, &scenario.name, &learner.learner, "pcc"));
        100.0 * (all.fold(f64::NEG_INFINITY, f64::max) - scenario.majority)
    };
    let is_rare = |scenario: &&tribunal::StudyScenario| ["7+", "vop"].contains(&scenario.target.as_str());
    let (rare, others): (Vec<_>, Vec<_>) = study.scenarios.iter().partition(is_rare);
    let most = rare.iter().copied().map(gain).fold(f64::NEG_INFINITY, f64::max);
    for scenario in rare.into_iter().chain(others) {
        let is_told = study.warnings.iter().any(|told| {
            let is_it = matches!(told.warning, tribunal::Warning::NoBetterThanMajority { .. });
            is_it && told.scenario.as_ref() == Some(&scenario.name)
        });
        println!("{}: {:.2} points above the majority", scenario.name, gain(scenario));
        assert_eq!(is_told, is_rare(&scenario), "{}: {:?}", scenario.name, study.warnings);
        assert!(is_rare(&scenario) || gain(scenario) > most, "{} gains {}", scenario.name, gain(scenario));
    }
}

/// Simple learners are at the top on all predictors in most scenarios, and trees are not.
pub(crate) fn simple_learners_are_at_the_top_and_trees_are_not(study: &Study) {
    let check = |learners: &[&str], is_fine: &dyn Fn(usize) -> bool| {
        let n_top = top_on_all(study, learners);
        println!("{learners:?}: in the top group of {n_top} of 5");
        assert!(is_fine(n_top), "{learners:?} is in the top group of {n_top} of 5 scenarios");
    };
    check(&["logit"], &|n_top| n_top >= 3);
    check(&["lssvm:linear"], &|n_top| n_top >= 3);
    check(&["nb:5", "nb:25", "nb:50"], &|n_top| n_top >= 3);
    check(&["c45", "c45:unpruned", "c45:curtailed"], &|n_top| n_top == 0);
}
