//! What people and programs get of a study, in every form.

use tribunal::{Protocol, Study};

use super::testing::{ALL, scenario, study, times};
use crate::{Format, render_study, render_study_times};

fn rendered(study: &Study, format: Format) -> String {
    render_study(study, Some(&times()), format).expect("a report")
}

/// The study with other names for its learners, wherever they stand.
fn renamed(from: &str, to: &str) -> Study {
    let mut study = study();
    study.learners.iter_mut().filter(|one| one.learner == from).for_each(|one| one.learner = to.to_owned());
    study
        .figures
        .iter_mut()
        .filter(|one| one.row.model == from)
        .for_each(|one| one.row.model = to.to_owned());
    study
}

/// The study over so many targets, each with two sets of predictors.
fn broad(n_targets: usize) -> Study {
    let of_target = |target: usize| {
        ["flags", "all"].map(|set| {
            let mut scenario = scenario(&format!("t{target} {set}"), set, 9);
            scenario.target = target.to_string();
            scenario
        })
    };
    let mut study = study();
    study.scenarios = (0..n_targets).flat_map(of_target).collect();
    study
}

#[test]
fn a_terminal_gets_the_answer_first() {
    insta::assert_snapshot!(rendered(&study(), Format::Text));
}

#[test]
fn markdown_gets_everything() {
    insta::assert_snapshot!(rendered(&study(), Format::Markdown));
}

#[test]
fn without_times_there_are_no_columns_for_them() {
    let text = render_study(&study(), None, Format::Text).expect("text");
    assert!(text.contains("at edge") && !text.contains("training  "), "{text}");
}

#[test]
fn the_protocol_is_told_in_words() {
    let of = |protocol| {
        let mut study = study();
        study.protocol = protocol;
        rendered(&study, Format::Markdown)
    };
    assert!(of(Protocol::Paper).contains("scales come from all rows"));
    assert!(of(Protocol::Strict).contains("is learned inside training parts"));
    assert!(!of(Protocol::Strict).contains("all rows, those"));
}

#[test]
fn json_is_the_study_alone() {
    let json = rendered(&study(), Format::Json);
    assert_eq!(json, render_study(&study(), None, Format::Json).expect("JSON"));
    assert!(json.starts_with("{\n  \"schema\": \"tribunal.study/6\"") && json.ends_with("}\n"));
    assert!(!json.contains("training"), "times are apart");
}

#[test]
fn csv_holds_every_figure() {
    let csv = rendered(&study(), Format::Csv);
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 1 + study().figures.len());
    assert_eq!(
        lines[0],
        "scenario,model,metric,scope,fold,estimate,lower,upper,level,method,sd,n,standing,undefined"
    );
    assert_eq!(
        lines[2],
        "\"fraud, flags\",nb,pcc,all,,0.83,0.8099999999999999,0.85,0.95,corrected_t,0.01,10,level,"
    );
    assert!(lines[9].starts_with("\"fraud, flags\",nb,pcc,fold,1,0.5,"), "{}", lines[9]);
    assert!(lines[11].ends_with(",10,,\"scores are no probabilities, \"\"margins\"\"\""), "{}", lines[11]);
}

#[test]
fn latex_opens_what_it_closes_and_takes_names_as_they_are() {
    let latex = rendered(&renamed("nb", "50%_a^b&c"), Format::Latex);
    let escaped = r"50\%\_a\textasciicircum{}b\&c";
    assert!(latex.contains(&format!("naive Bayes & {escaped} & \\underline{{83.00}}")), "{latex}");
    let mut open = Vec::new();
    for line in latex.split_inclusive(['\n', '}']) {
        if let Some((_, name)) = line.split_once("\\begin{") {
            open.push(name.to_owned());
        } else if let Some((_, name)) = line.split_once("\\end{") {
            assert_eq!(open.pop().as_deref(), Some(name), "{line}");
        }
    }
    assert_eq!(open, [] as [&str; 0]);
    assert_eq!(latex.matches("\\begin{tabular}").count(), latex.matches("\\fit{\\begin").count());
}

#[test]
fn a_terminal_gets_broad_tables_in_pieces_that_keep_targets_whole() {
    let text = rendered(&broad(5), Format::Text);
    let headers: Vec<&str> = text.lines().filter(|line| line.trim_start().starts_with("family  ")).collect();
    let names = |line: &&str| line.split_whitespace().skip(2).collect::<Vec<_>>().join(" ");
    let pieces: Vec<String> = headers[..2].iter().map(names).collect();
    assert_eq!(pieces[0], "t0 flags t0 all t1 flags t1 all t2 flags t2 all");
    assert_eq!(pieces[1], "t3 flags t3 all t4 flags t4 all R R^g");
    let markdown = rendered(&broad(5), Format::Markdown);
    assert!(
        markdown.contains("| t0 flags | t0 all | t1 flags ") && markdown.contains("| t4 all | R | R^g |")
    );
}

#[test]
fn ratios_without_room_stand_alone() {
    let mut wide = renamed("nb:{5,25}", "nb:{5,25,125,625}");
    wide.scenarios = broad(3).scenarios;
    let text = rendered(&wide, Format::Text);
    assert!(text.contains("by pcc\n  family       learner              R  R^g\n"), "{text}");
    assert_eq!(text.matches("R^g\n").count(), 1, "there are none of the other metric");
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
}

#[test]
fn a_study_of_nothing_is_told_too() {
    let mut empty = study();
    (empty.learners, empty.scenarios, empty.figures) = Default::default();
    (empty.summaries, empty.tests, empty.curves) = Default::default();
    (empty.additions, empty.models, empty.designs) = Default::default();
    for format in Format::ALL {
        assert!(!rendered(&empty, format).is_empty(), "{format}");
    }
}

#[test]
fn times_come_with_units_for_people_and_in_seconds_for_programs() {
    let of = |format| render_study_times(&times(), format).expect("times");
    assert_eq!(
        of(Format::Text),
        format!(
            "Times\n=====\n\nModels of all rows, each made alone on 2 threads.\n\n{ALL}\n  \
             learner     tuning  training  scoring 1,000 rows\n  \
             ---------  -------  --------  ------------------\n  \
             nb                    250 ms              1.0 ms\n  \
             nb:{{5,25}}  1.5 min    250 ms              1.0 ms\n"
        )
    );
    let csv = "scenario,learner,tuning,training,scoring,rows,threads\n\"fraud, all\",nb,,0.25,0.002,2000,2\n";
    assert!(of(Format::Csv).starts_with(csv), "{}", of(Format::Csv));
    assert!(of(Format::Json).starts_with("{\n  \"schema\": \"tribunal.study-times/1\""));
}

#[test]
fn a_study_of_nobody_but_the_majority_class_does_not_count_learners() {
    let mut alone = study();
    alone.learners.retain(|learner| learner.trivial);
    let text = rendered(&alone, Format::Text);
    assert!(text.contains("majority alone met ") && !text.contains("0 learners"), "{text}");
}
