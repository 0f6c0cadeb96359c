//! From held-out scores to everything that a study says.

use rayon::prelude::*;
use tribunal_eval::Ranking;
use tribunal_eval::metrics::Measure;

use super::acting::acting;
use super::additions::additions;
use super::baseline::baseline_tests;
use super::board::Board;
use super::comparison::{Field, FieldTests, summary};
use super::curves::curves;
use super::designs::design_figures;
use super::ground::{Ground, ScenarioPlace};
use super::held_out::held_out;
use super::journal::{CellPlace, HeldOut};
use super::judged::{Frame, Judge, JudgedCell, Unit, ranking};
use super::notes::model_notes;
use super::questions::Deciding;
use super::request::StudyRequest;
use super::results::{Gap, Study, StudyData, StudyFigure, StudyLearner, StudyScenario};
use super::verdict::{Evidence, verdict};
use super::warnings::warnings;
use super::worth::WorthColumns;
use crate::error::Error;
use crate::line_up::Entrant;
use crate::metric_info::MetricInfo;
use crate::provenance::Provenance;
use crate::results::{CapacityShare, MetricRow, Standing};
use crate::scope::Scope;

/// Everything that is known when a study has run.
pub(super) struct Findings<'a> {
    pub(super) request: &'a StudyRequest,
    pub(super) ground: &'a Ground,
    /// The learners as the protocol has them.
    pub(super) entrants: &'a [Entrant],
    pub(super) board: &'a Board,
    pub(super) deciding: Deciding,
    /// What is judged, the deciding metric first; where figures of acting decide, the evidence beside them.
    pub(super) measures: Vec<Measure>,
    pub(super) learners: Vec<StudyLearner>,
    pub(super) places: Vec<ScenarioPlace>,
    pub(super) names: Vec<String>,
    /// Design by design, target by target.
    pub(super) frames: Vec<Vec<Frame>>,
    /// Design by design, scenario by scenario, learner by learner.
    pub(super) cells: Vec<Vec<Vec<JudgedCell>>>,
}

/// What a study says.
///
/// # Errors
/// What acting brings in cannot be found, because the question does not fit the scores.
pub(super) fn study(
    request: &StudyRequest,
    ground: &Ground,
    entrants: &[Entrant],
    board: &Board,
    worth: Option<&WorthColumns>,
    (files, sha256): (Vec<String>, String),
) -> Result<Study, Error> {
    let findings = Findings::new(request, ground, entrants, board)?;
    let tests = findings.tests();
    let summaries = findings.measures.iter().enumerate().filter_map(|(metric, measure)| {
        let of_metric = tests.iter().map(|of_scenario| of_scenario[metric].as_ref());
        summary(*measure, &findings.learners, &findings.names, of_metric)
    });
    let evidence = Evidence {
        baselines: (0..findings.places.len()).map(|scenario| baseline_tests(&findings, scenario)).collect(),
        additions: additions(&findings),
        tests: &tests,
        acting: acting(&findings, worth)?,
    };
    let mut study = Study {
        schema: Default::default(),
        provenance: Provenance::default(),
        title: request.title.clone(),
        data: StudyData { files, sha256, rows: ground.n_rows as u64 },
        protocol: request.protocol,
        design: ground.designs[0].design.to_string(),
        seed: request.seed,
        level: request.level.get(),
        group: request.group.clone(),
        measures: MetricInfo::of_all(findings.measures.iter().copied()),
        learners: findings.learners.clone(),
        scenarios: findings.scenarios(),
        verdict: verdict(&findings, &evidence),
        warnings: Vec::new(),
        gaps: findings.gaps(),
        figures: findings.figures(&tests),
        summaries: summaries.collect(),
        curves: (0..findings.places.len()).filter_map(|scenario| findings.curves(scenario)).collect(),
        held_out: held_out(&findings),
        additions: evidence.additions.into_iter().map(|(_, addition)| addition).collect(),
        models: model_notes(&findings),
        designs: design_figures(&findings),
        decisions: evidence.acting.into_iter().flatten().map(|acting| acting.result).collect(),
        capacities: findings.capacities(),
        baselines: evidence.baselines.into_iter().flatten().map(|(_, test)| test).collect(),
        leaks: ground.leaks.clone(),
        notices: ground.notices.clone(),
        metrics: findings.measures.iter().map(ToString::to_string).collect(),
        tests: tests.into_iter().flatten().flatten().map(|tests| tests.results).collect(),
    };
    study.warnings = warnings(&findings, &study);
    Ok(study)
}

