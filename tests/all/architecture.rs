//! Rules of the architecture that a test can keep.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::files::{read, root};

/// Most lines of the sources of a crate.
const MOST_LINES: usize = 15_000;
/// Most lines of a source file.
const MOST_LINES_OF_A_FILE: usize = 500;
/// Most lines of `mbs-codegen`, which the next back ends fill.
const MOST_LINES_OF_CODEGEN: usize = 12_000;

/// Entries of a folder.
fn entries(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).expect("the folder is readable").flatten().map(|entry| entry.path()).collect()
}

/// Folders of our packages, by the name without `mbs-`. Examples are no part of the architecture.
fn packages() -> BTreeMap<String, PathBuf> {
    let all = [vec![root().to_owned()], entries(root()), entries(&root().join("crates"))].concat();
    let named = |folder: PathBuf| {
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).ok()?;
        let name = manifest.lines().find_map(|line| line.strip_prefix("name = "))?.trim_matches('"');
        Some((name.trim_start_matches("mbs-").to_owned(), folder))
    };
    all.into_iter().filter_map(named).collect()
}

/// Our crates among the dependencies of a package, ascending.
fn dependencies(folder: &Path) -> Vec<String> {
    let manifest = read(&folder.join("Cargo.toml"));
    let lines = manifest.lines().skip_while(|line| *line != "[dependencies]").skip(1);
    let names = lines.take_while(|line| !line.starts_with('[')).filter_map(|line| line.split([' ', '.']).next());
    let ours = names.filter(|name| *name == "mbs" || name.starts_with("mbs-"));
    let mut ours: Vec<String> = ours.map(|name| name.trim_start_matches("mbs-").to_owned()).collect();
    ours.sort();
    ours
}

#[test]
fn crates_depend_on_each_other_as_drawn() {
    let text = read(&root().join("ARCHITECTURE.md"));
    for (name, folder) in packages() {
        let arrow = format!("{name} → ");
        let line = text.lines().find(|line| line.starts_with(&arrow) || *line == name);
        let line = line.unwrap_or_else(|| panic!("ARCHITECTURE.md draws no arrows of `{name}`"));
        let drawn = line.strip_prefix(&arrow).unwrap_or_default();
        assert_eq!(drawn, dependencies(&folder).join(", "), "`{name}`: ARCHITECTURE.md (left), its manifest (right)");
    }
}

#[test]
fn crates_are_small() {
    for (name, folder) in packages() {
        let most = if name == "codegen" { MOST_LINES_OF_CODEGEN } else { MOST_LINES };
        let lines: usize = lines_of_files(&folder.join("src")).iter().map(|(_, lines)| lines).sum();
        assert!(lines <= most, "`{name}` has {lines} lines, more than {most}");
    }
}

#[test]
fn source_files_are_short() {
    let files = packages().into_values().flat_map(|folder| lines_of_files(&folder.join("src")));
    let long: Vec<_> = files.filter(|(_, lines)| *lines > MOST_LINES_OF_A_FILE).collect();
    assert!(long.is_empty(), "more than {MOST_LINES_OF_A_FILE} lines: {long:?}");
}

/// Joints are rows of the catalogue with steps: no crate behind it asks for a kind by name.
#[test]
fn joints_have_no_kinds_outside_the_catalogue() {
    let behind = ["model", "physics", "check", "resolve", "compiler", "sheet", "engine", "interp"];
    let files = packages().into_iter().filter(|(name, _)| behind.contains(&name.as_str()));
    let found: Vec<PathBuf> = files
        .flat_map(|(_, folder)| rust_files(&folder.join("src")))
        .filter(|path| read(path).contains("JointKind::"))
        .collect();
    assert!(found.is_empty(), "{found:?}");
}

/// Beginnings of sentences without a subject, or with one that has to be looked for.
const NO_SUBJECT: [&str; 3] = ["What ", "Of ", "The same"];

#[test]
fn comments_begin_with_a_subject() {
    let mut found = Vec::new();
    for path in packages().into_values().flat_map(|folder| rust_files(&folder.join("src"))) {
        for (number, line) in read(&path).lines().enumerate() {
            let text =
                line.trim_start().strip_prefix("//").map(|text| text.trim_start_matches(['/', '!']).trim_start());
            if text.is_some_and(|text| NO_SUBJECT.iter().any(|begin| text.starts_with(begin))) {
                found.push(format!("{}:{}: {}", path.display(), number + 1, line.trim()));
            }
        }
    }
    assert!(found.is_empty(), "{} comments begin with {NO_SUBJECT:?}:\n{}", found.len(), found.join("\n"));
}

/// Rust files below a folder, with their lines.
fn lines_of_files(folder: &Path) -> Vec<(PathBuf, usize)> {
    rust_files(folder).into_iter().map(|path| (path.clone(), read(&path).lines().count())).collect()
}

/// Rust files below a folder.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let files = |path: PathBuf| match path.extension() {
        _ if path.is_dir() => rust_files(&path),
        Some(extension) if extension == "rs" => vec![path],
        _ => Vec::new(),
    };
    entries(folder).into_iter().flat_map(files).collect()
}
