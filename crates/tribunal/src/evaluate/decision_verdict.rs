//! The answer to somebody who acts on a list: whose list, what it brings in, and against what.

use tribunal_eval::decisions::IntervalEstimate;
use tribunal_eval::intervals::Level;

use super::warnings::together;
use crate::decision::{BaselineDecision, BaselinePolicy, DecideBy, Decides, Decision, ModelDecision, Policy};
use crate::results::{Comparison, Verdict};
use crate::words::{Positives, cases, counted, money, p_in_words, share};

/// A verdict in the words of the question.
pub(super) struct DecisionAnswer<'a> {
    pub(super) decision: &'a Decision,
    pub(super) level: Level,
    /// Differences up to this do not matter, in units of what decides.
    pub(super) margin: f64,
    /// The rule that decides case by case, in words.
    pub(super) rule: Option<String>,
    /// What cases of the positive class are called.
    pub(super) positives: Positives,
    /// What the ranking metrics say, as evidence.
    pub(super) evidence: Verdict,
}

impl DecisionAnswer<'_> {
    pub(super) fn verdict(self) -> Verdict {
        let ranked = self.ranked();
        let Some(&best) = ranked.first() else { return self.evidence };
        let others = || ranked.iter().skip(1).copied();
        let (worse, level): (Vec<&ModelDecision>, Vec<&ModelDecision>) =
            others().partition(|other| self.is_real(self.between(best, other)));
        let names =
            |models: &[&ModelDecision]| models.iter().map(|model| model.model.clone()).collect::<Vec<_>>();
        let mut sentences = match self.better_without(best) {
            Some(sentences) => sentences.to_vec(),
            None => std::iter::once(self.headline(best)).chain(self.beside_baseline(best)).collect(),
        };
        if let (Some(base_rate), Some(headline)) = (self.decision.base_rate, sentences.first_mut()) {
            *headline = at_base_rate(base_rate, headline);
        }
        sentences.extend(self.level_sentence(best, &level));
        sentences.extend(self.worse_sentence(best, &worse));
        sentences.push(format!("The rankings as evidence: {}", self.evidence.sentence));
        Verdict {
            sentence: sentences.join(" "),
            metric: self.decision.by.to_string(),
            ranking: names(&ranked),
            level_with_best: names(&level),
            worse: names(&worse),
            test: others().next().and_then(|second| self.between(best, second)).map(|test| test.test),
            margin: self.margin,
            ..self.evidence
        }
    }

    /// The models from the best down.
    fn ranked(&self) -> Vec<&ModelDecision> {
        let value = |model: &ModelDecision| model.by(self.decision.by).map(|figure| figure.value);
        let mut ranked: Vec<&ModelDecision> =
            self.decision.models.iter().filter(|model| value(model).is_some()).collect();
        ranked.sort_by(|a, b| value(b).partial_cmp(&value(a)).unwrap_or(std::cmp::Ordering::Equal));
        ranked
    }

    /// The answer: what to do, by whose list, and what that brings in.
    fn headline(&self, best: &ModelDecision) -> String {
        let name = &best.model;
        let found = self.found(best);
        match self.decision.policy {
            Policy::TopOfList => format!("Act on {}: {name} {found}.", self.capacity(best)),
            Policy::BestCut => {
                let score =
                    best.score.map_or_else(String::new, |score| format!(" with a score of {score} or more"));
                format!(
                    "Act on the {}{score} by {name}, {} of the list: it {found}.",
                    counted(best.acted),
                    share(best.share)
                )
            }
            Policy::CaseByCase => format!(
                "Act on the {} that {} chooses by the probabilities of {name}: it {found}.",
                counted(best.acted),
                self.rule.as_deref().map_or("the rule", |rule| match rule {
                    "expected" => "the rule of expected benefits",
                    named => named,
                })
            ),
        }
    }

    /// That acting on nobody or on everybody brings in as much as the best list, and what that brings in.
    fn better_without(&self, best: &ModelDecision) -> Option<[String; 2]> {
        let floor = self.floor().filter(|_| self.decision.by == DecideBy::Profit)?;
        let (profit, ours) = (floor.profit.as_ref()?, best.profit.as_ref()?);
        let who = match floor.policy {
            BaselinePolicy::Nobody => "nobody",
            BaselinePolicy::Everybody => "everybody",
            _ => return None,
        };
        if profit.value < ours.value {
            return None;
        }
        let is_alone = self.decision.models.len() == 1;
        let list =
            if is_alone { format!("the list of {} is not", best.model) } else { "no model's list is".into() };
        let (does, ends) = (earns(profit.value), ends_of_profit(profit));
        let headline = format!("Act on {who}: that {does}{ends}, and {list} expected to bring in more.");
        let tested = floor.beaten_by.map_or_else(String::new, |lead| {
            if profit.value == 0.0 {
                return format!(", {} against {who}", p_in_words(lead.p_adjusted));
            }
            let ends = self.ends_in_words(-1.0, Some((lead.lower, lead.upper)));
            // Of what costs, less profit is more.
            let less = if ours.value < 0.0 { "more" } else { "less" };
            format!(", {} {less} ({ends}, {})", money(-lead.difference), p_in_words(lead.p_adjusted))
        });
        let of_models = if is_alone { "" } else { ", the best of the models," };
        let (does, ends) = (earns(ours.value), ends_of_profit(ours));
        Some([headline, format!("{}{of_models} {does}{ends}{tested}.", best.model)])
    }

    /// The best policy without a model.
    fn floor(&self) -> Option<&BaselineDecision> {
        let value = |one: &BaselineDecision| {
            one.by(self.decision.by).map_or(f64::NEG_INFINITY, |figure| figure.value)
        };
        let floors = self.decision.baselines.iter().filter(|one| one.policy != BaselinePolicy::Ceiling);
        floors.reduce(|a, b| if value(b) > value(a) { b } else { a })
    }

    /// What is acted on of how many.
    fn capacity(&self, best: &ModelDecision) -> String {
        let of_lists = best.at_capacity.as_ref().is_some_and(|at| at.hits.capacity.is_of_lists());
        let every = if of_lists { "every " } else { "" };
        format!("{} of {every}{}", cases(best.acted), counted(self.decision.list_size))
    }

    /// What a list brings in, what decides first.
    fn found(&self, model: &ModelDecision) -> String {
        let hits = || {
            let found = self.positives.counted(model.hits.value);
            format!("finds {found}{}", ends_of_hits(&model.hits))
        };
        let next = match (&model.at_capacity, self.decision.by) {
            (Some(at), DecideBy::Hits) => at.hits.hits_in_next_list.interval,
            _ => None,
        };
        let next = next.map_or_else(String::new, |next| {
            format!(", {} to {} in any one such list", cases(next.lower), cases(next.upper))
        });
        let amount = || {
            model
                .amount
                .as_ref()
                .map(|amount| format!("worth {}{}", money(amount.value), ends(amount, money)))
        };
        match (self.decision.by, &model.profit) {
            (DecideBy::Profit, Some(profit)) => {
                let (new, here) = match model.best_cut.is_some() {
                    true => (" on new cases", ", on the cases at hand,"),
                    false => ("", ""),
                };
                format!("{}{new}{} and{here} {}", earns(profit.value), ends_of_profit(profit), hits())
            }
            (DecideBy::Amount, _) => {
                let worth = amount().unwrap_or_default();
                format!("{}, {worth}", hits())
            }
            _ => match amount() {
                Some(worth) => format!("{}{next}, {worth}", hits()),
                None => format!("{}{next}", hits()),
            },
        }
    }

    /// What the best policy without a model brings in beside it.
    fn beside_baseline(&self, best: &ModelDecision) -> Option<String> {
        let by = self.decision.by;
        let value = |one: &BaselineDecision| one.by(by).map_or(f64::NEG_INFINITY, |figure| figure.value);
        let floor = self.floor()?;
        let amount = self.amount_in_words(value(floor));
        let doing = match floor.policy {
            BaselinePolicy::Nobody => "Acting on nobody",
            BaselinePolicy::Everybody => "Acting on everybody",
            BaselinePolicy::AtRandom => "As many cases at random",
            BaselinePolicy::LargestAmounts => "As many cases by the largest amounts",
            BaselinePolicy::Ceiling => return None,
        };
        let verb = match (by, floor.policy) {
            (DecideBy::Profit, BaselinePolicy::Nobody | BaselinePolicy::Everybody) => earns(value(floor)),
            (DecideBy::Profit, _) if value(floor) < 0.0 => format!("would cost {}", money(-value(floor))),
            (DecideBy::Profit, _) => format!("would earn {amount}"),
            (DecideBy::Amount, _) => format!("are worth {amount}"),
            _ => format!("hold {amount}"),
        };
        let name = &best.model;
        let verdict = floor.beaten_by.map_or_else(String::new, |lead| {
            let is_real = lead.p_adjusted < self.level.alpha();
            let is_ahead = lead.difference > 0.0;
            let sign = if is_ahead || !is_real { 1.0 } else { -1.0 };
            let ends = self.ends_in_words(sign, Some((lead.lower, lead.upper)));
            let difference = self.amount_in_words(sign * lead.difference);
            let tested = format!("{difference} more ({ends}, {})", p_in_words(lead.p_adjusted));
            match (by, is_real, is_ahead) {
                (_, false, _) => format!(
                    "; that {name} brings in more is not shown ({difference}, {ends}, {})",
                    p_in_words(lead.p_adjusted)
                ),
                (_, true, false) => format!(", {tested} than {name}"),
                (DecideBy::Profit, true, true) if value(floor) < 0.0 => {
                    format!(": {name} saves {difference} ({ends}, {})", p_in_words(lead.p_adjusted))
                }
                (DecideBy::Profit, true, true) => format!(": {name} earns {tested}"),
                _ => format!(": {name} finds {tested}"),
            }
        });
        Some(format!("{doing} {verb}{verdict}."))
    }

    fn level_sentence(&self, best: &ModelDecision, level: &[&ModelDecision]) -> Option<String> {
        let nearest = level.first()?;
        let tested = match self.between(best, nearest) {
            Some(test) => format!("difference {}", self.tested(test, best)),
            None => "without a test of the difference".to_owned(),
        };
        let others = together(level.iter().skip(1).map(|model| model.model.as_str()));
        let others = others.map_or_else(String::new, |others| format!("; nor can {others}"));
        let acts_alike =
            self.between(best, nearest).is_some_and(|test| test.p.is_none() && test.difference == 0.0);
        let (name, does, best) = (&nearest.model, self.does(nearest), &best.model);
        if acts_alike {
            return Some(format!(
                "{name} acts on the same cases as {best}{}.",
                others.replace("; nor can", "; neither can")
            ));
        }
        let cannot = match self.margin > 0.0 {
            true => format!("be shown to be worse than {best} by more than {}", self.margin),
            false => format!("be told apart from {best}"),
        };
        Some(format!("{name} {does} and cannot {cannot} ({tested}){others}."))
    }

    fn worse_sentence(&self, best: &ModelDecision, worse: &[&ModelDecision]) -> Option<String> {
        let nearest = worse.first()?;
        let tested = self.tested(self.between(best, nearest)?, best);
        let others = together(worse.iter().skip(1).map(|model| model.model.as_str()));
        let others = others.map_or_else(String::new, |others| format!("; so is that of {others}"));
        let real = match self.margin > 0.0 {
            true => format!("the difference is shown to be more than {}", self.margin),
            false => "the difference is real".to_owned(),
        };
        Some(format!("{} {}: {real} ({tested}){others}.", nearest.model, self.does(nearest)))
    }

    /// What a model's list brings in, in few words.
    fn does(&self, model: &ModelDecision) -> String {
        let value = model.by(self.decision.by).map_or(0.0, |figure| figure.value);
        match self.decision.by {
            DecideBy::Profit => earns(value),
            DecideBy::Amount => format!("finds {}", money(value)),
            _ => format!("finds {}", cases(value)),
        }
    }

    /// The test between two models.
    fn between(&self, one: &ModelDecision, other: &ModelDecision) -> Option<&Comparison> {
        let is_it = |test: &&Comparison| {
            (test.a == one.model && test.b == other.model) || (test.a == other.model && test.b == one.model)
        };
        self.decision.comparisons.iter().find(is_it)
    }

    fn is_real(&self, test: Option<&Comparison>) -> bool {
        test.and_then(|test| test.p_adjusted).is_some_and(|p| p < self.level.alpha())
    }

    /// The difference of two models with its interval and p value, seen from one of them.
    fn tested(&self, test: &Comparison, from: &ModelDecision) -> String {
        let sign = if test.a == from.model { 1.0 } else { -1.0 };
        let ends = test.lower.zip(test.upper);
        let adjusted = if self.decision.comparisons.len() > 1 { "adjusted " } else { "" };
        let p = test.p_adjusted.map_or_else(String::new, |p| format!(", {adjusted}{}", p_in_words(p)));
        format!("{}{p}", self.signed(sign, test.difference, ends))
    }

    fn signed(&self, sign: f64, difference: f64, ends: Option<(f64, f64)>) -> String {
        let ends = self.ends_in_words(sign, ends);
        format!("{}, {ends}", self.amount_in_words(sign * difference))
    }

    fn ends_in_words(&self, sign: f64, ends: Option<(f64, f64)>) -> String {
        let Some((one, other)) = ends.map(|(one, other)| (sign * one, sign * other)) else {
            return String::new();
        };
        format!("{} to {}", self.amount_in_words(one.min(other)), self.amount_in_words(one.max(other)))
    }

    /// A number of what decides.
    fn amount_in_words(&self, value: f64) -> String {
        match self.decision.by {
            DecideBy::Hits => cases(value),
            _ => money(value),
        }
    }
}

