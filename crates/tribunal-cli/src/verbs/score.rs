//! `tribunal score`: apply a model to the rows of a table.

use tribunal::{Keep, ModelFile, SavedAmounts, SavedModel, ScoreRequest, Source, score_amounts, score_table};
use tribunal_report::{render_amounts, render_scores};

use crate::args::{ScoreArgs, TableArgs};
use crate::progress::WorkBar;
use crate::verbs::model;
use crate::{Failure, output};

pub(crate) fn run(args: &ScoreArgs) -> Result<(), Failure> {
    let model = model::read(&args.model)?;
    let request = ScoreRequest {
        matching: args.matching.matching(),
        keep: keep(&args.keep),
        ids: args.matching.ids(),
        name: args.score_name.clone(),
    };
    let source = Source::open(&args.inputs).map_err(tribunal::Error::from)?;
    match model {
        ModelFile::Classes(model) => score_classes(args, &model, &source, &request),
        ModelFile::Amounts(model) => score_of_amounts(args, &model, &source, &request),
    }
}

fn score_classes(
    args: &ScoreArgs,
    model: &SavedModel,
    source: &Source,
    request: &ScoreRequest,
) -> Result<(), Failure> {
    let format = output::table_format(&args.output)?;
    let bar = WorkBar::new(args.output.quiet);
    let scored = score_table(model, source, request, &|progress| bar.show(progress))?;
    output::write_table(&args.output, |out| {
        scored.write(source, format, out, &|progress| bar.show(progress))
    })?;
    drop(bar);
    let TableArgs { format, quiet, .. } = args.output;
    output::sum_up(format, quiet, || render_scores(scored.summary(), format))
}

fn score_of_amounts(
    args: &ScoreArgs,
    model: &SavedAmounts,
    source: &Source,
    request: &ScoreRequest,
) -> Result<(), Failure> {
    let format = output::table_format(&args.output)?;
    let bar = WorkBar::new(args.output.quiet);
    let scored = score_amounts(model, source, request, &|progress| bar.show(progress))?;
    output::write_table(&args.output, |out| {
        scored.write(source, format, out, &|progress| bar.show(progress))
    })?;
    drop(bar);
    let TableArgs { format, quiet, .. } = args.output;
    output::sum_up(format, quiet, || render_amounts(scored.summary(), format))
}

/// The columns that are written too.
pub(crate) fn keep(columns: &[String]) -> Keep {
    match columns {
        [] => Keep::Usual,
        [all] if all == "all" => Keep::All,
        columns => Keep::Also(columns.to_vec()),
    }
}
