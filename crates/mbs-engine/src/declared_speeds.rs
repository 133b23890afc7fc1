//! Planar mechanisms with joints whose kinds declare speeds u, q̇ = N(q) u. The interface has these speeds; the evaluation inside uses q̇ as
//! speeds.
//!
//! ```text
//! (1)  q̇ = N v    q̈ = N a + Ṅ v
//! (2)  M′ = Nᵀ M N    Q′ = Nᵀ (Q − M Ṅ v)    G′ = G N    γ′ = γ − G Ṅ v
//! ```
//!
//! N is 1 except for blocks on the diagonal, one for each such joint.

use std::cell::RefCell;
use std::ops::Range;

use mbs_core::{Condition, DenseWorkspace, Energy, Error, Pose, RankDeficiency, Reaction, StateView, solve_symmetric};
use mbs_expr::MarkerId;
use mbs_model::Model;
use mbs_physics::Tree;

use crate::constants::Constants;
use crate::dynamics::{Dynamics, finite};
use crate::inputs::Inputs;
use crate::planar::Planar;
use crate::poses::MOST_SPEEDS;
use crate::products::Products;
use crate::tape::Values;

/// A mechanism with declared speeds at some parameters.
#[derive(Clone, Debug)]
pub(crate) struct DeclaredSpeeds {
    planar: Box<Planar>,
    work: RefCell<Work>,
}

/// N of a joint with declared speeds.
#[derive(Clone, Debug)]
struct Block {
    /// Index of its pose.
    pose: usize,
    /// Index of its first coordinate, which is that of its first speed, too.
    first: usize,
    /// N by rows, a square matrix.
    matrix: Vec<Vec<f64>>,
}

#[derive(Clone, Debug)]
struct Work {
    blocks: Vec<Block>,
    values: Values,
    /// q̇.
    v: Vec<f64>,
    /// q̈.
    a: Vec<f64>,
    /// Ṅ v.
    rate_bias: Vec<f64>,
    /// Work space of n_v values.
    x: Vec<f64>,
    /// Work space of n_c values.
    mu: Vec<f64>,
}

/// One number for each coordinate that a joint may have.
type Padded = [f64; MOST_SPEEDS];

fn padded(x: &[f64]) -> Padded {
    std::array::from_fn(|i| x.get(i).copied().unwrap_or(0.0))
}

impl Block {
    fn range(&self) -> Range<usize> {
        self.first..self.first + self.matrix.len()
    }

    /// x ← N x.
    fn apply(&self, x: &mut [f64]) {
        let from = padded(&x[self.range()]);
        for (to, row) in x[self.range()].iter_mut().zip(&self.matrix) {
            *to = row.iter().zip(from).map(|(n, x)| n * x).sum();
        }
    }

    /// x ← Nᵀ x.
    fn apply_transposed(&self, x: &mut [f64]) {
        let to = &mut x[self.range()];
        let from = padded(to);
        to.fill(0.0);
        for (row, x) in self.matrix.iter().zip(from) {
            to.iter_mut().zip(row).for_each(|(to, n)| *to += n * x);
        }
    }

    /// x ← (NᵀN)⁻¹ x.
    fn solve(&self, t: f64, x: &mut [f64]) -> Result<(), Error> {
        let n = self.matrix.len();
        let mut square = [0.0; MOST_SPEEDS * MOST_SPEEDS];
        for (k, entry) in square[..n * n].iter_mut().enumerate() {
            *entry = self.matrix.iter().map(|row| row[k / n] * row[k % n]).sum();
        }
        let (mut scale, mut solution, mut order) = (padded(&[]), padded(&[]), [0; MOST_SPEEDS]);
        let workspace = DenseWorkspace { scale: &mut scale[..n], solution: &mut solution[..n], order: &mut order[..n] };
        let solved = solve_symmetric(t, &mut square[..n * n], &mut x[self.range()], RankDeficiency::Error, workspace);
        solved.map(|_| ()).map_err(|error| match error {
            Error::Singular { row, t } => Error::Singular { row: self.first + row, t },
            other => other,
        })
    }
}

impl Work {
    /// x ← N x.
    fn apply(blocks: &[Block], x: &mut [f64]) {
        blocks.iter().for_each(|block| block.apply(x));
    }

