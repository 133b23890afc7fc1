//! The work of the parser is proportional to the number of tokens, for every text.

use std::cell::Cell;

use mbs_definition::KEYWORDS;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::tokens::Token;
use crate::{Imported, parse_robot_tokens_with, parse_text_with};

/// Largest number of visits to tokens, for each token of a text. The texts below need up to 15.
const STEPS_PER_TOKEN: usize = 50;

/// Counts visited tokens; a test fails if there are more than allowed.
#[derive(Debug)]
pub(super) struct Steps {
    counted: Cell<usize>,
    allowed: Cell<usize>,
}

impl Steps {
    pub(super) fn for_tokens(tokens: &[Token]) -> Steps {
        Steps { counted: Cell::new(0), allowed: Cell::new(STEPS_PER_TOKEN * tokens.len()) }
    }

    /// Tokens of an imported file are parsed, too.
    pub(super) fn allow(&self, tokens: &[Token]) {
        self.allowed.set(self.allowed.get() + STEPS_PER_TOKEN * tokens.len());
    }

    pub(super) fn count(&self) {
        self.counted.set(self.counted.get() + 1);
        assert!(self.counted.get() <= self.allowed.get(), "the parser takes more than {} steps", self.allowed.get());
    }
}

/// Parses a text as a mechanism file, as an imported file, and as robots.
fn is_bounded(text: &str) {
    let outcome = std::panic::catch_unwind(|| {
        parse_text_with("m.mbs", text, &mut crate::refuse);
        let mut itself = |name: &str| Ok(Imported { path: name.to_owned(), text: text.to_owned() });
        parse_text_with("m.mbs", "import \"a.mbs\"; import \"b.mbs\" as b;", &mut itself);
        if let Ok(tokens) = text.parse() {
            parse_robot_tokens_with(tokens, &mut crate::refuse);
        }
    });
    assert!(outcome.is_ok(), "{text}");
}

/// Beginnings of all constructs of the grammar, and separators.
#[rustfmt::skip] // one piece per line says nothing
const PIECES: &[&str] = &[
    "planar", "spatial", "robot", "pub", "body", "joint", "joint kind", "part", "import", "function", "const", "param", "event",
    "curve", "switch", "discrete", "report", "stop", "initial", "exclusive", "prescribe", "contact", "coordinate", "speed",
    "constraint", "kinematics", "pose", "enum", "opaque", "for", "in", "on", "at", "as", "if", "else", "when", "every", "impulse",
    "sum", "kind", "a", "b", "1", "\"s.mbs\"", "\"s.urdf\"", "=", "==", "~", ":", ";", ",", ".", "..", "+", "-", "<", ">", "!",
    "#", "/// docs\n", "#[doc = \"d\"]", "()", "[]", "{}", "(a)", "[1, 2]", "{ a: 1 }", "= 1;", "in 0..2", "pub(crate)", "r#type",
];

fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => prop::sample::select(PIECES).prop_map(str::to_owned),
        1 => prop::sample::select(&KEYWORDS[..]).prop_map(str::to_owned),
    ]
}

/// Pieces in any order, in matching brackets.
fn soup() -> impl Strategy<Value = String> {
    let leaf = prop::collection::vec(piece(), 0..10).prop_map(|pieces| pieces.join(" "));
    leaf.prop_recursive(4, 40, 4, |inner| {
        let pair = prop::sample::select(&[("(", ")"), ("[", "]"), ("{", "}")][..]);
        prop::collection::vec((piece(), piece(), pair, inner), 1..4).prop_map(|parts| {
            let one = |(a, b, (open, close), inner): (String, String, (&str, &str), String)| {
                format!("{a} {b} {open} {inner} {close}")
            };
            parts.into_iter().map(one).collect::<Vec<_>>().join(" ")
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, rng_seed: RngSeed::Fixed(10), ..ProptestConfig::default() })]

    #[test]
    fn soup_takes_steps_in_proportion(text in soup()) {
        is_bounded(&text);
        is_bounded(&format!("planar M {{ {text} }}"));
        is_bounded(&format!("part p(a) {{ {text} }} joint kind K(a, b) {{ {text} }}"));
        is_bounded(&format!("planar M {{ event e = when a {{ {text} }} body b {{ {text} }} }}"));
    }
}

#[test]
fn a_word_of_rust_as_any_name_takes_steps_in_proportion() {
    let heads = [
        "part",
        "joint kind",
        "planar",
        "spatial",
        "robot",
        "const",
        "function",
        "event",
        "param",
        "body",
        "joint",
        "import \"a.urdf\" as",
    ];
    let tails = ["(a) { }", "(a, b) { }", "{ }", "= 1;", "= \"a.urdf\";", "", ";", "(", "()", "{ body b { mass: 1 } }"];
    for head in heads {
        for tail in tails {
            for word in KEYWORDS {
                is_bounded(&format!("{head} {word}{tail}"));
                is_bounded(&format!("planar M {{ {head} {word}{tail} body after {{ }} }}"));
            }
        }
    }
}

#[test]
fn mechanisms_and_repeated_pieces_take_steps_in_proportion() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../mechanisms");
    for entry in std::fs::read_dir(folder).expect("mechanisms/ lies beside the crates") {
        let path = entry.expect("a readable entry").path();
        if path.extension().is_some_and(|e| e == "mbs") {
            is_bounded(&std::fs::read_to_string(path).expect("a readable mechanism"));
        }
    }
    let pieces = [
        "a = 1",
        "a: b",
        "a b = 1",
        "param a = 1",
        "initial a = 1",
        "a a = b,",
        "a ~ b",
        "a if b",
        "part fn(a)",
        "joint kind",
        "a.b",
        "f(a) b",
        "[a] b",
        "event e = when a",
        "event e = when a { a = 1 }",
        "report on a",
        "for i in",
        "sum(a)",
        "a < b",
        "a == b ==",
        "function f: g<a",
        "pub",
        "planar",
        "part",
        "import",
        "import \"a.mbs\"",
        "# a",
        "/// a\n",
        "switch s: enum { a } = a",
        "else",
    ];
    for piece in pieces {
        let many = format!("{piece} ").repeat(600 / piece.split(' ').count());
        is_bounded(&many);
        is_bounded(&format!(
            "planar M {{ {many} body b {{ {many} }} let a = {many}; initial {many}; event e = when a {{ {many} }} }}"
        ));
        is_bounded(&format!("joint kind K(a, b) {{ {many} }} part p({many}) {{ {many} }}"));
    }
    // Longer than an expression may be.
    for piece in ["a = 1", "a: b", "param a = 1", "a b = 1"] {
        let many = format!("{piece} ").repeat(15_000 / piece.split(' ').count());
        for text in [
            format!("planar M {{ {many} }}"),
            format!("planar M {{ body b {{ {many} }} }}"),
            format!("planar M {{ initial {many} }}"),
        ] {
            is_bounded(&text);
        }
    }
}
