//! The answer in plain words, the reasons for it and what is doubtful about it.

use tribunal_eval::unlabelled::FewLabels;

use super::criterion::SelectionMetric;
use super::evidence::Evidence;
use super::expected::BENEFIT;
use super::methods::{CONSENSUS, CROSS_VALIDATION, MethodScores, REVERSE_TESTING};
use super::results::{AuditRow, ExpectedRow, LabelsFound, Selection};
use super::run::LEAST_SIMULATIONS;
use super::tournament::Duel;
use crate::evaluate::named;
use crate::message::{Message, Setting};
use crate::shift::{BiasFinding, DomainOutcome};

/// With fewer labelled rows of a class the learners are hardly told apart.
const FEW_ROWS: u64 = 20;

/// What the methods say.
pub(super) struct Said<'a> {
    pub(super) evidence: &'a Evidence<'a>,
    pub(super) methods: &'a [MethodScores],
    pub(super) names: &'a dyn Fn(usize) -> String,
}

impl Said<'_> {
    /// What a method would take, the recommended voice if it is among equals.
    fn choice(&self, id: &str, recommended: usize) -> Option<usize> {
        self.methods.iter().find(|scores| scores.method().id == id)?.choice_near(Some(recommended))
    }
}

/// That the labels of some rows of the population decided, and how.
fn labels_that_decided(said: &Said<'_>, recommended: usize, few: &FewLabels) -> Option<String> {
    let scores = said.evidence.scores.as_ref().ok()?;
    let n_labels = few.n_labelled();
    if n_labels == 0 {
        return Some(
            "the labels that were given are of rows on which all learners agree: they say nothing about which one is better".to_owned(),
        );
    }
    let score = |voice: usize| scores.candidates[voice].score.as_ref().ok().copied();
    let n_right = |voice: usize| {
        let accuracy = few.accuracy(&said.evidence.candidates[voice].unlabelled);
        (accuracy.unwrap_or_default() * n_labels as f64).round()
    };
    let runner_up =
        scores.order.iter().copied().find(|&voice| voice != recommended && score(voice).is_some());
    let name = |voice: usize| (said.names)(voice);
    let share = 100.0 * n_labels as f64 / (n_labels as f64 + FewLabels::PRIOR_LABELS);
    let (rows, them) = match n_labels {
        1 => ("the 1 labelled row".to_owned(), "the label counts"),
        n => (format!("the {n} labelled rows"), "the labels count"),
    };
    let next_score = runner_up
        .and_then(|voice| Some(format!(" against {:.3} of {}, the next", score(voice)?, name(voice))))
        .unwrap_or_default();
    let next_right =
        runner_up.map_or_else(String::new, |voice| format!(", {} on {}", name(voice), n_right(voice)));
    Some(format!(
        "labels of the population: with them {} has the score {:.3}{next_score}; it is right on {} of {rows} on which learners differ\
         {next_right}; {them} {share:.0} % of the score and what was known before them {:.0} %; what is expected is not moved by them",
        name(recommended),
        score(recommended)?,
        n_right(recommended),
        100.0 - share
    ))
}

