//! Rank of the rows at the assembled pose and at others: dependent everywhere is redundant, here only is a singular pose.

use mbs_core::math::irrational;
use mbs_definition::{Errors, Space};
use mbs_model::{Joint, Model, catalog};
use mbs_physics::linear::{SparseRow, dependent_rows, solve};

use super::Context;
use super::assemble::{Wanted, assemble, saddle, size_metric};
use super::blame::{Bodies, Dependence, Gains, dependences_of};
use super::elements::{elements, is_drive};
use super::stand_ins::is_known;

/// Reports rows that depend on others. Where derivatives are not known, the pose is not, either: it may be singular only because it is not assembled, and
/// the one to judge by, if any, is returned.
pub fn check(context: &Context<'_>, pose: &[f64], errors: &mut Errors) -> Option<Vec<f64>> {
    let deficiency = |q: &[f64]| dependent_rows(&(context.evaluate)(q, false).jacobian).len();
    let here = deficiency(pose);
    if here == 0 {
        return None;
    }
    let free: Vec<usize> =
        (0..context.tree.n_position).filter(|r| !is_drive(context.model, context.tree, *r)).collect();
    let poses = generic_poses(context, free, pose);
    // A structure that cannot move has no other pose to be judged at.
    let best = poses.iter().map(|q| (deficiency(q), q)).min_by_key(|(d, _)| *d);
    let (there, generic) = best.map_or((here, pose), |(d, q)| (d, q.as_slice()));
    if there < here && context.unknown.any_derivatives() && is_regular(context, pose) {
        return Some(generic.to_vec());
    }
    let bodies = Bodies::new(context.model, context.tree);
    let at = if there == 0 { pose } else { generic };
    let dependences = bodies.dependences(context.model, context.tree, at, &|_| true);
    if dependences.is_empty() {
        // Rows of the elements are those of this formulation then, not of `bodies`.
        let rows = (context.evaluate)(at, false).jacobian;
        for dependence in dependences_of(&elements(context.model, context.tree), context.tree, &rows) {
            match there {
                0 => singular(context.model, &dependence, &Gains::default(), errors),
                _ => redundant(context.model, &dependence, errors),
            }
        }
    }
    for dependence in dependences {
        // Redundant rows have been left out, where that is declared, except drives and rows that are not known.
        let known = |r: &usize| is_known(&bodies.model, &bodies.tree.rows[*r]);
        let stays = dependence.element.is_drive() || !dependence.element.rows.iter().all(known);
        let resolved = context.model.redundant.is_some() && !stays;
        if there == 0 || resolved {
            let gains = bodies.gains(context.model, context.tree, (pose, generic), &dependence);
            singular(context.model, &dependence, &gains, errors);
        } else {
            redundant(context.model, &dependence, errors);
        }
    }
    None
}

/// Whether the rows of known derivatives are independent at a pose.
fn is_regular(context: &Context<'_>, pose: &[f64]) -> bool {
    let rows = (0..).zip((context.evaluate)(pose, false).jacobian).filter(|(r, _)| !context.unknown.derivatives(*r));
    dependent_rows(&rows.map(|(_, row)| row).collect::<Vec<SparseRow>>()).is_empty()
}

/// Up to two poses away from one, reached along the directions that some position rows leave free, with those rows assembled:
/// a fixed irrational pattern that serves for all mechanisms alike, projected, then followed a little.
///
/// A random pose assembled again would not do: a linkage that moves only because it is redundant (three equal parallel
/// cranks) has other poses, where it is rigid.
pub fn generic_poses(context: &Context<'_>, rows: Vec<usize>, pose: &[f64]) -> Vec<Vec<f64>> {
    let wanted = Wanted::rows(rows);
    let far = |x: &[f64], y: &[f64]| {
        let list = x.iter().zip(y).zip(&context.scales).map(|((x, y), s)| (x - y).abs() / s);
        list.fold(0.0, f64::max)
    };
    // In space the distance of two poses is that of their coordinates.
    let apart = |x: &[f64], y: &[f64]| match context.model.space {
        Space::Planar => far(x, y),
        Space::Spatial => {
            let length = context.scales.iter().copied().fold(1e-300, f64::max);
            x.iter().zip(y).map(|(x, y)| (x - y).abs() / length.max(1.0)).fold(0.0, f64::max)
        }
    };
    let moved = |(k, step): (usize, f64)| {
        let pattern = |(i, s): (usize, &f64)| s * irrational(k as f64 + 1.0, i);
        let direction = project(context, &wanted, pose, context.scales.iter().enumerate().map(pattern).collect())?;
        let size = far(&direction, &vec![0.0; direction.len()]);
        if size < 1e-9 {
            return None;
        }
        let start = context.moved(pose, &direction.into_iter().map(|d| step / size * d).collect::<Vec<f64>>());
        // At a singular pose the direction mixes those of several branches; the step then ends on one of them.
        assemble(context, &wanted, start).filter(|reached| (0.1 * step..4.0 * step).contains(&apart(reached, pose)))
    };
    [0.05, 0.1, 0.02, 0.2, 0.03, 0.07].into_iter().enumerate().filter_map(moved).take(2).collect()
}

