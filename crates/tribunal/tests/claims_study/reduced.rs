//! The findings of the claims study on ten scenarios, with the learners that are quick to train.

mod findings;

#[test]
fn the_findings_hold_for_quick_learners() {
    let words = ["majority", "logit", "c45", "c45:unpruned", "all-knn", "lssvm:linear", "all-nb", "all-tan"];
    let study = findings::run(&words);
    findings::more_predictors_help_every_family(&study);
    findings::simple_learners_are_at_the_top_and_trees_are_not(&study);
    findings::smoothing_helps_tan(&study);
    findings::rare_targets_hardly_beat_the_majority(&study);
}
