//! `tribunal generate`: make synthetic data.

use std::io::{self, BufWriter, IsTerminal};
use std::path::Path;

use tribunal::claims::{self, ClaimsRequest, TARGETS};
use tribunal_io::TableFormat;

use crate::Failure;
use crate::args::{GenerateArgs, Generator, OutputPath};
use crate::messages::say;
use crate::output::unprinted;
use crate::progress::WorkBar;

pub(crate) fn run(args: &GenerateArgs) -> Result<(), Failure> {
    match args.what {
        Generator::Claims => make_claims(args),
    }
}

fn make_claims(args: &GenerateArgs) -> Result<(), Failure> {
    let request = ClaimsRequest { rows: args.rows, seed: args.seed };
    request.check()?;
    let format = format(args)?;
    if !args.quiet {
        warn_of_gaps(&request);
    }
    let bar = WorkBar::new(args.quiet);
    match file(args) {
        Some(path) => claims::write_file(&request, path, format, &|progress| bar.show(progress))?,
        None => print(&request, format, &bar)?,
    }
    drop(bar);
    if !args.quiet {
        say(&claims::statement(request.rows, request.seed));
    }
    Ok(())
}

/// The file for the claims; nothing for standard output.
fn file(args: &GenerateArgs) -> Option<&Path> {
    args.output.as_ref().and_then(OutputPath::file)
}

/// The format that is asked for, or that the name of the file says.
fn format(args: &GenerateArgs) -> Result<TableFormat, Failure> {
    let to_terminal = file(args).is_none() && io::stdout().is_terminal();
    match (args.to, file(args)) {
        (Some(TableFormat::Parquet | TableFormat::ArrowIpc), _) if to_terminal => {
            Err(Failure::usage("a terminal cannot show this format: name a file with -o, or pipe it on"))
        }
        (Some(format), _) => Ok(format),
        (None, None) => Ok(TableFormat::Csv),
        (None, Some(path)) => TableFormat::from_extension(path)
            .map_err(|error| Failure::usage(format!("{error}, or name the format with --to"))),
    }
}

/// Claims on standard output; a reader that has seen enough (`| head`) is no failure.
fn print(request: &ClaimsRequest, format: TableFormat, bar: &WorkBar) -> Result<(), Failure> {
    let mut out = BufWriter::with_capacity(1 << 20, io::stdout());
    match claims::write(request, &mut out, format, &|progress| bar.show(progress)) {
        Err(tribunal::Error::Io(error)) => unprinted(error),
        written => Ok(written?),
    }
}

/// Few claims do not have every score and code.
fn warn_of_gaps(request: &ClaimsRequest) {
    let one_class = |positives: u64| positives == 0 || positives == request.rows;
    let lacking = TARGETS.iter().filter(|target| one_class(target.positives(request.rows)));
    let targets: Vec<&str> = lacking.map(|target| target.name).collect();
    if !targets.is_empty() {
        let rows = request.rows;
        say(&format!("warning: {rows} rows are too few for both classes of {}", targets.join(", ")));
    }
    let never_given = request.never_given();
    for (name, marks) in [("score", never_given.scores), ("code", never_given.codes)] {
        if !marks.is_empty() {
            let marks: Vec<String> = marks.iter().map(u8::to_string).collect();
            say(&format!("warning: no claim has {name} {}", marks.join(", ")));
        }
    }
}
