//! Newton corrections for stages of implicit steps.
//!
//! A stage has v = v₀ + s a and z = z₀ + s ż with a and ż of the mechanism at (q, v, z), and coordinates that depend on v,
//! δθ = d + p (δv + B δθ), where B = N⁺ ∂(N v)/∂q N of q̇ = N v. With the residuals r of v and z, and the residual of the equations of motion,
//! R = M a + Gᵀ λ − Q and S = G a − γ, whose derivatives are taken at fixed a and λ, corrections obey
//!
//! ```text
//! (1)  M (δv − r_v) + Gᵀ μ + s (R_v δv + R_q δθ + R_z δz) = 0
//! (2)  G (δv − r_v) + e (S_v δv + S_q δθ + S_z δz) + k ψ_q δθ = 0
//! (3)  δz − r_z − s (Z_v δv + Z_q δθ + Z_z δz) = 0
//! (4)  δθ = d + p y,  Nᵀ N (δv − y) + Nᵀ ∂(N v)/∂q N (d + p y) = 0
//! ```
//!
//! with e = s and k = 0 where rows constrain accelerations. Where they constrain positions and speeds, Φ = 0 and ψ = 0 at the stage, e = 0
//! and k = 1 in velocity rows; position rows then have G δv = 0, as positions are constrained separately; rows of accelerations alone
//! always have e = s and k = 0. The unknowns of (4) are the components of y that differ from δv. For quaternions, (4) neglects the effect
//! of their length: O(p² |ω|²) relative to the whole. Where rows give mass to massless speeds, (2) times Gᵀ and a weight is added to (1),
//! row by row as in the factorisation of accelerations.

use std::collections::BTreeMap;

use super::derivatives::{Columns, Directions, ResidualEquations, ResidualForm};
use super::linear::LinearSystem;
use super::{Context, Solved};
use crate::derive::Derivatives;
use crate::graph::{NodeId, Stage, Symbol, sparse_derivatives};
use crate::program::STAGE_COEFFICIENTS;
use crate::schedule::{Entry, Group, OutputArray};
use crate::solve::Saddle;

/// The kernel of (1) to (4).
pub const STAGE_CORRECTION: &str = "stage_correction";

/// Terms of (1) to (4): matrices, and derivatives as columns.
struct StageTerms {
    /// The coefficients s, p, e, k.
    coefficients: [NodeId; STAGE_COEFFICIENTS],
    /// M, n × n, row-major.
    mass: Vec<NodeId>,
    /// Rows of G.
    jacobian: Vec<Derivatives>,
    /// Derivatives of (R, S) with respect to displacements, speeds and auxiliary states.
    residual: [Columns; 3],
    /// Derivatives of ż with respect to displacements, speeds and auxiliary states.
    auxiliary: [Columns; 3],
    /// Derivatives of ψ with respect to displacements.
    psi: Columns,
    /// NᵀN and Nᵀ ∂(N v)/∂q N, row by row; `None` where q̇ = v.
    rates: Option<[Vec<Vec<NodeId>>; 2]>,
    /// Speeds of attitudes, whose y differs from δv.
    attitude_speeds: Vec<usize>,
}

view_of_context! {
    /// Kernels of one stage of an implicit step.
    StageKernels
}

impl StageKernels<'_, '_> {
    /// The kernel, if it is requested and the mechanism has a mass.
    pub(super) fn kernels(&self, solved: &Solved<'_>) -> Option<Group> {
        if !self.model.settings.kernels.steps || self.unit_metric {
            return None;
        }
        let terms = self.stage_terms();
        let (graph, n) = (self.graph, self.equations.n);
        let mut right = self.stage_right_side(&terms);
        let mut matrix = self.stage_matrix(&terms);
        let mut diagonal_parts = self.diagonal_parts(&terms, &matrix);
        let augmented = self.is_augmented(&solved.system);
        let massless = self.massless_speeds().filter(|_| !augmented);
        let mut rows = matrix.clone();
        match &massless {
            // Orders are certified for the limit of the matrix for short steps.
            Some(massless) => massless.iter().for_each(|i| {
                rows[*i].remove(i);
            }),
            None => {
                self.augment(&terms, &mut matrix, &mut diagonal_parts, &mut right);
                rows = matrix.clone();
            }
        }
        let speeds_alone = terms.attitude_speeds.is_empty() && self.equations.states.rates.is_empty();
        let known_order = self.order_of_accelerations(solved).filter(|_| speeds_alone && massless.is_some());
        let saddle = Saddle { n: matrix.len() - self.tree.rows.len(), rows };
        let linear = LinearSystem { saddle, diagonal_parts, matrix, right, known_order };
        let (outputs, mut checks) = linear.solve(graph, &self.states, &|x| self.stage_outputs(&terms, x))?;
        // Checks report rows in the usual order: speeds, rows, auxiliary states; then the speeds of attitudes.
        let (n_t, unknowns, n_c) = (terms.attitude_speeds.len(), linear.saddle.n, self.tree.rows.len());
        for check in &mut checks {
            check.row = match check.row {
                speed if speed < n => speed,
                attitude if attitude < n + n_t => attitude + unknowns - n - n_t + n_c,
                auxiliary if auxiliary < unknowns => auxiliary - n_t + n_c,
                row => row - unknowns + n,
            };
        }
        let docs = "The correction of Newton's method for a stage of an implicit step: displacements, speeds, auxiliary states.";
        let entry = self.entry(STAGE_CORRECTION, docs, Stage::Acceleration, outputs);
        Some(Group { entries: vec![Entry { checks, ..entry }] })
    }

