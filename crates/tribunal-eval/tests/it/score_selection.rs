//! Selections by a score beside scikit-learn on the rows themselves.
//!
//! `reference/make_score_selection_reference.py` wrote `reference/score_selection.json`, with versions.

use serde_json::Value as Json;
use tribunal_eval::score_selection::{ScoreSelection, SelectionCut, SelectionFigure};
use tribunal_eval::{CutoffRule, Ranking, ScoreBands, ScoredSet};

fn reference() -> Json {
    serde_json::from_str(include_str!("../reference/score_selection.json")).expect("JSON")
}

fn numbers(json: &Json) -> Vec<f64> {
    json.as_array().expect("a list").iter().map(|value| value.as_f64().expect("a number")).collect()
}

fn ranking(case: &Json) -> Ranking {
    let truth: Vec<bool> = numbers(&case["truth"]).iter().map(|&y| y == 1.0).collect();
    let (score, weight) = (numbers(&case["score"]), numbers(&case["weight"]));
    let set = ScoredSet::new(&truth, &score).and_then(|set| set.with_weight(&weight)).expect("valid rows");
    Ranking::of(&set).expect("few rows")
}

#[test]
fn figures_of_all_cases_and_of_a_selection_are_those_of_scikit_learn() {
    let reference = reference();
    let mut n_compared = 0;
    for case in reference["cases"].as_array().expect("cases") {
        let whole = ranking(case);
        let mut cut = SelectionCut::at(&whole, 0.5).expect("a share");
        // Exactly the share of the reference, however few rows change sides.
        cut.share = case["share"].as_f64().expect("a share");
        let selection = ScoreSelection {
            whole: &whole,
            cuts: vec![cut],
            bands: ScoreBands::from_edges(&numbers(&reference["edges"])).expect("rising edges"),
            cutoff: CutoffRule::Score(reference["cutoff"].as_f64().expect("a score")).find(&whole),
        };
        let found = selection.read(&whole);
        for (place, figure) in SelectionFigure::ALL.iter().enumerate() {
            let contrast = found.actioned[0].contrast(*figure);
            let of_bands = &case["same_bands"][figure.id()];
            let of_all = if of_bands.is_null() { &case["all"][figure.id()] } else { of_bands };
            for (value, expected) in [
                (&found.all[place], &case["all"][figure.id()]),
                (&contrast.value, &case["selected"][figure.id()]),
                (&contrast.reference, of_all),
            ] {
                let Some(expected) = expected.as_f64() else { continue };
                let value = value.as_ref().expect("defined");
                assert!(
                    (value - expected).abs() < 1e-9,
                    "{} {}: {value}, expected {expected}",
                    case["name"],
                    figure.id()
                );
                n_compared += 1;
            }
        }
    }
    // Five lists with eleven figures of all cases, eleven of the selection, and thirteen that these are compared with.
    assert_eq!(n_compared, 5 * (11 + 11 + 13));
}
