//! Mechanisms that are not declared, in every analysis: one written by hand, one that wraps generated code and adds to it.
//!
//! The types are those of the examples. `laws` contains laws that every [`Mechanism`](mbs::Mechanism) must satisfy, stated by its
//! methods alone; `analyses` runs a mechanism through all analyses of the library.

mod analyses;
mod disc;
mod laws;
mod trolley;

#[path = "../../../examples/rolling_disc.rs"]
mod rolling_disc;
#[path = "../../../examples/trolley_on_wire.rs"]
mod trolley_on_wire;

/// The chapter on extending quotes the examples: blocks that are not compiled are literal quotations.
#[test]
fn the_book_quotes_the_examples() {
    let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let read = |path: &str| {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
        squeezed(&std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display())))
    };
    let examples = ["examples/rolling_disc.rs", "examples/trolley_on_wire.rs"].map(read);
    let chapter = read("docs/extending.md");
    let quotes: Vec<&str> =
        chapter.split("```rust,ignore ").skip(1).filter_map(|rest| rest.split(" ```").next()).collect();
    assert_eq!(quotes.len(), 4);
    for quote in quotes {
        assert!(examples.iter().any(|example| example.contains(quote)), "no example says: {quote}");
    }
}
