//! `tribunal fit`: train a learner on all the data and keep the model.

use std::path::Path;

use tribunal::{
    AmountFitRequest, AmountLearner, ColumnSchema, DataRequest, FitRequest, Learner, Source, TuneOptions,
    fit_amounts, fit_table, write_model,
};
use tribunal_learn::Role;
use tribunal_report::{Format, render_amount_fit, render_fit};

use crate::args::{AnyLearner, FitArgs};
use crate::progress::WorkBar;
use crate::verbs::data;
use crate::{Failure, output};

pub(crate) fn run(args: &FitArgs) -> Result<(), Failure> {
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

fn fit_classes(args: &FitArgs, learner: &Learner) -> Result<(), Failure> {
    let data = request(args)?;
    if data.targets.is_empty() {
        return Err(Failure::usage("what is to be predicted? Name its column with --target"));
    }
    let request = FitRequest { data, learner: learner.clone(), seed: args.seed, tuning: tuning(args)? };
    let source = Source::open(&args.data.inputs).map_err(tribunal::Error::from)?;
    let bar = WorkBar::new(args.quiet);
    let mut fitted = fit_table(&source, &request, &|progress| bar.show(progress))?;
    drop(bar);
    let n_bytes = write_model(&args.output, &fitted.model)?;
    fitted.summary.bytes = Some(n_bytes);
    output::sum_up(args.format, args.quiet, || render_fit(&fitted.summary, args.format))?;
    say_what_is_next(args, n_bytes);
    Ok(())
}

fn fit_of_amounts(args: &FitArgs, learner: &AmountLearner, amount: &str) -> Result<(), Failure> {
    let request =
        AmountFitRequest { data: request(args)?, amount: amount.to_owned(), learner: learner.clone() };
    let source = Source::open(&args.data.inputs).map_err(tribunal::Error::from)?;
    let bar = WorkBar::new(args.quiet);
    let mut fitted = fit_amounts(&source, &request, &|progress| bar.show(progress))?;
    drop(bar);
    let n_bytes = write_model(&args.output, &fitted.model)?;
    fitted.summary.bytes = Some(n_bytes);
    output::sum_up(args.format, args.quiet, || render_amount_fit(&fitted.summary, args.format))?;
    say_what_is_next(args, n_bytes);
    Ok(())
}

fn say_what_is_next(args: &FitArgs, n_bytes: u64) {
    let path: &Path = &args.output;
    if args.format == Format::Text && !args.quiet {
        eprintln!("\n{}: {n_bytes} bytes. Score rows with\n  tribunal score {0} DATA", path.display());
    }
}

/// The table and at most one target.
fn request(args: &FitArgs) -> Result<DataRequest, Failure> {
    let mut request = data::request(&args.data)?;
    if request.targets.len() > 1 {
        let n = request.targets.len();
        return Err(Failure::usage(format!("a model has one target, not {n}; name one with --target")));
    }
    let weight = args.weight.iter().map(|name| (name, Role::Weight));
    for (name, role) in weight.chain(args.id.iter().map(|name| (name, Role::Identifier))) {
        request.schema.columns.insert(name.clone(), ColumnSchema::Role(role));
    }
    request.predictors.clone_from(&args.predictors);
    Ok(request)
}

/// Wrong words are told before the table is read.
fn tuning(args: &FitArgs) -> Result<TuneOptions, Failure> {
    let options = TuneOptions::by(&args.tune_by)?;
    let options = TuneOptions { folds: args.tune_folds, rule: args.tune_rule, seed: args.seed, ..options };
    options.check()?;
    Ok(options)
}
