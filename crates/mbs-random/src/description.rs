//! A mechanism as random raw choices. Every combination of choices can be realized as a mechanism. Shrinking leaves elements out, and replaces
//! kinds and numbers by simpler ones.
//!
//! Raw indices count modulo the number of choices; for bodies as ends of joints, 0 is ground.

use mbs_model::catalog::Kind;

use crate::expr::{Coordinate, Expr};
use crate::number::Number;
use crate::plan::{Choice, KernelSet, Space};
use crate::world::{Attachment, Signal};

/// All raw choices.
#[derive(Clone, Debug)]
pub struct Description {
    /// Plane or space.
    pub space: Space,
    /// Whether redundant elements, and bodies without the mass that they need, are kept; the declaration may then be refused, by compiler and
    /// engine alike.
    pub careless: bool,
    /// Kernels that are requested.
    pub kernels: KernelSet,
    /// Gravity, and whether it stays tunable.
    pub gravity: Option<([f64; 3], bool)>,
    /// `coordinates: …;`
    pub coordinates: Option<Choice>,
    /// A chain in a `for` loop.
    pub chain: Option<Chain>,
    /// Further bodies, each linked to an earlier one.
    pub bodies: Vec<Member>,
    /// Further joints between them.
    pub closings: Vec<Closing>,
    /// Gears.
    pub gears: Vec<Gear>,
    /// Inputs.
    pub inputs: Vec<RawInput>,
    /// States.
    pub states: Vec<RawState>,
    /// Initial states of the switches.
    pub switches: Vec<bool>,
    /// Start values of `discrete` numbers.
    pub discretes: Vec<f64>,
    /// Drives, constraints, couplings, with their conditions.
    pub equations: Vec<(RawForm, Option<RawCondition>)>,
    /// Forces, with their conditions.
    pub forces: Vec<(RawForce, Option<RawCondition>)>,
    /// Items over bodies and pairs of them.
    pub sets: Vec<RawSet>,
    /// `initial` conditions.
    pub initial: Vec<RawInitial>,
    /// Events.
    pub events: Vec<RawEvent>,
    /// Outputs.
    pub outputs: Vec<RawReport>,
    /// Whether `freedoms` is declared.
    pub freedoms: bool,
}

/// A chain of identical bodies.
#[derive(Clone, Debug)]
pub struct Chain {
    /// Number of bodies: 2 or 3.
    pub count: usize,
    /// Attachment of the first pin on ground.
    pub root: Attachment,
    /// Distance between the two pins of a body.
    pub length: Number,
    /// Mass of each.
    pub mass: Number,
    /// Inertia of each.
    pub inertia: Number,
    /// Centres of mass.
    pub com: [Number; 3],
    /// First angle and step.
    pub angles: [Number; 2],
    /// Stiffness of the torsion springs between them.
    pub stiffness: Option<f64>,
}

/// A body with the joint that connects it to an earlier one.
#[derive(Clone, Debug)]
pub struct Member {
    /// A particle.
    pub particle: bool,
    /// Mass, inertia, centre of mass.
    pub mass: Number,
    /// See `mass`.
    pub inertia: Number,
    /// See `mass`.
    pub com: [Number; 3],
    /// Inertia in space, as multiples of `inertia`: moments, products.
    pub tensor: [Number; 6],
    /// Whether mass, inertia are left out, where the mechanism stays solvable.
    pub without: [bool; 2],
    /// The earlier body or ground.
    pub parent: usize,
    /// The joint; without one, only forces act on the body.
    pub link: Option<Link>,
    /// Whether the declared position, angle are left out.
    pub undeclared: [bool; 2],
    /// Declared velocity.
    pub velocity: Option<[f64; 3]>,
    /// Attitude representation, and whether the speeds are in the body's axes.
    pub attitude: (Option<&'static str>, Option<bool>),
    /// Coordinates that the body chooses.
    pub coordinates: Option<Choice>,
}

/// Kinds of links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkKind {
    /// A row of [`kinds`](crate::catalogued::kinds).
    Catalogued(usize),
    /// Two curves that touch.
    Cam,
    /// A row of [`kinds`](crate::declared::kinds) that the text declares.
    Declared(usize),
}

