//! A selection at work: tables are read and compared, learners are trained, methods are asked, and the answer is put in order.

use std::path::Path;

use tribunal_eval::unlabelled::LabelShift;
use tribunal_io::Source;
use tribunal_learn::Target;
use tribunal_learn::density_ratio::{KernelMeanMatching, LogisticRatio, MatchingOptions, SamplePair};

use super::asked::Asking;
use super::audit::{Audit, COMMITTEE, HeldBack, Simulated, committee_of, committee_said};
use super::compare::{CompareSettings, Compared, compare};
use super::criterion::SelectionMetric;
use super::evidence::{Evidence, Extras};
use super::expected::{BENEFIT, ExpectedMetric, METHOD, metrics};
use super::ledger::{Ledger, Record};
use super::methods::{CONSENSUS, CROSS_VALIDATION, METHODS, MethodScores, scores_of_methods};
use super::request::SelectRequest;
use super::results::{
    AuditDifference, AuditErrorRow, AuditRow, Beats, BenefitFloors, CommitteeShares, DomainAuroc,
    EvidenceRow, ExpectedRow, MethodAgreement, MethodOutcome, MethodRegret, OrderRow, Pair, PopulationTable,
    Recommendation, ReverseTesting, Selection, SelectionLearner, SelectionShift, TargetCheck, TournamentRow,
    TrainingTable, TrueFigure,
};
use super::reverse::Populations;
use super::tables::Tables;
use super::tournament::Duel;
use super::verdict::{Said, reasons, verdict, warnings};
use crate::bias::BiasName;
use crate::decision::CaseRule;
use crate::describe::ClassCount;
use crate::error::Error;
use crate::progress::OnProgress;
use crate::provenance::Provenance;
use crate::run_folder::RunDescription;
use crate::shift::{EstimatedPriors, MOST_LINEAR_COLUMNS, ShiftRequest, Sides, diagnose_shift};

/// The version of the journal of a selection: from the second on rows stand in the order that follows from what they hold.
const RUN_SCHEMA: &str = "tribunal.selection-run/1";
/// Fewer simulations give no interval.
pub(super) const LEAST_SIMULATIONS: usize = 5;
/// An audit in which nobody errs says nothing of errors: no narrower interval is given.
const LEAST_WIDTH: f64 = 1e-9;
/// Nominal level of the intervals that the audit gives.
pub(super) const AUDIT_LEVEL: f64 = 0.9;

