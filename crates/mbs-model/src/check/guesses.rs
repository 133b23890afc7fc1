//! Guesses that follow parameters: declared poses and speeds, and those of `~`, as conditions for `State::new` in `mbs-core`.

use mbs_definition::{Origin, Space};
use mbs_expr::{BodyId, ExprId, MarkerId, Op};

use super::in_formulation;
use crate::catalog::attitude;
use crate::mechanics::{Freedom, LinkOwner, Placement, Tree};
use crate::{Body, BodyKind, Formulation, InitialCondition, JointKind, Model, Rotation, RowLevel};

impl Model {
    /// Lists the guesses that depend on parameters: what of a declared pose decides coordinates of the joint that carries the body, starts of
    /// joints of declared kinds, `~`, and all declared speeds, which follow the geometry. Where parameters place the basic points of a body in
    /// natural coordinates, its whole pose is one. Done once, with the coordinates that are chosen.
    pub fn list_guesses(&mut self) {
        if self.parameters.is_empty() {
            return;
        }
        let joint_model = in_formulation(self, Formulation::Joint);
        let joint_tree = Tree::new(&joint_model);
        let moved: Vec<Moved> = (0..self.bodies.len()).map(|b| moved(&joint_model, &joint_tree, b)).collect();
        let depends = |model: &Model, c: &InitialCondition| c.level != RowLevel::Position || model.varies(c.value);
        let mut all: Vec<InitialCondition> =
            self.conditions.iter().filter(|c| !c.exact && depends(self, c)).cloned().collect();
        for (b, Moved { slides, turns, is_free }) in moved.into_iter().enumerate() {
            let body = self.bodies[b].clone();
            let whole = self.has_varying_basis(BodyId(b as u32));
            let zero = self.exprs.number(0.0);
            let rest = |told: Option<[ExprId; 3]>| told.or((whole && is_free).then_some([zero; 3]));
            if slides && let Some(position) = rest(body.position).filter(|p| whole || self.any_varies(p)) {
                all.extend(self.positions(&body, position));
            }
            if turns {
                all.extend(self.turns(&body, whole, is_free));
            }
            all.extend(self.speeds(&body));
        }
        for pose in self.poses.clone() {
            for (k, start) in (0..).zip(pose.starts) {
                if !self.varies(start) {
                    continue;
                }
                let target = self.exprs.push(Op::JointCoordinate(pose.joint, k));
                let joint = self.joint(pose.joint);
                let (name, origin) = (format!("{}.{}", joint.name, joint.coordinates[usize::from(k)].0), joint.origin);
                all.push(guess(name, origin, (target, start), RowLevel::Position));
            }
        }
        self.guesses = all;
    }

    /// By how much condition k of [`Model::held_conditions`] misses its value where a run starts: zero of what is no guess.
    pub fn guess_miss(&self, k: usize) -> f64 {
        let first = self.n_conditions() + self.event_conditions().count();
        k.checked_sub(first).and_then(|k| self.guess_misses.get(k)).copied().unwrap_or(0.0)
    }

    /// Whether an expression of constants and parameters depends on one.
    fn varies(&self, e: ExprId) -> bool {
        let mentions = self.exprs.mentions(e);
        mentions.parameter && !mentions.input
    }

    fn any_varies(&self, list: &[ExprId]) -> bool {
        list.iter().any(|e| self.varies(*e))
    }

    fn has_varying_basis(&self, body: BodyId) -> bool {
        let basis = self.natural.basis(body);
        basis.is_some_and(|b| b.points.iter().chain(&b.vectors).any(|(_, at)| self.any_varies(at)))
    }

    fn axes(&self) -> usize {
        if self.space == Space::Planar { 2 } else { 3 }
    }

    fn positions(&mut self, body: &Body, position: [ExprId; 3]) -> Vec<InitialCondition> {
        let (n, target) = (self.axes(), |k: usize| Op::Position(body.origin_marker, k as u8));
        self.components(body, "position", &position[..n], target, RowLevel::Position)
    }

