//! Derivatives of inverse dynamics in space, by recursions in local frames.
//!
//! Each speed of a link moves it along a twist S = (s, l), angular and linear part, constant in the link's axes. Everything here is in these
//! axes, at the link's origin. V = (ω, v) is the link's velocity and A = (α, v̇) its rate; V′, A′ are those of the coincident frame that is fixed
//! in the parent, a′ = v̇′ + ω′ × v′ is the acceleration of that frame's origin less gravity, and U′ = ω̃′ω̃′ + α̃′. With
//! (ω, v) × (s, l) = (ω × s, ω × l + v × s), a displacement along S at fixed speeds and accelerations changes the link's motion by
//!
//! ```text
//! (1)  δV = V′ × S        δA + V × δV = ψ = A′ × S + V′ × (V′ × S) = (U′ s, U′ l + a′ × s + 2 v′ × (ω′ × s))
//! ```
//!
//! and a unit speed along S by
//!
//! ```text
//! (2)  δV = S             δA + V × δV = φ = (V′ + V) × S
//! ```
//!
//! Joints outboard of the link keep their speeds and accelerations, so that δV and δA + V × δV are equal for all outboard links. Let m, h and Σ be
//! the mass, first moment and second moments of a link and everything outboard, J = tr(Σ) 1 − Σ, b = 2 ∫ ṙ dm twice its momentum, and
//! C = 2 ∫ ṙ rᵀ dm the moments of that. The wrench F on it changes by
//!
//! ```text
//! (3)  δF = I (δA + V × δV) + B δV        I (s, l) = (J s + h × l, s × h + m l)        B (s, l) = (tr(C) s − C s, s × b)
//! ```
//!
//! The generalised force of a speed with the twist R, of this link or of an outboard one, is R·F with the wrench F of its own link. For a speed of
//! an inboard link, F also rotates and moves with S. With (s, l) ×* (n, f) = (s × n + l × f, s × f):
//!
//! ```text
//! (4)  R outboard:  ∂f/∂q = (I R)·ψ + (Bᵀ R)·(ω′ × s)          ∂f/∂v = (I R)·φ + (Bᵀ R)·s
//! (5)  R inboard:   ∂f/∂q = R·(I ψ + B (V′ × S) + S ×* F)      ∂f/∂v = R·(I φ + B S)
//! ```
//!
//! Where S itself depends on the link's coordinates, (1) and (2), and the link's own forces R·F, have additional terms. J = Σ S v is the link's
//! twist relative to the frame fixed in the parent, J˙ its rate in the link's axes, and J˙ₛ the part of that without accelerations:
//!
//! ```text
//! (6)  ∂f/∂q += ∂R/∂q·F
//! (7)  δV += δJ      ψ += (2 V′ + J) × δJ + δJ˙      φ += ∂J˙ₛ/∂v      (w, u)˙ = (ẇ, u̇ − w × u), dots on the right relative to that frame
//! ```
//!
//! I R is a column of the mass matrix, and Bᵀ (r, l) = tr(C) r − Cᵀ r + b × l is a pure moment, equal about all origins. If all twists of a link
//! are multiples of one, or translations, V, a, U may replace V′, a′, U′: their differences cancel.
//!
//! Singh, Russell, Wensing (2022), *Efficient Analytical Derivatives of Rigid-Body Dynamics using Spatial Vector Algebra*, IEEE Robotics and
//! Automation Letters 7 (2). The entries of their 6 × 6 matrices B are those of C and b alone: translations l do not enter.

mod momentum_moments;

use super::links::Mobilizer;
use super::state::{Linear, SpaceState};
use super::transform::{Moments, Part, Transform};
use super::twist::{LinkWrench, Twist, TwistDerivatives, inertial_wrench, wrench_to_parent};
use super::vector::{Matrix3, Vector3, unit, zero};
use crate::Tree;
use mbs_expr::Scalar;
use mbs_math::{Each, Mat3};
use momentum_moments::MomentumMoments;

/// Derivatives of the inertial generalised forces f = M â + (terms quadratic in speeds) − (gravity): nonzero entries (row, column, value), each at
/// most once. Shapes: n_v × n_v.
#[derive(Clone, Debug)]
pub struct InertialDerivatives<S> {
    /// Column j: the directional derivative of f for the rates q̇ that v̂ = eⱼ implies, at fixed v̂ and â.
    pub along_q: Vec<(usize, usize, S)>,
    /// Column j: ∂f/∂v̂ⱼ at fixed q and â.
    pub along_v: Vec<(usize, usize, S)>,
}

