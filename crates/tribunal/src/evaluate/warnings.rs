//! What a careful statistician would say before the figures are used.

use tribunal_eval::curves::BestProfit;
use tribunal_eval::{Cutoff, CutoffRule};

use super::fold_tests::FoldDesign;
use super::kept::Aligned;
use super::verdict::pooled;
use crate::results::{BaselineStanding, CutoffResult, Evaluation, MetricRow};

/// Fewer positives than this make every figure shaky.
const FEW_POSITIVES: u64 = 30;

/// Every caution that applies.
pub(super) fn warnings(evaluation: &Evaluation, tables: &[Aligned], design: &FoldDesign) -> Vec<String> {
    let mut warnings = Vec::new();
    warnings.extend(about_positives(evaluation));
    warnings.extend(about_ranking(evaluation));
    warnings.extend(about_cutoffs(evaluation));
    warnings.extend(about_rows(evaluation, tables));
    warnings.extend(about_folds(evaluation, design));
    warnings.extend(about_profit(evaluation));
    warnings
}

/// Lists that earn no more than acting on everybody or on nobody.
fn about_profit(evaluation: &Evaluation) -> Vec<String> {
    let of = |is_this: fn(&BestProfit) -> bool| {
        let models = evaluation.profit.iter().filter(move |profit| is_this(&profit.best));
        named(models.map(|profit| profit.model.as_str()))
    };
    let nobody = of(|best| best.profit <= 0.0);
    let everybody = of(|best| best.profit > 0.0 && best.profit <= best.everybody);
    let nobody = nobody.map(|models| format!("acting on nobody is best: no list of {models} earns anything"));
    let everybody = everybody.map(|models| {
        format!("acting on everybody earns as much as the best list of {models}: no list is needed")
    });
    nobody.into_iter().chain(everybody).collect()
}

fn about_positives(evaluation: &Evaluation) -> Option<String> {
    match evaluation.data.positives {
        1 => Some(
            "there is one positive only: no interval can say how another would have scored, so believe none of them"
                .into(),
        ),
        n if n > 0 && n < FEW_POSITIVES => {
            Some(format!("there are only {n} positives, so every figure is uncertain"))
        }
        _ => None,
    }
}

fn about_ranking(evaluation: &Evaluation) -> Vec<String> {
    let aurocs = || pooled(evaluation, "auroc");
    let names = |models: Option<String>, words: fn(String) -> String| models.map(words);
    let standing = |row: &MetricRow| {
        let tests = &evaluation.verdict.baselines;
        let tested = tests.iter().find(|test| test.model == row.model).map(|test| test.standing);
        tested.filter(|_| evaluation.verdict.metric == row.metric)
    };
    let upside_down = aurocs().filter(|row| standing(row) == Some(BaselineStanding::Worse));
    let upside_down = named(upside_down.map(|row| row.model.as_str()));
    let by_chance = aurocs().filter(|row| standing(row) == Some(BaselineStanding::Level));
    let by_chance = named(by_chance.map(|row| row.model.as_str()));
    let perfect = aurocs().filter(|row| row.estimate == Some(1.0));
    let perfect = named(perfect.map(|row| row.model.as_str()));
    let mut warnings = Vec::new();
    warnings.extend(names(perfect, |models| {
        format!(
            "every positive ranks above every negative for {models}: nothing varies, so intervals shrink to a point that \
             more cases need not confirm; does a column give the answer away?"
        )
    }));
    warnings.extend(names(upside_down, |models| {
        format!(
            "ranked the wrong way round: higher scores mean fewer positives for {models}; check the direction of the scores"
        )
    }));
    warnings.extend(names(by_chance, |models| {
        format!("not to be told from chance: an AUROC of 0.5 cannot be ruled out for {models}")
    }));
    warnings
}

fn about_cutoffs(evaluation: &Evaluation) -> Vec<String> {
    let mut warnings = Vec::new();
    for rule in asked(&evaluation.cutoffs) {
        let of_rule = || evaluation.cutoffs.iter().filter(|cutoff| cutoff.asked == rule);
        let chosen = of_rule().filter(|c| c.cutoff.is_some_and(|found| found.rule.is_chosen_on_the_data()));
        if let Some(models) = named(chosen.map(|cutoff| cutoff.model.as_str())) {
            warnings.push(format!(
                "the cut-off {rule} was chosen on the data that judge it, so its figures flatter {models}"
            ));
        }
        for cutoff in of_rule() {
            let reason = cutoff.undefined.iter();
            warnings.extend(reason.map(|reason| format!("{}: no cut-off {rule}: {reason}", cutoff.model)));
        }
    }
    warnings
}

