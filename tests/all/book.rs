//! The book: every mechanism in it compiles, or fails with the stated code; its tables are those of the catalogue.
//!
//! Fences of `README.md` and `docs/*.md` that these tests check (Rust fences are documentation tests of the crate):
//!
//! - ` ```mbs ` compiles: a complete mechanism, or items, which are put into a separate mechanism;
//! - ` ```mbs,as bench ` does too, and gives its items a name;
//! - ` ```mbs,in bench ` compiles after the items of that name in the same file;
//! - ` ```mbs,space ` are items of a mechanism in space, which compiles;
//! - ` ```mbs,error MBS031 ` gives exactly one mistake, with that code;
//! - ` ```mbs,warning MBS052 ` compiles with exactly one warning, with that code.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use mbs_codegen::{Failure, Style, compile_text, rendered_warnings};
use mbs_compiler::compile::Options;
use mbs_definition::Space;
use mbs_model::catalog::{Kind, Shape, forces, joints};

use crate::files::{read, root};

fn pages() -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join("docs")).expect("the book lies in docs/");
    let mut pages: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    pages.retain(|page| page.extension().is_some_and(|e| e == "md"));
    pages.push(root().join("README.md"));
    pages.sort();
    pages
}

/// A fenced block of mechanism text.
#[derive(Debug, Default)]
struct Block {
    /// `docs/language.md:12`, for messages.
    location: String,
    text: String,
    /// ` ```mbs,as name `
    name: Option<String>,
    /// ` ```mbs,in name `
    context: Option<String>,
    /// ` ```mbs,error CODE `
    error: Option<String>,
    /// ` ```mbs,warning CODE `
    warning: Option<String>,
    /// ` ```mbs,space `
    is_spatial: bool,
}

fn blocks(page: &Path) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    let name = page.strip_prefix(root()).expect("pages lie in the repository").display().to_string();
    for (line, text) in read(page).lines().enumerate() {
        match (&mut open, text.trim_start().strip_prefix("```")) {
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(block), None) => {
                block.text.push_str(text);
                block.text.push('\n');
            }
            (None, Some(info)) => {
                let mut words = info.split(',').map(str::trim);
                let is_mechanism = words.next() == Some("mbs");
                let mut block = Block { location: format!("{name}:{}", line + 1), ..Block::default() };
                for word in words.filter(|_| is_mechanism) {
                    if word == "space" {
                        block.is_spatial = true;
                        continue;
                    }
                    match word.split_once(' ') {
                        Some(("as", it)) => block.name = Some(it.to_owned()),
                        Some(("in", it)) => block.context = Some(it.to_owned()),
                        Some(("error", it)) => block.error = Some(it.to_owned()),
                        Some(("warning", it)) => block.warning = Some(it.to_owned()),
                        _ => panic!("{}: unknown word `{word}` in the fence", block.location),
                    }
                }
                if !is_mechanism {
                    // The block is skipped to its end; an empty location marks it.
                    block.location.clear();
                }
                open = Some(block);
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "{name}: a fence is never closed");
    blocks.retain(|block| !block.location.is_empty());
    blocks
}

/// A complete mechanism unchanged; items in a separate mechanism, after those of their context.
fn mechanism(text: &str, context: &str, space: &str) -> String {
    let headers = ["planar ", "spatial ", "robot "];
    let begins =
        |line: &str| headers.iter().any(|header| line.strip_prefix("pub ").unwrap_or(line).starts_with(header));
    if text.lines().any(begins) { text.to_owned() } else { format!("{space} Snippet {{\n{context}{text}}}\n") }
}

/// Codes of the mistakes in a rendered message.
fn codes(rendered: &str) -> Vec<&str> {
    let starts = rendered.lines().filter_map(|line| line.strip_prefix("error: ["));
    starts.filter_map(|rest| rest.split(']').next()).collect()
}

