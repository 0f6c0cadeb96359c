//! A study at work: whatever is not in the journal yet is found, and kept before the next is begun.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use tribunal_eval::metrics::{Better, Kind, Measure};
use tribunal_io::Source;
use tribunal_learn::{Dataset, Work};

use super::analysis;
use super::board::Board;
use super::folder::run_of;
use super::ground::{Ground, ScenarioPlace};
use super::journal::{CellPlace, Held, HeldOut, Record, Whole};
use super::questions::Deciding;
use super::request::{Protocol, StudyRequest};
use super::results::{LearnerTimes, Study, StudyTimes};
use super::worth::WorthColumns;
use crate::any_model::AnyModel;
use crate::data::DataRequest;
use crate::division::Division;
use crate::error::Error;
use crate::fit::{FitRequest, FittedTable, fit_table};
use crate::line_up::{
    Entrant, Found, Outcome, SplitScores, Trial, attempt, check_entrants, cross_validate_trials, no_target,
};
use crate::message::{Message, Verb};
use crate::progress::{OnProgress, Progress};
use crate::run_folder::RunFolder;
use crate::tuning::{TuneOptions, tune};

/// What came of a study.
#[derive(Clone, Debug)]
pub struct FinishedStudy {
    /// Everything but the clock: the same study gives the same.
    pub study: Study,
    /// How long learners took.
    pub times: StudyTimes,
}

/// Runs a study. With a folder every finished result is kept there, and a run that was interrupted goes on; the outcome is
/// the same as without interruption. Another title, level, preference or metric is answered from the scores that are kept,
/// without fitting anybody again. Reports of the results are written into the folder by `tribunal_report::write_study`.
///
/// ```
/// use tribunal::claims::{ClaimsRequest, write_file};
/// use tribunal::{Source, StudyRequest, TargetRequest, claims_schema, run_study};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("claims.csv").to_string_lossy().into_owned();
/// # let claims = ClaimsRequest { rows: 200, seed: 1 };
/// # write_file(&claims, path.as_ref(), tribunal_io::TableFormat::Csv, &|_progress| ())?;
/// let mut request = StudyRequest::new("claims", vec!["nb:5".parse()?, "logit".parse()?]);
/// request.data.schema = claims_schema();
/// request.data.targets.push(TargetRequest { name: "4+".into(), positive: None });
/// request.design = "cv:3".parse()?;
/// let found = run_study(&Source::open(&[path])?, &request, None, &|_progress| ())?;
/// assert_eq!(found.study.verdict.scenarios[0].scenario, "4+");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The request or the data cannot be right, or the folder cannot be used or written. Learners that fail are no error.
pub fn run_study(
    source: &Source,
    request: &StudyRequest,
    folder: Option<&Path>,
    on_progress: OnProgress<'_>,
) -> Result<FinishedStudy, Error> {
    let request = &request.settled()?;
    check(request)?;
    let worth = request.asks_about_acting().then(|| WorthColumns::read(source, request, on_progress));
    let worth = worth.transpose()?;
    let mut ground = Ground::load(source, request, on_progress)?;
    if let Deciding::Metric(measure) = request.deciding() {
        check_capacity(measure, &ground)?;
    }
    request.at_capacity(ground.weight())?;
    let worth = worth.map(|worth| worth.select(&ground.rows));
    if let Some(worth) = &worth {
        let check = |target| worth.check(request, &ground.truth(target), &ground.rows);
        (0..ground.targets.len()).try_for_each(check)?;
    }
    ground.notices.extend(request.not_learned_from());
    let sha256 = source.sha256()?;
    let run = run_of(request, &sha256, source.sizes());
    let opened = folder.map(|folder| RunFolder::open(folder, &run)).transpose()?;
    let (folder, records) = opened.map_or((None, Vec::new()), |(folder, records)| (Some(folder), records));
    let entrants = request.entrants.iter().map(|entrant| run_as(entrant, request.protocol)).collect();
    let n_splits: Vec<usize> = ground.designs.iter().map(|design| design.plans[0].n_splits()).collect();
    let board = Board::new(ground.scenarios().count(), request.entrants.len(), &n_splits);
    let done = AtomicU64::new(0);
    let mut work = StudyWork { request, ground: &ground, entrants, board, folder, done: &done, on_progress };
    records.into_iter().for_each(|record| work.board.take(record));
    done.store(work.finished_work(), Ordering::Relaxed);
    work.run()?;
    let times = work.times();
    let files = source.names().map(str::to_owned).collect();
    let study =
        analysis::study(request, &ground, &work.entrants, &work.board, worth.as_ref(), (files, sha256))?;
    Ok(FinishedStudy { study, times })
}

