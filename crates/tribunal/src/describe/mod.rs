//! What a table holds, column by column, and what each column alone tells about a target.

mod notices;
mod results;
mod values;

use rayon::prelude::*;
use tribunal_io::Source;

pub use results::{
    Alone, AloneMethod, ClassCount, ColumnDescription, ColumnKind, DateRange, Description, Direction,
    LevelCount, Notice, NumberSummary, Subject, TargetDescription,
};

use crate::data::{
    ClassColumn, DataRequest, FoundTarget, ReadPlan, TypedColumn, classes_of, find_targets, read_table,
    typed_columns,
};
use crate::error::Error;
use crate::leaks::{Leak, TargetRows, alone, alone_by_presence};
use crate::progress::OnProgress;
use crate::repeated_rows::repeated_rows;
use tribunal_learn::Role;

/// Describes files read as one table.
///
/// Of a table with very many cells quartiles, histograms and AUROCs come from a sample of the rows; counts, means and
/// ends are those of all rows. Memory is bounded by the sample.
///
/// ```
/// use tribunal::{ColumnKind, DataRequest, Source, TargetRequest, describe};
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
/// assert_eq!((lag.kind, lag.missing), (ColumnKind::Numeric, 1));
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
    let named = targets.iter().zip(&classes);
    let target_rows =
        named.map(|(target, classes)| TargetRows::new(&target.name, &classes.classes, &classes.codes));
    let target_rows: Vec<TargetRows> = target_rows.collect();
    let n_columns = columns.len();
    let repeated = match sampled {
        None => repeated_rows(columns.iter().map(|column| &column.column)),
        Some(_) => None,
    };
    let described = columns.par_iter().map(|column| describe_column(column, &target_rows, n_columns, seed));
    let described: Vec<(ColumnDescription, Vec<Leak>, Vec<Notice>)> = described.collect();
    let (mut columns, mut leaks, mut notices) = (Vec::new(), Vec::new(), Vec::new());
    for (column, its_leaks, its_notices) in described {
        columns.push(column);
        leaks.extend(its_leaks);
        notices.extend(its_notices);
    }
    notices.extend(unreadable.iter().map(|name| notices::unreadable(name)));
    notices.extend(source.repeated()?.iter().map(notices::repeated));
    notices.extend(repeated.as_ref().map(notices::repeated_rows));
    notices.sort_by_key(|notice| notice.about);
    Ok(Description {
        schema: Default::default(),
        files: source.names().map(str::to_owned).collect(),
        rows: n_rows,
        sampled_rows: sampled,
        targets: targets
            .iter()
            .zip(&classes)
            .map(|(target, classes)| describe_target(target, classes))
            .collect(),
        columns,
        leaks,
        notices,
    })
}

fn describe_column(
    column: &TypedColumn,
    targets: &[TargetRows],
    n_columns: usize,
    seed: u64,
) -> (ColumnDescription, Vec<Leak>, Vec<Notice>) {
    let (distinct, more_levels) = values::distinct(column);
    // Names tell nothing about rows to come, and cost the most to look at.
    let is_telling = !matches!(column.role, Role::Identifier | Role::Ignore);
    let (mut leaks, mut told_of_targets) = (Vec::new(), Vec::new());
    for target in targets {
        let told = match is_telling {
            true => target.told(|truth| alone(&column.column, truth, seed)),
            false => Vec::new(),
        };
        let by_presence = match column.n_missing {
            0 => Vec::new(),
            _ => target.told(|truth| alone_by_presence(&column.column, truth)),
        };
        if is_telling {
            leaks.extend(target.leak(&column.column, &told, &by_presence, n_columns));
        }
        told_of_targets.push(surest(told));
    }
    let dates = values::dates(column);
    let notices = notices::of_column(column, leaks.first(), dates.as_ref());
    let description = ColumnDescription {
        name: column.column.name().to_owned(),
        kind: column.column.kind().into(),
        role: column.role,
        missing: column.n_missing,
        distinct,
        more_levels,
        numbers: values::numbers(column),
        dates: dates.and_then(Result::ok),
        levels: values::levels(column),
        alone: told_of_targets,
    };
    (description, leaks, notices)
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
