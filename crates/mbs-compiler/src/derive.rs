//! Derives the equations of one mechanism symbolically: Φ, G, ν, γ, M, Q, outputs, energies, momenta, poses and reactions.
//!
//! In the plane (`plane`), rows are differentiated in the solver's coordinates. In space (`space`), which has more coordinates than speeds,
//! rows are projected on the model's Jacobians, and rates follow from those of positions and directions.
//!
//! After this point: quantities are nodes in *solver* symbols or, where a field's documentation names them, in *interface* symbols. Symbols
//! with a hat (q̂, v̂, M̂) belong to the solver, those without to the interface. Units are SI, angles in rad.

mod bodies;
mod events;
mod inertia;
mod memories;
mod operators;
mod plane;
mod power;
mod space;
mod switched;

pub use events::Event;
pub use switched::zero_while_off;

use std::collections::BTreeMap;

use mbs_definition::Space;
use mbs_expr::{BodyId, MarkerId};
use mbs_model::{Model, RowLevel};
use mbs_physics::{Mechanics, Tree, Variables};

use crate::graph::{Graph, NodeId, Sym, Symbol, dependencies};

/// A sparse matrix of nodes, ordered by (row, column).
pub type Matrix = BTreeMap<(usize, usize), NodeId>;

/// Nonzero entries of a row, by column.
pub type Derivatives = Vec<(usize, NodeId)>;

/// Derived equations of a mechanism with `n` speeds and `n_c` rows.
pub struct Equations {
    /// Number of speeds.
    pub n: usize,
    /// Mass matrix M̂, n × n, lower triangle.
    pub mass: Matrix,
    /// Jacobian Ĝ = ∂ψ/∂v̂ of all rows, n_c × n.
    pub jacobian: Matrix,
    /// Residuals Φ of the position rows.
    pub phi: Vec<NodeId>,
    /// Velocity residuals ψ = Ĝ v̂ − ν of the position and velocity rows.
    pub psi: Vec<NodeId>,
    /// Right sides γ̂ of all rows: Ĝ â = γ̂.
    pub gamma: Vec<NodeId>,
    /// 1 or 0 for rows that can be switched off.
    pub enabled: Vec<Option<NodeId>>,
    /// Generalised forces Q̂: loads, weight and velocity terms, n.
    pub forces: Vec<NodeId>,
    /// Wrenches from which Q̂ is projected: for spatial mechanisms without rows whose speeds are all speeds of links.
    pub link_wrenches: Option<LinkWrenches>,
    /// M̂ â − Q̂ at any accelerations, if the model provides it directly: for spatial mechanisms.
    pub inverse: Option<Vec<NodeId>>,
    /// Derivatives of M̂ â minus velocity terms and weight, for spatial mechanisms whose kernels need them.
    pub inertial: Option<Inertial>,
    /// Q̂ without any load.
    pub velocity_forces: Vec<NodeId>,
    /// Reaction of each joint on its second end, in world axes: point x, y, force x, y, moment; in space three components of each.
    pub reactions: Vec<Vec<NodeId>>,
    /// Rows of H in v = H v̂ + h, one for each interface speed, in solver symbols.
    pub interface_derivatives: Vec<Derivatives>,
    /// Interface accelerations a in solver symbols, â included.
    pub interface_accelerations: Vec<NodeId>,
    /// Solver coordinates q̂ = w(q), in interface symbols.
    pub solver: Vec<NodeId>,
    /// Solver speeds v̂, in interface symbols.
    pub solver_speeds: Vec<NodeId>,
    /// Solver accelerations â, in interface symbols.
    pub solver_accelerations: Vec<NodeId>,
    /// Rows of W in v̂ = W v + w, one for each solver speed, in interface symbols.
    pub solver_derivatives: Vec<Derivatives>,
    /// Bias accelerations: â at a = 0, in interface symbols.
    pub solver_bias: Vec<NodeId>,
    /// Coordinate rates q̇ = N(q) v in interface symbols, where q̇ may differ from v; `None` where q̇ = v.
    pub coordinate_rates: Option<Vec<NodeId>>,
    /// Rates ż of the auxiliary states.
    pub auxiliary_rates: Vec<NodeId>,
    /// New values of the memories.
    pub memories: Vec<NodeId>,
    /// The memories at the start of a run: [`Model::declared_memories`].
    pub declared_memories: Vec<NodeId>,
    /// Output values, flat.
    pub outputs: Vec<NodeId>,
    /// Rates of outputs, `None` where they would need the rate of an input or multiplier.
    pub output_rates: Vec<Option<NodeId>>,
    /// Kinetic energy \[J\].
    pub kinetic: NodeId,
    /// Potential energy \[J\].
    pub potential: NodeId,
    /// Potential energy \[J\] of each force; `None` for forces without a potential.
    pub force_potentials: Vec<Option<NodeId>>,
    /// Power \[W\] of each force, including those without potential.
    pub force_powers: Vec<NodeId>,
    /// Linear momentum x, y and angular momentum about the world origin; in space three of each.
    pub momentum: Vec<NodeId>,
    /// Pose of each body frame in the world: x, y, θ; in space x, y, z and the rows of R_WB.
    pub poses: Vec<Vec<NodeId>>,
    /// World positions of drawn markers.
    pub markers: Vec<(MarkerId, Vec<NodeId>)>,
    /// Twist Jacobians of bodies in solver speeds, of the frame's origin in world axes: rows v_x, v_y, ω; in space three rows of each.
    pub body_jacobians: Vec<Vec<Vec<NodeId>>>,
    /// Generalised forces of loads and weight alone, if momenta are requested.
    pub loads: Option<Vec<NodeId>>,
    /// Quantities that only operators need, if these are requested.
    pub operators: Option<OperatorTerms>,
    /// Applied loads of floating bodies, if their derivatives are requested.
    pub wrenches: Vec<BodyWrench>,
    /// Exact `initial` conditions.
    pub conditions: Vec<Condition>,
    /// Guessed `initial` conditions.
    pub guesses: Vec<Condition>,
    /// Events, in declaration order.
    pub events: Vec<Event>,
    /// Conditions that event handlers impose, in order of the events, then those of guesses that parameters change.
    pub event_conditions: Vec<Condition>,
}

