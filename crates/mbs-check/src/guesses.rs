//! Guesses that follow parameters: declared poses and speeds, and those of `~`, as conditions for `State::new` in `mbs-core`.

use mbs_definition::{Origin, Space};
use mbs_expr::{BodyId, ExprId, MarkerId, Op};
use mbs_math::Vector;
use mbs_model::catalog::attitude;
use mbs_model::{Body, BodyKind, Formulation, InitialCondition, Model, Rotation, RowLevel, Step};
use mbs_physics::{LinkOwner, Mobilizer, Placement, Tree, in_formulation};

/// Sets `Start::guesses`, the guesses that depend on parameters: the parts of declared poses that determine coordinates of the inboard joints,
/// starts of joints of declared kinds, `~`, and all declared speeds, since these follow the geometry. Where the basic points of a body in natural
/// coordinates depend on parameters, its complete pose is a guess. Called once, after the coordinates are chosen.
pub fn list_guesses(model: &mut Model) {
    if model.quantities.parameters.is_empty() {
        return;
    }
    let joint_model = in_formulation(model, Formulation::Joint);
    let joint_tree = Tree::new(&joint_model);
    let motions: Vec<JointMotion> =
        (0..model.bodies.len()).map(|b| joint_motion(&joint_model, &joint_tree, b)).collect();
    let depends =
        |model: &Model, c: &InitialCondition| c.level != RowLevel::Position || depends_on_parameters(model, c.value);
    let mut all: Vec<InitialCondition> =
        model.start.conditions.iter().filter(|c| !c.exact && depends(model, c)).cloned().collect();
    for (b, JointMotion { translates, rotates, is_free }) in motions.into_iter().enumerate() {
        let body = model.bodies[b].clone();
        let complete = has_varying_basis(model, BodyId(b as u32));
        let zero = model.exprs.constant(0.0);
        let or_zero = |declared: Option<[ExprId; 3]>| declared.or((complete && is_free).then_some([zero; 3]));
        if translates
            && let Some(position) = or_zero(body.position).filter(|p| complete || any_depends_on_parameters(model, p))
        {
            all.extend(position_guesses(model, &body, position));
        }
        if rotates {
            all.extend(attitude_guesses(model, &body, complete, is_free));
        }
        all.extend(speed_guesses(model, &body));
    }
    for pose in model.coordinates.poses.clone() {
        for (k, start) in (0..).zip(pose.starts) {
            if !depends_on_parameters(model, start) {
                continue;
            }
            let target = model.exprs.push(Op::JointCoordinate(pose.joint, k));
            let joint = model.joint(pose.joint);
            let (name, origin) = (format!("{}.{}", joint.name, joint.coordinates[usize::from(k)].0), joint.origin);
            all.push(guess(name, origin, target, start, RowLevel::Position));
        }
    }
    model.start.guesses = all;
}

/// Whether an expression of constants and parameters depends on a parameter.
fn depends_on_parameters(model: &Model, e: ExprId) -> bool {
    let mentions = model.exprs.mentions(e);
    mentions.parameter && !mentions.input
}

fn any_depends_on_parameters(model: &Model, list: &[ExprId]) -> bool {
    list.iter().any(|e| depends_on_parameters(model, *e))
}

fn has_varying_basis(model: &Model, body: BodyId) -> bool {
    let basis = model.coordinates.natural.basis(body);
    basis.is_some_and(|b| {
        b.points.iter().chain(&b.vectors).any(|(_, components)| any_depends_on_parameters(model, components))
    })
}

/// Number of axes of the space.
fn dimension(model: &Model) -> usize {
    if model.space == Space::Planar { 2 } else { 3 }
}

fn position_guesses(model: &mut Model, body: &Body, position: [ExprId; 3]) -> Vec<InitialCondition> {
    let (n, target) = (dimension(model), |k: usize| Op::Position(body.origin_marker, k as u8));
    components(model, body, "position", &position[..n], target, RowLevel::Position)
}

/// Guesses of the angle, or, in space, of twice the vector part of the quaternion from the declared rotation to the body's. `complete` guesses
/// include rotations that do not depend on parameters.
fn attitude_guesses(model: &mut Model, body: &Body, complete: bool, is_free: bool) -> Vec<InitialCondition> {
    if body.kind == BodyKind::Particle {
        return Vec::new();
    }
    let by_default = complete && is_free;
    if model.space == Space::Planar {
        let zero = model.exprs.constant(0.0);
        let declared =
            body.angle.or(by_default.then_some(zero)).filter(|e| complete || depends_on_parameters(model, *e));
        let target = |_| Op::Angle(body.origin_marker);
        return declared.map_or_else(Vec::new, |e| components(model, body, "angle", &[e], target, RowLevel::Position));
    }
    let identity = [0, 1, 2].map(|i| [0, 1, 2].map(|k| model.exprs.constant(if i == k { 1.0 } else { 0.0 })));
    let declared = body.rotation.or(by_default.then_some(identity));
    let declared = declared.filter(|r| complete || any_depends_on_parameters(model, r.as_flattened()));
    let Some(declared) = declared else { return Vec::new() };
    let [_, vector @ ..] = relative_quaternion(model, declared, body.origin_marker);
    let zero = model.exprs.constant(0.0);
    let condition = |(k, e): (usize, ExprId)| {
        let name = format!("rotation({}).{}", body.name, ["x", "y", "z"][k]);
        let target = model.exprs.write(|w| w.id(2.0 * w.expr(e)));
        guess(name, body.origin, target, zero, RowLevel::Position)
    };
    vector.into_iter().enumerate().map(condition).collect()
}

