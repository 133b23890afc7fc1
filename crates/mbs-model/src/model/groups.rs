//! Groups of the fields of a model.

use mbs_definition::{JointLimits, Origin, Solid};
use mbs_expr::{BodyId, ExprId, JointId};

use super::{
    Alternative, Auxiliary, Cam, DerivedParameter, Force, Formulation, InitialCondition, Joint, JointPose, Kernels,
    Memory, Natural, Outline, Quantity,
};

/// The declaration of the mechanism, without its contents.
#[derive(Clone, Debug)]
pub struct Header {
    /// Type name.
    pub name: String,
    /// Position of the name in the source.
    pub origin: Origin,
    /// Doc comment.
    pub docs: String,
    /// Visibility as written.
    pub visibility: String,
}

/// Named numbers that expressions can read.
#[derive(Clone, Debug)]
pub struct Quantities {
    /// Parameters p, with flat offsets in declaration order.
    pub parameters: Vec<Quantity>,
    /// Parameters whose defaults are expressions in other parameters, in declaration order: [`Model::update_derived`](super::Model::update_derived).
    pub derived: Vec<DerivedParameter>,
    /// Inputs u.
    pub inputs: Vec<Quantity>,
    /// Auxiliary states z.
    pub auxiliary: Vec<Auxiliary>,
    /// Algebraic `coordinate`s: massless unknowns that constraints determine.
    pub algebraic: Vec<Quantity>,
    /// Memories of angles and quaternions that are reported; made by `mbs_check::keep_branches`.
    pub memories: Vec<Memory>,
    /// (equation, body) pairs whose reactions appear in expressions: [`Op::Reaction`](mbs_expr::Op::Reaction).
    pub equation_reactions: Vec<(usize, BodyId)>,
}

/// Curves and the contacts between them.
#[derive(Clone, Debug)]
pub struct Curves {
    /// Curves, in declaration order.
    pub outlines: Vec<Outline>,
    /// Joints between two curves in contact.
    pub cams: Vec<Cam>,
}

/// How coordinates describe the bodies.
#[derive(Clone, Debug)]
pub struct Coordinates {
    /// Default choice of coordinates of bodies.
    pub formulation: Formulation,
    /// Whether the compiler chooses `formulation`: `coordinates: auto`.
    pub is_automatic: bool,
    /// Natural coordinates of bodies; made by `mbs_physics::choose_basics`.
    pub natural: Natural,
    /// Poses of the joints whose kinds declare a pose.
    pub poses: Vec<JointPose>,
    /// Angles that springs in space measure and no joint has: joints without rows and steps, numbered after `joints`.
    pub measures: Vec<Joint>,
}

/// Conditions for the state at the start of a run.
#[derive(Clone, Debug)]
pub struct Start {
    /// `initial` conditions, exact conditions and guesses.
    pub conditions: Vec<InitialCondition>,
    /// Guesses of the start that depend on parameters; made by `mbs_check::list_guesses`.
    pub guesses: Vec<InitialCondition>,
    /// Residual of each of these guesses at the start with default parameters; made by `mbs_check::guessed_start`.
    pub guess_residuals: Vec<f64>,
    /// Declared positions that read memories, each with its declared value.
    pub remembered_conditions: Vec<[ExprId; 2]>,
    /// The memories at the start of a run: those at default parameters plus the whole revolutions that the parameters declare. Empty if no
    /// condition declares revolutions.
    pub declared_memories: Vec<ExprId>,
}

/// Data of imported files that equations do not need.
#[derive(Clone, Debug)]
pub struct Imported {
    /// Solids with which bodies are drawn, from imported files; `None` is ground.
    pub solids: Vec<Solid<Option<BodyId>>>,
    /// Limits and losses of joints, from imported files.
    pub limits: Vec<JointLimits<JointId>>,
}

/// Applied forces and gravity.
#[derive(Clone, Debug)]
pub struct Loads {
    /// Applied forces in declaration order, without gravity.
    pub forces: Vec<Force>,
    /// Gravitational acceleration \[m/s²\], world axes; z = 0 in the plane.
    pub gravity: Option<[ExprId; 3]>,
}

/// Energies of the mechanism.
#[derive(Clone, Debug)]
pub struct Energy {
    /// Kinetic energy of all bodies, ½ Σ m|v|² + ½ Σ ω·I ω \[J\].
    pub kinetic: ExprId,
    /// Potential energy of gravity, springs and potentials \[J\].
    pub potential: ExprId,
}

/// Settings of the mechanism: `freedoms`, `kernels`, `budget`, `redundant`, `exclusive`.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Position of `inverse` in the list of kernels; the position of the mechanism's name if it is not requested.
    pub inverse_origin: Origin,
    /// Position of `momenta` in the list of kernels; the position of the mechanism's name if it is not requested.
    pub momenta_origin: Origin,
    /// Declared degree of freedom, `freedoms: n;`, and its position in the source.
    pub freedoms: Option<(usize, Origin)>,
    /// Requested kernels, `kernels: […];`.
    pub kernels: Kernels,
    /// Declared budget, `budget: { operations: n };`, and its position in the source.
    pub budget: Option<(usize, Origin)>,
    /// Position of `redundant: resolve;`, if it is declared: rows that other rows imply are removed then.
    pub redundant: Option<Origin>,
    /// `exclusive: [lock_a, lock_b];`: lists of alternatives, of which at most one is enabled.
    pub exclusive: Vec<Vec<Alternative>>,
}
