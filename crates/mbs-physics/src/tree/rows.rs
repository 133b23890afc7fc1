//! Rows of a tree: those of a kind, and the tree without some.

use mbs_model::{Row, RowLevel};

use super::Tree;
use crate::Redundant;

impl Tree {
    /// Rows that can be switched off.
    pub fn switched_rows(&self) -> Vec<usize> {
        (0..self.rows.len()).filter(|r| self.rows[*r].enabled.is_some()).collect()
    }

    /// Number of rows that bodies in natural coordinates need themselves: those that keep them rigid and count their revolutions. All other
    /// rows belong to joints and equations.
    pub fn n_intrinsic(&self) -> usize {
        self.rows.iter().filter(|row| row.body().is_some()).count()
    }

    /// The tree without some of its rows.
    #[must_use]
    pub fn without(mut self, redundant: Redundant) -> Tree {
        let gone = |row: &Row| redundant.rows.iter().any(|r| r.id == row.id);
        let mut next = 0;
        let kept: Vec<Option<usize>> = self
            .rows
            .iter()
            .map(|row| {
                let kept = (!gone(row)).then_some(next);
                next += usize::from(kept.is_some());
                kept
            })
            .collect();
        self.row_index.iter_mut().for_each(|at| *at = at.and_then(|i| kept[i]));
        self.rows.retain(|row| !gone(row));
        let up_to = |level: RowLevel| self.rows.iter().filter(|r| r.level <= level).count();
        (self.n_position, self.n_velocity) = (up_to(RowLevel::Position), up_to(RowLevel::Velocity));
        self.redundant = redundant;
        self
    }
}
