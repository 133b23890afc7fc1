//! Generated, interpreted, engine: the three methods that every mechanism has.

use mbs_bench::{Candidate, Case, Method, Timing, for_each_case, measure};

const SHOWN: [Method; 3] = [Method::Generated, Method::Interpreted, Method::Engine];

/// Times of one mechanism in one formulation \[ns\].
pub struct Row {
    pub case: Case,
    pub generated: f64,
    pub interpreted: f64,
    pub engine: f64,
    /// Largest spread of the three, as a fraction of the median.
    pub spread: f64,
}

/// Times the mechanisms whose names are `wanted`; batches of all candidates alternate.
pub fn rows(wanted: &dyn Fn(&str) -> bool) -> Vec<Row> {
    let mut cases = Vec::new();
    for_each_case(wanted, &mut |mut case| {
        case.candidates.retain(|candidate| SHOWN.contains(&candidate.method));
        cases.push(case);
    });
    let mut candidates: Vec<&mut Candidate> = cases.iter_mut().flat_map(|case| &mut case.candidates).collect();
    let timings = measure(&mut candidates);
    let of_cases = timings.chunks_exact(SHOWN.len());
    cases.into_iter().zip(of_cases).map(|(case, timings)| Row::new(case, timings)).collect()
}

impl Row {
    fn new(case: Case, timings: &[Timing]) -> Row {
        let [generated, interpreted, engine] = SHOWN.map(|method| {
            let index = case.candidates.iter().position(|candidate| candidate.method == method);
            timings[index.expect("every case has the three")].nanoseconds
        });
        let spread = timings.iter().fold(0.0, |largest, t| t.spread.max(largest));
        Row { case, generated, interpreted, engine, spread }
    }

    /// Ratio of the engine's time to that of generated code.
    pub fn engine_ratio(&self) -> f64 {
        self.engine / self.generated
    }

    /// Ratio of the interpreter's time to that of generated code.
    pub fn interpreter_ratio(&self) -> f64 {
        self.interpreted / self.generated
    }
}
