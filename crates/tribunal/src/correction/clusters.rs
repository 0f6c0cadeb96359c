//! Strata by k-means on the standardised columns of the population; actioned rows belong to the nearest centre.

use tribunal_eval::kmeans::{KMeansOptions, Points, Standardiser, choose_clusters, kmeans};

use super::columns::{PairedColumn, PairedValues};
use super::request::{ClustersRequest, CorrectRequest};
use super::results::{ClusterCentre, ClusteredStrata};
use crate::error::Error;
use crate::message::{Message, Setting};

/// The clusters of both tables.
pub(super) struct Clusters {
    pub(super) prevalence: Vec<u32>,
    pub(super) incidence: Vec<u32>,
    /// The centres on the common scale, one a cluster.
    pub(super) centres: Vec<Vec<f64>>,
    pub(super) summary: ClusteredStrata,
}

/// Finds clusters of the population.
pub(super) fn clusters(
    columns: &[PairedColumn],
    asked: ClustersRequest,
    request: &CorrectRequest,
) -> Result<Clusters, Error> {
    let sides = columns.iter().map(numbers).collect::<Result<Vec<_>, Error>>()?;
    let prevalence: Vec<&[f64]> = sides.iter().map(|side| side.0).collect();
    let incidence: Vec<&[f64]> = sides.iter().map(|side| side.1).collect();
    let scale = Standardiser::of(&prevalence);
    let (rows, others) = (scale.rows(&prevalence), scale.rows(&incidence));
    let (points, others) = (Points::new(&rows, columns.len())?, Points::new(&others, columns.len())?);
    check_distinct(&points, asked.from, request)?;
    let choice = match asked.from < asked.to {
        true => {
            let most = points.has_distinct(asked.to).err().unwrap_or(asked.to);
            Some(choose_clusters(&points, asked.from..=most, request.choose, request.seed)?)
        }
        false => None,
    };
    let n_clusters = choice.as_ref().map_or(asked.from, |choice| choice.n_clusters as usize);
    let found = kmeans(&points, &KMeansOptions::new(n_clusters, request.seed))?;
    let centres: Vec<Vec<f64>> = found.centres.chunks_exact(columns.len()).map(<[f64]>::to_vec).collect();
    let in_units = |centre: &Vec<f64>| ClusterCentre {
        values: centre
            .iter()
            .zip(scale.means().iter().zip(scale.deviations()))
            .map(|(value, (mean, deviation))| mean + value * deviation)
            .collect(),
    };
    let summary = ClusteredStrata {
        n_clusters: n_clusters as u64,
        choice,
        inertia: found.inertia,
        centres: centres.iter().map(in_units).collect(),
        n_missing: prevalence.iter().flat_map(|column| column.iter()).filter(|value| value.is_nan()).count()
            as u64,
    };
    Ok(Clusters { incidence: found.assign(&others), prevalence: found.labels, centres, summary })
}

/// The numbers of a column in either table.
fn numbers(column: &PairedColumn) -> Result<(&[f64], &[f64]), Error> {
    match &column.values {
        PairedValues::Numbers { prevalence, incidence } => {
            let infinite = |values: &[f64]| values.iter().any(|value| value.is_infinite());
            if infinite(prevalence) || infinite(incidence) {
                return Err(Error::data(format!(
                    "column \"{}\" holds an infinite number, which has no cluster",
                    column.name
                )));
            }
            Ok((prevalence, incidence))
        }
        PairedValues::Labels { .. } => {
            let message = Message::from(format!(
                "column \"{}\" holds labels, and clusters are made of numbers; leave it out of ",
                column.name
            ));
            let message = message.setting(Setting::Strata).text(", or leave out ");
            Err(Error::usage(
                message.setting(Setting::Clusters).text(": its labels are strata by themselves"),
            ))
        }
    }
}

fn check_distinct(points: &Points<'_>, wanted: usize, request: &CorrectRequest) -> Result<(), Error> {
    points.has_distinct(wanted).map_err(|distinct| {
        let columns = request.strata.join(", ");
        let message = Message::from(format!(
            "the population has only {distinct} different rows of {columns}, and {wanted} clusters were asked for; "
        ));
        Error::usage(message.text("ask for ").set(Setting::Clusters, distinct.to_string()).text(" at most"))
    })
}
