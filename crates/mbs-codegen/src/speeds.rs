//! A guess of the speeds: what constraints demand, `initial` holds, and declared velocities and `~` suggest, at the assembled
//! pose and default parameters.

use std::collections::BTreeMap;

use mbs_model::check::least_speeds;
use mbs_model::mechanics::{Mechanics, Tree};
use mbs_model::{Model, Op, RowLevel};

use crate::derive::{Equations, dependencies, partial, solver_mechanics};
use crate::evaluate::{Sampler, evaluate};
use crate::graph::{Graph, NodeId, Sym, Symbol};

/// Interface speeds.
pub fn guessed_speeds(
    graph: &Graph,
    model: &Model,
    tree: &Tree,
    equations: &Equations,
    sampler: &Sampler<'_>,
    assembled: &[f64],
) -> Vec<f64> {
    let n = equations.n;
    // In order of authority: rows, held conditions, guesses, declared velocities.
    let mut residuals: Vec<NodeId> = equations.psi.clone();
    let at_velocity_level = |list: &[(NodeId, RowLevel)]| -> Vec<NodeId> {
        list.iter().filter(|c| c.1 == RowLevel::Velocity).map(|c| c.0).collect()
    };
    residuals.extend(at_velocity_level(&equations.conditions));
    residuals.extend(at_velocity_level(&equations.guesses));
    residuals.extend(declared_velocities(graph, &solver_mechanics(graph, model, tree)));
    let number = |root: NodeId, v: &[f64]| {
        let symbol = |s: Symbol| match s {
            Symbol::SolverSpeed(i) => v.get(i as usize).copied().unwrap_or(0.0),
            other => sampler.symbol(assembled, other),
        };
        evaluate(graph, &[root], &symbol)[0]
    };
    let rows: Vec<(BTreeMap<usize, f64>, f64)> = residuals
        .iter()
        .map(|r| {
            let depends = dependencies(graph, *r);
            let moves = |i: &usize| depends.contains(&Symbol::SolverSpeed(*i as u32));
            let slope = |i: usize| (i, number(partial(graph, *r, Symbol::SolverSpeed(i as u32)), &[]));
            ((0..n).filter(moves).map(slope).collect(), -number(*r, &[]))
        })
        .collect();
    let speeds = least_speeds(n, &rows);
    graph.rate(&equations.interface).into_iter().map(|v| number(v, &speeds)).collect()
}

/// velocity of a body's origin − declared velocity, for each body that declares one.
fn declared_velocities<'g>(graph: &'g Graph, mechanics: &Mechanics<'_, Sym<'g>>) -> Vec<NodeId> {
    let mut residuals = Vec::new();
    for body in &mechanics.model.bodies {
        let Some(velocity) = body.velocity else { continue };
        let origin = mechanics.marker_point(body.origin_marker).map(|x| x.id(graph));
        for (axis, declared) in velocity.into_iter().enumerate() {
            if mechanics.model.exprs.any(declared, &|op| matches!(op, Op::Input(_))) {
                continue;
            }
            residuals.push(graph.sub(graph.rate(&[origin[axis]])[0], mechanics.value(declared).id(graph)));
        }
    }
    residuals
}