/// Q̂ before projection: the wrenches that act on links, and the loads that act on speeds directly.
pub struct LinkWrenches {
    /// Moment and force about each link's origin in its axes, or the force in world axes for links that move by their centre of mass.
    pub wrenches: Vec<[[NodeId; 3]; 2]>,
    /// Load that acts on each speed directly.
    pub direct: Vec<NodeId>,
}

/// Generalised inertial forces with their derivatives, and the loads, for the solver's speeds and in its symbols.
pub struct Inertial {
    /// Generalised forces of loads alone, without weight.
    pub loads: Vec<NodeId>,
    /// Inertial forces at rest: minus the generalised weight.
    pub at_rest: Vec<NodeId>,
    /// Derivatives with respect to displacements in the directions of the speeds, at fixed speeds and accelerations: n × n.
    pub q_derivatives: Matrix,
    /// Derivatives with respect to speeds: n × n.
    pub v_derivatives: Matrix,
}

/// Quantities for operators: Jacobians of points in solver speeds, row by row, the generalised forces of weight, and M̂ â.
pub struct OperatorTerms {
    /// Jacobian of each drawn marker: a row for each world component of its velocity.
    pub marker_jacobians: Vec<Vec<Vec<NodeId>>>,
    /// World position of the centre of mass; empty without mass.
    pub center: Vec<NodeId>,
    /// Jacobian of the centre of mass: a row for each world component of its velocity.
    pub center_jacobian: Vec<Vec<NodeId>>,
    /// Generalised forces of weight.
    pub weights: Vec<NodeId>,
    /// M̂ â by recursion, without forming M̂.
    pub mass_product: Vec<NodeId>,
}

/// Applied loads on a floating body, without weight: force in world axes, moment about its centre of mass in body axes.
pub struct BodyWrench {
    /// The body.
    pub body: BodyId,
    /// Index of its first coordinate: three of displacement, then its attitude.
    pub first_q: usize,
    /// Number of coordinates of its attitude.
    pub attitude: usize,
    /// Index of its first speed: three of translation, then three of rotation.
    pub first_v: usize,
    /// Force \[N\] and moment \[N m\], three components of each.
    pub wrench: Vec<NodeId>,
}

