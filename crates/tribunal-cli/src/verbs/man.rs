//! `tribunal man`: the manual page from the same definitions as `--help`.

use clap::CommandFactory;

use crate::args::{Cli, ManArgs};
use crate::{Failure, output};

pub(crate) fn run(args: &ManArgs) -> Result<(), Failure> {
    let mut command = Cli::command();
    command.build();
    let page = match &args.verb {
        None => command,
        Some(verb) => {
            let found = command.find_subcommand(verb).cloned();
            found.ok_or_else(|| Failure::usage(format!("there is no verb `{verb}`")))?
        }
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(page).render(&mut text).map_err(|error| Failure::run(error.to_string()))?;
    output::print(&String::from_utf8_lossy(&text))
}
