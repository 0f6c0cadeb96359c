//! The sentences of warnings.

use tribunal_eval::CutoffRule;
use tribunal_io::RepeatedFile;

use super::{FEW_FOR_INTERVALS, Miscalibrated, StudyWarning, Warning, calibrated_name};
use crate::evaluate::named;
use crate::message::{Message, Setting};
use crate::metric_info::metric_name;

macro_rules! said {
    ($($words:tt)+) => {
        Message::from(format!($($words)+))
    };
}

impl StudyWarning {
    /// What is to be said, after the scenario that it is about.
    pub fn message(&self) -> Message {
        let message = self.warning.message();
        match &self.scenario {
            Some(scenario) => Message::from(format!("{scenario}: ")).then(message),
            None => message,
        }
    }
}

impl Warning {
    /// What is to be said, with advice as values.
    pub fn message(&self) -> Message {
        match self {
            Self::RepeatedFile { file, same_as, is_copy } => {
                let (name, same_as) = (file.clone(), same_as.clone());
                RepeatedFile { name, same_as, is_copy: *is_copy }.to_string().into()
            }
            Self::LongForm { column, n_models, id } => long_form(column, *n_models, id.as_deref()),
            Self::MoneyAsWeight { column, low, high, rows, effective, is_amount } => {
                let what = match is_amount {
                    true => "is both the weight and the amount".to_owned(),
                    false => format!("looks like an amount of money ({low} to {high}) and no weight"),
                };
                let message = Message::from(format!(
                    "\"{column}\" {what}: by weight {rows} rows count like {effective:.0} (Kish's effective sample size); if \
                     it is what a case is worth, give it as "
                ));
                message.setting(Setting::Amount).text(" alone")
            }
            Self::UnevenWeights { column, rows, effective } => said!(
                "the weights \"{column}\" are so uneven that {rows} rows count like {effective:.0} (Kish's effective sample \
                 size): a few rows decide every figure; is it the column of the weights?"
            ),
            Self::SeveralNegatives { positive, negatives, alike } => {
                several_negatives(positive, negatives, alike.as_deref())
            }
            Self::UncheckedCases => Message::from(
                "the models have equally many rows and positives; that they are the same cases is not checked without ",
            )
            .setting(Setting::Id),
            Self::FewPositives { positives: 1 } => {
                "there is one positive only: no interval can say how another would have scored, so believe none of them".into()
            }
            Self::FewPositives { positives: positives @ ..FEW_FOR_INTERVALS } => few_for_intervals(*positives, "positives"),
            Self::FewPositives { positives } => {
                said!("there are only {positives} positives, so every figure is uncertain")
            }
            Self::FewNegatives { negatives: 1 } => {
                "there is one negative only: no interval can say how another would have scored, so believe none of them".into()
            }
            Self::FewNegatives { negatives } => few_for_intervals(*negatives, "negatives"),
            Self::RowsDoNotLineUp => Message::from(
                "the rows of the models do not line up, so their differences are not tested; name the column that identifies \
                 a case with ",
            )
            .setting(Setting::Id),
            Self::SampledRows { rows } => said!(
                "the file is large: bootstrap and paired tests measure the spread on a sample of {rows} rows and scale it"
            ),
            Self::OneScore { models, score } => said!(
                "every score of {} is {score}: nothing is ranked; is it the column of the scores?",
                listed(models)
            ),
            Self::PredictedClasses { models, low, high } => said!(
                "the scores of {} are {low} and {high} only: they look like predicted classes. Figures of the ranking, such as \
                 the AUROC, are then those of a single cut; give probabilities or other scores",
                listed(models)
            ),
            Self::Percentages { models } => said!(
                "the scores of {} look like percentages: divide them by 100, and they are judged as probabilities",
                listed(models)
            ),
            Self::RowNumbers { models, low, high } => said!(
                "the scores of {} number the rows from {low} to {high}: is it a column that names the case? Ranks are \
                 scores if larger means more likely positive",
                listed(models)
            ),
            Self::CertainMistakes { model, certain, wrong } => said!(
                "{model} gave {certain} cases a probability of exactly 0 or 1, and {wrong} of them turned out otherwise: such \
                 probabilities are rounded or too extreme, and log loss and calibration slope hang on those few cases"
            ),
            Self::AmountOfPositivesOnly { column, rows, class, covered, rule } => said!(
                "suspicious: \"{column}\" is other than 0 in {rows} rows, all of them {class} ({} % of that class) and none of another \
                 class: known only after the outcome? The rule {rule} takes it as known of every case beforehand",
                (100.0 * covered).floor()
            ),
            Self::PerfectRanking { models } => said!(
                "every positive ranks above every negative for {}: that is rare; does a column give the answer away?",
                listed(models)
            ),
            Self::ReversedRanking { models } => said!(
                "ranked the wrong way round: higher scores mean fewer positives for {}; check the direction of the scores",
                listed(models)
            ),
            Self::ChanceRanking { models } => said!(
                "not to be told from chance: an AUROC of 0.5 cannot be ruled out for {}",
                listed(models)
            ),
            Self::SameScores { models: [a, b] } => {
                said!("{a} and {b} give every case the same score: they are one model")
            }
            Self::PoorCalibration { models, mended_by } => poor_calibration(models, mended_by.as_deref()),
            Self::CutoffBeyondScores { cutoff, models, flags_all, low, high } => {
                let side = if *flags_all { "every score" } else { "no score" };
                let flagged = if *flags_all { "everybody" } else { "nobody" };
                let message = Message::default().set(Setting::Cutoff, cutoff.to_string()).text(format!(
                    ": {side} of {} is that high (they reach from {low} to {high}), so {flagged} is flagged",
                    listed(models)
                ));
                let is_count = !flags_all && *cutoff >= 1.0 && cutoff.fract() == 0.0;
                let or_share =
                    if *cutoff <= 100.0 { format!(", or {cutoff}% for a share") } else { String::new() };
                message.text(match is_count {
                    true => format!("; top:{cutoff} takes so many cases from the top{or_share}"),
                    false => "; choose a cut-off between them".to_owned(),
                })
            }
            Self::NoCustomaryCutoff { models, share } => Message::from(format!(
                "the scores of {} have no customary cut-off, so predictions are judged on the top {:.1} % of the list, the \
                 share of positives; choose another with ",
                listed(models),
                100.0 * share
            ))
            .setting(Setting::Cutoff),
            Self::OneSegment { columns } => said!(
                "every case has the same label in {}, so there is one segment and nothing to compare",
                listed(columns)
            ),
            Self::OneClassSegments { segments, n_segments } => said!(
                "{n_segments} {} cases of one class only ({}): nothing can be ranked there",
                if *n_segments == 1 { "segment holds" } else { "segments hold" },
                segments_listed(segments, *n_segments)
            ),
            Self::FewInSegments { segments, n_segments, fewer_than } => said!(
                "{n_segments} {} fewer than {fewer_than} positives or negatives ({}): figures there are mostly chance, and \
                 segments with fewer than ten are left out of the tests",
                if *n_segments == 1 { "segment has" } else { "segments have" },
                segments_listed(segments, *n_segments)
            ),
            Self::IdleCutoff { models, flags_all } => Message::from(format!(
                "at the customary cut-off {} is flagged by {}, so figures of predictions say nothing; choose a cut-off with ",
                if *flags_all { "everybody" } else { "nobody" },
                listed(models)
            ))
            .setting(Setting::Cutoff)
            .text(", such as top:100, 5% or youden"),
            Self::CutoffChosenOnData { cutoff, models } if cutoff.has_optimism() => said!(
                "the cut-off {} was chosen on the data that judge it, so its figures flatter {}; corrected figures say what \
                 new cases can be expected to give",
                cutoff_in_words(*cutoff),
                listed(models)
            ),
            Self::CutoffChosenOnData { cutoff, models } => said!(
                "the cut-off {} was chosen on the data that judge it, so its figures may flatter {}; no correction is known for \
                 this rule",
                cutoff_in_words(*cutoff),
                listed(models)
            ),
            Self::NoCutoff { model, cutoff, reason } => {
                said!("{model}: no cut-off {}: {reason}", cutoff_in_words(*cutoff))
            }
            Self::NoFoldTest { metric, cutoff, reason } => {
                let at = cutoff.map_or_else(String::new, |rule| format!(" at {rule}"));
                said!("no test of {metric}{at} over the folds: {reason}")
            }
            Self::OneFold { fold } => said!(
                "there is one fold only (\"{fold}\"), so nothing can be tested over folds; is it the column of the folds?"
            ),
            Self::FoldsShareTraining => {
                "the folds of one cross-validation share training rows, so tests over folds are approximate".into()
            }
            Self::RepeatedFolds { repetitions } => said!(
                "the folds repeat a cross-validation {repetitions} times: rows stand for the same cases again and again, so \
                 intervals over all rows are too narrow; believe those over folds"
            ),
            Self::FewInFold { rarer, fewest } => said!(
                "few positives: {rarer} rows of the rarer class, as few as {fewest} in a test part; figures of single splits \
                 are mostly chance"
            ),
            Self::UnstableFolds { model, metric, lowest, highest, sd } => said!(
                "unstable folds: {} of {model} goes from {lowest:.3} to {highest:.3} over the splits (deviation {sd:.3})",
                metric_name(metric)
            ),
            Self::SingleFigure { design } => said!(
                "{design} gives a single figure for each learner, so differences are not tested; repeat it, or take cv:10"
            ),
            Self::RepetitionsShareRows => {
                "repetitions share rows, so analysis of variance, Duncan's, Tukey's and Nemenyi's tests are too sure of \
                 themselves here; the corrected t test is not"
                    .into()
            }
            Self::FailedSplits { learner } => {
                said!("{learner} failed on some splits; tests leave it out there, and the gaps say why")
            }
            Self::ScaledOverAllRows => {
                "protocol paper: numbers are scaled over all rows, test rows included; the default learns scales inside \
                 training parts"
                    .into()
            }
            Self::BestOfMany { learners } => said!(
                "the best of {learners} figures is a little too good: part of what put it first is luck, so expect rather less"
            ),
            Self::NotRepeatable { learner } => said!(
                "{learner} does not do the same twice with the same seed; have it draw from TRIBUNAL_SEED"
            ),
            Self::FewForColumns { rarer, columns } => said!(
                "few positives for so many predictors: {rarer} rows of the rarer class for {columns} columns; models with a \
                 weight for each value may overfit"
            ),
            Self::NoBetterThanMajority { majority, learner, pcc } => said!(
                "no PCC is shown to be better than always saying the larger class ({:.2} %): the best, {learner}, has {:.2} %; \
                 judge by ranking instead",
                100.0 * majority,
                100.0 * pcc
            ),
            Self::Margins { learner } => said!(
                "{learner} gives margins, which rank cases and are no probabilities; {} gives probabilities",
                calibrated_name(learner)
            ),
            Self::Overfitting { learner, metric, apparent, expected } => said!(
                "{learner} overfits: {} {apparent:.3} on the rows it learned from, {expected:.3} on others",
                metric_name(metric)
            ),
            Self::GridEdge { learner, at_edge, splits } => said!(
                "tuning of {learner} ends at the edge of its grid on {at_edge} of {splits} splits; a wider grid may do better"
            ),
        }
    }
}

