//! Functions written in Rust. The compiler cannot call them: its checks use stand-ins ([`StandIn`](mbs_expr::StandIn)) and leave conditions
//! on their values to run time; declarations that need the values are refused. Kernels use the derivatives that the functions provide.
//! Splines are evaluated; those that are set at run time are evaluated with their defaults.

use std::collections::{BTreeMap, BTreeSet};

use mbs_check::{PoseFunctions, Sample, pose_functions};
use mbs_definition::{Errors, Origin};
use mbs_expr::{CalledFunction, ExprId, FunctionId, FunctionSource, MOST_DERIVATIVES, Op};
use mbs_model::{BasicEquation, Body, InitialCondition, Joint, Marker, Model, Step};
use mbs_physics::linear::SparseRow;
use mbs_physics::{Placement, Tree};

use crate::derive::Equations;
use crate::graph::{Graph, Node, NodeId};
use crate::schedule::Group;

/// Whether a model has functions written in Rust.
fn has_rust_functions(model: &Model) -> bool {
    model.functions.iter().any(|f| f.source() == FunctionSource::Rust)
}

/// Refuses functions written in Rust where the compiler needs their values: in masses, in locations on bodies, in declared poses or the
/// quantities that determine them, and in `initial`.
///
/// # Errors
/// MBS068 for each.
pub fn refuse_unknown(graph: &Graph, model: &Model, tree: &Tree, equations: &Equations) -> Result<(), Errors> {
    let mut errors = Errors::new();
    if !has_rust_functions(model) {
        return Ok(());
    }
    let unknown = unknown_numbers(model).into_iter().chain(unknown_conditions(graph, model, tree, equations));
    let help = "it may stand in loads, rates, outputs, rows and poses of joint kinds; the engine calls it anywhere";
    let unknown = unknown.map(|(origin, item, function)| (origin, item, function, help.to_owned()));
    for (origin, item, function, help) in unknown.chain(unknown_poses(model, tree)) {
        let function = &model.functions[function.index()].name;
        let message = format!("{item} needs values of `{function}`, which the compiler cannot call");
        errors.push("MBS068", origin, message, Some(help));
    }
    errors.into_result(())
}

/// Refuses rows and poses that are not finite with the stand-in of a function, such as the square root of a function minus 3; `sample` is a
/// sample with such numbers. Values that are not finite without any such function are left to the checks.
///
/// # Errors
/// MBS068 for the first.
pub fn refuse_undefined(
    graph: &Graph,
    model: &Model,
    tree: &Tree,
    equations: &Equations,
    sample: &Sample,
) -> Result<(), Errors> {
    let undefined = |matrix: &[SparseRow], (i, j): (usize, usize)| matrix[i].get(&j).is_some_and(|x| !x.is_finite());
    let row = equations.rows.jacobian.iter().find_map(|(&(r, i), entry)| {
        let function = first_call(graph, *entry).filter(|_| undefined(&sample.jacobian, (r, i)))?;
        Some((tree.rows[r].origin, format!("`{}`", tree.rows[r].name), function))
    });
    let mass =
        || equations.mass.iter().any(|(entry, m)| first_call(graph, *m).is_some() && undefined(&sample.mass, *entry));
    let pose = || {
        let pose = model
            .coordinates
            .poses
            .iter()
            .find_map(|pose| Some((pose.joint, pose.unbound_functions(model).into_iter().flatten().next()?)));
        pose.filter(|_| mass()).map(|(j, f)| (model.joint(j).origin, format!("joint `{}`", model.joint(j).name), f))
    };
    let Some((origin, item, function)) = row.or_else(pose) else { return Ok(()) };
    let function = &model.functions[function.index()].name;
    let mut errors = Errors::new();
    let message = format!("{item} has no finite value at what stands for `{function}`, which the compiler cannot call");
    let help =
        format!("write it so that it has one where `{function}` is between 0 and 1; the engine calls it anywhere");
    errors.push("MBS068", origin, message, Some(help));
    errors.into_result(())
}

/// Whether a sample has numbers that are not finite.
pub fn is_undefined(sample: &Sample) -> bool {
    sample.jacobian.iter().chain(&sample.mass).flat_map(|row| row.values()).any(|x| !x.is_finite())
}

