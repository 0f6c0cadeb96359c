//! `tribunal study`: a line-up on the same splits, judged, with a verdict.

use std::path::{Path, PathBuf};

use tribunal::resampling::Design;
use tribunal::{
    CaseRule, CostMethod, Entrant, FinishedStudy, RUN_FILES, Source, StudyRequest, USUAL_LEARNERS,
    all_designs, cost_methods_of, designs_of, fit_best, learners_of, read_study, run_study,
};
use tribunal_eval::intervals::Level;
use tribunal_eval::metrics::Measure;
use tribunal_io::{Files, printable};
use tribunal_report::{render_study, study_files, write_study};

use crate::args::{OutputArgs, OutputPath, StudyArgs, texts};
use crate::flags::{Flags, path_word, style};
use crate::messages::{say, shown};
use crate::progress::WorkBar;
use crate::verbs::{data, model};
use crate::{Failure, command_line, interrupt, output};

pub(crate) fn run(args: &StudyArgs, files: Files) -> Result<(), Failure> {
    let asked = asked(args)?;
    let finished = run_in(&asked, &args.output, files)?;
    if let Some(path) = &args.fit_best {
        keep_best(&asked, &finished, path, args.output.quiet)?;
    }
    Ok(())
}

/// A study, its data and its folder.
pub(crate) struct Asked {
    pub(crate) sources: Vec<String>,
    /// The schema file that the study file names.
    schema: Option<String>,
    pub(crate) request: StudyRequest,
    pub(crate) folder: PathBuf,
}

/// Runs a study in its folder, writes its results there, and shows them.
pub(crate) fn run_in(asked: &Asked, output: &OutputArgs, mut files: Files) -> Result<FinishedStudy, Failure> {
    add_files(asked, &mut files).map_err(tribunal::Error::from)?;
    interrupt::watch_run(&asked.folder, output.quiet)?;
    let source = Source::open(&asked.sources).map_err(tribunal::Error::from)?;
    let learners: Vec<String> = asked.request.line_up()?.iter().map(Entrant::to_string).collect();
    let bar = WorkBar::new(output.quiet).naming(learners);
    let mut finished =
        run_study(&source, &asked.request, Some(&asked.folder), &|progress| bar.show(progress))?;
    drop(bar);
    finished.study.provenance.command = Some(command_line::kept());
    write_study(&asked.folder, &finished, &Flags)?;
    let FinishedStudy { study, times } = &finished;
    let text = render_study(study, Some(times), style(output.format));
    output::write(output, &text.map_err(|error| Failure::run(error.to_string()))?)?;
    if !output.quiet {
        say(&format!("\nEverything is in {}: start with report.md.", shown(&asked.folder)));
    }
    Ok(finished)
}

/// Adds what the study reads beside what the command line names, and what its folder will hold.
fn add_files(asked: &Asked, files: &mut Files) -> Result<(), tribunal_io::Error> {
    asked.sources.iter().chain(&asked.schema).try_for_each(|name| files.reads(name))?;
    let names: Vec<&str> = RUN_FILES.into_iter().chain(study_files()).collect();
    files.writes_folder("--run", &asked.folder, &names)?;
    files.check_directories()
}

fn keep_best(
    asked: &Asked,
    finished: &FinishedStudy,
    output: &OutputPath,
    quiet: bool,
) -> Result<(), Failure> {
    let source = Source::open(&asked.sources).map_err(tribunal::Error::from)?;
    let bar = WorkBar::new(quiet);
    let fitted = fit_best(&source, &asked.request, &finished.study, &|progress| bar.show(progress))?;
    drop(bar);
    let n_bytes = output::write_model(output.file(), &fitted.model)?;
    if let (Some(path), false) = (output.file(), quiet) {
        let (learner, target) = (&fitted.summary.learner, &fitted.summary.target);
        let flag = model::needed_flag(&fitted.model.model);
        let (word, path) = (path_word(path), shown(path));
        let (learner, target) = (printable(learner), printable(target));
        say(&format!(
            "{path}: {learner} for {target}, {n_bytes} bytes. Score rows with\n  tribunal score {word} DATA{flag}"
        ));
        fitted.summary.leaks.iter().for_each(|leak| say(&format!("Do not deploy it yet: {leak}")));
    }
    Ok(())
}

/// The study of a file or of options, with what options say put over it.
fn asked(args: &StudyArgs) -> Result<Asked, Failure> {
    let is_file = |input: &String| Path::new(input).extension().is_some_and(|ending| ending == "toml");
    let mut asked = match &texts(&args.inputs)[..] {
        // Learners that are typed take the place of those of the file, whose commands are then not run.
        [path] if is_file(path) => {
            asked_by_file(Path::new(path), args.run_command || !args.learners.is_empty())?
        }
        inputs => {
            let stem = Path::new(&inputs[0]).file_stem().unwrap_or("study".as_ref());
            let title = stem.to_string_lossy().into_owned();
            Asked {
                sources: inputs.to_vec(),
                schema: None,
                request: StudyRequest::new(&title, usual_learners()?),
                folder: PathBuf::from(format!("{title}.run")),
            }
        }
    };
    put_over(args, &mut asked.request)?;
    replace(&mut asked.sources, texts(&args.data));
    asked.folder = args.run.as_ref().map_or(asked.folder, |run| run.path().to_owned());
    Ok(asked)
}

