//! The catalogue: one entry for each kind of joint and force, with ends, arguments, rows, coordinates, formula and source.
//!
//! Conventions of every entry: the first end is P on body A, the second end is Q on body B. Rows are the first end minus the second end.
//! Coordinates measure the second end relative to the first. Loads act as stated on the last end, and the opposite load acts on the first.
//! Units are SI units and radians.

pub mod attitude;
mod contact;
mod forces;
pub mod geometry;
mod joints;
mod planar;
mod space;

pub use contact::ContactSurface;
pub use contact::SAMPLES;
pub use forces::FORCES;
pub use geometry::{Geometry, Scene};
pub use joints::{CarrierTerms, JOINTS, gear};
pub use planar::{PlanarComposition, PlanarRotation, PlanarTranslation};
pub use space::{Composition, RelativeRotation, SPATIAL_FORCES, SPATIAL_JOINTS, Translation};
pub use space::{angle_about, normal_directions, parallel_to};

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
    /// Its ends.
    pub ends: Ends,
    /// Whether both ends must be able to rotate; particles are then rejected.
    pub requires_rotation: bool,
    /// Arguments, in the order of the values in [`Arguments::new`].
    pub arguments: &'static [Argument],
    /// Names of its rows; the name of a single row is empty.
    pub rows: &'static [&'static str],
    /// Its coordinates.
    pub coordinates: &'static [Coordinate],
    /// Purpose and equation, then signs and singular configurations.
    pub docs: &'static str,
    /// Description of `reaction(joint)` of a joint: the wrench of the first end on the second, world axes, with its point.
    pub reaction: &'static str,
    /// Source of the equations.
    pub source: &'static str,
    /// Load of a force.
    pub exerts: Exerts,
    /// The function that makes its equations.
    pub build: Build,
}

/// Defaults of the fields of a kind.
const BLANK: Kind = Kind {
    name: "",
    ends: Ends::Two,
    requires_rotation: false,
    arguments: &[],
    rows: &[],
    coordinates: &[],
    docs: "",
    reaction: "",
    source: "derived from its definition",
    exerts: Exerts::Nothing,
    build: Build::Generalized,
};

/// Kind of load of a force on its last end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exerts {
    /// None: a joint, whose reaction follows from its rows.
    Nothing,
    /// A force at the last end's point, possibly with a torque.
    Force,
    /// A torque: in the plane a number.
    Torque,
    /// A generalised force of a coordinate: a number.
    Generalized,
}

impl Kind {
    /// Kind of surface of the first end; `None` if the kind is no contact.
    pub fn contact_surface(&self) -> Option<ContactSurface> {
        match self.name {
            "plane_contact" => Some(ContactSurface::Plane),
            "ball_contact" => Some(ContactSurface::Ball),
            "terrain_contact" => Some(ContactSurface::Terrain),
            "curve_contact" => Some(ContactSurface::Curve),
            _ => None,
        }
    }

    /// Makes the equations of a joint of this kind between two markers.
    ///
    /// # Panics
    /// If the kind does not join markers; see [`Kind::ends`].
    pub fn join(&self, g: &Geometry<'_>, joint: JointId, ends: [MarkerId; 2], arguments: &Arguments<'_>) -> JointParts {
        match self.build {
            Build::Joint(build) => build(g, ends, arguments),
            Build::Composed(composition) => composition.join(g, joint, ends, arguments),
            Build::Planar(composition) => composition.join(g, ends, arguments),
            Build::Gear
            | Build::Force(_)
            | Build::Load(_)
            | Build::Torsion(_)
            | Build::Curves(_)
            | Build::Generalized => {
                unreachable!("`{}` joins no markers", self.name)
            }
        }
    }
}

/// The entry of a joint's kind; `None` for kinds that a text declares.
pub fn kind_of_joint(space: Space, joint: &Joint) -> Option<&'static Kind> {
    joints(space).iter().find(|entry| entry.name == joint.kind_name)
}

/// The kinds of joints in the plane or in space.
pub fn joints(space: Space) -> &'static [Kind] {
    match space {
        Space::Planar => JOINTS,
        Space::Spatial => SPATIAL_JOINTS,
    }
}

/// The kinds of forces in the plane or in space.
pub fn forces(space: Space) -> &'static [Kind] {
    match space {
        Space::Planar => FORCES,
        Space::Spatial => SPATIAL_FORCES,
    }
}

