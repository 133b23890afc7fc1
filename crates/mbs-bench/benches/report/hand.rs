//! The four-bar and Andrews' mechanism: all methods against code by hand.

use std::fmt::Write;

use mbs_bench::{Candidate, Case, Executable, Method, Timing, for_each_case, measure};

use crate::Part;
use crate::format::{bytes, ns};

/// Mechanism, its title in tables, and the largest allowed ratio of the engine's time to the time by hand.
const MECHANISMS: [(&str, &str, f64); 2] = [("four_bar", "four-bar", 8.0), ("andrews", "Andrews", 4.0)];

/// Methods in tables, in this order.
const METHODS: [Method; 6] =
    [Method::Hand, Method::Generated, Method::Fused, Method::Staged, Method::Interpreted, Method::Engine];

/// Times of one mechanism: coordinates, method, time.
type Timings = Vec<(&'static str, Method, Timing)>;

/// Times both mechanisms.
pub fn part() -> Part {
    let mut part = Part::default();
    part.table += "### Against code by hand\n\n\
                   | mechanism | coordinates | code | operations | critical path | text \\[bytes\\] | ns | by hand / this |\n\
                   |---|---|---|---:|---:|---:|---:|---:|\n";
    for (name, title, bound) in MECHANISMS {
        eprintln!("timing {title}");
        let mut cases = Vec::new();
        for_each_case(&|case| case == name, &mut |case| cases.push(case));
        let timings = timings(&mut cases);
        let time_of = |coordinates: &str, method: Method| {
            let found = timings.iter().find(|t| (t.0, t.1) == (coordinates, method));
            found.expect("all were timed").2.nanoseconds
        };
        let hand = time_of("body", Method::Hand);
        write_rows(&mut part.table, title, &cases, &timings, hand);
        let [generated, engine] =
            [Method::Generated, Method::Engine].map(|method| ["body", "joint"].map(|c| time_of(c, method) / hand));
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

/// Times of all candidates of both formulations, measured alternately.
fn timings(cases: &mut [Case]) -> Timings {
    let mut labels = Vec::new();
    let mut candidates: Vec<&mut Candidate> = Vec::new();
    for case in cases {
        let coordinates = case.coordinates();
        labels.extend(case.candidates.iter().map(|candidate| (coordinates, candidate.method)));
        candidates.extend(&mut case.candidates);
    }
    let timings = measure(&mut candidates);
    labels.into_iter().zip(timings).map(|((coordinates, method), timing)| (coordinates, method, timing)).collect()
}

fn write_rows(table: &mut String, title: &str, cases: &[Case], timings: &Timings, hand: f64) {
    let executable = Executable::running();
    for case in cases {
        let coordinates = case.coordinates();
        for method in METHODS {
            let Some((.., timing)) = timings.iter().find(|t| (t.0, t.1) == (coordinates, method)) else { continue };
            let costs = match method {
                Method::Generated => {
                    let text = bytes(executable.accelerations(coordinates, case.module));
                    let c = &case.counts;
                    format!("{} + {} sincos | {} | {text}", c.operations, c.sincos, c.critical_path)
                }
                _ => "| |".to_owned(),
            };
            let (time, ratio) = (ns(timing.nanoseconds), hand / timing.nanoseconds);
            let _ = writeln!(table, "| {title} | {coordinates} | {} | {costs} | {time} | {ratio:.2} |", method.name());
        }
    }
}
