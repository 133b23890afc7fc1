//! Chooses the functions (kernels) of a mechanism, and the nodes that they compute.
//!
//! After this point: every root is in interface symbols (q, v, a, …); solver symbols are gone.

/// A view of the context with the formulas of one group of kernels; those of every group are reached through it, too.
/// `view_of_context! { StageKernels }` is
///
/// ```text
/// pub(super) struct StageKernels<'c, 'a>(pub(super) &'c Context<'a>);
/// impl<'a> Deref for StageKernels<'_, 'a> { type Target = Context<'a>; … }
/// ```
macro_rules! view_of_context {
    ($(#[$docs:meta])* $name:ident) => {
        $(#[$docs])*
        pub(super) struct $name<'c, 'a>(pub(super) &'c Context<'a>);

        impl<'a> ::std::ops::Deref for $name<'_, 'a> {
            type Target = Context<'a>;

            fn deref(&self) -> &Self::Target {
                self.0
            }
        }
    };
}

mod constraints;
mod derivatives;
mod events;
mod hessians;
mod interface;
mod linear;
mod momenta;
mod operators;
mod products;
mod projection;
mod steps;
mod symbols;
mod system;

pub use derivatives::{LEAST_COLUMN_PRODUCTS, wrench_kernel};
pub use hessians::{HESSIANS, HessianEntry};
pub use momenta::{MOMENTA, MOMENTUM_RATES, MOMENTUM_STEP, SPEEDS_OF_MOMENTA};
pub use products::{INVERSE_MASS, TRANSPOSED_JACOBIAN};
pub use projection::CORRECTIONS;
pub use steps::STAGE_CORRECTION;

use mbs_definition::Space;
use mbs_model::Model;
use mbs_physics::{InterfaceCoordinate, SolverCoordinate, Tree};

use crate::derive::Equations;
use crate::graph::{Graph, NodeId, Stage, Symbol, dependencies};
use crate::schedule::{Check, Entry, Group, OutputArray};
use crate::solve::RowWeight;
use crate::states::States;
use constraints::ConstraintKernels;
use derivatives::DerivativeKernels;
use momenta::MomentumKernels;
use products::ProductKernels;
use steps::StageKernels;
pub use symbols::SolverSymbols;
pub use system::Solved;
use system::{Factorisations, Pivot, System};

/// Name of the function that returns the new values of the memories.
pub const MEMORIES: &str = "memories";
/// Name of the function that returns the values of the memories at the start of a run.
pub const DECLARED_MEMORIES: &str = "declared_memories";

/// A mechanism with its derived equations, from which kernels are written.
pub struct Context<'a> {
    /// The graph.
    pub graph: &'a Graph,
    /// The model.
    pub model: &'a Model,
    /// Its coordinates.
    pub tree: &'a Tree,
    /// Its equations.
    pub equations: &'a Equations,
    /// Weight of each row in the augmentation: [`choose_row_weights`](crate::solve::choose_row_weights).
    pub row_weights: Vec<RowWeight>,
    /// Sample states, at which conditions on values are checked.
    pub states: States,
    /// Whether to solve with M = 1, because the mechanism has no definite mass.
    pub unit_metric: bool,
    /// Speeds to which their own body gives no inertia: [`mbs_check::massless_speeds`].
    pub massless: Vec<bool>,
    /// Its solver symbols as interface expressions.
    pub symbols: SolverSymbols,
    /// Least number of products of an entry of the factor with a column for which derivatives are solved for in loops.
    pub column_products: usize,
}

