//! The strata of both tables: combinations of labels and bands, or clusters, and which of them stand for themselves.

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use tribunal_eval::ScoreBands;
use tribunal_eval::correction::NO_STRATUM;
use tribunal_io::Labels;

use super::clusters::clusters;
use super::columns::{PairedColumn, PairedValues, Tables};
use super::merging::{Cell, Coordinate, merged};
use super::request::{BandsRequest, CorrectRequest, EmptyStrata};
use super::results::{BandedColumn, MergedStratum, Stratification, ThinReason};
use crate::error::Error;
use crate::message::{Message, Setting};

/// Numbers with at most so many different values are labels unless bands are asked for.
const MOST_LEVELS: usize = 20;
/// More strata than this say that an id or a number was taken for a label.
const MOST_STRATA: usize = 10_000;
/// Rows that are worked on in one piece.
const PIECE: usize = 1 << 16;
/// Up to so many combinations are counted in a plain table.
const MOST_COUNTED: u64 = 1 << 12;

/// A stratum that stands for itself.
#[derive(Clone, Debug)]
pub(super) struct Stratum {
    pub(super) name: String,
    pub(super) prevalence: u64,
    pub(super) incidence: u64,
}

/// A stratum as it was found, before any is merged.
#[derive(Clone, Debug)]
pub(super) struct FoundStratum {
    pub(super) name: String,
    pub(super) prevalence: u64,
    pub(super) incidence: u64,
    /// Whether another stratum was merged with it or it with another, or it was left out.
    pub(super) why: Option<ThinReason>,
}

/// The strata of both tables.
pub(super) struct Stratified {
    /// Those with actioned cases.
    pub(super) strata: Vec<Stratum>,
    /// The stratum of each actioned case, or [`NO_STRATUM`].
    pub(super) of_row: Vec<u32>,
    pub(super) found: Vec<FoundStratum>,
    /// Strata that only actioned cases have, the first few of them.
    pub(super) only_in_incidence: Vec<String>,
    pub(super) summary: Stratification,
}

/// Cells of the two tables, in order, before any is merged.
struct Cells {
    names: Vec<String>,
    cells: Vec<Cell>,
    /// The cell of each actioned row; nothing where the population does not have it.
    of_row: Vec<Option<u32>>,
    only_in_incidence: Vec<String>,
    summary: Stratification,
}

pub(super) fn stratify(tables: &Tables, request: &CorrectRequest) -> Result<Stratified, Error> {
    let cells = match request.clusters {
        Some(asked) => of_clusters(tables, asked, request)?,
        None => of_columns(tables, request)?,
    };
    settle(cells, request.empty)
}

fn of_clusters(
    tables: &Tables,
    asked: super::request::ClustersRequest,
    request: &CorrectRequest,
) -> Result<Cells, Error> {
    let found = clusters(&tables.strata, asked, request)?;
    let mut cells: Vec<Cell> = found
        .centres
        .iter()
        .map(|centre| Cell {
            prevalence: 0,
            incidence: 0,
            place: centre.iter().copied().map(Coordinate::Number).collect(),
        })
        .collect();
    found.prevalence.iter().for_each(|&cluster| cells[cluster as usize].prevalence += 1);
    found.incidence.iter().for_each(|&cluster| cells[cluster as usize].incidence += 1);
    Ok(Cells {
        names: (1..=cells.len()).map(|number| format!("cluster {number}")).collect(),
        of_row: found.incidence.into_iter().map(Some).collect(),
        only_in_incidence: Vec::new(),
        summary: Stratification {
            columns: request.strata.clone(),
            clusters: Some(found.summary),
            n_found: cells.len() as u64,
            ..Stratification::default()
        },
        cells,
    })
}

/// How the values of a column become codes.
enum Coder<'a> {
    Bands {
        bands: ScoreBands,
        prevalence: &'a [f64],
        incidence: &'a [f64],
    },
    Levels {
        levels: Vec<f64>,
        prevalence: &'a [f64],
        incidence: &'a [f64],
    },
    /// Codes by the order of the texts.
    Labels {
        ranks: Vec<u32>,
        texts: Vec<&'a str>,
        prevalence: &'a [u32],
        incidence: &'a [u32],
    },
}

