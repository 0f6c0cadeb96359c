//! The shift from a training table to a population: whether rows can be told apart, what moved, what is not covered, and which kinds
//! of bias that leaves possible.

use tribunal::Alone;
use tribunal::shift::{
    BiasFinding, BiasStanding, ClassShareShift, ColumnContribution, ColumnShift, Condition, Coverage,
    DensityCoverage, DomainOutcome, LeftOutReason, Region, SelectionBias, ShiftDiagnosis, ShiftDirection,
    ShiftTest, UnsharedLevels,
};

use crate::description::{counted, shortened};
use crate::document::{Align, Part, Table, columns, plain_row};
use crate::number::{count, figure, interval_of, p_in_words, p_value, percent, statistic};

/// So many columns stand in a table.
const MOST_COLUMNS: usize = 20;
/// So many levels of a condition are named.
const MOST_LEVELS: usize = 6;
/// Names of columns are cut here.
const WIDTH: usize = 24;

/// The section about shift.
pub fn shift_parts(shift: &ShiftDiagnosis) -> Vec<Part> {
    let mut parts = vec![
        Part::Heading("Shift from the training table to the population".into()),
        Part::Paragraph(domain(shift)),
    ];
    parts.extend(learners(shift).map(Part::Table));
    parts.extend(columns_in_words(shift).map(Part::Paragraph));
    parts.extend(column_table(shift).map(Part::Table));
    parts.extend(contributions(shift).map(Part::Table));
    parts.push(Part::Paragraph(coverage(shift)));
    parts.extend(shift.coverage.density.as_ref().and_then(regions).map(Part::Table));
    let outside: Vec<String> = shift.columns.iter().filter_map(outside).collect();
    if !outside.is_empty() {
        parts.push(Part::Paragraph("Values that the training table does not have:".into()));
        parts.push(Part::List(cut_short(outside)));
    }
    parts.push(Part::Table(kinds(shift)));
    parts.extend(class_table(&shift.bias.classes).map(Part::Table));
    parts.push(Part::List(shift.bias.findings.iter().map(finding).collect()));
    if !shift.left_out.is_empty() {
        let left_out = shift.left_out.iter().map(|column| {
            format!("\"{}\" was not compared: {}", shortened(&column.column, WIDTH), left_out(column.why))
        });
        parts.push(Part::List(cut_short(left_out.collect())));
    }
    parts
}

/// The same for a terminal: what moved most, and what that leaves possible.
pub(crate) fn shift_in_short(shift: &ShiftDiagnosis) -> Vec<Part> {
    let mut parts = vec![
        Part::Heading("Shift from the training table to the population".into()),
        Part::Paragraph(domain(shift)),
    ];
    parts.extend(columns_in_words(shift).map(Part::Paragraph));
    parts.extend(moved_most(shift).map(Part::Table));
    parts.push(Part::Paragraph(coverage(shift)));
    parts.push(Part::Paragraph(possible_kinds(shift)));
    parts
}

/// The columns that shift most, in the width of a terminal.
fn moved_most(shift: &ShiftDiagnosis) -> Option<Table> {
    const MOST: usize = 8;
    let row = |column: &&ColumnShift| {
        plain_row([shortened(&column.column, WIDTH), figure(column.psi), p_adjusted(column), moved(column)])
    };
    let shown: Vec<&ColumnShift> =
        by_shift(shift).into_iter().filter(|column| column.is_shown).take(MOST).collect();
    (!shown.is_empty()).then(|| Table {
        title: "Columns that are shown to shift, by their population stability index (PSI)".into(),
        columns: columns([
            ("column", Align::Left),
            ("PSI", Align::Right),
            ("adjusted p", Align::Right),
            ("what moved", Align::Left),
        ]),
        rows: shown.iter().map(row).collect(),
    })
}

/// Which kinds of bias the evidence leaves possible.
fn possible_kinds(shift: &ShiftDiagnosis) -> String {
    let of = |standing: BiasStanding| -> Vec<String> {
        let kinds = shift.bias.kinds.iter().filter(|kind| kind.standing == standing);
        let words = kinds.map(|kind| kind_in_words(kind.kind));
        words.map(|(name, depends)| format!("{name} (it depends {depends})")).collect()
    };
    let (possible, contradicted) = (of(BiasStanding::Possible), of(BiasStanding::Contradicted));
    let contradicted = match contradicted.is_empty() {
        true => String::new(),
        false => format!("; contradicted: {}", contradicted.join(", ")),
    };
    format!(
        "Kinds of sample-selection bias, by what brought a row into the training table, that the evidence leaves possible: \
         {}{contradicted}.",
        possible.join(", ")
    )
}

