//! What a selection recommends, as models to keep: the single learner, and the committee as one model.
//!
//! A model is fitted on all labelled rows with the settings and the seed of the model that was judged, so it is that model: learners of
//! this project give the same bits, commands the same as far as they are repeatable.

use tribunal_io::Source;
use tribunal_learn::Dataset;

use super::compare::side_by_side;
use super::criterion::SelectionMetric;
use super::fits::tried;
use super::request::SelectRequest;
use super::results::Selection;
use super::reverse::forward_seed;
use super::tables::load_labelled;
use crate::any_model::AnyModel;
use crate::committee_model::{CommitteeModel, MemberModel};
use crate::data::LoadedData;
use crate::error::Error;
use crate::line_up::Entrant;
use crate::model_file::SavedModel;
use crate::progress::{OnProgress, Progress};

/// Fits the recommended learner on all labelled rows.
///
/// # Errors
/// Nothing is recommended; the table, the learners or their settings are not those of the selection; the learner fails.
pub fn fit_selected(
    train: &Source,
    request: &SelectRequest,
    selection: &Selection,
    on_progress: OnProgress<'_>,
) -> Result<SavedModel, Error> {
    let recommended = selection.recommended.as_ref();
    let recommended =
        recommended.ok_or_else(|| Error::data("no learner is recommended, so there is none to save"))?;
    let entrant = judged(&recommended.learner, request, selection)?;
    let (models, loaded) = fit_judged(&[entrant], train, request, selection, on_progress)?;
    let model = models.into_iter().next().ok_or_else(|| Error::data("no model was fitted"))?;
    Ok(SavedModel { model, origin: loaded.origin })
}

/// Whether a selection can have a committee, which is known before anything is trained.
///
/// # Errors
/// Learners are compared by benefits, which have no range.
pub fn check_committee(request: &SelectRequest) -> Result<(), Error> {
    match request.metric {
        SelectionMetric::Benefit => Err(Error::usage(
            "there is no committee by the metric benefit: its weights come from figures between 0 and 1; keep the best learner, or choose \
             the metric pcc or auroc",
        )),
        SelectionMetric::Pcc | SelectionMetric::Auroc => Ok(()),
    }
}

/// Fits the members of the committee on all labelled rows, and makes one model of them. Members without weight stay away.
///
/// # Errors
/// There is no committee; otherwise as [`fit_selected`].
pub fn fit_committee(
    train: &Source,
    request: &SelectRequest,
    selection: &Selection,
    on_progress: OnProgress<'_>,
) -> Result<SavedModel, Error> {
    check_committee(request)?;
    let Some(shares) = &selection.committee else {
        return Err(Error::data(format!(
            "there is no committee by the metric {}: weights come from figures between 0 and 1, such as pcc or auroc",
            selection.metric
        )));
    };
    let speaks = |place: &usize| shares.weights[*place] > 0.0;
    let places: Vec<usize> = (0..shares.learners.len()).filter(speaks).collect();
    let entrants = places.iter().map(|&place| judged(&shares.learners[place], request, selection));
    let entrants = entrants.collect::<Result<Vec<Entrant>, Error>>()?;
    let (models, loaded) = fit_judged(&entrants, train, request, selection, on_progress)?;
    let member = |(model, place): (AnyModel, usize)| MemberModel {
        model,
        calibration: shares.calibrations[place].clone(),
        scaling: shares.scalings[place],
        weight: shares.weights[place],
    };
    let committee = CommitteeModel::new(models.into_iter().zip(places).map(member).collect())?;
    Ok(SavedModel { model: AnyModel::Committee(Box::new(committee)), origin: loaded.origin })
}