/// Why a learner is recommended: what decided comes first.
pub(super) fn reasons(said: &Said<'_>, recommended: usize, few: Option<&FewLabels>) -> Vec<String> {
    let evidence = said.evidence;
    let mut reasons = Vec::new();
    reasons.extend(few.and_then(|few| labels_that_decided(said, recommended, few)));
    let before = if few.is_some_and(|few| few.n_labelled() > 0) { "before the labels, by " } else { "" };
    let score = |voice: usize| evidence.scores.as_ref().ok().map(|scores| &scores.candidates[voice]);
    match (evidence.consensus.lambda(), score(recommended)) {
        (Some(lambda), Some(score)) => {
            let consensus = score
                .consensus_unlabelled
                .as_ref()
                .map_or_else(|_| "-".to_owned(), |value| format!("{value:.3}"));
            let cross_validated =
                score.cross_validated.as_ref().map_or_else(|_| "-".to_owned(), |value| format!("{value:.3}"));
            reasons.push(format!(
                "{before}consensus selection: {cross_validated} by cross-validation on the labelled rows and {consensus} by the consensus of {} on \
                 the population, which counts {:.0} %",
                distinct_learners(evidence.consensus.clones().n_distinct()),
                100.0 * lambda
            ));
        }
        (None, Some(_)) => reasons.push(format!(
            "cross-validation alone: a consensus needs three distinct learners, and these count as {}",
            distinct_learners(evidence.consensus.clones().n_distinct())
        )),
        (_, None) => {
            let why = evidence.scores.as_ref().err().cloned().unwrap_or_default();
            reasons.push(format!("cross-validation alone: there is no consensus by this metric ({why})"));
        }
    }
    let by_cv = said.choice(CROSS_VALIDATION, recommended).filter(|&other| other != recommended);
    if let Some(other) = by_cv {
        let of = |voice: usize| {
            let score = score(voice)?;
            let (cv, consensus) =
                (score.cross_validated.as_ref().ok()?, score.consensus_unlabelled.as_ref().ok()?);
            Some(format!("{cv:.3} on the labelled rows and {consensus:.3} by the consensus"))
        };
        let figures = of(other).map_or_else(String::new, |figures| format!(": {figures}"));
        reasons.push(format!("cross-validation would take {}{figures}", (said.names)(other)));
    }
    let others =
        said.methods.iter().filter(|scores| scores.method().id != CONSENSUS && scores.choice().is_some());
    let (agree, differ): (Vec<&MethodScores>, Vec<&MethodScores>) =
        others.partition(|scores| scores.takes(recommended));
    reasons.push(format!("{} of {} other methods choose it too", agree.len(), agree.len() + differ.len()));
    if let Some(other) = said.choice(REVERSE_TESTING, recommended).filter(|&other| other != recommended) {
        let duels = evidence.tournament.as_ref().map_or(&[][..], |tournament| &tournament.duels);
        let n_decided = duels.iter().filter(|(_, _, duel)| *duel != Duel::Undecided).count();
        reasons.push(format!(
            "ReverseTesting puts {} first; it decides {n_decided} of {} pairs",
            (said.names)(other),
            duels.len()
        ));
    }
    reasons
}

/// The answer, first things first.
pub(super) fn verdict(selection: &Selection) -> String {
    let Some(recommended) = &selection.recommended else {
        return "No learner can be recommended: none has a figure.".to_owned();
    };
    let mut sentences = Vec::new();
    let row = selection.expected.iter().find(|row| row.learner == recommended.learner);
    sentences.push(format!(
        "For this population take {}{}.",
        recommended.learner,
        expectation(selection, row)
    ));
    sentences.extend(floors_sentence(selection));
    sentences.push(match recommended.by_cross_validation.as_deref() {
        Some(same) if same == recommended.learner => "Cross-validation alone would choose it too.".to_owned(),
        Some(other) => format!("Cross-validation alone would choose {other}."),
        None => "Cross-validation has no choice.".to_owned(),
    });
    sentences.extend(one_class_sentence(selection, &recommended.learner));
    sentences.extend(shift_sentence(selection));
    sentences.extend(audit_sentence(selection));
    if let Some(check) = &selection.check {
        let chosen = check.learners.iter().find(|learner| learner.learner == recommended.learner);
        let best = check.learners.iter().reduce(|a, b| if b.value > a.value { b } else { a });
        if let (Some(chosen), Some(best)) = (chosen, best) {
            let beside = match best.value > chosen.value {
                true => format!("the best learner {} {:.3}", best.learner, best.value),
                false => "no learner is better".to_owned(),
            };
            sentences.push(format!(
                "In truth, by the {} labels of the population: {} {:.3}, {beside}.",
                check.rows, chosen.learner, chosen.value
            ));
        }
    }
    sentences.join(" ")
}

