//! Mechanisms with prescribed coordinates: evaluated with a drive for each, while the interface lacks the coordinate, its speed and its row.
//!
//! With the coordinates p given, p = f(t), and r the others, the interface returns
//!
//! ```text
//! (1)  M′ = M_rr    Q′ = Q_r − M_rp f̈    G′ = G_r    ν′ = ν − G_p ḟ    γ′ = γ − G_p f̈
//! (2)  load of p = −λ_p = M_pr a + M_pp f̈ − Q_p + G_pᵀ λ
//! ```
//!
//! f, ḟ, f̈ are read from the row p − f(t) of the drive: −Φ at p = 0, ν and γ. Coordinates are those of the interface, whose speeds are rates
//! there.

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

/// Such a mechanism at some parameters.
#[derive(Clone)]
pub(crate) struct Prescribed {
    whole: Kind,
    plan: Arc<Plan>,
    work: RefCell<Work>,
}

/// Which is which, by index among those of the whole.
struct Plan {
    model: Model,
    tree: Tree,
    q: Vec<usize>,
    v: Vec<usize>,
    rows: Vec<usize>,
    given: Vec<Given>,
}

/// A prescribed coordinate.
struct Given {
    q: usize,
    v: usize,
    row: usize,
}

/// Values of the whole.
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

/// A model whose prescribed coordinates are driven, with its tree.
pub(crate) fn driven(model: &Model, tree: &Tree) -> (Model, Tree) {
    let mut model = model.clone();
    model.equations.iter_mut().for_each(|equation| equation.prescribes = None);
    let tree = tree.with_same_placements(&model).without_rows(tree.redundant.clone());
    (model, tree)
}

