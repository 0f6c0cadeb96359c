//! What verbs that take a table share: from arguments to a request for a data set.

use tribunal::{DataRequest, Schema, TargetRequest, read_schema};

use crate::Failure;
use crate::args::DataArgs;

/// The schema, with what was said on the command line put over it, and the target.
pub(crate) fn request(args: &DataArgs) -> Result<DataRequest, Failure> {
    let mut schema = args.schema.as_deref().map_or_else(|| Ok(Schema::default()), read_schema)?;
    schema.columns.extend(args.kind.iter().cloned());
    schema.missing.extend(args.missing.iter().cloned());
    let target = args.target.clone().map(|name| TargetRequest { name, positive: args.positive.clone() });
    Ok(DataRequest { schema, target, predictors: None })
}
