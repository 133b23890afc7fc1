//! Which modules of a crate import which: paths that begin with `crate::` or `super::` in their code. A name that a module takes from a module
//! below it counts as an import from that module, so that re-exports hide nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::rust_files;
use crate::files::read;

/// Path of a module in its crate; empty for the root.
type Module = Vec<String>;

/// Code of the modules of a crate.
type Code = BTreeMap<Module, String>;

/// Groups of modules that import each other, directly or through others; imports between parent and child do not count.
pub fn circles(code: &Code) -> Vec<Vec<String>> {
    let taken: Taken = code.iter().map(|(module, text)| (module, taken_from_below(module, text, code))).collect();
    let imports: BTreeMap<&Module, BTreeSet<Module>> = code
        .iter()
        .map(|(module, text)| {
            let to = paths(module, text).into_iter().map(|path| owner(path, code, &taken));
            (module, to.filter(|to| !to.starts_with(module) && !module.starts_with(to)).collect())
        })
        .collect();
    let reached: BTreeMap<&Module, BTreeSet<&Module>> =
        code.keys().map(|from| (from, all_from(from, &imports))).collect();
    let circle = |module: &Module| -> Vec<String> {
        reached[module].iter().filter(|other| reached[**other].contains(module)).map(|other| other.join("::")).collect()
    };
    let groups: BTreeSet<Vec<String>> = code.keys().map(circle).filter(|group| !group.is_empty()).collect();
    groups.into_iter().collect()
}

/// Code of a crate without comments and tests. Binaries next to a library are separate crates.
pub fn code(src: &Path) -> Code {
    let mut code = Code::new();
    for path in rust_files(src) {
        let file = path.strip_prefix(src).expect("it lies below").with_extension("");
        let mut module: Module = file.iter().map(|name| name.to_string_lossy().into_owned()).collect();
        if module.iter().any(|name| name == "tests") || module[0] == "bin" {
            continue;
        }
        if module == ["lib"] || module == ["main"] {
            module.clear();
        }
        code.entry(module).or_default().push_str(&without_comments_and_tests(&read(&path)));
    }
    code
}

fn without_comments_and_tests(text: &str) -> String {
    let mut code = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        // Tests in the file of their module are at its end.
        if line == "#[cfg(test)]" && lines.peek().is_some_and(|next| next.starts_with("mod ") && next.ends_with('{')) {
            break;
        }
        code.push_str(line.split("//").next().unwrap_or_default());
        code.push('\n');
    }
    code
}

/// By module, the defining modules of names that it re-exports from modules below it.
type Taken<'c> = BTreeMap<&'c Module, BTreeMap<String, Module>>;

fn taken_from_below(module: &[String], code: &str, all: &Code) -> BTreeMap<String, Module> {
    let is_own = |path: &Module| path.len() > 1 && all.contains_key(&[module, &path[..1]].concat());
    let uses = code.match_indices("use ").filter(|(at, _)| {
        let before = code[..*at].rsplit('\n').next().unwrap_or_default();
        before.is_empty() || before.starts_with("pub")
    });
    let paths = uses.flat_map(|(at, word)| leaves(&code[at + word.len()..]).0).filter(is_own);
    paths.map(|path| (path[path.len() - 1].clone(), [module, &path].concat())).collect()
}

/// The module that an item is in.
fn owner(mut path: Module, code: &Code, taken: &Taken<'_>) -> Module {
    loop {
        let length = (0..=path.len()).rev().find(|length| code.contains_key(&path[..*length])).unwrap_or(0);
        let (module, rest) = path.split_at(length);
        let from = rest.first().and_then(|name| taken.get(&module.to_vec())?.get(name));
        match from {
            Some(from) => path = [from, &rest[1..]].concat(),
            None => return module.to_vec(),
        }
    }
}

fn all_from<'i>(from: &'i Module, imports: &'i BTreeMap<&Module, BTreeSet<Module>>) -> BTreeSet<&'i Module> {
    let (mut found, mut next) = (BTreeSet::new(), vec![from]);
    while let Some(module) = next.pop() {
        next.extend(imports[module].iter().filter(|to| found.insert(*to)));
    }
    found
}

/// Paths in the code of a module, from the root of the crate.
fn paths(module: &[String], code: &str) -> Vec<Module> {
    let mut all = Vec::new();
    let starts = ["crate::", "super::"].into_iter().flat_map(|word| code.match_indices(word));
    // In `super::super::` the first word starts the path; `$crate::` is a path of another crate.
    let starts = starts.filter(|(at, _)| !code[..*at].ends_with(|c: char| c.is_alphanumeric() || "_:$".contains(c)));
    for (at, word) in starts {
        let mut tree = &code[at..];
        let mut base = if word == "crate::" { &[] } else { module };
        while let Some((rest, outer)) = tree.strip_prefix("super::").zip(base.split_last().map(|(_, outer)| outer)) {
            (tree, base) = (rest, outer);
        }
        let tree = tree.strip_prefix("crate::").unwrap_or(tree);
        all.extend(leaves(tree).0.into_iter().map(|leaf| [base, &leaf].concat()));
    }
    all
}

/// Paths of a tree, `a::{b, c::D}` is a::b and a::c::D, and the text behind it.
fn leaves(text: &str) -> (Vec<Module>, &str) {
    let text = text.trim_start();
    if let Some(mut rest) = text.strip_prefix('{') {
        let mut all = Vec::new();
        loop {
            rest = rest.trim_start_matches(|c: char| c.is_whitespace() || ",*".contains(c));
            let (some, behind) = leaves(rest);
            if behind.len() == rest.len() {
                return (all, rest.strip_prefix('}').unwrap_or(rest));
            }
            all.extend(some);
            // An alias, ` as _`, is not part of the path.
            rest = behind.strip_prefix(" as ").map_or(behind, |name| leaves(name).1);
        }
    }
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let (tails, rest) = match rest.strip_prefix("::") {
        Some(rest) if !name.is_empty() => leaves(rest),
        _ => (vec![Module::new()], rest),
    };
    (tails.into_iter().map(|tail| [vec![name.to_owned()], tail].concat()).collect(), rest)
}

#[test]
fn circles_are_found_through_names_that_are_handed_on() {
    let of = |modules: &[(&str, &str)]| {
        let module = |path: &str| path.split("::").filter(|name| !name.is_empty()).map(str::to_owned).collect();
        circles(&modules.iter().map(|(path, text)| (module(path), without_comments_and_tests(text))).collect())
    };
    let root = ("", "mod a;\nmod b;\npub use a::{A, More as Other};\n");
    assert_eq!(of(&[root, ("a", "use crate::b::B;\n"), ("b", "use crate::A;\n")]), [["a", "b"]]);
    assert_eq!(
        of(&[root, ("a", "use super::{\n    b::{B, C},\n};\n"), ("b", "fn f() -> crate::a::A {}\n")]),
        [["a", "b"]]
    );
    // Imports between parent and child, in comments and in tests do not count.
    assert!(of(&[root, ("a", "use b::B;\n"), ("a::b", "use super::A;\n")]).is_empty());
    assert!(of(&[root, ("a", "// [`B`](crate::b::B)\n"), ("b", "use crate::A;\n")]).is_empty());
    assert!(
        of(&[root, ("a", "#[cfg(test)]\nmod tests {\n    use crate::b;\n}\n"), ("b", "use crate::A;\n")]).is_empty()
    );
}
