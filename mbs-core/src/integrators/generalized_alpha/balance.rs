//! Equations of a step of the generalized-α method, with v̇⁺ and ż⁺ as unknowns.
//!
//! Combined, equations 1 and 2 of `generalized_alpha.rs` are δ = δ₀ + w_q v̇⁺, v⁺ = v₀ + w_v v̇⁺ and z⁺ = z₀ + w_v ż⁺ with
//! w_q = O(h²), w_v = O(h). Let a* be the accelerations of the mechanism at (q⁺, v⁺, z⁺), and X g the change of accelerations x with
//! M x + Gᵀ μ = 0, G x = g. Every v̇ that satisfies the first of equations 3 with some λ is then a* + X g, and
//!
//! 1. v̇⁺ = a* + X (G (v̇⁺ − a*) − ψ/w_v) in position and velocity rows; ż⁺ = ż there;
//!
//! whose solutions have v̇⁺ − a* in the range of X, so that ψ = 0. A fixed-point iteration of 1 is a step of Newton's method for the rows. Rows of
//! accelerations are not included in G, X and ψ here: a* satisfies them. λ⁺ = λ* + μ.

use super::{Memory, Parameters, combine};
use crate::integrators::Inputs;
use crate::integrators::evaluation::{Evaluation, Rates, continuous};
use crate::integrators::iteration::{Equations, Stage, ratio};
use crate::integrators::middle::Middle;
use crate::{Error, Mechanism, Real, State, StateView};
use mbs_math::{add_scaled, max_norm};

/// The equations of a step, with its known values and its end.
pub struct Balance<M: Mechanism<T>, T: Real> {
    pub(super) evaluation: Evaluation<M, T>,
    pub(super) end: State<M, T>,
    /// w_q and w_v of the module header.
    pub(super) weights: [T; 2],
    start: State<M, T>,
    h: T,
    /// δ₀, (v₀, z₀) and the known part of a⁺, with the weight of v̇⁺ in it.
    displacement: M::Speeds,
    known: Stage<M, T>,
    algorithmic: (T, Stage<M, T>),
    middle: Middle<M, T>,
    middle_q: M::Coordinates,
    /// (v, a*, ż) at the end.
    rates: Rates<M, T>,
    guide: Guide<M, T>,
}

impl<M: Mechanism<T>, T: Real> Balance<M, T> {
    pub(super) fn new(mechanism: &M) -> Self {
        let (middle_q, displacement, ..) = mechanism.storage();
        let mut evaluation = Evaluation::new(mechanism);
        // The ends of first iterates may violate the rows by much.
        evaluation.work.iterations = 12;
        Balance {
            evaluation,
            end: State::new(mechanism),
            weights: [T::ZERO; 2],
            start: State::new(mechanism),
            h: T::ZERO,
            displacement,
            known: Stage::new(mechanism),
            algorithmic: (T::ZERO, Stage::new(mechanism)),
            middle: Middle::new(mechanism),
            middle_q,
            rates: Rates::new(mechanism),
            guide: Guide::new(mechanism),
        }
    }

    /// Writes (v̇, ż) of the mechanism at a state.
    pub(super) fn evaluate(
        &mut self,
        mechanism: &M,
        state: &State<M, T>,
        inputs: &mut Inputs<T>,
        rates: &mut Stage<M, T>,
    ) -> Result<(), Error<T>> {
        self.evaluation.rates(mechanism, state, inputs, &mut self.rates)?;
        rates.copy_from(self.rates.v.as_ref(), self.rates.z.as_ref());
        Ok(())
    }

    /// Stores the known values of a step of length h that ends at t.
    pub(super) fn begin(&mut self, first: &Memory<M, T>, parameters: &Parameters, t: T, h: T) {
        let known = first.ratio(h);
        let weights = if known.is_some() { parameters.weights() } else { parameters.first_weights() };
        let [positions, speeds, algorithmic] = weights.map(|row| row.map(T::from_f64));
        let ratio = known.unwrap_or(T::ZERO);
        // s a + r v̇ with a − v̇ of a step of this length.
        let write = |out: &mut Stage<M, T>, [_, s, r]: [T; 3]| {
            combine(out, s * ratio, &first.algorithmic, r + s * (T::ONE - ratio), &first.rates);
        };
        self.algorithmic.0 = algorithmic[0];
        write(&mut self.algorithmic.1, algorithmic);
        write(&mut self.known, positions);
        let displacement = self.displacement.as_mut();
        displacement.fill(T::ZERO);
        add_scaled(displacement, h, first.state.v.as_ref());
        add_scaled(displacement, h * h, self.known.v.as_ref());
        write(&mut self.known, speeds.map(|weight| h * weight));
        self.known.add_scaled(T::ONE, first.state.v.as_ref(), first.state.z.as_ref());
        self.weights = [h * h * positions[0], h * speeds[0]];
        self.start.copy_from(&first.state);
        self.end.copy_from(&first.state);
        self.middle_q.as_mut().copy_from_slice(first.state.q.as_ref());
        (self.end.t, self.h) = (t, h);
    }