    /// The angle, or, in space, twice the vector of the quaternion from the declared rotation to the body's.
    fn turns(&mut self, body: &Body, whole: bool, is_free: bool) -> Vec<InitialCondition> {
        if body.kind == BodyKind::Particle {
            return Vec::new();
        }
        let rest = whole && is_free;
        if self.space == Space::Planar {
            let zero = self.exprs.number(0.0);
            let told = body.angle.or(rest.then_some(zero)).filter(|e| whole || self.varies(*e));
            let target = |_| Op::Angle(body.origin_marker);
            return told.map_or_else(Vec::new, |e| self.components(body, "angle", &[e], target, RowLevel::Position));
        }
        let identity = [0, 1, 2].map(|i| [0, 1, 2].map(|k| self.exprs.number(if i == k { 1.0 } else { 0.0 })));
        let told = body.rotation.or(rest.then_some(identity)).filter(|r| whole || self.any_varies(r.as_flattened()));
        let Some(told) = told else { return Vec::new() };
        let [_, apart @ ..] = self.apart(told, body.origin_marker);
        let (two, zero) = (self.exprs.number(2.0), self.exprs.number(0.0));
        let condition = |(k, e): (usize, ExprId)| {
            let name = format!("rotation({}).{}", body.name, ["x", "y", "z"][k]);
            let target = self.exprs.mul(two, e);
            guess(name, body.origin, (target, zero), RowLevel::Position)
        };
        apart.into_iter().enumerate().map(condition).collect()
    }

    /// The quaternion that turns a rotation into that of a marker.
    fn apart(&mut self, from: Rotation, marker: MarkerId) -> [ExprId; 4] {
        let exprs = &mut self.exprs;
        let axes: Rotation = [0, 1, 2].map(|k| [0, 1, 2].map(|c| exprs.push(Op::Direction(marker, k as u8, c as u8))));
        let between = axes.map(|axis| from.map(|told| exprs.dot(&told, &axis)));
        attitude::quaternion(exprs, between)
    }

    fn speeds(&mut self, body: &Body) -> Vec<InitialCondition> {
        let origin = body.origin_marker;
        let known = |model: &Model, list: &[ExprId]| list.iter().all(|e| !model.exprs.mentions(*e).input);
        let mut all = Vec::new();
        if let Some(velocity) = body.velocity.filter(|v| known(self, v)) {
            let n = self.axes();
            let places: Vec<ExprId> = (0..n).map(|k| self.exprs.push(Op::Position(origin, k as u8))).collect();
            let target = |k: usize| Op::Rate(places[k]);
            all.extend(self.components(body, "velocity", &velocity[..n], target, RowLevel::Velocity));
        }
        if let Some(turning) = body.angular_velocity.filter(|v| known(self, v)) {
            all.extend(match self.space {
                Space::Planar => {
                    let angle = self.exprs.push(Op::Angle(origin));
                    self.components(body, "rate", &turning[2..], |_| Op::Rate(angle), RowLevel::Velocity)
                }
                Space::Spatial => {
                    let target = |k: usize| Op::AngularVelocity(origin, k as u8);
                    self.components(body, "angular_velocity", &turning, target, RowLevel::Velocity)
                }
            });
        }
        all
    }

    fn components(
        &mut self,
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
            let target = self.exprs.push(target(k));
            guess(name(k), body.origin, (target, *value), level)
        };
        values.iter().enumerate().map(condition).collect()
    }
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
    match model.joint(joint).kind {
        _ if model.space == Space::Spatial => {
            let own = tree.links.iter().filter(|link| matches!(link.owner, LinkOwner::Joint(j, ..) if j == joint));
            own.fold(Moved::default(), |all, link| {
                let own = match link.freedom {
                    Freedom::Turn { .. } | Freedom::Ball { .. } | Freedom::Line { .. } | Freedom::Ellipsoid { .. } => {
                        moved(false, true)
                    }
                    Freedom::Slide { .. } | Freedom::Orbit { .. } => moved(true, false),
                    Freedom::Screw { .. } | Freedom::Posed { .. } => moved(true, true),
                    Freedom::Shift | Freedom::Float { .. } => free,
                    Freedom::Given(_) => Moved::default(),
                };
                Moved {
                    slides: all.slides || own.slides,
                    turns: all.turns || own.turns,
                    is_free: all.is_free || own.is_free,
                }
            })
        }
        JointKind::Declared { .. } => moved(true, true),
        _ if tree.prescribed(joint, 0).is_some() => Moved::default(),
        JointKind::Revolute => moved(false, true),
        JointKind::Prismatic { .. } => moved(true, false),
        _ => Moved::default(),
    }
}