impl<S: Scalar> InertialDerivatives<S> {
    fn add(&mut self, row: usize, column: usize, [along_q, along_v]: [S; 2]) {
        for (entries, x) in [(&mut self.along_q, along_q), (&mut self.along_v, along_v)] {
            if !x.is_zero() {
                entries.push((row, column, x));
            }
        }
    }
}

/// One speed of a link, with the changes of the link's motion that it causes.
struct Speed<S> {
    /// Index of the speed.
    index: usize,
    /// S.
    twist: Twist<S>,
    /// V′ × S.
    velocity_change: Twist<S>,
    /// ψ.
    psi: Twist<S>,
    /// φ.
    phi: Twist<S>,
    /// (6): derivatives of S of each of the link's speeds; none where these are constant.
    twist_derivatives: Vec<Twist<S>>,
}

/// Moments, momenta and wrench of a link and everything outboard of it, about its origin in its axes.
struct Composite<S> {
    moments: Moments<S>,
    momenta: MomentumMoments<S>,
    wrench: LinkWrench<S>,
}

/// Changes of the wrench of a link that one of its speeds causes, propagated inwards.
struct Response<S> {
    /// I S.
    column: LinkWrench<S>,
    /// Bᵀ S.
    moment: Vector3<S>,
    /// δF of a displacement along the speed.
    along_q: LinkWrench<S>,
    /// δF of a unit change of the speed.
    along_v: LinkWrench<S>,
}

/// Motion of the frame that is fixed in the parent and coincident with a link's.
struct ParentMotion<S> {
    /// V′.
    velocity: Twist<S>,
    /// V′ + V.
    sum: Twist<S>,
    /// U′.
    spin: Matrix3<S>,
    /// a′.
    proper: Vector3<S>,
}

impl<S: Scalar> SpaceState<S> {
    /// Derivatives of `project(inertial(moments, gravity = true))`; `moments` are the links' own, regrouped or not.
    ///
    /// `twist_derivatives` returns, for a link with a declared pose, the derivatives of its twists with respect to each of its speeds.
    pub fn inertial_derivatives(
        &self,
        tree: &Tree,
        moments: &[Moments<S>],
        twist_derivatives: &dyn Fn(usize) -> Vec<TwistDerivatives<S>>,
    ) -> InertialDerivatives<S> {
        let mut derivatives = InertialDerivatives { along_q: Vec::new(), along_v: Vec::new() };
        let composites = self.composites(tree, moments);
        let speeds: Vec<Vec<Speed<S>>> =
            (0..tree.links.len()).map(|i| self.speeds(tree, i, twist_derivatives)).collect();
        for (i, (link_speeds, composite)) in speeds.iter().zip(&composites).enumerate() {
            if let Linear::World(_) = self.links[i].velocity {
                self.add_centroidal(tree.links[i].first_v + 3, i, &moments[i], &mut derivatives);
                continue;
            }
            for speed in link_speeds {
                let mut response = composite.response(speed);
                for (k, row) in link_speeds.iter().enumerate() {
                    let mut entries = response.force_derivatives(row);
                    if let Some(derivative) = speed.twist_derivatives.get(k) {
                        entries[0] = entries[0] + derivative.power(composite.wrench);
                    }
                    derivatives.add(row.index, speed.index, entries);
                }
                response.along_q = response.along_q + speed.twist.cross_wrench(composite.wrench);
                let mut link = i;
                while let Some(parent) = tree.links[link].parent {
                    response = response.in_parent_axes(&self.links[link].transform);
                    link = parent;
                    for inner in &speeds[link] {
                        derivatives.add(inner.index, speed.index, response.force_derivatives(inner));
                        derivatives.add(speed.index, inner.index, response.own_force_derivatives(inner));
                    }
                }
            }
        }
        derivatives
    }

    /// Adds the derivatives of a free link at a centre of mass. Its forces do not depend on displacements, and of its speeds only on the angular
    /// velocity: n = J α + g × ω with g = Σ ω. `first` is the index of its first angular speed.
    fn add_centroidal(&self, first: usize, i: usize, moments: &Moments<S>, derivatives: &mut InertialDerivatives<S>) {
        let omega = self.links[i].omega;
        let second = moments.matrix();
        let g = second * omega;
        for (k, column) in second.into_iter().enumerate() {
            let derivative = column.cross(omega) + g.cross(unit(k));
            (0..3).for_each(|r| derivatives.add(first + r, first + k, [S::number(0.0), derivative[r]]));
        }
    }

