//! What acting on the lists brings in, as tables: models beside policies that take none, and other lengths of the list.

use tribunal::{AtCapacity, BaselineDecision, BaselinePolicy, Decision, Evaluation, ModelDecision, Policy};
use tribunal_eval::decisions::{Figure, OptimismCorrection};

use crate::document::{Align, Cell, Mark, Part, Table, plain_row};
use crate::number::{count, figure, interval_of, p_value, percent};

/// Other lengths of the list are shown for so many models, the best first.
const MOST_WITH_DEPTHS: usize = 2;

/// Everything about the decision; nothing where nobody asked.
pub(crate) fn parts(results: &Evaluation) -> Vec<Part> {
    let Some(decision) = &results.decision else { return Vec::new() };
    let ranked = ranked(results, decision);
    let mut parts = vec![Part::Table(policies(decision, &ranked))];
    parts.extend(optimism(&ranked).map(Part::Paragraph));
    let with_depths = ranked.iter().take(MOST_WITH_DEPTHS);
    parts.extend(with_depths.filter_map(|model| depths(decision, model)).map(Part::Table));
    parts
}

/// The models from the best down.
fn ranked<'a>(results: &Evaluation, decision: &'a Decision) -> Vec<&'a ModelDecision> {
    let place = |model: &&ModelDecision| {
        let known = results.verdict.ranking.iter().position(|name| *name == model.model);
        known.unwrap_or(usize::MAX)
    };
    let mut ranked: Vec<&ModelDecision> = decision.models.iter().collect();
    ranked.sort_by_key(place);
    ranked
}

/// The columns that have something in them.
struct Currencies {
    amount: bool,
    profit: bool,
}

/// A line a model and a policy without a model.
fn policies(decision: &Decision, ranked: &[&ModelDecision]) -> Table {
    let has = Currencies {
        amount: decision.models.iter().any(|model| model.amount.is_some()),
        profit: decision.models.iter().any(|model| model.profit.is_some()),
    };
    let is_cut = decision.policy != Policy::CaseByCase;
    let mut columns = vec![("acting by".to_owned(), Align::Left)];
    let mut name = |shown: bool, column: &str| {
        if shown {
            columns.push((column.to_owned(), Align::Right));
        }
    };
    name(true, "cases");
    name(is_cut, "down to score");
    name(true, "positives");
    name(has.amount, "amount");
    name(has.profit, if decision.policy == Policy::BestCut { "profit on new cases" } else { "profit" });
    name(true, "best model's lead, p");
    let line =
        |first: Cell, cases: f64, score: Option<String>, figures: [Option<&Figure>; 3], lead: String| {
            let [hits, amount, profit] = figures;
            let mut cells = vec![first, count(rounded(cases)).into()];
            if is_cut {
                cells.push(score.unwrap_or_default().into());
            }
            cells.push(with_ends(hits).into());
            if has.amount {
                cells.push(with_ends(amount).into());
            }
            if has.profit {
                cells.push(with_ends(profit).into());
            }
            cells.push(lead.into());
            cells
        };
    let of_model = |(place, model): (usize, &&ModelDecision)| {
        let mark = if place == 0 { Mark::Best } else { Mark::None };
        let first = Cell { text: model.model.clone(), mark };
        let score = model.score.map_or_else(|| "above all".into(), |score| score.to_string());
        let figures = [Some(&model.hits), model.amount.as_ref(), model.profit.as_ref()];
        line(first, model.acted, Some(score), figures, lead_over(decision, ranked[0], model))
    };
    let of_baseline = |baseline: &BaselineDecision| {
        let figures = [Some(&baseline.hits), baseline.amount.as_ref(), baseline.profit.as_ref()];
        let lead = baseline
            .beaten_by
            .map(|lead| format!("{}, {}", figure(lead.difference), p_value(lead.p_adjusted)));
        line(policy_name(baseline.policy).into(), baseline.acted, None, figures, lead.unwrap_or_default())
    };
    let models = ranked.iter().enumerate().map(of_model);
    let rows = models.chain(decision.baselines.iter().map(of_baseline)).collect();
    let lists = match decision.models.first().and_then(|model| model.at_capacity.as_ref()) {
        Some(at) if at.hits.capacity.to_string().contains('/') => {
            format!(", in lists of {} cases", count(decision.list_size))
        }
        _ => String::new(),
    };
    let title = match decision.policy {
        Policy::TopOfList => format!("Acting on the top of the list{lists}"),
        Policy::CaseByCase => format!("Acting where it is expected to pay{lists}"),
        Policy::BestCut => "Acting on everybody above the cut that earns most".to_owned(),
    };
    Table { title, columns, rows }
}

