//! URDF, the robot descriptions of ROS: a tree of links and joints.
//!
//! [`read`] checks a text and gives it as a [`Robot`]; [`items`] says the same in the mechanism language:
//!
//! | URDF | language |
//! |---|---|
//! | link with its inertial | `body trunk { mass: 9.2, inertia: [[…], […], […]], com: […] }`, the tensor turned into the link's axes, R I Rᵀ |
//! | joint origin | an end `trunk at [x, y, z]`; where it turns, `marker hip_frame = trunk at [x, y, z] { rotation: euler(zyx, [yaw, pitch, roll]) };` |
//! | revolute, continuous | `joint hip = revolute(hip_frame, thigh) { axis: […] };` |
//! | prismatic | `prismatic(…) { axis: […] }` |
//! | fixed, floating | `fixed(…)`, `free(…)` |
//! | planar | `planar(…) { normal: […] }` |
//! | mimic | `coupling finger_mimic = finger.angle == 2 * thumb.angle + 0.1;` (`.position` of a prismatic joint) |
//! | limits, damping, friction | `const hip_lower = -1;`, `_upper`, `_effort`, `_velocity`, `_damping`, `_friction`, where given, and [`Limits`](mbs_definition::Limits): data to use, no force is added |
//! | visuals | [`Solid`](mbs_definition::Solid)s, colours of materials; in the place of meshes, which are not read, the collisions |
//!
//! A file that is a mechanism by itself ([`Alone`]) also has gravity, a joint that holds or frees its root, and motors.
//!
//! The child's frame coincides with the joint frame at zero, so that an axis has the same components in both ends. The root
//! link is a body like the others, to be fixed or freed by the declaration; but a root called `world` without mass is `ground`.
//! Limits of a continuous joint mean nothing and are left out; transmissions, sensors, plugins, safety controllers and
//! calibrations are ignored. Data that are not given have the defaults of the specification: an origin is the identity, an axis
//! [1, 0, 0], a link without inertial has no mass.
//!
//! # Names
//! Names become identifiers: characters other than ASCII letters, digits and `_` become `_`, a leading digit gets a `_` before it,
//! words of Rust and of the language a `_` after them. A joint called as a link gets `_joint`. Names that would still meet are a
//! mistake. Docs of the items keep the names of the file.
//!
//! # Limits
//! Files come from anywhere. A text has at most [`MOST_BYTES`] bytes, 1,000,000 nodes, some 1,000 attributes per element and 100
//! namespaces; a robot at most [`MOST_LINKS`] links and as many joints. Document types, and with them entities, are refused. Nothing
//! recurses. No input makes the reader panic.
//!
//! # Source
//! The URDF XML specification, <http://wiki.ros.org/urdf/XML>; `urdf.xsd` and the parser of urdfdom, where it is silent.

mod alone;
mod axes;
mod document;
mod element;
mod inertia;
mod items;
mod joints;
mod limits;
mod links;
mod looks;
mod names;
mod pose;
mod robot;
mod shapes;
mod tree;
mod write;

pub use alone::{Alone, Base, shown_name, type_name};
pub use document::{MOST_BYTES, MOST_LINKS};
pub use items::{LinkArguments, Wanted, items};
pub use robot::{Dynamics, Geometry, Inertial, Joint, JointType, Limit, Link, Mimic, Placed, Pose, Robot, Shape};

use std::ops::Range;

use mbs_definition::{Errors, Origin};

use element::Reader;

/// Gives bytes of the text a place in the front end's side table.
pub type Place<'p> = &'p mut dyn FnMut(Range<usize>) -> Origin;

/// Marks a mistake that is in the list already.
struct Reported;

type Read<T> = Result<T, Reported>;

/// Reads a URDF text. Nothing when `errors` got a mistake: what is returned is a tree of links with one root, whose joints
/// join links that exist, whose numbers are finite and whose inertias are those of bodies.
///
/// Mistakes are collected per stage (XML, elements, tree), and a stage with mistakes is the last.
pub fn read(text: &str, place: Place<'_>, errors: &mut Errors) -> Option<Robot> {
    let mut reader = Reader::new(text, place, errors);
    let robot = document::robot(&mut reader).ok()?;
    if reader.is_sound() {
        tree::check(&robot, &mut reader);
    }
    reader.is_sound().then_some(robot)
}
