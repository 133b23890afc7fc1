//! The search for a state at rest.
//!
//! Unknowns x = (y, z) are the coordinates y of admissible displacements δθ = Y y and the auxiliary states. The search reduces r:
//!
//! 1. r = (Yᵀ M v̇, ż, ψ), with ψ of the velocity rows that belong to no position row, and derivatives J = ∂r/∂x;
//! 2. for the nearest equilibrium: x ← x − s J⁺ r, where s is halved until |J⁺ r| decreases;
//! 3. for a stable one: with z at ż = 0, r = Yᵀ M v̇ is a force and −∂r/∂y = K = Σ κ u uᵀ a stiffness. y ← y + s Σ u (u·r) / (|κ| + μ) decreases
//!    the potential for any signs of κ. μ limits the length of the step, and s is halved where the work of the force at its end is below −½ of
//!    that at its beginning.

use nalgebra::DVector;

use super::here::{Here, LONGEST_STEP};
use super::{Equilibrium, NoEquilibrium};
use crate::analysis::derivatives::Derivatives;
use mbs_core::{
    Describe, Differentiable, Error, Item, Linearization, Projection, Sizes, State, max_norm, project_positions,
};
use mbs_diagnosis::{coordinate_name, row_name};

/// Largest number of iterations.
const ITERATIONS: usize = 300;
/// Largest number of halvings of one step.
const HALVINGS: usize = 20;
/// Steps below this size do not change the state.
const STILL: f64 = 1e-14;
/// Steps below this size are the last ones if their size no longer decreases.
const SHORT: f64 = 1e-8;
/// Size of the displacement out of an unstable equilibrium.
const PUSH: f64 = 0.05;
/// Accelerations of rows up to this are round-off.
const STEADY: f64 = 1e-8;

/// Equilibrium that is searched for.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Aim {
    Nearest,
    Stable,
}

/// A search, with its work space.
pub(super) struct Search<'m, M: Differentiable> {
    mechanism: &'m M,
    sizes: Sizes,
    inputs: Vec<f64>,
    aim: Aim,
    work: Linearization<M>,
    projection: Projection<M>,
    a: M::Speeds,
    lambda: M::Multipliers,
    rates: M::Auxiliary,
    psi: Vec<f64>,
    /// The largest units of motion so far, so that steps do not get shorter while a mechanism folds up.
    units: DVector<f64>,
    residuals: Vec<f64>,
}

impl<'m, M: Differentiable + Describe> Search<'m, M> {
    pub fn new(mechanism: &'m M, inputs: Vec<f64>, aim: Aim) -> Result<Self, NoEquilibrium> {
        let sizes = mechanism.sizes();
        if inputs.len() != sizes.n_u {
            return Err(Error::Size { expected: sizes.n_u, found: inputs.len() }.into());
        }
        let (_, a, lambda, rates, ..) = mechanism.storage();
        let mut projection = Projection::new(mechanism);
        projection.iterations = 30;
        let (work, psi) = (Linearization::new(mechanism), vec![0.0; sizes.n_velocity]);
        let (units, residuals) = (DVector::zeros(sizes.n_v), Vec::new());
        Ok(Search { mechanism, sizes, inputs, aim, work, projection, a, lambda, rates, psi, units, residuals })
    }

    /// Runs the search from a nearby state, whose speeds are not read.
    pub fn run(mut self, mut state: State<M>) -> Result<Equilibrium<M>, NoEquilibrium> {
        state.check_size(self.mechanism)?;
        state.v.as_mut().fill(0.0);
        project_positions(self.mechanism, &mut state, &mut self.projection)?;
        let mut previous = f64::INFINITY;
        for _ in 0..ITERATIONS {
            let here = self.linearize(&state)?;
            let step = self.step(&here);
            let size = here.size(&step);
            let is_still = size <= STILL || (size <= SHORT && 2.0 * size > previous);
            if !size.is_finite() {
                return Err(Error::NotFinite { t: state.t }.into());
            }
            if is_still {
                previous = f64::INFINITY;
                if let Some(push) = self.push(&here) {
                    state = self.displaced(&state, &here, &push)?;
                } else if self.aim == Aim::Stable && here.size(&here.correction(&here.residual)) > SHORT {
                    // Minimising the potential cannot satisfy velocity rows: search for the nearest equilibrium instead.
                    self.aim = Aim::Nearest;
                } else {
                    return self.finish(state, &here);
                }
                continue;
            }
            previous = size;
            match self.advance(&state, &here, &step) {
                Some(next) => state = next,
                None => return Err(self.failure(&here)),
            }
        }
        let here = self.linearize(&state)?;
        Err(self.failure(&here))
    }

