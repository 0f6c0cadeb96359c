//! The models that a comparison of learners needs, each made once, and what they say.

use rayon::prelude::*;
use tribunal_eval::unlabelled::{Candidate, ClassLabels};
use tribunal_learn::Posteriors;

use super::criterion::{ReverseLabels, SelectionMetric};
use super::evidence::{BenefitCells, Evidence, Extras};
use super::fits::{ForwardFit, KeptPosteriors, tried};
use super::ledger::{Ledger, Record};
use super::results::ModelsTrained;
use super::reverse::{Labelling, Populations, ReverseTest, representatives};
use super::tournament::ReverseEvidence;
use super::voices::Voice;
use crate::error::Error;
use crate::line_up::Entrant;
use crate::progress::OnProgress;
use crate::resampling::Design;

/// What learners are compared by, and how.
#[derive(Clone, Debug)]
pub(super) struct CompareSettings {
    pub(super) metric: SelectionMetric,
    pub(super) reverse_labels: ReverseLabels,
    /// The cross-validation.
    pub(super) design: Design,
    pub(super) with_reverse_testing: bool,
    pub(super) with_leave_one_out: bool,
    pub(super) with_reverse_validation: bool,
    pub(super) seed: u64,
}

/// What the models of learners say.
pub(super) struct Compared {
    /// The learners that said something, in their order.
    pub(super) voices: Vec<Voice>,
    /// The learners with their settings, or why they take no part.
    pub(super) settled: Vec<Result<Entrant, String>>,
    pub(super) extras: Extras,
    pub(super) truth: ClassLabels,
    pub(super) trained: ModelsTrained,
    metric: SelectionMetric,
}

/// Trains whatever is not in the ledger yet.
///
/// # Errors
/// The rows cannot be divided, the ledger cannot be written, or no learner can learn from the rows.
pub(super) fn compare(
    populations: &Populations<'_>,
    entrants: &[Entrant],
    settings: &CompareSettings,
    ledger: &mut Ledger,
    on_progress: OnProgress<'_>,
) -> Result<Compared, Error> {
    Comparing { populations, entrants, settings, ledger, on_progress, trained: ModelsTrained::default() }
        .run()
}

struct Comparing<'a> {
    populations: &'a Populations<'a>,
    entrants: &'a [Entrant],
    settings: &'a CompareSettings,
    ledger: &'a mut Ledger,
    on_progress: OnProgress<'a>,
    trained: ModelsTrained,
}

