//! Equations of a step, and the corrections of its iterates.
//!
//! With the residuals of equations 1 and 2 at v_m,
//!
//! 4. M(q) δ + G(q)ᵀ μ = p − p(q_m, v_m) + ½h f(q_m, v_m),  G(q) δ = −Φ(q⁺)/h or −ψ(q_m, v_m),
//!
//! v_m + δ is the next iterate. The derivatives are those at the beginning of the step, with a relative error of O(h). μ is no iterate, since the
//! first of equations 4 determines it in each iteration.

use super::super::evaluation::{Evaluation, continuous};
use super::super::iteration::{Correction, Equations, Stage, StageDerivatives, ratio};
use super::super::{Inputs, Statistics};
use crate::error::Unsuited;
use crate::momenta::check_rates;
use crate::{Error, Mechanism, Momenta, Real, Stabilization, State, StateView};
use mbs_math::{add_scaled, max_norm, negate};

/// Fraction of |q|/h with which residuals of speeds are compared: rounding of coordinates exceeds smaller ones.
const ROUNDED: f64 = 1.0 / 4.0;

/// Safe bound c in e⁺ ≤ c e² for relative corrections e of Newton's method.
const QUADRATIC: f64 = 64.0;

/// Checks that the method is suited to the mechanism.
///
/// # Errors
/// [`Error::Unsuited`].
pub(super) fn check<M: Mechanism<T>, T: Real>(mechanism: &M, state: &State<M, T>) -> Result<(), Error<T>> {
    let sizes = mechanism.sizes();
    if sizes.n_c > sizes.n_velocity {
        return Err(Error::Unsuited { cause: Unsuited::AccelerationRow { row: sizes.n_velocity } });
    }
    if mechanism.jacobian_reads_speeds() {
        return Err(Error::Unsuited { cause: Unsuited::SpeedsInRows });
    }
    check_rates(mechanism, state.view(&[]))
}

/// Method by which a step is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// By [`Momenta::momentum_step`] where the mechanism implements it and its pivots do not vanish.
    Newton,
    /// By equations 4.
    Chord,
}

/// A step and its mean state.
struct Step<M: Mechanism<T>, T: Real> {
    start: State<M, T>,
    /// p at the beginning.
    momenta: M::Speeds,
    middle: State<M, T>,
    /// (t⁺, q⁺, z⁺); its speeds are not used.
    end: State<M, T>,
    h: T,
    /// |v| and |q/h| at the beginning.
    sizes: [T; 2],
    /// u at the middle.
    u: M::Inputs,
}

impl<M: Mechanism<T>, T: Real> Step<M, T> {
    /// Sets q_m and q⁺ from v_m.
    fn set_coordinates(&mut self) {
        for (q, s) in [(&mut self.middle.q, T::from_f64(0.5) * self.h), (&mut self.end.q, self.h)] {
            q.as_mut().copy_from_slice(self.start.q.as_ref());
            add_scaled(q.as_mut(), s, self.middle.v.as_ref());
        }
    }
}

/// A correction, by Newton's method or equations 4.
struct Found<M: Mechanism<T>, T: Real> {
    delta: M::Speeds,
    mu: M::Multipliers,
    /// p⁺; with [`Method::Chord`], before the end of the step without the impulses of the rows.
    momenta: M::Speeds,
    forces: M::Speeds,
    rows: M::Multipliers,
    /// The method that was used.
    method: Method,
}

/// Equations of the header of `zhong06.rs`.
pub struct Balance<M: Mechanism<T>, T: Real> {
    step: Step<M, T>,
    found: Found<M, T>,
    method: Method,
    rates: M::Auxiliary,
    evaluation: Evaluation<M, T>,
}

impl<M: Momenta<T>, T: Real> Balance<M, T> {
    pub(super) fn new(mechanism: &M, method: Method) -> Self {
        let (_, v, rows, rates, u, _) = mechanism.storage();
        let state = State::new(mechanism);
        let step = Step {
            momenta: v.clone(),
            start: state.clone(),
            middle: state.clone(),
            end: state,
            h: T::ZERO,
            sizes: [T::ZERO; 2],
            u,
        };
        let found = Found { delta: v.clone(), momenta: v.clone(), forces: v, mu: rows.clone(), rows, method };
        let mut evaluation = Evaluation::new(mechanism);
        evaluation.stabilization = Stabilization::None;
        Balance { step, found, method, rates, evaluation }
    }

