//! `tribunal completions`: completion scripts from the same definitions as `--help`.

use clap::CommandFactory;

use crate::args::{Cli, CompletionsArgs};
use crate::{Failure, output};

pub(crate) fn run(args: &CompletionsArgs) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "tribunal", &mut script);
    output::print(&String::from_utf8_lossy(&script))
}
