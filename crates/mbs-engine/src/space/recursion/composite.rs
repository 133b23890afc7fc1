//! The mass matrix by the composite-rigid-body algorithm (Featherstone 2008, §6.2).

use super::Inertia;
use crate::space::motion::{Link, Motion};

/// Work space of the recursion: inertias of the subtrees, about the origins of their roots.
#[derive(Clone, Debug)]
pub(crate) struct Composite {
    inertias: Vec<Inertia>,
}

impl Composite {
    pub fn new(links: &[Link]) -> Self {
        Composite { inertias: vec![Inertia::ZERO; links.len()] }
    }

    /// Entries (i, j), i ≥ j, in the order in which [`Composite::mass_matrix`] writes them: for each speed i of a link, the speeds j of
    /// this link up to i, then those of its parent, of its grandparent, …
    pub fn pattern(links: &[Link]) -> Vec<(usize, usize)> {
        let mut entries = Vec::new();
        for link in links {
            for i in link.speeds() {
                entries.extend((link.first_v..=i).map(|j| (i, j)));
                let mut next = link.parent;
                while let Some(p) = next {
                    entries.extend(links[p].speeds().map(|j| (i, j)));
                    next = links[p].parent;
                }
            }
        }
        entries
    }

    /// Writes M, the entries of the pattern.
    pub fn mass_matrix(&mut self, links: &[Link], inertias: &[Inertia], motion: &Motion, entries: &mut [f64]) {
        for (i, inertia) in self.inertias.iter_mut().enumerate() {
            *inertia = inertias[i].in_world(&motion.links[i]);
        }
        for (i, link) in links.iter().enumerate().rev() {
            if let Some(parent) = link.parent {
                let shifted = self.inertias[i].shifted(motion.links[i].offset);
                self.inertias[parent] += shifted;
            }
        }
        let mut entries = entries.iter_mut();
        for (l, link) in links.iter().enumerate() {
            for i in link.speeds() {
                let mut wrench = self.inertias[l].momentum(motion.columns[i]);
                let columns = &motion.columns[link.first_v..=i];
                columns.iter().zip(&mut entries).for_each(|(c, entry)| *entry = c.power(wrench));
                let (mut from, mut next) = (l, link.parent);
                while let Some(p) = next {
                    wrench = wrench.shifted(motion.links[from].offset);
                    let columns = &motion.columns[links[p].speeds()];
                    columns.iter().zip(&mut entries).for_each(|(c, entry)| *entry = c.power(wrench));
                    (from, next) = (p, links[p].parent);
                }
            }
        }
    }
}
