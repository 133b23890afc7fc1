//! Reads robots.

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

pub use document::MOST_LINKS;
pub use items::items;
pub use robot::{Dynamics, Geometry, Inertial, Joint, JointType, Limit, Link, Mimic, Pose, Robot, Shape, Spanned};
pub use standalone::{printable_robot_name, type_name};

use mbs_definition::{Definition, Errors, Item, Space};

use super::options;
use super::{MakeOrigin, RobotOptions, Standalone};
use element::Reader;

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

/// The items of the robot in a URDF text; `None` if mistakes were added to `errors`.
pub fn import_items(
    text: &str,
    options: RobotOptions<'_>,
    make_origin: MakeOrigin<'_>,
    errors: &mut Errors,
) -> Option<Vec<Item>> {
    items(&read(text, make_origin, errors)?, options, make_origin, errors)
}

/// The robot in a URDF text as a complete mechanism, with a name made of the robot's; `None` if mistakes were added to `errors`.
pub fn import_mechanism(text: &str, make_origin: MakeOrigin<'_>, errors: &mut Errors) -> Option<Definition> {
    let robot = read(text, make_origin, errors)?;
    let options = RobotOptions { alone: Some(&Standalone::default()), ..RobotOptions::default() };
    let items = items(&robot, options, make_origin, errors)?;
    let name = type_name(&robot, make_origin);
    let docs = format!("Robot `{}`.", printable_robot_name(&robot));
    Some(Definition { docs, visibility: "pub".to_owned(), space: Space::Spatial, name, items })
}
