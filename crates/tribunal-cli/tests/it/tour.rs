//! Runs the tour of the README: every command must work and print the lines shown.

use std::path::Path;
use std::process::Command;

/// A command of the tour and the lines that it must print.
#[derive(Debug)]
struct Step {
    command: String,
    shown: Vec<String>,
}

fn tour() -> Vec<Step> {
    let readme = include_str!("../../../../README.md");
    let mut steps: Vec<Step> = Vec::new();
    for block in readme.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap_or_default();
        for line in block.lines() {
            match (line.strip_prefix("$ "), steps.last_mut()) {
                (Some(command), _) => steps.push(Step { command: command.to_owned(), shown: Vec::new() }),
                (None, Some(step)) => step.shown.push(line.to_owned()),
                (None, None) => panic!("a block of the tour starts with output: {line}"),
            }
        }
    }
    steps
}

#[test]
fn the_tour_works_and_shows_what_it_prints() {
    let folder = tempfile::tempdir().expect("a folder");
    let binary = Path::new(env!("CARGO_BIN_EXE_tribunal"));
    let path = format!(
        "{}:{}",
        binary.parent().expect("a folder").display(),
        std::env::var("PATH").unwrap_or_default()
    );
    let steps = tour();
    assert!(steps.len() >= 8, "the tour has shrunk to {} steps", steps.len());
    for step in steps {
        let output = Command::new("sh")
            .args(["-c", &step.command])
            .env("PATH", &path)
            .current_dir(folder.path())
            .output()
            .expect("a shell");
        let printed = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        assert!(output.status.success(), "{} failed: {printed}", step.command);
        let mut lines = printed.lines();
        for shown in &step.shown {
            assert!(
                lines.any(|line| line.contains(shown.trim_end())),
                "{} does not print {shown:?}",
                step.command
            );
        }
    }
}
