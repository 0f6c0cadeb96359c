//! `tribunal init`: a first study file for a table, or a first selection file for a table and a population.

use std::path::Path;

use tribunal::{InitOptions, Source, TargetRequest, init_selection, init_study};

use crate::args::{InitArgs, texts};
use crate::flags::{path_word, said};
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
    let (files, population) = (texts(&args.inputs), texts(&args.deploy));
    let on_progress = |progress| bar.show(progress);
    let text = match population.is_empty() {
        true => init_study(&source, &files, &options, &on_progress)?,
        false => init_selection(&source, &files, &population, &options, &on_progress)?,
    };
    drop(bar);
    output::write_to(path, &said(&text))?;
    if let Some(path) = path.filter(|_| !args.quiet) {
        let (path, word) = (shown(path), path_word(path));
        let verb = if population.is_empty() { "study" } else { "select" };
        say(&format!(
            "{path} is written. Look at its target and columns, then run\n  tribunal {verb} {word}"
        ));
    }
    Ok(())
}
