//! What a correction says in its forms.

use tribunal::correction::{CorrectRequest, Correction, OutcomeColumns, correct};
use tribunal::{Source, StoredResult};

use crate::{Format, Shown, render_correction, render_stored};

/// Half of the population is in the north, where a tenth of the cases are hits; in the south nine tenths were acted on.
fn correction() -> Correction {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: String| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("a file");
        Source::open(&[path.to_string_lossy()]).expect("a source")
    };
    let region = |row: u32| if row.is_multiple_of(2) { "north" } else { "south" };
    let all: String = (0..200).map(|row| format!("{}\n", region(row))).collect();
    let actioned = |row: u32| {
        let region = if row.is_multiple_of(10) { "north" } else { "south" };
        format!(
            "{region},{}\n",
            u8::from(if region == "north" { row.is_multiple_of(100) } else { row.is_multiple_of(3) })
        )
    };
    let prevalence = write("all.csv", format!("region\n{all}"));
    let incidence =
        write("actioned.csv", format!("region,hit\n{}", (0..400).map(actioned).collect::<String>()));
    let mut request = CorrectRequest::new(["region"]);
    request.outcome = Some(OutcomeColumns { truth: "hit".into(), positive: "1".into(), score: None });
    correct((&prevalence, &incidence), &request, &|_| ()).expect("a correction").correction().clone()
}

#[test]
fn the_answer_comes_first_and_every_form_says_the_same() {
    let found = correction();
    let text = render_correction(&found, Format::Text).expect("text");
    let answer = text.lines().find(|line| line.contains("The strike rate of the population is"));
    assert!(answer.is_some_and(|answer| text.find(answer) < text.find("Before and after")), "{text}");
    for part in [
        "as acted on",
        "poststratify",
        "over (beta",
        "doubly robust",
        "design effect",
        "north",
        "(y + Delta)/y",
    ] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
    let csv = render_correction(&found, Format::Csv).expect("CSV");
    assert!(csv.lines().any(|line| line.starts_with("figure,before,,incidence,strike_rate,")), "{csv}");
    assert!(csv.lines().any(|line| line.starts_with("stratum,over,north,")), "{csv}");
    let widths: Vec<usize> = csv.lines().map(|line| line.split(',').count()).collect();
    assert!(widths.iter().all(|width| *width == widths[0]), "{csv}");
}

#[test]
fn stored_corrections_are_shown_with_the_same_bytes() {
    let found = correction();
    let json = render_correction(&found, Format::Json).expect("JSON");
    let stored = StoredResult::from_json(&json).expect("a result");
    for format in Format::ALL {
        let first = render_correction(&found, format).expect("a form");
        assert_eq!(render_stored(&stored, Shown::default(), format).expect("a form"), first, "{format}");
    }
}
