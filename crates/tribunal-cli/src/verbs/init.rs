//! `tribunal init`: a first study file for a table.

use std::path::Path;

use tribunal::{InitOptions, Source, TargetRequest, init_study};

use crate::args::{InitArgs, texts};
use crate::flags::said;
use crate::messages::{say, shown};
use crate::progress::WorkBar;
use crate::{Failure, output};

pub(crate) fn run(args: &InitArgs) -> Result<(), Failure> {
    let path = args.output.file();
    if let Some(path) = path.filter(|path| path.exists() && !args.force) {
        return Err(Failure::usage(format!(
            "{} is there already; name another file with -o, or write over it with --force",
            path.display()
        )));
    }
    let target = args.target.clone().map(|name| TargetRequest { name, positive: args.positive.clone() });
    let options = InitOptions { target, folder: path.and_then(Path::parent).map(Path::to_owned) };
    let source = Source::open(&args.inputs).map_err(tribunal::Error::from)?;
    let bar = WorkBar::new(args.quiet);
    let text = init_study(&source, &texts(&args.inputs), &options, &|progress| bar.show(progress))?;
    drop(bar);
    output::write_to(path, &said(&text))?;
    if let Some(path) = path.filter(|_| !args.quiet) {
        let path = shown(path);
        say(&format!("{path} is written. Look at its target and columns, then run\n  tribunal study {path}"));
    }
    Ok(())
}
