//! Mistakes that `resolve` finds, rendered for snapshots.

use expect_test::Expect;
use mbs_model::resolve;
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

/// Mistakes of `items` among sound ones, rendered.
fn rendered(items: &str) -> String {
    let parsed = parse_text("m.mbs", &format!("planar M {{ {items}\n{AROUND}}}"));
    assert!(parsed.errors.is_empty(), "{}", parsed.sources.render(parsed.errors.list()));
    match resolve(&parsed.definitions[0]) {
        Ok(_) => String::new(),
        Err(errors) => parsed.sources.render(errors.list()),
    }
}

/// Code, message and help of each mistake, a line each.
fn messages(items: &str) -> String {
    let parsed = parse_text("m.mbs", &format!("planar M {{ {items}\n{AROUND}}}"));
    assert!(parsed.errors.is_empty(), "{}", parsed.sources.render(parsed.errors.list()));
    let Err(errors) = resolve(&parsed.definitions[0]) else { return String::new() };
    let line = |d: &mbs_model::Diagnostic| {
        let help = d.help.as_ref().map_or(String::new(), |help| format!(" = help: {help}"));
        format!("{} {}{help}\n", d.code, d.message)
    };
    errors.list().iter().map(line).collect()
}

/// The one mistake as a user sees it.
pub fn check(items: &str, expected: &Expect) {
    expected.assert_eq(&rendered(items));
}

/// Code, message and help of the mistakes in each of `items`.
pub fn check_messages(items: &[&str], expected: &Expect) {
    let all: Vec<String> =
        items.iter().map(|item| format!("{item}\n  {}", messages(item).replace('\n', "\n  ").trim())).collect();
    expected.assert_eq(&all.join("\n"));
}
