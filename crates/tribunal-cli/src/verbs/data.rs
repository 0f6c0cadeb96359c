//! What verbs that take a table share: from arguments to a request for a data set.

use tribunal::{DataRequest, Schema, TargetRequest, read_schema};

use crate::Failure;
use crate::args::{DataArgs, TargetArgs};

/// The schema, with what was said on the command line put over it, and the target.
pub(crate) fn request(args: &DataArgs) -> Result<DataRequest, Failure> {
    let mut schema = schema(args.schema.as_deref())?;
    let target = |name: &String| TargetRequest { name: name.clone(), positive: args.positive.clone() };
    let targets = args.target.iter().map(target).collect();
    schema.columns.extend(args.kind.iter().cloned());
    schema.missing.extend(args.missing.iter().cloned());
    Ok(DataRequest { schema, targets, ..DataRequest::default() })
}

/// The target, and the schema that may declare it.
pub(crate) fn target(args: &TargetArgs) -> Result<(Option<TargetRequest>, Schema), Failure> {
    let schema = schema(args.schema.as_deref())?;
    let target = args.target.clone().map(|name| TargetRequest { name, positive: args.positive.clone() });
    Ok((target, schema))
}

fn schema(name: Option<&str>) -> Result<Schema, Failure> {
    Ok(name.map_or_else(|| Ok(Schema::default()), read_schema)?)
}
