//! What verbs that take a table share: from arguments to a request for a data set.

use tribunal::{ColumnSchema, DataRequest, Schema, TargetRequest, read_schema};
use tribunal_learn::Role;

use crate::Failure;
use crate::args::{DataArgs, DeclaredArgs, RoleArgs, SchemaName, TargetArgs};

/// The schema, with what was said on the command line put over it, and the target.
pub(crate) fn request(args: &DataArgs) -> Result<DataRequest, Failure> {
    let mut request = DataRequest::default();
    declare(&args.declared, &mut request)?;
    Ok(request)
}

/// Puts what is declared on the command line over a request.
pub(crate) fn declare(args: &DeclaredArgs, request: &mut DataRequest) -> Result<(), Failure> {
    if let Some(name) = &args.schema {
        request.schema = read_schema(name.as_str())?;
    }
    request.schema.columns.extend(args.kind.iter().cloned());
    request.schema.missing.extend(args.missing.iter().cloned());
    if !args.target.is_empty() {
        let target = |name: &String| TargetRequest { name: name.clone(), positive: args.positive.clone() };
        request.targets = args.target.iter().map(target).collect();
    } else if let Some(positive) = &args.positive {
        // What is positive in the one target that a file names.
        match &mut request.targets[..] {
            [only] => only.positive = Some(positive.clone()),
            [] => {
                return Err(Failure::usage("--positive says nothing without a target: add --target COLUMN"));
            }
            several => {
                let n = several.len();
                return Err(Failure::usage(format!(
                    "--positive is of one target, and there are {n}: add --target with one of them"
                )));
            }
        }
    }
    Ok(())
}

/// The same for verbs that learn, which need one target.
pub(crate) fn one_target(args: &DataArgs) -> Result<DataRequest, Failure> {
    let request = at_most_one_target(args)?;
    match request.targets.is_empty() {
        false => Ok(request),
        true => Err(Failure::usage("what is to be predicted? Name its column with --target")),
    }
}

/// The same for verbs that need no target to learn.
pub(crate) fn at_most_one_target(args: &DataArgs) -> Result<DataRequest, Failure> {
    let request = request(args)?;
    match request.targets.len() {
        0 | 1 => Ok(request),
        n => Err(Failure::usage(format!("a model has one target, not {n}; name one with --target"))),
    }
}

/// Declares the column of weights and those that name rows.
pub(crate) fn give_roles(request: &mut DataRequest, args: &RoleArgs) {
    let ids = args.id.iter().map(|name| (name, Role::Identifier));
    for (name, role) in args.weight.iter().map(|name| (name, Role::Weight)).chain(ids) {
        request.schema.columns.insert(name.clone(), ColumnSchema::Role(role));
    }
}

/// The target, and the schema that may declare it.
pub(crate) fn target(args: &TargetArgs) -> Result<(Option<TargetRequest>, Schema), Failure> {
    let schema = schema(args.schema.as_ref())?;
    let target = args.target.clone().map(|name| TargetRequest { name, positive: args.positive.clone() });
    Ok((target, schema))
}

fn schema(name: Option<&SchemaName>) -> Result<Schema, Failure> {
    Ok(name.map_or_else(|| Ok(Schema::default()), |name| read_schema(name.as_str()))?)
}