    /// Interface speeds without mass, which only rows determine; `None` where one of them is no speed of the solver.
    fn massless_speeds(&self) -> Option<Vec<usize>> {
        let e = self.equations;
        let one = self.graph.constant(1.0);
        let users = |k: usize| e.solver.derivatives.iter().flatten().filter(|(i, _)| *i == k).count();
        let massless = (0..e.n).filter(|i| self.massless[*i] || !e.mass.contains_key(&(*i, *i)));
        let solver_speed = |i: usize| match e.solver.derivatives[i][..] {
            [(k, derivative)] if derivative == one && users(k) == 1 && !e.mass.contains_key(&(i, i)) => Some(k),
            _ => None,
        };
        massless.map(solver_speed).collect()
    }

    /// Part of each diagonal entry that remains for short steps: masses relative to which derivatives may cancel.
    fn diagonal_parts(&self, terms: &StageTerms, matrix: &[BTreeMap<usize, NodeId>]) -> Vec<NodeId> {
        let (graph, n) = (self.graph, self.equations.n);
        let first_row = matrix.len() - self.tree.rows.len();
        let part = |i: usize| match (i, &terms.rates) {
            (speed, _) if speed < n => terms.mass[i * n + i],
            (row, _) if row >= first_row => graph.neg(matrix[i].get(&i).copied().unwrap_or(graph.constant(0.0))),
            (attitude, Some([squares, _])) if attitude < n + terms.attitude_speeds.len() => {
                let k = terms.attitude_speeds[attitude - n];
                squares[k][k]
            }
            _ => graph.constant(1.0),
        };
        (0..matrix.len()).map(part).collect()
    }

    /// Adds w Gᵀ (2) to (1): to the matrix, to the parts of its diagonal, and to the right side.
    fn augment(
        &self,
        terms: &StageTerms,
        matrix: &mut [BTreeMap<usize, NodeId>],
        diagonal_parts: &mut [NodeId],
        right: &mut [NodeId],
    ) {
        let graph = self.graph;
        let zero = graph.constant(0.0);
        let first_row = matrix.len() - self.tree.rows.len();
        for (r, derivatives) in terms.jacobian.iter().enumerate() {
            let row = matrix[first_row + r].clone();
            let weight = self.row_weights[r].node(graph, derivatives.iter().map(|(_, g)| *g));
            for (i, g) in derivatives {
                let factor = graph.mul(weight, *g);
                right[*i] = graph.add(right[*i], graph.mul(factor, right[first_row + r]));
                diagonal_parts[*i] = graph.add(diagonal_parts[*i], graph.mul(factor, *g));
                for (j, x) in row.iter().filter(|(_, x)| **x != zero) {
                    let sum = matrix[*i].entry(*j).or_insert(zero);
                    *sum = graph.add(*sum, graph.mul(factor, *x));
                    matrix[*j].entry(*i).or_insert(zero);
                }
            }
        }
    }

    fn stage_terms(&self) -> StageTerms {
        let (graph, e, n) = (self.graph, self.equations, self.equations.n);
        const STATE: [Directions; 3] = [Directions::Displacement, Directions::Speed, Directions::Auxiliary];
        let residual = ResidualEquations::new(self, ResidualForm::Derivatives);
        let auxiliary = self.to_interface(&e.states.rates);
        let row = |r: usize| {
            let row: Derivatives = e.rows.jacobian.range((r, 0)..(r + 1, 0)).map(|((_, k), g)| (*k, *g)).collect();
            self.row_to_interface(&row)
        };
        let rates = e
            .interface
            .coordinate_rates
            .as_ref()
            .filter(|_| !self.has_plain_rates())
            .map(|rates| self.rate_derivatives(rates));
        let (zero, one) = (graph.constant(0.0), graph.constant(1.0));
        let is_attitude_speed = |k: &usize| {
            rates.as_ref().is_some_and(|[squares, rotations]| {
                let is_unit = |(j, x): (usize, &NodeId)| *x == if j == *k { one } else { zero };
                !squares[*k].iter().enumerate().all(is_unit) || rotations[*k].iter().any(|x| *x != zero)
            })
        };
        let attitude_speeds = (0..n).filter(is_attitude_speed).collect();
        StageTerms {
            coefficients: std::array::from_fn(|i| graph.symbol(Symbol::StageCoefficient(i as u32))),
            mass: self.interface_mass(&e.solver.derivatives),
            jacobian: (0..self.tree.rows.len()).map(row).collect(),
            residual: STATE.map(|directions| residual.interface_columns(directions)),
            auxiliary: STATE.map(|directions| self.columns(&auxiliary, directions)),
            psi: self.columns(&self.to_interface(&e.rows.psi), Directions::Displacement),
            rates,
            attitude_speeds,
        }
    }

