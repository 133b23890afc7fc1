//! M̂ x without forming M̂: accelerations of bodies outwards, forces inwards.

use mbs_expr::BodyId;
use mbs_model::{Body, BodyKind, Model};
use mbs_physics::{Mechanics, Tree};

use super::{symbols, variables};
use crate::graph::{Graph, NodeId, Sym, Symbol};

/// M̂ x = Σ J_Gᵀ m J_G x + J_ωᵀ I J_ω x in the plane, with the solver's accelerations for x.
///
/// Sums over the coordinates of a body go from the root of the tree outwards, so that each extends its parent's; the transposed map
/// propagates forces inwards.
pub fn planar_mass_product<'g>(graph: &'g Graph, mechanics: &Mechanics<'_, Sym<'g>>) -> Vec<NodeId> {
    let n = mechanics.tree.n();
    let all: Vec<Symbol> = (0..n as u32).map(Symbol::SolverAcceleration).collect();
    let (mut roots, mut forces) = (Vec::new(), Vec::new());
    let mut torques = vec![graph.constant(0.0); n];
    // The mass matrix of bodies in natural coordinates is constant.
    for (i, j, m) in mechanics.natural_mass() {
        let mut add = |i: usize, j: usize| {
            torques[i] = graph.add(torques[i], graph.mul(m.id(graph), graph.symbol(all[j])));
        };
        add(i, j);
        if i != j {
            add(j, i);
        }
    }
    let others = |(b, _): &(usize, &Body)| mechanics.planar().kinematics.body(BodyId(*b as u32)).basis.is_none();
    for (b, body) in mechanics.model.bodies.iter().enumerate().filter(others) {
        let columns = mechanics.planar().point_columns(body.com_marker);
        let mass = mechanics.value(body.mass).id(graph);
        for k in 0..2 {
            let add = |sum: NodeId, (column, x): (&[Sym<'g>; 2], &Symbol)| {
                graph.add(sum, graph.mul(column[k].id(graph), graph.symbol(*x)))
            };
            let acceleration = columns.iter().zip(&all).fold(graph.constant(0.0), add);
            roots.push(acceleration);
            forces.push(graph.mul(mass, acceleration));
        }
        if body.kind == BodyKind::Rigid {
            let inertia = mechanics.value(body.inertia[2]).id(graph);
            let derivatives = mechanics.planar().angle_derivatives(BodyId(b as u32));
            let part = |(i, derivative): &(usize, Sym<'g>)| graph.mul(derivative.id(graph), graph.symbol(all[*i]));
            let angular = derivatives.iter().map(part).fold(graph.constant(0.0), |sum, x| graph.add(sum, x));
            let torque = graph.mul(inertia, angular);
            for (i, derivative) in derivatives {
                torques[i] = graph.add(torques[i], graph.mul(derivative.id(graph), torque));
            }
        }
    }
    let inwards = graph.transposed_product(&roots, &forces, &all);
    inwards.into_iter().zip(torques).map(|(force, torque)| graph.add(force, torque)).collect()
}

/// M̂ x in space, by Newton–Euler recursion at zero speeds and without weight.
pub fn spatial_mass_product(graph: &Graph, model: &Model, tree: &Tree) -> Vec<NodeId> {
    let n = tree.n();
    let rest = vec![Sym::Literal(0.0); n];
    let a = symbols(graph, n, Symbol::SolverAcceleration);
    let q = symbols(graph, tree.n_q(), Symbol::SolverCoordinate);
    let moving = Mechanics::at_frozen_spatial_state(model, tree, variables(graph, model, tree), q, [&rest, &a]);
    let forces = moving.spatial().spatial_inertial_forces(false);
    graph.expand(&forces.iter().map(|s| s.id(graph)).collect::<Vec<_>>())
}