/// Fits whom a study recommends on all rows: for its first target that has a figure, on the predictors where it does best.
///
/// # Errors
/// Nobody is recommended, because nothing beats the base rate or no learner has a figure; the one that is recommended cannot
/// learn from all rows; or the data are no longer those of the study.
pub fn fit_best(
    source: &Source,
    request: &StudyRequest,
    study: &Study,
    on_progress: OnProgress<'_>,
) -> Result<FittedTable, Error> {
    let nobody =
        || Error::data(format!("no model is kept, since nobody is recommended. {}", study.verdict.sentence));
    let best = study.verdict.deploy.first().ok_or_else(nobody)?;
    if source.sha256()? != study.data.sha256 {
        let changed =
            "the data have changed since the study read them, so nobody is fitted; run the study again";
        return Err(Error::data(changed));
    }
    let request = &request.settled()?;
    let target = request.data.targets.iter().find(|target| target.name == best.target).cloned();
    let learner = request.entrants.iter().find(|entrant| entrant.to_string() == best.learner);
    let division = Division::new(&request.design, request.group.as_deref())?;
    let mut data = DataRequest {
        targets: target.into_iter().collect(),
        predictors: Some(best.predictors.clone()),
        ..request.data.clone()
    };
    division.keep_out(&mut data);
    let request = FitRequest {
        data,
        learner: run_as(learner.ok_or_else(nobody)?, request.protocol),
        seed: request.seed,
        tuning: TuneOptions { seed: request.seed, ..TuneOptions::default() },
    };
    fit_table(source, &request, on_progress)
}

fn check(request: &StudyRequest) -> Result<(), Error> {
    check_entrants(&request.entrants)?;
    if request.data.targets.is_empty() {
        return Err(no_target());
    }
    let names: Vec<&str> = request.data.targets.iter().map(|target| target.name.as_str()).collect();
    once(&names, "target")?;
    check_metrics(request)?;
    once(&request.predictors.iter().map(String::as_str).collect::<Vec<_>>(), "set of predictors")
}

/// Figures must come from scores, and the deciding one must have a direction that tests know.
fn check_metrics(request: &StudyRequest) -> Result<(), Error> {
    let refuse = |measure: &Measure, why: &str| {
        let message = Message::from(format!("a study cannot go by {measure}: {why}; `")).verb(Verb::Metrics);
        Err(Error::usage(message.text("` lists them all")))
    };
    let is_of_amounts = |measure: &&Measure| measure.metric.kind == Kind::Amount;
    let decides_by = match request.deciding() {
        Deciding::Metric(measure) => Some(measure),
        Deciding::Acting => None,
    };
    if let Some(measure) = request.metrics.iter().chain(&decides_by).find(is_of_amounts) {
        return refuse(measure, "it compares predicted amounts, and learners of a study predict classes");
    }
    let decides = |measure: &&Measure| matches!(measure.metric.better, Better::Higher | Better::Lower);
    match decides_by.as_ref().filter(|measure| !decides(measure)) {
        None => Ok(()),
        Some(measure) => {
            refuse(measure, "it decides nothing, since neither larger nor smaller values are better")
        }
    }
}

/// The deciding metric must find as many cases as it asks for.
fn check_capacity(measure: Measure, ground: &Ground) -> Result<(), Error> {
    let whole = ground.weight();
    match measure.n_cases().filter(|cases| *cases > whole) {
        Some(cases) => Err(Error::data(format!(
            "a study cannot go by {measure}: it asks for the top {cases} of a list of {whole} cases; ask for fewer, or for a \
             share of the list, as lift@0.1"
        ))),
        None => Ok(()),
    }
}

fn once(names: &[&str], what: &str) -> Result<(), Error> {
    let twice = (1..names.len()).find(|&idx| names[..idx].contains(&names[idx]));
    twice.map_or(Ok(()), |idx| Err(Error::usage(format!("the {what} \"{}\" is named twice", names[idx]))))
}

/// A learner as the protocol has it.
fn run_as(entrant: &Entrant, protocol: Protocol) -> Entrant {
    match (entrant, protocol) {
        (Entrant::BuiltIn(learner), Protocol::Paper) => Entrant::BuiltIn(learner.on_scale_of_all()),
        _ => entrant.clone(),
    }
}

/// A study at work.
struct StudyWork<'a> {
    request: &'a StudyRequest,
    ground: &'a Ground,
    /// The learners as the protocol has them.
    entrants: Vec<Entrant>,
    board: Board,
    folder: Option<RunFolder<Record>>,
    /// How much of the work is done.
    done: &'a AtomicU64,
    on_progress: OnProgress<'a>,
}

