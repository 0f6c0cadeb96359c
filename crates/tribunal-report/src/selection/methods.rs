//! The order of the learners under each method, how far methods agree, and why they may not.

use tribunal::selection::{MethodOutcome, Selection};

use super::{Heads, gathered, taking_part};
use crate::description::Place;
use crate::document::{Align, Cell, Mark, Part, Table, columns, plain_row};
use crate::number::figure;

pub(super) fn parts(selection: &Selection, place: Place) -> Vec<Part> {
    let mut parts = vec![Part::Table(ranks(selection, place))];
    parts.extend(choices(selection));
    let not_applicable = not_applicable(selection);
    if !not_applicable.is_empty() {
        parts.push(Part::Paragraph("Methods that do not apply:".into()));
        parts.push(Part::List(not_applicable));
    }
    if place == Place::Paper {
        parts.push(Part::Table(scores(selection)));
        parts.extend(agreement(selection).map(Part::Table));
    }
    parts
}

/// The methods that order the learners.
fn applied(selection: &Selection) -> impl Iterator<Item = &MethodOutcome> {
    selection.methods.iter().filter(|method| method.choice.is_some())
}

/// The rank, and the score, of a learner under a method.
fn place_of(selection: &Selection, method: &str, learner: &str) -> Option<(u64, f64)> {
    let row = selection.orders.iter().find(|row| row.method == method && row.learner == learner)?;
    Some((row.rank, row.score))
}

fn ranks(selection: &Selection, place: Place) -> Table {
    /// What methods are called by and the agreement beside the ranks take.
    const WIDTH: usize = 34;
    let learners = taking_part(selection);
    let heads = Heads::of(&learners, WIDTH, place);
    let row = |method: &MethodOutcome| {
        let rank = |learner: &&str| match place_of(selection, &method.method, learner) {
            Some((rank, _)) => {
                let is_choice = method.choice.as_deref() == Some(*learner);
                Cell { text: rank.to_string(), mark: if is_choice { Mark::Best } else { Mark::None } }
            }
            None => Cell::from("n/a"),
        };
        let ranks = learners.iter().map(rank);
        let tau = tau_with_recommended(selection, &method.method);
        let tau = tau.map_or_else(String::new, |tau| format!("{tau:.2}"));
        [Cell::from(method.method.as_str())].into_iter().chain(ranks).chain([Cell::from(tau)]).collect()
    };
    let named = heads.names.iter().map(|name| (name.clone(), Align::Right));
    Table {
        title: format!(
            "The place of every learner under each method (what it would take: bold, or *), and Kendall's tau-b with the method that \
             recommends{}",
            heads.remark()
        ),
        columns: [("method".to_owned(), Align::Left)]
            .into_iter()
            .chain(named)
            .chain([("tau".to_owned(), Align::Right)])
            .collect(),
        rows: applied(selection).map(row).collect(),
    }
}

fn tau_with_recommended(selection: &Selection, method: &str) -> Option<f64> {
    let recommending = &selection.recommended.as_ref()?.method;
    let is_of_both =
        |a: &str, b: &str| (a == recommending && b == method) || (b == recommending && a == method);
    selection.agreement.iter().find(|pair| is_of_both(&pair.a, &pair.b))?.kendall_tau
}

/// Which methods choose alike, and why others may choose differently.
fn choices(selection: &Selection) -> Vec<Part> {
    let chosen =
        gathered(applied(selection).map(|method| (method.choice.as_deref().unwrap_or_default(), method)));
    let recommended = selection.recommended.as_ref().map(|found| found.learner.as_str());
    let said = |(learner, methods): &(&str, Vec<&MethodOutcome>)| {
        let names: Vec<&str> = methods.iter().map(|method| method.method.as_str()).collect();
        format!("{learner}: {}", names.join(", "))
    };
    let mut parts = vec![
        Part::Paragraph("Which learner each would take:".into()),
        Part::List(chosen.iter().map(said).collect()),
    ];
    let others = chosen.iter().filter(|(learner, _)| Some(*learner) != recommended);
    let reasons = others.flat_map(|(_, methods)| methods).filter_map(|method| {
        let why = why_it_may_differ(&method.method)?;
        Some((why, method.method.as_str()))
    });
    let reasons: Vec<String> = gathered(reasons)
        .into_iter()
        .map(|(why, methods)| format!("{}: {why}", methods.join(", ")))
        .collect();
    if !reasons.is_empty() {
        parts.push(Part::Paragraph("Why a method may choose otherwise:".into()));
        parts.push(Part::List(reasons));
    }
    parts
}

