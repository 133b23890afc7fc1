//! Reads the XML document, and the robot in it.

use std::ops::Range;

use roxmltree::{Document, Error, Node, ParsingOptions};

use super::element::{Reader, XACRO, children, printable_name};
use super::options::MOST_BYTES;
use super::robot::Robot;
use super::{Read, joints, links, shapes};

/// Largest number of links of a robot, and of joints.
pub const MOST_LINKS: usize = 2_000;

/// Largest number of nodes of a document: elements, texts, comments.
const MOST_NODES: u32 = 1_000_000;

/// Largest number of quotes in one tag, two per attribute: the parser compares every two attributes.
const MOST_QUOTES: usize = 2_000;

/// Largest number of declarations of namespaces: the parser copies them at every element that adds one.
const MOST_NAMESPACES: usize = 100;

/// Reads the robot, without the checks of [`tree`](super::tree).
pub(super) fn robot(reader: &mut Reader) -> Read<Robot> {
    let text = reader.text;
    refuse_excess(reader)?;
    let options = ParsingOptions { allow_dtd: false, nodes_limit: MOST_NODES, entity_resolver: None };
    let document = match Document::parse_with_options(text, options) {
        Ok(document) => document,
        Err(error) => return malformed(&error, reader),
    };
    let root = document.root_element();
    let start = reader.start_tag(root);
    if root.tag_name().name() != "robot" {
        let message =
            format!("the file begins with `<{}>`, not with `<robot>`", printable_name(root.tag_name().name()));
        return reader.fail("MBS071", &start, message, Some("URDF is read, other formats are not"));
    }
    refuse_macros(root, reader)?;
    let name = reader.required_name(root, "name", "the robot");
    let materials = shapes::materials(root, reader);
    refuse_many(root, reader)?;
    // All links and joints are read before a mistake ends the reading, so that all mistakes are reported.
    let links: Vec<Read<_>> = children(root, "link").map(|node| links::link(node, &materials, reader)).collect();
    let joints: Vec<Read<_>> = children(root, "joint").map(|node| joints::joint(node, reader)).collect();
    if links.is_empty() {
        return reader.fail("MBS018", &start, "the robot has no links", Some("write `<link name=\"…\"/>`"));
    }
    let links = links.into_iter().collect::<Read<Vec<_>>>()?;
    let joints = joints.into_iter().collect::<Read<Vec<_>>>()?;
    Ok(Robot { name: name?, links, joints })
}

const PLAIN: &str = "import the robot alone, without what other programs added to its file";

/// Refuses a text that would make the parser slow or large.
fn refuse_excess(reader: &mut Reader) -> Read<()> {
    let text = reader.text;
    if text.len() > MOST_BYTES {
        return reader.fail("MBS071", &(0..0), format!("the file has more than {MOST_BYTES} bytes"), Some(PLAIN));
    }
    let mut quotes = 0;
    for (start, byte) in text.bytes().enumerate() {
        match byte {
            b'<' => quotes = 0,
            b'"' | b'\'' => quotes += 1,
            _ => {}
        }
        if quotes > MOST_QUOTES {
            return reader.fail("MBS071", &(start..start + 1), "this element has too many attributes", Some(PLAIN));
        }
    }
    match text.match_indices("xmlns").nth(MOST_NAMESPACES) {
        Some((start, _)) => {
            reader.fail("MBS071", &(start..start + 5), "the file declares too many namespaces", Some(PLAIN))
        }
        None => Ok(()),
    }
}

fn refuse_many(root: Node, reader: &mut Reader) -> Read<()> {
    for name in ["link", "joint"] {
        if let Some(node) = children(root, name).nth(MOST_LINKS) {
            let start = reader.start_tag(node);
            return reader.fail("MBS039", &start, format!("the robot has more than {MOST_LINKS} {name}s"), Some(PLAIN));
        }
    }
    Ok(())
}

/// Refuses elements of xacro, which are macros for links and joints.
fn refuse_macros(root: Node, reader: &mut Reader) -> Read<()> {
    let is_macro = |node: &Node| node.tag_name().namespace().is_some_and(|namespace| namespace.ends_with("xacro"));
    match root.descendants().find(is_macro) {
        Some(node) => {
            let start = reader.start_tag(node);
            let message = format!("`{}` is a macro of xacro", printable_name(node.tag_name().name()));
            reader.fail("MBS071", &start, message, Some(XACRO))
        }
        None => Ok(()),
    }
}

