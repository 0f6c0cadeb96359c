//! What verbs that apply a model share: the model is read, and runs no command that the user did not allow.

use tribunal::{AnyModel, SavedModel, read_model};

use crate::args::ModelArgs;
use crate::{Failure, interrupt};

pub(crate) fn read(args: &ModelArgs) -> Result<SavedModel, Failure> {
    let model = read_model(&args.model)?;
    model.permit(args.run_command)?;
    if matches!(model.model, AnyModel::Outside(_)) {
        interrupt::watch()?;
    }
    Ok(model)
}
