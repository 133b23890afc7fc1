//! User-defined kinds of joints: by the pose of the second end as a function of coordinates, or by equations between both ends.

use std::marker::PhantomData;
use std::panic::Location;

use super::contents::kinds::{Coordinate, JointKindItem, Local};
use super::contents::{Item, NodeKind};
use super::joints::Declared;
use super::sites::Here;
use super::store::Store;
use super::term::{Term, Value};
use super::{Equation, Frame, Joint, Name, Number, Numbers, Planar, Scalar, Vector};

/// A kind of joint being declared; [`Planar::joint_of`] makes joints of it.
///
/// The ends, arguments and coordinates that it returns are valid inside the kind only: the coordinates of a joint are those of
/// [`Joint::coordinate`].
#[derive(Clone, Copy, Debug)]
pub struct JointKind<'m> {
    pub(super) term: Term<'m>,
    item: usize,
}

/// # Kinds of joints
impl Planar {
    /// A kind of joint between two ends, with names for these: `joint kind Knee(femur, tibia) { … }`. Coordinates and a pose as their function
    /// describe its motion; equations describe its constraints.
    ///
    /// ```
    /// # use mbs_builder::{Mistakes, Planar};
    /// # fn main() -> Result<(), Mistakes> {
    /// # let m = Planar::new("Leg");
    /// # let thigh = m.body("thigh").mass(9.3).inertia(0.13);
    /// # let shank = m.body("shank").mass(3.7).inertia(0.05);
    /// # m.revolute("hip", m.ground(), thigh);
    /// let knee = m.joint_kind("Knee", ["femur", "tibia"]);
    /// let scale = knee.parameter_or("scale", 1.0);
    /// let bend = knee.angle("bend", -0.1);
    /// knee.rotation(bend).translation((0.02 * scale * bend.sin(), -0.4));
    ///
    /// let joint = m.joint_of("knee", knee, thigh, shank).argument("scale", 1.05);
    /// m.initial(joint.coordinate("bend"), -0.6);
    /// m.output("rate", joint.coordinate("bend").rate());
    /// assert_eq!(m.resolve()?.joints[1].kind_name, "Knee");
    /// # Ok(())
    /// # }
    /// ```
    #[track_caller]
    pub fn joint_kind(&self, name: impl Into<Name>, ends: [&str; 2]) -> JointKind<'_> {
        let (here, mut name) = (Location::caller(), name.into());
        self.store.write(|c| {
            name.group.clone_from(&c.group);
            let node = c.push(NodeKind::Name(name.clone()), here);
            let origin = c.nodes[node.index()].origin;
            let parameters = ends.map(|end| Local { name: end.to_string(), origin, value: None }).into();
            let (docs, coordinates, speeds) = (std::mem::take(&mut c.pending), Vec::new(), Vec::new());
            let (kinematics, pose, rows) = (Vec::new(), Vec::new(), Vec::new());
            c.items.push(Item::Kind(JointKindItem {
                docs,
                name,
                origin,
                parameters,
                coordinates,
                speeds,
                kinematics,
                pose,
                rows,
            }));
            JointKind { term: Term { store: &self.store, node }, item: c.items.len() - 1 }
        })
    }

    /// A joint of a user-defined kind. [`Joint::argument`] gives the arguments of the kind.
    #[track_caller]
    pub fn joint_of<'m>(
        &'m self,
        name: impl Into<Name>,
        kind: JointKind<'m>,
        first: impl Into<Frame<'m>>,
        second: impl Into<Frame<'m>>,
    ) -> Joint<'m, Declared> {
        let here = Location::caller();
        let declared = self.declared("joint", name, here);
        let declared = match std::ptr::eq(kind.term.store, &self.store) {
            true => declared.kind(
                &kind.read_item(|w| w.name.to_string()),
                [first.into().into(), second.into().into()],
                here,
            ),
            false => declared.value(kind.term, here),
        };
        Joint { declared, kind: PhantomData }
    }
}

