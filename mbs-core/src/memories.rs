//! Memories of angles and quaternions along a step.
//!
//! A step may rotate a body by many revolutions, which its ends alone do not show. Memories go along the cubic through both ends,
//!
//! 1. q(θ) = q₀ + θ (d + (1 − θ) ((1 − θ)(h q̇₀ − d) − θ (h q̇₁ − d))), d = q₁ − q₀,
//!
//! in n parts so short that no memory goes further than [`PART`] in one. How far they go, |ṁ h|, is measured at both ends by differences.

use crate::{Mechanism, Real, State};

/// How far a memory changes in one part of a step: far less than half a revolution.
const PART: f64 = 0.5;
/// Parts of one step.
const MOST: f64 = 65536.0;

/// Brings memories from the beginning of a step to its end; see [`Mechanism::remember`].
pub(crate) struct MemoryPath<M: Mechanism<T>, T: Real> {
    /// Number of auxiliary states, after which memories are stored.
    n_z: usize,
    q: M::Coordinates,
    rates: [M::Coordinates; 2],
    /// Memories on the way, and two more to measure with.
    z: [M::Auxiliary; 3],
}

impl<M: Mechanism<T>, T: Real> MemoryPath<M, T> {
    pub(crate) fn new(mechanism: &M) -> Self {
        let (q, _, _, z, ..) = mechanism.storage();
        MemoryPath { n_z: mechanism.sizes().n_z, rates: [q.clone(), q.clone()], q, z: [z.clone(), z.clone(), z] }
    }

    /// Sets the memories of `to`, the end of a step from `from`. Nothing happens where there are none.
    #[inline]
    pub(crate) fn follow(&mut self, mechanism: &M, from: &State<M, T>, to: &mut State<M, T>) {
        if from.z.as_ref().len() > self.n_z {
            self.follow_parts(mechanism, from, to);
        }
    }

    fn follow_parts(&mut self, mechanism: &M, from: &State<M, T>, to: &mut State<M, T>) {
        let h = to.t - from.t;
        self.z[0].as_mut().copy_from_slice(from.z.as_ref());
        mechanism.remember(from.t, from.q.as_ref(), self.z[0].as_mut());
        let far = self.way(mechanism, 0, from, h).max(self.way(mechanism, 1, to, h)).to_f64();
        let parts = if far.is_finite() { (-mbs_math::math::floor(-far / PART)).min(MOST) } else { 1.0 };
        let mut part = 1.0;
        while part < parts {
            let theta = T::from_f64(part / parts);
            self.place(theta, h, from.q.as_ref(), to.q.as_ref());
            mechanism.normalize(self.q.as_mut());
            mechanism.remember(from.t + theta * h, self.q.as_ref(), self.z[0].as_mut());
            part += 1.0;
        }
        let remembered = self.z[0].as_ref().iter().zip(to.z.as_mut());
        remembered.skip(self.n_z).for_each(|(memory, z)| *z = *memory);
        to.remember(mechanism);
    }

    /// How far memories go in a time h at the rates of a state, one end of the step.
    fn way(&mut self, mechanism: &M, end: usize, state: &State<M, T>, h: T) -> T {
        let rates = self.rates[end].as_mut();
        mechanism.coordinate_rates(state.t, state.q.as_ref(), state.v.as_ref(), rates);
        let little = T::EPSILON.sqrt();
        for ((q, at), rate) in self.q.as_mut().iter_mut().zip(state.q.as_ref()).zip(rates) {
            *q = *at + little * h * *rate;
        }
        let [way, here, there] = &mut self.z;
        here.as_mut().copy_from_slice(way.as_ref());
        mechanism.remember(state.t, state.q.as_ref(), here.as_mut());
        there.as_mut().copy_from_slice(here.as_ref());
        mechanism.remember(state.t + little * h, self.q.as_ref(), there.as_mut());
        let both = here.as_ref().iter().zip(there.as_ref()).skip(self.n_z);
        both.fold(T::ZERO, |far, (here, there)| far.max((*there - *here).abs() / little))
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
