//! Reports why a mechanism does not assemble: the first element or condition that cannot be satisfied, with its smallest residual.

use mbs_definition::{Errors, Space};
use mbs_expr::BodyId;
use mbs_model::{BasicEquation, BodyKind, InitialCondition, JointRow, RowLevel};
use mbs_physics::linear::{SparseRow, dependent_rows, solve};

use super::assemble::{FARTHEST, Wanted, saddle, size_metric, try_assemble};
use super::conflicts::Decider;
use super::elements::{Element, component, elements, listed, ties};
use super::quaternions::ConstrainedQuaternion;
use super::rank::generic_poses;
use super::restart::in_body_coordinates;
use super::{Context, Sample, mechanics_at};

/// Reports the first element, in the order of [`elements`], or exact condition that does not assemble together with those before it (`MBS063`).
pub fn report(context: &Context<'_>, start: &[f64], errors: &mut Errors) {
    let mut elements: Vec<Element<'_>> = elements(context.model, context.tree);
    elements.iter_mut().for_each(|e| e.rows.retain(|r| *r < context.tree.n_position));
    elements.retain(|e| !e.rows.is_empty());
    let exact: Vec<&InitialCondition> =
        context.model.start.conditions.iter().filter(|c| c.exact && c.level == RowLevel::Position).collect();
    if report_undefined(context, start, &elements, &exact, errors) {
        return;
    }
    let prefix = |count: usize| {
        let owned = elements.iter().take(count).flat_map(|e| e.rows.iter().copied());
        let mut rows: Vec<usize> = ties(context.tree).chain(owned).collect();
        rows.sort_unstable();
        Wanted { rows, exact: count.saturating_sub(elements.len()), guesses: false }
    };
    // Where the ties of continuous angles fail alone, the cause are joints that have no rows in natural coordinates.
    let ties = try_assemble(context, &prefix(0), start.to_vec());
    if ties.is_none() && report_in_bodies(context, errors) {
        return;
    }
    // The smallest prefix that fails: `good` elements assemble, `bad` do not.
    let (mut good, mut bad) = (0, elements.len() + exact.len());
    let mut assembled = ties.unwrap_or_else(|| start.to_vec());
    while bad - good > 1 {
        let middle = good.midpoint(bad);
        match try_assemble(context, &prefix(middle), start.to_vec()) {
            Some(pose) => (good, assembled) = (middle, pose),
            None => bad = middle,
        }
    }
    match elements.get(good) {
        Some(failing) => {
            let earlier = prefix(good);
            if !report_stuck(context, failing, &assembled, errors)
                && !report_contradiction(context, &elements[..good], failing, &assembled, errors)
            {
                let rows = failing.rows.clone();
                let residuals =
                    move |sample: &Sample| rows.iter().map(|r| (sample.phi[*r], sample.jacobian[*r].clone())).collect();
                let closest = approach(context, &earlier, &residuals, assembled);
                report_miss(context, failing, &closest, errors);
            }
        }
        None if exact.is_empty() => report_far(context, errors),
        None => {
            let last = good - elements.len();
            let quaternion = context.quaternions.iter().find(|q| q.includes(last));
            if report_length(context, quaternion, &exact, errors) {
                return;
            }
            let k = quaternion.map_or(last, |q| q.implied);
            if !report_contradicting_condition(context, &exact, k, &assembled, errors) {
                let residual = move |sample: &Sample| vec![sample.conditions[k].clone()];
                let closest = approach(context, &prefix(good), &residual, assembled);
                report_condition(context, exact[k], &closest, k, errors);
            }
        }
    }
}

/// Reports the element that does not assemble in body coordinates; false where all of them do.
fn report_in_bodies(context: &Context<'_>, errors: &mut Errors) -> bool {
    let report = |bodies: &Context<'_>| {
        let mut found = Errors::new();
        if try_assemble(bodies, &Wanted::everything(bodies), bodies.declared.clone()).is_none() {
            report(bodies, &bodies.declared, &mut found);
        }
        found
    };
    let found = in_body_coordinates(context, &report).unwrap_or_default();
    let is_found = !found.is_empty();
    errors.append(found);
    is_found
}

