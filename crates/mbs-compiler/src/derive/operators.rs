//! Quantities for operators: Jacobians of markers and of the centre of mass, generalised weights, M̂ â.

use mbs_expr::MarkerId;
use mbs_physics::Mechanics;

use super::{OperatorTerms, inertia};
use crate::graph::{Graph, NodeId, Sym};

/// Jacobian of a marker in solver speeds: a row for each world component of its velocity.
type Rows = Vec<Vec<NodeId>>;

/// Derives all quantities of [`OperatorTerms`] in the plane.
pub fn planar_operators<'g>(graph: &'g Graph, mechanics: &Mechanics<'_, Sym<'g>>) -> OperatorTerms {
    let rows = |marker: MarkerId| -> Rows {
        let columns = mechanics.planar().point_columns(marker);
        [0, 1].map(|k| columns.iter().map(|c| c[k].id(graph)).collect()).to_vec()
    };
    let mut terms = point_jacobians(graph, mechanics, 2, &rows);
    terms.weights = weights(graph, mechanics, &rows);
    terms.mass_product = inertia::planar_mass_product(graph, mechanics);
    terms
}

/// Jacobians in space, without weights and M̂ â, which the recursion gives.
pub fn spatial_jacobians<'g>(graph: &'g Graph, mechanics: &Mechanics<'_, Sym<'g>>) -> OperatorTerms {
    let (model, tree) = (mechanics.model, mechanics.tree);
    let rows = |marker: MarkerId| -> Rows {
        let mut rows = vec![vec![graph.constant(0.0); tree.n()]; 3];
        let marker = &model.markers[marker.index()];
        let point = mechanics.vector(marker.point);
        let columns = marker.body.map(|body| mechanics.spatial().state.columns(tree, body.index(), point));
        for column in columns.into_iter().flatten() {
            rows.iter_mut().zip(column.linear).for_each(|(row, x)| row[column.speed] = x.id(graph));
        }
        rows
    };
    point_jacobians(graph, mechanics, 3, &rows)
}

/// Jacobians of drawn markers and of the centre of mass, weights and M̂ â left empty.
fn point_jacobians<'g>(
    graph: &'g Graph,
    mechanics: &Mechanics<'_, Sym<'g>>,
    dimension: usize,
    rows: &dyn Fn(MarkerId) -> Rows,
) -> OperatorTerms {
    let (center, center_jacobian) = center_of_mass(graph, mechanics, dimension, rows);
    let marker_jacobians = mechanics.model.drawn_markers().into_iter().map(rows).collect();
    OperatorTerms { marker_jacobians, center, center_jacobian, weights: Vec::new(), mass_product: Vec::new() }
}

/// Centre of mass Σ m r / Σ m and its Jacobian Σ m J / Σ m; empty if there is no mass.
fn center_of_mass<'g>(
    graph: &'g Graph,
    mechanics: &Mechanics<'_, Sym<'g>>,
    dimension: usize,
    rows: &dyn Fn(MarkerId) -> Rows,
) -> (Vec<NodeId>, Rows) {
    let zero = graph.constant(0.0);
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
    let inverse = graph.inv(total);
    let scaled = |x: &mut NodeId| *x = graph.mul(*x, inverse);
    center.iter_mut().for_each(scaled);
    jacobian.iter_mut().flatten().for_each(scaled);
    (center, jacobian)
}

/// Generalised forces of weight: Σ Jᵀ m g.
fn weights<'g>(graph: &'g Graph, mechanics: &Mechanics<'_, Sym<'g>>, rows: &dyn Fn(MarkerId) -> Rows) -> Vec<NodeId> {
    let mut weights = vec![graph.constant(0.0); mechanics.tree.n()];
    let Some(gravity) = mechanics.model.loads.gravity else { return weights };
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
