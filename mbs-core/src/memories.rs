//! Memories of angles and quaternions along a step.

use crate::step_path::{Followed, StepPath};
use crate::{Mechanism, Real, State};

/// Follows memories from the beginning of a step to its end; see [`Mechanism::remember`].
pub(crate) struct MemoryPath<M: Mechanism<T>, T: Real> {
    path: StepPath<M, T>,
    memories: Memories<M, T>,
}

struct Memories<M: Mechanism<T>, T: Real> {
    /// Number of auxiliary states, after which memories are stored.
    n_z: usize,
    /// Memories at the point of the step that is reached, and two more for differences.
    z: [M::Auxiliary; 3],
}

impl<M: Mechanism<T>, T: Real> MemoryPath<M, T> {
    pub(crate) fn new(mechanism: &M) -> Self {
        let (_, _, _, z, ..) = mechanism.storage();
        let memories = Memories { n_z: mechanism.sizes().n_z, z: [z.clone(), z.clone(), z] };
        MemoryPath { path: StepPath::new(mechanism), memories }
    }

    /// Sets the memories of `to`, the end of a step from `from`. Without memories nothing happens.
    #[inline]
    pub(crate) fn follow(&mut self, mechanism: &M, from: &State<M, T>, to: &mut State<M, T>) {
        if from.z.as_ref().len() > self.memories.n_z {
            self.follow_parts(mechanism, from, to);
        }
    }

    fn follow_parts(&mut self, mechanism: &M, from: &State<M, T>, to: &mut State<M, T>) {
        let memories = &mut self.memories;
        memories.z[0].as_mut().copy_from_slice(from.z.as_ref());
        if !self.path.ended_in(from) {
            mechanism.remember(from.t, from.q.as_ref(), memories.z[0].as_mut());
        }
        // The distance at the end was computed with the memories of the beginning, if nothing lies between.
        let has_parts = self.path.follow(mechanism, from, to, memories);
        let remembered = memories.z[usize::from(!has_parts)].as_ref().iter().zip(to.z.as_mut());
        remembered.skip(memories.n_z).for_each(|(memory, z)| *z = *memory);
        if has_parts {
            to.remember(mechanism);
        }
        self.path.end_in(to);
    }
}

impl<M: Mechanism<T>, T: Real> Followed<M, T> for Memories<M, T> {
    fn distance(&mut self, mechanism: &M, state: &State<M, T>, t: T, q: &[T]) -> T {
        let [current, here, there] = &mut self.z;
        here.as_mut().copy_from_slice(current.as_ref());
        mechanism.remember(state.t, state.q.as_ref(), here.as_mut());
        there.as_mut().copy_from_slice(here.as_ref());
        mechanism.remember(t, q, there.as_mut());
        let both = here.as_ref().iter().zip(there.as_ref()).skip(self.n_z);
        both.fold(T::ZERO, |far, (here, there)| far.max((*there - *here).abs()))
    }

    fn pass(&mut self, mechanism: &M, _: &State<M, T>, t: T, q: &[T]) {
        mechanism.remember(t, q, self.z[0].as_mut());
    }
}
