//! `tribunal fit`: train a learner on all the data and keep the model.

use tribunal::{Entrant, FitRequest, Source, fit_table, write_model};
use tribunal_report::{Format, render_fit};

use crate::args::FitArgs;
use crate::progress::WorkBar;
use crate::verbs::data;
use crate::{Failure, interrupt, output};

pub(crate) fn run(args: &FitArgs) -> Result<(), Failure> {
    let request = request(args)?;
    let runs_command = matches!(args.learner, Entrant::Outside(_));
    if runs_command {
        interrupt::watch()?;
    }
    let source = Source::open(&args.data.inputs).map_err(tribunal::Error::from)?;
    let bar = WorkBar::new(args.quiet);
    let mut fitted = fit_table(&source, &request, &|progress| bar.show(progress))?;
    drop(bar);
    let n_bytes = write_model(&args.output, &fitted.model)?;
    fitted.summary.bytes = Some(n_bytes);
    output::sum_up(args.format, args.quiet, || render_fit(&fitted.summary, args.format))?;
    if args.format == Format::Text && !args.quiet {
        let leave = if runs_command { " --run-command" } else { "" };
        let path = args.output.display();
        eprintln!("\n{path}: {n_bytes} bytes. Score rows with\n  tribunal score {path} DATA{leave}");
    }
    Ok(())
}

fn request(args: &FitArgs) -> Result<FitRequest, Failure> {
    let mut request = data::one_target(&args.data)?;
    data::give_roles(&mut request, args.weight.as_deref(), &args.id);
    request.predictors.clone_from(&args.predictors);
    Ok(FitRequest { data: request, learner: args.learner.clone(), seed: args.seed })
}
