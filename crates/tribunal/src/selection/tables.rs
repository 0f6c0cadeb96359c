//! The two tables of a selection, read so that the population has the columns and levels of the labelled table.

use tribunal_io::{ReadOptions, Source, TableReader, Want};
use tribunal_learn::{Amounts, Column, ColumnSchema, Dataset, Kind, Levels, Role, Schema, Target};

use super::criterion::{ActingBenefits, SelectionMetric};
use super::known_labels::KnownLabels;
use super::request::SelectRequest;
use super::row_order::RowOrder;
use crate::apply::{Matching, read_population};
use crate::data::{DataRequest, LoadedData, Unlabelled, load_data, load_population};
use crate::decision::CaseRule;
use crate::error::Error;
use crate::message::{Message, Setting};
use crate::progress::{OnProgress, Progress};

/// Donations above this are exceptions that an amount model should not learn from.
const DONATION_LEARNER: &str = "linear:cap=50";

/// Both tables, as learners see them: rows stand in the order that follows from what they hold.
pub(super) struct Tables {
    /// The labelled rows with their target.
    pub(super) train: Dataset,
    /// The population, with the columns and levels of the labelled table; what these do not know counts as missing.
    pub(super) deploy: Dataset,
    /// The population with the levels that it has.
    pub(super) deploy_as_read: Dataset,
    /// The classes of the population, where its table has the target and it is to be looked at; only of rows that have one.
    pub(super) deploy_classes: Option<Vec<Option<u32>>>,
    pub(super) train_benefits: Option<ActingBenefits>,
    pub(super) deploy_benefits: Option<ActingBenefits>,
    /// Which row of its file stands where in the population.
    pub(super) deploy_order: RowOrder,
    /// How many rows of the population have a level that no labelled row has.
    pub(super) rows_with_new_levels: u64,
    pub(super) notices: Vec<String>,
}

impl Tables {
    /// # Errors
    /// A table cannot be read, the labelled one has no two classes, the other lacks one of its columns.
    pub(super) fn read(
        (train, deploy): (&Source, &Source),
        request: &SelectRequest,
        on_progress: OnProgress<'_>,
    ) -> Result<Self, Error> {
        let data = training_data(request);
        let LoadedData { dataset, targets, amounts, notices, origin, .. } =
            load_labelled(train, request, on_progress)?;
        let target = targets.first().ok_or_else(crate::line_up::no_target)?.clone().with_both_classes()?;
        if request.metric == SelectionMetric::Benefit && target.classes().len() != 2 {
            let message = Message::from(format!(
                "benefits are those of acting on positives, and \"{}\" has {} classes: say with ",
                target.name(),
                target.classes().len()
            ));
            return Err(Error::usage(message.setting(Setting::Positive).text(" which one is positive")));
        }
        let known = KnownLabels::of(train, &target, &origin, &data.schema)?;
        let matched = read_population(&dataset.inputs(), &origin, deploy, &Matching::default(), on_progress)?;
        let mut tables = Tables {
            deploy_as_read: as_read(deploy, (&dataset, &matched.dataset), &data, on_progress)
                .unwrap_or_else(|| matched.dataset.clone()),
            deploy: matched.dataset,
            rows_with_new_levels: matched.rows_with_new_levels,
            deploy_classes: None,
            train_benefits: None,
            deploy_benefits: None,
            deploy_order: RowOrder::of(&[], &[]),
            notices: notices
                .into_iter()
                .chain(deploy.repeated()?.iter().map(|file| format!("population: {file}")))
                .chain(matched.notices.into_iter().map(|notice| format!("population: {notice}")))
                .collect(),
            train: dataset,
        };
        if tables.deploy.n_rows() == 0 {
            return Err(Error::data(
                "the population has no row, so there is nothing to choose a learner for",
            ));
        }
        if request.check_with_target {
            let (classes, n_unknown) = classes_of_population(deploy, &known, &target, on_progress)?;
            tables.deploy_classes = Some(classes);
            if n_unknown > 0 {
                tables.notices.push(format!(
                    "population: {n_unknown} {} a class that no labelled row has; the check leaves them out, and every learner is wrong there",
                    if n_unknown == 1 { "row has" } else { "rows have" }
                ));
            }
        }
        tables.weigh_population(deploy, &data, on_progress)?;
        let is_fraud = matches!(request.rule, Some(CaseRule::Fraud { .. }));
        let is_acted_on = amounts.is_some() && request.rule.is_some();
        let column =
            data.amount.as_deref().filter(|_| is_acted_on && (is_fraud || request.check_with_target));
        let of_population =
            column.map(|name| amounts_of_population(deploy, name, on_progress)).transpose()?;
        // Where amounts are looked at in the end alone, they change nothing before.
        let known = of_population.as_deref().filter(|_| is_fraud);
        tables.order_population(known);
        if let (Some(amounts), Some(rule)) = (amounts, request.rule) {
            let of_population = of_population.map(|amounts| tables.deploy_order.ordered(&amounts));
            tables.add_benefits(rule, &amounts, &target, of_population)?;
        }
        Ok(tables)
    }

