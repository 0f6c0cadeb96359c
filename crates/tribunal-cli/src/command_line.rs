//! The command line as results keep it.

/// Options that say where results go, how they look and how many cores make them: they change no figure, so results do not
/// depend on them.
const LEFT_OUT: [&str; 4] = ["--output", "--format", "--jobs", "--run"];

/// What this process was asked, without the options that change no figure.
pub(crate) fn kept() -> Vec<String> {
    let texts = std::env::args_os().map(|text| text.to_string_lossy().into_owned());
    let name = std::iter::once("tribunal".to_owned());
    name.chain(without_output(texts.skip(1))).collect()
}

fn without_output(texts: impl Iterator<Item = String>) -> Vec<String> {
    let (mut kept, mut texts) = (Vec::new(), texts);
    while let Some(text) = texts.next() {
        let is_named = |option: &str| text.strip_prefix(option).is_some_and(|rest| rest.starts_with('='));
        if text == "--" {
            kept.push(text);
            kept.extend(texts.by_ref());
        } else if text == "-o" || LEFT_OUT.contains(&text.as_str()) {
            texts.next();
        } else if !(is_flag(&text) || LEFT_OUT.iter().any(|option| is_named(option))) {
            kept.push(text);
        }
    }
    kept
}

/// `--quiet`, or a file that is written against its option.
fn is_flag(text: &str) -> bool {
    matches!(text, "-q" | "--quiet") || (text.starts_with("-o") && !text.starts_with("--"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(asked: &str, expected: &str) {
        let texts = asked.split(' ').map(str::to_owned);
        assert_eq!(without_output(texts).join(" "), expected);
    }

    #[test]
    fn what_changes_no_figure_is_left_out() {
        check("evaluate a.csv --score m --format json -o x.json -q", "evaluate a.csv --score m");
        check("study a.csv --run=here --jobs 4 --seed 7", "study a.csv --seed 7");
        check("evaluate -ox.json --output=x --format=csv a.csv --quiet", "evaluate a.csv");
        check("evaluate -- -o --format", "evaluate -- -o --format");
    }
}