/// Codes of the warnings in a rendered message.
fn warnings(rendered: &str) -> Vec<&str> {
    let starts = rendered.lines().filter_map(|line| line.strip_prefix("warning: ["));
    starts.filter_map(|rest| rest.split(']').next()).collect()
}

#[test]
fn mechanisms_of_the_book_compile_or_fail_as_stated() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for page in pages() {
        let mut named: BTreeMap<String, String> = BTreeMap::new();
        for block in blocks(&page) {
            count += 1;
            let context = block.context.as_ref().map_or("", |name| {
                named.get(name).unwrap_or_else(|| panic!("{}: nothing is called `{name}`", block.location))
            });
            let space = if block.is_spatial { "spatial" } else { "planar" };
            let text = mechanism(&block.text, context, space);
            let path = root().join(&block.location).display().to_string();
            match (compile_text(&path, &text, Options::default()), &block.error) {
                (Ok(compiled), None) => {
                    let rendered = rendered_warnings(&compiled, Style::Plain);
                    if let Some(code) = &block.warning
                        && warnings(&rendered) != [code]
                    {
                        wrong.push(format!("{}: {code} was expected\n{rendered}", block.location));
                    }
                }
                (Ok(_), Some(code)) => wrong.push(format!("{}: compiles, {code} was expected", block.location)),
                (Err(Failure::Mistakes(text)), Some(code)) if codes(&text) == [code] => {}
                (Err(failure), _) => wrong.push(format!("{}:\n{failure}", block.location)),
            }
            if let Some(name) = block.name {
                named.insert(name, block.text);
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(count > 50, "the blocks are still found: {count}");
}

/// The part of a page under `## title`.
fn part<'p>(page: &'p str, title: &str) -> &'p str {
    let heading = format!("\n## {title}\n");
    let start = page.find(&heading).unwrap_or_else(|| panic!("no heading {heading:?}")) + heading.len();
    let rest = &page[start..];
    &rest[..rest.find("\n## ").unwrap_or(rest.len())]
}

/// The section of a part under `### title`.
fn section<'p>(part: &'p str, title: &str) -> &'p str {
    let heading = format!("\n### {title}\n");
    let start = part.find(&heading).unwrap_or_else(|| panic!("no heading {heading:?}")) + heading.len();
    let rest = &part[start..];
    &rest[..rest.find("\n###").unwrap_or(rest.len())]
}

fn check_kind(part: &str, kind: &Kind) {
    let text = section(part, &format!("`{}`", kind.name));
    let name = kind.name;
    for argument in kind.arguments {
        assert!(text.contains(&format!("`{}`", argument.name)), "`{name}`: argument `{}` is missing", argument.name);
        if let Some([x, y, z]) = argument.default {
            let default = if argument.shape == Shape::Axis { format!("`[{x}, {y}, {z}]`") } else { format!("`{x}`") };
            assert!(text.contains(&default), "`{name}`: default {default} of `{}`", argument.name);
        }
    }
    for row in kind.rows.iter().filter(|row| !row.is_empty()) {
        assert!(text.contains(&format!("`{row}`")), "`{name}`: row `{row}` is missing");
    }
    for c in kind.coordinates {
        for word in [c.name, c.speed, c.acceleration] {
            assert!(text.contains(&format!("`{word}`")), "`{name}`: `{word}` is missing");
        }
    }
    assert!(text.contains(kind.source), "`{name}`: its source is `{}`", kind.source);
    assert!(text.contains("```mbs"), "`{name}` has an example");
}

/// The rows of the table at the start of a part: cells of the kind with a name.
fn overview<'p>(part: &'p str, name: &str) -> Vec<&'p str> {
    let start = format!("| `{name}` |");
    let line = part.lines().find(|line| line.starts_with(&start)).unwrap_or_else(|| panic!("no line {start:?}"));
    line.split('|').map(str::trim).collect()
}