/// The quaternion of the rotation from an orientation to that of a marker, scalar first, in the axes of `from`.
fn relative_quaternion(model: &mut Model, from: Rotation, marker: MarkerId) -> [ExprId; 4] {
    let exprs = &mut model.exprs;
    let axes: Rotation = [0, 1, 2].map(|k| [0, 1, 2].map(|c| exprs.push(Op::Direction(marker, k as u8, c as u8))));
    exprs.write(|w| {
        let between = axes.map(|axis| Vector(from.map(|own| w.vector(own).dot(w.vector(axis)))));
        attitude::quaternion(w, between).map(|e| w.id(e))
    })
}

fn speed_guesses(model: &mut Model, body: &Body) -> Vec<InitialCondition> {
    let origin = body.origin_marker;
    let known = |model: &Model, list: &[ExprId]| list.iter().all(|e| !model.exprs.mentions(*e).input);
    let mut all = Vec::new();
    if let Some(velocity) = body.velocity.filter(|v| known(model, v)) {
        let n = dimension(model);
        let positions: Vec<ExprId> = (0..n).map(|k| model.exprs.push(Op::Position(origin, k as u8))).collect();
        let target = |k: usize| Op::Rate(positions[k]);
        all.extend(components(model, body, "velocity", &velocity[..n], target, RowLevel::Velocity));
    }
    if let Some(omega) = body.angular_velocity.filter(|v| known(model, v)) {
        all.extend(match model.space {
            Space::Planar => {
                let angle = model.exprs.push(Op::Angle(origin));
                components(model, body, "rate", &omega[2..], |_| Op::Rate(angle), RowLevel::Velocity)
            }
            Space::Spatial => {
                let target = |k: usize| Op::AngularVelocity(origin, k as u8);
                components(model, body, "angular_velocity", &omega, target, RowLevel::Velocity)
            }
        });
    }
    all
}

fn components(
    model: &mut Model,
    body: &Body,
    quantity: &str,
    values: &[ExprId],
    target: impl Fn(usize) -> Op,
    level: RowLevel,
) -> Vec<InitialCondition> {
    let name = |k: usize| match values.len() {
        1 => format!("{quantity}({})", body.name),
        _ => format!("{quantity}({}).{}", body.name, ["x", "y", "z"][k]),
    };
    let condition = |(k, value): (usize, &ExprId)| {
        let target = model.exprs.push(target(k));
        guess(name(k), body.origin, target, *value, level)
    };
    values.iter().enumerate().map(condition).collect()
}

fn guess(name: String, origin: Origin, target: ExprId, value: ExprId, level: RowLevel) -> InitialCondition {
    InitialCondition { name, origin, target, value, exact: false, level }
}

/// The motions that the inboard joint of a body allows.
#[derive(Clone, Copy, Default)]
struct JointMotion {
    translates: bool,
    rotates: bool,
    /// Whether it allows every motion.
    is_free: bool,
}

/// The motions that the inboard joint of a body allows in joint coordinates.
fn joint_motion(model: &Model, tree: &Tree, body: usize) -> JointMotion {
    let allowed = |translates, rotates| JointMotion { translates, rotates, is_free: false };
    let free = JointMotion { translates: true, rotates: true, is_free: true };
    let joint = match tree.placements[body] {
        Placement::Joint { joint, .. } => joint,
        _ => return free,
    };
    match model.space {
        Space::Spatial => {
            let links = tree.links.iter().filter(|link| matches!(link.owner, LinkOwner::Joint(j, ..) if j == joint));
            links.fold(JointMotion::default(), |all, link| {
                let motion = match link.mobilizer {
                    Mobilizer::Revolute { .. }
                    | Mobilizer::Ball { .. }
                    | Mobilizer::Line { .. }
                    | Mobilizer::Ellipsoid { .. } => allowed(false, true),
                    Mobilizer::Prismatic { .. } | Mobilizer::Orbit { .. } => allowed(true, false),
                    Mobilizer::Screw { .. } | Mobilizer::Posed { .. } => allowed(true, true),
                    Mobilizer::Translation | Mobilizer::Free { .. } => free,
                    Mobilizer::Prescribed(_) => JointMotion::default(),
                };
                JointMotion {
                    translates: all.translates || motion.translates,
                    rotates: all.rotates || motion.rotates,
                    is_free: all.is_free || motion.is_free,
                }
            })
        }
        Space::Planar => {
            let steps = (0..).zip(model.joint(joint).steps()).filter(|(k, _)| tree.prescribed(joint, *k).is_none());
            steps.fold(JointMotion::default(), |all, (_, step)| JointMotion {
                translates: all.translates || !matches!(step, Step::Revolute { .. }),
                rotates: all.rotates || !matches!(step, Step::Prismatic { .. }),
                ..all
            })
        }
    }
}