/// `initial` conditions that contain functions themselves, and guesses of quantities that depend on a function and are no coordinates.
/// Prescribed coordinates that depend on a function are left to run time.
fn unknown_conditions(
    graph: &Graph,
    model: &Model,
    tree: &Tree,
    equations: &Equations,
) -> Vec<(Origin, String, FunctionId)> {
    let is_coordinate = |c: &InitialCondition| match model.exprs.op(c.target) {
        Op::JointCoordinate(j, k) => tree.joint_coordinate_index(j, k).is_some(),
        _ => false,
    };
    let is_call_of = |f: FunctionId| move |op: Op| matches!(op, Op::Called { function, .. } if function == f);
    let prescribes = |f: FunctionId| tree.prescribed.iter().any(|p| model.exprs.any(p.value, &is_call_of(f)));
    let (mut exact, mut guesses) = (equations.conditions.exact.iter(), equations.conditions.guesses.iter());
    let unknown = |c: &InitialCondition| {
        let derived = if c.exact { exact.next() } else { guesses.next() };
        let contained = model.unbound_function_in(c.target).or_else(|| model.unbound_function_in(c.value));
        let guessed = derived.filter(|_| !c.exact && !is_coordinate(c));
        let guessed = guessed.and_then(|d| called_functions(graph, d.residual).into_iter().find(|f| !prescribes(*f)));
        Some((c.origin, format!("`initial {}`", c.name), contained.or(guessed)?))
    };
    model.start.conditions.iter().filter_map(unknown).collect()
}

/// Bodies whose declared poses and velocities do not determine their joint coordinates, because these depend on functions.
fn unknown_poses(model: &Model, tree: &Tree) -> Vec<(Origin, String, FunctionId, String)> {
    let functions = pose_functions(model, tree);
    let unknown = |(b, body): (usize, &Body)| {
        let (unbound, joint) = match tree.placements[b] {
            Placement::Natural => return None,
            Placement::Joint { joint, .. } => (functions[b], joint),
            Placement::Free { joint, reversed } => {
                let other = model.markers[model.joint(joint?).ends[usize::from(reversed)].index()].body;
                (other.map_or(PoseFunctions::default(), |other| functions[other.index()]), joint?)
            }
        };
        let fitted = model.joint(joint).pose().is_some();
        let turning = if fitted { unbound.pose } else { unbound.orientation };
        let declared = [
            ("angle", body.angle.is_some(), turning),
            ("rotation", body.rotation.is_some(), turning),
            ("position", body.position.is_some(), unbound.pose),
            ("velocity", body.velocity.is_some(), unbound.pose),
        ];
        let needed = |(field, is_declared, function): (&'static str, bool, Option<FunctionId>)| {
            Some((field, function.filter(|_| is_declared)?))
        };
        let (field, function) = declared.into_iter().find_map(needed)?;
        let joint = model.joint(joint);
        let coordinate = joint.coordinates.first().map_or("…", |(name, _)| name);
        let help = format!("write `initial {}.{coordinate} = …;` instead, or `coordinates: body`", joint.name);
        Some((body.origin, format!("`{field}` of body `{}`", body.name), function, help))
    };
    model.bodies.iter().enumerate().filter_map(unknown).collect()
}

/// Bodies and joints whose numbers, such as masses and axes, depend on functions written in Rust.
fn unknown_numbers(model: &Model) -> Vec<(Origin, String, FunctionId)> {
    let bodies = model.bodies.iter().map(|b| (b.origin, format!("body `{}`", b.name), body_numbers(b)));
    let joints = model.joints.iter().map(|j| (j.origin, format!("joint `{}`", j.name), joint_numbers(model, j)));
    let all = bodies.chain(joints);
    all.filter_map(|(origin, item, numbers)| {
        Some((origin, item, numbers.into_iter().find_map(|e| model.unbound_function_in(e))?))
    })
    .collect()
}

/// Expressions that determine the attachments of a joint on its bodies, and its axes.
fn joint_numbers(model: &Model, joint: &Joint) -> Vec<ExprId> {
    let ends = joint.ends.iter().map(|m| &model.markers[m.index()]).filter(|m| m.body.is_some());
    let mut all: Vec<ExprId> = ends.flat_map(Marker::pose_expressions).collect();
    for step in joint.steps() {
        match *step {
            Step::Revolute { axis } | Step::Prismatic { axis } => all.extend(axis),
            Step::Screw { axis, advance } => all.extend(axis.into_iter().chain([advance])),
            Step::Ellipsoid { radii, .. } => all.extend(radii),
            Step::Orbit { radius } => all.push(radius),
            Step::Posed { pose, .. } => all.extend(&model.coordinates.poses[pose as usize].starts),
            Step::Ball { .. } | Step::Line { .. } | Step::Free { .. } => {}
        }
    }
    for row in &joint.rows {
        match row.basic {
            Some(BasicEquation::Parallel { angle }) => all.push(angle),
            Some(BasicEquation::OffLine { axis }) => all.extend(axis),
            _ => {}
        }
    }
    all.extend(joint.geared.map(|geared| geared.ratio));
    all
}