/// What leads a method to another learner than the rest.
fn why_it_may_differ(method: &str) -> Option<&'static str> {
    Some(match method {
        "cross_validation" | "leave_one_out" => {
            "they look at the labelled rows alone, and at every one of them alike, however rare its kind is in the population"
        }
        "reverse_testing" => {
            "it goes by which labels of the population teach the labelled rows best; duels that it cannot decide are placed by margins"
        }
        "circular" | "reverse_validation" => {
            "a learner is asked whether its own labels lead back to the labelled rows, which a stable one passes although it is wrong"
        }
        "iwcv" | "iwcv_self_normalised" | "iwcv_kmm" | "dev" => {
            "labelled rows count by an estimated density ratio: a few rows with large ones may decide"
        }
        "atc" | "atc_entropy" | "cbpe" | "doc" => {
            "they believe how sure each learner is of itself, and one that is too sure where it has seen nothing looks good"
        }
        "bbse" => "it takes for granted that only the shares of the classes change",
        "structural_risk" => "it is a bound for the worst case, and is known of few learners",
        "ensemble_agreement" => "it counts votes, so that whoever is like the others wins, right or wrong",
        "consensus" => "it moves cross-validation by what the other learners say of the population",
        _ => return None,
    })
}

/// Why methods do not apply, each reason once.
fn not_applicable(selection: &Selection) -> Vec<String> {
    let of_method = |method: &'_ MethodOutcome| {
        let why = method.not_applicable.clone()?;
        Some((why, method.method.clone()))
    };
    let reasons = gathered(selection.methods.iter().filter_map(of_method));
    reasons.into_iter().map(|(why, methods)| format!("{}: {why}", methods.join(", "))).collect()
}

/// What every method goes by, with its name and who described it.
fn scores(selection: &Selection) -> Table {
    let learners = taking_part(selection);
    let row = |method: &MethodOutcome| {
        let score = |learner: &&str| {
            let score = place_of(selection, &method.method, learner);
            score.map_or_else(|| "n/a".to_owned(), |(_, score)| figure(score))
        };
        let better = if method.is_higher_better { "higher" } else { "lower" };
        let cells = [method.method.clone(), method.name.clone(), method.reference.clone(), better.to_owned()];
        plain_row(cells.into_iter().chain(learners.iter().map(score)))
    };
    let named = learners.iter().map(|name| ((*name).to_owned(), Align::Right));
    let first = columns([
        ("method", Align::Left),
        ("name", Align::Left),
        ("described by", Align::Left),
        ("better", Align::Left),
    ]);
    Table {
        title: "What each method goes by".to_owned(),
        columns: first.into_iter().chain(named).collect(),
        rows: applied(selection).map(row).collect(),
    }
}

/// Kendall's tau-b of every two methods.
fn agreement(selection: &Selection) -> Option<Table> {
    let methods: Vec<&str> = applied(selection).map(|method| method.method.as_str()).collect();
    let cell = |a: &str, b: &str| {
        let is_it = |x: &str, y: &str| (x == a && y == b) || (x == b && y == a);
        let pair = selection.agreement.iter().find(|pair| is_it(&pair.a, &pair.b));
        match pair {
            None => Cell::default(),
            Some(pair) => Cell {
                text: pair.kendall_tau.map_or_else(|| "n/a".to_owned(), |tau| format!("{tau:.2}")),
                mark: if pair.same_choice { Mark::Best } else { Mark::None },
            },
        }
    };
    let row = |a: &&str| {
        let cells = methods.iter().map(|b| cell(a, b));
        [Cell::from(*a)].into_iter().chain(cells).collect()
    };
    let named = methods.iter().map(|name| ((*name).to_owned(), Align::Right));
    (methods.len() > 1).then(|| Table {
        title: "Agreement of the methods: Kendall's tau-b of their orders (same choice: bold, or *)"
            .to_owned(),
        columns: [("method".to_owned(), Align::Left)].into_iter().chain(named).collect(),
        rows: methods.iter().map(row).collect(),
    })
}
