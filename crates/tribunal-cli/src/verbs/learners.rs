//! `tribunal learners`: list every learner.

use tribunal_report::render_learners;

use crate::args::LearnersArgs;
use crate::flags::style;
use crate::{Failure, output};

pub(crate) fn run(args: &LearnersArgs) -> Result<(), Failure> {
    let text = render_learners(style(args.output.format)).map_err(|error| Failure::run(error.to_string()))?;
    output::write(&args.output, &text)
}
