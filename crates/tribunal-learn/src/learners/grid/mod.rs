//! A grid: a learner with alternatives in braces, of which one is chosen on the training rows.
//!
//! **Definition** Braces hold alternatives, apart by commas: `nb:{0,5,25}` stands for `nb:0`, `nb:5` and `nb:25`, and
//! several braces for all combinations. Numbers may be given as ranges, `{1..64*2}` by a factor and `{2..10+2}` by a step.
//! Anything can be an alternative: a setting, a calibrator, a name. Candidates keep the order in which they are written,
//! the last brace changing first; of those that are the same learner the first stays.
//!
//! **Undefined when** nobody has chosen yet: a grid itself cannot learn.

mod braces;
mod range;

use std::fmt;

use rustc_hash::FxHashSet;

use self::braces::{Braces, wrong};
use super::COST_METHODS;
use super::character::Character;
use super::form::LearnerForm;
use super::learner::{Fit, Learner, Method, split_suffixes};
use crate::costs::CostMatrix;
use crate::error::{Error, ErrorKind};
use crate::model::Fitted;
use crate::training::Training;

/// A learner with alternatives.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Grid {
    text: String,
    braces: Braces,
    /// At least one.
    members: Vec<Member>,
}

/// A learner of the grid, and which alternative it has in each brace.
#[derive(Clone, Debug, PartialEq)]
struct Member {
    place: Vec<usize>,
    learner: Learner,
}

/// A setting of a candidate that is the smallest or the largest which a grid has of it, though it could go further.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GridEdge {
    /// What is set, where it has a name, as in `min={2,5}`.
    pub key: Option<String>,
    /// The value.
    pub value: String,
    /// Whether it is the largest.
    pub is_largest: bool,
    /// Whether nobody wrote the grid: it is what a learner tries by itself.
    pub is_built_in: bool,
}

impl GridEdge {
    /// The edge of a grid that a learner has by itself, where a value lies at one of its ends or beyond.
    pub(super) fn built_in(key: &str, value: f64, grid: &[f64]) -> Option<GridEdge> {
        let smallest = grid.iter().copied().reduce(f64::min).filter(|_| grid.len() > 1)?;
        let is_largest = grid.iter().all(|&other| other <= value);
        (is_largest || value <= smallest).then(|| GridEdge {
            key: Some(key.to_owned()),
            value: value.to_string(),
            is_largest,
            is_built_in: true,
        })
    }
}

impl Grid {
    /// Whether a text has braces.
    pub(super) fn is_meant(text: &str) -> bool {
        text.contains(['{', '}'])
    }

    /// Reads a learner with braces.
    ///
    /// # Errors
    /// The braces do not fit, or one of the candidates is no learner.
    pub(super) fn parse(text: &str) -> Result<Grid, Error> {
        let text = text.trim();
        let braces = Braces::parse(text)?;
        let (mut members, mut known) = (Vec::new(), FxHashSet::default());
        for place in braces.places() {
            let learner: Learner =
                braces.text(&place).parse().map_err(|error: Error| wrong(text, &error.to_string()))?;
            if known.insert(learner.to_string()) {
                members.push(Member { place, learner });
            }
        }
        Ok(Grid { text: text.to_owned(), braces, members })
    }

    /// The learners to choose from on so many rows; one that itself leaves something open gives way to its candidates.
    pub(super) fn learners(&self, n_rows: usize) -> Vec<Learner> {
        let mut known = FxHashSet::default();
        let all = self.members.iter().flat_map(|member| member.learners(n_rows));
        all.filter(|learner| known.insert(learner.to_string())).collect()
    }

    /// The settings of a candidate that lie on the edge.
    pub(super) fn edges(&self, candidate: &Learner, n_rows: usize) -> Vec<GridEdge> {
        let is_one = |member: &&Member| member.learners(n_rows).contains(candidate);
        let Some(member) = self.members.iter().find(is_one) else { return Vec::new() };
        let written = (0..self.braces.choices.len()).filter_map(|axis| self.edge(&member.place, axis));
        written.chain(member.learner.grid_edges(candidate, n_rows)).collect()
    }

