//! A prescribed motion, followed along one branch.
//!
//! From (q₀, v₀, a₀) at t₀ to t₁ = t₀ + h:
//!
//! 1. predict  δ = h v₀ + ½ h² a₀ + h³/6 j, q ← q₀ ⊕ δ, with j from the accelerations at both ends of the step before; if
//!    higher terms add little, by the path of degree five through both ends, (1) to (5) of [`predict`](super::predict);
//! 2. correct  Newton on Φ(q, t₁) = 0, which adds δ_c; then v₁ and a₁ of the least motion there;
//! 3. check    with d = δ + δ_c and, coordinate by coordinate, s = max(|d|, ½|h|(|v₀| + |v₁|)):
//!    |δ_c| ≤ ¼ s and |d − ½h(v₀ + v₁) + h²/12 (a₁ − a₀)| ≤ 0.05 s.
//!
//!    Then the pivots of G₀ and G₁ must have the same signs.
//!
//! A path of degree four satisfies the second of these exactly: its misfit is O(h⁵) on one branch, and of the size of the jump between two.
//! Where two branches nearly meet, a link passes close to its dead point. The motion changes its direction abruptly there, and a coarse step
//! would continue in the old direction, on the other branch. That changes the sign of det G, which otherwise only a singular pose does; pivots
//! show it even where two loops do so at once. A step that fails is repeated with half of h.
//!
//! A square G is eliminated by itself at every iterate of (2), usually once. If the square of a correction is below round-off, no
//! further iterate is evaluated, and v₁, which is extrapolated as well, is corrected by the same elimination. Near singular poses
//! (2) uses the factorisation of the mechanism.
//!
//! A prescribed motion with a kink fails at any h. Once h is 2⁻¹² of the interval, it suffices that d is between h v₀ and h v₁.
//! A change point, where branches do meet, is crossed with such an h along the branch before it. At 2⁻³⁰ of the interval the tracker stops:
//! the mechanism locks, is at a dead point, or the prescribed motion jumps.
//!
//! Where degrees of freedom remain, the path of the least velocities is followed to second order in h: δ = h v₀, then ½h(v₀ + v₁) with v₁
//! at its end. a₀ and a₁ are omitted from (3), whose tolerance is 0.4 then, and pivots of G are not compared.

use super::predict::Path;
use super::square::Square;
use crate::memories::MemoryPath;
use crate::project::{Limits, Projection, correct_positions, correct_velocities};
use crate::{
    Error, Inputs, Mechanism, MotionWork, Real, State, StateView, Statistics, least_accelerations, least_velocities,
};
use mbs_math::{add_scaled, largest, max_norm};

/// Position tolerance relative to max(1, |q|): a pose with a larger error is not assembled.
const TOLERANCE: f64 = 1e-12;
/// Largest number of Newton iterations per correction: it begins near the solution, or is repeated with a shorter step.
const ITERATIONS: usize = 12;
/// Largest correction relative to the motion.
const CORRECTION: f64 = 0.25;
/// Largest misfit of velocities and displacement relative to the motion, where a motion is prescribed and where it is not.
const MISFIT: [f64; 2] = [0.05, 0.4];
/// Fraction of an interval below which kinks are accepted.
const KINK: f64 = 1.0 / 4096.0;
/// Smallest step, as a fraction of an interval.
const SMALLEST: f64 = 1.0 / 1_073_741_824.0;
/// Motion relative to the size of coordinates that counts as zero.
const FLOOR: f64 = 1e-9;
/// Largest number of steps within one interval.
const STEPS: usize = 100_000;

/// End of the path of a [`Tracker`]: at `from` there is a pose, and at `to` no pose that continues it was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Obstacle<T: Real = f64> {
    /// Time of the last pose \[s\], which is that of the state.
    pub from: T,
    /// Time of the first pose that was not found \[s\].
    pub to: T,
    /// Cause: [`Error::NotAssembled`] with the row, at `to` or later, if no pose was found;
    /// [`Error::Singular`] with the row; [`Error::Jump`] with the speed.
    pub error: Error<T>,
}