    pub(super) fn set_stabilization(&mut self, stabilization: Stabilization<T>) {
        let is_kept = matches!(stabilization, Stabilization::Projection | Stabilization::SymmetricProjection);
        self.evaluation.stabilization = if is_kept { Stabilization::Projection } else { Stabilization::None };
    }

    /// Stores the known values of a step of length h that ends at t, from a state with momenta.
    pub(super) fn begin(&mut self, start: &State<M, T>, momenta: &[T], t: T, h: T) {
        let step = &mut self.step;
        step.start.copy_from(start);
        step.middle.copy_from(start);
        step.end.copy_from(start);
        step.momenta.as_mut().copy_from_slice(momenta);
        step.sizes = [max_norm(start.v.as_ref()), max_norm(start.q.as_ref()) / h.abs()];
        (step.h, step.end.t, step.middle.t) = (h, t, start.t + T::from_f64(0.5) * h);
    }

    /// v_m.
    pub(super) fn mean_speeds(&self) -> &[T] {
        self.step.middle.v.as_ref()
    }

    /// p⁺.
    pub(super) fn momenta(&self) -> &[T] {
        self.found.momenta.as_ref()
    }

    /// λ = 2μ/h.
    pub(super) fn write_multipliers(&self, lambda: &mut [T]) {
        lambda.fill(T::ZERO);
        add_scaled(lambda, T::from_f64(2.0) / self.step.h, self.found.mu.as_ref());
    }

    pub(super) fn statistics(&self) -> Statistics {
        self.evaluation.statistics
    }

    /// Checks that q̇ = v at the mean state, too.
    ///
    /// # Errors
    /// [`Error::Unsuited`].
    pub(super) fn check_middle(&self, mechanism: &M) -> Result<(), Error<T>> {
        check_rates(mechanism, self.step.middle.view(self.step.u.as_ref()))
    }

    /// Writes the state at the end of a solved step.
    pub(super) fn finish(&mut self, mechanism: &M, next: &mut State<M, T>) -> Result<(), Error<T>> {
        let (step, found) = (&mut self.step, &mut self.found);
        add_scaled(step.middle.v.as_mut(), T::ONE, found.delta.as_ref());
        step.set_coordinates();
        if found.method == Method::Chord {
            // One more chord iteration reduces the residual to round-off.
            self.evaluation.statistics.evaluate();
            found.solve_chord(mechanism, step)?;
            found.subtract_row_impulses(mechanism, step);
        }
        next.copy_from(&step.end);
        let at = StateView { v: &[], ..step.end.view(&[]) };
        mechanism.speeds_of_momenta(at, found.momenta.as_ref(), next.v.as_mut())?;
        self.evaluation.settle(mechanism, &step.start, next)?;
        self.evaluation.statistics.accept();
        Ok(())
    }
}

impl<M: Momenta<T>, T: Real> Equations<M, T, 1> for Balance<M, T> {
    fn image(
        &mut self,
        mechanism: &M,
        inputs: &mut Inputs<T>,
        [unknowns]: &[Stage<M, T>; 1],
        [image]: &mut [Stage<M, T>; 1],
    ) -> Result<(), Error<T>> {
        let step = &mut self.step;
        let (half, v) = (T::from_f64(0.5) * step.h, unknowns.v.as_ref());
        step.middle.v.as_mut().copy_from_slice(v);
        step.set_coordinates();
        let continuous = continuous(mechanism);
        if continuous > 0 {
            let (start, middle, end) = (step.start.z.as_ref(), step.middle.z.as_mut(), step.end.z.as_mut());
            middle.copy_from_slice(unknowns.z.as_ref());
            for i in 0..continuous {
                end[i] = middle[i] + middle[i] - start[i];
            }
        }
        let u = step.u.as_mut();
        if !u.is_empty() {
            inputs(step.middle.view(&[]), u);
        }
        self.evaluation.statistics.evaluate();
        self.found.correct(mechanism, step, self.method)?;
        image.copy_from(v, step.start.z.as_ref());
        add_scaled(image.v.as_mut(), T::ONE, self.found.delta.as_ref());
        if continuous > 0 {
            mechanism.auxiliary_rates(step.middle.view(step.u.as_ref()), self.rates.as_mut());
            add_scaled(&mut image.z.as_mut()[..continuous], half, &self.rates.as_ref()[..continuous]);
        }
        Ok(())
    }

