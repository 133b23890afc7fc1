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
mod terms;

pub use events::Event;
pub use switched::zero_while_off;
pub use terms::{
    Bodies, BodyWrench, Condition, Conditions, Energies, Forces, Inertial, InterfaceMap, LinkWrenches, OperatorTerms,
    Outputs, Rows, SolverMap, States,
};

use std::collections::BTreeMap;

use mbs_definition::Space;
use mbs_model::Model;
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
    /// Φ, ψ, Ĝ and γ̂ of the rows.
    pub rows: Rows,
    /// Generalised forces Q̂ and their parts.
    pub forces: Forces,
    /// M̂ â − Q̂ at any accelerations, if the model provides it directly: for spatial mechanisms.
    pub inverse: Option<Vec<NodeId>>,
    /// Derivatives of M̂ â minus velocity terms and weight, for spatial mechanisms whose kernels need them.
    pub inertial: Option<Inertial>,
    /// Reaction of each joint on its second end, in world axes: point x, y, force x, y, moment; in space three components of each.
    pub reactions: Vec<Vec<NodeId>>,
    /// v, a and q̇.
    pub interface: InterfaceMap,
    /// q̂, v̂, â in interface symbols.
    pub solver: SolverMap,
    /// Rates of states, memories.
    pub states: States,
    /// Outputs and their rates.
    pub outputs: Outputs,
    /// Energies and powers.
    pub energy: Energies,
    /// Poses, momentum and Jacobians of bodies, positions of markers.
    pub bodies: Bodies,
    /// Quantities that only operators need, if these are requested.
    pub operators: Option<OperatorTerms>,
    /// Conditions of starts and events.
    pub conditions: Conditions,
    /// Events, in declaration order.
    pub events: Vec<Event>,
}

/// Names parameters, and values that depend on parameters alone and are arguments of a joint or force.
fn suggest_names<'g>(graph: &'g Graph, mechanics: &Mechanics<'_, Sym<'g>>) {
    for parameter in &mechanics.model.quantities.parameters {
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
        parameters: symbols(graph, Model::flat_size(&model.quantities.parameters), Symbol::Parameter),
        inputs: symbols(graph, Model::flat_size(&model.quantities.inputs), Symbol::Input),
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
