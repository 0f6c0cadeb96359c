//! What a study stands on: the rows, their targets, the sets of predictors and the plans, all frozen before anybody learns.

use tribunal_io::Source;
use tribunal_learn::{Dataset, Target};

use super::request::StudyRequest;
use crate::data::{DataRequest, load_data};
use crate::division::Division;
use crate::error::Error;
use crate::leaks::{Leak, leaks_of};
use crate::message::{Message, Setting};
use crate::progress::OnProgress;
use crate::repeated_rows::{RepeatedRows, repeated_rows};
use crate::resampling::{Design, Plan, Warning};

/// The rows of a study, divided.
pub(super) struct Ground {
    pub(super) targets: Vec<Target>,
    pub(super) sets: Vec<PredictorColumns>,
    /// The first is that of the study.
    pub(super) designs: Vec<DividedRows>,
    pub(super) n_rows: usize,
    /// Where these rows stand in the table.
    pub(super) rows: Vec<u32>,
    pub(super) notices: Vec<String>,
    /// Predictors that seem to be known only after an outcome, each target and column once.
    pub(super) leaks: Vec<Leak>,
    /// Rows that are copies of others, if they are many.
    pub(super) repeated_rows: Option<RepeatedRows>,
}

/// A design with a plan for each target.
pub(super) struct DividedRows {
    pub(super) design: Design,
    pub(super) plans: Vec<Plan>,
}

/// A set of predictors.
pub(super) struct PredictorColumns {
    pub(super) name: String,
    pub(super) dataset: Dataset,
}

/// A target with a set of predictors, by their places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ScenarioPlace {
    pub(super) target: usize,
    pub(super) set: usize,
}

impl Ground {
    /// Reads the table and divides its rows.
    ///
    /// # Errors
    /// The table cannot be read, a target has not two classes or a class too small for its folds, a set of predictors is
    /// empty or unknown.
    pub(super) fn load(
        source: &Source,
        request: &StudyRequest,
        on_progress: OnProgress<'_>,
    ) -> Result<Ground, Error> {
        let all = std::iter::once(&request.design).chain(&request.others);
        let divisions = all.map(|design| Division::new(design, request.group.as_deref()));
        let divisions: Vec<Division> = divisions.collect::<Result<_, _>>()?;
        let mut data = DataRequest { predictors: None, ..request.data.clone() };
        divisions.iter().for_each(|division| division.keep_out(&mut data));
        let mut loaded = Vec::new();
        for name in &request.predictors {
            let data = DataRequest { predictors: Some(name.clone()), ..data.clone() };
            loaded.push((name.clone(), load_data(source, &data, on_progress)?));
        }
        let Some((_, first)) = loaded.first() else {
            return Err(Error::usage("a study needs a set of predictors; `all` is one"));
        };
        let (targets, rows, mut notices) = (first.targets.clone(), first.rows.clone(), first.notices.clone());
        targets.iter().try_for_each(check_target)?;
        let sets =
            loaded.into_iter().map(|(name, loaded)| PredictorColumns { name, dataset: loaded.dataset });
        let sets: Vec<PredictorColumns> = sets.collect();
        let mut designs = Vec::new();
        for division in &divisions {
            let columns = division.read(source, on_progress)?;
            let plan = |target: &Target| division.plan(&columns, &rows, target, request.seed);
            let plans: Vec<Plan> = targets.iter().map(plan).collect::<Result<_, Error>>()?;
            targets.iter().zip(&plans).try_for_each(|(target, plan)| check_plan(target, plan))?;
            let time = plans.first().and_then(|plan| division.time_summary(&columns, &rows, plan));
            notices.extend(time.map(|time| format!("{}: {time}", division.design())));
            designs.push(DividedRows { design: division.design().clone(), plans });
        }
        let leaks = leaks_in(&sets, &targets);
        // Of the set with the most columns: fewer columns repeat more often.
        let widest = sets.iter().max_by_key(|set| set.dataset.columns().len());
        let repeated_rows = widest.and_then(|set| repeated_rows(set.dataset.columns().iter()));
        Ok(Ground { targets, sets, designs, n_rows: rows.len(), rows, notices, leaks, repeated_rows })
    }