impl Prescribed {
    /// Wraps `whole`, the evaluation of the driven mechanism, with its model and tree; `tree` has the prescribed coordinates.
    pub fn new(whole: Kind, (model, driven): (Model, Tree), tree: &Tree) -> Self {
        let q = |c| driven.interface.iter().position(|d| *d == c).expect("all coordinates are of the whole");
        let v = |c| driven.speeds.iter().position(|d| *d == c).expect("all speeds are of the whole");
        let row =
            |r: &mbs_model::Row| driven.rows.iter().position(|d| d.id == r.id).expect("all rows are of the whole");
        let given = tree.prescribed.iter().map(|p| Given {
            q: driven.joint_coordinate_index(p.joint, p.coordinate).expect("a joint of the tree has its coordinates"),
            v: driven.joint_rate_index(p.joint, p.coordinate).expect("whose rates are speeds"),
            row: driven.rows.iter().position(|d| d.equation() == Some(p.equation)).expect("a drive has a row"),
        });
        let (n_q, n_v, n_c) = (driven.n_q(), driven.n(), driven.rows.len());
        let zeros = |n: usize| vec![0.0; n];
        let plan = Plan {
            q: tree.interface.iter().map(|c| q(*c)).collect(),
            v: tree.speeds.iter().map(|c| v(*c)).collect(),
            rows: tree.rows.iter().map(row).collect(),
            given: given.collect(),
            model,
            tree: driven,
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
        Prescribed { whole, plan: Arc::new(plan), work: RefCell::new(work) }
    }

    fn whole(&self) -> &dyn Dynamics {
        self.whole.dynamics()
    }

    /// The state of the whole, and f̈ as accelerations.
    fn expand(&self, at: &Inputs<'_>, work: &mut Work) {
        let Plan { q, v, rows, given, .. } = &*self.plan;
        let whole = self.whole();
        scatter(at.q, q, &mut work.q);
        given.iter().for_each(|g| work.q[g.q] = 0.0);
        let still = StateView { t: at.t, q: &[], v: &[], z: at.z, u: at.u };
        let n_position = self.plan.tree.n_position;
        let mut values = std::mem::take(&mut work.rows);
        whole.position_residuals(StateView { q: &work.q, ..still }, &mut values[..n_position]);
        given.iter().for_each(|g| work.q[g.q] = -values[g.row]);
        scatter(at.v, v, &mut work.v);
        whole.nu(StateView { q: &work.q, v: &work.v, ..still }, &mut values);
        given.iter().for_each(|g| work.v[g.v] = values[g.row]);
        whole.gamma(StateView { q: &work.q, v: &work.v, ..still }, &mut values);
        scatter(at.a, v, &mut work.a);
        given.iter().for_each(|g| work.a[g.v] = values[g.row]);
        scatter(at.lambda, rows, &mut work.lambda);
        work.rows = values;
    }

    /// With the state of the whole.
    fn at<V>(&self, at: StateView, evaluate: impl FnOnce(StateView, &mut Work) -> V) -> V {
        self.with(&Inputs::from(at), evaluate)
    }

    fn with<V>(&self, at: &Inputs<'_>, evaluate: impl FnOnce(StateView, &mut Work) -> V) -> V {
        let mut work = self.work.borrow_mut();
        let work = &mut *work;
        self.expand(at, work);
        let (q, v) = (std::mem::take(&mut work.q), std::mem::take(&mut work.v));
        let result = evaluate(StateView { t: at.t, q: &q, v: &v, z: at.z, u: at.u }, work);
        (work.q, work.v) = (q, v);
        result
    }

    /// An error as it is reported: the index into (v, λ) among those of the interface.
    fn told(&self, error: Error) -> Error {
        let Error::Singular { row, t } = error else { return error };
        let n = self.plan.tree.n();
        let unknowns = self.plan.v.iter().copied().chain(self.plan.rows.iter().map(|r| n + r));
        // One that is not in the interface depends on those before it.
        let row = unknowns.take_while(|unknown| *unknown <= row).count().saturating_sub(1);
        Error::Singular { row, t }
    }

    /// (1): generalised forces of the whole less M_rp f̈.
    fn forces(&self, at: StateView, told: &mut [f64], of: impl FnOnce(&dyn Dynamics, StateView, &mut [f64])) {
        self.at(at, |at, work| {
            of(self.whole(), at, &mut work.forces);
            self.plan.v.iter().for_each(|v| work.a[*v] = 0.0);
            self.whole().multiply_by_mass_matrix(at, &work.a, &mut work.x);
            told.iter_mut().zip(&self.plan.v).for_each(|(q, i)| *q = work.forces[*i] - work.x[*i]);
        });
    }

    /// (2) into `work.lambda`.
    fn load(&self, at: StateView, work: &mut Work) {
        let whole = self.whole();
        whole.multiply_by_mass_matrix(at, &work.a, &mut work.x);
        whole.generalized_forces(at, &mut work.forces);
        for g in &self.plan.given {
            work.lambda[g.row] = 0.0;
        }
        let (forces, x, lambda) = (&mut work.forces, &work.x, &work.lambda);
        forces.iter_mut().zip(x).for_each(|(q, x)| *q -= x);
        whole.visit_constraint_jacobian(at, &mut |r, i, g| forces[i] -= g * lambda[r]);
        for g in &self.plan.given {
            work.lambda[g.row] = work.forces[g.v];
        }
    }

    /// Subtracts Σ_p G_p x_p of the rows in the interface from `values`.
    fn take_off(&self, at: StateView, work: &mut Work, given: impl Fn(&Work, usize) -> f64, values: &mut [f64]) {
        let mut sums = std::mem::take(&mut work.mu);
        sums.fill(0.0);
        let is_given = |i: usize| self.plan.given.iter().any(|g| g.v == i);
        self.whole().visit_constraint_jacobian(at, &mut |r, i, g| {
            if is_given(i) {
                sums[r] += g * given(work, i);
            }
        });
        values.iter_mut().zip(&self.plan.rows).for_each(|(value, r)| *value -= sums[*r]);
        work.mu = sums;
    }
}

/// Writes values to their places; does nothing where none are known.
fn scatter(from: &[f64], places: &[usize], to: &mut [f64]) {
    from.iter().zip(places).for_each(|(x, i)| to[*i] = *x);
}

fn gather(from: &[f64], places: &[usize], to: &mut [f64]) {
    to.iter_mut().zip(places).for_each(|(x, i)| *x = from[*i]);
}

/// Rows and columns of a matrix with n columns.
fn gather_rows(from: &[f64], n: usize, (rows, columns): (&[usize], &[usize]), to: &mut [f64]) {
    for (to, row) in to.chunks_exact_mut(columns.len().max(1)).zip(rows) {
        gather(&from[row * n..(row + 1) * n], columns, to);
    }
}

/// Columns of a matrix with so many in each row.
fn gather_columns(from: &[f64], (columns, n): (&[usize], usize), to: &mut [f64]) {
    for (to, from) in to.chunks_exact_mut(columns.len().max(1)).zip(from.chunks_exact(n.max(1))) {
        gather(from, columns, to);
    }
}

impl Products for Prescribed {
    fn multiply_by_mass_matrix(&self, at: StateView, x: &[f64], product: &mut [f64]) {
        self.at(at, |at, work| {
            work.a.fill(0.0);
            scatter(x, &self.plan.v, &mut work.a);
            self.whole().multiply_by_mass_matrix(at, &work.a, &mut work.x);
            gather(&work.x, &self.plan.v, product);
        });
    }