/// Chooses a learner for a population. With a folder every finished model is kept there, and a run that was interrupted goes on to
/// the same result.
///
/// # Errors
/// The request or the tables cannot be right, no learner can learn from the labelled rows, or the folder cannot be used. A learner
/// that fails is no error.
pub fn select(
    (train, deploy): (&Source, &Source),
    request: &SelectRequest,
    folder: Option<&Path>,
    on_progress: OnProgress<'_>,
) -> Result<Selection, Error> {
    request.check()?;
    let tables = Tables::read((train, deploy), request, on_progress)?;
    let hashes = (train.sha256()?, deploy.sha256()?);
    let populations = Populations {
        train_benefits: tables.train_benefits.as_ref(),
        deploy_benefits: tables.deploy_benefits.as_ref(),
        ..Populations::new(&tables.train, &tables.deploy)?
    };
    // What cannot be right is told before the folder is begun: its journal would refuse the corrected command.
    populations.plan(&request.design, request.seed)?;
    let mut ledger = match folder {
        Some(folder) => Ledger::open(folder, &run_of(request, (train, deploy), &hashes))?,
        None => Ledger::default(),
    };
    let settings = CompareSettings {
        metric: request.metric,
        reverse_labels: request.reverse_labels,
        design: request.design.clone(),
        with_reverse_testing: request.with_reverse_testing,
        with_leave_one_out: request.with_leave_one_out,
        with_reverse_validation: request.with_reverse_validation,
        seed: request.seed,
    };
    let mut compared = compare(&populations, &request.entrants, &settings, &mut ledger, on_progress)?;
    add_density_ratios(&mut compared.extras, &populations, request.seed);
    let audit = Audit { populations: &populations, entrants: &request.entrants, settings: &settings };
    let simulations = simulate(&audit, request.audit, &mut ledger, on_progress)?;
    let (simulated, failures): (Vec<_>, Vec<_>) = simulations.into_iter().partition(Result::is_ok);
    let simulated: Vec<Simulated> = simulated.into_iter().flatten().collect();
    let failures: Vec<String> = failures.into_iter().filter_map(Result::err).collect();
    let mut trained = compared.trained;
    trained.audit = simulated.iter().map(|simulated| simulated.n_models).sum();
    trained.repeated_cross_validation = 1000 * compared.voices.len() as u64;
    let target = populations.target;
    let parts = compared.examine(&populations, |mut evidence| {
        let order = &tables.deploy_order;
        let asking = Asking { request, evidence: &evidence, classes: target.classes(), order };
        if let Some(few) = asking.few_labels()? {
            evidence.sharpen(&few);
        }
        let evidence = &evidence;
        Answer { request, tables: &tables, compared: &compared, evidence, simulated: &simulated }.parts()
    })??;
    let table = |source: &Source| source.names().map(str::to_owned).collect::<Vec<String>>();
    let mut selection = Selection {
        schema: Default::default(),
        provenance: Provenance::default(),
        verdict: String::new(),
        training: TrainingTable {
            files: table(train),
            sha256: hashes.0,
            rows: tables.train.n_rows() as u64,
            columns: tables.train.columns().len() as u64,
            target: target.name().to_owned(),
            classes: class_counts(target),
        },
        population: PopulationTable {
            files: table(deploy),
            sha256: hashes.1,
            rows: tables.deploy.n_rows() as u64,
        },
        metric: request.metric,
        reverse_labels: request.rule.map(|_| request.reverse_labels),
        design: request.design.to_string(),
        seed: request.seed,
        level: request.level.get(),
        models_trained: trained,
        audit_asked: request.audit as u64,
        warnings: Vec::new(),
        notices: tables.notices.clone(),
        ..parts
    };
    selection.warnings = warnings(&selection, request.n_families(), &failures);
    selection.verdict = verdict(&selection);
    Ok(selection)
}

/// What a run is a run of.
fn run_of(
    request: &SelectRequest,
    (train, deploy): (&Source, &Source),
    hashes: &(String, String),
) -> RunDescription {
    let listed = |items: Vec<String>| items.join("; ");
    let targets = request.data.targets.iter().map(|target| match &target.positive {
        Some(rule) => format!("{:?} is {:?}", target.name, rule.to_string()),
        None => format!("{:?}", target.name),
    });
    let subject = [
        ("the target", listed(targets.collect())),
        ("the learners", listed(request.entrants.iter().map(ToString::to_string).collect())),
        ("the metric", request.metric.to_string()),
        ("the rule", request.rule.map_or_else(String::new, |rule| rule.to_string())),
        ("the labels of reverse models", format!("{:?}", request.reverse_labels).to_lowercase()),
        ("the amounts", request.data.amount.clone().unwrap_or_default()),
        ("the predictors", request.data.predictors.clone().unwrap_or_default()),
        ("the design", request.design.to_string()),
        ("the seed", request.seed.to_string()),
        ("what is declared about columns", serde_json::to_string(&request.data.schema).unwrap_or_default()),
        ("whether reverse models are trained", request.with_reverse_testing.to_string()),
        ("whether reverse models of folds are trained", request.with_reverse_validation.to_string()),
    ];
    let questions = [
        ("the simulations of the audit", request.audit.to_string()),
        ("the rows to be asked for", request.ask.to_string()),
        ("whether rows are left out one by one", request.with_leave_one_out.to_string()),
    ];
    let words = |pairs: &[(&str, String)]| {
        pairs.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect()
    };
    let both = format!("{} {}", hashes.0, hashes.1);
    let sizes: Vec<u64> = train.sizes().chain(deploy.sizes()).collect();
    RunDescription::new(RUN_SCHEMA, (&both, sizes.into_iter()), words(&subject), words(&questions))
}