    /// Writes a⁺ of the solution.
    pub(super) fn write_algorithmic(&self, rates: &Stage<M, T>, algorithmic: &mut Stage<M, T>) {
        let (weight, known) = &self.algorithmic;
        combine(algorithmic, *weight, rates, T::ONE, known);
    }

    /// Writes v̇⁺ and λ⁺ of the image.
    pub(super) fn write_motion(&self, a: &mut [T], lambda: &mut [T]) {
        a.copy_from_slice(self.rates.v.as_ref());
        add_scaled(a, T::ONE, self.guide.shift.as_ref());
        self.write_multipliers(lambda);
    }

    /// Writes λ⁺.
    pub(super) fn write_multipliers(&self, lambda: &mut [T]) {
        lambda.copy_from_slice(self.evaluation.multipliers());
        add_scaled(lambda, T::ONE, self.guide.multipliers.as_ref());
    }

    /// Sets (q⁺, v⁺, z⁺) of the end for (v̇⁺, ż⁺).
    fn set_end(&mut self, mechanism: &M, unknowns: &Stage<M, T>) -> Result<(), Error<T>> {
        let [positions, speeds] = self.weights;
        let (v, z) = (self.end.v.as_mut(), self.end.z.as_mut());
        v.copy_from_slice(self.known.v.as_ref());
        z.copy_from_slice(self.known.z.as_ref());
        add_scaled(v, speeds, unknowns.v.as_ref());
        add_scaled(z, speeds, unknowns.z.as_ref());
        let half = T::from_f64(0.5);
        let (start, q, middle) = (self.start.q.as_ref(), self.end.q.as_mut(), self.middle_q.as_mut());
        let t = self.start.t + half * self.h;
        for sign in [-half, half] {
            self.middle.set_delta(sign, self.displacement.as_ref());
            add_scaled(self.middle.delta.as_mut(), sign * positions, unknowns.v.as_ref());
            if sign < T::ZERO {
                self.middle.solve(mechanism, t, start, middle)?;
            }
        }
        q.copy_from_slice(middle);
        self.middle.advance(mechanism, t, q);
        self.evaluation.settle_positions(mechanism, &mut self.end)
    }
}

impl<M: Mechanism<T>, T: Real> Equations<M, T, 1> for Balance<M, T> {
    fn image(
        &mut self,
        mechanism: &M,
        inputs: &mut Inputs<T>,
        [unknowns]: &[Stage<M, T>; 1],
        [image]: &mut [Stage<M, T>; 1],
    ) -> Result<(), Error<T>> {
        self.set_end(mechanism, unknowns)?;
        self.evaluation.rates(mechanism, &self.end, inputs, &mut self.rates)?;
        image.copy_from(unknowns.v.as_ref(), self.rates.z.as_ref());
        add_scaled(image.v.as_mut(), -T::ONE, self.rates.v.as_ref());
        let end = self.end.view(&[]);
        self.guide.write_rows(mechanism, end, image.v.as_ref());
        self.guide.subtract_residuals(mechanism, end, self.weights[1]);
        self.guide.solve(mechanism, end)?;
        image.v.as_mut().copy_from_slice(self.rates.v.as_ref());
        add_scaled(image.v.as_mut(), T::ONE, self.guide.shift.as_ref());
        Ok(())
    }

    /// Residuals as errors of v⁺ and z⁺, relative to |v| and |z|, and relative to max(|v|, |q|/h) and |z|: slower speeds do not matter in the step.
    fn measure(&self, mechanism: &M, [image]: &[Stage<M, T>; 1], [residual]: &[Stage<M, T>; 1]) -> [T; 2] {
        let weight = self.weights[1].abs();
        let n_z = continuous(mechanism);
        let size =
            |ends: [&[T]; 2], rates: &[T]| max_norm(ends[0]).max(max_norm(ends[1])).max(weight * max_norm(rates));
        let speeds = size([self.start.v.as_ref(), self.end.v.as_ref()], image.v.as_ref());
        let ends = [&self.start.z.as_ref()[..n_z], &self.end.z.as_ref()[..n_z]];
        let others = ratio(weight * max_norm(&residual.z.as_ref()[..n_z]), size(ends, &image.z.as_ref()[..n_z]));
        let moving = max_norm(self.start.q.as_ref()) / self.h.abs();
        let v = weight * max_norm(residual.v.as_ref());
        [ratio(v, speeds).max(others), ratio(v, speeds.max(moving)).max(others)]
    }