fn policy_name(policy: BaselinePolicy) -> &'static str {
    match policy {
        BaselinePolicy::Nobody => "(nobody)",
        BaselinePolicy::Everybody => "(everybody)",
        BaselinePolicy::AtRandom => "(as many at random)",
        BaselinePolicy::LargestAmounts => "(as many, largest amounts)",
        BaselinePolicy::Ceiling => "(ceiling: exactly where it pays)",
    }
}

/// The lead of the best model over another.
fn lead_over(decision: &Decision, best: &ModelDecision, other: &ModelDecision) -> String {
    let is_between = |a: &str, b: &str| a == best.model && b == other.model;
    let test =
        decision.comparisons.iter().find(|test| is_between(&test.a, &test.b) || is_between(&test.b, &test.a));
    test.map_or_else(String::new, |test| {
        let sign = if test.a == best.model { 1.0 } else { -1.0 };
        format!(
            "{}, {}",
            figure(sign * test.difference),
            test.p_adjusted.map_or_else(|| "n/a".into(), p_value)
        )
    })
}

/// How the choice of the cut was taken off.
fn optimism(ranked: &[&ModelDecision]) -> Option<String> {
    let shown = |model: &&ModelDecision| {
        let best = model.best_cut.as_ref()?;
        let how = match best.correction {
            OptimismCorrection::OutOfBag { n_replicates } => {
                format!("judged by the cases that {n_replicates} bootstrap replicates left out")
            }
            OptimismCorrection::Folds { n_folds } => {
                format!("each of {n_folds} folds judged at the cut that was best on the others")
            }
            _ => "nothing was chosen, for acting on nobody or on everybody is best".to_owned(),
        };
        let by_rank = best.list.by_rank.as_ref().map_or_else(String::new, |rank| {
            format!(
                "; in the order of the rows {} cases would earn {}, but they cut through tied scores",
                count(rank.cases),
                figure(rank.profit)
            )
        });
        Some(format!("{} {} ({how}{by_rank})", model.model, figure(best.list.profit)))
    };
    let all: Vec<String> = ranked.iter().filter_map(shown).collect();
    (!all.is_empty()).then(|| {
        format!(
            "On the cases that chose them the best cuts earn more than new cases will: {}.",
            all.join("; ")
        )
    })
}

/// What other lengths of the list bring in.
fn depths(decision: &Decision, model: &ModelDecision) -> Option<Table> {
    let first = model.depths.first()?;
    let mut names =
        vec!["cases", "share", "down to score", "positives", "next list", "precision", "lift", "missed"];
    let (has_amount, has_profit) = (first.amount.is_some(), first.profit.is_some());
    names.extend(has_amount.then_some("amount"));
    names.extend(has_profit.then_some("profit"));
    names.push(if has_profit { "one case more earns" } else { "one case more finds" });
    let line = |at: &AtCapacity| {
        let hits = &at.hits;
        let next = hits
            .hits_in_next_list
            .interval
            .map(|ends| format!("{} - {}", count(ends.lower), count(ends.upper)));
        let marginal = at.profit.as_ref().map_or(&hits.marginal_rate, |profit| &profit.marginal);
        let mut cells = vec![
            count(rounded(hits.capacity.cases())),
            percent(hits.share),
            hits.last_score.to_string(),
            with_ends(Some(&hits.hits)),
            next.unwrap_or_default(),
            with_ends(Some(&hits.precision)),
            figure(hits.lift.value),
            with_ends(Some(&hits.missed)),
        ];
        cells.extend(at.amount.as_ref().map(|amount| with_ends(Some(&amount.total))));
        cells.extend(at.profit.as_ref().map(|profit| with_ends(Some(&profit.total))));
        cells.push(with_ends(Some(marginal)));
        plain_row(cells)
    };
    let lists = match hits_are_scaled(decision, first) {
        true => format!(", in lists of {} cases", count(decision.list_size)),
        false => String::new(),
    };
    Some(Table {
        title: format!("Other lengths of the list of {}{lists}", model.model),
        columns: names.into_iter().map(|name| (name.to_owned(), Align::Right)).collect(),
        rows: model.depths.iter().map(line).collect(),
    })
}

/// Whether figures speak of lists of another length than the one at hand.
fn hits_are_scaled(decision: &Decision, at: &AtCapacity) -> bool {
    decision.policy == Policy::TopOfList && at.hits.capacity.to_string().contains('/')
}

fn with_ends(shown: Option<&Figure>) -> String {
    let Some(shown) = shown else { return String::new() };
    let ends = shown.interval.and_then(|ends| interval_of(shown.value, Some(ends.lower), Some(ends.upper)));
    let value = if (shown.value - shown.value.round()).abs() < 1e-9 {
        count(shown.value.round())
    } else {
        figure(shown.value)
    };
    match ends {
        Some(ends) => format!("{value} {ends}"),
        None => value,
    }
}

/// A number of cases without the dust of sums.
fn rounded(cases: f64) -> f64 {
    if (cases - cases.round()).abs() < 1e-6 { cases.round() } else { cases }
}