#[test]
fn every_kind_of_the_catalogue_is_in_the_book() {
    let page = |name: &str| read(&root().join("docs").join(name));
    let parts = [
        ("joints.md", "Joints", joints(Space::Planar)),
        ("forces.md", "Forces", forces(Space::Planar)),
        ("joints-in-space.md", "Joints of space", joints(Space::Spatial)),
        ("forces-in-space.md", "Forces of space", forces(Space::Spatial)),
    ];
    for (name, title, kinds) in parts {
        let page = page(name);
        let part = part(&page, title);
        for kind in kinds {
            check_kind(part, kind);
        }
        let sections = part.lines().filter(|line| line.starts_with("### `")).count();
        assert_eq!(sections, kinds.len(), "{title}: the book has a kind that the catalogue does not have");
    }
    let page = page("joints-in-space.md");
    let spatial = part(&page, "Joints of space");
    for kind in joints(Space::Spatial) {
        assert_eq!(overview(spatial, kind.name)[2], kind.rows.len().to_string(), "rows of `{}`", kind.name);
    }
}

/// Codes that occur as literals in the sources of a folder.
fn literal_codes(folder: &Path, codes: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("sources are readable").flatten() {
        let path = entry.path();
        if path.is_dir() {
            literal_codes(&path, codes);
        } else if path.extension().is_some_and(|e| e == "rs") {
            let text = read(&path);
            let literals = text.split("\"MBS").skip(1).filter_map(|rest| rest.get(..3));
            codes.extend(literals.filter(|n| n.bytes().all(|b| b.is_ascii_digit())).map(|n| format!("MBS{n}")));
        }
    }
}

#[test]
fn every_code_is_in_the_book_and_fails_there() {
    let mut given = BTreeSet::new();
    for name in [
        "crates/mbs-syntax",
        "crates/mbs-builder",
        "crates/mbs-check",
        "mbs-codegen",
        "crates/mbs-import",
        "crates/mbs-resolve",
    ] {
        literal_codes(&root().join(name).join("src"), &mut given);
    }
    let page = root().join("docs/errors.md");
    let text = read(&page);
    let headings = text.lines().filter_map(|line| line.strip_prefix("### ")?.get(..6));
    let explained: BTreeSet<String> = headings.filter(|h| h.starts_with("MBS")).map(str::to_owned).collect();
    assert_eq!(explained, given, "headings of docs/errors.md (left), codes of the sources (right)");
    // The example of a code follows its heading. MBS099 is a bug of the compiler and has none.
    let shown: BTreeSet<String> = blocks(&page).into_iter().filter_map(|block| block.error.or(block.warning)).collect();
    given.remove("MBS099");
    assert_eq!(shown, given, "codes that have an example (left), codes of the sources (right)");
}

/// Variants of a public enum, by rustfmt's indentation.
fn variants(file: &str, name: &str) -> Vec<String> {
    let source = read(&root().join(file));
    let body = source.split_once(&format!("pub enum {name}")).expect("the enum is there").1;
    let body = body.split_once("\n}").expect("it ends").0;
    let variants = body.lines().filter_map(|line| line.strip_prefix("    "));
    let variants = variants.filter(|line| line.starts_with(char::is_uppercase));
    variants.map(|line| line.chars().take_while(|c| c.is_alphanumeric()).collect()).collect()
}

#[test]
fn errors_at_run_time_are_explained() {
    let page = read(&root().join("docs/errors.md"));
    let page = page.split_once("## At run time").expect("the page has a section of them").1;
    let mut all = variants("mbs-core/src/error.rs", "Error<");
    all.extend(variants("crates/mbs-simulation/src/cause.rs", "Cause").into_iter().filter(|cause| cause != "Run"));
    assert!(all.len() > 20, "{all:?}");
    for variant in all {
        assert!(page.contains(&format!("`{variant}")), "docs/errors.md does not explain `{variant}`");
    }
}

