//! What one model's list brings in.

use rayon::prelude::*;
use tribunal_eval::decisions::{
    Actions, BestListProfit, Capacity, CaseValues, Judge, ListLength, PolicyProfit, capacity_hits,
};
use tribunal_eval::intervals::Sampled;
use tribunal_eval::{Error as Refused, Ranking};

use super::Asked;
use super::table::ModelRows;
use crate::decision::{AtCapacity, BestCut, DecideBy, ModelDecision, Policy};

/// Replicates that correct the optimism of a best cut where nobody says how many.
const USUAL_REPLICATES: usize = 200;
/// Lengths of the list beside the capacity, as multiples of it.
const MULTIPLES: [f64; 5] = [0.25, 0.5, 1.0, 2.0, 4.0];
/// Lengths of the list where there is no capacity, as shares of it.
const SHARES: [f64; 7] = [0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0];

/// What acting by a model's scores does to the cases at hand, and what was found about it.
pub(super) struct ActedOn {
    /// Weight of all cases.
    pub(super) total: f64,
    /// Weight of the cases that are acted on.
    pub(super) acted: f64,
    /// What decides; at a cut that was chosen on these cases, less what the choice flatters.
    pub(super) deciding: PolicyProfit,
    /// What is done to each case.
    pub(super) actions: Actions,
    pub(super) result: ModelDecision,
}

/// What each case is worth in the three currencies.
pub(super) struct Values<'a> {
    pub(super) hits: CaseValues<'a>,
    pub(super) amount: Option<CaseValues<'a>>,
    pub(super) profit: Option<CaseValues<'a>>,
}

impl<'a> Values<'a> {
    pub(super) fn of(rows: &ModelRows<'a>) -> Result<Self, Refused> {
        Ok(Self {
            hits: rows.hits()?,
            amount: rows.amounts().transpose()?,
            profit: rows.benefits().transpose()?,
        })
    }

    /// Those by which models are ranked.
    pub(super) fn deciding(&self, by: DecideBy) -> &CaseValues<'a> {
        let values = match by {
            DecideBy::Amount => self.amount.as_ref(),
            DecideBy::Profit => self.profit.as_ref(),
            DecideBy::Hits | DecideBy::Metric(_) => None,
        };
        values.unwrap_or(&self.hits)
    }
}

/// The cases in the order in which they are acted on.
struct List<'a> {
    asked: &'a Asked<'a>,
    values: &'a Values<'a>,
    ranking: &'a Ranking,
    order: &'a [f64],
}

/// Which cases are acted on, and the best cut where one was looked for.
struct Chosen {
    actions: Actions,
    /// By the cut of all cases, where the actions are those of the cuts of folds.
    of_all: Option<Actions>,
    best: Option<BestListProfit>,
}

impl ActedOn {
    pub(super) fn of(asked: &Asked<'_>, rows: &ModelRows<'_>, name: &str) -> Result<Self, Refused> {
        let values = Values::of(rows)?;
        let expected: Vec<f64>;
        let order = match asked.policy {
            Policy::CaseByCase => {
                expected = rows.expected();
                &expected
            }
            Policy::TopOfList | Policy::BestCut => rows.score,
        };
        let ranking = Ranking::of(&rows.scored(order)?)?;
        let list = List { asked, values: &values, ranking: &ranking, order };
        let Chosen { actions, of_all, best } = list.choose(rows)?;

        let total = ranking.totals().total();
        let times = asked.list_size(total) / total;
        let figure = |values: &CaseValues<'_>| {
            let profit = values.profit(&actions)?;
            Ok::<_, Refused>(profit.expected(asked.level(), asked.base_rate()).times(times))
        };
        let mut deciding = match &of_all {
            Some(of_all) => values.deciding(asked.by).profit_of_folds(&actions, of_all)?,
            None => values.deciding(asked.by).profit(&actions)?,
        };
        if let Some(best) = best.as_ref().filter(|_| asked.by == DecideBy::Profit) {
            deciding = deciding.less_optimism(best.optimism);
        }
        let at_capacity = match asked.capacity() {
            Some(capacity) if asked.policy == Policy::TopOfList => Some(list.at(capacity)?),
            _ => None,
        };
        let on_new_cases = best.as_ref().map(|best| best.on_new_cases.clone());
        let profit = match on_new_cases {
            Some(on_new_cases) => Some(on_new_cases),
            None => values.profit.as_ref().map(figure).transpose()?,
        };
        let result = ModelDecision {
            model: name.to_owned(),
            acted: best.as_ref().map_or(deciding.acted, |best| best.best.cases) * times,
            share: best.as_ref().map_or(deciding.acted, |best| best.best.cases) / total,
            score: match asked.policy {
                Policy::TopOfList => actions.last_score(),
                Policy::BestCut => best.as_ref().and_then(|best| best.best.score),
                Policy::CaseByCase => None,
            }
            .map(|score| ranking.threshold_at(score)),
            hits: match &at_capacity {
                Some(at) => at.hits.hits.clone(),
                None => figure(&values.hits)?,
            },
            amount: values.amount.as_ref().map(figure).transpose()?,
            profit,
            best_cut: best.map(|best| BestCut {
                list: best.best,
                correction: best.correction,
                depth: best.depth.times(total * times),
            }),
            depths: list.depths()?,
            at_capacity,
        };
        Ok(Self { total, acted: deciding.acted, deciding, actions, result })
    }
}

