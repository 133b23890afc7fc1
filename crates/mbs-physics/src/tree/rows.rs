//! Rows of a tree: selections, and the removal of redundant rows.

use mbs_model::{Row, RowLevel};

use super::Tree;
use crate::Redundant;

impl Tree {
    /// Indices of the rows that can be switched off.
    pub fn switched_rows(&self) -> Vec<usize> {
        (0..self.rows.len()).filter(|r| self.rows[*r].enabled.is_some()).collect()
    }

    /// Number of rows of bodies in natural coordinates: those that keep them rigid, and those of continuous angles. All other rows belong to joints
    /// and equations.
    pub fn n_intrinsic(&self) -> usize {
        self.rows.iter().filter(|row| row.body().is_some()).count()
    }

    /// The tree without the rows of `redundant`, which it stores.
    #[must_use]
    pub fn without_rows(mut self, redundant: Redundant) -> Tree {
        let is_removed = |row: &Row| redundant.rows.iter().any(|r| r.id == row.id);
        let mut next = 0;
        let kept: Vec<Option<usize>> = self
            .rows
            .iter()
            .map(|row| {
                let kept = (!is_removed(row)).then_some(next);
                next += usize::from(kept.is_some());
                kept
            })
            .collect();
        self.row_index.iter_mut().for_each(|index| *index = index.and_then(|i| kept[i]));
        self.rows.retain(|row| !is_removed(row));
        let up_to = |level: RowLevel| self.rows.iter().filter(|r| r.level <= level).count();
        (self.n_position, self.n_velocity) = (up_to(RowLevel::Position), up_to(RowLevel::Velocity));
        self.redundant = redundant;
        self
    }
}