fn cut_short(mut items: Vec<String>) -> Vec<String> {
    let n_more = items.len().saturating_sub(MOST_COLUMNS);
    if n_more > 0 {
        items.truncate(MOST_COLUMNS);
        items.push(format!("and {n_more} more"));
    }
    items
}

/// Whether rows can be told apart.
fn domain(shift: &ShiftDiagnosis) -> String {
    let rows = format!(
        "{} of the training table and {} of the population",
        counted(shift.rows.training, "row"),
        counted(shift.rows.population, "row")
    );
    let judged = match &shift.domain {
        DomainOutcome::Judged(judged) => judged,
        DomainOutcome::TooFewRows { needed } => {
            return format!("{rows}: too few for a domain classifier, which needs {needed} of each table.");
        }
        _ => return format!("{rows}: they share no column that could be compared."),
    };
    let Some(best) = judged.learners.get(judged.best) else { return format!("{rows}.") };
    let is_shown = judged.p < shift.alpha;
    let told = if is_shown { "can be told apart" } else { "are not shown to be told apart" };
    let of_sample = match (judged.rows.training, judged.rows.population) {
        (a, b) if a == shift.rows.training && b == shift.rows.population => String::new(),
        (a, b) => format!(" on a random sample of {} and {}", count(a as f64), count(b as f64)),
    };
    let twins = match judged.twins.population {
        0 => String::new(),
        n => format!(" {} of the population have an equal row in the training table.", counted(n, "row")),
    };
    format!(
        "{rows} {told}: the out-of-fold AUROC of a domain classifier is {} ({}){of_sample}, where 0.5 is chance; \
         {}{}.{twins}",
        figure(best.auroc),
        best.learner,
        p_in_words(judged.p),
        if judged.learners.len() > 1 { " for both learners together" } else { "" }
    )
}

fn learners(shift: &ShiftDiagnosis) -> Option<Table> {
    let judged = shift.domain.judged()?;
    let row = |learner: &tribunal::shift::DomainLearner| {
        plain_row([
            learner.learner.clone(),
            with_interval(learner.auroc, learner.lower, learner.upper),
            statistic(learner.z),
            p_value(learner.p),
        ])
    };
    Some(Table {
        title: format!(
            "Domain classifier: population against training table ({} folds; p by forward validation, one-sided)",
            judged.n_folds
        ),
        columns: columns([
            ("learner", Align::Left),
            ("AUROC", Align::Right),
            ("z", Align::Right),
            ("p", Align::Right),
        ]),
        rows: judged.learners.iter().map(row).collect(),
    })
}

fn with_interval(value: f64, lower: f64, upper: f64) -> String {
    match interval_of(value, Some(lower), Some(upper)) {
        Some(interval) => format!("{} {interval}", figure(value)),
        None => figure(value),
    }
}

fn columns_in_words(shift: &ShiftDiagnosis) -> Option<String> {
    let n_shown = shift.columns.iter().filter(|column| column.is_shown).count();
    match shift.columns.len() {
        0 => None,
        n => Some(format!(
            "{n_shown} of {} shown to shift (p adjusted by Holm over all tests below {}).",
            if n == 1 { "1 column is".to_owned() } else { format!("{n} columns are") },
            shift.alpha
        )),
    }
}

/// The columns, those that are shown to shift first, then by how much.
fn by_shift(shift: &ShiftDiagnosis) -> Vec<&ColumnShift> {
    let mut order: Vec<&ColumnShift> = shift.columns.iter().collect();
    order.sort_by(|a, b| b.is_shown.cmp(&a.is_shown).then(b.psi.total_cmp(&a.psi)));
    order
}

