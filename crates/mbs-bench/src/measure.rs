//! Measures times such that a busy machine disturbs them as little as possible.

use std::time::Duration;

use crate::Candidate;

/// Batches per candidate.
pub const BATCHES: usize = 201;

/// Least duration of a batch: long against the clock's resolution, short against the time slices of a scheduler, so that other
/// processes disturb few batches strongly instead of all batches a little.
pub const BATCH: Duration = Duration::from_micros(100);

/// Duration of one call.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// Median of the batches \[ns\].
    pub nanoseconds: f64,
    /// Distance between the quartiles of the batches, as a fraction of the median.
    pub spread: f64,
}

/// Times candidates alternately, a batch each, [`BATCHES`] times, so that a temporary slowdown of the machine affects all of them alike. A call
/// before each batch brings code and data back to the caches.
pub fn measure(candidates: &mut [&mut Candidate]) -> Vec<Timing> {
    let calls: Vec<u64> = candidates.iter_mut().map(|candidate| calls_per_batch(candidate)).collect();
    let mut times = vec![Vec::with_capacity(BATCHES); candidates.len()];
    for _ in 0..BATCHES {
        for ((candidate, calls), times) in candidates.iter_mut().zip(&calls).zip(&mut times) {
            candidate.time(1);
            times.push(candidate.time(*calls).as_secs_f64() * 1e9 / *calls as f64);
        }
    }
    times.into_iter().map(timing).collect()
}

/// A power of two that fills a batch.
fn calls_per_batch(candidate: &mut Candidate) -> u64 {
    let mut calls = 1;
    // The fastest of three, so that an interruption is not mistaken for a slow candidate.
    while (0..3).map(|_| candidate.time(calls)).min().is_some_and(|fastest| fastest < BATCH) {
        calls *= 2;
    }
    calls
}

/// The median and the spread of times of a call \[ns\], of which there is at least one.
pub fn timing(mut times: Vec<f64>) -> Timing {
    times.sort_by(f64::total_cmp);
    let quantile = |part: usize| times[part * (times.len() - 1) / 4];
    Timing { nanoseconds: quantile(2), spread: (quantile(3) - quantile(1)) / quantile(2) }
}