    /// Composites of all links, summed from the outermost links inwards.
    fn composites(&self, tree: &Tree, moments: &[Moments<S>]) -> Vec<Composite<S>> {
        let wrenches = self.inertial(moments, true);
        let of_link = |(i, (moments, wrench)): (usize, (&Moments<S>, LinkWrench<S>))| Composite {
            moments: *moments,
            momenta: MomentumMoments::new(moments, self.links[i].twist()),
            wrench,
        };
        let mut composites: Vec<Composite<S>> = moments.iter().zip(wrenches).enumerate().map(of_link).collect();
        for (i, link) in tree.links.iter().enumerate().rev() {
            if let Some(parent) = link.parent {
                let transform = &self.links[i].transform;
                let moments = transform.moments_to_parent(composites[i].moments);
                let momenta = composites[i].momenta.in_parent_axes(transform);
                let wrench = wrench_to_parent(transform, composites[i].wrench);
                let sum = &mut composites[parent];
                sum.moments = sum.moments + moments;
                sum.momenta = sum.momenta + momenta;
                sum.wrench = sum.wrench + wrench;
            }
        }
        composites
    }

    /// The speeds of link i.
    fn speeds(
        &self,
        tree: &Tree,
        i: usize,
        twist_derivatives: &dyn Fn(usize) -> Vec<TwistDerivatives<S>>,
    ) -> Vec<Speed<S>> {
        let link = &tree.links[i];
        let parent = self.parent_motion(tree, i);
        let twists = self.twists(i, &link.mobilizer);
        let is_posed = matches!(link.mobilizer, Mobilizer::Posed { .. });
        let posed = if is_posed { twist_derivatives(i) } else { Vec::new() };
        let speed = |(k, twist)| {
            let speed = parent.speed(link.first_v + k, twist);
            match &self.links[i].variable {
                // A joint that moves no body has no derivatives.
                Some(variable) if is_posed => match posed.get(k) {
                    Some(derivatives) => parent.variable_speed(speed, derivatives, variable.velocity()),
                    None => speed,
                },
                Some(variable) => parent.variable_speed(speed, &variable.derivatives(k), variable.velocity()),
                None => speed,
            }
        };
        twists.into_iter().enumerate().map(speed).collect()
    }

    /// S of each speed of link i.
    fn twists(&self, i: usize, mobilizer: &Mobilizer) -> Vec<Twist<S>> {
        let signed = |sign: f64, a: Vector3<S>| if sign < 0.0 { zero() - a } else { a };
        let rotation = |angular: Vector3<S>| Twist { angular, linear: zero() };
        let translation = |linear: Vector3<S>| Twist { angular: zero(), linear };
        let axis = self.links[i].axis;
        match *mobilizer {
            Mobilizer::Revolute { axis, sign, .. } => vec![rotation(signed(sign, unit(axis)))],
            Mobilizer::Prismatic { .. } => vec![translation(axis)],
            Mobilizer::Screw { sign, .. } => {
                vec![Twist { angular: signed(sign, unit(2)), linear: signed(sign, axis) }]
            }
            Mobilizer::Translation => (0..3).map(|k| translation(unit(k))).collect(),
            Mobilizer::Ball { .. } => (0..3).map(|k| rotation(unit(k))).collect(),
            Mobilizer::Line { reversed: false, .. } => (0..2).map(|k| rotation(unit(k))).collect(),
            Mobilizer::Line { .. }
            | Mobilizer::Ellipsoid { .. }
            | Mobilizer::Orbit { .. }
            | Mobilizer::Posed { .. } => self.links[i].variable_twists().to_vec(),
            Mobilizer::Prescribed(_) => Vec::new(),
            Mobilizer::Free { .. } => {
                (0..3).map(|k| translation(unit(k))).chain((0..3).map(|k| rotation(unit(k)))).collect()
            }
        }
    }