impl StudyWork<'_> {
    /// The design of the study comes first, then the models of all rows, then other designs.
    fn run(&mut self) -> Result<(), Error> {
        self.run_design(0)?;
        self.run_wholes()?;
        (1..self.ground.designs.len()).try_for_each(|design| self.run_design(design))
    }

    fn run_design(&mut self, design: usize) -> Result<(), Error> {
        (0..self.ground.sets.len()).try_for_each(|set| self.run_set(design, set))
    }

    /// All targets on one set of predictors, so that learners share their work between targets.
    fn run_set(&mut self, design: usize, set: usize) -> Result<(), Error> {
        let ground = self.ground;
        let plans = &ground.designs[design].plans;
        let trial = |(target, plan)| Trial { target, plan, with_all_rows: design == 0 };
        let trials: Vec<Trial<'_>> = ground.targets.iter().zip(plans).map(trial).collect();
        let place = |trial: usize, learner: usize| {
            let scenario = ground.number(ScenarioPlace { target: trial, set });
            CellPlace { design, scenario, learner }
        };
        let wanted: Vec<Vec<bool>> = (0..trials.len())
            .map(|trial| {
                let is_open = |learner: usize| !self.board.is_complete(place(trial, learner));
                (0..self.entrants.len()).map(is_open).collect()
            })
            .collect();
        if !wanted.iter().flatten().any(|wanted| *wanted) {
            return Ok(());
        }
        let (entrants, seed) = (self.entrants.clone(), self.request.seed);
        let dataset = &ground.sets[set].dataset;
        let is_wanted = |trial: usize, learner: usize| wanted[trial][learner];
        let (done, total, on_progress) = (self.done, self.total_work(), self.on_progress);
        let on_crossing = |progress: Progress| {
            if let Progress::Crossing { entrant, .. } = progress {
                let done = done.load(Ordering::Relaxed);
                on_progress(Progress::Studying { learner: entrant - 1, done, total });
            }
        };
        let mut on_found = |found: Found| {
            let place = place(found.trial, found.entrant);
            self.keep_found(place, found)
        };
        cross_validate_trials(&entrants, dataset, &trials, seed, &is_wanted, &mut on_found, &on_crossing)
    }

    /// Keeps what a learner said of some splits, and the settings that it chose on all rows.
    fn keep_found(&mut self, place: CellPlace, found: Found) -> Result<(), Error> {
        let CellPlace { scenario, learner, .. } = place;
        let known = self.board.cell(place);
        let mut records = Vec::new();
        for (split, outcome) in found.splits.clone().zip(found.outcomes) {
            match (known.get(split), outcome, found.seconds) {
                (Some(None), outcome, _) => records.push(Record::Split { place, split, held: held(outcome) }),
                (None, Ok(SplitScores { tuned: Some(settings), .. }), Some(seconds)) => {
                    records.push(Record::Chosen { scenario, learner, settings, seconds });
                }
                _ => {}
            }
        }
        let is_split = |record: &&Record| matches!(record, Record::Split { .. });
        let n_splits = records.iter().filter(is_split).count() as u64;
        records.extend(found.is_repeatable.map(|repeatable| Record::Repeatable { place, repeatable }));
        self.keep(records)?;
        self.done.fetch_add(n_splits * weight(&self.entrants[learner]), Ordering::Relaxed);
        Ok(())
    }

    fn keep(&mut self, records: Vec<Record>) -> Result<(), Error> {
        if let Some(folder) = &mut self.folder {
            folder.journal.append(&records)?;
        }
        records.into_iter().for_each(|record| self.board.take(record));
        Ok(())
    }

    /// A model of all rows of every learner in every scenario, one after the other so that each can be timed.
    fn run_wholes(&mut self) -> Result<(), Error> {
        let places: Vec<ScenarioPlace> = self.ground.scenarios().collect();
        for place in places {
            let scenario = self.ground.number(place);
            let target = self.ground.targets[place.target].clone();
            let dataset = self.ground.sets[place.set].dataset.clone().with_target(target)?;
            for learner in 0..self.entrants.len() {
                if self.board.whole(scenario, learner).is_some() {
                    continue;
                }
                let entrant = &self.entrants[learner];
                self.tell(learner);
                let chosen = self.board.chosen(scenario, learner);
                let whole = attempt(|| whole(entrant, chosen, &dataset, self.request.seed));
                self.keep(vec![Record::Whole { scenario, learner, whole }])?;
                self.done.fetch_add(weight(&self.entrants[learner]), Ordering::Relaxed);
            }
        }
        Ok(())
    }

    /// Tells who is at work, and how far the study is.
    fn tell(&self, learner: usize) {
        let (done, total) = (self.done.load(Ordering::Relaxed), self.total_work());
        (self.on_progress)(Progress::Studying { learner: learner as u64, done, total });
    }

    /// Splits of all cells and a model of all rows each, by what they weigh.
    fn total_work(&self) -> u64 {
        let n_scenarios = self.ground.scenarios().count() as u64;
        let n_splits: usize = self.ground.designs.iter().map(|design| design.plans[0].n_splits()).sum();
        self.entrants.iter().map(|entrant| n_scenarios * (n_splits as u64 + 1) * weight(entrant)).sum()
    }

    fn finished_work(&self) -> u64 {
        let n_scenarios = self.ground.scenarios().count();
        let of_cell = |scenario: usize, learner: usize| {
            let known = |design: usize| {
                let cell = self.board.cell(CellPlace { design, scenario, learner });
                cell.iter().filter(|held| held.is_some()).count() as u64
            };
            let splits: u64 = (0..self.ground.designs.len()).map(known).sum();
            let whole = u64::from(self.board.whole(scenario, learner).is_some());
            (splits + whole) * weight(&self.entrants[learner])
        };
        let learners = 0..self.entrants.len();
        (0..n_scenarios).flat_map(|s| learners.clone().map(move |l| (s, l))).map(|(s, l)| of_cell(s, l)).sum()
    }

    fn times(&self) -> StudyTimes {
        let mut learners = Vec::new();
        for place in self.ground.scenarios() {
            for (learner, entrant) in self.request.entrants.iter().enumerate() {
                let Some(Ok(whole)) = self.board.whole(self.ground.number(place), learner) else { continue };
                learners.push(LearnerTimes {
                    scenario: self.ground.name(place),
                    learner: entrant.to_string(),
                    tuning: whole.tuning,
                    training: whole.training,
                    scoring: whole.scoring,
                    rows: self.ground.n_rows as u64,
                });
            }
        }
        StudyTimes { schema: Default::default(), threads: rayon::current_num_threads(), learners }
    }
}

