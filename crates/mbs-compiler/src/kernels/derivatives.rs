//! Derivatives of motion and of inverse dynamics, computed with the factorisation instead of differentiating it.
//!
//! The residual of the equations of motion at given accelerations and multipliers,
//!
//! ```text
//! (1)  R = M̂ â + Ĝᵀ λ − Q̂        S = Ĝ â − γ̂
//! ```
//!
//! vanishes along the motion. Its derivatives with respect to x at fixed â and λ are the right sides for the derivatives of these:
//!
//! ```text
//! (2)  M̂ δâ + Ĝᵀ δλ = −∂R/∂x      Ĝ δâ = −∂S/∂x
//! (3)  δa = H δâ + ∂a/∂x at fixed â
//! ```
//!
//! Derivatives with respect to coordinates are taken along displacements δq = N(q) δ at fixed speeds, or along each coordinate by itself.
//!
//! The result obeys the conditions of the other kernels.

mod left_over;
mod motion;

use rustc_hash::FxHashMap;

use super::{Context, Solved};
use crate::derive::BodyWrench;
use crate::graph::{NodeId, Stage, Symbol, sparse_derivatives};
use crate::optimize::count;
use crate::schedule::{Check, Entry, Group, OutputArray};
pub(super) use left_over::{LeftOver, Residual};
use motion::Motion;

/// Derivatives, direction by direction.
pub(super) type Columns = Vec<Vec<NodeId>>;

/// Family of directions of differentiation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Along {
    /// Displacements N(q) e_j.
    Displacement,
    /// Coordinates one by one.
    Coordinate,
    /// Speeds.
    Speed,
    /// Auxiliary states.
    Auxiliary,
    /// Inputs.
    Input,
    /// Parameters.
    Parameter,
}

impl Along {
    /// Number of families.
    const COUNT: usize = Along::Parameter as usize + 1;
}

/// The families of a state in tangent coordinates, with the letter that names their arrays.
const STATE: [(Along, char); 4] =
    [(Along::Displacement, 'q'), (Along::Speed, 'v'), (Along::Auxiliary, 'z'), (Along::Input, 'u')];

/// The family of sensitivities.
const PARAMETERS: [(Along, char); 1] = [(Along::Parameter, 'p')];

