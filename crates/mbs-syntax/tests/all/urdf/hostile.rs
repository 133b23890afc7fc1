//! Malicious or damaged files: few messages, each with its position, quickly, and no panic.

use std::time::{Duration, Instant};

use mbs_definition::Item;
use mbs_syntax::{Parsed, to_compile_error};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::urdf::{import, two_links};

/// Reads and renders; checks that every diagnostic has a position and every name is an identifier.
fn survives(urdf: &str) -> Parsed {
    let start = Instant::now();
    let parsed = import(urdf);
    assert!(parsed.errors.list().len() <= 100);
    for diagnostic in parsed.errors.list() {
        assert!(parsed.sources.excerpt(diagnostic.origin).is_some(), "{diagnostic} has no place in {urdf}");
        assert!(!diagnostic.message.contains(char::is_control), "{diagnostic:?}");
    }
    let _ = parsed.sources.render(parsed.errors.list());
    let _ = to_compile_error(parsed.errors.list(), &parsed.sources);
    for item in &parsed.definitions[0].items {
        if let Item::Declaration(d) = item {
            let name = &d.name.ident.text;
            assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'), "{name}");
            assert!(!d.docs.contains(['<', '\n', '\r']), "{}", d.docs);
        }
    }
    // The limit allows for debug builds on a busy machine.
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    parsed
}

fn refused(urdf: &str, code: &str) {
    let parsed = survives(urdf);
    assert!(parsed.errors.list().iter().any(|d| d.code == code), "{:?}", parsed.errors.list());
}

const MANY: usize = 100_000;

#[test]
fn bombs_of_entities_are_refused() {
    let mut bomb = "<!DOCTYPE robot [ <!ENTITY a0 \"aaaaaaaaaa\">".to_owned();
    for i in 1..20 {
        bomb += &format!("<!ENTITY a{i} \"{}\">", format!("&a{};", i - 1).repeat(10));
    }
    refused(&format!("{bomb} ]> <robot name=\"&a19;\"/>"), "MBS071");
    refused("<!DOCTYPE r [ <!ENTITY x SYSTEM \"file:///etc/passwd\"> ]> <robot name=\"&x;\"/>", "MBS071");
    refused("<!DOCTYPE r [ <!ENTITY % x SYSTEM \"http://localhost/\"> %x; ]> <robot name=\"r\"/>", "MBS071");
}

#[test]
fn deep_and_wide_documents_are_read_or_refused() {
    let deep = "<a>".repeat(MANY) + &"</a>".repeat(MANY);
    assert!(survives(&format!("<robot name=\"r\"> <link name=\"a\"/> {deep} </robot>")).errors.is_empty());
    refused(&format!("<robot name=\"r\"> {}", "<link name=\"a\"> ".repeat(MANY)), "MBS071");
    let attributes: String = (0..MANY).map(|i| format!(" a{i}=\"> \"")).collect();
    refused(&format!("<robot name=\"r\"> <link name=\"a\"{attributes}/> </robot>"), "MBS071");
    let namespaces: String = (0..MANY).map(|i| format!("<a xmlns:n{i}=\"{i}\">")).collect();
    refused(&format!("<robot name=\"r\"> {namespaces} </robot>"), "MBS071");
    refused(&format!("<robot name=\"r\"> {} </robot>", "<a/>".repeat(1_000_000)), "MBS071");
    refused(&format!("<robot name=\"r\"> {}", " ".repeat(17 << 20)), "MBS071");
    refused(&format!("<robot name=\"r\"> {} </robot>", "<link/>".repeat(1_000)), "MBS018");
    refused(&format!("<robot name=\"{}\"/>", "x".repeat(MANY)), "MBS018");
    refused(&two_links("fixed", &format!("<origin xyz=\"{}\"/>", "1 ".repeat(MANY)), ""), "MBS072");
    refused(&two_links("fixed", &format!("<origin xyz{}=\"1\"/>", " ".repeat(MANY)), ""), "MBS072");
    refused(&two_links("fixed", &format!("<origin {}=\"1\"/>", "é".repeat(MANY)), ""), "MBS017");
}

#[test]
fn long_chains_are_trees() {
    let links: String = (0..1_000).map(|i| format!("<link name=\"l{i}\"/>")).collect();
    let joint = |i: usize| {
        format!("<joint name=\"j{i}\" type=\"revolute\"> <parent link=\"l{i}\"/> <child link=\"l{}\"/> </joint>", i + 1)
    };
    let joints: String = (0..999).map(joint).collect();
    assert!(survives(&format!("<robot name=\"r\"> {links} {joints} </robot>")).errors.is_empty());
}

#[test]
fn names_of_the_file_become_no_code() {
    let urdf = two_links("fixed", "", "").replace("\"a\"", "\"a; } input evil; body b {\"");
    let parsed = survives(&urdf);
    assert!(parsed.errors.is_empty() && parsed.definitions[0].items.len() == 3);
}

