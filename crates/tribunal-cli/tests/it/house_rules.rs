//! The rules of the house, kept by a machine instead of by memory.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Every Rust file below a folder.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.expect("a directory entry").path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// The crates of this workspace that a crate depends on.
fn imports(name: &str) -> Vec<String> {
    let manifest = read(format!("crates/{name}/Cargo.toml"));
    let dependencies =
        manifest.split("\n[").find(|section| section.starts_with("dependencies]")).unwrap_or_default();
    let names = dependencies.lines().filter_map(|line| line.split(['.', ' ', '=']).next());
    names.filter(|name| name.starts_with("tribunal")).map(str::to_owned).collect()
}

#[test]
fn leaves_do_not_import_each_other() {
    assert_eq!(imports("tribunal-random"), [] as [&str; 0]);
    assert_eq!(imports("tribunal-tails"), [] as [&str; 0]);
    assert_eq!(imports("tribunal-memory"), [] as [&str; 0]);
    assert_eq!(imports("tribunal-algebra"), [] as [&str; 0]);
    assert_eq!(imports("tribunal-eval"), ["tribunal-random", "tribunal-tails"]);
    assert_eq!(
        imports("tribunal-learn"),
        ["tribunal-algebra", "tribunal-memory", "tribunal-random", "tribunal-tails"]
    );
    assert_eq!(imports("tribunal-io"), ["tribunal-memory"]);
    assert_eq!(
        imports("tribunal"),
        ["tribunal-eval", "tribunal-io", "tribunal-learn", "tribunal-memory", "tribunal-random"]
    );
    assert!(!imports("tribunal-report").contains(&"tribunal-io".to_owned()));
}

#[test]
fn every_file_opens_with_its_purpose() {
    for file in rust_files(&root().join("crates")).into_iter().chain(rust_files(&root().join("benches"))) {
        let text = read(&file);
        assert!(text.starts_with("//!"), "{} does not open with //!", file.display());
    }
}

#[test]
fn only_the_command_prints() {
    for name in
        ["tribunal-random", "tribunal-eval", "tribunal-learn", "tribunal-io", "tribunal", "tribunal-report"]
    {
        for file in rust_files(&root().join("crates").join(name).join("src")) {
            assert!(!prints(&file), "{} prints", file.display());
        }
    }
}

/// Whether a file uses one of the macros that print.
fn prints(file: &Path) -> bool {
    read(file).lines().any(|line| {
        let code = line.trim_start();
        !code.starts_with("//") && ["println!(", "print!("].iter().any(|name| code.contains(name))
    })
}

/// Libraries name settings, which every front end words in its own way; only the command has flags.
#[test]
fn only_the_command_names_flags() {
    let has_flag = |line: &str| {
        let code = line.split(" // ").next().unwrap_or_default();
        let mut words = code.split([' ', '(', '`', '"', '\'']).map(|word| word.strip_prefix("--"));
        !line.trim_start().starts_with("//")
            && words.any(|word| word.is_some_and(|word| word.starts_with(|c: char| c.is_ascii_lowercase())))
    };
    for entry in fs::read_dir(root().join("crates")).expect("crates") {
        let folder = entry.expect("a directory entry").path();
        // The command itself; and texts that fuzzing begins with, of which some are commands of others.
        if folder.ends_with("tribunal-cli") || folder.ends_with("tribunal-fuzz") {
            continue;
        }
        for file in rust_files(&folder.join("src")) {
            let is_test = file.file_stem().is_some_and(|stem| stem == "tests");
            let text = read(&file);
            let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
            let flag = code.lines().find(|line| has_flag(line));
            assert!(is_test || flag.is_none(), "{}: {}", file.display(), flag.unwrap_or_default().trim());
        }
    }
}

/// What is said goes through the one place that writes hidden characters out, what is written through the one that
/// replaces files whole.
#[test]
fn the_command_writes_in_one_place() {
    let folder = root().join("crates/tribunal-cli/src");
    for (words, place) in [
        (&["print!(", "println!(", "stderr()"][..], "messages.rs"),
        (&["write_whole(", "File::create", "fs::write(", "OpenOptions"], "output.rs"),
    ] {
        for file in rust_files(&folder).into_iter().filter(|file| !file.ends_with(place)) {
            // A progress bar draws on standard error by itself.
            let text = read(&file).replace("ProgressDrawTarget::stderr()", "");
            let found = words.iter().find(|word| text.contains(**word));
            assert_eq!(found, None, "{}: this belongs in {place}", file.display());
        }
    }
}

