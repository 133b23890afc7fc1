//! Kinds of joints and forces: one table entry each, with ends, arguments, rows, coordinates, formula and source.
//!
//! Conventions of every entry: ends in order (first P on A, second Q on B); rows are the first end minus the second; coordinates
//! measure the second end relative to the first; loads act as stated on the last end and opposite on the first. SI, radians.

pub mod attitude;
mod contact;
mod forces;
pub mod geometry;
mod joints;
mod planar;
mod space;

pub use contact::SAMPLES;
pub use contact::Touches;
pub use forces::FORCES;
pub use geometry::{Geometry, Scene};
pub use joints::{GearOn, JOINTS, gear};
pub use planar::{PlanarComposition, PlanarTranslation, PlanarTurning};
pub use space::{Composition, SPATIAL_FORCES, SPATIAL_JOINTS, Translation, Turning};
pub use space::{across, held, turn_about};

use mbs_definition::Space;
use mbs_expr::{Expr, ExprId, JointId, MarkerId};
use mbs_math::Vec3;

#[cfg(test)]
use crate::Step;
use crate::{BasicEquation, CurveRange, Domain, Gearing, Joint, Motion};

/// A kind of joint or force.
#[derive(Debug)]
pub struct Kind {
    /// Name in the language.
    pub name: &'static str,
    /// Ends that it takes.
    pub ends: Ends,
    /// Whether the ends must be able to rotate; particles are then refused.
    pub turns: bool,
    /// Arguments in the order their values reach the builder.
    pub arguments: &'static [Argument],
    /// Names of its rows; empty for the only row of a kind.
    pub rows: &'static [&'static str],
    /// Its coordinates.
    pub coordinates: &'static [Coordinate],
    /// First line: purpose and equation; then signs and singular cases.
    pub docs: &'static str,
    /// Description of `reaction(joint)` for a joint kind: the wrench of the first end on the second, world axes, with its point.
    pub reaction: &'static str,
    /// Book, or where it is derived.
    pub source: &'static str,
    /// Load of a force kind.
    pub exerts: Exerts,
    /// Makes its equations.
    pub build: Build,
}

/// Parts that most kinds have in common; every row names itself, its source and what makes its equations.
const BLANK: Kind = Kind {
    name: "",
    ends: Ends::Two,
    turns: false,
    arguments: &[],
    rows: &[],
    coordinates: &[],
    docs: "",
    reaction: "",
    source: "derived from its definition",
    exerts: Exerts::Nothing,
    build: Build::Along,
};

/// Load of a force kind on its last end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exerts {
    /// None: it is a joint, whose rows exert its reaction.
    Nothing,
    /// A force at the last end's point, with or without a torque.
    Force,
    /// A torque alone: in the plane a number.
    Torque,
    /// A number along a coordinate.
    Along,
}

impl Kind {
    /// Kind of the first end, if it is a contact.
    pub fn touches(&self) -> Option<Touches> {
        match self.name {
            "plane_contact" => Some(Touches::Plane),
            "ball_contact" => Some(Touches::Ball),
            "terrain_contact" => Some(Touches::Terrain),
            "curve_contact" => Some(Touches::Curve),
            _ => None,
        }
    }

    /// The equations of a joint of the kind between two markers.
    ///
    /// # Panics
    /// If the kind joins no markers: [`Kind::ends`] says what it joins.
    pub fn join(&self, g: &Geometry<'_>, joint: JointId, ends: [MarkerId; 2], arguments: &Arguments<'_>) -> JointParts {
        match self.build {
            Build::Joint(build) => build(g, ends, arguments),
            Build::Composed(composition) => composition.join(g, joint, ends, arguments),
            Build::Planar(composition) => composition.join(g, ends, arguments),
            Build::Gear | Build::Force(_) | Build::Load(_) | Build::Torsion(_) | Build::Curves(_) | Build::Along => {
                unreachable!("`{}` joins no markers", self.name)
            }
        }
    }
}

/// The entry of a joint's kind, by its name; kinds that a text declares have none.
pub fn of_joint(space: Space, joint: &Joint) -> Option<&'static Kind> {
    joints(space).iter().find(|entry| entry.name == joint.kind_name)
}

/// The joints of a space.
pub fn joints(space: Space) -> &'static [Kind] {
    match space {
        Space::Planar => JOINTS,
        Space::Spatial => SPATIAL_JOINTS,
    }
}

/// The forces of a space.
pub fn forces(space: Space) -> &'static [Kind] {
    match space {
        Space::Planar => FORCES,
        Space::Spatial => SPATIAL_FORCES,
    }
}

