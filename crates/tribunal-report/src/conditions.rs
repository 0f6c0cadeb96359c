//! Which model owns which costs and base rates, as a table and as recipes.

use tribunal::{ConditionReading, Evaluation};
use tribunal_eval::conditions::{MixtureRange, OwnedStretch, Owner, Span};
use tribunal_eval::curves::Vertex;

use crate::charts::depth_in_words;
use crate::document::{Align, Part, Table, plain_row};
use crate::number::{figure, percent};

/// More mixtures would hide the ones that matter.
const MOST_MIXTURES: usize = 3;

/// Nothing for a single model.
pub(crate) fn parts(results: &Evaluation) -> Vec<Part> {
    let Some(reading) = &results.conditions else { return Vec::new() };
    let names = Names(&results.data.models);
    let mut parts = vec![Part::Table(owners(reading, names))];
    let remarks: Vec<String> = recipes(reading, names).into_iter().chain(dominated(reading)).collect();
    if !remarks.is_empty() {
        parts.push(Part::List(remarks));
    }
    parts
}

/// The models by their places.
#[derive(Clone, Copy)]
struct Names<'a>(&'a [String]);

impl Names<'_> {
    fn of(self, owner: Owner) -> String {
        match owner {
            Owner::Nobody => "(nobody)".into(),
            Owner::Everybody => "(everybody)".into(),
            Owner::Model(place) => self.0.get(place).cloned().unwrap_or_default(),
        }
    }

    /// A model with the score from which on it acts.
    fn with_score(self, owner: Owner, vertex: &Vertex) -> String {
        let from = vertex.score.map(|score| format!(" (scores from {score} on)"));
        format!("{}{}", self.of(owner), from.unwrap_or_default())
    }
}

fn owners(reading: &ConditionReading, names: Names<'_>) -> Table {
    let has_costs = reading.stretches.iter().any(|stretch| stretch.base_rate.is_some());
    let mut columns = vec![
        ("acting by".to_owned(), Align::Left),
        ("a miss costs from".to_owned(), Align::Right),
        ("to".to_owned(), Align::Right),
    ];
    if has_costs {
        columns.extend(["base rate from", "to"].map(|name| (name.to_owned(), Align::Right)));
    }
    let line = |stretch: &OwnedStretch| {
        let ends = |span: Option<Span>, shown: fn(f64) -> String| match span {
            Some(span) => [shown(span.low), span.high.map_or_else(|| "inf".into(), shown)],
            None => [String::new(), String::new()],
        };
        let rates = ends(stretch.base_rate, percent).into_iter().filter(|_| has_costs);
        let ratios = ends(stretch.cost_ratio, figure);
        plain_row(std::iter::once(names.of(stretch.owner)).chain(ratios).chain(rates))
    };
    let rates = if has_costs { "; base rates at the stated costs" } else { "" };
    Table {
        title: format!(
            "Which model costs least: where a missed positive costs so many times a false alarm, at a base rate of {}{rates}; area under \
             the joint ROC hull {}",
            percent(reading.base_rate),
            figure(reading.area)
        ),
        columns,
        rows: reading.stretches.iter().map(line).collect(),
    }
}

/// What to mix between the vertices of different models, at an asked depth where one lies there.
fn recipes(reading: &ConditionReading, names: Names<'_>) -> Vec<String> {
    let sentence = |range: &MixtureRange| {
        let high = range.caseload.high.unwrap_or(1.0);
        let models = format!(
            "Between {} and {} of the list mix {} and {}",
            percent(range.caseload.low),
            percent(high),
            names.with_score(range.first_owner, &range.first),
            names.with_score(range.second_owner, &range.second)
        );
        let parts = |q: f64| format!("{:.0} : {:.0}", 100.0 * q, 100.0 * (1.0 - q));
        let is_here = |found: &&tribunal::DepthRecipe| {
            let recipe = &found.recipe;
            recipe.first == range.first && recipe.second == range.second && recipe.q > 0.0 && recipe.q < 1.0
        };
        let asked: Vec<String> = reading
            .recipes
            .iter()
            .filter(is_here)
            .map(|found| format!("{} for {}", parts(found.recipe.q), depth_in_words(found.asked)))
            .collect();
        match asked.is_empty() {
            true => format!("{models}: {} for {}", parts(0.5), percent((range.caseload.low + high) / 2.0)),
            false => format!("{models}: {}", asked.join(", ")),
        }
    };
    let mut widest: Vec<&MixtureRange> = reading.mixtures.iter().collect();
    let width = |range: &MixtureRange| range.caseload.high.unwrap_or(1.0) - range.caseload.low;
    widest.sort_by(|a, b| width(b).total_cmp(&width(a)));
    widest.truncate(MOST_MIXTURES);
    widest.sort_by(|a, b| a.caseload.low.total_cmp(&b.caseload.low));
    widest.into_iter().map(sentence).collect()
}

fn dominated(reading: &ConditionReading) -> Option<String> {
    let names = reading.dominated.join(", ");
    (!names.is_empty()).then(|| {
        format!("Nothing is lost without {names}: whatever errors cost and however frequent positives are, another does as well")
    })
}