    fn multiply_by_inverse_mass_matrix(&self, at: StateView, f: &[f64], product: &mut [f64]) -> Result<(), Error> {
        self.at(at, |at, work| {
            let (own, n) = (&self.plan.v, self.plan.tree.n());
            self.whole().mass_matrix(at, &mut work.mass);
            let (matrix, rest) = work.dense.split_at_mut(own.len() * own.len());
            let (scale, rest) = rest.split_at_mut(own.len());
            let (solution, _) = rest.split_at_mut(own.len());
            gather_rows(&work.mass, n, (own, own), matrix);
            product.copy_from_slice(f);
            let workspace = DenseWorkspace { scale, solution, order: &mut work.order };
            solve_symmetric(at.t, matrix, product, RankDeficiency::Error, workspace).map(|_| ())
        })
    }

    fn visit_constraint_jacobian(&self, at: StateView, visit: &mut dyn FnMut(usize, usize, f64)) {
        let told = |places: &[usize], i: usize| places.iter().position(|p| *p == i);
        self.at(at, |at, _| {
            self.whole().visit_constraint_jacobian(at, &mut |r, i, g| {
                if let (Some(r), Some(i)) = (told(&self.plan.rows, r), told(&self.plan.v, i)) {
                    visit(r, i, g);
                }
            });
        });
    }
}

impl Dynamics for Prescribed {
    fn set_parameters(&mut self, _: &Model, _: &Tree, parameters: &[f64]) -> Result<(), Error> {
        let plan = self.plan.clone();
        self.whole.dynamics_mut().set_parameters(&plan.model, &plan.tree, parameters)
    }

    fn constants(&self) -> &Constants {
        self.whole().constants()
    }

    fn constants_mut(&mut self) -> &mut Constants {
        self.whole.dynamics_mut().constants_mut()
    }

    fn functions_changed(&mut self) {
        self.whole.dynamics_mut().functions_changed();
    }

    fn accelerations(&self, at: StateView, a: &mut [f64], lambda: &mut [f64]) -> Result<(), Error> {
        let solved = self.at(at, |at, work| {
            self.whole().accelerations(at, &mut work.a, &mut work.lambda)?;
            gather(&work.a, &self.plan.v, a);
            gather(&work.lambda, &self.plan.rows, lambda);
            Ok(())
        });
        solved.map_err(|error| self.told(error))
    }

    fn solve(&self, at: StateView, f: &[f64], g: &[f64], x: &mut [f64], mu: &mut [f64]) -> Result<(), Error> {
        let solved = self.at(at, |at, work| {
            let Work { forces, rows, x: all, mu: multipliers, .. } = work;
            forces.fill(0.0);
            rows.fill(0.0);
            scatter(f, &self.plan.v, forces);
            scatter(g, &self.plan.rows, rows);
            self.whole().solve(at, forces, rows, all, multipliers)?;
            gather(all, &self.plan.v, x);
            gather(multipliers, &self.plan.rows, mu);
            Ok(())
        });
        solved.map_err(|error| self.told(error))
    }

    fn position_residuals(&self, at: StateView, phi: &mut [f64]) {
        self.at(at, |at, work| {
            self.whole().position_residuals(at, &mut work.rows[..self.plan.tree.n_position]);
            gather(&work.rows, &self.plan.rows, phi);
        });
    }

    fn velocity_residuals(&self, at: StateView, psi: &mut [f64]) {
        self.at(at, |at, work| {
            self.whole().velocity_residuals(at, &mut work.rows[..self.plan.tree.n_velocity]);
            gather(&work.rows, &self.plan.rows, psi);
        });
    }

    fn constraint_jacobian(&self, at: StateView, jacobian: &mut [f64]) {
        let n = self.plan.tree.n();
        self.at(at, |at, work| {
            self.whole().constraint_jacobian(at, &mut work.jacobian);
            gather_rows(&work.jacobian, n, (&self.plan.rows, &self.plan.v), jacobian);
        });
    }

    fn mass_matrix(&self, at: StateView, mass: &mut [f64]) {
        let n = self.plan.tree.n();
        self.at(at, |at, work| {
            self.whole().mass_matrix(at, &mut work.mass);
            gather_rows(&work.mass, n, (&self.plan.v, &self.plan.v), mass);
        });
    }

