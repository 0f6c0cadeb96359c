//! What verbs that apply a model share: the model is read, and runs no command that the user did not allow.

use tribunal::{AnyModel, ModelFile, read_model_file};

use crate::args::ModelArgs;
use crate::{Failure, interrupt};

pub(crate) fn read(args: &ModelArgs) -> Result<ModelFile, Failure> {
    let file = read_model_file(args.model.as_ref())?;
    if let ModelFile::Classes(model) = &file {
        model.permit(args.run_command)?;
        if !model.model.commands().is_empty() {
            interrupt::watch()?;
        }
    }
    Ok(file)
}

/// What whoever applies the model has to add to the command line.
pub(crate) fn needed_flag(model: &AnyModel) -> &'static str {
    match model.commands().is_empty() {
        true => "",
        false => " --run-command",
    }
}