    /// V′, U′ and a′ of link i; V, U and a where these may replace them.
    fn parent_motion(&self, tree: &Tree, i: usize) -> ParentMotion<S> {
        let (link, state) = (&tree.links[i], &self.links[i]);
        let twist = state.twist();
        let in_link_axes = |a: Linear<S>| if let Linear::Link(a) = a { a } else { zero() };
        let proper = in_link_axes(state.proper);
        if link.mobilizer.attitude().is_none() && !matches!(link.mobilizer, Mobilizer::Posed { .. }) {
            return ParentMotion { velocity: twist, sum: twist + twist, spin: state.spin, proper };
        }
        let Some(parent) = link.parent.map(|p| &self.links[p]) else {
            // Ground: a′ is the negative of gravity.
            let proper = proper - in_link_axes(state.acceleration);
            return ParentMotion { velocity: Twist::zero(), sum: twist, spin: Mat3([zero(); 3]), proper };
        };
        let (Twist { angular: mut omega, linear: mut velocity }, mut alpha) = (parent.twist(), parent.alpha);
        let (mut spin, mut proper) = (parent.spin, in_link_axes(parent.proper));
        for part in &state.transform.parts {
            if let Part::Translation(d) = part {
                velocity += omega.cross(*d);
                proper += spin * *d;
            } else {
                [omega, velocity, alpha, proper] = [omega, velocity, alpha, proper].each(|x| part.in_child_axes(x));
                let column = |k: usize| alpha.cross(unit(k)) + omega.cross(omega.cross(unit(k)));
                spin = Mat3::of_columns([0, 1, 2].each(column));
            }
        }
        let velocity = Twist { angular: omega, linear: velocity };
        ParentMotion { velocity, sum: velocity + twist, spin, proper }
    }
}

impl<S: Scalar> ParentMotion<S> {
    /// A speed with a constant twist: (1) and (2).
    fn speed(&self, index: usize, twist: Twist<S>) -> Speed<S> {
        let Twist { angular: s, linear: l } = twist;
        let velocity_change = self.velocity.cross(twist);
        let twice = self.velocity.linear + self.velocity.linear;
        let linear = self.proper.cross(s) + twice.cross(velocity_change.angular);
        let psi = Twist { angular: self.spin * s, linear: self.spin * l + linear };
        Speed { index, twist, velocity_change, psi, phi: self.sum.cross(twist), twist_derivatives: Vec::new() }
    }

    /// A speed whose twist depends on the link's coordinates: (7), with J = `joint_twist`.
    fn variable_speed(
        &self,
        mut speed: Speed<S>,
        derivatives: &TwistDerivatives<S>,
        joint_twist: Twist<S>,
    ) -> Speed<S> {
        let double = self.velocity + self.velocity + joint_twist;
        let Twist { angular: s, linear: l } = speed.twist;
        let convective = |angular: Vector3<S>, linear: Vector3<S>| {
            joint_twist.angular.cross(linear) + angular.cross(joint_twist.linear)
        };
        let (rate, second) = (derivatives.velocity, derivatives.acceleration);
        let local = Twist { linear: second.linear - convective(rate.angular, rate.linear), angular: second.angular };
        speed.velocity_change = speed.velocity_change + rate;
        speed.psi = speed.psi + double.cross(rate) + local;
        speed.phi.angular += derivatives.by_speed.angular;
        speed.phi.linear += derivatives.by_speed.linear - convective(s, l);
        speed.twist_derivatives.clone_from(&derivatives.twists);
        speed
    }
}

impl<S: Scalar> Composite<S> {
    /// Changes of the wrench by (3).
    fn response(&self, speed: &Speed<S>) -> Response<S> {
        let derivative = |acceleration: Twist<S>, velocity: Twist<S>| {
            inertial_wrench(&self.moments, acceleration) + self.momenta.wrench(velocity.angular)
        };
        Response {
            column: inertial_wrench(&self.moments, speed.twist),
            moment: self.momenta.moment(speed.twist),
            along_q: derivative(speed.psi, speed.velocity_change),
            along_v: derivative(speed.phi, speed.twist),
        }
    }
}

impl<S: Scalar> Response<S> {
    /// (5): derivatives of the generalised force of the speed with the twist R.
    fn force_derivatives(&self, r: &Speed<S>) -> [S; 2] {
        [r.twist.power(self.along_q), r.twist.power(self.along_v)]
    }

    /// (4): derivatives of this speed's own generalised force with respect to a speed of an inboard link.
    fn own_force_derivatives(&self, inner: &Speed<S>) -> [S; 2] {
        [
            self.moment.dot(inner.velocity_change.angular) + inner.psi.power(self.column),
            self.moment.dot(inner.twist.angular) + inner.phi.power(self.column),
        ]
    }

    /// This response in the frame of the parent.
    fn in_parent_axes(&self, transform: &Transform<S>) -> Self {
        Response {
            column: wrench_to_parent(transform, self.column),
            moment: transform.in_parent_axes(self.moment),
            along_q: wrench_to_parent(transform, self.along_q),
            along_v: wrench_to_parent(transform, self.along_v),
        }
    }
}
