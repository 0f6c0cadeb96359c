//! What acting on the lists brings in, as tables: models beside policies that take none, and other lengths of the list.

use tribunal::{
    AtCapacity, BaselineDecision, BaselinePolicy, DecideBy, Decision, Evaluation, ModelDecision, Policy,
};
use tribunal_eval::decisions::{IntervalEstimate, OptimismCorrection};

use crate::csv_rows::comparison;
use crate::document::{Align, Cell, Mark, Part, Table, plain_row};
use crate::number::{count, figure, interval_of, p_value, part_of_cases, percent, rate};

/// Other lengths of the list are shown for so many models, the best first.
const MOST_WITH_DEPTHS: usize = 1;

/// A decision with what its reader has to know beside it.
pub(crate) struct DecisionTables<'a> {
    pub(crate) decision: &'a Decision,
    /// The models from the best down.
    pub(crate) ranking: &'a [String],
    /// Those that cannot be told apart from the best.
    pub(crate) level_with_best: &'a [String],
    /// Whether figures speak of lists of another length than that at hand.
    pub(crate) is_of_lists: bool,
    /// By which rows and scores it was judged, where titles have to say so.
    pub(crate) judged_by: String,
}

/// Everything about the decision; nothing where nobody asked.
pub(crate) fn parts(results: &Evaluation) -> Vec<Part> {
    let Some(decision) = &results.decision else { return Vec::new() };
    let is_of_lists = results.request.decision.capacity.is_some_and(|capacity| capacity.is_of_lists());
    let (ranking, level_with_best) = (&results.verdict.ranking, &results.verdict.level_with_best);
    let mut parts =
        DecisionTables { decision, ranking, level_with_best, is_of_lists, judged_by: String::new() }.parts();
    let margin = results.request.margin;
    let is_beyond_margin = margin > 0.0 && decision.by.to_string() == results.verdict.metric;
    if is_beyond_margin && decision.models.len() > 1 {
        let said = format!(
            "The p of a model is that of a lead of more than {}, the p of a policy without a model that of any lead.",
            figure(margin)
        );
        parts.insert(1, Part::Paragraph(said));
    }
    parts
}

impl DecisionTables<'_> {
    /// The models beside policies that take none, what best cuts flatter, and other lengths of the best list.
    pub(crate) fn parts(&self) -> Vec<Part> {
        let decision = self.decision;
        let ranked = ranked(self.ranking, decision);
        let lists = match self.is_of_lists {
            true if decision.list_size == 1.0 => ", in lists of 1 case".to_owned(),
            true => format!(", in lists of {} cases", count(decision.list_size)),
            false => String::new(),
        };
        let lists = match decision.base_rate {
            Some(base_rate) => format!("{lists}, at a base rate of {}", rate(base_rate)),
            None => lists,
        };
        let lists = format!("{lists}{}", self.judged_by);
        let mut parts = vec![Part::Table(policies(decision, &ranked, self.level_with_best, &lists))];
        parts.extend(optimism(&ranked).map(Part::Paragraph));
        parts.extend(best_depths(&ranked).map(Part::Paragraph));
        let with_depths = ranked.iter().take(MOST_WITH_DEPTHS);
        parts.extend(with_depths.filter_map(|model| depths(decision, model, &lists)).map(Part::Table));
        parts
    }
}

/// The figures of the decision as rows of CSV, models first, then policies without a model in parentheses, then differences.
pub(crate) fn csv_rows(decision: &Decision) -> impl Iterator<Item = [String; 19]> {
    csv_figures(decision).chain(decision.comparisons.iter().map(comparison))
}

/// The same without the differences.
pub(crate) fn csv_figures(decision: &Decision) -> impl Iterator<Item = [String; 19]> {
    let of_model = |model: &ModelDecision| {
        figures_of(&model.model, [Some(&model.hits), model.amount.as_ref(), model.profit.as_ref()])
    };
    let of_baseline = |baseline: &BaselineDecision| {
        let figures = [Some(&baseline.hits), baseline.amount.as_ref(), baseline.profit.as_ref()];
        figures_of(policy_name(baseline.policy), figures)
    };
    let models = decision.models.iter().flat_map(of_model);
    let baselines = decision.baselines.iter().flat_map(of_baseline);
    models.chain(baselines)
}

/// Hits, amount and profit of a policy, as far as they are known.
fn figures_of(name: &str, figures: [Option<&IntervalEstimate>; 3]) -> Vec<[String; 19]> {
    let row = |(metric, figure): (&str, Option<&IntervalEstimate>)| {
        let figure = figure?;
        let number = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
        let ends = figure.interval;
        let mut cells: [String; 19] = Default::default();
        (cells[0], cells[2], cells[3]) = (name.to_owned(), metric.to_owned(), "decision".to_owned());
        cells[7] = figure.value.to_string();
        cells[9] = number(ends.map(|ends| ends.lower));
        cells[10] = number(ends.map(|ends| ends.upper));
        cells[11] = number(ends.map(|ends| ends.level.get()));
        cells[12] = ends.map_or_else(String::new, |ends| ends.method.name().to_owned());
        cells[18] = figure.no_interval.as_ref().map_or_else(String::new, ToString::to_string);
        Some(cells)
    };
    ["hits", "amount", "profit"].into_iter().zip(figures).filter_map(row).collect()
}

