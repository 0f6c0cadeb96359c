//! Choosing a learner for a population whose labels are not known, when the labelled rows may be a biased sample of it.
//!
//! [`select`] reads both tables, diagnoses how they differ, trains every learner once for everything that methods want to know
//! (`compare`), asks all methods of a registry ([`METHODS`]) and recommends by consensus selection, with the committee, what to expect
//! and - by an audit on labelled rows that are biased on purpose - how far to believe it. [`Tournament`] is the method of Fan and
//! Davidson (2006), which orders learners and does not estimate how accurate they are.

mod asked;
mod audit;
mod compare;
mod criterion;
mod evidence;
mod expected;
mod file;
mod fits;
mod known_labels;
mod label_table;
mod ledger;
mod methods;
mod request;
mod results;
mod reverse;
mod row_order;
mod run;
mod saved;
mod tables;
#[cfg(test)]
mod testing;
mod tournament;
mod verdict;
mod voices;

pub use criterion::{Acting, ActingBenefits, LabelledRows, ReverseLabels, SelectionMetric};
pub use file::{SelectionFile, read_selection, selection_learners_of};
pub use label_table::{ReturnedLabels, read_label_table, write_label_table};
pub use methods::{METHODS, Method};
pub use request::{SelectRequest, USUAL_AUDIT, USUAL_SELECTION, named_learners};
pub use results::{
    AskedLabels, AuditErrorRow, AuditRow, Beats, BenefitFloors, CommitteeShares, DomainAuroc, EvidenceRow,
    ExpectedRow, LabelledDifference, LabelledLearner, LabelsFound, LearnerLabels, LikelyGain,
    MethodAgreement, MethodOutcome, MethodRegret, ModelsTrained, OrderRow, Pair, PopulationTable,
    Recommendation, ReverseTesting, Selection, SelectionLearner, SelectionShift, TargetCheck, TournamentRow,
    TrainingTable, TrueFigure,
};
pub use reverse::{Labelling, Populations, ReverseTest, representatives};
pub use run::select;
pub use saved::{check_committee, fit_committee, fit_selected};
pub use tournament::{Duel, Ranked, ReverseEvidence, Tournament};
pub use voices::MarginCalibration;
