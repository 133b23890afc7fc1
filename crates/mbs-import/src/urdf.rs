//! URDF, the robot descriptions of ROS: a tree of links and joints.
//!
//! [`read`] checks a text and returns a [`Robot`]; [`items`] converts it to the mechanism language:
//!
//! | URDF | language |
//! |---|---|
//! | link with its inertial | `body trunk { mass: 9.2, inertia: [[…], […], […]], com: […] }`, the tensor in the link's axes, R I Rᵀ |
//! | joint origin | an end `trunk at [x, y, z]`; if it is rotated, `marker hip_frame = trunk at [x, y, z] { rotation: euler(zyx, [yaw, pitch, roll])
//! };` |
//! | revolute, continuous | `joint hip = revolute(hip_frame, thigh) { axis: […] };` |
//! | prismatic | `prismatic(…) { axis: […] }` |
//! | fixed, floating | `fixed(…)`, `free(…)` |
//! | planar | `planar(…) { normal: […] }` |
//! | mimic | `coupling finger_mimic = finger.angle == 2 * thumb.angle + 0.1;` (`.position` of a prismatic joint) |
//! | limits, damping, friction | `const hip_lower = -1;`, `_upper`, `_effort`, `_velocity`, `_damping`, `_friction`, where given, and
//! [`Limits`](mbs_definition::Limits): data to use, no force is added |
//! | visuals | [`Solid`](mbs_definition::Solid)s, colours of materials; instead of meshes, which are not read, the collisions |
//!
//! The file of a complete mechanism ([`Standalone`]) also has gravity, a joint that fixes or frees its root, and motors.
//!
//! The child's frame coincides with the joint frame at zero, so that an axis has the same components in both ends. The root
//! link is a body like the others, to be fixed or freed by the declaration; but a root called `world` without mass is `ground`.
//! Limits of a continuous joint have no meaning and are left out; transmissions, sensors, plugins, safety controllers and
//! calibrations are ignored. Data that are not given have the defaults of the specification: an origin is the identity, an axis
//! [1, 0, 0], a link without inertial has no mass.
//!
//! # Names
//! Names become identifiers: characters other than ASCII letters, digits and `_` become `_`, a leading digit gets a `_` before it,
//! words of Rust and of the language a `_` after them. A joint with the name of a link gets `_joint`. Names that would still be equal are
//! reported. Docs of the items contain the names of the file.
//!
//! # Limits
//! Files may come from anywhere. A text has at most [`MOST_BYTES`] bytes, 1,000,000 nodes, some 1,000 attributes per element and 100
//! namespaces; a robot at most [`MOST_LINKS`] links and as many joints. Document types, and with them entities, are refused. Nothing
//! recurses. No input makes the reader panic.
//!
//! # Source
//! The URDF XML specification, <http://wiki.ros.org/urdf/XML>; `urdf.xsd` and the parser of urdfdom, where it is silent.

mod axes;
mod document;
mod element;
mod inertia;
mod items;
mod joints;
mod limits;
mod links;
mod names;
mod pose;
mod robot;
mod shapes;
mod solids;
mod standalone;
mod tree;
mod write;

pub use document::{MOST_BYTES, MOST_LINKS};
pub use items::{LinkArguments, RobotOptions, items};
pub use robot::{Dynamics, Geometry, Inertial, Joint, JointType, Limit, Link, Mimic, Pose, Robot, Shape, Spanned};
pub use standalone::{Base, Standalone, printable_robot_name, type_name};

use std::ops::Range;

use mbs_definition::{Errors, Origin};

use element::Reader;

/// Makes an origin of a range of bytes of the text, in the front end's table of sources.
pub type MakeOrigin<'p> = &'p mut dyn FnMut(Range<usize>) -> Origin;

/// Marks a failure whose mistake is in the list already.
struct Reported;

type Read<T> = Result<T, Reported>;

/// Reads a URDF text. The robot is a tree of links with one root; its joints connect links that exist, its numbers are finite, and its inertias are
/// physically possible. `None` if mistakes were added to `errors`.
///
/// Mistakes are collected per stage (XML, elements, tree), and a stage with mistakes is the last.
pub fn read(text: &str, make_origin: MakeOrigin<'_>, errors: &mut Errors) -> Option<Robot> {
    let mut reader = Reader::new(text, make_origin, errors);
    let robot = document::robot(&mut reader).ok()?;
    if reader.is_sound() {
        tree::check(&robot, &mut reader);
    }
    reader.is_sound().then_some(robot)
}
