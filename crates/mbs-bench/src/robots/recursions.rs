//! Recursions of the engine for a tree: articulated bodies, Newton–Euler, composite bodies; derivatives are finite differences of them.

use std::hint::black_box;

use mbs::{Mechanism, StateView};
use mbs_engine::Engine;

use crate::candidate::{Candidate, Method, Start};

/// Step of one-sided differences: their errors are some 1e-7 of the second derivatives.
const STEP: f64 = 1e-7;

/// Functions to compute and to difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Accelerations a by articulated bodies.
    Accelerations,
    /// M a − Q at given a: M by composite bodies, Q by Newton–Euler.
    Inverse,
}

/// The engine at a state, with its results.
#[derive(Clone)]
pub struct Recursions {
    engine: Engine,
    start: Start,
    /// Accelerations a of inverse dynamics.
    accelerations: Vec<f64>,
    values: Vec<f64>,
    forces: Vec<f64>,
    mass: Vec<f64>,
}

impl Recursions {
    /// Creates the recursions of a mechanism without rows.
    pub fn new(engine: Engine, start: &Start, accelerations: &[f64]) -> Recursions {
        let n = accelerations.len();
        let zeros = |n: usize| vec![0.0; n];
        let (values, forces, mass) = (zeros(n), zeros(n), zeros(n * n));
        Recursions { engine, start: start.clone(), accelerations: accelerations.to_vec(), values, forces, mass }
    }

    /// The n_v values of a function.
    pub fn values(&mut self, work: Work) -> &[f64] {
        let Recursions { engine, start, accelerations, values, forces, mass } = self;
        let at = StateView { t: 0.0, q: &start.q, v: &start.v, z: &[], u: &start.u };
        match work {
            Work::Accelerations => {
                engine.accelerations(at, values, &mut []).expect("M is regular");
            }
            Work::Inverse => {
                engine.mass_matrix(at, mass);
                engine.generalized_forces(at, forces);
                for ((value, row), force) in values.iter_mut().zip(mass.chunks_exact(accelerations.len())).zip(forces) {
                    *value = row.iter().zip(&*accelerations).map(|(m, a)| m * a).sum::<f64>() - *force;
                }
            }
        }
        values
    }

    /// −Q by Newton–Euler alone, the recursion of inverse dynamics at a = 0: another a costs one more product per link.
    pub fn newton_euler(&mut self) -> &[f64] {
        let Recursions { engine, start, forces, .. } = self;
        engine.generalized_forces(start.view(), forces);
        forces
    }

    /// M by composite bodies.
    pub fn mass_matrix(&mut self) -> &[f64] {
        self.engine.mass_matrix(self.start.view(), &mut self.mass);
        &self.mass
    }

    /// Derivatives in the directions N(q) e_j, and with respect to speeds and inputs, one column after the other.
    pub fn derivatives(&mut self, work: Work) -> Vec<f64> {
        let (at, n, inputs) = (self.values(work).to_vec(), self.accelerations.len(), self.start.u.len());
        let (start, mut derivatives) = (self.start.clone(), Vec::with_capacity(n * (2 * n + inputs)));
        let (mut along, mut rates) = (vec![0.0; n], start.q.clone());
        for j in 0..2 * n + inputs {
            match j {
                _ if j < n => {
                    along[j] = STEP;
                    self.engine.retract(0.0, &mut self.start.q, &along, &mut rates);
                    along[j] = 0.0;
                }
                _ if j < 2 * n => self.start.v[j - n] += STEP,
                _ => self.start.u[j - 2 * n] += STEP,
            }
            let moved = self.values(work);
            derivatives.extend(moved.iter().zip(&at).map(|(moved, at)| (moved - at) / STEP));
            self.start.clone_from(&start);
        }
        derivatives
    }

    /// Newton–Euler, composite bodies, derivatives of accelerations and of inverse dynamics.
    pub fn candidates(&self) -> [Candidate; 4] {
        let candidate = |method, run: fn(&mut Recursions)| {
            let mut recursions = self.clone();
            Candidate::new(method, move || run(black_box(&mut recursions)))
        };
        [
            candidate(Method::Engine, |recursions| {
                black_box(recursions.newton_euler());
            }),
            candidate(Method::Engine, |recursions| {
                black_box(recursions.mass_matrix());
            }),
            candidate(Method::Differenced, |recursions| {
                black_box(recursions.derivatives(Work::Accelerations));
            }),
            candidate(Method::Differenced, |recursions| {
                black_box(recursions.derivatives(Work::Inverse));
            }),
        ]
    }
}