    fn nu(&self, at: StateView, nu: &mut [f64]) {
        self.at(at, |at, work| {
            let mut rows = std::mem::take(&mut work.rows);
            self.whole().nu(at, &mut rows);
            gather(&rows, &self.plan.rows, nu);
            work.rows = rows;
            self.take_off(at, work, |_, i| at.v[i], nu);
            nu.iter_mut().skip(self.plan.told_velocity_rows()).for_each(|nu| *nu = 0.0);
        });
    }

    fn gamma(&self, at: StateView, gamma: &mut [f64]) {
        self.at(at, |at, work| {
            let mut rows = std::mem::take(&mut work.rows);
            self.whole().gamma(at, &mut rows);
            gather(&rows, &self.plan.rows, gamma);
            work.rows = rows;
            self.take_off(at, work, |work, i| work.a[i], gamma);
        });
    }

    fn coordinate_rates(&self, t: f64, q: &[f64], v: &[f64], rates: &mut [f64]) {
        self.with(&Inputs { t, q, v, ..Inputs::default() }, |at, work| {
            self.whole().coordinate_rates(t, at.q, at.v, &mut work.rates);
            gather(&work.rates, &self.plan.q, rates);
        });
    }

    fn auxiliary_rates(&self, at: StateView, rates: &mut [f64]) {
        self.at(at, |at, _| self.whole().auxiliary_rates(at, rates));
    }

    fn generalized_forces(&self, at: StateView, forces: &mut [f64]) {
        self.forces(at, forces, |whole, at, forces| whole.generalized_forces(at, forces));
    }

    fn velocity_forces(&self, at: StateView, forces: &mut [f64]) {
        self.forces(at, forces, |whole, at, forces| whole.velocity_forces(at, forces));
    }

    fn reactions(&self, at: StateView, a: &[f64], lambda: &[f64], reactions: &mut [Reaction]) {
        self.with(&Inputs { a, lambda, ..Inputs::from(at) }, |at, work| {
            self.load(at, work);
            self.whole().reactions(at, &work.a, &work.lambda, reactions);
        });
    }

    fn energy(&self, at: StateView) -> Energy {
        self.at(at, |at, _| self.whole().energy(at))
    }

    fn outputs(&self, at: StateView, a: &[f64], lambda: &[f64], outputs: &mut [f64]) {
        self.with(&Inputs { a, lambda, ..Inputs::from(at) }, |at, work| {
            self.load(at, work);
            self.whole().outputs(at, &work.a, &work.lambda, outputs);
        });
    }

    fn observe_events(&self, inputs: &Inputs<'_>, order: usize, observe: &mut dyn FnMut(usize, f64)) {
        self.with(inputs, |at, work| {
            let inputs = match inputs.a.is_empty() && !self.plan.v.is_empty() {
                true => Inputs::from(at),
                false => {
                    self.load(at, work);
                    Inputs { a: &work.a, lambda: &work.lambda, ..Inputs::from(at) }
                }
            };
            self.whole().observe_events(&inputs, order, observe);
        });
    }

    fn observe_memories(&self, at: &Inputs<'_>, first: usize, observe: &mut dyn FnMut(usize, f64)) {
        self.with(at, |at, _| self.whole().observe_memories(&Inputs::from(at), first, observe));
    }

    fn poses(&self, at: StateView, poses: &mut [Pose]) {
        self.at(at, |at, _| self.whole().poses(at, poses));
    }

    fn marker_positions(&self, at: StateView, markers: &[MarkerId], positions: &mut [[f64; 3]]) {
        self.at(at, |at, _| self.whole().marker_positions(at, markers, positions));
    }

    fn body_jacobians(&self, at: StateView, jacobians: &mut [f64]) {
        let n = self.plan.tree.n();
        self.at(at, |at, work| {
            self.whole().body_jacobians(at, &mut work.twists);
            gather_columns(&work.twists, (&self.plan.v, n), jacobians);
        });
    }

    fn initial_condition(&self, condition: usize, at: StateView, gradient: &mut [f64]) -> Condition {
        self.at(at, |at, work| {
            let told = self.whole().initial_condition(condition, at, &mut work.x);
            gather(&work.x, &self.plan.v, gradient);
            told
        })
    }
}

impl Plan {
    /// Number of rows in the interface that are of positions and velocities.
    fn told_velocity_rows(&self) -> usize {
        self.rows.iter().filter(|r| **r < self.tree.n_velocity).count()
    }
}
