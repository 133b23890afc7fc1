//! The state of a mechanism.

use core::fmt;

use crate::{Error, Mechanism, Real, StateView};

/// The state of a mechanism: time t, coordinates q, speeds v and auxiliary states z. Its storage is that of the mechanism; nothing is allocated
/// after [`State::new`], and nothing at all for generated types.
pub struct State<M: Mechanism<T>, T: Real = f64> {
    /// Time t \[s\].
    pub t: T,
    /// Coordinates q, n_q.
    pub q: M::Coordinates,
    /// Speeds v, n_v.
    pub v: M::Speeds,
    /// Auxiliary states z, n_z, followed by memories: see [`Mechanism::remember`].
    pub z: M::Auxiliary,
}

impl<M: Mechanism<T>, T: Real> State<M, T> {
    /// This state with inputs u (n_u), as kernels take it.
    #[inline]
    pub fn view<'a>(&'a self, u: &'a [T]) -> StateView<'a, T> {
        StateView { t: self.t, q: self.q.as_ref(), v: self.v.as_ref(), z: self.z.as_ref(), u }
    }

    /// Checks that this is a state of the mechanism, by the lengths of q, v and z. Mechanisms whose sizes are known at run time share one type of
    /// states. The check makes storage of the mechanism.
    ///
    /// # Errors
    /// [`Error::Size`] of the first that differs.
    pub fn check_size(&self, mechanism: &M) -> Result<(), Error<T>> {
        let (q, v, _, z, _, _) = mechanism.storage();
        self.check_lengths([q.as_ref().len(), v.as_ref().len(), z.as_ref().len()])
    }

    /// As [`State::check_size`], against another state, such as one of work space. It makes no storage.
    pub(crate) fn check_like(&self, other: &Self) -> Result<(), Error<T>> {
        self.check_lengths([other.q.as_ref().len(), other.v.as_ref().len(), other.z.as_ref().len()])
    }

    /// As [`State::check_size`], against the sizes of the mechanism, which do not include memories. It makes no storage.
    pub(crate) fn check_counts(&self, mechanism: &M) -> Result<(), Error<T>> {
        let (sizes, n_z) = (mechanism.sizes(), self.z.as_ref().len());
        self.check_lengths([sizes.n_q, sizes.n_v, n_z.max(sizes.n_z)])
    }

    /// As [`State::check_size`], against the lengths of q, v and z.
    ///
    /// # Errors
    /// [`Error::Size`] of the first that differs.
    pub fn check_lengths(&self, expected: [usize; 3]) -> Result<(), Error<T>> {
        let found = [self.q.as_ref().len(), self.v.as_ref().len(), self.z.as_ref().len()];
        match expected.into_iter().zip(found).find(|(expected, found)| expected != found) {
            Some((expected, found)) => Err(Error::Size { expected, found }),
            None => Ok(()),
        }
    }

    /// Updates the memories to q: [`Mechanism::remember`]. Steppers do it; call it after changes of q.
    #[inline]
    pub fn remember(&mut self, mechanism: &M) {
        mechanism.remember(self.t, self.q.as_ref(), self.z.as_mut());
    }

    /// Overwrites this state with another of the same mechanism, without allocating.
    ///
    /// # Panics
    /// If the other is one of a mechanism of other sizes.
    #[inline]
    pub fn copy_from(&mut self, other: &Self) {
        self.t = other.t;
        self.q.as_mut().copy_from_slice(other.q.as_ref());
        self.v.as_mut().copy_from_slice(other.v.as_ref());
        self.z.as_mut().copy_from_slice(other.z.as_ref());
    }
}

impl<M: Mechanism<T>, T: Real> Clone for State<M, T> {
    fn clone(&self) -> Self {
        State { t: self.t, q: self.q.clone(), v: self.v.clone(), z: self.z.clone() }
    }
}

impl<M: Mechanism<T>, T: Real> PartialEq for State<M, T> {
    fn eq(&self, other: &Self) -> bool {
        self.t == other.t
            && self.q.as_ref() == other.q.as_ref()
            && self.v.as_ref() == other.v.as_ref()
            && self.z.as_ref() == other.z.as_ref()
    }
}

impl<M: Mechanism<T>, T: Real> fmt::Debug for State<M, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State")
            .field("t", &self.t)
            .field("q", &self.q.as_ref())
            .field("v", &self.v.as_ref())
            .field("z", &self.z.as_ref())
            .finish()
    }
}
