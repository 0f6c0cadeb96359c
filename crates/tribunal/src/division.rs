//! How the rows of a table are to be divided, and the columns of the table that this takes.

use tribunal_io::{ReadOptions, Source, TableReader};
use tribunal_learn::{ColumnSchema, Role, Target};

use crate::data::DataRequest;
use crate::error::Error;
use crate::label_reader::read_labels;
use crate::progress::OnProgress;
use crate::resampling::{Design, LabelColumn, Plan, Rows, TimeSummary};

/// A design with the column of groups that it keeps together.
#[derive(Clone, Debug)]
pub(crate) struct Division {
    design: Design,
    group: Option<String>,
}

impl Division {
    /// The design, made of groups where a column of them is named.
    ///
    /// # Errors
    /// The design cannot keep groups together, or has more splits than anybody can train models for.
    pub(crate) fn new(design: &Design, group: Option<&str>) -> Result<Self, Error> {
        let design = match group {
            Some(group) => design.clone().grouped_by(group)?,
            None => design.clone(),
        };
        design.check_splits()?;
        let group = group.or(design.group_column()).map(str::to_owned);
        Ok(Division { design, group })
    }

    /// The design.
    pub(crate) fn design(&self) -> &Design {
        &self.design
    }

    /// The columns that are looked at.
    fn columns(&self) -> impl Iterator<Item = &str> {
        self.group.as_deref().into_iter().chain(self.design.column())
    }

    /// Takes these columns out of what is learned from, unless their kind is declared.
    pub(crate) fn keep_out(&self, data: &mut DataRequest) {
        for name in self.columns() {
            data.schema.columns.entry(name.to_owned()).or_insert(ColumnSchema::Role(Role::Ignore));
        }
    }

    /// Reads these columns, of all rows.
    pub(crate) fn read(
        &self,
        source: &Source,
        on_progress: OnProgress<'_>,
    ) -> Result<Vec<LabelColumn>, Error> {
        let names: Vec<&str> = self.columns().collect();
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let reader = TableReader::open(source, &ReadOptions::default())?;
        let columns = read_labels(&reader, &names, on_progress)?.columns;
        columns.iter().try_for_each(|column| self.design.check_column(column))?;
        Ok(columns)
    }

    /// From when to when the parts of a plan reach, if rows are divided by time.
    pub(crate) fn time_summary(
        &self,
        columns: &[LabelColumn],
        rows: &[u32],
        plan: &Plan,
    ) -> Option<TimeSummary> {
        let column = columns.iter().find(|column| Some(column.name()) == self.design.column())?;
        TimeSummary::of(plan, &column.select(rows))
    }

    /// Divides rows of the table by a target of them.
    pub(crate) fn plan(
        &self,
        columns: &[LabelColumn],
        rows: &[u32],
        target: &Target,
        seed: u64,
    ) -> Result<Plan, Error> {
        let columns: Vec<LabelColumn> = columns.iter().map(|column| column.select(rows)).collect();
        let column = |wanted: Option<&str>| columns.iter().find(|column| Some(column.name()) == wanted);
        let classes = LabelColumn::of_target(target);
        let divided = Rows::of_classes(&classes);
        let divided = column(self.group.as_deref()).map_or(divided, |groups| divided.with_groups(groups));
        let divided = column(self.design.column()).map_or(divided, |column| divided.with_column(column));
        Plan::new(&self.design, &divided, seed)
    }
}
