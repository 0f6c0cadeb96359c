//! `tribunal demo`: the built-in claims study, or the judgement of scores that other tools gave to synthetic claims.

use tribunal::claims;
use tribunal::{DEMO_CLAIMS, DEMO_COLUMNS, EvaluateRequest, Source, write_claims_study, write_demo_claims};
use tribunal_eval::curves::{Benefit, Payoff};
use tribunal_report::Format;

use crate::Failure;
use crate::args::DemoArgs;
use crate::verbs::evaluate::{judge, show};
use crate::verbs::study::{asked_by_file, run_in};

/// What investigating a claim costs in the demonstration.
const COST_OF_AUDIT: f64 = 200.0;

pub(crate) fn run(args: &DemoArgs) -> Result<(), Failure> {
    if args.scores { judge_scores(args) } else { run_claims_study(args) }
}

/// Writes claims and a study file, and runs it as anybody would.
fn run_claims_study(args: &DemoArgs) -> Result<(), Failure> {
    let study = write_claims_study(&args.folder, args.seed, args.full)?;
    if !args.output.quiet {
        let (claims, path) = (claims::statement(DEMO_CLAIMS, args.seed), study.display());
        eprintln!("{claims}\nThis is what you see with\n  tribunal study {path}\n");
    }
    run_in(&asked_by_file(&study)?, args.jobs, &args.output).map(drop)
}

fn judge_scores(args: &DemoArgs) -> Result<(), Failure> {
    let folder = tempfile::tempdir()
        .map_err(|error| Failure::run(format!("cannot make a temporary folder: {error}")))?;
    let path = args.keep.clone().unwrap_or_else(|| folder.path().join("synthetic-claims.csv"));
    write_demo_claims(&path, args.seed)?;
    let shown =
        args.keep.as_ref().map_or_else(|| "synthetic-claims.csv".into(), |path| path.display().to_string());
    if !args.output.quiet {
        eprintln!(
            "The built-in claims are synthetic. This is what you see on your own file with\n  tribunal evaluate {shown} \
             --truth fraud --positive yes --score {} \\\n    --amount paid --fold fold --id claim --benefit-tp amount \
             --cost-action {COST_OF_AUDIT}\n",
            DEMO_COLUMNS.join(",")
        );
    }
    let mut request = EvaluateRequest::demo();
    request.payoff = Some(Payoff { benefit: Benefit::Amount, cost: COST_OF_AUDIT });
    request.curves = args.output.format == Format::Json;
    request.fold_intervals = matches!(args.output.format, Format::Json | Format::Csv);
    let source = Source::open(&[path.display().to_string()]).map_err(tribunal::Error::from)?;
    let mut evaluation = judge(&source, &request, args.output.quiet)?;
    // The claims are the same wherever the temporary file lies, and so should be what is said of them.
    evaluation.data.files = vec![shown];
    show(&evaluation, &args.output)
}
