//! The files of a command, found on its command line by the types of their names.
//!
//! This happens before the verb is begun, so that no verb has to remember it. What a study file names, and the folder of a
//! run, are added by whoever reads the former and opens the latter.

use clap::parser::ArgMatches;
use clap::{Arg, Command};
use tribunal_io::{Files, STANDARD_OUTPUT};

use crate::Failure;
use crate::args::{InputName, OutputFolder, OutputPath, SchemaName};

/// Every file that a command line names, none of which is written over another.
pub(crate) fn of(command: &Command, matches: &ArgMatches) -> Result<Files, Failure> {
    let mut files = Files::default();
    let Some((verb, matches)) = matches.subcommand() else { return Ok(files) };
    let Some(command) = command.find_subcommand(verb) else { return Ok(files) };
    command.get_arguments().try_for_each(|arg| check_names(arg, matches))?;
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

/// A name that is empty is often a variable of the shell that was never set.
fn check_names(arg: &Arg, matches: &ArgMatches) -> Result<(), Failure> {
    let is_empty = values::<InputName>(arg, matches).iter().any(|name| AsRef::<str>::as_ref(name).is_empty())
        || values::<SchemaName>(arg, matches).iter().any(|name| name.as_str().is_empty())
        || values::<OutputPath>(arg, matches).iter().any(|name| name.path().as_os_str().is_empty())
        || values::<OutputFolder>(arg, matches).iter().any(|name| name.path().as_os_str().is_empty());
    if !is_empty {
        return Ok(());
    }
    let words = Some(option(arg)).filter(|option| !option.is_empty()).unwrap_or_else(|| placeholder(arg));
    Err(Failure::usage(format!(
        "the name for {words} is empty; give one (is a variable of the shell not set?)"
    )))
}

/// How help calls the values of an argument.
fn placeholder(arg: &Arg) -> String {
    arg.get_value_names().map(|names| names.join(" ")).unwrap_or_default()
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
    use crate::args::Cli;
    use clap::CommandFactory;
    use std::any::TypeId;

    /// An option that takes the name of a file says so by its type; otherwise nobody would guard it.
    #[test]
    fn every_file_on_the_command_line_has_the_type_of_its_use() {
        let mut n_outputs = 0;
        for verb in Cli::command().get_subcommands() {
            for arg in verb.get_arguments().filter(|arg| arg.get_action().takes_values()) {
                let name = format!("{} {}", verb.get_name(), arg.get_id());
                let value = placeholder(arg);
                let found = arg.get_value_parser().type_id();
                for other in [TypeId::of::<std::path::PathBuf>(), TypeId::of::<std::ffi::OsString>()] {
                    assert!(found != other, "{name} is a bare path");
                }
                let is = |expected: TypeId| assert!(found == expected, "{name} {value}");
                match value.as_str() {
                    "PATH" => is(TypeId::of::<OutputPath>()),
                    "DIR" => is(TypeId::of::<OutputFolder>()),
                    "FILE" => is(TypeId::of::<SchemaName>()),
                    "DATA" | "SCORES" | "MODEL" | "STUDY|DATA" | "SELECTION|TRAIN" | "RESULTS" | "TIMES" => {
                        is(TypeId::of::<InputName>())
                    }
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
