//! Change points of a run: singular poses that it crosses, and branches of positions that it might have left there.
//!
//! The observed quantity is the motion x of `singular.rs`, which rows hardly oppose near a singular pose. Four cases are distinguished between two
//! observations:
//!
//! 1. x has changed its sense: the run has crossed a singular pose along its branch.
//! 2. 1/|x| has nearly vanished and grown again, and x has not changed its sense. The run has changed to another branch at the singular pose, or
//!    lengths differ from those at which branches cross by a relative 1e-10 or so, which no step resolves.
//! 3. Velocities differ by a finite part from those that the steps before predict, and x changes its sense on the straight line in the direction of
//!    the velocities before. The singular pose was within the step, and the branch after it is not the one before.
//! 4. Positions differ from those that the velocities at both ends of a step predict, and x changes its sense, or rotates fast, on the cubic between
//!    them. The equations at the end may have been solved on another branch, and two singular poses leave the sense of x as it was.
//!
//! The first case is counted, the others are errors. The sense distinguishes branches for this reason: the least singular value of G along a
//! branch with tangent a is Q(a, x̂) times the distance from the pose, where the quadratic form Q vanishes for tangents of branches. From tangent a
//! to the tangent b of the other branch, x̂ rotates as well, and Q(b, x̂) has the sign that Q(a, x̂) had before the pose (`singular.rs`, Keller).
//!
//! The time between observations is so short that x rotates little in it, and at most [`MOST_STEPS`] steps, since an observation costs one solution
//! of the equations of motion. Where x has rotated further nevertheless, states between two observations are interpolated until it rotates little
//! from one to the next.

use crate::singular::Probe;
use crate::{Error, Mechanism, Real, State};
use mbs_math::{add_scaled, largest};

/// Most steps between two observations.
const MOST_STEPS: usize = 16;
/// Relative change of 1/|x|, and angle of x \[rad\], between two observations.
const CHANGE: f64 = 0.25;
/// Fraction of the largest 1/|x| below which a pose is near a singular one.
const NEAR: f64 = 0.2;
/// Fraction of the largest 1/|x| below which a run that does not cross has changed its branch.
const BRANCH_CHANGE: f64 = 1e-5;
/// Bound, for a step along one branch, of the change of velocities minus the change that the step before predicts, relative to the largest velocity.
const VELOCITY_CHANGE: f64 = 0.1;
/// Points, in steps, on the line in the direction of the velocities at which a singular pose is searched for.
const AHEAD: [f64; 2] = [0.5, 1.0];
/// Cosine of the angle up to which x may rotate between two observations, or between one and the opposite of the next.
const LEAST_COSINE: f64 = 0.8;
/// Halvings of the time between two observed states.
const HALVINGS: usize = 6;
/// Difference of positions from those that velocities predict, relative to the largest displacement and to the largest coordinate, above
/// which a step is a leap.
const LEAP: [f64; 2] = [0.25, 0.05];
/// Least number of parts of a leap that are observed.
const PARTS: f64 = 8.0;
/// Most change points between two observed states: a step over more of them is too long.
const MOST_FOUND: usize = 4;

/// A singular pose that a run has crossed along its branch. Branches of positions meet there, and the mechanism has one more degree of
/// freedom instantaneously.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChangePoint<T: Real = f64> {
    /// Time \[s\], interpolated between two observations of the run.
    pub t: T,
    /// The position row that depends most on the others there.
    pub row: usize,
}

/// Observer of a run that finds its change points.
pub(crate) struct ChangePoints<M: Mechanism<T>, T: Real> {
    probe: Probe<M, T>,
    /// 1/|x| of the last observation, if there is one.
    last: Option<T>,
    /// Largest 1/|x| so far.
    reference: T,
    /// Smallest 1/|x| since it was near the largest.
    closest: T,
    /// Steps since the last observed state.
    steps: usize,
    /// Time after the last observed state at which the next observation is due \[s\].
    pause: T,
    /// Relative change of 1/|x| per second in the last gap, and the length of that gap \[s\].
    trend: (T, T),
    /// Change points found, oldest first.
    found: [Option<ChangePoint<T>>; MOST_FOUND],
    /// Time at the beginning of the step before, if there was one.
    previous: Option<T>,
    /// Velocities at the beginning of the step before.
    speeds: M::Speeds,
    /// The last observed state, a state after it, and rates of coordinates at both.
    seen: State<M, T>,
    trial: State<M, T>,
    rates: [M::Coordinates; 2],
}

