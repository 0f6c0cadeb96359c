//! What every verb says in every form that it offers, as snapshots: `snapshots/doors/VERB.FORM.snap`, one for each line of the
//! table below. A verb or a form that is added fails until it has its line.
//!
//! What differs from run to run or from release to release - times, the folder, the version - is replaced by its name in
//! brackets, and the middle of very long output by the number of its lines.

use std::collections::BTreeSet;

use crate::folder::{Folder, monitored_table, segmented_table, table};

const FORMS: &[&str] = &["text", "json", "csv", "markdown", "latex"];
const FORMS_AND_DOT: &[&str] = &["text", "json", "csv", "markdown", "latex", "dot"];
/// Of verbs whose output has one form only.
const AS_IT_IS: &[&str] = &[];

/// Name of the snapshots, arguments, forms.
type Door = (&'static str, &'static str, &'static [&'static str]);

macro_rules! doors {
    ($($name:ident: $args:literal in $forms:ident;)*) => {
        const DOORS: &[Door] = &[$((stringify!($name), $args, $forms)),*];

        $(
            #[test]
            fn $name() {
                check((stringify!($name), $args, $forms));
            }
        )*
    };
}

doors! {
    evaluate: "evaluate x.csv --truth y --positive 1 --score a" in FORMS;
    evaluate_by: "evaluate s.csv --truth y --positive 1 --score a --by region --threshold top:60 --metrics auroc,brier,pcc" in FORMS;
    evaluate_by_list: "evaluate s.csv --truth y --positive 1 --score a --by region --capacity 60 --benefit-tp 3 --cost-fp 1 --base-rate 10% --metrics auroc" in FORMS;
    evaluate_charts: "evaluate x.csv --truth y --positive 1 --score a,id --amount id --amount-of everybody --bins 3 --bands 4,8 --base-rate 1% --cost-fp 1 --cost-fn 5 --metrics auroc,omega_amount" in FORMS;
    evaluate_stress: "evaluate s.csv --truth y --positive 1 --score a --metrics auroc --stress-selection 50%,20%" in FORMS;
    study: "study study.toml" in FORMS;
    select: "select o.csv --target y --positive 1 --deploy p.csv --learners logit;nb;c45 --design cv:2 --audit 5 --ask 5" in FORMS;
    monitor: "monitor --reference m.csv --current n.csv --score p --truth y --positive 1 --actioned acted --bands 5 --limit auroc>=0.5,psi<=0.001" in FORMS;
    monitor_by: "monitor --current m.csv --by quarter --date day --score p --truth y --positive 1 --actioned acted --amount paid --bands 0.1,0.3,0.6 --limit auroc>=0.6" in FORMS;
    correct: "correct --prevalence c.csv --incidence i.csv --strata a --bands 3 --truth y --positive 1 --score a --threshold 5" in FORMS;
    demo: "demo --scores" in FORMS;
    report_evaluation: "report evaluation.json" in FORMS;
    report_study: "report study.run/results.json --times study.run/times.json" in FORMS;
    describe: "describe x.csv --target y --positive 1" in FORMS;
    init: "init x.csv --target y --positive 1 -o -" in AS_IT_IS;
    cross: "cross x.csv --target y --positive 1 --learner nb --design cv:2" in FORMS;
    fit: "fit x.csv --target y --positive 1 --learner c45 -o kept.json" in FORMS;
    score: "score tree.json x.csv" in FORMS;
    explain_tree: "explain tree.json" in FORMS_AND_DOT;
    explain_bayes: "explain nb.json" in FORMS;
    explain_rows: "explain nb.json x.csv --rows 1-3" in FORMS;
    generate: "generate claims --rows 40" in AS_IT_IS;
    split: "split x.csv --target y --design cv:3" in FORMS;
    bias: "bias x.csv --kind class --class 1 --target y --positive 1" in FORMS;
    metrics: "metrics" in FORMS;
    learners: "learners" in FORMS;
    completions: "completions fish" in AS_IT_IS;
    man: "man" in AS_IT_IS;
    help: "--help" in AS_IT_IS;
}

const STUDY: &str = "data = 'x.csv'\nlearners = ['majority', 'nb', 'c45']\ndesign = 'cv:2'\n\
                     [targets]\ny = { column = 'y', positive = '1' }\n";

/// The table without its first column.
fn without_identifier(table: &str) -> String {
    let line = |line: &str| line.split_once(',').map(|(_, rest)| format!("{rest}\n"));
    table.lines().filter_map(line).collect()
}

/// The rows that somebody chose to act on: most of those with a high `a`, some of the others.
fn acted_on(table: &str) -> String {
    let is_chosen = |line: &&str| {
        let mut cells = line.split(',').map(|cell| cell.parse::<u32>().unwrap_or(u32::MAX));
        let (row, a) = (cells.next().unwrap_or_default(), cells.next().unwrap_or_default());
        a >= 7 || row.is_multiple_of(5)
    };
    table.lines().filter(is_chosen).map(|line| format!("{line}\n")).collect()
}

