//! Derivatives of motion and of inverse dynamics, computed with the factorisation instead of differentiating it.
//!
//! The residual of the equations of motion at given accelerations and multipliers,
//!
//! ```text
//! (1)  R = M̂ â + Ĝᵀ λ − Q̂        S = Ĝ â − γ̂
//! ```
//!
//! vanishes for the motion. Its derivatives with respect to x at fixed â and λ are the right sides for the derivatives of these:
//!
//! ```text
//! (2)  M̂ δâ + Ĝᵀ δλ = −∂R/∂x      Ĝ δâ = −∂S/∂x
//! (3)  δa = H δâ + ∂a/∂x at fixed â
//! ```
//!
//! Derivatives with respect to the configuration are taken in the directions of displacements δq = N(q) e_j at fixed speeds, or with respect
//! to each coordinate.
//!
//! After this point: as for the other kernels, every root is in interface symbols.

mod motion;
mod residual;

use rustc_hash::FxHashMap;

use super::{Context, Solved, System};
use crate::derive::BodyWrench;
use crate::graph::{NodeId, Stage, Symbol, sparse_derivatives};
use crate::optimize::count;
use crate::program::{ColumnMatrix, ColumnSolve};
use crate::schedule::{Check, Entry, Group, OutputArray};
use crate::solve::Factor;
use motion::Motion;
pub(super) use residual::{ResidualEquations, ResidualForm};

/// Directional derivatives: a column for each direction, with an entry for each root.
pub(super) type Columns = Vec<Vec<NodeId>>;

/// A family of directions of differentiation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Directions {
    /// Displacements N(q) e_j, n_v.
    Displacement,
    /// Each coordinate, n_q.
    Coordinate,
    /// Each speed, n_v.
    Speed,
    /// Each auxiliary state, n_z.
    Auxiliary,
    /// Each input, n_u.
    Input,
    /// Each parameter, n_p.
    Parameter,
}

impl Directions {
    /// Number of families.
    const COUNT: usize = Directions::Parameter as usize + 1;
}

/// The families of a state in tangent coordinates, with the letter that names their arrays.
const STATE: [(Directions, char); 4] =
    [(Directions::Displacement, 'q'), (Directions::Speed, 'v'), (Directions::Auxiliary, 'z'), (Directions::Input, 'u')];

/// The family of sensitivities.
const PARAMETERS: [(Directions, char); 1] = [(Directions::Parameter, 'p')];

const MOTION_DOCS: &str = "Accelerations, multipliers and their derivatives: the right sides −∂(M a + Gᵀ λ − Q)/∂x, −∂(G a − γ)/∂x at \
                           fixed a and λ, solved with one factorisation for all.";

/// Least number of products of entries of L with unknowns for which loops are faster than straight code.
pub const LEAST_COLUMN_PRODUCTS: usize = 4000;

/// Straight code is faster if loops take more than this multiple of its products.
const MOST_ZEROS: usize = 2;

view_of_context! {
    /// Kernels of derivatives with respect to states, inputs and parameters.
    DerivativeKernels
}

