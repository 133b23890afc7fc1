//! Guesses that follow parameters: declared poses and speeds, and those of `~`, as conditions for `State::new` in `mbs-core`.

use mbs_definition::{Origin, Space};
use mbs_expr::{BodyId, ExprId, MarkerId, Op};
use mbs_math::Vector;
use mbs_model::catalog::attitude;
use mbs_model::{Body, BodyKind, Formulation, InitialCondition, Model, Rotation, RowLevel, Step};
use mbs_physics::{LinkOwner, Mobilizer, Placement, Tree, in_formulation};

/// Lists the guesses that depend on parameters: what of a declared pose decides coordinates of the joint that carries the body, starts of
/// joints of declared kinds, `~`, and all declared speeds, which follow the geometry. Where parameters place the basic points of a body in
/// natural coordinates, its whole pose is one. Done once, with the coordinates that are chosen.
pub fn list_guesses(model: &mut Model) {
    if model.parameters.is_empty() {
        return;
    }
    let joint_model = in_formulation(model, Formulation::Joint);
    let joint_tree = Tree::new(&joint_model);
    let moved: Vec<Moved> = (0..model.bodies.len()).map(|b| moved(&joint_model, &joint_tree, b)).collect();
    let depends = |model: &Model, c: &InitialCondition| c.level != RowLevel::Position || varies(model, c.value);
    let mut all: Vec<InitialCondition> =
        model.conditions.iter().filter(|c| !c.exact && depends(model, c)).cloned().collect();
    for (b, Moved { slides, turns, is_free }) in moved.into_iter().enumerate() {
        let body = model.bodies[b].clone();
        let whole = has_varying_basis(model, BodyId(b as u32));
        let zero = model.exprs.constant(0.0);
        let rest = |told: Option<[ExprId; 3]>| told.or((whole && is_free).then_some([zero; 3]));
        if slides && let Some(position) = rest(body.position).filter(|p| whole || any_varies(model, p)) {
            all.extend(position_guesses(model, &body, position));
        }
        if turns {
            all.extend(attitude_guesses(model, &body, whole, is_free));
        }
        all.extend(speed_guesses(model, &body));
    }
    for pose in model.poses.clone() {
        for (k, start) in (0..).zip(pose.starts) {
            if !varies(model, start) {
                continue;
            }
            let target = model.exprs.push(Op::JointCoordinate(pose.joint, k));
            let joint = model.joint(pose.joint);
            let (name, origin) = (format!("{}.{}", joint.name, joint.coordinates[usize::from(k)].0), joint.origin);
            all.push(guess(name, origin, (target, start), RowLevel::Position));
        }
    }
    model.guesses = all;
}

/// Whether an expression of constants and parameters depends on one.
fn varies(model: &Model, e: ExprId) -> bool {
    let mentions = model.exprs.mentions(e);
    mentions.parameter && !mentions.input
}

fn any_varies(model: &Model, list: &[ExprId]) -> bool {
    list.iter().any(|e| varies(model, *e))
}

fn has_varying_basis(model: &Model, body: BodyId) -> bool {
    let basis = model.natural.basis(body);
    basis.is_some_and(|b| b.points.iter().chain(&b.vectors).any(|(_, at)| any_varies(model, at)))
}

fn axes(model: &Model) -> usize {
    if model.space == Space::Planar { 2 } else { 3 }
}

fn position_guesses(model: &mut Model, body: &Body, position: [ExprId; 3]) -> Vec<InitialCondition> {
    let (n, target) = (axes(model), |k: usize| Op::Position(body.origin_marker, k as u8));
    components(model, body, "position", &position[..n], target, RowLevel::Position)
}

/// The angle, or, in space, twice the vector of the quaternion from the declared rotation to the body's.
fn attitude_guesses(model: &mut Model, body: &Body, whole: bool, is_free: bool) -> Vec<InitialCondition> {
    if body.kind == BodyKind::Particle {
        return Vec::new();
    }
    let rest = whole && is_free;
    if model.space == Space::Planar {
        let zero = model.exprs.constant(0.0);
        let told = body.angle.or(rest.then_some(zero)).filter(|e| whole || varies(model, *e));
        let target = |_| Op::Angle(body.origin_marker);
        return told.map_or_else(Vec::new, |e| components(model, body, "angle", &[e], target, RowLevel::Position));
    }
    let identity = [0, 1, 2].map(|i| [0, 1, 2].map(|k| model.exprs.constant(if i == k { 1.0 } else { 0.0 })));
    let told = body.rotation.or(rest.then_some(identity)).filter(|r| whole || any_varies(model, r.as_flattened()));
    let Some(told) = told else { return Vec::new() };
    let [_, apart @ ..] = apart(model, told, body.origin_marker);
    let zero = model.exprs.constant(0.0);
    let condition = |(k, e): (usize, ExprId)| {
        let name = format!("rotation({}).{}", body.name, ["x", "y", "z"][k]);
        let target = model.exprs.write(|w| w.id(2.0 * w.expr(e)));
        guess(name, body.origin, (target, zero), RowLevel::Position)
    };
    apart.into_iter().enumerate().map(condition).collect()
}

