//! One mistake, one message, through parser and `resolve` together; and no input makes `resolve` panic, recurse without
//! bound, or take long.

use std::ops::Range;
use std::time::{Duration, Instant};

use expect_test::expect;
use mbs_resolve::resolve;
use mbs_syntax::parse_text;
use proc_macro2::{TokenStream, TokenTree};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::shown::{ROBOT, SLIDER_CRANK, ZOO};

/// Mechanisms without mistakes, in the plane and in space.
const SAMPLES: [&str; 2] = [SLIDER_CRANK, ROBOT];

/// Mistakes of the parser, or without any, of `resolve`: each stage stops at its end.
fn mistakes(text: &str) -> Vec<String> {
    let parsed = parse_text("m.mbs", text);
    let mut errors = parsed.errors;
    if errors.is_empty() {
        for definition in &parsed.definitions {
            errors.append(resolve(definition).err().unwrap_or_default());
        }
    }
    errors.list().iter().map(ToString::to_string).collect()
}

/// Checks that neither stage panics. If the parser found mistakes, `resolve` must fail.
fn survives(text: &str) {
    let parsed = parse_text("m.mbs", text);
    let broken = format!("{:?}", parsed.definitions).contains("Broken");
    for definition in &parsed.definitions {
        let resolved = resolve(definition);
        assert!(!broken || parsed.definitions.len() > 1 || resolved.is_err(), "{text}");
    }
}

/// Bytes of every token that is not a bracket or a comment.
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
    collect(text.parse().expect("the sample splits into tokens"), &mut ranges);
    ranges.retain(|range| !text[range.clone()].starts_with("//"));
    ranges
}

/// Replaces every token of a sample, one at a time; lists the edits that give more than `most` messages.
fn each_token(sample: &str, most: usize, replace: impl Fn(&str) -> String) -> String {
    let mut exceptions = Vec::new();
    for range in token_ranges(sample) {
        let mut text = sample.to_string();
        text.replace_range(range.clone(), &replace(&sample[range.clone()]));
        let errors = mistakes(&text);
        // A declared name that becomes another leaves its references without a declaration: a message at each.
        let undeclared = errors.iter().all(|error| error.starts_with("[MBS010]"));
        if errors.len() > most && !undeclared {
            let before = sample[range.start.saturating_sub(16)..range.end].replace('\n', " ");
            exceptions.push(format!("{before}<HERE> {errors:?}"));
        }
    }
    exceptions.join("\n")
}

#[test]
fn samples_have_no_mistakes() {
    for sample in SAMPLES {
        assert_eq!(mistakes(sample), [""; 0]);
    }
}

#[test]
fn a_deleted_token_gives_one_message() {
    expect![[""]].assert_eq(&each_token(SLIDER_CRANK, 1, |_| String::new()));
}

#[test]
fn a_doubled_token_gives_one_message() {
    expect![[""]].assert_eq(&each_token(SLIDER_CRANK, 1, |token| format!("{token} {token}")));
}

#[test]
fn a_misspelt_token_gives_one_message() {
    let misspelt = |token: &str| if token == "at" { token.to_string() } else { format!("{token}q") };
    expect![[""]].assert_eq(&each_token(SLIDER_CRANK, 1, misspelt));
}

#[test]
fn a_wrong_token_in_space_gives_few_messages() {
    // If an input becomes another item, its references have messages, too; if the parser continues, so has the rest of the item.
    expect![[""]].assert_eq(&each_token(ROBOT, 3, |_| String::new()));
    expect![[""]].assert_eq(&each_token(ROBOT, 3, |token| format!("{token}q")));
}

#[test]
fn deep_and_long_input_is_refused_quickly() {
    let sum = "crank_length + ".repeat(4900);
    let lets: String = (0..3000).map(|i| format!("let a{i} = a{} + a{};", i + 1, i + 1)).collect();
    let forward: String = (1..3000).map(|i| format!("let a{i} = a{} + a{};", i - 1, i - 1)).collect();
    let methods = ".sin()".repeat(120);
    let tests = "p < 1 && ".repeat(3000);
    for items in [
        format!("param crank_length = 1; output y = {sum}1; output z = rate({sum} t);"),
        format!("{lets} let a3000 = 1;"),
        format!("let a0 = t; {forward} output y = rate(a2999);"),
        format!("output y = t{methods};"),
        format!("param p = 1; let a = if {tests} p < 2 {{ 1 }} else {{ 2 }};"),
        format!("let a = {}1{};", "sum(".repeat(60), " for i in 0..10000)".repeat(60)),
        format!("{}param p[0] = 1; {}", "for i in 0..100 {".repeat(60), "}".repeat(60)),
        "input u: [10000, 10000];".into(),
        "param p = 2; output y = p.powi(1000000);".into(),
        "let m = m; output y = m.powi(2);".into(),
    ] {
        let start = Instant::now();
        survives(&format!("planar M {{ body b {{ }} joint j = free(ground, b); {items} }}"));
        let (time, shown) = (start.elapsed(), &items[..60.min(items.len())]);
        assert!(time < Duration::from_secs(10), "{time:?} for {shown}");
    }
}

/// Tokens of the samples and of the tests, in any order.
fn soup() -> impl Strategy<Value = String> {
    let words: Vec<String> = [SLIDER_CRANK, ROBOT, ZOO]
        .iter()
        .flat_map(|text| token_ranges(text).into_iter().map(|range| text[range].to_string()).collect::<Vec<_>>())
        .chain(
            ["[1, 0]", "(crank, rod)", "{ axis: [1, 0] }", "crank at com", "bodies at com", "== 0;"].map(String::from),
        )
        .collect();
    prop::collection::vec(prop::sample::select(words), 1..12).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, rng_seed: RngSeed::Fixed(2), ..ProptestConfig::default() })]

    #[test]
    fn token_soup_never_panics(soup in soup(), place in 0..4000usize) {
        // The tokens are inserted into a sample, where many of them have a meaning.
        let sample = SAMPLES[place % 2];
        let place = (place % sample.len()..).find(|i| sample.is_char_boundary(*i)).unwrap_or(0);
        survives(&format!("{}\n{soup}\n{}", &sample[..place], &sample[place..]));
        survives(&format!("planar M {{ {soup} }}"));
    }

    #[test]
    fn mutated_samples_never_panic(seeds in prop::collection::vec((0..800usize, 0..800usize), 1..6)) {
        let sample = SAMPLES[seeds[0].0 % 2];
        let tokens = token_ranges(sample);
        let mut text = sample.to_string();
        let mut swaps: Vec<_> = seeds.iter().map(|(i, j)| (i % tokens.len(), j % tokens.len())).collect();
        swaps.sort();
        swaps.dedup_by_key(|swap| swap.0);
        for (i, j) in swaps.into_iter().rev() {
            text.replace_range(tokens[i].clone(), &sample[tokens[j].clone()]);
        }
        survives(&text);
    }
}