#[test]
fn every_metric_file_is_registered_and_tested_by_the_contract() {
    let registry = read("crates/tribunal-eval/src/metrics/mod.rs");
    let (_, list) = registry.split_once("METRICS: &[&Metric] = &[").expect("the list of metrics");
    for file in rust_files(&root().join("crates/tribunal-eval/src/metrics")) {
        let stem = file.file_stem().expect("a file name").to_string_lossy().into_owned();
        if !["mod", "definition", "measure"].contains(&stem.as_str()) {
            assert!(list.contains(&format!("&{stem}::")), "{stem} is not listed in METRICS");
            let text = read(&file);
            assert!(
                text.contains("metric! {") && text.contains("/// ```"),
                "{stem} lacks its declaration or its example"
            );
        }
    }
}

/// Files of a folder that declare an entry must be named like it and stand in the list of the folder.
fn check_registry(folder: &str, declaration: &str, list: &str, entry: &str) {
    let registry = read(format!("{folder}/mod.rs"));
    let (_, list) = registry.split_once(list).expect("the list");
    let declares = |file: &PathBuf| read(file).contains(declaration);
    let files: Vec<PathBuf> = rust_files(&root().join(folder)).into_iter().filter(declares).collect();
    assert!(!files.is_empty(), "nothing in {folder} declares {declaration}");
    for file in files {
        let stem = file.file_stem().expect("a file name").to_string_lossy().into_owned();
        let name = format!("name: \"{}\"", stem.replace('_', "-"));
        assert!(list.contains(&format!("&{stem}::{entry}")), "{stem} is not listed");
        assert!(read(&file).contains(&name), "{stem} is registered under another name");
    }
}

#[test]
fn every_design_and_every_kind_of_bias_is_registered() {
    let tribunal = "crates/tribunal/src";
    check_registry(&format!("{tribunal}/resampling"), "FORM: DesignForm", "DESIGNS: &[&DesignForm]", "FORM");
    check_registry(&format!("{tribunal}/bias"), "KIND: BiasKind", "KINDS: &[&BiasKind]", "KIND");
}

#[test]
fn every_learner_is_registered() {
    let folder = "crates/tribunal-learn/src/learners";
    let registry = read(format!("{folder}/mod.rs"));
    let (_, list) = registry.split_once("LEARNERS: &[&LearnerForm]").expect("the list of learners");
    let declares = |file: &PathBuf| read(file).contains("FORM: LearnerForm");
    let files: Vec<PathBuf> = rust_files(&root().join(folder)).into_iter().filter(declares).collect();
    assert!(files.len() > 5, "learners are declared elsewhere");
    for file in files {
        let named = if file.ends_with("mod.rs") { file.parent().expect("a folder") } else { &file };
        let module = named.file_stem().expect("a name").to_string_lossy().into_owned();
        assert!(list.contains(&format!("&{module}::FORM")), "{module} is not listed in LEARNERS");
    }
}

#[test]
fn every_crate_inherits_the_lints_and_the_versions() {
    for entry in fs::read_dir(root().join("crates")).expect("crates") {
        let folder = entry.expect("a directory entry").path();
        let manifest = read(folder.join("Cargo.toml"));
        // The one crate that needs `unsafe`, with its reason at its head.
        let is_allocator = folder.ends_with("tribunal-allocator");
        assert!(
            is_allocator || manifest.contains("[lints]\nworkspace = true"),
            "{} has lints of its own",
            folder.display()
        );
        let own_version =
            manifest.lines().find(|line| line.contains("version = \"") || line.contains("= \"^"));
        assert_eq!(own_version, None, "{} names a version itself", folder.display());
    }
}

#[test]
fn every_dependency_is_justified() {
    let manifest = read("Cargo.toml");
    let design = read("DESIGN.md");
    let (_, dependencies) = manifest.split_once("[workspace.dependencies]").expect("dependencies");
    let (dependencies, _) = dependencies.split_once("\n[").expect("the next section");
    for line in dependencies.lines().filter(|line| line.contains('=') && !line.starts_with("tribunal")) {
        let name = line.split([' ', '=']).next().expect("a name");
        let family = if name.starts_with("arrow-") { "arrow-*" } else { name };
        assert!(design.contains(&format!("`{family}`")), "DESIGN.md does not say why `{name}` was chosen");
    }
}
