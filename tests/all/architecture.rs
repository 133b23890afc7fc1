//! Rules of the architecture that a test can check.

mod imports;
mod tuples;
mod types;

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

/// Most lines of a function.
const MOST_LINES_OF_A_FUNCTION: usize = 80;
/// Files that import each other on purpose: their crate, and why.
const CIRCLES: [(&str, &str); 1] = [(
    "builder",
    "values of a handle are handles: a joint has an angle, a scalar; scalars make vectors, and joints again",
)];

/// Most fields of a struct.
const MOST_FIELDS: usize = 20;
/// Most methods of a type.
const MOST_METHODS: usize = 60;
/// Types that have more: crate, name, and their most fields and methods. The builder has a method for each kind of item and each way to set
/// one, the parser a method for each production of the grammar.
const LARGE_TYPES: [(&str, &str, usize, usize); 2] = [("builder", "Planar", 20, 130), ("syntax", "Parser", 20, 150)];

/// Types that make one thing together, so that a function may take them as a tuple.
const PAIRS: [(&str, &str); 18] = [
    ("&[f64], &mut [f64]", "the right side of linear equations, and their solution"),
    ("Vec<f64>, Vec<SparseRow>", "linear equations: residuals and rows"),
    ("&Link, bool", "a link, and whether its first end is outboard"),
    ("&Model, &Tree", "a model in a formulation"),
    ("Model, Tree", "a model in a formulation"),
    ("&State<M, T>, T", "a step: its start and its size"),
    ("&str, usize", "a name, and its index or its size"),
    ("A, B", "a vector in the plane, of a user's scalars"),
    ("Complex<f64>, ModeKind", "a mode"),
    ("ExprId, RowLevel", "a residual, and the highest derivative in it"),
    ("JointId, u8", "a coordinate of a joint"),
    ("MarkerId, u8", "an axis of a marker"),
    ("Matrix3<S>, Vector3<S>", "a pose: rotation and location"),
    ("Metric, f64", "the metric of multipliers, and its scale"),
    ("T, &mut Response<M, T>", "a rank test: tolerance and response"),
    ("[f64; 2], f64", "a pose in the plane: location and angle"),
    ("[f64; 3], Rows", "a pose in space: location and rotation"),
    ("f64, &[f64]", "a time, and the coordinates at it"),
];

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

/// Whether the `[lib]` of a manifest leaves a key at its default, true.
fn is_on(folder: &Path, key: &str) -> bool {
    let manifest = read(&folder.join("Cargo.toml"));
    let library = manifest.lines().skip_while(|line| *line != "[lib]").skip(1);
    !library.take_while(|line| !line.starts_with('[')).any(|line| line == format!("{key} = false"))
}

#[test]
fn libraries_are_compiled_for_unit_tests_only_if_they_have_some() {
    for (name, folder) in packages() {
        let is_test = |line: &str| line.trim() == "#[test]";
        let has_tests = rust_files(&folder.join("src")).iter().any(|file| read(file).lines().any(is_test));
        let is_tested = is_on(&folder, "test");
        assert_eq!(is_tested, has_tests, "`{name}`: whether `[lib]` is tested (left), and has unit tests (right)");
    }
}

/// Whether documentation contains code that rustdoc compiles: in a fence without a language, or in an included file.
fn has_examples(text: &str) -> bool {
    let lines = text.lines().filter_map(|line| line.trim().strip_prefix("//"));
    let fences = lines.filter_map(|line| line.trim_start_matches(['/', '!', ' ']).strip_prefix("```"));
    // Every second fence closes.
    let mut languages = fences.step_by(2);
    languages.any(|language| !matches!(language, "text" | "sh")) || text.contains("doc = include_str!")
}

/// The façade compiles the examples of macros.
#[test]
fn documentation_is_read_for_examples_only_if_it_has_some() {
    let libraries = packages().into_iter().filter(|(_, folder)| folder.join("src/lib.rs").exists());
    for (name, folder) in libraries.filter(|(name, _)| name != "macros") {
        let has_some = rust_files(&folder.join("src")).iter().any(|file| has_examples(&read(file)));
        let is_read = is_on(&folder, "doctest");
        assert_eq!(is_read, has_some, "`{name}`: whether rustdoc looks for examples (left), and finds some (right)");
    }
}

#[test]
fn source_files_are_short() {
    let files = packages().into_values().flat_map(|folder| lines_of_files(&folder.join("src")));
    let long: Vec<_> = files.filter(|(_, lines)| *lines > MOST_LINES_OF_A_FILE).collect();
    assert!(long.is_empty(), "more than {MOST_LINES_OF_A_FILE} lines: {long:?}");
}