/// A condition on the state: of `initial`, of an event handler, or a guess.
pub struct Condition {
    /// Observable − value.
    pub residual: NodeId,
    /// Whether it constrains coordinates or speeds.
    pub level: RowLevel,
    /// Derivatives of the residual with respect to the solver's coordinates or speeds.
    pub derivatives: Derivatives,
}

/// Names parameters, and values that depend on parameters alone and are arguments of a joint or force.
fn suggest_names<'g>(graph: &'g Graph, mechanics: &Mechanics<'_, Sym<'g>>) {
    for parameter in &mechanics.model.parameters {
        for i in 0..parameter.size() {
            let name =
                if parameter.shape.is_empty() { parameter.name.clone() } else { format!("{}.{i}", parameter.name) };
            graph.suggest(graph.symbol(Symbol::Parameter((parameter.offset + i) as u32)), name);
        }
    }
    for (named, name) in mechanics.model.exprs.names() {
        graph.suggest(mechanics.value(named).id(graph), name);
    }
}

/// Derives the equations of a model in the formulation of `tree`, as nodes of `graph`.
pub fn derive(graph: &Graph, model: &Model, tree: &Tree) -> Equations {
    match model.space {
        Space::Planar => plane::derive(graph, model, tree),
        Space::Spatial => space::derive(graph, model, tree),
    }
}

/// The model's mechanics in solver symbols.
pub fn solver_mechanics<'g, 'm>(graph: &'g Graph, model: &'m Model, tree: &'m Tree) -> Mechanics<'m, Sym<'g>> {
    Mechanics::at_solver_coordinates(model, tree, variables(graph, model, tree), solver_symbols(graph, tree.n()))
}

/// The symbols `symbol(0)`, …, `symbol(count − 1)`.
pub fn symbols<'g>(graph: &'g Graph, count: usize, symbol: impl Fn(u32) -> Symbol) -> Vec<Sym<'g>> {
    (0..count as u32).map(|i| Sym::Node(graph, graph.symbol(symbol(i)))).collect()
}

fn solver_symbols(graph: &Graph, n: usize) -> Vec<Sym<'_>> {
    symbols(graph, n, Symbol::SolverCoordinate)
}

/// Symbols for the quantities other than coordinates that expressions may contain.
pub fn variables<'g>(graph: &'g Graph, model: &Model, tree: &Tree) -> Variables<Sym<'g>> {
    Variables {
        t: Sym::Node(graph, graph.symbol(Symbol::Time)),
        parameters: symbols(graph, Model::flat_size(&model.parameters), Symbol::Parameter),
        inputs: symbols(graph, Model::flat_size(&model.inputs), Symbol::Input),
        auxiliary: symbols(graph, model.n_stored(), Symbol::Auxiliary),
        multipliers: symbols(graph, tree.rows.len(), Symbol::Multiplier),
        prescribed: symbols(graph, tree.prescribed.len(), Symbol::PrescribedLoad),
        reactions: {
            let components = if model.space == Space::Planar { 3 } else { 6 };
            let all = symbols(graph, components * model.reaction_count(), Symbol::Reaction);
            all.chunks_exact(components).map(<[_]>::to_vec).collect()
        },
    }
}

/// Φ, ψ, Ĝ and γ̂ of the rows that remain.
struct Rows {
    jacobian: Matrix,
    phi: Vec<NodeId>,
    psi: Vec<NodeId>,
    gamma: Vec<NodeId>,
}

/// The rate of an output; `None` if it would need the rate of an input, multiplier, reaction or acceleration.
fn rate_if_known(graph: &Graph, output: NodeId) -> Option<NodeId> {
    let unknown = dependencies(graph, output).into_iter().any(|s| {
        matches!(
            s,
            Symbol::Input(_)
                | Symbol::Multiplier(_)
                | Symbol::Reaction(_)
                | Symbol::PrescribedLoad(_)
                | Symbol::SolverAcceleration(_)
                | Symbol::Acceleration(_)
        )
    });
    (!unknown).then(|| graph.rate(&[output])[0])
}