/// Follows the motion that the rows of a mechanism prescribe, along one branch.
///
/// Positions, velocities and accelerations are those of the least motion ([`least_velocities`], [`least_accelerations`]);
/// auxiliary states are not changed. Work space is storage of the mechanism, and two square matrices that the caller provides;
/// steps allocate nothing. A step takes about two evaluations of residuals, one of G with its elimination, at most (2/3)(n_v)³
/// operations, and one of the accelerations.
///
/// ```
/// # use mbs_core::{Mechanism, Obstacle, State, Tracker, assemble_positions, zero_inputs};
/// # fn rotate(mechanism: &impl Mechanism) -> Result<(), Obstacle> {
/// let mut state = State::new(mechanism);
/// assemble_positions(mechanism, &mut state).expect("the declared pose is near");
/// let mut work = vec![0.0; Tracker::work_size(mechanism)];        // or an array
/// let mut tracker = Tracker::new(mechanism, &mut work);
/// tracker.start(mechanism, &mut state, &mut zero_inputs).expect("the pose is regular");
/// for degree in 1..=360 {
///     tracker.advance_to(mechanism, &mut state, f64::from(degree) / 360.0, &mut zero_inputs)?;
///     println!("{:?} {:?} {:?}", state.q.as_ref(), state.v.as_ref(), tracker.accelerations());
/// }
/// # Ok(())
/// # }
/// ```
///
/// # Source
/// Derived in the header of `track.rs`; prediction and correction along a branch: Allgower & Georg (2003), Introduction to
/// Numerical Continuation Methods, ch. 2.
pub struct Tracker<'w, M: Mechanism<T>, T: Real = f64> {
    work: MotionWork<M, T>,
    next: State<M, T>,
    a: [M::Speeds; 2],
    lambda: [M::Multipliers; 2],
    delta: M::Speeds,
    corrected: M::Speeds,
    path: Path<M::Speeds>,
    rates: M::Coordinates,
    inputs: M::Inputs,
    square: Square<'w, T>,
    statistics: Statistics,
    memories: MemoryPath<M, T>,
}

impl<'w, M: Mechanism<T>, T: Real> Tracker<'w, M, T> {
    /// Number of values of work space that a tracker needs: 2 n_v² + 4 n_v.
    pub fn work_size(mechanism: &M) -> usize {
        Square::<T>::work_size(mechanism.sizes().n_v)
    }

    /// A tracker of one mechanism, with [`Tracker::work_size`] values of work space.
    pub fn new(mechanism: &M, work_space: &'w mut [T]) -> Self {
        let (rates, delta, lambda, _, inputs, _) = mechanism.storage();
        let mut work = MotionWork::new(mechanism);
        work.projection.iterations = ITERATIONS;
        Tracker {
            work,
            next: State::new(mechanism),
            a: [delta.clone(), delta.clone()],
            lambda: [lambda.clone(), lambda],
            corrected: delta.clone(),
            path: Path::new(&delta),
            delta,
            rates,
            inputs,
            square: Square::new(work_space),
            statistics: Statistics::default(),
            memories: MemoryPath::new(mechanism),
        }
    }

    /// Accelerations a (n_v) at the last pose.
    pub fn accelerations(&self) -> &[T] {
        self.a[0].as_ref()
    }

    /// Multipliers (n_c) at the last pose: see [`least_accelerations`].
    pub fn multipliers(&self) -> &[T] {
        self.lambda[0].as_ref()
    }

    /// Inputs u (n_u) at the last pose.
    pub fn inputs(&self) -> &[T] {
        self.inputs.as_ref()
    }

    /// Accepted steps, steps that were repeated with half of their length, and the evaluations of both.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Begins at a state: q is projected onto the rows by the least correction, and v is overwritten by the least velocities.
    ///
    /// # Errors
    /// Those of [`project_positions`](crate::project_positions), [`least_velocities`] and [`least_accelerations`];
    /// [`Error::Size`] if the work space is too small, or the state is one of another mechanism.
    pub fn start(&mut self, mechanism: &M, state: &mut State<M, T>, inputs: &mut Inputs<T>) -> Result<(), Error<T>> {
        let (expected, found) = (Self::work_size(mechanism), self.square.found_size());
        if found < expected {
            return Err(Error::Size { expected, found });
        }
        state.check_like(&self.next)?;
        self.work.projection.iterations = 50;
        let projected = crate::project_positions(mechanism, state, &mut self.work.projection);
        self.work.projection.iterations = ITERATIONS;
        projected?;
        self.next.copy_from(state);
        self.compute_least_speeds(mechanism)?;
        self.compute_accelerations(mechanism, inputs)?;
        self.next.remember(mechanism);
        state.copy_from(&self.next);
        self.swap_ends();
        self.path.clear();
        self.square.clear();
        Ok(())
    }