impl ActedOn {
    /// Whether another model acts on the same cases, with the same figure of what decides.
    pub(super) fn acts_like(&self, other: &Self) -> bool {
        self.deciding.total == other.deciding.total && self.actions.shares() == other.actions.shares()
    }
}

impl List<'_> {
    /// Which cases are acted on.
    fn choose(&self, rows: &ModelRows<'_>) -> Result<Chosen, Refused> {
        let decision = &self.asked.request.decision;
        let fixed = |actions: Actions| Ok(Chosen { actions, of_all: None, best: None });
        if let Some(rule) = decision.rule {
            return fixed(self.within_capacity(rows.acts(rule)?)?);
        }
        match (decision.capacity, &self.values.profit) {
            (Some(capacity), _) => fixed(self.top(capacity)?),
            (None, Some(values)) => self.best_cut(rows, values),
            (None, None) => fixed(self.values.hits.nobody()),
        }
    }

    /// The first cases of the list.
    fn top(&self, capacity: Capacity) -> Result<Actions, Refused> {
        let share = capacity.share(self.ranking.totals().total())?;
        self.values.hits.top_of(self.ranking, self.order, ListLength::Share(share))
    }

    /// The cases that a rule chose; where there are more than can be acted on, those expected to bring in most.
    fn within_capacity(&self, acts: Vec<bool>) -> Result<Actions, Refused> {
        let chosen = Actions::on(&acts);
        let Some(capacity) = self.asked.capacity() else { return Ok(chosen) };
        let allowed = self.top(capacity)?;
        let n_chosen = self.values.hits.profit(&chosen)?.acted;
        let n_allowed = self.values.hits.profit(&allowed)?.acted;
        Ok(if n_chosen > n_allowed { allowed } else { chosen })
    }

    /// The cut that earns most, judged by the other folds where there are some, else by cases left out of bootstrap replicates.
    fn best_cut(&self, rows: &ModelRows<'_>, values: &CaseValues<'_>) -> Result<Chosen, Refused> {
        let request = self.asked.request;
        let folds = rows.folds();
        let out_of_bag = Judge::OutOfBag {
            n_replicates: request.replicates.filter(|n| *n > 0).unwrap_or(USUAL_REPLICATES),
            seed: request.seed,
        };
        let judge = folds.map_or(out_of_bag, Judge::Folds);
        let best = values.best_list_profit(rows.score, judge, request.level, self.asked.base_rate())?;
        let score = best.best.score;
        let of_all = score.map_or_else(|| values.nobody(), |score| Actions::from_score(rows.score, score));
        let (actions, of_all) = match folds {
            Some(folds) => (values.best_on_other_folds(rows.score, folds)?, Some(of_all)),
            None => (of_all, None),
        };
        Ok(Chosen { actions, of_all, best: Some(best) })
    }

    /// What acting on so many cases finds.
    fn at(&self, capacity: Capacity) -> Result<AtCapacity, Refused> {
        let (level, base_rate) = (self.asked.level(), self.asked.base_rate());
        let sampled = Sampled { ranking: self.ranking, level, base_rate };
        let value = |values: &CaseValues<'_>| {
            values.capacity_of(self.ranking, self.order, capacity, level, base_rate)
        };
        Ok(AtCapacity {
            hits: capacity_hits(&sampled, capacity)?,
            amount: self.values.amount.as_ref().map(value).transpose()?,
            profit: self.values.profit.as_ref().map(value).transpose()?,
        })
    }

    /// The same over a range of lengths.
    fn depths(&self) -> Result<Vec<AtCapacity>, Refused> {
        let total = self.ranking.totals().total();
        let mut lengths: Vec<Capacity> = match self.asked.capacity() {
            Some(capacity) => {
                let size = capacity.list_size(total);
                let lengths = MULTIPLES.iter().map(|times| (times * capacity.cases()).round());
                let within = lengths.filter(|cases| *cases >= 1.0 && *cases <= size);
                within.map(|cases| Capacity::of_lists(cases, size)).collect::<Result<_, _>>()?
            }
            None => {
                let lengths = SHARES.iter().map(|share| (share * total).round().min(total));
                let within = lengths.filter(|cases| *cases >= 1.0);
                within.map(Capacity::of_this_list).collect::<Result<_, _>>()?
            }
        };
        lengths.dedup();
        lengths.into_par_iter().map(|capacity| self.at(capacity)).collect()
    }
}