/// A learner with the settings that were chosen when it was judged.
fn judged(learner: &str, request: &SelectRequest, selection: &Selection) -> Result<Entrant, Error> {
    let other = || {
        Error::usage(format!(
            "{learner} is not one of the learners that are asked for: name those of the selection"
        ))
    };
    let place = request.entrants.iter().position(|entrant| entrant.to_string() == learner);
    let place = place.ok_or_else(other)?;
    let row = selection.learners.get(place).filter(|row| row.learner == learner).ok_or_else(other)?;
    match &row.tuned {
        Some(tuned) => tuned.parse(),
        None => Ok(request.entrants[place].clone()),
    }
}

fn fit(entrant: &Entrant, dataset: &Dataset, seed: u64) -> Result<AnyModel, Error> {
    let rows: Vec<u32> = (0..dataset.n_rows() as u32).collect();
    tried(|| entrant.fit(dataset, &rows, forward_seed(seed)))
        .map_err(|why| Error::data(format!("{entrant}: {why}")))
}

/// The models of learners, in their order, with the table that they were fitted on.
fn fit_judged(
    entrants: &[Entrant],
    train: &Source,
    request: &SelectRequest,
    selection: &Selection,
    on_progress: OnProgress<'_>,
) -> Result<(Vec<AnyModel>, LoadedData), Error> {
    if train.sha256()? != selection.training.sha256 {
        return Err(Error::data(
            "the table of labelled rows has changed since learners were compared on it: select again",
        ));
    }
    let loaded = load_labelled(train, request, on_progress)?;
    on_progress(Progress::Fitting { rows: loaded.dataset.n_rows() as u64 });
    let is_command = |entrant: &Entrant| matches!(entrant, Entrant::Outside(_));
    let models = side_by_side(entrants, is_command, |entrant| fit(entrant, &loaded.dataset, selection.seed));
    Ok((models.into_iter().collect::<Result<_, Error>>()?, loaded))
}

#[cfg(test)]
mod tests {
    use super::super::audit::committee_said;
    use super::super::compare::{CompareSettings, compare};
    use super::super::ledger::Ledger;
    use super::super::reverse::Populations;
    use super::super::run::select;
    use super::super::tables::Tables;
    use super::super::testing::{TwoTables, request};
    use super::*;
    use crate::apply::{Keep, ScoreRequest, score_table};
    use crate::model_file::{read_model, write_model};
    use tribunal_learn::Posteriors;

    const LEARNERS: &str = "logit; c45; nb:5; svm:linear,c=1; knn:{5,15}";

    /// What the committee and the learners say of the population while they are compared.
    fn judged(tables: &TwoTables, request: &SelectRequest) -> (Posteriors, Vec<Posteriors>, Tables) {
        let read = Tables::read((&tables.train(), &tables.deploy()), request, &|_| ()).expect("tables");
        let populations = Populations::new(&read.train, &read.deploy).expect("a target");
        let settings = CompareSettings {
            metric: request.metric,
            reverse_labels: request.reverse_labels,
            design: request.design.clone(),
            with_reverse_testing: false,
            with_leave_one_out: false,
            with_reverse_validation: false,
            seed: request.seed,
        };
        let compared = compare(&populations, &request.entrants, &settings, &mut Ledger::default(), &|_| ())
            .expect("voices");
        let committee = compared
            .examine(&populations, |evidence| committee_said(&evidence))
            .expect("evidence")
            .expect("a committee");
        let single = compared.voices.iter().map(|voice| voice.deployed.posteriors.clone()).collect();
        (committee, single, read)
    }

