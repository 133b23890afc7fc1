//! Tables that the phases fill: one struct for each group of related items.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use mbs_definition::{
    Condition, EventDeclaration, Expr, Ident, Item, JointKindDeclaration, JointLimits, Loop, Origin, Part, Report,
    Setting, Solid,
};
use mbs_expr::{BodyId, CalledFunction, ExprId, FunctionId, JointId, MarkerId};
use mbs_model::{Auxiliary, Body, Cam, DerivedParameter, Equation, Joint, JointPose, Marker, Quantity, Rotation};

use crate::value::{Axes, Value};
use crate::values::lifts::Law;
use crate::{Phase, ResolvedForce, Scope, Slot, State};

/// Progress of the resolver, and the counters that are limited.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    pub phase: Phase,
    /// Expression nodes visited.
    pub steps: usize,
    /// Nesting of the expression being evaluated.
    pub depth: usize,
}

/// Declared names.
#[derive(Debug, Default)]
pub(crate) struct Names<'a> {
    pub slots: Vec<Slot<'a>>,
    /// Slots by full name.
    pub full: BTreeMap<String, usize>,
    /// Slots of `link[0]`, `link[1]`, … under `link`.
    pub families: BTreeMap<String, Vec<usize>>,
    /// Names by their form in Rust, which is equal for `link[0]` and `link_0`.
    pub rust: BTreeMap<String, usize>,
    /// Prefixes of imports and of instances of parts.
    pub groups: BTreeMap<String, Group>,
    pub parts: BTreeMap<String, DeclaredPart<'a>>,
    /// Declared kinds of joints.
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
pub(crate) struct Statements<'a> {
    pub settings: Vec<&'a Setting>,
    pub initial: Vec<(&'a Condition, Scope)>,
    pub events: Vec<(GivenEvent<'a>, Scope)>,
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
pub(crate) struct Functions {
    pub called: Vec<CalledFunction>,
    /// By slot.
    pub formulas: BTreeMap<usize, Rc<Formula>>,
}

/// Parameters, inputs and states.
#[derive(Debug, Default)]
pub(crate) struct Quantities {
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
pub(crate) struct Bodies {
    pub all: Vec<Body>,
    /// Slot of each body.
    pub slots: Vec<usize>,
    /// Whether the centre of mass of a body is known.
    pub coms: Vec<State>,
    pub markers: Vec<Marker>,
    pub marker_ids: BTreeMap<(Option<BodyId>, MarkerLocation), MarkerId>,
}

/// Joints, and curves that touch.
#[derive(Debug, Default)]
pub(crate) struct Joints {
    pub all: Vec<Option<Joint>>,
    /// Slot of each joint.
    pub slots: Vec<usize>,
    pub poses: Vec<JointPose>,
    /// Joints without rows, whose angles are measured for torsion springs.
    pub measures: Vec<Joint>,
    /// Curves of cams at their contact parameters.
    pub cams: BTreeMap<JointId, [CurvePoint; 2]>,
    /// Cam contacts for the model.
    pub contacts: Vec<Cam>,
}

/// Forces and energies.
#[derive(Debug, Default)]
pub(crate) struct Loads {
    pub forces: Vec<Option<ResolvedForce>>,
    /// Slot of each force.
    pub slots: Vec<usize>,
    pub energies: [State; 2],
}

/// Constraints, couplings and prescribed motions.
#[derive(Debug, Default)]
pub(crate) struct Equations {
    pub all: Vec<Option<Equation>>,
    /// Slot of each equation.
    pub slots: Vec<usize>,
    /// Axes of each equation's residual, if it is a vector.
    pub axes: Vec<Option<Axes>>,
    /// First row of each equation in `Model::rows`, once all rows are known.
    pub rows: Option<Vec<u32>>,
    /// Equations and bodies whose reactions are required.
    pub reactions: Vec<(usize, BodyId)>,
}

/// A curve at a parameter, in the axes of its marker; primes are derivatives with respect to the parameter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CurvePoint {
    /// Marker on which the curve is fixed.
    pub marker: MarkerId,
    /// c, c′ and c″.
    pub derivatives: [[ExprId; 2]; 3],
    /// Unit tangent t.
    pub tangent: [ExprId; 2],
}

/// Location and orientation of a marker in its body, in body axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct MarkerLocation {
    /// Its origin.
    pub point: [ExprId; 3],
    /// Its angle, in the plane.
    pub angle: ExprId,
    /// Its axes, in space, unless they are parallel to the body's.
    pub rotation: Option<Rotation>,
}

impl From<&Marker> for MarkerLocation {
    fn from(marker: &Marker) -> Self {
        MarkerLocation { point: marker.point, angle: marker.angle, rotation: marker.rotation }
    }
}

/// Form of a declared function that is not inlined, for its calls.
#[derive(Debug)]
pub(crate) enum Formula {
    Constant(Value),
    /// Σ aᵢ xᵢ + c.
    Linear(Vec<ExprId>, ExprId),
    /// Σ cₖ xᵏ.
    Polynomial(Vec<ExprId>),
    /// a sin(w x + p).
    Sinusoid([ExprId; 3]),
    /// A lift law from (x₀, y₀) to (x₁, y₁).
    Lift(Law, [ExprId; 2], [ExprId; 2]),
    /// A function of the model.
    Called(FunctionId),
}

/// Position and kind of the declaration of a group.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    pub origin: Origin,
    pub kind: GroupKind,
}

/// Kind of declaration that made a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GroupKind {
    Import,
    Instance,
}

/// A kind with the scope of its text.
#[derive(Debug)]
pub(crate) struct DeclaredKind<'a> {
    pub kind: &'a JointKindDeclaration,
    pub scope: Scope,
}

/// Argument given for a parameter of a part: evaluated at first use, in the scope in which it was written.
#[derive(Debug)]
pub(crate) struct Passed<'a> {
    /// The parameter's name.
    pub parameter: &'a str,
    pub expr: &'a Expr,
    pub scope: Scope,
    pub state: State,
    /// Whether it is the word of a choice, which has no value.
    pub is_word: bool,
}

/// A part with the scope of its text.
#[derive(Debug)]
pub(crate) struct DeclaredPart<'a> {
    pub part: &'a Part,
    pub scope: Scope,
}

/// An event, report or stop that an item declares.
#[derive(Clone, Copy, Debug)]
pub(crate) enum GivenEvent<'a> {
    Event(&'a EventDeclaration),
    Report(&'a Report),
    Stop(&'a Ident, &'a Expr),
}

impl<'a> GivenEvent<'a> {
    /// The event, report or stop that an item declares; `None` for other items.
    pub(crate) fn from_item(item: &'a Item) -> Option<Self> {
        match item {
            Item::Event(event) => Some(GivenEvent::Event(event)),
            Item::Report(report) => Some(GivenEvent::Report(report)),
            Item::Stop(word, condition) => Some(GivenEvent::Stop(word, condition)),
            _ => None,
        }
    }

    /// Position in the source.
    pub(crate) fn origin(&self) -> Origin {
        match self {
            GivenEvent::Event(event) => event.name.ident.origin,
            GivenEvent::Report(Report::Every(word, _)) => word.origin,
            GivenEvent::Stop(word, _) => word.origin,
            GivenEvent::Report(Report::On(events)) => events.first().map_or(Origin::NONE, |event| event.origin),
        }
    }
}
