//! A mistake gives one message in the complete pipeline, and no input makes the compiler panic or take long.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use expect_test::expect;
use mbs_codegen::{Failure, tokens};
use mbs_compiler::compile::Options;
use mbs_model::Formulation;
use proc_macro2::{TokenStream, TokenTree};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::mechanisms::by_tier;

/// The complete example of the language's description.
const SLIDER_CRANK: &str = include_str!("../../../crates/mbs-syntax/tests/all/shown/slider_crank.mbs");

/// Messages of the complete pipeline up to printed tokens, rendered.
fn mistakes(text: &str, formulation: Option<Formulation>) -> String {
    match tokens("m.mbs", text, Options { formulation, ..Options::default() }) {
        Ok(_) => String::new(),
        Err(failure) => {
            // `main` prints them with `Debug`.
            assert_eq!(format!("{failure:?}"), failure.to_string());
            let Failure::Mistakes(shown) = failure else { unreachable!("nothing is read") };
            shown
        }
    }
}

/// The first lines of messages.
fn titles(shown: &str) -> Vec<&str> {
    shown.lines().filter_map(|l| l.strip_prefix("error: ")).collect()
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

/// Replaces each token of the sample in turn, and lists the tokens whose replacement gives more than one message.
fn exceptions_of_replacements(replace: impl Fn(&str) -> String) -> String {
    let mut exceptions = Vec::new();
    for range in token_ranges(SLIDER_CRANK) {
        let mut text = SLIDER_CRANK.to_string();
        text.replace_range(range.clone(), &replace(&SLIDER_CRANK[range.clone()]));
        let start = Instant::now();
        let shown = mistakes(&text, None);
        let titles = titles(&shown);
        let before = SLIDER_CRANK[range.start.saturating_sub(16)..range.end].replace('\n', " ");
        assert!(start.elapsed() < Duration::from_secs(20), "{before}");
        // If a declared name changes, its references have no declaration: each has a message.
        let undeclared = titles.iter().all(|title| title.starts_with("[MBS010]"));
        if titles.len() > 1 && !undeclared {
            exceptions.push(format!("{before}<HERE> {titles:?}"));
        }
    }
    exceptions.join("\n")
}

#[test]
fn the_sample_compiles() {
    for formulation in [Formulation::Body, Formulation::Joint] {
        assert_eq!(mistakes(SLIDER_CRANK, Some(formulation)), "");
    }
}

#[test]
fn a_deleted_token_gives_one_message() {
    expect![[""]].assert_eq(&exceptions_of_replacements(|_| String::new()));
}

#[test]
fn a_doubled_token_gives_one_message() {
    expect![[""]].assert_eq(&exceptions_of_replacements(|token| format!("{token} {token}")));
}

/// Runs the whole pipeline; a panic shows the text that caused it.
fn assert_no_panic(text: &str) {
    let start = Instant::now();
    for formulation in [Formulation::Body, Formulation::Joint] {
        let outcome = catch_unwind(AssertUnwindSafe(|| mistakes(text, Some(formulation))));
        assert!(outcome.is_ok(), "panics in {formulation:?}:\n{text}");
    }
    let time = start.elapsed();
    assert!(time < Duration::from_secs(20), "{time:?}:\n{text}");
}

/// Items that compile alone or together: a random sequence of items gets to the late stages, which a random sequence of tokens does not.
const ITEMS: &[&str] = &[
    "body b { mass: 1, inertia: 0.1, com: [0.3, 0.1], angle: 0.4 }",
    "body c { mass: 2, inertia: 0.2, position: [1, 0] }",
    "body d { }",
    "particle p { mass: 1, position: [0.5, 0.5] }",
    "joint j1 = revolute(ground, b);",
    "joint j2 = revolute(b at [1, 0], c);",
    "joint j3 = prismatic(ground, c) { axis: [1, 1] };",
    "joint j4 = distance(b, p) { length: 0.7 };",
    "joint j5 = point_on_line(c, p) { axis: [0, 1] };",
    "joint j6 = free(ground, p);",
    "joint j7 = fixed(c, d) { angle: 0.3 };",
    "joint j8 = gear(j1, j2) { ratio: 2 };",
    "joint j9 = revolute(d, ground at [1, 0]) { cut: true };",
    "joint j0 = revolute(p, c);",
    "drive d1 = j1.angle == 0.4 + t;",
    "drive d2 = j3.position == sin(t);",
    "constraint c1 = position(b at [1, 0]).y == 0.2;",
    "constraint c2 = velocity(c).x + rate(b) == 0;",
    "constraint c3 = norm(position(p)) == 1;",
    "constraint c4 = angle(c) == abs(t);",
    "coupling k1 = j1.angle == 2 * j2.angle;",
    "coordinate s = 0.2;",
    "constraint c5 = position(p).x == cos(s);",
    "constraint c6 = position(p).y == sin(s);",
    "param q = 0.5;",
    "param zero = 0;",
    "input u;",
    "state z = 0 { rate: u - z };",
    "gravity: [0, -9.81];",
    "gravity: param [0, 0];",
    "force f1 = spring_damper(ground, c) { stiffness: 5, damping: 1, free_length: 0.1 };",
    "force f2 = torque(b, c) { torque: u };",
    "force f3 = point_force(p) { force: [z, 1 / zero] };",
    "force f4 = mobility(j1) { value: -q * j1.rate };",
    "force f5 = spring_damper(b, b at [1, 0]) { stiffness: 5 };",
    "potential v = -1 / distance(b, c);",
    "output o1 = position(c at com) in b;",
    "output o2 = load(d1) + reaction(j1).force.x;",
    "output o3 = j1.acceleration;",
    "output o4 = kinetic_energy + potential_energy + q.powi(7);",
    "output o5 = if j1.rate > 0 { sqrt(position(c).x) } else { atan2(0, 0) };",
    "initial j1.angle = 0.4;",
    "initial j1.rate = 1, position(c).x ~ 2;",
    "initial norm(velocity(p)) = 1;",
    "freedoms: 1;",
    "kernels: [kinematics, outputs];",
    "kernels: forward;",
    "budget: { operations: 1 };",
    "coordinates: body;",
];

/// Random sequences of tokens of the sample.
fn random_tokens() -> impl Strategy<Value = String> {
    let ranges = token_ranges(SLIDER_CRANK).into_iter();
    let words: Vec<String> = ranges
        .map(|range| SLIDER_CRANK[range].to_string())
        .chain(["[1, 0]", "(crank, rod)", "{ axis: [1, 0] }", "crank at com", "1e308", "0", "== 0;"].map(String::from))
        .collect();
    prop::collection::vec(prop::sample::select(words), 1..12).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: by_tier(40, 80), rng_seed: RngSeed::Fixed(7), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_tokens_never_panic(tokens in random_tokens(), position in 0..2000usize) {
        let position = (position % SLIDER_CRANK.len()..).find(|i| SLIDER_CRANK.is_char_boundary(*i)).unwrap_or(0);
        assert_no_panic(&format!("{}\n{tokens}\n{}", &SLIDER_CRANK[..position], &SLIDER_CRANK[position..]));
        assert_no_panic(&format!("planar M {{ {tokens} }}"));
    }

    #[test]
    fn mutated_samples_never_panic(seeds in prop::collection::vec((0..400usize, 0..400usize), 1..4)) {
        let tokens = token_ranges(SLIDER_CRANK);
        let mut text = SLIDER_CRANK.to_string();
        let mut swaps: Vec<_> = seeds.iter().map(|(i, j)| (i % tokens.len(), j % tokens.len())).collect();
        swaps.sort_unstable();
        swaps.dedup_by_key(|swap| swap.0);
        for (i, j) in swaps.into_iter().rev() {
            text.replace_range(tokens[i].clone(), &SLIDER_CRANK[tokens[j].clone()]);
        }
        assert_no_panic(&text);
    }

    #[test]
    fn numbers_of_any_size_never_panic(seeds in prop::collection::vec((0..100usize, 0..9usize), 1..3)) {
        let numbers: Vec<Range<usize>> = token_ranges(SLIDER_CRANK)
            .into_iter()
            .filter(|r| SLIDER_CRANK[r.clone()].starts_with(|c: char| c.is_ascii_digit()))
            .collect();
        let mut swaps: Vec<_> = seeds.iter().map(|(i, j)| (i % numbers.len(), *j)).collect();
        swaps.sort_unstable();
        swaps.dedup_by_key(|swap| swap.0);
        let mut text = SLIDER_CRANK.to_string();
        for (i, j) in swaps.into_iter().rev() {
            let number = ["0", "1e-320", "1e308", "1e-12", "1e12", "-1", "1e154", "7", "0.0000001"][j];
            text.replace_range(numbers[i].clone(), number);
        }
        assert_no_panic(&text);
    }

    #[test]
    fn random_items_never_panic(items in prop::sample::subsequence(ITEMS.to_vec(), 1..16)) {
        assert_no_panic(&format!("planar M {{\n{}\n}}", items.join("\n")));
    }

    #[test]
    fn few_random_items_never_panic(items in prop::sample::subsequence(ITEMS.to_vec(), 1..8), fixed in 0..4usize) {
        // Everything that others refer to is there.
        let base = [
            "body b { mass: 1, inertia: 1 } joint j1 = revolute(ground, b);",
            "body b { mass: 1, inertia: 1 } body c { mass: 1, inertia: 1 } joint j1 = revolute(ground, b); joint j2 = revolute(b at [1, 0], c);",
            "param q = 0.5; input u; particle p { mass: 1 } joint j6 = free(ground, p);",
            "param zero = 0; input u; state z = 1 { rate: u }; body c { mass: 1, inertia: 1 } joint j3 = prismatic(ground, c) { axis: [1, 0] };",
        ][fixed];
        let declared = |item: &&&str| !base.contains(&item.split([' ', ':']).take(2).collect::<Vec<_>>().join(" "));
        let items: Vec<&str> = items.iter().filter(declared).copied().collect();
        assert_no_panic(&format!("planar M {{\n{base}\n{}\n}}", items.join("\n")));
    }
}

#[test]
fn hostile_input_is_refused_quickly() {
    let sum = "q + ".repeat(4900);
    let chain: String = (1..60).map(|i| format!("let a{i} = a{} * a{};", i - 1, i - 1)).collect();
    let sines: String = (1..100).map(|i| format!("let a{i} = sin(a{});", i - 1)).collect();
    for items in [
        // Bombs of depth, length and repetition.
        format!("output y = {sum}1;"),
        format!("let a0 = angle(b); {chain} output y = a59;"),
        format!("let a0 = angle(b); {sines} constraint c = a99 == 0.1;"),
        format!("output y = {}angle(b){};", "(".repeat(127), ")".repeat(127)),
        format!("output y = {}angle(b){};", "sin(".repeat(100), ")".repeat(100)),
        "for i in 0..100000000 { param x[i] = 1; }".into(),
        "for i in 0..9000 { param x[i] = 1; }".into(),
        "output y = sum(sin(i * angle(b)) for i in 0..2000);".into(),
        "output y = sum(sum(sum(angle(b) for i in 0..100) for j in 0..100) for k in 0..100);".into(),
        "input u: [3000];".into(),
        "param m: [60, 60] = 1;".into(),
        // Exponents.
        "output y = angle(b).powi(1000000);".into(),
        "output y = angle(b).powi(-2147483648);".into(),
        "output y = angle(b).powi(99999999999);".into(),
        "constraint c = angle(b).powi(1000) == 0;".into(),
        "output y = powf(angle(b), 1e308);".into(),
        // Numbers that are not finite, or nearly so.
        "const x = 1 / 0; output y = x;".into(),
        "const x = 0 / 0; body d { mass: x }".into(),
        "param x = 1e308 * 10; output y = x;".into(),
        "joint far = distance(ground at [1e308, 0], b at [-1e308, 0]) { length: 1e308 };".into(),
        "body d { mass: 1e308, inertia: 1e308, com: [1e308, 1e308] } joint e = revolute(b at [1e308, 0], d);".into(),
        "body d { mass: 1e-308, inertia: 1e-320 } joint e = revolute(b at [1e-320, 0], d at [1e-200, 0]);".into(),
        "joint far = distance(ground at [1, 0], b at [0, 1]) { length: 1e-320 };".into(),
        "force f = spring_damper(ground, b) { stiffness: 1e308, damping: 1e308, free_length: 1e308 }; gravity: [1e308, -1e308];".into(),
        "drive d = angle(b) == exp(1000 * t) + 1 / t;".into(),
        "drive d = angle(b) == sqrt(t);".into(),
        "constraint c = exp(exp(exp(angle(b) + 5))) == 1;".into(),
        "initial j.angle = 1e300;".into(),
    ] {
        let text = format!("planar M {{ param q = 1; body b {{ mass: 1, inertia: 1 }} joint j = revolute(ground, b); {items} }}");
        let start = Instant::now();
        assert_no_panic(&text);
        let shown = &items[..items.len().min(70)];
        println!("{:?} {shown} {:?}", start.elapsed(), titles(&mistakes(&text, None)));
        // An exponential algorithm would take hours; others take a second, or more on a loaded machine.
        assert!(start.elapsed() < Duration::from_secs(120), "{:?} {shown}", start.elapsed());
    }
}