impl<M: Mechanism<T>, T: Real> ChangePoints<M, T> {
    pub(crate) fn new(mechanism: &M) -> Self {
        let (rates, speeds, ..) = mechanism.storage();
        ChangePoints {
            probe: Probe::new(mechanism),
            last: None,
            reference: T::ZERO,
            closest: T::ZERO,
            steps: 0,
            pause: T::ZERO,
            trend: (T::ZERO, T::ZERO),
            found: [None; MOST_FOUND],
            previous: None,
            speeds,
            seen: State::new(mechanism),
            trial: State::new(mechanism),
            rates: [rates.clone(), rates],
        }
    }

    /// Forgets the run: its state or its rows have been changed.
    pub(crate) fn restart(&mut self) {
        (self.last, self.previous, self.steps, self.pause) = (None, None, 0, T::ZERO);
        (self.trend, self.found) = ((T::ZERO, T::ZERO), [None; MOST_FOUND]);
    }

    /// Whether change points have been found that [`ChangePoints::take`] has not taken.
    pub(crate) fn has_found(&self) -> bool {
        self.found[0].is_some()
    }

    /// The first change point found that has not been taken.
    pub(crate) fn take(&mut self) -> Option<ChangePoint<T>> {
        let first = self.found[0].take();
        self.found.rotate_left(1);
        first
    }

    /// Observes a step where an observation is due.
    ///
    /// # Errors
    /// [`Error::Branch`].
    pub(crate) fn observe(&mut self, mechanism: &M, start: &State<M, T>, head: &State<M, T>) -> Result<(), Error<T>> {
        if mechanism.sizes().n_position == 0 {
            return Ok(());
        }
        self.observe_in_time(mechanism, start, head)?;
        self.previous = Some(start.t);
        self.speeds.as_mut().copy_from_slice(start.v.as_ref());
        Ok(())
    }

    fn observe_in_time(&mut self, mechanism: &M, start: &State<M, T>, head: &State<M, T>) -> Result<(), Error<T>> {
        if self.last.is_none() {
            if let Ok(measure) = self.probe.begin(mechanism, head.view(&[])) {
                self.remember(measure);
                self.closest = measure;
                self.seen.copy_from(head);
            }
            return Ok(());
        }
        let leaps = self.leaps(mechanism, start, head);
        if head.t - self.seen.t <= self.pause && self.steps < MOST_STEPS && !leaps {
            self.steps += 1;
            return Ok(());
        }
        // A step that begins in time and ends too late is observed at both ends.
        if self.steps > 0 {
            self.observe_gap(mechanism, None, start, false)?;
        }
        let found = self.found.iter().flatten().count();
        self.observe_gap(mechanism, Some(start), head, leaps)?;
        match self.found.get(found) {
            Some(Some(crossed)) if leaps => Err(Error::Branch { row: crossed.row, t: crossed.t }),
            _ => Ok(()),
        }
    }

    /// Whether the positions at the end of a step differ from those that the velocities at both ends predict, by more than [`LEAP`].
    fn leaps(&mut self, mechanism: &M, start: &State<M, T>, head: &State<M, T>) -> bool {
        let half = T::from_f64(0.5) * (head.t - start.t);
        for (state, rates) in [start, head].into_iter().zip(&mut self.rates) {
            mechanism.coordinate_rates(state.t, state.q.as_ref(), state.v.as_ref(), rates.as_mut());
        }
        let (mut distance, mut error, mut size) = (T::ZERO, T::ZERO, T::ZERO);
        for (k, (from, to)) in start.q.as_ref().iter().zip(head.q.as_ref()).enumerate() {
            let halves = self.rates.each_ref().map(|rates| half * rates.as_ref()[k]);
            distance = distance.max((*to - *from).abs()).max(halves[0].abs()).max(halves[1].abs());
            error = error.max((*to - *from - halves[0] - halves[1]).abs());
            size = size.max(to.abs());
        }
        let [distance_factor, size_factor] = LEAP.map(T::from_f64);
        error > distance_factor * distance && error > size_factor * size.min(T::ONE)
    }

