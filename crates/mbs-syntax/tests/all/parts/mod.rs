//! Parts: the meaning of instances and arguments, messages, and parts of other files.

mod changes;
mod files;
mod hostile;
mod meaning;
mod mistakes;
mod names;

use mbs_expr::{ExprId, Exprs};
use mbs_model::Model;
use mbs_resolve::resolve;
use mbs_syntax::{Imported, Parsed, parse_text_with};

/// Files by name.
type Files<'f> = &'f [(&'f str, &'f str)];

/// Parses a text that may import some files.
fn parsed(text: &str, files: Files<'_>) -> Parsed {
    let mut loader = |name: &str| {
        let file = files.iter().find(|(known, _)| *known == name);
        let (_, text) = file.ok_or_else(|| "no such file".to_owned())?;
        Ok(Imported { path: name.to_owned(), text: (*text).to_owned() })
    };
    parse_text_with("m.mbs", text, &mut loader)
}

/// The model of a text without mistakes that may import some files.
fn model_with(text: &str, files: Files<'_>) -> Model {
    let parsed = parsed(text, files);
    assert!(parsed.errors.is_empty(), "{}", parsed.sources.render(parsed.errors.list()));
    match resolve(&parsed.definitions[0]) {
        Ok(model) => model,
        Err(errors) => panic!("{}", parsed.sources.render(errors.list())),
    }
}

fn model(text: &str) -> Model {
    model_with(text, &[])
}

/// Mistakes of a text that may import some files, rendered.
fn mistakes_with(text: &str, files: Files<'_>) -> String {
    let parsed = parsed(text, files);
    let mut all = parsed.errors.list().to_vec();
    if all.is_empty() {
        for definition in &parsed.definitions {
            all.extend(resolve(definition).err().iter().flat_map(|errors| errors.list().to_vec()));
        }
    }
    parsed.sources.render(&all)
}

fn mistakes(text: &str) -> String {
    mistakes_with(text, &[])
}

/// Replaces the text between `start` and the next `)`.
fn replaced(text: &str, start: &str, by: impl Fn(&str) -> String) -> String {
    let mut pieces = text.split(start);
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (inside, rest) = piece.split_once(')').expect("a number in parentheses");
        out += &by(inside);
        out += rest;
    }
    out
}

/// A model as text without origins, with expressions written out and names as in Rust.
fn content(model: &Model) -> String {
    let mut written: Vec<String> = Vec::new();
    let expression = |text: &str, written: &[String]| {
        replaced(text, "ExprId(", |id| written[id.parse::<usize>().expect("an index")].clone())
    };
    for index in 0..model.exprs.len() {
        let op = format!("{:?}", model.exprs.op(ExprId(index as u32)));
        written.push(expression(&op, &written));
    }
    let mut model = model.clone();
    model.exprs = Exprs::default();
    let shown = replaced(&format!("{model:?}"), "Origin(", |_| String::new());
    let shown = expression(&shown, &written);
    let pieces = shown.split('"').enumerate().map(|(i, piece)| match i % 2 {
        1 => format!("\"{}\"", mbs_model::flat_name(piece)),
        _ => piece.to_owned(),
    });
    pieces.collect::<String>().replace(" }, ", " },\n").replace("rows:", "\nrows:")
}

/// Checks that a text with parts and one without parts have equal models.
fn assert_means(with_parts: &str, without: &str) {
    let (found, expected) = (content(&model(with_parts)), content(&model(without)));
    let differs = found.lines().zip(expected.lines()).position(|(a, b)| a != b);
    if let Some(i) = differs {
        let around = |text: &str| text.lines().skip(i.saturating_sub(6)).take(12).collect::<Vec<_>>().join("\n");
        panic!("{with_parts}\n{}\n---\n{}", around(&found), around(&expected));
    }
    assert_eq!(found.lines().count(), expected.lines().count(), "{with_parts}");
}
