//! `tribunal evaluate`: judge scores from any tool.

use tribunal::{
    ChartRequest, DecisionRequest, EvaluateRequest, Evaluation, ScoreColumns, Source, score_columns,
};
use tribunal_eval::influence::BaseRate;
use tribunal_eval::metrics::Measure;
use tribunal_report::{Format, render};

use crate::args::{AmountOf, EvaluateArgs, OutputArgs};
use crate::flags::style;
use crate::progress::WorkBar;
use crate::{Failure, command_line, output};

pub(crate) fn run(args: &EvaluateArgs) -> Result<(), Failure> {
    let source = Source::open(&args.inputs).map_err(tribunal::Error::from)?;
    let evaluation = judge(&source, &request(args, &source)?, args.output.quiet)?;
    show(&evaluation, &args.output)
}

/// Reads and judges, with a bar where it takes long.
pub(crate) fn judge(source: &Source, request: &EvaluateRequest, quiet: bool) -> Result<Evaluation, Failure> {
    let bar = WorkBar::new(quiet);
    let mut evaluation = tribunal::evaluate_source(source, request, &|progress| bar.show(progress))?;
    evaluation.provenance.command = Some(command_line::kept());
    Ok(evaluation)
}

/// Writes the results in the form and to the place asked for.
pub(crate) fn show(evaluation: &Evaluation, args: &OutputArgs) -> Result<(), Failure> {
    let text = render(evaluation, style(args.format)).map_err(|error| Failure::run(error.to_string()))?;
    output::write(args, &text)
}

fn request(args: &EvaluateArgs, source: &Source) -> Result<EvaluateRequest, Failure> {
    let columns = ScoreColumns {
        truth: args.truth.clone(),
        positive: args.positive.clone(),
        rest_is_negative: args.rest_is_negative,
        scores: score_columns(&args.score, source)?,
        model: args.model.clone(),
        weight: args.weight.clone(),
        amount: args.amount.clone(),
        amount_of_everybody: args.amount_of == AmountOf::Everybody,
        predicted_amounts: args.predicted_amount.clone(),
        fold: args.fold.clone(),
        id: args.id.clone(),
        by: args.by.clone(),
    };
    let measure =
        |id: &String| id.parse::<Measure>().map_err(|error| tribunal::Error::unknown_metric(&error));
    let mut request = EvaluateRequest::new(columns);
    request.metrics = args.metrics.iter().map(measure).collect::<Result<_, _>>()?;
    request.at.clone_from(&args.at);
    request.decision = DecisionRequest {
        capacity: args.decision.capacity,
        outcomes: args.decision.outcomes().map_err(Failure::usage)?,
        rule: args.decision.rule,
        decide_by: args.decision.decide_by()?,
    };
    let settled = args.threshold.iter().map(|asked| asked.settled(&request.decision));
    request.cutoffs = settled.collect::<Result<_, _>>()?;
    request.charts = ChartRequest { bins: args.bins, bands: args.bands.clone(), base_rate: args.base_rate };
    request.stress_selection.clone_from(&args.stress_selection);
    request.level = args.level;
    request.replicates = args.bootstrap;
    if args.fixed_base_rate {
        request.base_rate = BaseRate::Fixed;
    }
    request.compare = args.compare.clone();
    request.margin = args.margin;
    request.seed = args.seed;
    request.fold_intervals = matches!(args.output.format, Format::Json | Format::Csv);
    request.curves = args.output.format == Format::Json;
    request.fingerprint = args.output.format == Format::Json;
    Ok(request)
}