    /// NᵀN and Nᵀ ∂(N v)/∂q N.
    fn rate_derivatives(&self, rates: &[NodeId]) -> [Vec<Vec<NodeId>>; 2] {
        let (graph, n) = (self.graph, self.equations.n);
        let zero = graph.constant(0.0);
        let speed_derivatives = sparse_derivatives(graph, rates, Symbol::Speed);
        let displacement_derivatives = self.columns(rates, Directions::Displacement);
        let mut products = [vec![vec![zero; n]; n], vec![vec![zero; n]; n]];
        let mut add = |product: usize, k: usize, j: usize, a: NodeId, b: NodeId| {
            let sum = &mut products[product][k][j];
            *sum = graph.add(*sum, graph.mul(a, b));
        };
        for (i, row) in speed_derivatives.iter().enumerate() {
            for (k, a) in row {
                row.iter().for_each(|(j, b)| add(0, *k, *j, *a, *b));
                let columns = displacement_derivatives.iter().enumerate();
                columns.for_each(|(j, column)| add(1, *k, j, *a, column[i]));
            }
        }
        products
    }

    /// Coefficients of S, of ψ_q and of G r_v in row r of (2).
    fn row_coefficients(&self, terms: &StageTerms, r: usize) -> [NodeId; 3] {
        let graph = self.graph;
        let (zero, one, [s, _, e, k]) = (graph.constant(0.0), graph.constant(1.0), terms.coefficients);
        match r {
            position if position < self.tree.n_position => [e, zero, graph.sub(one, k)],
            velocity if velocity < self.tree.n_velocity => [e, k, one],
            _ => [s, zero, one],
        }
    }

    /// Derivatives of the equations with respect to displacement j: s R_q, e S_q + k ψ_q and −s Z_q.
    fn displacement_columns(&self, terms: &StageTerms, j: usize) -> [Vec<NodeId>; 3] {
        let (graph, n) = (self.graph, self.equations.n);
        let s = terms.coefficients[0];
        let column = &terms.residual[0][j];
        let motion = column[..n].iter().map(|x| graph.mul(s, *x)).collect();
        let row = |(r, x): (usize, &NodeId)| {
            let [e, k, _] = self.row_coefficients(terms, r);
            let psi = terms.psi[j].get(r).copied().unwrap_or(graph.constant(0.0));
            graph.add(graph.mul(e, *x), graph.mul(k, psi))
        };
        let rows = column[n..].iter().enumerate().map(row).collect();
        let auxiliary = terms.auxiliary[0][j].iter().map(|x| graph.neg(graph.mul(s, *x))).collect();
        [motion, rows, auxiliary]
    }