/// A joint between two bodies, without the choice of the bodies.
#[derive(Clone, Debug)]
pub struct Link {
    /// Kind.
    pub kind: LinkKind,
    /// End on the earlier body.
    pub from: Attachment,
    /// End on the later body.
    pub to: Attachment,
    /// Displacement of the ends: the first component is along an axis; rods and free bodies use all.
    pub offset: [Number; 3],
    /// Angle of the rotation, free or constant by the kind; in space up to three.
    pub angles: [Number; 3],
    /// Axes; in the plane there is one.
    pub axes: [[Number; 3]; 3],
    /// Style of a length or offset that is computed.
    pub computed: Number,
    /// Whether the later body is the first end.
    pub reversed: bool,
    /// `cut: true`.
    pub cut: bool,
    /// Position in the order of declarations.
    pub rank: u8,
}

/// A further joint.
#[derive(Clone, Debug)]
pub struct Closing {
    /// Bodies or ground.
    pub between: [usize; 2],
    /// The joint.
    pub link: Link,
    /// Condition under which it is on; always if `None`.
    pub enabled: Option<RawCondition>,
}

/// A gear between two angles.
#[derive(Clone, Debug)]
pub struct Gear {
    /// Raw choices among the angles.
    pub of: [usize; 2],
    /// Ratio.
    pub ratio: Number,
    /// Style of the offset.
    pub computed: Number,
    /// Position in the order of declarations.
    pub rank: u8,
}

/// An input.
#[derive(Clone, Debug)]
pub struct RawInput {
    /// A vector.
    pub vector: bool,
    /// The body whose axes it is given in.
    pub frame: Option<usize>,
}

/// A state.
#[derive(Clone, Debug)]
pub struct RawState {
    /// Start values; two make a vector.
    pub start: Vec<f64>,
    /// Rates of two components.
    pub rates: [Expr; 2],
    /// Gains of a vector's matrix.
    pub gains: Option<[f64; 4]>,
}

/// Condition that switches an element: see [`Condition`](crate::plan::Condition).
#[derive(Clone, Debug)]
#[allow(missing_docs)] // see `Condition`
pub enum RawCondition {
    Switch { of: usize, negated: bool },
    Discrete(usize),
    Parameter { of: usize, either: bool, number: Number },
    State(Expr),
}

/// Equations: the forms of [`Form`](crate::plan::Form), constants left to be computed.
#[derive(Clone, Debug)]
#[allow(missing_docs)] // see `Form`
pub enum RawForm {
    Drive { of: usize, signal: Signal, computed: Number },
    Coupling { of: [usize; 2], ratio: Number, wave: Number, computed: Number },
    Square { ends: [Attachment; 2], computed: Number },
    Offset { ends: [Attachment; 2], frame: Option<usize>, computed: Number },
    Curve { at: Attachment, curvature: Number, computed: Number },
    Direction { of: [Attachment; 2], computed: Number },
    General { left: Expr, signal: Option<Signal>, computed: Number },
    Wire { at: Attachment, start: f64, wave: Number, computed: Number },
    Lift { of: Expr, start: f64, computed: Number },
    Knife { at: Attachment },
    Speeds { terms: Vec<(Expr, Expr)>, nonlinearity: Option<Number>, right: Number },
    Accelerations { terms: Vec<(Expr, Expr)>, nonlinearity: Option<Number>, right: Expr },
    Together { ends: [Attachment; 2] },
    Spin { of: usize, frame: Option<usize>, rate: [Number; 3] },
}

/// Forces: the kinds of [`ForceKind`](crate::plan::ForceKind).
#[derive(Clone, Debug)]
#[allow(missing_docs)] // see `ForceKind`
pub enum RawForce {
    Catalogued(RawApplied),
    Potential(Expr),
}

