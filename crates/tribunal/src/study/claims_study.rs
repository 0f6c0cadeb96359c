//! The claims study of Viaene, Derrig, Baesens and Dedene (2002) on synthetic claims, as files that anybody can run again.

use std::path::{Path, PathBuf};

use tribunal_io::TableFormat;

use crate::claims::{self, ClaimsRequest, TARGETS};
use crate::error::Error;
use crate::message::{Message, Setting};

/// As many claims as were studied.
pub const DEMO_CLAIMS: u64 = 1399;

/// The files that [`write_claims_study`] writes.
pub const CLAIMS_STUDY_FILES: [&str; 2] = ["claims.csv", "study.toml"];

/// Writes synthetic claims and a study file of them to a folder, and says where the study file is. All five target
/// encodings are studied if `full`, the one from score 4 on otherwise; each with the flags alone and with all predictors.
///
/// # Errors
/// The folder or a file in it cannot be written, or holds other claims or another study under these names.
pub fn write_claims_study(folder: &Path, seed: u64, full: bool) -> Result<PathBuf, Error> {
    let unmade =
        |error: std::io::Error| Error::usage(format!("{} cannot be made: {error}", folder.display()));
    std::fs::create_dir_all(folder).map_err(unmade)?;
    let mut table = Vec::new();
    claims::write(&ClaimsRequest { rows: DEMO_CLAIMS, seed }, &mut table, TableFormat::Csv, &|_progress| ())?;
    let contents = [table, study_file(seed, full).into_bytes()];
    let files = CLAIMS_STUDY_FILES.map(|name| folder.join(name));
    files.iter().zip(&contents).try_for_each(|(path, bytes)| leave_others(path, bytes))?;
    for (path, bytes) in files.iter().zip(&contents) {
        tribunal_io::write_whole(path, |file| file.write_all(bytes))?;
    }
    let [_, study] = files;
    Ok(study)
}

/// A file that is there already is that of an earlier demonstration, or somebody else's.
fn leave_others(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let refused = |why: &str| {
        let path = path.display();
        let message = format!("{path} is there already, and is {why}; name another folder with ");
        Err(Error::usage(Message::from(message).setting(Setting::Folder)))
    };
    // A pipe would be waited for without an end.
    if std::fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return refused("no regular file");
    }
    match std::fs::read(path) {
        Ok(found) if found != bytes => refused("not what would be written"),
        _ => Ok(()),
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_others_are_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        for _ in 0..2 {
            write_claims_study(folder.path(), 7, false).expect("the same twice");
        }
        let claims = folder.path().join("claims.csv");
        let before = std::fs::read(&claims).expect("claims");
        for (seed, full) in [(8, false), (7, true)] {
            let error = write_claims_study(folder.path(), seed, full).expect_err("others").to_string();
            assert!(error.contains("is there already") && error.contains("`folder`"), "{error}");
        }
        assert_eq!(std::fs::read(&claims).expect("claims"), before);
    }
}
