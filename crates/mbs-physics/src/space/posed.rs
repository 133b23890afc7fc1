//! Links whose pose the text of a joint's kind gives over their coordinates.
//!
//! With p, R and the rates ṗ, w of the second end (w in its axes), ω = R w of it in the first end's axes: reached from the first end the
//! link has the twist (w, Rᵀ ṗ) and u̇ = Rᵀ p̈, as seen from there; from the second end it is displaced by −Rᵀ p, and
//!
//! ```text
//! (1)  S = (−ω, ω × p − ṗ)        ẇ' = −R ẇ        u̇ = ω̇ × p − p̈ + 2 ω × ṗ − ω × (ω × p),  ω̇ = R ẇ
//! ```

use mbs_expr::{Dual, ExprId, Scalar};

use super::transform::Part;
use super::twist::{LinkWrench, Turned, Twist};
use super::vector::{Vector3, zero};
use crate::posed::{Moving, Posing, Rate, down, up};

/// State of such a link.
#[derive(Clone, Debug)]
pub struct Posed<S> {
    /// From the frame that the parent carries to the link's.
    pub parts: Vec<Part<S>>,
    /// S of each speed.
    pub twists: Vec<Twist<S>>,
    /// J.
    pub velocity: Twist<S>,
    /// (ẇ, u̇).
    pub acceleration: Twist<S>,
    /// N of q̇ = N v by columns, where the speeds are not the rates.
    pub rates: Option<Vec<Vec<S>>>,
    /// The pose with its rates, where the link is reached from the first end: its shift needs no turning there.
    pub ahead: Option<Moving<S>>,
    /// S of the coordinates that are given, with their numbers.
    pub given: Vec<(u8, Twist<S>)>,
}

impl<S: Scalar> Posed<S> {
    /// State of a link by a joint's pose; `reversed` if the link is reached from the joint's second end.
    pub fn new(posing: &Posing<'_, S>, q: &[S], (v, a): (&[S], &[S]), reversed: bool) -> Self {
        let rates = posing.rates(q);
        let moving = posing.moving(q, v, a);
        if reversed { Self::backward(&moving, rates) } else { Self::forward(moving, rates) }
    }

    /// State of a link that moves no body: coordinates of a joint that closes a loop.
    pub fn still(posing: &Posing<'_, S>, q: &[S]) -> Self {
        Posed {
            parts: Vec::new(),
            twists: vec![Twist::zero(); posing.pose.n_v()],
            velocity: Twist::zero(),
            acceleration: Twist::zero(),
            rates: posing.rates(q),
            ahead: None,
            given: Vec::new(),
        }
    }

    /// Without the columns of coordinates that are given.
    pub fn without(mut self, given: &[(u8, ExprId)]) -> Self {
        let kept = |k: usize| !given.iter().any(|g| usize::from(g.0) == k);
        self.given = given.iter().map(|g| (g.0, self.twists[usize::from(g.0)])).collect();
        let mut numbers = 0..;
        self.twists.retain(|_| numbers.next().is_some_and(kept));
        if let Some(ahead) = &mut self.ahead {
            let mut numbers = 0..;
            ahead.columns.retain(|_| numbers.next().is_some_and(kept));
        }
        self
    }

    fn forward(moving: Moving<S>, rates: Option<Vec<Vec<S>>>) -> Self {
        let twist = |rate: &Rate<S>| Twist { angular: rate.spin, linear: down(&moving.turns, rate.shift) };
        let twists = moving.columns.iter().map(twist).collect();
        let (velocity, acceleration) = (twist(&moving.velocity), twist(&moving.acceleration));
        let parts = std::iter::once(Part::Shift(moving.shift)).chain(moving.turns.iter().copied()).collect();
        Posed { parts, twists, velocity, acceleration, rates, ahead: Some(moving), given: Vec::new() }
    }

    /// Generalised force of a wrench along each speed.
    pub fn along(&self, wrench: LinkWrench<S>) -> Vec<S> {
        let Some(ahead) = &self.ahead else { return self.twists.iter().map(|twist| twist.power(wrench)).collect() };
        let force = up(&ahead.turns, wrench.force);
        ahead.columns.iter().map(|column| column.spin.dot(wrench.moment) + column.shift.dot(force)).collect()
    }

    /// (1)
    fn backward(moving: &Moving<S>, rates: Option<Vec<Vec<S>>>) -> Self {
        let (p, turned) = (moving.shift, |x| up(&moving.turns, x));
        let opposite = |x| zero() - x;
        let twist = |rate: &Rate<S>| {
            let omega = turned(rate.spin);
            Twist { angular: opposite(omega), linear: omega.cross(p) - rate.shift }
        };
        let (omega, rate) = (turned(moving.velocity.spin), moving.velocity.shift);
        let (turning, second) = (turned(moving.acceleration.spin), moving.acceleration.shift);
        let slipping = omega.cross(rate);
        let carried = turning.cross(p) - omega.cross(omega.cross(p));
        let acceleration = Twist { angular: opposite(turning), linear: carried - second + (slipping + slipping) };
        let back = moving.turns.iter().rev().map(|part| match *part {
            Part::Turn { axis, cos, sin } => Part::Turn { axis, cos, sin: -sin },
            Part::Rotate(r) => Part::Rotate(r.transpose()),
            Part::Shift(d) => Part::Shift(opposite(d)),
        });
        Posed {
            parts: back.chain([Part::Shift(opposite(p))]).collect(),
            twists: moving.columns.iter().map(twist).collect(),
            velocity: twist(&moving.velocity),
            acceleration,
            rates,
            ahead: None,
            given: Vec::new(),
        }
    }
}

impl<S: Scalar> Turned<S> {
    /// Derivatives with respect to each speed of such a link, some of whose coordinates are given.
    pub fn of_pose(
        posing: &Posing<'_, S>,
        q: &[S],
        (v, a): (&[S], &[S]),
        reversed: bool,
        given: &[(u8, ExprId)],
    ) -> Vec<Self> {
        let constant = |x: &[S]| -> Vec<Dual<S>> { x.iter().map(|x| Dual::constant(*x)).collect() };
        let along = |j: usize| {
            let displaced = posing.along_speed(q, j);
            let (still, a) = (constant(q), constant(a));
            let mut faster = constant(v);
            faster[j].derivative = S::number(1.0);
            let [by_place, by_speed] = posing.with_derivatives(|posing| {
                let posed = |(q, v): (Vec<_>, Vec<_>)| Posed::new(posing, &q, (&v, &a), reversed).without(given);
                [(displaced, constant(v)), (still, faster)].map(posed)
            });
            Turned {
                twists: by_place.twists.iter().map(derivative).collect(),
                velocity: derivative(&by_place.velocity),
                acceleration: derivative(&by_place.acceleration),
                by_speed: derivative(&by_speed.acceleration),
            }
        };
        let own = |k: &usize| !given.iter().any(|g| usize::from(g.0) == *k);
        (0..posing.pose.n_v()).filter(own).map(along).collect()
    }
}

fn derivative<S: Scalar>(twist: &Twist<Dual<S>>) -> Twist<S> {
    let of = |v: Vector3<Dual<S>>| v.map(|x| x.derivative);
    Twist { angular: of(twist.angular), linear: of(twist.linear) }
}
