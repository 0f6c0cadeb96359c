//! `tribunal study`: a line-up on the same splits, judged, with a verdict.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use tribunal::resampling::Design;
use tribunal::{
    Entrant, FinishedStudy, Source, StudyRequest, USUAL_LEARNERS, all_designs, designs_of, fit_best,
    learners_of, read_study, run_study, write_model,
};
use tribunal_eval::intervals::Level;
use tribunal_eval::metrics::Measure;
use tribunal_report::{Format, render_study, render_study_times};

use crate::args::{OutputArgs, StudyArgs};
use crate::progress::WorkBar;
use crate::verbs::data;
use crate::{Failure, interrupt, output};

pub(crate) fn run(args: &StudyArgs) -> Result<(), Failure> {
    let asked = asked(args)?;
    let finished = run_in(&asked, args.jobs, &args.output)?;
    if let Some(path) = &args.fit_best {
        keep_best(&asked, &finished, path, args.output.quiet)?;
    }
    Ok(())
}

/// A study, its data and its folder.
pub(crate) struct Asked {
    pub(crate) sources: Vec<String>,
    pub(crate) request: StudyRequest,
    pub(crate) folder: PathBuf,
}

/// Runs a study in its folder, writes its results there, and shows them.
pub(crate) fn run_in(
    asked: &Asked,
    jobs: Option<NonZeroUsize>,
    output: &OutputArgs,
) -> Result<FinishedStudy, Failure> {
    limit(jobs)?;
    interrupt::watch_run(&asked.folder, output.quiet)?;
    let source = Source::open(&asked.sources).map_err(tribunal::Error::from)?;
    let learners: Vec<String> = asked.request.entrants.iter().map(Entrant::to_string).collect();
    let bar = WorkBar::new(output.quiet).naming(learners);
    let finished = run_study(&source, &asked.request, Some(&asked.folder), &|progress| bar.show(progress))?;
    drop(bar);
    write_results(&asked.folder, &finished)?;
    let FinishedStudy { study, times } = &finished;
    output::write(output, &rendered(render_study(study, Some(times), output.format))?)?;
    if !output.quiet {
        eprintln!("\nEverything is in {}: start with report.md.", asked.folder.display());
    }
    Ok(finished)
}

/// All forms of the results, in the folder of the run.
fn write_results(folder: &Path, finished: &FinishedStudy) -> Result<(), Failure> {
    let FinishedStudy { study, times } = finished;
    let files = [
        ("results.json", render_study(study, None, Format::Json)),
        ("report.md", render_study(study, None, Format::Markdown)),
        ("report.tex", render_study(study, None, Format::Latex)),
        ("report.txt", render_study(study, None, Format::Text)),
        ("figures.csv", render_study(study, None, Format::Csv)),
        ("times.json", render_study_times(times, Format::Json)),
        ("times.csv", render_study_times(times, Format::Csv)),
    ];
    for (name, text) in files {
        output::write_to(Some(&folder.join(name)), &rendered(text)?)?;
    }
    Ok(())
}

fn rendered(text: Result<String, tribunal_report::RenderError>) -> Result<String, Failure> {
    text.map_err(|error| Failure::run(error.to_string()))
}

/// Uses so many cores.
fn limit(jobs: Option<NonZeroUsize>) -> Result<(), Failure> {
    let Some(jobs) = jobs else { return Ok(()) };
    rayon::ThreadPoolBuilder::new()
        .num_threads(jobs.get())
        .build_global()
        .map_err(|error| Failure::run(format!("--jobs {jobs} cannot be kept: {error}")))
}

fn keep_best(asked: &Asked, finished: &FinishedStudy, path: &Path, quiet: bool) -> Result<(), Failure> {
    let source = Source::open(&asked.sources).map_err(tribunal::Error::from)?;
    let bar = WorkBar::new(quiet);
    let fitted = fit_best(&source, &asked.request, &finished.study, &|progress| bar.show(progress))?;
    drop(bar);
    let n_bytes = write_model(path, &fitted.model)?;
    if !quiet {
        let (learner, target) = (&fitted.summary.learner, &fitted.summary.target);
        let path = path.display();
        eprintln!(
            "{path}: {learner} for {target}, {n_bytes} bytes. Score rows with\n  tribunal score {path} DATA"
        );
    }
    Ok(())
}

/// The study of a file or of options, with what options say put over it.
fn asked(args: &StudyArgs) -> Result<Asked, Failure> {
    let is_file = |input: &String| Path::new(input).extension().is_some_and(|ending| ending == "toml");
    let mut asked = match &args.inputs[..] {
        [path] if is_file(path) => asked_by_file(Path::new(path))?,
        inputs => {
            let stem = Path::new(&inputs[0]).file_stem().unwrap_or("study".as_ref());
            let title = stem.to_string_lossy().into_owned();
            Asked {
                sources: inputs.to_vec(),
                request: StudyRequest::new(&title, usual_learners()?),
                folder: PathBuf::from(format!("{title}.run")),
            }
        }
    };
    put_over(args, &mut asked.request)?;
    replace(&mut asked.sources, args.data.clone());
    asked.folder = args.run.clone().unwrap_or(asked.folder);
    Ok(asked)
}

/// The study of a file; its folder stands beside it.
pub(crate) fn asked_by_file(path: &Path) -> Result<Asked, Failure> {
    let file = read_study(path)?;
    Ok(Asked { sources: file.sources, request: file.request, folder: path.with_extension("run") })
}

/// Puts options over a study.
fn put_over(args: &StudyArgs, request: &mut StudyRequest) -> Result<(), Failure> {
    data::declare(&args.declared, &mut request.data)?;
    data::give_roles(&mut request.data, args.weight.as_deref(), &args.id);
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
    if let Some(name) = &args.decide_by {
        request.decide_by = measure(name)?;
    }
    replace(&mut request.prefer, args.prefer.clone());
    if let Some(level) = args.level {
        request.level = Level::new(level).map_err(|error| Failure::usage(error.to_string()))?;
    }
    request.protocol = args.protocol.unwrap_or(request.protocol);
    request.seed = args.seed.unwrap_or(request.seed);
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