/// Ends that a kind takes in its parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// Two bodies or markers.
    Two,
    /// One body or marker, or two.
    OneOrTwo,
    /// Two joints with an angle.
    TwoJoints,
    /// Two curves of the plane.
    TwoCurves,
    /// A joint with one coordinate, or a coordinate.
    Coordinate,
}

/// One argument of a kind.
#[derive(Clone, Copy, Debug)]
pub struct Argument {
    /// Name in the language.
    pub name: &'static str,
    /// Type.
    pub shape: Shape,
    /// Domain, checked at default parameters and, for a parameter used alone, at run time.
    pub domain: Domain,
    /// Default, as components of an [`Argued`]; `None` if it must be given.
    pub default: Option<[f64; 3]>,
    /// Quantities that it may depend on.
    pub reach: Reach,
    /// Whether markers may state it for their surface; if the argument is omitted, it takes the value stated at one end.
    pub surface: bool,
    /// Name under which a Rust program gives it in one call with its neighbours of the same name.
    pub together: Option<&'static str>,
    /// Unit and meaning.
    pub docs: &'static str,
}

/// Type of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A number.
    Number,
    /// A direction in the first end's axes, made a unit vector.
    Axis,
    /// A vector; without stated axes in world axes, otherwise re-expressed in them.
    World,
    /// A vector that must state its axes (`in`), re-expressed in world axes: loads in space, where a bare literal would be a guess.
    Stated,
    /// Three numbers, each in the domain, for the axes of the first end: the diagonal of a matrix in these axes.
    Diagonal,
    /// The name of a function of one number in the plane, of two in space: its value over the first leaves ([`mbs_expr::Exprs::leaf`]), and these.
    Function,
    /// Carrier of two gears: a joint with an angle, or ground.
    Carrier,
}

/// Quantities that an argument may depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Constants and parameters.
    Parameters,
    /// Anything up to velocities: a load.
    Velocities,
}

/// A coordinate of a joint kind, scalar or with several components.
#[derive(Debug)]
pub struct Coordinate {
    /// `angle`, `position`.
    pub name: &'static str,
    /// Name of its rate.
    pub speed: &'static str,
    /// Name of its second derivative.
    pub acceleration: &'static str,
    /// Names of its components; one for a scalar. If the number of components depends on the bodies (the parameters of an attitude), all that
    /// there can be: joints have the first ones.
    pub components: &'static [&'static str],
    /// Kind of its speeds.
    pub speeds: Speeds,
    /// Unit; empty for the parameters of an attitude.
    pub unit: &'static str,
    /// Quantity that it measures.
    pub docs: &'static str,
}

/// Kind of the speeds of a coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speeds {
    /// Its rates, one per component.
    Rates,
    /// Three for the parameters of an attitude: the angular velocity of the second end relative to the first, in the second end's
    /// axes. Their rates are the components of the angular acceleration.
    AngularVelocity,
}

/// How a kind makes its equations.
#[derive(Clone, Copy, Debug)]
pub enum Build {
    /// A joint between two markers.
    Joint(for<'e> fn(&Geometry<'e>, [MarkerId; 2], &Arguments<'e>) -> JointParts),
    /// A joint of space made of a translation and a rotation.
    Composed(Composition),
    /// A joint of the plane made of a translation and a rotation.
    Planar(PlanarComposition),
    /// A joint between two joints: [`gear`].
    Gear,
    /// A load between two markers.
    Force(for<'e> fn(&Geometry<'e>, [MarkerId; 2], &Arguments<'e>) -> Action<Expr<'e>>),
    /// A load that its arguments state, on one marker or between two.
    Load(for<'e> fn(&Arguments<'e>) -> Action<Expr<'e>>),
    /// A load between two markers of space, with the turn of the last about the axis that is its first argument, unwrapped.
    Torsion(for<'e> fn(&Geometry<'e>, [MarkerId; 2], Expr<'e>, &Arguments<'e>) -> Action<Expr<'e>>),
    /// A load between the bodies of two curves.
    Curves(for<'e> fn(&Geometry<'e>, [&Contour; 2], &Arguments<'e>) -> Action<Expr<'e>>),
    /// A load along a coordinate.
    Along,
}

/// Values of the arguments of a joint or force, by the names that its kind declares.
#[derive(Clone, Debug)]
pub struct Arguments<'e> {
    kind: &'e Kind,
    values: Vec<Vec3<Expr<'e>>>,
}