    /// The learner that is written first.
    pub(super) fn first(&self) -> &Learner {
        &self.members[0].learner
    }

    /// Whether one of its learners is to mind costs that nobody named.
    pub(super) fn needs_costs(&self) -> bool {
        self.members.iter().any(|member| member.learner.needs_costs())
    }

    /// The same with these costs where methods that mind costs are written without.
    pub(super) fn with_costs(&self, costs: &CostMatrix) -> Grid {
        let mut text = self.text.clone();
        for form in &COST_METHODS {
            let bare = format!("+{}", form.name);
            let mut from = 0;
            while let Some(at) = text[from..].find(&bare) {
                from += at + bare.len();
                if !text[from..].trim_start().starts_with('=') {
                    text.insert_str(from, &format!("={costs}"));
                }
            }
        }
        Grid::parse(&text).unwrap_or_else(|_| self.clone())
    }

    /// Whether one of its learners does some of its work once for several targets.
    pub(super) fn shares_targets(&self) -> bool {
        self.members.iter().any(|member| member.learner.shares_targets())
    }

    /// The edge of one brace; one with words has none.
    fn edge(&self, place: &[usize], axis: usize) -> Option<GridEdge> {
        let choice = &self.braces.choices[axis];
        let numbers = choice.iter().map(|text| range::number(text)).collect::<Option<Vec<f64>>>()?;
        let chosen = numbers[place[axis]];
        let mut sorted = numbers;
        sorted.sort_by(f64::total_cmp);
        sorted.dedup();
        let [smallest, second, ..] = sorted[..] else { return None };
        let (largest, next) = (sorted[sorted.len() - 1], sorted[sorted.len() - 2]);
        let is_learner = |value: f64| {
            value != chosen
                && self.braces.text_with(place, axis, &value.to_string()).parse::<Learner>().is_ok()
        };
        let goes_on = (chosen == largest
            && [2.0 * largest - next, 2.0 * largest].into_iter().any(is_learner))
            || (chosen == smallest && [2.0 * smallest - second, smallest / 2.0].into_iter().any(is_learner));
        let key = self.braces.key(axis).map(str::to_owned);
        goes_on.then(|| GridEdge {
            key,
            value: choice[place[axis]].clone(),
            is_largest: chosen == largest,
            is_built_in: false,
        })
    }
}

impl Member {
    fn learners(&self, n_rows: usize) -> Vec<Learner> {
        self.learner.candidates(n_rows).unwrap_or_else(|| vec![self.learner.clone()])
    }
}