/// Ends of a kind, in parentheses after its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// Two bodies or markers.
    Two,
    /// One body or marker, or two.
    OneOrTwo,
    /// Two joints with an angle.
    TwoJoints,
    /// Two curves in the plane.
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
    /// Domain. It is checked at default parameters, and at run time if the value is a parameter.
    pub domain: Domain,
    /// Default, as components of an [`Argued`]; `None` if the argument is required.
    pub default: Option<[f64; 3]>,
    /// Quantities that it may depend on.
    pub dependence: ArgumentDependence,
    /// Whether markers may state it as a property of their surface. An omitted argument has the value that the marker of an end states.
    pub surface: bool,
    /// Name of the builder method that sets it together with the adjacent arguments of the same name.
    pub together: Option<&'static str>,
    /// Unit and meaning.
    pub docs: &'static str,
}

/// Type of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A number.
    Number,
    /// A direction in the first end's axes. It is normalised.
    Axis,
    /// A vector in world axes, or in stated axes, from which it is re-expressed in world axes.
    World,
    /// A vector that must state its axes (`in`) and is re-expressed in world axes: a load in space, where components without axes would be
    /// ambiguous.
    Stated,
    /// Three numbers, each in the domain: the diagonal of a matrix in the axes of the first end.
    Diagonal,
    /// The name of a function, of one number in the plane and of two in space. Its components are the function's value as an expression of the first
    /// placeholders ([`mbs_expr::Exprs::placeholder`]), and these placeholders.
    Function,
    /// Carrier of two gears: a joint with an angle, or ground.
    Carrier,
}

/// Quantities that an argument may depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentDependence {
    /// Constants and parameters.
    Parameters,
    /// All quantities up to velocities: a load.
    Velocities,
}

/// A coordinate of a kind of joint, with one or several components.
#[derive(Debug)]
pub struct Coordinate {
    /// `angle`, `position`.
    pub name: &'static str,
    /// Name of its rate.
    pub speed: &'static str,
    /// Name of its second derivative.
    pub acceleration: &'static str,
    /// Names of its components; one for a scalar. If their number depends on the bodies, as for the parameters of an attitude, the list has the
    /// greatest number of names, and a joint has the first ones.
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
    /// Three speeds for the parameters of an attitude: the angular velocity of the second end relative to the first, in the second end's
    /// axes. Their rates are the components of the angular acceleration.
    AngularVelocity,
}

/// The function that makes the equations of a kind.
#[derive(Clone, Copy, Debug)]
pub enum Build {
    /// A joint between two markers.
    Joint(for<'e> fn(&Geometry<'e>, [MarkerId; 2], &Arguments<'e>) -> JointParts),
    /// A joint in space that is composed of a translation and a rotation.
    Composed(Composition),
    /// A joint in the plane that is composed of a translation and a rotation.
    Planar(PlanarComposition),
    /// A joint between two joints: [`gear`].
    Gear,
    /// A load between two markers.
    Force(for<'e> fn(&Geometry<'e>, [MarkerId; 2], &Arguments<'e>) -> Action<Expr<'e>>),
    /// A load that the arguments state, on one marker or between two markers.
    Load(for<'e> fn(&Arguments<'e>) -> Action<Expr<'e>>),
    /// A load between two markers in space that depends on the continuous angle of the last about the axis that is the first argument. The
    /// function receives that angle.
    Torsion(for<'e> fn(&Geometry<'e>, [MarkerId; 2], Expr<'e>, &Arguments<'e>) -> Action<Expr<'e>>),
    /// A load between the bodies of two curves.
    Curves(for<'e> fn(&Geometry<'e>, [&Contour; 2], &Arguments<'e>) -> Action<Expr<'e>>),
    /// A generalised force of a coordinate.
    Generalized,
}

/// Values of the arguments of a joint or force, by name.
#[derive(Clone, Debug)]
pub struct Arguments<'e> {
    kind: &'e Kind,
    values: Vec<Vec3<Expr<'e>>>,
}

impl<'e> Arguments<'e> {
    /// Arguments of a kind, with one value for each of [`Kind::arguments`].
    pub fn new(g: &Geometry<'e>, kind: &'e Kind, values: &[Argued]) -> Self {
        assert_eq!(kind.arguments.len(), values.len(), "`{}`", kind.name);
        Arguments { kind, values: values.iter().map(|value| g.vector(*value)).collect() }
    }

