//! The four-bar and Andrews' mechanism: everyone against code by hand.

use std::fmt::Write;

use mbs_bench::{Candidate, Case, Executable, Timing, Way, for_each_case, measure};

use crate::Part;
use crate::format::{bytes, ns};

/// Mechanism, what tables call it, and how many times the time by hand the engine may take.
const MECHANISMS: [(&str, &str, f64); 2] = [("four_bar", "four-bar", 8.0), ("andrews", "Andrews", 4.0)];

/// Who is shown, in this order.
const WAYS: [Way; 6] = [Way::Hand, Way::Generated, Way::Fused, Way::Staged, Way::Interpreted, Way::Engine];

/// Times of one mechanism: coordinates, who, how long.
type Timings = Vec<(&'static str, Way, Timing)>;

/// Times both mechanisms.
pub fn part() -> Part {
    let mut part = Part::default();
    part.table += "### Against code by hand\n\n\
                   | mechanism | coordinates | code | operations | critical path | text \\[bytes\\] | ns | by hand / this |\n\
                   |---|---|---|---:|---:|---:|---:|---:|\n";
    for (name, title, bound) in MECHANISMS {
        eprintln!("timing {title}");
        let mut cases = Vec::new();
        for_each_case(&|wanted| wanted == name, &mut |case| cases.push(case));
        let timings = timings(&mut cases);
        let of = |coordinates: &str, way: Way| {
            let found = timings.iter().find(|t| (t.0, t.1) == (coordinates, way));
            found.expect("everyone was timed").2.nanoseconds
        };
        let hand = of("body", Way::Hand);
        write_rows(&mut part.table, title, &cases, &timings, hand);
        let [generated, engine] = [Way::Generated, Way::Engine].map(|way| ["body", "joint"].map(|c| of(c, way) / hand));
        let _ = writeln!(
            part.findings,
            "- {title}: generated code is {:.1} times as fast as code by hand in body coordinates, where both solve the same \
             equations, and {:.1} times in joint coordinates; the engine takes {:.2} times (bound: {bound}) and {:.2} times the \
             time by hand.",
            1.0 / generated[0],
            1.0 / generated[1],
            engine[0],
            engine[1]
        );
    }
    part
}

/// Everyone of both formulations, in turn.
fn timings(cases: &mut [Case]) -> Timings {
    let mut who = Vec::new();
    let mut candidates: Vec<&mut Candidate> = Vec::new();
    for case in cases {
        let coordinates = case.coordinates();
        who.extend(case.candidates.iter().map(|candidate| (coordinates, candidate.way)));
        candidates.extend(&mut case.candidates);
    }
    let timings = measure(&mut candidates);
    who.into_iter().zip(timings).map(|((coordinates, way), timing)| (coordinates, way, timing)).collect()
}

fn write_rows(table: &mut String, title: &str, cases: &[Case], timings: &Timings, hand: f64) {
    let executable = Executable::this();
    for case in cases {
        let coordinates = case.coordinates();
        for way in WAYS {
            let Some((.., timing)) = timings.iter().find(|t| (t.0, t.1) == (coordinates, way)) else { continue };
            let costs = match way {
                Way::Generated => {
                    let text = bytes(executable.accelerations(coordinates, case.module));
                    let c = &case.counts;
                    format!("{} + {} sincos | {} | {text}", c.operations, c.sincos, c.critical_path)
                }
                _ => "| |".to_owned(),
            };
            let (time, ratio) = (ns(timing.nanoseconds), hand / timing.nanoseconds);
            let _ = writeln!(table, "| {title} | {coordinates} | {} | {costs} | {time} | {ratio:.2} |", way.name());
        }
    }
}
