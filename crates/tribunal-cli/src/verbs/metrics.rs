//! `tribunal metrics`: list every metric.

use tribunal_report::render_metrics;

use crate::args::MetricsArgs;
use crate::{Failure, output};

pub(crate) fn run(args: &MetricsArgs) -> Result<(), Failure> {
    let text = render_metrics(args.output.format).map_err(|error| Failure::run(error.to_string()))?;
    output::write(&args.output, &text)
}
