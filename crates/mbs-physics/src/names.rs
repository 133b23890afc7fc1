//! Names of everything that a state or a report has an index for.

use mbs_core::Item;
use mbs_model::{Model, Output, Quantity};

use crate::Tree;

/// Names of the items of a mechanism in a formulation, each list in index order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ItemNames {
    /// Interface coordinates q: `crank.x`, `hinge.angle`.
    pub coordinates: Vec<String>,
    /// Interface speeds v: `crank.vx`, `hinge.rate`.
    pub speeds: Vec<String>,
    /// Constraint rows of the formulation, and their multipliers: `pin.x`, `spin`.
    pub rows: Vec<String>,
    /// Auxiliary states z, flat: `charge`, `charge[1]`; then memories: `memory[0]`.
    pub auxiliary: Vec<String>,
    /// Inputs u, flat.
    pub inputs: Vec<String>,
    /// Outputs, flat: components of plane and space vectors are `tip.x`, of others `tip[3]`. Empty without the kernel.
    pub outputs: Vec<String>,
    /// Bodies and particles.
    pub bodies: Vec<String>,
    /// Drawn markers.
    pub markers: Vec<String>,
    /// Joints.
    pub joints: Vec<String>,
    /// Forces.
    pub forces: Vec<String>,
    /// Parameters, flat, matrices row-major: `k`, `k[1]`, `j[1][2]`.
    pub parameters: Vec<String>,
    /// Exact `initial` conditions, then those that handlers of events impose.
    pub conditions: Vec<String>,
    /// Events.
    pub events: Vec<String>,
    /// Functions that are called.
    pub functions: Vec<String>,
}

impl ItemNames {
    /// The name of an item; empty for the mechanism itself, and if there is no such item.
    pub fn item_name(&self, item: Item) -> &str {
        let (names, index) = match item {
            Item::Coordinate(i) => (&self.coordinates, i),
            Item::Speed(i) => (&self.speeds, i),
            Item::Row(i) => (&self.rows, i),
            Item::Auxiliary(i) => (&self.auxiliary, i),
            Item::Input(i) => (&self.inputs, i),
            Item::Output(i) => (&self.outputs, i),
            Item::Body(i) => (&self.bodies, i),
            Item::Marker(i) => (&self.markers, i),
            Item::Joint(i) => (&self.joints, i),
            Item::Force(i) => (&self.forces, i),
            Item::Parameter(i) => (&self.parameters, i),
            Item::Condition(i) => (&self.conditions, i),
            Item::Event(i) => (&self.events, i),
            Item::Function(i) => (&self.functions, i),
            _ => return "",
        };
        names.get(index).map_or("", String::as_str)
    }

    /// Names of a model in the coordinates of a tree.
    pub fn new(model: &Model, tree: &Tree) -> ItemNames {
        let outputs = model.outputs.iter().filter(|_| model.settings.kernels.outputs);
        let states = model.quantities.auxiliary.iter().flat_map(|a| flat_names(&a.quantity));
        ItemNames {
            coordinates: (0..tree.n_q()).map(|i| tree.coordinate_name(model, i)).collect(),
            speeds: (0..tree.n()).map(|i| tree.speed_name(model, i)).collect(),
            rows: tree.rows.iter().map(|r| r.name.clone()).collect(),
            auxiliary: states.chain((0..model.quantities.memories.len()).map(|i| format!("memory[{i}]"))).collect(),
            inputs: model.quantities.inputs.iter().flat_map(flat_names).collect(),
            outputs: outputs.flat_map(output_names).collect(),
            bodies: model.bodies.iter().map(|b| b.name.clone()).collect(),
            markers: model.markers.iter().filter(|m| m.drawn).map(|m| m.name.clone()).collect(),
            joints: model.joints.iter().map(|j| j.name.clone()).collect(),
            forces: model.loads.forces.iter().map(|f| f.name.clone()).collect(),
            parameters: model.quantities.parameters.iter().flat_map(flat_names).collect(),
            conditions: model.imposed_conditions().map(|c| c.name.clone()).collect(),
            events: model.events.iter().map(|e| e.name.clone()).collect(),
            functions: model.functions.iter().map(|f| f.name.clone()).collect(),
        }
    }
}

/// `k`, `k[1]`, `j[1][2]`.
fn flat_names(quantity: &Quantity) -> Vec<String> {
    let name = &quantity.name;
    match quantity.shape[..] {
        [] => vec![name.clone()],
        [_, columns] => (0..quantity.size()).map(|i| format!("{name}[{}][{}]", i / columns, i % columns)).collect(),
        _ => (0..quantity.size()).map(|i| format!("{name}[{i}]")).collect(),
    }
}

/// `energy`, `tip.x`, `angles[4]`, `attitude[0][2]`.
fn output_names(output: &Output) -> Vec<String> {
    let name = &output.name;
    match output.shape[..] {
        [] => vec![name.clone()],
        [n @ (2 | 3)] => ["x", "y", "z"][..n].iter().map(|c| format!("{name}.{c}")).collect(),
        [_, columns] => (0..output.values.len()).map(|i| format!("{name}[{}][{}]", i / columns, i % columns)).collect(),
        _ => (0..output.values.len()).map(|i| format!("{name}[{i}]")).collect(),
    }
}