    /// Rows of the population count by their weights where its table has the column, like those of the labelled table.
    fn weigh_population(
        &mut self,
        source: &Source,
        data: &DataRequest,
        on_progress: OnProgress<'_>,
    ) -> Result<(), Error> {
        let Some(name) = weight_column(data) else { return Ok(()) };
        match numbers_of_table(source, name, on_progress)? {
            Some(weights) => {
                let wrong = weights.iter().position(|weight| weight.is_nan() || *weight < 0.0);
                if let Some(row) = wrong {
                    return Err(Error::data(format!(
                        "{}: population, column \"{name}\", row {}: the weight is {}; weights are zero or more",
                        first_name(source),
                        row + 1,
                        if weights[row].is_nan() { "missing".to_owned() } else { weights[row].to_string() }
                    )));
                }
                check_weights(source, name, weights.iter().copied().zip(0..))?;
                self.deploy = self.deploy.clone().with_weights(weights)?;
            }
            None => self.notices.push(format!(
                "{}: the population has no column of weights \"{name}\": each of its rows counts once",
                first_name(source)
            )),
        }
        Ok(())
    }

    /// Brings the rows of the population into the order that follows from what they hold, and from their amounts where these are
    /// known beforehand.
    fn order_population(&mut self, amounts: Option<&[f64]>) {
        let beside: Vec<&[f64]> = amounts.into_iter().collect();
        let order = RowOrder::of(&[&self.deploy, &self.deploy_as_read], &beside);
        self.deploy = self.deploy.take(order.rows());
        self.deploy_as_read = self.deploy_as_read.take(order.rows());
        self.deploy_classes = self.deploy_classes.as_ref().map(|classes| order.ordered(classes));
        self.deploy_order = order;
    }

    fn add_benefits(
        &mut self,
        rule: CaseRule,
        amounts: &Amounts,
        target: &Target,
        of_population: Option<Vec<f64>>,
    ) -> Result<(), Error> {
        let actual =
            |(&amount, &code): (&f64, &u32)| if code == 1 && !amount.is_nan() { amount } else { 0.0 };
        let actual: Vec<f64> = amounts.values().iter().zip(target.codes()).map(actual).collect();
        let rows = |dataset: &Dataset| (0..dataset.n_rows() as u32).collect::<Vec<u32>>();
        let known = |amounts: &[f64]| -> Vec<f64> {
            amounts.iter().map(|amount| if amount.is_nan() { 0.0 } else { *amount }).collect()
        };
        let of_population = of_population.as_deref().map(known).unwrap_or_default();
        let (cost, train, deploy): (f64, Vec<f64>, Vec<f64>) = match rule {
            CaseRule::Donation { cost } => {
                let learner: tribunal_learn::AmountLearner = DONATION_LEARNER.parse()?;
                let model = learner.fit(&self.train, amounts, &rows(&self.train))?;
                (
                    cost,
                    model.predict(&self.train, &rows(&self.train))?,
                    model.predict(&self.deploy, &rows(&self.deploy))?,
                )
            }
            CaseRule::Fraud { cost } => (cost, known(amounts.values()), of_population.clone()),
            CaseRule::Expected => return Ok(()),
        };
        self.train_benefits = Some(ActingBenefits { cost, believed: train, actual });
        self.deploy_benefits = Some(ActingBenefits { cost, believed: deploy, actual: of_population });
        Ok(())
    }
}

