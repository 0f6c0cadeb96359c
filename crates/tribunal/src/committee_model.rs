//! A committee as one model: the weighted mean of the temperature-scaled probabilities of its members.
//!
//! Members are models of the same target, classes and columns. Margins become probabilities by the sigmoid that was fitted on held-out
//! rows (Platt 2000), probabilities are scaled by a temperature (Guo, Pleiss, Sun and Weinberger 2017), and the mean by the weights is
//! what the committee says: [`Committee::combine`].

use std::fmt;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize, Serializer};
use tribunal_eval::unlabelled::{ClassProbabilities, Committee, CommitteeMember, TemperatureScaling};
use tribunal_learn::{Dataset, Model, Posteriors};

use crate::any_model::AnyModel;
use crate::error::Error;
use crate::outside::{OutsideLearner, OutsideModel};
use crate::selection::MarginCalibration;

/// Weights add up to one but for so much.
const ROUNDING: f64 = 1e-9;

/// Models that speak together, at least one: immutable, and the same after they were written and read back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "StoredCommittee")]
pub struct CommitteeModel {
    members: Vec<MemberModel>,
}

/// A model in a committee.
#[derive(Clone, Debug, PartialEq)]
pub struct MemberModel {
    /// The model, which is no committee itself.
    pub model: AnyModel,
    /// How its margins become probabilities, if it gives margins.
    pub calibration: MarginCalibration,
    /// What the logarithms of its probabilities are divided by.
    pub scaling: TemperatureScaling,
    /// Its share of the mean.
    pub weight: f64,
}

/// What a member says of some rows.
#[derive(Clone, Debug, PartialEq)]
pub struct MemberPosteriors {
    /// As its model gives them, margins perhaps.
    pub own: Posteriors,
    /// The probabilities that enter the mean: calibrated and temperature-scaled.
    pub scaled: ClassProbabilities,
}

impl CommitteeModel {
    /// # Errors
    /// There is no member; weights are not positive or do not add up to one; members differ in target, classes or columns; one of them
    /// is a committee, gives margins that nothing makes probabilities of, or has a temperature that is not positive.
    pub fn new(members: Vec<MemberModel>) -> Result<Self, Error> {
        check_members(&members).map_err(Error::data)?;
        Ok(Self { members })
    }

    /// The members, in the order in which they are heard.
    pub fn members(&self) -> &[MemberModel] {
        &self.members
    }

    pub(crate) fn first(&self) -> &AnyModel {
        // Neither `new` nor a file makes a committee without members.
        &self.members[0].model
    }

    /// The commands that members run.
    pub(crate) fn commands(&self) -> impl Iterator<Item = &OutsideLearner> {
        self.members.iter().filter_map(|member| match &member.model {
            AnyModel::Outside(model) => Some(model.learner()),
            AnyModel::Learned(_) | AnyModel::Committee(_) => None,
        })
    }

    /// What each member has to be known of, with its name.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let of_member = |member: &MemberModel| {
            let learner = member.model.learner();
            let named = |warning: &String| format!("{learner}: {warning}");
            member.model.warnings().iter().map(named).collect::<Vec<String>>()
        };
        self.members.iter().flat_map(of_member).collect()
    }

    /// The probability of each class for rows of a data set. Columns are matched by name; others may be there.
    ///
    /// # Errors
    /// A column is not there, of another kind or with other levels; a command fails.
    pub fn posteriors(&self, dataset: &Dataset, rows: &[u32]) -> Result<Posteriors, Error> {
        let probabilities = self.members.iter().map(|member| member.probabilities(dataset, rows));
        let probabilities = probabilities.map(|found| found.map(|(_, found)| found));
        let probabilities = probabilities.collect::<Result<Vec<ClassProbabilities>, Error>>()?;
        let combined = self.weights().combine(&probabilities.iter().collect::<Vec<_>>())?;
        Ok(Posteriors::from_values(combined.n_classes(), combined.values().to_vec())?)
    }

    fn weights(&self) -> Committee {
        let member =
            |member: &MemberModel| CommitteeMember { scaling: member.scaling, weight: member.weight };
        Committee { members: self.members.iter().map(member).collect() }
    }
}

impl MemberModel {
    /// What it says of rows of a data set.
    ///
    /// # Errors
    /// As [`CommitteeModel::posteriors`].
    pub fn posteriors(&self, dataset: &Dataset, rows: &[u32]) -> Result<MemberPosteriors, Error> {
        let (own, probabilities) = self.probabilities(dataset, rows)?;
        Ok(MemberPosteriors { own, scaled: self.scaling.apply(&probabilities) })
    }

    /// What it says, and the same as probabilities.
    fn probabilities(
        &self,
        dataset: &Dataset,
        rows: &[u32],
    ) -> Result<(Posteriors, ClassProbabilities), Error> {
        let own = self.model.posteriors(dataset, rows)?;
        let probabilities = self.calibration.probabilities(&own)?;
        Ok((own, probabilities))
    }

