//! The claims study of Viaene, Derrig, Baesens and Dedene (2002) on synthetic claims, as files that anybody can run again.

use std::path::{Path, PathBuf};

use tribunal_io::TableFormat;

use crate::claims::{self, ClaimsRequest, TARGETS};
use crate::error::Error;

/// As many claims as were studied.
pub const DEMO_CLAIMS: u64 = 1399;

/// Writes synthetic claims and a study file of them to a folder, and says where the study file is. All five target
/// encodings are studied if `full`, the one from score 4 on otherwise; each with the flags alone and with all predictors.
///
/// # Errors
/// The folder or a file in it cannot be written.
pub fn write_claims_study(folder: &Path, seed: u64, full: bool) -> Result<PathBuf, Error> {
    let unmade =
        |error: std::io::Error| Error::Usage(format!("{} cannot be made: {error}", folder.display()));
    std::fs::create_dir_all(folder).map_err(unmade)?;
    let request = ClaimsRequest { rows: DEMO_CLAIMS, seed };
    claims::write_file(&request, &folder.join("claims.csv"), TableFormat::Csv, &|_progress| ())?;
    let path = folder.join("study.toml");
    let text = study_file(seed, full);
    tribunal_io::write_whole(&path, |file| file.write_all(text.as_bytes()))?;
    Ok(path)
}

fn study_file(seed: u64, full: bool) -> String {
    let targets: Vec<String> = TARGETS
        .iter()
        .filter(|target| full || target.name == "4+")
        .map(|target| format!("{:?}", target.name))
        .collect();
    let targets = targets.join(", ");
    format!(
        "# The comparison of Viaene, Derrig, Baesens and Dedene (2002) on {DEMO_CLAIMS} synthetic claims (seed {seed}).\n\
         title = \"Claims study\"\n\
         data = \"claims.csv\"\n\
         # Kinds of columns, target encodings and sets of predictors of the claims are built in.\n\
         schema = \"claims\"\n\
         # Suspicious from which score or by which codes on.\n\
         target = [{targets}]\n\
         # The flags alone, and with everything else that is known of a claim.\n\
         predictors = [\"indicator\", \"extended\"]\n\
         # All 27 operationalisations of seven families and the majority class.\n\
         learners = [\"all\"]\n\
         # As in the paper numbers are scaled over all claims; \"strict\" learns the scale inside training parts.\n\
         protocol = \"paper\"\n\
         # Stratified folds that all learners share.\n\
         design = \"cv:10\"\n\
         metrics = [\"pcc\", \"auroc\"]\n"
    )
}