/// The first file of a table, for messages.
fn first_name(source: &Source) -> &str {
    source.names().next().unwrap_or_default()
}

/// The column of weights, if one is declared.
fn weight_column(data: &DataRequest) -> Option<&str> {
    let is_weight = |column: &ColumnSchema| matches!(column, ColumnSchema::Role(Role::Weight));
    data.schema.columns.iter().find(|(_, column)| is_weight(column)).map(|(name, _)| name.as_str())
}

/// Refuses weights, each with the place of its row in the table, whose squares are no numbers: learners are judged by sums of them.
fn check_weights(
    source: &Source,
    name: &str,
    mut weights: impl Iterator<Item = (f64, u32)>,
) -> Result<(), Error> {
    const SQUARED: std::ops::RangeInclusive<f64> = 1e-100..=1e100;
    match weights.find(|(weight, _)| *weight != 0.0 && !SQUARED.contains(weight)) {
        None => Ok(()),
        Some((weight, row)) => Err(Error::data(format!(
            "{}: column \"{name}\", row {}: the weight is {weight:e}; weights are zero or between 1e-100 and 1e100: choose another unit",
            first_name(source),
            u64::from(row) + 1
        ))),
    }
}

/// The labelled rows, in the order that follows from what they hold, with amounts where some are asked for.
///
/// # Errors
/// The table cannot be read, or has weights whose squares are no numbers.
pub(super) fn load_labelled(
    train: &Source,
    request: &SelectRequest,
    on_progress: OnProgress<'_>,
) -> Result<LoadedData, Error> {
    let data = training_data(request);
    let mut loaded = load_data(train, &data, on_progress)?;
    if let (Some(weights), Some(name)) = (loaded.dataset.weights(), weight_column(&data)) {
        check_weights(train, name, weights.iter().copied().zip(loaded.rows.iter().copied()))?;
    }
    // Amounts that learners look at too are read as a predictor.
    if let (None, Some(name)) = (&loaded.amounts, data.amount.as_deref()) {
        let all = numbers_of_table(train, name, on_progress)?;
        let of_row = |all: &Vec<f64>| loaded.rows.iter().map(|&row| all[row as usize]).collect();
        loaded.amounts = all.as_ref().map(of_row).map(|values| Amounts::new(name, values)).transpose()?;
    }
    let beside: Vec<&[f64]> = loaded.amounts.iter().map(Amounts::values).collect();
    let order = RowOrder::of(&[&loaded.dataset], &beside);
    let rows = order.rows();
    loaded.dataset = loaded.dataset.take(rows);
    loaded.targets = loaded.targets.iter().map(|target| target.take(rows)).collect();
    loaded.amounts = loaded.amounts.map(|amounts| amounts.take(rows));
    loaded.rows = order.ordered(&loaded.rows);
    Ok(loaded)
}

/// What the labelled table is read for: a column of amounts is no predictor, unless the rule takes amounts as known beforehand. Then
/// learners may look at them, and reverse models have to: the labels that they learn depend on amounts.
pub(super) fn training_data(request: &SelectRequest) -> DataRequest {
    let mut data = request.data.clone();
    let is_known = matches!(request.rule, Some(CaseRule::Fraud { .. }));
    if let Some(amount) = data.amount.as_ref().filter(|_| !is_known) {
        data.schema.columns.insert(amount.clone(), ColumnSchema::Role(Role::Amount));
    }
    data
}

