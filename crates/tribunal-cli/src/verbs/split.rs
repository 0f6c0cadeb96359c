//! `tribunal split`: divide the rows of a table.

use tribunal::{Source, SplitRequest};
use tribunal_report::render_plan;

use crate::args::SplitArgs;
use crate::progress::WorkBar;
use crate::verbs::data;
use crate::{Failure, output};

pub(crate) fn run(args: &SplitArgs) -> Result<(), Failure> {
    let format = output::table_format(&args.output)?;
    let (target, schema) = data::target(&args.target)?;
    let request = SplitRequest {
        design: args.design.clone(),
        target,
        schema,
        group: args.group.clone(),
        seed: args.seed,
    };
    let source = Source::open(&args.inputs).map_err(tribunal::Error::from)?;
    let bar = WorkBar::new(args.output.quiet);
    let planned = tribunal::plan_table(&source, &request, &|progress| bar.show(progress))?;
    planned.check_names(&source, args.name.as_deref())?;
    output::write_table(&args.output, |out| {
        let on_progress = |progress| bar.show(progress);
        planned.write(&source, args.name.as_deref(), format, out, &on_progress)
    })?;
    drop(bar);
    output::sum_up(args.output.format, args.output.quiet, || {
        render_plan(&planned.summary(), args.output.format)
    })
}