fn check((name, args, forms): Door) {
    let folder = Folder::with(&[
        ("x.csv", &table(60)),
        ("s.csv", &segmented_table(300)),
        ("study.toml", STUDY),
        ("o.csv", &without_identifier(&table(120))),
        ("p.csv", &without_identifier(&table(90))),
        ("m.csv", &monitored_table(1200, 0, false)),
        ("n.csv", &monitored_table(900, 5000, true)),
        ("c.csv", &table(200)),
        ("i.csv", &acted_on(&table(200))),
    ]);
    for (learner, file) in [("c45", "tree.json"), ("nb", "nb.json")] {
        folder.stdout(&format!("fit x.csv --target y --positive 1 --learner {learner} -o {file} -q"));
    }
    let results = match name {
        "report_evaluation" => {
            Some("evaluate x.csv --truth y --positive 1 --score a --format json -o evaluation.json")
        }
        "report_study" => Some("study study.toml -q"),
        _ => None,
    };
    if let Some(made_first) = results {
        folder.stdout(made_first);
    }
    if forms.is_empty() {
        check_said(&folder, name, args);
    }
    for form in forms {
        check_said(&folder, &format!("{name}.{form}"), &format!("{args} --format {form}"));
    }
}

fn check_said(folder: &Folder, name: &str, args: &str) {
    let output = folder.run(args);
    let text = |bytes: Vec<u8>| shortened(&without_times(&named(folder, &String::from_utf8_lossy(&bytes))));
    let said = format!(
        "$ tribunal {args}\n{}\n[standard error, exit code {:?}]\n{}",
        text(output.stdout),
        output.status.code().unwrap_or(-1),
        text(output.stderr)
    );
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_snapshot_path("snapshots/doors");
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, said));
}

/// The folder and the version by their names.
fn named(folder: &Folder, text: &str) -> String {
    let text = text.replace(&*folder.path().to_string_lossy(), "[folder]");
    text.replace(env!("CARGO_PKG_VERSION"), "[version]")
}

/// Times by their name. Columns are as wide as what stands in them, so paragraphs and tables with times lose their spacing.
fn without_times(text: &str) -> String {
    let blocks = text.split("\n\n").map(|block| {
        let lines: Vec<String> = block.lines().map(line_without_times).collect();
        let is_timed = lines.iter().any(|line| line.contains("[time]"));
        if is_timed { lines.join("\n") } else { block.to_owned() }
    });
    blocks.collect::<Vec<_>>().join("\n\n")
}

fn line_without_times(line: &str) -> String {
    let mut words: Vec<&str> = Vec::new();
    for word in line.split_whitespace() {
        let is_unit = ["us", "ms", "s", "min"].contains(&word);
        match words.last_mut() {
            Some(last) if is_unit && last.parse::<f64>().is_ok() => *last = "[time]",
            _ if word.len() > 3 && word.chars().all(|character| character == '-') => words.push("---"),
            _ => words.push(word),
        }
    }
    words.join(" ")
}

/// The beginning and the end of what is longer than three hundred lines, and no line without an end.
fn shortened(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(shortened_line).collect();
    match lines.len() {
        0..=300 => lines.join("\n"),
        n => format!("{}\n[{} lines]\n{}", lines[..200].join("\n"), n - 250, lines[n - 50..].join("\n")),
    }
}

fn shortened_line(line: &str) -> String {
    let characters: Vec<char> = line.chars().collect();
    let text = |part: &[char]| part.iter().collect::<String>();
    match characters.len() {
        0..=20_000 => line.to_owned(),
        n => format!(
            "{} [{} characters] {}",
            text(&characters[..15_000]),
            n - 17_000,
            text(&characters[n - 2000..])
        ),
    }
}

#[test]
fn every_verb_is_seen_in_every_form_that_it_offers() {
    let folder = Folder::with(&[]);
    let help = |args: &str| String::from_utf8(folder.stdout(args)).expect("text");
    let all = help("--help");
    let (_, verbs) = all.split_once("Commands:\n").expect("the verbs");
    let verbs = verbs.lines().take_while(|line| !line.is_empty()).filter(|line| !line.starts_with("     "));
    for verb in verbs.filter_map(|line| line.split_whitespace().next()).filter(|verb| *verb != "help") {
        let of_verb = DOORS.iter().filter(|(_, args, _)| args.split(' ').next() == Some(verb));
        let seen: Vec<&[&str]> = of_verb.map(|(_, _, forms)| *forms).collect();
        assert!(!seen.is_empty(), "{verb} is not seen");
        let help = help(&format!("{verb} --help"));
        let about = help.split_once("--format <FORM>").map_or("", |(_, about)| about);
        let offered = about.split("--output").next().and_then(|about| about.split("-q, --quiet").next());
        let words = offered.unwrap_or_default().split(|character: char| !character.is_ascii_alphabetic());
        let offered: BTreeSet<&str> = words.filter(|word| FORMS_AND_DOT.contains(word)).collect();
        let seen: BTreeSet<&str> = seen.into_iter().flatten().copied().collect();
        assert_eq!(seen, offered, "{verb} offers other forms than are seen");
    }
}

#[test]
fn what_differs_from_run_to_run_has_a_name() {
    assert_eq!(line_without_times("| nb  | 6 us | 12.5 ms |"), "| nb | [time] | [time] |");
    let text = "One  two\n\nfit    rows\n------  ---\n3 us       4\n\nin  5 parts";
    assert_eq!(without_times(text), "One  two\n\nfit rows\n--- ---\n[time] 4\n\nin  5 parts");
    let long = "x\n".repeat(1000);
    assert_eq!(shortened(&long).lines().count(), 251);
}
