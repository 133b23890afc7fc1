//! Generated, interpreted, engine: the three that every mechanism has.

use mbs_bench::{Candidate, Case, Timing, Way, for_each_case, measure};

const SHOWN: [Way; 3] = [Way::Generated, Way::Interpreted, Way::Engine];

/// Times of one mechanism in one formulation \[ns\].
pub struct Row {
    pub case: Case,
    pub generated: f64,
    pub interpreted: f64,
    pub engine: f64,
    /// Largest spread of the three.
    pub spread: f64,
}

/// Times the mechanisms that are `wanted` by name, all in turn.
pub fn rows(wanted: &dyn Fn(&str) -> bool) -> Vec<Row> {
    let mut cases = Vec::new();
    for_each_case(wanted, &mut |mut case| {
        case.candidates.retain(|candidate| SHOWN.contains(&candidate.way));
        cases.push(case);
    });
    let mut candidates: Vec<&mut Candidate> = cases.iter_mut().flat_map(|case| &mut case.candidates).collect();
    let timings = measure(&mut candidates);
    let of_cases = timings.chunks_exact(SHOWN.len());
    cases.into_iter().zip(of_cases).map(|(case, timings)| Row::new(case, timings)).collect()
}

impl Row {
    fn new(case: Case, timings: &[Timing]) -> Row {
        let [generated, interpreted, engine] = SHOWN.map(|way| {
            let place = case.candidates.iter().position(|candidate| candidate.way == way);
            timings[place.expect("every case has the three")].nanoseconds
        });
        let spread = timings.iter().fold(0.0, |largest, t| t.spread.max(largest));
        Row { case, generated, interpreted, engine, spread }
    }

    /// engine / generated.
    pub fn engine_ratio(&self) -> f64 {
        self.engine / self.generated
    }

    /// interpreted / generated.
    pub fn interpreter_ratio(&self) -> f64 {
        self.interpreted / self.generated
    }
}
