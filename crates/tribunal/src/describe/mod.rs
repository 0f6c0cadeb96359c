//! What a table holds, column by column, and what each column alone tells about a target.

mod alone;
mod notices;
mod results;
mod values;

use rayon::prelude::*;
use tribunal_io::Source;

pub use results::{
    Alone, ClassCount, ColumnDescription, DESCRIPTION_SCHEMA, Description, Direction, LevelCount, Notice,
    NumberSummary, TargetDescription,
};

use crate::data::{
    ClassColumn, DataRequest, FoundTarget, ReadPlan, TypedColumn, classes_of, find_targets, read_table,
    typed_columns,
};
use crate::error::Error;
use crate::progress::OnProgress;
use tribunal_learn::Role;

/// Describes files read as one table.
///
/// Of a table with very many cells quartiles, histograms and AUROCs come from a sample of the rows; counts, means and
/// ends are those of all rows. Memory is bounded by the sample.
///
/// ```
/// use tribunal::{DataRequest, Source, TargetRequest, describe};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("claims.csv").to_string_lossy().into_owned();
/// # std::fs::write(&path, "lag,fraud\n3,no\n14,yes\n,no\n9,yes\n")?;
/// // lag,fraud
/// // 3,no
/// // 14,yes
/// // ,no
/// // 9,yes
/// let targets = vec![TargetRequest { name: "fraud".into(), positive: None }];
/// let request = DataRequest { targets, ..DataRequest::default() };
/// let description = describe(&Source::open(&[path])?, &request, 1, &|_progress| ())?;
/// let lag = &description.columns[0];
/// assert_eq!((lag.kind, lag.missing), ("numeric", 1));
/// assert_eq!(lag.alone[0].as_ref().map(|alone| alone.auroc), Some(1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Files that cannot be read, a target that is not there or tells nothing apart.
pub fn describe(
    source: &Source,
    request: &DataRequest,
    seed: u64,
    on_progress: OnProgress,
) -> Result<Description, Error> {
    let targets = find_targets(source, request)?;
    let plan = ReadPlan { schema: &request.schema, targets: &targets, sample_seed: Some(seed) };
    let raw = read_table(source, &plan, on_progress)?;
    let classes = classes_of(&targets, &raw)?;
    let sampled = raw.sample.as_ref().filter(|sample| sample.is_partial()).map(|sample| sample.n_rows());
    let n_rows = raw.n_rows;
    let (mut columns, mut unreadable) = (Vec::new(), Vec::new());
    for (name, column) in typed_columns(raw, &targets, &request.schema) {
        match column? {
            Some(column) => columns.push(column),
            None => unreadable.push(name),
        }
    }
    let truths: Vec<Vec<ClassTruth>> = classes.iter().map(truths).collect();
    let described: Vec<(ColumnDescription, Vec<Notice>)> =
        columns.par_iter().map(|column| describe_column(column, &truths, seed)).collect();
    let (columns, found): (Vec<_>, Vec<_>) = described.into_iter().unzip();
    let mut notices: Vec<Notice> = found.into_iter().flatten().collect();
    notices.extend(unreadable.iter().map(|name| notices::unreadable(name)));
    notices.sort_by_key(|notice| notices::gravity(notice.about));
    Ok(Description {
        schema: DESCRIPTION_SCHEMA,
        files: source.names().map(str::to_owned).collect(),
        rows: n_rows,
        sampled_rows: sampled,
        targets: targets
            .iter()
            .zip(&classes)
            .map(|(target, classes)| describe_target(target, classes))
            .collect(),
        columns,
        notices,
    })
}

/// A class told from the others: its name where there are more than two, and whether each row has it.
struct ClassTruth {
    class: Option<String>,
    truth: Vec<Option<bool>>,
}

/// The positive class against the other, or each of several against the rest.
fn truths(classes: &ClassColumn) -> Vec<ClassTruth> {
    let n_classes = classes.classes.len();
    let of = |class: u32, name: Option<String>| ClassTruth {
        class: name,
        truth: classes.codes.iter().map(|code| code.map(|code| code == class)).collect(),
    };
    if n_classes == 2 {
        return vec![of(1, None)];
    }
    (0..n_classes as u32).map(|class| of(class, Some(classes.classes[class as usize].clone()))).collect()
}

fn describe_column(
    column: &TypedColumn,
    targets: &[Vec<ClassTruth>],
    seed: u64,
) -> (ColumnDescription, Vec<Notice>) {
    let (distinct, more_levels) = values::distinct(column);
    // Names tell nothing about rows to come, and cost the most to look at.
    let is_telling = !matches!(column.role, Role::Identifier | Role::Ignore);
    let told = match is_telling {
        true => self::told(targets, &|truth| alone::alone(&column.column, truth, seed)),
        false => vec![Vec::new(); targets.len()],
    };
    let by_presence = match column.n_missing {
        0 => Vec::new(),
        _ => self::told(targets, &|truth| alone::alone_by_presence(&column.column, truth)),
    };
    let notices = notices::of_column(column, &told, &by_presence);
    let description = ColumnDescription {
        name: column.column.name().to_owned(),
        kind: column.column.kind().name(),
        role: column.role.name(),
        missing: column.n_missing,
        distinct,
        more_levels,
        numbers: values::numbers(column),
        levels: values::levels(column),
        alone: told.into_iter().map(surest).collect(),
    };
    (description, notices)
}

/// For each target what is told of each of its classes.
fn told(
    targets: &[Vec<ClassTruth>],
    tells: &dyn Fn(&[Option<bool>]) -> Option<Alone>,
) -> Vec<Vec<Option<Alone>>> {
    let of_class = |truth: &ClassTruth| Some(Alone { class: truth.class.clone(), ..tells(&truth.truth)? });
    targets.iter().map(|truths| truths.iter().map(of_class).collect()).collect()
}

/// What is told most surely of one of several classes.
fn surest(told: Vec<Option<Alone>>) -> Option<Alone> {
    told.into_iter().flatten().max_by(|a, b| a.lower.total_cmp(&b.lower))
}

fn describe_target(target: &FoundTarget, classes: &ClassColumn) -> TargetDescription {
    let counted = classes.classes.iter().zip(&classes.counts);
    let n_rows: u64 = classes.counts.iter().sum();
    TargetDescription {
        name: target.name.clone(),
        column: target.column.clone(),
        classes: counted.map(|(class, &rows)| ClassCount { class: class.clone(), rows }).collect(),
        base_rate: (classes.classes.len() == 2).then(|| classes.counts[1] as f64 / n_rows as f64),
        missing: classes.n_missing,
        guessed: classes.is_guessed,
    }
}
