//! Power of forces.

use mbs_definition::Space;
use mbs_expr::{ExprId, Op};
use mbs_model::{Load, RowLevel};
use mbs_physics::Mechanics;
use rustc_hash::FxHashMap;

use crate::graph::{Graph, NodeId, Sym, Symbol, dependencies};
use crate::reactions::expression_derivatives;

/// Power of a force: Q̂_forceᵀ v̂, plus its power on prescribed motion. `forces` is Q̂_force, n; `loads` are those of the force.
pub fn power<'g>(graph: &'g Graph, mechanics: &Mechanics<'_, Sym<'g>>, loads: &[Load], forces: &[Sym<'g>]) -> NodeId {
    let term = |(i, q): (usize, &Sym<'g>)| graph.mul(q.id(graph), graph.symbol(Symbol::SolverSpeed(i as u32)));
    let on_speeds = forces.iter().enumerate().map(term).fold(graph.constant(0.0), |sum, x| graph.add(sum, x));
    if mechanics.tree.prescribed.is_empty() {
        return on_speeds;
    }
    let mut prescribed = PrescribedPower { graph, mechanics, sum: graph.constant(0.0) };
    loads.iter().for_each(|load| prescribed.add_load(load));
    graph.add(on_speeds, prescribed.sum)
}

/// Power of loads on prescribed motion alone, with all speeds zero.
struct PrescribedPower<'a, 'g, 'm> {
    graph: &'g Graph,
    mechanics: &'a Mechanics<'m, Sym<'g>>,
    sum: NodeId,
}

impl<'g> PrescribedPower<'_, 'g, '_> {
    fn add_load(&mut self, load: &Load) {
        let mechanics = self.mechanics;
        match *load {
            Load::Force { at, force } => {
                for (x, f) in mechanics.marker_point(at).into_iter().zip(force) {
                    self.add(mechanics.value(f), self.rate(x));
                }
            }
            Load::Torque { on, torque } if mechanics.model.space == Space::Planar => {
                self.add(mechanics.value(torque[2]), self.rate(mechanics.marker_angle(on)));
            }
            Load::Torque { on, torque } => {
                let Some(body) = mechanics.model.markers[on.index()].body else { return };
                for (w, m) in mechanics.angular_velocity(body).into_iter().zip(torque) {
                    self.add(mechanics.value(m), w.id(self.graph));
                }
            }
            Load::Generalized { coordinate, value } => self.add_generalized_load(coordinate, mechanics.value(value)),
            Load::Potential(v) => self.add_generalized_load(v, Sym::Literal(-1.0)),
        }
    }

    /// Adds the power of a generalised load on an expression: load times the rate of the expression. Its explicit dependence on time does no
    /// work.
    fn add_generalized_load(&mut self, e: ExprId, load: Sym<'g>) {
        let mechanics = self.mechanics;
        for (observable, derivative) in expression_derivatives(self.graph, mechanics, e, RowLevel::Position) {
            let load = load * derivative;
            match observable {
                // Ground markers depend on time alone.
                Op::Position(m, _) | Op::Direction(m, ..) | Op::Angle(m)
                    if mechanics.model.markers[m.index()].body.is_none() => {}
                Op::Position(m, c) => self.add(load, self.rate(mechanics.marker_point(m)[usize::from(c)])),
                Op::Direction(m, axis, c) => self.add(load, self.rate(mechanics.marker_axis(m, axis)[usize::from(c)])),
                Op::Angle(m) => self.add(load, self.rate(mechanics.marker_angle(m))),
                Op::JointCoordinate(j, k) => match mechanics.tree.prescribed(j, k) {
                    Some(given) => self.add(load, self.rate(mechanics.value(given))),
                    None if mechanics.joint_solver_index(j, k).is_some() => {}
                    None => self.add_generalized_load(mechanics.model.joint(j).coordinates[usize::from(k)].1, load),
                },
                _ => {}
            }
        }
    }

    fn rate(&self, x: Sym<'g>) -> NodeId {
        self.graph.rate(&[x.id(self.graph)])[0]
    }

    /// Adds load times rate, with speeds zero.
    fn add(&mut self, load: Sym<'g>, rate: NodeId) {
        let graph = self.graph;
        let rate = graph.expand(&[rate])[0];
        let speeds = dependencies(graph, rate).into_iter().filter(|s| matches!(s, Symbol::SolverSpeed(_)));
        let zero_speeds: FxHashMap<NodeId, NodeId> = speeds.map(|s| (graph.symbol(s), graph.constant(0.0))).collect();
        let rate = graph.substitute(&[rate], &zero_speeds)[0];
        self.sum = graph.add(self.sum, graph.mul(load.id(graph), rate));
    }
}
