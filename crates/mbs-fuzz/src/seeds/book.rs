//! Mechanisms in the fences of a page, as `tests/all/book.rs` of the root crate reads them.

use std::collections::BTreeMap;

/// All mechanisms of a page; items are put into a separate mechanism, after those of their context.
pub fn mechanisms(page: &str) -> Vec<String> {
    let mut list = Vec::new();
    let mut named: BTreeMap<String, String> = BTreeMap::new();
    let mut fences = page.split("\n```");
    fences.next();
    while let Some(fence) = fences.next() {
        // The next part follows the end of this fence.
        fences.next();
        let Some((info, text)) = fence.split_once('\n') else { continue };
        let mut words = info.split(',').map(str::trim);
        if words.next() != Some("mbs") {
            continue;
        }
        let (mut space, mut context, mut name) = ("planar", "", None);
        for word in words {
            match word.split_once(' ') {
                None if word == "space" => space = "spatial",
                Some(("in", of)) => context = named.get(of).map_or("", String::as_str),
                Some(("as", of)) => name = Some(of.to_owned()),
                _ => {}
            }
        }
        list.push(mechanism(text, context, space));
        if let Some(name) = name {
            named.insert(name, format!("{text}\n"));
        }
    }
    list
}

fn mechanism(text: &str, context: &str, space: &str) -> String {
    let headers = ["planar ", "spatial ", "robot "];
    let begins =
        |line: &str| headers.iter().any(|header| line.strip_prefix("pub ").unwrap_or(line).starts_with(header));
    match text.lines().any(begins) {
        true => text.to_owned(),
        false => format!("{space} Snippet {{\n{context}{text}\n}}\n"),
    }
}