/// The part of a direction that leaves the rows as they are.
pub fn project(context: &Context<'_>, wanted: &Wanted, pose: &[f64], direction: Vec<f64>) -> Option<Vec<f64>> {
    let (_, rows) = wanted.equations(context, &(context.evaluate)(pose, false));
    let dependent = dependent_rows(&rows);
    let kept = rows.into_iter().enumerate().filter(|(r, _)| dependent.binary_search(r).is_err());
    let kept: Vec<SparseRow> = kept.map(|(_, row)| row).collect();
    let mut right: Vec<f64> = direction.iter().zip(&context.scales).map(|(d, s)| d / (s * s)).collect();
    right.resize(direction.len() + kept.len(), 0.0);
    let mut x = solve(saddle(&size_metric(context), &kept), right).ok()?;
    x.truncate(direction.len());
    Some(x)
}

fn redundant(model: &Model, dependence: &Dependence<'_>, errors: &mut Errors) {
    let element = &dependence.element;
    let components: Vec<&str> = dependence.components.iter().map(String::as_str).collect();
    let joint = element.joint.map(|j| model.joint(j));
    let composed = joint.filter(|joint| model.space == Space::Planar && joint.is_composed());
    let mut remedy = match (composed, &components[..]) {
        (Some(joint), ["angle"]) => match freer(model.space, joint, "angle") {
            Some(kind) => format!("use `{kind}`, which leaves the angle free, or remove it"),
            None => "remove it".to_owned(),
        },
        (Some(_), [_, ..]) => "use a joint that holds less, such as `point_on_line`, or remove it".to_owned(),
        _ if element.is_drive() => "remove it: it has nothing left to move".to_owned(),
        _ => "remove it".to_owned(),
    };
    if !element.is_drive() && model.redundant.is_none() {
        remedy.push_str(", or write `redundant: resolve;`");
    }
    let message = match dependence.others.len() {
        0 => format!("{} holds nothing: no motion changes it", dependence.subject()),
        _ => format!("{} is redundant: {} the same already", dependence.subject(), dependence.holders()),
    };
    errors.push("MBS060", element.origin, message, Some(remedy));
}

/// The kind of joint that has the rows of a joint but one.
fn freer(space: Space, joint: &Joint, without: &str) -> Option<&'static str> {
    let rows: Vec<&str> = joint.rows.iter().map(|row| &*row.name).filter(|name| *name != without).collect();
    let mut kinds = catalog::joints(space).iter();
    Some(kinds.find(|kind| kind.ends == catalog::Ends::Two && kind.rows == rows)?.name)
}

/// Reports what is dependent at the declared pose alone.
pub fn singular(model: &Model, dependence: &Dependence<'_>, gains: &Gains<'_>, errors: &mut Errors) {
    let reason = match dependence.others.len() {
        0 => "no motion changes it there".to_owned(),
        _ => format!("{} the same there, not elsewhere", dependence.holders()),
    };
    let remedy = match (gains.turning.first(), dependence.element.is_drive()) {
        (Some(body), true) => format!("start with another `angle` of `{body}`, or drive another joint"),
        (Some(body), false) => format!("start from another pose: another `angle` of `{body}`, say, or `initial …`"),
        (None, _) => "start from another pose: `angle: …`, `position: …` or `initial …`".to_owned(),
    };
    errors.push(
        "MBS061",
        dependence.element.origin,
        format!("{} is singular at the declared pose of `{}`: {reason}{gains}", dependence.subject(), model.name),
        Some(remedy),
    );
}