impl<'a> Context<'a> {
    /// Suggests names for the symbols of the equations.
    fn name_symbols(&self) {
        let speeds = &self.equations.solver.speeds;
        for (i, c) in self.tree.solver.iter().enumerate() {
            let (position, speed) = match *c {
                SolverCoordinate::Angle(b) => ("theta", format!("omega_{}", self.model.bodies[b.index()].name)),
                SolverCoordinate::World(b, 0) => ("x", format!("vx_{}", self.model.bodies[b.index()].name)),
                SolverCoordinate::World(b, _) => ("y", format!("vy_{}", self.model.bodies[b.index()].name)),
                SolverCoordinate::Displacement(j, _) => ("s", format!("ds_{}", self.model.joint(j).name)),
                SolverCoordinate::Posed(j, k) => ("s", format!("ds_{}_{k}", self.model.joint(j).name)),
                SolverCoordinate::Basic(b, k) => {
                    let name = mbs_model::flat_name(&self.model.coordinates.natural.basics[b as usize].name);
                    let k = usize::from(k);
                    (["x", "y", "z"][k], format!("{}_{name}", ["vx", "vy", "vz"][k]))
                }
                SolverCoordinate::ContinuousAngle(b) => {
                    ("theta", format!("omega_{}", self.model.bodies[b.index()].name))
                }
                SolverCoordinate::Algebraic(k) => ("s", format!("ds_{k}")),
                SolverCoordinate::Link(..) | SolverCoordinate::ContinuousCoordinate(..) => continue,
            };
            let owner = speed.split_once('_').map_or("", |p| p.1).to_owned();
            // In space there may be more coordinates than speeds.
            let coordinate = match *c {
                SolverCoordinate::Basic(b, k) => self.tree.interface_index(InterfaceCoordinate::Basic(b, k)),
                _ => Some(i),
            };
            self.graph
                .suggest(self.equations.solver.coordinates[coordinate.unwrap_or(i)], format!("{position}_{owner}"));
            self.graph.suggest(speeds[i], speed);
            let angle = self.graph.symbol(Symbol::SolverCoordinate(i as u32));
            if matches!(c, SolverCoordinate::Angle(_)) {
                for (f, prefix) in [(mbs_expr::Function::Sin, "sin"), (mbs_expr::Function::Cos, "cos")] {
                    self.graph.suggest(self.graph.unary(f, angle), format!("{prefix}_{owner}"));
                }
            }
        }
        for ((i, j), m) in &self.equations.mass {
            self.graph.suggest(*m, format!("mass_{i}_{j}"));
        }
        for (k, force) in self.equations.forces.total.iter().enumerate() {
            self.graph.suggest(*force, format!("load_{k}"));
        }
        for (k, gamma) in self.equations.rows.gamma.iter().enumerate() {
            self.graph.suggest(*gamma, format!("gamma_{k}"));
        }
    }

