//! A study: every learner on the same rows, for every target encoding and set of predictors, with a verdict.
//!
//! The method is that of Viaene, Derrig, Baesens and Dedene (2002).

mod acting;
mod additions;
mod analysis;
mod baseline;
mod board;
mod claims_study;
mod comparison;
mod curves;
mod designs;
mod doubts;
mod file;
mod folder;
mod ground;
mod held_out;
mod init;
mod journal;
mod judged;
mod money;
mod notes;
mod questions;
mod request;
mod results;
mod run;
mod verdict;
mod warnings;
mod words;
mod worth;
mod written;

pub use claims_study::{CLAIMS_STUDY_FILES, DEMO_CLAIMS, write_claims_study};
pub use file::{StudyFile, read_study};
pub use init::{InitOptions, init_selection, init_study};
pub use questions::{ErrorCosts, cost_methods_of};
pub use request::{Preference, Protocol, StudyRequest};
pub use results::{
    Addition, BaselineTest, Deployment, DesignFigure, FamilyGain, FamilyHull, FamilyRatio, Gap, HeldOutList,
    LearnerGain, LearnerLead, LearnerRatio, LearnerTimes, LeftOut, MetricSummary, ModelNote, ScenarioCurves,
    ScenarioDecision, ScenarioRatios, ScenarioTests, ScenarioVerdict, Stretch, Study, StudyData, StudyFigure,
    StudyLearner, StudyScenario, StudyTimes, StudyVerdict, TopGroup, VerdictOutcome,
};
pub use run::{FinishedStudy, fit_best, run_study};
pub use words::{USUAL_LEARNERS, all_designs, designs_of, learners_of};
