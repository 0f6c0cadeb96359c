//! The findings of the claims study in full: ten scenarios, all 27 learners. Minutes; `make findings` runs it.

mod findings;

#[test]
fn the_findings_hold() {
    let learners = tribunal::learners_of("all").expect("the learners");
    let learners: Vec<String> = learners.iter().map(ToString::to_string).collect();
    assert_eq!(learners.len(), 27);
    let study = findings::run(&learners.iter().map(String::as_str).collect::<Vec<_>>());
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
