//! Derivatives of inverse dynamics in space, by recursions in local frames.
//!
//! Each speed of a link moves it along a twist S = (s, l), angular and linear part, constant in the link's axes. Everything here is in these
//! axes, at the link's origin. V = (ω, v) is the link's velocity and A = (α, v̇) its rate; V′, A′ are those of the frame that its parent
//! carries there, a′ = v̇′ + ω′ × v′ is the acceleration of that frame's origin less gravity, and U′ = ω̃′ω̃′ + α̃′. With
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
//! Everything outboard of the link keeps its own speeds and accelerations, so that the two twists are the same for all of it. With the mass
//! m, first moment h and second moments Σ of a link and everything outboard, J = tr(Σ) 1 − Σ, and its momentum and the moments of that,
//! b = 2 ∫ ṙ dm and C = 2 ∫ ṙ rᵀ dm, the wrench F on it changes by
//!
//! ```text
//! (3)  δF = I (δA + V × δV) + B δV        I (s, l) = (J s + h × l, s × h + m l)        B (s, l) = (tr(C) s − C s, s × b)
//! ```
//!
//! The force along a speed R of the link, or of one further out, is R·F with F of its own link. Along one of a link further in, F also
//! turns and moves with S on its way inwards. With (s, l) ×* (n, f) = (s × n + l × f, s × f):
//!
//! ```text
//! (4)  R further out:  ∂f/∂q = (I R)·ψ + (Bᵀ R)·(ω′ × s)          ∂f/∂v = (I R)·φ + (Bᵀ R)·s
//! (5)  R further in:   ∂f/∂q = R·(I ψ + B (V′ × S) + S ×* F)      ∂f/∂v = R·(I φ + B S)
//! ```
//!
//! Where S itself depends on the link's coordinates, with J = Σ S v the link's motion in the frame carried there, J˙ its rate in the
//! link's axes and J˙ₛ the part without accelerations, more is due to (1) and (2), and to the link's own forces R·F:
//!
//! ```text
//! (6)  ∂f/∂q += ∂R/∂q·F
//! (7)  δV += δJ      ψ += (2 V′ + J) × δJ + δJ˙      φ += ∂J˙ₛ/∂v      (w, u)˙ = (ẇ, u̇ − w × u), dots on the right as seen from there
//! ```
//!
//! I R is a column of the mass matrix, and Bᵀ (r, l) = tr(C) r − Cᵀ r + b × l a moment alone, the same about any origin. Where all twists
//! of a link are multiples of one, or shifts, V, a, U may stand for V′, a′, U′: what differs cancels.
//!
//! Singh, Russell, Wensing (2022), *Efficient Analytical Derivatives of Rigid-Body Dynamics using Spatial Vector Algebra*, IEEE Robotics and
//! Automation Letters 7 (2). Their 6 × 6 matrices B have no entries beside those that C and b give: shifts l drop out.

mod spread;

use super::links::Freedom;
use super::state::{Linear, SpaceState};
use super::transform::{Moments, Part, Transform};
use super::twist::{LinkWrench, Turned, Twist, inertial_wrench, wrench_up};
use super::vector::{Matrix3, Vector3, unit, zero};
use crate::Tree;
use mbs_expr::Scalar;
use mbs_math::Mat3;
use spread::Spread;

/// ∂f/∂q along displacements in the directions of the solver's speeds at fixed v̂ and â, and ∂f/∂v̂, of the inertial generalised forces
/// f = M â + (what is quadratic in speeds) − (gravity): nonzero entries (row, column, value), each at most once.
#[derive(Clone, Debug)]
pub struct InertialDerivatives<S> {
    /// Column j: the derivative while q̇ is what v̂ = eⱼ makes it, but v̂ and â keep their components.
    pub along_q: Vec<(usize, usize, S)>,
    /// Column j: the derivative along v̂ⱼ.
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

/// One speed of a link, with the changes that it makes to the link's motion.
struct Speed<S> {
    index: usize,
    /// S.
    along: Twist<S>,
    /// V′ × S.
    moved: Twist<S>,
    /// ψ.
    psi: Twist<S>,
    /// φ.
    phi: Twist<S>,
    /// (6): derivatives of the link's own S.
    turned: Vec<Twist<S>>,
}

/// Moments, momenta and wrench of a link and everything outboard of it, about its origin in its axes.
struct Carried<S> {
    moments: Moments<S>,
    spread: Spread<S>,
    wrench: LinkWrench<S>,
}

/// Changes that a speed makes to the wrench of its link, propagated inwards.
struct Response<S> {
    /// I S.
    column: LinkWrench<S>,
    /// Bᵀ S.
    moment: Vector3<S>,
    /// δF of a displacement.
    along_q: LinkWrench<S>,
    /// δF of the speed.
    along_v: LinkWrench<S>,
}

/// Motion of the parent's frame at the location of a link.
struct Seat<S> {
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
    /// `turned` returns the derivatives with respect to each speed of a link that a pose moves.
    pub fn inertial_derivatives(
        &self,
        tree: &Tree,
        moments: &[Moments<S>],
        turned: &dyn Fn(usize) -> Vec<Turned<S>>,
    ) -> InertialDerivatives<S> {
        let mut derivatives = InertialDerivatives { along_q: Vec::new(), along_v: Vec::new() };
        let carried = self.carried(tree, moments);
        let speeds: Vec<Vec<Speed<S>>> = (0..tree.links.len()).map(|i| self.speeds(tree, i, turned)).collect();
        for (i, (own, of)) in speeds.iter().zip(&carried).enumerate() {
            if let Linear::World(_) = self.links[i].velocity {
                self.add_centred(tree.links[i].first_v + 3, i, &moments[i], &mut derivatives);
                continue;
            }
            for speed in own {
                let mut response = of.response(speed);
                for (k, row) in own.iter().enumerate() {
                    let mut felt = response.felt_along(row);
                    if let Some(turned) = speed.turned.get(k) {
                        felt[0] = felt[0] + turned.power(of.wrench);
                    }
                    derivatives.add(row.index, speed.index, felt);
                }
                response.along_q = response.along_q + speed.along.moving(of.wrench);
                let mut at = i;
                while let Some(parent) = tree.links[at].parent {
                    response = response.up(&self.links[at].transform);
                    at = parent;
                    for inner in &speeds[at] {
                        derivatives.add(inner.index, speed.index, response.felt_along(inner));
                        derivatives.add(speed.index, inner.index, response.by(inner));
                    }
                }
            }
        }
        derivatives
    }

