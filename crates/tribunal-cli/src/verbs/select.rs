//! `tribunal select`: which learner to take for a population without labels.

use std::path::{Path, PathBuf};

use tribunal::selection::{
    SelectRequest, Selection, SelectionMetric, USUAL_SELECTION, read_selection, select, selection_learners_of,
};
use tribunal::{Entrant, RUN_FILES, Source};
use tribunal_eval::intervals::Level;
use tribunal_io::Files;
use tribunal_report::{render_selection, selection_files, write_selection};

use crate::args::{OutputArgs, SelectArgs, texts};
use crate::flags::{Flags, style};
use crate::messages::{say, shown};
use crate::progress::WorkBar;
use crate::verbs::data;
use crate::{Failure, command_line, interrupt, output};

pub(crate) fn run(args: &SelectArgs, files: Files) -> Result<(), Failure> {
    let asked = asked(args)?;
    asked.check_files(files)?;
    let selection = selected(&asked, args.output.quiet)?;
    show(&asked, &selection, &args.output)
}

/// A selection, its tables and its folder.
struct Asked {
    train: Vec<String>,
    deploy: Vec<String>,
    /// The schema file that the selection file names.
    schema: Option<String>,
    request: SelectRequest,
    folder: Option<PathBuf>,
}

impl Asked {
    /// Checks what is read beside what the command line names, and what the folder will hold.
    fn check_files(&self, mut files: Files) -> Result<(), Failure> {
        let mut check = || {
            self.train
                .iter()
                .chain(&self.deploy)
                .chain(&self.schema)
                .try_for_each(|name| files.reads(name))?;
            if let Some(folder) = &self.folder {
                let names: Vec<&str> = RUN_FILES.into_iter().chain(selection_files()).collect();
                files.writes_folder("--run", folder, &names)?;
            }
            files.check_directories()
        };
        Ok(check().map_err(tribunal::Error::from)?)
    }
}

/// Selects, in the folder of the run if there is one.
fn selected(asked: &Asked, quiet: bool) -> Result<Selection, Failure> {
    match &asked.folder {
        Some(folder) => interrupt::watch_run(folder, quiet)?,
        None => interrupt::watch()?,
    }
    let (train, deploy) = (open(&asked.train)?, open(&asked.deploy)?);
    let bar = WorkBar::new(quiet).naming(asked.request.entrants.iter().map(Entrant::to_string).collect());
    let folder = asked.folder.as_deref();
    let mut selection = select((&train, &deploy), &asked.request, folder, &|progress| bar.show(progress))?;
    drop(bar);
    selection.provenance.command = Some(command_line::kept());
    Ok(selection)
}

fn open(names: &[String]) -> Result<Source, Failure> {
    Ok(Source::open(names).map_err(tribunal::Error::from)?)
}

/// Writes the reports into the folder of the run, and shows the one that was asked for.
fn show(asked: &Asked, selection: &Selection, output: &OutputArgs) -> Result<(), Failure> {
    if let Some(folder) = &asked.folder {
        write_selection(folder, selection, &Flags)?;
    }
    let text = render_selection(selection, style(output.format));
    output::write(output, &text.map_err(|error| Failure::run(error.to_string()))?)?;
    if let Some(folder) = asked.folder.as_ref().filter(|_| !output.quiet) {
        say(&format!("\nEverything is in {}: start with report.md.", shown(folder)));
    }
    Ok(())
}

/// The selection of a file or of options, with what options say put over it.
fn asked(args: &SelectArgs) -> Result<Asked, Failure> {
    let is_file = |input: &String| Path::new(input).extension().is_some_and(|ending| ending == "toml");
    let mut asked = match &texts(&args.inputs)[..] {
        // Learners that are typed take the place of those of the file, whose commands are then not run.
        [path] if is_file(path) => {
            asked_by_file(Path::new(path), args.run_command || !args.learners.is_empty())?
        }
        inputs => Asked {
            train: inputs.to_vec(),
            deploy: Vec::new(),
            schema: None,
            request: SelectRequest::new(learners_of(USUAL_SELECTION.split(';'))?),
            folder: None,
        },
    };
    put_over(args, &mut asked.request)?;
    if !args.deploy.is_empty() {
        asked.deploy = texts(&args.deploy);
    }
    if asked.deploy.is_empty() {
        return Err(Failure::usage("for which population? Name the files of its table with --deploy"));
    }
    if asked.request.data.targets.is_empty() {
        return Err(Failure::usage("what is to be predicted? Name its column with --target"));
    }
    if let Some(run) = &args.run {
        asked.folder = Some(run.path().to_owned());
    }
    Ok(asked)
}

/// The selection of a file; its folder stands beside it.
fn asked_by_file(path: &Path, may_run_command: bool) -> Result<Asked, Failure> {
    let file = read_selection(path)?;
    file.permit(may_run_command)?;
    Ok(Asked {
        train: file.train,
        deploy: file.deploy,
        schema: file.schema,
        request: file.request,
        folder: Some(path.with_extension("run")),
    })
}

/// Puts options over a selection.
fn put_over(args: &SelectArgs, request: &mut SelectRequest) -> Result<(), Failure> {
    data::declare(&args.declared, &mut request.data)?;
    data::give_roles(&mut request.data, args.weight.as_deref(), &args.id);
    put(&mut request.data.predictors, args.predictors.clone().map(Some));
    put(&mut request.data.amount, args.amount.clone().map(Some));
    if !args.learners.is_empty() {
        request.entrants = learners_of(args.learners.iter().map(String::as_str))?;
    }
    if let Some(rule) = args.rule {
        (request.rule, request.metric) = (Some(rule), SelectionMetric::Benefit);
    }
    put(&mut request.metric, args.metric);
    put(&mut request.reverse_labels, args.reverse_labels);
    put_over_methods(args, request);
    put(&mut request.ask, args.ask);
    request.check_with_target |= args.check_with_target;
    if let Some(level) = args.level {
        request.level = Level::new(level).map_err(|error| Failure::usage(error.to_string()))?;
    }
    put(&mut request.seed, args.seed);
    Ok(())
}

fn put_over_methods(args: &SelectArgs, request: &mut SelectRequest) {
    put(&mut request.design, args.design.clone());
    request.with_leave_one_out |= args.leave_one_out;
    request.with_reverse_testing &= !args.no_reverse_testing;
    request.with_reverse_validation &= !args.no_reverse_validation;
    put(&mut request.audit, args.audit);
}

/// Puts something in the place of something else, if there is something.
fn put<T>(known: &mut T, given: Option<T>) {
    if let Some(given) = given {
        *known = given;
    }
}

/// The learners that words stand for, each once.
fn learners_of<'a>(words: impl Iterator<Item = &'a str>) -> Result<Vec<Entrant>, Failure> {
    let mut learners: Vec<Entrant> = Vec::new();
    for word in words {
        for learner in selection_learners_of(word)? {
            if !learners.contains(&learner) {
                learners.push(learner);
            }
        }
    }
    Ok(learners)
}
