//! `tribunal bias`: make a biased sample on purpose.

use tribunal::bias::Bias;
use tribunal::{BiasRequest, Source};
use tribunal_report::render_bias;

use crate::args::BiasArgs;
use crate::flags::style;
use crate::progress::WorkBar;
use crate::verbs::data;
use crate::{Failure, output};

pub(crate) fn run(args: &BiasArgs) -> Result<(), Failure> {
    let format = output::table_format(&args.output)?;
    let (target, schema) = data::target(&args.target)?;
    let request =
        BiasRequest { bias: bias(args)?, column: args.column.clone(), target, schema, seed: args.seed };
    let source = Source::open(&args.inputs).map_err(tribunal::Error::from)?;
    let bar = WorkBar::new(args.output.quiet);
    let biased = tribunal::bias_table(&source, &request, &|progress| bar.show(progress))?;
    output::write_table(&args.output, |out| {
        biased.write(&source, format, out, &|progress| bar.show(progress))
    })?;
    drop(bar);
    output::sum_up(args.output.format, args.output.quiet, || {
        render_bias(biased.summary(), style(args.output.format))
    })
}

fn bias(args: &BiasArgs) -> Result<Bias, Failure> {
    let fraction = args.fraction;
    Ok(match args.kind {
        "feature" => Bias::Feature { fraction, side: args.side },
        "feature-soft" => Bias::FeatureSoft { beta: args.beta },
        "class" => Bias::Class { class: class(args)?, fraction },
        "complete" => Bias::Complete { class: class(args)?, fraction },
        "none" => Bias::None { fraction },
        other => return Err(Failure::usage(format!("`{other}` is no kind of bias"))),
    })
}

fn class(args: &BiasArgs) -> Result<String, Failure> {
    match (&args.class, &args.target.target, &args.target.positive) {
        (Some(class), Some(_), _) => Ok(class.clone()),
        (None, Some(_), Some(positive)) => Ok(positive.to_string()),
        _ => Err(Failure::usage(format!(
            "--kind {} needs the column of the classes and one of them: add --target COLUMN --class VALUE",
            args.kind
        ))),
    }
}
