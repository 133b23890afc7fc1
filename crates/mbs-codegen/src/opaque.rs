//! Functions written in Rust. The compiler cannot call them: its checks do without their values where they can, and refuse what
//! they cannot judge; kernels get the derivatives that are given, or none. Splines are known, those that are set at run time by their
//! defaults.

use std::borrow::Cow;
use std::collections::BTreeMap;

use mbs_model::check::Sample;
use mbs_model::mechanics::Tree;
use mbs_model::{
    Body, CalledFunction, Errors, ExprId, FunctionId, FunctionSource, Joint, JointKind, MOST_DERIVATIVES, Marker,
    Model, Op, Origin, Row, Step,
};

use crate::derive::Equations;
use crate::graph::{Graph, Node, NodeId};
use crate::schedule::Group;

/// The model with every function bound to zero: what the checks look at.
pub fn stand_in(model: &Model) -> Cow<'_, Model> {
    if !any(model) {
        return Cow::Borrowed(model);
    }
    let mut model = model.clone();
    for function in &mut model.functions {
        function.bind(std::sync::Arc::new(|_, values| values.fill(0.0)));
    }
    Cow::Owned(model)
}

/// Whether a model has functions written in Rust.
fn any(model: &Model) -> bool {
    model.functions.iter().any(|f| f.source() == FunctionSource::Rust)
}

/// Whether a row needs functions written in Rust, of its own or for points on ground.
pub fn is_in(model: &Model, row: &Row) -> bool {
    let on_ground = |e: ExprId| match model.exprs.op(e) {
        Op::Position(m, _) | Op::Direction(m, ..) | Op::Angle(m) => {
            Some(&model.markers[m.index()]).filter(|m| m.body.is_none())
        }
        _ => None,
    };
    let placed = |m: &Marker| m.point.into_iter().chain([m.angle]).chain(m.rotation.into_iter().flatten().flatten());
    let needs = |e: ExprId| called(model, e).is_some();
    any(model)
        && (needs(row.residual)
            || model.exprs.below(row.residual).into_iter().filter_map(on_ground).flat_map(placed).any(needs))
}

/// Position rows whose Φ is not known, because functions written in Rust are in it.
pub fn unknown_rows(graph: &Graph, model: &Model, equations: &Equations) -> Vec<usize> {
    if !any(model) {
        return Vec::new();
    }
    let rows = equations.phi.iter().enumerate();
    rows.filter(|(_, phi)| first_call(graph, **phi).is_some()).map(|(r, _)| r).collect()
}

/// A sample for the checks: an unknown row is where it should be, wherever the guess has it; it still may not move from there.
pub fn hold(mut sample: Sample, unknown: &[usize]) -> Sample {
    unknown.iter().for_each(|r| sample.phi[*r] = 0.0);
    sample
}

/// Refuses what the checks would have to know: functions written in Rust in masses and declared poses, in `initial`, and in rows
/// so that G depends on them.
///
/// # Errors
/// MBS068 for each.
pub fn refuse_unknown(graph: &Graph, model: &Model, tree: &Tree, equations: &Equations) -> Result<(), Errors> {
    let mut errors = Errors::new();
    if !any(model) {
        return Ok(());
    }
    let mut found = unknown_numbers(model);
    for ((r, _), entry) in &equations.jacobian {
        let row = &tree.rows[*r];
        found.extend(first_call(graph, *entry).map(|f| (row.origin, format!("`{}`", row.name), f)));
    }
    for (exact, list) in [(true, &equations.conditions), (false, &equations.guesses)] {
        for (c, condition) in model.conditions.iter().filter(|c| c.exact == exact).zip(list) {
            found.extend(first_call(graph, condition.residual).map(|f| (c.origin, format!("`initial {}`", c.name), f)));
        }
    }
    if found.is_empty() {
        // Whatever else M may be made of.
        let f = equations.mass.values().find_map(|m| first_call(graph, *m));
        found.extend(f.map(|f| (model.origin, "the mass matrix".to_owned(), f)));
    }
    for (origin, what, function) in found {
        let function = &model.functions[function.index()].name;
        errors.push(
            "MBS068",
            origin,
            format!("{what} needs values of `{function}`, which the compiler cannot call"),
            Some("it may stand in loads, rates, outputs, and as a function of time in rows; the engine calls it anywhere".into()),
        );
    }
    errors.into_result(())
}