impl Context<'_> {
    /// Whether q̇ = v.
    pub(super) fn has_plain_rates(&self) -> bool {
        let plain = |(i, rate): (u32, &NodeId)| *rate == self.graph.symbol(Symbol::Speed(i));
        self.equations.interface.coordinate_rates.as_ref().is_none_or(|rates| (0..).zip(rates).all(plain))
    }

    /// Derivatives of a wrench with respect to (r, attitude, v, ω, u): a column of six entries for each.
    fn wrench_columns(&self, loads: &BodyWrench, wrench: &[NodeId]) -> Columns {
        let part =
            |directions: Directions, range: std::ops::Range<usize>| self.columns(wrench, directions)[range].to_vec();
        let coordinates = part(Directions::Coordinate, loads.first_q..loads.first_q + 3 + loads.attitude);
        let speeds = part(Directions::Speed, loads.first_v..loads.first_v + 6);
        [coordinates, speeds, self.columns(wrench, Directions::Input)].concat()
    }

    /// Blocks of a wrench Jacobian that do not vanish: force and moment with respect to r, attitude, v, ω, u.
    pub fn wrench_pattern(&self, loads: &BodyWrench) -> [[bool; 5]; 2] {
        let zero = self.graph.constant(0.0);
        let columns = self.wrench_columns(loads, &self.to_interface(&loads.wrench));
        let ends = [0, 3, 3 + loads.attitude, 6 + loads.attitude, 9 + loads.attitude, columns.len()];
        [0..3, 3..6].map(|rows: std::ops::Range<usize>| {
            std::array::from_fn(|k| {
                columns[ends[k]..ends[k + 1]].iter().any(|column| column[rows.clone()].iter().any(|x| *x != zero))
            })
        })
    }

    /// Number of directions of a family.
    fn direction_count(&self, directions: Directions) -> usize {
        let model = self.model;
        match directions {
            Directions::Displacement | Directions::Speed => self.equations.n,
            Directions::Coordinate => self.tree.n_q(),
            Directions::Auxiliary => self.equations.states.rates.len(),
            Directions::Input => mbs_model::Model::flat_size(&model.quantities.inputs),
            Directions::Parameter => mbs_model::Model::flat_size(&model.quantities.parameters),
        }
    }

    /// Directional derivatives of nodes in interface symbols: a column for each direction of a family.
    pub(super) fn columns(&self, roots: &[NodeId], directions: Directions) -> Columns {
        let graph = self.graph;
        let (zero, one) = (graph.constant(0.0), graph.constant(1.0));
        let single = |symbol: fn(u32) -> Symbol| -> Vec<FxHashMap<Symbol, NodeId>> {
            (0..self.direction_count(directions) as u32).map(|j| [(symbol(j), one)].into_iter().collect()).collect()
        };
        let seeds = match (directions, &self.equations.interface.coordinate_rates) {
            (Directions::Displacement, Some(rates)) => self.displacement_directions(rates),
            (Directions::Displacement | Directions::Coordinate, _) => single(Symbol::Coordinate),
            (Directions::Speed, _) => single(Symbol::Speed),
            (Directions::Auxiliary, _) => single(Symbol::Auxiliary),
            (Directions::Input, _) => single(Symbol::Input),
            (Directions::Parameter, _) => single(Symbol::Parameter),
        };
        seeds.iter().map(|seed| graph.tangent(roots, &mut |s| seed.get(&s).copied().unwrap_or(zero))).collect()
    }

    /// The directions of displacements: columns of N(q), by coordinate.
    fn displacement_directions(&self, rates: &[NodeId]) -> Vec<FxHashMap<Symbol, NodeId>> {
        let mut columns = vec![FxHashMap::default(); self.equations.n];
        for (i, row) in (0..).zip(sparse_derivatives(self.graph, rates, Symbol::Speed)) {
            for (j, derivative) in row {
                columns[j].insert(Symbol::Coordinate(i), derivative);
            }
        }
        columns
    }
}

impl DerivativeKernels<'_, '_> {
    /// Jacobians of accelerations, multipliers, rates of the state and inverse dynamics.
    pub(super) fn kernels(&self, solved: &Solved<'_>) -> Vec<Group> {
        let kernels = self.model.settings.kernels;
        let mut groups = Vec::new();
        if kernels.jacobians || kernels.linearization {
            let residual = ResidualEquations::new(self, ResidualForm::Derivatives);
            groups.push(self.motion_entry(solved, &residual, "derivatives", &STATE));
            // Where the static order fails, the derivatives are solved for densely.
            if kernels.jacobians || !self.tree.rows.is_empty() {
                groups.push(self.inverse_entry(&residual, "inverse_derivatives", &STATE));
            }
        }
        if kernels.linearization && !self.has_plain_rates() {
            groups.push(self.state_entry(solved));
        } else if kernels.linearization && !self.equations.states.rates.is_empty() {
            groups.push(self.auxiliary_entry());
        }
        groups.extend(self.equations.forces.body_wrenches.iter().map(|wrench| self.wrench_entry(wrench)));
        if kernels.sensitivities {
            // Inertial forces depend on parameters, too, but the model gives no derivatives with respect to these.
            let residual = ResidualEquations::new(self, ResidualForm::Inverse);
            groups.push(self.motion_entry(solved, &residual, "sensitivities", &PARAMETERS));
            groups.push(self.inverse_entry(&residual, "inverse_sensitivities", &PARAMETERS));
        }
        groups
    }

