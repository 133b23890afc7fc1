//! Pages on registries and docs.rs: the tables of kinds are those of the catalogue, and links into the book lead somewhere.

use mbs_definition::Space;
use mbs_model::catalog::{Argument, Ends, Kind, Shape, forces, joints};

use crate::book::slug;
use crate::files::{read, root};

/// Address of the book for pages outside of the repository.
const BOOK: &str = "https://github.com/mbs-rs/mbs/blob/main/";

/// Escapes a text for a cell of a table: it contains no link, cell separator or markup, except code.
fn cell(text: &str) -> String {
    let escaped = |piece: &str| {
        piece.chars().fold(String::new(), |mut all, c| {
            if "|[]*<".contains(c) {
                all.push('\\');
            }
            all.push(c);
            all
        })
    };
    let pieces = text.split('`').enumerate();
    let pieces = pieces.map(|(k, piece)| if k % 2 == 0 { escaped(piece) } else { format!("`{piece}`") });
    pieces.collect()
}

/// The first sentences of a description, up to a minimal length.
fn first_line(docs: &str) -> &str {
    let mut lines = docs.match_indices(". ").map(|(dot, _)| &docs[..=dot]);
    lines.find(|line| line.chars().count() >= 60).unwrap_or(docs)
}

fn ends(ends: Ends) -> &'static str {
    match ends {
        Ends::Two => "2",
        Ends::OneOrTwo => "1 or 2",
        Ends::TwoJoints => "2 joints",
        Ends::TwoCurves => "2 curves",
        Ends::Coordinate => "a joint or coordinate",
    }
}

/// An argument, with its default if it has one.
fn argument(argument: &Argument) -> String {
    match (argument.shape, argument.default) {
        (Shape::Carrier, Some(_)) => format!("`{}` (none)", argument.name),
        (Shape::Axis, Some([x, y, z])) => format!("`{}` ({})", argument.name, cell(&format!("[{x}, {y}, {z}]"))),
        (_, Some([x, ..])) => format!("`{}` ({x})", argument.name),
        (_, None) => format!("`{}`", argument.name),
    }
}

fn row(page: &str, kind: &Kind) -> String {
    let arguments: Vec<String> = kind.arguments.iter().map(argument).collect();
    let (name, docs) = (kind.name, cell(first_line(kind.docs)));
    format!("| [`{name}`]({BOOK}docs/{page}#{name}) | {} | {} | {docs} |\n", ends(kind.ends), arguments.join(", "))
}

fn table(title: &str, note: &str, page: &str, kinds: &[Kind]) -> String {
    let rows: String = kinds.iter().map(|kind| row(page, kind)).collect();
    format!("\n# {title}\n\n{note}\n\n| kind | ends | arguments (default) | |\n|---|---|---|---|\n{rows}")
}

/// The tables of the macro's documentation: `UPDATE_EXPECT=1 cargo test -p mbs-tests published` writes them anew.
#[test]
fn the_macro_lists_every_kind_of_the_catalogue() {
    let joint = "An end is `body`, `body at [x, y]`, `body at com`, or a marker. P and A belong to the first, Q and B to the second. Coordinates measure the second end \
                 relative to the first. All take `cut: true`, to close a loop by rows, and `enabled`.";
    let force = "The value acts on the last end, the opposite on the first; with one end ground takes that. All take `enabled`.";
    let in_space = "Ends and senses are those of the plane; places have three components, and ends are frames.";
    let stated =
        "Ends and senses are those of the plane; forces and moments say in which axes they are, `[0, 0, 1] in ground`.";
    let expected = [
        table("Joints in the plane", joint, "joints.md", joints(Space::Planar)),
        table("Joints in space", in_space, "joints-in-space.md", joints(Space::Spatial)),
        table("Forces in the plane", force, "forces.md", forces(Space::Planar)),
        table("Forces in space", stated, "forces-in-space.md", forces(Space::Spatial)),
    ]
    .concat();
    let page = root().join("mbs-macros/src/kinds.md");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&page, &expected).unwrap_or_else(|e| panic!("{}: {e}", page.display()));
    }
    assert_eq!(read(&page), expected, "UPDATE_EXPECT=1 cargo test -p mbs-tests published");
}

#[test]
fn links_into_the_book_lead_somewhere() {
    let pages = ["mbs-macros/src/language.md", "mbs-macros/src/kinds.md", "mbs-macros/src/lib.rs", "src/lib.rs"];
    let readmes = ["crates/README.md", "crates/mbs-cli/README.md"];
    let mut count = 0;
    for page in pages.into_iter().chain(readmes) {
        let text = read(&root().join(page));
        for rest in text.split(BOOK).skip(1) {
            let link = rest.split([')', ' ', '\n', '>']).next().unwrap_or_default();
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = read(&root().join(file));
            let found = anchor.is_empty() || target.lines().filter(|l| l.starts_with('#')).any(|l| slug(l) == anchor);
            assert!(found, "{page}: no {link}");
            count += 1;
        }
    }
    assert!(count > 80, "the links are still found: {count}");
}
