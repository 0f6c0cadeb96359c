//! The command as its users meet it: run as a process, on files of its own.

mod amounts;
mod bad_input;
mod bias;
mod cautions;
mod certainty;
mod certainty_of_awkward_files;
mod charts;
mod correct;
mod costs;
mod cross;
mod describe;
mod doors;
mod evaluate;
mod fit;
mod folder;
mod generate;
mod hidden_characters;
mod hostile;
mod house_rules;
mod init;
mod monitor;
mod overwriting;
mod processes;
mod real_data;
mod report;
mod run_folder;
mod select;
#[path = "../../../tribunal/tests/it/shared_data.rs"]
mod shared_data;
mod split;
mod streams;
mod stress_selection;
mod study;
mod tour;
mod verdicts;