fn class_counts(target: &Target) -> Vec<ClassCount> {
    let counted = target.classes().iter().zip(target.counts());
    counted.map(|(class, rows)| ClassCount { class: class.clone(), rows: rows as u64 }).collect()
}

pub(super) fn add_density_ratios(extras: &mut Extras, populations: &Populations<'_>, seed: u64) {
    let samples = SamplePair::of_datasets(populations.train, populations.deploy);
    let samples = match samples {
        Ok(samples) => samples,
        Err(error) => {
            extras.logistic_ratios = Some(Err(error.to_string()));
            extras.kernel_ratios = Some(Err(error.to_string()));
            return;
        }
    };
    let options = MatchingOptions { seed, ..MatchingOptions::default() };
    let (logistic, kernel) = rayon::join(
        || match samples.n_columns() > MOST_LINEAR_COLUMNS {
            true => Err(too_wide(samples.n_columns())),
            false => LogisticRatio::fit(&samples)
                .map(|found| found.weights.ratios)
                .map_err(|error| error.to_string()),
        },
        || KernelMeanMatching::fit(&samples, &options).map(|found| found.weights.ratios),
    );
    extras.logistic_ratios = Some(logistic);
    extras.kernel_ratios = Some(kernel.map_err(|error| error.to_string()));
}

/// Why there is no logistic ratio of so many columns.
fn too_wide(n_columns: usize) -> String {
    format!(
        "{n_columns} encoded columns are too many for a logistic regression of the tables, which takes at most {MOST_LINEAR_COLUMNS}"
    )
}

/// What came of each simulation of the audit, or why nothing did.
fn simulate(
    audit: &Audit<'_>,
    n_simulations: usize,
    ledger: &mut Ledger,
    on_progress: OnProgress<'_>,
) -> Result<Vec<Result<Simulated, String>>, Error> {
    let mut found = Vec::with_capacity(n_simulations);
    for simulation in 0..n_simulations {
        let known = ledger.find(|record| match record {
            Record::Simulation { simulation: of, found } if *of == simulation => Some(found.clone()),
            _ => None,
        });
        let outcome = match known {
            Some(known) => known,
            None => {
                let outcome = super::fits::tried(|| audit.simulate(simulation, on_progress));
                ledger.keep(vec![Record::Simulation { simulation, found: outcome.clone() }])?;
                outcome
            }
        };
        found.push(outcome);
    }
    Ok(found)
}

/// Everything that goes into the answer.
struct Answer<'a> {
    request: &'a SelectRequest,
    tables: &'a Tables,
    compared: &'a Compared,
    evidence: &'a Evidence<'a>,
    simulated: &'a [Simulated],
}