#[test]
fn links_of_the_book_lead_somewhere() {
    for page in
        pages().into_iter().chain(["ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(|p| root().join(p)))
    {
        let text = read(&page);
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if link.starts_with("http") || link.starts_with('#') {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = page.parent().expect("a page lies in a folder").join(file);
            assert!(target.exists(), "{}: no {link}", page.display());
            if !anchor.is_empty() {
                let slugs: Vec<String> = read(&target).lines().filter(|l| l.starts_with('#')).map(slug).collect();
                assert!(slugs.iter().any(|s| s == anchor), "{}: no #{anchor} among {slugs:?}", page.display());
            }
        }
    }
}

/// The anchor of a heading: lower case, spaces to hyphens, punctuation dropped.
pub(crate) fn slug(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    text.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c)).map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[test]
fn the_mechanism_of_the_snippets_is_the_one_shown() {
    let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for (page, file) in [("getting-started", "four_bar"), ("analyses", "slider_crank")] {
        let shown = blocks(&root().join(format!("docs/{page}.md"))).remove(0).text;
        let used = read(&root().join(format!("docs/{file}.rs")));
        assert!(squeezed(&used).contains(&squeezed(&shown)), "docs/{file}.rs declares something else");
    }
}

#[test]
fn a_mechanism_by_hand_takes_forty_lines() {
    let page = read(&root().join("docs/extending.md"));
    let start = page.find("struct Pendulum").expect("the type is in the book");
    let length = page[start..].find("\n}\n").expect("its contract ends") + 2;
    let is_code = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with("//");
    let lines = page[start..start + length].lines().filter(is_code).count();
    assert!((30..=40).contains(&lines), "{lines} lines");
}

/// Name and file of every example.
fn examples() -> Vec<(String, String)> {
    let entries = fs::read_dir(root().join("examples")).expect("there are examples");
    let mut names: Vec<String> = entries.map(|e| e.expect("an entry").file_name().to_string_lossy().into()).collect();
    names.sort();
    let file = |name: String| match name.strip_suffix(".rs") {
        Some(stem) => (stem.to_owned(), name),
        None => (name.clone(), format!("{name}/src/main.rs")),
    };
    names.into_iter().map(file).collect()
}

/// The first paragraph of an example's documentation.
fn first_paragraph(source: &str) -> String {
    let lines = source.lines().map_while(|line| line.strip_prefix("//!")).take_while(|line| !line.is_empty());
    lines.map(str::trim).collect::<Vec<_>>().join(" ")
}

/// The page is made from the examples: `UPDATE_EXPECT=1 cargo test --test book` writes it anew, `.ci/gallery` makes the pictures.
#[test]
fn the_gallery_lists_every_example() {
    let mut expected = "# Gallery\n\nEvery example, as the page that it writes shows it, and its source.\n".to_owned();
    for (name, file) in examples() {
        let words = first_paragraph(&read(&root().join("examples").join(&file)));
        assert!(!words.is_empty(), "{file} says what it is");
        expected.push_str(&format!(
            "\n## {name}\n\n{words}\n\n![{name}](gallery/{name}.png)\n\n[`examples/{file}`](../examples/{file}):\n\n\
             ```rust,ignore\n{{{{#include ../examples/{file}}}}}\n```\n"
        ));
        let picture = fs::metadata(root().join(format!("docs/gallery/{name}.png")));
        let size = picture.unwrap_or_else(|e| panic!("`.ci/gallery {name}`: {e}")).len();
        assert!((1_000..=60_000).contains(&size), "the picture of {name} has {size} bytes");
    }
    let page = root().join("docs/gallery.md");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&page, &expected).unwrap_or_else(|e| panic!("{}: {e}", page.display()));
    }
    assert_eq!(read(&page), expected, "UPDATE_EXPECT=1 cargo test --test book");
    assert!(read(&root().join("docs/SUMMARY.md")).contains("(gallery.md)"));
}