/// Expressions that determine the mass, inertia and declared pose and velocity of a body.
fn body_numbers(body: &Body) -> Vec<ExprId> {
    let mut all = vec![body.mass];
    all.extend(body.inertia);
    all.extend(body.com);
    all.extend(body.position.into_iter().flatten());
    all.extend(body.velocity.into_iter().chain(body.angular_velocity).flatten());
    all.extend(body.angle);
    all.extend(body.rotation.into_iter().flatten().flatten());
    all
}

/// Functions written in Rust that a node depends on.
fn called_functions(graph: &Graph, root: NodeId) -> Vec<FunctionId> {
    let called = |id: NodeId| match graph.node(id) {
        Node::Called(function, ..) => {
            graph.with_functions(|all| all[function.index()].source() == FunctionSource::Rust).then_some(function)
        }
        _ => None,
    };
    graph.reachable(&[root]).into_iter().filter_map(called).collect()
}

/// The first function written in Rust on which a node depends.
fn first_call(graph: &Graph, root: NodeId) -> Option<FunctionId> {
    called_functions(graph, root).first().copied()
}

/// Rows of G whose norm the compiler cannot compute, because an entry calls a function written in Rust.
pub fn unknown_rows(graph: &Graph, model: &Model, equations: &Equations) -> BTreeSet<usize> {
    if !has_rust_functions(model) {
        return BTreeSet::new();
    }
    let unknown = |(&(row, _), entry): (&(usize, usize), &NodeId)| first_call(graph, *entry).map(|_| row);
    equations.rows.jacobian.iter().filter_map(unknown).collect()
}

/// Refuses functions that provide fewer derivatives than the kernels need.
///
/// # Errors
/// MBS067 for each function.
pub fn check_derivatives(graph: &Graph, model: &Model, groups: &[Group]) -> Result<(), Errors> {
    let mut errors = Errors::new();
    if !has_rust_functions(model) {
        return Ok(());
    }
    // The highest derivative of each function, and the first kernel that needs it.
    let mut needed: BTreeMap<FunctionId, (u8, &str)> = BTreeMap::new();
    for entry in groups.iter().flat_map(|g| &g.entries) {
        let outputs = entry.outputs.iter().flat_map(|o| o.nodes.iter().copied());
        let roots: Vec<NodeId> = outputs.chain(entry.checks.iter().flat_map(|c| [c.pivot, c.magnitude])).collect();
        for id in graph.reachable(&roots) {
            if let Node::Called(function, partial, _) = graph.node(id) {
                let derivative = partial.order();
                let highest = needed.entry(function).or_insert((0, &entry.name));
                if derivative > highest.0 {
                    *highest = (derivative, &entry.name);
                }
            }
        }
    }
    for (function, (derivative, kernel)) in needed {
        let declared = &model.functions[function.index()];
        let Some(provided) = declared.derivatives().filter(|provided| derivative > *provided) else { continue };
        let gives = match provided {
            0 => "no derivative".to_owned(),
            1 => "1 derivative".to_owned(),
            n => format!("{n} derivatives"),
        };
        // In a part, a function is declared without the name of the instance.
        let plain = declared.name.rsplit('.').next().unwrap_or_default();
        let help = match usize::from(derivative) <= MOST_DERIVATIVES {
            true => {
                let data = declared.value_type().map_or(String::new(), |ty| format!(", {}", ty.text));
                format!("write `function {plain}{} opaque({derivative}{data});`", signature(declared))
            }
            false => format!("a function gives {MOST_DERIVATIVES} derivatives at most"),
        };
        let message = format!("`{}` gives {gives}, `{kernel}` needs {}", declared.name, ordinal(derivative));
        errors.push("MBS067", declared.origin, message, Some(help));
    }
    errors.into_result(())
}

/// Text between the name and `opaque` in the declaration.
fn signature(f: &CalledFunction) -> String {
    let names = ["x", "y", "z", "w"];
    let parameters = if f.arguments > 1 { format!("({})", names[..f.arguments].join(", ")) } else { String::new() };
    match f.shape {
        None => format!("{parameters}:"),
        Some(n) => format!("{parameters}: [{n}]"),
    }
}

fn ordinal(n: u8) -> String {
    match n {
        0 | 1 => "one".to_owned(),
        2 => "a second".to_owned(),
        3 => "a third".to_owned(),
        4 => "a fourth".to_owned(),
        n => format!("a {n}th"),
    }
}
