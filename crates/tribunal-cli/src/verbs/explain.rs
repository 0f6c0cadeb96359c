//! `tribunal explain`: show a model, or say why rows get the scores or amounts they get.

use tribunal::{
    AmountExplanation, AnyModel, Explanation, ModelFile, SavedAmounts, SavedModel, Source, WhichRows,
    explain_amount_model, explain_amounts, explain_model, explain_rows,
};
use tribunal_report::{Shown, render_amount_explanation, render_explanation, render_graph};

use crate::args::{ExplainArgs, ExplainFormat, OutputPath};
use crate::flags::style;
use crate::progress::WorkBar;
use crate::verbs::model;
use crate::{Failure, output};

pub(crate) fn run(args: &ExplainArgs) -> Result<(), Failure> {
    let model = model::read(&args.model)?;
    let shown = if args.all { Shown::All } else { Shown::Strongest };
    let text = match (args.format, &model) {
        (ExplainFormat::Dot, model) => graph(args, model)?,
        (ExplainFormat::Usual(format), ModelFile::Classes(model)) => {
            render_explanation(&explanation(args, model)?, shown, style(format)).map_err(unwritten)?
        }
        (ExplainFormat::Usual(format), ModelFile::Amounts(model)) => {
            render_amount_explanation(&amounts(args, model)?, shown, style(format)).map_err(unwritten)?
        }
    };
    output::write_to(args.output.as_ref().and_then(OutputPath::file), &text)
}

fn unwritten(error: tribunal_report::RenderError) -> Failure {
    Failure::run(error.to_string())
}

fn graph(args: &ExplainArgs, model: &ModelFile) -> Result<String, Failure> {
    if !args.inputs.is_empty() {
        return Err(Failure::usage("--format dot draws the model itself: leave the data out"));
    }
    let (graph, learner) = match model {
        ModelFile::Classes(model) => match &model.model {
            AnyModel::Learned(learned) => (learned.graph(), learned.learner().to_string()),
            other @ (AnyModel::Outside(_) | AnyModel::Committee(_)) => (None, other.learner()),
        },
        ModelFile::Amounts(model) => (None, model.amounts.learner().to_string()),
    };
    let none = format!("a model of {learner} has no graph; leave --format dot out to see it as text");
    graph.map(|graph| render_graph(&graph)).ok_or_else(|| Failure::usage(none))
}

fn explanation(args: &ExplainArgs, model: &SavedModel) -> Result<Explanation, Failure> {
    if args.inputs.is_empty() {
        return Ok(explain_model(model)?);
    }
    let source = Source::open(&args.inputs).map_err(tribunal::Error::from)?;
    let bar = WorkBar::new(args.quiet);
    let (ids, matching) = (args.matching.ids(), args.matching.matching());
    Ok(explain_rows(model, &source, &which(args), ids.as_deref(), &matching, &|progress| bar.show(progress))?)
}

fn amounts(args: &ExplainArgs, model: &SavedAmounts) -> Result<AmountExplanation, Failure> {
    if args.inputs.is_empty() {
        return Ok(explain_amount_model(model));
    }
    let source = Source::open(&args.inputs).map_err(tribunal::Error::from)?;
    let bar = WorkBar::new(args.quiet);
    let (ids, matching) = (args.matching.ids(), args.matching.matching());
    Ok(explain_amounts(model, &source, &which(args), ids.as_deref(), &matching, &|progress| {
        bar.show(progress)
    })?)
}

fn which(args: &ExplainArgs) -> WhichRows {
    match (&args.rows, &args.id_value) {
        (Some(rows), _) => WhichRows::Numbers(rows.clone()),
        (None, Some(value)) => WhichRows::WithId(value.clone()),
        (None, None) => WhichRows::First,
    }
}