/// What acting without any learner brings in.
fn floors_sentence(selection: &Selection) -> Option<String> {
    let floors = selection.floors?;
    Some(format!(
        "Acting on nobody brings in {:.0}, acting on everybody {} a case (the weighted mean of the labelled rows).",
        floors.nobody,
        signed(floors.everybody)
    ))
}

/// A benefit with three digits behind the point; what rounding leaves of nothing has no sign.
fn signed(benefit: f64) -> String {
    let text = format!("{benefit:.3}");
    if text == "-0.000" { "0.000".to_owned() } else { text }
}

/// That the recommended learner is not expected to bring in more than acting on nobody, or on everybody.
fn below_floors(selection: &Selection) -> Option<String> {
    let (floors, recommended) = (selection.floors?, selection.recommended.as_ref()?);
    let is_its = |row: &&ExpectedRow| row.learner == recommended.learner && row.metric == BENEFIT;
    let estimate = selection.expected.iter().find(is_its)?.estimate?;
    let (name, floor) = match floors.everybody > floors.nobody {
        true => ("acting on everybody", floors.everybody),
        false => ("acting on nobody", floors.nobody),
    };
    (estimate <= floor).then(|| {
        format!(
            "{} is not expected to bring in more ({} a case) than {name} does ({}), for which nobody needs a learner",
            recommended.learner,
            signed(estimate),
            signed(floor)
        )
    })
}

/// That the recommended learner finds nothing: the most accurate of all where positives are rare.
fn one_class_sentence(selection: &Selection, recommended: &str) -> Option<String> {
    let learner = selection.learners.iter().find(|learner| learner.learner == recommended)?;
    learner.predicts_one_class.then(|| {
        let advice = match selection.metric {
            SelectionMetric::Pcc => ", which may be the most accurate where a class is rare, and finds nothing: to rank rows, choose the metric auroc",
            SelectionMetric::Auroc | SelectionMetric::Benefit => "; its scores still rank them",
        };
        format!("It gives every row of the population the same class{advice}.")
    })
}

fn expectation(selection: &Selection, row: Option<&ExpectedRow>) -> String {
    let Some(row) = row else { return String::new() };
    let Some(estimate) = row.estimate else {
        let why = row.undefined.as_deref().unwrap_or("there is no estimate");
        return format!(" (nothing can be said of its {} there: {why})", row.metric);
    };
    let said = match row.metric.as_str() {
        "pcc" => format!(
            "it to be right in {} of 100 cases there (PCC, accuracy: {estimate:.3}",
            of_hundred(estimate)
        ),
        "auroc" if selection.training.classes.len() == 2 => format!(
            "it to rank a positive case above a negative one in {} of 100 such pairs there (AUROC: {estimate:.3}",
            of_hundred(estimate)
        ),
        BENEFIT => format!("it to bring in {} a case there (mean benefit", signed(estimate)),
        metric => format!("{} {estimate:.3} there (", crate::metric_info::metric_name(metric)),
    };
    let said = if said.ends_with('(') { said } else { format!("{said}; ") };
    match row.lower.zip(row.upper) {
        Some((lower, upper)) => {
            let level = 100.0 * row.level.unwrap_or_default();
            format!(
                " and expect {said}{} to {}, the {level:.0} % interval of the audit)",
                signed(lower),
                signed(upper)
            )
        }
        None if selection.audit_asked < LEAST_SIMULATIONS as u64 => {
            let needed = match selection.audit_asked {
                0 => "an audit gives an interval".to_owned(),
                _ => format!("an audit of {LEAST_SIMULATIONS} simulations or more gives an interval"),
            };
            format!(" and expect {said}{needed})")
        }
        None => format!(" and expect {said}without an interval)"),
    }
}

/// A share as so many of a hundred.
fn of_hundred(share: f64) -> String {
    format!("{:.0}", 100.0 * share)
}

