//! A study: every learner on the same rows, for every target encoding and set of predictors, with a verdict.
//!
//! The method is that of Viaene, Derrig, Baesens and Dedene (2002).

mod file;
mod init;
mod request;
mod results;
mod words;
mod written;

pub use file::{StudyFile, read_study};
pub use init::{InitOptions, init_study};
pub use request::{Preference, Protocol, StudyRequest};
pub use results::{
    Addition, DesignFigure, FamilyGain, FamilyHull, FamilyRatio, Gap, LearnerGain, LearnerRatio,
    LearnerTimes, LeftOut, MetricSummary, ModelNote, STUDY_SCHEMA, STUDY_TIMES_SCHEMA, ScenarioCurves,
    ScenarioRatios, ScenarioTests, ScenarioVerdict, Stretch, Study, StudyData, StudyFigure, StudyLearner,
    StudyScenario, StudyTimes, StudyVerdict, TopGroup,
};
pub use words::{USUAL_LEARNERS, all_designs, designs_of, learners_of};
