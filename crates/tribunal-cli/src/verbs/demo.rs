//! `tribunal demo`: the built-in claims study, or the judgement of scores that other tools gave to synthetic claims.

use std::path::Path;

use tribunal::claims;
use tribunal::{
    CLAIMS_STUDY_FILES, CaseRule, DEMO_CLAIMS, DEMO_COLUMNS, EvaluateRequest, Source, demo_claims,
    write_claims_study,
};
use tribunal_io::Files;
use tribunal_report::Format;

use crate::args::{DemoArgs, OutputPath};
use crate::flags::path_word;
use crate::messages::say;
use crate::verbs::evaluate::{judge, show};
use crate::verbs::study::{asked_by_file, run_in};
use crate::{Failure, output};

/// What investigating a claim costs in the demonstration.
const COST_OF_AUDIT: f64 = 200.0;

pub(crate) fn run(args: &DemoArgs, files: Files) -> Result<(), Failure> {
    if !args.scores {
        return run_claims_study(args, files);
    }
    files.check_directories().map_err(tribunal::Error::from)?;
    judge_scores(args)
}

/// Writes claims and a study file, and runs it as anybody would.
fn run_claims_study(args: &DemoArgs, mut files: Files) -> Result<(), Failure> {
    let folder = args.folder.path();
    for name in CLAIMS_STUDY_FILES {
        files.reads(&folder.join(name).to_string_lossy()).map_err(tribunal::Error::from)?;
    }
    let study = write_claims_study(folder, args.seed, args.full)?;
    if !args.output.quiet {
        let (claims, path) = (claims::statement(DEMO_CLAIMS, args.seed), path_word(&study));
        say(&format!("{claims}\nThis is what you see with\n  tribunal study {path}\n"));
    }
    run_in(&asked_by_file(&study, false)?, &args.output, files).map(drop)
}

fn judge_scores(args: &DemoArgs) -> Result<(), Failure> {
    let claims = demo_claims(args.seed);
    if let Some(keep) = &args.keep {
        output::write_to(keep.file(), &claims)?;
    }
    let kept = args.keep.as_ref().and_then(OutputPath::file);
    let name = kept.map_or_else(|| "synthetic-claims.csv".into(), |path| path.display().to_string());
    if !args.output.quiet {
        let shown = path_word(Path::new(&name));
        say(&format!(
            "The built-in claims are synthetic. This is what you see on your own file with\n  tribunal evaluate {shown} \
             --truth fraud --positive yes --score {} \\\n    --amount paid --fold fold --id claim --benefit-tp amount \
             --cost-action {COST_OF_AUDIT}\n",
            DEMO_COLUMNS.join(",")
        ));
    }
    let mut request = EvaluateRequest::demo();
    request.decision.outcomes = CaseRule::Fraud { cost: COST_OF_AUDIT }.outcomes();
    request.curves = args.output.format == Format::Json;
    request.fold_intervals = matches!(args.output.format, Format::Json | Format::Csv);
    let source = Source::spool(&name, claims.as_bytes()).map_err(tribunal::Error::from)?;
    show(&judge(&source, &request, args.output.quiet)?, &args.output)
}