/// A force of a kind of the catalogue.
#[derive(Clone, Debug)]
pub struct RawApplied {
    /// Its kind.
    pub kind: &'static Kind,
    /// Ends; the first may be on ground and move.
    pub ends: [Attachment; 2],
    /// Whether the first is left out, where it may be.
    pub one: bool,
    /// Raw choice among the coordinates.
    pub coordinate: usize,
    /// Size relative to the distance of its ends: the radii of a contact, or the free length of a cable.
    pub size: Number,
    /// Arguments that are given, by their names.
    pub arguments: Vec<(&'static str, RawArgued)>,
}

/// See [`Argued`](crate::plan::Argued).
#[derive(Clone, Debug)]
#[allow(missing_docs)] // see `Argued`
pub enum RawArgued {
    Number(Number),
    Numbers([Number; 3]),
    Load(Expr),
    Vector(RawVector),
    Hill(Number),
}

/// A vector of expressions in some axes, or a vector input where there is one.
#[derive(Clone, Debug)]
pub struct RawVector {
    /// Components.
    pub components: [Expr; 3],
    /// `in body`.
    pub frame: Option<usize>,
    /// A vector input instead.
    pub input: Option<usize>,
}

/// An event.
#[derive(Clone, Debug)]
pub struct RawEvent {
    /// Trigger of the event.
    pub trigger: RawTrigger,
    /// Condition under which it may occur; always if `None`.
    pub enabled: Option<RawCondition>,
    /// Lines of its handler.
    pub lines: Vec<RawLine>,
}

/// See [`Trigger`](crate::plan::Trigger).
#[derive(Clone, Debug)]
#[allow(missing_docs)] // see `Trigger`
pub enum RawTrigger {
    Passes(Expr, &'static str),
    Exceeds(Expr, Expr),
    Every(Number),
    At(Expr),
}

/// See [`Line`](crate::plan::Line).
#[derive(Clone, Debug)]
#[allow(missing_docs)] // see `Line`
pub enum RawLine {
    Discrete(usize, Expr),
    Switch(usize, bool),
    State(usize, Expr),
    Motion(usize, usize, Expr),
    Impulse([Attachment; 2], usize, Number),
}

/// Items over bodies and pairs of them: see [`Set`](crate::plan::Set).
#[derive(Clone, Debug)]
pub struct RawSet {
    /// Bodies in place of all; all bodies if empty.
    pub listed: Vec<usize>,
    /// Kind of the item in the braces.
    pub each: RawEach,
    /// Constant g of the item.
    pub strength: Number,
}

/// See [`Each`](crate::plan::Each).
#[derive(Clone, Debug)]
#[allow(missing_docs)] // see `Each`
pub enum RawEach {
    Soft,
    Sharp,
    Spring,
    Drag(Expr),
    Apart,
}

/// An `initial` condition.
#[derive(Clone, Debug)]
pub struct RawInitial {
    /// Observable.
    pub target: Expr,
    /// Whether the condition is on its rate.
    pub speed: bool,
    /// Value of a rate; for a position only its style is used.
    pub value: Number,
    /// Whether it is exact, `=`.
    pub exact: bool,
}

/// Outputs: see [`Report`](crate::plan::Report).
#[derive(Clone, Debug)]
#[allow(missing_docs)] // see `Report`
pub enum RawReport {
    Scalar(Expr),
    Position(Attachment, usize, Option<usize>),
    Vector(RawVector),
    Energy,
    Momentum,
    AngularMomentum(usize, Attachment),
    Centre(bool),
    EquationLoad(usize),
    GearLoad(usize),
    ForceLoad(usize),
    JointVector(usize, bool),
    Reaction(usize, bool),
    Scaled(Expr, Box<RawReport>),
    State(usize),
    FamilySum,
}

/// A raw choice among coordinates.
pub fn raw_coordinate(choice: usize) -> Coordinate {
    Coordinate::Joint(choice, 0)
}
