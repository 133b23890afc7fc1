//! A rotating frame: `frame: rotating { omega, alpha, center };`.
//!
//! The mechanism is described in a frame that rotates about its point C with angular velocity Ω and angular acceleration A. With the position p and
//! the velocity v of a centre of mass, and the angular velocity ω of its body, all relative to the frame and in its axes, the loads on each body are
//!
//! ```text
//! f = −m (A × r + 2 Ω × v + Ω × (Ω × r)),    r = p − p_C               at the centre of mass          (1)
//! τ = −(I (A + Ω × ω) + Ω × I (Ω + ω) + ω × I Ω)                                                      (2)
//! ```
//!
//! (1) are Euler's, Coriolis' and the centrifugal force. (2) is minus the difference of I α + ω × I ω for the absolute ω + Ω and ω̇ + A + Ω × ω and
//! for the relative motion; in the plane it is −I A. Source: Goldstein, Classical Mechanics, § 4.10, for (1); (2) is derived here.

use mbs_definition::{Expr, Origin, Setting};
use mbs_expr::{BodyId, Expr as Formula, ExprId};
use mbs_math::Vector;
use mbs_model::rotational::{angular_velocity_and_momentum, inertia_tensor};
use mbs_model::{BodyKind, Force, Load};

use crate::mistakes;
use crate::resolvers::{FramePhase, Resolves};
use crate::value::Axes;
use crate::{Res, Scope};

/// Name of the forces of the rotating frame.
const NAME: &str = "frame";

/// Arguments of `frame: rotating`.
pub(crate) const ARGUMENTS: &[&str] = &["omega", "alpha", "center"];

/// Angular velocity, angular acceleration and centre of the rotating frame, in its axes.
struct FrameMotion {
    omega: [ExprId; 3],
    alpha: [ExprId; 3],
    center: [ExprId; 3],
}

impl<'a> FramePhase<'_, 'a> {
    /// The forces of the rotating frame, if the mechanism has one.
    pub(crate) fn resolve(&mut self) -> Option<Force> {
        let setting = self.resolver.chosen.frame.clone()?;
        self.frame_force(&setting).ok()
    }

    fn frame_force(&mut self, setting: &Setting) -> Res<Force> {
        let origin = setting.name.origin;
        if self.resolver.names.rust.contains_key(NAME) {
            return self.fail(origin, mistakes::forces::name_of_rotating_frame(NAME));
        }
        let motion = self.frame_motion(setting)?;
        let mut loads = Vec::new();
        for b in 0..self.resolver.bodies.all.len() {
            loads.extend(self.frame_loads(BodyId(b as u32), &motion, origin)?);
        }
        let docs = "Forces of the rotating frame.".into();
        Ok(Force { name: NAME.into(), origin, docs, loads, ends: None, is_cable: false, potential: None })
    }

    fn frame_motion(&mut self, setting: &Setting) -> Res<FrameMotion> {
        let found = self.argument_resolver().arguments("a frame", &setting.arguments, ARGUMENTS).found;
        let [omega, alpha, center] = [0, 1, 2].map(|i| found[i].map(|argument| &argument.value));
        let Some(omega) = omega else {
            return self.fail(setting.name.origin, mistakes::forces::frame_without_omega());
        };
        let center = match center {
            Some(value) => {
                let subject = "`center` of a frame";
                let (v, axes) = self.resolver.evaluate_vector(value, &Scope::default(), subject)?;
                self.vectors().expect_axes(axes, Axes::World, value.origin, subject)?;
                v.iter().try_for_each(|x| self.argument_resolver().parametric(*x, value.origin, subject))?;
                v
            }
            None => [self.resolver.exprs.constant(0.0); 3],
        };
        let known = self.frame_vector(omega, "`omega` of a frame")?;
        let alpha = match alpha {
            Some(value) => self.frame_vector(value, "`alpha` of a frame")?,
            None if known.iter().map(|x| self.resolver.exprs.mentions(*x)).any(|m| m.input || m.auxiliary) => {
                return self.fail(omega.origin, mistakes::forces::omega_without_rate());
            }
            None => {
                let mut rates = known;
                for x in &mut rates {
                    *x = self.field_resolver().rate(*x, omega.origin)?;
                    self.argument_resolver().without_accelerations(
                        *x,
                        omega.origin,
                        "the rate of `omega` of a frame",
                    )?;
                }
                rates
            }
        };
        Ok(FrameMotion { omega: known, alpha, center })
    }

    /// A vector in the frame's axes; in the plane its z component is given.
    fn frame_vector(&mut self, value: &Expr, subject: &str) -> Res<[ExprId; 3]> {
        let v = if self.resolver.is_planar() {
            let zero = self.resolver.exprs.constant(0.0);
            [zero, zero, self.resolver.evaluate_number(value, &Scope::default(), subject)?]
        } else {
            let (v, axes) = self.resolver.evaluate_vector(value, &Scope::default(), subject)?;
            self.vectors().reexpress(v, axes, Axes::World)
        };
        v.iter().try_for_each(|x| self.argument_resolver().without_accelerations(*x, value.origin, subject))?;
        Ok(v)
    }

    /// Loads (1) and (2) on a body.
    fn frame_loads(&mut self, body: BodyId, motion: &FrameMotion, origin: Origin) -> Res<Vec<Load>> {
        let FrameMotion { omega, alpha, center } = *motion;
        let (mass, p, v) = self.body_resolver().com_motion(body, origin)?;
        let com = self.body_resolver().com_marker(body, origin)?;
        let force = self.vectors().write(|g| {
            let [omega, alpha, p, v, center] = [omega, alpha, p, v, center].map(|v| g.vector(v));
            let r = p - center;
            let acceleration = alpha.cross(r) + omega.cross(v * Formula::from(2.0)) + omega.cross(omega.cross(r));
            g.ids(g.expr(mass) * acceleration * Formula::from(-1.0))
        });
        let mut loads = vec![Load::Force { at: com, force }];
        if self.resolver.bodies.all[body.index()].kind == BodyKind::Rigid {
            let torque = self.frame_torque(body, motion);
            loads.push(Load::Torque { on: com, torque });
        }
        let zero = self.resolver.exprs.constant(0.0);
        loads.retain(|load| match load {
            Load::Force { force: v, .. } | Load::Torque { torque: v, .. } => v.iter().any(|x| *x != zero),
            Load::Generalized { .. } | Load::Potential(_) => true,
        });
        Ok(loads)
    }

    /// τ of (2), in the axes of the frame.
    fn frame_torque(&mut self, body: BodyId, motion: &FrameMotion) -> [ExprId; 3] {
        let m = self.resolver.bodies.all[body.index()].origin_marker;
        if self.resolver.is_planar() {
            return self.vectors().write(|g| {
                let moment = g.expr(g.scene.bodies[body.index()].inertia[2]) * g.expr(motion.alpha[2]);
                g.ids(Vector([0.0.into(), 0.0.into(), -1.0 * moment]))
            });
        }
        self.vectors().write(|g| {
            let inertia = inertia_tensor(g, body);
            let [own, spin] = angular_velocity_and_momentum(g, body);
            let [omega, alpha] = [motion.omega, motion.alpha].map(|v| g.from_world(m, g.vector(v)));
            let momentum = inertia * omega;
            let euler = inertia * (alpha + omega.cross(own));
            let sum = euler + omega.cross(momentum + spin) + own.cross(momentum);
            g.ids(g.to_world(m, sum * Formula::from(-1.0)))
        })
    }
}
