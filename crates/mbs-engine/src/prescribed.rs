//! Mechanisms with prescribed coordinates. Inside, a *driven mechanism* is evaluated that has these coordinates and a drive for each; the
//! interface has neither the coordinate nor its speed nor the row of the drive.
//!
//! With p = f(t) the prescribed coordinates and r the others, the interface returns
//!
//! ```text
//! (1)  M′ = M_rr    Q′ = Q_r − M_rp f̈    G′ = G_r    ν′ = ν − G_p ḟ    γ′ = γ − G_p f̈
//! (2)  load of p = −λ_p = M_pr a + M_pp f̈ − Q_p + G_pᵀ λ
//! ```
//!
//! f, ḟ, f̈ are read from the row p − f(t) of the drive: −Φ at p = 0, ν and γ. The speed of a prescribed coordinate is its rate.

use std::cell::RefCell;
use std::sync::Arc;

use mbs_core::{Condition, DenseWorkspace, Energy, Error, Pose, RankDeficiency, Reaction, StateView, solve_symmetric};
use mbs_expr::MarkerId;
use mbs_model::Model;
use mbs_physics::Tree;

use crate::constants::Constants;
use crate::dynamics::Dynamics;
use crate::inputs::Inputs;
use crate::kind::Kind;
use crate::products::Products;

/// A mechanism with prescribed coordinates at some parameters.
#[derive(Clone)]
pub(crate) struct Prescribed {
    driven: Kind,
    plan: Arc<Plan>,
    work: RefCell<Work>,
}

/// The driven model, and the indices in it of the coordinates, speeds and rows of the interface.
struct Plan {
    model: Model,
    tree: Tree,
    q: Vec<usize>,
    v: Vec<usize>,
    rows: Vec<usize>,
    prescribed: Vec<PrescribedCoordinate>,
}

/// A prescribed coordinate: indices of the coordinate, its speed and the row of its drive in the driven mechanism.
struct PrescribedCoordinate {
    q: usize,
    v: usize,
    row: usize,
}

/// Work space with the sizes of the driven mechanism.
#[derive(Clone)]
struct Work {
    q: Vec<f64>,
    v: Vec<f64>,
    a: Vec<f64>,
    lambda: Vec<f64>,
    forces: Vec<f64>,
    rows: Vec<f64>,
    x: Vec<f64>,
    mu: Vec<f64>,
    mass: Vec<f64>,
    jacobian: Vec<f64>,
    dense: Vec<f64>,
    rates: Vec<f64>,
    twists: Vec<f64>,
    order: Vec<usize>,
}

/// The model and tree of the driven mechanism, in which prescribed coordinates are coordinates with drives.
pub(crate) fn with_drives(model: &Model, tree: &Tree) -> (Model, Tree) {
    let mut model = model.clone();
    model.equations.iter_mut().for_each(|equation| equation.prescribes = None);
    let tree = tree.with_same_placements(&model).without_rows(tree.redundant.clone());
    (model, tree)
}

impl Prescribed {
    /// Wraps `driven`, the evaluation of the driven mechanism with its model and tree; `tree` is that of the interface.
    pub fn new(driven: Kind, (model, driven_tree): (Model, Tree), tree: &Tree) -> Self {
        let q = |c| {
            driven_tree.interface.iter().position(|d| *d == c).expect("all coordinates are of the driven mechanism")
        };
        let v = |c| driven_tree.speeds.iter().position(|d| *d == c).expect("all speeds are of the driven mechanism");
        let row = |r: &mbs_model::Row| {
            driven_tree.rows.iter().position(|d| d.id == r.id).expect("all rows are of the driven mechanism")
        };
        let prescribed = tree.prescribed.iter().map(|p| PrescribedCoordinate {
            q: driven_tree
                .joint_coordinate_index(p.joint, p.coordinate)
                .expect("the driven tree has the coordinates of its joints"),
            v: driven_tree.joint_rate_index(p.joint, p.coordinate).expect("rates of prescribed coordinates are speeds"),
            row: driven_tree.rows.iter().position(|d| d.equation() == Some(p.equation)).expect("a drive has a row"),
        });
        let (n_q, n_v, n_c) = (driven_tree.n_q(), driven_tree.n(), driven_tree.rows.len());
        let zeros = |n: usize| vec![0.0; n];
        let plan = Plan {
            q: tree.interface.iter().map(|c| q(*c)).collect(),
            v: tree.speeds.iter().map(|c| v(*c)).collect(),
            rows: tree.rows.iter().map(row).collect(),
            prescribed: prescribed.collect(),
            model,
            tree: driven_tree,
        };
        let work = Work {
            q: zeros(n_q),
            v: zeros(n_v),
            a: zeros(n_v),
            lambda: zeros(n_c),
            forces: zeros(n_v),
            rows: zeros(n_c),
            x: zeros(n_v),
            mu: zeros(n_c),
            mass: zeros(n_v * n_v),
            jacobian: zeros(n_c * n_v),
            dense: zeros(plan.v.len() * (plan.v.len() + 3)),
            rates: zeros(n_q),
            twists: zeros(6 * n_v * plan.model.bodies.len()),
            order: vec![0; plan.v.len()],
        };
        Prescribed { driven, plan: Arc::new(plan), work: RefCell::new(work) }
    }

