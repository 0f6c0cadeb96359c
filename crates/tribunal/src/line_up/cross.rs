//! Every entrant of a line-up on every split of a plan.
//!
//! Learners of a family share their work where the plan is a cross-validation and nothing is to be tuned; if that fails they
//! are tried one by one, and then split by split, with the same seeds. Commands run one after the other: what they do with
//! all the cores is their affair.

use rayon::prelude::*;
use tribunal_learn::{Dataset, Folds, Learner, Posteriors, cross_posteriors};
use tribunal_random::derive_seed;

use super::attempt::attempt;
use super::entrant::Entrant;
use super::scores::{EntrantScores, LineUpScores, Outcome, SplitScores, TestedRows};
use crate::any_model::AnyModel;
use crate::error::Error;
use crate::outside::OutsideLearner;
use crate::progress::{OnProgress, Progress};
use crate::resampling::{Plan, SplitPlace};
use crate::tuning::{TrainingPart, TuneOptions, Tuned, tune_each};

/// Seeds of a line-up lie apart from those of plans.
const LINE_UP: u64 = 0x006c_696e_6575;
/// A command that fails on the first splits is not started any more.
const PATIENCE: usize = 3;
/// With fewer splits, fitting one of them twice is not cheap.
const CHEAP_SPLITS: usize = 5;
/// So many splits have their settings chosen at a time.
const TUNED_AT_ONCE: usize = 32;

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
        return Err(Error::Usage("there is no target to learn; name its column with --target".into()));
    };
    if plan.n_rows() != dataset.n_rows() {
        let (planned, found) = (plan.n_rows(), dataset.n_rows());
        return Err(Error::Data(format!("the plan divides {planned} rows and the data have {found}")));
    }
    let run = Run { dataset, plan, seed, n_entrants: entrants.len(), on_progress };
    let mut found: Vec<Option<EntrantScores>> = vec![None; entrants.len()];
    for group in groups(entrants, plan) {
        let outcomes = match &group.learners[..] {
            [] => vec![run.alone(&entrants[group.places[0]], group.places[0])],
            learners => run.together(learners, group.places[0]),
        };
        for (&place, scores) in group.places.iter().zip(outcomes) {
            let (outcomes, is_repeatable) = scores;
            found[place] = Some(EntrantScores { entrant: entrants[place].clone(), outcomes, is_repeatable });
        }
    }
    Ok(LineUpScores {
        target: target.name().to_owned(),
        classes: target.classes().to_vec(),
        splits: tested_rows(plan),
        entrants: found.into_iter().flatten().collect(),
    })
}

/// Entrants that are run together.
struct Group {
    places: Vec<usize>,
    /// Learners that may share work; none if there is a single entrant that shares with nobody.
    learners: Vec<Learner>,
}

/// Learners of a family with nothing to tune go together where the plan is a cross-validation.
fn groups(entrants: &[Entrant], plan: &Plan) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (place, entrant) in entrants.iter().enumerate() {
        let settled = match entrant {
            Entrant::BuiltIn(learner) if learner.candidates(plan.n_rows()).is_none() => Some(learner),
            _ => None,
        };
        let Some(learner) = settled.filter(|_| plan.fold_of_row(0).is_some()) else {
            groups.push(Group { places: vec![place], learners: Vec::new() });
            continue;
        };
        let is_related = |group: &&mut Group| {
            group.learners.first().is_some_and(|known| known.family() == learner.family())
        };
        match groups.iter_mut().find(is_related) {
            Some(group) => {
                group.places.push(place);
                group.learners.push(learner.clone());
            }
            None => groups.push(Group { places: vec![place], learners: vec![learner.clone()] }),
        }
    }
    groups
}

/// The test rows of every split.
pub(crate) fn tested_rows(plan: &Plan) -> Vec<TestedRows> {
    let n_repetitions = plan.n_splits().checked_sub(1).map_or(0, |last| plan.place(last).repetition + 1);
    let of_repetition = |repetition: usize| match plan.fold_of_row(repetition) {
        Some(fold_of_row) => rows_of_folds(&fold_of_row),
        None => vec![plan.split(repetition).test],
    };
    let splits = (0..n_repetitions).flat_map(of_repetition).enumerate();
    splits.map(|(split_idx, rows)| TestedRows { place: plan.place(split_idx), rows }).collect()
}