    #[test]
    fn saved_models_are_those_that_were_judged() {
        let tables = TwoTables::new(160, 90, 3);
        let request = request(LEARNERS);
        let selection =
            select((&tables.train(), &tables.deploy()), &request, None, &|_| ()).expect("a selection");
        let (committee, single, read_tables) = judged(&tables, &request);
        let deploy = &read_tables.deploy;
        let rows: Vec<u32> = (0..90).collect();
        let path = tables.path("model.json");

        let best = fit_selected(&tables.train(), &request, &selection, &|_| ()).expect("a model");
        let recommended = &selection.recommended.as_ref().expect("a recommendation").learner;
        let place = request.entrants.iter().position(|entrant| entrant.to_string() == *recommended);
        assert_eq!(best.model.posteriors(deploy, &rows).expect("scores"), single[place.expect("a learner")]);

        let saved = fit_committee(&tables.train(), &request, &selection, &|_| ()).expect("a committee");
        write_model(&path, &saved).expect("written");
        let read = read_model(&path).expect("read");
        assert_eq!(read, saved);
        let said = read.model.posteriors(deploy, &rows).expect("scores");
        for (said, judged) in said.values().iter().zip(committee.values()) {
            assert!((said - judged).abs() < 1e-12, "{said} {judged}");
        }

        // The same by the names of columns, from the file itself.
        let asked = ScoreRequest { keep: Keep::Also(vec!["claim".into()]), ..ScoreRequest::default() };
        let scored = score_table(&read, &tables.deploy(), &asked, &|_| ()).expect("scores");
        let name = &scored.summary().learner;
        assert!(name.starts_with("committee(logit; c45; nb:5; svm; knn:15"), "{name}");
        let mut text = Vec::new();
        scored.write(&tables.deploy(), tribunal_io::TableFormat::Csv, &mut text, &|_| ()).expect("written");
        let text = String::from_utf8(text).expect("text");
        let first = text.lines().nth(1).expect("a row").split(',').nth(1).expect("a score");
        let place = read_tables.deploy_order.place_of(1).expect("the first row of the file");
        let judged = committee.scores()[place as usize];
        assert!((first.parse::<f64>().expect("a number") - judged).abs() < 1e-9, "{first} {judged}");
    }

    #[test]
    fn three_classes_and_the_auroc_have_a_committee_too() {
        let tables = TwoTables::new(150, 60, 5);
        let mut request = request("logit; c45; nb:5; svm:linear,c=1");
        request.data.targets[0] = crate::data::TargetRequest { name: "region".into(), positive: None };
        let ignored = tribunal_learn::ColumnSchema::Role(tribunal_learn::Role::Ignore);
        request.data.schema.columns.insert("fraud".into(), ignored);
        request.metric = super::super::criterion::SelectionMetric::Auroc;
        let selection =
            select((&tables.train(), &tables.deploy()), &request, None, &|_| ()).expect("a selection");
        let saved = fit_committee(&tables.train(), &request, &selection, &|_| ()).expect("a committee");
        let (committee, _, read) = judged(&tables, &request);
        let said = saved.model.posteriors(&read.deploy, &(0..60).collect::<Vec<u32>>()).expect("scores");
        assert_eq!((said.n_classes(), said.n_rows()), (3, 60));
        said.values().iter().zip(committee.values()).for_each(|(a, b)| assert!((a - b).abs() < 1e-12));
    }

    #[test]
    fn what_does_not_belong_to_the_selection_is_refused() {
        let tables = TwoTables::new(120, 40, 7);
        let asked = request("logit; c45; nb:5");
        let selection =
            select((&tables.train(), &tables.deploy()), &asked, None, &|_| ()).expect("a selection");
        let refused = |found: Result<SavedModel, Error>| found.expect_err("refused").to_string();
        let message = refused(fit_committee(&tables.train(), &request("logit; nb:5"), &selection, &|_| ()));
        assert!(message.contains("c45 is not one of the learners that are asked for"), "{message}");
        let mut none = selection.clone();
        none.committee = None;
        let message = refused(fit_committee(&tables.train(), &asked, &none, &|_| ()));
        assert!(message.contains("there is no committee by the metric pcc"), "{message}");
        none.recommended = None;
        let message = refused(fit_selected(&tables.train(), &asked, &none, &|_| ()));
        assert!(message.contains("no learner is recommended"), "{message}");
        let message = refused(fit_selected(&tables.deploy(), &asked, &selection, &|_| ()));
        assert!(message.contains("has changed since learners were compared on it"), "{message}");
    }
}
