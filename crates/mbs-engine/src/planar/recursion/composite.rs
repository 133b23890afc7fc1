//! The mass matrix by the composite-rigid-body algorithm (Featherstone 2008, §6.2).

use super::{Inertia, Mass};
use crate::planar::link::Step;
use crate::planar::motion::Motion;
use crate::planar::plane::{Column, Wrench, perpendicular};

/// Work space of the recursion: inertias of the subtrees, about the origins of their roots.
#[derive(Clone, Debug)]
pub(crate) struct Composite {
    inertias: Vec<Inertia>,
}

impl Composite {
    pub fn new(steps: &[Step]) -> Self {
        Composite { inertias: vec![Inertia::ZERO; steps.len()] }
    }

    /// Entries (i, j), i ≥ j, in the order in which [`Composite::mass_matrix`] writes them: for each coordinate i of a body, the
    /// coordinates j of this body up to i, then those of its parent, of its grandparent, …
    pub fn pattern(steps: &[Step]) -> Vec<(usize, usize)> {
        let mut entries = Vec::new();
        for step in steps {
            for i in step.range() {
                entries.extend((step.first..=i).map(|j| (i, j)));
                let mut next = step.parent;
                while let Some(p) = next {
                    entries.extend(steps[p].range().map(|j| (i, j)));
                    next = steps[p].parent;
                }
            }
        }
        entries
    }

    /// Writes M, the entries of the pattern.
    pub fn mass_matrix(&mut self, steps: &[Step], masses: &[Mass], motion: &Motion, entries: &mut [f64]) {
        for (i, inertia) in self.inertias.iter_mut().enumerate() {
            *inertia = Inertia::from_mass(&masses[i], &motion.bodies[i]);
        }
        for (i, step) in steps.iter().enumerate().rev() {
            if let Some(parent) = step.parent {
                let shifted = self.inertias[i].shifted_to_parent(motion, step, i);
                self.inertias[parent] += shifted;
            }
        }
        let mut entries = entries.iter_mut();
        for (s, step) in steps.iter().enumerate() {
            for i in step.range() {
                let mut wrench = momentum(&self.inertias[s], motion.columns[i]);
                let columns = &motion.columns[step.first..=i];
                columns.iter().zip(&mut entries).for_each(|(c, entry)| *entry = c.power(wrench));
                let (mut from, mut next) = (s, step.parent);
                while let Some(p) = next {
                    wrench = motion.shifted_to_parent(&steps[from], from, wrench);
                    let columns = &motion.columns[steps[p].range()];
                    columns.iter().zip(&mut entries).for_each(|(c, entry)| *entry = c.power(wrench));
                    (from, next) = (p, steps[p].parent);
                }
            }
        }
    }
}

/// Momentum of a composite body that moves with a column, about its origin.
pub(super) fn momentum(of: &Inertia, column: Column) -> Wrench {
    Wrench {
        force: column.velocity * of.mass + perpendicular(of.moment) * column.rate,
        torque: of.inertia * column.rate + of.moment.cross(column.velocity),
    }
}