/// Words and marks of the format, and some others.
#[rustfmt::skip] // one token per line says nothing
const TOKENS: &[&str] = &[
    "<robot name=\"r\">", "</robot>", "<link name=\"a\">", "<link name=\"b\"/>", "</link>", "<joint name=\"j\" type=\"revolute\">",
    "</joint>", "<parent link=\"a\"/>", "<child link=\"b\"/>", "<inertial>", "</inertial>", "<mass value=\"1\"/>", "<mass value=\"-1\"/>",
    "<inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/>", "<inertia ixx=\"1e308\" iyy=\"1e-308\" izz=\"-0\"/>",
    "<origin xyz=\"1 2 3\" rpy=\"1e300 0 0\"/>", "<origin/>", "<axis xyz=\"0 0 0\"/>", "<limit lower=\"1\" upper=\"0\"/>",
    "<dynamics damping=\"x\"/>", "<mimic joint=\"j\"/>", "<visual>", "</visual>", "<geometry>", "</geometry>", "<box size=\"1 1 1\"/>",
    "<mesh filename=\"m\"/>", "<material name=\"m\">", "</material>", "<color rgba=\"1 1 1 1\"/>", "<!-- -->", "<?pi?>", "<![CDATA[x]]>",
    "&amp;", "&#0;", "&x;", "<", ">", "\"", "'", "=", "/", "\u{0}", "é", "\u{202e}", "\u{feff}", "<!DOCTYPE r>", "xmlns:x=\"y\"", "<x:y/>",
];

fn soup() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(TOKENS), 0..25).prop_map(|tokens| tokens.join(" "))
}

fn sample() -> String {
    let inertial = "<inertial> <origin xyz=\"0 0 1\" rpy=\"0.1 0 0\"/> <mass value=\"2\"/>
<inertia ixx=\"1\" iyy=\"1.5\" izz=\"2\" ixy=\"0.1\" ixz=\"0\" iyz=\"0\"/> </inertial>";
    let visual = "<visual> <geometry> <box size=\"1 2 3\"/> </geometry> <material name=\"m\"> <color rgba=\"1 0 0 1\"/> </material> </visual>";
    let more = format!(
        "<link name=\"c-1\"> {inertial} {visual} </link> <joint name=\"k\" type=\"prismatic\"> <parent link=\"b\"/> <child link=\"c-1\"/>
<mimic joint=\"j\" multiplier=\"2\"/> </joint>"
    );
    two_links(
        "revolute",
        "<origin xyz=\"1 2 3\" rpy=\"0 1 0\"/> <axis xyz=\"0 1 0\"/> <limit lower=\"-1\" upper=\"1\"/>",
        &more,
    )
}

fn config() -> ProptestConfig {
    ProptestConfig { cases: 512, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() }
}

#[test]
fn torn_files_never_panic() {
    let sample = sample();
    assert!(survives(&sample).errors.is_empty());
    for end in (0..sample.len()).filter(|end| sample.is_char_boundary(*end)) {
        assert!(!survives(&sample[..end]).errors.is_empty());
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn token_soup_never_panics(text in soup()) {
        survives(&text);
        survives(&format!("<robot name=\"r\"> {text} </robot>"));
        survives(&two_links("revolute", &text, ""));
        survives(&format!("<robot name=\"r\"> <link name=\"a\"> {text} </link> </robot>"));
    }

    #[test]
    fn any_text_never_panics(text in "\\PC{0,80}") {
        survives(&text);
        survives(&format!("<robot name=\"{text}\"> <link name=\"{text}\"/> </robot>"));
        survives(&two_links(&text, "", &text));
    }

    #[test]
    fn any_number_never_panics(numbers in prop::collection::vec(any::<f64>(), 13)) {
        let [n, words @ ..] = &numbers.iter().map(f64::to_string).collect::<Vec<_>>()[..] else { return Ok(()) };
        let inertial = format!(
            "<inertial> <origin xyz=\"{n} {} {}\" rpy=\"{} {} {}\"/> <mass value=\"{}\"/>
<inertia ixx=\"{}\" iyy=\"{}\" izz=\"{}\" ixy=\"{}\" ixz=\"{}\" iyz=\"{}\"/> </inertial>",
            words[0], words[1], words[2], words[3], words[4], words[5], words[6], words[7], words[8], words[9], words[10], words[11],
        );
        survives(&format!("<robot name=\"r\"> <link name=\"a\"> {inertial} </link> </robot>"));
    }

    #[test]
    fn mutated_files_never_panic(
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0_usize..6, soup()), 1..4),
        removes in any::<bool>(),
    ) {
        let mut text = sample();
        for (place, removed, inserted) in edits {
            let indices: Vec<usize> = text.char_indices().map(|(i, _)| i).collect();
            let start = indices[place.index(indices.len())];
            let end = text[start..].char_indices().map(|(i, _)| start + i).nth(removed).unwrap_or(text.len());
            text.replace_range(start..end, if removes { "" } else { &inserted });
        }
        survives(&text);
    }
}
