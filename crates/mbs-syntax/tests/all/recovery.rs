//! One mistake, one message: every token of the samples is deleted, doubled and replaced, one at a time.

use std::ops::Range;

use expect_test::expect;
use mbs_definition::{Declaration, Item};
use mbs_syntax::Parsed;
use proc_macro2::{TokenStream, TokenTree};

use crate::shown::{SLIDER_CRANK, ZOO, errors_of, item, items_shown, parse_sample};
use crate::tier::by_tier;

/// Bytes of every token that is not a bracket or a comment: without a bracket the text does not split into tokens.
fn token_ranges(text: &str) -> Vec<Range<usize>> {
    fn collect(stream: TokenStream, ranges: &mut Vec<Range<usize>>) {
        for token in stream {
            match token {
                TokenTree::Group(group) => collect(group.stream(), ranges),
                leaf => ranges.push(leaf.span().byte_range()),
            }
        }
    }
    let mut ranges = Vec::new();
    collect(text.parse().unwrap(), &mut ranges);
    ranges.retain(|range| !text[range.clone()].starts_with("//"));
    ranges
}

/// The items in canonical text, including those of loops.
fn items(parsed: &Parsed) -> Vec<String> {
    fn collect(items: &[Item], shown: &mut Vec<String>) {
        for one in items {
            match one {
                Item::Loop(l) => collect(&l.items, shown),
                Item::Part(p) => collect(&p.items, shown),
                Item::Declaration(Declaration { docs, .. }) => {
                    let text = item(one);
                    shown.push(if docs.is_empty() { text } else { text.split_once("*/ ").unwrap().1.to_owned() });
                }
                _ => shown.push(item(one)),
            }
        }
    }
    let mut shown = Vec::new();
    parsed.definitions.iter().for_each(|d| collect(&d.items, &mut shown));
    shown
}

/// Replaces each token by the result of `edit`. Lists the edits that give more than `messages` messages, and those
/// after which more items are missing than the edited one.
fn each_token(messages: usize, edit: impl Fn(&str) -> String) -> String {
    let exceptions: Vec<String> =
        [SLIDER_CRANK, ZOO].iter().flat_map(|text| exceptions(text, messages, &edit)).collect();
    exceptions.join("\n")
}

fn exceptions(text: &str, messages: usize, edit: &impl Fn(&str) -> String) -> Vec<String> {
    let whole = items(&parse_sample(text));
    let mut exceptions = Vec::new();
    for range in token_ranges(text) {
        let edited = format!("{}{}{}", &text[..range.start], edit(&text[range.clone()]), &text[range.end..]);
        let parsed = parse_sample(&edited);
        let left = items(&parsed);
        let lost = whole.iter().filter(|item| !left.contains(item)).count();
        if parsed.errors.list().len() > messages || lost > 1 {
            let line = edited[range.start..].lines().next().unwrap_or("");
            let start = edited[..range.start].rfind('\n').map_or(0, |i| i + 1);
            let before = &edited[start..range.start];
            let codes: Vec<String> = parsed.errors.list().iter().map(|d| d.message.clone()).collect();
            exceptions.push(format!("{}<HERE>{line} -- {lost} lost, {codes:?}", before.trim_start()));
        }
    }
    exceptions
}

#[test]
fn a_deleted_token_gives_one_message_and_loses_no_other_item() {
    assert_eq!(each_token(1, |_| String::new()), "");
}

#[test]
fn a_doubled_token_gives_one_message_and_loses_no_other_item() {
    assert_eq!(each_token(1, |token| format!("{token} {token}")), "");
}

/// Two mistakes at once, a missing token and a wrong one: up to three messages. Without `for` the loop is lost;
/// with `=` for `;` the next option goes with this one.
#[test]
fn a_wrong_token_loses_no_other_item() {
    expect![[r#"<HERE> @  i in 0..N { body link[i] { mass: i + 1 } joint hinge[i] = revolute(link[i], link[i + 1]) { axis: [0, 0, 1] }; } -- 2 lost, ["expected an item, found `@`"]"#]].assert_eq(&each_token(1, |_| " @ ".to_owned()));
    let wrong: [&str; 8] = [",", "1", "()", "\"text\"", ";", "=", ":", "wrong"];
    for wrong in wrong.into_iter().take(by_tier(3, 8)) {
        let replace = |token: &str| match (token, wrong) {
            ("for", _) | (";", "=") => token.to_owned(),
            _ => format!(" {wrong} "),
        };
        let exceptions = each_token(3, replace);
        assert_eq!(exceptions, "", "{wrong}");
    }
}

#[test]
fn broken_items_keep_their_names() {
    for broken in
        ["joint pin = ;", "joint pin revolute(a, b);", "joint pin = 1 2;", "joint pin = [1 +] +;", "joint pin 3"]
    {
        assert!(items_shown(broken).starts_with("joint pin = ?;"), "{broken}: {}", items_shown(broken));
    }
    assert!(items_shown("joint pin = revolute(a at, b);").starts_with("joint pin = revolute(?, b);"));
    assert!(items_shown("body a { mass: , inertia: 2 }").starts_with("body a { mass: ?, inertia: 2 };"));
    assert!(items_shown("gravity: ;").starts_with("gravity: ?;"));
    assert!(items_shown("crank { mass: 1 }").starts_with("crank crank = ?;"));
}

#[test]
fn every_item_of_a_file_is_checked() {
    let errors =
        errors_of("param a = ;\nparam b = 1\nbody c { mass = 1, inertia: }\nlet d = x ^ 2 % 3;\nlet e = [1 2];");
    assert_eq!(errors.matches("error: ").count(), 7);
}