    fn driven(&self) -> &dyn Dynamics {
        self.driven.dynamics()
    }

    /// Sets q, v, a and λ of the driven mechanism, with f, ḟ, f̈ for prescribed coordinates.
    fn expand(&self, at: &Inputs<'_>, work: &mut Work) {
        let Plan { q, v, rows, prescribed, .. } = &*self.plan;
        let driven = self.driven();
        scatter(at.q, q, &mut work.q);
        prescribed.iter().for_each(|g| work.q[g.q] = 0.0);
        let still = StateView { t: at.t, q: &[], v: &[], z: at.z, u: at.u };
        let n_position = self.plan.tree.n_position;
        let mut values = std::mem::take(&mut work.rows);
        driven.position_residuals(StateView { q: &work.q, ..still }, &mut values[..n_position]);
        prescribed.iter().for_each(|g| work.q[g.q] = -values[g.row]);
        scatter(at.v, v, &mut work.v);
        driven.nu(StateView { q: &work.q, v: &work.v, ..still }, &mut values);
        prescribed.iter().for_each(|g| work.v[g.v] = values[g.row]);
        driven.gamma(StateView { q: &work.q, v: &work.v, ..still }, &mut values);
        scatter(at.a, v, &mut work.a);
        prescribed.iter().for_each(|g| work.a[g.v] = values[g.row]);
        scatter(at.lambda, rows, &mut work.lambda);
        work.rows = values;
    }

    /// Evaluates at the state of the driven mechanism.
    fn evaluate_state<V>(&self, at: StateView, evaluate: impl FnOnce(StateView, &mut Work) -> V) -> V {
        self.evaluate_inputs(&Inputs::from(at), evaluate)
    }

    /// As [`Prescribed::evaluate_state`], with accelerations and multipliers in `work`.
    fn evaluate_inputs<V>(&self, at: &Inputs<'_>, evaluate: impl FnOnce(StateView, &mut Work) -> V) -> V {
        let mut work = self.work.borrow_mut();
        let work = &mut *work;
        self.expand(at, work);
        let (q, v) = (std::mem::take(&mut work.q), std::mem::take(&mut work.v));
        let result = evaluate(StateView { t: at.t, q: &q, v: &v, z: at.z, u: at.u }, work);
        (work.q, work.v) = (q, v);
        result
    }

    /// The error with its index into (v, λ) of the driven mechanism replaced by that of the interface.
    fn interface_error(&self, error: Error) -> Error {
        let Error::Singular { row, t } = error else { return error };
        let n = self.plan.tree.n();
        let unknowns = self.plan.v.iter().copied().chain(self.plan.rows.iter().map(|r| n + r));
        // An unknown that is not in the interface is replaced by the last one before it.
        let row = unknowns.take_while(|unknown| *unknown <= row).count().saturating_sub(1);
        Error::Singular { row, t }
    }