impl<'a> Coder<'a> {
    fn of(column: &'a PairedColumn, bands: Option<&BandsRequest>) -> Result<Self, Error> {
        match &column.values {
            PairedValues::Numbers { prevalence, incidence } => match (bands, few_levels(prevalence)) {
                (None, Some(levels)) => Ok(Coder::Levels { levels, prevalence, incidence }),
                (asked, _) => {
                    let bands = banded(&column.name, prevalence, asked)?;
                    Ok(Coder::Bands { bands, prevalence, incidence })
                }
            },
            PairedValues::Labels { prevalence, incidence, texts } => {
                let mut order: Vec<usize> = (0..texts.len()).collect();
                order.sort_by(|&a, &b| texts[a].cmp(&texts[b]));
                let mut ranks = vec![0; texts.len()];
                (0..).zip(&order).for_each(|(rank, &code)| ranks[code] = rank);
                let texts = order.iter().map(|&code| texts[code].as_str()).collect();
                Ok(Coder::Labels { ranks, texts, prevalence, incidence })
            }
        }
    }

    /// How many codes there are beside that of a missing value, which is this number.
    fn n_levels(&self) -> u64 {
        match self {
            Coder::Bands { bands, .. } => bands.n_bands() as u64,
            Coder::Levels { levels, .. } => levels.len() as u64,
            Coder::Labels { texts, .. } => texts.len() as u64,
        }
    }

    fn of_number(&self, value: f64) -> u64 {
        match self {
            _ if value.is_nan() => self.n_levels(),
            Coder::Bands { bands, .. } => bands.band_of(value) as u64,
            // A number that the population does not have is beyond all codes.
            Coder::Levels { levels, .. } => {
                let found = levels.binary_search_by(|level| level.total_cmp(&(value + 0.0)));
                found.map_or(self.n_levels() + 1, |place| place as u64)
            }
            Coder::Labels { .. } => self.n_levels(),
        }
    }

    fn code(&self, is_prevalence: bool, row: usize) -> u64 {
        match self {
            Coder::Bands { prevalence, incidence, .. } | Coder::Levels { prevalence, incidence, .. } => {
                self.of_number(if is_prevalence { prevalence[row] } else { incidence[row] })
            }
            Coder::Labels { ranks, prevalence, incidence, .. } => {
                let code = if is_prevalence { prevalence[row] } else { incidence[row] };
                match code {
                    Labels::MISSING => self.n_levels(),
                    code => u64::from(ranks[code as usize]),
                }
            }
        }
    }

    fn name(&self, code: u64) -> String {
        let place = code as usize;
        let name = match self {
            Coder::Bands { bands, .. } => bands.labels().get(place).cloned(),
            Coder::Levels { levels, .. } => levels.get(place).map(f64::to_string),
            Coder::Labels { texts, .. } => texts.get(place).map(|text| (*text).to_owned()),
        };
        name.unwrap_or_else(|| if code == self.n_levels() { "missing" } else { "another number" }.to_owned())
    }

    fn coordinate(&self, code: u64) -> Coordinate {
        match self {
            Coder::Bands { bands, .. } if (code as usize) < bands.n_bands() => {
                Coordinate::Band(code as f64 / (bands.n_bands() - 1).max(1) as f64)
            }
            _ => Coordinate::Label(code as u32),
        }
    }
}

/// The different numbers of a column, ascending, if there are few.
fn few_levels(values: &[f64]) -> Option<Vec<f64>> {
    let mut levels: Vec<f64> = Vec::new();
    for value in values.iter().filter(|value| !value.is_nan()).map(|value| value + 0.0) {
        if let Err(place) = levels.binary_search_by(|level| level.total_cmp(&value)) {
            if levels.len() == MOST_LEVELS {
                return None;
            }
            levels.insert(place, value);
        }
    }
    Some(levels)
}

fn banded(column: &str, prevalence: &[f64], asked: Option<&BandsRequest>) -> Result<ScoreBands, Error> {
    let n_bands = match asked {
        Some(BandsRequest::Edges(edges)) => return Ok(ScoreBands::from_edges(edges)?),
        Some(BandsRequest::Count(n_bands)) => *n_bands,
        None => ScoreBands::DEFAULT,
    };
    let found = match prevalence.iter().all(|value| value.is_finite()) {
        true => ScoreBands::from_quantiles(prevalence, None, n_bands),
        false => {
            let known: Vec<f64> = prevalence.iter().copied().filter(|value| value.is_finite()).collect();
            ScoreBands::from_quantiles(&known, None, n_bands)
        }
    };
    found.map_err(|error| {
        Error::data(format!("column \"{column}\" of the prevalence makes no bands: {error}"))
    })
}

