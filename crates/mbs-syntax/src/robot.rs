//! The text of a URDF file as a mechanism.

use mbs_definition::{Definition, Errors, Origin, Space};
use mbs_import::urdf::{self, Robot, RobotOptions, Standalone};

use crate::{Parsed, Sources};

pub(crate) fn parse(path: &str, text: &str) -> Parsed {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let (mut sources, mut errors) = (Sources::for_text(path, text), Errors::new());
    let robot = urdf::read(text, &mut |bytes| sources.bytes(bytes), &mut errors);
    let definitions = robot.and_then(|robot| definition(&robot, &mut sources, &mut errors));
    Parsed { definitions: definitions.into_iter().collect(), sources, errors }
}

fn definition(robot: &Robot, sources: &mut Sources, errors: &mut Errors) -> Option<Definition> {
    let mut make_origin = |bytes| -> Origin { sources.bytes(bytes) };
    let options = RobotOptions { alone: Some(&Standalone::default()), ..RobotOptions::default() };
    let items = urdf::items(robot, options, &mut make_origin, errors)?;
    let name = urdf::type_name(robot, &mut make_origin);
    let docs = format!("Robot `{}`.", urdf::printable_robot_name(robot));
    Some(Definition { docs, visibility: "pub".to_owned(), space: Space::Spatial, name, items })
}