    /// The equations of motion, solved by the method and in the order that count the fewest operations; `None` if no order is certified.
    pub fn solve(&self) -> Option<Solved<'a>> {
        Factorisations(self).solve()
    }

    /// All groups of functions.
    pub fn groups(&self, solved: &Solved<'_>) -> Vec<Group> {
        let mut groups = vec![self.fused_group(solved), self.staged_group(solved)];
        groups.extend(ConstraintKernels(self).kernels());
        groups.extend(self.corrections(solved));
        groups.extend(self.report_kernels());
        groups.extend(self.reaction_kernels(solved));
        groups.extend(self.operators());
        groups.extend(ProductKernels(self).kernels());
        groups.extend(MomentumKernels(self).kernels(solved));
        groups.extend(DerivativeKernels(self).kernels(solved));
        groups.extend(StageKernels(self).kernels(solved));
        groups.extend(self.pivot_group(solved));
        groups
    }

    /// Checks of the pivots that depend on the state; pivots of parameters alone are checked when parameters are set.
    fn checks(&self, system: &System<'_>) -> Vec<Check> {
        self.checks_from(system, Stage::Position)
    }

    /// Checks of the pivots that are known at a stage or later.
    fn checks_from(&self, system: &System<'_>, stage: Stage) -> Vec<Check> {
        let mut pivots = system.pivots(self.graph, self.equations.n);
        pivots.retain(|p| self.graph.stage(p.pivot) >= stage);
        let nodes: Vec<[NodeId; 2]> = pivots.iter().map(|p| [p.pivot, p.magnitude]).collect();
        let flat = self.to_interface(&nodes.concat());
        let check = |(p, pair): (&Pivot, &[NodeId])| Check { pivot: pair[0], magnitude: pair[1], row: p.row };
        pivots.iter().zip(flat.chunks(2)).map(check).collect()
    }

    /// Pivots that depend on parameters alone: row, pivot, and the indices of these parameters.
    pub fn parameter_pivots(&self, solved: &Solved<'_>) -> Vec<(usize, NodeId, Vec<usize>)> {
        let mut pivots = solved.system.pivots(self.graph, self.equations.n);
        pivots.retain(|p| self.graph.stage(p.pivot) == Stage::Parameters);
        let parameters = |pivot: NodeId| {
            let all = dependencies(self.graph, pivot).into_iter();
            all.filter_map(|s| if let Symbol::Parameter(i) = s { Some(i as usize) } else { None }).collect()
        };
        pivots.into_iter().map(|p| (p.row, p.pivot, parameters(p.pivot))).collect()
    }

    fn pivot_group(&self, solved: &Solved<'_>) -> Option<Group> {
        let nodes: Vec<NodeId> = self.parameter_pivots(solved).into_iter().map(|p| p.1).collect();
        let docs = "Pivots that depend on parameters alone: none may vanish.";
        let entry = self.entry("pivots", docs, Stage::Parameters, vec![self.output_array("pivots", &nodes)]);
        (!nodes.is_empty()).then(|| Group { entries: vec![entry] })
    }

    /// `accelerations`: all stages in one function.
    fn fused_group(&self, solved: &Solved<'_>) -> Group {
        let outputs = self.acceleration_outputs(solved);
        let method = solved.system.name();
        let docs = format!("Accelerations and multipliers: M a + Gᵀ λ = Q, G a = γ, by {method}.");
        let entry = Entry {
            checks: self.checks(&solved.system),
            ..self.entry("accelerations", &docs, Stage::Acceleration, outputs)
        };
        Group { entries: vec![entry] }
    }

    fn acceleration_outputs(&self, solved: &Solved<'_>) -> Vec<OutputArray> {
        vec![
            self.output_array("a", &self.to_interface(&solved.accelerations.0)),
            self.output_array("lambda", &self.to_interface(&solved.accelerations.1)),
        ]
    }

    /// The stage at which G is known, and with it the factorisation.
    fn factorisation_stage(&self) -> Stage {
        if self.model.jacobian_reads_speeds() { Stage::Velocity } else { Stage::Position }
    }

    /// `position`, `velocity`, `accelerate` and `solve`, optimised together: each stage stores what later functions read.
    fn staged_group(&self, solved: &Solved<'_>) -> Group {
        let (x, mu) = &solved.response;
        let response =
            vec![self.output_array("x", &self.to_interface(x)), self.output_array("mu", &self.to_interface(mu))];
        let (position, velocity) = match self.factorisation_stage() {
            Stage::Position => (
                "Quantities that depend on time and coordinates alone, with the factorisation of [M Gᵀ; G 0].",
                "Quantities that depend on speeds as well.",
            ),
            _ => (
                "Quantities that depend on time and coordinates alone.",
                "Quantities that depend on speeds as well, with the factorisation of [M Gᵀ; G 0].",
            ),
        };
        let accelerate = "Accelerations and multipliers from the earlier stages.";
        let solve = "Solves M x + Gᵀ μ = f, G x = g with the factorisation of an earlier stage.";
        let stage_entry = |name: &str, docs: &str, stage: Stage| Entry {
            checks: if stage == self.factorisation_stage() { self.checks(&solved.system) } else { Vec::new() },
            stores_stage: true,
            ..self.entry(name, docs, stage, Vec::new())
        };
        let mut entries = vec![
            stage_entry("position", position, Stage::Position),
            stage_entry("velocity", velocity, Stage::Velocity),
            self.entry("accelerate", accelerate, Stage::Acceleration, self.acceleration_outputs(solved)),
            self.entry("solve", solve, Stage::Acceleration, response),
        ];
        entries.extend(ProductKernels(self).projection(solved));
        Group { entries }
    }

    fn report_kernels(&self) -> Vec<Group> {
        let (graph, e) = (self.graph, self.equations);
        let kernels = self.model.settings.kernels;
        let mut groups = Vec::new();
        let mut single = |name: &str, docs: &str, stage: Stage, arrays: Vec<(&str, Vec<NodeId>)>| {
            let outputs = arrays.into_iter().map(|(array, nodes)| self.output_array(array, &self.to_interface(&nodes)));
            groups.push(Group { entries: vec![self.entry(name, docs, stage, outputs.collect())] });
        };
        if !e.states.rates.is_empty() {
            let docs = "ż of the auxiliary states.";
            single("auxiliary_rates", docs, Stage::Acceleration, vec![("rates", e.states.rates.clone())]);
        }
        if !e.states.memories.is_empty() {
            let docs = "New values of the memories: the values of angles and quaternions nearest to the old ones.";
            single(MEMORIES, docs, Stage::Position, vec![("memories", e.states.memories.clone())]);
        }
        if !e.states.declared_memories.is_empty() {
            let docs = "Memories with the revolutions that initial values and guesses declare.";
            single(DECLARED_MEMORIES, docs, Stage::Position, vec![("memories", e.states.declared_memories.clone())]);
        }
        if let Some(rates) = &e.interface.coordinate_rates {
            let docs = "q̇ = N(q) v.";
            single("coordinate_rates", docs, Stage::Velocity, vec![("rates", rates.clone())]);
        }
        if kernels.energies {
            let docs = "Kinetic and potential energy \\[J\\].";
            single("energy", docs, Stage::Acceleration, vec![("energy", vec![e.energy.kinetic, e.energy.potential])]);
            let zero = graph.constant(0.0);
            let potentials = e.energy.force_potentials.iter().map(|p| p.unwrap_or(zero)).collect();
            let docs = "Potential energy \\[J\\] and power \\[W\\] of each force.";
            let arrays = vec![("potentials", potentials), ("powers", e.energy.force_powers.clone())];
            single("force_energies", docs, Stage::Acceleration, arrays);
            let docs = self.planar_or_spatial(
                "Linear momentum x, y \\[kg m/s\\] and angular momentum about the world origin \\[kg m²/s\\].",
                "Linear momentum \\[kg m/s\\] and angular momentum about the world origin \\[kg m²/s\\], x, y, z each.",
            );
            single("momentum", docs, Stage::Velocity, vec![("momentum", e.bodies.momentum.clone())]);
        }
        if kernels.outputs && !e.outputs.values.is_empty() {
            let docs = "Outputs.";
            single("outputs", docs, Stage::Acceleration, vec![("outputs", e.outputs.values.clone())]);
            let rates: Vec<NodeId> = e.outputs.rates.iter().flatten().copied().collect();
            if !rates.is_empty() {
                let docs = "Rates of the outputs that have one.";
                single("output_rates", docs, Stage::Acceleration, vec![("rates", rates)]);
            }
        }
        if kernels.kinematics {
            let poses = e.bodies.poses.concat();
            single(
                "poses",
                self.planar_or_spatial(
                    "x, y \\[m\\] and θ \\[rad\\] of each body frame.",
                    "x, y, z \\[m\\] of each body frame and the rows of its rotation matrix.",
                ),
                Stage::Position,
                vec![("poses", poses)],
            );
            let markers = e.bodies.markers.iter().flat_map(|(_, p)| p.clone()).collect();
            let docs = self.planar_or_spatial(
                "World positions x, y \\[m\\] of drawn markers.",
                "World positions x, y, z \\[m\\] of drawn markers.",
            );
            single("marker_positions", docs, Stage::Position, vec![("positions", markers)]);
        }
        groups.push(Group { entries: vec![self.jacobian_entry()] });
        groups.extend(self.event_kernels());
        groups
    }

    /// Reactions from accelerations and multipliers, and inverse dynamics, which returns all of them at once.
    fn reaction_kernels(&self, solved: &Solved<'_>) -> Vec<Group> {
        let kernels = self.model.settings.kernels;
        let reactions = self.to_interface(&self.equations.reactions.concat());
        let mut groups = Vec::new();
        if kernels.reactions && !reactions.is_empty() {
            let docs =
                self.planar_or_spatial("Reactions of joints: point x, y \\[m\\], force x, y \\[N\\] and moment \\[N m\\] on the second end.", "Reactions of joints: point \\[m\\], force \\[N\\] and moment \\[N m\\] on the second end, x, y, z each.");
            let outputs = vec![self.output_array("reactions", &reactions)];
            groups.push(Group { entries: vec![self.entry("reactions", docs, Stage::Acceleration, outputs)] });
        }
        if kernels.inverse {
            let mut outputs = self.acceleration_outputs(solved);
            let graph = self.graph;
            let (a, lambda) = (&outputs[0].nodes, &outputs[1].nodes);
            let known = (0..).map(|i| graph.symbol(Symbol::Acceleration(i))).zip(a.iter().copied());
            let multipliers = (0..).map(|i| graph.symbol(Symbol::Multiplier(i))).zip(lambda.iter().copied());
            let replace = known.chain(multipliers).collect();
            outputs.push(self.output_array("reactions", &graph.substitute(&reactions, &replace)));
            let docs = "Inverse dynamics: accelerations, multipliers (a drive's load is −λ) and reactions of joints.";
            let entry = self.entry("inverse", docs, Stage::Acceleration, outputs);
            groups.push(Group { entries: vec![Entry { checks: self.checks(&solved.system), ..entry }] });
        }
        groups
    }

    /// Rows of Jacobians in the solver's speeds, converted to the interface's: J = Ĵ W, row-major.
    fn rows_to_interface<'r>(&self, rows: impl Iterator<Item = &'r Vec<NodeId>>) -> Vec<NodeId> {
        let (graph, e, n) = (self.graph, self.equations, self.equations.n);
        let zero = graph.constant(0.0);
        let mut nodes = Vec::new();
        for row in rows {
            let mut entries = vec![zero; n];
            for (j, derivatives) in
                self.to_interface(row).into_iter().zip(&e.solver.derivatives).filter(|(j, _)| *j != zero)
            {
                for (i, derivative) in derivatives {
                    entries[*i] = graph.add(entries[*i], graph.mul(j, *derivative));
                }
            }
            nodes.extend(entries);
        }
        nodes
    }

    /// The kernel of the twist Jacobians with respect to the interface speeds.
    fn jacobian_entry(&self) -> Entry {
        let nodes = self.rows_to_interface(self.equations.bodies.jacobians.iter().flatten());
        let docs = self.planar_or_spatial(
            "Twist Jacobians of all bodies: rows v_x, v_y of the origin and ω, n_v columns.",
            "Twist Jacobians of all bodies: rows v_x, v_y, v_z of the origin and ω_x, ω_y, ω_z, n_v columns.",
        );
        self.entry("body_jacobians", docs, Stage::Position, vec![self.output_array("jacobians", &nodes)])
    }

    /// Selects the documentation of a kernel, in the plane or in space.
    fn planar_or_spatial(&self, plane: &'static str, space: &'static str) -> &'static str {
        if self.model.space == Space::Planar { plane } else { space }
    }

    fn output_array(&self, name: &str, nodes: &[NodeId]) -> OutputArray {
        OutputArray { name: name.to_owned(), nodes: nodes.to_vec() }
    }

    fn entry(&self, name: &str, docs: &str, stage: Stage, outputs: Vec<OutputArray>) -> Entry {
        Entry {
            name: name.to_owned(),
            docs: docs.to_owned(),
            stage,
            stores_stage: false,
            outputs,
            checks: Vec::new(),
            solve: None,
        }
    }
}
