//! The files of a command, found on its command line by the types of their names.
//!
//! This happens before the verb is begun, so that no verb has to remember it. What a study file names, and the folder of a
//! run, are added by whoever reads the former and opens the latter.

use clap::parser::ArgMatches;
use clap::{Arg, Command};
use tribunal_io::{Files, STANDARD_OUTPUT};

use crate::Failure;
use crate::args::{InputName, OutputPath, SchemaName};

/// Every file that a command line names, none of which is written over another.
pub(crate) fn of(command: &Command, matches: &ArgMatches) -> Result<Files, Failure> {
    let mut files = Files::default();
    let Some((verb, matches)) = matches.subcommand() else { return Ok(files) };
    let Some(command) = command.find_subcommand(verb) else { return Ok(files) };
    for arg in command.get_arguments() {
        for input in values::<InputName>(arg, matches) {
            files.reads(input.as_ref()).map_err(tribunal::Error::from)?;
        }
        for schema in values::<SchemaName>(arg, matches) {
            schema.file().map_or(Ok(()), |file| files.reads(file)).map_err(tribunal::Error::from)?;
        }
    }
    for arg in command.get_arguments().filter(|arg| is_output(arg)) {
        let mut outputs = values::<OutputPath>(arg, matches);
        // Results that nobody names a file for are printed.
        if outputs.is_empty() && arg.get_id() == "output" {
            outputs.push(OutputPath::from(std::ffi::OsString::from(STANDARD_OUTPUT)));
        }
        for output in outputs {
            files.writes(&option(arg), output.path()).map_err(tribunal::Error::from)?;
        }
    }
    files.check_standard_output().map_err(tribunal::Error::from)?;
    Ok(files)
}

fn is_output(arg: &Arg) -> bool {
    arg.get_value_parser().type_id() == std::any::TypeId::of::<OutputPath>()
}

/// The values of an argument, if they are of a type.
fn values<T: Clone + Send + Sync + 'static>(arg: &Arg, matches: &ArgMatches) -> Vec<T> {
    let found = matches.try_get_many::<T>(arg.get_id().as_str());
    found.ok().flatten().into_iter().flatten().cloned().collect()
}

/// How an option is written.
fn option(arg: &Arg) -> String {
    let long = || arg.get_long().map(|long| format!("--{long}"));
    arg.get_short().map(|short| format!("-{short}")).or_else(long).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Cli, OutputFolder};
    use clap::CommandFactory;
    use std::any::TypeId;

    /// An option that takes the name of a file says so by its type; otherwise nobody would guard it.
    #[test]
    fn every_file_on_the_command_line_has_the_type_of_its_use() {
        let mut n_outputs = 0;
        for verb in Cli::command().get_subcommands() {
            for arg in verb.get_arguments().filter(|arg| arg.get_action().takes_values()) {
                let name = format!("{} {}", verb.get_name(), arg.get_id());
                let value = arg.get_value_names().map(|names| names.join(" ")).unwrap_or_default();
                let found = arg.get_value_parser().type_id();
                for other in [TypeId::of::<std::path::PathBuf>(), TypeId::of::<std::ffi::OsString>()] {
                    assert!(found != other, "{name} is a bare path");
                }
                let is = |expected: TypeId| assert!(found == expected, "{name} {value}");
                match value.as_str() {
                    "PATH" => is(TypeId::of::<OutputPath>()),
                    "DIR" => is(TypeId::of::<OutputFolder>()),
                    "FILE" => is(TypeId::of::<SchemaName>()),
                    "DATA" | "SCORES" | "MODEL" | "STUDY|DATA" => is(TypeId::of::<InputName>()),
                    _ => assert!(
                        found != TypeId::of::<OutputPath>() && found != TypeId::of::<InputName>(),
                        "{name} {value}"
                    ),
                }
                n_outputs += usize::from(is_output(arg));
            }
        }
        assert!(n_outputs > 10, "{n_outputs} outputs");
    }
}