impl Answer<'_> {
    fn name(&self, voice: usize) -> String {
        self.request.entrants[self.evidence.voices[voice].learner].to_string()
    }

    /// The result, but for what is known without evidence.
    fn parts(&self) -> Result<Selection, Error> {
        let methods = scores_of_methods(self.evidence);
        let method = if self.evidence.scores.is_ok() { CONSENSUS } else { CROSS_VALIDATION };
        let recommended = choice_of(&methods, method);
        let scores = methods.iter().find(|scores| scores.method().id == method);
        let scores = scores.and_then(|scores| scores.outcome.clone().ok()).unwrap_or_default();
        let shift = self.shift(recommended)?;
        let mut expected = self.expected();
        if shift.is_without_overlap() {
            expected.iter_mut().for_each(ExpectedRow::withhold);
        }
        let few = self.asking().few_labels()?;
        let said = Said { evidence: self.evidence, methods: &methods, names: &|voice| self.name(voice) };
        Ok(Selection {
            recommended: recommended.map(|voice| Recommendation {
                learner: self.name(voice),
                method: method.to_owned(),
                by_cross_validation: methods
                    .iter()
                    .find(|scores| scores.method().id == CROSS_VALIDATION)
                    .and_then(|scores| scores.choice_near(recommended))
                    .map(|voice| self.name(voice)),
                reasons: reasons(&said, voice, few.as_ref()),
            }),
            committee: committee_of(self.evidence).map(|committee| CommitteeShares {
                learners: (0..committee.members.len()).map(|voice| self.name(voice)).collect(),
                weights: committee.members.iter().map(|member| member.weight).collect(),
                scalings: committee.members.iter().map(|member| member.scaling).collect(),
                calibrations: self.evidence.voices.iter().map(|voice| voice.calibration.clone()).collect(),
            }),
            learners: self.learners(),
            orders: methods.iter().flat_map(|scores| self.order_rows(scores)).collect(),
            methods: methods.iter().map(|scores| self.outcome(scores, recommended)).collect(),
            agreement: self.agreement(&methods),
            pairs: self.pairs(),
            reverse_testing: self.reverse_testing(),
            expected,
            floors: self.floors(),
            audit: audit_rows(self.simulated),
            audit_beaten_by: audit_beaten_by(self.simulated),
            audit_errors: audit_error_rows(self.simulated),
            ask: self.asking().ask(&scores)?,
            labels: self.asking().labels_found(&scores)?,
            check: self.check(&methods)?,
            ..Selection::empty(shift)
        })
    }

    fn asking(&self) -> Asking<'_> {
        let classes = self.tables.train.target().map(Target::classes).unwrap_or_default();
        Asking { request: self.request, evidence: self.evidence, classes, order: &self.tables.deploy_order }
    }

    fn learners(&self) -> Vec<SelectionLearner> {
        let (scalings, calibrations) =
            (self.evidence.consensus.scalings(), self.evidence.consensus.calibrations());
        let weights = self.evidence.consensus.clones().weights();
        let learner = |(place, entrant): (usize, &crate::line_up::Entrant)| {
            let voice = self.evidence.voices.iter().position(|voice| voice.learner == place);
            let settled = &self.compared.settled[place];
            let tuned = settled.as_ref().ok().filter(|settled| *settled != entrant).map(ToString::to_string);
            let clones = voice.map(|voice| {
                let others = self.evidence.consensus.clones().of(voice).filter(|&other| other != voice);
                others.map(|other| self.name(other)).collect()
            });
            SelectionLearner {
                learner: entrant.to_string(),
                tuned,
                family: entrant.family_name().to_owned(),
                failed: settled.as_ref().err().cloned(),
                predicts_one_class: voice
                    .is_some_and(|voice| self.evidence.voices[voice].decides_for_one_class()),
                clones: clones.unwrap_or_default(),
                temperature: voice.map(|voice| match calibrations {
                    Some(calibrations) => calibrations[voice].temperature,
                    None => scalings[voice].temperature,
                }),
                log_odds_shift: voice.and_then(|voice| Some(calibrations?[voice].log_odds_shift)),
                weight: voice.map(|voice| weights[voice]),
            }
        };
        self.request.entrants.iter().enumerate().map(learner).collect()
    }

    fn order_rows(&self, scores: &MethodScores) -> Vec<OrderRow> {
        let row = |(voice, rank, score): (usize, u64, f64)| OrderRow {
            method: scores.method().id.to_owned(),
            learner: self.name(voice),
            rank,
            score,
        };
        scores.ranks().into_iter().map(row).collect()
    }

    fn outcome(&self, scores: &MethodScores, recommended: Option<usize>) -> MethodOutcome {
        let method = scores.method();
        MethodOutcome {
            method: method.id.to_owned(),
            name: method.name.to_owned(),
            reference: method.reference.to_owned(),
            is_higher_better: method.is_higher_better,
            choice: scores.choice_near(recommended).map(|voice| self.name(voice)),
            not_applicable: scores.outcome.as_ref().err().cloned(),
        }
    }

    fn agreement(&self, methods: &[MethodScores]) -> Vec<MethodAgreement> {
        let asked: Vec<&MethodScores> = methods.iter().filter(|scores| scores.choice().is_some()).collect();
        let pairs = (0..asked.len()).flat_map(|a| (a + 1..asked.len()).map(move |b| (a, b)));
        let agreement = |(a, b): (usize, usize)| MethodAgreement {
            a: asked[a].method().id.to_owned(),
            b: asked[b].method().id.to_owned(),
            same_choice: asked[a].choice() == asked[b].choice(),
            kendall_tau: kendall_tau(&ranks(asked[a]), &ranks(asked[b])),
        };
        pairs.map(agreement).collect()
    }

    fn pairs(&self) -> Vec<Pair> {
        let Some(tournament) = &self.evidence.tournament else { return Vec::new() };
        let pair = |&(a, b, duel): &(usize, usize, Duel)| Pair {
            a: self.name(a),
            b: self.name(b),
            winner: match duel {
                Duel::First => Some(self.name(a)),
                Duel::Second => Some(self.name(b)),
                Duel::Undecided => None,
            },
        };
        tournament.duels.iter().map(pair).collect()
    }

    fn reverse_testing(&self) -> Option<ReverseTesting> {
        let tournament = self.evidence.tournament.as_ref()?;
        let reverse = self.evidence.extras.reverse.as_ref()?;
        let n = reverse.n_learners();
        let places = (0..n).flat_map(|learner| (0..n).map(move |labeller| (learner, labeller)));
        let row = |(learner, labeller): (usize, usize)| EvidenceRow {
            learner: self.name(learner),
            labeller: self.name(labeller),
            value: reverse.value(learner, labeller),
        };
        let ranked = |ranked: &super::tournament::Ranked| TournamentRow {
            learner: self.name(ranked.learner),
            copeland: tournament.copeland[ranked.learner],
            margin: tournament.margin[ranked.learner],
            is_tied_with_previous: ranked.is_tied_with_previous,
        };
        let names = |members: &Vec<usize>| members.iter().map(|&voice| self.name(voice)).collect();
        let beats =
            |&(winner, loser): &(usize, usize)| Beats { winner: self.name(winner), loser: self.name(loser) };
        Some(ReverseTesting {
            evidence: places.map(row).collect(),
            order: tournament.order.iter().map(ranked).collect(),
            cycles: tournament.cycles.iter().map(names).collect(),
            beats: tournament.beats.iter().map(beats).collect(),
        })
    }

    /// What to expect of every learner; the audit gives intervals.
    fn expected(&self) -> Vec<ExpectedRow> {
        let mut rows = Vec::new();
        for metric in metrics(self.evidence) {
            let errors: Vec<f64> = self
                .simulated
                .iter()
                .flat_map(|simulated| &simulated.expected_errors)
                .filter(|(id, _)| id == metric.id)
                .map(|(_, error)| *error)
                .collect();
            let is_enough = self.simulated.len() >= LEAST_SIMULATIONS && !errors.is_empty();
            let ends = is_enough.then(|| error_ends(errors)).filter(|(low, high)| high - low > LEAST_WIDTH);
            for (voice, expected) in metric.of_voices(self.evidence).into_iter().enumerate() {
                let (least, most) = self.possible(&metric, voice);
                let ends = expected.as_ref().ok().zip(ends).map(|(expected, (low, high))| {
                    let end = |error: f64| (expected.estimate + error).clamp(least, most);
                    (end(low), end(high))
                });
                rows.push(ExpectedRow {
                    learner: self.name(voice),
                    metric: metric.id.to_owned(),
                    estimate: expected.as_ref().ok().map(|expected| expected.within_range.clamp(least, most)),
                    lower: ends.map(|(lower, _)| lower),
                    upper: ends.map(|(_, upper)| upper),
                    level: ends.map(|_| AUDIT_LEVEL),
                    method: METHOD.to_owned(),
                    cross_validated: expected.as_ref().ok().map(|expected| expected.cross_validated),
                    undefined: expected.err(),
                });
            }
        }
        rows
    }

    /// The least and the largest value that a figure of a voice can have on the population: what acting costs and may bring in depends
    /// on whom it acts.
    fn possible(&self, metric: &ExpectedMetric<'_>, voice: usize) -> (f64, f64) {
        let benefits = self.evidence.populations.deploy_benefits.filter(|_| metric.id == BENEFIT);
        benefits.map_or_else(
            || metric.range(),
            |benefits| {
                let decisions = self.evidence.voices[voice].deployed.decisions.classes();
                let are_known = matches!(self.request.rule, Some(CaseRule::Fraud { .. }));
                benefits.possible(|row| decisions[row] == 1, self.tables.deploy.weights(), are_known)
            },
        )
    }

    /// What acting without any learner brings in.
    fn floors(&self) -> Option<BenefitFloors> {
        let everybody = self.evidence.populations.labelled().benefit_of_everybody();
        let everybody = everybody.filter(|_| self.request.metric == SelectionMetric::Benefit)?;
        Some(BenefitFloors { nobody: 0.0, everybody })
    }

    fn shift(&self, recommended: Option<usize>) -> Result<SelectionShift, Error> {
        let priors = recommended.and_then(|voice| {
            let candidate = &self.evidence.candidates[voice];
            let shift = LabelShift::estimate(&candidate.held_out, &candidate.unlabelled).ok()?;
            Some(EstimatedPriors { shares: shift.priors, intervals: None })
        });
        let request = ShiftRequest {
            priors,
            rows_with_new_levels: Some(self.tables.rows_with_new_levels),
            level: self.request.level,
            ..ShiftRequest::new(self.request.seed)
        };
        let tables = Sides { training: &self.tables.train, population: &self.tables.deploy_as_read };
        let diagnosis = diagnose_shift(tables, &request)?;
        let domain_auroc = diagnosis.domain.judged().and_then(|domain| {
            let best = domain.learners.get(domain.best)?;
            Some(DomainAuroc {
                estimate: best.auroc,
                lower: best.lower,
                upper: best.upper,
                level: best.level,
            })
        });
        Ok(SelectionShift { domain_auroc, diagnosis })
    }

    /// What the target of the population says, once everything else is settled.
    fn check(&self, methods: &[MethodScores]) -> Result<Option<TargetCheck>, Error> {
        let Some(classes) = &self.tables.deploy_classes else { return Ok(None) };
        let mut rows: Vec<u32> =
            (0..).zip(classes).filter(|(_, class)| class.is_some()).map(|(row, _)| row).collect();
        if let Some(benefits) = self.tables.deploy_benefits.as_ref() {
            // Equal rows may turn out to be worth different amounts, and sums go by the order of rows.
            rows.sort_by(|&a, &b| benefits.actual[a as usize].total_cmp(&benefits.actual[b as usize]));
        }
        if rows.is_empty() {
            return Err(Error::data(
                "no row of the population has a label, so nothing can be checked with the target",
            ));
        }
        let codes = rows.iter().filter_map(|&row| classes[row as usize]).collect();
        let known = self.tables.train.target().ok_or_else(crate::line_up::no_target)?;
        let target = Target::new(known.name(), known.classes().iter().map(String::as_str), codes)?;
        let dataset = self.tables.deploy.take(&rows);
        let benefits = self.tables.deploy_benefits.as_ref().map(|benefits| {
            let mut benefits = benefits.take(&rows);
            let worth = |(amount, &code): (&f64, &u32)| if code == 1 { *amount } else { 0.0 };
            benefits.actual = benefits.actual.iter().zip(target.codes()).map(worth).collect();
            benefits
        });
        let judge = HeldBack {
            dataset: &dataset,
            target: &target,
            benefits: benefits.as_ref(),
            metric: self.request.metric,
        };
        let figure =
            |voice: usize| judge.figure(&self.evidence.voices[voice].deployed.posteriors.take(&rows));
        let figures: Vec<Option<f64>> = (0..self.evidence.voices.len()).map(figure).collect();
        let best = figures.iter().flatten().copied().fold(f64::NEG_INFINITY, f64::max);
        let committee = committee_said(self.evidence).and_then(|said| judge.figure(&said.take(&rows)));
        let regret = |scores: &MethodScores| {
            let chosen = figures[scores.choice()?]?;
            Some(MethodRegret { method: scores.method().id.to_owned(), regret: best - chosen })
        };
        let mut regrets: Vec<MethodRegret> = methods.iter().filter_map(regret).collect();
        regrets.extend(
            committee.map(|value| MethodRegret { method: COMMITTEE.to_owned(), regret: best - value }),
        );
        let duels = self.evidence.tournament.iter().flat_map(|tournament| &tournament.duels);
        let is_right = |&&(a, b, duel): &&(usize, usize, Duel)| match (duel, figures[a], figures[b]) {
            (Duel::First, Some(a), Some(b)) => a > b,
            (Duel::Second, Some(a), Some(b)) => b > a,
            _ => false,
        };
        let decided = duels.clone().filter(|(_, _, duel)| *duel != Duel::Undecided).count() as u64;
        let learner = |voice: usize| Some(TrueFigure { learner: self.name(voice), value: figures[voice]? });
        Ok(Some(TargetCheck {
            rows: rows.len() as u64,
            learners: (0..figures.len()).filter_map(learner).collect(),
            committee,
            regrets,
            pairs_right: duels.clone().filter(is_right).count() as u64,
            pairs_decided: decided,
            pairs: duels.count() as u64,
        }))
    }
}

