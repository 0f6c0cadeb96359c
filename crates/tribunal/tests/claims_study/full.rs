//! The findings of the claims study in full: ten scenarios, all 27 learners. Minutes; `make findings` runs it.

mod findings;

#[test]
fn the_findings_hold() {
    let study = findings::run(&["all"]);
    assert_eq!((study.learners.len(), study.scenarios.len()), (27, 10));
    findings::more_predictors_help_every_family(&study);
    assert!(study.additions.iter().filter(|of| of.metric == "auroc").all(|of| of.p < 0.05));
    findings::simple_learners_are_at_the_top_and_trees_are_not(&study);
    findings::smoothing_helps_tan(&study);
    findings::rare_targets_hardly_beat_the_majority(&study);
    for summary in &study.summaries {
        for family in &summary.r_family {
            println!("{}: {} {}", summary.metric, family.family, family.ratio);
        }
    }
}