impl Comparing<'_> {
    fn run(mut self) -> Result<Compared, Error> {
        let mut settled = self.settle()?;
        let held_out = self.held_out()?;
        let forward = self.forward(&settled)?;
        let (mut voices, mut cross_validated, mut structural) = (Vec::new(), Vec::new(), Vec::new());
        let labelled = self.populations.labelled();
        for (learner, settled) in settled.iter_mut().enumerate() {
            match self.voice(learner, settled, &held_out[learner], &forward[learner]) {
                Ok((voice, repetitions, structure)) => {
                    let figures = repetitions
                        .iter()
                        .filter_map(|said| labelled.performance(self.settings.metric, said));
                    let figures: Vec<f64> = figures.collect();
                    cross_validated.push(
                        (!figures.is_empty()).then(|| figures.iter().sum::<f64>() / figures.len() as f64),
                    );
                    structural.push(structure);
                    voices.push(voice);
                }
                Err(why) => *settled = Err(why),
            }
        }
        if voices.is_empty() {
            let why = settled.iter().find_map(|one| one.as_ref().err()).cloned().unwrap_or_default();
            return Err(Error::data(format!("no learner can learn from the labelled rows: {why}")));
        }
        let mut extras = Extras { cross_validated, structural, ..Extras::default() };
        if self.settings.with_reverse_testing {
            extras.reverse = Some(self.reverse(&settled, &voices)?);
        }
        if self.settings.with_leave_one_out {
            extras.leave_one_out = Some(self.leave_one_out(&voices)?);
        }
        if self.settings.with_reverse_validation && self.settings.metric != SelectionMetric::Benefit {
            extras.reverse_validation = Some(self.reverse_validation(&settled, &voices)?);
        }
        let n_classes = self.populations.target.classes().len();
        let truth = ClassLabels::new(n_classes, self.populations.target.codes().to_vec())?;
        Ok(Compared { voices, settled, extras, truth, trained: self.trained, metric: self.settings.metric })
    }

    /// The learners with their settings.
    fn settle(&mut self) -> Result<Vec<Result<Entrant, String>>, Error> {
        for learner in 0..self.entrants.len() {
            let known = self.ledger.find(|record| match record {
                Record::Settled { learner: of, .. } if *of == learner => Some(()),
                _ => None,
            });
            if known.is_none() {
                let settled = tried(|| self.populations.settled(&self.entrants[learner], self.settings.seed));
                let settings = settled.map(|entrant| entrant.to_string());
                self.ledger.keep(vec![Record::Settled { learner, settings }])?;
            }
        }
        let of = |learner: usize| {
            let settings = self.ledger.find(|record| match record {
                Record::Settled { learner: of, settings } if *of == learner => Some(settings.clone()),
                _ => None,
            });
            settings
                .unwrap_or_else(|| Err("it was not tried".to_owned()))?
                .parse()
                .map_err(|error: Error| error.to_string())
        };
        Ok((0..self.entrants.len()).map(of).collect())
    }

    /// What learners say of held-out rows; those that are missing are cross-validated together, so that they share their work.
    fn held_out(&mut self) -> Result<Vec<Result<Vec<KeptPosteriors>, String>>, Error> {
        let known = |ledger: &Ledger, learner: usize| {
            ledger.find(|record| match record {
                Record::HeldOut { learner: of, said } if *of == learner => Some(said.clone()),
                _ => None,
            })
        };
        let plan = self.populations.plan(&self.settings.design, self.settings.seed)?;
        let missing: Vec<usize> =
            (0..self.entrants.len()).filter(|&learner| known(self.ledger, learner).is_none()).collect();
        if !missing.is_empty() {
            let entrants: Vec<Entrant> =
                missing.iter().map(|&learner| self.entrants[learner].clone()).collect();
            let found = self.populations.held_out(&entrants, &plan, self.settings.seed, self.on_progress)?;
            let record = |(&learner, said): (&usize, Result<Vec<Posteriors>, String>)| Record::HeldOut {
                learner,
                said: said.map(|said| said.iter().map(KeptPosteriors::from).collect()),
            };
            self.ledger.keep(missing.iter().zip(found).map(record).collect())?;
        }
        self.trained.cross_validation += (plan.n_splits() * self.entrants.len()) as u64;
        let of = |learner| known(self.ledger, learner).unwrap_or_else(|| Err("it was not tried".to_owned()));
        Ok((0..self.entrants.len()).map(of).collect())
    }

    /// What the models of all labelled rows say.
    fn forward(
        &mut self,
        settled: &[Result<Entrant, String>],
    ) -> Result<Vec<Result<ForwardFit, String>>, Error> {
        let known = |ledger: &Ledger, learner: usize| {
            ledger.find(|record| match record {
                Record::Forward { learner: of, fit } if *of == learner => Some(fit.clone()),
                _ => None,
            })
        };
        let missing: Vec<usize> =
            (0..settled.len()).filter(|&learner| known(self.ledger, learner).is_none()).collect();
        let (populations, seed) = (self.populations, self.settings.seed);
        let fit = |learner: usize| {
            let entrant = settled[learner].clone()?;
            tried(|| populations.forward(&entrant, seed))
        };
        let found = side_by_side(&missing, |learner| is_command(&settled[*learner]), |&learner| fit(learner));
        let records = missing.iter().zip(found).map(|(&learner, fit)| Record::Forward { learner, fit });
        self.ledger.keep(records.collect())?;
        self.trained.forward += settled.iter().flatten().count() as u64;
        let of = |learner| known(self.ledger, learner).unwrap_or_else(|| Err("it was not tried".to_owned()));
        Ok((0..settled.len()).map(of).collect())
    }

    #[allow(clippy::type_complexity)]
    fn voice(
        &self,
        learner: usize,
        settled: &Result<Entrant, String>,
        held_out: &Result<Vec<KeptPosteriors>, String>,
        forward: &Result<ForwardFit, String>,
    ) -> Result<(Voice, Vec<Posteriors>, (f64, Option<f64>)), String> {
        settled.as_ref().map_err(Clone::clone)?;
        let (held_out, forward) =
            (held_out.as_ref().map_err(Clone::clone)?, forward.as_ref().map_err(Clone::clone)?);
        let voice = || {
            let repetitions =
                held_out.iter().map(KeptPosteriors::posteriors).collect::<Result<Vec<_>, Error>>()?;
            let first = repetitions.first().cloned().ok_or_else(|| Error::data("no row was held out"))?;
            let said = (first, forward.deployed.posteriors()?);
            let voice = Voice::new(learner, said, self.populations, self.settings.metric)?;
            let judged = |said| voice.calibration.judged(said, self.settings.metric);
            let repetitions = repetitions.into_iter().map(judged).collect::<Result<Vec<_>, Error>>()?;
            Ok::<_, Error>((voice, repetitions))
        };
        let (voice, repetitions) = voice().map_err(|error| error.to_string())?;
        Ok((voice, repetitions, (forward.training_error, forward.vc_dimension)))
    }

    /// How every reverse model does: those of equal labellings are made once.
    fn reverse(
        &mut self,
        settled: &[Result<Entrant, String>],
        voices: &[Voice],
    ) -> Result<ReverseEvidence, Error> {
        let test = ReverseTest {
            populations: *self.populations,
            metric: self.settings.metric,
            labels: self.settings.reverse_labels,
            seed: self.settings.seed,
        };
        let labellings: Vec<Option<Labelling>> =
            voices.iter().map(|voice| Some(test.labelling(&voice.deployed.posteriors))).collect();
        let stands_for = representatives(&labellings);
        let distinct: Vec<usize> =
            (0..voices.len()).filter(|&place| stands_for[place] == Some(place)).collect();
        self.trained.reverse += (voices.len() * distinct.len()) as u64;
        let mut values = Vec::with_capacity(voices.len());
        for voice in voices {
            let learner = voice.learner;
            let known = |ledger: &Ledger, labeller: usize| {
                ledger.find(|record| match record {
                    Record::Reverse { learner: of, labeller: by, value }
                        if (*of, *by) == (learner, labeller) =>
                    {
                        Some(value.clone())
                    }
                    _ => None,
                })
            };
            let labeller = |place: usize| voices[place].learner;
            let missing: Vec<usize> = distinct
                .iter()
                .copied()
                .filter(|&place| known(self.ledger, labeller(place)).is_none())
                .collect();
            let fit = |&place: &usize| {
                let entrant = settled[learner].as_ref().map_err(Clone::clone)?;
                let labelling = labellings[place].as_ref().ok_or("there are no labels")?;
                tried(|| test.evidence(entrant, labelling))
            };
            let found = side_by_side(&missing, |_| is_command(&settled[learner]), fit);
            let record = |(&place, value): (&usize, Result<Option<f64>, String>)| Record::Reverse {
                learner,
                labeller: labeller(place),
                value,
            };
            self.ledger.keep(missing.iter().zip(found).map(record).collect())?;
            let value =
                |stands_for: &Option<usize>| known(self.ledger, labeller((*stands_for)?))?.ok().flatten();
            values.push(stands_for.iter().map(value).collect());
        }
        ReverseEvidence::new(values)
    }

    fn leave_one_out(&mut self, voices: &[Voice]) -> Result<Vec<Result<Posteriors, String>>, Error> {
        self.trained.leave_one_out += (voices.len() * self.populations.train.n_rows()) as u64;
        let mut found = Vec::with_capacity(voices.len());
        for voice in voices {
            let learner = voice.learner;
            let known = |ledger: &Ledger| {
                ledger.find(|record| match record {
                    Record::LeaveOneOut { learner: of, said } if *of == learner => Some(said.clone()),
                    _ => None,
                })
            };
            if known(self.ledger).is_none() {
                let entrant = &self.entrants[learner];
                let said =
                    tried(|| self.populations.leave_one_out(entrant, self.settings.seed, self.on_progress));
                self.ledger
                    .keep(vec![Record::LeaveOneOut { learner, said: said.map(|said| (&said).into()) }])?;
            }
            let judged = |said| {
                let judged = voice.calibration.judged(said, self.settings.metric);
                judged.map_err(|error| error.to_string())
            };
            found.push(read_back(known(self.ledger)).and_then(judged));
        }
        Ok(found)
    }

    fn reverse_validation(
        &mut self,
        settled: &[Result<Entrant, String>],
        voices: &[Voice],
    ) -> Result<Vec<Result<Posteriors, String>>, Error> {
        let folds = match &self.settings.design {
            Design::Cv(cv) => Design::Cv(crate::resampling::Cv { n_repetitions: None, ..cv.clone() }),
            other => other.clone(),
        };
        let plan = self.populations.plan(&folds, self.settings.seed)?;
        self.trained.reverse_validation += (2 * voices.len() * plan.n_splits()) as u64;
        let mut found = Vec::with_capacity(voices.len());
        for voice in voices {
            let learner = voice.learner;
            let known = |ledger: &Ledger| {
                ledger.find(|record| match record {
                    Record::ReverseValidation { learner: of, said } if *of == learner => Some(said.clone()),
                    _ => None,
                })
            };
            if known(self.ledger).is_none() {
                let said = settled[learner].clone().and_then(|entrant| {
                    tried(|| self.populations.reverse_validation(&entrant, &plan, self.settings.seed))
                });
                self.ledger.keep(vec![Record::ReverseValidation {
                    learner,
                    said: said.map(|said| (&said).into()),
                }])?;
            }
            found.push(read_back(known(self.ledger)));
        }
        Ok(found)
    }
}