    /// The value of a vector argument.
    ///
    /// # Panics
    /// If the kind has no such argument.
    pub fn vector(&self, name: &str) -> Vec3<Expr<'e>> {
        let found = self.kind.arguments.iter().position(|argument| argument.name == name);
        self.values[found.unwrap_or_else(|| panic!("`{}` has no argument `{name}`", self.kind.name))]
    }

    /// The value of a scalar argument.
    ///
    /// # Panics
    /// If the kind has no such argument.
    pub fn scalar(&self, name: &str) -> Expr<'e> {
        self.vector(name)[0]
    }

    /// The values of several scalar arguments, as [`Self::scalar`].
    pub fn scalars<const N: usize>(&self, names: [&str; N]) -> [Expr<'e>; N] {
        names.map(|name| self.scalar(name))
    }
}

/// A curve of a contact between two curves.
#[derive(Clone, Debug)]
pub struct Contour {
    /// The marker on which the curve is fixed.
    pub marker: MarkerId,
    /// x and y \[m\], in the axes of the marker, as expressions of a leaf.
    pub curve: [ExprId; 2],
    /// The leaf: the parameter of the curve.
    pub leaf: ExprId,
    /// Parameters at which it may be in contact; `None` for a line and for the graph of a polynomial, which are unbounded.
    pub range: Option<CurveRange>,
    /// Size at default parameters; `None` if it has no range, or if the size is unknown.
    pub extent: Option<Extent>,
}

/// Size and orientation of a closed curve.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// Mean square of the distance of its points from their mean \[m²\].
    pub square: f64,
    /// Whether the enclosed region is on the right. If the curve is the second of a contact, this region is empty.
    pub is_hollow: bool,
}

/// Two joints, each with the index of its angle coordinate.
pub type Angles = [(JointId, u8); 2];

/// Value of an argument. A number is component 0; a vector in the plane has z = 0.
pub type Argued = [ExprId; 3];

/// Rows, coordinates and motion of a joint.
#[derive(Debug)]
pub struct JointParts {
    /// Residuals of [`Kind::rows`], each with the basic equation that it is, if it is one.
    pub rows: Vec<(ExprId, Option<BasicEquation>)>,
    /// Expressions that measure the coordinates, one per component of [`Kind::coordinates`]. At the end those of a particle's rotation, and the
    /// fourth one of attitudes with three parameters, are missing.
    pub coordinates: Vec<ExprId>,
    /// In space, [`Joint::ties`](crate::Joint::ties), one per coordinate.
    pub ties: Vec<Option<ExprId>>,
    /// See [`Joint::by_previous`](crate::Joint::by_previous).
    pub by_previous: Vec<Option<ExprId>>,
    /// See [`Joint::motion`](crate::Joint::motion).
    pub motion: Option<Motion>,
    /// See [`Joint::geared`](crate::Joint::geared).
    pub geared: Option<Gearing>,
}

/// A row of a joint, with the basic equation that it is, if it is one.
type JoinedRow<'e> = (Expr<'e>, Option<BasicEquation>);

impl JointParts {
    /// The steps of its motion; none if it only closes loops.
    #[cfg(test)]
    fn steps(&self) -> Vec<Step> {
        self.motion.as_ref().map_or_else(Vec::new, |motion| motion.steps.clone())
    }

    /// The residuals of its rows.
    #[cfg(test)]
    fn residuals(&self) -> Vec<ExprId> {
        self.rows.iter().map(|(row, _)| *row).collect()
    }

    /// Parts of a joint that only closes loops and has no coordinates.
    fn closing<'e>(g: &Geometry<'e>, rows: impl IntoIterator<Item = JoinedRow<'e>>) -> Self {
        let rows = rows.into_iter().map(|(row, basic)| (g.id(row), basic)).collect();
        JointParts {
            rows,
            coordinates: Vec::new(),
            ties: Vec::new(),
            by_previous: Vec::new(),
            motion: None,
            geared: None,
        }
    }
}

/// Marks rows that are no basic equations.
fn general<'e>(rows: impl IntoIterator<Item = Expr<'e>>) -> impl Iterator<Item = JoinedRow<'e>> {
    rows.into_iter().map(|row| (row, None))
}

/// Marks the rows of coincident points.
fn coincident<'e>(rows: impl IntoIterator<Item = Expr<'e>>) -> impl Iterator<Item = JoinedRow<'e>> {
    rows.into_iter().zip(0..).map(|(row, k)| (row, Some(BasicEquation::Coincident(k))))
}

