//! Mechanisms of these tests, and their closed forms.

use std::f64::consts::TAU;

use mbs::Engine;
use mbs_model::Formulation;

pub const FORMULATIONS: [Formulation; 2] = [Formulation::Body, Formulation::Joint];

/// Calls `check` with the engine of a text in both formulations.
pub fn for_each_formulation(text: &str, mut check: impl FnMut(&Engine)) {
    for formulation in FORMULATIONS {
        println!("{formulation:?}");
        check(&engine(text, formulation));
    }
}

pub fn engine(text: &str, formulation: Formulation) -> Engine {
    Engine::options().formulation(formulation).text(text).unwrap_or_else(|e| panic!("{e}"))
}

/// A four-bar with uniform bars of 2 kg/m, whose crank makes one revolution in a second from `start` \[rad\]. Lengths are in metres.
pub struct FourBar {
    pub ground: f64,
    pub crank: f64,
    pub coupler: f64,
    pub rocker: f64,
    pub start: f64,
}

/// A pose of the links, `[angle, rate, acceleration]` of each, for a crank at 2π rad/s.
#[derive(Clone, Copy, Debug)]
pub struct Pose {
    pub coupler: [f64; 3],
    pub rocker: [f64; 3],
}

impl FourBar {
    pub const CRANK_ROCKER: FourBar = FourBar { ground: 0.3, crank: 0.1, coupler: 0.35, rocker: 0.25, start: 1.0 };

    pub fn text(&self) -> String {
        let FourBar { ground, crank, coupler, rocker, start } = self;
        let pose = self.pose(*start);
        let [coupler_angle, rocker_angle] = [pose.coupler[0], pose.rocker[0]];
        format!(
            "pub planar FourBar {{
    gravity: [0, -9.81];
    body crank   {{ mass: {m1:?}, inertia: {i1:?}, com: [{c1:?}, 0], angle: {start:?} }}
    body coupler {{ mass: {m2:?}, inertia: {i2:?}, com: [{c2:?}, 0], angle: {coupler_angle:?} }}
    body rocker  {{ mass: {m3:?}, inertia: {i3:?}, com: [{c3:?}, 0], angle: {rocker_angle:?} }}
    joint crank_bearing  = revolute(ground, crank);
    joint crank_pin      = revolute(crank at [{crank:?}, 0], coupler);
    joint rocker_pin     = revolute(coupler at [{coupler:?}, 0], rocker at [{rocker:?}, 0]);
    joint rocker_bearing = revolute(ground at [{ground:?}, 0], rocker);
    marker tracer = coupler at [{c2:?}, 0.1];
    drive motor = crank_bearing.angle == {start:?} + TAU * t;
    output coupler_angle = angle(coupler);
    output rocker_angle = angle(rocker);
    output rocker_rate = rate(rocker);
    output rocker_acceleration = angular_acceleration(rocker);
    output torque = load(motor);
}}",
            m1 = 2.0 * crank,
            m2 = 2.0 * coupler,
            m3 = 2.0 * rocker,
            i1 = crank.powi(3) / 6.0,
            i2 = coupler.powi(3) / 6.0,
            i3 = rocker.powi(3) / 6.0,
            c1 = crank / 2.0,
            c2 = coupler / 2.0,
            c3 = rocker / 2.0,
        )
    }

    /// The open pose (coupler pin left of the diagonal from crank pin to rocker bearing) at a crank angle: the law of cosines in the
    /// triangle of coupler, rocker and diagonal, then the closure differentiated twice.
    pub fn pose(&self, angle: f64) -> Pose {
        let FourBar { ground, crank, coupler: b, rocker: c, .. } = *self;
        let (x, y) = (ground - crank * angle.cos(), -crank * angle.sin());
        let d = x.hypot(y);
        let (alpha, beta) = (y.atan2(x), ((b * b + d * d - c * c) / (2.0 * b * d)).acos());
        let theta = alpha + beta;
        let pin = [crank * angle.cos() + b * theta.cos(), crank * angle.sin() + b * theta.sin()];
        let psi = pin[1].atan2(pin[0] - ground);
        // b e(θ) θ̇ − c e(ψ) ψ̇ = −a e(φ) φ̇ with e(x) = (−sin x, cos x), and its derivative.
        let solve = |r: [f64; 2]| {
            let (m00, m01, m10, m11) = (-b * theta.sin(), c * psi.sin(), b * theta.cos(), -c * psi.cos());
            let det = m00 * m11 - m01 * m10;
            [(r[0] * m11 - m01 * r[1]) / det, (m00 * r[1] - r[0] * m10) / det]
        };
        let w = TAU;
        let [dt, dp] = solve([crank * angle.sin() * w, -crank * angle.cos() * w]);
        let second = |f: fn(f64) -> f64| crank * f(angle) * w * w + b * f(theta) * dt * dt - c * f(psi) * dp * dp;
        let [ddt, ddp] = solve([second(f64::cos), second(f64::sin)]);
        Pose { coupler: [theta, dt, ddt], rocker: [psi, dp, ddp] }
    }
}

/// The angle \[rad\] reduced to [−π, π].
pub fn wrapped(angle: f64) -> f64 {
    angle - TAU * (angle / TAU).round()
}