fn read_back(kept: Option<Result<KeptPosteriors, String>>) -> Result<Posteriors, String> {
    kept.unwrap_or_else(|| Err("it was not tried".to_owned()))?
        .posteriors()
        .map_err(|error| error.to_string())
}

fn is_command(settled: &Result<Entrant, String>) -> bool {
    matches!(settled, Ok(Entrant::Outside(_)))
}

/// Work on all cores, but for commands: what those do with all the cores is their affair.
pub(super) fn side_by_side<T: Sync, U: Send>(
    items: &[T],
    is_command: impl Fn(&T) -> bool,
    work: impl Fn(&T) -> U + Sync + Send,
) -> Vec<U> {
    match items.iter().any(is_command) {
        true => items.iter().map(work).collect(),
        false => items.par_iter().map(work).collect(),
    }
}

impl Compared {
    /// Shows the evidence to somebody.
    ///
    /// # Errors
    /// Voices are of other rows.
    pub(super) fn examine<T>(
        &self,
        populations: &Populations<'_>,
        look: impl FnOnce(Evidence<'_>) -> T,
    ) -> Result<T, Error> {
        let weights = [populations.train.weights(), populations.deploy.weights()];
        let candidates = self.voices.iter().map(|voice| voice.candidate(&self.truth, weights));
        let candidates = candidates.collect::<Result<Vec<Candidate<'_>>, Error>>()?;
        let cells = BenefitCells::of(populations);
        let said = (&self.voices[..], &candidates[..], &self.truth);
        let evidence = Evidence::new(*populations, self.metric, said, cells.as_ref(), &self.extras)?;
        Ok(look(evidence))
    }
}
