//! The experiment as its users meet it: tables, learners from end to end, and studies.

#[path = "../claims_study/reduced.rs"]
mod claims_study;
mod correction;
mod data;
mod decisions;
mod examples;
mod j48;
mod known_sets;
mod learners;
mod list_questions;
mod logit;
mod no_leakage;
mod scored_rows;
mod segments;
mod selection;
mod shared_data;
mod shift;
mod study_decisions;