/// An answer that is read at another base rate.
fn at_base_rate(base_rate: f64, answer: &str) -> String {
    let mut signs = answer.chars();
    let first = signs.next().map_or_else(String::new, |first| first.to_lowercase().to_string());
    format!("At a base rate of {}, {first}{}", rate_in_words(base_rate), signs.as_str())
}

/// A base rate as it was asked for.
fn rate_in_words(rate: f64) -> String {
    let percent = 100.0 * rate;
    // Six places, or as many as it takes to say two digits.
    let places = (1.0 - percent.abs().log10().floor()).clamp(6.0, 12.0);
    let unit = 10.0_f64.powf(places);
    format!("{} %", (percent * unit).round() / unit)
}

/// That a choice by a metric stays at the base rate of the cases at hand.
pub(super) fn not_at_base_rate(decision: &Decision, metric: &str, own: Option<f64>) -> Option<String> {
    let there = rate_in_words(decision.base_rate?);
    let own = own.map_or_else(String::new, |own| format!(" of {}", share(own)));
    Some(format!(
        " This goes by {metric} at the base rate{own} of the cases at hand: a metric of all rows is not re-read at {there}, while hits, \
         amounts and profit below are."
    ))
}

/// What a profit is, in words: losses are costs.
fn earns(profit: f64) -> String {
    match profit {
        0.0 => "earns nothing".to_owned(),
        profit if profit > 0.0 => format!("earns {}", money(profit)),
        cost => format!("costs {}", money(-cost)),
    }
}

/// The ends of the interval of a profit; of a loss those of the cost.
fn ends_of_profit(profit: &IntervalEstimate) -> String {
    match profit.interval {
        Some(ends) if profit.value < 0.0 => {
            format!(" ({} to {})", money(-ends.upper), money(-ends.lower))
        }
        _ => ends(profit, money),
    }
}

/// The ends of the interval of a number of cases; of many whole ones, which hold at least as often.
fn ends_of_hits(hits: &IntervalEstimate) -> String {
    const MANY: f64 = 10.0;
    match hits.interval {
        Some(ends) if ends.lower >= MANY => {
            format!(" ({} to {})", cases(ends.lower.floor()), cases(ends.upper.ceil()))
        }
        _ => ends(hits, cases),
    }
}

/// The ends of an interval in parentheses.
fn ends(figure: &IntervalEstimate, words: fn(f64) -> String) -> String {
    figure
        .interval
        .map_or_else(String::new, |ends| format!(" ({} to {})", words(ends.lower), words(ends.upper)))
}
