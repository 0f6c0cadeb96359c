//! One step of a command: started, waited for, stopped if it takes too long, and asked why if it failed.
//!
//! What it prints goes to files: a pipe stays open as long as any grandchild holds it, and whoever reads it waits.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use super::job_folder::JobFolder;
use super::learner::OutsideLearner;
use super::{process_group, running};
use crate::error::Error;

/// What a command is asked to do.
pub(super) struct Step<'a> {
    pub(super) learner: &'a OutsideLearner,
    /// `fit`, `score` or `explain`.
    pub(super) name: &'static str,
    /// The files that it is given, after the name of the step.
    pub(super) files: &'a [&'a Path],
    pub(super) folder: &'a JobFolder,
    /// The file that describes the job.
    pub(super) job: &'a Path,
    pub(super) seed: u32,
}

/// Why a step failed.
#[derive(Debug)]
pub(super) enum Failure {
    /// It could not be started or waited for.
    System(io::Error),
    /// It ended with another code than 0, or by a signal; with the last it said.
    Ended(ExitStatus, String),
    /// It took too long.
    TimedOut,
}

/// Of what a command says, so much is looked at for its last lines.
const TAIL: u64 = 8192;
/// So many of the last lines are shown.
const LAST_LINES: usize = 3;
/// A line is shown so far.
const LINE_CHARS: usize = 300;

impl Step<'_> {
    /// Runs the command and waits for its end.
    pub(super) fn run(&self) -> Result<(), Failure> {
        let mut child = self.start().map_err(Failure::System)?;
        match wait(&mut child, self.learner.timeout()).map_err(Failure::System)? {
            Some(status) if status.success() => Ok(()),
            Some(status) => Err(Failure::Ended(status, self.last_words())),
            None => Err(Failure::TimedOut),
        }
    }

    fn start(&self) -> io::Result<Child> {
        let (program, arguments) =
            self.learner.words().split_first().ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
        let mut command = Command::new(program);
        command.args(arguments).arg(self.name).args(self.files);
        command.env("TRIBUNAL_SEED", self.seed.to_string()).env("TRIBUNAL_JOB", self.job);
        command.stdin(Stdio::null());
        command.stdout(File::create(self.folder.file("stdout"))?);
        command.stderr(File::create(self.folder.file("stderr"))?);
        process_group::lead(&mut command);
        running::start(&mut command)
    }

    /// The last lines of its standard error, or of its standard output if it said nothing there.
    fn last_words(&self) -> String {
        let said = |name: &str| last_lines(&self.folder.file(name)).unwrap_or_default();
        Some(said("stderr")).filter(|words| !words.is_empty()).unwrap_or_else(|| said("stdout"))
    }

    /// What it printed on standard output, as far as `most` bytes.
    pub(super) fn printed(&self, most: u64) -> Result<String, Failure> {
        let mut bytes = Vec::new();
        let file = File::open(self.folder.file("stdout")).map_err(Failure::System)?;
        file.take(most).read_to_end(&mut bytes).map_err(Failure::System)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The error that a failure is to the user.
    pub(super) fn error(&self, failure: &Failure) -> Error {
        let what = match failure {
            Failure::System(error) if error.kind() == io::ErrorKind::NotFound => {
                let program = self.learner.words().first().map_or("", String::as_str);
                format!("there is no command \"{program}\"; install it, or write where it is")
            }
            Failure::System(error) => format!("it cannot be run: {error}"),
            Failure::Ended(status, said) => ended(*status, said),
            Failure::TimedOut => format!(
                "it took longer than {} seconds and was stopped; allow more with outside[timeout=SECONDS]:COMMAND",
                self.learner.timeout().as_secs()
            ),
        };
        self.wrong(&what)
    }

    /// An error that names the command and the step.
    pub(super) fn wrong(&self, what: &str) -> Error {
        Error::data(format!("{}, {}: {what}", self.learner, self.name))
    }
}

fn ended(status: ExitStatus, said: &str) -> String {
    let how = match (status.code(), process_group::signal(status)) {
        (Some(code), _) => format!("it ended with exit code {code}"),
        (None, Some(signal)) => format!("it was killed by signal {signal}"),
        (None, None) => "it did not end well".to_owned(),
    };
    if said.is_empty() { format!("{how} and said nothing") } else { format!("{how}: {said}") }
}

/// Waits for a command and ends what it leaves running, or all of it when time is up. `None` if it took too long.
fn wait(child: &mut Child, timeout: Duration) -> io::Result<Option<ExitStatus>> {
    let started = Instant::now();
    let mut pause = Duration::from_millis(1);
    let ended = loop {
        match process_group::has_ended(child) {
            Ok(false) if started.elapsed() < timeout => {}
            ended => break ended,
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    };
    process_group::end(child);
    running::forget(child);
    let status = child.wait()?;
    Ok(ended?.then_some(status))
}

/// The last lines of a file that say anything.
fn last_lines(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let start = file.metadata()?.len().saturating_sub(TAIL);
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    file.take(TAIL).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let last = &lines[lines.len().saturating_sub(LAST_LINES)..];
    let shown = |line: &&str| line.chars().take(LINE_CHARS).filter(|c| !c.is_control()).collect::<String>();
    Ok(last.iter().map(shown).collect::<Vec<_>>().join(" | "))
}
