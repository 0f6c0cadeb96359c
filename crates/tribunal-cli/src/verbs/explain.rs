//! `tribunal explain`: show a model, or say why rows get the scores they get.

use tribunal::{AnyModel, Explanation, SavedModel, Source, WhichRows, explain_model, explain_rows};
use tribunal_report::{Shown, render_explanation};

use crate::args::{ExplainArgs, ExplainFormat};
use crate::progress::WorkBar;
use crate::verbs::model;
use crate::{Failure, output};

pub(crate) fn run(args: &ExplainArgs) -> Result<(), Failure> {
    let model = model::read(&args.model)?;
    let text = match args.format {
        ExplainFormat::Dot => graph(args, &model)?,
        ExplainFormat::Usual(format) => {
            let shown = if args.all { Shown::All } else { Shown::Strongest };
            render_explanation(&explanation(args, &model)?, shown, format)
                .map_err(|error| Failure::run(error.to_string()))?
        }
    };
    output::write_to(args.output.as_deref(), &text)
}

fn graph(args: &ExplainArgs, model: &SavedModel) -> Result<String, Failure> {
    if !args.inputs.is_empty() {
        return Err(Failure::usage("--format dot draws the model itself: leave the data out"));
    }
    let drawn = match &model.model {
        AnyModel::Learned(model) => model.graph(),
        AnyModel::Outside(_) => None,
    };
    drawn.ok_or_else(|| {
        let learner = model.model.learner();
        Failure::usage(format!("a model of {learner} has no graph; leave --format dot out to see it as text"))
    })
}

fn explanation(args: &ExplainArgs, model: &SavedModel) -> Result<Explanation, Failure> {
    if args.inputs.is_empty() {
        return Ok(explain_model(model)?);
    }
    let which = match (&args.rows, &args.id_value) {
        (Some(rows), _) => WhichRows::Numbers(rows.clone()),
        (None, Some(value)) => WhichRows::WithId(value.clone()),
        (None, None) => WhichRows::First,
    };
    let source = Source::open(&args.inputs).map_err(tribunal::Error::from)?;
    let bar = WorkBar::new(args.quiet);
    let (ids, matching) = (args.matching.ids(), args.matching.matching());
    Ok(explain_rows(model, &source, &which, ids.as_deref(), &matching, &|progress| bar.show(progress))?)
}