    /// Generalised forces (1): those of the driven mechanism, from `evaluate`, minus M_rp f̈.
    fn forces(&self, at: StateView, forces: &mut [f64], evaluate: impl FnOnce(&dyn Dynamics, StateView, &mut [f64])) {
        self.evaluate_state(at, |at, work| {
            evaluate(self.driven(), at, &mut work.forces);
            self.plan.v.iter().for_each(|v| work.a[*v] = 0.0);
            self.driven().multiply_by_mass_matrix(at, &work.a, &mut work.x);
            forces.iter_mut().zip(&self.plan.v).for_each(|(q, i)| *q = work.forces[*i] - work.x[*i]);
        });
    }

    /// Writes the loads (2) into `work.lambda`.
    fn load(&self, at: StateView, work: &mut Work) {
        let driven = self.driven();
        driven.multiply_by_mass_matrix(at, &work.a, &mut work.x);
        driven.generalized_forces(at, &mut work.forces);
        for g in &self.plan.prescribed {
            work.lambda[g.row] = 0.0;
        }
        let (forces, x, lambda) = (&mut work.forces, &work.x, &work.lambda);
        forces.iter_mut().zip(x).for_each(|(q, x)| *q -= x);
        driven.visit_constraint_jacobian(at, &mut |r, i, g| forces[i] -= g * lambda[r]);
        for g in &self.plan.prescribed {
            work.lambda[g.row] = work.forces[g.v];
        }
    }

    /// Subtracts Σ_p G_p x_p from `values` of the rows of the interface; `value` returns x_p for the index of a speed.
    fn subtract_prescribed(
        &self,
        at: StateView,
        work: &mut Work,
        value: impl Fn(&Work, usize) -> f64,
        values: &mut [f64],
    ) {
        let mut sums = std::mem::take(&mut work.mu);
        sums.fill(0.0);
        let is_prescribed = |i: usize| self.plan.prescribed.iter().any(|g| g.v == i);
        self.driven().visit_constraint_jacobian(at, &mut |r, i, g| {
            if is_prescribed(i) {
                sums[r] += g * value(work, i);
            }
        });
        values.iter_mut().zip(&self.plan.rows).for_each(|(value, r)| *value -= sums[*r]);
        work.mu = sums;
    }
}

/// to[indices[k]] ← from[k]; an empty `from` changes nothing.
fn scatter(from: &[f64], indices: &[usize], to: &mut [f64]) {
    from.iter().zip(indices).for_each(|(x, i)| to[*i] = *x);
}

/// to[k] ← from[indices[k]].
fn gather(from: &[f64], indices: &[usize], to: &mut [f64]) {
    to.iter_mut().zip(indices).for_each(|(x, i)| *x = from[*i]);
}

/// Copies some rows and columns of a row-major matrix with n columns.
fn gather_rows(from: &[f64], n: usize, rows: &[usize], columns: &[usize], to: &mut [f64]) {
    for (to, row) in to.chunks_exact_mut(columns.len().max(1)).zip(rows) {
        gather(&from[row * n..(row + 1) * n], columns, to);
    }
}

/// Copies some columns of a row-major matrix with n columns.
fn gather_columns(from: &[f64], columns: &[usize], n: usize, to: &mut [f64]) {
    for (to, from) in to.chunks_exact_mut(columns.len().max(1)).zip(from.chunks_exact(n.max(1))) {
        gather(from, columns, to);
    }
}

impl Products for Prescribed {
    fn multiply_by_mass_matrix(&self, at: StateView, x: &[f64], product: &mut [f64]) {
        self.evaluate_state(at, |at, work| {
            work.a.fill(0.0);
            scatter(x, &self.plan.v, &mut work.a);
            self.driven().multiply_by_mass_matrix(at, &work.a, &mut work.x);
            gather(&work.x, &self.plan.v, product);
        });
    }

    fn multiply_by_inverse_mass_matrix(&self, at: StateView, f: &[f64], product: &mut [f64]) -> Result<(), Error> {
        self.evaluate_state(at, |at, work| {
            let (speeds, n) = (&self.plan.v, self.plan.tree.n());
            self.driven().mass_matrix(at, &mut work.mass);
            let (matrix, rest) = work.dense.split_at_mut(speeds.len() * speeds.len());
            let (scale, rest) = rest.split_at_mut(speeds.len());
            let (solution, _) = rest.split_at_mut(speeds.len());
            gather_rows(&work.mass, n, speeds, speeds, matrix);
            product.copy_from_slice(f);
            let workspace = DenseWorkspace { scale, solution, order: &mut work.order };
            solve_symmetric(at.t, matrix, product, RankDeficiency::Error, workspace).map(|_| ())
        })
    }

