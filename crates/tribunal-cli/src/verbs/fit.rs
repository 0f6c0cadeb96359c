//! `tribunal fit`: train a learner on all the data and keep the model.

use tribunal::{ColumnSchema, FitRequest, Source, TuneOptions, fit_table, write_model};
use tribunal_learn::Role;
use tribunal_report::{Format, render_fit};

use crate::args::FitArgs;
use crate::progress::WorkBar;
use crate::verbs::data;
use crate::{Failure, output};

pub(crate) fn run(args: &FitArgs) -> Result<(), Failure> {
    let request = request(args)?;
    let source = Source::open(&args.data.inputs).map_err(tribunal::Error::from)?;
    let bar = WorkBar::new(args.quiet);
    let mut fitted = fit_table(&source, &request, &|progress| bar.show(progress))?;
    drop(bar);
    let n_bytes = write_model(&args.output, &fitted.model)?;
    fitted.summary.bytes = Some(n_bytes);
    output::sum_up(args.format, args.quiet, || render_fit(&fitted.summary, args.format))?;
    if args.format == Format::Text && !args.quiet {
        eprintln!("\n{}: {n_bytes} bytes. Score rows with\n  tribunal score {0} DATA", args.output.display());
    }
    Ok(())
}

fn request(args: &FitArgs) -> Result<FitRequest, Failure> {
    let mut request = data::request(&args.data)?;
    if request.targets.len() != 1 {
        return Err(Failure::usage(match request.targets.len() {
            0 => "what is to be predicted? Name its column with --target".to_owned(),
            n => format!("a model has one target, not {n}; name one with --target"),
        }));
    }
    let weight = args.weight.iter().map(|name| (name, Role::Weight));
    for (name, role) in weight.chain(args.id.iter().map(|name| (name, Role::Identifier))) {
        request.schema.columns.insert(name.clone(), ColumnSchema::Role(role));
    }
    request.predictors.clone_from(&args.predictors);
    Ok(FitRequest { data: request, learner: args.learner.clone(), seed: args.seed, tuning: tuning(args)? })
}

/// Wrong words are told before the table is read.
fn tuning(args: &FitArgs) -> Result<TuneOptions, Failure> {
    let options = TuneOptions::by(&args.tune_by)?;
    let options = TuneOptions { folds: args.tune_folds, rule: args.tune_rule, seed: args.seed, ..options };
    options.check()?;
    Ok(options)
}