/// About how much longer a learner takes than one that counts, for the time that is left.
fn weight(entrant: &Entrant) -> u64 {
    match entrant {
        Entrant::Outside(_) => 40,
        Entrant::BuiltIn(learner) => match learner.character().work {
            Work::Counting => 1,
            Work::Solving => 3,
            Work::Iterating => 40,
            Work::Searching => 150,
        },
    }
}

fn held(outcome: Outcome) -> Held {
    outcome.map(|found| HeldOut {
        tuned: found.tuned,
        at_edge: found.at_edge,
        ..HeldOut::of(&found.posteriors)
    })
}

/// Fits a learner on all rows, and takes the time. Settings are those that were chosen on all rows already, or are chosen now.
fn whole(
    entrant: &Entrant,
    chosen: Option<&(String, f64)>,
    dataset: &Dataset,
    seed: u64,
) -> Result<Whole, Error> {
    let rows: Vec<u32> = (0..dataset.n_rows() as u32).collect();
    let begun = Instant::now();
    let (settled, tuning) = match (entrant, chosen) {
        (Entrant::BuiltIn(_), Some((settings, seconds))) => (settings.parse()?, Some(*seconds)),
        (Entrant::BuiltIn(learner), None) => {
            let tuned = tune(learner, dataset, &rows, &TuneOptions { seed, ..TuneOptions::default() })?;
            let seconds = tuned.curve.is_some().then(|| begun.elapsed().as_secs_f64());
            (Entrant::BuiltIn(tuned.learner), seconds)
        }
        (Entrant::Outside(_), _) => (entrant.clone(), None),
    };
    let begun = Instant::now();
    let model = match &settled {
        Entrant::BuiltIn(learner) => AnyModel::Learned(Box::new(learner.fit(dataset, &rows, seed)?)),
        Entrant::Outside(learner) => AnyModel::Outside(learner.fit(dataset, &rows, seed)?),
    };
    let training = begun.elapsed().as_secs_f64();
    let begun = Instant::now();
    let posteriors = model.posteriors(dataset, &rows)?.without_costs();
    let scoring = begun.elapsed().as_secs_f64();
    let tuned = (settled != *entrant).then(|| settled.to_string());
    let held = HeldOut { tuned, ..HeldOut::of(&posteriors) };
    Ok(Whole { held, bytes: model.bytes()?, tuning, training, scoring })
}