    /// Residuals and derivatives at a state.
    fn linearize(&mut self, state: &State<M>) -> Result<Here, NoEquilibrium> {
        let mut derivatives = Derivatives::new(self.mechanism, state.view(&self.inputs), &mut self.work)?;
        self.units = self.units.sup(&derivatives.admissible.units);
        derivatives.admissible.units.copy_from(&self.units);
        let residual = self.residual(state, &derivatives)?;
        self.residuals.push(self.largest());
        let z = state.z.as_ref().to_vec();
        Here::new(derivatives, residual, z).ok_or(NoEquilibrium::Run(Error::NotFinite { t: state.t }))
    }

    /// r at a state, with the admissible speeds of another nearby state.
    fn residual(&mut self, state: &State<M>, derivatives: &Derivatives) -> Result<DVector<f64>, Error> {
        let (mechanism, at) = (self.mechanism, state.view(&self.inputs));
        mechanism.accelerations(at, self.a.as_mut(), self.lambda.as_mut())?;
        mechanism.auxiliary_rates(at, self.rates.as_mut());
        mechanism.velocity_residuals(at, &mut self.psi);
        let force = &derivatives.admissible.momenta * DVector::from_column_slice(self.a.as_ref());
        let rates = self.rates.as_ref().iter().take(derivatives.n_z());
        let all = force.iter().chain(rates).chain(&self.psi[self.sizes.n_position..]).copied();
        let residual = DVector::from_iterator(self.residual_len(derivatives), all);
        if residual.iter().all(|r| r.is_finite()) { Ok(residual) } else { Err(Error::NotFinite { t: state.t }) }
    }

    /// Length of r.
    fn residual_len(&self, derivatives: &Derivatives) -> usize {
        derivatives.admissible.speeds.ncols() + derivatives.n_z() + self.sizes.n_velocity - self.sizes.n_position
    }

    /// Largest |v̇|, |ż| and |ψ| at the last evaluation of the residual.
    fn largest(&self) -> f64 {
        let rates = &self.rates.as_ref()[..self.sizes.n_z - self.sizes.n_discrete];
        max_norm(self.a.as_ref()).max(max_norm(rates)).max(max_norm(&self.psi[self.sizes.n_position..]))
    }

    /// Checks that G v̇ = γ vanishes: at rest it is the acceleration that rows prescribe.
    ///
    /// # Errors
    /// [`NoEquilibrium::Moving`].
    fn check_accelerations(&self, state: &State<M>, derivatives: &Derivatives) -> Result<(), NoEquilibrium> {
        let jacobian = &derivatives.admissible.jacobian;
        for (row, entries) in jacobian.row_iter().enumerate() {
            let terms = || entries.iter().zip(self.a.as_ref()).map(|(g, a)| g * a);
            let (acceleration, size) = (terms().sum::<f64>(), terms().map(f64::abs).sum::<f64>());
            if acceleration.abs() > STEADY + 1e-9 * size {
                return Err(NoEquilibrium::Moving { row: row_name(self.mechanism, row), acceleration, t: state.t });
            }
        }
        Ok(())
    }

    fn step(&self, here: &Here) -> DVector<f64> {
        match self.aim {
            Aim::Nearest => here.correction(&here.residual),
            Aim::Stable => here.downhill(),
        }
    }

    /// A displacement out of an equilibrium that is not stable, if a stable one is searched for.
    fn push(&self, here: &Here) -> Option<DVector<f64>> {
        let unstable = (self.aim == Aim::Stable).then(|| here.unstable()).flatten()?;
        let size = here.size(&unstable);
        (size > 0.0).then(|| unstable * (PUSH / size))
    }