fn choice_of(methods: &[MethodScores], id: &str) -> Option<usize> {
    methods.iter().find(|scores| scores.method().id == id)?.choice()
}

/// The rank of each voice, none where it has no score.
fn ranks(scores: &MethodScores) -> Vec<Option<f64>> {
    let n = scores.outcome.as_ref().map_or(0, Vec::len);
    let mut ranks = vec![None; n];
    scores.ranks().into_iter().for_each(|(voice, rank, _)| ranks[voice] = Some(rank as f64));
    ranks
}

/// Kendall's tau-b of pairs that both have.
fn kendall_tau(a: &[Option<f64>], b: &[Option<f64>]) -> Option<f64> {
    let both: Vec<(f64, f64)> = a.iter().zip(b).filter_map(|(a, b)| Some(((*a)?, (*b)?))).collect();
    let (mut concordance, mut a_apart, mut b_apart) = (0.0, 0.0, 0.0);
    for (place, (a, b)) in both.iter().enumerate() {
        for (other_a, other_b) in &both[..place] {
            let sign = |one: f64, other: f64| if one == other { 0.0 } else { (one - other).signum() };
            let (by_a, by_b) = (sign(*a, *other_a), sign(*b, *other_b));
            concordance += by_a * by_b;
            a_apart += by_a.abs();
            b_apart += by_b.abs();
        }
    }
    (a_apart > 0.0 && b_apart > 0.0).then(|| concordance / f64::sqrt(a_apart * b_apart))
}