fn of_columns(tables: &Tables, request: &CorrectRequest) -> Result<Cells, Error> {
    let coder = |column| Coder::of(column, request.bands.as_ref());
    let coders: Vec<Coder<'_>> = tables.strata.iter().map(coder).collect::<Result<_, Error>>()?;
    // The code of a missing value and that of a number which the population does not have count too.
    let radix = |coder: &Coder<'_>| coder.n_levels() + 2;
    let n_keys = coders.iter().try_fold(1u64, |product, coder| product.checked_mul(radix(coder)));
    let Some(n_keys) = n_keys else { return Err(too_many(request)) };
    let key = |is_prevalence: bool, row: usize| {
        coders.iter().fold(0, |key, coder| key * radix(coder) + coder.code(is_prevalence, row))
    };
    let counts = counted(tables.n_prevalence, n_keys, |row| key(true, row));
    if counts.len() > MOST_STRATA {
        return Err(too_many(request));
    }
    let place_of: FxHashMap<u64, u32> = counts.iter().map(|(key, _)| *key).zip(0..).collect();
    let keys: Vec<u64> = (0..tables.n_incidence).into_par_iter().map(|row| key(false, row)).collect();
    let of_row: Vec<Option<u32>> = keys.iter().map(|key| place_of.get(key).copied()).collect();
    let codes = |key: u64| {
        let mut rest = key;
        let mut codes: Vec<u64> = coders
            .iter()
            .rev()
            .map(|coder| {
                let code = rest % radix(coder);
                rest /= radix(coder);
                code
            })
            .collect();
        codes.reverse();
        codes
    };
    let name = |key: u64| named(&request.strata, &coders, &codes(key));
    let mut cells: Vec<Cell> = counts
        .iter()
        .map(|(key, prevalence)| Cell {
            prevalence: *prevalence,
            incidence: 0,
            place: coders.iter().zip(codes(*key)).map(|(coder, code)| coder.coordinate(code)).collect(),
        })
        .collect();
    of_row.iter().flatten().for_each(|&cell| cells[cell as usize].incidence += 1);
    let mut strange: Vec<u64> =
        keys.iter().zip(&of_row).filter(|(_, cell)| cell.is_none()).map(|(key, _)| *key).collect();
    strange.sort_unstable();
    strange.dedup();
    strange.truncate(5);
    Ok(Cells {
        names: counts.iter().map(|(key, _)| name(*key)).collect(),
        only_in_incidence: strange.into_iter().map(name).collect(),
        summary: Stratification {
            columns: request.strata.clone(),
            bands: request
                .strata
                .iter()
                .zip(&coders)
                .filter_map(|pair| summary_of_bands(pair, request))
                .collect(),
            n_found: cells.len() as u64,
            ..Stratification::default()
        },
        cells,
        of_row,
    })
}