/// The columns that shift most, those that are shown to first.
fn column_table(shift: &ShiftDiagnosis) -> Option<Table> {
    let mut order = by_shift(shift);
    let n_more = order.len().saturating_sub(MOST_COLUMNS);
    order.truncate(MOST_COLUMNS);
    let row = |column: &&ColumnShift| {
        plain_row([
            shortened(&column.column, WIDTH),
            column.kind.name().to_owned(),
            missing(column),
            format!("{} ({})", figure(column.psi), column.size.name()),
            figure(column.psi_by_chance),
            test(&column.test),
            p_adjusted(column),
            moved(column),
        ])
    };
    let title = match n_more {
        0 => "Columns".to_owned(),
        n => format!("Columns (the {MOST_COLUMNS} that shift most, of {})", MOST_COLUMNS + n),
    };
    (!order.is_empty()).then(|| Table {
        title: format!(
            "{title}: population stability index (PSI) beside what chance alone exceeds once in 20, and tests"
        ),
        columns: columns([
            ("column", Align::Left),
            ("kind", Align::Left),
            ("missing", Align::Right),
            ("PSI", Align::Right),
            ("by chance", Align::Right),
            ("test", Align::Left),
            ("adjusted p", Align::Right),
            ("what moved", Align::Left),
        ]),
        rows: order.iter().map(row).collect(),
    })
}

fn missing(column: &ColumnShift) -> String {
    match (column.missing.training, column.missing.population) {
        (0.0, 0.0) => String::new(),
        (training, population) => format!("{} → {}", percent(training), percent(population)),
    }
}

fn test(test: &ShiftTest) -> String {
    match test {
        ShiftTest::KolmogorovSmirnov { outcome, .. } => format!("KS {}", figure(outcome.statistic)),
        ShiftTest::ChiSquare { outcome, .. } => {
            format!("chi-square {} on {}", statistic(outcome.statistic), outcome.df)
        }
        _ => "too few cases".to_owned(),
    }
}

/// The smaller p value where whether values are there is tested too.
fn p_adjusted(column: &ColumnShift) -> String {
    let of_missing = column.missing_test.as_ref().and_then(ShiftTest::p_adjusted);
    match (column.test.p_adjusted(), of_missing) {
        (Some(p), Some(of_missing)) if of_missing < p => format!("{} (missing)", p_value(of_missing)),
        (Some(p), _) => p_value(p),
        (None, Some(of_missing)) => format!("{} (missing)", p_value(of_missing)),
        (None, None) => "n/a".to_owned(),
    }
}

fn moved(column: &ColumnShift) -> String {
    if let Some(numbers) = &column.numbers {
        let direction = match numbers.direction {
            ShiftDirection::Higher => "higher",
            ShiftDirection::Lower => "lower",
            ShiftDirection::Neither => "neither way",
        };
        return match (numbers.median.training, numbers.median.population) {
            (Some(training), Some(population)) if training == population => {
                match (numbers.mean.training, numbers.mean.population) {
                    (Some(training), Some(population)) => {
                        format!("{direction}: mean {} → {}", figure(training), figure(population))
                    }
                    _ => direction.to_owned(),
                }
            }
            (Some(training), Some(population)) => {
                format!("{direction}: median {} → {}", figure(training), figure(population))
            }
            _ => direction.to_owned(),
        };
    }
    let first = column.levels.as_ref().and_then(|levels| levels.moved.first());
    first.map_or_else(String::new, |moved| {
        format!(
            "{}: {} → {}",
            shortened(&moved.level, WIDTH),
            percent(moved.share.training),
            percent(moved.share.population)
        )
    })
}

fn contributions(shift: &ShiftDiagnosis) -> Option<Table> {
    let alone = |alone: &Option<Alone>| {
        alone.as_ref().map_or_else(String::new, |alone| with_interval(alone.auroc, alone.lower, alone.upper))
    };
    let row = |column: &ColumnContribution| {
        plain_row([
            shortened(&column.column, WIDTH),
            column.drop.map_or_else(|| "n/a".to_owned(), figure),
            column.drop_sd.map_or_else(|| "n/a".to_owned(), figure),
            alone(&column.alone),
            alone(&column.alone_by_presence),
        ])
    };
    let rows: Vec<_> = shift.contributions.iter().take(MOST_COLUMNS).map(row).collect();
    (!rows.is_empty()).then(|| Table {
        title: "What each column adds to telling the tables apart: the drop of the AUROC where it is permuted among held-out rows, \
                and the AUROC of its values, or of whether there is one, alone"
            .into(),
        columns: columns([
            ("column", Align::Left),
            ("drop", Align::Right),
            ("sd over folds", Align::Right),
            ("AUROC alone", Align::Right),
            ("of presence", Align::Right),
        ]),
        rows,
    })
}