    /// The suspected leaks among the predictors of a scenario.
    pub(super) fn leaks_of(&self, place: ScenarioPlace) -> impl Iterator<Item = &Leak> {
        let target = self.targets[place.target].name();
        let columns = self.sets[place.set].dataset.columns();
        let is_predictor = |leak: &&Leak| columns.iter().any(|column| column.name() == leak.column);
        self.leaks.iter().filter(move |leak| leak.target == target).filter(is_predictor)
    }

    /// Every scenario: the targets, and for each the sets.
    pub(super) fn scenarios(&self) -> impl Iterator<Item = ScenarioPlace> {
        let n_sets = self.sets.len();
        (0..self.targets.len())
            .flat_map(move |target| (0..n_sets).map(move |set| ScenarioPlace { target, set }))
    }

    /// The number of a scenario.
    pub(super) fn number(&self, place: ScenarioPlace) -> usize {
        place.target * self.sets.len() + place.set
    }

    /// The name of a scenario: its target, and its predictors where there are several sets.
    pub(super) fn name(&self, place: ScenarioPlace) -> String {
        let target = self.targets[place.target].name();
        match &self.sets[..] {
            [_] => target.to_owned(),
            sets => format!("{target} {}", sets[place.set].name),
        }
    }

    /// The weight of all rows.
    pub(super) fn weight(&self) -> f64 {
        let weights = self.sets.first().and_then(|set| set.dataset.weights());
        weights.map_or(self.n_rows as f64, |weights| weights.iter().sum())
    }

    /// The positive rows.
    pub(super) fn truth(&self, target: usize) -> Vec<bool> {
        self.targets[target].codes().iter().map(|&code| code == 1).collect()
    }
}

/// What the sets of predictors give away; sets share columns.
fn leaks_in(sets: &[PredictorColumns], targets: &[Target]) -> Vec<Leak> {
    let mut leaks: Vec<Leak> = Vec::new();
    for leak in sets.iter().flat_map(|set| leaks_of(&set.dataset, targets)) {
        if !leaks.iter().any(|known| known.column == leak.column && known.target == leak.target) {
            leaks.push(leak);
        }
    }
    leaks
}

/// A study tells a positive class from the rest.
fn check_target(target: &Target) -> Result<(), Error> {
    match target.classes() {
        [_, _] => Ok(()),
        classes => {
            let message = Message::from(format!(
                "the target \"{}\" has {} classes ({}), and a study tells one from the others: name it with ",
                target.name(),
                classes.len(),
                classes.join(", "),
            ));
            let example = classes.last().map_or("", String::as_str);
            let in_file = format!(" or in the study file, positive = \"{example}\"");
            Err(Error::usage(message.setting(Setting::Positive).text(in_file)))
        }
    }
}

/// Every fold must test both classes: tables of folds have no holes.
fn check_plan(target: &Target, plan: &Plan) -> Result<(), Error> {
    let small = plan.warnings().iter().find_map(|warning| match warning {
        Warning::ClassSmallerThanFolds { class, n_rows, n_folds } => Some((class, *n_rows, *n_folds)),
        _ => None,
    });
    let Some((class, n_rows, n_folds)) = small else { return Ok(()) };
    let advice = match n_rows {
        0 | 1 => "take more rows, or another target".to_owned(),
        n => format!("take cv:{n} or fewer folds, a holdout, or more rows"),
    };
    Err(Error::data(format!(
        "class \"{class}\" of the target \"{}\" has {n_rows} row{} for {n_folds} folds, so some folds would test without it; \
         {advice}",
        target.name(),
        if n_rows == 1 { "" } else { "s" }
    )))
}
