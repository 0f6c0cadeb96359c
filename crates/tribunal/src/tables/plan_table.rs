//! A plan for the rows of a table, and the table with the plan's columns appended.

use std::io::Write;

use tribunal_io::{
    AddedColumn, AddedValues, ReadOptions, RowCopy, Source, TableFormat, TableReader, copy_table,
};

use tribunal_learn::Schema;

use super::check_classes;
use crate::data::TargetRequest;
use crate::error::Error;
use crate::label_reader::read_labels;
use crate::message::{Message, Setting};
use crate::progress::{OnProgress, Progress};
use crate::resampling::{
    Design, LabelColumn, Part, Plan, PlanColumn, PlanSummary, PlanValues, Rows, TimeSummary,
};

/// How the rows of a table are divided.
#[derive(Clone, Debug, PartialEq)]
pub struct SplitRequest {
    /// The design.
    pub design: Design,
    /// The classes, which all parts share alike.
    pub target: Option<TargetRequest>,
    /// What may declare the target.
    pub schema: Schema,
    /// The column of groups that no split may tear apart.
    pub group: Option<String>,
    /// The seed.
    pub seed: u64,
}

/// A plan for the rows of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedTable {
    plan: Plan,
    classes: Option<LabelColumn>,
    time: Option<TimeSummary>,
}

/// Reads the columns that a design looks at and divides the rows.
///
/// # Errors
/// A column is missing or has a gap, or the rows cannot be divided as asked.
pub fn plan_table(
    source: &Source,
    request: &SplitRequest,
    on_progress: OnProgress<'_>,
) -> Result<PlannedTable, Error> {
    let design = match &request.group {
        Some(group) => request.design.clone().grouped_by(group)?,
        None => request.design.clone(),
    };
    let group = request.group.as_deref().or(design.group_column());
    let reader = TableReader::open(source, &ReadOptions::default())?;
    let target =
        request.target.as_ref().map(|target| target.find_in(&reader, &request.schema)).transpose()?;
    let wanted = [target.as_ref().map(|target| target.column.as_str()), group, design.column()];
    let names: Vec<&str> = wanted.into_iter().flatten().collect();
    let read = read_labels(&reader, &names, on_progress)?;
    let column = |wanted: Option<&str>| read.columns.iter().find(|column| Some(column.name()) == wanted);
    let classes = target.as_ref().and_then(|target| Some(target.relabelled(column(Some(&target.column))?)));
    let classes = classes.transpose()?;
    classes.as_ref().map_or(Ok(()), check_classes)?;
    let rows = classes.as_ref().map_or_else(|| Rows::new(read.n_rows), Rows::of_classes);
    let rows = column(group).map_or(rows, |groups| rows.with_groups(groups));
    let rows = column(design.column()).map_or(rows, |column| rows.with_column(column));
    let plan = Plan::new(&design, &rows, request.seed)?;
    let time = column(design.column()).and_then(|column| TimeSummary::of(&plan, column));
    Ok(PlannedTable { plan, classes, time })
}

impl PlannedTable {
    /// The plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The classes of the rows.
    pub fn classes(&self) -> Option<&LabelColumn> {
        self.classes.as_ref()
    }

    /// The plan in figures.
    pub fn summary(&self) -> PlanSummary {
        PlanSummary { time: self.time.clone(), ..PlanSummary::of(&self.plan, self.classes()) }
    }

    /// Checks that the plan's columns are new to the table, which are not written over.
    ///
    /// # Errors
    /// The table has a column of such a name.
    pub fn check_names(&self, source: &Source, name: Option<&str>) -> Result<(), Error> {
        let reader = TableReader::open(source, &ReadOptions::default())?;
        let is_there = |name: &&String| reader.columns().iter().any(|column| column.name == **name);
        match self.plan.design().column_names(name).iter().find(is_there) {
            Some(name) => Err(Error::usage(
                Message::from(format!(
                    "the table has a column \"{name}\" already, and it is not written over; "
                ))
                .text("choose another name with ")
                .setting(Setting::Name),
            )),
            None => Ok(()),
        }
    }

    /// Writes the table with the plan's columns appended, under another name if one is given.
    ///
    /// # Errors
    /// The table has a column of that name, or cannot be read or written.
    pub fn write(
        &self,
        source: &Source,
        name: Option<&str>,
        format: TableFormat,
        out: &mut (dyn Write + Send),
        on_progress: OnProgress<'_>,
    ) -> Result<(), tribunal_io::Error> {
        let columns = self.plan.columns(name);
        let parts: Vec<String> = Part::ALL.iter().map(|part| part.name().to_owned()).collect();
        let codes: Vec<Vec<u32>> = columns.iter().map(|column| part_codes(&column.values)).collect();
        let both = columns.iter().zip(&codes);
        let added: Vec<AddedColumn<'_>> = both.map(|(column, codes)| added(column, codes, &parts)).collect();
        let copying = RowCopy { columns: None, keep: None, added: &added };
        let on_read = |read| on_progress(Progress::Reading(read));
        copy_table(source, &ReadOptions::default(), &copying, format, out, &on_read)?;
        Ok(())
    }
}

/// Parts as positions in the list of all parts; numbers need none.
fn part_codes(values: &PlanValues) -> Vec<u32> {
    match values {
        PlanValues::Numbers(_) => Vec::new(),
        PlanValues::Parts(parts) => parts.iter().map(|&part| part as u32).collect(),
    }
}

fn added<'a>(column: &'a PlanColumn, codes: &'a [u32], parts: &'a [String]) -> AddedColumn<'a> {
    let values = match &column.values {
        PlanValues::Numbers(numbers) => AddedValues::Whole(numbers),
        PlanValues::Parts(_) => AddedValues::Labels { codes, texts: parts },
    };
    AddedColumn { name: &column.name, values }
}
