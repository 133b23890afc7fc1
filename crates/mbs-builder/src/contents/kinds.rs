//! Kinds of joints in the form of the language.

use mbs_definition::Origin;

use super::NodeId;
use crate::name::Name;

/// A kind in the form of the language.
#[derive(Clone, Debug)]
pub(crate) struct JointKindItem {
    pub docs: String,
    pub name: Name,
    pub origin: Origin,
    /// Both ends, then arguments with their defaults.
    pub parameters: Vec<Local>,
    pub coordinates: Vec<Coordinate>,
    pub speeds: Vec<Local>,
    /// At most one; a second one is a mistake.
    pub kinematics: Vec<Local>,
    /// The arguments `rotation` and `translation`.
    pub pose: Vec<(Local, NodeId)>,
    pub rows: Vec<(Option<Local>, NodeId)>,
}

/// A name in a kind, with the value after it: a default, or a size.
#[derive(Clone, Debug)]
pub(crate) struct Local {
    pub name: String,
    pub origin: Origin,
    pub value: Option<NodeId>,
}

/// `coordinate name: angle = start;`, `coordinate name: [2] = start;`
#[derive(Clone, Debug)]
pub(crate) struct Coordinate {
    pub local: Local,
    pub is_angle: bool,
    pub start: NodeId,
}

impl JointKindItem {
    /// The nodes that the kind uses.
    pub(crate) fn nodes(&self) -> Vec<NodeId> {
        let coordinates = self.coordinates.iter().flat_map(|c| c.local.value.into_iter().chain([c.start]));
        let named = self.parameters.iter().chain(&self.speeds).chain(&self.kinematics).filter_map(|local| local.value);
        let pose = self.pose.iter().map(|(_, value)| *value);
        let rows = self.rows.iter().map(|(_, equation)| *equation);
        named.chain(coordinates).chain(pose).chain(rows).collect()
    }

    /// The names declared inside the kind.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        let locals = self.parameters.iter().chain(&self.speeds).chain(self.coordinates.iter().map(|c| &c.local));
        locals.map(|local| local.name.as_str())
    }
}