/// Rows that cannot be drawn again, do not line up, are a sample, or are scored alike.
fn about_rows(evaluation: &Evaluation, tables: &[Aligned]) -> Vec<String> {
    let mut warnings = Vec::new();
    if tables.len() > 1 {
        warnings.push(
            "the rows of the models do not line up, so their differences are not tested; name the column that identifies \
             a case with --id"
                .into(),
        );
    }
    let sampled = tables.iter().find(|table| !table.is_whole() && !table.truth.is_empty());
    if let Some(table) = sampled {
        warnings.push(format!(
            "the file is large: bootstrap and paired tests measure the spread on a sample of {} rows and scale it; \
             --bootstrap N draws from all of them",
            table.truth.len()
        ));
    }
    for table in tables {
        for (a, b) in super::compare::pairs(table.models.len(), None) {
            if table.scores[a] == table.scores[b] {
                let name = |place: usize| &evaluation.data.models[table.models[place]];
                warnings.push(format!(
                    "{} and {} give every case the same score: they are one model",
                    name(a),
                    name(b)
                ));
            }
        }
    }
    warnings
}

fn about_folds(evaluation: &Evaluation, design: &FoldDesign) -> Vec<String> {
    let mut warnings = Vec::new();
    match evaluation.data.folds.as_slice() {
        [] => {}
        [only] => warnings.push(format!(
            "there is one fold only (\"{only}\"), so nothing can be tested over folds; is it the column of the folds?"
        )),
        _ if !evaluation.fold_tests.is_empty() => warnings.push(
            "the folds of one cross-validation share training rows, so tests over folds are approximate".into(),
        ),
        _ => {}
    }
    if design.n_repetitions > 1 {
        warnings.push(format!(
            "the folds repeat a cross-validation {} times: rows stand for the same cases again and again, so intervals \
             over all rows are too narrow; believe those over folds",
            design.n_repetitions
        ));
    }
    warnings
}

/// Says where the cut-off is a guess because the scores suggest none.
pub(super) fn no_customary_cutoff(evaluation: &Evaluation) -> Option<String> {
    let guessed = |cutoff: &&CutoffResult| {
        cutoff.cutoff.is_some_and(|found| matches!(found.rule, CutoffRule::Share(_)))
    };
    let models = named(evaluation.cutoffs.iter().filter(guessed).map(|cutoff| cutoff.model.as_str()))?;
    let share = 100.0 * evaluation.data.base_rate.unwrap_or(0.5);
    Some(format!(
        "the scores of {models} have no customary cut-off, so predictions are judged on the top {share:.1} % of the \
         list, the share of positives; choose another with --threshold"
    ))
}

/// Says where the customary cut-off, which nobody chose, flags nobody or everybody.
pub(super) fn idle_customary_cutoff(evaluation: &Evaluation) -> Option<String> {
    let flags = |cutoff: &CutoffResult, share: f64| {
        let at_score = |found: &Cutoff| matches!(found.rule, CutoffRule::Score(_)) && found.share == share;
        cutoff.cutoff.as_ref().is_some_and(at_score)
    };
    let at = |share: f64| {
        let idle = evaluation.cutoffs.iter().filter(|cutoff| flags(cutoff, share));
        named(idle.map(|cutoff| cutoff.model.as_str()))
    };
    let (who, models) = match (at(0.0), at(1.0)) {
        (Some(models), _) => ("nobody", models),
        (None, Some(models)) => ("everybody", models),
        (None, None) => return None,
    };
    Some(format!(
        "at the customary cut-off {who} is flagged by {models}, so figures of predictions say nothing; choose a cut-off with \
         --threshold, such as top:100, 5% or youden"
    ))
}

/// The rules that were asked for, each once.
fn asked(cutoffs: &[CutoffResult]) -> Vec<CutoffRule> {
    let mut rules: Vec<CutoffRule> = Vec::new();
    for cutoff in cutoffs {
        if !rules.contains(&cutoff.asked) {
            rules.push(cutoff.asked);
        }
    }
    rules
}

/// The first few of some models by name; nothing where there are none.
pub(crate) fn named<'a>(models: impl Iterator<Item = &'a str>) -> Option<String> {
    const SHOWN: usize = 5;
    let models: Vec<&str> = models.collect();
    match models.len() {
        0 => None,
        n if n <= SHOWN => Some(models.join(", ")),
        n => Some(format!("{} and {} more", models[..SHOWN].join(", "), n - SHOWN)),
    }
}