/// The rows of each fold, ascending.
fn rows_of_folds(fold_of_row: &[u32]) -> Vec<Vec<u32>> {
    let n_folds = fold_of_row.iter().max().map_or(0, |&last| last as usize + 1);
    let mut rows = vec![Vec::new(); n_folds];
    fold_of_row.iter().zip(0..).for_each(|(&fold, row)| rows[fold as usize].push(row));
    rows
}

/// The outcomes of an entrant, and whether it is repeatable.
type Outcomes = (Vec<Outcome>, Option<bool>);

/// A line-up at work.
struct Run<'a> {
    dataset: &'a Dataset,
    plan: &'a Plan,
    seed: u64,
    n_entrants: usize,
    on_progress: OnProgress<'a>,
}

impl Run<'_> {
    /// The outcomes of learners that share work, repetition by repetition.
    fn together(&self, learners: &[Learner], place: usize) -> Vec<Outcomes> {
        let mut outcomes: Vec<Vec<Outcome>> = vec![Vec::new(); learners.len()];
        for (repetition, fold_of_row) in (0..).map_while(|r| Some((r, self.plan.fold_of_row(r)?))) {
            self.tell(place, outcomes[0].len());
            let found = self.shared(learners, repetition, &fold_of_row);
            outcomes.iter_mut().zip(found).for_each(|(known, found)| known.extend(found));
        }
        outcomes.into_iter().map(|outcomes| (outcomes, None)).collect()
    }

    /// One repetition of learners that share work: all at once, or one by one, or fold by fold.
    fn shared(&self, learners: &[Learner], repetition: usize, fold_of_row: &[u32]) -> Vec<Vec<Outcome>> {
        let rows: Vec<u32> = (0..fold_of_row.len() as u32).collect();
        let tested = rows_of_folds(fold_of_row);
        let seed = repetition_seed(self.seed, repetition);
        let cross = |learners: &[Learner]| {
            attempt(|| Ok(cross_posteriors(learners, self.dataset, &Folds::new(&rows, fold_of_row)?, seed)?))
        };
        if let Ok(found) = cross(learners) {
            return found.iter().map(|posteriors| by_split(posteriors, &tested)).collect();
        }
        let alone = |learner: &Learner| {
            let found = (learners.len() > 1).then(|| cross(std::slice::from_ref(learner)).ok()).flatten();
            match found.as_deref() {
                Some([posteriors]) => by_split(posteriors, &tested),
                _ => {
                    let first = repetition * tested.len();
                    let splits = (first..first + tested.len()).into_par_iter();
                    splits.map(|split_idx| self.fitted(&learner.clone().into(), split_idx)).collect()
                }
            }
        };
        learners.iter().map(alone).collect()
    }

    /// The outcomes of an entrant that shares work with nobody.
    fn alone(&self, entrant: &Entrant, place: usize) -> Outcomes {
        match entrant {
            Entrant::Outside(learner) => self.of_command(learner, place),
            Entrant::BuiltIn(learner) => {
                let splits: Vec<usize> = (0..self.plan.n_splits()).collect();
                let of_some = |splits: &[usize]| {
                    self.tell(place, splits[0]);
                    self.tuned(learner, splits)
                };
                (splits.chunks(TUNED_AT_ONCE).flat_map(of_some).collect(), None)
            }
        }
    }

    /// The scores of some splits by models whose settings are chosen inside of each training part. If the search fails as
    /// a whole, each split is tried by itself.
    fn tuned(&self, learner: &Learner, splits: &[usize]) -> Vec<Outcome> {
        let part = |&split_idx: &usize| TrainingPart {
            rows: self.plan.split(split_idx).train,
            seed: self.split_seed(split_idx),
        };
        let parts: Vec<TrainingPart> = splits.iter().map(part).collect();
        let found = attempt(|| Ok(tune_each(learner, self.dataset, &parts, &TuneOptions::default())));
        let Ok(found) = found else {
            let entrant = Entrant::BuiltIn(learner.clone());
            return splits.par_iter().map(|&split_idx| self.fitted(&entrant, split_idx)).collect();
        };
        let of_split = |(&split_idx, tuned): (&usize, Result<Tuned, Error>)| {
            let chosen = tuned.map_err(|error| error.to_string())?.learner;
            let mut scores = self.fitted(&Entrant::BuiltIn(chosen.clone()), split_idx)?;
            scores.tuned = (chosen != *learner).then(|| chosen.to_string());
            Ok(scores)
        };
        splits.par_iter().zip(found).map(of_split).collect()
    }

    /// The outcomes of a command, which runs once at a time.
    fn of_command(&self, learner: &OutsideLearner, place: usize) -> Outcomes {
        let entrant = Entrant::Outside(learner.clone());
        let mut outcomes: Vec<Outcome> = Vec::with_capacity(self.plan.n_splits());
        for split_idx in 0..self.plan.n_splits() {
            self.tell(place, split_idx);
            let outcome = match is_hopeless(&outcomes) {
                true => Err(format!("not tried after it failed on the first {PATIENCE} splits")),
                false => self.fitted(&entrant, split_idx),
            };
            outcomes.push(outcome);
        }
        let is_repeatable = self.is_repeatable(&entrant, &outcomes);
        (outcomes, is_repeatable)
    }

    /// Whether an entrant scores the first split that it can score alike when it is fitted again.
    fn is_repeatable(&self, entrant: &Entrant, outcomes: &[Outcome]) -> Option<bool> {
        let first = outcomes.iter().position(Result::is_ok).filter(|_| outcomes.len() >= CHEAP_SPLITS)?;
        Some(self.fitted(entrant, first) == outcomes[first])
    }

    /// The seed of whatever is learned from the training rows of a split.
    fn split_seed(&self, split_idx: usize) -> u64 {
        let SplitPlace { repetition, fold } = self.plan.place(split_idx);
        derive_seed(repetition_seed(self.seed, repetition), &[fold as u64])
    }

    /// The scores of a split by a model of its training rows.
    fn fitted(&self, entrant: &Entrant, split_idx: usize) -> Outcome {
        let seed = self.split_seed(split_idx);
        attempt(|| {
            let split = self.plan.split(split_idx);
            let model = entrant.fit(self.dataset, &split.train, seed)?;
            let posteriors = model.posteriors(self.dataset, &split.test)?;
            let tuned = match (entrant, &model) {
                (Entrant::BuiltIn(asked), AnyModel::Learned(model)) if asked != model.learner() => {
                    Some(model.learner().to_string())
                }
                _ => None,
            };
            Ok(SplitScores { posteriors, tuned })
        })
    }

    fn tell(&self, place: usize, n_done: usize) {
        (self.on_progress)(Progress::Crossing {
            entrant: place as u64 + 1,
            entrants: self.n_entrants as u64,
            done: n_done as u64,
            total: self.plan.n_splits() as u64,
        });
    }
}