fn shift_sentence(selection: &Selection) -> Option<String> {
    let domain = selection.shift.domain_auroc?;
    let diagnosis = &selection.shift.diagnosis;
    let mut shown: Vec<_> = diagnosis.columns.iter().filter(|column| column.is_shown).collect();
    shown.sort_by(|a, b| b.psi.total_cmp(&a.psi));
    let columns = named(shown.into_iter().map(|column| column.column.as_str()));
    // One test of rows and columns together says whether there is a difference at all; a column that is shown only if nobody else is
    // asked shows none.
    let (are_told_apart, columns) = diagnosis
        .bias
        .findings
        .iter()
        .find_map(|finding| match finding {
            BiasFinding::FeaturesDiffer { p_domain, .. } => {
                Some((p_domain.is_some_and(|p| p < diagnosis.alpha), columns.clone()))
            }
            _ => None,
        })
        .unwrap_or((false, None));
    Some(match (are_told_apart, columns) {
        (true, Some(columns)) => format!(
            "The two tables differ (domain classifier AUROC {:.3}, {:.3} to {:.3}), in {columns}.",
            domain.estimate, domain.lower, domain.upper
        ),
        (true, None) => format!(
            "The two tables differ (domain classifier AUROC {:.3}, {:.3} to {:.3}), in no column by itself.",
            domain.estimate, domain.lower, domain.upper
        ),
        (false, Some(columns)) => format!(
            "A domain classifier cannot tell the two tables apart (AUROC {:.3}), but single columns differ: {columns}.",
            domain.estimate
        ),
        (false, None) => format!(
            "No difference between the two tables is shown (domain classifier AUROC {:.3}, {:.3} to {:.3}).",
            domain.estimate, domain.lower, domain.upper
        ),
    })
}

/// The regrets over all kinds of bias.
fn overall<'a>(selection: &'a Selection, method: &str) -> Option<&'a AuditRow> {
    selection.audit.iter().find(|row| row.method == method && row.kind.is_none())
}

/// How many learners copies count for, which need not be a whole number.
fn distinct_learners(n: f64) -> String {
    match format!("{n:.1}").strip_suffix(".0") {
        Some("1") => "1 distinct learner".to_owned(),
        Some(whole) => format!("{whole} distinct learners"),
        None => format!("{n:.1} distinct learners"),
    }
}

fn audit_sentence(selection: &Selection) -> Option<String> {
    let (ours, theirs) = (overall(selection, CONSENSUS)?, overall(selection, CROSS_VALIDATION)?);
    let figure = |row: &AuditRow| match row.se {
        Some(se) => format!("{:.4} (standard error {se:.4})", row.regret),
        None => format!("{:.4}", row.regret),
    };
    Some(format!(
        "In {} of bias on the labelled rows consensus selection lost {} against the best learner, cross-validation {}.",
        if ours.n == 1 { "1 simulation".to_owned() } else { format!("{} simulations", ours.n) },
        figure(ours),
        figure(theirs)
    ))
}

