//! No input makes the parser panic, recurse without bound, or take long.

use crate::shown::{SLIDER_CRANK, ZOO};
use mbs_syntax::{Parsed, parse_text, to_compile_error};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Parses and renders; checks that every diagnostic has a position in the text.
fn survives(text: &str) -> Parsed {
    let parsed = parse_text("m.mbs", text);
    for diagnostic in parsed.errors.list() {
        assert!(parsed.sources.byte_range(diagnostic.origin).is_some(), "{diagnostic} has no place in {text}");
    }
    let _ = parsed.sources.render(parsed.errors.list());
    let _ = to_compile_error(parsed.errors.list(), &parsed.sources);
    parsed
}

/// Checks that a text is refused with few messages, quickly, on the small stack of a test thread.
fn refused(items: &str, code: &str) {
    let text = format!("planar M {{ {items} input after; }}");
    let parsed = parse_text("m.mbs", &text);
    let errors = parsed.errors.list();
    assert!((1..=100).contains(&errors.len()), "{} messages", errors.len());
    assert!(errors.iter().any(|d| d.code == code), "{}", errors[0]);
}

const MANY: usize = 100_000;

/// `link` repeated to `MANY` characters.
fn chain(link: &str) -> String {
    link.repeat(MANY / link.len())
}

#[test]
fn nested_brackets_are_refused() {
    for (open, close) in [("(", ")"), ("[", "]"), ("f(", ")"), ("a[", "]"), ("sum(", " for i in 0..1)")] {
        refused(&format!("let a = {}1{};", chain(open), close.repeat(MANY / open.len())), "MBS002");
        refused(&format!("let a = {}1{};", open.repeat(200), close.repeat(200)), "MBS002");
    }
    refused(&format!("let a = {}{};", "{".repeat(MANY), "}".repeat(MANY)), "MBS001");
    refused(&format!("{}{}", "for i in 0..1 {".repeat(MANY / 8), "}".repeat(MANY / 8)), "MBS002");
    refused(&format!("{}{}", "(".repeat(MANY), ")".repeat(MANY)), "MBS001");
}

#[test]
fn brackets_left_open_are_refused() {
    for open in ["(", "[", "{", "a[", "for i in a {", "if a {"] {
        let parsed = survives(&format!("planar M {{ let a = {}", chain(open)));
        assert_eq!(parsed.errors.list()[0].code, "MBS000");
    }
}

#[test]
fn chains_are_refused() {
    for link in ["-", "!", "- -", "a.b.", "a + ", "a in ", "a at ", "a == ", "if a { 1 } else ", "if "] {
        refused(&format!("let a = {}1;", chain(link)), "MBS002");
        refused(&format!("let a = {}1;", link.repeat(1_000)), "MBS002");
    }
    for link in [".b", ".f()", "[0]", " + a", " * a", " in a"] {
        refused(&format!("let a = a{};", chain(link)), "MBS002");
        refused(&format!("let a = a{};", link.repeat(1_000)), "MBS002");
    }
    let nested = "if a { ".repeat(MANY / 8) + "1" + &" } else { 2 }".repeat(MANY / 8);
    refused(&format!("let a = {nested};"), "MBS002");
}

#[test]
fn long_input_is_refused() {
    refused(&format!("let a = [{}];", "1, ".repeat(MANY)), "MBS002");
    refused(&";".repeat(MANY), "MBS001");
    refused(&"a ".repeat(MANY), "MBS001");
    refused(&"= ".repeat(MANY), "MBS001");
    refused(&"let a = ;".repeat(MANY / 4), "MBS001");
    refused(&format!("body a {{ {} }}", "b: , ".repeat(MANY / 4)), "MBS001");
    refused(&format!("initial {};", "a = , ".repeat(MANY / 4)), "MBS001");
}

/// Messages of a text that is parsed on a separate thread; the thread is abandoned if it does not end.
fn messages_in_time(text: &str) -> Vec<String> {
    let (sender, receiver) = std::sync::mpsc::channel();
    let owned = text.to_owned();
    std::thread::spawn(move || sender.send(survives(&owned).errors.list().iter().map(|d| d.message.clone()).collect()));
    receiver.recv_timeout(std::time::Duration::from_secs(20)).unwrap_or_else(|_| panic!("never ends: {text}"))
}