/// Reports declared poses that Newton's method does not assemble, without an element that fails.
fn report_far(context: &Context<'_>, errors: &mut Errors) {
    let (name, origin) = (&context.model.header.name, context.model.header.origin);
    errors.push(
        "MBS063",
        origin,
        format!("`{name}` does not assemble from its declared poses"),
        Some("declare poses nearer to an assembled one (`angle: …`, `position: …`)".to_owned()),
    );
}

/// Reports an equation without a value at the declared poses, such as the root of a negative number; false where there is none.
fn report_undefined(
    context: &Context<'_>,
    start: &[f64],
    elements: &[Element<'_>],
    exact: &[&InitialCondition],
    errors: &mut Errors,
) -> bool {
    let sample = context.sample(start, false);
    let bad = |x: &f64, g: &SparseRow| !x.is_finite() || g.values().any(|g| !g.is_finite());
    let bad_row = |r: &usize| !context.unknown.derivatives(*r) && bad(&sample.phi[*r], &sample.jacobian[*r]);
    let element = elements.iter().find(|e| e.rows.iter().any(bad_row));
    let bad_condition =
        |k: usize| !context.unknown.condition(k) && bad(&sample.conditions[k].0, &sample.conditions[k].1);
    let condition = exact.iter().enumerate().find(|(k, _)| bad_condition(*k)).map(|(_, c)| c);
    let (subject, origin) = match (element, condition) {
        (Some(e), _) => (format!("{} `{}`", e.category, e.name), e.origin),
        (None, Some(c)) => (format!("`initial {}`", c.name), c.origin),
        (None, None) => return false,
    };
    errors.push(
        "MBS063",
        origin,
        format!(
            "`{}` does not assemble: {subject} has no finite value or derivative at the declared poses",
            context.model.header.name
        ),
        Some("declare poses where it is defined (`angle: …`, `position: …`)".to_owned()),
    );
    true
}

/// Reports an element whose residual no motion changes at a pose, beyond round-off, such as a rod whose ends coincide; false for other elements.
fn report_stuck(context: &Context<'_>, failing: &Element<'_>, pose: &[f64], errors: &mut Errors) -> bool {
    let sample = context.sample(pose, false);
    let largest_change = |r: &usize| FARTHEST * context.row_size(pose, &sample.jacobian[*r]);
    let still = |r: &usize| sample.phi[*r] != 0.0 && largest_change(r) < sample.phi[*r].abs();
    // Whether no coordinate changes the row at this pose.
    let is_hidden = |q: &Vec<f64>| context.sample(q, false).jacobian[failing.rows[0]].is_empty();
    let hidden = sample.jacobian[failing.rows[0]].is_empty();
    if !failing.rows.iter().all(still) || (hidden && generic_poses(context, Vec::new(), pose).iter().all(is_hidden)) {
        return false;
    }
    let (name, subject) = (&context.model.header.name, format!("{} `{}`", failing.category, failing.name));
    errors.push(
        "MBS063",
        failing.origin,
        format!("`{name}` does not assemble: at the declared poses no direction leads towards {subject}"),
        Some("declare other poses: `angle: …`, `position: …`".to_owned()),
    );
    true
}

/// Reports an element that contradicts earlier ones, which determine its rows; false where its rows are independent.
fn report_contradiction(
    context: &Context<'_>,
    earlier: &[Element<'_>],
    failing: &Element<'_>,
    pose: &[f64],
    errors: &mut Errors,
) -> bool {
    let owned = earlier.iter().chain([failing]).flat_map(|e| e.rows.iter().copied());
    let rows: Vec<usize> = ties(context.tree).chain(owned).collect();
    let earlier_rows = rows.len() - failing.rows.len();
    let determined = |q: &[f64]| {
        let jacobian = context.sample(q, false).jacobian;
        let list: Vec<SparseRow> = rows.iter().map(|r| jacobian[*r].clone()).collect();
        dependent_rows(&list).last().is_some_and(|last| *last >= earlier_rows)
    };
    let mut free: Vec<usize> = rows[..earlier_rows].to_vec();
    free.sort_unstable();
    if !determined(pose) || !generic_poses(context, free, pose).iter().all(|q| determined(q)) {
        return false;
    }
    let bodies = &context.bodies;
    let remaining: Vec<&str> = earlier.iter().chain([failing]).map(|e| e.name).collect();
    // In body coordinates the joints of the tree take part too.
    let all: Vec<Element<'_>> = elements(context.model, context.tree);
    let later = |name: &str| all.iter().any(|e| e.name == name) && !remaining.contains(&name);
    let found = bodies.dependences(context.model, context.tree, pose, &|e| !later(e.name));
    let Some(dependence) = found.iter().rev().find(|d| d.element.name == failing.name) else { return false };
    let subject = format!("{} `{}`", failing.category, failing.name);
    let by = unsatisfied_part(context, failing, pose).1;
    let others = listed(dependence.others.iter().copied());
    let message = match dependence.others.len() {
        0 => format!("{subject} cannot be met: no motion changes it, and it misses by {by}"),
        _ => format!("{subject} contradicts {others}: it misses by {by}"),
    };
    errors.push("MBS063", failing.origin, message, Some("remove it, or make it agree".to_owned()));
    true
}

/// Residuals to be minimised, each with its gradient.
type Target<'t> = &'t dyn Fn(&Sample) -> Vec<(f64, SparseRow)>;

/// The pose with the earlier elements assembled that minimises a target, by the method of Levenberg and Marquardt in the free directions.
fn approach(context: &Context<'_>, earlier: &Wanted, target: Target<'_>, start: Vec<f64>) -> Vec<f64> {
    let cost = |q: &[f64]| -> f64 {
        let residuals = target(&context.sample(q, false));
        residuals.iter().map(|(phi, _)| phi * phi).sum()
    };
    let (mut q, mut damping) = (start, 1e-2);
    let mut best = cost(&q);
    for _ in 0..40 {
        let Some(step) = damped_step(context, earlier, target, &q, damping) else { break };
        let trial = try_assemble(context, earlier, context.displaced(&q, &step)).map(|q| (cost(&q), q));
        match trial.filter(|t| t.0 < best) {
            Some((lower, better)) => {
                let done = best - lower < 1e-6 * best;
                (best, q) = (lower, better);
                damping *= 0.2;
                if done {
                    break;
                }
            }
            None => damping *= 10.0,
        }
        if damping > 1e12 {
            break;
        }
    }
    q
}

/// The δ that minimises |φ + J δ|² + damping · |δ|² subject to G δ = 0 for the earlier rows.
fn damped_step(
    context: &Context<'_>,
    earlier: &Wanted,
    target: Target<'_>,
    q: &[f64],
    damping: f64,
) -> Option<Vec<f64>> {
    let sample = context.sample(q, false);
    let target = target(&sample);
    let (_, rows) = earlier.equations(context, &sample);
    let dependent = dependent_rows(&rows);
    let independent: Vec<SparseRow> =
        rows.into_iter().enumerate().filter(|(r, _)| dependent.binary_search(r).is_err()).map(|(_, g)| g).collect();
    let n = context.tree.n();
    let squared_size = |row: &SparseRow| {
        let sizes = row.iter().map(|(i, g)| (g * context.scales[*i]).powi(2));
        sizes.sum::<f64>()
    };
    let weight = damping * target.iter().map(|(_, row)| squared_size(row)).fold(0.0, f64::max);
    let mut metric = size_metric(context);
    metric.iter_mut().for_each(|row| row.values_mut().for_each(|x| *x *= weight));
    let mut right = vec![0.0; n + independent.len()];
    for (phi, row) in &target {
        for (i, a) in row {
            right[*i] -= a * phi;
            for (j, b) in row {
                *metric[*i].entry(*j).or_insert(0.0) += a * b;
            }
        }
    }
    let mut x = solve(saddle(&metric, &independent), right).ok()?;
    x.truncate(n);
    x.iter().all(|v| v.is_finite()).then_some(x)
}

/// Reports the residual of an element at the closest pose (`MBS063`).
fn report_miss(context: &Context<'_>, failing: &Element<'_>, closest: &[f64], errors: &mut Errors) {
    let name = &context.model.header.name;
    if try_assemble(context, &Wanted::rows(failing.rows.clone()), closest.to_vec())
        .is_some_and(|q| are_equal(context, &q, closest))
    {
        errors.push(
            "MBS063",
            failing.origin,
            format!(
                "`{name}` does not assemble from its declared poses: {} `{}` is too far off",
                failing.category, failing.name
            ),
            Some(format!("declare poses nearer to an assembled one, such as {}", pose_declarations(context, closest))),
        );
        return;
    }
    let (subject, by) = unsatisfied_part(context, failing, closest);
    errors.push(
        "MBS063",
        failing.origin,
        format!("`{name}` does not assemble: {subject} misses by {by} at best"),
        Some("check lengths, or declare poses nearer to an assembled one (`angle: …`, `position: …`)".to_owned()),
    );
}

/// Whether two poses are equal up to rounding.
fn are_equal(context: &Context<'_>, a: &[f64], b: &[f64]) -> bool {
    a.iter().zip(b).zip(&context.scales).all(|((a, b), s)| (a - b).abs() < 1e-5 * s)
}

/// Declarations of a pose for the first three bodies: "`angle: 0.3` of `crank`, …".
fn pose_declarations(context: &Context<'_>, pose: &[f64]) -> String {
    let mechanics = mechanics_at(context.model, context.tree, pose);
    let body = |(b, body): (usize, &mbs_model::Body)| match body.kind {
        BodyKind::Rigid => {
            if context.model.space == Space::Spatial {
                let p = mechanics.marker_point(body.origin_marker).map(|x| x.value());
                return format!("`position: [{:.3e}, {:.3e}, {:.3e}]` of `{}`", p[0], p[1], p[2], body.name);
            }
            let angle = mechanics.planar().kinematics.angle(BodyId(b as u32)).value();
            format!("`angle: {:.3}` of `{}`", angle, body.name)
        }
        BodyKind::Particle => {
            let p = mechanics.marker_point(body.origin_marker).map(|x| x.value());
            format!("`position: [{:.3e}, {:.3e}]` of `{}`", p[0], p[1], body.name)
        }
    };
    let bodies: Vec<String> = context.model.bodies.iter().enumerate().map(body).take(3).collect();
    bodies.join(", ")
}

/// The unsatisfied part of an element, and its residual with the unit: the distance of two points, else the largest residual.
fn unsatisfied_part(context: &Context<'_>, failing: &Element<'_>, pose: &[f64]) -> (String, String) {
    let phi = context.sample(pose, false).phi;
    let subject = format!("{} `{}`", failing.category, failing.name);
    let residual = |c: &str| {
        let row = failing.rows.iter().find(|r| component(&context.tree.rows[**r], failing) == c);
        row.map_or(0.0, |r| phi[*r])
    };
    let gap = residual("x").hypot(residual("y"));
    let Some(joint) = failing.joint.map(|j| context.model.joint(j)) else {
        let largest = failing.rows.iter().map(|r| phi[*r].abs()).fold(0.0, f64::max);
        return (subject, format_magnitude(largest));
    };
    match joint.rows[..] {
        _ if joint.geared.is_some() => (subject, format!("{} rad", format_magnitude(phi[failing.rows[0]]))),
        [JointRow { basic: Some(BasicEquation::Distance { length }), .. }] => {
            // φ = (r² − ℓ²) / 2ℓ.
            let length = mechanics_at(context.model, context.tree, pose).value(length).value();
            let distance = (length * length + 2.0 * length * phi[failing.rows[0]]).max(0.0).sqrt();
            (subject, format!("{} m", format_magnitude(distance - length)))
        }
        _ if residual("angle").abs() > 1e-9 && gap + residual("normal").abs() <= 1e-9 * context.scales[0] => {
            (format!("`angle` of {subject}"), format!("{} rad", format_magnitude(residual("angle"))))
        }
        _ => (subject, format!("{} m", format_magnitude(gap.max(residual("normal").abs())))),
    }
}

/// Reports `initial` values of a quaternion that is not of unit length; false for other conditions.
fn report_length(
    context: &Context<'_>,
    quaternion: Option<&ConstrainedQuaternion>,
    exact: &[&InitialCondition],
    errors: &mut Errors,
) -> bool {
    let Some(quaternion) = quaternion.filter(|q| (q.length - 1.0).abs() > 1e-10) else { return false };
    let Some(condition) = exact.get(quaternion.implied) else { return false };
    let name = condition.name.split_once('[').map_or(condition.name.as_str(), |(name, _)| name);
    let message = format!(
        "`{}` does not assemble: `initial {name}` is no unit quaternion, its length is {:.12}",
        context.model.header.name, quaternion.length
    );
    errors.push("MBS063", condition.origin, message, Some("divide it by its length".to_owned()));
    true
}

/// Reports a condition that contradicts rows and earlier conditions, which determine its target; false where they do not.
fn report_contradicting_condition(
    context: &Context<'_>,
    exact: &[&InitialCondition],
    k: usize,
    pose: &[f64],
    errors: &mut Errors,
) -> bool {
    let determined = |q: &[f64]| {
        let sample = context.sample(q, false);
        let (_, mut rows) = Wanted { exact: k, ..Wanted::everything(context) }.equations(context, &sample);
        rows.push(sample.conditions[k].1.clone());
        dependent_rows(&rows).last() == Some(&(rows.len() - 1))
    };
    let rows = Wanted::everything(context).rows;
    if !determined(pose) || !generic_poses(context, rows, pose).iter().all(|q| determined(q)) {
        return false;
    }
    let bodies = &context.bodies;
    let others = bodies.deciders(context.model, context.tree, pose, k);
    let by = context.sample(pose, false).conditions[k].0;
    let named = others.iter().map(|other| match other {
        Decider::Element(name) => (*name).to_owned(),
        Decider::Condition(earlier) => format!("initial {}", exact[*earlier].name),
    });
    let named: Vec<String> = named.collect();
    let subject = format!("`initial {}`", exact[k].name);
    let message = match named.len() {
        0 => format!("{subject} cannot be met: no motion changes it, and it misses by {}", format_magnitude(by)),
        _ => format!(
            "{subject} contradicts {}: it misses by {}",
            listed(named.iter().map(String::as_str)),
            format_magnitude(by)
        ),
    };
    let help = "write `~` for a guess, or a value that agrees";
    errors.push("MBS063", exact[k].origin, message, Some(help.to_owned()));
    true
}

/// Reports the residual of exact condition k at the closest pose (`MBS063`).
fn report_condition(context: &Context<'_>, condition: &InitialCondition, pose: &[f64], k: usize, errors: &mut Errors) {
    let (by, derivative) = context.sample(pose, false).conditions.swap_remove(k);
    let (name, subject) = (&context.model.header.name, format!("`initial {}`", condition.name));
    let all = Wanted { exact: k + 1, ..Wanted::everything(context) };
    let (message, help) = if derivative.values().all(|g| *g == 0.0) {
        (
            format!("`{name}` does not assemble: at the declared poses no direction leads towards {subject}"),
            "declare other poses: `angle: …`, `position: …`".to_owned(),
        )
    } else if try_assemble(context, &all, pose.to_vec()).is_some() {
        (
            format!("`{name}` does not assemble from its declared poses: {subject} is too far off"),
            format!("declare poses nearer to an assembled one, such as {}", pose_declarations(context, pose)),
        )
    } else {
        (
            format!(
                "`{name}` does not assemble: {subject} cannot be reached, it misses by {} at best",
                format_magnitude(by)
            ),
            "write `~` for a guess, or a value within reach".to_owned(),
        )
    };
    errors.push("MBS063", condition.origin, message, Some(help));
}

/// A number with its sign, to three significant digits.
pub fn format_signed(x: f64) -> String {
    match x {
        0.0 => "0".to_owned(),
        _ if x < 0.0 => format!("-{}", format_magnitude(x)),
        _ => format_magnitude(x),
    }
}

/// |x| to three significant digits.
fn format_magnitude(x: f64) -> String {
    let x = x.abs();
    if (1e-3..1e5).contains(&x) {
        let digits = (2 - x.log10().floor() as i32).clamp(0, 5) as usize;
        let text = format!("{x:.digits$}");
        return if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text };
    }
    format!("{x:.2e}")
}