/// The models from the best down.
fn ranked<'a>(ranking: &[String], decision: &'a Decision) -> Vec<&'a ModelDecision> {
    let place = |model: &&ModelDecision| {
        let known = ranking.iter().position(|name| *name == model.model);
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
fn policies(decision: &Decision, ranked: &[&ModelDecision], level: &[String], lists: &str) -> Table {
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
    // The cut was chosen on the cases that are counted here.
    name(true, if decision.policy == Policy::BestCut { "positives here" } else { "positives" });
    name(has.amount, "amount");
    name(has.profit, if decision.policy == Policy::BestCut { "profit on new cases" } else { "profit" });
    name(true, "best model's lead, p");
    let line = |first: Cell,
                cases: f64,
                score: Option<String>,
                figures: [Option<&IntervalEstimate>; 3],
                lead: String| {
        let [hits, amount, profit] = figures;
        let mut cells = vec![first, count(rounded(cases)).into()];
        if is_cut {
            cells.push(score.unwrap_or_default().into());
        }
        cells.push(hits.map_or_else(String::new, in_cases).into());
        if has.amount {
            cells.push(amount.map_or_else(String::new, in_money).into());
        }
        if has.profit {
            cells.push(profit.map_or_else(String::new, in_money).into());
        }
        cells.push(lead.into());
        cells
    };
    let of_model = |(place, model): (usize, &&ModelDecision)| {
        let mark = match place {
            0 => Mark::Best,
            _ if level.contains(&model.model) => Mark::Level,
            _ => Mark::None,
        };
        let first = Cell { text: model.model.clone(), mark };
        let score = model.score.map_or_else(|| "above all".into(), |score| score.to_string());
        let figures = [Some(&model.hits), model.amount.as_ref(), model.profit.as_ref()];
        line(first, model.acted, Some(score), figures, lead_over(decision, ranked[0], model))
    };
    let of_baseline = |baseline: &BaselineDecision| {
        let figures = [Some(&baseline.hits), baseline.amount.as_ref(), baseline.profit.as_ref()];
        let lead = baseline
            .beaten_by
            .map(|lead| format!("{}, {}", money(lead.difference), p_value(lead.p_adjusted)));
        line(
            named_policy(decision, baseline.policy).into(),
            baseline.acted,
            None,
            figures,
            lead.unwrap_or_default(),
        )
    };
    let models = ranked.iter().enumerate().map(of_model);
    let rows = models.chain(decision.baselines.iter().map(of_baseline)).collect();
    let title = match decision.policy {
        Policy::TopOfList => format!("Acting on the top of the list{lists}"),
        Policy::CaseByCase => format!("Acting where it is expected to pay{lists}"),
        Policy::BestCut => format!("Acting on everybody above the cut that earns most{lists}"),
    };
    Table { title, columns, rows }
}

/// A policy by what it does where this decides.
fn named_policy(decision: &Decision, policy: BaselinePolicy) -> &'static str {
    match (policy, decision.by) {
        (BaselinePolicy::Ceiling, DecideBy::Hits) => "(ceiling: all positives first)",
        (BaselinePolicy::Ceiling, DecideBy::Amount) => "(ceiling: the largest true amounts first)",
        (policy, _) => policy_name(policy),
    }
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
        if test.p.is_none() && test.difference == 0.0 {
            return "acts on the same cases".to_owned();
        }
        let sign = if test.a == best.model { 1.0 } else { -1.0 };
        let p = test.p_adjusted.map_or_else(|| "n/a".into(), p_value);
        format!("{}, {p}", money(sign * test.difference))
    })
}

/// What the best cuts bring in on the cases that chose them, and how new cases were judged.
fn optimism(ranked: &[&ModelDecision]) -> Option<String> {
    let shown = |model: &&ModelDecision| {
        let best = &model.best_cut.as_ref()?.list;
        let by_rank = best.by_rank.as_ref().map_or_else(String::new, |rank| {
            let (cases, profit) = (count(rank.cases), money(rank.profit));
            format!(" (in the order of the rows {cases} cases would bring in {profit}, but they cut through tied scores)")
        });
        Some(format!("{} {}{by_rank}", model.model, money(best.profit)))
    };
    let all: Vec<String> = ranked.iter().filter_map(shown).collect();
    let how = ranked.iter().find_map(|model| how(model.best_cut.as_ref()?.correction)).unwrap_or_default();
    let cuts =
        format!("On the very cases that chose them the best cuts bring in more: {}.{how}", all.join(", "));
    (!all.is_empty()).then_some(cuts)
}