    /// Follows the motion to time `t`, forwards or backwards. `state` is the result of the last call, or of [`Tracker::start`].
    ///
    /// # Errors
    /// [`Obstacle`]; `state` is then the last pose, at `from`.
    pub fn advance_to(
        &mut self,
        mechanism: &M,
        state: &mut State<M, T>,
        t: T,
        inputs: &mut Inputs<T>,
    ) -> Result<(), Obstacle<T>> {
        state.check_like(&self.next).map_err(|error| Obstacle { from: state.t, to: t, error })?;
        let interval = t - state.t;
        if !interval.is_finite() {
            return Err(Obstacle { from: state.t, to: t, error: Error::NotFinite { t } });
        }
        let (mut h, half) = (interval, T::from_f64(0.5));
        let mut unreachable = None;
        for _ in 0..STEPS {
            let remaining = t - state.t;
            if remaining == T::ZERO {
                return Ok(());
            }
            // One step for the remaining time, rather than two of which the second is tiny.
            let is_last = h.abs() * T::from_f64(1.001) >= remaining.abs();
            h = if is_last { remaining } else { h };
            self.next.t = if is_last { t } else { state.t + h };
            let is_small = h.abs() <= interval.abs() * T::from_f64(KINK);
            match self.attempt(mechanism, state, h, is_small, inputs) {
                Ok(()) => {
                    self.store_step(mechanism, state, h);
                    self.memories.follow(mechanism, state, &mut self.next);
                    state.copy_from(&self.next);
                    self.square.advance(mechanism.sizes().n_v);
                    self.swap_ends();
                    unreachable = unreachable.filter(|error| is_ahead(error, state.t, h));
                    self.statistics.accept();
                    h += h;
                }
                Err(error) => {
                    self.statistics.reject();
                    // Just beyond the end of the path, residuals are too small to decide. The first failure was further away.
                    if matches!(error, Error::NotAssembled { .. }) {
                        unreachable.get_or_insert(error);
                    }
                    let smallest = interval.abs() * T::from_f64(SMALLEST);
                    if h.abs() <= smallest || state.t + half * h == state.t {
                        return Err(Obstacle { from: state.t, to: self.next.t, error: unreachable.unwrap_or(error) });
                    }
                    h *= half;
                }
            }
        }
        Err(Obstacle { from: state.t, to: t, error: Error::TooManySteps { t: state.t, limited_by: None } })
    }

    /// Makes a step of (1) to (3) of the module header, to `next`.
    fn attempt(
        &mut self,
        mechanism: &M,
        state: &State<M, T>,
        h: T,
        is_small: bool,
        inputs: &mut Inputs<T>,
    ) -> Result<(), Error<T>> {
        let is_free = mechanism.sizes().freedoms_left() > 0;
        self.square.begin();
        if is_free {
            self.follow_velocities(mechanism, state, h)?;
        } else {
            self.path.predict(h, [state.v.as_ref(), self.a[0].as_ref()], state.q.as_ref(), self.delta.as_mut());
            self.correct_coordinates(mechanism, state)?;
            self.compute_speeds(mechanism, state, h)?;
        }
        self.compute_accelerations(mechanism, inputs)?;
        let fit = self.judge(state, h, is_free);
        let is_continuous = match fit.worst {
            None => {
                is_small
                    || is_free
                    || !is_square(mechanism)
                    || self.square.is_continuous(mechanism, [state, &self.next])
            }
            Some(_) => is_small && fit.is_between,
        };
        if is_continuous {
            Ok(())
        } else {
            Err(Error::Jump { speed: fit.worst.unwrap_or(self.fastest()), t: self.next.t })
        }
    }

