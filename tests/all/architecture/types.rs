//! Sizes of types, read from formatted text: items begin a line, and their members are indented by four.

use std::collections::BTreeMap;

/// Fields of structs, and methods of types outside of traits, by name, in all files of a crate. Types with one name in several files, such as
/// `Plan` of the plane and of space, count the largest number of fields and all methods.
pub fn sizes(files: &[String]) -> BTreeMap<String, [usize; 2]> {
    let mut sizes: BTreeMap<String, [usize; 2]> = BTreeMap::new();
    for text in files {
        let mut owner: Option<(String, bool)> = None;
        let mut fields = 0;
        for line in text.lines() {
            if let Some(name) = struct_name(line) {
                (owner, fields) = (Some((name, true)), 0);
            } else if let Some(name) = inherent_name(line) {
                owner = Some((name, false));
            } else if line == "}" {
                owner = None;
            }
            let Some((name, is_struct)) = &owner else { continue };
            let size = sizes.entry(name.clone()).or_default();
            let Some(inside) = line.strip_prefix("    ").filter(|inside| !inside.starts_with(' ')) else { continue };
            if *is_struct && is_field(inside) {
                fields += 1;
                size[0] = size[0].max(fields);
            } else if !is_struct && is_method(inside) {
                size[1] += 1;
            }
        }
    }
    sizes
}

/// The line without its visibility: `struct A {` of `pub struct A {`.
fn behind_visibility(line: &str) -> &str {
    match line.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(") ").map_or(line, |(_, rest)| rest),
        Some(rest) => rest.trim_start(),
        None => line,
    }
}

/// Name of the struct that a line opens.
fn struct_name(line: &str) -> Option<String> {
    let rest = behind_visibility(line).strip_prefix("struct ")?;
    line.ends_with('{').then(|| first_word(rest))
}

/// Name of the type of an inherent `impl` that a line opens; `None` for the `impl` of a trait.
fn inherent_name(line: &str) -> Option<String> {
    let rest = line.strip_prefix("impl")?;
    if !line.ends_with('{') || line.contains(" for ") {
        return None;
    }
    let rest = match rest.strip_prefix('<') {
        Some(_) => rest.split_once("> ")?.1,
        None => rest.trim_start(),
    };
    Some(first_word(rest))
}

fn first_word(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

fn is_field(inside: &str) -> bool {
    let name = first_word(behind_visibility(inside));
    !name.is_empty() && behind_visibility(inside)[name.len()..].starts_with(':')
}

fn is_method(inside: &str) -> bool {
    let rest = behind_visibility(inside);
    rest.starts_with("fn ") || rest.starts_with("const fn ")
}

#[test]
fn fields_and_methods_are_counted() {
    let text = "pub struct A<'a> {\n    /// One.\n    pub x: &'a str,\n    y: f64,\n}\n\nimpl<'a> A<'a> {\n    pub fn f(&self) {\n        fn inner() {}\n    }\n\n    const fn g() {}\n}\n\nimpl Clone for A<'_> {\n    fn clone(&self) -> Self {\n    }\n}\n";
    assert_eq!(sizes(&[text.into()])["A"], [2, 2]);
}
