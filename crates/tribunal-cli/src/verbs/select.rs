//! `tribunal select`: which learner to take for a population without labels.

use std::path::{Path, PathBuf};

use tribunal::selection::{
    SelectRequest, Selection, SelectionMetric, USUAL_SELECTION, check_committee, fit_committee, fit_selected,
    read_label_table, read_selection, select, selection_learners_of, write_label_table,
};
use tribunal::{Entrant, OnProgress, RUN_FILES, SavedModel, Source};
use tribunal_eval::intervals::Level;
use tribunal_io::Files;
use tribunal_report::{render_selection, selection_files, write_selection};

use crate::args::{OutputArgs, OutputPath, SelectArgs, texts};
use crate::flags::{Flags, path_word, style};
use crate::messages::{say, shown};
use crate::progress::WorkBar;
use crate::verbs::{data, model};
use crate::{Failure, command_line, interrupt, output};

pub(crate) fn run(args: &SelectArgs, files: Files) -> Result<(), Failure> {
    let mut asked = asked(args)?;
    asked.check_files(files)?;
    if args.fit_committee.is_some() {
        check_committee(&asked.request)?;
    }
    let named = AskTable::named(args, &asked)?;
    let sources = (open(&asked.train)?, open(&asked.deploy)?);
    let table = AskTable::of(named, &asked, &sources.1)?;
    let selection = selected(&mut asked, &sources, args)?;
    show(&asked, &selection, &args.output)?;
    table.write(&asked, &sources.1, &selection, args.output.quiet)?;
    fit(args, &asked, &sources.0, &selection)
}

/// The table of the rows that are asked for.
struct AskTable {
    path: Option<PathBuf>,
    /// Whether the user named it.
    is_named: bool,
}

impl AskTable {
    /// A table that is there is told before anything is trained: it may hold labels.
    fn named(args: &SelectArgs, asked: &Asked) -> Result<Option<PathBuf>, Failure> {
        let named = args.ask_table.as_ref().map(|table| table.path().to_owned());
        if let Some(path) = named.as_ref().filter(|path| path.exists() || path.as_os_str() == "-") {
            let why = match path.is_file() {
                true => {
                    "the file is there already, perhaps with labels; name another, or give it back with --labels"
                }
                false => {
                    "this is no regular file, and the table is filled in and given back; name a new file"
                }
            };
            return Err(Failure::usage(format!("--ask-table {}: {why}", shown(path))));
        }
        if named.is_some() && asked.request.ask == 0 {
            return Err(Failure::usage(
                "--ask-table is the table of the rows that --ask names: add --ask 25",
            ));
        }
        Ok(named)
    }

    /// The table that is named, or one beside the first file of the population.
    fn of(named: Option<PathBuf>, asked: &Asked, deploy: &Source) -> Result<Self, Failure> {
        let is_named = named.is_some();
        let path = match named {
            None if asked.request.ask > 0 => Some(Self::beside(asked, deploy)?),
            named => named,
        };
        Ok(AskTable { path, is_named })
    }

    /// A name that no glob of an input would find the next time.
    fn beside(asked: &Asked, deploy: &Source) -> Result<PathBuf, Failure> {
        const ANYWHERE: &str = "population.ask.csv";
        let first = deploy.names().next().map(Path::new).filter(|first| first.is_file());
        let beside = first.map(|first| first.with_extension("ask.csv"));
        let is_fit = |path: &PathBuf| {
            let mut files = Files::default();
            let inputs = asked.train.iter().chain(&asked.deploy);
            inputs.into_iter().all(|name| files.reads(name).is_ok())
                && files.writes("--ask-table", path).is_ok()
        };
        let found = beside.into_iter().chain([PathBuf::from(ANYWHERE)]).find(is_fit);
        found.ok_or_else(|| {
            Failure::usage(
                "the table of the rows to label would be read as an input the next time; name another place with --ask-table",
            )
        })
    }

    fn write(
        &self,
        asked: &Asked,
        deploy: &Source,
        selection: &Selection,
        quiet: bool,
    ) -> Result<(), Failure> {
        let is_asked = selection.ask.as_ref().is_some_and(|ask| !ask.rows.is_empty());
        let Some(path) = self.path.as_ref().filter(|_| is_asked) else { return Ok(()) };
        let tell = |words: &str| {
            if !quiet {
                say(words);
            }
        };
        if !self.is_named && path.exists() {
            let words =
                "is there already and stays as it is; --ask-table names another table of the rows to label";
            tell(&format!("\n{} {words}.", shown(path)));
            return Ok(());
        }
        write_label_table(path, deploy, &asked.request, selection)?;
        let target = asked.request.data.targets.first().map_or("", |target| target.name.as_str());
        tell(&format!(
            "\n{}: fill in \"{target}\" from the top, as far as you get, and give it back with --labels.",
            shown(path)
        ));
        Ok(())
    }
}

/// Keeps the models that were asked for.
fn fit(args: &SelectArgs, asked: &Asked, train: &Source, selection: &Selection) -> Result<(), Failure> {
    let quiet = args.output.quiet;
    let keep = |path: &OutputPath, model: &dyn Fn(OnProgress<'_>) -> Result<SavedModel, tribunal::Error>| {
        let bar = WorkBar::new(quiet);
        let saved = model(&|progress| bar.show(progress))?;
        drop(bar);
        let n_bytes = output::write_model(path.file(), &saved)?;
        if let Some(file) = path.file().filter(|_| !quiet) {
            let (word, file, flag) = (path_word(file), shown(file), model::needed_flag(&saved.model));
            say(&format!("\n{file}: {n_bytes} bytes. Score rows with\n  tribunal score {word} DATA{flag}"));
        }
        Ok::<(), Failure>(())
    };
    if let Some(path) = &args.fit_best {
        keep(path, &|progress| fit_selected(train, &asked.request, selection, progress))?;
    }
    if let Some(path) = &args.fit_committee {
        keep(path, &|progress| fit_committee(train, &asked.request, selection, progress))?;
    }
    Ok(())
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

/// Selects, in the folder of the run if there is one, with the labels that came back.
fn selected(
    asked: &mut Asked,
    (train, deploy): &(Source, Source),
    args: &SelectArgs,
) -> Result<Selection, Failure> {
    let quiet = args.output.quiet;
    match &asked.folder {
        Some(folder) => interrupt::watch_run(folder, quiet)?,
        None => interrupt::watch()?,
    }
    let bar = WorkBar::new(quiet).naming(asked.request.entrants.iter().map(Entrant::to_string).collect());
    let on_progress = |progress| bar.show(progress);
    let mut notices = Vec::new();
    if let Some(labels) = &args.labels {
        let labels = open(&texts(std::slice::from_ref(labels)))?;
        let returned = read_label_table(&labels, (train, deploy), &asked.request, &on_progress)?;
        (asked.request.labels, notices) = (returned.labels, returned.notices);
    }
    let mut selection = select((train, deploy), &asked.request, asked.folder.as_deref(), &on_progress)?;
    drop(bar);
    selection.notices.extend(notices);
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
    data::give_roles(&mut request.data, &args.roles);
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