fn coverage(shift: &ShiftDiagnosis) -> String {
    let Coverage { rows_with_new_levels, rows_beyond_range, density, .. } = &shift.coverage;
    let values = format!(
        "{} of the population have a level that the training table does not have, {} a number beyond its range.",
        counted(*rows_with_new_levels, "row"),
        counted(*rows_beyond_range, "row")
    );
    match density {
        None => values,
        Some(density) => format!(
            "{} of the population ({} of the training table) lie where rows are more than {} times as frequent as in the training \
             table, by the density ratio of the domain classifier: they are not covered. {values}",
            share_with_interval(density),
            percent(density.uncovered.training),
            figure(density.cut)
        ),
    }
}

fn share_with_interval(density: &DensityCoverage) -> String {
    let share = density.uncovered.population;
    format!("{} (from {} to {})", percent(share), percent(density.lower), percent(density.upper))
}

fn regions(density: &DensityCoverage) -> Option<Table> {
    let row = |region: &Region| {
        let rule: Vec<String> = region.conditions.iter().map(condition).collect();
        plain_row([
            rule.join(" and "),
            percent(region.share.population),
            percent(region.share.training),
            format!("{} / {}", count(region.rows.population as f64), count(region.rows.training as f64)),
        ])
    };
    (!density.regions.is_empty()).then(|| Table {
        title: "Parts of the population that the training table does not cover (rules found on half of the rows, shares of the \
                other half)"
            .into(),
        columns: columns([
            ("where", Align::Left),
            ("of the population", Align::Right),
            ("of the training table", Align::Right),
            ("rows", Align::Right),
        ]),
        rows: density.regions.iter().map(row).collect(),
    })
}

fn condition(condition: &Condition) -> String {
    match condition {
        Condition::Above { column, value } => format!("{column} > {}", figure(*value)),
        Condition::AtMost { column, value } => format!("{column} <= {}", figure(*value)),
        Condition::Missing { column } => format!("{column} is missing"),
        Condition::OneOf { column, levels } => match &levels[..] {
            [level] => format!("{column} is {level}"),
            levels if levels.len() <= MOST_LEVELS => format!("{column} is one of {}", levels.join(", ")),
            levels => {
                let n_more = levels.len() - MOST_LEVELS;
                format!("{column} is one of {} and {n_more} more", levels[..MOST_LEVELS].join(", "))
            }
        },
        _ => String::new(),
    }
}

/// New levels and numbers beyond the range of a column.
fn outside(column: &ColumnShift) -> Option<String> {
    let name = shortened(&column.column, WIDTH);
    if let Some(numbers) = &column.numbers {
        let ends =
            [("below", numbers.rows_below, numbers.least), ("above", numbers.rows_above, numbers.greatest)];
        let said = ends.into_iter().filter(|(_, rows, _)| *rows > 0).filter_map(|(side, rows, end)| {
            Some(format!("{} {side} {}", counted(rows, "row"), figure(end?)))
        });
        let said: Vec<String> = said.collect();
        return (!said.is_empty()).then(|| format!("{name}: {}", said.join(", ")));
    }
    let UnsharedLevels { n_levels, rows, most_frequent, .. } = &column.levels.as_ref()?.only_in_population;
    let named: Vec<&str> = most_frequent.iter().map(|level| level.level.as_str()).collect();
    let more = if (named.len() as u64) < *n_levels { ", ..." } else { "" };
    (*n_levels > 0).then(|| {
        format!(
            "{name}: {} in {} ({}{more})",
            counted(*n_levels, "new level"),
            counted(*rows, "row"),
            named.join(", ")
        )
    })
}

/// What a kind of bias is called, and what it depends on.
fn kind_in_words(kind: SelectionBias) -> (&'static str, &'static str) {
    match kind {
        SelectionBias::CompleteIndependent => ("complete independent", "on nothing: no bias"),
        SelectionBias::Feature => ("feature", "on the features alone"),
        SelectionBias::Class => ("class", "on the class alone"),
        SelectionBias::CompleteDependent => ("complete dependent", "on features and class"),
    }
}