    /// Sets q of `next`: that of a state displaced by δ, then corrected.
    fn correct_coordinates(&mut self, mechanism: &M, state: &State<M, T>) -> Result<(), Error<T>> {
        let (t, next) = (self.next.t, &mut self.next);
        next.copy_from(state);
        next.t = t;
        mechanism.retract(state.t, next.q.as_mut(), self.delta.as_ref(), self.rates.as_mut());
        let (corrected, square) = (self.corrected.as_mut(), &mut self.square);
        corrected.fill(T::ZERO);
        // Iterates until Newton's method no longer converges, or to round-off of small lengths: residuals are not compared with continuous angles,
        // nor with speeds that are predicted near singular poses.
        let size = max_norm(state.q.as_ref());
        let tolerance = T::from_f64(TOLERANCE).max(T::from_f64(64.0) * T::EPSILON) * T::ONE.max(size);
        let limits = [(T::EPSILON + T::EPSILON) * T::ONE.min(size), tolerance];
        // A correction G δ = −Φ leaves a residual of second order in δ.
        let negligible = (T::from_f64(0.25) * T::EPSILON * T::ONE.min(size)).sqrt();
        let (is_square, mut is_done) = (is_square(mechanism), false);
        let solve = |work: &mut Projection<M, T>, at: StateView<T>| {
            let is_regular = is_square && square.eliminate(mechanism, at);
            if is_regular {
                square.correct(mechanism, work);
            } else {
                work.correct(mechanism, at)?;
            }
            let correction = work.correction.as_ref();
            add_scaled(corrected, T::ONE, correction);
            is_done = is_regular && max_norm(correction) <= negligible;
            Ok(is_done)
        };
        correct_positions(mechanism, next, &mut self.work.projection, Limits::OfAll(limits), solve)?;
        if !is_done {
            // G was eliminated too far from this pose.
            self.square.begin();
        }
        Ok(())
    }

    /// Sets q and v of `next` by the velocities at both ends, where degrees of freedom remain.
    fn follow_velocities(&mut self, mechanism: &M, state: &State<M, T>, h: T) -> Result<(), Error<T>> {
        let (delta, half) = (self.delta.as_mut(), T::from_f64(0.5) * h);
        delta.fill(T::ZERO);
        add_scaled(delta, h, state.v.as_ref());
        self.correct_coordinates(mechanism, state)?;
        self.compute_least_speeds(mechanism)?;
        for ((delta, v), end) in self.delta.as_mut().iter_mut().zip(state.v.as_ref()).zip(self.next.v.as_ref()) {
            *delta = half * (*v + *end);
        }
        self.correct_coordinates(mechanism, state)?;
        self.compute_least_speeds(mechanism)
    }

    /// Sets the velocities of `next` where the rows prescribe them.
    fn compute_speeds(&mut self, mechanism: &M, state: &State<M, T>, h: T) -> Result<(), Error<T>> {
        let square = &mut self.square;
        if is_square(mechanism) && square.is_pending() {
            square.eliminate(mechanism, self.next.view(&[]));
        }
        if !square.is_regular() {
            return self.compute_least_speeds(mechanism);
        }
        let next = &mut self.next;
        self.path.predict_speeds(h, [state.v.as_ref(), self.a[0].as_ref()], next.v.as_mut());
        let solve = |work: &mut Projection<M, T>, _: StateView<T>| {
            square.correct(mechanism, work);
            Ok(())
        };
        correct_velocities(mechanism, next, &mut self.work.projection, T::ONE, solve).map(|_| ())
    }

    /// Sets the velocities of `next` to the least ones, also where degrees of freedom remain.
    fn compute_least_speeds(&mut self, mechanism: &M) -> Result<(), Error<T>> {
        least_velocities(mechanism, &mut self.next, &mut self.work)
    }