/// What a careful statistician would say.
pub(super) fn warnings(selection: &Selection, n_families: usize, failures: &[String]) -> Vec<Message> {
    let mut warnings: Vec<Message> = Vec::new();
    if selection.shift.is_without_overlap() {
        warnings.push(
            "the two tables hardly overlap: a classifier tells their rows apart almost without fail, so nothing that is known of the \
             labelled rows says much about the population"
                .into());
        if let Some(column) = telling_column(selection) {
            warnings.push(
                Message::from(format!(
                    "most of the difference is in {column}: a column that tells only when or where a row was recorded is better left out; \
                     add "
                ))
                .set(Setting::Kind, format!("{column}=ignore")),
            );
        }
    }
    if let DomainOutcome::TooFewRows { needed } = selection.shift.diagnosis.domain {
        warnings.push(format!("whether the tables differ was not judged: each needs {needed} rows").into());
    }
    if let Some(twins) = seen_before(selection) {
        warnings.push(twins.into());
    }
    if selection.training.sha256 == selection.population.sha256 {
        warnings.push(
            "both tables are the same file: models have seen the rows of the population, so what is said of it is too good".into());
    }
    let rarest = selection.training.classes.iter().min_by_key(|class| class.rows);
    if let Some(rarest) = rarest.filter(|class| class.rows < FEW_ROWS) {
        warnings.push(
            format!(
                "only {} of the labelled rows {} of the class {}: differences of learners are mostly chance",
                rarest.rows,
                if rarest.rows == 1 { "is" } else { "are" },
                rarest.class
            )
            .into(),
        );
    }
    let failed = selection.learners.iter().filter(|learner| learner.failed.is_some());
    for learner in failed {
        warnings.push(
            format!("{} takes no part: {}", learner.learner, learner.failed.as_deref().unwrap_or_default())
                .into(),
        );
    }
    let constant = selection.learners.iter().filter(|learner| learner.predicts_one_class);
    if let Some(names) = named(constant.map(|learner| learner.learner.as_str())) {
        warnings.push(format!("the same class for every row of the population: {names}").into());
    }
    if n_families < 3 {
        warnings.push(format!(
            "the learners come from {n_families} {}; methods that compare learners need voices that differ: at least three, better five families",
            if n_families == 1 { "family" } else { "families" }
        ).into());
    }
    if let Some(why) = failures.first() {
        let simulations = if failures.len() == 1 { "simulation" } else { "simulations" };
        warnings
            .push(format!("{} {simulations} of the audit could not be made: {why}", failures.len()).into());
    }
    let better = selection.audit_beaten_by.iter().map(|row| row.method.as_str());
    if let Some(methods) = named(better) {
        warnings.push(format!(
            "in the audit consensus selection lost more than {methods}, by over two standard errors; the recommendation stands, since \
             choosing the method by an audit was measured to lose, but look at what they choose"
        ).into());
    }
    warnings.extend(selection.labels.iter().flat_map(label_warnings).map(Message::from));
    warnings.extend(below_floors(selection).map(Message::from));
    if selection.expected.iter().any(|row| row.lower.is_some()) {
        warnings.push(
            "the interval covers about nine cases of ten if the population is selected by its features or not at all, and about seven of \
             ten if it is selected by the class, alone or together with features: fewer where a column tells almost the class"
                .into());
    }
    warnings
}

/// The column that shifts most.
fn telling_column(selection: &Selection) -> Option<&str> {
    let columns = selection.shift.diagnosis.columns.iter().filter(|column| column.is_shown);
    columns.max_by(|a, b| a.psi.total_cmp(&b.psi)).map(|column| column.column.as_str())
}

/// Rows of the population that stand in the labelled table too, where they are most of it.
fn seen_before(selection: &Selection) -> Option<String> {
    let judged = selection.shift.diagnosis.domain.judged()?;
    let (twins, rows) = (judged.twins.population, selection.population.rows);
    let is_other_file = selection.training.sha256 != selection.population.sha256;
    (is_other_file && 2 * twins >= rows).then(|| {
        format!(
            "{twins} of {rows} rows of the population have an equal row in the labelled table: if they are the same cases, models have seen \
             them, and what is said of the population is too good"
        )
    })
}

/// What is doubtful about labels that were given back.
fn label_warnings(labels: &LabelsFound) -> Vec<String> {
    let mut warnings = Vec::new();
    if labels.of_agreed_rows > 0 {
        warnings.push(format!(
            "{} of rows on which all learners agree; they say nothing about which learner is better",
            match labels.of_agreed_rows {
                1 => "1 of the labels is".to_owned(),
                n => format!("{n} of the labels are"),
            }
        ));
    }
    if labels.labels > 0 && !labels.are_as_drawn {
        warnings.push(
            "the labelled rows are not the first of those that were drawn: if rows were left out because they are hard, or chosen by \
             hand, what the labels estimate is biased"
                .to_owned(),
        );
    }
    warnings
}
