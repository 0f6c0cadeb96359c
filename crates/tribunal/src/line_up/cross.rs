//! Every entrant of a line-up on every split of a plan.

use tribunal_learn::Dataset;

use super::entrant::Entrant;
use super::scores::{EntrantScores, LineUpScores};
use super::trial::{Trial, tested_rows};
use super::trials::{Found, cross_validate_trials};
use crate::error::Error;
use crate::message::{Message, Setting};
use crate::progress::OnProgress;
use crate::resampling::Plan;

/// Has each entrant score the test rows of every split of a plan, by a model of the training rows alone. Settings that
/// are left open are tuned inside each training part.
///
/// An entrant that fails on a split has the reason recorded in place of scores; the others go on.
///
/// ```
/// use tribunal::claims::{ClaimsRequest, TARGETS, generate};
/// use tribunal::resampling::{LabelColumn, Plan, Rows};
/// use tribunal::{Entrant, cross_validate};
///
/// let claims = generate(&ClaimsRequest { rows: 200, seed: 1 })?.dataset(&TARGETS[1])?;
/// let classes = LabelColumn::of_target(claims.target().expect("a target"));
/// let plan = Plan::new(&"cv:5".parse()?, &Rows::of_classes(&classes), 1)?;
/// let entrants: Vec<Entrant> = vec!["nb:5".parse()?, "outside:no-such-command".parse()?];
/// let scores = cross_validate(&entrants, &claims, &plan, 1, &|_progress| ())?;
/// assert!(scores.entrants[0].outcomes.iter().all(Result::is_ok));
/// assert!(scores.entrants[1].outcomes[0].as_ref().unwrap_err().contains("there is no command"));
/// # Ok::<(), tribunal::Error>(())
/// ```
///
/// # Errors
/// There is no target, or the plan is one of other rows.
pub fn cross_validate(
    entrants: &[Entrant],
    dataset: &Dataset,
    plan: &Plan,
    seed: u64,
    on_progress: OnProgress<'_>,
) -> Result<LineUpScores, Error> {
    let Some(target) = dataset.target() else {
        return Err(Error::usage(
            Message::from("there is no target to learn; name its column with ").setting(Setting::Target),
        ));
    };
    let nothing = |entrant: &Entrant| EntrantScores {
        entrant: entrant.clone(),
        outcomes: Vec::new(),
        is_repeatable: None,
    };
    let mut scores: Vec<EntrantScores> = entrants.iter().map(nothing).collect();
    let mut take_in = |found: Found| {
        let known = &mut scores[found.entrant];
        known.outcomes.extend(found.outcomes);
        known.is_repeatable = found.is_repeatable;
        Ok(())
    };
    let trials = [Trial::new(target, plan)];
    cross_validate_trials(entrants, dataset, &trials, seed, &|_, _| true, &mut take_in, on_progress)?;
    Ok(LineUpScores {
        target: target.name().to_owned(),
        classes: target.classes().to_vec(),
        splits: tested_rows(plan),
        entrants: scores,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::scores::Outcome;
    use super::super::trial::Bench;
    use super::*;
    use crate::claims::{ClaimsRequest, TARGETS, generate};
    use crate::outside::testing::{SHARE, Script, claims as small_claims};
    use crate::resampling::{Design, LabelColumn, Rows};

    fn claims(rows: u32) -> Dataset {
        let claims = generate(&ClaimsRequest { rows: u64::from(rows), seed: 3 });
        claims.and_then(|claims| claims.dataset(&TARGETS[1])).expect("claims")
    }

    fn plan(design: &str, dataset: &Dataset) -> Plan {
        let design: Design = design.parse().expect(design);
        let classes = LabelColumn::of_target(dataset.target().expect("a target"));
        Plan::new(&design, &Rows::of_classes(&classes), 5).expect("a plan")
    }

    fn entrants(texts: &[&str]) -> Vec<Entrant> {
        texts.iter().map(|text| text.parse().expect(text)).collect()
    }

    fn crossed(entrants: &[Entrant], dataset: &Dataset, plan: &Plan) -> LineUpScores {
        cross_validate(entrants, dataset, plan, 9, &|_| ()).expect("scores")
    }

    #[test]
    fn shared_work_and_the_company_change_no_score() {
        let claims = claims(150);
        let line_up = entrants(&["nb:5", "c45", "nb:25", "bag:3", "c45:unpruned", "tan:5+platt"]);
        for design in ["cv:4x2", "holdout:0.6x2", "loo"] {
            let is_loo = design == "loo";
            let (line_up, claims) = if is_loo {
                (&line_up[..2], claims.take(&(0..30).collect::<Vec<_>>()))
            } else {
                (&line_up[..], claims.clone())
            };
            let plan = plan(design, &claims);
            let all = crossed(line_up, &claims, &plan);
            assert_eq!(all.splits.len(), plan.n_splits());
            let target = claims.target().expect("a target");
            let bench = Bench::new(&claims, Trial::new(target, &plan), 9).expect("a bench");
            for entrant in &all.entrants {
                let alone = crossed(std::slice::from_ref(&entrant.entrant), &claims, &plan);
                assert_eq!(alone.entrants[0], *entrant, "{design}");
                for (split_idx, (outcome, tested)) in entrant.outcomes.iter().zip(&all.splits).enumerate() {
                    assert_eq!(bench.fitted(&entrant.entrant, split_idx), *outcome, "{design} {split_idx}");
                    assert_eq!(tested.rows, plan.split(split_idx).test, "{design}");
                    let found = outcome.as_ref().expect("scores");
                    assert_eq!(found.posteriors.n_rows(), tested.rows.len());
                }
            }
        }
    }

    /// What entrants say of trials, those of an entrant and a trial put together.
    fn tried(
        entrants: &[Entrant],
        dataset: &Dataset,
        trials: &[Trial<'_>],
        is_wanted: &(dyn Fn(usize, usize) -> bool + Sync),
    ) -> BTreeMap<(usize, String), Vec<Outcome>> {
        let mut all: BTreeMap<(usize, String), Vec<Outcome>> = BTreeMap::new();
        let mut take_in = |found: Found| {
            let known = all.entry((found.trial, entrants[found.entrant].to_string())).or_default();
            assert_eq!(known.len(), found.splits.start, "splits come in their order");
            assert_eq!(found.outcomes.len(), found.splits.len());
            known.extend(found.outcomes);
            Ok(())
        };
        cross_validate_trials(entrants, dataset, trials, 9, is_wanted, &mut take_in, &|_| ())
            .expect("scores");
        all
    }

    #[test]
    fn trials_beside_each_other_change_no_score() {
        let claims = generate(&ClaimsRequest { rows: 120, seed: 3 }).expect("claims");
        let data: Vec<Dataset> =
            TARGETS[..4].iter().map(|target| claims.dataset(target).expect("a target")).collect();
        let designs = ["cv:4x2", "cv:3", "holdout:0.6x2", "cv:4x2"];
        let plans: Vec<Plan> = data.iter().zip(designs).map(|(data, design)| plan(design, data)).collect();
        let trial = |(data, plan): (_, _)| {
            let data: &Dataset = data;
            Trial::new(data.target().expect("a target"), plan)
        };
        let trials: Vec<Trial<'_>> = data.iter().zip(&plans).map(trial).collect();
        let line_up = entrants(&[
            "lssvm:linear,paper",
            "lssvm:rbf,gamma={1,10},spread={5,10},paper",
            "lssvm:rbf,gamma=1,spread=5,paper",
            "lssvm:linear,gamma=1,paper",
            "lssvm:linear",
            "knn:5,paper",
            "knn:{1,10},paper",
            "knn:5,paper+platt",
            "c45:curtailed",
            "nb:5",
            "nb:{5,25}",
        ]);
        let all = tried(&line_up, &data[3], &trials, &|_, _| true);
        assert_eq!(all.len(), trials.len() * line_up.len());
        for (idx, (data, plan)) in data.iter().zip(&plans).enumerate() {
            for entrant in crossed(&line_up, data, plan).entrants {
                let name = entrant.entrant.to_string();
                assert_eq!(all[&(idx, name.clone())], entrant.outcomes, "{name} {idx}");
                assert!(entrant.outcomes.iter().all(Result::is_ok), "{name}");
            }
        }
        // Neither do those that nobody wants.
        let is_wanted = |trial: usize, entrant: usize| !(trial + entrant).is_multiple_of(3);
        let some = tried(&line_up, &data[1], &trials, &is_wanted);
        assert_eq!(some.len(), (0..44).filter(|idx| is_wanted(idx / 11, idx % 11)).count());
        some.iter().for_each(|(key, outcomes)| assert_eq!(&all[key], outcomes, "{key:?}"));
        assert!(all.values().flatten().flatten().any(|scores| scores.at_edge), "some choices lie on an edge");
        assert!(all.values().flatten().flatten().any(|scores| scores.tuned.is_some() && !scores.at_edge));
    }

    #[test]
    fn whoever_takes_what_is_found_can_end_the_run() {
        let claims = claims(60);
        let plan = plan("cv:3", &claims);
        let trials = [Trial::new(claims.target().expect("a target"), &plan)];
        let mut n_found = 0;
        let mut refuse = |_found: Found| {
            n_found += 1;
            Err(Error::data("the disk is full"))
        };
        let line_up = entrants(&["nb:5", "c45", "tan"]);
        let ended = cross_validate_trials(&line_up, &claims, &trials, 1, &|_, _| true, &mut refuse, &|_| ());
        assert_eq!(ended.expect_err("an end").to_string(), "the disk is full");
        assert_eq!(n_found, 1);
    }

    #[test]
    fn open_settings_are_tuned_inside_each_training_part() {
        let claims = claims(200);
        let plan = plan("cv:2", &claims);
        let all = crossed(&entrants(&["c45:curtailed", "c45"]), &claims, &plan);
        for outcome in &all.entrants[0].outcomes {
            let tuned = outcome.as_ref().expect("scores").tuned.as_deref().expect("settings");
            assert!(tuned.starts_with("c45:curtailed,k="), "{tuned}");
        }
        assert!(
            all.entrants[1]
                .outcomes
                .iter()
                .all(|outcome| outcome.as_ref().is_ok_and(|found| found.tuned.is_none()))
        );
    }

    #[test]
    fn a_learner_that_fails_on_a_fold_keeps_the_others_of_its_family() {
        // All weight lies in fold 0, so nothing is left to learn from where it is tested.
        let data = small_claims(12).with_weights((0..12).map(|row| f64::from(u8::from(row < 6))).collect());
        let data = data.expect("weights");
        let fold = LabelColumn::of("fold", (0..12).map(|row| (row / 6).to_string()));
        let plan = Plan::new(&"folds:fold".parse().expect("a design"), &Rows::new(12).with_column(&fold), 1);
        let all = crossed(
            &entrants(&["c45", "c45:unpruned", "majority", "nb", "nb:5", "tan"]),
            &data,
            &plan.expect("a plan"),
        );
        for entrant in &all.entrants {
            assert!(entrant.outcomes[0].is_err() && entrant.outcomes[1].is_ok(), "{entrant:?}");
        }
    }

    #[test]
    fn a_line_up_survives_every_kind_of_command() {
        let scoring = |rest: &str| format!("if [ $1 = fit ]; then echo m > $3; exit; fi\n{rest}");
        let fickle = "{ echo score; awk -v s=$$ 'BEGIN { srand(s) } NR > 1 { print rand() }' $3; } > $4";
        let scripts = [
            Script::new(SHARE),
            Script::new("exit 3"),
            Script::new("sleep 60"),
            Script::new(&scoring("printf 'score\\n0.5\\n' > $4")),
            Script::new(&scoring("{ echo score; awk 'NR > 1 { print \"NaN\" }' $3; } > $4")),
            Script::new(&scoring(fickle)),
            Script::new(&format!("head -c 100000 /dev/zero; sleep 100 &\n{SHARE}")),
            // It fails on the second of five folds only.
            Script::new(&format!(
                "n=$(dirname $0)/n; if [ $1 = fit ]; then echo >> $n; [ $(wc -l < $n) = 2 ] && exit 7; fi\n{SHARE}"
            )),
        ];
        let mut line_up: Vec<Entrant> =
            scripts.iter().map(|script| script.learner_with("[timeout=1]").into()).collect();
        line_up.extend(entrants(&["nb:5", "outside:no-such-command-here"]));
        let claims = small_claims(20);
        let plan = plan("cv:5", &claims);
        let all = crossed(&line_up, &claims, &plan);
        let n_scored =
            |place: usize| all.entrants[place].outcomes.iter().filter(|outcome| outcome.is_ok()).count();
        assert_eq!((0..10).map(n_scored).collect::<Vec<_>>(), [5, 0, 0, 0, 0, 5, 5, 4, 5, 0]);
        let says = |place: usize, split: usize, words: &str| {
            let reason = all.entrants[place].outcomes[split].as_ref().expect_err(words);
            assert!(reason.contains(words), "{reason}");
        };
        says(1, 0, "exit code 3");
        says(1, 3, "not tried after it failed on the first 3 splits");
        says(2, 0, "longer than 1 seconds");
        says(3, 0, "too few scores: 1 for 4 rows");
        says(4, 0, "row 1: NaN is not a finite number");
        says(7, 1, "exit code 7");
        says(9, 0, "there is no command");
        let repeatable: Vec<Option<bool>> =
            all.entrants.iter().map(|entrant| entrant.is_repeatable).collect();
        let (yes, no) = (Some(true), Some(false));
        assert_eq!(repeatable, [yes, None, None, None, None, no, yes, yes, None, None]);
    }

    #[test]
    fn other_rows_than_those_of_the_plan_are_refused() {
        let claims = small_claims(20);
        let error = cross_validate(&[], &claims.take(&[0, 1, 2]), &plan("cv:2", &claims), 1, &|_| ());
        assert!(error.expect_err("other rows").to_string().contains("20 rows and the data have 3"));
    }
}