impl<'e> Arguments<'e> {
    /// Arguments of a kind, with one value for each of them.
    pub fn new(g: &Geometry<'e>, kind: &'e Kind, values: &[Argued]) -> Self {
        debug_assert_eq!(kind.arguments.len(), values.len(), "`{}`", kind.name);
        Arguments { kind, values: values.iter().map(|value| g.vector(*value)).collect() }
    }

    /// The vector of a name.
    ///
    /// # Panics
    /// If the kind has no such argument.
    pub fn vector(&self, name: &str) -> Vec3<Expr<'e>> {
        let found = self.kind.arguments.iter().position(|argument| argument.name == name);
        self.values[found.unwrap_or_else(|| panic!("`{}` has no argument `{name}`", self.kind.name))]
    }

    /// The number of a name.
    ///
    /// # Panics
    /// If the kind has no such argument.
    pub fn number(&self, name: &str) -> Expr<'e> {
        self.vector(name)[0]
    }

    /// The numbers of several names.
    ///
    /// # Panics
    /// If the kind has not all of these arguments.
    pub fn numbers<const N: usize>(&self, names: [&str; N]) -> [Expr<'e>; N] {
        names.map(|name| self.number(name))
    }
}

/// A curve that may touch another.
#[derive(Clone, Debug)]
pub struct Contour {
    /// Marker that the curve is fixed on.
    pub marker: MarkerId,
    /// x and y over a leaf.
    pub curve: [ExprId; 2],
    /// The leaf.
    pub leaf: ExprId,
    /// Parameters at which it may touch; `None` for a line and for the graph of a polynomial, which are unbounded.
    pub range: Option<CurveRange>,
    /// Size at default parameters; `None` where it has no range, or where the size is not known.
    pub extent: Option<Extent>,
}

/// Size and sense of a curve.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// Mean square of the distance of its points from their mean \[m²\].
    pub square: f64,
    /// Whether the enclosed region is on the right: void, if the curve is the second of a contact.
    pub is_hollow: bool,
}

/// Two joints with the numbers of their angle coordinates.
pub type Angles = [(JointId, u8); 2];

/// Value of an argument; a number has its component 0 alone, a vector of the plane z = 0.
pub type Argued = [ExprId; 3];

/// Equations, coordinates and steps that a joint kind makes.
#[derive(Debug)]
pub struct JointParts {
    /// Residuals, as many as [`Kind::rows`], with the basic equations that they are.
    pub rows: Vec<(ExprId, Option<BasicEquation>)>,
    /// Measuring expressions, one per component of [`Kind::coordinates`]; missing at the end are those of a particle's rotation, and
    /// the fourth of attitudes that have three.
    pub coordinates: Vec<ExprId>,
    /// For kinds of space, [`Joint::ties`](crate::Joint::ties), one per coordinate.
    pub ties: Vec<Option<ExprId>>,
    /// See [`Joint::beside`](crate::Joint::beside).
    pub beside: Vec<Option<ExprId>>,
    /// See [`Joint::motion`](crate::Joint::motion).
    pub motion: Option<Motion>,
    /// See [`Joint::geared`](crate::Joint::geared).
    pub geared: Option<Gearing>,
}

/// A row of a joint before its residual has an identity: with the basic equation that it is.
type JoinedRow<'e> = (Expr<'e>, Option<BasicEquation>);

impl JointParts {
    /// The steps of its motion, none if it closes loops only.
    #[cfg(test)]
    fn steps(&self) -> Vec<Step> {
        self.motion.as_ref().map_or_else(Vec::new, |motion| motion.steps.clone())
    }

    /// The residuals of its rows.
    #[cfg(test)]
    fn residuals(&self) -> Vec<ExprId> {
        self.rows.iter().map(|(row, _)| *row).collect()
    }

    /// Parts of a kind that closes loops only and has no coordinates.
    fn closing<'e>(g: &Geometry<'e>, rows: impl IntoIterator<Item = JoinedRow<'e>>) -> Self {
        let rows = rows.into_iter().map(|(row, basic)| (g.id(row), basic)).collect();
        JointParts { rows, coordinates: Vec::new(), ties: Vec::new(), beside: Vec::new(), motion: None, geared: None }
    }
}

/// Rows that are no basic equations.
fn general<'e>(rows: impl IntoIterator<Item = Expr<'e>>) -> impl Iterator<Item = JoinedRow<'e>> {
    rows.into_iter().map(|row| (row, None))
}

/// The rows of coincident points.
fn coincident<'e>(rows: impl IntoIterator<Item = Expr<'e>>) -> impl Iterator<Item = JoinedRow<'e>> {
    rows.into_iter().zip(0..).map(|(row, k)| (row, Some(BasicEquation::Coincident(k))))
}