/// The 5 % and 95 % quantiles of errors, widened to hold no error at all.
pub(super) fn error_ends(mut errors: Vec<f64>) -> (f64, f64) {
    errors.sort_by(f64::total_cmp);
    let quantile = |share: f64| {
        let at = share * (errors.len() - 1) as f64;
        let (below, above) = (errors[at.floor() as usize], errors[at.ceil() as usize]);
        below + (at - at.floor()) * (above - below)
    };
    let tail = (1.0 - AUDIT_LEVEL) / 2.0;
    (quantile(tail).min(0.0), quantile(1.0 - tail).max(0.0))
}

/// The kinds of bias of the simulations, each once, before all of them together.
fn kinds(simulated: &[Simulated]) -> Vec<Option<BiasName>> {
    let mut kinds: Vec<Option<BiasName>> = Vec::new();
    for simulated in simulated {
        if !kinds.contains(&Some(simulated.kind)) {
            kinds.push(Some(simulated.kind));
        }
    }
    if !kinds.is_empty() {
        kinds.push(None);
    }
    kinds
}

fn audit_rows(simulated: &[Simulated]) -> Vec<AuditRow> {
    let methods: Vec<&str> = METHODS.iter().map(|method| method.id).chain([COMMITTEE]).collect();
    let mut rows = Vec::new();
    for method in methods {
        for kind in kinds(simulated) {
            let of_kind = simulated.iter().filter(|simulated| kind.is_none_or(|kind| simulated.kind == kind));
            let regrets = of_kind.flat_map(|simulated| &simulated.regrets).filter(|(id, _)| id == method);
            let regrets: Vec<f64> = regrets.map(|(_, regret)| *regret).collect();
            if let Some((regret, se)) = mean_and_se(&regrets) {
                let n = regrets.len() as u64;
                rows.push(AuditRow { method: method.to_owned(), kind, regret, se, n });
            }
        }
    }
    rows
}