fn few_for_intervals(n_cases: u64, class: &str) -> Message {
    said!(
        "there are only {n_cases} {class}: intervals hold the truth less often than they say, those at cut-offs that were chosen \
         on these cases least of all"
    )
}

fn poor_calibration(models: &[Miscalibrated], mended_by: Option<&str>) -> Message {
    let how = match models.iter().all(Miscalibrated::is_too_extreme) {
        true => "too extreme",
        false => "too timid",
    };
    let mended = match mended_by {
        Some(learner) => format!("{learner} mends that"),
        None => "recalibrate them on other cases, for example by Platt's method".to_owned(),
    };
    let figures = |found: &Miscalibrated| {
        let Miscalibrated { slope, lower, upper, .. } = found;
        format!("slope {slope:.2}, {lower:.2} to {upper:.2}")
    };
    let which = match models {
        [one] => format!("{} are {how} ({}; 1 is right)", one.model, figures(one)),
        several => {
            let each: Vec<String> =
                several.iter().map(|found| format!("{} ({})", found.model, figures(found))).collect();
            format!("{} are {how} (1 is right)", listed(&each))
        }
    };
    said!("calibration is poor: the probabilities of {which}; {mended}")
}

fn long_form(column: &str, n_models: usize, id: Option<&str>) -> Message {
    let cases = match id {
        Some(id) => format!("every case of \"{id}\" stands"),
        None => "the cases seem to stand".to_owned(),
    };
    let message = Message::from(format!(
        "{cases} {n_models} times, once for each value of \"{column}\": do these name models? Then the figures mix them; add "
    ))
    .set(Setting::Model, column);
    match id {
        Some(id) => message.text(" ").set(Setting::Id, id),
        None => message,
    }
}

