//! Writes the seeds of a target, and what was found before, into a folder: `write_seeds TARGET FOLDER`.

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, folder] = &arguments[..] else { return ExitCode::from(2) };
    let Some(target) = tribunal_fuzz::target(name) else { return ExitCode::from(2) };
    let written = std::fs::create_dir_all(folder).and_then(|()| {
        let inputs = (target.seeds)().into_iter().chain(target.corpus());
        let mut named =
            inputs.enumerate().map(|(idx, input)| (Path::new(folder).join(format!("seed-{idx}")), input));
        named.try_for_each(|(path, input)| std::fs::write(path, input))
    });
    if written.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