impl<'a> Findings<'a> {
    /// All held-out scores of a learner, ranked together.
    pub(super) fn ranking(&self, scenario: usize, learner: usize) -> Option<Ranking> {
        let place = CellPlace { design: 0, scenario, learner };
        let frame = self.frame(scenario);
        let at = self.places[scenario];
        let (mut rows, mut scores) = (Vec::new(), Vec::new());
        for (tested, held) in frame.tested.iter().zip(self.board.cell(place)) {
            rows.extend_from_slice(&tested.rows);
            scores.extend_from_slice(&held.as_ref()?.as_ref().ok()?.scores);
        }
        let weights = self.ground.sets[at.set].dataset.weights();
        ranking(&rows, &scores, &self.ground.truth(at.target), weights)
    }

    fn new(
        request: &'a StudyRequest,
        ground: &'a Ground,
        entrants: &'a [Entrant],
        board: &'a Board,
    ) -> Result<Findings<'a>, Error> {
        let deciding = request.deciding();
        let measures = measures(request, deciding, ground.weight())?;
        let frame = |design: usize| ground.designs[design].plans.iter().map(Frame::of).collect();
        let frames: Vec<Vec<Frame>> = (0..ground.designs.len()).map(frame).collect();
        let places: Vec<ScenarioPlace> = ground.scenarios().collect();
        let judge = Judge { ground, board, measures: &measures, level: request.level };
        let cell = |design: usize, scenario: usize, learner: usize| {
            let (place, at) = (CellPlace { design, scenario, learner }, places[scenario]);
            judge.cell(place, at, &frames[design][at.target])
        };
        let of_scenario = |design: usize, scenario: usize| {
            (0..entrants.len()).into_par_iter().map(|learner| cell(design, scenario, learner)).collect()
        };
        let of_design =
            |design: usize| (0..places.len()).map(|scenario| of_scenario(design, scenario)).collect();
        let cells = (0..ground.designs.len()).map(of_design).collect();
        let learner = |(asked, run): (&Entrant, &Entrant)| StudyLearner {
            learner: asked.to_string(),
            run_as: run.to_string(),
            family: run.family_name().to_owned(),
            trivial: is_trivial(run),
        };
        Ok(Findings {
            deciding,
            learners: request.entrants.iter().zip(entrants).map(learner).collect(),
            names: places.iter().map(|&place| ground.name(place)).collect(),
            request,
            ground,
            entrants,
            board,
            measures,
            places,
            frames,
            cells,
        })
    }

    /// The frame of a scenario under the design of the study.
    pub(super) fn frame(&self, scenario: usize) -> &Frame {
        &self.frames[0][self.places[scenario].target]
    }

    /// The learners of a scenario under the design of the study.
    pub(super) fn of_scenario(&self, scenario: usize) -> &[JudgedCell] {
        &self.cells[0][scenario]
    }

    /// The rows of a unit and what a learner said of them; nothing where it failed.
    pub(super) fn held_out(
        &self,
        scenario: usize,
        learner: usize,
        unit: &Unit,
    ) -> Option<(Vec<u32>, HeldOut)> {
        let place = CellPlace { design: 0, scenario, learner };
        unit.held_out(self.frame(scenario), self.board.cell(place))
    }

    fn field(&self, scenario: usize, metric: usize) -> Field<'_> {
        Field {
            scenario: &self.names[scenario],
            learners: &self.learners,
            cells: self.of_scenario(scenario),
            frame: self.frame(scenario),
            measure: self.measures[metric],
            metric,
            level: self.request.level,
        }
    }

    /// Scenario by scenario, metric by metric; nothing where there can be no tests.
    fn tests(&self) -> Vec<Vec<Option<FieldTests>>> {
        let of_scenario = |scenario: usize| {
            let metrics = (0..self.measures.len()).into_par_iter();
            metrics.map(|metric| self.field(scenario, metric).tests().ok()).collect()
        };
        (0..self.places.len()).into_par_iter().map(of_scenario).collect()
    }

    fn scenarios(&self) -> Vec<StudyScenario> {
        let scenario = |(place, name): (&ScenarioPlace, &String)| {
            let (target, set) = (&self.ground.targets[place.target], &self.ground.sets[place.set]);
            let counts = target.counts();
            let plan = &self.ground.designs[0].plans[place.target];
            StudyScenario {
                name: name.clone(),
                target: target.name().to_owned(),
                positive: target.classes().get(1).cloned().unwrap_or_default(),
                predictors: set.name.clone(),
                columns: set.dataset.columns().len() as u64,
                rows: self.ground.n_rows as u64,
                positives: counts.get(1).copied().unwrap_or_default() as u64,
                majority: counts.iter().copied().max().unwrap_or_default() as f64 / self.ground.n_rows as f64,
                splits: plan.n_splits() as u64,
                plan: plan.hash(),
            }
        };
        self.places.iter().zip(&self.names).map(scenario).collect()
    }

    /// The numbers of cases that splits take as shares.
    fn capacities(&self) -> Vec<CapacityShare> {
        let whole = self.ground.weight();
        let counted = self.measures.iter().filter_map(|measure| Some((measure, measure.n_cases()?)));
        let possible = counted.filter(|(_, cases)| *cases <= whole);
        possible
            .map(|(measure, cases)| CapacityShare { asked: measure.to_string(), cases, share: cases / whole })
            .collect()
    }

    fn gaps(&self) -> Vec<Gap> {
        let mut gaps = Vec::new();
        for (divided, cells) in self.ground.designs.iter().zip(&self.cells) {
            for (scenario, cells) in self.names.iter().zip(cells) {
                let failed = self.learners.iter().zip(cells).filter(|(_, cell)| !cell.failed.is_empty());
                gaps.extend(failed.map(|(learner, cell)| Gap {
                    scenario: scenario.clone(),
                    design: divided.design.to_string(),
                    learner: learner.learner.clone(),
                    failed: cell.failed.clone(),
                }));
            }
        }
        gaps
    }

    fn curves(&self, scenario: usize) -> Option<super::results::ScenarioCurves> {
        let cells = self.of_scenario(scenario);
        curves(&self.names[scenario], &self.learners, cells, self.request.level)
    }

    /// Means with their intervals and standings, and the figure of every split.
    fn figures(&self, tests: &[Vec<Option<FieldTests>>]) -> Vec<StudyFigure> {
        let mut figures = Vec::new();
        for (scenario, tests) in tests.iter().enumerate() {
            for (metric, tests) in tests.iter().enumerate() {
                let top = tests.as_ref().and_then(|tests| tests.top.first());
                let top = top.map_or(&[][..], |top| &top.learners);
                for learner in 0..self.learners.len() {
                    figures.push(self.mean(scenario, learner, metric, top));
                    figures.extend(self.single(scenario, learner, metric));
                }
            }
        }
        figures
    }

    fn mean(&self, scenario: usize, learner: usize, metric: usize, top: &[usize]) -> StudyFigure {
        let cell = &self.of_scenario(scenario)[learner];
        let mean = cell.mean(metric, self.frame(scenario), self.request.level);
        let name = &self.learners[learner].learner;
        let standing = match top.iter().position(|member| *member == learner) {
            Some(0) => Some(Standing::Best),
            Some(_) => Some(Standing::Level),
            None => None,
        };
        let (value, undefined) = match mean.value {
            Ok(value) => (Ok(value), None),
            Err(reason) => (Err(tribunal_eval::Undefined::NoRows), Some(reason)),
        };
        let row = MetricRow::new(name, self.measures[metric].to_string(), mean.n as u64, &value)
            .with_interval(mean.interval);
        let undefined = undefined.or_else(|| row.undefined.clone());
        StudyFigure {
            scenario: self.names[scenario].clone(),
            row: MetricRow { standing, undefined, ..row },
            sd: mean.sd,
        }
    }

    /// The figure of every split.
    fn single(&self, scenario: usize, learner: usize, metric: usize) -> Vec<StudyFigure> {
        let cell = &self.of_scenario(scenario)[learner];
        let name = &self.learners[learner].learner;
        let units = self.frame(scenario).units.iter().zip(&cell.units);
        let figure = |(unit, judged): (&super::judged::Unit, &Option<super::judged::JudgedUnit>)| {
            let judged = judged.as_ref()?;
            let row = MetricRow::new(name, self.measures[metric].to_string(), 1, &judged.values[metric]);
            Some(StudyFigure {
                scenario: self.names[scenario].clone(),
                row: MetricRow { scope: Scope::Fold { fold: unit.name.clone() }, ..row },
                sd: None,
            })
        };
        units.filter_map(figure).collect()
    }
}

/// The deciding metric, then the others, each once; the AUROC is the evidence where no metric decides.
fn measures(request: &StudyRequest, deciding: Deciding, whole: f64) -> Result<Vec<Measure>, Error> {
    let mut measures = vec![match deciding {
        Deciding::Metric(measure) => measure,
        Deciding::Acting => Measure::AUROC,
    }];
    let cost = request.costs().map(|costs| costs.measure());
    for measure in request.at_capacity(whole)?.iter().chain(&cost).chain(&request.metrics) {
        if !measures.contains(measure) {
            measures.push(*measure);
        }
    }
    Ok(measures)
}

/// Whether an entrant looks at no column.
fn is_trivial(entrant: &Entrant) -> bool {
    matches!(entrant, Entrant::BuiltIn(learner) if learner.form().name == "majority")
}