fn kinds(shift: &ShiftDiagnosis) -> Table {
    let row = |standing: &tribunal::shift::BiasKindStanding| {
        let (name, what) = kind_in_words(standing.kind);
        let said = match standing.standing {
            BiasStanding::Contradicted => "contradicted",
            BiasStanding::Possible => "possible",
        };
        plain_row([name, what, said])
    };
    Table {
        title: "Kinds of sample-selection bias".into(),
        columns: columns([
            ("kind", Align::Left),
            ("what brought a row into the training table depends", Align::Left),
            ("by the evidence", Align::Left),
        ]),
        rows: shift.bias.kinds.iter().map(row).collect(),
    }
}

fn class_table(classes: &[ClassShareShift]) -> Option<Table> {
    let row = |class: &ClassShareShift| {
        let difference = class.share.population - class.share.training;
        let interval = interval_of(difference, class.lower, class.upper).unwrap_or_default();
        plain_row([
            class.class.clone(),
            percent(class.share.training),
            percent(class.share.population),
            interval,
        ])
    };
    (!classes.is_empty()).then(|| Table {
        title: "Shares of the classes".into(),
        columns: columns([
            ("class", Align::Left),
            ("training table", Align::Right),
            ("population", Align::Right),
            ("95 % interval of the difference", Align::Right),
        ]),
        rows: classes.iter().map(row).collect(),
    })
}

/// A finding about the kind of bias in a sentence.
fn finding(finding: &BiasFinding) -> String {
    const EQUAL_SHARES: &str = "Equal shares of classes do not prove that only the features decide what is in the training table: \
                                class and features may act together and leave the shares as they are.";
    match finding {
        BiasFinding::FeaturesDiffer { .. } => "The features of the two tables differ: the training table is no random sample of the \
             population. Feature, class and complete dependent bias all bring that about."
            .into(),
        BiasFinding::FeaturesNotShownToDiffer => "The features of the two tables are not shown to differ. That excludes no kind of \
             bias: a small shift would not be seen, and a bias in what is no column, or in the classes given the features, cannot be."
            .into(),
        BiasFinding::FeaturesNotTested => "The features could not be tested, so nothing is known about bias.".into(),
        BiasFinding::NoLabelsOfPopulation => "Without labels of the population nobody can tell feature bias from complete dependent \
             bias: both change the features, and only classes of rows of the population show whether rows with equal features still \
             have the same classes. Label a random sample of the population to find out."
            .into(),
        BiasFinding::EstimatedSharesDiffer => "If only the shares of the classes changed (label shift), they changed: the interval of \
             an estimated share leaves that of the training table out. The estimate rests on that assumption and does not test it."
            .into(),
        BiasFinding::EstimatedSharesNotShownToDiffer => {
            format!("The estimated shares of the classes are not shown to differ. {EQUAL_SHARES}")
        }
        BiasFinding::EstimatedSharesWithoutIntervals => "Shares of the classes were estimated without intervals, which shows neither \
             that they changed nor that they did not."
            .into(),
        BiasFinding::ClassSharesDiffer { p_adjusted } => format!(
            "The labelled sample has other shares of the classes than the training table ({}). Feature bias that goes with the class \
             does that as well as class bias.",
            p_in_words(*p_adjusted)
        ),
        BiasFinding::ClassSharesNotShownToDiffer { p_adjusted } => format!(
            "The labelled sample is not shown to have other shares of the classes ({}). {EQUAL_SHARES}",
            p_in_words(*p_adjusted)
        ),
        BiasFinding::ClassGivenScoreDiffers { class, log_odds, p_adjusted } => format!(
            "Rows with equal scores have other odds of {class} in the population (log-odds {} by {}, {}): that speaks against feature \
             bias alone, as far as the scores say all that the features say.",
            if *log_odds >= 0.0 { "higher" } else { "lower" },
            figure(log_odds.abs()),
            p_in_words(*p_adjusted)
        ),
        BiasFinding::ClassGivenScoreNotShownToDiffer { p_adjusted } => format!(
            "Rows with equal scores are not shown to have other odds of a class in the population ({}): feature bias stays possible.",
            p_in_words(*p_adjusted)
        ),
        BiasFinding::ScoresWithinClassDiffer { class, p_adjusted } => format!(
            "Rows of the class {class} have other scores in the population ({}): that speaks against class bias alone.",
            p_in_words(*p_adjusted)
        ),
        BiasFinding::ScoresWithinClassesNotShownToDiffer { p_adjusted } => format!(
            "Rows of the same class are not shown to have other scores in the population ({}): class bias stays possible.",
            p_in_words(*p_adjusted)
        ),
        BiasFinding::LabelledSampleTooSmall { rows } => format!(
            "{} of the population with labels are too few for tests of what the classes depend on.",
            counted(*rows, "row")
        ),
        _ => String::new(),
    }
}

