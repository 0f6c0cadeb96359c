//! The two tables of a selection, read so that the population has the columns and levels of the labelled table.

use tribunal_io::Source;
use tribunal_learn::{Amounts, ColumnSchema, Dataset, Kind, Levels, Role, Target};

use super::criterion::{ActingBenefits, SelectionMetric};
use super::request::SelectRequest;
use crate::apply::{Matching, read_population};
use crate::data::{DataRequest, LoadedData, Unlabelled, load_data, load_population};
use crate::decision::CaseRule;
use crate::error::Error;
use crate::message::{Message, Setting};
use crate::progress::OnProgress;

/// Donations above this are exceptions that an amount model should not learn from.
const DONATION_LEARNER: &str = "linear:cap=50";

/// Both tables, as learners see them.
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
            load_data(train, &data, on_progress)?;
        let target = targets.first().ok_or_else(crate::line_up::no_target)?.clone().with_both_classes()?;
        if request.metric == SelectionMetric::Benefit && target.classes().len() != 2 {
            let message = Message::from(format!(
                "benefits are those of acting on positives, and \"{}\" has {} classes: say with ",
                target.name(),
                target.classes().len()
            ));
            return Err(Error::usage(message.setting(Setting::Positive).text(" which one is positive")));
        }
        let matched = read_population(&dataset.inputs(), &origin, deploy, &Matching::default(), on_progress)?;
        let mut tables = Tables {
            deploy_as_read: as_read(deploy, &dataset, &data, on_progress)
                .unwrap_or_else(|| matched.dataset.clone()),
            deploy: matched.dataset,
            deploy_classes: None,
            train_benefits: None,
            deploy_benefits: None,

            notices: notices
                .into_iter()
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
            tables.deploy_classes = Some(classes_of_population(deploy, &data, &target, on_progress)?);
        }
        if let (Some(amounts), Some(rule)) = (amounts, request.rule) {
            let known = matches!(rule, CaseRule::Fraud { .. }) || request.check_with_target;
            let known = known.then(|| amounts_of_population(deploy, &data, on_progress)).transpose()?;
            tables.add_benefits(rule, &amounts, &target, known.as_ref())?;
        }
        Ok(tables)
    }

    fn add_benefits(
        &mut self,
        rule: CaseRule,
        amounts: &Amounts,
        target: &Target,
        of_population: Option<&Amounts>,
    ) -> Result<(), Error> {
        let actual =
            |(&amount, &code): (&f64, &u32)| if code == 1 && !amount.is_nan() { amount } else { 0.0 };
        let actual: Vec<f64> = amounts.values().iter().zip(target.codes()).map(actual).collect();
        let rows = |dataset: &Dataset| (0..dataset.n_rows() as u32).collect::<Vec<u32>>();
        let known = |amounts: &Amounts| -> Vec<f64> {
            amounts.values().iter().map(|amount| if amount.is_nan() { 0.0 } else { *amount }).collect()
        };
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
            CaseRule::Fraud { cost } => (cost, known(amounts), of_population.map(known).unwrap_or_default()),
            CaseRule::Expected => return Ok(()),
        };
        self.train_benefits = Some(ActingBenefits { cost, believed: train, actual });
        self.deploy_benefits = Some(ActingBenefits {
            cost,
            believed: deploy,
            actual: of_population.map(known).unwrap_or_default(),
        });
        Ok(())
    }
}

/// What the labelled table is read for: a column of amounts is no predictor.
pub(super) fn training_data(request: &SelectRequest) -> DataRequest {
    let mut data = request.data.clone();
    if let Some(amount) = &data.amount {
        data.schema.columns.insert(amount.clone(), ColumnSchema::Role(Role::Amount));
    }
    data
}

/// The population read by itself, with the levels that it has, for whoever compares the tables.
fn as_read(
    source: &Source,
    train: &Dataset,
    data: &DataRequest,
    on_progress: OnProgress<'_>,
) -> Option<Dataset> {
    let mut request = DataRequest { targets: Vec::new(), predictors: None, amount: None, ..data.clone() };
    for target in &data.targets {
        let column = data.schema.targets.get(&target.name).map_or(&target.name, |declared| &declared.column);
        request.schema.columns.entry(column.clone()).or_insert(ColumnSchema::Role(Role::Ignore));
    }
    for column in train.columns() {
        let open = |levels: &Levels| if levels.is_declared { levels.clone() } else { Levels::default() };
        let kind = match column.kind() {
            Kind::Categorical(levels) => Kind::Categorical(open(levels)),
            Kind::Ordered(levels) => Kind::Ordered(levels.clone()),
            other => other.clone(),
        };
        request.schema.columns.insert(column.name().to_owned(), ColumnSchema::Kind(kind));
    }
    // Columns that only one of the tables has are no predictors.
    let there: Vec<String> = tribunal_io::TableReader::open(source, &tribunal_io::ReadOptions::default())
        .ok()?
        .columns()
        .iter()
        .map(|column| column.name.clone())
        .collect();
    request.schema.columns.retain(|name, _| there.contains(name));
    let population = load_population(source, &request, Unlabelled::Keep, on_progress).ok()?;
    let names = train.columns().iter().map(|column| column.name().to_owned()).collect();
    population.dataset.select(&tribunal_learn::PredictorSet::Named(names)).ok()
}

/// The classes of the population as the labelled table names them.
fn classes_of_population(
    source: &Source,
    data: &DataRequest,
    target: &Target,
    on_progress: OnProgress<'_>,
) -> Result<Vec<Option<u32>>, Error> {
    let request = DataRequest { predictors: None, amount: None, ..data.clone() };
    let population = load_population(source, &request, Unlabelled::Keep, on_progress)?;
    let found = population.targets.first().ok_or_else(|| {
        Error::data(format!(
            "the population has no column of the target \"{}\", so nothing can be checked with it",
            target.name()
        ))
    })?;
    let mut classes = vec![None; population.dataset.n_rows()];
    for (&row, &code) in population.labelled.iter().zip(found.codes()) {
        let name = &found.classes()[code as usize];
        classes[row as usize] =
            target.classes().iter().position(|class| class == name).map(|class| class as u32);
    }
    Ok(classes)
}

/// The amounts of the population, which a rule needs that takes them as known.
fn amounts_of_population(
    source: &Source,
    data: &DataRequest,
    on_progress: OnProgress<'_>,
) -> Result<Amounts, Error> {
    let request = DataRequest { targets: Vec::new(), predictors: None, ..data.clone() };
    let population = load_population(source, &request, Unlabelled::Keep, on_progress)?;
    population.amounts.ok_or_else(|| {
        Error::data(
            "the population has no column of amounts, and the rule fraud takes them as known beforehand",
        )
    })
}
