//! `tribunal fit`: train a learner on all the data and keep the model.

use tribunal::{
    AmountFitRequest, AmountLearner, DataRequest, Entrant, FitRequest, Source, TuneOptions, fit_amounts,
    fit_table,
};
use tribunal_report::{Format, render_amount_fit, render_fit};

use crate::args::{AnyLearner, FitArgs};
use crate::flags::{path_word, style};
use crate::messages::{say, shown};
use crate::progress::WorkBar;
use crate::verbs::{data, model};
use crate::{Failure, interrupt, output};

pub(crate) fn run(args: &FitArgs) -> Result<(), Failure> {
    if args.output.file().is_none() && args.format != Format::Text {
        return Err(Failure::usage(format!(
            "-o - and --format {} both go to standard output; name a file for the model",
            args.format
        )));
    }
    match (&args.learner, &args.amount) {
        (AnyLearner::Classes(learner), None) => fit_classes(args, learner),
        (AnyLearner::Amounts(learner), Some(amount)) => fit_of_amounts(args, learner, amount),
        (AnyLearner::Classes(learner), Some(amount)) => Err(Failure::usage(format!(
            "{learner} learns classes and no amounts; train linear on them (--learner linear), or leave --amount out and \
             keep the column from the learner (--kind {amount}=amount)"
        ))),
        (AnyLearner::Amounts(learner), None) => Err(Failure::usage(format!(
            "{learner} learns amounts; name their column with --amount, or choose a learner of classes: `tribunal \
             learners` lists them"
        ))),
    }
}

fn fit_classes(args: &FitArgs, learner: &Entrant) -> Result<(), Failure> {
    let data = with_columns(args, data::one_target(&args.data)?);
    let request = FitRequest { data, learner: learner.clone(), seed: args.seed, tuning: tuning(args)? };
    if matches!(learner, Entrant::Outside(_)) {
        interrupt::watch()?;
    }
    let source = Source::open(&args.data.inputs).map_err(tribunal::Error::from)?;
    let bar = WorkBar::new(args.quiet).naming(vec![learner.to_string()]);
    let mut fitted = fit_table(&source, &request, &|progress| bar.show(progress))?;
    drop(bar);
    let n_bytes = output::write_model(args.output.file(), &fitted.model)?;
    fitted.summary.bytes = Some(n_bytes);
    output::sum_up(args.format, args.quiet, || render_fit(&fitted.summary, style(args.format)))?;
    say_what_is_next(args, n_bytes, model::needed_flag(&fitted.model.model));
    Ok(())
}

fn fit_of_amounts(args: &FitArgs, learner: &AmountLearner, amount: &str) -> Result<(), Failure> {
    let data = with_columns(args, data::at_most_one_target(&args.data)?);
    let request = AmountFitRequest { data, amount: amount.to_owned(), learner: learner.clone() };
    let source = Source::open(&args.data.inputs).map_err(tribunal::Error::from)?;
    let bar = WorkBar::new(args.quiet).naming(vec![learner.to_string()]);
    let mut fitted = fit_amounts(&source, &request, &|progress| bar.show(progress))?;
    drop(bar);
    let n_bytes = output::write_model(args.output.file(), &fitted.model)?;
    fitted.summary.bytes = Some(n_bytes);
    output::sum_up(args.format, args.quiet, || render_amount_fit(&fitted.summary, args.format))?;
    say_what_is_next(args, n_bytes, "");
    Ok(())
}

/// `flag` is what the next command needs besides.
fn say_what_is_next(args: &FitArgs, n_bytes: u64, flag: &str) {
    let Some(path) = args.output.file() else { return };
    if args.format == Format::Text && !args.quiet {
        let (path, word) = (shown(path), path_word(path));
        say(&format!("\n{path}: {n_bytes} bytes. Score rows with\n  tribunal score {word} DATA{flag}"));
    }
}

/// The request with the columns that were named.
fn with_columns(args: &FitArgs, mut request: DataRequest) -> DataRequest {
    data::give_roles(&mut request, &args.roles);
    request.predictors.clone_from(&args.predictors);
    request
}

/// Wrong words are told before the table is read.
fn tuning(args: &FitArgs) -> Result<TuneOptions, Failure> {
    let options = args.tune_by.as_deref().map(TuneOptions::by).transpose()?.unwrap_or_default();
    let options = TuneOptions { folds: args.tune_folds, rule: args.tune_rule, seed: args.seed, ..options };
    options.check()?;
    Ok(options)
}
