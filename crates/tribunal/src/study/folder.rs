//! What a run of a study is a run of: whatever the scores of its learners depend on, and what is asked of them.

use std::collections::BTreeMap;

use super::request::StudyRequest;
use crate::run_folder::RunDescription;

/// The version of `run.json` and of the journal of a study.
const SCHEMA: &str = "tribunal.run/3";

/// What a study's run is a run of.
pub(super) fn run_of(
    request: &StudyRequest,
    sha256: &str,
    sizes: impl Iterator<Item = u64>,
) -> RunDescription {
    RunDescription::new(SCHEMA, (sha256, sizes), scored(request), asked_of_scores(request))
}

/// What the scores of learners depend on, in words. Settings are tuned by the metric of their learner, never by the one
/// that the verdict goes by.
fn scored(request: &StudyRequest) -> BTreeMap<String, String> {
    let target = |target: &crate::data::TargetRequest| match &target.positive {
        Some(rule) => format!("{} is {}", apart(&target.name), apart(&rule.to_string())),
        None => apart(&target.name),
    };
    let targets: Vec<String> = request.data.targets.iter().map(target).collect();
    let schema = serde_json::to_string(&request.data.schema).unwrap_or_default();
    [
        ("the targets", targets.join("; ")),
        ("the predictors", listed(&request.predictors)),
        ("the learners", listed(&request.entrants)),
        ("the protocol", request.protocol.to_string()),
        ("the design", request.design.to_string()),
        ("the other designs", listed(&request.others)),
        ("the group", request.group.clone().unwrap_or_default()),
        ("the seed", request.seed.to_string()),
        ("what is declared about columns", schema),
    ]
    .map(|(key, value)| (key.to_owned(), value))
    .into()
}

/// What is asked of held-out scores, in words.
fn asked_of_scores(request: &StudyRequest) -> BTreeMap<String, String> {
    let decision = &request.decision;
    let outcomes = decision.outcomes.as_ref().map(|outcomes| listed(&outcomes.cells()));
    [
        ("the title", request.title.clone()),
        ("the metrics", listed(&request.metrics)),
        ("what decides", decision.decide_by.map_or_else(String::new, |by| by.to_string())),
        ("the capacity", decision.capacity.map_or_else(String::new, |capacity| capacity.to_string())),
        ("the rule", decision.rule.map_or_else(String::new, |rule| rule.to_string())),
        ("what outcomes bring in", outcomes.unwrap_or_default()),
        ("the amount", request.amount.clone().unwrap_or_default()),
        ("the learner of amounts", request.amount_learner.to_string()),
        ("the preferences", listed(&request.prefer)),
        ("the level", request.level.get().to_string()),
    ]
    .map(|(key, value)| (key.to_owned(), value))
    .into()
}

fn listed<T: ToString>(items: &[T]) -> String {
    items.iter().map(|item| apart(&item.to_string())).collect::<Vec<_>>().join("; ")
}

/// An item of a list; in quotes where it could be taken for several, or for one with a rule.
fn apart(item: &str) -> String {
    let is_plain = !item.is_empty() && !item.contains(['"', ';']) && !item.contains(" is ");
    if is_plain { item.to_owned() } else { format!("{item:?}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_other_names_are_other_lists() {
        let words = |names: &[&str], positive: Option<&str>| {
            let mut request = StudyRequest::new("x", vec!["nb".parse().expect("a learner")]);
            let target = |name: &&str| crate::data::TargetRequest {
                name: (*name).to_owned(),
                positive: positive.map(|rule| rule.parse().expect("a rule")),
            };
            request.data.targets = names.iter().map(target).collect();
            scored(&request)["the targets"].clone()
        };
        assert_eq!(words(&["a", "b"], None), "a; b");
        assert_ne!(words(&["a; b"], None), words(&["a", "b"], None));
        assert_ne!(words(&["a is b"], None), words(&["a"], Some("b")));
        assert_ne!(words(&["a is b"], Some("c")), words(&["a"], Some("b is c")));
    }
}
