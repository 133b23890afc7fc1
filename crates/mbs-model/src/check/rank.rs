//! Rank of the rows at the assembled pose and at others: dependent everywhere is redundant, here only is a singular pose.

use super::assemble::{Wanted, assemble};
use super::blame::{Bodies, Dependence};
use super::elements::is_drive;
use super::Context;
use crate::linear::dependent_rows;
use crate::{Errors, JointKind, Model};

/// Reports rows that depend on others.
pub fn check(context: &Context<'_>, pose: &[f64], errors: &mut Errors) {
    let deficiency = |q: &[f64]| dependent_rows(&(context.evaluate)(q, false).jacobian).len();
    let here = deficiency(pose);
    if here == 0 {
        return;
    }
    let free: Vec<usize> =
        (0..context.tree.n_position).filter(|r| !is_drive(context.model, context.tree, *r)).collect();
    let poses = generic_poses(context, free, pose);
    // A structure that cannot move has no other pose to be judged at.
    let best = poses.iter().map(|q| (deficiency(q), q)).min_by_key(|(d, _)| *d);
    let (there, generic) = best.map_or((here, pose), |(d, q)| (d, q.as_slice()));
    let bodies = Bodies::new(context.model);
    let at = if there == 0 { pose } else { generic };
    for dependence in bodies.dependences(context.model, context.tree, at, &|_| true) {
        if there == 0 {
            singular(context.model, &dependence, errors);
        } else {
            redundant(context.model, &dependence, errors);
        }
    }
}

/// Up to two poses away from one, with some rows assembled: small turns and shifts in a fixed irrational pattern that serves
/// for all mechanisms alike, then assembled again.
pub fn generic_poses(context: &Context<'_>, rows: Vec<usize>, pose: &[f64]) -> Vec<Vec<f64>> {
    let wanted = Wanted::rows(rows);
    let moved = |(k, step): (usize, f64)| {
        let shift = |i: usize| step * context.scales[i] * (k as f64 + 1.0 + 1.7 * i as f64).sin();
        let start: Vec<f64> = pose.iter().enumerate().map(|(i, x)| x + shift(i)).collect();
        let reached = assemble(context, &wanted, start)?;
        let far = reached.iter().zip(pose).zip(&context.scales).any(|((x, y), s)| (x - y).abs() > 1e-3 * step * s);
        far.then_some(reached)
    };
    [0.1, 0.2, 0.03, 0.01].into_iter().enumerate().filter_map(moved).take(2).collect()
}

fn redundant(model: &Model, dependence: &Dependence<'_>, errors: &mut Errors) {
    let element = &dependence.element;
    let remedy = match (element.joint.map(|j| model.joints[j.index()].kind), dependence.components.len()) {
        (Some(JointKind::Revolute | JointKind::Prismatic { .. } | JointKind::Fixed { .. }), 1..) => {
            "use a joint that holds less, such as `point_on_line`, or remove it"
        }
        _ if element.is_drive() => "remove it: it has nothing left to move",
        _ => "remove it",
    };
    let message = match dependence.others.len() {
        0 => format!("{} holds nothing: no motion changes it", dependence.subject()),
        _ => format!("{} is redundant: {} it", dependence.subject(), dependence.holders()),
    };
    errors.push("MBS060", element.origin, message, Some(remedy.to_owned()));
}

fn singular(model: &Model, dependence: &Dependence<'_>, errors: &mut Errors) {
    let reason = match dependence.others.len() {
        0 => "no motion changes it there".to_owned(),
        _ => format!("{} it there, not elsewhere", dependence.holders()),
    };
    errors.push(
        "MBS061",
        dependence.element.origin,
        format!("the declared pose of `{}` is singular at {}: {reason}", model.name, dependence.subject()),
        Some("start from another pose: `angle: …`, `position: …` or `initial …`".to_owned()),
    );
}
