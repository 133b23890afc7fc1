//! Tables that the phases fill: one struct for each group of things that belong together.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use mbs_definition::{Condition, Expr, Ident, JointLimits, Loop, Setting, Solid};
use mbs_expr::{BodyId, CalledFunction, JointId, MarkerId};
use mbs_model::{Auxiliary, Body, Cam, DerivedParameter, Equation, Joint, JointPose, Marker, Quantity};

use super::curves::Traced;
use super::formulas::Formula;
use super::frames::Place;
use super::groups::Group;
use super::joint_kinds::DeclaredKind;
use super::lookup::Passed;
use super::parts::DeclaredPart;
use super::value::Axes;
use super::{Phase, ResolvedForce, Scope, Slot, State, events};

/// How far the work has come, and what bounds it.
#[derive(Debug, Default)]
pub(super) struct Progress {
    pub phase: Phase,
    /// Expression nodes visited.
    pub steps: usize,
    /// Nesting of the expression being evaluated.
    pub depth: usize,
}

/// Declared names.
#[derive(Debug, Default)]
pub(super) struct Names<'a> {
    pub slots: Vec<Slot<'a>>,
    /// Slots by full name.
    pub full: BTreeMap<String, usize>,
    /// Slots of `link[0]`, `link[1]`, … under `link`.
    pub families: BTreeMap<String, Vec<usize>>,
    /// Names by their form in Rust, where `link[0]` and `link_0` are the same.
    pub rust: BTreeMap<String, usize>,
    /// Prefixes of imports and of instances of parts.
    pub groups: BTreeMap<String, Group>,
    pub parts: BTreeMap<String, DeclaredPart<'a>>,
    /// Kinds of joints that the text declares.
    pub joint_kinds: BTreeMap<String, DeclaredKind<'a>>,
    /// Arguments given for parameters of parts.
    pub passed: Vec<Passed<'a>>,
    /// Names whose declarations failed before they got a slot.
    pub bad: BTreeSet<String>,
    /// All names that are declared somewhere, before they have slots.
    pub announced: BTreeSet<String>,
}

/// Items that declare no name, kept with their scopes until their phase.
#[derive(Debug, Default)]
pub(super) struct Statements<'a> {
    pub settings: Vec<&'a Setting>,
    pub initial: Vec<(&'a Condition, Scope)>,
    pub events: Vec<(events::Given<'a>, Scope)>,
    pub reports: Vec<(&'a [Expr], Scope)>,
    pub solids: Vec<(&'a Solid<Ident>, Scope)>,
    pub limits: Vec<(&'a JointLimits<Ident>, Scope)>,
    /// Full names of events whose declarations are not known.
    pub bad_events: BTreeSet<String>,
    /// Loops over sets.
    pub set_loops: Vec<(&'a Loop, Scope)>,
}

/// Functions that are not inlined.
#[derive(Debug, Default)]
pub(super) struct Functions {
    pub called: Vec<CalledFunction>,
    /// By slot.
    pub formulas: BTreeMap<usize, Rc<Formula>>,
}

/// Parameters, inputs and states.
#[derive(Debug, Default)]
pub(super) struct Quantities {
    pub parameters: Vec<Quantity>,
    pub derived: Vec<DerivedParameter>,
    /// Flat defaults of the parameters.
    pub defaults: Vec<f64>,
    pub inputs: Vec<Quantity>,
    pub auxiliary: Vec<Auxiliary>,
    pub algebraic: Vec<Quantity>,
}

/// Bodies and their markers.
#[derive(Debug, Default)]
pub(super) struct Bodies {
    pub all: Vec<Body>,
    /// Slot of each body.
    pub slots: Vec<usize>,
    /// Whether the centre of mass of a body is known.
    pub coms: Vec<State>,
    pub markers: Vec<Marker>,
    pub marker_ids: BTreeMap<(Option<BodyId>, Place), MarkerId>,
}

/// Joints, and curves that touch.
#[derive(Debug, Default)]
pub(super) struct Joints {
    pub all: Vec<Option<Joint>>,
    /// Slot of each joint.
    pub slots: Vec<usize>,
    pub poses: Vec<JointPose>,
    /// Joints that are measured alone.
    pub measures: Vec<Joint>,
    /// Curves of cams at their contact parameters.
    pub cams: BTreeMap<JointId, [Traced; 2]>,
    /// Cam contacts for the model.
    pub contacts: Vec<Cam>,
}

/// Forces and energies.
#[derive(Debug, Default)]
pub(super) struct Loads {
    pub forces: Vec<Option<ResolvedForce>>,
    /// Slot of each force.
    pub slots: Vec<usize>,
    pub energies: [State; 2],
}

/// Constraints, couplings and prescribed motions.
#[derive(Debug, Default)]
pub(super) struct Equations {
    pub all: Vec<Option<Equation>>,
    /// Slot of each equation.
    pub slots: Vec<usize>,
    /// Axes of each equation's residual, if it is a vector.
    pub axes: Vec<Option<Axes>>,
    /// First row of each equation in `Model::rows`, once all rows are known.
    pub rows: Option<Vec<u32>>,
    /// Equations and bodies whose reactions are asked for.
    pub reactions: Vec<(usize, BodyId)>,
}