    /// Adds the derivatives of a link that moves by its centre of mass. Displacements change nothing, and of the speeds only those of its
    /// rotation count: n = J α + g × ω with g = Σ ω.
    fn add_centred(&self, first: usize, i: usize, of: &Moments<S>, derivatives: &mut InertialDerivatives<S>) {
        let omega = self.links[i].omega;
        let second = of.matrix();
        let g = second * omega;
        for (k, column) in second.into_iter().enumerate() {
            let derivative = column.cross(omega) + g.cross(unit(k));
            (0..3).for_each(|r| derivatives.add(first + r, first + k, [S::number(0.0), derivative[r]]));
        }
    }

    /// Sums from the outermost links inwards.
    fn carried(&self, tree: &Tree, moments: &[Moments<S>]) -> Vec<Carried<S>> {
        let wrenches = self.inertial(moments, true);
        let own = |(i, (moments, wrench)): (usize, (&Moments<S>, LinkWrench<S>))| Carried {
            moments: *moments,
            spread: Spread::of(moments, self.links[i].twist()),
            wrench,
        };
        let mut carried: Vec<Carried<S>> = moments.iter().zip(wrenches).enumerate().map(own).collect();
        for (i, link) in tree.links.iter().enumerate().rev() {
            if let Some(parent) = link.parent {
                let transform = &self.links[i].transform;
                let moments = transform.moments_up(carried[i].moments);
                let spread = carried[i].spread.up(transform);
                let wrench = wrench_up(transform, carried[i].wrench);
                let sum = &mut carried[parent];
                sum.moments = sum.moments + moments;
                sum.spread = sum.spread + spread;
                sum.wrench = sum.wrench + wrench;
            }
        }
        carried
    }

    fn speeds(&self, tree: &Tree, i: usize, turned: &dyn Fn(usize) -> Vec<Turned<S>>) -> Vec<Speed<S>> {
        let link = &tree.links[i];
        let seat = self.seat(tree, i);
        let twists = self.twists(i, &link.freedom);
        let is_posed = matches!(link.freedom, Freedom::Posed { .. });
        let posed = if is_posed { turned(i) } else { Vec::new() };
        let speed = |(k, along)| {
            let speed = seat.speed(link.first_v + k, along);
            match &self.links[i].guided {
                // A joint that moves no body has no derivatives.
                Some(guided) if is_posed => match posed.get(k) {
                    Some(turned) => seat.guided(speed, turned, guided.velocity()),
                    None => speed,
                },
                Some(guided) => seat.guided(speed, &guided.turned(k), guided.velocity()),
                None => speed,
            }
        };
        twists.into_iter().enumerate().map(speed).collect()
    }

    /// S of each speed.
    fn twists(&self, i: usize, freedom: &Freedom) -> Vec<Twist<S>> {
        let signed = |sign: f64, a: Vector3<S>| if sign < 0.0 { zero() - a } else { a };
        let turn = |angular: Vector3<S>| Twist { angular, linear: zero() };
        let shift = |linear: Vector3<S>| Twist { angular: zero(), linear };
        let axis = self.links[i].axis;
        match *freedom {
            Freedom::Turn { axis, sign, .. } => vec![turn(signed(sign, unit(axis)))],
            Freedom::Slide { .. } => vec![shift(axis)],
            Freedom::Screw { sign, .. } => {
                vec![Twist { angular: signed(sign, unit(2)), linear: signed(sign, axis) }]
            }
            Freedom::Shift => (0..3).map(|k| shift(unit(k))).collect(),
            Freedom::Ball { .. } => (0..3).map(|k| turn(unit(k))).collect(),
            Freedom::Line { reversed: false, .. } => (0..2).map(|k| turn(unit(k))).collect(),
            Freedom::Line { .. } | Freedom::Ellipsoid { .. } | Freedom::Orbit { .. } | Freedom::Posed { .. } => {
                self.links[i].guided_twists().to_vec()
            }
            Freedom::Given(_) => Vec::new(),
            Freedom::Float { .. } => (0..3).map(|k| shift(unit(k))).chain((0..3).map(|k| turn(unit(k)))).collect(),
        }
    }