#[test]
fn functions_are_short() {
    let mut long = Vec::new();
    for path in packages().into_values().flat_map(|folder| rust_files(&folder.join("src"))) {
        let file = path.strip_prefix(root()).expect("it lies below").display().to_string();
        let text = read(&path);
        let names = functions(&text).into_iter().filter(|(_, lines)| *lines > MOST_LINES_OF_A_FUNCTION);
        long.extend(names.map(|(name, lines)| format!("{file}: {name}, {lines} lines")));
    }
    assert!(long.is_empty(), "more than {MOST_LINES_OF_A_FUNCTION} lines: {long:#?}");
}

/// Functions with their number of lines, from `fn` to the brace that closes the body, which has the indentation of that line.
fn functions(text: &str) -> Vec<(&str, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let function = |first: usize| {
        let (line, below) = (lines[first], &lines[first..]);
        let name = function_name(line)?;
        let opening = below.iter().position(|line| line.ends_with(['{', ';', '}']))?;
        let closing = format!("{}}}", &line[..line.len() - line.trim_start().len()]);
        let last = match below[opening].ends_with('{') {
            true => below.iter().position(|line| *line == closing)?,
            // A declaration, or a body on one line, is no function to count.
            false => opening,
        };
        Some((name, last + 1))
    };
    (0..lines.len()).filter_map(function).collect()
}

/// Name of the function that a line begins.
fn function_name(line: &str) -> Option<&str> {
    let (before, after) = line.trim_start().split_once("fn ")?;
    let qualifies = |word: &str| ["pub", "const", "async", "unsafe"].contains(&word) || word.contains(['(', ')']);
    before.split_whitespace().all(qualifies).then(|| after.split(['(', '<']).next().unwrap_or_default())
}

/// Imports between parent and child are excepted: a parent uses names of its children, and they use its names.
#[test]
fn files_import_each_other_one_way() {
    for (name, folder) in packages() {
        let circles = imports::circles(&imports::code(&folder.join("src")));
        let most = CIRCLES.iter().filter(|(listed, _)| *listed == name).count();
        assert_eq!(circles.len(), most, "files of `{name}` that import each other in circles: {circles:?}");
    }
}

/// Methods of traits do not count: a trait states them once.
#[test]
fn types_are_small() {
    let mut large = BTreeMap::new();
    for (crate_name, folder) in packages() {
        let text: Vec<String> = rust_files(&folder.join("src")).iter().map(|file| read(file)).collect();
        for (name, [fields, methods]) in types::sizes(&text) {
            if fields > MOST_FIELDS || methods > MOST_METHODS {
                large.insert((crate_name.clone(), name), [fields, methods]);
            }
        }
    }
    for ((crate_name, name), [fields, methods]) in &large {
        let most = LARGE_TYPES.iter().find(|(krate, listed, ..)| krate == crate_name && listed == name);
        let (_, _, most_fields, most_methods) = most.unwrap_or(&("", "", MOST_FIELDS, MOST_METHODS));
        assert!(fields <= most_fields, "`{name}` of `{crate_name}` has {fields} fields, more than {most_fields}");
        assert!(methods <= most_methods, "`{name}` of `{crate_name}` has {methods} methods, more than {most_methods}");
    }
    let small = LARGE_TYPES.iter().filter(|(krate, name, ..)| !large.contains_key(&((*krate).into(), (*name).into())));
    let small: Vec<_> = small.map(|(krate, name, ..)| format!("{krate}::{name}")).collect();
    assert!(small.is_empty(), "small enough, no more to be listed: {small:?}");
}

/// Tuples of equal types, such as (q, v) or (cos, sin), are not examined.
#[test]
fn tuples_of_parameters_belong_together() {
    let mut found = Vec::new();
    for path in packages().into_values().flat_map(|folder| rust_files(&folder.join("src"))) {
        let tuples = tuples::mixed_tuples(&read(&path)).into_iter();
        let unknown = tuples.filter(|(_, types)| !PAIRS.iter().any(|(pair, _)| pair == types));
        found.extend(unknown.map(|(name, types)| format!("{}: {name}, ({types})", path.display())));
    }
    assert!(found.is_empty(), "take these one by one: {found:#?}");
}

/// Joints are rows of the catalogue with steps: no crate after it refers to a kind by name.
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

/// Beginnings of sentences without a subject, or with one that a reader has to search for.
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
