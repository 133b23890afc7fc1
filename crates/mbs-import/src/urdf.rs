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

#[cfg(feature = "urdf")]
mod axes;
#[cfg(feature = "urdf")]
mod document;
#[cfg(feature = "urdf")]
mod element;
#[cfg(feature = "urdf")]
mod inertia;
#[cfg(feature = "urdf")]
mod items;
#[cfg(feature = "urdf")]
mod joints;
#[cfg(feature = "urdf")]
mod limits;
#[cfg(feature = "urdf")]
mod links;
#[cfg(feature = "urdf")]
mod names;
mod options;
#[cfg(feature = "urdf")]
mod pose;
#[cfg(feature = "urdf")]
mod robot;
#[cfg(feature = "urdf")]
mod shapes;
#[cfg(feature = "urdf")]
mod solids;
#[cfg(feature = "urdf")]
mod standalone;
#[cfg(feature = "urdf")]
mod tree;
#[cfg(feature = "urdf")]
mod write;

#[cfg(feature = "urdf")]
pub use document::MOST_LINKS;
#[cfg(feature = "urdf")]
pub use items::items;
pub use options::{Base, LinkArguments, MOST_BYTES, MakeOrigin, RobotOptions, Standalone};
#[cfg(feature = "urdf")]
pub use robot::{Dynamics, Geometry, Inertial, Joint, JointType, Limit, Link, Mimic, Pose, Robot, Shape, Spanned};
#[cfg(feature = "urdf")]
pub use standalone::{printable_robot_name, type_name};

use mbs_definition::{Definition, Errors, Item};

#[cfg(feature = "urdf")]
use element::Reader;

/// Marks a failure whose mistake is in the list already.
#[cfg(feature = "urdf")]
struct Reported;

#[cfg(feature = "urdf")]
type Read<T> = Result<T, Reported>;

/// Reads a URDF text. The robot is a tree of links with one root; its joints connect links that exist, its numbers are finite, and its inertias are
/// physically possible. `None` if mistakes were added to `errors`.
///
/// Mistakes are collected per stage (XML, elements, tree), and a stage with mistakes is the last.
#[cfg(feature = "urdf")]
pub fn read(text: &str, make_origin: MakeOrigin<'_>, errors: &mut Errors) -> Option<Robot> {
    let mut reader = Reader::new(text, make_origin, errors);
    let robot = document::robot(&mut reader).ok()?;
    if reader.is_sound() {
        tree::check(&robot, &mut reader);
    }
    reader.is_sound().then_some(robot)
}

/// The items of the robot in a URDF text; `None` if mistakes were added to `errors`.
#[cfg(feature = "urdf")]
pub fn import_items(
    text: &str,
    options: RobotOptions<'_>,
    make_origin: MakeOrigin<'_>,
    errors: &mut Errors,
) -> Option<Vec<Item>> {
    items(&read(text, make_origin, errors)?, options, make_origin, errors)
}

/// The robot in a URDF text as a complete mechanism, with a name made of the robot's; `None` if mistakes were added to `errors`.
#[cfg(feature = "urdf")]
pub fn import_mechanism(text: &str, make_origin: MakeOrigin<'_>, errors: &mut Errors) -> Option<Definition> {
    let robot = read(text, make_origin, errors)?;
    let options = RobotOptions { alone: Some(&Standalone::default()), ..RobotOptions::default() };
    let items = items(&robot, options, make_origin, errors)?;
    let name = type_name(&robot, make_origin);
    let docs = format!("Robot `{}`.", printable_robot_name(&robot));
    Some(Definition { docs, visibility: "pub".to_owned(), space: mbs_definition::Space::Spatial, name, items })
}

/// Without the feature `urdf`: adds `MBS070`, and returns `None`.
#[cfg(not(feature = "urdf"))]
pub fn import_items(
    _: &str,
    _: RobotOptions<'_>,
    make_origin: MakeOrigin<'_>,
    errors: &mut Errors,
) -> Option<Vec<Item>> {
    refuse(make_origin, errors);
    None
}

/// Without the feature `urdf`: adds `MBS070`, and returns `None`.
#[cfg(not(feature = "urdf"))]
pub fn import_mechanism(_: &str, make_origin: MakeOrigin<'_>, errors: &mut Errors) -> Option<Definition> {
    refuse(make_origin, errors);
    None
}

/// Reports that URDF cannot be read.
#[cfg(not(feature = "urdf"))]
fn refuse(make_origin: MakeOrigin<'_>, errors: &mut Errors) {
    let help = "add `\"urdf\"` to the features of `mbs` in `Cargo.toml` (of `mbs-codegen`, for a build script)";
    let message = "robots in URDF need the feature `urdf`";
    errors.push("MBS070", make_origin(0..0), message.to_owned(), Some(help.to_owned()));
}

#[cfg(all(test, not(feature = "urdf")))]
mod tests {
    use mbs_definition::{Errors, Origin};

    use super::{RobotOptions, import_items};

    #[test]
    fn a_robot_without_the_feature_is_a_mistake_that_names_it() {
        let mut errors = Errors::new();
        let items = import_items("<robot/>", RobotOptions::default(), &mut |_| Origin::NONE, &mut errors);
        assert!(items.is_none());
        let [mistake] = errors.list() else { panic!("one mistake: {:?}", errors.list()) };
        assert_eq!((mistake.code, &*mistake.message), ("MBS070", "robots in URDF need the feature `urdf`"));
    }
}