fn several_negatives(positive: &str, negatives: &[String], alike: Option<&str>) -> Message {
    const SHOWN: usize = 6;
    let shown: Vec<String> = negatives.iter().take(SHOWN).map(|label| format!("\"{label}\"")).collect();
    let more = match negatives.len().saturating_sub(SHOWN) {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    let alike = alike.map_or_else(String::new, |label| {
        format!(" \"{label}\" says the same as \"{positive}\": write them alike.")
    });
    format!(
        "every label but \"{positive}\" counts as negative: {}{more}; leave out the rows whose outcome is not known.{alike}",
        shown.join(", ")
    )
    .into()
}

/// A cut-off as a sentence names it: nobody writes the rule that stated costs and benefits make.
fn cutoff_in_words(cutoff: CutoffRule) -> String {
    match cutoff {
        CutoffRule::MaxBenefit(_) => "that brings in most by the stated costs and benefits".to_owned(),
        rule => rule.to_string(),
    }
}

fn listed(models: &[String]) -> String {
    named(models.iter().map(String::as_str)).unwrap_or_default()
}

/// The first segments of so many, each by its labels.
fn segments_listed(segments: &[Vec<String>], n_segments: u64) -> String {
    let names: Vec<String> = segments.iter().map(|labels| labels.join(", ")).collect();
    let more = n_segments.saturating_sub(segments.len() as u64);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", names.join("; "))
}
