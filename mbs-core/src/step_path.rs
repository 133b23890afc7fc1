//! The way along a step.
//!
//! A step may rotate a body by many revolutions, which its ends alone do not show. The way is the cubic through both ends,
//!
//! 1. q(θ) = q₀ + θ (d + (1 − θ) ((1 − θ)(h q̇₀ − d) − θ (h q̇₁ − d))), d = q₁ − q₀,
//!
//! in n parts so short that a quantity that is followed along it goes no further than [`PART`] in one. How far it goes, |ẋ h|, is measured at both
//! ends by differences.

use crate::{Mechanism, Real, State};

/// How far a quantity that is followed changes in one part of a step: far less than half a revolution.
const PART: f64 = 0.5;
/// Parts of one step.
const MOST: f64 = 65536.0;

/// A quantity that is followed along steps, because a state does not determine it: an angle with its turns, a quaternion with its sign.
pub trait Followed<M: Mechanism<T>, T: Real> {
    /// How far the quantity is at a time and coordinates near a state from the quantity there.
    fn distance(&mut self, mechanism: &M, state: &State<M, T>, t: T, q: &[T]) -> T;

    /// Goes on to a time and coordinates on the way to a state.
    fn pass(&mut self, mechanism: &M, to: &State<M, T>, t: T, q: &[T]);
}

/// The way along the steps of a mechanism.
pub struct StepPath<M: Mechanism<T>, T: Real> {
    q: M::Coordinates,
    rates: [M::Coordinates; 2],
}

impl<M: Mechanism<T>, T: Real> StepPath<M, T> {
    /// For a mechanism.
    pub fn new(mechanism: &M) -> Self {
        let (q, ..) = mechanism.storage();
        StepPath { rates: [q.clone(), q.clone()], q }
    }

    /// Leads what is followed along a step, to the last of the states between its ends.
    pub fn follow(&mut self, mechanism: &M, from: &State<M, T>, to: &State<M, T>, followed: &mut impl Followed<M, T>) {
        let h = to.t - from.t;
        let [first, last] = &mut self.rates;
        let first = far(mechanism, from, h, &mut self.q, first, followed);
        let far = first.max(far(mechanism, to, h, &mut self.q, last, followed)).to_f64();
        let parts = if far.is_finite() { (-mbs_math::math::floor(-far / PART)).min(MOST) } else { 1.0 };
        let mut part = 1.0;
        while part < parts {
            let theta = T::from_f64(part / parts);
            self.place(theta, h, from.q.as_ref(), to.q.as_ref());
            mechanism.normalize(self.q.as_mut());
            followed.pass(mechanism, to, from.t + theta * h, self.q.as_ref());
            part += 1.0;
        }
    }

    /// (1).
    fn place(&mut self, theta: T, h: T, from: &[T], to: &[T]) {
        let rest = T::ONE - theta;
        let [first, last] = &self.rates;
        let ends = from.iter().zip(to).zip(first.as_ref().iter().zip(last.as_ref()));
        for (q, ((from, to), (first, last))) in self.q.as_mut().iter_mut().zip(ends) {
            let d = *to - *from;
            *q = *from + theta * (d + rest * (rest * (h * *first - d) - theta * (h * *last - d)));
        }
    }
}

/// How far the quantity goes in a time h at the rates of a state, one end of the step; writes q beside it, and the rates.
fn far<M: Mechanism<T>, T: Real>(
    mechanism: &M,
    state: &State<M, T>,
    h: T,
    q: &mut M::Coordinates,
    rates: &mut M::Coordinates,
    followed: &mut impl Followed<M, T>,
) -> T {
    mechanism.coordinate_rates(state.t, state.q.as_ref(), state.v.as_ref(), rates.as_mut());
    let little = T::EPSILON.sqrt();
    for ((q, at), rate) in q.as_mut().iter_mut().zip(state.q.as_ref()).zip(rates.as_ref()) {
        *q = *at + little * h * *rate;
    }
    followed.distance(mechanism, state, state.t + little * h, q.as_ref()) / little
}
