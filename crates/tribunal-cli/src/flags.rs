//! The settings and verbs that libraries speak of, as they are typed here.

use std::path::Path;

use tribunal::message::{Message, Phrasing, Setting, Verb};
use tribunal_report::{Format, Style};

use crate::messages::shown;

/// The words of the command line: `--positive yes`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flags;

/// A message as the command says it.
pub(crate) fn said(message: &Message) -> String {
    message.said_by(&Flags)
}

/// A form of output that names flags.
pub(crate) fn style(format: Format) -> Style<'static> {
    Style { format, phrasing: &Flags }
}

impl Phrasing for Flags {
    fn setting(&self, setting: Setting, value: Option<&str>) -> String {
        let flag = flag(setting);
        match value {
            Some(value) => format!("{flag} {}", shell_word(setting, value)),
            None => flag,
        }
    }

    fn verb(&self, verb: Verb) -> String {
        format!("tribunal {}", verb.name())
    }
}

/// The flag of a setting: its name, unless it is called otherwise here.
fn flag(setting: Setting) -> String {
    let name = match setting {
        Setting::Cutoff => "threshold",
        Setting::Replicates => "bootstrap",
        Setting::RunFolder => "run",
        other => other.name(),
    };
    format!("--{}", name.replace('_', "-"))
}

/// A value as a shell takes it. Texts of cells are always quoted.
fn shell_word(setting: Setting, value: &str) -> String {
    let signs = if setting == Setting::Kind { "_-.+:=" } else { "_-.+:" };
    match is_plain(value, signs) && setting != Setting::MissingText {
        true => value.to_owned(),
        false => in_quotes(value),
    }
}

/// A path as a shell takes it, for a command that is to be run next.
pub(crate) fn path_word(path: &Path) -> String {
    let text = shown(path);
    if is_plain(&text, "_-.+:/\\~") { text } else { in_quotes(&text) }
}

fn is_plain(text: &str, signs: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || signs.contains(c))
}

fn in_quotes(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::args::Cli;

    #[test]
    fn paths_with_blanks_stand_in_quotes() {
        assert_eq!(path_word(Path::new("runs/model-1.json")), "runs/model-1.json");
        assert_eq!(path_word(Path::new("my model.json")), "'my model.json'");
        assert_eq!(path_word(Path::new("it's.json")), r"'it'\''s.json'");
    }

    #[test]
    fn every_setting_is_a_flag_and_every_verb_a_verb() {
        let mut command = Cli::command();
        command.build();
        let verbs: Vec<&clap::Command> = command.get_subcommands().collect();
        for setting in Setting::ALL {
            let flag = flag(*setting);
            let is_it = |arg: &clap::Arg| arg.get_long().is_some_and(|long| flag == format!("--{long}"));
            assert!(verbs.iter().any(|verb| verb.get_arguments().any(is_it)), "{flag} is no flag");
        }
        for verb in Verb::ALL {
            assert!(verbs.iter().any(|known| known.get_name() == verb.name()), "{verb:?} is no verb");
        }
    }

    #[test]
    fn advice_can_be_pasted_into_a_shell() {
        let check = |setting, value, expected: &str| {
            assert_eq!(said(&Message::default().set(setting, value)), expected);
        };
        check(Setting::Positive, "yes", "--positive yes");
        check(Setting::Positive, ">=4", "--positive '>=4'");
        check(Setting::Positive, "it's", "--positive 'it'\\''s'");
        check(Setting::MissingText, "none", "--missing 'none'");
        check(Setting::Kind, "age=ignore", "--kind age=ignore");
        check(Setting::Kind, "age at loss=ignore", "--kind 'age at loss=ignore'");
    }
}