    /// Residuals of v_m relative to max(|v|, ¼|q|/h), and relative to max(|v|, |q|/h); those of z_m relative to |z|. With Newton's
    /// method and all derivatives, the first is a bound of the residual after the correction, about its square.
    fn measure(&self, mechanism: &M, [image]: &[Stage<M, T>; 1], [residual]: &[Stage<M, T>; 1]) -> [T; 2] {
        let ([speeds, moving], v) = (self.step.sizes, max_norm(residual.v.as_ref()));
        let speeds = speeds.max(max_norm(image.v.as_ref()));
        let others = match continuous(mechanism) {
            0 => T::ZERO,
            n => {
                let [start, image] = [&self.step.start.z, &image.z].map(|z| max_norm(&z.as_ref()[..n]));
                ratio(max_norm(&residual.z.as_ref()[..n]), start.max(image))
            }
        };
        let mut size = ratio(v, speeds.max(T::from_f64(ROUNDED) * moving));
        if self.found.method == Method::Newton && self.step.u.as_ref().is_empty() && size < T::ONE {
            size = T::from_f64(QUADRATIC) * (size * size);
        }
        [size.max(others), ratio(v, speeds.max(moving)).max(others)]
    }

    fn time(&self) -> T {
        self.step.middle.t
    }
}

/// No further corrections: [`Balance`] makes them while it evaluates the equations.
pub struct Corrections;

impl<M: Mechanism<T>, T: Real> StageDerivatives<M, T, Balance<M, T>, 1> for Corrections {
    const ITERATIONS: usize = 60;

    fn correct(&mut self, _: &M, balance: &Balance<M, T>, _: &mut [Stage<M, T>; 1]) -> Result<Correction, Error<T>> {
        Ok(match balance.found.method {
            Method::Newton => Correction::Made,
            Method::Chord => Correction::Residual,
        })
    }
}

impl<M: Momenta<T>, T: Real> Found<M, T> {
    /// Computes δ, μ and the momenta at the end.
    fn correct(&mut self, mechanism: &M, step: &Step<M, T>, method: Method) -> Result<(), Error<T>> {
        self.method = method;
        if method == Method::Newton {
            let (delta, mu, end) = (self.delta.as_mut(), self.mu.as_mut(), self.momenta.as_mut());
            let at = step.middle.view(step.u.as_ref());
            match mechanism.momentum_step(at, step.h, step.momenta.as_ref(), delta, mu, end) {
                Err(Error::MissingKernel { .. } | Error::Singular { .. }) => self.method = Method::Chord,
                known => return known,
            }
        }
        self.solve_chord(mechanism, step)
    }

    /// Solves equations 4.
    fn solve_chord(&mut self, mechanism: &M, step: &Step<M, T>) -> Result<(), Error<T>> {
        let (middle, half) = (step.middle.view(step.u.as_ref()), T::from_f64(0.5) * step.h);
        let (p, forces, momenta) = (step.momenta.as_ref(), self.forces.as_mut(), self.momenta.as_mut());
        mechanism.momenta(middle, momenta)?;
        mechanism.momentum_rates(middle, forces)?;
        // p − p_m + ½h f, and p_m + ½h f.
        for ((f, momenta), p) in forces.iter_mut().zip(momenta).zip(p) {
            let impulse = half * *f;
            *f = *p - *momenta + impulse;
            *momenta += impulse;
        }
        let (sizes, rows) = (mechanism.sizes(), self.rows.as_mut());
        if sizes.n_velocity > sizes.n_position {
            mechanism.velocity_residuals(middle, rows);
        }
        let (phi, _) = rows.split_at_mut(sizes.n_position);
        mechanism.position_residuals(step.end.view(&[]), phi);
        phi.iter_mut().for_each(|phi| *phi /= step.h);
        negate(rows);
        mechanism.solve(step.start.view(&[]), self.forces.as_ref(), rows, self.delta.as_mut(), self.mu.as_mut())
    }

    /// p⁺ ← p⁺ − G(t⁺, q⁺)ᵀ μ.
    fn subtract_row_impulses(&mut self, mechanism: &M, step: &Step<M, T>) {
        mechanism.constraint_forces(step.end.view(&[]), self.mu.as_ref(), self.forces.as_mut());
        add_scaled(self.momenta.as_mut(), -T::ONE, self.forces.as_ref());
    }
}
