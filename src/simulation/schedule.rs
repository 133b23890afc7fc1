//! The times of a run.

use super::Cause;

/// Most rows of a grid of times, for the sake of memory: a mistaken interval is refused and not waited for.
const MOST_ROWS: f64 = 1e8;

/// When to record.
pub(crate) struct Schedule {
    pub duration: f64,
    pub every: f64,
    times: Option<Times>,
}

/// Instead of duration and interval.
enum Times {
    Given(Vec<f64>),
    Grid { start: f64, end: f64, count: usize },
}

impl Default for Schedule {
    fn default() -> Self {
        Schedule { duration: 1.0, every: 0.01, times: None }
    }
}

impl Schedule {
    /// At these times.
    pub fn at(&mut self, times: &[f64]) {
        self.times = Some(Times::Given(times.to_vec()));
    }

    /// At `count` equally spaced times, both ends included.
    pub fn grid(&mut self, start: f64, end: f64, count: usize) {
        self.times = Some(Times::Grid { start, end, count });
    }

    /// Times to record at, none of them before `start`.
    pub fn times(&mut self, start: f64) -> Result<Vec<f64>, Cause> {
        let times = match self.times.take() {
            Some(Times::Given(times)) => times,
            Some(Times::Grid { start, end, count }) => {
                if count as f64 >= MOST_ROWS {
                    return Err(Cause::Setting { name: "grid", value: count as f64 });
                }
                let last = count.saturating_sub(1).max(1) as f64;
                // The end itself, and not what rounding makes of it.
                let time = |k: usize| if k as f64 == last { end } else { start + (end - start) * (k as f64 / last) };
                (0..count).map(time).collect()
            }
            None => intervals(start, self.duration, self.every)?,
        };
        let mut previous = start;
        for (index, t) in times.iter().enumerate() {
            if !t.is_finite() || *t < previous {
                return Err(Cause::Times { index });
            }
            previous = *t;
        }
        Ok(times)
    }
}

/// start + k · every up to the duration, and the end itself; a last interval within 1e-9 of itself counts as whole.
fn intervals(start: f64, duration: f64, every: f64) -> Result<Vec<f64>, Cause> {
    if !(duration >= 0.0 && duration.is_finite()) {
        return Err(Cause::Setting { name: "duration", value: duration });
    }
    let intervals = (duration / every - 1e-9).ceil().max(0.0);
    if !(every > 0.0 && every.is_finite() && intervals < MOST_ROWS) {
        return Err(Cause::Setting { name: "every", value: every });
    }
    let inner = (0..intervals as usize).map(|k| start + k as f64 * every);
    Ok(inner.chain([start + duration]).collect())
}

#[cfg(test)]
mod tests {
    use super::{Schedule, intervals};

    #[test]
    fn grid_includes_both_ends() {
        let mut schedule = Schedule::default();
        schedule.grid(0.0, 0.3, 4);
        let times = schedule.times(0.0).unwrap();
        assert_eq!((times.len(), times[0], times[3]), (4, 0.0, 0.3));
        schedule.grid(2.0, 3.0, 1);
        assert_eq!(schedule.times(0.0).unwrap(), [2.0]);
    }

    #[test]
    fn intervals_end_exactly() {
        assert_eq!(intervals(0.0, 0.3, 0.1).unwrap(), [0.0, 0.1, 0.2, 0.3]);
        assert_eq!(intervals(1.0, 0.25, 0.1).unwrap(), [1.0, 1.1, 1.2, 1.25]);
        assert_eq!(intervals(0.0, 0.0, 0.1).unwrap(), [0.0]);
        assert_eq!(intervals(0.0, 5.0, 0.01).unwrap().len(), 501);
    }
}