/// The seed of a repetition; that of a fold is derived from it as [`cross_posteriors`] does.
fn repetition_seed(seed: u64, repetition: usize) -> u64 {
    derive_seed(seed, &[LINE_UP, repetition as u64])
}

/// Whether an entrant failed on all of the first splits.
fn is_hopeless(outcomes: &[Outcome]) -> bool {
    outcomes.get(..PATIENCE).is_some_and(|first| first.iter().all(Result::is_err))
}

/// The scores of all rows, dealt out to the folds that test them.
fn by_split(posteriors: &Posteriors, tested: &[Vec<u32>]) -> Vec<Outcome> {
    let of_fold = |rows: &Vec<u32>| Ok(SplitScores { posteriors: posteriors.take(rows), tuned: None });
    tested.iter().map(of_fold).collect()
}

#[cfg(test)]
mod tests {
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
            let run = Run { dataset: &claims, plan: &plan, seed: 9, n_entrants: 1, on_progress: &|_| () };
            for entrant in &all.entrants {
                let alone = crossed(std::slice::from_ref(&entrant.entrant), &claims, &plan);
                assert_eq!(alone.entrants[0], *entrant, "{design}");
                for (split_idx, (outcome, tested)) in entrant.outcomes.iter().zip(&all.splits).enumerate() {
                    assert_eq!(run.fitted(&entrant.entrant, split_idx), *outcome, "{design} {split_idx}");
                    assert_eq!(tested.rows, plan.split(split_idx).test, "{design}");
                    let found = outcome.as_ref().expect("scores");
                    assert_eq!(found.posteriors.n_rows(), tested.rows.len());
                }
            }
        }
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