    /// The kernel of a, λ and their derivatives.
    fn motion_entry(
        &self,
        solved: &Solved<'_>,
        residual: &ResidualEquations<'_>,
        name: &str,
        families: &[(Directions, char)],
    ) -> Group {
        let outputs = |motion: &Motion<'_>| {
            let mut outputs = vec![self.output_array("a", &motion.a), self.output_array("lambda", &motion.lambda)];
            for (directions, letter) in families {
                let [a, lambda] = motion.derivatives(*directions);
                outputs.push(self.output_array(&format!("a_{letter}"), &a));
                outputs.push(self.output_array(&format!("lambda_{letter}"), &lambda));
            }
            outputs
        };
        if let Some(group) = self.entry_in_columns(solved, residual, name, families) {
            return group;
        }
        let inverses: &[bool] = if self.tree.rows.is_empty() { &[false, true] } else { &[false] };
        let (outputs, checks) = self.cheapest(solved, inverses, residual, outputs);
        let entry = self.entry(name, MOTION_DOCS, Stage::Acceleration, outputs);
        Group { entries: vec![Entry { checks, ..entry }] }
    }

    /// As [`Self::motion_entry`], with loops that solve for all columns of a family at once; `None` where straight code is better: for few unknowns,
    /// and where the solver has other speeds than the interface.
    fn entry_in_columns(
        &self,
        solved: &Solved<'_>,
        residual: &ResidualEquations<'_>,
        name: &str,
        families: &[(Directions, char)],
    ) -> Option<Group> {
        let (n, n_c) = (self.equations.n, self.tree.rows.len());
        let (system, factor) = solved.systems().find_map(|system| Some((system, plain_factor(system)?)))?;
        let columns: usize = families.iter().map(|(directions, _)| self.direction_count(*directions)).sum();
        let products = factor.products() * columns;
        if products < self.column_products || !residual.is_in_interface_speeds(families) {
            return None;
        }
        // Straight code leaves out products with zeros.
        let zero = self.graph.constant(0.0);
        let right = families.iter().flat_map(|(directions, _)| residual.columns(*directions));
        let straight: usize = right.map(|column| factor.sparse_products(|i| column[i] == zero)).sum();
        if products > MOST_ZEROS * straight && self.column_products > 0 {
            return None;
        }
        let motion = Motion::new(residual, system, false);
        let mut outputs = vec![self.output_array("a", &motion.a), self.output_array("lambda", &motion.lambda)];
        let mut matrices = Vec::new();
        for (directions, letter) in families {
            let right = motion.right_sides(*directions);
            matrices.push(ColumnMatrix { speeds: outputs.len(), rows: outputs.len() + 1, columns: right.len() });
            outputs.push(self.output_array(&format!("a_{letter}"), &row_major(&right, 0..n)));
            outputs.push(self.output_array(&format!("lambda_{letter}"), &row_major(&right, n..n + n_c)));
        }
        let (steps, entries) = factor.steps(self.graph);
        let solve = ColumnSolve { steps, factor: outputs.len(), matrices };
        outputs.push(self.output_array("factor", &self.to_interface(&entries)));
        let entry = self.entry(name, MOTION_DOCS, Stage::Acceleration, outputs);
        let checks = self.checks(system);
        Some(Group { entries: vec![Entry { checks, solve: Some(solve), ..entry }] })
    }

    /// Outputs and checks of the solution method that needs the fewest operations.
    fn cheapest(
        &self,
        solved: &Solved<'_>,
        inverses: &[bool],
        residual: &ResidualEquations<'_>,
        outputs: impl Fn(&Motion<'_>) -> Vec<OutputArray>,
    ) -> (Vec<OutputArray>, Vec<Check>) {
        let systems = solved.systems().flat_map(|system| inverses.iter().map(move |inverted| (system, *inverted)));
        let candidates = systems.map(|(system, inverted)| {
            let outputs = outputs(&Motion::new(residual, system, inverted));
            let roots: Vec<NodeId> = outputs.iter().flat_map(|o| o.nodes.iter().copied()).collect();
            (count(self.graph, &roots).operations, outputs, system)
        });
        let (_, outputs, system) = candidates.min_by_key(|c| c.0).expect("there is at least one system");
        (outputs, self.checks(system))
    }

    /// Derivatives of the residual of the equations of motion at any accelerations and multipliers.
    fn inverse_entry(&self, residual: &ResidualEquations<'_>, name: &str, families: &[(Directions, char)]) -> Group {
        let (n, n_c) = (self.equations.n, self.tree.rows.len());
        let mut outputs = Vec::new();
        for (directions, letter) in families {
            let columns = residual.interface_columns(*directions);
            outputs.push(self.output_array(&format!("tau_{letter}"), &row_major(&columns, 0..n)));
            outputs.push(self.output_array(&format!("rows_{letter}"), &row_major(&columns, n..n + n_c)));
        }
        let docs = "Derivatives of M a + Gᵀ λ − Q and of G a − γ at any accelerations and multipliers.";
        Group { entries: vec![self.entry(name, docs, Stage::Acceleration, outputs)] }
    }

    /// ∂(q̇, v̇, ż)/∂(q, v, z, u), with respect to each coordinate.
    fn state_entry(&self, solved: &Solved<'_>) -> Group {
        let families = [Directions::Coordinate, Directions::Speed, Directions::Auxiliary, Directions::Input];
        let rates = self.equations.interface.coordinate_rates.clone().unwrap_or_default();
        let residual = ResidualEquations::new(self, ResidualForm::MassMatrix);
        let outputs = |motion: &Motion<'_>| {
            let mut columns = Vec::new();
            for directions in families {
                let rates = self.columns(&rates, directions);
                let auxiliary = self.auxiliary_columns(directions);
                let accelerations = motion.columns(directions).into_iter().map(|x| x.0);
                let parts = rates.into_iter().zip(accelerations).zip(auxiliary);
                columns.extend(parts.map(|((q, v), z)| [q, v, z].concat()));
            }
            let rows = columns.first().map_or(0, Vec::len);
            vec![self.output_array("jacobian", &row_major(&columns, 0..rows))]
        };
        let (outputs, checks) = self.cheapest(solved, &[false], &residual, outputs);
        let docs = "∂(q̇, v̇, ż)/∂(q, v, z, u), row-major, with respect to each coordinate.";
        let entry = self.entry("state_jacobian", docs, Stage::Acceleration, outputs);
        Group { entries: vec![Entry { checks, ..entry }] }
    }

    /// Applied loads on a floating body, with derivatives with respect to each of its coordinates, its speeds and all inputs.
    fn wrench_entry(&self, loads: &BodyWrench) -> Group {
        let wrench = self.to_interface(&loads.wrench);
        let columns = self.wrench_columns(loads, &wrench);
        let outputs =
            vec![self.output_array("wrench", &wrench), self.output_array("jacobian", &row_major(&columns, 0..6))];
        let name = &self.model.bodies[loads.body.index()].name;
        let docs = format!(
            "Loads on `{name}` without its weight: force \\[N\\] in world axes, moment \\[N m\\] about its centre of mass in its axes; \
             derivatives with respect to position, attitude, velocity, angular velocity and inputs."
        );
        let kernel = wrench_kernel(name);
        Group { entries: vec![self.entry(&kernel, &docs, Stage::Acceleration, outputs)] }
    }

    /// Derivatives of ż.
    fn auxiliary_entry(&self) -> Group {
        let array = |(directions, letter): &(Directions, char)| {
            let columns = self.auxiliary_columns(*directions);
            self.output_array(&format!("rates_{letter}"), &row_major(&columns, 0..self.equations.states.rates.len()))
        };
        let outputs: Vec<OutputArray> = STATE.iter().map(array).collect();
        let docs = "Derivatives of ż of the auxiliary states.";
        Group { entries: vec![self.entry("auxiliary_derivatives", docs, Stage::Acceleration, outputs)] }
    }

    fn auxiliary_columns(&self, directions: Directions) -> Columns {
        self.columns(&self.to_interface(&self.equations.states.rates), directions)
    }
}

/// The factor of a system that was factorised as a whole, without changes of its unknowns.
fn plain_factor<'s>(system: &'s System<'_>) -> Option<&'s Factor> {
    match system {
        System::Saddle { factor, augmented: false, contacts: None, .. } => Some(factor),
        _ => None,
    }
}

/// Name of the kernel of the applied loads on a floating body.
pub fn wrench_kernel(body: &str) -> String {
    format!("{}_wrench", mbs_model::flat_name(body))
}

/// Some rows of a matrix given by columns, row-major.
fn row_major(columns: &[Vec<NodeId>], rows: std::ops::Range<usize>) -> Vec<NodeId> {
    rows.flat_map(|i| columns.iter().map(move |c| c[i])).collect()
}