#[test]
fn parts_and_joint_kinds_called_by_words_of_rust_are_refused() {
    for word in ["fn", "for", "in", "self", "type", "_", "r#body"] {
        for text in [
            format!("part {word}(a) {{ }}"),
            format!("joint kind {word}(a, b) {{ }}"),
            format!("planar M {{ part {word}(a) {{ body b {{ mass: 1 }} }} }}"),
            format!("planar M {{ joint kind {word}(a, b) {{ coordinate c; }} }}"),
        ] {
            assert_eq!(messages_in_time(&text), [format!("`{word}` is a word of Rust and cannot be a name")], "{text}");
        }
    }
}

#[test]
fn characters_that_cannot_be_seen_are_named_by_their_codes() {
    for (text, shown) in [("\0", "\\0"), ("\u{1b}", "\\u{1b}"), ("a \u{202e}", "\\u{202e}")] {
        let parsed = survives(text);
        assert_eq!(parsed.errors.list()[0].message, format!("the character `{shown}` is not part of the language"));
    }
}

#[test]
fn texts_just_within_the_limits_are_read() {
    let deep = format!("planar M {{ let a = {}1{}; }}", "(".repeat(126), ")".repeat(126));
    assert!(survives(&deep).errors.is_empty());
    let long = format!("planar M {{ let a = [{}]; }}", "1, ".repeat(4_990));
    assert!(survives(&long).errors.is_empty());
    let sum = format!("planar M {{ let a = 1{}; }}", " + a".repeat(100));
    assert!(survives(&sum).errors.is_empty());
}

/// Words and marks of the language, and some others.
#[rustfmt::skip] // one token per line says nothing
const TOKENS: &[&str] = &[
    "planar", "spatial", "pub", "body", "joint", "param", "force", "initial", "for", "in", "at", "if", "else",
    "sum", "let", "const", "kind", "event", "import", "com", "ground", "a", "b", "x", "1", "0.5", "1e3", "\"s\"",
    "=", "==", "~", ":", ";", ",", ".", "..", "..=", "+", "-", "*", "/", "^", "%", "!", "<", "<=", "&&", "||", "#",
    "#[doc = \"d\"]", "@", "'a", "()", "[]", "{}", "( a )", "[ 1 , 2 ]", "{ a : 1 }", "= 1 ;", "a = 1 ;",
];

/// Token sequences with matching brackets.
fn soup() -> impl Strategy<Value = String> {
    let leaf = prop::collection::vec(prop::sample::select(TOKENS), 0..12).prop_map(|tokens| tokens.join(" "));
    leaf.prop_recursive(5, 60, 5, |inner| {
        let pair = prop::sample::select(&[("(", ")"), ("[", "]"), ("{", "}")][..]);
        prop::collection::vec((prop::sample::select(TOKENS), pair, inner), 1..5).prop_map(|parts| {
            let one =
                |(token, (open, close), inner): (&str, (&str, &str), String)| format!("{token} {open} {inner} {close}");
            parts.into_iter().map(one).collect::<Vec<_>>().join(" ")
        })
    })
}

fn config() -> ProptestConfig {
    ProptestConfig { cases: 512, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn token_soup_never_panics(text in soup()) {
        survives(&text);
        survives(&format!("planar M {{ {text} }}"));
        survives(&format!("planar M {{ let a = {text}; }}"));
    }

    #[test]
    fn any_text_never_panics(text in "\\PC{0,80}") {
        survives(&text);
        survives(&format!("planar M {{ {text} }}"));
    }

    #[test]
    fn mutated_samples_never_panic(
        sample in prop::sample::select(&[SLIDER_CRANK, ZOO][..]),
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0_usize..6, soup()), 1..6),
    ) {
        let mut text = sample.to_owned();
        for (place, removed, inserted) in edits {
            let indices: Vec<usize> = text.char_indices().map(|(i, _)| i).collect();
            let start = indices[place.index(indices.len())];
            let end = text[start..].char_indices().map(|(i, _)| start + i).nth(removed).unwrap_or(text.len());
            text.replace_range(start..end, &inserted);
        }
        survives(&text);
    }
}
