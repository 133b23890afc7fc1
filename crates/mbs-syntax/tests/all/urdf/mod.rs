//! `import "arm.urdf";`: robots in the mechanism language, messages with positions, and malicious files.

mod groups;
mod hostile;
mod imports;
mod items;
mod mistakes_of_elements;
mod mistakes_of_texts;
mod mistakes_of_trees;
mod mistakes_of_values;
mod robots;
mod solids;
mod standalone;

use expect_test::Expect;
use mbs_definition::Item;
use mbs_syntax::{Imported, Parsed, parse_text_with};

/// A spatial mechanism of `items` that may import one text under the name `r.urdf`.
fn parse(items: &str, urdf: &str) -> Parsed {
    let mut loader = |name: &str| match name {
        "r.urdf" => Ok(Imported { path: name.to_owned(), text: urdf.to_owned() }),
        _ => Err(format!("`{name}`: no such file")),
    };
    parse_text_with("m.mbs", &format!("spatial M {{ {items} }}"), &mut loader)
}

fn import(urdf: &str) -> Parsed {
    parse("import \"r.urdf\";", urdf)
}

/// The items of a sound robot in canonical text, one per line: those that the language has words for.
fn items_of(parsed: &Parsed) -> String {
    assert!(parsed.errors.is_empty(), "{}", errors_of(parsed));
    let items = parsed.definitions[0].items.iter().filter(|item| !is_data(item));
    items.map(|item| crate::shown::item(item) + "\n").collect()
}

fn is_data(item: &Item) -> bool {
    matches!(item, Item::Solid(_) | Item::Limits(_))
}

fn errors_of(parsed: &Parsed) -> String {
    parsed.sources.render(parsed.errors.list())
}

/// A robot with links `a` and `b`, joint `j` of `kind` with the elements `inside`, and the further elements `more`.
fn two_links(kind: &str, inside: &str, more: &str) -> String {
    format!(
        r#"<robot name="two">
<link name="a"/> <link name="b"/>
<joint name="j" type="{kind}"> <parent link="a"/> <child link="b"/>
{inside} </joint>
{more}</robot>"#
    )
}

/// The messages about a text.
fn refused(urdf: &str, expected: &Expect) {
    let parsed = import(urdf);
    assert!(!parsed.errors.is_empty(), "{urdf} is read");
    expected.assert_eq(&errors_of(&parsed));
}

/// The messages about a revolute joint with these elements.
fn refused_joint(inside: &str, expected: &Expect) {
    refused(&two_links("revolute", inside, ""), expected);
}

/// The messages about a link with these elements.
fn refused_link(inside: &str, expected: &Expect) {
    refused(&format!("<robot name=\"r\"> <link name=\"a\">\n{inside} </link> </robot>"), expected);
}
