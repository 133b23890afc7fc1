//! Mistakes that `resolve` finds, rendered for snapshots.

use expect_test::Expect;
use mbs_resolve::resolve;
use mbs_syntax::parse_text;

/// A sound mechanism around the mistakes: bodies `crank`, `rod`, particle `bob`, joint `pin`, parameter `p`, input `u`.
const AROUND: &str = "param p = 1;
input u;
body crank { mass: 1, inertia: 1 }
body rod { mass: 1, inertia: 1 }
particle bob { mass: 1 }
joint pin = revolute(ground, crank);
joint elbow = revolute(crank at [1, 0], rod);
joint base = free(ground, bob);
";

/// The items of a sound spatial mechanism around the mistakes.
const AROUND_IN_SPACE: &str = "param p = 1;
input u;
body crank { mass: 1, inertia: [1, 1, 1] }
body rod { mass: 1, inertia: [1, 1, 1] }
particle bob { mass: 1 }
joint pin = revolute(ground, crank) { axis: [0, 1, 0] };
joint elbow = spherical(crank at [1, 0, 0], rod);
joint base = free(ground, bob);
";

/// A planar mechanism with `items` among sound ones.
fn among_planar(items: &str) -> String {
    format!("planar M {{ {items}\n{AROUND}}}")
}

/// A spatial mechanism with `items` among sound ones.
fn among_spatial(items: &str) -> String {
    format!("spatial M {{ {items}\n{AROUND_IN_SPACE}}}")
}

/// Mistakes of a mechanism, rendered.
fn rendered(text: &str) -> String {
    let parsed = parse_text("m.mbs", text);
    assert!(parsed.errors.is_empty(), "{}", parsed.sources.render(parsed.errors.list()));
    match resolve(&parsed.definitions[0]) {
        Ok(_) => String::new(),
        Err(errors) => parsed.sources.render(errors.list()),
    }
}

/// Code, message and help of each mistake, one per line.
fn messages(text: &str) -> String {
    let parsed = parse_text("m.mbs", text);
    assert!(parsed.errors.is_empty(), "{}", parsed.sources.render(parsed.errors.list()));
    let Err(errors) = resolve(&parsed.definitions[0]) else { return String::new() };
    let line = |d: &mbs_definition::Diagnostic| {
        let help = d.help.as_ref().map_or(String::new(), |help| format!(" = help: {help}"));
        format!("{} {}{help}\n", d.code, d.message)
    };
    errors.list().iter().map(line).collect()
}

fn check_all(items: &[&str], around: fn(&str) -> String, expected: &Expect) {
    let indented = |item: &str| messages(&around(item)).lines().map(|line| format!("\n  {line}")).collect::<String>();
    let all: Vec<String> = items.iter().map(|item| format!("{item}{}", indented(item))).collect();
    expected.assert_eq(&all.join("\n"));
}

/// The one mistake as a user sees it.
pub fn check(items: &str, expected: &Expect) {
    expected.assert_eq(&rendered(&among_planar(items)));
}

/// The one mistake of a spatial mechanism as a user sees it.
pub fn check_spatial(items: &str, expected: &Expect) {
    expected.assert_eq(&rendered(&among_spatial(items)));
}

/// Code, message and help of the mistakes in each of `items`.
pub fn check_messages(items: &[&str], expected: &Expect) {
    check_all(items, among_planar, expected);
}

/// Code, message and help of the mistakes in each of `items` of a spatial mechanism.
pub fn check_spatial_messages(items: &[&str], expected: &Expect) {
    check_all(items, among_spatial, expected);
}
