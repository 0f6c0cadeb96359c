//! `tribunal cross`: held-out scores of a line-up of learners.

use tribunal::{CrossRequest, Entrant, Source, cross_table};
use tribunal_report::render_cross;

use crate::args::{CrossArgs, TableArgs};
use crate::progress::WorkBar;
use crate::verbs::{data, score};
use crate::{Failure, interrupt, output};

pub(crate) fn run(args: &CrossArgs) -> Result<(), Failure> {
    let format = output::table_format(&args.output)?;
    let mut data = data::one_target(&args.data)?;
    data::give_roles(&mut data, &args.roles);
    data.predictors.clone_from(&args.predictors);
    let request = CrossRequest {
        data,
        entrants: args.learner.clone(),
        design: args.design.clone(),
        group: args.group.clone(),
        keep: score::keep(&args.keep),
        seed: args.seed,
    };
    if args.learner.iter().any(|learner| matches!(learner, Entrant::Outside(_))) {
        interrupt::watch()?;
    }
    let source = Source::open(&args.data.inputs).map_err(tribunal::Error::from)?;
    let names = args.learner.iter().map(ToString::to_string).collect();
    let bar = WorkBar::new(args.output.quiet).naming(names);
    let crossed = cross_table(&source, &request, &|progress| bar.show(progress))?;
    drop(bar);
    let summary = crossed.summary();
    if summary.has_scores() {
        output::write_table(&args.output, |out| crossed.write(format, out))?;
    }
    let TableArgs { format, quiet, .. } = args.output;
    output::sum_up(format, quiet, || render_cross(summary, format))?;
    match summary.has_scores() {
        true => Ok(()),
        false => Err(Failure::run("no learner has a score, so no table is written; the summary says why")),
    }
}
