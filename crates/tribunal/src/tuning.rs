//! Choosing settings by cross-validation inside the training rows.
//!
//! It needs a learner and a metric, and this is the crate that knows both. All candidates meet the same inner folds, and the
//! work that they share is done once.

use tribunal_eval::metrics::auroc;
use tribunal_eval::{Ranking, ScoredSet};
use tribunal_learn::{Dataset, Folds, Learner, Posteriors, Target, cross_posteriors};

use crate::error::Error;
use crate::resampling::{InnerPlan, LabelColumn};

/// The candidate of a learner with the greatest mean AUROC over ten inner folds that share classes alike; the first of
/// equals. A learner with nothing to tune is returned as it is. With more than two classes the AUROC is the mean over the
/// classes, each against all others.
///
/// ```
/// use tribunal::claims::{ClaimsRequest, TARGETS, generate};
/// use tribunal::tune;
///
/// let claims = generate(&ClaimsRequest { rows: 300, seed: 1 })?.dataset(&TARGETS[1])?;
/// let rows: Vec<u32> = (0..300).collect();
/// let learner = tune(&"c45:curtailed".parse()?, &claims, &rows, 42)?;
/// assert!(learner.to_string().starts_with("c45:curtailed,k="));
/// # Ok::<(), tribunal::Error>(())
/// ```
///
/// # Errors
/// There is no target, or a candidate cannot learn from the rows.
pub fn tune(learner: &Learner, dataset: &Dataset, rows: &[u32], seed: u64) -> Result<Learner, Error> {
    let Some(candidates) = learner.candidates(rows.len()) else { return Ok(learner.clone()) };
    let [first, _, ..] = &candidates[..] else {
        return Ok(candidates.into_iter().next().unwrap_or_else(|| learner.clone()));
    };
    let Some(target) = dataset.target().filter(|_| rows.len() > 1) else { return Ok(first.clone()) };
    let inner = InnerPlan::of(rows.to_vec(), Some(&LabelColumn::of_target(target)), seed)?;
    let Some(fold_of_row) = inner.plan().fold_of_row(0) else { return Ok(first.clone()) };
    let folds = Folds::new(inner.rows(), &fold_of_row)?;
    let found = cross_posteriors(&candidates, dataset, &folds, seed)?;
    let mut best: Option<(f64, &Learner)> = None;
    for (candidate, posteriors) in candidates.iter().zip(&found) {
        let mean = mean_auroc(posteriors, &inner, target);
        if best.is_none_or(|(known, _)| mean > known) {
            best = Some((mean, candidate));
        }
    }
    Ok(best.map_or_else(|| first.clone(), |(_, candidate)| candidate.clone()))
}

/// The mean over inner folds; folds that lack a class have no say.
fn mean_auroc(posteriors: &Posteriors, inner: &InnerPlan, target: &Target) -> f64 {
    let splits: Vec<f64> = inner
        .plan()
        .splits()
        .filter_map(|split| auroc_of(posteriors, &split.test, inner.rows(), target))
        .collect();
    splits.iter().sum::<f64>() / splits.len() as f64
}

/// The AUROC of some rows of an inner plan, by their position in it.
fn auroc_of(posteriors: &Posteriors, positions: &[u32], rows: &[u32], target: &Target) -> Option<f64> {
    let of_class = |class: usize| {
        let scores: Vec<f64> =
            positions.iter().map(|&position| posteriors.row(position as usize)[class]).collect();
        let is_class = |&position: &u32| target.codes()[rows[position as usize] as usize] as usize == class;
        let truth: Vec<bool> = positions.iter().map(is_class).collect();
        let ranking = Ranking::of(&ScoredSet::new(&truth, &scores).ok()?).ok()?;
        auroc(&ranking).ok()
    };
    let classes = if posteriors.n_classes() == 2 { 1..2 } else { 0..posteriors.n_classes() };
    let found: Vec<f64> = classes.filter_map(of_class).collect();
    (!found.is_empty()).then(|| found.iter().sum::<f64>() / found.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::{ClaimsRequest, TARGETS, generate};

    #[test]
    fn the_best_candidate_is_the_one_that_ranks_best_inside() {
        let claims =
            generate(&ClaimsRequest { rows: 600, seed: 3 }).and_then(|claims| claims.dataset(&TARGETS[1]));
        let claims = claims.expect("claims");
        let rows: Vec<u32> = (0..500).collect();
        let learner: Learner = "c45:curtailed".parse().expect("a learner");
        let chosen = tune(&learner, &claims, &rows, 7).expect("a candidate");

        // By hand: every candidate fitted for every inner fold.
        let target = claims.target().expect("a target");
        let inner = InnerPlan::of(rows.clone(), Some(&LabelColumn::of_target(target)), 7).expect("a plan");
        let mean = |candidate: &Learner| {
            let of_split = |split: crate::resampling::Split| {
                let model = candidate.fit(&claims, &split.train, 0).expect("a model");
                let scores = model.posteriors(&claims, &split.test).expect("scores").scores();
                let truth: Vec<bool> =
                    split.test.iter().map(|&row| target.codes()[row as usize] == 1).collect();
                let ranking =
                    Ranking::of(&ScoredSet::new(&truth, &scores).expect("a set")).expect("a ranking");
                auroc(&ranking).expect("both classes")
            };
            (0..inner.n_splits()).map(|idx| of_split(inner.split(idx))).sum::<f64>()
        };
        let candidates = learner.candidates(rows.len()).expect("candidates");
        let means: Vec<f64> = candidates.iter().map(mean).collect();
        let best = means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let expected = means.iter().position(|&mean| mean >= best - 1e-12).expect("a best one");
        assert_eq!(chosen, candidates[expected]);
        // A test that could not tell candidates apart would prove nothing.
        assert!(means.iter().any(|&mean| mean < best - 0.01));
    }

    #[test]
    fn what_is_settled_stays_and_one_candidate_needs_no_choice() {
        let claims =
            generate(&ClaimsRequest { rows: 50, seed: 3 }).and_then(|claims| claims.dataset(&TARGETS[1]));
        let claims = claims.expect("claims");
        let check = |learner: &str, n_rows: u32, expected: &str| {
            let rows: Vec<u32> = (0..n_rows).map(|row| row % 50).collect();
            let tuned = tune(&learner.parse().expect("a learner"), &claims, &rows, 1).expect("tuned");
            assert_eq!(tuned.to_string(), expected);
        };
        check("nb:5", 50, "nb:5");
        check("c45:curtailed,k=auto", 10_000, "c45:curtailed,k=200");
        check("c45:curtailed", 1, "c45:curtailed,k=5");
    }
}