    /// The matrix of (1) to (4): unknowns δv, y where it differs from δv, δz, μ.
    fn stage_matrix(&self, terms: &StageTerms) -> Vec<BTreeMap<usize, NodeId>> {
        let (graph, n, n_z) = (self.graph, self.equations.n, self.equations.states.rates.len());
        let (zero, [s, p, ..]) = (graph.constant(0.0), terms.coefficients);
        let attitude_speeds = &terms.attitude_speeds;
        let first_z = n + attitude_speeds.len();
        let first_row = first_z + n_z;
        let y = |j: usize| attitude_speeds.iter().position(|k| *k == j).map_or(j, |i| n + i);
        let mut matrix = vec![BTreeMap::new(); first_row + self.tree.rows.len()];
        let mut add = |i: usize, j: usize, x: NodeId| {
            if x != zero {
                let sum = matrix[i].entry(j).or_insert(zero);
                *sum = graph.add(*sum, x);
                matrix[j].entry(i).or_insert(zero);
            }
        };
        for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
            add(i, j, terms.mass[i * n + j]);
        }
        for (r, row) in terms.jacobian.iter().enumerate() {
            for (i, g) in row {
                add(*i, first_row + r, *g);
                add(first_row + r, *i, *g);
            }
        }
        for j in 0..n {
            let [motion, rows, auxiliary] = self.displacement_columns(terms, j);
            motion.into_iter().enumerate().for_each(|(i, x)| add(i, y(j), graph.mul(p, x)));
            rows.into_iter().enumerate().for_each(|(r, x)| add(first_row + r, y(j), graph.mul(p, x)));
            auxiliary.into_iter().enumerate().for_each(|(i, x)| add(first_z + i, y(j), graph.mul(p, x)));
        }
        for (family, first_unknown) in [(1, 0), (2, first_z)] {
            let columns = terms.residual[family].iter().zip(&terms.auxiliary[family]);
            for (j, (column, auxiliary)) in columns.enumerate() {
                let j = first_unknown + j;
                column[..n].iter().enumerate().for_each(|(i, x)| add(i, j, graph.mul(s, *x)));
                for (r, x) in column[n..].iter().enumerate() {
                    add(first_row + r, j, graph.mul(self.row_coefficients(terms, r)[0], *x));
                }
                auxiliary.iter().enumerate().for_each(|(i, x)| add(first_z + i, j, graph.neg(graph.mul(s, *x))));
            }
        }
        (0..n_z).for_each(|i| add(first_z + i, first_z + i, graph.constant(1.0)));
        if let Some([squares, rotations]) = &terms.rates {
            for (i, k) in attitude_speeds.iter().enumerate() {
                for j in 0..n {
                    // The sign makes the diagonal positive, as that of a mass.
                    add(n + i, j, graph.neg(squares[*k][j]));
                    add(n + i, y(j), graph.sub(squares[*k][j], graph.mul(p, rotations[*k][j])));
                }
            }
        }
        for ((r, _), diagonal) in self.equations.switched_diagonal(graph) {
            add(first_row + r, first_row + r, diagonal);
        }
        matrix
    }

    /// Symbols of d of (4), r_v and r_z.
    fn stage_residual(&self) -> [Vec<NodeId>; 3] {
        let (n, n_z) = (self.equations.n, self.equations.states.rates.len());
        let symbols = |range: std::ops::Range<usize>| {
            range.map(|i| self.graph.symbol(Symbol::Residual(i as u32))).collect::<Vec<NodeId>>()
        };
        [symbols(0..n), symbols(n..2 * n), symbols(2 * n..2 * n + n_z)]
    }

    /// Right sides of (1), (4), (3) and (2).
    fn stage_right_side(&self, terms: &StageTerms) -> Vec<NodeId> {
        let (graph, n) = (self.graph, self.equations.n);
        let zero = graph.constant(0.0);
        let [displacements, speeds, auxiliary] = self.stage_residual();
        let sum = |terms: &mut dyn Iterator<Item = NodeId>| terms.fold(zero, |sum, term| graph.add(sum, term));
        let mut motion: Vec<NodeId> =
            (0..n).map(|i| sum(&mut (0..n).map(|j| graph.mul(terms.mass[i * n + j], speeds[j])))).collect();
        let row = |(r, row): (usize, &Derivatives)| {
            let product = sum(&mut row.iter().map(|(j, g)| graph.mul(*g, speeds[*j])));
            graph.mul(self.row_coefficients(terms, r)[2], product)
        };
        let mut rows: Vec<NodeId> = terms.jacobian.iter().enumerate().map(row).collect();
        let mut rest = auxiliary;
        for (j, d) in displacements.iter().enumerate() {
            let derivatives = self.displacement_columns(terms, j);
            for (right, derivatives) in [&mut motion, &mut rows, &mut rest].into_iter().zip(&derivatives) {
                for (right, derivative) in right.iter_mut().zip(derivatives) {
                    *right = graph.sub(*right, graph.mul(*derivative, *d));
                }
            }
        }
        if let Some([_, rotations]) = &terms.rates {
            let product =
                |k: &usize| sum(&mut rotations[*k].iter().zip(&displacements).map(|(x, d)| graph.mul(*x, *d)));
            motion.extend(terms.attitude_speeds.iter().map(product));
        }
        motion.extend(rest);
        motion.extend(rows);
        motion
    }

    /// δθ, δv and δz of a solution.
    fn stage_outputs(&self, terms: &StageTerms, x: &[NodeId]) -> Vec<OutputArray> {
        let (graph, n) = (self.graph, self.equations.n);
        let [displacements, ..] = self.stage_residual();
        let y = |j: usize| terms.attitude_speeds.iter().position(|k| *k == j).map_or(x[j], |i| x[n + i]);
        let corrections = (0..n).map(|j| graph.add(displacements[j], graph.mul(terms.coefficients[1], y(j))));
        let first_z = n + terms.attitude_speeds.len();
        let auxiliary = &x[first_z..first_z + self.equations.states.rates.len()];
        let all: Vec<NodeId> = corrections.chain(x[..n].iter().copied()).chain(auxiliary.iter().copied()).collect();
        vec![self.output_array("correction", &all)]
    }
}
