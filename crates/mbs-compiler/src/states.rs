//! States at which the compiler evaluates expressions: the assembled pose at default parameters, and others that may occur in a run.

use mbs_check::interface_coordinates;
use mbs_core::math::irrational;
use mbs_model::Model;
use mbs_physics::{Tree, default_symbol_values};

use crate::evaluate::evaluate;
use crate::graph::{Graph, NodeId, Symbol};

/// The other states: time \[s\], and factor of their irrational speeds, auxiliary states and inputs.
const OTHER_STATES: [(f64, f64); 4] = [(1.0, 1.0), (10.0, 3.0), (100.0, 10.0), (1000.0, 30.0)];

/// Sample states, the assembled one first.
pub struct States {
    parameters: Vec<f64>,
    list: Vec<State>,
}

struct State {
    t: f64,
    /// Solver and interface coordinates.
    coordinates: [Vec<f64>; 2],
    /// Speeds of solver and interface, for which the same numbers serve.
    speeds: Vec<f64>,
    auxiliary: Vec<f64>,
    /// Factor of irrational inputs.
    input_factor: f64,
}

impl States {
    /// The assembled pose, given in solver coordinates, with its speeds, and poses around it at other times.
    pub fn new(model: &Model, tree: &Tree, assembled: &[f64], speeds: Vec<f64>) -> States {
        let (parameters, auxiliary) = default_symbol_values(model);
        let coordinates = |solver: Vec<f64>| {
            let interface = interface_coordinates(model, tree, &solver);
            [solver, interface]
        };
        let start = State {
            t: 0.0,
            coordinates: coordinates(assembled.to_vec()),
            speeds,
            auxiliary: auxiliary.clone(),
            input_factor: 0.0,
        };
        let poses = mbs_check::poses_around(model, tree, assembled);
        let around = poses.into_iter().zip(OTHER_STATES).map(|(pose, (t, factor))| State {
            t,
            coordinates: coordinates(pose),
            speeds: (0..tree.n()).map(|i| factor * irrational(2.0 + t, i)).collect(),
            auxiliary: auxiliary.iter().enumerate().map(|(i, z)| z + factor * irrational(3.0 + t, i)).collect(),
            input_factor: factor,
        });
        States { parameters, list: std::iter::once(start).chain(around).collect() }
    }

    /// Values of nodes at each state: one list for each state, in the order of `nodes`. Symbols that belong to no state, such as the length of
    /// a step, are zero.
    pub fn values(&self, graph: &Graph, nodes: &[NodeId]) -> Vec<Vec<f64>> {
        let value = |state: &State, symbol: Symbol| match symbol {
            Symbol::Parameter(i) => self.parameters[i as usize],
            Symbol::Time => state.t,
            Symbol::SolverCoordinate(i) => state.coordinates[0][i as usize],
            Symbol::Coordinate(i) => state.coordinates[1][i as usize],
            Symbol::Speed(i) | Symbol::SolverSpeed(i) => state.speeds[i as usize],
            Symbol::Auxiliary(i) => state.auxiliary[i as usize],
            Symbol::Input(i) => state.input_factor * irrational(4.0 + state.t, i as usize),
            _ => 0.0,
        };
        self.list.iter().map(|state| evaluate(graph, nodes, &|symbol| value(state, symbol))).collect()
    }
}
