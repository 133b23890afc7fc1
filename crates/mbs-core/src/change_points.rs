//! Change points of a run: singular poses that it crosses, and branches of positions that it might have left there.
//!
//! Observed is the motion x of `singular.rs`, which rows hardly oppose near a singular pose. Between two observations
//!
//! 1. x has changed its sense: the run has crossed a singular pose along its branch;
//! 2. 1/|x| has nearly vanished and come back, and x has not changed its sense: the run has turned at the singular pose, onto another branch,
//!    or past lengths that differ by some 1e-10 of themselves from those at which branches cross, which no step resolves;
//! 3. velocities differ by a finite part from those that the steps before promise, where x changes its sense on the straight line along the
//!    velocities before: the singular pose was within the step, and the branch behind it is not the one before.
//!
//! The first is counted, the others are errors. Why the sense tells branches apart: the least singular value of G along a branch with tangent
//! a is Q(a, x̂) times the distance from the pose, with the quadratic form Q that vanishes for tangents of branches. Turned from tangent a to
//! the tangent b of the other branch, x̂ turns as well, and Q(b, x̂) has the sign that Q(a, x̂) had before the pose (`singular.rs`, Keller).
//!
//! Time between observations is so short that x does not turn much in it, at most [`MOST_STEPS`] steps: an observation is one solution of the
//! equations of motion.

use crate::singular::Probe;
use crate::vector::{add_scaled, largest};
use crate::{Error, Mechanism, Real, State};

/// Most steps between two observations.
const MOST_STEPS: usize = 16;
/// Relative change of 1/|x|, and angle of x \[rad\], between two observations.
const CHANGE: f64 = 0.25;
/// Fraction of the largest 1/|x| below which a pose is near a singular one.
const NEAR: f64 = 0.2;
/// Fraction below which a run that does not cross has turned.
const TURNED: f64 = 1e-5;
/// Change of velocities beside that which the step before promises, relative to the largest, that a step does not bring along a branch.
const TURN: f64 = 0.1;
/// Where on the line along the velocities a singular pose is looked for, in steps.
const AHEAD: [f64; 2] = [0.5, 1.0];

/// A singular pose that a run has crossed along its branch: positions have branches that meet there, and the mechanism a degree of
/// freedom more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChangePoint<T: Real = f64> {
    /// Time \[s\], interpolated between two observations of the run.
    pub t: T,
    /// The position row that depends on others there most.
    pub row: usize,
}