/// Load of a force on its last end. The opposite load acts on the first end.
#[derive(Debug)]
pub struct Action<S = ExprId> {
    /// Force \[N\], world axes.
    pub force: Option<Vec3<S>>,
    /// Torque \[N m\], world axes; only z in the plane.
    pub torque: Option<Vec3<S>>,
    /// Potential energy \[J\].
    pub potential: Option<S>,
    /// Torque \[N m\] on the first end in addition to the opposite of `torque`, world axes. It is −r × f if the force −f acts on the first
    /// end's body at the last end's point, where r is the vector from the first end to that point.
    pub lever: Option<Vec3<S>>,
    /// Further fields of the force: name, value, and whether the value is a load, which vanishes if the force is disabled.
    pub fields: Vec<(&'static str, S, bool)>,
    /// Depth of a contact \[m\]. Its zero crossing is an event.
    pub depth: Option<S>,
    /// Quantity that is positive if the search for the location of a contact fails.
    pub lost: Option<S>,
}

impl<S> Default for Action<S> {
    fn default() -> Self {
        let (force, torque, lever) = (None, None, None);
        Action { force, torque, potential: None, lever, fields: Vec::new(), depth: None, lost: None }
    }
}

impl<S: Copy> Action<S> {
    /// Applies a function to every component of the load, to the potential and to the fields that are loads.
    #[must_use]
    pub fn map(self, mut change: impl FnMut(S) -> S) -> Self {
        let [force, torque, lever] = [self.force, self.torque, self.lever].map(|v| v.map(|v| v.map(&mut change)));
        let potential = self.potential.map(&mut change);
        let field = |(name, x, is_load): (&'static str, S, bool)| (name, if is_load { change(x) } else { x }, is_load);
        Action { force, torque, potential, lever, fields: self.fields.into_iter().map(field).collect(), ..self }
    }
}

impl<'e> Action<Expr<'e>> {
    /// The ids of its expressions.
    pub fn ids(self, g: &Geometry<'e>) -> Action {
        let id = |x: Expr<'e>| g.id(x);
        let [force, torque, lever] = [self.force, self.torque, self.lever].map(|v| v.map(|v| v.map(id)));
        let fields = self.fields.into_iter().map(|(name, x, is_load)| (name, id(x), is_load)).collect();
        let [potential, depth, lost] = [self.potential, self.depth, self.lost].map(|x| x.map(id));
        Action { force, torque, potential, lever, fields, depth, lost }
    }
}

impl Action {
    /// The load on the first end, without the potential, which belongs to the last end.
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

/// A required number.
const fn required(name: &'static str, docs: &'static str) -> Argument {
    let (shape, domain, dependence) = (Shape::Number, Domain::Finite, ArgumentDependence::Parameters);
    Argument { name, shape, domain, default: None, dependence, surface: false, together: None, docs }
}

impl Coordinate {
    /// A coordinate whose speeds are its rates. The names are those of the coordinate, its rate and its second rate.
    const fn new(
        [name, speed, acceleration]: [&'static str; 3],
        components: &'static [&'static str],
        [unit, docs]: [&'static str; 2],
    ) -> Coordinate {
        Coordinate { name, speed, acceleration, components, speeds: Speeds::Rates, unit, docs }
    }
}

impl Argument {
    /// With a domain.
    const fn in_domain(self, domain: Domain) -> Self {
        Argument { domain, ..self }
    }

    /// With a default, the same for all components.
    const fn with_default(self, default: f64) -> Self {
        Argument { default: Some([default; 3]), ..self }
    }

    /// Markers may state it as a property of their surface.
    const fn stated_by_markers(self) -> Self {
        Argument { surface: true, ..self }
    }

    /// Set by the builder method `name` together with adjacent arguments.
    const fn grouped(self, name: &'static str) -> Self {
        Argument { together: Some(name), ..self }
    }

    /// With a default direction.
    const fn with_default_axis(self, default: [f64; 3]) -> Self {
        Argument { default: Some(default), ..self }
    }

    /// With a type.
    const fn with_shape(self, shape: Shape) -> Self {
        Argument { shape, ..self }
    }

    /// It may depend on velocities.
    const fn load(self) -> Self {
        Argument { dependence: ArgumentDependence::Velocities, ..self }
    }
}