    /// V′, U′ and a′, or what may stand for them.
    fn seat(&self, tree: &Tree, i: usize) -> Seat<S> {
        let (link, state) = (&tree.links[i], &self.links[i]);
        let own = state.twist();
        let own_axes = |a: Linear<S>| if let Linear::Own(a) = a { a } else { zero() };
        let proper = own_axes(state.proper);
        if link.freedom.attitude().is_none() && !matches!(link.freedom, Freedom::Posed { .. }) {
            return Seat { velocity: own, sum: own + own, spin: state.spin, proper };
        }
        let Some(parent) = link.parent.map(|p| &self.links[p]) else {
            // On ground, where nothing but gravity tells accelerations from proper ones.
            let proper = proper - own_axes(state.acceleration);
            return Seat { velocity: Twist::zero(), sum: own, spin: Mat3([zero(); 3]), proper };
        };
        let (Twist { angular: mut omega, linear: mut velocity }, mut alpha) = (parent.twist(), parent.alpha);
        let (mut spin, mut proper) = (parent.spin, own_axes(parent.proper));
        for part in &state.transform.parts {
            if let Part::Shift(d) = part {
                velocity += omega.cross(*d);
                proper += spin * *d;
            } else {
                [omega, velocity, alpha, proper] = [omega, velocity, alpha, proper].map(|x| part.down(x));
                let column = |k: usize| alpha.cross(unit(k)) + omega.cross(omega.cross(unit(k)));
                spin = Mat3::of_columns([0, 1, 2].map(column));
            }
        }
        let velocity = Twist { angular: omega, linear: velocity };
        Seat { velocity, sum: velocity + own, spin, proper }
    }
}

impl<S: Scalar> Seat<S> {
    /// (1) and (2)
    fn speed(&self, index: usize, along: Twist<S>) -> Speed<S> {
        let Twist { angular: s, linear: l } = along;
        let moved = self.velocity.cross(along);
        let twice = self.velocity.linear + self.velocity.linear;
        let bent = self.proper.cross(s) + twice.cross(moved.angular);
        let psi = Twist { angular: self.spin * s, linear: self.spin * l + bent };
        Speed { index, along, moved, psi, phi: self.sum.cross(along), turned: Vec::new() }
    }

    /// (7)
    fn guided(&self, mut speed: Speed<S>, turned: &Turned<S>, own: Twist<S>) -> Speed<S> {
        let double = self.velocity + self.velocity + own;
        let Twist { angular: s, linear: l } = speed.along;
        let unfelt = |angular: Vector3<S>, linear: Vector3<S>| own.angular.cross(linear) + angular.cross(own.linear);
        let (rate, second) = (turned.velocity, turned.acceleration);
        let local = Twist { linear: second.linear - unfelt(rate.angular, rate.linear), angular: second.angular };
        speed.moved = speed.moved + rate;
        speed.psi = speed.psi + double.cross(rate) + local;
        speed.phi.angular += turned.by_speed.angular;
        speed.phi.linear += turned.by_speed.linear - unfelt(s, l);
        speed.turned.clone_from(&turned.twists);
        speed
    }
}

impl<S: Scalar> Carried<S> {
    /// (3)
    fn response(&self, speed: &Speed<S>) -> Response<S> {
        let derivative = |acceleration: Twist<S>, velocity: Twist<S>| {
            inertial_wrench(&self.moments, acceleration) + self.spread.wrench(velocity.angular)
        };
        Response {
            column: inertial_wrench(&self.moments, speed.along),
            moment: self.spread.moment(speed.along),
            along_q: derivative(speed.psi, speed.moved),
            along_v: derivative(speed.phi, speed.along),
        }
    }
}

impl<S: Scalar> Response<S> {
    /// (5): derivatives of the force along R.
    fn felt_along(&self, r: &Speed<S>) -> [S; 2] {
        [r.along.power(self.along_q), r.along.power(self.along_v)]
    }

    /// (4): derivatives of this speed's own force by one of a link further in.
    fn by(&self, inner: &Speed<S>) -> [S; 2] {
        [
            self.moment.dot(inner.moved.angular) + inner.psi.power(self.column),
            self.moment.dot(inner.along.angular) + inner.phi.power(self.column),
        ]
    }

    /// From a link to its parent.
    fn up(&self, transform: &Transform<S>) -> Self {
        Response {
            column: wrench_up(transform, self.column),
            moment: transform.up(self.moment),
            along_q: wrench_up(transform, self.along_q),
            along_v: wrench_up(transform, self.along_v),
        }
    }
}
