//! ⊕ and ⊖ of states, equations 1 and 2 of the parent module.

use super::check_sizes;
use crate::{Differentiable, Error, Mechanism, Real, Sizes, State};

impl<M: Mechanism<T>, T: Real> State<M, T> {
    /// x ← x ⊕ δx with δx = (δθ, δv, δz), n_e values: q ⊕ δθ by [`Mechanism::retract`], v + δv, z + δz. Time is not changed.
    ///
    /// Coordinates are cloned once, which allocates nothing where they are an array.
    ///
    /// # Errors
    /// [`Error::Size`].
    pub fn displace(&mut self, mechanism: &M, delta: &[T]) -> Result<(), Error<T>> {
        let sizes = mechanism.sizes();
        check_sizes(&[(sizes.n_e(), delta.len())])?;
        self.check_counts(mechanism)?;
        let (theta, rest) = delta.split_at(sizes.n_v);
        let mut rates = self.q.clone();
        mechanism.retract(self.t, self.q.as_mut(), theta, rates.as_mut());
        for (x, delta) in self.v.as_mut().iter_mut().chain(self.z.as_mut()).zip(rest) {
            *x += *delta;
        }
        Ok(())
    }

    /// δx = x ⊖ y to first order, n_e values (δθ, δv, δz) with x ≈ y ⊕ δx: δθ = N⁺(q_y) (q_x − q_y), δv = v_x − v_y, δz alike.
    ///
    /// Exact where N is constant. A rotation by φ gives 2 sin ½φ of unit quaternions, which differs by φ³/24; e and −e, the same
    /// attitude, are taken for different ones: see [`rotation::nearer`](crate::rotation::nearer). Coordinates are cloned once.
    ///
    /// # Errors
    /// [`Error::Size`].
    pub fn displacement(&self, mechanism: &M, from: &Self, delta: &mut [T]) -> Result<(), Error<T>>
    where
        M: Differentiable<T>,
    {
        let sizes = mechanism.sizes();
        check_sizes(&[(sizes.n_e(), delta.len())])?;
        self.check_counts(mechanism)?;
        self.check_like(from)?;
        let Sizes { n_v, .. } = sizes;
        let (theta, rest) = delta.split_at_mut(n_v);
        let mut change = self.q.clone();
        for (x, y) in change.as_mut().iter_mut().zip(from.q.as_ref()) {
            *x -= *y;
        }
        mechanism.speeds_of_rates(from.t, from.q.as_ref(), change.as_ref(), theta);
        let ours = self.v.as_ref().iter().chain(self.z.as_ref());
        let theirs = from.v.as_ref().iter().chain(from.z.as_ref());
        for (delta, (x, y)) in rest.iter_mut().zip(ours.zip(theirs)) {
            *delta = *x - *y;
        }
        Ok(())
    }
}