/// Reports why the text is not XML.
fn malformed(error: &Error, reader: &mut Reader) -> Read<Robot> {
    let text = reader.text;
    let (bytes, message, help) = match error {
        _ if text.trim().is_empty() => (0..0, "the file is empty".to_owned(), Some(FORM)),
        _ if !text.trim_start().starts_with('<') => (0..0, "this is not XML".to_owned(), Some(FORM)),
        Error::DtdDetected => {
            let start = text.find("<!DOCTYPE").unwrap_or(0);
            let message = "document types are refused, and with them entities".to_owned();
            (covering(text, start), message, Some("leave it out, and write what its entities stand for"))
        }
        Error::NodesLimitReached => (
            0..0,
            format!("the file has more than {MOST_NODES} nodes"),
            Some("import a file of its own for each robot"),
        ),
        Error::UnclosedRootNode | Error::UnexpectedEndOfStream | Error::NoRootNode => {
            let end = text.trim_end().len();
            (end..end, "the file ends too early".to_owned(), Some("close every element"))
        }
        _ => {
            let (message, help) = explain(error, text);
            (covering(text, offset(error, text)), message, Some(help))
        }
    };
    reader.fail("MBS071", &bytes, message, help)
}

const FORM: &str = "a robot is written `<robot name=\"…\"> … </robot>`";

/// Error message for the position at which the parser stopped, and help.
fn explain(error: &Error, text: &str) -> (String, &'static str) {
    const MARK: &str = "write `&amp;` for `&`, `&lt;` for `<`";
    let found = match text.get(offset(error, text)..).and_then(|rest| rest.chars().next()) {
        Some(c) if !c.is_control() => format!("`{}`", shown_mark(c)),
        _ => "the end of the line".to_owned(),
    };
    match error {
        Error::UnknownNamespace(prefix, _) if prefix == "xacro" => ("this is a macro of xacro".to_owned(), XACRO),
        Error::UnknownNamespace(prefix, _) => {
            (format!("the prefix `{}` is not declared", printable_name(prefix)), "declare it, `xmlns:prefix=\"…\"`")
        }
        Error::UnexpectedCloseTag(expected, actual, _) => {
            let message =
                format!("`</{}>` is where `</{}>` is expected", printable_name(actual), printable_name(expected));
            (message, "close elements in the reverse order of their start, or with `/>`")
        }
        Error::UnknownEntityReference(name, _) => (format!("there is no entity `{}`", printable_name(name)), MARK),
        Error::MalformedEntityReference(_) => ("`&` begins no entity here".to_owned(), MARK),
        Error::InvalidAttributeValue(_) => ("`<` is in the value of an attribute".to_owned(), MARK),
        Error::DuplicatedAttribute(name, _) => {
            (format!("the attribute `{}` is given twice", printable_name(name)), "leave one of them out")
        }
        Error::NonXmlChar(..) => ("this character has no place in XML".to_owned(), "leave it out"),
        Error::InvalidChar(expected, ..) => {
            let message = format!("expected `{}`, found {found}", char::from(*expected));
            (message, "attributes are written `name=\"value\"`, elements `<name …>` or `<name …/>`")
        }
        Error::InvalidChar2(expected, ..) => {
            (format!("expected {expected}, found {found}"), "attributes are written `name=\"value\"`")
        }
        Error::UnexpectedDeclaration(_) => {
            ("`<?xml … ?>` is where it may not be".to_owned(), "it may only begin the file")
        }
        Error::InvalidComment(_) => ("`--` is in a comment".to_owned(), "comments are written `<!-- … -->`"),
        _ => (format!("{found} does not belong here"), "elements are written `<name …> … </name>` or `<name …/>`"),
    }
}

fn shown_mark(c: char) -> String {
    if c.is_ascii_graphic() { c.to_string() } else { printable_name(&c.to_string()) }
}

/// The byte where the parser stopped; the parser counts lines and characters.
fn offset(error: &Error, text: &str) -> usize {
    let pos = error.pos();
    let start: usize = text.split_inclusive('\n').take(pos.row.saturating_sub(1) as usize).map(str::len).sum();
    let rest = text.get(start..).unwrap_or("");
    start + rest.char_indices().nth(pos.col.saturating_sub(1) as usize).map_or(rest.len(), |(i, _)| i)
}

/// The bytes of the word at `start`, with the mark at its beginning.
fn covering(text: &str, start: usize) -> Range<usize> {
    let rest = text.get(start..).unwrap_or("");
    let first = rest.chars().next().map_or(0, char::len_utf8);
    let word = rest.get(first..).unwrap_or("");
    let length = word.find(|c: char| !(c.is_alphanumeric() || "!/:_".contains(c))).unwrap_or(word.len());
    start..start + first + length
}