impl<'m> JointKind<'m> {
    fn store(self) -> &'m Store {
        self.term.store
    }

    fn read_item<V>(self, read: impl FnOnce(&JointKindItem) -> V) -> V {
        self.store().read(|c| match &c.items[self.item] {
            Item::Kind(kind) => read(kind),
            _ => unreachable!("handles of this type are of kinds"),
        })
    }

    fn edit(self, edit: impl FnOnce(&mut JointKindItem)) -> Self {
        self.store().write(|c| match &mut c.items[self.item] {
            Item::Kind(kind) => edit(kind),
            _ => unreachable!("handles of this type are of kinds"),
        });
        self
    }

    /// The term for a name of the kind.
    fn local_term(self, name: &str, here: Here) -> Term<'m> {
        self.store().push(NodeKind::Local(self.item, name.to_string()), here)
    }

    fn local(self, name: &str, value: Option<Value<'m>>, here: Here) -> Local {
        let value = value.map(|value| self.store().adopt(value, here));
        Local { name: name.to_string(), origin: self.store().write(|c| c.sites.push(here)), value }
    }

    /// Both ends, as markers with axes.
    #[track_caller]
    pub fn ends(self) -> [Frame<'m>; 2] {
        let here = Location::caller();
        let names = self.read_item(|kind| [0, 1].map(|i: usize| kind.parameters[i].name.clone()));
        names.map(|name| Frame(self.local_term(&name, here)))
    }

    fn declare_parameter(self, name: &str, default: Option<Value<'m>>, here: Here) -> Term<'m> {
        let parameter = self.local(name, default, here);
        self.edit(|kind| kind.parameters.push(parameter));
        self.local_term(name, here)
    }

    /// A required number of the kind, given for every joint by [`Joint::argument`]; it consists of constants and parameters.
    #[track_caller]
    pub fn parameter(self, name: &str) -> Scalar<'m> {
        Scalar(self.declare_parameter(name, None, Location::caller()))
    }

    /// An optional number of the kind, with its default.
    #[track_caller]
    pub fn parameter_or(self, name: &str, default: impl Into<Number<'m>>) -> Scalar<'m> {
        Scalar(self.declare_parameter(name, Some(default.into().0), Location::caller()))
    }

    /// A required vector of the kind.
    #[track_caller]
    pub fn parameter_vector(self, name: &str) -> Vector<'m> {
        Vector(self.declare_parameter(name, None, Location::caller()))
    }

    /// An optional vector of the kind, with its default.
    #[track_caller]
    pub fn parameter_vector_or(self, name: &str, default: impl Into<Numbers<'m>>) -> Vector<'m> {
        Vector(self.declare_parameter(name, Some(default.into().0), Location::caller()))
    }

    fn declare_coordinate(
        self,
        name: &str,
        size: Option<usize>,
        is_angle: bool,
        start: Value<'m>,
        here: Here,
    ) -> Term<'m> {
        let local = self.local(name, size.map(|size| Value::from(size as f64)), here);
        let start = self.store().adopt(start, here);
        self.edit(|kind| kind.coordinates.push(Coordinate { local, is_angle, start }));
        self.local_term(name, here)
    }

    /// A coordinate, with its value at the start of the motion unless other declarations determine it.
    #[track_caller]
    pub fn coordinate(self, name: &str, start: impl Into<Number<'m>>) -> Scalar<'m> {
        Scalar(self.declare_coordinate(name, None, false, start.into().0, Location::caller()))
    }

    /// A coordinate that is an angle \[rad\].
    #[track_caller]
    pub fn angle(self, name: &str, start: impl Into<Number<'m>>) -> Scalar<'m> {
        Scalar(self.declare_coordinate(name, None, true, start.into().0, Location::caller()))
    }

    /// Several coordinates under one name.
    #[track_caller]
    pub fn coordinate_vector<N: Into<Number<'m>>, const SIZE: usize>(self, name: &str, start: [N; SIZE]) -> Vector<'m> {
        Vector(self.declare_coordinate(name, Some(SIZE), false, Numbers::from(start).0, Location::caller()))
    }

    fn declare_speed(self, name: &str, size: Option<usize>, here: Here) -> Term<'m> {
        let speed = self.local(name, size.map(|size| Value::from(size as f64)), here);
        self.edit(|kind| kind.speeds.push(speed));
        self.local_term(name, here)
    }

    /// A speed that is not the rate of a coordinate, for [`JointKind::kinematics`].
    #[track_caller]
    pub fn speed(self, name: &str) -> Scalar<'m> {
        Scalar(self.declare_speed(name, None, Location::caller()))
    }

    /// Several such speeds under one name.
    #[track_caller]
    pub fn speed_vector(self, name: &str, size: usize) -> Vector<'m> {
        Vector(self.declare_speed(name, Some(size), Location::caller()))
    }

    /// Rates of the coordinates in order, linear in the speeds: q̇ = N(q) u.
    #[track_caller]
    pub fn kinematics(self, rates: impl Into<Numbers<'m>>) -> Self {
        let rates = self.local("kinematics", Some(rates.into().0), Location::caller());
        self.edit(|kind| kind.kinematics.push(rates))
    }

    fn pose_argument(self, name: &str, value: Value<'m>, here: Here) -> Self {
        let (local, value) = (self.local(name, None, here), self.store().adopt(value, here));
        self.edit(|kind| kind.pose.push((local, value)))
    }

    /// The angle of the second end relative to the first \[rad\], a function of the coordinates; zero unless given.
    #[track_caller]
    pub fn rotation(self, angle: impl Into<Number<'m>>) -> Self {
        self.pose_argument("rotation", angle.into().0, Location::caller())
    }

    /// The position of the second end relative to the first in the first end's axes \[m\], a function of the coordinates; zero unless given.
    #[track_caller]
    pub fn translation(self, position: impl Into<Numbers<'m>>) -> Self {
        self.pose_argument("translation", position.into().0, Location::caller())
    }

    fn row(self, name: Option<&str>, equation: Value<'m>, here: Here) -> Self {
        let name = name.map(|name| self.local(name, None, here));
        let equation = self.store().adopt(equation, here);
        self.edit(|kind| kind.rows.push((name, equation)))
    }

    fn basic_row(self, equation: &str, between: [Value<'m>; 2], here: Here) -> Self {
        let between = between.map(|value| self.store().adopt(value, here));
        let equation = self.store().push(NodeKind::Call(equation.to_string(), between.into()), here);
        self.row(None, equation.into(), here)
    }

    /// Constrains the origins of two frames to coincide.
    #[track_caller]
    pub fn coincident(self, first: impl Into<Frame<'m>>, second: impl Into<Frame<'m>>) -> Self {
        self.basic_row("coincident", [first.into().into(), second.into().into()], Location::caller())
    }

    /// Constrains two directions to be perpendicular.
    #[track_caller]
    pub fn perpendicular(self, first: impl Into<Numbers<'m>>, second: impl Into<Numbers<'m>>) -> Self {
        self.basic_row("perpendicular", [first.into().0, second.into().0], Location::caller())
    }

    /// Constrains two directions to be parallel.
    #[track_caller]
    pub fn parallel(self, first: impl Into<Numbers<'m>>, second: impl Into<Numbers<'m>>) -> Self {
        self.basic_row("parallel", [first.into().0, second.into().0], Location::caller())
    }

    /// An equation between positions or speeds.
    #[track_caller]
    pub fn equation<V>(self, equation: Equation<'m, V>) -> Self {
        self.row(None, equation.into(), Location::caller())
    }

    /// An equation with a name, which its rows have.
    #[track_caller]
    pub fn constraint<V>(self, name: &str, equation: Equation<'m, V>) -> Self {
        self.row(Some(name), equation.into(), Location::caller())
    }
}
