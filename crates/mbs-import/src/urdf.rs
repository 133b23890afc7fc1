//! URDF, the robot descriptions of ROS: a tree of links and joints.
//!
//! [`import_items`] converts a robot to items of the mechanism language, [`import_mechanism`] to a complete mechanism. Both need the feature `urdf`;
//! without it they report that. [`read`] checks a text and returns a [`Robot`]; [`items`] converts it:
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

mod options;

#[cfg(not(feature = "urdf"))]
mod absent;
#[cfg(feature = "urdf")]
mod reader;

#[cfg(not(feature = "urdf"))]
pub use absent::*;
pub use options::{Base, LinkArguments, MOST_BYTES, MakeOrigin, RobotOptions, Standalone};
#[cfg(feature = "urdf")]
pub use reader::*;
