//! Where data lie, as seen from the folder of the study file.

use std::path::{Component, Path, PathBuf};

/// A file or glob as it is named from a folder. Standard input keeps its name, and so does a file that shares nothing with
/// the folder but the root.
pub(super) fn relative_to(folder: &Path, file: &str) -> String {
    let path = Path::new(file);
    let (Some(name), true) = (path.file_name(), file != "-") else { return file.to_owned() };
    let (folder, parent) = (whole(folder), whole(path.parent().unwrap_or(Path::new(""))));
    let n_shared = folder.components().zip(parent.components()).take_while(|(a, b)| a == b).count();
    let shares_a_name = folder.components().take(n_shared).any(|part| matches!(part, Component::Normal(_)));
    if !shares_a_name && n_shared < folder.components().count() {
        return written(&parent.join(name));
    }
    let up = folder.components().skip(n_shared).map(|_| Component::ParentDir);
    let down = parent.components().skip(n_shared);
    written(&up.chain(down).collect::<PathBuf>().join(name))
}

/// A folder from the root on, with links followed where it exists.
fn whole(folder: &Path) -> PathBuf {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let absolute = || std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    folder.canonicalize().unwrap_or_else(|_| absolute())
}

/// A path with the signs that every system reads.
fn written(path: &Path) -> String {
    let text = path.to_string_lossy();
    if cfg!(windows) { text.replace('\\', "/") } else { text.into_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(folder: &str, file: &str, expected: &str) {
        assert_eq!(relative_to(Path::new(folder), file), expected, "{file} from {folder:?}");
    }

    #[test]
    fn data_are_named_from_the_folder() {
        check("", "claims.csv", "claims.csv");
        check("", "none-such/claims.csv", "none-such/claims.csv");
        check("none-such/study", "none-such/claims.csv", "../claims.csv");
        check("none-such/a", "none-such/b/*.csv", "../b/*.csv");
        check("", "-", "-");
        check("/none-such/a", "/none-such/a/x.csv", "x.csv");
        check("/none-such/a", "/other/x.csv", "/other/x.csv");
        check("/", "/other/x.csv", "other/x.csv");
    }
}