/// Methods that lost less than consensus selection by more than two standard errors of the difference, which is taken simulation by
/// simulation.
fn audit_beaten_by(simulated: &[Simulated]) -> Vec<AuditDifference> {
    let others = METHODS.iter().map(|method| method.id).chain([COMMITTEE]).filter(|id| *id != CONSENSUS);
    let difference = |id: &str| {
        let gains = simulated.iter().filter_map(|one| Some(one.regret(CONSENSUS)? - one.regret(id)?));
        let gains: Vec<f64> = gains.collect();
        let (gain, se) = mean_and_se(&gains)?;
        let n = gains.len() as u64;
        Some(AuditDifference { method: id.to_owned(), gain, se: se.filter(|se| gain > 2.0 * se)?, n })
    };
    others.filter_map(difference).filter(|row| row.gain > 0.0).collect()
}

fn audit_error_rows(simulated: &[Simulated]) -> Vec<AuditErrorRow> {
    let methods = METHODS.iter().filter(|method| method.is_estimate).map(|method| method.id);
    let mut rows = Vec::new();
    for method in methods.chain([METHOD]) {
        for kind in kinds(simulated) {
            let of_kind = simulated.iter().filter(|simulated| kind.is_none_or(|kind| simulated.kind == kind));
            let errors: Vec<f64> = of_kind
                .flat_map(|simulated| match method {
                    // The metric that decides comes first.
                    METHOD => {
                        let first = simulated.expected_errors.first().map(|(id, _)| id.clone());
                        simulated
                            .expected_errors
                            .iter()
                            .filter(|(id, _)| Some(id) == first.as_ref())
                            .map(|(_, error)| *error)
                            .collect::<Vec<_>>()
                    }
                    method => simulated
                        .errors
                        .iter()
                        .filter(|(id, _)| id == method)
                        .map(|(_, error)| *error)
                        .collect(),
                })
                .collect();
            if errors.is_empty() {
                continue;
            }
            let n = errors.len() as f64;
            rows.push(AuditErrorRow {
                method: method.to_owned(),
                kind,
                mean_absolute_error: errors.iter().map(|error| error.abs()).sum::<f64>() / n,
                bias: errors.iter().sum::<f64>() / n,
                n: errors.len() as u64,
            });
        }
    }
    rows
}

fn mean_and_se(values: &[f64]) -> Option<(f64, Option<f64>)> {
    let n = values.len() as f64;
    let mean = (n > 0.0).then(|| values.iter().sum::<f64>() / n)?;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0);
    Some((mean, (n > 1.0).then(|| (variance / n).sqrt())))
}