    fn time(&self) -> T {
        self.end.t
    }
}

/// G and X of the module header at a state.
pub(super) struct Guide<M: Mechanism<T>, T: Real> {
    /// X g of `solve`, with μ.
    pub(super) shift: M::Speeds,
    multipliers: M::Multipliers,
    rows: M::Multipliers,
    residuals: M::Multipliers,
    zero: M::Speeds,
    moved: M::Speeds,
    q: M::Coordinates,
    rates: M::Coordinates,
}

impl<M: Mechanism<T>, T: Real> Guide<M, T> {
    pub(super) fn new(mechanism: &M) -> Self {
        let (q, zero, rows, ..) = mechanism.storage();
        Guide {
            shift: zero.clone(),
            moved: zero.clone(),
            zero,
            rates: q.clone(),
            q,
            multipliers: rows.clone(),
            residuals: rows.clone(),
            rows,
        }
    }

    /// g ← G y of position and velocity rows, by a difference of ψ if rows are affine in speeds, else by a central difference, exact for quadratic
    /// rows.
    pub(super) fn write_rows(&mut self, mechanism: &M, end: StateView<T>, y: &[T]) {
        let n = mechanism.sizes().n_velocity;
        let size = max_norm(y);
        let is_nonlinear = mechanism.jacobian_reads_speeds() && size > T::ZERO;
        let step = if is_nonlinear {
            T::EPSILON.powf(T::from_f64(1.0 / 3.0)) * max_norm(end.v).max(size) / size
        } else {
            T::ONE
        };
        let (rows, other) = (self.rows.as_mut(), self.residuals.as_mut());
        rows.fill(T::ZERO);
        let from = if is_nonlinear { end.v } else { self.zero.as_ref() };
        let mut write = |s: T, psi: &mut [T]| {
            self.moved.as_mut().copy_from_slice(from);
            add_scaled(self.moved.as_mut(), s, y);
            mechanism.velocity_residuals(StateView { v: self.moved.as_ref(), ..end }, &mut psi[..n]);
        };
        write(step, rows);
        write(if is_nonlinear { -step } else { T::ZERO }, other);
        let scale = T::ONE / if is_nonlinear { step + step } else { step };
        for (row, other) in rows.iter_mut().zip(other).take(n) {
            *row = scale * (*row - *other);
        }
    }

    /// g ← g + s ψ_q N y of position and velocity rows, by central differences of q ⊕ y: exact for quadratic rows, else to some 1e-10.
    pub(super) fn add_derivatives(&mut self, mechanism: &M, end: StateView<T>, y: &[T], s: T) {
        let (n, size) = (mechanism.sizes().n_velocity, max_norm(y));
        if size <= T::ZERO {
            return;
        }
        let step = T::EPSILON.powf(T::from_f64(1.0 / 3.0)) * T::ONE.max(max_norm(end.q)) / size;
        for (sign, s) in [(step, s), (-step, -s)] {
            let (q, delta, psi) = (self.q.as_mut(), self.moved.as_mut(), &mut self.residuals.as_mut()[..n]);
            q.copy_from_slice(end.q);
            delta.fill(T::ZERO);
            add_scaled(delta, sign, y);
            mechanism.retract(end.t, q, delta, self.rates.as_mut());
            mechanism.velocity_residuals(StateView { q, ..end }, psi);
            add_scaled(&mut self.rows.as_mut()[..n], s / (step + step), psi);
        }
    }

    /// g ← g − ψ/w_v.
    fn subtract_residuals(&mut self, mechanism: &M, end: StateView<T>, weight: T) {
        let n = mechanism.sizes().n_velocity;
        let residuals = &mut self.residuals.as_mut()[..n];
        mechanism.velocity_residuals(end, residuals);
        add_scaled(&mut self.rows.as_mut()[..n], -T::ONE / weight, residuals);
    }

    /// g ← 0 in all but position rows.
    pub(super) fn keep_positions(&mut self, mechanism: &M) {
        self.rows.as_mut()[mechanism.sizes().n_position..].fill(T::ZERO);
    }

    /// Solves for X g, into `shift`, and μ.
    pub(super) fn solve(&mut self, mechanism: &M, end: StateView<T>) -> Result<(), Error<T>> {
        let (zero, rows) = (self.zero.as_ref(), self.rows.as_ref());
        mechanism.solve(end, zero, rows, self.shift.as_mut(), self.multipliers.as_mut())
    }
}
