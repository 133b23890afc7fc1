//! Rank of the rows at the assembled pose and at others. Rows that are dependent everywhere are redundant; rows that are dependent at the
//! assembled pose alone make it a singular configuration.

use mbs_core::math::irrational;
use mbs_definition::{Errors, Space};
use mbs_model::{Joint, Model, catalog};
use mbs_physics::linear::{SparseRow, dependent_rows, solve};

use super::Context;
use super::assemble::{Wanted, assemble, saddle, size_metric};
use super::conflicts::{Dependence, Gains, dependences_of};
use super::elements::{elements, is_drive};
use super::stand_ins::is_known;

/// Reports rows that depend on others (`MBS060`, `MBS061`). Where derivatives are not known, the pose need not be assembled, and may be singular
/// for that reason only; then the regular pose to use for the further checks is returned.
pub fn check(context: &Context<'_>, pose: &[f64], errors: &mut Errors) -> Option<Vec<f64>> {
    let deficiency = |q: &[f64]| dependent_rows(&context.sample(q, false).jacobian).len();
    let here = deficiency(pose);
    if here == 0 {
        return None;
    }
    let free: Vec<usize> =
        (0..context.tree.n_position).filter(|r| !is_drive(context.model, context.tree, *r)).collect();
    let poses = generic_poses(context, free, pose);
    // A structure that cannot move has no other pose.
    let best = poses.iter().map(|q| (deficiency(q), q)).min_by_key(|(d, _)| *d);
    let (there, generic) = best.map_or((here, pose), |(d, q)| (d, q.as_slice()));
    if there < here && context.unknown.any_derivatives() && is_regular(context, pose) {
        return Some(generic.to_vec());
    }
    let bodies = &context.bodies;
    let examined = if there == 0 { pose } else { generic };
    let dependences = bodies.dependences(context.model, context.tree, examined, &|_| true);
    if dependences.is_empty() {
        // Then the dependent rows exist in this formulation only, not in body coordinates.
        let rows = context.sample(examined, false).jacobian;
        for dependence in dependences_of(&elements(context.model, context.tree), context.tree, &rows) {
            match there {
                0 => report_singular(context.model, &dependence, &Gains::default(), errors),
                _ => report_redundant(context.model, &dependence, errors),
            }
        }
    }
    for dependence in dependences {
        // With `redundant: resolve`, redundant rows have been left out already, except drives and rows that are not known.
        let known = |r: &usize| is_known(&bodies.model, &bodies.tree.rows[*r]);
        let stays = dependence.element.is_drive() || !dependence.element.rows.iter().all(known);
        let resolved = context.model.settings.redundant.is_some() && !stays;
        if there == 0 || resolved {
            let gains = bodies.gains(context.model, context.tree, (pose, generic), &dependence);
            report_singular(context.model, &dependence, &gains, errors);
        } else {
            report_redundant(context.model, &dependence, errors);
        }
    }
    None
}

/// Whether the rows of known derivatives are independent at a pose.
fn is_regular(context: &Context<'_>, pose: &[f64]) -> bool {
    let rows = (0..).zip(context.sample(pose, false).jacobian).filter(|(r, _)| !context.unknown.derivatives(*r));
    dependent_rows(&rows.map(|(_, row)| row).collect::<Vec<SparseRow>>()).is_empty()
}

/// Up to two poses near a given one, at which some position rows are satisfied. Each is found by projecting a fixed irrational pattern, the same
/// for all mechanisms, on the directions that the rows leave free, and assembling after a short step in the projected direction.
///
/// A random pose assembled again does not serve the purpose: a linkage that moves only because it is redundant (three equal parallel
/// cranks) has other poses, where it is rigid.
pub fn generic_poses(context: &Context<'_>, rows: Vec<usize>, pose: &[f64]) -> Vec<Vec<f64>> {
    let wanted = Wanted::rows(rows);
    let scaled_distance = |x: &[f64], y: &[f64]| {
        let list = x.iter().zip(y).zip(&context.scales).map(|((x, y), s)| (x - y).abs() / s);
        list.fold(0.0, f64::max)
    };
    // In space the distance of two poses is the largest difference of their coordinates.
    let distance = |x: &[f64], y: &[f64]| match context.model.space {
        Space::Planar => scaled_distance(x, y),
        Space::Spatial => {
            let length = context.scales.iter().copied().fold(1e-300, f64::max);
            x.iter().zip(y).map(|(x, y)| (x - y).abs() / length.max(1.0)).fold(0.0, f64::max)
        }
    };
    let moved = |(k, step): (usize, f64)| {
        let pattern = |(i, s): (usize, &f64)| s * irrational(k as f64 + 1.0, i);
        let direction = project(context, &wanted, pose, context.scales.iter().enumerate().map(pattern).collect())?;
        let size = scaled_distance(&direction, &vec![0.0; direction.len()]);
        if size < 1e-9 {
            return None;
        }
        let start = context.displaced(pose, &direction.into_iter().map(|d| step / size * d).collect::<Vec<f64>>());
        // At a singular pose the direction mixes those of several branches; the step then ends on one of them.
        assemble(context, &wanted, start).filter(|reached| (0.1 * step..4.0 * step).contains(&distance(reached, pose)))
    };
    [0.05, 0.1, 0.02, 0.2, 0.03, 0.07].into_iter().enumerate().filter_map(moved).take(2).collect()
}