/// Load of a force kind on its last end; the first end receives the opposite.
#[derive(Debug)]
pub struct Action<S = ExprId> {
    /// Force \[N\], world axes.
    pub force: Option<Vec3<S>>,
    /// Torque \[N m\], world axes; about z alone in the plane.
    pub torque: Option<Vec3<S>>,
    /// Potential energy \[J\].
    pub potential: Option<S>,
    /// Torque \[N m\] that the first end receives in addition to the opposite of `torque`, world axes: −r × f where −f acts on the first
    /// end's body at the last end's point, r from the first end to it.
    pub lever: Option<Vec3<S>>,
    /// Fields of the force other than its load: names, values, and whether these vanish with it.
    pub fields: Vec<(&'static str, S, bool)>,
    /// Depth of a contact, whose passing through zero is an event.
    pub depth: Option<S>,
    /// Quantity that is positive where the location of a contact is no longer found.
    pub lost: Option<S>,
}

impl<S> Default for Action<S> {
    fn default() -> Self {
        let (force, torque, lever) = (None, None, None);
        Action { force, torque, potential: None, lever, fields: Vec::new(), depth: None, lost: None }
    }
}

impl<S: Copy> Action<S> {
    /// Every component, the potential and fields that are loads, through a function.
    #[must_use]
    pub fn map(self, mut change: impl FnMut(S) -> S) -> Self {
        let [force, torque, lever] = [self.force, self.torque, self.lever].map(|v| v.map(|v| v.map(&mut change)));
        let potential = self.potential.map(&mut change);
        let of = |(name, x, is_load): (&'static str, S, bool)| (name, if is_load { change(x) } else { x }, is_load);
        Action { force, torque, potential, lever, fields: self.fields.into_iter().map(of).collect(), ..self }
    }
}

impl<'e> Action<Expr<'e>> {
    /// Where it has been written.
    pub fn ids(self, g: &Geometry<'e>) -> Action {
        let id = |x: Expr<'e>| g.id(x);
        let [force, torque, lever] = [self.force, self.torque, self.lever].map(|v| v.map(|v| v.map(id)));
        let fields = self.fields.into_iter().map(|(name, x, is_load)| (name, id(x), is_load)).collect();
        let [potential, depth, lost] = [self.potential, self.depth, self.lost].map(|x| x.map(id));
        Action { force, torque, potential, lever, fields, depth, lost }
    }
}

impl Action {
    /// Load on the first end; the potential belongs to the last end.
    pub fn opposite(&self, g: &Geometry<'_>) -> Action {
        let expr = |v: Vec3<ExprId>| g.vector(v.0);
        let opposite = |v: Option<Vec3<ExprId>>| v.map(|v| -expr(v));
        let torque = match (opposite(self.torque), self.lever.map(expr)) {
            (Some(torque), Some(lever)) => Some(torque + lever),
            (torque, lever) => torque.or(lever),
        };
        Action { force: opposite(self.force), torque, ..Action::default() }.ids(g)
    }
}

/// A number the element must be given.
const fn required(name: &'static str, docs: &'static str) -> Argument {
    let (shape, domain, reach) = (Shape::Number, Domain::Finite, Reach::Parameters);
    Argument { name, shape, domain, default: None, reach, surface: false, together: None, docs }
}

impl Coordinate {
    /// One whose speeds are its rates: its name and theirs, its components, its unit and meaning.
    const fn new(
        [name, speed, acceleration]: [&'static str; 3],
        components: &'static [&'static str],
        [unit, docs]: [&'static str; 2],
    ) -> Coordinate {
        Coordinate { name, speed, acceleration, components, speeds: Speeds::Rates, unit, docs }
    }
}

impl Argument {
    const fn within(self, domain: Domain) -> Self {
        Argument { domain, ..self }
    }

    const fn or(self, default: f64) -> Self {
        Argument { default: Some([default; 3]), ..self }
    }

    const fn of_surface(self) -> Self {
        Argument { surface: true, ..self }
    }

    const fn together(self, name: &'static str) -> Self {
        Argument { together: Some(name), ..self }
    }

    const fn or_axis(self, default: [f64; 3]) -> Self {
        Argument { default: Some(default), ..self }
    }

    const fn shaped(self, shape: Shape) -> Self {
        Argument { shape, ..self }
    }

    const fn load(self) -> Self {
        Argument { reach: Reach::Velocities, ..self }
    }
}
