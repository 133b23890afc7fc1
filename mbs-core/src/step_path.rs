//! The path of the coordinates within a step.
//!
//! A step may rotate a body by many revolutions, which the states at its ends do not show. The path is the cubic through both ends,
//!
//! 1. q(θ) = q₀ + θ (d + (1 − θ) ((1 − θ)(h q̇₀ − d) − θ (h q̇₁ − d))), d = q₁ − q₀,
//!
//! in n parts, so short that a followed quantity x changes by at most [`PART`] in each. Its change |ẋ h| is measured at both ends by
//! differences.

use crate::{Mechanism, Real, State};

/// Largest change of a followed quantity in one part of a step: far less than half a revolution.
const PART: f64 = 0.5;
/// Largest number of parts of one step.
const MOST: f64 = 65536.0;

/// A quantity that is followed through steps, because a state does not determine it: an angle with its revolutions, a quaternion with its sign.
pub trait Followed<M: Mechanism<T>, T: Real> {
    /// Change of the quantity from a state to a time and coordinates near it, ≥ 0.
    fn distance(&mut self, mechanism: &M, state: &State<M, T>, t: T, q: &[T]) -> T;

    /// Advances the quantity to a time and coordinates on the path to the state `to`.
    fn pass(&mut self, mechanism: &M, to: &State<M, T>, t: T, q: &[T]);
}

/// The path within steps of a mechanism, along which one quantity is followed.
pub struct StepPath<M: Mechanism<T>, T: Real> {
    q: M::Coordinates,
    rates: [M::Coordinates; 2],
    /// End of the last step, at which the next one usually begins.
    end: State<M, T>,
    /// Change of the quantity per second at this end, where it is known.
    end_rate: Option<T>,
}

impl<M: Mechanism<T>, T: Real> StepPath<M, T> {
    /// Work space for one mechanism.
    pub fn new(mechanism: &M) -> Self {
        let (q, v, _, z, ..) = mechanism.storage();
        let end = State { t: T::ZERO, q: q.clone(), v, z };
        StepPath { rates: [q.clone(), q.clone()], q, end, end_rate: None }
    }

    /// Whether the last step ended in this state.
    pub(crate) fn ended_in(&self, state: &State<M, T>) -> bool {
        self.end_rate.is_some() && self.end == *state
    }

    /// Stores the end of a step with the values that were followed to it.
    pub(crate) fn end_in(&mut self, state: &State<M, T>) {
        self.end.copy_from(state);
    }

    /// Advances a followed quantity within a step, to the last of the interpolated states before its end, if there are any; returns whether there are.
    pub fn follow(
        &mut self,
        mechanism: &M,
        from: &State<M, T>,
        to: &State<M, T>,
        followed: &mut impl Followed<M, T>,
    ) -> bool {
        let h = to.t - from.t;
        let first_change = match self.end_rate.filter(|_| self.ended_in(from)) {
            Some(rate) => {
                self.rates.swap(0, 1);
                rate * h.abs()
            }
            None => change_in_step(mechanism, from, h, &mut self.q, &mut self.rates[0], followed),
        };
        let last_change = change_in_step(mechanism, to, h, &mut self.q, &mut self.rates[1], followed);
        self.end_rate = Some(last_change / h.abs()).filter(|rate| rate.is_finite());
        self.end_in(to);
        let change = first_change.max(last_change).to_f64();
        let parts = if change.is_finite() { (-mbs_math::math::floor(-change / PART)).min(MOST) } else { 1.0 };
        let mut part = 1.0;
        while part < parts {
            let theta = T::from_f64(part / parts);
            self.interpolate(theta, h, from.q.as_ref(), to.q.as_ref());
            mechanism.normalize(self.q.as_mut());
            followed.pass(mechanism, to, from.t + theta * h, self.q.as_ref());
            part += 1.0;
        }
        parts > 1.0
    }

    /// q(θ) of equation 1, from stored rates.
    fn interpolate(&mut self, theta: T, h: T, from: &[T], to: &[T]) {
        let rest = T::ONE - theta;
        let [first, last] = &self.rates;
        let ends = from.iter().zip(to).zip(first.as_ref().iter().zip(last.as_ref()));
        for (q, ((from, to), (first, last))) in self.q.as_mut().iter_mut().zip(ends) {
            let d = *to - *from;
            *q = *from + theta * (d + rest * (rest * (h * *first - d) - theta * (h * *last - d)));
        }
    }
}

/// |ẋ h| of the followed quantity at a state, one end of the step of length h; writes neighbouring coordinates to `q`, and the rates.
fn change_in_step<M: Mechanism<T>, T: Real>(
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