impl Context<'_> {
    /// Jacobians of accelerations, multipliers, rates of the state and inverse dynamics.
    pub(super) fn derivative_kernels(&self, solved: &Solved<'_>) -> Vec<Group> {
        let kernels = self.model.kernels;
        let mut groups = Vec::new();
        if kernels.jacobians || kernels.linearization {
            let left_over = LeftOver::new(self, Residual::Derivatives);
            groups.push(self.motion_entry(solved, &left_over, "derivatives", &STATE));
            // Where the static order fails, the derivatives are solved for densely.
            if kernels.jacobians || !self.tree.rows.is_empty() {
                groups.push(self.inverse_entry(&left_over, "inverse_derivatives", &STATE));
            }
        }
        if kernels.linearization && !self.has_plain_rates() {
            groups.push(self.state_entry(solved));
        } else if kernels.linearization && !self.equations.auxiliary_rates.is_empty() {
            groups.push(self.auxiliary_entry());
        }
        groups.extend(self.equations.wrenches.iter().map(|wrench| self.wrench_entry(wrench)));
        if kernels.sensitivities {
            // Inertial forces depend on parameters, too, but the model gives no derivatives with respect to these.
            let left_over = LeftOver::new(self, Residual::Inverse);
            groups.push(self.motion_entry(solved, &left_over, "sensitivities", &PARAMETERS));
            groups.push(self.inverse_entry(&left_over, "inverse_sensitivities", &PARAMETERS));
        }
        groups
    }

    /// Whether q̇ = v.
    pub(super) fn has_plain_rates(&self) -> bool {
        let plain = |(i, rate): (u32, &NodeId)| *rate == self.graph.symbol(Symbol::Speed(i));
        self.equations.coordinate_rates.as_ref().is_none_or(|rates| (0..).zip(rates).all(plain))
    }

    /// a, λ and their derivatives.
    fn motion_entry(
        &self,
        solved: &Solved<'_>,
        left_over: &LeftOver<'_>,
        name: &str,
        families: &[(Along, char)],
    ) -> Group {
        let outputs = |motion: &Motion<'_>| {
            let mut outputs = vec![self.array("a", &motion.a), self.array("lambda", &motion.lambda)];
            for (along, letter) in families {
                let [a, lambda] = motion.derivatives(*along);
                outputs.push(self.array(&format!("a_{letter}"), &a));
                outputs.push(self.array(&format!("lambda_{letter}"), &lambda));
            }
            outputs
        };
        let inverses: &[bool] = if self.tree.rows.is_empty() { &[false, true] } else { &[false] };
        let (outputs, checks) = self.cheapest(solved, inverses, left_over, outputs);
        let docs = "Accelerations, multipliers and their derivatives: the right sides −∂(M a + Gᵀ λ − Q)/∂x, −∂(G a − γ)/∂x at fixed a \
                    and λ, solved with one factorisation for all.";
        let entry = self.entry(name, docs, Stage::Acceleration, outputs);
        Group { entries: vec![Entry { checks, ..entry }] }
    }

    /// Outputs and checks of the solution method that needs the fewest operations.
    fn cheapest(
        &self,
        solved: &Solved<'_>,
        inverses: &[bool],
        left_over: &LeftOver<'_>,
        outputs: impl Fn(&Motion<'_>) -> Vec<OutputArray>,
    ) -> (Vec<OutputArray>, Vec<Check>) {
        let ways = solved.systems().flat_map(|system| inverses.iter().map(move |inverted| (system, *inverted)));
        let written = ways.map(|(system, inverted)| {
            let outputs = outputs(&Motion::new(left_over, system, inverted));
            let roots: Vec<NodeId> = outputs.iter().flat_map(|o| o.nodes.iter().copied()).collect();
            (count(self.graph, &roots).operations, outputs, system)
        });
        let (_, outputs, system) = written.min_by_key(|w| w.0).expect("there is at least one way");
        (outputs, self.checks(system))
    }

    /// Derivatives of the residual of the equations of motion at any accelerations and multipliers.
    fn inverse_entry(&self, left_over: &LeftOver<'_>, name: &str, families: &[(Along, char)]) -> Group {
        let (n, n_c) = (self.equations.n, self.tree.rows.len());
        let mut outputs = Vec::new();
        for (along, letter) in families {
            let columns = left_over.interface_columns(*along);
            outputs.push(self.array(&format!("tau_{letter}"), &transposed(&columns, 0..n)));
            outputs.push(self.array(&format!("rows_{letter}"), &transposed(&columns, n..n + n_c)));
        }
        let docs = "Derivatives of M a + Gᵀ λ − Q and of G a − γ at any accelerations and multipliers.";
        Group { entries: vec![self.entry(name, docs, Stage::Acceleration, outputs)] }
    }

    /// ∂(q̇, v̇, ż)/∂(q, v, z, u) along each coordinate by itself.
    fn state_entry(&self, solved: &Solved<'_>) -> Group {
        let families = [Along::Coordinate, Along::Speed, Along::Auxiliary, Along::Input];
        let rates = self.equations.coordinate_rates.clone().unwrap_or_default();
        let left_over = LeftOver::new(self, Residual::Anywhere);
        let outputs = |motion: &Motion<'_>| {
            let mut columns = Vec::new();
            for along in families {
                let rates = self.columns(&rates, along);
                let auxiliary = self.auxiliary_columns(along);
                let accelerations = motion.columns(along).into_iter().map(|x| x.0);
                let parts = rates.into_iter().zip(accelerations).zip(auxiliary);
                columns.extend(parts.map(|((q, v), z)| [q, v, z].concat()));
            }
            let rows = columns.first().map_or(0, Vec::len);
            vec![self.array("jacobian", &transposed(&columns, 0..rows))]
        };
        let (outputs, checks) = self.cheapest(solved, &[false], &left_over, outputs);
        let docs = "∂(q̇, v̇, ż)/∂(q, v, z, u), row-major, along each coordinate by itself.";
        let entry = self.entry("state_jacobian", docs, Stage::Acceleration, outputs);
        Group { entries: vec![Entry { checks, ..entry }] }
    }

    /// Applied loads on a floating body, with derivatives with respect to each of its coordinates, its speeds and all inputs.
    fn wrench_entry(&self, of: &BodyWrench) -> Group {
        let wrench = self.to_interface(&of.wrench);
        let columns = self.wrench_columns(of, &wrench);
        let outputs = vec![self.array("wrench", &wrench), self.array("jacobian", &transposed(&columns, 0..6))];
        let name = &self.model.bodies[of.body.index()].name;
        let docs = format!(
            "Loads on `{name}`, weight not among them: force \\[N\\] in world axes, moment \\[N m\\] about its centre of mass in its axes; \
             derivatives along position, attitude, velocity, angular velocity and inputs."
        );
        let kernel = wrench_kernel(name);
        Group { entries: vec![self.entry(&kernel, &docs, Stage::Acceleration, outputs)] }
    }

    /// Derivatives with respect to (r, attitude, v, ω, u), column by column.
    fn wrench_columns(&self, of: &BodyWrench, wrench: &[NodeId]) -> Columns {
        let part = |along: Along, range: std::ops::Range<usize>| self.columns(wrench, along)[range].to_vec();
        let coordinates = part(Along::Coordinate, of.first_q..of.first_q + 3 + of.attitude);
        let speeds = part(Along::Speed, of.first_v..of.first_v + 6);
        [coordinates, speeds, self.columns(wrench, Along::Input)].concat()
    }

    /// Blocks of a wrench Jacobian that do not vanish: force and moment with respect to r, attitude, v, ω, u.
    pub fn wrench_pattern(&self, of: &BodyWrench) -> [[bool; 5]; 2] {
        let zero = self.graph.number(0.0);
        let columns = self.wrench_columns(of, &self.to_interface(&of.wrench));
        let ends = [0, 3, 3 + of.attitude, 6 + of.attitude, 9 + of.attitude, columns.len()];
        [0..3, 3..6].map(|rows: std::ops::Range<usize>| {
            std::array::from_fn(|k| {
                columns[ends[k]..ends[k + 1]].iter().any(|column| column[rows.clone()].iter().any(|x| *x != zero))
            })
        })
    }

    /// Derivatives of ż.
    fn auxiliary_entry(&self) -> Group {
        let array = |(along, letter): &(Along, char)| {
            let columns = self.auxiliary_columns(*along);
            self.array(&format!("rates_{letter}"), &transposed(&columns, 0..self.equations.auxiliary_rates.len()))
        };
        let outputs: Vec<OutputArray> = STATE.iter().map(array).collect();
        let docs = "Derivatives of ż of the auxiliary states.";
        Group { entries: vec![self.entry("auxiliary_derivatives", docs, Stage::Acceleration, outputs)] }
    }

    fn auxiliary_columns(&self, along: Along) -> Columns {
        self.columns(&self.to_interface(&self.equations.auxiliary_rates), along)
    }

    /// Number of directions of a family.
    fn count(&self, along: Along) -> usize {
        let model = self.model;
        match along {
            Along::Displacement | Along::Speed => self.equations.n,
            Along::Coordinate => self.tree.n_q(),
            Along::Auxiliary => self.equations.auxiliary_rates.len(),
            Along::Input => mbs_model::Model::flat_size(&model.inputs),
            Along::Parameter => mbs_model::Model::flat_size(&model.parameters),
        }
    }

    /// Derivatives of nodes in interface symbols along each direction of a family: column by column.
    pub(super) fn columns(&self, roots: &[NodeId], along: Along) -> Columns {
        let graph = self.graph;
        let (zero, one) = (graph.number(0.0), graph.number(1.0));
        let single = |symbol: fn(u32) -> Symbol| -> Vec<FxHashMap<Symbol, NodeId>> {
            (0..self.count(along) as u32).map(|j| [(symbol(j), one)].into_iter().collect()).collect()
        };
        let seeds = match (along, &self.equations.coordinate_rates) {
            (Along::Displacement, Some(rates)) => self.displacements(rates),
            (Along::Displacement | Along::Coordinate, _) => single(Symbol::Coordinate),
            (Along::Speed, _) => single(Symbol::Speed),
            (Along::Auxiliary, _) => single(Symbol::Auxiliary),
            (Along::Input, _) => single(Symbol::Input),
            (Along::Parameter, _) => single(Symbol::Parameter),
        };
        seeds.iter().map(|seed| graph.tangent(roots, &mut |s| seed.get(&s).copied().unwrap_or(zero))).collect()
    }

    /// Columns of N(q).
    fn displacements(&self, rates: &[NodeId]) -> Vec<FxHashMap<Symbol, NodeId>> {
        let mut columns = vec![FxHashMap::default(); self.equations.n];
        for (i, row) in (0..).zip(sparse_derivatives(self.graph, rates, Symbol::Speed)) {
            for (j, derivative) in row {
                columns[j].insert(Symbol::Coordinate(i), derivative);
            }
        }
        columns
    }
}

/// Name of the kernel of a body's wrench.
pub fn wrench_kernel(body: &str) -> String {
    format!("{}_wrench", mbs_model::flat_name(body))
}

/// Some rows of a matrix given by columns, row-major.
fn transposed(columns: &[Vec<NodeId>], rows: std::ops::Range<usize>) -> Vec<NodeId> {
    rows.flat_map(|i| columns.iter().map(move |c| c[i])).collect()
}