    fn check(&self) -> Result<(), String> {
        let learner = self.model.learner();
        if matches!(self.model, AnyModel::Committee(_)) {
            return Err(NESTED.to_owned());
        }
        if !(self.weight > 0.0 && self.weight.is_finite()) {
            return Err(format!(
                "{learner} has the weight {} in a committee, not a positive one",
                self.weight
            ));
        }
        let temperature = self.scaling.temperature;
        if !(temperature > 0.0 && temperature.is_finite()) {
            return Err(format!(
                "{learner} has the temperature {temperature} in a committee, not a positive one"
            ));
        }
        if !self.calibration.fits(self.model.output(), self.model.classes().len()) {
            return Err(format!("{learner} is in a committee with a sigmoid for other scores than it gives"));
        }
        Ok(())
    }
}

const NESTED: &str = "a committee within a committee";

fn check_members(members: &[MemberModel]) -> Result<(), String> {
    let [first, others @ ..] = members else { return Err("a committee without members".to_owned()) };
    members.iter().try_for_each(MemberModel::check)?;
    for other in others {
        let is_alike = (other.model.target(), other.model.classes())
            == (first.model.target(), first.model.classes())
            && other.model.inputs() == first.model.inputs();
        if !is_alike {
            let (one, other) = (first.model.learner(), other.model.learner());
            return Err(format!("a committee of {one} and {other}, which have other classes or columns"));
        }
    }
    let total: f64 = members.iter().map(|member| member.weight).sum();
    match (total - 1.0).abs() <= ROUNDING {
        true => Ok(()),
        false => Err(format!("a committee whose weights add up to {total}, not to one")),
    }
}

impl fmt::Display for CommitteeModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let learners: Vec<String> = self.members.iter().map(|member| member.model.learner()).collect();
        write!(f, "committee({})", learners.join("; "))
    }
}

/// A committee as it was written.
#[derive(Deserialize)]
struct StoredCommittee {
    members: Vec<StoredMember>,
}

#[derive(Deserialize)]
struct StoredMember {
    model: Option<Model>,
    outside: Option<OutsideModel>,
    committee: Option<IgnoredAny>,
    #[serde(default)]
    calibration: MarginCalibration,
    scaling: TemperatureScaling,
    weight: f64,
}

#[derive(Serialize)]
struct WrittenMember<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<&'a Model>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outside: Option<&'a OutsideModel>,
    calibration: &'a MarginCalibration,
    scaling: TemperatureScaling,
    weight: f64,
}

impl Serialize for MemberModel {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (model, outside) = match &self.model {
            AnyModel::Learned(model) => (Some(&**model), None),
            AnyModel::Outside(model) => (None, Some(model)),
            AnyModel::Committee(_) => return Err(serde::ser::Error::custom(NESTED)),
        };
        let MemberModel { calibration, scaling, weight, .. } = self;
        WrittenMember { model, outside, calibration, scaling: *scaling, weight: *weight }
            .serialize(serializer)
    }
}

impl TryFrom<StoredMember> for MemberModel {
    type Error = String;

    fn try_from(stored: StoredMember) -> Result<Self, String> {
        let model = match (stored.model, stored.outside, stored.committee) {
            (Some(model), None, None) => AnyModel::Learned(Box::new(model)),
            (None, Some(model), None) => AnyModel::Outside(model),
            (_, _, Some(_)) => return Err(NESTED.to_owned()),
            _ => return Err("a member of a committee that is not one model".to_owned()),
        };
        let StoredMember { calibration, scaling, weight, .. } = stored;
        Ok(MemberModel { model, calibration, scaling, weight })
    }
}

impl TryFrom<StoredCommittee> for CommitteeModel {
    type Error = String;