    /// The state after a step, projected onto the rows.
    fn displaced(&mut self, state: &State<M>, here: &Here, step: &DVector<f64>) -> Result<State<M>, Error> {
        let (n_v, displacements) = (self.sizes.n_v, &here.derivatives.admissible.displacements);
        let k = displacements.ncols();
        let mut delta = vec![0.0; self.sizes.n_e()];
        delta[..n_v].copy_from_slice((displacements * step.rows(0, k)).as_slice());
        for (delta, step) in delta[2 * n_v..].iter_mut().zip(step.iter().skip(k)) {
            *delta = *step;
        }
        let mut next = state.clone();
        next.displace(self.mechanism, &delta)?;
        project_positions(self.mechanism, &mut next, &mut self.projection)?;
        Ok(next)
    }

    /// The state after the largest acceptable fraction of a step; `None` if no fraction is acceptable.
    fn advance(&mut self, state: &State<M>, here: &Here, step: &DVector<f64>) -> Option<State<M>> {
        let mut part = (LONGEST_STEP / here.size(step)).min(1.0);
        for _ in 0..HALVINGS {
            let tried = self.displaced(state, here, &(step * part));
            let tried = tried.and_then(|next| Ok((self.residual(&next, &here.derivatives)?, next)));
            match tried {
                Ok((residual, next)) if self.is_acceptable(here, step, part, &residual) => return Some(next),
                _ => part *= 0.5,
            }
        }
        None
    }

    /// Whether a fraction of a step, with the residual at its end, is acceptable by 2 or 3 of the module header.
    fn is_acceptable(&self, here: &Here, step: &DVector<f64>, part: f64, residual: &DVector<f64>) -> bool {
        match self.aim {
            // Short steps are accepted: their residuals are round-off.
            _ if part * here.size(step) <= SHORT => true,
            Aim::Nearest => here.length(&here.correction(residual)) <= (1.0 - 0.25 * part) * here.length(step),
            Aim::Stable => here.work(residual, step) >= -0.5 * here.work(&here.residual, step),
        }
    }

    /// The equilibrium at a state.
    ///
    /// # Errors
    /// [`NoEquilibrium`] if rows prescribe motion, or loads are not balanced.
    fn finish(mut self, state: State<M>, here: &Here) -> Result<Equilibrium<M>, NoEquilibrium> {
        self.residual(&state, &here.derivatives)?;
        self.check_accelerations(&state, &here.derivatives)?;
        if let Some(unbalanced) = self.unbalanced(here) {
            return Err(unbalanced);
        }
        if let Some((row, speed)) = here.running() {
            let row = row_name(self.mechanism, self.sizes.n_position + row);
            return Err(NoEquilibrium::Running { row, speed, t: state.t });
        }
        Ok(Equilibrium {
            state,
            multipliers: self.lambda.as_ref().to_vec(),
            residual: self.largest(),
            iterations: self.residuals.len(),
            inputs: self.inputs,
            residuals: self.residuals,
        })
    }

    /// Returns the error of a load or auxiliary rate that no displacement balances, if there is one.
    fn unbalanced(&self, here: &Here) -> Option<NoEquilibrium> {
        let remainder = here.irreducible_residual();
        let (n, n_z) = (here.derivatives.admissible.speeds.ncols(), here.derivatives.n_z());
        let force = remainder.rows(0, n);
        let residuals = self.residuals.clone();
        if force.norm() > here.derivatives.balanced(here.stiffness) {
            let rates = &here.derivatives.admissible.speeds * force;
            let speed = rates.component_div(&here.derivatives.admissible.units).icamax();
            let name = coordinate_name(self.mechanism, speed);
            return Some(NoEquilibrium::Unbalanced { name, rate: rates[speed], residuals });
        }
        let runs = (n..n + n_z).find(|i| remainder[*i].abs() > 1e-9 * here.stiffness)?;
        let name = self.mechanism.name(Item::Auxiliary(runs - n)).to_owned();
        Some(NoEquilibrium::Unbalanced { name, rate: remainder[runs] / here.rows[runs], residuals })
    }

    /// The error of a search that ends at a state without equilibrium.
    fn failure(&self, here: &Here) -> NoEquilibrium {
        if let Some(unbalanced) = self.unbalanced(here) {
            return unbalanced;
        }
        let step = self.step(here);
        let admissible = &here.derivatives.admissible;
        let moves = (&admissible.displacements * step.rows(0, here.n())).component_div(&admissible.units);
        let name = if moves.is_empty() { String::new() } else { coordinate_name(self.mechanism, moves.icamax()) };
        NoEquilibrium::NotConverged { name, residuals: self.residuals.clone() }
    }
}
