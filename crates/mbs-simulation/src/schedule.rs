//! The times of a run.

use super::Cause;
use super::limits::is_resolved;
use super::recording::MOST_NUMBERS;

/// Times at which a run is recorded.
pub(crate) struct Schedule {
    pub duration: f64,
    pub every: f64,
    times: Option<Times>,
}

/// Times that replace duration and interval.
enum Times {
    Given(Vec<f64>),
    Grid { start: f64, end: f64, count: usize },
}

/// Order of recorded times that a run allows.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Direction {
    /// Not before the initial time, and not decreasing.
    Forward,
    /// In any order, also before the initial time.
    Any,
}

impl Default for Schedule {
    fn default() -> Self {
        Schedule { duration: 1.0, every: 0.01, times: None }
    }
}

impl Schedule {
    /// Sets the recorded times.
    pub fn set_times(&mut self, times: &[f64]) {
        self.times = Some(Times::Given(times.to_vec()));
    }

    /// Sets the recorded times to `count` equally spaced ones, both ends included.
    pub fn set_grid(&mut self, start: f64, end: f64, count: usize) {
        self.times = Some(Times::Grid { start, end, count });
    }

    /// The recorded times of a run that starts at `start`, for rows of `columns` numbers.
    pub fn times(&mut self, start: f64, direction: Direction, columns: usize) -> Result<Vec<f64>, Cause> {
        let times = match self.times.take() {
            Some(Times::Given(times)) => {
                check_rows(times.len() as f64, columns)?;
                times
            }
            Some(Times::Grid { start, end, count }) => grid([start, end], count, columns)?,
            None => intervals(start, (self.duration, self.every), columns)?,
        };
        let mut previous = start;
        for (index, t) in times.iter().enumerate() {
            if !t.is_finite() || direction == Direction::Forward && *t < previous {
                return Err(Cause::Times { index });
            }
            previous = *t;
        }
        Ok(times)
    }
}

/// Equally spaced times with both ends.
fn grid([start, end]: [f64; 2], count: usize, columns: usize) -> Result<Vec<f64>, Cause> {
    check_rows(count as f64, columns)?;
    let last = count.saturating_sub(1).max(1) as f64;
    if count > 1 {
        check_resolution((end - start).abs() / last, start.abs().max(end.abs()))?;
    }
    // The last time is exactly `end`.
    let time = |k: usize| if k as f64 == last { end } else { start + (end - start) * (k as f64 / last) };
    Ok((0..count).map(time).collect())
}

/// Times start + k · every up to the duration, and the end; a last interval that is longer by a relative 1e-9 is not divided.
fn intervals(start: f64, (duration, every): (f64, f64), columns: usize) -> Result<Vec<f64>, Cause> {
    if !(duration >= 0.0 && duration.is_finite()) {
        return Err(Cause::Setting { name: "duration", value: duration });
    }
    if !(every > 0.0 && every.is_finite()) {
        return Err(Cause::Setting { name: "every", value: every });
    }
    if duration == 0.0 {
        return Ok(vec![start]);
    }
    // At least the beginning and the end, however long the interval.
    let intervals = (duration / every - 1e-9).ceil().max(1.0);
    check_rows(intervals + 1.0, columns)?;
    check_resolution(every.min(duration), start.abs().max((start + duration).abs()))?;
    let inner = (0..intervals as usize).map(|k| start + k as f64 * every);
    Ok(inner.chain([start + duration]).collect())
}

/// Refuses more rows than a recording may contain.
pub(crate) fn check_rows(rows: f64, columns: usize) -> Result<(), Cause> {
    if rows * columns as f64 > MOST_NUMBERS { Err(Cause::Memory { rows, columns }) } else { Ok(()) }
}

/// Refuses intervals that times near `t` do not resolve.
fn check_resolution(interval: f64, t: f64) -> Result<(), Cause> {
    if is_resolved(interval, t) || !t.is_finite() { Ok(()) } else { Err(Cause::Resolution { t, interval }) }
}

#[cfg(test)]
mod tests {
    use super::{Cause, Direction, Schedule, intervals};

    #[test]
    fn grid_includes_both_ends() {
        let mut schedule = Schedule::default();
        schedule.set_grid(0.0, 0.3, 4);
        let times = schedule.times(0.0, Direction::Forward, 1).unwrap();
        assert_eq!((times.len(), times[0], times[3]), (4, 0.0, 0.3));
        schedule.set_grid(2.0, 3.0, 1);
        assert_eq!(schedule.times(0.0, Direction::Forward, 1).unwrap(), [2.0]);
        for same in [0.0, 1e300] {
            schedule.set_grid(same, same, 3);
            assert!(matches!(schedule.times(0.0, Direction::Forward, 1), Err(Cause::Resolution { .. })));
        }
    }

    #[test]
    fn intervals_end_exactly() {
        let times = |start, duration, every| intervals(start, (duration, every), 1).unwrap();
        assert_eq!(times(0.0, 0.3, 0.1), [0.0, 0.1, 0.2, 0.3]);
        assert_eq!(times(1.0, 0.25, 0.1), [1.0, 1.1, 1.2, 1.25]);
        assert_eq!(times(0.0, 0.0, 0.1), [0.0]);
        assert_eq!(times(0.0, 5.0, 0.01).len(), 501);
    }

    #[test]
    fn an_interval_longer_than_the_run_keeps_its_beginning() {
        assert_eq!(intervals(0.0, (1.0, 3.0), 1).unwrap(), [0.0, 1.0]);
        assert_eq!(intervals(0.0, (1.0, 1e12), 1).unwrap(), [0.0, 1.0]);
    }

    #[test]
    fn rows_are_weighed_by_their_numbers() {
        assert!(intervals(0.0, (1e4, 1.0), 1000).is_ok());
        assert!(matches!(intervals(0.0, (9e7, 1.0), 24), Err(Cause::Memory { columns: 24, .. })));
    }

    #[test]
    fn times_that_rounding_makes_equal_are_refused() {
        assert!(matches!(intervals(1e300, (1.0, 0.1), 1), Err(Cause::Resolution { .. })));
        assert!(matches!(intervals(1e15, (1.0, 0.1), 1), Err(Cause::Resolution { .. })));
        assert!(intervals(1e9, (1.0, 0.1), 1).is_ok());
    }

    #[test]
    fn prescribed_motions_go_either_way() {
        let times = |direction| {
            let mut schedule = Schedule::default();
            schedule.set_grid(0.0, -1.0, 3);
            schedule.times(0.0, direction, 1)
        };
        assert_eq!(times(Direction::Any).unwrap(), [0.0, -0.5, -1.0]);
        assert!(matches!(times(Direction::Forward), Err(Cause::Times { index: 1 })));
    }
}