/// The quaternion that turns a rotation into that of a marker.
fn apart(model: &mut Model, from: Rotation, marker: MarkerId) -> [ExprId; 4] {
    let exprs = &mut model.exprs;
    let axes: Rotation = [0, 1, 2].map(|k| [0, 1, 2].map(|c| exprs.push(Op::Direction(marker, k as u8, c as u8))));
    exprs.write(|w| {
        let between = axes.map(|axis| Vector(from.map(|told| w.vector(told).dot(w.vector(axis)))));
        attitude::quaternion(w, between).map(|e| w.id(e))
    })
}

fn speed_guesses(model: &mut Model, body: &Body) -> Vec<InitialCondition> {
    let origin = body.origin_marker;
    let known = |model: &Model, list: &[ExprId]| list.iter().all(|e| !model.exprs.mentions(*e).input);
    let mut all = Vec::new();
    if let Some(velocity) = body.velocity.filter(|v| known(model, v)) {
        let n = axes(model);
        let places: Vec<ExprId> = (0..n).map(|k| model.exprs.push(Op::Position(origin, k as u8))).collect();
        let target = |k: usize| Op::Rate(places[k]);
        all.extend(components(model, body, "velocity", &velocity[..n], target, RowLevel::Velocity));
    }
    if let Some(turning) = body.angular_velocity.filter(|v| known(model, v)) {
        all.extend(match model.space {
            Space::Planar => {
                let angle = model.exprs.push(Op::Angle(origin));
                components(model, body, "rate", &turning[2..], |_| Op::Rate(angle), RowLevel::Velocity)
            }
            Space::Spatial => {
                let target = |k: usize| Op::AngularVelocity(origin, k as u8);
                components(model, body, "angular_velocity", &turning, target, RowLevel::Velocity)
            }
        });
    }
    all
}

fn components(
    model: &mut Model,
    body: &Body,
    what: &str,
    values: &[ExprId],
    target: impl Fn(usize) -> Op,
    level: RowLevel,
) -> Vec<InitialCondition> {
    let name = |k: usize| match values.len() {
        1 => format!("{what}({})", body.name),
        _ => format!("{what}({}).{}", body.name, ["x", "y", "z"][k]),
    };
    let condition = |(k, value): (usize, &ExprId)| {
        let target = model.exprs.push(target(k));
        guess(name(k), body.origin, (target, *value), level)
    };
    values.iter().enumerate().map(condition).collect()
}

fn guess(name: String, origin: Origin, (target, value): (ExprId, ExprId), level: RowLevel) -> InitialCondition {
    InitialCondition { name, origin, target, value, exact: false, level }
}

/// The motions that the joint of a body allows.
#[derive(Clone, Copy, Default)]
struct Moved {
    slides: bool,
    turns: bool,
    /// Whether it allows every motion.
    is_free: bool,
}

/// The motions that the joint of a body allows in joint coordinates.
fn moved(model: &Model, tree: &Tree, body: usize) -> Moved {
    let moved = |slides, turns| Moved { slides, turns, is_free: false };
    let free = Moved { slides: true, turns: true, is_free: true };
    let joint = match tree.placements[body] {
        Placement::Joint { joint, .. } => joint,
        _ => return free,
    };
    match model.space {
        Space::Spatial => {
            let own = tree.links.iter().filter(|link| matches!(link.owner, LinkOwner::Joint(j, ..) if j == joint));
            own.fold(Moved::default(), |all, link| {
                let own = match link.mobilizer {
                    Mobilizer::Revolute { .. }
                    | Mobilizer::Ball { .. }
                    | Mobilizer::Line { .. }
                    | Mobilizer::Ellipsoid { .. } => moved(false, true),
                    Mobilizer::Prismatic { .. } | Mobilizer::Orbit { .. } => moved(true, false),
                    Mobilizer::Screw { .. } | Mobilizer::Posed { .. } => moved(true, true),
                    Mobilizer::Translation | Mobilizer::Free { .. } => free,
                    Mobilizer::Prescribed(_) => Moved::default(),
                };
                Moved {
                    slides: all.slides || own.slides,
                    turns: all.turns || own.turns,
                    is_free: all.is_free || own.is_free,
                }
            })
        }
        Space::Planar => {
            let steps = (0..).zip(model.joint(joint).steps()).filter(|(k, _)| tree.prescribed(joint, *k).is_none());
            steps.fold(Moved::default(), |all, (_, step)| Moved {
                slides: all.slides || !matches!(step, Step::Revolute { .. }),
                turns: all.turns || !matches!(step, Step::Prismatic { .. }),
                ..all
            })
        }
    }
}