/// Projection of a direction on the motions that the rows and conditions of `wanted` leave free, orthogonal in the scales of the coordinates.
pub fn project(context: &Context<'_>, wanted: &Wanted, pose: &[f64], direction: Vec<f64>) -> Option<Vec<f64>> {
    let (_, rows) = wanted.equations(context, &context.sample(pose, false));
    let dependent = dependent_rows(&rows);
    let kept = rows.into_iter().enumerate().filter(|(r, _)| dependent.binary_search(r).is_err());
    let kept: Vec<SparseRow> = kept.map(|(_, row)| row).collect();
    let mut right: Vec<f64> = direction.iter().zip(&context.scales).map(|(d, s)| d / (s * s)).collect();
    right.resize(direction.len() + kept.len(), 0.0);
    let mut x = solve(saddle(&size_metric(context), &kept), right).ok()?;
    x.truncate(direction.len());
    Some(x)
}

/// Reports a redundant element (`MBS060`).
fn report_redundant(model: &Model, dependence: &Dependence<'_>, errors: &mut Errors) {
    let element = &dependence.element;
    let components: Vec<&str> = dependence.components.iter().map(String::as_str).collect();
    let joint = element.joint.map(|j| model.joint(j));
    let composed = joint.filter(|joint| model.space == Space::Planar && joint.is_composed());
    let mut remedy = match (composed, &components[..]) {
        (Some(joint), ["angle"]) => match kind_without_row(model.space, joint, "angle") {
            Some(kind) => format!("use `{kind}`, which leaves the angle free, or remove it"),
            None => "remove it".to_owned(),
        },
        (Some(_), [_, ..]) => "use a joint that constrains less, such as `point_on_line`, or remove it".to_owned(),
        _ if element.is_drive() => "remove it: it has nothing left to move".to_owned(),
        _ => "remove it".to_owned(),
    };
    if !element.is_drive() && model.settings.redundant.is_none() {
        remedy.push_str(", or write `redundant: resolve;`");
    }
    let message = match dependence.others.len() {
        0 => format!("{} constrains nothing: no motion changes it", dependence.subject()),
        _ => format!("{} is redundant: {} the same already", dependence.subject(), dependence.others_with_verb()),
    };
    errors.push("MBS060", element.origin, message, Some(remedy));
}

/// The kind of joint that has the rows of a joint except the row `without`.
fn kind_without_row(space: Space, joint: &Joint, without: &str) -> Option<&'static str> {
    let rows: Vec<&str> = joint.rows.iter().map(|row| &*row.name).filter(|name| *name != without).collect();
    let mut kinds = catalog::joints(space).iter();
    Some(kinds.find(|kind| kind.ends == catalog::Ends::Two && kind.rows == rows)?.name)
}

/// Reports an element that is dependent at the declared pose alone (`MBS061`).
pub fn report_singular(model: &Model, dependence: &Dependence<'_>, gains: &Gains<'_>, errors: &mut Errors) {
    let reason = match dependence.others.len() {
        0 => "no motion changes it there".to_owned(),
        _ => format!("{} the same there, not elsewhere", dependence.others_with_verb()),
    };
    let remedy = match (gains.rotating.first(), dependence.element.is_drive()) {
        (Some(body), true) => format!("start with another `angle` of `{body}`, or drive another joint"),
        (Some(body), false) => format!("start from another pose: another `angle` of `{body}`, say, or `initial …`"),
        (None, _) => "start from another pose: `angle: …`, `position: …` or `initial …`".to_owned(),
    };
    errors.push(
        "MBS061",
        dependence.element.origin,
        format!(
            "{} is singular at the declared pose of `{}`: {reason}{gains}",
            dependence.subject(),
            model.header.name
        ),
        Some(remedy),
    );
}