/// The population as the labelled table has it, but with the levels of its own where these are open, for whoever compares the tables.
fn as_read(
    source: &Source,
    (train, matched): (&Dataset, &Dataset),
    data: &DataRequest,
    on_progress: OnProgress<'_>,
) -> Option<Dataset> {
    let mut schema = Schema { missing: data.schema.missing.clone(), ..Schema::default() };
    let is_open =
        |column: &&Column| matches!(column.kind(), Kind::Categorical(levels) if !levels.is_declared);
    for column in train.columns().iter().filter(is_open) {
        let kind = Kind::Categorical(Levels::default());
        schema.columns.insert(column.name().to_owned(), ColumnSchema::Kind(kind));
    }
    // Whatever else the table holds is not looked at.
    let table = TableReader::open(source, &ReadOptions::default()).ok()?;
    for column in table.columns() {
        schema.columns.entry(column.name.clone()).or_insert(ColumnSchema::Role(Role::Ignore));
    }
    let request = DataRequest { schema, ..DataRequest::default() };
    let own = load_population(source, &request, Unlabelled::Keep, on_progress).ok()?.dataset;
    let column = |column: &Column| own.column(column.name()).unwrap_or(column).clone();
    Dataset::new(matched.columns().iter().map(column).collect()).ok()
}

/// The classes of the population as the labelled table names them, and how many rows have another one.
fn classes_of_population(
    source: &Source,
    known: &KnownLabels,
    target: &Target,
    on_progress: OnProgress<'_>,
) -> Result<(Vec<Option<u32>>, u64), Error> {
    let table = TableReader::open(source, &ReadOptions::default())?;
    let columns: Vec<String> = table.columns().iter().map(|column| column.name.clone()).collect();
    let column = known.column_in(&columns, target.name());
    if !columns.iter().any(|name| name == column) {
        return Err(Error::data(format!(
            "the population has no column of the target \"{column}\", so nothing can be checked with it"
        )));
    }
    let (mut classes, mut n_unknown) = (Vec::new(), 0);
    let on_read = |read| on_progress(Progress::Reading(read));
    table.read::<Error>(&[Want::label(column)], &on_read, &mut |batch| {
        for row in 0..batch.rows {
            let label = batch.labels(0).and_then(|labels| labels.get(row)).map(str::trim);
            let label = label.filter(|label| !known.is_missing(label));
            let code = label.and_then(|label| known.code_of(label));
            n_unknown += u64::from(label.is_some() && code.is_none());
            classes.push(code);
        }
        Ok(())
    })?;
    Ok((classes, n_unknown))
}

/// A column of numbers of a table, if it is there.
fn numbers_of_table(
    source: &Source,
    name: &str,
    on_progress: OnProgress<'_>,
) -> Result<Option<Vec<f64>>, Error> {
    let table = TableReader::open(source, &ReadOptions::default())?;
    if !table.columns().iter().any(|column| column.name == name) {
        return Ok(None);
    }
    let mut numbers = Vec::new();
    let on_read = |read| on_progress(Progress::Reading(read));
    table.read::<Error>(&[Want::number(name)], &on_read, &mut |batch| {
        numbers.extend((0..batch.rows).map(|row| batch.number(0, row).unwrap_or(f64::NAN)));
        Ok(())
    })?;
    Ok(Some(numbers))
}

/// The amounts of the population, which a rule needs that takes them as known, and a check of benefits.
fn amounts_of_population(
    source: &Source,
    name: &str,
    on_progress: OnProgress<'_>,
) -> Result<Vec<f64>, Error> {
    let found = numbers_of_table(source, name, on_progress)?;
    found.ok_or_else(|| {
        let message = Message::from(format!("{}: the population has no column \"{name}\" (", first_name(source)));
        Error::data(message.set(Setting::Amount, name).text(
            "): the rule fraud takes amounts as known beforehand, and a check of benefits adds them up; rename a column, or choose the \
             rule donation",
        ))
    })
}