    fn try_from(stored: StoredCommittee) -> Result<Self, String> {
        let members = stored.members.into_iter().map(MemberModel::try_from).collect::<Result<Vec<_>, _>>()?;
        check_members(&members)?;
        Ok(CommitteeModel { members })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model_file::{SavedModel, read_model, stored_model, write_model};
    use crate::outside::testing::{SHARE, Script, claims};

    fn member(learner: &str, data: &Dataset, weight: f64) -> MemberModel {
        let rows: Vec<u32> = (0..data.n_rows() as u32).collect();
        let entrant: crate::line_up::Entrant = learner.parse().expect(learner);
        MemberModel {
            model: entrant.fit(data, &rows, 1).expect("a model"),
            calibration: MarginCalibration::default(),
            scaling: TemperatureScaling { temperature: 1.4, log_loss: 0.5 },
            weight,
        }
    }

    fn saved(members: Vec<MemberModel>) -> SavedModel {
        let committee = CommitteeModel::new(members).expect("a committee");
        SavedModel { model: AnyModel::Committee(Box::new(committee)), origin: Default::default() }
    }

    fn check_refused(members: Vec<MemberModel>, says: &str) {
        let error = CommitteeModel::new(members).expect_err(says).to_string();
        assert!(error.contains(says), "{error}");
    }

    #[test]
    fn what_cannot_speak_together_is_refused() {
        let data = claims(60);
        let other =
            claims(60).select(&tribunal_learn::PredictorSet::Named(vec!["lag".into()])).expect("a column");
        check_refused(Vec::new(), "a committee without members");
        check_refused(vec![member("nb", &data, 0.5), member("c45", &data, 0.4)], "add up to 0.9, not to one");
        check_refused(vec![member("nb", &data, 1.5), member("c45", &data, -0.5)], "c45 has the weight -0.5");
        check_refused(vec![member("nb", &data, f64::NAN)], "nb has the weight NaN");
        check_refused(vec![member("nb", &data, 0.5), member("c45", &other, 0.5)], "other classes or columns");
        check_refused(vec![member("svm:linear,c=1", &data, 1.0)], "a sigmoid for other scores");
        let mut cold = member("nb", &data, 1.0);
        cold.scaling.temperature = 0.0;
        check_refused(vec![cold], "nb has the temperature 0");
        let nested =
            MemberModel { model: saved(vec![member("nb", &data, 1.0)]).model, ..member("nb", &data, 1.0) };
        check_refused(vec![nested], "a committee within a committee");
    }

    /// A file with a right checksum and a wrong body.
    fn check_file(change: impl Fn(&mut serde_json::Value), says: &str) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("model.json");
        let data = claims(60);
        let model = saved(vec![member("nb", &data, 0.25), member("c45", &data, 0.75)]);
        let written = String::from_utf8(stored_model(&model).expect("bytes")).expect("text");
        let (header, body) = written.split_once('\n').expect("two lines");
        let mut body: serde_json::Value = serde_json::from_str(body).expect("JSON");
        change(&mut body);
        let body = body.to_string();
        let mut header: serde_json::Value = serde_json::from_str(header).expect("JSON");
        header["bytes"] = body.len().into();
        header["sha256"] = crate::model_file::sha256(body.as_bytes()).into();
        std::fs::write(&path, format!("{header}\n{body}\n")).expect("written");
        let error = read_model(&path).expect_err(says).to_string();
        assert!(error.contains("model.json: ") && error.contains(says), "{error}");
    }

    #[test]
    fn files_that_cannot_be_right_are_refused() {
        check_file(|body| body["committee"]["members"] = serde_json::json!([]), "without members");
        check_file(|body| body["committee"]["members"][0]["weight"] = 0.5.into(), "add up to 1.25");
        check_file(|body| body["committee"]["members"][1]["weight"] = (-1).into(), "the weight -1");
        check_file(
            |body| body["committee"]["members"][1]["scaling"]["temperature"] = (-1).into(),
            "the temperature -1",
        );
        check_file(
            |body| body["committee"]["members"][0]["model"]["classes"] = serde_json::json!(["a", "b"]),
            "other classes or columns",
        );
        check_file(
            |body| body["committee"]["members"][0]["committee"] = body["committee"].clone(),
            "a committee within a committee",
        );
        check_file(
            |body| {
                body["committee"]["members"][0].as_object_mut().expect("a member").remove("model");
            },
            "that is not one model",
        );
        check_file(
            |body| body["committee"]["members"][0]["calibration"] = serde_json::json!([{"constant": 0.5}]),
            "a sigmoid for other scores",
        );
        check_file(
            |body| body["committee"]["members"][0]["calibration"] = serde_json::json!([{"constant": 7}]),
            "gives no probabilities",
        );
        check_file(
            |body| body["model"] = body["committee"]["members"][0]["model"].clone(),
            "there is not one model in it",
        );
    }

    #[test]
    fn commands_in_a_committee_need_leave_to_run() {
        let (script, data) = (Script::new(SHARE), claims(30));
        let command = script.learner().to_string();
        let written = saved(vec![member(&command, &data, 0.5), member("majority", &data, 0.5)]);
        let path = script.folder().join("model.json");
        write_model(&path, &written).expect("written");
        let read = read_model(&path).expect("read");
        assert_eq!(read, written);
        let error = read.permit(false).expect_err("no leave").to_string();
        assert!(error.contains(script.learner().command()), "{error}");
        assert!(read.permit(true).is_ok());
        let said = read.model.posteriors(&data, &[4, 5]).expect("scores");
        assert_eq!((said.n_rows(), said.row(0) == said.row(1)), (2, true));
    }

    /// The probabilities that members enter with add up to what the committee says.
    #[test]
    fn the_mean_is_that_of_the_members() {
        let data = claims(60);
        let committee = CommitteeModel::new(vec![member("nb", &data, 0.25), member("c45", &data, 0.75)])
            .expect("members");
        let rows: Vec<u32> = (0..60).collect();
        let said = committee.posteriors(&data, &rows).expect("scores");
        let heard: Vec<MemberPosteriors> = committee
            .members()
            .iter()
            .map(|member| member.posteriors(&data, &rows).expect("scores"))
            .collect();
        for row in 0..60 {
            let mean = 0.25 * heard[0].scaled.row(row)[1] + 0.75 * heard[1].scaled.row(row)[1];
            assert!((said.row(row)[1] - mean).abs() < 1e-15);
        }
        assert_eq!(committee.to_string(), "committee(nb; c45)");
    }
}