    /// Observes the state `head`, and interpolated states before it where x rotates far or the step leaps. `start` is the beginning of the step
    /// to `head` if that is the state observed last.
    fn observe_gap(
        &mut self,
        mechanism: &M,
        start: Option<&State<M, T>>,
        head: &State<M, T>,
        leaps: bool,
    ) -> Result<(), Error<T>> {
        let most = if leaps { T::from_f64(1.0 / PARTS) } else { T::ONE };
        let (mut done, mut part) = (T::ZERO, most);
        let least = T::from_f64(1.0 / (1 << HALVINGS) as f64);
        let half = T::from_f64(0.5);
        while done < T::ONE {
            let is_end = done + part >= T::ONE;
            let t = if is_end { head.t } else { self.interpolate(mechanism, head, done + part) };
            let at = if is_end { head.view(&[]) } else { self.trial.view(&[]) };
            let measure = self.probe.measure(mechanism, at);
            let rotates_far = self.probe.cosine().abs() < T::from_f64(LEAST_COSINE);
            match measure {
                Ok(_) if rotates_far && part > least => part *= half,
                Ok(_) if rotates_far && leaps => return Err(Error::Branch { row: self.probe.row(), t }),
                // At the singular pose itself x is undefined: the next observation decides.
                Err(_) if is_end => return Ok(()),
                measure => {
                    if let Ok(measure) = measure {
                        let times = [self.seen.t + done * (head.t - self.seen.t), t];
                        let step = start.filter(|_| (done == T::ZERO || leaps) && is_end);
                        self.judge(mechanism, step, head, times, measure)?;
                    }
                    done += part;
                    part = (part + part).min(most).min(T::ONE - done);
                }
            }
        }
        self.seen.copy_from(head);
        Ok(())
    }

    /// Writes to `trial` the state at the fraction s from the last observed state to `head`: coordinates by the cubic through both with their
    /// rates, speeds linearly. Returns its time.
    fn interpolate(&mut self, mechanism: &M, head: &State<M, T>, s: T) -> T {
        let (seen, trial) = (&self.seen, &mut self.trial);
        let h = head.t - seen.t;
        for (state, rates) in [seen, head].into_iter().zip(&mut self.rates) {
            mechanism.coordinate_rates(state.t, state.q.as_ref(), state.v.as_ref(), rates.as_mut());
        }
        let (two, three) = (T::from_f64(2.0), T::from_f64(3.0));
        let rest = T::ONE - s;
        let weights =
            [rest * rest * (T::ONE + two * s), s * s * (three - two * s), s * rest * rest * h, -(s * s * rest * h)];
        for (k, q) in trial.q.as_mut().iter_mut().enumerate() {
            let ends = [seen.q.as_ref()[k], head.q.as_ref()[k], self.rates[0].as_ref()[k], self.rates[1].as_ref()[k]];
            *q = ends.iter().zip(weights).fold(T::ZERO, |sum, (end, weight)| sum + *end * weight);
        }
        for (k, v) in trial.v.as_mut().iter_mut().enumerate() {
            *v = rest * seen.v.as_ref()[k] + s * head.v.as_ref()[k];
        }
        trial.z.as_mut().copy_from_slice(head.z.as_ref());
        trial.t = seen.t + s * h;
        mechanism.normalize(trial.q.as_mut());
        trial.t
    }