/// Where the next case no longer pays, as far as that is known; nothing where no replicates tell.
fn best_depths(ranked: &[&ModelDecision]) -> Option<String> {
    let shown = |model: &&ModelDecision| {
        let depth = &model.best_cut.as_ref()?.depth;
        depth.interval?;
        Some(format!("{} {}", model.model, in_cases(depth)))
    };
    let all: Vec<String> = ranked.iter().filter_map(shown).collect();
    let depths = format!(
        "Where the next case no longer pays is less sure than what the list brings in; after so many cases: {}.",
        all.join(", ")
    );
    (!all.is_empty()).then_some(depths)
}

/// In which way the optimism was taken off; nothing where nothing was chosen.
fn how(correction: OptimismCorrection) -> Option<String> {
    match correction {
        OptimismCorrection::OutOfBag { n_replicates } => Some(format!(
            " What new cases will bring in was judged by the cases that {n_replicates} bootstrap replicates left out."
        )),
        OptimismCorrection::Folds { n_folds } => Some(format!(
            " What new cases will bring in was judged on each of {n_folds} folds at the cut that was best on the others."
        )),
        _ => None,
    }
}

/// What other lengths of the list bring in.
fn depths(decision: &Decision, model: &ModelDecision, lists: &str) -> Option<Table> {
    let first = model.depths.first()?;
    let is_by_score = decision.policy != Policy::CaseByCase;
    let down_to = if is_by_score { "down to score" } else { "down to expected benefit" };
    let mut names = vec!["cases", "share", down_to, "positives", "next list", "precision", "missed"];
    names.extend(first.amount.is_some().then_some("amount"));
    names.extend(first.profit.is_some().then_some("profit"));
    names.push(if first.profit.is_some() { "a case more earns" } else { "a case more finds" });
    let line = |at: &AtCapacity| {
        let hits = &at.hits;
        let next = hits.hits_in_next_list.interval;
        let next = next.map(|ends| format!("{} to {}", count(ends.lower.floor()), count(ends.upper.ceil())));
        let mut cells = vec![
            count(rounded(hits.capacity.cases())),
            percent(hits.share),
            if is_by_score { hits.threshold.to_string() } else { money(hits.threshold) },
            in_cases(&hits.hits),
            next.unwrap_or_default(),
            with_ends(&hits.precision),
            in_cases(&hits.missed),
        ];
        cells.extend(at.amount.as_ref().map(|amount| in_money(&amount.total)));
        cells.extend(at.profit.as_ref().map(|profit| in_money(&profit.total)));
        cells.push(match &at.profit {
            Some(profit) => in_money(&profit.marginal),
            None => with_ends(&hits.marginal_rate),
        });
        plain_row(cells)
    };
    Some(Table {
        title: format!("Other lengths of the list of {}{lists}", model.model),
        columns: names.into_iter().map(|name| (name.to_owned(), Align::Right)).collect(),
        rows: model.depths.iter().map(line).collect(),
    })
}

/// A figure with its interval.
fn with_ends(shown: &IntervalEstimate) -> String {
    let ends = shown.interval.and_then(|ends| interval_of(shown.value, Some(ends.lower), Some(ends.upper)));
    match ends {
        Some(ends) => format!("{} {ends}", figure(shown.value)),
        None => figure(shown.value),
    }
}

/// A number of cases with its interval, whose ends are whole where there are many.
pub(crate) fn in_cases(shown: &IntervalEstimate) -> String {
    const MANY: f64 = 10.0;
    let is_whole = (shown.value - shown.value.round()).abs() < if shown.value < 1.0 { 1e-6 } else { 0.05 };
    let value = match is_whole || shown.value >= 100.0 {
        true => count(shown.value.round()),
        false => part_of_cases(shown.value),
    };
    match shown.interval {
        Some(ends) if ends.lower >= MANY => {
            format!("{value} [{}, {}]", count(ends.lower.floor()), count(ends.upper.ceil()))
        }
        Some(ends) => format!("{value} [{}, {}]", part_of_cases(ends.lower), part_of_cases(ends.upper)),
        None => value,
    }
}

/// An amount of money with its interval.
pub(crate) fn in_money(shown: &IntervalEstimate) -> String {
    match shown.interval {
        Some(ends) => format!("{} [{}, {}]", money(shown.value), money(ends.lower), money(ends.upper)),
        None => money(shown.value),
    }
}

/// An amount without cents where it is large.
fn money(value: f64) -> String {
    // Sums of whole numbers may end in dust.
    let dust = 1e-9 * value.abs();
    let value = if (value - value.round()).abs() <= dust { value.round() } else { value };
    match value.abs() {
        v if v >= 100.0 => count(value.round()),
        v if v >= 1.0 && value.fract() != 0.0 => format!("{value:.2}"),
        v if v >= 1.0 => count(value),
        _ => figure(value),
    }
}

/// A number of cases without the dust of sums.
fn rounded(cases: f64) -> f64 {
    if (cases - cases.round()).abs() < 1e-6 { cases.round() } else { cases }
}