    fn visit_constraint_jacobian(&self, at: StateView, visit: &mut dyn FnMut(usize, usize, f64)) {
        let interface_index = |indices: &[usize], i: usize| indices.iter().position(|p| *p == i);
        self.evaluate_state(at, |at, _| {
            self.driven().visit_constraint_jacobian(at, &mut |r, i, g| {
                if let (Some(r), Some(i)) = (interface_index(&self.plan.rows, r), interface_index(&self.plan.v, i)) {
                    visit(r, i, g);
                }
            });
        });
    }
}

impl Dynamics for Prescribed {
    fn set_parameters(&mut self, _: &Model, _: &Tree, parameters: &[f64]) -> Result<(), Error> {
        let plan = self.plan.clone();
        self.driven.dynamics_mut().set_parameters(&plan.model, &plan.tree, parameters)
    }

    fn constants(&self) -> &Constants {
        self.driven().constants()
    }

    fn constants_mut(&mut self) -> &mut Constants {
        self.driven.dynamics_mut().constants_mut()
    }

    fn accelerations(&self, at: StateView, a: &mut [f64], lambda: &mut [f64]) -> Result<(), Error> {
        let solved = self.evaluate_state(at, |at, work| {
            self.driven().accelerations(at, &mut work.a, &mut work.lambda)?;
            gather(&work.a, &self.plan.v, a);
            gather(&work.lambda, &self.plan.rows, lambda);
            Ok(())
        });
        solved.map_err(|error| self.interface_error(error))
    }

    fn solve(&self, at: StateView, f: &[f64], g: &[f64], x: &mut [f64], mu: &mut [f64]) -> Result<(), Error> {
        let solved = self.evaluate_state(at, |at, work| {
            let Work { forces, rows, x: all, mu: multipliers, .. } = work;
            forces.fill(0.0);
            rows.fill(0.0);
            scatter(f, &self.plan.v, forces);
            scatter(g, &self.plan.rows, rows);
            self.driven().solve(at, forces, rows, all, multipliers)?;
            gather(all, &self.plan.v, x);
            gather(multipliers, &self.plan.rows, mu);
            Ok(())
        });
        solved.map_err(|error| self.interface_error(error))
    }

    fn position_residuals(&self, at: StateView, phi: &mut [f64]) {
        self.evaluate_state(at, |at, work| {
            self.driven().position_residuals(at, &mut work.rows[..self.plan.tree.n_position]);
            gather(&work.rows, &self.plan.rows, phi);
        });
    }

    fn velocity_residuals(&self, at: StateView, psi: &mut [f64]) {
        self.evaluate_state(at, |at, work| {
            self.driven().velocity_residuals(at, &mut work.rows[..self.plan.tree.n_velocity]);
            gather(&work.rows, &self.plan.rows, psi);
        });
    }

    fn constraint_jacobian(&self, at: StateView, jacobian: &mut [f64]) {
        let n = self.plan.tree.n();
        self.evaluate_state(at, |at, work| {
            self.driven().constraint_jacobian(at, &mut work.jacobian);
            gather_rows(&work.jacobian, n, &self.plan.rows, &self.plan.v, jacobian);
        });
    }

    fn mass_matrix(&self, at: StateView, mass: &mut [f64]) {
        let n = self.plan.tree.n();
        self.evaluate_state(at, |at, work| {
            self.driven().mass_matrix(at, &mut work.mass);
            gather_rows(&work.mass, n, &self.plan.v, &self.plan.v, mass);
        });
    }

    fn nu(&self, at: StateView, nu: &mut [f64]) {
        self.evaluate_state(at, |at, work| {
            let mut rows = std::mem::take(&mut work.rows);
            self.driven().nu(at, &mut rows);
            gather(&rows, &self.plan.rows, nu);
            work.rows = rows;
            self.subtract_prescribed(at, work, |_, i| at.v[i], nu);
            nu.iter_mut().skip(self.plan.interface_velocity_rows()).for_each(|nu| *nu = 0.0);
        });
    }