/// Bodies and joints whose own numbers are not known.
fn unknown_numbers(model: &Model) -> Vec<(Origin, String, FunctionId)> {
    let bodies = model.bodies.iter().map(|b| (b.origin, format!("body `{}`", b.name), body_numbers(b)));
    let joints = model.joints.iter().map(|j| (j.origin, format!("joint `{}`", j.name), joint_numbers(model, j)));
    let all = bodies.chain(joints);
    all.filter_map(|(origin, what, numbers)| Some((origin, what, numbers.into_iter().find_map(|e| called(model, e))?)))
        .collect()
}

/// What a joint's place in its bodies and its directions are made of.
fn joint_numbers(model: &Model, joint: &Joint) -> Vec<ExprId> {
    let ends = joint.ends.iter().map(|m| &model.markers[m.index()]).filter(|m| m.body.is_some());
    let placed = |m: &Marker| {
        m.point.into_iter().chain([m.angle]).chain(m.rotation.into_iter().flatten().flatten()).collect::<Vec<_>>()
    };
    let mut all: Vec<ExprId> = ends.flat_map(placed).collect();
    for step in &joint.steps {
        match *step {
            Step::Turn { axis } | Step::Slide { axis } => all.extend(axis),
            Step::Screw { axis, advance } => all.extend(axis.into_iter().chain([advance])),
            Step::Ellipsoid { radii, .. } => all.extend(radii),
            Step::Orbit { radius } => all.push(radius),
            Step::Ball { .. } | Step::Line { .. } | Step::Posed { .. } | Step::Free { .. } => {}
        }
    }
    match joint.kind {
        JointKind::Prismatic { axis } | JointKind::PointOnLine { axis } => all.extend(axis),
        JointKind::Fixed { angle } => all.push(angle),
        JointKind::Gear { ratio, .. } => all.push(ratio),
        JointKind::Declared { pose } => {
            all.extend(pose.iter().flat_map(|pose| model.poses[*pose as usize].expressions()));
        }
        JointKind::Revolute | JointKind::Free | JointKind::Distance { .. } | JointKind::Spatial => {}
    }
    all
}

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

/// A function written in Rust in an expression.
fn called(model: &Model, e: ExprId) -> Option<FunctionId> {
    if !model.exprs.mentions(e).opaque {
        return None;
    }
    model.exprs.below(e).into_iter().find_map(|id| match model.exprs.op(id) {
        Op::Called { function, source: FunctionSource::Rust, .. } => Some(function),
        _ => None,
    })
}

/// The first function written in Rust that a node depends on.
fn first_call(graph: &Graph, root: NodeId) -> Option<FunctionId> {
    graph.reachable(&[root]).into_iter().find_map(|id| match graph.node(id) {
        Node::Called(function, ..) => {
            graph.with_functions(|all| all[function.index()].source() == FunctionSource::Rust).then_some(function)
        }
        _ => None,
    })
}

/// Refuses functions that give fewer derivatives than the kernels need.
///
/// # Errors
/// MBS067 for each function.
pub fn check_derivatives(graph: &Graph, model: &Model, groups: &[Group]) -> Result<(), Errors> {
    let mut errors = Errors::new();
    if !any(model) {
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
        let Some(given) = declared.derivatives().filter(|given| derivative > *given) else { continue };
        let gives = match given {
            0 => "no derivative".to_owned(),
            1 => "1 derivative".to_owned(),
            n => format!("{n} derivatives"),
        };
        // In a part it is declared without the name of its instance.
        let plain = declared.name.rsplit('.').next().unwrap_or_default();
        let help = match usize::from(derivative) <= MOST_DERIVATIVES {
            true => {
                let held = declared.held().map_or(String::new(), |ty| format!(", {}", ty.text));
                format!("write `function {plain}{} opaque({derivative}{held});`", form(declared))
            }
            false => format!("a function gives {MOST_DERIVATIVES} derivatives at most"),
        };
        let message = format!("`{}` gives {gives}, `{kernel}` needs {}", declared.name, ordinal(derivative));
        errors.push("MBS067", declared.origin, message, Some(help));
    }
    errors.into_result(())
}

/// What stands between the name and `opaque` in the declaration.
fn form(f: &CalledFunction) -> String {
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