/// The study of a file; its folder stands beside it.
pub(crate) fn asked_by_file(path: &Path, may_run_command: bool) -> Result<Asked, Failure> {
    let file = read_study(path)?;
    file.permit(may_run_command)?;
    let folder = path.with_extension("run");
    Ok(Asked { sources: file.sources, schema: file.schema, request: file.request, folder })
}

/// Puts options over a study.
fn put_over(args: &StudyArgs, request: &mut StudyRequest) -> Result<(), Failure> {
    data::declare(&args.declared, &mut request.data)?;
    data::give_roles(&mut request.data, &args.roles);
    replace(&mut request.predictors, args.predictors.clone());
    if !args.learners.is_empty() {
        let of_words: Vec<Vec<Entrant>> =
            args.learners.iter().map(|text| learners_of(text.trim())).collect::<Result<_, _>>()?;
        request.entrants = of_words.into_iter().flatten().collect();
    }
    put_over_design(args, request)?;
    let measures: Vec<Measure> =
        args.metrics.iter().map(|name| measure(name)).collect::<Result<_, Failure>>()?;
    replace(&mut request.metrics, measures);
    put_over_questions(args, request)?;
    replace(&mut request.prefer, args.prefer.clone());
    if let Some(level) = args.level {
        request.level = Level::new(level).map_err(|error| Failure::usage(error.to_string()))?;
    }
    request.protocol = args.protocol.unwrap_or(request.protocol);
    request.seed = args.seed.unwrap_or(request.seed);
    Ok(())
}

/// What is asked in the words of whoever acts, one by one. A question takes the place of another figure that the file decides by.
fn put_over_questions(args: &StudyArgs, request: &mut StudyRequest) -> Result<(), Failure> {
    let (asked, known) = (&args.decision, &mut request.decision);
    let outcomes = asked.outcomes().map_err(Failure::usage)?;
    if asked.capacity.is_some() || outcomes.is_some() || asked.rule.is_some() {
        known.decide_by = None;
    }
    // A rule with a name says what outcomes bring in.
    if outcomes.is_some() && asked.rule.is_none() && known.rule != Some(CaseRule::Expected) {
        known.rule = None;
    }
    if outcomes.is_none() && asked.rule.is_some_and(|rule| rule != CaseRule::Expected) {
        known.outcomes = None;
    }
    known.outcomes = outcomes.or(known.outcomes.take());
    known.capacity = asked.capacity.or(known.capacity);
    known.rule = asked.rule.or(known.rule);
    known.decide_by = asked.decide_by()?.or(known.decide_by);
    let methods: Vec<Vec<CostMethod>> =
        args.cost_methods.iter().map(|word| cost_methods_of(word)).collect::<Result<_, _>>()?;
    let mut distinct: Vec<CostMethod> = Vec::new();
    for method in methods.concat() {
        if !distinct.contains(&method) {
            distinct.push(method);
        }
    }
    replace(&mut request.cost_methods, distinct);
    request.amount = args.amount.clone().or(request.amount.take());
    if let Some(learner) = &args.amount_learner {
        request.amount_learner = learner.clone();
    }
    Ok(())
}

fn put_over_design(args: &StudyArgs, request: &mut StudyRequest) -> Result<(), Failure> {
    let (all, named): (Vec<&String>, Vec<&String>) = args.design.iter().partition(|text| *text == "all");
    let named: Vec<Vec<Design>> = named.into_iter().map(|text| designs_of(text)).collect::<Result<_, _>>()?;
    let mut named = named.into_iter().flatten();
    if let Some(main) = named.next() {
        request.design = main;
    }
    let mut others: Vec<Design> = named.collect();
    if !all.is_empty() {
        others.extend(all_designs().into_iter().filter(|design| *design != request.design));
    }
    replace(&mut request.others, others);
    if args.group.is_some() {
        request.group.clone_from(&args.group);
    }
    Ok(())
}

/// Who takes part unless somebody says otherwise.
fn usual_learners() -> Result<Vec<Entrant>, Failure> {
    Ok(USUAL_LEARNERS.iter().map(|text| text.parse()).collect::<Result<_, tribunal::Error>>()?)
}

/// Puts something in the place of something else, if there is something.
fn replace<T>(known: &mut Vec<T>, given: Vec<T>) {
    if !given.is_empty() {
        *known = given;
    }
}

fn measure(name: &str) -> Result<Measure, Failure> {
    Ok(name.parse().map_err(|error| tribunal::Error::unknown_metric(&error))?)
}