    /// Computes inputs, accelerations and multipliers of `next`.
    fn compute_accelerations(&mut self, mechanism: &M, inputs: &mut Inputs<T>) -> Result<(), Error<T>> {
        self.statistics.evaluate();
        let next = &self.next;
        let u = self.inputs.as_mut();
        if !u.is_empty() {
            inputs(next.view(&[]), u);
        }
        let at = next.view(self.inputs.as_ref());
        least_accelerations(mechanism, at, self.a[1].as_mut(), self.lambda[1].as_mut(), &mut self.work)?;
        if (max_norm(next.v.as_ref()) + max_norm(self.a[1].as_ref())).is_finite() {
            Ok(())
        } else {
            Err(Error::NotFinite { t: next.t })
        }
    }

    /// Evaluates the first two conditions of (3) of the module header.
    fn judge(&self, state: &State<M, T>, h: T, is_free: bool) -> Fit {
        let floor = T::from_f64(FLOOR).max(T::from_f64(64.0) * T::EPSILON) * max_norm(self.next.q.as_ref());
        let [misfit, correction] = [MISFIT[usize::from(is_free)], CORRECTION].map(T::from_f64);
        let (half, twelfth) = (T::from_f64(0.5) * h, if is_free { T::ZERO } else { h * h / T::from_f64(12.0) });
        let (mut largest, mut fit) = (T::ZERO, Fit { worst: None, is_between: true });
        let (v, next) = (state.v.as_ref(), self.next.v.as_ref());
        let (a, b) = (self.a[0].as_ref(), self.a[1].as_ref());
        for (i, (delta, corrected)) in self.delta.as_ref().iter().zip(self.corrected.as_ref()).enumerate() {
            let d = *delta + *corrected;
            let scale = d.abs().max(half.abs() * (v[i].abs() + next[i].abs()));
            let miss = (d - half * (v[i] + next[i]) + twelfth * (b[i] - a[i])).abs() - floor;
            let excess = (miss - misfit * scale).max(corrected.abs() - floor - correction * scale);
            if excess > largest {
                (largest, fit.worst) = (excess, Some(i));
            }
            let (low, high) = ((h * v[i]).min(h * next[i]), (h * v[i]).max(h * next[i]));
            let margin = T::from_f64(0.1) * low.abs().min(high.abs()) + floor;
            fit.is_between = fit.is_between && d >= low - margin && d <= high + margin;
        }
        fit
    }

    /// The largest speed at `next`, which is reported where no single one violates the conditions.
    fn fastest(&self) -> usize {
        largest(self.next.v.as_ref()).0
    }

    /// Stores the last step for the next prediction.
    fn store_step(&mut self, mechanism: &M, state: &State<M, T>, h: T) {
        let sizes = mechanism.sizes();
        let ends = [[state.v.as_ref(), self.next.v.as_ref()], [self.a[0].as_ref(), self.a[1].as_ref()]];
        // Without a row that corrects it, an error would be extrapolated repeatedly and grow. Rotations in space do not add.
        let is_constrained = sizes.n_position == sizes.n_v && sizes.n_q == sizes.n_v;
        let displacement = is_constrained.then_some([self.delta.as_ref(), self.corrected.as_ref()]);
        self.path.set_step(h, ends, displacement);
    }

    /// Makes the accelerations and multipliers at `next` those of the state.
    fn swap_ends(&mut self) {
        self.a.swap(0, 1);
        self.lambda.swap(0, 1);
    }
}

/// Whether G is square and does not depend on speeds, and there are no other rows.
fn is_square<M: Mechanism<T>, T: Real>(mechanism: &M) -> bool {
    let sizes = mechanism.sizes();
    sizes.n_v > 0 && sizes.n_velocity == sizes.n_v && sizes.n_c == sizes.n_v && !mechanism.jacobian_reads_speeds()
}

/// Comparison of a step with the motion at its ends.
struct Fit {
    /// The speed whose displacement deviates most, if any deviates too much.
    worst: Option<usize>,
    /// Whether every displacement lies between those of both velocities.
    is_between: bool,
}

/// Whether an attempt failed at a time that a motion with steps of the sign of `h` has not passed at `t`.
fn is_ahead<T: Real>(error: &Error<T>, t: T, h: T) -> bool {
    matches!(error, Error::NotAssembled { t: failed, .. } if (*failed - t) * h > T::ZERO)
}