    fn gamma(&self, at: StateView, gamma: &mut [f64]) {
        self.evaluate_state(at, |at, work| {
            let mut rows = std::mem::take(&mut work.rows);
            self.driven().gamma(at, &mut rows);
            gather(&rows, &self.plan.rows, gamma);
            work.rows = rows;
            self.subtract_prescribed(at, work, |work, i| work.a[i], gamma);
        });
    }

    fn coordinate_rates(&self, t: f64, q: &[f64], v: &[f64], rates: &mut [f64]) {
        self.evaluate_inputs(&Inputs { t, q, v, ..Inputs::default() }, |at, work| {
            self.driven().coordinate_rates(t, at.q, at.v, &mut work.rates);
            gather(&work.rates, &self.plan.q, rates);
        });
    }

    fn auxiliary_rates(&self, at: StateView, rates: &mut [f64]) {
        self.evaluate_state(at, |at, _| self.driven().auxiliary_rates(at, rates));
    }

    fn generalized_forces(&self, at: StateView, forces: &mut [f64]) {
        self.forces(at, forces, |driven, at, forces| driven.generalized_forces(at, forces));
    }

    fn velocity_forces(&self, at: StateView, forces: &mut [f64]) {
        self.forces(at, forces, |driven, at, forces| driven.velocity_forces(at, forces));
    }

    fn reactions(&self, at: StateView, a: &[f64], lambda: &[f64], reactions: &mut [Reaction]) {
        self.evaluate_inputs(&Inputs { a, lambda, ..Inputs::from(at) }, |at, work| {
            self.load(at, work);
            self.driven().reactions(at, &work.a, &work.lambda, reactions);
        });
    }

    fn energy(&self, at: StateView) -> Energy {
        self.evaluate_state(at, |at, _| self.driven().energy(at))
    }

    fn outputs(&self, at: StateView, a: &[f64], lambda: &[f64], outputs: &mut [f64]) {
        self.evaluate_inputs(&Inputs { a, lambda, ..Inputs::from(at) }, |at, work| {
            self.load(at, work);
            self.driven().outputs(at, &work.a, &work.lambda, outputs);
        });
    }

    fn observe_events(&self, inputs: &Inputs<'_>, order: usize, observe: &mut dyn FnMut(usize, f64)) {
        self.evaluate_inputs(inputs, |at, work| {
            let inputs = match inputs.a.is_empty() && !self.plan.v.is_empty() {
                true => Inputs::from(at),
                false => {
                    self.load(at, work);
                    Inputs { a: &work.a, lambda: &work.lambda, ..Inputs::from(at) }
                }
            };
            self.driven().observe_events(&inputs, order, observe);
        });
    }

    fn observe_memories(&self, at: &Inputs<'_>, first: usize, observe: &mut dyn FnMut(usize, f64)) {
        self.evaluate_inputs(at, |at, _| self.driven().observe_memories(&Inputs::from(at), first, observe));
    }

    fn poses(&self, at: StateView, poses: &mut [Pose]) {
        self.evaluate_state(at, |at, _| self.driven().poses(at, poses));
    }

    fn marker_positions(&self, at: StateView, markers: &[MarkerId], positions: &mut [[f64; 3]]) {
        self.evaluate_state(at, |at, _| self.driven().marker_positions(at, markers, positions));
    }

    fn body_jacobians(&self, at: StateView, jacobians: &mut [f64]) {
        let n = self.plan.tree.n();
        self.evaluate_state(at, |at, work| {
            self.driven().body_jacobians(at, &mut work.twists);
            gather_columns(&work.twists, &self.plan.v, n, jacobians);
        });
    }

    fn initial_condition(&self, condition: usize, at: StateView, gradient: &mut [f64]) -> Condition {
        self.evaluate_state(at, |at, work| {
            let reported = self.driven().initial_condition(condition, at, &mut work.x);
            gather(&work.x, &self.plan.v, gradient);
            reported
        })
    }
}

impl Plan {
    /// Number of position and velocity rows of the interface.
    fn interface_velocity_rows(&self) -> usize {
        self.rows.iter().filter(|r| **r < self.tree.n_velocity).count()
    }
}
