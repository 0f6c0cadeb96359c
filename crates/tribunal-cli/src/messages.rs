//! What is said on standard error. Texts of users - names, labels, paths - command no terminal there.

use std::io::{IsTerminal, Write};
use std::path::Path;

use clap::CommandFactory;
use clap::builder::Styles;
use tribunal_io::{printable, printable_lines, printable_message};

use crate::args::Cli;
use crate::output;

/// Says something in lines of its own. What cannot be said keeps nobody from working.
pub(crate) fn say(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{}", printable_lines(text));
}

/// Whether standard error is a terminal.
pub(crate) fn is_read_by_a_person() -> bool {
    std::io::stderr().is_terminal()
}

/// Says why a command did not do its work.
pub(crate) fn complain(message: &str) {
    say(&format!("error: {}", printable_message(message)));
}

/// A path within a message.
pub(crate) fn shown(path: &Path) -> String {
    printable(&path.to_string_lossy()).into_owned()
}

/// Says what is wrong with a command line, and gives the exit code. Help and versions that were asked for are printed.
pub(crate) fn refuse(error: &clap::Error) -> u8 {
    let code = u8::try_from(error.exit_code()).unwrap_or(2);
    if !error.use_stderr() {
        return match output::printed(error.print()) {
            Ok(()) => code,
            Err(failure) => {
                complain(&failure.message);
                failure.code
            }
        };
    }
    say(written_out(plain(error)).trim_end());
    code
}

/// The same error without styles, which could not be told from escape sequences that were typed.
fn plain(error: &clap::Error) -> String {
    let command = Cli::command().styles(Styles::plain());
    let again = command.try_get_matches_from(std::env::args_os()).err();
    again.as_ref().unwrap_or(error).render().ansi().to_string()
}

/// An error with what was typed written out. Other line breaks are layout.
fn written_out(mut error: String) -> String {
    for typed in std::env::args().skip(1) {
        let parts = typed.split(['=', ',', ';']);
        for part in std::iter::once(typed.as_str()).chain(parts).filter(|part| part.contains('\n')) {
            error = error.replace(part, &printable(part));
        }
    }
    error
}
