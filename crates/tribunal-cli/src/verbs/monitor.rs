//! `tribunal monitor`: did the model get worse, or did the selection change?

use tribunal::Source;
use tribunal::monitoring::{
    MonitorColumns, MonitorRequest, MonitoredTables, Monitoring, PeriodRule, Span, monitor,
};
use tribunal_report::render_monitoring;

use crate::args::{InputName, MonitorArgs};
use crate::flags::style;
use crate::progress::WorkBar;
use crate::{Failure, command_line, output};

pub(crate) fn run(args: &MonitorArgs) -> Result<(), Failure> {
    let request = request(args)?;
    let open = |names: &[InputName]| Source::open(names).map_err(tribunal::Error::from);
    let reference = if args.reference.is_empty() { None } else { Some(open(&args.reference)?) };
    let current = open(&args.current)?;
    let bar = WorkBar::new(args.output.quiet);
    let tables = MonitoredTables { reference: reference.as_ref(), current: &current };
    let mut found = monitor(tables, &request, &|progress| bar.show(progress))?;
    drop(bar);
    found.provenance.command = Some(command_line::kept());
    let text = render_monitoring(&found, style(args.output.format));
    output::write(&args.output, &text.map_err(|error| Failure::run(error.to_string()))?)?;
    keep_limits(&found)
}

/// The results are written; a pipeline hears of broken limits by the exit code.
fn keep_limits(found: &Monitoring) -> Result<(), Failure> {
    const SHOWN: usize = 5;
    let broken: Vec<String> = found
        .broken_limits()
        .map(|row| match row.estimate {
            Some(value) => format!("{} in {}: {} is {value:.4}", row.limit, row.period, row.metric),
            None => format!("{} in {}: {} has no value", row.limit, row.period, row.metric),
        })
        .collect();
    if broken.is_empty() {
        return Ok(());
    }
    let more = match broken.len().saturating_sub(SHOWN) {
        0 => String::new(),
        n => format!("; and {n} more"),
    };
    let what = if broken.len() == 1 { "a limit is" } else { "limits are" };
    let shown = &broken[..broken.len().min(SHOWN)];
    Err(Failure::run(format!("{what} broken: {}{more}", shown.join("; "))))
}

fn request(args: &MonitorArgs) -> Result<MonitorRequest, Failure> {
    let mut request = MonitorRequest::new(&args.score, &args.truth);
    request.columns = MonitorColumns {
        positive: args.positive.clone(),
        rest_is_negative: args.rest_is_negative,
        actioned: args.actioned.clone(),
        actioned_value: args.actioned_value.clone(),
        amount: args.amount.clone(),
        ..request.columns
    };
    request.periods = periods(args)?;
    request.bands = args.bands.clone();
    request.limits.clone_from(&args.limit);
    (request.level, request.replicates, request.seed) = (args.level, args.bootstrap, args.seed);
    Ok(request)
}

/// With a column of dates the word of --by is a span of the calendar.
fn periods(args: &MonitorArgs) -> Result<Option<PeriodRule>, Failure> {
    let span = args.by.as_deref().and_then(Span::named);
    match (&args.date, &args.by) {
        (None, None) => Ok(None),
        (Some(date), None) => Ok(Some(PeriodRule { column: date.clone(), span: Some(Span::Month) })),
        (None, Some(column)) => Ok(Some(PeriodRule { column: column.clone(), span: None })),
        (Some(date), Some(word)) => match span {
            Some(span) => Ok(Some(PeriodRule { column: date.clone(), span: Some(span) })),
            None => Err(Failure::usage(format!(
                "--by {word} is no period of the calendar; choose month, quarter or year, or leave out --date to make periods of \
                 the values of \"{word}\""
            ))),
        },
    }
}