    /// Compares a measure with the one before it, and counts a crossing. `start` is the beginning of the step to `head` if no state within the step
    /// has been observed.
    ///
    /// # Errors
    /// [`Error::Branch`] where the branch may have been left.
    fn judge(
        &mut self,
        mechanism: &M,
        start: Option<&State<M, T>>,
        head: &State<M, T>,
        [t, now_t]: [T; 2],
        measure: T,
    ) -> Result<(), Error<T>> {
        let before = self.last.unwrap_or(measure);
        let (now, cosine, row) = (measure.abs(), self.probe.cosine(), self.probe.row());
        let is_crossed = measure < T::ZERO;
        let is_near = now.min(before) < T::from_f64(NEAR) * self.reference;
        let suspect = start.filter(|start| {
            is_near && !is_crossed && self.velocity_deviation(start, head) > T::from_f64(VELOCITY_CHANGE)
        });
        if let Some(start) = suspect {
            if self.is_singular_ahead(mechanism, start, head.t - start.t) {
                return Err(Error::Branch { row, t: head.t });
            }
            if self.probe.measure(mechanism, head.view(&[])).is_err() {
                return Ok(());
            }
        }
        self.probe.advance();
        self.remember(now);
        self.set_pause((before, now), now_t - t, cosine);
        if is_crossed {
            // The smallest measure is counted anew after the pose.
            self.closest = self.reference;
            let crossed = ChangePoint { t: t + (now_t - t) * before / (before + now), row };
            let free = self.found.iter_mut().find(|found| found.is_none());
            let free = free.ok_or(Error::Branch { row, t: now_t })?;
            *free = Some(crossed);
            return Ok(());
        }
        self.closest = self.closest.min(now);
        if self.closest < T::from_f64(BRANCH_CHANGE) * self.reference && now > T::from_f64(1e3) * self.closest {
            return Err(Error::Branch { row, t: now_t });
        }
        if now >= T::from_f64(NEAR) * self.reference {
            self.closest = now;
        }
        Ok(())
    }

    fn remember(&mut self, measure: T) {
        self.last = Some(measure);
        self.reference = self.reference.max(measure);
    }

    /// Sets the time to the next observation: zero near a singular pose, else so long that 1/|x| and x change little. Their rates and second
    /// derivatives are taken to be those of the time `gap`. The time is at most twice the one before, since changes may begin.
    fn set_pause(&mut self, (before, now): (T, T), gap: T, cosine: T) {
        let longest = T::from_f64(2.0) * gap.max(self.pause);
        (self.steps, self.pause) = (0, T::ZERO);
        let (trend, length) = self.trend;
        let rate = (now - before) / (now * gap);
        self.trend = (rate, gap);
        if now <= T::from_f64(NEAR) * self.reference || cosine <= T::ZERO {
            return;
        }
        let angle = (T::ONE - cosine * cosine).abs().sqrt();
        let change = (angle / gap).max(rate.abs()).max(T::from_f64(1e-3) / gap);
        let second = (rate - trend).abs() / (T::from_f64(0.5) * (gap + length));
        let [most, twice] = [CHANGE, 2.0 * CHANGE].map(T::from_f64);
        self.pause = longest.min(most / change);
        if second > T::ZERO {
            self.pause = self.pause.min((twice / second).sqrt());
        }
    }

    /// Whether x of the last observation changes its sense on the line in the direction of the velocities of a state, at [`AHEAD`] steps.
    fn is_singular_ahead(&mut self, mechanism: &M, start: &State<M, T>, h: T) -> bool {
        let rates = self.rates[0].as_mut();
        mechanism.coordinate_rates(start.t, start.q.as_ref(), start.v.as_ref(), rates);
        AHEAD.into_iter().any(|steps| {
            self.trial.copy_from(start);
            add_scaled(self.trial.q.as_mut(), T::from_f64(steps) * h, self.rates[0].as_ref());
            mechanism.normalize(self.trial.q.as_mut());
            self.trial.t = start.t + T::from_f64(steps) * h;
            self.probe.measure(mechanism, self.trial.view(&[])).map_or(true, |measure| measure < T::ZERO)
        })
    }

    /// Largest change of velocities in a step minus that of the step before, relative to the largest velocity.
    fn velocity_deviation(&self, start: &State<M, T>, head: &State<M, T>) -> T {
        let (before, after) = (start.v.as_ref(), head.v.as_ref());
        let ratio = self.previous.map_or(T::ZERO, |previous| (head.t - start.t) / (start.t - previous));
        let changes = before.iter().zip(after).zip(self.speeds.as_ref());
        let most = changes.fold(T::ZERO, |most, ((b, a), p)| most.max((*a - *b - ratio * (*b - *p)).abs()));
        let size = largest(before).1.max(largest(after).1);
        if size > T::ZERO { most / size } else { T::ZERO }
    }
}