impl Fit for Grid {
    /// The entry of its first candidate.
    fn form(&self) -> &'static LearnerForm {
        self.members[0].learner.form()
    }

    /// That of its first candidate, and a search.
    fn character(&self) -> Character {
        self.members[0].learner.character().searching()
    }

    /// The word is written behind the settings, where all alternatives know it.
    fn on_scale_of_all(&self) -> Option<Method> {
        let (plain, _) = split_suffixes(&self.text);
        let suffixes = &self.text[plain.len()..];
        let text = format!("{plain}{}paper{suffixes}", if plain.contains(':') { ',' } else { ':' });
        Grid::parse(&text).ok().map(Method::Grid)
    }

    fn fit(&self, _training: &Training<'_>, _seed: u64) -> Result<Fitted, Error> {
        let problem = format!("{} is to be tuned on the training rows", self.text);
        let advice = format!("choose one, as in {}", self.members[0].learner);
        Err(Error::new(ErrorKind::Untuned, problem).advise(advice))
    }
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::column::{Column, Values};
    use crate::dataset::Dataset;
    use crate::kind::Kind;
    use crate::target::Target;

    fn grid(text: &str) -> Learner {
        text.parse().expect(text)
    }

    fn candidates(text: &str) -> Vec<String> {
        let found = grid(text).candidates(1_000).expect("a grid");
        found.iter().map(Learner::to_string).collect()
    }

    #[test]
    fn a_grid_is_read_as_it_is_written() {
        let check = |text: &str, expected: &[&str]| {
            let learner = grid(text);
            assert_eq!(learner.to_string(), text);
            assert_eq!(grid(&learner.to_string()), learner);
            assert_eq!(candidates(text), expected);
        };
        check("nb:{0,5,25,5.0}", &["nb", "nb:5", "nb:25"]);
        check("nb:{1..4*2}+platt", &["nb:1+platt", "nb:2+platt", "nb:4+platt"]);
        check("tan:{5,25}+{platt,beta}", &["tan:5+platt", "tan:5+beta", "tan:25+platt", "tan:25+beta"]);
        check("c45:min={2,5},cf={0.1,0.25}", &["c45:cf=0.1", "c45", "c45:cf=0.1,min=5", "c45:min=5"]);
        check("nb:{5}", &["nb:5"]);
        assert_eq!(grid(" nb:{5,25} ").to_string(), "nb:{5,25}");
        assert_eq!(grid("nb:{5,25}+platt").calibrator(), None);
    }

    #[test]
    fn what_a_candidate_leaves_open_is_a_candidate_each() {
        let found = candidates("c45:{unpruned,curtailed},min={2,5}");
        assert_eq!(found.len(), 42);
        assert_eq!(found[..3], ["c45:unpruned", "c45:unpruned,min=5", "c45:curtailed,k=5"]);
        assert_eq!(candidates("{c45:curtailed,c45:cf=0.1}").len(), 21);
    }

    #[test]
    fn a_grid_itself_cannot_learn() {
        let flag = Column::new("x", Kind::Flag, Values::Codes(vec![0, 1])).expect("a flag");
        let target = Target::new("y", ["no", "yes"], vec![0, 1]).expect("classes");
        let dataset = Dataset::new(vec![flag]).and_then(|data| data.with_target(target)).expect("rows");
        let error = grid("nb:{5,25}").fit(&dataset, &[0, 1], 1).expect_err("a grid");
        assert_eq!(error.kind(), ErrorKind::Untuned);
        assert!(error.to_string().ends_with("training rows; choose one, as in nb:5"), "{error}");
    }

    #[test]
    fn a_candidate_that_is_no_learner_is_named() {
        let error = "nb:{5,x}".parse::<Learner>().expect_err("x").to_string();
        assert!(error.starts_with("grid \"nb:{5,x}\": learner \"nb:x\": \"x\" is no setting"), "{error}");
        let error = "{nb,tann}:5".parse::<Learner>().expect_err("tann").to_string();
        assert!(error.contains("did you mean tan?"), "{error}");
    }

    #[test]
    fn a_candidate_on_the_edge_is_told_unless_that_is_the_end() {
        let check = |text: &str, candidate: &str, expected: &[(Option<&str>, &str, bool)]| {
            let edges = grid(text).grid_edges(&grid(candidate), 1_000);
            let found: Vec<_> = edges
                .iter()
                .map(|edge| (edge.key.as_deref(), edge.value.as_str(), edge.is_largest))
                .collect();
            assert_eq!(found, expected, "{text}, {candidate}");
        };
        check("nb:{0,5,25}", "nb:25", &[(None, "25", true)]);
        check("nb:{25,5,1}", "nb:1", &[(None, "1", false)]);
        check("nb:{0,5,25}", "nb:5", &[]);
        // Fewer than no rows cannot be imagined, and no branch has less than one row.
        check("nb:{0,5,25}", "nb", &[]);
        check("c45:min={1,2,5}", "c45:min=1", &[]);
        check("c45:cf={0.5,1}", "c45:cf=1", &[]);
        check("c45:min={2,5},cf={0.1,0.2,0.3}", "c45:min=5,cf=0.2", &[(Some("min"), "5", true)]);
        check("nb:5+{platt,beta}", "nb:5+beta", &[]);
        check("nb:{5,laplace}", "nb:5", &[]);
        check("nb:{5,5.0}", "nb:5", &[]);
        check("c45:curtailed,min={2,5}", "c45:curtailed,k=50,min=5", &[(Some("min"), "5", true)]);
        assert_eq!(grid("nb:5").grid_edges(&grid("nb:5"), 1_000), []);
    }

    #[test]
    fn what_a_learner_tries_by_itself_has_edges_too() {
        let check = |text: &str, candidate: &str, n_rows: usize, expected: &[(&str, &str, bool)]| {
            let edges = grid(text).grid_edges(&grid(candidate), n_rows);
            assert!(edges.iter().all(|edge| edge.is_built_in), "{edges:?}");
            let of_edge =
                |edge: &GridEdge| (edge.key.clone().unwrap_or_default(), edge.value.clone(), edge.is_largest);
            let found: Vec<_> = edges.iter().map(of_edge).collect();
            let expected: Vec<_> = expected
                .iter()
                .map(|(key, value, is)| ((*key).to_owned(), (*value).to_owned(), *is))
                .collect();
            assert_eq!(found, expected, "{text}, {candidate}");
        };
        check("c45:curtailed", "c45:curtailed,k=5", 1_000, &[("k", "5", false)]);
        check("c45:curtailed", "c45:curtailed,k=50", 1_000, &[]);
        check("c45:curtailed,k=auto", "c45:curtailed,k=100", 1_000, &[("k", "100", true)]);
        // No node has more rows than there are.
        check("c45:curtailed", "c45:curtailed,k=100", 100, &[]);
        check("c45:curtailed,k=auto", "c45:curtailed,k=200", 10_000, &[]);
        check("c45:curtailed,k=100", "c45:curtailed,k=100", 1_000, &[]);
        check("c45:{unpruned,curtailed}", "c45:curtailed,k=5", 1_000, &[("k", "5", false)]);
        check("c45:{unpruned,curtailed}", "c45:unpruned", 1_000, &[]);
        check("lssvm:linear", "lssvm:linear,gamma=1000", 50, &[("gamma", "1000", true)]);
        // Finer grids go beyond the first, or come back.
        check("lssvm:linear+platt", "lssvm:linear,gamma=0.002+platt", 50, &[("gamma", "0.002", false)]);
        check("lssvm:linear", "lssvm:linear,gamma=900", 50, &[]);
        check("lssvm:linear,gamma=1000", "lssvm:linear,gamma=1000", 50, &[]);
        let both = [("gamma", "0.01", false), ("spread", "700", true)];
        check("lssvm:rbf", "lssvm:rbf,gamma=0.01,spread=700", 50, &both);
        check("lssvm:rbf,sigma=3", "lssvm:rbf,gamma=0.01,sigma=3", 50, &both[..1]);
        check("lssvm:rbf,gamma=0.01", "lssvm:rbf,gamma=0.01,spread=0.5", 50, &[("spread", "0.5", false)]);
    }

    proptest! {
        #[test]
        fn a_grid_of_values_holds_each_of_them_once(
            smooth in prop::collection::vec(0_u32..40, 1..6),
            shares in prop::collection::vec(1_u32..20, 1..4),
        ) {
            let list = |values: &[u32]| values.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
            let text = format!("tan:{{{}}},alpha={{{}}}", list(&smooth), list(&shares));
            let mut expected: Vec<String> = Vec::new();
            for (n0, alpha) in smooth.iter().flat_map(|n0| shares.iter().map(move |alpha| (n0, alpha))) {
                let learner = grid(&format!("tan:{n0},alpha={alpha}")).to_string();
                if !expected.contains(&learner) {
                    expected.push(learner);
                }
            }
            prop_assert_eq!(grid(&text).to_string(), text.clone());
            prop_assert_eq!(candidates(&text), expected);
        }

        #[test]
        fn no_text_makes_it_fall_over(text in "(nb|c45|tan)[:{},.*+=a-c0-9]{0,20}") {
            if let Ok(learner) = text.parse::<Learner>() {
                prop_assert_eq!(learner.to_string().parse::<Learner>().expect("as written"), learner);
            }
        }
    }
}
