//! The parts of the equations.

use mbs_expr::{BodyId, MarkerId};
use mbs_model::RowLevel;

use super::{Derivatives, Matrix};
use crate::graph::NodeId;

/// Rows of the constraints: Φ, ψ, Ĝ and γ̂ of the rows that remain.
#[derive(Default)]
pub struct Rows {
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
}

/// Generalised forces, and the wrenches of which they are made.
pub struct Forces {
    /// Generalised forces Q̂: loads, weight and velocity terms, n.
    pub total: Vec<NodeId>,
    /// Q̂ without any load.
    pub velocity: Vec<NodeId>,
    /// Generalised forces of loads and weight alone, if momenta are requested.
    pub loads: Option<Vec<NodeId>>,
    /// Wrenches from which Q̂ is projected: for spatial mechanisms without rows whose speeds are all speeds of links.
    pub link_wrenches: Option<LinkWrenches>,
    /// Applied loads of floating bodies, if their derivatives are requested.
    pub body_wrenches: Vec<BodyWrench>,
}

/// The map from the interface to the solver, in interface symbols.
pub struct SolverMap {
    /// Solver coordinates q̂ = w(q), in interface symbols.
    pub coordinates: Vec<NodeId>,
    /// Solver speeds v̂, in interface symbols.
    pub speeds: Vec<NodeId>,
    /// Solver accelerations â, in interface symbols.
    pub accelerations: Vec<NodeId>,
    /// Rows of W in v̂ = W v + w, one for each solver speed, in interface symbols.
    pub derivatives: Vec<Derivatives>,
    /// Bias accelerations: â at a = 0, in interface symbols.
    pub bias: Vec<NodeId>,
}

/// The map from the solver to the interface.
pub struct InterfaceMap {
    /// Rows of H in v = H v̂ + h, one for each interface speed, in solver symbols.
    pub derivatives: Vec<Derivatives>,
    /// Interface accelerations a in solver symbols, â included.
    pub accelerations: Vec<NodeId>,
    /// Coordinate rates q̇ = N(q) v in interface symbols, where q̇ may differ from v; `None` where q̇ = v.
    pub coordinate_rates: Option<Vec<NodeId>>,
}

/// Auxiliary states and memories.
pub struct States {
    /// Rates ż of the auxiliary states.
    pub rates: Vec<NodeId>,
    /// New values of the memories.
    pub memories: Vec<NodeId>,
    /// The memories at the start of a run: `Start::declared_memories`.
    pub declared_memories: Vec<NodeId>,
}

/// Outputs and their rates.
pub struct Outputs {
    /// Output values, flat.
    pub values: Vec<NodeId>,
    /// Rates of outputs, `None` where they would need the rate of an input or multiplier.
    pub rates: Vec<Option<NodeId>>,
}

/// Energies, and the powers of forces.
pub struct Energies {
    /// Kinetic energy \[J\].
    pub kinetic: NodeId,
    /// Potential energy \[J\].
    pub potential: NodeId,
    /// Potential energy \[J\] of each force; `None` for forces without a potential.
    pub force_potentials: Vec<Option<NodeId>>,
    /// Power \[W\] of each force, including those without potential.
    pub force_powers: Vec<NodeId>,
}

/// Poses, momentum and Jacobians of bodies, and positions of markers.
pub struct Bodies {
    /// Linear momentum x, y and angular momentum about the world origin; in space three of each.
    pub momentum: Vec<NodeId>,
    /// Pose of each body frame in the world: x, y, θ; in space x, y, z and the rows of R_WB.
    pub poses: Vec<Vec<NodeId>>,
    /// World positions of drawn markers.
    pub markers: Vec<(MarkerId, Vec<NodeId>)>,
    /// Twist Jacobians of bodies in solver speeds, of the frame's origin in world axes: rows v_x, v_y, ω; in space three rows of each.
    pub jacobians: Vec<Vec<Vec<NodeId>>>,
}

/// Conditions for the state.
pub struct Conditions {
    /// Exact `initial` conditions.
    pub exact: Vec<Condition>,
    /// Guessed `initial` conditions.
    pub guesses: Vec<Condition>,
    /// Conditions that event handlers impose, in order of the events, then those of guesses that parameters change.
    pub imposed: Vec<Condition>,
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
