//! Poses, markers and Jacobians of bodies in the plane.

use mbs_definition::Space;
use mbs_expr::{BodyId, MarkerId};
use mbs_physics::Mechanics;

use crate::graph::{Graph, NodeId, Sym};

/// World position x, y of the origin and angle of every body frame.
pub fn poses<'g>(graph: &'g Graph, mechanics: &Mechanics<'_, Sym<'g>>) -> Vec<Vec<NodeId>> {
    let pose = |b: usize| {
        let body = BodyId(b as u32);
        let origin = mechanics.planar().kinematics.world_sum(&mechanics.planar().kinematics.body(body).origin);
        [origin[0], origin[1], mechanics.planar().kinematics.angle(body)].map(|s| s.id(graph)).to_vec()
    };
    (0..mechanics.model.bodies.len()).map(pose).collect()
}

/// World positions of the drawn markers, two or three components each.
pub fn markers<'g>(graph: &'g Graph, mechanics: &Mechanics<'_, Sym<'g>>) -> Vec<(MarkerId, Vec<NodeId>)> {
    let dimension = if mechanics.model.space == Space::Planar { 2 } else { 3 };
    let position = |m: MarkerId| mechanics.marker_point(m)[..dimension].iter().map(|s| s.id(graph)).collect();
    mechanics.model.drawn_markers().into_iter().map(|m| (m, position(m))).collect()
}

/// Twist Jacobian of every body with respect to the solver's speeds: rows v_x, v_y of the frame's origin and ω, n columns.
pub fn body_jacobians<'g>(graph: &'g Graph, mechanics: &Mechanics<'_, Sym<'g>>) -> Vec<Vec<Vec<NodeId>>> {
    let n = mechanics.tree.n();
    let jacobian = |b: usize| {
        let columns = mechanics.planar().point_columns(mechanics.model.bodies[b].origin_marker);
        let rotation = mechanics.planar().angle_derivatives(BodyId(b as u32));
        let entry = |i: usize| rotation.iter().find(|(k, _)| *k == i).map_or(graph.constant(0.0), |(_, x)| x.id(graph));
        let linear = |k: usize| columns.iter().map(|c| c[k].id(graph)).collect();
        let angular = (0..n).map(entry).collect();
        vec![linear(0), linear(1), angular]
    };
    (0..mechanics.model.bodies.len()).map(jacobian).collect()
}
