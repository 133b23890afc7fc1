//! The fuzzer: inputs follow from seed and number, valid texts pass, failures are found and shrunk, and dead or idle workers are detected.

use std::time::Duration;

use mbs_fuzz::examine::{Verdict, examine};
use mbs_fuzz::make::make;
use mbs_fuzz::mutate::{MOST_BYTES, mutate};
use mbs_fuzz::seeds::Seeds;
use mbs_fuzz::shrink::shrink;
use mbs_fuzz::tokens::{items, tokens, values};
use mbs_fuzz::worker::Worker;
use mbs_fuzz::{Chance, File, Input, Kind};

fn text(text: &str) -> Input {
    Input {
        kind: Kind::Texts,
        files: vec![File { name: "m.mbs".to_owned(), text: text.to_owned() }],
        arguments: Vec::new(),
        choice: 0,
    }
}

const PENDULUM: &str = "planar Pendulum { gravity: [0, -9.81]; body rod { mass: 1, inertia: 0.1, com: [0, -0.5] } joint pin = revolute(ground, rod); }";

#[test]
fn inputs_follow_from_kind_seed_and_number() {
    let seeds = Seeds::from_repository();
    for kind in Kind::ALL {
        for number in 0..20 {
            assert_eq!(make(kind, 1, number, &seeds), make(kind, 1, number, &seeds));
        }
        assert_ne!(make(kind, 1, 0, &seeds), make(kind, 2, 0, &seeds), "{kind}");
    }
    assert!(seeds.texts.len() > 150 && seeds.urdfs.len() > 10 && seeds.tables.len() > 2, "seeds are still found");
}

#[test]
fn tokens_items_and_values_are_parts_of_the_text() {
    let joined: String = tokens(PENDULUM).into_iter().map(|token| &PENDULUM[token.bytes]).collect();
    assert_eq!(joined, PENDULUM);
    let items: Vec<&str> = items(PENDULUM).into_iter().map(|bytes| PENDULUM[bytes].trim()).collect();
    assert_eq!(items.len(), 3);
    assert_eq!(items[2], "joint pin = revolute(ground, rod);");
    let values: Vec<&str> = values(PENDULUM).into_iter().map(|bytes| PENDULUM[bytes].trim()).collect();
    assert_eq!(values, ["[0, -9.81]", "1", "0.1", "[0, -0.5]", "revolute(ground, rod)"]);
}

#[test]
fn mutations_keep_a_bound() {
    for number in 0..300 {
        let mut chance = Chance::new(7, number, 0);
        assert!(mutate(PENDULUM, PENDULUM, 6, &mut chance).len() <= MOST_BYTES);
    }
}

#[test]
fn valid_texts_pass_and_invalid_ones_are_refused() {
    assert_eq!(examine(&text(PENDULUM)), Verdict::Sound { is_compiled: true });
    assert_eq!(examine(&text("planar M { output y = x; }")), Verdict::Refused("MBS010".to_owned()));
}

#[test]
fn failures_are_shrunk_as_far_as_possible() {
    let long = text(&format!("{PENDULUM}\nplanar Other {{ output needle = 1; }}\n{PENDULUM}"));
    let smallest = shrink(&long, 10_000, &mut |input| input.files[0].text.contains("needle"));
    assert_eq!(smallest.files[0].text, "needle");
}

/// The law that a program of the system violates as a worker.
#[cfg(unix)]
fn law(program: &[&str], bound: u64) -> String {
    let program: Vec<String> = program.iter().map(|word| (*word).to_owned()).collect();
    match Worker::new(&program).verdict(&text(PENDULUM), Duration::from_millis(bound)).unwrap() {
        Verdict::Failed(failure) => failure.law,
        other => panic!("{other:?}"),
    }
}

#[cfg(unix)]
#[test]
fn dead_and_idle_workers_are_failures() {
    assert_eq!(law(&["sleep", "60"], 10), "it ends in time");
    assert_eq!(law(&["false"], 60_000), "the process lives");
    let overflow = "echo thread has overflowed its stack >&2; kill -ABRT $$";
    assert_eq!(law(&["sh", "-c", overflow], 60_000), "the stack is enough");
}

#[test]
fn a_few_inputs_of_each_kind_pass() {
    let seeds = Seeds::from_repository();
    for kind in [Kind::Texts, Kind::Urdfs, Kind::Tables] {
        for number in 0..60 {
            let input = make(kind, 25, number, &seeds);
            assert!(!matches!(examine(&input), Verdict::Failed(_)), "{kind} {number}: {:?}\n{input}", examine(&input));
        }
    }
}