    /// x ← Nᵀ x.
    fn apply_transposed(blocks: &[Block], x: &mut [f64]) {
        blocks.iter().for_each(|block| block.apply_transposed(x));
    }

    /// x ← N⁻¹ x.
    fn invert(blocks: &[Block], t: f64, x: &mut [f64]) -> Result<(), Error> {
        blocks.iter().try_for_each(|block| {
            block.apply_transposed(x);
            block.solve(t, x)
        })
    }

    /// x ← N⁻ᵀ x.
    fn invert_transposed(blocks: &[Block], t: f64, x: &mut [f64]) -> Result<(), Error> {
        blocks.iter().try_for_each(|block| {
            block.solve(t, x)?;
            block.apply(x);
            Ok(())
        })
    }
}

impl DeclaredSpeeds {
    /// Wraps a mechanism that is evaluated with q̇ as speeds.
    ///
    /// # Errors
    /// Returns the mechanism unchanged if no joint declares speeds.
    pub fn from_planar(planar: Box<Planar>, model: &Model, tree: &Tree) -> Result<Self, Box<Planar>> {
        let mut values = Values::default();
        let block = |declared: mbs_physics::DeclaredSpeeds<'_>| {
            let pose = model
                .coordinates
                .poses
                .iter()
                .position(|pose| pose.joint == declared.pose.joint)
                .expect("the model has its pose");
            let plan = &planar.plan.poses[pose];
            values.grow(&plan.tape);
            let n = plan.coordinates;
            Block { pose, first: declared.first_q, matrix: vec![vec![0.0; n]; n] }
        };
        let blocks: Vec<Block> = tree.declared_speeds(model).into_iter().map(block).collect();
        if blocks.is_empty() {
            return Err(planar);
        }
        let [v, a, rate_bias, x] = [(); 4].map(|()| vec![0.0; tree.n()]);
        let mu = vec![0.0; tree.rows.len()];
        let work = RefCell::new(Work { blocks, values, v, a, rate_bias, x, mu });
        Ok(DeclaredSpeeds { planar, work })
    }

    /// Computes N, Ṅ v and the rates (1) into `work`.
    fn expand(&self, at: &Inputs<'_>, work: &mut Work) {
        let Work { blocks, values, v, a, rate_bias, .. } = work;
        let constants = &self.planar.numbers.constants;
        let moves = !at.v.is_empty();
        rate_bias.fill(0.0);
        v.iter_mut().zip(at.v).for_each(|(to, v)| *to = *v);
        a.iter_mut().zip(at.a).for_each(|(to, a)| *to = *a);
        for block in blocks {
            let plan = &self.planar.plan.poses[block.pose];
            let range = block.range();
            plan.evaluate(constants, [&at.q[range.clone()], &[], &[]], values);
            plan.matrix(values, &mut block.matrix);
            if moves {
                block.apply(v);
                plan.evaluate(constants, [&at.q[range.clone()], &v[range.clone()], &[]], values);
                plan.rate_bias(values, &at.v[range.clone()], &mut rate_bias[range.clone()]);
            }
            block.apply(a);
            a[range.clone()].iter_mut().zip(&rate_bias[range]).for_each(|(a, rate_bias)| *a += rate_bias);
        }
    }

    /// Evaluates at inputs with q̇ for the speeds and q̈ for the accelerations; empty slices stay empty.
    fn evaluate_inputs<V>(&self, at: &Inputs<'_>, evaluate: impl FnOnce(&Planar, &Inputs<'_>, &mut Work) -> V) -> V {
        let work = &mut *self.work.borrow_mut();
        self.expand(at, work);
        let (v, a) = (std::mem::take(&mut work.v), std::mem::take(&mut work.a));
        let known = |given: &[f64], all: &'_ [f64]| -> usize { if given.is_empty() { 0 } else { all.len() } };
        let inputs = Inputs { v: &v[..known(at.v, &v)], a: &a[..known(at.a, &a)], ..*at };
        let result = evaluate(&self.planar, &inputs, work);
        (work.v, work.a) = (v, a);
        result
    }

    fn evaluate_state<V>(&self, at: StateView, evaluate: impl FnOnce(&Planar, StateView, &mut Work) -> V) -> V {
        self.evaluate_inputs(&Inputs::from(at), |planar, inputs, work| {
            evaluate(planar, StateView { v: inputs.v, ..at }, work)
        })
    }

    /// Generalised forces (2): Nᵀ (Q − M Ṅ v), with Q from `evaluate`.
    fn forces(&self, at: StateView, forces: &mut [f64], evaluate: impl FnOnce(&Planar, StateView, &mut [f64])) {
        self.evaluate_state(at, |planar, at, work| {
            evaluate(planar, at, forces);
            planar.multiply_by_mass_matrix(at, &work.rate_bias, &mut work.x);
            forces.iter_mut().zip(&work.x).for_each(|(q, x)| *q -= x);
            Work::apply_transposed(&work.blocks, forces);
        });
    }

    /// Replaces each row r of a matrix with n columns by Nᵀ r.
    fn apply_to_rows(blocks: &[Block], rows: &mut [f64], n: usize) {
        rows.chunks_exact_mut(n.max(1)).for_each(|row| Work::apply_transposed(blocks, row));
    }
}