fn left_out(why: LeftOutReason) -> String {
    match why {
        LeftOutReason::OnlyInTraining => "the population does not have it".into(),
        LeftOutReason::OnlyInPopulation => "the training table does not have it".into(),
        LeftOutReason::OtherKind { kinds } => format!(
            "it is {} in the training table and {} in the population",
            kinds.training.name(),
            kinds.population.name()
        ),
        LeftOutReason::Identifier => "it names rows".into(),
        LeftOutReason::Constant => "it has one value in all rows".into(),
        LeftOutReason::Empty => "it is empty in both tables".into(),
        _ => "it could not be compared".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;
    use tribunal::shift::{EstimatedPriors, ShiftRequest, Sides, diagnose_shift};
    use tribunal::{DataRequest, LoadedData, Random, Source, TargetRequest, load_data};

    /// Claims of which the training table lacks the old drivers and a region.
    fn table(n_rows: usize, seed: u64, is_training: bool) -> LoadedData {
        let mut random = Random::new(seed);
        let (mut text, mut n_drawn) = ("age,region,fraud\n".to_owned(), 0);
        while n_drawn < n_rows {
            let age = 20.0 + (60.0 * random.uniform()).floor();
            let region = ["east", "north", "south", "west"][random.below(4) as usize];
            if !is_training || (age < 60.0 && region != "west") {
                let age = if random.uniform() < 0.1 { String::new() } else { age.to_string() };
                let class = if random.uniform() < 0.3 { "yes" } else { "no" };
                text += &format!("{age},{region},{class}\n");
                n_drawn += 1;
            }
        }
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("claims.csv").to_string_lossy().into_owned();
        std::fs::write(&path, text).expect("a file");
        let targets = vec![TargetRequest { name: "fraud".into(), positive: None }];
        let request = DataRequest { targets, ..DataRequest::default() };
        load_data(&Source::open(&[path]).expect("a source"), &request, &|_| ()).expect("a table")
    }

    fn text(shift: &ShiftDiagnosis) -> String {
        crate::text::render(&Document { title: "Shift".into(), parts: shift_parts(shift) })
    }

    #[test]
    fn the_section_says_what_moved_and_what_cannot_be_told() {
        let (training, population) = (table(600, 1, true).dataset, table(600, 2, false).dataset);
        let mut request = ShiftRequest::new(5);
        let said = text(
            &diagnose_shift(Sides { training: &training, population: &population }, &request)
                .expect("a diagnosis"),
        );
        for expected in [
            "can be told apart",
            "2 of 2 columns are shown to shift",
            "age > 59",
            "region is west",
            "1 new level",
            "complete independent",
            "contradicted",
            "Without labels of the population",
        ] {
            assert!(said.contains(expected), "{expected:?} is not in\n{said}");
        }
        request.priors =
            Some(EstimatedPriors { shares: vec![0.7, 0.3], intervals: Some(vec![[0.6, 0.8], [0.2, 0.4]]) });
        request.labelled = Some(&population);
        let said = text(
            &diagnose_shift(Sides { training: &training, population: &population }, &request)
                .expect("a diagnosis"),
        );
        assert!(said.contains("Equal shares of classes do not prove"), "{said}");
        assert!(!said.contains("Without labels"), "{said}");
    }

    #[test]
    fn a_population_of_one_row_is_said_to_be_too_small() {
        let (training, population) = (table(600, 1, true).dataset, table(600, 2, false).dataset.take(&[0]));
        let said = text(
            &diagnose_shift(Sides { training: &training, population: &population }, &ShiftRequest::new(5))
                .expect("a diagnosis"),
        );
        let said = said.replace('\n', " ");
        assert!(said.contains("1 row of the population: too few for a domain classifier"), "{said}");
    }
}
