//! Jacobians of markers, centre of mass, weights.

use mbs_expr::MarkerId;
use mbs_physics::Mechanics;

use super::{Places, inertia};
use crate::graph::{Graph, NodeId, Sym};

/// Velocity components of a marker by solver speeds: rows of its Jacobian.
type Rows = Vec<Vec<NodeId>>;

/// Derives the quantities of [`Places`] in the plane.
pub fn in_the_plane<'g>(graph: &'g Graph, mechanics: &Mechanics<'_, Sym<'g>>) -> Places {
    let rows = |marker: MarkerId| -> Rows {
        let columns = mechanics.point_columns(marker);
        [0, 1].map(|k| columns.iter().map(|c| c[k].id(graph)).collect()).to_vec()
    };
    let mut places = of_markers(graph, mechanics, 2, &rows);
    places.weights = weights(graph, mechanics, &rows);
    places.inertia_times = inertia::in_the_plane(graph, mechanics);
    places
}

/// Jacobians in space; the recursion gives weights and M̂ â.
pub fn in_space<'g>(graph: &'g Graph, mechanics: &Mechanics<'_, Sym<'g>>) -> Places {
    let (model, tree) = (mechanics.model, mechanics.tree);
    let rows = |marker: MarkerId| -> Rows {
        let mut rows = vec![vec![graph.number(0.0); tree.n()]; 3];
        let marker = &model.markers[marker.index()];
        let point = mechanics.vector(marker.point);
        let columns = marker.body.map(|body| mechanics.space.columns(tree, body.index(), point));
        for column in columns.into_iter().flatten() {
            rows.iter_mut().zip(column.linear).for_each(|(row, x)| row[column.speed] = x.id(graph));
        }
        rows
    };
    of_markers(graph, mechanics, 3, &rows)
}

fn of_markers<'g>(
    graph: &'g Graph,
    mechanics: &Mechanics<'_, Sym<'g>>,
    dimension: usize,
    rows: &dyn Fn(MarkerId) -> Rows,
) -> Places {
    let (center, center_jacobian) = center_of_mass(graph, mechanics, dimension, rows);
    let marker_jacobians = mechanics.model.drawn_markers().into_iter().map(rows).collect();
    Places { marker_jacobians, center, center_jacobian, weights: Vec::new(), inertia_times: Vec::new() }
}

/// Σ m r / Σ m and Σ m J / Σ m; empty if there is no mass.
fn center_of_mass<'g>(
    graph: &'g Graph,
    mechanics: &Mechanics<'_, Sym<'g>>,
    dimension: usize,
    rows: &dyn Fn(MarkerId) -> Rows,
) -> (Vec<NodeId>, Rows) {
    let zero = graph.number(0.0);
    let (mut total, mut center) = (zero, vec![zero; dimension]);
    let mut jacobian = vec![vec![zero; mechanics.tree.n()]; dimension];
    for body in &mechanics.model.bodies {
        let mass = mechanics.value(body.mass).id(graph);
        if mass == zero {
            continue;
        }
        let add = |sum: &mut NodeId, x: NodeId| *sum = graph.add(*sum, graph.mul(mass, x));
        total = graph.add(total, mass);
        let point = mechanics.marker_point(body.com_marker);
        center.iter_mut().zip(point).for_each(|(sum, x)| add(sum, x.id(graph)));
        let rows = rows(body.com_marker);
        jacobian.iter_mut().flatten().zip(rows.into_iter().flatten()).for_each(|(sum, x)| add(sum, x));
    }
    if total == zero {
        return (Vec::new(), Vec::new());
    }
    let over = graph.inv(total);
    let scaled = |x: &mut NodeId| *x = graph.mul(*x, over);
    center.iter_mut().for_each(scaled);
    jacobian.iter_mut().flatten().for_each(scaled);
    (center, jacobian)
}

/// Σ Jᵀ m g.
fn weights<'g>(graph: &'g Graph, mechanics: &Mechanics<'_, Sym<'g>>, rows: &dyn Fn(MarkerId) -> Rows) -> Vec<NodeId> {
    let mut weights = vec![graph.number(0.0); mechanics.tree.n()];
    let Some(gravity) = mechanics.model.gravity else { return weights };
    let gravity = gravity.map(|e| mechanics.value(e).id(graph));
    for body in &mechanics.model.bodies {
        let mass = mechanics.value(body.mass).id(graph);
        for (row, g) in rows(body.com_marker).into_iter().zip(gravity) {
            let force = graph.mul(mass, g);
            for (sum, x) in weights.iter_mut().zip(row) {
                *sum = graph.add(*sum, graph.mul(force, x));
            }
        }
    }
    weights
}