impl Products for DeclaredSpeeds {
    fn multiply_by_mass_matrix(&self, at: StateView, x: &[f64], product: &mut [f64]) {
        self.evaluate_state(at, |planar, at, work| {
            work.x.copy_from_slice(x);
            Work::apply(&work.blocks, &mut work.x);
            planar.multiply_by_mass_matrix(at, &work.x, product);
            Work::apply_transposed(&work.blocks, product);
        });
    }

    fn multiply_by_inverse_mass_matrix(&self, at: StateView, f: &[f64], product: &mut [f64]) -> Result<(), Error> {
        self.evaluate_state(at, |planar, at, work| {
            work.x.copy_from_slice(f);
            Work::invert_transposed(&work.blocks, at.t, &mut work.x)?;
            planar.multiply_by_inverse_mass_matrix(at, &work.x, product)?;
            Work::invert(&work.blocks, at.t, product)
        })
    }

    fn visit_constraint_jacobian(&self, at: StateView, visit: &mut dyn FnMut(usize, usize, f64)) {
        self.evaluate_state(at, |planar, at, work| {
            planar.visit_constraint_jacobian(at, &mut |r, i, g| match work
                .blocks
                .iter()
                .find(|block| block.range().contains(&i))
            {
                None => visit(r, i, g),
                Some(block) => {
                    let row = &block.matrix[i - block.first];
                    row.iter().enumerate().for_each(|(k, n)| visit(r, block.first + k, g * n));
                }
            });
        });
    }
}

impl Dynamics for DeclaredSpeeds {
    fn set_parameters(&mut self, model: &Model, tree: &Tree, parameters: &[f64]) -> Result<(), Error> {
        self.planar.set_parameters(model, tree, parameters)
    }

    fn constants(&self) -> &Constants {
        self.planar.constants()
    }

    fn constants_mut(&mut self) -> &mut Constants {
        self.planar.constants_mut()
    }

    fn accelerations(&self, at: StateView, a: &mut [f64], lambda: &mut [f64]) -> Result<(), Error> {
        self.evaluate_state(at, |planar, at, work| {
            planar.accelerations(at, a, lambda)?;
            a.iter_mut().zip(&work.rate_bias).for_each(|(a, rate_bias)| *a -= rate_bias);
            Work::invert(&work.blocks, at.t, a)?;
            finite(at.t, a, lambda)
        })
    }

    fn solve(&self, at: StateView, f: &[f64], g: &[f64], x: &mut [f64], mu: &mut [f64]) -> Result<(), Error> {
        self.evaluate_state(at, |planar, at, work| {
            work.x.copy_from_slice(f);
            Work::invert_transposed(&work.blocks, at.t, &mut work.x)?;
            planar.solve(at, &work.x, g, x, mu)?;
            Work::invert(&work.blocks, at.t, x)
        })
    }

    fn position_residuals(&self, at: StateView, phi: &mut [f64]) {
        self.planar.position_residuals(at, phi);
    }

    fn velocity_residuals(&self, at: StateView, psi: &mut [f64]) {
        self.evaluate_state(at, |planar, at, _| planar.velocity_residuals(at, psi));
    }

    fn constraint_jacobian(&self, at: StateView, jacobian: &mut [f64]) {
        self.evaluate_state(at, |planar, at, work| {
            planar.constraint_jacobian(at, jacobian);
            Self::apply_to_rows(&work.blocks, jacobian, work.x.len());
        });
    }

