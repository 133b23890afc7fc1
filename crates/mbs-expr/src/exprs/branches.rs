//! What positions and directions do not determine: angles up to whole turns, quaternions up to their sign.

use super::{ExprId, Exprs};

/// An expression of which positions and directions know one of several values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Branch {
    /// An angle in (−π, π\]; whole turns may be added.
    Angle,
    /// One component of a quaternion, which may be negated as a whole.
    Quaternion {
        /// All components.
        parts: [ExprId; 4],
        /// Which of them it is.
        component: u8,
    },
}

impl Exprs {
    /// Says that an expression is an angle up to whole turns.
    pub fn set_angle(&mut self, angle: ExprId) {
        self.set_branch(angle, Branch::Angle);
    }

    /// Says that expressions are a quaternion up to its sign.
    pub fn set_quaternion(&mut self, parts: [ExprId; 4]) {
        for (component, part) in (0..).zip(parts) {
            self.set_branch(part, Branch::Quaternion { parts, component });
        }
    }

    fn set_branch(&mut self, e: ExprId, branch: Branch) {
        if self.value(e).is_none() {
            self.branches.insert(e, branch);
        }
    }

    /// What is not determined of an expression.
    pub fn branch(&self, e: ExprId) -> Option<Branch> {
        self.branches.get(&e).copied()
    }
}
