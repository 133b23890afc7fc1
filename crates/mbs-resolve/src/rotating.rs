//! A frame that turns: `frame: rotating { omega, alpha, center };`.
//!
//! Everything is described in a frame that turns with Ω, whose rate is A, about its point C. With the place p and the velocity v of a centre of
//! mass, and the angular velocity ω of its body, all as seen from the frame and in its axes, each body receives
//!
//! ```text
//! f = −m (A × r + 2 Ω × v + Ω × (Ω × r)),    r = p − p_C               at the centre of mass          (1)
//! τ = −(I (A + Ω × ω) + Ω × I (Ω + ω) + ω × I Ω)                                                      (2)
//! ```
//!
//! (1) are Euler's, Coriolis' and the centrifugal force. (2) is I α + ω × I ω with the absolute ω + Ω and ω̇ + A + Ω × ω, less the same of the
//! relative motion; in the plane it is −I A. Source: Goldstein, Classical Mechanics, § 4.10, for (1); (2) is derived here.

use mbs_definition::{Expr, Origin, Setting};
use mbs_expr::{BodyId, ExprId};
use mbs_model::spin::{in_body, tensor_times};
use mbs_model::{BodyKind, Force, Load};

use super::value::Axes;
use super::{Res, Resolver, Scope};

/// Name of what it exerts.
const NAME: &str = "frame";

/// What it takes.
pub(super) const ARGUMENTS: &[&str] = &["omega", "alpha", "center"];

/// How a frame turns, in its own axes.
struct Turning {
    omega: [ExprId; 3],
    alpha: [ExprId; 3],
    center: [ExprId; 3],
}

impl Resolver<'_> {
    /// After this pass: the forces of a frame that turns are there.
    pub(super) fn resolve_frame(&mut self) {
        if let Some(setting) = self.chosen.frame.clone() {
            self.frame = self.frame_force(&setting).ok();
        }
    }

    fn frame_force(&mut self, setting: &Setting) -> Res<Force> {
        let origin = setting.name.origin;
        if self.rust_names.contains_key(NAME) {
            let message = format!("`{NAME}` is what the forces of a frame that turns are called");
            return self.fail("MBS011", origin, message, Some("call the other thing something else".into()));
        }
        let turning = self.frame_turning(setting)?;
        let mut loads = Vec::new();
        for b in 0..self.bodies.len() {
            loads.extend(self.frame_loads(BodyId(b as u32), &turning, origin)?);
        }
        let docs = "Of the frame that turns.".into();
        Ok(Force { name: NAME.into(), origin, docs, loads, ends: None, is_cable: false, potential: None })
    }

    fn frame_turning(&mut self, setting: &Setting) -> Res<Turning> {
        let found = self.arguments("a frame", &setting.arguments, ARGUMENTS).found;
        let [omega, alpha, center] = [0, 1, 2].map(|i| found[i].map(|argument| &argument.value));
        let Some(omega) = omega else {
            let help = Some("write `frame: rotating { omega: … };`".into());
            return self.fail("MBS018", setting.name.origin, "a frame that turns needs `omega`", help);
        };
        let center = match center {
            Some(value) => {
                let what = "`center` of a frame";
                let (v, axes) = self.vector(value, &Scope::default(), what)?;
                self.expect_axes(axes, Axes::World, value.origin, what)?;
                v.iter().try_for_each(|x| self.parametric(*x, value.origin, what))?;
                v
            }
            None => [self.exprs.number(0.0); 3],
        };
        let known = self.frame_vector(omega, "`omega` of a frame")?;
        let alpha = match alpha {
            Some(value) => self.frame_vector(value, "`alpha` of a frame")?,
            None if known.iter().map(|x| self.exprs.mentions(*x)).any(|m| m.input || m.auxiliary) => {
                let help = Some("give `alpha`, too".into());
                return self.fail("MBS018", omega.origin, "`omega` of a frame has no rate that is known", help);
            }
            None => {
                let mut rates = known;
                for x in &mut rates {
                    *x = self.rate(*x, omega.origin)?;
                    self.without_accelerations(*x, omega.origin, "the rate of `omega` of a frame")?;
                }
                rates
            }
        };
        Ok(Turning { omega: known, alpha, center })
    }

    /// A number about z in the plane, a vector in the frame's axes in space.
    fn frame_vector(&mut self, value: &Expr, what: &str) -> Res<[ExprId; 3]> {
        let v = if self.planar() {
            let zero = self.exprs.number(0.0);
            [zero, zero, self.number(value, &Scope::default(), what)?]
        } else {
            let (v, axes) = self.vector(value, &Scope::default(), what)?;
            self.in_axes(v, axes, Axes::World)
        };
        v.iter().try_for_each(|x| self.without_accelerations(*x, value.origin, what))?;
        Ok(v)
    }

    /// (1) and (2) of a body.
    fn frame_loads(&mut self, body: BodyId, turning: &Turning, origin: Origin) -> Res<Vec<Load>> {
        let Turning { omega, alpha, center } = *turning;
        let (mass, p, v) = self.com_motion(body, origin)?;
        let at = self.com_marker(body, origin)?;
        let [minus, two] = [-1.0, 2.0].map(|x| self.exprs.number(x));
        let g = &mut self.geometry();
        let r = g.minus(p, center);
        let euler = g.cross(alpha, r);
        let twice = g.scaled(two, v);
        let coriolis = g.cross(omega, twice);
        let around = g.cross(omega, r);
        let centripetal = g.cross(omega, around);
        let sum = g.plus(euler, coriolis);
        let sum = g.plus(sum, centripetal);
        let sum = g.scaled(mass, sum);
        let force = g.scaled(minus, sum);
        let mut loads = vec![Load::Force { at, force }];
        if self.bodies[body.index()].kind == BodyKind::Rigid {
            let torque = self.frame_torque(body, turning);
            loads.push(Load::Torque { on: at, torque });
        }
        let zero = self.exprs.number(0.0);
        loads.retain(|load| match load {
            Load::Force { force: v, .. } | Load::Torque { torque: v, .. } => v.iter().any(|x| *x != zero),
            Load::Along { .. } | Load::Potential(_) => true,
        });
        Ok(loads)
    }

    /// (2), world axes.
    fn frame_torque(&mut self, body: BodyId, turning: &Turning) -> [ExprId; 3] {
        let minus = self.exprs.number(-1.0);
        let m = self.bodies[body.index()].origin_marker;
        if self.planar() {
            let moment = self.exprs.mul(self.bodies[body.index()].inertia[2], turning.alpha[2]);
            let zero = self.exprs.number(0.0);
            return [zero, zero, self.exprs.mul(minus, moment)];
        }
        let [own, spin] = in_body(&mut self.geometry(), body);
        let [omega, alpha] = [turning.omega, turning.alpha].map(|v| self.geometry().from_world(m, v));
        let turned = self.geometry().cross(omega, own);
        let euler = self.geometry().plus(alpha, turned);
        let euler = tensor_times(&mut self.geometry(), body, euler);
        let carried = tensor_times(&mut self.geometry(), body, omega);
        let both = self.geometry().plus(carried, spin);
        let g = &mut self.geometry();
        let around = g.cross(omega, both);
        let across = g.cross(own, carried);
        let sum = g.plus(euler, around);
        let sum = g.plus(sum, across);
        let torque = g.scaled(minus, sum);
        g.to_world(m, torque)
    }
}