    fn mass_matrix(&self, at: StateView, mass: &mut [f64]) {
        self.evaluate_state(at, |planar, at, work| {
            planar.mass_matrix(at, mass);
            let n = work.x.len();
            Self::apply_to_rows(&work.blocks, mass, n);
            // M is symmetric, and M N is transposed: (M N)ᵀ = Nᵀ M.
            for i in 0..n {
                for j in 0..i {
                    mass.swap(i * n + j, j * n + i);
                }
            }
            Self::apply_to_rows(&work.blocks, mass, n);
        });
    }

    fn nu(&self, at: StateView, nu: &mut [f64]) {
        self.evaluate_state(at, |planar, at, _| planar.nu(at, nu));
    }

    fn gamma(&self, at: StateView, gamma: &mut [f64]) {
        self.evaluate_state(at, |planar, at, work| {
            planar.gamma(at, gamma);
            work.mu.fill(0.0);
            planar.visit_constraint_jacobian(at, &mut |r, i, g| work.mu[r] += g * work.rate_bias[i]);
            gamma.iter_mut().zip(&work.mu).for_each(|(gamma, bias)| *gamma -= bias);
        });
    }

    fn coordinate_rates(&self, t: f64, q: &[f64], v: &[f64], rates: &mut [f64]) {
        self.evaluate_inputs(&Inputs { t, q, v, ..Inputs::default() }, |_, at, _| rates.copy_from_slice(at.v));
    }

    fn auxiliary_rates(&self, at: StateView, rates: &mut [f64]) {
        self.evaluate_state(at, |planar, at, _| planar.auxiliary_rates(at, rates));
    }

    fn generalized_forces(&self, at: StateView, forces: &mut [f64]) {
        self.forces(at, forces, |planar, at, forces| planar.generalized_forces(at, forces));
    }

    fn velocity_forces(&self, at: StateView, forces: &mut [f64]) {
        self.forces(at, forces, |planar, at, forces| planar.velocity_forces(at, forces));
    }

    fn reactions(&self, at: StateView, a: &[f64], lambda: &[f64], reactions: &mut [Reaction]) {
        let inputs = Inputs { a, lambda, ..Inputs::from(at) };
        self.evaluate_inputs(&inputs, |planar, inputs, _| {
            planar.reactions(StateView { v: inputs.v, ..at }, inputs.a, lambda, reactions);
        });
    }

    fn energy(&self, at: StateView) -> Energy {
        self.evaluate_state(at, |planar, at, _| planar.energy(at))
    }

    fn outputs(&self, at: StateView, a: &[f64], lambda: &[f64], outputs: &mut [f64]) {
        let inputs = Inputs { a, lambda, ..Inputs::from(at) };
        self.evaluate_inputs(&inputs, |planar, inputs, _| {
            planar.outputs(StateView { v: inputs.v, ..at }, inputs.a, lambda, outputs);
        });
    }

    fn observe_events(&self, inputs: &Inputs<'_>, order: usize, observe: &mut dyn FnMut(usize, f64)) {
        self.evaluate_inputs(inputs, |planar, inputs, _| planar.observe_events(inputs, order, observe));
    }

    fn observe_memories(&self, at: &Inputs<'_>, first: usize, observe: &mut dyn FnMut(usize, f64)) {
        self.evaluate_inputs(at, |planar, inputs, _| planar.observe_memories(inputs, first, observe));
    }

    fn poses(&self, at: StateView, poses: &mut [Pose]) {
        self.planar.poses(at, poses);
    }

    fn marker_positions(&self, at: StateView, markers: &[MarkerId], positions: &mut [[f64; 3]]) {
        self.planar.marker_positions(at, markers, positions);
    }

    fn body_jacobians(&self, at: StateView, jacobians: &mut [f64]) {
        self.evaluate_state(at, |planar, at, work| {
            planar.body_jacobians(at, jacobians);
            Self::apply_to_rows(&work.blocks, jacobians, work.x.len());
        });
    }

    fn initial_condition(&self, condition: usize, at: StateView, gradient: &mut [f64]) -> Condition {
        self.evaluate_state(at, |planar, at, work| {
            let reported = planar.initial_condition(condition, at, gradient);
            Work::apply_transposed(&work.blocks, gradient);
            reported
        })
    }
}
