//! `tribunal describe`: what a table holds.

use tribunal::Source;
use tribunal_report::render_description;

use crate::args::DescribeArgs;
use crate::flags::style;
use crate::progress::WorkBar;
use crate::verbs::data;
use crate::{Failure, output};

pub(crate) fn run(args: &DescribeArgs) -> Result<(), Failure> {
    let source = Source::open(&args.data.inputs).map_err(tribunal::Error::from)?;
    let bar = WorkBar::new(args.output.quiet);
    let description =
        tribunal::describe(&source, &data::request(&args.data)?, args.seed, &|progress| bar.show(progress))?;
    drop(bar);
    let text = render_description(&description, style(args.output.format));
    output::write(&args.output, &text.map_err(|error| Failure::run(error.to_string()))?)
}