fn summary_of_bands(
    (column, coder): (&String, &Coder<'_>),
    request: &CorrectRequest,
) -> Option<BandedColumn> {
    let Coder::Bands { bands, .. } = coder else { return None };
    Some(BandedColumn {
        column: column.clone(),
        edges: bands.edges().to_vec(),
        asked: bands.asked() as u64,
        are_given: matches!(request.bands, Some(BandsRequest::Edges(_))),
    })
}

fn named(columns: &[String], coders: &[Coder<'_>], codes: &[u64]) -> String {
    let names: Vec<String> = coders.iter().zip(codes).map(|(coder, code)| coder.name(*code)).collect();
    match &names[..] {
        [name] => name.clone(),
        names => columns
            .iter()
            .zip(names)
            .map(|(column, name)| format!("{column} {name}"))
            .collect::<Vec<_>>()
            .join(", "),
    }
}

fn too_many(request: &CorrectRequest) -> Error {
    let message = Message::from(format!(
        "{} make more than {MOST_STRATA} strata, most of which nobody would have acted on; name fewer columns with ",
        request.strata.join(", ")
    ));
    Error::usage(
        message.setting(Setting::Strata).text(", or cut numbers into bands with ").set(Setting::Bands, "10"),
    )
}

/// The rows of each key, by key.
fn counted(n_rows: usize, n_keys: u64, key: impl Fn(usize) -> u64 + Sync) -> Vec<(u64, u64)> {
    let pieces: Vec<(usize, usize)> =
        (0..n_rows.div_ceil(PIECE)).map(|piece| (piece * PIECE, ((piece + 1) * PIECE).min(n_rows))).collect();
    if n_keys <= MOST_COUNTED {
        let of_piece = |(from, to): &(usize, usize)| {
            let mut counts = vec![0u64; n_keys as usize];
            (*from..*to).for_each(|row| counts[key(row) as usize] += 1);
            counts
        };
        let add = |mut sum: Vec<u64>, piece: Vec<u64>| {
            sum.iter_mut().zip(piece).for_each(|(sum, more)| *sum += more);
            sum
        };
        let counts = pieces.par_iter().map(of_piece).reduce(|| vec![0; n_keys as usize], add);
        return (0..).zip(counts).filter(|(_, rows)| *rows > 0).collect();
    }
    let of_piece = |(from, to): &(usize, usize)| {
        let mut counts: FxHashMap<u64, u64> = FxHashMap::default();
        (*from..*to).for_each(|row| *counts.entry(key(row)).or_default() += 1);
        counts
    };
    let add = |mut sum: FxHashMap<u64, u64>, piece: FxHashMap<u64, u64>| {
        piece.into_iter().for_each(|(key, rows)| *sum.entry(key).or_default() += rows);
        sum
    };
    let counts = pieces.par_iter().map(of_piece).reduce(FxHashMap::default, add);
    let mut counts: Vec<(u64, u64)> = counts.into_iter().collect();
    counts.sort_unstable();
    counts
}

/// Merges strata, leaves some out, and numbers the rest.
fn settle(cells: Cells, empty: EmptyStrata) -> Result<Stratified, Error> {
    let Cells { names, cells, of_row, only_in_incidence, mut summary } = cells;
    if cells.iter().all(|cell| cell.incidence == 0) {
        return Err(Error::data(
            "no actioned case lies in a stratum of the population; do both files mean the same by these columns?",
        ));
    }
    let is_empty = |cell: &Cell| cell.incidence == 0 && cell.prevalence > 0;
    if empty == EmptyStrata::Error && cells.iter().any(is_empty) {
        let listed = cells.iter().zip(&names).filter(|(cell, _)| is_empty(cell)).take(5);
        let listed: Vec<String> = listed
            .map(|(cell, name)| format!("\"{name}\" ({} rows of the population)", cell.prevalence))
            .collect();
        let message =
            Message::from(format!("nobody was acted on in {}; merge such strata (", listed.join(", ")));
        let message = message.set(Setting::EmptyStrata, "merge").text(") or leave them out (");
        return Err(Error::data(message.set(Setting::EmptyStrata, "drop").text(")")));
    }
    let group_of = if empty == EmptyStrata::Merge { merged(&cells, 2) } else { (0..cells.len()).collect() };
    let total: u64 = cells.iter().map(|cell| cell.prevalence).sum();
    let mut rows_of = vec![(0, 0); cells.len()];
    for (cell, &group) in cells.iter().zip(&group_of) {
        rows_of[group] = (rows_of[group].0 + cell.prevalence, rows_of[group].1 + cell.incidence);
    }
    let group_name = |group: usize| {
        let members = (0..cells.len()).filter(|place| group_of[*place] == group);
        members.map(|place| names[place].as_str()).collect::<Vec<_>>().join(" + ")
    };
    let (mut strata, mut number_of) = (Vec::new(), vec![NO_STRATUM; cells.len()]);
    for group in (0..cells.len()).filter(|&place| group_of[place] == place) {
        let (prevalence, incidence) = rows_of[group];
        // A cluster that only actioned rows fall into has no share of the population.
        if prevalence > 0 && incidence > 0 {
            number_of[group] = strata.len() as u32;
            strata.push(Stratum { name: group_name(group), prevalence, incidence });
        }
    }
    let mut found = Vec::new();
    for (place, (cell, name)) in cells.iter().zip(&names).enumerate() {
        let group = group_of[place];
        let is_reached = number_of[group] != NO_STRATUM;
        let why = match cell.incidence {
            0 => Some(ThinReason::Empty),
            1 => Some(ThinReason::SingleCase),
            _ => None,
        };
        let is_merged = rows_of[group] != (cell.prevalence, cell.incidence);
        if let Some(why) = why.filter(|_| cell.prevalence > 0 && (is_merged || !is_reached)) {
            let moved = MergedStratum {
                stratum: name.clone(),
                into: is_reached.then(|| group_name(group)),
                why,
                prevalence: cell.prevalence,
                prevalence_share: cell.prevalence as f64 / total as f64,
            };
            let list = if is_reached { &mut summary.merged } else { &mut summary.left_out };
            list.push(moved);
        }
        found.push(FoundStratum {
            name: name.clone(),
            prevalence: cell.prevalence,
            incidence: cell.incidence,
            why,
        });
    }
    let of_row = of_row.iter().map(|cell| cell.map_or(NO_STRATUM, |cell| number_of[group_of[cell as usize]]));
    Ok(Stratified { strata, of_row: of_row.collect(), found, only_in_incidence, summary })
}
