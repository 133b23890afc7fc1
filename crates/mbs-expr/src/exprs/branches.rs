//! Expressions with several values for the same positions and directions: angles modulo 2π, quaternions up to their sign.

use super::{ExprId, Exprs};

/// The ambiguity of an expression that positions and directions do not determine uniquely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Branch {
    /// An angle in (−π, π\]; whole revolutions may be added.
    Angle,
    /// One component of a quaternion; all its components may be negated together.
    Quaternion {
        /// All components.
        parts: [ExprId; 4],
        /// Index of this component.
        component: u8,
    },
}

impl Exprs {
    /// Records that an expression is an angle modulo 2π.
    pub fn set_angle(&mut self, angle: ExprId) {
        self.set_branch(angle, Branch::Angle);
    }

    /// Records that expressions are the components of a quaternion up to its sign.
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

    /// The ambiguity of an expression, if it has one.
    pub fn branch(&self, e: ExprId) -> Option<Branch> {
        self.branches.get(&e).copied()
    }
}