/// Observes a run.
pub(crate) struct ChangePoints<M: Mechanism<T>, T: Real> {
    probe: Probe<M, T>,
    /// Time and 1/|x| of the last observation.
    last: Option<(T, T)>,
    /// Largest 1/|x| so far, and the smallest since it was near the largest.
    reference: T,
    closest: T,
    /// Steps since the last observation, and the time after it at which the next one is due \[s\].
    steps: usize,
    pause: T,
    /// Time and velocities at the beginning of the step before, if there was one.
    previous: Option<T>,
    speeds: M::Speeds,
    trial: State<M, T>,
    rates: M::Coordinates,
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
            previous: None,
            speeds,
            trial: State::new(mechanism),
            rates,
        }
    }

    /// Forgets the run: its state or its rows have been changed.
    pub(crate) fn restart(&mut self) {
        (self.last, self.previous, self.steps, self.pause) = (None, None, 0, T::ZERO);
    }

    /// Observes a step, or not yet.
    ///
    /// # Errors
    /// [`Error::Branch`].
    pub(crate) fn observe(
        &mut self,
        mechanism: &M,
        start: &State<M, T>,
        head: &State<M, T>,
    ) -> Result<Option<ChangePoint<T>>, Error<T>> {
        if mechanism.sizes().n_position == 0 {
            return Ok(None);
        }
        let crossed = self.observe_in_time(mechanism, start, head);
        self.previous = Some(start.t);
        self.speeds.as_mut().copy_from_slice(start.v.as_ref());
        crossed
    }

    fn observe_in_time(
        &mut self,
        mechanism: &M,
        start: &State<M, T>,
        head: &State<M, T>,
    ) -> Result<Option<ChangePoint<T>>, Error<T>> {
        let Some((t, _)) = self.last else {
            if let Ok(measure) = self.probe.begin(mechanism, head.view(&[])) {
                self.remember(head.t, measure);
                self.closest = measure;
            }
            return Ok(None);
        };
        if head.t - t <= self.pause && self.steps < MOST_STEPS {
            self.steps += 1;
            return Ok(None);
        }
        // A step that begins in time and ends too late is observed at both ends.
        let crossed = if self.steps > 0 { self.observe_step(mechanism, None, start)? } else { None };
        Ok(self.observe_step(mechanism, Some(start), head)?.or(crossed))
    }

    /// Observes a state: the end of a step from `start` if that was the last one observed.
    fn observe_step(
        &mut self,
        mechanism: &M,
        start: Option<&State<M, T>>,
        head: &State<M, T>,
    ) -> Result<Option<ChangePoint<T>>, Error<T>> {
        let Some((t, before)) = self.last else { return Ok(None) };
        // At the pose itself nothing is known: the next step tells.
        let Ok(measure) = self.probe.measure(mechanism, head.view(&[])) else { return Ok(None) };
        let (now, cosine, row) = (measure.abs(), self.probe.cosine(), self.probe.row());
        let is_crossed = measure < T::ZERO && cosine < -T::from_f64(0.5);
        let is_near = now.min(before) < T::from_f64(NEAR) * self.reference;
        let suspect = start.filter(|start| is_near && !is_crossed && self.turn(start, head) > T::from_f64(TURN));
        if let Some(start) = suspect {
            if self.is_singular_ahead(mechanism, start, head.t - start.t) {
                return Err(Error::Branch { row, t: head.t });
            }
            let Ok(_) = self.probe.measure(mechanism, head.view(&[])) else { return Ok(None) };
        }
        self.probe.advance();
        let crossed = is_crossed.then(|| ChangePoint { t: t + (head.t - t) * before / (before + now), row });
        self.remember(head.t, now);
        self.wait((before, now), head.t - t, cosine);
        if is_crossed {
            self.closest = now;
            return Ok(crossed);
        }
        self.closest = self.closest.min(now);
        if self.closest < T::from_f64(TURNED) * self.reference && now > T::from_f64(1e3) * self.closest {
            return Err(Error::Branch { row, t: head.t });
        }
        if now >= T::from_f64(NEAR) * self.reference {
            self.closest = now;
        }
        Ok(None)
    }

    fn remember(&mut self, t: T, measure: T) {
        self.last = Some((t, measure));
        self.reference = self.reference.max(measure);
    }

    /// No time while a pose is near, else so much that 1/|x| and x change little, as fast as they have changed in the time `gap`, and twice the
    /// time before at most: changes may begin.
    fn wait(&mut self, (before, now): (T, T), gap: T, cosine: T) {
        let longest = T::from_f64(2.0) * gap.max(self.pause);
        (self.steps, self.pause) = (0, T::ZERO);
        if now <= T::from_f64(NEAR) * self.reference || cosine <= T::ZERO {
            return;
        }
        let angle = (T::ONE - cosine * cosine).abs().sqrt();
        let change = angle.max((before - now).abs() / now).max(T::from_f64(1e-3));
        self.pause = longest.min(gap * T::from_f64(CHANGE) / change);
    }

    /// Whether x of the last observation changes its sense on the line along the velocities of a state, within a step and a half.
    fn is_singular_ahead(&mut self, mechanism: &M, start: &State<M, T>, h: T) -> bool {
        mechanism.coordinate_rates(start.t, start.q.as_ref(), start.v.as_ref(), self.rates.as_mut());
        AHEAD.into_iter().any(|at| {
            self.trial.copy_from(start);
            add_scaled(self.trial.q.as_mut(), T::from_f64(at) * h, self.rates.as_ref());
            mechanism.normalize(self.trial.q.as_mut());
            self.trial.t = start.t + T::from_f64(at) * h;
            self.probe.measure(mechanism, self.trial.view(&[])).map_or(true, |measure| measure < T::ZERO)
        })
    }

    /// Largest change of velocities in a step beside that of the step before, relative to the largest velocity.
    fn turn(&self, start: &State<M, T>, head: &State<M, T>) -> T {
        let (before, after) = (start.v.as_ref(), head.v.as_ref());
        let ratio = self.previous.map_or(T::ZERO, |previous| (head.t - start.t) / (start.t - previous));
        let changes = before.iter().zip(after).zip(self.speeds.as_ref());
        let most = changes.fold(T::ZERO, |most, ((b, a), p)| most.max((*a - *b - ratio * (*b - *p)).abs()));
        let size = largest(before).1.max(largest(after).1);
        if size > T::ZERO { most / size } else { T::ZERO }
    }
}
